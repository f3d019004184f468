//! Documents that have never been saved: they are checked as if they lay in the folder that is open, until they are saved somewhere.

use std::path::{Path, PathBuf};

use lsp_types::{TextDocumentItem, Uri};
use serde_json::Value;

use super::documents::path_of;
use super::server::Server;

/// What is said of a document that lies nowhere.
pub(super) const LIES_NOWHERE: &str =
    "this document has not been saved, and no folder is open: save it in a game or pack, and it is checked";

/// Returns the folder that an editor has opened, from the parameters of `initialize`.
pub(super) fn opened_folder(params: &Value) -> Option<PathBuf> {
    let uri = params["workspaceFolders"][0]["uri"].as_str().or_else(|| params["rootUri"].as_str())?;
    path_of(&uri.parse().ok()?)
}

/// Whether a URI is that of a document that has never been saved.
pub(super) fn is_unsaved(uri: &Uri) -> bool {
    uri.scheme().is_some_and(|scheme| scheme.as_str().eq_ignore_ascii_case("untitled"))
}

impl Server {
    /// Returns the path of a document: where it lies, or for one that has never been saved where it is taken to lie.
    pub(super) fn path_of(&self, uri: &Uri) -> Option<PathBuf> {
        self.unsaved.get(uri.as_str()).cloned().or_else(|| path_of(uri))
    }

    /// Chooses where a document that has never been saved is taken to lie: among the cards or rules of the folder that is open.
    pub(super) fn place_unsaved(&mut self, document: &TextDocumentItem) {
        let name: String = document.uri.as_str().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        let Some(folder) = &self.folder else {
            self.unsaved.insert(document.uri.as_str().to_string(), PathBuf::from(document.uri.as_str()));
            return;
        };
        let game =
            self.found.keys().find(|unit| unit.packs.is_empty() && unit.root.as_ref() == Some(folder)).map(|unit| unit.game.as_str());
        let is_pack = self.found.keys().any(|unit| unit.packs.contains(folder));
        let path = match document.language_id.contains("toml") || document.text.trim_start().starts_with("[[") {
            true => {
                folder.join("cards").join(game.filter(|_| !is_pack).map_or_else(PathBuf::new, PathBuf::from)).join(format!("{name}.toml"))
            }
            false => folder.join("rules").join(format!("{name}.rules")),
        };
        self.unsaved.insert(document.uri.as_str().to_string(), path);
    }

    /// Whether a path is that of a document that has never been saved and for which there is no folder.
    pub(super) fn lies_nowhere(&self, path: &Path) -> bool {
        self.folder.is_none() && self.unsaved.values().any(|unsaved| unsaved == path)
    }
}
