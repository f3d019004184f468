//! The files that say how the cards of a game are printed: of the game, and of each of its packs.

use std::path::Path;

use super::files::{list_files, open_file, read};
use super::load::GameContent;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources};

/// Opens the layouts for paper of a game: `print/GAME.toml` beside `rules/` and `cards/`, and `print.toml` in the folders of its packs, in load order.
/// A game or a pack need not have one.
pub fn open_layouts(sources: &mut Sources, root: Option<&Path>, content: &GameContent, diagnostics: &mut Vec<Diagnostic>) -> Vec<FileId> {
    let own = list_files(&Sources::new(), root, "print", "toml").remove(&format!("print/{}.toml", content.game));
    let mut found: Vec<FileId> = Vec::new();
    found.extend(own.and_then(|origin| open_file(sources, &format!("print/{}.toml", content.game), &origin, diagnostics)));
    for path in content.packs.iter().map(|pack| pack.folder.join("print.toml")).filter(|path| path.is_file()) {
        found.extend(read(sources, &path, diagnostics));
    }
    found
}
