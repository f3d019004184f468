//! How much of The Glutton is luck: the best answer to a player by chance, worked out over all states (Bellman, *Dynamic Programming*, 1957,
//! by value iteration), bounds what any player can win against chance.

use crate::support::small_game;
use houserule::agent::{AgentKind, SeatAgents};
use houserule::engine::{Game, NoScripts};
use houserule::state::chance::seed_of_game;

/// Cakes that end the game.
const ENOUGH: usize = 100;
/// Who has more than these has won, or will have by the end of the round.
const MOST: usize = 180;

/// What a die of `nothing, 1, 2, 3, 4, 5` shows, with how often it does; the plate is emptied by the blank face.
const THROWS: [(usize, f64); 5] = [(1, 1.0 / 6.0), (2, 1.0 / 6.0), (3, 1.0 / 6.0), (4, 1.0 / 6.0), (5, 1.0 / 6.0)];
const EMPTIED: f64 = 1.0 / 6.0;

/// What a turn brings who says "more" and "stop" equally often: the chance of each number of cakes.
fn by_chance() -> Vec<f64> {
    let mut gains = vec![0.0; MOST];
    let mut plates = vec![0.0; MOST];
    plates[0] = 1.0;
    while plates.iter().sum::<f64>() > 1e-9 {
        let mut next = vec![0.0; MOST];
        for (plate, chance) in plates.into_iter().enumerate() {
            gains[0] += chance * EMPTIED;
            for (sum, share) in THROWS.into_iter().filter(|(sum, _)| plate + sum < MOST) {
                gains[plate + sum] += chance * share / 2.0;
                next[plate + sum] += chance * share / 2.0;
            }
        }
        plates = next;
    }
    gains
}

/// The share of games that the best player wins who has `own` cakes at the beginning of a turn, if `after` says what each number of cakes
/// at its end is worth.
fn best_turn(own: usize, after: &[f64]) -> f64 {
    let worth = |plate: usize| after[(own + plate).min(MOST - 1)];
    // With a full plate nobody rolls again.
    let mut best: Vec<f64> = (0..MOST).map(worth).collect();
    for plate in (0..MOST - 5).rev() {
        let roll = EMPTIED * worth(0) + THROWS.iter().map(|(sum, share)| share * best[plate + sum]).sum::<f64>();
        best[plate] = if plate == 0 { roll } else { roll.max(worth(plate)) };
    }
    best[0]
}

/// The share of games that the best player wins against one by chance, who sits behind or in front of it for the whole game; of equals the
/// one in front wins.
fn ceiling(in_front: bool) -> f64 {
    let gains: Vec<(usize, f64)> = by_chance().into_iter().enumerate().filter(|(_, chance)| *chance > 1e-6).collect();
    let over = |own: usize, other: usize| if own > other || own == other && in_front { 1.0 } else { 0.0 };
    let mut worth = vec![vec![0.5; ENOUGH]; ENOUGH];
    let then = |worth: &[Vec<f64>], own: usize, other: usize| {
        if own >= ENOUGH || other >= ENOUGH { over(own, other) } else { worth[own][other] }
    };
    // What the other's turn makes of numbers of cakes.
    let answered = |worth: &[Vec<f64>], own: usize, other: usize| -> f64 {
        gains.iter().map(|(gain, chance)| chance * then(worth, own, other + gain)).sum()
    };
    // What a turn of one's own makes of them.
    let played = |worth: &[Vec<f64>], own: usize, other: usize| {
        let after: Vec<f64> = (0..MOST).map(|at| if at < own { 0.0 } else { then(worth, at, other) }).collect();
        best_turn(own, &after)
    };
    // Nobody ever has less than before: from a state games lead to those that are worked out already, and, where nobody gains, to itself.
    if in_front {
        let mut all: Vec<Vec<f64>> = (0..ENOUGH).map(|other| (0..MOST).map(|own| answered(&worth, own, other)).collect()).collect();
        for (own, other) in (0..ENOUGH).rev().flat_map(|own| (0..ENOUGH).rev().map(move |other| (own, other))) {
            for _ in 0..12 {
                all[other][own] = answered(&worth, own, other);
                worth[own][other] = best_turn(own, &all[other]);
            }
            all[other][own] = answered(&worth, own, other);
        }
    } else {
        for own in (0..ENOUGH).rev() {
            let mut turns: Vec<f64> = (0..ENOUGH + MOST).map(|other| played(&worth, own, other)).collect();
            for other in (0..ENOUGH).rev() {
                let more: f64 = gains.iter().filter(|(gain, _)| *gain > 0).map(|(gain, chance)| chance * turns[other + gain]).sum();
                for _ in 0..12 {
                    worth[own][other] = more + gains[0].1 * played(&worth, own, other);
                }
                turns[other] = played(&worth, own, other);
            }
        }
    }
    worth[0][0]
}

#[test]
fn the_best_player_of_the_glutton_beats_chance_more_than_nine_times_of_ten() {
    let ceiling = (ceiling(true) + ceiling(false)) / 2.0;
    assert!((0.950..0.952).contains(&ceiling), "{ceiling}");
    // What greedy players win of so many games lies below it, and above a half.
    let (rules, games) = (small_game("glutton", 2), 400);
    let mut won = 0;
    for number in 0..games {
        let greedy = (number % 2) as usize;
        let mut kinds = vec![AgentKind::Random; 2];
        kinds[greedy] = AgentKind::with_style("");
        let (mut seats, mut game, seed) = (SeatAgents::new(&kinds), Game::default(), seed_of_game(3, number));
        game.restart(&rules, seed);
        seats.begin_game(seed);
        while game.on(&rules).advance(&mut NoScripts).unwrap().is_some() {
            let chosen = seats.choose(&rules, &game, &mut NoScripts).unwrap();
            game.on(&rules).answer(&mut NoScripts, chosen).unwrap();
        }
        won += usize::from(game.store(&rules).winners().contains(&greedy));
    }
    assert!((340..390).contains(&won), "{won} of {games}");
}
