//! `houserule playtest --game`: plays one game of a run again and writes its replay.

use super::super::faults::{fault_diagnostic, or_show};
use super::super::output::{OutputFile, print, show_diagnostics, usage_error};
use super::super::result::CommandResult;
use super::super::run::Run;
use crate::engine::{Fault, Game};
use crate::spec::SideSettings;
use crate::state::chance::seed_of_game;
use crate::table::{AnswerFailure, Replay, SeatPlayer, SeatedSession, Session, Start, StopReason};

/// Plays the game of this number again and writes its replay.
pub(super) fn write(run: &Run<'_>, number: u64, path: &str) -> CommandResult {
    let (rules, sources, games) = (&run.sides.plain.rules, &run.sides.sources, run.spec.run.games);
    if number >= games {
        return usage_error(format!("`--game {number}`: the games of {games} are numbered from 0 to {}", games.saturating_sub(1)));
    }
    let out = OutputFile::open(path)?;
    let quiet = out.is_terminal();
    let seed = seed_of_game(run.spec.run.seed, number);
    let SideSettings { packs, with, options, deal, .. } = run.spec.typed.sides.first().cloned().unwrap_or_default();
    let start = Start { game: run.spec.run.game.clone(), players: rules.players, seed, options, deal, with, packs, from: None };
    let seat_players: Vec<SeatPlayer> = run.agents().iter().cloned().map(SeatPlayer::Machine).collect();
    let mut session = or_show(sources, Session::new(rules, Game::new(rules, seed)))?;
    let report_fault = |fault: &Fault, count: usize| show_diagnostics(sources, &[fault_diagnostic(fault, seed, count)]);
    if let Err(failed) = session.start(&[]) {
        return report_fault(&failed.fault, 0);
    }
    let mut table = match SeatedSession::new(session, seat_players.clone()) {
        Ok(table) => table,
        Err(failed) => return report_fault(&failed.fault, 0),
    };
    let mut stopped = Ok(());
    while table.is_agent_asked() {
        if let Err(found) = table.let_agent_answer() {
            // The replay up to the fault is written all the same.
            let (StopReason::Failed(AnswerFailure { fault, .. }, _) | StopReason::Player(fault)) = found;
            stopped = report_fault(&fault, table.session.answers().len() + 1);
            break;
        }
    }
    table.end_game();
    out.write_text(&Replay::text_of(&start, &seat_players, &table.session))?;
    if !quiet {
        let count = table.session.answers().len();
        let end = if table.session.game().finished() { "to its end" } else { "up to the fault" };
        print(&format!("game {number}, its seed {seed}: {count} answers, {end}; `houserule replay {path}` shows it\n"));
    }
    stopped
}
