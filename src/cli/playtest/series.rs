//! `houserule playtest --series`: plays series of games.

use std::sync::Arc;

use super::super::args::PlaytestArgs;
use super::super::faults::report_faults;
use super::super::output::{OutputFile, color, print, show_diagnostics, usage_error};
use super::super::progress::Progress;
use super::super::report::changes;
use super::super::result::{CommandResult, ExitReason};
use super::super::signals::{STOP, install_signal_handlers};
use crate::agent::AgentKind;
use crate::engine::{Ruleset, Scripts};
use crate::lang::{GameText, Setup, compile};
use crate::playtest::{OptionSteps, RunPlan, run_series, series_report};
use crate::script::ScriptHost;
use crate::source::Sources;

/// Plays as many series as games were requested.
pub(super) fn playtest(plan: &RunPlan<'_>, setup: &Setup, (sources, text): (&Sources, &GameText), args: &PlaytestArgs) -> CommandResult {
    let Some((option, values)) = &plan.rules.series else {
        return usage_error("these rules declare no series of games; `houserule words series` says how, and a variant may have one");
    };
    // Each game of a series has rules of its own, so that programs would have to be started anew for each.
    if plan.agents.iter().any(|agent| matches!(agent, AgentKind::Exec { .. })) {
        return usage_error(
            "programs of yours (`exec:`) cannot play series; let them play single games, with `--option` to begin further on",
        );
    }
    let json = OutputFile::open_if(args.written.json.as_ref())?;
    let first = first_steps(setup, text, option, values, plan.rules.players);
    let rules = |steps: &OptionSteps| {
        let mut diagnostics = Vec::new();
        let rules = compile(text, &set_up(setup, option, values, steps), &mut diagnostics);
        rules.map(Arc::new).ok_or(diagnostics)
    };
    let scripts = |rules: &Arc<Ruleset>| ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    install_signal_handlers();
    let progress = Progress::new(plan.games, "series");
    let played = run_series(plan, &first, (&rules, &scripts), &STOP, &mut |done| progress.set_done(done));
    progress.finish();
    let (tally, outcome) = match played {
        Ok(played) => played,
        Err(faults) => return show_diagnostics(sources, &faults).and(Err(ExitReason::Findings)),
    };
    let report = series_report(
        plan,
        &first,
        &tally,
        &outcome,
        changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal),
    );
    if !json.as_ref().is_some_and(OutputFile::is_terminal) {
        print(&report.text(color()));
    }
    json.map_or(Ok(()), |json| json.write_json(&report)).and(report_faults(sources, &outcome))
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
