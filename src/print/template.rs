//! What a box shows: texts with names in braces, such as `{name}` or `age {age}`.

use super::content::{CardContent, PrintedFigure};
use super::fonts::NO_BREAK;
use super::problem::PrintProblem;
use super::text::{Paragraph, Piece, Word, is_break, words};
use crate::diagnostic::Diagnostic;
use crate::pack::Text;
use crate::source::Span;

/// The values that every card may have, besides its fields.
pub(crate) const COMMON_VALUES: [&str; 9] = ["name", "kind", "age", "set", "text", "figures", "id", "copies", "game"];

/// A text with names in braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Letters as they are.
    Letters(String),
    /// `{height}`: what a card has.
    Value(String, Span),
    /// `{height.name}`: what that is called.
    Name(String, Span),
}

/// What values are taken from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The card.
    pub card: &'a CardContent,
    /// Title of the game.
    pub game: &'a str,
    /// Fields that boxes of the card show one by one, and which are no more among its figures.
    pub shown: &'a [String],
    /// Which words have icons.
    pub has_icon: &'a dyn Fn(&str) -> bool,
    /// Returns the display name of a word.
    pub word_name: &'a dyn Fn(&str) -> String,
    /// Whether letters are bold.
    pub bold: bool,
}

impl Template {
    /// Reads a text. Returns `None` after a report.
    pub(crate) fn parse(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Template> {
        let (mut parts, mut at) = (Vec::new(), 0);
        while let Some(rest) = text.text.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(begins) = rest.find(['{', '}']) else {
                parts.push(Part::Letters(rest.to_string()));
                break;
            };
            if begins > 0 {
                parts.push(Part::Letters(rest[..begins].to_string()));
            }
            let inside = &rest[begins..];
            let Some(inner) = inside.strip_prefix('{') else {
                diagnostics.push(PrintProblem::BraceClosed.at(text.part(at + begins, at + begins + 1)));
                return None;
            };
            let Some(end) = inner.find('}') else {
                diagnostics.push(PrintProblem::BraceOpen.at(text.part(at + begins, text.text.len())));
                return None;
            };
            let (name, from) = (&inner[..end], at + begins + 1);
            let span = text.part(from, from + end);
            parts.push(match name.strip_suffix(".name") {
                Some(name) => Part::Name(name.trim().to_string(), span),
                None => Part::Value(name.trim().to_string(), span),
            });
            at = from + end + 1;
        }
        Some(Template { parts })
    }

    /// Returns the names in braces, with their places.
    pub(crate) fn names(&self) -> impl Iterator<Item = (&str, Span)> {
        self.parts.iter().filter_map(|part| match part {
            Part::Letters(_) => None,
            Part::Value(name, span) | Part::Name(name, span) => Some((name.as_str(), *span)),
        })
    }

    /// Returns the fields whose values it shows.
    pub(crate) fn shown_fields(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Value(name, _) if !COMMON_VALUES.contains(&name.as_str()) => Some(name.as_str()),
            Part::Value(..) | Part::Letters(_) | Part::Name(..) => None,
        })
    }

    /// Puts the values of a card in. `None` if one of them is missing, so that nothing is to be shown.
    pub(crate) fn fill(&self, source: &Source<'_>) -> Option<Vec<Paragraph>> {
        let mut done: Vec<Paragraph> = Vec::new();
        let mut word: Word = Vec::new();
        let mut line: Paragraph = Vec::new();
        for part in &self.parts {
            match part {
                Part::Letters(text) => add_text(&mut line, &mut word, text, source.bold),
                Part::Name(name, _) => add_text(&mut line, &mut word, &(source.word_name)(name), source.bold),
                Part::Value(name, _) if name == "figures" => {
                    let figures: Vec<&PrintedFigure> =
                        source.card.figures.iter().filter(|figure| !source.shown.contains(&figure.field)).collect();
                    if figures.is_empty() {
                        return None;
                    }
                    end_line(&mut done, &mut line, &mut word);
                    done.extend(figures.into_iter().map(|figure| figure_line(figure, source)));
                }
                Part::Value(name, _) => match common_value(name, source) {
                    Some(text) => {
                        for (index, paragraph) in text?.lines().enumerate() {
                            if index > 0 {
                                end_line(&mut done, &mut line, &mut word);
                            }
                            add_text(&mut line, &mut word, paragraph, source.bold);
                        }
                    }
                    None => add_figure(&mut line, &mut word, source.card.figure(name)?, source),
                },
            }
        }
        end_line(&mut done, &mut line, &mut word);
        Some(done)
    }
}

/// Returns a value that every card may have: `None` if it is a field, and `Some(None)` if this card does not have it.
fn common_value(name: &str, source: &Source<'_>) -> Option<Option<String>> {
    let card = source.card;
    Some(match name {
        "name" => Some(card.name.clone()),
        "kind" => Some(card.kind_name.clone()),
        "age" => (card.age != 0).then(|| card.age.to_string()),
        "set" => card.set.clone(),
        "text" => card.text.clone(),
        "id" => Some(card.id.clone()),
        "copies" => (card.copies > 1).then(|| card.copies.to_string()),
        "game" => Some(source.game.to_string()),
        _ => return None,
    })
}

fn end_line(done: &mut Vec<Paragraph>, line: &mut Paragraph, word: &mut Word) {
    if !word.is_empty() {
        line.push(std::mem::take(word));
    }
    if !line.is_empty() {
        done.push(std::mem::take(line));
    }
}

/// Adds a text, whose first letters join the word before unless there is a blank between.
fn add_text(line: &mut Paragraph, word: &mut Word, text: &str, bold: bool) {
    let mut first = true;
    for part in text.split(is_break) {
        if !first && !word.is_empty() {
            line.push(std::mem::take(word));
        }
        if !part.is_empty() {
            word.push(Piece::Letters { text: part.to_string(), bold });
        }
        first = false;
    }
}

/// Adds the value of a field.
fn add_figure(line: &mut Paragraph, word: &mut Word, figure: &PrintedFigure, source: &Source<'_>) {
    let mut value = value_words(figure, source, source.bold);
    if let Some(first) = value.first_mut() {
        word.append(first);
    }
    for next in value.into_iter().skip(1) {
        line.push(std::mem::take(word));
        *word = next;
    }
}

/// A figure with its name, on a line of its own.
fn figure_line(figure: &PrintedFigure, source: &Source<'_>) -> Paragraph {
    let mut line = words(&figure.name, source.bold);
    if (source.has_icon)(&figure.field)
        && let Some(first) = line.first_mut()
    {
        first.insert(0, Piece::Icon(figure.field.clone()));
    }
    line.extend(value_words(figure, source, true));
    line
}

/// Keeps a number on the line of the word before it.
fn together(text: &str) -> String {
    match text.rsplit_once(' ') {
        Some((name, number)) if number.parse::<i64>().is_ok() => format!("{name}{NO_BREAK}{number}"),
        _ => text.to_string(),
    }
}

/// The words of a value: parts with commas between them, each with its icon.
fn value_words(figure: &PrintedFigure, source: &Source<'_>, bold: bool) -> Vec<Word> {
    let mut all = Vec::new();
    for (index, part) in figure.value.iter().enumerate() {
        let comma = if index + 1 < figure.value.len() { "," } else { "" };
        let mut own = words(&format!("{}{comma}", together(&part.text)), bold);
        if let (Some(word), Some(first)) = (part.word.as_ref().filter(|word| (source.has_icon)(word)), own.first_mut()) {
            first.insert(0, Piece::Icon(word.clone()));
        }
        all.extend(own);
    }
    all
}
