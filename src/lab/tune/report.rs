//! The report of a search: what came nearest to the targets, as data and as text.

use serde::Serialize;

mod distance;

pub use self::distance::Distance;
use self::distance::{Part, distance};
use super::objective::{Objective, is_dominated};
use super::target::{Target, format_value, is_share};
use crate::document::numbers::counted;
use crate::document::{Block, Document, Section};
use crate::playtest::MeasuredMeans;
use crate::playtest::compare::{ALPHA, Measure};
use crate::playtest::table::TextTable;

/// What was varied.
#[derive(Clone, Debug, Serialize)]
pub struct VariedNumber {
    /// Its address, or the card and key.
    pub name: String,
    /// Its levels.
    pub levels: Vec<String>,
    /// Its level in the rules as they are; `None` if that is not among the levels.
    pub now: Option<String>,
    /// Whether the levels are numbers in order.
    #[serde(skip)]
    pub ordered: bool,
}

/// A setting that was played for the report.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The level of each varied number; `None` for the rules as they are, if they are not among the settings.
    pub levels: Option<Vec<String>>,
    /// Whether these are the rules as they are.
    pub is_now: bool,
    /// Number of players.
    pub players: usize,
    /// What it measured.
    pub means: MeasuredMeans,
}

/// How the search went.
#[derive(Clone, Debug, Serialize)]
pub struct SearchSummary {
    /// Name of the game.
    pub game: String,
    /// Printed title of the game.
    pub title: String,
    /// Agents by seat.
    pub agents: Vec<String>,
    /// Seed of the games by which settings were chosen.
    pub seed: u64,
    /// Seed of the fresh games.
    pub fresh_seed: u64,
    /// Number of settings in the ranges.
    pub settings: u64,
    /// Number of settings that were played.
    pub settings_played: u64,
    /// Number of games of the search.
    pub games: u64,
    /// Number of fresh games that were asked for of each setting; a fault may leave some of them out.
    pub fresh_games: u64,
    /// Whether the figures of the report are from fresh games; otherwise the run was stopped before, and they are those of the search.
    pub confirmed: bool,
}

/// The mean of a measure.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Name of the measure.
    pub measure: String,
    /// The mean; `None` if it was defined in no game.
    pub mean: Option<f64>,
    /// 95 % interval of the mean.
    pub interval: Option<[f64; 2]>,
    #[serde(skip)]
    of: Measure,
}

/// A setting in the report.
#[derive(Clone, Debug, Serialize)]
pub struct TunedSetting {
    /// The level of each varied number; `None` for the rules as they are, if they are not among the settings.
    pub levels: Option<Vec<String>>,
    /// Whether these are the rules as they are.
    pub is_now: bool,
    /// Number of games.
    pub games: u64,
    /// Number of distinct games.
    pub distinct: u64,
    /// Distance from each target.
    pub distances: Vec<Distance>,
    /// What was measured.
    pub figures: Vec<Figure>,
    /// Whether another setting of the report is nearer to some target and further from none.
    pub dominated: bool,
    /// Sum over the targets of the squared distance in units of what is near enough; infinite, in JSON `null`, if one has no distance.
    pub loss: f64,
}

/// A target in the report.
#[derive(Clone, Debug, Serialize)]
pub struct TargetRow {
    /// Name of what is measured.
    pub name: String,
    /// Where it is wanted.
    pub wanted: String,
    /// The distance that is near enough.
    pub near_enough: f64,
}

/// The report of a search.
#[derive(Clone, Debug, Serialize)]
pub struct TuningReport {
    /// How the search went.
    #[serde(flatten)]
    pub search: SearchSummary,
    /// What was varied.
    pub varied: Vec<VariedNumber>,
    /// The targets.
    pub targets: Vec<TargetRow>,
    /// The settings that came nearest, the best first, and the rules as they are.
    pub nearest: Vec<TunedSetting>,
    #[serde(skip)]
    sought: Vec<Target>,
}

impl TuningReport {
    /// Sums up a search. The candidates are those that were played for the report.
    pub fn new(search: SearchSummary, varied: Vec<VariedNumber>, targets: Vec<Target>, candidates: &[Candidate]) -> TuningReport {
        let count = candidates.len().max(1) * targets.len().max(1);
        let mut nearest: Vec<TunedSetting> = candidates.iter().map(|candidate| tuned_setting(candidate, &targets, count)).collect();
        nearest.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        let distances: Vec<Vec<f64>> =
            nearest.iter().map(|setting| setting.distances.iter().map(Distance::or_infinite).collect()).collect();
        for (at, setting) in nearest.iter_mut().enumerate() {
            setting.dominated = distances.iter().any(|others| is_dominated(&distances[at], others));
        }
        let row = |target: &Target| TargetRow {
            name: target.name.clone(),
            wanted: target.wanted.clone(),
            near_enough: target.criterion.tolerance,
        };
        TuningReport { search, varied, targets: targets.iter().map(row).collect(), nearest, sought: targets }
    }

    /// Returns the setting that came nearest; `None` if none was played.
    pub fn best(&self) -> Option<&TunedSetting> {
        self.nearest.first()
    }

    /// Whether the games show that the best setting misses a target.
    pub fn is_out_of_reach(&self) -> bool {
        self.best().is_some_and(|best| best.distances.iter().any(|distance| distance.met == Some(false)))
    }

    /// Formats the report for a terminal.
    pub fn text(&self, color: bool) -> String {
        self.document().text(color)
    }

    /// Makes the document of the search.
    pub fn document(&self) -> Document {
        let SearchSummary { title, agents, seed, settings, settings_played, games, .. } = &self.search;
        let mut kinds = agents.clone();
        kinds.dedup();
        let players = counted(agents.len(), "player");
        let opening = format!("{title}: searched by {games} games, {players} ({}), seed {seed}\n", kinds.join(", "));
        let mut varied = TextTable::headless(3);
        for one in &self.varied {
            let now = one.now.as_ref().map_or("another value now".to_string(), |now| format!("{now} now"));
            varied.row([one.name.clone(), levels_in_words(one), now]);
        }
        let all = if settings == settings_played { "all of them".to_string() } else { settings_played.to_string() };
        let of = if *settings == 1 { "1 setting".to_string() } else { format!("{settings} settings") };
        let played = format!("  {of}, {all} played, each over the same draws\n");
        let mut targets = TextTable::headless(3);
        for target in &self.sought {
            let near = format!("near enough within {} {}", target.format_distance(target.criterion.tolerance), target.unit());
            targets.row([target.name.clone(), target.wanted.clone(), near.trim_end().to_string()]);
        }
        let parts = vec![
            Section::new("Varied", [Block::Figures(varied), Block::Lines(played)]),
            Section::new("Targets", [Block::Figures(targets)]),
            Section::new(self.heading_of_nearest(), [Block::Figures(self.table_of_distances()), Block::Lines(self.notes_on_distances())]),
            Section::new("Measured, with 95% intervals", [Block::Figures(self.table_of_figures())]),
            Section::unheaded(self.findings().into_iter().map(Block::sentence)),
        ];
        let title = format!("{title}: numbers brought towards targets");
        Document { title, opening: vec![Block::Lines(opening)], parts, ..Document::default() }
    }

    fn heading_of_nearest(&self) -> String {
        let games = self.best().map_or(0, |best| best.games);
        match self.search.confirmed {
            true => format!("Nearest, each in {games} fresh games"),
            false => "Nearest, in the games of the search".to_string(),
        }
    }

    fn table_of_distances(&self) -> TextTable {
        let mut table = TextTable::new(3);
        table.row(["", "setting", "target", "off by", "95% interval", "near enough"]);
        for (at, setting) in self.nearest.iter().enumerate() {
            let mark = if setting.dominated { format!("{}", at + 1) } else { format!("{} *", at + 1) };
            for (row, (distance, target)) in setting.distances.iter().zip(&self.sought).enumerate() {
                let (mark, name) = if row == 0 { (mark.as_str(), self.name_of(setting)) } else { ("", String::new()) };
                let interval = distance.interval.map_or("none".to_string(), |[low, high]| {
                    format!("{} to {}", target.format_distance(low), target.format_distance(high))
                });
                let met = match distance.met {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "open",
                };
                table.row([mark, &name, &distance.target, &distance.in_words(target), &interval, met]);
            }
        }
        table
    }

    /// What the intervals and marks of the table of distances mean.
    fn notes_on_distances(&self) -> String {
        let mut text = String::new();
        // Those of the search have been selected, and hold for nothing.
        if self.search.confirmed {
            text += "  all these intervals hold together in 95 of 100 runs\n";
        }
        if self.sought.len() > 1 {
            text += "  * none of the others is nearer to one target without being further from another\n";
        }
        text
    }

    fn table_of_figures(&self) -> TextTable {
        let mut table = TextTable::new(1);
        table.row(std::iter::once(String::new()).chain((1..=self.nearest.len()).map(|number| number.to_string())));
        let figures = self.best().map_or(&[][..], |best| &best.figures);
        for (at, first) in figures.iter().enumerate() {
            let cell = |setting: &TunedSetting| {
                let figure = &setting.figures[at];
                let Some(mean) = figure.mean else { return "never".to_string() };
                let half =
                    figure.interval.map_or(String::new(), |[low, high]| format!(" ±{}", format_half(&figure.of, (high - low) / 2.0)));
                format!("{}{half}", format_value(&figure.of, mean))
            };
            table.row(std::iter::once(first.measure.clone()).chain(self.nearest.iter().map(cell)));
        }
        table
    }

    /// Returns the name of a setting: the level of each number.
    pub fn name_of(&self, setting: &TunedSetting) -> String {
        let levels = setting.levels.as_ref().map(|levels| {
            let named = self.varied.iter().zip(levels).map(|(varied, level)| format!("{} {level}", varied.name));
            named.collect::<Vec<_>>().join(", ")
        });
        match (levels, setting.is_now) {
            (Some(levels), true) => format!("{levels} (as now)"),
            (Some(levels), false) => levels,
            (None, _) => "the rules as they are now".to_string(),
        }
    }

    /// Returns what the figures say, in sentences.
    fn findings(&self) -> Vec<String> {
        let Some(best) = self.best() else { return vec!["Nothing was played to its end.".to_string()] };
        let mut found = Vec::new();
        for (at, (distance, target)) in best.distances.iter().zip(&self.sought).enumerate() {
            let off = format!("{} {}", distance.in_words(target), target.unit()).trim_end().to_string();
            let now = self.nearest.iter().find(|setting| setting.is_now && !std::ptr::eq(*setting, best));
            let now = now.map_or(String::new(), |now| format!(" (now {})", now.distances[at].in_words(target)));
            found.push(match distance.met {
                None if distance.distance.is_none() => {
                    format!("{}: nothing was measured in games that were played to their end.", target.name)
                }
                Some(true) => format!("{}: met by `{}`, which is {off} off{now}.", target.name, self.name_of(best)),
                Some(false) => format!("{}: not met. `{}` came nearest over all and is {off} off{now}.", target.name, self.name_of(best)),
                None => format!(
                    "{}: `{}` is {off} off{now}; whether that is within {} more games (-n) would tell.",
                    target.name,
                    self.name_of(best),
                    target.format_distance(target.criterion.tolerance)
                ),
            });
        }
        if best.is_now {
            found.push("No other setting came nearer than the rules as they are.".to_string());
        }
        found.extend(self.trade_off());
        found.extend(self.ends_of_ranges(best));
        let distinct = self.nearest.iter().filter(|setting| setting.distinct < setting.games).map(|setting| setting.distinct).min();
        if let Some(distinct) = distinct {
            found.push(format!("Many games repeat others ({distinct} distinct): repeated ones are no further evidence."));
        }
        found.push(match self.search.confirmed {
            true => format!(
                "What looks best among {} settings was also lucky in the games by which it was chosen: these figures are from games of their own \
                 (seed {}), which no choice has seen.",
                self.search.settings_played, self.search.fresh_seed
            ),
            false => "The run was stopped before fresh games were played: these figures are from the games by which the settings were chosen, \
                      and flatter the best."
                .to_string(),
        });
        found
    }

    /// Says which setting is nearest to which target, if that is not one setting.
    fn trade_off(&self) -> Option<String> {
        let nearest_to = |criterion: usize| {
            let settings = self.nearest.iter();
            settings.min_by(|a, b| a.distances[criterion].or_infinite().total_cmp(&b.distances[criterion].or_infinite()))
        };
        let names: Vec<String> = (0..self.sought.len()).filter_map(nearest_to).map(|setting| self.name_of(setting)).collect();
        if names.iter().all(|name| Some(name) == names.first()) {
            return None;
        }
        let each = self.sought.iter().zip(&names).map(|(target, name)| format!("`{name}` to {}", target.name));
        Some(format!("The targets pull apart: nearest is {}.", each.collect::<Vec<_>>().join(", ")))
    }

    /// Says which ranges the best setting lies at the end of, if it misses a target.
    fn ends_of_ranges(&self, best: &TunedSetting) -> Option<String> {
        let levels = best.levels.as_ref().filter(|_| self.is_out_of_reach())?;
        let at_end = |(varied, level): (&VariedNumber, &String)| {
            let ends = [varied.levels.first(), varied.levels.last()];
            (varied.ordered && ends.contains(&Some(level))).then(|| varied.name.clone())
        };
        let names: Vec<String> = self.varied.iter().zip(levels).filter_map(at_end).collect();
        Some(match names.as_slice() {
            [] => "Nothing in these ranges came nearer: something else is to be varied.".to_string(),
            names => format!("It lies at the end of the range of {}: a wider one may come nearer.", names.join(", ")),
        })
    }
}

/// Works out the distances of a candidate. All intervals of `count` distances hold together.
fn tuned_setting(candidate: &Candidate, targets: &[Target], count: usize) -> TunedSetting {
    let means = &candidate.means;
    let distinct = means.different.share(means.games);
    let (mut distances, mut figures, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for target in targets {
        let sums = means.sums_of(&target.measures);
        let alpha = ALPHA / (count * target.measures.len()) as f64;
        let parts: Vec<Part<'_>> = target
            .measures
            .iter()
            .zip(&sums)
            .zip(&target.criterion.parts)
            .map(|((measure, sums), wanted)| Part { measure, sums, wanted })
            .collect();
        distances.push(distance(target, &parts, candidate, distinct, alpha));
        values.extend(parts.iter().map(|part| part.sums.mean().unwrap_or(part.wanted.low)));
        figures.extend(parts.iter().map(|part| Figure {
            measure: part.measure.to_string(),
            mean: part.sums.mean(),
            interval: part.interval(candidate, distinct, ALPHA),
            of: part.measure.clone(),
        }));
    }
    let objective = Objective { criteria: targets.iter().map(|target| target.criterion.clone()).collect() };
    let nothing = distances.iter().any(|distance: &Distance| distance.distance.is_none());
    let loss = if nothing { f64::INFINITY } else { objective.loss(&values) };
    TunedSetting {
        levels: candidate.levels.clone(),
        is_now: candidate.is_now,
        games: means.games,
        distinct: means.different.count(means.games),
        distances,
        figures,
        dominated: false,
        loss,
    }
}

fn format_half(measure: &Measure, half: f64) -> String {
    if is_share(measure) { format!("{:.1}", 100.0 * half) } else { format!("{half:.2}") }
}

/// Formats levels: `0 to 6, 7 levels`, or `a, b, c`.
fn levels_in_words(varied: &VariedNumber) -> String {
    match varied.levels.as_slice() {
        [first, .., last] if varied.ordered && varied.levels.len() > 4 => format!("{first} to {last}, {} levels", varied.levels.len()),
        levels => levels.join(", "),
    }
}

#[cfg(test)]
mod tests;
