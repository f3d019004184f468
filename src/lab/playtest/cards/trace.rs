//! A compact trace of a game, small enough to be kept for every game: where it diverges from another one, and who first used a card.

use crate::cast;
use std::collections::BTreeMap;

use crate::engine::decision::Decision;
use crate::engine::{Game, Ruleset};
use crate::state::chance::join;

/// The trace of a game.
#[derive(Clone, Debug, Default)]
pub struct GameTrace {
    /// For each answer the seat that gives it, and a hash of question and option that does not depend on the rules.
    answers: Vec<(u8, u64)>,
    /// For each answer a hash of the state in which it was given, if these are recorded.
    states: Option<Vec<u64>>,
    /// Number of answers during set-up; `None` until set-up has ended.
    in_set_up: Option<usize>,
    /// For each definition, the index of the first answer that names a card of it.
    named: BTreeMap<u32, usize>,
    /// For each definition, whether a piece of it has left its initial place.
    moved: Vec<bool>,
    /// Pieces that were in their initial places when they were last examined.
    waiting: Option<Vec<usize>>,
}

impl GameTrace {
    /// Creates the trace of a game that begins; it says in which states answers are given only if `states` is set, which takes longer.
    pub fn new(states: bool) -> GameTrace {
        GameTrace { states: states.then(Vec::new), ..GameTrace::default() }
    }

    /// Records which cards have left their decks or the box.
    pub fn record_places(&mut self, rules: &Ruleset, game: &Game) {
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

    /// Records the end of set-up.
    pub fn record_set_up_end(&mut self) {
        self.in_set_up = Some(self.answers.len());
    }

    /// Records an answer, given in the state of a game.
    pub fn record_answer(&mut self, rules: &Ruleset, decision: &Decision, chosen: usize, game: &Game) {
        let Some(option) = decision.options.get(chosen) else { return };
        let at = self.answers.len();
        self.answers.extend(GameTrace::hash_answer(rules, decision, chosen));
        self.states.iter_mut().for_each(|states| states.push(game.hash()));
        for card in option.act.cards(rules).into_iter().filter_map(|card| usize::try_from(card).ok()) {
            self.named.entry(rules.piece_definition[card]).or_insert(at);
        }
    }

    /// Returns the seat that is asked, and a hash of question and option that does not depend on the rules.
    pub(super) fn hash_answer(rules: &Ruleset, decision: &Decision, chosen: usize) -> Option<(u8, u64)> {
        let option = decision.options.get(chosen)?;
        Some((cast::seat(decision.seat), join(decision.question.hash(rules), join(option.key, option.nth.into()))))
    }

    /// Returns an answer by its number, with the hash of the state in which it was given; `None` also if states are not recorded.
    pub(super) fn answer_in_state(&self, at: usize) -> Option<((u8, u64), u64)> {
        self.answers.get(at).copied().zip(self.states.as_ref()?.get(at).copied())
    }

    /// Whether a piece of a definition has left its initial place.
    pub fn came_up(&self, definition: u32) -> bool {
        self.moved.get(definition as usize).is_some_and(|moved| *moved)
    }

    /// Returns the length of the common prefix of answers of two games.
    fn common_prefix(&self, other: &GameTrace) -> usize {
        self.answers.iter().zip(&other.answers).take_while(|(a, b)| a == b).count()
    }

    /// Whether set-up has ended in both games after the same answers.
    pub fn begins_like(&self, other: &GameTrace) -> bool {
        self.in_set_up == other.in_set_up && self.in_set_up.is_some_and(|answers| answers <= self.common_prefix(other))
    }

    /// Returns the seat that first names a card of the definition in one of two games, if the games are equal up to that answer.
    pub fn first_to_name(&self, other: &GameTrace, definition: u32) -> Option<usize> {
        let alike = self.common_prefix(other);
        let named = [self, other].into_iter().filter_map(|game| game.named.get(&definition).map(|at| (*at, game)));
        let (at, game) = named.min_by_key(|(at, _)| *at)?;
        (at <= alike).then(|| usize::from(game.answers[at].0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(answers: &[(u8, u64)], named: Option<usize>) -> GameTrace {
        GameTrace { answers: answers.to_vec(), named: named.into_iter().map(|at| (7, at)).collect(), ..GameTrace::default() }
    }

    #[test]
    fn whoever_first_names_a_card_before_the_games_part() {
        let plain = trace(&[(0, 1), (1, 2), (2, 3)], Some(1));
        let found = |other: &GameTrace| (plain.first_to_name(other, 7), other.first_to_name(&plain, 7));
        assert_eq!(found(&trace(&[(0, 1), (1, 2), (2, 3)], Some(1))), (Some(1), Some(1)), "in both");
        assert_eq!(found(&trace(&[(0, 1), (1, 9), (2, 3)], Some(2))), (Some(1), Some(1)), "where they part");
        assert_eq!(found(&trace(&[(0, 8), (1, 2), (2, 3)], Some(0))), (Some(0), Some(0)), "the blank one, where they part");
        assert_eq!(found(&trace(&[(0, 9), (1, 2), (2, 3)], Some(1))), (None, None), "they have parted before");
        assert_eq!(plain.first_to_name(&plain, 8), None, "nobody");
    }

    #[test]
    fn games_begin_alike_after_the_same_answers_in_set_up() {
        let begun = |answers: &[(u8, u64)], in_set_up| GameTrace { in_set_up, ..trace(answers, None) };
        let plain = begun(&[(0, 1), (1, 2), (2, 3)], Some(2));
        assert!(plain.begins_like(&begun(&[(0, 1), (1, 2), (2, 9)], Some(2))), "they part later");
        assert!(!plain.begins_like(&begun(&[(0, 1), (1, 9), (2, 3)], Some(2))), "they part in set-up");
        assert!(!plain.begins_like(&begun(&[(0, 1), (1, 2), (2, 3)], Some(3))), "one more was asked");
        assert!(
            !plain.begins_like(&begun(&[(0, 1), (1, 2)], None)) && !begun(&[], None).begins_like(&begun(&[], None)),
            "set-up is not over"
        );
    }
}
