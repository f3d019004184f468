//! Many games by machine players, as columns.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use houserule::agent::{AgentKind, parse_seats};
use houserule::engine::Ruleset;
use houserule::playtest::{Listener, PlayedGame, RecordOptions, RunPlan, run, script_host};
use houserule::source::Sources;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::rules::{Rules, told};
use crate::{Fault, InputError};

/// Gathers the single games, and hears Ctrl-C between them.
struct Gathered<'a> {
    players: usize,
    /// Game, seat, rank, points, rounds, decisions, then the rows of the score.
    numbers: Vec<Vec<i64>>,
    seeds: Vec<u64>,
    stop: &'a AtomicBool,
    interrupted: PyResult<()>,
}

impl Listener for Gathered<'_> {
    fn on_game(&mut self, number: u64, game: &PlayedGame) {
        for (seat, rows) in game.rows.iter().enumerate().take(self.players) {
            let rank = game.ranking.iter().position(|found| *found == seat).map_or(0, |place| place + 1);
            let known = [number as i64, seat as i64 + 1, rank as i64, game.points(seat), game.rounds as i64, game.decisions as i64];
            self.seeds.push(game.seed);
            self.numbers.iter_mut().zip(known.iter().chain(rows)).for_each(|(column, value)| column.push(*value));
        }
    }

    fn on_count(&mut self, _: u64) {
        if self.interrupted.is_ok() {
            self.interrupted = Python::attach(|python| python.check_signals());
            if self.interrupted.is_err() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// The machine players of all seats, who must suit all of these rules.
pub(crate) fn players_of(rules: &[&Ruleset], agents: &[String], time_limit: Option<f64>) -> PyResult<Vec<AgentKind>> {
    let wrong = |limit: f64| InputError::new_err(format!("`time_limit` is {limit}; it is a number of seconds above 0"));
    let limit = time_limit.map(|limit| Duration::try_from_secs_f64(limit).ok().filter(|time| !time.is_zero()).ok_or_else(|| wrong(limit)));
    let seats = rules.first().map_or(0, |rules| rules.players);
    let agents = parse_seats(agents, seats, limit.transpose()?).map_err(InputError::new_err)?;
    let suits = |agent: &AgentKind| rules.iter().try_for_each(|rules| agent.check_rules(rules));
    agents.iter().try_for_each(suits).map_err(InputError::new_err)?;
    Ok(agents)
}

/// What came of it: the seeds and the columns of numbers as bytes, the names of the agents by seat, and of dropped games number, seed and fault.
type Columns<'py> = (Bound<'py, PyBytes>, Vec<Bound<'py, PyBytes>>, Vec<String>, Vec<(u64, u64, u64, String)>);

/// Plays games and gives back their columns.
#[pyfunction]
pub fn columns<'py>(
    python: Python<'py>,
    rules: &Rules,
    games: u64,
    seed: u64,
    agents: Vec<String>,
    threads: usize,
    time_limit: Option<f64>,
) -> PyResult<Columns<'py>> {
    let agents = players_of(&[&rules.rules], &agents, time_limit)?;
    let plan = RunPlan { rules: &rules.rules, agents: &agents, games, seed, threads, notes: RecordOptions::default() };
    let stop = AtomicBool::new(false);
    let columns = 6 + rules.rules.score.len();
    let mut gathered =
        Gathered { players: rules.rules.players, numbers: vec![Vec::new(); columns], seeds: Vec::new(), stop: &stop, interrupted: Ok(()) };
    let outcome = python.detach(|| run(&plan, &|| script_host(&rules.rules), &stop, &mut gathered));
    gathered.interrupted?;
    let outcome = outcome.map_err(|faults| told(&Sources::new(), &faults))?;
    if outcome.stopped {
        // Nobody else stops it: a player has failed.
        let failed = outcome.faults.iter().find(|alike| alike.first.unanswered);
        let said = failed.map_or(String::new(), |alike| alike.first.fault.to_string());
        return Err(Fault::new_err(said));
    }
    let bytes = |column: &[i64]| PyBytes::new(python, &column.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<u8>>());
    let seeds = PyBytes::new(python, &gathered.seeds.iter().flat_map(|seed| seed.to_ne_bytes()).collect::<Vec<u8>>());
    let dropped = outcome.faults.iter().map(|alike| (alike.games, alike.first.game, alike.first.seed, alike.first.fault.to_string()));
    let names = agents.iter().map(ToString::to_string).collect();
    Ok((seeds, gathered.numbers.iter().map(|column| bytes(column)).collect(), names, dropped.collect()))
}
