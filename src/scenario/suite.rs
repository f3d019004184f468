//! All tests of a game or of packs, loaded once to run repeatedly on modified texts.

use std::path::{Path, PathBuf};

use super::file::parse_scenarios;
use super::group::{StopAfter, TestGame, TestGroup, group_by_setup, run_group};
use super::run::{ExtraContent, TestPlan, plan_runs, tests_of_game, tests_of_packs};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lang::{ExtraRules, GameText, ParsedGame};
use crate::source::Sources;

/// Tests of one file, or of cards, that run on one compiled ruleset.
#[derive(Clone, Debug)]
pub struct SuitePart {
    /// Name of the file, or of the game or pack whose cards are tested.
    pub name: String,
    packs: Vec<PathBuf>,
    with: Vec<ExtraRules>,
    group: TestGroup,
}

/// Loads all tests of a game, or of packs if any are given, and splits them into parts. Errors in scenario files are added to the
/// diagnostics.
pub fn load_parts(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    packs: &[PathBuf],
    scenarios: &[PathBuf],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<SuitePart> {
    let mut parts = Vec::new();
    let besides = ExtraContent { packs, with: &[] };
    for path in scenarios {
        let Ok(file) = sources.read_file(path) else { continue };
        let text = sources.text(file).to_string();
        let Some(found) = parse_scenarios(file, &text, diagnostics) else { continue };
        let mut games: Vec<(Vec<PathBuf>, Option<ParsedGame>)> = Vec::new();
        for TestPlan { packs, with, tests } in plan_runs(sources, &found, besides) {
            let at = games.iter().position(|known| known.0 == packs).unwrap_or_else(|| {
                let read = ParsedGame::read(sources, root, game, &packs, diagnostics);
                games.push((packs.clone(), read));
                games.len() - 1
            });
            let Some(read) = &games[at].1 else { continue };
            // These texts are not kept in the sources, so locations in them could not be shown.
            let with: Vec<ExtraRules> = with.into_iter().map(|with| ExtraRules { at: None, ..with }).collect();
            let text = read.with(sources, &with, diagnostics);
            let name = path.display().to_string();
            let part = |group| SuitePart { name: name.clone(), packs: packs.clone(), with: with.clone(), group };
            parts.extend(group_by_setup(&text, tests).into_iter().map(part));
        }
    }
    let (name, beside_cards) = if packs.is_empty() {
        (format!("cards of {game}"), tests_of_game(sources, root, game, &[], diagnostics))
    } else {
        ("cards of packs".to_string(), tests_of_packs(sources, root, game, besides, diagnostics))
    };
    if let Some((text, tests)) = beside_cards {
        let part = |group| SuitePart { name: name.clone(), packs: packs.to_vec(), with: Vec::new(), group };
        parts.extend(group_by_setup(&text, tests).into_iter().map(part));
    }
    parts
}

impl SuitePart {
    /// Returns the tests with a line that contains a word. `None` if there are none.
    pub fn with_word(&self, word: &str) -> Option<SuitePart> {
        let says = |text: &str| text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|found| found == word);
        let group = self.group.select(|test| {
            let mut lines = [&test.given, &test.when, &test.then].into_iter().flatten();
            says(&test.name) || lines.any(|lines| says(&lines.text))
        })?;
        Some(SuitePart { name: self.name.clone(), packs: self.packs.clone(), with: self.with.clone(), group })
    }

    /// Whether the tests use a variant.
    pub fn uses_variant(&self, variant: &str) -> bool {
        self.with.iter().any(|with| with.text == variant)
    }

    /// Whether both parts use the same packs.
    pub fn has_same_packs(&self, other: &SuitePart) -> bool {
        self.packs == other.packs
    }

    /// Whether both parts run on the same text of rules and cards.
    pub fn has_same_text(&self, other: &SuitePart) -> bool {
        self.packs == other.packs && self.with == other.with
    }

    /// Loads the game and the packs that the tests use.
    pub fn read(&self, sources: &mut Sources, root: Option<&Path>, game: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<ParsedGame> {
        ParsedGame::read(sources, root, game, &self.packs, diagnostics)
    }

    /// Returns the text that the tests run on.
    pub fn text(&self, read: &ParsedGame, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> GameText {
        read.with(sources, &self.with, diagnostics)
    }

    /// Runs the tests and returns the name of the first that fails, if any.
    ///
    /// # Errors
    /// Errors in the text for these options and players.
    pub fn first_failure(&self, sources: &Sources, text: &GameText) -> Result<Option<String>, Vec<Diagnostic>> {
        let compiled = TestGame::new(text, &self.group);
        let mut ran = run_group(sources, &self.group, compiled, StopAfter::Failure);
        ran.diagnostics.retain(|found| found.severity == Severity::Error);
        if !ran.diagnostics.is_empty() {
            return Err(ran.diagnostics);
        }
        Ok(ran.cases.into_iter().find(|(_, case)| !case.passed).map(|(_, case)| case.name))
    }
}
