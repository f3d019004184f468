//! Plays games as they are, and those in which a card came up once more with that card blanked.

use crate::cast;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::super::compare::Pairs;
use super::super::distinct::Distinct;
use super::super::dropped::Dropped;
use super::super::measure::{Notes, Played};
use super::super::run::{Listener, MakeScripts, Outcome, Plan, Table, play_safely, run};
use crate::diagnostic::Diagnostic;
use crate::engine::{Ruleset, Scripts};
use crate::state::chance::join;

/// What makes a worker's own scripts for the rules with a card blanked.
pub type MakeHost<'a> = dyn Fn(&Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> + Sync + 'a;

/// So many games of a card are played by one thread at a stretch.
const CHUNK: usize = 32;

/// Which cards are blanked, and how.
pub struct Blanked<'a> {
    /// Whether it is asked what a definition does.
    pub wanted: &'a (dyn Fn(u32) -> bool + Sync),
    /// The rules with a definition blanked.
    pub rules: &'a (dyn Fn(u32) -> Result<Ruleset, Vec<Diagnostic>> + Sync),
    /// Whether the card lies on top of its deck in both games of a pair, so that it comes up as early as it can.
    pub early: bool,
    /// Scripts for them.
    pub scripts: &'a MakeHost<'a>,
    /// Hears how many games have been played once more, and of how many.
    pub done: &'a (dyn Fn(u64, u64) + Sync),
}

/// What pairs of games say of a card; of each the blanked one is the plain side.
#[derive(Clone, Debug, Default)]
pub struct CardPairs {
    /// Its definition.
    pub definition: u32,
    /// Games that were to be played once more.
    pub asked: u64,
    /// Whether all of them were, or a fault met: the run was not stopped before.
    pub whole: bool,
    /// Games in which it came up, played with it as it is and blanked.
    pub games: u64,
    /// Which of these pairs are different.
    pub different: Distinct,
    /// Games that somebody begins with it.
    pub begun: u64,
    /// Mean points of all players.
    pub all: Pairs,
    /// Of how many games there is a seat that had to do with it before they parted.
    pub of_seat: u64,
    /// Points of that seat.
    pub points: Pairs,
    /// What that seat won of the game.
    pub won: Pairs,
}

/// A game as it was.
struct Plain {
    number: u64,
    game: Played,
}

/// The games of a run that are complete.
#[derive(Default)]
struct Kept(Vec<Plain>);

impl Listener for Kept {
    fn game(&mut self, number: u64, game: &Played) {
        self.0.push(Plain { number, game: game.clone() });
    }

    fn done(&mut self, _: u64) {}
}

/// Plays the games of a plan, and for each card that is wanted those in which it came up once more without what it does. A game in which it
/// stayed where it began would be the same again, and its difference 0: it is not played, and not counted. Where cards are to come up early,
/// the games of the plan are played once more for each, with that card on top of its deck.
///
/// What is done when `stop` is set is kept.
///
/// # Errors
/// What is wrong with rules or scripts.
pub fn blanked_games(
    plan: &Plan<'_>,
    scripts: &MakeScripts<'_>,
    blanked: &Blanked<'_>,
    stop: &AtomicBool,
) -> Result<(Outcome, Vec<CardPairs>), Vec<Diagnostic>> {
    let plan = Plan { notes: Notes { trace: true, ..plan.notes }, ..plan.clone() };
    let mut kept = Kept::default();
    let mut outcome = run(&plan, scripts, stop, &mut kept)?;
    let definitions: Vec<u32> = (0..cast::fit::<u32>(plan.rules.definitions.len())).filter(|card| (blanked.wanted)(*card)).collect();
    let games_of: Vec<(u32, Vec<&Plain>)> = definitions
        .into_iter()
        .map(|card| (card, kept.0.iter().filter(|plain| blanked.early || came_up(&plain.game, card)).collect::<Vec<_>>()))
        .filter(|(_, games)| !games.is_empty())
        .collect();
    let times = if blanked.early { 2 } else { 1 };
    let of = games_of.iter().map(|(_, games)| times * games.len() as u64).sum();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build();
    let pool = pool.map_err(|fault| vec![Diagnostic::error("G204", None, format!("cannot start threads: {fault}"))])?;
    let replays = Replays { plan: &plan, blanked, stop, played: AtomicU64::new(0), of };
    let cards: Vec<OfCard> =
        pool.install(|| games_of.par_iter().with_max_len(1).map(|(card, games)| replays.of_card(*card, games)).collect::<Result<_, _>>())?;
    let mut found = Vec::new();
    for (pairs, dropped) in cards {
        found.push(pairs);
        dropped.into_iter().for_each(|dropped| outcome.drop(*dropped));
    }
    Ok((outcome, found))
}

fn came_up(game: &Played, definition: u32) -> bool {
    game.trace.as_ref().is_some_and(|trace| trace.came_up(definition))
}

/// Of a card what its pairs say, and which games met a fault while it was blanked, or lay on top.
type OfCard = (CardPairs, Vec<Box<Dropped>>);
/// A game by its number, as it was played.
type Again = (u64, Result<Box<Played>, Box<Dropped>>);

/// Games that are played once more.
struct Replays<'a> {
    plan: &'a Plan<'a>,
    blanked: &'a Blanked<'a>,
    stop: &'a AtomicBool,
    played: AtomicU64,
    of: u64,
}

impl Replays<'_> {
    fn of_card(&self, definition: u32, games: &[&Plain]) -> Result<OfCard, Vec<Diagnostic>> {
        let (mut pairs, mut dropped) = (CardPairs { definition, asked: games.len() as u64, ..CardPairs::default() }, Vec::new());
        if self.stop.load(Ordering::Relaxed) {
            return Ok((pairs, dropped));
        }
        let mut rules = (self.blanked.rules)(definition)?;
        let early = if self.blanked.early {
            rules.on_top = Some(definition);
            self.early(definition, games, &mut |fault| dropped.push(fault))?
        } else {
            Vec::new()
        };
        let plain: Vec<&Plain> = if self.blanked.early { early.iter().collect() } else { games.to_vec() };
        let numbers: Vec<u64> = plain.iter().map(|plain| plain.number).collect();
        let again = self.again(&Arc::new(rules), &numbers)?;
        pairs.whole = again.len() == numbers.len() && !(self.blanked.early && self.stop.load(Ordering::Relaxed));
        for (plain, (_, blank)) in plain.into_iter().zip(again) {
            match blank {
                Ok(blank) => pairs.add(&plain.game, &blank),
                Err(fault) => dropped.push(fault),
            }
        }
        Ok((pairs, dropped))
    }

    /// The games with the card as it is, and on top of its deck; those in which it comes up so.
    fn early(&self, definition: u32, games: &[&Plain], lost: &mut dyn FnMut(Box<Dropped>)) -> Result<Vec<Plain>, Vec<Diagnostic>> {
        let rules = Arc::new(Ruleset { on_top: Some(definition), ..self.plan.rules.clone() });
        let numbers: Vec<u64> = games.iter().map(|plain| plain.number).collect();
        let mut found = Vec::new();
        for (number, game) in self.again(&rules, &numbers)? {
            match game {
                Ok(game) if came_up(&game, definition) => found.push(Plain { number, game: *game }),
                // It is not blanked then: nothing would differ.
                Ok(_) => self.count(),
                Err(fault) => lost(fault),
            }
        }
        Ok(found)
    }

    /// Plays games by these rules, in the order of their numbers, whichever thread has played them; as many as there is time for.
    fn again(&self, rules: &Arc<Ruleset>, numbers: &[u64]) -> Result<Vec<Again>, Vec<Diagnostic>> {
        let chunks: Vec<Vec<Again>> = numbers.par_chunks(CHUNK).map(|numbers| self.chunk(rules, numbers)).collect::<Result<_, _>>()?;
        // A run that is stopped keeps what is done, up to the first game that is not.
        let mut whole = true;
        let mut found = Vec::new();
        for (chunk, asked) in chunks.into_iter().zip(numbers.chunks(CHUNK)) {
            if whole {
                whole = chunk.len() == asked.len();
                found.extend(chunk);
            }
        }
        Ok(found)
    }

    fn chunk(&self, rules: &Arc<Ruleset>, numbers: &[u64]) -> Result<Vec<Again>, Vec<Diagnostic>> {
        let plan = Plan { rules, notes: Notes { trace: true, ..Notes::default() }, ..self.plan.clone() };
        let mut table = Table::new(plan.agents, (self.blanked.scripts)(rules)?);
        let mut found = Vec::new();
        for &number in numbers {
            let ended = play_safely(&plan, &mut table, number, self.stop, &|| (self.blanked.scripts)(rules));
            let Some(ended) = ended else { break };
            found.push((number, ended));
            self.count();
        }
        Ok(found)
    }

    fn count(&self) {
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        (self.blanked.done)(played, self.of);
    }
}

impl CardPairs {
    fn add(&mut self, plain: &Played, blank: &Played) {
        self.games += 1;
        self.different.add(join(plain.went, blank.went));
        self.begun += u64::from(plain.beginners(self.definition).next().is_some());
        let mean = |game: &Played| (0..game.rows.len()).map(|seat| game.points(seat) as f64).sum::<f64>() / game.rows.len().max(1) as f64;
        self.all.add(mean(blank), mean(plain));
        let Some(seat) = seat_of(self.definition, plain, blank) else { return };
        self.of_seat += 1;
        self.points.add(blank.points(seat) as f64, plain.points(seat) as f64);
        let won = |game: &Played| game.won(seat).games();
        self.won.add(won(blank), won(plain));
    }
}

/// The one seat that begins with a card, or else the first to name it in an answer, if up to then both games are the same.
fn seat_of(definition: u32, plain: &Played, blank: &Played) -> Option<usize> {
    let (of_plain, of_blank) = (plain.trace.as_ref()?, blank.trace.as_ref()?);
    let mut begins = plain.beginners(definition).filter(|_| of_plain.begins_as(of_blank));
    match begins.next() {
        Some(seat) => begins.all(|other| other == seat).then_some(seat),
        None => of_plain.first_to_name(of_blank, definition),
    }
}
