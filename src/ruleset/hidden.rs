//! Hidden information, as far as it follows from the rules: which unknown pieces are indistinguishable, what unseen counters may hold, and
//! which locals hold cards.
//!
//! It depends on the rules alone, so that no information of a state can leak into what a seat imagines.

use super::graph::{Expr, Read};
use super::ids::Pc;
use super::node::NodeId;
use super::ruleset::{Ruleset, Shape};

mod chance;
mod compute;
mod exposure;
mod values;

pub use chance::{Audience, ChanceSecrecy, Told};
pub use exposure::Exposures;
pub use values::{Branch, ValueSecrecy, reads_hidden_values, rests_on_hidden};

/// Stands for the group of pieces without one, because their kinds lie in no hidden place and in no deck.
const NONE: u16 = u16::MAX;

/// What the rules allow to be hidden from seats.
#[derive(Clone, Debug, Default)]
pub struct Hidden {
    /// Groups of pieces that are indistinguishable while unknown: they start in the same deck, or in the box and may lie in the same hidden
    /// place, or are shuffled together.
    pub groups: Vec<Box<[u16]>>,
    /// The group of each piece, or `NONE`.
    group_of: Vec<u16>,
    /// The number of counters of a piece.
    counters: usize,
    /// The initial values of the counters, piece by piece.
    initial_counters: Vec<i32>,
    /// The counters that the rules write on hidden cards.
    written: Vec<Written>,
    /// The indices of the choices whose bodies write such a counter, or a hidden value.
    pub secret: Vec<u16>,
    /// What the program tells about hidden values.
    pub values: ValueSecrecy,
    /// Who is told what comes by chance.
    pub chances: ChanceSecrecy,
    /// Whether a question may offer cards that the asked seat does not know.
    pub offers_unseen: bool,
    /// For each op, the locals that hold cards when it is run, as a bit set.
    card_locals: Vec<u16>,
    /// The locals that hold values which may rest on hidden cards.
    pub private: Vec<PrivateLocal>,
    /// What each expression can read of what is hidden.
    pub exposures: Exposures,
    /// Whether nothing but a card that leaves a deck and chance can tell a seat what it does not know.
    pub only_moves_tell: bool,
}

/// A local that holds a value which may rest on hidden cards; the next local holds the seats that do not know it.
#[derive(Clone, Copy, Debug)]
pub struct PrivateLocal {
    /// The first op at which it holds the value.
    pub from: u32,
    /// The op behind the last at which it holds the value.
    pub to: u32,
    /// The index of the local.
    pub local: u8,
    /// The expression of the value.
    pub value: NodeId,
}

/// A counter that the rules write on cards in a hidden place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The index of the declared place.
    pub place: u16,
    /// The counter's offset in the cells of a piece.
    pub offset: u16,
    /// The lowest and the highest value that may be written.
    pub range: (i32, i32),
}

impl Hidden {
    /// Returns the pieces that cannot be told apart from this one while it is unknown, including itself.
    pub fn indistinguishable(&self, card: usize) -> &[u16] {
        self.group_of.get(card).and_then(|&group| self.groups.get(group as usize)).map_or(&[][..], |pieces| &pieces[..])
    }

    /// Returns the initial values of a piece's counters.
    #[inline]
    pub fn initial_counters(&self, card: usize) -> &[i32] {
        &self.initial_counters[card * self.counters..][..self.counters]
    }

    /// Returns the counters that the rules write on cards in a declared place.
    pub fn written_in(&self, place: u16) -> impl Iterator<Item = &Written> {
        self.written.iter().filter(move |written| written.place == place)
    }

    /// Returns the locals that hold private values when a frame is at an op, in the order in which they were set.
    pub fn private_at(&self, pc: Pc) -> impl Iterator<Item = &PrivateLocal> {
        self.private.iter().filter(move |private| (private.from..private.to).contains(&pc.0))
    }

    /// Returns the locals that hold cards when a frame is at an op, as a bit set. A local that held a card earlier, and is not read any
    /// more, may be missing.
    pub fn card_locals(&self, pc: Pc) -> u16 {
        self.card_locals.get(pc.0 as usize).copied().unwrap_or(0)
    }
    /// Whether all that is hidden is the order of decks, and no expression, set or question looks into them: what seats do not know comes to light
    /// only where a card leaves a deck, or something is drawn by chance. It is not so where it cannot be told.
    fn nothing_else_tells(&self, rules: &Ruleset) -> bool {
        let is_deck = |place: u16| rules.places[usize::from(place)].shape == Shape::Deck;
        let reads_deck = |expr: &Expr| {
            !matches!(expr, Expr::PiecesIn { .. })
                && expr.reads_any(|read| match read {
                    Read::Place(place) => is_deck(place),
                    Read::Cards(cards) => rules.graph.cards(cards).places.iter().any(|place| is_deck(*place)),
                    // A card that is named may lie in a deck.
                    Read::Whereabouts(card) | Read::Counter(card, _) => matches!(rules.graph[card], Expr::Const { .. }),
                    Read::Table(_) | Read::Own(_) | Read::Printed(_) | Read::Piles(_) | Read::Tokens(_) | Read::Order => false,
                    Read::Rivals(_) | Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => false,
                    Read::Known(_) => true,
                })
        };
        rules.secrets.is_empty()
            && self.private.is_empty()
            && !self.offers_unseen
            && rules.dealt_cards.is_empty()
            && !rules.places.iter().any(|place| place.hidden && place.shape != Shape::Deck)
            && !rules.sets.iter().any(|set| set.cards.places.iter().any(|place| is_deck(*place)))
            && !rules.graph.all().any(|(_, expr)| reads_deck(expr))
    }
}
