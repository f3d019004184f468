//! Natives that change the game. Changes happen at once. Events that they cause, and anything that may ask a question, wait until the
//! script has ended.

use super::super::host::ScriptContext;
use super::read::{card, seat};
use crate::engine::{Machine, Stop, change, checks, forgetting, listeners, moves, position};

impl ScriptContext {
    pub fn gain(&self, machine: &mut Machine<'_>, [p, r, n]: [i64; 3]) -> Result<(), Stop> {
        machine.change(|store| {
            let resource = usize::from(self.words.resource(r)?);
            change::gain(store, seat(store.rules, p)?, resource, self.words.expect_number(n)?)
        })
    }

    pub fn lose(&self, machine: &mut Machine<'_>, [p, r, n]: [i64; 3]) -> Result<(), Stop> {
        self.lose_for(machine, [p, r, n], None)
    }

    pub fn lose_named(&self, machine: &mut Machine<'_>, [p, r, n, name]: [i64; 4]) -> Result<(), Stop> {
        self.lose_for(machine, [p, r, n], Some(name))
    }

    fn lose_for(&self, machine: &mut Machine<'_>, [p, r, n]: [i64; 3], name: Option<i64>) -> Result<(), Stop> {
        machine.change(|store| {
            let resource = usize::from(self.words.resource(r)?);
            let name = name.map(|name| self.words.loss(name)).transpose()?;
            change::lose_later(store, seat(store.rules, p)?, resource, self.words.expect_number(n)?, name)
        })
    }

    pub fn pay(&self, machine: &mut Machine<'_>, [p, r, n]: [i64; 3]) -> Result<(), Stop> {
        machine.change(|store| {
            let resource = usize::from(self.words.resource(r)?);
            change::pay(store, seat(store.rules, p)?, &[(resource, self.words.expect_number(n)?)])
        })
    }

    pub fn add_to_counter(&self, machine: &mut Machine<'_>, [p, counter, n]: [i64; 3]) -> Result<(), Stop> {
        machine.change(|store| {
            let rules = store.rules;
            let offset = self.words.counter(counter)?;
            let seat = seat(rules, p)?;
            let old = store.state().cells()[rules.layout.seat(seat, offset)] as i64;
            change::write_seat(store, seat, offset, old + self.words.expect_number(n)?)
        })
    }

    pub fn set_counter(&self, machine: &mut Machine<'_>, [p, counter, n]: [i64; 3]) -> Result<(), Stop> {
        machine.change(|store| {
            let rules = store.rules;
            let (offset, flag) = self.words.writable(counter)?;
            let value = if flag { self.expect_truth(n)? as i64 } else { self.words.expect_number(n)? };
            change::write_seat(store, seat(rules, p)?, offset, value)
        })
    }

    fn expect_truth(&self, value: i64) -> Result<bool, Stop> {
        match (value, self.words.meanings_of(value).and_then(|m| m.truth)) {
            (_, Some(truth)) => Ok(truth),
            (0 | 1, None) => Ok(value == 1),
            _ => Err(Stop::fault(format!("a flag is yes or no, not {}", self.words.text(value)))),
        }
    }

    pub fn add_to_card_counter(&self, machine: &mut Machine<'_>, [c, counter, n]: [i64; 3]) -> Result<(), Stop> {
        machine.change(|store| {
            let rules = store.rules;
            let variable = &rules.piece[self.words.writable_card_counter(counter)? as usize];
            let n = self.words.expect_number(n)?;
            let Some(card) = card(rules, c)? else { return Ok(()) };
            let old = store.state().cells()[rules.layout.piece(card, variable.offset as usize)] as i64;
            change::write_piece(store, card, variable.offset as usize, old + n)
        })
    }

    pub fn remove_card(&self, machine: &mut Machine<'_>, [c]: [i64; 1]) -> Result<(), Stop> {
        match card(machine.store.rules, c)? {
            Some(card) => moves::remove(machine, card),
            None => Ok(()),
        }
    }

    pub fn place_card(&self, machine: &mut Machine<'_>, [c, place]: [i64; 2]) -> Result<(), Stop> {
        let rules = machine.store.rules;
        let place = self.words.place(place)? as usize;
        let Some(card) = card(rules, c)? else { return Ok(()) };
        let declared = &rules.places[place];
        let kind = rules.definition(card).kind;
        machine.store.watch_fact(card, |card| rules.definition(card).kind);
        if declared.kinds != 0 && declared.kinds >> kind & 1 == 0 {
            let kind = rules.kinds.get(kind as usize).map_or("?", |k| rules.names.text(k.name));
            return Err(Stop::fault(format!("cards of kind `{kind}` do not go into `{}`", declared.name)));
        }
        let instance = position::instance(rules, place, self.me());
        let room = rules.layout.places[instance].room as i64;
        let limit = declared.limit.map_or(room, |quantity| machine.store.quantity(quantity, self.me(), [-1; 2]));
        let Some(slot) = machine.store.position().free_slot(instance, limit) else {
            return Err(Stop::fault(format!("no place is free in `{}`", declared.name)));
        };
        forgetting::before_move(&mut machine.store, card, instance);
        moves::move_piece(machine, card, instance, slot)?;
        checks::after_change(machine)
    }

    pub fn move_to_front_of_order(&self, machine: &mut Machine<'_>, [p]: [i64; 1]) -> Result<(), Stop> {
        machine.change(|store| change::move_in_order(store, seat(store.rules, p)?, false))
    }

    pub fn move_to_end_of_order(&self, machine: &mut Machine<'_>, [p]: [i64; 1]) -> Result<(), Stop> {
        machine.change(|store| change::move_in_order(store, seat(store.rules, p)?, true))
    }

    pub fn add_difference(&self, machine: &mut Machine<'_>, [p, quantity, n, lifetime]: [i64; 4]) -> Result<(), Stop> {
        machine.change(|store| {
            let rules = store.rules;
            let quantity = self.words.quantity(quantity)?;
            let lifetime = self.words.lifetime(lifetime)?;
            change::add_difference(store, seat(rules, p)?, quantity as usize, self.words.expect_number(n)?, lifetime)
        })
    }

    pub fn raise_moment(&self, machine: &mut Machine<'_>, [moment]: [i64; 1]) -> Result<(), Stop> {
        let moment = self.words.moment(moment)?;
        listeners::raise_later(&mut machine.store, moment, self.me(), -1)
    }
}
