//! A card as text for people: name, printed values and rules text.

use crate::lang::GameText;
use crate::pack::{Spanned, TomlValue, Translations};

use super::words::DisplayNames;

/// Writes the lines that describe the card with this id: name, kind and printed values, and rules text. `None` for an unknown id.
pub fn card_lines(text: &GameText, words: &DisplayNames, id: &str) -> Option<Vec<String>> {
    let names = words.translations();
    let checked = text.checked();
    let of_text = text.content.cards.iter().find(|card| card.id.text == id);
    // The spaces of boards are among the checked cards alone.
    let card = of_text.or_else(|| checked.cards().iter().find(|card| card.id.text == id))?;
    let kind = words.word_name(names.kind(&card.kind.text));
    let mut facts = vec![if of_text.is_some() { kind } else { format!("space of {kind}") }];
    if card.age != 0 {
        facts.push(words.phrases().say("age {number}", &[("number", &card.age.to_string())]));
    }
    facts.extend(card.set.as_ref().map(|set| names.translate_word(&set.text)));
    let mut lines = vec![format!("{} ({})", words.card_name(id), facts.join(", "))];
    let valued = card.fields.iter().map(|(name, value)| (name, value_text(value, text, names))).filter(|(_, value)| !value.is_empty());
    let figures = valued.map(|(name, value)| format!("{} {value}", words.word_name(&name.text)));
    let counters = card.counters.iter().map(|(name, first)| format!("{} {first}", words.word_name(&name.text)));
    let figures: Vec<String> = figures.chain(counters).collect();
    if !figures.is_empty() {
        lines.push(figures.join("; "));
    }
    lines.extend(card.said().map(|text| text.text.split_whitespace().collect::<Vec<_>>().join(" ")));
    Some(lines)
}

/// Formats a value of a card as people write it.
pub fn value_text(value: &Spanned, text: &GameText, names: &Translations) -> String {
    let each = |value: &Spanned| value_text(value, text, names);
    let card = |id: &str| text.content.cards.iter().find(|card| card.id.text == id).filter(|_| names.has_cards());
    match &value.value {
        TomlValue::Integer(number) => number.to_string(),
        TomlValue::Text(word) => card(&word.text).map_or_else(|| names.translate_word(&word.text), |card| names.card(card).to_string()),
        TomlValue::Boolean(truth) => if *truth { "yes" } else { "no" }.to_string(),
        TomlValue::List(values) => values.iter().map(each).collect::<Vec<_>>().join(", "),
        TomlValue::Table(keys) => {
            keys.iter().map(|(key, value)| format!("{} {}", names.translate_word(&key.text), each(value))).collect::<Vec<_>>().join(", ")
        }
    }
}
