//! Which cards lie in a deck: its condition, evaluated for each card when a game is set up.

use super::super::problem::RuleProblem;
use super::super::typed::{BindingId, DeckFilter, Expr};
use super::{Bindings, Lowerer};
use crate::cast;
use crate::engine::graph::Expr as GraphExpr;
use crate::pack::RawCard;

/// Returns for each card whether it meets the condition of a deck.
pub(crate) fn cards_of_deck(lowerer: &mut Lowerer<'_>, filter: &DeckFilter, cards: &[RawCard]) -> Vec<bool> {
    match filter {
        DeckFilter::Chosen { key, option } => {
            let chosen = lowerer.chosen.values(*option);
            let is_chosen =
                |card: &RawCard| text_of_key(card, key).is_some_and(|value| chosen.iter().any(|chosen| chosen.eq_ignore_ascii_case(value)));
            cards.iter().map(is_chosen).collect()
        }
        DeckFilter::InSet(word) => cards.iter().map(|card| text_of_key(card, "set") == Some(word.as_str())).collect(),
        DeckFilter::Printed { card, condition } => cards_with(lowerer, *card, condition),
        DeckFilter::Not(inner) => cards_of_deck(lowerer, inner, cards).into_iter().map(|holds| !holds).collect(),
        DeckFilter::And(a, b) | DeckFilter::Or(a, b) => {
            let (a, b) = (cards_of_deck(lowerer, a, cards), cards_of_deck(lowerer, b, cards));
            let is_and = matches!(filter, DeckFilter::And(..));
            a.into_iter().zip(b).map(|(a, b)| if is_and { a && b } else { a || b }).collect()
        }
    }
}

/// Returns for each card whether a condition on what is printed on it holds. Pieces are made later, so that one piece of each card is
/// there meanwhile, and the graph folds the condition to a column of these.
fn cards_with(lowerer: &mut Lowerer<'_>, card: BindingId, condition: &Expr) -> Vec<bool> {
    let count = lowerer.ruleset.definitions.len();
    lowerer.ruleset.piece_definition = (0..cast::fit::<u32>(count)).collect();
    lowerer.ruleset.finish_pieces();
    let holds = lowerer.without_trace(|lowerer| {
        let mut env = Bindings::with_free_locals_from(1);
        let local = lowerer.bind(&mut env, card, condition.span);
        let made = lowerer.lower_expr(condition, &mut env);
        let graph = &lowerer.ruleset.graph;
        if let Some(value) = graph.constant(made) {
            return Some(vec![value != 0; count]);
        }
        let GraphExpr::Column { card, column } = graph[made] else { return None };
        let of_card = graph[card] == GraphExpr::Local { local };
        of_card.then(|| graph.columns().numbers(column).iter().skip(1).map(|number| *number != 0).collect())
    });
    lowerer.ruleset.piece_definition.clear();
    lowerer.ruleset.finish_pieces();
    holds.unwrap_or_else(|| {
        lowerer.report(RuleProblem::DeckCondition.at(condition.span));
        vec![true; count]
    })
}

/// Returns the text value of a key of a card.
fn text_of_key<'c>(card: &'c RawCard, key: &str) -> Option<&'c str> {
    match key {
        "set" => card.set.as_ref().map(|set| set.text.as_str()),
        _ => card.fields.iter().find(|(name, _)| name.text == key)?.1.text().map(|text| text.text.as_str()),
    }
}
