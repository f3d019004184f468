//! What tests share: ways to run the program, compiled games, and ways to play them.

pub mod child;
mod program;
mod rust;

pub use program::*;
pub use rust::code_of;

use houserule::diagnostic::render::render;
use houserule::engine::{Game, Ruleset};
use houserule::lang::{self, GameText, Setup};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use houserule::state::chance::join;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the repository.
#[track_caller]
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A text with something else in some places, each of which must be there.
#[track_caller]
pub fn replaced(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_string(), |text, (was, now)| {
        assert!(text.contains(was), "no `{was}` in\n{text}");
        text.replace(was, now)
    })
}

/// A game below a folder as text, with packs and overlays; nothing may be wrong with it.
pub fn loaded(root: &Path, name: &str, packs: &[PathBuf], with: &[&str]) -> (Sources, GameText) {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let with: Vec<String> = with.iter().map(|w| w.to_string()).collect();
    let text = lang::load(&mut sources, Some(root), name, packs, &with, &mut diagnostics).expect("the game loads");
    assert!(diagnostics.is_empty(), "{}", render(&sources, &diagnostics, false));
    (sources, text)
}

/// The text of base Nations, with overlays.
pub fn text_with(packs: &[PathBuf], with: &[&str]) -> (Sources, GameText) {
    loaded(root(), "nations", packs, with)
}

/// The ruleset of a text.
pub fn rules_of(sources: &Sources, text: &GameText, setup: &Setup) -> Arc<Ruleset> {
    let mut diagnostics = Vec::new();
    let rules = lang::compile(text, setup, &mut diagnostics);
    // Some games are about turns in which nothing can be done.
    diagnostics.retain(|one| one.code != "R015");
    assert!(diagnostics.is_empty(), "{}", render(sources, &diagnostics, false));
    Arc::new(rules.expect("the game compiles"))
}

/// Base Nations for so many players.
pub fn nations(players: usize) -> Arc<Ruleset> {
    game("nations", players)
}

/// A built-in game for so many players.
pub fn game(name: &str, players: usize) -> Arc<Ruleset> {
    game_text(root(), name, players).2
}

/// The small games of `tests/games`, each with a number of players.
pub const SMALL: [(&str, usize); 18] = [
    ("anglers", 3),
    ("attic", 3),
    ("castle", 3),
    ("comb", 2),
    ("dike", 3),
    ("dormice", 2),
    ("fireflies", 3),
    ("glutton", 2),
    ("grotto", 3),
    ("masks", 3),
    ("orchard", 3),
    ("pagodas", 3),
    ("pilgrims", 1),
    ("skerry", 4),
    ("thistles", 4),
    ("tinkers", 3),
    ("valley", 3),
    ("weavers", 3),
];

/// One of them.
pub fn small_game(name: &str, players: usize) -> Arc<Ruleset> {
    game_text(&root().join("tests/games"), name, players).2
}

/// A game below a folder: its files, its text and its rules for so many players.
pub fn game_text(root: &Path, name: &str, players: usize) -> (Sources, GameText, Arc<Ruleset>) {
    let (sources, text) = loaded(root, name, &[], &[]);
    let rules = rules_of(&sources, &text, &Setup { players, ..Setup::default() });
    (sources, text, rules)
}

/// The small game of `tests/errors` in a folder, with further files.
pub fn toy(more: &[(&str, &str)]) -> Folder {
    let toy = folder(&[]);
    for path in ["rules/toy.rules", "cards/toy/base.toml"] {
        toy.write(path, &read(&format!("tests/errors/game/{path}")));
    }
    more.iter().for_each(|(path, text)| toy.write(path, text));
    toy
}

/// A script host.
pub fn host(rules: &Arc<Ruleset>) -> ScriptHost {
    ScriptHost::new(rules).expect("scripts compile")
}

/// The answer that a seed gives to the open question.
pub fn pick(game: &Game, seed: u64, number: u64) -> usize {
    let decision = game.decision().expect("a question is open");
    let best = decision.options.iter().enumerate().max_by_key(|(_, o)| join(join(seed, number), o.key));
    best.map_or(0, |b| b.0)
}

/// Plays to the end, calling `f` at every question; gives back how many there were.
pub fn play(rules: &Arc<Ruleset>, host: &mut ScriptHost, seed: u64, mut f: impl FnMut(&mut Game, &mut ScriptHost, u64)) -> (Game, u64) {
    let mut game = Game::new(rules, seed);
    let mut number = 0;
    loop {
        match game.on(rules).advance(host) {
            Ok(Some(_)) => {}
            Ok(None) => return (game, number),
            Err(fault) => panic!("seed {seed}, question {number}: {fault}"),
        }
        f(&mut game, host, number);
        let option = pick(&game, seed, number);
        if let Err(fault) = game.on(rules).answer(host, option) {
            panic!("seed {seed}, question {number}: {fault}");
        }
        number += 1;
        assert!(number < 20_000, "seed {seed}: the game does not end");
    }
}
