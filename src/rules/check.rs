//! Checking: resolves every name and infers the type of every expression, which turns the syntax tree into the typed tree. A problem is
//! reported once, where it is caused and not at each use.
//!
//! A body is checked on first use, so that the types of a definition's parameters are known when it is called.

mod best;
mod bills;
mod boards;
mod chance;
mod choice;
#[allow(clippy::wildcard_enum_match_arm, reason = "other expressions are not constant")]
mod constant;
pub(super) mod decks;
mod entries;
mod expr;
mod locals;
mod named;
mod names;
mod one_card;
mod parts;
mod program;
mod purses;
mod reach;
mod set_members;
mod sets;
mod showing;
mod stmt;
mod subject;
mod tables;
#[allow(clippy::wildcard_enum_match_arm, reason = "of other declarations nothing is asked")]
mod teams;
mod track;
mod turns;
mod ways;

pub use names::split_seat_prefix;

use self::constant::ConstantAnalysis;
use super::collect::BodySource;
use super::cycles::{ConstArgs, DependencyGraph, Mention};
use super::defs::{AGENTS, DefId, DefKind, Space};
use super::problem::RuleProblem;
use super::syntax::ast::{self, Name};
use super::typed::{BindingId, Body, Expr, ExprKind, Param, Quantity, Rank, Rules};
use super::types::TypeVars;
use crate::diagnostic::{Diagnostic, DuplicateIndex};
use crate::engine::node::Type;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Depth to which definitions are checked on first use; deeper ones are checked later, on their own, so that the stack cannot overflow.
const MAX_DEPTH: usize = 100;

/// The local names that are visible to what is being checked, and where it stands.
#[derive(Debug, Default)]
struct Scope {
    bound: Vec<(String, BindingId, Type)>,
    /// Whether the statements being checked run only in some cases.
    conditional: bool,
    /// How many blocks are around the statements being checked.
    blocks: usize,
}

/// Rounds after which a game is cut off if its rules give no number of rounds.
const MAX_ROUNDS: i64 = 1000;

impl Scope {
    /// Returns the binding and type of a local name; `None` if the scope has no such name.
    fn find(&self, name: &str) -> Option<(BindingId, Type)> {
        self.bound.iter().rev().find(|bound| bound.0 == name).map(|bound| (bound.1, bound.2))
    }

    /// Lists the local names: parameters, and what `let`, `for` and the like have named.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.bound.iter().map(|bound| bound.0.as_str())
    }
}

/// The state of the checking pass.
#[derive(Default)]
pub(super) struct Checker<'t> {
    /// The typed tree built so far.
    pub rules: Rules,
    /// Type variables of parameters.
    pub types: TypeVars,
    /// What was asked to be there while nothing had said yet whether it is a card, and where.
    pub asked_to_be_there: Vec<(Type, Span)>,
    /// The local names in sight.
    scope: Scope,
    /// The number of players, if single cards and players can be named (only in scenarios); `None` in rules.
    open: Option<usize>,
    /// Bodies that have not been checked yet.
    sources: BTreeMap<DefId, BodySource<'t>>,
    /// The references between definitions, in which cycles are searched.
    pub graph: DependencyGraph,
    /// The definitions whose bodies are being checked, outermost first.
    path: Vec<DefId>,
    /// The definitions whose check has begun.
    begun: BTreeSet<DefId>,
    /// The card entry that is being checked, if any: the arguments it concerns, its place and its card.
    pub current_entry: Option<(ConstArgs, Span, String)>,
    /// The number that the next [`BindingId`] gets.
    next_bind: u32,
    /// Where the statement that is being checked names a card by chance, and the binding of that card.
    random_card: Option<(Span, BindingId)>,
    /// Ids of all questions so far, which must be unique.
    questions: Vec<String>,
    /// The prefix of the next question's id: the action, effect or step that asks it.
    question_prefix: String,
    /// Moments that rules raise.
    raised_moments: BTreeSet<DefId>,
    /// The raised moments that have a card as their subject.
    card_moments: BTreeSet<DefId>,
    /// Whether a moment is raised that is missing from the list of moments.
    has_unlisted_moment: bool,
    /// Whether a block for machine players is being checked: their own names take precedence there.
    for_agents: bool,
    /// All problems found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// The places of the reported diagnostics, by which duplicates are skipped.
    reported: DuplicateIndex,
}

impl<'t> Checker<'t> {
    /// Creates a checker for the declarations that were collected.
    pub fn new(rules: Rules, sources: BTreeMap<DefId, BodySource<'t>>, diagnostics: Vec<Diagnostic>) -> Checker<'t> {
        Checker { rules, sources, diagnostics, ..Checker::default() }
    }

    /// Creates a checker for single lines about a game of so many players, given rules that have been checked already.
    pub fn for_lines(rules: Rules, players: usize) -> Checker<'t> {
        // Lines are lowered into the same ruleset, so their bindings must not reuse numbers.
        Checker { rules, open: Some(players), next_bind: 1 << 24, ..Checker::default() }
    }

    /// Checks the bodies of all definitions, in source order.
    pub fn check_bodies(&mut self) {
        let all: Vec<DefId> = self.sources.keys().copied().collect();
        all.into_iter().for_each(|def| self.ensure_checked(def));
    }

    /// Writes the inferred parameter types into the tree, and runs the checks that need the whole program: cyclic definitions, nested
    /// blocks of all players, and statements that need a player where there is none.
    pub fn finish(&mut self) {
        for (ty, span) in std::mem::take(&mut self.asked_to_be_there) {
            if !self.types.fits(ty, &[Type::Card], span) {
                self.report(self.types.mismatch(ty, &[Type::Card], span).at(span));
            }
        }
        for body in self.rules.bodies.values_mut() {
            let params = match body {
                Body::Value(params, value) => {
                    value.ty = self.types.resolve(value.ty);
                    params
                }
                Body::Effect(params, _) => params,
                Body::Quantity(quantity) => &mut quantity.params,
                Body::Rank(_) | Body::Purse(_) => continue,
            };
            params.iter_mut().for_each(|param| param.ty = self.types.resolve(param.ty));
        }
        self.report_all(turns::outside_of_turns(&self.rules));
        self.rules.local_types.values_mut().for_each(|ty| *ty = self.types.resolve(*ty));
        self.report_all(reach::check_nested_all_players(&self.rules));
        self.report_all(reach::check_questions_while_leaving(&self.rules));
        self.report_all(reach::check_endings(&self.rules));
        self.report_all(subject::without_subject(&self.rules));
        for circle in self.graph.find_cycles() {
            let diagnostic = self.graph.cycle_diagnostic(&self.rules.defs, &circle);
            self.diagnostics.push(diagnostic);
        }
    }

    // ------------------------------------------------------------------ what is wrong

    /// Collects a diagnostic, unless an equal one has been reported at the same place.
    pub fn report(&mut self, diagnostic: impl Into<Box<Diagnostic>>) {
        let diagnostic = diagnostic.into();
        if !self.reported.holds(&self.diagnostics, &diagnostic) {
            self.diagnostics.push(*diagnostic);
        }
    }

    /// Reports all that is wrong.
    fn report_all(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|found| self.report(found));
    }

    /// Reports what is wrong with something, which then stands for nothing.
    fn refuse<T>(&mut self, diagnostic: impl Into<Box<Diagnostic>>) -> Option<T> {
        self.report(diagnostic);
        None
    }

    /// Declares a name; `None` if it is taken, which is reported.
    fn declare(&mut self, space: Space, name: &str, what: DefKind, span: impl Into<Option<Span>>) -> Option<DefId> {
        self.rules.defs.declare(space, name, what, span).map_or_else(|taken| self.refuse(taken), Some)
    }

    /// Reports an unknown name, unless a declaration that failed to parse may have declared it.
    fn report_unknown(&mut self, name: &str, span: Span, what: &str, spaces: &[Space]) {
        if self.rules.defs.is_suspect(name) {
            return;
        }
        let defs = &self.rules.defs;
        let own: Vec<&str> = defs.names(Space::Value).filter_map(|known| known.strip_prefix(AGENTS)).collect();
        let diagnostic =
            match spaces.contains(&Space::Value) && self.is_for_agents() && crate::diagnostic::nearest(name, own.iter().copied()).is_some()
            {
                true => defs.unknown_of(name, span, what, own),
                false => defs.unknown(name, span, what, spaces),
            };
        let of_agents = defs.all().find(|(_, one)| one.name.strip_prefix(AGENTS) == Some(name)).and_then(|(_, one)| one.span);
        match of_agents.filter(|_| spaces.contains(&Space::Value)) {
            Some(declared) => {
                let help = format!("only what stands in `agents {{ … }}` knows it: declare `{name}` outside of it");
                self.report(diagnostic.also(declared, "declared for machine players").help(help));
            }
            None => self.report(diagnostic),
        }
    }

    /// Whether names of machine players take precedence here.
    fn is_for_agents(&self) -> bool {
        match self.path.last() {
            Some(&def) => self.rules.defs[def].name.starts_with(AGENTS),
            None => self.for_agents,
        }
    }

    /// Creates an expression of the poisoned type, which is accepted everywhere, so that one mistake is not reported twice.
    fn poisoned(&mut self, span: Span) -> Expr {
        let ty = self.types.fresh();
        Expr::poisoned(ty, span)
    }

    /// Reports a problem with an expression and returns a poisoned one in its place.
    fn report_poisoned(&mut self, problem: RuleProblem, span: Span) -> Expr {
        self.report(problem.at(span));
        self.poisoned(span)
    }

    /// Reports an unknown name and returns a poisoned expression in its place.
    fn unknown_poisoned(&mut self, name: &Name, what: &str, space: Space, span: Span) -> Expr {
        self.report_unknown(&name.text, name.span, what, &[space]);
        self.poisoned(span)
    }

    /// Warns about a condition that is always true or always false.
    pub fn warn_if_constant(&mut self, condition: &Expr, what: &str) {
        let Some(always) = self.constant_truth(condition) else { return };
        self.report(RuleProblem::Constant { what: what.to_string(), always }.at(condition.span));
    }

    /// Warns about an amount that is always negative. Zero is accepted: it is a way to switch something off.
    pub fn warn_if_negative(&mut self, amount: &Expr) {
        if (ConstantAnalysis { rules: &self.rules }).range(amount, 0).1.is_some_and(|most| most < 0) {
            self.report(RuleProblem::LessThanNothing.at(amount.span));
        }
    }

    /// Returns the truth value of a condition, if it does not depend on the state of a game.
    pub fn constant_truth(&self, condition: &Expr) -> Option<bool> {
        ConstantAnalysis { rules: &self.rules }.constant_truth(condition)
    }

    /// Returns the index of a definition in the ruleset.
    pub(super) fn index(&self, def: DefId) -> u16 {
        crate::cast::fit::<u16>(self.rules.defs[def].kind.index())
    }

    // ------------------------------------------------------------------ names and bodies

    /// Runs `f` without the local names in sight, and forgets those that it declares.
    fn with_own_scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.scope);
        let done = f(self);
        self.scope = outer;
        done
    }

    /// Binds a local name and returns its new number.
    pub fn bind(&mut self, name: &str, ty: Type) -> BindingId {
        self.next_bind += 1;
        let bind = BindingId(self.next_bind);
        self.scope.bound.push((name.to_string(), bind, ty));
        bind
    }

    /// Creates a binding that nobody can name.
    pub(crate) fn unnamed(&mut self) -> BindingId {
        self.next_bind += 1;
        BindingId(self.next_bind)
    }

    /// Records that the current definition refers to another one, and checks the body of that one if necessary.
    fn record_mention(&mut self, to: DefId, args: ConstArgs) {
        if let Some(&from) = self.path.last() {
            let (only, entry) = match self.current_entry.clone() {
                Some((only, span, card)) => (only, Some((span, card))),
                None => ([None; 2], None),
            };
            self.graph.add(Mention { from, only, to, args, entry });
        }
        self.ensure_checked(to);
    }

    /// Runs `f` with a definition as the current one, so that references found by `f` are recorded as its own.
    pub fn with_current_definition<T>(&mut self, of: DefId, f: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(of);
        let done = f(self);
        self.path.pop();
        done
    }

    /// Checks the body of a definition, unless that has been done.
    pub fn ensure_checked(&mut self, def: DefId) {
        if self.path.len() >= MAX_DEPTH || !self.begun.insert(def) {
            return;
        }
        let Some(source) = self.sources.get(&def).copied() else { return };
        let (prefix, entry) = (std::mem::take(&mut self.question_prefix), self.current_entry.take());
        self.with_current_definition(def, |checker| checker.with_own_scope(|checker| checker.check_body(def, source)));
        (self.question_prefix, self.current_entry) = (prefix, entry);
    }

    fn check_body(&mut self, def: DefId, source: BodySource<'t>) {
        match source {
            BodySource::Value(names, value) => {
                let params = self.declare_params(names);
                // A placeholder of the right type, for uses that are reached while the body is being checked.
                let is_condition = self.rules.defs[def].kind == DefKind::Condition;
                let ty = if is_condition { Type::Truth } else { self.types.fresh() };
                self.rules.bodies.insert(def, Body::Value(params.clone(), Expr::poisoned(ty, value.span)));
                let found = if is_condition { self.check_expr(value, &[Type::Truth]) } else { self.infer(value, None) };
                self.types.unify(ty, found.ty, value.span);
                self.rules.bodies.insert(def, Body::Value(params, found));
            }
            BodySource::Quantity(names, value, bounds) => {
                let help = "read the rest in the definition itself, or make two quantities of it";
                let params = self.declare_params_of(def, names, ("a quantity", 2, help), value.span);
                let base = Expr::poisoned(Type::Number, value.span);
                let ranked = self.rules.defs.find(Space::Value, &format!("{}.rank", self.rules.defs[def].name));
                let mut made = Quantity { params, base, upper_bound: None, lower_bound: None, ranked };
                self.rules.bodies.insert(def, Body::Quantity(made.clone()));
                made.base = self.check_expr(value, &[Type::Number]);
                for bound in bounds {
                    match bound {
                        ast::Bound::AtMost(most) => made.upper_bound = Some(self.check_expr(most, &[Type::Number])),
                        ast::Bound::AtLeast(least) => made.lower_bound = Some(self.check_expr(least, &[Type::Number])),
                        // The ranking value is a quantity of its own.
                        ast::Bound::RankedAs(_) => {}
                    }
                }
                self.rules.bodies.insert(def, Body::Quantity(made));
            }
            BodySource::Rank(rule) => {
                if rule.by.text != rule.param.text {
                    let (rank, by, param) = (self.rules.defs[def].name.clone(), rule.by.text.clone(), rule.param.text.clone());
                    self.report(RuleProblem::RankedByAnother { rank, by, param }.at(rule.by.span));
                }
                let leaders = self.check_expr(&rule.count, &[Type::Number]);
                self.rules.bodies.insert(def, Body::Rank(Rank { top: rule.top, leaders, ties_in: rule.ties_in }));
            }
            BodySource::Effect(names, block) => {
                let help = "let it read the rest itself, or make two effects of it";
                let params = self.declare_params_of(def, names, ("an effect", 4, help), block.span);
                self.rules.bodies.insert(def, Body::Effect(params.clone(), Vec::new()));
                self.question_prefix.clone_from(&self.rules.defs[def].name);
                let block = self.check_block(block);
                self.rules.bodies.insert(def, Body::Effect(params, block));
            }
            BodySource::Track(name, end, steps) => self.build_track(def, name, end, steps),
            BodySource::Rounds(count, span) => {
                self.rules.cut_off = count.is_none().then_some(MAX_ROUNDS);
                let most = || Expr::constant(MAX_ROUNDS, Type::Number, span);
                self.rules.rounds = Some(count.map_or_else(most, |count| self.check_expr(count, &[Type::Number])));
            }
            BodySource::Purse(of, lines) => self.check_purse(def, of, lines),
            BodySource::Score(rows) => {
                if rows.is_empty() && !self.rules.defs.has_suspects() {
                    self.report(RuleProblem::NoScore.at(self.rules.defs[def].span));
                }
                for (number, row) in rows.iter().enumerate() {
                    if let Some(first) = rows[..number].iter().find(|first| first.name.text == row.name.text) {
                        let name = row.name.text.clone();
                        self.report(RuleProblem::ScoreRowTwice { name, first: first.name.span }.at(row.name.span));
                    }
                    let value = self.check_expr(&row.value, &[Type::Number]);
                    self.rules.score.push((row.name.text.clone(), value));
                }
            }
        }
    }

    /// Declares the parameters of a definition, of which there can be so many.
    fn declare_params_of(
        &mut self,
        def: DefId,
        names: &[Name],
        (whose, most, help): (&'static str, usize, &'static str),
        span: Span,
    ) -> Vec<Param> {
        if names.len() > most {
            let span = self.rules.defs[def].span.unwrap_or(span);
            self.report(RuleProblem::HasTooMany { whose, most, what: "parameters", help }.at(span));
        }
        self.declare_params(&names[..names.len().min(most)])
    }

    fn declare_params(&mut self, names: &[Name]) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        for name in names {
            if params.iter().any(|param| param.name == name.text) {
                self.report(RuleProblem::DeclaredTwice { what: format!("parameter `{}`", name.text) }.at(name.span));
            }
            let ty = self.types.fresh();
            let bind = self.bind(&name.text, ty);
            params.push(Param { name: name.text.clone(), bind, ty });
        }
        params
    }

    /// Returns the parameters of a definition; none if it has no body that has been checked.
    pub(super) fn params_of(&self, def: DefId) -> Vec<Param> {
        self.rules.bodies.get(&def).map_or(Vec::new(), |body| body.params().to_vec())
    }

    /// Returns a new id for a question, unique within the game.
    fn next_question_id(&mut self) -> String {
        let base = self.question_prefix.clone();
        let alike = self.questions.iter().filter(|id| id.strip_prefix(&base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')));
        let id = match alike.count() {
            0 => base,
            count => format!("{base}.{}", count + 1),
        };
        self.questions.push(id.clone());
        id
    }

    /// Returns the arguments of a call as far as they are constants: when cycles are searched, calls with different constants are told
    /// apart.
    fn args_of(args: &[Expr]) -> ConstArgs {
        [0, 1].map(|at| args.get(at)).map(|arg| if let ExprKind::Const(value) = arg?.kind { Some(value) } else { None })
    }
}
