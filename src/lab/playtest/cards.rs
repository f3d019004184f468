//! What single cards do: the same games with a card as it is and with that card blanked.
//!
//! A card that is bought goes along with much else; that it is there can be taken away. Both games of a pair have the same seed, and are
//! the same up to the answer at which the card first comes to matter. Whoever gives that answer is the seat that is looked at: it is settled
//! before anything differs, so that neither game is favoured by choosing it (docs/statistics.md).

mod replay;
mod report;
mod trace;

pub use replay::{Blanked, CardPairs, MakeHost, blanked_games};
pub use report::{Beside, CardEffect, CardEffects, Effect, Unfinished, card_effects};
pub use trace::Trace;

#[cfg(test)]
mod tests;
