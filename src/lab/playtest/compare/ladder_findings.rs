//! What a comparison by players of several strengths comes to.

use super::super::findings::{Candidate, Conclusion, Finding, nearer_end};
use super::findings::claim;
use super::ladder::{Ladder, SignificantMeasure};
use super::report::{Comparison, MeasureRow};

/// Concludes from what is shown above chance: each measure by the effect that is certain on all rungs that show it.
pub(super) fn of_ladder(ladder: &Ladder) -> Conclusion {
    let candidates = ladder.claims.iter().filter_map(|claim| candidate(ladder, claim)).collect();
    let tested = ladder.rungs.iter().map(|rung| rung.conclusion.tested).max().unwrap_or(0);
    if ladder.rungs.iter().any(|rung| rung.pairs == 0) {
        return Conclusion::default();
    }
    Conclusion::new(candidates, tested, || {
        let none = ladder.rungs.iter().filter(|rung| !rung.is_by_chance()).find_map(|rung| rung.conclusion.none.clone());
        let none = none.unwrap_or_else(|| "nothing is shown to differ".to_string());
        format!("{none}; so it is for all players above chance")
    })
}

fn candidate(ladder: &Ladder, told: &SignificantMeasure) -> Option<Candidate> {
    let row = |rung: &'_ Comparison| rung.rows.iter().find(|row| row.measure == told.measure).cloned();
    let above = ladder.rungs.iter().filter(|rung| !rung.is_by_chance());
    let shown: Vec<MeasureRow> = above.filter_map(row).filter(|row| row.significant && row.difference.deviation > 0.0).collect();
    let effect = |row: &MeasureRow| row.difference.difference / row.difference.deviation;
    let certain = |row: &MeasureRow| nearer_end(row.adjusted.unwrap_or(row.difference.interval).map(|end| end / row.difference.deviation));
    let least = shown.iter().min_by(|a, b| certain(a).abs().total_cmp(&certain(b).abs()))?;
    let each = ladder.rungs.iter().zip(&told.rungs).map(|(rung, found)| {
        let agent = rung.agents.first().map_or("", String::as_str);
        match found {
            Some((difference, true)) => format!("{agent} {difference:+.3}"),
            Some((difference, false)) => format!("{agent} ({difference:+.3}, not shown)"),
            None => format!("{agent} -"),
        }
    });
    let each = each.collect::<Vec<_>>().join(", ");
    let said = claim(&told.of, least.difference.difference > 0.0);
    let text = match told.is_contradicted() {
        true => format!("{}, with either sign: {each}", told.called.as_ref().unwrap_or(&told.measure)),
        false => format!("{said}, {}: {each}", told.verdict.text()),
    };
    Some(Candidate {
        likewise: None,
        group: least.family,
        finding: Finding { about: told.measure.clone(), text, effect: effect(least), certain: certain(least) },
    })
}
