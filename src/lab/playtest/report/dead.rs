//! Cards that hardly anybody takes although they are offered.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::merge::Merge;
use super::super::run::RunOutcome;
use super::super::stats::{ALPHA, clopper_pearson, cohens_h};
use super::super::table::TextTable;
use super::super::tally::CardChoices;
use super::{action_name, cards::card_id};
use crate::engine::Ruleset;

/// A card is dead if it is taken in at most one of twenty cases in which it is offered, for certain.
const MOST_TAKEN: f64 = 0.05;
/// Number of cards in the table of the text; all are in the data.
const MOST_ROWS: usize = 20;

/// A card that hardly anybody takes by an action although it is offered.
#[derive(Clone, Debug, Serialize)]
pub struct DeadCard {
    /// Id of the card.
    pub card: String,
    /// Name of the action.
    pub action: String,
    /// Number of players to whom the card was offered, counted once for each game.
    pub offered: u64,
    /// Number of these players who took it.
    pub taken: u64,
    /// Upper limit of the share who take it: the end of the exact 95 % interval (Clopper, Pearson).
    pub at_most: f64,
    /// The same limit at a level divided by the number of all pairs of an action and a card that was offered with it (Bonferroni): it holds for
    /// all of them at once.
    pub at_most_of_all: f64,
    /// Share who take a card by this action, over all cards.
    pub usual: f64,
    /// Whether the card is taken more often by another action.
    pub taken_otherwise: bool,
}

impl DeadCard {
    /// Returns how far the card is from the usual, for certain, as Cohen's *h*.
    pub(crate) fn certain(&self) -> f64 {
        cohens_h(self.at_most_of_all, self.usual).min(0.0)
    }

    /// Returns how far the card is from the usual, as Cohen's *h*.
    pub(crate) fn effect(&self) -> f64 {
        cohens_h(self.taken as f64 / self.offered.max(1) as f64, self.usual)
    }
}

/// Returns the dead cards, by how clearly they are dead.
pub(super) fn dead_cards(rules: &Ruleset, outcome: &RunOutcome) -> Vec<DeadCard> {
    let (cards, distinct) = (&outcome.tally.cards, outcome.tally.distinct());
    let offered = || cards.iter().filter(|(_, choices)| choices.offered > 0);
    // By action: offers, and takers.
    let mut of_action: BTreeMap<u16, (u64, u64)> = BTreeMap::new();
    for ((action, _), choices) in offered() {
        of_action.entry(*action).or_default().merge(&(choices.offered, choices.players));
    }
    let limit =
        |choices: &CardChoices, alpha: f64| clopper_pearson(choices.players as f64 * distinct, choices.offered as f64 * distinct, alpha)[1];
    let alpha_of_all = ALPHA / offered().count().max(1) as f64;
    let (mut found, mut alive) = (Vec::new(), Vec::new());
    for (&(action, definition), choices) in offered() {
        let at_most_of_all = limit(choices, alpha_of_all);
        if at_most_of_all > MOST_TAKEN {
            // A card that is hardly ever offered may be taken as often as others.
            alive.extend((choices.players > 0).then_some(definition));
            continue;
        }
        let (offered, taken) = of_action.get(&action).copied().unwrap_or_default();
        let dead = DeadCard {
            card: card_id(rules, definition),
            action: action_name(rules, action),
            offered: choices.offered,
            taken: choices.players,
            at_most: limit(choices, ALPHA),
            at_most_of_all,
            usual: taken as f64 / offered.max(1) as f64,
            taken_otherwise: false,
        };
        // What nobody does with any card is an action that is not worth it, whatever the card.
        if dead.certain() < 0.0 {
            found.push((definition, dead));
        }
    }
    let mut dead: Vec<DeadCard> =
        found.into_iter().map(|(definition, dead)| DeadCard { taken_otherwise: alive.contains(&definition), ..dead }).collect();
    dead.sort_by(|a, b| a.taken_otherwise.cmp(&b.taken_otherwise).then(a.at_most.total_cmp(&b.at_most)));
    dead
}

/// Formats the dead cards as a table.
pub(crate) fn dead_cards_table(dead: &[DeadCard]) -> String {
    if dead.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new(2);
    table.row(["", "", "offered to", "taken by", "at most", "usual"]);
    for card in dead.iter().take(MOST_ROWS) {
        let [at_most, usual] = [card.at_most, card.usual].map(|share| format!("{:.1}%", share * 100.0));
        let action = if card.taken_otherwise { format!("{} (taken otherwise)", card.action) } else { card.action.clone() };
        table.row([card.card.clone(), action, card.offered.to_string(), card.taken.to_string(), at_most, usual]);
    }
    let more = dead.len().saturating_sub(MOST_ROWS);
    let rest = if more > 0 { format!("  and {more} more\n") } else { String::new() };
    format!("{}{rest}  players to whom a card was offered in a game; at most: the end of the exact 95% interval\n", table.text(2))
}

#[cfg(test)]
mod tests {
    use super::super::super::tally::RunTally;
    use super::*;
    use crate::playtest::toy::toy;

    #[test]
    fn a_card_is_dead_if_hardly_anybody_takes_it_for_certain() {
        let rules = toy(2);
        let choices = |offered, players| CardChoices { offered, times: players, games: players, players, ..CardChoices::default() };
        let mut tally = RunTally { games: 1000, ..RunTally::new(&rules) };
        (0..1000).for_each(|game| tally.different.add(crate::state::chance::join(7, game)));
        // Of six pairs the limit at a level of 0.05 / 6 counts: 1 - (0.025 / 6)^(1/n) without a taker.
        tally.cards.insert((0, 0), choices(1000, 600));
        tally.cards.insert((0, 1), choices(200, 0));
        tally.cards.insert((0, 2), choices(90, 0));
        tally.cards.insert((0, 3), choices(400, 8));
        // The second card is taken by another action, and nobody does a third thing with any card.
        tally.cards.insert((1, 1), choices(50, 40));
        tally.cards.insert((2, 1), choices(500, 0));
        let outcome = RunOutcome { tally, ..RunOutcome::default() };
        let dead = dead_cards(&rules, &outcome);
        let told: Vec<(&str, u64, u64, bool)> =
            dead.iter().map(|dead| (dead.card.as_str(), dead.offered, dead.taken, dead.taken_otherwise)).collect();
        // 1 - (0.025 / 6)^(1/90) is 0.0591, and 8 of 400 are 2 %, at most 4.8 %.
        assert_eq!(told, [("high_wall", 400, 8, false), ("red_wolf", 200, 0, true)]);
        let red = &dead[1];
        assert!((red.at_most - (1.0 - 0.025_f64.powf(1.0 / 200.0))).abs() < 1e-9, "{red:?}");
        assert!((red.at_most_of_all - (1.0 - (0.025_f64 / 6.0).powf(1.0 / 200.0))).abs() < 1e-9, "{red:?}");
        assert!((red.usual - 608.0 / 1690.0).abs() < 1e-12);
        assert!(dead_cards_table(&dead).contains("200         0     1.8%  36.0%"), "{}", dead_cards_table(&dead));
    }
}
