//! Emits the listing of choices: the options for all values of their parameters to which conditions, guards and costs do not object.
//!
//! What a card says to its own action, and what cards forbid, is left to the engine.

use crate::cast;
use crate::emitter::{Emitter, Task};
use crate::function::{Argument, Function, I, Name};
use crate::loops::Then;
use crate::memory::{MAX_LISTED, NEXT_OPTION_AT, OPTION_SIZE, OPTIONS_AT};
use crate::numbers::{at_least, at_most, checked_sum};
use houserule_ruleset::Ruleset;
use houserule_ruleset::graph::{Expr, ExprId};
use houserule_ruleset::node::{CardSet, PlayerSet};
use houserule_ruleset::op::LOCALS;
use houserule_ruleset::program::{Choice, Domain, Guard, MAX_PARAMS, Param};

const _: () = assert!(OPTION_SIZE as usize == 4 * (1 + MAX_PARAMS));

/// Choices whose options are listed by one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listed {
    /// The actions of a turn, by the index of its turns.
    Turn(u16),
    /// The answers to a question, by its index.
    Question(u32),
}

impl Listed {
    /// Returns the choices, in order.
    pub fn choices(self, rules: &Ruleset) -> &[u16] {
        match self {
            Listed::Turn(turns) => &rules.turns[usize::from(turns)].actions,
            Listed::Question(question) => &rules.questions[question as usize].choices,
        }
    }
}

/// What the listing of one choice keeps in locals.
struct Listing<'r> {
    index: u16,
    choice: &'r Choice,
    /// The address of the next option.
    at: u32,
    /// The values chosen for the parameters so far.
    chosen: Vec<u32>,
    /// The address of how much of each symbol can be paid, 64 bits each, if a cost asks for a symbol that what is chosen decides.
    payable: Option<u32>,
    /// For each guard that is the same for all candidates the local that says whether its value is known, and the one that holds it.
    once: Vec<Option<(u32, u32)>>,
}

impl<'r> Emitter<'r> {
    /// The function that lists several choices, one behind the other: from slot and seat to the number of options, which lie at
    /// [`OPTIONS_AT`].
    pub fn listing_function(&mut self, listed: Listed) -> Function {
        let mut f = self.begin(2, &[]);
        f.i32(0).address(OPTIONS_AT).store(NEXT_OPTION_AT);
        for &choice in listed.choices(self.rules) {
            let function = self.function(Task::List(choice));
            f.get(0).get(1).call(function).put(I::Drop);
        }
        f.i32(0).load(NEXT_OPTION_AT).address(OPTIONS_AT).put(I::I32Sub).address(OPTION_SIZE).put(I::I32DivU).widen();
        f
    }

    /// The function that lists a choice behind the options that are listed already.
    pub fn list_function(&mut self, index: u16) -> Function {
        let choice = &self.rules.choices[usize::from(index)];
        let mut f = self.begin(2, &[]);
        f.set_locals(0, &[Argument::InMemory; LOCALS]);
        let at = f.int();
        f.i32(0).load(NEXT_OPTION_AT).set(at);
        let once = choice.guards.iter().map(|guard| guard.once.map(|_| (f.int(), f.int()))).collect();
        let payable = self.payable_ahead(&mut f, choice);
        let mut listing = Listing { index, choice, at, chosen: Vec::new(), payable, once };
        self.candidates(&mut f, &mut listing);
        f.i32(0).get(at).store(NEXT_OPTION_AT);
        f.i64(0);
        f
    }

    /// Works out ahead of the candidates how much of each symbol can be paid, if they decide which symbol a cost asks for. An action has at most
    /// one cost in tokens. Returns where that lies.
    fn payable_ahead(&mut self, f: &mut Function, choice: &Choice) -> Option<u32> {
        let decided = |symbol: ExprId| self.rules.graph.facts(symbol).locals != 0;
        let tokens = choice.costs.iter().filter_map(|cost| cost.tokens.as_ref()).find(|tokens| decided(tokens.symbol))?;
        let symbols = self.rules.symbols.len();
        let table = self.data.unshared(&vec![0; symbols]);
        for (symbol, at) in (0..symbols).zip((table..).step_by(8)) {
            f.i32(0);
            self.payable_of(f, Ok(symbol), tokens.from);
            f.store_long(at);
        }
        Some(table)
    }

    /// The function that lists the cards of a set: from slot and seat to their number; they lie at [`OPTIONS_AT`], 32 bits each.
    pub fn cards_function(&mut self, index: u32) -> Function {
        let set = &self.rules.sets[index as usize];
        let mut f = self.begin(2, set.filter.as_slice());
        f.set_locals(0, &[Argument::InMemory; LOCALS]);
        let at = f.int();
        f.address(OPTIONS_AT).set(at);
        self.each_card_of_set(&mut f, set, &mut |_, f, card| {
            trap_if_full(f, at);
            f.get(at).get(card).i32(1).put(I::I32Sub).store(0);
            f.advance(at, 4);
        });
        f.get(at).address(OPTIONS_AT).put(I::I32Sub).scale_down().widen();
        f
    }

    /// Emits a loop over the cards of a set, which its local holds.
    fn each_card_of_set(&mut self, f: &mut Function, set: &CardSet, then: Then<'_, 'r>) {
        let within = set.within.map(|within| (within, self.spaces(f, within)));
        self.each_card(f, &set.cards, (Name::Local(set.local), set.filter), None, within, then);
    }

    /// Lists the options for all values of the parameters that have not been chosen yet.
    fn candidates(&mut self, f: &mut Function, listing: &mut Listing<'r>) {
        let stage = listing.chosen.len();
        f.begin_block();
        let mark = f.mark();
        self.tests(f, listing, stage);
        match listing.choice.params.get(stage) {
            Some(param) => self.values_of(f, listing, param),
            None => {
                self.all_costs(f, listing.choice);
                add_option(f, listing);
            }
        }
        f.forget(mark);
        f.end();
    }

    /// Leaves the block if a condition, cost or guard objects that depends on the first `stage` parameters only.
    fn tests(&mut self, f: &mut Function, listing: &Listing<'r>, stage: usize) {
        let choice = listing.choice;
        if let Some(when) = choice.when.filter(|_| usize::from(choice.when_stage) == stage) {
            self.condition(f, when);
            f.again_unless();
        }
        for cost in choice.costs.iter().filter(|cost| usize::from(cost.stage) == stage) {
            let due = self.value_in_local(f, cost.amount);
            f.get(due);
            match &cost.tokens {
                Some(tokens) => match listing.payable.filter(|_| self.rules.graph.constant(tokens.symbol).is_none()) {
                    Some(table) => self.payable_of_table(f, tokens.symbol, table),
                    None => self.payable(f, tokens.symbol, tokens.from),
                },
                None => self.compute_expr(f, Expr::Own { offset: cost.resource.into() }),
            }
            f.put(I::I64GtS).again_if();
        }
        for (index, guard) in choice.guards.iter().enumerate().filter(|(_, guard)| usize::from(guard.stage) == stage) {
            match guard.kinds {
                None => self.guard(f, listing, (index, guard), stage),
                Some(kinds) => {
                    let kinds = self.flags_of_kinds(kinds);
                    // A parameter that was left out has no kind.
                    f.get(listing.chosen[stage - 1]).i32(1).put(I::I32Add).load_flag(kinds).begin_if_int();
                    let mark = f.mark();
                    self.guard(f, listing, (index, guard), stage);
                    f.forget(mark);
                    f.or_else();
                    f.i32(1).end();
                }
            }
            f.again_unless();
        }
    }

    /// Leaves on the stack whether a guard holds.
    fn guard(&mut self, f: &mut Function, listing: &Listing<'r>, (index, guard): (usize, &Guard), stage: usize) {
        let (Some(once), Some((known, holds)), true) = (guard.once, listing.once[index], stage > 0) else {
            return self.condition(f, guard.node);
        };
        f.get(known).put(I::I32Eqz).begin_if();
        let mark = f.mark();
        self.condition(f, once);
        f.set(holds);
        f.i32(1).set(known);
        f.forget(mark);
        f.end();
        f.get(holds);
    }

    /// Leaves the block unless all costs together can be paid.
    fn all_costs(&mut self, f: &mut Function, choice: &Choice) {
        if choice.costs.len() < 2 {
            return;
        }
        for resource in 0..cast::fit::<u8>(self.rules.resources.len()) {
            let amounts: Vec<ExprId> = choice.costs.iter().filter(|cost| cost.resource == resource).map(|cost| cost.amount).collect();
            if amounts.is_empty() {
                continue;
            }
            f.i64(0);
            for amount in amounts {
                let amount = self.value_in_local(f, amount);
                at_least(f, amount, 0);
                f.get(amount);
                checked_sum(f, false);
            }
            self.compute_expr(f, Expr::Own { offset: resource.into() });
            f.put(I::I64GtS).again_if();
        }
    }

    /// Lists the options for all values of a parameter.
    fn values_of(&mut self, f: &mut Function, listing: &mut Listing<'r>, param: &'r Param) {
        let value = f.int();
        listing.chosen.push(value);
        if param.maybe {
            f.i32(-1).set(value);
            self.candidates_with(f, listing, (param.local, value));
        }
        match &param.domain {
            Domain::Cards(set) => self.cards_of_param(f, listing, *set, value),
            Domain::Words(words) if words.is_empty() => {}
            Domain::Words(words) => {
                let (table, end) = (self.data.words(words.iter().map(|word| word.1)), cast::fit::<u32>(words.len() * 4));
                let at = f.int();
                f.i32(0).set(at);
                f.begin_loop();
                f.get(at).load(table).set(value);
                self.candidates_with(f, listing, (param.local, value));
                f.step(at, 4).address(end).again_if_below();
                f.end();
            }
            Domain::Numbers { from, to } => {
                let (number, last) = (self.value_in_local(f, *from), self.value_in_local(f, *to));
                // Only what fits into a local of the environment can be chosen.
                at_least(f, number, i32::MIN.into());
                at_most(f, last, i32::MAX.into());
                f.get(number).get(last).put(I::I64LeS).begin_if();
                f.begin_loop();
                f.get(number).narrow().set(value);
                self.candidates_with(f, listing, (param.local, value));
                f.get(number).i64(1).put(I::I64Add).tee(number).get(last).put(I::I64LeS).again_if();
                f.end();
                f.end();
            }
            Domain::Players(set) => self.players_of_param(f, listing, set, (param.local, value)),
        }
        listing.chosen.pop();
    }

    /// Lists the options for a value, in a local, that a local of the environment holds.
    fn candidates_with(&mut self, f: &mut Function, listing: &mut Listing<'r>, (local, value): (u8, u32)) {
        let bound = f.bind(Name::Local(local), Argument::Small(value));
        self.candidates(f, listing);
        f.unbind(bound);
    }

    fn cards_of_param(&mut self, f: &mut Function, listing: &mut Listing<'r>, set: u32, value: u32) {
        self.each_card_of_set(f, &self.rules.sets[set as usize], &mut |emitter, f, card| {
            f.get(card).i32(1).put(I::I32Sub).set(value);
            emitter.candidates(f, listing);
        });
    }

    fn players_of_param(&mut self, f: &mut Function, listing: &mut Listing<'r>, set: &PlayerSet, (local, value): (u8, u32)) {
        let players = cast::fit::<i32>(self.rules.players);
        let asker = f.bind(Name::Local(set.local), Argument::Small(f.seat.me));
        f.i32(0).set(value);
        f.begin_loop();
        let player = f.bind(Name::Local(local), Argument::Small(value));
        f.begin_block();
        let mark = f.mark();
        if set.others {
            f.get(value).me().put(I::I32Eq).again_if();
        }
        if let Some(filter) = set.filter {
            let outer = f.enter(f.seat.slot, value, self.seat_size());
            self.condition(f, filter);
            f.seat = outer;
            f.again_unless();
        }
        self.candidates(f, listing);
        f.forget(mark);
        f.end();
        f.unbind(player);
        f.step(value, 1).i32(players).again_if_below();
        f.end();
        f.unbind(asker);
    }
}

/// Traps if there is no room for more: the engine lists it, or tells that it is too much.
fn trap_if_full(f: &mut Function, at: u32) {
    f.get(at).address(OPTIONS_AT + MAX_LISTED * OPTION_SIZE).put(I::I32GeU).trap_if();
}

/// Writes an option.
fn add_option(f: &mut Function, listing: &Listing<'_>) {
    let Listing { index, at, ref chosen, .. } = *listing;
    trap_if_full(f, at);
    f.get(at).i32(index.into()).store(0);
    for param in 0..MAX_PARAMS {
        f.get(at);
        let value = chosen.get(param).map_or(I::I32Const(-1), |&value| I::LocalGet(value));
        f.put(value).store(cast::fit::<u32>(param) * 4 + 4);
    }
    f.advance(at, OPTION_SIZE);
}
