//! The program in a browser: one object with the files of a folder in memory, the language server and a table. It runs in a worker, and speaks
//! with the page in JSON (`web/README.md`).
//!
//! For every other target this crate is empty, so that it can be built together with the others.
#![cfg(target_family = "wasm")]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use houserule::cli::console;
use houserule::cli::page::{LanguageService, PageTable, TableStart, games};
use houserule::engine::native::{self, BackEnd};
use houserule::{disk, pack};
use include_dir::{Dir, DirEntry, include_dir};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

static PACKS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../packs");

/// The file as which a replay is opened.
const OPENED: &str = ".opened.replay";
/// Endings of files that are results of a command: they are handed to the page and not kept.
const RESULTS: [&str; 10] = ["html", "json", "csv", "svg", "xml", "sarif", "replay", "mmd", "pdf", "parquet"];

#[wasm_bindgen]
extern "C" {
    /// A function of the page.
    pub type Notify;
    #[wasm_bindgen(method, js_name = call)]
    fn call(this: &Notify, receiver: &JsValue, text: &str);
}

thread_local! {
    static NOTIFY: RefCell<Option<Notify>> = const { RefCell::new(None) };
}

/// Tells the page something.
fn notify(event: &serde_json::Value) {
    NOTIFY.with_borrow(|notify| {
        if let Some(notify) = notify {
            notify.call(&JsValue::NULL, &event.to_string());
        }
    });
}

type Answer<T> = Result<T, JsValue>;

/// Makes an error of the page of a message, or of what has been printed instead.
fn failed(message: String) -> JsValue {
    let [out, err] = console::take();
    let message = if message.is_empty() { format!("{out}{err}") } else { message };
    JsValue::from_str(message.trim_end())
}

/// A file for the page.
#[derive(Serialize)]
struct FileEntry<'a> {
    path: &'a str,
    /// Whether it came with the program.
    built_in: bool,
    /// Whether it is another than came with the program.
    changed: bool,
}

/// The program.
#[wasm_bindgen]
pub struct Program {
    /// The files that came with the program.
    built_in: BTreeMap<String, &'static str>,
    language: LanguageService,
    table: Option<PageTable>,
}

fn collect_packs(dir: &'static Dir<'static>, found: &mut BTreeMap<String, &'static str>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => collect_packs(dir, found),
            DirEntry::File(file) => {
                if let Some(text) = file.contents_utf8() {
                    found.insert(format!("packs/{}", file.path().to_string_lossy()), text);
                }
            }
        }
    }
}

fn io<T>(path: &str, done: std::io::Result<T>) -> Answer<T> {
    done.map_err(|fault| failed(format!("`{path}`: {fault}")))
}

#[wasm_bindgen]
impl Program {
    /// Starts the program with the files that came with it. `listener` is called with events, as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(listener: Notify) -> Answer<Program> {
        NOTIFY.set(Some(listener));
        std::panic::set_hook(Box::new(|panic| notify(&json!({ "event": "panic", "message": panic.to_string() }))));
        console::on_progress(|done, of, what| notify(&json!({ "event": "progress", "done": done, "of": of, "what": what })));
        let mut built_in = BTreeMap::new();
        for extension in ["rules", "toml"] {
            built_in.extend(pack::built_in_files(extension));
        }
        collect_packs(&PACKS, &mut built_in);
        for (path, text) in &built_in {
            io(path, disk::replace(Path::new(path), text))?;
        }
        Ok(Program { built_in, language: LanguageService::default(), table: None })
    }

    /// Chooses how expressions are evaluated from the next game on: `walker`, `native` or `both`. What comes of games is the same.
    pub fn choose_back_end(&self, name: &str) -> Answer<()> {
        native::set_back_end(match name {
            "walker" => BackEnd::Walker,
            "native" => BackEnd::Native,
            "both" => BackEnd::Both,
            _ => return Err(failed(format!("`{name}` is none of walker, native and both"))),
        });
        Ok(())
    }

    /// All files, as JSON.
    pub fn files(&self) -> String {
        let all: Vec<(String, bool)> = disk::all_in_memory()
            .into_iter()
            .map(|(path, bytes)| {
                let path = path.to_string_lossy().into_owned();
                let changed = self.built_in.get(&path).is_none_or(|text| text.as_bytes() != &*bytes);
                (path, changed)
            })
            .collect();
        let built_in = |path: &str| self.built_in.contains_key(path);
        let entries: Vec<_> = all.iter().map(|(path, changed)| FileEntry { path, built_in: built_in(path), changed: *changed }).collect();
        serde_json::to_string(&entries).unwrap_or_default()
    }

    /// The text of a file.
    pub fn read(&self, path: &str) -> Answer<String> {
        let mut text = String::new();
        io(path, disk::open(Path::new(path)).and_then(|mut file| file.read_to_string(&mut text)))?;
        Ok(text)
    }

    /// Writes a file.
    pub fn write(&mut self, path: &str, text: &str) -> Answer<()> {
        io(path, disk::replace(Path::new(path), text))?;
        self.language.note_changed_file(path);
        Ok(())
    }

    /// Removes a file; one that came with the program is again as it came.
    pub fn remove(&mut self, path: &str) -> Answer<()> {
        match self.built_in.get(path.trim_start_matches('/')) {
            Some(text) => io(path, disk::replace(Path::new(path), text))?,
            None => io(path, disk::remove_file(Path::new(path)))?,
        }
        self.language.note_changed_file(path);
        Ok(())
    }

    /// Runs a command line, a list of words in JSON, without the name of the program.
    pub fn run(&mut self, words: &str) -> Answer<String> {
        let words: Vec<String> = serde_json::from_str(words).map_err(|wrong| failed(wrong.to_string()))?;
        let before: BTreeMap<PathBuf, _> = disk::all_in_memory().into_iter().collect();
        console::take();
        let status = houserule::cli::run_to_status(std::iter::once("houserule".to_string()).chain(words));
        let [out, err] = console::take();
        let (mut written, mut binary) = (BTreeMap::new(), BTreeMap::new());
        for (path, bytes) in disk::all_in_memory() {
            if before.get(&path).is_some_and(|old| **old == *bytes) {
                continue;
            }
            let name = path.to_string_lossy().into_owned();
            if path.extension().is_some_and(|end| RESULTS.iter().any(|result| end == *result)) {
                io(&name, disk::remove_file(&path))?;
            }
            match String::from_utf8(bytes.to_vec()) {
                Ok(text) => _ = written.insert(name, text),
                Err(_) => _ = binary.insert(name, BASE64_STANDARD.encode(&*bytes)),
            }
        }
        Ok(json!({ "status": status, "out": out, "err": err, "written": written, "binary": binary }).to_string())
    }

    /// Hands a message to the language server.
    pub fn lsp(&mut self, message: &str) -> Answer<()> {
        let handled = self.language.handle(message).map_err(failed);
        self.tell_messages();
        handled
    }

    /// Lets the language server do a piece of its work; true if more is left.
    pub fn lsp_work(&mut self) -> bool {
        let more = self.language.work();
        self.tell_messages();
        more
    }

    fn tell_messages(&mut self) {
        self.language.take().into_iter().for_each(|message| notify(&json!({ "event": "lsp", "message": message })));
    }

    /// The games, and what can be chosen of each, as JSON.
    pub fn games(&self) -> String {
        games()
    }

    /// Begins a game.
    pub fn table_begin(&mut self, start: &str) -> Answer<String> {
        let start: TableStart = serde_json::from_str(start).map_err(|wrong| failed(wrong.to_string()))?;
        self.table = Some(PageTable::begin(start).map_err(failed)?);
        Ok(self.seated()?.state())
    }

    /// Opens the text of a replay.
    pub fn table_open(&mut self, text: &str) -> Answer<String> {
        io(OPENED, disk::replace(Path::new(OPENED), text))?;
        let opened = PageTable::open(Path::new(OPENED)).map_err(failed);
        io(OPENED, disk::remove_file(Path::new(OPENED)))?;
        self.table = Some(opened?);
        Ok(self.seated()?.state())
    }

    fn seated(&mut self) -> Answer<&mut PageTable> {
        self.table.as_mut().ok_or_else(|| JsValue::from_str("no game has begun"))
    }

    /// The game as a seat sees it; -1: as whoever is asked sees it.
    pub fn table_view(&mut self, seat: i32) -> Answer<String> {
        self.seated()?.view(usize::try_from(seat).ok()).map_err(failed)
    }

    /// Answers the open question.
    pub fn table_answer(&mut self, option: usize) -> Answer<String> {
        self.seated()?.answer(option).map_err(failed)?;
        Ok(self.seated()?.state())
    }

    /// Lets the machine player that is asked answer once.
    pub fn table_machine(&mut self) -> Answer<String> {
        self.seated()?.let_machine_answer().map_err(failed)?;
        Ok(self.seated()?.state())
    }

    /// Takes the last answer of a person back; `although_revealed` if a person who plays alone wants it all the same.
    pub fn table_undo(&mut self, although_revealed: bool) -> Answer<String> {
        self.seated()?.undo(although_revealed).map_err(failed)?;
        Ok(self.seated()?.state())
    }

    /// What an option would change, as a list in JSON.
    pub fn table_changes(&mut self, option: usize) -> Answer<String> {
        Ok(json!(self.seated()?.changes(option)).to_string())
    }

    /// Why an option is not there, as a list in JSON.
    pub fn table_why_not(&mut self, key: &str) -> Answer<String> {
        Ok(json!(self.seated()?.why_not(key)).to_string())
    }

    /// What a machine player would answer.
    pub fn table_hint(&mut self, player: &str) -> Answer<String> {
        self.seated()?.hint(player).map_err(failed)
    }

    /// Shows the game after so many answers.
    pub fn table_seek(&mut self, count: usize) -> Answer<String> {
        self.seated()?.seek(count).map_err(failed)?;
        Ok(self.seated()?.state())
    }

    /// The text of a replay.
    pub fn table_save(&mut self) -> Answer<String> {
        Ok(self.seated()?.save())
    }
}
