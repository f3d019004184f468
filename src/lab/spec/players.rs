//! Who plays a run.

use super::{RunKind, RunSpec};
use crate::agent::{AgentKind, parse_kinds, parse_seats};

impl RunSpec {
    /// Returns the agents of all seats: one list, or one for each strength of a ladder; of a tournament those who take part in it.
    ///
    /// # Errors
    /// A one-sentence message about what was named.
    pub fn line_ups(&self, seats: usize) -> Result<Vec<Vec<AgentKind>>, String> {
        match &self.kind {
            RunKind::Ladder(names) => {
                let mut kinds = names.split(',').map(|name| AgentKind::parse(name.trim())).collect::<Result<Vec<_>, _>>()?;
                if self.learning.is_some() && !kinds.contains(&AgentKind::trained()) {
                    kinds.push(AgentKind::trained());
                }
                let kinds = named_once(kinds, "rung")?;
                if kinds.iter().all(|kind| *kind == AgentKind::Random) {
                    return Err("a ladder wants a rung above chance, such as `--ladder random,greedy`".to_string());
                }
                Ok(kinds.into_iter().map(|kind| vec![kind; seats]).collect())
            }
            RunKind::Tournament => {
                let kinds = named_once(parse_kinds(&self.typed.agents, self.time_limit)?, "kind of player")?;
                if kinds.len() < 2 {
                    return Err("name at least two kinds of players, such as `--agents random,greedy`".to_string());
                }
                Ok(vec![kinds])
            }
            RunKind::Games | RunKind::Series | RunKind::Pairs | RunKind::FalseAlarms(_) | RunKind::Training | RunKind::Tuning => {
                Ok(vec![parse_seats(&self.typed.agents, seats, self.time_limit)?])
            }
        }
    }
}

fn named_once(kinds: Vec<AgentKind>, what: &str) -> Result<Vec<AgentKind>, String> {
    match kinds.iter().enumerate().find_map(|(at, kind)| kinds[..at].contains(kind).then_some(kind)) {
        Some(twice) => Err(format!("`{twice}` is named twice; each {what} is named once")),
        None => Ok(kinds),
    }
}
