//! The machine: one loop over operations.
//!
//! The loop is made twice: with and without the noting of what is read. What comes up rarely is kept out of it, or everything that
//! it could read of the rules would be fetched before the first operation runs.

use super::cards::Walk;
use super::{Code, Fold, LONGEST_ROW, NONE, Op, REGISTERS, Read, Reg, Two, Unit};
use crate::cast;
use crate::eval::Env;
use crate::game::{Eyes, Game};
use crate::ruleset::Ruleset;
use crate::state::layout::{TABLE, head};

/// Registers of an expression: as many as a [`super::Reg`] can name, so that none has to be looked for. Only the first [`REGISTERS`]
/// are used.
pub(crate) type Regs = [i64; Reg::MAX as usize + 1];
const _: () = assert!(REGISTERS <= Reg::MAX as usize);

/// What a unit is run with.
pub(super) struct Run<'r> {
    pub rules: &'r Ruleset,
    pub code: &'r Code,
    pub unit: &'r Unit,
    pub env: &'r Env,
}

/// Whether a bit of a set is in it; there are 31.
fn has_bit(bits: i64, index: i64) -> i64 {
    if (0..31).contains(&index) { bits >> index & 1 } else { 0 }
}

macro_rules! reg {
    ($regs:ident, $reg:expr) => {
        $regs[$reg as usize]
    };
}

impl Game {
    /// Runs a unit to its end.
    #[inline(never)]
    pub(super) fn run_unit<const NOTE: bool>(&mut self, run: &Run<'_>, regs: &mut Regs) {
        let &Run { rules, code, unit, env } = run;
        let ops = &*unit.ops;
        let (mut pc, mut me) = (0, env.me);
        macro_rules! checked {
            ($d:expr, $value:expr) => {
                match $value {
                    Some(value) => reg!(regs, $d) = value,
                    None => reg!(regs, $d) = self.too_large(),
                }
            };
        }
        while let Some(op) = ops.get(pc) {
            pc += 1;
            match *op {
                Op::Const { d, value } => reg!(regs, d) = value as i64,
                Op::Local { d, local } => reg!(regs, d) = env.locals[local as usize] as i64,
                Op::Copy { d, a } => reg!(regs, d) = reg!(regs, a),
                Op::Own { d, offset } => reg!(regs, d) = self.read_own::<NOTE>(rules, me, offset),
                Op::OwnAt { d, index, offset, len } => {
                    reg!(regs, d) = self.read_own_at::<NOTE>(rules, me, (offset, len), reg!(regs, index));
                }
                Op::Lying { d, place } => reg!(regs, d) = self.read_lying::<NOTE>(rules, place, me),
                Op::Column { d, card, column } => reg!(regs, d) = code.exprs.columns.get(column, reg!(regs, card)),
                Op::AddColumn { d, a, card, column } => {
                    checked!(d, reg!(regs, a).checked_add(code.exprs.columns.get(column, reg!(regs, card))))
                }
                Op::MulColumn { d, a, card, column } => {
                    checked!(d, reg!(regs, a).checked_mul(code.exprs.columns.get(column, reg!(regs, card))))
                }
                Op::Counter { d, card, offset } => reg!(regs, d) = self.read_counter::<NOTE>(rules, reg!(regs, card), offset),
                Op::Add { d, a, b } => checked!(d, reg!(regs, a).checked_add(reg!(regs, b))),
                Op::Sub { d, a, b } => checked!(d, reg!(regs, a).checked_sub(reg!(regs, b))),
                Op::Mul { d, a, b } => checked!(d, reg!(regs, a).checked_mul(reg!(regs, b))),
                Op::Two { how, d, a, b } => reg!(regs, d) = self.two(how, reg!(regs, a), reg!(regs, b)),
                Op::TwoConst { how, d, a, value } => reg!(regs, d) = self.two(how, reg!(regs, a), value as i64),
                Op::FromConst { d, a, value } => checked!(d, (value as i64).checked_sub(reg!(regs, a))),
                Op::AddTimes { d, a, b, value } => {
                    let product = reg!(regs, b).checked_mul(value as i64);
                    checked!(d, product.and_then(|product| reg!(regs, a).checked_add(product)))
                }
                Op::AddProduct { d, a, b, c } => {
                    let product = reg!(regs, b).checked_mul(reg!(regs, c));
                    checked!(d, product.and_then(|product| reg!(regs, a).checked_add(product)))
                }
                Op::SubProduct { d, a, b, c } => {
                    let product = reg!(regs, b).checked_mul(reg!(regs, c));
                    checked!(d, product.and_then(|product| reg!(regs, a).checked_sub(product)))
                }
                Op::AddTimesColumn { d, a, card, column } => {
                    let product = reg!(regs, a).checked_mul(code.exprs.columns.get(column, reg!(regs, card)));
                    checked!(d, product.and_then(|product| reg!(regs, d).checked_add(product)))
                }
                Op::AddConst { d, a, value } => checked!(d, reg!(regs, a).checked_add(value as i64)),
                Op::MulConst { d, a, value } => checked!(d, reg!(regs, a).checked_mul(value as i64)),
                Op::IsConst { how, d, a, value } => reg!(regs, d) = how.holds(reg!(regs, a), value as i64) as i64,
                Op::Not { d, a } => reg!(regs, d) = (reg!(regs, a) == 0) as i64,
                Op::Truth { d, a } => reg!(regs, d) = (reg!(regs, a) != 0) as i64,
                Op::Jump { to } => pc = to as usize,
                Op::Unless { a, to } => {
                    if reg!(regs, a) == 0 {
                        pc = to as usize;
                    }
                }
                Op::When { a, to } => {
                    if reg!(regs, a) != 0 {
                        pc = to as usize;
                    }
                }
                Op::UnlessIs { how, a, b, to } => {
                    if !how.holds(reg!(regs, a), reg!(regs, b)) {
                        pc = to as usize;
                    }
                }
                Op::UnlessConst { how, a, value, to } => {
                    if !how.holds(reg!(regs, a), value as i64) {
                        pc = to as usize;
                    }
                }
                Op::FirstCard { at, card, cards, to } => {
                    let cards = &code.exprs.cards[cards.0 as usize];
                    if !self.card_of_loop::<NOTE>(rules, cards, me, Walk::START, (at, card), regs) {
                        pc = to as usize;
                    }
                }
                Op::NextCard { at, card, cards, to } => {
                    let walk = Walk::from_registers(reg!(regs, at), reg!(regs, at + 1));
                    let cards = &code.exprs.cards[cards.0 as usize];
                    if self.card_of_loop::<NOTE>(rules, cards, me, walk, (at, card), regs) {
                        pc = to as usize;
                    }
                }
                Op::NextInPlace { at, card, cards, to } => {
                    let mut walk = Walk::from_registers(reg!(regs, at), reg!(regs, at + 1));
                    let more = if self.eyes == Eyes::Live && walk.left > 0 {
                        let slots = self.cells.get(walk.cell as usize..).unwrap_or_default();
                        let gap = slots.iter().position(|&piece| piece > 0).unwrap_or(0);
                        reg!(regs, card) = slots.get(gap).map_or(-1, |&piece| piece as i64 - 1);
                        walk.left -= 1;
                        // A place has far fewer slots than 32 bits count.
                        walk.cell += cast::low::<u32>(cast::count(gap)) + 1;
                        (reg!(regs, at), reg!(regs, at + 1)) = walk.into_registers();
                        true
                    } else {
                        let cards = &code.exprs.cards[cards.0 as usize];
                        self.card_of_loop::<NOTE>(rules, cards, me, walk, (at, card), regs)
                    };
                    if more {
                        pc = to as usize;
                    }
                }
                Op::NextSeat { at: seat, asker, others, to } => {
                    let mut next = reg!(regs, seat) + 1;
                    if others && next == reg!(regs, asker) {
                        next += 1;
                    }
                    reg!(regs, seat) = next;
                    me = cast::index(next);
                    if me >= rules.players {
                        me = cast::index(reg!(regs, asker));
                        pc = to as usize;
                    }
                }
                Op::Enter { d, seat, to } => {
                    reg!(regs, d) = cast::count(me);
                    match usize::try_from(reg!(regs, seat)) {
                        Ok(seat) if seat < rules.players => me = seat,
                        _ => pc = to as usize,
                    }
                }
                Op::Leave { me: outer } => me = cast::index(reg!(regs, outer)),
                Op::Best { fold, d, a, any } => {
                    let (best, value) = (reg!(regs, d), reg!(regs, a));
                    let better = if fold == Fold::Highest { value > best } else { value < best };
                    if better || reg!(regs, any) == 0 {
                        reg!(regs, d) = value;
                        reg!(regs, any) = 1;
                    }
                }
                Op::Value { d, value, at } => {
                    reg!(regs, d) = match self.kept_live::<NOTE>(rules, value, at, me) {
                        Some(known) => known,
                        None => self.kept(rules, value, at, me),
                    }
                }
                Op::Changed { d, quantity } => reg!(regs, d) = self.is_changed(rules, quantity) as i64,
                Op::Read { index } => self.read_op::<NOTE>(run, &unit.reads[index as usize], me, regs),
                Op::WorkOut { index } => self.work_out_op(run, &unit.works[index as usize], me, regs),
            }
        }
    }

    /// The next card of a loop in its register, if there is one.
    #[inline(never)]
    fn card_of_loop<const NOTE: bool>(
        &self,
        rules: &Ruleset,
        cards: &super::Cards,
        me: usize,
        mut walk: Walk,
        (at, card): (u8, u8),
        regs: &mut Regs,
    ) -> bool {
        let found = self.walk_on::<NOTE>(rules, cards, me, &mut walk);
        (reg!(regs, at), reg!(regs, at + 1)) = walk.into_registers();
        reg!(regs, card) = found.unwrap_or(-1);
        found.is_some()
    }

    /// What comes up less often.
    #[inline(never)]
    fn read_op<const NOTE: bool>(&self, run: &Run<'_>, op: &Read, me: usize, regs: &mut Regs) {
        let &Run { rules, code, unit, .. } = run;
        macro_rules! card {
            ($card:expr, $d:expr, $none:expr) => {
                match usize::try_from(reg!(regs, $card)) {
                    Ok(card) => card,
                    Err(_) => {
                        reg!(regs, $d) = $none;
                        return;
                    }
                }
            };
        }
        match *op {
            Read::Long { d, index } => reg!(regs, d) = unit.longs[index as usize],
            Read::Me { d } => reg!(regs, d) = cast::count(me),
            Read::Global { d, cell } => reg!(regs, d) = self.read_table::<NOTE>(rules, cell as usize),
            Read::OwnBit { d, index, offset } => {
                reg!(regs, d) = has_bit(self.read_own::<NOTE>(rules, me, offset), reg!(regs, index));
            }
            Read::FieldAt { d, card, index, field, len } => {
                reg!(regs, d) = Self::read_field_at(rules, reg!(regs, card), (field, len), reg!(regs, index));
            }
            Read::ListAt { d, card, index, field } => {
                let list = rules.list(reg!(regs, card), field).1;
                let at = usize::try_from(reg!(regs, index)).ok();
                reg!(regs, d) = at.and_then(|index| list.get(index)).map_or(0, |&number| number as i64);
            }
            Read::ListFirst { d, card, index, field } => reg!(regs, d) = rules.list_first(reg!(regs, card), field, reg!(regs, index)),
            Read::InPlaces { d, card, index } => {
                let card = card!(card, d, 0);
                let place = &rules.layout.places[self.place_seen::<NOTE>(rules, card)];
                reg!(regs, d) = (place.room > 0 && unit.longs[index as usize] >> place.declared & 1 == 1) as i64;
            }
            Read::FirstIn { d, place } => reg!(regs, d) = self.read_first::<NOTE>(rules, place, me),
            Read::Row { d, card, grid } => reg!(regs, d) = self.read_row::<NOTE>(rules, reg!(regs, card), grid),
            Read::GridColumn { d, card, grid } => {
                reg!(regs, d) = self.in_grid::<NOTE>(rules, reg!(regs, card), grid, |at, columns| at % columns)
            }
            Read::OwnerOf { d, card } => {
                let card = card!(card, d, -1);
                if NOTE {
                    self.note_place_of(rules, card);
                }
                let owner = self.owner_of_piece(rules, card);
                reg!(regs, d) = if owner == TABLE { -1 } else { owner as i64 };
            }
            Read::PlaceInOrder { d } => {
                let found = (0..rules.players).find(|&place| self.read_table::<NOTE>(rules, head::ORDER + place) == cast::count(me));
                reg!(regs, d) = found.map_or(0, |place| cast::count(place) + 1);
            }
            Read::SumCards { d, cards, terms } => {
                let of = (&code.exprs.cards[cards.0 as usize], &unit.terms[terms as usize]);
                reg!(regs, d) = self.sum_cards::<NOTE>(rules, &code.exprs.columns, of, me).unwrap_or_else(|| self.too_large());
            }
            Read::SumRows { d, cards, terms } => {
                let of = (&code.exprs.cards[cards.0 as usize], &unit.terms[terms as usize]);
                let sums = self.sum_rows::<NOTE>(rules, &code.exprs.columns, of, me);
                for (d, sum) in (d..).zip(sums.unwrap_or_else(|| [self.too_large(); LONGEST_ROW])).take(of.1.row.1 as usize) {
                    reg!(regs, d) = sum;
                }
            }
            Read::AddRow { d, card, a, field, len } => {
                let (card, factor) = (card!(card, d, reg!(regs, d)), reg!(regs, a));
                let from = rules.piece_definition[card] as usize * rules.width + field as usize;
                let numbers = rules.printed[from..from + (len as usize).min(LONGEST_ROW)].iter();
                for (d, &number) in (d..).zip(numbers).filter(|(_, number)| **number != 0) {
                    let sum = factor.checked_mul(number as i64).and_then(|product| reg!(regs, d).checked_add(product));
                    reg!(regs, d) = sum.unwrap_or_else(|| self.too_large());
                }
            }
            Read::Table { d, index, table } => {
                let values = &code.exprs.tables[table as usize];
                reg!(regs, d) = values.get(cast::index(reg!(regs, index).max(0))).or(values.last()).copied().unwrap_or(0);
            }
            Read::CountTokens { d, of, showing, pool, set } => {
                if NOTE {
                    self.note_pool(rules, pool, me);
                }
                let [of, showing] = [of, showing].map(|part| (part != NONE).then(|| reg!(regs, part)));
                reg!(regs, d) = self.count_tokens(rules, set as u32, pool, me, of, showing);
            }
            Read::ShownBy { d, picked, symbol } => {
                reg!(regs, d) = Self::shown_by(rules, reg!(regs, symbol), cast::fit::<i32>(reg!(regs, picked)))
            }
        }
    }

    // ------------------------------------------------------------------ reading cells

    /// The cells in which what somebody owns is read through the present eyes.
    #[inline(always)]
    pub(super) fn cells_of(&self, owner: u8) -> &[i32] {
        match self.eyes {
            Eyes::Live => &self.cells,
            Eyes::Own(seat) if seat == owner => &self.cells,
            Eyes::Own(_) | Eyes::Before => &self.before,
        }
    }

    /// A cell of a seat, of a place or of the table, which is noted; what notes nothing sees everything as it is.
    #[inline(always)]
    pub(super) fn read_at<const NOTE: bool>(&self, rules: &Ruleset, owner: u8, index: usize) -> i64 {
        if !NOTE {
            return self.cells[index] as i64;
        }
        self.note_owned(rules, index, owner);
        self.cells_of(owner)[index] as i64
    }

    /// A cell of the table.
    #[inline(always)]
    pub(super) fn read_table<const NOTE: bool>(&self, rules: &Ruleset, index: usize) -> i64 {
        self.read_at::<NOTE>(rules, TABLE, index)
    }

    /// A cell of a seat.
    #[inline(always)]
    pub(super) fn read_own<const NOTE: bool>(&self, rules: &Ruleset, me: usize, offset: u16) -> i64 {
        self.read_at::<NOTE>(rules, cast::seat(me), rules.layout.seat(me, offset as usize))
    }

    /// One of several cells of a seat, 0 beyond them.
    #[inline(always)]
    pub(super) fn read_own_at<const NOTE: bool>(&self, rules: &Ruleset, me: usize, (offset, len): (u16, u16), index: i64) -> i64 {
        if index >= 0 && index < len as i64 { self.read_own::<NOTE>(rules, me, offset + cast::low::<u16>(index)) } else { 0 }
    }

    /// One of a row of numbers printed on a card, 0 beyond them and of none.
    #[inline(always)]
    pub(super) fn read_field_at(rules: &Ruleset, card: i64, (field, len): (u16, u16), index: i64) -> i64 {
        match usize::try_from(card) {
            Ok(card) if index >= 0 && index < len as i64 => rules.printed(card, field as usize + cast::index(index)) as i64,
            _ => 0,
        }
    }

    /// The first piece in a place, or -1.
    #[inline(always)]
    pub(super) fn read_first<const NOTE: bool>(&self, rules: &Ruleset, place: u16, me: usize) -> i64 {
        if NOTE {
            let at = &rules.layout.places[Self::instance(rules, place as usize, me)];
            self.note_cell(rules, at.base as usize);
        }
        self.first_in(rules, place as usize, me)
    }

    /// A counter of a piece, 0 of none.
    #[inline(always)]
    pub(super) fn read_counter<const NOTE: bool>(&self, rules: &Ruleset, card: i64, offset: u8) -> i64 {
        let Ok(card) = usize::try_from(card) else { return 0 };
        if NOTE {
            self.note_piece(rules, card, offset as usize);
        }
        self.piece_cell(rules, card, offset as usize) as i64
    }

    /// How many pieces lie in a place.
    #[inline(always)]
    pub(super) fn read_lying<const NOTE: bool>(&self, rules: &Ruleset, place: u16, me: usize) -> i64 {
        let at = &rules.layout.places[Self::instance(rules, place as usize, me)];
        self.read_at::<NOTE>(rules, at.owner, at.base as usize)
    }

    /// The row of a grid in which a piece lies, from 1; 0 elsewhere.
    #[inline]
    pub(super) fn read_row<const NOTE: bool>(&self, rules: &Ruleset, card: i64, grid: u16) -> i64 {
        self.in_grid::<NOTE>(rules, card, grid, |at, columns| at / columns)
    }

    /// The number of the place where a piece lies.
    fn place_seen<const NOTE: bool>(&self, rules: &Ruleset, card: usize) -> usize {
        if NOTE {
            self.note_place_of(rules, card);
        }
        cast::index(self.cell(rules, rules.layout.piece(card, crate::state::layout::piece::PLACE)))
    }

    /// What `f` makes of where in a grid a card lies, from 1; 0 if it lies elsewhere.
    #[inline(always)]
    fn in_grid<const NOTE: bool>(&self, rules: &Ruleset, card: i64, grid: u16, f: impl Fn(u32, u32) -> u32) -> i64 {
        if let (true, Ok(card)) = (NOTE, usize::try_from(card)) {
            self.note_place_of(rules, card);
        }
        self.grid_at(rules, card, grid).map_or(0, |(at, columns)| f(at, columns) as i64 + 1)
    }

    /// Notes that a pool is read: its cells are of one class.
    #[inline]
    pub(super) fn note_pool(&self, rules: &Ruleset, pool: u8, me: usize) {
        self.note_cell(rules, Self::pool_base(rules, pool, me));
    }

    #[cold]
    pub(crate) fn too_large(&self) -> i64 {
        self.evaluation.went_wrong("a number grew too large")
    }

    #[inline(always)]
    fn two(&self, how: Two, a: i64, b: i64) -> i64 {
        match how.of(a, b) {
            Some(value) => value,
            None if how == Two::Div && b == 0 => self.divided_by_zero(),
            None => self.too_large(),
        }
    }

    #[cold]
    fn divided_by_zero(&self) -> i64 {
        self.evaluation.went_wrong("a number was divided by 0")
    }
}
