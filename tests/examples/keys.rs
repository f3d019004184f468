//! The keys of cards, packs and scenarios: the examples of a table, written below each other, are one whole table.

use super::{Wood, all_well};
use crate::support::{Folder, loaded};
use houserule::diagnostic::{Severity, render::render};
use houserule::lang::TranslatableNames;
use houserule::pack::Translations;
use houserule::pack::schema::tables;
use houserule::scenario::run::{ExtraContent, FileReport, run_card_tests, run_file};
use houserule::source::Sources;
use std::path::PathBuf;

/// A table of all its examples, but for keys that stand in the place of others, and those under headers of their own.
fn table(header: &str, without: &[&str]) -> String {
    let table = tables().into_iter().find(|table| table.header == header).expect("a table of this name");
    let keys = table.keys.iter().filter(|key| !without.contains(&key.name) && !key.example.starts_with("[["));
    let lines: Vec<&str> = keys.map(|key| key.example).collect();
    let header = if header.starts_with("[[") { header } else { "" };
    format!("{header}\n{}\n", lines.join("\n"))
}

/// The keys that stand for entries.
const ENTRIES: [&str; 5] = ["on", "action", "change", "forbid", "instead"];

/// A table without its entries, and what it gets besides.
fn headed(header: &str, without: &[&str]) -> String {
    table(header, &[&ENTRIES, without].concat())
}

/// The one action of a card.
fn action() -> String {
    table("[[card.action]]", &["part"])
}

/// A test of a card, and one of a game that is refused.
fn a_test() -> String {
    let refused = table("[[card.test]]", &["name", "given", "when", "then", "players", "options"]) + "name = \"refused\"\nplayers = 4\n";
    table("[[card.test]]", &["refused"]) + refused.as_str()
}

/// All other entries of a card, those that do something also in parts.
fn entries() -> String {
    let mut all = ["[[card.change]]", "[[card.forbid]]"].map(|header| table(header, &[])).to_vec();
    all.push(a_test());
    for header in ["[[card.on]]", "[[card.instead]]"] {
        let part = table("[[card.on.part]]", &[]).replace("[[card.on.part]]", &header.replace("]]", ".part]]"));
        let in_parts = table(header, &["do", "ask", "cost", "let", "id"]).replace("]]\n", "]]\nid = \"in_parts\"\n");
        all.extend([table(header, &["part"]), in_parts, part]);
    }
    all.concat()
}

/// The games and all tests of a report went well.
fn went_well(what: &str, sources: &Sources, report: &FileReport, wrong: &mut Vec<String>) {
    let failed: String = report.cases.iter().filter(|case| !case.passed).map(|case| case.message.as_str()).collect();
    let told = render(sources, &report.diagnostics, false) + failed.as_str();
    if !told.is_empty() || report.cases.is_empty() {
        wrong.push(format!("{what}: {} tests\n{told}", report.cases.len()));
    }
}

/// The tests beside the cards of a game, with packs.
fn tests_of(wood: &Wood, packs: &[(&str, String)], wrong: &mut Vec<String>) {
    let (folder, game) = wood.folder();
    let packs: Vec<PathBuf> = packs.iter().map(|(name, manifest)| pack(&folder, name, manifest)).collect();
    let mut sources = Sources::new();
    let report = run_card_tests(&mut sources, Some(folder.path()), &game, ExtraContent { packs: &packs, with: &[] });
    went_well("tests of cards", &sources, &report, wrong);
}

/// A pack with a card that has a test.
fn pack(folder: &Folder, name: &str, manifest: &str) -> PathBuf {
    let card = format!("[[card]]\nid = \"of_{name}\"\nname = \"Of a pack\"\nkind = \"wall\"\nheight = 1\nage = 1\nset = \"base\"\n");
    folder.write(&format!("{name}/pack.toml"), manifest);
    folder.write(&format!("{name}/cards/all.toml"), &(card + a_test().as_str()));
    folder.at(name)
}

#[test]
fn every_key_of_cards_kinds_patches_and_removals_is_checked_and_run() {
    let mut wrong = Vec::new();
    let card = format!("\n{}height = 3\n{}", headed("[[card]]", &["each"]), action() + entries().as_str());
    let card_in_lines = format!("\n{}height = 3\n{}", table("[[card]]", &["each"]), a_test());
    let many = format!("\n{}height = \"{{n}}\"\n{}", headed("[[card]]", &[]).replace("lone_wolf", "lone_wolf_{n}"), a_test());
    let kind = format!("\n{}{}", headed("[[kind]]", &[]), entries().replace("[[card.", "[[kind."));
    let kind_in_lines = format!("\n{}{}", table("[[kind]]", &["action"]), a_test().replace("[[card.", "[[kind."));
    let entries_of_patch = entries().replace("[[card.", "[[patch.");
    let patches =
        [&["where"][..], &["card", "drop"]].map(|without| format!("\n{}height = 4\n{entries_of_patch}", table("[[patch]]", without)));
    let removals = ["card", "where"].map(|without| format!("\n{}", table("[[remove]]", &[without])));
    for (text, dealt) in
        [(card, "lone_wolf"), (card_in_lines, "lone_wolf"), (many, "lone_wolf_3"), (kind, "grey_wolf"), (kind_in_lines, "grey_wolf")]
    {
        let wood = Wood::card(&text, dealt);
        if let Err(why) = wood.played() {
            wrong.push(format!("{text}\n{why}"));
        }
        tests_of(&wood, &[], &mut wrong);
    }
    // Patches and removals stand in packs.
    for text in patches.into_iter().chain(removals) {
        let (folder, game) = Wood::new().folder();
        let pack = pack(&folder, "wolves", &table("pack.toml", &["requires", "over"]));
        folder.write("wolves/cards/more.toml", &text);
        let mut sources = Sources::new();
        let report = run_card_tests(&mut sources, Some(folder.path()), &game, ExtraContent { packs: &[pack], with: &[] });
        went_well(&text, &sources, &report, &mut wrong);
    }
    all_well(&wrong);
}

#[test]
fn every_key_of_packs_and_scenarios_is_checked_and_run() {
    let mut wrong = Vec::new();
    let manifest = table("pack.toml", &[]);
    let walls = table("pack.toml", &["name", "requires", "excludes", "over"]) + "name = \"walls\"\n";
    tests_of(&Wood::new(), &[("walls", walls), ("wolves", manifest)], &mut wrong);

    let (folder, _) = Wood::new().folder();
    pack(&folder, "wolves", &table("pack.toml", &["requires", "over"]));
    let refused = table("[[scenario]]", &["given", "when", "then", "players", "options"]) + "players = 4\n";
    let whole = table("[[scenario]]", &["name", "refused"]) + "name = \"whole\"\n";
    folder.write("scenarios.toml", &[table("a scenario file", &[]), whole, refused].concat());
    let mut sources = Sources::new();
    let file = sources.read_file(&folder.at("scenarios.toml")).expect("a file");
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    went_well("a scenario file", &sources, &report, &mut wrong);
    all_well(&wrong);
}

#[test]
fn every_key_of_names_is_checked_and_read() {
    let (folder, game) = Wood::new().folder();
    folder.write(&format!("cards/{game}/names/de.toml"), &table("names/LANGUAGE.toml", &[]));
    let (sources, text) = loaded(folder.path(), &game, &[], &[]);
    let mut found = TranslatableNames::collect(&text).check(&text, &sources, "de");
    found.retain(|wrong| wrong.severity == Severity::Error);
    assert_eq!(render(&sources, &found, false), "");
    let names = Translations::read(&text.content, &sources, "de", &mut found);
    let known = (names.title(""), names.cards().count(), names.kind("wolf"), names.translate_word("wisp"));
    assert_eq!(known, ("Der Wald", 1, "Wolf", "Irrlicht".to_string()));
}
