//! Relation of cards to points and wins.

use serde::Serialize;

use super::super::stats::{Mean, Share, wilson};
use super::super::tally::RunTally;
use super::action_name;
use crate::engine::Ruleset;

/// A card that players begin with.
#[derive(Clone, Debug, Serialize)]
pub struct InitialCard {
    /// Id of the card.
    pub card: String,
    /// Place of the card.
    pub place: String,
    /// Share of wins among the players who begin with the card.
    pub won: Share,
    /// Points of the players who begin with the card.
    pub points: Mean,
}

/// A card offered or chosen with an action.
#[derive(Clone, Debug, Serialize)]
pub struct CardCount {
    /// Id of the card.
    pub card: String,
    /// Name of the action.
    pub action: String,
    /// Share of players who chose the card, among those to whom it was offered, counted once for each game.
    pub taken: Share,
    /// Number of times that the card was chosen with this action.
    pub times: u64,
    /// Number of games in which the card was chosen with this action.
    pub games: u64,
    /// Share of wins among the players who chose the card.
    pub won: Share,
}

/// A card that players have at the end of a game.
#[derive(Clone, Debug, Serialize)]
pub struct FinalCard {
    /// Id of the card.
    pub card: String,
    /// Place of the card.
    pub place: String,
    /// Share of wins among the players who have the card at the end.
    pub won: Share,
}

pub(super) fn initial_cards(rules: &Ruleset, tally: &RunTally) -> Vec<InitialCard> {
    let everybody = tally.points.values.count;
    let some = tally.begun.iter().filter(|(_, begun)| begun.points.count != everybody);
    let initial = some.map(|(&(place, definition), begun)| InitialCard {
        card: card_id(rules, definition),
        place: rules.places[place as usize].name.clone(),
        won: begun.won.share_of_games(begun.points.count, tally.distinct()),
        points: begun.points.mean_with_distinct(tally.distinct()),
    });
    initial.collect()
}

pub(super) fn card_counts(rules: &Ruleset, tally: &RunTally) -> Vec<CardCount> {
    let counts = tally.cards.iter().map(|(&(action, definition), chosen)| CardCount {
        card: card_id(rules, definition),
        action: action_name(rules, action),
        taken: wilson(chosen.players, chosen.offered, tally.distinct()),
        times: chosen.times,
        games: chosen.games,
        won: chosen.won.share_of_games(chosen.players, tally.distinct()),
    });
    counts.collect()
}

pub(super) fn final_cards(rules: &Ruleset, tally: &RunTally) -> Vec<FinalCard> {
    let kept = tally.kept_cards.iter().map(|(&(place, definition), &(players, won))| FinalCard {
        card: card_id(rules, definition),
        place: rules.places[place as usize].name.clone(),
        won: won.share_of_games(players, tally.distinct()),
    });
    kept.collect()
}

pub(super) fn card_id(rules: &Ruleset, definition: u32) -> String {
    rules.names.text(rules.definitions[definition as usize].id).to_string()
}

#[cfg(test)]
mod tests {
    use super::super::super::measure::PlayedGame;
    use super::*;
    use crate::playtest::toy::toy;

    #[test]
    fn who_begins_with_several_pieces_of_a_card_counts_once() {
        let (rules, mut tally) = (toy(2), RunTally::new(&toy(2)));
        for number in 0..10 {
            // The first player begins with three pieces of the first card, and both with two of the second.
            let begun = vec![(0, 0, 0), (0, 1, 0), (0, 0, 0), (0, 1, 0), (0, 0, 0), (0, 1, 1), (0, 1, 1)];
            let rows = vec![vec![4], vec![6]];
            let game = PlayedGame { course_hash: number, rows, begun: Some(begun), places: vec![1, 2], sides: 2, ..PlayedGame::default() };
            tally.add(&rules, &game);
        }
        let found = initial_cards(&rules, &tally);
        let told: Vec<(&str, u64, f64)> = found.iter().map(|begun| (begun.card.as_str(), begun.won.trials, begun.points.mean)).collect();
        assert_eq!(told, [(card_id(&rules, 0).as_str(), 10, 4.0)]);
    }
}
