//! Boards: what their spaces are called, the lines and groups that they form, and what lies on them.

use super::super::defs::{DefId, DefKind, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, OfSpace};
use super::super::typed::{Around, BindingId, Board, BoardShape, Cards, Expr, ExprKind, SpaceFold, Target};
use super::{Checker, choice, parts, ways};
use crate::cast;
use crate::engine::graph::Expr as GraphExpr;
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::source::Span;

/// Returns the type of what a set of cards goes through: cards, or the spaces of a board.
pub(super) fn element_type(checker: &mut Checker<'_>, cards: &ast::Cards) -> Type {
    match &cards.of_space {
        Some(OfSpace::Group(space)) => infer_space(checker, space, |_| true).ty,
        Some(OfSpace::Within(within)) => infer_space(checker, &within.space, |_| true).ty,
        Some(OfSpace::CardsAt(_)) => Type::Card,
        Some(OfSpace::Areas(_) | OfSpace::Beside(_)) | None => {
            let place = checker.rules.defs.find_declared(Space::Value, &cards.name.text);
            let board = place.and_then(|place| checker.rules.board_of_place(place));
            board.map_or(Type::Card, |board| Type::Space(board.kind))
        }
    }
}

/// Returns the board whose spaces are of a type.
fn board_of_type(checker: &Checker<'_>, ty: Type) -> Option<usize> {
    let Type::Space(kind) = checker.types.resolve(ty) else { return None };
    checker.rules.boards.iter().position(|board| board.kind == kind)
}

/// Checks a value that should be a space. A parameter of which nothing is known yet is one of the only board that
/// it can be of, if there is one alone.
fn infer_space(checker: &mut Checker<'_>, space: &ast::Expr, can_be: impl Fn(&Board) -> bool) -> Expr {
    let found = checker.infer(space, None);
    let kinds: Vec<u16> = checker.rules.boards.iter().filter(|board| can_be(board)).map(|board| board.kind).collect();
    if let (Type::Open(_), &[kind]) = (checker.types.resolve(found.ty), kinds.as_slice()) {
        checker.types.fits(found.ty, &[Type::Space(kind)], space.span);
    }
    Expr { ty: checker.types.resolve(found.ty), ..found }
}

/// Checks a value that must be a space of some board; a parameter of which nothing is known yet is one of the only board that it can be of.
pub(super) fn check_space(
    checker: &mut Checker<'_>,
    space: &ast::Expr,
    what: &'static str,
    can_be: impl Fn(&Board) -> bool,
) -> Option<(Expr, usize)> {
    let found = infer_space(checker, space, can_be);
    expect_space(checker, found, what)
}

/// Requires a value to be a space of some board; returns it with the index of the board.
fn expect_space(checker: &mut Checker<'_>, found: Expr, what: &'static str) -> Option<(Expr, usize)> {
    let found = Expr { ty: checker.types.resolve(found.ty), ..found };
    if let Some(board) = board_of_type(checker, found.ty) {
        return Some((found, board));
    }
    if found.kind != ExprKind::Poisoned {
        let is_open = matches!(found.ty, Type::Open(_));
        checker.report(if is_open { RuleProblem::WhichBoard { what } } else { RuleProblem::NeedsASpace { what } }.at(found.span));
    }
    None
}

/// Resolves what has a member, such as `s` of `s.owner`. A parameter of which nothing is known yet is a space if only the spaces of one board
/// have this member.
pub(super) fn resolve_owner(checker: &mut Checker<'_>, (head, member): (&str, &str), span: Span) -> Option<Expr> {
    let defs = &checker.rules.defs;
    let of_spaces = defs.find_declared(Space::Counter, member).and_then(|found| checker.rules.only_board_with(found));
    let by_field = || defs.find_declared(Space::Field, member).and_then(|field| checker.rules.only_board_with_field(field));
    if let Some(kind) = of_spaces.or_else(by_field)
        && let Some((_, ty)) = checker.scope.find(head)
        && let Type::Open(_) = checker.types.resolve(ty)
    {
        checker.types.fits(ty, &[Type::Space(kind)], span);
    }
    checker.resolve_card(head, span)
}

/// Checks `group of S where …`, `within N steps of S` and `cards at S`. The loop variable is bound to `bind` under its name.
pub(super) fn check_cards_of_space(
    checker: &mut Checker<'_>,
    cards: &ast::Cards,
    of: &OfSpace,
    (name, bind): (&str, BindingId),
) -> Option<Cards> {
    let (what, space) = match of {
        OfSpace::Group(space) => ("group of", space),
        OfSpace::Within(within) => (if within.steps.is_some() { "within … steps of" } else { "group of" }, &within.space),
        OfSpace::CardsAt(space) => ("cards at", space),
        OfSpace::Areas(by) => return check_areas(checker, cards, by.as_ref(), (name, bind)),
        OfSpace::Beside(grid) => return parts::check_beside(checker, cards, grid, (name, bind)),
    };
    // The space is named outside of the loop: its variable is not known there.
    let hidden: Vec<_> = checker.scope.bound.extract_if(.., |bound| bound.1 == bind).collect();
    let named = infer_space(checker, space, |_| true);
    let mut known_filter = None;
    if let (Type::Open(_), false) = (named.ty, matches!(of, OfSpace::CardsAt(_))) {
        // What the condition says of its spaces tells of which board the parameter is one.
        known_filter = check_filter(checker, cards, (name, bind, named.ty));
    }
    let found = expect_space(checker, named, what).map(|(space, board)| match of {
        OfSpace::Group(_) => (board, space.ty, Ok(Around::Group(space))),
        OfSpace::Within(within) => {
            (board, space.ty, Ok(ways::check_steps(checker, within.steps.as_ref(), within.over.as_ref(), (space, board))))
        }
        OfSpace::CardsAt(_) | OfSpace::Areas(_) | OfSpace::Beside(_) => (board, Type::Card, Err(space)),
    });
    checker.scope.bound.extend(hidden);
    let (board, ty, around) = found?;
    let filter = known_filter.or_else(|| check_filter(checker, cards, (name, bind, ty)));
    let places = checker.rules.boards[board].place.into_iter().collect();
    let mut made = Cards { places, everybody: true, bind, filter, ..Cards::default() };
    match around {
        Ok(around) => made.around = Some(Box::new(around)),
        Err(space) => lying_on(checker, &mut made, board, space),
    }
    Some(made)
}

/// Checks the condition on what a set goes through, under the name that it has there.
pub(super) fn check_filter(checker: &mut Checker<'_>, cards: &ast::Cards, (name, bind, ty): (&str, BindingId, Type)) -> Option<Expr> {
    let kept = checker.scope.bound.len();
    checker.scope.bound.push((name.to_string(), bind, ty));
    let filter = cards.filter.as_ref().map(|filter| checker.check_expr(filter, &[Type::Truth]));
    checker.scope.bound.truncate(kept);
    filter
}

/// Checks `areas of BOARD by V where …`.
fn check_areas(checker: &mut Checker<'_>, cards: &ast::Cards, by: Option<&ast::Expr>, (name, bind): (&str, BindingId)) -> Option<Cards> {
    let is_board = |what: &DefKind| matches!(what, DefKind::Place { shape: PlaceShape::Board, .. });
    let place = checker.resolve_sort(&cards.name, "a board", is_board)?;
    let ty = Type::Space(checker.rules.board_of_place(place)?.kind);
    let kept = checker.scope.bound.len();
    checker.scope.bound.push((name.to_string(), bind, ty));
    let by = by.map(|by| {
        let value = checker.infer(by, Some(Type::Number));
        Box::new(Expr { ty: checker.types.resolve(value.ty), ..value })
    });
    let filter = cards.filter.as_ref().map(|filter| checker.check_expr(filter, &[Type::Truth]));
    checker.scope.bound.truncate(kept);
    Some(Cards { places: vec![place], everybody: true, bind, filter, around: Some(Box::new(Around::Areas(by))), ..Cards::default() })
}

/// Makes a set of cards that of all that lie on a space.
fn lying_on(checker: &Checker<'_>, cards: &mut Cards, board: usize, space: Expr) {
    let (rules, span) = (&checker.rules, space.span);
    let card = || Expr { kind: ExprKind::Local(cards.bind), ty: Type::Card, span };
    let (kind, in_rows) = (rules.boards[board].kind, matches!(rules.boards[board].shape, BoardShape::Rows { .. }));
    let is_grid = |def: &DefId| matches!(rules.defs[*def].kind, DefKind::Place { shape: PlaceShape::Grid, of_seat: false, .. });
    let all = || rules.places.iter().map(|place| place.def).filter(|def| rules.board_of_place(*def).is_none());
    let mut lies = None;
    let grids: Vec<DefId> = all().filter(is_grid).collect();
    // Where no counter of a card can hold a space, only cards in grids can lie there: no other is looked at.
    cards.places = if grids.is_empty() { all().collect() } else { grids.clone() };
    if in_rows && !grids.is_empty() {
        let mask = grids.iter().fold(0, |mask, &place| mask | 1_u64 << rules.defs[place].kind.index());
        let inside = Expr::truth(ExprKind::node([card()], grids, |[card]| GraphExpr::InPlaces { card, places: mask }), span);
        let same = |at: fn(Box<Expr>) -> ExprKind| {
            let [card, space] = [card(), space.clone()].map(|of| Expr::number(at(Box::new(of)), span));
            card.compared(Compare::Equal, space, span)
        };
        lies = Some(inside.and(same(ExprKind::Row), span).and(same(ExprKind::Column), span));
    }
    for (counter, one) in rules.defs.all() {
        if let DefKind::Variable { owner: super::super::defs::Owner::Card, over: Some(Type::Space(of)), .. } = one.kind
            && of == kind
        {
            let held = Expr { kind: ExprKind::Counter { card: Box::new(card()), counter }, ty: space.ty, span };
            let is = held.compared(Compare::Equal, space.clone(), span);
            lies = Some(match lies {
                Some(lies) => lies.or(is, span),
                None => is,
            });
            cards.places = all().collect();
        }
    }
    let lies = lies.unwrap_or_else(|| Expr::constant(0, Type::Truth, span));
    cards.filter = choice::both(Some(lies), cards.filter.take());
}

/// Checks `longest line of BOARD where …` and `largest group of BOARD where …`.
pub(super) fn check_over_spaces(checker: &mut Checker<'_>, fold: SpaceFold, cards: &ast::Cards, span: Span) -> Expr {
    let kept = checker.scope.bound.len();
    let ty = element_type(checker, cards);
    let bind = checker.bind("card", ty);
    let found = checker.check_cards(cards, "card", bind);
    checker.scope.bound.truncate(kept);
    let Some(found) = found else { return Expr::poisoned(Type::Number, span) };
    let board = match found.places[..] {
        [place] => checker.rules.boards.iter().position(|board| board.place == Some(place)),
        _ => None,
    };
    let what = fold.words();
    let Some(board) = board.filter(|_| found.around.is_none()) else {
        return checker.report_poisoned(RuleProblem::NeedsABoard { what }, cards.name.span);
    };
    if fold == SpaceFold::LongestLine && !checker.rules.boards[board].shape.has_rows() {
        let board = checker.rules.boards[board].name.clone();
        return checker.report_poisoned(RuleProblem::NotARowBoard { board }, cards.name.span);
    }
    Expr::number(ExprKind::OverSpaces { fold, cards: Box::new(found), each: None, board }, span)
}

/// Checks `longest trail by V of LINKS where …`.
pub(super) fn check_longest_trail(checker: &mut Checker<'_>, by: Option<&ast::Expr>, cards: &ast::Cards, span: Span) -> Expr {
    let found = check_over_spaces(checker, SpaceFold::LongestTrail, cards, span);
    let ExprKind::OverSpaces { fold, cards: set, each: None, board } = found.kind else { return found };
    if !matches!(checker.rules.boards[board].shape, BoardShape::Links { .. }) {
        let board = checker.rules.boards[board].name.clone();
        return checker.report_poisoned(RuleProblem::NotALinkBoard { board }, cards.name.span);
    }
    let kept = checker.scope.bound.len();
    checker.scope.bound.push(("card".to_string(), set.bind, Type::Space(checker.rules.boards[board].kind)));
    let each = by.map(|by| Box::new(checker.check_expr(by, &[Type::Number])));
    checker.scope.bound.truncate(kept);
    Expr::number(ExprKind::OverSpaces { fold, cards: set, each, board }, span)
}

/// Checks `space of BOARD at row R column C`.
pub(super) fn check_space_at(checker: &mut Checker<'_>, board: &Name, (row, column): (&ast::Expr, &ast::Expr), span: Span) -> Expr {
    let [row, column] = checker.check_numbers([row, column]);
    let is_board = |what: &DefKind| matches!(what, DefKind::Place { shape: PlaceShape::Board, .. });
    let Some(place) = checker.resolve_sort(board, "a board", is_board) else { return checker.poisoned(span) };
    let Some(index) = checker.rules.boards.iter().position(|known| known.place == Some(place)) else { return checker.poisoned(span) };
    let found = &checker.rules.boards[index];
    if !found.shape.has_rows() {
        let board = found.name.clone();
        return checker.report_poisoned(RuleProblem::NotARowBoard { board }, span);
    }
    let (ty, board) = (Type::Space(found.kind), cast::fit::<u16>(index));
    let kind = ExprKind::node([row, column], vec![place], |[row, column]| GraphExpr::SpaceIn { board, row, column });
    Expr { kind, ty, span }
}

/// Returns the space that a name is that of; `None` if it names none.
pub(super) fn named_space(checker: &Checker<'_>, name: &str, span: Span) -> Option<Expr> {
    let (of_board, card) = match (checker.rules.defs.find_declared(Space::Card, name), name.split_once('.')) {
        (Some(card), _) => (None, card),
        (None, Some((board, space))) if checker.scope.find(board).is_none() => {
            (Some(board), checker.rules.defs.find_declared(Space::Card, space)?)
        }
        (None, _) => return None,
    };
    let DefKind::Card(index) = checker.rules.defs[card].kind else { return None };
    let board = checker.rules.board_of_card(index).filter(|board| of_board.is_none_or(|name| board.name == name))?;
    Some(Expr { kind: ExprKind::PieceOf(card), ty: Type::Space(board.kind), span })
}

/// Returns the board of this name, as a message about a board where a space is needed.
pub(super) fn board_in_place_of_space(checker: &Checker<'_>, def: DefId) -> Option<RuleProblem> {
    let board = checker.rules.board_of_place(def)?;
    let is_first = |kind: &DefKind| matches!(kind, DefKind::Card(card) if *card == board.first);
    let space = checker.rules.defs.all().find(|(_, one)| is_first(&one.kind)).map(|(_, one)| one.name.clone()).unwrap_or_default();
    Some(RuleProblem::BoardIsNoSpace { board: board.name.clone(), space })
}

/// Returns the value behind a name that ends with a counter which holds a space, such as `target.at`.
pub(super) fn held_space(checker: &mut Checker<'_>, name: &str, span: Span) -> Option<Expr> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let holds = |space| {
        let found = checker.rules.defs.find_declared(space, last).map(|def| &checker.rules.defs[def].kind);
        matches!(found, Some(DefKind::Variable { over: Some(Type::Space(_)), .. }))
    };
    let found = holds(Space::Value) || name.contains('.') && holds(Space::Counter);
    found.then(|| checker.resolve_name(&Name { text: name.to_string(), span }, None))
}

/// Checks a card that is to be moved, shown or taken out of the game, which a space cannot be.
pub(super) fn check_movable(checker: &mut Checker<'_>, card: &ast::Expr) -> Expr {
    let card = checker.check_expr(card, &[Type::Card]);
    expect_movable(checker, &card);
    card
}

/// Reports a space where a card is to be moved, shown or taken out of the game.
pub(super) fn expect_movable(checker: &mut Checker<'_>, card: &Expr) {
    if let Type::Space(_) = checker.types.resolve(card.ty) {
        checker.report(RuleProblem::SpaceStays.at(card.span));
    }
}

/// Reports a board among the places whose cards are to be moved, shown or taken out of the game.
pub(super) fn expect_no_board(checker: &mut Checker<'_>, cards: &Cards, span: Span) {
    if cards.places.iter().any(|place| checker.rules.board_of_place(*place).is_some()) {
        checker.report(RuleProblem::SpaceStays.at(span));
    }
}

/// Reports a board where a place for cards is needed. Returns whether the name is that of a board.
pub(super) fn refuse_board(checker: &mut Checker<'_>, name: &Name) -> bool {
    let place = checker.rules.defs.find_declared(Space::Value, &name.text);
    let is_board = place.is_some_and(|place| checker.rules.board_of_place(place).is_some());
    if is_board {
        checker.report(RuleProblem::SpacesAreNoCards { board: name.text.clone() }.at(name.span));
    }
    is_board
}

// ---------------------------------------------------------------------- tallies and sets on cards and spaces

/// Reports a tally or set on a card where a single value is needed.
pub(super) fn report_several_on_card(checker: &mut Checker<'_>, counter: DefId, word: &str, span: Span) -> Expr {
    let write = match checker.rules.defs.words_of(counter) {
        Some((VariableSort::Set, _)) => format!("write `WORD in {word}`, or `add WORD to {word}`"),
        _ => format!("write `{word}[…]`"),
    };
    checker.report_poisoned(RuleProblem::SeveralValues { name: word.to_string(), write: Some(write) }, span)
}

/// Checks `card.cubes[WORD]`, if there is such a tally on cards.
pub(super) fn check_tally_on_card(checker: &mut Checker<'_>, card: &Expr, name: &Name, index: &ast::Expr, span: Span) -> Option<Expr> {
    let (_, member) = name.member()?;
    let counter = checker.rules.defs.find(Space::Counter, member)?;
    let Some((VariableSort::Tally, over)) = checker.rules.defs.words_of(counter) else {
        let name = name.text.clone();
        let of_set = checker.rules.defs.words_of(counter).is_some();
        let problem = if of_set { RuleProblem::SetOfWords { name } } else { RuleProblem::SingleValue { name } };
        return Some(checker.report_poisoned(problem, span));
    };
    let index = checker.check_expr(index, &[over]);
    let kind = ExprKind::CounterItem { card: Box::new(card.clone()), counter, index: Box::new(index) };
    Some(Expr::number(kind, span))
}

/// Splits `card.marks` into the card and a set or tally on it; `None` if there is none of this sort.
pub(super) fn split_on_card(checker: &mut Checker<'_>, name: &Name, wanted: VariableSort) -> Option<(Option<Expr>, DefId, Type)> {
    let (head, member) = name.member()?;
    if checker.rules.defs.find_declared(Space::Value, &name.text).is_some() {
        return None;
    }
    let counter = checker.rules.defs.find_for_write(Space::Counter, member)?;
    let (sort, over) = checker.rules.defs.words_of(counter)?;
    (sort == wanted).then(|| (resolve_owner(checker, (head, member), name.span), counter, over))
}

/// Checks `WORD in card.marks`; `None` if it is about no set on a card.
pub(super) fn check_in_set_on_card(checker: &mut Checker<'_>, left: &ast::Expr, name: &Name, span: Span) -> Option<Expr> {
    let (card, counter, over) = split_on_card(checker, name, VariableSort::Set)?;
    checker.rules.defs.find(Space::Counter, name.member()?.1);
    let word = checker.check_expr(left, &[over]);
    let Some(card) = card else { return Some(Expr::poisoned(Type::Truth, span)) };
    Some(Expr::truth(ExprKind::CounterItem { card: Box::new(card), counter, index: Box::new(word) }, span))
}

/// Resolves `card.cubes[WORD]` as what is written to; `None` if it is about no tally on a card.
pub(super) fn resolve_tally_on_card(checker: &mut Checker<'_>, name: &Name, index: &ast::Expr) -> Option<Option<(Target, Type)>> {
    let (card, counter, over) = split_on_card(checker, name, VariableSort::Tally)?;
    let index = checker.check_expr(index, &[over]);
    Some(card.map(|card| (Target::CounterItem(card, counter, index), Type::Number)))
}
