//! Reads for explanations: values by the reference evaluator, and entries of cards in play. Play itself does not use this module.

use super::active::ActiveEntry;
use super::env::Env;
use super::eval::plain;
use super::game::Game;
use super::ruleset::NodeId;
use super::store::Store;

impl Store<'_> {
    /// Evaluates any expression, also one created after the ruleset was compiled; `None` after an overflow or division by 0.
    pub fn plain_value(&mut self, node: NodeId, env: &Env) -> Option<i64> {
        plain::evaluate(&mut self.evaluator(), node, env)
    }

    /// Evaluates an expression by generated code alone; `None` if it has none, or if it went wrong.
    pub fn native_value(&mut self, node: NodeId, env: &Env) -> Option<i64> {
        self.evaluator().native_value(node, env)
    }

    /// Returns the cards of a set, in order; `None` after an arithmetic error.
    pub fn plain_cards(&mut self, set: u32, env: &Env) -> Option<Vec<i32>> {
        plain::cards_in(&mut self.evaluator(), set, env)
    }

    /// Evaluates a quantity of a seat with all changes; `None` after an arithmetic error.
    pub fn plain_quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
        plain::evaluate_quantity(&mut self.evaluator(), index, seat, args)
    }

    /// Returns how much of a symbol a pool can pay, including exchanges.
    pub fn payable(&mut self, symbol: i64, pool: u8, seat: usize) -> i64 {
        self.evaluator().reader().payable(symbol, pool, seat)
    }

    /// Returns the changes of a quantity by cards in play, in the order of their application, for whichever seats.
    pub fn changes_in_play(&mut self, quantity: u16) -> &[ActiveEntry] {
        self.evaluator().refresh_active();
        self.live.values.active.changes(quantity)
    }

    /// Returns the prohibitions of an action by cards in play, for whichever seats.
    pub fn forbids_in_play(&mut self, action: u16) -> &[ActiveEntry] {
        self.evaluator().refresh_active();
        self.live.values.active.forbids(action)
    }

    /// Discards a recorded arithmetic error.
    pub fn discard_arithmetic_error(&mut self) {
        self.live.values.discard_arithmetic_error();
    }
}

/// Calls `f` while the game of `holder` is read as ranks read it: during a simultaneous block, from the snapshot.
pub fn with_snapshot_view<W, T>(holder: &mut W, game: impl Fn(&mut W) -> &mut Game, f: impl FnOnce(&mut W) -> T) -> T {
    let values = &mut game(holder).live.values;
    let view = values.view;
    values.view = view.for_ranks();
    let result = f(holder);
    game(holder).live.values.view = view;
    result
}
