//! Loads and checks a game with packs, with the texts of open documents in place of the files, in two passes. The first pass loads and
//! checks everything for one number of players and reuses the parse results of unchanged files. The second pass adds all other numbers of
//! players and the translated names; it costs several times as much and seldom finds anything.

use crate::cast;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Severity, without_duplicates};
use crate::engine::Ruleset;
use crate::lang::{ExtraRules, GameText, ParsedGame, Setup, TranslatableNames, compile};
use crate::script::check_scripts;
use crate::source::{FileId, Sources};

use super::cache::ParseCache;
use super::place::{FileSort, FileTokens};

/// A game with packs: the unit that is checked together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnalysisUnit {
    /// Folder of the game's rules; `None` for an embedded game.
    pub root: Option<PathBuf>,
    /// Name of the game.
    pub game: String,
    /// Folders of packs, dependencies first.
    pub packs: Vec<PathBuf>,
    /// Files outside of these folders that refer to this game: scenarios, and rules that change it.
    pub further: Vec<PathBuf>,
}

impl AnalysisUnit {
    /// Returns the path of a file relative to the folder of its game or pack.
    pub fn relative_path(&self, name: &str) -> String {
        let path = Path::new(name);
        let homes = self.packs.iter().rev().chain(&self.root);
        let found = homes.filter_map(|home| path.strip_prefix(home).ok()).min_by_key(|found| found.components().count());
        found.unwrap_or(path).display().to_string()
    }
}

/// Texts of open documents by path.
pub type OpenTexts = BTreeMap<PathBuf, Arc<str>>;

/// The text of a file that was analysed, with its symbols.
#[derive(Debug)]
pub struct AnalysedFile {
    /// Text of the file at the time of the analysis.
    pub text: Arc<str>,
    sort: FileSort,
    places: OnceLock<FileTokens>,
}

impl AnalysedFile {
    /// Returns the symbols and zones of the file, computed at the first call.
    pub fn places(&self) -> &FileTokens {
        self.places.get_or_init(|| FileTokens::parse(self.sort, &self.text))
    }
}

/// Analysed files by their names in messages.
pub type AnalysedFiles = BTreeMap<String, Arc<AnalysedFile>>;

/// The result of analysing a game with packs.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The game with packs that was analysed.
    pub unit: AnalysisUnit,
    /// All source texts, to which the spans of diagnostics refer.
    pub sources: Arc<Sources>,
    /// The loaded game; `None` if it could not be loaded.
    pub text: Option<Arc<GameText>>,
    /// Rules for the maximum number of players with all cards, of the last text that could be compiled.
    pub rules: Option<Arc<Ruleset>>,
    /// Diagnostics that the first pass found.
    pub first: Vec<Diagnostic>,
    /// Additional diagnostics of the second pass; `None` if it has not run.
    pub further: Option<Vec<Diagnostic>>,
    /// The analysed files by name.
    pub files: AnalysedFiles,
    /// Number of files that were parsed; all others came from the cache.
    pub parsed: usize,
}

impl Analysis {
    /// Runs the first pass. Returns `None` if it was cancelled, that is if `keep_going` returned false between its stages.
    pub fn first_pass(
        unit: &AnalysisUnit,
        texts: &OpenTexts,
        before: &AnalysedFiles,
        cache: &mut ParseCache,
        keep_going: &dyn Fn() -> bool,
    ) -> Option<Analysis> {
        let mut sources = Sources::new();
        for (path, text) in texts {
            sources.replace_text(path.display().to_string(), Arc::clone(text));
        }
        let mut found = Vec::new();
        let parsed = cache.parse_count();
        let read = ParsedGame::read_with_parser(cache, &mut sources, unit.root.as_deref(), &unit.game, &unit.packs, &mut found);
        if !keep_going() {
            return None;
        }
        let changes = unit.further.iter().filter(|path| is_rules(path));
        let changes: Vec<ExtraRules> = changes.map(|path| ExtraRules { text: path.display().to_string(), at: None }).collect();
        let text = read.map(|read| Arc::new(read.with(&mut sources, &changes, &mut found)));
        let tests = unit.further.iter().filter(|path| !is_rules(path));
        let tests: Vec<FileId> = tests.filter_map(|path| sources.read_file(path).ok()).collect();
        let mut rules = None;
        if let Some(text) = &text {
            let every = Setup { every_piece: true, ..compile::allowed_setup(text, text.players().1) };
            if !keep_going() {
                return None;
            }
            rules = compile::compile_without_codegen(text, &every, &mut found)
                .or_else(|| compile::compile_despite_card_errors(text, &every))
                .map(Arc::new);
            if !keep_going() {
                return None;
            }
            found.extend(rules.iter().flat_map(|rules| check_scripts(rules)));
            check_form_of_tests(text, &sources, cache, &mut found);
        }
        tests.into_iter().for_each(|file| cache.check_scenarios(&sources, file, &mut found));
        let mut files = AnalysedFiles::new();
        for file in (0..cast::fit::<u32>(sources.len())).map(FileId) {
            let (name, text) = (sources.name(file), sources.text(file));
            let seen = match before.get(name).filter(|seen| *seen.text == *text) {
                Some(seen) => Arc::clone(seen),
                None => Arc::new(AnalysedFile {
                    text: Arc::from(text),
                    sort: FileSort::from_path(&unit.relative_path(name)),
                    places: OnceLock::new(),
                }),
            };
            files.insert(name.to_string(), seen);
        }
        let (unit, parsed) = (unit.clone(), cache.parse_count() - parsed);
        Some(Analysis {
            unit,
            sources: Arc::new(sources),
            text,
            rules,
            first: without_duplicates(found, &[]),
            further: None,
            files,
            parsed,
        })
    }

    /// Adds the diagnostics of the second pass; `None` if it was cancelled like [`Analysis::first_pass`].
    pub fn with_second_pass(&self, keep_going: &dyn Fn() -> bool) -> Option<Analysis> {
        let mut found = Vec::new();
        if let Some(text) = self.text.as_ref().filter(|_| is_sound(&self.first)) {
            let mut nameable = TranslatableNames::collect(text);
            let (fewest, most) = text.players();
            for players in fewest..=most {
                if !keep_going() {
                    return None;
                }
                let rules = compile::compile_without_codegen(text, &compile::allowed_setup(text, players), &mut found);
                rules.iter().for_each(|rules| nameable.add(rules));
            }
            if !keep_going() {
                return None;
            }
            if is_sound(&found) {
                found.extend(nameable.check_all(text, &self.sources));
            }
        }
        for seen in self.files.values() {
            if !keep_going() {
                return None;
            }
            seen.places();
        }
        Some(Analysis { further: Some(without_duplicates(found, &self.first)), ..self.clone() })
    }

    /// Returns all diagnostics of both passes.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.first.iter().chain(self.further.iter().flatten())
    }

    /// Whether both passes have found no errors.
    pub fn is_sound(&self) -> bool {
        self.diagnostics().all(|found| found.severity == Severity::Warning)
    }
}

/// Whether a path is that of a rules file, by its extension.
pub fn is_rules(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
}

fn is_sound(found: &[Diagnostic]) -> bool {
    found.iter().all(|one| one.severity == Severity::Warning)
}

/// Checks that the lines of scenarios and of tests of cards can be parsed.
fn check_form_of_tests(text: &GameText, sources: &Sources, cache: &mut ParseCache, found: &mut Vec<Diagnostic>) {
    let content = &text.content;
    for file in content.scenarios.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests)) {
        cache.check_scenarios(sources, *file, found);
    }
    let tests = content.cards.iter().flat_map(|card| &card.tests).chain(content.kinds.iter().flat_map(|kind| &kind.tests));
    tests.for_each(|test| cache.check_test(test, found));
}
