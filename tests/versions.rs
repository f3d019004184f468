//! `houserule compare --since`: a game against another version of its files.

use crate::support::root;
use serde_json::Value;
use std::process::Command;

#[test]
fn a_version_of_the_files_is_compared_with_another() {
    let folder = tempfile::tempdir().unwrap();
    for (version, dice) in [("old", 5), ("new", 9)] {
        let text = std::fs::read_to_string(root().join("rules/nations-dice.rules")).unwrap();
        let changed = text.replace("constant start_dice    = 5", &format!("constant start_dice    = {dice}"));
        assert!(dice == 5 || changed != text);
        std::fs::create_dir_all(folder.path().join(version).join("rules")).unwrap();
        std::fs::write(folder.path().join(version).join("rules/nations-dice.rules"), changed).unwrap();
    }
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        let done = command.current_dir(folder.path()).args(args).output().unwrap();
        (format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr)), done.status.code())
    };
    let compare = ["--root", "new", "compare", "nations-dice", "--players", "2", "-n", "12", "--agents", "random", "--json", "a.json"];
    for since in ["old", "inside"] {
        let (said, status) = run(&[&compare[..], &["--since", since]].concat());
        assert_eq!(status, Some(0), "{said}");
        let json: Value = serde_json::from_str(&std::fs::read_to_string(folder.path().join("a.json")).unwrap()).unwrap();
        let text = json.to_string();
        assert!(text.contains(&format!("--since {since}")) && text.contains("start_dice"), "{text}");
    }
    // The same files are no change; a version without the game is none; and what is kept goes on with its versions.
    let (said, status) = run(&["--root", "old", "compare", "nations-dice", "--since", "inside"]);
    assert!(status == Some(2) && said.contains("nothing to compare"), "{said}");
    let (said, status) = run(&["compare", "nations-dice", "--since", "older"]);
    assert!(status == Some(2) && said.contains("`older` has neither rules/ nor cards/"), "{said}");
    let games = root().join("tests/games").display().to_string();
    let (said, status) = run(&["--root", &games, "compare", "skerry", "--since", "inside"]);
    assert!(status == Some(2) && said.contains("there is no game `skerry` inside the program"), "{said}");
    let kept = [&compare[..], &["--since", "old", "--save", "kept.run"]].concat();
    let first = run(&kept);
    let report = std::fs::read_to_string(folder.path().join("a.json")).unwrap();
    let again = run(&kept);
    assert_eq!((first.1, again.1), (Some(0), Some(0)), "{}{}", first.0, again.0);
    assert_eq!(std::fs::read_to_string(folder.path().join("a.json")).unwrap(), report);
}
