//! Output to the terminal and to files.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
#[cfg(not(target_family = "wasm"))]
use std::io::{stderr, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

#[cfg(target_family = "wasm")]
use super::console::{stderr, stdout};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::{Diagnostic, Severity, has_errors, is_unseen, render::render};
use crate::disk::{self, Found, OnDisk};
use crate::document::Document;
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
    let colours = |at: usize| text.get(at..).is_some_and(|rest| rest.strip_prefix('\u{1b}').is_some_and(is_colour));
    text.char_indices().map(|(at, letter)| if harms(letter) && !colours(at) { '\u{fffd}' } else { letter }).collect()
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
    if has_errors(diagnostics) { Err(ExitReason::Findings) } else { Ok(()) }
}

/// The diagnostics that have been shown, for a run that shows what it finds step by step.
#[derive(Default)]
pub struct ShownDiagnostics(BTreeSet<String>);

impl ShownDiagnostics {
    /// Shows those of the diagnostics that have not been shown before. Errors are part of the result of the run.
    pub fn show_new(&mut self, sources: &Sources, diagnostics: &[Diagnostic]) {
        let drawn = |one: &Diagnostic| render(sources, std::slice::from_ref(one), false);
        let new: Vec<Diagnostic> = diagnostics.iter().filter(|one| !self.0.contains(&drawn(one))).cloned().collect();
        let _ = show_diagnostics(sources, &new);
        self.0.extend(new.iter().map(drawn));
    }
}

/// Shows the errors because of which something could not be done.
///
/// # Errors
/// Always `Findings`.
pub fn fail_with<T>(sources: &Sources, errors: &[Diagnostic]) -> Result<T, ExitReason> {
    show_diagnostics(sources, errors).and(Err(ExitReason::Findings))
}

/// Shows the diagnostics that were found while something was made, and returns what was made.
///
/// # Errors
/// `Findings` if there is an error among them, or nothing could be made.
pub fn reported<T>(sources: &Sources, diagnostics: &[Diagnostic], made: Option<T>) -> Result<T, ExitReason> {
    show_diagnostics(sources, diagnostics).and(made.ok_or(ExitReason::Findings))
}

/// Reports a usage error about an unknown name: with the known name that was probably meant, or else with a way out.
pub fn unknown_name<T>(message: &str, meant: Option<&str>, way_out: impl Display) -> Result<T, ExitReason> {
    match meant {
        Some(meant) => usage_error(format!("{message}; did you mean `{meant}`?")),
        None => usage_error(format!("{message}; {way_out}")),
    }
}

/// Maximum number of diagnostics that are shown in full; the rest is only counted.
const MAX_SHOWN_DIAGNOSTICS: usize = 200;

/// Selects the diagnostics to be shown, errors before warnings if there are too many; returns also a note about the number of the others.
fn drawn(diagnostics: &[Diagnostic]) -> (Cow<'_, [Diagnostic]>, String) {
    if diagnostics.len() <= MAX_SHOWN_DIAGNOSTICS {
        return (Cow::Borrowed(diagnostics), String::new());
    }
    let is_error = |one: &Diagnostic| one.severity == Severity::Error;
    let errors = diagnostics.iter().filter(|one| is_error(one)).count();
    let mut errors_left = errors.min(MAX_SHOWN_DIAGNOSTICS);
    let mut warnings_left = MAX_SHOWN_DIAGNOSTICS - errors_left;
    let (more_errors, more_warnings) = (errors - errors_left, diagnostics.len() - errors - warnings_left);
    let is_drawn = |one: &&Diagnostic| {
        let left = if is_error(one) { &mut errors_left } else { &mut warnings_left };
        std::mem::replace(left, left.saturating_sub(1)) > 0
    };
    let drawn = diagnostics.iter().filter(is_drawn).cloned().collect();
    let more = format!("and {}, {} more", count(more_errors, "error"), count(more_warnings, "warning"));
    (Cow::Owned(drawn), format!("{more}; `check --format json` writes all of them\n\n"))
}

/// What an output is written to.
enum Destination {
    /// The standard output, or a file that is written as it comes.
    Stream(Box<dyn Write + Send>),
    /// A file that takes the place of an older one when it is complete, and the first line of the older one.
    Draft(disk::Draft, Option<String>),
}

impl Destination {
    fn stream(&mut self) -> &mut dyn Write {
        match self {
            Destination::Stream(stream) => stream,
            Destination::Draft(draft, _) => draft,
        }
    }
}

/// The destination of an output: a file or the standard output. It is opened before the work begins, so that a wrong path is reported at
/// once.
pub struct OutputFile {
    path: String,
    writer: Destination,
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
        let stream: Box<dyn Write + Send> = match path {
            "-" => Box::new(stdout()),
            file if is_text(Path::new(file)) => {
                return usage_error(format!("`{file}` is there already, and holds rules, cards or scripts by its name; name another file"));
            }
            file => disk::create(Path::new(file)).or_else(|fault| unwritable(file, &fault))?,
        };
        Ok(OutputFile { path: path.to_string(), writer: Destination::Stream(stream) })
    }

    /// Opens a rules file that is empty or begins with `begins`, that is, was written by the same command. Its contents are kept until
    /// the new contents are complete, and the replacement is then reported.
    pub fn open_generated(path: &str, begins: &str) -> Result<OutputFile, ExitReason> {
        let file = Path::new(path);
        let old = if is_text(file) { Sources::read_bounded(file, MAX_RULES_BYTES).ok() } else { None };
        let Some(old) = old.filter(|text| text.starts_with(begins) || text.trim().is_empty()) else { return OutputFile::open(path) };
        let draft = disk::Draft::new(file).or_else(|fault| unwritable(path, &fault))?;
        let replaced = old.lines().next().map(|line| line.trim_start_matches('/').trim().to_string());
        Ok(OutputFile { path: path.to_string(), writer: Destination::Draft(draft, replaced) })
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
    pub fn write_bytes(mut self, bytes: &[u8]) -> CommandResult {
        let is_terminal = self.is_terminal();
        let mut written = self.write_all(bytes).and_then(|()| self.flush());
        if let Destination::Draft(draft, replaced) = self.writer {
            written = written.and_then(|()| draft.commit());
            if let (Ok(()), Some(old)) = (&written, replaced) {
                print_error(&format!("`{}` has been written anew; in it was: {old}\n", self.path));
            }
        }
        match written {
            Err(fault) if is_terminal && fault.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(fault) if is_terminal => usage_error(format!("cannot write `the standard output`: {fault}")),
            written => written.or_else(|fault| unwritable(&self.path, &fault)),
        }
    }

    /// Writes a document and closes the output: as Markdown into a file whose name ends with `.md`, else as a page of HTML.
    pub fn write_document(self, document: &Document) -> CommandResult {
        if self.path.ends_with(".md") { self.write_text(&document.markdown()) } else { self.write_made(document.html()) }
    }

    /// Writes a value as JSON and closes the output.
    pub fn write_json(self, value: &impl Serialize) -> CommandResult {
        self.write_made(serde_json::to_string_pretty(value).map(|text| text + "\n"))
    }

    fn write_made(self, made: serde_json::Result<String>) -> CommandResult {
        match made {
            Ok(text) => self.write_text(&text),
            Err(fault) => usage_error(format!("internal error: {fault}; please report it")),
        }
    }
}

/// Reports that a file or folder cannot be read.
pub fn unreadable<T>(path: &Path, fault: &io::Error) -> Result<T, ExitReason> {
    usage_error(format!("cannot read `{}`: {fault}", path.display()))
}

/// Reports that a file cannot be written.
pub fn unwritable<T>(path: impl AsRef<Path>, fault: &io::Error) -> Result<T, ExitReason> {
    usage_error(format!("cannot write `{}`: {fault}", path.as_ref().display()))
}

/// Whether the path is an existing source file of a game.
fn is_text(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    path.is_plain_file() && SOURCE_EXTENSIONS.iter().any(|text| ending == *text)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.stream().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.stream().flush()
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
