//! Splits a script into tokens with rhai's tokenizer, for messages about scripts that cannot be parsed.

use super::sandbox::raw_engine;
use rhai::{Engine, Token as Lexed};

thread_local! {
    /// The engine whose tokenizer is used. Creating it takes longer than tokenizing a hundred scripts, so each thread keeps one.
    static TOKENIZER: Engine = raw_engine();
}

/// The kind of a token of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a word of rhai, such as `let`.
    Name,
    /// A whole number, with a sign where one belongs to it.
    Number,
    /// A string or a single letter, with its quotation marks, or a part of a string with interpolated expressions.
    Text,
    /// Anything else, such as an operator or a bracket.
    Symbol,
}

/// A token of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RhaiToken<'t> {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The token as it is written in the script.
    pub text: &'t str,
    /// Where the token begins in the script, in bytes.
    pub start: usize,
}

impl RhaiToken<'_> {
    /// Whether the token is the given symbol.
    pub fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }
}

/// Splits a script into tokens, without white space and comments. Any text can be split, also one that is no valid script.
pub fn tokenize_script(text: &str) -> Vec<RhaiToken<'_>> {
    TOKENIZER.with(|engine| tokenize(engine, text))
}

/// Returns the names in a script, each with its byte offset.
pub fn names_of(text: &str) -> Vec<(usize, &str)> {
    tokenize_script(text).into_iter().filter(|token| token.kind == TokenKind::Name).map(|token| (token.start, token.text)).collect()
}

fn tokenize<'t>(engine: &Engine, text: &'t str) -> Vec<RhaiToken<'t>> {
    let (lexer, control) = engine.lex(std::iter::once(&text));
    // Open braces for each level of an interpolated string. When the last one closes, the string continues.
    let mut open: Vec<usize> = Vec::new();
    let mut starts = Vec::new();
    for (token, at) in lexer.take_while(|(token, _)| *token != Lexed::EOF) {
        match (&token, open.last_mut()) {
            (Lexed::InterpolatedString(_), _) => open.push(0),
            (Lexed::LeftBrace | Lexed::MapStart, Some(braces)) => *braces += 1,
            (Lexed::RightBrace, Some(1)) => {
                open.pop();
                control.borrow_mut().is_within_text = true;
            }
            (Lexed::RightBrace, Some(braces)) => *braces -= 1,
            _ => {}
        }
        let start = byte_offset(text, at);
        let kind = match (token, text[start..].chars().next()) {
            (Lexed::StringConstant(_) | Lexed::InterpolatedString(_) | Lexed::CharConstant(_), _) => TokenKind::Text,
            (Lexed::LexError(_), Some('"' | '\'' | '`')) => TokenKind::Text,
            (Lexed::IntegerConstant(_), _) => TokenKind::Number,
            (_, Some(first)) if is_word(first) => TokenKind::Name,
            _ => TokenKind::Symbol,
        };
        starts.push((kind, start));
    }
    let ends = starts.iter().skip(1).map(|(_, start)| *start).chain([text.len()]);
    let covered = starts.iter().zip(ends).map(|(&(kind, start), end)| {
        let all = text[start..end.max(start)].trim_end();
        let text = match kind {
            TokenKind::Name => all.split(|c| !is_word(c)).next(),
            TokenKind::Symbol => all.split_whitespace().next(),
            TokenKind::Number | TokenKind::Text => None,
        };
        RhaiToken { kind, text: text.unwrap_or(all), start }
    });
    covered.collect()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether scripts can use a word as a name. That includes words that rhai reserves but does not use.
pub fn is_name(word: &str) -> bool {
    rhai::is_valid_identifier(word) && Lexed::lookup_symbol_from_syntax(word).is_none()
}

/// Converts a position in a script to a byte offset.
pub(super) fn byte_offset(text: &str, at: rhai::Position) -> usize {
    let (Some(line), Some(column)) = (at.line(), at.position()) else { return 0 };
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.trim_end().len(), |(at, _)| at)
}
