//! Single lines about a game: a scenario's expressions, in which cards and players can be named, are checked with the definitions of
//! the rules and lowered into a copy of their ruleset that only grows.

use super::check::{Checker, Scope};
use super::checked::{Checked, Lowered, lower};
use super::defs::{DefId, DefKind, Definitions, Space};
use super::lower::{Env, Lowerer};
use super::setup::Setup;
use super::syntax::ast;
use super::typed::{Below, Body, Expr, Part, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::node::Type;
use crate::engine::ruleset::{NodeId, Ruleset};
use std::collections::BTreeSet;

/// The first local that is free in a line: those before it are a card's.
const FREE: usize = 3;

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
        let Lowered { chosen, slots, rules, .. } = &mut self.lowered;
        let mut wrong = Vec::new();
        let node = Lowerer::new(&self.checker.rules, slots, chosen, rules, &mut wrong).expr(&found, &mut Env::from(FREE));
        first_error(wrong).map_or(Ok((node, ty)), Err)
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
    pub fn mark(&self) -> [usize; 5] {
        let rules = &self.lowered.rules;
        [rules.nodes.len(), rules.sets.len(), rules.player_sets.len(), rules.token_sets.len(), rules.ranks.len()]
    }

    /// Takes back what was lowered since.
    pub fn take_back(&mut self, [nodes, sets, player_sets, token_sets, ranks]: [usize; 5]) {
        let rules = &mut self.lowered.rules;
        rules.nodes.truncate(nodes);
        rules.sets.truncate(sets);
        rules.player_sets.truncate(player_sets);
        rules.token_sets.truncate(token_sets);
        rules.ranks.truncate(ranks);
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
    use crate::compile::open;
    use crate::engine::node::Type;
    use crate::sample::text;
    use crate::setup::Setup;
    use crate::source::FileId;
    use crate::syntax::parse_expr;

    fn read(line: &str) -> Result<Type, String> {
        let (_, text) = text("", "");
        let mut reader = open(&text, &Setup { every_piece: true, ..Setup::default() }, &mut Vec::new()).expect("the game is sound");
        let before = reader.rules().nodes.len();
        let mut wrong = Vec::new();
        let Some(parsed) = parse_expr(FileId(9), line, 0, &mut wrong) else { return Err(wrong[0].message.clone()) };
        let found = reader.read(&parsed).map(|found| found.1).map_err(|wrong| wrong.message);
        assert!(found.is_err() || reader.rules().nodes.len() >= before, "what was read before stays");
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
    fn a_word_of_an_option_has_a_number_and_a_guard_its_names() {
        let (_, text) = text("condition rich = wisp > 3\n", "");
        let reader = open(&text, &Setup::default(), &mut Vec::new()).expect("the game is sound");
        let list = reader.definitions().lists.iter().position(|list| list[0] == "low").unwrap() as u16;
        assert_eq!((reader.word(Type::Choice(list), "high"), reader.word(Type::Choice(list), "odd")), (Some(1), None));
        assert!(reader.is_condition("rich") && !reader.is_condition("fame"));
        assert!(reader.names_in_guard("fetch", "none").is_empty());
    }
}
