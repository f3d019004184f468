//! Agents, which answer decisions. An agent never holds the game itself: it gets a [`DecisionView`], which shows only what its seat knows.
// Tests may panic, and may write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and an overflow fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_source::diagnostic;
pub(crate) use houserule_state as state;

use std::sync::atomic::AtomicBool;
use std::time::Duration;
use web_time::Instant;

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

pub use exec::{DEFAULT_TIME_LIMIT, ExternalAgent};
pub use greedy::GreedyAgent;
pub use kind::{AgentKind, TRAINED, parse_agents, parse_kinds, parse_seats};
pub use look::DecisionView;
pub use lookahead::Horizon;
pub use random::{RandomAgent, highest_hash_option};
pub use search::{Budget, SearchAgent};
pub use seen::{
    GridSpace, HIDDEN, OrderedMap, Owned, PartlyKnownCard, SeenCard, SeenGame, SeenPlace, SeenSeat, VariableValue, describe_parts,
    describe_view, seat_name,
};

/// A player that answers questions.
pub trait Agent {
    /// Prepares the agent for a new game.
    fn begin_game(&mut self) {}

    /// Returns the index of the chosen option.
    ///
    /// # Errors
    /// Why the agent cannot answer. The built-in agents always answer; an external program may fail.
    fn choose(&mut self, look: &mut DecisionView<'_>) -> Result<usize, Fault>;

    /// Returns the option that the agent would choose, and its evaluation of each option. By default only the choice is given.
    ///
    /// # Errors
    /// As for [`Agent::choose`].
    fn advise(&mut self, look: &mut DecisionView<'_>) -> Result<Recommendation, Fault> {
        Ok(Recommendation { choice: self.choose(look)?, values: Vec::new(), horizon: None })
    }

    /// Reports that the agent's seat took the option with this key, while an earlier game is replayed up to the point where it stopped.
    fn observe_answer(&mut self, _: u64) {}

    /// Returns the total number of answers that the agent has tried in sampled states; 0 for an agent that samples no states.
    fn count_tried(&self) -> u64 {
        0
    }

    /// Takes the first fault that occurred in a sampled state since the last call. An agent that looks ahead avoids answers that cause a
    /// fault, so the fault would otherwise stay unnoticed.
    fn take_avoided_fault(&mut self) -> Option<Box<Fault>> {
        None
    }

    /// Tells the agent that the game has ended.
    fn end_game(&mut self, _: &Ruleset, _: &mut Game) {}
}

/// An agent's recommendation for the open question.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// Index of the recommended option.
    pub choice: usize,
    /// The agent's evaluation of each option, in its own unit (points, for agents that use the rules' `worth`); `None` for an option that
    /// was not tried. Empty if the agent evaluates no options.
    pub values: Vec<Option<f64>>,
    /// The point up to which the recommended option was followed; `None` for agents that do not follow it to one point.
    pub horizon: Option<Horizon>,
}

impl Recommendation {
    /// Returns by how much less each other option is worth than the recommended one, from the least on; `None` if the agent does not say.
    pub fn others(&self) -> Option<Vec<(usize, f64)>> {
        let best = self.values.get(self.choice).copied().flatten()?;
        let less = self.values.iter().enumerate().filter_map(|(option, value)| Some((option, best - (*value)?)));
        let mut others: Vec<(usize, f64)> = less.filter(|(option, _)| *option != self.choice).collect();
        others.sort_by(|one, other| one.1.total_cmp(&other.1));
        Some(others)
    }
}

/// Returns the recommendation of an agent of the given kind at the open question, based on what the asked seat knows; `None` while no
/// question is open.
///
/// # Errors
/// Why the agent cannot answer.
pub fn advise(kind: &AgentKind, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts) -> Result<Option<Recommendation>, Fault> {
    let Some(decision) = game.decision() else { return Ok(None) };
    let stop = AtomicBool::new(false);
    let mut look = DecisionView::new(rules, game, decision, (scripts, &stop), hash_text("advice"), 0);
    kind.build().advise(&mut look).map(Some)
}

#[expect(clippy::disallowed_methods, reason = "how long agents think is told, and nothing depends on it")]
fn current_time() -> Instant {
    Instant::now()
}

/// The agents of a game, one at each seat.
pub struct SeatAgents {
    agents: Vec<Box<dyn Agent>>,
    /// For each seat the index of its agent.
    agent_at_seat: Vec<usize>,
    /// Thinking time of each agent and the number of questions it answered; `None` unless measured.
    thinking_times: Option<Vec<(Duration, u64)>>,
    seed: u64,
    /// The questions since the state last changed, as seat, question, and how many times it was repeated, so that answers can vary.
    repeat_counts: Vec<(usize, Question, u64)>,
    last_point: [i32; 4],
}

impl SeatAgents {
    /// Creates the agents, in order of seats.
    pub fn new(kinds: &[AgentKind]) -> SeatAgents {
        let agents = kinds.iter().map(AgentKind::build).collect();
        let agent_at_seat = (0..kinds.len()).collect();
        SeatAgents { agents, agent_at_seat, thinking_times: None, seed: 0, repeat_counts: Vec::new(), last_point: [0; 4] }
    }

    /// Rotates the agents by this number of seats from their original order.
    pub fn rotate_seats(&mut self, by: usize) {
        let count = self.agents.len();
        let by = by % count.max(1);
        self.agent_at_seat = (0..count).map(|seat| (seat + count - by) % count).collect();
    }

    /// Assigns an agent to each seat; agents that are not named take no part.
    pub fn assign_seats(&mut self, agent_at_seat: Vec<usize>) {
        self.agent_at_seat = agent_at_seat;
    }

    /// Starts measuring how long each agent takes for its answers.
    pub fn measure_thinking_time(&mut self) {
        self.thinking_times = Some(vec![(Duration::ZERO, 0); self.agents.len()]);
    }

    /// Takes the thinking time of each agent since the last call, with the number of questions that had at least two options. Empty
    /// unless measured.
    pub fn take_thinking_time(&mut self) -> Vec<(Duration, u64)> {
        let fresh = self.thinking_times.as_ref().map(|thought| vec![(Duration::ZERO, 0); thought.len()]);
        std::mem::replace(&mut self.thinking_times, fresh).unwrap_or_default()
    }

    /// Returns the total number of answers that all agents have tried in sampled states.
    pub fn count_tried(&self) -> u64 {
        self.agents.iter().map(|agent| agent.count_tried()).sum()
    }

    /// Takes the first fault that an agent met in a sampled state since the last call.
    pub fn take_avoided_fault(&mut self) -> Option<Box<Fault>> {
        self.agents.iter_mut().find_map(|agent| agent.take_avoided_fault())
    }

    /// Prepares all agents for a new game. The agents' random numbers are derived from the game's seed by a one-way function.
    pub fn begin_game(&mut self, seed_of_game: u64) {
        self.seed = join(hash_text("agents"), seed_of_game);
        self.repeat_counts.clear();
        self.last_point = [0; 4];
        for &agent in &self.agent_at_seat {
            self.agents[agent].begin_game();
        }
    }

    /// Returns the answer to the open question; the first option if there is no question or no agent.
    ///
    /// # Errors
    /// Why the agent cannot answer.
    pub fn choose(&mut self, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts) -> Result<usize, Fault> {
        self.choose_or_stop(rules, game, scripts, &AtomicBool::new(false))
    }

    /// Returns the answer to the open question; an agent may give up early once `stop` is set.
    ///
    /// # Errors
    /// Why the agent cannot answer.
    pub fn choose_or_stop(&mut self, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts, stop: &AtomicBool) -> Result<usize, Fault> {
        let Some(decision) = game.decision() else { return Ok(0) };
        if decision.options.len() < 2 {
            return Ok(0);
        }
        let repeat = self.count_repeat(game, decision.seat, decision.question);
        let Some(&sits) = self.agent_at_seat.get(decision.seat) else { return Ok(0) };
        let started = self.thinking_times.is_some().then(current_time);
        let mut look = DecisionView::new(rules, game, decision, (scripts, stop), self.seed, repeat);
        let chosen = self.agents[sits].choose(&mut look)?.min(decision.options.len() - 1);
        if let (Some(started), Some(thought)) = (started, &mut self.thinking_times) {
            thought[sits].0 += started.elapsed();
            thought[sits].1 += 1;
        }
        Ok(chosen)
    }

    /// Restarts the record of questions, for a game that is replayed from its beginning.
    pub fn forget_questions(&mut self) {
        self.repeat_counts.clear();
        self.last_point = [0; 4];
    }

    /// Notes that the open question was answered before, in a game that is replayed: the agent updates its state as if it had chosen the
    /// option.
    pub fn observe_answer(&mut self, game: &Game, option: usize) {
        let Some(decision) = game.decision() else { return };
        if decision.options.len() < 2 {
            return;
        }
        self.count_repeat(game, decision.seat, decision.question);
        if let (Some(&sits), Some(option)) = (self.agent_at_seat.get(decision.seat), decision.options.get(option)) {
            self.agents[sits].observe_answer(option.key);
        }
    }

    /// Notifies all agents that the game has ended.
    pub fn end_game(&mut self, rules: &Ruleset, game: &mut Game) {
        for &agent in &self.agent_at_seat {
            self.agents[agent].end_game(rules, game);
        }
    }

    /// Counts how many times this seat has been asked this question since the state last changed.
    fn count_repeat(&mut self, game: &Game, seat: usize, question: Question) -> u64 {
        let cells = game.cells();
        let now = [cells[head::ROUND], cells[head::TURN], cells[head::ANSWERS], cells[head::PROGRAM]];
        if now != self.last_point {
            self.last_point = now;
            self.repeat_counts.clear();
        }
        match self.repeat_counts.iter_mut().find(|(who, what, _)| *who == seat && *what == question) {
            Some((_, _, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.repeat_counts.push((seat, question, 0));
                0
            }
        }
    }
}
