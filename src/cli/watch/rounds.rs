//! The rounds of watch mode: what wakes it, and what has changed since the last round.
//!
//! Notifications of the system only wake this program; changes are found by comparing the files with their previous state. A file that is
//! merely read is therefore no change, a file that an editor replaces is changed, and no change during a run is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

use super::super::output::{print, usage_error};
use super::super::result::{CommandResult, ExitReason};
use super::super::signals::{STOP, install_signal_handlers};
use super::{ChangedFiles, WatchRun};
use crate::source::Sources;

/// Time without notifications before files are compared: editors save in several steps.
const QUIET_TIME: Duration = Duration::from_millis(30);
/// Interval at which a stop request is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of poll intervals after which a missing folder is looked up again.
const POLLS_PER_LOOKUP: u32 = 10;
/// Maximum number of changed files that are listed.
const MAX_LISTED_FILES: usize = 5;

/// Files with their modification times and sizes.
type FileStates = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

impl ChangedFiles {
    fn between(before: &FileStates, now: &FileStates) -> ChangedFiles {
        let (mut files, mut words) = (Vec::new(), Vec::new());
        let all: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
        for path in all {
            let word = match (before.get(path), now.get(path)) {
                (None, Some(_)) => "is new",
                (Some(_), None) => "is gone",
                (was, is) if was != is => "has changed",
                _ => continue,
            };
            words.push(format!("{} {word}", path.display()));
            files.push(path.clone());
        }
        ChangedFiles { files, words }
    }

    /// Returns one line about the changes; empty for the first run.
    fn describe(&self) -> String {
        let more = self.words.len().saturating_sub(MAX_LISTED_FILES);
        let mut named = self.words[..self.words.len() - more].join(", ");
        if more > 0 {
            named.push_str(&format!(", and {more} more"));
        }
        named
    }
}

/// Runs `answer`, and again whenever something in these folders, or another file that a result depends on, has changed, until Ctrl-C.
/// Findings do not end it.
///
/// # Errors
/// A usage error if the folders cannot be watched, or the first run has a usage error.
pub fn watch(folders: &[PathBuf], mut answer: impl FnMut(&ChangedFiles, &WatchRun) -> CommandResult) -> CommandResult {
    install_signal_handlers();
    let answering = WatchRun::default();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&answering.cancelled));
    }
    let (sender, woken) = channel();
    let looked_at = Arc::new(Mutex::new(WatchedFiles { paths: folders.to_vec(), before: file_states(folders) }));
    let (cancelled, known) = (Arc::clone(&answering.cancelled), Arc::clone(&looked_at));
    let heard = move |_: DebounceEventResult| {
        // A run on outdated files is cancelled.
        if known.lock().is_ok_and(|known| known.before != file_states(&known.paths)) {
            cancelled.store(true, Ordering::Relaxed);
        }
        // A receiver that has stopped need not be woken.
        let _ = sender.send(());
    };
    let watcher = new_debouncer(QUIET_TIME, heard);
    let mut watcher = watcher.or_else(|fault| usage_error(format!("files cannot be watched here: {fault}")))?;
    watch_paths(&mut watcher, folders);
    let mut changed = ChangedFiles::default();
    let mut first = true;
    loop {
        answering.cancelled.store(false, Ordering::Relaxed);
        if STOP.load(Ordering::Relaxed) {
            return Ok(());
        }
        announce(&changed, first);
        match answer(&changed, &answering) {
            Err(ExitReason::Usage) if first => return Err(ExitReason::Usage),
            Ok(()) | Err(ExitReason::Findings | ExitReason::Usage) => {}
        }
        first = false;
        if STOP.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Ok(mut seen) = looked_at.lock().map(|seen| seen.clone()) else { return Ok(()) };
        let new = seen.add(&answering.read.take());
        if !new.is_empty() {
            watch_paths(&mut watcher, &seen.paths);
        }
        // Files that were not watched before are compared by their contents.
        let cancelled = answering.is_cancelled() || new.iter().any(|(path, text)| !has_contents(path, text));
        if !cancelled {
            print("\nwatching; Ctrl-C ends\n");
        }
        let Some((now, found)) = wait(&mut watcher, &woken, &seen, cancelled) else { return Ok(()) };
        if let Ok(mut looked_at) = looked_at.lock() {
            *looked_at = WatchedFiles { before: now, ..seen };
        }
        changed = found;
    }
}

/// The files that watch mode compares with their previous state.
#[derive(Clone)]
struct WatchedFiles {
    /// The watched folders, and watched files that are not in one of them.
    paths: Vec<PathBuf>,
    /// State of the files at the beginning of the last run.
    before: FileStates,
}

impl WatchedFiles {
    /// Adds those files that are not in a watched folder; returns the newly added ones.
    fn add(&mut self, files: &BTreeMap<PathBuf, String>) -> BTreeMap<PathBuf, String> {
        let around: Vec<PathBuf> = self.paths.iter().map(|place| Sources::real_path(place)).collect();
        let is_elsewhere = |path: &Path| path.is_file() && !around.iter().any(|place| Sources::real_path(path).starts_with(place));
        let new: BTreeMap<PathBuf, String> =
            files.iter().filter(|(path, _)| is_elsewhere(path)).map(|(path, text)| (path.clone(), text.clone())).collect();
        self.paths.extend(new.keys().cloned());
        self.before.extend(file_states(&new.keys().cloned().collect::<Vec<_>>()));
        new
    }
}

/// Whether a file has these contents.
fn has_contents(path: &Path, text: &str) -> bool {
    let mut sources = Sources::new();
    sources.read_file(path).is_ok_and(|file| sources.text(file) == text)
}

/// Waits for a change, unless the last run was cancelled: then another run is due in any case, even if the change was reverted. Returns
/// `None` if the user wants to stop.
fn wait(
    watcher: &mut Debouncer<RecommendedWatcher>,
    woken: &Receiver<()>,
    WatchedFiles { paths, before }: &WatchedFiles,
    cancelled: bool,
) -> Option<(FileStates, ChangedFiles)> {
    let mut pulses = 0;
    loop {
        let now = file_states(paths);
        let found = ChangedFiles::between(before, &now);
        if cancelled || !found.files.is_empty() {
            watch_paths(watcher, paths);
            return Some((now, found));
        }
        loop {
            if STOP.load(Ordering::Relaxed) {
                return None;
            }
            match woken.recv_timeout(POLL_INTERVAL) {
                Ok(()) => break,
                Err(RecvTimeoutError::Timeout) => pulses += 1,
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(POLL_INTERVAL),
            }
            // A deleted folder sends no notification when it is created again.
            if pulses >= POLLS_PER_LOOKUP {
                pulses = 0;
                watch_paths(watcher, paths);
                break;
            }
        }
        while woken.try_recv().is_ok() {}
    }
}

/// Requests notifications for these paths; missing ones are requested again later. For a file its folder is watched, since an editor that
/// replaces the file would be noticed only once.
fn watch_paths(watcher: &mut Debouncer<RecommendedWatcher>, paths: &[PathBuf]) {
    for place in paths {
        let folder = place.parent().filter(|_| place.is_file());
        let _ = match folder.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }) {
            Some(folder) => watcher.watcher().watch(folder, RecursiveMode::NonRecursive),
            None => watcher.watcher().watch(place, RecursiveMode::Recursive),
        };
    }
}

/// Returns the current rules, cards and scenario files.
fn file_states(folders: &[PathBuf]) -> FileStates {
    let is_ours = |path: &PathBuf| path.extension().is_some_and(|end| end == "rules" || end == "toml");
    let all = folders.iter().flat_map(|folder| if folder.is_file() { vec![folder.clone()] } else { Sources::all_files(folder) });
    let found = all.filter(is_ours).filter_map(|path| {
        let found = std::fs::metadata(&path).ok()?;
        Some((path, (found.modified().ok(), found.len())))
    });
    found.collect()
}

/// Prints the time and the changes. A terminal is cleared first.
fn announce(changed: &ChangedFiles, first: bool) {
    if stdout().is_terminal() {
        clear_terminal();
    } else if !first {
        print("\n");
    }
    let time = chrono::Local::now().format("%H:%M:%S");
    let line = changed.describe();
    print(&if line.is_empty() { format!("{time}\n") } else { format!("{time} {line}\n") });
}

/// Clears the terminal and moves the cursor to the top.
fn clear_terminal() {
    use ratatui::crossterm::{ExecutableCommand, cursor::MoveTo, terminal::Clear, terminal::ClearType};
    let cleared = stdout().execute(Clear(ClearType::All)).and_then(|out| out.execute(MoveTo(0, 0)).map(drop));
    // If it cannot be cleared, the new result is printed below the old one.
    drop(cleared);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_states_of(files: &[(&str, u64)]) -> FileStates {
        files.iter().map(|(path, length)| (PathBuf::from(path), (None, *length))).collect()
    }

    #[test]
    fn what_has_changed_is_told_by_name() {
        let changed =
            ChangedFiles::between(&file_states_of(&[("a", 1), ("b", 1), ("c", 1)]), &file_states_of(&[("a", 1), ("b", 2), ("d", 1)]));
        assert_eq!(changed.describe(), "b has changed, c is gone, d is new");
        let many: Vec<String> = (0..7).map(|number| number.to_string()).collect();
        let many: Vec<(&str, u64)> = many.iter().map(|name| (name.as_str(), 1)).collect();
        assert!(ChangedFiles::between(&file_states_of(&[]), &file_states_of(&many)).describe().ends_with("4 is new, and 2 more"));
    }

    #[test]
    fn a_name_is_told_as_it_is() {
        let changed =
            ChangedFiles::between(&file_states_of(&[("what is changed.toml", 1)]), &file_states_of(&[("what is changed.toml", 2)]));
        assert_eq!(changed.describe(), "what is changed.toml has changed");
    }
}
