//! Options that differ only in which of several equal cards they name are one option.

use super::active;
use super::decision::{Act, Opt};
use super::store::Store;
use crate::cast;
use houserule_state::layout::piece;

/// Removes each option from `first` on that differs from an earlier one only in cards which nothing tells apart for a seat.
pub(crate) fn merge_alike(store: &Store<'_>, seat: usize, first: usize, options: &mut Vec<Opt>) {
    let rules = store.rules;
    let names_twin = |option: &Opt| option.act.cards(rules).into_iter().any(|card| is_twin(store, card.into()));
    if rules.unordered_places == 0 || options[first..].iter().filter(|option| names_twin(option)).nth(1).is_none() {
        return;
    }
    let mut kept = first;
    for at in first..options.len() {
        let option = options[at];
        let is_known = |known: &Opt| known.key == option.key && are_alike(store, seat, known.act, option.act);
        if !options[first..kept].iter().any(is_known) {
            options[kept] = option;
            kept += 1;
        }
    }
    options.truncate(kept);
}

fn is_twin(store: &Store<'_>, card: i32) -> bool {
    usize::try_from(card).is_ok_and(|card| store.rules.piece_twins[card])
}

/// Whether two options differ only in cards which nothing tells apart.
fn are_alike(store: &Store<'_>, seat: usize, a: Act, b: Act) -> bool {
    match (a, b) {
        (Act::Card(a), Act::Card(b)) => are_alike_cards(store, seat, cast::index(a), cast::index(b)),
        (Act::Choice(a, of_a), Act::Choice(b, of_b)) if a == b => {
            let params = &store.rules.choices[usize::from(a)].params;
            let named = 0..params.len();
            // The same card twice is not two equal cards.
            let same_pairs = named.clone().all(|i| named.clone().all(|k| (of_a[i] == of_a[k]) == (of_b[i] == of_b[k])));
            let alike = |(a, b): (i32, i32)| match (usize::try_from(a), usize::try_from(b)) {
                (Ok(a), Ok(b)) => are_alike_cards(store, seat, a, b),
                _ => false,
            };
            same_pairs && named.into_iter().all(|i| of_a[i] == of_b[i] || params[i].cards().is_some() && alike((of_a[i], of_b[i])))
        }
        _ => false,
    }
}

/// Whether nothing tells two cards apart: they are copies of one card, lie in the same place, where what they say is not heard and no rule can tell
/// their order, and the seat knows them and sees that they carry the same. Which of them other seats have seen makes no difference: they could
/// not tell which of the two was meant.
pub fn are_alike_cards(store: &Store<'_>, seat: usize, a: usize, b: usize) -> bool {
    let (rules, cells) = (store.rules, store.state.cells());
    if rules.piece_definition[a] != rules.piece_definition[b] {
        return false;
    }
    let place = &rules.layout.places[cast::index(cells[rules.layout.piece(a, piece::PLACE)])];
    // What cards say is heard one after another, in the order in which they lie.
    let speaks = rules.definition(a).has_entries() && active::is_in_play(rules, place);
    let unordered = !speaks && place.room > 0 && rules.unordered_places >> place.declared & 1 == 1;
    let sees = |card: usize| !rules.is_unknown(cells, seat, card) && rules.sees_counters(cells, seat, card);
    let same = |offset: usize| cells[rules.layout.piece(a, offset)] == cells[rules.layout.piece(b, offset)];
    unordered
        && sees(a)
        && sees(b)
        && (0..rules.clue_offsets().start).filter(|&offset| offset != piece::POSITION && offset != piece::KNOWN).all(same)
}
