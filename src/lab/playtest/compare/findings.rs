//! What a comparison comes to.

use super::super::findings::{Candidate, Conclusion, Finding, nearer_end, size_in_words};
use super::super::page_names::PageNames;
use super::super::precision::about;
use super::measures::Measure;
use super::report::{Comparison, MeasureRow};

/// Concludes from the measures that are shown to differ, each by its difference in standard deviations of a game.
pub(super) fn of_comparison(comparison: &Comparison, called: Option<PageNames<'_>>) -> Conclusion {
    let tested = || comparison.rows.iter().filter(|row| row.same_as.is_none());
    let shown = tested().filter(|row| row.significant && row.difference.deviation > 0.0);
    let candidates = shown.map(|row| Candidate { group: row.family, likewise: None, finding: finding(row, called) }).collect();
    if comparison.pairs == 0 || comparison.alike == comparison.pairs && comparison.same_end == comparison.pairs {
        // The headline says it.
        return Conclusion::default();
    }
    Conclusion::new(candidates, tested().count(), || nothing(comparison, tested().count()))
}

fn finding(row: &MeasureRow, called: Option<PageNames<'_>>) -> Finding {
    let difference = row.difference;
    let scaled = |value: f64| value / difference.deviation;
    let interval = row.adjusted.unwrap_or(difference.interval);
    let (effect, certain) = (scaled(difference.difference), nearer_end(interval.map(scaled)));
    let share = row.unit.starts_with("of ");
    let digits = if share { 1 } else { row.digits() };
    let (times, unit) = if share { (100.0, "%") } else { (1.0, "") };
    let [plain, changed] = [difference.plain, difference.changed].map(|value| format!("{:.digits$}{unit}", value * times));
    let [low, high] = interval.map(|end| format!("{:+.digits$}", end * times));
    let claim = claim(&called.map_or_else(|| row.of.clone(), |called| row.of.translated(called)), difference.difference > 0.0);
    let text = format!(
        "{claim}: {changed} with the change, {plain} without ({:+.digits$}, 95% {low} to {high}); {}, {effect:+.2} standard deviations of a game",
        difference.difference * times,
        size_in_words(effect)
    );
    Finding { about: row.measure.clone(), text, effect, certain }
}

/// Says of a measure that it is higher or lower with the change.
pub(super) fn claim(measure: &Measure, higher: bool) -> String {
    let more = if higher { "more" } else { "fewer" };
    let often = if higher { "more often" } else { "less often" };
    match measure {
        Measure::Points => format!("a player has {more} points"),
        Measure::PointsOfWinner => format!("the winner has {more} points"),
        Measure::PointsOfLast => format!("the last has {more} points"),
        Measure::Spread => format!("first and last are {}", if higher { "further apart" } else { "closer together" }),
        Measure::Row(name) => format!("a player has {more} points of “{name}”"),
        Measure::Won => format!("{more} games are won"),
        Measure::WonByTeam(team) => format!("team {team} wins {more} games"),
        Measure::WonBy(seat) => format!("p{seat} wins {more} games"),
        Measure::WonWith(card) => format!("who begins with {card} wins {more} games"),
        Measure::WonByKind(agent) => format!("{agent} wins {more} games"),
        Measure::Rounds => format!("a game has {more} rounds"),
        Measure::CutOff => format!("{more} games are cut off after the most rounds that there can be"),
        Measure::Decisions => format!("a game has {more} decisions"),
        Measure::Options => format!("a decision has {more} options"),
        Measure::LeadChanges => format!("the lead changes {often}"),
        Measure::KnownFor => format!("the winner leads for {more} rounds before the end"),
        Measure::LastWins => format!("who was last at half-time wins {often}"),
        Measure::Commonest => format!("the commonest action has a {} share of all", if higher { "larger" } else { "smaller" }),
        Measure::Action(action) => format!("“{action}” is done {often}"),
        Measure::ActionWith(action, kind) => format!("“{action}” is done {often} with {kind}"),
        Measure::AtTheEnd(name) => format!("a player ends with {} of “{name}”", if higher { "more" } else { "less" }),
    }
}

/// Says that nothing is shown, and what would be.
fn nothing(comparison: &Comparison, tested: usize) -> String {
    let mut text = format!("nothing is shown to differ, of {tested} measures");
    if comparison.trainings == Some(1) {
        return text + ": players of one training show nothing";
    }
    let row = comparison.rows.iter().find(|row| row.is_primary);
    if let Some((row, needed)) = row.and_then(|row| Some((row, row.needed?))) {
        let share = row.unit.starts_with("of ");
        let size = match row.of {
            Measure::Points => "one point of a player".to_string(),
            _ if share => format!("one percentage point of {}", row.display_name()),
            _ => format!("one of {}", row.display_name()),
        };
        text += &format!("; a difference of {size} would be shown by about {} pairs, in four of five such runs", about(needed.effect));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{ComparisonResults, Sides, StoppingRule, compare, comparison};
    use super::*;
    use crate::agent::parse_agents;
    use crate::engine::{NoScripts, Ruleset, Scripts};
    use crate::playtest::toy::{toy, toy_with};
    use std::sync::atomic::AtomicBool;

    fn compared(plain: &Ruleset, changed: &Ruleset, pairs: u64) -> Comparison {
        let agents = parse_agents("random", 2).unwrap();
        let sides =
            Sides { plain, changed, agents: &agents, seed: 3, threads: 2, independent_seeds: plain.hash == changed.hash, training: None };
        let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
        let once = StoppingRule { pairs, until: None };
        let begun = ComparisonResults::default();
        let found = compare(&sides, (&scripts, &scripts), &once, begun, 0..pairs, &AtomicBool::new(false), &mut |_, _| ()).unwrap();
        comparison(&sides, &once, &found, Vec::new(), Vec::new())
    }

    #[test]
    fn what_differs_for_certain_is_said_first() {
        let found = compared(&toy(2), &toy_with(2, "4", ""), 200);
        let concluded = &found.conclusion;
        assert!(concluded.none.is_none() && !concluded.findings.is_empty(), "{concluded:?}");
        let certain: Vec<f64> = concluded.findings.iter().map(|finding| finding.certain.abs()).collect();
        assert!(certain.is_sorted_by(|a, b| a >= b) && certain.iter().all(|end| *end > 0.0), "{certain:?}");
        for finding in &concluded.findings {
            let row = found.rows.iter().find(|row| row.measure == finding.about).unwrap();
            assert!(row.significant && row.same_as.is_none());
            assert!((finding.effect - row.difference.difference / row.difference.deviation).abs() < 1e-12);
            assert!(finding.certain.abs() < finding.effect.abs());
        }
        let text = found.text(false, false);
        assert!(text.contains("findings\n  1. "), "{text}");
    }

    #[test]
    fn nothing_is_said_plainly_and_how_many_games_would_show_something() {
        // Another seed on both sides: there is nothing to be found.
        let same = toy(2);
        let found = compared(&same, &same, 12);
        assert_eq!(found.conclusion.findings, []);
        let needed = found.row(&Measure::Points).unwrap().needed.unwrap();
        let said = found.conclusion.none.clone().unwrap();
        assert!(said.contains(&format!("by about {} pairs", about(needed.effect))) && needed.effect > needed.interval, "{said}");
    }

    #[test]
    fn a_finding_says_which_way() {
        assert_eq!(claim(&Measure::Points, true), "a player has more points");
        assert_eq!(claim(&Measure::Spread, false), "first and last are closer together");
        assert_eq!(claim(&Measure::ActionWith("take".into(), "wolf".into()), false), "“take” is done less often with wolf");
    }
}
