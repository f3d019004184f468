//! What the key of an option means in a state: which choice it is of, and what is chosen with it, whether that is allowed or not.

use super::decision::{Act, Args, Opt};
use super::eval::Env;
use super::keys::{self, can_be_key};
use super::machine::Machine;
use super::ruleset::Param;
use super::sets;
use crate::cast;
use houserule_ruleset::program::MAX_PARAMS;
use houserule_state::layout::TABLE;

/// What the key of an option means in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMeaning {
    /// An action, or an answer to the open question, with what is chosen, whether it is allowed or not.
    Choice(u16, Args),
    /// An action or answer for which what is named cannot be chosen, and why.
    Absent(u16, Absence),
    /// The key names neither an action nor an answer to the open question.
    Unknown,
}

/// Why a key is that of none of the options of its choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absence {
    /// What it names is not among what can be chosen.
    NotAmong,
    /// A word is missing that stands ahead of a card.
    NoWord {
        /// The parameter with this word, by its index.
        stage: usize,
    },
    /// It names too few cards.
    NoCard {
        /// The parameter for which no card is named, by its index.
        stage: usize,
    },
    /// No card of the game has this id.
    UnknownCard {
        /// The word that stands where a card is expected.
        word: String,
    },
    /// A card cannot be chosen: it lies elsewhere, or what the rules say behind the place does not hold for it.
    NotThere {
        /// The parameter for which it is named, by its index.
        stage: usize,
        /// The card, by the index of its definition.
        definition: usize,
        /// What is chosen ahead of it, and itself if it lies in one of the places; else -1.
        args: Args,
    },
    /// The seat does not know where every copy of a card lies, nor what all the cards are that could be chosen.
    Unseen {
        /// The card, by the index of its definition.
        definition: usize,
    },
    /// A word is too much.
    TooMuch {
        /// The first such word.
        word: String,
    },
}

impl Machine<'_> {
    /// Interprets a key for a seat. Answers to the open question come first. Of several options with these words that one is meant which the
    /// seat may take; it alone would be offered.
    pub fn meaning_of_key(&mut self, seat: usize, key: &str) -> KeyMeaning {
        let answers = self.open_answers(seat);
        let able = answers.iter().copied().filter(|&answer| can_be_key(self.store.rules, answer, key)).collect::<Vec<_>>();
        self.first_meaning(seat, &able, key).unwrap_or_else(|| match able.first() {
            Some(&answer) => KeyMeaning::Absent(answer, Absence::NotAmong),
            None => self.meaning_of_action(seat, key),
        })
    }

    /// Interprets a key that can only be that of an action; one of the turns that are open comes ahead of others.
    pub fn meaning_of_action(&mut self, seat: usize, key: &str) -> KeyMeaning {
        let actions = keys::actions_of_key(self.store.rules, key, self.open_turns());
        let Some(&first) = actions.first() else { return KeyMeaning::Unknown };
        self.first_meaning(seat, &actions, key).unwrap_or_else(|| KeyMeaning::Absent(first, self.absence(seat, first, key)))
    }

    /// Returns the first option of these choices with this key that is allowed, or else the first at all.
    fn first_meaning(&mut self, seat: usize, choices: &[u16], key: &str) -> Option<KeyMeaning> {
        let mut refused = None;
        for &choice in choices {
            let mut possible = self.possible_options(seat, choice);
            self.hide_unseen(seat, &mut possible);
            let Some(Opt { act: Act::Choice(choice, args), .. }) =
                possible.into_iter().find(|option| option.matches_key(self.store.rules, key))
            else {
                continue;
            };
            if choices.len() == 1 || self.refusals(seat, choice, args).is_empty() {
                return Some(KeyMeaning::Choice(choice, args));
            }
            refused = refused.or(Some(KeyMeaning::Choice(choice, args)));
        }
        refused
    }

    /// Finds out why a key is that of none of the options of an action: its words are read one after the other.
    fn absence(&mut self, seat: usize, action: u16, key: &str) -> Absence {
        let rules = self.store.rules;
        let choice = &rules.choices[usize::from(action)];
        if choice.text.is_some() || choice.params.iter().any(|param| param.cards().is_none()) {
            return Absence::NotAmong;
        }
        let mut words: Vec<&str> = key.split_whitespace().collect();
        if words.last().is_some_and(|word| keys::number_of_copy(word).is_some()) {
            words.pop();
        }
        let name = rules.names.text(choice.name).split(' ').count();
        let mut rest = words.get(name..).unwrap_or_default();
        let (mut env, mut args) = (Env::for_seat(seat), [-1; MAX_PARAMS]);
        let mut skipped = None;
        for (stage, param) in choice.params.iter().enumerate() {
            match self.card_of_key(seat, (stage, param), &mut rest, &mut env, &mut args) {
                Ok(()) => {}
                Err(absence) if param.maybe => skipped = skipped.or(Some(absence)),
                Err(absence) => return absence,
            }
        }
        match rest.first() {
            Some(_) if skipped.is_some() => skipped.unwrap_or(Absence::NotAmong),
            Some(word) => Absence::TooMuch { word: word.to_string() },
            None => Absence::NotAmong,
        }
    }

    /// Reads the card for a parameter from the words of a key that are left.
    fn card_of_key(
        &mut self,
        seat: usize,
        (stage, param): (usize, &Param),
        rest: &mut &[&str],
        env: &mut Env,
        args: &mut Args,
    ) -> Result<(), Absence> {
        let rules = self.store.rules;
        let Some(set) = param.cards() else { return Ok(()) };
        let mut left = *rest;
        if let Some(word) = param.word {
            left = match left.split_first() {
                Some((first, left)) if *first == rules.names.text(word) => left,
                _ => return Err(Absence::NoWord { stage }),
            };
        }
        let (card, left) = left.split_first().ok_or(Absence::NoCard { stage })?;
        let definition = rules.find_definition(card).ok_or_else(|| Absence::UnknownCard { word: card.to_string() })?;
        let mut candidates = Vec::new();
        sets::cards_of(&mut self.store, set, env, &mut candidates);
        let is_copy = |card: i32| rules.piece_definition[cast::index(card)] as usize == definition;
        let Some(found) = candidates.iter().copied().find(|&card| is_copy(card)) else {
            return Err(self.reason_of_absence(seat, stage, (set, definition), *args));
        };
        (env.locals[usize::from(param.local)], args[stage]) = (found, found);
        *rest = left;
        Ok(())
    }

    /// Says why no copy of a card can be chosen from a set.
    fn reason_of_absence(&self, seat: usize, stage: usize, (set, definition): (u32, usize), mut args: Args) -> Absence {
        let (rules, cells) = (self.store.rules, self.store.state.cells());
        let places = &rules.sets[set as usize].cards.places;
        let lies_there = |piece: &usize| {
            let at = &rules.layout.places[self.store.position().place_of(*piece).0];
            places.contains(&at.declared) && (at.owner == TABLE || usize::from(at.owner) == seat)
        };
        let pieces = 0..rules.layout.pieces;
        let mut copies = pieces.clone().filter(|&piece| rules.piece_definition[piece] as usize == definition);
        let is_unknown = |piece: usize| rules.is_unknown(cells, seat, piece);
        if copies.clone().any(is_unknown) && pieces.filter(lies_there).any(is_unknown) {
            return Absence::Unseen { definition };
        }
        args[stage] = copies.find(lies_there).map_or(-1, cast::fit::<i32>);
        Absence::NotThere { stage, definition, args }
    }
}
