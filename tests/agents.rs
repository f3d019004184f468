//! Players that are other programs: a Python player that plays, and many that misbehave. The games are the small ones of `tests/games`.

use crate::support::{SMALL, host, root, rules_of};
use houserule::agent::describe_view;
use houserule::engine::Game;
use houserule::lang::Setup;
use houserule::source::Sources;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What houserule printed, and how it ended.
struct Ran {
    out: String,
    err: String,
    status: Option<i32>,
    took: Duration,
}

/// Runs houserule with the small games.
fn run(args: &[&str]) -> Ran {
    let begun = Instant::now();
    let done =
        Command::new(env!("CARGO_BIN_EXE_houserule")).args(["--root", "tests/games"]).args(args).current_dir(root()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { out: text(done.stdout), err: text(done.stderr), status: done.status.code(), took: begun.elapsed() }
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
        let players = players.to_string();
        let ran = run(&["playtest", game, "-n", "2", "--players", &players, "--seat", "exec:python3 examples/agent.py", "--json", "-"]);
        assert_eq!(ran.status, Some(0), "{game}: {}\n{}", ran.out, ran.err);
        let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&found["result"]["games"], &found["result"]["dropped"]), (&2.into(), &0.into()), "{game}");
        // Who was asked writes the points of the game to its standard error.
        assert!(ran.err.lines().filter(|line| line.starts_with("points: {'p1': ")).count() >= 2, "{game}: {}", ran.err);
    }
}

#[test]
fn what_it_wishes_for_is_what_it_does() {
    python_is_there();
    // Both play a seat of their own, and one kind of answer each; commas and quotation marks in a command are its own.
    let greedy = "exec:python3 examples/agent.py 'choose 1,choose 2'";
    let ran = run(&["playtest", "attic", "-n", "3", "--players", "3", "--seat", greedy, "--seat", "random,random", "--json", "-"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["result"]["agents"], serde_json::json!([greedy, "random", "random"]));
    let bids = |ran: &Ran| ran.out.lines().find(|line| line.contains("bids: ")).unwrap_or("none").to_string();
    let play = |wish: &str| {
        run(&["playtest", "attic", "-n", "2", "--players", "3", "--agents", &format!("exec:python3 examples/agent.py '{wish}'")])
    };
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

fn tells(folder: &Path, games: u64) -> String {
    python_is_there();
    std::fs::write(folder.join("tells.py"), TELLS).unwrap();
    format!("exec:python3 '{}' {games}", folder.join("tells.py").display())
}

#[test]
fn it_is_greeted_once_and_told_of_every_game_but_not_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(&[
        "playtest",
        "glutton",
        "-n",
        "2",
        "--players",
        "2",
        "--threads",
        "1",
        "--seat",
        &tells(folder.path(), 9),
        "--seat",
        "random",
    ]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
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

#[test]
fn what_the_page_on_agents_shows_is_what_is_spoken() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard.jsonl");
    let seat = format!("{} '{}'", tells(folder.path(), 9), heard.display());
    let ran = run(&["playtest", "attic", "-n", "1", "--players", "3", "--seat", &seat, "--seat", "random,random"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let heard: Vec<serde_json::Value> =
        std::fs::read_to_string(heard).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let page = std::fs::read_to_string(root().join("docs/agents.md")).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let seats = ["--seat", &tells(folder.path(), 99), "--seat", "random,random"];
    let ran = run(&[&["compare", "attic", "--players", "3", "-n", "6", "--with", TIES, "--threads", "1"], &seats[..]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
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
        let more = ["-n", "50", "--time-limit", "0.4", "--seat", "random", "--players", "3"];
        let seat = format!("exec:{command}");
        let args = [&["playtest", "attic", "--seat", &seat, "--seat", "random", "--threads", "2"], &more[..]].concat();
        let ran = run(&args);
        assert_eq!(ran.status, Some(1), "{command}\n{}\n{}", ran.out, ran.err);
        for part in parts.iter().chain(&["error[G201]: the player `", " of the run, its seed ", "round ", "after question "]) {
            assert!(ran.err.contains(part), "{command}\nsays no `{part}`:\n{}", ran.err);
        }
        assert_eq!(ran.err.matches("error[").count(), 1, "{command}\n{}", ran.err);
        assert!(ran.took < Duration::from_secs(10), "{command} took {:?}", ran.took);
        assert!(!ran.err.contains("panicked"), "{command}\n{}", ran.err);
    }
}

#[test]
fn a_player_who_fails_in_a_comparison_ends_it() {
    let args = ["compare", "attic", "--players", "3", "--with", TIES, "--agents", "exec:sh -c 'exit 3'", "-n", "20"];
    let ran = run(&args);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert_eq!(ran.err.matches("ended (exit status: 3)").count(), 1, "{}", ran.err);
}

#[test]
fn what_is_done_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (csv, seat) = (folder.path().join("games.csv"), tells(folder.path(), 2));
    let more = ["-n", "40", "--csv", csv.to_str().unwrap(), "--seat", &seat, "--seat", "random"];
    let ran = run(&[&["playtest", "glutton", "--players", "2", "--threads", "1"], &more[..]].concat());
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.out.contains("2 complete games") && ran.out.contains("stopped: 40 games were asked for"), "{}", ran.out);
    assert!(ran.err.contains("ended (exit status: 7)") && ran.err.contains("game 2 of the run"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), 1 + 2 * 2);
}

/// Whether a process is there, also one that has ended and for whom nobody has waited.
fn is_there(process: &str) -> bool {
    Command::new("kill").args(["-0", process]).stderr(Stdio::null()).status().unwrap().success()
}

/// A player that notes its number, does not mind the end of its input, and never answers.
fn stubborn(folder: &Path) -> String {
    format!("exec:sh -c 'echo $$ > {}/process; exec 0</dev/null; while :; do sleep 0.1; done'", folder.display())
}

#[test]
fn nobody_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let seat = stubborn(folder.path());
    let ran = run(&["playtest", "glutton", "--players", "2", "--threads", "1", "--time-limit", "0.3", "--seat", &seat, "--seat", "random"]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    let process = std::fs::read_to_string(folder.path().join("process")).unwrap();
    assert!(!is_there(process.trim()), "process {process} is still there");
}

#[test]
fn ctrl_c_ends_the_wait_for_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let seat = stubborn(folder.path());
    let args = ["--root", "tests/games", "playtest", "glutton", "--players", "2", "--threads", "1", "--agents", &seat];
    let begun = Instant::now();
    let mut houserule = Command::new(env!("CARGO_BIN_EXE_houserule"));
    let child = houserule.args(args).current_dir(root()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !std::fs::read_to_string(folder.path().join("process")).is_ok_and(|text| !text.is_empty()) {
        assert!(begun.elapsed() < Duration::from_secs(20), "it was never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let done = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(130), "{err}");
    assert!(out.contains("0 complete games") && err.is_empty() && begun.elapsed() < Duration::from_secs(30), "{out}{err}");
    assert!(!is_there(std::fs::read_to_string(folder.path().join("process")).unwrap().trim()));
}

#[test]
fn how_agents_are_named() {
    let refused: &[(&[&str], &str)] = &[
        (&["--agents", "exec:"], "a command follows `exec:`, such as `exec:python3 agent.py`"),
        (&["--seat", "exec:sh -c 'x"], "a quotation mark is not closed"),
        (&["--seat", "random", "--seat", "greedy,greedy"], "3 agents are named for 2 seats"),
        (&["--time-limit", "3"], "a time limit is for agents that are other programs"),
        (&["--agents", "exec:cat", "--time-limit", "0"], "`0` is no number of seconds above 0"),
        (&["--agents", "exec:cat", "--series"], "series"),
    ];
    for (args, message) in refused {
        let ran = run(&[&["playtest", "glutton", "--players", "2"], *args].concat());
        assert_eq!(ran.status, Some(2), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
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

/// The points of others go by cards that the seat does not see: no guess is told.
#[test]
fn a_figure_that_depends_on_what_is_hidden_is_left_open() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let cards =
        (0..8).map(|height| format!("[[card]]\nid = \"wolf_{height}\"\nname = \"{height}\"\nkind = \"wolf\"\nheight = {}\n", 1 << height));
    write("rules/paws.rules", PAWS);
    write("cards/paws/wolves.toml", &cards.collect::<String>());
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = houserule::lang::load(&mut sources, Some(folder.path()), "paws", &[], &[], &mut diagnostics);
    let text = text.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let rules = rules_of(&sources, &text, &Setup { players: 2, ..Setup::default() });
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
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let cards = (0..8).map(|height| format!("[[card]]\nid = \"wolf_{height}\"\nkind = \"wolf\"\nheight = {height}\n"));
    write("rules/paws.rules", &PAWS.replace("player chooses {", "player chooses \"what you do at night\" {"));
    write("cards/paws/wolves.toml", &cards.collect::<String>());
    write("typed", "1\n1\n1\n");
    let heard = folder.path().join("heard.jsonl");
    let seat = format!("{} '{}'", tells(folder.path(), 9), heard.display());
    let at = folder.path().display().to_string();
    let houserule = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
        command.args(["--root", &at]).current_dir(root());
        command
    };
    let ran = houserule().args(["playtest", "paws", "-n", "1", "--players", "2", "--seat", &seat, "--seat", "random"]).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let heard = std::fs::read_to_string(heard).unwrap();
    let asked: Vec<serde_json::Value> = heard.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = asked.iter().find(|told| told["type"] == "ask").unwrap();
    assert_eq!((&asked["title"], &asked["question"]), (&"what you do at night".into(), &"night".into()), "{asked}");
    let typed = std::fs::File::open(folder.path().join("typed")).unwrap();
    let play = ["play", "paws", "--players", "2", "--seat", "human,human", "--seed", "1", "--plain"];
    let done = houserule().args(play).stdin(Stdio::from(typed)).output().unwrap();
    let shown = String::from_utf8(done.stdout).unwrap();
    assert!(shown.contains("is asked: what you do at night") && !shown.contains("is asked: night"), "{shown}");
}

/// What spaces of a board have is told of spaces, and what the program counts of chance is told of nothing.
#[test]
fn what_only_spaces_have_is_told_of_no_card() {
    use houserule::lang::sample::{CARDS, GAME, text_of};
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
