//! What a seat can see of a game, and states that it can imagine.
//!
//! Agents do not get the game itself but a [`View`]: a state without the seed, in which everything unknown to the seat has a canonical
//! order. Permuting hidden cards changes no view. [`View::imagine`] shuffles the unknown cards among the slots where they may lie.

use super::decision::{Decision, Fault};
use super::env::ReadView;
use super::game::Game;
use super::imagined_values::{hide_knowledge, imagine_values, number_within};
use super::locals::imagine_private;
use super::machine::Machine;
use super::native;
use super::reader::Reader;
use super::ruleset::Ruleset;
use super::scripts::Scripts;
use super::shuffle::{Shuffle, keep_common_clues};
use super::state::{State, hide_answers};
use crate::cast;
use houserule_state::chance::draw;
use houserule_state::layout::{BOX, head, piece};

/// The number that [`Game::observe`] gives in place of what a seat does not know.
pub const UNSEEN: i32 = -1;

/// What a seat knows of a state: the state without secrets and without the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The seat that sees the state.
    pub seat: usize,
    /// The open question, if this seat must answer it.
    pub decision: Option<Decision>,
    state: State,
}

/// Whether rules write counters on hidden cards.
pub fn writes_hidden_counters(rules: &Ruleset) -> bool {
    (0..cast::fit::<u16>(rules.places.len())).any(|place| rules.hidden.written_in(place).next().is_some())
}

/// Returns the view through which a seat reads a state.
fn view_for(state: &State, seat: usize) -> ReadView {
    if state.in_simultaneous_block() { ReadView::OwnCurrent(cast::seat(seat)) } else { ReadView::Current }
}

impl Game {
    /// Returns the view of the seat that must answer; `None` if no question is open.
    pub fn view(&self, rules: &Ruleset) -> Option<View> {
        Some(self.view_of(rules, self.decision()?.seat))
    }

    /// Returns the view of any seat, also when the game is over.
    pub fn view_of(&self, rules: &Ruleset, seat: usize) -> View {
        let mut decision = self.decision().filter(|decision| decision.seat == seat).cloned();
        let mut state = self.state.clone();
        hide_answers(&mut state, rules.layout.len, seat);
        let (cells, snapshot) = state.parts_mut();
        let mut shuffle = Shuffle::default();
        shuffle.canonicalize(rules, (cells, snapshot), seat);
        decision.iter_mut().for_each(|decision| decision.replace_cards(rules, |card| shuffle.replacement(card)));
        View { seat, decision, state }
    }

    /// Reads a cell in the view of the running frame, or of a [`View::position`].
    #[inline]
    pub fn cell(&self, rules: &Ruleset, index: usize) -> i32 {
        Reader::new(rules, &self.state, self.live.values.view).cell(index)
    }

    /// Lists the state as any seat sees it, as a vector of fixed length, for learning agents. [`UNSEEN`] replaces unknown cards with their
    /// counters, and the slots where they lie. During a simultaneous block, the other seats are read from the snapshot.
    pub fn observe(&self, rules: &Ruleset, seat: usize) -> Vec<i32> {
        let reader = Reader::new(rules, &self.state, view_for(&self.state, seat));
        let layout = &rules.layout;
        let mut seen: Vec<i32> = (0..layout.len).map(|cell| reader.cell(cell)).collect();
        seen[head::SEED_LOW..=head::SEED_HIGH].fill(0);
        for card in 0..layout.pieces {
            let known = layout.piece(card, piece::KNOWN);
            seen[known] &= 1 << seat;
            keep_common_clues(rules, &mut seen, seat, card);
            let first = match (seen[known], rules.sees_counters(&seen, seat, card)) {
                (0, _) => 0,
                (_, false) => piece::COUNTERS,
                (_, true) => continue,
            };
            seen[layout.piece(card, first)..layout.piece(card, layout.piece_size)].fill(UNSEEN);
        }
        let before = self.state.snapshot();
        for (secret, owner) in rules.secrets_and_owners() {
            let sees = |cells: &[i32]| cells.is_empty() || rules.sees_secret(cells, seat, (secret, owner));
            if !(sees(&seen) && sees(before)) {
                seen[rules.cells_of_secret(secret, owner)].fill(UNSEEN);
            }
        }
        let mut known = Vec::new();
        hide_knowledge(rules, &seen, seat, &mut |cell, value| known.push((cell, value)));
        known.into_iter().for_each(|(cell, value)| seen[cell] = value);
        for slot in layout.places[BOX + 1..].iter().flat_map(|place| (1..=place.room as usize).map(|slot| place.base as usize + slot)) {
            let card = usize::try_from(seen[slot] - 1).ok();
            if card.is_some_and(|card| seen[layout.piece(card, piece::KNOWN)] == UNSEEN) {
                seen[slot] = UNSEEN;
            }
        }
        seen
    }

    /// Whether two seats know the same of this state: nothing lies where only some see it, and nothing was shown to one of them alone.
    pub fn is_known_alike(&self, rules: &Ruleset, [a, b]: [usize; 2]) -> bool {
        let hides = rules.places.iter().any(|place| place.hidden) || !rules.secrets.is_empty();
        let known = |card: usize| self.state.cells()[rules.layout.piece(card, piece::KNOWN)];
        let told = |card: usize, seat: usize| rules.clues.iter().map(move |clue| self.state.cells()[rules.clue_cell(clue, card, seat)]);
        let is_alike = |card: usize| (known(card) >> a ^ known(card) >> b) & 1 == 0 && told(card, a).eq(told(card, b));
        a == b || !hides && !self.state.in_secret_block(rules.layout.len) && (0..rules.layout.pieces).all(is_alike)
    }

    /// Turns `into` into a state that the seat which must answer can imagine, at the same question with the same options. The result is the
    /// same as [`View::imagine`] of its view, but faster: cached values that do not depend on unknown cards are kept. Does nothing while no
    /// question is open.
    pub fn imagine(&self, rules: &Ruleset, random: u64, into: &mut Game) {
        let Some(seat) = self.decision().map(|decision| decision.seat) else { return };
        let mut shuffle = std::mem::take(&mut into.memory.scratch.shuffle);
        into.clone_from(self);
        into.store(rules).take_up_code();
        into.live.log = Default::default();
        hide_answers(&mut into.state, rules.layout.len, seat);
        let (cells, snapshot) = into.state.parts_mut();
        shuffle.imagine(rules, (cells, snapshot), seat, random);
        into.memory.pending.iter_mut().for_each(|decision| decision.replace_cards(rules, |card| shuffle.replacement(card)));
        let mut store = into.store(rules);
        for &(cell, value) in &shuffle.writes {
            store.state.log_mut().note(cell, value);
            store.note_written(cell as usize);
        }
        // Cards with entries may lie in hidden places.
        let speak_unseen = !shuffle.moved.is_empty() && rules.places.iter().any(|place| place.hidden && place.in_play);
        store.live.values.active.stale |= speak_unseen;
        if store.state.in_simultaneous_block() || speak_unseen {
            store.invalidate_values();
            store.state.begin_log_anew(rules.layout.len);
        }
        imagine_private(&mut store, seat);
        into.memory.scratch.shuffle = shuffle;
    }
}

impl Machine<'_> {
    /// Loads a saved state, and runs to its open question.
    ///
    /// # Errors
    /// The numbers are no state of these rules, or a fault while the game is resumed.
    pub fn load(&mut self, scripts: &mut dyn Scripts, saved: &[i32]) -> Result<(), Fault> {
        let stack_start = self.store.stack_start();
        let parts = saved.split_first().and_then(|(&len, rest)| rest.split_at_checked(usize::try_from(len).ok()?));
        let (cells, snapshot) = parts.unwrap_or_default();
        self.load_cells(cells, snapshot);
        if !self.store.live.values.is_back_end_fixed {
            // The game may have been one of other rules.
            self.store.live.values.kept.switch_to(native::current(self.store.rules));
        }
        if !self.store.state.frames_are_sound(self.store.rules) || !snapshot.is_empty() && snapshot.len() < stack_start {
            let count = saved.len();
            self.swap(&mut Game::new(self.store.rules, 0));
            return Err(Fault::new(format!(
                "the saved state of {count} cells is none of these rules, which have {stack_start}; replay its option keys instead"
            )));
        }
        self.resume_from_cells(scripts)
    }

    /// Loads cells of another game of the same rules, to read them; no question is listed.
    pub fn load_position(&mut self, cells: &[i32]) {
        self.load_cells(cells, &[]);
        self.store.live.values.view = ReadView::Current;
        self.reset_caches();
    }

    fn load_cells(&mut self, cells: &[i32], snapshot: &[i32]) {
        self.store.state.load(cells, snapshot);
        self.memory.pending = None;
    }

    /// Permutes what a seat does not know: for the property test that this changes no view.
    pub fn permute_hidden(&mut self, seat: usize, random: u64) {
        self.order_hidden(seat, |card| draw(random, 1, card as u64));
    }

    /// Changes secret counters that a seat does not see, and the seed: for the property test that this changes nothing shown to the seat.
    pub fn change_secrets(&mut self, seat: usize, random: u64) {
        let rules = self.store.rules;
        for card in 0..rules.layout.pieces {
            let place = rules.layout.places[self.store.position().place_of(card).0].declared;
            if self.store.position().sees_counters(seat, card) {
                continue;
            }
            let (cells, snapshot) = self.store.state.parts_mut();
            for (number, written) in (0..).zip(rules.hidden.written_in(place)) {
                let value = number_within(written.range, draw(random, number, card as u64));
                let cell = rules.layout.piece(card, written.offset as usize);
                cells[cell] = value;
                if let Some(before) = snapshot.get_mut(cell) {
                    *before = value;
                }
            }
        }
        let seed = cast::halves(draw(random, u64::MAX, 0));
        let (cells, snapshot) = self.store.state.parts_mut();
        for cells in [cells, snapshot].into_iter().filter(|cells| !cells.is_empty()) {
            let mut found = Vec::new();
            imagine_values(rules, cells, seat, Some(random), &mut |cell, value| found.push((cell, value)));
            found.into_iter().for_each(|(cell, value)| cells[cell] = value);
            [cells[head::SEED_LOW], cells[head::SEED_HIGH]] = seed;
        }
        self.reset_caches();
    }

    fn order_hidden(&mut self, seat: usize, order: impl Fn(usize) -> u64) {
        let (cells, snapshot) = self.store.state.parts_mut();
        let mut shuffle = Shuffle::default();
        shuffle.permute_by(self.store.rules, (cells, snapshot), seat, &order);
        let rules = self.store.rules;
        self.memory.pending.iter_mut().for_each(|decision| decision.replace_cards(rules, |card| shuffle.replacement(card)));
        self.reset_caches();
    }
}

impl View {
    /// Turns `into` into a playable state that this seat can imagine: unknown cards are shuffled among the slots where they may lie, and
    /// future random results differ.
    ///
    /// # Errors
    /// A fault while the question is listed.
    pub fn imagine(&self, rules: &Ruleset, scripts: &mut dyn Scripts, random: u64, into: &mut Game) -> Result<(), Fault> {
        into.state.copy_from(&self.state, usize::MAX);
        let (cells, snapshot) = into.state.parts_mut();
        Shuffle::default().imagine(rules, (cells, snapshot), self.seat, random);
        into.live.log = Default::default();
        let mut machine = into.on(rules);
        machine.reset_caches();
        imagine_private(&mut machine.store, self.seat);
        machine.resume_from_cells(scripts)
    }

    /// Loads what this seat sees into a game, to read it: during a simultaneous block, the other seats are as in the snapshot. Unknown
    /// cards lie in an order that depends on `order`; no question is listed.
    pub fn position(&self, rules: &Ruleset, order: u64, into: &mut Game) {
        into.state.copy_from(&self.state, usize::MAX);
        into.memory.pending = None;
        into.on(rules).permute_hidden(self.seat, order);
        into.live.values.view = view_for(&self.state, self.seat);
    }

    /// Does the same as [`View::position`], with unknown cards in the order of their indices, rotated by `steps`. Over all rotations, each
    /// unknown card lies in each slot where it may lie.
    pub fn position_moved_on(&self, rules: &Ruleset, steps: usize, into: &mut Game) {
        self.position(rules, 0, into);
        let pieces = rules.layout.pieces.max(1);
        into.on(rules).order_hidden(self.seat, |card| ((card + steps) % pieces) as u64);
    }

    /// Returns the number of the round.
    pub fn round(&self) -> i32 {
        self.state.round()
    }

    /// Returns the number of turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.state.turn()
    }

    /// Returns the cells that this seat sees.
    pub fn cells(&self) -> &[i32] {
        self.state.cells()
    }
}
