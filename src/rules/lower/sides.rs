//! Lowers who wins or loses as one: teams, or all players together.

use super::super::problem::{RuleProblem, is_forbidden};
use super::super::syntax::ast::WhichTeams;
use super::{Bindings, GraphExpr, Lowerer};
use crate::cast;
use crate::engine::graph::{Cards, Fold, NumberOp, Read};
use crate::engine::ruleset::{Compare, NodeId, Ruleset, Together, Whose};
use std::collections::{BTreeMap, BTreeSet};

/// Settles which players win or lose as one, and reports players that make no whole teams.
pub fn settle_sides(lowerer: &mut Lowerer<'_>) {
    let players = lowerer.chosen.players;
    if let Some((size, span)) = lowerer.tree.teams {
        if players.is_multiple_of(size) && players > size {
            lowerer.ruleset.sides = Some(players / size);
        } else if !lowerer.diagnostics.iter().any(is_forbidden) {
            lowerer.report(RuleProblem::NoWholeTeams { size, players }.at(span));
        }
    }
    if lowerer.tree.together.is_some() {
        lowerer.ruleset.sides = Some(1);
    }
}

/// Lowers the condition under which all have won; points and condition must be those of all.
pub(super) fn lower_together(lowerer: &mut Lowerer<'_>) {
    let tree = lowerer.tree;
    let Some(condition) = &tree.together else { return };
    let won = lowerer.lower_expr(condition, &mut Bindings::with_free_locals_from(1));
    if lowerer.chosen.players > 1 {
        if differs_by_seat(lowerer.ruleset, won, &mut BTreeSet::new()) {
            lowerer.report(RuleProblem::OfOnePlayer { what: "this condition" }.at(condition.span));
        }
        for (row, (_, value)) in tree.score.iter().enumerate() {
            let Some(&(_, node)) = lowerer.ruleset.score.get(row) else { continue };
            if differs_by_seat(lowerer.ruleset, node, &mut BTreeSet::new()) {
                lowerer.report(RuleProblem::OfOnePlayer { what: "this row of points" }.at(value.span));
            }
        }
    }
    let nearness = Nearness { lowerer, known: BTreeMap::new() }.of(won, true);
    lowerer.ruleset.together = Some(Together { won, nearness });
}

/// Adds to the filter of a set of players that they belong to these teams; `asker` is the player who asks.
pub(super) fn filter_teams(lowerer: &mut Lowerer<'_>, teams: WhichTeams, asker: NodeId, filter: Option<NodeId>) -> Option<NodeId> {
    let operator = match teams {
        WhichTeams::All => return filter,
        WhichTeams::Mine => Compare::Equal,
        WhichTeams::Others => Compare::Unequal,
    };
    let (me, sides) = (lowerer.make(GraphExpr::Me), lowerer.ruleset.side_count());
    let sides = lowerer.constant_node(cast::count(sides.max(1)));
    let [mine, askers] = [me, asker].map(|seat| lowerer.make_binary(NumberOp::Remainder, seat, sides));
    let belongs = lowerer.make_binary(NumberOp::Is(operator), mine, askers);
    lowerer.both(Some(belongs), filter)
}

/// Returns the seat of the partner of a player, in teams of two.
pub(super) fn partner_of(lowerer: &mut Lowerer<'_>, player: NodeId) -> NodeId {
    let players = lowerer.chosen.players;
    let [half, players] = [players / 2, players.max(1)].map(|number| lowerer.constant_node(cast::count(number)));
    let across = lowerer.make_binary(NumberOp::Add, player, half);
    lowerer.make_binary(NumberOp::Remainder, across, players)
}

/// Whether a value outside of all loops can differ from seat to seat. This looks closer than `Facts::by_seat`: what goes through all
/// players, or through the cards of all, is the same for each of them.
fn differs_by_seat(rules: &Ruleset, node: NodeId, seen: &mut BTreeSet<NodeId>) -> bool {
    let graph = &rules.graph;
    if !graph.facts(node).by_seat || !seen.insert(node) {
        return false;
    }
    let any_of_seat =
        |cards: &Cards| cards.whose == Whose::Mine && cards.places.iter().any(|&place| rules.places[usize::from(place)].of_seat);
    let of_pool = |pool: u8| rules.pools.get(usize::from(pool)).is_none_or(|pool| pool.of_seat);
    let expr = graph[node];
    if let GraphExpr::OverSeats { others, var, filter, body, .. } = expr {
        // Filter and body are about each of the players in turn; who asks is in the variable.
        let asks = [filter, body].into_iter().flatten().any(|part| graph.facts(part).vars >> var & 1 == 1);
        return others || asks;
    }
    if let GraphExpr::Of { seat, .. } = expr {
        return differs_by_seat(rules, seat, seen);
    }
    let is_own = |read: Read| match read {
        Read::Own(_) | Read::Order | Read::Rivals(_) | Read::Quantity(_) | Read::Changes(_) => true,
        Read::Place(place) => rules.places[usize::from(place)].of_seat,
        Read::Cards(cards) => any_of_seat(graph.cards(cards)),
        Read::Tokens(pool) => of_pool(pool),
        Read::Laid(board) => {
            rules.boards[usize::from(board)].parts.as_ref().is_some_and(|parts| rules.places[usize::from(parts.grid.place)].of_seat)
        }
        Read::Table(_) | Read::Counter(..) | Read::Printed(_) | Read::Whereabouts(_) | Read::Piles(_) => false,
        Read::IsChanged(_) | Read::Known(_) => false,
    };
    let own = expr == GraphExpr::Me || expr.reads_any(is_own);
    own || expr.operands().any(|part| differs_by_seat(rules, part, seen))
}

/// What a condition that certainly holds comes to.
const WHOLE: i64 = 1000;
/// What a comparison comes to that just holds. What lies above it tells by how much it holds.
const JUST: i64 = 900;

/// Makes numbers from 0 to [`WHOLE`] that tell how near a condition is to being so: machine players go by them where all win or lose
/// together and rules say nothing of what a state is worth. `stars >= 8` is nine tenths there with 8 stars, and half of that with 4.
struct Nearness<'r, 'a> {
    lowerer: &'r mut Lowerer<'a>,
    known: BTreeMap<(NodeId, bool), NodeId>,
}

impl Nearness<'_, '_> {
    /// Returns how near the condition is to being as `wanted`.
    fn of(&mut self, condition: NodeId, wanted: bool) -> NodeId {
        if let Some(&known) = self.known.get(&(condition, wanted)) {
            return known;
        }
        let made = match self.lowerer.ruleset.graph[condition] {
            GraphExpr::Not { a } => self.of(a, !wanted),
            GraphExpr::Truth { a } => self.of(a, wanted),
            GraphExpr::And { .. } | GraphExpr::Or { .. } => self.of_several(condition, wanted),
            GraphExpr::Binary { operator: NumberOp::Is(operator), a, b } => {
                let operator = if wanted { operator } else { operator.inverse() };
                self.of_comparison(operator, a, b)
            }
            GraphExpr::OverSeats { fold: Fold::Any, others, var, filter: Some(filter), body } => {
                // Some player must come near, or all must keep away from it.
                let each = self.of(filter, wanted);
                let over = |fold, body| GraphExpr::OverSeats { fold, others, var, filter: None, body };
                let fold = if wanted { Fold::Highest } else { Fold::Sum };
                let all = self.lowerer.make(over(fold, Some(each)));
                let count = self.lowerer.make(over(Fold::Count, body));
                if wanted { all } else { self.lowerer.make_binary(NumberOp::Div, all, count) }
            }
            GraphExpr::OverCards { fold: Fold::Any, cards, var, filter, .. } if !wanted => {
                let count = self.lowerer.make(GraphExpr::OverCards { fold: Fold::Count, cards, var, filter, body: None });
                let none = self.lowerer.constant_node(0);
                self.of_comparison(Compare::Equal, count, none)
            }
            _ => self.of_truth(condition, wanted),
        };
        self.known.insert((condition, wanted), made);
        made
    }

    fn of_truth(&mut self, condition: NodeId, wanted: bool) -> NodeId {
        let [whole, none] = [WHOLE, 0].map(|value| self.lowerer.constant_node(value));
        let (yes, no) = if wanted { (whole, none) } else { (none, whole) };
        self.lowerer.make(GraphExpr::If { condition, yes, no })
    }

    /// Several conditions: the mean of all, or the nearest of them.
    fn of_several(&mut self, condition: NodeId, wanted: bool) -> NodeId {
        let all = matches!(self.lowerer.ruleset.graph[condition], GraphExpr::And { .. });
        let (mut open, mut parts) = (vec![condition], Vec::new());
        while let Some(node) = open.pop() {
            match (self.lowerer.ruleset.graph[node], all) {
                (GraphExpr::And { a, b }, true) | (GraphExpr::Or { a, b }, false) => open.extend([b, a]),
                _ => parts.push(self.of(node, wanted)),
            }
        }
        let count = self.lowerer.constant_node(cast::count(parts.len()));
        let operator = if all == wanted { NumberOp::Add } else { NumberOp::Max };
        let none = self.lowerer.constant_node(0);
        let joined = parts.into_iter().fold(none, |joined, part| self.lowerer.make_binary(operator, joined, part));
        if all == wanted { self.lowerer.make_binary(NumberOp::Div, joined, count) } else { joined }
    }

    fn of_comparison(&mut self, operator: Compare, a: NodeId, b: NodeId) -> NodeId {
        let condition = self.lowerer.make_binary(NumberOp::Is(operator), a, b);
        let (short, is_exact) = match operator {
            Compare::Unequal => return self.of_truth(condition, true),
            Compare::Equal => {
                let [most, least] = [NumberOp::Max, NumberOp::Min].map(|operator| self.lowerer.make_binary(operator, a, b));
                (self.lowerer.make_binary(NumberOp::Sub, most, least), true)
            }
            Compare::AtLeast | Compare::More => (self.lowerer.make_binary(NumberOp::Sub, b, a), false),
            Compare::AtMost | Compare::Less => (self.lowerer.make_binary(NumberOp::Sub, a, b), false),
        };
        let [whole, just, none, one] = [WHOLE, JUST, 0, 1].map(|value| self.lowerer.constant_node(value));
        let short =
            if matches!(operator, Compare::More | Compare::Less) { self.lowerer.make_binary(NumberOp::Add, short, one) } else { short };
        // A plain number is the measure of what is missing; else the larger of both.
        let plain = [a, b].into_iter().find_map(|side| self.lowerer.ruleset.graph.constant(side)).map(i64::abs).filter(|plain| *plain > 1);
        let measure = match plain {
            Some(plain) => self.lowerer.constant_node(plain),
            None => {
                let most = self.lowerer.make_binary(NumberOp::Max, a, b);
                let most = self.lowerer.make_binary(NumberOp::Max, most, none);
                self.lowerer.make_binary(NumberOp::Add, most, one)
            }
        };
        let left = self.lowerer.make_binary(NumberOp::Sub, measure, short);
        let left = self.lowerer.make_binary(NumberOp::Max, left, none);
        let left = self.lowerer.make_binary(NumberOp::Mul, left, just);
        let no = self.lowerer.make_binary(NumberOp::Div, left, measure);
        let yes = if is_exact {
            whole
        } else {
            let more = self.lowerer.make_binary(NumberOp::Sub, none, short);
            let more = self.lowerer.make_binary(NumberOp::Min, more, measure);
            let rest = self.lowerer.constant_node(WHOLE - JUST);
            let more = self.lowerer.make_binary(NumberOp::Mul, more, rest);
            let more = self.lowerer.make_binary(NumberOp::Div, more, measure);
            self.lowerer.make_binary(NumberOp::Add, just, more)
        };
        self.lowerer.make(GraphExpr::If { condition, yes, no })
    }
}
