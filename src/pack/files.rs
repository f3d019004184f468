//! Finds the files of a game: embedded ones, files on disk that replace them one by one, and what such a replacement loses.

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
use super::problem::PackProblem;

/// Largest number of lost names that a message lists.
const MAX_LISTED: usize = 8;

/// Where the text of a file comes from.
pub(super) enum FileOrigin {
    Binary(&'static str),
    /// A file on disk, and the embedded text that it replaces.
    Disk(PathBuf, Option<&'static str>),
}

/// Warns if a single file on disk replaces an embedded one and thereby loses cards or definitions. There is no warning if the folder has
/// all chapters of the rules: then it is a game of its own.
pub(super) fn warn_of_lost_names(
    sources: &mut Sources,
    chapters: &[(String, FileOrigin)],
    cards: &BTreeMap<String, FileOrigin>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if chapters.iter().all(|(_, from)| matches!(from, FileOrigin::Disk(..))) {
        return;
    }
    let displaces = |from: &FileOrigin| matches!(from, FileOrigin::Disk(_, Some(_)));
    if !cards.values().chain(chapters.iter().map(|(_, from)| from)).any(displaces) {
        return;
    }
    let text_of = |sources: &mut Sources, from: &FileOrigin| match from {
        FileOrigin::Binary(text) => (*text).to_owned(),
        FileOrigin::Disk(path, _) => sources.read_file(path).map_or_else(|_| String::new(), |file| sources.text(file).to_owned()),
    };
    let mut report = |sources: &mut Sources, path: &Path, name: &str, lost: Vec<String>, what: &'static str| {
        if lost.is_empty() {
            return;
        }
        let listed: Vec<String> = lost.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
        let more = lost.len() - listed.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let place = sources.read_file(path).ok().map(|file| Span { file, start: 0, end: 0 });
        let lost = format!("{}{more}", listed.join(", "));
        diagnostics.push(PackProblem::TakesPlace { name: name.to_string(), what, lost }.at(place));
    };
    let all: Vec<BTreeSet<String>> = cards.values().map(|from| ids_in(&text_of(sources, from))).collect();
    let there: BTreeSet<&String> = all.iter().flatten().collect();
    for (name, from) in cards {
        if let FileOrigin::Disk(path, Some(text)) = from {
            let lost = ids_in(text).into_iter().filter(|id| !there.contains(id)).collect();
            report(sources, path, name, lost, "cards");
        }
    }
    let all: Vec<BTreeSet<String>> = chapters.iter().map(|(_, from)| addresses_in(&text_of(sources, from))).collect();
    let there: BTreeSet<&String> = all.iter().flatten().collect();
    for (name, from) in chapters {
        if let FileOrigin::Disk(path, Some(text)) = from {
            let lost = addresses_in(text).into_iter().filter(|address| !there.contains(address)).collect();
            report(sources, path, name, lost, "rules");
        }
    }
}

/// Returns the ids of the cards in a card file.
pub(super) fn ids_in(text: &str) -> BTreeSet<String> {
    parse_cards(FileId(0), text, "", &mut Vec::new()).cards.into_iter().map(|card| card.id.text).collect()
}

/// Returns the addresses of the top-level declarations in a rules file.
fn addresses_in(text: &str) -> BTreeSet<String> {
    let mut rules = rules_of(parse_file(FileId(0), text, &mut Vec::new()));
    let all = all_addresses(&mut rules).into_iter().map(|(address, _)| address);
    all.filter(|address| !address.contains('.') || ["kind.", "zone.", "rank."].iter().any(|begins| address.starts_with(begins))).collect()
}

/// Returns all files with an extension in a folder and its subfolders, by their paths within it. Files on disk take precedence over
/// embedded ones.
pub(super) fn list_files(sources: &Sources, root: Option<&Path>, folder: &str, extension: &str) -> BTreeMap<String, FileOrigin> {
    let prefix = format!("{folder}/");
    let built_in = builtin::files(extension).into_iter().filter(|(path, _)| path.starts_with(&prefix));
    let mut found: BTreeMap<String, FileOrigin> = built_in.map(|(path, text)| (path, FileOrigin::Binary(text))).collect();
    let on_disk = root.and_then(|root| sources.files_below(&root.join(folder), extension).ok().map(|paths| (root, paths)));
    if let Some((root, paths)) = on_disk {
        for path in paths {
            // Omit a leading `.`, for shorter paths in messages.
            let short = if root == Path::new(".") { path.strip_prefix(root).unwrap_or(&path).to_owned() } else { path.clone() };
            let name = relative_path(&path, root);
            let built_in = match found.get(&name) {
                Some(FileOrigin::Binary(text)) => Some(*text),
                Some(FileOrigin::Disk(..)) | None => None,
            };
            found.insert(name, FileOrigin::Disk(short, built_in));
        }
    }
    found
}

/// Returns a path relative to a folder, with `/` as the separator on every platform.
pub(super) fn relative_path(path: &Path, folder: &Path) -> String {
    let parts: Vec<_> = path.strip_prefix(folder).unwrap_or(path).iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Adds a file to the sources. Returns `None` after a report if it cannot be read.
pub(super) fn open_file(sources: &mut Sources, path: &str, from: &FileOrigin, diagnostics: &mut Vec<Diagnostic>) -> Option<FileId> {
    match from {
        FileOrigin::Binary(text) => Some(sources.add(path, *text)),
        FileOrigin::Disk(path, _) => read(sources, path, diagnostics),
    }
}

/// Reads a file from disk. Returns `None` after a report if it cannot be read.
pub(super) fn read(sources: &mut Sources, path: &Path, diagnostics: &mut Vec<Diagnostic>) -> Option<FileId> {
    sources.read_file(path).map_err(|fault| diagnostics.push(unreadable_path_error(path, &fault))).ok()
}

/// Builds the diagnostic for a file or folder that cannot be read.
pub fn unreadable_path_error(path: &Path, fault: &io::Error) -> Diagnostic {
    let why = match fault.kind() {
        io::ErrorKind::NotFound => "it is not there".to_owned(),
        io::ErrorKind::InvalidData => "it is not text in UTF-8".to_owned(),
        io::ErrorKind::PermissionDenied => "its owner does not allow it".to_owned(),
        _ => fault.to_string(),
    };
    PackProblem::Unreadable { path: path.display().to_string(), why }.at(None)
}

/// Returns the files with an extension in a folder. A missing folder has none.
pub(super) fn list_optional_dir(sources: &Sources, folder: &Path, extension: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    match sources.files_below(folder, extension) {
        Ok(paths) => paths,
        Err(fault) => {
            if fault.kind() != io::ErrorKind::NotFound {
                diagnostics.push(unreadable_path_error(folder, &fault));
            }
            Vec::new()
        }
    }
}
