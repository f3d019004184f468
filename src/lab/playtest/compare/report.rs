//! What a comparison says, as data and for a person.

use serde::Serialize;

use super::super::histogram::Histogram;
use super::super::page::Called;
use super::super::part::Part;
use super::super::report::{PackUsed, packs_of};
use super::super::table::{Table, WIDTH, heading, wrapped};
use super::super::text::{plural, repeated};
use super::inference::{ALPHA, Basis, Difference, FEWEST_SHOWN, Looks, Pairs, false_discoveries, for_chosen};
use super::measures::Measure;
use super::pairs::{Compared, FEWEST, Sides, Stop};
use crate::state::chance::seed_of_game;

/// Fewer pairs than these are told to be few.
const FEW: u64 = 100;
/// What is measured of some games only is left out if it was in fewer pairs than these: nothing is proved by them.
const FEWEST_OF_SOME: u64 = 20;
/// In fewer pairs than these two measures may have the same values by chance.
const FEWEST_ALIKE: u64 = 20;

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
    /// Of what it is a mean: a player, a game, games.
    pub unit: &'static str,
    /// What the pairs say.
    #[serde(flatten)]
    pub difference: Difference,
    /// The smallest level of the false discovery rate at which it is shown among all measures but the first one (Benjamini, Hochberg); of the
    /// one that is tested alone its `p`.
    pub q: f64,
    /// Whether a difference is shown: `q` is 0.05 at most.
    pub shown: bool,
    /// Whether it is tested alone, since the comparison was made for it.
    pub alone: bool,
    /// If a difference is shown, its interval widened for its having been chosen among others (Benjamini, Yekutieli): of intervals so chosen
    /// 5 % miss, on an average of many comparisons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<[f64; 2]>,
    /// Another measure that says the same, for which alone this one stands in no table: it had the same values in every game, or it is
    /// what the other one leaves of all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
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
    /// Of these, pairs that are different; the others repeat one of them move by move, and intervals count each of those once.
    pub distinct: u64,
    /// The measure that is tested alone; all others are tested together.
    pub primary: String,
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
    let dealt: Vec<usize> =
        sides.changed.dealt.iter().filter(|dealt| !sides.plain.dealt.contains(dealt)).map(|(_, seat)| seat + 1).collect();
    let primary = stop.until.as_ref().map_or(Measure::Points, |(measure, _)| measure.clone());
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
        distinct: found.different.count(found.pairs),
        primary: primary.to_string(),
        dropped: found.dropped.dropped,
        looks,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), *width)),
        enough: found.enough,
        stopped: found.stopped,
        alike: found.alike,
        same_end: found.same_end,
        parting: parting(sides, found),
        differences: found.differences.clone(),
        rows: rows(found, (sides.plain.players, looks), &primary, &dealt),
        dealt,
    }
}

/// A measure, its pairs, and what these rest on.
type Measured<'a> = (&'a Measure, &'a Pairs, Basis);

/// What is said of each measure. The first one is tested alone, the others together, and each once.
fn rows(found: &Compared, (players, looks): (usize, Looks), primary: &Measure, dealt: &[usize]) -> Vec<Row> {
    let enough = found.measures.iter().filter(|(measure, pairs)| measure.pairs(u64::MAX, pairs.taken) >= FEWEST_OF_SOME);
    let measures: Vec<Measured<'_>> = enough.map(|(measure, pairs)| (measure, pairs, found.basis(measure, players, looks))).collect();
    let same = same_as(&measures, players, primary, dealt);
    let mut rows: Vec<Row> = Vec::new();
    for ((measure, pairs, basis), same) in measures.iter().zip(&same) {
        rows.push(Row {
            measure: measure.to_string(),
            called: None,
            of: (*measure).clone(),
            pairs: basis.pairs,
            family: measure.family(),
            unit: measure.unit(),
            difference: pairs.difference(basis),
            q: 1.0,
            shown: false,
            alone: *measure == primary,
            adjusted: None,
            same_as: same.map(|other| measures[other].0.to_string()),
        });
    }
    let together: Vec<usize> = (0..rows.len()).filter(|&row| same[row].is_none() && !rows[row].alone).collect();
    let q = false_discoveries(&together.iter().map(|&row| rows[row].difference.p).collect::<Vec<_>>());
    together.iter().zip(q).for_each(|(&row, q)| rows[row].q = q);
    rows.iter_mut().filter(|row| row.alone).for_each(|row| row.q = row.difference.p);
    for row in &mut rows {
        row.shown = row.q <= ALPHA && row.pairs >= FEWEST_SHOWN;
        row.adjusted = (row.shown && row.alone).then_some(row.difference.interval);
    }
    let chosen = together.iter().filter(|&&row| rows[row].shown).count();
    let alpha = for_chosen(chosen, together.len());
    for row in together {
        let (_, pairs, basis) = &measures[row];
        rows[row].adjusted = rows[row].shown.then(|| pairs.interval(basis, alpha));
    }
    for (row, other) in same.into_iter().enumerate().filter_map(|(row, other)| Some((row, other?))) {
        (rows[row].q, rows[row].shown) = (rows[other].q, rows[other].shown);
    }
    rows
}

/// For each measure another one that says the same, if there is one: what is told under its own name rather than others comes first.
fn same_as(measures: &[Measured<'_>], players: usize, primary: &Measure, dealt: &[usize]) -> Vec<Option<usize>> {
    let count = |is: fn(&Measure) -> bool| measures.iter().filter(|(measure, ..)| is(measure)).count();
    let only_row = count(|measure| matches!(measure, Measure::Row(_))) == 1;
    let two_kinds = count(|measure| matches!(measure, Measure::WonByKind(_))) == 2;
    let says_the_same = |(one, pairs, basis): &Measured<'_>, (other, of_other, _): &Measured<'_>| match (one, other) {
        // Of two, one wins what the other does not.
        (Measure::WonBy(_), Measure::WonBy(_)) => players == 2,
        (Measure::WonByKind(_), Measure::WonByKind(_)) => two_kinds,
        _ => {
            let of_action = [one, other].iter().any(|measure| matches!(measure, Measure::ActionWith(..)));
            let settled = of_action || only_row && matches!(one, Measure::Row(_));
            (one.may_be(other) || other.may_be(one)) && pairs.same_as(of_other) && (settled || basis.pairs >= FEWEST_ALIKE)
        }
    };
    let mut order: Vec<usize> = (0..measures.len()).collect();
    let of_dealt = |measure: &Measure| matches!(measure, Measure::WonBy(seat) if dealt.contains(seat));
    order.sort_by_key(|&at| (measures[at].0 != primary, !of_dealt(measures[at].0)));
    let mut found: Vec<Option<usize>> = vec![None; measures.len()];
    for (place, &at) in order.iter().enumerate() {
        let said = order[..place].iter().copied().find(|&other| found[other].is_none() && says_the_same(&measures[at], &measures[other]));
        found[at] = said;
    }
    found
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
                text.push_str("players answered exactly alike: only the reckoning differs, or what could have been answered\n");
            }
        }
        let told = || self.rows.iter().filter(|row| row.same_as.is_none());
        let shown: Vec<&Row> = told().filter(|row| all || row.shown).collect();
        text.push('\n');
        text.push_str(&heading(if all { "All measures" } else { "What differs" }, color));
        if shown.is_empty() {
            text.push_str(&format!("  of {} measures none is shown to differ\n", told().count()));
        } else {
            text.push_str(&table(&shown, all));
        }
        text.push_str(&self.said_once(&shown));
        for row in self.dealt.iter().filter_map(|seat| self.row(&Measure::WonBy(*seat))).filter(|row| !all && !row.shown) {
            let Difference { plain, changed, difference, interval, .. } = row.difference;
            let interval = interval_text(interval, 3).map_or(String::new(), |interval| format!(" ({interval})"));
            text.push_str(&format!(
                "  {}: {plain:.3} without, {changed:.3} with, {difference:+.3}{interval}: not shown to differ\n",
                row.measure
            ));
        }
        text.push_str(&self.how_sure(all));
        text
    }

    /// Which other names measures of a table have.
    fn said_once(&self, shown: &[&Row]) -> String {
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.same_as.is_some()) {
            let Some(told) = shown.iter().find(|told| Some(&told.measure) == row.same_as.as_ref()) else { continue };
            let rest = matches!(row.of, Measure::WonBy(_) | Measure::WonByKind(_));
            let is = if rest { "what is left of" } else { "in every game the same as" };
            text.push_str(&format!("  {}: {is} {}\n", row.name(), told.name()));
        }
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
        text.push_str(&repeated(pairs, self.distinct, "pair"));
        if (1..FEW).contains(&pairs) {
            let are = if pairs == 1 { "pair is" } else { "pairs are" };
            let so = if pairs < FEWEST_SHOWN {
                format!("fewer than {FEWEST_SHOWN} can show nothing")
            } else {
                "the intervals are wide, and only large differences can be shown".to_string()
            };
            text.push_str(&format!("{pairs} {are} few: {so}\n"));
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

    /// The measure that is tested alone, in a sentence, or that there is nothing to say of it.
    pub(in super::super) fn headline(&self) -> String {
        if self.pairs == 0 {
            return "no pair was played to its end\n".to_string();
        }
        if self.made_no_difference() {
            let pairs = if self.pairs == 1 { "the one pair".to_string() } else { format!("all {} pairs", self.pairs) };
            return format!("the change never made a difference: {pairs} went alike, answer by answer\n");
        }
        let Some(row) = self.rows.iter().find(|row| row.alone) else { return String::new() };
        let difference = row.difference;
        let (name, digits) = if row.of == Measure::Points { ("mean points of a player", 2) } else { (row.name(), row.digits()) };
        let [low, high] = difference.interval;
        let saved = match difference.saved {
            Some(saved) if saved >= 0.005 => format!("; pairing saved {:.0}% of the games", saved * 100.0),
            Some(saved) if saved <= -0.005 => format!("; unpaired games would have varied less, by {:.0}%", -saved * 100.0),
            _ => String::new(),
        };
        let (mean, pairs) = (difference.difference, self.pairs);
        if pairs == 1 {
            return format!("{name} {mean:+.digits$} in a single pair, which has no interval\n");
        }
        if !low.is_finite() {
            return format!("{name} {mean:+.digits$} in {pairs} times the same pair, which has no interval\n");
        }
        let shown = if row.shown { "shown to differ" } else { "not shown to differ" };
        let found = format!("{name} {mean:+.digits$} (95% {low:+.digits$} to {high:+.digits$}), {shown}; {pairs} paired games");
        match saved.strip_prefix("; ") {
            Some(saved) if found.chars().count() + saved.chars().count() + 2 > WIDTH => format!("{found};\n  {saved}\n"),
            Some(_) | None => format!("{found}{saved}\n"),
        }
    }

    /// How intervals and tests are meant; of a list of all measures or of those that are shown to differ.
    pub(in super::super) fn how_sure(&self, all: bool) -> String {
        let looks = match self.looks {
            Looks::Once => "95% intervals are those of paired differences (Student; of shares of games Newcombe)",
            Looks::Always => "95% intervals are confidence sequences: they hold whenever one looks",
        };
        let together = self.rows.iter().filter(|row| row.same_as.is_none() && !row.alone).count();
        let alone = if self.rows.iter().any(|row| row.alone) { format!("{} is tested alone, ", self.primary) } else { String::new() };
        let chosen = if all {
            "each interval stands for itself; of those that are chosen since they leave out 0 more than 5% miss"
        } else {
            "intervals of what is shown are wider, since it was chosen (Benjamini-Yekutieli); --all has others"
        };
        format!(
            "\n{looks}\n{alone}{together} measures together (Benjamini-Hochberg), and shown where q is 0.05 at most\nof what is shown 5% is \
             false on an average of many comparisons; in one it may be more\n{chosen}\ntwo differences may differ from each other \
             though their intervals overlap\n"
        )
    }
}

impl Row {
    /// What it is called.
    fn name(&self) -> &str {
        self.called.as_ref().unwrap_or(&self.measure)
    }

    /// With so many digits behind the point.
    fn digits(&self) -> usize {
        if self.difference.plain.abs().max(self.difference.changed.abs()) < 1.0 { 3 } else { 2 }
    }
}

/// An interval, if there is one: a single pair has none.
fn interval_text([low, high]: [f64; 2], digits: usize) -> Option<String> {
    (low.is_finite() && high.is_finite()).then(|| format!("{low:+.digits$} to {high:+.digits$}"))
}

/// A name in lines that leave room for figures.
fn folded(name: &str) -> String {
    const ROOM: usize = 30;
    let (mut folded, mut line) = (String::new(), 0);
    for word in name.split(' ') {
        let length = word.chars().count();
        if line > 0 && line + 1 + length > ROOM {
            folded.push_str("\n  ");
            line = 2;
        } else if line > 0 {
            folded.push(' ');
            line += 1;
        }
        folded.push_str(word);
        line += length;
    }
    folded
}

/// The rows; of those that are shown to differ the intervals that are widened for that, or of all those for themselves.
fn table(rows: &[&Row], all: bool) -> String {
    let mut table = Table::new(2);
    table.row(["", "", "without", "with", "difference", "95% interval", "q"]);
    for row in rows {
        let (digits, difference) = (row.digits(), row.difference);
        let interval = row.adjusted.filter(|_| !all).unwrap_or(difference.interval);
        let q = if row.q < 0.001 { "<.001".to_string() } else { format!("{:.3}", row.q) };
        table.row([
            folded(row.name()),
            row.unit.to_string(),
            format!("{:.digits$}", difference.plain),
            format!("{:.digits$}", difference.changed),
            format!("{:+.digits$}", difference.difference),
            interval_text(interval, digits).unwrap_or("-".to_string()),
            if row.alone { "alone".to_string() } else { q },
        ]);
    }
    table.text(2)
}
