//! The state of a run's first game after some answers.

use crate::agent::{AgentKind, SeatAgents};
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::state::chance::seed_of_game;

/// Plays the first game of a run with this seed up to the question after `answers` answers. Returns also the number of answers given,
/// which is smaller if the game ends before.
///
/// # Errors
/// A fault of the rules, of a card, or of an agent that does not answer.
pub fn first_game_after(
    rules: &Ruleset,
    agents: &[AgentKind],
    seed: u64,
    answers: u64,
    scripts: &mut dyn Scripts,
) -> Result<(Game, u64), Fault> {
    let seed = seed_of_game(seed, 0);
    let mut game = Game::new(rules, seed);
    let mut seats = SeatAgents::new(agents);
    seats.begin_game(seed);
    let mut given = 0;
    while game.on(rules).advance(scripts)?.is_some() && given < answers {
        let chosen = seats.choose(rules, &game, scripts)?;
        game.on(rules).answer(scripts, chosen)?;
        given += 1;
    }
    Ok((game, given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::NoScripts;
    use crate::playtest::toy::toy;

    #[test]
    fn a_game_is_played_up_to_a_question_and_no_further_than_its_end() {
        let rules = toy(2);
        let agents = parse_agents("random", 2).unwrap();
        let (game, given) = first_game_after(&rules, &agents, 1, 3, &mut NoScripts).unwrap();
        assert!(given == 3 && game.decision().is_some());
        let (game, given) = first_game_after(&rules, &agents, 1, u64::MAX, &mut NoScripts).unwrap();
        assert!(given > 3 && game.finished());
    }
}
