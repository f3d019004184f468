//! Builds statements, questions, and the questions of cards.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts, RulePair, has_keyword};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn build_body(&self, node: RulePair<'_>) -> Body {
        self.build_block(node, Rule::one_statement, Builder::build_statement)
    }

    pub fn build_statement(&self, node: RulePair<'_>) -> BuildResult<Statement> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::place_found => self.build_place_found(node)?,
            Rule::place_several | Rule::place_cards => self.build_place_several(node)?,
            _ => self.kind(node)?,
        };
        Ok(Statement { span, kind })
    }

    /// Builds `place first card of row where card is wolf in yard`, of which the place was read as the end of the condition.
    fn build_place_found(&self, node: RulePair<'_>) -> BuildResult<StatementKind> {
        let (span, slot, or_over_one) = (self.span(&node), has_keyword(&node, Rule::SLOT), has_keyword(&node, Rule::OR_OVER_ONE));
        let under = has_keyword(&node, Rule::UNDER);
        let mut parts = Parts::of(self, node);
        let mut card = parts.expr()?;
        let mut place = parts.maybe_name();
        if place.is_none()
            && let ExprKind::FirstCard(of)
            | ExprKind::TopCard(of)
            | ExprKind::BottomCard(of)
            | ExprKind::RandomCard(of)
            | ExprKind::BestCard { of, .. } = &mut *card.kind
            && let Some(filter) = &mut of.filter
        {
            place = split_place(filter);
            (of.span.end, card.span.end) = (filter.span.end, filter.span.end);
        }
        match place {
            Some(its) if slot && its.text == "its" => Ok(StatementKind::PlaceInSlot { card }),
            Some(place) if !slot => Ok(StatementKind::PlaceIn { card, under, place, or_over_one }),
            Some(_) | None => {
                let missing = Diagnostic::error("R002", span, "where this card goes is missing");
                Err(missing.label("no place stands behind it").help("write `in PLACE`, `in its slot`, or `under DECK`").into())
            }
        }
    }

    /// Builds `place my hand in yard` and `place 2 random cards of row in yard`; behind a condition the place was read as the end of it.
    fn build_place_several(&self, node: RulePair<'_>) -> BuildResult<StatementKind> {
        let (span, under) = (self.span(&node), has_keyword(&node, Rule::UNDER));
        let mut parts = Parts::of(self, node);
        let count = parts.maybe_expr(Rule::amount)?;
        let mut cards: Cards = parts.read()?;
        let mut place = parts.maybe_name();
        if let (None, Some(filter)) = (&place, &mut cards.filter) {
            place = split_place(filter);
            cards.span.end = filter.span.end;
        }
        let Some(place) = place else {
            let missing = Diagnostic::error("R002", span, "where these cards go is missing");
            return Err(missing.label("no place stands behind them").help("write `in PLACE`, or `under DECK`").into());
        };
        Ok(match count {
            Some(count) => StatementKind::PlaceSeveral { count, cards, under, place },
            None => StatementKind::PlaceCards { cards, under, place },
        })
    }

    pub fn build_choice(&self, node: RulePair<'_>) -> BuildResult<Choice> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let (words, params) = (parts.maybe_quoted(), parts.read()?);
        let condition = parts.maybe_expr(Rule::expr)?;
        let up_to = parts.maybe_expr(Rule::amount)?;
        let guards =
            parts.maybe_within(Rule::answer_parts, |parts| parts.each(&[Rule::needs, Rule::cost_from, Rule::cost], Builder::kind))?;
        let body = self.build_body(parts.node()?);
        let otherwise = parts.maybe(Rule::body).map(|body| self.build_body(body));
        Ok(Choice { words, params, condition, up_to, body, parts: guards, otherwise, span })
    }
}

/// Takes the place behind `in` off the end of a condition.
fn split_place(condition: &mut Expr) -> Option<Name> {
    if let ExprKind::In { left, my: false, name } = &*condition.kind {
        let (left, name) = (left.clone(), name.clone());
        *condition = left;
        return Some(name);
    }
    let (place, end) = if let ExprKind::Binary { right, .. } | ExprKind::Is { right, .. } | ExprKind::Not(right) = &mut *condition.kind {
        (split_place(right)?, right.span.end)
    } else {
        return None;
    };
    condition.span.end = end;
    Some(place)
}
