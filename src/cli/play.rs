//! `houserule play`: plays a game in the terminal, full-screen or line by line.

use std::path::Path;

use super::args::PlayArgs;
use super::interface::{GameUi, on_screen, plain, screen};
use super::load::Workspace;
use super::output::{fail_with, print_error, show_diagnostics, usage_error};
use super::prepared::{PreparedTable, new_session, prepare, read, replay_of};
use super::result::{CommandResult, ExitReason};
use super::subject::of_pack;
use crate::agent::{AgentKind, seat_name};
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
    for player in table.seat_players() {
        if let SeatPlayer::Machine(kind) = player {
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
    let changed = &args.changed;
    let subject = match (&args.from, &args.game, &changed.pack[..]) {
        (None, None, [packs @ .., last]) => {
            let (mut sources, mut faults) = (Sources::new(), Vec::new());
            let found = of_pack(workspace, last, packs, &mut sources, &mut faults);
            show_diagnostics(&sources, &faults)?;
            found
        }
        _ => None,
    };
    let around = subject.as_ref().and_then(|found| found.root.as_deref()).map(|root| workspace.with_root(root));
    let workspace = around.as_ref().unwrap_or(workspace);
    let (start, requested) = match &args.from {
        Some(from) => {
            let start = start_of_scenario(workspace, from, args)?;
            let requested = Some(start.players).filter(|players| *players > 0);
            (start, requested)
        }
        None => {
            let (packs, game) = match subject {
                Some(found) => (found.packs, found.game),
                None => (changed.pack.clone(), args.game.clone().unwrap_or_default()),
            };
            let (options, deal, with) = (changed.option.clone(), changed.deal.clone(), changed.with.clone());
            (Start { game, seed: args.seed, options, deal, with, packs, ..Start::default() }, args.players)
        }
    };
    let prepared = prepare(workspace, start, requested)?;
    let seat_players = parse_seat_players(&args.seat, prepared.rules.players).or_else(usage_error)?;
    let table = SeatedSession::begin(new_session(&prepared)?, &[], seat_players);
    let table = table.or_else(|failed| fail_with(&prepared.sources, &[prepared.fault(&failed, 0)]))?;
    Ok((prepared, table))
}

/// Parses the argument of `--from`, `FILE` or `FILE#NAME`, and reads the scenario that it names.
fn start_of_scenario(workspace: &Workspace, from: &str, args: &PlayArgs) -> Result<Start, ExitReason> {
    let (path, name) = from.split_once('#').map_or((from, None), |(path, name)| (path, Some(name)));
    let mut sources = Sources::new();
    let file = read(&mut sources, Path::new(path))?;
    let found = StartingScenario::find(&sources, file, name).or_else(|faults| fail_with(&sources, &faults))?;
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
    let players = prepared.rules.players;
    let seat_players = if seats.is_empty() { seat_players_of_file(&replay.seats, players) } else { parse_seat_players(seats, players) };
    let seat_players = seat_players.or_else(usage_error)?;
    refuse_programs(path, &seat_players)?;
    let mut session = new_session(&prepared)?;
    replay.play(&mut session).and_then(|()| replay.check_end(&session)).or_else(|found| fail_with(&prepared.sources, &[*found]))?;
    replay
        .changes_since_recording(&session)
        .iter()
        .for_each(|line| print_error(&format!("note: {line}; the game so far does not feel it\n")));
    if let Err(found) = replay.check_outcome(&session) {
        print_error(&format!("note: {}\n", found.message));
    }
    let table = SeatedSession::new(session, seat_players);
    let table = table.or_else(|failed| fail_with(&prepared.sources, &[prepared.fault(&failed, 0)]))?;
    Ok((prepared, table))
}

/// Refuses to start a program named in a file, and explains how to seat it or another player.
fn refuse_programs(path: &Path, seat_players: &[SeatPlayer]) -> CommandResult {
    let named = |(seat, player): (usize, &SeatPlayer)| match player {
        SeatPlayer::NotStarted(program) => Some(format!("{} is to be `{program}`", seat_name(seat))),
        SeatPlayer::Human | SeatPlayer::Machine(_) => None,
    };
    let wanted: Vec<String> = seat_players.iter().enumerate().filter_map(named).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| "exec:COMMAND".to_string(), |text| text.into_owned());
    let same = seat_players.iter().map(|player| format!("--seat {}", quoted(&player.to_string()))).collect::<Vec<_>>().join(" ");
    let ours = seat_players.iter().map(|player| match player {
        SeatPlayer::NotStarted(_) => "greedy".to_string(),
        SeatPlayer::Human | SeatPlayer::Machine(_) => player.to_string(),
    });
    let ours = ours.collect::<Vec<_>>().join(",");
    usage_error(format!(
        "`{}` names a program to be started: {}\na file never starts a program; say on the command line who plays:\n  {same}  if you trust \
         that program\n  --seat {ours}  to play against ours",
        path.display(),
        wanted.join(", ")
    ))
}
