//! Faults of games as diagnostics.

use super::output::{print_error, show_diagnostics};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::Diagnostic;
use crate::engine::Fault;
use crate::playtest::{DroppedGame, RunOutcome};
use crate::source::Sources;

/// Maximum number of faults shown in full; the rest is only counted.
const MAX_SHOWN_FAULTS: usize = 5;

/// Points to the place of a fault, and adds what is known of its cause.
fn at_fault(found: Diagnostic, fault: &Fault) -> Diagnostic {
    fault.add_to(if found.span.is_some() { found.label("here") } else { found })
}

/// Converts a fault to a diagnostic with instructions to reproduce it.
pub fn fault_diagnostic(fault: &Fault, seed: u64, decision: usize) -> Diagnostic {
    let when = if decision == 0 { "before the first question".to_string() } else { format!("after question {decision}") };
    at_fault(Diagnostic::error("G201", fault.span, fault.to_string()), fault).trace(format!("seed {seed}, {when}"))
}

/// Returns what was found, or shows the diagnostics that are there instead.
///
/// # Errors
/// `Findings` if there are diagnostics.
pub fn or_show<T>(sources: &Sources, found: Result<T, Vec<Diagnostic>>) -> Result<T, ExitReason> {
    found.or_else(|faults| show_diagnostics(sources, &faults).and(Err(ExitReason::Findings)))
}

/// Reports faults that dropped games, and faults in sampled states, with instructions to reproduce them.
pub fn report_faults(sources: &Sources, outcome: &RunOutcome) -> CommandResult {
    let traced = |found: Diagnostic, game: &DroppedGame, when: &str| {
        let DroppedGame { game, seed, decision, round, fault, .. } = game;
        at_fault(found, fault).trace(format!("game {game} of the run, its seed {seed}, round {round}, {when} question {decision}"))
    };
    let dropped = outcome.faults.iter().take(MAX_SHOWN_FAULTS).map(|alike| {
        let fault = &alike.first.fault;
        let found = traced(Diagnostic::error("G201", fault.span, fault.to_string()), &alike.first, "after");
        if alike.games > 1 { found.help(format!("{} games were dropped for it", alike.games)) } else { found }
    });
    let avoided = outcome.avoided.iter().take(MAX_SHOWN_FAULTS).map(|alike| {
        let fault = &alike.first.fault;
        let found = traced(Diagnostic::warning("G205", fault.span, format!("met only in thought: {fault}")), &alike.first, "at");
        let games = if alike.games == 1 { "one game".to_string() } else { format!("{} games", alike.games) };
        found.help(format!(
            "in {games} a player thought of answers after which the rules cannot go on, and kept away from them; others may not"
        ))
    });
    let done = show_diagnostics(sources, &dropped.chain(avoided).collect::<Vec<_>>());
    if outcome.faults.len() > MAX_SHOWN_FAULTS {
        print_error(&format!("and {} more faults\n", outcome.faults.len() - MAX_SHOWN_FAULTS));
    }
    done
}
