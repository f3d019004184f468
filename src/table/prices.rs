//! Prices of actions, and reasons against actions whose cards are not all known yet; computed for display, whether the actions are
//! offered or not.

use crate::cast;
use crate::engine::eval::Env;
use crate::engine::ruleset::{NameId, Param};
use crate::engine::{Store, sets};

/// The price of an action with a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// Index of the card's piece.
    pub card: usize,
    /// Index of the action.
    pub action: u16,
    /// Amounts by resource, or by symbol shown on tokens.
    pub costs: Vec<(i64, NameId)>,
}

/// Returns the reasons against an action of several cards that can be determined as soon as the first card is known.
pub fn reasons_at_first(store: &mut Store<'_>, seat: usize, action: u16, card: usize) -> Vec<String> {
    let rules = store.rules;
    let mut env = Env::for_seat(seat);
    if let Some(param) = rules.choices[action as usize].params.first() {
        env.locals[param.local as usize] = cast::fit::<i32>(card);
    }
    let mut reasons = Vec::new();
    for guard in rules.choices[action as usize].guards.iter().filter(|guard| guard.stage <= 1) {
        let concerns = guard.kinds.is_none_or(|kinds| guard.stage < 1 || kinds >> rules.piece_kind[card] & 1 == 1);
        if concerns && store.eval(guard.node, &mut env) == 0 {
            reasons.push(format!("{}: {}", guard.name, guard.reason));
        }
    }
    store.discard_arithmetic_error();
    reasons
}

/// Returns the cards that an action of a turn could take as its first parameter, whether the action is allowed or not.
pub fn first_cards(store: &mut Store<'_>, seat: usize, action: u16) -> Vec<usize> {
    let rules = store.rules;
    let Some(set) = rules.choices[action as usize].params.first().and_then(Param::cards) else { return Vec::new() };
    let mut cards = Vec::new();
    sets::cards_of(store, set, &mut Env::for_seat(seat), &mut cards);
    store.discard_arithmetic_error();
    cards.into_iter().filter_map(|card| usize::try_from(card).ok()).collect()
}

/// Computes the prices of all actions of a turn for a seat, with each card that they could take as their first parameter; free actions are
/// left out.
pub fn compute_prices(store: &mut Store<'_>, seat: usize) -> Vec<Price> {
    let rules = store.rules;
    let mut prices = Vec::new();
    let in_turns = |action: u16| rules.turns.iter().any(|turns| turns.actions.contains(&action));
    for action in (0..cast::fit::<u16>(rules.action_count)).filter(|&action| in_turns(action)) {
        let costs: Vec<_> = rules.choices[action as usize].costs.iter().filter(|cost| cost.stage == 1).collect();
        if costs.is_empty() {
            continue;
        }
        for card in first_cards(store, seat, action) {
            let mut env = Env::for_seat(seat);
            if let Some(param) = rules.choices[action as usize].params.first() {
                env.locals[param.local as usize] = cast::fit::<i32>(card);
            }
            let mut due = Vec::new();
            store.take_read_hidden();
            for cost in &costs {
                let amount = store.eval(cost.amount, &mut env);
                let what = match &cost.tokens {
                    Some(tokens) => rules.symbols.get(cast::index(store.eval(tokens.symbol, &mut env).max(0))),
                    None => rules.resources.get(cost.resource as usize),
                };
                due.extend(what.filter(|_| amount > 0).map(|what| (amount, *what)));
            }
            // A price is skipped if it cannot be computed or depends on something unknown to the viewer.
            if store.take_arithmetic_fault().is_none() && !store.take_read_hidden() && !due.is_empty() {
                prices.push(Price { card, action, costs: due });
            }
        }
    }
    prices
}
