//! Determines which game and packs a folder or file refers to, and the folder around a file that contains games or is a pack.

use std::path::{Path, PathBuf};

use super::load::Workspace;
use crate::diagnostic::{Diagnostic, nearest};
use crate::disk::OnDisk;
use crate::pack::{Manifest, games_below, has_manifest, parse_manifest, unreadable_path_error};
use crate::scenario::file::parse_scenarios;
use crate::source::{FileId, Sources, Span};

/// A game with packs.
#[derive(Clone, Debug, PartialEq)]
pub struct GameWithPacks {
    /// Folder of the game's rules; `None` for an embedded game.
    pub root: Option<PathBuf>,
    /// Name of the game.
    pub game: String,
    /// Folders of packs, dependencies first.
    pub packs: Vec<PathBuf>,
}

/// The root folder of a file: the nearest folder around it that contains games or is a pack.
#[derive(Clone, Debug, PartialEq)]
pub enum RootFolder {
    /// A folder with `rules/` or `cards/`.
    Games(PathBuf),
    /// A folder with `pack.toml`.
    Pack(PathBuf),
}

/// Whether a folder has `rules/` or `cards/` in it.
pub fn has_game_folders(folder: &Path) -> bool {
    ["rules", "cards"].iter().any(|name| folder.join(name).is_folder())
}

impl RootFolder {
    /// Returns the root at a path, or the nearest one around it.
    pub fn enclosing(path: &Path) -> Option<RootFolder> {
        let folders = path.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        folders.into_iter().find_map(RootFolder::of_folder)
    }

    /// Returns the root that this folder is; `None` if it contains no games and is no pack.
    pub fn of_folder(folder: &Path) -> Option<RootFolder> {
        if has_manifest(folder) {
            return Some(RootFolder::Pack(folder.to_path_buf()));
        }
        has_game_folders(folder).then(|| RootFolder::Games(folder.to_path_buf()))
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

    /// Finds all games in this folder with their packs; for the folder of a pack, the game that it extends.
    pub fn subjects(
        &self,
        workspace: &Workspace,
        named: &[PathBuf],
        sources: &mut Sources,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<GameWithPacks> {
        match self {
            RootFolder::Pack(folder) => of_pack(workspace, folder, named, sources, diagnostics).into_iter().collect(),
            RootFolder::Games(folder) => {
                let here = Workspace::of_root(Some(folder));
                games_below(folder).into_iter().map(|game| here.game_with_packs(game, Vec::new())).collect()
            }
        }
    }
}

/// Finds the game of a scenario file: the game that the file names, in the workspace or around the file.
pub fn of_scenarios(
    workspace: &Workspace,
    named: &[PathBuf],
    sources: &mut Sources,
    file: FileId,
    diagnostics: &mut Vec<Diagnostic>,
) -> GameWithPacks {
    let game = parse_scenarios(file, sources.text(file), &mut Vec::new()).map_or_else(String::new, |found| found.game.text);
    let here = workspace.game_with_packs(game, Vec::new());
    match Path::new(sources.name(file)).parent().and_then(RootFolder::enclosing) {
        Some(RootFolder::Pack(folder)) => of_pack(workspace, &folder, named, sources, diagnostics).unwrap_or(here),
        Some(RootFolder::Games(folder)) if !workspace.games().contains(&here.game) => GameWithPacks { root: Some(folder), ..here },
        Some(RootFolder::Games(_)) | None => here,
    }
}

/// Loads a pack with the packs it depends on, which are found next to it, below `packs/`, or among `named`. If the workspace has no such game
/// or pack, those of the folder around the pack serve.
pub fn of_pack(
    workspace: &Workspace,
    dir: &Path,
    named: &[PathBuf],
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameWithPacks> {
    let before = diagnostics.len();
    of_pack_in(workspace, dir, named, sources, diagnostics).or_else(|| {
        let around = RootFolder::games_around(dir).filter(|around| workspace.root() != Some(around.as_path()))?;
        let mut further = Vec::new();
        let found = of_pack_in(&Workspace::of_root(Some(&around)), dir, named, sources, &mut further)?;
        diagnostics.truncate(before);
        diagnostics.extend(further);
        Some(found)
    })
}

/// Loads a pack with the packs it depends on, with the games of this workspace alone.
fn of_pack_in(
    workspace: &Workspace,
    dir: &Path,
    named: &[PathBuf],
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameWithPacks> {
    let games = workspace.games();
    let mut packs = vec![dir.to_path_buf()];
    let mut game = None;
    let mut next = 0;
    while let Some(folder) = packs.get(next).cloned() {
        let manifest = read_manifest(&folder, sources, diagnostics)?;
        let others = pack_folders(workspace, &folder, named);
        let known = |other: &PathBuf| packs.iter().any(|pack| Sources::real_path(pack) == Sources::real_path(other));
        let find = |name: &String| others.iter().find(|other| is_pack_named(other, name)).cloned();
        let Some(extended) = &manifest.extends else {
            let place = Span { file: manifest.file, start: 0, end: 0 };
            let fault = Diagnostic::error("C003", place, "`pack.toml` has no `extends`").label("`extends` is missing");
            diagnostics.push(fault.help("add `extends = \"…\"`: the game, or the pack, that it builds on"));
            return None;
        };
        let mut base = None;
        if games.contains(extended) {
            game.get_or_insert(extended.clone());
        } else {
            base = find(extended);
            if base.as_ref().is_none_or(|base| *extended == manifest.name || known(base)) {
                diagnostics.push(unknown_base(&manifest, extended, &games, base.is_some()));
                return None;
            }
        }
        // Missing dependencies are reported when the pack is loaded.
        let needed: Vec<PathBuf> =
            base.into_iter().chain(manifest.requires.iter().filter_map(find)).filter(|found| !known(found)).collect();
        packs.extend(needed);
        next += 1;
    }
    packs.reverse();
    Some(workspace.game_with_packs(game?, packs))
}

fn read_manifest(folder: &Path, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Option<Manifest> {
    let path = folder.join("pack.toml");
    let file = sources.read_file(&path).map_err(|fault| diagnostics.push(unreadable_path_error(&path, &fault))).ok()?;
    let before = diagnostics.len();
    let manifest = parse_manifest(file, sources.text(file), diagnostics);
    // An invalid key might be a misspelling of the one that is needed.
    manifest.filter(|_| diagnostics.len() == before)
}

/// Reads the manifest of a pack for its name and the like; errors in it are told when the pack is loaded.
pub fn manifest_of(folder: &Path) -> Option<Manifest> {
    let mut sources = Sources::new();
    let file = sources.read_file(&folder.join("pack.toml")).ok()?;
    parse_manifest(file, sources.text(file), &mut Vec::new())
}

/// Returns the folders of packs that another pack may depend on: those named, those next to it, and those below `packs/`.
fn pack_folders(workspace: &Workspace, folder: &Path, named: &[PathBuf]) -> Vec<PathBuf> {
    let around = folder.parent().map(Sources::folders).unwrap_or_default();
    let all = named.iter().cloned().chain(around).chain(workspace.packs());
    all.filter(|other| other.join("pack.toml").is_plain_file()).collect()
}

/// Whether a folder contains the pack of this name.
fn is_pack_named(folder: &Path, name: &str) -> bool {
    let manifest = read_manifest(folder, &mut Sources::new(), &mut Vec::new());
    manifest.map_or_else(|| folder.file_name().is_some_and(|last| last == name), |manifest| manifest.name == name)
}

/// Creates the diagnostic for a pack that extends an unknown game or pack.
fn unknown_base(manifest: &Manifest, base: &str, games: &[String], circle: bool) -> Diagnostic {
    let (name, place) = (&manifest.name, manifest.place("extends", base));
    if base == name {
        let fault = Diagnostic::error("C012", place, format!("pack `{name}` cannot build on itself"));
        return fault.label("this is its own name: name the game, or another pack");
    }
    if circle {
        let fault = Diagnostic::error("C012", place, format!("pack `{name}` builds on `{base}`, which builds on it"));
        return fault.label("one of them builds on the game");
    }
    let fault = Diagnostic::error("G203", place, format!("`{name}` extends `{base}`, which is neither a game nor a pack beside it"));
    match nearest(base, games.iter().map(String::as_str)) {
        None => fault.label("unknown").help(format!(
            "the games are {}; a pack elsewhere is named by `--pack`, and a game by `--root DIR`, the folder of its rules/",
            games.join(", ")
        )),
        meant => fault.label("unknown").meant(meant),
    }
}
