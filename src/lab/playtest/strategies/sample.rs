//! A sample of games of which it is kept what each player did.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::as_pairs;
use super::super::measure::PlayedGame;
use super::super::merge::Merge;
use super::super::stats::Wins;
use crate::engine::Ruleset;

/// Most games in the sample.
const MOST_GAMES: usize = 512;

/// The games with the smallest hashes of their courses: a random sample that does not depend on the order or the grouping of games, in which
/// a game that repeats another one answer by answer is once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlayerSample {
    #[serde(with = "as_pairs")]
    games: BTreeMap<u64, Vec<SampledPlayer>>,
}

/// What one player did in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampledPlayer {
    /// Share of the win.
    pub won: Wins,
    /// Points.
    pub points: i64,
    /// How often each action was taken, by the kind of the card that is its first parameter.
    pub taken: Vec<(u16, Option<u16>, u32)>,
}

/// An action, with the kind of the card that is its first parameter.
pub type ActionOfKind = (u16, Option<u16>);

impl SampledPlayer {
    /// Returns the number of all actions.
    pub fn actions(&self) -> u64 {
        self.taken.iter().map(|(.., times)| u64::from(*times)).sum()
    }

    /// Returns how often an action was taken.
    pub fn times(&self, wanted: ActionOfKind) -> u32 {
        self.taken.iter().find(|(action, kind, _)| (*action, *kind) == wanted).map_or(0, |(.., times)| *times)
    }

    fn add(&mut self, action: u16, kind: Option<u16>) {
        match self.taken.iter_mut().find(|taken| (taken.0, taken.1) == (action, kind)) {
            Some((.., times)) => *times += 1,
            None => self.taken.push((action, kind, 1)),
        }
    }
}

impl Merge for PlayerSample {
    fn merge(&mut self, other: &PlayerSample) {
        other.games.iter().for_each(|(key, players)| self.insert(*key, || players.clone()));
    }
}

impl PlayerSample {
    /// Adds a game, if it belongs to the sample.
    pub fn add(&mut self, rules: &Ruleset, game: &PlayedGame) {
        self.insert(game.course_hash, || {
            let of_seat = |seat| SampledPlayer { won: game.won(seat), points: game.points(seat), taken: Vec::new() };
            let mut players: Vec<SampledPlayer> = (0..game.rows.len()).map(of_seat).collect();
            for &(action, definition, seat) in &game.chosen {
                let kind = definition.map(|definition| rules.definitions[definition as usize].kind);
                players.get_mut(usize::from(seat)).into_iter().for_each(|player| player.add(action, kind));
            }
            players
        });
    }

    /// Returns the players of all games in the sample, each with the number of the game.
    pub fn players(&self) -> impl Iterator<Item = (usize, &SampledPlayer)> {
        self.games.values().enumerate().flat_map(|(game, players)| players.iter().map(move |player| (game, player)))
    }

    /// Returns the number of games in the sample.
    pub fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// Adds what players did in a game, unless the sample is full of games that come before it.
    fn insert(&mut self, key: u64, players: impl FnOnce() -> Vec<SampledPlayer>) {
        let is_full = self.games.len() >= MOST_GAMES;
        if is_full && self.games.last_key_value().is_some_and(|(last, _)| key > *last) {
            return;
        }
        self.games.entry(key).or_insert_with(players);
        if self.games.len() > MOST_GAMES {
            self.games.pop_last();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playtest::toy::toy;
    use crate::state::chance::join;

    fn game(hash: u64) -> PlayedGame {
        let chosen = vec![(0, Some(0), 0), (0, Some(1), 0), (0, Some(2), 1), (1, None, 1), (1, None, 1)];
        PlayedGame {
            course_hash: join(7, hash),
            rows: vec![vec![3], vec![5]],
            places: vec![2, 1],
            sides: 2,
            chosen,
            ..PlayedGame::default()
        }
    }

    #[test]
    fn what_players_did_is_counted_by_kind() {
        let (rules, mut sample) = (toy(2), PlayerSample::default());
        sample.add(&rules, &game(0));
        let players: Vec<&SampledPlayer> = sample.players().map(|(_, player)| player).collect();
        let kind = |definition: usize| Some(rules.definitions[definition].kind);
        assert_eq!(players[0].taken, [(0, kind(0), 2)], "two cards of one kind");
        assert_eq!(players[1].taken, [(0, kind(2), 1), (1, None, 2)]);
        assert_eq!((players[1].points, players[1].won.games(), players[1].actions(), players[1].times((1, None))), (5, 1.0, 3, 2));
        sample.add(&rules, &game(0));
        assert_eq!(sample.games(), 1, "it is the same game");
    }

    #[test]
    fn neither_order_nor_parts_make_a_difference() {
        let rules = toy(2);
        let of = |numbers: std::ops::Range<u64>| {
            let mut sample = PlayerSample::default();
            numbers.for_each(|number| sample.add(&rules, &game(number)));
            sample
        };
        let (whole, mut one, two) = (of(0..900), of(500..900), of(0..500));
        one.merge(&two);
        assert_eq!(whole.games(), 512);
        assert_eq!(one, whole);
        assert_eq!(serde_json::from_str::<PlayerSample>(&serde_json::to_string(&whole).unwrap()).unwrap(), whole);
    }
}
