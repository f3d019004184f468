//! Display names: options and log lines contain ids, which are replaced by names here.

use crate::cast;
use std::collections::BTreeMap;

use crate::engine::decision::{Args, Question};
use crate::engine::ruleset::{Choice, Domain, NameId, Param, TextPart};
use crate::engine::{Act, Opt, Ruleset};
use crate::lang::GameText;
use crate::pack::{TomlValue, Translations};

use super::card::value_text;
use super::phrases::Phrases;

/// Display names of a game in one language.
pub struct DisplayNames {
    names: Translations,
    /// What the program itself says in the language.
    phrases: Phrases,
    /// Display name of each card by id.
    cards: BTreeMap<String, String>,
    /// What is printed on cards and spaces, by id.
    printed: BTreeMap<String, CardFace>,
}

/// What is printed on a card or space, as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardFace {
    /// Name of the kind in rules.
    pub kind: String,
    /// Display name of the kind, with the age of a card that has one: `Wolf, age 2`.
    pub sort: String,
    /// The fields, without those that the card leaves to their defaults.
    pub figures: Vec<Figure>,
    /// The rules text in one line, if there is one.
    pub text: Option<String>,
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
        let phrases = Phrases::of_language(names.language());
        let mut words = DisplayNames { names, phrases, cards, printed: BTreeMap::new() };
        let printed = checked.cards().iter().map(|card| {
            let figures = card.fields.iter().map(|(name, value)| Figure {
                field: name.text.clone(),
                name: words.word_name(&name.text),
                value: value_text(value, text, &words.names),
                is_word: matches!(value.value, TomlValue::Text(_)),
            });
            let said = card.said().map(|text| text.text.split_whitespace().collect::<Vec<_>>().join(" "));
            let kind = words.word_name(words.names.kind(&card.kind.text));
            let age = || words.phrases.say("age {number}", &[("number", &card.age.to_string())]);
            let sort = if card.age == 0 { kind } else { format!("{kind}, {}", age()) };
            let face = CardFace { kind: card.kind.text.clone(), sort, figures: figures.collect(), text: said };
            (card.id.text.clone(), face)
        });
        words.printed = printed.collect();
        words
    }

    /// Returns what the program itself says in the language.
    pub fn phrases(&self) -> &Phrases {
        &self.phrases
    }

    /// Returns what is printed on the card or space with this id.
    pub fn face(&self, id: &str) -> Option<&CardFace> {
        self.printed.get(id)
    }

    /// Returns the fields that are printed on a card or space, without those that it leaves to their defaults.
    pub fn figures(&self, id: &str) -> &[Figure] {
        self.face(id).map_or(&[], |face| &face.figures)
    }

    /// Says in one line what is printed on a card: its fields, or its rules text if it has none; `None` if there is neither, or if it is longer
    /// than `width` letters.
    pub fn card_in_short(&self, id: &str, width: usize) -> Option<String> {
        let face = self.face(id)?;
        let figures: Vec<String> = face.figures.iter().map(Figure::to_string).collect();
        let words = if figures.is_empty() { face.text.clone()? } else { figures.join(", ") };
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
        self.replace_words(key, |word| self.names.known_word(word).or_else(|| word.contains('_').then(|| self.word_name(word))))
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

    /// Describes a question: what is to be done in a turn, with the name of its phase; which card asks; or the question's title, or its name
    /// in the rules without the number within its step.
    pub fn describe_question(&self, rules: &Ruleset, question: Question) -> String {
        let named = |id: &str| match self.names.known_word(id) {
            Some(name) => name,
            None => self.word_name(id.split('.').next().unwrap_or(id)),
        };
        match question {
            Question::Card(definition) => {
                let card = self.card_name(rules.names.text(rules.definitions[definition as usize].id));
                self.phrases.say("what {card} is to do", &[("card", card)])
            }
            Question::Turn(_) => self.phrases.say("what to do ({phase})", &[("phase", &named(&question.text(rules)))]),
            Question::Cover => self.phrases.word("which card to cover"),
            Question::Payment => self.phrases.word("what to pay with"),
            Question::Rules(_) => match question.title(rules) {
                Some(title) => self.names.known_word(title).unwrap_or_else(|| title.to_string()),
                None => named(&question.text(rules)),
            },
        }
    }

    /// Says a space of a grid, by the name of its place and its row and column, from 1.
    pub fn place_at(&self, place: &str, row: usize, column: usize) -> String {
        let (row, column) = (row.to_string(), column.to_string());
        self.phrases.say("{place} row {row} column {column}", &[("place", place), ("row", &row), ("column", &column)])
    }

    /// Says who is asked what.
    pub fn who_is_asked(&self, rules: &Ruleset, seat: usize, question: Question) -> String {
        let values = [("who", &*crate::agent::seat_name(seat)), ("question", &*self.describe_question(rules, question))];
        self.phrases.say("{who} is asked: {question}", &values)
    }

    /// Says who has won a game that is over.
    pub fn describe_winners(&self, rules: &Ruleset, winners: &[usize]) -> String {
        let winners: Vec<String> = winners.iter().copied().map(crate::agent::seat_name).collect();
        match winners.as_slice() {
            [] if rules.together.is_some() => self.phrases.word("the game is lost"),
            [] => self.phrases.word("nobody has won"),
            [one] => self.phrases.say("{who} has won", &[("who", one)]),
            several => {
                let all = several.join(&format!(" {} ", self.phrases.word("and")));
                self.phrases.say("{who} have won together", &[("who", &all)])
            }
        }
    }

    /// Formats a log line with display names of cards and resources. Answers are worded like
    /// [`DisplayNames::describe_option`] where possible.
    pub fn log_line(&self, rules: &Ruleset, line: &str) -> String {
        // A name of the rules that has several words is told in words.
        let is_named = |word: &str| rules.names.find(word).is_some() || rules.find_place(word).is_some();
        let said = |text: &str| {
            self.replace_words(text, |word| match self.cards.get(word) {
                Some(name) => Some(name.clone()),
                None if is_named(word) => self.names.known_word(word).or_else(|| word.contains('_').then(|| self.word_name(word))),
                None => None,
            })
        };
        // Rows and columns of places are the program's own words.
        let told = |text: &str| {
            let (place, at) = text.split_once(" row ").map_or((text, None), |(place, at)| (place, at.split_once(" column ")));
            match at {
                Some((row, column)) => {
                    let numbers = row.parse().ok().zip(column.parse().ok());
                    numbers.map_or_else(|| said(text), |(row, column)| self.place_at(&said(place), row, column))
                }
                None => said(text),
            }
        };
        if let Some(told) = self.phrases.log_line(line, told) {
            return told;
        }
        let Some((seat, answer)) = line.split_once(": ") else { return said(line) };
        if let Some(name) = self.names.known_word(answer.strip_prefix("choose ").unwrap_or(answer)) {
            return format!("{seat}: {name}");
        }
        let (first, rest) = answer.split_at(answer.find(' ').unwrap_or(answer.len()));
        let is_action = rules.actions().iter().any(|action| rules.names.text(action.name) == first);
        let first = if is_action || first == "choose" { self.word_name(first) } else { said(first) };
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
