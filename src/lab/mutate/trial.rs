//! Runs the tests of a game or pack against one changed text.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::Mutant;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lang::{self, GameText, ParsedGame};
use crate::pack::GameContent;
use crate::scenario::suite::{SuitePart, load_parts};
use crate::source::{FileId, Sources};

/// What is mutated and tested: a game, or packs that extend it.
#[derive(Clone, Debug)]
pub struct MutationSubject {
    root: Option<PathBuf>,
    game: String,
    packs: Vec<PathBuf>,
    /// Texts of the rules and cards of the game and packs.
    pub texts: Vec<SubjectText>,
    /// Tests of the game or packs.
    parts: Vec<SuitePart>,
    /// The original files, kept in memory so that concurrent edits do not affect the results.
    originals: Sources,
}

/// A file of the subject with its text.
#[derive(Clone, Debug)]
pub struct SubjectText {
    /// Name of the file in messages.
    pub name: String,
    /// Contents of the file.
    pub text: String,
    /// Whether the file contains rules; otherwise it contains cards.
    pub rules: bool,
    /// Whether the file is mutated; other files only provide context.
    pub changed: bool,
}

/// The result of running the tests against a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The mutant does not compile; the text is the first message.
    Invalid(String),
    /// A test failed; the text is its name.
    Killed(String),
    /// All tests passed.
    Survived,
    /// The program itself panicked.
    Panicked,
}

impl MutationSubject {
    /// Loads a game, or packs with their game. Returns `None` on an error; `diagnostics` then contains the reasons.
    pub fn load(
        sources: &mut Sources,
        root: Option<&Path>,
        game: &str,
        packs: &[PathBuf],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<MutationSubject> {
        let content = lang::load(sources, root, game, packs, &[], diagnostics)?.content;
        let is_sound = |found: &[Diagnostic]| found.iter().all(|found| found.severity != Severity::Error);
        if !is_sound(diagnostics) {
            return None;
        }
        let texts = texts_of(&content, sources);
        let own = if packs.is_empty() { content.scenarios.clone() } else { Vec::new() };
        let scenarios = own.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests));
        let scenarios: Vec<PathBuf> = scenarios.map(|file| PathBuf::from(sources.name(*file))).collect();
        let parts = load_parts(sources, root, game, packs, &scenarios, diagnostics);
        is_sound(diagnostics).then(|| MutationSubject {
            root: root.map(Path::to_path_buf),
            game: game.to_string(),
            packs: packs.to_vec(),
            texts,
            parts,
            originals: sources.snapshot(),
        })
    }

    /// Returns the order in which the tests are run first; a test that detects a mutant is moved to the front.
    pub fn initial_order(&self) -> Vec<usize> {
        (0..self.parts.len()).collect()
    }

    /// Whether a test speaks of a word.
    pub(super) fn tests_name(&self, word: &str) -> bool {
        self.parts.iter().any(|part| part.with_word(word).is_some())
    }

    /// Reads the game and its packs with one text replaced; `None` if that has errors.
    pub(super) fn read_with(&self, name: &str, text: &str) -> Option<GameText> {
        let (mut sources, mut diagnostics) = (self.originals.clone(), Vec::new());
        sources.replace_text(name, text);
        let read = ParsedGame::read(&mut sources, self.root.as_deref(), &self.game, &self.packs, &mut diagnostics)?;
        let text = read.with(&mut sources, &[], &mut diagnostics);
        diagnostics.iter().all(|found| found.severity != Severity::Error).then_some(text)
    }

    /// Runs tests with one text replaced; returns the result and the index of the test that failed.
    fn run_parts<'p>(&'p self, name: &str, text: &str, parts: impl Iterator<Item = (usize, &'p SuitePart)>) -> (Verdict, Option<usize>) {
        let mut sources = self.originals.clone();
        sources.replace_text(name, text);
        let mut games: Vec<(&SuitePart, ParsedGame)> = Vec::new();
        let mut texts: Vec<(&SuitePart, GameText)> = Vec::new();
        for (at, part) in parts {
            let mut diagnostics = Vec::new();
            if !games.iter().any(|(other, _)| other.has_same_packs(part)) {
                let read = part.read(&mut sources, self.root.as_deref(), &self.game, &mut diagnostics);
                games.extend(read.map(|read| (part, read)));
            }
            if !texts.iter().any(|(other, _)| other.has_same_text(part)) {
                let read = games.iter().find(|(other, _)| other.has_same_packs(part));
                texts.extend(read.map(|(_, read)| (part, part.text(read, &mut sources, &mut diagnostics))));
            }
            if let Some(fault) = diagnostics.into_iter().find(|found| found.severity == Severity::Error) {
                return (Verdict::Invalid(fault.message), None);
            }
            let Some((_, text)) = texts.iter().find(|(other, _)| other.has_same_text(part)) else { continue };
            match part.first_failure(&sources, text) {
                Ok(None) => {}
                Ok(Some(test)) => return (Verdict::Killed(format!("{}: {test}", part.name)), Some(at)),
                Err(faults) => return (Verdict::Invalid(faults.first().map_or_else(String::new, |fault| fault.message.clone())), None),
            }
        }
        (Verdict::Survived, None)
    }

    /// Whether there is no test that could notice anything.
    pub fn has_no_tests(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the name of a test that fails without any mutation; `None` if all pass.
    pub fn failing_test(&self) -> Option<String> {
        match self.run_parts("", "", self.parts.iter().enumerate()).0 {
            Verdict::Survived => None,
            Verdict::Killed(said) | Verdict::Invalid(said) => Some(said),
            Verdict::Panicked => Some("the program broke down; please report it".to_string()),
        }
    }
}

/// Returns the texts of all rules and cards.
fn texts_of(content: &GameContent, sources: &Sources) -> Vec<SubjectText> {
    let tests: Vec<FileId> = content.scenarios.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests)).copied().collect();
    let mut texts: Vec<SubjectText> = Vec::new();
    for file in (0..sources.len()).filter_map(|at| u32::try_from(at).ok()).map(FileId) {
        let name = sources.name(file).to_string();
        let rules = content.rules.contains(&file) || content.packs.iter().any(|pack| pack.rules.contains(&file));
        let path = Path::new(&name);
        let of_pack = content.packs.iter().any(|pack| path.starts_with(&pack.folder));
        let cards = !rules && !tests.contains(&file) && path.extension().is_some_and(|ending| ending == "toml");
        if (rules || cards) && !texts.iter().any(|known| known.name == name) {
            texts.push(SubjectText { name, text: sources.text(file).to_string(), rules, changed: of_pack || content.packs.is_empty() });
        }
    }
    texts
}

/// Runs the tests against a mutant. Tests that name its card come first. `initial_order` determines the order of the others: a test that detects
/// a mutant moves to the front, since it is likely to detect the next one too.
pub fn run_tests(subject: &MutationSubject, written: &SubjectText, mutant: &Mutant, order: &mut [usize]) -> Verdict {
    let text = mutant.apply_to(&written.text);
    let asked = catch_unwind(AssertUnwindSafe(|| {
        if let Some(card) = &mutant.card {
            let near: Vec<SuitePart> = subject.parts.iter().filter_map(|part| part.with_word(card)).collect();
            let (verdict, _) = subject.run_parts(&written.name, &text, near.iter().rev().enumerate());
            if verdict != Verdict::Survived {
                return (verdict, None);
            }
        }
        // Only tests with the variant can detect the mutation.
        let meets = |part: &SuitePart| mutant.variant.as_ref().is_none_or(|variant| part.uses_variant(variant));
        let parts = order.iter().filter_map(|&at| subject.parts.get(at).map(|part| (at, part)));
        subject.run_parts(&written.name, &text, parts.filter(|(_, part)| meets(part)))
    }));
    let Ok((verdict, noticed)) = asked else { return Verdict::Panicked };
    if let Some(at) = noticed.and_then(|part| order.iter().position(|known| *known == part)) {
        order.get_mut(..=at).into_iter().for_each(|asked| asked.rotate_right(1));
    }
    verdict
}
