//! Files inside the program, for editors that go to a definition in them: as documents of this server's own scheme for editors that can ask
//! for their text, and else as copies that whoever runs the server puts somewhere.

use std::path::{Path, PathBuf};

use lsp_types::{Location, Uri};

use super::analysis::{Analysis, AnalysisUnit};
use super::documents::{SCHEME, uri_of};
use super::position::range_of;
use super::report::to_editor_location;
use super::server::Server;
use crate::source::Span;

/// A function that puts a copy of a file inside the program, given by its name and text, where an editor can open it; `None` if it cannot.
pub type MakeCopy = Box<dyn Fn(&str, &str) -> Option<PathBuf>>;

/// A file inside the program that the editor has been led to.
#[derive(Clone, Debug)]
pub(super) struct BuiltInFile {
    /// The game or pack by which it was found.
    pub unit: AnalysisUnit,
    /// Name of the file.
    pub name: String,
}

impl Server {
    /// Sets how files inside the program are shown to editors that cannot ask for their text.
    pub fn with_copies(mut self, make_copy: MakeCopy) -> Server {
        self.make_copy = Some(make_copy);
        self
    }

    /// Converts a span to a location for the editor, also in a file inside the program.
    pub(super) fn location(&self, found: &Analysis, span: Span) -> Option<Location> {
        let (name, text) = (found.sources.name(span.file), found.sources.text(span.file));
        if Path::new(name).has_root() {
            return to_editor_location(&found.sources, span);
        }
        let uri = self.uri_of_built_in(found, name, text)?;
        Some(Location { uri, range: range_of(text, span.start as usize, span.end as usize) })
    }

    fn uri_of_built_in(&self, found: &Analysis, name: &str, text: &str) -> Option<Uri> {
        let name = name.replace('\\', "/");
        let (path, uri) = if self.asks_for_texts {
            let uri: Uri = format!("{SCHEME}:{}", crate::source::uri_path(&format!("/{name}"))).parse().ok()?;
            (PathBuf::from(uri.as_str()), uri)
        } else {
            let path = self.make_copy.as_ref()?(&name, text)?;
            let uri = uri_of(&path)?;
            (path, uri)
        };
        self.built_in.borrow_mut().insert(path, BuiltInFile { unit: found.unit.clone(), name });
        Some(uri)
    }

    /// Returns the text of a document of this server's scheme; `None` if the program has no such file.
    pub(super) fn built_in_text(&self, uri: &Uri) -> Option<String> {
        let known = self.built_in.borrow().get(Path::new(uri.as_str())).cloned()?;
        self.found.get(&known.unit)?.files.get(&known.name).map(|seen| seen.text.to_string())
    }
}
