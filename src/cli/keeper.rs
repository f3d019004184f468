//! Keeps what is done of a run in a file, as the run goes on.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::output::{say, wrong};
use super::{Done, Trouble};
use crate::playtest::saved::{Saved, Sums, differ};
use crate::source::Sources;

/// It is written so often.
const EVERY: Duration = Duration::from_secs(10);

/// Nothing that was saved is larger.
const MOST_BYTES: u64 = 1 << 30;

/// A file in which what is done is kept.
pub struct Keeper {
    path: PathBuf,
    saved: Saved,
    written: Instant,
    /// What went wrong with the file.
    trouble: Result<(), String>,
}

/// Reads a saved run.
///
/// # Errors
/// Wrong use, if it is none, or one of another version.
pub fn read(path: &Path) -> Result<Saved, Trouble> {
    let read = Sources::bounded_text(path, MOST_BYTES).map_err(|fault| fault.to_string()).and_then(|text| Saved::read(&text));
    read.or_else(|fault| wrong(format!("cannot read `{}`: {fault}", path.display())))
}

impl Keeper {
    /// Opens the file. If it is there already, it must be of the same run, and what is done of it is in place of what was given.
    ///
    /// # Errors
    /// Wrong use, if it is of another run, or cannot be written.
    pub fn open(path: &Path, mut saved: Saved, word: &str) -> Result<Keeper, Trouble> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return wrong(format!("`{}` is no file, but a folder, a pipe or a device; name a file by --save", path.display()));
        }
        if fs::exists(path).unwrap_or(false) {
            let found = read(path)?;
            let mut differences = found.run.differences(&saved.run);
            if found.part != saved.part {
                differences.push(("--shard", found.part.to_string(), saved.part.to_string()));
            }
            if !differences.is_empty() {
                let way = "name another file by --save, or give the command with which it was saved";
                return wrong(format!("{}\n{way}", differ((&path.display().to_string(), "this command"), &differences)));
            }
            // The first command stands for all in the report; what it is made from is the same.
            saved = found;
            let left = if saved.is_complete() { ": nothing is left to be played" } else { "" };
            say(&format!("`{}`: {} of {} {word} are done{left}\n", path.display(), saved.done(), saved.asked()));
        } else {
            say(&format!("`{}` is new: the run begins, and is kept there\n", path.display()));
        }
        let mut keeper = Keeper { path: path.to_path_buf(), saved, written: Instant::now(), trouble: Ok(()) };
        keeper.write();
        keeper.checked()?;
        Ok(keeper)
    }

    /// What is in the file.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Keeps what is done, if that was not done lately; whether the file can be written.
    pub fn keep(&mut self, sums: impl FnOnce() -> Sums) -> bool {
        if self.trouble.is_ok() && self.written.elapsed() >= EVERY {
            self.saved.sums = sums();
            self.write();
        }
        self.trouble.is_ok()
    }

    /// Keeps what is done at the end.
    ///
    /// # Errors
    /// Wrong use, if the file cannot be written.
    pub fn end(mut self, sums: Sums) -> Done {
        self.saved.sums = sums;
        self.write();
        self.checked()
    }

    fn checked(&self) -> Done {
        self.trouble.clone().or_else(|fault| wrong(format!("cannot write `{}`: {fault}", self.path.display())))
    }

    /// Beside it first, and then in its place: whenever the machine stops, the file is whole, the old one or the new one.
    fn write(&mut self) {
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        let written = self.saved.write().map_err(io::Error::other).and_then(|text| {
            let mut file = File::create(&beside)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &self.path)
        });
        self.trouble = written.map_err(|fault| fault.to_string());
        self.written = Instant::now();
    }
}
