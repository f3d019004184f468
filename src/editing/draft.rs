//! Drafts: initial texts of a card, a pack, a variant or a game for the author to extend. They are derived from the declarations and
//! cards of a loaded game, so that this crate contains no game's vocabulary. Writing files is left to the command line.

mod card;
mod figures;
mod name;
mod print;
mod variant;

pub use card::{CardDraft, draft_card, find_models};
pub use name::{check_game_name, check_name, name_of};
pub use variant::{VariantDraft, draft_variants};

use std::path::Path;

use crate::format::{Language, format};
use crate::source::FileId;

/// A file to be written: a relative path and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftFile {
    /// Path relative to the target folder.
    pub path: String,
    /// Complete text of the file.
    pub text: String,
}

impl DraftFile {
    /// Creates a file with this text, written as `houserule fmt` writes it.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> DraftFile {
        let (path, text) = (path.into(), text.into());
        let formatted = Language::of_path(Path::new(&path)).and_then(|language| format(language, FileId(0), &text).ok());
        // What cannot be read is told when the draft is checked.
        DraftFile { path, text: formatted.unwrap_or(text) }
    }
}

/// Writes the files of a small playable game: rules, cards with a test, and scenarios.
pub fn draft_game(name: &str) -> Vec<DraftFile> {
    let id = name.replace('-', "_");
    let fill = |text: &str| text.replace("{name}", name).replace("{title}", &name_of(&id));
    vec![
        DraftFile::new(format!("rules/{name}.rules"), fill(include_str!("draft/game/game.rules"))),
        DraftFile::new(format!("cards/{name}/cards.toml"), fill(include_str!("draft/game/cards.toml"))),
        DraftFile::new(format!("tests/{name}.toml"), fill(include_str!("draft/game/tests.toml"))),
    ]
}

/// Writes the `pack.toml` for a pack that extends a game or another pack.
pub fn draft_manifest(name: &str, extends: &str) -> DraftFile {
    let text = format!(
        "# What the pack is. Its cards lie in cards/, changed rules in rules/, scenarios in tests/.\n\
         name     = \"{name}\"\n\
         version  = \"0.1\"\n\
         language = 1                   # of the rules and cards, not of their names\n\
         extends  = \"{extends}\"\n"
    );
    DraftFile::new("pack.toml", text)
}
