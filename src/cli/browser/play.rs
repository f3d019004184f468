//! In a browser games are played and looked at on the page.

use super::args::PlayArgs;
use super::load::Workspace;
use super::output::usage_error;
use super::result::CommandResult;

/// Says where games are shown.
///
/// # Errors
/// Always a usage error.
pub fn play(_workspace: &Workspace, _args: &PlayArgs) -> CommandResult {
    usage_error("`play` needs a terminal; in a browser the page has a table")
}
