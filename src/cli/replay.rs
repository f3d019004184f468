//! `houserule replay`: shows a saved game answer by answer.

use super::args::ReplayArgs;
use super::interface::{GameUi, on_screen, print_lines, print_sheet, screen};
use super::load::Workspace;
use super::output::{fail_with, print, usage_error};
use super::prepared::{PreparedTable, new_session, replay_of};
use super::result::{CommandResult, ExitReason};
use crate::agent::{AgentKind, seat_name};
use crate::diagnostic::Diagnostic;
use crate::lang::seat_number;
use crate::table::{Replay, SeatedSession, seat_players_of_file};

/// Runs `houserule replay`.
pub fn replay(workspace: &Workspace, args: &ReplayArgs) -> CommandResult {
    let (prepared, replay) = replay_of(workspace, &args.file)?;
    let players = prepared.rules.players;
    let seat_of = |name: &String| match seat_number(name).filter(|seat| *seat < players) {
        Some(seat) => Ok(seat),
        None => usage_error(format!("`{name}` is no seat of this game; the first is p1, the last p{players}")),
    };
    let viewer = args.eyes.as_ref().map(seat_of).transpose()?;
    let count = replay.answers.len();
    if let Some(at) = args.at.filter(|at| *at > count) {
        return usage_error(format!("there are {count} answers, and none of number {at}"));
    }
    let file = args.file.display().to_string();
    if args.verify {
        return verify(&prepared, &replay, &file);
    }
    let mut ui = ui_of(prepared, &replay)?;
    let in_screen = on_screen(args.plain) && args.scenario.is_none() && viewer.is_none();
    let until = args.at.unwrap_or(if in_screen { 0 } else { count });
    // If a position is requested, the earlier answers are not printed.
    let aloud = !in_screen && args.at.is_none() && args.scenario.is_none();
    show(&mut ui, &replay, until, viewer, aloud).or_else(|found| fail_with(&ui.prepared.sources, &[*found]))?;
    if in_screen {
        return screen::show(&mut ui, &replay, until);
    }
    if let Some(path) = &args.scenario {
        let line = ui.write_scenario(path).or_else(usage_error)?;
        print(&format!("{line}\n"));
        return Ok(());
    }
    print_position(&mut ui, viewer, &format!("after {until} of {count} answers of {file}"));
    if until < count {
        return Ok(());
    }
    let session = &ui.table.session;
    let end = replay.check_end(session).and_then(|()| replay.check_outcome(session));
    end.or_else(|found| fail_with(&ui.prepared.sources, &[*found]))?;
    report_changes(&replay.changes_since_recording(session));
    Ok(())
}

/// Prints the position that has been reached, as the viewer sees it, or else whoever is asked.
fn print_position(ui: &mut GameUi, viewer: Option<usize>, when: &str) {
    print_sheet(ui, viewer.unwrap_or_else(|| ui.table.viewer()), None);
    print(&format!("\n{when}: {}\n", ui.question()));
    let asked = ui.table.session.decision().map(|open| open.seat);
    // The options of another seat may name its hidden cards.
    if asked.is_some_and(|asked| viewer.is_none_or(|seat| seat == asked)) {
        ui.begin_question();
        for (number, choice) in ui.choices().iter().enumerate() {
            let on_space = choice.on_space.as_ref().map_or_else(String::new, |said| format!("  ({said})"));
            print(&format!("{:>3} {}{on_space}\n", number + 1, choice.label()));
        }
    }
    // The result of an unfinished game is on the sheet, as far as the seat knows it.
    if viewer.is_none() || ui.table.session.game().finished() {
        print_lines("", ui.outcome());
    }
}

/// Reports what has changed in the files since a game was saved, although the game still has the same result.
fn report_changes(changes: &[String]) {
    changes.iter().for_each(|line| print(&format!("  {line}; this game does not feel it\n")));
}

/// Creates the state of the interface for a replay, at its beginning.
fn ui_of(prepared: PreparedTable, replay: &Replay) -> Result<GameUi, ExitReason> {
    let seat_players = seat_players_of_file(&replay.seats, prepared.rules.players).or_else(usage_error)?;
    let table = SeatedSession::begin(new_session(&prepared)?, &replay.skipped, seat_players);
    let table = table.or_else(|failed| fail_with(&prepared.sources, &[prepared.fault(&failed, 0)]))?;
    Ok(GameUi::new(prepared, table, AgentKind::with_style("")))
}

/// Repeats the first answers of a replay; `aloud` prints each with its consequences, as far as the viewer may know them.
fn show(ui: &mut GameUi, replay: &Replay, until: usize, viewer: Option<usize>, aloud: bool) -> Result<(), Box<Diagnostic>> {
    let mut heard = 0;
    for number in 0..=until {
        let (rules, words, game) = (&ui.prepared.rules, &ui.prepared.words, ui.table.session.game());
        if aloud {
            let lines = match viewer {
                Some(seat) => ui.log(seat, heard),
                None => game.log()[heard..].iter().map(|line| words.log_line(rules, line)).collect(),
            };
            print_lines("        ", lines);
            heard = ui.log_len();
        }
        let Some(answer) = replay.answers.get(number).filter(|_| number < until) else { break };
        if aloud {
            let question = game.decision().map(|open| words.describe_question(rules, open.question)).unwrap_or_default();
            let key = match viewer {
                // The choice of another seat is in the log, as far as the viewer may know it.
                Some(seat) if seat != answer.seat => "answers".to_string(),
                Some(_) | None => words.replace_card_ids(&answer.key),
            };
            print(&format!("{:>5}   {} ({question}): {key}\n", number + 1, seat_name(answer.seat)));
        }
        replay.replay_answer(number, answer, &mut ui.table.session)?;
    }
    Ok(())
}

/// Repeats a saved game and checks that its result is the same.
fn verify(prepared: &PreparedTable, replay: &Replay, file: &str) -> CommandResult {
    let mut session = new_session(prepared)?;
    let end = replay.play(&mut session).and_then(|()| replay.check_end(&session)).and_then(|()| replay.check_outcome(&session));
    end.or_else(|found| fail_with(&prepared.sources, &[*found]))?;
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
