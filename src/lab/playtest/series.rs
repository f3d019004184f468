//! Series of games as declared by `series` in the rules: the winner of a game begins the next one at a higher step.

use crate::cast;
use crate::threads::Threads;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use serde::Serialize;

use super::dropped::DroppedGame;
use super::run::{RunOutcome, RunPlan, WorkerTable, play_safely, script_host};
use super::stats::{IntegerSums, Mean, Share, wilson};
use super::table::{self, heading};
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;

/// For each seat the index of the value that it has of the option which the series raises.
pub type OptionSteps = Vec<usize>;

/// Compiles the rules of a game of the series for the values that the seats have reached.
pub type MakeRules<'a> = dyn Fn(&OptionSteps) -> Result<Arc<Ruleset>, Vec<Diagnostic>> + Sync + 'a;

/// Number of low bits of a game's number that count the games within its series; the others are the number of the series.
const GAME_NUMBER_BITS: u32 = 16;
/// Number of series that are played before their results are added up.
const SERIES_PER_FOLD: u64 = 64;

/// Sums over many series.
#[derive(Clone, Debug, Default)]
pub struct SeriesTally {
    /// Number of complete series.
    pub series: u64,
    /// Number of games of a series.
    pub games: IntegerSums,
    /// Minimum and maximum number of games of a series.
    pub extremes: Option<(u64, u64)>,
    /// Number of series won, by seat; the last game may have several winners.
    pub won: Vec<u64>,
    /// Number of games won, by seat.
    pub games_won: Vec<IntegerSums>,
}

/// The result of one series: number of games, winners, and games won by each seat.
struct SeriesResult {
    games: u64,
    won: Vec<usize>,
    games_won: Vec<i64>,
}

/// Plays `plan.games` series instead of games; the first game of each begins with the steps `first`. Faults of single games are in the
/// outcome, whose tally stays empty.
///
/// # Errors
/// Diagnostics of the rules of one of the games, or of its scripts.
pub fn run_series(
    plan: &RunPlan<'_>,
    first: &OptionSteps,
    rules: &MakeRules<'_>,
    stop: &AtomicBool,
    done: &mut dyn FnMut(u64),
) -> Result<(SeriesTally, RunOutcome), Vec<Diagnostic>> {
    let threads = Threads::start(plan.threads).map_err(|fault| vec![Diagnostic::error("G204", None, fault)])?;
    let players = plan.rules.players;
    let mut tally = SeriesTally { won: vec![0; players], games_won: vec![IntegerSums::default(); players], ..SeriesTally::default() };
    let mut outcome = RunOutcome::default();
    let known = RulesCache { rules, made: Mutex::default() };
    let mut next = 0;
    while next < plan.games && !stop.load(Ordering::Relaxed) {
        let numbers = next..plan.games.min(next + SERIES_PER_FOLD * threads.count() as u64);
        next = numbers.end;
        let ended: Vec<_> = threads.install(|| {
            let played = numbers.collect::<Vec<_>>().into_par_iter().with_max_len(1);
            played.map_init(HashMap::new, |tables, number| one_series(plan, first, &known, tables, number, stop)).collect()
        });
        for series in ended {
            match series? {
                Some(Ok(ended)) => tally.add(&ended),
                Some(Err(dropped)) => outcome.add_dropped(*dropped),
                None => {}
            }
        }
        done(next);
    }
    outcome.stopped = tally.series + outcome.dropped < plan.games;
    Ok((tally, outcome))
}

/// Compiled rules for each combination of values that the seats have reached.
struct RulesCache<'a> {
    rules: &'a MakeRules<'a>,
    made: Mutex<HashMap<OptionSteps, Arc<Ruleset>>>,
}

impl RulesCache<'_> {
    fn compiled_rules(&self, steps: &OptionSteps) -> Result<Arc<Ruleset>, Vec<Diagnostic>> {
        // A thread that panics leaves complete entries only.
        let mut made = self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(rules) = made.get(steps) {
            return Ok(Arc::clone(rules));
        }
        let rules = (self.rules)(steps)?;
        made.insert(steps.clone(), Arc::clone(&rules));
        Ok(rules)
    }
}

/// The tables of one thread, by steps.
type TablesBySteps = HashMap<OptionSteps, (Arc<Ruleset>, WorkerTable)>;

/// Plays one series; `None` if the run is stopped before its end.
fn one_series(
    plan: &RunPlan<'_>,
    first: &OptionSteps,
    known: &RulesCache<'_>,
    tables: &mut TablesBySteps,
    number: u64,
    stop: &AtomicBool,
) -> Result<Option<Result<SeriesResult, Box<DroppedGame>>>, Vec<Diagnostic>> {
    let last = plan.rules.series.as_ref().map_or(0, |(_, values)| values.len() - 1);
    let mut steps = first.clone();
    let mut ended = SeriesResult { games: 0, won: Vec::new(), games_won: vec![0; steps.len()] };
    loop {
        if !tables.contains_key(&steps) {
            let rules = known.compiled_rules(&steps)?;
            let table = WorkerTable::new(plan.agents, script_host(&rules)?);
            tables.insert(steps.clone(), (rules, table));
        }
        let Some((rules, table)) = tables.get_mut(&steps) else { return Ok(None) };
        let game = number << GAME_NUMBER_BITS | ended.games;
        match play_safely(&RunPlan { rules, ..plan.clone() }, table, game, stop, &|| script_host(rules)) {
            None => return Ok(None),
            Some(Err(dropped)) => return Ok(Some(Err(dropped))),
            Some(Ok(_)) => {}
        }
        ended.games += 1;
        for seat in table.game.store(rules).winners() {
            ended.games_won[seat] += 1;
            if steps[seat] == last {
                ended.won.push(seat);
            } else {
                steps[seat] += 1;
            }
        }
        if !ended.won.is_empty() {
            return Ok(Some(Ok(ended)));
        }
    }
}

impl SeriesTally {
    fn add(&mut self, ended: &SeriesResult) {
        self.series += 1;
        self.games.add(cast::fit::<i64>(ended.games));
        let (shortest, longest) = self.extremes.unwrap_or((ended.games, ended.games));
        self.extremes = Some((shortest.min(ended.games), longest.max(ended.games)));
        ended.won.iter().for_each(|&seat| self.won[seat] += 1);
        self.games_won.iter_mut().zip(&ended.games_won).for_each(|(sums, &games)| sums.add(games));
    }
}

// ------------------------------------------------------------------ report

/// The result of many series.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesReport {
    /// Id of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// The option that is raised, and its values.
    pub option: (String, Vec<String>),
    /// Seed of the run.
    pub seed: u64,
    /// Changes on the command line.
    pub changes: Vec<String>,
    /// Number of series requested.
    #[serde(rename = "asked")]
    pub requested: u64,
    /// Number of complete series.
    pub series: u64,
    /// Number of series dropped because of a fault.
    pub dropped: u64,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
    /// Number of games of a series.
    pub games: Mean,
    /// Minimum and maximum number of games of a series.
    pub extremes: Option<(u64, u64)>,
    /// Results by seat.
    pub by_seat: Vec<SeriesOfSeat>,
}

/// Results of one seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeriesOfSeat {
    /// Number of the seat, from 1.
    pub seat: usize,
    /// Agent at the seat.
    pub agent: String,
    /// The value of the option with which the seat begins a series.
    pub begins: String,
    /// Number of games won in a series.
    pub games_won: Mean,
    /// Share of series won.
    pub won: Share,
}

/// Creates the report of many series.
pub fn series_report(
    plan: &RunPlan<'_>,
    first: &OptionSteps,
    tally: &SeriesTally,
    outcome: &RunOutcome,
    changes: Vec<String>,
) -> SeriesReport {
    let option = plan.rules.series.clone().unwrap_or_default();
    let by_seat = first.iter().enumerate().zip(plan.agents).map(|((seat, &step), agent)| SeriesOfSeat {
        seat: seat + 1,
        agent: agent.to_string(),
        begins: option.1.get(step).cloned().unwrap_or_default(),
        games_won: tally.games_won[seat].mean(),
        won: wilson(tally.won[seat], tally.series, 1.0),
    });
    SeriesReport {
        by_seat: by_seat.collect(),
        game: plan.rules.game.clone(),
        title: plan.rules.title.clone(),
        option,
        seed: plan.seed,
        changes,
        requested: plan.games,
        series: tally.series,
        dropped: outcome.dropped,
        stopped: outcome.stopped,
        games: tally.games.mean(),
        extremes: tally.extremes,
    }
}

impl SeriesReport {
    /// Returns the report as text for a terminal.
    pub fn text(&self, color: bool) -> String {
        let (title, series, seed) = (&self.title, self.series, self.seed);
        let mut text = format!("{title}: {series} complete series, seed {seed}\n");
        if !self.changes.is_empty() {
            text.push_str(&table::wrapped(0, "changed: ", self.changes.iter().cloned()));
        }
        if self.stopped {
            text.push_str(&format!("stopped: {} series were asked for\n", self.requested));
        }
        if self.dropped > 0 {
            text.push_str(&format!("dropped because of a fault: {} series\n", self.dropped));
        }
        let Some((shortest, longest)) = self.extremes else { return text };
        let interval = self.games.interval.map_or(String::new(), |[low, high]| format!(" ({low:.2} to {high:.2})"));
        text.push_str(&format!("{:.2} games in a series{interval}, {shortest} to {longest}\n\n", self.games.mean));
        text.push_str(&heading("Series won", color));
        let mut rows = table::TextTable::new(1);
        rows.row(["", self.option.0.as_str(), "games won", "won", "share", "95% interval"]);
        for seat in &self.by_seat {
            let [low, high] = seat.won.interval.map(|end| end * 100.0);
            rows.row([
                format!("p{} {}", seat.seat, seat.agent),
                seat.begins.clone(),
                format!("{:.2}", seat.games_won.mean),
                crate::document::numbers::count(seat.won.count),
                format!("{:.1}%", seat.won.share * 100.0),
                format!("{low:.1} to {high:.1}%"),
            ]);
        }
        text.push_str(&rows.text(2));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::lang::Setup;
    use crate::playtest::RecordOptions;
    use crate::playtest::toy::toy_set_up;

    const SERIES: &str = "option lead = 0 to 2, default 0, for each player\nseries lead\n";

    fn play_toy_series(agents: &str, games: u64, threads: usize, first: [usize; 2]) -> SeriesTally {
        let rules = |steps: &OptionSteps| {
            let seat_options = steps.iter().enumerate().map(|(seat, step)| (seat, "lead".to_string(), step.to_string())).collect();
            Ok(Arc::new(toy_set_up(SERIES, &Setup { players: 2, seat_options, ..Setup::default() })))
        };
        let first = first.to_vec();
        let begun = rules(&first).unwrap();
        let agents = parse_agents(agents, 2).unwrap();
        let plan = RunPlan { rules: &begun, agents: &agents, games, seed: 3, threads, notes: RecordOptions::default() };
        let (tally, outcome) = run_series(&plan, &first, &rules, &AtomicBool::new(false), &mut |_| {}).unwrap();
        assert_eq!((tally.series, outcome.dropped, outcome.stopped), (games, 0, false));
        tally
    }

    #[test]
    fn a_series_lasts_until_somebody_wins_with_the_last_value() {
        let tally = play_toy_series("random", 60, 2, [0, 0]);
        let (shortest, longest) = tally.extremes.unwrap();
        // Three wins are enough, and among six games some seat has three.
        assert!(shortest >= 3 && longest <= 5 && shortest < longest, "{shortest} to {longest}");
        assert!(tally.won.iter().sum::<u64>() >= 60 && tally.won.iter().all(|&won| won > 10), "{:?}", tally.won);
        assert!(tally.games_won.iter().map(|won| won.sum).sum::<i64>() >= tally.games.sum);
        // A player who begins with the last value needs one win.
        let queue = play_toy_series("greedy,random", 20, 2, [2, 0]);
        assert!(queue.won[0] > 15 && queue.games.mean().mean < 1.5, "{queue:?}");
    }

    #[test]
    fn one_thread_and_three_play_the_same_series() {
        let (one, three) = (play_toy_series("random", 200, 1, [0, 1]), play_toy_series("random", 200, 3, [0, 1]));
        assert_eq!((one.games, one.won, one.games_won), (three.games, three.won, three.games_won));
    }
}
