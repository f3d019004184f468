//! Who answers a decision. An agent is never given the game: it gets a [`Look`], which shows what its seat knows.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_source::diagnostic;
pub(crate) use houserule_state as state;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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
pub use kind::{AgentKind, TRAINED, parse_agents, parse_kinds, parse_seats};
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

    /// How many answers it has tried in imagined states so far; nothing for who imagines none.
    fn tried(&self) -> u64 {
        0
    }

    /// A fault that an answer met in a state which it has imagined since this was asked last. Who thinks ahead keeps away from such
    /// answers, so that nobody would hear of it.
    fn avoided(&mut self) -> Option<Box<Fault>> {
        None
    }

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

#[expect(clippy::disallowed_methods, reason = "how long agents think is told, and nothing depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// The agents of a game, one at each seat.
pub struct Seats {
    agents: Vec<Box<dyn Agent>>,
    /// Which of them sits at each seat.
    sitting: Vec<usize>,
    /// How long each has thought, and about how many questions, if somebody wants to know.
    thought: Option<Vec<(Duration, u64)>>,
    seed: u64,
    /// What was asked since the state last moved on, so that a question that comes again is not answered alike.
    asked: Vec<(usize, Question, u64)>,
    moment: [i32; 4],
}

impl Seats {
    /// New agents.
    pub fn new(kinds: &[AgentKind]) -> Seats {
        let agents = kinds.iter().map(AgentKind::build).collect();
        let sitting = (0..kinds.len()).collect();
        Seats { agents, sitting, thought: None, seed: 0, asked: Vec::new(), moment: [0; 4] }
    }

    /// From now on everybody sits so many seats further on than they were named.
    pub fn turn(&mut self, by: usize) {
        let count = self.agents.len();
        let by = by % count.max(1);
        self.sitting = (0..count).map(|seat| (seat + count - by) % count).collect();
    }

    /// From now on these agents sit at the seats; the others wait.
    pub fn sit(&mut self, sitting: Vec<usize>) {
        self.sitting = sitting;
    }

    /// From now on it is noted how long agents think.
    pub fn watch(&mut self) {
        self.thought = Some(vec![(Duration::ZERO, 0); self.agents.len()]);
    }

    /// How long each agent has thought since this was asked last, and about how many questions with at least two options; nothing
    /// where nobody watches.
    pub fn thought(&mut self) -> Vec<(Duration, u64)> {
        let fresh = self.thought.as_ref().map(|thought| vec![(Duration::ZERO, 0); thought.len()]);
        std::mem::replace(&mut self.thought, fresh).unwrap_or_default()
    }

    /// How many answers all of them have tried in imagined states so far.
    pub fn tried(&self) -> u64 {
        self.agents.iter().map(|agent| agent.tried()).sum()
    }

    /// A fault that an agent's answers have met in imagined states since this was asked last.
    pub fn avoided(&mut self) -> Option<Box<Fault>> {
        self.agents.iter_mut().find_map(|agent| agent.avoided())
    }

    /// Begins a game. The agents' chance comes from the game's seed by a way that cannot be gone back.
    pub fn begin(&mut self, seed_of_game: u64) {
        self.seed = join(hash_text("agents"), seed_of_game);
        self.asked.clear();
        self.moment = [0; 4];
        for &agent in &self.sitting {
            self.agents[agent].begin();
        }
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
        let Some(&sits) = self.sitting.get(decision.seat) else { return Ok(0) };
        let begun = self.thought.is_some().then(now);
        let mut look = Look::new(rules, game, decision, (scripts, stop), self.seed, repeat);
        let chosen = self.agents[sits].choose(&mut look)?.min(decision.options.len() - 1);
        if let (Some(begun), Some(thought)) = (begun, &mut self.thought) {
            thought[sits].0 += begun.elapsed();
            thought[sits].1 += 1;
        }
        Ok(chosen)
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
        if let (Some(&sits), Some(option)) = (self.sitting.get(decision.seat), decision.options.get(option)) {
            self.agents[sits].took(option.key);
        }
    }

    /// Tells everybody that the game has come to its end.
    pub fn end(&mut self, rules: &Ruleset, game: &mut Game) {
        for &agent in &self.sitting {
            self.agents[agent].end(rules, game);
        }
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
