//! Queries over the cards in play: which entries apply to something, and which cards a set ranges over.

use crate::cast;
use crate::engine::definition::concerns;
use crate::engine::position::instances;
use crate::engine::ruleset::Lifetime;
use crate::engine::{ActiveEntry, Game, Ruleset, Store, listeners};
use crate::state::layout::{TABLE, head};

/// An entry of a card in play, and for whom it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryInPlay {
    /// Index of the card.
    pub card: usize,
    /// Seat that owns the card; `None` for a card on the table.
    pub owner: Option<usize>,
    /// The seat for which the entry is evaluated.
    pub me: usize,
    /// Index of the entry among those of the same kind on the card.
    pub entry_index: usize,
}

impl EntryInPlay {
    fn from_active(speaker: ActiveEntry, seat: usize) -> EntryInPlay {
        let owner = (speaker.owner != TABLE).then_some(speaker.owner as usize);
        EntryInPlay { card: speaker.piece.index(), owner, me: owner.unwrap_or(seat), entry_index: speaker.entry.index() }
    }
}

/// Returns the temporary differences of a quantity of a seat, with their lifetimes.
pub fn temporary_differences(rules: &Ruleset, game: &Game, index: u16, seat: usize) -> Vec<(Lifetime, i64)> {
    let Some(first) = rules.quantities[index as usize].differences else { return Vec::new() };
    let cell = |at: usize| i64::from(game.cell(rules, rules.layout.seat(seat, first as usize + at)));
    let all = Lifetime::ALL.into_iter().enumerate().map(|(at, lifetime)| (lifetime, cell(at)));
    all.filter(|(_, number)| *number != 0).collect()
}

/// Returns the entries of cards in play that change a quantity of a seat, in the order in which they apply. Their conditions are not
/// evaluated.
pub fn changes_of(store: &mut Store<'_>, index: u16, seat: usize) -> Vec<EntryInPlay> {
    let rules = store.rules;
    let who = |speaker: &ActiveEntry| rules.definition(speaker.piece.index()).changes[speaker.entry.index()].who;
    let all = store.changes_in_play(index).iter().filter(|speaker| concerns(who(speaker), speaker.owner, seat));
    all.map(|&speaker| EntryInPlay::from_active(speaker, seat)).collect()
}

/// Returns the entries of cards in play that could forbid an action to a seat. Their conditions are not evaluated.
pub fn forbids_of(store: &mut Store<'_>, action: u16, seat: usize) -> Vec<EntryInPlay> {
    let rules = store.rules;
    let who = |speaker: &ActiveEntry| rules.definition(speaker.piece.index()).forbids[speaker.entry.index()].who;
    let all = store.forbids_in_play(action).iter().filter(|speaker| concerns(who(speaker), speaker.owner, seat));
    all.map(|&speaker| EntryInPlay::from_active(speaker, seat)).collect()
}

/// Returns the entries of cards that listen to a moment of a seat, in the order in which they would act. Their conditions are not
/// evaluated. `card` is the card that the moment is about, or -1.
pub fn listeners_of(store: &mut Store<'_>, moment: u16, seat: usize, card: i32) -> Vec<EntryInPlay> {
    let rules = store.rules;
    let mut all = Vec::new();
    listeners::each_listener(store, moment, seat, card, |_, speaker| {
        let hook = &rules.definition(speaker.piece.index()).hooks[speaker.entry.index()];
        if (!hook.own_only || card == speaker.piece.local()) && concerns(hook.who, speaker.owner, seat) {
            all.push(EntryInPlay::from_active(speaker, seat));
        }
    });
    all
}

/// Returns the seats in turn order, as visible at this moment.
pub fn order_as_seen(rules: &Ruleset, game: &Game) -> Vec<usize> {
    (0..rules.players).map(|place| cast::index(game.cell(rules, head::ORDER + place))).collect()
}

/// Returns all cards of the set's kinds in the places of the set, whether or not they satisfy its other conditions.
pub fn cards_in_set_places(rules: &Ruleset, game: &Game, set: u32, seat: usize) -> Vec<usize> {
    let position = game.position(rules);
    let set = &rules.sets[set as usize];
    let places = set.cards.places.iter().map(|&place| &rules.places[place as usize]);
    let all = places.flat_map(|declared| instances(rules, declared, set.cards.whose, seat)).flat_map(|at| position.all_in(at));
    all.filter(|&card| set.cards.has_kind(rules.piece_kind[card].into())).collect()
}
