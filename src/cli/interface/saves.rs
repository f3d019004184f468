//! Files that are written while a game is played: saves, also automatic ones, so that nothing is lost if the terminal is closed; and scenarios.

use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::print_lines;
use super::ui::GameUi;
use crate::cli::output::usage_error;
use crate::cli::result::CommandResult;
use crate::disk;
use crate::source::Sources;
use crate::table::{Replay, Start, scenario_of};

/// First line of saves; a file that begins differently is not overwritten.
const SAVE_HEADER: &str = "# A game of houserule";
/// End of the file name under which the replay of the last finished game is kept.
const LAST_REPLAY_SUFFIX: &str = "-last.replay";

/// The files to which a game is saved.
#[derive(Default)]
pub struct SaveFiles {
    /// Path of `--save`.
    chosen: Option<PathBuf>,
    /// Default file if there is no `--save`. It is removed when the game is saved elsewhere or discarded.
    default: Option<PathBuf>,
    /// The file from which the game was loaded. If that is the default file, it is never removed.
    loaded_from: Option<PathBuf>,
    /// Number of answers that the last saved file contains; `None` if the game was not saved.
    saved_answers: Option<usize>,
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

impl GameUi {
    /// Notes the file from which the game was loaded, as the default for saves.
    pub fn set_loaded_from(&mut self, path: &Path) {
        self.files.loaded_from = Some(path.to_path_buf());
        self.files.saved_answers = Some(self.table.session.answers().len());
    }

    /// Chooses this file for all later saves. An existing file is only overwritten if the game was loaded from it.
    ///
    /// # Errors
    /// A usage error if it cannot be written.
    pub fn save_to(&mut self, path: &Path) -> CommandResult {
        check_overwritable(path).or_else(usage_error)?;
        let same = self.files.loaded_from.as_deref().is_some_and(|loaded| Sources::real_path(loaded) == Sources::real_path(path));
        if path.exists() && !same {
            return usage_error(format!("`{}` is there already; `--load` goes on with it, or name another file", path.display()));
        }
        self.files.chosen = Some(path.to_path_buf());
        self.save().or_else(usage_error)
    }

    /// Enables automatic saves to a default file, so that nothing is lost if the terminal is closed. Returns a message to be shown.
    pub fn enable_autosave(&mut self) -> Option<String> {
        let enabled = self.choose_default_file().and_then(|message| self.save().map(|()| message));
        enabled.unwrap_or_else(|fault| Some(format!("the game is not kept while it is played: {fault}; --save FILE keeps it")))
    }

    /// Chooses a default file unless `--save` was given. A game loaded from such a file stays in it. Returns a message if there is another
    /// unfinished game.
    fn choose_default_file(&mut self) -> Result<Option<String>, String> {
        if self.files.chosen.is_some() {
            return Ok(None);
        }
        let Start { game, seed, .. } = &self.prepared.start;
        let folder = default_folder().ok_or("neither XDG_STATE_HOME nor HOME says where it could be")?;
        fs::create_dir_all(&folder).map_err(|fault| format!("cannot make the folder `{}`: {fault}", folder.display()))?;
        let loaded = self.files.loaded_from.as_deref().map(Sources::real_path);
        let loaded = loaded.filter(|path| path.parent() == Some(&Sources::real_path(&folder)));
        let earlier = if loaded.is_none() { newest_unfinished(&folder, game) } else { None };
        let own = loaded.or_else(|| free_name(&folder, &format!("{game}-{seed}")));
        self.files.default = Some(own.ok_or_else(|| format!("no new file can be made in `{}`", folder.display()))?);
        Ok(earlier.map(|path| format!("another game was not finished: {}", self.resume_command(&path, false))))
    }

    /// Returns the command line that resumes a saved game, or shows it if it is finished.
    fn resume_command(&self, path: &Path, finished: bool) -> String {
        let quoted = |path: &Path| {
            let path = path.display().to_string();
            shlex::try_quote(&path).map_or_else(|_| path.clone(), |quoted| quoted.into_owned())
        };
        let root = self.prepared.root.as_deref().map(|root| format!(" --root {}", quoted(root))).unwrap_or_default();
        let (command, what) = if finished { ("replay", "shows it") } else { ("play --load", "goes on with it") };
        format!("`houserule{root} {command} {}` {what}", quoted(path))
    }

    fn save_text(&self) -> String {
        Replay::text_of(&self.prepared.start, self.table.seat_players(), &self.table.session)
    }

    /// Saves the game, if a file was chosen.
    fn save(&self) -> Result<(), String> {
        let Some(path) = self.files.chosen.as_ref().or(self.files.default.as_ref()) else { return Ok(()) };
        write(path, &self.save_text())?;
        set_last_words(format!("the game is kept in {}; {}", path.display(), self.resume_command(path, self.is_over())));
        Ok(())
    }

    /// Saves the game after an answer, if saves are enabled. Returns a message if that fails.
    pub fn save_after_answer(&self) -> Option<String> {
        self.save().err().map(|fault| format!("the game is not kept any longer: {fault}"))
    }

    fn saved_in(&self, path: &Path) -> String {
        format!("the game is saved in {}; {}", path.display(), self.resume_command(path, self.is_over()))
    }

    /// Saves the game to the file of `--save`, if it was given; returns a message with its path.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn save_to_option_path(&self) -> Result<Option<String>, String> {
        let Some(path) = &self.files.chosen else { return Ok(None) };
        self.save().map(|()| Some(self.saved_in(path)))
    }

    /// Saves the game to a file.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write_save(&mut self, path: &Path) -> Result<String, String> {
        check_overwritable(path)?;
        write(path, &self.save_text())?;
        self.files.saved_answers = Some(self.table.session.answers().len());
        Ok(self.saved_in(path))
    }

    /// Writes the position as a scenario.
    pub fn write_scenario(&mut self, path: &Path) -> Result<String, String> {
        if path.exists() {
            return Err(format!("`{}` is there already", path.display()));
        }
        let name = format!("a position after {} answers", self.table.session.answers().len());
        write(path, &scenario_of(&self.prepared.start, &mut self.table.session, &name)?)?;
        Ok(format!("the position is written to {}; `houserule test {0}` runs it", path.display()))
    }

    /// Returns the default path for a save.
    pub fn default_save_path(&self) -> PathBuf {
        let Start { game, seed, .. } = &self.prepared.start;
        self.files.loaded_from.clone().unwrap_or_else(|| PathBuf::from(format!("{game}-{seed}.replay")))
    }

    /// Returns the default path for a scenario.
    pub fn default_scenario_path(&self) -> PathBuf {
        let Start { game, seed, .. } = &self.prepared.start;
        PathBuf::from(format!("{game}-{seed}-{}.toml", self.table.session.answers().len()))
    }

    /// Whether unsaved progress would be lost.
    pub fn is_unsaved(&self) -> bool {
        let count = self.table.session.answers().len();
        self.files.chosen.is_none() && count > 0 && self.files.saved_answers != Some(count)
    }

    /// Discards the automatic save, unless the game was loaded from it.
    pub fn discard(&mut self) {
        let loaded = self.files.loaded_from.as_deref().map(Sources::real_path);
        if let Some(path) = self.files.default.take().filter(|path| loaded.as_ref() != Some(path)) {
            // The file may not have been written yet.
            let _ = fs::remove_file(path);
            set_last_words(String::new());
        }
    }

    /// Saves a game that is left to the file of `--save`; without that, says where it was saved automatically, and how to resume it.
    pub fn finish(&mut self) -> CommandResult {
        let line = self.save_to_option_path().or_else(usage_error)?.or_else(|| self.farewell());
        print_lines("", line);
        Ok(())
    }

    fn farewell(&mut self) -> Option<String> {
        if self.is_over() {
            // Only the last finished replay of each game is kept.
            let path = self.files.default.take()?;
            let last = path.with_file_name(format!("{}{LAST_REPLAY_SUFFIX}", self.prepared.start.game));
            fs::rename(&path, &last).ok()?;
            set_last_words(String::new());
            return Some(format!("it is kept until another is over: {}", self.resume_command(&last, true)));
        }
        if !self.is_unsaved() {
            self.discard();
        }
        Some(last_words()).filter(|words| !words.is_empty())
    }
}

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
fn check_overwritable(path: &Path) -> Result<(), String> {
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
fn write(path: &Path, text: &str) -> Result<(), String> {
    disk::replace(path, text).map_err(|fault| format!("cannot write `{}`: {fault}", path.display()))
}
