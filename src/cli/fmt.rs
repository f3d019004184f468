//! `houserule fmt`: writes files of rules and cards in one way.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::args::{FmtArgs, FmtLanguage};
use super::load::Workspace;
use super::output::{OutputFile, count, print, print_error, show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::Diagnostic;
use crate::disk::{self, OnDisk};
use crate::format::{FormatFault, Language, draw_changes, format};
use crate::pack::{has_manifest, unreadable_path_error};
use crate::source::{FileId, Sources};

/// What stands for the standard input.
const STANDARD_INPUT: &str = "-";

/// Formats files, or shows with `--check` what formatting them would change.
///
/// # Errors
/// `Findings` if a file cannot be read, or with `--check` would change; a usage error if there is nothing that could be formatted.
pub fn fmt(workspace: &Workspace, args: &FmtArgs) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("files are written with ids and keys, which have no other names: `fmt` has no `--lang`");
    }
    if args.what.iter().any(|what| what == Path::new(STANDARD_INPUT)) {
        return fmt_standard_input(args);
    }
    if args.language.is_some() {
        return usage_error(
            "`--as` says what the standard input is: write it together with `-`; a file is known by the ending of its name",
        );
    }
    let mut files = BTreeSet::new();
    for what in workspace.or_current_pack(args.what.clone()) {
        files.extend(inside(&what, files_of(workspace, &what)?));
    }
    if args.what.is_empty() && files.is_empty() {
        match workspace.root() {
            Some(root) => files.extend(inside(root, files_of_root(root))),
            None => {
                return usage_error(
                    "there is neither rules/ nor pack.toml here: name the files, the folder of a pack, or a game with `--root DIR`",
                );
            }
        }
    }
    let mut outcome = Outcome::default();
    for path in &files {
        outcome.add(fmt_file(path, args.check)?);
    }
    outcome.report(args.check)
}

/// Returns the files that lie in a folder; those to which a link leads out of it are told, and are not touched. A file by itself is meant
/// wherever it lies.
fn inside(what: &Path, files: Vec<PathBuf>) -> Vec<PathBuf> {
    if !what.is_folder() {
        return files;
    }
    let top = Sources::real_path(what);
    let (inside, outside): (Vec<PathBuf>, Vec<PathBuf>) = files.into_iter().partition(|file| Sources::real_path(file).starts_with(&top));
    for file in outside {
        print_error(&format!(
            "left out: a link leads from `{}` out of `{}`; name the file itself to format it\n",
            file.display(),
            what.display()
        ));
    }
    inside
}

/// What has come of one file.
enum FileOutcome {
    Unchanged,
    Changed,
    Unreadable,
}

/// What has come of all files, in numbers.
#[derive(Default)]
struct Outcome {
    unchanged: usize,
    changed: usize,
    unreadable: usize,
}

impl Outcome {
    fn add(&mut self, one: FileOutcome) {
        match one {
            FileOutcome::Unchanged => self.unchanged += 1,
            FileOutcome::Changed => self.changed += 1,
            FileOutcome::Unreadable => self.unreadable += 1,
        }
    }

    fn report(&self, only_checks: bool) -> CommandResult {
        let all = count(self.unchanged + self.changed + self.unreadable, "file");
        let changed = if only_checks { "would be formatted" } else { "formatted" };
        let errors = if self.unreadable > 0 { format!(", {} with errors, left as written", self.unreadable) } else { String::new() };
        print(&format!("{all}: {} {changed}{errors}\n", self.changed));
        if self.unreadable > 0 || only_checks && self.changed > 0 { Err(ExitReason::Findings) } else { Ok(()) }
    }
}

fn fmt_standard_input(args: &FmtArgs) -> CommandResult {
    if args.what.len() > 1 {
        return usage_error("`-` is the standard input, and its text goes to the standard output: it stands alone");
    }
    let mut text = String::new();
    if let Err(fault) = io::stdin().read_to_string(&mut text) {
        let why = if fault.kind() == io::ErrorKind::InvalidData { "it is not text in UTF-8".to_string() } else { fault.to_string() };
        return usage_error(format!("cannot read the standard input: {why}"));
    }
    let language = match args.language.unwrap_or(FmtLanguage::Rules) {
        FmtLanguage::Rules => Language::Rules,
        FmtLanguage::Toml => Language::Toml,
    };
    let mut sources = Sources::new();
    let file = sources.add("the standard input", text.as_str());
    let Some(formatted) = formatted(&sources, language, file)? else { return Err(ExitReason::Findings) };
    match args.check {
        true if formatted != text => {
            print(&draw_changes(&text, &formatted));
            Err(ExitReason::Findings)
        }
        true => Ok(()),
        false => OutputFile::open(STANDARD_INPUT)?.write_text(&formatted),
    }
}

fn fmt_file(path: &Path, only_checks: bool) -> Result<FileOutcome, ExitReason> {
    let Some(language) = Language::of_path(path) else {
        return usage_error(format!(
            "`{}` is neither rules nor TOML by the ending of its name: only .rules and .toml are formatted",
            path.display()
        ));
    };
    let mut sources = Sources::new();
    let file = match sources.read_file(path) {
        Ok(file) => file,
        Err(fault) => {
            // The fault is part of the outcome.
            let _ = show_diagnostics(&sources, &[unreadable_path_error(path, &fault)]);
            return Ok(FileOutcome::Unreadable);
        }
    };
    let Some(formatted) = formatted(&sources, language, file)? else { return Ok(FileOutcome::Unreadable) };
    let text = sources.text(file);
    if formatted == text {
        return Ok(FileOutcome::Unchanged);
    }
    if only_checks {
        print(&format!("{}\n{}\n", path.display(), draw_changes(text, &formatted)));
    } else {
        replace(path, &formatted)?;
        print(&format!("{}\n", path.display()));
    }
    Ok(FileOutcome::Changed)
}

/// Formats a text. `None` if it has errors, which have been shown.
fn formatted(sources: &Sources, language: Language, file: FileId) -> Result<Option<String>, ExitReason> {
    match format(language, file, sources.text(file)) {
        Ok(formatted) => Ok(Some(formatted)),
        Err(FormatFault::Unreadable(diagnostics)) => {
            let errors: Vec<Diagnostic> = diagnostics;
            // The errors are part of the outcome.
            let _ = show_diagnostics(sources, &errors);
            Ok(None)
        }
        Err(FormatFault::WouldChange) => usage_error(format!(
            "internal error: formatting `{}` would change what it says, so it stays; please report it",
            sources.name(file)
        )),
    }
}

/// Writes a file beside the old one, and gives it its name when it is complete.
fn replace(path: &Path, text: &str) -> CommandResult {
    let path = Sources::real_path(path);
    disk::replace(&path, text).or_else(|fault| usage_error(format!("cannot write `{}`: {fault}", path.display())))
}

/// Returns the files that a word of the command line means: a file, the rules and cards of a folder, or those of a game.
fn files_of(workspace: &Workspace, what: &Path) -> Result<Vec<PathBuf>, ExitReason> {
    if what.is_folder() {
        let is_root = has_manifest(what) || what.join("rules").is_folder() || what.join("cards").is_folder();
        let files = if is_root { files_of_root(what) } else { files_below(what) };
        if files.is_empty() {
            return usage_error(format!("there is no .rules and no .toml file in `{}`", what.display()));
        }
        return Ok(files);
    }
    match what.to_str().filter(|name| what.extension().is_none() && !what.is_there() && !name.contains(['/', '\\'])) {
        Some(game) => {
            workspace.expect_game(game)?;
            let files: Vec<PathBuf> = workspace.root().map(|root| files_of_game(root, game)).unwrap_or_default();
            if files.is_empty() {
                return usage_error(format!(
                    "the files of `{game}` lie inside the program: name the folder of those to be formatted with `--root DIR`"
                ));
            }
            Ok(files)
        }
        None => Ok(vec![shown_path(what.to_path_buf())]),
    }
}

fn files_of_game(root: &Path, game: &str) -> Vec<PathBuf> {
    let (rules, cards) = (root.join("rules"), root.join("cards"));
    let whole = Some(shown_path(rules.join(format!("{game}.rules")))).filter(|path| path.is_plain_file());
    whole.into_iter().chain(files_below(&rules.join(game))).chain(files_below(&cards.join(game))).collect()
}

/// Returns the rules and cards of a pack or of a folder with games, of which it may have packs below `packs/`.
fn files_of_root(root: &Path) -> Vec<PathBuf> {
    let own = |folder: &Path| {
        let manifest = Some(shown_path(folder.join("pack.toml"))).filter(|path| path.is_plain_file());
        let below = ["rules", "cards"].into_iter().flat_map(|below| files_below(&folder.join(below)));
        manifest.into_iter().chain(below.collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let packs = Sources::folders(&root.join("packs"));
    own(root).into_iter().chain(packs.iter().flat_map(|pack| own(pack))).collect()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let all = ["rules", "toml"].into_iter().flat_map(|ending| Sources::read_dir(folder, ending).unwrap_or_default());
    all.map(shown_path).collect()
}

/// Leaves a leading `.` out, so that paths are short, and one file has one path.
fn shown_path(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path)
}
