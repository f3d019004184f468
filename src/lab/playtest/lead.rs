//! Who is in the lead when a round begins: how often that changes, and from when on the winner leads for good.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::measure::PlayedGame;
use super::merge::merge_by_field;
use super::stats::{IntegerSums, Mean, Share, wilson};
use super::table::TextTable;
use crate::cast;
use crate::document::numbers::{interval, share_cells};
use crate::engine::{Game, Ruleset};

/// Maximum number of rows for a screen.
const MOST_ROWS: usize = 12;

/// Returns the side in the lead, given the points of all seats at that time. Equal points are told apart by what `wins` names then.
pub(super) fn leader(rules: &Ruleset, game: &mut Game, points: &[i64]) -> u8 {
    let sign = if rules.lowest_wins { -1 } else { 1 };
    if !rules.has_teams() {
        let most = points.iter().map(|points| sign * points).max();
        let mut first = points.iter().enumerate().filter(|(_, points)| Some(sign * **points) == most).map(|(seat, _)| seat);
        if let (Some(seat), None) = (first.next(), first.next()) {
            return cast::seat(seat);
        }
    }
    cast::seat(game.store(rules).standing().first().map_or(0, |seat| rules.side(*seat)))
}

/// The course of the lead in one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeadCourse {
    /// Number of rounds that begin with another leader than the one before, and of ends with a winner who did not lead before.
    pub changes: i64,
    /// The first round from whose beginning on the winner leads to the end; `None` if it leads at the end only.
    pub settled: Option<u64>,
}

impl LeadCourse {
    /// Returns the course of the lead; `None` if there is nobody to lead, or if no round begins after somebody has acted.
    pub fn of_game(game: &PlayedGame) -> Option<LeadCourse> {
        // Nobody has acted before the first round, in which the score may not be defined yet.
        let first = game.leaders.iter().position(|(round, _)| *round > game.first_round)?;
        LeadCourse::of_leaders(&game.leaders[first..], game)
    }

    /// Returns the course of the lead if these sides are in the lead when rounds begin; `None` if there is nobody to lead.
    pub fn of_leaders(led: &[(u64, u8)], game: &PlayedGame) -> Option<LeadCourse> {
        let last = led.last().map(|(_, side)| usize::from(*side));
        // Among several winners the one who was in the lead at the end, if any. A side has the number of its first seat.
        let winner = match last.filter(|side| game.places.get(*side) == Some(&1)) {
            Some(last) => last,
            None => *game.ranking_of_sides().first()?,
        };
        let sides = || led.iter().map(|(_, side)| usize::from(*side)).chain([winner]);
        let changes = sides().zip(sides().skip(1)).filter(|(before, now)| before != now).count();
        let settled = led.iter().rev().take_while(|(_, side)| usize::from(*side) == winner).last().map(|(round, _)| *round);
        Some(LeadCourse { changes: cast::count(changes), settled })
    }
}

/// Sums over the courses of the lead in many games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeadTally {
    /// Number of changes of the lead.
    changes: IntegerSums,
    /// Number of games by the first round from whose beginning on the winner leads; 0 for the end.
    settled: BTreeMap<u64, u64>,
}

merge_by_field!(LeadTally: changes, settled);

impl LeadTally {
    /// Adds a game.
    pub fn add(&mut self, game: &PlayedGame) {
        if let Some(LeadCourse { changes, settled }) = LeadCourse::of_game(game) {
            self.changes.add(changes);
            *self.settled.entry(settled.unwrap_or(0)).or_default() += 1;
        }
    }

    /// Summarises the sums; `None` if there are none. The fraction `distinct` of the games is distinct.
    pub fn report(&self, distinct: f64) -> Option<Lead> {
        let games = self.changes.count;
        let mut known = 0;
        let rounds = self.settled.iter().filter(|(round, _)| **round > 0);
        let settled = rounds.map(|(&round, &here)| {
            known += here;
            SettledBy { round, games: wilson(known, games, distinct) }
        });
        let settled = settled.collect();
        (games > 0).then(|| Lead { games, changes: self.changes.mean_with_distinct(distinct).of_counts(), settled })
    }
}

/// Who leads, over all games.
#[derive(Clone, Debug, Serialize)]
pub struct Lead {
    /// Number of games in which somebody can lead when a round begins.
    pub games: u64,
    /// Number of changes of the lead in a game.
    pub changes: Mean,
    /// For each round the share of games whose later winner leads from its beginning, or from before, to the end.
    pub settled: Vec<SettledBy>,
}

/// The share of games that are settled when a round begins.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SettledBy {
    /// Number of the round.
    pub round: u64,
    /// Share of games.
    pub games: Share,
}

impl Lead {
    /// Returns the first round at whose beginning half of the games are settled; `None` if that is so at the end only.
    pub fn settled_by_half(&self) -> Option<u64> {
        self.settled.iter().find(|by| by.games.share >= 0.5).map(|by| by.round)
    }

    /// Says in a sentence when the winner is settled.
    pub fn sentence(&self) -> String {
        match self.settled_by_half() {
            Some(round) => format!("in half of the games the winner leads from round {round} on, or longer, to the end"),
            None => {
                let last = self.settled.last().map_or(0.0, |by| by.games.share);
                format!("in {:.1}% of the games the winner is known before the end; in the others the last round brings it", last * 100.0)
            }
        }
    }

    /// The share of games that are settled when rounds begin: of so many rounds that a screen has room for them, or of all.
    pub(super) fn table(&self, short: bool) -> TextTable {
        let mut table = TextTable::new(1);
        table.row(["settled when round … begins", "games", "share", "95% interval"]);
        let step = if short { self.settled.len().div_ceil(MOST_ROWS).max(1) } else { 1 };
        // Rows at equal distances, with the last.
        let mut rows: Vec<&SettledBy> = self.settled.iter().rev().step_by(step).collect();
        rows.reverse();
        for by in rows {
            let [count, share, interval] = share_cells(&by.games);
            table.row([by.round.to_string(), count, share, interval]);
        }
        table
    }

    /// When the winner is settled and how often the lead changes, as lines.
    pub(super) fn lines(&self) -> String {
        let interval = self.changes.interval.map_or(String::new(), |ends| format!(" ({})", interval(ends)));
        format!("  {}\n  the lead changes {:.2}{interval} times in a game\n", self.sentence(), self.changes.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::super::merge::Merge;
    use super::*;

    /// A game of two sides with these leaders when rounds begin, from the first on, and this winner.
    fn game(leaders: &[u8], winner: usize) -> PlayedGame {
        let places = (0..2).map(|seat| if seat == winner { 1 } else { 2 }).collect();
        let leaders = (1..).zip(leaders.iter().copied()).collect();
        PlayedGame { first_round: 1, leaders, places, ranking: vec![winner, 1 - winner], sides: 2, ..PlayedGame::default() }
    }

    #[test]
    fn the_winner_is_settled_in_the_first_round_of_its_last_lead() {
        let course = |leaders: &[u8], winner| LeadCourse::of_game(&game(leaders, winner)).map(|led| (led.changes, led.settled));
        // What comes first is settled by the order of play.
        assert_eq!(course(&[1, 0, 0, 0], 0), Some((0, Some(2))));
        assert_eq!(course(&[0, 0, 1, 0, 0], 0), Some((2, Some(4))));
        assert_eq!(course(&[0, 0, 1, 0, 0], 1), Some((3, None)), "the end changes it once more");
        assert_eq!(course(&[0], 0), None);
        assert_eq!(course(&[], 0), None);
    }

    #[test]
    fn the_round_in_which_nobody_has_acted_is_left_out_and_no_other() {
        // The score is not defined in the first round.
        let later = PlayedGame { leaders: vec![(2, 1), (3, 0)], ..game(&[], 0) };
        assert_eq!(LeadCourse::of_game(&later), Some(LeadCourse { changes: 1, settled: Some(3) }));
        // The first question is put in the second round.
        let begins = PlayedGame { first_round: 2, ..later };
        assert_eq!(LeadCourse::of_game(&begins), Some(LeadCourse { changes: 0, settled: Some(3) }));
    }

    #[test]
    fn of_two_winners_the_one_in_the_lead_has_been_settled() {
        let tied = PlayedGame { places: vec![1, 1], ..game(&[0, 1, 1], 0) };
        assert_eq!(LeadCourse::of_game(&tied), Some(LeadCourse { changes: 0, settled: Some(2) }));
    }

    #[test]
    fn shares_of_games_grow_from_round_to_round() {
        let games = [game(&[0, 0, 0], 0), game(&[0, 1, 0], 0), game(&[0, 0, 1], 1), game(&[0, 0, 0], 1)];
        let (mut all, mut other) = (LeadTally::default(), LeadTally::default());
        games[..3].iter().for_each(|game| all.add(game));
        games[3..].iter().for_each(|game| other.add(game));
        all.merge(&other);
        let found = all.report(1.0).unwrap();
        let settled: Vec<(u64, f64)> = found.settled.iter().map(|by| (by.round, by.games.share)).collect();
        assert_eq!(settled, [(2, 0.25), (3, 0.75)]);
        assert_eq!((found.games, found.changes.mean, found.settled_by_half()), (4, 0.75, Some(3)));
        assert!(found.lines().contains("in half of the games the winner leads from round 3 on"), "{}", found.lines());
        assert!(LeadTally::default().report(1.0).is_none());
    }
}
