//! Loads and compiles games from command-line arguments.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::output::{show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use super::root_folder::RootFolder;
use crate::diagnostic::nearest;
use crate::disk::OnDisk;
use crate::engine::Ruleset;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
use crate::pack::{self, has_manifest};
use crate::playtest::saved::{GameVersion, SideSettings};
use crate::script::check_scripts;
use crate::source::Sources;

/// The folder in which games are looked up, and the language of names.
pub struct Workspace {
    root: Option<PathBuf>,
    language: Option<String>,
    /// Whether no folder was named, and the current one is a pack.
    in_pack: bool,
}

impl Workspace {
    /// Uses the given folder, or the current one if it contains games; in the folder of a pack, the one around it that does.
    ///
    /// # Errors
    /// A usage error if the given folder contains no games.
    pub fn new(root: Option<PathBuf>, language: Option<String>) -> Result<Workspace, ExitReason> {
        let holds = |root: &Path, folder: &str| root.join(folder).is_folder();
        match root {
            Some(root) if holds(&root, "rules") || holds(&root, "cards") => Ok(Workspace { root: Some(root), language, in_pack: false }),
            Some(root) => usage_error(format!("`{}` has neither rules/ nor cards/ in it", root.display())),
            None => {
                // A pack adds to games and overrides none.
                let here = PathBuf::from(".");
                if has_manifest(&here) {
                    return Ok(Workspace { root: RootFolder::games_around(&here), language, in_pack: true });
                }
                // A game may have no cards.
                let games = || holds(&here, "cards") || !pack::games_below(&here).is_empty();
                Ok(Workspace { root: (holds(&here, "rules") && games()).then_some(here), language, in_pack: false })
            }
        }
    }

    /// Returns the given folders; if there are none, the current folder if it is a pack.
    pub fn or_current_pack(&self, mut named: Vec<PathBuf>) -> Vec<PathBuf> {
        if named.is_empty() && self.in_pack {
            named.push(PathBuf::from("."));
        }
        named
    }

    /// Returns the workspace of a file in an editor: the given folder, or the nearest one around the file that contains games.
    pub fn enclosing(root: Option<&Path>, root_folder: &RootFolder) -> Workspace {
        let root = match root_folder {
            RootFolder::Games(folder) => Some(folder.clone()),
            RootFolder::Pack(folder) => root.map(Path::to_path_buf).or_else(|| RootFolder::games_around(folder)),
        };
        Workspace { root, language: None, in_pack: false }
    }

    /// Returns the workspace of a folder; without a folder it has only the games inside the program.
    pub fn of_root(root: Option<&Path>) -> Workspace {
        Workspace { root: root.map(Path::to_path_buf), language: None, in_pack: false }
    }

    /// Returns the workspace with another version of its games.
    ///
    /// # Errors
    /// A usage error if the folder of the version contains no games.
    pub fn at_version(&self, version: &GameVersion) -> Result<Workspace, ExitReason> {
        match version {
            GameVersion::Current => Ok(Workspace { root: self.root.clone(), language: self.language.clone(), in_pack: self.in_pack }),
            GameVersion::BuiltIn => Ok(Workspace { root: None, language: self.language.clone(), in_pack: false }),
            GameVersion::Folder(folder) => Workspace::new(Some(folder.clone()), self.language.clone()),
        }
    }

    /// Returns the workspace with the games of another folder.
    pub fn with_root(&self, root: &Path) -> Workspace {
        Workspace { root: Some(root.to_path_buf()), language: self.language.clone(), in_pack: self.in_pack }
    }

    /// Returns the same folder with names in another language; `None` for those of the cards.
    pub fn in_language(self, language: Option<&str>) -> Workspace {
        Workspace { language: language.map(String::from), ..self }
    }

    /// Returns the folder whose files override those inside the program.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Returns the value of `--root` with which another run finds the same games; `None` if it needs no `--root`.
    pub fn root_to_type(&self) -> Option<PathBuf> {
        self.root.clone().filter(|root| root != Path::new("."))
    }

    /// Returns the chosen language of names, if any.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// Returns the names of all games.
    pub fn games(&self) -> Vec<String> {
        pack::list_games(self.root())
    }

    /// Checks that a game of this name exists.
    ///
    /// # Errors
    /// A usage error if it does not.
    pub fn expect_game(&self, name: &str) -> CommandResult {
        let games = self.games();
        if games.iter().any(|game| game == name) {
            return Ok(());
        }
        let folder = Path::new(name);
        if ["rules", "cards"].iter().any(|below| folder.join(below).is_folder()) {
            let here = pack::games_below(folder);
            let lie = if here.len() == 1 { "lies" } else { "lie" };
            return usage_error(format!(
                "`{name}` is a folder, in which {} {lie}: write `--root {name}`, and the name of the game",
                here.join(", ")
            ));
        }
        match nearest(name, games.iter().map(String::as_str)) {
            Some(meant) => usage_error(format!("there is no game `{name}`; did you mean `{meant}`?")),
            None => {
                let there_are = games.join(", ");
                usage_error(format!(
                    "there is no game `{name}`; there are {there_are}. Another one is found with `--root DIR`, the folder of its rules/"
                ))
            }
        }
    }

    /// Returns the game of this name alone; without a name, all games.
    ///
    /// # Errors
    /// A usage error if there is no such game.
    pub fn chosen_games(&self, name: Option<&str>) -> Result<Vec<String>, ExitReason> {
        match name {
            Some(name) => self.expect_game(name).map(|()| vec![name.to_string()]),
            None => Ok(self.games()),
        }
    }

    /// Returns those of the given packs that may belong to a game: all but those that extend another game.
    pub fn packs_of(&self, game: &str, packs: &[PathBuf]) -> Vec<PathBuf> {
        let games = self.games();
        let bases: Vec<(PathBuf, String, String)> = packs
            .iter()
            .map(|dir| {
                let mut sources = Sources::new();
                let file = sources.read_file(&dir.join("pack.toml")).ok();
                let manifest = file.and_then(|file| pack::parse_manifest(file, sources.text(file), &mut Vec::new()));
                let (name, base) = manifest.map_or_else(Default::default, |m| (m.name, m.extends.unwrap_or_default()));
                (dir.clone(), name, base)
            })
            .collect();
        let of_another = |dir: &PathBuf| {
            let mut base = bases.iter().find(|b| b.0 == *dir).map_or("", |b| b.2.as_str());
            for _ in 0..bases.len() {
                base = bases.iter().find(|b| b.1 == base).map_or(base, |b| b.2.as_str());
            }
            base != game && games.iter().any(|known| known == base)
        };
        packs.iter().filter(|dir| !of_another(dir)).cloned().collect()
    }

    /// Returns the subfolders of `packs/` that are packs.
    pub fn packs(&self) -> Vec<PathBuf> {
        let Some(root) = self.root() else { return Vec::new() };
        let files = Sources::read_dir(&root.join("packs"), "toml").unwrap_or_default();
        let manifests = files.into_iter().filter(|path| path.file_name().is_some_and(|name| name == "pack.toml"));
        manifests.filter_map(|path| path.parent().map(Path::to_path_buf)).collect()
    }

    /// Loads the source of a game, and shows the diagnostics.
    ///
    /// # Errors
    /// `Findings` on errors in the source; a usage error if there is no such game.
    pub fn load_text(&self, sources: &mut Sources, game: &str, packs: &[PathBuf], with: &[String]) -> Result<GameText, ExitReason> {
        self.expect_game(game)?;
        let mut diagnostics = Vec::new();
        let text = compile::load(sources, self.root(), game, packs, with, &mut diagnostics);
        show_diagnostics(sources, &diagnostics)?;
        text.ok_or(ExitReason::Findings)
    }
}

/// Compiles the rules for a set-up, and shows the diagnostics.
///
/// # Errors
/// `Findings` on errors in the rules.
pub fn compile_rules(sources: &Sources, text: &GameText, setup: &Setup) -> Result<Arc<Ruleset>, ExitReason> {
    let mut diagnostics = Vec::new();
    let rules = compile::compile(text, setup, &mut diagnostics);
    show_diagnostics(sources, &diagnostics)?;
    rules.map(Arc::new).ok_or(ExitReason::Findings)
}

/// Compiled rules with their source and set-up.
pub struct CompiledGame {
    /// Source of the game.
    pub text: GameText,
    /// Number of players, options and cards dealt, for which the rules were compiled.
    pub setup: Setup,
    /// Rules of the game, compiled for this set-up.
    pub rules: Arc<Ruleset>,
}

/// Compiles the rules of a run, or of one side of a comparison, for the requested number of players, and shows the diagnostics.
///
/// # Errors
/// `Findings` on errors in the rules; a usage error if there is no such game, or the set-up is invalid.
pub fn compile_side(
    workspace: &Workspace,
    sources: &mut Sources,
    game: &str,
    side: &SideSettings,
    requested: Option<usize>,
) -> Result<CompiledGame, ExitReason> {
    let text = workspace.at_version(&side.version)?.load_text(sources, game, &side.packs, &side.with)?;
    let setup = Setup::read(players(&text, requested)?, &side.options, &side.deal).or_else(usage_error)?;
    let rules = compile_rules(sources, &text, &setup)?;
    // A misspelt call would otherwise drop the games that reach it.
    show_diagnostics(sources, &check_scripts(&rules))?;
    Ok(CompiledGame { text, setup, rules })
}

/// Creates the set-up from the options and dealt cards on the command line.
///
/// # Errors
/// A usage error if the set-up is invalid.
pub fn set_up<'a>(
    seats: usize,
    options: impl IntoIterator<Item = &'a String>,
    deal: impl IntoIterator<Item = &'a String>,
) -> Result<Setup, ExitReason> {
    Setup::read(seats, options, deal).or_else(usage_error)
}

/// Returns the number of players: the requested one, or the default of the game.
///
/// # Errors
/// A usage error if the game does not support this number.
pub fn players(text: &GameText, requested: Option<usize>) -> Result<usize, ExitReason> {
    text.resolve_player_count(requested).or_else(usage_error)
}

/// Returns the printed title of a game.
pub fn title(text: &GameText) -> &str {
    text.title().unwrap_or(&text.content.game)
}
