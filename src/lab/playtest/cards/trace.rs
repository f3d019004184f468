//! The course of a game, short enough to be kept of every game: where it parts from another one, and who first had to do with a card.

use crate::cast;
use std::collections::BTreeMap;

use crate::engine::decision::{Act, Decision};
use crate::engine::{Game, Ruleset};
use crate::state::chance::join;

/// The course of a game.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The answers: who gave it, and a hash of question and option that is the same with other rules.
    answers: Vec<(u8, u64)>,
    /// How many of them belong to set-up, once that is over.
    in_set_up: Option<usize>,
    /// The first answer that names a card, by definition.
    named: BTreeMap<u32, usize>,
    /// Whether a piece of a definition has left the place where it began.
    moved: Vec<bool>,
    /// Pieces that have not.
    waiting: Option<Vec<usize>>,
}

impl Trace {
    /// Notes which cards have left their piles, or the box.
    pub fn note_places(&mut self, rules: &Ruleset, game: &Game) {
        self.moved.resize(rules.definitions.len(), false);
        let waiting = self.waiting.get_or_insert_with(|| (0..rules.piece_definition.len()).collect());
        let moved = &mut self.moved;
        waiting.retain(|&piece| {
            let waits = game.position(rules).place_of(piece).0 == rules.piece_home[piece] as usize;
            if !waits {
                moved[rules.piece_definition[piece] as usize] = true;
            }
            waits
        });
    }

    /// Notes that set-up is over.
    pub fn note_begun(&mut self) {
        self.in_set_up = Some(self.answers.len());
    }

    /// Notes an answer.
    pub fn note_answer(&mut self, rules: &Ruleset, decision: &Decision, chosen: usize) {
        let Some(option) = decision.options.get(chosen) else { return };
        let at = self.answers.len();
        self.answers.push((cast::seat(decision.seat), join(decision.question.hash(rules), join(option.key, option.nth.into()))));
        let cards = match option.act {
            Act::Action(_, cards) => cards,
            Act::Card(card) => [card, -1, -1],
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Token(..) | Act::Nothing | Act::Done => [-1; 3],
        };
        for card in cards.into_iter().filter_map(|card| usize::try_from(card).ok()) {
            self.named.entry(rules.piece_definition[card]).or_insert(at);
        }
    }

    /// Whether a piece of a definition has left the place where it began.
    pub fn came_up(&self, definition: u32) -> bool {
        self.moved.get(definition as usize).is_some_and(|moved| *moved)
    }

    /// How many answers from the first on are the same in two games.
    fn alike(&self, other: &Trace) -> usize {
        self.answers.iter().zip(&other.answers).take_while(|(a, b)| a == b).count()
    }

    /// Whether two games begin alike: set-up is over in both, after the same answers.
    pub fn begins_as(&self, other: &Trace) -> bool {
        self.in_set_up == other.in_set_up && self.in_set_up.is_some_and(|answers| answers <= self.alike(other))
    }

    /// The seat whose answer is the first to name a card in one of two games, as long as these are the same up to that answer.
    pub fn first_to_name(&self, other: &Trace, definition: u32) -> Option<usize> {
        let alike = self.alike(other);
        let named = [self, other].into_iter().filter_map(|game| game.named.get(&definition).map(|at| (*at, game)));
        let (at, game) = named.min_by_key(|(at, _)| *at)?;
        (at <= alike).then(|| usize::from(game.answers[at].0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(answers: &[(u8, u64)], named: Option<usize>) -> Trace {
        Trace { answers: answers.to_vec(), named: named.into_iter().map(|at| (7, at)).collect(), ..Trace::default() }
    }

    #[test]
    fn whoever_first_names_a_card_before_the_games_part() {
        let plain = trace(&[(0, 1), (1, 2), (2, 3)], Some(1));
        let found = |other: &Trace| (plain.first_to_name(other, 7), other.first_to_name(&plain, 7));
        assert_eq!(found(&trace(&[(0, 1), (1, 2), (2, 3)], Some(1))), (Some(1), Some(1)), "in both");
        assert_eq!(found(&trace(&[(0, 1), (1, 9), (2, 3)], Some(2))), (Some(1), Some(1)), "where they part");
        assert_eq!(found(&trace(&[(0, 8), (1, 2), (2, 3)], Some(0))), (Some(0), Some(0)), "the blank one, where they part");
        assert_eq!(found(&trace(&[(0, 9), (1, 2), (2, 3)], Some(1))), (None, None), "they have parted before");
        assert_eq!(plain.first_to_name(&plain, 8), None, "nobody");
    }

    #[test]
    fn games_begin_alike_after_the_same_answers_in_set_up() {
        let begun = |answers: &[(u8, u64)], in_set_up| Trace { in_set_up, ..trace(answers, None) };
        let plain = begun(&[(0, 1), (1, 2), (2, 3)], Some(2));
        assert!(plain.begins_as(&begun(&[(0, 1), (1, 2), (2, 9)], Some(2))), "they part later");
        assert!(!plain.begins_as(&begun(&[(0, 1), (1, 9), (2, 3)], Some(2))), "they part in set-up");
        assert!(!plain.begins_as(&begun(&[(0, 1), (1, 2), (2, 3)], Some(3))), "one more was asked");
        assert!(!plain.begins_as(&begun(&[(0, 1), (1, 2)], None)) && !begun(&[], None).begins_as(&begun(&[], None)), "set-up is not over");
    }
}
