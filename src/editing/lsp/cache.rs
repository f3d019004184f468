//! The cache of the language server: parse results and diagnostics of unchanged texts. An entry is valid as long as the same text has the
//! same name and the same [`FileId`], since syntax trees contain file ids. Names, types and values are checked anew for each edit, so
//! that no dependencies need to be tracked.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::pack::{CardFile, CardTest, FileParser, ScenarioFileHead, Text, Uncached};
use crate::scenario::file::parse_scenarios;
use crate::source::{FileId, Sources};
use crate::syntax::{ast, parse_given, parse_then, parse_when};

/// Number of rounds after which an unused entry is evicted: its file is gone or has another id.
const MAX_UNUSED_ROUNDS: u64 = 8;

/// Caches parse results and diagnostics by file.
#[derive(Debug, Default)]
pub struct ParseCache {
    rules: ParseMap<ast::File>,
    cards: ParseMap<CardFile>,
    heads: ParseMap<ScenarioFileHead>,
    scenarios: ParseMap<()>,
    /// Diagnostics of the lines of a card's test, by the location of the lines.
    lines: BTreeMap<(FileId, u32), Vec<TestLines>>,
    tally: CacheStats,
}

#[derive(Debug, Default)]
struct CacheStats {
    round: u64,
    /// Number of files that were parsed.
    parsed: usize,
}

/// File id, name, and the game or pack that contains the file.
type CacheKey = (FileId, String, String);

#[derive(Debug)]
struct ParseMap<T>(BTreeMap<CacheKey, CacheEntry<T>>);

#[derive(Debug)]
struct CacheEntry<T> {
    text: String,
    value: T,
    diagnostics: Vec<Diagnostic>,
    used: u64,
}

/// The lines of a card's test, with the diagnostics about them.
#[derive(Debug)]
struct TestLines {
    sort: TestText,
    text: String,
    diagnostics: Vec<Diagnostic>,
    used: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TestText {
    Given,
    When,
    Then,
}

impl<T> Default for ParseMap<T> {
    fn default() -> ParseMap<T> {
        ParseMap(BTreeMap::new())
    }
}

impl<T: Clone> ParseMap<T> {
    /// Returns the cached value for a text, or computes and stores it.
    fn get_or_insert(
        &mut self,
        tally: &mut CacheStats,
        (sources, file, of): (&Sources, FileId, &str),
        diagnostics: &mut Vec<Diagnostic>,
        make: impl FnOnce(&mut Vec<Diagnostic>) -> T,
    ) -> T {
        let (key, text) = ((file, sources.name(file).to_string(), of.to_string()), sources.text(file));
        if let Some(entry) = self.0.get_mut(&key).filter(|entry| entry.text == text) {
            entry.used = tally.round;
            diagnostics.extend(entry.diagnostics.iter().cloned());
            return entry.value.clone();
        }
        tally.parsed += 1;
        let mut new = Vec::new();
        let value = make(&mut new);
        diagnostics.extend(new.iter().cloned());
        self.0.insert(key, CacheEntry { text: text.to_string(), value: value.clone(), diagnostics: new, used: tally.round });
        value
    }

    fn evict(&mut self, round: u64) {
        self.0.retain(|_, entry| entry.used + MAX_UNUSED_ROUNDS >= round);
    }
}

impl ParseCache {
    /// Returns how many times a file was parsed since the cache was created.
    pub fn parse_count(&self) -> usize {
        self.tally.parsed
    }

    /// Begins another round of checks and evicts entries that were not used in the last `MAX_UNUSED_ROUNDS`.
    pub fn next_round(&mut self) {
        self.tally.round += 1;
        let round = self.tally.round;
        self.rules.evict(round);
        self.cards.evict(round);
        self.heads.evict(round);
        self.scenarios.evict(round);
        self.lines.retain(|_, all| {
            all.retain(|one| one.used + MAX_UNUSED_ROUNDS >= round);
            !all.is_empty()
        });
    }

    /// Checks that a scenario file and its lines can be parsed.
    pub fn check_scenarios(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) {
        let parse = |diagnostics: &mut Vec<Diagnostic>| {
            let Some(found) = parse_scenarios(file, sources.text(file), diagnostics) else { return };
            for one in &found.scenarios {
                let lines = [(&one.given, TestText::Given), (&one.when, TestText::When), (&one.then, TestText::Then)];
                lines.into_iter().for_each(|(text, sort)| text.iter().for_each(|text| sort.parse(text, diagnostics)));
            }
        };
        self.scenarios.get_or_insert(&mut self.tally, (sources, file, ""), diagnostics, parse);
    }

    /// Checks that the lines of a card's test can be parsed.
    pub fn check_test(&mut self, test: &CardTest, diagnostics: &mut Vec<Diagnostic>) {
        for (text, sort) in [(&test.given, TestText::Given), (&test.when, TestText::When), (&test.then, TestText::Then)] {
            let Some(text) = text else { continue };
            let known = self.lines.entry((text.span.file, text.span.start)).or_default();
            match known.iter_mut().find(|one| one.sort == sort && one.text == text.text) {
                Some(one) => {
                    one.used = self.tally.round;
                    diagnostics.extend(one.diagnostics.iter().cloned());
                }
                None => {
                    let mut new = Vec::new();
                    sort.parse(text, &mut new);
                    diagnostics.extend(new.iter().cloned());
                    known.push(TestLines { sort, text: text.text.clone(), diagnostics: new, used: self.tally.round });
                }
            }
        }
    }
}

impl TestText {
    fn parse(self, Text { text, span }: &Text, diagnostics: &mut Vec<Diagnostic>) {
        match self {
            TestText::Given => drop(parse_given(span.file, text, span.start, diagnostics)),
            TestText::When => drop(parse_when(span.file, text, span.start, diagnostics)),
            TestText::Then => drop(parse_then(span.file, text, span.start, diagnostics)),
        }
    }
}

impl FileParser for ParseCache {
    fn parse_rules(&mut self, sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> ast::File {
        self.rules.get_or_insert(&mut self.tally, (sources, file, ""), diagnostics, |diagnostics| {
            Uncached.parse_rules(sources, file, diagnostics)
        })
    }

    fn parse_cards(&mut self, sources: &Sources, file: FileId, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile {
        self.cards.get_or_insert(&mut self.tally, (sources, file, pack), diagnostics, |diagnostics| {
            Uncached.parse_cards(sources, file, pack, diagnostics)
        })
    }

    fn read_head(&mut self, sources: &Sources, file: FileId) -> ScenarioFileHead {
        self.heads.get_or_insert(&mut self.tally, (sources, file, ""), &mut Vec::new(), |_| Uncached.read_head(sources, file))
    }
}
