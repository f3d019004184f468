//! The layout of a state's cells: header, table, seats, pieces, places, and after them the stack of frames, which grows and shrinks.

/// Indices of the header cells, at the start of every state.
pub mod head {
    /// Lower half of the game's seed.
    pub const SEED_LOW: usize = 0;
    /// Upper half of the game's seed.
    pub const SEED_HIGH: usize = 1;
    /// Index of the part of the program that runs next.
    pub const PROGRAM: usize = 2;
    /// Number of answers given so far.
    pub const DECISIONS: usize = 3;
    /// Number of the round, from 1; 0 during set-up.
    pub const ROUND: usize = 4;
    /// Position, in the turn order, of the seat whose turn it is.
    pub const TURN_PLACE: usize = 5;
    /// Number of turns begun in this round.
    pub const TURN: usize = 6;
    /// Number of actions left in this turn; -1 between turns.
    pub const ACTIONS_LEFT: usize = 7;
    /// Number of answers given in this turn; its complement, below 0, once what is done after the turn has begun.
    pub const ANSWERS: usize = 8;
    /// 1 when the game has ended, else 0.
    pub const FINISHED: usize = 9;
    /// Index of the cell where the running frame begins.
    pub const FRAME: usize = 10;
    /// Number of frames that are queued.
    pub const WAITING: usize = 11;
    /// Number of passes begun through the phase that is repeated.
    pub const PASSES: usize = 12;
    /// 1 if the next turn is that of the first seat in the turn order, and not of the seat behind the one whose turn it is.
    pub const FROM_FIRST: usize = 13;
    /// Cell of the first seat in the turn order; the others follow.
    pub const ORDER: usize = 14;
    /// Maximum number of seats of a state.
    pub const MAX_SEATS: usize = 12;
    /// Number of header cells.
    pub const SIZE: usize = ORDER + MAX_SEATS;
}

/// The offsets of a piece's cells, from the first one on.
pub mod piece {
    /// Index of the place instance that contains the piece; see [`super::OUT`] and [`super::BOX`].
    pub const PLACE: usize = 0;
    /// Slot within the place, from 0.
    pub const POSITION: usize = 1;
    /// The seats that know which card the piece is, as a bit set.
    pub const KNOWN: usize = 2;
    /// First of the counters declared by the rules.
    pub const COUNTERS: usize = 3;
}

/// Index of the place instance of pieces that have left the game.
pub const OUT: usize = 0;
/// Index of the place instance of pieces that have not entered the game yet.
pub const BOX: usize = 1;
/// Owner number of cells and places that belong to no seat.
pub const TABLE: u8 = 255;
/// Marks the cells of pieces in [`Layout::owner_of`]: their owner is the owner of the piece's place.
pub const PIECE: u8 = 254;

/// An instance of a declared place: one of the table or of a seat.
#[derive(Clone, Debug)]
pub struct PlaceInstance {
    /// The index of the place's declaration in the ruleset.
    pub declared: u16,
    /// The seat that owns the place, or [`TABLE`] if it belongs to no seat.
    pub owner: u8,
    /// Index of the cell with the number of pieces; the slots follow, each 0 or piece index + 1.
    pub base: u32,
    /// The number of slots of the place.
    pub room: u16,
}

/// The layout of a state: where its cells lie, and to whom they belong.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Number of cells without the stack.
    pub len: usize,
    /// Number of seats.
    pub seats: usize,
    /// Index of the first cell of the first seat.
    pub seat_base: usize,
    /// Number of cells of a seat.
    pub seat_size: usize,
    /// Index of the first cell of the first piece.
    pub piece_base: usize,
    /// Number of cells of a piece.
    pub piece_size: usize,
    /// Number of pieces.
    pub pieces: usize,
    /// Place instances; the first two, [`OUT`] and [`BOX`], have no slots.
    pub places: Vec<PlaceInstance>,
    /// For each cell, its class: the unit in which caches track changes.
    pub class_of: Vec<u32>,
    /// For each cell the seat that owns it, [`TABLE`] or [`PIECE`].
    pub owner_of: Vec<u8>,
}

impl Layout {
    /// Returns the index of cell `offset` of a seat.
    #[inline(always)]
    pub fn seat(&self, seat: usize, offset: usize) -> usize {
        self.seat_base + seat * self.seat_size + offset
    }

    /// Returns the index of cell `offset` of a piece.
    #[inline(always)]
    pub fn piece(&self, piece: usize, offset: usize) -> usize {
        self.piece_base + piece * self.piece_size + offset
    }
}
