//! Formats a document, as `houserule fmt` formats a file.

use std::path::Path;

use lsp_types::{Position, Range, TextEdit};

use crate::cast;
use crate::format::{FormatFault, Language, changes, format};
use crate::source::FileId;

/// Returns the edits that format a text, from the first line on. There are none if the text has errors, which are shown at their places, or
/// if it is neither rules nor TOML by its name.
///
/// # Errors
/// A message if the formatter has a fault.
pub(super) fn format_document(path: &Path, text: &str) -> Result<Vec<TextEdit>, String> {
    let Some(language) = Language::of_path(path) else { return Ok(Vec::new()) };
    match format(language, FileId(0), text) {
        Ok(formatted) => {
            let line = |line: usize| Position { line: cast::fit::<u32>(line), character: 0 };
            let edit = |change: crate::format::Change| TextEdit {
                range: Range { start: line(change.lines.start), end: line(change.lines.end) },
                new_text: change.text,
            };
            Ok(changes(text, &formatted).into_iter().map(edit).collect())
        }
        Err(FormatFault::Unreadable(_)) => Ok(Vec::new()),
        Err(FormatFault::WouldChange) => {
            Err("internal error: formatting would change what the text says, so it stays; please report it".to_string())
        }
    }
}
