//! Faults of games as diagnostics.

use super::output::{print_error, show_diagnostics};
use super::result::CommandResult;
use crate::diagnostic::Diagnostic;
use crate::engine::Fault;
use crate::playtest::RunOutcome;
use crate::source::Sources;

/// Maximum number of faults shown in full; the rest is only counted.
const MAX_SHOWN_FAULTS: usize = 5;

/// Converts a fault to a diagnostic with instructions to reproduce it.
pub fn fault_diagnostic(fault: &Fault, seed: u64, decision: usize) -> Diagnostic {
    let mut found = Diagnostic::error("G201", fault.span, fault.to_string());
    if fault.span.is_some() {
        found = found.label("here");
    }
    let when = if decision == 0 { "before the first question".to_string() } else { format!("after question {decision}") };
    fault.add_to(found).trace(format!("seed {seed}, {when}"))
}

/// Reports faults that dropped games, and faults in sampled states, with instructions to reproduce them.
pub fn report_faults(sources: &Sources, outcome: &RunOutcome) -> CommandResult {
    let shown = outcome.faults.iter().take(MAX_SHOWN_FAULTS).map(|alike| {
        let dropped = &alike.first;
        let mut found = Diagnostic::error("G201", dropped.fault.span, dropped.fault.to_string());
        if dropped.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (dropped.game, dropped.seed, dropped.decision, dropped.round);
        found =
            dropped.fault.add_to(found).trace(format!("game {game} of the run, its seed {seed}, round {round}, after question {decision}"));
        if alike.games > 1 { found.help(format!("{} games were dropped for it", alike.games)) } else { found }
    });
    let avoided = outcome.avoided.iter().take(MAX_SHOWN_FAULTS).map(|alike| {
        let met = &alike.first;
        let mut found = Diagnostic::warning("G205", met.fault.span, format!("met only in thought: {}", met.fault));
        if met.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (met.game, met.seed, met.decision, met.round);
        found = met.fault.add_to(found).trace(format!("game {game} of the run, its seed {seed}, round {round}, at question {decision}"));
        let games = if alike.games == 1 { "one game".to_string() } else { format!("{} games", alike.games) };
        found.help(format!(
            "in {games} a player thought of answers after which the rules cannot go on, and kept away from them; others may not"
        ))
    });
    let shown: Vec<_> = shown.chain(avoided).collect();
    let done = show_diagnostics(sources, &shown);
    if outcome.faults.len() > MAX_SHOWN_FAULTS {
        print_error(&format!("and {} more faults\n", outcome.faults.len() - MAX_SHOWN_FAULTS));
    }
    done
}
