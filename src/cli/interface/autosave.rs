//! Automatic saves: the game is written after each answer, so that nothing is lost if the terminal is closed.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::disk;
use crate::source::Sources;

/// First line of saves; a file that begins differently is not overwritten.
const SAVE_HEADER: &str = "# A game of houserule";

/// The file to which a game is saved.
#[derive(Default)]
pub struct Autosave {
    /// Path of `--save`.
    save_path: Option<PathBuf>,
    /// Default file if there is no `--save`. It is removed when the game is saved elsewhere or discarded.
    default_path: Option<PathBuf>,
    /// Whether the game was loaded from the default file, which is then never removed.
    loaded_from_default: bool,
    /// The value of `--root`, for the command that resumes the game.
    root: Option<PathBuf>,
}

/// The message that is printed when a signal or a panic ends the program during a game.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// Returns instructions to resume the interrupted game; empty if it was not saved.
pub fn last_words() -> String {
    LAST_WORDS.lock().map(|words| words.clone()).unwrap_or_default()
}

fn set_last_words(new: String) {
    if let Ok(mut words) = LAST_WORDS.lock() {
        *words = new;
    }
}

impl Autosave {
    /// Creates the state of a game that is not saved to any file yet; `root` is the value of `--root`.
    pub fn new(root: Option<PathBuf>) -> Autosave {
        Autosave { root, ..Autosave::default() }
    }

    /// Returns the command line that resumes a saved game, or shows it if it is finished.
    pub fn resume_command(&self, path: &Path, finished: bool) -> String {
        let quoted = |path: &Path| {
            let path = path.display().to_string();
            shlex::try_quote(&path).map_or_else(|_| path.clone(), |quoted| quoted.into_owned())
        };
        let root = self.root.as_deref().map(|root| format!(" --root {}", quoted(root))).unwrap_or_default();
        if finished {
            format!("`houserule{root} replay {}` shows it", quoted(path))
        } else {
            format!("`houserule{root} play --load {}` goes on with it", quoted(path))
        }
    }

    /// Chooses this file for all later saves of the game.
    pub fn save_to(&mut self, path: &Path) {
        self.discard();
        self.save_path = Some(path.to_path_buf());
    }

    /// Saves the game to a default file unless `--save` was given. A game loaded from such a file stays in it. Returns a message if there
    /// is another unfinished game.
    ///
    /// # Errors
    /// Why no file can be created.
    pub fn enable_autosave(&mut self, game: &str, seed: u64, loaded_from: Option<&Path>) -> Result<Option<String>, String> {
        if self.save_path.is_some() {
            return Ok(None);
        }
        let folder = default_folder().ok_or("neither XDG_STATE_HOME nor HOME says where it could be")?;
        fs::create_dir_all(&folder).map_err(|fault| format!("cannot make the folder `{}`: {fault}", folder.display()))?;
        let loaded = loaded_from.map(Sources::real_path).filter(|path| path.parent() == Some(&Sources::real_path(&folder)));
        let earlier = if loaded.is_none() { newest_unfinished(&folder, game) } else { None };
        self.loaded_from_default = loaded.is_some();
        let own = loaded.or_else(|| free_name(&folder, &format!("{game}-{seed}")));
        self.default_path = Some(own.ok_or_else(|| format!("no new file can be made in `{}`", folder.display()))?);
        Ok(earlier.map(|path| format!("another game was not finished: {}", self.resume_command(&path, false))))
    }

    /// Returns the path of `--save`; `None` if the option was not given.
    pub fn save_path(&self) -> Option<&Path> {
        self.save_path.as_deref()
    }

    /// Saves the game, if a file was chosen.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write(&self, finished: bool, text: impl FnOnce() -> String) -> Result<(), String> {
        let Some(path) = self.save_path.as_ref().or(self.default_path.as_ref()) else { return Ok(()) };
        write(path, &text())?;
        set_last_words(format!("the game is kept in {}; {}", path.display(), self.resume_command(path, finished)));
        Ok(())
    }

    /// Removes the default file, unless the game was loaded from it.
    pub fn discard(&mut self) {
        if let Some(path) = self.default_path.take().filter(|_| !self.loaded_from_default) {
            // The file may not have been written yet.
            let _ = fs::remove_file(path);
            set_last_words(String::new());
        }
    }

    /// Handles the end of the game: in the default folder only the last finished replay of each game is kept. Returns the command line that
    /// shows this replay.
    pub fn finish(&mut self, game: &str) -> Option<String> {
        let path = self.default_path.take()?;
        let last = path.with_file_name(format!("{game}{LAST_REPLAY_SUFFIX}"));
        fs::rename(&path, &last).ok()?;
        set_last_words(String::new());
        Some(format!("it is kept until another is over: {}", self.resume_command(&last, true)))
    }
}

/// End of the file name under which the replay of the last finished game is kept.
const LAST_REPLAY_SUFFIX: &str = "-last.replay";

/// Returns the newest unfinished game in a folder.
fn newest_unfinished(folder: &Path, game: &str) -> Option<PathBuf> {
    let begins = format!("{game}-");
    let numbered = |name: &str| {
        let rest = name.strip_prefix(&begins)?.strip_suffix(".replay")?;
        rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-').then_some(())
    };
    let found = fs::read_dir(folder).ok()?.flatten().filter(|entry| entry.file_name().to_str().and_then(numbered).is_some());
    found.max_by_key(|entry| entry.metadata().and_then(|found| found.modified()).ok()).map(|entry| entry.path())
}

/// Returns the folder of automatic saves.
fn default_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state"))).or_else(|| folder("LOCALAPPDATA"))?;
    Some(state.join("houserule"))
}

/// Finds an unused file name: `nations-17.replay`, then `nations-17-2.replay` and so on. The file is created at once, so that two games do
/// not use the same one.
fn free_name(folder: &Path, name: &str) -> Option<PathBuf> {
    (1..1000).map(|number| if number == 1 { name.to_string() } else { format!("{name}-{number}") }).find_map(|name| {
        let path = folder.join(format!("{name}.replay"));
        OpenOptions::new().write(true).create_new(true).open(&path).ok().map(|_| path)
    })
}

/// Checks that the path can be overwritten: it must not be a folder or a pipe, nor a file other than a save.
///
/// # Errors
/// Why it must not be written.
pub fn check_overwritable(path: &Path) -> Result<(), String> {
    let Ok(found) = path.symlink_metadata() else { return Ok(()) };
    let found = if found.is_symlink() { path.metadata().unwrap_or(found) } else { found };
    if !found.is_file() {
        return Err(format!("`{}` is no file, but a folder, a pipe or a device; name a file", path.display()));
    }
    let ours = found.len() == 0 || is_save(path).is_ok_and(|begins| begins);
    if ours { Ok(()) } else { Err(format!("`{}` is there already and is no game that was kept; name another file", path.display())) }
}

/// Whether a file begins like a save.
fn is_save(path: &Path) -> std::io::Result<bool> {
    let mut first = Vec::new();
    File::open(path)?.take(SAVE_HEADER.len() as u64).read_to_end(&mut first)?;
    Ok(first == SAVE_HEADER.as_bytes())
}

/// Replaces a file as a whole.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    disk::replace(path, text).map_err(|fault| format!("cannot write `{}`: {fault}", path.display()))
}
