//! Saved results of a run, from which the run can be resumed, and which can be merged with other parts of it.

mod figures;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::compare::{ComparisonResults, Skill};
use super::merge::Merge;
use super::part::RunPart;
use super::report::{PackUsed, packs_of};
use super::run::PartialRun;
use crate::engine::Ruleset;
use crate::state::chance::hash_text;

/// The identity of a run: with equal values, games of equal numbers are equal. Settings that affect no game, such as threads and output
/// files, are excluded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// A command whose runs can be saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedCommand {
    /// `houserule playtest`
    Playtest,
    /// `houserule compare`
    Compare,
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

impl GameVersion {
    /// Whether it is the one that all commands work with.
    pub fn is_current(&self) -> bool {
        *self == GameVersion::Current
    }
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

/// The results of a run or of a part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedResults {
    /// Results of games.
    Playtest(Box<PartialRun>),
    /// Results of pairs of games.
    Compare(Box<ComparisonResults>),
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

impl TypedSettings {
    /// Returns how good the trained players of both sides are; `None` if players were not trained.
    pub fn skill(&self) -> Option<[Option<Skill>; 2]> {
        skill_of_sides(&self.above_greedy)
    }

    /// Returns how good they are beside players who search as long for their answers; `None` if they have not met them.
    pub fn skill_beside_search(&self) -> Option<[Option<Skill>; 2]> {
        skill_of_sides(&self.above_search)
    }
}

fn skill_of_sides(above: &[Option<f64>]) -> Option<[Option<Skill>; 2]> {
    let of_side = |side: usize| {
        let measured: Vec<f64> = above.iter().skip(side).step_by(2).copied().flatten().collect();
        Skill::new(&measured)
    };
    (!above.is_empty()).then(|| [of_side(0), of_side(1)])
}

impl SideRules {
    /// Describes rules and their set-up.
    pub fn new(rules: &Ruleset, side: &SideSettings) -> SideRules {
        let hash = format!("{:016x}", rules.hash);
        SideRules { rules: hash, packs: packs_of(rules), options: side.options.clone(), deal: side.deal.clone() }
    }
}

impl RunIdentity {
    /// Lists the differences from another run: name of the setting, own value and other value.
    pub fn differences(&self, other: &RunIdentity) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        let mut compare = |what, one: String, two: String| {
            if one != two {
                found.push((what, one, two));
            }
        };
        let command = |run: &RunIdentity| match run.command {
            SavedCommand::Playtest => "playtest".to_string(),
            SavedCommand::Compare => "compare".to_string(),
        };
        let until = |run: &RunIdentity| run.until.as_ref().map_or("none".to_string(), |(measure, width)| format!("{width} of {measure}"));
        compare("version of houserule", self.version.clone(), other.version.clone());
        compare("command", command(self), command(other));
        compare("game", self.game.clone(), other.game.clone());
        compare("players", self.players.to_string(), other.players.to_string());
        compare("agents", self.agents.join(","), other.agents.join(","));
        compare("games", self.games.to_string(), other.games.to_string());
        compare("seed", self.seed.to_string(), other.seed.to_string());
        compare("--hooks", self.hooks.to_string(), other.hooks.to_string());
        compare("--until", until(self), until(other));
        let trainings = |run: &RunIdentity| run.sides.len().div_ceil(2).to_string();
        compare("trainings of each side", trainings(self), trainings(other));
        if self.sides.len() == other.sides.len() {
            for (at, (one, two)) in self.sides.iter().zip(&other.sides).enumerate() {
                let [packs, options, deal, rules] = if self.sides.len() == 1 {
                    ["packs", "options", "cards dealt", "rules text (its hash)"]
                } else if at % 2 == 0 {
                    [
                        "packs without the change",
                        "options without the change",
                        "cards dealt without the change",
                        "rules text without the change (its hash)",
                    ]
                } else {
                    [
                        "packs with the change",
                        "options with the change",
                        "cards dealt with the change",
                        "rules text with the change (its hash)",
                    ]
                };
                compare(packs, one.packs(), two.packs());
                compare(options, word_list(&one.options), word_list(&two.options));
                compare(deal, word_list(&one.deal), word_list(&two.deal));
                // The hash is determined by the other values; a different hash alone means that the text has changed.
                let same = |one: &SideRules, two: &SideRules| one.packs == two.packs && one.options == two.options && one.deal == two.deal;
                if self.game == other.game && self.players == other.players && same(one, two) {
                    compare(rules, one.rules.clone(), two.rules.clone());
                }
            }
        }
        found
    }
}

impl SideRules {
    fn packs(&self) -> String {
        word_list(&self.packs.iter().map(|pack| format!("{} {} ({})", pack.name, pack.version, pack.hash)).collect::<Vec<_>>())
    }
}

fn word_list(words: &[String]) -> String {
    if words.is_empty() { "none".to_string() } else { words.join(", ") }
}

impl Saved {
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

    /// Returns the number of games, or pairs of games, that are done.
    pub fn games_done(&self) -> u64 {
        let done = match &self.sums {
            SavedResults::Playtest(begun) => &begun.finished,
            SavedResults::Compare(compared) => &compared.finished,
        };
        done.iter().map(|range| range.end - range.start).sum()
    }

    /// Returns the number of games, or pairs of games, that belong to this part of the run.
    pub fn games_requested(&self) -> u64 {
        let games = self.part.games(self.run.games);
        games.end - games.start
    }

    /// Whether all games, or pairs of games, of this part are done.
    pub fn is_complete(&self) -> bool {
        let enough = match &self.sums {
            SavedResults::Playtest(_) => false,
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
    for pair in parts.windows(2) {
        let [(one, first), (two, second)] = pair else { continue };
        let mut differences = first.run.differences(&second.run);
        if first.part.parts != second.part.parts {
            differences.push(("number of parts", first.part.parts.to_string(), second.part.parts.to_string()));
        }
        if !differences.is_empty() {
            return Err(difference_message((one, two), &differences));
        }
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
            (SavedResults::Playtest(_), SavedResults::Compare(_)) | (SavedResults::Compare(_), SavedResults::Playtest(_)) => {
                return Err("games and pairs of games do not go together".to_string());
            }
        }
    }
    whole.part = RunPart::WHOLE;
    let stopped = !whole.is_complete();
    match &mut whole.sums {
        SavedResults::Playtest(begun) => begun.outcome.stopped = stopped,
        SavedResults::Compare(compared) => compared.stopped = stopped,
    }
    Ok(MergedRun { whole, missing })
}

/// Writes a message that lists the differences of two runs.
pub fn difference_message((one, two): (&str, &str), differences: &[(&'static str, String, String)]) -> String {
    let lines = differences.iter().map(|(what, first, second)| format!("\n  {what}: {first} in `{one}`, {second} in `{two}`"));
    format!("`{one}` and `{two}` are not of the same run:{}", lines.collect::<String>())
}
