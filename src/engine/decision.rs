//! What is asked, and what can be answered.

pub use super::fault::{Fault, Stop};
use super::ruleset::{NameId, Ruleset};
use crate::cast;
use houserule_state::chance::{hash_parts, hash_text, join};

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// An action of a turn with its candidates; -1 where one is left out.
    Action(u16, [i16; 3]),
    /// `choose WORD`.
    Word(NameId),
    /// The word alone.
    Bare(NameId),
    /// `choose NUMBER`.
    Number(i32),
    /// `choose CARD`.
    Card(i16),
    /// `choose TOKEN`, with its pool before it unless it is 255.
    Token(u8, u8),
    /// `choose nothing`.
    Nothing,
    /// The end of a series of picks.
    Done,
}

impl Act {
    /// The card that is chosen, if one is; an action names its cards otherwise.
    pub fn card(self) -> Option<i32> {
        if let Act::Card(card) = self { Some(i32::from(card)) } else { None }
    }

    /// The word that is chosen, if one is.
    pub fn word(self) -> Option<NameId> {
        if let Act::Word(name) | Act::Bare(name) = self { Some(name) } else { None }
    }
}

/// One answer that can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opt {
    /// Hash of its key.
    pub key: u64,
    /// What it does.
    pub act: Act,
    /// A free action, of which `random` counts all together as one.
    pub free: bool,
    /// How many options with the same words stand before it; beside that a bit if its card is one that who is asked does not know.
    pub nth: u16,
}

/// Marks in [`Opt::nth`] an option of a card that who is asked does not know.
const UNSEEN: u16 = 1 << 15;
/// What such a card is called.
const UNSEEN_CARD: &str = "a hidden card";

const CHOOSE: u64 = hash_text("choose");
const NOTHING: u64 = hash_text("nothing");
const DONE: u64 = hash_text("done");

/// The hash of a number's digits, as people write them.
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
    /// An option with the hash that belongs to it.
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

    /// Takes the card's name out of its key: so many options of cards that who is asked does not know stand before it.
    pub(super) fn hide_card(&mut self, rules: &Ruleset, before: usize) {
        let key = match self.act {
            Act::Action(action, _) => rules.names.hash(rules.actions[action as usize].name),
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => CHOOSE,
        };
        self.key = join(join(key, hash_text(UNSEEN_CARD)), before as u64);
        self.nth = UNSEEN | cast::nearest::<u16>(before.min(usize::from(UNSEEN) - 1));
    }

    /// Whether its card is one that who is asked does not know.
    pub fn is_unseen(&self) -> bool {
        self.nth & UNSEEN != 0
    }

    /// The key in words, such as `buy wall` or `choose wolf`.
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
    /// Whether a key in words means this option. `choose` may stand before the words of an answer, or be left out.
    pub fn is_called(&self, rules: &Ruleset, key: &str) -> bool {
        let text = self.text(rules);
        if text == key {
            return true;
        }
        let is_action = matches!(self.act, Act::Action(..));
        !is_action && key.strip_prefix("choose ").unwrap_or(key) == text.strip_prefix("choose ").unwrap_or(&text)
    }
}

/// A question to a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Who decides.
    pub seat: usize,
    /// Stable id, such as `action` or `wolf.answer`.
    pub question: Question,
    /// The answers; at least one.
    pub options: Vec<Opt>,
}

/// Where a question comes from, so that its id is rendered only when somebody reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// An action of a turn.
    Turn(u16),
    /// A question of the rules text.
    Rules(u32),
    /// Put before the script of a card: its definition.
    Card(u32),
    /// Which card to cover.
    Cover,
    /// A unit of a payment in any mix.
    Payment,
}

impl Question {
    /// The id, in two parts.
    fn parts(self, rules: &Ruleset) -> [&str; 2] {
        match self {
            Question::Turn(turns) => [&rules.turns[turns as usize].question, ""],
            Question::Rules(question) => [&rules.questions[question as usize].id, ""],
            Question::Card(definition) => [rules.names.text(rules.definitions[definition as usize].id), ".answer"],
            Question::Cover => ["cover", ""],
            Question::Payment => ["payment", ""],
        }
    }

    /// The id in words.
    pub fn text(self, rules: &Ruleset) -> String {
        self.parts(rules).concat()
    }

    /// The id's hash.
    pub fn hash(self, rules: &Ruleset) -> u64 {
        hash_parts(&self.parts(rules))
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
