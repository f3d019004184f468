//! The addresses that are kept while operations are applied are those that would be found anew (`expect_recount`). What operations do
//! is told in `tests/checks/overlays.txt`; each of them is applied here, alone and behind all others of its case.

use super::*;
use crate::parse_file;

#[test]
fn addresses_are_kept_with_every_operation() {
    let parsed = |text: &str| {
        let mut diagnostics = Vec::new();
        let file = parse_file(FileId(0), text, &mut diagnostics);
        diagnostics.is_empty().then_some(file)
    };
    let overlay = |file: File| Overlay { name: "a".to_string(), title: None, lines: file.lines, broken: Vec::new(), over: Vec::new() };
    let apply = |overlays: Vec<Overlay>| {
        let base = parsed(include_str!("../../../tests/checks/overlays.rules")).expect("sound rules");
        apply_overlays(rules_of(base), overlays, &|_| false, &mut Vec::new());
    };
    apply(vec![overlay(parsed(&"change start by players\n".repeat(100)).expect("an operation"))]);
    let mut count = 0;
    for case in include_str!("../../../tests/checks/overlays.txt").split("\n=== ") {
        let mut all = Vec::new();
        for line in case.lines() {
            let operations = line.split(" => ").next().and_then(|line| line.split("//~").next()).unwrap_or("");
            let operations = operations.split(" || ").map(|part| part.strip_prefix("over a: ").unwrap_or(part));
            let Some(files) = operations.map(parsed).collect::<Option<Vec<File>>>() else { continue };
            let overlays: Vec<Overlay> = files.into_iter().map(overlay).collect();
            count += overlays.iter().map(|overlay| overlay.lines.len()).sum::<usize>();
            all.extend(overlays.iter().cloned());
            apply(overlays);
        }
        apply(all);
    }
    assert!(count > 180, "{count}");
}
