//! Lowering expressions: each is made in the graph, which folds it; what the choice of players and options never reads is not made.

use super::super::defs::{DefId, DefKind as What, FieldType, Owner};
use super::super::problem::{Bound, Problem};
use super::super::typed::{Binary, Body, ByTable, Expr, ExprKind, Fold};
use super::{Env, Lowerer, MAX_WITHIN, Made};
use crate::cast;
use crate::engine::graph::{Fold as Folded, Two};
use crate::engine::ruleset::{self as engine, CardSet, Compare, NodeId, PlayerSet, Shape, Whose};
use crate::engine::tokens::TokenSet;
use crate::source::Span;
use crate::state::layout::head;

/// The distance of cards of which one lies on no map.
const FAR: i64 = 1000;

impl Lowerer<'_> {
    /// An expression.
    pub fn expr(&mut self, expr: &Expr, env: &mut Env) -> NodeId {
        let free = env.next;
        let bound = env.bound.len();
        if self.within >= MAX_WITHIN {
            self.exhaust(Some(expr.span), Bound::Definitions(MAX_WITHIN));
        }
        if self.exhausted {
            return self.number(0);
        }
        self.within += 1;
        let outside = self.at.replace(expr.span);
        let made = self.expr_in(expr, env);
        self.expect_room(made);
        self.at = outside;
        self.within -= 1;
        env.next = free;
        env.bound.truncate(bound);
        made
    }

    fn expr_in(&mut self, expr: &Expr, env: &mut Env) -> NodeId {
        let tree = self.tree;
        // Parts are lowered from left to right.
        macro_rules! of {
            ($($part:ident),+ => $made:expr) => {{
                $(let $part = self.expr($part, env);)+
                self.make($made)
            }};
        }
        match &expr.kind {
            ExprKind::Const(value) => self.number(*value),
            ExprKind::Local(bind) => match env.find(*bind) {
                Some(to) => to,
                None => self.number(0),
            },
            ExprKind::Me => self.make(Made::Me),
            ExprKind::Round => self.round(env),
            ExprKind::Turn => self.make(Made::Global { cell: cast::fit::<u32>(head::TURN) }),
            ExprKind::Players => self.number(cast::count(self.chosen.players)),
            ExprKind::PlaceInOrder => self.make(Made::PlaceInOrder),
            ExprKind::RoundsLeft => {
                let rounds = match &tree.rounds {
                    Some(rounds) => self.expr(rounds, env),
                    None => self.number(0),
                };
                let round = self.round(env);
                self.two(Two::Sub, rounds, round)
            }
            ExprKind::Score(Some(row)) => match tree.score.get(*row) {
                Some((_, value)) => self.expr(value, env),
                None => self.number(0),
            },
            ExprKind::Score(None) => {
                let mut sum = self.number(0);
                for (_, row) in &tree.score {
                    let row = self.expr(row, env);
                    sum = self.two(Two::Add, sum, row);
                }
                sum
            }
            ExprKind::Variable(def) => {
                let offset = self.slots.offset(*def);
                let of_table = self.slots.get(*def).is_some_and(|slot| slot.owner == Owner::Table);
                self.make(if of_table { Made::Global { cell: offset.into() } } else { Made::Own { offset } })
            }
            ExprKind::TallyItem(def, index) => {
                let (offset, len) = self.row(*def);
                of!(index => Made::OwnAt { offset, len, index })
            }
            ExprKind::Amount(index) => {
                let len = cast::fit::<u16>(self.out.resources.len());
                of!(index => Made::OwnAt { offset: 0, len, index })
            }
            ExprKind::InSet(def, index) => of!(index => Made::OwnBit { offset: self.slots.offset(*def), index }),
            ExprKind::Counter(card, def) => of!(card => Made::Counter { card, offset: cast::fit::<u8>(self.slots.offset(*def)) }),
            ExprKind::Field(card, def) => {
                let card = self.expr(card, env);
                let offset = usize::from(self.slots.offset(*def));
                self.out.of_piece(card, 0, |rules, piece| i64::from(rules.printed(piece, offset)))
            }
            ExprKind::FieldItem(card, def, index) => {
                let (field, len) = self.row(*def);
                let is_list = matches!(tree.defs[*def].what, What::Field(FieldType::Numbers | FieldType::Cards));
                of!(card, index => if is_list { Made::ListAt { card, field, index } } else { Made::FieldAt { card, field, len, index } })
            }
            ExprKind::ListLen(card, def) => {
                let card = self.expr(card, env);
                let field = self.slots.offset(*def);
                self.out.of_piece(card, 0, |rules, piece| cast::count(rules.list(cast::count(piece), field).1.len()))
            }
            ExprKind::ListFirst(card, def, count) => {
                of!(card, count => Made::ListFirst { card, field: self.slots.offset(*def), count })
            }
            ExprKind::KindOf(card) => {
                let card = self.expr(card, env);
                self.out.of_piece(card, -1, |rules, piece| i64::from(rules.piece_kind[piece]))
            }
            ExprKind::IsKind(card, kind) => {
                let card = self.expr(card, env);
                self.out.of_piece(card, 0, |rules, piece| i64::from(u16::from(rules.piece_kind[piece]) == *kind))
            }
            ExprKind::InPlaces(card, places) => {
                let places = places.iter().fold(0, |mask, place| mask | 1 << self.index(*place));
                of!(card => Made::InPlaces { card, places })
            }
            ExprKind::FirstIn(place) => {
                let (place, of_each) = self.place(*place);
                self.make(Made::FirstIn { place, of_each })
            }
            ExprKind::NoneIn(place) => {
                let (place, of_each) = self.place(*place);
                let lying = self.make(Made::Lying { place, of_each });
                self.make(Made::Not { a: lying })
            }
            ExprKind::Row(card) => self.in_grids(card, env, |card, grid| Made::Row { card, grid }),
            ExprKind::Column(card) => self.in_grids(card, env, |card, grid| Made::GridColumn { card, grid }),
            ExprKind::Distance(from, to) => self.distance(from, to, env),
            ExprKind::OwnerOf(card) => of!(card => Made::OwnerOf { card }),
            ExprKind::HasAction(card) => {
                let card = self.expr(card, env);
                self.out.of_piece(card, 0, |rules, piece| i64::from(rules.definition(piece).acts))
            }
            ExprKind::IsCard(card, def) => {
                let card = self.expr(card, env);
                self.is_card(card, *def)
            }
            ExprKind::PieceOf(def) => self.piece_of(*def, env, expr.span),
            ExprKind::Not(a) => of!(a => Made::Not { a }),
            ExprKind::Binary(how, a, b) => of!(a, b => match how {
                Binary::Add => Made::Two { how: Two::Add, a, b },
                Binary::Sub => Made::Two { how: Two::Sub, a, b },
                Binary::Mul => Made::Two { how: Two::Mul, a, b },
                Binary::Div => Made::Two { how: Two::Div, a, b },
                Binary::Min => Made::Two { how: Two::Min, a, b },
                Binary::Max => Made::Two { how: Two::Max, a, b },
                Binary::And => Made::And { a, b },
                Binary::Or => Made::Or { a, b },
            }),
            ExprKind::Compare(how, a, b) => of!(a, b => Made::Two { how: Two::Is(*how), a, b }),
            ExprKind::If(condition, yes, no) => {
                let condition = self.expr(condition, env);
                match self.value_of(condition) {
                    Some(0) => self.expr(no, env),
                    Some(_) => self.expr(yes, env),
                    None => of!(yes, no => Made::If { condition, yes, no }),
                }
            }
            ExprKind::OverCards(fold, cards, each) => {
                let mut set = self.card_set(cards, env, expr.span);
                let value = each.as_deref().map(|each| self.expr(each, env));
                match fold {
                    Fold::Count => self.out.fold_cards(Folded::Count, &set, None),
                    Fold::Any => self.out.fold_cards(Folded::Any, &set, None),
                    Fold::Sum | Fold::Highest | Fold::Lowest | Fold::Median => {
                        let one = self.number(1);
                        let value = value.unwrap_or(one);
                        if *fold == Fold::Median {
                            // The lowest that at least half of them do not exceed.
                            let mut others = self.card_set(cards, env, expr.span);
                            let other = each.as_deref().map_or(one, |each| self.expr(each, env));
                            let exceeded = self.two(Two::Is(Compare::AtMost), other, value);
                            self.narrow(&mut others, exceeded);
                            let all = self.card_set(cards, env, expr.span);
                            let [half, all] = [others, all].map(|set| self.out.fold_cards(Folded::Count, &set, None));
                            let twice = self.two(Two::Add, half, half);
                            let enough = self.two(Two::Is(Compare::AtLeast), twice, all);
                            self.narrow(&mut set, enough);
                        }
                        self.out.fold_cards(folded(*fold), &set, Some(value))
                    }
                }
            }
            ExprKind::OverSeats(fold, seats, each) => {
                let mut outside = env.clone();
                let set = self.seats(seats, env, expr.span);
                let value = each.as_deref().map(|each| self.expr(each, env));
                let one = self.number(1);
                let counts = matches!(fold, Fold::Count | Fold::Any);
                let mut all = self.out.fold_seats(folded(*fold), &set, (!counts).then_some(value.unwrap_or(one)));
                for one in if counts { self.rivals_compared(seats, &mut outside) } else { Vec::new() } {
                    all = if *fold == Fold::Any { self.make(Made::Or { a: all, b: one }) } else { self.two(Two::Add, all, one) };
                }
                all
            }
            ExprKind::Quantity(def, args) => {
                let args: Vec<NodeId> = args.iter().map(|arg| self.expr(arg, env)).collect();
                let (quantity, args) = (self.index(*def), [args.first().copied(), args.get(1).copied()]);
                if self.out.graph.ignores_cards {
                    // What a quantity comes to is never settled.
                    return self.make(Made::Quantity { quantity, args });
                }
                if args[0].is_some() {
                    self.quantity(*def);
                }
                self.out.name_quantity(quantity, args)
            }
            ExprKind::Define(def, args) => self.define(*def, args, env),
            ExprKind::Named(def) => self.name(*def, env),
            ExprKind::Option(def) => self.option(*def),
            ExprKind::AmongChosen(def, value) => self.among_chosen(*def, value, env),
            ExprKind::Rank(def, by) => {
                let What::Rank(rank) = tree.defs[*def].what else { return self.number(0) };
                let rank = self.rank_with_rivals(rank, by);
                let none = self.number(0);
                let leaders = self.out.ranks.get(rank as usize).map_or(none, |rank| rank.leaders);
                if env.bound.iter().all(|bound| !self.differs_by_seat(bound.1)) {
                    let by = self.expr(by, env);
                    return self.make(Made::Rank { rank, by, leaders });
                }
                // Players are compared by the arguments of the one who asks: among all players that one, if it is ranked so.
                let local = self.bind(env, super::super::typed::Bind(u32::MAX), expr.span);
                let (me, asker) = (self.make(Made::Me), self.make(Made::Local { local }));
                self.keep_arguments(env, asker);
                let by = self.expr(by, env);
                let (asks, ranked) = (self.two(Two::Is(Compare::Equal), me, asker), self.make(Made::Rank { rank, by, leaders }));
                let filter = Some(self.make(Made::And { a: asks, b: ranked }));
                self.out.fold_seats(Folded::Any, &PlayerSet { others: false, filter, local }, None)
            }
            ExprKind::ByPlayers(table) => {
                let key = self.chosen.players.to_string();
                self.pick(table, &key, env, expr.span)
            }
            ExprKind::ByOption(def, table) => self.by_option(*def, table, env, expr.span),
            ExprKind::LastOf(def) => {
                let now = self.name(*def, env);
                let mut later = self.next_round(env);
                let then = self.name(*def, &mut later);
                self.two(Two::Is(Compare::Unequal), now, then)
            }
            ExprKind::OfNeighbour(who, body) => self.of_neighbour(*who, body, env, expr.span),
            ExprKind::Of(seat, body) => of!(seat, body => Made::Of { seat, body }),
            ExprKind::CountTokens(tokens, pool) => {
                let set = self.tokens(tokens, env);
                let TokenSet { of, showing, .. } = self.out.token_sets[set as usize];
                self.make(Made::CountTokens { set, pool: self.pool(*pool), of, showing })
            }
            ExprKind::Shown(symbol, pool) => of!(symbol => Made::ShownIn { symbol, pool: self.pool(*pool) }),
            ExprKind::Payable(symbol, pool) => of!(symbol => Made::Payable { symbol, pool: self.pool(*pool) }),
            ExprKind::ShownBy(bind, symbol) => {
                let picked = self.make(Made::Local { local: self.local_of(*bind, env) });
                of!(symbol => Made::ShownBy { picked, symbol })
            }
            ExprKind::Poisoned => self.number(0),
        }
    }

    /// An operation on two numbers.
    pub(super) fn two(&mut self, how: Two, a: NodeId, b: NodeId) -> NodeId {
        self.make(Made::Two { how, a, b })
    }

    /// The round that is meant.
    fn round(&mut self, env: &Env) -> NodeId {
        env.round.unwrap_or_else(|| self.make(Made::Global { cell: cast::fit::<u32>(head::ROUND) }))
    }

    /// The number of a place, and whether each seat has one.
    fn place(&self, def: DefId) -> (u16, bool) {
        let place = self.index(def);
        (place, self.out.places.get(place as usize).is_some_and(|place| place.of_seat))
    }

    /// The number of a pool.
    pub(super) fn pool(&self, def: DefId) -> u8 {
        cast::fit::<u8>(self.index(def))
    }

    fn is_card(&mut self, card: NodeId, def: DefId) -> NodeId {
        let definition = u32::from(self.index(def));
        self.out.of_piece(card, 0, |rules, piece| i64::from(rules.piece_definition[piece] == definition))
    }

    /// The same place, in the round that comes next.
    pub fn next_round(&mut self, env: &Env) -> Env {
        let (round, one) = (self.round(env), self.number(1));
        Env { round: Some(self.two(Two::Add, round, one)), ..env.clone() }
    }

    /// The local that a name is bound to.
    pub(super) fn local_of(&self, bind: super::super::typed::Bind, env: &Env) -> u8 {
        env.find(bind).and_then(|to| self.as_local(to)).unwrap_or(0)
    }

    fn row(&self, def: DefId) -> (u16, u16) {
        self.slots.get(def).map_or((0, 0), |slot| (slot.offset, slot.len))
    }

    /// A row or column in whichever grid the card lies: it is 0 in all others.
    fn in_grids(&mut self, card: &Expr, env: &mut Env, make: impl Fn(NodeId, u16) -> Made) -> NodeId {
        let card = self.expr(card, env);
        let is_grid = |place: &u16| matches!(self.out.places[usize::from(*place)].shape, Shape::Grid { .. });
        let grids: Vec<u16> = (0..cast::fit::<u16>(self.out.places.len())).filter(is_grid).collect();
        let mut sum = self.number(0);
        for grid in grids {
            let inside = self.make(make(card, grid));
            sum = self.two(Two::Add, sum, inside);
        }
        sum
    }

    /// The steps between two cards: on a map of hexagons the greatest of the differences along its three lines, on a grid the sum of
    /// those of rows and columns; far away if one of them lies on none. (A. Patel, Hexagonal Grids: axial coordinates.)
    fn distance(&mut self, from: &Expr, to: &Expr, env: &mut Env) -> NodeId {
        let rows = [from, to].map(|card| self.in_grids(card, env, |card, grid| Made::Row { card, grid }));
        let columns = [from, to].map(|card| self.in_grids(card, env, |card, grid| Made::GridColumn { card, grid }));
        let [down, right] = [rows, columns].map(|[a, b]| self.two(Two::Sub, a, b));
        let across = self.two(Two::Add, down, right);
        let [down, right, across] = [down, right, across].map(|steps| {
            let none = self.number(0);
            let back = self.two(Two::Sub, none, steps);
            self.two(Two::Max, steps, back)
        });
        let straight = self.two(Two::Max, down, right);
        let on_map = self.two(Two::Max, straight, across);
        let on_grid = self.two(Two::Add, down, right);
        let places = || self.out.places.iter().enumerate();
        let is = |place: &engine::PlaceDecl, wanted| matches!(place.shape, Shape::Grid { hexes, .. } if hexes == wanted);
        let [maps, grids] =
            [true, false].map(|wanted| places().filter(|(_, place)| is(place, wanted)).fold(0, |mask, (at, _)| mask | 1_u64 << at));
        let [from, to] = [from, to].map(|card| self.expr(card, env));
        let steps = match (maps, grids) {
            (_, 0) => on_map,
            (0, _) => on_grid,
            _ => {
                let condition = self.make(Made::InPlaces { card: from, places: maps });
                self.make(Made::If { condition, yes: on_map, no: on_grid })
            }
        };
        let [a, b] = [from, to].map(|card| self.make(Made::InPlaces { card, places: maps | grids }));
        let (condition, no) = (self.make(Made::And { a, b }), self.number(FAR));
        self.make(Made::If { condition, yes: steps, no })
    }

    /// A piece of a card, wherever it lies: the highest over all places, shifted by 1, so that none stays none.
    fn piece_of(&mut self, def: DefId, env: &mut Env, span: Span) -> NodeId {
        let local = self.bind(env, super::super::typed::Bind(u32::MAX), span);
        let card = self.make(Made::Local { local });
        let filter = Some(self.is_card(card, def));
        let places = (0..cast::fit::<u16>(self.out.places.len())).collect();
        let set = CardSet { places, whose: Whose::All, kinds: 0, rows: 0, local, with: None, filter };
        let one = self.number(1);
        let shifted = self.two(Two::Add, card, one);
        let highest = self.out.fold_cards(Folded::Highest, &set, Some(shifted));
        self.two(Two::Sub, highest, one)
    }

    /// A constant, condition or definition without parameters: the same everywhere, unless another round is meant.
    pub fn name(&mut self, def: DefId, env: &mut Env) -> NodeId {
        match (env.round, self.tree.bodies.get(&def)) {
            (Some(round), Some(Body::Value(_, value))) => {
                let mut there = Env { round: Some(round), ..Env::from(env.next) };
                self.defining(def, |lowerer| lowerer.expr(value, &mut there))
            }
            _ => self.closed(def),
        }
    }

    /// A definition is read where it is named, with its arguments in the place of its parameters.
    fn define(&mut self, def: DefId, args: &[Expr], env: &mut Env) -> NodeId {
        let tree = self.tree;
        let Some(Body::Value(params, value)) = tree.bodies.get(&def) else { return self.number(0) };
        if args.is_empty() {
            return self.name(def, env);
        }
        let mut there = Env { round: env.round, ..Env::from(env.next) };
        for (param, arg) in params.iter().zip(args) {
            let arg = self.expr(arg, env);
            there.bound.push((param.bind, arg));
        }
        self.defining(def, |lowerer| lowerer.expr(value, &mut there))
    }

    fn option(&mut self, def: DefId) -> NodeId {
        let What::Option(option) = &self.tree.defs[def].what else { return self.number(0) };
        if option.each_player {
            return self.make(Made::Own { offset: self.slots.offset(def) });
        }
        let number = super::super::setup::number_of(option, self.chosen.first(def)).unwrap_or(0);
        self.number(number as i64)
    }

    /// Whether a value is among those chosen of an option.
    fn among_chosen(&mut self, def: DefId, value: &Expr, env: &mut Env) -> NodeId {
        let What::Option(option) = &self.tree.defs[def].what else { return self.number(0) };
        let value = self.expr(value, env);
        let chosen = self.chosen.values(def).iter().filter_map(|chosen| super::super::setup::number_of(option, chosen));
        let chosen: Vec<i64> = chosen.map(i64::from).collect();
        let mut found = self.number(0);
        for number in chosen {
            let number = self.number(number);
            let same = self.two(Two::Is(Compare::Equal), value, number);
            found = self.make(Made::Or { a: found, b: same });
        }
        found
    }

    fn missing(&mut self, key: &str, span: Span) -> NodeId {
        self.tell(Problem::NoValueFor { key: key.to_string() }.at(span));
        self.number(0)
    }

    fn pick(&mut self, table: &ByTable, key: &str, env: &mut Env, span: Span) -> NodeId {
        let found = table.entries.iter().find(|entry| entry.0.iter().any(|known| known == key)).map(|entry| &entry.1);
        match found.or(table.otherwise.as_deref()) {
            Some(value) => self.expr(value, env),
            None => self.missing(key, span),
        }
    }

    fn by_option(&mut self, def: DefId, table: &ByTable, env: &mut Env, span: Span) -> NodeId {
        let What::Option(option) = &self.tree.defs[def].what else { return self.number(0) };
        if !option.each_player {
            let key = self.chosen.first(def).to_string();
            return self.pick(table, &key, env, span);
        }
        let values: Vec<NodeId> = option.values.iter().map(|key| self.pick(table, key, env, span)).collect();
        let own = self.make(Made::Own { offset: self.slots.offset(def) });
        if let Some(numbers) = values.iter().map(|&value| self.value_of(value)).collect::<Option<Box<[i64]>>>() {
            return self.out.graph.table(own, &numbers);
        }
        // Values that are worked out: one question after another, which of them it is.
        let mut found = values.last().copied().unwrap_or(own);
        for (index, &value) in values.iter().enumerate().rev().skip(1) {
            let number = super::super::setup::number_of(option, &option.values[index]).unwrap_or(0);
            let number = self.number(i64::from(number));
            let condition = self.two(Two::Is(Compare::Equal), own, number);
            found = self.make(Made::If { condition, yes: value, no: found });
        }
        found
    }
}

/// What a loop makes of what it goes through; of players there is no median.
fn folded(fold: Fold) -> Folded {
    match fold {
        Fold::Sum => Folded::Sum,
        Fold::Highest => Folded::Highest,
        Fold::Lowest | Fold::Median => Folded::Lowest,
        Fold::Count => Folded::Count,
        Fold::Any => Folded::Any,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::graph::{Expr, Fold, Two};
    use crate::engine::ruleset::Compare;
    use crate::sample::{condition, lowered, made};

    #[test]
    fn what_the_choice_settles_is_a_number() {
        for (text, players, wanted) in [
            ("players == 2", 2, 1),
            ("players == 2", 3, 0),
            ("bonus == 2", 3, 1),
            ("side is a", 2, 1),
            ("players == 3 and passed", 2, 0),
            ("players == 2 or passed", 2, 1),
            ("not (2 + 3 * 4 - 1 == 13)", 2, 0),
            ("(if players == 2 then 4 else wisp) == 4", 2, 1),
            ("max(2, 3) == 3 and min(2, 3) == 2", 2, 1),
        ] {
            let (rules, made) = condition(text, players);
            assert_eq!(rules.graph[made], Expr::Const { value: wanted }, "{text}");
        }
    }

    #[test]
    fn what_a_game_can_change_is_left() {
        let (rules, passed) = condition("players == 2 and passed", 2);
        assert!(matches!(rules.graph[passed], Expr::Truth { a } if matches!(rules.graph[a], Expr::Own { .. })));
        assert!(matches!(made("wisp > 2"), Expr::Two { how: Two::Is(Compare::More), .. }));
        assert!(matches!(made("storm in yard"), Expr::InPlaces { .. }));
        let (rules, none) = condition("no storm", 2);
        assert!(matches!(rules.graph[none], Expr::Not { a } if matches!(rules.graph[a], Expr::Lying { of_each: false, .. })));
        assert!(matches!(made("top fame"), Expr::Rank { rank: 0, .. }));
        assert!(matches!(made("any my yard where card.height > 2"), Expr::OverCards { fold: Fold::Any, .. }));
    }

    #[test]
    fn a_rank_is_by_what_a_stat_counts_as_there() {
        let (rules, at) = condition("top fame", 2);
        let Expr::Rank { by, .. } = rules.graph[at] else { panic!("a rank") };
        let Expr::Quantity { quantity, .. } = rules.graph[by] else { panic!("a quantity") };
        assert_eq!(rules.quantities[quantity as usize].name, "fame.rank");
    }

    #[test]
    fn a_second_grid_has_rows_too() {
        let (lowered, wrong) = lowered("table { grid shelf 1 by 2 }\ndefine lane(thing) = row of thing\n", "", 2);
        assert!(wrong.is_empty(), "{wrong:?}");
        let rows = lowered.rules.graph.all().filter_map(|(_, expr)| if let Expr::Row { grid, .. } = expr { Some(*grid) } else { None });
        assert_eq!(rows.collect::<std::collections::BTreeSet<u16>>().len(), 2);
    }

    #[test]
    fn a_quantity_with_arguments_is_worked_out_where_it_is_named_whatever_comes_first() {
        // `early` is declared ahead of what it names.
        let (lowered, wrong) = lowered("changeable early(x) = late(x) + 1\nchangeable late(x) = x * wisp\n", "", 2);
        assert!(wrong.is_empty(), "{wrong:?}");
        let base = lowered.rules.quantities.iter().find(|quantity| quantity.name == "early").map(|quantity| quantity.base);
        let Expr::Two { how: Two::Add, a, .. } = lowered.rules.graph[base.unwrap()] else { panic!("a sum") };
        assert!(matches!(lowered.rules.graph[a], Expr::Two { how: Two::Mul, .. }), "{:?}", lowered.rules.graph[a]);
    }

    #[test]
    fn a_value_that_is_missing_for_the_choice_is_told() {
        let (_, wrong) = lowered("constant rare = by players { 3: 1 }\ndefine seldom = rare + 1\n", "", 2);
        assert_eq!(wrong, ["there is no value for `2`"]);
    }
}
