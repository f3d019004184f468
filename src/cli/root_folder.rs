//! The folder around a file that contains games or is a pack.

use std::path::{Path, PathBuf};

use crate::disk::OnDisk;
use crate::pack::{games_below, has_manifest};
use crate::source::Sources;

/// The root folder of a file: the nearest folder around it that contains games or is a pack.
#[derive(Clone, Debug, PartialEq)]
pub enum RootFolder {
    /// A folder with `rules/` or `cards/`.
    Games(PathBuf),
    /// A folder with `pack.toml`.
    Pack(PathBuf),
}

impl RootFolder {
    /// Returns the root at a path, or the nearest one around it.
    pub fn enclosing(path: &Path) -> Option<RootFolder> {
        let folders = path.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        folders.into_iter().find_map(RootFolder::of_folder)
    }

    /// Returns the root that this folder is; `None` if it contains no games and is no pack.
    fn of_folder(folder: &Path) -> Option<RootFolder> {
        if has_manifest(folder) {
            return Some(RootFolder::Pack(folder.to_path_buf()));
        }
        let holds = |name: &str| folder.join(name).is_folder();
        (holds("rules") || holds("cards")).then(|| RootFolder::Games(folder.to_path_buf()))
    }

    /// Returns the nearest folder around a pack that contains games; for a pack that is named by a path without it, as a way up from there.
    pub fn games_around(pack: &Path) -> Option<PathBuf> {
        let real = Sources::real_path(pack);
        let holds_games = |around: &Path| !has_manifest(around) && around.join("rules").is_folder() && !games_below(around).is_empty();
        let (steps, around) = real.ancestors().enumerate().skip(1).find(|(_, around)| holds_games(around))?;
        let named = match pack.ancestors().nth(steps) {
            Some(named) if named.as_os_str().is_empty() => PathBuf::from("."),
            Some(named) => named.to_path_buf(),
            None => std::iter::repeat_n("..", steps).collect(),
        };
        Some(if Sources::real_path(&named) == around { named } else { around.to_path_buf() })
    }

    /// Returns the path of the folder.
    pub fn folder(&self) -> &Path {
        match self {
            RootFolder::Games(folder) | RootFolder::Pack(folder) => folder,
        }
    }

    /// Whether a file below this root may contain scenarios: it must lie outside of the folders with cards and rules.
    pub fn may_contain_scenarios(&self, file: &Path) -> bool {
        let of_game = ["cards", "rules"].iter().any(|name| file.starts_with(self.folder().join(name)));
        !of_game && file.file_name().is_none_or(|name| name != "pack.toml")
    }
}
