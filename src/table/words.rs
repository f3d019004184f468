//! Display names: options and log lines contain ids, which are replaced by names here.

use crate::cast;
use std::collections::BTreeMap;

use crate::engine::decision::{Args, Question};
use crate::engine::ruleset::{Choice, Domain, NameId, Param, TextPart};
use crate::engine::{Act, Opt, Ruleset};
use crate::lang::GameText;
use crate::pack::{TomlValue, Translations};

use super::card::value_text;

/// Display names of a game in one language.
pub struct DisplayNames {
    names: Translations,
    /// Display name of each card by id.
    cards: BTreeMap<String, String>,
    /// What is printed on cards and spaces, by id: their fields, and their rules text.
    printed: BTreeMap<String, (Vec<Figure>, Option<String>)>,
}

/// A field printed on a card or space, as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Name of the field in rules.
    pub field: String,
    /// Display name of the field.
    pub name: String,
    /// Its value in words.
    pub value: String,
    /// Whether the value is a word, which tells what it is without the field's name.
    pub is_word: bool,
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.name, self.value)
    }
}

impl DisplayNames {
    /// Collects the names of a game in the language of `names`.
    pub fn new(text: &GameText, names: Translations) -> DisplayNames {
        let called = |card: &crate::pack::RawCard| (card.id.text.clone(), names.card(card).to_string());
        // The spaces of boards are among the checked cards alone.
        let checked = text.checked();
        let cards = text.content.cards.iter().chain(checked.cards()).map(called).collect();
        let mut words = DisplayNames { names, cards, printed: BTreeMap::new() };
        let printed = checked.cards().iter().map(|card| {
            let figures = card.fields.iter().map(|(name, value)| Figure {
                field: name.text.clone(),
                name: words.word_name(&name.text),
                value: value_text(value, text, &words.names),
                is_word: matches!(value.value, TomlValue::Text(_)),
            });
            let said = card.text.as_ref().map(|text| text.text.split_whitespace().collect::<Vec<_>>().join(" "));
            (card.id.text.clone(), (figures.collect(), said))
        });
        words.printed = printed.collect();
        words
    }

    /// Returns the fields that are printed on a card or space, without those that it leaves to their defaults.
    pub fn figures(&self, id: &str) -> &[Figure] {
        self.printed.get(id).map_or(&[], |(figures, _)| figures)
    }

    /// Says in one line what is printed on a card: its fields, or its rules text if it has none; `None` if there is neither, or if it is longer
    /// than `width` letters.
    pub fn card_in_short(&self, id: &str, width: usize) -> Option<String> {
        let (figures, said) = self.printed.get(id)?;
        let figures: Vec<String> = figures.iter().map(Figure::to_string).collect();
        let words = if figures.is_empty() { said.clone()? } else { figures.join(", ") };
        Some(words).filter(|words| words.chars().count() <= width)
    }

    /// Returns the translated names of words and kinds.
    pub fn translations(&self) -> &Translations {
        &self.names
    }

    /// Returns the display name of a card; the id itself for an unknown card.
    pub fn card_name<'w>(&'w self, id: &'w str) -> &'w str {
        self.cards.get(id).map_or(id, String::as_str)
    }

    /// Returns the display name of a word of the rules. One of several decks, such as `pile[2]`, keeps its number.
    pub fn word_name(&self, word: &str) -> String {
        if let Some((name, number)) = word.strip_suffix(']').and_then(|word| word.split_once('[')) {
            return format!("{} {number}", self.word_name(name));
        }
        self.names.known_word(word).unwrap_or_else(|| word.replace('_', " "))
    }

    /// Returns the display name of a token: each word of its key is translated.
    pub fn token_name(&self, key: &str) -> String {
        self.replace_words(key, |word| self.names.known_word(word))
    }

    /// Describes an option: the action and its targets. For an answer to a question only the answer.
    pub fn describe_option(&self, rules: &Ruleset, option: &Opt) -> String {
        if option.is_unseen() {
            let key = option.text(rules);
            return key.strip_prefix("choose ").unwrap_or(&key).to_string();
        }
        let text = |name: NameId| rules.names.text(name);
        let card = |piece: i16| self.card_name(text(rules.definition(cast::index(piece)).id)).to_string();
        let words = match option.act {
            Act::Word(name) => self.word_name(text(name)),
            Act::Card(piece) => card(piece),
            Act::Token(class, pool) => {
                let key = self.token_name(text(rules.classes[class as usize].key));
                rules.pools.get(pool as usize).map_or_else(|| key.clone(), |pool| format!("{} {key}", self.word_name(text(pool.name))))
            }
            Act::Nothing => self.word_name("nothing"),
            Act::Done => self.word_name("done"),
            Act::Choice(choice, args) => self.describe_choice(rules, &rules.choices[choice as usize], args),
        };
        if option.nth > 0 { format!("{words} #{}", option.nth + 1) } else { words }
    }

    /// Describes a choice with what is chosen: its name and the values, or its text with the values in it. An answer that is chosen alone is
    /// only this.
    fn describe_choice(&self, rules: &Ruleset, choice: &Choice, args: Args) -> String {
        let text = |name: NameId| rules.names.text(name);
        let value = |param: &Param, value: i32| match &param.domain {
            Domain::Cards(_) => {
                let card = usize::try_from(value).ok();
                card.map_or_else(String::new, |card| self.card_name(text(rules.definition(card).id)).to_string())
            }
            Domain::Words(words) => {
                let named = words.iter().find(|(_, known)| *known == value);
                named.map_or_else(String::new, |(name, _)| self.word_name(text(*name)))
            }
            Domain::Numbers { .. } => value.to_string(),
            Domain::Players(_) => format!("p{}", value.saturating_add(1)),
        };
        if let Some(parts) = &choice.text {
            // The words of an answer are its name, with the names of what is chosen in braces.
            let named = text(choice.name);
            if let Some(translated) = self.names.known_word(named).filter(|_| named.contains('{')) {
                let chosen: Vec<&str> = named.split('{').skip(1).map(|part| part.split('}').next().unwrap_or("").trim()).collect();
                let values = parts.iter().filter_map(|part| match part {
                    TextPart::Text(_) => None,
                    TextPart::Value(index) => Some(value(&choice.params[*index as usize], args[*index as usize])),
                });
                return chosen
                    .iter()
                    .zip(values)
                    .fold(translated, |words, (name, value)| words.replacen(&format!("{{{name}}}"), &value, 1));
            }
            let part = |part: &TextPart| match part {
                TextPart::Text(words) => words.clone(),
                TextPart::Value(index) => value(&choice.params[*index as usize], args[*index as usize]),
            };
            return parts.iter().map(part).collect();
        }
        let mut words = Vec::new();
        if choice.params.is_empty() || text(choice.name) != "choose" {
            words.push(self.word_name(text(choice.name)));
        }
        for (param, arg) in choice.params.iter().zip(args).filter(|(param, arg)| !param.maybe || *arg >= 0) {
            words.extend(param.word.map(|word| self.word_name(text(word))));
            words.push(value(param, arg));
        }
        words.join(" ")
    }

    /// Describes a question: its title, the name of the card that asks, or the name in the rules, without the number within its step.
    pub fn describe_question(&self, rules: &Ruleset, question: Question) -> String {
        if let Question::Card(definition) = question {
            return self.card_name(rules.names.text(rules.definitions[definition as usize].id)).to_string();
        }
        if let Some(title) = question.title(rules) {
            return self.names.known_word(title).unwrap_or_else(|| title.to_string());
        }
        let id = question.text(rules);
        match self.names.known_word(&id) {
            Some(name) => name,
            None => self.word_name(id.split('.').next().unwrap_or(&id)),
        }
    }

    /// Formats a log line with display names of cards and resources. Answers are worded like
    /// [`DisplayNames::describe_option`] where possible.
    pub fn log_line(&self, rules: &Ruleset, line: &str) -> String {
        let is_resource = |word: &str| rules.names.find(word).is_some_and(|name| rules.resources.contains(&name));
        // A name of the rules that has several words is told in words.
        let is_named = |word: &str| word.contains('_') && (rules.names.find(word).is_some() || rules.find_place(word).is_some());
        let said = |text: &str| {
            self.replace_words(text, |word| match self.cards.get(word) {
                Some(name) => Some(name.clone()),
                None if is_named(word) => Some(self.word_name(word)),
                None => self.names.known_word(word).filter(|_| is_resource(word)),
            })
        };
        let Some((seat, answer)) = line.split_once(": ") else { return said(line) };
        if let Some(name) = self.names.known_word(answer.strip_prefix("choose ").unwrap_or(answer)) {
            return format!("{seat}: {name}");
        }
        let (first, rest) = answer.split_at(answer.find(' ').unwrap_or(answer.len()));
        let is_action = rules.actions().iter().any(|action| rules.names.text(action.name) == first);
        let first = if is_action { self.word_name(first) } else { said(first) };
        format!("{seat}: {first}{}", said(rest))
    }

    /// Replaces the ids of cards in a line by their display names.
    pub fn replace_card_ids(&self, line: &str) -> String {
        self.replace_words(line, |word| self.cards.get(word).cloned())
    }

    /// Replaces each word of a line for which `instead` returns another text.
    fn replace_words(&self, line: &str, instead: impl Fn(&str) -> Option<String>) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while !rest.is_empty() {
            let end = rest.find(|letter: char| !is_id_char(letter)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            out.push_str(instead(word).as_deref().unwrap_or(word));
            let between = behind.find(is_id_char).unwrap_or(behind.len());
            out.push_str(&behind[..between]);
            rest = &behind[between..];
        }
        out
    }

    /// Finds the card whose id or name equals the text, ignoring case and separators.
    pub fn find_card(&self, text: &str) -> Option<&str> {
        let wanted = normalised(text);
        let mut all = self.cards.iter();
        all.find(|(id, name)| normalised(id) == wanted || normalised(name) == wanted).map(|(id, _)| id.as_str())
    }

    /// Returns the ids and names of all cards, for suggestions after a typing error.
    pub fn ids_and_names(&self) -> impl Iterator<Item = &str> {
        self.cards.iter().flat_map(|(id, name)| [id.as_str(), name.as_str()])
    }
}

fn is_id_char(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn normalised(text: &str) -> String {
    text.trim().to_lowercase().replace([' ', '-'], "_").replace('\'', "")
}
