//! What is printed on a card: its name, kind, figures and text, in one language.

use serde::{Deserialize, Serialize};

use crate::lang::GameText;
use crate::lang::defs::DefKind;
use crate::pack::{RawCard, Spanned, TomlValue};
use crate::table::{DisplayNames, value_text};

/// What is printed on a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardContent {
    /// Id of the card.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Name of the kind in rules.
    pub kind: String,
    /// Display name of the kind.
    pub kind_name: String,
    /// Age; 0 for a card that has none.
    #[serde(default)]
    pub age: i64,
    /// Display name of the set, if the card belongs to one.
    #[serde(default)]
    pub set: Option<String>,
    /// How many of it the game has.
    pub copies: u16,
    /// The text in words.
    #[serde(default)]
    pub text: Option<String>,
    /// Fields and counters, in the order in which the card has them.
    #[serde(default)]
    pub figures: Vec<PrintedFigure>,
}

/// A field or counter with what is printed of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedFigure {
    /// Name of the field in rules.
    pub field: String,
    /// Display name of the field.
    pub name: String,
    /// Its value; several parts for a list or a table.
    pub value: Vec<ValuePart>,
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValuePart {
    /// The word of the rules that it is about, which may have an icon.
    #[serde(default)]
    pub word: Option<String>,
    /// What is printed.
    pub text: String,
}

impl CardContent {
    /// Returns the figure of a field.
    pub fn figure(&self, field: &str) -> Option<&PrintedFigure> {
        self.figures.iter().find(|figure| figure.field == field)
    }
}

impl PrintedFigure {
    /// Returns the value as one text.
    pub fn value_text(&self) -> String {
        self.value.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ")
    }
}

/// Collects what is printed on the cards of a game, in the language of `words`: by kind as they first come, and by age within a kind.
pub fn contents_of(text: &GameText, words: &DisplayNames) -> Vec<CardContent> {
    let declared = text.checked().definitions().all().filter(|(_, def)| matches!(def.kind, DefKind::Field(_)));
    let fields: Vec<&str> = declared.map(|(_, def)| def.name.as_str()).collect();
    let mut kinds: Vec<&str> = Vec::new();
    for card in &text.content.cards {
        if !kinds.contains(&card.kind.text.as_str()) {
            kinds.push(&card.kind.text);
        }
    }
    let mut contents: Vec<CardContent> = text.content.cards.iter().map(|card| content_of(text, words, card, &fields)).collect();
    contents.sort_by_key(|card| (kinds.iter().position(|kind| *kind == card.kind), card.age));
    contents
}

/// Collects what is printed on a card, its figures in the order in which the rules declare the fields.
fn content_of(text: &GameText, words: &DisplayNames, card: &RawCard, order: &[&str]) -> CardContent {
    let names = words.translations();
    let fields = card.fields.iter().map(|(name, value)| (&name.text, parts_of(value, text, words)));
    let counters = card.counters.iter().map(|(name, first)| (&name.text, vec![ValuePart { word: None, text: first.to_string() }]));
    // What the rules say where the card says nothing is worth as much in play.
    let defaults = text.checked().defaults_of(&card.kind.text);
    let defaults: Vec<(String, i64)> = defaults.into_iter().map(|(field, value)| (field.to_string(), value)).collect();
    let unsaid = defaults.iter().filter(|(field, _)| !card.fields.iter().any(|(name, _)| name.text == *field));
    let unsaid = unsaid.map(|(field, value)| (field, vec![ValuePart { word: None, text: value.to_string() }]));
    // A field of which nothing is said has no line.
    let figures = fields.chain(unsaid).chain(counters).filter(|(_, value)| !value.is_empty());
    let figure = |(field, value): (&String, Vec<ValuePart>)| PrintedFigure { field: field.clone(), name: words.word_name(field), value };
    let mut figures: Vec<PrintedFigure> = figures.map(figure).collect();
    figures.sort_by_key(|figure| order.iter().position(|field| *field == figure.field).unwrap_or(order.len()));
    CardContent {
        id: card.id.text.clone(),
        name: words.card_name(&card.id.text).to_string(),
        kind: card.kind.text.clone(),
        kind_name: words.word_name(names.kind(&card.kind.text)),
        age: card.age,
        set: card.set.as_ref().map(|set| words.word_name(&names.translate_word(&set.text))),
        copies: card.copies.unwrap_or(1),
        text: card.said().map(|text| paragraphs_of(&text.text)),
        figures,
    }
}

/// Joins the lines of a text; an empty line begins a paragraph.
fn paragraphs_of(text: &str) -> String {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => {
                let gap = if last.is_empty() { "" } else { " " };
                last.push_str(&format!("{gap}{line}"));
            }
            Some(last) if !last.is_empty() => paragraphs.push(String::new()),
            Some(_) | None => {}
        }
    }
    paragraphs.join("\n").trim_end().to_string()
}

/// Takes a value apart: each element of a list, and each key of a table with its value.
fn parts_of(value: &Spanned, text: &GameText, words: &DisplayNames) -> Vec<ValuePart> {
    let whole = |value: &Spanned| value_text(value, text, words.translations());
    match &value.value {
        TomlValue::Text(word) => {
            let text = match words.face(&word.text) {
                Some(_) => words.card_name(&word.text).to_string(),
                None => words.word_name(&whole(value)),
            };
            vec![ValuePart { word: Some(word.text.clone()), text }]
        }
        TomlValue::Integer(_) | TomlValue::Boolean(_) => vec![ValuePart { word: None, text: whole(value) }],
        TomlValue::List(values) => values.iter().flat_map(|value| parts_of(value, text, words)).collect(),
        TomlValue::Table(keys) => {
            let part = |key: &str, value: &Spanned| ValuePart {
                word: Some(key.to_string()),
                text: format!("{} {}", words.word_name(key), whole(value)),
            };
            keys.iter().map(|(key, value)| part(&key.text, value)).collect()
        }
    }
}
