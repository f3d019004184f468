//! In a browser the page speaks with the language server by messages.

use super::load::Workspace;
use super::output::usage_error;
use super::result::CommandResult;

/// Says where the language server is.
///
/// # Errors
/// Always a usage error.
pub fn serve(_workspace: &Workspace) -> CommandResult {
    usage_error("`lsp` speaks by the standard input; in a browser the page has an editor")
}
