//! What people want to know of actions, whether they are offered or not: why one is refused, what it would cost.

use super::edit::Meant;
use super::eval::Env;
use super::game::Game;
use super::options::MOST_PARAMS;
use super::ruleset::{NameId, Ruleset};
use crate::cast;

/// What an action would cost with a card, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The card.
    pub card: usize,
    /// The action.
    pub action: u16,
    /// How many of what: of a resource, or of what tokens show.
    pub costs: Vec<(i64, NameId)>,
}

impl Game {
    /// Why a seat cannot take an option, as far as its words mean an action: each reason with the name of what says so in the rules;
    /// none where nothing is known of it. The message of a refusal begins with these.
    pub fn reasons(&mut self, rules: &Ruleset, seat: usize, key: &str) -> Vec<String> {
        match self.meaning(rules, seat, key) {
            Meant::Action(action, args) => self.reasons_against(rules, seat, action, args),
            Meant::Absent(_, why) => vec![why],
            Meant::Unknown => Vec::new(),
        }
    }

    /// The same of an action with its candidates.
    pub fn reasons_against(&mut self, rules: &Ruleset, seat: usize, action: u16, args: [i16; MOST_PARAMS]) -> Vec<String> {
        let refusals = self.refusals(rules, seat, action, args).into_iter();
        let reasons = refusals.map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect();
        self.forget_wrong_number();
        reasons
    }

    /// What speaks against an action of several cards as soon as the first of them is known.
    pub fn reasons_at_first(&mut self, rules: &Ruleset, seat: usize, action: u16, card: usize) -> Vec<String> {
        let mut env = Env::of(seat);
        env.locals[1] = cast::fit::<i32>(card);
        let mut reasons = Vec::new();
        for guard in rules.actions[action as usize].guards.iter().filter(|guard| guard.stage <= 1) {
            let concerns = guard.kinds.is_none_or(|kinds| guard.stage < 1 || kinds >> rules.piece_kind[card] & 1 == 1);
            if concerns && self.eval(rules, guard.node, &mut env) == 0 {
                reasons.push(format!("{}: {}", guard.name, guard.reason));
            }
        }
        self.forget_wrong_number();
        reasons
    }

    /// The cards that each action of a turn could take first, whether it is allowed or not.
    pub fn first_cards(&mut self, rules: &Ruleset, seat: usize, action: u16) -> Vec<usize> {
        let Some(param) = rules.actions[action as usize].params.first() else { return Vec::new() };
        let mut cards = Vec::new();
        self.cards_of(rules, param.set, &mut Env::of(seat), &mut cards);
        self.forget_wrong_number();
        cards.into_iter().filter_map(|card| usize::try_from(card).ok()).collect()
    }

    /// What actions of turns would cost a seat with each card that they could take first; what is free is left out.
    pub fn prices(&mut self, rules: &Ruleset, seat: usize) -> Vec<Price> {
        let mut prices = Vec::new();
        let in_turns = |action: u16| rules.turns.iter().any(|turns| turns.actions.contains(&action));
        for action in (0..cast::fit::<u16>(rules.actions.len())).filter(|&action| in_turns(action)) {
            let costs: Vec<_> = rules.actions[action as usize].costs.iter().filter(|cost| cost.stage == 1).collect();
            if costs.is_empty() {
                continue;
            }
            for card in self.first_cards(rules, seat, action) {
                let mut env = Env::of(seat);
                env.locals[1] = cast::fit::<i32>(card);
                let mut due = Vec::new();
                self.take_read_hidden();
                for cost in &costs {
                    let amount = self.eval(rules, cost.amount, &mut env);
                    let what = match &cost.tokens {
                        Some(tokens) => rules.symbols.get(cast::index(self.eval(rules, tokens.symbol, &mut env).max(0))),
                        None => rules.resources.get(cost.resource as usize),
                    };
                    due.extend(what.filter(|_| amount > 0).map(|what| (amount, *what)));
                }
                // A price that cannot be worked out is none, nor is one that is known to nobody who looks.
                if self.wrong_number(rules).is_none() && !self.take_read_hidden() && !due.is_empty() {
                    prices.push(Price { card, action, costs: due });
                }
            }
        }
        prices
    }
}
