//! `houserule lsp`: a language server on standard input and output.

use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use lsp_server::Message;

use super::load::Workspace;
use super::output::usage_error;
use super::result::{CommandResult, ExitReason};
use super::root_folder::RootFolder;
use super::subject::{GameWithPacks, of_pack, of_scenarios};
use crate::lsp::Server;
use crate::lsp::analysis::{AnalysisUnit, OpenTexts, is_rules};
use crate::lsp::worker::{FileOwner, FindOwner, Job, WorkResult, work};
use crate::pack::Text;
use crate::scenario::file::parse_scenarios;
use crate::source::Sources;

/// An event for the main loop.
enum Event {
    Message(Message),
    Unreadable(String),
    Found(WorkResult),
    /// The worker thread has ended.
    Broken,
    End,
}

/// Sends an event when it is dropped, so that the end of the worker is noticed even after a panic.
struct WorkerEndGuard(Sender<Event>);

impl Drop for WorkerEndGuard {
    fn drop(&mut self) {
        // At the end of the program there is no receiver.
        let _ = self.0.send(Event::Broken);
    }
}

/// Serves an editor until it exits.
///
/// # Errors
/// A usage error if a language was chosen; `Findings` if the editor exits without a shutdown request.
pub fn serve(workspace: &Workspace) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("an editor shows ids and names as they are written: `lsp` has no `--lang`");
    }
    // Without `--root` the game of a file is determined by its location.
    let root = workspace.root().filter(|root| *root != Path::new(".")).map(Sources::real_path);
    let (told, incoming) = channel();
    let (jobs, waiting) = channel::<Job>();
    let (of_input, of_worker) = (told.clone(), told);
    // Both threads end with the program: one waits for the editor, the other for jobs.
    thread::spawn(move || listen(&of_input));
    thread::spawn(move || {
        let _watch = WorkerEndGuard(of_worker.clone());
        let finder: FindOwner = Box::new(move |path, texts| find_owner(root.as_deref(), path, texts));
        work(&finder, &waiting, &|found| {
            // At the end of the program there is no receiver.
            let _ = of_worker.send(Event::Found(found));
        });
    });
    let say = |message: Message| {
        let mut out = std::io::stdout().lock();
        // If the editor has closed the pipe, the end of the input follows.
        let _ = message.write(&mut out).and_then(|()| out.flush());
    };
    let ask = move |job: Job| {
        let _ = jobs.send(job);
    };
    let mut server = Server::new(Box::new(say), Box::new(ask));
    for event in incoming {
        match event {
            Event::Message(message) => match server.handle(message) {
                Some(true) => return Ok(()),
                Some(false) => return Err(ExitReason::Findings),
                None => {}
            },
            Event::Unreadable(why) => server.report_unreadable(&why),
            Event::Found(found) => server.handle_result(found),
            Event::Broken => {
                server.report_worker_end();
                return Err(ExitReason::Findings);
            }
            Event::End => return Ok(()),
        }
    }
    Ok(())
}

fn listen(told: &Sender<Event>) {
    let mut input = BufReader::new(std::io::stdin());
    loop {
        let event = match Message::read(&mut input) {
            Ok(Some(message)) => Event::Message(message),
            Err(wrong) if wrong.kind() == ErrorKind::InvalidData => Event::Unreadable(wrong.to_string()),
            Ok(None) | Err(_) => Event::End,
        };
        let last = matches!(event, Event::End);
        if told.send(event).is_err() || last {
            return;
        }
    }
}

/// Finds the game or pack that contains a file, as `check` does.
fn find_owner(root: Option<&Path>, path: &Path, texts: &OpenTexts) -> FileOwner {
    let nothing = |why: &str| FileOwner::NoGame(format!("{why}; it is not checked"));
    let mut sources = Sources::new();
    for (path, text) in texts {
        sources.replace_text(path.display().to_string(), Arc::clone(text));
    }
    let Some(root_folder) = path.parent().and_then(RootFolder::enclosing) else {
        let workspace = Workspace::of_root(root);
        return match find_game_of_loose_file(&workspace, path, &mut sources) {
            Some(unit) => FileOwner::Unit(unit, Vec::new()),
            None if is_rules(path) => nothing(
                "this file belongs to no game or pack: no folder around it has rules/ or pack.toml, and no scenarios beside it name it in `with`",
            ),
            None => nothing(
                "this file belongs to no game or pack: no folder around it has rules/ or cards/, or pack.toml, and its `game` is not known",
            ),
        };
    };
    let mut faults = Vec::new();
    let workspace = Workspace::enclosing(root, &root_folder);
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
                    Ok(file) => of_scenarios(&workspace, &[], &mut sources, (file, path), &mut faults).game,
                    Err(_) => String::new(),
                },
                _ => games.first().filter(|_| games.len() == 1).cloned().unwrap_or_default(),
            };
            if !workspace.games().contains(&game) {
                return nothing(
                    "this file belongs to no game that is known here: rules lie in rules/GAME.rules or rules/GAME/, cards in cards/GAME/",
                );
            }
            GameWithPacks { root: Some(folder.clone()), game, packs: Vec::new() }
        }
    };
    let mut others: Vec<AnalysisUnit> = Vec::new();
    let own = analysis_unit(subject);
    for folder in workspace.packs() {
        let found = of_pack(&workspace, &folder, &[], &mut sources, &mut Vec::new()).map(analysis_unit);
        others.extend(found.filter(|other| other.game == own.game));
    }
    let plain = AnalysisUnit { packs: Vec::new(), ..own.clone() };
    others.push(plain);
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
        let packs = named(&found.packs).into_iter().filter(|pack| pack.join("pack.toml").is_file()).collect();
        let mut further = named(&found.with);
        further.extend(found.scenarios.iter().flat_map(|one| named(&one.with)));
        further.retain(|path| is_rules(path) && path.is_file());
        further.sort();
        further.dedup();
        further.push(tests.to_path_buf());
        let root = workspace.root().map(Path::to_path_buf);
        Some(AnalysisUnit { root, game: found.game.text, packs, further }).filter(|unit| workspace.games().contains(&unit.game))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_ends_while_it_checks_is_told_of() {
        let (told, incoming) = channel();
        let worker = thread::spawn(move || {
            let _watch = WorkerEndGuard(told);
            // Ends the worker like a panic, but without the message.
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(worker.join().is_err());
        assert!(matches!(incoming.recv(), Ok(Event::Broken)));
    }
}
