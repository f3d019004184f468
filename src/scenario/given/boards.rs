//! Pictures of boards in `given`: what each space has of a counter, a flag or a set, drawn row by row.

use super::{GivenWriter, stop_diagnostic};
use crate::cast;
use crate::engine::change;
use crate::engine::ruleset::{Variable, VariableSort};
use crate::problem::ScenarioProblem;
use crate::source::Span;
use crate::syntax::ast::scenario::GivenValue;
use crate::syntax::ast::{Expr, ExprKind, Name};
use crate::trial::{BoxedDiagnostic, source_text};

/// What a picture of a board is about.
pub(super) struct DrawnBoard {
    /// The index of the board.
    board: usize,
    /// What is drawn of each space.
    variable: Variable,
}

impl GivenWriter<'_, '_> {
    /// Returns the set on a card or space that is written to, as in `low_wall.marks = red`, and the card; `None` if it is something else.
    pub(super) fn find_set_on_card(&mut self, target: &Expr) -> Result<Option<(Variable, usize)>, BoxedDiagnostic> {
        let ExprKind::Name(name) = &*target.kind else { return Ok(None) };
        let Some((head, member)) = name.member() else { return Ok(None) };
        let is_set = |variable: &&Variable| variable.sort == VariableSort::Set && variable.name == member;
        let Some(set) = self.trial.rules.piece.iter().find(is_set).cloned() else { return Ok(None) };
        let card = Name { text: head.to_string(), span: name.span };
        let (node, _) = self.trial.compile(&Expr { kind: Box::new(ExprKind::Name(card)), span: name.span })?;
        match usize::try_from(self.trial.evaluate(node, 0)) {
            Ok(card) => Ok(Some((set, card))),
            Err(_) => Err(Box::new(ScenarioProblem::NoCardHere.at(name.span))),
        }
    }

    /// Fills a set on a card or space.
    pub(super) fn fill_set_on_card(&mut self, set: &Variable, card: usize, value: &GivenValue, span: Span) -> Result<(), BoxedDiagnostic> {
        let bits = self.bits_of_set(set, value)?;
        let (rules, offset) = (self.trial.rules.clone(), usize::from(set.offset));
        self.trial
            .game
            .on(&rules)
            .change(|store| change::write_piece(store, card, offset, bits))
            .map_err(|stop| stop_diagnostic(stop, span))?;
        self.record_set_cell(rules.layout.piece(card, offset), source_text(self.text, span), span);
        Ok(())
    }

    /// Returns the board that a picture is of: `lawn.owner`; `None` if it is of a grid.
    pub(super) fn board_in_picture(&self, at: &Name) -> Option<DrawnBoard> {
        let (name, member) = at.text.split_once('.')?;
        let rules = &self.trial.rules;
        let board = rules.boards.iter().position(|board| board.name == name)?;
        let fits = |variable: &&Variable| match variable.sort {
            VariableSort::Counter | VariableSort::Flag => variable.name == member,
            VariableSort::Resource | VariableSort::Set | VariableSort::Tally => false,
        };
        let kind = rules.boards[board].kind;
        let variable = rules.piece.iter().filter(|variable| variable.kinds >> kind & 1 == 1).find(fits)?.clone();
        Some(DrawnBoard { board, variable })
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
            let value = value_of_cell(&variable, &meant.text, |word| rules.names.text(word))
                .ok_or_else(|| Box::new(ScenarioProblem::CannotBe { name: at.text.clone(), value: meant.text.clone() }.at(meant.span)))?;
            if let Some(space) = board.piece_in_slot(slot).and_then(|piece| board.space(piece)) {
                values[space] = value;
            }
        }
        for (space, value) in (0..).zip(values) {
            let (piece, offset) = (cast::index(board.piece(space)), usize::from(variable.offset));
            self.trial
                .game
                .on(&rules)
                .change(|store| change::write_piece(store, piece, offset, value))
                .map_err(|stop| stop_diagnostic(stop, span))?;
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
