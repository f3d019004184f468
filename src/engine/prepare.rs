//! What the engine works out from a ruleset before the first game: classes of cells, what ends when, and the code of expressions.

use super::code::Code;
use super::ruleset::{Lifetime, Ruleset};
use crate::state::layout::{PIECE, TABLE, head};

/// Cells of the header on which expressions can depend, each with its class; all others are of class 0.
const HEADER: [(usize, u16); 2] = [(head::ROUND, 1), (head::TURN, 2)];
const ORDER: u16 = 3;
const TABLE_VARIABLES: u16 = 4;

impl Ruleset {
    /// To be called once the ruleset is complete.
    pub fn prepare(&mut self) {
        for quantity in 0..self.quantities.len() {
            let changes = self.definitions.iter().filter(|definition| definition.copies > 0).flat_map(|definition| &definition.changes);
            self.quantities[quantity].changed = changes.into_iter().any(|change| change.quantity as usize == quantity);
        }
        let classes = self.classify();
        self.code = Code::new(self, classes).into();
    }

    /// Gives each cell its class (cells of a class change together as far as caches are concerned) and its owner, and lists what
    /// ends with each lifetime; gives back how many classes there are.
    fn classify(&mut self) -> usize {
        let layout = &mut self.layout;
        let table = (layout.seat_base - head::SIZE) as u16;
        let seat = TABLE_VARIABLES + table;
        let piece = seat + layout.seat_size as u16;
        let place = piece + layout.piece_size as u16;
        let count = place as usize + self.places.len();
        layout.class_of = vec![0; layout.len];
        layout.owner_of = vec![TABLE; layout.len];
        for (cell, class) in HEADER {
            layout.class_of[cell] = class;
        }
        layout.class_of[head::ORDER..head::SIZE].fill(ORDER);
        for (cell, class) in (head::SIZE..layout.seat_base).zip(TABLE_VARIABLES..) {
            layout.class_of[cell] = class;
        }
        for owner in 0..layout.seats {
            for (offset, class) in (0..layout.seat_size).zip(seat..) {
                let cell = layout.seat(owner, offset);
                (layout.class_of[cell], layout.owner_of[cell]) = (class, owner as u8);
            }
        }
        for index in 0..layout.pieces {
            for (offset, class) in (0..layout.piece_size).zip(piece..) {
                let cell = layout.piece(index, offset);
                (layout.class_of[cell], layout.owner_of[cell]) = (class, PIECE);
            }
        }
        for at in layout.places.iter().filter(|at| at.room > 0) {
            let cells = at.base as usize..=at.base as usize + at.room as usize;
            layout.class_of[cells.clone()].fill(place + at.declared);
            layout.owner_of[cells].fill(at.owner);
        }
        for pool in &self.pools {
            // How many tokens of each class there are changes together.
            for owner in 0..if pool.of_seat { layout.seats } else { 1 } {
                let first = if pool.of_seat { layout.seat(owner, pool.offset as usize) } else { pool.offset as usize };
                let class = layout.class_of[first];
                layout.class_of[first..first + self.classes.len()].fill(class);
            }
        }
        self.lasts = vec![0; count];
        self.clears = Default::default();
        let scopes = [(TABLE_VARIABLES, head::SIZE as u16, &self.table), (seat, 0, &self.seat), (piece, 0, &self.piece)];
        for (scope, (first, start, variables)) in scopes.into_iter().enumerate() {
            for variable in variables.iter().filter(|variable| variable.lifetime != Lifetime::Game) {
                self.clears[variable.lifetime as usize][scope].push((variable.offset, variable.len));
                for offset in variable.offset..variable.offset + variable.len {
                    self.lasts[(first + offset - start) as usize] = 1 << variable.lifetime as u8;
                }
            }
        }
        self.differences = self.quantities.iter().filter_map(|quantity| quantity.differences).collect();
        for &offset in &self.differences {
            for lifetime in Lifetime::ALL.into_iter().filter(|&lifetime| lifetime != Lifetime::Game) {
                self.lasts[(seat + offset) as usize + lifetime as usize] = 1 << lifetime as u8;
            }
        }
        count
    }
}
