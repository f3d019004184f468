//! Nothing is allocated per decision, once a thread has played a few games: memory is used again.
//! Scripts are left out: rhai allocates whenever it runs one.

use crate::support;
use allocation_counter::measure;
use houserule::agent::{SeatAgents, parse_agents};
use houserule::engine::native::Native;
use houserule::engine::{Call, Game, Machine, Ruleset, Scripts, Stop};
use houserule::state::chance::seed_of_game;
use std::sync::Arc;

/// Games after which all memory that is used again has its size.
const LEARNING: u64 = 300;

/// Scripts that do nothing.
struct Silent;

impl Scripts for Silent {
    fn run(&mut self, _: &mut Machine<'_>, _: &Call) -> Result<(), Stop> {
        Ok(())
    }
}

/// Plays games by these agents, by generated code or by a walk, and counts decisions.
fn play(
    (rules, native): (&Arc<Ruleset>, Option<&Arc<Native>>),
    game: &mut Game,
    seats: &mut SeatAgents,
    scripts: &mut dyn Scripts,
    games: std::ops::Range<u64>,
) -> u64 {
    let mut decisions = 0;
    for index in games {
        let seed = seed_of_game(3, index);
        game.restart(rules, seed);
        game.use_native(rules, native.cloned());
        seats.begin_game(seed);
        while game.on(rules).advance(scripts).expect("no fault").is_some() {
            let option = seats.choose(rules, game, scripts).expect("an answer");
            game.on(rules).answer(scripts, option).expect("no fault");
            decisions += 1;
        }
    }
    decisions
}

fn per_decision(rules: &Arc<Ruleset>, native: Option<&Arc<Native>>, agent: &str, games: u64, scripts: &mut dyn Scripts) -> (u64, u64) {
    let run_by = (rules, native);
    let mut game = Game::new(rules, 0);
    let mut seats = SeatAgents::new(&parse_agents(agent, rules.players).expect("agents"));
    play(run_by, &mut game, &mut SeatAgents::new(&parse_agents("random", rules.players).expect("agents")), scripts, 0..LEARNING);
    play(run_by, &mut game, &mut seats, scripts, 0..games);
    let mut decisions = 0;
    let counted = measure(|| decisions = play(run_by, &mut game, &mut seats, scripts, games..games + 2));
    eprintln!("{} {agent}: {} allocations in {decisions} decisions, {} bytes", rules.game, counted.count_total, counted.bytes_total);
    (counted.count_total, decisions)
}

#[test]
fn nothing_is_allocated_per_decision() {
    for name in ["nations", "nations-dice"] {
        let rules = support::game(name, 3);
        let native = Arc::new(Native::compile_all(&rules).expect("code"));
        for (agent, games) in [("random", 2), ("greedy", 5)] {
            for native in [None, Some(&native)] {
                let (allocations, decisions) = per_decision(&rules, native, agent, games, &mut Silent);
                assert!(decisions > 50);
                assert!(allocations * 50 <= decisions, "{name} {agent}: {allocations} allocations in {decisions} decisions");
            }
        }
    }
}
