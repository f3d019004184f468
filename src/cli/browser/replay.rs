//! In a browser games are played and looked at on the page.

use super::args::ReplayArgs;
use super::load::Workspace;
use super::output::usage_error;
use super::result::CommandResult;

/// Says where games are shown.
///
/// # Errors
/// Always a usage error.
pub fn replay(_workspace: &Workspace, _args: &ReplayArgs) -> CommandResult {
    usage_error("`replay` needs a terminal; in a browser the table opens replays")
}
