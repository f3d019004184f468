//! Which pieces start in which deck, and the streams by which they are ordered there.

use crate::cast;
use crate::ruleset::Ruleset;
use crate::state::chance::{hash_text, join};
use crate::state::layout::BOX;
use std::collections::BTreeMap;

impl Ruleset {
    /// Fills the tables that are indexed by piece (twins, hashes and the like), then makes up the decks.
    pub fn finish_pieces(&mut self) {
        self.printed = self.definitions.iter().flat_map(|definition| definition.fields.iter().copied()).collect();
        let definition = |&number: &u32| &self.definitions[number as usize];
        self.piece_hash = self.piece_definition.iter().map(|number| self.names.hash(definition(number).id)).collect();
        self.piece_twins = self.piece_definition.iter().map(|number| definition(number).copies > 1).collect();
        self.piece_kind = self.piece_definition.iter().map(|number| cast::fit::<u8>(definition(number).kind)).collect();
        self.make_up_decks();
    }

    /// Lists the pieces that start in each deck, and the streams by which they are ordered there.
    pub fn make_up_decks(&mut self) {
        let stream = |(&home, &hash): (&u16, &u64)| if home as usize > BOX { join(self.deck_stream(home), hash) } else { 0 };
        self.piece_stream = self.piece_home.iter().zip(&self.piece_hash).map(stream).collect();
        let mut decks: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        // The spaces of boards do not lie in decks.
        let in_deck = |(index, home): &(usize, &u16)| **home as usize > BOX && self.board_of_piece(*index).is_none();
        for (index, &home) in self.piece_home.iter().enumerate().filter(in_deck) {
            decks.entry(home).or_default().push(cast::fit::<u16>(index));
        }
        self.decks = decks.into_iter().collect();
    }

    /// Returns the number of the random stream by which a deck is shuffled. It depends on the name and index of the deck only.
    pub fn deck_stream(&self, instance: u16) -> u64 {
        let declared = &self.places[self.layout.places[instance as usize].declared as usize];
        let number = instance - declared.first_instance + 1;
        join(hash_text(&declared.name), number as u64)
    }
}
