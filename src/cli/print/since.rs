//! `houserule print --since`: what is printed differently in another version.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::args::PrintArgs;
use super::super::load::Workspace;
use super::super::output::usage_error;
use super::super::result::ExitReason;
use super::super::subject::{RootFolder, manifest_of};
use super::{language, read_json};
use crate::print::{CardContent, Change, changes_since, contents_of, contents_of_json};
use crate::source::Sources;
use crate::table::DisplayNames;

/// What differs from another version.
pub(super) struct Changes {
    changes: Vec<(String, Change)>,
    /// How many of each card the other version has.
    copies: BTreeMap<String, u16>,
}

/// Compares the cards with those of a folder or file.
///
/// # Errors
/// A usage error if it is no version of this game; `Findings` on errors in it.
pub(super) fn changes(workspace: &Workspace, args: &PrintArgs, path: &Path, cards: &[CardContent]) -> Result<Changes, ExitReason> {
    let older = if path.is_dir() { of_folder(workspace, args, path)? } else { of_file(workspace, args, path)? };
    let copies = older.iter().map(|card| (card.id.clone(), card.copies)).collect();
    Ok(Changes { changes: changes_since(&older, cards), copies })
}

impl Changes {
    fn of(&self, id: &str) -> Option<Change> {
        self.changes.iter().find(|(card, _)| card == id).map(|(_, change)| *change)
    }

    /// Whether a card is printed anew.
    pub(super) fn is_printed(&self, id: &str) -> bool {
        matches!(self.of(id), Some(Change::New | Change::Changed | Change::More))
    }

    /// How many of a card are printed: of one that has not changed those that are missing.
    pub(super) fn copies(&self, card: &CardContent) -> u16 {
        match self.of(&card.id) {
            Some(Change::New | Change::Changed) => card.copies,
            Some(Change::More) => card.copies.saturating_sub(self.copies.get(&card.id).copied().unwrap_or(0)),
            Some(Change::Fewer | Change::Gone) | None => 0,
        }
    }

    /// Says what has changed, of the cards that were asked for; of what is gone, all.
    pub(super) fn notes(&self, is_chosen: impl Fn(&str) -> bool) -> Vec<String> {
        let words = [
            (Change::New, "new"),
            (Change::Changed, "changed"),
            (Change::More, "more of"),
            (Change::Fewer, "fewer of"),
            (Change::Gone, "gone"),
        ];
        let line = |(change, word): (Change, &str)| {
            let is_told = |(id, other): &&(String, Change)| *other == change && (change == Change::Gone || is_chosen(id));
            let cards: Vec<&str> = self.changes.iter().filter(is_told).map(|(id, _)| id.as_str()).collect();
            (!cards.is_empty()).then(|| format!("{word}: {}", cards.join(", ")))
        };
        words.into_iter().filter_map(line).collect()
    }
}

/// Reads what an earlier `houserule print --json` has written.
fn of_file(workspace: &Workspace, args: &PrintArgs, path: &Path) -> Result<Vec<CardContent>, ExitReason> {
    let saved = contents_of_json(&read_json(path)?);
    let saved = saved.or_else(|fault| usage_error(format!("cannot read `{}` as what `print --json` writes: {fault}", path.display())))?;
    if saved.game != args.game {
        return usage_error(format!("`{}` holds cards of `{}`, not of `{}`", path.display(), saved.game, args.game));
    }
    if saved.language != language(workspace) {
        let (theirs, ours) = (&saved.language, language(workspace));
        return usage_error(format!(
            "`{}` was printed in the language `{theirs}`, and this is `{ours}`; add `--lang {theirs}`",
            path.display()
        ));
    }
    Ok(saved.cards)
}

/// Loads another version of the game, or of one of its packs.
fn of_folder(workspace: &Workspace, args: &PrintArgs, path: &Path) -> Result<Vec<CardContent>, ExitReason> {
    let (older, packs) = match RootFolder::of_folder(path) {
        Some(RootFolder::Pack(_)) => (workspace.clone(), with_pack(args, path)?),
        Some(RootFolder::Games(_)) => (workspace.with_root(path), args.pack.clone()),
        None => {
            return usage_error(format!(
                "`{}` is no version of this game: it has neither rules/ nor cards/ nor pack.toml in it",
                path.display()
            ));
        }
    };
    let mut sources = Sources::new();
    let text = older.load_text(&mut sources, &args.game, &packs, &args.with)?;
    let names = older.load_names(&sources, &text.content)?;
    Ok(contents_of(&text, &DisplayNames::new(&text, names)))
}

/// Returns the packs of the other version: in place of the pack with the same name this folder.
fn with_pack(args: &PrintArgs, path: &Path) -> Result<Vec<PathBuf>, ExitReason> {
    let name_of = |folder: &Path| manifest_of(folder).map(|manifest| manifest.name);
    let name = name_of(path);
    let mut packs = args.pack.clone();
    match packs.iter_mut().find(|pack| name.is_some() && name_of(pack) == name) {
        Some(pack) => *pack = path.to_path_buf(),
        None => {
            let called = name.unwrap_or_default();
            return usage_error(format!("`{}` is the pack `{called}`; name its newer folder with `--pack`", path.display()));
        }
    }
    Ok(packs)
}
