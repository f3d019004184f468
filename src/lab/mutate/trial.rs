//! Asks the tests of a game or of a pack about one changed text.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::Mutant;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lang::{self, GameText, ReadGame};
use crate::pack::GameContent;
use crate::scenario::suite::{Part, parts};
use crate::source::{FileId, Sources};

/// What is changed and tested: a game, or packs on top of it.
#[derive(Clone, Debug)]
pub struct Subject {
    root: Option<PathBuf>,
    game: String,
    /// Its files.
    pub texts: Vec<Written>,
    /// Its tests.
    parts: Vec<Part>,
    /// All its files as they were: whoever writes in them meanwhile does not change what is measured.
    held: Sources,
}

/// A file of it.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its name, as messages show it.
    pub name: String,
    /// What stands in it.
    pub text: String,
    /// Whether it holds rules; otherwise cards.
    pub rules: bool,
    /// Whether it belongs to what is changed; the others only say what there is.
    pub changed: bool,
}

/// What the tests say about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It cannot be read: the first message.
    Refused(String),
    /// A test failed, and its name.
    Noticed(String),
    /// All tests passed.
    Unnoticed,
    /// The program itself broke down.
    Broken,
}

impl Subject {
    /// Reads a game, or packs with the game below them; `None` if something in it is wrong, which stands in `diagnostics`.
    pub fn load(
        sources: &mut Sources,
        root: Option<&Path>,
        game: &str,
        packs: &[PathBuf],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Subject> {
        let content = lang::load(sources, root, game, packs, &[], diagnostics)?.content;
        let is_sound = |found: &[Diagnostic]| found.iter().all(|found| found.severity != Severity::Error);
        if !is_sound(diagnostics) {
            return None;
        }
        let texts = texts_of(&content, sources);
        let own = if packs.is_empty() { content.scenarios.clone() } else { Vec::new() };
        let scenarios = own.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests));
        let scenarios: Vec<PathBuf> = scenarios.map(|file| PathBuf::from(sources.name(*file))).collect();
        let parts = parts(sources, root, game, packs, &scenarios, diagnostics);
        is_sound(diagnostics).then(|| Subject {
            root: root.map(Path::to_path_buf),
            game: game.to_string(),
            texts,
            parts,
            held: sources.held(),
        })
    }

    /// In which order its tests are asked first.
    pub fn order(&self) -> Vec<usize> {
        (0..self.parts.len()).collect()
    }

    /// What the tests say when a file holds another text.
    fn ask<'p>(&'p self, name: &str, text: &str, parts: impl Iterator<Item = (usize, &'p Part)>) -> (Verdict, Option<usize>) {
        let mut sources = self.held.clone();
        sources.instead(name, text);
        let mut games: Vec<(&Part, ReadGame)> = Vec::new();
        let mut texts: Vec<(&Part, GameText)> = Vec::new();
        for (at, part) in parts {
            let mut diagnostics = Vec::new();
            if !games.iter().any(|(other, _)| other.has_packs_of(part)) {
                let read = part.read(&mut sources, self.root.as_deref(), &self.game, &mut diagnostics);
                games.extend(read.map(|read| (part, read)));
            }
            if !texts.iter().any(|(other, _)| other.is_beside(part)) {
                let read = games.iter().find(|(other, _)| other.has_packs_of(part));
                texts.extend(read.map(|(_, read)| (part, part.text(read, &mut sources, &mut diagnostics))));
            }
            if let Some(fault) = diagnostics.into_iter().find(|found| found.severity == Severity::Error) {
                return (Verdict::Refused(fault.message), None);
            }
            let Some((_, text)) = texts.iter().find(|(other, _)| other.is_beside(part)) else { continue };
            match part.first_failure(&sources, text) {
                Ok(None) => {}
                Ok(Some(test)) => return (Verdict::Noticed(format!("{}: {test}", part.name)), Some(at)),
                Err(faults) => return (Verdict::Refused(faults.first().map_or_else(String::new, |fault| fault.message.clone())), None),
            }
        }
        (Verdict::Unnoticed, None)
    }

    /// The name of a test that fails before anything is changed.
    pub fn failing(&self) -> Option<String> {
        match self.ask("", "", self.parts.iter().enumerate()).0 {
            Verdict::Unnoticed => None,
            Verdict::Noticed(said) | Verdict::Refused(said) => Some(said),
            Verdict::Broken => Some("the program broke down; please report it".to_string()),
        }
    }
}

/// The texts of rules and cards.
fn texts_of(content: &GameContent, sources: &Sources) -> Vec<Written> {
    let tests: Vec<FileId> = content.scenarios.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests)).copied().collect();
    let mut texts: Vec<Written> = Vec::new();
    for file in (0..sources.len()).filter_map(|at| u32::try_from(at).ok()).map(FileId) {
        let name = sources.name(file).to_string();
        let rules = content.rules.contains(&file) || content.packs.iter().any(|pack| pack.rules.contains(&file));
        let path = Path::new(&name);
        let of_pack = content.packs.iter().any(|pack| path.starts_with(&pack.folder));
        let cards = !rules && !tests.contains(&file) && path.extension().is_some_and(|ending| ending == "toml");
        if (rules || cards) && !texts.iter().any(|known| known.name == name) {
            texts.push(Written { name, text: sources.text(file).to_string(), rules, changed: of_pack || content.packs.is_empty() });
        }
    }
    texts
}

/// What the tests say about a change of a file. Tests that name the card are asked first. `order` says in which order the others are
/// asked; whoever noticed something comes to its front, since he will often notice the next change, too.
pub fn judge(subject: &Subject, written: &Written, mutant: &Mutant, order: &mut [usize]) -> Verdict {
    let text = mutant.applied(&written.text);
    let asked = catch_unwind(AssertUnwindSafe(|| {
        if let Some(card) = &mutant.card {
            let near: Vec<Part> = subject.parts.iter().filter_map(|part| part.naming(card)).collect();
            let (verdict, _) = subject.ask(&written.name, &text, near.iter().rev().enumerate());
            if verdict != Verdict::Unnoticed {
                return (verdict, None);
            }
        }
        // Without its variant nobody meets it.
        let meets = |part: &Part| mutant.variant.as_ref().is_none_or(|variant| part.is_with(variant));
        let parts = order.iter().filter_map(|&at| subject.parts.get(at).map(|part| (at, part)));
        subject.ask(&written.name, &text, parts.filter(|(_, part)| meets(part)))
    }));
    let Ok((verdict, noticed)) = asked else { return Verdict::Broken };
    if let Some(at) = noticed.and_then(|part| order.iter().position(|known| *known == part)) {
        order.get_mut(..=at).into_iter().for_each(|asked| asked.rotate_right(1));
    }
    verdict
}
