//! The kinds of agents, as typed on the command line.

use std::time::Duration;

use super::{Agent, Budget, DEFAULT_TIME_LIMIT, ExternalAgent, GreedyAgent, RandomAgent, SearchAgent};
use crate::diagnostic::nearest;
use crate::engine::{MAX_STATES, Ruleset};

/// Name of the style that `houserule train` writes and that the agent `trained` uses.
pub const TRAINED: &str = "trained";

/// A kind of agent with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AgentKind {
    /// `random`
    Random,
    /// `greedy`, `greedy:3`, `greedy:bold`, `greedy:bold:3`, `trained`
    Greedy {
        /// Name of the style whose `worth` is used; empty for the default style.
        style: String,
        /// Number of sampled states for each decision; `None` for the number that the rules declare for the style.
        states: Option<u32>,
    },
    /// `search`, `search:500`, `search:200ms`, `search:trained:500`
    Search {
        /// Name of the style used to evaluate leaves; empty for the default style.
        style: String,
        /// Budget of each decision, in iterations or milliseconds.
        budget: Budget,
    },
    /// `exec:COMMAND`
    Exec {
        /// The program with its arguments, as typed.
        command: String,
        /// Time limit for each answer.
        limit: Duration,
    },
}

const AGENT_NAMES: [&str; 5] = ["random", "greedy", TRAINED, "search", "exec:COMMAND"];
/// Prefix of an agent that is an external program.
const EXEC_PREFIX: &str = "exec:";
/// Maximum number of iterations or milliseconds; a larger one is treated as a typing error.
const MAX_BUDGET: u32 = 10_000_000;
/// Default budget of a search.
const DEFAULT_BUDGET: Budget = Budget::Iterations(1000);

impl AgentKind {
    /// Parses the name of an agent with its parameters, which are separated by colons.
    ///
    /// # Errors
    /// A one-sentence message that names the part that is wrong.
    pub fn parse(text: &str) -> Result<AgentKind, String> {
        if let Some(command) = text.strip_prefix(EXEC_PREFIX) {
            ExternalAgent::split_command(command)?;
            return Ok(AgentKind::Exec { command: command.to_string(), limit: DEFAULT_TIME_LIMIT });
        }
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        match name {
            "random" => match parts.next() {
                None => Ok(AgentKind::Random),
                Some(_) => Err("nothing can follow `random`".to_string()),
            },
            "greedy" => AgentKind::parse_greedy(text, String::new(), parts),
            TRAINED => AgentKind::parse_greedy(text, TRAINED.to_string(), parts),
            "search" => AgentKind::parse_search(text, parts),
            _ => Err(match nearest(name, AGENT_NAMES) {
                Some(meant) => format!("there is no agent `{name}`; did you mean `{meant}`?"),
                None => format!("there is no agent `{name}`; there are {}", AGENT_NAMES.join(", ")),
            }),
        }
    }

    fn parse_greedy<'t>(text: &str, mut style: String, parts: impl Iterator<Item = &'t str>) -> Result<AgentKind, String> {
        let mut states = None;
        for part in parts {
            if part.starts_with(|first: char| first.is_alphabetic()) && style.is_empty() && states.is_none() {
                style = part.to_string();
            } else {
                let number = part.parse().ok().filter(|number| states.is_none() && (1..=MAX_STATES).contains(number));
                states = Some(number.ok_or_else(|| {
                    format!("`{text}`: a style may follow, and then the number of imagined states, from 1 to {MAX_STATES}")
                })?);
            }
        }
        Ok(AgentKind::Greedy { style, states })
    }

    fn parse_search<'t>(text: &str, parts: impl Iterator<Item = &'t str>) -> Result<AgentKind, String> {
        let (mut style, mut budget) = (String::new(), None);
        for part in parts {
            if part.starts_with(|first: char| first.is_alphabetic()) && style.is_empty() && budget.is_none() {
                style = part.to_string();
            } else if budget.is_none() {
                budget = Some(Budget::parse(part).map_err(|wrong| format!("`{text}`: {wrong}"))?);
            } else {
                return Err(format!("`{text}`: a style may follow, and then one budget"));
            }
        }
        Ok(AgentKind::Search { style, budget: budget.unwrap_or(DEFAULT_BUDGET) })
    }

    /// Returns the greedy agent that uses the trained style.
    pub fn trained() -> AgentKind {
        AgentKind::with_style(TRAINED)
    }

    /// Returns the greedy agent with this style; an empty name means the default style.
    pub fn with_style(style: &str) -> AgentKind {
        AgentKind::Greedy { style: style.to_string(), states: None }
    }

    /// Checks that an agent of this kind can play by these rules.
    ///
    /// # Errors
    /// A one-sentence message that names what the rules lack.
    pub fn check_rules(&self, rules: &Ruleset) -> Result<(), String> {
        let style = match self {
            AgentKind::Random | AgentKind::Exec { .. } => return Ok(()),
            AgentKind::Greedy { style, .. } | AgentKind::Search { style, .. } => style,
        };
        if style.is_empty() || rules.find_style(style).is_some() {
            return Ok(());
        }
        if style == TRAINED {
            return Err("nobody has trained players for these rules; `houserule train GAME --write FILE` does, and `--with FILE` adds what they learnt".into());
        }
        let styles: Vec<&str> = rules.worths.iter().map(|worth| worth.style.as_str()).filter(|name| !name.is_empty()).collect();
        Err(match nearest(style, styles.iter().copied()) {
            Some(meant) => format!("these rules have no style `{style}`; did you mean `{meant}`?"),
            None if styles.is_empty() => format!("these rules have no style `{style}`; they have none"),
            None => format!("these rules have no style `{style}`; there are {}", styles.join(", ")),
        })
    }

    /// Creates an agent of this kind.
    pub fn build(&self) -> Box<dyn Agent> {
        match self {
            AgentKind::Random => Box::new(RandomAgent),
            AgentKind::Greedy { style, states } => Box::new(GreedyAgent::new(style, *states)),
            AgentKind::Search { style, budget } => Box::new(SearchAgent::new(style, *budget)),
            AgentKind::Exec { command, limit } => Box::new(ExternalAgent::new(command, *limit)),
        }
    }
}

impl std::fmt::Display for AgentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AgentKind::Random => f.write_str("random"),
            AgentKind::Exec { command, .. } => write!(f, "{EXEC_PREFIX}{command}"),
            AgentKind::Greedy { style, states } => {
                match style.as_str() {
                    "" => f.write_str("greedy")?,
                    TRAINED => f.write_str(TRAINED)?,
                    style => write!(f, "greedy:{style}")?,
                }
                states.map_or(Ok(()), |states| write!(f, ":{states}"))
            }
            AgentKind::Search { style, budget } => {
                let style = if style.is_empty() { String::new() } else { format!(":{style}") };
                let budget = if *budget == DEFAULT_BUDGET { String::new() } else { format!(":{budget}") };
                write!(f, "search{style}{budget}")
            }
        }
    }
}

impl Budget {
    /// Parses a budget: `500` means iterations, `200ms` means milliseconds.
    ///
    /// # Errors
    /// A one-sentence message that names what is wrong.
    pub fn parse(text: &str) -> Result<Budget, String> {
        let (number, budget): (&str, fn(u32) -> Budget) = match text.strip_suffix("ms") {
            Some(number) => (number, Budget::Milliseconds),
            None => (text, Budget::Iterations),
        };
        let number = number.parse().ok().filter(|number| (1..=MAX_BUDGET).contains(number));
        number.map(budget).ok_or_else(|| format!("`{text}` is no budget: a number of iterations such as 500, or a time such as 200ms"))
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Budget::Iterations(number) => write!(f, "{number}"),
            Budget::Milliseconds(number) => write!(f, "{number}ms"),
        }
    }
}

/// Parses a comma-separated list such as `greedy,random,random`: one agent for each seat, or a single one for all seats.
///
/// # Errors
/// A one-sentence message, also if the number of agents does not match the number of players.
pub fn parse_agents(text: &str, players: usize) -> Result<Vec<AgentKind>, String> {
    parse_seats(&[text], players, None)
}

/// Parses the agents given by a command-line option that may be repeated. A value that begins with `exec:` is a single agent, since
/// commands may contain commas; any other value is a comma-separated list. `limit` replaces the default time limit of external programs.
///
/// # Errors
/// A one-sentence message that names what is wrong.
pub fn parse_kinds(texts: &[impl AsRef<str>], limit: Option<Duration>) -> Result<Vec<AgentKind>, String> {
    let names =
        |text| -> Vec<&str> { if str::starts_with(text, EXEC_PREFIX) { vec![text] } else { text.split(',').map(str::trim).collect() } };
    let names = texts.iter().flat_map(|text| names(text.as_ref()));
    let mut kinds = names.map(AgentKind::parse).collect::<Result<Vec<_>, _>>()?;
    if let Some(given) = limit {
        let limits = kinds.iter_mut().filter_map(|kind| match kind {
            AgentKind::Exec { limit, .. } => Some(limit),
            AgentKind::Random | AgentKind::Greedy { .. } | AgentKind::Search { .. } => None,
        });
        if limits.map(|limit| *limit = given).count() == 0 {
            return Err(format!("a time limit is for agents that are other programs, `{EXEC_PREFIX}COMMAND`, and there is none"));
        }
    }
    Ok(kinds)
}

/// Parses agents like [`parse_kinds`] and assigns them to seats: one agent for each seat, or a single one for all seats.
///
/// # Errors
/// A one-sentence message, also if the number of agents does not match the number of players.
pub fn parse_seats(texts: &[impl AsRef<str>], players: usize, limit: Option<Duration>) -> Result<Vec<AgentKind>, String> {
    match parse_kinds(texts, limit)?.as_slice() {
        [kind] => Ok(vec![kind.clone(); players]),
        kinds if kinds.len() == players => Ok(kinds.to_vec()),
        kinds => Err(format!("{} agents are named for {players} seats; name one for each seat, or one for all", kinds.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_by_name() {
        let greedy = |style: &str, states| AgentKind::Greedy { style: style.to_string(), states };
        assert_eq!(parse_agents("random", 3), Ok(vec![AgentKind::Random; 3]));
        assert_eq!(parse_agents("greedy, random,greedy:3", 3), Ok(vec![greedy("", None), AgentKind::Random, greedy("", Some(3))]));
        assert_eq!(parse_agents("trained,greedy:bold:4", 2), Ok(vec![AgentKind::trained(), greedy("bold", Some(4))]));
        let follows = "a style may follow, and then the number of imagined states, from 1 to 100";
        let table = [
            ("gredy", "there is no agent `gredy`; did you mean `greedy`?".to_string()),
            ("", "there is no agent ``; there are random, greedy, trained, search, exec:COMMAND".to_string()),
            ("greedy:0", format!("`greedy:0`: {follows}")),
            ("greedy:3:3", format!("`greedy:3:3`: {follows}")),
            ("greedy:3:bold", format!("`greedy:3:bold`: {follows}")),
            ("trained:bold", format!("`trained:bold`: {follows}")),
            ("greedy:", format!("`greedy:`: {follows}")),
            ("search:0", "`search:0`: `0` is no budget: a number of iterations such as 500, or a time such as 200ms".to_string()),
            ("search:5:5", "`search:5:5`: a style may follow, and then one budget".to_string()),
            ("random:1", "nothing can follow `random`".to_string()),
            ("random,greedy", "2 agents are named for 3 seats; name one for each seat, or one for all".to_string()),
        ];
        for (text, message) in table {
            assert_eq!(parse_agents(text, 3), Err(message));
        }
        for text in [
            "random",
            "greedy",
            "greedy:1",
            "greedy:7",
            "greedy:bold",
            "greedy:bold:2",
            "trained",
            "trained:2",
            "search",
            "search:200ms",
            "search:bold:5",
        ] {
            assert_eq!(AgentKind::parse(text).map(|kind| kind.to_string()), Ok(text.to_string()));
        }
    }
}
