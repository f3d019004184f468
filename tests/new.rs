//! `houserule new`: what it writes is in order, has tests that can fail, and what it says to try next works.

use crate::support::{Folder, SMALL, folder, game, root, run_in, small_games};

/// What is printed and said where a command ends so.
#[track_caller]
fn ends(folder: &Folder, line: &str, status: i32) -> String {
    folder.run(line).ends(status).all()
}

#[test]
fn no_shipped_card_is_called_like_a_word_of_the_language() {
    for name in houserule::pack::list_games(Some(root())) {
        let rules = game(&name, 2);
        let ids = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        let reserved: Vec<&str> = ids.filter(|id| houserule::lang::built_in::is_reserved(id)).collect();
        assert!(reserved.is_empty(), "{name}: {reserved:?}");
    }
}

/// Runs every command that was said to be tried next, with fewer games.
#[track_caller]
fn follow(folder: &Folder, said: &str) -> usize {
    let lines: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("  houserule ")).collect();
    for line in &lines {
        let fewer = line.replace("-n 1000", "-n 2").replace("-n 200", "-n 2");
        let told = ends(folder, &fewer, 0);
        let words = shlex::split(&fewer).unwrap();
        let behind = words.iter().position(|word| word == "--root").map_or(0, |at| at + 2);
        let command = words.get(behind).map(String::as_str);
        assert!(command != Some("check") || told.contains("0 errors, 0 warnings"), "{told}");
        assert!(command != Some("test") || told.contains(" 0 failed") && !told.contains("\n0 passed"), "{told}");
    }
    lines.len()
}

/// Writes a file with something else in it.
#[track_caller]
fn change(folder: &Folder, file: &str, from: &str, to: &str) {
    let text = folder.read(file);
    assert!(text.contains(from), "no `{from}` in\n{text}");
    folder.write(file, &text.replacen(from, to, 1));
}

#[test]
fn a_card_is_made_in_a_pack_that_is_made_for_it() {
    let folder = folder(&[]);
    let said = ends(&folder, "new card lamplighter --kind advisor --game nations --in mypack", 0);
    assert!(said.contains("mypack/pack.toml is written") && said.contains("mypack/cards/lamplighter.toml is written"), "{said}");
    assert_eq!(follow(&folder, &said), 4);
    insta::assert_snapshot!("new_card", folder.read("mypack/cards/lamplighter.toml"));
    // Its tests can fail.
    change(&folder, "mypack/cards/lamplighter.toml", "2)", "3)");
    assert!(ends(&folder, "test mypack", 1).contains("FAILED cards of mypack: lamplighter"));
}

#[test]
fn a_kind_of_the_game_is_said_alone_and_what_belongs_together_is_made_together() {
    let folder = folder(&[]);
    let said = ends(&folder, "new nation sparta --in mypack", 0);
    assert!(said.contains("sparta and sparta_b"), "{said}");
    assert!(follow(&folder, &said) >= 3);
    let file = "mypack/cards/sparta.toml";
    let written = folder.read(file);
    assert!(
        written.contains("side  = \"a\"") && written.contains("side  = \"b\"") && written.contains("front = [\"sparta\"]"),
        "{written}"
    );
    change(&folder, file, "start = { food = 3, stone = 5", "start = { food = 3, stone = 4");
    assert!(ends(&folder, "test mypack", 1).contains("sparta_b: what is printed"));
}

#[test]
fn every_kind_of_every_game_can_be_begun() {
    let folder = folder(&[]);
    let of = |game: &str| {
        let root = if SMALL.iter().any(|(name, _)| *name == game) { small_games() } else { root().display().to_string() };
        let told = ends(&folder, &format!("--root {root} words --game {game}"), 0);
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
            ends(&folder, &format!("--root {root} new card {id} --kind {kind} --game {game} --in {pack}"), 0);
        }
        let said = ends(&folder, &format!("--root {root} check {pack}"), 0);
        assert!(said.contains("0 errors, 0 warnings"), "{said}");
        let said = ends(&folder, &format!("--root {root} test {pack}"), 0);
        let passed: usize = said.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(passed >= kinds.len() && said.contains(" 0 failed"), "{said}");
        ends(&folder, &format!("fmt --check {pack}"), 0);
    }
}

#[test]
fn for_a_game_of_ones_own_what_is_said_next_names_its_folder() {
    let folder = folder(&[]);
    ends(&folder, "new game 'our own' --in shelf", 2);
    ends(&folder, "new game harbour --in 'the shelf'", 0);
    for line in ["new pack more --game harbour", "new variant richer --game harbour"] {
        let told = ends(&folder, line, 2);
        assert!(told.contains("there is no game `harbour`") && told.contains("`--root DIR`"), "{told}");
        let said = ends(&folder, &format!("--root 'the shelf/harbour' {line}"), 0);
        assert!(follow(&folder, &said) >= 3, "{said}");
    }
    for game in ["attic", "orchard", "tinkers", "glutton"] {
        let said = folder.run_small(&format!("new pack more_{game} --game {game}")).ends(0).all();
        assert!(follow(&folder, &said) >= 3, "{said}");
    }
    // Without it the message names the way out.
    assert!(ends(&folder, "check more", 1).contains("`--root DIR`"));
}

#[test]
fn a_pack_a_variant_and_a_game_are_in_order_and_what_they_say_next_works() {
    let folder = folder(&[]);
    for game in ["nations", "nations-dice"] {
        let pack = format!("pack_for_{}", game.replace('-', "_"));
        assert!(follow(&folder, &ends(&folder, &format!("new pack {pack} --game {game}"), 0)) >= 3);
        // In a pack a variant goes where its rules and tests are.
        let said = ends(&folder, &format!("new variant richer --in {pack}"), 0);
        assert!(said.contains(&format!("{pack}/rules/richer.rules")) && said.contains(&format!("{pack}/tests/richer.toml")), "{said}");
        assert_eq!(follow(&folder, &said), 3);
        ends(&folder, &format!("fmt --check {pack} {pack}/tests"), 0);
    }
    let said = ends(&folder, "new variant rich --game nations", 0);
    assert_eq!(follow(&folder, &said), 3);
    change(&folder, "rich.rules", "gain 1 ", "gain 2 ");
    assert!(ends(&folder, "test rich.toml", 1).contains("does not hold"));
    // A folder with a blank in its name is quoted.
    let said = ends(&folder, "new game shell-beach --in 'my games'", 0);
    assert!(said.contains("houserule check 'my games/shell-beach'"), "{said}");
    assert_eq!(follow(&folder, &said), 4);
    let rules = "my games/shell-beach/rules/shell-beach.rules";
    ends(&folder, "fmt --check 'my games/shell-beach' 'my games/shell-beach/tests'", 0);
    change(&folder, rules, "3 * (pearls / 2)", "4 * (pearls / 2)");
    assert!(ends(&folder, "test 'my games/shell-beach'", 1).contains("pearls count in pairs"));
    change(&folder, rules, "4 * (pearls / 2)", "3 * (pearls / 2)");
    // And a variant and a card of that game, into its folder.
    let said = ends(&folder, "new variant longer --in 'my games/shell-beach'", 0);
    assert!(said.contains("my games/shell-beach/longer.rules") && said.contains("--root 'my games/shell-beach'"), "{said}");
    assert_eq!(follow(&folder, &said), 3);
    let said = run_in(&folder.at("my games/shell-beach"), "new shell conch").ends(0).all();
    assert!(said.contains("cards/shell-beach/conch.toml is written"), "{said}");
}

#[test]
fn nothing_is_written_over_and_wrong_use_is_told_with_a_way_out() {
    let folder = folder(&[]);
    ends(&folder, "new advisor lamplighter --game nations --in mypack", 0);
    folder.write("rich.toml", "mine");
    std::fs::create_dir(folder.at("shore")).unwrap();
    folder.write("mypack/cards/lampion.toml", "");
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
        let told = ends(&folder, &format!("new {line}").replace("GAMES", &small_games()), 2);
        assert!(told.contains(said) && !told.contains("is written\n") && !told.contains("is written:"), "{line}: no `{said}` in\n{told}");
    }
    assert_eq!(folder.read("rich.toml"), "mine");
    assert!(!folder.at("other").exists() && !folder.at("rich.rules").exists());
}
