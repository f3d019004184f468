//! The identity of a run: what its games depend on.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::super::report::{PackUsed, packs_of};
use crate::agent::AgentKind;
use crate::engine::Ruleset;
use crate::spec::SideSettings;

/// The identity of a run: with equal values, games of equal numbers are equal. Settings that affect no game, such as threads and output
/// files, are excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunIdentity {
    /// Version of this program.
    pub version: String,
    /// The command that started the run.
    pub command: SavedCommand,
    /// Id of the game.
    pub game: String,
    /// Number of players.
    pub players: usize,
    /// Agents by seat.
    pub agents: Vec<String>,
    /// Number of games or pairs of games in all parts together.
    pub games: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Whether the coverage of scripts is recorded.
    pub hooks: bool,
    /// The measure of a comparison's stopping rule, and the maximum half width of its interval.
    pub until: Option<(String, String)>,
    /// The rules of the run, or of both sides of a comparison; of as many sides more as there are further trainings of its players.
    pub sides: Vec<SideRules>,
    /// Further settings of a training or a search, by the names of their options.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub further: BTreeMap<String, String>,
}

/// A command whose runs can be saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedCommand {
    /// `houserule playtest`
    #[default]
    Playtest,
    /// `houserule compare`
    Compare,
    /// `houserule train`
    Train,
    /// `houserule tune`
    Tune,
}

/// The rules of a run, or of one side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideRules {
    /// Hash of all sources of the rules.
    pub rules: String,
    /// Packs of the rules.
    pub packs: Vec<PackUsed>,
    /// Options, as typed.
    pub options: Vec<String>,
    /// Cards in play from the start, as typed.
    pub deal: Vec<String>,
}

/// A setting in which two runs differ, and its value in each.
pub type Difference = [String; 3];

/// The settings of a run, or of one of its sides, with their names.
type Settings<const N: usize> = [(&'static str, String); N];

impl RunIdentity {
    /// Returns the identity with what is known when rules are compiled: the agents by seat, and the rules of each side.
    pub fn with_rules<'a>(
        &self,
        agents: &[AgentKind],
        sides: &[SideSettings],
        rules: impl IntoIterator<Item = &'a Ruleset>,
    ) -> RunIdentity {
        RunIdentity {
            version: env!("CARGO_PKG_VERSION").to_string(),
            players: agents.len(),
            agents: agents.iter().map(ToString::to_string).collect(),
            sides: sides.iter().zip(rules).map(|(side, rules)| SideRules::new(rules, side)).collect(),
            ..self.clone()
        }
    }

    /// Lists the differences from another run.
    pub fn differences(&self, other: &RunIdentity) -> Vec<Difference> {
        let mut found = differing("", self.settings(), other.settings());
        let further: BTreeSet<&String> = self.further.keys().chain(other.further.keys()).collect();
        for name in further.into_iter().filter(|name| self.further.get(*name) != other.further.get(*name)) {
            found.push([name.clone(), self.further_setting(name), other.further_setting(name)]);
        }
        if self.sides.len() != other.sides.len() {
            return found;
        }
        for (at, (one, two)) in self.sides.iter().zip(&other.sides).enumerate() {
            let of_pair = if at % 2 == 0 { " without the change" } else { " with the change" };
            let of_side = if self.sides.len() == 1 { "" } else { of_pair };
            let own = differing(of_side, one.settings(), two.settings());
            // The hash is determined by the other values; a different hash alone means that the text has changed.
            if own.is_empty() && self.game == other.game && self.players == other.players && one.rules != two.rules {
                found.push([format!("rules text{of_side} (its hash)"), one.rules.clone(), two.rules.clone()]);
            }
            found.extend(own);
        }
        found
    }

    fn further_setting(&self, name: &str) -> String {
        self.further.get(name).cloned().unwrap_or_else(|| "none".to_string())
    }

    fn settings(&self) -> Settings<10> {
        let command = match self.command {
            SavedCommand::Playtest => "playtest",
            SavedCommand::Compare => "compare",
            SavedCommand::Train => "train",
            SavedCommand::Tune => "tune",
        };
        [
            ("version of houserule", self.version.clone()),
            ("command", command.to_string()),
            ("game", self.game.clone()),
            ("players", self.players.to_string()),
            ("agents", self.agents.join(",")),
            ("games", self.games.to_string()),
            ("seed", self.seed.to_string()),
            ("--hooks", self.hooks.to_string()),
            ("--until", self.until.as_ref().map_or("none".to_string(), |(measure, width)| format!("{width} of {measure}"))),
            ("trainings of each side", self.sides.len().div_ceil(2).to_string()),
        ]
    }
}

/// Returns the settings that differ.
fn differing<const N: usize>(of_side: &str, one: Settings<N>, two: Settings<N>) -> Vec<Difference> {
    let both = one.into_iter().zip(two).filter(|((_, one), (_, two))| one != two);
    both.map(|((what, one), (_, two))| [format!("{what}{of_side}"), one, two]).collect()
}

impl SideRules {
    /// Describes rules and their set-up.
    fn new(rules: &Ruleset, side: &SideSettings) -> SideRules {
        let hash = format!("{:016x}", rules.hash);
        SideRules { rules: hash, packs: packs_of(rules), options: side.options.clone(), deal: side.deal.clone() }
    }

    /// Returns all of it but the hash of the rules.
    fn settings(&self) -> Settings<3> {
        let list = |words: &[String]| if words.is_empty() { "none".to_string() } else { words.join(", ") };
        let packs: Vec<String> = self.packs.iter().map(|pack| format!("{} {} ({})", pack.name, pack.version, pack.hash)).collect();
        [("packs", list(&packs)), ("options", list(&self.options)), ("cards dealt", list(&self.deal))]
    }
}
