//! The environment of an expression: the current seat and local variables.

use crate::cast;
use crate::decision::Args;
use crate::ruleset::Param;

pub use houserule_ruleset::op::LOCALS;

/// The most quantities that may be evaluated within each other; more are taken for one that depends on itself.
pub(crate) const MAX_NESTING: u32 = 64;

/// The environment of an expression.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// The current seat, for which the expression is evaluated.
    pub me: usize,
    /// Loop variables and parameters. During a card's effect, local 0 is that card and local 1 is the card of the moment. -1 is no card.
    pub locals: [i32; LOCALS],
}

impl Env {
    /// Creates an environment with a seat and no locals.
    pub fn for_seat(me: usize) -> Env {
        Env { me, locals: [-1; LOCALS] }
    }

    /// Creates an environment with a seat and the first locals.
    pub fn with_locals(me: usize, locals: &[i32]) -> Env {
        let mut env = Env::for_seat(me);
        for (to, from) in env.locals.iter_mut().zip(locals) {
            *to = *from;
        }
        env
    }

    /// Sets the parameters of a choice to what is chosen.
    pub(crate) fn set_args(&mut self, params: &[Param], args: Args) {
        for (param, arg) in params.iter().zip(args) {
            self.locals[param.local as usize] = arg;
        }
    }
}

/// Which cells an expression reads during a simultaneous block. Outside of such a block it is always [`ReadView::Current`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum ReadView {
    /// All reads are from the current cells.
    #[default]
    Current,
    /// The current cells of this seat, and the snapshot of everything else from the start of the block.
    OwnCurrent(u8),
    /// The snapshot from the start of the block. Ranks compare seats in this view.
    Snapshot,
}

impl ReadView {
    /// Returns the view as a number to store in a frame. [`ReadView::Snapshot`] is never stored.
    pub fn code(self) -> i32 {
        match self {
            ReadView::Current | ReadView::Snapshot => 0,
            ReadView::OwnCurrent(seat) => seat as i32 + 1,
        }
    }

    /// Returns the view for a number stored in a frame.
    pub fn from_code(code: i32) -> ReadView {
        if code <= 0 { ReadView::Current } else { ReadView::OwnCurrent(cast::fit::<u8>(code) - 1) }
    }

    /// Returns the view in which ranks are evaluated.
    pub fn for_ranks(self) -> ReadView {
        match self {
            ReadView::OwnCurrent(_) => ReadView::Snapshot,
            ReadView::Current | ReadView::Snapshot => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_kept_in_a_cell() {
        for view in [ReadView::Current, ReadView::OwnCurrent(0), ReadView::OwnCurrent(7)] {
            assert_eq!(ReadView::from_code(view.code()), view);
        }
    }
}
