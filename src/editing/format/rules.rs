//! Takes a text of rules apart into words.

use std::ops::Range;

use super::words::{Above, Bracket, ColumnCounter, Comment, Gap, Word, Words};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use crate::syntax::grammar::Rule;
use crate::syntax::tokens::{RuleToken, TokenizedRules, tokenize};

/// Words with which a new line goes on with the one before.
const JOINTS: [&str; 5] = ["and", "or", "then", "else", "where"];

/// Reads the words of a text.
///
/// # Errors
/// The errors of a text that cannot be read.
pub(super) fn read(file: FileId, text: &str) -> Result<Words, Vec<Diagnostic>> {
    let TokenizedRules { text, tokens } = tokenize(file, text)?;
    let (mut words, mut columns) = (Words::default(), ColumnCounter::new(&text));
    let mut end = 0;
    let mut before: Option<&RuleToken> = None;
    for token in &tokens {
        let (gap, separator) = read_gap(&text, end..token.place.start, before.is_some(), &mut columns);
        let (breaks, is_apart) = (gap.is_broken() || before.is_none(), text.get(end..token.place.start).is_some_and(is_apart));
        let above = close(gap, separator, &mut words);
        let word = text.get(token.place.clone()).unwrap_or("");
        words.all.push(Word {
            // A keyword of several words is written with one blank between them.
            text: if word.starts_with('"') { word.to_string() } else { word.split_whitespace().collect::<Vec<_>>().join(" ") },
            column: columns.column_of(token.place.start),
            is_apart,
            is_tight: before.is_some_and(|before| is_tight(before, token)),
            begins_item: token.begins_item,
            is_joint: is_joint(word),
            is_level: token.rule == Rule::ELSE && matches!(token.within, Rule::if_else | Rule::choice),
            bracket: match token.rule {
                Rule::OPEN => Some(Bracket::Opens),
                Rule::CLOSE => Some(Bracket::Closes),
                _ => None,
            },
            breaks,
            began_line: breaks,
            above,
            ..Word::default()
        });
        (end, before) = (token.place.end, Some(token));
    }
    let (gap, separator) = read_gap(&text, end..text.len(), before.is_some(), &mut columns);
    words.tail = close(gap, separator, &mut words);
    Ok(words)
}

fn close(gap: Gap, separator: bool, words: &mut Words) -> Vec<Above> {
    let mut ahead = words.all.last_mut();
    if let Some(word) = &mut ahead {
        word.has_separator = separator;
    }
    gap.close(ahead)
}

/// Reads what lies between two places, and whether a `;` is in it.
fn read_gap(text: &str, place: Range<usize>, has_word: bool, columns: &mut ColumnCounter<'_>) -> (Gap, bool) {
    let (mut gap, mut has_separator, mut at) = (Gap::default(), false, place.start);
    while let Some(rest) = text.get(at..place.end).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("//") {
            let line = rest.lines().next().unwrap_or(rest);
            gap.comment(Comment { text: line.trim_end().to_string(), column: columns.column_of(at) }, has_word);
            at += line.len();
            continue;
        }
        match rest.as_bytes().first() {
            Some(b'\n') => gap.line_break(),
            Some(b';') => has_separator = true,
            Some(_) | None => {}
        }
        at += rest.chars().next().map_or(1, char::len_utf8);
    }
    (gap, has_separator)
}

fn is_apart(gap: &str) -> bool {
    gap.chars().filter(|letter| letter.is_whitespace()).count() > 1
}

/// Whether no blank stands between two tokens.
fn is_tight(before: &RuleToken, token: &RuleToken) -> bool {
    match (before.rule, token.rule) {
        (_, Rule::COMMA | Rule::COLON | Rule::RIGHT | Rule::LEFT_SQUARE | Rule::RIGHT_SQUARE | Rule::DOT) | (Rule::DOT, _) => true,
        (_, Rule::LEFT) if matches!(token.within, Rule::arguments | Rule::parameters) => true,
        (Rule::LEFT | Rule::LEFT_SQUARE | Rule::minus | Rule::plus, _) => true,
        // One face of a sort of tokens.
        (Rule::COLON, _) => before.within == Rule::tokens,
        _ => false,
    }
}

fn is_joint(word: &str) -> bool {
    JOINTS.contains(&word) || word.starts_with(|sign: char| "+-*/=<>!|,:)]".contains(sign))
}
