//! Values of counters, flags, sets and tallies, in words.

use super::words::DisplayNames;
use crate::agent::{OrderedMap, PartlyKnownCard, VariableValue};
use crate::engine::Ruleset;

/// Describes variables in words, as far as there is anything to say of them.
pub(super) fn variables_text(rules: &Ruleset, words: &DisplayNames, variables: &OrderedMap<&str, VariableValue<'_>>) -> Vec<String> {
    variables.0.iter().filter_map(|(name, had)| variable_text(rules, words, name, had)).collect()
}

/// Describes a variable in words. Values that go without saying are left out: false flags, zeros and internal variables. Resources are
/// always shown.
pub(super) fn variable_text(rules: &Ruleset, words: &DisplayNames, name: &str, had: &VariableValue<'_>) -> Option<String> {
    if rules.is_internal_variable(name) {
        return None;
    }
    let resource = rules.names.find(name).is_some_and(|name| rules.resources.contains(&name));
    let name = words.word_name(name);
    let and = format!(" {} ", words.phrases().word("and"));
    match had {
        VariableValue::Hidden => Some(format!("{name} {}", words.phrases().word("hidden"))),
        VariableValue::Number(0) if !resource => None,
        VariableValue::Number(number) => Some(format!("{name} {number}")),
        VariableValue::Truth(truth) => truth.then_some(name),
        VariableValue::Words(set) if set.is_empty() => None,
        VariableValue::Words(set) => {
            Some(format!("{name}: {}", set.iter().map(|word| words.word_name(word)).collect::<Vec<_>>().join(&and)))
        }
        VariableValue::Tally(tally) if tally.is_empty() => None,
        VariableValue::Tally(OrderedMap(tally)) => {
            let counts: Vec<String> = tally.iter().map(|(word, count)| format!("{} {count}", words.word_name(word))).collect();
            Some(format!("{name}: {}", counts.join(&and)))
        }
    }
}

/// Names a card of which the seat has been told only a part, and says in words what it has been told: what the card can be, or what it cannot be if
/// that is shorter.
pub(super) fn partly_known_card(words: &DisplayNames, card: &PartlyKnownCard<'_>) -> (String, Vec<String>) {
    let phrases = words.phrases();
    let listed = |values: &[&str]| values.iter().map(|value| words.word_name(value)).collect::<Vec<_>>().join("/");
    let notes = card.can_be.0.iter().zip(&card.cannot_be.0).map(|((field, can_be), (_, cannot_be))| {
        let field = words.word_name(field);
        match can_be.len() <= cannot_be.len() {
            true if can_be.is_empty() => format!("{field} {}", phrases.word("none")),
            true => format!("{field} {}", listed(can_be)),
            false => phrases.say("{what} not {value}", &[("what", &field), ("value", &listed(cannot_be))]),
        }
    });
    (phrases.say("hidden card {number}", &[("number", &card.number.to_string())]), notes.collect())
}
