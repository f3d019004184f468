//! Boards as they are drawn: as text and as graphics. A small game has boards of all kinds; `tests/snapshots` holds what is drawn.

use crate::support::{host, root};
use houserule::agent::describe_view;
use houserule::engine::{Game, Ruleset};
use houserule::lang::{self, Setup};
use houserule::pack::Translations;
use houserule::source::Sources;
use houserule::table::{BoardPicture, DisplayNames, SvgUse, board_lines, board_picture, board_svg, section_lines, sheet};
use std::sync::Arc;

/// A game after so many first options, with its rules and names.
fn after(folder: &str, name: &str, players: usize, answers: usize) -> (Arc<Ruleset>, DisplayNames, Game) {
    // The game in `tests/drawn` has members that only pictures use, which is a warning.
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, Some(&root().join(folder)), name, &[], &[], &mut diagnostics).expect("the game loads");
    let rules = Arc::new(lang::compile(&text, &Setup { players, ..Setup::default() }, &mut diagnostics).expect("the game compiles"));
    let (mut host, mut game) = (host(&rules), Game::new(&rules, 1));
    for _ in 0..answers {
        game.on(&rules).advance(&mut host).unwrap();
        game.on(&rules).answer(&mut host, 0).unwrap();
    }
    game.on(&rules).advance(&mut host).unwrap();
    (rules, DisplayNames::new(&text, Translations::default()), game)
}

fn pictures((rules, words, game): &(Arc<Ruleset>, DisplayNames, Game), seat: usize) -> Vec<BoardPicture> {
    let view = game.view_of(rules, seat);
    let seen = describe_view(rules, &view);
    rules.boards.iter().map(|board| board_picture(rules, words, &seen, board)).collect()
}

fn text(pictures: &[BoardPicture], width: usize) -> String {
    let lines = pictures.iter().flat_map(|picture| board_lines(picture, width)).map(|line| line.text);
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn boards_are_drawn_as_text_with_a_legend() {
    let comb = pictures(&after("tests/games", "comb", 2, 9), 0);
    let dike = pictures(&after("tests/games", "dike", 2, 2), 0);
    let islet = pictures(&after("tests/drawn", "islet", 2, 0), 0);
    insta::assert_snapshot!("drawn_boards", [text(&comb, 80), text(&dike, 80), text(&islet, 80)].join("\n\n"));
}

#[test]
fn what_does_not_fit_is_left_out_and_said_and_in_the_end_listed() {
    let islet = pictures(&after("tests/drawn", "islet", 2, 0), 0);
    insta::assert_snapshot!("drawn_narrow", [40, 24].map(|width| text(&islet[..1], width)).join("\n\n"));
    for width in [20, 24, 30, 60] {
        assert!(text(&islet, width).lines().all(|line| line.chars().count() <= width), "{width}");
    }
}

#[test]
fn boards_are_drawn_as_graphics() {
    let islet = pictures(&after("tests/drawn", "islet", 2, 0), 0);
    let all: Vec<String> = islet.iter().map(|picture| board_svg(picture, SvgUse::File)).collect();
    insta::assert_snapshot!("drawn_islet_svg", all[0]);
    insta::assert_snapshot!("drawn_pass_svg", all[3]);
    for svg in &all {
        assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ") && svg.ends_with("</svg>\n"), "{svg}");
    }
    // In a page nothing refers to anywhere else.
    assert!(!board_svg(&islet[0], SvgUse::Page).contains("http"));
}

#[test]
fn what_others_hide_is_not_drawn() {
    let islet = after("tests/drawn", "islet", 2, 0);
    for seat in 0..2 {
        let lair =
            pictures(&islet, seat)[0].spaces.iter().flat_map(|space| &space.parts).filter(|part| part.words.contains("lair")).count();
        assert_eq!(lair, 1, "a seat sees its own alone");
        let svg = board_svg(&pictures(&islet, seat)[0], SvgUse::File);
        assert!(svg.contains(&format!("p{} (lair)", seat + 1)) && !svg.contains(&format!("p{} (lair)", 2 - seat)));
    }
}

#[test]
fn a_card_on_a_board_stands_in_the_picture_alone() {
    let (rules, words, game) = after("tests/drawn", "islet", 2, 0);
    let sections = sheet(&rules, &game, 0, &words, &[], &Default::default());
    let lines: Vec<String> =
        sections.iter().flat_map(|section| section_lines(section, words.phrases(), 80, true)).map(|line| line.text).collect();
    assert!(lines.iter().any(|line| line.contains("Old Tower")) && !lines.iter().any(|line| line == "lying"), "{lines:#?}");
}
