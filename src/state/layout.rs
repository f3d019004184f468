//! Where everything lies in the cells: header, table, seats, pieces, places, and behind them the stack of frames, which grows and shrinks.

/// Cells of the header, at the start of every state.
pub mod head {
    /// Lower half of the game's seed.
    pub const SEED_LOW: usize = 0;
    /// Upper half of the game's seed.
    pub const SEED_HIGH: usize = 1;
    /// Which part of the program comes next.
    pub const PROGRAM: usize = 2;
    /// Answers given so far.
    pub const DECISIONS: usize = 3;
    /// The round, from 1; 0 during set-up.
    pub const ROUND: usize = 4;
    /// Place in the order of the seat whose turn it is.
    pub const TURN_PLACE: usize = 5;
    /// Turns begun in this round.
    pub const TURN: usize = 6;
    /// Actions that the turn still has; -1 between turns.
    pub const ACTIONS_LEFT: usize = 7;
    /// Answers given in this turn.
    pub const ANSWERS: usize = 8;
    /// 1 when the game has ended.
    pub const FINISHED: usize = 9;
    /// The cell where the running frame begins.
    pub const FRAME: usize = 10;
    /// How many frames wait to run.
    pub const WAITING: usize = 11;
    /// Cell of the first seat in the order; the others follow.
    pub const ORDER: usize = 12;
    /// Most seats that a state has room for.
    pub const MOST_SEATS: usize = 8;
    /// How many cells the header has.
    pub const SIZE: usize = ORDER + MOST_SEATS;
}

/// Cells of a piece, from its base.
pub mod piece {
    /// Index of the place instance it lies in; see [`super::OUT`] and [`super::BOX`].
    pub const PLACE: usize = 0;
    /// Slot within the place, from 0.
    pub const POSITION: usize = 1;
    /// Bit set of the seats that know which card it is.
    pub const KNOWN: usize = 2;
    /// First of the counters that the rules declare.
    pub const COUNTERS: usize = 3;
}

/// The place of pieces that are out of the game.
pub const OUT: usize = 0;
/// The place of pieces that are not in the game yet.
pub const BOX: usize = 1;
/// Owner of cells and places that belong to nobody.
pub const TABLE: u8 = 255;
/// Marks cells of pieces in [`Layout::owner_of`]: their owner is that of the place.
pub const PIECE: u8 = 254;

/// One place on the table or of one seat.
#[derive(Clone, Debug)]
pub struct PlaceAt {
    /// The declaration it comes from.
    pub declared: u16,
    /// Seat that owns it, or [`TABLE`].
    pub owner: u8,
    /// Cell with the number of pieces; the slots follow, each 0 or piece + 1.
    pub base: u32,
    /// How many slots.
    pub room: u16,
}

/// Where everything lies.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Number of cells without the stack.
    pub len: usize,
    /// Number of seats.
    pub seats: usize,
    /// First cell of the first seat.
    pub seat_base: usize,
    /// Cells of a seat.
    pub seat_size: usize,
    /// First cell of the first piece.
    pub piece_base: usize,
    /// Cells of a piece.
    pub piece_size: usize,
    /// Number of pieces.
    pub pieces: usize,
    /// Place instances; the first two, [`OUT`] and [`BOX`], have no slots.
    pub places: Vec<PlaceAt>,
    /// For each cell, the class by which caches ask whether it has changed.
    pub class_of: Vec<u32>,
    /// For each cell its seat, [`TABLE`] or [`PIECE`].
    pub owner_of: Vec<u8>,
}

impl Layout {
    /// Cell `offset` of a seat.
    #[inline(always)]
    pub fn seat(&self, seat: usize, offset: usize) -> usize {
        self.seat_base + seat * self.seat_size + offset
    }

    /// Cell `offset` of a piece.
    #[inline(always)]
    pub fn piece(&self, piece: usize, offset: usize) -> usize {
        self.piece_base + piece * self.piece_size + offset
    }
}
