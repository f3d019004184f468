//! What a comparison says, as data and for a person.

use serde::Serialize;

use super::super::histogram::Histogram;
use super::super::page::Called;
use super::super::part::Part;
use super::super::report::{PackUsed, packs_of};
use super::super::table::{Table, heading, wrapped};
use super::super::text::plural;
use super::inference::{ALPHA, Difference, Looks, Pairs, false_discoveries};
use super::measures::Measure;
use super::pairs::{Compared, FEWEST, Sides, Stop};
use crate::state::chance::seed_of_game;

/// Fewer pairs than these are told to be few.
const FEW: u64 = 100;
/// What is measured of some games only is left out if it was in fewer pairs than these: nothing is proved by them.
const FEWEST_OF_SOME: u64 = 20;

/// A measure with what is said of it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is measured.
    pub measure: String,
    /// The same in the language that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    #[serde(skip)]
    of: Measure,
    /// Pairs of which it is a mean.
    pub pairs: u64,
    /// What it is a measure of.
    pub family: &'static str,
    /// What the pairs say.
    #[serde(flatten)]
    pub difference: Difference,
    /// The smallest share of false ones among the differences shown at which this is one of them (Benjamini, Hochberg).
    pub q: f64,
    /// Whether a difference is shown: `q` is 0.05 at most.
    pub shown: bool,
}

/// Where the games of the first pair part that does.
#[derive(Clone, Debug, Serialize)]
pub struct FirstParting {
    /// Its number in the run, from 0.
    pub pair: u64,
    /// The seed of both games.
    pub seed: u64,
    /// The answer, counted from 1.
    pub answer: usize,
    /// Who answers what without the change.
    pub without: String,
    /// Who answers what with it.
    pub with: String,
}

/// The result of a comparison. No clock is in it.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Id of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Version of this program.
    pub version: &'static str,
    /// Hashes of everything that the rules of both sides were made from.
    pub rules: [String; 2],
    /// The packs in them.
    pub packs: [Vec<PackUsed>; 2],
    /// Seats.
    pub players: usize,
    /// Who played; in each pair one seat further on.
    pub agents: Vec<String>,
    /// Seed of the run.
    pub seed: u64,
    /// What both sides share, as it was typed.
    pub both: Vec<String>,
    /// What the changed side has besides, as it was typed.
    pub changes: Vec<String>,
    /// Which part of a comparison this is, if it is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Pairs asked for at most, of this part.
    pub asked: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Pairs dropped because of a fault.
    pub dropped: u64,
    /// How the intervals are meant.
    pub looks: Looks,
    /// The measure by which it stops, and how far its interval may reach to either side.
    pub until: Option<(String, f64)>,
    /// Whether that was reached.
    pub enough: bool,
    /// Whether it was stopped by somebody.
    pub stopped: bool,
    /// Pairs whose games went alike, answer by answer.
    pub alike: u64,
    /// Pairs whose games ended alike, in every measure.
    pub same_end: u64,
    /// Where the first pair parts that does.
    pub parting: Option<FirstParting>,
    /// Points of all players of a pair together, changed less plain: how often each difference came up.
    pub differences: Histogram,
    /// Each measure.
    pub rows: Vec<Row>,
    /// Seats, from 1, that begin with a card with the change: whether they win is told also where nothing is shown.
    #[serde(skip)]
    pub dealt: Vec<usize>,
}

/// Makes the report of a comparison.
pub fn comparison(sides: &Sides<'_>, stop: &Stop, found: &Compared, both: Vec<String>, changes: Vec<String>) -> Comparison {
    let looks = stop.looks();
    let count = |measure: &Measure, pairs: &Pairs| measure.pairs(found.pairs, pairs.taken);
    let enough = found.measures.iter().filter(|(measure, pairs)| measure.pairs(u64::MAX, pairs.taken) >= FEWEST_OF_SOME);
    let measures: Vec<(&Measure, &Pairs)> = enough.collect();
    let differences: Vec<Difference> = measures.iter().map(|(measure, pairs)| pairs.difference(count(measure, pairs), looks)).collect();
    let q = false_discoveries(&differences.iter().map(|difference| difference.p).collect::<Vec<_>>());
    let rows = measures.into_iter().zip(differences).zip(q).map(|(((measure, pairs), difference), q)| Row {
        measure: measure.to_string(),
        called: None,
        of: measure.clone(),
        pairs: count(measure, pairs),
        family: measure.family(),
        difference,
        q,
        shown: q <= ALPHA,
    });
    Comparison {
        game: sides.plain.game.clone(),
        title: sides.plain.title.clone(),
        version: env!("CARGO_PKG_VERSION"),
        rules: [sides.plain, sides.changed].map(|rules| format!("{:016x}", rules.hash)),
        packs: [sides.plain, sides.changed].map(packs_of),
        players: sides.plain.players,
        agents: sides.agents.iter().map(ToString::to_string).collect(),
        seed: sides.seed,
        both,
        changes,
        part: None,
        asked: stop.pairs,
        pairs: found.pairs,
        dropped: found.dropped.dropped,
        looks,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), *width)),
        enough: found.enough,
        stopped: found.stopped,
        alike: found.alike,
        same_end: found.same_end,
        parting: parting(sides, found),
        differences: found.differences.clone(),
        rows: rows.collect(),
        dealt: sides.changed.dealt.iter().filter(|dealt| !sides.plain.dealt.contains(dealt)).map(|(_, seat)| seat + 1).collect(),
    }
}

fn parting(sides: &Sides<'_>, found: &Compared) -> Option<FirstParting> {
    let parting = found.parting.as_ref()?;
    let seed = seed_of_game(sides.seed, parting.pair);
    let answer = |answer: &Option<(i32, u8, String)>| match answer {
        None => "the game is over".to_string(),
        Some((round, seat, key)) => format!("p{} answers `{key}` in round {round}", seat + 1),
    };
    let (without, with) = (answer(&parting.plain), answer(&parting.changed));
    Some(FirstParting { pair: parting.pair, seed, answer: parting.answer, without, with })
}

impl Comparison {
    /// Says which part of the comparison it is of.
    pub fn of_part(mut self, part: Part) -> Comparison {
        let pairs = part.games(self.asked);
        self.asked = pairs.end - pairs.start;
        self.part = (part != Part::WHOLE).then_some(part);
        self
    }

    /// With what things are called in a language.
    pub fn in_language(mut self, called: Called<'_>) -> Comparison {
        self.title = called.names.title(&self.title).to_string();
        self.rows.iter_mut().for_each(|row| row.called = Some(row.of.called(called)));
        self
    }

    /// A measure by its name.
    pub fn row(&self, measure: &Measure) -> Option<&Row> {
        let name = measure.to_string();
        self.rows.iter().find(|row| row.measure == name)
    }

    /// For a person at a terminal; all measures, or those that differ.
    pub fn text(&self, all: bool, color: bool) -> String {
        let mut text = self.opening();
        if self.pairs == 0 {
            return text;
        }
        text.push_str(&self.headline());
        if let Some(Difference { plain, changed, .. }) = self.row(&Measure::CutOff).map(|row| row.difference)
            && plain + changed > 0.0
        {
            let [plain, changed] = [plain, changed].map(|share| share * 100.0);
            text.push_str(&format!(
                "cut off after the most rounds that there can be, since what ends the game never came about: {plain:.0}% of the games without \
                 the change, {changed:.0}% with it\n"
            ));
        }
        if self.made_no_difference() {
            return text;
        }
        if let Some(parting) = &self.parting {
            let FirstParting { pair, seed, answer, without, with } = parting;
            text.push_str(&format!(
                "the first games part in pair {pair} (seed {seed}) at answer {answer}:\n  without the change {without}\n  with the change    {with}\n"
            ));
        }
        if self.alike > 0 {
            text.push_str(&format!("{} of {} pairs went alike, answer by answer\n", self.alike, self.pairs));
            if self.alike == self.pairs {
                text.push_str("what could have been answered, or what came of it, differs all the same\n");
            }
        }
        let shown: Vec<&Row> = self.rows.iter().filter(|row| all || row.shown).collect();
        text.push('\n');
        text.push_str(&heading(if all { "All measures" } else { "What differs" }, color));
        if shown.is_empty() {
            text.push_str(&format!("  of {} measures none is shown to differ\n", self.rows.len()));
        } else {
            text.push_str(&table(&shown));
        }
        for row in self.dealt.iter().filter_map(|seat| self.row(&Measure::WonBy(*seat))).filter(|row| !all && !row.shown) {
            let Difference { plain, changed, difference, interval, .. } = row.difference;
            let interval = interval_text(interval, 3).map_or(String::new(), |interval| format!(" ({interval})"));
            text.push_str(&format!(
                "  {}: {plain:.3} without, {changed:.3} with, {difference:+.3}{interval}: not shown to differ\n",
                row.measure
            ));
        }
        text.push_str(&self.how_sure());
        text
    }

    fn made_no_difference(&self) -> bool {
        self.pairs > 0 && self.alike == self.pairs && self.same_end == self.pairs
    }

    pub(in super::super) fn opening(&self) -> String {
        let mut agents = self.agents.clone();
        if agents.iter().all(|agent| *agent == agents[0]) {
            agents.truncate(1);
        }
        let (title, pairs, players, seed) = (&self.title, self.pairs, self.players, self.seed);
        let mut text = format!(
            "{title}: {pairs} pair{} of games, {players} player{} ({}), seed {seed}\n",
            plural(pairs),
            plural(players as u64),
            agents.join(", ")
        );
        text.extend(self.part.map(|part| format!("part {part} of the comparison: the others are compared elsewhere\n")));
        for (name, what) in [("both: ", &self.both), ("changed: ", &self.changes)] {
            if !what.is_empty() {
                text.push_str(&wrapped(0, name, what.iter().cloned()));
            }
        }
        if (1..FEW).contains(&pairs) {
            let are = if pairs == 1 { "pair is" } else { "pairs are" };
            text.push_str(&format!("{pairs} {are} few: the intervals are wide, and only large differences can be shown\n"));
        }
        match &self.until {
            Some((measure, width)) if self.enough => {
                text.push_str(&format!("enough: the interval of `{measure}` reaches no further than {width} to either side\n"));
            }
            // The part of a run that is stopped may be too short to look.
            Some((measure, _)) if pairs < FEWEST => {
                text.push_str(&format!("not enough: nobody looks at the interval of `{measure}` before there are {FEWEST} pairs\n"));
            }
            Some((measure, width)) => {
                text.push_str(&format!("not enough: the interval of `{measure}` reaches further than {width} to either side\n"));
            }
            None => {}
        }
        if self.stopped {
            let were = if self.asked == 1 { "pair was" } else { "pairs were" };
            text.push_str(&format!("stopped: {} {were} asked for\n", self.asked));
        }
        if self.dropped > 0 {
            text.push_str(&format!("dropped because of a fault: {} pair{}\n", self.dropped, plural(self.dropped)));
        }
        text
    }

    /// The points, in a sentence, or that there is nothing to say of them.
    pub(in super::super) fn headline(&self) -> String {
        if self.pairs == 0 {
            return "no pair was played to its end\n".to_string();
        }
        if self.made_no_difference() {
            let pairs = if self.pairs == 1 { "the one pair".to_string() } else { format!("all {} pairs", self.pairs) };
            return format!("the change never made a difference: {pairs} went alike, answer by answer\n");
        }
        let Some(Row { difference, .. }) = self.row(&Measure::Points) else { return String::new() };
        let [low, high] = difference.interval;
        let saved = match difference.saved {
            Some(saved) if saved >= 0.005 => format!("; pairing saved {:.0}% of the games", saved * 100.0),
            Some(saved) if saved <= -0.005 => format!("; unpaired games would have varied less, by {:.0}%", -saved * 100.0),
            _ => String::new(),
        };
        let (mean, pairs) = (difference.difference, self.pairs);
        if pairs == 1 {
            return format!("mean points of a player {mean:+.2} in a single pair, which has no interval\n");
        }
        format!("mean points of a player {mean:+.2} (95% {low:+.2} to {high:+.2}), {pairs} paired games{saved}\n")
    }

    pub(in super::super) fn how_sure(&self) -> String {
        let looks = match self.looks {
            Looks::Once => "Intervals are 95% intervals of paired differences (Student), each for itself",
            Looks::Always => "Intervals are 95% confidence sequences: they hold whenever one looks",
        };
        let share = format!("of the differences shown about 5% are false (Benjamini-Hochberg over {} measures)", self.rows.len());
        let overlap = "two differences whose intervals overlap have no order".to_string();
        format!("\n{}", wrapped(0, "", [looks.to_string(), share, overlap]))
    }
}

/// An interval, if there is one: a single pair has none.
fn interval_text([low, high]: [f64; 2], digits: usize) -> Option<String> {
    (low.is_finite() && high.is_finite()).then(|| format!("{low:+.digits$} to {high:+.digits$}"))
}

fn table(rows: &[&Row]) -> String {
    let mut table = Table::new(1);
    table.row(["", "without", "with", "difference", "95% interval", "q"]);
    for Row { measure, called, difference, q, .. } in rows {
        let digits = if difference.plain.abs().max(difference.changed.abs()) < 1.0 { 3 } else { 2 };
        table.row([
            called.as_ref().unwrap_or(measure).clone(),
            format!("{:.digits$}", difference.plain),
            format!("{:.digits$}", difference.changed),
            format!("{:+.digits$}", difference.difference),
            interval_text(difference.interval, digits).unwrap_or("-".to_string()),
            if *q < 0.001 { "<.001".to_string() } else { format!("{q:.3}") },
        ]);
    }
    table.text(2)
}
