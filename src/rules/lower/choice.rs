//! Lowers choices: the answers of questions and the actions of turns.

use super::super::problem::RuleProblem;
use super::super::typed::{self, BindingId, Choice, Cost, Domain, Expr, ExprChild, ExprKind, PhasePart, Rules};
use super::{Bindings, Lowerer, push};
use crate::cast;
use crate::engine::keys::common_key;
use crate::engine::node::Type;
use crate::engine::op::Op;
use crate::engine::program::MAX_PARAMS;
use crate::engine::ruleset as engine;
use crate::source::Span;

/// Reserves the first indices of choices for the actions of turns, whose code comes last.
pub(crate) fn reserve_actions<'a>(lowerer: &mut Lowerer<'a>) {
    let tree: &'a Rules = lowerer.tree;
    let parts = tree.phases.iter().flat_map(|phase| phase.parts.iter().map(move |part| (&phase.name, part)));
    let actions = |part: &'a PhasePart| if let PhasePart::Turns(turns) = part { turns.actions.as_slice() } else { &[] };
    for (phase, action) in parts.flat_map(|(phase, part)| actions(part).iter().map(move |action| (phase, action))) {
        let name = lowerer.ruleset.names.add(&action.name);
        let address = format!("{phase}.{}", action.name);
        lowerer.ruleset.choices.push(engine::Choice { name, address, ..Default::default() });
    }
    lowerer.ruleset.action_count = lowerer.ruleset.choices.len();
}

/// Lowers a choice; what is chosen with it is bound in `env`, each in the next local.
pub(super) fn lower_choice(lowerer: &mut Lowerer<'_>, choice: &Choice, address: String, env: &mut Bindings) -> engine::Choice {
    let first = env.next;
    let behind = first + choice.params.len().min(MAX_PARAMS);
    let mut params = Vec::new();
    for param in &choice.params {
        // Locals that its condition binds come after those of all parameters.
        let (local, domain) = lower_domain(lowerer, &param.domain, env, behind, choice.span);
        let word = param.word.as_ref().map(|word| lowerer.ruleset.names.add(word));
        params.push(engine::Param { local, domain, maybe: param.maybe, word });
    }
    let binds: Vec<BindingId> = choice.params.iter().map(|param| param.domain.bind()).collect();
    let when = choice.when.as_ref().map(|when| lowerer.lower_expr(when, env));
    let guards: Vec<engine::Guard> = choice.guards.iter().map(|guard| lower_guard(lowerer, guard, &binds, env)).collect();
    let costs: Vec<engine::Cost> = choice.costs.iter().map(|cost| lower_cost(lowerer, cost, &binds, env)).collect();
    let up_to = choice.up_to.as_ref().map(|up_to| lowerer.lower_expr(up_to, env));
    engine::Choice {
        name: lowerer.ruleset.names.add(&choice.name),
        chooses: choice.chooses,
        text: choice.text.clone().map(Into::into),
        address,
        params,
        when,
        when_stage: choice.when.as_ref().map_or(0, |when| params_needed(when, &binds)),
        guards,
        costs,
        up_to,
        action: None,
    }
}

/// Lowers what can be chosen for a parameter, which takes the next local. Its condition binds locals from `from` on.
pub(super) fn lower_domain(
    lowerer: &mut Lowerer<'_>,
    domain: &Domain,
    env: &mut Bindings,
    from: usize,
    span: Span,
) -> (u8, engine::Domain) {
    match domain {
        Domain::Cards(cards) => {
            let mut set = lowerer.lower_card_set(&typed::Cards { filter: None, ..cards.clone() }, env, span);
            if let Some(filter) = &cards.filter {
                let holds = lowerer.lower_expr(filter, &mut env.behind(from));
                lowerer.add_filter(&mut set, holds);
            }
            (set.local, engine::Domain::Cards(push(&mut lowerer.ruleset.sets, set)))
        }
        Domain::Words(bind, words, ty) => {
            let mut name = |word: &i32| {
                let (word, rules) = (cast::index(*word), &mut *lowerer.ruleset);
                if let Type::Choice(list) = ty {
                    return Some(rules.names.add(lowerer.tree.defs.lists.get(usize::from(*list))?.get(word)?));
                }
                if *ty == Type::Token {
                    return rules.tokens.get(word).map(|token| token.name);
                }
                let words = if *ty == Type::Symbol { &rules.symbols } else { &rules.resources };
                words.get(word).copied()
            };
            let named = words.iter().filter_map(|word| Some((name(word)?, *word))).collect();
            (lowerer.bind(env, *bind, span), engine::Domain::Words(named))
        }
        Domain::Numbers(bind, lowest, highest) => {
            let [from, to] = [lowest, highest].map(|bound| lowerer.lower_expr(bound, &mut env.behind(from)));
            (lowerer.bind(env, *bind, span), engine::Domain::Numbers { from, to })
        }
        Domain::Players(bind, seats) => {
            let local = lowerer.bind(env, *bind, span);
            (local, engine::Domain::Players(lowerer.lower_seats(seats, &mut env.behind(from), span)))
        }
    }
}

/// Reports choices that are offered together, and of which options can have the same key: nobody could say which is meant. `together` tells
/// whether two of them can be offered at once.
pub(super) fn report_common_keys<'c>(
    lowerer: &mut Lowerer<'_>,
    choices: impl Iterator<Item = (&'c Choice, u16)>,
    together: impl Fn(&Choice, &Choice) -> bool,
) {
    let choices: Vec<_> = choices.collect();
    for (at, &(later, index)) in choices.iter().enumerate() {
        // Two of one name have been reported.
        let others = choices[..at].iter().filter(|(earlier, _)| earlier.name != later.name && together(earlier, later));
        for &(earlier, other) in others {
            if let Some(key) = common_key(lowerer.ruleset, other, index) {
                lowerer.report(RuleProblem::CommonKey { key, first: earlier.span }.at(later.span));
            }
        }
    }
}

/// Emits the payment of a choice's costs.
pub(super) fn emit_costs(lowerer: &mut Lowerer<'_>, choice: u16) {
    let Some(costs) = lowerer.ruleset.choices.get(usize::from(choice)).map(|choice| choice.costs.clone()) else { return };
    if costs.iter().any(|cost| cost.tokens.is_none()) {
        lowerer.emit(Op::Costs { choice });
        // Listeners to the payment run before what it pays for.
        lowerer.emit(Op::Waiting);
    }
    costs.iter().filter_map(|cost| cost.tokens).for_each(|cost| lowerer.emit_spend(cost));
}

fn lower_guard(lowerer: &mut Lowerer<'_>, guard: &typed::Guard, params: &[BindingId], env: &mut Bindings) -> engine::Guard {
    let node = lowerer.lower_expr(&guard.holds, env);
    let stage = params_needed(&guard.holds, params);
    let (mut kinds, mut once) = (None, (stage == 0).then_some(node));
    // A guard of the form `card is not KIND or …` is only evaluated for candidates of that kind, and the part after `or` only once if it
    // does not depend on the candidate.
    if let ExprKind::Or { a: first, b: rest } = &guard.holds.kind
        && let ExprKind::Not(inner) = &first.kind
        && let ExprKind::IsKind { card, kind } = &inner.kind
        && let ExprKind::Local(bind) = card.kind
        && stage > 0
        && params.get(stage as usize - 1) == Some(&bind)
    {
        kinds = Some(1 << kind);
        once = (params_needed(rest, params) == 0).then(|| lowerer.lower_expr(rest, env));
    }
    engine::Guard { name: guard.name.clone(), node, reason: guard.reason.clone(), stage, kinds, once }
}

fn lower_cost(lowerer: &mut Lowerer<'_>, cost: &Cost, params: &[BindingId], env: &mut Bindings) -> engine::Cost {
    match cost {
        Cost::Resource(amount, resource) => engine::Cost {
            amount: lowerer.lower_expr(amount, env),
            resource: cast::fit::<u8>(*resource),
            tokens: None,
            stage: params_needed(amount, params),
        },
        Cost::Tokens(price) => {
            let tokens = lowerer.lower_token_cost(price, env);
            let stage = params_needed(&price.amount, params).max(params_needed(&price.symbol, params));
            engine::Cost { amount: tokens.amount, resource: u8::MAX, tokens: Some(tokens), stage }
        }
    }
}

/// Returns how many of the parameters must be known before an expression can be evaluated.
fn params_needed(expr: &Expr, params: &[BindingId]) -> u8 {
    let mut stage = 0;
    expr.walk(&mut |below| {
        if let ExprChild::Operand(Expr { kind: ExprKind::Local(bind), .. }) = below
            && let Some(at) = params.iter().position(|param| param == bind)
        {
            stage = stage.max(cast::fit::<u8>(at) + 1);
        }
    });
    stage
}
