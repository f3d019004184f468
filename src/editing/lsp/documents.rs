//! Open documents, and conversion between URIs and paths.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Uri;

use super::place::{FileSort, FileTokens};
use crate::source::uri_path;

/// The scheme of documents that are inside the program: `houserule:/rules/wood.rules`.
pub(super) const SCHEME: &str = "houserule";

/// A document that is open in the editor.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// URI as written by the editor.
    pub uri: Uri,
    /// Version of the text, as the editor counts.
    pub version: i32,
    /// Current text of the document.
    pub text: Arc<str>,
    /// Symbols and zones of the text, with the kind of file for which they were computed.
    pub places: RefCell<Option<(FileSort, Arc<FileTokens>)>>,
}

impl Document {
    /// Returns the symbols and zones of the text, which are computed at the first call.
    pub fn places(&self, sort: FileSort) -> Arc<FileTokens> {
        if let Some((known, places)) = &*self.places.borrow()
            && *known == sort
        {
            return Arc::clone(places);
        }
        let places = Arc::new(FileTokens::parse(sort, &self.text));
        self.places.replace(Some((sort, Arc::clone(&places))));
        places
    }
}

/// Returns the path of a `file:` URI, and the URI itself for a file inside the program; `None` for other schemes.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    if uri.scheme().is_some_and(|scheme| scheme.as_str() == SCHEME) {
        return Some(PathBuf::from(uri.as_str()));
    }
    if !uri.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("file")) {
        return None;
    }
    let path = uri.path().as_estr().decode().into_string().ok()?;
    let bytes = path.as_bytes();
    // On Windows the URI path `/C:/wolf` is `C:/wolf`.
    let on_drive = cfg!(windows) && bytes.first() == Some(&b'/') && bytes.get(2) == Some(&b':');
    Some(PathBuf::from(if on_drive { path.get(1..)? } else { &path }))
}

/// Returns the URI of a path.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = uri_path(path.to_str()?);
    format!("file://{}{path}", if path.starts_with('/') { "" } else { "/" }).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_its_address() {
        for path in ["/wolf/moss wall/α.toml", "/a%20b/#c.rules", "/a:b/c.rules"] {
            assert_eq!(path_of(&uri_of(Path::new(path)).unwrap()), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of(&"untitled:one".parse().unwrap()), None);
        let drive = if cfg!(windows) { "c:/wolf" } else { "/c:/wolf" };
        assert_eq!(path_of(&"file:///c%3A/wolf".parse().unwrap()), Some(PathBuf::from(drive)));
    }
}
