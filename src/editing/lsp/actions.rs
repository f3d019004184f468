//! Code actions: the fixes of the diagnostics that are shown where the cursor is.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Diagnostic as Shown, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Range, TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};

use super::server::Server;
use super::visible::ShownFix;

/// Lists the fixes of the diagnostics that are shown in the range of a request. Each is the change to the text as it is now; those whose
/// lines have changed since they were found are left out until they have been found again.
pub(super) fn code_actions(server: &Server, params: &CodeActionParams) -> Vec<CodeActionOrCommand> {
    let wanted = |kinds: &Vec<CodeActionKind>| kinds.iter().any(|kind| matches!(kind.as_str(), "" | "quickfix"));
    let path = server.path_of(&params.text_document.uri).filter(|_| params.context.only.as_ref().is_none_or(wanted));
    let Some((path, document)) = path.and_then(|path| server.documents.get_key_value(&path)) else { return Vec::new() };
    let mut actions: Vec<CodeAction> = Vec::new();
    for (shown, fixes) in shown_here(server, path).into_iter().filter(|(shown, _)| is_touched(shown.range, params.range)) {
        let is_preferred = Some(fixes.len() == 1);
        for fix in fixes {
            let edit = Some(server.edit_of(&document.uri, document.version, vec![fix.edit]));
            if let Some(same) = actions.iter_mut().find(|known| known.title == fix.title && known.edit == edit) {
                same.diagnostics.get_or_insert_default().push(shown.clone());
                continue;
            }
            actions.push(CodeAction {
                title: fix.title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![shown.clone()]),
                edit,
                is_preferred,
                ..CodeAction::default()
            });
        }
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Lists the diagnostics that a document shows, with their fixes.
fn shown_here(server: &Server, path: &Path) -> Vec<(Shown, Vec<ShownFix>)> {
    let texts = server.open_texts();
    let units = server.visible.units().flat_map(|unit| server.visible.shown_with_fixes(unit, &texts, None));
    let mut found: Vec<(Shown, Vec<ShownFix>)> = Vec::new();
    let mut add = |shown: Shown, fixes: Vec<ShownFix>| {
        if !found.iter().any(|(known, _)| *known == shown) {
            found.push((shown, fixes));
        }
    };
    units.filter(|(of, ..)| of == path).for_each(|(_, shown, fixes)| add(shown, fixes));
    // A manifest whose game is not known yet: its text must be that which was read.
    if let (Some((sources, diagnostics)), Some(text)) = (server.orphans.get(path), texts.get(path)) {
        for one in diagnostics {
            let here = one.span.is_some_and(|span| Path::new(sources.name(span.file)) == path && sources.text(span.file) == &**text);
            if here {
                add(super::report::to_editor_diagnostic(sources, one, path).1, ShownFix::of_diagnostic(text, one));
            }
        }
    }
    found
}

/// Whether two ranges have a place in common, be it only an end.
fn is_touched(one: Range, other: Range) -> bool {
    one.start <= other.end && other.start <= one.end
}

impl Server {
    /// Makes the edit of one document; an editor that knows versions is told for which version it is.
    fn edit_of(&self, uri: &Uri, version: i32, edits: Vec<TextEdit>) -> WorkspaceEdit {
        if self.knows_versions {
            let text_document = OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: Some(version) };
            let edits = edits.into_iter().map(OneOf::Left).collect();
            let changes = DocumentChanges::Edits(vec![TextDocumentEdit { text_document, edits }]);
            return WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() };
        }
        #[allow(clippy::mutable_key_type, reason = "the protocol's own map")]
        let changes = HashMap::from([(uri.clone(), edits)]);
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
