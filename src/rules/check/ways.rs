//! Ways over a board: the spaces within some steps of one, and how far it is to another.

use super::super::defs::{DefKind, FieldType, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, OverWays};
use super::super::typed::{Around, BoardShape, Expr, ExprKind, Ways};
use super::{Checker, boards};
use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;
use crate::source::Span;

/// The name under which a space of a way is known to what ways lead over.
const EACH: &str = "space";

/// Checks `N steps of S over …`, of a space of the board with this index.
pub(super) fn check_steps(checker: &mut Checker<'_>, steps: &ast::Expr, over: Option<&OverWays>, (from, board): (Expr, usize)) -> Around {
    let steps = Box::new(checker.check_expr(steps, &[Type::Number]));
    Around::Steps { from, steps, ways: Box::new(check_ways(checker, over, board)) }
}

/// Checks `distance from S to S over …`.
pub(super) fn check_distance_over(checker: &mut Checker<'_>, (from, to): (&ast::Expr, &ast::Expr), over: &OverWays, span: Span) -> Expr {
    let Some((from, board)) = boards::check_space(checker, from, "distance … over") else { return checker.poisoned(span) };
    let to = checker.check_expr(to, &[Type::Space(checker.rules.boards[board].kind)]);
    let ways = check_ways(checker, Some(over), board);
    Expr { kind: ExprKind::Way { from: Box::new(from), to: Box::new(to), ways: Box::new(ways) }, ty: Type::Number, span }
}

/// Checks where ways over the board with this index can lead.
fn check_ways(checker: &mut Checker<'_>, over: Option<&OverWays>, board: usize) -> Ways {
    let links = over.and_then(|over| over.along.as_ref()).and_then(|along| find_links(checker, along, board));
    let kept = checker.scope.bound.len();
    let bind = checker.bind(EACH, Type::Space(checker.rules.boards[links.unwrap_or(board)].kind));
    let land = over.and_then(|over| over.name.as_ref()).map(|name| match is_flag_of_spaces(checker, &name.text) {
        true => check_member_of_each(checker, name, Type::Truth),
        false => check_of_each(checker, name, "over", Type::Truth),
    });
    let joined = over.and_then(|over| over.joined.as_ref()).map(|joined| match counts_on_spaces(checker, &joined.text) {
        true => check_member_of_each(checker, joined, Type::Number),
        false => check_of_each(checker, joined, "joined by", Type::Number),
    });
    checker.scope.bound.truncate(kept);
    Ways { board, links, bind, over: land, joined }
}

/// Finds the board of links between the spaces of the board with this index.
fn find_links(checker: &mut Checker<'_>, along: &ast::Expr, board: usize) -> Option<usize> {
    let ast::ExprKind::Name(name) = &*along.kind else { return None };
    let joins = |shape: &BoardShape| matches!(shape, BoardShape::Links { board: of, .. } if *of == board);
    let found = checker.rules.boards.iter().position(|links| links.name == name.text && joins(&links.shape));
    match found.and_then(|found| checker.rules.boards[found].place) {
        // Whoever names it uses it.
        Some(_) => _ = checker.rules.defs.find(Space::Value, &name.text),
        None => {
            let known = checker.rules.boards.iter().filter(|links| joins(&links.shape)).map(|links| links.name.as_str());
            let what = format!("a board of links between the spaces of `{}`", checker.rules.boards[board].name);
            checker.report_all(checker.rules.defs.missing(&name.text, name.span, &what, known));
        }
    }
    found
}

/// Checks a member of each space of a way, which a name alone stands for.
fn check_member_of_each(checker: &mut Checker<'_>, name: &Name, ty: Type) -> Expr {
    let member = ast::ExprKind::Name(Name { text: format!("{EACH}.{}", name.text), span: name.span });
    checker.check_expr(&ast::Expr { kind: Box::new(member), span: name.span }, &[ty])
}

/// Whether a name alone is that of a flag that spaces have.
fn is_flag_of_spaces(checker: &Checker<'_>, name: &str) -> bool {
    let defs = &checker.rules.defs;
    let found = defs.find_declared(Space::Counter, name).map(|def| &defs[def].kind);
    defs.find_declared(Space::Value, name).is_none()
        && matches!(found, Some(DefKind::Variable { owner: Owner::Card, sort: VariableSort::Flag, .. }))
}

/// Whether a name alone is that of a number that spaces have: a counter or a field.
fn counts_on_spaces(checker: &Checker<'_>, name: &str) -> bool {
    let defs = &checker.rules.defs;
    let what = |space| defs.find_declared(space, name).map(|def| &defs[def].kind);
    let is_counter = matches!(
        what(Space::Counter),
        Some(DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: None | Some(Type::Space(_)), .. })
    );
    let is_field = matches!(what(Space::Field), Some(DefKind::Field(FieldType::One(Type::Number))));
    what(Space::Value).is_none() && (is_counter || is_field)
}

/// Checks what a definition with one parameter is for each space of a way.
fn check_of_each(checker: &mut Checker<'_>, name: &Name, what: &'static str, ty: Type) -> Expr {
    let def = checker.rules.defs.find(Space::Value, &name.text);
    let is_condition = ty == Type::Truth;
    let (wanted, example) = if is_condition { ("yes or no", "card.owner is nobody") } else { ("a number", "row of card") };
    let is_member = [Space::Counter, Space::Field].iter().any(|space| checker.rules.defs.find_declared(*space, &name.text).is_some());
    if def.is_none() && is_member {
        checker.report(RuleProblem::MemberOfEachSpace { what, name: name.text.clone(), wanted, example }.at(name.span));
        return Expr::poisoned(ty, name.span);
    }
    let takes_one = match def.map(|def| &checker.rules.defs[def].kind) {
        Some(DefKind::Define | DefKind::Quantity { .. }) => def.is_some_and(|def| {
            checker.ensure_checked(def);
            checker.params_of(def).len() == 1
        }),
        Some(DefKind::Broken) | None => true,
        Some(_) => false,
    };
    if !takes_one {
        checker.report(RuleProblem::NotOfEachSpace { what, name: name.text.clone(), wanted, example }.at(name.span));
        return Expr::poisoned(ty, name.span);
    }
    let each = ast::Expr { kind: Box::new(ast::ExprKind::Name(Name { text: EACH.to_string(), span: name.span })), span: name.span };
    let call = ast::ExprKind::Call { name: name.clone(), args: vec![each] };
    checker.check_expr(&ast::Expr { kind: Box::new(call), span: name.span }, &[ty])
}
