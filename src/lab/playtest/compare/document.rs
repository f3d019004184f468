//! The report of a comparison as a document.

use super::super::document::{distinct_note, packs_in_words};
use super::super::precision::about;
use super::super::table::{TextTable, WIDTH, wrapped};
use super::cross_play::CrossPlay;
use super::inference::{Difference, InterimLooks, MIN_PAIRS};
use super::measures::Measure;
use super::pairs::MIN_PAIRS_TO_STOP;
use super::report::{Comparison, DurationOfSides, FirstDivergence, MeasureRow};
use super::skill::Skill;
use crate::document::numbers::{counted, percent, plural, q_value, signed_interval};
use crate::document::{Axis, Block, Chart, Document, Drawing, FIRST, Mark, SECOND, Section, Swatch};

/// Number of pairs below which the report warns that they are few.
const FEW_PAIRS: u64 = 100;

/// Number of rows of a chart that are drawn; the figures have all.
const MOST_ROWS: usize = 30;

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
    /// The name of the measure as it is written in a sentence.
    pub(super) fn spoken(&self) -> String {
        self.display_name().replace('_', " ")
    }

    /// The difference as a row of a chart, in units of how much the measure varies from game to game, so that all fit on one axis.
    fn standardised(&self) -> Mark {
        let (digits, Difference { plain, changed, difference, deviation, interval, .. }) = (self.digits(), self.difference);
        Mark {
            label: format!("{}, {}\n{plain:.digits$} → {changed:.digits$} ({difference:+.digits$})", self.spoken(), self.unit),
            value: difference / deviation,
            // What is shown was chosen for that, and has an interval that is wider.
            interval: Some(self.adjusted.unwrap_or(interval).map(|end| end / deviation)),
            even: Some(0.0),
            hollow: !self.significant,
            part: false,
        }
    }

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
        self.document(all).text(color)
    }

    /// Makes the document of the comparison: with a table of all measures, or only of those that differ.
    pub fn document(&self, all: bool) -> Document {
        let title = format!("{}: a comparison", self.title);
        let mut document = Document { title, opening: vec![Block::Lines(self.first_paragraph())], ..Document::default() };
        self.add_facts(&mut document);
        if self.pairs == 0 {
            return document;
        }
        document.opening.push(Block::Headline(self.headline()));
        document.opening.extend(self.cross_play.as_ref().map(|found| Block::Lines(cross_play_text(found))));
        document.conclusion = self.conclusion.clone();
        let lines = Block::Lines(self.divergence_lines());
        if self.conclusion.sentences().is_empty() {
            document.opening.push(lines);
        } else {
            document.parts.push(Section::unheaded([lines]));
        }
        if !self.made_no_difference() {
            document.parts.push(self.measures_that_differ(all));
            document.parts.push(self.drawn_measures());
            document.parts.push(Section::new("What pairing saved", self.saved_by_pairing()));
            let changes = Some(&self.rule_changes).filter(|changes| !changes.is_empty());
            document.parts.push(Section::new("What is changed", changes.map(|changes| Block::Changes(changes.clone()))));
            document.parts.push(Section::unheaded([Block::Lines(self.certainty_note(all))]));
        }
        document.parts.retain(|section| !section.blocks.is_empty());
        document
    }

    fn add_facts(&self, document: &mut Document) {
        let distinct = if self.distinct < self.pairs { format!(", {} of them distinct,", self.distinct) } else { String::new() };
        let stopped = if self.stopped { "; stopped before the end" } else { "" };
        let (pairs, asked, dropped) = (self.pairs, self.requested, self.dropped);
        document.fact(
            "pairs",
            format!("{pairs} complete{distinct} of {asked} asked for at most, {dropped} dropped because of a fault{stopped}"),
        );
        let until = self.until.as_ref().map_or("all are played".to_string(), |(measure, width)| {
            format!(
                "the interval of {measure} reaches {width} at most to either side: {}",
                if self.enough { "it does" } else { "it does not" }
            )
        });
        document.fact("until", until);
        document.fact("seed", self.seed.to_string());
        document.fact("players", format!("{}: {}, one seat further on from pair to pair", self.players, self.agents.join(", ")));
        self.add_facts_of_sides(document);
    }

    /// Adds what each side is.
    pub(super) fn add_facts_of_sides(&self, document: &mut Document) {
        let of_both = |values: [String; 2]| match values {
            [plain, changed] if plain == changed => plain,
            [plain, changed] => format!("{plain} without, {changed} with the change"),
        };
        let both = self.settings_of_both.join("  ");
        document.fact("both sides", if both.is_empty() { "as the game is".to_string() } else { both });
        document.fact("changes", self.changes.join("  "));
        document.fact("packs", of_both([0, 1].map(|side| packs_in_words(&self.packs[side]))));
        document.fact("rules", format!("{}, {}", self.game, of_both(self.rules.clone())));
        document.fact("program", format!("houserule {}", self.version));
    }

    /// Says how often games were cut off, where the first games part, and how many pairs went alike.
    fn divergence_lines(&self) -> String {
        let mut text = String::new();
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
        text
    }

    /// The measures that are no others in disguise.
    fn told_rows(&self) -> impl Iterator<Item = &MeasureRow> {
        self.rows.iter().filter(|row| row.same_as.is_none())
    }

    /// The table of measures, what is the same as one of them, and how long games are.
    fn measures_that_differ(&self, all: bool) -> Section {
        let shown: Vec<&MeasureRow> = self.told_rows().filter(|row| all || row.significant).collect();
        let mut blocks = vec![match shown.is_empty() {
            true => Block::Lines(format!("  of {} measures none is shown to differ\n", self.told_rows().count())),
            false => Block::Figures(measure_table(&shown, all)),
        }];
        let mut lines = self.alias_note(&shown);
        for row in self.dealt.iter().filter_map(|seat| self.row(&Measure::WonBy(*seat))).filter(|row| !all && !row.significant) {
            let Difference { plain, changed, difference, interval, .. } = row.difference;
            let interval = signed_interval(interval, 3).map_or(String::new(), |interval| format!(" ({interval})"));
            lines.push_str(&format!(
                "  {}: {plain:.3} without, {changed:.3} with, {difference:+.3}{interval}: not shown to differ\n",
                row.measure
            ));
        }
        lines.push_str(&self.duration.map_or(String::new(), |duration| duration.sentence() + "\n"));
        blocks.extend((!lines.is_empty()).then_some(Block::Lines(lines)));
        let primary = self.rows.iter().find(|row| row.is_primary);
        blocks.extend(primary.and_then(MeasureRow::needs).map(Block::sentence));
        Section::new(if all { "All measures" } else { "What differs" }, blocks)
    }

    /// Whether a measure has an interval: a single pair, or one that is played again and again, has none.
    fn is_measurable(&self, row: &MeasureRow) -> bool {
        self.pairs > 1 && row.difference.interval.iter().all(|end| end.is_finite())
    }

    /// All measures as charts, by family; for pages.
    fn drawn_measures(&self) -> Section {
        let varies = |row: &&MeasureRow| self.is_measurable(row) && row.difference.deviation > 0.0;
        let ends = self.told_rows().filter(varies).flat_map(|row| row.standardised().interval.unwrap_or_default());
        let domain = ends.fold([0.0_f64, 0.0_f64], |[low, high], end| [low.min(end), high.max(end)]);
        let mut families: Vec<(&str, Vec<&MeasureRow>)> = Vec::new();
        for row in self.told_rows() {
            match families.iter_mut().find(|(family, _)| *family == row.family) {
                Some((_, rows)) => rows.push(row),
                None => families.push((row.family, vec![row])),
            }
        }
        let charts = families.into_iter().map(|(family, rows)| self.family_chart(family, &rows, domain));
        Section::new("How large the differences are", self.differences_of_pairs().into_iter().chain(charts))
    }

    fn family_chart(&self, family: &str, rows: &[&MeasureRow], domain: [f64; 2]) -> Block {
        let mut figures = TextTable::new(2);
        figures.row([
            "",
            "unit",
            "without",
            "with",
            "difference",
            "95% interval",
            "as it was chosen",
            "p",
            "q",
            "pairing saved",
            "says the same as",
        ]);
        rows.iter().for_each(|row| figures.row(self.cells(row)));
        let mut varying: Vec<&MeasureRow> =
            rows.iter().copied().filter(|row| self.is_measurable(row) && row.difference.deviation > 0.0).collect();
        if varying.is_empty() {
            let why = if self.pairs > 1 && self.distinct > 1 { "none of them varies" } else { "a single pair shows nothing" };
            let title = format!("{} of {family}: {why}", counted(rows.len(), "measure"));
            return Block::Chart(Box::new(Chart { title, figures, ..Chart::default() }));
        }
        // Where not all have a place, those that differ have it first.
        let mut drawn: Vec<&MeasureRow> = varying.iter().copied().filter(|row| row.significant).collect();
        drawn.extend(varying.iter().copied().filter(|row| !row.significant));
        drawn.truncate(MOST_ROWS);
        varying.retain(|row| drawn.iter().any(|one| std::ptr::eq(*one, *row)));
        let shown: Vec<String> = rows.iter().filter(|row| row.significant).map(|row| row.spoken()).collect();
        let are = match shown.len() {
            0 => "none is".to_string(),
            1 => "one is".to_string(),
            more => format!("{more} are"),
        };
        let names = if (1..4).contains(&shown.len()) { format!(": {}", shown.join(", ")) } else { String::new() };
        let alone = rows.iter().find(|row| row.is_primary).map_or(String::new(), |row| format!(" Tested alone: {}.", row.spoken()));
        let left = if let left @ 1.. = rows.len() - varying.len() { format!(" {left} more in the figures.") } else { String::new() };
        Block::Chart(Box::new(Chart {
            title: format!("Of {} of {family} {are} shown to differ{names}", counted(rows.len(), "measure")),
            note: format!(
                "Differences with 95% intervals, measured by how much each varies from game to game; those of what is shown are wider, since it \
                 was chosen.{alone}{left}"
            ),
            legend: Swatch::of_differences("shown to differ", "no difference"),
            drawing: Some(Drawing::Dots {
                axis: Axis { domain: Some(domain), ..Axis::new("difference in standard deviations") },
                rows: varying.into_iter().map(MeasureRow::standardised).collect(),
            }),
            figures,
            ..Chart::default()
        }))
    }

    fn cells(&self, row: &MeasureRow) -> [String; 11] {
        let (digits, difference) = (row.digits(), row.difference);
        let interval = |ends: [f64; 2]| signed_interval(ends, digits).unwrap_or_default();
        let also: Vec<String> =
            self.rows.iter().filter(|other| other.same_as.as_ref() == Some(&row.measure)).map(MeasureRow::spoken).collect();
        [
            row.spoken(),
            row.unit.to_string(),
            format!("{:.digits$}", difference.plain),
            format!("{:.digits$}", difference.changed),
            format!("{:+.digits$}", difference.difference),
            if self.is_measurable(row) { interval(difference.interval) } else { String::new() },
            row.adjusted.filter(|_| !row.is_primary).map_or(String::new(), interval),
            q_value(difference.p),
            if row.is_primary { "tested alone".to_string() } else { q_value(row.q) },
            difference.saved.map_or(String::new(), percent),
            also.join(", "),
        ]
    }

    /// How the points of paired games differ.
    fn differences_of_pairs(&self) -> Option<Block> {
        let points = self.row(&Measure::Points)?.difference;
        let bins: Vec<_> = self.differences.bins().collect();
        let all: u64 = bins.iter().map(|bin| bin.count).sum();
        if bins.len() < 2 {
            return None;
        }
        let share = |count: u64| percent(count as f64 / all as f64);
        let more = share(bins.iter().filter(|bin| bin.from > 0).map(|bin| bin.count).sum());
        let fewer = share(bins.iter().filter(|bin| bin.to < 0).map(|bin| bin.count).sum());
        let scale = 1.0 / self.players.max(1) as f64;
        let mut figures = TextTable::new(0);
        figures.row(["difference", "pairs", "share"]);
        for bin in &bins {
            let [from, to] = [bin.from, bin.to].map(|end| format!("{:+.2}", end as f64 * scale));
            figures.row([if bin.from == bin.to { from } else { format!("{from} to {to}") }, bin.count.to_string(), share(bin.count)]);
        }
        let interval = Some(points.interval).filter(|ends| self.pairs > 1 && ends.iter().all(|end| end.is_finite()));
        let mean = Mark { value: points.difference, interval, ..Mark::default() };
        Some(Block::Chart(Box::new(Chart {
            title: format!("In {more} of the pairs a player has more points with the change, in {fewer} fewer"),
            note: "Mean points of the players of a game with the change, less those of the game with the same seed without it. The dashed line \
                   is no difference."
                .to_string(),
            legend: vec![Swatch::new("pairs of games", FIRST), Swatch::new("mean, with its 95% interval", SECOND)],
            drawing: Some(Drawing::Distribution {
                label: "difference in points of a player".to_string(),
                of: "pairs".to_string(),
                scale,
                histograms: vec![self.differences.clone()],
                mean: Some(mean),
            }),
            figures,
            ..Chart::default()
        })))
    }

    fn saved_by_pairing(&self) -> Option<Block> {
        let known = self.told_rows().filter(|row| self.is_measurable(row));
        let measured: Vec<(&MeasureRow, f64)> = known.filter_map(|row| Some((row, row.difference.saved?))).collect();
        let mut sorted: Vec<f64> = measured.iter().map(|(_, saved)| *saved).collect();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.get(sorted.len() / 2)?;
        let mut figures = TextTable::new(1);
        figures.row(["", "pairing saved"]);
        measured.iter().for_each(|(row, saved)| figures.row([row.spoken(), percent(*saved)]));
        let drawn = measured.iter().filter(|(row, _)| row.significant || row.family == Measure::Points.family()).take(MOST_ROWS);
        let rows: Vec<Mark> = drawn.map(|(row, saved)| Mark { label: row.spoken(), value: *saved, ..Mark::default() }).collect();
        Some(Block::Chart(Box::new(Chart {
            title: format!("Pairing saved {} of the games for a measure in the middle", percent(*middle)),
            note:
                "Of the games that unpaired runs would need for intervals as narrow, the share that is not needed; below 0 unpaired games \
                   would have varied less. Of the points, and of what is shown to differ."
                    .to_string(),
            drawing: (!rows.is_empty()).then(|| Drawing::Bars { axis: Axis::share("games saved"), rows }),
            figures,
            ..Chart::default()
        })))
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

    pub(super) fn first_paragraph(&self) -> String {
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
    pub(super) fn headline(&self) -> String {
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

    /// The agent at the first seat.
    pub(super) fn first_agent(&self) -> &str {
        self.agents.first().map_or("", String::as_str)
    }

    /// Returns a note about intervals and tests, for a list of all measures or of significant ones.
    fn certainty_note(&self, all: bool) -> String {
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
            "{looks}\n{alone}{together} measures together (Benjamini-Hochberg), and shown where q is 0.05 at most\nof what is shown 5% is \
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
        let interval = signed_interval(by.interval, 2).map_or(String::new(), |interval| format!(" (95% {interval})"));
        text.push_str(&format!("if who has learnt {what} the change plays both: {} {:+.2}{interval}\n", found.measure, by.difference));
    }
    text
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
fn measure_table(rows: &[&MeasureRow], all: bool) -> TextTable {
    let mut table = TextTable::new(2);
    table.row(["", "", "without", "with", "difference", "95% interval", "q"]);
    for row in rows {
        let (digits, difference) = (row.digits(), row.difference);
        let interval = row.adjusted.filter(|_| !all).unwrap_or(difference.interval);
        table.row([
            wrap_name(row.display_name()),
            row.unit.to_string(),
            format!("{:.digits$}", difference.plain),
            format!("{:.digits$}", difference.changed),
            format!("{:+.digits$}", difference.difference),
            signed_interval(interval, digits).unwrap_or("-".to_string()),
            if row.is_primary { "alone".to_string() } else { q_value(row.q) },
        ]);
    }
    table
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
