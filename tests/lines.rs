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
