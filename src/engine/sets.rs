//! Going through cards and players, and where in its place a card lies.

use super::eval::Env;
use super::game::Game;
use super::ruleset::{CardSet, PlaceDecl, Ruleset, Shape, Whose};
use crate::cast;
use crate::state::layout::piece;
use std::ops::Range;

/// The instances of a place that are meant: one seat's, or those of all; all piles of a deck.
#[inline(always)]
pub(super) fn instances(rules: &Ruleset, declared: &PlaceDecl, whose: Whose, me: usize) -> Range<usize> {
    let first = declared.first as usize;
    match (declared.of_seat, whose) {
        (true, Whose::Mine) => first + me..first + me + 1,
        (true, Whose::All) => first..first + rules.players,
        // A deck may be several piles.
        (false, _) => first..first + declared.instances as usize,
    }
}

impl Game {
    /// The instance of a declared place that a seat speaks of: its own, or the table's.
    #[inline]
    pub fn instance(rules: &Ruleset, place: usize, me: usize) -> usize {
        let declared = &rules.places[place];
        declared.first as usize + if declared.of_seat { me } else { 0 }
    }

    pub(super) fn first_in(&self, rules: &Ruleset, place: usize, me: usize) -> i64 {
        let at = &rules.layout.places[Self::instance(rules, place, me)];
        let base = at.base as usize;
        if self.cell(rules, base) == 0 {
            return -1;
        }
        for slot in 1..=at.room as usize {
            let piece = self.cell(rules, base + slot);
            if piece != 0 {
                return piece as i64 - 1;
            }
        }
        -1
    }

    /// Where in a grid a card lies, counted from 0 row by row, and how long the rows are; `None` if it lies elsewhere.
    #[inline]
    pub(super) fn grid_at(&self, rules: &Ruleset, card: i64, grid: u16) -> Option<(u32, u32)> {
        let declared = &rules.places[grid as usize];
        let Shape::Grid { columns, .. } = declared.shape else { return None };
        if card < 0 || self.cell(rules, rules.layout.piece(cast::index(card), piece::PLACE)) != declared.first as i32 {
            return None;
        }
        Some((cast::fit::<u32>(self.cell(rules, rules.layout.piece(cast::index(card), piece::POSITION))), columns as u32))
    }

    /// Calls `f` for each card of a set, with the card in the set's local, until it says no.
    pub(super) fn each_card(&mut self, rules: &Ruleset, set: u32, env: &mut Env, mut f: impl FnMut(&mut Game, &mut Env) -> bool) {
        if self.watch.is_on() {
            self.look_through_cards(rules, set, env);
        }
        let set = &rules.sets[set as usize];
        let kept = env.locals[set.local as usize];
        'all: for &place in set.places.iter() {
            let declared = &rules.places[place as usize];
            for at in &rules.layout.places[instances(rules, declared, set.whose, env.me)] {
                let base = at.base as usize;
                let mut left = self.cell(rules, base);
                let mut slot = 0;
                while left > 0 && slot < at.room as usize {
                    slot += 1;
                    let piece = self.cell(rules, base + slot);
                    if piece == 0 {
                        continue;
                    }
                    left -= 1;
                    let piece = piece - 1;
                    if !fits(rules, set, declared.shape, piece, slot - 1) {
                        continue;
                    }
                    if let Some(counter) = set.with
                        && self.piece_cell(rules, cast::index(piece), counter as usize) <= 0
                    {
                        continue;
                    }
                    env.locals[set.local as usize] = piece;
                    if let Some(filter) = set.filter
                        && self.eval(rules, filter, env) == 0
                    {
                        continue;
                    }
                    if !f(self, env) {
                        break 'all;
                    }
                }
            }
        }
        env.locals[set.local as usize] = kept;
    }

    /// Whether a card is in a set.
    pub(super) fn is_in(&mut self, rules: &Ruleset, set: u32, card: i32, env: &mut Env) -> bool {
        let local = rules.sets[set as usize].local as usize;
        let mut found = false;
        self.each_card(rules, set, env, |_, env| {
            found = env.locals[local] == card;
            !found
        });
        found
    }

    /// The cards of a set, collected.
    pub(super) fn cards_of(&mut self, rules: &Ruleset, set: u32, env: &mut Env, cards: &mut Vec<i32>) {
        let local = rules.sets[set as usize].local as usize;
        cards.clear();
        self.each_card(rules, set, env, |_, env| {
            cards.push(env.locals[local]);
            true
        });
    }
}

#[inline]
fn fits(rules: &Ruleset, set: &CardSet, shape: Shape, piece: i32, slot: usize) -> bool {
    if set.kinds != 0 && set.kinds >> rules.piece_kind[cast::index(piece)] & 1 == 0 {
        return false;
    }
    match shape {
        Shape::Grid { columns, .. } if set.rows != 0 => set.rows >> (slot / columns as usize + 1) & 1 == 1,
        Shape::Grid { .. } | Shape::Deck | Shape::Slots => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Node;
    use crate::testing::{DENS, game, rules};

    #[test]
    fn cards_come_by_place_and_slot_and_only_those_that_are_meant() {
        let rules = rules(|rules, node| {
            let card = node(Node::Local(1));
            let four = node(Node::Const(4));
            let printed = node(Node::Field(card, 0));
            let filter = Some(node(Node::Cmp(houserule_numbers::compare::Compare::Less, printed, four)));
            let set = |whose, kinds, with, filter| CardSet { places: [0].into(), whose, kinds, rows: 0, local: 1, with, filter };
            let moss = Some(piece::COUNTERS as u8);
            rules.sets = vec![
                set(Whose::Mine, 0, None, None),
                set(Whose::All, 0, None, None),
                set(Whose::All, 0b10, None, None),
                set(Whose::All, 0, moss, None),
                set(Whose::All, 0, None, filter),
            ];
        });
        let mut game = game(&rules);
        game.run.quiet = 1;
        for (card, den, slot) in [(3, 0, 2), (1, 0, 0), (0, 1, 1), (2, 1, 0)] {
            game.lay(&rules, card, DENS + den, slot);
        }
        game.put(&rules, rules.layout.piece(0, piece::COUNTERS), 2).expect("a small number");
        let mut env = Env::of(0);
        let mut found = vec![Vec::new(); 5];
        found.iter_mut().zip(0..).for_each(|(found, set)| game.cards_of(&rules, set, &mut env, found));
        assert_eq!(found, [vec![1, 3], vec![1, 3, 2, 0], vec![1, 2], vec![0], vec![1, 2, 0]]);
        assert_eq!(env.locals[1], -1, "the local is as it was");
        assert_eq!([0, 1].map(|me| game.first_in(&rules, 0, me)), [1, 2]);
        game.lay(&rules, 2, DENS + 1, 2);
        assert_eq!(game.first_in(&rules, 0, 1), 0);
    }
}
