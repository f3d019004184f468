//! Runs that an earlier build has kept go on, and come to what a run in one piece comes to. `kept/` holds them, with the rules of their game.

use crate::support::{Folder, folder};

/// The file of a run as if this version had written it.
fn of_this_version(text: &str) -> String {
    let version = text.split('"').nth(3).unwrap();
    let text = text.replace(&format!("\"{version}\""), &format!("\"{}\"", env!("CARGO_PKG_VERSION")));
    let saved = text.trim_end().split_once("\"saved\":").unwrap().1.strip_suffix('}').unwrap();
    let (before, behind) = text.split_once("\"hash\":\"").unwrap();
    format!("{before}\"hash\":\"{:016x}{}", houserule::state::chance::hash_text(saved), &behind[16..])
}

/// What a JSON file has as result; what stands behind it depends on the clock.
fn result(folder: &Folder, file: &str) -> String {
    let text = folder.read(file);
    text.split_once("\n  }").map_or(text.clone(), |(result, _)| result.to_string())
}

#[test]
fn a_run_that_an_earlier_build_has_kept_goes_on() {
    let change = "--both 'extend score { \"two\" = 2 }' --with 'change score.reed to reed * 2'";
    for (line, kept) in [
        ("playtest pond -n 4000 --agents greedy,random --seed 3 --hooks".to_string(), include_str!("kept/playtest.run")),
        (format!("compare pond -n 4000 --agents greedy,random --seed 3 {change}"), include_str!("kept/compare.run")),
    ] {
        let folder = folder(&[("rules/pond.rules", include_str!("kept/pond.rules")), ("a.run", &of_this_version(kept))]);
        let went_on = folder.run(&format!("{line} --save a.run --json a.json --report a.html")).ends(0);
        let done = went_on.err.split_once("`a.run`: ").and_then(|(_, told)| told.split(' ').next()?.parse().ok());
        assert!(done.is_some_and(|done: u64| done > 0 && done < 4000), "{}", went_on.err);
        folder.run(&format!("{line} --json whole.json --report whole.html")).ends(0);
        folder.run("merge a.run --json merged.json --report merged.html").ends(0);
        for file in ["a", "merged"] {
            assert_eq!(result(&folder, &format!("{file}.json")), result(&folder, "whole.json"));
            assert_eq!(folder.read(&format!("{file}.html")), folder.read("whole.html"));
        }
    }
}
