//! What an agent is shown. The game itself is private to this file: an agent can ask for states that its seat can
//! imagine, no more.

use crate::cast;
use std::sync::atomic::AtomicBool;

use crate::engine::view::View;
use crate::engine::{Decision, Game, Ruleset, Scripts};
use crate::state::chance::join;
use crate::state::layout::head;

/// Imagines states at an open question for the seat that must answer it.
#[derive(Clone, Copy)]
pub struct Imagination<'a> {
    rules: &'a Ruleset,
    game: &'a Game,
}

impl Imagination<'_> {
    /// A playable state in which what the seat does not know is shuffled by chance.
    pub fn imagine(self, random: u64, into: &mut Game) {
        self.game.imagine(self.rules, random, into);
    }
}

/// An open question, seen from the seat that must answer it.
pub struct Look<'a> {
    rules: &'a Ruleset,
    game: &'a Game,
    decision: &'a Decision,
    scripts: &'a mut dyn Scripts,
    stop: &'a AtomicBool,
    seed: u64,
    repeat: u64,
}

impl<'a> Look<'a> {
    pub(super) fn new(
        rules: &'a Ruleset,
        game: &'a Game,
        decision: &'a Decision,
        (scripts, stop): (&'a mut dyn Scripts, &'a AtomicBool),
        seed: u64,
        repeat: u64,
    ) -> Look<'a> {
        Look { rules, game, decision, scripts, stop, seed, repeat }
    }

    /// What the seat knows; nothing only if no question is open.
    pub fn view(&self) -> Option<View> {
        self.game.view(self.rules)
    }

    /// Set when nobody waits for the answer any longer.
    pub fn stop(&self) -> &'a AtomicBool {
        self.stop
    }

    /// The rules.
    pub fn rules(&self) -> &'a Ruleset {
        self.rules
    }

    /// The question with its options.
    pub fn decision(&self) -> &'a Decision {
        self.decision
    }

    /// What runs scripts in imagined states.
    pub fn scripts(&mut self) -> &mut dyn Scripts {
        self.scripts
    }

    /// What imagines states at this question.
    pub fn imagination(&self) -> Imagination<'a> {
        Imagination { rules: self.rules, game: self.game }
    }

    /// How often the seat has been asked this question before without anything else happening.
    pub fn repeat(&self) -> u64 {
        self.repeat
    }

    /// How many dice have been rolled in this round.
    pub fn rolls(&self) -> i64 {
        self.game.position(self.rules).rolls()
    }

    /// A number for this decision, from the agents' own seed and from what everybody knows: seat, round, turn, question,
    /// answers given in this turn. It never depends on what the other options are.
    pub fn chance(&self) -> u64 {
        let cells = self.game.cells();
        let known = [head::ROUND, head::TURN, head::ANSWERS].map(|cell| u64::from(cast::bits(cells[cell])));
        let mut hash = join(self.seed, self.decision.seat as u64);
        for part in known {
            hash = join(hash, part);
        }
        join(join(hash, self.decision.question.hash(self.rules)), self.repeat)
    }
}
