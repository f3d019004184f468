//! Cyclic definitions, found with Tarjan's algorithm for strongly connected components.

use super::defs::{DefId, DefKind, Definitions};
use super::problem::RuleProblem;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The arguments of a call as far as they are constants; `None` for any other argument.
pub(super) type ConstArgs = [Option<i64>; 2];

/// A reference from the body of one definition to another definition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    /// The definition that refers to another one.
    pub from: DefId,
    /// The arguments for which the referring definition makes the reference: a card may change a value for one word alone.
    pub only: ConstArgs,
    /// The definition that is referred to.
    pub to: DefId,
    /// The constant arguments that are passed to the definition referred to.
    pub args: ConstArgs,
    /// The card entry that contains the reference, if any.
    pub entry: Option<(Span, String)>,
}

/// All references between definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct DependencyGraph {
    /// The references from each definition, in the order in which they were found.
    mentions: BTreeMap<DefId, Vec<Mention>>,
}

type Vertex = (DefId, ConstArgs);

impl DependencyGraph {
    /// Adds a reference, unless an equal one was added before.
    pub fn add(&mut self, mention: Mention) {
        let known = self.mentions.entry(mention.from).or_default();
        if !known.contains(&mention) {
            known.push(mention);
        }
    }

    /// Returns the references that apply when a definition is called with these arguments.
    fn mentions_of(&self, (def, args): Vertex) -> impl Iterator<Item = &Mention> {
        let fits = move |only: &ConstArgs| only.iter().zip(&args).all(|(only, given)| only.is_none() || given.is_none() || only == given);
        self.mentions.get(&def).into_iter().flatten().filter(move |mention| fits(&mention.only))
    }

    /// Returns the groups of definitions that depend on themselves.
    pub fn find_cycles(&self) -> Vec<Vec<DefId>> {
        let mut search = TarjanState {
            graph: self,
            index: BTreeMap::new(),
            low: BTreeMap::new(),
            stack: Vec::new(),
            stacked: BTreeSet::new(),
            found: Vec::new(),
        };
        for mention in self.mentions.values().flatten() {
            for vertex in [(mention.from, [None; 2]), (mention.to, mention.args)] {
                if !search.index.contains_key(&vertex) {
                    search.visit(vertex);
                }
            }
        }
        let mut found = search.found;
        found.sort();
        found.dedup();
        // A cycle found both with and without arguments is reported once.
        let whole = found.clone();
        found.retain(|one| !whole.iter().any(|other| other != one && one.iter().all(|def| other.contains(def))));
        found
    }

    /// Builds the diagnostic for a cycle of definitions.
    pub fn cycle_diagnostic(&self, defs: &Definitions, circle: &[DefId]) -> Diagnostic {
        let first = circle.iter().copied().min_by_key(|def| defs[*def].span.map_or(0, |span| span.start)).unwrap_or(circle[0]);
        let name = defs[first].name.clone();
        let inside = |mention: &&Mention| circle.contains(&mention.from) && circle.contains(&mention.to);
        let entries = self.mentions.values().flatten().filter(inside).filter_map(|mention| mention.entry.clone());
        let entries: Vec<(Span, String)> = entries.take(3).collect();
        let through = circle.iter().filter(|def| **def != first).filter_map(|def| defs[*def].span).collect();
        let problem = match matches!(defs[first].kind, DefKind::Effect(_)) {
            _ if !entries.is_empty() => RuleProblem::ChangedByItself { name, entries },
            true => RuleProblem::EffectOfItself { name, through },
            false => RuleProblem::DefinedByItself { name, through },
        };
        problem.at(defs[first].span)
    }
}

struct TarjanState<'g> {
    graph: &'g DependencyGraph,
    index: BTreeMap<Vertex, usize>,
    low: BTreeMap<Vertex, usize>,
    stack: Vec<Vertex>,
    stacked: BTreeSet<Vertex>,
    found: Vec<Vec<DefId>>,
}

impl TarjanState<'_> {
    /// Visits a vertex with an explicit stack, since chains of definitions can be long.
    fn visit(&mut self, root: Vertex) {
        let mut work: Vec<(Vertex, Vec<Vertex>)> = Vec::new();
        self.enter(root, &mut work);
        while let Some((vertex, next)) = work.last_mut() {
            let vertex = *vertex;
            match next.pop() {
                Some(to) if !self.index.contains_key(&to) => self.enter(to, &mut work),
                Some(to) => {
                    if self.stacked.contains(&to) {
                        self.lower(vertex, self.index[&to]);
                    }
                }
                None => {
                    work.pop();
                    if let Some((parent, _)) = work.last() {
                        self.lower(*parent, self.low[&vertex]);
                    }
                    self.leave(vertex);
                }
            }
        }
    }

    fn enter(&mut self, vertex: Vertex, work: &mut Vec<(Vertex, Vec<Vertex>)>) {
        let number = self.index.len();
        self.index.insert(vertex, number);
        self.low.insert(vertex, number);
        self.stack.push(vertex);
        self.stacked.insert(vertex);
        work.push((vertex, self.graph.mentions_of(vertex).map(|mention| (mention.to, mention.args)).collect()));
    }

    fn lower(&mut self, vertex: Vertex, to: usize) {
        if let Some(low) = self.low.get_mut(&vertex) {
            *low = (*low).min(to);
        }
    }

    fn leave(&mut self, vertex: Vertex) {
        if self.low[&vertex] != self.index[&vertex] {
            return;
        }
        let at = self.stack.iter().rposition(|known| *known == vertex).unwrap_or(0);
        let inside = self.stack.split_off(at);
        inside.iter().for_each(|vertex| _ = self.stacked.remove(vertex));
        let itself = self.graph.mentions_of(vertex).any(|mention| (mention.to, mention.args) == vertex);
        if inside.len() > 1 || itself {
            let mut circle: Vec<DefId> = inside.into_iter().map(|vertex| vertex.0).collect();
            circle.sort();
            circle.dedup();
            self.found.push(circle);
        }
    }
}
