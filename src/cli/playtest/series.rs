//! `houserule playtest --series`: plays series of games.

use std::sync::Arc;

use super::super::faults::report_faults;
use super::super::load::CompiledGame;
use super::super::output::color;
use super::super::report::Outputs;
use super::super::result::CommandResult;
use super::super::run::Run;
use super::super::signals::STOP;
use super::super::stage::Stage;
use crate::lang::{GameText, Setup, compile};
use crate::playtest::{OptionSteps, run_series, series_report};

/// Plays as many series as games were requested.
pub(super) fn playtest(run: &Run<'_>, outputs: Outputs) -> CommandResult {
    let (plan, CompiledGame { text, setup, .. }) = (run.plan(), &run.sides.plain);
    let (option, values) = plan.rules.series.clone().unwrap_or_default();
    let first = first_steps(setup, text, &option, &values, plan.rules.players);
    let rules = |steps: &OptionSteps| {
        let mut diagnostics = Vec::new();
        let rules = compile(text, &set_up(setup, &option, &values, steps), &mut diagnostics);
        rules.map(Arc::new).ok_or(diagnostics)
    };
    let stage = Stage::begin(plan.games, "series", None);
    let played = stage.play(&run.sides.sources, |stage| run_series(&plan, &first, &rules, &STOP, &mut |done| stage.done(done)))?;
    let (tally, outcome) = played.found;
    let report = series_report(&plan, &first, &tally, &outcome, run.spec.typed.changes.clone());
    outputs.write_without_page(|| report.text(color()), &report).and(report_faults(&run.sides.sources, &outcome))
}

/// Returns the value of the option with which each player begins: the player's own, the common one, or the default.
fn first_steps(setup: &Setup, text: &GameText, option: &str, values: &[String], players: usize) -> OptionSteps {
    let default = text.options().into_iter().find(|(name, _)| *name == option).and_then(|(_, option)| option.default.first());
    let of_all = setup.options.iter().find(|(name, _)| name == option).and_then(|(_, values)| values.first()).or(default);
    let own = |seat| setup.seat_options.iter().find(|(of, name, _)| *of == seat && name == option).map(|(.., value)| value);
    let step = |seat| {
        let begins = own(seat).or(of_all);
        begins.and_then(|begins| values.iter().position(|value| value.eq_ignore_ascii_case(begins))).unwrap_or(0)
    };
    (0..players).map(step).collect()
}

/// Creates the set-up of a game of the series, in which the players have reached these steps.
fn set_up(setup: &Setup, option: &str, values: &[String], steps: &OptionSteps) -> Setup {
    let mut setup = setup.clone();
    setup.options.retain(|(name, _)| name != option);
    setup.seat_options.retain(|(_, name, _)| name != option);
    setup.seat_options.extend(steps.iter().enumerate().map(|(seat, &step)| (seat, option.to_string(), values[step].clone())));
    setup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_begins_with_the_options_that_were_chosen() {
        let seat_options = vec![(1, "lead".to_string(), "1".to_string()), (0, "hue".to_string(), "b".to_string())];
        let setup = Setup { players: 2, options: vec![("lead".into(), vec!["0".into()])], seat_options, ..Setup::default() };
        let values = ["0".to_string(), "1".to_string(), "2".to_string()];
        let next = set_up(&setup, "lead", &values, &vec![2, 1]);
        assert!(next.options.is_empty());
        let lead = |seat, value: &str| (seat, "lead".to_string(), value.to_string());
        assert_eq!(next.seat_options, [(0, "hue".to_string(), "b".to_string()), lead(0, "2"), lead(1, "1")]);
    }
}
