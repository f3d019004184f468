//! What depends on itself: found once, over all definitions, by Tarjan's strongly connected components.

use super::defs::{DefId, DefKind, Definitions};
use super::problem::Problem;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Arguments that are plain words or numbers; nothing where something else is handed over.
pub(super) type Args = [Option<i64>; 2];

/// A mention of one definition by another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mention {
    /// Who mentions.
    pub from: DefId,
    /// Only where it is given these arguments: what a card changes may concern one word alone.
    pub only: Args,
    /// Who is mentioned.
    pub to: DefId,
    /// With which arguments.
    pub args: Args,
    /// The card's entry by which it does.
    pub entry: Option<(Span, String)>,
}

/// All mentions.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Those by one definition, in the order in which they were found.
    mentions: BTreeMap<DefId, Vec<Mention>>,
}

type Vertex = (DefId, Args);

impl Graph {
    /// Notes a mention.
    pub fn add(&mut self, mention: Mention) {
        let known = self.mentions.entry(mention.from).or_default();
        if !known.contains(&mention) {
            known.push(mention);
        }
    }

    /// The mentions that hold where a definition is given these arguments.
    fn of(&self, (def, args): Vertex) -> impl Iterator<Item = &Mention> {
        let fits = move |only: &Args| only.iter().zip(&args).all(|(only, given)| only.is_none() || given.is_none() || only == given);
        self.mentions.get(&def).into_iter().flatten().filter(move |mention| fits(&mention.only))
    }

    /// Groups of definitions that depend on themselves.
    pub fn circles(&self) -> Vec<Vec<DefId>> {
        let mut search = Search {
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
        // A circle that is found with some arguments and without is one.
        let whole = found.clone();
        found.retain(|one| !whole.iter().any(|other| other != one && one.iter().all(|def| other.contains(def))));
        found
    }

    /// What is reported of a circle.
    pub fn circular(&self, defs: &Definitions, circle: &[DefId]) -> Diagnostic {
        let first = circle.iter().copied().min_by_key(|def| defs[*def].span.map_or(0, |span| span.start)).unwrap_or(circle[0]);
        let name = defs[first].name.clone();
        let inside = |mention: &&Mention| circle.contains(&mention.from) && circle.contains(&mention.to);
        let entries = self.mentions.values().flatten().filter(inside).filter_map(|mention| mention.entry.clone());
        let entries: Vec<(Span, String)> = entries.take(3).collect();
        let through = circle.iter().filter(|def| **def != first).filter_map(|def| defs[*def].span).collect();
        let problem = match matches!(defs[first].what, DefKind::Effect(_)) {
            _ if !entries.is_empty() => Problem::ChangedByItself { name, entries },
            true => Problem::EffectOfItself { name, through },
            false => Problem::DefinedByItself { name, through },
        };
        problem.at(defs[first].span)
    }
}

struct Search<'g> {
    graph: &'g Graph,
    index: BTreeMap<Vertex, usize>,
    low: BTreeMap<Vertex, usize>,
    stack: Vec<Vertex>,
    stacked: BTreeSet<Vertex>,
    found: Vec<Vec<DefId>>,
}

impl Search<'_> {
    /// Tarjan's visit, with a stack of its own: definitions may go on for long.
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
        work.push((vertex, self.graph.of(vertex).map(|mention| (mention.to, mention.args)).collect()));
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
        let itself = self.graph.of(vertex).any(|mention| (mention.to, mention.args) == vertex);
        if inside.len() > 1 || itself {
            let mut circle: Vec<DefId> = inside.into_iter().map(|vertex| vertex.0).collect();
            circle.sort();
            circle.dedup();
            self.found.push(circle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(mentions: &[(u32, Args, u32, Args)]) -> Graph {
        let mut graph = Graph::default();
        for &(from, only, to, args) in mentions {
            graph.add(Mention { from: DefId(from), only, to: DefId(to), args, entry: None });
        }
        graph
    }

    fn circles(mentions: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mentions: Vec<_> = mentions.iter().map(|&(from, to)| (from, [None; 2], to, [None; 2])).collect();
        graph(&mentions).circles().into_iter().map(|circle| circle.into_iter().map(|def| def.0).collect()).collect()
    }

    #[test]
    fn each_circle_is_found_once() {
        assert!(circles(&[(0, 1), (1, 2), (0, 2)]).is_empty());
        assert_eq!(circles(&[(0, 0), (1, 0)]), [[0]]);
        assert_eq!(circles(&[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)]), [vec![0, 1, 2], vec![3, 4]]);
    }

    #[test]
    fn what_concerns_another_word_is_no_circle() {
        // 0 is changed for the word 1 by what reads 2, and 2 reads 0 for the word 2.
        let [none, one, two] = [[None; 2], [None, Some(1)], [None, Some(2)]];
        assert!(graph(&[(0, one, 2, none), (2, none, 0, two)]).circles().is_empty());
        assert_eq!(graph(&[(0, one, 2, none), (2, none, 0, one)]).circles().len(), 1);
        assert_eq!(graph(&[(0, one, 2, none), (2, none, 0, none)]).circles().len(), 1, "a word that is not known may be that one");
    }
}
