//! Pictures of boards in `given`: what each space has of a counter, a flag or a set, drawn row by row.

use super::{GivenWriter, stop_diagnostic};
use crate::cast;
use crate::engine::change;
use crate::engine::ruleset::{Variable, VariableSort};
use crate::problem::ScenarioProblem;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::trial::BoxedDiagnostic;

/// What a picture of a board is about.
pub(super) struct DrawnBoard {
    /// The index of the board.
    board: usize,
    /// What is drawn of each space.
    variable: Variable,
}

impl GivenWriter<'_, '_> {
    /// Returns the board that a picture is of: `lawn.owner`; `None` if it is of a grid.
    pub(super) fn board_in_picture(&self, at: &Name) -> Option<DrawnBoard> {
        let (name, member) = at.text.split_once('.')?;
        let rules = &self.trial.rules;
        let board = rules.boards.iter().position(|board| board.name == name)?;
        let fits = |variable: &&Variable| match variable.sort {
            VariableSort::Counter | VariableSort::Flag => variable.name == member,
            VariableSort::Resource | VariableSort::Set | VariableSort::Tally => false,
        };
        Some(DrawnBoard { board, variable: rules.piece.iter().find(fits)?.clone() })
    }

    /// Executes a picture of a board: writes the drawn value on each space; `.` stands for none.
    pub(super) fn draw_board(&mut self, drawn: DrawnBoard, at: &Name, rows: &[Vec<Name>], span: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let DrawnBoard { board, variable } = drawn;
        let board = &rules.boards[board];
        let cells = self.cells_of_picture(board.place.into(), at, rows, span)?;
        let mut values = vec![0; board.count()];
        for (slot, cell) in cells {
            let meant = self.meaning_of_cell(cell);
            let value = value_of_cell(&variable, &meant.text, |word| rules.names.text(word)).ok_or_else(|| {
                Box::new(ScenarioProblem::CannotBe { name: at.text.clone(), value: meant.text.clone() }.at(meant.span))
            })?;
            if let Some(space) = board.piece_in_slot(slot).and_then(|piece| board.space(piece)) {
                values[space] = value;
            }
        }
        for (space, value) in (0..).zip(values) {
            let (piece, offset) = (cast::index(board.piece(space)), usize::from(variable.offset));
            change::write_piece(&mut self.trial.game.on(&rules), piece, offset, value).map_err(|stop| stop_diagnostic(stop, span))?;
        }
        Ok(())
    }
}

/// Returns the value that a cell stands for: a number, `yes`, or one of the words; `None` if it stands for none.
fn value_of_cell<'w>(variable: &Variable, cell: &str, text: impl Fn(u32) -> &'w str) -> Option<i64> {
    if !variable.words.is_empty() {
        return variable.words.iter().position(|word| text(*word) == cell).map(cast::count);
    }
    match (variable.sort, cell) {
        (VariableSort::Flag, "yes") => Some(1),
        (VariableSort::Flag, "no") => Some(0),
        (VariableSort::Flag, _) => None,
        (_, number) => number.parse().ok().filter(|number| (0..=i64::from(i32::MAX)).contains(number)),
    }
}
