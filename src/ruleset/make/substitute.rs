//! Substitution of locals, and loops that are closed with it. While an expression is under construction, all bound names are locals; a
//! complete loop turns its local into a loop variable. So a substituted expression has no free loop variables, and none can be captured.

use crate::cast;
use crate::graph::{Expr, ExprId, Fold, NumberOp};
use crate::node::{CardSet, PlayerSet};
use crate::ruleset::{Lifetime, Ruleset};
use crate::ways::Ways;
use std::collections::HashMap;

/// A substitution in progress: which locals are replaced, and by what.
struct Substitution<'s> {
    locals: &'s [(u8, ExprId)],
    /// The locals that are replaced, as a bit set.
    mask: u16,
    /// The results for expressions that have been substituted already.
    done: HashMap<ExprId, ExprId>,
}

/// The most loop variables that may be nested: each is one bit of a set.
const MAX_VARS: u8 = 16;

/// The greatest weight, and the greatest depth with its arguments, of a quantity that is expanded where it is used.
const MAX_INLINED: u32 = 1000;
const MAX_INLINED_DEPTH: u16 = 100;

impl Ruleset {
    /// Replaces locals in an expression, all at once, and folds it again.
    pub fn substitute(&mut self, id: ExprId, locals: &[(u8, ExprId)]) -> ExprId {
        let mask = locals.iter().fold(0, |mask, (local, _)| mask | 1 << local);
        self.substituted(id, &mut Substitution { locals, mask, done: HashMap::new() })
    }

    fn substituted(&mut self, id: ExprId, by: &mut Substitution<'_>) -> ExprId {
        if self.graph.facts(id).locals & by.mask == 0 {
            return id;
        }
        if let Some(&done) = by.done.get(&id) {
            return done;
        }
        let made = if let Expr::Local { local } = self.graph[id] {
            by.locals.iter().find(|known| known.0 == local).map_or(id, |known| known.1)
        } else {
            let expr = self.graph[id].map_operands(&mut |part| self.substituted(part, by));
            self.make(expr)
        };
        by.done.insert(id, made);
        made
    }

    /// Closes a loop: turns a local in its operands into a loop variable. Returns the variable and the operands.
    fn close(&mut self, local: u8, parts: [Option<ExprId>; 2]) -> (u8, [Option<ExprId>; 2]) {
        let mut var = parts.iter().flatten().map(|&part| self.graph.facts(part).next_outer_var).max().unwrap_or(0);
        if var >= MAX_VARS {
            (var, self.graph.is_full) = (0, true);
        }
        let variable = self.graph.add(Expr::Var { var });
        (var, parts.map(|part| part.map(|part| self.substitute(part, &[(local, variable)]))))
    }

    /// Creates an expression that folds a body over the cards of a set.
    pub fn fold_cards(&mut self, fold: Fold, set: &CardSet, body: Option<ExprId>) -> ExprId {
        let filter = self.within_spaces(set);
        let (var, [filter, body]) = self.close(set.local, [filter, body]);
        let cards = self.graph.intern_cards(set.cards.clone());
        self.make(Expr::OverCards { fold, cards, var, filter, body })
    }

    /// Returns the filter of a set of cards, with the test whether they are within its set of spaces ahead of it.
    fn within_spaces(&mut self, set: &CardSet) -> Option<ExprId> {
        let Some(spaces) = set.within else { return set.filter };
        let Some(board) = self.graph[spaces].board_of_spaces() else { return set.filter };
        let card = self.graph.add(Expr::Local { local: set.local });
        let inside = self.graph.add(Expr::InSpaces { board, spaces, card });
        Some(set.filter.map_or(inside, |filter| self.graph.and(inside, filter)))
    }

    /// Creates the set of the spaces of a board that are in a set of cards.
    pub fn set_of_spaces(&mut self, board: u16, set: &CardSet) -> ExprId {
        let (var, [filter, _]) = self.close(set.local, [set.filter, None]);
        let cards = self.graph.intern_cards(set.cards.clone());
        self.make(Expr::Spaces { cards, board, var, filter })
    }

    /// Creates a chain of all that pays: the rest, and for each card of a set one of the words whose bits a number has.
    pub fn one_of_each(&mut self, rest: ExprId, set: &CardSet, words: ExprId) -> ExprId {
        let filter = self.within_spaces(set);
        let (var, [filter, words]) = self.close(set.local, [filter, Some(words)]);
        let (Some(words), cards) = (words, self.graph.intern_cards(set.cards.clone())) else { return rest };
        self.make(Expr::OneOfEach { rest, cards, var, filter, words })
    }

    /// Closes a search over ways: turns the local that holds a space of them into a loop variable, and leaves out what makes no difference.
    pub fn close_ways(&mut self, local: u8, ways: Ways) -> (u8, Ways) {
        let (var, [over, joined]) = self.close(local, [ways.over, ways.joined]);
        let over = over.filter(|&over| self.graph.constant(over).is_none_or(|holds| holds == 0));
        let joined = joined.filter(|&joined| self.graph.constant(joined) != Some(0));
        (var, Ways { over, joined, ..ways })
    }

    /// Turns the local that holds a space in a number of it into a loop variable.
    pub fn close_each(&mut self, local: u8, each: Option<ExprId>) -> (u8, Option<ExprId>) {
        let (var, [each, _]) = self.close(local, [each, None]);
        (var, each)
    }

    /// Creates an expression that folds a body over the neighbours of a space.
    pub fn fold_neighbours(&mut self, fold: Fold, (board, of): (u16, ExprId), set: &CardSet, body: Option<ExprId>) -> ExprId {
        let (var, [filter, body]) = self.close(set.local, [set.filter, body]);
        self.make(Expr::OverNeighbours { fold, board, of, var, filter, body })
    }

    /// Creates an expression that folds a body over the seats of a set.
    pub fn fold_seats(&mut self, fold: Fold, set: &PlayerSet, body: Option<ExprId>) -> ExprId {
        let (var, [filter, body]) = self.close(set.local, [set.filter, body]);
        self.make(Expr::OverSeats { fold, others: set.others, var, filter, body })
    }

    /// Creates the whole value of a quantity, with its arguments in locals: base, temporary differences, changes by cards, and bounds.
    pub fn whole_quantity(&mut self, index: u16) -> ExprId {
        let of = &self.quantities[index as usize];
        let (mut value, differences, is_changed, bounds) =
            (of.base, of.differences, of.changed, [(of.upper_bound, NumberOp::Min), (of.lower_bound, NumberOp::Max)]);
        let args = if of.args == 0 { [None; 2] } else { [1, 2].map(|local| Some(self.graph.add(Expr::Local { local }))) };
        if let Some(offset) = differences {
            let difference = self.graph.add(Expr::Own { offset: offset + cast::fit::<u16>(Lifetime::ALL.len()) });
            value = self.graph.binary(NumberOp::Add, value, difference);
        }
        if is_changed {
            let changed = self.graph.add(Expr::Changed { quantity: index });
            let applied = self.graph.add(Expr::Applied { quantity: index, value, args });
            value = self.graph.conditional(changed, applied, value);
        }
        for (bound, operator) in bounds {
            if let Some(bound) = bound {
                value = self.graph.binary(operator, value, bound);
            }
        }
        value
    }

    /// Creates a quantity with these arguments: expanded in place, unless that would repeat a loop or read an argument for another seat.
    pub fn name_quantity(&mut self, quantity: u16, args: [Option<ExprId>; 2]) -> ExprId {
        if args == [None; 2] {
            return self.graph.add(Expr::Quantity { quantity, args });
        }
        let args = args.map(|arg| arg.unwrap_or_else(|| self.graph.number(-1)));
        let whole = self.whole_quantity(quantity);
        let facts = self.graph.facts(whole);
        let depth = args.iter().fold(facts.depth, |depth, &arg| depth.saturating_add(self.graph.facts(arg).depth));
        if facts.is_nonlocal || facts.weight > MAX_INLINED || depth > MAX_INLINED_DEPTH {
            return self.graph.add(Expr::Quantity { quantity, args: args.map(Some) });
        }
        self.substitute(whole, &[(1, args[0]), (2, args[1])])
    }
}
