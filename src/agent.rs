//! Who answers a decision. An agent is never given the game: it gets a [`Look`], which shows what its seat knows.

use std::sync::atomic::AtomicBool;

use crate::engine::decision::Question;
use crate::engine::{Fault, Game, Ruleset, Scripts};
use crate::state::chance::{hash_text, join};
use crate::state::layout::head;

mod exec;
mod greedy;
mod kind;
mod look;
mod lookahead;
mod random;
mod search;
mod seen;
mod tree;

pub use exec::{Exec, TIME_LIMIT};
pub use greedy::Greedy;
pub use kind::{AgentKind, TRAINED, parse_agents, parse_seats};
pub use look::Look;
pub use random::{Random, highest};
pub use search::{Budget, Search};
pub use seen::{At, Had, InOrder, Owned, Seen, SeenCard, SeenPlace, SeenSeat, seat_name, seen};

/// One that decides.
pub trait Agent {
    /// A game begins.
    fn begin(&mut self) {}

    /// The index of the option that it takes.
    ///
    /// # Errors
    /// Why it does not answer: no player of this program's own has a reason, another program may have many.
    fn choose(&mut self, look: &mut Look<'_>) -> Result<usize, Fault>;

    /// What it would take, and what it thinks of the options. Who says nothing of them only names one.
    ///
    /// # Errors
    /// As for [`Agent::choose`].
    fn advise(&mut self, look: &mut Look<'_>) -> Result<Advice, Fault> {
        Ok(Advice { choice: self.choose(look)?, values: Vec::new() })
    }

    /// Somebody has seen that its seat took the option with this key: a game is gone through again up to where it stopped.
    fn took(&mut self, _: u64) {}

    /// The game has come to its end.
    fn end(&mut self, _: &Ruleset, _: &mut Game) {}
}

/// What an agent would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The option.
    pub choice: usize,
    /// What each option comes to, by its own measure (points, as the rules' `worth` counts them, for those that go by it); `None` where
    /// it has not tried one. Empty if it has no measure.
    pub values: Vec<Option<f64>>,
}

/// What an agent of some kind would do at the open question, from what the seat that is asked knows; `None` while no question is open.
///
/// # Errors
/// Why it does not answer.
pub fn advise(kind: &AgentKind, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts) -> Result<Option<Advice>, Fault> {
    let Some(decision) = game.decision() else { return Ok(None) };
    let stop = AtomicBool::new(false);
    let mut look = Look::new(rules, game, decision, (scripts, &stop), hash_text("advice"), 0);
    kind.build().advise(&mut look).map(Some)
}

/// The agents of a game, one at each seat.
pub struct Seats {
    agents: Vec<Box<dyn Agent>>,
    /// How many seats further on they sit than they were named.
    turned: usize,
    seed: u64,
    /// What was asked since the state last moved on, so that a question that comes again is not answered alike.
    asked: Vec<(usize, Question, u64)>,
    moment: [i32; 4],
}

impl Seats {
    /// New agents.
    pub fn new(kinds: &[AgentKind]) -> Seats {
        let agents = kinds.iter().map(AgentKind::build).collect();
        Seats { agents, turned: 0, seed: 0, asked: Vec::new(), moment: [0; 4] }
    }

    /// From now on everybody sits so many seats further on than they were named.
    pub fn turn(&mut self, by: usize) {
        self.turned = by % self.agents.len().max(1);
    }

    /// Begins a game. The agents' chance comes from the game's seed by a way that cannot be gone back.
    pub fn begin(&mut self, seed_of_game: u64) {
        self.seed = join(hash_text("agents"), seed_of_game);
        self.asked.clear();
        self.moment = [0; 4];
        self.agents.iter_mut().for_each(|agent| agent.begin());
    }

    /// The answer to the open question; the first option when there is none or no agent.
    ///
    /// # Errors
    /// Why an agent does not answer.
    pub fn choose(&mut self, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts) -> Result<usize, Fault> {
        self.choose_unless(rules, game, scripts, &AtomicBool::new(false))
    }

    /// The answer to the open question, for which nobody waits any longer once `stop` is set.
    ///
    /// # Errors
    /// Why an agent does not answer.
    pub fn choose_unless(&mut self, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts, stop: &AtomicBool) -> Result<usize, Fault> {
        let Some(decision) = game.decision() else { return Ok(0) };
        if decision.options.len() < 2 {
            return Ok(0);
        }
        let repeat = self.repeat(game, decision.seat, decision.question);
        let count = self.agents.len().max(1);
        let Some(agent) = self.agents.get_mut((decision.seat + count - self.turned) % count) else { return Ok(0) };
        let mut look = Look::new(rules, game, decision, (scripts, stop), self.seed, repeat);
        Ok(agent.choose(&mut look)?.min(decision.options.len() - 1))
    }

    /// The game is gone through again from its beginning: nothing has been asked yet.
    pub fn forget(&mut self) {
        self.asked.clear();
        self.moment = [0; 4];
    }

    /// The open question was answered before, in a game that is gone through again: whoever sits there is as it would be had it chosen.
    pub fn took(&mut self, game: &Game, option: usize) {
        let Some(decision) = game.decision() else { return };
        if decision.options.len() < 2 {
            return;
        }
        self.repeat(game, decision.seat, decision.question);
        let count = self.agents.len().max(1);
        if let (Some(agent), Some(option)) =
            (self.agents.get_mut((decision.seat + count - self.turned) % count), decision.options.get(option))
        {
            agent.took(option.key);
        }
    }

    /// Tells everybody that the game has come to its end.
    pub fn end(&mut self, rules: &Ruleset, game: &mut Game) {
        self.agents.iter_mut().for_each(|agent| agent.end(rules, game));
    }

    /// How often this seat has been asked this question since the state last moved on.
    fn repeat(&mut self, game: &Game, seat: usize, question: Question) -> u64 {
        let cells = game.cells();
        let now = [cells[head::ROUND], cells[head::TURN], cells[head::ANSWERS], cells[head::PROGRAM]];
        if now != self.moment {
            self.moment = now;
            self.asked.clear();
        }
        match self.asked.iter_mut().find(|(who, what, _)| *who == seat && *what == question) {
            Some((_, _, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.asked.push((seat, question, 0));
                0
            }
        }
    }
}
