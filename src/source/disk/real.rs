//! The disk of the operating system.

use super::Found;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

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
    let mut draft = Draft::new(path)?;
    draft.write_all(text.as_bytes())?;
    draft.commit()
}

/// A file that is written beside another one under a name that nobody can have laid there, and takes its place when it is complete; before
/// that, it is removed if it is dropped.
pub struct Draft {
    file: NamedTempFile,
    to: PathBuf,
}

impl Draft {
    /// Begins a file that is to take the place of what lies at a path, or nothing. A link stays one: what it leads to is replaced.
    pub fn new(path: &Path) -> io::Result<Draft> {
        let to = match fs::canonicalize(path) {
            Ok(to) => to,
            // A link that leads nowhere is not followed.
            Err(_) if is_taken(path) => return Err(io::Error::new(io::ErrorKind::NotFound, "it is a link that leads nowhere")),
            Err(_) => path.to_path_buf(),
        };
        if let Ok(found) = fs::metadata(&to) {
            if !found.is_file() {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no plain file"));
            }
            // Whoever may write in the folder could replace also what may not be written to.
            if found.permissions().readonly() {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it may not be written to"));
            }
            OpenOptions::new().append(true).open(&to)?;
        }
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Leading dots hide it from whoever walks through the folder meanwhile.
        let mut making = tempfile::Builder::new();
        making.prefix(".houserule-");
        // Where nothing is replaced, it is as open as any other new file.
        #[cfg(unix)]
        making.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = making.tempfile_in(folder)?;
        Ok(Draft { file, to })
    }

    /// Puts the file in its place: rights, owner and group stay as they were, and another name of the same file (a hard link) names what
    /// has been written, too.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.as_file().sync_all()?;
        let replaced = fs::metadata(&self.to).ok();
        if let Some(found) = &replaced {
            fs::set_permissions(self.file.path(), found.permissions())?;
            if !self.can_take_the_place_of(found) {
                // There is room for it: it has been written once.
                let mut file = OpenOptions::new().write(true).truncate(true).open(&self.to)?;
                io::copy(&mut File::open(self.file.path())?, &mut file)?;
                return file.sync_all();
            }
        }
        self.file.persist(&self.to).map(drop).map_err(|fault| fault.error)
    }

    /// Whether nothing but the contents would be other if this file had the name of another: it has one name alone, and the same owner,
    /// which this one is given where that is allowed.
    #[cfg(unix)]
    fn can_take_the_place_of(&self, found: &fs::Metadata) -> bool {
        use std::os::unix::fs::{MetadataExt, chown};
        let Ok(own) = self.file.as_file().metadata() else { return false };
        let is_same = (own.uid(), own.gid()) == (found.uid(), found.gid());
        found.nlink() == 1 && (is_same || chown(self.file.path(), Some(found.uid()), Some(found.gid())).is_ok())
    }

    #[cfg(not(unix))]
    fn can_take_the_place_of(&self, _found: &fs::Metadata) -> bool {
        true
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

pub fn create_folders(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

pub fn remove_folder(path: &Path) -> io::Result<()> {
    fs::remove_dir(path)
}
