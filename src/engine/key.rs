//! The keys of a choice's options: their words and hashes. A key is the name of the choice, or `choose`, with the values of its parameters,
//! or a text with these values in it.

use super::decision::Args;
use super::ruleset::{Choice, Domain, NameId, Param, Ruleset, TextPart};
use crate::cast;
use houserule_ruleset::program::MAX_PARAMS;
use houserule_state::chance::{TextHash, hash_text, join};
use std::fmt::Write;

pub(crate) const CHOOSE: u64 = hash_text("choose");

/// Hashes of keys that have been worked out before, each where the choice and what is chosen lead to.
#[derive(Debug, Default)]
pub(crate) struct KeyMemo {
    /// The number of the code of the rules.
    of: u64,
    known: Vec<(u16, Args, u64)>,
}

impl KeyMemo {
    /// The number of hashes that are kept, as a power of 2.
    const BITS: u32 = 9;

    /// Makes it the memo of these rules: empty, if it was that of others.
    pub fn of_rules(&mut self, rules: &Ruleset) -> &mut KeyMemo {
        if self.of != rules.code.number || self.known.is_empty() {
            self.of = rules.code.number;
            self.known.clear();
            self.known.resize(1 << KeyMemo::BITS, (u16::MAX, [0; MAX_PARAMS], 0));
        }
        self
    }

    /// Returns the hash of a key behind its first words, of a choice of this index.
    #[inline]
    pub fn hash_behind(&mut self, rules: &Ruleset, index: u16, prefix: Prefix, args: Args) -> u64 {
        let choice = &rules.choices[usize::from(index)];
        if prefix.is_before_card {
            return hash_behind(rules, choice, prefix, args);
        }
        let spread =
            args.iter().fold(u32::from(index), |spread, arg| (spread.rotate_left(9) ^ arg.cast_unsigned()).wrapping_mul(0x9E37_79B1));
        match self.known.get_mut((spread >> (u32::BITS - KeyMemo::BITS)) as usize) {
            Some(known) => {
                if (known.0, known.1) != (index, args) {
                    *known = (index, args, hash_behind(rules, choice, prefix, args));
                }
                known.2
            }
            None => hash_behind(rules, choice, prefix, args),
        }
    }
}

/// Returns the hash of a key. A text with values in it has the hash that its words would have one after another.
#[inline]
pub(crate) fn hash(rules: &Ruleset, choice: &Choice, args: Args) -> u64 {
    hash_behind(rules, choice, prefix(rules, choice), args)
}

/// The words with which the keys of all options of a choice begin.
#[derive(Clone, Copy)]
pub(crate) struct Prefix {
    hash: u64,
    /// Whether the word before the first parameter is among them.
    has_word: bool,
    /// Whether a card, which is never left out, is all that comes behind them.
    pub is_before_card: bool,
}

/// Returns the words with which the keys of all options of a choice begin.
#[inline]
pub(crate) fn prefix(rules: &Ruleset, choice: &Choice) -> Prefix {
    let name = rules.names.hash(choice.name);
    let hash = if choice.chooses { join(CHOOSE, name) } else { name };
    // A parameter that may be left out is left out with its word.
    let first = choice.params.first().filter(|param| !param.maybe);
    let is_before_card = choice.params.len() == 1 && choice.text.is_none() && first.is_some_and(|param| param.cards().is_some());
    match first.and_then(|param| param.word) {
        Some(word) => Prefix { hash: join(hash, rules.names.hash(word)), has_word: true, is_before_card },
        None => Prefix { hash, has_word: false, is_before_card },
    }
}

/// Returns the hash of a key behind its first words.
#[inline]
pub(crate) fn hash_behind(rules: &Ruleset, choice: &Choice, prefix: Prefix, args: Args) -> u64 {
    let Prefix { hash: mut key, mut has_word, is_before_card } = prefix;
    if is_before_card {
        return join(key, rules.piece_hash[cast::index(args[0])]);
    }
    if choice.text.is_some() {
        return hash_of_text(rules, choice, args);
    }
    for (param, value) in choice.params.iter().zip(args) {
        if is_left_out(param, value) {
            continue;
        }
        if let Some(word) = param.word.filter(|_| !has_word) {
            key = join(key, rules.names.hash(word));
        }
        has_word = false;
        key = match param.domain {
            Domain::Cards(_) => join(key, rules.piece_hash[cast::index(value)]),
            Domain::Words(_) | Domain::Numbers { .. } | Domain::Players(_) => join(key, hash_value(rules, param, value)),
        };
    }
    key
}

fn hash_of_text(rules: &Ruleset, choice: &Choice, args: Args) -> u64 {
    let mut words = WordsHash { before: None, word: TextHash::new() };
    push_text(&mut words, rules, choice, args, |card| rules.names.text(rules.definition(cast::index(card)).id));
    words.finish()
}

/// The hash of a text whose parts come one after another: those of its words, joined.
struct WordsHash {
    /// The words before the last one.
    before: Option<u64>,
    word: TextHash,
}

impl WordsHash {
    fn finish(&self) -> u64 {
        let word = self.word.finish();
        self.before.map_or(word, |before| join(before, word))
    }
}

/// What takes the parts of a text, one after another.
trait Sink {
    fn add(&mut self, part: &str);

    /// Adds a number in decimal digits.
    fn add_number(&mut self, number: i64);
}

impl Sink for String {
    fn add(&mut self, part: &str) {
        self.push_str(part);
    }

    fn add_number(&mut self, number: i64) {
        // Writing to a text cannot fail.
        _ = write!(self, "{number}");
    }
}

impl Sink for WordsHash {
    fn add(&mut self, part: &str) {
        for byte in part.bytes() {
            if byte == b' ' {
                *self = WordsHash { before: Some(self.finish()), word: TextHash::new() };
            } else {
                self.word.push(byte);
            }
        }
    }

    fn add_number(&mut self, number: i64) {
        push_digits(number, |digit| self.word.push(digit));
    }
}

/// Returns a key in words; `card` names a card.
pub(crate) fn text<'r>(rules: &'r Ruleset, choice: &Choice, args: Args, card: impl Fn(i32) -> &'r str) -> String {
    if choice.text.is_some() {
        let mut text = String::new();
        push_text(&mut text, rules, choice, args, card);
        return text;
    }
    let name = rules.names.text(choice.name);
    let mut text = if choice.chooses { format!("choose {name}") } else { name.to_string() };
    for (param, value) in choice.params.iter().zip(args).filter(|(param, value)| !is_left_out(param, *value)) {
        if let Some(word) = param.word {
            text.push(' ');
            text.push_str(rules.names.text(word));
        }
        text.push(' ');
        push_value(&mut text, rules, &param.domain, value, &card);
    }
    text
}

/// Adds the text of a choice that has one of its own, with the values in it.
fn push_text<'r>(text: &mut impl Sink, rules: &'r Ruleset, choice: &Choice, args: Args, card: impl Fn(i32) -> &'r str) {
    for part in choice.text.iter().flatten() {
        match part {
            TextPart::Text(words) => text.add(words),
            TextPart::Value(index) => push_value(text, rules, &choice.params[*index as usize].domain, args[*index as usize], &card),
        }
    }
}

/// Whether a card is left out that may be.
pub(crate) fn is_left_out(param: &Param, value: i32) -> bool {
    param.maybe && value < 0
}

/// Returns the word with a value in the local of a parameter.
pub fn word_of(words: &[(NameId, i32)], value: i32) -> Option<NameId> {
    words.iter().find(|(_, known)| *known == value).map(|(name, _)| *name)
}

/// Returns what keys call a value of a domain.
pub(crate) fn text_of_value(rules: &Ruleset, domain: &Domain, value: i32) -> String {
    let mut text = String::new();
    push_value(&mut text, rules, domain, value, |card| rules.names.text(rules.definition(cast::index(card)).id));
    text
}

fn push_value<'r>(text: &mut impl Sink, rules: &'r Ruleset, domain: &Domain, value: i32, card: impl Fn(i32) -> &'r str) {
    match domain {
        Domain::Cards(_) if value < 0 => {}
        Domain::Cards(_) => text.add(card(value)),
        Domain::Words(words) => text.add(word_of(words, value).map_or("", |name| rules.names.text(name))),
        Domain::Numbers { .. } => text.add_number(value.into()),
        Domain::Players(_) => {
            text.add("p");
            text.add_number(i64::from(value) + 1);
        }
    }
}

#[inline(never)]
fn hash_value(rules: &Ruleset, param: &Param, value: i32) -> u64 {
    match &param.domain {
        Domain::Cards(_) => rules.piece_hash[cast::index(value)],
        Domain::Words(words) => word_of(words, value).map_or(0, |name| rules.names.hash(name)),
        Domain::Numbers { .. } => hash_number(TextHash::new(), value.into()),
        Domain::Players(_) => {
            let mut hash = TextHash::new();
            hash.push(b'p');
            hash_number(hash, i64::from(value) + 1)
        }
    }
}

fn hash_number(mut hash: TextHash, number: i64) -> u64 {
    push_digits(number, |digit| hash.push(digit));
    hash.finish()
}

/// Calls `push` with each sign of a number in decimal digits.
#[inline]
fn push_digits(number: i64, mut push: impl FnMut(u8)) {
    if number < 0 {
        push(b'-');
    }
    let (mut rest, mut power) = (number.unsigned_abs(), 1);
    while rest / power >= 10 {
        power *= 10;
    }
    while power > 0 {
        push(b'0' + (rest / power % 10) as u8);
        rest %= power;
        power /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::rules;

    #[test]
    fn keys_are_those_of_the_rules_and_not_of_others_that_lay_there_before() {
        let (mut memo, mut met) = (KeyMemo::default(), std::collections::BTreeSet::new());
        for name in ["howl", "bark", "growl"] {
            // These rules are gone before the next ones are made, and may leave them their place.
            let rules = rules(|rules, _| {
                let name = rules.names.add(name);
                rules.choices = vec![Choice {
                    name,
                    chooses: false,
                    text: None,
                    address: String::new(),
                    params: Vec::new(),
                    when: None,
                    when_stage: 0,
                    guards: Vec::new(),
                    costs: Vec::new(),
                    up_to: None,
                    action: None,
                }];
            });
            let (choice, args) = (&rules.choices[0], [-1; MAX_PARAMS]);
            for _ in 0..2 {
                let kept = memo.of_rules(&rules).hash_behind(&rules, 0, prefix(&rules, choice), args);
                assert_eq!(kept, hash(&rules, choice, args), "{name}");
                met.insert(kept);
            }
        }
        assert_eq!(met.len(), 3);
    }
}
