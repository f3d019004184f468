//! `houserule compare --since`: a game against another version of its files.

use crate::support::{folder, read, replaced};

#[test]
fn a_version_of_the_files_is_compared_with_another() {
    let old = read("rules/nations-dice.rules");
    let new = replaced(&old, &[("constant start_dice    = 5", "constant start_dice    = 9")]);
    let folder = folder(&[("old/rules/nations-dice.rules", &old), ("new/rules/nations-dice.rules", &new)]);
    let compare = "--root new compare nations-dice --players 2 -n 12 --agents random --json a.json";
    for since in ["old", "inside"] {
        folder.run(&format!("{compare} --since {since}")).ends(0);
        let text = folder.json("a.json").to_string();
        assert!(text.contains(&format!("--since {since}")) && text.contains("start_dice"), "{text}");
    }
    // The same files are no change; a version without the game is none; and what is kept goes on with its versions.
    folder.run("--root old compare nations-dice --since inside").ends(2).says(&["nothing to compare"]);
    folder.run("compare nations-dice --since older").ends(2).says(&["`older` has neither rules/ nor cards/"]);
    folder.run_small("compare skerry --since inside").ends(2).says(&["there is no game `skerry` inside the program"]);
    let kept = format!("{compare} --since old --save kept.run");
    folder.run(&kept).ends(0);
    let report = folder.read("a.json");
    folder.run(&kept).ends(0);
    assert_eq!(folder.read("a.json"), report);
}
