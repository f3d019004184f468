//! Answers messages: what is open, what is asked, and what is wrong with which file.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::{
    CompletionOptions, Diagnostic as Shown, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionResponse, Hover, HoverContents, HoverProviderCapability, MarkupContent,
    MarkupKind, OneOf, PrepareRenameResponse, PublishDiagnosticsParams, ReferenceParams, RenameOptions, RenameParams, ServerCapabilities,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::analysis::{Analysis, Texts, Whole};
use super::complete::complete;
use super::define::{definition, uses};
use super::documents::{Document, path_of, uri_of};
use super::hover::hover;
use super::names::{Meant, meant};
use super::place::{FileSort, Place, Places};
use super::position::{byte_of, range_of};
use super::rename::{can_rename, rename};
use super::report::{sentence, shown};
use super::standing::Standing;
use super::symbols::symbols;
use super::worker::{Found, Job};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// What is said to the editor.
type Say = Box<dyn Fn(Message)>;
/// Who loads and checks.
type Ask = Box<dyn Fn(Job)>;
/// What is answered, or why nothing is.
type Answer = Result<Value, (ErrorCode, String)>;

/// What this server can do.
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
        rename_provider: Some(OneOf::Right(RenameOptions { prepare_provider: Some(true), work_done_progress_options: Default::default() })),
        ..ServerCapabilities::default()
    }
}

/// What is known: open documents, and what was found of the games that they belong to.
pub struct Server {
    say: Say,
    ask: Ask,
    documents: BTreeMap<PathBuf, Document>,
    homes: BTreeMap<PathBuf, Whole>,
    found: BTreeMap<Whole, Arc<Analysis>>,
    standing: Standing,
    /// The last analysis of each in which nothing was wrong.
    sound: BTreeMap<Whole, Arc<Analysis>>,
    alone: BTreeMap<PathBuf, (Sources, Vec<Diagnostic>)>,
    nothing: BTreeMap<PathBuf, String>,
    /// The editor can be asked to watch files.
    can_watch: bool,
    published: BTreeMap<PathBuf, Vec<Shown>>,
    /// The number of the last job.
    sent: Cell<u64>,
    /// The number of the last job after which there was nothing to do.
    rest: u64,
    stopped: bool,
}

impl Server {
    /// A server that says its messages by `say`, and has games looked at by `ask`.
    pub fn new(say: Say, ask: Ask) -> Server {
        Server {
            say,
            ask,
            documents: BTreeMap::new(),
            homes: BTreeMap::new(),
            found: BTreeMap::new(),
            standing: Standing::default(),
            sound: BTreeMap::new(),
            alone: BTreeMap::new(),
            nothing: BTreeMap::new(),
            can_watch: false,
            published: BTreeMap::new(),
            sent: Cell::new(0),
            rest: 0,
            stopped: false,
        }
    }

    /// Takes a message in. Gives back how the server ends, once it is told to: whether it was told to stop before.
    pub fn take(&mut self, message: Message) -> Option<bool> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let answer = self.answer(request);
                self.reply(id, answer);
                None
            }
            Message::Notification(told) if told.method == "exit" => Some(self.stopped),
            Message::Notification(told) => {
                self.told(told);
                None
            }
            Message::Response(_) => None,
        }
    }

    /// A message that could not be read is told, and the next one is waited for.
    pub fn unreadable(&self, why: &str) {
        let params = serde_json::json!({ "type": 2, "message": format!("a message could not be read: {why}") });
        (self.say)(Message::Notification(Notification { method: "window/logMessage".into(), params }));
    }

    /// Tells that nobody checks any more: the server ends, and editors start it anew.
    pub fn broken(&self) {
        let message = "houserule has met a fault of its own while it checked, and ends; what it said last is on its standard error";
        let params = serde_json::json!({ "type": 1, "message": message });
        (self.say)(Message::Notification(Notification { method: "window/showMessage".into(), params }));
    }

    fn reply(&self, id: RequestId, answer: Answer) {
        let response_result = answer.map_err(|(code, message)| ResponseError { code: code as i32, message, data: None });
        (self.say)(Message::Response(Response { id, response_result }));
    }

    // ------------------------------------------------------------------ what is told

    fn told(&mut self, told: Notification) {
        match told.method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: one }) = serde_json::from_value(told.params) {
                    self.write(&one.uri, one.text);
                }
            }
            "textDocument/didChange" => {
                let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(told.params) else { return };
                let whole = params.content_changes.into_iter().rfind(|change| change.range.is_none());
                if let Some(change) = whole {
                    self.write(&params.text_document.uri, change.text);
                }
            }
            "textDocument/didClose" => {
                let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(told.params) else { return };
                if let Some(path) = path_of(&params.text_document.uri).filter(|path| self.documents.contains_key(path)) {
                    self.documents.remove(&path);
                    self.alone.remove(&path);
                    self.nothing.remove(&path);
                    // What is on the disk counts again.
                    self.look(path);
                    self.publish();
                }
            }
            "initialized" if self.can_watch => self.ask_to_watch(),
            // A file that was written or came from elsewhere may be one that others name.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.documents.keys().cloned().collect::<Vec<_>>().into_iter().for_each(|path| self.look(path));
            }
            _ => {}
        }
    }

    /// Asks the editor to tell when a file changes on the disk, by whomever.
    fn ask_to_watch(&self) {
        let files = serde_json::json!({ "watchers": [{ "globPattern": "**/*.{rules,toml}" }] });
        let wish = serde_json::json!({ "id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": files });
        let params = serde_json::json!({ "registrations": [wish] });
        (self.say)(Message::Request(Request {
            id: RequestId::from("files".to_string()),
            method: "client/registerCapability".into(),
            params,
        }));
    }

    fn write(&mut self, uri: &Uri, text: String) {
        let Some(path) = path_of(uri) else { return };
        self.documents.insert(path.clone(), Document { uri: uri.clone(), text: Arc::from(text), places: RefCell::default() });
        self.look(path);
    }

    fn texts(&self) -> Texts {
        self.documents.iter().map(|(path, one)| (path.clone(), Arc::clone(&one.text))).collect()
    }

    fn look(&self, path: PathBuf) {
        self.sent.set(self.sent.get() + 1);
        (self.ask)(Job { texts: self.texts(), changed: BTreeSet::from([path]), number: self.sent.get() });
    }

    // ------------------------------------------------------------------ what was found

    /// Takes in what was found.
    pub fn found(&mut self, found: Found) {
        match found {
            Found::Home(path, Some(whole)) => {
                self.homes.insert(path, whole);
            }
            Found::Home(path, None) => {
                self.homes.remove(&path);
            }
            Found::Analysis(number, found) => {
                self.standing.take(number, &found, &self.texts());
                self.publish();
                if found.is_sound() {
                    self.sound.insert(found.whole.clone(), Arc::clone(&found));
                }
                self.found.insert(found.whole.clone(), found);
            }
            Found::Alone(path, sources, diagnostics) => {
                self.nothing.remove(&path);
                self.alone.insert(path, (sources, diagnostics));
            }
            Found::Nothing(path, why) => {
                self.alone.remove(&path);
                // Of a file that is closed nothing is said.
                if self.documents.contains_key(&path) {
                    self.nothing.insert(path, why);
                }
            }
            Found::Rest(number) => {
                self.rest = number;
                self.standing.rest();
                self.publish();
            }
        }
    }

    /// Shows what is wrong with each file, and that nothing is where something was.
    fn publish(&mut self) {
        let mut now: BTreeMap<PathBuf, Vec<Shown>> = BTreeMap::new();
        let mut add = |(path, one): (PathBuf, Shown)| {
            let here = now.entry(path).or_default();
            if !here.contains(&one) {
                here.push(one);
            }
        };
        let texts = self.texts();
        for whole in self.standing.wholes() {
            let game = |home: &&Whole| (&home.root, &home.game) == (&whole.root, &whole.game);
            if !self.documents.keys().filter_map(|path| self.homes.get(path)).any(|home| game(&home)) {
                continue;
            }
            // What has no place is told where somebody looks at it.
            let home = self.documents.keys().find(|path| self.homes.get(*path) == Some(whole));
            self.standing.of(whole, &texts, home.map(PathBuf::as_path)).into_iter().for_each(&mut add);
        }
        for (path, (sources, diagnostics)) in &self.alone {
            diagnostics.iter().for_each(|one| add(shown(sources, one, path)));
        }
        for (path, why) in &self.nothing {
            add((path.clone(), sentence(why.clone())));
        }
        let gone: Vec<PathBuf> = self.published.keys().filter(|path| !now.contains_key(*path)).cloned().collect();
        for path in gone {
            self.show(&path, Vec::new());
            self.published.remove(&path);
        }
        for (path, all) in now {
            if self.published.get(&path) != Some(&all) {
                self.show(&path, all.clone());
                self.published.insert(path, all);
            }
        }
    }

    fn show(&self, path: &Path, diagnostics: Vec<Shown>) {
        let Some(uri) = self.documents.get(path).map(|one| one.uri.clone()).or_else(|| uri_of(path)) else { return };
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        if let Ok(params) = serde_json::to_value(params) {
            (self.say)(Message::Notification(Notification { method: "textDocument/publishDiagnostics".into(), params }));
        }
    }

    // ------------------------------------------------------------------ what is asked

    fn answer(&mut self, request: Request) -> Answer {
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
                let params: TextDocumentPositionParams = read(params)?;
                let Some(asked) = self.asked(&params) else { return Ok(Value::Null) };
                let told = asked.each(hover);
                let (range, contents) = (asked.range(), |value| HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }));
                give(told.map(|told| Hover { contents: contents(told), range }))
            }
            "textDocument/definition" => {
                let params: TextDocumentPositionParams = read(params)?;
                let Some(asked) = self.asked(&params) else { return Ok(Value::Null) };
                let place = asked.each(|found, place| definition(found, &meant(found, place)?));
                give(place.map(|place| self.as_opened(place)).map(GotoDefinitionResponse::Scalar))
            }
            "textDocument/references" => {
                let params: ReferenceParams = read(params)?;
                let Some(asked) = self.asked(&params.text_document_position) else { return Ok(Value::Null) };
                let Some(wanted) = asked.meant() else { return Ok(Value::Null) };
                let all = self.all_of(&asked.whole);
                let wanted_too = |declares: bool| params.context.include_declaration || !declares;
                let uses = uses(&all, &wanted).into_iter().filter(|one| wanted_too(one.declares(&all, &wanted)));
                give(Some(uses.filter_map(|one| one.location()).map(|place| self.as_opened(place)).collect::<Vec<_>>()))
            }
            "textDocument/completion" => {
                let params: TextDocumentPositionParams = read(params)?;
                let Some(asked) = self.asked(&params) else { return Ok(Value::Null) };
                let Some(found) = asked.found.first() else { return Ok(Value::Null) };
                give(Some(complete(asked.sound.unwrap_or(found), asked.sort, &asked.places, &asked.text, asked.byte)))
            }
            "textDocument/documentSymbol" => {
                let params: DocumentSymbolParams = read(params)?;
                let Some(path) = path_of(&params.text_document.uri) else { return Ok(Value::Null) };
                let (Some(one), Some(whole)) = (self.documents.get(&path), self.homes.get(&path)) else { return Ok(Value::Null) };
                let Some(found) = self.found.get(whole) else { return Ok(Value::Null) };
                give(Some(DocumentSymbolResponse::Nested(symbols(found, &path.display().to_string(), &one.text))))
            }
            "textDocument/prepareRename" => {
                let params: TextDocumentPositionParams = read(params)?;
                let Some(asked) = self.asked(&params) else { return Ok(Value::Null) };
                let (Some(wanted), Some(place)) = (asked.meant(), asked.place()) else {
                    return Err(refused("nothing that has a name stands here"));
                };
                can_rename(&self.all_of(&asked.whole), &wanted).map_err(refused)?;
                give(asked.range().map(|range| PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: place.text.clone() }))
            }
            "textDocument/rename" => {
                let params: RenameParams = read(params)?;
                let nothing = || refused("nothing that has a name stands here");
                let asked = self.asked(&params.text_document_position).ok_or_else(nothing)?;
                let wanted = asked.meant().ok_or_else(nothing)?;
                let all = self.all_of(&asked.whole);
                if self.rest != self.sent.get() {
                    return Err(refused("the last change is still being read: try again in a moment"));
                }
                give(Some(rename(&all, &wanted, &params.new_name).map_err(refused)?))
            }
            other => Err((ErrorCode::MethodNotFound, format!("this server knows no `{other}`"))),
        }
    }

    /// All that was looked at of a game.
    fn all_of(&self, whole: &Whole) -> Vec<&Analysis> {
        let same = |one: &&Analysis| (&one.whole.root, &one.whole.game) == (&whole.root, &whole.game);
        let own = self.found.get(whole).map(Arc::as_ref);
        own.into_iter().chain(self.found.values().map(Arc::as_ref).filter(same).filter(|one| one.whole != *whole)).collect()
    }

    /// An address as the editor writes it.
    fn as_opened(&self, place: lsp_types::Location) -> lsp_types::Location {
        let open = path_of(&place.uri).and_then(|path| self.documents.get(&path));
        open.map_or(place.clone(), |one| lsp_types::Location { uri: one.uri.clone(), ..place })
    }

    /// What is asked about.
    fn asked(&self, params: &TextDocumentPositionParams) -> Option<Asked<'_>> {
        let path = path_of(&params.text_document.uri)?;
        let whole = self.homes.get(&path)?.clone();
        let name = path.display().to_string();
        let sort = FileSort::of(&whole.inside(&name));
        let document = self.documents.get(&path)?;
        let (places, text) = (document.places(sort), Arc::clone(&document.text));
        let byte = byte_of(&text, params.position);
        let found = self.found.get(&whole).map(Arc::as_ref);
        let sound = self.sound.get(&whole).map(Arc::as_ref);
        let found: Vec<&Analysis> = found.into_iter().chain(sound).collect();
        (!found.is_empty()).then_some(Asked { whole, sort, places, text, byte, found, sound })
    }
}

/// Something that is asked about a place.
struct Asked<'s> {
    whole: Whole,
    sort: FileSort,
    places: Arc<Places>,
    text: Arc<str>,
    byte: usize,
    /// What is known now, then what was known when nothing was wrong.
    found: Vec<&'s Analysis>,
    sound: Option<&'s Analysis>,
}

impl Asked<'_> {
    fn place(&self) -> Option<&Place> {
        self.places.at(self.byte)
    }

    fn range(&self) -> Option<lsp_types::Range> {
        self.place().map(|place| range_of(&self.text, place.start, place.end))
    }

    /// The first answer.
    fn each<T>(&self, answer: impl Fn(&Analysis, &Place) -> Option<T>) -> Option<T> {
        let place = self.place()?;
        self.found.iter().find_map(|found| answer(found, place))
    }

    fn meant(&self) -> Option<Meant> {
        self.each(meant)
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, (ErrorCode, String)> {
    serde_json::from_value(params).map_err(|wrong| (ErrorCode::InvalidParams, wrong.to_string()))
}

fn give<T: Serialize>(answer: Option<T>) -> Answer {
    serde_json::to_value(answer).map_err(|wrong| (ErrorCode::InternalError, wrong.to_string()))
}

fn refused(why: impl Into<String>) -> (ErrorCode, String) {
    (ErrorCode::RequestFailed, why.into())
}
