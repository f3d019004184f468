//! A game with packs, loaded and checked with the texts of open documents instead of the files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::Ruleset;
use crate::lang::syntax::{parse_given, parse_then, parse_when};
use crate::lang::{GameText, Nameable, Setup, compile};
use crate::pack::{CardTest, Text};
use crate::scenario::file::parse_scenarios;
use crate::script::check_scripts;
use crate::source::{FileId, Sources};

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

/// What is known of a file from an earlier analysis: its text, and what stands in it.
pub type Known = BTreeMap<String, (Arc<str>, Arc<Places>)>;

/// What is known of a game with packs.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What was looked at.
    pub whole: Whole,
    /// All texts.
    pub sources: Sources,
    /// The game; nothing if there is none.
    pub text: Option<GameText>,
    /// Its rules for one number of players, with every card, as far as they can be lowered.
    pub rules: Option<Arc<Ruleset>>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// What stands in each file.
    pub known: Known,
}

impl Analysis {
    /// Loads and checks.
    pub fn of(whole: &Whole, texts: &Texts, before: &Known) -> Analysis {
        let mut sources = Sources::new();
        for (path, text) in texts {
            sources.instead(path.display().to_string(), Arc::clone(text));
        }
        let mut diagnostics = Vec::new();
        let text = compile::load(&mut sources, whole.root.as_deref(), &whole.game, &whole.packs, &[], &mut diagnostics);
        let rules = text.as_ref().and_then(|text| checked(text, &sources, &mut diagnostics));
        let mut known = Known::new();
        for file in (0..sources.len() as u32).map(FileId) {
            let (name, text) = (sources.name(file), sources.text(file));
            let found = match before.get(name).filter(|(of, _)| **of == *text) {
                Some(found) => found.clone(),
                None => (Arc::from(text), Arc::new(Places::of(FileSort::of(&whole.inside(name)), text))),
            };
            known.insert(name.to_string(), found);
        }
        diagnostics.dedup();
        Analysis { whole: whole.clone(), sources, text, rules, diagnostics, known }
    }

    /// Whether nothing is known to be wrong.
    pub fn is_sound(&self) -> bool {
        self.diagnostics.iter().all(|found| found.severity == Severity::Warning)
    }
}

/// Everything that can be said without playing.
fn checked(text: &GameText, sources: &Sources, diagnostics: &mut Vec<Diagnostic>) -> Option<Arc<Ruleset>> {
    let (fewest, most) = text.players();
    let every = Setup { every_piece: true, ..compile::allowed(text, most) };
    let rules = match compile::compile(text, &every, diagnostics) {
        Some(rules) => Some(rules),
        None => compile::compile_in_part(text, &every),
    };
    let rules = rules.map(Arc::new);
    diagnostics.extend(rules.iter().flat_map(|rules| check_scripts(rules)));
    let content = &text.content;
    for file in content.scenarios.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests)) {
        let Some(found) = parse_scenarios(*file, sources.text(*file), diagnostics) else { continue };
        for one in &found.scenarios {
            lines([&one.given, &one.when, &one.then], diagnostics);
        }
    }
    let tests = content.cards.iter().flat_map(|card| &card.tests).chain(content.kinds.iter().flat_map(|kind| &kind.tests));
    tests.for_each(|CardTest { given, when, then, .. }| lines([given, when, then], diagnostics));
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        let mut nameable = Nameable::of(text);
        for players in fewest..=most {
            let rules = compile::compile(text, &compile::allowed(text, players), diagnostics);
            rules.iter().for_each(|rules| nameable.add(rules));
        }
        if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
            diagnostics.extend(nameable.check_all(text, sources));
        }
    }
    let mut kept: Vec<Diagnostic> = Vec::new();
    for found in diagnostics.drain(..) {
        if !kept.iter().any(|other| (other.span, &other.message) == (found.span, &found.message)) {
            kept.push(found);
        }
    }
    *diagnostics = kept;
    rules
}

/// Lines of a scenario or of a card's test, as far as they can be read.
fn lines([given, when, then]: [&Option<Text>; 3], diagnostics: &mut Vec<Diagnostic>) {
    let place = |text: &Text| (text.span.file, text.span.start);
    if let Some(text) = given {
        let (file, start) = place(text);
        parse_given(file, &text.text, start, diagnostics);
    }
    if let Some(text) = when {
        let (file, start) = place(text);
        parse_when(file, &text.text, start, diagnostics);
    }
    if let Some(text) = then {
        let (file, start) = place(text);
        parse_then(file, &text.text, start, diagnostics);
    }
}
