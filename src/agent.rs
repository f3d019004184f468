//! Who answers a decision. An agent is never given the game: it gets a [`Look`], which shows what its seat knows.

use crate::diagnostic::nearest;
use crate::engine::decision::Question;
use crate::engine::{Game, Ruleset, Scripts};
use crate::state::chance::{hash_text, join};
use crate::state::layout::head;

mod greedy;
mod look;
mod random;

pub use greedy::Greedy;
pub use look::Look;
pub use random::{Random, highest};

/// One that decides.
pub trait Agent {
    /// The index of the option that it takes.
    fn choose(&mut self, look: &mut Look<'_>) -> usize;
}

/// The kinds of agents, by the names that people type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentKind {
    /// `random`
    Random,
    /// `greedy`, or `greedy:3` with the number of imagined states.
    Greedy(u32),
}

const NAMES: [&str; 2] = ["random", "greedy"];
/// More imagined states than these help nobody.
const MOST_STATES: u32 = 100;

impl AgentKind {
    /// Reads one name.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn parse(text: &str) -> Result<AgentKind, String> {
        let (name, number) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        match (name, number) {
            ("random", None) => Ok(AgentKind::Random),
            ("random", Some(_)) => Err("`random` takes no number".to_string()),
            ("greedy", None) => Ok(AgentKind::Greedy(1)),
            ("greedy", Some(number)) => match number.parse() {
                Ok(states) if (1..=MOST_STATES).contains(&states) => Ok(AgentKind::Greedy(states)),
                _ => Err(format!("`{text}`: the number of imagined states goes from 1 to {MOST_STATES}")),
            },
            _ => Err(match nearest(name, NAMES) {
                Some(meant) => format!("there is no agent `{name}`; did you mean `{meant}`?"),
                None => format!("there is no agent `{name}`; there are {}", NAMES.join(", ")),
            }),
        }
    }

    /// A new agent of this kind.
    pub fn build(self) -> Box<dyn Agent> {
        match self {
            AgentKind::Random => Box::new(Random),
            AgentKind::Greedy(states) => Box::new(Greedy::new(states)),
        }
    }
}

impl std::fmt::Display for AgentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AgentKind::Random => f.write_str("random"),
            AgentKind::Greedy(1) => f.write_str("greedy"),
            AgentKind::Greedy(states) => write!(f, "greedy:{states}"),
        }
    }
}

/// Reads `greedy,random,random`: one name for each seat, or one for all of them.
///
/// # Errors
/// What is wrong with it, in one sentence.
pub fn parse_agents(text: &str, players: usize) -> Result<Vec<AgentKind>, String> {
    let kinds = text.split(',').map(|name| AgentKind::parse(name.trim())).collect::<Result<Vec<_>, _>>()?;
    match kinds.as_slice() {
        [kind] => Ok(vec![*kind; players]),
        kinds if kinds.len() == players => Ok(kinds.to_vec()),
        kinds => Err(format!("{} agents are named for {players} seats; name one for each seat, or one for all", kinds.len())),
    }
}

/// The agents of a game, one at each seat.
pub struct Seats {
    agents: Vec<Box<dyn Agent>>,
    seed: u64,
    /// What was asked since the state last moved on, so that a question that comes again is not answered alike.
    asked: Vec<(usize, Question, u64)>,
    moment: [i32; 4],
}

impl Seats {
    /// New agents.
    pub fn new(kinds: &[AgentKind]) -> Seats {
        Seats { agents: kinds.iter().map(|kind| kind.build()).collect(), seed: 0, asked: Vec::new(), moment: [0; 4] }
    }

    /// Begins a game. The agents' chance comes from the game's seed by a way that cannot be gone back.
    pub fn begin(&mut self, seed_of_game: u64) {
        self.seed = join(hash_text("agents"), seed_of_game);
        self.asked.clear();
        self.moment = [0; 4];
    }

    /// The answer to the open question; the first option when there is none or no agent.
    pub fn choose(&mut self, rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts) -> usize {
        let Some(decision) = game.decision() else { return 0 };
        if decision.options.len() < 2 {
            return 0;
        }
        let repeat = self.repeat(game, decision.seat, decision.question);
        let Some(agent) = self.agents.get_mut(decision.seat) else { return 0 };
        let mut look = Look::new(rules, game, decision, scripts, self.seed, repeat);
        agent.choose(&mut look).min(decision.options.len() - 1)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_by_name() {
        use AgentKind::{Greedy, Random};
        assert_eq!(parse_agents("random", 3), Ok(vec![Random; 3]));
        assert_eq!(parse_agents("greedy, random,greedy:3", 3), Ok(vec![Greedy(1), Random, Greedy(3)]));
        let table = [
            ("gredy", "there is no agent `gredy`; did you mean `greedy`?"),
            ("", "there is no agent ``; there are random, greedy"),
            ("greedy:0", "`greedy:0`: the number of imagined states goes from 1 to 100"),
            ("greedy:x", "`greedy:x`: the number of imagined states goes from 1 to 100"),
            ("random:1", "`random` takes no number"),
            ("random,greedy", "2 agents are named for 3 seats; name one for each seat, or one for all"),
        ];
        for (text, message) in table {
            assert_eq!(parse_agents(text, 3), Err(message.to_string()));
        }
        for text in ["random", "greedy", "greedy:7"] {
            assert_eq!(AgentKind::parse(text).map(|kind| kind.to_string()), Ok(text.to_string()));
        }
    }
}
