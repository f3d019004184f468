//! The language server: tracks open documents, answers requests, and publishes diagnostics.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::{
    CompletionOptions, Diagnostic as Shown, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentFormattingParams, DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionResponse, Hover, HoverContents,
    HoverProviderCapability, MarkupContent, MarkupKind, OneOf, PrepareRenameResponse, PublishDiagnosticsParams, ReferenceParams,
    RenameOptions, RenameParams, ServerCapabilities, TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::analysis::{Analysis, AnalysisUnit, OpenTexts};
use super::complete::complete;
use super::define::{definition, find_references};
use super::documents::{Document, path_of, uri_of};
use super::formatting::format_document;
use super::hover::hover;
use super::names::{SymbolRef, resolve};
use super::place::{FileSort, FileTokens, SourceToken};
use super::position::{byte_of, range_of};
use super::rename::{can_rename, rename};
use super::report::{document_diagnostic, to_editor_diagnostic};
use super::symbols::list_symbols;
use super::visible::VisibleDiagnostics;
use super::worker::{Job, WorkResult};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// A function that sends a message to the editor.
type SendMessage = Box<dyn Fn(Message)>;
/// A function that sends a job to the worker.
type SendJob = Box<dyn Fn(Job)>;
/// The result of a request, or an error code with a message.
type RequestResult = Result<Value, (ErrorCode, String)>;

/// Returns the capabilities of this server, as announced to the editor.
pub fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "\"", "[", " "].map(str::to_string).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions { prepare_provider: Some(true), work_done_progress_options: Default::default() })),
        ..ServerCapabilities::default()
    }
}

/// State of the server: open documents and the latest analyses.
pub struct Server {
    send: SendMessage,
    send_job: SendJob,
    documents: BTreeMap<PathBuf, Document>,
    owners: BTreeMap<PathBuf, AnalysisUnit>,
    found: BTreeMap<AnalysisUnit, Arc<Analysis>>,
    visible: VisibleDiagnostics,
    /// For each game with packs the last analysis without errors.
    last_valid: BTreeMap<AnalysisUnit, Arc<Analysis>>,
    orphans: BTreeMap<PathBuf, (Sources, Vec<Diagnostic>)>,
    without_owner: BTreeMap<PathBuf, String>,
    /// Whether the editor can be asked to watch files.
    can_watch: bool,
    published: BTreeMap<PathBuf, Vec<Shown>>,
    /// Number of the last job sent.
    last_job: Cell<u64>,
    /// Number of the last job after which the worker was idle.
    idle_since: u64,
    stopped: bool,
}

impl Server {
    /// Creates a server that sends messages by `send` and jobs by `send_job`.
    pub fn new(send: SendMessage, send_job: SendJob) -> Server {
        Server {
            send,
            send_job,
            documents: BTreeMap::new(),
            owners: BTreeMap::new(),
            found: BTreeMap::new(),
            visible: VisibleDiagnostics::default(),
            last_valid: BTreeMap::new(),
            orphans: BTreeMap::new(),
            without_owner: BTreeMap::new(),
            can_watch: false,
            published: BTreeMap::new(),
            last_job: Cell::new(0),
            idle_since: 0,
            stopped: false,
        }
    }

    /// Handles a message of the editor. Returns a value if the server has to exit: whether a shutdown was requested before.
    pub fn handle(&mut self, message: Message) -> Option<bool> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let answer = self.handle_request(request);
                self.reply(id, answer);
                None
            }
            Message::Notification(notification) if notification.method == "exit" => Some(self.stopped),
            Message::Notification(notification) => {
                self.handle_notification(notification);
                None
            }
            Message::Response(_) => None,
        }
    }

    /// Reports a message that could not be parsed, and continues.
    pub fn report_unreadable(&self, why: &str) {
        let params = serde_json::json!({ "type": 2, "message": format!("a message could not be read: {why}") });
        (self.send)(Message::Notification(Notification { method: "window/logMessage".into(), params }));
    }

    /// Reports that the worker has stopped; the server exits, and editors restart it.
    pub fn report_worker_end(&self) {
        let message = "houserule has met a fault of its own while it checked, and ends; what it said last is on its standard error";
        let params = serde_json::json!({ "type": 1, "message": message });
        (self.send)(Message::Notification(Notification { method: "window/showMessage".into(), params }));
    }

    fn reply(&self, id: RequestId, answer: RequestResult) {
        let response_result = answer.map_err(|(code, message)| ResponseError { code: code as i32, message, data: None });
        (self.send)(Message::Response(Response { id, response_result }));
    }

    // ------------------------------------------------------------------ notifications

    fn handle_notification(&mut self, notification: Notification) {
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: one }) = serde_json::from_value(notification.params) {
                    self.update_document(&one.uri, one.text);
                }
            }
            "textDocument/didChange" => {
                let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(notification.params) else { return };
                let unit = params.content_changes.into_iter().rfind(|change| change.range.is_none());
                if let Some(change) = unit {
                    self.update_document(&params.text_document.uri, change.text);
                }
            }
            "textDocument/didClose" => {
                let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(notification.params) else { return };
                if let Some(path) = path_of(&params.text_document.uri).filter(|path| self.documents.contains_key(path)) {
                    self.documents.remove(&path);
                    self.orphans.remove(&path);
                    self.without_owner.remove(&path);
                    // The file on the disk counts again.
                    self.request_check(path);
                    self.publish();
                }
            }
            "initialized" if self.can_watch => self.ask_to_watch(),
            // A saved or changed file may be one that others refer to.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.documents.keys().cloned().collect::<Vec<_>>().into_iter().for_each(|path| self.request_check(path));
            }
            _ => {}
        }
    }

    /// Asks the editor to report changes of files on the disk.
    fn ask_to_watch(&self) {
        let files = serde_json::json!({ "watchers": [{ "globPattern": "**/*.{rules,toml}" }] });
        let wish = serde_json::json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": files });
        let params = serde_json::json!({ "registrations": [wish] });
        (self.send)(Message::Request(Request {
            id: RequestId::from("files".to_string()),
            method: "client/registerCapability".into(),
            params,
        }));
    }

    fn update_document(&mut self, uri: &Uri, text: String) {
        let Some(path) = path_of(uri) else { return };
        self.documents.insert(path.clone(), Document { uri: uri.clone(), text: Arc::from(text), places: RefCell::default() });
        self.request_check(path);
    }

    fn open_texts(&self) -> OpenTexts {
        self.documents.iter().map(|(path, one)| (path.clone(), Arc::clone(&one.text))).collect()
    }

    fn request_check(&self, path: PathBuf) {
        self.last_job.set(self.last_job.get() + 1);
        (self.send_job)(Job { texts: self.open_texts(), changed: BTreeSet::from([path]), number: self.last_job.get() });
    }

    // ------------------------------------------------------------------ diagnostics

    /// Stores a result of the worker and publishes diagnostics.
    pub fn handle_result(&mut self, found: WorkResult) {
        match found {
            WorkResult::Owner(path, Some(unit)) => {
                self.owners.insert(path, unit);
            }
            WorkResult::Owner(path, None) => {
                self.owners.remove(&path);
            }
            WorkResult::Analysis(number, found) => {
                self.visible.store_diagnostics(number, &found, &self.open_texts());
                self.publish();
                if found.is_sound() {
                    self.last_valid.insert(found.unit.clone(), Arc::clone(&found));
                }
                self.found.insert(found.unit.clone(), found);
            }
            WorkResult::Unowned(path, sources, diagnostics) => {
                self.without_owner.remove(&path);
                self.orphans.insert(path, (sources, diagnostics));
            }
            WorkResult::NoOwner(path, why) => {
                self.orphans.remove(&path);
                // Closed documents have no diagnostics.
                if self.documents.contains_key(&path) {
                    self.without_owner.insert(path, why);
                }
            }
            WorkResult::Idle(number) => {
                self.idle_since = number;
                self.visible.mark_idle();
                self.publish();
            }
        }
    }

    /// Publishes diagnostics of all files, and empty lists for files that no longer have any.
    fn publish(&mut self) {
        let mut now: BTreeMap<PathBuf, Vec<Shown>> = BTreeMap::new();
        let mut add = |(path, one): (PathBuf, Shown)| {
            let here = now.entry(path).or_default();
            if !here.contains(&one) {
                here.push(one);
            }
        };
        let texts = self.open_texts();
        for unit in self.visible.units() {
            let game = |home: &&AnalysisUnit| (&home.root, &home.game) == (&unit.root, &unit.game);
            if !self.documents.keys().filter_map(|path| self.owners.get(path)).any(|home| game(&home)) {
                continue;
            }
            // A diagnostic without a location is shown in an open document.
            let home = self.documents.keys().find(|path| self.owners.get(*path) == Some(unit));
            self.visible.shown_diagnostics(unit, &texts, home.map(PathBuf::as_path)).into_iter().for_each(&mut add);
        }
        for (path, (sources, diagnostics)) in &self.orphans {
            diagnostics.iter().for_each(|one| add(to_editor_diagnostic(sources, one, path)));
        }
        for (path, why) in &self.without_owner {
            add((path.clone(), document_diagnostic(why.clone())));
        }
        let gone: Vec<PathBuf> = self.published.keys().filter(|path| !now.contains_key(*path)).cloned().collect();
        for path in gone {
            self.publish_file(&path, Vec::new());
            self.published.remove(&path);
        }
        for (path, all) in now {
            if self.published.get(&path) != Some(&all) {
                self.publish_file(&path, all.clone());
                self.published.insert(path, all);
            }
        }
    }

    fn publish_file(&self, path: &Path, diagnostics: Vec<Shown>) {
        let Some(uri) = self.documents.get(path).map(|one| one.uri.clone()).or_else(|| uri_of(path)) else { return };
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        if let Ok(params) = serde_json::to_value(params) {
            (self.send)(Message::Notification(Notification { method: "textDocument/publishDiagnostics".into(), params }));
        }
    }

    // ------------------------------------------------------------------ requests

    fn handle_request(&mut self, request: Request) -> RequestResult {
        let params = request.params;
        match request.method.as_str() {
            "initialize" => {
                let files = &params["capabilities"]["workspace"]["didChangeWatchedFiles"];
                self.can_watch = files["dynamicRegistration"] == true;
                Ok(serde_json::json!({
                    "capabilities": serde_json::to_value(capabilities()).unwrap_or_default(),
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
                let place = asked.first_result(|found, place| definition(found, &resolve(found, place)?));
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
                let Some(path) = path_of(&params.text_document.uri) else { return Ok(Value::Null) };
                let (Some(one), Some(unit)) = (self.documents.get(&path), self.owners.get(&path)) else { return Ok(Value::Null) };
                let Some(found) = self.found.get(unit) else { return Ok(Value::Null) };
                to_answer(Some(DocumentSymbolResponse::Nested(list_symbols(found, &path.display().to_string(), &one.text))))
            }
            "textDocument/formatting" => {
                let params: DocumentFormattingParams = parse_params(params)?;
                let Some(path) = path_of(&params.text_document.uri) else { return Ok(Value::Null) };
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
                if self.idle_since != self.last_job.get() {
                    return Err(request_error("the last change is still being read: try again in a moment"));
                }
                to_answer(Some(rename(&all, &wanted, &params.new_name).map_err(request_error)?))
            }
            other => Err((ErrorCode::MethodNotFound, format!("this server knows no `{other}`"))),
        }
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

    /// Finds the document, position and analyses that a request is about.
    fn request_target(&self, params: &TextDocumentPositionParams) -> Option<RequestTarget<'_>> {
        let path = path_of(&params.text_document.uri)?;
        let unit = self.owners.get(&path)?.clone();
        let name = path.display().to_string();
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
