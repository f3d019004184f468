//! Progress of a long run: a bar on a terminal, and a line from time to time otherwise.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::Instant;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::output::{print_error, stderr_is_terminal};

/// Interval between lines if the standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);
/// Minimum duration of a run before a bar is drawn.
const MIN_BAR_DURATION: Duration = Duration::from_secs(1);

/// Progress of a run.
pub struct Progress {
    word: &'static str,
    started: Instant,
    watched: bool,
    state: Mutex<ProgressState>,
}

/// What the progress display currently shows.
struct ProgressState {
    all: u64,
    note: String,
    bar: Option<ProgressBar>,
    told: Instant,
}

impl Progress {
    /// Begins a run of `all` games, or of other items named by `word`.
    pub fn new(all: u64, word: &'static str) -> Progress {
        let started = Instant::now();
        Progress {
            word,
            started,
            watched: stderr_is_terminal(),
            state: Mutex::new(ProgressState { all, note: String::new(), bar: None, told: started }),
        }
    }

    /// Changes the total number of items.
    pub fn set_total(&self, all: u64) {
        let mut shown = self.lock_state();
        shown.all = all;
        shown.bar.iter().for_each(|bar| bar.set_length(all));
    }

    /// Shows a note behind the number of items, from when more of them are done.
    pub fn set_note(&self, note: String) {
        self.lock_state().note = note;
    }

    /// Shows that this number of items is done.
    pub fn set_done(&self, done: u64) {
        let mut shown = self.lock_state();
        #[cfg(target_family = "wasm")]
        super::console::progress(done, shown.all, self.word);
        if !self.watched && shown.told.elapsed() >= LINE_INTERVAL {
            shown.told = Instant::now();
            print_error(&progress_line(done, shown.all, self.word, self.started.elapsed()));
        }
        if self.watched && self.started.elapsed() > MIN_BAR_DURATION {
            let (all, note) = (shown.all, shown.note.clone());
            let bar = shown.bar.get_or_insert_with(|| self.new_bar(all));
            bar.set_message(note);
            bar.set_position(done);
        }
    }

    fn new_bar(&self, all: u64) -> ProgressBar {
        let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {}{{msg}}, {{eta}} left", self.word));
        let bar = ProgressBar::new(all).with_elapsed(self.started.elapsed());
        style.map_or(bar.clone(), |style| bar.with_style(style))
    }

    /// Removes the progress bar from the terminal, as the end of the run does.
    pub fn finish(&self) {
        self.lock_state().bar.take().iter().for_each(ProgressBar::finish_and_clear);
    }

    fn lock_state(&self) -> MutexGuard<'_, ProgressState> {
        // A thread that panics leaves no inconsistent state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Formats the progress of a run as one line of text.
fn progress_line(done: u64, all: u64, word: &str, since: Duration) -> String {
    let left = if done > 0 { since.as_secs_f64() / done as f64 * all.saturating_sub(done) as f64 } else { f64::INFINITY };
    let left = Duration::try_from_secs_f64(left).map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
    format!("{done} of {all} {word} in {}{left}\n", HumanDuration(since))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is_and_how_long_it_takes() {
        assert_eq!(progress_line(50, 200, "games", Duration::from_secs(60)), "50 of 200 games in 60 seconds, about 3 minutes left\n");
        assert_eq!(progress_line(0, 200, "games", Duration::from_secs(30)), "0 of 200 games in 30 seconds\n");
    }
}
