//! The interpreter loop of compiled expressions.
//!
//! The loop is compiled twice: with and without the view of a simultaneous block. Rare operations are in functions of their own, because their
//! data would otherwise be loaded before the first operation runs.

use crate::cast;
use crate::env::Env;
use crate::eval::plain::step;
use crate::evaluator::{Evaluator, Regs};
use crate::reader::Walk;
use crate::ruleset::Ruleset;
use houserule_ruleset::boards::{SET_WORDS, SpaceSet};
use houserule_ruleset::code::{Cards, Fold, MAX_ROW_LENGTH, NumberOp, Op, Read, Reg, Unit};

/// The data that all operations of a piece of code share while it runs.
pub(super) struct Run<'r> {
    pub unit: &'r Unit,
    pub env: &'r Env,
}

macro_rules! reg {
    ($regs:ident, $reg:expr) => {
        $regs[$reg as usize]
    };
}

impl Evaluator<'_> {
    /// Runs the operations of a unit to the end; the result is in the first registers.
    #[inline(never)]
    pub(super) fn run_unit<const VIEWED: bool>(&mut self, run: &Run<'_>, regs: &mut Regs) {
        let &Run { unit, env } = run;
        let graph = &self.rules.graph;
        let rules = self.rules;
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
                Op::Own { d, offset } => reg!(regs, d) = self.reader::<VIEWED>().seat_cell(me, offset),
                Op::OwnAt { d, index, offset, len } => {
                    reg!(regs, d) = self.reader::<VIEWED>().seat_element(me, (offset, len), reg!(regs, index));
                }
                Op::PiecesIn { d, place } => reg!(regs, d) = self.reader::<VIEWED>().pieces_in(place, me),
                Op::Column { d, card, column } => reg!(regs, d) = graph.columns().get(column, reg!(regs, card)),
                Op::AddColumn { d, a, card, column } => {
                    checked!(d, reg!(regs, a).checked_add(graph.columns().get(column, reg!(regs, card))))
                }
                Op::MulColumn { d, a, card, column } => {
                    checked!(d, reg!(regs, a).checked_mul(graph.columns().get(column, reg!(regs, card))))
                }
                Op::Counter { d, card, offset } => reg!(regs, d) = self.reader::<VIEWED>().counter(reg!(regs, card), offset),
                Op::Add { d, a, b } => checked!(d, reg!(regs, a).checked_add(reg!(regs, b))),
                Op::Sub { d, a, b } => checked!(d, reg!(regs, a).checked_sub(reg!(regs, b))),
                Op::Mul { d, a, b } => checked!(d, reg!(regs, a).checked_mul(reg!(regs, b))),
                Op::Binary { operator, d, a, b } => reg!(regs, d) = self.two(operator, reg!(regs, a), reg!(regs, b)),
                Op::BinaryConst { operator, d, a, value } => reg!(regs, d) = self.two(operator, reg!(regs, a), value as i64),
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
                    let product = reg!(regs, a).checked_mul(graph.columns().get(column, reg!(regs, card)));
                    checked!(d, product.and_then(|product| reg!(regs, d).checked_add(product)))
                }
                Op::AddConst { d, a, value } => checked!(d, reg!(regs, a).checked_add(value as i64)),
                Op::MulConst { d, a, value } => checked!(d, reg!(regs, a).checked_mul(value as i64)),
                Op::IsConst { operator, d, a, value } => reg!(regs, d) = operator.holds(reg!(regs, a), value as i64) as i64,
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
                Op::UnlessIs { operator, a, b, to } => {
                    if !operator.holds(reg!(regs, a), reg!(regs, b)) {
                        pc = to as usize;
                    }
                }
                Op::UnlessConst { operator, a, value, to } => {
                    if !operator.holds(reg!(regs, a), value as i64) {
                        pc = to as usize;
                    }
                }
                Op::FirstCard { progress, card, cards, to } => {
                    let cards = graph.cards(cards);
                    if !self.card_of_loop::<VIEWED>(cards, me, Walk::START, (progress, card), regs) {
                        pc = to as usize;
                    }
                }
                Op::NextCard { progress, card, cards, to } => {
                    let walk = Walk::from_registers(reg!(regs, progress), reg!(regs, progress + 1));
                    let cards = graph.cards(cards);
                    if self.card_of_loop::<VIEWED>(cards, me, walk, (progress, card), regs) {
                        pc = to as usize;
                    }
                }
                Op::NextInPlace { progress, card, cards, to } => {
                    let mut walk = Walk::from_registers(reg!(regs, progress), reg!(regs, progress + 1));
                    let more = match self.reader::<VIEWED>().next_in_place(&mut walk) {
                        Some(found) => {
                            reg!(regs, card) = found;
                            (reg!(regs, progress), reg!(regs, progress + 1)) = walk.into_registers();
                            true
                        }
                        None => {
                            let cards = graph.cards(cards);
                            self.card_of_loop::<VIEWED>(cards, me, walk, (progress, card), regs)
                        }
                    };
                    if more {
                        pc = to as usize;
                    }
                }
                Op::NextSeat { seat, asker, others, to } => {
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
                Op::NextNeighbour { progress, card, of, to } => match neighbour(rules, reg!(regs, of), reg!(regs, progress)) {
                    Some(near) => (reg!(regs, card), reg!(regs, progress)) = (near, reg!(regs, progress) + 1),
                    None => pc = to as usize,
                },
                Op::Best { fold, d, a, any } => {
                    let (best, value) = (reg!(regs, d), reg!(regs, a));
                    let better = fold == Fold::Last || fold == Fold::Highest && value > best || fold == Fold::Lowest && value < best;
                    if better || reg!(regs, any) == 0 {
                        reg!(regs, d) = value;
                        reg!(regs, any) = 1;
                    }
                }
                Op::Value { d, value, slot } => {
                    reg!(regs, d) = match self.cached_current::<VIEWED>(value, slot, me) {
                        Some(known) => known,
                        None => self.cached(value, slot, me),
                    }
                }
                Op::Changed { d, quantity } => reg!(regs, d) = self.is_changed(quantity) as i64,
                Op::Read { index } => self.read_op::<VIEWED>(run, &unit.reads[index as usize], me, regs),
                Op::Nested { index } => self.nested_op(run, &unit.nested_ops[index as usize], me, regs),
            }
        }
    }

    /// Advances a loop over cards and stores the next card in its register. Returns whether there is one.
    #[inline(never)]
    fn card_of_loop<const VIEWED: bool>(
        &self,
        cards: &Cards,
        me: usize,
        mut walk: Walk,
        (progress, card): (u8, u8),
        regs: &mut Regs,
    ) -> bool {
        let found = self.reader::<VIEWED>().next_card(cards, me, &mut walk);
        (reg!(regs, progress), reg!(regs, progress + 1)) = walk.into_registers();
        reg!(regs, card) = found.unwrap_or(-1);
        found.is_some()
    }

    /// Runs one of the rare operations that evaluate nothing else.
    #[inline(never)]
    fn read_op<const VIEWED: bool>(&self, run: &Run<'_>, op: &Read, me: usize, regs: &mut Regs) {
        let &Run { unit, .. } = run;
        let graph = &self.rules.graph;
        let rules = self.rules;
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
            Read::Long { d, index } => reg!(regs, d) = unit.constants[index as usize],
            Read::Me { d } => reg!(regs, d) = cast::count(me),
            Read::Step { d, a, b, expr } => {
                // The register that stands for none can be read: what it holds is not asked for.
                reg!(regs, d) = match step::<VIEWED>(self, graph[expr], me, [reg!(regs, a), reg!(regs, b)]) {
                    Ok(value) => value,
                    Err(wrong) => self.values.evaluation.record_error(wrong.message),
                };
            }
            Read::FieldAt { d, card, index, field, len } => {
                reg!(regs, d) = read_field_at(rules, reg!(regs, card), (field, len), reg!(regs, index));
            }
            Read::SumCards { d, cards, terms } => {
                let summed = (graph.cards(cards), &unit.terms[terms as usize]);
                reg!(regs, d) = self.reader::<VIEWED>().sum_cards(graph.columns(), summed, me).unwrap_or_else(|| self.too_large());
            }
            Read::SumRows { d, cards, terms } => {
                let summed = (graph.cards(cards), &unit.terms[terms as usize]);
                let sums = self.reader::<VIEWED>().sum_rows(graph.columns(), summed, me);
                for (d, sum) in (d..).zip(sums.unwrap_or_else(|| [self.too_large(); MAX_ROW_LENGTH])).take(summed.1.row.1 as usize) {
                    reg!(regs, d) = sum;
                }
            }
            Read::CounterAt { d, card, index, offset, len } => {
                let index = reg!(regs, index);
                reg!(regs, d) = match u8::try_from(index) {
                    Ok(at) if index < i64::from(len) => self.reader::<VIEWED>().counter(reg!(regs, card), offset + at),
                    _ => 0,
                };
            }
            Read::NoSpaces { set } => regs[set as usize..][..SET_WORDS].fill(0),
            Read::AddSpace { set, card, board } => {
                if let Some(space) = rules.boards[board as usize].space(reg!(regs, card)) {
                    regs[set as usize + space / 64] |= 1 << (space % 64);
                }
            }
            Read::Group { set, spaces, from, board } => {
                let (all, board) = (spaces_in(regs, reg!(regs, spaces)), &rules.boards[board as usize]);
                let group = board.space(reg!(regs, from)).map_or_else(SpaceSet::default, |from| board.group(from, &all));
                write_spaces(regs, set, &group);
            }
            Read::InSpaces { d, spaces, card, board } => {
                let inside = |space: usize| reg!(regs, cast::index(reg!(regs, spaces)) + space / 64) >> (space % 64) & 1;
                reg!(regs, d) = rules.boards[board as usize].space(reg!(regs, card)).map_or(0, inside);
            }
            Read::LongestLine { d, spaces, board } => {
                reg!(regs, d) = rules.boards[board as usize].longest_line(&spaces_in(regs, reg!(regs, spaces)));
            }
            Read::LargestGroup { d, spaces, board } => {
                reg!(regs, d) = rules.boards[board as usize].largest_group(&spaces_in(regs, reg!(regs, spaces)));
            }
            Read::AddRow { d, card, a, field, len } => {
                let (card, factor) = (card!(card, d, reg!(regs, d)), reg!(regs, a));
                let from = rules.piece_definition[card] as usize * rules.width + field as usize;
                let numbers = rules.printed[from..from + (len as usize).min(MAX_ROW_LENGTH)].iter();
                for (d, &number) in (d..).zip(numbers).filter(|(_, number)| **number != 0) {
                    let sum = factor.checked_mul(number as i64).and_then(|product| reg!(regs, d).checked_add(product));
                    reg!(regs, d) = sum.unwrap_or_else(|| self.too_large());
                }
            }
        }
    }

    #[inline(always)]
    fn two(&self, operator: NumberOp, a: i64, b: i64) -> i64 {
        match operator.apply(a, b) {
            Some(value) => value,
            None => self.without_result(operator, b),
        }
    }
}

/// Writes a set of spaces into the registers from `first` on.
pub(super) fn write_spaces(regs: &mut Regs, first: Reg, set: &SpaceSet) {
    for (to, word) in regs[first as usize..].iter_mut().zip(set.words) {
        *to = word.cast_signed();
    }
}

/// Returns the set of spaces whose first register has this number.
pub(super) fn spaces_in(regs: &Regs, first: i64) -> SpaceSet {
    let mut set = SpaceSet::default();
    let from = usize::try_from(first).ok().and_then(|first| regs.get(first..));
    for (word, &register) in set.words.iter_mut().zip(from.unwrap_or_default()) {
        *word = register.cast_unsigned();
    }
    set
}

/// Returns a neighbour of a space; `None` if it has no more, or is no space.
#[inline]
fn neighbour(rules: &Ruleset, of: i64, index: i64) -> Option<i64> {
    let board = rules.boards.iter().find(|board| board.space(of).is_some())?;
    let near = board.neighbours[board.space(of)?].get(usize::try_from(index).ok()?)?;
    Some(board.piece(*near))
}

/// Returns a number of a row printed on a card; 0 if the index is out of bounds or there is no card.
#[inline(always)]
pub(super) fn read_field_at(rules: &Ruleset, card: i64, (field, len): (u16, u16), index: i64) -> i64 {
    match usize::try_from(card) {
        Ok(card) if index >= 0 && index < len as i64 => rules.printed(card, field as usize + cast::index(index)) as i64,
        _ => 0,
    }
}
