//! What a folder or file stands for: a game, with packs.

use std::path::{Path, PathBuf};

use super::load::Ground;
use crate::diagnostic::Diagnostic;
use crate::pack::{games_below, parse_manifest};
use crate::scenario::file::parse_scenarios;
use crate::source::{FileId, Sources};

/// A game, with packs.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    /// The folder with its rules, if it is not the program's own.
    pub root: Option<PathBuf>,
    /// The game.
    pub game: String,
    /// Packs, those first on which others build.
    pub packs: Vec<PathBuf>,
}

/// What holds files of a game: the nearest folder around them.
#[derive(Clone, Debug, PartialEq)]
pub enum Home {
    /// A folder with rules/ or cards/.
    Games(PathBuf),
    /// A folder with `pack.toml`.
    Pack(PathBuf),
}

impl Home {
    /// The folder that is a home, or around it.
    pub fn around(path: &Path) -> Option<Home> {
        let folders = path.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        folders.into_iter().find_map(Home::at)
    }

    /// A folder, if it is one.
    fn at(folder: &Path) -> Option<Home> {
        if folder.join("pack.toml").is_file() {
            return Some(Home::Pack(folder.to_path_buf()));
        }
        let holds = |name: &str| folder.join(name).is_dir();
        (holds("rules") || holds("cards")).then(|| Home::Games(folder.to_path_buf()))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        match self {
            Home::Games(folder) | Home::Pack(folder) => folder,
        }
    }

    /// Whether a file in it may be one of scenarios: not among its cards and rules.
    pub fn tests(&self, file: &Path) -> bool {
        let of_game = ["cards", "rules"].iter().any(|name| file.starts_with(self.folder().join(name)));
        !of_game && file.file_name().is_none_or(|name| name != "pack.toml")
    }

    /// All games that lie here, each with what belongs to it; a pack is one with the game that it extends.
    pub fn subjects(&self, ground: &Ground, diagnostics: &mut Vec<Diagnostic>) -> Vec<Subject> {
        match self {
            Home::Pack(folder) => of_pack(ground, folder, diagnostics).into_iter().collect(),
            Home::Games(folder) => {
                let of_game = |game| Subject { root: Some(folder.clone()), game, packs: Vec::new() };
                games_below(folder).into_iter().map(of_game).collect()
            }
        }
    }
}

/// What a file of scenarios is about: the game that it names, as it is known here, or as it lies around the file.
pub fn of_scenarios(ground: &Ground, sources: &Sources, file: FileId, path: &Path, diagnostics: &mut Vec<Diagnostic>) -> Subject {
    let here = |game: String| Subject { root: ground.root().map(Path::to_path_buf), game, packs: Vec::new() };
    let game = parse_scenarios(file, sources.text(file), &mut Vec::new()).map_or_else(String::new, |found| found.game.text);
    match path.parent().and_then(Home::around) {
        Some(Home::Pack(folder)) => of_pack(ground, &folder, diagnostics).unwrap_or_else(|| here(game)),
        Some(Home::Games(folder)) if !ground.games().contains(&game) => Subject { root: Some(folder), ..here(game) },
        Some(Home::Games(_)) | None => here(game),
    }
}

/// A pack, together with what it builds on.
pub fn of_pack(ground: &Ground, dir: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<Subject> {
    let games = ground.games();
    let mut packs = vec![dir.to_path_buf()];
    let mut sources = Sources::new();
    let mut folder = dir.to_path_buf();
    // Packs that others build on lie beside them, or below packs/.
    loop {
        let file = sources.read_file(&folder.join("pack.toml")).ok()?;
        let text = sources.text(file).to_string();
        let mut found = Vec::new();
        let Some(manifest) = parse_manifest(file, &text, &mut found) else {
            // Told without a picture: these texts are not kept.
            diagnostics.extend(found.into_iter().map(|fault| Diagnostic { span: None, secondary: Vec::new(), ..fault }));
            return None;
        };
        let extends = manifest.extends.unwrap_or_default();
        if games.contains(&extends) {
            packs.reverse();
            return Some(Subject { root: ground.root().map(Path::to_path_buf), game: extends, packs });
        }
        let beside = folder.parent().map(|parent| parent.join(&extends)).into_iter().chain(ground.packs());
        let next = beside.into_iter().find(|other| {
            other.file_name().is_some_and(|name| name.to_str() == Some(&extends))
                && other.join("pack.toml").is_file()
                && !packs.contains(other)
        });
        match next {
            Some(next) => {
                packs.push(next.clone());
                folder = next;
            }
            None => {
                let message = format!("`{}` extends `{extends}`, which is neither a game nor a pack beside it", dir.display());
                diagnostics.push(Diagnostic::error("G203", None, message));
                return None;
            }
        }
    }
}
