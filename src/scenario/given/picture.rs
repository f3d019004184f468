//! Pictures of grids and maps in `given`: rows of cards, or of signs that a legend explains.

use super::GivenWriter;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::Shape;
use crate::problem::ScenarioProblem;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::syntax::ast::scenario::LegendSign;
use crate::trial::BoxedDiagnostic;

/// A space without a card.
const NOTHING: &str = ".";

/// A sign that stands for a card in pictures.
pub(super) struct Sign {
    sign: Name,
    card: String,
    used: bool,
}

impl GivenWriter<'_, '_> {
    /// Executes `legend SIGN = CARD, …`.
    pub(super) fn read_legend(&mut self, signs: &[LegendSign]) -> Result<(), BoxedDiagnostic> {
        for LegendSign { sign, card } in signs {
            if let Some(first) = self.legend.iter().find(|known| known.sign.text == sign.text) {
                let first = first.sign.span;
                return Err(Box::new(ScenarioProblem::SignTwice { sign: sign.text.clone(), first }.at(sign.span)));
            }
            // On boards a sign may stand for a player, a number or a word.
            if self.trial.rules.boards.is_empty() {
                self.trial.find_definition(card)?;
            }
            self.legend.push(Sign { sign: sign.clone(), card: card.text.clone(), used: false });
        }
        Ok(())
    }

    /// Reports signs that no picture has.
    pub(super) fn unused_signs(&self) -> Vec<Diagnostic> {
        let unused = self.legend.iter().filter(|sign| !sign.used);
        unused.map(|Sign { sign, .. }| ScenarioProblem::SignUnused { sign: sign.text.clone() }.at(sign.span)).collect()
    }

    /// Executes a picture: takes all cards out of the grid, and puts those in that are drawn.
    pub(super) fn lay_picture(&mut self, at: &Name, rows: &[Vec<Name>], span: Span) -> Result<(), BoxedDiagnostic> {
        if let Some(board) = self.board_in_picture(at) {
            return self.draw_board(board, at, rows, span);
        }
        let (instance, place) = self.find_place(at)?;
        let drawn = self.cells_of_picture(place, at, rows, span)?;
        let drawn: Vec<(usize, Name)> =
            drawn.into_iter().map(|(slot, cell)| Ok((slot, self.card_of_cell(cell)?))).collect::<Result<_, BoxedDiagnostic>>()?;
        self.take_all_out(instance, false, at.span)?;
        drawn.iter().try_for_each(|(slot, card)| self.place_card(card, instance, place, Some(*slot)).map(|_| ()))
    }

    /// Returns the cells of a picture of a grid or board that are not empty, each with its slot.
    pub(super) fn cells_of_picture(
        &self,
        place: usize,
        at: &Name,
        rows: &[Vec<Name>],
        span: Span,
    ) -> Result<Vec<(usize, Name)>, BoxedDiagnostic> {
        let rules = &self.trial.rules;
        let name = || at.text.clone();
        let Shape::Grid { rows: height, columns, .. } = rules.places[place].shape else {
            return Err(Box::new(ScenarioProblem::NoMap { place: name() }.at(at.span)));
        };
        if rows.len() != usize::from(height) {
            return Err(Box::new(ScenarioProblem::Rows { place: name(), rows: height.into(), drawn: rows.len() }.at(span)));
        }
        let mut drawn: Vec<(usize, Name)> = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let first = index * usize::from(columns);
            let spaces: Vec<usize> = (first..first + usize::from(columns)).filter(|slot| rules.places[place].is_space(*slot)).collect();
            let cells = self.cells_of_row(row, spaces.len());
            if cells.len() != spaces.len() {
                let place = row.first().zip(row.last()).map_or(span, |(first, last)| first.span.to(last.span));
                let wrong = ScenarioProblem::Spaces { place: name(), row: index + 1, spaces: spaces.len(), drawn: cells.len() };
                return Err(Box::new(wrong.at(place)));
            }
            drawn.extend(spaces.into_iter().zip(cells).filter(|(_, cell)| cell.text != NOTHING));
        }
        Ok(drawn)
    }

    /// Returns what a sign of the legend stands for, or the cell itself.
    pub(super) fn meaning_of_cell(&mut self, cell: Name) -> Name {
        match self.legend.iter_mut().find(|sign| sign.sign.text == cell.text) {
            Some(sign) => {
                sign.used = true;
                Name { text: sign.card.clone(), ..cell }
            }
            None => cell,
        }
    }

    /// Returns the cells of a row. A row without blanks that is no card is taken apart into single signs and digits.
    fn cells_of_row(&self, row: &[Name], spaces: usize) -> Vec<Name> {
        let [alone] = row else { return row.to_vec() };
        let is_sign =
            |letter: char| letter == '.' || letter.is_ascii_digit() || self.legend.iter().any(|sign| sign.sign.text.chars().eq([letter]));
        if alone.text.chars().count() != spaces || !alone.text.chars().all(is_sign) {
            return row.to_vec();
        }
        let cell = |(at, letter): (usize, char)| {
            let start = alone.span.start + cast::fit::<u32>(at);
            Name { text: letter.to_string(), span: Span { start, end: start + cast::fit::<u32>(letter.len_utf8()), ..alone.span } }
        };
        alone.text.char_indices().map(cell).collect()
    }

    /// Returns the card that a cell stands for, named at the place of the cell.
    fn card_of_cell(&mut self, cell: Name) -> Result<Name, BoxedDiagnostic> {
        if let Some(sign) = self.legend.iter_mut().find(|sign| sign.sign.text == cell.text) {
            sign.used = true;
            return Ok(Name { text: sign.card.clone(), ..cell });
        }
        let rules = &self.trial.rules;
        if rules.find_definition(&cell.text).is_some() {
            return Ok(cell);
        }
        let signs = self.legend.iter().map(|sign| sign.sign.text.as_str());
        let known = signs.chain(rules.definitions.iter().map(|definition| rules.names.text(definition.id)));
        let near = nearest(&cell.text, known).map(String::from);
        Err(Box::new(ScenarioProblem::NoSign { sign: cell.text.clone(), near }.at(cell.span)))
    }
}
