//! `where = "kind is wall and age == 1"`: which cards a patch means. Cards are still text at that time, so this compares
//! what is written on them: a number that is not written counts as 0, a word that is not written is no word.

use std::collections::BTreeSet;

use crate::compare::Compare;
use crate::diagnostic::Diagnostic;

use super::cards::RawCard;
use super::read::{Text, Value};

/// A condition deeper than this is refused.
const DEEPEST: usize = 50;

/// And one of more words and signs than this.
const LONGEST: usize = 1000;

/// A condition on cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Both hold.
    And(Box<Selection>, Box<Selection>),
    /// One holds.
    Or(Box<Selection>, Box<Selection>),
    /// It does not hold.
    Not(Box<Selection>),
    /// `kind is wall`: key, word.
    Is(String, String),
    /// `age >= 2`: key, how, number.
    Compare(String, Compare, i64),
}

impl Selection {
    /// Reads a condition: `KEY is WORD`, `KEY is not WORD`, `KEY == NUMBER` and the like, joined by `and`, `or`, `not`
    /// and parentheses. `card.KEY` is the same as `KEY`.
    pub fn parse(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Selection> {
        let words = words_of(&text.text);
        let mut reading = Reading { words: &words, next: 0 };
        let found = if words.len() > LONGEST { Err("a shorter condition") } else { reading.either(0) };
        let found = found.and_then(|found| match reading.peek() {
            None => Ok(found),
            Some(_) => Err("`and` or `or`"),
        });
        found.map_err(|expected| diagnostics.push(reading.fault(text, expected))).ok()
    }

    /// Whether it holds for a card.
    pub fn matches(&self, card: &RawCard) -> bool {
        match self {
            Selection::And(a, b) => a.matches(card) && b.matches(card),
            Selection::Or(a, b) => a.matches(card) || b.matches(card),
            Selection::Not(a) => !a.matches(card),
            Selection::Is(key, word) => word_on(card, key) == Some(word.as_str()),
            Selection::Compare(key, how, number) => how.holds(number_on(card, key), *number),
        }
    }
}

impl Selection {
    /// Keys and words of the condition that no card has at all, each with those that cards do have: why it fits none.
    pub fn strangers(&self, cards: &[&RawCard]) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        self.collect_strangers(cards, &mut found);
        found
    }

    fn collect_strangers(&self, cards: &[&RawCard], found: &mut Vec<(String, Vec<String>)>) {
        const COMMON: [&str; 5] = ["id", "kind", "set", "source", "age"];
        let is_key = |key: &str| COMMON.contains(&key) || cards.iter().any(|card| field_on(card, key).is_some());
        let (key, word) = match self {
            Selection::And(a, b) | Selection::Or(a, b) => {
                a.collect_strangers(cards, found);
                return b.collect_strangers(cards, found);
            }
            Selection::Not(a) => return a.collect_strangers(cards, found),
            Selection::Is(key, word) => (key, Some(word)),
            Selection::Compare(key, ..) => (key, None),
        };
        if !is_key(key) {
            let mut keys: Vec<String> = COMMON.iter().map(ToString::to_string).collect();
            keys.extend(cards.iter().flat_map(|card| &card.fields).map(|(name, _)| name.text.clone()));
            found.push((key.clone(), keys));
        } else if let Some(word) = word
            && !cards.iter().any(|card| word_on(card, key) == Some(word))
        {
            let words: BTreeSet<&str> = cards.iter().filter_map(|card| word_on(card, key)).collect();
            found.push((word.clone(), words.into_iter().map(str::to_owned).collect()));
        }
    }
}

fn word_on<'a>(card: &'a RawCard, key: &str) -> Option<&'a str> {
    let text = match key {
        "id" => Some(&card.id),
        "kind" => Some(&card.kind),
        "set" => card.set.as_ref(),
        "source" => card.source.as_ref(),
        _ => match field_on(card, key) {
            Some(Value::Text(text)) => Some(text),
            Some(Value::Boolean(true)) => return Some("yes"),
            Some(Value::Boolean(false)) => return Some("no"),
            _ => None,
        },
    };
    text.map(|text| text.text.as_str())
}

fn number_on(card: &RawCard, key: &str) -> i64 {
    if key == "age" {
        return card.age;
    }
    match field_on(card, key) {
        Some(Value::Integer(number)) => *number,
        _ => 0,
    }
}

/// `wall`, or `wall.wisp` for a part of a table.
fn field_on<'a>(card: &'a RawCard, key: &str) -> Option<&'a Value> {
    let mut fields = &card.fields;
    let mut parts = key.split('.').peekable();
    while let Some(part) = parts.next() {
        let (_, value) = fields.iter().find(|(name, _)| name.text == part)?;
        match &value.value {
            Value::Table(inner) if parts.peek().is_some() => fields = inner,
            value if parts.peek().is_none() => return Some(value),
            _ => return None,
        }
    }
    None
}

/// The words and signs of a condition with their places in it.
fn words_of(text: &str) -> Vec<(usize, &str)> {
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '#');
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        let length = if is_word(first) {
            rest.find(|letter| !is_word(letter)).unwrap_or(rest.len())
        } else if ["==", "!=", "<=", ">="].iter().any(|sign| rest.starts_with(sign)) {
            2
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            words.push((at, rest.get(..length).unwrap_or("")));
        }
        at += length;
    }
    words
}

struct Reading<'a> {
    words: &'a [(usize, &'a str)],
    next: usize,
}

type Found = Result<Selection, &'static str>;

impl<'a> Reading<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).map(|(_, word)| *word)
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(word);
        self.next += usize::from(is_next);
        is_next
    }

    fn either(&mut self, depth: usize) -> Found {
        let mut found = self.both(depth)?;
        while self.take("or") {
            found = Selection::Or(Box::new(found), Box::new(self.both(depth)?));
        }
        Ok(found)
    }

    fn both(&mut self, depth: usize) -> Found {
        let mut found = self.one(depth)?;
        while self.take("and") {
            found = Selection::And(Box::new(found), Box::new(self.one(depth)?));
        }
        Ok(found)
    }

    fn one(&mut self, depth: usize) -> Found {
        if depth > DEEPEST {
            return Err("fewer parentheses");
        }
        if self.take("not") {
            return Ok(Selection::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.take("(") {
            let inner = self.either(depth + 1)?;
            return if self.take(")") { Ok(inner) } else { Err("`)`") };
        }
        let key = self.name("a key of the cards")?;
        let key = key.strip_prefix("card.").unwrap_or(&key).to_owned();
        if self.take("is") {
            let negative = self.take("not");
            let is = Selection::Is(key, self.name("a word")?);
            return Ok(if negative { Selection::Not(Box::new(is)) } else { is });
        }
        let how = self.peek().and_then(Compare::of_signs).ok_or("`is`, `==`, `!=`, `<`, `<=`, `>` or `>=`")?;
        self.next += 1;
        let negative = self.take("-");
        let number = self.peek().and_then(|word| word.parse::<i64>().ok()).ok_or("a whole number")?;
        self.next += 1;
        Ok(Selection::Compare(key, how, if negative { -number } else { number }))
    }

    fn name(&mut self, expected: &'static str) -> Result<String, &'static str> {
        let word = self.peek().filter(|word| word.starts_with(|first: char| first.is_alphabetic()));
        let word = word.filter(|word| !["and", "or", "not", "is"].contains(word)).ok_or(expected)?;
        self.next += 1;
        Ok(word.to_owned())
    }

    fn fault(&self, text: &Text, expected: &str) -> Diagnostic {
        let length = text.text.len();
        let (start, end) = self.words.get(self.next).map_or((length, length), |(at, word)| (*at, *at + word.len()));
        let fault = Diagnostic::error("C014", text.part(start, end), "this `where` cannot be read");
        fault.label(format!("expected {expected}")).help("for example: `kind is wall and (age == 1 or not set is wisp)`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::parse_cards;
    use crate::source::Sources;

    const CARD: &str =
        "[[card]]\nid = \"wisp\"\nname = \"Wisp\"\nkind = \"wolf\"\nage = 2\nset = \"first\"\nheight = 3\nbite = { wall = -1 }";

    fn select(condition: &str) -> Result<bool, String> {
        let mut sources = Sources::new();
        let mut diagnostics = Vec::new();
        let card = sources.add("wisp.toml", CARD);
        let cards = parse_cards(card, CARD, "", &mut diagnostics).cards;
        let toml = format!("where = '{condition}'");
        let file = sources.add("where.toml", &toml);
        let keys = crate::pack::read_table(file, &toml, &mut diagnostics).unwrap();
        let selection = Selection::parse(keys[0].1.text().unwrap(), &mut diagnostics);
        match diagnostics.first() {
            None => Ok(selection.unwrap().matches(&cards[0])),
            Some(fault) => Err(format!("{} at `{}`", fault.label, sources.slice(fault.span.unwrap()))),
        }
    }

    #[test]
    fn conditions_on_cards() {
        let table = [
            ("kind is wolf and age == 2", true),
            ("kind is wall or age < 2", false),
            ("kind is not wall", true),
            ("not (kind is wolf)", false),
            ("card.height >= 3 and bite.wall == -1", true),
            ("depth == 0 and set is first", true),
            ("kind is wall and age == 2 or id is wisp", true),
            ("age != 2", false),
            ("age > 1 and age <= 2", true),
        ];
        for (condition, holds) in table {
            assert_eq!(select(condition), Ok(holds), "{condition}");
        }
    }

    #[test]
    fn a_condition_that_cannot_be_read_shows_where() {
        let table = [
            ("kind wolf", "expected `is`, `==`, `!=`, `<`, `<=`, `>` or `>=` at `wolf`"),
            ("kind is", "expected a word at ``"),
            ("(age == 1", "expected `)` at ``"),
            ("age == wolf", "expected a whole number at `wolf`"),
            ("age == 1 age", "expected `and` or `or` at `age`"),
            ("", "expected a key of the cards at ``"),
            ("age == ö§", "expected a whole number at `ö`"),
        ];
        for (condition, fault) in table {
            assert_eq!(select(condition), Err(fault.to_owned()), "{condition}");
        }
        assert!(select(&"(".repeat(900)).is_err());
        assert!(select(&"not ".repeat(900)).is_err());
        assert!(select(&"age == 1 and ".repeat(100_000)).is_err());
    }
}
