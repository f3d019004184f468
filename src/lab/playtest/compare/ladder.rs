//! The same comparison with agents of several strengths, since the effect of a change should not depend on the skill of the players.

use serde::Serialize;

use super::super::table::{TextTable, heading};
use super::report::{Comparison, MeasureRow};

/// The same comparison, played by agents of several strengths.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// The comparisons, the weakest agents first.
    pub rungs: Vec<Comparison>,
    /// Measures with a significant difference for some agents other than the random one.
    pub claims: Vec<SignificantMeasure>,
}

/// A measure with a significant difference for some agents other than the random one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SignificantMeasure {
    /// Name of the measure.
    pub measure: String,
    /// Translated name of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// The difference for each strength, and whether it is significant; `None` if it was not measured.
    pub rungs: Vec<Option<(f64, bool)>>,
    /// Whether the difference is significant with the same sign for all agents except the random one.
    pub robust: bool,
}

impl Ladder {
    /// Combines comparisons. Random agents form the lowest rung and do not count as evidence.
    pub fn new(rungs: Vec<Comparison>) -> Ladder {
        let by_chance = |rung: &Comparison| rung.agents.iter().all(|agent| agent == "random");
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
            let holds = |sign: f64| above.iter().all(|found| found.is_some_and(|(difference, shown)| shown && difference * sign > 0.0));
            let called = rungs.iter().flat_map(|rung| &rung.rows).find(|row| row.measure == name).and_then(|row| row.called.clone());
            SignificantMeasure {
                measure: name.to_string(),
                called,
                robust: holds(1.0) || holds(-1.0),
                rungs: rungs.iter().map(row).collect(),
            }
        });
        let claims = claims.collect();
        Ladder { rungs, claims }
    }

    /// Returns the result as text for a terminal.
    pub fn text(&self, color: bool) -> String {
        let mut text = String::new();
        for rung in &self.rungs {
            text.push_str(&rung.first_paragraph());
            text.push_str(&rung.headline());
            text.push('\n');
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
        for SignificantMeasure { measure, called, rungs, robust } in &self.claims {
            let cell = |found: &Option<(f64, bool)>| match found {
                Some((difference, true)) => format!("{difference:+.3}"),
                Some((difference, false)) => format!("({difference:+.3})"),
                None => "-".to_string(),
            };
            let last = if *robust { "robust" } else { "" };
            let name = called.as_ref().unwrap_or(measure).clone();
            table.row([name].into_iter().chain(rungs.iter().map(cell)).chain([last.to_string()]));
        }
        text.push_str(&table.text(2));
        text.push_str("\nIn brackets: not shown to differ. Robust: shown with the same sign by all players above chance.\n");
        text
    }
}
