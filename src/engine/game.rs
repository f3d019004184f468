//! A game: its state, and the memory that belongs to it.

use super::decision::{Decision, Opt, Question};
use super::flows::{Flow, FlowRecorder};
use super::idle::IdleRound;
use super::log::FixedChance;
use super::machine::{Machine, Memory};
use super::native::{self, Native};
use super::position::Position;
use super::ruleset::Ruleset;
use super::state::State;
use super::store::{Live, Store};
use super::trial;
use super::watch::Watch;
use crate::cast;
use houserule_state::chance::draw;
use houserule_state::layout::head;
use std::sync::Arc;

/// A game in progress. The state alone determines it; the memory holds values computed from the state, and is copied with it to save
/// computing them again.
#[derive(Debug, Default)]
pub struct Game {
    pub(crate) state: State,
    pub(crate) live: Live,
    pub(crate) memory: Memory,
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let mut game = Game::default();
        game.clone_from(self);
        game
    }

    /// Reuses the memory of the target, because search copies games often.
    fn clone_from(&mut self, source: &Game) {
        self.state.copy_from(&source.state, source.live.values.kept.position());
        self.live.copy_from(&source.live, source.state.in_simultaneous_block());
        self.memory.copy_from(&source.memory);
    }
}

impl Game {
    /// Evaluates expressions by generated code until the game is restarted, in this game and its copies; or walks, with `None`. What comes of it
    /// is the same.
    pub fn use_native(&mut self, rules: &Ruleset, native: Option<Arc<Native>>) {
        self.live.values.is_back_end_fixed = true;
        self.store(rules).switch_back_end(native);
    }

    /// Whether expressions are evaluated by generated code.
    pub fn is_native(&self) -> bool {
        self.live.values.kept.is_native()
    }

    /// Creates a new game with this seed, before set-up.
    pub fn new(rules: &Ruleset, seed: u64) -> Game {
        let mut game = Game::default();
        game.restart(rules, seed);
        game
    }

    /// Restarts as a new game, reusing the memory.
    pub fn restart(&mut self, rules: &Ruleset, seed: u64) {
        self.state.restart(rules, seed);
        self.memory.pending = None;
        self.live.idle = None;
        self.live.flows = None;
        self.live.values.view = Default::default();
        self.live.values.is_back_end_fixed = false;
        self.live.values.kept.switch_to(native::current(rules));
        self.on(rules).reset_caches();
        // Of what lasts for a while only this is not 0.
        let initial = rules.initial.iter().map(|&(cell, _)| cell);
        let of_seats = rules.seat_settings.iter().map(|&(seat, offset, _)| cast::low(cast::count(rules.layout.seat(seat, offset.into()))));
        self.live.dirty.note_begin(rules, initial.chain(of_seats));
        self.deal_decks(rules, seed);
    }

    /// Fills the decks. Their order sorts the pieces by hash(seed, deck, card, copy), so that adding a card does not change the relative
    /// order of the others.
    fn deal_decks(&mut self, rules: &Ruleset, seed: u64) {
        let sort_keys = &mut self.memory.scratch.sort_keys;
        for (home, pieces) in &rules.decks {
            let on_top = |index: usize| rules.top_definition == Some(rules.piece_definition[index]);
            let by_chance = |index: usize| draw(seed, rules.piece_stream[index], rules.piece_copy[index] as u64);
            let key = |index: usize| if on_top(index) { u64::MAX } else { by_chance(index) };
            sort_keys.clear();
            sort_keys.extend(pieces.iter().map(|&index| (key(index as usize), index)));
            sort_keys.sort_unstable();
            self.state.lay_deck(&rules.layout, *home as usize, sort_keys.iter().map(|&(_, index)| index));
        }
    }

    /// Joins the game with its rules to the machine that runs it.
    #[inline(always)]
    pub fn on<'a>(&'a mut self, rules: &'a Ruleset) -> Machine<'a> {
        let Game { state, live, memory } = self;
        Machine { store: Store { rules, state, live }, memory }
    }

    /// Joins the state with its rules, to read and change it.
    #[inline(always)]
    pub fn store<'a>(&'a mut self, rules: &'a Ruleset) -> Store<'a> {
        Store { rules, state: &mut self.state, live: &mut self.live }
    }

    /// Returns a read-only view of where cards lie and what seats have.
    #[inline(always)]
    pub fn position<'a>(&'a self, rules: &'a Ruleset) -> Position<'a> {
        Position::new(rules, &self.state)
    }

    /// Looks for rounds in which nothing happens, from the next round on. Copies of the game do not look for them.
    pub fn watch_idle_rounds(&mut self) {
        self.live.idle = Some(Box::default());
    }

    /// Returns the first round in which nothing happened, if such rounds are looked for and there was one.
    pub fn idle_round(&self) -> Option<IdleRound> {
        self.live.idle.as_ref()?.found
    }

    /// Records what seats gain and lose from now on, in a game that has just been restarted. Copies of the game do not record it.
    pub fn record_flows(&mut self, rules: &Ruleset) {
        self.live.flows = Some(Box::new(FlowRecorder::new(rules)));
    }

    /// Ends the record of what seats gained and lost, and returns it; empty if there was none.
    pub fn take_flows(&mut self) -> Vec<Flow> {
        self.live.flows.take().map_or_else(Vec::new, |recorder| recorder.into_flows())
    }

    /// Begins a trial: all that happens to the game until [`Game::take_back`] can be undone, at a cost that grows with what happens. Trials can
    /// be within each other. Returns false where it cannot be, as while a log is kept or in a simultaneous block of a game that is walked: then a
    /// copy can be tried.
    pub fn begin_trial(&mut self, rules: &Ruleset) -> bool {
        trial::begin(self, rules)
    }

    /// Undoes all that has happened since the last trial began that was not taken back; does nothing if there is none.
    pub fn take_back(&mut self, rules: &Ruleset) {
        trial::take_back(self, rules);
    }

    // ------------------------------------------------------------------ the state

    /// Returns the state of the game.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the current cells, also while a question is open.
    pub fn cells(&self) -> &[i32] {
        self.state.cells()
    }

    /// Returns a hash of the whole state: every cell, and nothing else.
    pub fn hash(&self) -> u64 {
        self.state.hash()
    }

    /// Returns the whole state, in the format that [`Machine::load`] reads.
    pub fn save(&self) -> Vec<i32> {
        self.state.save()
    }

    /// Returns the game's seed.
    pub fn seed(&self) -> u64 {
        self.state.seed()
    }

    /// Returns the round, from 1; 0 during set-up.
    pub fn round(&self) -> i32 {
        self.state.round()
    }

    /// Returns the number of turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.state.turn()
    }

    /// Whether the game has ended.
    pub fn finished(&self) -> bool {
        self.state.finished()
    }

    /// Whether a simultaneous block is running.
    pub fn in_simultaneous_block(&self) -> bool {
        self.state.in_simultaneous_block()
    }

    /// Returns a number of the running simultaneous block if no seat learns there what the others answer: that of all answers given before.
    pub fn secret_block(&self, rules: &Ruleset) -> Option<i32> {
        let is_secret = self.state.in_secret_block(rules.layout.len);
        is_secret.then(|| self.state.snapshot()[head::DECISIONS])
    }

    /// Returns the index of the part of the program that runs or comes next.
    pub fn program_part(&self) -> usize {
        self.state.program_part()
    }

    // ------------------------------------------------------------------ the open question

    /// Returns the open question.
    pub fn decision(&self) -> Option<&Decision> {
        self.memory.pending.as_ref()
    }

    /// Whether the open question arose inside an effect, and is not the choice of an action in a turn.
    pub fn asks_in_effect(&self) -> bool {
        self.decision().is_some_and(|decision| !matches!(decision.question, Question::Turn(_)))
    }

    /// Returns the index of the option of the open question with this key in words. The prefix `choose` may be left out.
    pub fn find_option(&self, rules: &Ruleset, key: &str) -> Option<usize> {
        let decision = self.decision()?;
        let exact = decision.options.iter().position(|option: &Opt| option.text(rules) == key);
        exact.or_else(|| decision.options.iter().position(|option| option.matches_key(rules, key)))
    }

    /// Drops the open question of a turn, so that something else can run first. Returns whether no question is open now: a question inside
    /// an effect stays.
    pub fn drop_turn(&mut self) -> bool {
        if !self.asks_in_effect() {
            self.memory.pending = None;
        }
        self.memory.pending.is_none()
    }

    // ------------------------------------------------------------------ the log

    /// Starts to keep a log.
    pub fn keep_log(&mut self) {
        self.live.log.keep();
    }

    /// Returns the lines of the log.
    pub fn log(&self) -> &[String] {
        self.live.log.lines()
    }

    /// Returns the lines of the log from an index on, as a seat may read them: unknown cards are not named.
    pub fn log_for(&self, seat: usize, from: usize) -> impl Iterator<Item = &str> {
        self.live.log.lines_for(seat, from)
    }

    /// Starts to record automatic answers: those given because there was only one option.
    pub fn record_automatic_answers(&mut self) {
        self.live.log.automatic_answers = Some(Vec::new());
    }

    /// Returns the recorded automatic answers, each with its seat.
    pub fn automatic_answers(&self) -> &[(u8, Opt)] {
        self.live.log.automatic_answers.as_deref().unwrap_or(&[])
    }

    /// Discards the recorded automatic answers.
    pub fn clear_automatic_answers(&mut self) {
        if let Some(taken) = &mut self.live.log.automatic_answers {
            taken.clear();
        }
    }

    // ------------------------------------------------------------------ random results fixed by a scenario

    /// Returns the random results that a scenario has fixed.
    pub fn fixed_chance(&self) -> &FixedChance {
        &self.live.log.fixed
    }

    /// Returns the random results that a scenario has fixed, to add more.
    pub fn fixed_chance_mut(&mut self) -> &mut FixedChance {
        &mut self.live.log.fixed
    }

    // ------------------------------------------------------------------ hidden information

    /// Starts to record whether anything is read that a seat does not know. A copy of the game is not watched.
    pub fn watch(&mut self, seat: usize) {
        self.live.values.watch = Watch::for_seat(seat);
    }

    /// Does the same as [`Game::watch`], but a hidden value counts as unknown until it is shown, even if the seat could work it out.
    pub fn watch_sight(&mut self, seat: usize) {
        self.live.values.watch = Watch::for_sight_of(seat);
    }

    /// Whether anything unknown to the watched seat was read since the last call.
    pub fn take_read_hidden(&self) -> bool {
        self.live.values.watch.take()
    }
}

impl Machine<'_> {
    /// Swaps the game of this machine with another game of the same rules.
    pub fn swap(&mut self, game: &mut Game) {
        std::mem::swap(self.store.state, &mut game.state);
        std::mem::swap(self.store.live, &mut game.live);
        std::mem::swap(self.memory, &mut game.memory);
    }

    /// Returns the lines of the log.
    pub fn log(&self) -> &[String] {
        self.store.live.log.lines()
    }

    /// Returns the open question.
    pub fn decision(&self) -> Option<&Decision> {
        self.memory.pending.as_ref()
    }
}
