//! The same games with and without a change.

use std::sync::atomic::{AtomicBool, Ordering};

use houserule::engine::Ruleset;
use houserule::playtest::compare::{ComparisonResults, Measure, Sides, compare, comparison, rule_changes};
use houserule::playtest::saved::RunIdentity;
use houserule::playtest::{SECONDS_PER_DECISION, script_host};
use houserule::source::Sources;
use houserule::spec::{RunKind, RunSpec, SIDE_OPTIONS, SideSettings, TypedSettings};
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
    let spec = RunSpec {
        run: RunIdentity {
            games: pairs,
            until: until.map(|width| (Measure::Points.to_string(), width.to_string())),
            ..RunIdentity::default()
        },
        kind: RunKind::Pairs,
        pace: SECONDS_PER_DECISION,
        typed: settings(&plain.asked, &changed.asked),
        ..RunSpec::default()
    };
    spec.check_difference(&plain.rules, &changed.rules).map_err(InputError::new_err)?;
    let rule = spec.stopping_rule(&plain.rules).map_err(InputError::new_err)?;
    let agents = players_of(&[&plain.rules, &changed.rules], &agents, time_limit)?;
    let threads = if threads > 0 { threads } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let sides =
        Sides { plain: &plain.rules, changed: &changed.rules, agents: &agents, seed, threads, independent_seeds: false, training: None };
    let hosts = (|| script_host(&plain.rules), || script_host(&changed.rules));
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
    let between = rule_changes(&changed.sources, &plain.text, &changed.text);
    let report = comparison(&sides, &rule, &found, spec.typed.both, spec.typed.changes).at_pace(spec.pace).between(between);
    serde_json::to_string(&report).map_err(|fault| Fault::new_err(fault.to_string()))
}

/// What both sides have, and what only the changed one has, as the command line writes it.
fn settings(plain: &Asked, changed: &Asked) -> TypedSettings {
    let side = |asked: &Asked| SideSettings {
        packs: asked.packs.clone(),
        with: asked.changes.clone(),
        options: asked.options.clone(),
        deal: asked.deal.clone(),
        ..SideSettings::default()
    };
    let sides = vec![side(plain), side(changed)];
    let of_plain = sides[0].words(SIDE_OPTIONS);
    let (both, changes) = sides[1].words(SIDE_OPTIONS).into_iter().partition(|word| of_plain.contains(word));
    TypedSettings { sides, both, changes, ..TypedSettings::default() }
}
