//! Checks what can be iterated over or referred to: cards, players, tokens, places, decks and pools; and names that begin with a player.

use super::super::defs::{DefId, DefKind, Over, Owner, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, PlayersWhich, Whose};
use super::super::typed::{
    BindingId, Cards, Deck, Expr, ExprChild, ExprKind, Fold, Key, Neighbour, Place, SeatFilter, Seats, ShownTo, StmtKind, Target,
    TokenWord, Tokens,
};
use super::names::{for_seat, rest_of_name, split_seat_prefix};
use super::{Checker, boards, one_card, showing, teams};
use crate::cast;
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::source::Span;

/// The value that stands for no player.
const NOBODY: i64 = -1;

/// Highest row number that can be written.
const MAX_ROW: i64 = 30;

/// The word that stands for all resources where a list of words is gone through.
pub(super) const ALL_RESOURCES: &str = "resource";
/// The word that stands for all symbols where a list of words is gone through.
pub(super) const ALL_SYMBOLS: &str = "symbols";

impl Checker<'_> {
    /// Checks a fold over cards (`sum`, `count`, `any` …), possibly over another player's cards. Without a name of their own, cards are
    /// called `card`, and another player's cards are about that player.
    pub(super) fn check_over_cards(
        &mut self,
        fold: Fold,
        each: Option<&ast::Expr>,
        (name, of): (Option<&str>, &ast::Cards),
        span: Span,
    ) -> Expr {
        if let Some((seat, rest)) = split_seat_prefix(&of.name.text) {
            if !self.check_seat(seat, of.name.span) {
                return self.poisoned(span);
            }
            let theirs = ast::Cards { name: rest_of_name(&of.name, rest), whose: Whose::My, ..of.clone() };
            let found = self.check_over_cards(fold, each, (name, &theirs), span);
            return for_seat(seat, found, span);
        }
        // A condition or value is that of whoever speaks, and not of the neighbour.
        let is_bare = name.is_none() && of.filter.is_none() && each.is_none();
        if let Some((who, rest)) = self.split_neighbour(&of.name.text, of.name.span).filter(|_| is_bare) {
            let theirs = ast::Cards { name: rest_of_name(&of.name, rest), whose: Whose::My, ..of.clone() };
            let found = self.check_over_cards(fold, each, (name, &theirs), span);
            return Expr { ty: found.ty, kind: ExprKind::OfNeighbour { who, body: Box::new(found) }, span };
        }
        if fold == Fold::Any && matches!(of.of_space, Some(ast::OfSpace::Group(_))) {
            self.report(RuleProblem::GroupOfItself.at(span));
        }
        let (name, kept) = (name.unwrap_or("card"), self.scope.bound.len());
        let element = boards::element_type(self, of);
        let bind = self.bind(name, element);
        let each = each.map(|each| self.check_expr(each, &[Type::Number, Type::Thousandths, Type::Truth]));
        self.scope.bound.truncate(kept);
        let Some(cards) = self.check_cards(of, name, bind) else { return self.poisoned(span) };
        let ty = match (fold, &each) {
            (Fold::Any, _) => Type::Truth,
            (_, Some(each)) if each.ty == Type::Thousandths => Type::Thousandths,
            _ => Type::Number,
        };
        Expr { kind: ExprKind::OverCards { fold, cards: Box::new(cards), each: each.map(Box::new) }, ty, span }
    }

    /// Checks a set of cards, such as `my cards in play with action`, `my yard where card.height > 2` or `cards in market rows 1, 2`.
    pub fn check_cards(&mut self, cards: &ast::Cards, name: &str, bind: BindingId) -> Option<Cards> {
        let span = cards.name.span;
        if let Some(of) = &cards.of_space {
            return boards::check_cards_of_space(self, cards, of, (name, bind));
        }
        let owned = if cards.whose == Whose::Unsaid { self.split_owner(&cards.name.text, span) } else { None };
        let (owner, word) = match owned {
            Some((owner, rest)) => (Some(Box::new(owner)), rest),
            None => (None, cards.name.text.as_str()),
        };
        let kind = self.rules.defs.kind(word).filter(|_| cards.whose == Whose::My || owner.is_some());
        let (places, kind) = match (self.rules.defs.places_named(word), kind) {
            (Some(places), _) => (places, None),
            (None, Some(kind)) => (self.places_of(kind, span), Some(kind)),
            (None, None) => {
                let broken = self.rules.defs.is_broken(Space::Value, word);
                if word == "players" && !broken {
                    self.report(RuleProblem::PlayersAreNoCards.at(span));
                } else if !broken {
                    self.report_unknown(word, span, "a place or zone (`my KIND` works, too)", &[Space::Value, Space::Kind]);
                }
                return None;
            }
        };
        let of_seat = |place: &DefId| matches!(self.rules.defs[*place].kind, DefKind::Place { of_seat: true, .. });
        if owner.is_some() && !places.iter().any(of_seat) {
            self.report(RuleProblem::OfNoPlayer { name: word.to_string() }.at(span));
            return None;
        }
        if owner.is_none() && cards.whose == Whose::Unsaid && places.iter().any(of_seat) {
            let cards_in = if cards.span.start < span.start { "cards in " } else { "" };
            self.report(RuleProblem::Whose { name: word.to_string(), cards_in }.at(cards.span));
            return None;
        }
        let places: Vec<DefId> = places.into_iter().filter(|place| owner.is_none() || of_seat(place)).collect();
        let mut rows = 0;
        for row in &cards.rows {
            match row.literal() {
                Some(row) if (1..=MAX_ROW).contains(&row) => rows |= 1 << row,
                _ => self.report(
                    RuleProblem::Expected {
                        what: format!("the number of a row, from 1 to {MAX_ROW}"),
                        help: Some("a row that is reckoned is a condition: `PLACE where row of card == NUMBER`"),
                    }
                    .at(row.span),
                ),
            }
        }
        let kept = self.scope.bound.len();
        let board = if let [place] = places[..] { self.rules.board_of_place(place) } else { None };
        let element = board.map_or(Type::Card, |board| Type::Space(board.kind));
        self.scope.bound.push((name.to_string(), bind, element));
        let mut with = None;
        let mut filter = None;
        if let Some(counter) = &cards.with {
            if counter.text == "action" {
                let card = Expr { kind: ExprKind::Local(bind), ty: Type::Card, span: counter.span };
                filter = Some(Expr { kind: ExprKind::HasAction(Box::new(card)), ty: Type::Truth, span: counter.span });
            } else {
                with = self.rules.defs.find(Space::Counter, &counter.text);
                if with.is_none() {
                    self.report_unknown(&counter.text, counter.span, "a counter on cards", &[Space::Counter]);
                }
            }
        }
        if let Some(more) = &cards.filter {
            let more = self.check_expr(more, &[Type::Truth]);
            if cards.joined {
                self.expect_about_cards(&more, bind, name);
            }
            filter = Some(match filter {
                Some(first) => Expr { span: more.span, kind: ExprKind::And { a: Box::new(first), b: Box::new(more) }, ty: Type::Truth },
                None => more,
            });
        }
        self.scope.bound.truncate(kept);
        Some(Cards { places, everybody: cards.whose == Whose::All, owner, kind, rows, bind, with, filter, around: None })
    }

    /// Requires each part of the condition after `and` in `my yard with bites and …` to be about the cards. Otherwise the author probably
    /// meant to continue the outer condition, which is not how it is parsed.
    fn expect_about_cards(&mut self, condition: &Expr, bind: BindingId, name: &str) {
        if let ExprKind::And { a: first, b: second } = &condition.kind {
            self.expect_about_cards(first, bind, name);
            return self.expect_about_cards(second, bind, name);
        }
        let mut about = false;
        condition.walk(&mut |below| {
            about |= matches!(below, ExprChild::Operand(Expr { kind: ExprKind::Local(local), .. }) if *local == bind)
                || matches!(below, ExprChild::Operand(Expr { kind: ExprKind::Poisoned, .. }));
        });
        if !about {
            self.report(RuleProblem::AboutNoCard { name: name.to_string() }.at(condition.span));
        }
    }

    /// Returns the places in play where a player's cards of a kind can lie. In a game in which no place listens, all face-up places count.
    fn places_of(&mut self, kind: u16, span: Span) -> Vec<DefId> {
        let of_seat = |place: DefId| matches!(self.rules.defs[place].kind, DefKind::Place { of_seat: true, .. });
        let any_hears = self.rules.places.iter().any(|place| place.hearing);
        let open = |place: &&Place| if any_hears { place.hearing } else { !place.hidden };
        let takes = |place: &&Place| place.kinds == 0 || place.kinds >> kind & 1 == 1;
        let found: Vec<DefId> =
            self.rules.places.iter().filter(open).filter(takes).map(|place| place.def).filter(|&def| of_seat(def)).collect();
        // Its place may be one that failed to parse.
        if found.is_empty() && !self.rules.defs.has_suspects() {
            self.report(RuleProblem::NoPlaceForKind.at(span));
        }
        found
    }

    /// Checks a set of players, such as `players where passed` or `other players with fewer wisp`. `candidate` is the name of one of them in
    /// the condition, if it has one.
    pub(super) fn check_players(&mut self, players: &ast::Players, candidate: Option<BindingId>) -> Seats {
        let filter = match &players.which {
            PlayersWhich::Any => SeatFilter::All,
            PlayersWhich::Where(condition) => {
                let condition = self.check_expr(condition, &[Type::Truth]);
                self.expect_varying(&condition, candidate);
                SeatFilter::Where(condition)
            }
            PlayersWhich::Fewer(value) => SeatFilter::Compared(Compare::Less, self.check_expr(value, &[Type::Number])),
            PlayersWhich::More(value) => SeatFilter::Compared(Compare::More, self.check_expr(value, &[Type::Number])),
        };
        teams::expect_teams(self, players.teams, players.span);
        Seats { others: players.other, teams: players.teams, filter }
    }

    /// Reports a comparison in the condition on each of several players whose two sides are the same value of the same player.
    fn expect_varying(&mut self, condition: &Expr, candidate: Option<BindingId>) {
        if let ExprKind::And { a, b } | ExprKind::Or { a, b } = &condition.kind {
            self.expect_varying(a, candidate);
            self.expect_varying(b, candidate);
        } else if let ExprKind::Not(inner) = &condition.kind {
            self.expect_varying(inner, candidate);
        } else if let ExprKind::Compare { operator, a, b } = &condition.kind
            && let (ExprKind::Variable(a), ExprKind::Variable(b)) = (own_value(a, candidate), own_value(b, candidate))
            && a == b
            && matches!(self.rules.defs[*a].kind, DefKind::Variable { owner: Owner::Player, .. })
        {
            let always = matches!(operator, Compare::Equal | Compare::AtLeast | Compare::AtMost);
            self.report(RuleProblem::OfTheSamePlayer { always }.at(condition.span));
        }
    }

    /// Resolves the name of a place.
    pub(super) fn resolve_place(&mut self, name: &Name) -> Option<DefId> {
        if boards::refuse_board(self, name) {
            return None;
        }
        self.resolve_sort(name, "a place", |what| matches!(what, DefKind::Place { .. }))
    }

    /// Resolves the name of a pool.
    pub(super) fn resolve_pool(&mut self, name: &Name) -> Option<DefId> {
        if split_seat_prefix(&name.text).is_some() {
            self.report(RuleProblem::SinglePlayer.at(name.span));
            return None;
        }
        self.resolve_sort(name, "a pool", |what| matches!(what, DefKind::Pool(_)))
    }

    /// Resolves a deck, or one pile of it.
    pub(super) fn resolve_deck(&mut self, deck: &ast::Deck) -> Option<Deck> {
        let pile = deck.index.as_ref().map(|pile| self.check_expr(pile, &[Type::Number]));
        let place = self.resolve_sort(&deck.name, "a deck", |what| matches!(what, DefKind::Place { shape: PlaceShape::Deck, .. }))?;
        Some(Deck { place, pile })
    }

    /// Reports a deck whose cards a place cannot hold.
    pub(super) fn expect_room_for(&mut self, deck: DefId, place: DefId, span: Span) {
        let kinds = |def: DefId| self.rules.places.iter().find(|one| one.def == def).map_or(0, |one| one.kinds);
        let strange = if kinds(place) == 0 { 0 } else { kinds(deck) & !kinds(place) };
        let names = self.rules.kinds.iter().enumerate().filter(|(kind, _)| strange >> kind & 1 == 1);
        let kinds: Vec<String> = names.map(|(_, kind)| self.rules.defs[kind.def].name.clone()).collect();
        if !kinds.is_empty() {
            let (deck, place) = (self.rules.defs[deck].name.clone(), &self.rules.defs[place]);
            self.report(RuleProblem::WrongKinds { place: place.name.clone(), kinds, deck, declared: place.span }.at(span));
        }
    }

    /// Resolves the name of a grid.
    pub(super) fn resolve_grid(&mut self, name: &Name) -> Option<DefId> {
        if boards::refuse_board(self, name) {
            return None;
        }
        self.resolve_sort(name, "a grid", |what| matches!(what, DefKind::Place { shape: PlaceShape::Grid, .. }))
    }

    /// Resolves a name that must be of some sort; similar names of that sort are suggested.
    pub(super) fn resolve_sort(&mut self, name: &Name, what: &str, fits: fn(&DefKind) -> bool) -> Option<DefId> {
        let found = self.rules.defs.find(Space::Value, &name.text);
        match found.map(|def| &self.rules.defs[def].kind) {
            Some(found_what) if fits(found_what) => found,
            Some(DefKind::Broken) => None,
            _ => {
                let known: Vec<String> =
                    self.rules.defs.all().filter(|(_, one)| fits(&one.kind)).map(|(_, one)| one.name.clone()).collect();
                self.report_unknown_of(&name.text, name.span, what, &known);
                None
            }
        }
    }

    /// Resolves tokens: a kind, a sort, a face or a loop variable, and the symbol that they must show.
    pub(super) fn resolve_tokens(&mut self, tokens: &ast::Tokens) -> Tokens {
        let which = self.resolve_token_word(tokens).unwrap_or(TokenWord::Sorts(0));
        let showing = tokens.showing.as_ref().map(|symbol| self.check_symbol(symbol));
        Tokens { word: which, showing }
    }

    fn resolve_token_word(&mut self, tokens: &ast::Tokens) -> Option<TokenWord> {
        let (word, span) = (&tokens.name.text, tokens.name.span);
        if let Some((bind, ty)) = self.scope.find(word) {
            let local = self.must_be(Expr { kind: ExprKind::Local(bind), ty, span }, &[Type::Token]);
            return Some(TokenWord::Local(local));
        }
        if let Some(sorts) = self.rules.defs.token_kind(word) {
            return Some(TokenWord::Sorts(sorts));
        }
        let Some(sort) = self.rules.defs.token(word) else {
            self.report_unknown(word, span, "a token", &[Space::Token, Space::TokenKind]);
            return None;
        };
        let Some(face) = &tokens.face else { return Some(TokenWord::Sort(sort)) };
        let key = format!("{word}:{}", face.text);
        let class = self.rules.classes.iter().position(|class| class.key == key);
        if class.is_none() {
            let prefix = format!("{word}:");
            let faces: Vec<String> =
                self.rules.classes.iter().filter_map(|class| class.key.strip_prefix(&prefix)).map(String::from).collect();
            self.report_unknown_of(&face.text, face.span, "a face of this token", &faces);
        }
        class.map(|class| TokenWord::Face(cast::fit::<u8>(class)))
    }

    /// Whether a name stands for several words: the sorts of a kind of token, or words that the rules declare.
    pub(super) fn are_words(&self, name: &str) -> bool {
        self.rules.defs.token_kind(name).is_some()
            || self.rules.defs.places_named(name).is_none()
                && (self.rules.defs.word_list(name).is_some() || [ALL_RESOURCES, ALL_SYMBOLS].contains(&name))
    }

    /// Resolves a list of resources, of sorts of one kind of token, or of words that the rules declare. Returns their numbers and the type
    /// of the words.
    pub(super) fn resolve_word_list(&mut self, names: &[Name]) -> (Vec<i32>, Type) {
        if let [name] = names
            && let Some(sorts) = self.rules.defs.token_kind(&name.text)
        {
            return ((0..64).filter(|sort| sorts >> sort & 1 == 1).collect(), Type::Token);
        }
        if let [name] = names
            && let Some(list) = self.rules.defs.word_list(&name.text)
        {
            let words = self.rules.defs.lists[list as usize].len();
            return ((0..cast::fit::<i32>(words)).collect(), Type::Choice(list));
        }
        if let [name] = names
            && name.text == ALL_RESOURCES
        {
            let count = self.rules.defs.resources().len();
            return ((0..cast::fit::<i32>(count)).collect(), Type::Resource);
        }
        if let [name] = names
            && name.text == ALL_SYMBOLS
        {
            let count = self.rules.defs.names(Space::Symbol).count();
            if count == 0 {
                self.report(RuleProblem::NoSymbols.at(name.span));
            }
            return ((0..cast::fit::<i32>(count)).collect(), Type::Symbol);
        }
        let defs = &self.rules.defs;
        let is_of = |list: u16| names.iter().all(|name| defs.word_in(list, &name.text).is_some());
        let are_declared = names.first().and_then(|first| defs.declared_word(&first.text)).is_some_and(|(list, _)| is_of(list));
        if let [first, ..] = names
            && !are_declared
            && defs.resource(&first.text).is_none()
            && defs.symbol(&first.text).is_some()
        {
            return (self.resolve_symbols(names), Type::Symbol);
        }
        if let [first, ..] = names
            && self.rules.defs.resource(&first.text).is_none()
            && let Some((list, _)) = self.rules.defs.declared_word(&first.text)
        {
            return (self.resolve_words_of(list, names), Type::Choice(list));
        }
        (self.resolve_resource_list(names).into_iter().map(i32::from).collect(), Type::Resource)
    }

    /// Resolves words of a list that the rules declare.
    fn resolve_words_of(&mut self, list: u16, names: &[Name]) -> Vec<i32> {
        let mut found = Vec::new();
        for name in names {
            match self.rules.defs.word_in(list, &name.text) {
                Some(word) => found.push(cast::fit::<i32>(word)),
                None => {
                    let words = self.rules.defs.lists[list as usize].clone();
                    self.report_unknown_of(&name.text, name.span, "one of these words", &words);
                }
            }
        }
        found
    }

    /// Resolves a list of symbols.
    fn resolve_symbols(&mut self, names: &[Name]) -> Vec<i32> {
        let mut found = Vec::new();
        for name in names {
            match self.rules.defs.symbol(&name.text) {
                Some(symbol) => found.push(symbol.into()),
                None => self.report_unknown(&name.text, name.span, "a symbol", &[Space::Symbol]),
            }
        }
        found
    }

    /// Resolves a list of resources.
    pub(super) fn resolve_resource_list(&mut self, names: &[Name]) -> Vec<u16> {
        let mut list = Vec::new();
        for name in names {
            match self.rules.defs.resource(&name.text) {
                Some(resource) => list.push(resource),
                None => self.report_unknown_resource(name),
            }
        }
        list
    }

    /// Reports an unknown resource.
    pub(super) fn report_unknown_resource(&mut self, name: &Name) {
        let known: Vec<String> = self.rules.defs.resources().into_iter().map(String::from).collect();
        self.report_unknown_of(&name.text, name.span, "a resource", &known);
    }

    /// Checks the keys of an ordering: `height, then moss, then order`.
    pub(super) fn check_order_keys(&mut self, keys: &[ast::OrderKey]) -> Vec<Key> {
        let key = |key: &ast::OrderKey| match key {
            ast::OrderKey::Present(_) => Key::Order,
            ast::OrderKey::By(value) => Key::By(self.check_expr(value, &[Type::Number])),
        };
        keys.iter().map(key).collect()
    }

    // ------------------------------------------------------------------ players as values

    /// Splits `target.wisp` into the player that the local name or counter `target` holds, and `wisp`; also `me.wisp`. A parameter of which nothing is
    /// known yet is a player if what follows is something that players have and cards have not. If spaces have it, too, it is a space where it is
    /// called `card` or `space`.
    pub(super) fn split_player<'w>(&mut self, word: &'w str, span: Span) -> Option<(Expr, &'w str)> {
        let (head, rest) = word.split_once('.')?;
        let player = |kind| Expr { kind, ty: Type::Seat, span };
        if let Some((bind, ty)) = self.scope.find(head) {
            let known = self.types.resolve(ty);
            let is_space = matches!(head, "card" | "space") && self.is_of_spaces_alone(rest);
            let is_player = known == Type::Seat || matches!(known, Type::Open(_)) && self.is_of_players(rest) && !is_space;
            if !is_player {
                return None;
            }
            self.types.fits(ty, &[Type::Seat], span);
            return Some((player(ExprKind::Local(bind)), rest));
        }
        if self.rules.defs.find_declared(Space::Value, word).is_some() {
            return None;
        }
        match self.rules.defs.find_declared(Space::Value, head) {
            Some(def) => {
                let holds_player =
                    matches!(self.rules.defs[def].kind, DefKind::Variable { sort: VariableSort::Counter, over: Some(Over::Players), .. });
                if !holds_player {
                    return None;
                }
                self.rules.defs.find(Space::Value, head);
                Some((self.definition_expr(def, head, span), rest))
            }
            None => (head == "me").then(|| (player(ExprKind::Me), rest)),
        }
    }

    /// Splits a name that begins with any player: a local name, `me`, `left`, `right` or `first`.
    pub(super) fn split_owner<'w>(&mut self, word: &'w str, span: Span) -> Option<(Expr, &'w str)> {
        if let Some(found) = self.split_player(word, span) {
            return Some(found);
        }
        let (who, rest) = self.split_neighbour(word, span)?;
        Some((neighbour(who, span), rest))
    }

    /// Returns the player that a word names by itself: `left`, `right`, `first`, `partner`, or `nobody`.
    pub(super) fn player_word(&mut self, word: &str, span: Span) -> Option<Expr> {
        if word == "nobody" {
            return Some(Expr::constant(NOBODY, Type::Seat, span));
        }
        let who = Neighbour::of_word(word)?;
        teams::expect_partner(self, who, span);
        Some(neighbour(who, span))
    }

    /// Whether a name is that of a member which the spaces of a board have, and cards have not.
    fn is_of_spaces_alone(&self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or(name);
        self.rules.defs.find_declared(Space::Counter, first).is_some_and(|member| self.rules.only_board_with(member).is_some())
    }

    /// Whether a name is that of something which players have, and cards have not.
    fn is_of_players(&self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or(name);
        let defs = &self.rules.defs;
        let of_cards = !self.is_of_spaces_alone(first)
            && [Space::Counter, Space::Field, Space::List, Space::Row].iter().any(|space| defs.find_declared(*space, first).is_some());
        let of_players = defs.find_declared(Space::Value, first).is_some_and(|def| match &defs[def].kind {
            DefKind::Variable { owner, .. } => *owner == Owner::Player,
            DefKind::Place { of_seat, .. } => *of_seat,
            DefKind::Zone(places) => places.iter().any(|place| matches!(defs[*place].kind, DefKind::Place { of_seat: true, .. })),
            DefKind::Option(option) => option.each_player,
            DefKind::Quantity { .. } | DefKind::Define | DefKind::Condition | DefKind::Standing | DefKind::Pool(_) => true,
            DefKind::Constant
            | DefKind::Kind(_)
            | DefKind::Field(_)
            | DefKind::Symbol(_)
            | DefKind::Token(_)
            | DefKind::TokenKind(_)
            | DefKind::RowWord(_)
            | DefKind::Rank(_)
            | DefKind::Effect(_) => false,
            DefKind::Moment(_)
            | DefKind::Loss(_)
            | DefKind::Action
            | DefKind::Phase
            | DefKind::Step
            | DefKind::Card(_)
            | DefKind::Words(_)
            | DefKind::Broken => false,
        });
        of_players && !of_cards && first != "kind"
    }

    /// Resolves the name of a place, perhaps of a certain player: `yard`, `target.yard`.
    pub(super) fn resolve_owned_place(&mut self, name: &Name) -> Option<(Option<Expr>, DefId)> {
        let seat = split_seat_prefix(&name.text).filter(|_| self.open.is_some());
        let (player, rest) = match (self.split_owner(&name.text, name.span), seat) {
            (Some(owned), _) => owned,
            (None, Some((seat, rest))) => {
                let player = self.check_seat(seat, name.span).then(|| Expr::constant(cast::count(seat), Type::Seat, name.span));
                (player?, rest)
            }
            (None, None) => return Some((None, self.resolve_place(name)?)),
        };
        let name = rest_of_name(name, rest);
        let place = self.resolve_place(&name)?;
        if !matches!(self.rules.defs[place].kind, DefKind::Place { of_seat: true, .. }) {
            self.report(RuleProblem::OfNoPlayer { name: name.text.clone() }.at(name.span));
            return None;
        }
        Some((Some(player), place))
    }

    /// Resolves what is written to behind a player: `target.dens += 1`. Returns the target, and whether it is a flag.
    pub(super) fn resolve_target_of(&mut self, player: Expr, name: &Name, whole: &str) -> Option<(Target, Type)> {
        let (word, span) = (&name.text, name.span);
        let Some(variable) = self.rules.defs.find_for_write(Space::Value, word) else {
            self.report_unknown(word, span, "a counter of a player", &[Space::Value]);
            return None;
        };
        let what = &self.rules.defs[variable].kind;
        let DefKind::Variable { sort, owner, .. } = *what else {
            if *what != DefKind::Broken {
                let what = what.describe();
                self.report(RuleProblem::CannotWrite { name: word.clone(), what, help: None }.at(span));
            }
            return None;
        };
        if owner != Owner::Player {
            self.report(RuleProblem::OfNoPlayer { name: word.clone() }.at(span));
            return None;
        }
        match sort {
            VariableSort::Counter | VariableSort::Flag => {
                Some((Target::OfPlayer { player, variable, index: None }, self.type_of_counter(variable)))
            }
            VariableSort::Resource => {
                let player = whole.split('.').next().unwrap_or(whole).to_string();
                self.report(RuleProblem::ResourceOfPlayer { player, name: word.clone() }.at(span));
                None
            }
            VariableSort::Set | VariableSort::Tally => {
                self.report(RuleProblem::SeveralValues { name: word.clone(), write: Some(format!("write `{whole}[…]`")) }.at(span));
                None
            }
        }
    }

    /// Checks `show CARDS to …`: cards of some place, or a single card; to all players, to all others, or to one.
    pub(super) fn check_show(&mut self, cards: &ast::Cards, to: ShownTo) -> Option<StmtKind> {
        let to = match showing::check_show_value(self, cards, to) {
            Ok(shown) => return shown,
            Err(to) => to,
        };
        if self.scope.find(&cards.name.text).is_some() && cards.whose == Whose::Unsaid {
            if let Some(more) = cards.filter.as_ref().map(|more| more.span).or(cards.with.as_ref().map(|with| with.span)) {
                self.report(RuleProblem::OneCard { name: cards.name.text.clone() }.at(more));
            }
            let card = self.resolve_card(&cards.name.text, cards.name.span)?;
            boards::expect_movable(self, &card);
            return Some(one_card::show_card(card, to));
        }
        let bind = self.bind("card", Type::Card);
        let span = cards.span;
        let cards = self.check_cards(cards, "card", bind)?;
        boards::expect_no_board(self, &cards, span);
        Some(StmtKind::Show { cards, to })
    }
}

/// Wraps an expression so that it is evaluated for a player.
pub(super) fn of_player(player: Expr, body: Expr, span: Span) -> Expr {
    Expr { ty: body.ty, kind: ExprKind::Of { seat: Box::new(player), body: Box::new(body) }, span }
}

/// Creates the expression for a neighbour of the current player.
fn neighbour(who: Neighbour, span: Span) -> Expr {
    let me = Expr { kind: ExprKind::Me, ty: Type::Seat, span };
    Expr { kind: ExprKind::OfNeighbour { who, body: Box::new(me) }, ty: Type::Seat, span }
}

/// Returns what a value in the condition on a player is of that player, also where the player is named: `target.at` and `me.at` are `at`.
fn own_value(expr: &Expr, candidate: Option<BindingId>) -> &ExprKind {
    if let ExprKind::Of { seat, body } = &expr.kind
        && (seat.kind == ExprKind::Me || candidate.is_some_and(|bind| seat.kind == ExprKind::Local(bind)))
    {
        return own_value(body, candidate);
    }
    &expr.kind
}
