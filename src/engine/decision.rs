//! Questions that a player must answer, and their options. A seat is the position of a player, from 0.

pub use super::fault::{Fault, Stop};
use super::ids::PieceId;
use super::key::{self, CHOOSE};
use super::ruleset::{NameId, Ruleset};
use crate::cast;
use houserule_ruleset::program::MAX_PARAMS;
use houserule_state::chance::{hash_parts, hash_text, join};

/// What is chosen for the parameters of a choice, as the value in the local of each; -1 for a card that is left out.
pub type Args = [i32; MAX_PARAMS];

/// The action or answer that an option stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A choice of the rules, which is an action of a turn or an answer: its index, and what is chosen with it.
    Choice(u16, Args),
    /// `choose WORD`: what the engine or a card asks.
    Word(NameId),
    /// `choose CARD`: what the engine or a card asks.
    Card(i16),
    /// `choose TOKEN` with a class and a pool; the pool is named unless it is 255.
    Token(u8, u8),
    /// `choose nothing`.
    Nothing,
    /// `done`: ends a series of picks.
    Done,
}

impl Act {
    /// Whether a card may be chosen with it.
    #[inline]
    pub fn may_name_card(self) -> bool {
        matches!(self, Act::Card(_) | Act::Choice(..))
    }

    /// Returns the cards that are chosen, -1 for no card.
    pub fn cards(self, rules: &Ruleset) -> [i16; MAX_PARAMS] {
        let mut cards = [-1; MAX_PARAMS];
        match self {
            Act::Choice(choice, args) => {
                let params = rules.choices[choice as usize].params.iter().zip(args).zip(&mut cards);
                let chosen = params.filter(|((param, _), _)| param.cards().is_some());
                chosen.for_each(|((_, arg), card)| *card = PieceId::in_option(arg));
            }
            Act::Card(card) => cards[0] = card,
            Act::Word(_) | Act::Token(..) | Act::Nothing | Act::Done => {}
        }
        cards
    }

    /// Returns the piece that is chosen first, if the first thing that is chosen is a card and it was not left out.
    #[inline]
    pub fn first_card(self, rules: &Ruleset) -> Option<usize> {
        let card = match self {
            Act::Choice(choice, [first, ..]) => rules.choices[choice as usize].params.first()?.cards().map(|_| first)?,
            Act::Card(card) => card.into(),
            Act::Word(_) | Act::Token(..) | Act::Nothing | Act::Done => return None,
        };
        usize::try_from(card).ok()
    }

    /// Returns the index of the action of a turn; `None` for any answer.
    #[inline]
    pub fn action(self, rules: &Ruleset) -> Option<u16> {
        if let Act::Choice(choice, _) = self { Some(choice).filter(|&choice| usize::from(choice) < rules.action_count) } else { None }
    }
}

/// An option of a question, from which a player chooses. Players and programs name it by its key, which is words; here is only the hash of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opt {
    /// The hash of the option's key.
    pub key: u64,
    /// The action or answer that the option stands for.
    pub act: Act,
    /// Whether this is a free action. The agent `random` weighs all free actions together as one option.
    pub free: bool,
    /// How many earlier options have the same words. The bit `UNSEEN` is set if the seat does not know the card.
    pub nth: u16,
}

/// The bit of [`Opt::nth`] for an option with a card that the seat does not know.
const UNSEEN: u16 = 1 << 15;
/// The words that are shown instead of the name of an unknown card.
const UNSEEN_CARD: &str = "a hidden card";

const NOTHING: u64 = hash_text("nothing");
const DONE: u64 = hash_text("done");

impl Opt {
    /// Creates the option for an act, with its key.
    pub fn new(rules: &Ruleset, act: Act) -> Opt {
        let (key, free) = match act {
            Act::Word(name) => (join(CHOOSE, rules.names.hash(name)), false),
            Act::Card(piece) => (join(CHOOSE, rules.piece_hash[cast::index(piece)]), false),
            Act::Token(class, pool) => {
                let key = match rules.pools.get(pool as usize) {
                    Some(pool) => join(CHOOSE, rules.names.hash(pool.name)),
                    None => CHOOSE,
                };
                (join(key, rules.names.hash(rules.classes[class as usize].key)), false)
            }
            Act::Nothing => (join(CHOOSE, NOTHING), false),
            Act::Done => (DONE, false),
            Act::Choice(choice, args) => {
                let choice = &rules.choices[choice as usize];
                (key::hash(rules, choice, args), choice.is_free())
            }
        };
        Opt { key, act, free, nth: 0 }
    }

    /// Returns the hash of the key without the names of cards.
    pub(super) fn key_without_cards(&self, rules: &Ruleset) -> u64 {
        let first = match self.act {
            Act::Choice(choice, args) => {
                let choice = &rules.choices[choice as usize];
                if choice.params.len() > 1 || choice.text.is_some() {
                    return hash_text(&key::text(rules, choice, args, |_| UNSEEN_CARD));
                }
                rules.names.hash(choice.name)
            }
            Act::Word(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => CHOOSE,
        };
        join(first, hash_text(UNSEEN_CARD))
    }

    /// Removes the name of the card from the key, which becomes `without_cards`; `before` counts the earlier options of which that is the same.
    pub(super) fn hide_card(&mut self, without_cards: u64, before: usize) {
        self.key = join(without_cards, before as u64);
        self.nth = UNSEEN | cast::nearest::<u16>(before.min(usize::from(UNSEEN) - 1));
    }

    /// Whether the seat does not know the option's card.
    pub fn is_unseen(&self) -> bool {
        self.nth & UNSEEN != 0
    }

    /// Returns the key in words, such as `buy wall` or `choose wolf`. A card that the seat does not know is `a hidden card`; where the words of earlier
    /// options are the same, a number follows, as in `choose wolf #2`. So no two options of a question have the same.
    pub fn text(&self, rules: &Ruleset) -> String {
        let card = |piece: i32| if self.is_unseen() { UNSEEN_CARD } else { rules.names.text(rules.definition(cast::index(piece)).id) };
        let mut text = match self.act {
            Act::Word(name) => format!("choose {}", rules.names.text(name)),
            Act::Card(piece) => format!("choose {}", card(piece.into())),
            Act::Token(class, pool) => {
                let key = rules.names.text(rules.classes[class as usize].key);
                match rules.pools.get(pool as usize) {
                    Some(pool) => format!("choose {} {key}", rules.names.text(pool.name)),
                    None => format!("choose {key}"),
                }
            }
            Act::Nothing => "choose nothing".to_string(),
            Act::Done => "done".to_string(),
            Act::Choice(choice, args) => key::text(rules, &rules.choices[choice as usize], args, card),
        };
        let before = self.nth & !UNSEEN;
        if before > 0 {
            text.push_str(&format!(" #{}", before + 1));
        }
        text
    }

    /// Whether a key in words names this option. The prefix `choose` of an answer may be left out.
    pub fn matches_key(&self, rules: &Ruleset, key: &str) -> bool {
        let text = self.text(rules);
        if text == key {
            return true;
        }
        self.act.action(rules).is_none() && key.strip_prefix("choose ").unwrap_or(key) == text.strip_prefix("choose ").unwrap_or(&text)
    }
}

/// An open question to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The seat of the player who must answer.
    pub seat: usize,
    /// The source of the question, which gives its stable id, such as `action` or `wolf.answer`.
    pub question: Question,
    /// The options to choose from; at least one.
    pub options: Vec<Opt>,
}

impl Decision {
    /// Replaces the cards that the options name, each by the one that `replacement` returns for it.
    pub(crate) fn replace_cards(&mut self, rules: &Ruleset, replacement: impl Fn(i32) -> i32) {
        for option in &mut self.options {
            match &mut option.act {
                Act::Choice(choice, args) => {
                    let params = rules.choices[*choice as usize].params.iter().zip(args);
                    params.filter(|(param, _)| param.cards().is_some()).for_each(|(_, arg)| *arg = replacement(*arg));
                }
                Act::Card(card) => *card = PieceId::in_option(replacement((*card).into())),
                Act::Word(_) | Act::Token(..) | Act::Nothing | Act::Done => {}
            }
        }
    }
}

/// The source of a question. Its id is rendered only when it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The choice of an action in a turn: the index of the turns.
    Turn(u16),
    /// A question of the rules: its index.
    Rules(u32),
    /// A question asked before the script of a card: the index of the card's definition.
    Card(u32),
    /// The choice of the card that is covered by another one.
    Cover,
    /// The choice of the next unit of a payment.
    Payment,
}

impl Question {
    /// Returns the id of the question as two parts to concatenate.
    fn id_parts(self, rules: &Ruleset) -> [&str; 2] {
        match self {
            Question::Turn(turns) => [&rules.turns[turns as usize].question, ""],
            Question::Rules(question) => [&rules.questions[question as usize].id, ""],
            Question::Card(definition) => [rules.names.text(rules.definitions[definition as usize].id), ".answer"],
            Question::Cover => ["cover", ""],
            Question::Payment => ["payment", ""],
        }
    }

    /// Returns the id of the question.
    pub fn text(self, rules: &Ruleset) -> String {
        self.id_parts(rules).concat()
    }

    /// Returns the title that people see in place of the id, if it has one.
    pub fn title(self, rules: &Ruleset) -> Option<&str> {
        if let Question::Rules(question) = self { rules.questions[question as usize].title.as_deref() } else { None }
    }

    /// Returns the hash of the question's id.
    pub fn hash(self, rules: &Ruleset) -> u64 {
        hash_parts(&self.id_parts(rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_that_nobody_shows_is_not_named() {
        let rules = crate::testing::rules(|_, _| {});
        let hidden = [(0, 0), (3, 0), (0, 1)].map(|(card, before)| {
            let mut option = Opt::new(&rules, Act::Card(card));
            option.hide_card(option.key_without_cards(&rules), before);
            (option.text(&rules), option.key)
        });
        assert_eq!(hidden[0], hidden[1], "whichever card it is");
        assert_eq!([&hidden[0].0, &hidden[2].0], ["choose a hidden card", "choose a hidden card #2"]);
        assert_ne!(hidden[0].1, hidden[2].1);
    }
}
