//! States that a seat can imagine: what it does not know is shuffled among the places where it may be.

use super::game::Game;
use super::ruleset::Ruleset;
use crate::cast;
use crate::state::chance::{draw, hash_text};
use crate::state::layout::{BOX, head, piece};

/// Memory for shuffling.
#[derive(Clone, Debug, Default)]
pub(super) struct Shuffle {
    /// Cards with the numbers by which they are ordered.
    cards: Vec<(u64, u16)>,
    /// Where they lie: place and position.
    slots: Vec<(i32, i32)>,
    /// Cells that are to be written.
    writes: Vec<(u32, i32)>,
}

impl Shuffle {
    /// Lists what is to be written so that the pieces which nothing tells apart for a seat (unknown, and from the same deck) lie in
    /// the same slots, in another order.
    fn list(&mut self, rules: &Ruleset, cells: &[i32], seat: usize, order: impl Fn(usize) -> u64) {
        self.writes.clear();
        for (_, pieces) in &rules.decks {
            self.cards.clear();
            self.slots.clear();
            for &card in pieces {
                let first = rules.layout.piece(card as usize, 0);
                let known = cells[first + piece::KNOWN] >> seat & 1 == 1;
                if !known && cells[first + piece::PLACE] as usize > BOX {
                    self.cards.push((order(card as usize), card));
                    self.slots.push((cells[first + piece::PLACE], cells[first + piece::POSITION]));
                }
            }
            self.cards.sort_unstable();
            self.slots.sort_unstable();
            for (&(_, card), &(place, position)) in self.cards.iter().zip(&self.slots) {
                let base = rules.layout.places[place as usize].base + 1 + position as u32;
                let first = rules.layout.piece(card as usize, 0) as u32;
                let all = [(first + piece::PLACE as u32, place), (first + piece::POSITION as u32, position), (base, card as i32 + 1)];
                self.writes.extend(all.into_iter().filter(|&(cell, value)| cells[cell as usize] != value));
            }
        }
    }

    /// Puts what a seat does not know into another order.
    pub fn deal(&mut self, rules: &Ruleset, cells: &mut [i32], seat: usize, order: impl Fn(usize) -> u64) {
        self.list(rules, cells, seat, order);
        self.writes.iter().for_each(|&(cell, value)| cells[cell as usize] = value);
    }

    /// The like by chance, with streams that are others.
    pub fn imagine(&mut self, rules: &Ruleset, cells: &mut [i32], seat: usize, random: u64) {
        let seed = draw(random, hash_text("imagined"), 0);
        [cells[head::SEED_LOW], cells[head::SEED_HIGH]] = cast::halves(seed);
        self.deal(rules, cells, seat, |card| draw(random, 0, card as u64));
    }
}

impl Game {
    /// Makes `into` the playable state that the seat which must decide imagines, at the same question with the same options. It is
    /// the state that [`super::view::View::imagine`] makes of the seat's view; but what is worked out from what is known need not be
    /// worked out again. Does nothing while no question is open.
    pub fn imagine(&self, rules: &Ruleset, random: u64, into: &mut Game) {
        let Some(seat) = self.decision().map(|decision| decision.seat) else { return };
        let mut shuffle = std::mem::take(&mut into.scratch.shuffle);
        into.clone_from(self);
        into.told = Default::default();
        shuffle.imagine(rules, &mut into.cells, seat, random);
        for &(cell, _) in &shuffle.writes {
            let class = rules.layout.class_of[cell as usize];
            if class != 0 {
                into.note_change(rules, cell as usize, class);
            }
        }
        if !into.before.is_empty() {
            shuffle.imagine(rules, &mut into.before, seat, random);
            Game::hide_answers(&mut into.before, rules.layout.len, seat);
            into.forget_values(rules);
        }
        into.scratch.shuffle = shuffle;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::testing::{DENS, PILE, game, rules};

    #[test]
    fn what_is_unknown_changes_places_and_what_is_known_stays() {
        let rules = rules(|_, _| {});
        let mut game = game(&rules);
        game.run.quiet = 1;
        let top = game.piece_at(&rules, PILE, 3).expect("a piece");
        game.lay(&rules, top, DENS, 0);
        let (mut shuffle, mut orders) = (Shuffle::default(), std::collections::BTreeSet::new());
        for random in 0..40 {
            let mut cells = game.cells().to_vec();
            shuffle.imagine(&rules, &mut cells, 1, random);
            let base = rules.layout.places[PILE].base as usize;
            let mut pile = cells[base + 1..base + 4].to_vec();
            orders.insert(pile.clone());
            for (slot, &piece) in pile.iter().enumerate() {
                let first = rules.layout.piece(piece as usize - 1, 0);
                assert_eq!(cells[first..first + 2], [PILE as i32, slot as i32]);
            }
            pile.push(top as i32 + 1);
            pile.sort_unstable();
            assert_eq!(pile, [1, 2, 3, 4]);
            assert_eq!(cells[rules.layout.piece(top, piece::PLACE)], DENS as i32);
        }
        assert_eq!(orders.len(), 6);
    }
}
