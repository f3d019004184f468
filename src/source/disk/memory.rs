//! Files in memory. Paths are taken as they lie below one folder; a folder is there as long as a file lies below it, or if it was made.

use super::Found;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The files and folders that have been made.
#[derive(Default)]
struct Files {
    files: BTreeMap<PathBuf, Arc<[u8]>>,
    folders: BTreeSet<PathBuf>,
}

static FILES: Mutex<Files> = Mutex::new(Files { files: BTreeMap::new(), folders: BTreeSet::new() });

fn files() -> MutexGuard<'static, Files> {
    // What a thread that panics has written is whole.
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a path below the one folder, without dots.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => plain.push(part),
            Component::ParentDir => _ = plain.pop(),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    plain
}

fn missing() -> io::Error {
    ErrorKind::NotFound.into()
}

impl Files {
    fn find(&self, path: &Path) -> io::Result<Found> {
        let path = plain(path);
        if let Some(bytes) = self.files.get(&path) {
            return Ok(Found::File(bytes.len() as u64));
        }
        let is_folder = path.as_os_str().is_empty() || self.folders.contains(&path) || self.below(&path).next().is_some();
        is_folder.then_some(Found::Folder).ok_or_else(missing)
    }

    /// Returns all files and folders below a folder.
    fn below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = (&'a Path, bool)> {
        let files = self.files.range(folder.to_path_buf()..).map(|(path, _)| (path.as_path(), false));
        let folders = self.folders.range(folder.to_path_buf()..).map(|path| (path.as_path(), true));
        let within = move |path: &Path| path.starts_with(folder);
        let files = files.take_while(move |(path, _)| within(path));
        let folders = folders.take_while(move |(path, _)| within(path));
        files.chain(folders).filter(move |(path, _)| *path != folder)
    }

    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Ok(Found::Folder) = self.find(path) {
            return Err(ErrorKind::IsADirectory.into());
        }
        self.files.insert(plain(path), bytes.into());
        Ok(())
    }
}

pub fn find(path: &Path) -> io::Result<Found> {
    files().find(path)
}

pub fn is_taken(path: &Path) -> bool {
    find(path).is_ok()
}

pub fn open(path: &Path) -> io::Result<impl Read> {
    files().files.get(&plain(path)).map(|bytes| Cursor::new(Arc::clone(bytes))).ok_or_else(missing)
}

pub fn entries(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<(PathBuf, bool)>>> {
    let files = files();
    if files.find(folder)? != Found::Folder {
        return Err(ErrorKind::NotADirectory.into());
    }
    let top = plain(folder);
    let mut found = BTreeMap::new();
    for (path, is_folder) in files.below(&top) {
        let mut parts = path.strip_prefix(&top).into_iter().flat_map(Path::components);
        if let Some(first) = parts.next() {
            let is_folder = is_folder || parts.next().is_some();
            *found.entry(folder.join(first)).or_insert(false) |= is_folder;
        }
    }
    Ok(found.into_iter().map(Ok))
}

pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    find(path).map(|_| Path::new("/").join(plain(path)))
}

pub fn create(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    files().write(path, &[])?;
    Ok(Box::new(Writer { path: path.to_path_buf(), bytes: Vec::new() }))
}

pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut files = files();
    if files.find(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    files.write(path, text.as_bytes())
}

pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    files().write(path, text.as_bytes())
}

/// A file that takes the place of another one when it is complete.
pub struct Draft {
    bytes: Vec<u8>,
    to: PathBuf,
}

impl Draft {
    pub fn new(path: &Path) -> io::Result<Draft> {
        Ok(Draft { bytes: Vec::new(), to: path.to_path_buf() })
    }

    pub fn commit(self) -> io::Result<()> {
        files().write(&self.to, &self.bytes)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn create_folders(path: &Path) -> io::Result<()> {
    files().folders.insert(plain(path));
    Ok(())
}

pub fn remove_file(path: &Path) -> io::Result<()> {
    files().files.remove(&plain(path)).map(drop).ok_or_else(missing)
}

pub fn remove_folder(path: &Path) -> io::Result<()> {
    let path = plain(path);
    let mut files = files();
    if files.below(&path).next().is_some() {
        return Err(ErrorKind::DirectoryNotEmpty.into());
    }
    if files.folders.remove(&path) { Ok(()) } else { Err(missing()) }
}

/// Returns the paths of all files, and what they hold.
pub fn all() -> Vec<(PathBuf, Arc<[u8]>)> {
    files().files.iter().map(|(path, bytes)| (path.clone(), Arc::clone(bytes))).collect()
}

/// A file that is being written. It holds what has been flushed.
struct Writer {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        files().write(&self.path, &self.bytes)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // A folder of this name has been made meanwhile: then there is no place for it.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_lie_in_folders_and_are_found_by_any_way_to_write_their_path() {
        let text = |path: &str| {
            let mut text = String::new();
            open(Path::new(path)).unwrap().read_to_string(&mut text).unwrap();
            text
        };
        let names = |path: &str| entries(Path::new(path)).unwrap().map(Result::unwrap).collect::<Vec<_>>();
        write_new(Path::new("rules/a/main.rules"), "one").unwrap();
        write_new(Path::new("./rules/b.rules"), "two").unwrap();
        assert_eq!(text("/rules/x/../a/main.rules"), "one");
        assert_eq!(find(Path::new("rules/a")).unwrap(), Found::Folder);
        assert_eq!(find(Path::new("rules/b.rules")).unwrap(), Found::File(3));
        assert_eq!(find(Path::new("rul")).unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(names("rules"), [("rules/a".into(), true), ("rules/b.rules".into(), false)]);
        assert_eq!(names("."), [("./rules".into(), true)]);
        assert_eq!(write_new(Path::new("rules/b.rules"), "").unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(replace(Path::new("rules"), "").unwrap_err().kind(), ErrorKind::IsADirectory);
        let mut file = create(Path::new("rules/b.rules")).unwrap();
        file.write_all(b"three").unwrap();
        drop(file);
        assert_eq!(text("rules/b.rules"), "three");
        let mut draft = Draft::new(Path::new("rules/b.rules")).unwrap();
        draft.write_all(b"four").unwrap();
        assert_eq!(text("rules/b.rules"), "three");
        draft.commit().unwrap();
        assert_eq!(text("rules/b.rules"), "four");
        create_folders(Path::new("cards")).unwrap();
        assert_eq!(names("cards"), []);
        remove_folder(Path::new("cards")).unwrap();
        assert_eq!(remove_folder(Path::new("rules/a")).unwrap_err().kind(), ErrorKind::DirectoryNotEmpty);
        remove_file(Path::new("rules/b.rules")).unwrap();
        assert_eq!(all().len(), 1);
        assert!(is_taken(Path::new("rules/a/main.rules")) && !is_taken(Path::new("rules/b.rules")));
        assert_eq!(real_path(Path::new("rules/./a")).unwrap(), Path::new("/rules/a"));
    }
}
