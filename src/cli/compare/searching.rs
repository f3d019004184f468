//! Lets players who search compare rules where learning does not pay. They need not learn what a change does, since they play by the rules of their side.

use std::slice;
use std::sync::Arc;

use super::super::faults::{or_show, report_faults};
use super::super::result::ExitReason;
use super::super::run::{CompiledSides, Run};
use super::super::signals::STOP;
use super::super::stage::Stage;
use super::pairs::PairsOfGames;
use crate::agent::{AgentKind, Budget};
use crate::engine::POINTS;
use crate::engine::Ruleset;
use crate::playtest::compare::{Comparison, Measure, Replaced, Skill};
use crate::playtest::script_host;
use crate::state::chance::{hash_text, join};
use crate::train::duel;

/// Number of iterations of each search.
const ITERATIONS: u32 = 100;
/// Budget of the comparison, in iterations of all its games.
const BUDGET: f64 = 4_000_000.0;
/// Minimum number of pairs, whatever the budget.
const MIN_PAIRS: u64 = 50;
/// Number of deals, each played twice, in which who searches meets greedy players by the rules of each side.
const DEALS: u64 = 50;
/// The styles by which players search who are to be no worse than greedy, the first that does: by points alone, which is what no rule can make wrong, else
/// by what the rules say a state is worth.
const STYLES: [&str; 2] = [POINTS, ""];

/// Compares by players who search, by the rules of both sides, in place of those who have learnt, whose comparison is given: it is returned if
/// they are not worse than greedy, while those who search are.
pub(super) fn in_place_of(learnt: Comparison, run: &Run<'_>, both: &CompiledSides) -> Result<Comparison, ExitReason> {
    let (mut kind, mut skill) = (searcher(STYLES[0]), [None; 2]);
    for style in STYLES {
        kind = searcher(style);
        let skill_by = |rules| skill_by(both, rules, &kind, run.spec.run.seed);
        skill = [skill_by(&both.plain.rules)?, skill_by(&both.changed().rules)?];
        if !Skill::any_below_even(&Some(skill)) {
            break;
        }
    }
    if Stage::is_stopped() || Skill::any_below_even(&Some(skill)) && !learnt.is_below_even() {
        return Ok(learnt);
    }
    let agents = vec![kind; both.plain.rules.players];
    let pairs = PairsOfGames::whole(run, slice::from_ref(both), &agents, pairs(&learnt, run.spec.run.games));
    let found = pairs.play_all("pairs by players who search")?;
    report_faults(&both.sources, &found.dropped)?;
    let replaced = Replaced { against_greedy: learnt.skill, against_search: learnt.skill_beside_search };
    Ok(pairs.report(&found, &run.spec.typed).in_place_of(replaced).by_players_of_skill(skill))
}

fn searcher(style: &str) -> AgentKind {
    AgentKind::Search { style: style.to_string(), budget: Budget::Iterations(ITERATIONS) }
}

/// Returns the number of pairs that the budget allows, from the number of questions in a game: no more than were wanted.
fn pairs(learnt: &Comparison, wanted: u64) -> u64 {
    let decisions = learnt.row(&Measure::Decisions).map_or(1.0, |row| row.difference.plain + row.difference.changed);
    crate::cast::whole::<u64>(BUDGET / (decisions.max(1.0) * f64::from(ITERATIONS))).max(MIN_PAIRS).min(wanted)
}

/// Returns how good players of a kind are beside greedy ones, by the rules of one side; `None` if the run is stopped.
fn skill_by(both: &CompiledSides, rules: &Arc<Ruleset>, kind: &AgentKind, seed: u64) -> Result<Option<Skill>, ExitReason> {
    let rivals = [AgentKind::with_style(""), kind.clone()];
    let met = duel(rules, &rivals, DEALS, join(seed, hash_text("searching")), &|| script_host(rules), &STOP);
    let met = or_show(&both.sources, met)?;
    Ok((!Stage::is_stopped()).then(|| Skill::of_deals(&met.difference())))
}
