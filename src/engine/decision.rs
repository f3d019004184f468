//! Questions that a player must answer, and their options. A seat is the position of a player, from 0.

pub use super::fault::{Fault, Stop};
use super::ruleset::{NameId, Ruleset};
use crate::cast;
use houserule_state::chance::{hash_parts, hash_text, join};

/// The action or answer that an option stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// An action of a turn, with the piece for each parameter; -1 for one left out.
    Action(u16, [i16; 3]),
    /// `choose WORD`.
    Word(NameId),
    /// `WORD`, without `choose`.
    Bare(NameId),
    /// `choose NUMBER`.
    Number(i32),
    /// `choose CARD`.
    Card(i16),
    /// `choose TOKEN` with a class and a pool; the pool is named unless it is 255.
    Token(u8, u8),
    /// `choose nothing`.
    Nothing,
    /// `done`: ends a series of picks.
    Done,
}

impl Act {
    /// Returns the chosen card; `None` for actions, which have cards as parameters.
    pub fn card(self) -> Option<i32> {
        if let Act::Card(card) = self { Some(i32::from(card)) } else { None }
    }

    /// Returns the chosen word.
    pub fn word(self) -> Option<NameId> {
        if let Act::Word(name) | Act::Bare(name) = self { Some(name) } else { None }
    }
}

/// An option of a question, from which a player chooses.
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

const CHOOSE: u64 = hash_text("choose");
const NOTHING: u64 = hash_text("nothing");
const DONE: u64 = hash_text("done");

/// Hashes a number in decimal digits, without allocating its text.
fn hash_number(number: i32) -> u64 {
    let mut digits = [0; 11];
    let mut first = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        first -= 1;
        digits[first] = b'-';
    }
    hash_text(std::str::from_utf8(&digits[first..]).unwrap_or(""))
}

impl Opt {
    /// Creates the option for an act, with its key.
    pub fn new(rules: &Ruleset, act: Act) -> Opt {
        let card = |piece: i16| rules.piece_hash[cast::index(piece)];
        let (key, free) = match act {
            Act::Word(name) => (join(CHOOSE, rules.names.hash(name)), false),
            Act::Bare(name) => (rules.names.hash(name), false),
            Act::Number(number) => (join(CHOOSE, hash_number(number)), false),
            Act::Card(piece) => (join(CHOOSE, card(piece)), false),
            Act::Token(class, pool) => {
                let key = match rules.pools.get(pool as usize) {
                    Some(pool) => join(CHOOSE, rules.names.hash(pool.name)),
                    None => CHOOSE,
                };
                (join(key, rules.names.hash(rules.classes[class as usize].key)), false)
            }
            Act::Nothing => (join(CHOOSE, NOTHING), false),
            Act::Done => (DONE, false),
            Act::Action(action, args) => {
                let action = &rules.actions[action as usize];
                let mut key = rules.names.hash(action.name);
                for (param, piece) in action.params.iter().zip(args) {
                    if piece >= 0 {
                        if let Some(word) = param.word {
                            key = join(key, rules.names.hash(word));
                        }
                        key = join(key, card(piece));
                    }
                }
                (key, action.free)
            }
        };
        Opt { key, act, free, nth: 0 }
    }

    /// Removes the name of the card from the key; `before` counts the earlier options with unknown cards.
    pub(super) fn hide_card(&mut self, rules: &Ruleset, before: usize) {
        let key = match self.act {
            Act::Action(action, _) => rules.names.hash(rules.actions[action as usize].name),
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => CHOOSE,
        };
        self.key = join(join(key, hash_text(UNSEEN_CARD)), before as u64);
        self.nth = UNSEEN | cast::nearest::<u16>(before.min(usize::from(UNSEEN) - 1));
    }

    /// Whether the seat does not know the option's card.
    pub fn is_unseen(&self) -> bool {
        self.nth & UNSEEN != 0
    }

    /// Returns the key in words, such as `buy wall` or `choose wolf`.
    pub fn text(&self, rules: &Ruleset) -> String {
        let card = |piece: i16| if self.is_unseen() { UNSEEN_CARD } else { rules.names.text(rules.definition(cast::index(piece)).id) };
        let mut text = match self.act {
            Act::Word(name) => format!("choose {}", rules.names.text(name)),
            Act::Bare(name) => rules.names.text(name).to_string(),
            Act::Number(number) => format!("choose {number}"),
            Act::Card(piece) => format!("choose {}", card(piece)),
            Act::Token(class, pool) => {
                let key = rules.names.text(rules.classes[class as usize].key);
                match rules.pools.get(pool as usize) {
                    Some(pool) => format!("choose {} {key}", rules.names.text(pool.name)),
                    None => format!("choose {key}"),
                }
            }
            Act::Nothing => "choose nothing".to_string(),
            Act::Done => "done".to_string(),
            Act::Action(action, args) => {
                let action = &rules.actions[action as usize];
                let mut text = rules.names.text(action.name).to_string();
                for (param, piece) in action.params.iter().zip(args) {
                    if piece >= 0 {
                        if let Some(word) = param.word {
                            text.push(' ');
                            text.push_str(rules.names.text(word));
                        }
                        text.push(' ');
                        text.push_str(card(piece));
                    }
                }
                text
            }
        };
        let before = self.nth & !UNSEEN;
        if before > 0 {
            text.push_str(&format!(" #{}", before + 1));
        }
        text
    }
}

impl Opt {
    /// Whether a key in words names this option. The prefix `choose` of an answer may be left out.
    pub fn matches_key(&self, rules: &Ruleset, key: &str) -> bool {
        let text = self.text(rules);
        if text == key {
            return true;
        }
        let is_action = matches!(self.act, Act::Action(..));
        !is_action && key.strip_prefix("choose ").unwrap_or(key) == text.strip_prefix("choose ").unwrap_or(&text)
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
            option.hide_card(&rules, before);
            (option.text(&rules), option.key)
        });
        assert_eq!(hidden[0], hidden[1], "whichever card it is");
        assert_eq!([&hidden[0].0, &hidden[2].0], ["choose a hidden card", "choose a hidden card #2"]);
        assert_ne!(hidden[0].1, hidden[2].1);
    }
}
