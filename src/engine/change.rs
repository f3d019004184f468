//! What changes the state: resources, counters, the order of seats. Each runs the state-based checks after it.

use super::checks;
use super::decision::Stop;
use super::eval::Env;
use super::listeners;
use super::machine::Machine;
use super::queue::QueuedFrame;
use super::ruleset::{Lifetime, Target, Write};
use crate::cast;
use houserule_state::layout::head;

/// Gains; a negative number is nothing.
///
/// # Errors
/// A number beyond 32 bits.
pub fn gain(machine: &mut Machine<'_>, seat: usize, resource: usize, n: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    if n <= 0 {
        return Ok(());
    }
    let cell = rules.layout.seat(seat, resource);
    machine.add(cell, n)?;
    machine.say(|| format!("p{} gains {n} {}", seat + 1, rules.names.text(rules.resources[resource])));
    checks::after_change(machine)
}

/// Takes what there is of a forced loss and returns the shortage that is then due, if any.
pub(crate) fn take(machine: &mut Machine<'_>, seat: usize, resource: usize, n: i64) -> Result<Option<QueuedFrame>, Stop> {
    let rules = machine.rules;
    if n <= 0 {
        return Ok(None);
    }
    let cell = rules.layout.seat(seat, resource);
    let there = machine.state.cells()[cell] as i64;
    let taken = n.min(there);
    machine.put(cell, there - taken)?;
    machine.say(|| {
        let name = rules.names.text(rules.resources[resource]);
        let short = if taken < n { format!(", {} short", n - taken) } else { String::new() };
        format!("p{} loses {taken} {name}{short}", seat + 1)
    });
    checks::after_change(machine)?;
    if taken == n {
        return Ok(None);
    }
    let due = rules.shortages.iter().position(|s| s.resources >> resource & 1 == 1);
    let missing = cast::fit::<i32>((n - taken).min(i32::MAX as i64));
    Ok(due.map(|shortage| QueuedFrame {
        pc: rules.shortages[shortage].begin,
        me: cast::seat(seat),
        locals: [-1, cast::fit::<i32>(resource), missing, -1, -1],
    }))
}

/// A forced loss within a script: what is missing is asked for when the script has ended.
///
/// # Errors
/// A number beyond 32 bits.
pub fn lose_later(machine: &mut Machine<'_>, seat: usize, resource: usize, n: i64, name: Option<u16>) -> Result<(), Stop> {
    if n > 0
        && let Some(name) = name
        && let Some(instead) = listeners::replaced(machine, name, Some(seat))
    {
        machine.memory.queue.push(instead);
        return Ok(());
    }
    if let Some(due) = take(machine, seat, resource, n)? {
        machine.memory.queue.push(due);
    }
    Ok(())
}

/// Pays what a seat has, and lets the moment `spent` be heard: by the op [`super::op::Op::Waiting`] behind the one that pays.
///
/// # Errors
/// Paying more than one has is a fault: whoever offers a payment checks first that it can be paid.
pub fn pay(machine: &mut Machine<'_>, seat: usize, costs: &[(usize, i64)]) -> Result<(), Stop> {
    let rules = machine.rules;
    let paid = rules.paid.map(|offset| offset as usize);
    if let Some(paid) = paid {
        for resource in 0..rules.resources.len() {
            machine.put(rules.layout.seat(seat, paid + resource), 0)?;
        }
    }
    machine.memory.run.quiet += 1;
    let mut any = false;
    for &(resource, n) in costs {
        if n <= 0 {
            continue;
        }
        any = true;
        let cell = rules.layout.seat(seat, resource);
        if (machine.state.cells()[cell] as i64) < n {
            machine.memory.run.quiet -= 1;
            let name = rules.names.text(rules.resources[resource]);
            return Err(machine.fault(format!("{n} {name} had to be paid where there were only {}", machine.state.cells()[cell])));
        }
        machine.add(cell, -n)?;
        if let Some(paid) = paid {
            let at = rules.layout.seat(seat, paid + resource);
            machine.add(at, n)?;
        }
        machine.say(|| format!("p{} pays {n} {}", seat + 1, rules.names.text(rules.resources[resource])));
    }
    machine.memory.run.quiet -= 1;
    if any && let Some(spent) = rules.spent {
        listeners::raise_later(machine, spent, seat, -1)?;
    }
    checks::after_change(machine)
}

/// Writes a counter, flag or tally of a seat; it never goes below 0.
///
/// # Errors
/// A number beyond 32 bits.
pub fn write_seat(machine: &mut Machine<'_>, seat: usize, offset: usize, value: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    let cell = rules.layout.seat(seat, offset);
    if value < 0 && offset < rules.resources.len() {
        return Err(machine.fault("a resource may not become negative; use `lose`"));
    }
    machine.put(cell, value)?;
    checks::after_change(machine)
}

/// Writes a cell of the table.
///
/// # Errors
/// A number beyond 32 bits.
pub fn write_table(machine: &mut Machine<'_>, cell: usize, value: i64) -> Result<(), Stop> {
    machine.put(cell, value)?;
    checks::after_change(machine)
}

/// Writes a counter of a piece.
///
/// # Errors
/// A negative counter, or a number beyond 32 bits.
pub fn write_piece(machine: &mut Machine<'_>, card: usize, offset: usize, value: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    if value < 0 {
        return Err(machine.fault("a counter on a card may not become negative"));
    }
    machine.put(rules.layout.piece(card, offset), value)?;
    checks::after_change(machine)
}

/// Adds a difference to a quantity of a seat for a while.
///
/// # Errors
/// A number beyond 32 bits; a quantity with arguments has no differences.
pub fn differ(machine: &mut Machine<'_>, seat: usize, quantity: usize, n: i64, lifetime: Lifetime) -> Result<(), Stop> {
    let rules = machine.rules;
    let Some(offset) = rules.quantities[quantity].differences else {
        return Err(
            machine.fault(format!("`{}` has arguments; only plain quantities can differ for a while", rules.quantities[quantity].name))
        );
    };
    for offset in [offset as usize + lifetime as usize, offset as usize + Lifetime::ALL.len()] {
        let cell = rules.layout.seat(seat, offset);
        machine.add(cell, n)?;
    }
    machine.say(|| format!("p{}'s {} differs by {n} until the end of the {}", seat + 1, rules.quantities[quantity].name, lifetime.word()));
    checks::after_change(machine)
}

/// Writes the order of seats.
///
/// # Errors
/// None in practice; cells are written through the common door.
pub fn set_order(machine: &mut Machine<'_>, seats: &[usize]) -> Result<(), Stop> {
    for (place, &seat) in seats.iter().enumerate() {
        machine.put(head::ORDER + place, cast::count(seat))?;
    }
    machine.say(|| format!("the order is {}", seats.iter().map(|s| format!("p{}", s + 1)).collect::<Vec<_>>().join(", ")));
    checks::after_change(machine)
}

/// Moves a seat to the first or the last place of the order; the others keep theirs.
///
/// # Errors
/// As for [`set_order`].
pub fn order_to(machine: &mut Machine<'_>, seat: usize, last: bool) -> Result<(), Stop> {
    let rules = machine.rules;
    let mut seats = [seat; head::MAX_SEATS];
    let others = machine.state.cells()[head::ORDER..head::ORDER + rules.players]
        .iter()
        .map(|&other| cast::index(other))
        .filter(|&other| other != seat);
    seats.iter_mut().skip(if last { 0 } else { 1 }).zip(others).for_each(|(to, other)| *to = other);
    set_order(machine, &seats[..rules.players])
}

/// Writes what a statement of the rules names: sets it, or adds to it.
///
/// # Errors
/// A place that is not in a row, and as for what is written.
pub fn write_target(machine: &mut Machine<'_>, target: &Target, write: Write, value: i64, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.rules;
    let combine = |old: i32| match write {
        Write::Set => value,
        Write::Add => (old as i64).saturating_add(value),
        Write::Sub => (old as i64).saturating_sub(value),
    };
    match target {
        Target::Global(cell) => write_table(machine, *cell as usize, combine(machine.state.cells()[*cell as usize])),
        Target::Own(offset) => {
            let old = machine.state.cells()[rules.layout.seat(env.me, *offset as usize)];
            write_seat(machine, env.me, *offset as usize, combine(old))
        }
        Target::OwnAt(offset, len, index) => {
            let index = machine.eval(*index, env);
            if index < 0 || index >= *len as i64 {
                return Err(Stop::fault(format!("{index} is no place in a row of {len}")));
            }
            let offset = *offset as usize + cast::index(index);
            let old = machine.state.cells()[rules.layout.seat(env.me, offset)];
            write_seat(machine, env.me, offset, combine(old))
        }
        Target::Counter(card, offset) => {
            let card = machine.eval(*card, env);
            if card < 0 {
                return Ok(());
            }
            let old = machine.state.cells()[rules.layout.piece(cast::index(card), *offset as usize)];
            write_piece(machine, cast::index(card), *offset as usize, combine(old))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::moves::{move_piece, remove};
    use crate::testing::{DENS, PILE, game, rules};
    use houserule_state::layout::OUT;

    #[test]
    fn a_piece_takes_its_slot_and_leaves_it() {
        let rules = rules(|_, _| {});
        let mut game = game(&rules);
        let [card, other] = [3, 2].map(|slot| game.position(&rules).piece_at(PILE, slot).expect("a piece"));
        assert_eq!(move_piece(&mut game.on(&rules), card, DENS, 2), Ok(()));
        let there = game.position(&rules);
        assert_eq!((there.piece_at(PILE, 3), there.piece_at(DENS, 2), there.place_of(card)), (None, Some(card), (DENS, 2)));
        assert_eq!((there.pieces_in(PILE), there.pieces_in(DENS), there.free_slot(DENS, 5)), (3, 1, Some(0)));
        assert!(move_piece(&mut game.on(&rules), other, DENS, 2).is_err(), "the slot is taken");
        assert_eq!(remove(&mut game.on(&rules), card), Ok(()));
        assert_eq!((game.position(&rules).place_of(card).0, game.position(&rules).pieces_in(DENS)), (OUT, 0));
    }
}
