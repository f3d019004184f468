//! From what was typed to texts and rulesets.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::output::{tell, wrong};
use super::subject::Home;
use super::{Done, Trouble};
use crate::diagnostic::nearest;
use crate::engine::Ruleset;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
use crate::pack;
use crate::playtest::saved::Side;
use crate::script::check_scripts;
use crate::source::Sources;

/// Where games are looked for.
pub struct Ground {
    root: Option<PathBuf>,
    language: Option<String>,
}

impl Ground {
    /// The folder that was named, or the current one if it holds games.
    ///
    /// # Errors
    /// Wrong use, if the named folder holds none.
    pub fn new(root: Option<PathBuf>, language: Option<String>) -> Result<Ground, Trouble> {
        let holds = |root: &Path, folder: &str| root.join(folder).is_dir();
        match root {
            Some(root) if holds(&root, "rules") || holds(&root, "cards") => Ok(Ground { root: Some(root), language }),
            Some(root) => wrong(format!("`{}` has neither rules/ nor cards/ in it", root.display())),
            None => {
                // A game may have no cards; what a pack has is added to games, and overrides none.
                let here = PathBuf::from(".");
                let games = || holds(&here, "cards") || !pack::games_below(&here).is_empty();
                let root = (!Ground::is_pack(&here) && holds(&here, "rules") && games()).then_some(here);
                Ok(Ground { root, language })
            }
        }
    }

    fn is_pack(folder: &Path) -> bool {
        folder.join("pack.toml").is_file()
    }

    /// The folders that were named; where nothing is, the pack that the current folder is, if it is one.
    pub fn or_this_pack(&self, mut named: Vec<PathBuf>) -> Vec<PathBuf> {
        let here = PathBuf::from(".");
        if named.is_empty() && self.root.is_none() && Ground::is_pack(&here) {
            named.push(here);
        }
        named
    }

    /// Where the game of a file lies in an editor: the folder that was named, or the nearest one around it that holds games.
    pub fn around(root: Option<&Path>, home: &Home) -> Ground {
        let holds = |folder: &&Path| folder.join("rules").is_dir() && folder.join("cards").is_dir();
        let root = match home {
            Home::Games(folder) => Some(folder.clone()),
            Home::Pack(folder) => {
                let around = folder.ancestors().skip(1).filter(|around| !around.join("pack.toml").is_file());
                root.map(Path::to_path_buf).or_else(|| around.into_iter().find(holds).map(Path::to_path_buf))
            }
        };
        Ground { root, language: None }
    }

    /// The games of a folder, or the built-in ones alone.
    pub fn of(root: Option<&Path>) -> Ground {
        Ground { root: root.map(Path::to_path_buf), language: None }
    }

    /// The folder whose files override the built-in ones.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The folder that must be named by `--root` to find the same games again, if one must.
    pub fn root_to_type(&self) -> Option<PathBuf> {
        self.root.clone().filter(|root| root != Path::new("."))
    }

    /// The language of names, if one was chosen.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The names of all games.
    pub fn games(&self) -> Vec<String> {
        pack::games(self.root())
    }

    /// The game with this name.
    ///
    /// # Errors
    /// Wrong use, if there is none.
    pub fn expect_game(&self, name: &str) -> Done {
        let games = self.games();
        if games.iter().any(|game| game == name) {
            return Ok(());
        }
        let folder = Path::new(name);
        if ["rules", "cards"].iter().any(|below| folder.join(below).is_dir()) {
            let here = pack::games_below(folder);
            let lie = if here.len() == 1 { "lies" } else { "lie" };
            return wrong(format!(
                "`{name}` is a folder, in which {} {lie}: write `--root {name}`, and the name of the game",
                here.join(", ")
            ));
        }
        match nearest(name, games.iter().map(String::as_str)) {
            Some(meant) => wrong(format!("there is no game `{name}`; did you mean `{meant}`?")),
            None => {
                let there_are = games.join(", ");
                wrong(format!(
                    "there is no game `{name}`; there are {there_are}. Another one is found with `--root DIR`, the folder of its rules/"
                ))
            }
        }
    }

    /// The game that was named, or all of them.
    ///
    /// # Errors
    /// Wrong use, if there is no such game.
    pub fn chosen_games(&self, name: Option<&str>) -> Result<Vec<String>, Trouble> {
        match name {
            Some(name) => self.expect_game(name).map(|()| vec![name.to_string()]),
            None => Ok(self.games()),
        }
    }

    /// Of the packs that were named those that may belong to a game: not those that build on another one.
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

    /// Folders below `packs/` that hold a pack.
    pub fn packs(&self) -> Vec<PathBuf> {
        let Some(root) = self.root() else { return Vec::new() };
        let files = Sources::read_dir(&root.join("packs"), "toml").unwrap_or_default();
        let manifests = files.into_iter().filter(|path| path.file_name().is_some_and(|name| name == "pack.toml"));
        manifests.filter_map(|path| path.parent().map(Path::to_path_buf)).collect()
    }

    /// The text of a game; what is wrong with it has been said.
    ///
    /// # Errors
    /// A finding, if there is an error in it; wrong use, if there is no such game.
    pub fn text(&self, sources: &mut Sources, game: &str, packs: &[PathBuf], with: &[String]) -> Result<GameText, Trouble> {
        self.expect_game(game)?;
        let mut diagnostics = Vec::new();
        let text = compile::load(sources, self.root(), game, packs, with, &mut diagnostics);
        tell(sources, &diagnostics)?;
        text.ok_or(Trouble::Finding)
    }
}

/// The rules of a game for a setup; what is wrong with them has been said.
///
/// # Errors
/// A finding, if there is an error in them.
pub fn compiled(sources: &Sources, text: &GameText, setup: &Setup) -> Result<Arc<Ruleset>, Trouble> {
    let mut diagnostics = Vec::new();
    let rules = compile::compile(text, setup, &mut diagnostics);
    tell(sources, &diagnostics)?;
    rules.map(Arc::new).ok_or(Trouble::Finding)
}

/// Rules that are made, with what they were made from.
pub struct Made {
    /// The text of the game.
    pub text: GameText,
    /// How it is set up.
    pub setup: Setup,
    /// The rules.
    pub rules: Arc<Ruleset>,
}

/// Makes the rules of a side for as many players as wished; what is wrong with them has been said.
///
/// # Errors
/// A finding, if there is an error in them; wrong use, if there is no such game, or it cannot be set up so.
pub fn made(ground: &Ground, sources: &mut Sources, game: &str, side: &Side, wished: Option<usize>) -> Result<Made, Trouble> {
    let text = ground.text(sources, game, &side.packs, &side.with)?;
    let setup = Setup::read(players(&text, wished)?, &side.options, &side.deal).or_else(wrong)?;
    let rules = compiled(sources, &text, &setup)?;
    // A misspelt call would otherwise drop the games that come to it.
    tell(sources, &check_scripts(&rules))?;
    Ok(Made { text, setup, rules })
}

/// How many play: as wished, or the usual number.
///
/// # Errors
/// Wrong use, if the game is not for so many.
pub fn players(text: &GameText, wished: Option<usize>) -> Result<usize, Trouble> {
    text.players_wished(wished).or_else(wrong)
}

/// The printed title of a game.
pub fn title(text: &GameText) -> &str {
    text.title().unwrap_or(&text.content.game)
}
