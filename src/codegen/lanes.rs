//! Loops over the cards in a row or a column of a grid, or over spaces on which a number is printed: where a condition asks this first, what
//! cannot meet it is not looked at.

use crate::cast;
use crate::emitter::Emitter;
use crate::function::{Function, I, Name};
use crate::loops::{PlaceLoop, Then};
use houserule_numbers::compare::Compare;
use houserule_ruleset::Ruleset;
use houserule_ruleset::boards::Board;
use houserule_ruleset::declared::Shape;
use houserule_ruleset::graph::{Expr, ExprId, NumberOp};

/// Where alone the cards lie that can meet a condition.
pub(crate) enum Lane {
    /// In slots of a grid.
    Slots(Slots),
    /// On spaces of a board, which never move.
    Spaces(Spaces),
}

/// A row or a column of a grid, or one slot.
pub(crate) struct Slots {
    /// The row, from 1; `None` for all.
    row: Option<ExprId>,
    /// The column, from 1; `None` for all.
    column: Option<ExprId>,
    rows: u32,
    columns: u32,
}

/// Spaces by what is printed on them.
pub(crate) struct Spaces {
    /// What must be printed: a number, the lowest that is printed, and how many numbers there are from it to the highest.
    keys: Vec<(ExprId, i64, usize)>,
    /// The spaces for each choice of these numbers, as pieces counted from 1; those for the last number of the last key come last.
    found: Vec<Vec<i32>>,
}

/// The most choices of printed numbers for which spaces are listed.
const MAX_CHOICES: usize = 2048;

impl Lane {
    /// Returns the lane of a loop; `None` if its condition does not begin with what a lane can be found by.
    pub fn of(rules: &Ruleset, places: &[u16], each: &PlaceLoop<'_>) -> Option<Lane> {
        let &[place] = places else { return None };
        let conditions = conditions_in_order(rules, each.filter?);
        match rules.boards.iter().find(|board| board.place == place) {
            // Spaces are listed by themselves, and not by slots, of which the row could be told.
            Some(_) if each.columns.is_some() => None,
            Some(board) => Spaces::of(rules, board, each, &conditions).map(Lane::Spaces),
            None => Slots::of(rules, place, each, &conditions).map(Lane::Slots),
        }
    }
}

impl Slots {
    fn of(rules: &Ruleset, grid: u16, each: &PlaceLoop<'_>, conditions: &[ExprId]) -> Option<Slots> {
        let declared = &rules.places[usize::from(grid)];
        let Shape::Grid { columns, .. } = declared.shape else { return None };
        if declared.of_seat || declared.instances != 1 || columns == 0 {
            return None;
        }
        let room = rules.layout.places[usize::from(declared.first_instance)].room;
        let mut slots = Slots { row: None, column: None, rows: u32::from(room / columns), columns: columns.into() };
        let is_row = |asked: ExprId| matches!(rules.graph[asked], Expr::Row { .. });
        for &condition in conditions {
            // The row or the column in which the visited card lies, if it was not asked for before.
            let is_asked = |asked: ExprId| {
                let (Expr::Row { card, grid: of } | Expr::GridColumn { card, grid: of }) = rules.graph[asked] else { return false };
                let before = if is_row(asked) { slots.row } else { slots.column };
                before.is_none() && of == grid && each.is_visited(rules, card)
            };
            let Some((asked, given)) = each.equals_fixed(rules, condition, is_asked) else { break };
            if is_row(asked) { slots.row = Some(given) } else { slots.column = Some(given) }
        }
        (slots.row.is_some() || slots.column.is_some()).then_some(slots)
    }
}

impl Spaces {
    fn of(rules: &Ruleset, board: &Board, each: &PlaceLoop<'_>, conditions: &[ExprId]) -> Option<Spaces> {
        let printed_on = |expr: ExprId| {
            let Expr::Column { card, column } = rules.graph[expr] else { return None };
            each.is_visited(rules, card).then(|| rules.graph.columns().numbers(column))
        };
        // The numbers that are printed on the spaces; behind those of no card lie those of the pieces.
        let first = usize::from(board.first_piece) + 1;
        let (mut keys, mut numbers, mut marks, mut choices) = (Vec::new(), Vec::new(), Vec::new(), 1);
        for &condition in conditions {
            if let Some(printed) = printed_on(condition) {
                marks.push(printed.get(first..first + board.count())?);
                continue;
            }
            let Some((asked, given)) = each.equals_fixed(rules, condition, |asked| printed_on(asked).is_some()) else { break };
            let printed = printed_on(asked)?.get(first..first + board.count())?;
            let (low, high) = (*printed.iter().min()?, *printed.iter().max()?);
            let count = usize::try_from(high.checked_sub(low)?).ok()?.checked_add(1)?;
            choices = usize::checked_mul(choices, count).filter(|&choices| choices <= MAX_CHOICES)?;
            keys.push((given, low, count));
            numbers.push(printed);
        }
        if keys.is_empty() && marks.is_empty() {
            return None;
        }
        let mut found = vec![Vec::new(); choices];
        for space in (0..board.count()).filter(|&space| marks.iter().all(|printed| printed[space] != 0)) {
            let choice = keys
                .iter()
                .zip(&numbers)
                .try_fold(0, |choice, (&(_, low, count), printed)| Some(choice * count + usize::try_from(printed[space] - low).ok()?))?;
            found[choice].push(cast::fit::<i32>(first + space));
        }
        Some(Spaces { keys, found })
    }
}

/// Returns the parts of a condition that all must hold, in the order in which they are asked: `a and b and c` is `(a and b) and c`.
fn conditions_in_order(rules: &Ruleset, filter: ExprId) -> Vec<ExprId> {
    let (mut found, mut left) = (Vec::new(), filter);
    while let Expr::And { a, b } = rules.graph[left] {
        found.push(b);
        left = a;
    }
    found.push(left);
    found.reverse();
    found
}

impl PlaceLoop<'_> {
    /// Whether an expression is the card that the loop visits.
    fn is_visited(&self, rules: &Ruleset, expr: ExprId) -> bool {
        Name::of(rules.graph[expr]) == Some(self.visited)
    }

    /// Returns what a condition compares for equality: what is asked of the visited card, and a value that is the same for all cards.
    fn equals_fixed(&self, rules: &Ruleset, condition: ExprId, is_asked: impl Fn(ExprId) -> bool) -> Option<(ExprId, ExprId)> {
        let Expr::Binary { operator: NumberOp::Is(Compare::Equal), a, b } = rules.graph[condition] else { return None };
        [(a, b), (b, a)].into_iter().find(|&(asked, given)| self.is_fixed(rules, given) && is_asked(asked))
    }

    /// Whether an expression has the same value for all cards that the loop visits.
    fn is_fixed(&self, rules: &Ruleset, expr: ExprId) -> bool {
        let facts = rules.graph.facts(expr);
        match self.visited {
            Name::Var(var) => facts.vars >> var & 1 == 0,
            Name::Local(local) => facts.locals >> local & 1 == 0,
        }
    }
}

/// Emits the loop over the pieces in a row or a column of a place, whose address is in a local.
pub(crate) fn over_slots<'r>(
    emitter: &mut Emitter<'r>,
    f: &mut Function,
    at: u32,
    (slots, each): (&Slots, &PlaceLoop<'_>),
    then: Then<'_, 'r>,
) {
    let (slot, card, left) = (f.int(), f.int(), f.int());
    // Without a card nothing is asked.
    f.get(at).load(0).begin_if();
    let mark = f.mark();
    emitter.hoist_parts(f, each);
    f.get(at).i32(4).put(I::I32Add).set(slot);
    let mut within = 0;
    for (asked, count, stride) in [(slots.row, slots.rows, slots.columns), (slots.column, slots.columns, 1)] {
        let Some(asked) = asked else { continue };
        let index = begin_if_printed(emitter, f, (asked, 1, count as usize));
        within += 1;
        f.get(slot).get(index).scale(stride * 4).put(I::I32Add).set(slot);
    }
    let run = match (slots.row, slots.column) {
        (Some(_), Some(_)) => None,
        (Some(_), None) => Some((slots.columns, 1)),
        (None, _) => Some((slots.rows, slots.columns)),
    };
    if let Some((count, _)) = run {
        f.address(count).set(left);
        f.begin_loop();
    }
    // Slots may be empty.
    f.get(slot).load(0).tee(card).begin_if();
    emitter.visit(f, card, (slot, at), each, then);
    f.end();
    if let Some((_, stride)) = run {
        f.advance(slot, stride * 4);
        f.again_while(left);
        f.end();
    }
    f.forget(mark);
    (0..within).for_each(|_| f.end());
    f.end();
}

/// Emits the loop over spaces, of which the place has its address in a local.
pub(crate) fn over_spaces<'r>(
    emitter: &mut Emitter<'r>,
    f: &mut Function,
    at: u32,
    (spaces, each): (&Spaces, &PlaceLoop<'_>),
    then: Then<'_, 'r>,
) {
    let (choice, next, end, card) = (f.int(), f.int(), f.int(), f.int());
    let mark = f.mark();
    emitter.hoist_parts(f, each);
    f.i32(0).set(choice);
    for &key in &spaces.keys {
        let index = begin_if_printed(emitter, f, key);
        f.get(choice).address(cast::fit::<u32>(key.2)).put(I::I32Mul).get(index).put(I::I32Add).set(choice);
    }
    // Where the spaces of each choice begin, in bytes, and where those of the last end.
    let starts = std::iter::once(0).chain(spaces.found.iter().scan(0, |end, found| {
        *end += cast::fit::<i32>(found.len()) * 4;
        Some(*end)
    }));
    let (starts, all) = (emitter.data.words(starts), emitter.data.words(spaces.found.concat()));
    for (offset, local) in [(starts, next), (starts + 4, end)] {
        f.get(choice).scale(4).load(offset).set(local);
    }
    f.get(next).get(end).put(I::I32LtU).begin_if();
    f.begin_loop();
    f.get(next).load(all).set(card);
    emitter.visit(f, card, (at, at), each, then);
    f.step(next, 4).get(end).again_if_below();
    f.end();
    f.end();
    f.forget(mark);
    spaces.keys.iter().for_each(|_| f.end());
}

/// Begins a block that runs if a value is one of so many numbers from the lowest on; returns the local of 32 bits with which of them it is.
fn begin_if_printed(emitter: &mut Emitter<'_>, f: &mut Function, (value, low, count): (ExprId, i64, usize)) -> u32 {
    let (long, index) = (f.long(), f.int());
    emitter.value(f, value);
    f.i64(low).put(I::I64Sub).tee(long).i64(cast::count(count)).put(I::I64LtU).begin_if();
    f.get(long).narrow().set(index);
    index
}
