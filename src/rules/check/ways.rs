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
/// The name of the space before it.
const BEFORE: &str = "before";

/// Checks `N steps of S over …`, of a space of the board with this index; without a number of steps `group of S over …`.
pub(super) fn check_steps(
    checker: &mut Checker<'_>,
    steps: Option<&ast::Expr>,
    over: Option<&OverWays>,
    (from, board): (Expr, usize),
) -> Around {
    let steps = steps.map(|steps| Box::new(checker.check_expr(steps, &[Type::Number])));
    Around::Steps { from, steps, ways: Box::new(check_ways(checker, over, board)) }
}

/// Checks `distance from S to S over …`.
pub(super) fn check_distance_over(checker: &mut Checker<'_>, (from, to): (&ast::Expr, &ast::Expr), over: &OverWays, span: Span) -> Expr {
    // The links say of which board the spaces are.
    let along = over.along.as_ref().and_then(|along| if let ast::ExprKind::Name(name) = &*along.kind { Some(&name.text) } else { None });
    let links = along.and_then(|along| checker.rules.boards.iter().find(|links| links.name == *along));
    let joined = links.and_then(|links| if let BoardShape::Links { board, .. } = links.shape { Some(board) } else { None });
    let joined = joined.map(|board| checker.rules.boards[board].kind);
    let what = if over.along.is_some() { "distance … along" } else { "distance … over" };
    let found = boards::check_space(checker, from, what, |board| joined.is_none_or(|kind| board.kind == kind));
    let Some((from, board)) = found else { return checker.poisoned(span) };
    let to = checker.check_expr(to, &[Type::Space(checker.rules.boards[board].kind)]);
    let ways = check_ways(checker, Some(over), board);
    Expr { kind: ExprKind::Way { from: Box::new(from), to: Box::new(to), ways: Box::new(ways) }, ty: Type::Number, span }
}

/// Checks where ways over the board with this index can lead.
fn check_ways(checker: &mut Checker<'_>, over: Option<&OverWays>, board: usize) -> Ways {
    let links = over.and_then(|over| over.along.as_ref()).and_then(|along| find_links(checker, along, board));
    let kept = checker.scope.bound.len();
    let each = Type::Space(checker.rules.boards[links.unwrap_or(board)].kind);
    let name = over.and_then(|over| over.name.as_ref());
    let before = name.filter(|name| is_about_both(checker, &name.text)).map(|_| checker.bind(BEFORE, each));
    let bind = checker.bind(EACH, each);
    let land = name.map(|name| {
        if before.is_some() {
            check_of_both(checker, name, over.is_some_and(|over| over.joined.is_some()), links.is_some())
        } else if is_flag_of_spaces(checker, &name.text) {
            check_member_of_each(checker, name, Type::Truth)
        } else {
            check_of_each(checker, name, "over", Type::Truth)
        }
    });
    let joined = over.and_then(|over| over.joined.as_ref()).map(|joined| match counts_on_spaces(checker, &joined.text) {
        true => check_member_of_each(checker, joined, Type::Number),
        false => check_of_each(checker, joined, "joined by", Type::Number),
    });
    checker.scope.bound.truncate(kept);
    Ways { board, links, bind, before, over: land, joined }
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

/// Whether a name is that of a definition with two parameters, of the space before and of that to which a step leads.
fn is_about_both(checker: &mut Checker<'_>, name: &str) -> bool {
    let def = checker.rules.defs.find_declared(Space::Value, name);
    def.is_some_and(|def| {
        matches!(checker.rules.defs[def].kind, DefKind::Define) && {
            checker.ensure_checked(def);
            checker.params_of(def).len() == 2
        }
    })
}

/// Checks what a definition with two parameters is for each step of a way.
fn check_of_both(checker: &mut Checker<'_>, name: &Name, is_joined: bool, is_along: bool) -> Expr {
    if is_joined || is_along {
        let what = if is_joined { "joined by" } else { "along" };
        checker.report(RuleProblem::StepsOnlyOver { what, name: name.text.clone() }.at(name.span));
        return Expr::poisoned(Type::Truth, name.span);
    }
    call_of(checker, name, &[BEFORE, EACH], Type::Truth)
}

/// Checks a call of a definition with names as its arguments.
fn call_of(checker: &mut Checker<'_>, name: &Name, args: &[&str], ty: Type) -> Expr {
    let arg = |arg: &&str| ast::ExprKind::Name(Name { text: (*arg).to_string(), span: name.span });
    let args = args.iter().map(|one| ast::Expr { kind: Box::new(arg(one)), span: name.span }).collect();
    let call = ast::ExprKind::Call { name: name.clone(), args };
    checker.check_expr(&ast::Expr { kind: Box::new(call), span: name.span }, &[ty])
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
    call_of(checker, name, &[EACH], ty)
}
