//! The language server, spoken to by its protocol: a card, a rule and a script are edited, and what an editor would show is looked at.

use crate::support::{Folder, folder, loaded, manifest, program, read, root, rules_of, run_in};
use houserule::lang::Setup;
use houserule::source::Sources;
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Longer than this nobody waits: the server hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// An editor.
pub struct Editor {
    folder: Folder,
    server: Child,
    input: ChildStdin,
    output: Receiver<Message>,
    asked: i32,
    pub texts: BTreeMap<String, String>,
    shown: BTreeMap<String, Vec<Value>>,
}

impl Editor {
    pub fn start(folder: Folder) -> Editor {
        Editor::start_able(folder, json!({}))
    }

    /// Starts an editor that can do more with the workspace.
    pub fn start_able(folder: Folder, able: Value) -> Editor {
        let mut server = program(folder.path(), "lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let input = server.stdin.take().unwrap();
        let mut reader = BufReader::new(server.stdout.take().unwrap());
        let (sender, output) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut reader) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut editor = Editor { folder, server, input, output, asked: 0, texts: BTreeMap::new(), shown: BTreeMap::new() };
        let mut workspace = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
        workspace.as_object_mut().unwrap().extend(able.as_object().unwrap().clone());
        let opened = format!("file://{}", editor.folder.path().display());
        let able = editor.ask("initialize", json!({ "capabilities": { "workspace": workspace }, "rootUri": opened })).unwrap();
        assert_eq!(able["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.at(file)
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}", self.path(file).display())
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        Message::Notification(Notification { method: method.into(), params }).write(&mut self.input).unwrap();
    }

    pub fn next(&mut self) -> Option<Response> {
        match self.output.recv_timeout(PATIENCE).expect("the server says something") {
            Message::Response(response) => Some(response),
            Message::Notification(told) => {
                if told.method == "textDocument/publishDiagnostics" {
                    let all = told.params["diagnostics"].as_array().unwrap().clone();
                    self.shown.insert(told.params["uri"].as_str().unwrap().to_string(), all);
                }
                None
            }
            Message::Request(_) => None,
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let id = self.asked.into();
        Message::Request(Request { id, method: method.into(), params }).write(&mut self.input).unwrap();
        loop {
            if let Some(response) = self.next() {
                return response.response_result.map_err(|wrong| wrong.message);
            }
        }
    }

    pub fn open(&mut self, file: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        let params = json!({ "textDocument": { "uri": self.uri(file), "languageId": "x", "version": 1, "text": text } });
        self.texts.insert(file.to_string(), text);
        self.tell("textDocument/didOpen", params);
    }

    /// A new document that has not been saved.
    pub fn open_new(&mut self, file: &str, text: &str) {
        let params = json!({ "textDocument": { "uri": self.uri(file), "languageId": "x", "version": 1, "text": text } });
        self.texts.insert(file.to_string(), text.to_string());
        self.tell("textDocument/didOpen", params);
    }

    pub fn write(&mut self, file: &str, text: String) {
        let params = json!({ "textDocument": { "uri": self.uri(file), "version": 2 }, "contentChanges": [{ "text": text }] });
        self.texts.insert(file.to_string(), text);
        self.tell("textDocument/didChange", params);
    }

    /// Changes a text, waits until a message shows, takes the change back, and waits until nothing is shown any more.
    pub fn is_told(&mut self, file: &str, (old, new): (&str, &str), message: &str) {
        let sound = self.texts[file].clone();
        assert!(sound.contains(old), "{old}");
        self.write(file, sound.replacen(old, new, 1));
        let uri = self.uri(file);
        let found = self.shown(&uri, |all| all.iter().any(|one| one["message"].as_str().unwrap().contains(message)));
        let one = found.iter().find(|one| one["message"].as_str().unwrap().contains(message)).unwrap();
        assert!(one["code"].as_str().is_some_and(|code| code.len() == 4), "{one}");
        let line = one["range"]["start"]["line"].as_u64().unwrap() as usize;
        assert!(self.texts[file].lines().nth(line).unwrap().contains(new.lines().next().unwrap()), "{one}");
        self.write(file, sound);
        self.shown(&uri, |all| all.is_empty());
    }

    pub fn shown(&mut self, uri: &str, fits: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        while !self.shown.get(uri).is_some_and(|all| fits(all)) {
            assert!(self.next().is_none());
        }
        self.shown[uri].clone()
    }

    /// The place of a text in a file, `behind` letters from where it begins, in units of UTF-16.
    pub fn at(&self, file: &str, text: &str, behind: usize) -> Value {
        let whole = &self.texts[file];
        let byte = whole.find(text).unwrap_or_else(|| panic!("{text}")) + behind;
        let before = &whole[..byte];
        let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
        let place = json!({ "line": before.matches('\n').count(), "character": column });
        json!({ "textDocument": { "uri": self.uri(file) }, "position": place })
    }

    /// What is answered about a place, as soon as the game has been looked at.
    pub fn known(&mut self, method: &str, params: Value) -> Value {
        for _ in 0..10_000 {
            match self.ask(method, params.clone()) {
                Ok(Value::Null) => std::thread::sleep(Duration::from_millis(20)),
                Ok(answer) => return answer,
                Err(why) => panic!("{why}"),
            }
        }
        panic!("nothing is known: {params}");
    }

    pub fn hover(&mut self, file: &str, text: &str, behind: usize) -> String {
        let place = self.at(file, text, behind);
        self.known("textDocument/hover", place)["contents"]["value"].as_str().unwrap().to_string()
    }

    /// What a definition or use says: the file, and the text there.
    pub fn place(&self, found: &Value) -> (String, String) {
        let path = found["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let file = Path::new(&path).strip_prefix(self.folder.path()).unwrap().display().to_string();
        let text = self.texts.get(&file).unwrap_or(&text);
        let (start, end) = (offset(text, &found["range"]["start"]), offset(text, &found["range"]["end"]));
        (file, text[start..end].to_string())
    }

    pub fn definition(&mut self, file: &str, text: &str, behind: usize) -> (String, String) {
        let place = self.at(file, text, behind);
        let found = self.known("textDocument/definition", place);
        self.place(&found)
    }

    pub fn completion(&mut self, file: &str, text: &str, behind: usize) -> Vec<String> {
        let place = self.at(file, text, behind);
        let found = self.known("textDocument/completion", place);
        found.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap().to_string()).collect()
    }

    pub fn rename(&mut self, file: &str, text: &str, name: &str) -> Result<Value, String> {
        let mut place = self.at(file, text, 1);
        place["newName"] = name.into();
        self.ask("textDocument/rename", place)
    }

    /// Does on the disk what a rename says; the files that were changed.
    pub fn apply(&self, edit: &Value) -> Vec<String> {
        let mut files = Vec::new();
        for (uri, edits) in edit["changes"].as_object().unwrap() {
            let path = PathBuf::from(uri.strip_prefix("file://").unwrap());
            let mut text = fs::read_to_string(&path).unwrap();
            let mut edits = edits.as_array().unwrap().clone();
            edits.sort_by_key(|edit| std::cmp::Reverse(offset(&text, &edit["range"]["start"])));
            for edit in edits {
                let (start, end) = (offset(&text, &edit["range"]["start"]), offset(&text, &edit["range"]["end"]));
                text.replace_range(start..end, edit["newText"].as_str().unwrap());
            }
            fs::write(&path, text).unwrap();
            files.push(path.strip_prefix(self.folder.path()).unwrap().display().to_string());
        }
        files.sort();
        files
    }

    /// What `check` says of a folder.
    pub fn check(&self, dir: &str) -> String {
        run_in(self.folder.path(), &format!("check {dir}")).all()
    }

    /// What was last told of a file.
    pub fn diagnostics(&self, uri: &str) -> Vec<Value> {
        self.shown.get(uri).cloned().unwrap_or_default()
    }

    pub fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Ok(Value::Null));
        self.tell("exit", Value::Null);
        assert!(self.server.wait().unwrap().success());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The byte of a place.
pub fn offset(text: &str, place: &Value) -> usize {
    let (line, column) = (place["line"].as_u64().unwrap() as usize, place["character"].as_u64().unwrap() as usize);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (at, letter) in text[start..].char_indices() {
        if units >= column {
            return start + at;
        }
        units += letter.len_utf16();
    }
    text.len()
}

/// The small game of the grammar, with a pack, a scenario and names in Greek.
pub fn wood() -> Folder {
    let scenario =
        "game = \"wood\"\nplayers = 2\n\n[[scenario]]\nname = \"a wolf\"\ngiven = \"p1 has red_wolf\"\nthen = \"p1 has red_wolf\"\n";
    folder(&[
        (RULES, &read("grammar/example.rules")),
        (CARDS, &read("grammar/example.toml")),
        ("cards/wood/names/el.toml", "card = { grey_wolf = \"Γκρίζος λύκος 🐺\", red_wolf = \"Κόκκινος λύκος\" }\n"),
        ("packs/howls/pack.toml", &manifest("howls", "wood")),
        (
            "packs/howls/cards/howls.toml",
            "[[card]]\nid = \"black_wolf\"\nlike = \"red_wolf\"\n\n[[patch]]\ncard = \"red_wolf\"\nheight = 5\n",
        ),
        ("tests/scenarios/wolves.toml", scenario),
    ])
}

pub const CARDS: &str = "cards/wood/cards.toml";
pub const RULES: &str = "rules/wood.rules";

#[test]
fn what_is_wrong_shows_as_one_types_and_goes_again() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    editor.is_told(CARDS, ("kind    = \"wolf\"", "kind    = \"wofl\""), "`wofl` is not a kind of this game");
    editor.is_told(CARDS, ("gain(me, moss, 1)", "gain(me, mos, 1)"), "unknown name `mos`");
    editor.is_told(CARDS, ("when = \"dusk\"", "wehn = \"dusk\""), "`wehn`");
    editor.is_told(RULES, ("gain 1 wisp }", "gain 1 wips }"), "`wips`");
    editor.is_told(RULES, ("step dusk {", "step dusk ("), "`(`");
    editor.end();
}

#[test]
fn a_new_file_that_is_not_saved_yet_is_checked_and_its_cards_are_known() {
    let mut editor = Editor::start(wood());
    let (new, pack) = ("cards/wood/new/white.toml", "packs/howls/cards/howls.toml");
    editor.open_new(new, "[[card]]\nid = \"white_wolf\"\nlike = \"red_wolf\"\nheight = 1\n");
    editor.is_told(new, ("height = 1", "heihgt = 1"), "`heihgt`");
    // What stands nowhere but in the editor is known to files that lie on the disk.
    editor.open(pack);
    editor.is_told(pack, ("like = \"red_wolf\"", "like = \"whitewolf\""), "there is no card `whitewolf`");
    let known = editor.texts[pack].replace("like = \"red_wolf\"", "like = \"white_wolf\"");
    editor.write(pack, known);
    editor.is_told(pack, ("like = \"white_wolf\"", "like = \"whitewolf\""), "there is no card `whitewolf`");
    editor.end();
}

#[test]
fn words_names_keys_and_cards_are_told() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    for (file, text, behind, told) in [
        (RULES, "gain 1 wisp }", 1, "gain NUMBER RESOURCE"),
        (RULES, "moment dusk", 8, "a moment"),
        (CARDS, "when = \"dusk\"", 1, "the moment"),
        (CARDS, "when = \"dusk\"", 9, "moment dusk"),
        (CARDS, "gain(me, moss, 1)", 2, "a player gains a number of a resource"),
        (CARDS, "gain(me, moss, 1)", 6, "the player who has the card"),
        (CARDS, "gain(me, moss, 1)", 11, "a resource"),
        (CARDS, "friends = [\"red_wolf\"]", 14, "Red Wolf"),
        (CARDS, "height  = 2", 3, "a field of cards"),
    ] {
        let found = editor.hover(file, text, behind);
        assert!(found.contains(told), "{text}: {found}");
    }
    assert_eq!(editor.definition(CARDS, "when = \"dusk\"", 9).0, RULES);
    assert_eq!(editor.definition(CARDS, "friends = [\"red_wolf\"]", 14), (CARDS.to_string(), "red_wolf".to_string()));
    editor.open("cards/wood/names/el.toml");
    let greek = "red_wolf = \"Κόκκινος";
    assert_eq!(editor.definition("cards/wood/names/el.toml", greek, 3), (CARDS.to_string(), "red_wolf".to_string()));
    let mut place = editor.at(RULES, "moment dusk", 8);
    place["context"] = json!({ "includeDeclaration": false });
    let uses = editor.known("textDocument/references", place);
    let uses: Vec<_> = uses.as_array().unwrap().iter().map(|found| editor.place(found)).collect();
    assert_eq!(uses, [(CARDS.to_string(), "dusk".to_string())], "the step of this name is something else");
    let params = json!({ "textDocument": { "uri": editor.uri(CARDS) } });
    let symbols = editor.known("textDocument/documentSymbol", params);
    let names: Vec<&str> = symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    assert!(names.starts_with(&["grey_wolf", "red_wolf"]), "{names:?}");
    editor.end();
}

#[test]
fn what_can_stand_somewhere_is_offered() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    for (file, text, behind, offered, other) in [
        (CARDS, "kind    = \"wolf\"", 12, "wall", "dusk"),
        (CARDS, "when = \"dusk\"", 9, "howl", "wolf"),
        (CARDS, "friends = [\"red_wolf\"]", 14, "low_wall", "no_such_card"),
        (CARDS, "gain(me, moss, 1)", 0, "age_of", "low_wall"),
        (CARDS, "gain(me, moss, 1)", 9, "wisp", "low_wall"),
        (CARDS, "height  = 2", 2, "leaves_when", "needs"),
        (CARDS, "height  = 2", 2, "height", "needs"),
        (RULES, "gain 1 wisp }", 0, "gain", "low_wall"),
        (RULES, "gain 1 wisp }", 7, "moss", "low_wall"),
    ] {
        let found = editor.completion(file, text, behind);
        assert!(found.iter().any(|name| name == offered), "{text}: {found:?}");
        assert!(!found.iter().any(|name| name == other), "{text}: {other}");
    }
    // A line that cannot be read yet.
    let text = editor.texts[CARDS].clone();
    editor.write(CARDS, text + "\n[[card]]\nid = \"fog\"\nkind = \"");
    assert!(editor.completion(CARDS, "\"fog\"\nkind = \"", 14).contains(&"wolf".to_string()));
    editor.end();
}

#[test]
fn a_document_is_formatted_as_fmt_formats_the_file() {
    let mut editor = Editor::start(wood());
    let (rules, cards) = ("rules/new.rules", "cards/wood/new.toml");
    editor.open_new(rules, "// α🂡\n\neffect  a {gain 1 wisp\nlose 1 moss}\n// last\n\n\n");
    editor.open_new(cards, "[[card]]\nid=\"new\"\n# as it is\nname = \"New\"");
    editor.open_new("notes.md", "a  b");
    let formatting = |editor: &mut Editor, file: &str| {
        let options = json!({ "tabSize": 4, "insertSpaces": true });
        let edits =
            editor.ask("textDocument/formatting", json!({ "textDocument": { "uri": editor.uri(file) }, "options": options })).unwrap();
        // From the last to the first, so that the lines of the others stay where they are.
        let mut lines: Vec<String> = editor.texts[file].split_inclusive('\n').map(str::to_string).collect();
        for edit in edits.as_array().unwrap().iter().rev() {
            let line = |end: &str| edit["range"][end]["line"].as_u64().unwrap() as usize;
            assert_eq!((&edit["range"]["start"]["character"], &edit["range"]["end"]["character"]), (&json!(0), &json!(0)));
            lines.splice(line("start")..line("end").min(lines.len()), [edit["newText"].as_str().unwrap().to_string()]);
        }
        (lines.concat(), edits.as_array().unwrap().len())
    };
    let wanted = "// α🂡\n\neffect a {\n  gain 1 wisp\n  lose 1 moss\n}\n// last\n";
    assert_eq!(formatting(&mut editor, rules), (wanted.to_string(), 2));
    assert_eq!(formatting(&mut editor, cards), ("[[card]]\nid = \"new\"\n# as it is\nname = \"New\"\n".to_string(), 2));
    assert_eq!(formatting(&mut editor, "notes.md").1, 0);
    // What has errors stays, and so does what is formatted already.
    for text in ["effect  a { gain\n", wanted] {
        editor.write(rules, text.to_string());
        assert_eq!(formatting(&mut editor, rules), (text.to_string(), 0));
    }
    editor.end();
}

#[test]
fn an_id_is_changed_wherever_it_stands() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    let place = "id     = \"red_wolf\"";
    let place = &place[place.find("red").unwrap()..];
    for (name, why) in [
        ("low_wall", "there is a card `low_wall` already"),
        ("and", "there is the word of the language `and` already"),
        ("p1", "there is the word of the language `p1` already"),
        ("wisp", "there is a resource `wisp` already"),
        ("Red Wolf", "`Red Wolf` is not an id: ids are lower-case words joined by `_`, and begin with a letter"),
    ] {
        assert_eq!(editor.rename(CARDS, place, name), Err(why.to_string()));
    }
    let before = editor.check("packs/howls");
    assert!(before.contains("0 errors"), "{before}");
    let edit = editor.rename(CARDS, place, "rust_wolf").unwrap();
    let files = editor.apply(&edit);
    let wanted = [CARDS, "cards/wood/names/el.toml", "packs/howls/cards/howls.toml", "tests/scenarios/wolves.toml"];
    assert!(wanted.iter().all(|file| files.iter().any(|found| found == file)), "{files:?}");
    assert_eq!(editor.check("packs/howls"), before.replace("red_wolf", "rust_wolf"));
    let names = fs::read_to_string(editor.path("cards/wood/names/el.toml")).unwrap();
    assert!(names.contains("🐺\", rust_wolf = \"Κόκκινος"), "{names}");
    editor.end();
}

#[test]
fn an_id_in_a_text_with_escapes_is_not_left_behind() {
    let folder = wood();
    folder.write(
        "tests/scenarios/tabs.toml",
        "game = \"wood\"\n[[scenario]]\nname = \"tabs\"\ngiven = \"p1 has red_wolf;\\tp1.wisp = 3\"\nthen = \"p1.wisp == 3\"\n",
    );
    let mut editor = Editor::start(folder);
    editor.open(CARDS);
    let why = editor.rename(CARDS, "red_wolf\"", "rust_wolf").unwrap_err();
    assert!(why.contains("tests/scenarios/tabs.toml:4, in a text with escapes such as `\\t`"), "{why}");
    assert!(editor.rename(CARDS, "grey_wolf\"", "dusk_wolf").is_ok());
    editor.end();
}

#[test]
fn scenarios_and_a_variant_that_lie_in_no_game_are_checked_with_the_game_that_they_name() {
    let folder = folder(&[]);
    let variant = "variant mild \"more gold\" {\n  extend setup { each player { gain 1 gold } }\n}\n";
    let scenario = "[[scenario]]\nname = \"more\"\ngiven = \"as set up\"\nthen = \"p1.gold == 7\"\n";
    folder.write("mild.rules", variant);
    folder.write("mild.toml", &format!("game = \"nations\"\nwith = \"mild.rules\"\n\n{scenario}"));
    folder.write("lost.rules", variant);
    let mut editor = Editor::start(folder);
    editor.open("mild.toml");
    editor.open("mild.rules");
    editor.is_told("mild.toml", ("p1.gold == 7", "p1.gold == =="), "expected a value");
    editor.is_told("mild.rules", ("gain 1 gold", "gain 1 golden"), "`golden` is not a resource");
    let moved = editor.uri("mild.toml");
    let scenarios = editor.texts["mild.toml"].clone();
    editor.write("mild.toml", scenarios.replace("nations", "notions"));
    let told = editor.shown(&moved, |all| !all.is_empty());
    assert!(told[0]["message"].as_str().unwrap().contains("its `game` is not known"), "{told:?}");
    // Nobody says which game this one changes.
    editor.open("lost.rules");
    let lost = editor.uri("lost.rules");
    let told = editor.shown(&lost, |all| !all.is_empty());
    assert!(told[0]["message"].as_str().unwrap().contains("no scenarios beside it name it in `with`"), "{told:?}");
    editor.end();
}

#[test]
fn nothing_ends_the_server() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    for wrong in ["Content-Length: 3\r\n\r\n{]}", "Content-Length: 2\r\n\r\n{}", "Nonsense\r\n\r\n", "Content-Length: x\r\n\r\n"] {
        editor.input.write_all(wrong.as_bytes()).unwrap();
    }
    assert!(editor.ask("textDocument/dance", json!({})).unwrap_err().contains("dance"));
    assert!(editor.ask("textDocument/hover", json!({ "position": 3 })).is_err());
    for method in ["textDocument/hover", "textDocument/definition", "textDocument/completion", "textDocument/prepareRename"] {
        for uri in ["file:///nowhere/at/all.toml", "untitled:one", "file://%%%"] {
            let place = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 1 } });
            let answer = editor.ask(method, place);
            assert!(!matches!(&answer, Ok(answer) if !answer.is_null()), "{method} {uri}: {answer:?}");
        }
        for (line, column) in [(0, 9999), (99999, 0), (u32::MAX, u32::MAX)] {
            let place = json!({ "textDocument": { "uri": editor.uri(CARDS) }, "position": { "line": line, "character": column } });
            let _ = editor.ask(method, place);
        }
    }
    editor.tell("textDocument/didChange", json!({ "textDocument": 1 }));
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": "file:///nowhere" } }));
    for text in
        ["", "[[card]]\nid = \"", "\u{feff}α🐺 = {{{", "[[card]]\non.dusk = { do = \"`${\" }", "[[patch]]\non.this = 3\nchange = [[]]"]
    {
        editor.write(CARDS, text.to_string());
        for column in 0..6 {
            let place = json!({ "textDocument": { "uri": editor.uri(CARDS) }, "position": { "line": 0, "character": column } });
            let _ = editor.ask("textDocument/completion", place.clone());
            let _ = editor.ask("textDocument/hover", place);
        }
    }
    let elsewhere = folder(&[]);
    let uri = format!("file://{}", elsewhere.name("lost.toml"));
    let lost = json!({ "textDocument": { "uri": uri, "languageId": "toml", "version": 1, "text": "id = 1" } });
    editor.tell("textDocument/didOpen", lost);
    let told = editor.shown(&uri, |all| all.len() == 1);
    assert!(told[0]["message"].as_str().unwrap().contains("belongs to no game or pack"), "{told:?}");
    // Once it is closed nothing is said of it, also after what is looked at then.
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    let other = uri.replace("lost", "other");
    let lost = json!({ "textDocument": { "uri": other, "languageId": "toml", "version": 1, "text": "id = 1" } });
    editor.tell("textDocument/didOpen", lost);
    editor.shown(&other, |all| all.len() == 1);
    assert_eq!(editor.shown[&uri], Vec::<Value>::new());
    editor.end();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn nations_with_all_packs_is_helped_with() {
    let folder = folder(&[]);
    for part in ["rules", "cards", "packs", "tests/scenarios"] {
        copy(&root().join(part), &folder.at(part));
    }
    let mut editor = Editor::start(folder);
    let (cards, promo) = ("cards/nations/base/advisors_1.toml", "packs/promo/cards/promo.toml");
    editor.open(cards);
    editor.open(promo);
    assert!(editor.hover(cards, "\"augustus\"", 3).contains("advisor"));
    editor.is_told(promo, ("kind = \"golden_age\"", "kind = \"golden_aeg\""), "`golden_aeg` is not a kind");
    let edit = editor.rename(cards, "augustus", "octavian").unwrap();
    let files = editor.apply(&edit);
    assert!(files.len() > 5 && files.iter().any(|file| file.starts_with("packs/")), "{files:?}");
    // Whoever reads the files afterwards meets the old id in comments at most.
    for path in Sources::read_dir(editor.folder.path(), "toml").unwrap() {
        for line in fs::read_to_string(&path).unwrap().lines().filter(|line| !line.trim_start().starts_with('#')) {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            assert!(!words.clone().any(|word| word == "augustus"), "{}: {line}", path.display());
        }
    }
    for packs in [&[][..], &["packs/dynasties", "packs/promo"]] {
        let packs: Vec<PathBuf> = packs.iter().map(|pack| editor.path(pack)).collect();
        let (sources, text) = loaded(editor.folder.path(), "nations", &packs, &[]);
        rules_of(&sources, &text, &Setup::default());
        let names: Vec<&str> = text.content.cards.iter().map(|card| card.id.text.as_str()).collect();
        assert!(names.contains(&"octavian") && !names.contains(&"augustus"));
    }
    editor.end();
}
