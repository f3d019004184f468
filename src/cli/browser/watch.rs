//! A browser does not watch files: its page calls again when one changes.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::output::usage_error;
use super::result::CommandResult;
use crate::source::Sources;

/// The files that have changed since the last run: none.
#[derive(Clone, Debug, Default)]
pub struct ChangedFiles {
    /// Paths of the files.
    pub files: Vec<PathBuf>,
}

/// One run of a command.
#[derive(Default)]
pub struct WatchRun {
    cancelled: AtomicBool,
}

impl WatchRun {
    /// Returns the flag by which the run is cancelled.
    pub fn flag(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// It is never cancelled.
    pub fn is_cancelled(&self) -> bool {
        false
    }

    /// Keeps nothing.
    pub fn add_dependencies(&self, _sources: &Sources) {}
}

/// Says that there is no such thing here.
///
/// # Errors
/// Always a usage error.
pub fn watch(_folders: &[PathBuf], _answer: impl FnMut(&ChangedFiles, &WatchRun) -> CommandResult) -> CommandResult {
    usage_error("a browser has no `--watch`: tests on its page run as files change")
}

/// Returns nothing to watch.
pub fn folders_of(_root: Option<&Path>, _named: &[PathBuf], _packs: &[PathBuf]) -> Vec<PathBuf> {
    Vec::new()
}
