//! A small game for tests, with helpers that compile it and list its diagnostics.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails")]

use super::checked::{Checked, check};
use super::compile::{GameText, compile};
use super::setup::Setup;
use super::syntax::overlay::rules_of;
use super::syntax::parse_file;
use crate::diagnostic::render::render;
use crate::engine::ruleset::Ruleset;
use crate::pack::{GameContent, parse_cards};
use crate::source::Sources;

/// The minimal rules of a game.
pub const GAME: &str = include_str!("../../tests/checks/wall.rules");

/// The cards of the test game.
pub const CARDS: &str = include_str!("../../tests/checks/wall.toml");

/// Checks the game with additional rules and cards.
pub fn checked(rules: &str, cards: &str) -> (Sources, Checked) {
    let (sources, text) = text(rules, cards);
    let checked = check(&text.tree, &text.content);
    (sources, checked)
}

/// Parses the game with additional rules and cards.
pub fn text(rules: &str, cards: &str) -> (Sources, GameText) {
    text_of("wall", &format!("{GAME}{rules}"), &format!("{CARDS}{cards}"))
}

/// Parses a game of these rules and cards.
pub fn text_of(game: &str, rules: &str, cards: &str) -> (Sources, GameText) {
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    let file = sources.add(format!("{game}.rules"), rules.to_string());
    let tree = rules_of(parse_file(file, rules, &mut diagnostics));
    let file = sources.add(format!("{game}.toml"), cards.to_string());
    let found = parse_cards(file, cards, game, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let content = GameContent {
        game: game.into(),
        rules: Vec::new(),
        packs: Vec::new(),
        cards: found.cards,
        kinds: found.kinds,
        scenarios: Vec::new(),
        names: Vec::new(),
        cards_missing: false,
        hash: 0,
    };
    (sources, GameText::new(tree, content))
}

/// Compiles the game with additional rules and cards, for a set-up.
pub fn compiled(rules: &str, cards: &str, setup: &Setup) -> Ruleset {
    compiled_as("wall", rules, cards, setup)
}

/// Compiles a game of these rules and cards.
pub(super) fn compiled_as(game: &str, rules: &str, cards: &str, setup: &Setup) -> Ruleset {
    let (sources, text) = text_of(game, rules, cards);
    let mut diagnostics = Vec::new();
    let made = compile(&text, setup, &mut diagnostics);
    made.unwrap_or_else(|| panic!("{}", render(&sources, &diagnostics, false)))
}

/// Compiles the game for a number of players; nothing may be wrong with it.
#[cfg(test)]
pub(super) fn lowered(rules: &str, cards: &str, players: usize) -> super::checked::Lowered {
    let (_, checked) = checked(rules, cards);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let mut diagnostics = Vec::new();
    let setup = Setup { players, every_piece: true, ..Setup::default() };
    let lowered = super::checked::lower(&checked, &setup, players, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    lowered
}
