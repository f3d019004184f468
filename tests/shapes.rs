//! The whole of three games parses as shapes: Nations in full, the Dice Game, and the hard half of Near.

use crate::support::root;
use houserule::diagnostic::render::render;
use houserule::lang::ast::print;
use houserule::lang::parse::parse_rules;
use houserule::source::Sources;

#[test]
fn three_games_parse_as_shapes_and_print_back() {
    let mut files = Sources::read_dir(&root().join("tests/shapes"), "rules").expect("shapes");
    files.extend(Sources::read_dir(&root().join("rules"), "rules").expect("rules"));
    assert!(files.len() >= 3);
    for path in files {
        let mut sources = Sources::new();
        let file = sources.read_file(&path).expect("a file");
        let mut diagnostics = Vec::new();
        let block = parse_rules(file, sources.text(file), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{}", render(&sources, &diagnostics, false));
        let printed = print(&block);
        let again = parse_rules(file, &printed, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{}", path.display());
        assert_eq!(printed, print(&again), "{}", path.display());
    }
}
