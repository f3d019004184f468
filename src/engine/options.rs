//! What a seat may do in its turn, and why it may not do the rest.

use super::decision::{Act, Opt};
use super::definition::concerns;
use super::eval::Env;
use super::game::Game;
use super::ruleset::{Action, Ruleset};
use crate::state::chance::join;

/// A guard that refuses, in the words of the rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The guard's name, `cost` for a price that cannot be paid, or `forbidden` for a card that speaks.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// Actions may have this many guards.
pub const MOST_GUARDS: usize = 16;

/// Actions may have this many parameters.
pub const MOST_PARAMS: usize = 3;

impl Game {
    /// Lists the actions of a turn.
    pub(super) fn enumerate(&mut self, rules: &Ruleset, turns: u16, seat: usize, options: &mut Vec<Opt>) {
        self.refresh_active(rules);
        for &action in &rules.turns[turns as usize].actions {
            let mut env = Env::of(seat);
            let mut args = [-1; MOST_PARAMS];
            self.known_guards = [None; MOST_GUARDS];
            self.known_payable = [None; 8];
            let key = rules.names.hash(rules.actions[action as usize].name);
            self.candidates(rules, action, 0, key, &mut env, &mut args, options);
        }
    }

    /// Lists what can be done with the parameters known so far; `key` is the hash of the words up to here.
    #[allow(clippy::too_many_arguments)]
    fn candidates(
        &mut self,
        rules: &Ruleset,
        index: u16,
        stage: usize,
        key: u64,
        env: &mut Env,
        args: &mut [i16; MOST_PARAMS],
        options: &mut Vec<Opt>,
    ) {
        let action = &rules.actions[index as usize];
        if !self.stage_holds(rules, action, stage, env) {
            return;
        }
        let Some(param) = action.params.get(stage) else {
            if self.last_word(rules, index, env) {
                let mut option = Opt { key, act: Act::Action(index, *args), free: action.free, nth: 0 };
                self.tell_apart(rules, &mut option, options);
                options.push(option);
            }
            return;
        };
        if param.maybe {
            env.locals[1 + stage] = -1;
            args[stage] = -1;
            self.candidates(rules, index, stage + 1, key, env, args, options);
        }
        let key = param.word.map_or(key, |word| join(key, rules.names.hash(word)));
        self.each_card(rules, param.set, env, |game, env| {
            let card = env.locals[1 + stage];
            args[stage] = card as i16;
            let key = join(key, rules.piece_hash[card as usize]);
            game.candidates(rules, index, stage + 1, key, env, args, options);
            true
        });
        args[stage] = -1;
    }

    fn tell_apart(&self, rules: &Ruleset, option: &mut Opt, options: &[Opt]) {
        let Act::Action(_, args) = option.act else { return };
        if !args.iter().any(|&card| card >= 0 && rules.piece_twins[card as usize]) {
            return;
        }
        let alike = options.iter().filter(|o| o.key == option.key || o.nth > 0 && join(option.key, o.nth as u64) == o.key).count();
        if alike > 0 {
            option.nth = alike as u8;
            option.key = join(option.key, alike as u64);
        }
    }

    /// Guards and costs that can be read once `stage` parameters are known.
    #[inline]
    fn stage_holds(&mut self, rules: &Ruleset, action: &Action, stage: usize, env: &mut Env) -> bool {
        for cost in action.costs.iter().filter(|c| c.stage as usize == stage) {
            let have = match &cost.tokens {
                Some(tokens) => {
                    let symbol = self.eval(rules, tokens.symbol, env);
                    // An action has one such cost, so that the pool is always the same.
                    match self.known_payable.get(symbol.max(0) as usize).copied().flatten() {
                        Some(known) => known,
                        None => {
                            let have = self.payable(rules, symbol, tokens.from, env.me);
                            if let Some(known) = self.known_payable.get_mut(symbol.max(0) as usize) {
                                *known = Some(have);
                            }
                            have
                        }
                    }
                }
                None => self.cell(rules, rules.layout.seat(env.me, cost.resource as usize)) as i64,
            };
            if self.eval(rules, cost.amount, env) > have {
                return false;
            }
        }
        for (i, guard) in action.guards.iter().enumerate() {
            if guard.stage as usize != stage {
                continue;
            }
            // A card that is left out is of no kind.
            if let Some(kinds) = guard.kinds
                && usize::try_from(env.locals[stage]).map_or(true, |card| kinds >> rules.piece_kind[card] & 1 == 0)
            {
                continue;
            }
            let holds = match guard.once {
                Some(node) if stage > 0 => match self.known_guards[i] {
                    Some(known) => known,
                    None => {
                        let holds = self.eval(rules, node, env) != 0;
                        self.known_guards[i] = Some(holds);
                        holds
                    }
                },
                _ => self.eval(rules, guard.node, env) != 0,
            };
            if !holds {
                return false;
            }
        }
        true
    }

    /// What cards say to it: what they forbid, and what the acting card itself needs and costs.
    fn last_word(&mut self, rules: &Ruleset, index: u16, env: &mut Env) -> bool {
        let action = &rules.actions[index as usize];
        if action.costs.len() > 1 && !self.pays_together(rules, action, env) {
            return false;
        }
        if let Some(acting) = action.acting
            && self.acting_refusal(rules, env.locals[1 + acting as usize], env.me).is_some()
        {
            return false;
        }
        self.active.forbids[index as usize].is_empty() || self.forbidden(rules, index, env).is_none()
    }

    fn pays_together(&mut self, rules: &Ruleset, action: &Action, env: &mut Env) -> bool {
        (0..rules.resources.len()).all(|resource| {
            let mut due = 0;
            for cost in action.costs.iter().filter(|c| c.resource as usize == resource) {
                due += self.eval(rules, cost.amount, env).max(0);
            }
            due <= self.amount(rules, env.me, resource)
        })
    }

    fn acting_refusal(&mut self, rules: &Ruleset, card: i32, seat: usize) -> Option<String> {
        if card < 0 {
            return Some("no card was named".to_string());
        }
        let action = rules.definition(card as usize).action.as_ref()?;
        let mut env = Env::with(seat, &[card, card]);
        if !self.holds_if(rules, action.needs, &mut env) {
            return Some(action.because.clone());
        }
        if let Some((times, used)) = action.limit {
            let done = self.cell(rules, rules.layout.piece(card as usize, used as usize)) as i64;
            if done >= times {
                return Some(format!("it has been used {done} of {times} times"));
            }
        }
        for (amount, resource) in &action.costs {
            let due = self.eval(rules, *amount, &mut env);
            if due > self.amount(rules, seat, *resource as usize) {
                return Some(format!("it costs {due} {}", rules.names.text(rules.resources[*resource as usize])));
            }
        }
        let first = action.parts.first();
        if let Some(ask) = first.and_then(|part| part.ask.as_ref())
            && first.is_some_and(|part| part.when.is_none())
        {
            let mut options = Vec::new();
            for (offer, when) in &ask.offers {
                self.offer(rules, offer, *when, &mut env, &mut options);
            }
            if options.is_empty() {
                return Some("there is nothing to choose".to_string());
            }
        }
        None
    }

    fn forbidden(&mut self, rules: &Ruleset, index: u16, env: &Env) -> Option<String> {
        for i in 0..self.active.forbids[index as usize].len() {
            let speaker = self.active.forbids[index as usize][i];
            let definition = rules.definition(speaker.piece as usize);
            let forbid = &definition.forbids[speaker.entry as usize];
            if !concerns(forbid.who, speaker.owner, env.me) {
                continue;
            }
            let owner = if speaker.owner as usize >= rules.players { env.me } else { speaker.owner as usize };
            if self.holds_if(rules, forbid.when, &mut Env::with(owner, &[speaker.piece as i32, env.locals[1], env.locals[2]])) {
                return Some(format!("{} ({})", forbid.because, definition.name));
            }
        }
        None
    }

    /// Every reason against an action with these candidates; empty when it is allowed.
    pub fn refusals(&mut self, rules: &Ruleset, seat: usize, index: u16, args: [i16; MOST_PARAMS]) -> Vec<Refusal> {
        self.refresh_active(rules);
        let action = &rules.actions[index as usize];
        let mut env = Env::of(seat);
        env.set_args(args);
        let mut refusals = Vec::new();
        for cost in &action.costs {
            let due = self.eval(rules, cost.amount, &mut env);
            let (have, name) = match &cost.tokens {
                Some(tokens) => {
                    let symbol = self.eval(rules, tokens.symbol, &mut env);
                    (self.payable(rules, symbol, tokens.from, seat), rules.symbols[symbol.max(0) as usize])
                }
                None => (self.amount(rules, seat, cost.resource as usize), rules.resources[cost.resource as usize]),
            };
            if due > have {
                let name = rules.names.text(name);
                refusals.push(Refusal { name: "cost".into(), reason: format!("it costs {due} {name}, and there are {have}") });
            }
        }
        for guard in &action.guards {
            if self.eval(rules, guard.node, &mut env) == 0 {
                refusals.push(Refusal { name: guard.name.clone(), reason: guard.reason.clone() });
            }
        }
        if let Some(acting) = action.acting
            && let Some(reason) = self.acting_refusal(rules, env.locals[1 + acting as usize], seat)
        {
            refusals.push(Refusal { name: "card".into(), reason });
        }
        if let Some(reason) = self.forbidden(rules, index, &env) {
            refusals.push(Refusal { name: "forbidden".into(), reason });
        }
        refusals
    }
}
