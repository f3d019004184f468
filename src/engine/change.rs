//! Operations that change resources, counters and the order of seats. They write, and tell of it in the log; the checks that are due then are run
//! by [`super::Machine::change`].

use super::decision::Stop;
use super::eval::Env;
use super::queued_frame::QueuedFrame;
use super::ruleset::{Cells, Lifetime, Ruleset, Target, Variable, Write};
use super::store::Store;
use super::{flows, listeners, secrecy, turn_stage};
use crate::cast;
use houserule_state::layout::head;

/// Gives a seat an amount of a resource; an amount of 0 or less does nothing.
///
/// # Errors
/// A number beyond 32 bits.
pub fn gain(store: &mut Store<'_>, seat: usize, resource: usize, amount: i64) -> Result<(), Stop> {
    if amount <= 0 {
        return Ok(());
    }
    let cell = store.rules.layout.seat(seat, resource);
    secrecy::check_bounds(store, cell, i64::from(store.state.cells()[cell]) + amount)?;
    add_resource(store, seat, resource, amount)?;
    tell(store, seat, resource, "gains", (amount, 0));
    Ok(())
}

/// Adds to a resource of a seat, and notes it.
fn add_resource(store: &mut Store<'_>, seat: usize, resource: usize, amount: i64) -> Result<(), Stop> {
    let cell = store.rules.layout.seat(seat, resource);
    store.add(cell, amount)?;
    flows::note_change(store, seat, resource, amount);
    secrecy::lose_track_of_written(store, cell)
}

/// Tells in the log what a seat does with an amount of a resource, and how much it was short of.
fn tell(store: &mut Store<'_>, seat: usize, resource: usize, verb: &str, (amount, missing): (i64, i64)) {
    let (rules, cell) = (store.rules, store.rules.layout.seat(seat, resource));
    let name = || rules.names.text(rules.resources[resource]);
    secrecy::redact_amount(store, cell, seat, || format!("p{} {verb} some {}", seat + 1, name()));
    store.log_line(|| {
        let short = if missing > 0 { format!(", {missing} short") } else { String::new() };
        format!("p{} {verb} {amount} {}{short}", seat + 1, name())
    });
}

/// Takes as much of a resource as the seat has, for a forced loss. If that is too little, returns the frame of the matching shortage rule,
/// if there is one.
pub(crate) fn take_forced(store: &mut Store<'_>, seat: usize, resource: usize, amount: i64) -> Result<Option<QueuedFrame>, Stop> {
    let rules = store.rules;
    if amount <= 0 {
        return Ok(None);
    }
    let cell = rules.layout.seat(seat, resource);
    let available = store.state.cells()[cell] as i64;
    let taken = amount.min(available);
    let missing = amount - taken;
    add_resource(store, seat, resource, -taken)?;
    if missing > 0 {
        secrecy::note_nothing_left(store, cell)?;
    }
    tell(store, seat, resource, "loses", (taken, missing));
    if missing == 0 {
        return Ok(None);
    }
    let due = rules.shortages.iter().position(|s| s.resources >> resource & 1 == 1);
    let missing = cast::fit::<i32>(missing.min(i32::MAX as i64));
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
pub fn lose_later(store: &mut Store<'_>, seat: usize, resource: usize, amount: i64, name: Option<u16>) -> Result<(), Stop> {
    if amount > 0
        && let Some(name) = name
        && let Some(instead) = listeners::replaced(store, name, Some(seat))
    {
        store.live.queue.push(instead);
        return Ok(());
    }
    if let Some(due) = take_forced(store, seat, resource, amount)? {
        store.live.queue.push(due);
    }
    Ok(())
}

/// Pays costs, each a resource and an amount, and raises the moment `spent`. Its listeners run at the op [`super::op::Op::Waiting`] that
/// follows the paying op.
///
/// # Errors
/// A fault if the seat has too little: the caller must have checked that the costs can be paid.
pub fn pay(store: &mut Store<'_>, seat: usize, costs: &[(usize, i64)]) -> Result<(), Stop> {
    let rules = store.rules;
    let paid = rules.payment_record.map(|offset| offset as usize);
    if let Some(paid) = paid {
        for resource in 0..rules.resources.len() {
            store.put(rules.layout.seat(seat, paid + resource), 0)?;
        }
    }
    let mut any = false;
    for &(resource, amount) in costs {
        if amount <= 0 {
            continue;
        }
        any = true;
        let cell = rules.layout.seat(seat, resource);
        if (store.state.cells()[cell] as i64) < amount {
            let name = rules.names.text(rules.resources[resource]);
            return Err(store.fault(format!("{amount} {name} had to be paid where there were only {}", store.state.cells()[cell])));
        }
        add_resource(store, seat, resource, -amount)?;
        if let Some(paid) = paid {
            store.add(rules.layout.seat(seat, paid + resource), amount)?;
        }
        tell(store, seat, resource, "pays", (amount, 0));
    }
    if any && let Some(spent) = rules.spent_moment {
        listeners::raise_later(store, spent, seat, -1)?;
    }
    Ok(())
}

/// Writes a counter, flag, tally or resource of a seat.
///
/// # Errors
/// A negative resource, or a number beyond 32 bits.
pub fn write_seat(store: &mut Store<'_>, seat: usize, offset: usize, value: i64) -> Result<(), Stop> {
    let rules = store.rules;
    let cell = rules.layout.seat(seat, offset);
    if value < 0 && offset < rules.resources.len() {
        return Err(store.fault("a resource may not become negative; use `lose`"));
    }
    secrecy::check_bounds(store, cell, value)?;
    let before = i64::from(store.state.cells()[cell]);
    store.put(cell, value)?;
    flows::note_change(store, seat, offset, value - before);
    secrecy::lose_track_of_written(store, cell)
}

/// Writes a cell of the table.
///
/// # Errors
/// A number beyond 32 bits.
pub fn write_table(store: &mut Store<'_>, cell: usize, value: i64) -> Result<(), Stop> {
    secrecy::check_bounds(store, cell, value)?;
    store.put(cell, value)?;
    secrecy::lose_track_of_written(store, cell)
}

/// Writes a counter of a piece.
///
/// # Errors
/// A negative counter, or a number beyond 32 bits.
pub fn write_piece(store: &mut Store<'_>, card: usize, offset: usize, value: i64) -> Result<(), Stop> {
    let rules = store.rules;
    if value < 0 {
        return Err(store.fault("a counter on a card may not become negative"));
    }
    let cell = rules.layout.piece(card, offset);
    secrecy::check_bounds(store, cell, value)?;
    store.put(cell, value)
}

/// Adds a temporary difference to a quantity of a seat; it ends with the lifetime.
///
/// # Errors
/// A number beyond 32 bits, or a quantity with arguments, which cannot have differences.
pub fn add_difference(store: &mut Store<'_>, seat: usize, quantity: usize, amount: i64, lifetime: Lifetime) -> Result<(), Stop> {
    let rules = store.rules;
    let Some(offset) = rules.quantities[quantity].differences else {
        return Err(
            store.fault(format!("`{}` has arguments; only plain quantities can differ for a while", rules.quantities[quantity].name))
        );
    };
    for offset in [offset as usize + lifetime as usize, offset as usize + Lifetime::ALL.len()] {
        let cell = rules.layout.seat(seat, offset);
        store.add(cell, amount)?;
    }
    store.log_line(|| {
        format!("p{}'s {} differs by {amount} until the end of the {}", seat + 1, rules.quantities[quantity].name, lifetime.word())
    });
    Ok(())
}

/// Sets the order of seats. A turn that is running goes on, and is followed by that of the seat behind it in the new order.
///
/// # Errors
/// A value beyond 32 bits is a fault.
pub fn set_order(store: &mut Store<'_>, seats: &[usize]) -> Result<(), Stop> {
    turn_stage::keep_in(store, seats)?;
    for (place, &seat) in seats.iter().enumerate() {
        store.put(head::ORDER + place, cast::count(seat))?;
    }
    store.log_line(|| format!("the order is {}", seats.iter().map(|s| format!("p{}", s + 1)).collect::<Vec<_>>().join(", ")));
    Ok(())
}

/// Moves a seat to the first or last position of the order; the others keep their relative order.
///
/// # Errors
/// As for [`set_order`].
pub fn move_in_order(store: &mut Store<'_>, seat: usize, last: bool) -> Result<(), Stop> {
    let rules = store.rules;
    let mut seats = [seat; head::MAX_SEATS];
    let others = store.state.cells()[head::ORDER..head::ORDER + rules.players]
        .iter()
        .map(|&other| cast::index(other))
        .filter(|&other| other != seat);
    seats.iter_mut().skip(if last { 0 } else { 1 }).zip(others).for_each(|(to, other)| *to = other);
    set_order(store, &seats[..rules.players])
}

/// Assigns to the target of a statement: sets it, adds to it or subtracts from it. Nothing happens to nobody and to no card.
///
/// # Errors
/// An index beyond the target, a negative resource or counter, or a number beyond 32 bits.
pub fn write_target(store: &mut Store<'_>, target: &Target, write: Write, value: i64, env: &mut Env) -> Result<(), Stop> {
    let rules = store.rules;
    let (of, mut offset) = (target.of, usize::from(target.offset));
    let (whose, variables) = match of {
        Cells::Table => (Some(0), &rules.table),
        Cells::Seat(seat) => (store.owner_of(seat, env), &rules.seat),
        Cells::Piece(card) => (usize::try_from(store.eval(card, env)).ok(), &rules.piece),
    };
    let element = target.element.map(|(len, index)| (len, store.eval(index, env)));
    let Some(whose) = whose else { return Ok(()) };
    if let Some((len, index)) = element {
        if !(0..i64::from(len)).contains(&index) {
            return Err(nothing_there(rules, (variables, offset), Some(index)));
        }
        offset += cast::index(index);
    }
    let old = i64::from(store.state.cells()[cell_of(rules, of, whose, offset)]);
    let value = match write {
        Write::Set => value,
        Write::Add => old.saturating_add(value),
        Write::Sub => old.saturating_sub(value),
    };
    write_cell(store, of, whose, offset, value)
}

/// Returns the cell at an offset: among those of the table, or of the seat or piece `whose`.
pub fn cell_of(rules: &Ruleset, of: Cells, whose: usize, offset: usize) -> usize {
    match of {
        Cells::Table => offset,
        Cells::Seat(_) => rules.layout.seat(whose, offset),
        Cells::Piece(_) => rules.layout.piece(whose, offset),
    }
}

/// Writes the cell at an offset: among those of the table, or of the seat or piece `whose`.
///
/// # Errors
/// A negative resource or counter, or a number beyond 32 bits.
pub fn write_cell(store: &mut Store<'_>, of: Cells, whose: usize, offset: usize, value: i64) -> Result<(), Stop> {
    match of {
        Cells::Table => write_table(store, offset, value),
        Cells::Seat(_) => write_seat(store, whose, offset, value),
        Cells::Piece(_) => write_piece(store, whose, offset, value),
    }
}

/// Returns a set with a word in it or without, of which the variable of a seat or piece has this offset.
///
/// # Errors
/// A word is added that there is not, as with a player who is nobody.
pub(crate) fn with_word(rules: &Ruleset, (variables, offset): (&[Variable], usize), set: i32, word: i64, is_in: bool) -> Result<i32, Stop> {
    let bit = if (0..=30).contains(&word) { 1 << word } else { 0 };
    match is_in {
        true if bit == 0 => Err(nothing_there(rules, (variables, offset), None)),
        true => Ok(set | bit),
        false => Ok(set & !bit),
    }
}

/// Creates the fault of a set to which nobody or nothing is added, or of a tally that is written where it has no entry (of this index).
#[cold]
fn nothing_there(rules: &Ruleset, (variables, offset): (&[Variable], usize), entry: Option<i64>) -> Stop {
    let Some(variable) = variables.iter().find(|variable| usize::from(variable.offset) == offset) else {
        return Stop::fault(match entry {
            Some(index) => format!("there is no entry {index} to write to"),
            None => "what there is not cannot be in a set".to_string(),
        });
    };
    let (name, words) = (&variable.name, variable.words.iter().map(|word| rules.names.text(*word)).collect::<Vec<_>>());
    let (nothing, way) = match words.first() {
        Some(&"p1") => ("nobody", ": ask ahead whether there is somebody, as in `if NAME is not nobody`".to_string()),
        _ if entry.is_none() => ("nothing", String::new()),
        _ => ("nothing", format!(": it has one of each of {}", words.join(", "))),
    };
    Stop::fault(match entry {
        Some(_) => format!("`{name}` has no entry of {nothing}{way}"),
        None => format!("{nothing} cannot be in `{name}`{way}"),
    })
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
