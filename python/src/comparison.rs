//! The same games with and without a change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use houserule::diagnostic::Diagnostic;
use houserule::engine::{Ruleset, Scripts};
use houserule::playtest::SECONDS_PER_DECISION;
use houserule::playtest::compare::{ComparisonResults, Measure, Sides, StoppingRule, compare, comparison, rule_changes};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use pyo3::prelude::*;

use crate::games::players_of;
use crate::rules::{Asked, Rules, told};
use crate::{Fault, InputError};

/// Compares two rules by the same games, and gives back what the command line writes as JSON.
#[pyfunction]
#[pyo3(signature = (plain, changed, pairs, seed, agents, threads, time_limit, until))]
#[allow(clippy::too_many_arguments, reason = "`houserule.compare` gives them names")]
pub fn compare_json(
    python: Python<'_>,
    plain: &Rules,
    changed: &Rules,
    pairs: u64,
    seed: u64,
    agents: Vec<String>,
    threads: usize,
    time_limit: Option<f64>,
    until: Option<f64>,
) -> PyResult<String> {
    if plain.rules.game != changed.rules.game || plain.rules.players != changed.rules.players {
        let name = |rules: &Ruleset| format!("`{}` for {} players", rules.game, rules.players);
        let message =
            format!("a comparison is of one game for one number of players, not of {} with {}", name(&plain.rules), name(&changed.rules));
        return Err(InputError::new_err(message));
    }
    if plain.rules.hash == changed.rules.hash && plain.asked.deal == changed.asked.deal {
        return Err(InputError::new_err("both sides have the same rules and options: there is nothing to compare"));
    }
    let agents = players_of(&[&plain.rules, &changed.rules], &agents, time_limit)?;
    let threads = if threads > 0 { threads } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let sides =
        Sides { plain: &plain.rules, changed: &changed.rules, agents: &agents, seed, threads, independent_seeds: false, training: None };
    let rule = StoppingRule { pairs, until: until.map(|width| (Measure::Points, width)) };
    let hosts = (|| host(&plain.rules), || host(&changed.rules));
    let stop = AtomicBool::new(false);
    let mut interrupted = Ok(());
    let found = python.detach(|| {
        compare(&sides, (&hosts.0, &hosts.1), &rule, ComparisonResults::default(), 0..pairs, &stop, &mut |_, _| {
            if interrupted.is_ok() {
                interrupted = Python::attach(|python| python.check_signals());
                if interrupted.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        })
    });
    interrupted?;
    let found = found.map_err(|faults| told(&Sources::new(), &faults))?;
    if let Some(failed) = found.dropped.faults.iter().find(|alike| alike.first.unanswered) {
        return Err(Fault::new_err(failed.first.fault.to_string()));
    }
    let (both, changes) = settings(&plain.asked, &changed.asked);
    let between = rule_changes(&changed.sources, &plain.text, &changed.text);
    let report = comparison(&sides, &rule, &found, both, changes).at_pace(SECONDS_PER_DECISION).between(between);
    serde_json::to_string(&report).map_err(|fault| Fault::new_err(fault.to_string()))
}

fn host(rules: &Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> {
    ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>)
}

/// What both sides have, and what only the changed one has, as the command line writes it.
fn settings(plain: &Asked, changed: &Asked) -> (Vec<String>, Vec<String>) {
    let words = |asked: &Asked| -> Vec<String> {
        let packs = asked.packs.iter().map(|pack| format!("--pack {}", pack.display()));
        let with = asked.changes.iter().map(|text| format!("--with '{text}'"));
        let options = asked.options.iter().map(|option| format!("--option {option}"));
        packs.chain(with).chain(options).chain(asked.deal.iter().map(|card| format!("--deal {card}"))).collect()
    };
    let (plain, changed) = (words(plain), words(changed));
    let (both, only) = changed.into_iter().partition(|word| plain.contains(word));
    (both, only)
}
