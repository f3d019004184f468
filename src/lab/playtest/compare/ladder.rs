//! The same comparison with agents of several strengths, since the effect of a change should not depend on the skill of the players.

use serde::Serialize;

use super::super::findings::Conclusion;
use super::super::table::TextTable;
use super::ladder_findings::of_ladder;
use super::measures::Measure;
use super::report::{Comparison, MeasureRow};
use crate::document::numbers::signed_interval;
use crate::document::{Axis, Block, Chart, Document, Drawing, Mark, Section, Swatch};

/// Number of claims that are drawn; the table has all.
const MOST_CLAIMS: usize = 12;

/// The same comparison, played by agents of several strengths.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// The comparisons, the weakest agents first.
    pub rungs: Vec<Comparison>,
    /// Measures with a significant difference for some agents other than the random one.
    pub claims: Vec<SignificantMeasure>,
    /// The foremost findings.
    pub conclusion: Conclusion,
}

/// A measure with a significant difference for some agents other than the random one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignificantMeasure {
    /// Name of the measure.
    pub measure: String,
    /// The measure, with translated names if there are any.
    #[serde(skip)]
    pub(crate) of: Measure,
    /// Translated name of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// The difference for each strength, and whether it is significant; `None` if it was not measured.
    pub rungs: Vec<Option<(f64, bool)>>,
    /// What the strengths say together.
    pub verdict: LadderVerdict,
    /// Whether that is [`LadderVerdict::Robust`].
    pub robust: bool,
}

/// What agents of several strengths, all above chance, say together about a measure that differs for some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LadderVerdict {
    /// The difference has the same sign wherever it is significant: everywhere, or at least for weaker and for stronger agents.
    Robust,
    /// It is significant only from some strength on.
    BetterPlayers,
    /// It is significant only up to some strength.
    Beginners,
    /// It is significant for agents of middle strength only.
    SomePlayers,
    /// It is significant with either sign.
    Contradicted,
}

impl LadderVerdict {
    /// Compares the differences for agents above chance, the weakest first; each with whether it is significant.
    fn new(rungs: &[Option<(f64, bool)>]) -> LadderVerdict {
        let shown: Vec<usize> = (0..rungs.len()).filter(|&rung| rungs[rung].is_some_and(|(_, shown)| shown)).collect();
        let has = |sign: f64| shown.iter().any(|&rung| rungs[rung].is_some_and(|(difference, _)| difference * sign > 0.0));
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return LadderVerdict::SomePlayers };
        let without_gap = shown.len() == last - first + 1;
        match (*first == 0, last + 1 == rungs.len()) {
            _ if has(1.0) && has(-1.0) => LadderVerdict::Contradicted,
            (true, true) => LadderVerdict::Robust,
            (false, true) if without_gap => LadderVerdict::BetterPlayers,
            (true, false) if without_gap => LadderVerdict::Beginners,
            _ if without_gap => LadderVerdict::SomePlayers,
            _ => LadderVerdict::Robust,
        }
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            LadderVerdict::Robust => "robust",
            LadderVerdict::BetterPlayers => "only better players see it",
            LadderVerdict::Beginners => "only beginners feel it",
            LadderVerdict::SomePlayers => "only some players see it",
            LadderVerdict::Contradicted => "depends on who plays",
        }
    }
}

impl SignificantMeasure {
    /// Whether it differs with either sign.
    pub(crate) fn is_contradicted(&self) -> bool {
        self.verdict == LadderVerdict::Contradicted
    }
}

impl Ladder {
    /// Combines comparisons. Random agents form the lowest rung and do not count as evidence.
    pub fn new(rungs: Vec<Comparison>) -> Ladder {
        let by_chance = Comparison::is_by_chance;
        let mut names: Vec<&str> = Vec::new();
        for row in rungs.iter().filter(|rung| !by_chance(rung)).flat_map(|rung| &rung.rows).filter(|row| row.significant) {
            if !names.contains(&row.measure.as_str()) {
                names.push(&row.measure);
            }
        }
        let claims = names.into_iter().map(|name| {
            let row = |rung: &Comparison| -> Option<(f64, bool)> {
                let found: &MeasureRow = rung.rows.iter().find(|row| row.measure == name)?;
                Some((found.difference.difference, found.significant))
            };
            let above: Vec<Option<(f64, bool)>> = rungs.iter().filter(|rung| !by_chance(rung)).map(row).collect();
            let verdict = LadderVerdict::new(&above);
            let row_of_any = rungs.iter().flat_map(|rung| &rung.rows).find(|row| row.measure == name);
            let called = row_of_any.and_then(|row| row.called.clone());
            SignificantMeasure {
                measure: name.to_string(),
                of: row_of_any.map_or(Measure::Points, |row| row.told_of.clone().unwrap_or_else(|| row.of.clone())),
                called,
                verdict,
                robust: verdict == LadderVerdict::Robust,
                rungs: rungs.iter().map(row).collect(),
            }
        });
        let claims = claims.collect();
        let ladder = Ladder { rungs, claims, conclusion: Conclusion::default() };
        Ladder { conclusion: of_ladder(&ladder), ..ladder }
    }

    /// Returns the result as text for a terminal.
    pub fn text(&self, color: bool) -> String {
        self.document().text(color)
    }

    /// Makes the document of the ladder.
    pub fn document(&self) -> Document {
        let rungs: Vec<String> = self.rungs.iter().map(|rung| rung.first_paragraph() + rung.headline().as_str()).collect();
        let conclusion = self.conclusion.clone();
        let mut document = Document { opening: vec![Block::Lines(rungs.join("\n"))], conclusion, ..Document::default() };
        if let Some(first) = self.rungs.first() {
            document.title = format!("{}: a comparison by several kinds of players", first.title);
            let played: Vec<String> = self.rungs.iter().map(|rung| format!("{} by {}", rung.pairs, rung.first_agent())).collect();
            document.fact("pairs", format!("{} for each kind of players; played: {}", first.requested, played.join(", ")));
            document.fact("seed", first.seed.to_string());
            first.add_facts_of_sides(&mut document);
        }
        let heading = "What differs above chance, by players";
        if self.claims.is_empty() {
            let played = self.rungs.iter().all(|rung| rung.pairs > 0);
            let none = if played { "  nothing is shown to differ\n" } else { "  stopped before all had played\n" };
            document.parts.push(Section::new(heading, [Block::Lines(none.to_string())]));
        } else {
            let charts = self.claims.iter().take(MOST_CLAIMS).map(|claim| self.claim_chart(claim));
            document.parts.push(Section::new(heading, [Block::Figures(self.table())].into_iter().chain(charts)));
            let note = "In brackets: not shown to differ. Robust: shown by weaker and by better players above chance, always with the same sign.\n";
            document.parts.push(Section::unheaded([Block::Lines(note.to_string())]));
        }
        let changes = self.rungs.first().map(|rung| rung.rule_changes.clone()).filter(|changes| !changes.is_empty());
        document.parts.extend(changes.map(|changes| Section::new("What is changed", [Block::page_only(Block::Changes(changes))])));
        document
    }

    fn table(&self) -> TextTable {
        let mut table = TextTable::new(1);
        let agents = self.rungs.iter().map(|rung| rung.first_agent().to_string());
        table.row([String::new()].into_iter().chain(agents).chain([String::new()]));
        for SignificantMeasure { measure, called, rungs, verdict, .. } in &self.claims {
            let cell = |found: &Option<(f64, bool)>| match found {
                Some((difference, true)) => format!("{difference:+.3}"),
                Some((difference, false)) => format!("({difference:+.3})"),
                None => "-".to_string(),
            };
            let name = called.as_ref().unwrap_or(measure).clone();
            table.row([name].into_iter().chain(rungs.iter().map(cell)).chain([verdict.text().to_string()]));
        }
        table
    }

    /// What a measure is for each kind of players, the weakest first.
    fn claim_chart(&self, claim: &SignificantMeasure) -> Block {
        let mut figures = TextTable::new(1);
        figures.row(["players", "without", "with", "difference", "95% interval", "shown"]);
        let (mut rows, mut unit) = (Vec::new(), "");
        for (rung, row) in self.rungs.iter().filter_map(|rung| Some((rung, rung.row_called(&claim.measure)?))) {
            let (digits, difference, agent) = (row.digits(), row.difference, rung.first_agent());
            let [plain, changed] = [difference.plain, difference.changed].map(|value| format!("{value:.digits$}"));
            let by = format!("{:+.digits$}", difference.difference);
            let interval = signed_interval(difference.interval, digits);
            unit = row.unit;
            if interval.is_some() {
                rows.push(Mark {
                    label: format!("{agent}\n{plain} → {changed} ({by})"),
                    value: difference.difference,
                    interval: row.adjusted.or(Some(difference.interval)),
                    even: Some(0.0),
                    hollow: !row.significant,
                    part: false,
                });
            }
            let shown = if row.significant { "yes" } else { "no" };
            figures.row([agent.to_string(), plain, changed, by, interval.unwrap_or_default(), shown.to_string()]);
        }
        let name = claim.called.as_ref().unwrap_or(&claim.measure).replace('_', " ");
        Block::Chart(Box::new(Chart {
            title: format!("{name}, {unit}: {}", claim.verdict.text()),
            note:
                "Differences with 95% intervals; those of what is shown are wider, since it was chosen. Players by chance are no evidence."
                    .to_string(),
            legend: Swatch::of_differences("shown to differ", "no difference"),
            drawing: (!rows.is_empty()).then(|| Drawing::Dots { axis: Axis::new(format!("difference, {unit}")), rows }),
            figures,
            ..Chart::default()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_strengths_say_together() {
        let verdict = |rungs: &[f64]| {
            // A number in brackets, here below one, is not shown.
            let rungs: Vec<_> = rungs.iter().map(|&difference| Some((difference, difference.abs() >= 1.0))).collect();
            LadderVerdict::new(&rungs).text()
        };
        assert_eq!(verdict(&[2.0]), "robust");
        assert_eq!(verdict(&[2.0, 1.0, 3.0]), "robust");
        assert_eq!(verdict(&[-2.0, 0.5, -3.0]), "robust", "a rung that shows nothing contradicts nothing");
        assert_eq!(verdict(&[0.5, 1.0, 3.0]), "only better players see it");
        assert_eq!(verdict(&[0.5, 0.1, 3.0]), "only better players see it");
        assert_eq!(verdict(&[2.0, 0.9, -0.1]), "only beginners feel it");
        assert_eq!(verdict(&[0.2, 2.0, 0.2]), "only some players see it");
        assert_eq!(verdict(&[2.0, 0.2, -2.0]), "depends on who plays");
        let unmeasured = LadderVerdict::new(&[None, Some((1.0, true))]);
        assert_eq!(unmeasured, LadderVerdict::BetterPlayers);
    }
}
