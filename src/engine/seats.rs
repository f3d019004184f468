//! Iterates over seats with three operands on the stack: the remaining seats in one number, four bits each and the next one lowest, in two
//! halves, and how many are left.

use super::ruleset::{Direction, Ruleset, Whom};
use super::store::Store;
use crate::cast;
use houserule_state::layout::head;

/// Pushes the seats in the given direction of the turn order, as three operands: from the first in this direction, or from one of them.
pub(crate) fn push_seats(store: &mut Store<'_>, (direction, from): (Direction, Option<usize>), whom: Whom, me: usize) {
    let rules = store.rules;
    let last = rules.players - 1;
    let seat_at = |store: &mut Store<'_>, place: usize| {
        let place = if direction == Direction::Reverse { last - place } else { place };
        store.cell(head::ORDER + place)
    };
    let first = from.and_then(|from| (0..=last).find(|&place| cast::index(seat_at(store, place)) == from)).unwrap_or(0);
    let (mut seats, mut count) = (0_u64, 0);
    // The last seat is pushed first, so that the first seat has the lowest bits.
    for place in (0..=last).rev() {
        let seat = seat_at(store, (first + place) % rules.players);
        if includes(rules, whom, me, cast::index(seat)) {
            seats = seats << 4 | cast::fit::<u64>(seat);
            count += 1;
        }
    }
    store.state.push_all(cast::halves(seats));
    store.state.push(count);
}

/// Whether a seat is among those that are meant when `me` is the current one.
pub(crate) fn includes(rules: &Ruleset, whom: Whom, me: usize, seat: usize) -> bool {
    match whom {
        Whom::All => true,
        Whom::Others => seat != me,
        Whom::Team => rules.side(seat) == rules.side(me),
        Whom::Partners => rules.side(seat) == rules.side(me) && seat != me,
        Whom::OtherTeams => rules.side(seat) != rules.side(me),
    }
}

/// Takes the next seat from the stack; pops the operands after the last one.
pub(crate) fn next_seat(store: &mut Store<'_>) -> Option<usize> {
    if *store.state.operand(0) == 0 {
        store.state.drop_operands(3);
        return None;
    }
    *store.state.operand(0) -= 1;
    let seats = cast::joined([*store.state.operand(2), *store.state.operand(1)]);
    let [low, high] = cast::halves(seats >> 4);
    (*store.state.operand(2), *store.state.operand(1)) = (low, high);
    Some((seats & 0xF) as usize)
}
