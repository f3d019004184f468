//! What can be hidden from players, worked out once from a ruleset: which unknown pieces nothing tells apart, what counters on a card that
//! nobody sees may hold, and which locals of what runs hold cards.
//!
//! What is worked out here depends on the rules alone, so that nothing of a state can come into what a seat imagines.

use super::ids::Pc;

mod work_out;

/// Pieces of no group: their kinds lie in no hidden place and in no deck.
const NONE: u16 = u16::MAX;

/// What can be hidden, by the rules.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    /// Groups of pieces that nothing tells apart while they are unknown: they start in the same deck, or in the box and may lie in the same
    /// hidden place, or are shuffled together.
    pub groups: Vec<Box<[u16]>>,
    /// The group of each piece.
    group_of: Vec<u16>,
    /// How many counters a piece has.
    counters: usize,
    /// What the counters of all pieces begin with, one piece after another.
    blank: Vec<i32>,
    /// Counters that the rules write on cards while they lie hidden.
    written: Vec<Written>,
    /// Choices of questions that write such a counter: the question, and which of its choices.
    pub secret: Vec<(u32, usize)>,
    /// Whether a question may offer cards that who is asked does not know.
    pub offers_unseen: bool,
    /// Of each op, as a bit set, the locals that hold cards there.
    cards_at: Vec<u16>,
}

/// A counter that the rules write on cards in a hidden place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The declared place.
    pub place: u16,
    /// The counter's offset within a piece.
    pub offset: u16,
    /// The least and the most that is written.
    pub range: (i32, i32),
}

impl Hidden {
    /// The pieces that nothing tells from this one while both are unknown.
    pub fn alike(&self, card: usize) -> &[u16] {
        self.group_of.get(card).and_then(|&group| self.groups.get(group as usize)).map_or(&[][..], |pieces| &pieces[..])
    }

    /// What the counters of a piece begin with.
    pub fn blank(&self, card: usize) -> &[i32] {
        &self.blank[card * self.counters..][..self.counters]
    }

    /// Counters that the rules write on cards in a declared place.
    pub fn written_in(&self, place: u16) -> impl Iterator<Item = &Written> {
        self.written.iter().filter(move |written| written.place == place)
    }

    /// The locals that hold cards in a frame that stands at an op, as a bit set. What a local holds that is no card any longer, nothing reads.
    pub fn cards_at(&self, pc: Pc) -> u16 {
        self.cards_at.get(pc.0 as usize).copied().unwrap_or(0)
    }
}
