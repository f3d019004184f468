//! Whether what is worked out rests on anything that a seat does not know.
//!
//! While a game is watched for a seat, whatever reads a card that the seat does not know, or what is counted on one that it does not see
//! into, is noted. Values come from the code of expressions as ever, which may have kept them; so each expression is walked through once more,
//! plainly (`eval::plain`), where every read is seen. A read tells nothing if it would give the same for every card that may lie there.

use super::definition::Definition;
use super::eval::{Env, plain};
use super::game::Game;
use super::ruleset::{NodeId, Ruleset};
use crate::cast;
use std::cell::Cell;

/// For whom reads are noted, and whether there was one.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    seat: Option<u8>,
    read: Cell<bool>,
}

impl Watch {
    /// Whether reads are noted.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.seat.is_some()
    }
}

impl Game {
    /// Notes from now on whether anything is read that a seat does not know. A copy of the game is not watched.
    pub fn watch(&mut self, seat: usize) {
        self.watch = Watch { seat: Some(cast::seat(seat)), read: Cell::new(false) };
    }

    /// Whether anything has been read that the seat does not know since it is watched, or since this was asked last.
    pub fn take_read_hidden(&self) -> bool {
        self.watch.read.take()
    }

    /// Goes through something with the reads of a seat's own listing not noted, if it is another seat than the one that is watched for: what one
    /// may do in one's turn is shown to nobody else.
    pub(super) fn unwatched_for<T>(&mut self, seat: usize, f: impl FnOnce(&mut Game) -> T) -> T {
        let watch = self.watch.clone();
        if self.watch.seat.is_some_and(|watched| watched as usize != seat) {
            self.watch = Watch::default();
        }
        let done = f(self);
        if watch.is_on() && !self.watch.is_on() {
            self.watch = watch;
        }
        done
    }

    /// The seat for which reads are noted, while there has been none.
    fn looks_for(&self) -> Option<usize> {
        self.watch.seat.filter(|_| !self.watch.read.get()).map(usize::from)
    }

    /// Whether the game is watched for a seat that does not know this card.
    pub(super) fn is_unseen(&self, rules: &Ruleset, card: usize) -> bool {
        self.watch.seat.is_some_and(|seat| rules.is_unknown(&self.cells, seat.into(), card))
    }

    /// Notes what an expression reads.
    #[cold]
    pub(super) fn look_through(&mut self, rules: &Ruleset, node: NodeId, env: &Env) {
        self.look(|game| _ = plain::value(game, rules, node, env));
    }

    /// Notes what a quantity reads.
    #[cold]
    pub(super) fn look_through_quantity(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2]) {
        self.look(|game| _ = plain::quantity(game, rules, index, seat, args));
    }

    /// Notes what it takes to know which cards are in a set.
    #[cold]
    pub(super) fn look_through_cards(&mut self, rules: &Ruleset, set: u32, env: &Env) {
        self.look(|game| _ = plain::cards_in(game, rules, set, env));
    }

    fn look(&mut self, walk: impl FnOnce(&mut Game)) {
        if self.looks_for().is_none() {
            return;
        }
        // What a walk cannot work out it leaves as it stood there.
        let eyes = self.eyes;
        let wrong = self.evaluation.clone();
        walk(self);
        self.eyes = eyes;
        self.evaluation.clone_from(&wrong);
    }

    /// Notes that something is read of a card: what it is printed with, its kind, its name. `fact` is what would be read of another one.
    #[inline]
    pub fn touch<T: PartialEq>(&self, rules: &Ruleset, card: usize, fact: impl Fn(usize) -> T) {
        if self.watch.is_on() {
            self.note_touch(rules, card, fact);
        }
    }

    #[cold]
    fn note_touch<T: PartialEq>(&self, rules: &Ruleset, card: usize, fact: impl Fn(usize) -> T) {
        let Some(seat) = self.looks_for().filter(|&seat| rules.is_unknown(&self.cells, seat, card)) else { return };
        let read = fact(card);
        let alike = rules.hidden.alike(card).iter().map(|&other| other as usize);
        if alike.filter(|&other| rules.is_unknown(&self.cells, seat, other)).any(|other| fact(other) != read) {
            self.watch.read.set(true);
        }
    }

    /// Notes that it is read what is counted on a card.
    #[inline]
    pub fn touch_counters(&self, rules: &Ruleset, card: usize) {
        if self.watch.is_on() && self.looks_for().is_some_and(|seat| !rules.sees_counters(&self.cells, seat, card)) {
            self.watch.read.set(true);
        }
    }

    /// Notes that it is asked which cards in play speak in some way, where some of them lie in secret: that none of those speaks tells as much.
    pub(super) fn touch_speakers(&self, rules: &Ruleset, speaks: impl Fn(&Definition) -> bool) {
        if !self.watch.is_on() {
            return;
        }
        let Some(seat) = self.looks_for() else { return };
        for declared in rules.places.iter().filter(|place| place.hearing && place.hidden) {
            let instances = declared.first as usize..(declared.first + declared.instances) as usize;
            for instance in instances.filter(|&instance| !rules.sees_into(instance, seat)) {
                self.all_in(rules, instance).iter().for_each(|&card| self.touch(rules, card, |card| speaks(rules.definition(card))));
            }
        }
    }
}
