//! What is said about wrong files. Every file below `tests/errors` is put into the small game in `tests/errors/game`, and a
//! snapshot shows the source and what is said about it. `cargo insta review`, or `INSTA_UPDATE=always cargo test`, takes
//! over what has changed; read it as somebody who wrote the wrong file.
//!
//! * `NAME.rules` is given to `--with`
//! * `NAME.toml` lies among the cards
//! * `NAME.scenario.toml` is run
//! * `NAME.names.toml` names things in a language of its own
//! * a folder holds packs, all of them loaded

use crate::nouns::files;
use crate::support::{Folder, code_of, folder, root, toy};
use houserule::diagnostic::{Diagnostic, Severity, render::render};
use houserule::fixes::changes_of;
use houserule::lang::compile::compile_despite_card_errors;
use houserule::lang::{self, Setup, TranslatableNames};
use houserule::playtest::{smoke, unreachable};
use houserule::scenario::run::{ExtraContent, run_file};
use houserule::script::{ScriptHost, check_scripts};
use houserule::source::Sources;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The small game.
const GAME: &str = "toy";

/// Codes without a wrong file, and why.
const ELSEWHERE: [(&str, &str); 27] = [
    ("G115", "the small game has no flag that is set with a number: src/scenario/run/tests/silent.rs"),
    ("G152", "needs a pack and a game: src/scenario/run/tests.rs"),
    ("C038", "what `check` alone says: tests/cli.rs"),
    ("C039", "what `check` alone says: tests/cli.rs"),
    ("C040", "what `check` alone says: tests/cli.rs"),
    ("C042", "needs a built-in game: a test beside `pack::load`"),
    ("P005", "needs many nested brackets: tests/hostile.rs"),
    ("P008", "needs four gigabytes"),
    ("G001", "what was typed, not a file: `what_was_typed`"),
    ("G002", "what was typed, not a file: `what_was_typed`"),
    ("G003", "what was typed, not a file: `what_was_typed`"),
    ("G004", "what was typed, not a file: `what_was_typed`"),
    ("G006", "what was typed, not a file: `what_was_typed`"),
    ("G112", "the small game has no pools: tests/cli.rs"),
    ("G151", "what `play --from` says: tests/play.rs"),
    ("G301", "a replay: tests/play.rs"),
    ("G302", "a replay: tests/play.rs"),
    ("G303", "a replay: tests/play.rs"),
    ("G304", "a replay: tests/play.rs"),
    ("G160", "what was asked, not a file: tests/why.rs"),
    ("G161", "what was asked, not a file: tests/why.rs"),
    ("G162", "what was typed, not a file: tests/why.rs"),
    ("G201", "comes up in play: tests/cli.rs"),
    ("G203", "a pack that extends nothing known: tests/cli.rs"),
    ("G204", "no game could be begun"),
    ("G205", "comes up in play: tests/counted.rs"),
    ("G206", "comes up in play: tests/counted.rs"),
];

/// What the small game itself does not use.
const UNUSED: [&str; 10] = ["`limit`", "`moon`", "`dens`", "`bites`", "`yield`", "`colour`", "`bite`", "`tax`", "`most famous`", "`feed`"];

fn errors() -> PathBuf {
    root().join("tests/errors")
}

/// What a command would say about a game, in its order: reading, compiling, scripts, one run of each script.
fn said(game_root: &Path, packs: &[PathBuf], with: &[&str], setup: &Setup) -> (Sources, Vec<Diagnostic>) {
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let with: Vec<String> = with.iter().map(|text| text.to_string()).collect();
    let Some(text) = lang::load(&mut sources, Some(game_root), GAME, packs, &with, &mut found) else { return (sources, found) };
    match lang::compile(&text, setup, &mut found).map(Arc::new) {
        Some(rules) => {
            found.extend(check_scripts(&rules));
            if found.iter().all(|fault| fault.severity == Severity::Warning)
                && let Ok(mut host) = ScriptHost::new(&rules)
            {
                found.extend(smoke(&rules, &mut host, 1).diagnostics);
                found.extend(unreachable(&text, &|rules| Some(Box::new(ScriptHost::new(rules).ok()?))));
                // What the small game declares for wrong files to use, some do not use.
                found.extend(text.unused_definitions().into_iter().filter(|wrong| !UNUSED.iter().any(|name| wrong.message.contains(name))));
                let mut nameable = TranslatableNames::collect(&text);
                nameable.add(&rules);
                found.extend(nameable.check_all(&text, &sources));
            }
        }
        None => found.extend(compile_despite_card_errors(&text, setup).iter().flat_map(check_scripts)),
    }
    (sources, found)
}

fn two() -> Setup {
    Setup { players: 2, ..Setup::default() }
}

/// Source and output together, without colour and with relative paths.
fn shown(source: &str, output: &str, folder: &Path) -> String {
    let folder = format!("{}/", folder.display());
    let here = format!("{}/", root().display());
    let output = output.replace(&folder, "").replace(&here, "");
    // Lines without an end of blanks: an editor would take them away.
    let output: Vec<&str> = output.lines().map(str::trim_end).collect();
    format!("SOURCE\n{}\n\nOUTPUT\n{}\n", source.trim_end(), output.join("\n").trim_end())
}

/// The small game, with further cards.
fn game_with(name: &str, cards: &str) -> Folder {
    toy(&[(&format!("cards/toy/{name}"), cards)])
}

fn of_rules(path: &Path) -> String {
    let (sources, found) = said(&errors().join("game"), &[], &[&path.display().to_string()], &two());
    shown(&fs::read_to_string(path).unwrap(), &render(&sources, &found, false), &errors())
}

fn of_cards(path: &Path) -> String {
    of_files(path, path.file_name().unwrap().to_str().unwrap())
}

fn of_names(path: &Path) -> String {
    of_files(path, "names/xx.toml")
}

fn of_files(path: &Path, name: &str) -> String {
    let text = fs::read_to_string(path).unwrap();
    let dir = game_with(name, &text);
    let (sources, found) = said(dir.path(), &[], &[], &two());
    shown(&text, &render(&sources, &found, false), dir.path())
}

fn of_scenario(path: &Path) -> String {
    let mut sources = Sources::new();
    let file = sources.read_file(path).unwrap();
    let report = run_file(&mut sources, Some(&errors().join("game")), file, ExtraContent::default());
    let mut output = render(&sources, &report.diagnostics, false);
    for case in &report.cases {
        output.push_str(&format!("{}: {}\n{}\n", if case.passed { "passed" } else { "FAILED" }, case.name, case.message));
    }
    shown(sources.text(file), &output, &errors())
}

fn of_packs(path: &Path) -> String {
    let mut packs: Vec<PathBuf> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    packs.sort();
    let (sources, found) = said(&errors().join("game"), &packs, &[], &two());
    let mut source = String::new();
    for pack in &packs {
        for extension in ["toml", "rules"] {
            for file in Sources::read_dir(pack, extension).unwrap() {
                source.push_str(&format!("# {}\n{}\n", file.strip_prefix(path).unwrap().display(), fs::read_to_string(&file).unwrap()));
            }
        }
    }
    shown(&source, &render(&sources, &found, false), path)
}

/// The snapshot of every wrong file of a sort; each is looked at, also after one that differs.
fn look_at(is_meant: impl Fn(&Path, &str) -> bool, said: impl Fn(&Path) -> String + std::panic::RefUnwindSafe) {
    let mut files: Vec<PathBuf> = fs::read_dir(errors()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| is_meant(path, path.file_name().unwrap().to_str().unwrap()));
    files.sort();
    assert!(!files.is_empty());
    let mut differ = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_string();
        let looked = std::panic::catch_unwind(|| {
            let text = said(&path);
            let output = text.rsplit_once("OUTPUT\n").map_or("", |parts| parts.1);
            assert!(!output.trim().is_empty(), "{name} is wrong, and nothing is said about it");
            snapshot(&name, &text);
        });
        if looked.is_err() {
            differ.push(name);
        }
    }
    assert!(differ.is_empty(), "what is said has changed, or it panicked: {differ:?}");
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn wrong_rules() {
    look_at(|_, name| name.ends_with(".rules"), of_rules);
}

#[test]
fn wrong_cards() {
    look_at(|_, name| name.ends_with(".toml") && ![".scenario.toml", ".names.toml"].iter().any(|sort| name.ends_with(sort)), of_cards);
}

#[test]
fn wrong_names() {
    look_at(|_, name| name.ends_with(".names.toml"), of_names);
}

#[test]
fn wrong_scenarios() {
    look_at(|_, name| name.ends_with(".scenario.toml"), of_scenario);
}

#[test]
fn wrong_packs() {
    look_at(|path, name| path.is_dir() && name != "game", of_packs);
}

#[test]
fn what_was_typed() {
    let option = |name: &str, value: &str| Setup { options: vec![(name.to_string(), vec![value.to_string()])], ..two() };
    let deal = |card: &str, seat: Option<usize>| Setup { deal: vec![(card.to_string(), seat)], ..two() };
    let table: [(&str, &[&str], Setup); 12] = [
        ("--with 'change bonsu.2 by +1'", &["change bonsu.2 by +1"], two()),
        ("--with 'change limit to'", &["change limit to"], two()),
        ("--with 'change limit to 3' --with 'change limti to 4'", &["change limit to 3", "change limti to 4"], two()),
        ("--with shraed", &["shraed"], two()),
        ("--with no_such_file.rules", &["no_such_file.rules"], two()),
        ("--option sied=a", &[], option("sied", "a")),
        ("--option side=c", &[], option("side", "c")),
        ("--players 9", &[], Setup { players: 9, ..Setup::default() }),
        ("--deal gray_wolf", &[], deal("gray_wolf", None)),
        ("--deal grey_wolf@p3", &[], deal("grey_wolf", Some(2))),
        ("--with 'change limit to \"x'", &["change limit to \"x"], two()),
        ("--with 'constant bonus = 3'", &["constant bonus = 3"], two()),
    ];
    let mut all = String::new();
    for (typed, with, setup) in table {
        let (sources, found) = said(&errors().join("game"), &[], with, &setup);
        assert!(!found.is_empty(), "{typed}");
        all.push_str(&shown(typed, &render(&sources, &found, false), &errors()));
        all.push('\n');
    }
    snapshot("what_was_typed", &all);
}

#[test]
fn the_small_game_is_right() {
    let (sources, found) = said(&errors().join("game"), &[], &[], &two());
    assert_eq!(render(&sources, &found, false), "");
}

/// The codes in a text, where `before` and `after` stand around them.
fn codes_in(text: &str, before: u8, after: u8, codes: &mut BTreeSet<String>) {
    for six in text.as_bytes().windows(6) {
        if let [first, family @ (b'P' | b'R' | b'C' | b'S' | b'G'), number @ .., last] = six
            && (*first, *last) == (before, after)
            && number.iter().all(u8::is_ascii_digit)
        {
            codes.insert(format!("{}{}", *family as char, std::str::from_utf8(number).unwrap()));
        }
    }
}

#[test]
fn every_code_has_a_wrong_file() {
    let (mut used, mut told) = (BTreeSet::new(), BTreeSet::new());
    for path in Sources::read_dir(&root().join("src"), "rs").unwrap() {
        let text = fs::read_to_string(path).unwrap();
        codes_in(&text, b'"', b'"', &mut used);
        // In the tables of problems a code stands between severity and name.
        codes_in(&text, b' ', b' ', &mut used);
    }
    for path in Sources::read_dir(&root().join("tests/snapshots"), "snap").unwrap() {
        codes_in(&fs::read_to_string(path).unwrap(), b'[', b']', &mut told);
    }
    for (code, _) in ELSEWHERE {
        assert!(used.contains(code), "{code} is not used any more");
        told.insert(code.to_string());
    }
    let without: Vec<&String> = used.difference(&told).collect();
    assert!(without.is_empty(), "add a wrong file to tests/errors for {without:?}");
}

/// What is wrong is a value; whoever looks into its English breaks as soon as somebody words it better.
#[test]
fn nobody_looks_into_messages() {
    let looks = ["starts_with(", "ends_with(", "contains(", "find(", "split(", "strip_prefix(", "trim_start_matches("];
    let mut found = Vec::new();
    for path in files(&root().join("src")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        let is_test = path.iter().any(|part| part == "tests" || part == "tests.rs");
        // Scenarios quote the reason for which a game is refused: `Diagnostic::says`.
        if path.extension().is_none_or(|ending| ending != "rs") || is_test || name == "src/source/diagnostic.rs" {
            continue;
        }
        let source = code_of(&fs::read_to_string(&path).unwrap());
        for (number, line) in source.lines().enumerate() {
            let after = line.split(".message").skip(1).map(str::trim_start);
            let is_look = |rest: &str| {
                rest.starts_with("==")
                    || rest.starts_with("!=")
                    || rest.strip_prefix('.').is_some_and(|call| looks.iter().any(|look| call.starts_with(look)))
            };
            found.extend(after.filter(|rest| is_look(rest)).map(|_| format!("{name}:{}: {}", number + 1, line.trim())));
        }
    }
    assert!(found.is_empty(), "compare problems instead: {found:#?}");
}

/// What is said about a wrong file with this text instead: the name of the file, and the diagnostics.
fn said_about(path: &Path, text: &str) -> (Sources, String, Vec<Diagnostic>) {
    let name = path.file_name().unwrap().to_str().unwrap();
    if name.ends_with(".rules") || name.ends_with(".scenario.toml") {
        let dir = folder(&[(name, text)]);
        let file = dir.at(name);
        if name.ends_with(".rules") {
            let (sources, found) = said(&errors().join("game"), &[], &[&file.display().to_string()], &two());
            return (sources, file.display().to_string(), found);
        }
        let mut sources = Sources::new();
        let read = sources.read_file(&file).unwrap();
        let report = run_file(&mut sources, Some(&errors().join("game")), read, ExtraContent::default());
        return (sources, file.display().to_string(), report.diagnostics);
    }
    let name = if name.ends_with(".names.toml") { "names/xx.toml" } else { name };
    let dir = game_with(name, text);
    let (sources, found) = said(dir.path(), &[], &[], &two());
    (sources, dir.name(&format!("cards/toy/{name}")), found)
}

/// Each quick fix of a wrong file is made by itself: what it is offered for is then said no more, or less often. The snapshot shows the
/// lines before and after.
#[test]
fn a_quick_fix_mends_what_it_is_offered_for() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(errors()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    let (mut shown, mut in_vain) = (String::new(), Vec::new());
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (sources, name, found) = said_about(&path, &text);
        let how_often = |all: &[Diagnostic], one: &Diagnostic| {
            all.iter().filter(|other| (other.code, &other.message) == (one.code, &one.message)).count()
        };
        for one in &found {
            let here = one.span.is_some_and(|span| sources.name(span.file) == name && sources.text(span.file) == text);
            for (fix, change) in changes_of(&text, one).into_iter().filter(|_| here) {
                let mended = format!("{}{}{}", &text[..change.start], change.text, &text[change.end..]);
                let (_, _, left) = said_about(&path, &mended);
                let file = path.file_name().unwrap().to_str().unwrap();
                // One alike may come up farther down, where nobody has looked before.
                let start = one.span.map(|span| span.start);
                let behind = start.map(|start| start + change.text.len() as u32);
                let is_here = |other: &&Diagnostic| other.span.is_some_and(|span| Some(span.start) == start || Some(span.start) == behind);
                let alike = left.iter().filter(|other| (other.code, &other.message) == (one.code, &one.message));
                if how_often(&left, one) >= how_often(&found, one) && alike.filter(is_here).count() > 0 {
                    in_vain.push(format!("{file}: {}: {}\n{mended}\n{left:#?}", one.message, fix.title));
                }
                let lines = |text: &str, other: &str| {
                    let differs: Vec<&str> = text.lines().filter(|line| !other.lines().any(|same| same == *line)).collect();
                    differs.join(" / ")
                };
                shown.push_str(&format!("{file}: {}: {}\n", one.code, one.message));
                shown.push_str(&format!("  {}\n  - {}\n  + {}\n", fix.title, lines(&text, &mended), lines(&mended, &text)));
            }
        }
    }
    assert!(in_vain.is_empty(), "{}", in_vain.join("\n"));
    snapshot("quick_fixes", &shown);
}
