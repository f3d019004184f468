//! Loads and compiles games from command-line arguments.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::output::{reported, show_diagnostics, unknown_name, usage_error};
use super::result::{CommandResult, ExitReason};
use super::subject::{GameWithPacks, RootFolder, has_game_folders, manifest_of};
use crate::diagnostic::nearest;
use crate::disk::OnDisk;
use crate::engine::Ruleset;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
use crate::pack::{self, Manifest, has_manifest};
use crate::script::check_scripts;
use crate::source::Sources;
use crate::spec::{GameVersion, SideSettings};

/// The folder in which games are looked up, and the language of names.
#[derive(Clone, Default)]
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
        let here = Path::new(".");
        // A pack adds to games and overrides none.
        let in_pack = root.is_none() && has_manifest(here);
        let root = match root {
            Some(root) if !has_game_folders(&root) => {
                return usage_error(format!("`{}` has neither rules/ nor cards/ in it", root.display()));
            }
            Some(root) => Some(root),
            None if in_pack => RootFolder::games_around(here),
            // A game may have no cards.
            None => {
                let holds_games = || here.join("cards").is_folder() || !pack::games_below(here).is_empty();
                (here.join("rules").is_folder() && holds_games()).then(|| here.to_path_buf())
            }
        };
        Ok(Workspace { root, language, in_pack })
    }

    /// Returns the given folders; if there are none, the current folder if it is a pack.
    pub fn or_current_pack(&self, mut named: Vec<PathBuf>) -> Vec<PathBuf> {
        if named.is_empty() && self.in_pack {
            named.push(PathBuf::from("."));
        }
        named
    }

    /// Returns the workspace of a folder; without a folder it has only the games inside the program.
    pub fn of_root(root: Option<&Path>) -> Workspace {
        Workspace { root: root.map(Path::to_path_buf), ..Workspace::default() }
    }

    /// Returns the workspace with another version of its games.
    ///
    /// # Errors
    /// A usage error if the folder of the version contains no games.
    pub fn at_version(&self, version: &GameVersion) -> Result<Workspace, ExitReason> {
        match version {
            GameVersion::Current => Ok(self.clone()),
            GameVersion::BuiltIn => Ok(Workspace { root: None, ..self.clone() }),
            GameVersion::Folder(folder) => Workspace::new(Some(folder.clone()), self.language.clone()),
        }
    }

    /// Returns the workspace with the games of another folder.
    pub fn with_root(&self, root: &Path) -> Workspace {
        Workspace { root: Some(root.to_path_buf()), ..self.clone() }
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
        if has_game_folders(folder) {
            let here = pack::games_below(folder);
            let lie = if here.len() == 1 { "lies" } else { "lie" };
            return usage_error(format!(
                "`{name}` is a folder, in which {} {lie}: write `--root {name}`, and the name of the game",
                here.join(", ")
            ));
        }
        let there_are = games.join(", ");
        let way_out = format!("there are {there_are}. Another one is found with `--root DIR`, the folder of its rules/");
        unknown_name(&format!("there is no game `{name}`"), nearest(name, games.iter().map(String::as_str)), way_out)
    }

    /// Returns a game of this folder with packs.
    pub fn game_with_packs(&self, game: impl Into<String>, packs: Vec<PathBuf>) -> GameWithPacks {
        GameWithPacks { root: self.root.clone(), game: game.into(), packs }
    }

    /// Returns the game of this name with these packs; without a name, all games, each with those of the packs that may belong to it.
    ///
    /// # Errors
    /// A usage error if there is no such game, or if none of them has names in the chosen language.
    pub fn chosen_games(&self, name: Option<&str>, packs: &[PathBuf]) -> Result<Vec<GameWithPacks>, ExitReason> {
        let games = match name {
            Some(name) => self.expect_game(name).map(|()| vec![name.to_string()])?,
            None => self.games(),
        };
        self.expect_language(&games, packs)?;
        let packs_of = |game: &str| if name.is_some() { packs.to_vec() } else { self.packs_of(game, packs) };
        Ok(games.into_iter().map(|game| self.game_with_packs(game.as_str(), packs_of(&game))).collect())
    }

    /// Returns those of the given packs that may belong to a game: all but those that extend another game.
    pub fn packs_of(&self, game: &str, packs: &[PathBuf]) -> Vec<PathBuf> {
        let games = self.games();
        let manifests: Vec<Option<Manifest>> = packs.iter().map(|folder| manifest_of(folder)).collect();
        let extended = |manifest: &Manifest| manifest.extends.clone().unwrap_or_default();
        let may_belong = |manifest: &Option<Manifest>| {
            let mut base = manifest.as_ref().map(extended).unwrap_or_default();
            // Packs that extend each other end after as many steps.
            for _ in packs {
                base = manifests.iter().flatten().find(|other| other.name == base).map_or(base, extended);
            }
            base == game || !games.contains(&base)
        };
        packs.iter().zip(&manifests).filter(|(_, manifest)| may_belong(manifest)).map(|(folder, _)| folder.clone()).collect()
    }

    /// Returns the subfolders of `packs/` that are packs.
    pub fn packs(&self) -> Vec<PathBuf> {
        let Some(root) = self.root() else { return Vec::new() };
        let files = Sources::read_dir(&root.join("packs"), "toml").unwrap_or_default();
        files.iter().filter(|file| file.ends_with("pack.toml")).filter_map(|file| file.parent().map(Path::to_path_buf)).collect()
    }

    /// Loads the source of a game, and shows the diagnostics.
    ///
    /// # Errors
    /// `Findings` on errors in the source; a usage error if there is no such game.
    pub fn load_text(&self, sources: &mut Sources, game: &str, packs: &[PathBuf], with: &[String]) -> Result<GameText, ExitReason> {
        self.expect_game(game)?;
        let mut diagnostics = Vec::new();
        let text = compile::load(sources, self.root(), game, packs, with, &mut diagnostics);
        reported(sources, &diagnostics, text)
    }
}

/// Compiles the rules for a set-up, and shows the diagnostics.
///
/// # Errors
/// `Findings` on errors in the rules.
pub fn compile_rules(sources: &Sources, text: &GameText, setup: &Setup) -> Result<Arc<Ruleset>, ExitReason> {
    let mut diagnostics = Vec::new();
    let rules = compile::compile(text, setup, &mut diagnostics);
    reported(sources, &diagnostics, rules.map(Arc::new))
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
    let setup = set_up(players(&text, requested)?, &side.options, &side.deal)?;
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
