//! What a seat can see, and states that it can imagine.
//!
//! No agent is given the game. A [`View`] is the state with everything that the seat does not know put into one canonical
//! order, and without the seed; so permuting what is hidden changes no view. [`View::imagine`] shuffles what is unknown among the
//! places where it may be.

use super::decision::{Decision, Fault};
use super::game::{Eyes, Game};
use super::moment::Scripts;
use super::ruleset::Ruleset;
use crate::state::chance::{draw, hash_text};
use crate::state::layout::{BOX, head, piece};

/// What a seat knows at an open question.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The seat that looks.
    pub seat: usize,
    /// The question, with its options.
    pub decision: Decision,
    /// As it stands at the question.
    shown: Box<[i32]>,
    /// At rest, with the journal.
    rest: Box<[i32]>,
}

/// A home, the unknown pieces from there, and the slots (place and position) in which they lie.
type Alike = (u16, Vec<usize>, Vec<(i32, i32)>);

/// Pieces that nothing tells apart for this seat, with the same home, and the slots they lie in.
fn unknown(rules: &Ruleset, cells: &[i32], seat: usize) -> Vec<Alike> {
    let mut groups: Vec<Alike> = Vec::new();
    for card in 0..rules.layout.pieces {
        let home = rules.piece_home[card];
        let known = cells[rules.layout.piece(card, piece::KNOWN)] >> seat & 1 == 1;
        let place = cells[rules.layout.piece(card, piece::PLACE)];
        if known || home as usize <= BOX || place as usize <= BOX {
            continue;
        }
        let at = (place, cells[rules.layout.piece(card, piece::POSITION)]);
        match groups.iter_mut().find(|g| g.0 == home) {
            Some(group) => {
                group.1.push(card);
                group.2.push(at);
            }
            None => groups.push((home, vec![card], vec![at])),
        }
    }
    for group in &mut groups {
        group.2.sort_unstable();
    }
    groups
}

fn deal(rules: &Ruleset, cells: &mut [i32], seat: usize, order: impl Fn(usize) -> u64) {
    for (_, mut cards, slots) in unknown(rules, cells, seat) {
        cards.sort_by_key(|&card| order(card));
        for (card, (place, position)) in cards.into_iter().zip(slots) {
            cells[rules.layout.piece(card, piece::PLACE)] = place;
            cells[rules.layout.piece(card, piece::POSITION)] = position;
            let base = rules.layout.places[place as usize].base as usize;
            cells[base + 1 + position as usize] = card as i32 + 1;
        }
    }
}

fn canonical(rules: &Ruleset, cells: &mut [i32], seat: usize) {
    deal(rules, cells, seat, |card| card as u64);
    cells[head::SEED_LOW] = 0;
    cells[head::SEED_HIGH] = 0;
}

impl Game {
    /// What the seat that must decide knows; `None` when no question is open.
    pub fn view(&self, rules: &Ruleset) -> Option<View> {
        let decision = self.pending.clone()?;
        let seat = decision.seat;
        self.view_of(rules, seat, decision)
    }

    fn view_of(&self, rules: &Ruleset, seat: usize, decision: Decision) -> Option<View> {
        let mut shown: Box<[i32]> = self.shown().into();
        let mut rest = self.cells.clone();
        canonical(rules, &mut shown, seat);
        canonical(rules, &mut rest, seat);
        Some(View { seat, decision, shown, rest })
    }

    /// Overwrites this game with a state at rest and takes it up.
    ///
    /// # Errors
    /// A state of another length, and faults while it is taken up.
    pub fn load(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, cells: &[i32]) -> Result<(), Fault> {
        if cells.len() != rules.layout.len {
            let message =
                format!("the saved state has {} cells, these rules have {}; replay its option keys instead", cells.len(), rules.layout.len);
            return Err(Fault { message, owner: String::new(), span: None });
        }
        if self.cells.len() != cells.len() {
            *self = Game::new(rules, 0);
        }
        self.cells.copy_from_slice(cells);
        self.resume(rules, scripts)
    }

    /// Overwrites this game with the cells of another of the same rules, to read them; no question is rebuilt.
    pub fn load_position(&mut self, rules: &Ruleset, cells: &[i32]) {
        self.cells = cells.into();
        self.before = cells.into();
        self.pending = None;
        self.inner = false;
        self.known.clear();
        self.eyes = Eyes::Live;
        self.forget(rules);
    }

    /// Puts what a seat does not know into another order: for the law that no view may change by it.
    pub fn permute_hidden(&mut self, rules: &Ruleset, seat: usize, random: u64) {
        if self.inner {
            let mut shown: Box<[i32]> = self.shown().into();
            deal(rules, &mut shown, seat, |card| draw(random, 1, card as u64));
            self.at_question = shown.into();
        }
        let mut cells = std::mem::take(&mut self.cells);
        deal(rules, &mut cells, seat, |card| draw(random, 1, card as u64));
        self.cells = cells;
        self.forget(rules);
    }
}

impl View {
    /// A playable state in which what is unknown is shuffled among the places where it may be and the streams are others;
    /// what this seat knows and what was already answered and drawn stay.
    ///
    /// # Errors
    /// A fault while the open part is run again.
    pub fn imagine(&self, rules: &Ruleset, scripts: &mut dyn Scripts, random: u64, into: &mut Game) -> Result<(), Fault> {
        if into.cells.len() != self.rest.len() {
            *into = Game::new(rules, 0);
        }
        into.cells.copy_from_slice(&self.rest);
        let seed = draw(random, hash_text("imagined"), 0);
        into.cells[head::SEED_LOW] = seed as u32 as i32;
        into.cells[head::SEED_HIGH] = (seed >> 32) as u32 as i32;
        deal(rules, &mut into.cells, self.seat, |card| draw(random, 0, card as u64));
        into.eyes = Eyes::Live;
        into.log = None;
        into.queue.clear();
        into.deferred.clear();
        into.quiet = 0;
        into.resume(rules, scripts)
    }

    /// The round.
    pub fn round(&self) -> i32 {
        self.shown[head::ROUND]
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.shown[head::TURN]
    }

    /// The cells as this seat sees them.
    pub fn cells(&self) -> &[i32] {
        &self.shown
    }
}
