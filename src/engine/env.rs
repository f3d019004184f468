//! What an expression can name.

use crate::cast;
use houserule_ruleset::program::MOST_PARAMS;

pub use houserule_ruleset::op::LOCALS;

/// What an expression can name: the seat spoken of, and locals.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// The seat spoken of.
    pub me: usize,
    /// Loop variables, parameters, the card that speaks (0), the moment's card (1).
    pub locals: [i32; LOCALS],
}

impl Env {
    /// Nothing but a seat.
    pub fn of(me: usize) -> Env {
        Env { me, locals: [-1; LOCALS] }
    }

    /// A seat and the first locals.
    pub fn with(me: usize, locals: &[i32]) -> Env {
        let mut env = Env::of(me);
        for (to, from) in env.locals.iter_mut().zip(locals) {
            *to = *from;
        }
        env
    }

    /// Takes the candidates of an action as its parameters.
    pub(crate) fn set_args(&mut self, args: [i16; MOST_PARAMS]) {
        for (local, arg) in self.locals[1..].iter_mut().zip(args) {
            *local = arg as i32;
        }
    }
}

/// Which cells an expression reads while a block is under way in which all act at once; otherwise there is only [`ReadView::Current`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReadView {
    /// All cells as they are.
    #[default]
    Current,
    /// What this seat owns as it is, everything else as it was when the block began.
    OwnCurrent(u8),
    /// Everything as it was when the block began: ranks compare seats so.
    Snapshot,
}

impl ReadView {
    /// As a frame keeps it; [`ReadView::Snapshot`] lasts for one expression only.
    pub fn code(self) -> i32 {
        match self {
            ReadView::Current | ReadView::Snapshot => 0,
            ReadView::OwnCurrent(seat) => seat as i32 + 1,
        }
    }

    /// From what a frame keeps.
    pub fn from_code(code: i32) -> ReadView {
        if code <= 0 { ReadView::Current } else { ReadView::OwnCurrent(cast::fit::<u8>(code) - 1) }
    }

    /// How ranks see what this sees.
    pub fn of_ranks(self) -> ReadView {
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
