//! Checks which cards lie in a deck: `deck pile of wolf where card.height > 1 and card.set in set`.

use super::super::defs::{DefId, DefKind, Space};
use super::super::syntax::ast::{self, BinaryOp, Name};
use super::super::typed::{DeckFilter, Expr, ExprKind, Room};
use super::Checker;
use crate::engine::graph::Expr as GraphExpr;
use crate::engine::node::Type;
use crate::pack::RawCard;
use crate::source::Span;

/// Checks the conditions of decks, by the index of their place.
pub(crate) fn check_decks(checker: &mut Checker<'_>, decks: &[(usize, &ast::Expr)], cards: &[&RawCard]) {
    for &(place, condition) in decks {
        let made = check_deck(checker, condition, cards);
        if let Room::Deck { filter, .. } = &mut checker.rules.places[place].room {
            *filter = made;
        }
    }
}

/// Checks how many cards lie in a pile of a deck.
pub(super) fn check_pile(checker: &mut Checker<'_>, deck: &ast::Deck, span: Span) -> Expr {
    let Some((place, pile)) = checker.resolve_deck(deck) else { return checker.poisoned(span) };
    let deck = checker.index(place);
    let kind = ExprKind::node([pile], vec![place], |[pile]| GraphExpr::PiecesInPile { deck, pile });
    Expr { kind, ty: Type::Number, span }
}

fn check_deck(checker: &mut Checker<'_>, condition: &ast::Expr, cards: &[&RawCard]) -> Option<DeckFilter> {
    #[allow(clippy::wildcard_enum_match_arm, reason = "all others are about what is printed")]
    match &*condition.kind {
        ast::ExprKind::Binary { op: operator @ (BinaryOp::And | BinaryOp::Or), left, right } => {
            let (a, b) = (check_deck(checker, left, cards), check_deck(checker, right, cards));
            let (a, b) = (Box::new(a?), Box::new(b?));
            return Some(if *operator == BinaryOp::And { DeckFilter::And(a, b) } else { DeckFilter::Or(a, b) });
        }
        ast::ExprKind::Not(inner) => return check_deck(checker, inner, cards).map(|inner| DeckFilter::Not(Box::new(inner))),
        ast::ExprKind::In { left, my: false, name } => {
            if let Some(key) = key_of_card(left) {
                return check_chosen(checker, &key, name);
            }
        }
        ast::ExprKind::Is { left, not, right } => {
            if let Some((key, word)) = compared_word(left, right)
                && (key.text == "set" || find_option(checker, word).is_some())
            {
                return check_word(checker, &key, word, *not, cards);
            }
        }
        ast::ExprKind::Binary { op: operator @ (BinaryOp::Equal | BinaryOp::NotEqual), left, right } => {
            if let Some((key, word)) = compared_word(left, right).filter(|(key, _)| key.text == "set") {
                return check_word(checker, &key, word, *operator == BinaryOp::NotEqual, cards);
            }
        }
        _ => {}
    }
    let (card, condition) =
        checker.with_own_scope(|checker| (checker.bind("card", Type::Card), checker.check_expr(condition, &[Type::Truth])));
    (condition.kind != ExprKind::Poisoned).then_some(DeckFilter::Printed { card, condition })
}

/// Checks `card.KEY in OPTION`.
fn check_chosen(checker: &mut Checker<'_>, key: &Name, option: &Name) -> Option<DeckFilter> {
    let defs = &checker.rules.defs;
    let known = [Space::Field, Space::List, Space::Row].into_iter().any(|space| defs.find(space, &key.text).is_some());
    if !known && key.text != "set" {
        let fields = defs.names(Space::Field).chain(["set"]);
        checker.report_all(defs.missing(&key.text, key.span, "a field of cards", fields));
        return None;
    }
    match find_option(checker, option) {
        Some(option) => Some(DeckFilter::Chosen { key: key.text.clone(), option }),
        None => {
            checker.report_unknown(&option.text, option.span, "an option", &[Space::Value]);
            None
        }
    }
}

/// Returns `KEY` and `WORD` of `card.KEY is WORD`.
fn compared_word<'e>(left: &ast::Expr, right: &'e ast::Expr) -> Option<(Name, &'e Name)> {
    let ast::ExprKind::Name(word) = &*right.kind else { return None };
    Some((key_of_card(left)?, word))
}

/// Checks `card.KEY is OPTION`, and `card.set is WORD`, or that it is `not`.
fn check_word(checker: &mut Checker<'_>, key: &Name, word: &Name, not: bool, cards: &[&RawCard]) -> Option<DeckFilter> {
    let sets = cards.iter().filter_map(|card| card.set.as_ref()).map(|set| set.text.as_str());
    let found = if find_option(checker, word).is_some() {
        check_chosen(checker, key, word)?
    } else if sets.clone().any(|set| set == word.text) {
        DeckFilter::InSet(word.text.clone())
    } else {
        checker.report_all(checker.rules.defs.missing(&word.text, word.span, "an option or a set of cards", sets));
        return None;
    };
    Some(if not { DeckFilter::Not(Box::new(found)) } else { found })
}

fn find_option(checker: &Checker<'_>, name: &Name) -> Option<DefId> {
    let id = checker.rules.defs.find(Space::Value, &name.text)?;
    matches!(checker.rules.defs[id].kind, DefKind::Option(_)).then_some(id)
}

/// Returns `KEY` of `card.KEY`.
fn key_of_card(expr: &ast::Expr) -> Option<Name> {
    let ast::ExprKind::Name(path) = &*expr.kind else { return None };
    path.member().filter(|(card, _)| *card == "card").map(|(_, key)| Name { text: key.to_string(), span: expr.span })
}
