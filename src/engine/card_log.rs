//! Writes log lines about cards that only some seats may know.

use super::decision::{Act, Opt};
use super::key;
use super::store::Store;
use crate::cast;
use houserule_state::layout::piece;

/// What a seat reads in place of the name of a card that it may not know.
pub(crate) const UNSEEN: &str = "a card";

/// Notes and logs the answer of a seat. Seats that do not know a chosen card read no name; an answer that writes on hidden cards is readable for the
/// answering seat only.
pub(crate) fn log_answer(store: &mut Store<'_>, seat: usize, chosen: Opt) {
    let rules = store.rules;
    store.live.running.answered = Some((cast::seat(seat), chosen));
    if !store.live.log.is_on() || store.is_collecting_answers() {
        return;
    }
    let verb = match chosen.act {
        Act::Choice(choice, _) => rules.names.text(rules.choices[choice as usize].name),
        Act::Word(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => "choose",
    };
    let words = match chosen.act {
        Act::Choice(choice, args) if rules.choices[choice as usize].text.is_some() => {
            key::text(rules, &rules.choices[choice as usize], args, |_| UNSEEN)
        }
        Act::Choice(..) | Act::Word(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => format!("{verb} {UNSEEN}"),
    };
    let cards = chosen.act.cards(rules);
    // A card in a hidden hand is not named even to seats that have seen it before.
    let hidden = |card: usize| {
        let place = &rules.layout.places[cast::index(store.state.cells()[rules.layout.piece(card, piece::PLACE)])];
        place.room > 0 && rules.places[place.declared as usize].hidden
    };
    let known = |card: usize| match hidden(card) {
        true => 1 << seat,
        false => store.state.cells()[rules.layout.piece(card, piece::KNOWN)] | 1 << seat,
    };
    let everybody = (1 << rules.players) - 1;
    let seats = cards.iter().filter_map(|card| usize::try_from(*card).ok()).fold(everybody, |seats, card| seats & known(card));
    if seats != everybody {
        store.live.log.redact_next(seats, format!("p{}: {words}", seat + 1));
    }
    if super::hidden::is_kept_secret(rules, chosen.act) {
        store.live.log.redact_next(1 << seat, format!("p{}: answers in secret", seat + 1));
    }
    store.log_line(|| format!("p{}: {}", seat + 1, chosen.text(rules)));
}

/// Logs a line about cards; `text` makes the line from their names. `is_told` says for an index in `cards` and a seat whether the seat may
/// read the name.
pub(crate) fn log_cards<const N: usize>(
    store: &mut Store<'_>,
    cards: [usize; N],
    is_told: impl Fn(&Store<'_>, usize, usize) -> bool,
    text: impl Fn([&str; N]) -> String,
) {
    let rules = store.rules;
    if !store.live.log.is_on() || store.is_collecting_answers() {
        return;
    }
    let names = cards.map(|card| rules.names.text(rules.definition(card).id));
    for seat in 0..rules.players {
        let visible = std::array::from_fn(|index| if is_told(store, index, seat) { names[index] } else { UNSEEN });
        if visible != names {
            store.live.log.redact_next(!(1 << seat), text(visible));
        }
    }
    store.log_line(|| text(names));
}
