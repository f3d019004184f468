//! `houserule play`: a game at the keyboard, on the whole screen or line by line.

use crate::cast;
use std::io::{IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod desk;
mod kept;
mod plain;
pub(super) mod screen;

pub(super) use desk::{Desk, of_fault};

use super::args::PlayArgs;
use super::load::{Ground, compiled, players};
use super::output::{say, tell, wrong};
use super::playtest::set_up;
use super::{Done, Trouble};
use crate::agent::{AgentKind, seat_name};
use crate::diagnostic::Diagnostic;
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, Setup};
use crate::scenario::position::{Beginning, position, usual_players};
use crate::script::check_scripts;
use crate::source::{FileId, Sources};
use crate::table::{Chair, From, Replay, Session, Start, Table, Words, chairs_of_file, parse_chairs, parse_replay};

/// A game that lies ready.
pub(super) struct Laid {
    pub sources: Sources,
    pub text: GameText,
    pub words: Words,
    pub start: Start,
    pub setup: Setup,
    pub rules: Arc<Ruleset>,
    /// As it begins.
    pub game: Game,
    /// The folder of its rules, if it is not found without `--root`.
    pub root: Option<PathBuf>,
}

/// Plays a game.
pub fn play(ground: &Ground, args: &PlayArgs) -> Done {
    let hint = AgentKind::parse(&args.hint).or_else(wrong)?;
    let (laid, table) = match &args.load {
        Some(path) => loaded(ground, path, &args.seat)?,
        None => begun(ground, args)?,
    };
    hint.suits(&laid.rules).or_else(wrong)?;
    for chair in table.chairs() {
        if let Chair::Machine(kind) = chair {
            kind.suits(&laid.rules).or_else(wrong)?;
        }
    }
    let mut desk = Desk::new(laid, table, hint);
    if let Some(path) = &args.load {
        desk.loaded_from(path);
    }
    if let Some(path) = &args.save {
        desk.save_to(path)?;
    }
    if on_screen(args.plain) { screen::play(&mut desk) } else { plain::play(&mut desk) }
}

/// Whether the whole screen is drawn on: in a terminal that can do it, unless lines are wanted.
pub(super) fn on_screen(plain: bool) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    stdout().is_terminal() && stdin().is_terminal() && !plain && !dumb
}

/// A new game, or one that begins with the position of a scenario.
fn begun(ground: &Ground, args: &PlayArgs) -> Result<(Laid, Table), Trouble> {
    let start = match &args.from {
        Some(from) => of_scenario(ground, from, args)?,
        None => Start {
            game: args.game.clone().unwrap_or_default(),
            players: args.players.unwrap_or(0),
            seed: args.seed,
            options: args.changed.option.clone(),
            deal: args.changed.deal.clone(),
            with: args.changed.with.clone(),
            packs: args.changed.pack.clone(),
            from: None,
        },
    };
    let wished = if args.from.is_some() { Some(start.players).filter(|players| *players > 0) } else { args.players };
    let laid = lay(ground, start, wished)?;
    let chairs = parse_chairs(&args.seat, laid.rules.players).or_else(wrong)?;
    let mut session = seated(&laid)?;
    if let Err(failed) = session.start(&[]) {
        tell(&laid.sources, &[desk::of_fault(&failed.fault, laid.start.seed, 0)])?;
        return Err(Trouble::Finding);
    }
    match Table::new(session, chairs) {
        Ok(table) => Ok((laid, table)),
        Err(failed) => tell(&laid.sources, &[desk::of_fault(&failed.fault, laid.start.seed, 0)]).and(Err(Trouble::Finding)),
    }
}

/// `FILE` or `FILE#NAME`.
fn of_scenario(ground: &Ground, from: &str, args: &PlayArgs) -> Result<Start, Trouble> {
    let (path, name) = match from.split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (from, None),
    };
    let mut sources = Sources::new();
    let file = read(&mut sources, Path::new(path))?;
    let found = match Beginning::find(&sources, file, name) {
        Ok(found) => found,
        Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
    };
    ground.expect_game(&found.game)?;
    Ok(Start {
        game: found.game,
        players: found.players.unwrap_or(0),
        seed: found.seed,
        options: found.options,
        deal: Vec::new(),
        with: found.with.into_iter().chain(args.changed.with.iter().cloned()).collect(),
        packs: found.packs.into_iter().chain(args.changed.pack.iter().cloned()).collect(),
        from: Some(From { name: found.name, given: found.given, when: found.when }),
    })
}

/// A file.
///
/// # Errors
/// Wrong use, if it cannot be read.
pub(super) fn read(sources: &mut Sources, path: &Path) -> Result<FileId, Trouble> {
    sources.read_file(path).or_else(|fault| wrong(format!("cannot read `{}`: {fault}", path.display())))
}

/// Lays a game ready; what is wrong with it has been said.
pub(super) fn lay(ground: &Ground, mut start: Start, wished: Option<usize>) -> Result<Laid, Trouble> {
    let mut sources = Sources::new();
    let text = ground.text(&mut sources, &start.game, &start.packs, &start.with)?;
    ground.expect_language(std::slice::from_ref(&start.game), &start.packs)?;
    let names = ground.names(&sources, &text.content)?;
    start.players = match (&start.from, wished) {
        (Some(_), None) => usual_players(&text),
        _ => players(&text, wished)?,
    };
    let setup = set_up(start.players, &start.options, &start.deal)?;
    let (rules, game) = match &start.from {
        None => {
            let rules = compiled(&sources, &text, &setup)?;
            let game = Game::new(&rules, start.seed);
            (rules, game)
        }
        Some(from) => {
            // Places in the lines are those of a file that has its own text.
            let file = sources.add(format!("scenario `{}`", from.name), format!("{}\n{}", from.given.text, from.when.text));
            let part = |text: &str, start: usize| {
                let span = crate::source::Span { file, start: cast::fit::<u32>(start), end: cast::fit::<u32>(start + text.len()) };
                crate::pack::Text { text: text.to_string(), span }
            };
            let (given, when) = (part(&from.given.text, 0), part(&from.when.text, from.given.text.len() + 1));
            match position(&text, &setup, start.seed, &given, &when) {
                Ok(found) => found,
                Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
            }
        }
    };
    // A misspelt call would otherwise be met in the middle of the game.
    tell(&sources, &check_scripts(&rules))?;
    let words = Words::new(&text, names);
    let root = ground.root_to_type();
    Ok(Laid { sources, text, words, start, setup, rules, game, root })
}

/// A session of a game that lies ready; what is wrong with its scripts has been said.
pub(super) fn seated(laid: &Laid) -> Result<Session, Trouble> {
    Session::new(&laid.rules, laid.game.clone()).or_else(|faults| tell(&laid.sources, &faults).and(Err(Trouble::Finding)))
}

/// Reads a replay and lays its game ready. Its places are those of the file as the game's own texts know it.
pub(super) fn replay_of(ground: &Ground, path: &Path) -> Result<(Laid, Replay), Trouble> {
    // The game's texts come first, as when it was played: hashes of rules depend on it.
    let mut alone = Sources::new();
    let file = read(&mut alone, path)?;
    let text = alone.text(file).to_string();
    let mut faults = Vec::new();
    let Some(found) = parse_replay(file, &text, &mut faults) else { return tell(&alone, &faults).and(Err(Trouble::Finding)) };
    let (start, wished) = (found.start.clone(), found.start.players);
    ground.expect_game(&start.game)?;
    let mut laid = lay(ground, start, Some(wished))?;
    let file = laid.sources.add(path.display().to_string(), text.clone());
    let again = parse_replay(file, &text, &mut Vec::new());
    Ok((laid, again.unwrap_or(found)))
}

/// A saved game.
fn loaded(ground: &Ground, path: &Path, seats: &[String]) -> Result<(Laid, Table), Trouble> {
    let (laid, replay) = replay_of(ground, path)?;
    let chairs = if seats.is_empty() {
        let chairs = chairs_of_file(&replay.seats, laid.rules.players).or_else(wrong)?;
        no_program_of_a_file(path, &chairs)?;
        chairs
    } else {
        parse_chairs(seats, laid.rules.players).or_else(wrong)?
    };
    let mut session = seated(&laid)?;
    let went: Result<(), Box<Diagnostic>> = replay.play(&mut session).and_then(|()| replay.check_end(&session));
    if let Err(found) = went {
        return tell(&laid.sources, &[*found]).and(Err(Trouble::Finding));
    }
    replay.changes(&session).iter().for_each(|line| say(&format!("note: {line}; the game so far does not feel it\n")));
    if let Err(found) = replay.check_outcome(&session) {
        say(&format!("note: {}\n", found.message));
    }
    match Table::new(session, chairs) {
        Ok(table) => Ok((laid, table)),
        Err(failed) => tell(&laid.sources, &[desk::of_fault(&failed.fault, laid.start.seed, 0)]).and(Err(Trouble::Finding)),
    }
}

/// Refuses to start a program because a file says so, and says how to seat it, or somebody else.
fn no_program_of_a_file(path: &Path, chairs: &[Chair]) -> Done {
    let wanted: Vec<String> = chairs
        .iter()
        .enumerate()
        .filter_map(|(seat, chair)| match chair {
            Chair::NotStarted(program) => Some(format!("{} is to be `{program}`", seat_name(seat))),
            Chair::Human | Chair::Machine(_) => None,
        })
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| "exec:COMMAND".to_string(), |text| text.into_owned());
    let same = chairs.iter().map(|chair| format!("--seat {}", quoted(&chair.to_string()))).collect::<Vec<_>>().join(" ");
    let ours = chairs.iter().map(|chair| match chair {
        Chair::NotStarted(_) => "greedy".to_string(),
        Chair::Human | Chair::Machine(_) => chair.to_string(),
    });
    let ours = ours.collect::<Vec<_>>().join(",");
    wrong(format!(
        "`{}` names a program to be started: {}\na file never starts a program; say on the command line who plays:\n  {same}  if you trust \
         that program\n  --seat {ours}  to play against ours",
        path.display(),
        wanted.join(", ")
    ))
}

/// A path that a person has typed.
pub(super) fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text.trim())
}
