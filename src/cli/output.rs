//! What is written to the terminal and to files.

use std::io::{IsTerminal, Write, stderr, stdout};

use serde::Serialize;

use super::{Done, Trouble};
use crate::diagnostic::{Diagnostic, Severity, render::render};
use crate::source::Sources;

/// Writes to the standard output. A reader that has gone away is no fault.
pub fn print(text: &str) {
    let mut out = stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Says what is wrong with the way in which the command was used.
pub fn wrong<T>(message: impl AsRef<str>) -> Result<T, Trouble> {
    say(&format!("error: {}\n", message.as_ref()));
    Err(Trouble::Wrong)
}

/// Writes to the standard error.
pub fn say(text: &str) {
    let _ = stderr().lock().write_all(text.as_bytes());
}

/// Whether colour is wanted on the standard output.
pub fn color() -> bool {
    stdout().is_terminal() && color_allowed()
}

/// Whether a person watches the standard error.
pub fn watched() -> bool {
    stderr().is_terminal()
}

fn color_allowed() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Shows diagnostics on the standard error.
///
/// # Errors
/// A finding, if there is an error among them.
pub fn tell(sources: &Sources, diagnostics: &[Diagnostic]) -> Done {
    say(&render(sources, diagnostics, watched() && color_allowed()));
    if diagnostics.iter().any(|found| found.severity == Severity::Error) { Err(Trouble::Finding) } else { Ok(()) }
}

/// Writes a text to a file, or to the standard output for `-`.
///
/// # Errors
/// Wrong use, if the file cannot be written.
pub fn write_file(path: &str, text: &str) -> Done {
    if path == "-" {
        print(text);
        return Ok(());
    }
    match std::fs::write(path, text) {
        Ok(()) => Ok(()),
        Err(fault) => wrong(format!("cannot write `{path}`: {fault}")),
    }
}

/// Writes a value as JSON to a file, or to the standard output for `-`.
///
/// # Errors
/// Wrong use, if the file cannot be written.
pub fn write_json(path: &str, value: &impl Serialize) -> Done {
    match serde_json::to_string_pretty(value) {
        Ok(text) => write_file(path, &(text + "\n")),
        Err(fault) => wrong(format!("internal error: {fault}; please report it")),
    }
}

/// `1 card`, `2 cards`.
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// A place as `file:line:column`.
pub fn place(sources: &Sources, span: crate::source::Span) -> String {
    let (line, column) = sources.line_column(span);
    format!("{}:{line}:{column}", sources.name(span.file))
}
