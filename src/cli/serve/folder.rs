//! The folder that a page shows: what lies in it, what a page writes, and what others change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use notify_debouncer_mini::notify::{self, RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};
use serde::Serialize;
use serde_json::json;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::disk::{self, OnDisk};
use crate::source::Sources;
use crate::state::chance::hash_text;

/// Most bytes of a file that is shown or written.
pub const MOST_BYTES: u64 = 4 << 20;
/// Most bytes of all files together.
const MOST_BYTES_TOGETHER: u64 = 64 << 20;
/// Most files.
const MOST_FILES: usize = 5000;
/// Most folders within each other.
const DEEPEST: usize = 12;
/// Endings of files that a page shows.
const ENDINGS: [&str; 5] = ["rules", "toml", "rhai", "md", "replay"];
/// Most changes that wait for a page which does not read them; then it is told to read all anew.
const MOST_WAITING: usize = 16;
/// Time without notifications before files are compared: editors save in several steps.
const QUIET_TIME: Duration = Duration::from_millis(50);

/// A file that has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its path in the folder, with `/`.
    pub path: String,
    /// What is in it now; `None` if it is gone.
    pub text: Option<String>,
    /// The version of that text; `None` if it is gone.
    pub version: Option<String>,
}

impl Change {
    fn new(path: &str, text: Option<String>) -> Change {
        let version = text.as_deref().map(version_of);
        Change { path: path.to_string(), text, version }
    }
}

/// What a request names in place of a version where its page knows of no file.
const NO_FILE: &str = "none";

/// Returns the version of a text: equal texts are equal versions.
fn version_of(text: &str) -> String {
    format!("{:016x}", hash_text(text))
}

/// Why a request is not fulfilled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Status of the answer.
    pub status: u16,
    /// The reason for people.
    pub reason: String,
}

impl Refusal {
    /// Refuses with a status and a reason.
    pub fn new(status: u16, reason: impl Into<String>) -> Refusal {
        Refusal { status, reason: reason.into() }
    }
}

/// Refuses a file of more than [`MOST_BYTES`].
pub fn too_long() -> Refusal {
    Refusal::new(413, format!("files of more than {} MB are not written here", MOST_BYTES >> 20))
}

/// Texts by their paths in the folder, with `/`.
type Texts = BTreeMap<String, String>;

/// A folder with what is known of it, and those who want to know of changes.
pub struct ServedFolder {
    /// Without links.
    root: PathBuf,
    state: Mutex<FolderState>,
}

struct FolderState {
    texts: Texts,
    /// Files that lie there and are not shown, each with the reason.
    left: Texts,
    subscribers: Vec<Subscriber>,
}

/// A page that is told of changes.
struct Subscriber {
    changes: Sender<Arc<Change>>,
    missed: Arc<AtomicBool>,
}

/// What a page is told of: changes as they come, and whether it has missed some since it did not read them.
pub struct Subscription {
    /// The changes.
    pub changes: Receiver<Arc<Change>>,
    /// Whether some have been missed, so that all is to be read anew.
    pub missed: Arc<AtomicBool>,
}

impl ServedFolder {
    /// Reads a folder.
    ///
    /// # Errors
    /// It is none, or too large to be one of games.
    pub fn open(folder: &Path) -> Result<ServedFolder, String> {
        let root = disk::real_path(folder).map_err(|fault| format!("`{}` cannot be read: {fault}", folder.display()))?;
        let FolderTexts { texts, left } = read_texts(&root)?;
        Ok(ServedFolder { root, state: Mutex::new(FolderState { texts, left, subscribers: Vec::new() }) })
    }

    fn state(&self) -> MutexGuard<'_, FolderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All files with their versions, and what is not shown, as JSON.
    pub fn as_json(&self) -> String {
        let state = self.state();
        let versions: BTreeMap<&String, String> = state.texts.iter().map(|(path, text)| (path, version_of(text))).collect();
        json!({ "files": state.texts, "left": state.left, "versions": versions }).to_string()
    }

    /// Returns changes from now on.
    pub fn subscribe(&self) -> Subscription {
        let ((sender, changes), missed) = (channel(MOST_WAITING), Arc::new(AtomicBool::new(false)));
        self.state().subscribers.push(Subscriber { changes: sender, missed: Arc::clone(&missed) });
        Subscription { changes, missed }
    }

    /// Writes a file, and tells all pages of it, also the one that has written. `seen` is the version from which the text was made, if the page
    /// says so. Returns the new version.
    ///
    /// # Errors
    /// The path leads elsewhere, it is no text, there is another version than the one that was seen, or it cannot be written.
    pub fn write(&self, path: &str, bytes: Vec<u8>, seen: Option<&str>) -> Result<String, Refusal> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(too_long());
        }
        let text = String::from_utf8(bytes).map_err(|_| Refusal::new(400, "it is not text in UTF-8"))?;
        let file = self.inside(path)?;
        // Nobody compares the folder while it is written to.
        let mut state = self.state();
        // What another editor has saved a moment ago, no page has seen.
        if let Some(unseen) = Sources::read_bounded(&file, MOST_BYTES).ok().filter(|now| state.texts.get(path) != Some(now) && *now != text)
        {
            state.texts.insert(path.to_string(), unseen.clone());
            state.tell(Change::new(path, Some(unseen)));
            return Err(changed_elsewhere(path));
        }
        state.expect_seen(path, seen)?;
        let around = file.parent().unwrap_or(&self.root);
        disk::create_folders(around).and_then(|()| disk::replace(&file, &text)).map_err(|fault| Refusal::new(500, fault.to_string()))?;
        let version = version_of(&text);
        state.texts.insert(path.to_string(), text.clone());
        state.tell(Change::new(path, Some(text)));
        Ok(version)
    }

    /// Removes a file, and tells all pages of it.
    ///
    /// # Errors
    /// As for [`ServedFolder::write`].
    pub fn remove(&self, path: &str, seen: Option<&str>) -> Result<(), Refusal> {
        let file = self.inside(path)?;
        let mut state = self.state();
        state.expect_seen(path, seen)?;
        disk::remove_file(&file).map_err(|fault| Refusal::new(404, fault.to_string()))?;
        state.texts.remove(path);
        state.tell(Change::new(path, None));
        Ok(())
    }

    /// Returns where a path of a page leads, if that is a file which pages show, and no link leads out of the folder.
    fn inside(&self, path: &str) -> Result<PathBuf, Refusal> {
        let relative = Path::new(path);
        let plain = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
        if path.contains(['\\', ':']) || path.ends_with('/') || path.contains("//") || !relative.components().all(plain) {
            return Err(Refusal::new(403, format!("`{path}` is no file of this folder")));
        }
        if !is_shown(relative) {
            return Err(Refusal::new(403, format!("files end in {}", ENDINGS.map(|end| format!(".{end}")).join(", "))));
        }
        if relative.components().count() > DEEPEST + 1 {
            return Err(Refusal::new(403, format!("`{path}` lies more than {DEEPEST} folders deep, where no page looks")));
        }
        if let Some(tools) = relative.ancestors().skip(1).map(|folder| self.root.join(folder)).find(|folder| Sources::is_of_tools(folder)) {
            return Err(Refusal::new(403, format!("`{}` holds what tools have made or fetched, which no page shows", tools.display())));
        }
        let file = self.root.join(relative);
        // A text that cannot be shown, since it is none or too large, is not replaced unseen.
        if file.is_plain_file() && !self.state().texts.contains_key(path) && Sources::read_bounded(&file, MOST_BYTES).is_err() {
            return Err(Refusal::new(409, format!("`{path}` is there already and no text that a page could show")));
        }
        let there = file.ancestors().find_map(|place| disk::real_path(place).ok());
        match there.is_some_and(|there| there.starts_with(&self.root)) {
            true => Ok(file),
            false => Err(Refusal::new(403, format!("a link leads from `{path}` out of this folder"))),
        }
    }

    /// Compares the files with what is known, and tells of what differs.
    fn compare(&self) {
        let mut state = self.state();
        // A folder that is unreadable or too large for a moment, as while another is put in its place, is compared at the next change.
        let Ok(now) = read_texts(&self.root) else { return };
        state.left = now.left;
        let before = std::mem::replace(&mut state.texts, now.texts);
        let paths: BTreeSet<String> = before.keys().chain(state.texts.keys()).cloned().collect();
        for path in paths {
            let text = state.texts.get(&path).cloned();
            if before.get(&path) != text.as_ref() {
                state.tell(Change::new(&path, text));
            }
        }
    }

    /// Follows what others change, as long as what is returned is kept.
    ///
    /// # Errors
    /// The system cannot tell of changes.
    pub fn watch(self: &Arc<Self>) -> notify::Result<Debouncer<RecommendedWatcher>> {
        let folder = Arc::clone(self);
        let mut watcher = new_debouncer(QUIET_TIME, move |_: DebounceEventResult| folder.compare())?;
        watcher.watcher().watch(&self.root, RecursiveMode::Recursive)?;
        Ok(watcher)
    }
}

fn changed_elsewhere(path: &str) -> Refusal {
    Refusal::new(409, format!("`{path}` was changed elsewhere at the same moment: what is there now is told, and stays"))
}

impl FolderState {
    /// Refuses what was made from another version than the one there is.
    fn expect_seen(&self, path: &str, seen: Option<&str>) -> Result<(), Refusal> {
        let now = self.texts.get(path).map(|text| version_of(text));
        match seen.is_none_or(|seen| seen == now.as_deref().unwrap_or(NO_FILE)) {
            true => Ok(()),
            false => Err(changed_elsewhere(path)),
        }
    }

    fn tell(&mut self, change: Change) {
        let change = Arc::new(change);
        self.subscribers.retain(|page| match page.changes.try_send(Arc::clone(&change)) {
            Ok(()) => true,
            Err(TrySendError::Full(_)) => {
                page.missed.store(true, Ordering::Relaxed);
                true
            }
            Err(TrySendError::Closed(_)) => false,
        });
    }
}

fn is_shown(path: &Path) -> bool {
    path.extension().is_some_and(|end| ENDINGS.iter().any(|shown| end == *shown))
}

/// The texts of a folder, and what lies there beside them like a text of games and is not shown, with the reasons.
#[derive(Default)]
struct FolderTexts {
    texts: Texts,
    left: Texts,
}

/// Reads all texts of a folder. Hidden files, and what others have built or fetched, is left out.
fn read_texts(root: &Path) -> Result<FolderTexts, String> {
    let unreadable = |place: &Path, fault: std::io::Error| format!("`{}` cannot be read: {fault}", place.display());
    let (mut texts, mut left, mut together) = (Texts::new(), Texts::new(), 0);
    let mut folders = vec![(root.to_path_buf(), 0)];
    let mut seen = BTreeSet::new();
    while let Some((folder, depth)) = folders.pop() {
        let real = disk::real_path(&folder).unwrap_or_else(|_| folder.clone());
        if depth > DEEPEST || !real.starts_with(root) || !seen.insert(real) {
            continue;
        }
        let entries = match disk::entries(&folder) {
            Ok(entries) => entries,
            Err(fault) if folder == root => return Err(unreadable(root, fault)),
            // Others may have removed it meanwhile.
            Err(_) => continue,
        };
        let entries: Vec<(PathBuf, bool)> = entries.filter_map(Result::ok).collect();
        for (path, is_folder) in entries {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            if is_folder && Sources::is_of_tools(&path) {
                continue;
            }
            if is_folder {
                folders.push((path, depth + 1));
                continue;
            }
            let is_inside = disk::real_path(&path).is_ok_and(|real| real.starts_with(root));
            let length = match disk::find(&path) {
                Ok(disk::Found::File(length)) if is_shown(&path) => length,
                _ => continue,
            };
            let Ok(relative) = path.strip_prefix(root) else { continue };
            let relative = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            let reason = match () {
                () if !is_inside => Some("a link leads out of the folder".to_string()),
                () if length > MOST_BYTES => Some(format!("it has more than {} MB", MOST_BYTES >> 20)),
                () => None,
            };
            if let Some(reason) = reason {
                left.insert(relative, reason);
                continue;
            }
            together += length;
            if texts.len() >= MOST_FILES || together > MOST_BYTES_TOGETHER {
                return Err(format!(
                    "`{}` has more than {MOST_FILES} files or {} MB of rules and cards: name the folder of your games, as in `houserule serve mygames`",
                    root.display(),
                    MOST_BYTES_TOGETHER >> 20
                ));
            }
            let mut text = String::new();
            let read = disk::open(&path).and_then(|mut file| std::io::Read::read_to_string(&mut file, &mut text));
            match read {
                Ok(_) => texts.insert(relative, text),
                Err(fault) if fault.kind() == std::io::ErrorKind::InvalidData => {
                    left.insert(relative, "it is not text in UTF-8".to_string())
                }
                Err(fault) => left.insert(relative, fault.to_string()),
            };
        }
    }
    Ok(FolderTexts { texts, left })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &str)]) -> (tempfile::TempDir, ServedFolder) {
        let place = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = place.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let served = ServedFolder::open(place.path()).unwrap();
        (place, served)
    }

    #[test]
    fn games_are_shown_and_what_is_built_fetched_or_hidden_is_not() {
        let (_place, served) = folder_with(&[
            ("rules/a.rules", "a"),
            ("cards/deep/b.toml", "b"),
            ("picture.png", "c"),
            (".git/x.toml", "d"),
            ("node_modules/y/y.toml", "e"),
            ("built/CACHEDIR.TAG", ""),
            ("built/z.toml", "f"),
        ]);
        let shown: serde_json::Value = serde_json::from_str(&served.as_json()).unwrap();
        assert_eq!(shown["files"], json!({ "cards/deep/b.toml": "b", "rules/a.rules": "a" }));
        assert_eq!(shown["versions"], json!({ "cards/deep/b.toml": version_of("b"), "rules/a.rules": version_of("a") }));
        assert_eq!(shown["left"], json!({}));
    }

    #[test]
    fn what_looks_like_a_text_of_games_and_is_not_shown_is_named() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("latin.toml"), [b'a', 0xe9]).unwrap();
        std::fs::write(place.path().join("long.rules"), vec![b' '; usize::try_from(MOST_BYTES).unwrap() + 1]).unwrap();
        let shown: serde_json::Value = serde_json::from_str(&ServedFolder::open(place.path()).unwrap().as_json()).unwrap();
        assert_eq!(shown["left"], json!({ "latin.toml": "it is not text in UTF-8", "long.rules": "it has more than 4 MB" }));
    }

    #[test]
    fn what_was_made_from_an_older_version_is_refused() {
        let (place, served) = folder_with(&[("rules/a.rules", "a")]);
        let seen = version_of("a");
        let other = served.write("rules/a.rules", b"b".to_vec(), Some(&seen)).unwrap();
        assert_eq!(other, version_of("b"));
        assert_eq!(served.write("rules/a.rules", b"c".to_vec(), Some(&seen)).unwrap_err().status, 409);
        assert_eq!(served.write("rules/a.rules", b"c".to_vec(), Some(NO_FILE)).unwrap_err().status, 409);
        assert_eq!(served.remove("rules/a.rules", Some(&seen)).unwrap_err().status, 409);
        assert_eq!(std::fs::read_to_string(place.path().join("rules/a.rules")).unwrap(), "b");
        served.write("rules/new.rules", b"c".to_vec(), Some(NO_FILE)).unwrap();
        served.remove("rules/a.rules", Some(&other)).unwrap();
    }

    #[test]
    fn nothing_is_written_outside_the_folder_or_over_what_is_no_game() {
        let (place, served) = folder_with(&[("inside/rules/a.rules", "a"), ("outside/b.toml", "b")]);
        drop(served);
        let served = ServedFolder::open(&place.path().join("inside")).unwrap();
        let bad = [
            "../outside/b.toml",
            "/etc/b.toml",
            "rules/../../outside/b.toml",
            ".hidden.toml",
            ".git/b.toml",
            "rules\\b.toml",
            "c:b.toml",
            "run.sh",
            "",
            "rules/",
            "rules//b.toml",
        ];
        for path in bad {
            assert_eq!(served.write(path, b"x".to_vec(), None).unwrap_err().status, 403, "{path}");
            assert_eq!(served.remove(path, None).unwrap_err().status, 403, "{path}");
        }
        assert_eq!(served.write("a.toml", vec![255], None).unwrap_err().status, 400);
        assert_eq!(served.write("a.toml", vec![b' '; usize::try_from(MOST_BYTES).unwrap() + 1], None).unwrap_err().status, 413);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(place.path().join("outside"), place.path().join("inside/linked")).unwrap();
            std::os::unix::fs::symlink(place.path().join("outside/b.toml"), place.path().join("inside/linked.toml")).unwrap();
            for path in ["linked/b.toml", "linked/deep/new.toml", "linked.toml"] {
                assert!(served.write(path, b"x".to_vec(), None).unwrap_err().reason.contains("a link leads"), "{path}");
            }
            assert!(!ServedFolder::open(&place.path().join("inside")).unwrap().as_json().contains("\"b\""));
        }
        assert_eq!(std::fs::read_to_string(place.path().join("outside/b.toml")).unwrap(), "b");
    }

    #[test]
    fn each_change_is_told_once_whoever_makes_it() {
        let (place, served) = folder_with(&[("rules/a.rules", "a")]);
        let mut page = served.subscribe();
        let told = |path: &str, text: Option<&str>| Change::new(path, text.map(str::to_string));
        served.write("rules/new/b.rules", b"b".to_vec(), None).unwrap();
        served.compare();
        std::fs::write(place.path().join("rules/a.rules"), "other").unwrap();
        served.compare();
        served.remove("rules/new/b.rules", None).unwrap();
        served.compare();
        let all: Vec<Change> = std::iter::from_fn(|| page.changes.try_recv().ok()).map(Arc::unwrap_or_clone).collect();
        assert_eq!(all, [told("rules/new/b.rules", Some("b")), told("rules/a.rules", Some("other")), told("rules/new/b.rules", None)]);
        assert_eq!(served.remove("rules/none.rules", None).unwrap_err().status, 404);
    }

    #[test]
    fn what_another_editor_has_just_saved_is_not_written_over() {
        let (place, served) = folder_with(&[("rules/a.rules", "a")]);
        let mut page = served.subscribe();
        std::fs::write(place.path().join("rules/a.rules"), "theirs").unwrap();
        assert_eq!(served.write("rules/a.rules", b"mine".to_vec(), None).unwrap_err().status, 409);
        assert_eq!(std::fs::read_to_string(place.path().join("rules/a.rules")).unwrap(), "theirs");
        assert_eq!(page.changes.try_recv().unwrap().text.as_deref(), Some("theirs"));
        // Who has seen it may write over it.
        served.write("rules/a.rules", b"mine".to_vec(), None).unwrap();
    }

    #[test]
    fn a_page_that_does_not_read_is_told_to_read_all_anew() {
        let (_place, served) = folder_with(&[("rules/a.rules", "a")]);
        let mut page = served.subscribe();
        for number in 0..MOST_WAITING + 5 {
            served.write("rules/a.rules", number.to_string().into_bytes(), None).unwrap();
        }
        let read = std::iter::from_fn(|| page.changes.try_recv().ok()).count();
        assert!(read == MOST_WAITING && page.missed.load(Ordering::Relaxed));
    }

    #[test]
    fn what_no_page_shows_is_not_written_over() {
        let (place, served) = folder_with(&[("built/CACHEDIR.TAG", "")]);
        std::fs::write(place.path().join("other.toml"), [255, 254]).unwrap();
        assert_eq!(served.write("other.toml", b"x".to_vec(), None).unwrap_err().status, 409);
        let deep = format!("{}b.toml", "a/".repeat(14));
        for path in ["node_modules/x.toml", "a/node_modules/b/x.toml", "built/x.toml", &deep] {
            assert_eq!(served.write(path, b"x".to_vec(), None).unwrap_err().status, 403, "{path}");
        }
    }
}
