//! A small game for tests, with helpers that compile it and list its diagnostics.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails")]

use super::checked::{Checked, Lowered, check, lower};
use super::compile::{GameText, compile};
use super::setup::Setup;
use super::syntax::overlay::rules_of;
use super::syntax::parse_file;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::render;
use crate::engine::graph::Expr;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::pack::{GameContent, parse_cards};
use crate::source::Sources;

/// The minimal rules of a game.
pub const GAME: &str = r#"
game wall "The Wall"
players 2 to 3
option side = a | b, default a
option level = low | high, default low, for each player
constant bonus = by players { 2: 1, else: 2 }
table { deck pile of hut, tower; grid row 2 by 3; place storm; counter moon; flag night }
player {
  resource wisp, moss
  counter dens
  place yard of hut, tower: 4, room 4
  place ruin of tower
  each round { flag passed; set short of resource; tally seen by kind }
}
card { counter bites }
kind hut   { slot yard; height: number; yield: of resource, calm; colour: one of side; points: numbers; bite: number = 2 }
kind tower { slot yard; height: number }
zone play = yard, ruin
hearing play
stat fame = sum card.height of my yard, at most 40, ranked as max(fame, 0)
changeable price(card) = row of card
changeable toll(card, r) = card.yield[r]
rank top x = top 1 by x, ties at the edge out
condition "most famous" = top fame
condition calm_night = night and moon > 2
setup { fill row from pile }
rounds 3 of day
phase day {
  turns in order until all have passed
  action fetch card in row { cost price(card) wisp; does { place card in its slot; moment howl(card) } }
  action pass { does { passed = yes } }
}
score { "wisps" = wisp }
wins highest score, then order
"#;

/// The cards of this game.
pub const CARDS: &str = r#"
[[card]]
id = "mud"
name = "Mud hut"
kind = "hut"
height = 2
yield = { wisp = 1, calm = 3 }
colour = "b"
points = [1, 2]
[[card]]
id = "keep"
name = "Keep"
kind = "tower"
height = 5
"#;

/// The game with further rules and cards, checked.
pub fn checked(rules: &str, cards: &str) -> (Sources, Checked) {
    let (sources, text) = text(rules, cards);
    let checked = check(&text.tree, &text.content);
    (sources, checked)
}

/// The game with further rules and cards.
pub fn text(rules: &str, cards: &str) -> (Sources, GameText) {
    text_of("wall", &format!("{GAME}{rules}"), &format!("{CARDS}{cards}"))
}

/// A game of these rules and cards.
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

/// A ruleset of these rules and cards.
pub fn compiled(rules: &str, cards: &str, setup: &Setup) -> Ruleset {
    let (sources, text) = text_of("wall", rules, cards);
    let mut diagnostics = Vec::new();
    let made = compile(&text, setup, &mut diagnostics);
    made.unwrap_or_else(|| panic!("{}", render(&sources, &diagnostics, false)))
}

/// The diagnostics for further rules, each as its message and the underlined text.
pub fn said(rules: &str) -> Vec<(String, String)> {
    said_of_cards(rules, "")
}

/// The diagnostics for further rules and cards, each as its message and the underlined text.
pub fn said_of_cards(rules: &str, cards: &str) -> Vec<(String, String)> {
    let (sources, checked) = checked(rules, cards);
    shown(&sources, checked.diagnostics)
}

fn shown(sources: &Sources, diagnostics: Vec<Diagnostic>) -> Vec<(String, String)> {
    let place = |diagnostic: &Diagnostic| diagnostic.span.map_or(String::new(), |span| sources.slice(span).to_string());
    diagnostics.into_iter().map(|diagnostic| (diagnostic.message.clone(), place(&diagnostic))).collect()
}

/// The messages for further rules.
pub fn messages(rules: &str) -> Vec<String> {
    said(rules).into_iter().map(|said| said.0).collect()
}

/// The help texts for further rules.
pub fn helps(rules: &str) -> Vec<String> {
    checked(rules, "").1.diagnostics.into_iter().flat_map(|diagnostic| diagnostic.help).collect()
}

/// The game lowered for a number of players, with the messages of lowering.
pub(super) fn lowered(rules: &str, cards: &str, players: usize) -> (Lowered, Vec<String>) {
    let (_, checked) = checked(rules, cards);
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let mut diagnostics = Vec::new();
    let lowered = lower(&checked, &Setup { players, every_piece: true, ..Setup::default() }, players, &mut diagnostics);
    (lowered, diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect())
}

/// The node of a condition in further rules, lowered for a number of players.
pub fn condition(text: &str, players: usize) -> (Ruleset, NodeId) {
    let (lowered, diagnostics) = lowered(&format!("condition asked = {text}\n"), "", players);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let node = lowered.rules.conditions.iter().find(|found| found.0 == "asked").map(|found| found.1);
    (lowered.rules, node.expect("the condition is there"))
}

/// The graph expression that a condition is lowered to.
pub fn made(text: &str) -> Expr {
    let (rules, made) = condition(text, 2);
    rules.graph[made]
}
