//! What is run: one struct that the command line, saved files and Python make, and from which games, their report and saved files come.

mod checks;
mod players;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::playtest::RunPart;
use crate::playtest::compare::Skill;
use crate::playtest::saved::RunIdentity;

/// What is run: all that games and their report depend on. With how many threads, and where what is found goes, is no part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// What its games depend on. Players, agents and rules stand there when the rules are compiled.
    pub run: RunIdentity,
    /// The settings of the run as typed.
    pub typed: TypedSettings,
    /// The part of the run that is played.
    pub part: RunPart,
    /// What is played.
    pub kind: RunKind,
    /// Number of players; `None` for as many as the game has by default.
    pub players: Option<usize>,
    /// How long agents that are other programs may think about a question.
    pub time_limit: Option<Duration>,
    /// How players learn the rules before they play.
    pub learning: Option<Learning>,
    /// Seconds that are assumed for a decision of a person.
    pub pace: f64,
}

/// What is played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunKind {
    /// Games by one choice of rules.
    #[default]
    Games,
    /// Series of games, as the rules declare one.
    Series,
    /// Pairs of games, with and without a change.
    Pairs,
    /// The same by agents of several strengths, which are named.
    Ladder(String),
    /// Pairs of games by the same rules, in so many runs.
    FalseAlarms(u64),
    /// Games in which each agent meets each other.
    Tournament,
    /// Games from which players learn.
    Training,
    /// Games that bring numbers of the rules towards targets.
    Tuning,
}

/// How players learn the rules of both sides of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Learning {
    /// How many times they learn.
    pub trainings: u32,
    /// In how many generations; `None` for the default of a training.
    pub generations: Option<usize>,
    /// Whether those of each side also play the rules of the other.
    pub cross: bool,
}

/// The settings of a side, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideSettings {
    /// Folders of packs.
    pub packs: Vec<PathBuf>,
    /// Rules text, names of variants, and paths of rules files.
    pub with: Vec<String>,
    /// Options of the set-up.
    pub options: Vec<String>,
    /// Cards in play from the start.
    pub deal: Vec<String>,
    /// Of which version of the game the files are.
    #[serde(default, skip_serializing_if = "GameVersion::is_current")]
    pub version: GameVersion,
}

/// A version of a game's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameVersion {
    /// The one that all commands work with.
    #[default]
    Current,
    /// The one inside the program, without any file beside it.
    BuiltIn,
    /// The one in this folder, with its `rules/` and `cards/`.
    Folder(PathBuf),
}

/// The settings of a run, as typed, as far as its report depends on them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypedSettings {
    /// The settings of the run, or of both sides of a comparison; of as many sides more as there are further trainings of its players.
    pub sides: Vec<SideSettings>,
    /// How good the players are who were trained, side by side as `sides`: see [`Skill::above`]; `None` where it was not measured.
    #[serde(default)]
    pub above_greedy: Vec<Option<f64>>,
    /// The same beside players who search as long for their answers.
    #[serde(default)]
    pub above_search: Vec<Option<f64>>,
    /// The agents of the run, as typed.
    pub agents: Vec<String>,
    /// Settings of both sides as texts for the report.
    pub both: Vec<String>,
    /// Settings of the changed side as texts for the report.
    pub changes: Vec<String>,
}

/// What the version of a game inside the program is called.
const INSIDE: &str = "inside";

impl GameVersion {
    /// Returns the version of this name: that inside the program, or one in a folder.
    pub fn named(name: &str) -> GameVersion {
        if name == INSIDE { GameVersion::BuiltIn } else { GameVersion::Folder(name.into()) }
    }

    /// Whether it is the one that all commands work with.
    pub fn is_current(&self) -> bool {
        *self == GameVersion::Current
    }
}

impl fmt::Display for GameVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameVersion::Current => f.write_str("current"),
            GameVersion::BuiltIn => f.write_str(INSIDE),
            GameVersion::Folder(folder) => write!(f, "{}", folder.display()),
        }
    }
}

/// How the settings of a side are typed: packs, rules, options of the set-up, and cards in play from the start.
pub const SIDE_OPTIONS: [&str; 4] = ["--pack", "--with", "--option", "--deal"];

impl SideSettings {
    /// Returns the settings as texts for a report, as they are typed with such options.
    pub fn words(&self, [pack, with, option, deal]: [&str; 4]) -> Vec<String> {
        let packs = self.packs.iter().map(|dir| format!("{pack} {}", dir.display()));
        let with = self.with.iter().map(|text| format!("{with} '{text}'"));
        let options = self.options.iter().map(|set| format!("{option} {set}"));
        packs.chain(with).chain(options).chain(self.deal.iter().map(|card| format!("{deal} {card}"))).collect()
    }

    /// Returns the side with something else as what players have learnt, which is the last change of its rules; without, if there is nothing.
    pub fn with_learnt(&self, learnt: Option<&String>) -> SideSettings {
        let own = self.with.split_last().map_or(&[][..], |(_, own)| own);
        SideSettings { with: own.iter().chain(learnt).cloned().collect(), ..self.clone() }
    }
}

impl TypedSettings {
    /// The settings of a run by one choice of rules.
    pub fn of_side(side: SideSettings, agents: &[String]) -> TypedSettings {
        let changes = side.words(SIDE_OPTIONS);
        TypedSettings { sides: vec![side], agents: agents.to_vec(), changes, ..TypedSettings::default() }
    }

    /// Returns the version of the game's files that is played; of a comparison that of the side without the change.
    pub fn version(&self) -> &GameVersion {
        self.sides.first().map_or(&GameVersion::Current, |side| &side.version)
    }

    /// Whether players have learnt the rules of each side: what they have learnt is the last change of its rules.
    pub fn is_learnt(&self) -> bool {
        !self.above_greedy.is_empty()
    }

    /// Returns the sides as they are for all players, without what was learnt.
    pub fn sides_before_learning(&self) -> Vec<SideSettings> {
        if self.is_learnt() { unlearnt(self.sides.get(..2).unwrap_or_default()) } else { self.sides.clone() }
    }

    /// Whether these are other settings with what was learnt from them in so many trainings.
    pub fn is_learnt_from(&self, typed: &TypedSettings, trainings: u32) -> bool {
        let as_typed = |sides: &[SideSettings]| {
            TypedSettings { sides: unlearnt(sides), above_greedy: Vec::new(), above_search: Vec::new(), ..self.clone() } == *typed
        };
        self.is_learnt() && self.sides.len() == 2 * trainings as usize && self.sides.chunks(2).all(as_typed)
    }

    /// Returns how good the trained players of both sides are; `None` if players were not trained.
    pub fn skill(&self) -> Option<[Option<Skill>; 2]> {
        skill_of_sides(&self.above_greedy)
    }

    /// Returns how good they are beside players who search as long for their answers; `None` if they have not met them.
    pub fn skill_beside_search(&self) -> Option<[Option<Skill>; 2]> {
        skill_of_sides(&self.above_search)
    }
}

/// Returns sides without what was learnt.
fn unlearnt(sides: &[SideSettings]) -> Vec<SideSettings> {
    sides.iter().map(|side| side.with_learnt(None)).collect()
}

fn skill_of_sides(above: &[Option<f64>]) -> Option<[Option<Skill>; 2]> {
    let of_side = |side: usize| {
        let measured: Vec<f64> = above.iter().skip(side).step_by(2).copied().flatten().collect();
        Skill::new(&measured)
    };
    (!above.is_empty()).then(|| [of_side(0), of_side(1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learnt_belongs_to_the_settings_from_which_it_was() {
        let side = |with: &[&str]| SideSettings { with: with.iter().map(ToString::to_string).collect(), ..SideSettings::default() };
        let typed = TypedSettings { sides: vec![side(&[]), side(&["a"])], ..TypedSettings::default() };
        let sides = vec![side(&["x"]), side(&["a", "y"]), side(&["z"]), side(&["a", "x"])];
        let learnt = TypedSettings { sides, above_greedy: vec![Some(0.0); 4], ..typed.clone() };
        assert!(learnt.is_learnt_from(&typed, 2) && !learnt.is_learnt_from(&typed, 1) && !typed.is_learnt_from(&typed, 1));
        assert!(!learnt.is_learnt_from(&TypedSettings { sides: vec![side(&[]), side(&["b"])], ..typed.clone() }, 2));
        assert_eq!((learnt.sides_before_learning(), typed.sides_before_learning()), (typed.sides.clone(), typed.sides));
    }
}
