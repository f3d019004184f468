//! All tests of a game or of packs, read once, so that they can be run again and again on changed texts.

use std::path::{Path, PathBuf};

use super::file::parse_scenarios;
use super::group::{Begun, Group, Until, by_setup, run_group};
use super::run::{Besides, Plan, planned, tests_of_game, tests_of_packs};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lang::{Further, GameText, ReadGame};
use crate::source::Sources;

/// Tests of one file, or of cards, that run on one compiled ruleset.
#[derive(Clone, Debug)]
pub struct Part {
    /// The file, or whose cards.
    pub name: String,
    packs: Vec<PathBuf>,
    with: Vec<Further>,
    group: Group,
}

/// Reads all tests of a game, or of packs if there are any, and splits them into parts. Faults of scenario files are told.
pub fn parts(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    packs: &[PathBuf],
    scenarios: &[PathBuf],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let besides = Besides { packs, with: &[] };
    for path in scenarios {
        let Ok(file) = sources.read_file(path) else { continue };
        let text = sources.text(file).to_string();
        let Some(found) = parse_scenarios(file, &text, diagnostics) else { continue };
        let mut games: Vec<(Vec<PathBuf>, Option<ReadGame>)> = Vec::new();
        for Plan { packs, with, tests } in planned(sources, &found, besides) {
            let at = games.iter().position(|known| known.0 == packs).unwrap_or_else(|| {
                let read = ReadGame::read(sources, root, game, &packs, diagnostics);
                games.push((packs.clone(), read));
                games.len() - 1
            });
            let Some(read) = &games[at].1 else { continue };
            // These texts are not kept, so that nothing can be shown in them.
            let with: Vec<Further> = with.into_iter().map(|with| Further { at: None, ..with }).collect();
            let text = read.with(sources, &with, diagnostics);
            let name = path.display().to_string();
            let part = |group| Part { name: name.clone(), packs: packs.clone(), with: with.clone(), group };
            parts.extend(by_setup(&text, tests).into_iter().map(part));
        }
    }
    let (name, beside_cards) = if packs.is_empty() {
        (format!("cards of {game}"), tests_of_game(sources, root, game, &[], diagnostics))
    } else {
        ("cards of packs".to_string(), tests_of_packs(sources, root, game, besides, diagnostics))
    };
    if let Some((text, tests)) = beside_cards {
        let part = |group| Part { name: name.clone(), packs: packs.to_vec(), with: Vec::new(), group };
        parts.extend(by_setup(&text, tests).into_iter().map(part));
    }
    parts
}

impl Part {
    /// Those of its tests that say a word in a line; `None` if there are none.
    pub fn naming(&self, word: &str) -> Option<Part> {
        let says = |text: &str| text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|found| found == word);
        let group = self.group.of(|test| {
            let mut lines = [&test.given, &test.when, &test.then].into_iter().flatten();
            says(&test.name) || lines.any(|lines| says(&lines.text))
        })?;
        Some(Part { name: self.name.clone(), packs: self.packs.clone(), with: self.with.clone(), group })
    }

    /// Whether it is played with a variant.
    pub fn is_with(&self, variant: &str) -> bool {
        self.with.iter().any(|with| with.text == variant)
    }

    /// Whether it is played with the same packs as another.
    pub fn has_packs_of(&self, other: &Part) -> bool {
        self.packs == other.packs
    }

    /// Whether it is played on the same text as another.
    pub fn is_beside(&self, other: &Part) -> bool {
        self.packs == other.packs && self.with == other.with
    }

    /// The game and packs that it is played with.
    pub fn read(&self, sources: &mut Sources, root: Option<&Path>, game: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<ReadGame> {
        ReadGame::read(sources, root, game, &self.packs, diagnostics)
    }

    /// The text that it is played on.
    pub fn text(&self, read: &ReadGame, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> GameText {
        read.with(sources, &self.with, diagnostics)
    }

    /// The name of the first test that fails, if one does.
    ///
    /// # Errors
    /// What is wrong with the text for these options and players.
    pub fn first_failure(&self, sources: &Sources, text: &GameText) -> Result<Option<String>, Vec<Diagnostic>> {
        let begun = Begun::new(text, &self.group);
        let mut ran = run_group(sources, &self.group, begun, Until::Failure);
        ran.diagnostics.retain(|found| found.severity == Severity::Error);
        if !ran.diagnostics.is_empty() {
            return Err(ran.diagnostics);
        }
        Ok(ran.cases.into_iter().find(|(_, case)| !case.passed).map(|(_, case)| case.name))
    }
}
