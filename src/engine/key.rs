//! The keys of a choice's options: their words and hashes. A key is the name of the choice, or `choose`, with the values of its parameters,
//! or a text with these values in it.

use super::decision::Args;
use super::ruleset::{Choice, Domain, NameId, Param, Ruleset, TextPart};
use crate::cast;
use houserule_state::chance::{hash_text, join};
use std::fmt::Write;

const CHOOSE: u64 = hash_text("choose");

/// Returns the hash of a key. A text with values in it has the hash that its words would have one after another.
#[inline]
pub(crate) fn hash(rules: &Ruleset, choice: &Choice, args: Args) -> u64 {
    hash_behind(rules, choice, prefix(rules, choice), args)
}

/// Returns the hash of the words with which the keys of all options of a choice begin.
#[inline]
pub(crate) fn prefix(rules: &Ruleset, choice: &Choice) -> u64 {
    let name = rules.names.hash(choice.name);
    if choice.chooses { join(CHOOSE, name) } else { name }
}

/// Returns the hash of a key; `prefix` is that of its first words.
#[inline]
pub(crate) fn hash_behind(rules: &Ruleset, choice: &Choice, prefix: u64, args: Args) -> u64 {
    if choice.text.is_some() {
        return hash_of_text(rules, choice, args);
    }
    let mut key = prefix;
    for (param, value) in choice.params.iter().zip(args) {
        if is_left_out(param, value) {
            continue;
        }
        if let Some(word) = param.word {
            key = join(key, rules.names.hash(word));
        }
        key = match param.domain {
            Domain::Cards(_) => join(key, rules.piece_hash[cast::index(value)]),
            Domain::Words(_) | Domain::Numbers { .. } | Domain::Players(_) => join(key, hash_value(rules, param, value)),
        };
    }
    key
}

#[cold]
fn hash_of_text(rules: &Ruleset, choice: &Choice, args: Args) -> u64 {
    let text = text(rules, choice, args, |card| rules.names.text(rules.definition(cast::index(card)).id));
    let mut words = text.split(' ').map(hash_text);
    let first = words.next().unwrap_or(CHOOSE);
    words.fold(first, join)
}

/// Returns a key in words; `card` names a card.
pub(crate) fn text<'r>(rules: &'r Ruleset, choice: &Choice, args: Args, card: impl Fn(i32) -> &'r str) -> String {
    if let Some(parts) = &choice.text {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Text(words) => text.push_str(words),
                TextPart::Value(index) => push_value(&mut text, rules, &choice.params[*index as usize], args[*index as usize], &card),
            }
        }
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
        push_value(&mut text, rules, param, value, &card);
    }
    text
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
    push_in_domain(&mut text, rules, domain, value, |card| rules.names.text(rules.definition(cast::index(card)).id));
    text
}

fn push_value<'r>(text: &mut String, rules: &'r Ruleset, param: &Param, value: i32, card: impl Fn(i32) -> &'r str) {
    push_in_domain(text, rules, &param.domain, value, card);
}

fn push_in_domain<'r>(text: &mut String, rules: &'r Ruleset, domain: &Domain, value: i32, card: impl Fn(i32) -> &'r str) {
    match domain {
        Domain::Cards(_) if value < 0 => {}
        Domain::Cards(_) => text.push_str(card(value)),
        Domain::Words(words) => text.push_str(word_of(words, value).map_or("", |name| rules.names.text(name))),
        // Writing to a text cannot fail.
        Domain::Numbers { .. } => _ = write!(text, "{value}"),
        Domain::Players(_) => _ = write!(text, "p{}", value.saturating_add(1)),
    }
}

#[inline(never)]
fn hash_value(rules: &Ruleset, param: &Param, value: i32) -> u64 {
    match &param.domain {
        Domain::Cards(_) => rules.piece_hash[cast::index(value)],
        Domain::Words(words) => word_of(words, value).map_or(0, |name| rules.names.hash(name)),
        Domain::Numbers { .. } => hash_digits(None, value),
        Domain::Players(_) => hash_digits(Some(b'p'), value.saturating_add(1)),
    }
}

/// Hashes a number in decimal digits, perhaps behind a letter, without allocating its text.
fn hash_digits(letter: Option<u8>, number: i32) -> u64 {
    let mut digits = [0; 12];
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
    if let Some(letter) = letter {
        first -= 1;
        digits[first] = letter;
    }
    hash_text(std::str::from_utf8(&digits[first..]).unwrap_or(""))
}
