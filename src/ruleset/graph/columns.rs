//! Columns: numbers that depend only on the card, one for each piece, computed when a ruleset is compiled.

use crate::cast;
use std::collections::HashMap;

/// The id of a column: the index of its first number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnId(pub u32);

/// All columns. A column has a number for no card, and then one for each piece. Equal columns are shared.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The numbers of all columns, concatenated; all columns have the same length.
    all: Vec<i64>,
    len: usize,
    known: HashMap<Box<[i64]>, ColumnId>,
    /// The columns whose numbers are one element of a printed row: for each the row's field and length, and the element's index.
    in_row: HashMap<ColumnId, (u16, u16, u16)>,
}

impl Columns {
    /// Interns a column.
    pub fn add(&mut self, numbers: Box<[i64]>) -> ColumnId {
        if let Some(&known) = self.known.get(&numbers) {
            return known;
        }
        let id = ColumnId(cast::fit::<u32>(self.all.len()));
        self.all.extend_from_slice(&numbers);
        self.len = numbers.len();
        self.known.insert(numbers, id);
        id
    }

    /// Records that a column is an element of a printed row: the row's field and length, and the element's index.
    pub fn note_row(&mut self, id: ColumnId, row: (u16, u16, u16)) {
        self.in_row.entry(id).or_insert(row);
    }

    /// Returns the printed row of which a column is an element, if it is: the row's field and length, and the element's index.
    pub fn row(&self, id: ColumnId) -> Option<(u16, u16, u16)> {
        self.in_row.get(&id).copied()
    }

    /// Returns the number of a column for a card; a negative index stands for no card.
    #[inline(always)]
    pub fn get(&self, id: ColumnId, card: i64) -> i64 {
        self.all[cast::index(id.0 as i64 + card + 1)]
    }

    /// Returns the id of the next column.
    pub fn end(&self) -> usize {
        self.all.len()
    }

    /// Removes the columns from this id on.
    pub fn truncate(&mut self, end: usize) {
        for column in self.all[end.min(self.all.len())..].chunks(self.len.max(1)) {
            self.known.remove(column);
        }
        self.all.truncate(end);
        self.in_row.retain(|id, _| (id.0 as usize) < end);
    }

    /// Returns all numbers of a column.
    pub fn numbers(&self, id: ColumnId) -> &[i64] {
        &self.all[id.0 as usize..id.0 as usize + self.len]
    }
}
