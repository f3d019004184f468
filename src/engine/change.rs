//! Operations that change resources, counters and the order of seats. Each runs the state-based checks afterwards.

use super::checks;
use super::decision::Stop;
use super::eval::Env;
use super::flows;
use super::listeners;
use super::machine::Machine;
use super::queued_frame::QueuedFrame;
use super::ruleset::{Lifetime, Names, NodeId, Ruleset, Target, Variable, Write};
use super::secrecy;
use crate::cast;
use houserule_state::layout::head;

/// Gives a seat an amount of a resource; an amount of 0 or less does nothing.
///
/// # Errors
/// A number beyond 32 bits.
pub fn gain(machine: &mut Machine<'_>, seat: usize, resource: usize, amount: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    if amount <= 0 {
        return Ok(());
    }
    let cell = rules.layout.seat(seat, resource);
    secrecy::check_bounds(machine, cell, i64::from(machine.state.cells()[cell]) + amount)?;
    machine.add(cell, amount)?;
    flows::note_change(machine, seat, resource, amount);
    secrecy::note_written(machine, cell)?;
    secrecy::redact_amount(machine, cell, seat, || format!("p{} gains some {}", seat + 1, rules.names.text(rules.resources[resource])));
    machine.log_line(|| format!("p{} gains {amount} {}", seat + 1, rules.names.text(rules.resources[resource])));
    checks::after_change(machine)
}

/// Takes as much of a resource as the seat has, for a forced loss. If that is too little, returns the frame of the matching shortage rule,
/// if there is one.
pub(crate) fn take_forced(machine: &mut Machine<'_>, seat: usize, resource: usize, amount: i64) -> Result<Option<QueuedFrame>, Stop> {
    let rules = machine.rules;
    if amount <= 0 {
        return Ok(None);
    }
    let cell = rules.layout.seat(seat, resource);
    let available = machine.state.cells()[cell] as i64;
    let taken = amount.min(available);
    machine.put(cell, available - taken)?;
    flows::note_change(machine, seat, resource, -taken);
    secrecy::note_written(machine, cell)?;
    if taken < amount {
        secrecy::note_nothing_left(machine, cell)?;
    }
    secrecy::redact_amount(machine, cell, seat, || format!("p{} loses some {}", seat + 1, rules.names.text(rules.resources[resource])));
    machine.log_line(|| {
        let name = rules.names.text(rules.resources[resource]);
        let short = if taken < amount { format!(", {} short", amount - taken) } else { String::new() };
        format!("p{} loses {taken} {name}{short}", seat + 1)
    });
    checks::after_change(machine)?;
    if taken == amount {
        return Ok(None);
    }
    let due = rules.shortages.iter().position(|s| s.resources >> resource & 1 == 1);
    let missing = cast::fit::<i32>((amount - taken).min(i32::MAX as i64));
    Ok(due.map(|shortage| QueuedFrame {
        pc: rules.shortages[shortage].first_op,
        me: cast::seat(seat),
        locals: [-1, cast::fit::<i32>(resource), missing, -1, -1],
    }))
}

/// Makes a forced loss in a script: the shortage rule is queued, and runs when the script has ended.
///
/// # Errors
/// A number beyond 32 bits.
pub fn lose_later(machine: &mut Machine<'_>, seat: usize, resource: usize, amount: i64, name: Option<u16>) -> Result<(), Stop> {
    if amount > 0
        && let Some(name) = name
        && let Some(instead) = listeners::replaced(machine, name, Some(seat))
    {
        machine.memory.queue.push(instead);
        return Ok(());
    }
    if let Some(due) = take_forced(machine, seat, resource, amount)? {
        machine.memory.queue.push(due);
    }
    Ok(())
}

/// Pays costs, each a resource and an amount, and raises the moment `spent`. Its listeners run at the op [`super::op::Op::Waiting`] that
/// follows the paying op.
///
/// # Errors
/// A fault if the seat has too little: the caller must have checked that the costs can be paid.
pub fn pay(machine: &mut Machine<'_>, seat: usize, costs: &[(usize, i64)]) -> Result<(), Stop> {
    let rules = machine.rules;
    let paid = rules.payment_record.map(|offset| offset as usize);
    if let Some(paid) = paid {
        for resource in 0..rules.resources.len() {
            machine.put(rules.layout.seat(seat, paid + resource), 0)?;
        }
    }
    machine.memory.run.suppressed += 1;
    let mut any = false;
    for &(resource, amount) in costs {
        if amount <= 0 {
            continue;
        }
        any = true;
        let cell = rules.layout.seat(seat, resource);
        if (machine.state.cells()[cell] as i64) < amount {
            machine.memory.run.suppressed -= 1;
            let name = rules.names.text(rules.resources[resource]);
            return Err(machine.fault(format!("{amount} {name} had to be paid where there were only {}", machine.state.cells()[cell])));
        }
        machine.add(cell, -amount)?;
        flows::note_change(machine, seat, resource, -amount);
        secrecy::note_written(machine, cell)?;
        if let Some(paid) = paid {
            let record = rules.layout.seat(seat, paid + resource);
            machine.add(record, amount)?;
        }
        secrecy::redact_amount(machine, cell, seat, || format!("p{} pays some {}", seat + 1, rules.names.text(rules.resources[resource])));
        machine.log_line(|| format!("p{} pays {amount} {}", seat + 1, rules.names.text(rules.resources[resource])));
    }
    machine.memory.run.suppressed -= 1;
    if any && let Some(spent) = rules.spent_moment {
        listeners::raise_later(machine, spent, seat, -1)?;
    }
    checks::after_change(machine)
}

/// Writes a counter, flag, tally or resource of a seat, then runs the checks.
///
/// # Errors
/// A negative resource, or a number beyond 32 bits.
pub fn write_seat(machine: &mut Machine<'_>, seat: usize, offset: usize, value: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    let cell = rules.layout.seat(seat, offset);
    if value < 0 && offset < rules.resources.len() {
        return Err(machine.fault("a resource may not become negative; use `lose`"));
    }
    secrecy::check_bounds(machine, cell, value)?;
    let before = i64::from(machine.state.cells()[cell]);
    machine.put(cell, value)?;
    flows::note_change(machine, seat, offset, value - before);
    secrecy::note_written(machine, cell)?;
    checks::after_change(machine)
}

/// Writes a cell of the table, then runs the checks.
///
/// # Errors
/// A number beyond 32 bits.
pub fn write_table(machine: &mut Machine<'_>, cell: usize, value: i64) -> Result<(), Stop> {
    secrecy::check_bounds(machine, cell, value)?;
    machine.put(cell, value)?;
    secrecy::note_written(machine, cell)?;
    checks::after_change(machine)
}

/// Writes a counter of a piece, then runs the checks.
///
/// # Errors
/// A negative counter, or a number beyond 32 bits.
pub fn write_piece(machine: &mut Machine<'_>, card: usize, offset: usize, value: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    if value < 0 {
        return Err(machine.fault("a counter on a card may not become negative"));
    }
    let cell = rules.layout.piece(card, offset);
    secrecy::check_bounds(machine, cell, value)?;
    machine.put(cell, value)?;
    checks::after_change(machine)
}

/// Adds a temporary difference to a quantity of a seat; it ends with the lifetime.
///
/// # Errors
/// A number beyond 32 bits, or a quantity with arguments, which cannot have differences.
pub fn add_difference(machine: &mut Machine<'_>, seat: usize, quantity: usize, amount: i64, lifetime: Lifetime) -> Result<(), Stop> {
    let rules = machine.rules;
    let Some(offset) = rules.quantities[quantity].differences else {
        return Err(
            machine.fault(format!("`{}` has arguments; only plain quantities can differ for a while", rules.quantities[quantity].name))
        );
    };
    for offset in [offset as usize + lifetime as usize, offset as usize + Lifetime::ALL.len()] {
        let cell = rules.layout.seat(seat, offset);
        machine.add(cell, amount)?;
    }
    machine.log_line(|| {
        format!("p{}'s {} differs by {amount} until the end of the {}", seat + 1, rules.quantities[quantity].name, lifetime.word())
    });
    checks::after_change(machine)
}

/// Sets the order of seats. A turn that is running goes on, and is followed by that of the seat behind it in the new order.
///
/// # Errors
/// A fault of a check.
pub fn set_order(machine: &mut Machine<'_>, seats: &[usize]) -> Result<(), Stop> {
    let (cells, players) = (machine.state.cells(), machine.rules.players);
    let turn_of = cells[head::ORDER + cast::index(cells[head::TURN_PLACE]) % players];
    // During a turn, it stays with the seat whose turn it is.
    let place = seats.iter().position(|&seat| cast::fit::<i32>(seat) == turn_of).filter(|_| cells[head::ACTIONS_LEFT] >= 0);
    if let Some(place) = place {
        machine.put(head::TURN_PLACE, cast::count(place))?;
        machine.put(head::FROM_FIRST, 0)?;
    }
    for (place, &seat) in seats.iter().enumerate() {
        machine.put(head::ORDER + place, cast::count(seat))?;
    }
    machine.log_line(|| format!("the order is {}", seats.iter().map(|s| format!("p{}", s + 1)).collect::<Vec<_>>().join(", ")));
    checks::after_change(machine)
}

/// Moves a seat to the first or last position of the order; the others keep their relative order.
///
/// # Errors
/// As for [`set_order`].
pub fn move_in_order(machine: &mut Machine<'_>, seat: usize, last: bool) -> Result<(), Stop> {
    let rules = machine.rules;
    let mut seats = [seat; head::MAX_SEATS];
    let others = machine.state.cells()[head::ORDER..head::ORDER + rules.players]
        .iter()
        .map(|&other| cast::index(other))
        .filter(|&other| other != seat);
    seats.iter_mut().skip(if last { 0 } else { 1 }).zip(others).for_each(|(to, other)| *to = other);
    set_order(machine, &seats[..rules.players])
}

/// Assigns to the target of a statement: sets it, adds to it or subtracts from it.
///
/// # Errors
/// An index beyond the target, a negative resource or counter, or a number beyond 32 bits.
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
        Target::GlobalAt(cell, len, index) => {
            let index = machine.eval(*index, env);
            if index < 0 || index >= *len as i64 {
                return Err(no_entry(rules, &rules.table, *cell as usize, index));
            }
            let cell = *cell as usize + cast::index(index);
            write_table(machine, cell, combine(machine.state.cells()[cell]))
        }
        Target::OwnAt(offset, len, index) => {
            let index = machine.eval(*index, env);
            if index < 0 || index >= *len as i64 {
                return Err(no_entry(rules, &rules.seat, *offset as usize, index));
            }
            let offset = *offset as usize + cast::index(index);
            let old = machine.state.cells()[rules.layout.seat(env.me, offset)];
            write_seat(machine, env.me, offset, combine(old))
        }
        Target::OfSeat(seat, offset) => {
            let Some(seat) = seat_of(machine, *seat, env) else { return Ok(()) };
            let old = machine.state.cells()[rules.layout.seat(seat, *offset as usize)];
            write_seat(machine, seat, *offset as usize, combine(old))
        }
        Target::OfSeatAt(seat, (offset, len, index)) => {
            let (seat, index) = (seat_of(machine, *seat, env), machine.eval(*index, env));
            let Some(seat) = seat else { return Ok(()) };
            if index < 0 || index >= *len as i64 {
                return Err(no_entry(rules, &rules.seat, *offset as usize, index));
            }
            let offset = *offset as usize + cast::index(index);
            let old = machine.state.cells()[rules.layout.seat(seat, offset)];
            write_seat(machine, seat, offset, combine(old))
        }
        Target::CounterAt(card, (offset, len, index)) => {
            let (card, index) = (machine.eval(*card, env), machine.eval(*index, env));
            if card < 0 {
                return Ok(());
            }
            if index < 0 || index >= i64::from(*len) {
                return Err(no_entry(rules, &rules.piece, usize::from(*offset), index));
            }
            let offset = usize::from(*offset) + cast::index(index);
            let old = machine.state.cells()[rules.layout.piece(cast::index(card), offset)];
            write_piece(machine, cast::index(card), offset, combine(old))
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

/// Returns the bit of a word in a set; 0 for nobody and for no word, which are in none.
pub(crate) fn bit_of(word: i64) -> i32 {
    if (0..=30).contains(&word) { 1 << word } else { 0 }
}

/// Returns the bit that adds a word to the set with this offset among the variables of a seat or piece.
///
/// # Errors
/// There is no such word, as with a player who is nobody.
pub(crate) fn bit_to_add(variables: &[Variable], names: &Names, offset: usize, word: i64) -> Result<i32, Stop> {
    match bit_of(word) {
        0 => Err(not_in_set(variables, names, offset)),
        bit => Ok(bit),
    }
}

/// Creates the fault of a set to which nobody or nothing is added.
#[cold]
fn not_in_set(variables: &[Variable], names: &Names, offset: usize) -> Stop {
    let Some(set) = variables.iter().find(|variable| usize::from(variable.offset) == offset) else {
        return Stop::fault("what there is not cannot be in a set");
    };
    let name = &set.name;
    Stop::fault(match set.words.first().map(|word| names.text(*word)) {
        Some("p1") => format!("nobody cannot be in `{name}`: ask ahead whether there is somebody, as in `if NAME is not nobody`"),
        Some(_) | None => format!("nothing cannot be in `{name}`"),
    })
}

/// Creates the fault of a tally that is written where it has no entry.
#[cold]
fn no_entry(rules: &Ruleset, variables: &[Variable], offset: usize, index: i64) -> Stop {
    let Some(tally) = variables.iter().find(|variable| usize::from(variable.offset) == offset) else {
        return Stop::fault(format!("there is no entry {index} to write to"));
    };
    let words: Vec<&str> = tally.words.iter().map(|word| rules.names.text(*word)).collect();
    let name = &tally.name;
    Stop::fault(match words.first() {
        Some(&"p1") => {
            format!("`{name}` has no entry of nobody: ask ahead whether there is somebody, as in `if NAME is not nobody`")
        }
        Some(_) | None => format!("`{name}` has no entry of nothing: it has one of each of {}", words.join(", ")),
    })
}

/// Returns the seat that an expression gives; `None` for nobody.
fn seat_of(machine: &mut Machine<'_>, seat: NodeId, env: &mut Env) -> Option<usize> {
    let players = machine.rules.players;
    usize::try_from(machine.eval(seat, env)).ok().filter(|&seat| seat < players)
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
