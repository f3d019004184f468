//! Iterates over seats with two operands on the stack: the remaining seats in one number, four bits each and the next one lowest, and how
//! many are left.

use super::machine::Machine;
use super::ruleset::{Direction, Whom};
use crate::cast;
use houserule_state::layout::head;

/// Pushes the seats in the given direction of the turn order, as two operands.
pub(crate) fn push_seats(machine: &mut Machine<'_>, direction: Direction, whom: Whom, me: usize) {
    let rules = machine.rules;
    let (mut seats, mut count) = (0, 0);
    for place in 0..rules.players {
        // The last seat is pushed first, so that the first seat has the lowest bits.
        let place = if direction == Direction::Reverse { place } else { rules.players - 1 - place };
        let seat = machine.cell(head::ORDER + place);
        if whom == Whom::All || cast::index(seat) != me {
            seats = seats << 4 | seat;
            count += 1;
        }
    }
    machine.state.push(seats);
    machine.state.push(count);
}

/// Takes the next seat from the stack; pops the operands after the last one.
pub(crate) fn next_seat(machine: &mut Machine<'_>) -> Option<usize> {
    if *machine.state.operand(0) == 0 {
        machine.state.drop_operands(2);
        return None;
    }
    *machine.state.operand(0) -= 1;
    let seats = machine.state.operand(1);
    let seat = *seats & 0xF;
    *seats = (cast::bits(*seats) >> 4).cast_signed();
    Some(cast::index(seat))
}
