//! What explanations read of a game: values as they are worked out plainly, and which cards speak. Nothing here runs while a game is played.

use super::active::ActiveEntry;
use super::env::Env;
use super::eval::plain;
use super::game::Game;
use super::machine::Machine;
use super::ruleset::NodeId;

impl Machine<'_> {
    /// The value of any expression, also one that was made after the ruleset was compiled; `None` where a number is too large or
    /// divided by 0.
    pub fn plain_value(&mut self, node: NodeId, env: &Env) -> Option<i64> {
        plain::value(&mut self.evaluator(), node, env)
    }

    /// The cards of a set, in their order; `None` where a number went wrong.
    pub fn plain_cards(&mut self, set: u32, env: &Env) -> Option<Vec<i32>> {
        plain::cards_in(&mut self.evaluator(), set, env)
    }

    /// A quantity of a seat with all changes; `None` where a number went wrong.
    pub fn plain_quantity(&mut self, index: u16, seat: usize, args: [i32; 2]) -> Option<i64> {
        plain::quantity(&mut self.evaluator(), index, seat, args)
    }

    /// How much of a symbol a pool can pay, with exchanges.
    pub fn payable(&mut self, symbol: i64, pool: u8, seat: usize) -> i64 {
        self.evaluator().reader::<true>().payable(symbol, pool, seat)
    }

    /// The entries of cards in play that change a quantity, in the order in which they do, whomever they concern.
    pub fn changes_in_play(&mut self, quantity: u16) -> &[ActiveEntry] {
        self.evaluator().refresh_active();
        self.memory.values.active.changes(quantity)
    }

    /// The entries of cards in play that could forbid an action, whomever they concern.
    pub fn forbids_in_play(&mut self, action: u16) -> &[ActiveEntry] {
        self.evaluator().refresh_active();
        self.memory.values.active.forbids(action)
    }

    /// A number that could not be worked out is of no account.
    pub fn forget_wrong_number(&mut self) {
        self.memory.values.forget_wrong_number();
    }
}

/// Does something with the holder of a game, in which others are looked at as ranks do: while all act at once, as they were before.
pub fn with_snapshot_view<W, T>(holder: &mut W, game: impl Fn(&mut W) -> &mut Game, f: impl FnOnce(&mut W) -> T) -> T {
    let values = &mut game(holder).memory.values;
    let view = values.view;
    values.view = view.of_ranks();
    let result = f(holder);
    game(holder).memory.values.view = view;
    result
}
