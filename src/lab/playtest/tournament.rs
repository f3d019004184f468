//! Every kind of player against every other: who wins how often, how strong that makes each of them, and how long they think.
//!
//! Each two kinds share tables, in every seating that gives them as many seats or one more; each deal is played twice, the second time
//! with the seats swapped, so that whatever a seat or a deal is worth both have had it.

use crate::cast;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::prelude::*;

mod rating;
mod report;

pub use rating::{Rating, Record, ratings};
pub use report::{Bout, Rated, Tournament, tournament_report};

use super::dropped::Dropped;
use super::measure::Notes;
use super::run::{MakeScripts, Outcome, Plan, Table, play_safely};
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::state::chance::{hash_text, join};

/// Who meets whom, and how often.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The kinds of players, each once.
    pub agents: &'a [AgentKind],
    /// Deals for each two kinds; each is played twice.
    pub deals: u64,
    /// Seed of the run.
    pub seed: u64,
    /// How many threads; 0 for one on each core.
    pub threads: usize,
}

impl Field<'_> {
    /// Each two kinds, by their numbers.
    fn meetings(&self) -> Vec<(usize, usize)> {
        let kinds = self.agents.len();
        (0..kinds).flat_map(|first| (first + 1..kinds).map(move |second| (first, second))).collect()
    }

    /// The seed of the deals of two kinds: the same whoever else takes part.
    fn seed_of(&self, (first, second): (usize, usize)) -> u64 {
        join(self.seed, hash_text(&format!("{} meets {}", self.agents[first], self.agents[second])))
    }
}

/// What came of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// How often who won, for each two kinds that met.
    pub records: Vec<Record>,
    /// How long each kind thought, and about how many questions with at least two options.
    pub thought: Vec<(Duration, u64)>,
    /// Games that met a fault, or players only in thought, and how many games were cut off.
    pub lost: Outcome,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// The seatings in which the first kind has half of the seats, or one less than the other: a bit for each of its seats.
fn seatings(players: usize) -> Vec<u32> {
    let half = cast::fit::<u32>(players / 2);
    (0..1 << players).filter(|seating: &u32| seating.count_ones() == half).collect()
}

/// What one deal brought, if it met no fault.
#[derive(Default)]
struct Dealt {
    /// For each of its two games how many seats the first kind had, and what share of the win.
    games: Vec<(usize, f64)>,
    /// A hash of how they went.
    went: u64,
    /// What else there is to say of them, if there is anything.
    besides: Option<Box<Outcome>>,
}

type Deal = Result<Dealt, Box<Dropped>>;

/// Plays all games, or those that are done when `stop` is set.
///
/// # Errors
/// What is wrong with the scripts.
pub fn tournament(
    field: &Field<'_>,
    scripts: &MakeScripts<'_>,
    stop: &AtomicBool,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Results, Vec<Diagnostic>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(field.threads).build();
    let pool = pool.map_err(|fault| vec![Diagnostic::error("G204", None, format!("cannot start threads: {fault}"))])?;
    let meetings = field.meetings();
    let deals: Vec<(usize, u64)> = (0..meetings.len()).flat_map(|meeting| (0..field.deals).map(move |deal| (meeting, deal))).collect();
    let counted = AtomicU64::new(0);
    let thought: Vec<[AtomicU64; 2]> = field.agents.iter().map(|_| Default::default()).collect();
    let played: Vec<Result<Option<Deal>, Vec<Diagnostic>>> = pool.install(|| {
        let one = |host: &mut Host, &(meeting, deal): &(usize, u64)| {
            let found = host.deal(field, meetings[meeting], deal, scripts, stop, &thought)?;
            done(counted.fetch_add(2, Ordering::Relaxed) + 2);
            Ok(found)
        };
        deals.par_iter().with_max_len(2).map_init(Host::default, one).collect()
    });
    let mut results =
        Results { records: meetings.iter().map(|&(first, second)| Record::new(first, second)).collect(), ..Results::default() };
    for ((meeting, _), found) in deals.into_iter().zip(played) {
        match found? {
            Some(Ok(Dealt { games, went, besides })) => {
                results.records[meeting].add(&games, field.rules.players, went);
                besides.iter().for_each(|besides| results.lost.merge(besides));
            }
            Some(Err(dropped)) => results.lost.drop(*dropped),
            None => results.stopped = true,
        }
    }
    let total = |[nanos, count]: &[AtomicU64; 2]| (Duration::from_nanos(nanos.load(Ordering::Relaxed)), count.load(Ordering::Relaxed));
    results.thought = thought.iter().map(total).collect();
    Ok(results)
}

/// What one thread plays with: a table at which two kinds can sit in any order.
#[derive(Default)]
struct Host {
    table: Option<((usize, usize), Table)>,
}

impl Host {
    /// Plays a deal twice; nothing if the run is stopped before its end.
    fn deal(
        &mut self,
        field: &Field<'_>,
        (first, second): (usize, usize),
        deal: u64,
        scripts: &MakeScripts<'_>,
        stop: &AtomicBool,
        thought: &[[AtomicU64; 2]],
    ) -> Result<Option<Deal>, Vec<Diagnostic>> {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let rules = field.rules;
        let players = rules.players;
        let kinds: Vec<AgentKind> = [first, second].iter().flat_map(|&kind| vec![field.agents[kind].clone(); players]).collect();
        let mut table = match self.table.take() {
            Some((meeting, table)) if meeting == (first, second) => table,
            Some(_) | None => Table::watched(&kinds, scripts()?),
        };
        let plan =
            Plan { rules, agents: &kinds, games: field.deals, seed: field.seed_of((first, second)), threads: 1, notes: Notes::default() };
        let seatings = seatings(players);
        let seating = seatings[cast::fit::<usize>(deal % seatings.len() as u64)];
        let mut dealt = Dealt::default();
        for swapped in [false, true] {
            let of_first = |seat: usize| (seating >> seat & 1 == 1) != swapped;
            table.sit((0..players).map(|seat| if of_first(seat) { seat } else { players + seat }).collect());
            let ended = play_safely(&plan, &mut table, deal, stop, scripts);
            match ended {
                Some(Ok(played)) => {
                    let winners = table.game.on(rules).winners();
                    let won = winners.iter().filter(|&&seat| of_first(seat)).count() as f64 / winners.len() as f64;
                    if played.cut_off || !played.avoided.is_empty() {
                        let besides = dealt.besides.get_or_insert_default();
                        besides.avoid(deal, &played);
                        besides.tally.cut_off += u64::from(played.cut_off);
                    }
                    dealt.went = join(dealt.went, played.went);
                    dealt.games.push(((0..players).filter(|&seat| of_first(seat)).count(), won));
                }
                // What a panic may have left half done is not used again: the table is not put back.
                Some(Err(dropped)) => return Ok(Some(Err(dropped))),
                None => return Ok(None),
            }
        }
        for (agent, (time, count)) in table.thought().into_iter().enumerate() {
            let [nanos, questions] = &thought[if agent < players { first } else { second }];
            nanos.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
            questions.fetch_add(count, Ordering::Relaxed);
        }
        self.table = Some(((first, second), table));
        Ok(Some(Ok(dealt)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::NoScripts;
    use crate::playtest::toy::toy;

    fn played(players: usize, threads: usize, deals: u64) -> Results {
        let rules = toy(players);
        let agents = parse_agents("random,greedy:2,greedy", 3).unwrap();
        let field = Field { rules: &rules, agents: &agents, deals, seed: 7, threads };
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
            let (one, three) = (played(players, 1, 30), played(players, 3, 30));
            assert_eq!(one.records, three.records);
            assert!(one.records.iter().all(|record| record.games() == 60) && one.lost.dropped == 0 && !one.stopped);
            let rated = ratings(3, &one.records);
            assert!(rated[1].points > 200.0 && rated[2].points > 200.0, "{rated:?}");
            assert!(one.thought.iter().all(|(time, count)| *count > 0 && *time > Duration::ZERO));
        }
    }

    #[test]
    fn whoever_else_takes_part_changes_no_record() {
        let rules = toy(2);
        let agents = parse_agents("greedy:2,greedy", 2).unwrap();
        let field = Field { rules: &rules, agents: &agents, deals: 30, seed: 7, threads: 2 };
        let alone = tournament(&field, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &|_| ()).unwrap();
        let (alone, among) = (&alone.records[0], &played(2, 2, 30).records[2]);
        assert_eq!((alone.games(), alone.won()), (among.games(), among.won()));
    }
}
