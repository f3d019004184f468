//! Round-robin tournaments of agents: win rates, ratings, and thinking times.
//!
//! Each two agents meet in every seating that gives them equally many seats, or differs by one seat. Each deal is played twice, the
//! second time with the seats swapped, so that luck of seats and cards is shared equally.

use crate::cast;
use crate::threads::Threads;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;

mod rating;
mod report;

pub use rating::{HeadToHead, Rating, ratings};
pub use report::{PairingResult, RatedAgent, Tournament, tournament_report};

use super::dropped::DroppedGame;
use super::measure::RecordOptions;
use super::merge::Merge;
use super::run::{MakeScripts, RunOutcome, RunPlan, WorkerTable, play_safely};
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::state::chance::{hash_text, join};

/// The parameters of a tournament.
#[derive(Clone, Debug)]
pub struct TournamentPlan<'a> {
    /// Rules of the game.
    pub rules: &'a Ruleset,
    /// Agents, each once.
    pub agents: &'a [AgentKind],
    /// Number of deals for each two agents; each deal is played twice.
    pub deals: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Number of threads; 0 for one on each core.
    pub threads: usize,
}

/// The results of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Results of each two agents that met.
    pub records: Vec<HeadToHead>,
    /// For each agent its thinking time and the number of questions with at least two options.
    pub thinking_times: Vec<(Duration, u64)>,
    /// Faults of the games or of sampled states, and the number of games that were cut off.
    pub faults: RunOutcome,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
}

/// Returns the seatings in which the first agent has half of the sides, rounded down, as bit sets of its sides: of its seats, or of its
/// teams.
fn seatings(sides: usize) -> Vec<u32> {
    let half = cast::fit::<u32>(sides / 2);
    (0..1 << sides).filter(|seating: &u32| seating.count_ones() == half).collect()
}

/// The results of one deal without a fault.
#[derive(Default)]
struct DealOutcome {
    /// For each of its two games the first agent's number of seats and its share of the win.
    games: Vec<(usize, f64)>,
    /// A hash of all answers in both games.
    course_hash: u64,
    /// For both agents the thinking time and the number of questions.
    thinking_times: [(Duration, u64); 2],
    /// Faults in sampled states and games cut off, if there are any.
    extra: Option<Box<RunOutcome>>,
}

type DealResult = Result<DealOutcome, Box<DroppedGame>>;

/// Plays all games, or those that end before `stop` is set.
///
/// # Errors
/// Diagnostics of the scripts.
pub fn tournament(
    field: &TournamentPlan<'_>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Results, Vec<Diagnostic>> {
    let threads = Threads::start(field.threads).map_err(|fault| vec![Diagnostic::error("G204", None, fault)])?;
    let kinds = field.agents.len();
    let pairings = (0..kinds).flat_map(|first| (first + 1..kinds).map(move |second| HeadToHead::new(first, second)));
    let mut results = Results { records: pairings.collect(), thinking_times: vec![Default::default(); kinds], ..Results::default() };
    let records = &results.records;
    let deals: Vec<(usize, u64)> = (0..records.len()).flat_map(|meeting| (0..field.deals).map(move |deal| (meeting, deal))).collect();
    let counted = AtomicU64::new(0);
    let played: Vec<Result<Option<DealResult>, Vec<Diagnostic>>> = threads.install(|| {
        let one = |table: &mut Option<_>, &(meeting, deal): &(usize, u64)| {
            let found = play_deal(field, &records[meeting], deal, table, scripts, stop)?;
            done(counted.fetch_add(2, Ordering::Relaxed) + 2);
            Ok(found)
        };
        deals.par_iter().with_max_len(2).map_init(|| None, one).collect()
    });
    for ((meeting, _), found) in deals.into_iter().zip(played) {
        let record = &mut results.records[meeting];
        match found? {
            Some(Ok(dealt)) => {
                record.add(&dealt.games, field.rules.players, dealt.course_hash);
                for (agent, (time, questions)) in [record.first, record.second].into_iter().zip(dealt.thinking_times) {
                    results.thinking_times[agent].0 += time;
                    results.thinking_times[agent].1 += questions;
                }
                dealt.extra.iter().for_each(|extra| results.faults.merge(extra));
            }
            Some(Err(dropped)) => results.faults.add_dropped(*dropped),
            None => results.stopped = true,
        }
    }
    Ok(results)
}

/// Plays a deal of two agents twice; `None` if the run is stopped before its end. The table is kept for the next deal of the same agents.
fn play_deal(
    field: &TournamentPlan<'_>,
    pairing: &HeadToHead,
    deal: u64,
    kept: &mut Option<([usize; 2], WorkerTable)>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
) -> Result<Option<DealResult>, Vec<Diagnostic>> {
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let (rules, meeting) = (field.rules, [pairing.first, pairing.second]);
    let players = rules.players;
    let agents: Vec<AgentKind> = meeting.iter().flat_map(|&kind| vec![field.agents[kind].clone(); players]).collect();
    // State that may be inconsistent after a panic is not used again: the table is kept only if both games end.
    let mut table = match kept.take() {
        Some((of, table)) if of == meeting => table,
        Some(_) | None => WorkerTable::measuring_time(&agents, scripts()?),
    };
    // The deals of two agents do not depend on who else takes part.
    let seed = join(field.seed, hash_text(&format!("{} meets {}", field.agents[pairing.first], field.agents[pairing.second])));
    let plan = RunPlan { rules, agents: &agents, games: field.deals, seed, threads: 1, notes: RecordOptions::default() };
    let seatings = seatings(rules.side_count());
    let seating = seatings[cast::fit::<usize>(deal % seatings.len() as u64)];
    let mut dealt = DealOutcome::default();
    for swapped in [false, true] {
        let of_first = |seat: usize| (seating >> rules.side(seat) & 1 == 1) != swapped;
        table.assign_seats((0..players).map(|seat| if of_first(seat) { seat } else { players + seat }).collect());
        let played = match play_safely(&plan, &mut table, deal, stop, scripts) {
            Some(Ok(played)) => played,
            Some(Err(dropped)) => return Ok(Some(Err(dropped))),
            None => return Ok(None),
        };
        let winners = table.game.store(rules).winners();
        let won = winners.iter().filter(|&&seat| of_first(seat)).count() as f64 / winners.len() as f64;
        if played.cut_off || !played.avoided.is_empty() {
            let extra = dealt.extra.get_or_insert_default();
            extra.add_avoided(deal, &played);
            extra.tally.cut_off += u64::from(played.cut_off);
        }
        dealt.course_hash = join(dealt.course_hash, played.course_hash);
        dealt.games.push(((0..players).filter(|&seat| of_first(seat)).count(), won));
    }
    for (agent, (time, questions)) in table.take_thinking_time().into_iter().enumerate() {
        let all = &mut dealt.thinking_times[usize::from(agent >= players)];
        *all = (all.0 + time, all.1 + questions);
    }
    *kept = Some((meeting, table));
    Ok(Some(Ok(dealt)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::NoScripts;
    use crate::playtest::toy::toy;

    fn play_toy_tournament(players: usize, threads: usize, deals: u64) -> Results {
        let rules = toy(players);
        let agents = parse_agents("random,greedy:2,greedy", 3).unwrap();
        let field = TournamentPlan { rules: &rules, agents: &agents, deals, seed: 7, threads };
        tournament(&field, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &|_| ()).unwrap()
    }

    #[test]
    fn each_two_kinds_have_every_seat_alike() {
        assert_eq!(seatings(2), [0b01, 0b10]);
        assert_eq!(seatings(4).len(), 6);
        for players in 2..=4 {
            let all = seatings(players);
            let swapped = all.iter().map(|seating| !seating & ((1 << players) - 1));
            let seats = |seat: usize| all.iter().copied().chain(swapped.clone()).filter(|seating| seating >> seat & 1 == 1).count();
            assert!((0..players).all(|seat| seats(seat) == all.len()));
        }
    }

    #[test]
    fn threads_make_no_difference_and_the_greedy_one_is_stronger() {
        for players in [2, 3] {
            let (one, three) = (play_toy_tournament(players, 1, 30), play_toy_tournament(players, 3, 30));
            assert_eq!(one.records, three.records);
            assert!(one.records.iter().all(|record| record.games() == 60) && one.faults.dropped == 0 && !one.stopped);
            let rated = ratings(3, &one.records);
            assert!(rated[1].points > 200.0 && rated[2].points > 200.0, "{rated:?}");
            assert!(one.thinking_times.iter().all(|(time, count)| *count > 0 && *time > Duration::ZERO));
        }
    }

    #[test]
    fn whoever_else_takes_part_changes_no_record() {
        let rules = toy(2);
        let agents = parse_agents("greedy:2,greedy", 2).unwrap();
        let field = TournamentPlan { rules: &rules, agents: &agents, deals: 30, seed: 7, threads: 2 };
        let alone = tournament(&field, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &|_| ()).unwrap();
        let (alone, among) = (&alone.records[0], &play_toy_tournament(2, 2, 30).records[2]);
        assert_eq!((alone.games(), alone.won()), (among.games(), among.won()));
    }
}
