//! What a seat may choose, in its turn or as an answer, and the reasons against the rest. Only `objections_at` and `last_objections` decide
//! what is allowed: the list of options stops at the first objection, and players are shown all of them.

use super::decision::{Act, Args, Opt};
use super::definition::{Forbid, concerns};
use super::eval::Env;
use super::ids::PieceId;
use super::op::Op;
use super::ruleset::{Choice, Cost, Domain, Guard, InTurn, NameId, NodeId, Offer, Param, Ruleset};
use super::store::Store;
use super::{alike, key, sets};
use crate::cast;
use houserule_codegen::Listed;
use houserule_ruleset::program::TextPart;
pub use houserule_ruleset::program::{MAX_GUARDS, MAX_PARAMS};
use houserule_state::chance::join;
use std::ops::ControlFlow;

/// The most options of a question: the spaces of the largest grid, and some more.
pub const MAX_OPTIONS: usize = 1024;

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

pub(super) type Continue = ControlFlow<()>;

/// Lists the actions of a turn.
pub(crate) fn list_turn(store: &mut Store<'_>, turns: u16, seat: usize, options: &mut Vec<Opt>) {
    store.evaluator().refresh_active();
    list(store, Listed::Turn(turns), &Env::for_seat(seat), options, |store, first, options, copies| {
        // Copies of a card have equal words, and so can what is chosen in a text of the rules' own.
        if copies > 1 || options[first..].first().is_some_and(|option| can_be_read_twice(store.rules, option.act)) {
            alike::merge_alike(store, seat, first, options);
            number_copies(&mut options[first..]);
        }
    });
}

/// Lists the answers to a question.
pub(crate) fn list_question(store: &mut Store<'_>, question: u32, env: &Env, options: &mut Vec<Opt>) {
    list(store, Listed::Question(question), env, options, |_, _, _, _| {});
}

/// Lists the options of several choices, one choice behind the other. When those of a choice are listed, `then` gets the index of the first of
/// them, all options so far, and how many of the choice's name a card of which there are several.
fn list(
    store: &mut Store<'_>,
    asked: Listed,
    env: &Env,
    options: &mut Vec<Opt>,
    mut then: impl FnMut(&Store<'_>, usize, &mut Vec<Opt>, u32),
) {
    let rules = store.rules;
    let mut listed = std::mem::take(&mut store.live.lists.listed);
    // Generated code leaves to the engine what cards say, and notes nothing of what it reads.
    let is_watched = store.live.values.watch.is_on();
    // Where the game is walked or watched, or the code has trapped, there is no list.
    match if is_watched { None } else { store.evaluator().native_options(asked, env, &mut listed) } {
        Some(()) => {
            for of_choice in listed.chunk_by(|a, b| a.0 == b.0) {
                let first = options.len();
                let copies = add_listed(store, of_choice, env, options);
                then(store, first, options, copies);
            }
        }
        None => {
            for &choice in asked.choices(rules) {
                let (first, mut copies) = (options.len(), 0);
                store.live.lists.known_guards = [None; MAX_GUARDS];
                store.live.lists.known_payable = [None; 8];
                candidates(store, (choice, true), 0, &mut { *env }, &mut [-1; MAX_PARAMS], options, &mut copies);
                then(store, first, options, copies);
            }
        }
    }
    store.live.lists.listed = listed;
}

/// Adds the options of one choice that generated code has listed, and to which cards do not object. Returns how many of them name a card of
/// which there are several.
fn add_listed(store: &mut Store<'_>, listed: &[(u16, Args)], env: &Env, options: &mut Vec<Opt>) -> u32 {
    let Some(&(index, _)) = listed.first() else { return 0 };
    let (rules, mut copies) = (store.rules, 0);
    let choice = &rules.choices[usize::from(index)];
    let cards_object = |action: &InTurn| action.acting.is_some() || !store.live.values.active.forbids(index).is_empty();
    let cards_object = choice.action.as_ref().is_some_and(cards_object);
    let (prefix, free) = (key::prefix(rules, choice), choice.is_free());
    let mut add = |key: u64, args: Args| {
        options.push(Opt { key, act: Act::Choice(index, args), free, nth: 0 });
        let is_twin = if prefix.is_before_card { rules.piece_twins[cast::index(args[0])] } else { names_twin(rules, choice, &args) };
        copies += u32::from(is_twin);
    };
    if !cards_object {
        let keys = store.live.lists.keys.of_rules(rules);
        listed.iter().for_each(|&(_, args)| add(keys.hash_behind(rules, index, prefix, args), args));
        return copies;
    }
    for &(_, args) in listed {
        let mut env = *env;
        env.set_args(&choice.params, args);
        if last_objections(store, index, &mut env, &mut |_| Continue::Break(())).is_continue() {
            add(key::hash_behind(rules, choice, prefix, args), args);
        }
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
pub(crate) fn is_still_allowed(store: &mut Store<'_>, index: u16, args: Args, env: &Env) -> bool {
    let choice = &store.rules.choices[index as usize];
    if choice.guards.is_empty() && choice.costs.is_empty() {
        return true;
    }
    let mut env = *env;
    env.set_args(&choice.params, args);
    let report =
        &mut |objection: Objection<'_>| if matches!(objection, Objection::When) { Continue::Continue(()) } else { Continue::Break(()) };
    objections(store, index, &mut env, report).is_continue()
}

/// Lists the options for all values of the remaining parameters; those before `stage` are chosen. Without `tested` the options are listed to
/// which there are objections, too.
#[allow(clippy::too_many_arguments)]
pub(super) fn candidates(
    store: &mut Store<'_>,
    (index, tested): (u16, bool),
    stage: usize,
    env: &mut Env,
    args: &mut Args,
    options: &mut Vec<Opt>,
    copies: &mut u32,
) {
    let rules = store.rules;
    let choice = &rules.choices[index as usize];
    let mut stop = |_: Objection<'_>| Continue::Break(());
    if tested && objections_at(store, index, stage, true, env, &mut stop).is_break() {
        return;
    }
    let Some(param) = choice.params.get(stage) else {
        if !tested || last_objections(store, index, env, &mut stop).is_continue() {
            options.push(Opt::new(rules, Act::Choice(index, *args)));
            *copies += u32::from(names_twin(rules, choice, args));
        }
        return;
    };
    let local = param.local as usize;
    // One option above the limit is enough to detect the overflow.
    let mut has_room = options.len() <= MAX_OPTIONS;
    let mut choose = |store: &mut Store<'_>, env: &mut Env, value: i32| {
        (env.locals[local], args[stage]) = (value, value);
        candidates(store, (index, tested), stage + 1, env, args, options, copies);
        options.len() <= MAX_OPTIONS
    };
    if param.maybe {
        has_room = choose(store, env, -1);
    }
    match &param.domain {
        Domain::Cards(set) => sets::each_card(store, *set, env, |store, env| {
            choose(store, env, env.locals[local]);
            true
        }),
        Domain::Words(words) => words.iter().for_each(|&(_, value)| _ = choose(store, env, value)),
        Domain::Numbers { from, to } => {
            let (from, to) = (store.eval(*from, env), store.eval(*to, env));
            for number in (from..=to).filter_map(|number| i32::try_from(number).ok()) {
                if !has_room {
                    break;
                }
                has_room = choose(store, env, number);
            }
        }
        Domain::Players(set) => sets::each_player(store, set, local, env, |_, _| (), |store, env, player| _ = choose(store, env, player)),
    }
    args[stage] = -1;
}

/// Calls `report` for each objection to a choice with the parameters in `env`, until it breaks.
pub(crate) fn objections<'r>(
    store: &mut Store<'r>,
    index: u16,
    env: &mut Env,
    report: &mut impl FnMut(Objection<'r>) -> Continue,
) -> Continue {
    let rules = store.rules;
    for stage in 0..=rules.choices[index as usize].params.len() {
        objections_at(store, index, stage, false, env, report)?;
    }
    last_objections(store, index, env, report)
}

/// Calls `report` for the costs and guards that depend on the first `stage` parameters only. While options are listed, values common to all
/// choices are evaluated once.
#[inline]
fn objections_at<'r>(
    store: &mut Store<'r>,
    index: u16,
    stage: usize,
    listing: bool,
    env: &mut Env,
    report: &mut impl FnMut(Objection<'r>) -> Continue,
) -> Continue {
    let rules = store.rules;
    let choice = &rules.choices[index as usize];
    if usize::from(choice.when_stage) == stage && !store.holds_if(choice.when, env) {
        report(Objection::When)?;
    }
    for cost in choice.costs.iter().filter(|cost| usize::from(cost.stage) == stage) {
        let have = available_for(store, cost, listing, env);
        let due = store.eval(cost.amount, env);
        if due > have {
            let name = match &cost.tokens {
                Some(tokens) => rules.symbols[cast::index(store.eval(tokens.symbol, env).max(0))],
                None => rules.resources[cost.resource as usize],
            };
            report(Objection::Cost(name, due, have))?;
        }
    }
    for (index, guard) in choice.guards.iter().enumerate().filter(|(_, guard)| usize::from(guard.stage) == stage) {
        // A parameter that was left out has no kind.
        if let Some(kinds) = guard.kinds
            && usize::try_from(env.locals[choice.params[stage - 1].local as usize])
                .map_or(true, |card| kinds >> rules.piece_kind[card] & 1 == 0)
        {
            continue;
        }
        let holds = match guard.once {
            Some(node) if stage > 0 && listing => match store.live.lists.known_guards[index] {
                Some(known) => known,
                None => {
                    let holds = store.eval(node, env) != 0;
                    store.live.lists.known_guards[index] = Some(holds);
                    holds
                }
            },
            _ => store.eval(guard.node, env) != 0,
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
fn available_for(store: &mut Store<'_>, cost: &Cost, listing: bool, env: &mut Env) -> i64 {
    let Some(tokens) = &cost.tokens else { return store.position().amount(env.me, cost.resource as usize) };
    let symbol = cast::index(store.eval(tokens.symbol, env).max(0));
    let known = store.live.lists.known_payable.get(symbol).copied().flatten();
    if let (Some(known), true) = (known, listing) {
        return known;
    }
    let have = store.evaluator().reader().payable(cast::count(symbol), tokens.from, env.me);
    if let Some(known) = store.live.lists.known_payable.get_mut(symbol) {
        *known = Some(have);
    }
    have
}

/// Calls `report` for objections that need all parameters: the sum of costs, the acting card's conditions and costs, and prohibitions.
fn last_objections<'r>(store: &mut Store<'r>, index: u16, env: &mut Env, report: &mut impl FnMut(Objection<'r>) -> Continue) -> Continue {
    let rules = store.rules;
    let choice = &rules.choices[index as usize];
    if choice.costs.len() > 1 && !can_pay_all(store, choice, env) {
        report(Objection::Costs)?;
    }
    let Some(action) = &choice.action else { return Continue::Continue(()) };
    let card_of = |env: &Env, index: usize| {
        choice.params.get(index).filter(|param| param.cards().is_some()).map_or(-1, |param| env.locals[param.local as usize])
    };
    if let Some(acting) = action.acting
        && let Some(objection) = objection_of_card(store, card_of(env, acting as usize), env.me)
    {
        report(objection)?;
    }
    store.evaluator().watch_entries(|definition| definition.forbids.iter().any(|forbid| forbid.action == index));
    for i in 0..store.live.values.active.forbids(index).len() {
        let active = store.live.values.active.forbids(index)[i];
        let definition = rules.definition(active.piece.index());
        let forbid = &definition.forbids[active.entry.index()];
        if !concerns(forbid.who, active.owner, env.me) {
            continue;
        }
        let owner = if active.owner as usize >= rules.players { env.me } else { active.owner as usize };
        if store.holds_if(forbid.when, &mut Env::with_locals(owner, &[active.piece.local(), card_of(env, 0), card_of(env, 1)])) {
            report(match store.is_unseen(active.piece.index()) {
                true => Objection::ForbiddenUnseen,
                false => Objection::Forbidden(forbid, &definition.name),
            })?;
        }
    }
    Continue::Continue(())
}

fn can_pay_all(store: &mut Store<'_>, choice: &Choice, env: &mut Env) -> bool {
    let rules = store.rules;
    (0..rules.resources.len()).all(|resource| {
        let costs = choice.costs.iter().filter(|cost| usize::from(cost.resource) == resource);
        let due: i64 = costs.map(|cost| store.eval(cost.amount, env).max(0)).sum();
        due <= store.position().amount(env.me, resource)
    })
}

fn objection_of_card<'r>(store: &mut Store<'r>, card: i32, seat: usize) -> Option<Objection<'r>> {
    let rules = store.rules;
    if card < 0 {
        return Some(Objection::Card("no card was named"));
    }
    let action = rules.definition(cast::index(card)).action.as_ref()?;
    let mut env = Env::with_locals(seat, &[card, card]);
    if !store.holds_if(action.needs, &mut env) {
        return Some(Objection::Card(&action.because));
    }
    if let Some((times, used)) = action.limit {
        let done = store.cell(rules.layout.piece(cast::index(card), used as usize)) as i64;
        if done >= times {
            return Some(Objection::Used(done, times));
        }
    }
    for (amount, resource) in &action.costs {
        let due = store.eval(*amount, &mut env);
        if due > store.position().amount(seat, *resource as usize) {
            return Some(Objection::CardCosts(rules.resources[*resource as usize], due));
        }
    }
    // The question that the card asks first, after its costs.
    let Some(Op::AskFirst { ask, .. }) = rules.ops.all.get(action.first_op.next().0 as usize) else { return None };
    let mut options = std::mem::take(&mut store.live.lists.offers);
    options.clear();
    list_offers(store, &rules.ops.card_questions[*ask as usize].offers, &mut env, &mut options);
    let nothing = options.is_empty();
    store.live.lists.offers = options;
    nothing.then_some(Objection::Card("there is nothing to choose"))
}

/// Lists the words and cards that a question on a card offers.
pub(crate) fn list_offers(store: &mut Store<'_>, offers: &[(Offer, Option<NodeId>)], env: &mut Env, options: &mut Vec<Opt>) {
    let rules = store.rules;
    for (offer, when) in offers {
        match offer {
            Offer::Word(name) if store.holds_if(*when, env) => options.push(Opt::new(rules, Act::Word(*name))),
            Offer::Word(_) => {}
            Offer::Cards(set) => {
                let local = rules.sets[*set as usize].local as usize;
                sets::each_card(store, *set, env, |store, env| {
                    if store.holds_if(*when, env) {
                        options.push(Opt::new(rules, Act::Card(PieceId::in_option(env.locals[local]))));
                    }
                    true
                });
            }
        }
    }
}

/// Whether an answer names a card that a seat does not know.
pub(super) fn names_unknown(store: &Store<'_>, seat: usize, act: Act) -> bool {
    let is_unknown = |card: i16| usize::try_from(card).is_ok_and(|card| store.rules.is_unknown(store.state.cells(), seat, card));
    act.cards(store.rules).into_iter().any(is_unknown)
}

/// Removes the names of unknown cards from the options; of those with the same words each gets a number then, and others are
/// numbered only among those that the seat sees.
pub(crate) fn hide_unseen(store: &Store<'_>, seat: usize, options: &mut [Opt]) {
    let rules = store.rules;
    if !rules.hidden.offers_unseen {
        return;
    }
    let mut hidden: Vec<u64> = Vec::new();
    for option in options.iter_mut().filter(|option| names_unknown(store, seat, option.act)) {
        let words = option.key_without_cards(rules);
        option.hide_card(words, hidden.iter().filter(|known| **known == words).count());
        hidden.push(words);
    }
    if hidden.is_empty() {
        return;
    }
    let keys: Vec<u64> = options.iter().map(|option| Opt::new(rules, option.act).key).collect();
    for index in 1..options.len() {
        if options[index].is_unseen() || options[index].nth == 0 {
            continue;
        }
        let alike = |&before: &usize| !options[before].is_unseen() && keys[before] == keys[index];
        let before = (0..index).filter(alike).count();
        options[index].nth = u16::try_from(before).unwrap_or(u16::MAX);
        options[index].key = if before > 0 { join(keys[index], before as u64) } else { keys[index] };
    }
}

/// Numbers options with equal words, which differ only in which copy of a card they use.
pub(super) fn number_copies(options: &mut [Opt]) {
    // A key of which no other has the same low bits need not be compared with all.
    let (mut known, mut shared) = (0_u64, 0_u64);
    for option in &*options {
        let bit = 1 << (option.key % 64);
        shared |= known & bit;
        known |= bit;
    }
    // From last to first, so that the options before still have their original keys.
    for index in (1..options.len()).rev() {
        let key = options[index].key;
        let alike = if shared >> (key % 64) & 1 == 0 { 0 } else { options[..index].iter().filter(|option| option.key == key).count() };
        if alike > 0 {
            options[index].nth = u16::try_from(alike).unwrap_or(u16::MAX);
            options[index].key = join(key, alike as u64);
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
