//! Output to the terminal and to files.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
#[cfg(not(target_family = "wasm"))]
use std::io::{stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

#[cfg(target_family = "wasm")]
use super::console::{stderr, stdout};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::{Diagnostic, Severity, is_unseen, render::render};
use crate::disk::{self, Found, OnDisk};
use crate::source::Sources;

/// Whether a write to the standard output has failed.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Writes to the standard output. A closed pipe is ignored; other errors are reported by the exit status.
pub fn print(text: &str) {
    let mut out = stdout();
    if let Err(fault) = out.write_all(escape_controls(text).as_bytes()).and_then(|()| out.flush()) {
        note_print_error(&fault);
    }
}

fn note_print_error(fault: &io::Error) {
    if fault.kind() != io::ErrorKind::BrokenPipe && !FAILED.swap(true, Ordering::Relaxed) {
        print_error(&format!("error: cannot write to the standard output: {fault}\n"));
    }
}

/// Checks that everything printed to the standard output was written.
///
/// # Errors
/// A usage error if it was not.
pub fn printed() -> CommandResult {
    if FAILED.load(Ordering::Relaxed) { Err(ExitReason::Usage) } else { Ok(()) }
}

/// Prints a message about a usage error, and returns the error.
pub fn usage_error<T>(message: impl AsRef<str>) -> Result<T, ExitReason> {
    print_error(&format!("error: {}\n", message.as_ref()));
    Err(ExitReason::Usage)
}

/// Writes what was wrong with a command line, or the help that it asked for, without colours.
pub fn print_parsed(fault: &clap::Error) {
    let text = fault.render().to_string();
    if fault.use_stderr() { print_error(&text) } else { print(&text) }
}

/// Writes to the standard error; errors are ignored, since they could not be reported.
pub fn print_error(text: &str) {
    let _ = stderr().write_all(escape_controls(text).as_bytes());
}

/// Escapes control characters except colours, so that the name of a card can neither move the cursor nor change the direction of the
/// text.
fn escape_controls(text: &str) -> Cow<'_, str> {
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

/// Whether a text begins with the code of a colour: `[1;31m`.
fn is_colour(rest: &str) -> bool {
    let Some(code) = rest.strip_prefix('[') else { return false };
    code.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ';').starts_with('m')
}

/// Whether texts on the standard output are coloured.
pub fn color() -> bool {
    io::stdout().is_terminal() && color_allowed()
}

/// Whether the standard error is a terminal.
pub fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

fn color_allowed() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Shows diagnostics on the standard error.
///
/// # Errors
/// `Findings` if there is an error among them.
pub fn show_diagnostics(sources: &Sources, diagnostics: &[Diagnostic]) -> CommandResult {
    let (drawn, more) = drawn(diagnostics);
    print_error(&render(sources, &drawn, stderr_is_terminal() && color_allowed()));
    print_error(&more);
    if diagnostics.iter().any(|found| found.severity == Severity::Error) { Err(ExitReason::Findings) } else { Ok(()) }
}

/// Shows the errors because of which something could not be done.
///
/// # Errors
/// Always `Findings`.
pub fn fail_with<T>(sources: &Sources, errors: &[Diagnostic]) -> Result<T, ExitReason> {
    show_diagnostics(sources, errors).and(Err(ExitReason::Findings))
}

/// Maximum number of diagnostics that are shown in full; the rest is only counted.
const MAX_SHOWN_DIAGNOSTICS: usize = 200;

/// Selects the diagnostics to be shown, errors before warnings if there are too many; returns also a note about the number of the others.
fn drawn(diagnostics: &[Diagnostic]) -> (Cow<'_, [Diagnostic]>, String) {
    if diagnostics.len() <= MAX_SHOWN_DIAGNOSTICS {
        return (Cow::Borrowed(diagnostics), String::new());
    }
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    let mut errors_left = diagnostics.iter().filter(|one| is_error(one)).count().min(MAX_SHOWN_DIAGNOSTICS);
    let mut warnings_left = MAX_SHOWN_DIAGNOSTICS - errors_left;
    let mut rest = [0, 0];
    let mut drawn = Vec::with_capacity(MAX_SHOWN_DIAGNOSTICS);
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

/// What an output is written to.
enum Destination {
    /// The standard output, or a file that is written as it comes.
    Stream(Box<dyn Write + Send>),
    /// A file that takes the place of an older one when it is complete.
    Draft(disk::Draft),
}

/// The destination of an output: a file or the standard output. It is opened before the work begins, so that a wrong path is reported at
/// once.
pub struct OutputFile {
    path: String,
    writer: Destination,
    /// First line of the existing file that is replaced.
    replaced_line: Option<String>,
}

/// Maximum size in bytes of a rules file written by `train`.
const MAX_RULES_BYTES: u64 = 64 << 20;

/// Extensions of source files of games, which are never overwritten by reports.
const SOURCE_EXTENSIONS: [&str; 3] = ["rules", "toml", "rhai"];

/// Checks that all outputs and the saved run have different destinations, and that none of them is a file that was read.
///
/// # Errors
/// A usage error if two options name the same file, or one of them an input.
pub fn check_outputs<'a>(options: &[(&str, &Option<String>)], save: Option<&Path>, read: impl Iterator<Item = &'a Path>) -> CommandResult {
    let mut known: Vec<(&str, PathBuf)> = save.map(|path| ("--save", resolved_path(path))).into_iter().collect();
    let named: Vec<(&str, &Path)> = options.iter().filter_map(|(name, path)| Some((*name, Path::new(path.as_deref()?)))).collect();
    for (name, path) in &named {
        let place = resolved_path(path);
        if let Some((other, _)) = known.iter().find(|(_, known)| *known == place) {
            let path = if *path == Path::new("-") { "the terminal".to_string() } else { format!("`{}`", path.display()) };
            return usage_error(format!("{other} and {name} cannot both go to {path}; name a file for one of them"));
        }
        known.push((name, place));
    }
    if named.is_empty() {
        return Ok(());
    }
    let read: BTreeSet<PathBuf> = read.map(resolved_path).collect();
    match named.iter().find(|(_, path)| read.contains(&resolved_path(path))) {
        Some((name, path)) => usage_error(format!("{name} cannot go to `{}`, which this command reads; name another file", path.display())),
        None => Ok(()),
    }
}

/// Resolves symbolic links in a path, even if the file does not exist yet.
fn resolved_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (path.is_there(), path.file_name()) {
        (false, Some(name)) if path != Path::new("-") => Sources::real_path(folder).join(name),
        _ => Sources::real_path(path),
    }
}

impl OutputFile {
    /// Opens a file, or the standard output for `-`.
    ///
    /// # Errors
    /// A usage error if it cannot be written, or is a source file of a game.
    pub fn open(path: &str) -> Result<OutputFile, ExitReason> {
        let writer = match path {
            "-" => Destination::Stream(Box::new(stdout())),
            file if is_text(Path::new(file)) => {
                return usage_error(format!("`{file}` is there already, and holds rules, cards or scripts by its name; name another file"));
            }
            file => {
                let created = disk::create(Path::new(file));
                Destination::Stream(created.or_else(|fault| usage_error(format!("cannot write `{path}`: {fault}")))?)
            }
        };
        Ok(OutputFile { path: path.to_string(), writer, replaced_line: None })
    }

    /// Opens a rules file that is empty or begins with `begins`, that is, was written by the same command. Its contents are kept until
    /// the new contents are complete, and the replacement is then reported.
    ///
    /// # Errors
    /// As for [`OutputFile::open`].
    pub fn open_generated(path: &str, begins: &str) -> Result<OutputFile, ExitReason> {
        let old = match is_text(Path::new(path)) {
            true => Sources::read_bounded(Path::new(path), MAX_RULES_BYTES).ok(),
            false => None,
        };
        let Some(old) = old.filter(|text| text.starts_with(begins) || text.trim().is_empty()) else { return OutputFile::open(path) };
        let draft = disk::Draft::new(Path::new(path)).or_else(|fault| usage_error(format!("cannot write `{path}`: {fault}")))?;
        let replaced_line = old.lines().next().map(|line| line.trim_start_matches('/').trim().to_string());
        Ok(OutputFile { path: path.to_string(), writer: Destination::Draft(draft), replaced_line })
    }

    /// Writes nothing: what stood there before stays, and a file that was opened anew is removed.
    pub fn withdraw(self) {
        let path = Path::new(&self.path);
        if matches!(self.writer, Destination::Stream(_)) && disk::find(path).is_ok_and(|found| found == Found::File(0)) {
            // What cannot be removed is an empty file, which the next training replaces.
            let _ = disk::remove_file(path);
        }
    }

    /// Opens the file that an option names; `None` if the option was not given.
    ///
    /// # Errors
    /// As for [`OutputFile::open`].
    pub fn open_if(path: Option<&String>) -> Result<Option<OutputFile>, ExitReason> {
        path.map(|path| OutputFile::open(path)).transpose()
    }

    /// Whether the destination is the standard output.
    pub fn is_terminal(&self) -> bool {
        self.path == "-"
    }

    /// Writes a text and closes the output.
    ///
    /// # Errors
    /// A usage error if it cannot be written.
    pub fn write_text(self, text: &str) -> CommandResult {
        self.write_bytes(text.as_bytes())
    }

    /// Writes bytes and closes the output.
    ///
    /// # Errors
    /// As for [`OutputFile::write_text`].
    pub fn write_bytes(mut self, bytes: &[u8]) -> CommandResult {
        let mut written = self.write_all(bytes).and_then(|()| self.flush());
        if let Destination::Draft(draft) = std::mem::replace(&mut self.writer, Destination::Stream(Box::new(io::sink()))) {
            written = written.and_then(|()| draft.commit());
            if let (Ok(()), Some(old)) = (&written, self.replaced_line.take()) {
                print_error(&format!("`{}` has been written anew; in it was: {old}\n", self.path));
            }
        }
        self.value_text(written)
    }

    /// Writes a page and closes the output.
    ///
    /// # Errors
    /// As for [`OutputFile::write_text`].
    pub fn write_page(self, page: serde_json::Result<String>) -> CommandResult {
        match page {
            Ok(page) => self.write_text(&page),
            Err(fault) => usage_error(format!("internal error: {fault}; please report it")),
        }
    }

    /// Writes a value as JSON and closes the output.
    ///
    /// # Errors
    /// As for [`OutputFile::write_text`].
    pub fn write_json(self, value: &impl Serialize) -> CommandResult {
        self.write_page(serde_json::to_string_pretty(value).map(|text| text + "\n"))
    }

    /// Converts the result of a write.
    ///
    /// # Errors
    /// A usage error if it failed, except for a closed pipe.
    pub fn value_text(&self, result: io::Result<()>) -> CommandResult {
        match result {
            Err(fault) if !(self.is_terminal() && fault.kind() == io::ErrorKind::BrokenPipe) => {
                let path = if self.is_terminal() { "the standard output" } else { self.path.as_str() };
                usage_error(format!("cannot write `{path}`: {fault}"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether the path is an existing source file of a game.
fn is_text(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    path.is_plain_file() && SOURCE_EXTENSIONS.iter().any(|text| ending == *text)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.writer {
            Destination::Stream(writer) => writer.write(bytes),
            Destination::Draft(draft) => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.writer {
            Destination::Stream(writer) => writer.flush(),
            Destination::Draft(draft) => draft.flush(),
        }
    }
}

/// Formats a number with a noun: `1 card`, `2 cards`.
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(escape_controls("a\tb\n"), "a\tb\n");
        assert_eq!(escape_controls("\u{1b}[1;31mred\u{1b}[0m"), "\u{1b}[1;31mred\u{1b}[0m");
        assert_eq!(escape_controls("a\u{202e}b"), "a\u{fffd}b");
        assert_eq!(escape_controls("\u{1b}[2J\u{1b}]0;x\u{7}"), "\u{fffd}[2J\u{fffd}]0;x\u{fffd}");
    }

    #[test]
    fn of_very_many_faults_the_first_are_drawn_and_the_rest_is_counted() {
        let fault = |at: usize| match at % 2 {
            0 => Diagnostic::warning("R001", None, format!("{at}")),
            _ => Diagnostic::error("R001", None, format!("{at}")),
        };
        let faults: Vec<Diagnostic> = (0..MAX_SHOWN_DIAGNOSTICS).map(fault).collect();
        assert_eq!(drawn(&faults), (Cow::Borrowed(faults.as_slice()), String::new()));
        let faults: Vec<Diagnostic> = (0..MAX_SHOWN_DIAGNOSTICS * 3 / 2).map(fault).collect();
        let (shown, more) = drawn(&faults);
        assert_eq!(shown.len(), MAX_SHOWN_DIAGNOSTICS);
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
            let out = OutputFile::open_generated(&path("a.rules"), begins).unwrap_or_else(|_| panic!("{old:?}"));
            // Until something has been learnt the old contents stay, and a stopped run leaves no files.
            drop(out);
            assert_eq!(fs::read_to_string(path("a.rules")).unwrap(), old);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            let out = OutputFile::open_generated(&path("a.rules"), begins).unwrap_or_else(|_| panic!("{old:?}"));
            out.write_text("// learnt now\n").unwrap_or_else(|_| panic!("{old:?}"));
            assert_eq!(fs::read_to_string(path("a.rules")).unwrap(), "// learnt now\n");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
        fs::write(path("a.rules"), "constant a = 1\n").unwrap();
        assert!(matches!(OutputFile::open_generated(&path("a.rules"), begins), Err(ExitReason::Usage)));
    }

    #[test]
    fn a_path_that_cannot_be_written_is_told_when_it_is_opened() {
        assert!(matches!(OutputFile::open("/nowhere/at/all.json"), Err(ExitReason::Usage)));
    }
}
