//! The destination of new files: a pack, the folder of a game, or any other folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read;
use crate::cli::args::NewArgs;
use crate::cli::load::Workspace;
use crate::cli::output::{show_diagnostics, usage_error};
use crate::cli::result::ExitReason;
use crate::cli::root_folder::RootFolder;
use crate::cli::subject::of_pack;
use crate::disk::OnDisk;
use crate::draft::{DraftFile, draft_manifest, find_models};
use crate::engine::Ruleset;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
use crate::pack::games_below;
use crate::source::Sources;

/// A destination for new files, with the game that they belong to.
pub(super) struct Destination {
    /// The folder of the pack or game, or any other folder.
    pub folder: PathBuf,
    /// Name of the game.
    pub game: String,
    /// Name of the pack; `None` if the destination is no pack.
    pub pack: Option<String>,
    /// Whether the pack does not exist yet.
    is_new: bool,
    /// Whether the folder contains rules and cards of games.
    pub holds_games: bool,
    /// Path of the folder of cards, relative to `folder`, with a trailing `/`.
    pub cards: String,
    /// Packs with which the game is loaded, including the destination if it exists.
    packs: Vec<PathBuf>,
    /// Source of the game with these packs.
    pub text: GameText,
    /// Rules of the game with all pieces.
    pub rules: Arc<Ruleset>,
    /// Texts of the files that were read.
    pub sources: Sources,
}

impl Destination {
    fn prepare(
        workspace: &Workspace,
        folder: &Path,
        game: String,
        pack: Option<String>,
        packs: Vec<PathBuf>,
        holds_games: bool,
    ) -> Result<Destination, ExitReason> {
        let mut sources = Sources::new();
        let root = if holds_games { Some(folder) } else { workspace.root() };
        let (text, rules) = read(workspace, &mut sources, root, &game, &packs)?;
        let cards = if pack.is_some() { "cards/".to_string() } else { format!("cards/{game}/") };
        let is_new = pack.is_some() && packs.is_empty();
        Ok(Destination { folder: folder.to_path_buf(), game, pack, is_new, holds_games, cards, packs, text, rules, sources })
    }

    /// Returns the destination for a pack whose folder does not exist yet.
    pub fn new_pack(
        workspace: &Workspace,
        folder: &Path,
        name: &str,
        game: Option<&str>,
        kind: Option<&str>,
    ) -> Result<Destination, ExitReason> {
        let game = game_for(workspace, game, kind)?;
        if workspace.games().iter().any(|known| known == name) {
            return usage_error(format!("`{name}` is a game; choose another name for the pack"));
        }
        Destination::prepare(workspace, folder, game, Some(name.to_string()), Vec::new(), false)
    }

    /// Returns the folder with the game's files, as the loader expects it.
    pub fn root(&self, workspace: &Workspace) -> Option<PathBuf> {
        if self.holds_games { Some(self.folder.clone()) } else { workspace.root().map(Path::to_path_buf) }
    }

    /// Returns the packs with which the new files are checked, once they have been written.
    pub fn packs_now(&self) -> Vec<PathBuf> {
        if self.is_new { vec![self.folder.clone()] } else { self.packs.clone() }
    }

    /// Drafts the manifest of a new pack; `None` if the pack exists already.
    pub fn manifest(&self) -> Option<DraftFile> {
        self.pack.as_ref().filter(|_| self.is_new).map(|name| draft_manifest(name, &self.game))
    }

    /// Returns the kinds of the game's cards.
    pub fn kinds(&self) -> Vec<String> {
        kinds_of_cards(&self.rules)
    }

    /// Returns the kinds with cards that can serve as models, in order of declaration, those with effects first.
    pub fn kinds_by_models(&self) -> Vec<String> {
        let mut kinds = self.kinds();
        let doing = |kind: &String| {
            find_models(&self.text.content, kind, None).iter().any(|card| !card.entries.is_empty() && !card.tests.is_empty())
        };
        kinds.retain(|kind| !find_models(&self.text.content, kind, None).is_empty());
        kinds.sort_by_key(|kind| !doing(kind));
        kinds
    }

    /// Whether the new card can be dealt with `--deal`.
    pub fn can_deal(&self, workspace: &Workspace, id: &str) -> bool {
        let (mut sources, root) = (Sources::new(), self.root(workspace));
        let Some(text) = compile::load(&mut sources, root.as_deref(), &self.game, &self.packs_now(), &[], &mut Vec::new()) else {
            return false;
        };
        let players = text.resolve_player_count(None).unwrap_or(1);
        Setup::read(players, &[] as &[&str], [format!("{id}@p1")])
            .is_ok_and(|setup| compile::compile_without_codegen(&text, &setup, &mut Vec::new()).is_some())
    }
}

/// Returns the game of this name; without a name, the game that declares the kind, or the only game.
fn game_for(workspace: &Workspace, named: Option<&str>, kind: Option<&str>) -> Result<String, ExitReason> {
    if let Some(game) = named {
        return workspace.expect_game(game).map(|()| game.to_string());
    }
    let games = workspace.games();
    let fitting: Vec<&String> = match kind {
        Some(kind) => games.iter().filter(|game| kinds_of(workspace, game).iter().any(|known| known == kind)).collect(),
        None => games.iter().collect(),
    };
    match (fitting.as_slice(), kind) {
        ([one], _) => Ok((*one).clone()),
        ([], Some(kind)) => {
            let known: Vec<String> = games.iter().flat_map(|game| kinds_of(workspace, game)).collect();
            let sorts = super::THINGS_OF_EVERY_GAME.into_iter().chain(known.iter().map(String::as_str));
            match crate::diagnostic::nearest(kind, sorts) {
                Some(meant) => usage_error(format!("no game has a kind of card `{kind}`; did you mean `{meant}`?")),
                None => usage_error(format!("no game has a kind of card `{kind}`; {}", kinds_in_words(workspace))),
            }
        }
        _ => {
            let names = fitting.iter().map(|game| game.as_str()).collect::<Vec<_>>().join(" or ");
            usage_error(format!("for which game? `--game` {names}"))
        }
    }
}

fn kinds_of(workspace: &Workspace, game: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let text = compile::load(&mut sources, workspace.root(), game, &[], &[], &mut Vec::new());
    let rules = text.and_then(|text| {
        compile::compile_despite_card_errors(&text, &compile::allowed_setup(&text, text.resolve_player_count(None).unwrap_or(1)))
    });
    rules.map(|rules| kinds_of_cards(&rules)).unwrap_or_default()
}

/// Returns the kinds of a game's cards, without those of the spaces of boards.
fn kinds_of_cards(rules: &Ruleset) -> Vec<String> {
    let of_cards = (0..).zip(&rules.kinds).filter(|(index, _)| !rules.is_kind_of_spaces(*index));
    of_cards.map(|(_, kind)| rules.names.text(kind.name).to_string()).collect()
}

/// Returns the kinds of all games, for an error message.
pub(super) fn kinds_in_words(workspace: &Workspace) -> String {
    let of_game = |game: &String| {
        let kinds = kinds_of(workspace, game);
        (!kinds.is_empty()).then(|| format!("`{game}` has {}", kinds.join(", ")))
    };
    workspace.games().iter().filter_map(of_game).collect::<Vec<_>>().join("; ")
}

/// Determines the destination of a card.
pub(super) fn for_card(workspace: &Workspace, args: &NewArgs, kind: Option<&str>) -> Result<Destination, ExitReason> {
    let folder = args.within.clone().or_else(|| workspace.root().filter(|root| *root != Path::new(".")).map(Path::to_path_buf));
    let folder = folder.unwrap_or_else(|| PathBuf::from("."));
    let home = RootFolder::enclosing(&folder).filter(|home| home.folder() == folder);
    match home {
        Some(RootFolder::Pack(_)) => in_pack(workspace, args, &folder),
        Some(RootFolder::Games(_)) => {
            let here = games_below(&folder);
            let game = match (&args.game, here.as_slice()) {
                (Some(game), _) => game.clone(),
                (None, [one]) => one.clone(),
                (None, _) => game_for(workspace, None, kind)?,
            };
            Destination::prepare(workspace, &folder, game, None, Vec::new(), true)
        }
        None if args.within.is_some() && is_empty(&folder) => {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("").to_string();
            crate::draft::check_name(&name).or_else(|fault| usage_error(format!("a pack is called as its folder: {fault}")))?;
            Destination::new_pack(workspace, &folder, &name, args.game.as_deref(), kind)
        }
        None => usage_error(format!(
            "`{}` is neither a pack nor the folder of a game; `--in DIR` names one, or makes a pack in a folder that is not there yet",
            folder.display()
        )),
    }
}

fn in_pack(workspace: &Workspace, args: &NewArgs, folder: &Path) -> Result<Destination, ExitReason> {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let subject = of_pack(workspace, folder, &[], &mut sources, &mut diagnostics);
    show_diagnostics(&sources, &diagnostics)?;
    let Some(subject) = subject else { return Err(ExitReason::Findings) };
    if let Some(other) = args.game.as_ref().filter(|game| **game != subject.game) {
        return usage_error(format!("`{}` is a pack for `{}`, not for `{other}`", folder.display(), subject.game));
    }
    let manifest = sources.read_file(&folder.join("pack.toml")).ok();
    let manifest = manifest.and_then(|file| crate::pack::parse_manifest(file, sources.text(file), &mut Vec::new()));
    let name = manifest.map(|manifest| manifest.name).unwrap_or_default();
    Destination::prepare(workspace, folder, subject.game, Some(name), subject.packs, false)
}

/// Determines the destination of a variant: a pack, or any other folder.
pub(super) fn for_variant(workspace: &Workspace, args: &NewArgs) -> Result<Destination, ExitReason> {
    let folder = args.within.clone().unwrap_or_else(|| PathBuf::from("."));
    if folder.join("pack.toml").is_plain_file() {
        return in_pack(workspace, args, &folder);
    }
    // The folder of a game that is not among the known ones.
    let here = games_below(&folder);
    let of_folder = match (&args.game, here.as_slice()) {
        (Some(game), _) => here.iter().find(|known| *known == game),
        (None, [one]) => Some(one),
        (None, _) => None,
    };
    if let Some(game) = of_folder.filter(|game| !workspace.games().contains(game)) {
        return Destination::prepare(workspace, &folder, game.clone(), None, Vec::new(), true);
    }
    let game = game_for(workspace, args.game.as_deref().or(of_folder.map(String::as_str)), None)?;
    // Without a folder, paths are file names only.
    Destination::prepare(workspace, args.within.as_deref().unwrap_or(Path::new("")), game, None, Vec::new(), false)
}

/// Whether a folder does not exist or is empty.
fn is_empty(folder: &Path) -> bool {
    !folder.is_there() || folder.is_folder() && Sources::all_files(folder).is_empty() && Sources::folders(folder).is_empty()
}
