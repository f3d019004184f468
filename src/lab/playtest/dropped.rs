//! Games dropped because of a fault, with equal faults grouped, so that the result does not depend on the order or the grouping of games.

use serde::{Deserialize, Serialize};

use crate::engine::Fault;
use crate::source::FileId;

/// A game dropped because of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DroppedGame {
    /// Number of the game in the run, from 0.
    pub game: u64,
    /// Seed of the game.
    pub seed: u64,
    /// Number of the question, from 1, whose answer caused the fault; 0 before the first question.
    pub decision: u64,
    /// Number of the round.
    pub round: i32,
    /// The fault that ended the game.
    pub fault: Fault,
    /// Whether an agent did not answer, which stops the run: the game says nothing about the rules and can be played again.
    pub unanswered: bool,
}

/// A group of games with equal faults: identical faults, or faults at the same place with different numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultGroup {
    /// The first game with the fault.
    pub first: DroppedGame,
    /// Number of games with the fault.
    pub games: u64,
}

/// Maximum number of distinct faults. Beyond it, those that come first by owner, place and message are kept, independently of the order
/// of games; dropped games are always counted.
const MAX_FAULT_GROUPS: usize = 1000;

impl DroppedGame {
    /// Returns the key of the fault, which is the same for all faults of a group: they have the same place and owner, or the same message if
    /// there is no place.
    fn key(&self) -> (&str, Option<(FileId, u32, u32)>, bool, &str) {
        let Fault { message, owner, span, .. } = &self.fault;
        let place = span.map(|span| (span.file, span.start, span.end));
        (owner, place, self.unanswered, if place.is_some() { "" } else { message })
    }
}

/// Adds a group of faults; groups are kept in the order of their first games.
pub(super) fn add_fault(faults: &mut Vec<FaultGroup>, alike: FaultGroup) {
    add_fault_up_to(MAX_FAULT_GROUPS, faults, alike);
}

/// Adds a group to the one with the same key, or as a group of its own; beyond `most` groups the last one by its key is left out.
fn add_fault_up_to(most: usize, faults: &mut Vec<FaultGroup>, alike: FaultGroup) {
    match faults.iter_mut().find(|known| known.first.key() == alike.first.key()) {
        Some(known) => {
            known.games += alike.games;
            if known.first.game <= alike.first.game {
                return;
            }
            known.first = alike.first;
        }
        None => faults.push(alike),
    }
    if faults.len() > most {
        faults.sort_by(|one, two| one.first.key().cmp(&two.first.key()));
        faults.pop();
    }
    faults.sort_by(|one, two| (one.first.game, one.first.key()).cmp(&(two.first.game, two.first.key())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault_of_game(game: u64, message: &str) -> FaultGroup {
        let first = DroppedGame { game, seed: game, decision: 1, round: 1, fault: Fault::new(message), unanswered: false };
        FaultGroup { first, games: 1 }
    }

    fn add_all(faults: &[FaultGroup]) -> Vec<FaultGroup> {
        let mut found = Vec::new();
        faults.iter().for_each(|alike| add_fault_up_to(10, &mut found, alike.clone()));
        found
    }

    proptest! {
        #[test]
        fn neither_order_nor_parts_make_a_difference(messages in prop::collection::vec(0..20_u64, 30..60), cut in 0..30_usize) {
            let faults: Vec<FaultGroup> = messages.iter().zip(0..).map(|(message, game)| fault_of_game(game, &message.to_string())).collect();
            let whole = add_all(&faults);
            let turned: Vec<FaultGroup> = faults.iter().rev().cloned().collect();
            prop_assert_eq!(&add_all(&turned), &whole);
            let (one, two) = faults.split_at(cut);
            let mut parts = add_all(two);
            add_all(one).into_iter().for_each(|alike| add_fault_up_to(10, &mut parts, alike));
            prop_assert_eq!(&parts, &whole);
            prop_assert!(whole.len() <= 10);
        }
    }
}
