//! Replays what is known of a game with a blanked card: as long as it stands as the original game did and nobody can see the card, players
//! answer as they did there, and need not think.

use super::GameTrace;
use crate::engine::ruleset::Shape;
use crate::engine::{Game, Ruleset};
use crate::state::layout::BOX;

/// The answers of an original game, for a game with a blanked card.
pub(crate) struct Guide {
    original: GameTrace,
    /// Number of questions that have been put.
    asked: usize,
    /// The pieces of the card, each with its deck if it begins in one.
    pieces: Vec<(usize, Option<usize>)>,
}

impl Guide {
    /// Creates the guide to a game without the effects of a card.
    pub fn new(original: &GameTrace, rules: &Ruleset, definition: u32) -> Guide {
        let is_deck = |home: usize| home > BOX && rules.places[usize::from(rules.layout.places[home].declared)].shape == Shape::Deck;
        let of_card = (0..rules.piece_definition.len()).filter(|piece| rules.piece_definition[*piece] == definition);
        let deck = |piece: usize| Some(usize::from(rules.piece_home[piece])).filter(|home| is_deck(*home));
        Guide { original: original.clone(), asked: 0, pieces: of_card.map(|piece| (piece, deck(piece))).collect() }
    }

    /// Returns the answer to the next question; `None` if the player has to think.
    pub fn next_answer(&mut self, rules: &Ruleset, game: &Game) -> Option<usize> {
        let at = self.asked;
        self.asked += 1;
        let decision = game.decision()?;
        let (answer, state) = self.original.answer_in_state(at)?;
        let place = |piece: usize| game.position(rules).place_of(piece).0;
        let is_away = self.pieces.iter().all(|(piece, home)| place(*piece) <= BOX || *home == Some(place(*piece)));
        if !is_away || state != game.hash() {
            return None;
        }
        (0..decision.options.len()).find(|option| GameTrace::hash_answer(rules, decision, *option) == Some(answer))
    }
}
