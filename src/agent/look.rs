//! What an agent is shown. The game itself is private to this file: an agent can only ask for its seat's view and for states that are
//! consistent with it.

use crate::cast;
use std::sync::atomic::AtomicBool;

use crate::engine::view::View;
use crate::engine::{Decision, Game, Ruleset, Scripts};
use crate::state::chance::join;
use crate::state::layout::head;

/// Samples states for the seat that must answer the open question.
#[derive(Clone, Copy)]
pub struct StateSampler<'a> {
    rules: &'a Ruleset,
    game: &'a Game,
}

impl StateSampler<'_> {
    /// Writes a playable state into `into` in which everything unknown to the seat is drawn at random from the seed `random`.
    pub fn sample_into(self, random: u64, into: &mut Game) {
        self.game.imagine(self.rules, random, into);
    }

    /// Writes the state itself into `into`, to try answers on it that tell the seat nothing new: see [`Game::look_out`].
    pub fn look_out_in(self, into: &mut Game) -> bool {
        self.game.look_out(self.rules, into)
    }
}

/// An open question from the point of view of the seat that must answer it.
pub struct DecisionView<'a> {
    rules: &'a Ruleset,
    game: &'a Game,
    decision: &'a Decision,
    scripts: &'a mut dyn Scripts,
    stop: &'a AtomicBool,
    seed: u64,
    repeat: u64,
}

impl<'a> DecisionView<'a> {
    pub(super) fn new(
        rules: &'a Ruleset,
        game: &'a Game,
        decision: &'a Decision,
        (scripts, stop): (&'a mut dyn Scripts, &'a AtomicBool),
        seed: u64,
        repeat: u64,
    ) -> DecisionView<'a> {
        DecisionView { rules, game, decision, scripts, stop, seed, repeat }
    }

    /// Returns what the asked seat sees of the game; `None` only if no question is open.
    pub fn view(&self) -> Option<View> {
        self.game.view(self.rules)
    }

    /// Returns the flag that is set when the run was stopped and the answer is no longer needed.
    pub fn stop_flag(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &'a Ruleset {
        self.rules
    }

    /// Returns the question with its options.
    pub fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// Returns the host that runs scripts in sampled states.
    pub fn scripts(&mut self) -> &mut dyn Scripts {
        self.scripts
    }

    /// Returns the sampler of states at this question.
    pub fn sampler(&self) -> StateSampler<'a> {
        StateSampler { rules: self.rules, game: self.game }
    }

    /// Returns the number of times the seat has been asked this question before without any other change of the state.
    pub fn repeat_count(&self) -> u64 {
        self.repeat
    }

    /// Returns a random number for this decision. It depends on the agents' seed and on what every seat knows (seat, round, turn, question,
    /// number of answers in this turn), but not on the other options.
    pub fn random_number(&self) -> u64 {
        let cells = self.game.cells();
        let known = [head::ROUND, head::TURN, head::ANSWERS].map(|cell| u64::from(cast::bits(cells[cell])));
        let mut hash = join(self.seed, self.decision.seat as u64);
        for part in known {
            hash = join(hash, part);
        }
        join(join(hash, self.decision.question.hash(self.rules)), self.repeat)
    }
}
