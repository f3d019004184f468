//! The disk, as far as games need it. In a browser, where there is none, it is a map of texts in memory, which whoever shows the page fills
//! and reads (`all_in_memory`).
//!
//! Only [`crate::source`] reads games, and only the command line writes files.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

#[cfg(any(test, target_family = "wasm"))]
mod memory;
#[cfg(not(target_family = "wasm"))]
mod real;

#[cfg(target_family = "wasm")]
use memory as disk;
#[cfg(not(target_family = "wasm"))]
use real as disk;

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A folder.
    Folder,
    /// A file of so many bytes.
    File(u64),
    /// A pipe, a device or the like.
    Other,
}

/// Says what lies at a path, behind links.
///
/// # Errors
/// There is nothing, or it cannot be looked at.
pub fn find(path: &Path) -> io::Result<Found> {
    disk::find(path)
}

/// Opens a file to be read.
///
/// # Errors
/// It cannot be read.
pub fn open(path: &Path) -> io::Result<impl Read> {
    disk::open(path)
}

/// Returns what lies in a folder, in any order, and for each whether it is a folder itself.
///
/// # Errors
/// It is no folder, or cannot be read.
pub fn entries(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<(PathBuf, bool)>>> {
    disk::entries(folder)
}

/// Returns the path without links and dots.
///
/// # Errors
/// Nothing lies there.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    disk::real_path(path)
}

/// Opens a file to be written, in place of what it held.
///
/// # Errors
/// It cannot be written.
pub fn create(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    disk::create(path)
}

/// Writes a file that is not there yet.
///
/// # Errors
/// It is there already ([`io::ErrorKind::AlreadyExists`]), or cannot be written.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    disk::write_new(path, text)
}

/// A file that is written beside another one and takes its place by `commit` when it is complete, so that the other is always whole: as it
/// was, or as it is now. Rights, owner and other names of it stay as they were.
pub use disk::Draft;

/// Replaces a file as a whole by a [`Draft`].
///
/// # Errors
/// It cannot or may not be written; then it is as it was.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    disk::replace(path, text)
}

/// Makes a folder, and those around it.
///
/// # Errors
/// They cannot be made.
pub fn create_folders(path: &Path) -> io::Result<()> {
    disk::create_folders(path)
}

/// Removes a file.
///
/// # Errors
/// It cannot be removed.
pub fn remove_file(path: &Path) -> io::Result<()> {
    disk::remove_file(path)
}

/// Removes a folder that is empty.
///
/// # Errors
/// It is not empty, or cannot be removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    disk::remove_folder(path)
}

/// Returns the paths of all files in memory, and what they hold.
#[cfg(target_family = "wasm")]
pub fn all_in_memory() -> Vec<(PathBuf, std::sync::Arc<[u8]>)> {
    memory::all()
}

/// Questions to the disk about a path. The methods of [`Path`] with similar names ask the operating system, which a browser has not.
pub trait OnDisk {
    /// Whether a folder lies there.
    fn is_folder(&self) -> bool;
    /// Whether a plain file lies there.
    fn is_plain_file(&self) -> bool;
    /// Whether anything lies there, behind links.
    fn is_there(&self) -> bool;
    /// Whether the name is taken: by anything, even by a link that leads nowhere.
    fn is_taken(&self) -> bool;
}

impl OnDisk for Path {
    fn is_folder(&self) -> bool {
        find(self).is_ok_and(|found| found == Found::Folder)
    }

    fn is_plain_file(&self) -> bool {
        find(self).is_ok_and(|found| matches!(found, Found::File(_)))
    }

    fn is_there(&self) -> bool {
        find(self).is_ok()
    }

    fn is_taken(&self) -> bool {
        disk::is_taken(self)
    }
}
