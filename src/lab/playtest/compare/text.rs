//! The report of a comparison as text for a terminal.

use super::super::precision::about;
use super::super::table::{TextTable, WIDTH, heading, paragraph, wrapped};
use super::super::text::{distinct_note, plural};
use super::cross_play::CrossPlay;
use super::inference::{Difference, InterimLooks, MIN_PAIRS};
use super::measures::Measure;
use super::pairs::MIN_PAIRS_TO_STOP;
use super::report::{Comparison, DurationOfSides, FirstDivergence, MeasureRow};
use super::skill::Skill;

/// Number of pairs below which the report warns that they are few.
const FEW_PAIRS: u64 = 100;

/// Number of changes in the text; the page and the data have all.
const MAX_CHANGES: usize = 8;
/// Number of lines of a change in the text.
const MAX_CHANGED_LINES: usize = 14;

impl DurationOfSides {
    /// Says in a sentence how long a game is.
    pub fn sentence(&self) -> String {
        let DurationOfSides { seconds_per_decision: seconds, minutes_without: without, minutes_with: with } = self;
        let digits = if without.max(*with) < 10.0 { 1 } else { 0 };
        format!(
            "a game takes about {without:.digits$} minutes without the change and {with:.digits$} with it, at {seconds} seconds a decision"
        )
    }
}

impl MeasureRow {
    /// Says how many pairs it takes to know the measure.
    pub(crate) fn needs(&self) -> Option<String> {
        let needed = self.needed?;
        let share = self.unit.starts_with("of ");
        let name = if self.of == Measure::Points { "points of a player" } else { self.display_name() };
        let size = match (&self.of, share) {
            (_, true) => "one percentage point",
            (Measure::Points | Measure::PointsOfWinner | Measure::PointsOfLast | Measure::Spread | Measure::Row(_), false) => "one point",
            (_, false) => "one",
        };
        Some(format!(
            "{name} are known to {size} either way after about {} pairs; a difference of {size} is shown by about {}, in four of five runs",
            about(needed.interval),
            about(needed.effect)
        ))
    }
}

impl Comparison {
    /// Formats the report as text for a terminal: all measures, or only those that differ.
    pub fn text(&self, all: bool, color: bool) -> String {
        let mut text = self.first_paragraph();
        if self.pairs == 0 {
            return text;
        }
        text.push_str(&self.headline());
        text.push_str(&self.cross_play.as_ref().map_or(String::new(), cross_play_text));
        text.push_str(&self.conclusion.text(color));
        if !self.conclusion.sentences().is_empty() {
            text.push('\n');
        }
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
        text.push_str(&self.duration.map_or(String::new(), |duration| duration.sentence() + "\n"));
        let primary = self.rows.iter().find(|row| row.is_primary);
        text.push_str(&primary.and_then(MeasureRow::needs).map_or(String::new(), |needs| paragraph(0, "", &needs)));
        text.push_str(&self.rule_changes_text(color));
        text.push_str(&self.certainty_note(all));
        text
    }

    /// Lists what is changed: the first changes, and of long texts the first lines.
    fn rule_changes_text(&self, color: bool) -> String {
        if self.rule_changes.is_empty() {
            return String::new();
        }
        let mut text = format!("\n{}", heading("What is changed", color));
        for change in self.rule_changes.iter().take(MAX_CHANGES) {
            let lines = change.text();
            let left = lines.lines().count().saturating_sub(MAX_CHANGED_LINES);
            lines.lines().take(MAX_CHANGED_LINES).for_each(|line| text.push_str(&format!("{line}\n")));
            if left > 0 {
                text.push_str(&format!("    … {left} more lines: --report and --json have them\n"));
            }
        }
        let left = self.rule_changes.len().saturating_sub(MAX_CHANGES);
        if left > 0 {
            text.push_str(&format!("  … {left} more changes: --report and --json have them\n"));
        }
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

    pub(crate) fn first_paragraph(&self) -> String {
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
        let skills = |who: &str, of_sides: &Option<[Option<Skill>; 2]>| of_sides.as_ref().map_or(String::new(), |of| skill_text(who, of));
        if let Some(learnt) = &self.in_place_of {
            text.push_str(&skills("who has learnt against greedy", &learnt.against_greedy));
            text.push_str(&skills("who has learnt against a search as long", &learnt.against_search));
            text.push_str("learning does not pay here: players who search play in place of those who have learnt\n");
        }
        text.push_str(&skills("against greedy", &self.skill));
        text.push_str(&skills("against a search as long", &self.skill_beside_search));
        if self.is_below_even() {
            text.push_str(match self.in_place_of {
                Some(_) => "who searches is worse than greedy, so that nothing is shown by what it does\n",
                None => "who has learnt is worse than greedy, so that nothing is shown by what it does;\n  let it learn for longer (--generations), or compare by --agents search:100\n",
            });
        }
        if self.dropped > 0 {
            text.push_str(&format!("dropped because of a fault: {} pair{}\n", self.dropped, plural(self.dropped)));
        }
        text
    }

    /// Formats the result of the primary measure as a sentence, or says that there is nothing to report.
    pub(crate) fn headline(&self) -> String {
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

    /// Returns the first sentence with who played.
    pub(super) fn headline_by_agent(&self) -> String {
        format!("{}: {}", self.agents.first().map_or("", String::as_str), self.headline())
    }

    /// Returns a note about intervals and tests, for a list of all measures or of significant ones.
    pub(crate) fn certainty_note(&self, all: bool) -> String {
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

/// Says how good the players of each side are.
fn skill_text(who: &str, of_sides: &[Option<Skill>; 2]) -> String {
    let sides = ["without the change", "with the change"].into_iter().zip(of_sides);
    let line = |(side, skill): (&str, &Option<Skill>)| {
        let how = skill.map_or("not known".to_string(), |skill| skill.text());
        format!("{who} {side}: {how}\n")
    };
    sides.map(line).collect()
}

/// Says what a change does if both sides are played by the players of one side.
fn cross_play_text(found: &CrossPlay) -> String {
    let mut text = String::new();
    for (what, by) in [("without", found.learnt_without), ("with", found.learnt_with)] {
        let interval = interval_text(by.interval, 2).map_or(String::new(), |interval| format!(" (95% {interval})"));
        text.push_str(&format!("if who has learnt {what} the change plays both: {} {:+.2}{interval}\n", found.measure, by.difference));
    }
    text
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

#[cfg(test)]
mod tests {
    use super::super::inference::{Basis, Pairs};
    use super::*;

    #[test]
    fn what_each_sides_players_make_of_a_change_is_told() {
        let of = |changed: [f64; 3]| {
            let mut pairs = Pairs::default();
            changed.iter().for_each(|changed| pairs.add(1.0, *changed));
            pairs.difference(&Basis::single_look(3, 1.0))
        };
        let found = CrossPlay { measure: "points".to_string(), learnt_without: of([2.0, 3.0, 4.0]), learnt_with: of([1.0, 1.0, 1.0]) };
        let text = cross_play_text(&found);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("if who has learnt without the change plays both: points +2.00 (95% "), "{text}");
        assert!(lines[1].starts_with("if who has learnt with the change plays both: points +0.00"), "{text}");
    }
}
