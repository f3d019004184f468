//! `houserule play`: plays a game in the terminal, full-screen or line by line.

use std::path::Path;

use super::args::PlayArgs;
use super::faults::fault_diagnostic;
use super::interface::{GameUi, on_screen, plain, screen};
use super::load::Workspace;
use super::output::{print_error, show_diagnostics, usage_error};
use super::prepared::{PreparedTable, new_session, prepare, read, replay_of};
use super::result::{CommandResult, ExitReason};
use super::subject::of_pack;
use crate::agent::{AgentKind, seat_name};
use crate::diagnostic::Diagnostic;
use crate::scenario::position::StartingScenario;
use crate::source::Sources;
use crate::table::{SeatPlayer, SeatedSession, Start, StartPosition, parse_seat_players, seat_players_of_file};

/// Runs `houserule play`.
pub fn play(workspace: &Workspace, args: &PlayArgs) -> CommandResult {
    let hint = AgentKind::parse(&args.hint).or_else(usage_error)?;
    let (prepared, table) = match &args.load {
        Some(path) => load_saved_game(workspace, path, &args.seat)?,
        None => start_game(workspace, args)?,
    };
    hint.check_rules(&prepared.rules).or_else(usage_error)?;
    for chair in table.seat_players() {
        if let SeatPlayer::Machine(kind) = chair {
            kind.check_rules(&prepared.rules).or_else(usage_error)?;
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

/// Starts a new game, or one in the position of a scenario.
fn start_game(workspace: &Workspace, args: &PlayArgs) -> Result<(PreparedTable, SeatedSession), ExitReason> {
    let mut around = None;
    let start = match &args.from {
        Some(from) => start_of_scenario(workspace, from, args)?,
        None => {
            let subject = match (&args.game, &args.changed.pack[..]) {
                (None, [packs @ .., last]) => {
                    let (mut sources, mut faults) = (Sources::new(), Vec::new());
                    let found = of_pack(workspace, last, packs, &mut sources, &mut faults);
                    show_diagnostics(&sources, &faults)?;
                    found
                }
                _ => None,
            };
            around = subject.as_ref().and_then(|found| found.root.as_deref()).map(|root| workspace.with_root(root));
            Start {
                packs: subject.as_ref().map_or_else(|| args.changed.pack.clone(), |found| found.packs.clone()),
                game: subject.map(|found| found.game).or_else(|| args.game.clone()).unwrap_or_default(),
                players: args.players.unwrap_or(0),
                seed: args.seed,
                options: args.changed.option.clone(),
                deal: args.changed.deal.clone(),
                with: args.changed.with.clone(),
                from: None,
            }
        }
    };
    let workspace = around.as_ref().unwrap_or(workspace);
    let requested = if args.from.is_some() { Some(start.players).filter(|players| *players > 0) } else { args.players };
    let prepared = prepare(workspace, start, requested)?;
    let seat_players = parse_seat_players(&args.seat, prepared.rules.players).or_else(usage_error)?;
    let mut session = new_session(&prepared)?;
    if let Err(failed) = session.start(&[]) {
        show_diagnostics(&prepared.sources, &[fault_diagnostic(&failed.fault, prepared.start.seed, 0)])?;
        return Err(ExitReason::Findings);
    }
    match SeatedSession::new(session, seat_players) {
        Ok(table) => Ok((prepared, table)),
        Err(failed) => {
            show_diagnostics(&prepared.sources, &[fault_diagnostic(&failed.fault, prepared.start.seed, 0)]).and(Err(ExitReason::Findings))
        }
    }
}

/// Parses the argument of `--from`, `FILE` or `FILE#NAME`, and reads the scenario that it names.
fn start_of_scenario(workspace: &Workspace, from: &str, args: &PlayArgs) -> Result<Start, ExitReason> {
    let (path, name) = match from.split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (from, None),
    };
    let mut sources = Sources::new();
    let file = read(&mut sources, Path::new(path))?;
    let found = match StartingScenario::find(&sources, file, name) {
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

/// Loads a saved game and seats its players.
fn load_saved_game(workspace: &Workspace, path: &Path, seats: &[String]) -> Result<(PreparedTable, SeatedSession), ExitReason> {
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
    replay
        .changes_since_recording(&session)
        .iter()
        .for_each(|line| print_error(&format!("note: {line}; the game so far does not feel it\n")));
    if let Err(found) = replay.check_outcome(&session) {
        print_error(&format!("note: {}\n", found.message));
    }
    match SeatedSession::new(session, seat_players) {
        Ok(table) => Ok((prepared, table)),
        Err(failed) => {
            show_diagnostics(&prepared.sources, &[fault_diagnostic(&failed.fault, prepared.start.seed, 0)]).and(Err(ExitReason::Findings))
        }
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
