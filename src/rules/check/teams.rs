//! Checks games of teams, and games that all win or lose together.

use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, DeclarationKind, WhichTeams, WinsRule};
use super::super::typed::{Neighbour, ShownTo};
use super::Checker;
use crate::engine::node::Type;
use crate::engine::ruleset::Whom;
use crate::source::Span;

/// Checks who wins: the order of ties, or the condition under which all have won.
pub(super) fn check_wins(checker: &mut Checker<'_>, rule: &WinsRule, tree: &ast::Rules) {
    checker.rules.lowest_wins = rule.lowest;
    checker.rules.tie_breaks = checker.check_order_keys(&rule.keys);
    let Some(condition) = &rule.together else { return };
    checker.rules.together = Some(checker.check_condition(condition));
    for declaration in &tree.declarations {
        match &declaration.kind {
            DeclarationKind::Teams(_) => checker.report(RuleProblem::TeamsTogether.at(declaration.span)),
            DeclarationKind::Series(_) => checker.report(RuleProblem::SeriesTogether.at(declaration.span)),
            _ => {}
        }
    }
}

/// Returns the players that a loop visits, and reports teams where there are none.
pub(super) fn visited_players(checker: &mut Checker<'_>, others: bool, teams: WhichTeams, span: Span) -> Whom {
    expect_teams(checker, teams, span);
    match (teams, others) {
        (WhichTeams::All, false) => Whom::All,
        (WhichTeams::All, true) => Whom::Others,
        (WhichTeams::Mine, false) => Whom::Team,
        (WhichTeams::Mine, true) => Whom::Partners,
        (WhichTeams::Others, _) => Whom::OtherTeams,
    }
}

/// Checks to whom something is shown: one player, or all or some of them.
pub(super) fn check_viewers(
    checker: &mut Checker<'_>,
    (others, teams): (bool, WhichTeams),
    one: Option<&ast::Expr>,
    span: Span,
) -> ShownTo {
    match one {
        Some(one) => ShownTo::Seat(checker.check_expr(one, &[Type::Seat])),
        None => ShownTo::Players(visited_players(checker, others, teams, span)),
    }
}

/// Reports words about teams in a game without any.
pub(super) fn expect_teams(checker: &mut Checker<'_>, teams: WhichTeams, span: Span) {
    if teams != WhichTeams::All && checker.rules.teams.is_none() && !checker.rules.defs.is_suspect("teams") {
        checker.report(RuleProblem::NoTeams.at(span));
    }
}

/// Reports `partner` where a player has none, or several.
pub(super) fn expect_partner(checker: &mut Checker<'_>, who: Neighbour, span: Span) {
    if who == Neighbour::Partner && !matches!(checker.rules.teams, Some((2, _))) && !checker.rules.defs.is_suspect("teams") {
        let of = checker.rules.teams.map(|(size, _)| size);
        checker.report(RuleProblem::NoPartner { of }.at(span));
    }
}
