//! The interface of a game in the terminal, full-screen or line by line.

use std::io::{IsTerminal, stdin, stdout};

mod explain;
pub mod plain;
mod saves;
pub mod screen;
mod ui;

pub use ui::GameUi;

use super::output::print;
use crate::table::section_lines;

/// Maximum width of the lines of text, in columns.
const LINE_WIDTH: usize = 100;

/// Whether to use the full-screen interface: only in a capable terminal, and if `--plain` was not given.
pub fn on_screen(plain: bool) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    stdout().is_terminal() && stdin().is_terminal() && !plain && !dumb
}

/// Prints lines, each behind `indent`.
pub fn print_lines(indent: &str, lines: impl IntoIterator<Item = String>) {
    lines.into_iter().for_each(|line| print(&format!("{indent}{line}\n")));
}

/// Prints the game as a seat sees it, or only the section about the seat `only`.
pub fn print_sheet(ui: &GameUi, seat: usize, only: Option<usize>) {
    for section in ui.sheet(seat).iter().filter(|section| only.is_none() || section.seat == only) {
        print("\n");
        let lines = section_lines(section, ui.prepared.words.phrases(), LINE_WIDTH, false);
        print_lines("", lines.into_iter().map(|line| line.text));
    }
}
