//! `houserule fmt`: writes files of rules and cards in one way.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::args::{FmtArgs, FmtLanguage};
use super::load::Workspace;
use super::output::{OutputFile, count, fail_with, print, print_error, unwritable, usage_error};
use super::result::{CommandResult, ExitReason};
use super::subject::RootFolder;
use crate::disk::{self, OnDisk};
use crate::format::{FormatFault, Language, draw_changes, format};
use crate::pack::unreadable_path_error;
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
    let (mut changed, mut unreadable) = (0, 0);
    for path in &files {
        match fmt_file(path, args.check) {
            Ok(is_changed) => changed += usize::from(is_changed),
            Err(ExitReason::Findings) => unreadable += 1,
            Err(ExitReason::Usage) => return Err(ExitReason::Usage),
        }
    }
    let done = if args.check { "would be formatted" } else { "formatted" };
    let errors = if unreadable > 0 { format!(", {unreadable} with errors, left as written") } else { String::new() };
    print(&format!("{}: {changed} {done}{errors}\n", count(files.len(), "file")));
    if unreadable > 0 || args.check && changed > 0 { Err(ExitReason::Findings) } else { Ok(()) }
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

fn fmt_standard_input(args: &FmtArgs) -> CommandResult {
    if args.what.len() > 1 {
        return usage_error("`-` is the standard input, and its text goes to the standard output: it stands alone");
    }
    let mut text = String::new();
    if let Err(fault) = io::stdin().read_to_string(&mut text) {
        let why = if fault.kind() == io::ErrorKind::InvalidData { "it is not text in UTF-8".to_string() } else { fault.to_string() };
        return usage_error(format!("cannot read the standard input: {why}"));
    }
    let language = match args.language {
        None | Some(FmtLanguage::Rules) => Language::Rules,
        Some(FmtLanguage::Toml) => Language::Toml,
    };
    let mut sources = Sources::new();
    let file = sources.add("the standard input", text.as_str());
    let formatted = formatted(&sources, language, file)?;
    match args.check {
        true if formatted != text => {
            print(&draw_changes(&text, &formatted));
            Err(ExitReason::Findings)
        }
        true => Ok(()),
        false => OutputFile::open(STANDARD_INPUT)?.write_text(&formatted),
    }
}

/// Formats a file, and returns whether that changes it.
///
/// # Errors
/// `Findings` if it has errors or cannot be read, which has been shown.
fn fmt_file(path: &Path, only_checks: bool) -> Result<bool, ExitReason> {
    let Some(language) = Language::of_path(path) else {
        return usage_error(format!(
            "`{}` is neither rules nor TOML by the ending of its name: only .rules and .toml are formatted",
            path.display()
        ));
    };
    let mut sources = Sources::new();
    let file = sources.read_file(path).or_else(|fault| fail_with(&Sources::new(), &[unreadable_path_error(path, &fault)]))?;
    let formatted = formatted(&sources, language, file)?;
    let text = sources.text(file);
    if formatted == text {
        return Ok(false);
    }
    if only_checks {
        print(&format!("{}\n{}\n", path.display(), draw_changes(text, &formatted)));
    } else {
        // A link stays, and what it leads to is replaced.
        let real = Sources::real_path(path);
        disk::replace(&real, &formatted).or_else(|fault| unwritable(&real, &fault))?;
        print(&format!("{}\n", path.display()));
    }
    Ok(true)
}

/// Formats a text; shows its errors.
fn formatted(sources: &Sources, language: Language, file: FileId) -> Result<String, ExitReason> {
    format(language, file, sources.text(file)).or_else(|fault| match fault {
        FormatFault::Unreadable(errors) => fail_with(sources, &errors),
        FormatFault::WouldChange => usage_error(format!(
            "internal error: formatting `{}` would change what it says, so it stays; please report it",
            sources.name(file)
        )),
    })
}

/// Returns the files that a word of the command line means: a file, the rules and cards of a folder, or those of a game.
fn files_of(workspace: &Workspace, what: &Path) -> Result<Vec<PathBuf>, ExitReason> {
    if what.is_folder() {
        let files = if RootFolder::of_folder(what).is_some() { files_of_root(what) } else { files_below(what) };
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
    let whole = file_at(rules.join(format!("{game}.rules")));
    whole.into_iter().chain(files_below(&rules.join(game))).chain(files_below(&cards.join(game))).collect()
}

/// Returns the rules and cards of a pack or of a folder with games, of which it may have packs below `packs/`.
fn files_of_root(root: &Path) -> Vec<PathBuf> {
    let packs = Sources::folders(&root.join("packs"));
    let folders = [root.to_path_buf()].into_iter().chain(packs);
    let own = |folder: PathBuf| {
        let manifest = file_at(folder.join("pack.toml"));
        manifest.into_iter().chain(["rules", "cards"].into_iter().flat_map(move |below| files_below(&folder.join(below))))
    };
    folders.flat_map(own).collect()
}

fn file_at(path: PathBuf) -> Option<PathBuf> {
    path.is_plain_file().then(|| shown_path(path))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let all = ["rules", "toml"].into_iter().flat_map(|ending| Sources::read_dir(folder, ending).unwrap_or_default());
    all.map(shown_path).collect()
}

/// Leaves a leading `.` out, so that paths are short, and one file has one path.
fn shown_path(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").unwrap_or(&path).to_path_buf()
}
