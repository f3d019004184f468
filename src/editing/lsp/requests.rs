//! Requests of the editor: each is answered from the current text of its document and from the latest analyses.

use std::path::Path;
use std::sync::Arc;

use lsp_server::{ErrorCode, Request};
use lsp_types::{
    CodeActionParams, DocumentFormattingParams, DocumentSymbolParams, DocumentSymbolResponse, FoldingRangeParams, GotoDefinitionResponse,
    Hover, HoverContents, MarkupContent, MarkupKind, PrepareRenameResponse, ReferenceParams, RenameParams, SemanticTokensParams,
    SymbolInformation, TextDocumentIdentifier, TextDocumentPositionParams, Uri, WorkspaceEdit, WorkspaceSymbolParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::actions::code_actions;
use super::analysis::{Analysis, AnalysisUnit};
use super::capabilities::announced;
use super::complete::complete;
use super::define::find_references;
use super::documents::{Document, path_of};
use super::folding::fold;
use super::formatting::format_document;
use super::highlight::highlight;
use super::hover::hover;
use super::names::{SymbolRef, resolve};
use super::place::{FileSort, FileTokens, SourceToken};
use super::position::{byte_of, range_of};
use super::rename::{can_rename, rename};
use super::server::Server;
use super::signature::signature;
use super::symbols::{find_symbols, list_symbols};
use super::unsaved::opened_folder;

/// The result of a request, or an error code with a message.
pub(super) type RequestResult = Result<Value, (ErrorCode, String)>;

impl Server {
    /// Answers a request.
    pub(super) fn handle_request(&mut self, request: Request) -> RequestResult {
        let params = request.params;
        match request.method.as_str() {
            "initialize" => {
                let files = &params["capabilities"]["workspace"]["didChangeWatchedFiles"];
                self.can_watch = files["dynamicRegistration"] == true;
                self.knows_versions = params["capabilities"]["workspace"]["workspaceEdit"]["documentChanges"] == true;
                self.folder = opened_folder(&params);
                self.asks_for_texts = params["capabilities"]["workspace"]["textDocumentContent"].is_object();
                Ok(serde_json::json!({
                    "capabilities": announced(),
                    "serverInfo": { "name": "houserule", "version": env!("CARGO_PKG_VERSION") },
                }))
            }
            "shutdown" => {
                self.stopped = true;
                Ok(Value::Null)
            }
            "textDocument/hover" => {
                let params: TextDocumentPositionParams = parse_params(params)?;
                let Some(asked) = self.request_target(&params) else { return Ok(Value::Null) };
                let notification = asked.first_result(hover);
                let (range, contents) =
                    (asked.token_range(), |value| HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }));
                to_answer(notification.map(|notification| Hover { contents: contents(notification), range }))
            }
            "textDocument/definition" => {
                let params: TextDocumentPositionParams = parse_params(params)?;
                let Some(asked) = self.request_target(&params) else { return Ok(Value::Null) };
                let place = asked.first_result(|found, place| self.location(found, resolve(found, place)?.definition(found)?.span?));
                to_answer(place.map(|place| self.with_open_uri(place)).map(GotoDefinitionResponse::Scalar))
            }
            "textDocument/references" => {
                let params: ReferenceParams = parse_params(params)?;
                let Some(asked) = self.request_target(&params.text_document_position) else { return Ok(Value::Null) };
                let Some(wanted) = asked.resolve() else { return Ok(Value::Null) };
                let all = self.analyses_of_game(&asked.unit);
                let wanted_too = |declares: bool| params.context.include_declaration || !declares;
                let uses = find_references(&all, &wanted).into_iter().filter(|one| wanted_too(one.is_declaration(&all, &wanted)));
                to_answer(Some(uses.filter_map(|one| one.location()).map(|place| self.with_open_uri(place)).collect::<Vec<_>>()))
            }
            "textDocument/completion" => {
                let params: TextDocumentPositionParams = parse_params(params)?;
                let Some(asked) = self.request_target(&params) else { return Ok(Value::Null) };
                let Some(found) = asked.found.first() else { return Ok(Value::Null) };
                to_answer(Some(complete(asked.last_valid.unwrap_or(found), asked.sort, &asked.places, &asked.text, asked.byte)))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = parse_params(params)?;
                let Some(path) = self.path_of(&params.text_document.uri) else { return Ok(Value::Null) };
                let (Some(one), Some(unit)) = (self.documents.get(&path), self.owners.get(&path)) else { return Ok(Value::Null) };
                let Some(found) = self.found.get(unit) else { return Ok(Value::Null) };
                to_answer(Some(DocumentSymbolResponse::Nested(list_symbols(found, &self.name_of(&path), &one.text))))
            }
            "textDocument/codeAction" => {
                let params: CodeActionParams = parse_params(params)?;
                to_answer(Some(code_actions(self, &params)))
            }
            "textDocument/foldingRange" => {
                let params: FoldingRangeParams = parse_params(params)?;
                let Some((path, one)) = self.document(&params.text_document.uri) else { return Ok(Value::Null) };
                to_answer(Some(fold(self.sort_of(path), &one.text)))
            }
            "textDocument/semanticTokens/full" => {
                let params: SemanticTokensParams = parse_params(params)?;
                let Some((path, one)) = self.document(&params.text_document.uri) else { return Ok(Value::Null) };
                let (sort, unit) = (self.sort_of(path), self.owners.get(path));
                let found = unit.and_then(|unit| self.last_valid.get(unit).or_else(|| self.found.get(unit)));
                to_answer(Some(highlight(found.map(Arc::as_ref), sort, &one.places(sort), &one.text)))
            }
            "textDocument/signatureHelp" => {
                let params: TextDocumentPositionParams = parse_params(params)?;
                let Some(asked) = self.request_target(&params) else { return Ok(Value::Null) };
                // While a call is typed, its line cannot be read: what was declared before still holds.
                let mut known = asked.last_valid.into_iter().chain(asked.found.iter().copied());
                to_answer(known.find_map(|found| signature(found, asked.sort, &asked.places, &asked.text, asked.byte)))
            }
            "workspace/textDocumentContent" => {
                let params: TextDocumentIdentifier = parse_params(params)?;
                let text = self.built_in_text(&params.uri);
                text.map(|text| serde_json::json!({ "text": text })).ok_or_else(|| request_error("the program has no such file"))
            }
            "workspace/symbol" => {
                let params: WorkspaceSymbolParams = parse_params(params)?;
                let found = find_symbols(self.found.values().map(Arc::as_ref), &params.query).into_iter();
                let found = found.map(|one| SymbolInformation { location: self.with_open_uri(one.location.clone()), ..one });
                to_answer(Some(found.collect::<Vec<_>>()))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parse_params(params)?;
                let Some(path) = self.path_of(&params.text_document.uri) else { return Ok(Value::Null) };
                let Some(one) = self.documents.get(&path) else { return Ok(Value::Null) };
                to_answer(Some(format_document(&path, &one.text).map_err(|message| (ErrorCode::InternalError, message))?))
            }
            "textDocument/prepareRename" => {
                let params: TextDocumentPositionParams = parse_params(params)?;
                let Some(asked) = self.request_target(&params) else { return Ok(Value::Null) };
                let (Some(wanted), Some(place)) = (asked.resolve(), asked.token()) else {
                    return Err(request_error("nothing that has a name stands here"));
                };
                can_rename(&self.analyses_of_game(&asked.unit), &wanted).map_err(request_error)?;
                to_answer(
                    asked.token_range().map(|range| PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: place.text.clone() }),
                )
            }
            "textDocument/rename" => {
                let params: RenameParams = parse_params(params)?;
                let without_owner = || request_error("nothing that has a name stands here");
                let asked = self.request_target(&params.text_document_position).ok_or_else(without_owner)?;
                let wanted = asked.resolve().ok_or_else(without_owner)?;
                let all = self.analyses_of_game(&asked.unit);
                let edit = rename(&all, &wanted, &params.new_name).map_err(request_error)?;
                to_answer(Some(self.with_open_uris(edit)))
            }
            other => Err((ErrorCode::MethodNotFound, format!("this server knows no `{other}`"))),
        }
    }

    /// Returns the name of a document in analyses.
    fn name_of(&self, path: &Path) -> String {
        self.built_in.borrow().get(path).map_or_else(|| path.display().to_string(), |known| known.name.clone())
    }

    /// Finds an open document.
    fn document(&self, uri: &Uri) -> Option<(&Path, &Document)> {
        let (path, one) = self.documents.get_key_value(&self.path_of(uri)?)?;
        Some((path.as_path(), one))
    }

    /// Returns the kind of a document, by its place in its game or pack if that is known.
    fn sort_of(&self, path: &Path) -> FileSort {
        let name = self.name_of(path);
        FileSort::from_path(&self.owners.get(path).map_or(name.clone(), |unit| unit.relative_path(&name)))
    }

    /// Returns the analyses of a game with any packs, that of `unit` first.
    fn analyses_of_game(&self, unit: &AnalysisUnit) -> Vec<&Analysis> {
        let same = |one: &&Analysis| (&one.unit.root, &one.unit.game) == (&unit.root, &unit.game);
        let own = self.found.get(unit).map(Arc::as_ref);
        own.into_iter().chain(self.found.values().map(Arc::as_ref).filter(same).filter(|one| one.unit != *unit)).collect()
    }

    /// Returns the location with its URI in the form used by the editor.
    fn with_open_uri(&self, place: lsp_types::Location) -> lsp_types::Location {
        let open = path_of(&place.uri).and_then(|path| self.documents.get(&path));
        open.map_or(place.clone(), |one| lsp_types::Location { uri: one.uri.clone(), ..place })
    }

    /// Returns an edit with its URIs in the form used by the editor.
    #[allow(clippy::mutable_key_type, reason = "the protocol's own map")]
    fn with_open_uris(&self, edit: WorkspaceEdit) -> WorkspaceEdit {
        let open = |uri: Uri| path_of(&uri).and_then(|path| self.documents.get(&path)).map_or(uri, |one| one.uri.clone());
        WorkspaceEdit { changes: edit.changes.map(|all| all.into_iter().map(|(uri, edits)| (open(uri), edits)).collect()), ..edit }
    }

    /// Finds the document, position and analyses that a request is about.
    fn request_target(&self, params: &TextDocumentPositionParams) -> Option<RequestTarget<'_>> {
        let path = self.path_of(&params.text_document.uri)?;
        let unit = self.owners.get(&path)?.clone();
        let name = self.name_of(&path);
        let sort = FileSort::from_path(&unit.relative_path(&name));
        let document = self.documents.get(&path)?;
        let (places, text) = (document.places(sort), Arc::clone(&document.text));
        let byte = byte_of(&text, params.position);
        let found = self.found.get(&unit).map(Arc::as_ref);
        let last_valid = self.last_valid.get(&unit).map(Arc::as_ref);
        let found: Vec<&Analysis> = found.into_iter().chain(last_valid).collect();
        (!found.is_empty()).then_some(RequestTarget { unit, sort, places, text, byte, found, last_valid })
    }
}

/// A request about a position in a document.
struct RequestTarget<'s> {
    unit: AnalysisUnit,
    sort: FileSort,
    places: Arc<FileTokens>,
    text: Arc<str>,
    byte: usize,
    /// The latest analysis, then the latest one without errors.
    found: Vec<&'s Analysis>,
    last_valid: Option<&'s Analysis>,
}

impl RequestTarget<'_> {
    fn token(&self) -> Option<&SourceToken> {
        self.places.token_at(self.byte)
    }

    fn token_range(&self) -> Option<lsp_types::Range> {
        self.token().map(|place| range_of(&self.text, place.start, place.end))
    }

    /// Returns the first result that `answer` finds in any of the analyses.
    fn first_result<T>(&self, answer: impl Fn(&Analysis, &SourceToken) -> Option<T>) -> Option<T> {
        let place = self.token()?;
        self.found.iter().find_map(|found| answer(found, place))
    }

    fn resolve(&self) -> Option<SymbolRef> {
        self.first_result(resolve)
    }
}

fn parse_params<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|wrong| (ErrorCode::InvalidParams, wrong.to_string()))
}

fn to_answer<T: Serialize>(answer: Option<T>) -> RequestResult {
    serde_json::to_value(answer).map_err(|wrong| (ErrorCode::InternalError, wrong.to_string()))
}

fn request_error(why: impl Into<String>) -> (ErrorCode, String) {
    (ErrorCode::RequestFailed, why.into())
}
