//! `houserule replay`: shows a saved game answer by answer.

use super::args::ReplayArgs;
use super::faults::fault_diagnostic;
use super::interface::{GameUi, on_screen, screen};
use super::load::Workspace;
use super::output::{print, show_diagnostics, usage_error};
use super::prepared::{PreparedTable, new_session, replay_of};
use super::result::{CommandResult, ExitReason};
use crate::agent::{AgentKind, seat_name};
use crate::diagnostic::Diagnostic;
use crate::lang::seat_number;
use crate::table::{Replay, SeatedSession, seat_players_of_file, section_lines};

/// Maximum width of the lines of text, in columns.
const LINE_WIDTH: usize = 100;

/// Runs `houserule replay`.
pub fn replay(workspace: &Workspace, args: &ReplayArgs) -> CommandResult {
    let (prepared, replay) = replay_of(workspace, &args.file)?;
    let players = prepared.rules.players;
    let viewer = match &args.eyes {
        None => None,
        Some(name) => match seat_number(name).filter(|seat| *seat < players) {
            Some(seat) => Some(seat),
            None => return usage_error(format!("`{name}` is no seat of this game; the first is p1, the last p{players}")),
        },
    };
    let count = replay.answers.len();
    if let Some(at) = args.at.filter(|at| *at > count) {
        return usage_error(format!("there are {count} answers, and none of number {at}"));
    }
    if args.verify {
        return verify(&prepared, &replay, &args.file.display().to_string());
    }
    let file = args.file.display().to_string();
    let mut ui = ui_of(prepared, &replay)?;
    if on_screen(args.plain) && args.scenario.is_none() && viewer.is_none() {
        let at = args.at.unwrap_or(0);
        return match show(&mut ui, &replay, at, None, false) {
            Ok(()) => screen::show(&mut ui, &replay, at),
            Err(found) => show_diagnostics(&ui.prepared.sources, &[*found]).and(Err(ExitReason::Findings)),
        };
    }
    let until = args.at.unwrap_or(count);
    // If a position is requested, the earlier answers are not printed.
    let went = show(&mut ui, &replay, until, viewer, args.at.is_none() && args.scenario.is_none());
    if let Err(found) = went {
        return show_diagnostics(&ui.prepared.sources, &[*found]).and(Err(ExitReason::Findings));
    }
    if let Some(path) = &args.scenario {
        return match ui.write_scenario(path) {
            Ok(line) => {
                print(&format!("{line}\n"));
                Ok(())
            }
            Err(fault) => usage_error(fault),
        };
    }
    let seat = viewer.unwrap_or_else(|| ui.viewer());
    for section in ui.sheet(seat) {
        print("\n");
        section_lines(&section, ui.prepared.words.phrases(), LINE_WIDTH, false).iter().for_each(|line| print(&format!("{}\n", line.text)));
    }
    print(&format!("\nafter {until} of {count} answers of {file}: {}\n", ui.question()));
    let asked = ui.table.session.decision().map(|open| open.seat);
    // The options of another seat may name its hidden cards.
    if asked.is_some_and(|asked| viewer.is_none_or(|seat| seat == asked)) {
        ui.begin_question();
        for (number, choice) in ui.choices().iter().enumerate() {
            let on_space = choice.on_space.as_ref().map_or_else(String::new, |said| format!("  ({said})"));
            print(&format!("{:>3} {}{on_space}\n", number + 1, choice.label));
        }
    }
    // The result of an unfinished game is on the sheet, as far as the seat knows it.
    if viewer.is_none() || ui.table.session.game().finished() {
        ui.outcome().iter().for_each(|line| print(&format!("{line}\n")));
    }
    if until < count {
        return Ok(());
    }
    let session = &ui.table.session;
    replay
        .check_end(session)
        .and_then(|()| replay.check_outcome(session))
        .or_else(|found| show_diagnostics(&ui.prepared.sources, &[*found]))?;
    report_changes(&replay.changes_since_recording(&ui.table.session));
    Ok(())
}

/// Reports what has changed in the files since a game was saved, although the game still has the same result.
fn report_changes(changes: &[String]) {
    changes.iter().for_each(|line| print(&format!("  {line}; this game does not feel it\n")));
}

/// Creates the state of the interface for a replay, at its beginning.
fn ui_of(prepared: PreparedTable, replay: &Replay) -> Result<GameUi, ExitReason> {
    let seat_players = seat_players_of_file(&replay.seats, prepared.rules.players).or_else(usage_error)?;
    let mut session = new_session(&prepared)?;
    let start_result = session.start(&replay.skipped);
    let table = start_result.and_then(|()| SeatedSession::new(session, seat_players));
    match table {
        Ok(table) => Ok(GameUi::new(prepared, table, AgentKind::with_style(""))),
        Err(failed) => {
            let found = fault_diagnostic(&failed.fault, prepared.start.seed, 0);
            show_diagnostics(&prepared.sources, &[found]).and(Err(ExitReason::Findings))
        }
    }
}

/// Repeats the first answers of a replay, and prints each with its consequences.
fn show(ui: &mut GameUi, replay: &Replay, until: usize, viewer: Option<usize>, aloud: bool) -> Result<(), Box<Diagnostic>> {
    let mut heard = 0;
    for number in 0..=until {
        if aloud {
            let lines: Vec<String> = match viewer {
                Some(seat) => ui.log(seat, heard),
                None => {
                    ui.table.session.game().log()[heard..].iter().map(|line| ui.prepared.words.log_line(&ui.prepared.rules, line)).collect()
                }
            };
            lines.iter().for_each(|line| print(&format!("        {line}\n")));
            heard = ui.log_len();
        }
        let Some(answer) = replay.answers.get(number).filter(|_| number < until) else { break };
        if aloud {
            let question = ui.table.session.decision().map(|open| ui.prepared.words.describe_question(&ui.prepared.rules, open.question));
            let key = match viewer {
                // The choice of another seat is in the log, as far as the viewer may know it.
                Some(seat) if seat != answer.seat => "answers".to_string(),
                Some(_) | None => ui.prepared.words.replace_card_ids(&answer.key),
            };
            print(&format!("{:>5}   {} ({}): {key}\n", number + 1, seat_name(answer.seat), question.unwrap_or_default()));
        }
        replay.replay_answer(number, answer, &mut ui.table.session)?;
    }
    Ok(())
}

/// Repeats a saved game and checks that its result is the same.
fn verify(prepared: &PreparedTable, replay: &Replay, file: &str) -> CommandResult {
    let mut session = new_session(prepared)?;
    let went = replay.play(&mut session).and_then(|()| replay.check_end(&session));
    match went.and_then(|()| replay.check_outcome(&session)) {
        Ok(()) => {
            let over = match (replay.finished, &replay.outcome) {
                (false, _) => "the game is not over",
                (true, Some(_)) => "the game is over, with the same points and winners",
                (true, None) => "the game is over",
            };
            print(&format!("{file}: {} answers, the same state; {over}\n", replay.answers.len()));
            if replay.finished && replay.outcome.is_none() {
                print("  who won with how many points is not noted in this file, as in those of early versions, and was not compared\n");
            }
            report_changes(&replay.changes_since_recording(&session));
            Ok(())
        }
        Err(found) => show_diagnostics(&prepared.sources, &[*found]).and(Err(ExitReason::Findings)),
    }
}
