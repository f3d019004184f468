//! Determines which game and packs a folder or file refers to.

use std::path::{Path, PathBuf};

use super::load::Workspace;
use super::root_folder::RootFolder;
use crate::diagnostic::{Diagnostic, nearest};
use crate::disk::OnDisk;
use crate::pack::{Manifest, games_below, parse_manifest, unreadable_path_error};
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

impl RootFolder {
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
                let of_game = |game| GameWithPacks { root: Some(folder.clone()), game, packs: Vec::new() };
                games_below(folder).into_iter().map(of_game).collect()
            }
        }
    }
}

/// Finds the game of a scenario file: the game that the file names, in the workspace or around the file.
pub fn of_scenarios(
    workspace: &Workspace,
    named: &[PathBuf],
    sources: &mut Sources,
    (file, path): (FileId, &Path),
    diagnostics: &mut Vec<Diagnostic>,
) -> GameWithPacks {
    let here = |game: String| GameWithPacks { root: workspace.root().map(Path::to_path_buf), game, packs: Vec::new() };
    let game = parse_scenarios(file, sources.text(file), &mut Vec::new()).map_or_else(String::new, |found| found.game.text);
    match path.parent().and_then(RootFolder::enclosing) {
        Some(RootFolder::Pack(folder)) => of_pack(workspace, &folder, named, sources, diagnostics).unwrap_or_else(|| here(game)),
        Some(RootFolder::Games(folder)) if !workspace.games().contains(&game) => GameWithPacks { root: Some(folder), ..here(game) },
        Some(RootFolder::Games(_)) | None => here(game),
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
    let mut faults = Vec::new();
    let found = of_pack_in(workspace, dir, named, sources, &mut faults).or_else(|| {
        let around = RootFolder::games_around(dir).filter(|around| workspace.root() != Some(around.as_path()))?;
        let mut further = Vec::new();
        let found = of_pack_in(&Workspace::of_root(Some(&around)), dir, named, sources, &mut further)?;
        faults = further;
        Some(found)
    });
    diagnostics.extend(faults);
    found
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
        let base = match manifest.extends.as_ref() {
            Some(base) if games.contains(base) => {
                game.get_or_insert(base.clone());
                None
            }
            Some(base) => match find(base).filter(|found| *base != manifest.name && !known(found)) {
                Some(found) => Some(found),
                None => {
                    diagnostics.push(unknown_base(&manifest, base, &games, find(base).is_some()));
                    return None;
                }
            },
            None => {
                let place = Span { file: manifest.file, start: 0, end: 0 };
                let fault = Diagnostic::error("C003", place, "`pack.toml` has no `extends`").label("`extends` is missing");
                diagnostics.push(fault.help("add `extends = \"…\"`: the game, or the pack, that it builds on"));
                return None;
            }
        };
        // Missing dependencies are reported when the pack is loaded.
        let needed = base.into_iter().chain(manifest.requires.iter().filter_map(find)).filter(|found| !known(found));
        let needed: Vec<PathBuf> = needed.collect();
        packs.extend(needed);
        next += 1;
    }
    packs.reverse();
    Some(GameWithPacks { root: workspace.root().map(Path::to_path_buf), game: game?, packs })
}

fn read_manifest(folder: &Path, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Option<Manifest> {
    let path = folder.join("pack.toml");
    let file = sources.read_file(&path).map_err(|fault| diagnostics.push(unreadable_path_error(&path, &fault))).ok()?;
    let text = sources.text(file).to_string();
    let mut found = Vec::new();
    let manifest = parse_manifest(file, &text, &mut found);
    // An invalid key might be a misspelling of the one that is needed.
    let sound = found.is_empty();
    diagnostics.extend(found);
    manifest.filter(|_| sound)
}

/// Returns the folders of packs that another pack may depend on: those named, those next to it, and those below `packs/`.
fn pack_folders(workspace: &Workspace, folder: &Path, named: &[PathBuf]) -> Vec<PathBuf> {
    let around = folder.parent().map(Sources::folders).unwrap_or_default();
    let all = named.iter().cloned().chain(around).chain(workspace.packs());
    all.filter(|other| other.join("pack.toml").is_plain_file()).collect()
}

/// Whether a folder contains the pack of this name.
fn is_pack_named(folder: &Path, name: &str) -> bool {
    let mut sources = Sources::new();
    let manifest = read_manifest(folder, &mut sources, &mut Vec::new());
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
