//! Properties of expressions that follow from the expression and its operands, computed once.

use super::{Expr, ExprId, Graph};

/// Properties of an expression, computed when it is created.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The free loop variables, as a bit set.
    pub vars: u16,
    /// The locals that the expression reads, as a bit set.
    pub locals: u16,
    /// An estimate of the cost of evaluation.
    pub weight: u32,
    /// The depth of the expression tree.
    pub depth: u16,
    /// Whether the value may differ by seat.
    pub by_seat: bool,
    /// Whether anything in it loops over cards, seats or tokens, or is evaluated for another seat.
    pub is_nonlocal: bool,
    /// The lowest number for the variable of an enclosing loop: above those of the inner loops that can read outer variables.
    pub(crate) next_outer_var: u8,
    /// The first quantity for which [`Expr::Changed`] occurs in the expression: whether a card changes it.
    pub(crate) changed: Option<u16>,
    /// The first subexpression that asks where the card of a loop variable lies.
    pub(crate) place_test: Option<ExprId>,
}

impl Facts {
    /// Whether the value depends on nothing but the state and the current seat: no locals and no outer loop variables.
    pub fn closed(&self) -> bool {
        self.vars == 0 && self.locals == 0
    }

    /// Computes the properties of an expression, whose operands are in the graph.
    pub(super) fn of(graph: &Graph, id: ExprId, expr: Expr) -> Facts {
        let traits = expr.traits();
        // The content of a place without an owner is the same for all seats.
        let of_table = matches!(expr, Expr::FirstIn { per_seat: false, .. } | Expr::PiecesIn { per_seat: false, .. });
        let is_nonlocal = traits.has_loop || traits.for_other_seat || !expr.is_number();
        let mut facts = Facts { weight: 1, by_seat: traits.of_seat && !of_table, is_nonlocal, ..Facts::default() };
        for part in expr.operands() {
            let of = graph.facts(part);
            facts.vars |= of.vars;
            facts.locals |= of.locals;
            facts.weight = facts.weight.saturating_add(of.weight);
            facts.depth = facts.depth.max(of.depth.saturating_add(1));
            facts.by_seat |= of.by_seat;
            facts.is_nonlocal |= of.is_nonlocal;
            facts.next_outer_var = facts.next_outer_var.max(of.next_outer_var);
            facts.changed = facts.changed.or(of.changed);
            facts.place_test = facts.place_test.or(of.place_test);
        }
        if let Some((_, (var, _))) = expr.binding() {
            facts.vars &= !(1 << var);
            facts.next_outer_var = facts.next_outer_var.max(var + 1);
        }
        if let Expr::Local { local } = expr {
            facts.locals |= 1 << local;
        } else if let Expr::Var { var } = expr {
            facts.vars |= 1 << var;
        } else if let Expr::Changed { quantity } = expr {
            facts.changed = Some(quantity);
        } else if let Expr::InPlaces { card, .. } = expr
            && matches!(graph[card], Expr::Var { .. })
        {
            facts.place_test = Some(id);
        } else if let Expr::Of { seat, .. } = expr {
            facts.by_seat = graph.facts(seat).by_seat;
        }
        if facts.closed() {
            facts.next_outer_var = 0;
        }
        facts
    }
}
