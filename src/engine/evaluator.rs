//! The evaluator of expressions: the rules, a read-only state, and the cache.

use super::active::{ActiveEntries, ActiveEntry};
use super::definition::Definition;
use super::env::ReadView;
use super::eval::plain::Memo;
use super::graph::{Expr, NumberOp, Read};
use super::kept::KeptValues;
use super::position::Position;
use super::reader::{Reader, pool_base};
use super::ruleset::Ruleset;
use super::state::State;
use super::watch::Watch;
use crate::source::Span;
use std::cell::Cell;

pub(crate) const TOO_LARGE: &str = "a number grew too large";
const DIVIDED_BY_0: &str = "a number was divided by 0";
/// The error of an entry that a tally or a row of words has not.
const NO_ENTRY: &str = "a tally, a table or a row of words has no entry of this number";

/// Returns the error of an operation that has no result for a second operand.
#[cold]
pub(crate) fn why_without_result(operator: NumberOp, b: i64) -> &'static str {
    match operator {
        NumberOp::Div | NumberOp::Remainder if b == 0 => DIVIDED_BY_0,
        NumberOp::Within => NO_ENTRY,
        NumberOp::Add | NumberOp::Sub | NumberOp::Mul | NumberOp::Div | NumberOp::Remainder => TOO_LARGE,
        NumberOp::Min | NumberOp::Max | NumberOp::Is(_) => TOO_LARGE,
    }
}

/// Working memory for evaluation. Between two evaluations only a recorded error in it is meaningful.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// How many evaluations are nested.
    pub depth: u32,
    /// How many expressions have been walked since this was last told to the back end.
    pub steps: u32,
    /// What has been found in this evaluation: see [`Memo`].
    pub memo: Memo,
    /// The first arithmetic error since it was last taken.
    error: Cell<Option<&'static str>>,
    /// The piece whose change of a quantity caused the error, and the place in its file.
    pub error_source: Option<(u32, Option<Span>)>,
}

impl Evaluation {
    /// Records an arithmetic error, unless there is one already. Returns 0, which replaces the value.
    pub fn record_error(&self, what: &'static str) -> i64 {
        self.error.set(self.error.get().or(Some(what)));
        0
    }

    /// Returns the recorded error, and keeps it.
    #[inline(always)]
    pub fn error(&self) -> Option<&'static str> {
        self.error.get()
    }

    /// Takes the recorded error, so that none is left.
    pub fn take_error(&self) -> Option<&'static str> {
        self.error.take()
    }
}

impl Clone for Evaluation {
    fn clone(&self) -> Evaluation {
        Evaluation { error: self.error.clone(), error_source: self.error_source, ..Evaluation::default() }
    }

    fn clone_from(&mut self, source: &Evaluation) {
        self.error.set(source.error.get());
        self.error_source = source.error_source;
    }
}

/// The kept values of a state, and what evaluation needs. A copy of a game keeps the values.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// The view of the running frame.
    pub view: ReadView,
    pub kept: KeptValues,
    /// The entries of cards in play.
    pub active: ActiveEntries,
    pub evaluation: Evaluation,
    /// Records whether anything is read that the watched seat does not know.
    pub watch: Watch,
    /// Whether it has been chosen for this game and its copies how expressions are evaluated; otherwise they may take up code that is compiled
    /// meanwhile.
    pub is_back_end_fixed: bool,
}

impl Values {
    /// Copies `other` into this, reusing the memory. The copy is not watched.
    pub fn copy_from(&mut self, other: &Values, in_simultaneous_block: bool) {
        self.kept.copy_from(&other.kept, in_simultaneous_block);
        self.active.clone_from(&other.active);
        self.follow(other);
    }

    /// Takes over what is no value from the values of another state. This one is not watched.
    pub fn follow(&mut self, other: &Values) {
        let Values { view, kept: _, active: _, evaluation, watch: _, is_back_end_fixed } = other;
        (self.view, self.is_back_end_fixed) = (*view, *is_back_end_fixed);
        self.evaluation.clone_from(evaluation);
        self.watch = Watch::default();
    }

    /// Discards a recorded arithmetic error.
    pub fn discard_arithmetic_error(&mut self) {
        self.evaluation.take_error();
        self.evaluation.error_source = None;
    }
}

/// Evaluates expressions on a state. It reads cells only through its [`Reader`].
pub(crate) struct Evaluator<'a> {
    /// The ruleset whose expressions are evaluated.
    pub rules: &'a Ruleset,
    /// The cached values of the state.
    pub values: &'a mut Values,
    /// The state.
    pub state: &'a State,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator for a state.
    #[inline(always)]
    pub fn new(rules: &'a Ruleset, state: &'a State, values: &'a mut Values) -> Evaluator<'a> {
        Evaluator { rules, values, state }
    }

    /// Creates a reader for the current view.
    #[inline(always)]
    pub fn reader(&self) -> Reader<'a> {
        Reader::new(self.rules, self.state, self.values.view)
    }

    /// Returns a cell in the current view.
    #[inline(always)]
    pub fn cell(&self, index: usize) -> i32 {
        self.reader().cell(index)
    }

    /// Rebuilds the lists of entries of cards in play, if they are stale.
    #[inline]
    pub fn refresh_active(&mut self) {
        self.values.active.refresh(self.rules, self.state.cells());
    }

    /// Returns the changes of a quantity by cards in play, in the order of their application.
    #[inline]
    pub fn changes_of(&self, quantity: u16) -> &[ActiveEntry] {
        self.values.active.changes(quantity)
    }

    // ------------------------------------------------------------------ hidden information

    /// Records for the watched seats what a walk of the reference evaluator reads; nothing else is left of the walk.
    #[cold]
    pub fn record_reads(&mut self, walk: impl FnOnce(&mut Evaluator<'a>)) {
        if self.values.watch.unalerted_seats().next().is_none() {
            return;
        }
        // A failed walk must not leave its view or its error.
        let (view, wrong) = (self.values.view, self.values.evaluation.clone());
        walk(self);
        self.values.view = view;
        self.values.evaluation.clone_from(&wrong);
    }

    /// Records for the watched seats that something is read which those do not know for which `is_unknown` holds.
    #[inline]
    fn watch(&self, is_unknown: impl Fn(usize) -> bool) {
        if self.values.watch.is_on() {
            self.values.watch.note_read(is_unknown);
        }
    }

    /// Records for the watched seat that a fact about a card is read, such as its kind; `fact` gives that fact for any card.
    #[inline]
    pub fn watch_fact<T: PartialEq>(&self, card: usize, fact: impl Fn(usize) -> T) {
        let is_unknown = |seat: usize, card: usize| self.rules.is_unknown(self.state.cells(), seat, card);
        self.watch(|seat| {
            let others = || self.rules.hidden.indistinguishable(card).iter().map(|&other| usize::from(other));
            let may_be = |other: usize| is_unknown(seat, other) && self.rules.may_be(self.state.cells(), seat, card, other);
            let differs = |read: T| others().any(|other| may_be(other) && fact(other) != read);
            is_unknown(seat, card) && differs(fact(card))
        });
    }

    /// Records for the watched seat that the counters of a card are read.
    #[inline]
    pub fn watch_counters(&self, card: usize) {
        self.watch(|seat| !self.rules.sees_counters(self.state.cells(), seat, card));
    }

    /// Records for the watched seat what an expression reads of hidden values; `index` is the value of its first operand.
    #[cold]
    pub fn watch_values(&self, expr: Expr, me: usize, index: i64) {
        expr.each_read(&mut |read| {
            if let Read::Own(run) = read {
                self.watch_cell(self.rules.layout.seat(me, run.first as usize));
            } else if let Read::Table(run) = read {
                self.watch_cell(run.first as usize);
            } else if let Read::Tokens(pool) = read {
                let classes = usize::try_from(index).ok().and_then(|symbol| self.rules.showing.get(symbol)).map_or(1, |classes| *classes);
                self.watch_tokens(pool, me, if classes == 0 { 1 } else { classes });
            }
        });
    }

    /// Records for the watched seat that tokens of some classes, a bit set, are counted in a pool. How many tokens lie there is no secret.
    pub fn watch_tokens(&self, pool: u8, me: usize, classes: u64) {
        let rules = self.rules;
        if !self.values.watch.is_on() || !rules.pools[usize::from(pool)].hidden {
            return;
        }
        let Some(at) = rules.secret_at(pool_base(rules, pool, me)) else { return };
        let counted = |of: u64| classes & of == 0 || classes & of == of;
        let every = rules.tokens.iter().fold(0, |every, token| every | token.classes);
        let by_sight = self.values.watch.by_sight;
        self.watch(|seat| {
            let sorts_known = !by_sight && self.now_and_before(|cells| rules.knows_sorts(cells, seat, at));
            let is_public = if sorts_known { rules.tokens.iter().all(|token| counted(token.classes)) } else { counted(every) };
            !is_public && !(self.knows_secret(seat, at) && (sorts_known || by_sight))
        });
    }

    /// Records for the watched seat that a cell of the table or of a seat is read.
    pub fn watch_cell(&self, cell: usize) {
        if self.values.watch.is_on()
            && let Some(at) = self.rules.secret_at(cell)
        {
            self.watch(|seat| !self.knows_secret(seat, at));
        }
    }

    /// Records for the watched seat that a value is read which the seats in a bit set do not know.
    #[inline]
    pub fn watch_private(&self, unknown_to: i64) {
        self.watch(|seat| unknown_to >> seat & 1 == 1);
    }

    /// Whether something holds for the cells, and in a simultaneous block also for those at its start.
    fn now_and_before(&self, holds: impl Fn(&[i32]) -> bool) -> bool {
        [self.state.cells(), self.state.snapshot()].into_iter().all(|cells| cells.is_empty() || holds(cells))
    }

    /// Whether a seat knows a hidden value of an owner, or has seen it if only that counts.
    fn knows_secret(&self, seat: usize, at: (usize, u8)) -> bool {
        let by_sight = self.values.watch.by_sight;
        self.now_and_before(
            |cells| if by_sight { self.rules.sees_secret(cells, seat, at) } else { self.rules.knows_secret(cells, seat, at) },
        )
    }

    /// Records for the watched seat a search for cards in play with a certain entry. It concerns cards in hidden places: to find none there
    /// is information as well.
    pub fn watch_entries(&self, matches: impl Fn(&Definition) -> bool) {
        if !self.values.watch.is_on() {
            return;
        }
        let position = Position::new(self.rules, self.state);
        for declared in self.rules.places.iter().filter(|place| place.in_play && place.hidden) {
            let instances = declared.first_instance as usize..(declared.first_instance + declared.instances) as usize;
            let is_hidden = |instance: usize| self.values.watch.unalerted_seats().any(|seat| !self.rules.sees_into(instance, seat));
            for instance in instances.filter(|&instance| is_hidden(instance)) {
                position.all_in(instance).iter().for_each(|&card| self.watch_fact(card, |card| matches(self.rules.definition(card))));
            }
        }
    }
}
