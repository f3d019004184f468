//! The standard output and the standard error. In a browser there are none: what is written there is kept until the page takes it.

use std::io::Write;

#[cfg(not(target_family = "wasm"))]
mod process {
    use std::io::{self, IsTerminal};

    pub use std::io::{stderr, stdout};

    pub fn stdout_is_terminal() -> bool {
        io::stdout().is_terminal()
    }

    pub fn stderr_is_terminal() -> bool {
        io::stderr().is_terminal()
    }
}

#[cfg(target_family = "wasm")]
#[path = "browser/console.rs"]
mod process;

#[cfg(target_family = "wasm")]
pub use process::{on_progress, progress, take};

/// Returns the standard output.
pub(super) fn stdout() -> impl Write + Send {
    process::stdout()
}

/// Returns the standard error.
pub(super) fn stderr() -> impl Write + Send {
    process::stderr()
}

/// Whether the standard output is a terminal.
pub(super) fn stdout_is_terminal() -> bool {
    process::stdout_is_terminal()
}

/// Whether the standard error is a terminal.
pub(super) fn stderr_is_terminal() -> bool {
    process::stderr_is_terminal()
}
