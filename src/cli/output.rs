//! What is written to the terminal and to files.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::{Done, Trouble};
use crate::diagnostic::{Diagnostic, Severity, is_unseen, render::render};
use crate::source::Sources;

/// Whether something could not be written to the standard output.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Writes to the standard output. A reader that has gone away is no fault; a full disk is, and the exit status says so.
pub fn print(text: &str) {
    let mut out = stdout().lock();
    if let Err(fault) = out.write_all(harmless(text).as_bytes()).and_then(|()| out.flush()) {
        cannot_print(&fault);
    }
}

fn cannot_print(fault: &io::Error) {
    if fault.kind() != io::ErrorKind::BrokenPipe && !FAILED.swap(true, Ordering::Relaxed) {
        say(&format!("error: cannot write to the standard output: {fault}\n"));
    }
}

/// Whether all that was printed has been written.
///
/// # Errors
/// Wrong use, if it has not.
pub fn printed() -> Done {
    if FAILED.load(Ordering::Relaxed) { Err(Trouble::Wrong) } else { Ok(()) }
}

/// Says what is wrong with the way in which the command was used.
pub fn wrong<T>(message: impl AsRef<str>) -> Result<T, Trouble> {
    say(&format!("error: {}\n", message.as_ref()));
    Err(Trouble::Wrong)
}

/// Writes to the standard error. Where even that cannot be written, nothing is left to be done.
pub fn say(text: &str) {
    let _ = stderr().lock().write_all(harmless(text).as_bytes());
}

/// A text whose control characters stay in the text: a card's name may not move the terminal's cursor, nor turn the direction of what
/// stands behind it. Colours are let through.
fn harmless(text: &str) -> Cow<'_, str> {
    let harms = |letter: char| is_unseen(letter) && letter != '\r';
    if !text.contains(harms) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let colours = letter == '\u{1b}' && is_colour(text.get(at + 1..).unwrap_or(""));
        out.push(if harms(letter) && !colours { '\u{fffd}' } else { letter });
    }
    Cow::Owned(out)
}

/// Whether a colour's code goes on so: `[1;31m`.
fn is_colour(rest: &str) -> bool {
    let Some(code) = rest.strip_prefix('[') else { return false };
    code.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';').starts_with('m')
}

/// Whether colour is wanted on the standard output.
pub fn color() -> bool {
    stdout().is_terminal() && color_allowed()
}

/// Whether a person watches the standard error.
pub fn watched() -> bool {
    stderr().is_terminal()
}

fn color_allowed() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Shows diagnostics on the standard error.
///
/// # Errors
/// A finding, if there is an error among them.
pub fn tell(sources: &Sources, diagnostics: &[Diagnostic]) -> Done {
    let (drawn, more) = drawn(diagnostics);
    say(&render(sources, &drawn, watched() && color_allowed()));
    say(&more);
    if diagnostics.iter().any(|found| found.severity == Severity::Error) { Err(Trouble::Finding) } else { Ok(()) }
}

/// More than so many diagnostics are counted, and not drawn: nobody reads thousands.
const MOST_DRAWN: usize = 200;

/// What is drawn of diagnostics, errors before warnings where there are too many, and what is said of the rest.
fn drawn(diagnostics: &[Diagnostic]) -> (Cow<'_, [Diagnostic]>, String) {
    if diagnostics.len() <= MOST_DRAWN {
        return (Cow::Borrowed(diagnostics), String::new());
    }
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    let mut errors_left = diagnostics.iter().filter(|one| is_error(one)).count().min(MOST_DRAWN);
    let mut warnings_left = MOST_DRAWN - errors_left;
    let mut rest = [0, 0];
    let mut drawn = Vec::with_capacity(MOST_DRAWN);
    for one in diagnostics {
        let left = if is_error(one) { &mut errors_left } else { &mut warnings_left };
        if *left > 0 {
            *left -= 1;
            drawn.push(one.clone());
        } else {
            rest[usize::from(!is_error(one))] += 1;
        }
    }
    let [errors, warnings] = rest;
    let more = format!("and {}, {} more; `check --format json` writes all of them\n\n", count(errors, "error"), count(warnings, "warning"));
    (Cow::Owned(drawn), more)
}

/// Where a command writes what was asked for: a file, or the standard output. It is opened before the work begins, so that a wrong
/// path is told at once.
pub struct Out {
    path: String,
    writer: Box<dyn Write + Send>,
    /// The file that is written first, and then put in the place of the other.
    beside: Option<PathBuf>,
    /// The first line of what it takes the place of.
    replaces: Option<String>,
}

/// No rules that were learnt are larger.
const MOST_RULES: u64 = 64 << 20;

/// Files of games end so; a report never takes the place of one.
const TEXTS: [&str; 3] = ["rules", "toml", "rhai"];

/// Refuses two outputs on one terminal or in one file, what is kept besides in a third, and an output in a file that the command reads.
///
/// # Errors
/// Wrong use, if two of these options name the same, or one of them what is read.
pub fn outputs_apart<'a>(options: &[(&str, &Option<String>)], save: Option<&Path>, read: impl Iterator<Item = &'a Path>) -> Done {
    let mut known: Vec<(&str, PathBuf)> = save.map(|path| ("--save", real(path))).into_iter().collect();
    let named: Vec<(&str, &Path)> = options.iter().filter_map(|(name, path)| Some((*name, Path::new(path.as_deref()?)))).collect();
    for (name, path) in &named {
        let place = real(path);
        if let Some((other, _)) = known.iter().find(|(_, known)| *known == place) {
            let path = if *path == Path::new("-") { "the terminal".to_string() } else { format!("`{}`", path.display()) };
            return wrong(format!("{other} and {name} cannot both go to {path}; name a file for one of them"));
        }
        known.push((name, place));
    }
    if named.is_empty() {
        return Ok(());
    }
    let read: BTreeSet<PathBuf> = read.map(real).collect();
    match named.iter().find(|(_, path)| read.contains(&real(path))) {
        Some((name, path)) => wrong(format!("{name} cannot go to `{}`, which this command reads; name another file", path.display())),
        None => Ok(()),
    }
}

/// A path without links, also where nothing lies there yet.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (path.exists(), path.file_name()) {
        (false, Some(name)) if path != Path::new("-") => Sources::real_path(folder).join(name),
        _ => Sources::real_path(path),
    }
}

impl Out {
    /// Opens a file, or the standard output for `-`.
    ///
    /// # Errors
    /// Wrong use, if it cannot be written, or holds rules or cards.
    pub fn open(path: &str) -> Result<Out, Trouble> {
        let writer: Box<dyn Write + Send> = match path {
            "-" => Box::new(stdout()),
            file if is_text(Path::new(file)) => {
                return wrong(format!("`{file}` is there already, and holds rules, cards or scripts by its name; name another file"));
            }
            file => Out::create(file)?,
        };
        Ok(Out { path: path.to_string(), writer, beside: None, replaces: None })
    }

    /// Opens a file, also if nothing is in it yet, or rules that begin so: they were written by the same command. What is there stays
    /// until something new has been written whole, and is told then.
    ///
    /// # Errors
    /// As for [`Out::open`].
    pub fn open_anew(path: &str, begins: &str) -> Result<Out, Trouble> {
        let old = match is_text(Path::new(path)) {
            true => Sources::bounded_text(Path::new(path), MOST_RULES).ok(),
            false => None,
        };
        let Some(old) = old.filter(|text| text.starts_with(begins) || text.trim().is_empty()) else { return Out::open(path) };
        let mut beside = Sources::real_path(Path::new(path)).into_os_string();
        beside.push(".new");
        let beside = PathBuf::from(beside);
        let writer = Out::create(&beside.display().to_string())?;
        let replaces = old.lines().next().map(|line| line.trim_start_matches('/').trim().to_string());
        Ok(Out { path: path.to_string(), writer, beside: Some(beside), replaces })
    }

    /// Puts what has been written in its place.
    fn put_in_place(&mut self) -> io::Result<()> {
        let Some(beside) = self.beside.take() else { return Ok(()) };
        fs::rename(&beside, Sources::real_path(Path::new(&self.path)))?;
        if let Some(old) = self.replaces.take() {
            say(&format!("`{}` has been written anew; in it was: {old}\n", self.path));
        }
        Ok(())
    }

    fn create(path: &str) -> Result<Box<dyn Write + Send>, Trouble> {
        match File::create(path) {
            Ok(file) => Ok(Box::new(BufWriter::new(file))),
            Err(fault) => wrong(format!("cannot write `{path}`: {fault}")),
        }
    }

    /// Opens what an option names, if it was given.
    ///
    /// # Errors
    /// As for [`Out::open`].
    pub fn open_if(path: Option<&String>) -> Result<Option<Out>, Trouble> {
        path.map(|path| Out::open(path)).transpose()
    }

    /// Whether it is the standard output.
    pub fn is_terminal(&self) -> bool {
        self.path == "-"
    }

    /// Writes a text and closes it.
    ///
    /// # Errors
    /// Wrong use, if it cannot be written.
    pub fn text(mut self, text: &str) -> Done {
        let written = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush()).and_then(|()| self.put_in_place());
        self.written(written)
    }

    /// Writes a page and closes it.
    ///
    /// # Errors
    /// As for [`Out::text`].
    pub fn page(self, page: serde_json::Result<String>) -> Done {
        match page {
            Ok(page) => self.text(&page),
            Err(fault) => wrong(format!("internal error: {fault}; please report it")),
        }
    }

    /// Writes a value as JSON and closes it.
    ///
    /// # Errors
    /// As for [`Out::text`].
    pub fn json(self, value: &impl Serialize) -> Done {
        self.page(serde_json::to_string_pretty(value).map(|text| text + "\n"))
    }

    /// What came of writing to it.
    ///
    /// # Errors
    /// Wrong use, if it could not be written; a reader that has gone away is no fault.
    pub fn written(&self, result: io::Result<()>) -> Done {
        match result {
            Err(fault) if !(self.is_terminal() && fault.kind() == io::ErrorKind::BrokenPipe) => {
                let path = if self.is_terminal() { "the standard output" } else { self.path.as_str() };
                wrong(format!("cannot write `{path}`: {fault}"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a file of a game lies there.
fn is_text(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    path.is_file() && TEXTS.iter().any(|text| ending == *text)
}

impl Drop for Out {
    /// A run that was stopped leaves nothing half written behind.
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            let _ = fs::remove_file(beside);
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// `1 card`, `2 cards`.
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(harmless("a\tb\n"), "a\tb\n");
        assert_eq!(harmless("\u{1b}[1;31mred\u{1b}[0m"), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(harmless("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(harmless("\u{1b}[2J\u{1b}]0;x\u{7}"), "\u{fffd}[2J\u{fffd}]0;x\u{fffd}");
    }

    #[test]
    fn of_very_many_faults_the_first_are_drawn_and_the_rest_is_counted() {
        let fault = |at: usize| match at % 2 {
            0 => Diagnostic::warning("R001", None, format!("{at}")),
            _ => Diagnostic::error("R001", None, format!("{at}")),
        };
        let faults: Vec<Diagnostic> = (0..MOST_DRAWN).map(fault).collect();
        assert_eq!(drawn(&faults), (Cow::Borrowed(faults.as_slice()), String::new()));
        let faults: Vec<Diagnostic> = (0..MOST_DRAWN * 3 / 2).map(fault).collect();
        let (shown, more) = drawn(&faults);
        assert_eq!(shown.len(), MOST_DRAWN);
        assert_eq!(shown.iter().filter(|one| one.severity == Severity::Error).count(), 150);
        assert_eq!(more, "and 0 errors, 100 warnings more; `check --format json` writes all of them\n\n");
        assert!(shown.windows(2).all(|two| two[0].message.parse::<usize>().ok() < two[1].message.parse::<usize>().ok()));
    }

    #[test]
    fn rules_that_were_learnt_are_replaced_whole_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let begins = "// learnt";
        for old in ["", "// learnt before\n"] {
            fs::write(path("a.rules"), old).unwrap();
            let out = Out::open_anew(&path("a.rules"), begins).unwrap_or_else(|_| panic!("{old:?}"));
            // As long as nothing has been learnt, what was there is there; a run that is stopped leaves nothing behind.
            drop(out);
            assert_eq!(fs::read_to_string(path("a.rules")).unwrap(), old);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            let out = Out::open_anew(&path("a.rules"), begins).unwrap_or_else(|_| panic!("{old:?}"));
            out.text("// learnt now\n").unwrap_or_else(|_| panic!("{old:?}"));
            assert_eq!(fs::read_to_string(path("a.rules")).unwrap(), "// learnt now\n");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        fs::write(path("a.rules"), "constant a = 1\n").unwrap();
        assert!(matches!(Out::open_anew(&path("a.rules"), begins), Err(Trouble::Wrong)));
    }

    #[test]
    fn a_path_that_cannot_be_written_is_told_when_it_is_opened() {
        assert!(matches!(Out::open("/nowhere/at/all.json"), Err(Trouble::Wrong)));
    }
}
