//! Trying answers on the state itself, without learning from it what a seat does not know.
//!
//! Where nothing but a card that leaves a deck and chance can tell of what is hidden ([`houserule_ruleset::hidden::Hidden::only_moves_tell`]), an answer
//! has the same effect in the state itself as in any that the seat can imagine, as long as neither occurs. A game on the lookout notes when one
//! does: then what came of the answer must not be used, and a state that is imagined has to be asked.

use super::game::Game;
use super::lookout::Lookout;
use super::ruleset::Ruleset;
use crate::cast;
use houserule_state::layout::piece;

/// The most cells that are brought up to date one by one; if more differ, the game is copied.
const MAX_DIFFERENT: usize = 400;

impl Game {
    /// Turns `into` into this state itself, on the lookout for the seat that must answer. What comes of an answer may be used only if
    /// [`Game::take_told`] is false afterwards. Returns false if that could not be told in this game, and leaves `into` as it is.
    pub fn look_out(&self, rules: &Ruleset, into: &mut Game) -> bool {
        let Some(seat) = self.decision().map(|decision| decision.seat) else { return false };
        // Only generated code keeps values from decision to decision.
        if !rules.hidden.only_moves_tell || self.state.in_secret_block(rules.layout.len) || !self.is_native() {
            return false;
        }
        if !into.follow(rules, self) {
            into.clone_from(self);
            into.store(rules).take_up_code();
        }
        into.live.log = Default::default();
        into.live.lookout = Some(Lookout { seat: cast::seat(seat), has_told: false });
        true
    }

    /// Whether anything has come to light since the last call that the seat for which this game looks out did not know.
    pub fn take_told(&mut self) -> bool {
        self.live.lookout.as_mut().is_some_and(|lookout| std::mem::take(&mut lookout.has_told))
    }

    /// Whether this game looks out for a seat.
    pub fn is_on_lookout(&self) -> bool {
        self.live.lookout.is_some()
    }

    /// Notes that something may have come to light.
    pub fn set_told(&mut self, rules: &Ruleset) {
        self.store(rules).note_told();
    }

    /// Brings this game up to the state of another game of the same rules, which it was at an earlier time: at the cost of what differs. Returns
    /// false if too much does.
    fn follow(&mut self, rules: &Ruleset, other: &Game) -> bool {
        let layout = &rules.layout;
        let is_alike = self.live.values.kept.runs_as(&other.live.values.kept) && self.state.cells().len() >= layout.len;
        let is_in_block = self.in_simultaneous_block() || other.in_simultaneous_block();
        if !is_alike || self.live.lookout.is_none() || is_in_block || self.seed() != other.seed() {
            return false;
        }
        let mut differing = std::mem::take(&mut self.live.lists.differing);
        differing.clear();
        let chunks = self.state.cells()[..layout.len].chunks(16).zip(other.state.cells()[..layout.len].chunks(16));
        for (first, (own, new)) in (0..).step_by(16).zip(chunks).filter(|(_, (own, new))| own != new) {
            differing.extend((first..).zip(own.iter().zip(new)).filter(|(_, (own, new))| own != new).map(|(cell, _)| cell));
        }
        let is_little = differing.len() <= MAX_DIFFERENT;
        if is_little {
            let mut store = self.store(rules);
            for &cell in &differing {
                store.state.set(cell, other.state.cells()[cell]);
                store.note_written(cell);
                let of_piece = cell.checked_sub(layout.piece_base).map(|offset| (offset / layout.piece_size, offset % layout.piece_size));
                if let Some((card, piece::PLACE | piece::POSITION)) = of_piece.filter(|(card, _)| *card < layout.pieces)
                    && rules.definition(card).has_entries()
                {
                    store.live.values.active.note_moved(card);
                    store.invalidate_changes_of(card);
                }
            }
            self.state.take_stack(layout.len, &other.state);
            self.live.follow(&other.live);
            self.memory.copy_from(&other.memory);
        }
        self.live.lists.differing = differing;
        is_little
    }
}
