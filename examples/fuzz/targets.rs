//! What is fuzzed. Each target takes any bytes and may refuse them, with a message that can be drawn; it never panics. A target
//! that does not come back is a finding as well: who calls it holds the watch.

use houserule::agent::{AgentKind, SeatAgents};
use houserule::diagnostic::{Diagnostic, Severity, render::render};
use houserule::engine::{Game, Ruleset};
use houserule::format::Language;
use houserule::lang::{self, Setup};
use houserule::playtest::smoke;
use houserule::scenario::run::{ExtraContent, run_file};
use houserule::script::{ScriptHost, check_scripts};
use houserule::source::Sources;
use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[path = "expressions.rs"]
mod expressions;
#[path = "formatting.rs"]
pub mod formatting;
#[path = "values.rs"]
pub mod values;

/// A target, by its name.
pub type Target = fn(&[u8]);

/// All targets.
pub const TARGETS: [(&str, Target); 5] =
    [("rules", fuzz_rules), ("cards", fuzz_cards), ("scenarios", fuzz_scenarios), ("play", fuzz_play), ("values", values::fuzz_values)];

/// Questions that are answered in a game whose rules are fuzzed.
const QUESTIONS: u32 = 200;

thread_local! {
    static FOLDER: OnceCell<tempfile::TempDir> = const { OnceCell::new() };
}

/// The small game.
const SMALL_GAME: [(&str, &str); 2] = [
    ("rules/toy.rules", include_str!("../../tests/errors/game/rules/toy.rules")),
    ("cards/toy/base.toml", include_str!("../../tests/errors/game/cards/toy/base.toml")),
];

/// A folder with the small game, in which one file can be another; it is made once for each thread.
fn game_with(path: &str, text: &str) -> PathBuf {
    FOLDER.with(|folder| {
        let root = folder.get_or_init(|| tempfile::tempdir().expect("a folder")).path();
        SMALL_GAME.iter().for_each(|(file, text)| put(&root.join(file), text));
        put(&root.join(path), text);
        root.to_path_buf()
    })
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("it is written");
}

/// Panics if the law of formatting does not hold for a text.
fn formats(language: Language, text: &str) {
    if let Err(broken) = formatting::law_of_formatting(language, text) {
        panic!("{broken}");
    }
}

/// The text of the rules of a small game.
pub fn fuzz_rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    formats(Language::Rules, &text);
    let root = game_with("rules/toy.rules", &text);
    let (sources, found, rules) = read(&root);
    told(&sources, &found);
    if let Some(rules) = rules {
        play_some(&rules);
    }
}

/// A file of cards of a small game.
pub fn fuzz_cards(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    formats(Language::Toml, &text);
    let root = game_with("cards/toy/fuzzed.toml", &text);
    let (sources, mut found, rules) = read(&root);
    if let Some(rules) = &rules {
        found.extend(check_scripts(rules));
        if let Ok(mut host) = ScriptHost::new(rules) {
            found.extend(smoke(rules, &mut host, 1).diagnostics);
            play_some(rules);
        }
    }
    told(&sources, &found);
}

/// A file of scenarios of a small game.
pub fn fuzz_scenarios(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let root = game_with("tests/scenarios/fuzzed.toml", &text);
    let mut sources = Sources::new();
    let file = sources.add("fuzzed.toml", text);
    // A pack may be named, which is a folder: what lies there is not fuzzed.
    let report = run_file(&mut sources, Some(&root), file, ExtraContent::default());
    told(&sources, &report.diagnostics);
}

/// Answers: the first byte says what is played, eight are the seed, each other one chooses among what is offered. A copy made on
/// the way comes to the same end.
pub fn fuzz_play(data: &[u8]) {
    let [table, seed @ ..] = data else { return };
    let Some((seed, answers)) = seed.split_first_chunk::<8>() else { return };
    let rules = shipped(*table as usize);
    let mut host = ScriptHost::new(&rules).expect("scripts of built-in cards compile");
    let mut game = Game::new(&rules, u64::from_le_bytes(*seed));
    let mut copy: Option<Game> = None;
    for (number, answer) in answers.iter().enumerate() {
        match game.on(&rules).advance(&mut host) {
            Ok(Some(decision)) => assert!(
                (1..=houserule::engine::options::MAX_OPTIONS).contains(&decision.options.len()),
                "{} options",
                decision.options.len()
            ),
            Ok(None) => break,
            Err(fault) => panic!("question {number}: {fault}"),
        }
        if number == *table as usize {
            copy = Some(game.clone());
        }
        for game in [Some(&mut game), copy.as_mut()].into_iter().flatten() {
            game.on(&rules).advance(&mut host).expect("it went on before");
            let options = game.decision().map_or(1, |decision| decision.options.len());
            if let Err(fault) = game.on(&rules).answer(&mut host, *answer as usize % options) {
                panic!("question {number}: {fault}");
            }
        }
    }
    if let Some(mut copy) = copy {
        for game in [&mut game, &mut copy] {
            game.on(&rules).advance(&mut host).expect("it ends or asks");
        }
        assert_eq!(copy.hash(), game.hash(), "a copy went another way");
    }
}

thread_local! {
    static SHIPPED: OnceCell<Vec<Arc<Ruleset>>> = const { OnceCell::new() };
}

/// The built-in games for each number of players, one of them.
fn shipped(number: usize) -> Arc<Ruleset> {
    let compile = || {
        let mut found = Vec::new();
        for game in houserule::pack::list_games(None) {
            let mut sources = Sources::new();
            let text = lang::load(&mut sources, None, &game, &[], &[], &mut Vec::new()).expect("a built-in game");
            let (fewest, most) = text.players();
            for players in fewest..=most {
                let setup = Setup { players, ..Setup::default() };
                found.extend(lang::compile(&text, &setup, &mut Vec::new()).map(Arc::new));
            }
        }
        found
    };
    SHIPPED.with(|shipped| {
        let shipped = shipped.get_or_init(compile);
        Arc::clone(&shipped[number % shipped.len()])
    })
}

/// Reads the small game and compiles it for two.
fn read(root: &Path) -> (Sources, Vec<Diagnostic>, Option<Arc<Ruleset>>) {
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, Some(root), "toy", &[], &[], &mut found);
    let setup = Setup { players: 2, every_piece: true, ..Setup::default() };
    let rules = text.and_then(|text| lang::compile(&text, &setup, &mut found));
    let faulty = found.iter().any(|fault| fault.severity == Severity::Error);
    assert!(faulty || rules.is_some(), "it was refused without a word");
    (sources, found, rules.filter(|_| !faulty).map(Arc::new))
}

/// Every message can be drawn and says something.
fn told(sources: &Sources, found: &[Diagnostic]) {
    assert!(found.iter().all(|fault| !fault.message.is_empty() && !fault.code.is_empty()));
    assert!(found.is_empty() || !render(sources, found, false).is_empty());
}

/// A game is played as far as it goes; it may meet a fault.
fn play_some(rules: &Arc<Ruleset>) {
    let Ok(mut host) = ScriptHost::new(rules) else { return };
    let mut game = Game::new(rules, 1);
    let mut seats = SeatAgents::new(&vec![AgentKind::Random; rules.players]);
    seats.begin_game(1);
    for _ in 0..QUESTIONS {
        match game.on(rules).advance(&mut host) {
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return,
        }
        let Ok(chosen) = seats.choose(rules, &game, &mut host) else { return };
        if game.on(rules).answer(&mut host, chosen).is_err() {
            return;
        }
    }
}
