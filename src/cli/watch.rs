//! Watch mode of `check` and `test`: runs again whenever a file is saved.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::source::Sources;

#[cfg(not(target_family = "wasm"))]
mod rounds;

#[cfg(not(target_family = "wasm"))]
pub use rounds::watch;

/// The files that have changed since the last run; none for the first run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedFiles {
    /// Paths of the files, including deleted ones.
    pub files: Vec<PathBuf>,
    words: Vec<String>,
}

/// One run of a command in watch mode.
#[derive(Default)]
pub struct WatchRun {
    /// Set when the run should be cancelled: a file has changed again, or the user wants to stop.
    cancelled: Arc<AtomicBool>,
    /// Files that the run has read, with their contents.
    read: RefCell<BTreeMap<PathBuf, String>>,
}

impl WatchRun {
    /// Returns the flag by which the run is cancelled, for functions that play many games.
    pub fn flag(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// Whether the run should be cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Records the files on which the result of a run depends: if one of them changes, wherever it is, the command is run again.
    pub fn add_dependencies(&self, sources: &Sources) {
        self.read.borrow_mut().extend(sources.all().map(|(name, text)| (PathBuf::from(name), text.to_string())));
    }
}

/// Says that a browser does not watch files.
#[cfg(target_family = "wasm")]
pub fn watch(_: &[PathBuf], _: impl FnMut(&ChangedFiles, &WatchRun) -> super::result::CommandResult) -> super::result::CommandResult {
    super::output::usage_error("a browser has no `--watch`: tests on its page run as files change")
}

/// Returns the folders of a command: those named, or those of the games' root.
pub fn folders_of(root: Option<&Path>, named: &[PathBuf], packs: &[PathBuf]) -> Vec<PathBuf> {
    let root = root.map(Path::to_path_buf);
    let of_root = root.iter().flat_map(|root| ["rules", "cards", "packs", "tests"].map(|folder| root.join(folder)));
    let mut all: Vec<PathBuf> = named.iter().chain(packs).cloned().chain(of_root.filter(|folder| folder.is_dir())).collect();
    let real: Vec<PathBuf> = all.iter().map(|folder| Sources::real_path(folder)).collect();
    // Nested folders are watched only once.
    let mut at = 0;
    all.retain(|_| {
        let own = &real[at];
        let inside = real.iter().enumerate().any(|(other, around)| other != at && own.starts_with(around) && (own != around || other < at));
        at += 1;
        !inside
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_another_is_watched_once() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().to_path_buf(), folder.path().join("inner"));
        std::fs::create_dir(&inner).unwrap();
        assert_eq!(folders_of(None, &[inner, outer.clone(), outer.clone()], &[]), [outer]);
    }
}
