//! `--format` of `check` and `test`: for build servers.

use crate::support::root;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A pack with a fault and a test that fails, in a folder whose name must be escaped.
fn pack(folder: &Path) {
    let pack = folder.join("my pack,1%");
    std::fs::create_dir_all(pack.join("cards")).unwrap();
    std::fs::write(pack.join("pack.toml"), "name = \"mypack\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"attic\"\n").unwrap();
    let wrong = "# \u{e9}\n[[card]]\nid = \"sun_dial\"\nkind = \"clock\"\nvp = 3\nheigth = 4\n";
    std::fs::write(pack.join("cards/a.toml"), wrong).unwrap();
}

fn mend(folder: &Path) {
    let card = "[[card]]\nid = \"sun_dial\"\nkind = \"clock\"\nvp = 3\n\n[[card.test]]\nname = \"so high\"\nthen = \"sun_dial.vp == 4\"\n";
    std::fs::write(folder.join("my pack,1%/cards/a.toml"), card).unwrap();
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let games = root().join("tests/games").display().to_string();
    let done = Command::new(env!("CARGO_BIN_EXE_houserule")).args(["--root", &games]).args(args).current_dir(folder).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn faults_are_written_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    let check = |args: &[&str]| run(folder.path(), &[&["check", "my pack,1%"], args].concat());
    let (status, plain, faults) = check(&[]);
    assert!(status == Some(1) && plain.contains("1 error, 0 warnings") && faults.contains("error["), "{plain}{faults}");
    let (status, sarif, err) = check(&["--format", "sarif"]);
    assert_eq!((status, err.as_str()), (Some(1), ""), "nothing else goes to the terminal");
    insta::assert_snapshot!("check_sarif", sarif);
    let (_, github, _) = check(&["--format", "github"]);
    insta::assert_snapshot!("check_github", github);
    // `--json FILE` is one more format.
    let (_, json, _) = check(&["--format", "json"]);
    assert_eq!(check(&["--json", "-"]).1, json);
    let (status, said, told) = check(&["--format", "github", "--format", "sarif=a.sarif", "--json", "a.json", "--format", "text=a.txt"]);
    assert_eq!((status, said, told.as_str()), (Some(1), github, ""));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!((read("a.sarif"), read("a.json")), (sarif, json));
    assert_eq!(read("a.txt"), format!("{faults}{plain}"));
    // With files alone, text stays on the terminal.
    assert_eq!(check(&["--format", "sarif=b.sarif"]).1, plain);
}

#[test]
fn results_of_tests_are_written_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    mend(folder.path());
    let test = |args: &[&str]| run(folder.path(), &[&["test", "my pack,1%"], args].concat());
    let (status, github, _) = test(&["--format", "github"]);
    assert_eq!(status, Some(1));
    insta::assert_snapshot!("test_github", github);
    let (_, json, _) = test(&["--format", "json", "--junit", "a.xml"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["passed"], &json["failed"]), (&0.into(), &1.into()));
    let case = &json["tests"][0];
    assert_eq!((&case["name"], &case["line"], &case["file"]), (&"sun_dial: so high".into(), &6.into(), &"my pack,1%/cards/a.toml".into()));
    assert!(folder.path().join("a.xml").is_file());
    let (_, sarif, _) = test(&["--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "my%20pack%2C1%25/cards/a.toml");
    assert!(result["message"]["text"].as_str().unwrap().contains("expected 4, was 3"));
}

/// A file that cannot be read ended `test` before any report was written.
#[test]
fn reports_are_written_also_where_a_pack_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    mend(folder.path());
    std::fs::write(folder.path().join("my pack,1%/pack.toml"), "name = \"mypack\"\nversion =\n").unwrap();
    let (status, json, _) = run(folder.path(), &["test", "my pack,1%", "--format", "json", "--junit", "o.xml"]);
    assert_eq!(status, Some(1));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json["faults"].as_array().is_some_and(|faults| !faults.is_empty()), "{json}");
    assert!(std::fs::read_to_string(folder.path().join("o.xml")).unwrap().contains("<testsuites"));
}

#[test]
fn formats_that_contradict_each_other_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    for (args, said) in [
        (&["check", "--format", "json", "--format", "sarif"][..], "cannot both go to the terminal"),
        (&["check", "--format", "sarif=x", "--json", "x"], "cannot both go to `x`"),
        (&["check", "--format", "xml"], "there is no format `xml`; there are text, json, sarif and github"),
        (&["test", "--format", "sarif="], "names no file"),
    ] {
        let (status, _, err) = run(folder.path(), args);
        assert!(status == Some(2) && err.contains(said), "{}: {err}", args.join(" "));
    }
}
