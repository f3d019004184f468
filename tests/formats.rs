//! `--format` of `check` and `test`: for build servers.

use crate::support::{Folder, folder, manifest};

/// A card with a fault.
const WRONG: &str = "# \u{e9}\n[[card]]\nid = \"sun_dial\"\nkind = \"clock\"\nvp = 3\nheigth = 4\n";
/// A card with a test that fails.
const UNTRUE: &str =
    "[[card]]\nid = \"sun_dial\"\nkind = \"clock\"\nvp = 3\n\n[[card.test]]\nname = \"so high\"\nthen = \"sun_dial.vp == 4\"\n";

/// A pack with this card, in a folder whose name must be escaped.
fn pack(card: &str) -> Folder {
    folder(&[("my pack,1%/pack.toml", &manifest("mypack", "attic")), ("my pack,1%/cards/a.toml", card)])
}

#[test]
fn faults_are_written_in_every_format() {
    let folder = pack(WRONG);
    let check = |more: &str| folder.run_small(&format!("check 'my pack,1%' {more}")).ends(1);
    let text = check("").prints(&["1 error, 0 warnings"]).says(&["error["]);
    // Nothing else goes to the terminal.
    let sarif = check("--format sarif").quietly().out;
    insta::assert_snapshot!("check_sarif", sarif);
    let github = check("--format github").out;
    insta::assert_snapshot!("check_github", github);
    // `--json FILE` is one more format.
    let json = check("--format json").out;
    assert_eq!(check("--json -").out, json);
    let all = check("--format github --format sarif=a.sarif --json a.json --format text=a.txt").quietly();
    assert_eq!((all.out, folder.read("a.sarif"), folder.read("a.json")), (github, sarif, json));
    assert_eq!(folder.read("a.txt"), format!("{}{}", text.err, text.out));
    // With files alone, text stays on the terminal.
    assert_eq!(check("--format sarif=b.sarif").out, text.out);
}

#[test]
fn results_of_tests_are_written_in_every_format() {
    let folder = pack(UNTRUE);
    let test = |more: &str| folder.run_small(&format!("test 'my pack,1%' {more}"));
    insta::assert_snapshot!("test_github", test("--format github").ends(1).out);
    let json = test("--format json --junit a.xml").json();
    assert_eq!((&json["passed"], &json["failed"]), (&0.into(), &1.into()));
    let case = &json["tests"][0];
    assert_eq!((&case["name"], &case["line"], &case["file"]), (&"sun_dial: so high".into(), &6.into(), &"my pack,1%/cards/a.toml".into()));
    assert!(folder.at("a.xml").is_file());
    let sarif = test("--format sarif").json();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "my%20pack%2C1%25/cards/a.toml");
    assert!(result["message"]["text"].as_str().unwrap().contains("expected 4, was 3"));
}

/// A file that cannot be read ended `test` before any report was written.
#[test]
fn reports_are_written_also_where_a_pack_cannot_be_read() {
    let folder = pack(UNTRUE);
    folder.write("my pack,1%/pack.toml", "name = \"mypack\"\nversion =\n");
    let json = folder.run_small("test 'my pack,1%' --format json --junit o.xml").ends(1).json();
    assert!(json["faults"].as_array().is_some_and(|faults| !faults.is_empty()), "{json}");
    assert!(folder.read("o.xml").contains("<testsuites"));
}

#[test]
fn formats_that_contradict_each_other_are_refused() {
    let folder = pack(WRONG);
    let refused = |line: &str, said: &str| drop(folder.run_small(line).ends(2).says(&[said]));
    refused("check --format json --format sarif", "cannot both go to the terminal");
    refused("check --format sarif=x --json x", "cannot both go to `x`");
    refused("check --format xml", "there is no format `xml`; there are text, json, sarif and github");
    refused("test --format sarif=", "names no file");
}
