//! Which games and packs are checked.

use std::path::Path;

use super::super::args::CheckArgs;
use super::super::load::Workspace;
use super::super::output::usage_error;
use super::super::result::ExitReason;
use super::super::subject::{GameWithPacks, has_game_folders, of_pack};
use crate::diagnostic::{Diagnostic, nearest};
use crate::disk::OnDisk;
use crate::pack::{has_manifest, misnamed_manifest};
use crate::source::Sources;

/// Determines the games and packs in the given folders.
pub(super) fn subjects(
    workspace: &Workspace,
    args: &CheckArgs,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<GameWithPacks>, ExitReason> {
    // Packs without a folder are checked with the game that the first of them extends.
    let dirs = if args.dirs.is_empty() { &args.pack[..args.pack.len().min(1)] } else { &args.dirs };
    let with_packs = |here: &Workspace, game: String| here.game_with_packs(game.as_str(), workspace.packs_of(&game, &args.pack));
    if dirs.is_empty() {
        return Ok(workspace.games().into_iter().map(|game| with_packs(workspace, game)).collect());
    }
    let named = [&args.dirs[..], &args.pack].concat();
    let mut subjects: Vec<GameWithPacks> = Vec::new();
    for dir in dirs {
        if let Some(found) = misnamed_manifest(dir) {
            return usage_error(format!(
                "`{}` is not read: a pack's file is called `pack.toml`, in small letters; rename it",
                found.display()
            ));
        }
        if has_manifest(dir) {
            let subject = of_pack(workspace, dir, &named, sources, diagnostics);
            subjects.extend(subject.map(|subject| GameWithPacks { packs: [&subject.packs[..], &args.pack].concat(), ..subject }));
        } else if let Some(root) = root_of(dir) {
            if !subjects.iter().any(|subject| subject.root.as_deref() == Some(root)) {
                let here = Workspace::of_root(Some(root));
                subjects.extend(here.games().into_iter().filter(|game| holds(root, game)).map(|game| with_packs(&here, game)));
            }
        } else if let Some(game) = workspace.games().into_iter().find(|game| Path::new(game) == dir) {
            // A game's name instead of a folder.
            let subject = with_packs(workspace, game);
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        } else {
            return nothing_to_check(workspace, dir);
        }
    }
    Ok(subjects)
}

/// Returns the folder with games that is meant: this one, or the one around its `rules` or `cards`.
fn root_of(dir: &Path) -> Option<&Path> {
    if has_game_folders(dir) {
        return Some(dir);
    }
    let around = dir.parent().filter(|_| dir.is_folder() && (dir.ends_with("rules") || dir.ends_with("cards")))?;
    Some(if around.as_os_str().is_empty() { Path::new(".") } else { around })
}

/// Whether a game has files in a folder.
fn holds(root: &Path, game: &str) -> bool {
    let [rules, cards] = ["rules", "cards"].map(|folder| root.join(folder));
    rules.join(format!("{game}.rules")).is_plain_file() || rules.join(game).is_folder() || cards.join(game).is_folder()
}

/// Says why a path cannot be checked, and what can be done with it.
fn nothing_to_check<T>(workspace: &Workspace, dir: &Path) -> Result<T, ExitReason> {
    let games = workspace.games();
    let last = dir.file_name().and_then(|name| name.to_str());
    let near = last.and_then(|name| nearest(name, games.iter().map(String::as_str)));
    if let Some(near) = near.filter(|_| !dir.is_folder() && dir.extension().is_none()) {
        return usage_error(format!("`{}` is neither a folder nor a game; did you mean the game `{near}`?", dir.display()));
    }
    let way_out = match dir.extension().and_then(|extension| extension.to_str()) {
        Some("rules") => "; a file of changed rules is tried with `houserule playtest GAME --with FILE -n 20`",
        Some("toml") => "; a file of scenarios is run with `houserule test FILE`",
        _ => "",
    };
    usage_error(format!("`{}` has neither pack.toml nor rules/ nor cards/ in it{way_out}", dir.display()))
}
