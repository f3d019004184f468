//! One way to write files of rules and of cards. Words and comments stay as they are and in their order, and so do the breaks of lines; what
//! is settled is what lies between them: blanks, indentation, columns, empty lines.
//!
//! `rules` and `toml` take a text apart into `words`, each with what stands above and behind it. `blocks` settles where lines begin
//! around braces, `lines` makes lines, and `columns` and `comments` settle where words and comments stand in them. The result is read
//! again before it is handed out: what would be read otherwise than the text as it was is a fault of the formatter.

mod blocks;
mod columns;
mod comments;
mod difference;
mod lines;
mod rules;
mod toml;
mod words;

use std::path::Path;

pub use difference::{Change, changes, draw_changes};

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use words::Words;

/// How many columns a line of code may have before the blocks on it are broken into lines of their own.
pub const LINE_WIDTH: usize = 140;
/// How many columns the contents of a block stand further to the right than the line on which it opens.
const INDENT: usize = 2;

/// How often a text is laid out at most. Once is enough, but where words come to stand in one column that were not written so.
const MAX_ROUNDS: usize = 8;

/// A language that can be formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The rules language: files that end in `.rules`.
    Rules,
    /// TOML: cards, packs, scenarios, names.
    Toml,
}

impl Language {
    /// Returns the language of a file by the ending of its name; `None` for any other.
    pub fn of_path(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "rules" => Some(Language::Rules),
            "toml" => Some(Language::Toml),
            _ => None,
        }
    }
}

/// Why a text was not formatted.
#[derive(Debug)]
pub enum FormatFault {
    /// It cannot be read: its errors.
    Unreadable(Vec<Diagnostic>),
    /// The formatted text would not be read as the text is, which is a fault of the formatter.
    WouldChange,
}

/// Formats a text. Line breaks stay what the first one is, `\n` or `\r\n`.
///
/// # Errors
/// The errors of a text that cannot be read.
pub fn format(language: Language, file: FileId, text: &str) -> Result<String, FormatFault> {
    let words = read_words(language, file, text).map_err(FormatFault::Unreadable)?;
    let known = words.contents();
    let line_break = match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        Some(_) | None => "\n",
    };
    let mut written = lay_out(language, words, line_break);
    for round in 0..=MAX_ROUNDS {
        let words = read_words(language, file, &written).map_err(|_| FormatFault::WouldChange)?;
        if words.contents() != known {
            return Err(FormatFault::WouldChange);
        }
        // After the last round the text is only looked at.
        let again = if round < MAX_ROUNDS { lay_out(language, words, line_break) } else { break };
        if again == written {
            break;
        }
        written = again;
    }
    let is_alike = match language {
        Language::Rules => crate::syntax::tokens::read_alike(text, &written),
        Language::Toml => toml::read_alike(text, &written),
    };
    if is_alike { Ok(written) } else { Err(FormatFault::WouldChange) }
}

fn read_words(language: Language, file: FileId, text: &str) -> Result<Words, Vec<Diagnostic>> {
    match language {
        Language::Rules => rules::read(file, text),
        Language::Toml => toml::read(file, text),
    }
}

fn lay_out(language: Language, mut words: Words, line_break: &str) -> String {
    blocks::arrange(&mut words);
    if language == Language::Rules {
        blocks::break_wide_lines(&mut words);
    }
    let mut lines = lines::lines_of(words);
    columns::arrange(&mut lines);
    comments::arrange(&mut lines);
    lines.iter().flat_map(|line| [line.text(), line_break.to_string()]).collect()
}
