//! What explanations read of a game: values as they are worked out plainly, who is gone through, and which cards speak. Nothing
//! here runs while a game is played.

use super::active::Speaker;
use super::definition::concerns;
use super::eval::{Env, plain};
use super::game::{Eyes, Game};
use super::node::NodeId;
use super::op::Pc;
use super::ruleset::{Lifetime, Ruleset};
use super::sets::instances;
use crate::cast;
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

/// Through whose eyes a game is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Looks(Eyes);

impl Speech {
    pub(super) fn of(speaker: Speaker, seat: usize) -> Speech {
        let owner = (speaker.owner != TABLE).then_some(speaker.owner as usize);
        Speech { card: speaker.piece.index(), owner, me: owner.unwrap_or(seat), entry: speaker.entry.index() }
    }
}

impl Game {
    /// The value of any expression, also one that was made after the ruleset was compiled; `None` where a number is too large or
    /// divided by 0.
    pub fn plain_value(&mut self, rules: &Ruleset, node: NodeId, env: &Env) -> Option<i64> {
        plain::value(self, rules, node, env)
    }

    /// The cards of a set, in their order; `None` where a number went wrong.
    pub fn plain_cards(&mut self, rules: &Ruleset, set: u32, env: &Env) -> Option<Vec<i32>> {
        plain::cards_in(self, rules, set, env)
    }

    /// The seats of a set of players; `None` where a number went wrong.
    pub fn plain_seats(&mut self, rules: &Ruleset, set: u32, env: &Env) -> Option<Vec<usize>> {
        plain::seats_in(self, rules, set, env)
    }

    /// A quantity of a seat with all changes; `None` where a number went wrong.
    pub fn plain_quantity(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
        plain::quantity(self, rules, index, seat, args)
    }

    /// What a quantity of a seat differs by for a while, with how long.
    pub fn differences(&self, rules: &Ruleset, index: u16, seat: usize) -> Vec<(Lifetime, i64)> {
        let Some(first) = rules.quantities[index as usize].differences else { return Vec::new() };
        let cell = |at: usize| self.cell(rules, rules.layout.seat(seat, first as usize + at)) as i64;
        let all = Lifetime::ALL.into_iter().enumerate().map(|(at, lifetime)| (lifetime, cell(at)));
        all.filter(|(_, number)| *number != 0).collect()
    }

    /// The changes that cards in play make to a quantity of a seat, in the order in which they come; whether their conditions hold is not
    /// asked.
    pub fn changes_of(&mut self, rules: &Ruleset, index: u16, seat: usize) -> Vec<Speech> {
        self.refresh_active(rules);
        let who = |speaker: &Speaker| rules.definition(speaker.piece.index()).changes[speaker.entry.index()].who;
        let all = self.active.changes(index).iter().filter(|speaker| concerns(who(speaker), speaker.owner, seat));
        all.map(|&speaker| Speech::of(speaker, seat)).collect()
    }

    /// The entries of cards in play that could forbid an action to a seat; whether their conditions hold is not asked.
    pub fn forbids_of(&mut self, rules: &Ruleset, action: u16, seat: usize) -> Vec<Speech> {
        self.refresh_active(rules);
        let who = |speaker: &Speaker| rules.definition(speaker.piece.index()).forbids[speaker.entry.index()].who;
        let all = self.active.forbids(action).iter().filter(|speaker| concerns(who(speaker), speaker.owner, seat));
        all.map(|&speaker| Speech::of(speaker, seat)).collect()
    }

    /// The entries of cards that hear a moment of a seat, in the order in which they would act; whether their conditions hold is not
    /// asked. `card` is the moment's card, or -1.
    pub fn hearers_of(&mut self, rules: &Ruleset, moment: u16, seat: usize, card: i32) -> Vec<Speech> {
        let mut all = Vec::new();
        self.each_hearer(rules, moment, seat, card, |_, speaker| {
            let hook = &rules.definition(speaker.piece.index()).hooks[speaker.entry.index()];
            if (!hook.own_only || card == speaker.piece.local()) && concerns(hook.who, speaker.owner, seat) {
                all.push(Speech::of(speaker, seat));
            }
        });
        all
    }

    /// From now on others are looked at as ranks look at them: while all act at once, as they were before. Gives how it was.
    pub fn look_as_ranks_do(&mut self) -> Looks {
        let eyes = self.eyes;
        if let Eyes::Own(_) = eyes {
            self.eyes = Eyes::Before;
        }
        Looks(eyes)
    }

    /// From now on it is looked at as before.
    pub fn look_again(&mut self, looks: Looks) {
        self.eyes = looks.0;
    }

    /// The seats in turn order, as whoever runs sees it.
    pub fn order_as_seen(&self, rules: &Ruleset) -> Vec<usize> {
        (0..rules.players).map(|place| cast::index(self.cell(rules, head::ORDER + place))).collect()
    }

    /// All cards in the places of a set, whether they are in the set or not; where it asks for kinds, of these.
    pub fn lying_in(&self, rules: &Ruleset, set: u32, seat: usize) -> Vec<usize> {
        let set = &rules.sets[set as usize];
        let places = set.places.iter().map(|&place| &rules.places[place as usize]);
        let all = places.flat_map(|declared| instances(rules, declared, set.whose, seat)).flat_map(|at| self.all_in(rules, at));
        all.filter(|&card| set.kinds == 0 || set.kinds >> rules.piece_kind[card] & 1 == 1).collect()
    }

    /// How much of a symbol a pool can pay, with exchanges.
    pub fn payable_from(&mut self, rules: &Ruleset, symbol: i64, pool: u8, seat: usize) -> i64 {
        self.payable(rules, symbol, pool, seat)
    }

    /// What expressions can name where the open question is asked: the seat spoken of, and the locals of what runs.
    pub fn asked_in(&mut self) -> Env {
        self.read_frame().env
    }

    /// The op at which the open question is asked, or the one behind it; with what expressions can name there.
    pub fn asked_at(&mut self) -> (Pc, Env) {
        let frame = self.read_frame();
        (frame.pc, frame.env)
    }
}
