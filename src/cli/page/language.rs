//! The language server, where messages come one by one and there is no thread beside.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::channel;

use lsp_server::Message;

use crate::cli::owner::find_owner;
use crate::lsp::Server;
use crate::lsp::worker::{StepWorker, WorkResult};

/// A language server for the folder.
pub struct LanguageService {
    server: Server,
    worker: StepWorker,
    /// What the server has said and nobody has taken yet.
    said: Rc<RefCell<Vec<Message>>>,
}

impl Default for LanguageService {
    /// Starts a server.
    fn default() -> LanguageService {
        let said = Rc::new(RefCell::new(Vec::new()));
        let (jobs, waiting) = channel();
        let say = Rc::clone(&said);
        let server = Server::new(
            Box::new(move |message| say.borrow_mut().push(message)),
            // The worker lives as long as the server.
            Box::new(move |job| _ = jobs.send(job)),
        );
        let finder = Box::new(|path: &Path, texts: &_| find_owner(None, path, texts));
        LanguageService { server, worker: StepWorker::new(finder, waiting), said }
    }
}

impl LanguageService {
    /// Handles a message of the editor.
    ///
    /// # Errors
    /// It is no message of the protocol.
    pub fn handle(&mut self, message: &str) -> Result<(), String> {
        let message: Message = serde_json::from_str(message).map_err(|wrong| wrong.to_string())?;
        self.server.handle(message);
        Ok(())
    }

    /// Notes that a file was written or removed, at its path within the folder.
    pub fn note_changed_file(&mut self, path: &str) {
        self.server.note_changed_file(&Path::new("/").join(path));
    }

    /// Does one piece of pending work; returns whether more is left.
    pub fn work(&mut self) -> bool {
        let found = RefCell::new(Vec::new());
        let more = self.worker.step(&|result: WorkResult| found.borrow_mut().push(result));
        found.into_inner().into_iter().for_each(|result| self.server.handle_result(result));
        more
    }

    /// Takes what the server has said, as messages of the protocol.
    pub fn take(&mut self) -> Vec<serde_json::Value> {
        let said = std::mem::take(&mut *self.said.borrow_mut());
        let versioned = |message: &Message| {
            let mut value = serde_json::to_value(message).ok()?;
            value.as_object_mut()?.insert("jsonrpc".to_string(), "2.0".into());
            Some(value)
        };
        said.iter().filter_map(versioned).collect()
    }
}
