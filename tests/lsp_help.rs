//! What the language server helps with beside messages: quick fixes, completion, colours, folding, symbols, signatures, new names, and files
//! that are inside the program.

use crate::lsp::{CARDS, Editor, RULES, offset, wood};
use crate::support::{folder, manifest};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const PACK: &str = "packs/howls/cards/howls.toml";

impl Editor {
    /// The quick fixes that are offered where a text stands, as soon as there are any.
    fn fixes(&mut self, file: &str, (text, behind): (&str, usize)) -> Vec<Value> {
        let place = self.at(file, text, behind);
        let range = json!({ "start": place["position"], "end": place["position"] });
        let params = json!({ "textDocument": place["textDocument"], "range": range, "context": { "diagnostics": [] } });
        self.ask("textDocument/codeAction", params).unwrap().as_array().unwrap().clone()
    }

    /// Takes the one quick fix that is offered where a text stands.
    fn take_fix(&mut self, file: &str, place: (&str, usize)) -> String {
        let fixes = self.fixes(file, place);
        let [fix] = &fixes[..] else { panic!("{fixes:#?}") };
        assert_eq!((&fix["kind"], &fix["isPreferred"]), (&json!("quickfix"), &json!(true)));
        let uri = self.uri(file);
        let edits = match &fix["edit"]["documentChanges"] {
            Value::Array(changes) => {
                assert_eq!(changes[0]["textDocument"]["uri"], json!(uri));
                assert!(changes[0]["textDocument"]["version"].is_i64(), "{fix}");
                changes[0]["edits"].clone()
            }
            _ => fix["edit"]["changes"][&uri].clone(),
        };
        let mut text = self.texts[file].clone();
        for edit in edits.as_array().unwrap() {
            let (start, end) = (offset(&text, &edit["range"]["start"]), offset(&text, &edit["range"]["end"]));
            text.replace_range(start..end, edit["newText"].as_str().unwrap());
        }
        self.write(file, text);
        fix["title"].as_str().unwrap().to_string()
    }

    /// Waits until a file shows a message.
    fn wait_for(&mut self, file: &str, message: &str) {
        let uri = self.uri(file);
        self.shown(&uri, |all| all.iter().any(|one| one["message"].as_str().unwrap().contains(message)));
    }

    fn wait_for_nothing(&mut self, file: &str) {
        let uri = self.uri(file);
        self.shown(&uri, |all| all.is_empty());
    }

    fn replace(&mut self, file: &str, old: &str, new: &str) {
        let text = self.texts[file].clone();
        assert!(text.contains(old), "{old}");
        self.write(file, text.replacen(old, new, 1));
    }

    fn document(&self, file: &str) -> Value {
        json!({ "textDocument": { "uri": self.uri(file) } })
    }
}

#[test]
fn a_slip_is_mended_by_a_quick_fix() {
    let able = json!({ "workspaceEdit": { "documentChanges": true } });
    let mut editor = Editor::start_able(wood(), able);
    editor.open(CARDS);
    editor.open(RULES);
    for (file, (old, new), message, title) in [
        (CARDS, ("kind    = \"wolf\"", "kind    = \"wofl\""), "`wofl`", "write `wolf`"),
        (CARDS, ("gain(me, moss, 1)", "gain(me, mos, 1)"), "`mos`", "write `moss`"),
        (CARDS, ("when = \"dusk\"", "wehn = \"dusk\""), "`wehn`", "write `when`"),
        (CARDS, ("height  = 2\n", ""), "has no `height`", "add `height`"),
        (RULES, ("gain 1 wisp }", "gain 1 wips }"), "`wips`", "write `wisp`"),
        (RULES, ("price(card) wisp", "price(crad) wisp"), "`crad`", "write `card`"),
    ] {
        let sound = editor.texts[file].clone();
        editor.replace(file, old, new);
        editor.wait_for(file, message);
        let slip = message.trim_matches('`');
        let place = if new.is_empty() { ("[[card]]", 2) } else { (new, new.find(slip).unwrap() + 1) };
        assert_eq!(editor.take_fix(file, place), title);
        editor.wait_for_nothing(file);
        editor.write(file, sound);
    }
    editor.end();
}

#[test]
fn a_quick_fix_fits_the_text_as_it_is_now() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.replace(CARDS, "gain(me, moss, 1)", "gain(me, mos, 1)");
    editor.wait_for(CARDS, "`mos`");
    // Lines ahead of it have come in since it was found, and those of the slip are as they were.
    editor.replace(CARDS, "# The cards", "# 🐺\n\n# The cards");
    assert_eq!(editor.take_fix(CARDS, ("mos, 1", 1)), "write `moss`");
    assert!(editor.texts[CARDS].contains("# 🐺\n\n# The cards") && editor.texts[CARDS].contains("gain(me, moss, 1)"));
    editor.wait_for_nothing(CARDS);
    // Where nothing is wrong nothing is offered, nor to an editor that asks for something else.
    assert_eq!(editor.fixes(CARDS, ("moss, 1", 1)), Vec::<Value>::new());
    editor.end();
}

#[test]
fn a_manifest_that_names_no_game_is_mended_by_a_quick_fix() {
    let mut editor = Editor::start(wood());
    let manifest = "packs/howls/pack.toml";
    editor.open(manifest);
    editor.replace(manifest, "extends = \"wood\"", "extnds = \"wood\"");
    editor.wait_for(manifest, "`extnds`");
    assert_eq!(editor.take_fix(manifest, ("extnds", 1)), "write `extends`");
    editor.wait_for_nothing(manifest);
    editor.end();
}

/// What is completed contains all of some names, and none of others.
fn assert_offered(what: &str, found: &[String], offered: &[&str], not: &[&str]) {
    for name in offered {
        assert!(found.iter().any(|one| one == name), "{what}: {name} is not among {found:?}");
    }
    for name in not {
        assert!(!found.iter().any(|one| one == name), "{what}: {name} is among {found:?}");
    }
}

#[test]
fn completion_offers_what_the_grammar_has_there() {
    let mut editor = Editor::start(wood());
    editor.open(RULES);
    let all = editor.texts[RULES].clone();
    editor.write(RULES, format!("{all}\neffect thaw(n) {{\n  each player {{\n    gain 1 wisp\n  }}\n  let fog = n\n  \n}}\n"));
    for (text, behind, offered, not) in [
        // A declaration, a statement, an amount, a resource, a deck, a kind.
        ("constant limit", 0, &["effect", "stat"][..], &["gain", "wisp", "low_wall"][..]),
        ("    gain 1 wisp", 4, &["gain", "each player", "moon", "let"], &["effect", "wisp", "height"]),
        ("    gain 1 wisp", 9, &["count", "fame", "n", "wisp"], &["gain", "effect", "storm"]),
        ("    gain 1 wisp", 11, &["wisp", "moss"], &["gain", "fame", "wolf", "dusk"]),
        ("from pile[1]", 5, &["pile"], &["gain", "wisp", "yard"]),
        ("deck pile by age of wolf", 20, &["wolf", "stone"], &["wisp", "effect", "lawn"]),
        ("  let fog = n\n  ", 16, &["gain"], &["effect"]),
        ("  let fog = n", 6, &[], &["wisp", "gain"]),
        ("card.height > 3", 5, &["height", "bites"], &["wisp", "dusk"]),
        ("  each player {\n    gain", 7, &["player", "other player"], &["gain"]),
        ("// The cost", 5, &[], &["gain"]),
    ] {
        if !editor.texts[RULES].contains(text) {
            assert!(text.starts_with("//"), "{text}");
            continue;
        }
        let found = editor.completion(RULES, text, behind);
        assert_offered(&format!("{text:?} at {behind}"), &found, offered, not);
    }
    editor.end();
}

#[test]
fn completion_in_cards_knows_kinds_moments_and_fields() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    for (text, behind, offered, not) in [
        ("height  = 2", 0, &["bite", "shade"][..], &["colour", "rent", "kind", "id"][..]),
        ("trail   = [\"south", 12, &["north", "south"], &["wisp", "grey_wolf"]),
        ("yield   = { wisp", 12, &["wisp", "moss"], &["north", "grey_wolf"]),
        ("friends = [\"red_wolf", 12, &["red_wolf", "boulder"], &["wisp"]),
        ("kind    = \"wolf", 11, &["wolf", "wall"], &["lawn", "wisp"]),
        // In scripts what a function takes there.
        ("gain(me, moss, 1)", 9, &["moss", "wisp"], &["gain", "me", "yard", "dusk"]),
        // Nothing is asked, so there is no answer.
        ("gain(me, moss, 1)", 0, &["gain", "me", "own", "wisp"], &["answer", "day", "grey_wolf"]),
    ] {
        let found = editor.completion(CARDS, text, behind);
        assert_offered(&format!("{text:?} at {behind}"), &found, offered, not);
    }
    // Behind `me.` stands what a player has or does, what cards read most often first.
    editor.replace(CARDS, "gain(me, wisp, 1)", "me.");
    let place = editor.at(CARDS, "\"me.\"", 4);
    let found = editor.known("textDocument/completion", place);
    let mut found: Vec<(&str, &str)> =
        found.as_array().unwrap().iter().map(|one| (one["sortText"].as_str().unwrap(), one["label"].as_str().unwrap())).collect();
    found.sort();
    let found: Vec<&str> = found.into_iter().map(|(_, name)| name).collect();
    assert!(found.contains(&"gain") && !found.contains(&"remove") && !found.contains(&"own"), "{found:?}");
    let at = |name: &str| found.iter().position(|one| *one == name);
    assert!(at("wisp") < at("gain") && at("gain") < at("storm"), "{found:?}");
    editor.end();
}

#[test]
fn completion_in_cards_knows_the_short_forms() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    // Half a line is helped by what was there before, so that has to be known.
    editor.hover(RULES, "moment dusk", 8);
    let cards = editor.texts[CARDS].clone();
    for (line, offered, not) in [
        ("on.", &["dusk", "howl", "this"][..], &["copies", "text", "wisp"][..]),
        ("on.this.", &["dusk", "howl"], &["copies", "this"]),
        ("change.", &["fame", "price"], &["dusk", "copies"]),
        ("forbid.", &["fetch"], &["dusk", "copies"]),
        ("on.dusk = { ", &["if", "do", "ask"], &["copies", "wisp"]),
        ("yield = { ", &["wisp", "moss"], &["action", "copies", "dusk"]),
        ("yield = { wisp = 1, ", &["moss"], &["action", "copies"]),
        ("on.dusk = \"gain(me, |)\"", &["wisp", "moss"], &["dusk", "yard", "gain"]),
        ("on.dusk = \"me.add(|)\"", &["dens"], &["wisp", "dusk"]),
        ("[[card.test]]\nwhen = \"p1: |\"", &["fetch", "pass"], &["wisp", "dusk"]),
    ] {
        let (ahead, behind) = line.split_once('|').unwrap_or((line, ""));
        editor
            .write(CARDS, format!("{cards}\n[[card]]\nid = \"late_one\"\nname = \"Late\"\nkind = \"wolf\"\nheight = 1\n{ahead}{behind}\n"));
        let found = editor.completion(CARDS, &format!("height = 1\n{ahead}"), 11 + ahead.len());
        assert_offered(&format!("{line:?}"), &found, offered, not);
    }
    let rules = editor.texts[RULES].clone();
    editor.write(RULES, format!("{rules}\nvariant late {{\n  change day.\n}}\n"));
    let found = editor.completion(RULES, "  change day.", 13);
    assert!(found.contains(&"fetch".to_string()) && !found.contains(&"wisp".to_string()), "{found:?}");
    editor.end();
}

#[test]
fn colours_folding_symbols_and_signatures_are_known() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    editor.hover(RULES, "moment dusk", 8);
    let params = editor.document(RULES);
    let tokens = editor.ask("textDocument/semanticTokens/full", params.clone()).unwrap();
    let data: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).collect();
    // From relative places back to texts: every token is a word, a number, a comment or a text in quotes.
    let text = editor.texts[RULES].clone();
    let (mut line, mut column) = (0, 0);
    let mut seen = Vec::new();
    for one in data.chunks(5) {
        (line, column) = if one[0] == 0 { (line, column + one[1]) } else { (line + one[0], one[1]) };
        let at = |column: u64| offset(&text, &json!({ "line": line, "character": column }));
        seen.push((text[at(column)..at(column + one[2])].to_string(), one[3]));
    }
    for (word, sort) in [("effect", 0), ("wisp", 2), ("storm", 4), ("wolf", 5), ("dusk", 7), ("market", 9), ("4", 10)] {
        assert!(seen.contains(&(word.to_string(), sort)), "{word}: {seen:?}");
    }
    assert!(seen.iter().any(|(word, sort)| word.starts_with("//") && *sort == 12));
    let folds = editor.ask("textDocument/foldingRange", params).unwrap();
    let line_of = |text: &str, of: &str| text.lines().position(|line| line.starts_with(of)).unwrap() as u64;
    let has = |folds: &Value, first: u64| folds.as_array().unwrap().iter().any(|one| one["startLine"] == first);
    assert!(has(&folds, line_of(&text, "player {")) && !has(&folds, line_of(&text, "constant limit")), "{folds}");
    let cards = editor.document(CARDS);
    let folds = editor.ask("textDocument/foldingRange", cards).unwrap();
    assert!(has(&folds, line_of(&editor.texts[CARDS], "[[card]]")), "{folds}");
    let found = editor.ask("workspace/symbol", json!({ "query": "wolf" })).unwrap();
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names[..1], ["wolf"]);
    assert!(names.contains(&"grey_wolf"), "{names:?}");
    for (file, text, behind, label, active) in
        [(CARDS, "gain(me, moss, 1)", 15, "gain(p, r, n)", 2), (RULES, "price(card) wisp", 8, "price(card)", 0)]
    {
        let place = editor.at(file, text, behind);
        let found = editor.known("textDocument/signatureHelp", place);
        assert_eq!((&found["signatures"][0]["label"], &found["activeParameter"]), (&json!(label), &json!(active)), "{found}");
    }
    let outside = editor.at(RULES, "constant limit", 3);
    assert_eq!(editor.ask("textDocument/signatureHelp", outside), Ok(Value::Null));
    editor.end();
}

#[test]
fn whatever_rules_declare_can_get_another_name() {
    // A resource, a kind, a field, a place, a counter, a stat, an action.
    for (file, text, behind, old, new) in [
        (RULES, "moss\n  counter dens", 1, "moss", "lichen"),
        (RULES, "kind wall", 6, "wall", "fence"),
        (RULES, "  height: number\n  bite", 3, "height", "size"),
        (RULES, "place yard", 7, "yard", "court"),
        (RULES, "counter dens", 9, "dens", "lairs"),
        (RULES, "stat fame", 6, "fame", "renown"),
        (RULES, "action fetch", 8, "fetch", "take_in"),
        (CARDS, "gain(me, moss, 1)", 11, "moss", "lichen"),
        (PACK, "height", 1, "height", "size"),
    ] {
        let mut editor = Editor::start(wood());
        for file in [RULES, CARDS, PACK] {
            editor.open(file);
        }
        let before = editor.check("packs/howls");
        assert!(before.contains("0 errors"), "{before}");
        let mut place = editor.at(file, text, behind);
        let ready = editor.known("textDocument/prepareRename", place.clone());
        assert_eq!(ready["placeholder"], json!(old));
        place["newName"] = new.into();
        let edit = editor.ask("textDocument/rename", place).unwrap();
        let files = editor.apply(&edit);
        assert!(files.contains(&RULES.to_string()), "{old}: {files:?}");
        let after = editor.check("packs/howls");
        assert!(after.contains("0 errors"), "{old}: {after}");
        let rules = fs::read_to_string(editor.path(RULES)).unwrap();
        assert!(rules.contains(new), "{old}");
        editor.end();
    }
}

#[test]
fn a_name_that_cannot_be_changed_says_why() {
    let mut editor = Editor::start(wood());
    editor.open(RULES);
    editor.open(CARDS);
    editor.hover(RULES, "moment dusk", 8);
    for (text, behind, new, why) in [
        ("counter dens", 9, "moss", "there is a resource `moss` already"),
        ("counter dens", 9, "Dens", "`Dens` is not a name"),
        ("counter dens", 9, "gain", "`gain` already"),
        ("counter dens", 9, "n", "a local name hides"),
        ("effect storm", 8, "gale", "may mean something else than an effect"),
    ] {
        let mut place = editor.at(RULES, text, behind);
        place["newName"] = new.into();
        let why_not = editor.ask("textDocument/rename", place).unwrap_err();
        assert!(why_not.contains(why), "{text}: {why_not}");
    }
    editor.end();
}

#[test]
fn a_definition_inside_the_program_is_shown() {
    for able in [json!({}), json!({ "textDocumentContent": {} })] {
        let patch = "[[patch]]\ncard = \"augustus\"\ntext = \"x\"\n";
        let folder = folder(&[("pack.toml", &manifest("mine", "nations")), ("cards/mine.toml", patch)]);
        let has_scheme = able["textDocumentContent"].is_object();
        let mut editor = Editor::start_able(folder, able);
        editor.open("cards/mine.toml");
        let place = editor.at("cards/mine.toml", "augustus", 2);
        let found = editor.known("textDocument/definition", place);
        let uri = found["uri"].as_str().unwrap().to_string();
        let text = if has_scheme {
            assert!(uri.starts_with("houserule:/cards/nations/"), "{uri}");
            let text = editor.ask("workspace/textDocumentContent", json!({ "uri": uri })).unwrap();
            text["text"].as_str().unwrap().to_string()
        } else {
            let path = Path::new(uri.strip_prefix("file://").unwrap());
            assert!(fs::metadata(path).unwrap().permissions().readonly());
            fs::read_to_string(path).unwrap()
        };
        assert_eq!(&text[offset(&text, &found["range"]["start"])..offset(&text, &found["range"]["end"])], "augustus");
        // In the file one can go on, and nothing is said about it.
        let opened = json!({ "textDocument": { "uri": uri, "languageId": "toml", "version": 1, "text": text } });
        editor.tell("textDocument/didOpen", opened);
        let at = text.find("\nid").unwrap() + 1;
        let place = json!({ "line": text[..at].matches('\n').count(), "character": 1 });
        let hover = editor.known("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": place }));
        assert!(hover["contents"]["value"].as_str().unwrap().contains("`id`"), "{hover}");
        assert!(editor.diagnostics(&uri).is_empty());
        if has_scheme {
            assert!(editor.ask("workspace/textDocumentContent", json!({ "uri": "houserule:/rules/none.rules" })).is_err());
        }
        editor.end();
        assert!(has_scheme || !Path::new(uri.strip_prefix("file://").unwrap()).exists(), "copies are removed in the end");
    }
}

#[test]
fn a_document_that_was_never_saved_is_checked_with_the_folder_that_is_open() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.hover(CARDS, "\"dusk\"", 2);
    let uri = "untitled:Untitled-1".to_string();
    let text = "[[card]]\nid = \"white_wolf\"\nlike = \"red_wolf\"\nheihgt = 1\n";
    let opened = json!({ "textDocument": { "uri": uri, "languageId": "toml", "version": 1, "text": text } });
    editor.tell("textDocument/didOpen", opened);
    let told = editor.shown(&uri, |all| !all.is_empty());
    assert!(told[0]["message"].as_str().unwrap().contains("`heihgt`"), "{told:?}");
    let range = json!({ "start": { "line": 3, "character": 1 }, "end": { "line": 3, "character": 1 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
    let fixes = editor.ask("textDocument/codeAction", params).unwrap();
    assert_eq!(fixes[0]["edit"]["changes"][&uri][0]["newText"], "height", "{fixes}");
    let change = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text.replace("heihgt", "height") }] });
    editor.tell("textDocument/didChange", change);
    editor.shown(&uri, |all| all.is_empty());
    // Its card is known, and can get another name in it.
    let place = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 8 }, "newName": "snow_wolf" });
    let edit = editor.ask("textDocument/rename", place).unwrap();
    assert_eq!(edit["changes"][&uri][0]["newText"], "snow_wolf", "{edit}");
    editor.end();
}

#[test]
fn nothing_that_is_asked_about_half_a_text_ends_the_server() {
    let mut editor = Editor::start(wood());
    editor.open(CARDS);
    editor.open(RULES);
    editor.hover(RULES, "moment dusk", 8);
    for file in [CARDS, RULES] {
        let sound = editor.texts[file].clone();
        for end in (0..sound.len()).step_by(97).filter(|end| sound.is_char_boundary(*end)) {
            editor.write(file, sound[..end].to_string());
            let line = sound[..end].matches('\n').count();
            let column = sound[..end].rsplit('\n').next().unwrap().encode_utf16().count();
            let place = json!({ "textDocument": { "uri": editor.uri(file) }, "position": { "line": line, "character": column } });
            for method in ["textDocument/completion", "textDocument/signatureHelp", "textDocument/hover"] {
                editor.ask(method, place.clone()).unwrap();
            }
            let range = json!({ "start": place["position"], "end": place["position"] });
            let params = json!({ "textDocument": place["textDocument"], "range": range, "context": { "diagnostics": [] } });
            editor.ask("textDocument/codeAction", params).unwrap();
            for method in ["textDocument/foldingRange", "textDocument/semanticTokens/full"] {
                let params = editor.document(file);
                editor.ask(method, params).unwrap();
            }
        }
        editor.write(file, sound);
    }
    editor.end();
}
