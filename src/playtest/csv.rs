//! The single games as a table for other programs.

use std::collections::BTreeSet;

use super::run::{Outcome, Plan};

/// One line for each seat of each game.
pub fn csv(plan: &Plan<'_>, outcome: &Outcome) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text = "game,seed,seat,agent,rank,points,rounds,decisions".to_string();
    for (name, _) in &plan.rules.score {
        text.push(',');
        text.push_str(&quoted(name));
    }
    text.push('\n');
    let dropped: BTreeSet<u64> = outcome.dropped.iter().map(|dropped| dropped.game).collect();
    let numbers = (0..).filter(|number| !dropped.contains(number));
    for (number, game) in numbers.zip(&outcome.games) {
        for (seat, rows) in game.rows.iter().enumerate() {
            let rank = game.standing.iter().position(|found| *found == seat).map_or(0, |place| place + 1);
            let agent = plan.agents.get(seat).map(ToString::to_string).unwrap_or_default();
            let (points, rounds, decisions) = (game.points(seat), game.rounds, game.decisions);
            text.push_str(&format!("{number},{},{},{agent},{rank},{points},{rounds},{decisions}", game.seed, seat + 1));
            for points in rows {
                text.push_str(&format!(",{points}"));
            }
            text.push('\n');
        }
    }
    text
}
