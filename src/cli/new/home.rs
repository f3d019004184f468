//! Where something new goes: into a pack, into the folder of a game, or beside whatever lies there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read;
use crate::cli::Trouble;
use crate::cli::args::NewArgs;
use crate::cli::load::Ground;
use crate::cli::output::{tell, wrong};
use crate::cli::subject::{Home, of_pack};
use crate::draft::{File, draft_manifest, models};
use crate::engine::Ruleset;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
use crate::pack::games_below;
use crate::source::Sources;

/// A place for something new, with the game that it belongs to.
pub(super) struct Place {
    /// The folder: of the pack, of the game, or where one is.
    pub folder: PathBuf,
    /// The game.
    pub game: String,
    /// The pack, if it is one.
    pub pack: Option<String>,
    /// The pack is not there yet.
    is_new: bool,
    /// The folder holds rules and cards of games.
    pub holds_games: bool,
    /// The folder of cards in it, with a `/` at its end.
    pub cards: String,
    /// Packs with which the game is read, the pack itself among them if it is there.
    packs: Vec<PathBuf>,
    /// The game with these packs.
    pub text: GameText,
    /// Its rules with all pieces.
    pub rules: Arc<Ruleset>,
    /// Their texts.
    pub sources: Sources,
}

impl Place {
    fn lay(
        ground: &Ground,
        folder: &Path,
        game: String,
        pack: Option<String>,
        packs: Vec<PathBuf>,
        holds_games: bool,
    ) -> Result<Place, Trouble> {
        let mut sources = Sources::new();
        let root = if holds_games { Some(folder) } else { ground.root() };
        let (text, rules) = read(ground, &mut sources, root, &game, &packs)?;
        let cards = if pack.is_some() { "cards/".to_string() } else { format!("cards/{game}/") };
        let is_new = pack.is_some() && packs.is_empty();
        Ok(Place { folder: folder.to_path_buf(), game, pack, is_new, holds_games, cards, packs, text, rules, sources })
    }

    /// A pack that is to be made in a folder that is not there yet.
    pub fn new_pack(ground: &Ground, folder: &Path, name: &str, game: Option<&str>, kind: Option<&str>) -> Result<Place, Trouble> {
        let game = game_for(ground, game, kind)?;
        if ground.games().iter().any(|known| known == name) {
            return wrong(format!("`{name}` is a game; choose another name for the pack"));
        }
        Place::lay(ground, folder, game, Some(name.to_string()), Vec::new(), false)
    }

    /// The folder with the game's files, as `load` wants it.
    pub fn root(&self, ground: &Ground) -> Option<PathBuf> {
        if self.holds_games { Some(self.folder.clone()) } else { ground.root().map(Path::to_path_buf) }
    }

    /// The packs with which it is tried, once it has been written.
    pub fn packs_now(&self) -> Vec<PathBuf> {
        if self.is_new { vec![self.folder.clone()] } else { self.packs.clone() }
    }

    /// The manifest that is still to be written.
    pub fn manifest(&self) -> Option<File> {
        self.pack.as_ref().filter(|_| self.is_new).map(|name| draft_manifest(name, &self.game))
    }

    /// The kinds of its cards.
    pub fn kinds(&self) -> Vec<String> {
        self.rules.kinds.iter().map(|kind| self.rules.names.text(kind.name).to_string()).collect()
    }

    /// The kinds of which there are cards that can be copied, as the game declares them, those with cards that do something first.
    pub fn kinds_by_models(&self) -> Vec<String> {
        let mut kinds = self.kinds();
        let doing =
            |kind: &String| models(&self.text.content, kind, None).iter().any(|card| !card.entries.is_empty() && !card.tests.is_empty());
        kinds.retain(|kind| !models(&self.text.content, kind, None).is_empty());
        kinds.sort_by_key(|kind| !doing(kind));
        kinds
    }

    /// Whether the new card can be in play from the start.
    pub fn can_deal(&self, ground: &Ground, id: &str) -> bool {
        let (mut sources, root) = (Sources::new(), self.root(ground));
        let Some(text) = compile::load(&mut sources, root.as_deref(), &self.game, &self.packs_now(), &[], &mut Vec::new()) else {
            return false;
        };
        let players = text.players_wished(None).unwrap_or(1);
        Setup::read(players, &[] as &[&str], [format!("{id}@p1")])
            .is_ok_and(|setup| compile::compile_to_look_at(&text, &setup, &mut Vec::new()).is_some())
    }
}

/// The game that was named; else the one that has this kind, or the only one.
fn game_for(ground: &Ground, named: Option<&str>, kind: Option<&str>) -> Result<String, Trouble> {
    if let Some(game) = named {
        return ground.expect_game(game).map(|()| game.to_string());
    }
    let games = ground.games();
    let fitting: Vec<&String> = match kind {
        Some(kind) => games.iter().filter(|game| kinds_of(ground, game).iter().any(|known| known == kind)).collect(),
        None => games.iter().collect(),
    };
    match (fitting.as_slice(), kind) {
        ([one], _) => Ok((*one).clone()),
        ([], Some(kind)) => {
            let known: Vec<String> = games.iter().flat_map(|game| kinds_of(ground, game)).collect();
            let sorts = super::SORTS.into_iter().chain(known.iter().map(String::as_str));
            match crate::diagnostic::nearest(kind, sorts) {
                Some(meant) => wrong(format!("no game has a kind of card `{kind}`; did you mean `{meant}`?")),
                None => wrong(format!("no game has a kind of card `{kind}`; {}", kinds_in_words(ground))),
            }
        }
        _ => {
            let names = fitting.iter().map(|game| game.as_str()).collect::<Vec<_>>().join(" or ");
            wrong(format!("for which game? `--game` {names}"))
        }
    }
}

fn kinds_of(ground: &Ground, game: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let text = compile::load(&mut sources, ground.root(), game, &[], &[], &mut Vec::new());
    let rules = text.and_then(|text| compile::compile_in_part(&text, &compile::allowed(&text, text.players_wished(None).unwrap_or(1))));
    rules.map(|rules| rules.kinds.iter().map(|kind| rules.names.text(kind.name).to_string()).collect()).unwrap_or_default()
}

/// The kinds of all games, for a message.
pub(super) fn kinds_in_words(ground: &Ground) -> String {
    let of_game = |game: &String| {
        let kinds = kinds_of(ground, game);
        (!kinds.is_empty()).then(|| format!("`{game}` has {}", kinds.join(", ")))
    };
    ground.games().iter().filter_map(of_game).collect::<Vec<_>>().join("; ")
}

/// Where a card goes.
pub(super) fn place_of(ground: &Ground, args: &NewArgs, kind: Option<&str>) -> Result<Place, Trouble> {
    let folder = args.within.clone().or_else(|| ground.root().filter(|root| *root != Path::new(".")).map(Path::to_path_buf));
    let folder = folder.unwrap_or_else(|| PathBuf::from("."));
    let home = Home::around(&folder).filter(|home| home.folder() == folder);
    match home {
        Some(Home::Pack(_)) => in_pack(ground, args, &folder),
        Some(Home::Games(_)) => {
            let here = games_below(&folder);
            let game = match (&args.game, here.as_slice()) {
                (Some(game), _) => game.clone(),
                (None, [one]) => one.clone(),
                (None, _) => game_for(ground, None, kind)?,
            };
            Place::lay(ground, &folder, game, None, Vec::new(), true)
        }
        None if args.within.is_some() && is_empty(&folder) => {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("").to_string();
            crate::draft::check_name(&name).or_else(|fault| wrong(format!("a pack is called as its folder: {fault}")))?;
            Place::new_pack(ground, &folder, &name, args.game.as_deref(), kind)
        }
        None => wrong(format!(
            "`{}` is neither a pack nor the folder of a game; `--in DIR` names one, or makes a pack in a folder that is not there yet",
            folder.display()
        )),
    }
}

fn in_pack(ground: &Ground, args: &NewArgs, folder: &Path) -> Result<Place, Trouble> {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let subject = of_pack(ground, folder, &[], &mut sources, &mut diagnostics);
    tell(&sources, &diagnostics)?;
    let Some(subject) = subject else { return Err(Trouble::Finding) };
    if let Some(other) = args.game.as_ref().filter(|game| **game != subject.game) {
        return wrong(format!("`{}` is a pack for `{}`, not for `{other}`", folder.display(), subject.game));
    }
    let manifest = sources.read_file(&folder.join("pack.toml")).ok();
    let manifest = manifest.and_then(|file| crate::pack::parse_manifest(file, sources.text(file), &mut Vec::new()));
    let name = manifest.map(|manifest| manifest.name).unwrap_or_default();
    Place::lay(ground, folder, subject.game, Some(name), subject.packs, false)
}

/// Where a variant goes: into a pack, or beside whatever lies there.
pub(super) fn for_variant(ground: &Ground, args: &NewArgs) -> Result<Place, Trouble> {
    let folder = args.within.clone().unwrap_or_else(|| PathBuf::from("."));
    if folder.join("pack.toml").is_file() {
        return in_pack(ground, args, &folder);
    }
    // The folder of a game that is none of those which are known from here.
    let here = games_below(&folder);
    let of_folder = match (&args.game, here.as_slice()) {
        (Some(game), _) => here.iter().find(|known| *known == game),
        (None, [one]) => Some(one),
        (None, _) => None,
    };
    if let Some(game) = of_folder.filter(|game| !ground.games().contains(game)) {
        return Place::lay(ground, &folder, game.clone(), None, Vec::new(), true);
    }
    let game = game_for(ground, args.game.as_deref().or(of_folder.map(String::as_str)), None)?;
    // Without a folder its paths are names alone.
    Place::lay(ground, args.within.as_deref().unwrap_or(Path::new("")), game, None, Vec::new(), false)
}

/// Whether a folder is not there, or nothing lies in it.
fn is_empty(folder: &Path) -> bool {
    !folder.exists() || folder.is_dir() && Sources::all_files(folder).is_empty() && Sources::folders(folder).is_empty()
}
