//! Reads single lines about a game, such as the expressions of a scenario, which can name cards and players. They are checked against the
//! game's definitions and lowered into a copy of its ruleset, which only grows.

use super::check::Checker;
use super::checked::{Checked, Lowered, lower};
use super::defs::{DefId, DefKind, Definitions, Owner, Space};
use super::lower::{Bindings, Checkpoint, Lowerer};
use super::setup::Setup;
use super::slots::Slot;
use super::syntax::ast;
use super::typed::{Body, Expr, ExprChild, ExprKind, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::ruleset::{Cells, Choice, Compare, NodeId, Ruleset, Target};
use std::collections::BTreeSet;

/// The first free local in a line; the ones before it belong to a card's entry.
const FIRST_FREE_LOCAL: usize = 3;

/// The thing that a line of a position assigns a value to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionTarget {
    /// A cell of the table, of a seat or of a card.
    Cells(Target),
    /// A quantity; assigning to it changes it by a difference.
    Quantity(u16),
    /// A value that is derived from the position and cannot be assigned.
    Derived,
}

/// Reads lines about a game, for a fixed choice of players and options.
pub struct LineReader {
    checker: Checker<'static>,
    lowered: Lowered,
}

impl LineReader {
    /// Creates a reader for a checked game with this set-up; `None` if there are errors among the diagnostics.
    pub(super) fn open(checked: &Checked, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<LineReader> {
        diagnostics.extend(checked.diagnostics.iter().cloned());
        let lowered = lower(checked, setup, players, diagnostics);
        let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        (!failed).then(|| LineReader { checker: Checker::for_lines(checked.rules.clone(), lowered.chosen.players), lowered })
    }

    /// Returns the ruleset, including everything read so far.
    pub fn rules(&self) -> &Ruleset {
        &self.lowered.rules
    }

    /// Gives access to the ruleset, so that it can be completed.
    pub(super) fn rules_mut(&mut self) -> &mut Ruleset {
        &mut self.lowered.rules
    }

    /// Returns all declared names.
    pub fn definitions(&self) -> &Definitions {
        &self.checker.rules.defs
    }

    /// Checks and lowers an expression, in which cards and players can be named.
    ///
    /// # Errors
    /// Why it is invalid.
    pub fn read(&mut self, expr: &ast::Expr) -> Result<(NodeId, Type), Box<Diagnostic>> {
        let (found, ty) = self.typed(expr)?;
        self.lowered(&found).map(|made| (made, ty))
    }

    /// Lowers an expression that has been checked.
    ///
    /// # Errors
    /// Why it cannot be lowered with this choice of players and options.
    pub fn lowered(&mut self, expr: &Expr) -> Result<NodeId, Box<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let made = self.lowerer(&mut diagnostics).lower_expr(expr, &mut Bindings::with_free_locals_from(FIRST_FREE_LOCAL));
        first_error(diagnostics).map_or(Ok(made), Err)
    }

    /// Checks an expression, in which cards and players can be named.
    ///
    /// # Errors
    /// Why it is invalid.
    pub fn typed(&mut self, expr: &ast::Expr) -> Result<(Expr, Type), Box<Diagnostic>> {
        let found = self.checker.infer(expr, None);
        if let Some(diagnostic) = first_error(std::mem::take(&mut self.checker.diagnostics)) {
            return Err(diagnostic);
        }
        let ty = self.checker.types.resolve(found.ty);
        Ok((Expr { ty, ..found }, ty))
    }

    /// Reads a comparison: returns its operator and the nodes of both operands. `None` if the expression is no comparison.
    pub fn sides(&mut self, expr: &ast::Expr) -> Option<(Compare, NodeId, NodeId)> {
        let ExprKind::Compare { operator, a, b } = self.typed(expr).ok()?.0.kind else { return None };
        Some((operator, self.lowered(&a).ok()?, self.lowered(&b).ok()?))
    }

    /// Returns the value of an expression that depends on nothing but players and options; `None` if cards or the state matter.
    pub fn constant_value(&mut self, expr: &ast::Expr) -> Option<i64> {
        let (found, _) = self.typed(expr).ok()?;
        self.lowerer(&mut Vec::new()).constant_value(&found)
    }

    /// Returns the target of an assignment to this expression, and the seat that it names; `None` if its value is computed.
    ///
    /// # Errors
    /// Why it is invalid.
    #[allow(clippy::wildcard_enum_match_arm, reason = "no other expression can be assigned to")]
    pub fn target(&mut self, expr: &Expr) -> Result<Option<(PositionTarget, Option<usize>)>, Box<Diagnostic>> {
        let slot_of = |reader: &LineReader, def: &DefId| reader.lowered.slots.get(*def);
        let cells_of = |slot: Slot| if slot.owner == Owner::Table { Cells::Table } else { Cells::Seat(None) };
        let target = match &expr.kind {
            ExprKind::Of { seat, body } => {
                let said = if let ExprKind::Const(seat) = seat.kind { usize::try_from(seat).ok() } else { None };
                return Ok(self.target(body)?.map(|(target, inner)| (target, inner.or(said))));
            }
            // An alias: a definition without parameters stands for its value.
            ExprKind::Define { definition: def, .. } | ExprKind::Named(def) => match self.checker.rules.bodies.get(def) {
                Some(Body::Value(params, value)) if params.is_empty() => {
                    let value = value.clone();
                    return self.target(&value);
                }
                _ => None,
            },
            ExprKind::Round | ExprKind::Turn => Some(PositionTarget::Derived),
            // The value of a player's option is stored in a cell.
            ExprKind::Variable(def) | ExprKind::Option(def) => {
                slot_of(self, def).map(|slot| PositionTarget::Cells(Target { of: cells_of(slot), offset: slot.offset, element: None }))
            }
            ExprKind::TallyItem { tally: def, index } if let Some(slot) = slot_of(self, def) => {
                let index = match self.lowered.slots.first_number(*def) {
                    Some(first) => {
                        let first = Expr::constant(first, Type::Number, index.span);
                        self.lowered(&index.clone().combined(NumberOp::Sub, first, index.span))?
                    }
                    None => self.lowered(index)?,
                };
                Some(PositionTarget::Cells(Target { of: cells_of(slot), offset: slot.offset, element: Some((slot.len, index)) }))
            }
            ExprKind::Amount(resource) => {
                let element = Some((cast::fit::<u16>(self.rules().resources.len()), self.lowered(resource)?));
                Some(PositionTarget::Cells(Target { of: Cells::Seat(None), offset: 0, element }))
            }
            ExprKind::Counter { card, counter: def } if let Some(slot) = slot_of(self, def) => {
                Some(PositionTarget::Cells(Target { of: Cells::Piece(self.lowered(card)?), offset: slot.offset, element: None }))
            }
            ExprKind::CounterItem { card, counter: def, index }
                if expr.ty == Type::Number
                    && let Some(slot) = slot_of(self, def) =>
            {
                let (card, index) = (self.lowered(card)?, self.lowered(index)?);
                Some(PositionTarget::Cells(Target { of: Cells::Piece(card), offset: slot.offset, element: Some((slot.len, index)) }))
            }
            ExprKind::Quantity { quantity: def, args } if args.is_empty() => {
                let index = cast::fit::<u16>(self.checker.rules.defs[*def].kind.index());
                self.rules().quantities[index as usize].differences.map(|_| PositionTarget::Quantity(index))
            }
            _ => None,
        };
        Ok(target.map(|target| (target, None)))
    }

    /// Returns, for each question of the ruleset, the bindings of local names that are visible to it.
    pub fn question_bindings(&self) -> &[Bindings] {
        &self.lowered.question_bindings
    }

    /// Returns the bindings with which a line is read: no names yet.
    pub fn of_line() -> Bindings {
        Bindings::with_free_locals_from(FIRST_FREE_LOCAL)
    }

    /// Creates a lowerer for expressions of the rules, each to be lowered again on its own. Remove the results with
    /// [`LineReader::roll_back`] afterwards.
    pub fn lowerer<'r>(&'r mut self, diagnostics: &'r mut Vec<Diagnostic>) -> Lowerer<'r> {
        let Lowered { chosen, slots, rules, .. } = &mut self.lowered;
        Lowerer::new(&self.checker.rules, slots, chosen, rules, diagnostics)
    }

    /// Returns a checkpoint of the ruleset, to return to after lowering more expressions.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint::record(&self.lowered.rules)
    }

    /// Removes everything that was lowered since a checkpoint.
    pub fn roll_back(&mut self, checkpoint: Checkpoint) {
        checkpoint.roll_back(&mut self.lowered.rules);
    }

    /// Returns the typed rules.
    pub fn tree(&self) -> &Rules {
        &self.checker.rules
    }

    /// Returns the truth value of a condition, if it does not depend on the state of a game.
    pub fn constant_truth(&mut self, condition: &ast::Expr) -> Option<bool> {
        let found = self.checker.infer(condition, None);
        self.checker.diagnostics.clear();
        self.checker.constant_truth(&found)
    }

    /// Returns the number that represents a word of a type in the state.
    pub fn word(&self, ty: Type, word: &str) -> Option<i64> {
        let Type::Choice(list) = ty else { return None };
        self.definitions().word_in(list, word).map(cast::count)
    }

    /// Returns the names that a guard of an action or answer refers to, directly or through definitions.
    pub fn names_in_guard(&self, choice: &Choice, guard: &str) -> BTreeSet<String> {
        let rules = &self.checker.rules;
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let actions = rules.turns().flat_map(|turns| &turns.actions).filter(|_| choice.action.is_some());
        let answers =
            rules.question(&choice.address).filter(|_| choice.action.is_none()).into_iter().flat_map(|question| &question.choices);
        let name = self.lowered.rules.names.text(choice.name);
        for choice in actions.chain(answers).filter(|found| found.name == name) {
            for guard in choice.guards.iter().filter(|found| found.name == guard) {
                names_in(rules, &guard.holds, &mut names, &mut seen);
            }
        }
        names
    }

    /// Whether this is the name of a condition.
    pub fn is_condition(&self, name: &str) -> bool {
        matches!(self.definitions().kind_of(Space::Value, name), Some(DefKind::Condition))
    }
}

fn first_error(diagnostics: Vec<Diagnostic>) -> Option<Box<Diagnostic>> {
    diagnostics.into_iter().find(|diagnostic| diagnostic.severity == Severity::Error).map(Box::new)
}

fn names_in(rules: &Rules, expr: &Expr, names: &mut BTreeSet<String>, seen: &mut BTreeSet<DefId>) {
    expr.walk(&mut |below| {
        let ExprChild::Definition(def) = below else { return };
        names.insert(rules.defs[def].name.clone());
        // Definitions are expanded in place; a quantity is referred to by its name.
        if let Some(Body::Value(_, value)) = rules.bodies.get(&def)
            && seen.insert(def)
        {
            names_in(rules, value, names, seen);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::{LineReader, PositionTarget};
    use crate::compile::open_reader;
    use crate::engine::node::Type;
    use crate::engine::ruleset::{Cells, Target};
    use crate::setup::Setup;
    use crate::source::FileId;
    use crate::syntax::{ast, parse_expr};
    use crate::testing::text;

    fn reader(rules: &str) -> LineReader {
        open_reader(&text(rules, "").1, &Setup { every_piece: true, ..Setup::default() }, &mut Vec::new()).expect("the game is sound")
    }

    fn parsed(line: &str) -> ast::Expr {
        parse_expr(FileId(9), line, 0, &mut Vec::new()).expect("a line")
    }

    #[test]
    fn what_a_line_writes_is_what_its_name_is() {
        let mut reader = reader("define riches = wisp\ndefine twice = wisp * 2\n");
        let mut target = |line: &str| {
            let (typed, _) = reader.typed(&parsed(line)).expect("an expression");
            reader.target(&typed).expect("nothing is wrong")
        };
        let written = |of, offset, element| PositionTarget::Cells(Target { of, offset, element });
        assert_eq!(target("p2.moss"), Some((written(Cells::Seat(None), 1, None), Some(1))));
        assert_eq!(target("p1.riches"), target("p1.wisp"), "another name for it");
        let mut cells = |line: &str| {
            let Some((PositionTarget::Cells(cells), said)) = target(line) else { panic!("cells: {line}") };
            (cells.of, cells.element.map(|(len, _)| len), said)
        };
        assert_eq!(cells("moon"), (Cells::Table, None, None));
        assert_eq!(cells("p3.seen[hut]"), (Cells::Seat(None), Some(2), Some(2)));
        assert!(matches!(cells("mud.bites"), (Cells::Piece(_), None, None)));
        assert!(matches!(target("p1.fame"), Some((PositionTarget::Quantity(_), Some(0)))));
        assert_eq!(target("round"), Some((PositionTarget::Derived, None)));
        assert_eq!(["p1.twice", "p1.price(mud)", "mud.height"].map(&mut target), [None; 3]);
    }

    #[test]
    fn what_is_read_stays_and_what_is_worked_out_is_taken_back() {
        let mut reader = reader("");
        let before = reader.rules().graph.count();
        assert_eq!(reader.constant_value(&parsed("players + mud.height")), None);
        assert_eq!(reader.rules().graph.count(), before);
        assert!(reader.read(&parsed("p2.wisp == 77")).is_ok() && reader.rules().graph.count() > before);
    }

    #[test]
    fn a_word_of_an_option_has_a_number_and_a_guard_its_names() {
        let reader = reader("condition rich = wisp > 3\n");
        let list = reader.definitions().lists.iter().position(|list| list[0] == "low").unwrap() as u16;
        assert_eq!((reader.word(Type::Choice(list), "high"), reader.word(Type::Choice(list), "odd")), (Some(1), None));
        assert!(reader.is_condition("rich") && !reader.is_condition("fame"));
        let fetch = reader.rules().choices[0].clone();
        assert!(reader.names_in_guard(&fetch, "none").is_empty());
    }
}
