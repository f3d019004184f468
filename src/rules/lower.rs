//! Lowering: the typed tree becomes a ruleset for a number of players and a choice of options. What these settle is worked out here:
//! tables by players and options, conditions that always or never hold, and what stands behind them.

mod entries;
mod expr;
mod program;
#[allow(clippy::wildcard_enum_match_arm, reason = "what a rival has is told of names alone")]
mod rivals;
mod sets;
mod stmt;

use super::defs::{DefId, DefKind as What, Owner};
use super::problem::{Bound, Problem};
use super::setup::Chosen;
use super::slots::{Slot, Slots};
use super::typed::{Below, Bind, Body, Entries, Expr, Param, Rules, Says};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::graph::{Expr as Made, Mark};
use crate::engine::node::{Called, Signature, Type};
use crate::engine::op::LOCALS;
use crate::engine::ruleset::{NodeId, Quantity, Ruleset, VariableSort};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Expressions within each other deeper than this, through definitions, are refused, so that nobody's rules can use up the stack.
const MAX_WITHIN: usize = 400;
/// More values than this are not made of a game's rules: definitions that name others twice, and those others twice, never end.
const MAX_VALUES: usize = 300_000;
/// More sets of cards or tokens than this are not made: their numbers are short where they are gone through.
const MAX_SETS: usize = 20_000;
/// Conditions that are named by words of their own leave the first locals to cards and their moments.
const OWN_LOCALS: usize = 3;

/// What names are bound to where an expression or statement stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Env {
    bound: Vec<(Bind, NodeId)>,
    /// The first free local.
    next: usize,
    /// The round that is meant, if it is not the present one.
    round: Option<NodeId>,
}

impl Env {
    /// Nothing bound; locals from this one on are free.
    pub fn from(next: usize) -> Env {
        Env { next, ..Env::default() }
    }

    /// Within a definition that is named here: nothing bound, and no local taken that this has taken.
    pub fn within(&self) -> Env {
        Env { round: self.round, ..Env::from(self.next) }
    }

    /// Within a definition without parameters that is named here.
    pub fn within_closed(&self) -> Env {
        if self.round.is_some() { self.within() } else { Env::from(OWN_LOCALS) }
    }

    /// Binds a name to what it stands for.
    pub fn bind_to(&mut self, bind: Bind, to: NodeId) {
        self.bound.push((bind, to));
    }

    /// Whether another round is meant than the present one.
    pub fn is_of_another_round(&self) -> bool {
        self.round.is_some()
    }

    /// What a name is bound to.
    pub fn find(&self, bind: Bind) -> Option<NodeId> {
        self.bound.iter().rev().find(|bound| bound.0 == bind).map(|bound| bound.1)
    }
}

/// A definition that is being lowered.
#[derive(Clone, Copy, Debug)]
struct Defining {
    def: DefId,
    /// How many values there were before.
    before: usize,
    /// The expression that names it.
    named_at: Option<Span>,
}

/// Makes a ruleset from the typed tree.
pub struct Lowerer<'a> {
    /// What is lowered.
    pub tree: &'a Rules,
    /// Where everything lies.
    pub slots: &'a Slots,
    /// What is chosen.
    pub chosen: &'a Chosen,
    /// What is made.
    pub out: &'a mut Ruleset,
    /// What cannot be done with this choice.
    pub(super) wrong: &'a mut Vec<Diagnostic>,
    /// Names without parameters that have been lowered.
    closed: BTreeMap<DefId, NodeId>,
    /// Definitions that are the same for every player, or not.
    of_table: BTreeMap<DefId, bool>,
    /// Quantities that have not been lowered yet.
    waiting: BTreeSet<DefId>,
    /// How many values were made.
    made: usize,
    /// Expressions within each other that are being lowered.
    within: usize,
    /// Definitions within each other that are being lowered.
    defining: Vec<Defining>,
    /// The expression that is being lowered.
    at: Option<Span>,
    /// More cannot be lowered.
    exhausted: bool,
    /// What names are bound to where each question of the ruleset stands.
    pub(super) asked: Vec<Env>,
}

impl<'a> Lowerer<'a> {
    /// A lowerer into a ruleset.
    pub fn new(tree: &'a Rules, slots: &'a Slots, chosen: &'a Chosen, out: &'a mut Ruleset, wrong: &'a mut Vec<Diagnostic>) -> Lowerer<'a> {
        let (closed, of_table, waiting, defining, asked) = Default::default();
        let (made, within, at, exhausted) = Default::default();
        Lowerer { tree, slots, chosen, out, wrong, closed, of_table, waiting, made, within, defining, at, exhausted, asked }
    }

    /// Tells a fault, once.
    pub(super) fn tell(&mut self, wrong: Diagnostic) {
        if !self.wrong.contains(&wrong) {
            self.wrong.push(wrong);
        }
    }

    /// Makes an expression, folded.
    pub(super) fn make(&mut self, expr: Made) -> NodeId {
        self.out.make(expr)
    }

    /// Looks whether an expression that was made is one that there is room for.
    fn expect_room(&mut self, made: NodeId) {
        let is_plain = matches!(self.out.graph[made], Made::Const { .. } | Made::Local { .. });
        self.made += usize::from(!is_plain);
        let sets = self.out.sets.len().max(self.out.token_sets.len()).max(self.out.graph.count_of_cards());
        if usize::from(self.out.graph.facts(made).depth) > MAX_WITHIN {
            self.exhaust(None, Bound::Depth(MAX_WITHIN));
        } else if self.made > MAX_VALUES {
            let what = if self.is_full() { Bound::AllValues } else { Bound::Values };
            self.exhaust(None, what(MAX_VALUES));
        } else if sets > MAX_SETS {
            self.exhaust(None, Bound::Sets(MAX_SETS));
        } else if self.out.graph.is_full() {
            self.exhaust(None, Bound::Graph);
        }
    }

    /// More is worked out than there is room for: told at the outermost definition that is being lowered, or else at the expression that
    /// no longer fits, and nothing more is lowered.
    fn exhaust(&mut self, span: Option<Span>, what: Bound) {
        let outermost = self.defining.first().filter(|_| !self.is_full());
        if !self.exhausted {
            let at = match (outermost, self.defining.first()) {
                (Some(outermost), _) => self.tree.defs[outermost.def].span.or(outermost.named_at),
                (None, Some(named)) => named.named_at,
                (None, None) => None,
            };
            self.tell(Problem::Exhausted { what, of_definition: outermost.is_some() }.at(at.or(span).or(self.at)));
        }
        self.exhausted = true;
    }

    /// Whether there are too many values, and no single definition stands for most of them.
    fn is_full(&self) -> bool {
        let by_one = self.defining.first().map_or(0, |first| self.made - first.before);
        self.made > MAX_VALUES && by_one < MAX_VALUES / 2
    }

    /// Whether nothing more is lowered: what stands there means nothing.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Does something within a definition.
    fn defining<T>(&mut self, def: DefId, f: impl FnOnce(&mut Self) -> T) -> T {
        self.defining.push(Defining { def, before: self.made, named_at: self.at });
        let done = f(self);
        self.defining.pop();
        done
    }

    /// The expression that is always this number.
    pub fn number(&mut self, value: i64) -> NodeId {
        self.out.graph.number(value)
    }

    /// The number that an expression always is.
    pub(super) fn value_of(&self, made: NodeId) -> Option<i64> {
        self.out.graph.constant(made)
    }

    /// The number by which the ruleset knows a definition.
    pub fn index(&self, def: DefId) -> u16 {
        cast::fit::<u16>(self.tree.defs[def].what.index())
    }

    /// A free local for a binding; too many within each other is a fault.
    pub fn bind(&mut self, env: &mut Env, bind: Bind, span: Span) -> u8 {
        if env.next >= LOCALS {
            let wrong = Problem::TooManyNested.at(span);
            // Each loop around this one has the same fault.
            let within =
                |known: &Diagnostic| known.span.is_some_and(|at| at.file == span.file && at.start <= span.end && span.start <= at.end);
            if !self.wrong.iter().any(|known| known.is_same_problem(&wrong) && within(known)) {
                self.wrong.push(wrong);
            }
            env.next = LOCALS - 1;
        }
        let local = cast::fit::<u8>(env.next);
        env.next += 1;
        let to = self.make(Made::Local { local });
        env.bound.push((bind, to));
        local
    }

    /// The first locals hold parameters.
    pub fn with_params(&mut self, from: usize, params: &[Param]) -> Env {
        let mut env = Env::from(from + params.len());
        for (i, param) in params.iter().enumerate() {
            let to = self.make(Made::Local { local: cast::fit::<u8>(from + i) });
            env.bound.push((param.bind, to));
        }
        env
    }

    /// A number that the choice of players and options settles, whatever cards there are.
    pub fn settled(&mut self, expr: &Expr) -> Option<i64> {
        self.settled_in(expr, &Env::from(1))
    }

    /// The like where names are bound.
    pub(super) fn settled_in(&mut self, expr: &Expr, env: &Env) -> Option<i64> {
        let (extent, closed) = (Extent::of(self.out), std::mem::take(&mut self.closed));
        self.out.graph.ignores_cards = true;
        let made = self.expr(expr, &mut env.clone());
        let settled = self.value_of(made);
        self.out.graph.ignores_cards = false;
        self.closed = closed;
        extent.take_back(self.out);
        settled
    }

    /// Notes what cards say that expressions are folded by: which have an action, and which quantities some piece may change.
    pub fn note_entries(&mut self, entries: &Entries) {
        let tree = self.tree;
        let mut changed = BTreeSet::new();
        for (number, own) in entries.of_cards.iter().enumerate() {
            let definition = &mut self.out.definitions[number];
            for entry in own.iter().chain(entries.of_kinds.get(&definition.kind).into_iter().flatten()) {
                if let Says::Change { quantity, .. } = &entry.says {
                    changed.extend(Some(*quantity).filter(|_| definition.copies > 0));
                }
                definition.acts |= matches!(entry.says, Says::Action { .. });
            }
        }
        let zero = self.number(0);
        for (id, one) in tree.defs.all() {
            let What::Quantity { index, stat } = one.what else { continue };
            let body = tree.bodies.get(&id);
            let quantity = Quantity {
                name: one.name.clone(),
                base: zero,
                args: cast::fit::<u8>(body.map_or(0, |body| body.params().len())),
                most: None,
                least: None,
                ranked: None,
                differences: self.slots.get(id).map(|slot| slot.offset),
                stat,
                changed: changed.contains(&id),
            };
            self.put(index, quantity);
            self.waiting.insert(id);
        }
    }

    /// Quantities, ranks, conditions and what scripts call by name.
    pub fn named(&mut self) {
        let tree = self.tree;
        self.ranks();
        for (id, one) in tree.defs.all() {
            match (&one.what, tree.bodies.get(&id)) {
                (What::Quantity { .. }, _) => self.quantity(id),
                (What::Condition, Some(_)) => {
                    let made = self.closed(id);
                    self.out.conditions.push((one.name.clone(), made));
                }
                _ => {}
            }
        }
    }

    fn put(&mut self, index: u16, quantity: Quantity) {
        let quantities = &mut self.out.quantities;
        while quantities.len() <= index as usize {
            quantities.push(quantity.clone());
        }
        quantities[index as usize] = quantity;
    }

    /// Lowers a quantity, if that has not been done.
    pub(super) fn quantity(&mut self, id: DefId) {
        let tree = self.tree;
        if !self.waiting.remove(&id) {
            return;
        }
        let (What::Quantity { index, .. }, Some(Body::Quantity(body))) = (&tree.defs[id].what, tree.bodies.get(&id)) else { return };
        let mut env = self.with_params(1, &body.params);
        let base = self.expr(&body.base, &mut env);
        let [most, least] = [&body.most, &body.least].map(|bound| bound.as_ref().map(|bound| self.expr(bound, &mut env)));
        let ranked = body.ranked.map(|ranked| self.index(ranked));
        let made = &mut self.out.quantities[*index as usize];
        (made.base, made.most, made.least, made.ranked) = (base, most, least, ranked);
    }

    /// What scripts call by name, with types.
    pub fn signatures(&mut self) {
        let tree = self.tree;
        let defs = || tree.defs.all().filter(|(_, one)| !one.name.contains('.'));
        for (id, one) in defs() {
            if let (What::Variable { owner, sort, over, .. }, Some(slot)) = (&one.what, self.slots.get(id)) {
                self.variable(&one.name, (*owner, *sort), over.map(|over| over.word_type()), slot);
            }
        }
        for (id, one) in defs() {
            let Some(body) = tree.bodies.get(&id) else { continue };
            let params = body.params().iter().map(|param| (param.name.clone(), param.ty)).collect();
            let (what, gives, of_table, called) = match (&one.what, body) {
                (What::Quantity { index, stat }, _) => {
                    let what = if *stat { "a stat of a player" } else { "a quantity of a player that cards may change" };
                    (what, Some(Type::Number), false, Called::Quantity(*index))
                }
                (What::Define | What::Constant, Body::Value(params, value)) => {
                    let made = if params.is_empty() {
                        self.closed(id)
                    } else {
                        let mut env = self.with_params(1, params);
                        self.expr(value, &mut env)
                    };
                    let of_table = params.is_empty() && self.is_of_table(value);
                    ("worked out as the rules define it", Some(value.ty), of_table, Called::Expression(made))
                }
                (What::Condition, Body::Value(..)) => {
                    ("a condition of the rules", Some(Type::Truth), false, Called::Expression(self.closed(id)))
                }
                (What::Effect(effect), _) => {
                    ("an effect of the rules; it runs when the script has ended", None, false, Called::Effect(*effect))
                }
                _ => continue,
            };
            self.out.signatures.push(Signature { name: one.name.clone(), what, params, gives, of_table, called });
        }
    }

    fn variable(&mut self, name: &str, (owner, sort): (Owner, VariableSort), word: Option<Type>, slot: Slot) {
        let gives = if matches!(sort, VariableSort::Flag | VariableSort::Set) { Type::Truth } else { Type::Number };
        let (what, called) = match (owner, sort) {
            (Owner::Table, VariableSort::Flag) => ("a flag of the table", Called::Table(slot.offset)),
            (Owner::Table, _) => ("a counter of the table", Called::Table(slot.offset)),
            (Owner::Player, VariableSort::Resource) => ("what a player has of it", Called::Seat(slot.offset)),
            (Owner::Player, VariableSort::Counter) => ("a counter of a player", Called::Seat(slot.offset)),
            (Owner::Player, VariableSort::Flag) => ("a flag of a player", Called::Seat(slot.offset)),
            (Owner::Player, VariableSort::Tally) => ("counts of a player, by word", Called::Tally(slot.offset, slot.len)),
            (Owner::Player, VariableSort::Set) => ("whether a word is in a set of a player", Called::Set(slot.offset)),
            (Owner::Card, _) => return,
        };
        let params = word.map(|word| ("WORD".to_string(), word)).into_iter().collect();
        let of_table = owner == Owner::Table;
        self.out.signatures.push(Signature { name: name.to_string(), what, params, gives: Some(gives), of_table, called });
    }

    /// Whether an expression is the same for every player.
    fn is_of_table(&mut self, expr: &Expr) -> bool {
        let mut of_table = true;
        let mut named = Vec::new();
        expr.walk(&mut |below| {
            of_table &= match below {
                Below::Part(_) => true,
                Below::Here => false,
                Below::Name(def) => match (&self.tree.defs[def].what, self.tree.bodies.get(&def)) {
                    (What::Option(option), _) => !option.each_player,
                    (_, Some(Body::Value(..))) => {
                        named.push(def);
                        true
                    }
                    _ => self.slots.get(def).is_some_and(|slot| slot.owner == Owner::Table),
                },
            };
        });
        of_table && named.into_iter().all(|def| self.names_table(def))
    }

    /// Whether a definition is the same for every player.
    fn names_table(&mut self, def: DefId) -> bool {
        if let Some(known) = self.of_table.get(&def) {
            return *known;
        }
        let tree = self.tree;
        let of_table = match tree.bodies.get(&def) {
            Some(Body::Value(_, value)) => self.is_of_table(value),
            _ => false,
        };
        self.of_table.insert(def, of_table);
        of_table
    }

    /// A constant, condition or definition without parameters, lowered once.
    pub(super) fn closed(&mut self, def: DefId) -> NodeId {
        if let Some(&known) = self.closed.get(&def) {
            return known;
        }
        let tree = self.tree;
        let made = match tree.bodies.get(&def) {
            Some(Body::Value(_, value)) => self.defining(def, |lowerer| lowerer.expr(value, &mut Env::from(OWN_LOCALS))),
            _ => self.number(0),
        };
        self.closed.insert(def, made);
        made
    }
}

/// How much a ruleset holds of what is made for expressions.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    graph: Mark,
    sets: usize,
    token_sets: usize,
    ranks: usize,
}

impl Extent {
    /// How much a ruleset holds now.
    pub fn of(rules: &Ruleset) -> Extent {
        let (sets, token_sets, ranks) = (rules.sets.len(), rules.token_sets.len(), rules.ranks.len());
        Extent { graph: rules.graph.mark(), sets, token_sets, ranks }
    }

    /// Takes back what was lowered since.
    pub fn take_back(self, rules: &mut Ruleset) {
        rules.graph.take_back(self.graph);
        rules.sets.truncate(self.sets);
        rules.token_sets.truncate(self.token_sets);
        rules.ranks.truncate(self.ranks);
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::node::{Called, Type};
    use crate::sample::lowered;

    #[test]
    fn scripts_get_types_from_the_rules() {
        let rules = "define lane(thing) = row of thing\ncondition wet = moon > 1\neffect feed(n, r) { gain n r }\ndefine tide = moon + 1\n";
        let (lowered, wrong) = lowered(rules, "", 2);
        assert!(wrong.is_empty(), "{wrong:?}");
        let of = |name: &str| lowered.rules.signatures.iter().find(|found| found.name == name).unwrap();
        let types = |name: &str| of(name).params.iter().map(|param| param.1).collect::<Vec<_>>();
        assert_eq!(
            (types("lane"), of("lane").gives),
            (vec![Type::Card], Some(Type::Number)),
            "a row is a number, whatever it is lowered to"
        );
        assert_eq!((types("feed"), of("feed").gives), (vec![Type::Number, Type::Resource], None));
        assert_eq!((of("wet").gives, of("tide").of_table, of("fame").of_table), (Some(Type::Truth), true, false));
        assert_eq!((types("seen"), types("short")), (vec![Type::Kind], vec![Type::Resource]));
        assert!(matches!(of("seen").called, Called::Tally(_, 2)));
    }

    #[test]
    fn rules_with_more_values_than_there_is_room_for_are_told_where_they_become_too_many() {
        // Each line names a definition of some 100 values: no definition is to blame, there are too many lines.
        let sum = vec!["n"; 99].join(" + ");
        let lines: String = (0..3400).map(|line| format!("  dens = wide(dens + {line})\n")).collect();
        let rules = format!("define wide(n) = {sum}\neffect feed {{\n{lines}}}\n");
        let (sources, checked) = crate::sample::checked(&rules, "");
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        let mut wrong = Vec::new();
        crate::checked::lower(&checked, &crate::Setup { players: 2, ..Default::default() }, 2, &mut wrong);
        let [wrong] = &wrong[..] else { panic!("{wrong:?}") };
        let span = wrong.span.expect("a place");
        assert_eq!((wrong.code, wrong.message.as_str()), ("R008", "everything up to here is computed from more than 300000 values"));
        assert!(sources.slice(span).starts_with("wide(dens + "), "{}", sources.slice(span));
        let line = sources.text(span.file)[..span.start as usize].lines().count();
        assert!(sources.text(span.file).lines().nth(line - 1).is_some_and(|line| line.starts_with("  dens = wide(")), "{line}");
    }

    #[test]
    fn too_many_loops_within_each_other_are_told() {
        let deep = (0..14).fold("1".to_string(), |inner, _| format!("(sum ({inner}) of my yard)"));
        let (_, wrong) = lowered(&format!("define deep = {deep}\n"), "", 2);
        assert_eq!(wrong, ["too many loops and questions within each other"]);
    }
}
