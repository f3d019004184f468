//! Checking: the syntax tree becomes the typed tree. Every name is looked up among the definitions, every expression gets a type;
//! what is wrong is reported once, where it stands, and not where it is used.
//!
//! A body is checked when it is first needed, so that whoever names a definition knows the types of its parameters.

mod at_once;
#[allow(clippy::wildcard_enum_match_arm, reason = "of whatever else an expression is, nothing is certain")]
mod certain;
mod entries;
mod expr;
mod names;
mod program;
mod sets;
mod stmt;
mod track;
mod whose;

pub use names::seat_prefix;

use self::certain::Certain;
use super::collect::{Collected, Source};
use super::cycles::{Args, Graph, Mention};
use super::defs::{AGENTS, DefId, DefKind, Space};
use super::problem::{Problem, Wrong};
use super::syntax::ast::{self, Name};
use super::typed::{Bind, Body, Expr, ExprKind, Param, Quantity, Rank, Rules};
use super::types::Types;
use crate::diagnostic::{Diagnostic, DoublesIndex};
use crate::engine::node::Type;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Definitions that need each other are followed to this depth; deeper ones are checked by themselves.
const MAX_DEPTH: usize = 100;

/// Names bound around an expression.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    bound: Vec<(String, Bind, Type)>,
    /// Cards and players can be named: how many play. For scenarios.
    pub open: Option<usize>,
    /// Whether statements here certainly run.
    certain: bool,
}

/// A game that says only when it ends has no more rounds than this.
const MOST_ROUNDS: i64 = 1000;

impl Scope {
    /// Nothing bound.
    pub fn new() -> Scope {
        Scope { certain: true, ..Scope::default() }
    }

    /// What a name is bound to.
    pub fn find(&self, name: &str) -> Option<(Bind, Type)> {
        self.bound.iter().rev().find(|bound| bound.0 == name).map(|bound| (bound.1, bound.2))
    }
}

/// Checks what was collected.
pub(super) struct Checker<'t> {
    /// The typed tree in the making.
    pub rules: Rules,
    /// Types of parameters.
    pub types: Types,
    /// Bodies that are still to be checked.
    sources: BTreeMap<DefId, Source<'t>>,
    /// Who mentions whom.
    pub graph: Graph,
    /// Whose body is being checked, each within the one that needed it.
    path: Vec<DefId>,
    /// Definitions of which a body has been checked, or is being.
    begun: BTreeSet<DefId>,
    /// The card's entry that is being checked.
    pub current_entry: Option<(Args, Span, String)>,
    /// How many names have been bound: the number of the next [`Bind`].
    next_bind: u32,
    /// Ids of all questions so far.
    questions: Vec<String>,
    /// How the id of the next question begins: the action, effect or step that asks it.
    question_prefix: String,
    /// Moments that rules raise.
    raised_moments: BTreeSet<DefId>,
    /// Those of them that are about a card somewhere.
    about_card: BTreeSet<DefId>,
    /// Whether a moment is raised that the list of moments does not know.
    missed_moment: bool,
    /// What is read moves machine players: their names come first.
    for_agents: bool,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// Finds what has been reported already.
    reported: DoublesIndex,
}

impl<'t> Checker<'t> {
    /// A checker of what was collected.
    pub fn new(collected: Collected<'t>) -> Checker<'t> {
        let Collected { rules, sources, diagnostics, .. } = collected;
        Checker::over(rules, sources, diagnostics)
    }

    /// A checker of single lines about rules that have been checked.
    pub fn of_lines(rules: Rules) -> Checker<'t> {
        Checker::over(rules, BTreeMap::new(), Vec::new())
    }

    fn over(rules: Rules, sources: BTreeMap<DefId, Source<'t>>, diagnostics: Vec<Diagnostic>) -> Checker<'t> {
        let sources_empty = sources.is_empty();
        Checker {
            rules,
            types: Types::default(),
            sources,
            graph: Graph::default(),
            path: Vec::new(),
            begun: BTreeSet::new(),
            current_entry: None,
            // Lines are lowered beside what has been bound before: names of their own.
            next_bind: if sources_empty { 1 << 24 } else { 0 },
            questions: Vec::new(),
            question_prefix: String::new(),
            raised_moments: BTreeSet::new(),
            about_card: BTreeSet::new(),
            missed_moment: false,
            for_agents: false,
            diagnostics,
            reported: DoublesIndex::default(),
        }
    }

    /// Checks the bodies of all definitions, in the order of the text.
    pub fn bodies(&mut self) {
        let all: Vec<DefId> = self.sources.keys().copied().collect();
        all.into_iter().for_each(|def| self.ensure_checked(def));
    }

    /// Writes the types of parameters, which are known by now, into the tree, and reports what is only seen in the whole: definitions in
    /// terms of themselves, blocks of all players within each other, and what is done for a player where there is none.
    pub fn finish(&mut self) {
        for body in self.rules.bodies.values_mut() {
            let params = match body {
                Body::Value(params, value) => {
                    value.ty = self.types.known(value.ty);
                    params
                }
                Body::Effect(params, _) => params,
                Body::Quantity(quantity) => &mut quantity.params,
                Body::Rank(_) => continue,
            };
            params.iter_mut().for_each(|param| param.ty = self.types.known(param.ty));
        }
        at_once::blocks_at_once(&self.rules).into_iter().for_each(|wrong| self.report(wrong));
        whose::without_subject(&self.rules).into_iter().for_each(|wrong| self.report(wrong));
        for circle in self.graph.circles() {
            let wrong = self.graph.circular(&self.rules.defs, &circle);
            self.diagnostics.push(wrong);
        }
    }

    // ------------------------------------------------------------------ what is wrong

    /// Collects what is wrong, each of it once.
    pub fn report(&mut self, wrong: impl Into<Wrong>) {
        let wrong = wrong.into();
        if !self.reported.holds(&self.diagnostics, &wrong) {
            self.diagnostics.push(*wrong);
        }
    }

    /// Reports a name that nothing has, unless a declaration that could not be read may declare it.
    fn unknown(&mut self, name: &str, span: Span, what: &str, spaces: &[Space]) {
        if self.rules.defs.is_suspect(name) {
            return;
        }
        let defs = &self.rules.defs;
        let own: Vec<&str> = defs.names(Space::Value).filter_map(|known| known.strip_prefix(AGENTS)).collect();
        let wrong = match spaces.contains(&Space::Value)
            && self.speaks_for_agents()
            && crate::diagnostic::nearest(name, own.iter().copied()).is_some()
        {
            true => defs.unknown_of(name, span, what, own),
            false => defs.unknown(name, span, what, spaces),
        };
        self.report(wrong);
    }

    /// Whether what is read moves machine players.
    fn speaks_for_agents(&self) -> bool {
        match self.path.last() {
            Some(&def) => self.rules.defs[def].name.starts_with(AGENTS),
            None => self.for_agents,
        }
    }

    fn unknown_of(&mut self, name: &str, span: Span, what: &str, known: &[String]) {
        if !self.rules.defs.is_suspect(name) {
            let wrong = self.rules.defs.unknown_of(name, span, what, known.iter().map(String::as_str));
            self.report(wrong);
        }
    }

    /// An expression in the place of what is wrong: it fits everywhere.
    fn poisoned(&mut self, span: Span) -> Expr {
        let ty = self.types.open();
        Expr::poisoned(ty, span)
    }

    /// Reports what is wrong at an expression, and gives one in its place.
    fn wrong(&mut self, problem: Problem, span: Span) -> Expr {
        self.report(problem.at(span));
        self.poisoned(span)
    }

    /// Warns of a condition that always holds, or never does, whatever happens in a game.
    pub fn warn_if_constant(&mut self, condition: &Expr, what: &str) {
        let Some(always) = self.certain(condition) else { return };
        self.report(Problem::Constant { what: what.to_string(), always }.at(condition.span));
    }

    /// Warns of an amount that is always below 0; 0 is a way to say that nothing is to be done.
    pub fn warn_if_negative(&mut self, amount: &Expr) {
        if (Certain { rules: &self.rules }).range(amount, 0).1.is_some_and(|most| most < 0) {
            self.report(Problem::LessThanNothing.at(amount.span));
        }
    }

    /// How a condition turns out whatever happens, where that is certain.
    pub fn certain(&self, condition: &Expr) -> Option<bool> {
        Certain { rules: &self.rules }.certain(condition)
    }

    // ------------------------------------------------------------------ names and bodies

    /// Binds a name.
    pub fn bind(&mut self, scope: &mut Scope, name: &str, ty: Type) -> Bind {
        self.next_bind += 1;
        let bind = Bind(self.next_bind);
        scope.bound.push((name.to_string(), bind, ty));
        bind
    }

    /// Notes that a definition is mentioned, and checks its body if that is still to be done.
    fn mention(&mut self, to: DefId, args: Args) {
        if let Some((only, span, card)) = self.current_entry.clone() {
            let from = self.path.last().copied();
            if let Some(from) = from {
                self.graph.add(Mention { from, only, to, args, entry: Some((span, card)) });
            }
        } else if let Some(&from) = self.path.last() {
            self.graph.add(Mention { from, only: [None; 2], to, args, entry: None });
        }
        self.ensure_checked(to);
    }

    /// Does something on behalf of a definition: what is mentioned there is mentioned by it.
    pub fn on_behalf<T>(&mut self, of: DefId, f: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(of);
        let done = f(self);
        self.path.pop();
        done
    }

    /// Checks the body of a definition, if that is still to be done.
    pub fn ensure_checked(&mut self, def: DefId) {
        if self.path.len() >= MAX_DEPTH || !self.begun.insert(def) {
            return;
        }
        let Some(source) = self.sources.get(&def).copied() else { return };
        let (prefix, entry) = (std::mem::take(&mut self.question_prefix), self.current_entry.take());
        self.path.push(def);
        self.body(def, source);
        self.path.pop();
        (self.question_prefix, self.current_entry) = (prefix, entry);
    }

    fn body(&mut self, def: DefId, source: Source<'t>) {
        let mut scope = Scope::new();
        match source {
            Source::Value(names, value) => {
                let params = self.params(&mut scope, names);
                // A placeholder of the right type, for who wants it while it is being checked.
                let is_condition = self.rules.defs[def].what == DefKind::Condition;
                let ty = if is_condition { Type::Truth } else { self.types.open() };
                self.rules.bodies.insert(def, Body::Value(params.clone(), Expr::poisoned(ty, value.span)));
                let found = if is_condition { self.expr(value, &mut scope, &[Type::Truth]) } else { self.infer(value, &mut scope, None) };
                self.types.alike(ty, found.ty, value.span);
                self.rules.bodies.insert(def, Body::Value(params, found));
            }
            Source::Quantity(names, value, bounds) => {
                if names.len() > 2 {
                    let span = self.rules.defs[def].span.unwrap_or(value.span);
                    let help = "read the rest in the definition itself, or make two quantities of it";
                    self.report(Problem::HasTooMany { whose: "a quantity", most: 2, what: "parameters", help }.at(span));
                }
                let params = self.params(&mut scope, &names[..names.len().min(2)]);
                let base = Expr::poisoned(Type::Number, value.span);
                let ranked = self.rules.defs.find(Space::Value, &format!("{}.rank", self.rules.defs[def].name));
                let mut made = Quantity { params, base, most: None, least: None, ranked };
                self.rules.bodies.insert(def, Body::Quantity(made.clone()));
                made.base = self.expr(value, &mut scope, &[Type::Number]);
                for bound in bounds {
                    match bound {
                        ast::Bound::AtMost(most) => made.most = Some(self.expr(most, &mut scope, &[Type::Number])),
                        ast::Bound::AtLeast(least) => made.least = Some(self.expr(least, &mut scope, &[Type::Number])),
                        // It is a quantity of its own.
                        ast::Bound::RankedAs(_) => {}
                    }
                }
                self.rules.bodies.insert(def, Body::Quantity(made));
            }
            Source::Rank(rule) => {
                if rule.by.text != rule.param.text {
                    let (rank, by, param) = (self.rules.defs[def].name.clone(), rule.by.text.clone(), rule.param.text.clone());
                    self.report(Problem::RankedByAnother { rank, by, param }.at(rule.by.span));
                }
                let leaders = self.expr(&rule.count, &mut scope, &[Type::Number]);
                self.rules.bodies.insert(def, Body::Rank(Rank { top: rule.top, leaders, ties_in: rule.ties_in }));
            }
            Source::Effect(names, block) => {
                if names.len() > 4 {
                    let span = self.rules.defs[def].span.unwrap_or(block.span);
                    let help = "let it read the rest itself, or make two effects of it";
                    self.report(Problem::HasTooMany { whose: "an effect", most: 4, what: "parameters", help }.at(span));
                }
                let params = self.params(&mut scope, &names[..names.len().min(4)]);
                self.rules.bodies.insert(def, Body::Effect(params.clone(), Vec::new()));
                self.question_prefix.clone_from(&self.rules.defs[def].name);
                let block = self.block(block, &mut scope);
                self.rules.bodies.insert(def, Body::Effect(params, block));
            }
            Source::Track(name, end, steps) => self.track(def, name, end, steps),
            Source::Rounds(count, span) => {
                self.rules.cut_off = count.is_none().then_some(MOST_ROUNDS);
                let most = || Expr::constant(MOST_ROUNDS, Type::Number, span);
                self.rules.rounds = Some(count.map_or_else(most, |count| self.expr(count, &mut scope, &[Type::Number])));
            }
            Source::Score(rows) => {
                if rows.is_empty() && !self.rules.defs.has_suspects() {
                    let span = self.rules.defs[def].span;
                    self.report(Problem::NoScore.at(span));
                }
                for row in rows {
                    let value = self.expr(&row.value, &mut scope, &[Type::Number]);
                    self.rules.score.push((row.name.text.clone(), value));
                }
            }
        }
    }

    fn params(&mut self, scope: &mut Scope, names: &[Name]) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        for name in names {
            if params.iter().any(|param| param.name == name.text) {
                self.report(Problem::DeclaredTwice { what: format!("parameter `{}`", name.text) }.at(name.span));
            }
            let ty = self.types.open();
            let bind = self.bind(scope, &name.text, ty);
            params.push(Param { name: name.text.clone(), bind, ty });
        }
        params
    }

    /// The parameters of a definition, once its body has been looked at.
    pub(super) fn params_of(&self, def: DefId) -> Vec<Param> {
        self.rules.bodies.get(&def).map_or(Vec::new(), |body| body.params().to_vec())
    }

    /// An id for a question, which no other question has.
    fn question_id(&mut self) -> String {
        let base = self.question_prefix.clone();
        let alike = self.questions.iter().filter(|id| id.strip_prefix(&base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')));
        let id = match alike.count() {
            0 => base,
            count => format!("{base}.{}", count + 1),
        };
        self.questions.push(id.clone());
        id
    }

    /// A constant argument, for telling circles from what concerns other words.
    fn args_of(args: &[Expr]) -> Args {
        let constant = |at: usize| match args.get(at).map(|arg| &arg.kind) {
            Some(ExprKind::Const(value)) => Some(*value),
            _ => None,
        };
        [constant(0), constant(1)]
    }
}

#[cfg(test)]
mod tests {
    use crate::defs::Space;
    use crate::engine::node::Type;
    use crate::sample::{checked, messages, said};

    fn params(rules: &str, name: &str) -> Vec<Type> {
        let (_, found) = checked(rules, "");
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        let def = found.rules.defs.find(Space::Value, name).unwrap();
        found.rules.bodies[&def].params().iter().map(|param| param.ty).collect()
    }

    #[test]
    fn parameters_are_what_they_are_used_as() {
        assert_eq!(params("effect feed(thing, n, r) { thing.bites += n; gain n r }\n", "feed"), [Type::Card, Type::Number, Type::Resource]);
        assert_eq!(params("define cost(one, r) = toll(one, r) + amount of r\n", "cost"), [Type::Card, Type::Resource]);
        assert_eq!(params("effect outer(x) { do inner(x) }\neffect inner(y) { remove y }\n", "outer"), [Type::Card]);
        assert_eq!(params("define worn(it) = if it is hut then 1 else 2\n", "worn"), [Type::Card]);
    }

    #[test]
    fn two_uses_that_differ_are_told_with_both_places() {
        let (_, found) = checked("effect feed(thing) { remove thing; gain thing wisp }\n", "");
        assert_eq!(found.diagnostics.len(), 1);
        assert_eq!(found.diagnostics[0].message, "expected a number, found a card");
        assert_eq!(found.diagnostics[0].secondary[0].1, "used as a card here");
    }

    #[test]
    fn a_wrong_value_for_a_parameter_is_told_where_it_is_handed_over() {
        let rules = "effect feed(n) { gain n wisp }\neffect other { do feed(storm) }\n";
        assert_eq!(said(rules), [("expected a number, found a card".to_string(), "storm".to_string())]);
        assert_eq!(messages("effect feed(n) { gain n wisp }\neffect other { do feed }\n"), ["`feed` takes 1 value, not 0"]);
    }

    #[test]
    fn whoever_uses_what_is_broken_is_not_blamed() {
        let rules = "define tall = fmae + 1\ncondition high = tall > 3\nstat deep = if high then 1 else tall\n";
        assert_eq!(said(rules), [("`fmae` is not a name of this game".to_string(), "fmae".to_string())]);
    }

    #[test]
    fn circles_are_told_once() {
        assert_eq!(messages("define odd(n) = even(n) + 1\ndefine even(n) = odd(n)\n"), ["`odd` is defined in terms of itself"]);
        assert_eq!(messages("effect spin { do spin }\n"), ["`spin` carries itself out without end"]);
        assert!(messages("effect spin { if moon > 2 { moon -= 1; do spin } }\n").is_empty(), "it may stop");
        assert_eq!(messages("effect spin { each player { do twist } }\neffect twist { repeat 2 { do spin } }\n").len(), 1);
    }

    #[test]
    fn questions_have_ids_of_their_own() {
        let (_, found) = checked(
            "effect ask { player chooses { \"a\" { player may choose { \"b\" { moon = 1 } } } }; player chooses { \"c\" { moon = 2 } } }\n",
            "",
        );
        assert!(found.diagnostics.is_empty(), "{:?}", found.diagnostics);
        let text = format!("{:?}", found.rules.bodies);
        for id in ["\"ask\"", "\"ask.2\"", "\"ask.3\""] {
            assert!(text.contains(id), "{id}");
        }
    }
}
