//! The machine: one loop over operations. It is made three times: for cells as they are, the same while a value is worked out, and
//! for cells as a seat sees them while all act at once.

use super::{Code, ExprId, Fold, LONGEST_ROW, NONE, Op, REGISTERS, Root, Two};
use crate::engine::eval::Env;
use crate::engine::game::{Eyes, Game};
use crate::engine::node::Whose;
use crate::engine::ruleset::{Ruleset, Shape};
use crate::state::layout::{TABLE, head, piece};

/// Registers of an expression.
pub(in crate::engine) type Regs = [i64; REGISTERS];

/// Expressions within one another deeper than this are a circle.
const DEEPEST: u32 = 200;

/// Whether a bit of a set is in it; there are 31.
fn has_bit(bits: i32, index: i64) -> i64 {
    if (0..31).contains(&index) { (bits >> index & 1) as i64 } else { 0 }
}

impl Game {
    /// Runs the code of an expression; its result is in the first register.
    #[inline]
    pub(in crate::engine) fn run(&mut self, rules: &Ruleset, code: &Code, expr: ExprId, env: &Env, regs: &mut Regs) {
        let unit = code.unit(expr);
        self.evaluation.depth += 1;
        if unit.too_deep || self.evaluation.depth > DEEPEST {
            let wrong = if unit.too_deep { "an expression is too long to be worked out" } else { "a number depends on itself" };
            self.evaluation.wrong_number.get_or_insert(wrong);
        } else if self.eyes != Eyes::Live {
            self.run_unit::<false, true>(rules, code, unit, env, regs);
        } else if self.evaluation.noting.is_on() {
            self.run_unit::<true, true>(rules, code, unit, env, regs);
        } else {
            self.run_unit::<true, false>(rules, code, unit, env, regs);
        }
        self.evaluation.depth -= 1;
    }

    /// The value of an expression of a code, which may be cached.
    fn expr_of(&mut self, rules: &Ruleset, code: &Code, expr: ExprId, env: &Env) -> i64 {
        self.root_of(rules, code, code.root_of(expr), env)
    }

    /// What an expression comes to.
    #[inline(always)]
    pub(in crate::engine) fn root_of(&mut self, rules: &Ruleset, code: &Code, root: Root, env: &Env) -> i64 {
        match root {
            Root::Const(value) => value,
            Root::Local(local) => env.locals[local as usize] as i64,
            Root::Column(local, column) => code.column(column, env.locals[local as usize] as i64),
            Root::Own(offset) => {
                let index = rules.layout.seat(env.me, offset as usize);
                self.note_cell(rules, index);
                self.cell(rules, index) as i64
            }
            Root::Value(value, slot) => self.kept(rules, value, slot, env.me),
            Root::Run(expr) => {
                let mut regs = [0; REGISTERS];
                self.run(rules, code, expr, env, &mut regs);
                regs[0]
            }
        }
    }

    /// Reads a cell, and notes that it is read.
    #[inline(always)]
    fn read<const LIVE: bool, const NOTE: bool>(&self, rules: &Ruleset, index: usize) -> i64 {
        if NOTE {
            self.note_cell(rules, index);
        }
        (if LIVE { self.cells[index] } else { self.cell(rules, index) }) as i64
    }

    /// The number of the place where a piece lies.
    #[inline(always)]
    fn place_seen<const LIVE: bool, const NOTE: bool>(&self, rules: &Ruleset, card: usize) -> usize {
        if NOTE {
            self.note_place_of(rules, card);
        }
        let index = rules.layout.piece(card, piece::PLACE);
        (if LIVE { self.cells[index] } else { self.cell(rules, index) }) as usize
    }

    #[inline(never)]
    fn run_unit<const LIVE: bool, const NOTE: bool>(
        &mut self,
        rules: &Ruleset,
        code: &Code,
        unit: &super::Unit,
        env: &Env,
        regs: &mut Regs,
    ) {
        let mut me = env.me;
        let gathered = self.evaluation.gathered.len();
        let mut at = 0;
        macro_rules! reg {
            ($reg:expr) => {
                regs[$reg as usize % REGISTERS]
            };
        }
        macro_rules! checked {
            ($d:expr, $value:expr) => {
                match $value {
                    Some(value) => reg!($d) = value,
                    None => reg!($d) = self.too_large(),
                }
            };
        }
        macro_rules! card {
            ($card:expr, $d:expr, $none:expr) => {
                match usize::try_from(reg!($card)) {
                    Ok(card) => card,
                    Err(_) => {
                        reg!($d) = $none;
                        continue;
                    }
                }
            };
        }
        while let Some(op) = unit.ops.get(at) {
            at += 1;
            // Or all that any operation could read of the rules would be fetched before the first one runs.
            let (rules, code) = std::hint::black_box((rules, code));
            match *op {
                Op::Const { d, value } => reg!(d) = value as i64,
                Op::Long { d, index } => reg!(d) = unit.longs[index as usize],
                Op::Local { d, local } => reg!(d) = env.locals[local as usize] as i64,
                Op::Me { d } => reg!(d) = me as i64,
                Op::Copy { d, a } => reg!(d) = reg!(a),
                Op::Global { d, cell } => reg!(d) = self.read::<LIVE, NOTE>(rules, cell as usize),
                Op::Own { d, offset } => reg!(d) = self.read::<LIVE, NOTE>(rules, rules.layout.seat(me, offset as usize)),
                Op::OwnAt { d, index, offset, len } => {
                    let index = reg!(index);
                    let inside = index >= 0 && index < len as i64;
                    let cell = rules.layout.seat(me, offset as usize);
                    reg!(d) = if inside { self.read::<LIVE, NOTE>(rules, cell + index as usize) } else { 0 };
                }
                Op::OwnBit { d, index, offset } => {
                    let bits = self.read::<LIVE, NOTE>(rules, rules.layout.seat(me, offset as usize));
                    reg!(d) = has_bit(bits as i32, reg!(index));
                }
                Op::Column { d, card, column } => reg!(d) = code.exprs.columns.get(column, reg!(card)),
                Op::AddColumn { d, a, card, column } => checked!(d, reg!(a).checked_add(code.exprs.columns.get(column, reg!(card)))),
                Op::MulColumn { d, a, card, column } => checked!(d, reg!(a).checked_mul(code.exprs.columns.get(column, reg!(card)))),
                Op::FieldAt { d, card, index, field, len } => {
                    let (card, index) = (card!(card, d, 0), reg!(index));
                    let inside = index >= 0 && index < len as i64;
                    reg!(d) = if inside { rules.printed(card, field as usize + index as usize) as i64 } else { 0 };
                }
                Op::ListAt { d, card, index, field } => {
                    let list = rules.list(reg!(card), field).1;
                    reg!(d) = usize::try_from(reg!(index)).ok().and_then(|index| list.get(index)).map_or(0, |&number| number as i64);
                }
                Op::ListFirst { d, card, index, field } => reg!(d) = rules.list_first(reg!(card), field, reg!(index)),
                Op::Counter { d, card, offset } => {
                    let card = card!(card, d, 0);
                    if NOTE {
                        self.note_piece(rules, card, offset as usize);
                    }
                    reg!(d) = self.piece_cell(rules, card, offset as usize) as i64;
                }
                Op::InPlaces { d, card, index } => {
                    let card = card!(card, d, 0);
                    let place = &rules.layout.places[self.place_seen::<LIVE, NOTE>(rules, card)];
                    reg!(d) = (place.room > 0 && unit.longs[index as usize] as u64 >> place.declared & 1 == 1) as i64;
                }
                Op::FirstIn { d, place } => {
                    let at = &rules.layout.places[Self::instance(rules, place as usize, me)];
                    if NOTE {
                        self.note_cell(rules, at.base as usize);
                    }
                    reg!(d) = self.first_in(rules, place as usize, me);
                }
                Op::Lying { d, place } => {
                    let base = rules.layout.places[Self::instance(rules, place as usize, me)].base as usize;
                    reg!(d) = self.read::<LIVE, NOTE>(rules, base);
                }
                Op::Row { d, card, grid } => reg!(d) = self.in_grid::<LIVE, NOTE>(rules, reg!(card), grid, |at, columns| at / columns),
                Op::GridColumn { d, card, grid } => {
                    reg!(d) = self.in_grid::<LIVE, NOTE>(rules, reg!(card), grid, |at, columns| at % columns)
                }
                Op::OwnerOf { d, card } => {
                    let card = card!(card, d, -1);
                    if NOTE {
                        self.note_place_of(rules, card);
                    }
                    let owner = self.owner_of_piece(rules, card);
                    reg!(d) = if owner == TABLE { -1 } else { owner as i64 };
                }
                Op::PlaceInOrder { d } => {
                    let found = (0..rules.players).find(|&place| self.read::<LIVE, NOTE>(rules, head::ORDER + place) == me as i64);
                    reg!(d) = found.map_or(0, |place| place as i64 + 1);
                }
                Op::Add { d, a, b } => checked!(d, reg!(a).checked_add(reg!(b))),
                Op::Sub { d, a, b } => checked!(d, reg!(a).checked_sub(reg!(b))),
                Op::Mul { d, a, b } => checked!(d, reg!(a).checked_mul(reg!(b))),
                Op::Two { how, d, a, b } => {
                    let (a, b) = (reg!(a), reg!(b));
                    reg!(d) = match how.of(a, b) {
                        Some(value) => value,
                        None if how == Two::Div && b == 0 => self.divided_by_zero(),
                        None => self.too_large(),
                    }
                }
                Op::AddConst { d, a, value } => checked!(d, reg!(a).checked_add(value as i64)),
                Op::MulConst { d, a, value } => checked!(d, reg!(a).checked_mul(value as i64)),
                Op::IsConst { how, d, a, value } => reg!(d) = how.holds(reg!(a), value as i64) as i64,
                Op::Not { d, a } => reg!(d) = (reg!(a) == 0) as i64,
                Op::Truth { d, a } => reg!(d) = (reg!(a) != 0) as i64,
                Op::Jump { to } => at = to as usize,
                Op::Unless { a, to } => {
                    if reg!(a) == 0 {
                        at = to as usize;
                    }
                }
                Op::When { a, to } => {
                    if reg!(a) != 0 {
                        at = to as usize;
                    }
                }
                Op::UnlessIs { how, a, b, to } => {
                    if !how.holds(reg!(a), reg!(b)) {
                        at = to as usize;
                    }
                }
                Op::UnlessConst { how, a, value, to } => {
                    if !how.holds(reg!(a), value as i64) {
                        at = to as usize;
                    }
                }
                Op::Cards { at, cards } => {
                    reg!(at) = self.evaluation.gathered.len() as i64;
                    self.gather::<LIVE, NOTE>(rules, &code.exprs.cards[cards.0 as usize], me);
                    reg!(at + 1) = self.evaluation.gathered.len() as i64;
                }
                Op::NoCards { at: cards, to } => {
                    if reg!(cards) == reg!(cards + 1) {
                        at = to as usize;
                    }
                }
                Op::NextCard { at: cards, card, to } => {
                    let next = reg!(cards);
                    if next == reg!(cards + 1) {
                        at = to as usize;
                    } else {
                        reg!(card) = self.evaluation.gathered[next as usize] as i64;
                        reg!(cards) = next + 1;
                    }
                }
                Op::NextSeat { at: seat, asker, others, to } => {
                    let mut next = reg!(seat) + 1;
                    if others && next == reg!(asker) {
                        next += 1;
                    }
                    reg!(seat) = next;
                    me = next as usize;
                    if me >= rules.players {
                        me = reg!(asker) as usize;
                        at = to as usize;
                    }
                }
                Op::Enter { d, seat, to } => {
                    reg!(d) = me as i64;
                    match usize::try_from(reg!(seat)) {
                        Ok(seat) if seat < rules.players => me = seat,
                        _ => at = to as usize,
                    }
                }
                Op::Leave { me: outer } => me = reg!(outer) as usize,
                Op::AddRow { d, card, a, field, len } => {
                    let (card, factor) = (card!(card, d, reg!(d)), reg!(a));
                    let from = rules.piece_definition[card] as usize * rules.width + field as usize;
                    let numbers = rules.printed[from..from + (len as usize).min(LONGEST_ROW)].iter();
                    for (d, &number) in (d..).zip(numbers).filter(|(_, number)| **number != 0) {
                        checked!(d, factor.checked_mul(number as i64).and_then(|product| reg!(d).checked_add(product)));
                    }
                }
                Op::Best { fold, d, a, any } => {
                    let (best, value) = (reg!(d), reg!(a));
                    let better = if fold == Fold::Highest { value > best } else { value < best };
                    if better || reg!(any) == 0 {
                        reg!(d) = value;
                        reg!(any) = 1;
                    }
                }
                Op::Quantity { d, a, b, quantity } => {
                    let args = [a, b].map(|arg| if arg == NONE { -1 } else { reg!(arg) as i32 });
                    reg!(d) = self.quantity(rules, quantity, me, args);
                }
                Op::Applied { d, value, a, b, quantity } => {
                    let args = [a, b].map(|arg| if arg == NONE { -1 } else { reg!(arg) as i32 });
                    reg!(d) = self.changed(rules, quantity, me, args, reg!(value));
                }
                Op::Changed { d, quantity } => {
                    self.refresh_active(rules);
                    if NOTE {
                        self.note_changes_of(rules, quantity);
                    }
                    reg!(d) = !self.active.changes(quantity).is_empty() as i64;
                }
                Op::Rank { d, a, rank, by } => {
                    let by = ExprId(unit.longs[by as usize] as u32);
                    let mut there = *env;
                    reg!(d) = self.ranked(rules, rank, me, reg!(a), |game, seat| {
                        there.me = seat;
                        game.expr_of(rules, code, by, &there)
                    }) as i64;
                }
                Op::Table { d, index, table } => {
                    let values = &code.exprs.tables[table as usize];
                    reg!(d) = values.get(reg!(index).max(0) as usize).or(values.last()).copied().unwrap_or(0);
                }
                Op::CountTokens { d, of, showing, pool, set } => {
                    if NOTE {
                        self.note_pool(rules, pool, me);
                    }
                    let [of, showing] = [of, showing].map(|part| (part != NONE).then(|| reg!(part)));
                    reg!(d) = self.count_tokens(rules, set as u32, pool, me, of, showing);
                }
                Op::ShownIn { d, symbol, pool } => {
                    if NOTE {
                        self.note_pool(rules, pool, me);
                    }
                    reg!(d) = self.shown_in(rules, reg!(symbol), pool, me);
                }
                Op::Payable { d, symbol, pool } => {
                    if NOTE {
                        self.note_pool(rules, pool, me);
                    }
                    reg!(d) = self.payable(rules, reg!(symbol), pool, me);
                }
                Op::ShownBy { d, picked, symbol } => reg!(d) = Self::shown_by(rules, reg!(symbol), reg!(picked) as i32),
                Op::Value { d, value, at } => reg!(d) = self.kept(rules, value, at, me),
                Op::RowAt { d, index, len, value } => {
                    let index = reg!(index);
                    let slot = code.value(value).slot;
                    let inside = index >= 0 && index < len as i64;
                    reg!(d) = if inside { self.kept(rules, value, slot + index as u16, me) } else { 0 };
                }
            }
        }
        self.evaluation.gathered.truncate(gathered);
    }

    /// Lists the cards that a loop goes through.
    fn gather<const LIVE: bool, const NOTE: bool>(&mut self, rules: &Ruleset, cards: &super::expr::Cards, me: usize) {
        for &place in cards.places.iter() {
            let declared = &rules.places[place as usize];
            let instances = match (declared.of_seat, cards.whose) {
                (true, Whose::Mine) => me..me + 1,
                (true, Whose::All) => 0..rules.players,
                (false, _) => 0..1,
            };
            for instance in instances {
                let at = &rules.layout.places[declared.first as usize + instance];
                let base = at.base as usize;
                let mut left = self.read::<LIVE, NOTE>(rules, base);
                for slot in 1..=at.room as usize {
                    if left <= 0 {
                        break;
                    }
                    let piece = (if LIVE { self.cells[base + slot] } else { self.cell(rules, base + slot) }) - 1;
                    if piece < 0 {
                        continue;
                    }
                    left -= 1;
                    if cards.kinds != 0 && cards.kinds >> rules.piece_kind[piece as usize] & 1 == 0 {
                        continue;
                    }
                    if let Shape::Grid { columns, .. } = declared.shape
                        && cards.rows != 0
                        && cards.rows >> ((slot - 1) / columns as usize + 1) & 1 == 0
                    {
                        continue;
                    }
                    if let Some(counter) = cards.with {
                        if NOTE {
                            self.note_piece(rules, piece as usize, counter as usize);
                        }
                        if self.piece_cell(rules, piece as usize, counter as usize) <= 0 {
                            continue;
                        }
                    }
                    self.evaluation.gathered.push(piece);
                }
            }
        }
    }

    /// What `f` makes of where in a grid a card lies, from 1; 0 if it lies elsewhere.
    fn in_grid<const LIVE: bool, const NOTE: bool>(&self, rules: &Ruleset, card: i64, grid: u16, f: impl Fn(u32, u32) -> u32) -> i64 {
        if let (true, Ok(card)) = (NOTE, usize::try_from(card)) {
            self.note_place_of(rules, card);
        }
        self.grid_at(rules, card, grid).map_or(0, |(at, columns)| f(at, columns) as i64 + 1)
    }

    fn note_pool(&self, rules: &Ruleset, pool: u8, me: usize) {
        let base = Self::pool_base(rules, pool, me);
        (base..base + rules.classes.len()).for_each(|cell| self.note_cell(rules, cell));
    }

    #[cold]
    pub(in crate::engine) fn too_large(&mut self) -> i64 {
        self.evaluation.wrong_number.get_or_insert("a number grew too large");
        0
    }

    #[cold]
    fn divided_by_zero(&mut self) -> i64 {
        self.evaluation.wrong_number.get_or_insert("a number was divided by 0");
        0
    }
}
