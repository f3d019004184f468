//! What the program itself says at the table, in other languages: the names of games come from their own files.
//!
//! A phrase is its English text with what differs in braces. `languages/LANGUAGE.toml` has the same phrase in another language; a phrase that
//! is not there stays English. Lines of the log are phrases, too: they are recognised, and told with the names of the language.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The languages that the program speaks besides English.
const LANGUAGES: [(&str, &str); 2] = [("el", include_str!("languages/el.toml")), ("fr", include_str!("languages/fr.toml"))];

/// The lines that the log can have, besides answers, as phrases with names in braces. The more special ones come first.
pub const LOG_PHRASES: [&str; 35] = [
    "round {number}",
    "the order is {order}",
    "{who}: {card} is placed in {place}",
    "{card} is placed in {place}",
    "{who}: {amount} {what} from {place} to {other}",
    "{who}: answers in secret",
    "{who}: by chance {value}",
    "by chance {value}",
    "{who} gains some {what}",
    "{who} gains {amount} {what}",
    "{who} loses some {what}",
    "{who} loses {amount} {what}, {missing} short",
    "{who} loses {amount} {what}",
    "{who} pays some {what}",
    "{who} pays {amount} {what}",
    "{who}'s {what} differs by {amount} until the end of the round",
    "{who}'s {what} differs by {amount} until the end of the turn",
    "{who}'s {what} differs by {amount} until the end of the game",
    "{who} rolls {what} in secret",
    "{who} rolls {what}",
    "{who} draws a card",
    "a card is drawn to {place}",
    "{card} is drawn",
    "{card} is removed",
    "two cards change places",
    "{card} and {other} change places",
    "{place} is shuffled",
    "{place} is empty, and {other} is shuffled into it",
    "a part of a card is shown to {who}",
    "{card} is shown to {who}: {what} not {value}",
    "{card} is shown to {who}: {what} {value}",
    "{card} is shown to {who}: {value}",
    "{card} is shown to {who}",
    "{card} are shown to {who}",
    "{question}: nobody can do anything, so nobody has a turn",
];

/// The phrases of a language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrases(Arc<BTreeMap<String, String>>);

impl Phrases {
    /// Returns the phrases of a language; those of a language that the program does not speak are English.
    pub fn of_language(language: &str) -> Phrases {
        let text = LANGUAGES.iter().find(|(known, _)| *known == language).map_or("", |(_, text)| text);
        // A test reads all files.
        Phrases(Arc::new(toml::from_str(text).unwrap_or_default()))
    }

    /// Says a phrase, with values in place of what stands in braces.
    pub fn say(&self, phrase: &str, values: &[(&str, &str)]) -> String {
        let mut rest = self.0.get(phrase).map_or(phrase, String::as_str);
        let mut out = String::with_capacity(rest.len());
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((name, after)) = behind.split_once('}') else { break };
            out.push_str(before);
            out.push_str(values.iter().find(|(known, _)| *known == name).map_or(name, |(_, value)| value));
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// Says a phrase in which nothing differs.
    pub fn word(&self, phrase: &str) -> String {
        self.say(phrase, &[])
    }

    /// Says a line of the log, with names in place of what it names; `None` if it is no phrase of the log, as an answer is none. `named`
    /// returns the display name of something that the line names by its id.
    pub fn log_line(&self, line: &str, named: impl Fn(&str) -> String) -> Option<String> {
        let (phrase, found) = log_phrase(line)?;
        let told = |value: &str| self.0.get(value).cloned().unwrap_or_else(|| named(value));
        let values: Vec<(&str, String)> = found.into_iter().map(|(name, value)| (name, told(value))).collect();
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Some(self.say(phrase, &values))
    }
}

/// Returns the phrase of [`LOG_PHRASES`] that a line of the log is, and what stands in the line in place of each name in braces, in the
/// order of the phrase; `None` if the line is no phrase of the log.
pub fn log_phrase(line: &str) -> Option<(&'static str, Vec<(&'static str, &str)>)> {
    LOG_PHRASES.iter().find_map(|&phrase| Some((phrase, values_in(phrase, line)?)))
}

/// Returns what stands in a line in place of each name in braces; `None` if the line is another phrase. A value is never empty; amounts
/// are numbers, and players `p1` and so on, or all or the table.
fn values_in<'l>(phrase: &'static str, line: &'l str) -> Option<Vec<(&'static str, &'l str)>> {
    let mut values = Vec::new();
    let (first, mut phrase) = phrase.split_once('{').map_or((phrase, ""), |(first, rest)| (first, rest));
    let mut line = line.strip_prefix(first)?;
    while let Some((name, behind)) = phrase.split_once('}') {
        let (literal, next) = behind.split_once('{').unwrap_or((behind, ""));
        let (value, rest) = match literal {
            "" => (line, ""),
            literal if next.is_empty() => (line.strip_suffix(literal)?, ""),
            literal => line.split_once(literal)?,
        };
        let is_player = |text: &str| text.strip_prefix('p').is_some_and(|number| number.parse::<usize>().is_ok());
        let fits = match name {
            "who" => value == "the table" || value == "all players" || value.split(", ").all(is_player),
            "number" | "amount" | "missing" => value.parse::<i64>().is_ok(),
            _ => !value.is_empty(),
        };
        if !fits {
            return None;
        }
        values.push((name, value));
        (line, phrase) = (rest, next);
    }
    line.is_empty().then_some(values)
}
