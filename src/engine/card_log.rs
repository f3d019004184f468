//! Writes log lines about cards that only some seats may know.

use super::decision::{Act, Opt, Question};
use super::hidden::{is_kept_secret, seats_that};
use super::key;
use super::ruleset::Ruleset;
use super::store::Store;
use crate::cast;
use houserule_state::layout::piece;

/// What a seat reads in place of the name of a card that it may not know.
pub(crate) const UNSEEN: &str = "a card";

/// Notes and logs the answer of a seat to a question. Seats that do not know a chosen card read no name; an answer that writes on hidden cards is
/// readable for the answering seat only.
pub(crate) fn log_answer(store: &mut Store<'_>, seat: usize, question: Question, chosen: Opt) {
    let rules = store.rules;
    store.live.running.answered = Some((cast::seat(seat), chosen));
    if !store.live.log.is_on() || store.is_collecting_answers() {
        return;
    }
    let words = match chosen.act {
        Act::Choice(choice, args) if rules.choices[choice as usize].text.is_some() => {
            key::text(rules, &rules.choices[choice as usize], args, |_| UNSEEN)
        }
        Act::Choice(choice, _) => format!("{} {UNSEEN}", rules.names.text(rules.choices[choice as usize].name)),
        Act::Word(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => format!("choose {UNSEEN}"),
    };
    let cards = chosen.act.cards(rules);
    // A card in a hidden hand is not named even to seats that have seen it before.
    let known = |card: usize| {
        let instance = store.position().place_of(card).0;
        let place = &rules.layout.places[instance];
        match rules.places.get(usize::from(place.declared)).filter(|declared| place.room > 0 && declared.hidden) {
            Some(declared) if declared.from_owner => rules.seats_that_see_into(instance),
            Some(_) => 1 << seat,
            None => store.state.cells()[rules.layout.piece(card, piece::KNOWN)] | 1 << seat,
        }
    };
    let named = cards.iter().filter_map(|card| usize::try_from(*card).ok());
    let seats = named.fold(rules.everybody(), |seats, card| seats & known(card));
    redact(store, seats, || format!("p{}: {words}", seat + 1));
    if is_kept_secret(rules, question, chosen.act) {
        redact(store, 1 << seat, || format!("p{}: answers in secret", seat + 1));
    }
    store.log_line(|| format!("p{}: {}", seat + 1, chosen.text(rules)));
}

/// Logs a line about cards; `text` makes the line from their names. `is_told` says whether a seat may read the names.
pub(crate) fn log_cards<const N: usize>(
    store: &mut Store<'_>,
    cards: [usize; N],
    is_told: impl Fn(usize) -> bool,
    text: impl Fn([&str; N]) -> String,
) {
    let rules = store.rules;
    if store.live.log.is_on() {
        redact(store, seats_that(rules, is_told), || text([UNSEEN; N]));
        store.log_line(|| text(cards.map(|card| rules.names.text(rules.definition(card).id))));
    }
}

/// Makes the next line of the log readable for these seats only (a bit set), if one is written and there are others, who read `instead`.
pub(crate) fn redact(store: &mut Store<'_>, seats: i32, instead: impl FnOnce() -> String) {
    let others = store.rules.everybody() & !seats;
    if others != 0 && store.live.log.is_on() && !store.is_collecting_answers() {
        store.live.log.redact_next(seats, Some(instead()));
    }
}

/// Names seats, a bit set.
pub(crate) fn names_of_seats(rules: &Ruleset, seats: i32) -> String {
    if seats & rules.everybody() == rules.everybody() {
        return "all players".to_string();
    }
    let named = (0..rules.players).filter(|seat| seats >> seat & 1 == 1).map(|seat| format!("p{}", seat + 1));
    named.collect::<Vec<_>>().join(", ")
}
