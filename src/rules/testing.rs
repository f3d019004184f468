//! Three small games for tests of this crate and of those above it, whose files tests from outside use as well: `wall`, about which much is said
//! when it is checked (`tests/checks`); `toy`, which is played by machines (`tests/errors`); and `roam`, in which positions are written
//! (`tests/engine`).

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

/// The rules of `wall`.
pub const GAME: &str = include_str!("../../tests/checks/wall.rules");

/// The cards of `wall`.
pub const CARDS: &str = include_str!("../../tests/checks/wall.toml");

/// Checks `wall` with additional rules and cards.
pub fn checked(rules: &str, cards: &str) -> (Sources, Checked) {
    let (sources, text) = text(rules, cards);
    let checked = check(&text.tree, &text.content);
    (sources, checked)
}

/// Parses `wall` with additional rules and cards.
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

/// Compiles a game of these rules and cards.
pub fn compiled(game: &str, rules: &str, cards: &str, setup: &Setup) -> Ruleset {
    let (sources, text) = text_of(game, rules, cards);
    let mut diagnostics = Vec::new();
    let made = compile(&text, setup, &mut diagnostics);
    made.unwrap_or_else(|| panic!("{}", render(&sources, &diagnostics, false)))
}

/// Compiles `wall` for a number of players; nothing may be wrong with it.
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

/// Where machines play `toy`, all cards lie open and cost nothing, each brings a choice, wisps can be wasted, and the row is filled again.
const PLAYED: [(&str, &str); 5] = [
    ("grid row 1 by 4", "grid row 1 by 6"),
    ("    cost price(card) wisp\n", ""),
    (
        "moment howl(card)",
        "moment howl(card)\n      player chooses {\n        \"one\" { gain 1 wisp }\n        \"two\" { gain 2 wisp }\n      }",
    ),
    (
        "action pass { does { passed = yes } }",
        "action pass { does { passed = yes } }\n  free action waste { cost 1 wisp; does { lose 0 wisp } }",
    ),
    ("all players { moment dusk; gain bonus wisp }", "fill row from pile; all players { gain 1 wisp }"),
];

/// Compiles `toy` for a number of players.
pub fn toy(players: usize) -> Ruleset {
    toy_with(players, "2", "")
}

/// Compiles `toy` with another expression for the amount that the better of two words gives, and with an additional entry on its first card.
pub fn toy_with(players: usize, gain: &str, entry: &str) -> Ruleset {
    let rules = toy_rules(&[("gain 2 wisp", &format!("gain {gain} wisp"))]);
    compiled("toy", &rules, &toy_cards(entry), &Setup { players, ..Setup::default() })
}

/// Compiles `toy` with a part of its rules replaced: the text `was` by the text `now`.
pub fn toy_instead(players: usize, was: &str, now: &str) -> Ruleset {
    compiled("toy", &toy_rules(&[(was, now)]), &toy_cards(""), &Setup { players, ..Setup::default() })
}

/// Compiles `toy` with additional rules and a given set-up.
pub fn toy_set_up(more: &str, setup: &Setup) -> Ruleset {
    compiled("toy", &(toy_rules(&[]) + more), &toy_cards(""), setup)
}

/// Returns the source of `toy` with parts replaced, not compiled, so that tests can change its cards.
pub fn toy_text(changes: &[(&str, &str)]) -> GameText {
    text_of("toy", &toy_rules(changes), &toy_cards("")).1
}

fn toy_rules(changes: &[(&str, &str)]) -> String {
    let rules = include_str!("../../tests/errors/game/rules/toy.rules").to_string();
    PLAYED.iter().chain(changes).fold(rules, |rules, (was, now)| {
        assert!(rules.contains(was), "{was}");
        rules.replace(was, now)
    })
}

/// Returns six cards, of which each is taller than the one before, and the first has an additional entry.
fn toy_cards(entry: &str) -> String {
    let mut cards = String::new();
    for (index, id) in ["grey_wolf", "red_wolf", "low_wall", "high_wall", "old_wall", "new_wall"].iter().enumerate() {
        let kind = if index < 2 { "kind = \"wolf\"\ncolour = \"a\"" } else { "kind = \"wall\"" };
        cards.push_str(&format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\n{kind}\nheight = {index}\n"));
        if index == 0 {
            cards.push_str(entry);
        }
    }
    cards
}

/// Compiles `roam` for a number of players, with `more` at the end of its set-up.
pub fn roam(players: usize, more: &str) -> Ruleset {
    let (rules, end) = (include_str!("../../tests/engine/rules/roam.rules"), "gain 3 fog } }");
    assert!(rules.contains(end));
    let rules = rules.replace(end, &format!("gain 3 fog }}; {more} }}"));
    compiled("roam", &rules, include_str!("../../tests/engine/cards/roam/cards.toml"), &Setup { players, ..Setup::default() })
}
