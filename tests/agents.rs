//! Players that are other programs: a Python player that plays, and many that misbehave. The games are the small ones of `tests/games`.

use crate::support::{Folder, Ran, SMALL, folder, game_text, host, program, read, root, rules_of, run_in, run_typed};
use houserule::agent::describe_view;
use houserule::engine::Game;
use houserule::lang::Setup;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs houserule with the small games.
fn run(line: &str) -> Ran {
    run_in(root(), &format!("--root tests/games {line}"))
}

/// One of the words of a line, with the quotation marks in it.
fn word(word: &str) -> String {
    shlex::try_quote(word).unwrap().into_owned()
}

#[track_caller]
fn python_is_there() {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(found.is_ok_and(|status| status.success()), "these tests want python3 in the path: the example of a player is in Python");
}

#[test]
fn the_example_in_python_plays_every_small_game() {
    python_is_there();
    for (game, players) in SMALL {
        let ran = run(&format!("playtest {game} -n 2 --players {players} --seat 'exec:python3 examples/agent.py' --json -")).ends(0);
        let found = ran.result();
        assert_eq!((&found["games"], &found["dropped"]), (&2.into(), &0.into()), "{game}");
        // Who was asked writes the points of the game to its standard error.
        assert!(ran.err.lines().filter(|line| line.starts_with("points: {'p1': ")).count() >= 2, "{game}: {}", ran.err);
    }
}

#[test]
fn what_it_wishes_for_is_what_it_does() {
    python_is_there();
    // Both play a seat of their own, and one kind of answer each; commas and quotation marks in a command are its own.
    let greedy = "exec:python3 examples/agent.py 'choose 1,choose 2'";
    let found = run(&format!("playtest attic -n 3 --players 3 --seat {} --seat random,random --json -", word(greedy))).ends(0).result();
    assert_eq!(found["agents"], serde_json::json!([greedy, "random", "random"]));
    let bids = |ran: &Ran| ran.out.lines().find(|line| line.contains("bids: ")).unwrap_or("none").to_string();
    let play = |wish: &str| run(&format!("playtest attic -n 2 --players 3 --agents \"exec:python3 examples/agent.py '{wish}'\""));
    assert_eq!(bids(&play("choose 0")).trim(), "bids: 0 72.0");
    assert!(!bids(&play("choose 5")).contains("bids: 0 72.0"));
}

/// A player that says on its standard error what it is told of games, and ends after so many.
const TELLS: &str = r#"
import json, sys
begun = 0
for line in sys.stdin:
    told = json.loads(line)
    if len(sys.argv) > 2: open(sys.argv[2], "a").write(line)
    if told["type"] != "ask":
        told.pop("cards", None)
        sys.stderr.write(json.dumps(told) + "\n")
    begun += told["type"] == "begin"
    if begun > int(sys.argv[1]): sys.exit(7)
    if told["type"] == "ask": print(json.dumps({"id": told["id"], "key": told["options"][0]}), flush=True)
"#;

/// The option with which such a player has a seat; it may write what it is told into a file, too.
fn tells(folder: &Folder, games: u64, heard: &str) -> String {
    python_is_there();
    folder.write("tells.py", TELLS);
    format!("--seat \"exec:python3 {} {games} {heard}\"", folder.name("tells.py"))
}

#[test]
fn it_is_greeted_once_and_told_of_every_game_but_not_its_seed() {
    let folder = folder(&[]);
    let ran = run(&format!("playtest glutton -n 2 --players 2 --threads 1 {} --seat random", tells(&folder, 9, ""))).ends(0);
    let told: Vec<serde_json::Value> = ran.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(told.iter().map(|told| told["type"].as_str().unwrap()).collect::<Vec<_>>(), ["hello", "begin", "end", "begin", "end"]);
    let hello = &told[0];
    assert_eq!((&hello["protocol"], &hello["game"], &hello["seats"]), (&1.into(), &"glutton".into(), &2.into()));
    assert_eq!(hello["rules"].as_str().unwrap().len(), 16);
    assert_eq!(told[1], serde_json::json!({ "type": "begin", "seat": "p1" }));
    assert!(told[2]["points"]["p2"].is_i64() && told[2]["winners"].as_array().unwrap().len() == 1, "{}", told[2]);
}

/// The names in a value, and in what it holds by fixed names.
fn shape(told: &serde_json::Value) -> Vec<String> {
    let names = |at: &str| {
        let found = told.pointer(at).and_then(serde_json::Value::as_object);
        found.into_iter().flatten().map(move |(name, _)| format!("{at}/{name}")).collect::<Vec<_>>()
    };
    ["", "/view", "/view/table", "/view/table/places/pile", "/view/table/places/lot/cards/0", "/view/seats/0"]
        .into_iter()
        .flat_map(names)
        .collect()
}

/// What a player has heard.
fn heard_in(folder: &Folder) -> Vec<serde_json::Value> {
    folder.read("heard.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_the_page_on_agents_shows_is_what_is_spoken() {
    let folder = folder(&[]);
    let seat = tells(&folder, 9, &folder.name("heard.jsonl"));
    run(&format!("playtest attic -n 1 --players 3 {seat} --seat random,random")).ends(0);
    let heard = heard_in(&folder);
    let page = read("docs/agents.md");
    let blocks = page.split("```json").skip(1).map(|block| block.split("```").next().unwrap());
    let inline = page.split('`').filter(|part| part.starts_with("{\"type\""));
    let shown: Vec<serde_json::Value> = blocks.chain(inline).map(|text| serde_json::from_str(text).unwrap()).collect();
    assert_eq!(shown.len(), 4);
    for shown in shown {
        let real = heard.iter().find(|told| told["type"] == shown["type"]).unwrap();
        assert_eq!(shape(&shown), shape(real));
    }
    // The page's own players are Python.
    for block in page.split("```python").skip(1) {
        let code = block.split("```").next().unwrap();
        let parsed = Command::new("python3").args(["-c", "import ast, sys; ast.parse(sys.argv[1])", code]).status().unwrap();
        assert!(parsed.success(), "{code}");
    }
}

const TIES: &str = "replace rank.high x = top 1 by x, ties at the edge in";

#[test]
fn in_a_comparison_it_moves_on_by_a_seat() {
    let folder = folder(&[]);
    let seats = format!("{} --seat random,random", tells(&folder, 99, ""));
    let ran = run(&format!("compare attic --players 3 -n 6 --with '{TIES}' --threads 1 {seats}")).ends(0);
    for seat in ["p1", "p2", "p3"] {
        let begins = ran.err.matches(&format!("{{\"type\": \"begin\", \"seat\": \"{seat}\"}}")).count();
        assert_eq!(begins, 4, "{seat} of 6 pairs\n{}", ran.err);
    }
    assert_eq!(ran.err.matches("hello").count(), 2, "one process for each side");
}

/// Players that misbehave, and what is said of each: a script for `sh`, or a program.
#[test]
fn who_misbehaves_is_told_once_and_ends_the_run() {
    let read_two = "read hello; read begin; read ask";
    let table: &[(&str, &[&str])] = &[
        ("no-such-program --x", &["`no-such-program --x` of p1 cannot be started: "]),
        ("sh -c 'exit 3'", &["ended (exit status: 3) instead of answering `"]),
        ("sh -c 'kill -9 $$'", &["ended (signal: 9", "instead of answering `"]),
        (&format!("sh -c '{read_two}; exec 1>&-; sleep 20'"), &["ended (it closed its standard output)"]),
        ("sleep 20", &["said nothing for 0.4 s to `", "--time-limit gives it longer"]),
        (
            &format!("sh -c '{read_two}; echo bonjour; sleep 20'"),
            &["said `bonjour` to `", "not a line such as {\"id\": 1, \"key\": \"…\"}"],
        ),
        (&format!("sh -c '{read_two}; echo 17; sleep 20'"), &["said `17` to `"]),
        (&format!(r#"sh -c '{read_two}; echo "{{\"key\": \"pass\"}}"; sleep 20'"#), &["missing field `id`"]),
        (&format!(r#"sh -c '{read_two}; echo "{{\"id\": 1, \"key\": \"fly\"}}"; sleep 20'"#), &["which offers no such key; there are "]),
        (&format!(r#"sh -c '{read_two}; echo "{{\"id\": 1, \"key\": \"choose 00\"}}"'"#), &["no such key; did it mean `choose 0`?"]),
        (
            &format!(r#"sh -c '{read_two}; echo "{{\"id\": 9, \"key\": \"choose 0\"}}"; sleep 20'"#),
            &["whose id is 1; each question has one line"],
        ),
        (
            &format!(r#"sh -c '{read_two}; for i in 1 1 1; do echo "{{\"id\": 1, \"key\": \"choose 0\"}}"; done; sleep 20'"#),
            &["whose id is 2; each"],
        ),
        ("sh -c 'head -c 70000 /dev/zero; sleep 20'", &["wrote a line of more than 65536 bytes"]),
        ("yes", &["said `y` to `"]),
        ("cat", &["said `{\"type\":\"hello\",\"protocol\":1,\"game\":\"attic\"", "…` to `"]),
    ];
    for (command, parts) in table {
        let seat = word(&format!("exec:{command}"));
        let begun = Instant::now();
        let more = "--seat random --threads 2 -n 50 --time-limit 0.4 --seat random --players 3";
        let ran = run(&format!("playtest attic --seat {seat} {more}")).ends(1);
        let ran = ran.says(parts).says(&["error[G201]: the player `", " of the run, its seed ", "round ", "after question "]);
        assert_eq!(ran.err.matches("error[").count(), 1, "{command}\n{}", ran.err);
        assert!(begun.elapsed() < Duration::from_secs(10), "{command} took {:?}", begun.elapsed());
        assert!(!ran.err.contains("panicked"), "{command}\n{}", ran.err);
    }
}

#[test]
fn a_player_who_fails_in_a_comparison_ends_it() {
    let ran = run(&format!("compare attic --players 3 --with '{TIES}' --agents \"exec:sh -c 'exit 3'\" -n 20")).ends(1);
    assert_eq!(ran.err.matches("ended (exit status: 3)").count(), 1, "{}", ran.err);
}

#[test]
fn what_is_done_is_kept() {
    let folder = folder(&[]);
    let (csv, seat) = (folder.name("games.csv"), tells(&folder, 2, ""));
    run(&format!("playtest glutton --players 2 --threads 1 -n 40 --csv {csv} {seat} --seat random"))
        .ends(1)
        .prints(&["2 complete games", "stopped: 40 games were asked for"])
        .says(&["ended (exit status: 7)", "game 2 of the run"]);
    assert_eq!(folder.read("games.csv").lines().count(), 1 + 2 * 2);
}

/// Whether a process is there, also one that has ended and for whom nobody has waited.
fn is_there(process: &str) -> bool {
    Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status().unwrap().success()
}

/// A player that notes its number, does not mind the end of its input, and never answers.
fn stubborn(folder: &Folder) -> String {
    let script = format!("echo $$ > {}; exec 0</dev/null; while :; do sleep 0.1; done", folder.name("process"));
    word(&format!("exec:sh -c '{script}'"))
}

#[test]
fn nobody_is_left_behind() {
    let folder = folder(&[]);
    let seat = stubborn(&folder);
    run(&format!("playtest glutton --players 2 --threads 1 --time-limit 0.3 --seat {seat} --seat random")).ends(1);
    let process = folder.read("process");
    assert!(!is_there(process.trim()), "process {process} is still there");
}

#[test]
fn ctrl_c_ends_the_wait_for_an_answer() {
    let folder = folder(&[]);
    let line = format!("--root tests/games playtest glutton --players 2 --threads 1 --agents {}", stubborn(&folder));
    let begun = Instant::now();
    let child = program(root(), &line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !std::fs::read_to_string(folder.at("process")).is_ok_and(|text| !text.is_empty()) {
        assert!(begun.elapsed() < Duration::from_secs(20), "it was never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = Ran::new(&line, child.wait_with_output().unwrap()).ends(130).quietly().prints(&["0 complete games"]);
    assert!(begun.elapsed() < Duration::from_secs(30), "{}", ran.out);
    assert!(!is_there(folder.read("process").trim()));
}

#[test]
fn how_agents_are_named() {
    for (more, message) in [
        ("--agents exec:", "a command follows `exec:`, such as `exec:python3 agent.py`"),
        ("--seat \"exec:sh -c 'x\"", "a quotation mark is not closed"),
        ("--seat random --seat greedy,greedy", "3 agents are named for 2 seats"),
        ("--time-limit 3", "a time limit is for agents that are other programs"),
        ("--agents exec:cat --time-limit 0", "`0` is no number of seconds above 0"),
        ("--agents exec:cat --series", "series"),
    ] {
        run(&format!("playtest glutton --players 2 {more}")).ends(2).says(&[message]);
    }
}

const PAWS: &str = r#"
game paws "Paws"
players 2
table { deck pile of wolf }
player { resource wisp; counter idle; place paw of wolf: 2, hidden; place den of wolf: 2 }
kind wolf { slot den; height: number }
stat reach = sum card.height of my paw
setup { each player { draw from pile to paw; draw from pile to paw; draw from pile to den } }
rounds 1 of night
phase night { each player { player chooses { "howl" { gain 1 wisp } "sleep" { gain 2 wisp } } } }
score { "wisps" = wisp; "wolves" = sum card.height of my den; "hidden wolves" = reach }
wins highest score, then order
"#;

/// A folder with the game and eight wolves of these heights.
fn paws(rules: &str, height: fn(u32) -> u32) -> Folder {
    let card = |at| format!("[[card]]\nid = \"wolf_{at}\"\nname = \"{at}\"\nkind = \"wolf\"\nheight = {}\n", height(at));
    folder(&[("rules/paws.rules", rules), ("cards/paws/wolves.toml", &(0..8).map(card).collect::<String>())])
}

/// The points of others go by cards that the seat does not see: no guess is told.
#[test]
fn a_figure_that_depends_on_what_is_hidden_is_left_open() {
    let folder = paws(PAWS, |height| 1 << height);
    let (.., rules) = game_text(folder.path(), "paws", 2);
    let mut game = Game::new(&rules, 3);
    assert!(game.on(&rules).advance(&mut host(&rules)).unwrap().is_some());
    let view = game.view(&rules).unwrap();
    let found = serde_json::to_value(describe_view(&rules, &view)).unwrap();
    let (me, other) = (&found["seats"][view.seat], &found["seats"][1 - view.seat]);
    let paw = &me["places"]["paw"];
    assert_eq!((paw["cards"].as_array().unwrap().len(), &paw["hidden"]), (2, &0.into()), "{found}");
    assert_eq!(other["places"]["paw"], serde_json::json!({ "cards": [], "hidden": 2 }));
    assert_eq!(found["table"]["places"]["pile"]["hidden"], 2);
    let real = |seat: usize| game.clone().store(&rules).score_rows(seat);
    let mine = real(view.seat);
    assert_eq!(me["score"], serde_json::json!({ "wisps": mine[0], "wolves": mine[1], "hidden wolves": mine[2] }));
    assert_eq!((&me["stats"]["reach"], &me["points"]), (&mine[2].into(), &mine.iter().sum::<i64>().into()));
    let theirs = real(1 - view.seat);
    assert_eq!(other["score"], serde_json::json!({ "wisps": theirs[0], "wolves": theirs[1], "hidden wolves": null }));
    assert_eq!((&other["stats"]["reach"], &other["points"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    assert_eq!((&me["has"], &found["round"]), (&serde_json::json!({ "wisp": 0, "idle": 0 }), &1.into()));
}

/// A question's title is told to other programs, and people see it in place of the question's name.
#[test]
fn the_title_of_a_question_is_told_and_shown() {
    let folder = paws(&PAWS.replace("player chooses {", "player chooses \"what you do at night\" {"), |at| at);
    let (at, seat) = (folder.name(""), tells(&folder, 9, &folder.name("heard.jsonl")));
    run_in(root(), &format!("--root {at} playtest paws -n 1 --players 2 {seat} --seat random")).ends(0);
    let heard = heard_in(&folder);
    let asked = heard.iter().find(|told| told["type"] == "ask").unwrap();
    assert_eq!((&asked["title"], &asked["question"]), (&"what you do at night".into(), &"night".into()), "{asked}");
    let line = format!("--root {at} play paws --players 2 --seat human,human --seed 1 --plain");
    let shown = run_typed(root(), &line, "1\n1\n1\n").out;
    assert!(shown.contains("is asked: what you do at night") && !shown.contains("is asked: night"), "{shown}");
}

/// What spaces of a board have is told of spaces, and what the program counts of chance is told of nothing.
#[test]
fn what_only_spaces_have_is_told_of_no_card() {
    use houserule::lang::testing::{CARDS, GAME, text_of};
    let more = "board lawn 2 by 3 { counter owner of player }\nsymbols sun\ntokens die { red 3: sun | 2 sun }\n";
    let (sources, text) = text_of("wall", &format!("{GAME}{more}"), CARDS);
    let rules = rules_of(&sources, &text, &Setup { players: 2, ..Setup::default() });
    let mut game = Game::new(&rules, 3);
    assert!(game.on(&rules).advance(&mut host(&rules)).unwrap().is_some());
    let found = serde_json::to_value(describe_view(&rules, &game.view_of(&rules, 0))).unwrap();
    let cards = |place: &str| found["table"]["places"][place]["cards"].as_array().unwrap().clone();
    assert!(cards("lawn").iter().all(|space| space["has"]["owner"] == serde_json::json!(["nobody"])), "{found}");
    assert!(!cards("row").is_empty() && cards("row").iter().all(|card| card.get("has").is_none()), "{found}");
    assert!(!found.to_string().contains("rolled"), "{found}");
}
