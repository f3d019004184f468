//! A game: its state, and what is kept beside it.

use super::decision::{Decision, Opt, Question};
use super::flow;
use super::log::FixedDraw;
use super::machine::{Machine, Memory};
use super::position::Position;
use super::ruleset::Ruleset;
use super::state::State;
use super::watch::Watch;
use houserule_state::chance::draw;

/// A game in progress, as sessions and agents keep and copy it. Its state is all that it is; the memory beside it is worked out from that, and
/// is copied with it so that nothing has to be worked out twice.
#[derive(Debug, Default)]
pub struct Game {
    pub(crate) state: State,
    pub(crate) memory: Memory,
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let mut game = Game::default();
        game.clone_from(self);
        game
    }

    /// Search copies games all the time: the memory of the target is used again.
    fn clone_from(&mut self, source: &Game) {
        self.state.copy_from(&source.state);
        self.memory.copy_from(&source.memory, source.state.acts_at_once());
    }
}

impl Game {
    /// A new game with this seed, before set-up.
    pub fn new(rules: &Ruleset, seed: u64) -> Game {
        let mut game = Game::default();
        game.restart(rules, seed);
        game
    }

    /// Begins a new game in the memory of this one.
    pub fn restart(&mut self, rules: &Ruleset, seed: u64) {
        self.state.restart(rules, seed);
        self.memory.pending = None;
        self.memory.values.view = Default::default();
        self.on(rules).forget();
        self.deal_decks(rules, seed);
    }

    /// A deck's order is its pieces sorted by hash(seed, deck, card, copy): a card added leaves the others' relative order.
    fn deal_decks(&mut self, rules: &Ruleset, seed: u64) {
        let keyed = &mut self.memory.scratch.keyed;
        for (home, pieces) in &rules.decks {
            let on_top = |index: usize| rules.on_top == Some(rules.piece_definition[index]);
            let by_chance = |index: usize| draw(seed, rules.piece_stream[index], rules.piece_copy[index] as u64);
            let key = |index: usize| if on_top(index) { u64::MAX } else { by_chance(index) };
            keyed.clear();
            keyed.extend(pieces.iter().map(|&index| (key(index as usize), index)));
            keyed.sort_unstable();
            self.state.lay_deck(&rules.layout, *home as usize, keyed.iter().map(|&(_, index)| index));
        }
    }

    /// The game at work under its rules: whatever runs, changes or values something is said of that.
    #[inline(always)]
    pub fn on<'a>(&'a mut self, rules: &'a Ruleset) -> Machine<'a> {
        Machine { rules, state: &mut self.state, memory: &mut self.memory, consequence: flow::run_native }
    }

    /// Where everything lies.
    #[inline(always)]
    pub fn position<'a>(&'a self, rules: &'a Ruleset) -> Position<'a> {
        Position::new(rules, &self.state)
    }

    // ------------------------------------------------------------------ the state

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The cells as they stand now, at the open question too.
    pub fn cells(&self) -> &[i32] {
        self.state.cells()
    }

    /// A hash of the whole state: every cell, and nothing else.
    pub fn hash(&self) -> u64 {
        self.state.hash()
    }

    /// The whole state, for saving.
    pub fn save(&self) -> Vec<i32> {
        self.state.save()
    }

    /// The game's seed.
    pub fn seed(&self) -> u64 {
        self.state.seed()
    }

    /// The round, from 1; 0 during set-up.
    pub fn round(&self) -> i32 {
        self.state.round()
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.state.turn()
    }

    /// Whether the game has ended.
    pub fn finished(&self) -> bool {
        self.state.finished()
    }

    /// Whether a block is under way in which all act at once.
    pub fn acts_at_once(&self) -> bool {
        self.state.acts_at_once()
    }

    /// The part of the program that runs or comes next.
    pub fn program_at(&self) -> usize {
        self.state.program_at()
    }

    // ------------------------------------------------------------------ the open question

    /// The open question.
    pub fn decision(&self) -> Option<&Decision> {
        self.memory.pending.as_ref()
    }

    /// Whether the open question stands in the middle of something, and not at the beginning of an action.
    pub fn asks_inside(&self) -> bool {
        self.decision().is_some_and(|decision| !matches!(decision.question, Question::Turn(_)))
    }

    /// The option with this key in words, among those open now. `choose` may stand before the words of an answer, or be left out.
    pub fn find_option(&self, rules: &Ruleset, key: &str) -> Option<usize> {
        let decision = self.decision()?;
        let exact = decision.options.iter().position(|option: &Opt| option.text(rules) == key);
        exact.or_else(|| decision.options.iter().position(|option| option.is_called(rules, key)))
    }

    /// Drops the open question of a turn, so that something else can be run first; a question in the middle of something stays.
    pub fn drop_turn(&mut self) -> bool {
        if !self.asks_inside() {
            self.memory.pending = None;
        }
        self.memory.pending.is_none()
    }

    // ------------------------------------------------------------------ what is told

    /// Keeps a log from now on.
    pub fn keep_log(&mut self) {
        self.memory.log.keep();
    }

    /// What was logged.
    pub fn log(&self) -> &[String] {
        self.memory.log.lines()
    }

    /// What was logged from a line on, as a seat may read it: cards that it does not know are not named.
    pub fn log_for(&self, seat: usize, from: usize) -> impl Iterator<Item = &str> {
        self.memory.log.lines_for(seat, from)
    }

    /// Remembers from now on what is taken unasked.
    pub fn keep_taken(&mut self) {
        self.memory.log.taken = Some(Vec::new());
    }

    /// What was taken unasked, with its seat.
    pub fn taken(&self) -> &[(u8, Opt)] {
        self.memory.log.taken.as_deref().unwrap_or(&[])
    }

    /// Forgets what was taken unasked.
    pub fn forget_taken(&mut self) {
        if let Some(taken) = &mut self.memory.log.taken {
            taken.clear();
        }
    }

    // ------------------------------------------------------------------ chance that a scenario fixes

    /// What falls next, die by die, before chance goes on: each a bit set of classes. It comes behind what was fixed before.
    pub fn fix_rolls(&mut self, faces: &[u64]) {
        self.memory.log.falls.splice(0..0, faces.iter().rev().copied());
    }

    /// How many faces that were fixed have not fallen yet.
    pub fn fixed_rolls(&self) -> usize {
        self.memory.log.falls.len()
    }

    /// Which tokens are taken next where they are taken at random, before chance goes on: each a bit set of classes. It comes behind what was
    /// fixed before.
    pub fn fix_takes(&mut self, tokens: &[u64]) {
        self.memory.log.takes.splice(0..0, tokens.iter().rev().copied());
    }

    /// How many tokens that were fixed have not been taken yet.
    pub fn fixed_takes(&self) -> usize {
        self.memory.log.takes.len()
    }

    /// Which card is drawn next from a deck, behind those that were fixed before it.
    pub fn fix_draw(&mut self, card: usize, deck: usize) {
        self.memory.log.draws.push(FixedDraw { card, deck, came: false });
    }

    /// The draws that were fixed, in that order, with whether they have come.
    pub fn fixed_draws(&self) -> &[FixedDraw] {
        &self.memory.log.draws
    }

    // ------------------------------------------------------------------ what a seat does not know

    /// Notes from now on whether anything is read that a seat does not know. A copy of the game is not watched.
    pub fn watch(&mut self, seat: usize) {
        self.memory.values.watch = Watch::of(seat);
    }

    /// Whether anything has been read that the seat does not know since it is watched, or since this was asked last.
    pub fn take_read_hidden(&self) -> bool {
        self.memory.values.watch.take()
    }
}

impl Machine<'_> {
    /// Exchanges the game that this one works on with another of the same rules.
    pub fn swap(&mut self, game: &mut Game) {
        std::mem::swap(self.state, &mut game.state);
        std::mem::swap(self.memory, &mut game.memory);
    }

    /// What was logged.
    pub fn log(&self) -> &[String] {
        self.memory.log.lines()
    }

    /// The open question.
    pub fn decision(&self) -> Option<&Decision> {
        self.memory.pending.as_ref()
    }

    /// Whether anything has been read that the seat for whom the game is watched does not know since this was asked last.
    pub fn take_read_hidden(&self) -> bool {
        self.memory.values.watch.take()
    }
}
