//! Folds and loops over numbers, words, cards and players, each of which gets a name: `sum n * n of n in 1 to 6`.

use super::super::defs::{ALL_RESOURCES, ALL_SYMBOLS, DefId, DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Fold, Name, Whose};
use super::super::typed::{Expr, ExprKind, FoldDomain, Named, Stmt, StmtKind};
use super::sets::NOBODY;
use super::{Checker, locals};
use crate::cast;
use crate::engine::graph::{Expr as GraphExpr, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::Compare;
use crate::source::Span;
use crate::state::layout::head;

/// Checks a fold over numbers, words, cards or players with a name.
pub(super) fn check_over_named(checker: &mut Checker<'_>, fold: Fold, each: Option<&ast::Expr>, of: &ast::Named, span: Span) -> Expr {
    let is_place = |what: &DefKind| matches!(what, DefKind::Place { .. } | DefKind::Zone(_));
    if checker.rules.defs.kind_of(Space::Value, &of.name.text).is_some_and(is_place) {
        return checker.report_poisoned(RuleProblem::NameOfPlace { name: of.name.text.clone() }, of.name.span);
    }
    locals::refuse_built_in(checker, &of.name);
    let name = of.name.text.as_str();
    let mut filter = of.filter.as_ref();
    let mut compared = None;
    let (domain, ty) = match &of.domain {
        ast::FoldDomain::Range { from, to } => {
            let [from, to] = checker.check_numbers([from, to]);
            (FoldDomain::Range(from, to), Type::Number)
        }
        ast::FoldDomain::Words(names) => {
            let (words, ty) = checker.resolve_word_list(names);
            (FoldDomain::Words(words), ty)
        }
        ast::FoldDomain::Cards(cards) if are_words(checker, cards) => {
            filter = cards.filter.as_ref();
            let (words, ty) = checker.resolve_word_list(std::slice::from_ref(&cards.name));
            (FoldDomain::Words(words), ty)
        }
        ast::FoldDomain::Cards(cards) => return checker.check_over_cards(fold, each, (Some(name), cards), span),
        ast::FoldDomain::Players(players) => {
            match &players.which {
                ast::PlayersWhich::Any => {}
                ast::PlayersWhich::Where(condition) => filter = Some(condition),
                ast::PlayersWhich::Fewer(than) | ast::PlayersWhich::More(than) => compared = Some(than),
            }
            (FoldDomain::Players { others: players.other }, Type::Seat)
        }
    };
    if let Some(than) = compared {
        checker.report(RuleProblem::NamedCompared { name: name.to_string() }.at(than.span));
    }
    let kept = checker.scope.bound.len();
    let bind = checker.bind(name, ty);
    let filter = filter.map(|filter| checker.check_expr(filter, &[Type::Truth])).map(|filter| match domain {
        // A condition that does not say the name of a player is about each of them.
        FoldDomain::Players { .. } if !filter.mentions(bind) => {
            let span = filter.span;
            filter.of_player(Expr { kind: ExprKind::Local(bind), ty, span }, span)
        }
        FoldDomain::Players { .. } | FoldDomain::Range(..) | FoldDomain::Words(_) => filter,
    });
    let each = each.map(|each| checker.check_expr(each, &[Type::Number, Type::Thousandths]));
    checker.scope.bound.truncate(kept);
    let result = match (fold, &each) {
        (Fold::Any, _) => Type::Truth,
        (_, Some(each)) => each.ty,
        _ => Type::Number,
    };
    let named = Box::new(Named { bind, domain, ty, filter });
    Expr { kind: ExprKind::OverNamed { fold, named, each: each.map(Box::new) }, ty: result, span }
}

/// Checks `next player where …`: of the other players for whom the condition holds, the one with the fewest steps behind the current player.
pub(super) fn check_next_player(checker: &mut Checker<'_>, filter: Option<&ast::Expr>, span: Span) -> Expr {
    let bind = checker.unnamed();
    let candidate = |ty| Expr { kind: ExprKind::Local(bind), ty, span };
    let filter = filter.map(|filter| checker.check_expr(filter, &[Type::Truth]).of_player(candidate(Type::Seat), span));
    let number = |value| Expr::constant(value, Type::Number, span);
    let place = || Expr::number(ExprKind::node([], Vec::new(), |[]| GraphExpr::PlaceInOrder), span);
    let players = || Expr::number(ExprKind::Players, span);
    let behind = place().of_player(candidate(Type::Seat), span).combined(NumberOp::Sub, place(), span);
    let steps = behind.combined(NumberOp::Add, players(), span).combined(NumberOp::Remainder, players(), span);
    // One number has both the steps, which are at least 1, and the player.
    let seats = || number(cast::count(head::MAX_SEATS));
    let each = steps.combined(NumberOp::Mul, seats(), span).combined(NumberOp::Add, candidate(Type::Number), span);
    let named = Box::new(Named { bind, domain: FoldDomain::Players { others: true }, ty: Type::Seat, filter });
    let nearest = Expr::number(ExprKind::OverNamed { fold: Fold::Lowest, named, each: Some(Box::new(each)) }, span);
    let condition = Box::new(nearest.clone().compared(Compare::More, number(0), span));
    let yes = Box::new(Expr { ty: Type::Seat, ..nearest.combined(NumberOp::Remainder, seats(), span) });
    let no = Box::new(Expr::constant(NOBODY, Type::Seat, span));
    Expr { kind: ExprKind::If { condition, yes, no }, ty: Type::Seat, span }
}

/// Whether what a name goes through is words, and not the cards of a place.
pub(super) fn are_words(checker: &Checker<'_>, cards: &ast::Cards) -> bool {
    let (defs, word) = (&checker.rules.defs, cards.name.text.as_str());
    let is_word = checker.are_words(word) || defs.resource(word).is_some() || defs.declared_word(word).is_some();
    cards.whose == Whose::Unsaid && cards.rows.is_empty() && cards.with.is_none() && is_word && defs.places_named(word).is_none()
}

/// Checks `each NAME in WORDS where … { … }`.
pub(super) fn check_each_word(checker: &mut Checker<'_>, name: &Name, cards: &ast::Cards, body: &ast::Body) -> StmtKind {
    locals::refuse_built_in(checker, name);
    let (words, ty) = checker.resolve_word_list(std::slice::from_ref(&cards.name));
    let bind = checker.bind(&name.text, ty);
    let block = match &cards.filter {
        None => checker.check_block(body),
        Some(filter) => {
            let condition = checker.check_expr(filter, &[Type::Truth]);
            let yes = checker.check_conditional_block(body);
            vec![Stmt { kind: StmtKind::If { condition, yes, no: None }, span: filter.span }]
        }
    };
    StmtKind::ForWords { bind, words, block }
}

/// Returns what is wrong with `for NAME in …` of cards, spaces or players; `None` if they are none of these.
fn for_of_cards(checker: &Checker<'_>, name: &str, of: &str) -> Option<RuleProblem> {
    if of == "players" {
        let (name, write) = (of.to_string(), "each player { … }".to_string());
        return Some(RuleProblem::ForOfCards { name, what: "all who play", write });
    }
    let defs = &checker.rules.defs;
    let is_known = |space| defs.find_declared(space, of).is_some();
    if !is_known(Space::Value) && !is_known(Space::Words) && !is_known(Space::Symbol) {
        let all = match of {
            "resources" => Some(("all resources", ALL_RESOURCES)),
            "symbol" => Some(("all symbols", ALL_SYMBOLS)),
            _ => None,
        };
        if let Some((what, word)) = all {
            return Some(RuleProblem::ForOfCards { name: of.to_string(), what, write: format!("for {name} in {word} {{ … }}") });
        }
    }
    if defs.resource(of).is_some() || checker.are_words(of) {
        return None;
    }
    let on_cards = |space| defs.find_declared(space, of).map(|def| &defs[def].kind);
    let of_place = |def: &DefId| matches!(defs[*def].kind, DefKind::Place { .. } | DefKind::Zone(_));
    let (what, write) = match defs.find_declared(Space::Value, of).filter(of_place) {
        Some(place) => {
            let is_board = checker.rules.board_of_place(place).is_some();
            let what = if is_board { "a board" } else { defs[place].kind.describe() };
            (what, format!("each {name} in {of} {{ … }}"))
        }
        None => {
            let kind = on_cards(Space::Counter).or_else(|| on_cards(Space::Field))?;
            (kind.describe(), format!("each {name} in PLACE where {name}.{of} {{ … }}"))
        }
    };
    Some(RuleProblem::ForOfCards { name: of.to_string(), what, write })
}

/// Checks `for NAME in … { … }`.
pub(super) fn check_for(checker: &mut Checker<'_>, name: &Name, within: &ast::FoldDomain, body: &ast::Body) -> StmtKind {
    locals::refuse_built_in(checker, name);
    match within {
        // The grammar has no cards and players here.
        ast::FoldDomain::Cards(_) | ast::FoldDomain::Players(_) => StmtKind::Block(Vec::new()),
        ast::FoldDomain::Words(names) => {
            if let [of] = &names[..]
                && let Some(problem) = for_of_cards(checker, &name.text, &of.text)
            {
                checker.report(problem.at(of.span));
                let ty = checker.types.fresh();
                checker.bind(&name.text, ty);
                checker.check_block(body);
                return StmtKind::Block(Vec::new());
            }
            let (words, ty) = checker.resolve_word_list(names);
            let bind = checker.bind(&name.text, ty);
            StmtKind::ForWords { bind, words, block: checker.check_block(body) }
        }
        ast::FoldDomain::Range { from, to } => {
            let [from, to] = checker.check_numbers([from, to]);
            let bind = checker.bind(&name.text, Type::Number);
            StmtKind::ForNumbers { bind, from, to, block: checker.check_conditional_block(body) }
        }
    }
}
