//! The files of a game: those in the binary, those on disk that take their places one by one, and what is gone where one does.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};
use crate::syntax::address::all_addresses;
use crate::syntax::overlay::rules_of;
use crate::syntax::parse_file;

use super::builtin;
use super::cards::parse_cards;
use super::problem::Problem;

/// So many names of what is gone are listed.
const MOST_LISTED: usize = 8;

/// Where a text is.
pub(super) enum From {
    Binary(&'static str),
    /// A file, and the built-in text whose place it takes.
    Disk(PathBuf, Option<&'static str>),
}

/// A few files beside the built-in ones, of which one has the name of a built-in one, take what stands there away. Whoever has a copy of
/// all chapters of the rules has a game of their own, and knows what is in it.
pub(super) fn displaced(
    sources: &mut Sources,
    chapters: &[(String, From)],
    cards: &BTreeMap<String, From>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if chapters.iter().all(|(_, from)| matches!(from, From::Disk(..))) {
        return;
    }
    let displaces = |from: &From| matches!(from, From::Disk(_, Some(_)));
    if !cards.values().chain(chapters.iter().map(|(_, from)| from)).any(displaces) {
        return;
    }
    let text_of = |sources: &mut Sources, from: &From| match from {
        From::Binary(text) => (*text).to_owned(),
        From::Disk(path, _) => sources.read_file(path).map_or_else(|_| String::new(), |file| sources.text(file).to_owned()),
    };
    let mut report = |sources: &mut Sources, path: &Path, name: &str, lost: Vec<String>, what: &'static str| {
        if lost.is_empty() {
            return;
        }
        let listed: Vec<String> = lost.iter().take(MOST_LISTED).map(|name| format!("`{name}`")).collect();
        let more = lost.len() - listed.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let place = sources.read_file(path).ok().map(|file| Span { file, start: 0, end: 0 });
        let lost = format!("{}{more}", listed.join(", "));
        diagnostics.push(Problem::TakesPlace { name: name.to_string(), what, lost }.at(place));
    };
    let all: Vec<BTreeSet<String>> = cards.values().map(|from| ids_in(&text_of(sources, from))).collect();
    let there: BTreeSet<&String> = all.iter().flatten().collect();
    for (name, from) in cards {
        if let From::Disk(path, Some(text)) = from {
            let lost = ids_in(text).into_iter().filter(|id| !there.contains(id)).collect();
            report(sources, path, name, lost, "cards");
        }
    }
    let all: Vec<BTreeSet<String>> = chapters.iter().map(|(_, from)| addresses_in(&text_of(sources, from))).collect();
    let there: BTreeSet<&String> = all.iter().flatten().collect();
    for (name, from) in chapters {
        if let From::Disk(path, Some(text)) = from {
            let lost = addresses_in(text).into_iter().filter(|address| !there.contains(address)).collect();
            report(sources, path, name, lost, "rules");
        }
    }
}

/// The ids of the cards in a text.
pub(super) fn ids_in(text: &str) -> BTreeSet<String> {
    parse_cards(FileId(0), text, "", &mut Vec::new()).cards.into_iter().map(|card| card.id.text).collect()
}

/// The addresses of what a text of rules declares, but of what lies inside of others.
fn addresses_in(text: &str) -> BTreeSet<String> {
    let mut rules = rules_of(parse_file(FileId(0), text, &mut Vec::new()));
    let all = all_addresses(&mut rules).into_iter().map(|(address, _)| address);
    all.filter(|address| !address.contains('.') || ["kind.", "zone.", "rank."].iter().any(|begins| address.starts_with(begins))).collect()
}

/// All files of an extension below a folder, by their paths inside it; those on disk win.
pub(super) fn paths(sources: &Sources, root: Option<&Path>, folder: &str, extension: &str) -> BTreeMap<String, From> {
    let prefix = format!("{folder}/");
    let built_in = builtin::files(extension).into_iter().filter(|(path, _)| path.starts_with(&prefix));
    let mut found: BTreeMap<String, From> = built_in.map(|(path, text)| (path, From::Binary(text))).collect();
    let on_disk = root.and_then(|root| sources.files_below(&root.join(folder), extension).ok().map(|paths| (root, paths)));
    if let Some((root, paths)) = on_disk {
        for path in paths {
            // `.` is where one is; messages look better without it.
            let short = if root == Path::new(".") { path.strip_prefix(root).unwrap_or(&path).to_owned() } else { path.clone() };
            let name = inside(&path, root);
            let built_in = match found.get(&name) {
                Some(From::Binary(text)) => Some(*text),
                Some(From::Disk(..)) | None => None,
            };
            found.insert(name, From::Disk(short, built_in));
        }
    }
    found
}

/// A path inside a folder, its parts joined by `/` on every machine.
pub(super) fn inside(path: &Path, folder: &Path) -> String {
    let parts: Vec<_> = path.strip_prefix(folder).unwrap_or(path).iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// A text, wherever it is; one that cannot be read is reported.
pub(super) fn open(sources: &mut Sources, path: &str, from: &From, diagnostics: &mut Vec<Diagnostic>) -> Option<FileId> {
    match from {
        From::Binary(text) => Some(sources.add(path, *text)),
        From::Disk(path, _) => read(sources, path, diagnostics),
    }
}

/// A file on disk; one that cannot be read is reported.
pub(super) fn read(sources: &mut Sources, path: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<FileId> {
    sources.read_file(path).map_err(|fault| diagnostics.push(unreadable(path, &fault))).ok()
}

/// What is reported of a file or folder that cannot be read.
pub fn unreadable(path: &Path, fault: &io::Error) -> Diagnostic {
    let why = match fault.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::InvalidData => "it is not text in UTF-8".to_owned(),
        io::ErrorKind::PermissionDenied => "its owner does not allow it".to_owned(),
        _ => fault.to_string(),
    };
    Problem::Unreadable { path: path.display().to_string(), why }.at(None)
}

/// The files of an extension in a folder that need not exist.
pub(super) fn optional_dir(sources: &Sources, folder: &Path, extension: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    match sources.files_below(folder, extension) {
        Ok(paths) => paths,
        Err(fault) => {
            if fault.kind() != io::ErrorKind::NotFound {
                diagnostics.push(unreadable(folder, &fault));
            }
            Vec::new()
        }
    }
}
