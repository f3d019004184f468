//! Where the memory of a module holds what. All addresses and sizes are in bytes.

use crate::cast;
use houserule_ruleset::Ruleset;

/// The address that says where a listing puts its next option: 32 bits.
pub(crate) const NEXT_OPTION_AT: u32 = 32;
/// The address of the number that a function has given, 64 bits, if it was called by `run_into`.
pub const RESULT_AT: u32 = 40;
/// The address of the locals of the expression that is evaluated: 32 bits each.
pub const LOCALS_AT: u32 = 64;
/// The address of the set of spaces that a function of the host reads.
pub const SET_IN_AT: u32 = 128;
/// The address of the set of spaces that a function of the host, or an expression for a set, leaves behind.
pub const SET_OUT_AT: u32 = 256;
/// The address of the numbers by which spaces are joined: 64 bits for each space.
pub const NUMBERS_AT: u32 = 384;
/// The address of the options that a listing leaves behind, [`OPTION_SIZE`] each.
pub const OPTIONS_AT: u32 = 8192;
/// The size of an option in bytes: the index of its choice and the values of its parameters, 32 bits each.
pub const OPTION_SIZE: u32 = 16;
/// How many options a listing has room for: more than can be asked for.
pub(crate) const MAX_LISTED: u32 = 1100;
/// The address of the constants: columns, tables and masks.
pub const DATA_AT: u32 = OPTIONS_AT + (MAX_LISTED * OPTION_SIZE).next_multiple_of(64);
/// The size of the record of a change that is in effect: its card, counted from 1, the owner, the index of its function, and whom it concerns.
pub const RECORD_SIZE: u32 = 16;

/// Where the memory of a module lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryHome {
    /// It is a memory of its own, which the module exports.
    OfItsOwn,
    /// It is a part of the memory that the module imports as `host.memory`, from this address on. All other addresses count from there.
    Within(u32),
}

/// Where a slot holds what: offsets from the address of the slot. The cells of the state come first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryLayout {
    /// The address of the first slot.
    pub first_slot: u32,
    /// The distance between two slots.
    pub slot_size: u32,
    /// The number of slots.
    pub slots: u32,
    /// The number of seats.
    pub seats: u32,
    /// The size of the cells.
    pub cells: u32,
    /// The address of the slot on whose cells ranks are evaluated: 32 bits.
    pub ranks: u32,
    /// For each quantity the number of changes that are in effect, and the address of the first within the slot: twice 32 bits.
    pub changes: u32,
    /// The records of changes.
    pub records: u32,
    /// How many records there is room for.
    pub most_records: u32,
    /// The first of the words that say which values of the first seat are valid, 64 bits each.
    pub valid: u32,
    /// The number of these words of each seat.
    pub valid_words: u32,
    /// The first number of the first seat's values, 64 bits each.
    pub values: u32,
    /// The distance between the values of two seats, and between their words of valid values.
    pub seat_size: u32,
}

impl MemoryLayout {
    /// Lays out the slots for a ruleset behind constants that end at an address.
    pub(crate) fn new(rules: &Ruleset, end_of_data: u32, slots: u32) -> MemoryLayout {
        let size = |count: usize, each: usize| cast::fit::<u32>(count * each);
        let cells = size(rules.layout.len, 4);
        let ranks = cells.next_multiple_of(8);
        let changes = ranks + 8;
        let records = changes + size(rules.quantities.len(), 8);
        let changes_of = |&definition: &u32| rules.definitions[definition as usize].changes.len();
        let most_records = size(rules.piece_definition.iter().map(changes_of).sum(), 1);
        let valid = (records + most_records * RECORD_SIZE).next_multiple_of(8);
        let valid_words = size(rules.code.dependencies.word_count, 1);
        let values = valid + valid_words * 8;
        let seat_size = valid_words * 8 + size(rules.code.slots, 8);
        let seats = size(rules.players, 1);
        let slot_size = (valid + seat_size * seats).next_multiple_of(64);
        let first_slot = end_of_data.next_multiple_of(64);
        MemoryLayout {
            first_slot,
            slot_size,
            slots,
            seats,
            cells,
            ranks,
            changes,
            records,
            most_records,
            valid,
            valid_words,
            values,
            seat_size,
        }
    }

    /// Returns the address of a slot.
    pub fn slot(&self, index: u32) -> u32 {
        self.first_slot + index * self.slot_size
    }

    /// Returns which word of a slot, of 64 bits each, holds valid bits of a seat.
    #[inline]
    pub fn valid_word(&self, seat: u32, word: u32) -> usize {
        ((self.valid + seat * self.seat_size) / 8 + word) as usize
    }

    /// Returns the size of the memory.
    pub(crate) fn size(&self) -> u32 {
        self.slot(self.slots)
    }
}
