//! What is kept of texts that have not changed: the one cache of the language server. An entry is what was made of a text and what was
//! said of it, and it holds as long as the same text stands under the same name at the same number among the sources: places in trees
//! are numbers of sources. So nothing has to be found out about who depends on whom: names, types and figures are checked whole.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::pack::{Anew, CardFile, CardTest, Head, Reading, Text};
use crate::scenario::file::parse_scenarios;
use crate::source::{FileId, Sources};
use crate::syntax::{ast, parse_given, parse_then, parse_when};

/// What nobody has asked for in so many rounds is forgotten: files that are gone, or that have other numbers now.
const KEPT_FOR: u64 = 8;

/// What is kept of texts.
#[derive(Debug, Default)]
pub struct Kept {
    rules: Shelf<ast::File>,
    cards: Shelf<CardFile>,
    heads: Shelf<Head>,
    scenarios: Shelf<()>,
    /// What is wrong with lines of cards' tests, by where they begin.
    lines: BTreeMap<(FileId, u32), Vec<Lines>>,
    tally: Tally,
}

#[derive(Debug, Default)]
struct Tally {
    round: u64,
    /// How many files have been parsed.
    parsed: usize,
}

/// Number among the sources, name, and the game or pack to which it belongs.
type Key = (FileId, String, String);

#[derive(Debug)]
struct Shelf<T>(BTreeMap<Key, Entry<T>>);

#[derive(Debug)]
struct Entry<T> {
    text: String,
    made: T,
    told: Vec<Diagnostic>,
    used: u64,
}

/// Lines of a card's test.
#[derive(Debug)]
struct Lines {
    sort: Sort,
    text: String,
    told: Vec<Diagnostic>,
    used: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Given,
    When,
    Then,
}

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf(BTreeMap::new())
    }
}

impl<T: Clone> Shelf<T> {
    /// What was made of a text, or is made of it now.
    fn take(
        &mut self,
        tally: &mut Tally,
        (sources, file, of): (&Sources, FileId, &str),
        told: &mut Vec<Diagnostic>,
        make: impl FnOnce(&mut Vec<Diagnostic>) -> T,
    ) -> T {
        let (key, text) = ((file, sources.name(file).to_string(), of.to_string()), sources.text(file));
        if let Some(entry) = self.0.get_mut(&key).filter(|entry| entry.text == text) {
            entry.used = tally.round;
            told.extend(entry.told.iter().cloned());
            return entry.made.clone();
        }
        tally.parsed += 1;
        let mut new = Vec::new();
        let made = make(&mut new);
        told.extend(new.iter().cloned());
        self.0.insert(key, Entry { text: text.to_string(), made: made.clone(), told: new, used: tally.round });
        made
    }

    fn forget(&mut self, round: u64) {
        self.0.retain(|_, entry| entry.used + KEPT_FOR >= round);
    }
}

impl Kept {
    /// How many times a file has been parsed for what it holds.
    pub fn parsed(&self) -> usize {
        self.tally.parsed
    }

    /// Begins another round, and forgets what nobody has asked for in the last ones.
    pub fn turn_over(&mut self) {
        self.tally.round += 1;
        let round = self.tally.round;
        self.rules.forget(round);
        self.cards.forget(round);
        self.heads.forget(round);
        self.scenarios.forget(round);
        self.lines.retain(|_, all| {
            all.retain(|one| one.used + KEPT_FOR >= round);
            !all.is_empty()
        });
    }

    /// What is wrong with the form of a file of scenarios.
    pub fn scenarios(&mut self, sources: &Sources, file: FileId, told: &mut Vec<Diagnostic>) {
        let parse = |told: &mut Vec<Diagnostic>| {
            let Some(found) = parse_scenarios(file, sources.text(file), told) else { return };
            for one in &found.scenarios {
                let lines = [(&one.given, Sort::Given), (&one.when, Sort::When), (&one.then, Sort::Then)];
                lines.into_iter().for_each(|(text, sort)| text.iter().for_each(|text| sort.parse(text, told)));
            }
        };
        self.scenarios.take(&mut self.tally, (sources, file, ""), told, parse);
    }

    /// What is wrong with the form of a card's test.
    pub fn test(&mut self, test: &CardTest, told: &mut Vec<Diagnostic>) {
        for (text, sort) in [(&test.given, Sort::Given), (&test.when, Sort::When), (&test.then, Sort::Then)] {
            let Some(text) = text else { continue };
            let known = self.lines.entry((text.span.file, text.span.start)).or_default();
            match known.iter_mut().find(|one| one.sort == sort && one.text == text.text) {
                Some(one) => {
                    one.used = self.tally.round;
                    told.extend(one.told.iter().cloned());
                }
                None => {
                    let mut new = Vec::new();
                    sort.parse(text, &mut new);
                    told.extend(new.iter().cloned());
                    known.push(Lines { sort, text: text.text.clone(), told: new, used: self.tally.round });
                }
            }
        }
    }
}

impl Sort {
    fn parse(self, Text { text, span }: &Text, told: &mut Vec<Diagnostic>) {
        match self {
            Sort::Given => drop(parse_given(span.file, text, span.start, told)),
            Sort::When => drop(parse_when(span.file, text, span.start, told)),
            Sort::Then => drop(parse_then(span.file, text, span.start, told)),
        }
    }
}

impl Reading for Kept {
    fn rules(&mut self, sources: &Sources, file: FileId, told: &mut Vec<Diagnostic>) -> ast::File {
        self.rules.take(&mut self.tally, (sources, file, ""), told, |told| Anew.rules(sources, file, told))
    }

    fn cards(&mut self, sources: &Sources, file: FileId, pack: &str, told: &mut Vec<Diagnostic>) -> CardFile {
        self.cards.take(&mut self.tally, (sources, file, pack), told, |told| Anew.cards(sources, file, pack, told))
    }

    fn head(&mut self, sources: &Sources, file: FileId) -> Head {
        self.heads.take(&mut self.tally, (sources, file, ""), &mut Vec::new(), |_| Anew.head(sources, file))
    }
}
