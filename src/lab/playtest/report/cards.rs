//! What cards have to do with points and games won.

use serde::Serialize;

use super::super::run::Outcome;
use super::super::stats::{Mean, Share, wilson};
use super::action_name;
use crate::engine::Ruleset;

/// A card with which players begin.
#[derive(Clone, Debug, Serialize)]
pub struct BegunCard {
    /// Its id.
    pub card: String,
    /// Where it lies.
    pub place: String,
    /// Won by those who begin with it, of all who do.
    pub won: Share,
    /// Their points.
    pub points: Mean,
}

/// A card offered or chosen with an action.
#[derive(Clone, Debug, Serialize)]
pub struct CardCount {
    /// Its id.
    pub card: String,
    /// The action.
    pub action: String,
    /// Players who chose it, of all to whom it was offered, counted in each game.
    pub taken: Share,
    /// How often it was chosen.
    pub times: u64,
    /// In how many games.
    pub games: u64,
    /// Won by those who chose it, of all who did.
    pub won: Share,
}

/// A card that players have at the end.
#[derive(Clone, Debug, Serialize)]
pub struct KeptCard {
    /// Its id.
    pub card: String,
    /// Where it lies.
    pub place: String,
    /// Won by those who have it, of all who do.
    pub won: Share,
}

pub(super) fn begun(rules: &Ruleset, outcome: &Outcome) -> Vec<BegunCard> {
    let distinct = outcome.tally.distinct();
    let everybody = outcome.tally.points.values.count;
    let some = outcome.tally.begun.iter().filter(|(_, begun)| begun.points.count != everybody);
    some.map(|(&(place, definition), begun)| BegunCard {
        card: card_id(rules, definition),
        place: rules.places[place as usize].name.clone(),
        won: begun.won.of(begun.points.count, distinct),
        points: begun.points.mean_of(distinct),
    })
    .collect()
}

pub(super) fn cards(rules: &Ruleset, outcome: &Outcome) -> Vec<CardCount> {
    let (counts, distinct) = (outcome.tally.cards.iter(), outcome.tally.distinct());
    counts
        .map(|(&(action, definition), chosen)| CardCount {
            card: card_id(rules, definition),
            action: action_name(rules, action),
            taken: wilson(chosen.players, chosen.offered, distinct),
            times: chosen.times,
            games: chosen.games,
            won: chosen.won.of(chosen.players, distinct),
        })
        .collect()
}

pub(super) fn kept(rules: &Ruleset, outcome: &Outcome) -> Vec<KeptCard> {
    let (counts, distinct) = (outcome.tally.kept_cards.iter(), outcome.tally.distinct());
    counts
        .map(|(&(place, definition), &(players, won))| KeptCard {
            card: card_id(rules, definition),
            place: rules.places[place as usize].name.clone(),
            won: won.of(players, distinct),
        })
        .collect()
}

fn card_id(rules: &Ruleset, definition: u32) -> String {
    rules.names.text(rules.definitions[definition as usize].id).to_string()
}
