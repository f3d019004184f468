//! Expressions: operators, comparisons, and phrases.

use super::super::defs::{DefId, DefKind, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, BinaryOp, ExprKind as Ast, Name};
use super::super::typed::{Body, ByTable, Cards, Expr, ExprKind, Fold, SpaceFold};
use super::names::{rest_of_name, seat_expr, split_seat_prefix};
use super::{Checker, best, bills, boards, decks, named, parts, showing, tables, ways};
use crate::cast;
use crate::engine::graph::{Expr as GraphExpr, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::source::Span;

impl Checker<'_> {
    /// Checks an expression that must have one of the types in `wanted`.
    pub fn check_expr(&mut self, expr: &ast::Expr, wanted: &[Type]) -> Expr {
        let found = self.infer(expr, wanted.first().copied());
        self.must_be(found, wanted)
    }

    /// Checks expressions that must be numbers.
    pub(super) fn check_numbers<const N: usize>(&mut self, numbers: [&ast::Expr; N]) -> [Expr; N] {
        numbers.map(|number| self.check_expr(number, &[Type::Number]))
    }

    /// Checks a condition, and warns if it is constant.
    pub(super) fn check_condition(&mut self, condition: &ast::Expr) -> Expr {
        let condition = self.check_expr(condition, &[Type::Truth]);
        self.warn_if_constant(&condition, "this condition");
        condition
    }

    /// Reports an expression that has none of the wanted types, and returns a poisoned one.
    pub(super) fn must_be(&mut self, found: Expr, wanted: &[Type]) -> Expr {
        if self.types.fits(found.ty, wanted, found.span) {
            return Expr { ty: self.types.resolve(found.ty), ..found };
        }
        if found.kind != ExprKind::Poisoned {
            self.report(self.types.mismatch(found.ty, wanted, found.span).at(found.span));
        }
        Expr::poisoned(wanted.first().copied().unwrap_or(Type::Number), found.span)
    }

    /// Checks an expression of any type. `hint` is the type wanted, which decides between the meanings of a word.
    pub fn infer(&mut self, expr: &ast::Expr, hint: Option<Type>) -> Expr {
        let span = expr.span;
        let truth = |kind| Expr::truth(kind, span);
        let number = |kind| Expr::number(kind, span);
        let constant = |value| Expr::constant(value, Type::Number, span);
        match &*expr.kind {
            Ast::Number { thousandths, decimal: true } => Expr::constant(*thousandths, Type::Thousandths, span),
            Ast::Number { thousandths, decimal: false } => constant(thousandths / 1000),
            Ast::Truth(value) => Expr::constant(i64::from(*value), Type::Truth, span),
            Ast::Quoted(quoted) => self.check_quoted(quoted),
            Ast::Name(name) => self.resolve_name(name, hint),
            Ast::Words(words) => self.check_words(words, span),
            Ast::Ranked { rank, by } => {
                let by = self.infer(by, Some(Type::Number));
                self.rank_expr(rank, by, span)
            }
            Ast::Call { name, args } => self.check_call(name, args, span),
            Ast::Item { name, index } => self.check_item(name, index, span),
            Ast::Member { of, member } => self.check_member(of, member, span),
            Ast::Not(inner) => self.check_expr(inner, &[Type::Truth]).not(span),
            Ast::Minus(inner) => {
                let inner = self.check_expr(inner, &[Type::Number, Type::Thousandths]);
                Expr::constant(0, inner.ty, span).combined(NumberOp::Sub, inner, span)
            }
            Ast::Binary { op, left, right } => self.check_binary(*op, left, right, span),
            Ast::Is { left, not, right } => {
                let found = self.check_is(left, right, span);
                self.negated(*not, found)
            }
            Ast::NextTo { left, not, to } => {
                let operator = if *not { Compare::Unequal } else { Compare::Equal };
                self.check_distance(left, to, span).compared(operator, constant(1), span)
            }
            Ast::Remainder { of, by } => self.check_arithmetic(NumberOp::Remainder, of, by, span),
            Ast::Distance { from, to, over: Some(over) } => ways::check_distance_over(self, (from, to), over, span),
            Ast::Distance { from, to, over: None } => self.check_distance(from, to, span),
            Ast::IsThere { left, not } => {
                let card = self.infer(left, Some(Type::Card));
                if let (Type::Seat, Ast::Name(name)) = (self.types.resolve(card.ty), &*left.kind) {
                    return self.report_poisoned(RuleProblem::PlayerIsThere { player: name.text.clone() }, left.span);
                }
                let card = if let Type::Open(_) = self.types.resolve(card.ty) {
                    // Only further uses say whether a parameter is a card or a space.
                    self.asked_to_be_there.push((card.ty, card.span));
                    card
                } else {
                    self.must_be(card, &[Type::Card])
                };
                self.negated(*not, card.compared(Compare::AtLeast, Expr::constant(0, Type::Card, span), span))
            }
            Ast::InRange { left, from, to } => {
                let [left, from, to] = self.check_numbers([left, from, to]);
                let low = left.clone().compared(Compare::AtLeast, from, span);
                low.and(left.compared(Compare::AtMost, to, span), span)
            }
            Ast::In { left, my, name } => self.check_membership(left, *my, name, span),
            Ast::If { condition, yes, no } => {
                let condition = self.check_expr(condition, &[Type::Truth]);
                let yes = self.infer(yes, hint);
                let no = self.infer(no, hint.or(Some(yes.ty)));
                let (yes, no) = self.same_scale(yes, no);
                if !self.types.unify(no.ty, yes.ty, no.span) {
                    let (one, other) = (self.types.resolve(yes.ty).words(), self.types.resolve(no.ty).words());
                    return self.report_poisoned(RuleProblem::SidesDiffer { one, other }, span);
                }
                Expr { ty: yes.ty, kind: ExprKind::If { condition: Box::new(condition), yes: Box::new(yes), no: Box::new(no) }, span }
            }
            Ast::By { over, entries } => self.check_by_table(over, entries, span, hint),
            Ast::PileCount(deck) => decks::check_pile(self, deck, span),
            Ast::PileAny(deck) | Ast::PileNone(deck) => {
                let operator = if let Ast::PileAny(_) = &*expr.kind { Compare::Unequal } else { Compare::Equal };
                decks::check_pile(self, deck, span).compared(operator, constant(0), span)
            }
            Ast::NoneIn(name) => match self.resolve_owned_place(name) {
                Some((None, place)) => truth(ExprKind::NoneIn(place)),
                Some((Some(player), place)) => truth(ExprKind::NoneIn(place)).of_player(player, span),
                None => Expr::poisoned(Type::Truth, span),
            },
            Ast::FirstRound => number(ExprKind::Round).compared(Compare::Equal, constant(1), span),
            Ast::LastOf(name) => self.check_last_of(name, span),
            Ast::AllKnow(value) => showing::check_all_know(self, value, span),
            Ast::NextPlayer { filter } => named::check_next_player(self, filter.as_ref(), span),
            Ast::CountPlayers(players) => {
                let seats = self.check_players(players, None);
                number(ExprKind::OverSeats { fold: Fold::Count, seats: Box::new(seats), each: None })
            }
            Ast::AnyPlayers(players) => {
                let seats = self.check_players(players, None);
                truth(ExprKind::OverSeats { fold: Fold::Any, seats: Box::new(seats), each: None })
            }
            Ast::OverPlayers { fold, each, of } => {
                let seats = self.check_players(of, None);
                let each = self.check_expr(each, &[Type::Number, Type::Thousandths]);
                Expr { ty: each.ty, kind: ExprKind::OverSeats { fold: *fold, seats: Box::new(seats), each: Some(Box::new(each)) }, span }
            }
            Ast::CountCards(cards) => match self.check_length(cards) {
                Some(length) => length,
                None => self.check_over_cards(Fold::Count, None, (None, cards), span),
            },
            Ast::AnyCards(cards) => self.check_over_cards(Fold::Any, None, (None, cards), span),
            Ast::OverCards { fold, each, of } => self.check_over_cards(*fold, Some(each), (None, of), span),
            Ast::FirstCard(of) | Ast::TopCard(of) | Ast::BottomCard(of) | Ast::BestCard { of, .. } => {
                best::check_card_of(self, &expr.kind, of, span)
            }
            Ast::CardOfPart(space) => parts::check_card_of(self, space, span),
            Ast::OpenEnds(space) => parts::check_open_ends(self, space, span),
            Ast::Fits { card, board, at, turned } => parts::check_fits(self, (card, board), (at, turned.as_ref()), span),
            Ast::SpaceAt { board, row, column } => boards::check_space_at(self, board, (row, column), span),
            Ast::LongestLine(of) => boards::check_over_spaces(self, SpaceFold::LongestLine, of, span),
            Ast::LargestGroup(of) => boards::check_over_spaces(self, SpaceFold::LargestGroup, of, span),
            Ast::LongestTrail { by, of } => boards::check_longest_trail(self, by.as_ref(), of, span),
            Ast::RandomCard(_) => match self.random_card {
                Some((known, bind)) if known == span => Expr { kind: ExprKind::Local(bind), ty: Type::Card, span },
                _ => self.report_poisoned(RuleProblem::ChanceInValue, span),
            },
            Ast::SumOfBest { lowest, count, sum } => best::check_sum_of_best(self, *lowest, count, &ast::Expr { kind: sum.clone(), span }),
            Ast::OverNamed { fold, each, of } => named::check_over_named(self, *fold, each.as_ref(), of, span),
            Ast::FirstOf { count, list } => {
                let count = self.check_expr(count, &[Type::Number]);
                match self.resolve_list(list) {
                    Some((_, words)) if matches!(self.rules.defs[words].kind, DefKind::Field(holds) if holds.lists_words()) => {
                        let what = "a printed list of numbers".to_string();
                        let help = Some("words are not added up: read one, as in `card.NAME[0]`");
                        self.report_poisoned(RuleProblem::Expected { what, help }, list.span)
                    }
                    Some((card, list)) => number(ExprKind::ListFirst { card: Box::new(card), list, count: Box::new(count) }),
                    None => Expr::poisoned(Type::Number, span),
                }
            }
            Ast::Row(card) => self.check_in_grid(card, (true, span), ExprKind::Row),
            Ast::Column(card) => self.check_in_grid(card, (true, span), ExprKind::Column),
            Ast::CardsBelow(card) => {
                let card = self.check_expr(card, &[Type::Card]);
                number(ExprKind::node([card], vec![], |[card]| GraphExpr::CardsBelow { card }))
            }
            Ast::Amount(resource) => {
                let resource = self.check_resource(resource);
                number(ExprKind::Amount(Box::new(resource)))
            }
            Ast::Lacking { price, from } => bills::check_lacking(self, price, from, span),
            Ast::Shown { symbol, pool } => {
                let symbol = self.check_symbol(symbol);
                self.pool_expr(pool, span, |def, pool| ExprKind::node([symbol], vec![def], |[symbol]| GraphExpr::ShownIn { symbol, pool }))
            }
            Ast::Payable { symbol, pool } => {
                let symbol = self.check_symbol(symbol);
                self.pool_expr(pool, span, |def, pool| ExprKind::node([symbol], vec![def], |[symbol]| GraphExpr::Payable { symbol, pool }))
            }
            Ast::SortsIn { pool } => {
                self.pool_expr(pool, span, |def, pool| ExprKind::node([], vec![def], |[]| GraphExpr::SortsIn { pool }))
            }
            Ast::NumberOf { tokens, pool } => {
                let tokens = self.resolve_tokens(tokens);
                self.pool_expr(pool, span, |pool, _| ExprKind::CountTokens { tokens: Box::new(tokens), pool })
            }
        }
    }

    fn check_quoted(&mut self, quoted: &ast::Quoted) -> Expr {
        let (text, span) = (&quoted.text, quoted.span);
        match self.rules.defs.find(Space::Value, text).map(|def| (def, &self.rules.defs[def].kind)) {
            Some((def, DefKind::Condition)) => {
                self.record_mention(def, [None; 2]);
                Expr::truth(ExprKind::Named(def), span)
            }
            Some((_, DefKind::Broken)) => Expr::poisoned(Type::Truth, span),
            _ if self.rules.defs.is_suspect(text) => Expr::poisoned(Type::Truth, span),
            _ => self.unknown_condition(text, span),
        }
    }

    fn negated(&self, not: bool, found: Expr) -> Expr {
        let span = found.span;
        if not { found.not(span) } else { found }
    }

    // ------------------------------------------------------------------ operators

    fn check_binary(&mut self, op: BinaryOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let compare = match op {
            BinaryOp::Or | BinaryOp::And => {
                let (left, right) = (self.check_expr(left, &[Type::Truth]), self.check_expr(right, &[Type::Truth]));
                return if op == BinaryOp::Or { left.or(right, span) } else { left.and(right, span) };
            }
            BinaryOp::Add => return self.check_arithmetic(NumberOp::Add, left, right, span),
            BinaryOp::Sub => return self.check_arithmetic(NumberOp::Sub, left, right, span),
            BinaryOp::Mul => return self.check_arithmetic(NumberOp::Mul, left, right, span),
            BinaryOp::Div => return self.check_arithmetic(NumberOp::Div, left, right, span),
            BinaryOp::Equal => Compare::Equal,
            BinaryOp::NotEqual => Compare::Unequal,
            BinaryOp::Less => Compare::Less,
            BinaryOp::AtMost => Compare::AtMost,
            BinaryOp::More => Compare::More,
            BinaryOp::AtLeast => Compare::AtLeast,
        };
        let left = self.infer(left, None);
        let right = self.infer(right, Some(left.ty));
        let (left, right) = self.same_scale(left, right);
        if !self.types.unify(right.ty, left.ty, right.span) {
            let (one, other) = (self.types.resolve(left.ty).words(), self.types.resolve(right.ty).words());
            let sides = [(&left, &right), (&right, &left)];
            let place = sides.into_iter().find_map(|(side, with)| {
                let ExprKind::FirstIn(place) = side.kind else { return None };
                (self.types.resolve(with.ty) == Type::Number).then(|| self.rules.defs[place].name.clone())
            });
            let is_flag = |side: &Expr| matches!(side.kind, ExprKind::Const(0 | 1));
            let way_out = match (self.types.resolve(left.ty), self.types.resolve(right.ty)) {
                (Type::Truth, Type::Number) if is_flag(&right) => Some("what holds or not is not compared: write it alone, or `not` ahead"),
                (Type::Truth, Type::Number) | (Type::Number, Type::Truth) => {
                    Some("put brackets around what is compared: `(longest line of … where …) >= 3`")
                }
                _ => None,
            };
            return self.report_poisoned(RuleProblem::NotComparable { one, other, place, way_out }, span);
        }
        left.compared(compare, right, span)
    }

    fn check_arithmetic(&mut self, operator: NumberOp, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let wanted = [Type::Number, Type::Thousandths];
        let (left, right) = (self.check_expr(left, &wanted), self.check_expr(right, &wanted));
        let thousand = Expr::constant(1000, Type::Number, span);
        match (operator, left.ty, right.ty) {
            (NumberOp::Mul, Type::Thousandths, Type::Thousandths) => {
                left.combined(NumberOp::Mul, right, span).combined(NumberOp::Div, thousand, span)
            }
            (NumberOp::Mul, a, b) => {
                let ty = if a == Type::Thousandths || b == Type::Thousandths { Type::Thousandths } else { Type::Number };
                Expr { ty, ..left.combined(NumberOp::Mul, right, span) }
            }
            (NumberOp::Div, _, Type::Thousandths) => {
                self.to_fixed_point(left).combined(NumberOp::Mul, thousand, span).combined(NumberOp::Div, right, span)
            }
            (NumberOp::Div, ..) => left.combined(NumberOp::Div, right, span),
            _ => {
                let (left, right) = self.same_scale(left, right);
                left.combined(operator, right, span)
            }
        }
    }

    /// Converts two numbers to the same scale: if one of them is in thousandths, the other one is converted to thousandths too.
    pub(super) fn same_scale(&mut self, left: Expr, right: Expr) -> (Expr, Expr) {
        match (self.types.resolve(left.ty), self.types.resolve(right.ty)) {
            (Type::Thousandths, Type::Number) => (left, self.to_fixed_point(right)),
            (Type::Number, Type::Thousandths) => (self.to_fixed_point(left), right),
            _ => (left, right),
        }
    }

    /// Converts a number to fixed-point thousandths.
    pub(super) fn to_fixed_point(&self, value: Expr) -> Expr {
        if self.types.resolve(value.ty) == Type::Thousandths {
            return value;
        }
        let span = value.span;
        Expr { ty: Type::Thousandths, ..value.combined(NumberOp::Mul, Expr::constant(1000, Type::Number, span), span) }
    }

    // ------------------------------------------------------------------ is, in

    /// Checks `A is B`, which compares a card with a kind, or two words.
    fn check_is(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Expr {
        let left = self.infer(left, None);
        if let Ast::Name(word) = &*right.kind
            && self.scope.find(&word.text).is_none()
        {
            let known = self.types.resolve(left.ty);
            let is_open = matches!(known, Type::Open(_));
            if (known.is_piece() || is_open)
                && let Some(kind) = self.rules.defs.kind(&word.text)
            {
                let left = self.must_be(left, &[Type::Card]);
                return Expr::truth(ExprKind::IsKind { card: Box::new(left), kind }, span);
            }
            if known == Type::Card
                && self.open.is_some()
                && let Some(card) = self.rules.defs.find(Space::Card, &word.text)
            {
                return Expr::truth(ExprKind::IsCard { card: Box::new(left), definition: card }, span);
            }
            if let Type::Choice(list) = known
                && self.resolve_word(&word.text, word.span, known).is_none()
            {
                let defs = &self.rules.defs;
                self.report_all(defs.missing(&word.text, word.span, "one of its values", defs.words_in(list)));
                return Expr::poisoned(Type::Truth, span);
            }
            if is_open && let Some(found) = self.resolve_word(&word.text, word.span, Type::RowWord) {
                return self.must_be(left, &[found.ty]).compared(Compare::Equal, found, span);
            }
        }
        let right = self.infer(right, Some(left.ty));
        if !self.types.unify(right.ty, left.ty, right.span) {
            let (one, other) = (self.types.resolve(left.ty).words(), self.types.resolve(right.ty).words());
            self.report(RuleProblem::NeverIs { one, other }.at(right.span));
            return self.poisoned(span);
        }
        left.compared(Compare::Equal, right, span)
    }

    /// Checks `A in yard`, `A in my yard` or `A in short`: whether a card is in a place, or a word in a set.
    fn check_membership(&mut self, left: &ast::Expr, my: bool, name: &Name, span: Span) -> Expr {
        let (seat, name) = match split_seat_prefix(&name.text) {
            Some((seat, rest)) if self.rules.defs.find(Space::Value, &name.text).is_none() => {
                if !self.check_seat(seat, name.span) {
                    return Expr::poisoned(Type::Truth, span);
                }
                (Some(seat), rest_of_name(name, rest))
            }
            _ => (None, name.clone()),
        };
        let (player, name) = match self.split_owner(&name.text, name.span) {
            Some((player, rest)) if seat.is_none() => (Some(player), rest_of_name(&name, rest)),
            _ => (seat.map(|seat| seat_expr(seat, span)), name),
        };
        let truth = |kind| Expr::truth(kind, span);
        if let Some(places) = self.rules.defs.places_named(&name.text) {
            if let Some(found) = self.test_copy_in(left, &places, seat, span) {
                return found;
            }
            let card = self.check_expr(left, &[Type::Card]);
            let mask = places.iter().fold(0, |mask, &place| mask | 1 << self.rules.defs[place].kind.index());
            let inside = truth(ExprKind::node([card.clone()], places, |[card]| GraphExpr::InPlaces { card, places: mask }));
            let who = match player {
                Some(player) => player,
                None if my => Expr { kind: ExprKind::Me, ty: Type::Seat, span },
                None => return inside,
            };
            let owner = Expr { kind: ExprKind::node([card], Vec::new(), |[card]| GraphExpr::OwnerOf { card }), ty: Type::Seat, span };
            return inside.and(owner.compared(Compare::Equal, who, span), span);
        }
        if let Some(found) = boards::check_in_set_on_card(self, left, &name, span) {
            return found;
        }
        let set = self.rules.defs.find(Space::Value, &name.text);
        match set.map(|def| (def, self.rules.defs.words_of(def), &self.rules.defs[def].kind)) {
            Some((set, Some((VariableSort::Set, over)), _)) => {
                let word = self.check_expr(left, &[over]);
                match player {
                    Some(player) => self.test_in_set_of(&player, set, over, word, span),
                    None => truth(ExprKind::InSet { set, word: Box::new(word) }),
                }
            }
            Some((_, _, DefKind::Broken)) => Expr::poisoned(Type::Truth, span),
            Some((option, _, DefKind::Option(what))) if !what.each_player && !what.numeric => {
                let wanted = Type::Choice(what.list);
                let value = self.check_expr(left, &[wanted]);
                truth(ExprKind::AmongChosen { option, value: Box::new(value) })
            }
            Some((_, _, other)) => {
                self.report(RuleProblem::ContainsNothing { name: name.text, what: other.describe() }.at(name.span));
                self.poisoned(span)
            }
            None => {
                self.report_unknown(&name.text, name.span, "a place, a zone or a set", &[Space::Value]);
                Expr::poisoned(Type::Truth, span)
            }
        }
    }

    /// Builds the test whether some copy of a card, named by its id, lies in one of the places; `None` if `left` names no card.
    fn test_copy_in(&mut self, left: &ast::Expr, places: &[DefId], seat: Option<usize>, span: Span) -> Option<Expr> {
        let Ast::Name(word) = &*left.kind else { return None };
        let card = self.rules.defs.find(Space::Card, &word.text)?;
        if self.open.is_none() || self.scope.find(&word.text).is_some() || self.rules.defs.find(Space::Value, &word.text).is_some() {
            return None;
        }
        let kept = self.scope.bound.len();
        let bind = self.bind("", Type::Card);
        self.scope.bound.truncate(kept);
        let copy = Expr { kind: ExprKind::Local(bind), ty: Type::Card, span };
        let filter = Some(Expr::truth(ExprKind::IsCard { card: Box::new(copy), definition: card }, span));
        let cards = Cards { places: places.to_vec(), everybody: seat.is_none(), bind, filter, ..Cards::default() };
        let any = Expr::truth(ExprKind::OverCards { fold: Fold::Any, cards: Box::new(cards), each: None }, span);
        Some(match seat {
            Some(seat) => any.of_player(seat_expr(seat, span), span),
            None => any,
        })
    }

    /// Builds the test whether a word is in another player's set. The word is evaluated for the current player and the set for the other
    /// one, so the test is expanded: for each possible word, it is that word and the set contains it.
    fn test_in_set_of(&mut self, player: &Expr, set: DefId, over: Type, word: Expr, span: Span) -> Expr {
        let mut any = Expr::constant(0, Type::Truth, span);
        for index in 0..cast::count(self.rules.count_words(over)) {
            let one = Expr::constant(index, over, span);
            let is = word.clone().compared(Compare::Equal, one.clone(), span);
            let has = Expr::truth(ExprKind::InSet { set, word: Box::new(one) }, span).of_player(player.clone(), span);
            any = any.or(is.and(has, span), span);
        }
        any
    }

    // ------------------------------------------------------------------ phrases

    /// Checks a table of values, such as `by players { 2: 4, else: 5 }` or `by OPTION { … }`.
    fn check_by_table(&mut self, over: &Name, entries: &ast::Block<ast::Entry>, span: Span, hint: Option<Type>) -> Expr {
        let option = match self.rules.defs.find(Space::Value, &over.text).map(|def| (def, &self.rules.defs[def].kind)) {
            _ if over.text == "players" => None,
            Some((def, DefKind::Option(option))) => Some((def, option.values.clone())),
            Some((_, DefKind::Broken)) => return self.poisoned(span),
            _ if tables::can_be_words(self, over) => return tables::check_table_of_words(self, over, entries, span, hint),
            _ => return self.unknown_poisoned(over, "an option, `players`, a number, or what is one of several words", Space::Value, span),
        };
        let mut table = ByTable { entries: Vec::new(), otherwise: None };
        let mut ty: Option<Type> = None;
        for entry in &entries.items {
            for key in entry.keys.iter().filter(|key| key.text != "else") {
                match &option {
                    Some((_, values)) if !values.contains(&key.text) => {
                        let (what, values) = (format!("a value of `{}`", over.text), values.iter().map(String::as_str));
                        self.report_all(self.rules.defs.missing(&key.text, key.span, &what, values));
                    }
                    None if key.text.parse::<u8>().is_err() => {
                        self.report_all(self.rules.defs.missing(&key.text, key.span, "a number of players", ["else"]));
                    }
                    _ => {}
                }
                if table.entries.iter().any(|(known, _)| known.contains(&key.text)) {
                    self.report(RuleProblem::DeclaredTwice { what: format!("the value for `{}`", key.text) }.at(key.span));
                }
            }
            let value = self.check_table_value(&entry.value, hint, &mut ty);
            let (others, keys): (Vec<_>, Vec<_>) = entry.keys.iter().map(|key| key.text.clone()).partition(|key| key == "else");
            if !others.is_empty() {
                table.otherwise = Some(Box::new(value.clone()));
            }
            table.entries.push((keys, value));
        }
        let ty = ty.unwrap_or(Type::Number);
        Expr { kind: ExprKind::By { option: option.map(|(def, _)| def), table }, ty, span }
    }

    /// Checks a value of a table, which must have the type of the first one.
    pub(super) fn check_table_value(&mut self, value: &ast::Expr, hint: Option<Type>, ty: &mut Option<Type>) -> Expr {
        let value = self.infer(value, hint.or(*ty));
        match *ty {
            Some(ty) => self.must_be(value, &[ty]),
            None => {
                *ty = Some(value.ty);
                value
            }
        }
    }

    /// Checks `round is last of age`: whether the definition will have another value in the next round.
    fn check_last_of(&mut self, name: &Name, span: Span) -> Expr {
        let def = self.rules.defs.find(Space::Value, &name.text);
        match def.map(|def| (def, &self.rules.defs[def].kind)) {
            Some((def, DefKind::Define)) => {
                self.record_mention(def, [None; 2]);
                if !self.params_of(def).is_empty() {
                    self.report(RuleProblem::HasParameters { name: name.text.clone() }.at(name.span));
                    return self.poisoned(span);
                }
                if let Some(Body::Value(_, value)) = self.rules.bodies.get(&def) {
                    let (ty, at) = (value.ty, name.span);
                    self.must_be(Expr { kind: ExprKind::Define { definition: def, args: Vec::new() }, ty, span: at }, &[Type::Number]);
                }
                Expr::truth(ExprKind::LastOf(def), span)
            }
            Some((_, DefKind::Broken)) => Expr::poisoned(Type::Truth, span),
            _ => {
                self.report_unknown(&name.text, name.span, "a definition", &[Space::Value]);
                Expr::poisoned(Type::Truth, span)
            }
        }
    }

    /// Checks `count card.sections`: the length of a printed list. `None` if it counts anything else.
    fn check_length(&mut self, cards: &ast::Cards) -> Option<Expr> {
        let (_, member) = cards.name.member()?;
        self.rules.defs.find(Space::List, member)?;
        let (card, list) = self.resolve_list(&cards.name)?;
        Some(Expr::number(ExprKind::ListLen { card: Box::new(card), list }, cards.span))
    }

    /// Checks what asks where a card or space lies; `needs_rows`, in which row or column.
    fn check_in_grid(&mut self, card: &ast::Expr, (needs_rows, span): (bool, Span), make: impl FnOnce(Box<Expr>) -> ExprKind) -> Expr {
        let card = self.infer(card, Some(Type::Card));
        self.lying_in_grid(card, (needs_rows, span), make)
    }

    fn lying_in_grid(&mut self, card: Expr, (needs_rows, span): (bool, Span), make: impl FnOnce(Box<Expr>) -> ExprKind) -> Expr {
        let card = self.must_be(card, &[Type::Card]);
        if let Type::Space(kind) = card.ty
            && let Some(board) = self.rules.board_of_kind(kind)
            && needs_rows
            && !board.shape.has_rows()
        {
            let board = board.name.clone();
            return self.report_poisoned(RuleProblem::NotARowBoard { board }, span);
        }
        let is_grid = |what: &DefKind| matches!(what, DefKind::Place { shape: PlaceShape::Grid | PlaceShape::Board, .. });
        if !self.rules.defs.all().any(|(_, one)| is_grid(&one.kind)) {
            return self.report_poisoned(RuleProblem::NoGrid, span);
        }
        Expr::number(make(Box::new(card)), span)
    }

    /// Checks the distance between two cards, in steps.
    fn check_distance(&mut self, from: &ast::Expr, to: &ast::Expr, span: Span) -> Expr {
        let [to, from] = [to, from].map(|end| self.infer(end, Some(Type::Card)));
        parts::expect_both_parts(self, [&from, &to]);
        let to = self.must_be(to, &[Type::Card]);
        self.lying_in_grid(from, (false, span), |from| ExprKind::Distance { from, to: Box::new(to) })
    }

    /// Builds an expression about a pool, possibly another player's pool.
    fn pool_expr(&mut self, pool: &Name, span: Span, make: impl FnOnce(DefId, u8) -> ExprKind) -> Expr {
        let (player, name) = match split_seat_prefix(&pool.text) {
            Some((seat, rest)) => {
                if !self.check_seat(seat, pool.span) {
                    return Expr::poisoned(Type::Number, span);
                }
                (Some(seat_expr(seat, span)), rest_of_name(pool, rest))
            }
            None => self.split_owner_of(pool),
        };
        let Some(pool) = self.resolve_pool(&name) else { return Expr::poisoned(Type::Number, span) };
        let index = cast::fit::<u8>(self.rules.defs[pool].kind.index());
        let found = Expr::number(make(pool, index), span);
        match player {
            Some(player) => found.of_player(player, span),
            None => found,
        }
    }

    /// Checks what stands for a resource: its name, a loop variable, or a printed value.
    pub(super) fn check_resource(&mut self, resource: &ast::Expr) -> Expr {
        if let Ast::Name(name) = &*resource.kind
            && self.scope.find(&name.text).is_none()
            && !name.text.contains('.')
        {
            if let Some(found) = self.resolve_word(&name.text, name.span, Type::Resource) {
                return found;
            }
            if !self.rules.defs.is_broken(Space::Value, &name.text) {
                self.report_unknown_resource(name);
            }
            return Expr::poisoned(Type::Resource, name.span);
        }
        self.check_expr(resource, &[Type::Resource])
    }

    /// Checks what stands for a symbol on tokens: its name, a loop variable, or an expression in brackets.
    pub(super) fn check_symbol(&mut self, symbol: &ast::Expr) -> Expr {
        if let Ast::Name(name) = &*symbol.kind
            && self.scope.find(&name.text).is_none()
        {
            if let Some(found) = self.resolve_word(&name.text, name.span, Type::Symbol) {
                return found;
            }
            self.report_unknown(&name.text, name.span, "a symbol", &[Space::Symbol]);
            return Expr::poisoned(Type::Symbol, name.span);
        }
        self.check_expr(symbol, &[Type::Symbol])
    }
}
