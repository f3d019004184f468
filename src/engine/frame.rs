//! What is running, as a stack of frames behind the other cells. A frame begins with where it stands, the seat spoken of, through
//! whose eyes it reads, and its locals; operands follow: what its loops, questions and payments have to remember.
//!
//! While a frame runs, where it stands is held in a [`Frame`]; it is written to the cells whenever another goes on top of it and
//! at each question. So a state at a question is its cells and nothing else.

use super::decision::Stop;
use super::eval::{Env, LOCALS};
use super::game::{Eyes, Game};
use super::op::Pc;
use super::ruleset::Ruleset;
use crate::cast;
use crate::state::layout::head;

/// Frames on top of each other; effects, rules or cards that set each other off deeper than this cause themselves.
const MAX_DEPTH: i32 = 128;

/// The cells of a frame, from its beginning; operands follow.
mod cell {
    /// Where the frame beneath begins.
    pub const BENEATH: usize = 0;
    /// The op that comes next.
    pub const PC: usize = 1;
    /// The seat spoken of.
    pub const ME: usize = 2;
    /// Through whose eyes it reads: 0 for as things are, the seat + 1 while all act at once.
    pub const EYES: usize = 3;
    /// How many frames lie beneath.
    pub const DEPTH: usize = 4;
    /// First of the locals.
    pub const LOCALS: usize = 5;
    /// How many cells.
    pub const SIZE: usize = LOCALS + super::LOCALS;
}

/// The frame that runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub pc: Pc,
    pub env: Env,
}

/// Cards among operands are told from numbers: a card is this plus its number. No other operand comes to it.
const CARD: i32 = i32::MIN / 2;

/// A card as an operand.
#[inline]
pub(super) fn operand_of_card(card: i32) -> i32 {
    CARD + card
}

/// The card that an operand is, if it is one.
#[inline]
pub(super) fn card_of_operand(operand: i32) -> Option<i32> {
    let card = operand.wrapping_sub(CARD);
    (0..=u16::MAX as i32).contains(&card).then_some(card)
}

impl Game {
    /// Names cards otherwise in all frames of a state, wherever they lie in locals or operands.
    pub(super) fn rename_in_frames(rules: &Ruleset, cells: &mut [i32], renamed: impl Fn(i32) -> i32) {
        let (mut next, mut end) = (cells[head::FRAME], cells.len());
        // Beneath the first frame lies -1 for none.
        while let Ok(base) = usize::try_from(next)
            && base >= rules.layout.len
            && base.saturating_add(cell::SIZE) <= end
        {
            let held = rules.hidden.cards_at(Pc(cast::fit::<u32>(cells[base + cell::PC])));
            for local in (0..LOCALS).filter(|local| held >> local & 1 == 1) {
                let named = &mut cells[base + cell::LOCALS + local];
                *named = renamed(*named);
            }
            for operand in &mut cells[base + cell::SIZE..end] {
                *operand = card_of_operand(*operand).map_or(*operand, |card| operand_of_card(renamed(card)));
            }
            end = base;
            next = cells[base + cell::BENEATH];
        }
    }

    /// Writes in the cells of a state where its running frame stands, and that it reads everything as it is.
    pub(super) fn stand_at(cells: &mut [i32], (pc, me): (i32, i32), locals: &[i32]) {
        let base = cast::index(cells[head::FRAME]);
        let frame = &mut cells[base..base + cell::SIZE];
        (frame[cell::PC], frame[cell::ME], frame[cell::EYES]) = (pc, me, Eyes::Live.code());
        frame[cell::LOCALS..].copy_from_slice(locals);
    }

    /// Lays the first frame, and nothing on it.
    pub(super) fn lay_first_frame(&mut self, pc: Pc) {
        let base = self.fixed;
        self.cells.truncate(base);
        self.cells.resize(base + cell::SIZE, -1);
        self.cells[head::FRAME] = cast::fit::<i32>(base);
        self.cells[head::WAITING] = 0;
        self.eyes = Eyes::Live;
        self.cells[base + cell::DEPTH] = 0;
        self.write_frame(&Frame { pc, env: Env::of(cast::index(self.cells[head::ORDER])) });
    }

    #[inline]
    fn base(&self) -> usize {
        cast::index(self.cells[head::FRAME])
    }

    /// Writes the running frame to its cells.
    #[inline]
    pub(super) fn write_frame(&mut self, at: &Frame) {
        let base = self.base();
        let eyes = self.eyes.code();
        let cells = &mut self.cells[base..base + cell::SIZE];
        cells[cell::PC] = cast::fit::<i32>(at.pc.0);
        cells[cell::ME] = cast::fit::<i32>(at.env.me);
        cells[cell::EYES] = eyes;
        cells[cell::LOCALS..].copy_from_slice(&at.env.locals);
    }

    /// The running frame, from its cells.
    #[inline]
    pub(super) fn read_frame(&mut self) -> Frame {
        let base = self.base();
        let cells = &self.cells[base..base + cell::SIZE];
        let mut env = Env::of(cast::index(cells[cell::ME]));
        env.locals.copy_from_slice(&cells[cell::LOCALS..]);
        let frame = Frame { pc: Pc(cast::fit::<u32>(cells[cell::PC])), env };
        self.eyes = Eyes::from_code(cells[cell::EYES]);
        frame
    }

    /// Begins a frame on top of the running one, which goes on when it ends.
    ///
    /// # Errors
    /// Too many of them.
    #[inline]
    pub(super) fn enter(&mut self, at: &mut Frame, pc: Pc, env: Env) -> Result<(), Stop> {
        self.write_frame(at);
        self.lay_frame()?;
        *at = Frame { pc, env };
        Ok(())
    }

    /// Lays the cells of a frame on top of the running one.
    pub(super) fn lay_frame(&mut self) -> Result<(), Stop> {
        let (beneath, base) = (self.base(), self.cells.len());
        let depth = self.cells[beneath + cell::DEPTH] + 1;
        if depth > MAX_DEPTH {
            return Err(Stop::fault(format!(
                "effects set each other off more than {MAX_DEPTH} deep; a card or rule may be causing itself"
            )));
        }
        self.cells.resize(base + cell::SIZE, 0);
        self.cells[base + cell::BENEATH] = cast::fit::<i32>(beneath);
        self.cells[base + cell::DEPTH] = depth;
        self.cells[head::FRAME] = cast::fit::<i32>(base);
        Ok(())
    }

    /// Ends the running frame; gives back where the one beneath goes on.
    #[inline]
    pub(super) fn leave(&mut self) -> Frame {
        self.drop_frame();
        self.read_frame()
    }

    /// Takes the running frame off the stack.
    pub(super) fn drop_frame(&mut self) {
        let base = self.base();
        self.cells[head::FRAME] = self.cells[base + cell::BENEATH];
        self.cells.truncate(base);
    }

    /// Whether the frames of a state that was read from somewhere lie as these rules lay them.
    pub(super) fn frames_are_sound(&self, rules: &Ruleset) -> bool {
        // Whatever stands there is looked at: a negative number is as far beyond as can be.
        let position = |cell: i32| usize::try_from(cell).unwrap_or(usize::MAX);
        let (mut base, mut end) = (self.cells.get(head::FRAME).map_or(0, |&base| position(base)), self.cells.len());
        loop {
            if base < self.fixed || base.saturating_add(cell::SIZE) > end || position(self.cells[base + cell::PC]) >= rules.ops.all.len() {
                return false;
            }
            if base == self.fixed {
                return true;
            }
            end = base;
            base = position(self.cells[base + cell::BENEATH]);
        }
    }

    /// Where each frame stands, from the running one down; `None` where that is not written.
    pub(super) fn places_of_frames(&self) -> Vec<Pc> {
        let mut found = Vec::new();
        let mut base = self.base();
        while base > self.fixed {
            base = cast::index(self.cells[base + cell::BENEATH]);
            found.push(Pc((cast::fit::<u32>(self.cells[base + cell::PC])).saturating_sub(1)));
        }
        found
    }

    // ------------------------------------------------------------------ operands

    /// Puts an operand on the stack.
    #[inline]
    pub(super) fn push(&mut self, value: i32) {
        self.cells.push(value);
    }

    /// Takes the operand on top off the stack.
    #[inline]
    pub(super) fn pop(&mut self) -> i32 {
        self.cells.pop().unwrap_or(0)
    }

    /// Takes so many operands off the stack.
    #[inline]
    pub(super) fn drop_operands(&mut self, count: usize) {
        self.cells.truncate(self.cells.len().saturating_sub(count));
    }

    /// The operand so far beneath the top.
    #[inline]
    pub(super) fn operand(&mut self, beneath: usize) -> &mut i32 {
        let at = self.cells.len() - 1 - beneath;
        &mut self.cells[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let mut game = Game { fixed: head::SIZE, ..Game::default() };
        game.cells.resize(head::SIZE, 0);
        game.lay_first_frame(Pc(7));
        game
    }

    #[test]
    fn a_frame_beneath_goes_on_as_it_was() {
        let mut game = game();
        let mut at = game.read_frame();
        assert_eq!((at.pc, at.env.me), (Pc(7), 0));
        at.env.locals[2] = 5;
        game.push(11);
        game.eyes = Eyes::Own(3);
        let whole = game.cells.len();
        assert_eq!(game.enter(&mut at, Pc(40), Env::with(2, &[9])), Ok(()));
        assert_eq!((at.pc, at.env.me, at.env.locals[0]), (Pc(40), 2, 9));
        game.push(1);
        game.push(2);
        game.eyes = Eyes::Live;
        assert_eq!(game.places_of_frames(), [Pc(6)]);
        let at = game.leave();
        assert_eq!((at.pc, at.env.me, at.env.locals[2], game.eyes), (Pc(7), 0, 5, Eyes::Own(3)));
        assert_eq!((game.cells.len(), game.pop()), (whole, 11));
    }

    #[test]
    fn frames_do_not_go_deeper_than_they_may() {
        let mut game = game();
        let mut at = game.read_frame();
        let env = at.env;
        let entered = (0..1000).take_while(|_| game.enter(&mut at, Pc(1), env).is_ok()).count();
        assert_eq!(entered as i32, MAX_DEPTH);
        (0..entered).for_each(|_| game.drop_frame());
        assert_eq!(game.places_of_frames(), []);
    }

    #[test]
    fn operands_come_off_the_top() {
        let mut game = game();
        (1..=4).for_each(|value| game.push(value));
        *game.operand(1) += 10;
        assert_eq!((game.pop(), game.pop()), (4, 13));
        game.drop_operands(1);
        assert_eq!(game.pop(), 1);
    }

    #[test]
    fn only_sound_frames_are_taken_up() {
        let mut rules = Ruleset::default();
        rules.ops.all = vec![super::super::op::Op::Return; 50];
        let mut sound = game();
        let mut at = sound.read_frame();
        let env = at.env;
        assert_eq!(sound.enter(&mut at, Pc(40), env), Ok(()));
        assert!(sound.frames_are_sound(&rules));
        let top = sound.base();
        for (cell, value) in
            [(head::FRAME, -1), (head::FRAME, 0), (top + cell::BENEATH, 3), (top + cell::BENEATH, i32::MIN), (top + cell::PC, 50)]
        {
            let mut broken = sound.clone();
            broken.cells[cell] = value;
            assert!(!broken.frames_are_sound(&rules), "{cell} {value}");
        }
    }
}
