//! The folder that a page shows: what lies in it, what a page writes, and what others change.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use notify_debouncer_mini::notify::{self, RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};
use serde::Serialize;
use serde_json::json;
use tokio::sync::broadcast::{Receiver, Sender, channel};

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
    found: FolderTexts,
    /// The way to all pages, which are told of changes.
    pages: Sender<Change>,
}

impl ServedFolder {
    /// Reads a folder.
    ///
    /// # Errors
    /// It is none, or too large to be one of games.
    pub fn open(folder: &Path) -> Result<ServedFolder, String> {
        let root = disk::real_path(folder).map_err(|fault| format!("`{}` cannot be read: {fault}", folder.display()))?;
        let found = read_texts(&root)?;
        Ok(ServedFolder { root, state: Mutex::new(FolderState { found, pages: channel(MOST_WAITING).0 }) })
    }

    fn state(&self) -> MutexGuard<'_, FolderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All files with their versions, and what is not shown, as JSON.
    pub fn as_json(&self) -> String {
        let state = self.state();
        let FolderTexts { texts, left, .. } = &state.found;
        let versions: BTreeMap<&String, String> = texts.iter().map(|(path, text)| (path, version_of(text))).collect();
        json!({ "files": texts, "left": left, "versions": versions }).to_string()
    }

    /// Returns changes from now on.
    pub fn subscribe(&self) -> Receiver<Change> {
        self.state().pages.subscribe()
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
        let unseen = |now: &String| state.found.texts.get(path) != Some(now) && *now != text;
        if let Some(now) = Sources::read_bounded(&file, MOST_BYTES).ok().filter(unseen) {
            state.put(path, Some(now));
            return Err(changed_elsewhere(path));
        }
        state.expect_seen(path, seen)?;
        let around = file.parent().unwrap_or(&self.root);
        disk::create_folders(around).and_then(|()| disk::replace(&file, &text)).map_err(|fault| Refusal::new(500, fault.to_string()))?;
        let version = version_of(&text);
        state.put(path, Some(text));
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
        state.put(path, None);
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
        if file.is_plain_file() && !self.state().found.texts.contains_key(path) && Sources::read_bounded(&file, MOST_BYTES).is_err() {
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
        let Ok(FolderTexts { texts, left, .. }) = read_texts(&self.root) else { return };
        state.found.left = left;
        let gone = state.found.texts.keys().filter(|path| !texts.contains_key(*path)).map(|path| (path.clone(), None));
        let known = |path: &String, text: &String| state.found.texts.get(path) == Some(text);
        let new = texts.iter().filter(|(path, text)| !known(path, text)).map(|(path, text)| (path.clone(), Some(text.clone())));
        let changes: BTreeMap<String, Option<String>> = gone.chain(new).collect();
        changes.into_iter().for_each(|(path, text)| state.put(&path, text));
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
        let now = self.found.texts.get(path).map(|text| version_of(text));
        match seen.is_none_or(|seen| seen == now.as_deref().unwrap_or(NO_FILE)) {
            true => Ok(()),
            false => Err(changed_elsewhere(path)),
        }
    }

    /// Notes what is in a file now, and tells all pages of it.
    fn put(&mut self, path: &str, text: Option<String>) {
        match text.clone() {
            Some(text) => self.found.texts.insert(path.to_string(), text),
            None => self.found.texts.remove(path),
        };
        // There may be no page that listens.
        let _ = self.pages.send(Change::new(path, text));
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
    /// Bytes of all texts together.
    bytes: u64,
}

/// Reads all texts of a folder. Hidden files, and what others have built or fetched, is left out.
fn read_texts(root: &Path) -> Result<FolderTexts, String> {
    let mut found = FolderTexts::default();
    let mut folders = vec![(root.to_path_buf(), 0)];
    let mut seen = BTreeSet::new();
    while let Some((folder, depth)) = folders.pop() {
        let real = Sources::real_path(&folder);
        if depth > DEEPEST || !real.starts_with(root) || !seen.insert(real) {
            continue;
        }
        let entries = match disk::entries(&folder) {
            Ok(entries) => entries,
            Err(fault) if folder == root => return Err(format!("`{}` cannot be read: {fault}", root.display())),
            // Others may have removed it meanwhile.
            Err(_) => continue,
        };
        for (path, is_folder) in entries.filter_map(Result::ok) {
            if path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.')) {
                continue;
            }
            match is_folder {
                true if Sources::is_of_tools(&path) => {}
                true => folders.push((path, depth + 1)),
                false => found.read(root, &path)?,
            }
        }
    }
    Ok(found)
}

impl FolderTexts {
    /// Reads a file, if it looks like a text of games.
    ///
    /// # Errors
    /// There is too much in the folder.
    fn read(&mut self, root: &Path, path: &Path) -> Result<(), String> {
        let Ok(disk::Found::File(length)) = disk::find(path) else { return Ok(()) };
        let Some(relative) = path.strip_prefix(root).ok().filter(|_| is_shown(path)) else { return Ok(()) };
        let text = if !disk::real_path(path).is_ok_and(|real| real.starts_with(root)) {
            Err("a link leads out of the folder".to_string())
        } else if length > MOST_BYTES {
            Err(format!("it has more than {} MB", MOST_BYTES >> 20))
        } else {
            self.bytes += length;
            if self.texts.len() >= MOST_FILES || self.bytes > MOST_BYTES_TOGETHER {
                return Err(format!(
                    "`{}` has more than {MOST_FILES} files or {} MB of rules and cards: name the folder of your games, as in `houserule serve mygames`",
                    root.display(),
                    MOST_BYTES_TOGETHER >> 20
                ));
            }
            let mut text = String::new();
            let read = disk::open(path).and_then(|mut file| file.read_to_string(&mut text));
            read.map(|_| text).map_err(|fault| match fault.kind() {
                ErrorKind::InvalidData => "it is not text in UTF-8".to_string(),
                _ => fault.to_string(),
            })
        };
        let relative = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        match text {
            Ok(text) => self.texts.insert(relative, text),
            Err(reason) => self.left.insert(relative, reason),
        };
        Ok(())
    }
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
        let all: Vec<Change> = std::iter::from_fn(|| page.try_recv().ok()).collect();
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
        assert_eq!(page.try_recv().unwrap().text.as_deref(), Some("theirs"));
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
        assert!(matches!(page.try_recv(), Err(tokio::sync::broadcast::error::TryRecvError::Lagged(5))));
        let read: Vec<Change> = std::iter::from_fn(|| page.try_recv().ok()).collect();
        assert_eq!((read.len(), read.last().and_then(|last| last.text.as_deref())), (MOST_WAITING, Some("20")));
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
