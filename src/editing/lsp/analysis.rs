//! A game with packs, loaded and checked with the texts of open documents instead of the files, in two passes. The first one loads and
//! checks everything for one number of players, with what was kept of files that have not changed. The second one adds what every
//! number of players and the names in other languages say, which costs several times as much and seldom finds anything.

use crate::cast;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Severity, without_doubles};
use crate::engine::Ruleset;
use crate::lang::{Further, GameText, Nameable, ReadGame, Setup, compile};
use crate::script::check_scripts;
use crate::source::{FileId, Sources};

use super::kept::Kept;
use super::place::{FileSort, Places};

/// A game, with packs: what is checked together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whole {
    /// The folder with its rules, if it is not the program's own.
    pub root: Option<PathBuf>,
    /// The game.
    pub game: String,
    /// Packs, those first on which others build.
    pub packs: Vec<PathBuf>,
    /// Files that lie elsewhere and are about this game: scenarios, and rules that change it.
    pub further: Vec<PathBuf>,
}

impl Whole {
    /// The path of a file inside the folder of its game or pack.
    pub fn inside(&self, name: &str) -> String {
        let path = Path::new(name);
        let homes = self.packs.iter().rev().chain(&self.root);
        let found = homes.filter_map(|home| path.strip_prefix(home).ok()).min_by_key(|found| found.components().count());
        found.unwrap_or(path).display().to_string()
    }
}

/// Texts of open documents, by their paths.
pub type Texts = BTreeMap<PathBuf, Arc<str>>;

/// A file as it was when it was looked at.
#[derive(Debug)]
pub struct Seen {
    /// Its text.
    pub text: Arc<str>,
    sort: FileSort,
    places: OnceLock<Places>,
}

impl Seen {
    /// What stands in it: found out when it is first asked for.
    pub fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self.sort, &self.text))
    }
}

/// Files by their names.
pub type Known = BTreeMap<String, Arc<Seen>>;

/// What is known of a game with packs.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What was looked at.
    pub whole: Whole,
    /// All texts.
    pub sources: Arc<Sources>,
    /// The game; nothing if there is none.
    pub text: Option<Arc<GameText>>,
    /// Its rules for the most players, with every card, as far as they can be lowered.
    pub rules: Option<Arc<Ruleset>>,
    /// What the first pass found.
    pub first: Vec<Diagnostic>,
    /// What the second pass found besides; nothing if it has not been made.
    pub further: Option<Vec<Diagnostic>>,
    /// The files.
    pub known: Known,
    /// How many files were parsed for it; of all others it was known what they hold.
    pub parsed: usize,
}

impl Analysis {
    /// The first pass; nothing if it was broken off, since `go_on` said between its stages that nobody waits for it any more.
    pub fn first(whole: &Whole, texts: &Texts, before: &Known, kept: &mut Kept, go_on: &dyn Fn() -> bool) -> Option<Analysis> {
        let mut sources = Sources::new();
        for (path, text) in texts {
            sources.instead(path.display().to_string(), Arc::clone(text));
        }
        let mut found = Vec::new();
        let parsed = kept.parsed();
        let read = ReadGame::read_by(kept, &mut sources, whole.root.as_deref(), &whole.game, &whole.packs, &mut found);
        if !go_on() {
            return None;
        }
        let changes = whole.further.iter().filter(|path| is_rules(path));
        let changes: Vec<Further> = changes.map(|path| Further { text: path.display().to_string(), at: None }).collect();
        let text = read.map(|read| Arc::new(read.with(&mut sources, &changes, &mut found)));
        let tests = whole.further.iter().filter(|path| !is_rules(path));
        let tests: Vec<FileId> = tests.filter_map(|path| sources.read_file(path).ok()).collect();
        let mut rules = None;
        if let Some(text) = &text {
            let every = Setup { every_piece: true, ..compile::allowed(text, text.players().1) };
            if !go_on() {
                return None;
            }
            rules = compile::compile_to_look_at(text, &every, &mut found).or_else(|| compile::compile_in_part(text, &every)).map(Arc::new);
            if !go_on() {
                return None;
            }
            found.extend(rules.iter().flat_map(|rules| check_scripts(rules)));
            form_of_tests(text, &sources, kept, &mut found);
        }
        tests.into_iter().for_each(|file| kept.scenarios(&sources, file, &mut found));
        let mut known = Known::new();
        for file in (0..cast::fit::<u32>(sources.len())).map(FileId) {
            let (name, text) = (sources.name(file), sources.text(file));
            let seen = match before.get(name).filter(|seen| *seen.text == *text) {
                Some(seen) => Arc::clone(seen),
                None => Arc::new(Seen { text: Arc::from(text), sort: FileSort::of(&whole.inside(name)), places: OnceLock::new() }),
            };
            known.insert(name.to_string(), seen);
        }
        let (whole, parsed) = (whole.clone(), kept.parsed() - parsed);
        Some(Analysis { whole, sources: Arc::new(sources), text, rules, first: without_doubles(found, &[]), further: None, known, parsed })
    }

    /// The same with what the second pass finds; nothing if it was broken off, as [`Analysis::first`] may be.
    pub fn with_further(&self, go_on: &dyn Fn() -> bool) -> Option<Analysis> {
        let mut found = Vec::new();
        if let Some(text) = self.text.as_ref().filter(|_| is_sound(&self.first)) {
            let mut nameable = Nameable::of(text);
            let (fewest, most) = text.players();
            for players in fewest..=most {
                if !go_on() {
                    return None;
                }
                let rules = compile::compile_to_look_at(text, &compile::allowed(text, players), &mut found);
                rules.iter().for_each(|rules| nameable.add(rules));
            }
            if !go_on() {
                return None;
            }
            if is_sound(&found) {
                found.extend(nameable.check_all(text, &self.sources));
            }
        }
        for seen in self.known.values() {
            if !go_on() {
                return None;
            }
            seen.places();
        }
        Some(Analysis { further: Some(without_doubles(found, &self.first)), ..self.clone() })
    }

    /// Everything that has been found to be wrong.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.first.iter().chain(self.further.iter().flatten())
    }

    /// Whether nothing is known to be wrong.
    pub fn is_sound(&self) -> bool {
        self.diagnostics().all(|found| found.severity == Severity::Warning)
    }
}

/// Whether a file is one of rules, by its name.
pub fn is_rules(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rules")
}

fn is_sound(found: &[Diagnostic]) -> bool {
    found.iter().all(|one| one.severity == Severity::Warning)
}

/// The form of scenarios and of cards' tests.
fn form_of_tests(text: &GameText, sources: &Sources, kept: &mut Kept, found: &mut Vec<Diagnostic>) {
    let content = &text.content;
    for file in content.scenarios.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests)) {
        kept.scenarios(sources, *file, found);
    }
    let tests = content.cards.iter().flat_map(|card| &card.tests).chain(content.kinds.iter().flat_map(|kind| &kind.tests));
    tests.for_each(|test| kept.test(test, found));
}
