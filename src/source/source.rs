//! Source texts with names, spans and lines. Texts of files are read here alone; a text from elsewhere (a command line, a test,
//! the binary itself) is added under a name and treated alike.

use crate::cast;
use crate::disk::{self, Found, OnDisk};
use std::collections::{BTreeSet, HashMap};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Maximum nesting of folders; deeper folders are an error.
const MAX_FOLDERS: usize = 32;

/// Maximum number of files and folders below one folder; more are an error, since nobody's whole disk is a game.
const MAX_ENTRIES: usize = 100_000;

/// Maximum size of a file in bytes, so that a mistaken path does not exhaust the memory.
const MAX_BYTES: u64 = 16 << 20;

/// The index of a text in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A range of bytes in a text; `end` is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The text that contains the range.
    pub file: FileId,
    /// The offset of the first byte of the range.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span from the earlier start to the later end. If the files differ, the first span is returned.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// All texts that have been read, each identified by a [`FileId`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceText>,
    /// Replacement texts, by the name of the text that they replace.
    replacements: HashMap<String, Arc<str>>,
}

#[derive(Clone, Debug)]
struct SourceText {
    name: String,
    text: String,
    /// Whether the text was read from the disk.
    read: bool,
    /// The offset of each line's first byte; the first is 0.
    lines: Vec<usize>,
}

impl Sources {
    /// Creates an empty collection.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Replaces the text that is later added or read under this name, so that a change can be tried without writing to the disk.
    pub fn replace_text(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) {
        self.replacements.insert(name.into(), text.into());
    }

    /// Creates an empty collection that reads files as they were when this collection read them, whatever changes on the disk.
    pub fn snapshot(&self) -> Sources {
        let read = self.files.iter().filter(|source| source.read);
        Sources { files: Vec::new(), replacements: read.map(|source| (source.name.clone(), source.text.as_str().into())).collect() }
    }

    /// Adds a text under the name that messages show.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let name = name.into();
        let text = self.replacements.get(&name).map_or_else(|| text.into(), |text| text.to_string());
        let mut lines = vec![0];
        lines.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        self.files.push(SourceText { name, text, read: false, lines });
        id
    }

    /// Reads a file; its path becomes its name.
    pub fn read_file(&mut self, path: &Path) -> io::Result<FileId> {
        let name = path.display().to_string();
        let text = if self.replacements.contains_key(&name) { String::new() } else { Sources::text_of(path)? };
        let file = self.add(name, text);
        self.files.iter_mut().last().into_iter().for_each(|source| source.read = true);
        Ok(file)
    }

    fn text_of(path: &Path) -> io::Result<String> {
        Sources::read_bounded(path, MAX_BYTES)
    }

    /// Reads a regular file of at most `max_bytes` bytes. Pipes and devices are refused, since they may be endless.
    ///
    /// # Errors
    /// The file is not a regular file, is too large, is not valid UTF-8, or cannot be read.
    pub fn read_bounded(path: &Path, max_bytes: u64) -> io::Result<String> {
        let Found::File(length) = disk::find(path)? else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
        };
        let too_large = || io::Error::new(io::ErrorKind::InvalidInput, format!("it is larger than {} MB", max_bytes >> 20));
        if length > max_bytes {
            return Err(too_large());
        }
        let mut text = String::new();
        // A file can grow while it is read, and some report a size of 0.
        let read = disk::open(path)?.take(max_bytes + 1).read_to_string(&mut text)?;
        if u64::try_from(read).is_ok_and(|read| read <= max_bytes) { Ok(text) } else { Err(too_large()) }
    }

    /// Returns all files below a folder with this extension, sorted by path, without leftovers of editors and systems ([`is_leftover`]) and
    /// what tools have built or fetched ([`Sources::is_of_tools`]).
    pub fn read_dir(path: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        let mut walk = Folders { extension, seen: BTreeSet::new(), entries: 0, top: path };
        walk.collect(path, 0, &mut found)?;
        found.sort();
        Ok(found)
    }

    /// Does the same as [`Sources::read_dir`], and adds the replacement texts of files that do not exist yet, such as new documents of an
    /// editor.
    pub fn files_below(&self, path: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
        let mut found = Sources::read_dir(path, extension);
        let inside = |file: &&Path| file.starts_with(path) && file.extension().is_some_and(|found| found == extension);
        let seen = |file: &Path| file.strip_prefix(path).is_ok_and(|inner| !inner.iter().any(|part| is_leftover(&part.to_string_lossy())));
        let mut new: Vec<PathBuf> =
            self.replacements.keys().map(Path::new).filter(inside).filter(|file| seen(file)).map(Path::to_path_buf).collect();
        if new.is_empty() {
            return found;
        }
        if found.as_ref().is_err_and(|fault| fault.kind() == io::ErrorKind::NotFound) {
            found = Ok(Vec::new());
        }
        found.map(|mut found| {
            found.append(&mut new);
            found.sort();
            found.dedup();
            found
        })
    }

    /// Returns the direct subfolders of a folder, sorted; empty if it cannot be read.
    pub fn folders(path: &Path) -> Vec<PathBuf> {
        Sources::children_of(path, Path::is_folder)
    }

    /// Returns the files directly in a folder, sorted; empty if it cannot be read.
    pub fn files(path: &Path) -> Vec<PathBuf> {
        Sources::children_of(path, Path::is_plain_file)
    }

    fn children_of(path: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let here = path.as_os_str().is_empty();
        let entries = disk::entries(if here { Path::new(".") } else { path }).into_iter().flatten().filter_map(Result::ok);
        let entries = entries.filter(|(path, _)| !path.file_name().is_some_and(|name| is_leftover(&name.to_string_lossy())));
        let entries = entries.map(|(path, _)| if here { path.file_name().map(PathBuf::from).unwrap_or_default() } else { path });
        let mut found: Vec<PathBuf> = entries.filter(|entry| wanted(entry)).collect();
        found.sort();
        found
    }

    /// Returns all files below a folder except hidden ones and leftovers, sorted. Unreadable files, and files beyond the maximum number,
    /// are left out.
    pub fn all_files(path: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![(path.to_path_buf(), 0)];
        let mut seen = BTreeSet::new();
        while let Some((folder, depth)) = folders.pop() {
            if depth > MAX_FOLDERS || !seen.insert(Sources::real_path(&folder)) {
                continue;
            }
            for (path, is_folder) in disk::entries(&folder).into_iter().flatten().filter_map(Result::ok) {
                let hidden = path.file_name().is_none_or(|name| is_leftover(&name.to_string_lossy()));
                if found.len() + folders.len() >= MAX_ENTRIES {
                    break;
                }
                match is_folder {
                    _ if hidden => {}
                    true if Sources::is_of_tools(&path) => {}
                    true => folders.push((path, depth + 1)),
                    false => found.push(path),
                }
            }
        }
        found.sort();
        found
    }

    /// Whether a folder holds what others have built or fetched, in which nobody looks for games: node_modules, and folders that say
    /// by `CACHEDIR.TAG` that they can be made again.
    pub fn is_of_tools(folder: &Path) -> bool {
        folder.file_name().is_some_and(|name| name == "node_modules") || folder.join("CACHEDIR.TAG").is_plain_file()
    }

    /// Returns the canonical path, without symbolic links, so that paths to the same folder compare equal; unchanged if nothing exists
    /// there.
    pub fn real_path(path: &Path) -> PathBuf {
        disk::real_path(path).unwrap_or_else(|_| path.to_path_buf())
    }

    /// Returns the names and contents of all texts.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        (0..self.len()).map(|file| FileId(cast::fit::<u32>(file))).map(|file| (self.name(file), self.text(file)))
    }

    /// Returns the paths of the files that were read from the disk.
    pub fn read_paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|source| source.read).map(|source| Path::new(&source.name))
    }

    /// Returns the name of a text; empty for an unknown id.
    pub fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| &source.name)
    }

    /// Returns the contents of a text; empty for an unknown id.
    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| &source.text)
    }

    /// Returns the part of a text that a span covers; empty if the span is outside of its text.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Returns the start of a span as `file:line:column`; a file of the current folder without `./`.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        let name = self.name(span.file);
        format!("{}:{line}:{column}", name.strip_prefix("./").unwrap_or(name))
    }

    /// Returns line and column of the start of a span, both from 1; the column counts characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let Some(source) = self.get(span.file) else {
            return (1, 1);
        };
        let at = floor_boundary(&source.text, span.start as usize);
        let line = self.line_index(span.file, at);
        let start = source.lines.get(line).copied().unwrap_or(0);
        let column = source.text.get(start..at).unwrap_or("").chars().count();
        (line + 1, column + 1)
    }

    /// Returns the index of the line, from 0, that contains a byte.
    pub fn line_index(&self, file: FileId, byte: usize) -> usize {
        self.get(file).map_or(0, |source| source.lines.partition_point(|start| *start <= byte).saturating_sub(1))
    }

    /// Returns the byte range of a line (index from 0) with its line break; `None` after the last line.
    pub fn line_range(&self, file: FileId, line: usize) -> Option<std::ops::Range<usize>> {
        let source = self.get(file)?;
        let start = *source.lines.get(line)?;
        let end = source.lines.get(line + 1).copied().unwrap_or(source.text.len());
        Some(start..end)
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether the collection is empty.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    fn get(&self, file: FileId) -> Option<&SourceText> {
        self.files.get(file.0 as usize)
    }
}

/// Returns the largest character boundary at or before `at`, at most the length of the text.
pub fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Whether a file name is one that editors and systems give to temporary or hidden files: `.#wolf.toml`, `#wolf.toml#`, `wolf.toml~`,
/// `._wolf.toml`, `.git`. No such file is part of a game.
pub fn is_leftover(name: &str) -> bool {
    name.starts_with('.') && !matches!(name, "." | "..")
        || name.ends_with('~')
        || name.len() > 1 && name.starts_with('#') && name.ends_with('#')
}

/// A recursive walk through folders. A folder that several symbolic links lead to is visited once.
struct Folders<'a> {
    extension: &'a str,
    seen: BTreeSet<PathBuf>,
    entries: usize,
    top: &'a Path,
}

impl Folders<'_> {
    fn collect(&mut self, path: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
        let refused = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        if depth > MAX_FOLDERS {
            return refused(format!("`{}` lies more than {MAX_FOLDERS} folders deep", path.display()));
        }
        if !self.seen.insert(Sources::real_path(path)) {
            return Ok(());
        }
        for entry in disk::entries(path)? {
            let (path, is_folder) = entry?;
            self.entries += 1;
            if self.entries > MAX_ENTRIES {
                let top = self.top.display();
                return refused(format!(
                    "more than {MAX_ENTRIES} files and folders lie below `{top}`, some perhaps behind links; name a smaller folder"
                ));
            }
            if path.file_name().is_some_and(|name| is_leftover(&name.to_string_lossy())) {
                continue;
            }
            if is_folder {
                if Sources::is_of_tools(&path) {
                    continue;
                }
                self.collect(&path, depth + 1, found)?;
            } else if path.extension().is_some_and(|found| found == self.extension) {
                found.push(path);
            }
        }
        Ok(())
    }
}

/// Percent-encodes a path for use in a URI; letters, digits and the characters that URIs allow stay as they are (RFC 3986).
pub fn uri_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.replace(std::path::MAIN_SEPARATOR, "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn span(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    #[test]
    fn places_are_lines_and_columns_in_characters() {
        let mut sources = Sources::new();
        let file = sources.add("wisp", "é wolf\nwall");
        assert_eq!(sources.line_column(span(file, 3, 7)), (1, 3));
        assert_eq!(sources.line_column(span(file, 8, 9)), (2, 1));
        assert_eq!(sources.slice(span(file, 3, 7)), "wolf");
        assert_eq!(sources.line_range(file, 1), Some(8..12));
    }

    #[test]
    fn a_place_outside_its_text_is_empty_and_harmless() {
        let mut sources = Sources::new();
        let file = sources.add("wisp", "é");
        assert_eq!(sources.slice(span(file, 1, 9)), "");
        assert_eq!(sources.line_column(span(file, 1, 9)), (1, 1));
        assert_eq!(sources.line_column(span(FileId(7), 1, 9)), (1, 1));
        assert_eq!(sources.text(FileId(7)), "");
    }

    #[test]
    fn a_text_that_stands_for_another_is_taken_in_its_stead() {
        let mut sources = Sources::new();
        sources.replace_text("wisp", "wall");
        let (wisp, wolf) = (sources.add("wisp", "moss"), sources.add("wolf", "moss"));
        assert_eq!((sources.text(wisp), sources.text(wolf)), ("wall", "moss"));
    }

    #[cfg(unix)]
    #[test]
    fn links_neither_lead_in_circles_nor_double_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/wolf.toml"), "").unwrap();
        for link in ["a/back", "a/again", "b"] {
            std::os::unix::fs::symlink(folder.path().join("a"), folder.path().join(link)).unwrap();
        }
        assert_eq!(Sources::read_dir(folder.path(), "toml").unwrap().len(), 1);
        assert!(Sources::new().read_file(Path::new("/dev/zero")).is_err());
        assert!(Sources::new().read_file(folder.path()).is_err());
    }

    #[test]
    fn leftovers_of_editors_are_no_files_of_a_game() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["wolf.toml", ".#wolf.toml", "._wolf.toml", "#wolf.toml#", "wolf.toml~", ".old/wolf.toml", ".ipynb_checkpoints/w.toml"]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let wolf = vec![folder.path().join("wolf.toml")];
        assert_eq!(Sources::read_dir(folder.path(), "toml").unwrap(), wolf);
        assert_eq!(
            (Sources::all_files(folder.path()), Sources::files(folder.path()), Sources::folders(folder.path())),
            (wolf.clone(), wolf, vec![])
        );
        // A hidden folder that is named explicitly is read.
        assert_eq!(Sources::read_dir(&folder.path().join(".old"), "toml").unwrap().len(), 1);
        assert!(["#", "a#", "..", "."].iter().all(|name| !is_leftover(name)));
    }

    #[test]
    fn a_text_that_stands_for_a_new_file_is_among_the_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("b.toml"), "").unwrap();
        let mut sources = Sources::new();
        for name in ["a.toml", "b.toml", ".#c.toml", "d.rules", "new/e.toml"] {
            sources.replace_text(folder.path().join(name).display().to_string(), "");
        }
        let names = |folder: &Path| -> Vec<String> {
            let found = sources.files_below(folder, "toml").unwrap();
            found.iter().map(|path| path.strip_prefix(folder).unwrap().display().to_string()).collect()
        };
        assert_eq!(names(folder.path()), ["a.toml", "b.toml", "new/e.toml"]);
        assert_eq!(names(&folder.path().join("new")), ["e.toml"]);
        assert!(sources.files_below(&folder.path().join("nowhere"), "toml").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_read() {
        assert_eq!(Sources::read_bounded(Path::new("/dev/zero"), 9).unwrap_err().to_string(), "it is no plain file");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        fs::write(&path, "0123456789").unwrap();
        assert!(Sources::read_bounded(&path, 9).is_err());
        assert_eq!(Sources::read_bounded(&path, 10).unwrap(), "0123456789");
    }

    #[test]
    fn folders_that_are_too_deep_are_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/".repeat(MAX_FOLDERS + 2))).unwrap();
        assert!(Sources::read_dir(folder.path(), "toml").unwrap_err().to_string().contains("folders deep"));
    }

    #[test]
    fn joining_takes_both_ends() {
        let (a, b) = (span(FileId(0), 5, 6), span(FileId(0), 1, 2));
        assert_eq!(a.to(b), span(FileId(0), 1, 6));
    }

    #[test]
    fn what_is_held_stays_whatever_becomes_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.rules");
        fs::write(&path, "one").unwrap();
        let mut sources = Sources::new();
        sources.read_file(&path).unwrap();
        sources.add("typed", "one");
        let mut held = sources.snapshot();
        fs::write(&path, "two").unwrap();
        let file = held.read_file(&path).unwrap();
        let typed = held.add("typed", "two");
        assert_eq!((held.text(file), held.text(typed)), ("one", "two"));
        fs::remove_file(&path).unwrap();
        // Retained texts are passed on, and are read the same a second time.
        let mut again = held.snapshot();
        let file = again.read_file(&path).unwrap();
        assert_eq!(again.text(file), "one");
    }
}
