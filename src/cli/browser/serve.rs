//! In a browser the page is there already.

use super::args::ServeArgs;
use super::load::Workspace;
use super::output::usage_error;
use super::result::CommandResult;

/// Says that there is no such thing here.
///
/// # Errors
/// Always a usage error.
pub fn serve(_workspace: &Workspace, _args: &ServeArgs) -> CommandResult {
    usage_error("this is the page that `serve` hands out")
}
