//! Rounds in which nothing happens: nobody is asked anything, and they leave the state as it was.

use super::eval::Env;
use super::graph::Expr;
use super::ruleset::Ruleset;
use super::store::Store;
use crate::cast;
use crate::source::Span;
use houserule_state::layout::head;

/// A round in which nothing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleRound {
    /// The number of the round.
    pub round: i32,
    /// Where its turns are declared in which nobody could do anything, or else where what is done in it begins.
    pub span: Option<Span>,
}

/// Looks for rounds in which nothing happens. It is no part of the state, and copies of a game have none.
#[derive(Debug, Default)]
pub(crate) struct IdleWatch {
    /// The cells when the round began, but for those that only say where the game is.
    began: Vec<i32>,
    /// How many answers had been given when the round began.
    decisions: i32,
    /// The turns of this round in which nobody could do anything.
    turns: Option<u16>,
    /// The first round in which nothing happened.
    pub found: Option<IdleRound>,
}

/// The cells that a round changes if anything happens in it.
fn telling_cells<'c>(rules: &Ruleset, cells: &'c [i32]) -> &'c [i32] {
    &cells[head::ORDER..rules.layout.len]
}

/// Notes the beginning of a round.
pub(crate) fn note_round_begins(store: &mut Store<'_>) {
    let cells = store.state.cells();
    let Some(watch) = &mut store.live.idle else { return };
    watch.began.clear();
    watch.began.extend_from_slice(telling_cells(store.rules, cells));
    watch.decisions = cells[head::DECISIONS];
    watch.turns = None;
}

/// Notes the end of a round, and whether anything has happened in it.
pub(crate) fn note_round_ends(store: &mut Store<'_>) {
    let (rules, cells) = (store.rules, store.state.cells());
    let Some(watch) = &mut store.live.idle else { return };
    if watch.found.is_some()
        || rules_go_by_rounds(rules)
        || watch.decisions != cells[head::DECISIONS]
        || watch.began != telling_cells(rules, cells)
    {
        return;
    }
    let of_turns = watch.turns.and_then(|turns| rules.turns[usize::from(turns)].span);
    let of_round = || {
        let begins = rules.ops.all.iter().position(|op| matches!(op, super::op::Op::Round))?;
        rules.ops.spans.get(begins..)?.iter().copied().flatten().next()
    };
    watch.found = Some(IdleRound { round: cells[head::ROUND], span: of_turns.or_else(of_round) });
}

/// Whether rules read the number of the round: what could not be done in one may be done in the next.
fn rules_go_by_rounds(rules: &Ruleset) -> bool {
    rules.graph.all().any(|(_, expr)| matches!(expr, Expr::Global { cell } if cast::index(*cell) == head::ROUND))
}

/// Notes that no further turn begins. If there was none at all of these turns, though not all have passed and the turns are not over, the log says so.
pub(crate) fn note_end_of_turns(store: &mut Store<'_>, turns: u16) {
    let rules = store.rules;
    let of = &rules.turns[usize::from(turns)];
    let before = store.live.running.last_turns.filter(|_| store.state.cells()[head::TURN] != 0);
    let none = store.state.cells()[head::TURN] == 0 || before.is_some_and(|before| before != turns);
    if !of.skips || !none || !store.live.log.is_on() && store.live.idle.is_none() {
        return;
    }
    let first = cast::index(store.state.cells()[head::ORDER]);
    let all_passed = (0..rules.players).all(|seat| of.has_passed(store.state.cells(), &rules.layout, seat));
    if all_passed || of.until.is_some_and(|until| store.eval(until, &mut Env::for_seat(first)) != 0) {
        return;
    }
    if let Some(watch) = &mut store.live.idle {
        watch.turns = Some(turns);
    }
    store.log_line(|| format!("{}: nobody can do anything, so nobody has a turn", of.question));
}
