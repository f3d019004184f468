//! Games of which only the state at some questions matters.

use crate::agent::{AgentKind, SeatAgents};
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::state::chance::seed_of_game;

/// Plays a game up to its end, or to the first question at which `go_on` says no.
///
/// # Errors
/// A fault of the rules, of a card, or of an agent that does not answer.
pub(super) fn play_while(
    rules: &Ruleset,
    agents: &[AgentKind],
    seed: u64,
    scripts: &mut dyn Scripts,
    mut go_on: impl FnMut(&Game) -> bool,
) -> Result<Game, Fault> {
    let mut game = Game::new(rules, seed);
    let mut seats = SeatAgents::new(agents);
    seats.begin_game(seed);
    while game.on(rules).advance(scripts)?.is_some() && go_on(&game) {
        let chosen = seats.choose(rules, &game, scripts)?;
        game.on(rules).answer(scripts, chosen)?;
    }
    Ok(game)
}

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
    let mut given = 0;
    let goes_on = |_: &Game| {
        let goes_on = given < answers;
        given += u64::from(goes_on);
        goes_on
    };
    let game = play_while(rules, agents, seed_of_game(seed, 0), scripts, goes_on)?;
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
