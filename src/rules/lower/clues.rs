//! Lowers what seats can know of a part of a card: which fields are shown alone, with the values that they can have, and whether all know one.

use super::super::defs::{DefId, DefKind, FieldType};
use super::super::format_value::format_value;
use super::super::problem::RuleProblem;
use super::super::typed::{Board, Expr};
use super::{Bindings, GraphExpr, Lowerer};
use crate::cast;
use crate::diagnostic::Severity;
use crate::engine::clues::{COMMON_CELLS, Clue, MAX_VALUES, NOT_PRINTED};
use crate::engine::node::Type;
use crate::engine::ruleset::{Definition, NodeId};
use crate::source::Span;
use std::collections::BTreeSet;

/// Maximum number of cells of a piece, which a byte counts.
const MAX_PIECE_CELLS: usize = 256;

/// Lists the fields of cards of which single values are shown, with the values that cards have.
pub(crate) fn find_clues(lowerer: &mut Lowerer<'_>) -> Vec<Clue> {
    let (tree, players) = (lowerer.tree, lowerer.chosen.players);
    let mut found = Vec::new();
    for (number, &def) in tree.clues.iter().enumerate() {
        let one = &tree.defs[def];
        let first = lowerer.slots.piece + cast::fit::<u16>(number * (players + COMMON_CELLS));
        if usize::from(first) + players + COMMON_CELLS > MAX_PIECE_CELLS {
            let whose = "a card has more counters and shown fields";
            lowerer.diagnostics.push(RuleProblem::TooManyCells { whose, most: 250 }.at(one.span));
            break;
        }
        let field = lowerer.slots.offset(def);
        let has_it = |card: &Definition| tree.kinds[usize::from(card.kind)].fields.iter().any(|field| field.def == def);
        let of_card = |card: &Definition| has_it(card).then(|| card.fields[usize::from(field)]);
        let printed: BTreeSet<i32> = lowerer.ruleset.definitions.iter().filter_map(of_card).collect();
        if printed.len() > MAX_VALUES {
            let problem = RuleProblem::ClueOfMany { field: one.name.clone(), most: MAX_VALUES, values: printed.len() };
            lowerer.diagnostics.push(problem.at(one.span));
            continue;
        }
        let bit = |value: i32| printed.iter().position(|&known| known == value).map_or(NOT_PRINTED, |at| 1 << at);
        let bits = lowerer.ruleset.definitions.iter().map(|card| of_card(card).map_or(NOT_PRINTED, bit)).collect();
        let ty = if let DefKind::Field(FieldType::One(ty)) = one.kind { ty } else { Type::Number };
        // Of words and spaces there may be more than cards have. Spaces are the first cards.
        let all = if let Type::Space(kind) = ty {
            tree.board_of_kind(kind).map_or(0..0, Board::cards)
        } else {
            0..if ty == Type::Number { 0 } else { cast::fit::<u32>(tree.count_words(ty)) }
        };
        let mut named = |value: i32| {
            if let Type::Space(_) = ty {
                return (value, lowerer.ruleset.definitions[cast::index(value)].id);
            }
            let name = format_value(lowerer.ruleset, &tree.defs, ty, value.into());
            (value, lowerer.ruleset.names.add(&name))
        };
        let unused = all.map(cast::fit::<i32>).filter(|value| !printed.contains(value)).map(&mut named).collect();
        let values = printed.iter().copied().map(&mut named).collect();
        let name = lowerer.ruleset.names.add(&one.name);
        found.push(Clue { name, field, values, unused, first, bits });
    }
    found
}

/// Lowers whether all know a field of a card: a cell of the piece says it.
pub(super) fn lower_all_know(lowerer: &mut Lowerer<'_>, card: &Expr, field: DefId, span: Span, env: &mut Bindings) -> NodeId {
    let tree = lowerer.tree;
    let name = &tree.defs[field].name;
    if !tree.common_clues.contains(&field) {
        // What is not understood may say so.
        if lowerer.diagnostics.iter().any(|told| told.severity == Severity::Error) {
            return lowerer.constant_node(0);
        }
        return lowerer.refuse(RuleProblem::NeverShown { field: name.clone() }.at(span));
    }
    let clue = lowerer.ruleset.clues.iter().find(|clue| lowerer.ruleset.names.text(clue.name) == name);
    let Some(offset) = clue.map(|clue| clue.known_by_all(lowerer.chosen.players)) else { return lowerer.constant_node(0) };
    let card = lowerer.lower_expr(card, env);
    lowerer.make(GraphExpr::Counter { card, offset })
}
