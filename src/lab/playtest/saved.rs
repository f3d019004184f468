//! What is done of a run, as it is kept in a file: with which the run can go on, and which can be put together with other parts of it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::compare::Compared;
use super::part::Part;
use super::report::{PackUsed, packs_of};
use super::run::Begun;
use crate::engine::Ruleset;
use crate::state::chance::hash_text;

/// What a run is: where all of this is the same, games of the same numbers are. What changes no game is none of it: threads, and what is
/// written where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunOf {
    /// Version of this program.
    pub version: String,
    /// Which command.
    pub command: Command,
    /// Id of the game.
    pub game: String,
    /// Seats.
    pub players: usize,
    /// Who plays, seat by seat.
    pub agents: Vec<String>,
    /// How many games, or pairs of games, all parts have together.
    pub games: u64,
    /// Seed of the run.
    pub seed: u64,
    /// Whether it is noted which scripts of cards run.
    pub hooks: bool,
    /// The measure by which a comparison stops, and how far its interval may reach to either side.
    pub until: Option<(String, String)>,
    /// The rules: of both sides, if two are compared.
    pub sides: Vec<SideOf>,
}

/// A command whose runs can be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// `houserule playtest`
    Playtest,
    /// `houserule compare`
    Compare,
}

/// The rules of a run, or of a side of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideOf {
    /// Hash of everything that they were made from.
    pub rules: String,
    /// The packs in them.
    pub packs: Vec<PackUsed>,
    /// Options that were set, as typed.
    pub options: Vec<String>,
    /// Cards in play from the start, as typed.
    pub deal: Vec<String>,
}

/// What the rules of a side are made from, as it was typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// Packs.
    pub packs: Vec<PathBuf>,
    /// Rules text, names of variants, and paths of files of rules.
    pub with: Vec<String>,
    /// Options.
    pub options: Vec<String>,
    /// Cards in play from the start.
    pub deal: Vec<String>,
}

/// How a run was typed, as far as its report is made from that.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Typed {
    /// The rules: of both sides, if two are compared.
    pub sides: Vec<Side>,
    /// Who plays.
    pub agents: Vec<String>,
    /// What both sides share, for the report.
    pub both: Vec<String>,
    /// What was changed, for the report.
    pub changes: Vec<String>,
}

/// What is done of a run or of a part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sums {
    /// Of games.
    Playtest(Box<Begun>),
    /// Of pairs of games.
    Compare(Box<Compared>),
}

/// A run, or a part of one, as it is kept in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Saved {
    /// What it is.
    pub run: RunOf,
    /// How it was typed.
    pub typed: Typed,
    /// Which part of it.
    pub part: Part,
    /// What is done.
    pub sums: Sums,
}

/// What stands around it in the file.
#[derive(Serialize, Deserialize)]
struct Envelope {
    /// Version of this program.
    houserule: String,
    /// Hash of the rest, so that half a file, or one that somebody has worked at, is not taken for figures.
    hash: String,
    saved: Box<RawValue>,
}

impl SideOf {
    /// Of rules, and how they were set up.
    pub fn new(rules: &Ruleset, side: &Side) -> SideOf {
        let hash = format!("{:016x}", rules.hash);
        SideOf { rules: hash, packs: packs_of(rules), options: side.options.clone(), deal: side.deal.clone() }
    }
}

impl RunOf {
    /// In what another run differs, each with what this one and the other has.
    pub fn differences(&self, other: &RunOf) -> Vec<(&'static str, String, String)> {
        let mut found = Vec::new();
        let mut differ = |what, one: String, two: String| {
            if one != two {
                found.push((what, one, two));
            }
        };
        let command = |run: &RunOf| match run.command {
            Command::Playtest => "playtest".to_string(),
            Command::Compare => "compare".to_string(),
        };
        let until = |run: &RunOf| run.until.as_ref().map_or("none".to_string(), |(measure, width)| format!("{width} of {measure}"));
        differ("version of houserule", self.version.clone(), other.version.clone());
        differ("command", command(self), command(other));
        differ("game", self.game.clone(), other.game.clone());
        differ("players", self.players.to_string(), other.players.to_string());
        differ("agents", self.agents.join(","), other.agents.join(","));
        differ("games", self.games.to_string(), other.games.to_string());
        differ("seed", self.seed.to_string(), other.seed.to_string());
        differ("--hooks", self.hooks.to_string(), other.hooks.to_string());
        differ("--until", until(self), until(other));
        if self.sides.len() == other.sides.len() {
            for (at, (one, two)) in self.sides.iter().zip(&other.sides).enumerate() {
                let [packs, options, deal, rules] = if self.sides.len() == 1 {
                    ["packs", "options", "cards dealt", "rules text (its hash)"]
                } else if at == 0 {
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
                differ(packs, one.packs(), two.packs());
                differ(options, listed(&one.options), listed(&two.options));
                differ(deal, listed(&one.deal), listed(&two.deal));
                // The hash follows from all that is told already: alone it says that a text is another.
                let same = |one: &SideOf, two: &SideOf| one.packs == two.packs && one.options == two.options && one.deal == two.deal;
                if self.game == other.game && self.players == other.players && same(one, two) {
                    differ(rules, one.rules.clone(), two.rules.clone());
                }
            }
        }
        found
    }
}

impl SideOf {
    fn packs(&self) -> String {
        listed(&self.packs.iter().map(|pack| format!("{} {} ({})", pack.name, pack.version, pack.hash)).collect::<Vec<_>>())
    }
}

fn listed(words: &[String]) -> String {
    if words.is_empty() { "none".to_string() } else { words.join(", ") }
}

impl Saved {
    /// How it is written.
    ///
    /// # Errors
    /// A path that is no text.
    pub fn write(&self) -> Result<String, String> {
        let wrong = |fault: serde_json::Error| fault.to_string();
        let saved = serde_json::value::to_raw_value(self).map_err(wrong)?;
        let hash = format!("{:016x}", hash_text(saved.get()));
        let envelope = Envelope { houserule: env!("CARGO_PKG_VERSION").to_string(), hash, saved };
        serde_json::to_string(&envelope).map(|text| text + "\n").map_err(wrong)
    }

    /// Reads what [`Saved::write`] has written.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub fn read(text: &str) -> Result<Saved, String> {
        let envelope: Envelope = serde_json::from_str(text).map_err(|fault| format!("it is no saved run of houserule: {fault}"))?;
        let version = env!("CARGO_PKG_VERSION");
        if envelope.houserule != version {
            return Err(format!("it was saved by houserule {}, and this is houserule {version}", envelope.houserule));
        }
        if format!("{:016x}", hash_text(envelope.saved.get())) != envelope.hash {
            return Err("it is damaged: it does not hold what was written".to_string());
        }
        serde_json::from_str(envelope.saved.get()).map_err(|fault| format!("it was saved by another houserule {version}: {fault}"))
    }

    /// How many games, or pairs of games, are done.
    pub fn done(&self) -> u64 {
        let done = match &self.sums {
            Sums::Playtest(begun) => &begun.done,
            Sums::Compare(compared) => &compared.done,
        };
        done.iter().map(|range| range.end - range.start).sum()
    }

    /// How many belong to this part.
    pub fn asked(&self) -> u64 {
        let games = self.part.games(self.run.games);
        games.end - games.start
    }

    /// Whether nothing is left to be played.
    pub fn is_complete(&self) -> bool {
        let enough = match &self.sums {
            Sums::Playtest(_) => false,
            Sums::Compare(compared) => compared.enough,
        };
        enough || self.done() == self.asked()
    }
}

/// Parts put together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The run, with all that is done.
    pub whole: Saved,
    /// What is not there, a line for each part that is missing or has not been played to its end.
    pub missing: Vec<String>,
}

/// Puts parts of one run together, given in any order and each with the name of its file.
///
/// # Errors
/// Why they are no parts of one run, or which of them comes twice.
pub fn merge(mut parts: Vec<(String, Saved)>) -> Result<Merged, String> {
    parts.sort_by_key(|(_, saved)| saved.part);
    for pair in parts.windows(2) {
        let [(one, first), (two, second)] = pair else { continue };
        let mut differences = first.run.differences(&second.run);
        if first.part.of != second.part.of {
            differences.push(("number of parts", first.part.of.to_string(), second.part.of.to_string()));
        }
        if !differences.is_empty() {
            return Err(differ((one, two), &differences));
        }
        if first.part == second.part {
            return Err(format!("`{one}` and `{two}` are both part {}", first.part));
        }
    }
    let mut missing = Vec::new();
    let of = parts.first().map_or(0, |(_, saved)| saved.part.of);
    let is_there = |number: &u64| parts.iter().any(|(_, saved)| saved.part.number == *number);
    missing.extend((1..=of).filter(|number| !is_there(number)).map(|number| format!("part {} is missing", Part { number, of })));
    for (name, saved) in parts.iter().filter(|(_, saved)| !saved.is_complete()) {
        let (done, asked) = (saved.done(), saved.asked());
        missing.push(format!("part {} (`{name}`) has {done} of its {asked} games; `--save` goes on with it", saved.part));
    }
    let mut parts = parts.into_iter().map(|(_, saved)| saved);
    let Some(mut whole) = parts.next() else { return Err("there is nothing to put together".to_string()) };
    for part in parts {
        match (&mut whole.sums, &part.sums) {
            (Sums::Playtest(all), Sums::Playtest(more)) => all.merge(more),
            (Sums::Compare(all), Sums::Compare(more)) => all.merge(more),
            (Sums::Playtest(_), Sums::Compare(_)) | (Sums::Compare(_), Sums::Playtest(_)) => {
                return Err("games and pairs of games do not go together".to_string());
            }
        }
    }
    whole.part = Part::WHOLE;
    let stopped = !whole.is_complete();
    match &mut whole.sums {
        Sums::Playtest(begun) => begun.outcome.stopped = stopped,
        Sums::Compare(compared) => compared.stopped = stopped,
    }
    Ok(Merged { whole, missing })
}

/// Says in what two runs differ.
pub fn differ((one, two): (&str, &str), differences: &[(&'static str, String, String)]) -> String {
    let lines = differences.iter().map(|(what, first, second)| format!("\n  {what}: {first} in `{one}`, {second} in `{two}`"));
    format!("`{one}` and `{two}` are not of the same run:{}", lines.collect::<String>())
}
