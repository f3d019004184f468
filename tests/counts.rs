//! How many cards Nations, Dynasties and the promo cards have of each sort: the numbers are those of the printed games.

use crate::support::root;
use houserule::pack::{GameContent, RawCard, TomlValue, load_game};
use houserule::source::Sources;
use std::collections::BTreeMap;

/// The kinds of progress cards, in the order of the columns below.
const KINDS: [&str; 9] = ["building", "military", "colony", "war", "battle", "golden_age", "wonder", "advisor", "natural_wonder"];

/// Progress cards: age, set, and how many of each kind.
const PROGRESS: [(i64, &str, [usize; 9]); 19] = [
    (1, "base", [8, 4, 4, 4, 4, 4, 4, 4, 0]),
    (1, "advanced", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (1, "expert", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (1, "dynasties", [2, 1, 0, 0, 0, 0, 1, 1, 5]),
    (1, "promo", [0, 0, 0, 0, 0, 1, 0, 0, 0]),
    (2, "base", [8, 4, 4, 4, 4, 4, 4, 4, 0]),
    (2, "advanced", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (2, "expert", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (2, "dynasties", [2, 1, 0, 0, 0, 1, 1, 1, 5]),
    (3, "base", [8, 4, 4, 4, 4, 4, 4, 4, 0]),
    (3, "advanced", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (3, "expert", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (3, "dynasties", [2, 1, 0, 0, 0, 1, 1, 1, 5]),
    (3, "promo", [0, 0, 0, 0, 0, 0, 2, 0, 0]),
    (4, "base", [8, 4, 4, 4, 4, 4, 4, 4, 0]),
    (4, "advanced", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (4, "expert", [3, 2, 2, 2, 2, 2, 3, 3, 0]),
    (4, "dynasties", [2, 1, 0, 0, 0, 1, 1, 1, 4]),
    (4, "promo", [0, 0, 1, 0, 0, 1, 0, 1, 0]),
];

/// Other cards: kind, age (0 for none), set, how many.
const OTHERS: [(&str, i64, &str, usize); 21] = [
    ("event", 1, "base", 12),
    ("event", 2, "base", 12),
    ("event", 3, "base", 12),
    ("event", 4, "base", 12),
    ("event", 1, "promo", 1),
    ("event", 3, "promo", 1),
    // Five boards with two sides, and twelve more that have one.
    ("nation", 0, "base", 10),
    ("nation", 0, "dynasties", 12),
    // Two for each of the 17 nations.
    ("dynasty", 0, "dynasties", 34),
    // Printed on boards: 13 on those of the base game; 25 more in Dynasties, in which two empty spaces with rules are no cards.
    ("building", 0, "base boards", 9),
    ("military", 0, "base boards", 3),
    ("wonder", 0, "base boards", 1),
    ("building", 0, "boards of dynasties", 15),
    ("military", 0, "boards of dynasties", 6),
    ("wonder", 0, "boards of dynasties", 2),
    ("colony", 0, "boards of dynasties", 1),
    ("advisor", 0, "boards of dynasties", 1),
    // The event tiles for who plays alone: their faces are our own.
    ("tile", 1, "solo", 6),
    ("tile", 2, "solo", 6),
    ("tile", 3, "solo", 6),
    ("tile", 4, "solo", 6),
];

type Counts = BTreeMap<(String, i64, String), usize>;

/// The cards of Nations with some of its packs.
fn loaded(packs: &[&str]) -> GameContent {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let folders: Vec<_> = packs.iter().map(|pack| root().join("packs").join(pack)).collect();
    let content = load_game(&mut sources, Some(root()), "nations", &folders, &mut diagnostics).expect("it loads");
    assert!(diagnostics.is_empty(), "{packs:?}: {diagnostics:?}");
    content
}

/// The set under which a card is counted above.
fn set_of(card: &RawCard) -> String {
    match card.set.as_ref().map(|set| set.text.as_str()) {
        Some("start") if card.pack == "nations" => "base boards".to_string(),
        Some("start") => format!("boards of {}", card.pack),
        Some(set) => set.to_string(),
        None => "solo".to_string(),
    }
}

fn counted(content: &GameContent) -> Counts {
    let mut counts = Counts::new();
    for card in &content.cards {
        *counts.entry((card.kind.text.clone(), card.age, set_of(card))).or_default() += 1;
    }
    counts
}

/// What the tables above say of the game with these packs.
fn expected(packs: &[&str]) -> Counts {
    let belongs = |set: &str| match ["dynasties", "promo"].iter().find(|pack| set.ends_with(**pack)) {
        Some(pack) => packs.contains(pack),
        None => true,
    };
    let progress =
        PROGRESS.iter().flat_map(|(age, set, counts)| KINDS.iter().zip(counts).map(move |(kind, count)| (*kind, *age, *set, *count)));
    let all = progress.chain(OTHERS).filter(|(_, _, set, count)| belongs(set) && *count > 0);
    all.map(|(kind, age, set, count)| ((kind.to_string(), age, set.to_string()), count)).collect()
}

#[test]
fn as_many_cards_are_loaded_as_were_printed() {
    for packs in [&[][..], &["dynasties"], &["promo"], &["dynasties", "promo"]] {
        assert_eq!(counted(&loaded(packs)), expected(packs), "Nations with {packs:?}");
    }
}

#[test]
fn the_sums_are_those_that_the_rulebooks_give() {
    let content = loaded(&["dynasties", "promo"]);
    let core = ["base", "advanced", "expert"].map(str::to_string);
    let is_progress = |card: &&RawCard| KINDS.contains(&card.kind.text.as_str()) && card.age > 0;
    let of = |wanted: &dyn Fn(&RawCard) -> bool| content.cards.iter().filter(is_progress).filter(|card| wanted(card)).count();
    assert_eq!(of(&|card| core.contains(&set_of(card))), 296);
    assert_eq!([1, 2, 3, 4].map(|age| of(&|card| core.contains(&set_of(card)) && card.age == age)), [74; 4]);
    assert_eq!((of(&|card| set_of(card) == "dynasties"), of(&|card| set_of(card) == "promo")), (42, 6));
    assert_eq!(KINDS.map(|kind| of(&|card| card.kind.text == kind)), [64, 36, 33, 32, 32, 37, 46, 45, 19]);
    assert_eq!(of(&|_| true), 344);
    let boards = || content.cards.iter().filter(|card| card.kind.text == "nation" && card.pack == "nations");
    let says = |card: &RawCard, wanted: &str| {
        let side = card.fields.iter().find(|(key, _)| key.text == "side").map(|(_, side)| &side.value);
        matches!(side, Some(TomlValue::Text(side)) if side.text == wanted)
    };
    let side = |wanted: &str| boards().filter(|card| says(card, wanted)).count();
    assert_eq!((side("a"), side("b")), (5, 5));
}
