//! Saved results of a run, from which the run can be resumed, and which can be merged with other parts of it.

mod figures;
mod identity;

use rangemap::RangeSet;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, Value};

pub use identity::{Difference, RunIdentity, SavedCommand, SideRules};

use super::compare::ComparisonResults;
use super::merge::Merge;
use super::part::RunPart;
use super::run::PartialRun;
use crate::document::numbers::counted;
use crate::spec::{RunKind, RunSpec, TypedSettings};
use crate::state::chance::hash_text;

/// The results of a run or of a part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedResults {
    /// Results of games.
    Playtest(Box<PartialRun>),
    /// Results of pairs of games.
    Compare(Box<ComparisonResults>),
    /// Results of the steps of a training or a search: see [`crate::steps`].
    Steps(Vec<Value>),
}

/// A run, or a part of one, as saved to a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// Identity of the run.
    pub run: RunIdentity,
    /// Settings as typed.
    pub typed: TypedSettings,
    /// The part of the run whose results these are.
    pub part: RunPart,
    /// The results so far.
    pub sums: SavedResults,
}

/// The outer object of a file with a saved run.
#[derive(Serialize, Deserialize)]
struct Envelope {
    /// Version of this program.
    houserule: String,
    /// Hash of the rest, which detects truncated or edited files.
    hash: String,
    saved: Box<RawValue>,
}

impl SavedResults {
    /// Returns the numbers of the games, or pairs of games, that are done; `None` where steps are counted.
    fn finished(&self) -> Option<&RangeSet<u64>> {
        match self {
            SavedResults::Playtest(begun) => Some(&begun.finished),
            SavedResults::Compare(compared) => Some(&compared.finished),
            SavedResults::Steps(_) => None,
        }
    }

    /// Returns the results of the steps of a training or a search, of which games and pairs of games have none.
    pub fn steps(self) -> Vec<Value> {
        match self {
            SavedResults::Playtest(_) | SavedResults::Compare(_) => Vec::new(),
            SavedResults::Steps(steps) => steps,
        }
    }
}

impl From<&PartialRun> for SavedResults {
    /// Games in which an agent did not answer are left out, since they are to be played again.
    fn from(begun: &PartialRun) -> SavedResults {
        SavedResults::Playtest(Box::new(begun.clone().without_unanswered()))
    }
}

impl From<&ComparisonResults> for SavedResults {
    /// Pairs of games in which an agent did not answer are left out, since they are to be played again.
    fn from(compared: &ComparisonResults) -> SavedResults {
        SavedResults::Compare(Box::new(compared.clone().without_unanswered()))
    }
}

impl From<&[Value]> for SavedResults {
    fn from(steps: &[Value]) -> SavedResults {
        SavedResults::Steps(steps.to_vec())
    }
}

impl Saved {
    /// Returns the run that was saved.
    pub fn spec(&self) -> RunSpec {
        let kind = match self.run.command {
            SavedCommand::Playtest => RunKind::Games,
            SavedCommand::Compare => RunKind::Pairs,
            SavedCommand::Train => RunKind::Training,
            SavedCommand::Tune => RunKind::Tuning,
        };
        let (run, typed) = (self.run.clone(), self.typed.clone());
        RunSpec { players: Some(run.players), run, typed, part: self.part, kind, ..RunSpec::default() }
    }

    /// Serialises the run.
    ///
    /// # Errors
    /// A path is not valid Unicode.
    pub fn write(&self) -> Result<String, String> {
        let wrong = |fault: serde_json::Error| fault.to_string();
        let saved = serde_json::value::to_raw_value(self).map_err(wrong)?;
        let hash = format!("{:016x}", hash_text(saved.get()));
        let envelope = Envelope { houserule: env!("CARGO_PKG_VERSION").to_string(), hash, saved };
        serde_json::to_string(&envelope).map(|text| text + "\n").map_err(wrong)
    }

    /// Parses a saved run in the form in which [`Saved::write`] writes it.
    ///
    /// # Errors
    /// A one-sentence message that names what is wrong.
    pub fn read(text: &str) -> Result<Saved, String> {
        let envelope: Envelope = serde_json::from_str(text).map_err(|fault| format!("it is no saved run of houserule: {fault}"))?;
        let version = env!("CARGO_PKG_VERSION");
        if envelope.houserule != version {
            return Err(format!("it was saved by houserule {}, and this is houserule {version}", envelope.houserule));
        }
        if format!("{:016x}", hash_text(envelope.saved.get())) != envelope.hash {
            return Err("it is damaged: it does not hold what was written".to_string());
        }
        let of_another = |fault: serde_json::Error| format!("it was saved by another houserule {version}: {fault}");
        figures::check(&serde_json::from_str(envelope.saved.get()).map_err(of_another)?)
            .map_err(|wrong| format!("it is of no run: {wrong}"))?;
        serde_json::from_str(envelope.saved.get()).map_err(of_another)
    }

    /// Returns the number of games, or pairs of games, that are done; 0 where steps are counted.
    pub fn games_done(&self) -> u64 {
        self.sums.finished().into_iter().flat_map(RangeSet::iter).map(|range| range.end - range.start).sum()
    }

    /// Says how much is done; `word` is what games or pairs of games are called.
    pub fn done_in_words(&self, word: &str) -> String {
        if let SavedResults::Steps(steps) = &self.sums {
            return format!("{} done", counted(steps.len(), "step"));
        }
        let left = if self.is_complete() { ": nothing is left to be played" } else { "" };
        format!("{} of {} {word} are done{left}", self.games_done(), self.games_requested())
    }

    /// Returns the number of games, or pairs of games, that belong to this part of the run.
    pub fn games_requested(&self) -> u64 {
        let games = self.part.games(self.run.games);
        games.end - games.start
    }

    /// Returns the number of games, or pairs of games, of this part that are still to be played.
    pub fn games_left(&self) -> u64 {
        self.games_requested().saturating_sub(self.games_done())
    }

    /// Whether all games, or pairs of games, of this part are done.
    pub fn is_complete(&self) -> bool {
        let enough = match &self.sums {
            SavedResults::Playtest(_) | SavedResults::Steps(_) => false,
            SavedResults::Compare(compared) => compared.enough,
        };
        enough || self.games_done() == self.games_requested()
    }
}

/// The result of merging parts.
#[derive(Clone, Debug)]
pub struct MergedRun {
    /// The whole run with all results.
    pub whole: Saved,
    /// A line for each part that is missing or incomplete.
    pub missing: Vec<String>,
}

/// Merges parts of one run, given in any order with the names of their files.
///
/// # Errors
/// The parts belong to different runs, or one occurs twice.
pub fn merge(mut parts: Vec<(String, Saved)>) -> Result<MergedRun, String> {
    parts.sort_by_key(|(_, saved)| saved.part);
    if let Some((name, _)) = parts.iter().find(|(_, saved)| saved.sums.finished().is_none()) {
        return Err(format!("`{name}` is of a training or a search, which has no parts; the command that has saved it goes on with it"));
    }
    for pair in parts.windows(2) {
        let [(one, first), (two, second)] = pair else { continue };
        let mut differences = first.run.differences(&second.run);
        if first.part.parts != second.part.parts {
            differences.push(["number of parts".to_string(), first.part.parts.to_string(), second.part.parts.to_string()]);
        }
        expect_same(one, two, &differences)?;
        if first.part == second.part {
            return Err(format!("`{one}` and `{two}` are both part {}", first.part));
        }
    }
    let mut missing = Vec::new();
    let of = parts.first().map_or(0, |(_, saved)| saved.part.parts);
    let is_there = |number: &u64| parts.iter().any(|(_, saved)| saved.part.number == *number);
    missing.extend((1..=of).filter(|number| !is_there(number)).map(|number| format!("part {} is missing", RunPart { number, parts: of })));
    for (name, saved) in parts.iter().filter(|(_, saved)| !saved.is_complete()) {
        let (done, asked) = (saved.games_done(), saved.games_requested());
        missing.push(format!("part {} (`{name}`) has {done} of its {asked} games; `--save` goes on with it", saved.part));
    }
    let mut parts = parts.into_iter().map(|(_, saved)| saved);
    let Some(mut whole) = parts.next() else { return Err("there is nothing to put together".to_string()) };
    for part in parts {
        match (&mut whole.sums, &part.sums) {
            (SavedResults::Playtest(all), SavedResults::Playtest(more)) => all.merge(more),
            (SavedResults::Compare(all), SavedResults::Compare(more)) => all.merge(more),
            (SavedResults::Playtest(_), SavedResults::Compare(_) | SavedResults::Steps(_))
            | (SavedResults::Compare(_), SavedResults::Playtest(_) | SavedResults::Steps(_))
            | (SavedResults::Steps(_), SavedResults::Playtest(_) | SavedResults::Compare(_) | SavedResults::Steps(_)) => {
                return Err("games and pairs of games do not go together".to_string());
            }
        }
    }
    whole.part = RunPart::WHOLE;
    let stopped = !whole.is_complete();
    match &mut whole.sums {
        SavedResults::Playtest(begun) => begun.outcome.stopped = stopped,
        SavedResults::Compare(compared) => compared.stopped = stopped,
        SavedResults::Steps(_) => {}
    }
    Ok(MergedRun { whole, missing })
}

/// Checks that two runs, whose files or places are named, do not differ.
///
/// # Errors
/// A message that lists the differences.
pub fn expect_same(one: &str, two: &str, differences: &[Difference]) -> Result<(), String> {
    if differences.is_empty() {
        return Ok(());
    }
    let lines = differences.iter().map(|[what, first, second]| format!("\n  {what}: {first} in `{one}`, {second} in `{two}`"));
    Err(format!("`{one}` and `{two}` are not of the same run:{}", lines.collect::<String>()))
}
