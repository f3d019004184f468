//! The passes of the language server: what is kept of texts changes nothing of what is found, an edit is answered with little work, and
//! what is shown does not flicker. Server and worker are asked without a program between, so that each answer can be looked at.

use crate::lsp::{CARDS, RULES, wood};
use houserule::lsp::Server;
use houserule::lsp::analysis::{AnalysedFiles, Analysis, AnalysisUnit, OpenTexts};
use houserule::lsp::cache::ParseCache;
use houserule::lsp::worker::{FileOwner, FindOwner, Job, WorkResult, work};
use lsp_server::{Message, Notification};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const GREEK: &str = "cards/wood/names/el.toml";
const HOWLS: &str = "packs/howls/cards/howls.toml";
const MANIFEST: &str = "packs/howls/pack.toml";
const SCENARIO: &str = "tests/scenarios/wolves.toml";

/// Longer than this nobody waits: the worker hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// What was published, one after another: the file, and what is said of it.
type Published = Rc<RefCell<Vec<(String, Vec<Value>)>>>;

/// An editor, a server and its worker.
struct Desk {
    folder: PathBuf,
    server: Server,
    found: Receiver<WorkResult>,
    published: Published,
    /// How many jobs the server has sent.
    sent: Rc<Cell<u64>>,
    texts: BTreeMap<String, String>,
}

impl Desk {
    fn of(folder: &Path) -> Desk {
        let (jobs, waiting) = channel::<Job>();
        let (told, found) = channel();
        let wholes = wholes(folder);
        let finder: FindOwner = Box::new(move |path, _| {
            let [plain, howls] = wholes.clone();
            match path.components().any(|part| part.as_os_str() == "packs") {
                true => FileOwner::Unit(howls, vec![plain]),
                false => FileOwner::Unit(plain, vec![howls]),
            }
        });
        std::thread::spawn(move || work(&finder, &waiting, &|found| drop(told.send(found))));
        let (published, sent): (Published, Rc<Cell<u64>>) = Default::default();
        let (to, count) = (Rc::clone(&published), Rc::clone(&sent));
        let say = move |message: Message| {
            let Message::Notification(told) = message else { return };
            let file = told.params["uri"].as_str().unwrap().to_string();
            to.borrow_mut().push((file, told.params["diagnostics"].as_array().unwrap().clone()));
        };
        let ask = move |job: Job| {
            count.set(count.get() + 1);
            jobs.send(job).unwrap();
        };
        let server = Server::new(Box::new(say), Box::new(ask));
        Desk { folder: folder.to_path_buf(), server, found, published, sent, texts: BTreeMap::new() }
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.server.handle(Message::Notification(Notification { method: method.into(), params }));
    }

    fn uri(&self, file: &str) -> String {
        format!("file://{}", self.folder.join(file).display())
    }

    fn open(&mut self, file: &str, text: &str) {
        let params = json!({ "textDocument": { "uri": self.uri(file), "languageId": "x", "version": 1, "text": text } });
        self.texts.insert(file.to_string(), text.to_string());
        self.tell("textDocument/didOpen", params);
    }

    fn write(&mut self, file: &str, text: &str) {
        let params = json!({ "textDocument": { "uri": self.uri(file), "version": 2 }, "contentChanges": [{ "text": text }] });
        self.texts.insert(file.to_string(), text.to_string());
        self.tell("textDocument/didChange", params);
    }

    fn edit(&mut self, file: &str, (old, new): (&str, &str)) {
        let text = &self.texts[file];
        assert!(text.contains(old), "{old} in {file}");
        let text = text.replacen(old, new, 1);
        self.write(file, &text);
    }

    /// Takes in what is found until everything has been looked at; the analyses among it.
    fn settle(&mut self) -> Vec<Arc<Analysis>> {
        let mut all = Vec::new();
        loop {
            let found = self.found.recv_timeout(PATIENCE).expect("the worker finds something");
            let last = matches!(&found, WorkResult::Idle(number) if *number == self.sent.get());
            if let WorkResult::Analysis(_, one) = &found {
                all.push(Arc::clone(one));
            }
            self.server.handle_result(found);
            if last {
                return all;
            }
        }
    }

    /// What stands published now.
    fn shown(&self) -> BTreeMap<String, Vec<Value>> {
        let mut shown: BTreeMap<String, Vec<Value>> = self.published.borrow().iter().cloned().collect();
        shown.retain(|_, all| !all.is_empty());
        shown
    }

    /// What a server says that has never seen anything else.
    fn shown_by_another(&self) -> BTreeMap<String, Vec<Value>> {
        let mut other = Desk::of(&self.folder);
        self.texts.iter().for_each(|(file, text)| other.open(file, text));
        other.settle();
        other.shown()
    }
}

fn wholes(folder: &Path) -> [AnalysisUnit; 2] {
    let of = |packs: Vec<PathBuf>| AnalysisUnit { root: Some(folder.to_path_buf()), game: "wood".to_string(), packs, further: Vec::new() };
    [of(Vec::new()), of(vec![folder.join("packs/howls")])]
}

/// A desk with everything open.
fn desk(folder: &Path) -> Desk {
    let mut desk = Desk::of(folder);
    for file in [CARDS, RULES, GREEK, HOWLS, MANIFEST, SCENARIO] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        desk.open(file, &text);
    }
    desk.settle();
    desk
}

#[test]
fn what_is_kept_of_texts_changes_nothing_of_what_is_found() {
    let folder = wood();
    let mut desk = desk(folder.path());
    let (sound, mut faulty) = (desk.shown(), 0);
    for (file, edit) in [
        (CARDS, ("kind    = \"wolf\"", "kind    = \"wofl\"")),
        (CARDS, ("\"wofl\"", "\"wolf\"")),
        (CARDS, ("gain(me, moss, 1)", "gain(me, mos, 1)")),
        (CARDS, ("gain(me, mos, 1)", "gain(me, moss, 1")),
        (CARDS, ("gain(me, moss, 1", "gain(me, moss, 1)")),
        (CARDS, ("[[card]]", "[[card")),
        (RULES, ("gain 1 wisp }", "gain 1 wips }")),
        (CARDS, ("[[card", "[[card]]")),
        (RULES, ("gain 1 wips }", "gain 1 wisp }")),
        (RULES, ("step dusk {", "step dusk (")),
        (HOWLS, ("height = 5", "hieght = 5")),
        (RULES, ("step dusk (", "step dusk {")),
        (HOWLS, ("card = \"red_wolf\"", "card = \"rde_wolf\"")),
        (HOWLS, ("hieght = 5", "height = 5")),
        (CARDS, ("id     = \"red_wolf\"", "id     = \"rde_wolf\"")),
        (CARDS, ("id     = \"rde_wolf\"", "id     = \"red_wolf\"")),
        (HOWLS, ("card = \"rde_wolf\"", "card = \"red_wolf\"")),
        (MANIFEST, ("version = \"1.0\"", "version = 1.0")),
        (MANIFEST, ("version = 1.0", "version = \"1.0\"")),
        (MANIFEST, ("name = \"howls\"", "name = \"growls\"")),
        (MANIFEST, ("name = \"growls\"", "name = \"howls\"")),
        (SCENARIO, ("given = \"p1 has red_wolf\"", "given = \"p1 has has\"")),
        (SCENARIO, ("game = \"wood\"", "gaem = \"wood\"")),
        (SCENARIO, ("gaem = \"wood\"", "game = \"wood\"")),
        (SCENARIO, ("given = \"p1 has has\"", "given = \"p1 has red_wolf\"")),
        (GREEK, ("grey_wolf", "grye_wolf")),
        (GREEK, ("grye_wolf", "grey_wolf")),
    ] {
        desk.edit(file, edit);
        desk.settle();
        let shown = desk.shown();
        faulty += usize::from(shown != sound);
        assert_eq!(shown, desk.shown_by_another(), "{file}: {edit:?}");
    }
    assert!(faulty > 8, "{faulty} of the edits are faults");
    assert_eq!(desk.shown(), sound, "all edits have been undone");
    // Files that come and go give others other numbers among the sources.
    folder.write("cards/wood/aspen.toml", "[[card]]\nid = \"aspen\"\nname = \"Aspen\"\nkind = \"wlal\"\n");
    folder.write("packs/howls/rules/howls.rules", "constant howls = wipss\n");
    for gone in ["cards/wood/aspen.toml", "packs/howls/rules/howls.rules"] {
        let cards = json!({ "textDocument": { "uri": desk.uri(CARDS) } });
        desk.tell("textDocument/didSave", cards.clone());
        desk.settle();
        assert!(desk.shown().contains_key(&desk.uri(gone)), "{:?}", desk.shown());
        assert_eq!(desk.shown(), desk.shown_by_another());
        fs::remove_file(folder.path().join(gone)).unwrap();
        desk.tell("textDocument/didSave", cards);
        desk.settle();
        assert_eq!(desk.shown(), desk.shown_by_another());
    }
}

#[test]
fn an_edit_is_answered_by_the_short_way_first() {
    let folder = wood();
    let mut desk = desk(folder.path());
    let [plain, howls] = wholes(folder.path());
    for (file, edit, own) in [
        (CARDS, ("gain(me, moss, 1)", "gain(me, mos, 1)"), &plain),
        (CARDS, ("gain(me, mos, 1)", "gain(me, moss, 1)"), &plain),
        (RULES, ("gain 1 wisp }", "gain 2 wisp }"), &plain),
        (HOWLS, ("height = 5", "height = 6"), &howls),
    ] {
        desk.edit(file, edit);
        let all = desk.settle();
        let passes: Vec<_> = all.iter().map(|one| (one.unit.packs.len(), one.further.is_some(), one.parsed)).collect();
        println!("{file}: packs, whether it is the second pass, files parsed: {passes:?} of {} files", all[0].files.len());
        assert_eq!((&all[0].unit, all[0].further.is_some(), all[0].parsed), (own, false, 1), "{file}");
        assert!(all[0].files.len() > 3);
        let second = all.iter().position(|one| one.further.is_some()).unwrap();
        assert!(all[..second].len() == 2 && all[second..].iter().all(|one| one.further.is_some()), "first passes come first: {passes:?}");
    }
}

#[test]
fn what_only_the_second_pass_finds_stays_while_somebody_types() {
    let folder = wood();
    let mut desk = desk(folder.path());
    // A name of what there is not is looked for in the second pass.
    desk.edit(GREEK, ("red_wolf", "no_such_wolf"));
    let all = desk.settle();
    let of_names = |found: &[houserule::diagnostic::Diagnostic]| found.iter().any(|one| one.message.contains("no_such_wolf"));
    assert!(!of_names(&all[0].first) && all.iter().any(|one| one.further.as_ref().is_some_and(|found| of_names(found))));
    let names = desk.uri(GREEK);
    let line = |all: &[Value]| {
        all.iter().find(|one| one["message"].as_str().unwrap().contains("no_such_wolf"))?["range"]["start"]["line"].as_u64()
    };
    assert_eq!(line(&desk.shown()[&names]), Some(0));
    let before = desk.published.borrow().len();
    desk.edit(CARDS, ("# ", "# a "));
    desk.edit(RULES, ("// ", "// a "));
    desk.settle();
    desk.write(GREEK, &format!("# a\n# b\n{}", desk.texts[GREEK].clone()));
    desk.settle();
    let published = desk.published.borrow();
    let of_file: Vec<_> = published[before..].iter().filter(|(file, _)| *file == names).map(|(_, all)| line(all)).collect();
    assert_eq!(of_file, [Some(2)], "it is told once more, since it has moved");
}

#[test]
fn what_is_mended_goes_with_the_first_answer() {
    let folder = wood();
    let mut desk = desk(folder.path());
    // The fault shows far from where it is made, in the game and with the pack.
    desk.edit(CARDS, ("id     = \"red_wolf\"", "id     = \"rust_wolf\""));
    desk.settle();
    assert!(desk.shown().contains_key(&desk.uri(CARDS)), "{:?}", desk.shown());
    desk.edit(CARDS, ("id     = \"rust_wolf\"", "id     = \"red_wolf\""));
    loop {
        let found = desk.found.recv_timeout(PATIENCE).unwrap();
        let is_first = matches!(&found, WorkResult::Analysis(..));
        desk.server.handle_result(found);
        if is_first {
            break;
        }
    }
    assert!(!desk.shown().contains_key(&desk.uri(CARDS)), "{:?}", desk.shown());
    desk.settle();
    assert_eq!(desk.shown(), desk.shown_by_another());
}

#[test]
fn an_analysis_is_broken_off_between_its_stages() {
    let folder = wood();
    let [plain, _] = wholes(folder.path());
    let mut cache = ParseCache::default();
    let asked = Cell::new(0);
    let until = |most: u32| {
        asked.set(0);
        let asked = &asked;
        move || {
            asked.set(asked.get() + 1);
            asked.get() <= most
        }
    };
    for most in 0..3 {
        assert!(Analysis::first_pass(&plain, &OpenTexts::new(), &AnalysedFiles::new(), &mut cache, &until(most)).is_none(), "{most}");
    }
    let found =
        Analysis::first_pass(&plain, &OpenTexts::new(), &AnalysedFiles::new(), &mut cache, &until(3)).expect("it goes on to the end");
    assert_eq!(found.parsed, 1, "what was parsed before it was broken off is kept: the scenarios come last");
    assert!(found.with_second_pass(&until(0)).is_none() && asked.get() == 1);
    assert!(found.with_second_pass(&|| true).is_some());
}
