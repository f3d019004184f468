//! `houserule replay`: a game that was kept, answer by answer.

use super::args::ReplayArgs;
use super::load::Ground;
use super::output::{print, tell, wrong};
use super::play::{Desk, Laid, on_screen, replay_of, screen, seated};
use super::{Done, Trouble};
use crate::agent::{AgentKind, seat_name};
use crate::diagnostic::Diagnostic;
use crate::lang::seat_number;
use crate::table::{Replay, Table, chairs_of_file, section_lines};

/// How wide lines are.
const WIDTH: usize = 100;

/// Shows a replay, or plays it again.
pub fn replay(ground: &Ground, args: &ReplayArgs) -> Done {
    let (laid, replay) = replay_of(ground, &args.file)?;
    let players = laid.rules.players;
    let eyes = match &args.eyes {
        None => None,
        Some(name) => match seat_number(name).filter(|seat| *seat < players) {
            Some(seat) => Some(seat),
            None => return wrong(format!("`{name}` is no seat of this game; the first is p1, the last p{players}")),
        },
    };
    let count = replay.moves.len();
    if let Some(at) = args.at.filter(|at| *at > count) {
        return wrong(format!("there are {count} answers, and none of number {at}"));
    }
    if args.verify {
        return verify(&laid, &replay, &args.file.display().to_string());
    }
    let file = args.file.display().to_string();
    let mut desk = desk_of(laid, &replay)?;
    if on_screen(args.plain) && args.scenario.is_none() && eyes.is_none() {
        let at = args.at.unwrap_or(0);
        return match show(&mut desk, &replay, at, None, false) {
            Ok(()) => screen::show(&mut desk, &replay, at),
            Err(found) => tell(&desk.laid.sources, &[*found]).and(Err(Trouble::Finding)),
        };
    }
    let until = args.at.unwrap_or(count);
    // With a place that is looked at, what came before is not told.
    let went = show(&mut desk, &replay, until, eyes, args.at.is_none() && args.scenario.is_none());
    if let Err(found) = went {
        return tell(&desk.laid.sources, &[*found]).and(Err(Trouble::Finding));
    }
    if let Some(path) = &args.scenario {
        return match desk.write_scenario(path) {
            Ok(line) => {
                print(&format!("{line}\n"));
                Ok(())
            }
            Err(fault) => wrong(fault),
        };
    }
    let seat = eyes.unwrap_or_else(|| desk.eyes());
    for section in desk.sheet(seat) {
        print("\n");
        section_lines(&section, WIDTH, false).iter().for_each(|line| print(&format!("{}\n", line.text)));
    }
    print(&format!("\nafter {until} of {count} answers of {file}: {}\n", desk.question()));
    let asked = desk.table.session.decision().map(|open| open.seat);
    // What somebody else may answer names that player's cards.
    if asked.is_some_and(|asked| eyes.is_none_or(|seat| seat == asked)) {
        desk.choices().iter().enumerate().for_each(|(number, choice)| print(&format!("{:>3} {}\n", number + 1, choice.label)));
    }
    // What a game that goes on has come to is on the sheet, as far as this seat knows it.
    if eyes.is_none() || desk.table.session.game().finished() {
        desk.outcome().iter().for_each(|line| print(&format!("{line}\n")));
    }
    if until < count {
        return Ok(());
    }
    let session = &desk.table.session;
    replay.check_end(session).and_then(|()| replay.check_outcome(session)).or_else(|found| tell(&desk.laid.sources, &[*found]))?;
    tell_changes(&replay.changes(&desk.table.session));
    Ok(())
}

/// What has changed since a game was kept that comes to the same end.
fn tell_changes(changes: &[String]) {
    changes.iter().for_each(|line| print(&format!("  {line}; this game does not feel it\n")));
}

/// A table at the beginning of a replay.
fn desk_of(laid: Laid, replay: &Replay) -> Result<Desk, Trouble> {
    let chairs = chairs_of_file(&replay.seats, laid.rules.players).or_else(wrong)?;
    let mut session = seated(&laid)?;
    let begun = session.start(&replay.left);
    let table = begun.and_then(|()| Table::new(session, chairs));
    match table {
        Ok(table) => Ok(Desk::new(laid, table, AgentKind::of_style(""))),
        Err(failed) => {
            let found = super::play::of_fault(&failed.fault, laid.start.seed, 0);
            tell(&laid.sources, &[found]).and(Err(Trouble::Finding))
        }
    }
}

/// Goes through the first answers, and tells each with what came of it.
fn show(desk: &mut Desk, replay: &Replay, until: usize, eyes: Option<usize>, aloud: bool) -> Result<(), Box<Diagnostic>> {
    let mut heard = 0;
    for number in 0..=until {
        if aloud {
            let lines: Vec<String> = match eyes {
                Some(seat) => desk.log(seat, heard),
                None => {
                    desk.table.session.game().log()[heard..].iter().map(|line| desk.laid.words.log_line(&desk.laid.rules, line)).collect()
                }
            };
            lines.iter().for_each(|line| print(&format!("        {line}\n")));
            heard = desk.log_len();
        }
        let Some(answer) = replay.moves.get(number).filter(|_| number < until) else { break };
        if aloud {
            let question = desk.table.session.decision().map(|open| desk.laid.words.question(&desk.laid.rules, open.question));
            let key = match eyes {
                // What another has chosen is in the log, as far as this seat may know.
                Some(seat) if seat != answer.seat => "answers".to_string(),
                Some(_) | None => desk.laid.words.line(&answer.key),
            };
            print(&format!("{:>5}   {} ({}): {key}\n", number + 1, seat_name(answer.seat), question.unwrap_or_default()));
        }
        replay.step(number, answer, &mut desk.table.session)?;
    }
    Ok(())
}

/// Plays a replay again.
fn verify(laid: &Laid, replay: &Replay, file: &str) -> Done {
    let mut session = seated(laid)?;
    let went = replay.play(&mut session).and_then(|()| replay.check_end(&session));
    match went.and_then(|()| replay.check_outcome(&session)) {
        Ok(()) => {
            let over = match (replay.over, &replay.outcome) {
                (false, _) => "the game is not over",
                (true, Some(_)) => "the game is over, with the same points and winners",
                (true, None) => "the game is over",
            };
            print(&format!("{file}: {} answers, the same state; {over}\n", replay.moves.len()));
            if replay.over && replay.outcome.is_none() {
                print("  who won with how many points is not noted in this file, as in those of early versions, and was not compared\n");
            }
            tell_changes(&replay.changes(&session));
            Ok(())
        }
        Err(found) => tell(&laid.sources, &[*found]).and(Err(Trouble::Finding)),
    }
}
