//! Checks `show VALUE to …`: a hidden counter, flag, set, tally, resource or pool becomes known, or a part of a card.

use super::super::defs::{DefId, DefKind, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, Whose};
use super::super::typed::{Expr, ExprKind, ShownTo, StmtKind};
use super::{Checker, boards, one_card};
use crate::cast;
use crate::engine::node::{Compare, NodeId, Type};
use crate::engine::op::{Op, Viewers, Whom};
use crate::source::Span;

/// Returns the value or pool that `show … to …` names, with the player whose it is if one is named; `None` if it names cards.
pub(super) fn shown_value(checker: &mut Checker<'_>, shown: &ast::Cards) -> Option<(Option<Expr>, Name)> {
    let word = &shown.name;
    let is_value = |checker: &Checker<'_>, name: &str| {
        let found = checker.rules.defs.find_declared(Space::Value, name);
        found.is_some_and(|id| matches!(checker.rules.defs[id].kind, DefKind::Variable { .. } | DefKind::Pool(_)))
    };
    let last = word.text.rsplit('.').next().unwrap_or(&word.text);
    if checker.scope.find(&word.text).is_some() || !is_value(checker, last) {
        return None;
    }
    let (owner, name) = checker.split_owner_of(word);
    is_value(checker, &name.text).then_some((owner, name))
}

/// Checks `show VALUE to …`.
#[allow(clippy::wildcard_enum_match_arm, reason = "it was found to be one of these")]
pub(super) fn check_show_value(
    checker: &mut Checker<'_>,
    shown: &ast::Cards,
    (owner, name): (Option<Expr>, Name),
    to: ShownTo,
) -> Option<StmtKind> {
    let value: DefId = checker.rules.defs.find(Space::Value, &name.text)?;
    let (of_seat, hidden) = match checker.rules.defs[value].kind {
        DefKind::Pool(pool) => {
            let pool = &checker.rules.pools[usize::from(pool)];
            (pool.of_seat, pool.hidden)
        }
        DefKind::Variable { owner, .. } => (owner == Owner::Player, checker.rules.hidden_values.contains(&value)),
        _ => return None,
    };
    if owner.is_some() && !of_seat {
        return checker.refuse(RuleProblem::OfNoPlayer { name: name.text.clone() }.at(name.span));
    }
    if !hidden {
        return checker.refuse(RuleProblem::ShownInVain { name: name.text.clone() }.at(name.span));
    }
    let more = shown.filter.as_ref().map(|more| more.span).or(shown.with.as_ref().map(|with| with.span));
    let more = more.or(shown.rows.first().map(|row| row.span)).or((shown.whose == Whose::All).then_some(shown.span));
    if let Some(more) = more {
        return checker.refuse(RuleProblem::ShownInPart { name: name.text.clone() }.at(more));
    }
    Some(StmtKind::ShowValue { value, owner, to })
}

/// Returns `card.height` in `show card.height to …` as an expression, if it is a field of a card that has a local name.
pub(super) fn shown_field(checker: &Checker<'_>, shown: &ast::Cards) -> Option<ast::Expr> {
    let (card, field) = shown.name.text.rsplit_once('.')?;
    let is_card = checker.scope.find(card).is_some_and(|(_, ty)| matches!(ty, Type::Card | Type::Space(_)));
    let is_plain = shown.whose == Whose::Unsaid && shown.rows.is_empty() && shown.with.is_none() && shown.filter.is_none();
    let name = || ast::Expr { kind: Box::new(ast::ExprKind::Name(shown.name.clone())), span: shown.span };
    (is_card && is_plain && !field.is_empty()).then(name)
}

/// Checks `show CARD.FIELD to …`; a card alone is shown as a whole.
pub(super) fn check_show_part(checker: &mut Checker<'_>, value: &ast::Expr, to: ShownTo) -> Option<StmtKind> {
    let shown = checker.infer(value, None);
    let ty = checker.types.resolve(shown.ty);
    if shown.kind == ExprKind::Poisoned {
        None
    } else if let ExprKind::Field { card, field } = shown.kind {
        show_field(checker, (*card, field), None, to, value.span)
    } else if ty == Type::Card {
        boards::expect_movable(checker, &shown);
        Some(one_card::show_card(shown, to))
    } else {
        checker.refuse(RuleProblem::ShownPart.at(value.span))
    }
}

/// Checks `show whether CARD.FIELD == VALUE to …`.
pub(super) fn check_show_whether(checker: &mut Checker<'_>, condition: &ast::Expr, to: ShownTo) -> Option<StmtKind> {
    let told = checker.check_expr(condition, &[Type::Truth]);
    let is_field = |expr: &Expr| matches!(expr.kind, ExprKind::Field { .. });
    let (field, whether) = if let ExprKind::Compare { operator, a, b } = told.kind {
        if is_field(&a) { (*a, Some((operator, *b))) } else { (*b, Some((operator.with_operands_swapped(), *a))) }
    } else {
        (told, None)
    };
    let ExprKind::Field { card, field: def } = field.kind else {
        let is_told = field.kind == ExprKind::Poisoned;
        return if is_told { None } else { checker.refuse(RuleProblem::ShownWhether.at(condition.span)) };
    };
    if let (ExprKind::Local(name), Some((_, other))) = (&card.kind, &whether)
        && other.mentions(*name)
    {
        return checker.refuse(RuleProblem::ShownWhether.at(other.span));
    }
    show_field(checker, (*card, def), whether, to, condition.span)
}

/// Checks `all know CARD.FIELD`.
pub(super) fn check_all_know(checker: &mut Checker<'_>, value: &ast::Expr, span: Span) -> Expr {
    let known = checker.infer(value, None);
    if known.kind == ExprKind::Poisoned {
        return Expr::poisoned(Type::Truth, span);
    }
    if let ExprKind::Field { card, field } = known.kind
        && checker.types.resolve(card.ty) == Type::Card
    {
        return Expr::truth(ExprKind::AllKnow { card, field }, span);
    }
    checker.report_poisoned(RuleProblem::NotPrinted, value.span)
}

/// Creates the statement that shows a field of a card.
fn show_field(
    checker: &mut Checker<'_>,
    (card, field): (Expr, DefId),
    whether: Option<(Compare, Expr)>,
    to: ShownTo,
    span: Span,
) -> Option<StmtKind> {
    if let Type::Space(_) = checker.types.resolve(card.ty) {
        let name = checker.rules.defs[field].name.clone();
        return checker.refuse(RuleProblem::ShownInVain { name }.at(span));
    }
    let clues = &mut checker.rules.clues;
    let known = clues.iter().position(|known| *known == field);
    let clue = cast::fit::<u16>(known.unwrap_or(clues.len()));
    if known.is_none() {
        clues.push(field);
    }
    if matches!(to, ShownTo::Players(Whom::All)) {
        checker.rules.common_clues.insert(field);
    }
    let (to, viewer) = match to {
        ShownTo::Players(whom) => (Viewers::Players(whom), None),
        ShownTo::Seat(one) => (Viewers::Seat(NodeId::at(1)), Some(one)),
    };
    let at = NodeId::at(if viewer.is_some() { 2 } else { 1 });
    let (whether, other) = whether.map(|(compare, other)| ((compare, at), other)).unzip();
    let op = Op::ShowPart { card: NodeId::at(0), clue, whether, to };
    Some(StmtKind::Op { op, operands: [card].into_iter().chain(viewer).chain(other).collect() })
}
