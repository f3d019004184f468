//! What tests share: a compiled game and ways to play it.

pub mod child;

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

/// The text of base Nations, with overlays.
pub fn text_with(packs: &[PathBuf], with: &[&str]) -> (Sources, GameText) {
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    let with: Vec<String> = with.iter().map(|w| w.to_string()).collect();
    let text = lang::load(&mut sources, Some(root()), "nations", packs, &with, &mut diagnostics).expect("the game loads");
    assert!(diagnostics.is_empty(), "{}", houserule::diagnostic::render::render(&sources, &diagnostics, false));
    (sources, text)
}

/// The ruleset of a text.
pub fn rules_of(sources: &Sources, text: &GameText, setup: &Setup) -> Arc<Ruleset> {
    let mut diagnostics = Vec::new();
    let rules = lang::compile(text, setup, &mut diagnostics);
    // Some games are about turns in which nothing can be done.
    diagnostics.retain(|one| one.code != "R015");
    assert!(diagnostics.is_empty(), "{}", houserule::diagnostic::render::render(sources, &diagnostics, false));
    Arc::new(rules.expect("the game compiles"))
}

/// Base Nations for so many players.
pub fn nations(players: usize) -> Arc<Ruleset> {
    let (sources, text) = text_with(&[], &[]);
    rules_of(&sources, &text, &Setup { players, ..Setup::default() })
}

/// A built-in game for so many players.
pub fn game(name: &str, players: usize) -> Arc<Ruleset> {
    game_below(root(), name, players)
}

/// The small games of `tests/games`, each with a number of players.
pub const SMALL: [(&str, usize); 15] = [
    ("anglers", 3),
    ("attic", 3),
    ("castle", 3),
    ("comb", 2),
    ("dike", 3),
    ("dormice", 2),
    ("glutton", 2),
    ("grotto", 3),
    ("masks", 3),
    ("orchard", 3),
    ("pagodas", 3),
    ("pilgrims", 1),
    ("skerry", 4),
    ("thistles", 4),
    ("tinkers", 3),
];

/// One of them.
pub fn small_game(name: &str, players: usize) -> Arc<Ruleset> {
    game_below(&root().join("tests/games"), name, players)
}

fn game_below(root: &Path, name: &str, players: usize) -> Arc<Ruleset> {
    game_text(root, name, players).2
}

/// A game below a folder: its files, its text and its rules for so many players.
pub fn game_text(root: &Path, name: &str, players: usize) -> (Sources, GameText, Arc<Ruleset>) {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, Some(root), name, &[], &[], &mut diagnostics).expect("the game loads");
    assert!(diagnostics.is_empty(), "{}", houserule::diagnostic::render::render(&sources, &diagnostics, false));
    let rules = rules_of(&sources, &text, &Setup { players, ..Setup::default() });
    (sources, text, rules)
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
