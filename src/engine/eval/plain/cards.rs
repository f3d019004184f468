//! Loops over cards: which they visit, and what they fold into.

use super::spaces::spaces_of;
use super::{Scope, Value, counter, evaluate_spaces, holds, overflow, read_fact, walk};
use crate::cast;
use crate::env::Env;
use crate::evaluator::Evaluator;
use crate::graph::{Cards, CardsId, Expr, Fold};
use crate::node::NodeId;
use crate::position::instances;
use crate::ruleset::Ruleset;
use houserule_ruleset::boards::{Board, SpaceSet};

/// A fold on its way.
pub(super) struct Folded {
    fold: Fold,
    pub(super) result: i64,
    any: bool,
}

impl Folded {
    pub(super) fn new(fold: Fold) -> Folded {
        Folded { fold, result: 0, any: false }
    }

    /// Adds an element: the value of the body, or 1 if there is none.
    pub(super) fn add_body(&mut self, game: &mut Evaluator<'_>, body: Option<NodeId>, scope: &Scope<'_>) -> Value<()> {
        let value = body.map_or(Ok(1), |body| walk(game, body, scope))?;
        self.add(value)
    }

    fn add(&mut self, value: i64) -> Value<()> {
        let first = !std::mem::replace(&mut self.any, true);
        self.result = match self.fold {
            Fold::Sum => self.result.checked_add(value).ok_or_else(overflow)?,
            Fold::Highest if !first => self.result.max(value),
            Fold::Lowest if !first => self.result.min(value),
            Fold::First if !first => self.result,
            Fold::Highest | Fold::Lowest | Fold::First | Fold::Last => value,
            Fold::Count => self.result + 1,
            Fold::Any => 1,
        };
        Ok(())
    }
}

/// Folds over the cards of a loop.
#[inline(never)]
pub(super) fn fold_cards(
    game: &mut Evaluator<'_>,
    fold: Fold,
    (cards, var, filter): (CardsId, u8, Option<NodeId>),
    body: Option<NodeId>,
    scope: &Scope<'_>,
) -> Value {
    let mut folded = Folded::new(fold);
    each_card(game, cards, (var, filter), scope, |game, scope, _| folded.add_body(game, body, scope))?;
    Ok(folded.result)
}

/// Computes the sum over cards of a printed number times a factor. `index` selects the number in its printed row; the sum is 0 if it is
/// out of bounds.
pub(super) fn sum_of_row(game: &mut Evaluator<'_>, row: NodeId, index: i64, scope: &Scope<'_>) -> Value {
    let mut sum = [0];
    if let (Expr::Rows { len, .. }, Ok(index)) = (game.rules.graph[row], u16::try_from(index))
        && index < len
    {
        sums_of_row(game, row, scope, index, &mut sum)?;
    }
    let [sum] = sum;
    Ok(sum)
}

/// Computes the sums over cards of the numbers of a printed row from an index on, each times a factor.
pub(super) fn sums_of_row(game: &mut Evaluator<'_>, row: NodeId, scope: &Scope<'_>, from: u16, sums: &mut [i64]) -> Value<()> {
    let rules = game.rules;
    let Expr::Rows { cards, var, filter, field, len: _, factor } = rules.graph[row] else { return Ok(()) };
    sums.fill(0);
    each_card(game, cards, (var, filter), scope, |game, scope, card| {
        let factor = walk(game, factor, scope)?;
        for (sum, at) in sums.iter_mut().zip(usize::from(field + from)..) {
            let printed = read_fact(game, cast::index(card), |card| i64::from(rules.printed(card, at)));
            let product = factor.checked_mul(printed);
            *sum = product.and_then(|product| sum.checked_add(product)).ok_or_else(overflow)?;
        }
        Ok(())
    })
}

/// Calls `then` with each card of a loop that meets its filter, and with the scope in which the variable holds the card.
pub(super) fn each_card(
    game: &mut Evaluator<'_>,
    cards: CardsId,
    (var, filter): (u8, Option<NodeId>),
    scope: &Scope<'_>,
    mut then: impl FnMut(&mut Evaluator<'_>, &Scope<'_>, i32) -> Value<()>,
) -> Value<()> {
    let rules = game.rules;
    let mut inner = *scope;
    let mut fixed = filter.map(|filter| FixedPart::of(rules, filter, var));
    if let Some((board, spaces)) = fixed.as_ref().and_then(|fixed| fixed.only_within(rules.graph.cards(cards))) {
        for space in spaces_of(game, spaces, scope)?.spaces() {
            let card = cast::fit::<i32>(board.piece(space));
            inner.vars[usize::from(var)] = card.into();
            if holds(game, filter, &inner)? {
                then(game, &inner, card)?;
            }
        }
        return Ok(());
    }
    visit(game, rules.graph.cards(cards), scope.me, |game, card| {
        if let Some(fixed) = &mut fixed
            && !fixed.allows(game, scope, card)?
        {
            return Ok(());
        }
        inner.vars[usize::from(var)] = card.into();
        if holds(game, filter, &inner)? { then(game, &inner, card) } else { Ok(()) }
    })
}

/// What a loop's filter asks first that is the same for all cards: it is found once, at the first card, and nothing more is asked of cards that
/// it excludes.
struct FixedPart<'r> {
    /// The conditions in which the card does not occur, up to the first in which it does.
    conditions: Option<NodeId>,
    /// The set of spaces of a board in which the card must lie, if that is what comes next.
    within: Option<(&'r Board, NodeId)>,
    found: Option<(bool, SpaceSet)>,
}

impl<'r> FixedPart<'r> {
    fn of(rules: &'r Ruleset, filter: NodeId, var: u8) -> FixedPart<'r> {
        let is_fixed = |part: NodeId| rules.graph.facts(part).vars >> var & 1 == 0;
        let mut fixed = FixedPart { conditions: None, within: None, found: None };
        // `a and b and c` is `(a and b) and c`.
        let mut left = filter;
        fixed.conditions = is_fixed(filter).then_some(filter);
        while !is_fixed(left) {
            let Expr::And { a, b } = rules.graph[left] else {
                fixed.within = spaces_around(rules, left, var);
                break;
            };
            if is_fixed(a) {
                (fixed.conditions, fixed.within) = (Some(a), spaces_around(rules, b, var));
                break;
            }
            left = a;
        }
        fixed
    }

    /// Returns the set of spaces that a loop goes through, and their board, if it goes through the whole board but asks first for this set.
    fn only_within(&self, cards: &Cards) -> Option<(&'r Board, NodeId)> {
        let (board, spaces) = self.within.filter(|_| self.conditions.is_none())?;
        (cards.is_plain() && *cards.places == [board.place]).then_some((board, spaces))
    }

    /// Whether the fixed conditions hold, and the card lies in the set.
    fn allows(&mut self, game: &mut Evaluator<'_>, scope: &Scope<'_>, card: i32) -> Value<bool> {
        if self.conditions.is_none() && self.within.is_none() {
            return Ok(true);
        }
        let (holds, spaces) = match &self.found {
            Some(found) => found,
            None => {
                let holds = holds(game, self.conditions, scope)?;
                let spaces = match self.within {
                    Some((_, spaces)) if holds => spaces_of(game, spaces, scope)?,
                    _ => SpaceSet::default(),
                };
                self.found.insert((holds, spaces))
            }
        };
        let is_within = |(board, _): (&Board, NodeId)| board.space(card.into()).is_some_and(|space| spaces.has(space));
        Ok(*holds && self.within.is_none_or(is_within))
    }
}

/// Returns the set of spaces in which an expression asks first whether a loop's card lies, and its board, if the set is the same for all cards.
fn spaces_around(rules: &Ruleset, expr: NodeId, var: u8) -> Option<(&Board, NodeId)> {
    let mut first = expr;
    while let Expr::And { a, .. } = rules.graph[first] {
        first = a;
    }
    let Expr::InSpaces { board, spaces, card } = rules.graph[first] else { return None };
    let is_fixed = rules.graph[card] == Expr::Var { var } && rules.graph.facts(spaces).vars >> var & 1 == 0;
    is_fixed.then(|| (&rules.boards[usize::from(board)], spaces))
}

/// Calls `then` with each card that a loop visits, before its filter, by place and slot.
#[inline]
fn visit(game: &mut Evaluator<'_>, cards: &Cards, me: usize, mut then: impl FnMut(&mut Evaluator<'_>, i32) -> Value<()>) -> Value<()> {
    let rules = game.rules;
    let kind_fits = |card: usize| cards.has_kind(rules.piece_kind[card].into());
    for &declared in &cards.places {
        let declared = &rules.places[usize::from(declared)];
        for place in &rules.layout.places[instances(rules, declared, cards.whose, me)] {
            let base = place.base as usize;
            let mut left = game.cell(base);
            for slot in 0..usize::from(place.room) {
                if left <= 0 {
                    break;
                }
                let card = game.cell(base + 1 + slot) - 1;
                if card < 0 {
                    continue;
                }
                left -= 1;
                let is_marked = |with| counter(game, card.into(), with) > 0;
                let fits = read_fact(game, cast::index(card), kind_fits) && cards.has_slot(declared.shape, slot);
                if fits && cards.with.is_none_or(is_marked) {
                    then(game, card)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns the cards of a set; `None` after an arithmetic error.
pub(crate) fn cards_in(game: &mut Evaluator<'_>, set: u32, env: &Env) -> Option<Vec<i32>> {
    let rules = game.rules;
    let set = &rules.sets[set as usize];
    let within = match set.within {
        Some(spaces) => Some(evaluate_spaces(game, spaces, env)?),
        None => None,
    };
    let (mut found, mut inner) = (Vec::new(), *env);
    let visited = visit(game, &set.cards, env.me, |game, card| {
        inner.locals[set.local as usize] = card;
        let is_within = within.as_ref().is_none_or(|within| rules.is_in_spaces(within, card.into()));
        if is_within && holds(game, set.filter, &Scope::of(&inner))? {
            found.push(card);
        }
        Ok(())
    });
    visited.ok().map(|()| found)
}
