//! Where a game is kept while it is played: after each answer it is written down, so that a terminal that is closed loses nothing.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::source::Sources;

/// How saves begin; a file that begins otherwise is none of ours, and is not written over.
const BEGINS: &str = "# A game of houserule";

/// Where a game is kept.
#[derive(Default)]
pub struct Kept {
    /// The file of `--save`.
    named: Option<PathBuf>,
    /// A file of our own, where nobody has named one. It goes when the game is saved elsewhere or given up.
    own: Option<PathBuf>,
    /// The game was loaded from that file, which stays whatever comes of it.
    own_is_loaded: bool,
    /// What `--root` was given, as it must be typed again.
    root: Option<PathBuf>,
}

/// What is said to somebody whose game ends by a signal or by a fault of the program.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// How a game that was left can be gone on with; nothing if it is kept nowhere.
pub fn last_words() -> String {
    LAST_WORDS.lock().map(|words| words.clone()).unwrap_or_default()
}

fn set_last_words(new: String) {
    if let Ok(mut words) = LAST_WORDS.lock() {
        *words = new;
    }
}

impl Kept {
    /// A game that is kept nowhere yet, of the games of this folder.
    pub fn new(root: Option<PathBuf>) -> Kept {
        Kept { root, ..Kept::default() }
    }

    /// What to type to see a kept game again.
    pub fn way_back(&self, path: &Path, over: bool) -> String {
        let quoted = |path: &Path| {
            let path = path.display().to_string();
            shlex::try_quote(&path).map_or_else(|_| path.clone(), |quoted| quoted.into_owned())
        };
        let root = self.root.as_deref().map(|root| format!(" --root {}", quoted(root))).unwrap_or_default();
        if over {
            format!("`houserule{root} replay {}` shows it", quoted(path))
        } else {
            format!("`houserule{root} play --load {}` goes on with it", quoted(path))
        }
    }

    /// From now on the game is kept in this file.
    pub fn keep_in(&mut self, path: &Path) {
        self.give_up();
        self.named = Some(path.to_path_buf());
    }

    /// From now on the game is kept in a file of our own, unless `--save` names one. A game that was `loaded` from such a file stays in it.
    /// Another of the same game that was not finished is told.
    ///
    /// # Errors
    /// Why there can be none.
    pub fn keep_by_itself(&mut self, game: &str, seed: u64, loaded: Option<&Path>) -> Result<Option<String>, String> {
        if self.named.is_some() {
            return Ok(None);
        }
        let folder = own_folder().ok_or("neither XDG_STATE_HOME nor HOME says where it could be")?;
        fs::create_dir_all(&folder).map_err(|fault| format!("cannot make the folder `{}`: {fault}", folder.display()))?;
        let loaded = loaded.map(Sources::real_path).filter(|path| path.parent() == Some(&Sources::real_path(&folder)));
        let earlier = if loaded.is_none() { unfinished(&folder, game) } else { None };
        self.own_is_loaded = loaded.is_some();
        let own = loaded.or_else(|| free_name(&folder, &format!("{game}-{seed}")));
        self.own = Some(own.ok_or_else(|| format!("no new file can be made in `{}`", folder.display()))?);
        Ok(earlier.map(|path| format!("another game was not finished: {}", self.way_back(&path, false))))
    }

    /// The file of `--save`.
    pub fn named(&self) -> Option<&Path> {
        self.named.as_deref()
    }

    /// Writes the game down, if it is kept anywhere.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write(&self, over: bool, text: impl FnOnce() -> String) -> Result<(), String> {
        let Some(path) = self.named.as_ref().or(self.own.as_ref()) else { return Ok(()) };
        write(path, &text())?;
        set_last_words(format!("the game is kept in {}; {}", path.display(), self.way_back(path, over)));
        Ok(())
    }

    /// The file of our own is not needed any longer, unless the game was loaded from it.
    pub fn give_up(&mut self) {
        if let Some(path) = self.own.take().filter(|_| !self.own_is_loaded) {
            // It may never have been written.
            let _ = fs::remove_file(path);
            set_last_words(String::new());
        }
    }

    /// The game is over: of each game only the last that was is kept by itself. How it can be looked at.
    pub fn over(&mut self, game: &str) -> Option<String> {
        let path = self.own.take()?;
        let last = path.with_file_name(format!("{game}{LAST}"));
        fs::rename(&path, &last).ok()?;
        set_last_words(String::new());
        Some(format!("it is kept until another is over: {}", self.way_back(&last, true)))
    }
}

/// How the file of the last game that was over ends.
const LAST: &str = "-last.replay";

/// The newest game that is kept here and was not finished.
fn unfinished(folder: &Path, game: &str) -> Option<PathBuf> {
    let begins = format!("{game}-");
    let numbered = |name: &str| {
        let rest = name.strip_prefix(&begins)?.strip_suffix(".replay")?;
        rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-').then_some(())
    };
    let found = fs::read_dir(folder).ok()?.flatten().filter(|entry| entry.file_name().to_str().and_then(numbered).is_some());
    found.max_by_key(|entry| entry.metadata().and_then(|found| found.modified()).ok()).map(|entry| entry.path())
}

/// The folder for what the program keeps by itself.
fn own_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state"))).or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("houserule"))
}

/// `nations-17.replay`, or `nations-17-2.replay` where that is there already, and so on; the file is made at once, so that two games that
/// begin together do not share one.
fn free_name(folder: &Path, name: &str) -> Option<PathBuf> {
    (1..1000).map(|number| if number == 1 { name.to_string() } else { format!("{name}-{number}") }).find_map(|name| {
        let path = folder.join(format!("{name}.replay"));
        OpenOptions::new().write(true).create_new(true).open(&path).ok().map(|_| path)
    })
}

/// Refuses what is no file, such as a folder or a pipe, which would be waited for or replaced, and a file that is no game.
///
/// # Errors
/// Why nothing is written there.
pub fn expect_writable(path: &Path) -> Result<(), String> {
    let Ok(found) = path.symlink_metadata() else { return Ok(()) };
    let found = if found.is_symlink() { path.metadata().unwrap_or(found) } else { found };
    if !found.is_file() {
        return Err(format!("`{}` is no file, but a folder, a pipe or a device; name a file", path.display()));
    }
    let ours = found.len() == 0 || begins(path).is_ok_and(|begins| begins);
    if ours { Ok(()) } else { Err(format!("`{}` is there already and is no game that was kept; name another file", path.display())) }
}

/// Whether a file begins as saves do.
fn begins(path: &Path) -> std::io::Result<bool> {
    let mut first = Vec::new();
    File::open(path)?.take(BEGINS.len() as u64).read_to_end(&mut first)?;
    Ok(first == BEGINS.as_bytes())
}

/// Writes a file in one piece: who looks at it sees all of it or what was there before.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    // A link stays one: what it leads to is written.
    let path = if path.is_symlink() { Sources::real_path(path) } else { path.to_path_buf() };
    let beside = PathBuf::from(format!("{}.part", path.display()));
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &path));
    written.map_err(|fault| {
        // Half a file helps nobody; where even that cannot be taken away, it stays.
        let _ = fs::remove_file(&beside);
        format!("cannot write `{}`: {fault}", path.display())
    })
}
