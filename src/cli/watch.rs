//! Files that are looked at again whenever one is saved: `check --watch` and `test --watch`.
//!
//! The system only wakes us: what has really changed is seen by comparing what lies there with what lay there before. So a file that is
//! merely read is no change, one that an editor puts in place of another is that file changed, and nothing is missed while we answer.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

use super::output::{print, wrong};
use super::signals::{STOP, hear_signals};
use super::{Done, Trouble};
use crate::source::Sources;

/// So long nothing may happen before we look: editors save in several steps.
const SETTLE: Duration = Duration::from_millis(30);
/// So often it is looked at whether somebody wants to stop.
const PULSE: Duration = Duration::from_millis(50);
/// So often, where a folder is gone, it is looked for again.
const LOOK_AGAIN: u32 = 10;
/// So many changed files are named.
const MOST_NAMED: usize = 5;

/// Files with when they were written and how long they are.
type Lying = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// What has changed since the last answer; nothing at the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The files, those that are gone among them.
    pub files: Vec<PathBuf>,
    words: Vec<String>,
}

impl Changed {
    fn between(before: &Lying, now: &Lying) -> Changed {
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
        Changed { files, words }
    }

    /// In words; empty at the beginning.
    fn line(&self) -> String {
        let more = self.words.len().saturating_sub(MOST_NAMED);
        let mut named = self.words[..self.words.len() - more].join(", ");
        if more > 0 {
            named.push_str(&format!(", and {more} more"));
        }
        named
    }
}

/// An answer that is being given.
#[derive(Default)]
pub struct Answering {
    /// It is to be broken off: something has changed again, or somebody wants to stop.
    halt: Arc<AtomicBool>,
    /// What it has read, with what stood there.
    read: RefCell<BTreeMap<PathBuf, String>>,
}

impl Answering {
    /// The flag by which it is broken off, for what runs many games.
    pub fn flag(&self) -> &AtomicBool {
        &self.halt
    }

    /// Whether it is to be broken off.
    pub fn is_broken_off(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    /// Notes what the answer rests on, so that it is given again when one of these files is saved, wherever it lies.
    pub fn rests_on(&self, sources: &Sources) {
        self.read.borrow_mut().extend(sources.all().map(|(name, text)| (PathBuf::from(name), text.to_string())));
    }
}

/// Answers, and again whenever something in these folders, or something that the answer rests on, has changed, until Ctrl-C. A fault of one
/// answer does not end it.
///
/// # Errors
/// Wrong use, if the folders cannot be watched, or nothing can be answered at the beginning.
pub fn watch(folders: &[PathBuf], mut answer: impl FnMut(&Changed, &Answering) -> Done) -> Done {
    hear_signals();
    let answering = Answering::default();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(&answering.halt));
    }
    let (sender, woken) = channel();
    let looked_at = Arc::new(Mutex::new(Watched { places: folders.to_vec(), before: lying(folders) }));
    let (halt, known) = (Arc::clone(&answering.halt), Arc::clone(&looked_at));
    let heard = move |_: DebounceEventResult| {
        // An answer about what is no more is broken off.
        if known.lock().is_ok_and(|known| known.before != lying(&known.places)) {
            halt.store(true, Ordering::Relaxed);
        }
        // Whoever has stopped listening needs no waking.
        let _ = sender.send(());
    };
    let watcher = new_debouncer(SETTLE, heard);
    let mut watcher = watcher.or_else(|fault| wrong(format!("files cannot be watched here: {fault}")))?;
    follow(&mut watcher, folders);
    let mut changed = Changed::default();
    let mut first = true;
    loop {
        answering.halt.store(false, Ordering::Relaxed);
        if STOP.load(Ordering::Relaxed) {
            return Ok(());
        }
        announce(&changed, first);
        match answer(&changed, &answering) {
            Err(Trouble::Wrong) if first => return Err(Trouble::Wrong),
            Ok(()) | Err(Trouble::Finding | Trouble::Wrong) => {}
        }
        first = false;
        if STOP.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Ok(mut seen) = looked_at.lock().map(|seen| seen.clone()) else { return Ok(()) };
        let new = seen.add(&answering.read.take());
        if !new.is_empty() {
            follow(&mut watcher, &seen.places);
        }
        // Of files that were not watched before it is seen by their text whether they are still what was answered about.
        let broken_off = answering.is_broken_off() || new.iter().any(|(path, text)| !says(path, text));
        if !broken_off {
            print("\nwatching; Ctrl-C ends\n");
        }
        let Some((now, found)) = wait(&mut watcher, &woken, &seen, broken_off) else { return Ok(()) };
        if let Ok(mut looked_at) = looked_at.lock() {
            *looked_at = Watched { before: now, ..seen };
        }
        changed = found;
    }
}

/// What is watched.
#[derive(Clone)]
struct Watched {
    /// Folders, and files that lie in none of them.
    places: Vec<PathBuf>,
    /// What lay there when the last answer began.
    before: Lying,
}

impl Watched {
    /// Adds files that lie in none of the places; those that were added.
    fn add(&mut self, files: &BTreeMap<PathBuf, String>) -> BTreeMap<PathBuf, String> {
        let around: Vec<PathBuf> = self.places.iter().map(|place| Sources::real_path(place)).collect();
        let is_elsewhere = |path: &Path| path.is_file() && !around.iter().any(|place| Sources::real_path(path).starts_with(place));
        let new: BTreeMap<PathBuf, String> =
            files.iter().filter(|(path, _)| is_elsewhere(path)).map(|(path, text)| (path.clone(), text.clone())).collect();
        self.places.extend(new.keys().cloned());
        self.before.extend(lying(&new.keys().cloned().collect::<Vec<_>>()));
        new
    }
}

/// Whether this text stands in a file.
fn says(path: &Path, text: &str) -> bool {
    let mut sources = Sources::new();
    sources.read_file(path).is_ok_and(|file| sources.text(file) == text)
}

/// Waits until something has changed, where the last answer was not broken off: then one is due in any case, also if what has changed is as it
/// was again. None when somebody wants to stop.
fn wait(
    watcher: &mut Debouncer<RecommendedWatcher>,
    woken: &Receiver<()>,
    Watched { places, before }: &Watched,
    broken_off: bool,
) -> Option<(Lying, Changed)> {
    let mut pulses = 0;
    loop {
        let now = lying(places);
        let found = Changed::between(before, &now);
        if broken_off || !found.files.is_empty() {
            follow(watcher, places);
            return Some((now, found));
        }
        loop {
            if STOP.load(Ordering::Relaxed) {
                return None;
            }
            match woken.recv_timeout(PULSE) {
                Ok(()) => break,
                Err(RecvTimeoutError::Timeout) => pulses += 1,
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(PULSE),
            }
            // A folder that was deleted wakes nobody when it comes back.
            if pulses >= LOOK_AGAIN {
                pulses = 0;
                follow(watcher, places);
                break;
            }
        }
        while woken.try_recv().is_ok() {}
    }
}

/// Has the system wake us for these places. One that is not there is asked for again later. Of a file the folder is asked for: an editor that
/// puts another file in its place would be heard of only once.
fn follow(watcher: &mut Debouncer<RecommendedWatcher>, places: &[PathBuf]) {
    for place in places {
        let folder = place.parent().filter(|_| place.is_file());
        let _ = match folder.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder }) {
            Some(folder) => watcher.watcher().watch(folder, RecursiveMode::NonRecursive),
            None => watcher.watcher().watch(place, RecursiveMode::Recursive),
        };
    }
}

/// The files of rules, cards and scenarios that lie there now.
fn lying(folders: &[PathBuf]) -> Lying {
    let is_ours = |path: &PathBuf| path.extension().is_some_and(|end| end == "rules" || end == "toml");
    let all = folders.iter().flat_map(|folder| if folder.is_file() { vec![folder.clone()] } else { Sources::all_files(folder) });
    let found = all.filter(is_ours).filter_map(|path| {
        let found = std::fs::metadata(&path).ok()?;
        Some((path, (found.modified().ok(), found.len())))
    });
    found.collect()
}

/// The time, and what has changed. On a terminal what stood there before is gone.
fn announce(changed: &Changed, first: bool) {
    if stdout().is_terminal() {
        clear();
    } else if !first {
        print("\n");
    }
    let time = chrono::Local::now().format("%H:%M:%S");
    let line = changed.line();
    print(&if line.is_empty() { format!("{time}\n") } else { format!("{time} {line}\n") });
}

/// Clears the terminal, and goes to its first line.
fn clear() {
    use ratatui::crossterm::{ExecutableCommand, cursor::MoveTo, terminal::Clear, terminal::ClearType};
    let cleared = stdout().execute(Clear(ClearType::All)).and_then(|out| out.execute(MoveTo(0, 0)).map(drop));
    // Where it cannot be cleared, the answer stands below the last one.
    drop(cleared);
}

/// The folders that belong to a command: those that were named, or what the games' own folder holds.
pub fn folders_of(root: Option<&Path>, named: &[PathBuf], packs: &[PathBuf]) -> Vec<PathBuf> {
    let root = root.map(Path::to_path_buf);
    let of_root = root.iter().flat_map(|root| ["rules", "cards", "packs", "tests"].map(|folder| root.join(folder)));
    let mut all: Vec<PathBuf> = named.iter().chain(packs).cloned().chain(of_root.filter(|folder| folder.is_dir())).collect();
    let real: Vec<PathBuf> = all.iter().map(|folder| Sources::real_path(folder)).collect();
    // What lies in another that is watched would be told twice.
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

    fn lies(files: &[(&str, u64)]) -> Lying {
        files.iter().map(|(path, length)| (PathBuf::from(path), (None, *length))).collect()
    }

    #[test]
    fn what_has_changed_is_told_by_name() {
        let changed = Changed::between(&lies(&[("a", 1), ("b", 1), ("c", 1)]), &lies(&[("a", 1), ("b", 2), ("d", 1)]));
        assert_eq!(changed.line(), "b has changed, c is gone, d is new");
        let many: Vec<String> = (0..7).map(|number| number.to_string()).collect();
        let many: Vec<(&str, u64)> = many.iter().map(|name| (name.as_str(), 1)).collect();
        assert!(Changed::between(&lies(&[]), &lies(&many)).line().ends_with("4 is new, and 2 more"));
    }

    #[test]
    fn a_name_is_told_as_it_is() {
        let changed = Changed::between(&lies(&[("what is changed.toml", 1)]), &lies(&[("what is changed.toml", 2)]));
        assert_eq!(changed.line(), "what is changed.toml has changed");
    }

    #[test]
    fn a_folder_in_another_is_watched_once() {
        let folder = tempfile::tempdir().unwrap();
        let (outer, inner) = (folder.path().to_path_buf(), folder.path().join("inner"));
        std::fs::create_dir(&inner).unwrap();
        assert_eq!(folders_of(None, &[inner, outer.clone(), outer.clone()], &[]), [outer]);
    }
}
