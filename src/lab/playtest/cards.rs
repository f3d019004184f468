//! Causal effects of single cards: the same games with a card as it is and with the card blanked (without its effects).
//!
//! That good players take a card proves little; blanking isolates its effect. Both games of a pair have the same seed and are equal up to
//! the answer at which the card first matters. The measured seat is the one that gives this answer: it is determined before the games
//! differ, so that neither game is favoured by the choice (docs/statistics.md).

mod beside;
mod blank;
mod guide;
mod replay;
mod report;
mod trace;

pub use beside::{BesideOthers, InitialCardEffect, InitialCardSums, InitialCards};
pub(super) use beside::{initial_card_table, shorten_name};
pub use blank::{blank_card, can_be_blanked, compile_blanked};
pub(super) use guide::Guide;
pub use replay::{BlankedCardResults, BlankedGames, BlankingPlan, MakeBlankedScripts, blanked_games};
pub use report::{CardEffect, CardEffects, MeasuredEffect, UnfinishedRun, card_effects};
pub use trace::GameTrace;

#[cfg(test)]
mod tests;
