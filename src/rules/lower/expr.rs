//! Lowering expressions: each becomes a node; what is the same whatever happens in a game becomes a number at once.

use super::super::defs::{DefId, DefKind as What, FieldType, Owner};
use super::super::problem::{Bound, Problem};
use super::super::typed::{Binary, Body, ByTable, Expr, ExprKind, Fold};
use super::{Env, Lowerer, MOST_WITHIN};
use crate::cast;
use crate::engine::ruleset::{self as engine, CardSet, Compare, Node, NodeId, PlayerSet, Shape, Whose};
use crate::source::Span;
use crate::state::layout::head;

/// The distance of cards of which one lies on no map.
const FAR: i64 = 1000;

impl Lowerer<'_> {
    /// An expression.
    pub fn expr(&mut self, expr: &Expr, env: &mut Env) -> NodeId {
        let free = env.next;
        let bound = env.bound.len();
        if self.within >= MOST_WITHIN {
            self.exhaust(Some(expr.span), Bound::Definitions(MOST_WITHIN));
        }
        if self.exhausted {
            return self.constant(0);
        }
        self.within += 1;
        let outside = self.at.replace(expr.span);
        let node = self.expr_in(expr, env);
        self.at = outside;
        self.within -= 1;
        env.next = free;
        env.bound.truncate(bound);
        node
    }

    fn expr_in(&mut self, expr: &Expr, env: &mut Env) -> NodeId {
        let tree = self.tree;
        match &expr.kind {
            ExprKind::Const(value) => self.constant(*value),
            ExprKind::Local(bind) => match env.find(*bind) {
                Some(node) => node,
                None => self.constant(0),
            },
            ExprKind::Me => self.node(Node::Me),
            ExprKind::Round => match env.round {
                Some(round) => round,
                None => self.node(Node::Global(cast::fit::<u32>(head::ROUND))),
            },
            ExprKind::Turn => self.node(Node::Global(cast::fit::<u32>(head::TURN))),
            ExprKind::Players => self.constant(cast::count(self.chosen.players)),
            ExprKind::PlaceInOrder => self.node(Node::PlaceInOrder),
            ExprKind::RoundsLeft => {
                let rounds = match &tree.rounds {
                    Some(rounds) => self.expr(rounds, env),
                    None => self.constant(0),
                };
                let round = match env.round {
                    Some(round) => round,
                    None => self.node(Node::Global(cast::fit::<u32>(head::ROUND))),
                };
                self.fold(Binary::Sub, rounds, round)
            }
            ExprKind::Score(Some(row)) => match tree.score.get(*row) {
                Some((_, value)) => self.expr(value, env),
                None => self.constant(0),
            },
            ExprKind::Score(None) => {
                let mut sum = self.constant(0);
                for (i, (_, row)) in tree.score.iter().enumerate() {
                    let row = self.expr(row, env);
                    sum = if i == 0 { row } else { self.fold(Binary::Add, sum, row) };
                }
                sum
            }
            ExprKind::Variable(def) => {
                let offset = self.slots.offset(*def);
                let of_table = self.slots.get(*def).is_some_and(|slot| slot.owner == Owner::Table);
                self.node(if of_table { Node::Global(offset as u32) } else { Node::Own(offset) })
            }
            ExprKind::TallyItem(def, index) => {
                let index = self.expr(index, env);
                let (offset, len) = self.row(*def);
                self.node(Node::OwnAt(offset, len, index))
            }
            ExprKind::Amount(resource) => {
                let resource = self.expr(resource, env);
                let len = cast::fit::<u16>(self.out.resources.len());
                self.node(Node::OwnAt(0, len, resource))
            }
            ExprKind::InSet(def, word) => {
                let word = self.expr(word, env);
                let offset = self.slots.offset(*def);
                self.node(Node::OwnBit(offset, word))
            }
            ExprKind::Counter(card, def) => {
                let card = self.expr(card, env);
                let offset = cast::fit::<u8>(self.slots.offset(*def));
                self.node(Node::Counter(card, offset))
            }
            ExprKind::Field(card, def) => {
                let card = self.expr(card, env);
                let offset = self.slots.offset(*def);
                self.node(Node::Field(card, offset))
            }
            ExprKind::FieldItem(card, def, index) => {
                let (card, index) = (self.expr(card, env), self.expr(index, env));
                let (offset, len) = self.row(*def);
                let is_list = matches!(tree.defs[*def].what, What::Field(FieldType::Numbers | FieldType::Cards));
                self.node(if is_list { Node::ListAt(card, offset, index) } else { Node::FieldAt(card, offset, len, index) })
            }
            ExprKind::ListLen(card, def) => {
                let card = self.expr(card, env);
                let offset = self.slots.offset(*def);
                self.node(Node::ListLen(card, offset))
            }
            ExprKind::ListFirst(card, def, count) => {
                let (card, count) = (self.expr(card, env), self.expr(count, env));
                let offset = self.slots.offset(*def);
                self.node(Node::ListFirst(card, offset, count))
            }
            ExprKind::KindOf(card) => {
                let card = self.expr(card, env);
                self.node(Node::KindOf(card))
            }
            ExprKind::IsKind(card, kind) => {
                let card = self.expr(card, env);
                self.node(Node::IsKind(card, 1 << kind))
            }
            ExprKind::InPlaces(card, places) => {
                let card = self.expr(card, env);
                let mask = places.iter().fold(0, |mask, place| mask | 1 << self.index(*place));
                self.node(Node::InPlaces(card, mask))
            }
            ExprKind::FirstIn(place) => {
                let place = self.index(*place);
                self.node(Node::FirstIn(place))
            }
            ExprKind::NoneIn(place) => {
                let place = self.index(*place);
                self.node(Node::NoneIn(place))
            }
            ExprKind::Row(card) => self.in_grids(card, env, Node::Row),
            ExprKind::Column(card) => self.in_grids(card, env, Node::Column),
            ExprKind::Distance(from, to) => self.distance(from, to, env),
            ExprKind::OwnerOf(card) => {
                let card = self.expr(card, env);
                self.node(Node::OwnerOf(card))
            }
            ExprKind::HasAction(card) => {
                let card = self.expr(card, env);
                self.node(Node::HasAction(card))
            }
            ExprKind::IsCard(card, def) => {
                let card = self.expr(card, env);
                let definition = self.index(*def) as u32;
                self.node(Node::IsCard(card, definition))
            }
            ExprKind::PieceOf(def) => self.piece_of(*def, env, expr.span),
            ExprKind::Not(inner) => {
                let inner = self.expr(inner, env);
                self.not(inner)
            }
            ExprKind::Binary(how, a, b) => {
                let (a, b) = (self.expr(a, env), self.expr(b, env));
                self.fold(*how, a, b)
            }
            ExprKind::Compare(how, a, b) => {
                let (a, b) = (self.expr(a, env), self.expr(b, env));
                match (self.value_of(a), self.value_of(b)) {
                    (Some(a), Some(b)) => self.constant(how.holds(a, b) as i64),
                    _ => self.node(Node::Cmp(*how, a, b)),
                }
            }
            ExprKind::If(condition, yes, no) => {
                let condition = self.expr(condition, env);
                match self.value_of(condition) {
                    Some(0) => self.expr(no, env),
                    Some(_) => self.expr(yes, env),
                    None => {
                        let (yes, no) = (self.expr(yes, env), self.expr(no, env));
                        self.node(Node::If(condition, yes, no))
                    }
                }
            }
            ExprKind::OverCards(fold, cards, each) => {
                let set = self.cards(cards, env, expr.span);
                let value = self.each(each.as_deref(), env);
                let folded = match fold {
                    Fold::Sum => Node::Sum(set, value),
                    Fold::Highest => Node::Highest(set, value),
                    Fold::Lowest => Node::Lowest(set, value),
                    Fold::Median => {
                        // The lowest that at least half of them do not exceed.
                        let others = self.cards(cards, env, expr.span);
                        let other = self.each(each.as_deref(), env);
                        let exceeded = self.node(Node::Cmp(Compare::AtMost, other, value));
                        self.narrow(others, exceeded);
                        let (all, half) = (self.cards(cards, env, expr.span), self.node(Node::Count(others)));
                        let (all, twice) = (self.node(Node::Count(all)), self.fold(Binary::Add, half, half));
                        let enough = self.node(Node::Cmp(Compare::AtLeast, twice, all));
                        self.narrow(set, enough);
                        Node::Lowest(set, value)
                    }
                    Fold::Count => Node::Count(set),
                    Fold::Any => Node::Any(set),
                };
                self.node(folded)
            }
            ExprKind::OverSeats(fold, seats, each) => {
                let mut outside = env.clone();
                let set = self.seats(seats, env, expr.span);
                let value = self.each(each.as_deref(), env);
                let of_seats = self.node(match fold {
                    Fold::Sum => Node::SumPlayers(set, value),
                    Fold::Highest => Node::HighestPlayers(set, value),
                    Fold::Lowest | Fold::Median => Node::LowestPlayers(set, value),
                    Fold::Count => Node::CountPlayers(set),
                    Fold::Any => Node::AnyPlayer(set),
                });
                let rivals = if matches!(fold, Fold::Count | Fold::Any) { self.rivals_compared(seats, &mut outside) } else { Vec::new() };
                rivals.into_iter().fold(of_seats, |all, one| match fold {
                    Fold::Any => self.node(Node::Or(all, one)),
                    Fold::Count | Fold::Sum | Fold::Highest | Fold::Lowest | Fold::Median => self.fold(Binary::Add, all, one),
                })
            }
            ExprKind::Quantity(def, args) => {
                let args: Vec<NodeId> = args.iter().map(|arg| self.expr(arg, env)).collect();
                let index = self.index(*def);
                self.node(Node::Quantity(index, [args.first().copied(), args.get(1).copied()]))
            }
            ExprKind::Define(def, args) => self.define(*def, args, env),
            ExprKind::Named(def) => self.name(*def, env),
            ExprKind::Option(def) => self.option(*def),
            ExprKind::AmongChosen(def, value) => self.among_chosen(*def, value, env),
            ExprKind::Rank(def, by) => {
                let What::Rank(rank) = tree.defs[*def].what else { return self.constant(0) };
                let rank = self.rank_with_rivals(rank, by);
                if env.bound.iter().all(|bound| !self.differs_by_seat(bound.1)) {
                    let by = self.expr(by, env);
                    return self.node(Node::Rank(rank, by));
                }
                // Players are compared by the arguments of the one who asks: among all players that one, if it is ranked so.
                let local = self.bind(env, super::super::typed::Bind(u32::MAX), expr.span);
                let (me, asker) = (self.node(Node::Me), self.node(Node::Local(local)));
                self.keep_arguments(env, asker);
                let by = self.expr(by, env);
                let (asks, ranked) = (self.node(Node::Cmp(Compare::Equal, me, asker)), self.node(Node::Rank(rank, by)));
                let filter = Some(self.fold(Binary::And, asks, ranked));
                self.out.player_sets.push(PlayerSet { others: false, filter, local });
                self.node(Node::AnyPlayer(cast::fit::<u32>(self.out.player_sets.len()) - 1))
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
                self.node(Node::Cmp(Compare::Unequal, now, then))
            }
            ExprKind::OfNeighbour(who, body) => self.of_neighbour(*who, body, env, expr.span),
            ExprKind::Of(seat, body) => {
                let (seat, body) = (self.expr(seat, env), self.expr(body, env));
                self.node(Node::Of(seat, body))
            }
            ExprKind::CountTokens(tokens, pool) => {
                let set = self.tokens(tokens, env);
                let pool = cast::fit::<u8>(self.index(*pool));
                self.node(Node::CountTokens(set, pool))
            }
            ExprKind::Shown(symbol, pool) => {
                let symbol = self.expr(symbol, env);
                let pool = cast::fit::<u8>(self.index(*pool));
                self.node(Node::ShownIn(symbol, pool))
            }
            ExprKind::Payable(symbol, pool) => {
                let symbol = self.expr(symbol, env);
                let pool = cast::fit::<u8>(self.index(*pool));
                self.node(Node::Payable(symbol, pool))
            }
            ExprKind::ShownBy(bind, symbol) => {
                let symbol = self.expr(symbol, env);
                let local = self.local_of(*bind, env);
                self.node(Node::ShownBy(local, symbol))
            }
            ExprKind::Poisoned => self.constant(0),
        }
    }

    /// The same place, in the round that comes next.
    pub fn next_round(&mut self, env: &Env) -> Env {
        let round = self.node(Node::Global(cast::fit::<u32>(head::ROUND)));
        let one = self.constant(1);
        let next = self.fold(Binary::Add, env.round.unwrap_or(round), one);
        Env { round: Some(next), ..env.clone() }
    }

    /// The local that a name is bound to.
    pub(super) fn local_of(&self, bind: super::super::typed::Bind, env: &Env) -> u8 {
        match env.find(bind).map(|node| &self.out.nodes[node as usize]) {
            Some(Node::Local(local)) => *local,
            _ => 0,
        }
    }

    fn row(&self, def: DefId) -> (u16, u16) {
        self.slots.get(def).map_or((0, 0), |slot| (slot.offset, slot.len))
    }

    fn not(&mut self, inner: NodeId) -> NodeId {
        match self.value_of(inner) {
            Some(value) => self.constant((value == 0) as i64),
            None => self.node(Node::Not(inner)),
        }
    }

    /// Two expressions in one, worked out at once where what they come to is known.
    pub(super) fn fold(&mut self, how: Binary, a: NodeId, b: NodeId) -> NodeId {
        let known = match (how, self.value_of(a), self.value_of(b)) {
            (Binary::And, Some(0), _) | (Binary::And, _, Some(0)) => Some(0),
            (Binary::And, Some(_), Some(_)) => Some(1),
            (Binary::Or, Some(0), Some(0)) => Some(0),
            (Binary::Or, Some(value), _) | (Binary::Or, _, Some(value)) if value != 0 => Some(1),
            (Binary::Add, Some(a), Some(b)) => a.checked_add(b),
            (Binary::Sub, Some(a), Some(b)) => a.checked_sub(b),
            (Binary::Mul, Some(a), Some(b)) => a.checked_mul(b),
            (Binary::Min, Some(a), Some(b)) => Some(a.min(b)),
            (Binary::Max, Some(a), Some(b)) => Some(a.max(b)),
            _ => None,
        };
        if let Some(value) = known {
            return self.constant(value);
        }
        match (how, self.value_of(a), self.value_of(b)) {
            (Binary::And, Some(_), None) | (Binary::Or, Some(0), None) => return b,
            (Binary::And, None, Some(_)) | (Binary::Or, None, Some(0)) => return a,
            _ => {}
        }
        self.node(match how {
            Binary::Add => Node::Add(a, b),
            Binary::Sub => Node::Sub(a, b),
            Binary::Mul => Node::Mul(a, b),
            Binary::Div => Node::Div(a, b),
            Binary::Min => Node::Min(a, b),
            Binary::Max => Node::Max(a, b),
            Binary::And => Node::And(a, b),
            Binary::Or => Node::Or(a, b),
        })
    }

    /// A row or column in whichever grid the card lies: it is 0 in all others.
    fn in_grids(&mut self, card: &Expr, env: &mut Env, make: fn(NodeId, u16) -> Node) -> NodeId {
        let card = self.expr(card, env);
        let places = self.out.places.iter().enumerate();
        let grids: Vec<u16> =
            places.filter(|(_, at)| matches!(at.shape, Shape::Grid { .. })).map(|(grid, _)| cast::fit::<u16>(grid)).collect();
        let mut sum = None;
        for grid in grids {
            let inside = self.node(make(card, grid));
            sum = Some(match sum {
                Some(before) => self.node(Node::Add(before, inside)),
                None => inside,
            });
        }
        let none = self.constant(0);
        sum.unwrap_or(none)
    }

    /// The steps between two cards: on a map of hexagons the greatest of the differences along its three lines, on a grid the sum of
    /// those of rows and columns; far away if one of them lies on none. (A. Patel, Hexagonal Grids: axial coordinates.)
    fn distance(&mut self, from: &Expr, to: &Expr, env: &mut Env) -> NodeId {
        let [rows, columns] = [Node::Row, Node::Column].map(|make| [from, to].map(|card| self.in_grids(card, env, make)));
        let [down, right] = [rows, columns].map(|[a, b]| self.fold(Binary::Sub, a, b));
        let across = self.fold(Binary::Add, down, right);
        let [down, right, across] = [down, right, across].map(|steps| {
            let none = self.constant(0);
            let back = self.fold(Binary::Sub, none, steps);
            self.fold(Binary::Max, steps, back)
        });
        let straight = self.fold(Binary::Max, down, right);
        let on_map = self.fold(Binary::Max, straight, across);
        let on_grid = self.fold(Binary::Add, down, right);
        let places = || self.out.places.iter().enumerate();
        let is = |place: &engine::PlaceDecl, wanted| matches!(place.shape, Shape::Grid { hexes, .. } if hexes == wanted);
        let [maps, grids] =
            [true, false].map(|wanted| places().filter(|(_, place)| is(place, wanted)).fold(0, |mask, (at, _)| mask | 1_u64 << at));
        let steps = match (maps, grids) {
            (_, 0) => on_map,
            (0, _) => on_grid,
            _ => {
                let from = self.expr(from, env);
                let is_on_map = self.node(Node::InPlaces(from, maps));
                self.node(Node::If(is_on_map, on_map, on_grid))
            }
        };
        let [from, to] = [from, to].map(|card| {
            let card = self.expr(card, env);
            self.node(Node::InPlaces(card, maps | grids))
        });
        let (both, far) = (self.fold(Binary::And, from, to), self.constant(FAR));
        self.node(Node::If(both, steps, far))
    }

    /// A piece of a card, wherever it lies: the highest over all places, shifted by 1, so that none stays none.
    fn piece_of(&mut self, def: DefId, env: &mut Env, span: Span) -> NodeId {
        let definition = self.index(def) as u32;
        let local = self.bind(env, super::super::typed::Bind(u32::MAX), span);
        let card = self.node(Node::Local(local));
        let filter = self.node(Node::IsCard(card, definition));
        let places = (0..cast::fit::<u16>(self.out.places.len())).collect();
        self.out.sets.push(CardSet { places, whose: Whose::All, kinds: 0, rows: 0, local, with: None, filter: Some(filter) });
        let set = cast::fit::<u32>(self.out.sets.len()) - 1;
        let one = self.constant(1);
        let shifted = self.node(Node::Add(card, one));
        let highest = self.node(Node::Highest(set, shifted));
        self.node(Node::Sub(highest, one))
    }

    /// A constant, condition or definition without parameters: the same node everywhere, unless another round is meant.
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
        let Some(Body::Value(params, value)) = tree.bodies.get(&def) else { return self.constant(0) };
        if args.is_empty() {
            return self.name(def, env);
        }
        let mut there = Env { round: env.round, ..Env::from(env.next) };
        for (param, arg) in params.iter().zip(args) {
            let node = self.expr(arg, env);
            there.bound.push((param.bind, node));
        }
        self.defining(def, |lowerer| lowerer.expr(value, &mut there))
    }

    fn option(&mut self, def: DefId) -> NodeId {
        let What::Option(option) = &self.tree.defs[def].what else { return self.constant(0) };
        if option.each_player {
            let offset = self.slots.offset(def);
            return self.node(Node::Own(offset));
        }
        let number = super::super::setup::number_of(option, self.chosen.first(def)).unwrap_or(0);
        self.constant(number as i64)
    }

    /// Whether a value is among those chosen of an option.
    fn among_chosen(&mut self, def: DefId, value: &Expr, env: &mut Env) -> NodeId {
        let What::Option(option) = &self.tree.defs[def].what else { return self.constant(0) };
        let value = self.expr(value, env);
        let chosen = self.chosen.values(def).iter().filter_map(|chosen| super::super::setup::number_of(option, chosen));
        let chosen: Vec<i64> = chosen.map(i64::from).collect();
        if let Some(value) = self.value_of(value) {
            return self.constant(chosen.contains(&value) as i64);
        }
        let mut found = self.constant(0);
        for number in chosen {
            let number = self.constant(number);
            let same = self.node(Node::Cmp(Compare::Equal, value, number));
            found = if self.value_of(found) == Some(0) { same } else { self.node(Node::Or(found, same)) };
        }
        found
    }

    fn missing(&mut self, key: &str, span: Span) -> NodeId {
        self.tell(Problem::NoValueFor { key: key.to_string() }.at(span));
        self.constant(0)
    }

    fn pick(&mut self, table: &ByTable, key: &str, env: &mut Env, span: Span) -> NodeId {
        let found = table.entries.iter().find(|entry| entry.0.iter().any(|known| known == key)).map(|entry| &entry.1);
        match found.or(table.otherwise.as_deref()) {
            Some(value) => self.expr(value, env),
            None => self.missing(key, span),
        }
    }

    fn by_option(&mut self, def: DefId, table: &ByTable, env: &mut Env, span: Span) -> NodeId {
        let What::Option(option) = &self.tree.defs[def].what else { return self.constant(0) };
        if !option.each_player {
            let key = self.chosen.first(def).to_string();
            return self.pick(table, &key, env, span);
        }
        let values: Vec<NodeId> = option.values.iter().map(|key| self.pick(table, key, env, span)).collect();
        let offset = self.slots.offset(def);
        let own = self.node(Node::Own(offset));
        if let Some(numbers) = values.iter().map(|&value| self.value_of(value)).collect::<Option<Box<[i64]>>>() {
            return self.node(Node::Table(own, numbers));
        }
        // Values that are worked out: one question after another, which of them it is.
        let mut found = values.last().copied().unwrap_or(own);
        for (index, &value) in values.iter().enumerate().rev().skip(1) {
            let number = super::super::setup::number_of(option, &option.values[index]).unwrap_or(0);
            let number = self.constant(number as i64);
            let is = self.node(Node::Cmp(Compare::Equal, own, number));
            found = self.node(Node::If(is, value, found));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::ruleset::{Compare, Node};
    use crate::sample::{condition, lowered, node};

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
            let (rules, node) = condition(text, players);
            assert!(
                matches!(rules.nodes[node as usize], Node::Const(value) if value == wanted),
                "{text}: {:?}",
                rules.nodes[node as usize]
            );
        }
    }

    #[test]
    fn what_a_game_can_change_is_left() {
        assert!(matches!(node("players == 2 and passed"), Node::Own(_)));
        assert!(matches!(node("wisp > 2"), Node::Cmp(Compare::More, ..)));
        assert!(matches!(node("storm in yard"), Node::InPlaces(..)));
        assert!(matches!(node("no storm"), Node::NoneIn(_)));
        assert!(matches!(node("top fame"), Node::Rank(0, _)));
        assert!(matches!(node("any my yard where card.height > 2"), Node::Any(_)));
    }

    #[test]
    fn a_rank_is_by_what_a_stat_counts_as_there() {
        let (rules, at) = condition("top fame", 2);
        let Node::Rank(_, by) = rules.nodes[at as usize] else { panic!("a rank") };
        let Node::Quantity(quantity, _) = rules.nodes[by as usize] else { panic!("a quantity") };
        assert_eq!(rules.quantities[quantity as usize].name, "fame.rank");
    }

    #[test]
    fn a_second_grid_has_rows_too() {
        let (lowered, wrong) = lowered("table { grid shelf 1 by 2 }\ndefine lane(thing) = row of thing\n", "", 2);
        assert!(wrong.is_empty(), "{wrong:?}");
        let rows = lowered.rules.nodes.iter().filter_map(|node| if let Node::Row(_, grid) = node { Some(*grid) } else { None });
        assert_eq!(rows.collect::<std::collections::BTreeSet<u16>>().len(), 2);
    }

    #[test]
    fn a_value_that_is_missing_for_the_choice_is_told() {
        let (_, wrong) = lowered("constant rare = by players { 3: 1 }\ndefine seldom = rare + 1\n", "", 2);
        assert_eq!(wrong, ["there is no value for `2`"]);
    }
}
