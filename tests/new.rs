//! `houserule new`: what it writes is in order, has tests that can fail, and what it says to try next works.

use crate::support::{SMALL, root};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs houserule in a folder.
fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_houserule")).args(args).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn ends(folder: &Path, args: &[&str], status: i32) -> String {
    let done = run(folder, args);
    let said = format!("{}{}", text(&done.stdout), text(&done.stderr));
    assert_eq!(done.status.code(), Some(status), "houserule {}\n{said}", args.join(" "));
    said
}

#[test]
fn no_shipped_card_is_called_like_a_word_of_the_language() {
    for name in houserule::pack::list_games(Some(root())) {
        let rules = crate::support::game(&name, 2);
        let ids = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        let reserved: Vec<&str> = ids.filter(|id| houserule::lang::built_in::is_reserved(id)).collect();
        assert!(reserved.is_empty(), "{name}: {reserved:?}");
    }
}

/// Runs every command that was said to be tried next, with fewer games.
#[track_caller]
fn follow(folder: &Path, said: &str) -> usize {
    let lines: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("  houserule ")).collect();
    for line in &lines {
        let fewer = line.replace("-n 1000", "-n 2").replace("-n 200", "-n 2");
        let words = shlex::split(&fewer).unwrap();
        let told = ends(folder, &words.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        let behind = words.iter().position(|word| word == "--root").map_or(0, |at| at + 2);
        let command = words.get(behind).map(String::as_str);
        assert!(command != Some("check") || told.contains("0 errors, 0 warnings"), "{told}");
        assert!(command != Some("test") || told.contains(" 0 failed") && !told.contains("\n0 passed"), "{told}");
    }
    lines.len()
}

/// Writes a file with something else in it.
#[track_caller]
fn change(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "no `{from}` in\n{text}");
    std::fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_card_is_made_in_a_pack_that_is_made_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = ends(here, &["new", "card", "lamplighter", "--kind", "advisor", "--game", "nations", "--in", "mypack"], 0);
    assert!(said.contains("mypack/pack.toml is written") && said.contains("mypack/cards/lamplighter.toml is written"), "{said}");
    assert_eq!(follow(here, &said), 4);
    insta::assert_snapshot!("new_card", std::fs::read_to_string(here.join("mypack/cards/lamplighter.toml")).unwrap());
    // Its tests can fail.
    change(&here.join("mypack/cards/lamplighter.toml"), "2)", "3)");
    assert!(ends(here, &["test", "mypack"], 1).contains("FAILED cards of mypack: lamplighter"));
}

#[test]
fn a_kind_of_the_game_is_said_alone_and_what_belongs_together_is_made_together() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = ends(here, &["new", "nation", "sparta", "--in", "mypack"], 0);
    assert!(said.contains("sparta and sparta_b"), "{said}");
    assert!(follow(here, &said) >= 3);
    let file = here.join("mypack/cards/sparta.toml");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("side  = \"a\"") && written.contains("side  = \"b\"") && written.contains("front = [\"sparta\"]"),
        "{written}"
    );
    change(&file, "start = { food = 3, stone = 5", "start = { food = 3, stone = 4");
    assert!(ends(here, &["test", "mypack"], 1).contains("sparta_b: what is printed"));
}

#[test]
fn every_kind_of_every_game_can_be_begun() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let small = root().join("tests/games").display().to_string();
    let of = |game: &str| {
        let root = if SMALL.iter().any(|(name, _)| *name == game) { small.clone() } else { root().display().to_string() };
        let told = ends(here, &["--root", &root, "words", "--game", game], 0);
        let kinds = told.split(&format!("{game}: kinds\n")).nth(1).map(|part| part.split("\n\n").next().unwrap().to_string());
        let names = kinds.iter().flat_map(|part| part.lines()).filter_map(|line| line.split_whitespace().next()).map(str::to_string);
        (root, names.collect::<Vec<String>>())
    };
    let games = ["nations", "nations-dice", "attic", "orchard", "tinkers"];
    for game in games {
        let (root, kinds) = of(game);
        assert!(!kinds.is_empty(), "{game}");
        let pack = format!("pack_{}", game.replace('-', "_"));
        for kind in &kinds {
            let id = format!("my_{kind}");
            ends(here, &["--root", &root, "new", "card", &id, "--kind", kind, "--game", game, "--in", &pack], 0);
        }
        let said = ends(here, &["--root", &root, "check", &pack], 0);
        assert!(said.contains("0 errors, 0 warnings"), "{said}");
        let said = ends(here, &["--root", &root, "test", &pack], 0);
        let passed: usize = said.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(passed >= kinds.len() && said.contains(" 0 failed"), "{said}");
        ends(here, &["fmt", "--check", &pack], 0);
    }
}

#[test]
fn for_a_game_of_ones_own_what_is_said_next_names_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, &["new", "game", "our own", "--in", "shelf"], 2);
    ends(here, &["new", "game", "harbour", "--in", "the shelf"], 0);
    let own = ["--root", "the shelf/harbour"];
    for what in [&["new", "pack", "more", "--game", "harbour"][..], &["new", "variant", "richer", "--game", "harbour"]] {
        let told = ends(here, what, 2);
        assert!(told.contains("there is no game `harbour`") && told.contains("`--root DIR`"), "{told}");
        let said = ends(here, &[&own, what].concat(), 0);
        assert!(follow(here, &said) >= 3, "{said}");
    }
    let small = root().join("tests/games").display().to_string();
    for game in ["attic", "orchard", "tinkers", "glutton"] {
        let said = ends(here, &["--root", &small, "new", "pack", &format!("more_{game}"), "--game", game], 0);
        assert!(follow(here, &said) >= 3, "{said}");
    }
    // Without it the message names the way out.
    assert!(ends(here, &["check", "more"], 1).contains("`--root DIR`"));
}

#[test]
fn a_pack_a_variant_and_a_game_are_in_order_and_what_they_say_next_works() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for game in ["nations", "nations-dice"] {
        let pack = format!("pack_for_{}", game.replace('-', "_"));
        assert!(follow(here, &ends(here, &["new", "pack", &pack, "--game", game], 0)) >= 3);
        // In a pack a variant goes where its rules and tests are.
        let said = ends(here, &["new", "variant", "richer", "--in", &pack], 0);
        assert!(said.contains(&format!("{pack}/rules/richer.rules")) && said.contains(&format!("{pack}/tests/richer.toml")), "{said}");
        assert_eq!(follow(here, &said), 3);
        ends(here, &["fmt", "--check", &pack, &format!("{pack}/tests")], 0);
    }
    let said = ends(here, &["new", "variant", "rich", "--game", "nations"], 0);
    assert_eq!(follow(here, &said), 3);
    change(&here.join("rich.rules"), "gain 1 ", "gain 2 ");
    assert!(ends(here, &["test", "rich.toml"], 1).contains("does not hold"));
    // A folder with a blank in its name is quoted.
    let said = ends(here, &["new", "game", "shell-beach", "--in", "my games"], 0);
    assert!(said.contains("houserule check 'my games/shell-beach'"), "{said}");
    assert_eq!(follow(here, &said), 4);
    let game = here.join("my games/shell-beach");
    ends(here, &["fmt", "--check", "my games/shell-beach", "my games/shell-beach/tests"], 0);
    change(&game.join("rules/shell-beach.rules"), "3 * (pearls / 2)", "4 * (pearls / 2)");
    assert!(ends(here, &["test", "my games/shell-beach"], 1).contains("pearls count in pairs"));
    change(&game.join("rules/shell-beach.rules"), "4 * (pearls / 2)", "3 * (pearls / 2)");
    // And a variant and a card of that game, into its folder.
    let said = ends(here, &["new", "variant", "longer", "--in", "my games/shell-beach"], 0);
    assert!(said.contains("my games/shell-beach/longer.rules") && said.contains("--root 'my games/shell-beach'"), "{said}");
    assert_eq!(follow(here, &said), 3);
    let said = ends(&game, &["new", "shell", "conch"], 0);
    assert!(said.contains("cards/shell-beach/conch.toml is written"), "{said}");
}

#[test]
fn nothing_is_written_over_and_wrong_use_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    ends(here, &["new", "advisor", "lamplighter", "--game", "nations", "--in", "mypack"], 0);
    std::fs::write(here.join("rich.toml"), "mine").unwrap();
    std::fs::create_dir(here.join("shore")).unwrap();
    std::fs::write(here.join("mypack/cards/lampion.toml"), "").unwrap();
    let small = root().join("tests/games").display().to_string();
    for (line, said) in [
        ("advisor lamplighter --in mypack", "there is `lamplighter` already"),
        ("advisor augustus --in mypack", "there is `augustus` already; `houserule show augustus`"),
        ("advisor lampion --in mypack", "`mypack/cards/lampion.toml` is there already"),
        ("advisor advisor --in mypack", "there is `advisor` already"),
        ("card lamp", "which kind of card? `--kind KIND`"),
        ("advisro lamp --in mypack", "did you mean `advisor`?"),
        ("advisor 'Lamp Post' --in mypack", "write `lamp_post`"),
        ("advisor ../lamp --in mypack", "write `lamp`"),
        ("advisor lamp --in mypack --game nations-dice", "is a pack for `nations`, not for `nations-dice`"),
        ("advisor lamp --in other", "for which game? `--game` nations or nations-dice"),
        ("advisor lamp --kind war", "`advisor` is the kind already"),
        ("advisor lamp", "`--in DIR` names one, or makes a pack"),
        ("pack mypack --game nations", "`mypack` is there already"),
        ("pack nations --game nations", "`nations` is a game"),
        ("pack other", "for which game?"),
        ("pack other --game natoins", "did you mean `nations`?"),
        ("variant rich --game nations", "`rich.toml` is there already"),
        ("variant campaign --game nations", "has a variant `campaign` already"),
        ("variant x --kind war", "`--kind` is about cards"),
        ("game shore", "`shore` is there already"),
        ("game nations", "there is a game `nations` already"),
        ("game x --game nations", "`new game` makes another"),
        ("card and --kind advisor --in mypack", "`and` is a word of the language"),
        ("card p1 --kind advisor --in mypack", "`p1` is a word of the language"),
        ("game x --lang fr", "`new` has no `--lang`"),
        ("card x --kind lamp --game glutton --root GAMES", "it has no cards; `houserule new variant` changes its rules"),
    ] {
        let words = shlex::split(&format!("new {line}").replace("GAMES", &small)).unwrap();
        let told = ends(here, &words.iter().map(String::as_str).collect::<Vec<_>>(), 2);
        assert!(told.contains(said) && !told.contains("is written\n") && !told.contains("is written:"), "{line}: no `{said}` in\n{told}");
    }
    assert_eq!(std::fs::read_to_string(here.join("rich.toml")).unwrap(), "mine");
    assert!(!here.join("other").exists() && !here.join("rich.rules").exists());
}
