//! Hidden information, as far as it follows from the rules: which unknown pieces are indistinguishable, what unseen counters may hold,
//! which locals hold cards, and whether an evaluation can read anything that some seat does not know. Where it can, the game is asked.
//!
//! It depends on the rules alone, so that no information of a state can leak into what a seat imagines.

use super::graph::{Bound, Expr, ExprId, Part, Read};
use super::ids::Pc;
use super::node::{CardSet, NodeId};
use super::op::LOCALS;
use super::ruleset::{Ruleset, Shape};
use values::reads_secret;

mod chance;
mod compute;
mod values;

pub use chance::{Audience, ChanceSecrecy, Told};
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
                    Read::Laid(_) | Read::Rivals(_) | Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => false,
                    Read::Known(_) => true,
                })
        };
        rules.secrets.is_empty()
            && rules.clues.is_empty()
            && self.private.is_empty()
            && !self.offers_unseen
            && rules.dealt_cards.is_empty()
            && !rules.places.iter().any(|place| place.hidden && place.shape != Shape::Deck)
            && !rules.sets.iter().any(|set| set.cards.places.iter().any(|place| is_deck(*place)))
            && !rules.graph.all().any(|(_, expr)| reads_deck(expr))
    }
}

// ------------------------------------------------------------------ what an evaluation can read

/// What has to be so that an expression reads nothing that a seat does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Exposure {
    /// Nothing helps: it may read what is hidden.
    always: bool,
    /// Variables that must hold spaces, as a bit set.
    vars: u16,
    /// Locals that must hold spaces or no card, as a bit set.
    cards: u16,
    /// Locals that say which seats do not know a value, as a bit set.
    unknown_to: u16,
}

impl Exposure {
    const ALWAYS: Exposure = Exposure { always: true, vars: 0, cards: 0, unknown_to: 0 };

    fn or(self, other: Exposure) -> Exposure {
        Exposure {
            always: self.always || other.always,
            vars: self.vars | other.vars,
            cards: self.cards | other.cards,
            unknown_to: self.unknown_to | other.unknown_to,
        }
    }

    /// The same without a variable, which holds spaces.
    fn without_var(self, var: u8) -> Exposure {
        Exposure { vars: self.vars & !(1 << var), ..self }
    }

    /// Whether nothing is read that a seat does not know.
    fn is_none(self, rules: &Ruleset, locals: &[i32; LOCALS]) -> bool {
        if self.always || self.vars != 0 {
            return false;
        }
        let held = |set: u16| (0..LOCALS).filter(move |local| set >> local & 1 == 1).map(|local| locals[local]);
        held(self.unknown_to).all(|unknown| unknown & rules.everybody() == 0)
            && held(self.cards).all(|card| card < 0 || rules.boards.iter().any(|board| board.space(card.into()).is_some()))
    }
}

/// What each expression of a ruleset can read of what is hidden.
#[derive(Clone, Debug, Default)]
pub struct Exposures(Vec<Exposure>);

impl Exposures {
    /// Computes them for all expressions: the operands of an expression come before it.
    fn compute(rules: &Ruleset) -> Exposures {
        let mut found = Exposures(Vec::with_capacity(rules.graph.count()));
        for (_, expr) in rules.graph.all() {
            let exposure = if reads_secret(rules, *expr) { Exposure::ALWAYS } else { found.of_expr(rules, *expr) };
            found.0.push(exposure);
        }
        found
    }

    /// Whether an expression reads only what all seats know, with these locals.
    pub fn is_known_to_all(&self, rules: &Ruleset, expr: ExprId, locals: &[i32; LOCALS]) -> bool {
        self.of(expr).is_none(rules, locals)
    }

    /// Whether all seats know which cards are in a set, with these locals.
    pub fn is_set_known_to_all(&self, rules: &Ruleset, set: &CardSet, locals: &[i32; LOCALS]) -> bool {
        let parts = set.filter.into_iter().chain(set.within);
        let read = parts.map(|part| self.of(part)).fold(Exposure::default(), Exposure::or);
        visits_spaces(rules, &set.cards.places) && Exposure { cards: read.cards & !(1 << set.local), ..read }.is_none(rules, locals)
    }

    fn of(&self, expr: ExprId) -> Exposure {
        self.0.get(expr.index()).copied().unwrap_or(Exposure::ALWAYS)
    }

    fn of_expr(&self, rules: &Ruleset, expr: Expr) -> Exposure {
        let of_part = |part: Part| match part.bound {
            Some((var, Bound::Card | Bound::Space(_))) => self.of(part.id).without_var(var),
            Some((_, Bound::Seat)) | None => self.of(part.id),
        };
        let mut found = expr.parts().map(of_part).fold(Exposure::default(), Exposure::or);
        expr.each_read(&mut |read| found = found.or(self.of_read(rules, read)));
        found
    }

    /// What has to be so for something that is read.
    fn of_read(&self, rules: &Ruleset, read: Read) -> Exposure {
        match read {
            Read::Printed(card) | Read::Counter(card, _) => exposure_of_card(rules.graph[card]),
            // Where cards lie is no secret, and hidden values were looked for before.
            Read::Whereabouts(_) | Read::Place(_) | Read::Piles(_) | Read::Order => Exposure::default(),
            Read::Table(_) | Read::Own(_) | Read::Tokens(_) | Read::Laid(_) => Exposure::default(),
            Read::Cards(cards) if visits_spaces(rules, &rules.graph.cards(cards).places) => Exposure::default(),
            Read::Rivals(rank) => {
                let rivals = rules.ranks[usize::from(rank)].rivals.iter();
                rivals.map(|rival| self.of(*rival)).fold(Exposure::default(), Exposure::or)
            }
            Read::Known(unknown_to) if let Expr::Local { local } = rules.graph[unknown_to] => {
                Exposure { unknown_to: 1 << local, ..Exposure::default() }
            }
            // Cards in play may be hidden, and a loop that may visit other cards than spaces may tell of them.
            Read::Cards(_) | Read::Known(_) | Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => Exposure::ALWAYS,
        }
    }
}

/// Whether the cards in these places are spaces, which never move and are no secret.
fn visits_spaces(rules: &Ruleset, places: &[u16]) -> bool {
    places.iter().all(|place| rules.boards.iter().any(|board| board.place == *place))
}

/// What must be so for a card on which something is read.
fn exposure_of_card(card: Expr) -> Exposure {
    if let Expr::Var { var } = card {
        Exposure { vars: 1 << var, ..Exposure::default() }
    } else if let Expr::Local { local } = card {
        Exposure { cards: 1 << local, ..Exposure::default() }
    } else if let Expr::SpaceIn { .. } = card {
        Exposure::default()
    } else {
        Exposure::ALWAYS
    }
}
