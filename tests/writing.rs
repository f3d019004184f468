//! Files are written whole or not at all, by no name that somebody could have laid there, and nothing but their contents changes.
#![cfg(unix)]

use crate::support::{Folder, folder};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::PathBuf;

/// Rules that are not formatted.
const RAGGED: &str = "game toy \"Toy\"\nplayers 2\nplayer { counter   n }\n";

fn with_rules() -> (Folder, PathBuf) {
    let folder = folder(&[("games/rules/toy.rules", RAGGED), ("outside.txt", "mine")]);
    let rules = folder.at("games/rules/toy.rules");
    (folder, rules)
}

#[test]
fn a_link_beside_a_file_is_not_followed_and_files_beside_it_stay() {
    let (folder, rules) = with_rules();
    symlink(folder.at("outside.txt"), rules.with_extension("rules.new")).unwrap();
    fs::write(rules.with_extension("rules.part"), "mine, too").unwrap();
    folder.run("fmt games").ends(0).prints(&["1 formatted"]);
    assert_eq!((folder.read("outside.txt"), folder.read("games/rules/toy.rules.part")), ("mine".to_string(), "mine, too".to_string()));
    assert!(rules.with_extension("rules.new").is_symlink() && folder.read("games/rules/toy.rules").contains("counter n"));
    assert_eq!(fs::read_dir(rules.parent().unwrap()).unwrap().count(), 3, "nothing is left behind");
}

#[test]
fn a_file_keeps_its_rights_and_its_other_names() {
    let (folder, rules) = with_rules();
    fs::set_permissions(&rules, PermissionsExt::from_mode(0o640)).unwrap();
    fs::hard_link(&rules, folder.at("other.rules")).unwrap();
    let before = fs::metadata(&rules).unwrap();
    folder.run("fmt games").ends(0);
    let now = fs::metadata(&rules).unwrap();
    assert_eq!((now.mode(), now.uid(), now.ino(), now.nlink()), (before.mode(), before.uid(), before.ino(), 2));
    assert!(folder.read("other.rules").contains("counter n"));
}

#[test]
fn a_file_that_may_not_be_written_to_is_not_replaced() {
    let (folder, rules) = with_rules();
    fs::set_permissions(&rules, PermissionsExt::from_mode(0o444)).unwrap();
    folder.run("fmt games").ends(2).says(&["toy.rules", "it may not be written to"]);
    assert_eq!(folder.read("games/rules/toy.rules"), RAGGED);
}

#[test]
fn a_folder_is_formatted_up_to_where_links_lead_out_of_it() {
    let (folder, rules) = with_rules();
    folder.write("elsewhere/away.toml", "[[card]]\nid   = \"a\"\n");
    folder.write("games/node_modules/x.toml", "[[card]]\nid   = \"a\"\n");
    folder.write("games/built/CACHEDIR.TAG", "");
    folder.write("games/built/y.toml", "[[card]]\nid   = \"a\"\n");
    symlink(folder.at("elsewhere"), rules.parent().unwrap().join("away")).unwrap();
    fs::rename(&rules, folder.at("games/toy.rules")).unwrap();
    fs::rename(rules.parent().unwrap(), folder.at("games/sub")).unwrap();
    folder.run("fmt games").ends(0).says(&["left out: a link leads from", "away.toml"]).prints(&["1 file: 1 formatted"]);
    for untouched in ["elsewhere/away.toml", "games/node_modules/x.toml", "games/built/y.toml"] {
        assert!(folder.read(untouched).contains("id   ="), "{untouched}");
    }
}
