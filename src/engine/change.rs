//! Operations that change resources, counters and the order of seats. Each runs the state-based checks afterwards.

use super::decision::Stop;
use super::eval::Env;
use super::flows;
use super::listeners;
use super::queued_frame::QueuedFrame;
use super::ruleset::{Lifetime, Names, Ruleset, Target, Variable, Write};
use super::secrecy;
use super::store::Store;
use super::turn_stage;
use crate::cast;
use houserule_state::layout::head;

/// Gives a seat an amount of a resource; an amount of 0 or less does nothing.
///
/// # Errors
/// A number beyond 32 bits.
pub fn gain(store: &mut Store<'_>, seat: usize, resource: usize, amount: i64) -> Result<(), Stop> {
    let rules = store.rules;
    if amount <= 0 {
        return Ok(());
    }
    let cell = rules.layout.seat(seat, resource);
    secrecy::check_bounds(store, cell, i64::from(store.state.cells()[cell]) + amount)?;
    store.add(cell, amount)?;
    flows::note_change(store, seat, resource, amount);
    secrecy::note_written(store, cell)?;
    secrecy::redact_amount(store, cell, seat, || format!("p{} gains some {}", seat + 1, rules.names.text(rules.resources[resource])));
    store.log_line(|| format!("p{} gains {amount} {}", seat + 1, rules.names.text(rules.resources[resource])));
    Ok(())
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
    store.put(cell, available - taken)?;
    flows::note_change(store, seat, resource, -taken);
    secrecy::note_written(store, cell)?;
    if taken < amount {
        secrecy::note_nothing_left(store, cell)?;
    }
    secrecy::redact_amount(store, cell, seat, || format!("p{} loses some {}", seat + 1, rules.names.text(rules.resources[resource])));
    store.log_line(|| {
        let name = rules.names.text(rules.resources[resource]);
        let short = if taken < amount { format!(", {} short", amount - taken) } else { String::new() };
        format!("p{} loses {taken} {name}{short}", seat + 1)
    });
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
        store.add(cell, -amount)?;
        flows::note_change(store, seat, resource, -amount);
        secrecy::note_written(store, cell)?;
        if let Some(paid) = paid {
            let record = rules.layout.seat(seat, paid + resource);
            store.add(record, amount)?;
        }
        secrecy::redact_amount(store, cell, seat, || format!("p{} pays some {}", seat + 1, rules.names.text(rules.resources[resource])));
        store.log_line(|| format!("p{} pays {amount} {}", seat + 1, rules.names.text(rules.resources[resource])));
    }
    if any && let Some(spent) = rules.spent_moment {
        listeners::raise_later(store, spent, seat, -1)?;
    }
    Ok(())
}

/// Writes a counter, flag, tally or resource of a seat, then runs the checks.
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
    secrecy::note_written(store, cell)
}

/// Writes a cell of the table, then runs the checks.
///
/// # Errors
/// A number beyond 32 bits.
pub fn write_table(store: &mut Store<'_>, cell: usize, value: i64) -> Result<(), Stop> {
    secrecy::check_bounds(store, cell, value)?;
    store.put(cell, value)?;
    secrecy::note_written(store, cell)
}

/// Writes a counter of a piece, then runs the checks.
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
/// A fault of a check.
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

/// Assigns to the target of a statement: sets it, adds to it or subtracts from it.
///
/// # Errors
/// An index beyond the target, a negative resource or counter, or a number beyond 32 bits.
pub fn write_target(store: &mut Store<'_>, target: &Target, write: Write, value: i64, env: &mut Env) -> Result<(), Stop> {
    let rules = store.rules;
    let combine = |old: i32| match write {
        Write::Set => value,
        Write::Add => (old as i64).saturating_add(value),
        Write::Sub => (old as i64).saturating_sub(value),
    };
    match target {
        Target::Global(cell) => write_table(store, *cell as usize, combine(store.state.cells()[*cell as usize])),
        Target::Own(offset) => {
            let old = store.state.cells()[rules.layout.seat(env.me, *offset as usize)];
            write_seat(store, env.me, *offset as usize, combine(old))
        }
        Target::GlobalAt(cell, len, index) => {
            let index = store.eval(*index, env);
            if index < 0 || index >= *len as i64 {
                return Err(no_entry(rules, &rules.table, *cell as usize, index));
            }
            let cell = *cell as usize + cast::index(index);
            write_table(store, cell, combine(store.state.cells()[cell]))
        }
        Target::OwnAt(offset, len, index) => {
            let index = store.eval(*index, env);
            if index < 0 || index >= *len as i64 {
                return Err(no_entry(rules, &rules.seat, *offset as usize, index));
            }
            let offset = *offset as usize + cast::index(index);
            let old = store.state.cells()[rules.layout.seat(env.me, offset)];
            write_seat(store, env.me, offset, combine(old))
        }
        Target::OfSeat(seat, offset) => {
            let Some(seat) = store.seat_of(*seat, env) else { return Ok(()) };
            let old = store.state.cells()[rules.layout.seat(seat, *offset as usize)];
            write_seat(store, seat, *offset as usize, combine(old))
        }
        Target::OfSeatAt(seat, (offset, len, index)) => {
            let (seat, index) = (store.seat_of(*seat, env), store.eval(*index, env));
            let Some(seat) = seat else { return Ok(()) };
            if index < 0 || index >= *len as i64 {
                return Err(no_entry(rules, &rules.seat, *offset as usize, index));
            }
            let offset = *offset as usize + cast::index(index);
            let old = store.state.cells()[rules.layout.seat(seat, offset)];
            write_seat(store, seat, offset, combine(old))
        }
        Target::CounterAt(card, (offset, len, index)) => {
            let (card, index) = (store.eval(*card, env), store.eval(*index, env));
            if card < 0 {
                return Ok(());
            }
            if index < 0 || index >= i64::from(*len) {
                return Err(no_entry(rules, &rules.piece, usize::from(*offset), index));
            }
            let offset = usize::from(*offset) + cast::index(index);
            let old = store.state.cells()[rules.layout.piece(cast::index(card), offset)];
            write_piece(store, cast::index(card), offset, combine(old))
        }
        Target::Counter(card, offset) => {
            let card = store.eval(*card, env);
            if card < 0 {
                return Ok(());
            }
            let old = store.state.cells()[rules.layout.piece(cast::index(card), *offset as usize)];
            write_piece(store, cast::index(card), *offset as usize, combine(old))
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
