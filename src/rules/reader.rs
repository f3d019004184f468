//! Single lines about a game: a scenario's expressions, in which cards and players can be named, are checked with the definitions of
//! the rules and lowered into a copy of their ruleset that only grows.

use super::check::{Checker, Scope};
use super::checked::{Checked, Lowered, lower};
use super::defs::{DefId, DefKind, Definitions, Owner, Space};
use super::lower::{Env, Extent, Lowerer};
use super::setup::Setup;
use super::syntax::ast;
use super::typed::{Below, Body, Expr, ExprKind, Part, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, NodeId, Ruleset};
use std::collections::BTreeSet;

/// The first local that is free in a line: those before it are a card's.
const FREE: usize = 3;

/// What a line of a position can write, as the definitions say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A cell of the table.
    Table(u16),
    /// A cell of a seat.
    Seat(u16),
    /// One of several cells of a seat.
    SeatAt {
        /// The first.
        offset: u16,
        /// How many.
        len: u16,
        /// Which.
        index: NodeId,
    },
    /// A counter of a card.
    Counter {
        /// The card.
        card: NodeId,
        /// Where in a piece it lies.
        offset: u16,
    },
    /// A quantity, which gets a difference.
    Quantity(u16),
    /// What follows from the position, and cannot be written.
    Follows,
}

/// Reads lines about a game.
pub struct Reader {
    checker: Checker<'static>,
    lowered: Lowered,
}

impl Reader {
    /// A reader of lines about a game with these players and options; `None` when there is an error among the diagnostics.
    pub(super) fn open(checked: &Checked, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Reader> {
        diagnostics.extend(checked.diagnostics.iter().cloned());
        let lowered = lower(checked, setup, players, diagnostics);
        let failed = diagnostics.iter().any(|wrong| wrong.severity == Severity::Error);
        (!failed).then(|| Reader { checker: Checker::of_lines(checked.rules.clone()), lowered })
    }

    /// The ruleset, with what was read since.
    pub fn rules(&self) -> &Ruleset {
        &self.lowered.rules
    }

    /// The ruleset, to be finished.
    pub(super) fn rules_mut(&mut self) -> &mut Ruleset {
        &mut self.lowered.rules
    }

    /// Everything that has a name.
    pub fn definitions(&self) -> &Definitions {
        &self.checker.rules.defs
    }

    /// Types and lowers an expression in which cards and players can be named.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&mut self, expr: &ast::Expr) -> Result<(NodeId, Type), Box<Diagnostic>> {
        let (found, ty) = self.typed(expr)?;
        self.lowered(&found).map(|made| (made, ty))
    }

    /// Lowers an expression of a line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn lowered(&mut self, expr: &Expr) -> Result<NodeId, Box<Diagnostic>> {
        let mut wrong = Vec::new();
        let made = self.lowerer(&mut wrong).expr(expr, &mut Env::from(FREE));
        first_error(wrong).map_or(Ok(made), Err)
    }

    /// Types an expression in which cards and players can be named.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn typed(&mut self, expr: &ast::Expr) -> Result<(Expr, Type), Box<Diagnostic>> {
        let mut scope = Scope::new();
        scope.open = Some(self.lowered.chosen.players);
        let found = self.checker.infer(expr, &mut scope, None);
        if let Some(wrong) = first_error(std::mem::take(&mut self.checker.diagnostics)) {
            return Err(wrong);
        }
        let ty = self.checker.types.known(found.ty);
        Ok((Expr { ty, ..found }, ty))
    }

    /// What a comparison compares.
    pub fn sides(&mut self, expr: &ast::Expr) -> Option<(Compare, NodeId, NodeId)> {
        let ExprKind::Compare(how, a, b) = self.typed(expr).ok()?.0.kind else { return None };
        Some((how, self.lowered(&a).ok()?, self.lowered(&b).ok()?))
    }

    /// What an expression comes to whatever happens in a game and whatever is printed on cards: what players and options settle.
    pub fn settled(&mut self, expr: &ast::Expr) -> Option<i64> {
        let (found, _) = self.typed(expr).ok()?;
        self.lowerer(&mut Vec::new()).settled(&found)
    }

    /// What a line writes that sets an expression, and whose it says that is; nothing if it is worked out from other things.
    ///
    /// # Errors
    /// What is wrong with it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else there is can be written")]
    pub fn target(&mut self, expr: &Expr) -> Result<Option<(Target, Option<usize>)>, Box<Diagnostic>> {
        let slot = |reader: &Reader, def: DefId| reader.lowered.slots.get(def);
        let target = match &expr.kind {
            ExprKind::Of(seat, body) => {
                let said = if let ExprKind::Const(seat) = seat.kind { usize::try_from(seat).ok() } else { None };
                return Ok(self.target(body)?.map(|(target, inner)| (target, inner.or(said))));
            }
            // What is nothing but another name.
            ExprKind::Define(def, _) | ExprKind::Named(def) => match self.checker.rules.bodies.get(def) {
                Some(Body::Value(params, value)) if params.is_empty() => {
                    let value = value.clone();
                    return self.target(&value);
                }
                _ => None,
            },
            ExprKind::Round | ExprKind::Turn => Some(Target::Follows),
            ExprKind::Variable(def) => slot(self, *def).map(|slot| match slot.owner {
                Owner::Table => Target::Table(slot.offset),
                Owner::Player | Owner::Card => Target::Seat(slot.offset),
            }),
            // What is chosen of an option of each player lies in a cell.
            ExprKind::Option(def) => slot(self, *def).map(|slot| Target::Seat(slot.offset)),
            ExprKind::TallyItem(def, index) => match slot(self, *def) {
                Some(slot) => Some(Target::SeatAt { offset: slot.offset, len: slot.len, index: self.lowered(index)? }),
                None => None,
            },
            ExprKind::Amount(resource) => {
                let len = cast::fit::<u16>(self.rules().resources.len());
                Some(Target::SeatAt { offset: 0, len, index: self.lowered(resource)? })
            }
            ExprKind::Counter(card, def) => match slot(self, *def) {
                Some(slot) => Some(Target::Counter { card: self.lowered(card)?, offset: slot.offset }),
                None => None,
            },
            ExprKind::Quantity(def, args) if args.is_empty() => {
                let index = cast::fit::<u16>(self.checker.rules.defs[*def].what.index());
                self.rules().quantities[index as usize].differences.map(|_| Target::Quantity(index))
            }
            _ => None,
        };
        Ok(target.map(|target| (target, None)))
    }

    /// What names are bound to where each question of the ruleset stands.
    pub fn asked(&self) -> &[Env] {
        &self.lowered.asked
    }

    /// Where names are bound in a line.
    pub fn of_line() -> Env {
        Env::from(FREE)
    }

    /// Expressions of the rules can be lowered once more, each for itself. What is lowered so is to be taken back by
    /// [`Reader::take_back`].
    pub fn lowerer<'r>(&'r mut self, wrong: &'r mut Vec<Diagnostic>) -> Lowerer<'r> {
        let Lowered { chosen, slots, rules, .. } = &mut self.lowered;
        Lowerer::new(&self.checker.rules, slots, chosen, rules, wrong)
    }

    /// How much the ruleset holds, before something is lowered once more.
    pub fn mark(&self) -> Extent {
        Extent::of(&self.lowered.rules)
    }

    /// Takes back what was lowered since.
    pub fn take_back(&mut self, extent: Extent) {
        extent.take_back(&mut self.lowered.rules);
    }

    /// The typed rules.
    pub fn tree(&self) -> &Rules {
        &self.checker.rules
    }

    /// How a condition turns out whatever happens in a game, where that is certain.
    pub fn certain(&mut self, condition: &ast::Expr) -> Option<bool> {
        let mut scope = Scope::new();
        scope.open = Some(self.lowered.chosen.players);
        let found = self.checker.infer(condition, &mut scope, None);
        self.checker.diagnostics.clear();
        self.checker.certain(&found)
    }

    /// The number by which a state knows a word of a list.
    pub fn word(&self, ty: Type, word: &str) -> Option<i64> {
        let Type::Choice(list) = ty else { return None };
        self.definitions().word_in(list, word).map(cast::count)
    }

    /// The names that a guard of an action is about, also by way of definitions.
    pub fn names_in_guard(&self, action: &str, guard: &str) -> BTreeSet<String> {
        let rules = &self.checker.rules;
        let turns = rules.phases.iter().flat_map(|phase| &phase.parts).filter_map(|part| match part {
            Part::Turns(turns) => Some(turns),
            Part::Step(_) | Part::Do(_) => None,
        });
        let mut names = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for action in turns.flat_map(|turns| &turns.actions).filter(|found| found.name == action) {
            for guard in action.guards.iter().filter(|found| found.name == guard) {
                names_in(rules, &guard.holds, &mut names, &mut seen);
            }
        }
        names
    }

    /// The names of conditions.
    pub fn is_condition(&self, name: &str) -> bool {
        matches!(self.definitions().what(Space::Value, name), Some(DefKind::Condition))
    }
}

fn first_error(wrong: Vec<Diagnostic>) -> Option<Box<Diagnostic>> {
    wrong.into_iter().find(|wrong| wrong.severity == Severity::Error).map(Box::new)
}

fn names_in(rules: &Rules, expr: &Expr, names: &mut BTreeSet<String>, seen: &mut BTreeSet<DefId>) {
    expr.walk(&mut |below| {
        let Below::Name(def) = below else { return };
        names.insert(rules.defs[def].name.clone());
        // What a definition stands for is read where it is named; a quantity has a name of its own.
        if let Some(Body::Value(_, value)) = rules.bodies.get(&def)
            && seen.insert(def)
        {
            names_in(rules, value, names, seen);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::Target;
    use crate::compile::open;
    use crate::engine::node::Type;
    use crate::sample::text;
    use crate::setup::Setup;
    use crate::source::FileId;
    use crate::syntax::parse_expr;

    fn read(line: &str) -> Result<Type, String> {
        let (_, text) = text("", "");
        let mut reader = open(&text, &Setup { every_piece: true, ..Setup::default() }, &mut Vec::new()).expect("the game is sound");
        let before = reader.rules().graph.count();
        let mut wrong = Vec::new();
        let Some(parsed) = parse_expr(FileId(9), line, 0, &mut wrong) else { return Err(wrong[0].message.clone()) };
        let found = reader.read(&parsed).map(|found| found.1).map_err(|wrong| wrong.message);
        assert!(found.is_err() || reader.rules().graph.count() >= before, "what was read before stays");
        found
    }

    #[test]
    fn players_and_cards_can_be_named() {
        for (line, wanted) in [
            ("p1.wisp", Type::Number),
            ("p2.wisp == 3", Type::Truth),
            ("mud in p1.yard", Type::Truth),
            ("mud.height", Type::Number),
            ("count p2.yard", Type::Number),
            ("wisp in p2.short", Type::Truth),
            ("p3.seen[hut]", Type::Number),
            ("p1.price(mud)", Type::Number),
            ("p1.yard is mud", Type::Truth),
        ] {
            assert_eq!(read(line), Ok(wanted), "{line}");
        }
        assert_eq!(read("p4.wisp"), Err("there is no player 4; there are 3".to_string()));
        assert_eq!(read("p1.wsip"), Err("`wsip` is not a name of this game".to_string()));
        assert!(matches!(read("p1.level"), Ok(Type::Choice(_))));
    }

    #[test]
    fn what_a_line_writes_is_what_its_name_is() {
        let (_, text) = text("define riches = wisp\ndefine twice = wisp * 2\n", "");
        let mut reader = open(&text, &Setup { every_piece: true, ..Setup::default() }, &mut Vec::new()).expect("the game is sound");
        let mut target = |line: &str| {
            let parsed = parse_expr(FileId(9), line, 0, &mut Vec::new()).expect("a line");
            let (typed, _) = reader.typed(&parsed).expect("an expression");
            reader.target(&typed).expect("nothing is wrong")
        };
        assert_eq!(target("p2.moss"), Some((Target::Seat(1), Some(1))));
        assert_eq!(target("p1.riches"), target("p1.wisp"), "another name for it");
        assert!(matches!(target("moon"), Some((Target::Table(_), None))));
        assert!(matches!(target("p3.seen[hut]"), Some((Target::SeatAt { len: 2, .. }, Some(2)))));
        assert!(matches!(target("mud.bites"), Some((Target::Counter { .. }, None))));
        assert!(matches!(target("p1.fame"), Some((Target::Quantity(_), Some(0)))));
        assert_eq!(target("round"), Some((Target::Follows, None)));
        assert_eq!(["p1.twice", "p1.price(mud)", "mud.height"].map(&mut target), [None; 3]);
    }

    #[test]
    fn what_players_and_options_settle_is_known_whatever_is_printed() {
        let (_, text) = text("", "");
        let mut reader = open(&text, &Setup { players: 2, ..Setup::default() }, &mut Vec::new()).expect("the game is sound");
        let before = reader.rules().graph.count();
        let mut settled = |line: &str| reader.settled(&parse_expr(FileId(9), line, 0, &mut Vec::new()).expect("a line"));
        assert_eq!(["players + 2", "bonus == 1", "mud.height", "mud.height * 0"].map(&mut settled), [Some(4), Some(1), None, Some(0)]);
        assert_eq!(reader.rules().graph.count(), before, "it is taken back");
    }

    #[test]
    fn a_word_of_an_option_has_a_number_and_a_guard_its_names() {
        let (_, text) = text("condition rich = wisp > 3\n", "");
        let reader = open(&text, &Setup::default(), &mut Vec::new()).expect("the game is sound");
        let list = reader.definitions().lists.iter().position(|list| list[0] == "low").unwrap() as u16;
        assert_eq!((reader.word(Type::Choice(list), "high"), reader.word(Type::Choice(list), "odd")), (Some(1), None));
        assert!(reader.is_condition("rich") && !reader.is_condition("fame"));
        assert!(reader.names_in_guard("fetch", "none").is_empty());
    }
}
