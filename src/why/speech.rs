//! Which cards in play speak to something, and what is gone through.

use crate::cast;
use crate::engine::definition::concerns;
use crate::engine::position::instances;
use crate::engine::ruleset::Lifetime;
use crate::engine::{ActiveEntry, Game, Machine, Ruleset, listeners};
use crate::state::layout::{TABLE, head};

/// An entry of a card in play that speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speech {
    /// The piece.
    pub card: usize,
    /// The seat that owns it; nobody, if it lies on the table.
    pub owner: Option<usize>,
    /// The seat that it speaks of.
    pub me: usize,
    /// Which of the card's entries of this sort, from 0.
    pub entry: usize,
}

impl Speech {
    fn of(speaker: ActiveEntry, seat: usize) -> Speech {
        let owner = (speaker.owner != TABLE).then_some(speaker.owner as usize);
        Speech { card: speaker.piece.index(), owner, me: owner.unwrap_or(seat), entry: speaker.entry.index() }
    }
}

/// What a quantity of a seat differs by for a while, with how long.
pub fn differences(rules: &Ruleset, game: &Game, index: u16, seat: usize) -> Vec<(Lifetime, i64)> {
    let Some(first) = rules.quantities[index as usize].differences else { return Vec::new() };
    let cell = |at: usize| i64::from(game.cell(rules, rules.layout.seat(seat, first as usize + at)));
    let all = Lifetime::ALL.into_iter().enumerate().map(|(at, lifetime)| (lifetime, cell(at)));
    all.filter(|(_, number)| *number != 0).collect()
}

/// The changes that cards in play make to a quantity of a seat, in the order in which they come; whether their conditions hold is not
/// asked.
pub fn changes_of(machine: &mut Machine<'_>, index: u16, seat: usize) -> Vec<Speech> {
    let rules = machine.rules;
    let who = |speaker: &ActiveEntry| rules.definition(speaker.piece.index()).changes[speaker.entry.index()].who;
    let all = machine.changes_in_play(index).iter().filter(|speaker| concerns(who(speaker), speaker.owner, seat));
    all.map(|&speaker| Speech::of(speaker, seat)).collect()
}

/// The entries of cards in play that could forbid an action to a seat; whether their conditions hold is not asked.
pub fn forbids_of(machine: &mut Machine<'_>, action: u16, seat: usize) -> Vec<Speech> {
    let rules = machine.rules;
    let who = |speaker: &ActiveEntry| rules.definition(speaker.piece.index()).forbids[speaker.entry.index()].who;
    let all = machine.forbids_in_play(action).iter().filter(|speaker| concerns(who(speaker), speaker.owner, seat));
    all.map(|&speaker| Speech::of(speaker, seat)).collect()
}

/// The entries of cards that hear a moment of a seat, in the order in which they would act; whether their conditions hold is not
/// asked. `card` is the moment's card, or -1.
pub fn listeners_of(machine: &mut Machine<'_>, moment: u16, seat: usize, card: i32) -> Vec<Speech> {
    let rules = machine.rules;
    let mut all = Vec::new();
    listeners::each_listener(machine, moment, seat, card, |_, speaker| {
        let hook = &rules.definition(speaker.piece.index()).hooks[speaker.entry.index()];
        if (!hook.own_only || card == speaker.piece.local()) && concerns(hook.who, speaker.owner, seat) {
            all.push(Speech::of(speaker, seat));
        }
    });
    all
}

/// The seats in turn order, as whoever runs sees it.
pub fn order_as_seen(rules: &Ruleset, game: &Game) -> Vec<usize> {
    (0..rules.players).map(|place| cast::index(game.cell(rules, head::ORDER + place))).collect()
}

/// All cards in the places of a set, whether they are in the set or not; where it asks for kinds, of these.
pub fn lying_in(rules: &Ruleset, game: &Game, set: u32, seat: usize) -> Vec<usize> {
    let position = game.position(rules);
    let set = &rules.sets[set as usize];
    let places = set.places.iter().map(|&place| &rules.places[place as usize]);
    let all = places.flat_map(|declared| instances(rules, declared, set.whose, seat)).flat_map(|at| position.all_in(at));
    all.filter(|&card| set.kinds == 0 || set.kinds >> rules.piece_kind[card] & 1 == 1).collect()
}
