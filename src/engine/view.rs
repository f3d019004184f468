//! What a seat can see, and states that it can imagine.
//!
//! No agent is given the game. A [`View`] is the state, with its frames, and with everything that the seat does not know put into one canonical
//! order, and without the seed; so permuting what is hidden changes no view. [`View::imagine`] shuffles what is unknown among the
//! places where it may be.

use super::decision::{Decision, Fault};
use super::env::ReadView;
use super::game::Game;
use super::machine::Machine;
use super::reader::{Cells, Reader};
use super::ruleset::Ruleset;
use super::scripts::Scripts;
use super::shuffle::Shuffle;
use super::state::{State, hide_answers};
use crate::cast;
use houserule_ruleset::readers::Noting;
use houserule_state::chance::draw;
use houserule_state::layout::{BOX, head, piece};

/// Stands in [`Game::observe`] for what a seat does not know.
pub const UNSEEN: i32 = -1;

/// What a seat knows.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The seat that looks.
    pub seat: usize,
    /// The open question, with its options, if it is this seat that is asked.
    pub decision: Option<Decision>,
    state: State,
}

/// Whether the rules write counters on cards that lie hidden.
pub fn counts_in_secret(rules: &Ruleset) -> bool {
    (0..cast::fit::<u16>(rules.places.len())).any(|place| rules.hidden.written_in(place).next().is_some())
}

/// As a seat reads a state: while all act at once, its own things as they are and all others as they were.
fn view_for(state: &State, seat: usize) -> ReadView {
    if state.acts_at_once() { ReadView::OwnCurrent(cast::seat(seat)) } else { ReadView::Current }
}

impl Game {
    /// What the seat that must decide knows; `None` when no question is open.
    pub fn view(&self, rules: &Ruleset) -> Option<View> {
        Some(self.view_of(rules, self.decision()?.seat))
    }

    /// What any seat knows, whoever is asked, also when the game is over.
    pub fn view_of(&self, rules: &Ruleset, seat: usize) -> View {
        let decision = self.decision().filter(|decision| decision.seat == seat).cloned();
        let mut state = self.state.clone();
        hide_answers(&mut state, rules.layout.len, seat);
        let (cells, snapshot) = state.parts_mut();
        Shuffle::default().see(rules, (cells, snapshot), seat);
        View { seat, decision, state }
    }

    /// A cell as whoever runs sees it: while all act at once, and in a [`View::position`], others' things are as they were.
    #[inline]
    pub fn cell(&self, rules: &Ruleset, index: usize) -> i32 {
        Reader::<true>::new(rules, Cells::of(&self.state), self.memory.values.view, Noting::default()).cell(index)
    }

    /// The state as numbers, as any seat sees it, always of the same length: for players that learn. What the seat does not know is
    /// [`UNSEEN`]: cards with all that is counted on them, and the slots where they lie. While all act at once, its own things are as they
    /// are and all others as they were.
    pub fn observe(&self, rules: &Ruleset, seat: usize) -> Vec<i32> {
        let sight = Reader::<true>::new(rules, Cells::of(&self.state), view_for(&self.state, seat), Noting::default());
        let layout = &rules.layout;
        let mut seen: Vec<i32> = (0..layout.len).map(|cell| sight.cell(cell)).collect();
        seen[head::SEED_LOW..=head::SEED_HIGH].fill(0);
        for card in 0..layout.pieces {
            let known = layout.piece(card, piece::KNOWN);
            seen[known] &= 1 << seat;
            let first = match (seen[known], rules.sees_counters(&seen, seat, card)) {
                (0, _) => 0,
                (_, false) => piece::COUNTERS,
                (_, true) => continue,
            };
            seen[layout.piece(card, first)..layout.piece(card, layout.piece_size)].fill(UNSEEN);
        }
        for slot in layout.places[BOX + 1..].iter().flat_map(|place| (1..=place.room as usize).map(|slot| place.base as usize + slot)) {
            let card = usize::try_from(seen[slot] - 1).ok();
            if card.is_some_and(|card| seen[layout.piece(card, piece::KNOWN)] == UNSEEN) {
                seen[slot] = UNSEEN;
            }
        }
        seen
    }

    /// Makes `into` the playable state that the seat which must decide imagines, at the same question with the same options. It is
    /// the state that [`View::imagine`] makes of the seat's view; but what is worked out from what is known need not be
    /// worked out again. Does nothing while no question is open.
    pub fn imagine(&self, rules: &Ruleset, random: u64, into: &mut Game) {
        let Some(seat) = self.decision().map(|decision| decision.seat) else { return };
        let mut shuffle = std::mem::take(&mut into.memory.scratch.shuffle);
        into.clone_from(self);
        into.memory.log = Default::default();
        hide_answers(&mut into.state, rules.layout.len, seat);
        let (cells, snapshot) = into.state.parts_mut();
        shuffle.imagine(rules, (cells, snapshot), seat, random);
        let mut machine = into.on(rules);
        for &(cell, _) in &shuffle.writes {
            let class = rules.layout.class_of[cell as usize];
            if class != 0 {
                machine.note_change(cell as usize, class);
            }
        }
        // Cards that speak may lie where nobody else sees them.
        let speak_unseen = !shuffle.moved.is_empty() && rules.places.iter().any(|place| place.hidden && place.hearing);
        machine.memory.values.active.stale |= speak_unseen;
        if machine.state.acts_at_once() || speak_unseen {
            machine.forget_values();
        }
        into.memory.scratch.shuffle = shuffle;
    }
}

impl Machine<'_> {
    /// Overwrites the game with a saved state, and goes on from it up to the question that is open there.
    ///
    /// # Errors
    /// What is no state of these rules, and faults while it is resumed.
    pub fn load(&mut self, scripts: &mut dyn Scripts, saved: &[i32]) -> Result<(), Fault> {
        let fixed = self.fixed();
        let parts = saved.split_first().and_then(|(&len, rest)| rest.split_at_checked(usize::try_from(len).ok()?));
        let (cells, snapshot) = parts.unwrap_or_default();
        self.load_cells(cells, snapshot);
        if !self.state.frames_are_sound(self.rules) || !snapshot.is_empty() && snapshot.len() < fixed {
            let count = saved.len();
            self.swap(&mut Game::new(self.rules, 0));
            return Err(Fault::new(format!(
                "the saved state of {count} cells is none of these rules, which have {fixed}; replay its option keys instead"
            )));
        }
        self.resume_from_cells(scripts)
    }

    /// Overwrites the game with the cells of another of the same rules, to read them; no question is listed.
    pub fn load_position(&mut self, cells: &[i32]) {
        self.load_cells(cells, &[]);
        self.memory.values.view = ReadView::Current;
        self.forget();
    }

    fn load_cells(&mut self, cells: &[i32], snapshot: &[i32]) {
        self.state.load(cells, snapshot);
        self.memory.pending = None;
    }

    /// Puts what a seat does not know into another order: for the law that no view may change by it.
    pub fn permute_hidden(&mut self, seat: usize, random: u64) {
        self.order_hidden(seat, |card| draw(random, 1, card as u64));
    }

    /// Counts something else on cards into which a seat does not see, where the rules write on them in secret, and gives the game other streams:
    /// for the law that nothing that the seat is shown may change by it.
    pub fn change_secrets(&mut self, seat: usize, random: u64) {
        let rules = self.rules;
        for card in 0..rules.layout.pieces {
            let place = rules.layout.places[self.position().place_of(card).0].declared;
            if self.position().sees_counters(seat, card) {
                continue;
            }
            let (cells, snapshot) = self.state.parts_mut();
            for (number, written) in (0..).zip(rules.hidden.written_in(place)) {
                let (low, high) = written.range;
                let many = cast::fit::<u64>(i64::from(high) - i64::from(low) + 1);
                let value = cast::fit::<i32>(i64::from(low) + cast::fit::<i64>(draw(random, number, card as u64) % many));
                let cell = rules.layout.piece(card, written.offset as usize);
                cells[cell] = value;
                if let Some(before) = snapshot.get_mut(cell) {
                    *before = value;
                }
            }
        }
        let seed = cast::halves(draw(random, u64::MAX, 0));
        let (cells, snapshot) = self.state.parts_mut();
        for cells in [cells, snapshot].into_iter().filter(|cells| !cells.is_empty()) {
            [cells[head::SEED_LOW], cells[head::SEED_HIGH]] = seed;
        }
        self.forget();
    }

    fn order_hidden(&mut self, seat: usize, order: impl Fn(usize) -> u64) {
        let (cells, snapshot) = self.state.parts_mut();
        Shuffle::default().order(self.rules, (cells, snapshot), seat, &order);
        self.forget();
    }
}

impl View {
    /// A playable state in which what is unknown is shuffled among the places where it may be and the streams are others;
    /// what this seat knows and what was already answered and drawn stay.
    ///
    /// # Errors
    /// A fault while the question is listed.
    pub fn imagine(&self, rules: &Ruleset, scripts: &mut dyn Scripts, random: u64, into: &mut Game) -> Result<(), Fault> {
        into.state.copy_from(&self.state);
        let (cells, snapshot) = into.state.parts_mut();
        Shuffle::default().imagine(rules, (cells, snapshot), self.seat, random);
        into.memory.log = Default::default();
        into.on(rules).resume_from_cells(scripts)
    }

    /// Overwrites a game with what this seat sees, to read it: while all act at once, its own things as they are and all others as
    /// they were. What it does not know lies in an order of its own, for each number another; no question is listed.
    pub fn position(&self, rules: &Ruleset, order: u64, into: &mut Game) {
        into.state.copy_from(&self.state);
        into.memory.pending = None;
        into.on(rules).permute_hidden(self.seat, order);
        into.memory.values.view = view_for(&self.state, self.seat);
    }

    /// As [`View::position`], with what is not known in the order of the cards, moved on by so many: over as many steps as there are pieces each
    /// of them comes to lie everywhere where it may be.
    pub fn position_moved_on(&self, rules: &Ruleset, steps: usize, into: &mut Game) {
        self.position(rules, 0, into);
        let pieces = rules.layout.pieces.max(1);
        into.on(rules).order_hidden(self.seat, |card| ((card + steps) % pieces) as u64);
    }

    /// The round.
    pub fn round(&self) -> i32 {
        self.state.round()
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.state.turn()
    }

    /// The cells as this seat sees them.
    pub fn cells(&self) -> &[i32] {
        self.state.cells()
    }
}
