//! Outcomes of games in which there is but one side: that all win or lose together, or that one player plays alone. Nobody is ahead of
//! anybody, so that a game is compared with the others of its lesson or generation.

use crate::engine::{Game, Ruleset};

/// How a game ended for all.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameTogether {
    /// Points, with those for how near the condition was under which all win.
    pub points: f32,
    /// Whether the game was won.
    pub won: bool,
    /// Number of questions, by which a lost game is late or early.
    pub asked: u64,
}

impl GameTogether {
    /// Returns how a finished game ended.
    pub fn of(rules: &Ruleset, game: &mut Game, asked: u64) -> GameTogether {
        let points = game.store(rules).score_of_side(0) as f32;
        GameTogether { points, won: !game.store(rules).winners().is_empty(), asked }
    }
}

/// Returns the outcome of each game relative to their mean: its points, and for a game that is won twice what lies between the most and the
/// fewest; for a lost one a part of it, the less the earlier it was lost.
pub fn outcomes_together(games: &[GameTogether]) -> Vec<f32> {
    let most = games.iter().map(|game| game.points).fold(f32::MIN, f32::max);
    let least = games.iter().map(|game| game.points).fold(f32::MAX, f32::min);
    let longest = games.iter().map(|game| game.asked).max().unwrap_or(0).max(1) as f32;
    let prize = 2.0 * (most - least) + 1.0;
    let lasted = |game: &GameTogether| if game.won { 1.0 } else { game.asked as f32 / longest / 2.0 };
    let values: Vec<f32> = games.iter().map(|game| game.points + prize * lasted(game)).collect();
    let mean = values.iter().sum::<f32>() / values.len().max(1) as f32;
    values.into_iter().map(|value| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn won_is_better_than_lost_and_late_better_than_early() {
        let game = |points, won, asked| GameTogether { points, won, asked };
        let found = outcomes_together(&[game(5.0, true, 20), game(9.0, false, 10), game(9.0, false, 20)]);
        assert!(found[0] > found[2] && found[2] > found[1], "{found:?}");
        assert!(found.iter().sum::<f32>().abs() < 1e-4, "{found:?}");
    }
}
