//! The address of a statement: the name by which overlays, messages and scenarios call it, `night.spring.needs.bite`.

use std::collections::BTreeMap;

use super::ast::{Block, Op, Statement, Term, TermKind};
use crate::source::Span;

/// Statements of the outermost level that are called by their first word.
const ALONE: [&str; 14] =
    ["symbols", "exchange", "table", "player", "card", "setup", "always", "score", "worth", "rounds", "wins", "players", "in_play", "game"];
/// Called by their first word and their name.
const FIRST_AND_NAME: [&str; 5] = ["kind", "rank", "condition", "when", "zone"];
/// Called by their name.
const BY_NAME: [&str; 14] = [
    "tokens",
    "option",
    "constant",
    "define",
    "changeable",
    "stat",
    "effect",
    "phase",
    "step",
    "action",
    "check",
    "moment",
    "variant",
    "order",
];
/// May be followed by a table with an entry for each of several cases.
const WITH_ENTRIES: [&str; 5] = ["constant", "define", "changeable", "stat", "option"];

/// The address of a statement inside what `parent` addresses (empty: the outermost level), if it has one. Where several
/// statements would have the same, the second gets `#2`, and so on.
pub fn address_of(parent: &str, statement: &Statement) -> Option<String> {
    name_of(parent, statement).map(|(name, _)| join(parent, &name))
}

/// All addresses of a file, each once, with the places they stand for, in the order of the text.
pub fn all_addresses(block: &Block) -> Vec<(String, Span)> {
    places_of(block).into_iter().map(|place| (place.address, place.span)).collect()
}

/// Joins two addresses.
pub(crate) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_string() } else { format!("{parent}.{name}") }
}

/// The name of a statement within its parent, and how many of its terms make that name.
pub(crate) fn name_of(parent: &str, statement: &Statement) -> Option<(String, usize)> {
    let terms = statement.terms.as_slice();
    match &terms.first()?.kind {
        TermKind::Text(text) => {
            let choice = terms.iter().any(|term| term.block().is_some());
            let row = parent.split('.').any(|part| part == "score");
            (choice || row).then(|| slug(text)).flatten().map(|name| (name, 1))
        }
        TermKind::Word(head) => name_after(parent, head, terms),
        _ => None,
    }
}

fn name_after(parent: &str, head: &str, terms: &[Term]) -> Option<(String, usize)> {
    let next = terms.get(1).and_then(named);
    if ALONE.contains(&head) {
        // Deeper down these words begin ordinary statements: `player chooses …`.
        return (parent.is_empty() || terms.len() == 2 && terms.get(1)?.block().is_some()).then(|| (head.to_string(), 1));
    }
    if FIRST_AND_NAME.contains(&head) {
        return next.map(|name| (format!("{head}.{name}"), 2));
    }
    match head {
        // A sort of token: `grey 5: …`.
        _ if matches!(terms.get(1).map(|term| &term.kind), Some(TermKind::Number { .. }))
            && terms.get(2).is_some_and(|term| term.kind == TermKind::Colon) =>
        {
            Some((head.to_string(), 1))
        }
        "before" if terms.last()?.block().is_some() => Some((head.to_string(), 1)),
        "cost" | "does" => Some((head.to_string(), 1)),
        "needs" => match next {
            Some(name) if terms.get(2).is_some_and(|term| term.kind == TermKind::Colon) => Some((format!("needs.{name}"), 2)),
            _ => Some((head.to_string(), 1)),
        },
        "free" if terms.get(1)?.is_word("action") => terms.get(2).and_then(named).map(|name| (name, 3)),
        // `order by …`, `order at random` sets the order; `order NAME = …` declares one.
        "order" if terms.get(1)?.is_word("by") || terms.get(1)?.is_word("at") => Some((head.to_string(), 1)),
        _ if BY_NAME.contains(&head) => next.map(|name| (name, 2)),
        _ => None,
    }
}

/// What a term is called when it stands where a name stands.
fn named(term: &Term) -> Option<String> {
    match &term.kind {
        TermKind::Word(word) => Some(word.clone()),
        TermKind::Call { name, .. } | TermKind::Item { name, .. } => Some(name.clone()),
        TermKind::Text(text) => slug(text),
        _ => None,
    }
}

/// A quoted text as one word: lower case, everything that is neither letter nor digit `_`.
fn slug(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let slug: String = lower.chars().map(|character| if character.is_alphanumeric() { character } else { '_' }).collect();
    if slug.is_empty() { None } else { Some(slug) }
}

// ------------------------------------------------------------------ places

/// Where an address leads.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub address: String,
    pub span: Span,
    /// Through which statement and which of its terms, from the outermost level down.
    pub path: Vec<(usize, usize)>,
    /// Which statement there.
    pub statement: usize,
    /// Which entry, if it is one of a table in that statement.
    pub entry: Option<EntryPlace>,
}

/// Where an entry of a table stands in its statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryPlace {
    /// The term that is the table.
    pub block: usize,
    /// The statement in it.
    pub line: usize,
    /// Which entry of that line.
    pub entry: usize,
    /// Which of the entry's keys.
    pub key: usize,
}

/// All addresses with where they lead. The second of several with the same address gets `#2`, and so on.
pub(crate) fn places_of(block: &Block) -> Vec<Place> {
    let mut walk = Walk { taken: BTreeMap::new(), path: Vec::new(), places: Vec::new() };
    walk.block("", block);
    walk.places
}

struct Walk {
    /// How often each address has been given.
    taken: BTreeMap<String, usize>,
    path: Vec<(usize, usize)>,
    places: Vec<Place>,
}

impl Walk {
    fn block(&mut self, parent: &str, block: &Block) {
        for (index, statement) in block.statements.iter().enumerate() {
            let own = address_of(parent, statement).map(|address| self.unique(address));
            if let Some(address) = &own {
                self.give(address.clone(), statement.span, index, None);
                if statement.head().is_some_and(|head| WITH_ENTRIES.contains(&head)) {
                    self.entries(address, index, statement);
                    continue;
                }
            }
            let inside = own.as_deref().unwrap_or(parent);
            for (at, term) in statement.terms.iter().enumerate() {
                if let Some(inner) = term.block() {
                    self.path.push((index, at));
                    self.block(inside, inner);
                    self.path.pop();
                }
            }
        }
    }

    fn entries(&mut self, address: &str, index: usize, statement: &Statement) {
        for (block, term) in statement.terms.iter().enumerate() {
            let Some(inner) = term.block() else { continue };
            for (line, row) in inner.statements.iter().enumerate() {
                for (entry, found) in entries_of(&row.terms).iter().enumerate() {
                    for (key, terms) in found.keys.iter().enumerate() {
                        let (Some(name), Some(first)) = (key_name(terms), terms.first()) else {
                            continue;
                        };
                        let address = self.unique(join(address, &name));
                        let last = found.value.last().unwrap_or(first);
                        self.give(address, first.span.to(last.span), index, Some(EntryPlace { block, line, entry, key }));
                    }
                }
            }
        }
    }

    fn unique(&mut self, address: String) -> String {
        let count = self.taken.entry(address.clone()).or_default();
        *count += 1;
        if *count == 1 { address } else { format!("{address}#{count}") }
    }

    fn give(&mut self, address: String, span: Span, statement: usize, entry: Option<EntryPlace>) {
        self.places.push(Place { address, span, path: self.path.clone(), statement, entry });
    }
}

// ------------------------------------------------------------------ tables

/// One entry of a table: `1, 2: 5` has two keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    pub keys: Vec<Vec<Term>>,
    pub value: Vec<Term>,
}

/// The entries of one line of a table; none if the line is not written as one.
pub(crate) fn entries_of(terms: &[Term]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut keys: Vec<Vec<Term>> = Vec::new();
    for chunk in terms.split(|term| term.kind == TermKind::Comma) {
        match chunk.iter().position(|term| term.kind == TermKind::Colon) {
            Some(colon) => {
                let (key, value) = chunk.split_at(colon);
                keys.push(key.to_vec());
                entries.push(Entry { keys: std::mem::take(&mut keys), value: value.get(1..).unwrap_or(&[]).to_vec() });
            }
            None if chunk.is_empty() => {}
            None => keys.push(chunk.to_vec()),
        }
    }
    if keys.is_empty() { entries } else { Vec::new() }
}

/// The name of an entry: a word, a number or a quoted text.
pub(crate) fn key_name(terms: &[Term]) -> Option<String> {
    match terms {
        [only] => match &only.kind {
            TermKind::Number { thousandths, decimal: false } => Some((thousandths / 1000).to_string()),
            _ => named(only),
        },
        _ => None,
    }
}

/// Which terms of a statement are its value: what `change … to` replaces.
pub(crate) fn value_of(parent: &str, statement: &Statement) -> Option<std::ops::Range<usize>> {
    let (_, named) = name_of(parent, statement)?;
    let terms = statement.terms.as_slice();
    let find = |wanted: &dyn Fn(&Term) -> bool| terms.iter().enumerate().skip(named).find(|(_, term)| wanted(term)).map(|(at, _)| at);
    let head = statement.head().unwrap_or("");
    if head == "option" {
        let start = find(&|term| term.is_word("default"))? + 1;
        let end = terms.iter().skip(start).position(|term| term.kind == TermKind::Comma).map_or(terms.len(), |more| start + more);
        return Some(start..end);
    }
    if let Some(assign) = find(&|term| term.is_op(Op::Assign)) {
        return Some(assign + 1..terms.len());
    }
    match head {
        "needs" => {
            let start = find(&|term| term.kind == TermKind::Colon).map_or(named, |colon| colon + 1);
            let reason = terms.last().is_some_and(|term| matches!(term.kind, TermKind::Text(_)));
            Some(start..terms.len() - usize::from(reason && terms.len() > start))
        }
        "rounds" => Some(named..find(&|term| term.kind == TermKind::Colon).unwrap_or(terms.len())),
        "cost" | "wins" | "players" => Some(named..terms.len()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::parse::parse_rules;
    use crate::source::FileId;

    fn addresses(text: &str) -> Vec<String> {
        let mut diagnostics = Vec::new();
        let block = parse_rules(FileId(0), text, &mut diagnostics);
        assert_eq!(diagnostics, []);
        all_addresses(&block).into_iter().map(|(address, _)| address).collect()
    }

    #[test]
    fn every_sort_of_statement_has_its_address() {
        let text = r#"
            game wisp "Wisp"
            option side = a | b, default a
            constant bonus = by level { wolf: 4, 1, 2: 3, else: 1 }
            define working(x) = 1
            stat reach = 2
            player { resource wisp; each round { flag passed } }
            kind wall { reach: number }
            rank most x = top 1 by x
            condition "most stable" = most reach
            when player must lose n r { lose all r }
            setup { order at random; each player { gain 1 wisp } }
            rounds 4: night
            phase night {
              step spring { each player chooses { "grow wall" if true { gain 1 wisp } "take wisp" { gain 2 wisp } } }
              action buy wall { cost 1 wisp; cost 2 wisp; needs bite: reach > 0 "no"; does { moment bought(wall) } }
              action buy wisp { does { player chooses wall } }
              free action drop wall { does { order by reach } }
            }
            always { check moment holds }
            score { "points" = wisp }
            wins highest score
            worth = score
        "#;
        assert_eq!(
            addresses(text).join(" "),
            "game side bonus bonus.wolf bonus.1 bonus.2 bonus.else working reach player kind.wall rank.most condition.most_stable \
             when.player setup setup.order rounds night night.spring night.spring.grow_wall night.spring.take_wisp night.buy \
             night.buy.cost night.buy.cost#2 night.buy.needs.bite night.buy.does night.buy.does.bought night.buy#2 night.buy#2.does \
             night.drop night.drop.does night.drop.does.order always always.moment score score.points wins worth"
        );
    }
}
