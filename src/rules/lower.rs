//! Lowering: turns the typed tree into a ruleset for a choice of players and options. Everything that depends only on the choice is
//! evaluated here: tables by players and options, and constant conditions with the code that they guard.

mod boards;
mod chance;
mod choice;
mod clues;
pub(super) mod decks;
mod entries;
mod expr;
mod named;
mod program;
pub(super) mod ranges;
#[allow(clippy::wildcard_enum_match_arm, reason = "what a rival has is told of names alone")]
mod rivals;
pub(crate) mod rolls;
mod sets;
#[allow(clippy::wildcard_enum_match_arm, reason = "most values tell of no way towards them")]
mod sides;
mod stmt;
mod tallies;

pub use self::named::list_domain;
pub use self::tallies::tally_bounds;

pub(super) use boards::{lay_parts, lay_spaces, lower_boards};
pub(super) use choice::reserve_actions;
pub(super) use clues::find_clues;
pub(super) use sides::settle_sides;

use super::defs::{DefId, DefKind, Definition, Owner};
use super::problem::RuleProblem;
use super::setup::ChosenOptions;
use super::slots::Slots;
use super::typed::{BindingId, Body, Entries, EntryBody, Expr, ExprChild, Param, Rules};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::graph::{Expr as GraphExpr, Mark};
use crate::engine::node::{Called, Signature, Type};
use crate::engine::op::{LOCALS, Pc};
use crate::engine::ruleset::{NodeId, Quantity, Ruleset, VariableSort};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Depth of nested expressions, with definitions expanded; deeper ones are refused, so that the stack cannot overflow.
const MAX_DEPTH: usize = 400;
/// Maximum number of graph nodes of a game: definitions that each use the previous one twice grow exponentially.
const MAX_NODES: usize = 300_000;
/// Maximum number of sets of cards or tokens: indices of sets in loops are small integers.
const MAX_SETS: usize = 20_000;
/// The first local in bodies of conditions with names: the locals before it hold an entry's card, moment and player.
const RESERVED_LOCALS: usize = 3;

/// The bindings that are visible while an expression or statement is lowered: names of parameters and loop variables with their values.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bindings {
    bound: Vec<(BindingId, NodeId)>,
    /// The first local that is not in use.
    next: usize,
    /// The round for which expressions are evaluated, if it is not the current one.
    round: Option<NodeId>,
}

impl Bindings {
    /// Creates an environment without bindings; the locals from `next` on are free.
    pub fn with_free_locals_from(next: usize) -> Bindings {
        Bindings { next, ..Bindings::default() }
    }

    /// Creates an environment for the body of a definition: it has no bindings, and the locals in use stay taken.
    pub fn within(&self) -> Bindings {
        Bindings { round: self.round, ..Bindings::with_free_locals_from(self.next) }
    }

    /// Creates an environment for the body of a definition without parameters.
    pub fn within_parameterless(&self) -> Bindings {
        if self.round.is_some() { self.within() } else { Bindings::with_free_locals_from(RESERVED_LOCALS) }
    }

    /// Binds a name to a node.
    pub fn bind_to(&mut self, bind: BindingId, to: NodeId) {
        self.bound.push((bind, to));
    }

    /// Creates an environment with the same names, in which the locals before `from` are in use.
    fn behind(&self, from: usize) -> Bindings {
        Bindings { next: self.next.max(from), ..self.clone() }
    }

    /// Leaves the locals before `next` to what uses them.
    pub fn keep_free_from(&mut self, next: usize) {
        self.next = self.next.max(next);
    }

    /// Whether expressions are evaluated for another round than the current one.
    pub fn is_of_another_round(&self) -> bool {
        self.round.is_some()
    }

    /// Returns the node that a name is bound to.
    pub fn find(&self, bind: BindingId) -> Option<NodeId> {
        self.bound.iter().rev().find(|bound| bound.0 == bind).map(|bound| bound.1)
    }
}

/// A definition whose body is being lowered.
#[derive(Clone, Copy, Debug)]
struct ActiveDefinition {
    def: DefId,
    /// The number of nodes that had been made before the body.
    before: usize,
    /// The place of the expression that uses the definition.
    named_at: Option<Span>,
}

/// The state of the lowering pass.
pub struct Lowerer<'a> {
    /// The typed tree to lower.
    pub tree: &'a Rules,
    /// The cells of all definitions.
    pub slots: &'a Slots,
    /// The chosen number of players and values of options.
    pub chosen: &'a ChosenOptions,
    /// The ruleset being built.
    pub ruleset: &'a mut Ruleset,
    /// The problems found for this choice of players and options.
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    /// The nodes of definitions without parameters that have been lowered.
    parameterless: BTreeMap<DefId, NodeId>,
    /// Whether definitions have the same value for every player, where that is known.
    same_for_all: BTreeMap<DefId, bool>,
    /// Quantities that have not been lowered yet.
    pending_quantities: BTreeSet<DefId>,
    /// How many nodes have been made.
    node_count: usize,
    /// Current depth of nested expressions.
    depth: usize,
    /// The definitions whose bodies are being lowered, outermost first.
    defining: Vec<ActiveDefinition>,
    /// The place of the expression that is being lowered.
    current_span: Option<Span>,
    /// Whether a limit has been exceeded, so that nothing more is lowered.
    exhausted: bool,
    /// For each question of the ruleset, the bindings of local names that are visible to it.
    pub(super) question_bindings: Vec<Bindings>,
    /// The operations that set the local names of the blocks being lowered.
    open_locals: Vec<Pc>,
    /// How many actions of turns have been lowered.
    actions_lowered: usize,
}

impl<'a> Lowerer<'a> {
    /// Creates a lowerer that appends to a ruleset.
    pub fn new(tree: &'a Rules, slots: &'a Slots, chosen: &'a ChosenOptions, out: &'a mut Ruleset, told: &'a mut Vec<Diagnostic>) -> Self {
        Lowerer {
            tree,
            slots,
            chosen,
            ruleset: out,
            diagnostics: told,
            parameterless: BTreeMap::new(),
            same_for_all: BTreeMap::new(),
            pending_quantities: BTreeSet::new(),
            node_count: 0,
            depth: 0,
            defining: Vec::new(),
            current_span: None,
            exhausted: false,
            question_bindings: Vec::new(),
            open_locals: Vec::new(),
            actions_lowered: 0,
        }
    }

    /// Collects a diagnostic, unless an equal one has been reported.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports what has no value, and returns a node in its place.
    fn refuse(&mut self, diagnostic: Diagnostic) -> NodeId {
        self.report(diagnostic);
        self.constant_node(0)
    }

    /// Adds an expression to the graph, which folds constants and shares equal nodes.
    pub(super) fn make(&mut self, expr: GraphExpr) -> NodeId {
        self.ruleset.make(expr)
    }

    /// Counts a new node and checks the limits.
    fn check_limits(&mut self, made: NodeId) {
        let is_plain = matches!(self.ruleset.graph[made], GraphExpr::Const { .. } | GraphExpr::Local { .. });
        self.node_count += usize::from(!is_plain);
        let sets = self.ruleset.sets.len().max(self.ruleset.token_sets.len()).max(self.ruleset.graph.count_of_cards());
        if usize::from(self.ruleset.graph.facts(made).depth) > MAX_DEPTH {
            self.report_exhausted(None, format!("this is computed from more than {MAX_DEPTH} values within each other"));
        } else if self.node_count > MAX_NODES {
            let what = if self.is_full() { "everything up to here" } else { "this" };
            self.report_exhausted(None, format!("{what} is computed from more than {MAX_NODES} values"));
        } else if sets > MAX_SETS {
            self.report_exhausted(None, format!("this goes through more than {MAX_SETS} sets of cards or tokens"));
        } else if self.ruleset.graph.is_full() {
            let what = "this is computed from more values, or more loops within each other, than can be told apart";
            self.report_exhausted(None, what.to_string());
        }
    }

    /// Reports an exceeded limit, at the outermost definition that is being lowered or else at the expression, and stops lowering.
    fn report_exhausted(&mut self, span: Option<Span>, what: String) {
        if !self.exhausted {
            let of_definition = !self.defining.is_empty() && !self.is_full();
            let at = self.defining.first().and_then(|first| self.tree.defs[first.def].span.filter(|_| of_definition).or(first.named_at));
            self.report(RuleProblem::Exhausted { what, of_definition }.at(at.or(span).or(self.current_span)));
        }
        self.exhausted = true;
    }

    /// Whether all nodes together exceed the limit, although no single definition is responsible for most of them.
    fn is_full(&self) -> bool {
        let by_one = self.defining.first().map_or(0, |first| self.node_count - first.before);
        self.node_count > MAX_NODES && by_one < MAX_NODES / 2
    }

    /// Whether lowering has stopped: the nodes returned since then are meaningless.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Runs `f` with a definition on the stack of those being lowered.
    fn with_definition<T>(&mut self, def: DefId, f: impl FnOnce(&mut Self) -> T) -> T {
        self.defining.push(ActiveDefinition { def, before: self.node_count, named_at: self.current_span });
        let done = f(self);
        self.defining.pop();
        done
    }

    /// Creates a constant node.
    pub fn constant_node(&mut self, value: i64) -> NodeId {
        self.ruleset.graph.number(value)
    }

    /// Returns the value of a node, if it is constant.
    pub(super) fn value_of(&self, made: NodeId) -> Option<i64> {
        self.ruleset.graph.constant(made)
    }

    /// Returns the index of a definition in the ruleset.
    pub fn index(&self, def: DefId) -> u16 {
        cast::fit::<u16>(self.tree.defs[def].kind.index())
    }

    /// Whether the cells of a definition are those of the table.
    fn is_of_table(&self, def: DefId) -> bool {
        self.slots.get(def).is_some_and(|slot| slot.owner == Owner::Table)
    }

    /// Allocates a local for a binding; reports it if loops are nested too deep.
    pub fn bind(&mut self, env: &mut Bindings, bind: BindingId, span: Span) -> u8 {
        if env.next >= LOCALS {
            let diagnostic = RuleProblem::TooManyNested.at(span);
            // Each loop around this one would report the same.
            let within =
                |known: &Diagnostic| known.span.is_some_and(|at| at.file == span.file && at.start <= span.end && span.start <= at.end);
            if !self.diagnostics.iter().any(|known| known.is_same_problem(&diagnostic) && within(known)) {
                self.diagnostics.push(diagnostic);
            }
            env.next = LOCALS - 1;
        }
        let local = cast::fit::<u8>(env.next);
        env.next += 1;
        let to = self.make(GraphExpr::Local { local });
        env.bound.push((bind, to));
        local
    }

    /// Creates an environment in which parameters are bound to locals, from local `from` on.
    pub fn with_params(&mut self, from: usize, params: &[Param]) -> Bindings {
        self.with_names(from, params.iter().map(|param| param.bind))
    }

    /// Creates an environment in which names are bound to locals, from local `from` on.
    fn with_names(&mut self, from: usize, binds: impl IntoIterator<Item = BindingId>) -> Bindings {
        let mut env = Bindings::with_free_locals_from(from);
        for bind in binds {
            let to = self.make(GraphExpr::Local { local: cast::fit::<u8>(env.next) });
            env.bind_to(bind, to);
            env.next += 1;
        }
        env
    }

    /// Evaluates an expression that depends on the choice of players and options alone; `None` if it depends on anything else, such as
    /// cards.
    pub fn constant_value(&mut self, expr: &Expr) -> Option<i64> {
        self.constant_value_in(expr, &Bindings::with_free_locals_from(1))
    }

    /// Evaluates a constant expression in which names are bound, as [`constant_value`](Self::constant_value) does.
    pub(super) fn constant_value_in(&mut self, expr: &Expr, env: &Bindings) -> Option<i64> {
        self.without_trace(|lowerer| {
            lowerer.ruleset.graph.ignores_cards = true;
            let made = lowerer.lower_expr(expr, &mut env.clone());
            lowerer.ruleset.graph.ignores_cards = false;
            lowerer.value_of(made)
        })
    }

    /// Runs `f`, and removes what it has added to the ruleset.
    fn without_trace<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let (checkpoint, parameterless) = (Checkpoint::record(self.ruleset), std::mem::take(&mut self.parameterless));
        let found = f(self);
        self.parameterless = parameterless;
        checkpoint.roll_back(self.ruleset);
        found
    }

    /// Collects which cards have actions, but for that with the index `silenced`, and which quantities a piece can change: for folding.
    pub fn note_entries(&mut self, entries: &Entries, silenced: Option<usize>) {
        let tree = self.tree;
        let mut changed = BTreeSet::new();
        for (number, own) in entries.of_cards.iter().enumerate() {
            let definition = &mut self.ruleset.definitions[number];
            for entry in own.iter().chain(entries.of_kinds.get(&definition.kind).into_iter().flatten()) {
                if let EntryBody::Change { quantity, .. } = &entry.body {
                    changed.extend(Some(*quantity).filter(|_| definition.copies > 0));
                }
                definition.acts |= matches!(entry.body, EntryBody::Action { .. }) && silenced != Some(number);
            }
        }
        let zero = self.constant_node(0);
        for (id, one) in tree.defs.all() {
            let DefKind::Quantity { stat, .. } = one.kind else { continue };
            let body = tree.bodies.get(&id);
            self.ruleset.quantities.push(Quantity {
                name: one.name.clone(),
                base: zero,
                args: cast::fit::<u8>(body.map_or(0, |body| body.params().len())),
                differences: self.slots.get(id).map(|slot| slot.offset),
                stat,
                changed: changed.contains(&id),
                ..Quantity::default()
            });
            self.pending_quantities.insert(id);
        }
    }

    /// Lowers quantities, ranks, conditions and everything that scripts can call by name.
    pub fn lower_named(&mut self) {
        let tree = self.tree;
        self.lower_ranks();
        for (id, one) in tree.defs.all() {
            match (&one.kind, tree.bodies.get(&id)) {
                (DefKind::Quantity { .. }, _) => self.lower_quantity(id),
                (DefKind::Condition, Some(_)) => {
                    let made = self.lower_parameterless(id);
                    self.ruleset.conditions.push((one.name.clone(), made));
                }
                _ => {}
            }
        }
    }

    /// Lowers a quantity, unless that has been done.
    pub(super) fn lower_quantity(&mut self, id: DefId) {
        let tree = self.tree;
        if !self.pending_quantities.remove(&id) {
            return;
        }
        let (DefKind::Quantity { index, .. }, Some(Body::Quantity(body))) = (&tree.defs[id].kind, tree.bodies.get(&id)) else { return };
        let mut env = self.with_params(1, &body.params);
        let base = self.lower_expr(&body.base, &mut env);
        let [most, least] =
            [&body.upper_bound, &body.lower_bound].map(|bound| bound.as_ref().map(|bound| self.lower_expr(bound, &mut env)));
        let ranked = body.ranked.map(|ranked| self.index(ranked));
        let made = &mut self.ruleset.quantities[*index as usize];
        (made.base, made.upper_bound, made.lower_bound, made.ranked) = (base, most, least, ranked);
    }

    /// Lists the signatures of everything that scripts can call.
    pub fn list_signatures(&mut self) {
        let tree = self.tree;
        let defs = || tree.defs.all().filter(|(_, one)| !one.name.contains('.'));
        for (id, one) in defs() {
            let signature = self.signature_of_variable(id, one);
            self.ruleset.signatures.extend(signature);
        }
        for (id, one) in defs() {
            let Some(body) = tree.bodies.get(&id) else { continue };
            let params = body.params().iter().map(|param| (param.name.clone(), param.ty)).collect();
            let (what, gives, of_table, called) = match (&one.kind, body) {
                (DefKind::Quantity { index, stat }, _) => {
                    let what = if *stat { "a stat of a player" } else { "a quantity of a player that cards may change" };
                    (what, Some(Type::Number), false, Called::Quantity(*index))
                }
                (DefKind::Define | DefKind::Constant, Body::Value(params, value)) => {
                    let mut env = self.with_params(1, params);
                    let made = if params.is_empty() { self.lower_parameterless(id) } else { self.lower_expr(value, &mut env) };
                    let same_for_all = params.is_empty() && self.is_same_for_all(value);
                    ("worked out as the rules define it", Some(value.ty), same_for_all, Called::Expression(made))
                }
                (DefKind::Condition, Body::Value(..)) => {
                    ("a condition of the rules", Some(Type::Truth), false, Called::Expression(self.lower_parameterless(id)))
                }
                (DefKind::Effect(effect), _) => {
                    ("an effect of the rules; it runs when the script has ended", None, false, Called::Effect(*effect))
                }
                _ => continue,
            };
            self.ruleset.signatures.push(Signature { name: one.name.clone(), what, params, gives, of_table, called });
        }
    }

    /// Returns how scripts read a variable; `None` for those on cards.
    fn signature_of_variable(&mut self, id: DefId, one: &Definition) -> Option<Signature> {
        let (DefKind::Variable { owner, sort, over, .. }, Some(slot)) = (&one.kind, self.slots.get(id)) else { return None };
        let gives = match (sort, *over) {
            (VariableSort::Flag | VariableSort::Set, _) => Type::Truth,
            (VariableSort::Counter, Some(word)) => word,
            _ => Type::Number,
        };
        let (what, called) = match (owner, sort) {
            (Owner::Table, VariableSort::Tally) => ("counts of the table", Called::Expression(tallies::entry_of_local(self, id))),
            (Owner::Player, VariableSort::Tally) if self.slots.first_number(id).is_some() => {
                ("counts of a player, by number", Called::Expression(tallies::entry_of_local(self, id)))
            }
            (Owner::Table, VariableSort::Flag) => ("a flag of the table", Called::Table(slot.offset)),
            (Owner::Table, _) => ("a counter of the table", Called::Table(slot.offset)),
            (Owner::Player, VariableSort::Resource) => ("what a player has of it", Called::Seat(slot.offset)),
            (Owner::Player, VariableSort::Counter) => ("a counter of a player", Called::Seat(slot.offset)),
            (Owner::Player, VariableSort::Flag) => ("a flag of a player", Called::Seat(slot.offset)),
            (Owner::Player, VariableSort::Tally) => ("counts of a player, by word", Called::Tally(slot.offset, slot.len)),
            (Owner::Player, VariableSort::Set) => ("whether a word is in a set of a player", Called::Set(slot.offset)),
            (Owner::Card, _) => return None,
        };
        let word = over.filter(|_| *sort != VariableSort::Counter);
        let params = word.map(|word| ("WORD".to_string(), word)).into_iter().collect();
        let of_table = *owner == Owner::Table && *sort != VariableSort::Tally;
        Some(Signature { name: one.name.clone(), what, params, gives: Some(gives), of_table, called })
    }

    /// Whether an expression has the same value for every player.
    fn is_same_for_all(&mut self, expr: &Expr) -> bool {
        let mut same_for_all = true;
        let mut named = Vec::new();
        expr.walk(&mut |below| {
            same_for_all &= match below {
                ExprChild::Operand(_) => true,
                ExprChild::Contextual => false,
                ExprChild::Definition(def) => match (&self.tree.defs[def].kind, self.tree.bodies.get(&def)) {
                    (DefKind::Option(option), _) => !option.each_player,
                    (_, Some(Body::Value(..))) => {
                        named.push(def);
                        true
                    }
                    _ => self.is_of_table(def),
                },
            };
        });
        same_for_all && named.into_iter().all(|def| self.definition_is_same_for_all(def))
    }

    /// Whether a definition has the same value for every player. The result is cached.
    fn definition_is_same_for_all(&mut self, def: DefId) -> bool {
        if let Some(known) = self.same_for_all.get(&def) {
            return *known;
        }
        let tree = self.tree;
        let same_for_all = matches!(tree.bodies.get(&def), Some(Body::Value(_, value)) if self.is_same_for_all(value));
        self.same_for_all.insert(def, same_for_all);
        same_for_all
    }

    /// Returns the node of a constant, condition or definition without parameters. Each is lowered only once.
    pub(super) fn lower_parameterless(&mut self, def: DefId) -> NodeId {
        if let Some(&known) = self.parameterless.get(&def) {
            return known;
        }
        let tree = self.tree;
        let made = match tree.bodies.get(&def) {
            Some(Body::Value(_, value)) => {
                self.with_definition(def, |lowerer| lowerer.lower_expr(value, &mut Bindings::with_free_locals_from(RESERVED_LOCALS)))
            }
            _ => self.constant_node(0),
        };
        self.parameterless.insert(def, made);
        made
    }
}

/// Adds something to a list of the ruleset and returns its index.
fn push<T>(list: &mut Vec<T>, item: T) -> u32 {
    list.push(item);
    cast::fit::<u32>(list.len()) - 1
}

/// A checkpoint of a ruleset: the size of everything that lowering expressions appends to.
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    graph: Mark,
    sets: usize,
    token_sets: usize,
    ranks: usize,
}

impl Checkpoint {
    /// Records the current sizes of a ruleset.
    pub fn record(rules: &Ruleset) -> Checkpoint {
        let (sets, token_sets, ranks) = (rules.sets.len(), rules.token_sets.len(), rules.ranks.len());
        Checkpoint { graph: rules.graph.mark(), sets, token_sets, ranks }
    }

    /// Removes everything that was appended since the checkpoint.
    pub fn roll_back(self, rules: &mut Ruleset) {
        rules.graph.restore(self.graph);
        rules.sets.truncate(self.sets);
        rules.token_sets.truncate(self.token_sets);
        rules.ranks.truncate(self.ranks);
    }
}
