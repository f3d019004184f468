//! The destination of new files: a pack, the folder of a game, or any other folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::args::NewArgs;
use crate::cli::load::{Workspace, compile_rules};
use crate::cli::output::{reported, unknown_name, usage_error};
use crate::cli::result::ExitReason;
use crate::cli::subject::{GameWithPacks, RootFolder, manifest_of, of_pack};
use crate::diagnostic::{Severity, nearest};
use crate::disk::OnDisk;
use crate::draft::{DraftFile, draft_manifest, find_models};
use crate::engine::Ruleset;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
use crate::pack::games_below;
use crate::scenario::position::default_players;
use crate::source::Sources;

/// A destination for new files, with the game that they belong to.
pub(super) struct Destination {
    /// The folder of the pack or game, or any other folder.
    pub folder: PathBuf,
    /// Name of the pack; `None` if the destination is no pack.
    pub pack: Option<String>,
    /// Whether the pack does not exist yet.
    is_new: bool,
    /// The game with which the new files are checked, once they have been written.
    pub subject: GameWithPacks,
    /// Source of the game, with the packs that are there already.
    pub text: GameText,
    /// Rules of the game with all pieces.
    pub rules: Arc<Ruleset>,
    /// Texts of the files that were read.
    pub sources: Sources,
}

impl Destination {
    /// Loads the game and compiles it with all its pieces; shows the diagnostics. A pack that is not among the packs of the game is new.
    fn prepare(workspace: &Workspace, folder: &Path, pack: Option<String>, mut subject: GameWithPacks) -> Result<Destination, ExitReason> {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        if subject.root.as_deref() == workspace.root() {
            workspace.expect_game(&subject.game)?;
        }
        let text = compile::load(&mut sources, subject.root.as_deref(), &subject.game, &subject.packs, &[], &mut diagnostics);
        diagnostics.retain(|found| found.severity == Severity::Error);
        let text = reported(&sources, &diagnostics, text)?;
        let setup = Setup { every_piece: true, ..compile::allowed_setup(&text, default_players(&text)) };
        let rules = compile_rules(&sources, &text, &setup)?;
        let is_new = pack.is_some() && subject.packs.is_empty();
        subject.packs.extend(is_new.then(|| folder.to_path_buf()));
        Ok(Destination { folder: folder.to_path_buf(), pack, is_new, subject, text, rules, sources })
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
        Destination::prepare(workspace, folder, Some(name.to_string()), workspace.game_with_packs(game, Vec::new()))
    }

    /// Returns the folder of cards, relative to `folder`, with a trailing `/`.
    pub fn cards(&self) -> String {
        if self.pack.is_some() { "cards/".to_string() } else { format!("cards/{}/", self.subject.game) }
    }

    /// Drafts the manifest of a new pack; `None` if the pack exists already.
    pub fn manifest(&self) -> Option<DraftFile> {
        self.pack.as_ref().filter(|_| self.is_new).map(|name| draft_manifest(name, &self.subject.game))
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
    pub fn can_deal(&self, id: &str) -> bool {
        let GameWithPacks { root, game, packs } = &self.subject;
        let text = compile::load(&mut Sources::new(), root.as_deref(), game, packs, &[], &mut Vec::new());
        text.is_some_and(|text| {
            let players = text.resolve_player_count(None).unwrap_or(1);
            Setup::read(players, &[] as &[&str], [format!("{id}@p1")])
                .is_ok_and(|setup| compile::compile_without_codegen(&text, &setup, &mut Vec::new()).is_some())
        })
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
            let meant = nearest(kind, super::THINGS_OF_EVERY_GAME.into_iter().chain(known.iter().map(String::as_str)));
            unknown_name(&format!("no game has a kind of card `{kind}`"), meant, kinds_in_words(workspace))
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
    let folder = args.within.clone().or_else(|| workspace.root_to_type()).unwrap_or_else(|| PathBuf::from("."));
    match RootFolder::of_folder(&folder) {
        Some(RootFolder::Pack(_)) => in_pack(workspace, args, &folder),
        Some(RootFolder::Games(_)) => {
            let here = games_below(&folder);
            let game = match (&args.game, here.as_slice()) {
                (Some(game), _) => game.clone(),
                (None, [one]) => one.clone(),
                (None, _) => game_for(workspace, None, kind)?,
            };
            Destination::prepare(workspace, &folder, None, Workspace::of_root(Some(&folder)).game_with_packs(game, Vec::new()))
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
    let GameWithPacks { game, packs, .. } = reported(&sources, &diagnostics, subject)?;
    if let Some(other) = args.game.as_ref().filter(|other| **other != game) {
        return usage_error(format!("`{}` is a pack for `{game}`, not for `{other}`", folder.display()));
    }
    let name = manifest_of(folder).map(|manifest| manifest.name).unwrap_or_default();
    Destination::prepare(workspace, folder, Some(name), workspace.game_with_packs(game, packs))
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
        let subject = Workspace::of_root(Some(&folder)).game_with_packs(game.as_str(), Vec::new());
        return Destination::prepare(workspace, &folder, None, subject);
    }
    let game = game_for(workspace, args.game.as_deref().or(of_folder.map(String::as_str)), None)?;
    // Without a folder, paths are file names only.
    let folder = args.within.as_deref().unwrap_or(Path::new(""));
    Destination::prepare(workspace, folder, None, workspace.game_with_packs(game, Vec::new()))
}

/// Whether a folder does not exist or is empty.
fn is_empty(folder: &Path) -> bool {
    !folder.is_there() || folder.is_folder() && Sources::all_files(folder).is_empty() && Sources::folders(folder).is_empty()
}
