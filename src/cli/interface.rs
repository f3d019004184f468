//! The interface of a game in the terminal, full-screen or line by line.

use std::io::{IsTerminal, stdin, stdout};

mod autosave;
pub mod plain;
pub mod screen;
mod ui;

pub use ui::GameUi;

/// Whether to use the full-screen interface: only in a capable terminal, and if `--plain` was not given.
pub fn on_screen(plain: bool) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    stdout().is_terminal() && stdin().is_terminal() && !plain && !dumb
}
