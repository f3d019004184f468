//! The language server: tracks open documents, answers requests, and publishes diagnostics.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::{
    Diagnostic as Shown, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, PublishDiagnosticsParams, Uri,
};
use serde_json::Value;

use super::analysis::{Analysis, AnalysisUnit, OpenTexts};
use super::builtin_files::{BuiltInFile, MakeCopy};
use super::documents::{Document, uri_of};
use super::report::{document_diagnostic, to_editor_diagnostic};
use super::requests::RequestResult;
use super::unsaved::{LIES_NOWHERE, is_unsaved};
use super::visible::VisibleDiagnostics;
use super::worker::{Job, WorkResult};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// A function that sends a message to the editor.
type SendMessage = Box<dyn Fn(Message)>;
/// A function that sends a job to the worker.
type SendJob = Box<dyn Fn(Job)>;

/// Whether a request changes what may be named anywhere, so that it has to know all that was changed.
fn needs_all_checked(request: &Request) -> bool {
    matches!(request.method.as_str(), "textDocument/rename" | "textDocument/prepareRename")
}

/// State of the server: open documents and the latest analyses.
pub struct Server {
    send: SendMessage,
    send_job: SendJob,
    pub(super) documents: BTreeMap<PathBuf, Document>,
    pub(super) owners: BTreeMap<PathBuf, AnalysisUnit>,
    pub(super) found: BTreeMap<AnalysisUnit, Arc<Analysis>>,
    pub(super) visible: VisibleDiagnostics,
    /// For each game with packs the last analysis without errors.
    pub(super) last_valid: BTreeMap<AnalysisUnit, Arc<Analysis>>,
    pub(super) orphans: BTreeMap<PathBuf, (Sources, Vec<Diagnostic>)>,
    without_owner: BTreeMap<PathBuf, String>,
    /// Whether the editor can be asked to watch files.
    pub(super) can_watch: bool,
    /// Whether the editor asks this server for the texts of documents of its own scheme.
    pub(super) asks_for_texts: bool,
    /// Puts files inside the program where an editor can open them.
    pub(super) make_copy: Option<MakeCopy>,
    /// Files inside the program that the editor has been led to, by their paths or URIs.
    pub(super) built_in: RefCell<BTreeMap<PathBuf, BuiltInFile>>,
    /// The folder that the editor has opened.
    pub(super) folder: Option<PathBuf>,
    /// Where documents that have never been saved are taken to lie, by their URIs.
    pub(super) unsaved: BTreeMap<String, PathBuf>,
    /// Whether the editor understands edits that name the version of the document that they are for.
    pub(super) knows_versions: bool,
    published: BTreeMap<PathBuf, Vec<Shown>>,
    /// Number of the last job sent.
    pub(super) last_job: Cell<u64>,
    /// Number of the last job after which the worker was idle.
    pub(super) idle_since: u64,
    /// Requests that need all changes to be checked, in the order in which they came.
    waiting: Vec<Request>,
    pub(super) stopped: bool,
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
            asks_for_texts: false,
            make_copy: None,
            built_in: RefCell::default(),
            folder: None,
            unsaved: BTreeMap::new(),
            knows_versions: false,
            published: BTreeMap::new(),
            last_job: Cell::new(0),
            idle_since: 0,
            waiting: Vec::new(),
            stopped: false,
        }
    }

    /// Handles a message of the editor. Returns a value if the server has to exit: whether a shutdown was requested before.
    pub fn handle(&mut self, message: Message) -> Option<bool> {
        match message {
            Message::Request(request) if needs_all_checked(&request) && !self.is_idle() => {
                self.waiting.push(request);
                None
            }
            Message::Request(request) => {
                if request.method == "shutdown" {
                    self.refuse_waiting(ErrorCode::RequestCanceled, "the server ends", |_| true);
                }
                self.answer(request);
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

    /// Whether all that was changed has been checked.
    fn is_idle(&self) -> bool {
        self.idle_since == self.last_job.get()
    }

    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        let answer = self.handle_request(request);
        self.reply(id, answer);
    }

    /// Refuses those waiting requests that are about a document for which `is_meant` holds.
    fn refuse_waiting(&mut self, code: ErrorCode, why: &str, is_meant: impl Fn(&Value) -> bool) {
        let (refused, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|one| is_meant(&one.params["textDocument"]["uri"]));
        self.waiting = waiting;
        let refused: Vec<Request> = refused;
        refused.into_iter().for_each(|one| self.reply(one.id, Err((code, why.to_string()))));
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
                    if is_unsaved(&one.uri) {
                        self.place_unsaved(&one);
                    }
                    self.update_document(&one.uri, one.version, one.text);
                }
            }
            "textDocument/didChange" => {
                let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(notification.params) else { return };
                let unit = params.content_changes.into_iter().rfind(|change| change.range.is_none());
                if let Some(change) = unit {
                    self.update_document(&params.text_document.uri, params.text_document.version, change.text);
                }
            }
            "textDocument/didClose" => {
                let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(notification.params) else { return };
                if let Some(path) = self.path_of(&params.text_document.uri).filter(|path| self.documents.contains_key(path)) {
                    self.documents.remove(&path);
                    self.unsaved.remove(params.text_document.uri.as_str());
                    self.orphans.remove(&path);
                    self.without_owner.remove(&path);
                    // The file on the disk counts again.
                    if !self.built_in.borrow().contains_key(&path) && path.has_root() {
                        self.request_check(path);
                    }
                    self.publish();
                }
            }
            "initialized" if self.can_watch => self.ask_to_watch(),
            // A saved or changed file may be one that others refer to.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.check_open_documents(),
            _ => {}
        }
    }

    /// Notes that a file was written or removed where no editor watches files. What an open document says counts more than its file.
    pub fn note_changed_file(&mut self, path: &Path) {
        if !self.documents.contains_key(path) {
            self.check_open_documents();
        }
    }

    fn check_open_documents(&self) {
        self.open_texts().into_keys().for_each(|path| self.request_check(path));
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

    fn update_document(&mut self, uri: &Uri, version: i32, text: String) {
        // What was asked about a place of the text before is asked about another place now.
        self.refuse_waiting(ErrorCode::ContentModified, "the text was changed meanwhile: try again", |asked| *asked == *uri.as_str());
        let Some(path) = self.path_of(uri) else { return };
        self.documents.insert(path.clone(), Document { uri: uri.clone(), version, text: Arc::from(text), places: RefCell::default() });
        // A file inside the program has been checked, and stays as it is.
        let built_in = self.built_in.borrow().get(&path).map(|known| known.unit.clone());
        match built_in {
            Some(unit) => _ = self.owners.insert(path, unit),
            None if self.lies_nowhere(&path) => {
                self.without_owner.insert(path, LIES_NOWHERE.to_string());
                self.publish();
            }
            None => self.request_check(path),
        }
    }

    pub(super) fn open_texts(&self) -> OpenTexts {
        let built_in = self.built_in.borrow();
        let is_of_a_game = |path: &Path| !built_in.contains_key(path) && !self.lies_nowhere(path);
        self.documents.iter().filter(|(path, _)| is_of_a_game(path)).map(|(path, one)| (path.clone(), Arc::clone(&one.text))).collect()
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
                if self.is_idle() {
                    std::mem::take(&mut self.waiting).into_iter().for_each(|request| self.answer(request));
                }
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
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use serde_json::json;

    use super::*;

    /// Opens a document, and asks twice for another name in it; returns the server, which has checked nothing yet, and what it says.
    fn asked() -> (Server, Rc<RefCell<Vec<Message>>>) {
        let said = Rc::new(RefCell::new(Vec::new()));
        let say = Rc::clone(&said);
        let mut server = Server::new(Box::new(move |message| say.borrow_mut().push(message)), Box::new(|_| {}));
        let opened = json!({ "textDocument": { "uri": "file:///rules/a.rules", "languageId": "x", "version": 1, "text": "" } });
        server.handle(Message::Notification(Notification { method: "textDocument/didOpen".into(), params: opened }));
        for id in [1, 2] {
            let at = json!({ "line": 0, "character": 0 });
            let params = json!({ "textDocument": { "uri": "file:///rules/a.rules" }, "position": at, "newName": "b" });
            server.handle(Message::Request(Request { id: id.into(), method: "textDocument/rename".into(), params }));
        }
        assert!(said.borrow().is_empty());
        (server, said)
    }

    fn refusals(said: &Rc<RefCell<Vec<Message>>>) -> Vec<String> {
        let refusal = |message: &Message| match message {
            Message::Response(response) => response.response_result.clone().err().map(|wrong| format!("{} {}", response.id, wrong.message)),
            Message::Request(_) | Message::Notification(_) => None,
        };
        said.borrow().iter().filter_map(refusal).collect()
    }

    #[test]
    fn a_new_name_waits_until_all_changes_are_checked() {
        let (mut server, said) = asked();
        server.handle_result(WorkResult::Idle(0));
        assert!(refusals(&said).is_empty());
        server.handle_result(WorkResult::Idle(1));
        assert_eq!(refusals(&said), ["1 nothing that has a name stands here", "2 nothing that has a name stands here"]);
    }

    #[test]
    fn a_new_name_in_a_text_that_changes_meanwhile_is_refused() {
        let (mut server, said) = asked();
        let change = |file: &str| {
            let document = json!({ "uri": format!("file:///rules/{file}.rules"), "version": 2 });
            let params = json!({ "textDocument": document, "contentChanges": [{ "text": "x" }] });
            Message::Notification(Notification { method: "textDocument/didChange".into(), params })
        };
        server.handle(change("other"));
        assert!(refusals(&said).is_empty());
        server.handle(change("a"));
        assert_eq!(refusals(&said), ["1 the text was changed meanwhile: try again", "2 the text was changed meanwhile: try again"]);
    }
}
