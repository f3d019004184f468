//! What changes the state: resources, counters, pieces that move, the order of seats. Each runs the state-based checks after it.

use super::decision::Stop;
use super::eval::Env;
use super::game::{Eyes, Game};
use super::moment::Waiting;
use super::ruleset::{Check, Lifetime, Ruleset, Shape};
use crate::cast;
use crate::state::layout::{OUT, TABLE, head, piece};

/// State-based checks that go on for longer than this are a fault.
const MAX_CHECKS: usize = 256;

impl Game {
    /// What a seat has of a resource.
    pub fn amount(&self, rules: &Ruleset, seat: usize, resource: usize) -> i64 {
        self.cells[rules.layout.seat(seat, resource)] as i64
    }

    /// Gains; a negative number is nothing.
    ///
    /// # Errors
    /// A number beyond 32 bits.
    pub fn gain(&mut self, rules: &Ruleset, seat: usize, resource: usize, n: i64) -> Result<(), Stop> {
        if n <= 0 {
            return Ok(());
        }
        let cell = rules.layout.seat(seat, resource);
        self.put(rules, cell, self.cells[cell] as i64 + n)?;
        self.say(|| format!("p{} gains {n} {}", seat + 1, rules.names.text(rules.resources[resource])));
        self.after_change(rules)
    }

    /// Takes what there is of a forced loss and returns the shortage that is then due, if any.
    pub(super) fn take(&mut self, rules: &Ruleset, seat: usize, resource: usize, n: i64) -> Result<Option<Waiting>, Stop> {
        if n <= 0 {
            return Ok(None);
        }
        let cell = rules.layout.seat(seat, resource);
        let there = self.cells[cell] as i64;
        let taken = n.min(there);
        self.put(rules, cell, there - taken)?;
        self.say(|| {
            let name = rules.names.text(rules.resources[resource]);
            let short = if taken < n { format!(", {} short", n - taken) } else { String::new() };
            format!("p{} loses {taken} {name}{short}", seat + 1)
        });
        self.after_change(rules)?;
        if taken == n {
            return Ok(None);
        }
        let due = rules.shortages.iter().position(|s| s.resources >> resource & 1 == 1);
        let missing = cast::fit::<i32>((n - taken).min(i32::MAX as i64));
        Ok(due.map(|shortage| Waiting {
            pc: rules.shortages[shortage].begin,
            me: cast::seat(seat),
            locals: [-1, cast::fit::<i32>(resource), missing, -1, -1],
        }))
    }

    /// A forced loss within a script: what is missing is asked for when the script has ended.
    ///
    /// # Errors
    /// A number beyond 32 bits.
    pub fn lose_later(&mut self, rules: &Ruleset, seat: usize, resource: usize, n: i64, name: Option<u16>) -> Result<(), Stop> {
        if n > 0
            && let Some(name) = name
            && let Some(instead) = self.replaced(rules, name, Some(seat))
        {
            self.queue.push(instead);
            return Ok(());
        }
        if let Some(due) = self.take(rules, seat, resource, n)? {
            self.queue.push(due);
        }
        Ok(())
    }

    /// Pays what a seat has, and lets the moment `spent` be heard: by the op [`super::op::Op::Waiting`] behind the one that pays.
    ///
    /// # Errors
    /// Paying more than one has is a fault: whoever offers a payment checks first that it can be paid.
    pub fn pay(&mut self, rules: &Ruleset, seat: usize, costs: &[(usize, i64)]) -> Result<(), Stop> {
        let paid = rules.paid.map(|offset| offset as usize);
        if let Some(paid) = paid {
            for resource in 0..rules.resources.len() {
                self.put(rules, rules.layout.seat(seat, paid + resource), 0)?;
            }
        }
        self.run.quiet += 1;
        let mut any = false;
        for &(resource, n) in costs {
            if n <= 0 {
                continue;
            }
            any = true;
            let cell = rules.layout.seat(seat, resource);
            if (self.cells[cell] as i64) < n {
                self.run.quiet -= 1;
                let name = rules.names.text(rules.resources[resource]);
                return Err(self.fault(rules, format!("{n} {name} had to be paid where there were only {}", self.cells[cell])));
            }
            self.put(rules, cell, self.cells[cell] as i64 - n)?;
            if let Some(paid) = paid {
                let at = rules.layout.seat(seat, paid + resource);
                self.put(rules, at, self.cells[at] as i64 + n)?;
            }
            self.say(|| format!("p{} pays {n} {}", seat + 1, rules.names.text(rules.resources[resource])));
        }
        self.run.quiet -= 1;
        if any && let Some(spent) = rules.spent {
            self.raise_later(rules, spent, seat, -1)?;
        }
        self.after_change(rules)
    }

    /// Writes a counter, flag or tally of a seat; it never goes below 0.
    ///
    /// # Errors
    /// A number beyond 32 bits.
    pub fn write_seat(&mut self, rules: &Ruleset, seat: usize, offset: usize, value: i64) -> Result<(), Stop> {
        let cell = rules.layout.seat(seat, offset);
        if value < 0 && offset < rules.resources.len() {
            return Err(self.fault(rules, "a resource may not become negative; use `lose`"));
        }
        self.put(rules, cell, value)?;
        self.after_change(rules)
    }

    /// Writes a cell of the table.
    ///
    /// # Errors
    /// A number beyond 32 bits.
    pub fn write_table(&mut self, rules: &Ruleset, cell: usize, value: i64) -> Result<(), Stop> {
        self.put(rules, cell, value)?;
        self.after_change(rules)
    }

    /// Writes a counter of a piece.
    ///
    /// # Errors
    /// A negative counter, or a number beyond 32 bits.
    pub fn write_piece(&mut self, rules: &Ruleset, card: usize, offset: usize, value: i64) -> Result<(), Stop> {
        if value < 0 {
            return Err(self.fault(rules, "a counter on a card may not become negative"));
        }
        self.put(rules, rules.layout.piece(card, offset), value)?;
        self.after_change(rules)
    }

    /// Adds a difference to a quantity of a seat for a while.
    ///
    /// # Errors
    /// A number beyond 32 bits; a quantity with arguments has no differences.
    pub fn differ(&mut self, rules: &Ruleset, seat: usize, quantity: usize, n: i64, lifetime: Lifetime) -> Result<(), Stop> {
        let Some(offset) = rules.quantities[quantity].differences else {
            return Err(self.fault(
                rules,
                format!("`{}` has arguments; only plain quantities can differ for a while", rules.quantities[quantity].name),
            ));
        };
        for offset in [offset as usize + lifetime as usize, offset as usize + Lifetime::ALL.len()] {
            let cell = rules.layout.seat(seat, offset);
            self.put(rules, cell, self.cells[cell] as i64 + n)?;
        }
        self.say(|| format!("p{}'s {} differs by {n} until the end of the {}", seat + 1, rules.quantities[quantity].name, lifetime.word()));
        self.after_change(rules)
    }

    /// Number of pieces in a place instance.
    pub fn pieces_in(&self, rules: &Ruleset, instance: usize) -> usize {
        let at = &rules.layout.places[instance];
        if at.room == 0 { 0 } else { cast::index(self.cells[at.base as usize]) }
    }

    /// The piece in a slot.
    pub fn piece_at(&self, rules: &Ruleset, instance: usize, slot: usize) -> Option<usize> {
        let at = &rules.layout.places[instance];
        let piece = if slot < at.room as usize { self.cells[at.base as usize + 1 + slot] } else { 0 };
        (piece > 0).then(|| cast::index(piece) - 1)
    }

    /// The first free slot of a place below a limit.
    pub fn free_slot(&self, rules: &Ruleset, instance: usize, limit: i64) -> Option<usize> {
        let room = rules.layout.places[instance].room as i64;
        let declared = &rules.places[rules.layout.places[instance].declared as usize];
        (0..cast::index(limit.clamp(0, room))).find(|&slot| declared.is_space(slot) && self.piece_at(rules, instance, slot).is_none())
    }

    /// Moves a piece into a slot, which must be free, or out of the game. A piece that stays in its place, in another slot, does not leave it.
    ///
    /// # Errors
    /// A slot that is taken, and faults of what happens when the piece leaves its place.
    pub fn move_piece(&mut self, rules: &Ruleset, card: usize, to: usize, slot: usize) -> Result<(), Stop> {
        let from = cast::index(self.cells[rules.layout.piece(card, piece::PLACE)]);
        let left = &rules.layout.places[from];
        if from != to
            && left.room > 0
            && let Some(pc) = rules.places[left.declared as usize].on_leave
        {
            let me = if left.owner == TABLE { 0 } else { left.owner as usize };
            self.run_native(rules, pc, Env::with(me, &[cast::fit::<i32>(card), cast::fit::<i32>(card)]))?;
        }
        self.move_unheard(rules, card, to, slot)
    }

    /// Moves a piece without what follows when one leaves its place: for pieces that come back to it.
    ///
    /// # Errors
    /// A slot that is taken.
    pub(super) fn move_unheard(&mut self, rules: &Ruleset, card: usize, to: usize, slot: usize) -> Result<(), Stop> {
        let layout = &rules.layout;
        let from = cast::index(self.cells[layout.piece(card, piece::PLACE)]);
        let left = &layout.places[from];
        if left.room > 0 {
            let declared = &rules.places[left.declared as usize];
            let base = left.base as usize;
            let position = cast::index(self.cells[layout.piece(card, piece::POSITION)]);
            let count = self.cells[base] as i64;
            if declared.shape == Shape::Deck {
                for at in position..cast::index(count) - 1 {
                    let next = self.cells[base + 2 + at];
                    self.put(rules, base + 1 + at, next as i64)?;
                    self.put(rules, layout.piece(cast::index(next) - 1, piece::POSITION), cast::count(at))?;
                }
                self.put(rules, base + cast::index(count), 0)?;
            } else {
                self.put(rules, base + 1 + position, 0)?;
            }
            self.put(rules, base, count - 1)?;
        }
        let target = &layout.places[to];
        if target.room > 0 {
            let base = target.base as usize;
            if slot >= target.room as usize || self.cells[base + 1 + slot] != 0 {
                let name = &rules.places[target.declared as usize].name;
                return Err(self.fault(rules, format!("there is no free slot {} in `{name}`", slot + 1)));
            }
            self.put(rules, base + 1 + slot, cast::count(card) + 1)?;
            self.put(rules, base, self.cells[base] as i64 + 1)?;
        }
        self.put(rules, layout.piece(card, piece::PLACE), cast::count(to))?;
        self.put(rules, layout.piece(card, piece::POSITION), cast::count(slot))?;
        if target.room > 0 && target.owner != TABLE && rules.places[target.declared as usize].limit.is_some() {
            self.due.room = true;
            self.due.checks = true;
        }
        let everybody = (1 << rules.players) - 1;
        let known = layout.piece(card, piece::KNOWN);
        let seen = match rules.places.get(target.declared as usize).filter(|_| target.room > 0) {
            None => {
                if to == OUT {
                    everybody
                } else {
                    0
                }
            }
            Some(declared) if declared.shape == Shape::Deck => 0,
            Some(declared) if !declared.hidden => everybody,
            Some(_) if target.owner == TABLE => 0,
            Some(_) => 1 << target.owner,
        };
        if seen != 0 {
            self.put(rules, known, (self.cells[known] | seen) as i64)?;
        }
        self.note_speaker(rules, card, from, to)
    }

    fn note_speaker(&mut self, rules: &Ruleset, card: usize, from: usize, to: usize) -> Result<(), Stop> {
        let definition = rules.definition(card);
        if !definition.speaks() {
            return Ok(());
        }
        let hears = |instance: usize| {
            let at = &rules.layout.places[instance];
            at.room > 0 && rules.hearing >> at.declared & 1 == 1
        };
        if !hears(from) && !hears(to) {
            return Ok(());
        }
        if !hears(from) {
            for &offset in &rules.arrivals {
                self.put(rules, rules.layout.piece(card, offset as usize), 1)?;
            }
        }
        self.due.active = true;
        self.due.checks = true;
        if !definition.changes.is_empty() {
            self.due.room = true;
            self.unmark_changes(rules, card);
        }
        Ok(())
    }

    /// Takes a card out of the game.
    ///
    /// # Errors
    /// Faults of what happens when it leaves.
    pub fn remove(&mut self, rules: &Ruleset, card: usize) -> Result<(), Stop> {
        if cast::index(self.cells[rules.layout.piece(card, piece::PLACE)]) == OUT {
            return Ok(());
        }
        self.say(|| format!("{} is removed", rules.names.text(rules.definition(card).id)));
        self.move_piece(rules, card, OUT, 0)?;
        self.clear_counters(rules, card)?;
        self.after_change(rules)
    }

    /// Gives the counters of a piece what they begin with.
    pub(super) fn clear_counters(&mut self, rules: &Ruleset, card: usize) -> Result<(), Stop> {
        for variable in &rules.piece {
            self.put(rules, rules.layout.piece(card, variable.offset as usize), 0)?;
        }
        for &(offset, first) in &rules.definition(card).counters {
            self.put(rules, rules.layout.piece(card, offset as usize), first as i64)?;
        }
        Ok(())
    }

    /// The top card of a deck instance.
    pub fn top_card(&self, rules: &Ruleset, instance: usize) -> Option<usize> {
        let count = self.pieces_in(rules, instance);
        count.checked_sub(1).and_then(|top| self.piece_at(rules, instance, top))
    }

    /// Writes the order of seats.
    ///
    /// # Errors
    /// None in practice; cells are written through the common door.
    pub fn set_order(&mut self, rules: &Ruleset, seats: &[usize]) -> Result<(), Stop> {
        for (place, &seat) in seats.iter().enumerate() {
            self.put(rules, head::ORDER + place, cast::count(seat))?;
        }
        self.say(|| format!("the order is {}", seats.iter().map(|s| format!("p{}", s + 1)).collect::<Vec<_>>().join(", ")));
        self.after_change(rules)
    }

    /// Moves a seat to the first or the last place of the order; the others keep theirs.
    ///
    /// # Errors
    /// As for [`Game::set_order`].
    pub fn order_to(&mut self, rules: &Ruleset, seat: usize, last: bool) -> Result<(), Stop> {
        let mut seats = [seat; head::MOST_SEATS];
        let others =
            self.cells[head::ORDER..head::ORDER + rules.players].iter().map(|&other| cast::index(other)).filter(|&other| other != seat);
        seats.iter_mut().skip(if last { 0 } else { 1 }).zip(others).for_each(|(to, other)| *to = other);
        self.set_order(rules, &seats[..rules.players])
    }

    /// The state-based checks: run after every single change, until nothing more happens; never while all act at once, nor
    /// between the parts of one cost.
    #[inline]
    pub fn after_change(&mut self, rules: &Ruleset) -> Result<(), Stop> {
        if self.due.checks && self.run.quiet == 0 && self.eyes == Eyes::Live { self.check(rules) } else { Ok(()) }
    }

    fn check(&mut self, rules: &Ruleset) -> Result<(), Stop> {
        self.run.quiet += 1;
        let mut rounds = 0;
        let mut result = Ok(());
        while self.due.checks && result.is_ok() {
            self.due.checks = false;
            rounds += 1;
            if rounds > MAX_CHECKS {
                result = Err(Stop::fault("state-based checks never come to rest"));
                break;
            }
            for check in &rules.checks {
                result = match check {
                    Check::Leaving => self.check_leaving(rules),
                    Check::Room => self.check_room(rules),
                };
                if result.is_err() {
                    break;
                }
            }
        }
        self.run.quiet -= 1;
        result
    }

    fn check_leaving(&mut self, rules: &Ruleset) -> Result<(), Stop> {
        self.refresh_active(rules);
        self.touch_speakers(rules, |definition| definition.leaves_when.is_some());
        if self.active.leavers().is_empty() {
            return Ok(());
        }
        let mut leaving = std::mem::take(&mut self.scratch.cards);
        leaving.clear();
        for i in 0..self.active.leavers().len() {
            let speaker = self.active.leavers()[i];
            let Some(when) = rules.definition(speaker.piece.index()).leaves_when else { continue };
            let me = if speaker.owner == TABLE { 0 } else { speaker.owner as usize };
            if self.check_holds(rules, when, &mut Env::with(me, &[speaker.piece.local(), speaker.piece.local()])) {
                leaving.push(speaker.piece.local());
            }
        }
        let left = leaving.iter().try_for_each(|&card| self.remove(rules, cast::index(card)));
        self.scratch.cards = leaving;
        left
    }

    fn check_room(&mut self, rules: &Ruleset) -> Result<(), Stop> {
        if !std::mem::take(&mut self.due.room) {
            return Ok(());
        }
        for declared in rules.places.iter().filter(|p| p.of_seat && p.limit.is_some()) {
            for seat in 0..rules.players {
                let instance = declared.first as usize + seat;
                let limit = cast::index(declared.limit.map_or(0, |q| self.quantity(rules, q, seat, [-1; 2])).max(0));
                // As many as are too many go, from the end; a gap before them is room.
                for slot in (0..rules.layout.places[instance].room as usize).rev() {
                    if self.pieces_in(rules, instance) <= limit {
                        break;
                    }
                    if let Some(card) = self.piece_at(rules, instance, slot) {
                        self.remove(rules, card)?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, fault, game, values};
    use super::*;

    #[test]
    fn a_loss_stops_at_nothing_and_the_shortage_follows() {
        let (rules, game) = game(&Added { setup: "each player { lose 5 wisp }", ..Added::default() });
        assert_eq!((values(&rules, &game, "wisp"), values(&rules, &game, "fog")), (vec![0, 0], vec![1, 1]));
    }

    #[test]
    fn what_cannot_be_paid_is_a_fault_and_nothing_is_paid() {
        let found = fault(&Added { setup: "each player { pay 4 wisp }", ..Added::default() });
        assert_eq!(found.message, "4 wisp had to be paid where there were only 3");
    }

    #[test]
    fn numbers_beyond_a_cell_are_faults() {
        let found = fault(&Added { setup: "moon = 2000000000; moon += 2000000000", ..Added::default() });
        assert_eq!(found.message, "a number grew to 4000000000, which is more than a state can hold");
    }

    #[test]
    fn a_piece_takes_its_slot_and_leaves_it() {
        let (rules, mut game) = game(&Added { setup: "fill row from pile", ..Added::default() });
        let place = |name: &str| rules.places[rules.find_place(name).unwrap_or(0)].first as usize;
        let (row, den) = (place("row"), place("den"));
        let card = game.piece_at(&rules, row, 1).unwrap_or(0);
        assert_eq!(game.move_piece(&rules, card, den, 2), Ok(()));
        assert_eq!((game.piece_at(&rules, row, 1), game.piece_at(&rules, den, 2)), (None, Some(card)));
        assert_eq!((game.pieces_in(&rules, row), game.pieces_in(&rules, den), game.place_of(&rules, card)), (3, 1, (den, 2)));
        assert_eq!(game.free_slot(&rules, den, 5), Some(0));
        let other = game.piece_at(&rules, row, 0).unwrap_or(0);
        assert!(game.move_piece(&rules, other, den, 2).is_err(), "the slot is taken");
        // What lay on it goes to its owner when it leaves.
        let moss = rules.piece.iter().find(|v| v.name == "moss").map_or(0, |v| v.offset as usize);
        assert_eq!(game.write_piece(&rules, card, moss, 4), Ok(()));
        assert_eq!(game.remove(&rules, card), Ok(()));
        assert_eq!((game.place_of(&rules, card).0, values(&rules, &game, "idle")), (OUT, vec![4, 0]));
    }

    #[test]
    fn the_order_of_seats_is_changed_one_by_one() {
        let rules = super::super::sample::rules(3, &Added::default());
        let mut game = Game::new(&rules, 1);
        assert_eq!(game.order_to(&rules, 0, true), Ok(()));
        assert_eq!(game.order(&rules), [1, 2, 0]);
        assert_eq!(game.order_to(&rules, 2, false), Ok(()));
        assert_eq!(game.order(&rules), [2, 1, 0]);
    }

    #[test]
    fn a_difference_lasts_as_long_as_it_says() {
        let (rules, mut game) = game(&Added { actions: "action wait { does { moon = 0 } }", ..Added::default() });
        let howl = rules.quantities.iter().position(|quantity| quantity.name == "howl").unwrap_or(0);
        for (lifetime, n) in [(Lifetime::Action, 1), (Lifetime::Turn, 10), (Lifetime::Game, 100)] {
            assert_eq!(game.differ(&rules, 0, howl, n, lifetime), Ok(()));
        }
        assert_eq!(game.quantity(&rules, howl as u16, 0, [-1; 2]), 111);
        super::super::sample::answer(&rules, &mut game, "wait");
        assert_eq!(game.quantity(&rules, howl as u16, 0, [-1; 2]), 100);
    }
}
