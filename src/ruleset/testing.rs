#![allow(clippy::cast_possible_truncation, reason = "small numbers")]
//! A small table for tests: two seats with three cells and a den each, a pile, and four pieces of three cards.

use crate::definition::Definition;
use crate::graph::{Expr, ExprId};
use crate::node::NodeId;
use crate::ruleset::{PlaceDecl, Quantity, Ruleset, Shape};
use crate::state::layout::{Layout, PlaceInstance, TABLE, head, piece};

/// Place instances: the dens of both seats, and the pile.
pub const DENS: usize = 2;
pub const PILE: usize = 4;

/// Returns the declaration of a place with this name, shape and first instance, and no further properties.
pub fn place(name: &str, of_seat: bool, shape: Shape, first: u16) -> PlaceDecl {
    let (name, instances) = (name.to_string(), if of_seat { 2 } else { 1 });
    PlaceDecl { name, of_seat, shape, first_instance: first, instances, kinds: 0b111, in_play: of_seat, ..PlaceDecl::default() }
}

/// Returns a quantity with a base value, and neither bounds nor changes.
pub fn quantity(name: &str, base: NodeId, args: u8) -> Quantity {
    Quantity { name: name.to_string(), base, args, stat: true, ..Quantity::default() }
}

/// Builds the test ruleset. `make` completes it; it gets the ruleset and a function that creates expressions. Then it is noted which
/// quantities cards change.
pub fn rules(make: impl FnOnce(&mut Ruleset, fn(&mut Ruleset, Expr) -> ExprId)) -> Ruleset {
    let mut rules = Ruleset { players: 2, width: 1, ..Ruleset::default() };
    let mut layout =
        Layout { seats: 2, seat_base: head::SIZE + 1, seat_size: 8, piece_size: piece::COUNTERS + 1, pieces: 4, ..Layout::default() };
    layout.piece_base = layout.seat(2, 0);
    let mut base = layout.piece(4, 0);
    for (declared, owner, room) in [(0, TABLE, 0), (0, TABLE, 0), (0, 0, 3), (0, 1, 3), (1, TABLE, 4)] {
        layout.places.push(PlaceInstance { declared, owner, base: base as u32, room });
        base += room as usize + 1;
    }
    layout.len = base + 4;
    rules.layout = layout;
    rules.places = vec![place("den", true, Shape::Slots, DENS as u16), place("pile", false, Shape::Deck, PILE as u16)];
    rules.places_in_play = 0b1;
    rules.printed = vec![3, 1, 4];
    rules.piece_definition = vec![0, 1, 1, 2];
    rules.piece_kind = vec![0, 1, 1, 2];
    rules.piece_home = vec![PILE as u16; 4];
    rules.piece_copy = vec![0, 0, 1, 0];
    rules.piece_hash = vec![11, 12, 13, 14];
    rules.definitions = vec![Definition { copies: 1, ..Definition::default() }; 3];
    make(&mut rules, Ruleset::make);
    for change in rules.definitions.iter().flat_map(|definition| &definition.changes) {
        rules.quantities[change.quantity as usize].changed = true;
    }
    rules.make_up_decks();
    rules.prepare();
    rules.ops.end_program();
    rules
}
