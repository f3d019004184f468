//! Trials: what is done to a game until it is taken back. A trial notes the old value of each cell that is written, and what is kept of values
//! computed from it, so that to take it back costs as much as was done, and not as much as a game is large.

use super::cache::Cache;
use super::decision::{Decision, Opt, Question};
use super::env::ReadView;
use super::game::Game;
use super::machine::{Memory, Run};
use super::ruleset::Ruleset;
use super::state::SavedState;
use super::store::{DirtyFlags, Live, Running};

/// What a game was when a trial began.
#[derive(Debug, Default)]
struct Saved {
    state: SavedState,
    view: ReadView,
    /// The open question: the seat, and what is asked; and the options.
    asked: Option<(usize, Question)>,
    options: Vec<Opt>,
    dirty: DirtyFlags,
    running: Running,
    run: Run,
    /// The cached values of a game that is walked.
    cache: Cache,
}

/// The trials of a game that have not been taken back, and memory for more.
#[derive(Debug, Default)]
pub(crate) struct Trials {
    #[expect(clippy::vec_box, reason = "it is taken out and put back at every trial, and is large")]
    open: Vec<Box<Saved>>,
    #[expect(clippy::vec_box, reason = "the same")]
    spare: Vec<Box<Saved>>,
}

/// Whether all that a trial does can be taken back: nothing is written down outside of the state.
fn can_be_tried(live: &Live) -> bool {
    let Live { values, queue, unseen_moves, log, idle, flows, .. } = live;
    let is_written_down = log.is_in_use() || idle.is_some() || flows.is_some() || values.watch.is_on();
    !is_written_down && queue.is_empty() && unseen_moves.is_empty()
}

/// Begins a trial: see [`Game::begin_trial`].
pub(crate) fn begin(game: &mut Game, rules: &Ruleset) -> bool {
    let Game { state, live, memory } = game;
    // A walk has two caches in a block.
    if state.in_simultaneous_block() && !live.values.kept.is_native() || !can_be_tried(live) {
        return false;
    }
    let Live { values, dirty, running, .. } = live;
    let Memory { pending, run, trials, .. } = memory;
    let mut saved = trials.spare.pop().unwrap_or_default();
    if !values.kept.begin_trial((rules, state), (values.view, &mut values.active), &mut saved.cache) {
        trials.spare.push(saved);
        return false;
    }
    state.begin_trial(rules.layout.len, &mut saved.state);
    saved.view = values.view;
    saved.asked = pending.as_ref().map(|open| (open.seat, open.question));
    saved.options.clear();
    saved.options.extend_from_slice(pending.as_ref().map_or(&[], |open| &open.options));
    saved.dirty.clone_from(dirty);
    (saved.running, saved.run) = (*running, *run);
    values.active.begin_trial();
    trials.open.push(saved);
    true
}

/// Undoes a trial: see [`Game::take_back`].
pub(crate) fn take_back(game: &mut Game, rules: &Ruleset) {
    let Game { state, live, memory } = game;
    let Some(mut saved) = memory.trials.open.pop() else { return };
    let Live { values, dirty, running, queue, unseen_moves, .. } = live;
    values.kept.take_back((rules, state), &mut values.active, &mut saved.cache);
    state.take_back(rules.layout.len, &saved.state);
    values.active.take_back();
    values.view = saved.view;
    values.discard_arithmetic_error();
    // Where no question is open, its buffer has become scratch memory.
    let Memory { pending, run, scratch, trials } = memory;
    let spare = pending.take().map_or_else(|| std::mem::take(&mut scratch.options), |open| open.options);
    let options = std::mem::replace(&mut saved.options, spare);
    *pending = saved.asked.map(|(seat, question)| Decision { seat, question, options });
    dirty.clone_from(&saved.dirty);
    (*running, *run) = (saved.running, saved.run);
    queue.clear();
    unseen_moves.clear();
    trials.spare.push(saved);
}
