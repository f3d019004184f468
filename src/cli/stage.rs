//! Stages of a run: units of work, such as games, that are played while progress is shown and results are kept in a file, until all are done
//! or somebody presses Ctrl-C.

use std::sync::atomic::Ordering;
use web_time::Instant;

use super::faults::or_show;
use super::progress::Progress;
use super::result::{CommandResult, ExitReason};
use super::saver::RunSaver;
use super::signals::{STOP, install_signal_handlers};
use crate::diagnostic::Diagnostic;
use crate::playtest::saved::SavedResults;
use crate::source::Sources;

/// A stage, which ends when it is dropped.
pub struct Stage {
    progress: Progress,
    saver: Option<RunSaver>,
    started: Instant,
    /// Number of units in what has been played before what is played now.
    before: u64,
}

/// What a stage leaves.
pub struct Played<T> {
    /// What came of it.
    pub found: T,
    /// How many seconds it took.
    pub seconds: f64,
    /// Whether it is in the file of the run, if there is one.
    pub kept: CommandResult,
}

impl Stage {
    /// Begins a stage of so many units, which are named by a word, and whose results are kept if there is a file for them. From now on Ctrl-C ends
    /// it.
    pub fn begin(units: u64, word: &'static str, saver: Option<RunSaver>) -> Stage {
        install_signal_handlers();
        Stage { progress: Progress::new(units, word), saver, started: Instant::now(), before: 0 }
    }

    /// Whether the run is to stop.
    pub fn is_stopped() -> bool {
        STOP.load(Ordering::Relaxed)
    }

    /// Stops the run.
    pub fn stop() {
        STOP.store(true, Ordering::Relaxed);
    }

    /// Shows how many units are done of what is played now.
    pub fn done(&self, units: u64) {
        self.progress.set_done(self.before + units);
    }

    /// Goes on to something else after so many units.
    pub fn add(&mut self, units: u64) {
        self.before += units;
    }

    /// Shows how many units are done, and how many there are.
    pub fn done_of(&self, units: u64, all: u64) {
        self.progress.set_total(all);
        self.done(units);
    }

    /// Keeps the results so far, unless this was done a moment ago.
    pub fn keep(&mut self, results: impl Into<SavedResults>) {
        if self.saver.as_mut().is_some_and(|saver| !saver.save_if_due(results)) {
            // What remains could not be kept.
            Stage::stop();
        }
    }

    /// Keeps all results.
    pub fn keep_all(&mut self, results: impl Into<SavedResults>) {
        if let Some(saver) = &mut self.saver {
            saver.save(results);
        }
    }

    /// Plays the stage, and shows what is wrong with scripts, which lie in these files.
    ///
    /// # Errors
    /// `Findings` if scripts cannot be run.
    pub fn play<T>(
        mut self,
        sources: &Sources,
        work: impl FnOnce(&mut Stage) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<Played<T>, ExitReason> {
        let found = work(&mut self);
        let ended = self.end(found);
        Ok(Played { found: or_show(sources, ended.found)?, seconds: ended.seconds, kept: ended.kept })
    }

    /// Ends the stage with what came of it.
    pub fn end<T>(self, found: T) -> Played<T> {
        let seconds = self.seconds();
        self.progress.finish();
        Played { found, seconds, kept: self.saver.map_or(Ok(()), |saver| saver.last_write()) }
    }

    /// Shows a note behind the number of units.
    pub fn note(&self, note: String) {
        self.progress.set_note(note);
    }

    /// Returns how many seconds the stage has taken so far.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}
