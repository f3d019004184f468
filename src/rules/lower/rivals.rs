//! Rivals: opponents without a seat, which are included where the values of seats are compared.

use super::super::defs::{DefId, DefKind};
use super::super::problem::RuleProblem;
use super::super::typed::{Body, Expr, ExprKind, SeatFilter, Seats, WhichTeams};
use super::{Bindings, Lowerer, push};
use crate::cast;
use crate::engine::graph::NumberOp;
use crate::engine::ruleset::{NodeId, Rank};

/// A value below that of every seat.
const BELOW_ALL_SEATS: i64 = i32::MIN as i64;

impl Lowerer<'_> {
    /// Lowers ranks, in the order in which they are declared.
    pub(super) fn lower_ranks(&mut self) {
        let tree = self.tree;
        for (id, one) in tree.defs.all() {
            if let (DefKind::Rank(_), Some(Body::Rank(rank))) = (&one.kind, tree.bodies.get(&id)) {
                let leaders = self.lower_expr(&rank.leaders, &mut Bindings::with_free_locals_from(1));
                let (name, rivals) = (one.name.clone(), Vec::new());
                self.ruleset.ranks.push(Rank { name, top: rank.top, leaders, ties_in: rank.ties_in, rivals });
            }
        }
    }

    /// Returns the index of a rank that includes the values of the rivals for `by`.
    pub fn rank_with_rivals(&mut self, rank: u16, by: &Expr) -> u16 {
        let rivals = self.lower_rival_values(by);
        let Some(plain) = self.ruleset.ranks.get(rank as usize).cloned() else { return rank };
        if rivals.is_empty() {
            return rank;
        }
        let same = |known: &Rank| known.name == plain.name && known.rivals == rivals;
        let known = self.ruleset.ranks.iter().position(same);
        cast::fit::<u16>(known.unwrap_or_else(|| push(&mut self.ruleset.ranks, Rank { rivals, ..plain }) as usize))
    }

    /// Creates for each rival the test whether it satisfies the comparison in `players with fewer …`.
    pub fn compare_rivals(&mut self, seats: &Seats, env: &mut Bindings) -> Vec<NodeId> {
        let SeatFilter::Compared(operator, by) = &seats.filter else { return Vec::new() };
        if seats.teams == WhichTeams::Mine {
            return Vec::new();
        }
        let rivals = self.lower_rival_values(by);
        let compared = rivals.into_iter().map(|rival| {
            let mine = self.lower_expr(by, env);
            self.make_binary(NumberOp::Is(*operator), rival, mine)
        });
        compared.collect()
    }

    /// Creates the values of the rivals in play for the value that is compared.
    fn lower_rival_values(&mut self, by: &Expr) -> Vec<NodeId> {
        let tree = self.tree;
        let mut had = Vec::new();
        for rival in &tree.rivals {
            let there = rival.when.as_ref().map_or(Some(1), |when| self.constant_value(when));
            if there.is_none() {
                self.report(RuleProblem::RivalComesAndGoes { rival: rival.name.clone() }.at(rival.span));
            }
            if there.is_some_and(|there| there != 0) {
                let value = self.compared_definition(by).and_then(|what| rival.values.iter().find(|value| value.0 == what));
                had.push(match value {
                    Some(&(_, value)) => self.lower_rival_value(value),
                    None => self.constant_node(BELOW_ALL_SEATS),
                });
            }
        }
        had
    }

    /// Creates the value of a rival, which does not depend on the current player.
    fn lower_rival_value(&mut self, value: DefId) -> NodeId {
        if !self.definition_is_same_for_all(value) {
            let one = &self.tree.defs[value];
            if let Some(span) = one.span {
                self.report(RuleProblem::RivalOfPlayer { rival: one.name.clone() }.at(span));
            }
        }
        self.lower_parameterless(value)
    }

    /// Returns the definition of the value that is compared, if it has a name.
    fn compared_definition(&self, by: &Expr) -> Option<DefId> {
        let tree = self.tree;
        match &by.kind {
            ExprKind::Quantity { quantity: def, args } if args.is_empty() => {
                let ranked = |body: &Body| if let Body::Quantity(quantity) = body { quantity.ranked } else { None };
                Some(tree.bodies.iter().find(|(_, body)| ranked(body) == Some(*def)).map_or(*def, |found| *found.0))
            }
            ExprKind::Define { definition: def, args } if args.is_empty() => Some(*def),
            ExprKind::Variable(def) => Some(*def),
            _ => None,
        }
    }
}
