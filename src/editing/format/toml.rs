//! Takes a TOML text apart into words.

use toml_parser::Source;
use toml_parser::lexer::{Token, TokenKind};

use super::words::{Above, Bracket, ColumnCounter, Comment, Gap, Word, Words};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::pack::read_table;
use crate::source::FileId;

/// Reads the words of a text.
///
/// # Errors
/// The errors of a text that cannot be read.
pub(super) fn read(file: FileId, text: &str) -> Result<Words, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    read_table(file, text, &mut diagnostics);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let columns = ColumnCounter::new(text);
    let mut reader =
        Reader { text, columns, words: Words::default(), gap: Gap::default(), blanks: 0, depth: 0, in_header: false, in_value: false };
    for token in Source::new(text).lex() {
        reader.token(token);
    }
    let gap = std::mem::take(&mut reader.gap);
    reader.words.tail = gap.close(reader.words.all.last_mut());
    Ok(reader.words)
}

/// Whether two texts hold the same keys with the same values.
pub(super) fn read_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(toml::from_str::<toml::Table>);
    // By their texts, since a value can be `nan`, which is not equal to itself.
    matches!((one, other), (Ok(one), Ok(other)) if format!("{one:?}") == format!("{other:?}"))
}

struct Reader<'t> {
    text: &'t str,
    columns: ColumnCounter<'t>,
    words: Words,
    /// What lies behind the last word.
    gap: Gap,
    /// How many blanks lie behind the last word.
    blanks: usize,
    /// How many brackets of values are open.
    depth: usize,
    /// Whether the line is the header of a table.
    in_header: bool,
    /// Whether the line has had its `=`.
    in_value: bool,
}

impl Reader<'_> {
    fn token(&mut self, token: Token) {
        let (start, end) = (token.span().start(), token.span().end());
        let text = self.text.get(start..end).unwrap_or("");
        match token.kind() {
            TokenKind::Whitespace => self.blanks += text.len(),
            TokenKind::Newline => {
                self.gap.line_break();
                if self.depth == 0 {
                    (self.in_header, self.in_value) = (false, false);
                }
            }
            TokenKind::Comment => {
                let comment = Comment { text: text.trim_end().to_string(), column: self.columns.column_of(start) };
                self.gap.comment(comment, !self.words.all.is_empty());
            }
            TokenKind::Eof => {}
            TokenKind::LeftSquareBracket if self.depth == 0 && !self.in_value => {
                self.word(start, text, None, self.in_header);
                self.in_header = true;
            }
            TokenKind::RightSquareBracket if self.in_header => self.word(start, text, None, true),
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                self.word(start, text, Some(Bracket::Opens), false);
                self.depth += 1;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                self.depth = self.depth.saturating_sub(1);
                let is_empty = self.words.all.last().is_some_and(|word| word.bracket == Some(Bracket::Opens));
                self.word(start, text, Some(Bracket::Closes), text == "]" || is_empty);
            }
            TokenKind::Dot | TokenKind::Comma => self.word(start, text, None, true),
            TokenKind::Equals => {
                self.word(start, text, None, false);
                self.in_value = true;
            }
            TokenKind::LiteralString | TokenKind::BasicString | TokenKind::MlLiteralString | TokenKind::MlBasicString | TokenKind::Atom => {
                self.word(start, text, None, self.in_header)
            }
        }
    }

    fn word(&mut self, start: usize, text: &str, bracket: Option<Bracket>, is_tight: bool) {
        let (gap, blanks) = (std::mem::take(&mut self.gap), std::mem::take(&mut self.blanks));
        let breaks = gap.is_broken() || self.words.all.is_empty();
        let ahead = self.words.all.last_mut();
        let behind = ahead.as_ref().is_some_and(|word| matches!(word.text.as_str(), "." | "["));
        let above: Vec<Above> = gap.close(ahead);
        self.words.all.push(Word {
            text: text.to_string(),
            column: self.columns.column_of(start),
            is_apart: blanks > 1,
            is_tight: is_tight || behind,
            begins_item: breaks && bracket != Some(Bracket::Closes),
            bracket,
            breaks,
            began_line: breaks,
            above,
            ..Word::default()
        });
    }
}
