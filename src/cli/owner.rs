//! The game or pack that a file in an editor belongs to.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::load::Workspace;
use super::subject::{GameWithPacks, RootFolder, of_pack, of_scenarios};
use crate::disk::OnDisk;
use crate::lsp::analysis::{AnalysisUnit, OpenTexts, is_rules};
use crate::lsp::worker::FileOwner;
use crate::pack::Text;
use crate::scenario::file::parse_scenarios;
use crate::source::Sources;

/// Finds the game or pack that contains a file, as `check` does.
pub fn find_owner(root: Option<&Path>, path: &Path, texts: &OpenTexts) -> FileOwner {
    let nothing = |why: &str| FileOwner::NoGame(format!("this file belongs to no game {why}; it is not checked"));
    let mut sources = Sources::new();
    for (path, text) in texts {
        sources.replace_text(path.display().to_string(), Arc::clone(text));
    }
    let Some(root_folder) = path.parent().and_then(RootFolder::enclosing) else {
        let workspace = Workspace::of_root(root);
        return match find_game_of_loose_file(&workspace, path, &mut sources) {
            Some(unit) => FileOwner::Unit(unit, Vec::new()),
            None if is_rules(path) => {
                nothing("or pack: no folder around it has rules/ or pack.toml, and no scenarios beside it name it in `with`")
            }
            None => nothing("or pack: no folder around it has rules/ or cards/, or pack.toml, and its `game` is not known"),
        };
    };
    let mut faults = Vec::new();
    let workspace = match &root_folder {
        RootFolder::Games(folder) => Workspace::of_root(Some(folder)),
        RootFolder::Pack(folder) => Workspace::of_root(root.map(Path::to_path_buf).or_else(|| RootFolder::games_around(folder)).as_deref()),
    };
    let subject = match &root_folder {
        RootFolder::Pack(folder) => match of_pack(&workspace, folder, &[], &mut sources, &mut faults) {
            Some(subject) => subject,
            None => return FileOwner::InvalidPack(sources, faults),
        },
        RootFolder::Games(folder) => {
            let games = crate::pack::games_below(folder);
            let inside = path.strip_prefix(folder).unwrap_or(path);
            let mut parts = inside.iter().map(|part| part.to_string_lossy().into_owned());
            let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let game = match first.as_str() {
                "cards" => second,
                "rules" => second.strip_suffix(".rules").map_or(second.clone(), str::to_string),
                _ if path.extension().is_some_and(|extension| extension == "toml") => match sources.read_file(path) {
                    Ok(file) => of_scenarios(&workspace, &[], &mut sources, file, &mut faults).game,
                    Err(_) => String::new(),
                },
                _ => games.first().filter(|_| games.len() == 1).cloned().unwrap_or_default(),
            };
            if !workspace.games().contains(&game) {
                return nothing("that is known here: rules lie in rules/GAME.rules or rules/GAME/, cards in cards/GAME/");
            }
            workspace.game_with_packs(game, Vec::new())
        }
    };
    let own = analysis_unit(subject);
    let mut subject_of = |folder: PathBuf| of_pack(&workspace, &folder, &[], &mut sources, &mut Vec::new());
    let mut others: Vec<AnalysisUnit> = workspace.packs().into_iter().filter_map(&mut subject_of).map(analysis_unit).collect();
    others.retain(|other| other.game == own.game);
    others.push(AnalysisUnit { packs: Vec::new(), ..own.clone() });
    // Changes of a pack only affect packs that extend it.
    if let RootFolder::Pack(folder) = &root_folder {
        let real = Sources::real_path(folder);
        others.retain(|other| other.packs.iter().any(|pack| Sources::real_path(pack) == real) || other.packs.is_empty());
    }
    others.retain(|other| *other != own);
    FileOwner::Unit(own, others)
}

/// Finds the game of a file outside of games and packs: for scenarios the game that they name, for rules the game of scenarios in the same
/// folder that use them.
fn find_game_of_loose_file(workspace: &Workspace, path: &Path, sources: &mut Sources) -> Option<AnalysisUnit> {
    let beside = path.parent()?;
    let mut about = |tests: &Path| {
        let file = sources.read_file(tests).ok()?;
        let found = parse_scenarios(file, sources.text(file), &mut Vec::new())?;
        let named = |all: &[Text]| all.iter().map(|one| beside.join(&one.text)).collect::<Vec<PathBuf>>();
        let packs = named(&found.packs).into_iter().filter(|pack| pack.join("pack.toml").is_plain_file()).collect();
        let mut further = named(&found.with);
        further.extend(found.scenarios.iter().flat_map(|one| named(&one.with)));
        further.retain(|path| is_rules(path) && path.is_plain_file());
        further.sort();
        further.dedup();
        further.push(tests.to_path_buf());
        let unit = AnalysisUnit { further, ..analysis_unit(workspace.game_with_packs(found.game.text, packs)) };
        Some(unit).filter(|unit| workspace.games().contains(&unit.game))
    };
    if !is_rules(path) {
        return about(path);
    }
    let files = Sources::files(beside).into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.filter_map(|file| about(&file)).find(|unit| unit.further.iter().any(|one| one == path))
}

fn analysis_unit(subject: GameWithPacks) -> AnalysisUnit {
    AnalysisUnit { root: subject.root, game: subject.game, packs: subject.packs, further: Vec::new() }
}
