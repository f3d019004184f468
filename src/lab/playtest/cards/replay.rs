//! Plays games normally, and repeats those in which a card came up with the card blanked.

use crate::cast;
use crate::threads::Threads;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::super::compare::Pairs;
use super::super::distinct::DistinctSketch;
use super::super::dropped::DroppedGame;
use super::super::measure::{PlayedGame, RecordOptions};
use super::super::run::{Listener, MakeScripts, PlayResult, RunOutcome, RunPlan, WorkerTable, play_safely, run};
use super::beside::{self, InitialCards};
use super::guide::Guide;
use crate::agent::AgentKind;
use crate::diagnostic::Diagnostic;
use crate::engine::native::share_code;
use crate::engine::{Ruleset, Scripts};
use crate::state::chance::join;

/// Creates a thread's script host for rules with a blanked card.
pub type MakeBlankedScripts<'a> = dyn Fn(&Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> + Sync + 'a;

/// Number of games of one card that a thread plays before it takes others.
const GAMES_PER_BATCH: usize = 32;

/// Which cards are blanked, and how.
pub struct BlankingPlan<'a> {
    /// Whether the card with this definition was asked for.
    pub is_wanted: &'a (dyn Fn(u32) -> bool + Sync),
    /// Whether blanking the card would take something away.
    pub can_be_blanked: &'a (dyn Fn(u32) -> bool + Sync),
    /// Compiles the rules with a definition blanked.
    pub rules: &'a (dyn Fn(u32) -> Result<Ruleset, Vec<Diagnostic>> + Sync),
    /// Whether the card is placed on top of its deck in both games of a pair, so that it comes up as early as possible.
    pub early: bool,
    /// Creates script hosts for the blanked rules.
    pub scripts: &'a MakeBlankedScripts<'a>,
    /// Called with the number of repeated games that are done, and the total.
    pub on_progress: &'a (dyn Fn(u64, u64) + Sync),
}

/// Results of the games in which one card came up, each played twice: as it is, and with the card blanked (the plain side).
#[derive(Clone, Debug, Default)]
pub struct BlankedCardResults {
    /// Index of the definition.
    pub definition: u32,
    /// Number of games to be repeated.
    pub games_requested: u64,
    /// Whether all of these games were played or met a fault, that is, the run was not stopped before.
    pub is_complete: bool,
    /// Number of games in which the card came up, played both normally and blanked.
    pub games: u64,
    /// Number of distinct pairs of games among these.
    pub different: DistinctSketch,
    /// Number of games in which a seat begins with the card.
    pub begun: u64,
    /// Points of all seats, averaged over the seats of a game.
    pub points_of_all: Pairs,
    /// Number of games with a measured seat: one that used the card before the games diverged.
    pub of_seat: u64,
    /// Points of the measured seat.
    pub points: Pairs,
    /// Share of the win of the measured seat.
    pub won: Pairs,
}

/// The results of a run with single cards blanked.
#[derive(Debug, Default)]
pub struct BlankedGames {
    /// The original games.
    pub outcome: RunOutcome,
    /// Results of the cards that were blanked.
    pub cards: Vec<BlankedCardResults>,
    /// Sums of the cards with which players begin, which are compared with each other instead.
    pub initial: InitialCards,
}

/// A game played with the original rules.
struct OriginalGame {
    number: u64,
    game: PlayedGame,
}

/// Collects the complete games of a run.
impl Listener for Vec<OriginalGame> {
    fn on_game(&mut self, number: u64, game: &PlayedGame) {
        self.push(OriginalGame { number, game: game.clone() });
    }
}

/// Plays the games of a plan, and repeats those in which a requested card came up with this card blanked. A game in which the card stayed
/// in its initial place would be unchanged, so that it is neither repeated nor counted. With `early_games` the games are played once more for
/// each card with the card on top of its deck.
///
/// Games finished before `stop` is set are kept.
///
/// # Errors
/// Diagnostics of the blanked rules or their scripts.
pub fn blanked_games(
    plan: &RunPlan<'_>,
    scripts: &MakeScripts<'_>,
    blanked: &BlankingPlan<'_>,
    stop: &AtomicBool,
) -> Result<BlankedGames, Vec<Diagnostic>> {
    let plan = RunPlan { notes: RecordOptions { trace: true, states: true, ..plan.notes }, ..plan.clone() };
    let mut played: Vec<OriginalGame> = Vec::new();
    let mut outcome = run(&plan, scripts, stop, &mut played)?;
    let mut initial = InitialCards::new();
    played.iter().for_each(|plain| beside::add_game(plan.rules, &plain.game, &mut initial));
    initial.retain(|card, _| (blanked.is_wanted)(*card));
    // Who has a blank one plays with next to nothing.
    let is_compared = |card: &u32| {
        let games = played.iter().filter(|plain| came_up(&plain.game, *card)).count() as u64;
        initial.get(card).is_some_and(|sums| 2 * sums.games > games)
    };
    let definitions: Vec<u32> = (0..cast::fit::<u32>(plan.rules.definitions.len()))
        .filter(|card| (blanked.is_wanted)(*card) && (blanked.can_be_blanked)(*card) && !is_compared(card))
        .collect();
    // A card that only some players begin with is compared where it is blanked.
    initial.retain(|card, _| !definitions.contains(card));
    let games_of: Vec<(u32, Vec<&OriginalGame>)> = definitions
        .into_iter()
        .map(|card| (card, played.iter().filter(|plain| blanked.early || came_up(&plain.game, card)).collect::<Vec<_>>()))
        .filter(|(_, games)| !games.is_empty())
        .collect();
    let times = if blanked.early { 2 } else { 1 };
    let of = games_of.iter().map(|(_, games)| times * games.len() as u64).sum();
    let threads = Threads::start(plan.threads).map_err(|fault| vec![Diagnostic::error("G204", None, fault)])?;
    let replays = ReplayRunner { plan: &plan, blanked, stop, played: AtomicU64::new(0), of };
    let repeated: Vec<ResultsAndDropped> = threads
        .install(|| games_of.par_iter().with_max_len(1).map(|(card, games)| replays.of_card(*card, games)).collect::<Result<_, _>>())?;
    let (cards, dropped): (Vec<_>, Vec<_>) = repeated.into_iter().unzip();
    dropped.into_iter().flatten().for_each(|dropped| outcome.add_dropped(dropped));
    Ok(BlankedGames { outcome, cards, initial })
}

fn came_up(game: &PlayedGame, definition: u32) -> bool {
    game.trace.as_ref().is_some_and(|trace| trace.came_up(definition))
}

/// The results for one card, and the games that met a fault while the card was blanked or on top of its deck.
type ResultsAndDropped = (BlankedCardResults, Vec<DroppedGame>);

/// The parameters of repeated games.
struct ReplayRunner<'a> {
    plan: &'a RunPlan<'a>,
    blanked: &'a BlankingPlan<'a>,
    stop: &'a AtomicBool,
    played: AtomicU64,
    of: u64,
}

impl ReplayRunner<'_> {
    fn of_card(&self, definition: u32, games: &[&OriginalGame]) -> Result<ResultsAndDropped, Vec<Diagnostic>> {
        let mut results = BlankedCardResults { definition, games_requested: games.len() as u64, ..BlankedCardResults::default() };
        let mut dropped = Vec::new();
        if self.stop.load(Ordering::Relaxed) {
            return Ok((results, dropped));
        }
        let mut rules = (self.blanked.rules)(definition)?;
        share_code(self.plan.rules, &rules);
        let early;
        let plain: Vec<&OriginalGame> = if self.blanked.early {
            rules.top_definition = Some(definition);
            early = self.early_games(definition, games, &mut dropped)?;
            early.iter().collect()
        } else {
            games.to_vec()
        };
        let again = self.play_again(&Arc::new(rules), Some(definition), &plain)?;
        results.is_complete = again.len() == plain.len() && !(self.blanked.early && self.stop.load(Ordering::Relaxed));
        for (plain, blank) in plain.into_iter().zip(again) {
            match blank {
                Ok(blank) => results.add(&plain.game, &blank),
                Err(fault) => dropped.push(*fault),
            }
        }
        Ok((results, dropped))
    }

    /// Plays the games again with the original card on top of its deck; games in which the card does not come up are left out.
    fn early_games(
        &self,
        definition: u32,
        games: &[&OriginalGame],
        dropped: &mut Vec<DroppedGame>,
    ) -> Result<Vec<OriginalGame>, Vec<Diagnostic>> {
        let rules = Arc::new(Ruleset { top_definition: Some(definition), ..self.plan.rules.clone() });
        let mut found = Vec::new();
        for (original, game) in games.iter().zip(self.play_again(&rules, None, games)?) {
            match game {
                Ok(game) if came_up(&game, definition) => found.push(OriginalGame { number: original.number, game: *game }),
                // The blanked game is not played, since nothing would differ.
                Ok(_) => self.count(),
                Err(fault) => dropped.push(*fault),
            }
        }
        Ok(found)
    }

    /// Plays games with these rules, in which a card is blanked; the results are in the order of `games`. If the run is stopped, later games
    /// are missing.
    fn play_again(&self, rules: &Arc<Ruleset>, blank: Option<u32>, games: &[&OriginalGame]) -> Result<Vec<PlayResult>, Vec<Diagnostic>> {
        let batches = games.par_chunks(GAMES_PER_BATCH);
        let played: Vec<Vec<PlayResult>> = batches.map(|games| self.play_batch(rules, blank, games)).collect::<Result<_, _>>()?;
        // A stopped run keeps the games before the first one that is missing.
        let whole = played.iter().zip(games.chunks(GAMES_PER_BATCH)).take_while(|(played, asked)| played.len() == asked.len()).count();
        Ok(played.into_iter().take(whole + 1).flatten().collect())
    }

    fn play_batch(&self, rules: &Arc<Ruleset>, blank: Option<u32>, games: &[&OriginalGame]) -> Result<Vec<PlayResult>, Vec<Diagnostic>> {
        // Only games with the original card are gone by.
        let notes = RecordOptions { trace: true, states: blank.is_none(), ..RecordOptions::default() };
        let plan = RunPlan { rules, notes, ..self.plan.clone() };
        let mut table = WorkerTable::new(plan.agents, (self.blanked.scripts)(rules)?);
        // Who searches foresees cards that nobody has seen, and a program of the user's has to be asked everything.
        let may_follow = plan.agents.iter().all(|agent| match agent {
            AgentKind::Random | AgentKind::Greedy { .. } => true,
            AgentKind::Search { .. } | AgentKind::Exec { .. } => false,
        });
        let play = |original: &&OriginalGame| {
            let known = original.game.trace.as_ref().zip(blank).filter(|_| may_follow);
            table.follow(known.map(|(trace, card)| Guide::new(trace, rules, card)));
            let ended = play_safely(&plan, &mut table, original.number, self.stop, &|| (self.blanked.scripts)(rules));
            ended.inspect(|_| self.count())
        };
        Ok(games.iter().map_while(play).collect())
    }

    fn count(&self) {
        let played = self.played.fetch_add(1, Ordering::Relaxed) + 1;
        (self.blanked.on_progress)(played, self.of);
    }
}

impl BlankedCardResults {
    fn add(&mut self, plain: &PlayedGame, blank: &PlayedGame) {
        self.games += 1;
        self.different.add(join(plain.course_hash, blank.course_hash));
        self.begun += u64::from(plain.beginners(self.definition).next().is_some());
        let mean =
            |game: &PlayedGame| (0..game.rows.len()).map(|seat| game.points(seat) as f64).sum::<f64>() / game.rows.len().max(1) as f64;
        self.points_of_all.add(mean(blank), mean(plain));
        let Some(seat) = measured_seat(self.definition, plain, blank) else { return };
        self.of_seat += 1;
        self.points.add(blank.points(seat) as f64, plain.points(seat) as f64);
        let won = |game: &PlayedGame| game.won(seat).games();
        self.won.add(won(blank), won(plain));
    }
}

/// Returns the only seat that begins with the card, or else the first one that names it in an answer, if both games are equal up to that
/// answer.
fn measured_seat(definition: u32, plain: &PlayedGame, blank: &PlayedGame) -> Option<usize> {
    let (of_plain, of_blank) = (plain.trace.as_ref()?, blank.trace.as_ref()?);
    let mut begins = plain.beginners(definition).filter(|_| of_plain.begins_like(of_blank));
    match begins.next() {
        Some(seat) => begins.all(|other| other == seat).then_some(seat),
        None => of_plain.first_to_name(of_blank, definition),
    }
}
