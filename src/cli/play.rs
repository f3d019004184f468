//! `houserule play`: plays a game in the terminal, full-screen or line by line.

use crate::cast;
use std::io::{IsTerminal, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod autosave;
mod plain;
pub(super) mod screen;
mod ui;

pub(super) use ui::{GameUi, fault_diagnostic};

use super::args::PlayArgs;
use super::load::{Workspace, compile_rules, players};
use super::output::{print_error, show_diagnostics, usage_error};
use super::playtest::set_up;
use super::{CommandResult, ExitReason};
use crate::agent::{AgentKind, seat_name};
use crate::diagnostic::Diagnostic;
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, Setup};
use crate::scenario::position::{Beginning, position, usual_players};
use crate::script::check_scripts;
use crate::source::{FileId, Sources};
use crate::table::{
    DisplayNames, Replay, SeatPlayer, SeatedSession, Session, Start, StartPosition, parse_replay, parse_seat_players, seat_players_of_file,
};

/// A loaded game, ready to be played.
pub(super) struct PreparedTable {
    pub sources: Sources,
    pub text: GameText,
    pub words: DisplayNames,
    pub start: Start,
    pub setup: Setup,
    pub rules: Arc<Ruleset>,
    /// The game at its beginning.
    pub game: Game,
    /// The value of `--root` with which the rules are found again, if it is needed.
    pub root: Option<PathBuf>,
}

/// Runs `houserule play`.
pub fn play(workspace: &Workspace, args: &PlayArgs) -> CommandResult {
    let hint = AgentKind::parse(&args.hint).or_else(usage_error)?;
    let (prepared, table) = match &args.load {
        Some(path) => loaded(workspace, path, &args.seat)?,
        None => start_game(workspace, args)?,
    };
    hint.suits(&prepared.rules).or_else(usage_error)?;
    for chair in table.seat_players() {
        if let SeatPlayer::Machine(kind) = chair {
            kind.suits(&prepared.rules).or_else(usage_error)?;
        }
    }
    let mut ui = GameUi::new(prepared, table, hint);
    if let Some(path) = &args.load {
        ui.set_loaded_from(path);
    }
    if let Some(path) = &args.save {
        ui.save_to(path)?;
    }
    if on_screen(args.plain) { screen::play(&mut ui) } else { plain::play(&mut ui) }
}

/// Whether the full-screen interface is used: in a capable terminal, unless lines are requested.
pub(super) fn on_screen(plain: bool) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    stdout().is_terminal() && stdin().is_terminal() && !plain && !dumb
}

/// Starts a new game, or one in the position of a scenario.
fn start_game(workspace: &Workspace, args: &PlayArgs) -> Result<(PreparedTable, SeatedSession), ExitReason> {
    let start = match &args.from {
        Some(from) => of_scenario(workspace, from, args)?,
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
    let requested = if args.from.is_some() { Some(start.players).filter(|players| *players > 0) } else { args.players };
    let prepared = prepare(workspace, start, requested)?;
    let seat_players = parse_seat_players(&args.seat, prepared.rules.players).or_else(usage_error)?;
    let mut session = new_session(&prepared)?;
    if let Err(failed) = session.start(&[]) {
        show_diagnostics(&prepared.sources, &[ui::fault_diagnostic(&failed.fault, prepared.start.seed, 0)])?;
        return Err(ExitReason::Findings);
    }
    match SeatedSession::new(session, seat_players) {
        Ok(table) => Ok((prepared, table)),
        Err(failed) => show_diagnostics(&prepared.sources, &[ui::fault_diagnostic(&failed.fault, prepared.start.seed, 0)])
            .and(Err(ExitReason::Findings)),
    }
}

/// Parses `FILE` or `FILE#NAME`.
fn of_scenario(workspace: &Workspace, from: &str, args: &PlayArgs) -> Result<Start, ExitReason> {
    let (path, name) = match from.split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (from, None),
    };
    let mut sources = Sources::new();
    let file = read(&mut sources, Path::new(path))?;
    let found = match Beginning::find(&sources, file, name) {
        Ok(found) => found,
        Err(faults) => return show_diagnostics(&sources, &faults).and(Err(ExitReason::Findings)),
    };
    workspace.expect_game(&found.game)?;
    Ok(Start {
        game: found.game,
        players: found.players.unwrap_or(0),
        seed: found.seed,
        options: found.options,
        deal: Vec::new(),
        with: found.with.into_iter().chain(args.changed.with.iter().cloned()).collect(),
        packs: found.packs.into_iter().chain(args.changed.pack.iter().cloned()).collect(),
        from: Some(StartPosition { name: found.name, given: found.given, when: found.when }),
    })
}

/// Reads a file.
///
/// # Errors
/// A usage error if it cannot be read.
pub(super) fn read(sources: &mut Sources, path: &Path) -> Result<FileId, ExitReason> {
    sources.read_file(path).or_else(|fault| usage_error(format!("cannot read `{}`: {fault}", path.display())))
}

/// Loads a game; diagnostics have been shown.
pub(super) fn prepare(workspace: &Workspace, mut start: Start, requested: Option<usize>) -> Result<PreparedTable, ExitReason> {
    let mut sources = Sources::new();
    let text = workspace.text(&mut sources, &start.game, &start.packs, &start.with)?;
    workspace.expect_language(std::slice::from_ref(&start.game), &start.packs)?;
    let names = workspace.names(&sources, &text.content)?;
    start.players = match (&start.from, requested) {
        (Some(_), None) => usual_players(&text),
        _ => players(&text, requested)?,
    };
    let setup = set_up(start.players, &start.options, &start.deal)?;
    let (rules, game) = match &start.from {
        None => {
            let rules = compile_rules(&sources, &text, &setup)?;
            let game = Game::new(&rules, start.seed);
            (rules, game)
        }
        Some(from) => {
            // The spans of the lines refer to a text of their own.
            let file = sources.add(format!("scenario `{}`", from.name), format!("{}\n{}", from.given.text, from.when.text));
            let part = |text: &str, start: usize| {
                let span = crate::source::Span { file, start: cast::fit::<u32>(start), end: cast::fit::<u32>(start + text.len()) };
                crate::pack::Text { text: text.to_string(), span }
            };
            let (given, when) = (part(&from.given.text, 0), part(&from.when.text, from.given.text.len() + 1));
            match position(&text, &setup, start.seed, &given, &when) {
                Ok(found) => found,
                Err(faults) => return show_diagnostics(&sources, &faults).and(Err(ExitReason::Findings)),
            }
        }
    };
    // A misspelt call would otherwise fail in the middle of the game.
    show_diagnostics(&sources, &check_scripts(&rules))?;
    let words = DisplayNames::new(&text, names);
    let root = workspace.root_to_type();
    Ok(PreparedTable { sources, text, words, start, setup, rules, game, root })
}

/// Creates a session of a loaded game; diagnostics of its scripts have been shown.
pub(super) fn new_session(prepared: &PreparedTable) -> Result<Session, ExitReason> {
    Session::new(&prepared.rules, prepared.game.clone())
        .or_else(|faults| show_diagnostics(&prepared.sources, &faults).and(Err(ExitReason::Findings)))
}

/// Reads a replay and loads its game. Its spans refer to the sources of the game.
pub(super) fn replay_of(workspace: &Workspace, path: &Path) -> Result<(PreparedTable, Replay), ExitReason> {
    // The game's texts come first, as when it was played: the hash of the rules depends on their order.
    let mut alone = Sources::new();
    let file = read(&mut alone, path)?;
    let text = alone.text(file).to_string();
    let mut faults = Vec::new();
    let Some(found) = parse_replay(file, &text, &mut faults) else {
        return show_diagnostics(&alone, &faults).and(Err(ExitReason::Findings));
    };
    let (start, requested) = (found.start.clone(), found.start.players);
    workspace.expect_game(&start.game)?;
    let mut prepared = prepare(workspace, start, Some(requested))?;
    let file = prepared.sources.add(path.display().to_string(), text.clone());
    let again = parse_replay(file, &text, &mut Vec::new());
    Ok((prepared, again.unwrap_or(found)))
}

/// Loads a saved game.
fn loaded(workspace: &Workspace, path: &Path, seats: &[String]) -> Result<(PreparedTable, SeatedSession), ExitReason> {
    let (prepared, replay) = replay_of(workspace, path)?;
    let seat_players = if seats.is_empty() {
        let seat_players = seat_players_of_file(&replay.seats, prepared.rules.players).or_else(usage_error)?;
        refuse_programs(path, &seat_players)?;
        seat_players
    } else {
        parse_seat_players(seats, prepared.rules.players).or_else(usage_error)?
    };
    let mut session = new_session(&prepared)?;
    let result: Result<(), Box<Diagnostic>> = replay.play(&mut session).and_then(|()| replay.check_end(&session));
    if let Err(found) = result {
        return show_diagnostics(&prepared.sources, &[*found]).and(Err(ExitReason::Findings));
    }
    replay.changes(&session).iter().for_each(|line| print_error(&format!("note: {line}; the game so far does not feel it\n")));
    if let Err(found) = replay.check_outcome(&session) {
        print_error(&format!("note: {}\n", found.message));
    }
    match SeatedSession::new(session, seat_players) {
        Ok(table) => Ok((prepared, table)),
        Err(failed) => show_diagnostics(&prepared.sources, &[ui::fault_diagnostic(&failed.fault, prepared.start.seed, 0)])
            .and(Err(ExitReason::Findings)),
    }
}

/// Refuses to start a program named in a file, and explains how to seat it or another player.
fn refuse_programs(path: &Path, seat_players: &[SeatPlayer]) -> CommandResult {
    let wanted: Vec<String> = seat_players
        .iter()
        .enumerate()
        .filter_map(|(seat, chair)| match chair {
            SeatPlayer::NotStarted(program) => Some(format!("{} is to be `{program}`", seat_name(seat))),
            SeatPlayer::Human | SeatPlayer::Machine(_) => None,
        })
        .collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| "exec:COMMAND".to_string(), |text| text.into_owned());
    let same = seat_players.iter().map(|chair| format!("--seat {}", quoted(&chair.to_string()))).collect::<Vec<_>>().join(" ");
    let ours = seat_players.iter().map(|chair| match chair {
        SeatPlayer::NotStarted(_) => "greedy".to_string(),
        SeatPlayer::Human | SeatPlayer::Machine(_) => chair.to_string(),
    });
    let ours = ours.collect::<Vec<_>>().join(",");
    usage_error(format!(
        "`{}` names a program to be started: {}\na file never starts a program; say on the command line who plays:\n  {same}  if you trust \
         that program\n  --seat {ours}  to play against ours",
        path.display(),
        wanted.join(", ")
    ))
}

/// Converts a path that was typed.
pub(super) fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text.trim())
}
