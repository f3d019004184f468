//! Saves the results of a run to a file at regular intervals.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use web_time::Instant;

use super::output::{print_error, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::disk::{self, OnDisk};
use crate::playtest::RunPart;
use crate::playtest::saved::{RunIdentity, Saved, SavedResults, difference_message};
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

/// Checks that the rules of a saved run have not changed.
pub fn check_same_rules(saved: &RunIdentity, now: &RunIdentity) -> CommandResult {
    let differences = saved.differences(now);
    if differences.is_empty() {
        return Ok(());
    }
    usage_error(format!(
        "{}\nrun it where the game and its packs are as they were",
        difference_message(("the saved run", "this folder"), &differences)
    ))
}

/// Returns the part of the run that `--shard` requests; without it the whole run.
pub fn parse_part(shard: Option<RunPart>, games: u64) -> Result<RunPart, ExitReason> {
    match shard {
        Some(part) if part.parts > games => {
            usage_error(format!("`--shard {}/{}`: {games} games cannot be parted so often", part.number, part.parts))
        }
        shard => Ok(shard.unwrap_or(RunPart::WHOLE)),
    }
}

impl RunSaver {
    /// Opens the file. An existing file must belong to the same run; its results then replace those in `saved`.
    ///
    /// # Errors
    /// A usage error if the file belongs to another run or cannot be written.
    pub fn open(path: &Path, mut saved: Saved, word: &str) -> Result<RunSaver, ExitReason> {
        if path.is_there() && !path.is_plain_file() {
            return usage_error(format!("`{}` is no file, but a folder, a pipe or a device; name a file by --save", path.display()));
        }
        if path.is_there() {
            let found = read(path)?;
            let mut differences = found.run.differences(&saved.run);
            if found.part != saved.part {
                differences.push(("--shard", found.part.to_string(), saved.part.to_string()));
            }
            if !differences.is_empty() {
                let way = "name another file by --save, or give the command with which it was saved";
                return usage_error(format!("{}\n{way}", difference_message((&path.display().to_string(), "this command"), &differences)));
            }
            // The report names the first command; the sources of its rules are the same.
            saved = found;
            let left = if saved.is_complete() { ": nothing is left to be played" } else { "" };
            print_error(&format!("`{}`: {} of {} {word} are done{left}\n", path.display(), saved.games_done(), saved.games_requested()));
        } else {
            print_error(&format!("`{}` is new: the run begins, and is kept there\n", path.display()));
        }
        let mut saver = RunSaver { path: path.to_path_buf(), saved, written: Instant::now(), last_write: Ok(()) };
        saver.write();
        saver.last_write_result()?;
        Ok(saver)
    }

    /// Returns the run with the results saved so far.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Saves the results unless this was done recently; returns whether the file can be written.
    pub fn save_if_due(&mut self, sums: impl FnOnce() -> SavedResults) -> bool {
        if self.last_write.is_ok() && self.written.elapsed() >= SAVE_INTERVAL {
            self.saved.sums = sums();
            self.write();
        }
        self.last_write.is_ok()
    }

    /// Saves the final results.
    ///
    /// # Errors
    /// A usage error if the file cannot be written.
    pub fn finish(mut self, sums: SavedResults) -> CommandResult {
        self.saved.sums = sums;
        self.write();
        self.last_write_result()
    }

    fn last_write_result(&self) -> CommandResult {
        self.last_write.clone().or_else(|fault| usage_error(format!("cannot write `{}`: {fault}", self.path.display())))
    }

    /// Replaces the file, which is always complete: either the old or the new version.
    fn write(&mut self) {
        let written = self.saved.write().map_err(io::Error::other).and_then(|text| disk::replace(&self.path, &text));
        self.last_write = written.map_err(|fault| fault.to_string());
        self.written = Instant::now();
    }
}
