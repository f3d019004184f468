//! Finds answers of one question that can have the same key: `"roll on"` beside `"roll {w}"` where `w` can be `on`.

use super::super::problem::RuleProblem;
use super::super::typed::{Choice, Domain};
use super::Checker;
use crate::cast;
use crate::engine::node::Type;
use crate::engine::ruleset::TextPart;

/// A word of a key.
enum KeyWord<'c> {
    /// The word itself.
    Fixed(&'c str),
    /// What is chosen, between these letters.
    Chosen(&'c str, &'c Domain, &'c str),
    /// Several values in one word.
    Several,
}

/// Reports each answer of several fixed words that can have the key of an answer whose text is made of what is chosen. All other answers of
/// one key are numbered.
pub(super) fn report_alike(checker: &mut Checker<'_>, choices: &[Choice]) {
    for one in choices.iter().filter(|choice| choice.text.is_none() && choice.name.contains(' ')) {
        for other in choices {
            let Some(parts) = &other.text else { continue };
            let fixed: Vec<KeyWord<'_>> = one.name.split(' ').map(KeyWord::Fixed).collect();
            let chosen = one.params.iter().map(|param| KeyWord::Chosen("", &param.domain, ""));
            let (first, second) = (fixed.into_iter().chain(chosen).collect::<Vec<_>>(), words_of(parts, other));
            if first.len() == second.len() && first.iter().zip(&second).all(|(a, b)| can_be_same(checker, a, b)) {
                checker.report(RuleProblem::AnswersAlike { one: one.name.clone(), other: other.name.clone() }.at(one.span));
            }
        }
    }
}

/// Returns the words of a text.
fn words_of<'c>(parts: &'c [TextPart], choice: &'c Choice) -> Vec<KeyWord<'c>> {
    let mut words: Vec<KeyWord<'c>> = Vec::new();
    // Whether the next text goes on with the last word.
    let mut joined = false;
    for part in parts {
        match part {
            TextPart::Text(text) => {
                for (at, word) in text.split(' ').enumerate() {
                    let goes_on = at == 0 && joined;
                    if word.is_empty() {
                        continue;
                    }
                    let last = if goes_on { words.pop() } else { None };
                    words.push(match last {
                        Some(KeyWord::Chosen(before, domain, _)) => KeyWord::Chosen(before, domain, word),
                        Some(KeyWord::Fixed(_) | KeyWord::Several) => KeyWord::Several,
                        None => KeyWord::Fixed(word),
                    });
                }
                joined = !text.ends_with(' ');
            }
            TextPart::Value(index) => {
                let Some(param) = choice.params.get(usize::from(*index)) else { return Vec::new() };
                let last = if joined { words.pop() } else { None };
                words.push(match last {
                    Some(KeyWord::Fixed(before)) => KeyWord::Chosen(before, &param.domain, ""),
                    Some(KeyWord::Chosen(..) | KeyWord::Several) => KeyWord::Several,
                    None => KeyWord::Chosen("", &param.domain, ""),
                });
                joined = true;
            }
        }
    }
    words
}

fn can_be_same(checker: &Checker<'_>, a: &KeyWord<'_>, b: &KeyWord<'_>) -> bool {
    match (a, b) {
        (KeyWord::Fixed(a), KeyWord::Fixed(b)) => a == b,
        (KeyWord::Fixed(word), KeyWord::Chosen(before, domain, behind))
        | (KeyWord::Chosen(before, domain, behind), KeyWord::Fixed(word)) => {
            word.strip_prefix(before).and_then(|word| word.strip_suffix(behind)).is_some_and(|word| can_be(checker, domain, word))
        }
        (KeyWord::Chosen(..) | KeyWord::Several, KeyWord::Chosen(..) | KeyWord::Several) => true,
        (KeyWord::Several, KeyWord::Fixed(_)) | (KeyWord::Fixed(_), KeyWord::Several) => true,
    }
}

/// Whether what is chosen can be a word.
fn can_be(checker: &Checker<'_>, domain: &Domain, word: &str) -> bool {
    let defs = &checker.rules.defs;
    match domain {
        Domain::Cards(_) => defs.find_declared(super::super::defs::Space::Card, word).is_some(),
        Domain::Words(_, words, Type::Choice(list)) => {
            words.iter().any(|&index| defs.lists[usize::from(*list)].get(cast::index(index)).is_some_and(|known| known == word))
        }
        Domain::Words(_, _, Type::Symbol) => defs.symbol(word).is_some(),
        Domain::Words(..) => defs.resource(word).is_some() || defs.token(word).is_some(),
        Domain::Numbers(..) => word.parse::<i64>().is_ok(),
        Domain::Players(..) => crate::syntax::seat_number(word).is_some(),
    }
}
