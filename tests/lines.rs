//! What a seat sees, as lines of text: wrapped but never cut, grids drawn or listed, and what several states have in common.

use houserule::table::{Cell, Phrases, Section, SheetBlock, common_lines, section_lines, wrap};
use unicode_width::UnicodeWidthStr;

#[test]
fn nothing_is_cut_and_no_line_is_too_long() {
    let text = "one two  three antidisestablishmentarianism four";
    for width in 3..50 {
        let lines = wrap(text, width, 2);
        assert!(lines.iter().all(|line| line.width() <= width), "{width}: {lines:?}");
        let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
        assert_eq!(letters(&lines.concat()), letters(text));
    }
}

fn grid(columns: usize, rings: Option<usize>, cells: Vec<Option<Cell>>) -> Section {
    let grid = SheetBlock::Grid { title: "yard".into(), columns, rings, cells };
    Section { title: "table".into(), seat: None, summary: Vec::new(), blocks: vec![grid] }
}

fn cell(name: &str) -> Option<Cell> {
    Some(Cell { name: name.into(), ..Cell::default() })
}

#[test]
fn a_grid_is_drawn_where_there_is_room_and_listed_elsewhere() {
    let section = grid(2, None, vec![cell("Wisp"), cell("Grey Wolf"), cell(""), cell("Wall")]);
    let texts = |width, may| section_lines(&section, &Phrases::default(), width, may).into_iter().map(|line| line.text).collect::<Vec<_>>();
    assert_eq!(texts(40, true), ["table", "yard", "1 Wisp      Grey Wolf", "2 -         Wall"]);
    assert_eq!(texts(40, false), ["table", "yard", "row 1: 1 Wisp; 2 Grey Wolf", "row 2: 2 Wall"]);
    assert_eq!(texts(16, true), ["table", "yard", "row 1: 1 Wisp; 2", "  Grey Wolf", "row 2: 2 Wall"]);
}

#[test]
fn rows_of_hexagons_are_moved_against_each_other() {
    let cells = vec![None, cell("a"), cell("b"), cell("c"), cell("d"), cell("e"), cell("f"), cell("g"), None];
    let lines: Vec<String> =
        section_lines(&grid(3, Some(1), cells), &Phrases::default(), 60, true).into_iter().map(|line| line.text).collect();
    assert_eq!(lines[2..], ["1     a       b", "2 c       d       e", "3     f       g"]);
}

#[test]
fn a_line_counts_as_often_as_it_is_in_both() {
    let lines = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    assert_eq!(common_lines(lines("low low red"), &lines("low red high")), lines("low red"));
    assert_eq!(common_lines(lines("low low"), &lines("low low")), lines("low low"));
}

/// The table of limits in the book says what the program holds to.
#[test]
fn limits_in_the_book_are_those_of_the_program() {
    let source = |path: &str| std::fs::read_to_string(crate::support::root().join("src").join(path)).unwrap();
    let figure = |text: &str| text.replace('_', "").trim().parse::<u64>().unwrap();
    let limits = [
        ("players", "state/layout.rs", "MAX_SEATS"),
        ("kinds of cards", "rules/collect.rs", "MAX_KINDS"),
        ("copies of a card", "pack/cards.rs", "MAX_COPIES"),
        ("resources", "rules/slots.rs", "MAX_RESOURCES"),
        ("places, decks, grids and pools of cards", "rules/collect/members.rs", "MAX_PLACES"),
        ("cards in a place of a fixed number", "rules/collect/members.rs", "MAX_ROOM"),
        ("rows, and columns, of a grid or board", "rules/spaces.rs", "MAX_SIDE"),
        ("spaces of a board by names", "rules/spaces.rs", "MAX_NAMED"),
        ("links of a board", "rules/spaces.rs", "MAX_NAMED"),
        ("parts of the cards of a board, those of each copy counted", "ruleset/boards.rs", "MAX_SPACES"),
        ("piles of a deck", "rules/layout.rs", "MAX_PILES"),
        ("pieces of a kind of token", "rules/layout.rs", "MAX_TOKENS"),
        ("sorts of tokens with their faces", "ruleset/tokens.rs", "MAX_TOKEN_CLASSES"),
        ("words of a set", "rules/slots.rs", "MAX_SET_WORDS"),
        ("words of a purse", "ruleset/purses.rs", "MAX_WORDS"),
        ("entries of a tally by numbers", "rules/lower/tallies.rs", "MAX_ENTRIES"),
        ("things chosen by an action or answer", "ruleset/program.rs", "MAX_PARAMS"),
        ("guards of an action or answer", "ruleset/program.rs", "MAX_GUARDS"),
        ("costs of an action or answer", "rules/check/choice.rs", "MAX_COSTS"),
        ("answers to one question", "engine/options.rs", "MAX_OPTIONS"),
        ("answers in one turn", "engine/turn.rs", "MAX_ANSWERS"),
        ("rounds", "rules/check.rs", "MAX_ROUNDS"),
        ("passes of one loop", "engine/exec/control.rs", "MAX_PASSES"),
        ("effects within each other", "engine/state/frame.rs", "MAX_DEPTH"),
        ("values that expressions are made of, with `count` and `sum` over numbers written out", "rules/lower.rs", "MAX_NODES"),
    ];
    let book = include_str!("../docs/rules.md");
    let (_, table) = book.split_once("| of what | at most |").unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert_eq!(rows.len(), limits.len());
    for (row, (what, file, name)) in rows.into_iter().zip(limits) {
        let text = source(file);
        let (_, behind) = text.split_once(&format!("const {name}:")).unwrap_or_else(|| panic!("no {name} in {file}"));
        let (_, value) = behind.split_once('=').unwrap();
        let held = figure(value.split(';').next().unwrap());
        assert_eq!(row, format!("| {what} | {held} |"));
    }
}
