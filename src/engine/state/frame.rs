//! The call stack: frames behind the other cells. A frame has a header (program counter, current seat, view, locals) followed by operands
//! of its loops, questions and payments.
//!
//! While a frame runs, its program counter and environment are held in a [`Frame`]; they are stored in the cells when another frame is
//! pushed and at each question. So at a question the cells are the whole state.

use super::State;
use crate::cast;
use crate::env::{Env, LOCALS, ReadView};
use crate::fault::Stop;
use crate::op::Pc;
use crate::ruleset::Ruleset;
use houserule_state::layout::head;

/// The most frames on the stack; more are taken for an endless recursion of effects, rules or cards.
const MAX_DEPTH: i32 = 128;

/// The offsets of a frame's header cells; operands follow.
mod cell {
    /// The index of the first cell of the frame below.
    pub const BELOW: usize = 0;
    /// The program counter of the frame.
    pub const PC: usize = 1;
    /// The seat for which the frame runs.
    pub const ME: usize = 2;
    /// The view: 0 for the current cells, or the seat + 1 in a simultaneous block.
    pub const VIEW: usize = 3;
    /// The number of frames below.
    pub const DEPTH: usize = 4;
    /// The first of the locals.
    pub const LOCALS: usize = 5;
    /// The number of header cells.
    pub const SIZE: usize = LOCALS + super::LOCALS;
}

/// The running frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The program counter: the next op.
    pub pc: Pc,
    /// The environment in which the frame's expressions are evaluated.
    pub env: Env,
}

/// The number by which operands stand for card 0; the other cards follow. No operand that is not a card has such a value.
const CARD: i32 = i32::MIN / 2;

/// Encodes a card as an operand.
#[inline]
pub(crate) fn operand_of_card(card: i32) -> i32 {
    CARD + card
}

/// Decodes a card from an operand; `None` if the operand is not a card.
#[inline]
pub(crate) fn card_of_operand(operand: i32) -> Option<i32> {
    let card = operand.wrapping_sub(CARD);
    (0..=u16::MAX as i32).contains(&card).then_some(card)
}

/// Lists the frames of a state, the lowest first: the index of the first local of each, and its program counter.
pub(crate) fn frames_of(rules: &Ruleset, cells: &[i32]) -> Vec<(usize, Pc)> {
    let (mut next, mut end, mut found) = (cells[head::FRAME], cells.len(), Vec::new());
    while let Ok(base) = usize::try_from(next)
        && base >= rules.layout.len
        && base.saturating_add(cell::SIZE) <= end
    {
        found.push((base + cell::LOCALS, Pc(cast::fit::<u32>(cells[base + cell::PC]))));
        (end, next) = (base, cells[base + cell::BELOW]);
    }
    found.reverse();
    found
}

/// Collects the cards in the locals of all frames, those of the lowest frame first, each with the seat for which its frame runs.
pub(crate) fn named_cards(rules: &Ruleset, cells: &[i32], found: &mut Vec<(usize, usize)>) {
    found.clear();
    let (mut next, mut end) = (cells[head::FRAME], cells.len());
    while let Ok(base) = usize::try_from(next)
        && base >= rules.layout.len
        && base.saturating_add(cell::SIZE) <= end
    {
        let held = rules.hidden.card_locals(Pc(cast::fit::<u32>(cells[base + cell::PC])));
        let locals = (0..LOCALS).filter(|local| held >> local & 1 == 1).map(|local| cells[base + cell::LOCALS + local]);
        let cards = locals.filter_map(|card| usize::try_from(card).ok()).filter(|&card| card < rules.layout.pieces);
        found.extend(cards.map(|card| (card, cast::index(cells[base + cell::ME]))));
        (end, next) = (base, cells[base + cell::BELOW]);
    }
    found.reverse();
}

/// Replaces cards by `replacement` in the locals and operands of all frames, after a shuffle.
pub(crate) fn replace_in_frames(rules: &Ruleset, cells: &mut [i32], replacement: impl Fn(i32) -> i32) {
    let (mut next, mut end) = (cells[head::FRAME], cells.len());
    // Below the first frame there is -1.
    while let Ok(base) = usize::try_from(next)
        && base >= rules.layout.len
        && base.saturating_add(cell::SIZE) <= end
    {
        let held = rules.hidden.card_locals(Pc(cast::fit::<u32>(cells[base + cell::PC])));
        for local in (0..LOCALS).filter(|local| held >> local & 1 == 1) {
            let named = &mut cells[base + cell::LOCALS + local];
            *named = replacement(*named);
        }
        for operand in &mut cells[base + cell::SIZE..end] {
            *operand = card_of_operand(*operand).map_or(*operand, |card| operand_of_card(replacement(card)));
        }
        end = base;
        next = cells[base + cell::BELOW];
    }
}

/// Overwrites the running frame's program counter, current seat and locals in the cells, with the current view.
pub(super) fn set_frame(cells: &mut [i32], (pc, me): (i32, i32), locals: &[i32]) {
    let base = cast::index(cells[head::FRAME]);
    let frame = &mut cells[base..base + cell::SIZE];
    (frame[cell::PC], frame[cell::ME], frame[cell::VIEW]) = (pc, me, ReadView::Current.code());
    frame[cell::LOCALS..].copy_from_slice(locals);
}

impl State {
    /// Resets the stack to a single frame without operands, behind the first `stack_start` cells.
    pub(crate) fn push_first_frame(&mut self, stack_start: usize, pc: Pc) {
        self.cells.truncate(stack_start);
        self.cells.resize(stack_start + cell::SIZE, -1);
        self.cells[head::FRAME] = cast::fit::<i32>(stack_start);
        self.cells[head::WAITING] = 0;
        self.cells[stack_start + cell::DEPTH] = 0;
        self.write_frame(&Frame { pc, env: Env::for_seat(cast::index(self.cells[head::ORDER])) }, ReadView::Current);
    }

    #[inline]
    fn base(&self) -> usize {
        cast::index(self.cells[head::FRAME])
    }

    /// Stores the running frame in its cells.
    #[inline]
    pub(crate) fn write_frame(&mut self, frame: &Frame, view: ReadView) {
        let base = self.base();
        let cells = &mut self.cells[base..base + cell::SIZE];
        cells[cell::PC] = cast::fit::<i32>(frame.pc.0);
        cells[cell::ME] = cast::fit::<i32>(frame.env.me);
        cells[cell::VIEW] = view.code();
        cells[cell::LOCALS..].copy_from_slice(&frame.env.locals);
    }

    /// Loads the running frame from its cells, and its view.
    #[inline]
    pub(crate) fn read_frame(&self) -> (Frame, ReadView) {
        let base = self.base();
        let cells = &self.cells[base..base + cell::SIZE];
        let mut env = Env::for_seat(cast::index(cells[cell::ME]));
        env.locals.copy_from_slice(&cells[cell::LOCALS..]);
        (Frame { pc: Pc(cast::fit::<u32>(cells[cell::PC])), env }, ReadView::from_code(cells[cell::VIEW]))
    }

    /// Pushes the cells of a frame, linked to the running one.
    ///
    /// # Errors
    /// More than [`MAX_DEPTH`] frames.
    pub(crate) fn push_frame(&mut self) -> Result<(), Stop> {
        let (beneath, base) = (self.base(), self.cells.len());
        let depth = self.cells[beneath + cell::DEPTH] + 1;
        if depth > MAX_DEPTH {
            return Err(Stop::fault(format!(
                "effects set each other off more than {MAX_DEPTH} deep; a card or rule may be causing itself"
            )));
        }
        self.cells.resize(base + cell::SIZE, 0);
        self.cells[base + cell::BELOW] = cast::fit::<i32>(beneath);
        self.cells[base + cell::DEPTH] = depth;
        self.cells[head::FRAME] = cast::fit::<i32>(base);
        Ok(())
    }

    /// Pops the running frame.
    pub(crate) fn pop_frame(&mut self) {
        let base = self.base();
        self.cells[head::FRAME] = self.cells[base + cell::BELOW];
        self.cells.truncate(base);
    }

    /// Whether the stack of a state from an untrusted source is well-formed for these rules.
    pub(crate) fn frames_are_sound(&self, rules: &Ruleset) -> bool {
        let stack_start = rules.layout.len;
        // Negative indices are out of bounds.
        let position = |cell: i32| usize::try_from(cell).unwrap_or(usize::MAX);
        let (mut base, mut end) = (self.cells.get(head::FRAME).map_or(0, |&base| position(base)), self.cells.len());
        loop {
            if base < stack_start || base.saturating_add(cell::SIZE) > end || position(self.cells[base + cell::PC]) >= rules.ops.all.len() {
                return false;
            }
            if base == stack_start {
                return true;
            }
            end = base;
            base = position(self.cells[base + cell::BELOW]);
        }
    }

    /// Returns the last executed op of each frame below the running one, from the top down. `stack_start` is the number of cells before
    /// the stack.
    pub(crate) fn return_addresses(&self, stack_start: usize) -> Vec<Pc> {
        let mut found = Vec::new();
        let mut base = self.base();
        while base > stack_start {
            base = cast::index(self.cells[base + cell::BELOW]);
            found.push(Pc((cast::fit::<u32>(self.cells[base + cell::PC])).saturating_sub(1)));
        }
        found
    }

    // ------------------------------------------------------------------ operands

    /// Returns the number of cells including the stack: the index of the next operand.
    #[inline]
    pub(crate) fn top(&self) -> usize {
        self.cells.len()
    }

    /// Pushes an operand.
    #[inline]
    pub(crate) fn push(&mut self, value: i32) {
        self.cells.push(value);
    }

    /// Pushes several operands, the last on top.
    #[inline]
    pub(crate) fn push_all(&mut self, values: impl IntoIterator<Item = i32>) {
        self.cells.extend(values);
    }

    /// Pops the top operand.
    #[inline]
    pub(crate) fn pop(&mut self) -> i32 {
        self.cells.pop().unwrap_or(0)
    }

    /// Pops a number of operands.
    #[inline]
    pub(crate) fn drop_operands(&mut self, count: usize) {
        self.cells.truncate(self.cells.len().saturating_sub(count));
    }

    /// Pops all operands from an index on.
    #[inline]
    pub(crate) fn drop_from(&mut self, cell: usize) {
        self.cells.truncate(cell);
    }

    /// Returns the operand at a depth below the top; 0 is the top.
    #[inline]
    pub(crate) fn operand(&mut self, depth: usize) -> &mut i32 {
        let index = self.cells.len() - 1 - depth;
        &mut self.cells[index]
    }

    /// Reverses all operands from an index on.
    pub(crate) fn reverse_from(&mut self, cell: usize) {
        self.cells[cell..].reverse();
    }

    /// Returns the operand at an index of the cells.
    #[inline]
    pub(crate) fn operand_at(&mut self, cell: usize) -> &mut i32 {
        &mut self.cells[cell]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates the state of a game without rules, which has a header and nothing else.
    fn state() -> State {
        let mut state = State::default();
        state.cells.resize(head::SIZE, 0);
        state.push_first_frame(head::SIZE, Pc(7));
        state
    }

    fn enter(state: &mut State, at: &mut Frame, view: ReadView, to: Frame) -> Result<(), Stop> {
        state.write_frame(at, view);
        state.push_frame()?;
        *at = to;
        Ok(())
    }

    #[test]
    fn a_frame_beneath_goes_on_as_it_was() {
        let mut state = state();
        let (mut at, _) = state.read_frame();
        assert_eq!((at.pc, at.env.me), (Pc(7), 0));
        at.env.locals[2] = 5;
        state.push(11);
        let whole = state.top();
        let to = Frame { pc: Pc(40), env: Env::with_locals(2, &[9]) };
        assert_eq!(enter(&mut state, &mut at, ReadView::OwnCurrent(3), to), Ok(()));
        assert_eq!((at.pc, at.env.me, at.env.locals[0]), (Pc(40), 2, 9));
        state.push_all([1, 2]);
        assert_eq!(state.return_addresses(head::SIZE), [Pc(6)]);
        state.pop_frame();
        let (at, view) = state.read_frame();
        assert_eq!((at.pc, at.env.me, at.env.locals[2], view), (Pc(7), 0, 5, ReadView::OwnCurrent(3)));
        assert_eq!((state.top(), state.pop()), (whole, 11));
    }

    #[test]
    fn frames_do_not_go_deeper_than_they_may() {
        let mut state = state();
        let (mut at, view) = state.read_frame();
        let to = Frame { pc: Pc(1), env: at.env };
        let entered = (0..1000).take_while(|_| enter(&mut state, &mut at, view, to).is_ok()).count();
        assert_eq!(entered as i32, MAX_DEPTH);
        (0..entered).for_each(|_| state.pop_frame());
        assert_eq!(state.return_addresses(head::SIZE), []);
    }

    #[test]
    fn operands_come_off_the_top() {
        let mut state = state();
        state.push_all(1..=4);
        *state.operand(1) += 10;
        assert_eq!((state.pop(), state.pop()), (4, 13));
        state.drop_operands(1);
        assert_eq!(state.pop(), 1);
    }

    #[test]
    fn only_sound_frames_are_taken_up() {
        let mut rules = Ruleset::default();
        rules.layout.len = head::SIZE;
        rules.ops.all = vec![crate::op::Op::Return; 50];
        let mut sound = state();
        let (mut at, view) = sound.read_frame();
        let to = Frame { pc: Pc(40), env: at.env };
        assert_eq!(enter(&mut sound, &mut at, view, to), Ok(()));
        assert!(sound.frames_are_sound(&rules));
        let top = sound.base();
        for (cell, value) in
            [(head::FRAME, -1), (head::FRAME, 0), (top + cell::BELOW, 3), (top + cell::BELOW, i32::MIN), (top + cell::PC, 50)]
        {
            let mut broken = sound.clone();
            broken.cells[cell] = value;
            assert!(!broken.frames_are_sound(&rules), "{cell} {value}");
        }
    }
}
