//! `houserule show --json`: the fields that docs/cards.md names are there, and no others.

use crate::support::{read, root, run_in};
use serde_json::Value;
use std::collections::BTreeSet;

/// The fields that a table of the page names: those of the table whose first row is this.
fn documented(first: &str) -> BTreeSet<String> {
    let page = read("docs/cards.md");
    let rows = page.lines().skip_while(|line| *line != first).take_while(|line| line.starts_with('|'));
    let names = |line: &str| line.split('|').nth(1).unwrap().split('`').skip(1).step_by(2).map(str::to_string).collect::<Vec<_>>();
    rows.flat_map(names).collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

fn shown(line: &str) -> Vec<Value> {
    run_in(root(), &format!("show {line} --json -")).ends(0).json().as_array().unwrap().clone()
}

#[test]
fn a_card_has_the_fields_that_the_page_names() {
    let fields = documented("| `is` | `card` |");
    assert!(fields.len() > 10);
    for line in ["nations hatshepsut", "nations vesuvius --pack packs/dynasties", "stonehenge"] {
        for card in shown(line) {
            assert_eq!(keys(&card), fields, "{line}");
            for entry in card["entries"].as_array().unwrap() {
                assert_eq!(keys(entry), ["at", "entry", "of", "replaces", "written"].map(str::to_string).into());
            }
        }
    }
}

#[test]
fn a_board_has_the_fields_that_the_page_names() {
    let fields = documented("| `is` | `board` |");
    for (line, layout) in [("--game comb comb", "hexes"), ("--game dike dike", "names")] {
        let board = &shown(&format!("{line} --eyes p2 --seed 4").replace("--game", "--root tests/games --game"))[0];
        assert_eq!(
            (keys(board), &board["layout"], &board["eyes"], &board["seed"]),
            (fields.clone(), &layout.into(), &"p2".into(), &4.into())
        );
        for space in board["spaces"].as_array().unwrap() {
            let wanted = ["blank", "column", "holds", "name", "next_to", "row", "space"];
            assert_eq!(keys(space), wanted.map(str::to_string).into());
            assert_eq!(space["row"].is_null(), layout == "names");
        }
    }
    let comb = &shown("comb --root tests/games")[0];
    let first = comb["spaces"].as_array().unwrap().iter().find(|space| space["space"] == "comb.r1c4").unwrap();
    assert_eq!((&first["row"], &first["column"], first["next_to"].as_array().unwrap().len()), (&1.into(), &4.into(), 3));
}

#[test]
fn a_field_that_a_pack_changes_says_where() {
    let card = &shown("nations persia_b --pack packs/dynasties")[0];
    assert!(card["patched"].is_object(), "{card}");
    run_in(root(), "show comb --root tests/games --json - --svg -").ends(2).says(&["--json and --svg cannot both go to the terminal"]);
}
