//! The same comparison with agents of several strengths, since the effect of a change should not depend on the skill of the players.

use serde::Serialize;

use super::super::findings::Conclusion;
use super::super::table::{TextTable, heading};
use super::ladder_findings::of_ladder;
use super::measures::Measure;
use super::report::{Comparison, MeasureRow};

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
    /// Returns what is common to all rungs, as the opening of a page.
    pub(crate) fn opening(&self) -> String {
        self.rungs.iter().map(Comparison::headline_by_agent).collect()
    }

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
        let mut text = String::new();
        for rung in &self.rungs {
            text.push_str(&rung.first_paragraph());
            text.push_str(&rung.headline());
            text.push('\n');
        }
        let concluded = self.conclusion.text(color);
        if !concluded.is_empty() {
            text.push_str(&format!("{}\n", concluded.trim_start_matches('\n')));
        }
        text.push_str(&heading("What differs above chance, by players", color));
        if self.claims.is_empty() {
            let played = self.rungs.iter().all(|rung| rung.pairs > 0);
            text.push_str(if played { "  nothing is shown to differ\n" } else { "  stopped before all had played\n" });
            return text;
        }
        let mut table = TextTable::new(1);
        let agents = self.rungs.iter().map(|rung| rung.agents.first().cloned().unwrap_or_default());
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
        text.push_str(&table.text(2));
        text.push_str(
            "\nIn brackets: not shown to differ. Robust: shown by weaker and by better players above chance, always with the same sign.\n",
        );
        text
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
