//! What a folder or file stands for: a game, with packs.

use std::path::{Path, PathBuf};

use super::load::Ground;
use crate::diagnostic::{Diagnostic, nearest};
use crate::pack::{Manifest, games_below, has_manifest, parse_manifest, unreadable};
use crate::scenario::file::parse_scenarios;
use crate::source::{FileId, Sources, Span};

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
        if has_manifest(folder) {
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
    pub fn subjects(&self, ground: &Ground, named: &[PathBuf], sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Vec<Subject> {
        match self {
            Home::Pack(folder) => of_pack(ground, folder, named, sources, diagnostics).into_iter().collect(),
            Home::Games(folder) => {
                let of_game = |game| Subject { root: Some(folder.clone()), game, packs: Vec::new() };
                games_below(folder).into_iter().map(of_game).collect()
            }
        }
    }
}

/// What a file of scenarios is about: the game that it names, as it is known here, or as it lies around the file.
pub fn of_scenarios(
    ground: &Ground,
    named: &[PathBuf],
    sources: &mut Sources,
    (file, path): (FileId, &Path),
    diagnostics: &mut Vec<Diagnostic>,
) -> Subject {
    let here = |game: String| Subject { root: ground.root().map(Path::to_path_buf), game, packs: Vec::new() };
    let game = parse_scenarios(file, sources.text(file), &mut Vec::new()).map_or_else(String::new, |found| found.game.text);
    match path.parent().and_then(Home::around) {
        Some(Home::Pack(folder)) => of_pack(ground, &folder, named, sources, diagnostics).unwrap_or_else(|| here(game)),
        Some(Home::Games(folder)) if !ground.games().contains(&game) => Subject { root: Some(folder), ..here(game) },
        Some(Home::Games(_)) | None => here(game),
    }
}

/// A pack, together with what it builds on and needs: that lies beside it or below packs/, or is `named` besides.
pub fn of_pack(
    ground: &Ground,
    dir: &Path,
    named: &[PathBuf],
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Subject> {
    let games = ground.games();
    let mut packs = vec![dir.to_path_buf()];
    let mut game = None;
    let mut next = 0;
    while let Some(folder) = packs.get(next).cloned() {
        let manifest = manifest_of(&folder, sources, diagnostics)?;
        let others = beside(ground, &folder, named);
        let known = |other: &PathBuf| packs.iter().any(|pack| Sources::real_path(pack) == Sources::real_path(other));
        let find = |name: &String| others.iter().find(|other| is_called(other, name)).cloned();
        let base = match manifest.extends.as_ref() {
            Some(base) if games.contains(base) => {
                game.get_or_insert(base.clone());
                None
            }
            Some(base) => match find(base).filter(|found| *base != manifest.name && !known(found)) {
                Some(found) => Some(found),
                None => {
                    diagnostics.push(in_vain(&manifest, base, &games, find(base).is_some()));
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
        // What is needed and found nowhere is told when the pack is loaded.
        let needed = base.into_iter().chain(manifest.requires.iter().filter_map(find)).filter(|found| !known(found));
        let needed: Vec<PathBuf> = needed.collect();
        packs.extend(needed);
        next += 1;
    }
    packs.reverse();
    Some(Subject { root: ground.root().map(Path::to_path_buf), game: game?, packs })
}

fn manifest_of(folder: &Path, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Option<Manifest> {
    let path = folder.join("pack.toml");
    let file = sources.read_file(&path).map_err(|fault| diagnostics.push(unreadable(&path, &fault))).ok()?;
    let text = sources.text(file).to_string();
    let mut found = Vec::new();
    let manifest = parse_manifest(file, &text, &mut found);
    // A key that is wrong may be the one that would say what is looked for.
    let sound = found.is_empty();
    diagnostics.extend(found);
    manifest.filter(|_| sound)
}

/// Folders with packs that another may mean: those named, those beside it, those below packs/.
fn beside(ground: &Ground, folder: &Path, named: &[PathBuf]) -> Vec<PathBuf> {
    let around = folder.parent().map(Sources::folders).unwrap_or_default();
    let all = named.iter().cloned().chain(around).chain(ground.packs());
    all.filter(|other| other.join("pack.toml").is_file()).collect()
}

/// Whether a folder holds the pack of this name.
fn is_called(folder: &Path, name: &str) -> bool {
    let mut sources = Sources::new();
    let manifest = manifest_of(folder, &mut sources, &mut Vec::new());
    manifest.map_or_else(|| folder.file_name().is_some_and(|last| last == name), |manifest| manifest.name == name)
}

/// What is said of a pack that extends nothing that is there.
fn in_vain(manifest: &Manifest, base: &str, games: &[String], circle: bool) -> Diagnostic {
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
