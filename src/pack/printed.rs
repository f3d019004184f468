//! The files that say how the cards of a game are printed: of the game, and of each of its packs.

use std::path::Path;

use super::files::{list_files, open_file, read};
use super::load::{GameContent, list_games};
use crate::diagnostic::{Diagnostic, nearest};
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

/// Opens the layouts in `print/` that are of no game, if this is the game that is probably meant: each is returned once when all games are
/// gone through.
pub fn open_stray_layouts(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(FileId, String)> {
    let games = list_games(root);
    let files = list_files(&Sources::new(), root, "print", "toml");
    let stray = files.iter().filter_map(|(path, origin)| {
        let name = path.strip_prefix("print/")?.strip_suffix(".toml")?;
        let meant = nearest(name, games.iter().map(String::as_str)).or(games.first().map(String::as_str));
        (!games.iter().any(|known| known == name) && meant == Some(game)).then(|| (name.to_string(), path, origin))
    });
    stray.filter_map(|(name, path, origin)| open_file(sources, path, origin, diagnostics).map(|file| (file, name))).collect()
}
