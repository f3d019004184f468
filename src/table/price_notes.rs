//! Prices of cards, as short notes beside them.

use std::collections::{BTreeMap, BTreeSet};

use super::words::DisplayNames;
use crate::engine::{Game, Ruleset};
use crate::prices;

/// Returns for each card, by the index of its piece, what a seat pays for the actions that use it, as far as the seat can know. The action is
/// named if there are several with prices.
pub(super) fn price_notes(rules: &Ruleset, words: &DisplayNames, game: &Game, seat: usize) -> BTreeMap<usize, Vec<String>> {
    let mut position = Game::default();
    game.view_of(rules, seat).position(rules, 0, &mut position);
    position.watch(seat);
    let all = prices::compute_prices(&mut position.store(rules), seat);
    let actions: BTreeSet<u16> = all.iter().map(|price| price.action).collect();
    let mut notes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for price in &all {
        let costs = price.costs.iter().map(|(amount, what)| format!("{amount} {}", words.word_name(rules.names.text(*what))));
        let mut note = costs.collect::<Vec<String>>().join(" + ");
        if actions.len() > 1 {
            note = format!("{} {note}", words.word_name(rules.names.text(rules.choices[price.action as usize].name)));
        }
        notes.entry(price.card).or_default().push(note);
    }
    notes
}
