//! Saves the results of a run to a file at regular intervals.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use web_time::Instant;

use super::output::{print_error, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::disk::{self, OnDisk};
use crate::playtest::saved::{Saved, SavedResults, expect_same};
use crate::source::Sources;

/// Interval between two saves.
const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// Maximum size in bytes of a saved run.
const MAX_BYTES: u64 = 1 << 30;

/// Writes the results of a run to a file.
pub struct RunSaver {
    path: PathBuf,
    saved: Saved,
    written: Instant,
    /// Result of the last write to the file.
    last_write: Result<(), String>,
}

/// Reads a saved run.
///
/// # Errors
/// A usage error if the file is not a saved run of this version.
pub fn read(path: &Path) -> Result<Saved, ExitReason> {
    let read = Sources::read_bounded(path, MAX_BYTES).map_err(|fault| fault.to_string()).and_then(|text| Saved::read(&text));
    read.or_else(|fault| usage_error(format!("cannot read `{}`: {fault}", path.display())))
}

impl RunSaver {
    /// Opens the file of a run, if one is named, and returns it with the run to go on with. An existing file must belong to the same run, which
    /// then goes on as it was typed first, since the sources of its rules are the same.
    ///
    /// # Errors
    /// A usage error if the file belongs to another run or cannot be written.
    pub fn open(path: Option<&Path>, mut saved: Saved, word: &str) -> Result<(Option<RunSaver>, Saved), ExitReason> {
        let Some(path) = path else { return Ok((None, saved)) };
        if path.is_there() && !path.is_plain_file() {
            return usage_error(format!("`{}` is no file, but a folder, a pipe or a device; name a file by --save", path.display()));
        }
        if path.is_there() {
            let found = read(path)?;
            let mut differences = found.run.differences(&saved.run);
            if found.part != saved.part {
                differences.push(["--shard".to_string(), found.part.to_string(), saved.part.to_string()]);
            }
            expect_same(&path.display().to_string(), "this command", &differences).or_else(|message| {
                usage_error(format!("{message}\nname another file by --save, or give the command with which it was saved"))
            })?;
            saved = found;
            print_error(&format!("`{}`: {}\n", path.display(), saved.done_in_words(word)));
        } else {
            print_error(&format!("`{}` is new: the run begins, and is kept there\n", path.display()));
        }
        let mut saver = RunSaver { path: path.to_path_buf(), saved, written: Instant::now(), last_write: Ok(()) };
        saver.write();
        saver.last_write()?;
        let begun = saver.saved.clone();
        Ok((Some(saver), begun))
    }

    /// Saves the results unless this was done recently; returns whether the file can be written.
    pub fn save_if_due(&mut self, results: impl Into<SavedResults>) -> bool {
        if self.last_write.is_ok() && self.written.elapsed() >= SAVE_INTERVAL {
            self.save(results);
        }
        self.last_write.is_ok()
    }

    /// Saves the results.
    pub fn save(&mut self, results: impl Into<SavedResults>) {
        self.saved.sums = results.into();
        self.write();
    }

    /// Returns whether the results that came last are in the file.
    ///
    /// # Errors
    /// A usage error if the file cannot be written.
    pub fn last_write(&self) -> CommandResult {
        self.last_write.clone().or_else(|fault| usage_error(format!("cannot write `{}`: {fault}", self.path.display())))
    }

    /// Replaces the file, which is always complete: either the old or the new version.
    fn write(&mut self) {
        let written = self.saved.write().map_err(io::Error::other).and_then(|text| disk::replace(&self.path, &text));
        self.last_write = written.map_err(|fault| fault.to_string());
        self.written = Instant::now();
    }
}
