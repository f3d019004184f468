//! Lowers what chance chooses: `let NAME = random …`. What is chosen, and from among what, is told to players: where a condition or a bound
//! may rest on what is hidden, the game finds out whether they know it anyway.

use super::super::problem::RuleProblem;
use super::super::typed::{BindingId, Cards, Domain, Expr};
use super::{Bindings, GraphExpr, Lowerer, choice, push};
use crate::engine::graph::any_part;
use crate::engine::hidden::{reads_hidden_values, rests_on_hidden};
use crate::engine::node::Type;
use crate::engine::op::Op;
use crate::engine::program::{Chance, ChanceBasis};
use crate::engine::ruleset::{Domain as Lowered, NodeId};
use crate::source::Span;

/// Emits `let NAME = random card of CARDS`, or one of cards or spaces that have a name of their own.
pub(super) fn emit_random_card(lowerer: &mut Lowerer<'_>, bind: BindingId, cards: &Cards, env: &mut Bindings, span: Span) {
    // The condition of a group is already that of its spaces.
    let filter = cards.filter.as_ref().filter(|_| !cards.condition_is_around());
    let bare = Cards { filter: cards.filter.clone().filter(|_| filter.is_none()), ..cards.clone() };
    emit_chance(lowerer, bind, (&Domain::Cards(bare), filter), env, span);
}

/// Emits `let NAME = random EACH in …`.
pub(super) fn emit_chance(
    lowerer: &mut Lowerer<'_>,
    bind: BindingId,
    (domain, filter): (&Domain, Option<&Expr>),
    env: &mut Bindings,
    span: Span,
) {
    let behind = env.next + 1;
    let (local, domain) = choice::lower_domain(lowerer, domain, env, behind, span);
    let filter = filter.map(|filter| lowerer.lower_expr(filter, env)).filter(|&filter| lowerer.value_of(filter) != Some(1));
    let is_card = matches!(domain, Lowered::Cards(_));
    let is_logged = !is_card || matches!(lowerer.tree.local_types.get(&bind), Some(Type::Space(_)));
    let mut chance = Chance { domain, filter, basis: ChanceBasis::default(), is_logged };
    if chance.values(&lowerer.ruleset.sets).any(|part| reads_hidden_values(lowerer.ruleset, part)) {
        lowerer.report(RuleProblem::ChanceOnHidden.at(span));
    }
    chance.basis = find_basis(lowerer, &chance, local);
    let each = lowerer.make(GraphExpr::Local { local });
    env.bind_to(bind, each);
    let set = if let Lowered::Cards(set) = chance.domain
        && !is_logged
        && chance.basis.is_empty()
    {
        if let Some(filter) = filter {
            let mut made = lowerer.ruleset.sets[set as usize].clone();
            lowerer.add_filter(&mut made, filter);
            lowerer.ruleset.sets[set as usize] = made;
        }
        lowerer.emit(Op::LetRandom { local, set, end: Default::default() })
    } else {
        let chance = push(&mut lowerer.ruleset.ops.chances, chance);
        lowerer.emit(Op::LetChance { local, chance, end: Default::default() })
    };
    lowerer.open_locals.push(set);
}

/// Finds on which values that may be hidden an outcome rests. What is asked of a card alone counts for nothing: it is as hidden as its place.
fn find_basis(lowerer: &Lowerer<'_>, chance: &Chance, local: u8) -> ChanceBasis {
    let rules = &*lowerer.ruleset;
    let rests = |part: &NodeId| rests_on_hidden(rules, *part);
    let is_name = |expr| matches!(expr, GraphExpr::Local { local: read } if read < local);
    let reads_names = chance.values(&rules.sets).any(|part| any_part(&rules.graph, part, &is_name));
    let (mut values, mut each, mut of_spaces) = (Vec::new(), Vec::new(), false);
    match &chance.domain {
        Lowered::Numbers { from, to } => values.extend([*from, *to]),
        Lowered::Players(set) => each.extend(set.filter),
        Lowered::Words(_) => {}
        Lowered::Cards(set) => {
            let set = &rules.sets[*set as usize];
            of_spaces = set.within.is_some_and(|within| rests(&within));
            if !chance.is_logged {
                let conditions = || set.filter.into_iter().chain(chance.filter);
                let whole = conditions().fold(false, |whole, part| whole | find_apart(lowerer, part, local, &mut values));
                let of_each = whole && conditions().any(|part| rests(&part));
                values.retain(rests);
                return ChanceBasis { values: values.into(), of_spaces, of_each, reads_names };
            }
        }
    }
    each.extend(chance.filter);
    values.retain(rests);
    ChanceBasis { values: values.into(), of_spaces, of_each: each.iter().any(rests), reads_names }
}

/// Collects the parts of a condition on a card that do not speak of the card; returns whether some part speaks of it and of other cards.
fn find_apart(lowerer: &Lowerer<'_>, part: NodeId, local: u8, apart: &mut Vec<NodeId>) -> bool {
    let graph = &lowerer.ruleset.graph;
    let is_card = |expr: GraphExpr| expr == GraphExpr::Local { local };
    if !any_part(graph, part, &is_card) {
        apart.push(part);
        return any_part(graph, part, &|expr| matches!(expr, GraphExpr::Var { .. })) && rests_on_hidden(lowerer.ruleset, part);
    }
    let operands: Vec<NodeId> = graph[part].operands().collect();
    let is_about = graph[part].is_public() || operands.iter().any(|&operand| is_card(graph[operand]));
    let others = operands.into_iter().filter(|&operand| !is_card(graph[operand]));
    !is_about || others.fold(false, |whole, operand| whole | find_apart(lowerer, operand, local, apart))
}
