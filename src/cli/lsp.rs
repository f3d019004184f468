//! `houserule lsp`: a language server on standard input and output.

use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use lsp_server::Message;

use super::load::Ground;
use super::output::wrong;
use super::subject::{Home, Subject, of_pack, of_scenarios};
use super::{Done, Trouble};
use crate::lsp::Server;
use crate::lsp::analysis::{Texts, Whole, is_rules};
use crate::lsp::worker::{Belongs, Finder, Found, Job, work};
use crate::pack::Text;
use crate::scenario::file::parse_scenarios;
use crate::source::Sources;

/// What comes in.
enum Event {
    Message(Message),
    Unreadable(String),
    Found(Found),
    /// Nobody checks any more.
    Broken,
    End,
}

/// Says that nobody checks any more, however that came.
struct Watch(Sender<Event>);

impl Drop for Watch {
    fn drop(&mut self) {
        // Nobody listens any more when the program ends.
        let _ = self.0.send(Event::Broken);
    }
}

/// Serves an editor until it says that it ends.
///
/// # Errors
/// Wrong use, if a language was chosen; a finding, if the editor ends it without saying so first.
pub fn serve(ground: &Ground) -> Done {
    if ground.language().is_some() {
        return wrong("an editor shows ids and names as they are written: `lsp` has no `--lang`");
    }
    // Without a wish each file says by where it lies what it belongs to.
    let root = ground.root().filter(|root| *root != Path::new(".")).map(Sources::real_path);
    let (told, incoming) = channel();
    let (jobs, waiting) = channel::<Job>();
    let (of_input, of_worker) = (told.clone(), told);
    // Both threads end with the program: one waits for the editor, one for something to do.
    thread::spawn(move || listen(&of_input));
    thread::spawn(move || {
        let _watch = Watch(of_worker.clone());
        let finder: Finder = Box::new(move |path, texts| belongs(root.as_deref(), path, texts));
        work(&finder, &waiting, &|found| {
            // Nobody listens any more when the program ends.
            let _ = of_worker.send(Event::Found(found));
        });
    });
    let say = |message: Message| {
        let mut out = std::io::stdout().lock();
        // An editor that has gone away is told nothing; its input ends, too.
        let _ = message.write(&mut out).and_then(|()| out.flush());
    };
    let ask = move |job: Job| {
        let _ = jobs.send(job);
    };
    let mut server = Server::new(Box::new(say), Box::new(ask));
    for event in incoming {
        match event {
            Event::Message(message) => match server.take(message) {
                Some(true) => return Ok(()),
                Some(false) => return Err(Trouble::Finding),
                None => {}
            },
            Event::Unreadable(why) => server.unreadable(&why),
            Event::Found(found) => server.found(found),
            Event::Broken => {
                server.broken();
                return Err(Trouble::Finding);
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

/// What a file belongs to: the pack or game around it, as `check` sees them.
fn belongs(root: Option<&Path>, path: &Path, texts: &Texts) -> Belongs {
    let nothing = |why: &str| Belongs::Nothing(format!("{why}; it is not checked"));
    let mut sources = Sources::new();
    for (path, text) in texts {
        sources.instead(path.display().to_string(), Arc::clone(text));
    }
    let Some(home) = path.parent().and_then(Home::around) else {
        let ground = Ground::of(root);
        return match alone(&ground, path, &mut sources) {
            Some(whole) => Belongs::To(whole, Vec::new()),
            None if is_rules(path) => nothing(
                "this file belongs to no game or pack: no folder around it has rules/ or pack.toml, and no scenarios beside it name it in `with`",
            ),
            None => nothing(
                "this file belongs to no game or pack: no folder around it has rules/ or cards/, or pack.toml, and its `game` is not known",
            ),
        };
    };
    let mut faults = Vec::new();
    let ground = Ground::around(root, &home);
    let subject = match &home {
        Home::Pack(folder) => match of_pack(&ground, folder, &[], &mut sources, &mut faults) {
            Some(subject) => subject,
            None => return Belongs::Faulty(sources, faults),
        },
        Home::Games(folder) => {
            let games = crate::pack::games_below(folder);
            let inside = path.strip_prefix(folder).unwrap_or(path);
            let mut parts = inside.iter().map(|part| part.to_string_lossy().into_owned());
            let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let game = match first.as_str() {
                "cards" => second,
                "rules" => second.strip_suffix(".rules").map_or(second.clone(), str::to_string),
                _ if path.extension().is_some_and(|extension| extension == "toml") => match sources.read_file(path) {
                    Ok(file) => of_scenarios(&ground, &[], &mut sources, (file, path), &mut faults).game,
                    Err(_) => String::new(),
                },
                _ => games.first().filter(|_| games.len() == 1).cloned().unwrap_or_default(),
            };
            if !ground.games().contains(&game) {
                return nothing(
                    "this file belongs to no game that is known here: rules lie in rules/GAME.rules or rules/GAME/, cards in cards/GAME/",
                );
            }
            Subject { root: Some(folder.clone()), game, packs: Vec::new() }
        }
    };
    let mut others: Vec<Whole> = Vec::new();
    let own = whole(subject);
    for folder in ground.packs() {
        let found = of_pack(&ground, &folder, &[], &mut sources, &mut Vec::new()).map(whole);
        others.extend(found.filter(|other| other.game == own.game));
    }
    let plain = Whole { packs: Vec::new(), ..own.clone() };
    others.push(plain);
    // What a pack changes is seen by those that build on it alone.
    if let Home::Pack(folder) = &home {
        let real = Sources::real_path(folder);
        others.retain(|other| other.packs.iter().any(|pack| Sources::real_path(pack) == real) || other.packs.is_empty());
    }
    others.retain(|other| *other != own);
    Belongs::To(own, others)
}

/// What a file belongs to that lies in no game or pack: scenarios to the game that they name, rules to that of scenarios beside them that
/// are about them.
fn alone(ground: &Ground, path: &Path, sources: &mut Sources) -> Option<Whole> {
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
        let root = ground.root().map(Path::to_path_buf);
        Some(Whole { root, game: found.game.text, packs, further }).filter(|whole| ground.games().contains(&whole.game))
    };
    if !is_rules(path) {
        return about(path);
    }
    let files = Sources::files(beside).into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.filter_map(|file| about(&file)).find(|whole| whole.further.iter().any(|one| one == path))
}

fn whole(subject: Subject) -> Whole {
    Whole { root: subject.root, game: subject.game, packs: subject.packs, further: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_ends_while_it_checks_is_told_of() {
        let (told, incoming) = channel();
        let worker = thread::spawn(move || {
            let _watch = Watch(told);
            // As a fault of the program would end it, but without its message.
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(worker.join().is_err());
        assert!(matches!(incoming.recv(), Ok(Event::Broken)));
    }
}
