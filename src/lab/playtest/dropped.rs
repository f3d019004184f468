//! Games that met a fault, alike faults together, so that it makes no difference in which order and in how many parts they were played.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::engine::Fault;
use crate::source::FileId;

/// A game that met a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dropped {
    /// Its number in the run, from 0.
    pub game: u64,
    /// Its seed.
    pub seed: u64,
    /// The question, counted from 1, after whose answer it happened; 0 before the first.
    pub decision: u64,
    /// The round.
    pub round: i32,
    /// What happened.
    pub fault: Fault,
    /// Whether it is a player who did not answer, for which the run was stopped: the game says nothing of the rules, and can be played again.
    pub unanswered: bool,
}

/// Faults that are alike: the same, or at the same place with other numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alike {
    /// The first game that met it.
    pub first: Dropped,
    /// How many games did.
    pub games: u64,
}

/// Of more different faults than these only the first by owner, place and words are kept; games are counted all the same. Which they are does
/// not depend on the order of the games.
const MAX_ALIKE: usize = 1000;

impl Dropped {
    /// Orders faults; those are equal that are told together: at one place of one owner, or without a place in the same words.
    fn by_fault(&self, other: &Dropped) -> Ordering {
        self.key().cmp(&other.key())
    }

    fn key(&self) -> (&str, Option<(FileId, u32, u32)>, bool, &str) {
        let Fault { message, owner, span, .. } = &self.fault;
        let place = span.map(|span| (span.file, span.start, span.end));
        (owner, place, self.unanswered, if place.is_some() { "" } else { message })
    }
}

/// Takes in faults that are alike, and keeps all in the order of the first games that met them.
pub(super) fn take_in(faults: &mut Vec<Alike>, alike: Alike) {
    keep_at_most(MAX_ALIKE, faults, alike);
}

fn keep_at_most(most: usize, faults: &mut Vec<Alike>, alike: Alike) {
    match faults.iter_mut().find(|known| known.first.by_fault(&alike.first).is_eq()) {
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
        let last = faults.iter().enumerate().max_by(|one, two| one.1.first.by_fault(&two.1.first));
        if let Some((last, _)) = last {
            faults.remove(last);
        }
    }
    faults.sort_by(|one, two| one.first.game.cmp(&two.first.game).then_with(|| one.first.by_fault(&two.first)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dropped(game: u64, message: &str) -> Alike {
        let first = Dropped { game, seed: game, decision: 1, round: 1, fault: Fault::new(message), unanswered: false };
        Alike { first, games: 1 }
    }

    fn all(faults: &[Alike]) -> Vec<Alike> {
        let mut found = Vec::new();
        faults.iter().for_each(|alike| keep_at_most(10, &mut found, alike.clone()));
        found
    }

    proptest! {
        #[test]
        fn neither_order_nor_parts_make_a_difference(messages in prop::collection::vec(0..20_u64, 30..60), cut in 0..30_usize) {
            let faults: Vec<Alike> = messages.iter().zip(0..).map(|(message, game)| dropped(game, &message.to_string())).collect();
            let whole = all(&faults);
            let turned: Vec<Alike> = faults.iter().rev().cloned().collect();
            prop_assert_eq!(&all(&turned), &whole);
            let (one, two) = faults.split_at(cut);
            let mut parts = all(two);
            all(one).into_iter().for_each(|alike| keep_at_most(10, &mut parts, alike));
            prop_assert_eq!(&parts, &whole);
            prop_assert!(whole.len() <= 10);
        }
    }
}
