//! What a seat may choose, in its turn or as an answer, and the reasons against the rest. Only `objections_at` and `last_objections` decide
//! what is allowed: the list of options stops at the first objection, and players are shown all of them.

use super::alike;
use super::decision::{Act, Args, Decision, Opt, Question};
use super::definition::{Forbid, concerns};
use super::eval::Env;
use super::key;
use super::machine::Machine;
use super::offers;
use super::op::Op;
use super::question::{MAX_OPTIONS, hide_unseen};
use super::ruleset::Param;
use super::ruleset::{Choice, Cost, Domain, Guard, InTurn, NameId, Ruleset, Turns};
use super::sets;
use crate::cast;
use houserule_codegen::Listed;
use houserule_ruleset::program::TextPart;
pub use houserule_ruleset::program::{MAX_GUARDS, MAX_PARAMS, Stage, list_stages};
use houserule_state::chance::join;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A reason why a choice is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The guard's name, `if` for the condition of an answer, `cost` for a price that cannot be paid, `card` for a condition of the acting
    /// card, or `forbidden` for a card in play that forbids the action.
    pub name: String,
    /// The reason in words, for the player.
    pub reason: String,
}

/// An objection to a choice.
pub(super) enum Objection<'r> {
    /// The condition under which an answer is offered does not hold.
    When,
    /// A cost is too high: its resource or symbol, the amount due, and the amount available.
    Cost(NameId, i64, i64),
    /// Several costs are too high together.
    Costs,
    /// A guard of the action does not hold.
    Guard(&'r Guard),
    /// A condition of the acting card does not hold: the reason.
    Card(&'r str),
    /// A cost of the acting card is too high: its resource, and the amount due.
    CardCosts(NameId, i64),
    /// The acting card has been used too often: the number of uses, and the limit.
    Used(i64, i64),
    /// A card in play forbids the action: the prohibition, and the name of the card.
    Forbidden(&'r Forbid, &'r str),
    /// A card in play that the watched seat does not know forbids the action.
    ForbiddenUnseen,
}

type Continue = ControlFlow<()>;

/// Lists the actions of a turn.
pub(crate) fn list_turn(machine: &mut Machine<'_>, turns: u16, seat: usize, options: &mut Vec<Opt>) {
    machine.evaluator().refresh_active();
    list(machine, Listed::Turn(turns), &Env::for_seat(seat), options, |machine, first, options, copies| {
        // Copies of a card have equal words, and so can what is chosen in a text of the rules' own.
        if copies > 1 || options[first..].first().is_some_and(|option| can_be_read_twice(machine.rules, option.act)) {
            alike::merge_alike(machine, seat, first, options);
            number_copies(&mut options[first..]);
        }
    });
}

/// Lists the answers to a question.
pub(crate) fn list_question(machine: &mut Machine<'_>, question: u32, env: &Env, options: &mut Vec<Opt>) {
    list(machine, Listed::Question(question), env, options, |_, _, _, _| {});
}

/// Lists the options of several choices, one choice behind the other. When those of a choice are listed, `then` gets the index of the first of
/// them, all options so far, and how many of the choice's name a card of which there are several.
fn list(
    machine: &mut Machine<'_>,
    asked: Listed,
    env: &Env,
    options: &mut Vec<Opt>,
    mut then: impl FnMut(&Machine<'_>, usize, &mut Vec<Opt>, u32),
) {
    let rules = machine.rules;
    let mut listed = std::mem::take(&mut machine.memory.scratch.listed);
    match list_by_native(machine, asked, env, &mut listed) {
        Some(()) => {
            for of_choice in listed.chunk_by(|a, b| a.0 == b.0) {
                let first = options.len();
                let copies = add_listed(machine, of_choice, env, options);
                then(machine, first, options, copies);
            }
        }
        None => {
            for &choice in asked.choices(rules) {
                let (first, mut copies) = (options.len(), 0);
                machine.memory.scratch.known_guards = [None; MAX_GUARDS];
                machine.memory.scratch.known_payable = [None; 8];
                candidates(machine, (choice, true), 0, &mut { *env }, &mut [-1; MAX_PARAMS], options, &mut copies);
                then(machine, first, options, copies);
            }
        }
    }
    machine.memory.scratch.listed = listed;
}

/// Lists options by generated code, which leaves to the engine what cards say. `None` if there is no such code, if it went wrong, or if what it
/// reads must be noted.
fn list_by_native(machine: &mut Machine<'_>, asked: Listed, env: &Env, listed: &mut Vec<(u16, Args)>) -> Option<()> {
    if machine.memory.values.watch.is_on() {
        return None;
    }
    machine.evaluator().native_options(asked, env, listed)
}

/// Adds the options of one choice that generated code has listed, and to which cards do not object. Returns how many of them name a card of
/// which there are several.
fn add_listed(machine: &mut Machine<'_>, listed: &[(u16, Args)], env: &Env, options: &mut Vec<Opt>) -> u32 {
    let Some(&(index, _)) = listed.first() else { return 0 };
    let (rules, mut copies) = (machine.rules, 0);
    let choice = &rules.choices[usize::from(index)];
    let cards_object = |action: &InTurn| action.acting.is_some() || !machine.memory.values.active.forbids(index).is_empty();
    let cards_object = choice.action.as_ref().is_some_and(cards_object);
    let (prefix, free) = (key::prefix(rules, choice), choice.is_free());
    for &(_, args) in listed {
        if cards_object {
            let mut env = *env;
            env.set_args(&choice.params, args);
            if last_objections(machine, index, &mut env, &mut |_| Continue::Break(())).is_break() {
                continue;
            }
        }
        options.push(Opt { key: key::hash_behind(rules, choice, prefix, args), act: Act::Choice(index, args), free, nth: 0 });
        copies += u32::from(names_twin(rules, choice, &args));
    }
    copies
}

/// Whether two options of a choice can have equal words although other values are chosen: in a text of the rules' own two values stand
/// without a blank between them. No value has a blank in it.
fn can_be_read_twice(rules: &Ruleset, act: Act) -> bool {
    let Act::Choice(choice, _) = act else { return false };
    let parts = rules.choices[usize::from(choice)].text.as_deref().unwrap_or_default();
    let is_blank = |part: &TextPart| matches!(part, TextPart::Text(text) if text.contains(' '));
    let is_value = |part: &&TextPart| matches!(part, TextPart::Value(_));
    parts.split(is_blank).any(|run| run.iter().filter(is_value).count() > 1)
}

/// Whether an option names a card of which there are several.
fn names_twin(rules: &Ruleset, choice: &Choice, args: &Args) -> bool {
    let is_twin = |(param, &card): (&Param, &i32)| param.cards().is_some() && card >= 0 && rules.piece_twins[cast::index(card)];
    choice.params.iter().zip(args).any(is_twin)
}

/// Whether guards and costs still allow an option that has been listed. What only its condition says is not tested again.
pub(crate) fn is_still_allowed(machine: &mut Machine<'_>, index: u16, args: Args, env: &Env) -> bool {
    let choice = &machine.rules.choices[index as usize];
    if choice.guards.is_empty() && choice.costs.is_empty() {
        return true;
    }
    let mut env = *env;
    env.set_args(&choice.params, args);
    let report =
        &mut |objection: Objection<'_>| if matches!(objection, Objection::When) { Continue::Continue(()) } else { Continue::Break(()) };
    objections(machine, index, &mut env, report).is_continue()
}

/// Lists the options for all values of the remaining parameters; those before `stage` are chosen. Without `tested` the options are listed to
/// which there are objections, too.
#[allow(clippy::too_many_arguments)]
fn candidates(
    machine: &mut Machine<'_>,
    (index, tested): (u16, bool),
    stage: usize,
    env: &mut Env,
    args: &mut Args,
    options: &mut Vec<Opt>,
    copies: &mut u32,
) {
    let rules = machine.rules;
    let choice = &rules.choices[index as usize];
    let mut stop = |_: Objection<'_>| Continue::Break(());
    if tested && objections_at(machine, index, stage, true, env, &mut stop).is_break() {
        return;
    }
    let Some(param) = choice.params.get(stage) else {
        if !tested || last_objections(machine, index, env, &mut stop).is_continue() {
            options.push(Opt::new(rules, Act::Choice(index, *args)));
            *copies += u32::from(names_twin(rules, choice, args));
        }
        return;
    };
    let local = param.local as usize;
    args[stage] = -1;
    if param.maybe {
        env.locals[local] = -1;
        candidates(machine, (index, tested), stage + 1, env, args, options, copies);
    }
    match &param.domain {
        Domain::Cards(set) => sets::each_card(machine, *set, env, |game, env| {
            args[stage] = env.locals[local];
            candidates(game, (index, tested), stage + 1, env, args, options, copies);
            true
        }),
        Domain::Words(words) => {
            for &(_, value) in words {
                (env.locals[local], args[stage]) = (value, value);
                candidates(machine, (index, tested), stage + 1, env, args, options, copies);
            }
        }
        Domain::Numbers { from, to } => {
            let (from, to) = (machine.eval(*from, env), machine.eval(*to, env));
            // One option above the limit is enough to detect the overflow.
            for number in (from..=to).filter_map(|number| i32::try_from(number).ok()) {
                if options.len() > MAX_OPTIONS {
                    break;
                }
                (env.locals[local], args[stage]) = (number, number);
                candidates(machine, (index, tested), stage + 1, env, args, options, copies);
            }
        }
        Domain::Players(set) => {
            let me = env.me;
            let outer = std::mem::replace(&mut env.locals[set.local as usize], i32::from(cast::seat(me)));
            for player in (0..rules.players).filter(|&player| player != me || !set.others) {
                let value = i32::from(cast::seat(player));
                env.locals[local] = value;
                env.me = player;
                let fits = machine.holds_if(set.filter, env);
                env.me = me;
                if fits {
                    args[stage] = value;
                    candidates(machine, (index, tested), stage + 1, env, args, options, copies);
                }
            }
            env.locals[set.local as usize] = outer;
        }
    }
    args[stage] = -1;
}

/// Calls `report` for each objection to a choice with the parameters in `env`, until it breaks.
pub(crate) fn objections<'r>(
    machine: &mut Machine<'r>,
    index: u16,
    env: &mut Env,
    report: &mut impl FnMut(Objection<'r>) -> Continue,
) -> Continue {
    let rules = machine.rules;
    for stage in 0..rules.choices[index as usize].stages.len() {
        objections_at(machine, index, stage, false, env, report)?;
    }
    last_objections(machine, index, env, report)
}

/// Calls `report` for the costs and guards that depend on the first `stage` parameters only. While options are listed, values common to all
/// choices are evaluated once.
#[inline]
fn objections_at<'r>(
    machine: &mut Machine<'r>,
    index: u16,
    stage: usize,
    listing: bool,
    env: &mut Env,
    report: &mut impl FnMut(Objection<'r>) -> Continue,
) -> Continue {
    let rules = machine.rules;
    let choice = &rules.choices[index as usize];
    let to_test = &choice.stages[stage];
    if to_test.when && !machine.holds_if(choice.when, env) {
        report(Objection::When)?;
    }
    for &index in &to_test.costs {
        let cost = &choice.costs[index as usize];
        let have = available_for(machine, cost, listing, env);
        let due = machine.eval(cost.amount, env);
        if due > have {
            let name = match &cost.tokens {
                Some(tokens) => rules.symbols[cast::index(machine.eval(tokens.symbol, env).max(0))],
                None => rules.resources[cost.resource as usize],
            };
            report(Objection::Cost(name, due, have))?;
        }
    }
    for &index in &to_test.guards {
        let guard = &choice.guards[index as usize];
        // A parameter that was left out has no kind.
        if let Some(kinds) = guard.kinds
            && usize::try_from(env.locals[choice.params[stage - 1].local as usize])
                .map_or(true, |card| kinds >> rules.piece_kind[card] & 1 == 0)
        {
            continue;
        }
        let holds = match guard.once {
            Some(node) if stage > 0 && listing => match machine.memory.scratch.known_guards[index as usize] {
                Some(known) => known,
                None => {
                    let holds = machine.eval(node, env) != 0;
                    machine.memory.scratch.known_guards[index as usize] = Some(holds);
                    holds
                }
            },
            _ => machine.eval(guard.node, env) != 0,
        };
        if !holds {
            report(Objection::Guard(guard))?;
        }
    }
    Continue::Continue(())
}

/// Returns how much of a resource or symbol a seat has to pay a cost. An action has at most one cost in tokens, so values for its pool can
/// be cached by symbol.
#[inline]
fn available_for(machine: &mut Machine<'_>, cost: &Cost, listing: bool, env: &mut Env) -> i64 {
    let Some(tokens) = &cost.tokens else { return machine.position().amount(env.me, cost.resource as usize) };
    let symbol = cast::index(machine.eval(tokens.symbol, env).max(0));
    let known = machine.memory.scratch.known_payable.get(symbol).copied().flatten();
    if let (Some(known), true) = (known, listing) {
        return known;
    }
    let have = machine.evaluator().reader().payable(cast::count(symbol), tokens.from, env.me);
    if let Some(known) = machine.memory.scratch.known_payable.get_mut(symbol) {
        *known = Some(have);
    }
    have
}

/// Calls `report` for objections that need all parameters: the sum of costs, the acting card's conditions and costs, and prohibitions.
fn last_objections<'r>(
    machine: &mut Machine<'r>,
    index: u16,
    env: &mut Env,
    report: &mut impl FnMut(Objection<'r>) -> Continue,
) -> Continue {
    let rules = machine.rules;
    let choice = &rules.choices[index as usize];
    if choice.costs.len() > 1 && !can_pay_all(machine, choice, env) {
        report(Objection::Costs)?;
    }
    let Some(action) = &choice.action else { return Continue::Continue(()) };
    let card_of = |env: &Env, index: usize| {
        choice.params.get(index).filter(|param| param.cards().is_some()).map_or(-1, |param| env.locals[param.local as usize])
    };
    if let Some(acting) = action.acting
        && let Some(objection) = objection_of_card(machine, card_of(env, acting as usize), env.me)
    {
        report(objection)?;
    }
    machine.evaluator().watch_entries(|definition| definition.forbids.iter().any(|forbid| forbid.action == index));
    for i in 0..machine.memory.values.active.forbids(index).len() {
        let active = machine.memory.values.active.forbids(index)[i];
        let definition = rules.definition(active.piece.index());
        let forbid = &definition.forbids[active.entry.index()];
        if !concerns(forbid.who, active.owner, env.me) {
            continue;
        }
        let owner = if active.owner as usize >= rules.players { env.me } else { active.owner as usize };
        if machine.holds_if(forbid.when, &mut Env::with_locals(owner, &[active.piece.local(), card_of(env, 0), card_of(env, 1)])) {
            report(match machine.is_unseen(active.piece.index()) {
                true => Objection::ForbiddenUnseen,
                false => Objection::Forbidden(forbid, &definition.name),
            })?;
        }
    }
    Continue::Continue(())
}

fn can_pay_all(machine: &mut Machine<'_>, choice: &Choice, env: &mut Env) -> bool {
    let rules = machine.rules;
    (0..rules.resources.len()).all(|resource| {
        let mut due = 0;
        for cost in choice.costs.iter().filter(|c| c.resource as usize == resource) {
            due += machine.eval(cost.amount, env).max(0);
        }
        due <= machine.position().amount(env.me, resource)
    })
}

fn objection_of_card<'r>(machine: &mut Machine<'r>, card: i32, seat: usize) -> Option<Objection<'r>> {
    let rules = machine.rules;
    if card < 0 {
        return Some(Objection::Card("no card was named"));
    }
    let action = rules.definition(cast::index(card)).action.as_ref()?;
    let mut env = Env::with_locals(seat, &[card, card]);
    if !machine.holds_if(action.needs, &mut env) {
        return Some(Objection::Card(&action.because));
    }
    if let Some((times, used)) = action.limit {
        let done = machine.cell(rules.layout.piece(cast::index(card), used as usize)) as i64;
        if done >= times {
            return Some(Objection::Used(done, times));
        }
    }
    for (amount, resource) in &action.costs {
        let due = machine.eval(*amount, &mut env);
        if due > machine.position().amount(seat, *resource as usize) {
            return Some(Objection::CardCosts(rules.resources[*resource as usize], due));
        }
    }
    // The question that the card asks first, after its costs.
    let Some(Op::AskFirst { ask, .. }) = rules.ops.all.get(action.first_op.next().0 as usize) else { return None };
    let mut options = std::mem::take(&mut machine.memory.scratch.offers);
    options.clear();
    for (offer, when) in &rules.ops.card_questions[*ask as usize].offers {
        offers::list(machine, offer, *when, &mut env, &mut options);
    }
    let nothing = options.is_empty();
    machine.memory.scratch.offers = options;
    nothing.then_some(Objection::Card("there is nothing to choose"))
}

impl<'a> Machine<'a> {
    /// Lists what a seat can do in these turns as the state is, whether it is its turn or not.
    pub fn list_turn(&mut self, turns: u16, seat: usize, options: &mut Vec<Opt>) {
        options.clear();
        list_turn(self, turns, seat, options);
    }

    /// Returns all reasons against an action of a turn with these parameters; empty if it is allowed. If the game is watched for a seat, the
    /// reasons contain nothing that this seat does not know.
    pub fn refusals(&mut self, seat: usize, index: u16, args: Args) -> Vec<Refusal> {
        self.refusals_of(index, args, Env::for_seat(seat))
    }

    /// Returns the answers that the open question has for a seat, by index; none if the seat is asked nothing, or for an action.
    pub fn open_answers(&self, seat: usize) -> Vec<u16> {
        match &self.memory.pending {
            Some(Decision { seat: asked, question: Question::Rules(question), .. }) if *asked == seat => {
                self.rules.questions[*question as usize].choices.clone()
            }
            Some(_) | None => Vec::new(),
        }
    }

    /// Returns the turns from whose actions one is chosen now, whoever's turn it is; `None` at any other question.
    pub fn open_turns(&self) -> Option<&'a Turns> {
        match self.memory.pending.as_ref()?.question {
            Question::Turn(turns) => self.rules.turns.get(turns as usize),
            Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => None,
        }
    }

    /// Lists all options of an action for a seat, whether they are allowed or not.
    pub fn possible_options(&mut self, seat: usize, index: u16) -> Vec<Opt> {
        self.possible(index, Env::for_seat(seat))
    }

    /// Lists all options of an answer to the open question, whether they are allowed or not.
    pub fn possible_answers(&mut self, index: u16) -> Vec<Opt> {
        let env = self.question_op().1;
        self.possible(index, env)
    }

    /// Hides from the words of options which cards they name that a seat does not know.
    pub fn hide_unseen(&self, seat: usize, options: &mut [Opt]) {
        hide_unseen(self, seat, options);
    }

    fn possible(&mut self, index: u16, mut env: Env) -> Vec<Opt> {
        let mut options = Vec::new();
        candidates(self, (index, false), 0, &mut env, &mut [-1; MAX_PARAMS], &mut options, &mut 0);
        alike::merge_alike(self, env.me, 0, &mut options);
        self.refused_copies_last(index, env, &mut options);
        number_copies(&mut options);
        options
    }

    /// Puts those of several options with equal words to which there are objections behind the others, so that the others have the numbers
    /// by which they are offered. Cards that the seat does not know have no words, and stay where they are.
    fn refused_copies_last(&mut self, index: u16, env: Env, options: &mut [Opt]) {
        let (rules, cells) = (self.rules, self.state.cells());
        let is_unknown = |card: i16| usize::try_from(card).is_ok_and(|card| rules.is_unknown(cells, env.me, card));
        let mut times: HashMap<u64, u32> = HashMap::new();
        let known = options.iter().filter(|option| !option.act.cards(rules).into_iter().any(is_unknown));
        known.for_each(|option| *times.entry(option.key).or_default() += 1);
        if times.values().all(|&times| times == 1) {
            return;
        }
        self.evaluator().refresh_active();
        let params = &rules.choices[usize::from(index)].params;
        let mut stop = |_: Objection<'_>| Continue::Break(());
        options.sort_by_cached_key(|option| {
            let Act::Choice(_, args) = option.act else { return false };
            let mut env = env;
            env.set_args(params, args);
            let is_unknown = |card: i16| usize::try_from(card).is_ok_and(|card| rules.is_unknown(self.state.cells(), env.me, card));
            let is_named = !option.act.cards(rules).into_iter().any(is_unknown);
            is_named && times[&option.key] > 1 && objections(self, index, &mut env, &mut stop).is_break()
        });
        self.discard_arithmetic_error();
    }

    /// Returns all reasons against an action of a turn or an answer to the open question.
    pub fn refusals_of_choice(&mut self, seat: usize, index: u16, args: Args) -> Vec<Refusal> {
        match self.rules.choices[index as usize].action {
            Some(_) => self.refusals(seat, index, args),
            None => self.refusals_of_answer(index, args),
        }
    }

    /// Returns all reasons against an answer to the open question, as [`Machine::refusals`] does for actions.
    pub fn refusals_of_answer(&mut self, index: u16, args: Args) -> Vec<Refusal> {
        let env = self.question_op().1;
        self.refusals_of(index, args, env)
    }

    fn refusals_of(&mut self, index: u16, args: Args, mut env: Env) -> Vec<Refusal> {
        let rules = self.rules;
        self.evaluator().refresh_active();
        env.set_args(&rules.choices[index as usize].params, args);
        self.take_read_hidden();
        let mut refusals = Vec::new();
        let named = |name: &str, reason: String| Refusal { name: name.to_string(), reason };
        let all = objections(self, index, &mut env, &mut |objection| {
            refusals.push(match objection {
                Objection::When => named("if", "the condition under which it is offered does not hold".to_string()),
                Objection::Cost(name, due, have) => {
                    named("cost", format!("it costs {due} {}, and there are {have}", rules.names.text(name)))
                }
                Objection::Costs => named("cost", "its costs together are more than there is".to_string()),
                Objection::Guard(guard) => named(&guard.name, guard.reason.clone()),
                Objection::Card(reason) => named("card", reason.to_string()),
                Objection::CardCosts(name, due) => named("card", format!("it costs {due} {}", rules.names.text(name))),
                Objection::Used(done, times) => named("card", format!("it has been used {done} of {times} times")),
                Objection::Forbidden(forbid, card) => named("forbidden", format!("{} ({card})", forbid.because)),
                Objection::ForbiddenUnseen => named("forbidden", "a card that you do not see forbids it".to_string()),
            });
            Continue::Continue(())
        });
        debug_assert!(all.is_continue());
        if self.take_read_hidden() {
            let costs = refusals.iter_mut().filter(|refusal| refusal.name == "cost");
            costs.for_each(|refusal| refusal.reason = "it costs more than there is".to_string());
        }
        refusals
    }
}

/// Numbers options with equal words, which differ only in which copy of a card they use.
fn number_copies(options: &mut [Opt]) {
    // From last to first, so that the options before still have their original keys.
    for index in (1..options.len()).rev() {
        let alike = options[..index].iter().filter(|option| option.key == options[index].key).count();
        if alike > 0 {
            options[index].nth = u16::try_from(alike).unwrap_or(u16::MAX);
            options[index].key = join(options[index].key, alike as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_pieces_of_a_card_are_told_apart_by_position() {
        let option = |key: u64| Opt { key, act: Act::Done, free: false, nth: 0 };
        let mut options = [option(5), option(6), option(5), option(5)];
        number_copies(&mut options);
        assert_eq!(options.map(|option| option.nth), [0, 0, 1, 2]);
        assert_eq!(options.map(|option| option.key), [5, 6, join(5, 1), join(5, 2)]);
    }
}
