//! Queued frames, and their representation as operands on the stack.

use super::op::Pc;
use super::state::{State, card_of_operand, operand_of_card};
use crate::cast;

/// A frame that waits to run, of a listener, a replacement, a shortage rule or an effect: its first op, the current seat and the first
/// locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueuedFrame {
    pub pc: Pc,
    pub me: u8,
    pub locals: [i32; 5],
}

/// The number of cells of a queued frame.
pub(crate) const WAITING: usize = 7;

impl QueuedFrame {
    pub fn cells(&self) -> [i32; WAITING] {
        let [mut a, mut b, c, d, e] = self.locals;
        // In an effect of a card, the first local is that card and the second is the card of the moment.
        if a >= 0 {
            a = operand_of_card(a);
            b = if b >= 0 { operand_of_card(b) } else { b };
        }
        [cast::fit::<i32>(self.pc.0), self.me as i32, a, b, c, d, e]
    }

    pub fn from_cells(cells: &[i32]) -> QueuedFrame {
        let mut locals = [-1; 5];
        locals.iter_mut().zip(&cells[2..]).for_each(|(to, from)| *to = card_of_operand(*from).unwrap_or(*from));
        QueuedFrame { pc: Pc(cast::fit::<u32>(cells[0])), me: cast::fit::<u8>(cells[1]), locals }
    }
}

/// Pushes queued frames, given as cells one after another, and their number.
pub(crate) fn push_deferred(state: &mut State, deferred: &[i32]) {
    for cells in deferred.chunks_exact(WAITING).rev() {
        state.push_all(cells.iter().copied());
    }
    state.push(cast::fit::<i32>(deferred.len() / WAITING));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_wait_are_what_they_were() {
        let item = QueuedFrame { pc: Pc(70_000), me: 3, locals: [1, -1, 5, 0, i32::MAX] };
        assert_eq!(QueuedFrame::from_cells(&item.cells()), item);
    }
}
