//! The result of a command, and the exit status that follows from it.

/// Why a command failed; it determines the exit status. The reason has been printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// Errors or failures were found in the input: exit status 1.
    Findings,
    /// The command was used incorrectly, or a file could not be read or written: exit status 2.
    Usage,
}

/// The result of a command.
pub type CommandResult = Result<(), ExitReason>;
