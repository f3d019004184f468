//! The disk of the operating system.

use super::Found;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

pub fn find(path: &Path) -> io::Result<Found> {
    let found = fs::metadata(path)?;
    Ok(match (found.is_dir(), found.is_file()) {
        (true, _) => Found::Folder,
        (false, true) => Found::File(found.len()),
        (false, false) => Found::Other,
    })
}

pub fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

pub fn open(path: &Path) -> io::Result<impl Read> {
    File::open(path)
}

pub fn entries(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<(PathBuf, bool)>>> {
    Ok(fs::read_dir(folder)?.map(|entry| {
        let entry = entry?;
        let path = entry.path();
        // Where it is a link, what matters is where that leads.
        let is_folder = entry.file_type().map_or_else(|_| path.is_dir(), |ty| if ty.is_symlink() { path.is_dir() } else { ty.is_dir() });
        Ok((path, is_folder))
    }))
}

pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path)
}

pub fn create(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(BufWriter::new(File::create(path)?)))
}

pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays one: what it leads to is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut beside = path.clone().into_os_string();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    let written = (|| {
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        if let Ok(found) = fs::metadata(&path) {
            fs::set_permissions(&beside, found.permissions())?;
        }
        fs::rename(&beside, &path)
    })();
    if written.is_err() {
        // What cannot be removed either is told by the first error.
        let _ = fs::remove_file(&beside);
    }
    written
}

pub fn create_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

pub fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

pub fn remove_folder(path: &Path) -> io::Result<()> {
    fs::remove_dir(path)
}
