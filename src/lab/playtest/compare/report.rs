//! The report of a comparison, as data and as text.

use serde::Serialize;

use super::super::histogram::Histogram;
use super::super::page::PageNames;
use super::super::part::RunPart;
use super::super::report::{PackUsed, packs_of};
use super::super::table::{TextTable, WIDTH, heading, wrapped};
use super::super::text::{distinct_note, plural};
use super::inference::{ALPHA, Difference, InterimLooks, MIN_PAIRS, false_discoveries, selection_alpha};
use super::measures::Measure;
use super::pairs::{ComparisonResults, MIN_PAIRS_TO_STOP, Sides, StoppingRule};
use super::skill::Skill;
use super::trainings::{BetweenTrainings, Evidence};
use crate::state::chance::seed_of_game;

/// Number of pairs below which the report warns that they are few.
const FEW_PAIRS: u64 = 100;
/// Minimum number of pairs for measures that are defined in some games only.
const MIN_PAIRS_WHERE_PARTIAL: u64 = 20;
/// Minimum number of pairs for detecting aliases, since two measures may coincide by chance in a few pairs.
const MIN_PAIRS_FOR_ALIAS: u64 = 20;

/// The result of a comparison for one measure.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureRow {
    /// Name of the measure.
    pub measure: String,
    /// Translated name of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    #[serde(skip)]
    of: Measure,
    /// Number of pairs over which the mean is taken.
    pub pairs: u64,
    /// Heading under which related measures are grouped.
    pub family: &'static str,
    /// Unit over which the mean is taken: a player, a game, games.
    pub unit: &'static str,
    /// The difference between both sides.
    #[serde(flatten)]
    pub difference: Difference,
    /// Adjusted p-value: the smallest false discovery rate at which the measure is significant among all except the primary one
    /// (Benjamini, Hochberg). For the primary measure its `p`.
    pub q: f64,
    /// Whether the difference is significant: `q` is at most 0.05.
    #[serde(rename = "shown")]
    pub significant: bool,
    /// Whether it is the primary measure, which is tested alone.
    #[serde(rename = "alone")]
    pub is_primary: bool,
    /// For a significant difference, the interval adjusted for selection (Benjamini, Yekutieli): of intervals selected in this way, 5 %
    /// miss on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<[f64; 2]>,
    /// Name of a measure of which this one is an alias, so that this one is omitted from tables: both had the same values in every game,
    /// or this one is the complement of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// The first divergence of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct FirstDivergence {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// Seed of both games.
    pub seed: u64,
    /// Number of the answer, from 1.
    pub answer: usize,
    /// Seat and answer without the change.
    #[serde(rename = "without")]
    pub answer_without: String,
    /// Seat and answer with the change.
    #[serde(rename = "with")]
    pub answer_with: String,
}

/// The result of a comparison, without timing.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Id of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// Version of this program.
    pub version: &'static str,
    /// Hashes of all sources of both sides' rules.
    pub rules: [String; 2],
    /// Packs of both sides.
    pub packs: [Vec<PackUsed>; 2],
    /// Number of players.
    pub players: usize,
    /// Agents by seat; they are rotated by one seat from pair to pair.
    pub agents: Vec<String>,
    /// Seed of the run.
    pub seed: u64,
    /// Settings of both sides, as typed.
    #[serde(rename = "both")]
    pub settings_of_both: Vec<String>,
    /// Additional settings of the changed side, as typed.
    pub changes: Vec<String>,
    /// The part of the comparison that this report covers, unless it is the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<RunPart>,
    /// Maximum number of pairs requested for this part.
    #[serde(rename = "asked")]
    pub requested: u64,
    /// Number of complete pairs.
    pub pairs: u64,
    /// How many times players were trained for each side, if they were; intervals are over trainings then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trainings: Option<usize>,
    /// How good the players of both sides are who were trained, where that is known. If those of one side are below even, nothing is
    /// significant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<[Option<Skill>; 2]>,
    /// Number of distinct pairs of games. The others repeat one of these move by move, so that intervals count each distinct pair once.
    pub distinct: u64,
    /// Name of the primary measure, which is tested alone; all others are tested together.
    pub primary: String,
    /// Number of pairs dropped because of a fault.
    pub dropped: u64,
    /// When the data was examined.
    pub looks: InterimLooks,
    /// The measure of the stopping rule, and the maximum half width of its interval.
    pub until: Option<(String, f64)>,
    /// Whether the stopping rule was met.
    pub enough: bool,
    /// Whether the run was stopped by the user.
    pub stopped: bool,
    /// Number of pairs with identical answers.
    pub alike: u64,
    /// Number of pairs with identical values of all measures.
    pub same_end: u64,
    /// The first pair that diverges, with the place.
    #[serde(rename = "parting")]
    pub first_divergence: Option<FirstDivergence>,
    /// Histogram of the differences in the total points of all players, `changed` minus `plain`.
    pub differences: Histogram,
    /// The results of all measures.
    pub rows: Vec<MeasureRow>,
    /// Seats, from 1, that begin with a card on the changed side: their wins are reported even if not significant.
    #[serde(skip)]
    pub dealt: Vec<usize>,
}

/// Creates the report of a comparison.
pub fn comparison(
    sides: &Sides<'_>,
    stop: &StoppingRule,
    found: &ComparisonResults,
    both: Vec<String>,
    changes: Vec<String>,
) -> Comparison {
    let looks = stop.looks();
    let dealt: Vec<usize> =
        sides.changed.dealt_cards.iter().filter(|dealt| !sides.plain.dealt_cards.contains(dealt)).map(|(_, seat)| seat + 1).collect();
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
        settings_of_both: both,
        changes,
        part: None,
        requested: stop.pairs,
        pairs: found.pairs,
        trainings: (!found.trainings.is_empty()).then_some(found.trainings.len()),
        skill: None,
        distinct: found.different.count(found.pairs),
        primary: primary.to_string(),
        dropped: found.dropped.dropped,
        looks,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), *width)),
        enough: found.enough,
        stopped: found.stopped,
        alike: found.alike,
        same_end: found.same_end,
        first_divergence: first_divergence(sides, found),
        differences: found.differences.clone(),
        rows: measure_rows(found, (sides.plain.players, looks), &primary, &dealt),
        dealt,
    }
}

/// A measure with what is known of its difference.
type MeasureWithEvidence<'a> = (&'a Measure, Evidence<'a>);

/// Computes the results of all measures. The primary measure is tested alone, the others together and each only once.
fn measure_rows(found: &ComparisonResults, (players, looks): (usize, InterimLooks), primary: &Measure, dealt: &[usize]) -> Vec<MeasureRow> {
    let enough = found.measures.iter().filter(|(measure, pairs)| measure.pairs(u64::MAX, pairs.taken) >= MIN_PAIRS_WHERE_PARTIAL);
    let evidence = |(measure, pairs)| {
        let trainings = BetweenTrainings::new(&found.trainings, measure);
        (measure, Evidence { pairs, basis: found.basis(measure, players, looks), trainings })
    };
    let measures: Vec<MeasureWithEvidence<'_>> = enough.map(evidence).collect();
    let same = find_aliases(&measures, players, primary, dealt);
    let mut rows: Vec<MeasureRow> = Vec::new();
    for ((measure, evidence), same) in measures.iter().zip(&same) {
        rows.push(MeasureRow {
            measure: measure.to_string(),
            called: None,
            of: (*measure).clone(),
            pairs: evidence.basis.pairs,
            family: measure.family(),
            unit: measure.unit(),
            difference: evidence.difference(),
            q: 1.0,
            significant: false,
            is_primary: *measure == primary,
            adjusted: None,
            same_as: same.map(|other| measures[other].0.to_string()),
        });
    }
    let together: Vec<usize> = (0..rows.len()).filter(|&row| same[row].is_none() && !rows[row].is_primary).collect();
    let q = false_discoveries(&together.iter().map(|&row| rows[row].difference.p).collect::<Vec<_>>());
    together.iter().zip(q).for_each(|(&row, q)| rows[row].q = q);
    rows.iter_mut().filter(|row| row.is_primary).for_each(|row| row.q = row.difference.p);
    for row in &mut rows {
        row.significant = row.q <= ALPHA && row.pairs >= MIN_PAIRS;
        row.adjusted = (row.significant && row.is_primary).then_some(row.difference.interval);
    }
    let chosen = together.iter().filter(|&&row| rows[row].significant).count();
    let alpha = selection_alpha(chosen, together.len());
    for row in together {
        let (_, evidence) = &measures[row];
        rows[row].adjusted = rows[row].significant.then(|| evidence.interval(alpha));
    }
    for (row, other) in same.into_iter().enumerate().filter_map(|(row, other)| Some((row, other?))) {
        (rows[row].q, rows[row].significant) = (rows[other].q, rows[other].significant);
    }
    rows
}

/// Finds for each measure another one of which it is an alias, if any. Measures with a more important name take precedence.
fn find_aliases(measures: &[MeasureWithEvidence<'_>], players: usize, primary: &Measure, dealt: &[usize]) -> Vec<Option<usize>> {
    let count = |is: fn(&Measure) -> bool| measures.iter().filter(|(measure, ..)| is(measure)).count();
    let only_row = count(|measure| matches!(measure, Measure::Row(_))) == 1;
    let two_kinds = count(|measure| matches!(measure, Measure::WonByKind(_))) == 2;
    let two_teams = count(|measure| matches!(measure, Measure::WonByTeam(_))) == 2;
    let says_the_same = |(one, of_one): &MeasureWithEvidence<'_>, (other, of_other): &MeasureWithEvidence<'_>| match (one, other) {
        // With two players, one wins what the other does not.
        (Measure::WonBy(_), Measure::WonBy(_)) => players == 2,
        (Measure::WonByKind(_), Measure::WonByKind(_)) => two_kinds,
        (Measure::WonByTeam(_), Measure::WonByTeam(_)) => two_teams,
        _ => {
            let of_action = [one, other].iter().any(|measure| matches!(measure, Measure::ActionWith(..)));
            let settled = of_action || only_row && matches!(one, Measure::Row(_));
            (one.may_be_alias_of(other) || other.may_be_alias_of(one))
                && of_one.pairs.same_as(of_other.pairs)
                && (settled || of_one.basis.pairs >= MIN_PAIRS_FOR_ALIAS)
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

fn first_divergence(sides: &Sides<'_>, found: &ComparisonResults) -> Option<FirstDivergence> {
    let parting = found.first_divergence.as_ref()?;
    let seed = seed_of_game(sides.seed, parting.pair);
    let answer = |answer: &Option<(i32, u8, String)>| match answer {
        None => "the game is over".to_string(),
        Some((round, seat, key)) => format!("p{} answers `{key}` in round {round}", seat + 1),
    };
    let (without, with) = (answer(&parting.plain), answer(&parting.changed));
    Some(FirstDivergence { pair: parting.pair, seed, answer: parting.answer, answer_without: without, answer_with: with })
}

impl Comparison {
    /// Marks the report as that of a part of a comparison.
    pub fn of_part(mut self, part: RunPart) -> Comparison {
        let pairs = part.games(self.requested);
        self.requested = pairs.end - pairs.start;
        self.part = (part != RunPart::WHOLE).then_some(part);
        self
    }

    /// Adds how good the trained players are. Of players who are below even nothing is shown.
    pub fn by_players_of_skill(mut self, skill: [Option<Skill>; 2]) -> Comparison {
        self.skill = Some(skill);
        if self.is_below_even() {
            for row in &mut self.rows {
                (row.significant, row.adjusted) = (false, None);
            }
        }
        self
    }

    /// Whether the players of one side were trained and are no better than greedy ones.
    fn is_below_even(&self) -> bool {
        self.skill.iter().flatten().flatten().any(Skill::is_below_even)
    }

    /// Adds translated names to the report.
    pub fn in_language(mut self, called: PageNames<'_>) -> Comparison {
        self.title = called.names.title(&self.title).to_string();
        self.rows.iter_mut().for_each(|row| row.called = Some(row.of.display_name(called)));
        self
    }

    /// Returns the result for a measure; `None` if it was not measured.
    pub fn row(&self, measure: &Measure) -> Option<&MeasureRow> {
        let name = measure.to_string();
        self.rows.iter().find(|row| row.measure == name)
    }

    /// Formats the report as text for a terminal: all measures, or only those that differ.
    pub fn text(&self, all: bool, color: bool) -> String {
        let mut text = self.first_paragraph();
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
        if let Some(parting) = &self.first_divergence {
            let FirstDivergence { pair, seed, answer, answer_without: without, answer_with: with } = parting;
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
        let shown: Vec<&MeasureRow> = told().filter(|row| all || row.significant).collect();
        text.push('\n');
        text.push_str(&heading(if all { "All measures" } else { "What differs" }, color));
        if shown.is_empty() {
            text.push_str(&format!("  of {} measures none is shown to differ\n", told().count()));
        } else {
            text.push_str(&measure_table(&shown, all));
        }
        text.push_str(&self.alias_note(&shown));
        for row in self.dealt.iter().filter_map(|seat| self.row(&Measure::WonBy(*seat))).filter(|row| !all && !row.significant) {
            let Difference { plain, changed, difference, interval, .. } = row.difference;
            let interval = interval_text(interval, 3).map_or(String::new(), |interval| format!(" ({interval})"));
            text.push_str(&format!(
                "  {}: {plain:.3} without, {changed:.3} with, {difference:+.3}{interval}: not shown to differ\n",
                row.measure
            ));
        }
        text.push_str(&self.certainty_note(all));
        text
    }

    /// Writes a note about aliases of the measures in a table.
    fn alias_note(&self, shown: &[&MeasureRow]) -> String {
        let mut text = String::new();
        for row in self.rows.iter().filter(|row| row.same_as.is_some()) {
            let Some(told) = shown.iter().find(|told| Some(&told.measure) == row.same_as.as_ref()) else { continue };
            let rest = matches!(row.of, Measure::WonBy(_) | Measure::WonByKind(_) | Measure::WonByTeam(_));
            let is = if rest { "what is left of" } else { "in every game the same as" };
            text.push_str(&format!("  {}: {is} {}\n", row.display_name(), told.display_name()));
        }
        text
    }

    fn made_no_difference(&self) -> bool {
        self.pairs > 0 && self.alike == self.pairs && self.same_end == self.pairs
    }

    pub(in super::super) fn first_paragraph(&self) -> String {
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
        for (name, what) in [("both: ", &self.settings_of_both), ("changed: ", &self.changes)] {
            if !what.is_empty() {
                text.push_str(&wrapped(0, name, what.iter().cloned()));
            }
        }
        text.push_str(&distinct_note(pairs, self.distinct, "pair"));
        if (1..FEW_PAIRS).contains(&pairs) {
            let are = if pairs == 1 { "pair is" } else { "pairs are" };
            let so = if pairs < MIN_PAIRS {
                format!("fewer than {MIN_PAIRS} can show nothing")
            } else {
                "the intervals are wide, and only large differences can be shown".to_string()
            };
            text.push_str(&format!("{pairs} {are} few: {so}\n"));
        }
        match &self.until {
            Some((measure, width)) if self.enough => {
                text.push_str(&format!("enough: the interval of `{measure}` reaches no further than {width} to either side\n"));
            }
            // A part of a stopped run may be too short for the stopping rule.
            Some((measure, _)) if pairs < MIN_PAIRS_TO_STOP => {
                text.push_str(&format!(
                    "not enough: nobody looks at the interval of `{measure}` before there are {MIN_PAIRS_TO_STOP} pairs\n"
                ));
            }
            Some((measure, width)) => {
                text.push_str(&format!("not enough: the interval of `{measure}` reaches further than {width} to either side\n"));
            }
            None => {}
        }
        if self.stopped {
            let were = if self.requested == 1 { "pair was" } else { "pairs were" };
            text.push_str(&format!("stopped: {} {were} asked for\n", self.requested));
        }
        text.push_str(&match self.trainings {
            Some(1) => "these games are by players of one training of each side: what comes from learning is not known,\n  and nothing is \
                        shown; several trainings tell (--trainings)\n"
                .to_string(),
            Some(times) => format!("these games are by players of {times} trainings of each side\n"),
            None => String::new(),
        });
        for (side, skill) in ["without the change", "with the change"].into_iter().zip(self.skill.iter().flatten()) {
            let how = skill.map_or("not known".to_string(), |skill| skill.text());
            text.push_str(&format!("against greedy {side}: {how}\n"));
        }
        if self.is_below_even() {
            text.push_str("who has learnt is no better than greedy, so that nothing is shown by what it does;\n  let it learn for longer (--generations), or compare by --agents search:100\n");
        }
        if self.dropped > 0 {
            text.push_str(&format!("dropped because of a fault: {} pair{}\n", self.dropped, plural(self.dropped)));
        }
        text
    }

    /// Formats the result of the primary measure as a sentence, or says that there is nothing to report.
    pub(in super::super) fn headline(&self) -> String {
        if self.pairs == 0 {
            return "no pair was played to its end\n".to_string();
        }
        if self.made_no_difference() {
            let pairs = if self.pairs == 1 { "the one pair".to_string() } else { format!("all {} pairs", self.pairs) };
            return format!("the change never made a difference: {pairs} went alike, answer by answer\n");
        }
        let Some(row) = self.rows.iter().find(|row| row.is_primary) else { return String::new() };
        let difference = row.difference;
        let (name, digits) = if row.of == Measure::Points { ("mean points of a player", 2) } else { (row.display_name(), row.digits()) };
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
        if self.trainings == Some(1) {
            return format!("{name} {mean:+.digits$} by players of one training, which has no interval\n");
        }
        if !low.is_finite() {
            return format!("{name} {mean:+.digits$} in {pairs} times the same pair, which has no interval\n");
        }
        let shown = if row.significant { "shown to differ" } else { "not shown to differ" };
        let found = format!("{name} {mean:+.digits$} (95% {low:+.digits$} to {high:+.digits$}), {shown}; {pairs} paired games");
        match saved.strip_prefix("; ") {
            Some(saved) if found.chars().count() + saved.chars().count() + 2 > WIDTH => format!("{found};\n  {saved}\n"),
            Some(_) | None => format!("{found}{saved}\n"),
        }
    }

    /// Returns a note about intervals and tests, for a list of all measures or of significant ones.
    pub(in super::super) fn certainty_note(&self, all: bool) -> String {
        let looks = match self.looks {
            InterimLooks::Once if self.trainings.is_some() => {
                "95% intervals are over trainings of the players (Student), and no narrower than those of the games"
            }
            InterimLooks::Once => "95% intervals are those of paired differences (Student; of shares of games Newcombe)",
            InterimLooks::Always => "95% intervals are confidence sequences: they hold whenever one looks",
        };
        let together = self.rows.iter().filter(|row| row.same_as.is_none() && !row.is_primary).count();
        let alone = if self.rows.iter().any(|row| row.is_primary) { format!("{} is tested alone, ", self.primary) } else { String::new() };
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

impl MeasureRow {
    /// Returns the display name of the measure.
    fn display_name(&self) -> &str {
        self.called.as_ref().unwrap_or(&self.measure)
    }

    /// Returns the number of decimals with which the measure is shown.
    fn digits(&self) -> usize {
        if self.difference.plain.abs().max(self.difference.changed.abs()) < 1.0 { 3 } else { 2 }
    }
}

/// Returns an interval as text; `None` if it is unbounded, as for a single pair.
fn interval_text([low, high]: [f64; 2], digits: usize) -> Option<String> {
    (low.is_finite() && high.is_finite()).then(|| format!("{low:+.digits$} to {high:+.digits$}"))
}

/// Breaks a name into lines that leave room for the numbers beside it.
fn wrap_name(name: &str) -> String {
    const MAX_NAME_WIDTH: usize = 30;
    let (mut folded, mut line) = (String::new(), 0);
    for word in name.split(' ') {
        let length = word.chars().count();
        if line > 0 && line + 1 + length > MAX_NAME_WIDTH {
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

/// Returns a table of rows: with intervals adjusted for selection for significant rows, or plain intervals for all rows.
fn measure_table(rows: &[&MeasureRow], all: bool) -> String {
    let mut table = TextTable::new(2);
    table.row(["", "", "without", "with", "difference", "95% interval", "q"]);
    for row in rows {
        let (digits, difference) = (row.digits(), row.difference);
        let interval = row.adjusted.filter(|_| !all).unwrap_or(difference.interval);
        let q = if row.q < 0.001 { "<.001".to_string() } else { format!("{:.3}", row.q) };
        table.row([
            wrap_name(row.display_name()),
            row.unit.to_string(),
            format!("{:.digits$}", difference.plain),
            format!("{:.digits$}", difference.changed),
            format!("{:+.digits$}", difference.difference),
            interval_text(interval, digits).unwrap_or("-".to_string()),
            if row.is_primary { "alone".to_string() } else { q },
        ]);
    }
    table.text(2)
}
