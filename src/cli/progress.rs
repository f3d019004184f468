//! How far a long run is: a bar for who watches, and a line now and then where the standard error goes to a file or another program.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::output::{say, watched};

/// Where nobody watches, a line is written so often.
const EVERY: Duration = Duration::from_secs(30);
/// No bar is drawn for a run that takes no longer.
const SHORT: Duration = Duration::from_secs(1);

/// How far a run is.
pub struct Progress {
    word: &'static str,
    begun: Instant,
    watched: bool,
    shown: Mutex<Shown>,
}

/// What has been shown.
struct Shown {
    all: u64,
    bar: Option<ProgressBar>,
    told: Instant,
}

impl Progress {
    /// A run of so many games, or of what `word` says, begins.
    pub fn new(all: u64, word: &'static str) -> Progress {
        let begun = Instant::now();
        Progress { word, begun, watched: watched(), shown: Mutex::new(Shown { all, bar: None, told: begun }) }
    }

    /// How many there are in all is known better.
    pub fn of(&self, all: u64) {
        let mut shown = self.shown();
        shown.all = all;
        shown.bar.iter().for_each(|bar| bar.set_length(all));
    }

    /// So many are done.
    pub fn at(&self, done: u64) {
        let mut shown = self.shown();
        if !self.watched && shown.told.elapsed() >= EVERY {
            shown.told = Instant::now();
            say(&line((done, shown.all), self.word, self.begun.elapsed()));
        }
        if self.watched && self.begun.elapsed() > SHORT {
            let all = shown.all;
            shown.bar.get_or_insert_with(|| self.bar(all)).set_position(done);
        }
    }

    fn bar(&self, all: u64) -> ProgressBar {
        let style = ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {}, {{eta}} left", self.word));
        let bar = ProgressBar::new(all).with_elapsed(self.begun.elapsed());
        style.map_or(bar.clone(), |style| bar.with_style(style))
    }

    /// The run is over.
    pub fn end(&self) {
        self.shown().bar.iter().for_each(ProgressBar::finish_and_clear);
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        // A thread that panics leaves nothing half done behind.
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far a run is in a line.
fn line((done, all): (u64, u64), word: &str, since: Duration) -> String {
    let left = if done > 0 { since.as_secs_f64() / done as f64 * all.saturating_sub(done) as f64 } else { f64::INFINITY };
    let left = Duration::try_from_secs_f64(left).map_or(String::new(), |left| format!(", about {} left", HumanDuration(left)));
    format!("{done} of {all} {word} in {}{left}\n", HumanDuration(since))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is_and_how_long_it_takes() {
        assert_eq!(line((50, 200), "games", Duration::from_secs(60)), "50 of 200 games in 60 seconds, about 3 minutes left\n");
        assert_eq!(line((0, 200), "games", Duration::from_secs(30)), "0 of 200 games in 30 seconds\n");
    }
}
