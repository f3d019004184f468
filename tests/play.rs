//! Games at the keyboard, line by line, as a script or a screen reader drives them; saves, and replays.

use crate::support::{Folder, Ran, SMALL, folder, manifest, program, read, root, run_typed};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs houserule in the repository with these lines typed.
fn run(line: &str, typed: &str) -> Ran {
    run_typed(root(), line, typed)
}

/// The line with the hash of the last state.
#[track_caller]
fn state(ran: &Ran) -> &str {
    let line = ran.out.lines().rfind(|line| line.contains(", state ")).unwrap_or_else(|| panic!("no state:\n{}", ran.all()));
    line.split(", state ").nth(1).unwrap()
}

/// The questions that were put, in their order.
fn questions(ran: &Ran) -> Vec<&str> {
    let asked = ran.out.lines().filter_map(|line| line.split_once(" is asked: "));
    asked.map(|(_, question)| question.split(" (").next().unwrap()).collect()
}

/// So many lines with the first answer.
fn ones(count: usize) -> String {
    "1\n".repeat(count)
}

/// A game of Nations for two people in which the first begins with the Lamplighter of a pack in this folder.
fn lamplit(folder: &Folder, seats: &str) -> String {
    format!("play nations --players 2 --seat {seats} --deal lamplighter@p1 --seed 4 --plain --pack {}", folder.name("pack"))
}

/// A folder with a pack that has this advisor.
fn lamplighter(text: &str, production: &str) -> Folder {
    let card = format!(
        "[[card]]\nid = \"lamplighter\"\nname = \"The Lamplighter\"\nkind = \"advisor\"\nage = 1\nset = \"base\"\nsource = \"original\"\n\
         text = \"Production: {text}.\"\non.production = {{ {production} }}\n"
    );
    folder(&[("pack/pack.toml", &manifest("mypack", "nations")), ("pack/cards/a.toml", &card)])
}

#[test]
fn a_game_that_is_saved_in_the_middle_of_a_cards_choice_comes_to_the_same_end() {
    let folder = lamplighter("1 stone, gold or book", "ask = \"one of stone, gold, book\", do = \"gain(me, answer, 1)\"");
    let begin = lamplit(&folder, "human,greedy");
    let whole = run(&begin, &ones(2000)).ends(0);
    let at = questions(&whole).iter().position(|question| *question == "what The Lamplighter is to do").expect("a card asks something");
    let all = questions(&whole).len();
    let save = folder.name("middle.replay");
    let first = run(&begin, &format!("{}save {save}\nquit\n", ones(at))).ends(0).tells(&["the game is saved in", "Lamplighter"]);
    assert_eq!(questions(&first).last(), questions(&whole).get(at), "it is left in the middle of the card's question");
    let saved = folder.read("middle.replay");
    assert!(saved.contains("over    = false") && saved.contains("packs   = [\"mypack 1.0 "), "{saved}");
    let second = run(&format!("play --load {save} --plain"), &ones(2000)).ends(0);
    assert_eq!(questions(&second)[..], questions(&whole)[at..]);
    assert_eq!(questions(&second).len(), all - at);
    assert_eq!(state(&second), state(&whole));
}

#[test]
fn every_small_game_is_played_to_its_end_by_people_alone() {
    for (game, players) in SMALL {
        let line = format!("play {game} --root tests/games --players {players} --seat human --seed 1 --plain");
        // One in two stops where it could go on for ever; a number that no option has is refused, and the question stands.
        let typed = "2\n1\n".repeat(3000);
        let one = run(&line, &typed).ends(0).tells(&["the game is over", "points", "state "]);
        assert_eq!(state(&one), state(&run(&line, &typed)), "{game}");
    }
}

/// Replays of whole games.
fn golden() -> Vec<std::path::PathBuf> {
    let files = std::fs::read_dir(root().join("tests/replays")).expect("the folder");
    let mut paths: Vec<_> =
        files.map(|file| file.expect("a file").path()).filter(|path| path.extension().is_some_and(|end| end == "replay")).collect();
    paths.sort();
    paths
}

/// The folder whose games a replay is of.
fn root_of(text: &str) -> &'static str {
    let small = SMALL.iter().any(|(game, _)| text.contains(&format!("game    = \"{game}\"")));
    if small { "tests/games" } else { "." }
}

/// A change of rules or cards that these games feel is told here; `tests/replays/record` plays them anew, and the commit says what changed.
#[test]
fn games_that_were_kept_come_to_the_same_end() {
    let all = golden();
    let games = houserule::pack::list_games(Some(root())).into_iter().chain(SMALL.map(|(game, _)| game.to_string()));
    let texts: Vec<String> = all.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for game in games {
        assert!(
            texts.iter().any(|text| text.contains(&format!("game    = \"{game}\"")) && text.contains("over    = true")),
            "no replay of {game}"
        );
    }
    for (path, text) in all.iter().zip(&texts) {
        run(&format!("--root {} replay {} --verify", root_of(text), path.display()), "")
            .ends(0)
            .tells(&["the same state; the game is over"]);
    }
}

#[test]
fn a_replay_that_ends_with_another_winner_does_not_verify() {
    let folder = folder(&[]);
    let replay = folder.name("a.replay");
    run(&format!("playtest nations --players 2 --game 1 --replay {replay}"), "").ends(0);
    let text = folder.read("a.replay");
    let changed = folder.name("changed.replay");
    let verify = |text: &str| {
        folder.write("changed.replay", text);
        run(&format!("replay {changed} --verify"), "")
    };
    verify(&text).ends(0).tells(&["the same state; the game is over, with the same points and winners"]);
    let with = |rule: &str| text.replacen("rules   =", &format!("with    = ['{rule}']\nrules   ="), 1);
    // The same answers and the same state, and somebody else has won, or the points are others.
    verify(&with("replace wins lowest score, then order")).ends(1).tells(&["error[G303]: the game comes to another result: "]);
    let found = verify(&with("replace score.colonies = 100"));
    found.ends(1).tells(&["error[G303]: the game comes to another result: ", "p1 had ", " points, and now has ", "p2 had "]);
    // Shown from end to end it is told as well, and who goes on with it is told.
    run(&format!("replay {changed} --plain"), "").ends(1).tells(&["error[G303]"]);
    run(&format!("play --load {changed} --plain"), "").ends(0).tells(&["note: the game comes to another result"]);
    // A text in other words changes nothing.
    let same = "this game does not feel it";
    verify(&with("add needs ever: round > 0 \"other words\" to action.buy")).ends(0).tells(&["with the same points and winners", same]);
    // An early replay does not say what the game has come to.
    let early: String = text
        .lines()
        .filter(|line| !["points ", "order ", "winners"].iter().any(|key| line.starts_with(key)))
        .map(|line| format!("{line}\n"))
        .collect();
    verify(&early).ends(0).tells(&["the same state; the game is over\n", "is not noted in this file"]);
    verify(&text.replacen("winners = [\"p", "winners = [\"q", 1)).ends(1).tells(&["error[G304]: `q"]);
    // Answers behind the end, and too few of them.
    let last = text.lines().rfind(|line| line.starts_with('p') && line.contains(": ")).unwrap();
    verify(&text.replacen("\n'''\n", &format!("\n{last}\n'''\n"), 1)).ends(1).tells(&["comes after the end of the game"]);
    let (before, _) = text.rsplit_once(last).unwrap();
    verify(&format!("{before}'''\n")).ends(1).tells(&["error[G303]: after the last answer the game stands otherwise"]);
}

#[test]
fn a_file_of_a_game_starts_no_program() {
    let folder = folder(&[]);
    let (save, marker) = (folder.name("a.replay"), folder.name("started"));
    run(&format!("play nations --players 3 --seed 4 --plain --save {save}"), "1\nquit\n").ends(0);
    let text = folder.read("a.replay");
    let seats = text.lines().find(|line| line.starts_with("seats ")).unwrap();
    for wanted in [format!("[\"human\", \"exec:touch {marker}\", \"greedy\"]"), format!("[\"human,exec:touch {marker}\"]")] {
        folder.write("a.replay", &text.replacen(seats, &format!("seats   = {wanted}"), 1));
        run(&format!("play --load {save} --plain"), &ones(3)).ends(2).tells(&[
            "names a program to be started: p2 is to be `exec:touch ",
            "a file never starts a program; say on the command line who plays:",
            &format!("--seat human --seat 'exec:touch {marker}' --seat "),
            "--seat human,greedy,greedy  to play against ours",
        ]);
        run(&format!("replay {save} --verify"), "").ends(0);
        run(&format!("replay {save} --plain"), "").ends(0).tells(&["exec:touch"]);
        run(&format!("why --replay {save}"), "").ends(0);
        run(&format!("play --load {save} --plain --seat human,greedy"), "quit\n").ends(0).tells(&["p2 (greedy)"]);
        assert!(!folder.at("started").exists(), "a program was started");
    }
    // Who types it has it: the program is started, and says nothing that could be understood.
    run(&format!("play --load {save} --plain --seat human --seat 'exec:touch {marker}'"), &ones(300)).ends(1);
    assert!(folder.at("started").exists());
}

#[test]
fn a_save_holds_every_answer_at_once() {
    let folder = folder(&[]);
    let save = folder.name("a.replay");
    let line = format!("play nations-dice --players 2 --seed 17 --seat human --plain --save {save}");
    let mut child = program(root(), &line).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let answers = || {
        std::fs::read_to_string(folder.at("a.replay"))
            .map_or(0, |text| text.lines().filter(|line| line.starts_with('p') && line.contains(": ")).count())
    };
    for count in 1..6 {
        input.write_all(b"1\n").unwrap();
        let begun = std::time::Instant::now();
        while answers() < count {
            assert!(begun.elapsed() < std::time::Duration::from_secs(60), "answer {count} is not saved");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let text = folder.read("a.replay");
    run(&format!("replay {save} --verify"), "").ends(0).tells(&["5 answers, the same state; the game is not over"]);
    run(&format!("play --load {save} --plain"), "quit\n").ends(0).tells(&["left after 5 answers"]);
    assert_eq!(folder.read("a.replay"), text, "who only looks changes nothing");
    // With `--save` it goes on in the same file, to the end of the game, which says who has won.
    let ran = run(&format!("play --load {save} --save {save} --plain"), &"2\n1\n".repeat(3000)).ends(0);
    ran.tells(&["the game is over", &format!("`houserule replay {save}` shows it")]);
    let text = folder.read("a.replay");
    assert!(text.contains("over    = true") && text.contains("\nwinners = [\"p"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_game_is_saved_in_files_alone() {
    let folder = folder(&[("notes.txt", "mine")]);
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().unwrap().success());
    let begin = "play nations --players 2 --seed 4 --plain";
    for (to, said) in [("pipe", "is no file"), ("", "is no file"), ("notes.txt", "is no game that was kept")] {
        let to = folder.name(to);
        run(&format!("{begin} --save {to}"), "quit\n").ends(2).tells(&[said]);
        run(begin, &format!("save {to}\nquit\n")).ends(0).tells(&[said]);
    }
    assert_eq!(folder.read("notes.txt"), "mine");
}

#[test]
fn the_seed_that_was_typed_is_the_one_that_is_told() {
    for seed in ["3", "18446744073709551615"] {
        let ran = run(&format!("play nations --players 2 --seat random --seed {seed} --plain"), "").ends(0);
        ran.tells(&[&format!(", seed {seed}\n"), &format!("\nseed {seed}, state ")]);
    }
}

#[test]
fn questions_and_answers_are_told_in_words() {
    let ran = run("play nations --players 2 --seed 17 --plain", "why nubia\nwhy --deep score\ncard 1\nquit\n").ends(0);
    assert!(!ran.out.contains(".answer") && !ran.out.contains("take gold (") && !ran.out.contains("progress["), "{}", ran.out);
    let ran = run("play nations --players 2 --seed 17 --plain", &format!("{}quit\n", ones(3))).ends(0);
    // What an answer brings stands behind it.
    assert!(ran.out.lines().any(|line| line.trim_start().starts_with(char::is_numeric) && line.contains("  +")), "{}", ran.out);
}

#[test]
fn what_is_printed_on_spaces_and_cards_is_shown_at_the_table() {
    let small =
        |game: &str, typed: &str| run(&format!("--root tests/games play {game} --plain --seed 1 --players 2 --seat human"), typed).ends(0);
    let ran = small("dike", "card north\nquit\n").tells(&["north: mark 1, next to pier and mill", "north (space of dike)", "  mark 1\n"]);
    // A key and what it is called say the same; what is printed says more.
    ran.tells(&[" 1 walk north  (mark 1)\n"]);
    // Rows of hexagons say where they begin, as keys do, and the numbers of columns stand above and below.
    let ran =
        small("comb", "quit\n").tells(&["       4 5 6 7\nr1c4    . . . .\n", "r7c1    . . . .\n         1 2 3 4\n", " 1 fill comb.r1c4\n"]);
    assert!(!ran.out.contains("(fill comb"), "{}", ran.out);
    small("orchard", "quit\n").tells(&["choose apple_1_12  (Apple tree 1.12: vp 3, season 1)\n", "choose hive_1_1  (season 1)\n"]);
    run("--root tests/games show dike north", "").ends(0).tells(&["mark", "dike.rules:"]);
    // A board is shown as it is after set-up.
    let show = |more: &str| run(&format!("--root tests/games show comb comb {more}"), "");
    show("--eyes p2").ends(0).tells(&["after 0 answers, seed 1, as p2 sees it\ncomb\n", "r4c1 . . . . . . .\n"]);
    show("--svg -").ends(0).tells(&["<svg xmlns", "<title>comb r4c7: empty</title>"]);
    show("--eyes p9").ends(2).tells(&["`p9` is no seat of this game"]);
    show("--json -").ends(0).tells(&["\"is\": \"board\"", "\"space\": \"comb.r1c4\""]);
    run("--root tests/games show dike north --svg -", "").ends(2).tells(&["`north` is no board"]);
    // The page of a run has the boards at the end of its first game.
    let page = run("--root tests/games playtest comb -n 2 --agents random --report -", "").ends(0);
    page.tells(&["<h2>The board at the end of the first game</h2>\n<section>\n<figure class=\"wide\"><svg viewBox", "comb r4c4: owner: p"]);
}

#[test]
fn a_card_that_is_named_alone_says_what_can_be_done_with_it() {
    let ran = run(
        "play nations --players 3 --seat human,random --seed 17 --plain",
        "1\nwhy nubia\nwhy hoplite\nwhy the bible\nwhy american_civil_war\nquit\n",
    )
    .ends(0);
    assert!(!ran.out.contains("nubia of p1"), "{}", ran.out);
    ran.tells(&["Hoplite: possible, option ", "nothing that can be done now is about American Civil War"]);
}

#[test]
fn a_replay_that_goes_another_way_says_where_and_why() {
    let folder = folder(&[]);
    let text = read("tests/replays/nations-2.replay");
    let wrong = folder.name("wrong.replay");
    let verify = |text: &str| {
        folder.write("wrong.replay", text);
        run(&format!("replay {wrong} --verify"), "").ends(1)
    };
    // The first card that is bought in the third round, and how many answers come before it.
    let (before, later) = text.split_once("# round 3\n").expect("a third round");
    let bought = later.lines().find(|line| line.contains(": buy ")).expect("something is bought");
    let answers = |text: &str| text.lines().filter(|line| line.starts_with("p1: ") || line.starts_with("p2: ")).count();
    let number = answers(before) + answers(later.split_once(bought).unwrap().0) + 1;
    let (seat, key) = bought.split_once(": ").unwrap();
    // From the third round on nothing can be bought.
    let rule = "with    = ['add needs closed: round < 3 \"the market is closed\" to action.buy']";
    let found = verify(&text.replacen("rules   =", &format!("{rule}\nrules   ="), 1));
    let line = text.lines().position(|line| line == bought).unwrap() + 2;
    for said in [
        format!("error[G302]: at answer {number} {seat} cannot answer `{key}`\n"),
        format!("wrong.replay:{line}:1\n"),
        "here the game goes another way\n".to_string(),
        "= help: closed: the market is closed\n".to_string(),
        format!("= help: {seat} is asked `action`\n"),
        "= help: the rules or cards have changed since this was written, by version 0.1.0 of the program\n".to_string(),
    ] {
        assert!(found.err.contains(&said), "nothing says `{said}`:\n{}", found.err);
    }
    let instead = found.err.split_once("the answers are: ").expect("what could be answered").1.lines().next().unwrap();
    assert!(instead.split(", ").any(|key| key == "pass") && !instead.contains("buy "), "{instead}");
    // The same card twice: it is gone.
    let found = verify(&text.replacen(bought, &format!("{bought}\n{bought}"), 1));
    assert!(found.err.contains(&format!("error[G302]: at answer {} ", number + 1)), "{}", found.err);
    // Every answer is possible, and the end is another.
    let end = text.lines().find(|line| line.starts_with("end ")).unwrap();
    let over = if text.contains("over    = true") { ["over    = true", "over    = false"] } else { ["over    = false", "over    = true"] };
    verify(&text.replacen(over[0], over[1], 1)).tells(&["error[G303]: the state is the same, but `over` says that the game is"]);
    verify(&text.replacen(end, "end     = \"0\"", 1)).tells(&["error[G303]: after the last answer the game stands otherwise"]);
}

#[test]
fn a_new_version_of_a_pack_is_said_though_its_rules_are_the_same() {
    let folder = lamplighter("1 gold", "do = 'gain(me, gold, 1)'");
    let save = folder.name("a.replay");
    run(&format!("play nations --players 2 --seed 4 --plain --pack {} --save {save}", folder.name("pack")), "1\n1\nquit\n").ends(0);
    let silent = run(&format!("replay {save} --verify"), "").ends(0);
    assert!(!silent.out.contains("version"), "{}", silent.out);
    folder.write("pack/pack.toml", &manifest("mypack", "nations").replace("1.0", "1.1"));
    let note = "pack `mypack` was of version 1.0 and is of version 1.1; this game does not feel it";
    run(&format!("replay {save} --verify"), "").ends(0).tells(&[note]);
    run(&format!("replay {save} --plain"), "").ends(0).tells(&[note]);
    let loaded = run(&format!("play --load {save} --plain"), "quit\n").ends(0);
    assert!(loaded.err.contains("note: pack `mypack` was of version 1.0 and is of version 1.1"), "{}", loaded.err);
}

#[test]
fn a_broken_replay_is_told_with_its_line() {
    let folder = folder(&[]);
    let text = read("tests/replays/attic-3.replay");
    let wrong = folder.name("wrong.replay");
    for (from, to, said) in [
        ("replay  = 1", "replay  = 2", "error[G304]: this replay is written in format 2"),
        ("seed    = ", "seed    = \"x\" # ", "error[G304]: `seed` is no seed"),
        ("players = 3", "players = 0", "error[G304]: `players` is no number of players"),
        ("answers = '''\n", "answers = '''\nnobody knows\n", "error[G301]: this line is no answer"),
        ("answers = '''\n", "answers = '''\nwithout much\n", "error[G301]: this leaves no script out"),
        ("game    = ", "gamme   = ", "`gamme`"),
        ("game    = \"attic\"", "game    = \"atic\"", "did you mean `attic`?"),
        ("over    = true", "over    = \"yes\"", "`over` must be `true` or `false`"),
    ] {
        assert!(text.contains(from), "{from}");
        folder.write("wrong.replay", &text.replacen(from, to, 1));
        let ran = run(&format!("--root tests/games replay {wrong} --verify"), "");
        assert!(ran.status != 0 && ran.err.contains(said), "{to}:\n{}", ran.err);
    }
}

#[test]
fn a_game_of_a_playtest_can_be_looked_at() {
    let folder = folder(&[]);
    let (csv, replay) = (folder.name("games.csv"), folder.name("a.replay"));
    run(&format!("--root tests/games playtest attic -n 4 --csv {csv} --threads 1"), "").ends(0);
    let table = folder.read("games.csv");
    for number in 0..4 {
        run(&format!("--root tests/games playtest attic --game {number} --replay {replay}"), "").ends(0);
        let shown = run(&format!("--root tests/games replay {replay}"), "").ends(0).tells(&["round 1", "the game is over"]);
        for line in table.lines().filter(|line| line.starts_with(&format!("{number},"))) {
            let cells: Vec<&str> = line.split(',').collect();
            let points = format!("{}: {} points", cells[2], cells[5]);
            assert!(shown.out.contains(&points), "game {number}: no `{points}`\n{}", shown.out);
        }
    }
    run("playtest nations --game 3", "").ends(2).tells(&["--replay"]);
}

#[test]
fn a_position_is_a_scenario_that_holds() {
    let folder = folder(&[]);
    for (name, at) in
        [("nations-4", "40"), ("nations-2", "9999"), ("nations-dice-2", "25"), ("orchard-3", "20"), ("skerry-4", "9"), ("pilgrims-1", "5")]
    {
        let (file, to) = (format!("tests/replays/{name}.replay"), folder.name(&format!("{name}.toml")));
        let root = root_of(&read(&file));
        let at_answer = if at == "9999" { String::new() } else { format!("--at {at}") };
        run(&format!("--root {root} replay {file} --scenario {to} {at_answer}"), "").ends(0).tells(&["the position is written to"]);
        run(&format!("--root {root} test {to}"), "").ends(0);
        // And it can be played on from.
        let played = run(&format!("--root {root} play --from {to} --plain --seat human"), "quit\n").ends(0);
        assert!(at == "9999" || played.out.contains(" is asked: "), "{}", played.out);
        assert!(at != "9999" || played.out.contains("the game is over"), "{}", played.out);
    }
}

/// A game of the Dice Game alone whose seed is known: the first tile is bought with a chit, a building goes, and a die with it.
const ALONE: &str = "play nations-dice --players 1 --seed 531355265175625576 --plain";

#[test]
fn what_was_answered_can_be_taken_back_until_something_is_revealed() {
    let typed = "undo\nbuy brickyard\nchoose gold\nundo\nundo\nbuy brickyard\nchoose gold\nchoose start_temple\nchoose unused white:gold\nundo\nquit\n";
    let ran = run(ALONE, typed).ends(0).tells(&[
        "it cannot be taken back: nothing has been answered yet",
        "taken back: choose gold",
        "taken back: buy brickyard",
        "it cannot be taken back: `choose unused white:gold` has revealed something",
        "left after 4 answers",
    ]);
    let straight = run(ALONE, "buy brickyard\nchoose gold\nchoose start_temple\nchoose unused white:gold\nquit\n");
    assert_eq!(state(&ran), state(&straight), "what was taken back has left no trace");
    // What others have answered stays.
    let ran = run("play nations --seed 17 --plain --players 2", "1\nundo\nquit\n");
    ran.ends(0).tells(&["it cannot be taken back: p2 has answered since"]);
}

#[test]
fn what_may_be_asked_is_answered() {
    let ran = run(ALONE, "what 4\ncard brickyrad\ncard 4\nwhy\nwhy fly\nwhy build\nwhy 4\nhint\nhlep\nsave\nlog 1\noptions reroll\nquit\n")
        .ends(0);
    ran.tells(&[
        "p1 is asked: what to pay with",
        "did you mean `Brickyard`?",
        "Brickyard (building, age 1",
        "build: ",
        "no action of this turn is called so; there are ",
        "for p1 is possible",
        "rules/nations-dice.rules:",
        "greedy would take ",
        "did you mean `help`?",
        "which file? `save FILE`",
        "reroll",
    ]);
}

#[test]
fn why_at_the_table_does_not_say_where_a_hidden_card_lies() {
    let typed = "why buy nonsense\nwhy buy the_bible\nwhy buy american_civil_war\nquit\n";
    let ran = run("play nations --seed 17 --plain --players 2", typed).ends(0);
    assert!(!ran.out.contains("it lies in") && !ran.out.contains("progress[4]:"), "{}", ran.out);
}

#[test]
fn a_value_is_explained_at_the_table_from_what_the_seat_knows() {
    let typed = "why p2.score\nwhy price(hatshepsut)\nwhy strenght\nwhy progress.kind\nwhy progress is brewery\nwhy progress is hatshepsut\nwhy count progress\nquit\n";
    let ran = run("play nations --seed 3 --plain --seat human", typed).ends(0);
    ran.tells(&[
        "p2.score is 8",
        "price(hatshepsut) is 1: row of card",
        "did you mean `strength`?",
        // The card on top of the pile.
        "`progress.kind` rests on what p2 does not know",
        // One card of many that may lie there, and one that lies on the board.
        "`progress is brewery` rests on what p2 does not know",
        "`progress is hatshepsut` is no",
        "`count progress` is 126; what it is made of rests on what p2 does not know",
    ]);
}

#[test]
fn a_script_that_fails_can_be_left_out_and_the_game_is_kept_so() {
    let folder = lamplighter("nothing", "do = 'let x = 0; gain(me, gold, 1 / x)'");
    let begin = lamplit(&folder, "human");
    let typed = format!("{}yes\n{}", ones(300), "yes\n1\n".repeat(300));
    // Without an answer to the question the game does not go on.
    let stopped = run(&begin, &ones(300));
    stopped.tells(&[
        "lamplighter.production",
        "a.toml:9:",
        "seed 4, after question",
        "Go on without what `lamplighter.production` does? yes or no",
    ]);
    let saving = format!("{begin} --save {}", folder.name("a.replay"));
    let ran = run(&saving, &typed).ends(0).tells(&["the game is over"]);
    let kept = folder.read("a.replay");
    assert!(kept.contains("\nwithout ") && kept.contains(" lamplighter.production\n"), "{kept}");
    run(&format!("replay {} --verify", folder.name("a.replay")), "").ends(0).tells(&["the same state; the game is over"]);
    assert!(ran.out.contains("the game is saved in"), "{}", ran.out);
    // A save is not written over by another game.
    run(&saving, "").ends(2).tells(&["is there already"]);
}

#[test]
fn debug_is_heard_at_the_table_with_card_and_line() {
    let folder = lamplighter("1 gold", "do = 'debug(gold(me)); gain(me, gold, 1)'");
    run(&lamplit(&folder, "human"), &ones(300)).ends(0).tells(&["production, line 1: "]);
}

#[test]
fn whoever_sits_down_does_not_see_what_another_has_chosen() {
    let ran = run("--root tests/games play orchard --players 3 --seat human --seed 3 --plain", &ones(9)).ends(0);
    // Each part is heard by the seat that has just sat down.
    let parts: Vec<&str> = ran.out.split(", it is your turn").collect();
    assert!(parts.len() > 6, "{}", ran.out);
    for part in &parts[1..] {
        let seat = part.split(" is asked: ").next().unwrap().rsplit('\n').next().unwrap();
        let others = part.lines().filter(|line| line.contains(": choose ") && !line.trim_start().starts_with(seat));
        for line in others {
            assert!(line.ends_with(": choose a card"), "{seat} hears: {line}\n{}", ran.out);
        }
    }
}

#[test]
fn wrong_use_of_play_is_told() {
    for (line, status, said) in [
        ("play", 2, "<GAME>"),
        ("play nations --seat humna", 2, "there is no agent `humna`"),
        ("play nations --players 2 --seat human,greedy,greedy", 2, "3 are named for 2 seats"),
        ("play nations --load x", 2, "cannot be used with"),
        ("play nations --hint x", 2, "there is no agent `x`"),
        ("play --load nowhere.replay", 2, "cannot read `nowhere.replay`"),
        ("play --from tests/scenarios/nowhere.toml", 2, "cannot read"),
        ("play --from tests/errors/end_of_a_game.scenario.toml#nothing", 1, "error[G151]: no scenario of this file is called `nothing`"),
        ("replay tests/replays/attic-3.replay", 2, "there is no game `attic`"),
        ("replay tests/replays/nations-2.replay --at 100000", 2, "none of number 100000"),
        ("replay tests/replays/nations-2.replay --eyes p9", 2, "`p9` is no seat of this game"),
    ] {
        run(line, "").ends(status).tells(&[said]);
    }
}

#[test]
fn what_is_told_of_cards_is_said_at_the_table_and_no_more() {
    let at = |file: &str, scenario: &str, typed: &str| {
        run(&format!("--root tests/{file} play --from 'tests/{file}/tests/{scenario}' --seat human --plain"), typed).ends(0)
    };
    // Values are told by their names, also those that no card has; the others read that there was something.
    let ran = at(
        "engine",
        "hints.toml#who sees the card sees its parts, of which none need be told",
        "near red_1\nrest\nrest\nhome red_1\ntable\n",
    );
    let ran = ran.tells(&["p1.hand[1] is shown to p2, p3: home not inn\n", "p1.hand[1] is shown to p2: home gate\n"]);
    ran.tells(&["a part of a card is shown to p2, p3\n", "hand: hidden card 1 (home gate), a hidden card\n"]);
    // What is told of two cards is not said of the third, and what tells nothing of a card is not said.
    at("engine", "hints.toml#one hue is told of two cards, and nothing of the third", "table\n")
        .tells(&["hand: hidden card 1 (hue red), hidden card 2 (hue red), a hidden card\n"]);
    at("engine", "hints.toml#that a space is not one which no card has says nothing of where it is", "table\n")
        .tells_no(&["home not )", "home not ,"]);
    at("engine", "hints.toml#a card that does not have what is told of it is known not to have it", "table\n")
        .tells(&["hand: hidden card 1 (hue none), a hidden card\n"]);
}

#[test]
fn what_an_answer_would_do_with_a_card_that_is_not_known_is_not_said_as_certain() {
    let from = "tests/games/tests/scenarios/fireflies.toml#of two lights of which a hue is told, neither number is known";
    let ran = run(&format!("--root tests/games play --from '{from}' --seat human --plain"), "what 6\nquit\n").ends(0);
    ran.tells(&["hidden card 3 in p2 hand: hue amber -> nothing\n", "more depends on chance, or on what is hidden\n"])
        .tells_no(&[" -> spent"]);
}
