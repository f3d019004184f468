//! The law of formatting: formatting twice is formatting once, changes nothing of what a text says, and keeps all comments in their order.

use houserule::format::{FormatFault, Language, draw_changes, format};
use houserule::pack::{parse_cards, read_table};
use houserule::source::FileId;
use houserule::syntax::parse_file;

/// Holds the law against a text, and returns the formatted one; `None` if the text has errors.
///
/// # Errors
/// What is broken.
pub fn law_of_formatting(language: Language, text: &str) -> Result<Option<String>, String> {
    let formatted = match format(language, FileId(0), text) {
        Ok(formatted) => formatted,
        Err(FormatFault::Unreadable(found)) if !found.is_empty() => return Ok(None),
        Err(fault) => return Err(format!("it cannot be formatted: {fault:?}")),
    };
    let again = format(language, FileId(0), &formatted).map_err(|fault| format!("it cannot be formatted again: {fault:?}"))?;
    if again != formatted {
        return Err(format!("formatted twice it is not the same:\n{}", draw_changes(&formatted, &again)));
    }
    if said(language, text) != said(language, &formatted) {
        return Err("it says something else".to_string());
    }
    if contents(text) != contents(&formatted) {
        return Err("its words or comments are not the same, or not in the same order".to_string());
    }
    if formatted.lines().any(|line| line.ends_with([' ', '\t'])) && language == Language::Rules {
        return Err("blanks stand at the end of a line".to_string());
    }
    Ok(Some(formatted))
}

/// What a text says, without places.
fn said(language: Language, text: &str) -> String {
    without_places(&match language {
        Language::Rules => format!("{:?}", parse_file(FileId(0), text, &mut Vec::new())),
        Language::Toml => {
            format!("{:?} {:?}", parse_cards(FileId(0), text, "", &mut Vec::new()), read_table(FileId(0), text, &mut Vec::new()))
        }
    })
}

/// A value as it is shown for whoever looks for faults, without the places in it: `Span { file: FileId(0), start: 1, end: 2 }`.
pub fn without_places(shown: &str) -> String {
    let mut parts = shown.split("Span {");
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |all, part| all + part.split_once('}').map_or(part, |(_, rest)| rest))
}

/// All that stands in a text but blanks and `;`: words and comments, in order.
fn contents(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, ';' | '\u{feff}')).collect()
}
