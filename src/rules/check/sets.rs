//! Checks what can be iterated over or referred to: cards, players, tokens, places, decks and pools; and names that begin with a player.

use super::super::defs::{ALL_RESOURCES, ALL_SYMBOLS, DefId, DefKind, Definitions, Owner, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, PlayersWhich, Whose};
use super::super::typed::{
    BindingId, Cards, Expr, ExprChild, ExprKind, Fold, Key, Neighbour, Place, SeatFilter, Seats, ShownTo, StmtKind, Target, TokenClass,
    Tokens,
};
use super::names::{rest_of_name, seat_expr, split_seat_prefix};
use super::{Checker, boards, one_card, showing, teams};
use crate::cast;
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::engine::tokens::MAX_TOKEN_CLASSES;
use crate::source::Span;

/// The value that stands for no player.
pub(super) const NOBODY: i64 = -1;

/// Highest row number that can be written.
const MAX_ROW: i64 = 30;

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
        let is_bare = name.is_none() && of.filter.is_none() && each.is_none();
        let check = |checker: &mut Self, theirs: &ast::Cards| checker.check_over_cards(fold, each, (name, theirs), span);
        if let Some(found) = self.check_cards_of_another(of, is_bare, span, check) {
            return found;
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

    /// Checks by `check` what is said of the cards of a seat, or of a neighbour if no condition or value is said, which is that of whoever
    /// speaks; `None` if the cards are of neither.
    pub(super) fn check_cards_of_another(
        &mut self,
        of: &ast::Cards,
        is_bare: bool,
        span: Span,
        check: impl FnOnce(&mut Self, &ast::Cards) -> Expr,
    ) -> Option<Expr> {
        let theirs = |rest| ast::Cards { name: rest_of_name(&of.name, rest), whose: Whose::My, ..of.clone() };
        if let Some((seat, rest)) = split_seat_prefix(&of.name.text) {
            return Some(self.behind_seat(seat, of.name.span, span, |checker| check(checker, &theirs(rest))));
        }
        let (who, rest) = self.split_neighbour(&of.name.text, of.name.span).filter(|_| is_bare)?;
        Some(check(self, &theirs(rest)).of_neighbour(who, span))
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
        let for_seats = places.iter().any(|place| self.is_of_seat(*place));
        if owner.is_some() && !for_seats {
            return self.refuse(RuleProblem::OfNoPlayer { name: word.to_string() }.at(span));
        }
        if owner.is_none() && cards.whose == Whose::Unsaid && for_seats {
            let cards_in = if cards.span.start < span.start { "cards in " } else { "" };
            return self.refuse(RuleProblem::Whose { name: word.to_string(), cards_in }.at(cards.span));
        }
        let places: Vec<DefId> = places.into_iter().filter(|place| owner.is_none() || self.is_of_seat(*place)).collect();
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
                filter = Some(Expr::truth(ExprKind::HasAction(Box::new(card)), counter.span));
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
            let span = more.span;
            filter = Some(match filter {
                Some(first) => first.and(more, span),
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
        let any_hears = self.rules.places.iter().any(|place| place.hearing);
        let open = |place: &&Place| if any_hears { place.hearing } else { !place.hidden };
        let takes = |place: &&Place| place.kinds == 0 || place.kinds >> kind & 1 == 1;
        let of_seats = self.rules.places.iter().filter(open).filter(takes).map(|place| place.def).filter(|def| self.is_of_seat(*def));
        let found: Vec<DefId> = of_seats.collect();
        // Its place may be one that failed to parse.
        if found.is_empty() && !self.rules.defs.has_suspects() {
            self.report(RuleProblem::NoPlaceForKind.at(span));
        }
        found
    }

    /// Checks a set of players, such as `players where passed` or `other players with fewer wisp`. `candidate` is the name of one of them in
    /// the condition, if it has one: a condition that says the name is about the current player, and any other about each of them.
    pub(super) fn check_players(&mut self, players: &ast::Players, candidate: Option<BindingId>) -> Seats {
        let filter = match &players.which {
            PlayersWhich::Any => SeatFilter::All,
            PlayersWhich::Where(condition) => {
                let condition = self.check_expr(condition, &[Type::Truth]);
                match candidate.is_some_and(|candidate| condition.mentions(candidate)) {
                    true => SeatFilter::Named(condition),
                    false => {
                        self.expect_varying(&condition);
                        SeatFilter::Where(condition)
                    }
                }
            }
            PlayersWhich::Fewer(value) => SeatFilter::Compared(Compare::Less, self.check_expr(value, &[Type::Number])),
            PlayersWhich::More(value) => SeatFilter::Compared(Compare::More, self.check_expr(value, &[Type::Number])),
        };
        teams::expect_teams(self, players.teams, players.span);
        Seats { others: players.other, teams: players.teams, filter }
    }

    /// Reports a comparison in the condition on each of several players whose two sides are the same value of the same player.
    fn expect_varying(&mut self, condition: &Expr) {
        if let ExprKind::And { a, b } | ExprKind::Or { a, b } = &condition.kind {
            self.expect_varying(a);
            self.expect_varying(b);
        } else if let ExprKind::Not(inner) = &condition.kind {
            self.expect_varying(inner);
        } else if let ExprKind::Compare { operator, a, b } = &condition.kind
            && let (ExprKind::Variable(a), ExprKind::Variable(b)) = (own_value(a), own_value(b))
            && a == b
            && matches!(self.rules.defs[*a].kind, DefKind::Variable { owner: Owner::Player, .. })
        {
            let always = matches!(operator, Compare::Equal | Compare::AtLeast | Compare::AtMost);
            self.report(RuleProblem::OfTheSamePlayer { always }.at(condition.span));
        }
    }

    /// Whether a place is one that each player has.
    fn is_of_seat(&self, place: DefId) -> bool {
        matches!(self.rules.defs[place].kind, DefKind::Place { of_seat: true, .. })
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
            return self.refuse(RuleProblem::SinglePlayer.at(name.span));
        }
        self.resolve_sort(name, "a pool", |what| matches!(what, DefKind::Pool(_)))
    }

    /// Resolves a deck, or one pile of it: returns the place and the index of the pile, which is the first if none is said. The decks of players are
    /// piles by seat.
    pub(super) fn resolve_deck(&mut self, deck: &ast::Deck) -> Option<(DefId, Expr)> {
        let span = deck.name.span;
        let (owner, name) = self.split_owner_of(&deck.name);
        let place = self.resolve_sort(&name, "a deck", |what| matches!(what, DefKind::Place { shape: PlaceShape::Deck, .. }));
        let pile = deck.index.as_ref().map(|pile| self.check_expr(pile, &[Type::Number]));
        let place = place?;
        let one = || Expr::constant(1, Type::Number, span);
        match (self.is_of_seat(place), pile, owner) {
            (false, _, Some(_)) => self.refuse(RuleProblem::OfNoPlayer { name: name.text }.at(span)),
            (false, pile, None) => Some((place, pile.unwrap_or_else(one))),
            (true, Some(pile), _) => self.refuse(RuleProblem::DeckOfPlayer { deck: name.text }.at(pile.span)),
            (true, None, owner) => {
                let owner = owner.unwrap_or(Expr { kind: ExprKind::Me, ty: Type::Seat, span });
                let seat = Expr { ty: Type::Number, ..owner };
                Some((place, seat.combined(NumberOp::Add, one(), span)))
            }
        }
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

    /// Resolves the name of a grid to the index of the place.
    pub(super) fn resolve_grid(&mut self, name: &Name) -> Option<u16> {
        if boards::refuse_board(self, name) {
            return None;
        }
        let grid = self.resolve_sort(name, "a grid", |what| matches!(what, DefKind::Place { shape: PlaceShape::Grid, .. }));
        grid.map(|grid| self.index(grid))
    }

    /// Resolves a name that must be of some sort; similar names of that sort are suggested.
    pub(super) fn resolve_sort(&mut self, name: &Name, what: &str, fits: fn(&DefKind) -> bool) -> Option<DefId> {
        let found = self.rules.defs.find(Space::Value, &name.text);
        match found.map(|def| &self.rules.defs[def].kind) {
            Some(found_what) if fits(found_what) => found,
            Some(DefKind::Broken) => None,
            _ => {
                let known = self.rules.defs.all().filter(|(_, one)| fits(&one.kind)).map(|(_, one)| one.name.as_str());
                self.report_all(self.rules.defs.missing(&name.text, name.span, what, known));
                None
            }
        }
    }

    /// Resolves tokens: a kind, a sort, a face or a loop variable, and the symbol that they must show.
    pub(super) fn resolve_tokens(&mut self, tokens: &ast::Tokens) -> Tokens {
        let (classes, sort) = self.resolve_token_word(tokens).unwrap_or((0, None));
        let showing = tokens.showing.as_ref().map(|symbol| self.check_symbol(symbol));
        Tokens { classes, sort, showing }
    }

    /// Returns the classes of the tokens that a name stands for, and the sort if that is the value of a loop variable.
    fn resolve_token_word(&mut self, tokens: &ast::Tokens) -> Option<(u64, Option<Expr>)> {
        let (word, span) = (&tokens.name.text, tokens.name.span);
        if let Some((bind, ty)) = self.scope.find(word) {
            let local = self.must_be(Expr { kind: ExprKind::Local(bind), ty, span }, &[Type::Token]);
            return Some((u64::MAX, Some(local)));
        }
        let kind = self.rules.defs.token_kind(word);
        let Some(sorts) = kind.or_else(|| self.rules.defs.token(word).map(|sort| 1 << sort)) else {
            self.report_unknown(word, span, "a token", &[Space::Token, Space::TokenKind]);
            return None;
        };
        let face = tokens.face.as_ref().filter(|_| kind.is_none());
        let key = face.map(|face| format!("{word}:{}", face.text));
        let is_meant = |class: &TokenClass| sorts >> class.token & 1 == 1 && key.as_ref().is_none_or(|key| class.key == *key);
        let classes = self.rules.classes.iter().enumerate().take(MAX_TOKEN_CLASSES);
        let classes = classes.filter(|(_, class)| is_meant(class)).fold(0, |mask, (class, _)| mask | 1 << class);
        if let Some(face) = face.filter(|_| classes == 0) {
            let prefix = format!("{word}:");
            let faces = self.rules.classes.iter().filter_map(|class| class.key.strip_prefix(&prefix));
            self.report_all(self.rules.defs.missing(&face.text, face.span, "a face of this token", faces));
        }
        Some((classes, None))
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
        let defs = &self.rules.defs;
        if let [name] = names {
            let all = |count: usize, ty: Type| ((0..cast::fit::<i32>(count)).collect(), ty);
            if let Some(sorts) = defs.token_kind(&name.text) {
                return ((0..64).filter(|sort| sorts >> sort & 1 == 1).collect(), Type::Token);
            } else if let Some(list) = defs.word_list(&name.text) {
                return all(defs.lists[list as usize].len(), Type::Choice(list));
            } else if name.text == ALL_RESOURCES {
                return all(defs.resources().len(), Type::Resource);
            } else if name.text == ALL_SYMBOLS {
                let count = defs.names(Space::Symbol).count();
                if count == 0 {
                    self.report(RuleProblem::NoSymbols.at(name.span));
                }
                return all(count, Type::Symbol);
            }
        }
        let first = names.first().map(|first| first.text.as_str()).filter(|first| defs.resource(first).is_none());
        let list = first.and_then(|first| defs.declared_word(first)).map(|(list, _)| list);
        let are_declared = list.is_some_and(|list| names.iter().all(|name| defs.word_in(list, &name.text).is_some()));
        if !are_declared && first.is_some_and(|first| defs.symbol(first).is_some()) {
            let unknown = |checker: &mut Self, name: &Name| checker.report_unknown(&name.text, name.span, "a symbol", &[Space::Symbol]);
            return (self.resolve_each(names, |defs, name| defs.symbol(name).map(i32::from), unknown), Type::Symbol);
        }
        if let Some(list) = list {
            let unknown = |checker: &mut Self, name: &Name| {
                let defs = &checker.rules.defs;
                checker.report_all(defs.missing(&name.text, name.span, "one of these words", defs.words_in(list)));
            };
            let word = |defs: &Definitions, name: &str| defs.word_in(list, name).map(cast::fit::<i32>);
            return (self.resolve_each(names, word, unknown), Type::Choice(list));
        }
        (self.resolve_resource_list(names).into_iter().map(i32::from).collect(), Type::Resource)
    }

    /// Resolves a list of resources.
    pub(super) fn resolve_resource_list(&mut self, names: &[Name]) -> Vec<u16> {
        self.resolve_each(names, |defs, name| defs.resource(name), Self::report_unknown_resource)
    }

    /// Resolves names, of which those that are unknown are reported.
    fn resolve_each<T>(
        &mut self,
        names: &[Name],
        find: impl Fn(&Definitions, &str) -> Option<T>,
        report: impl Fn(&mut Self, &Name),
    ) -> Vec<T> {
        let resolve = |name: &Name| {
            let found = find(&self.rules.defs, &name.text);
            if found.is_none() {
                report(self, name);
            }
            found
        };
        names.iter().filter_map(resolve).collect()
    }

    /// Reports an unknown resource.
    pub(super) fn report_unknown_resource(&mut self, name: &Name) {
        self.report_all(self.rules.defs.missing(&name.text, name.span, "a resource", self.rules.defs.resources()));
    }

    /// Checks the keys of an ordering: `height, then moss, then order`.
    pub(super) fn check_order_keys(&mut self, keys: &[ast::OrderKey]) -> Vec<Key> {
        let key = |key: &ast::OrderKey| match key {
            ast::OrderKey::Present(_) => Key::Present,
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
                    matches!(self.rules.defs[def].kind, DefKind::Variable { sort: VariableSort::Counter, over: Some(Type::Seat), .. });
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

    /// Splits the player from a name that begins with one.
    pub(super) fn split_owner_of(&mut self, name: &Name) -> (Option<Expr>, Name) {
        match self.split_owner(&name.text, name.span) {
            Some((player, rest)) => (Some(player), rest_of_name(name, rest)),
            None => (None, name.clone()),
        }
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
            DefKind::Zone(places) => places.iter().any(|place| self.is_of_seat(*place)),
            DefKind::Option(option) => option.each_player,
            DefKind::Quantity { .. } | DefKind::Define | DefKind::Condition | DefKind::Standing | DefKind::Pool(_) => true,
            DefKind::Constant | DefKind::Kind(_) | DefKind::Field(_) | DefKind::Symbol(_) | DefKind::Token(_) => false,
            DefKind::TokenKind(_) | DefKind::RowWord(_) | DefKind::Rank(_) | DefKind::Effect(_) | DefKind::Moment(_) => false,
            DefKind::Purse | DefKind::Loss(_) | DefKind::Action | DefKind::Phase | DefKind::Step | DefKind::Card(_) | DefKind::Words(_) => {
                false
            }
            DefKind::Broken => false,
        });
        of_players && !of_cards && first != "kind"
    }

    /// Resolves the name of a place, perhaps of a certain player: `yard`, `target.yard`.
    pub(super) fn resolve_owned_place(&mut self, name: &Name) -> Option<(Option<Expr>, DefId)> {
        let seat = split_seat_prefix(&name.text).filter(|_| self.open.is_some());
        let (player, rest) = match (self.split_owner(&name.text, name.span), seat) {
            (Some(owned), _) => owned,
            (None, Some((seat, rest))) => {
                let player = self.check_seat(seat, name.span).then(|| seat_expr(seat, name.span));
                (player?, rest)
            }
            (None, None) => return Some((None, self.resolve_place(name)?)),
        };
        let name = rest_of_name(name, rest);
        let place = self.resolve_place(&name)?;
        if !self.is_of_seat(place) {
            return self.refuse(RuleProblem::OfNoPlayer { name: name.text.clone() }.at(name.span));
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
            return self.refuse(RuleProblem::OfNoPlayer { name: word.clone() }.at(span));
        }
        match sort {
            VariableSort::Counter | VariableSort::Flag => {
                Some((Target::OfPlayer { player, variable, index: None }, self.type_of_counter(variable)))
            }
            VariableSort::Resource => {
                let player = whole.split('.').next().unwrap_or(whole).to_string();
                self.refuse(RuleProblem::ResourceOfPlayer { player, name: word.clone() }.at(span))
            }
            VariableSort::Set | VariableSort::Tally => {
                self.refuse(RuleProblem::SeveralValues { name: word.clone(), write: Some(format!("write `{whole}[…]`")) }.at(span))
            }
        }
    }

    /// Checks what stands for cards and is one card, which is to be shown or taken out of the game.
    pub(super) fn check_one_card(&mut self, cards: &ast::Cards) -> Option<Expr> {
        if let Some(more) = cards.filter.as_ref().map(|more| more.span).or(cards.with.as_ref().map(|with| with.span)) {
            self.report(RuleProblem::OneCard { name: cards.name.text.clone() }.at(more));
        }
        let card = self.resolve_card(&cards.name.text, cards.name.span)?;
        boards::expect_movable(self, &card);
        Some(card)
    }

    /// Checks `show CARDS to …`: cards of some place, or a single card; to all players, to all others, or to one.
    pub(super) fn check_show(&mut self, cards: &ast::Cards, to: ShownTo) -> Option<StmtKind> {
        if let Some(value) = showing::shown_value(self, cards) {
            return showing::check_show_value(self, cards, value, to);
        }
        if let Some(field) = showing::shown_field(self, cards) {
            return showing::check_show_part(self, &field, to);
        }
        if self.scope.find(&cards.name.text).is_some() && cards.whose == Whose::Unsaid {
            return Some(one_card::show_card(self.check_one_card(cards)?, to));
        }
        let bind = self.bind("card", Type::Card);
        let span = cards.span;
        let cards = self.check_cards(cards, "card", bind)?;
        boards::expect_no_board(self, &cards, span);
        Some(StmtKind::Show { cards, to })
    }
}

/// Creates the expression for a neighbour of the current player.
fn neighbour(who: Neighbour, span: Span) -> Expr {
    Expr { kind: ExprKind::Me, ty: Type::Seat, span }.of_neighbour(who, span)
}

/// Returns what a value in the condition on a player is of that player: `me.at` is `at`.
fn own_value(expr: &Expr) -> &ExprKind {
    if let ExprKind::Of { seat, body } = &expr.kind
        && seat.kind == ExprKind::Me
    {
        return own_value(body);
    }
    &expr.kind
}
