//! Runs in parts, runs that are kept and go on, and the tables that they write: what comes of them is what comes of a run in one piece.

use crate::cli::advisor;
use crate::support::{Folder, Ran, folder, manifest, program, read, replaced, small_games};
use houserule::playtest::saved::{Saved, SavedResults};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value, json};
use std::fs::File;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// What a JSON file has as result, letter for letter; what stands behind it depends on the clock.
fn result(folder: &Folder, file: &str) -> String {
    let text = folder.read(file);
    text.split_once("\n  }").map_or(text.clone(), |(result, _)| result.to_string())
}

/// Plays a run in one piece and in three parts, and puts them together in two orders.
#[track_caller]
fn parts_are_the_whole(folder: &Folder, line: &str, status: i32) {
    let whole = folder.run(&format!("{line} --threads 2 --json whole.json --report whole.html")).ends(status);
    for part in 1..=3 {
        let ran = folder.run(&format!("{line} --threads 1 --shard {part}/3 --save {part}.run --json part.json"));
        assert!(ran.status <= status && ran.out.contains(&format!("part {part} of 3 of the ")), "{}\n{}", ran.out, ran.err);
        let part = folder.json("part.json");
        let part = if part["result"].is_null() { &part } else { &part["result"] };
        assert!(part["asked"].as_u64() < Some(8) && part["part"]["of"] == 3 && part["stopped"] == false);
    }
    for files in ["1.run 2.run 3.run", "3.run 1.run 2.run"] {
        let merged = folder.run(&format!("merge {files} --json merged.json --report merged.html")).ends(status);
        assert_eq!(result(folder, "merged.json"), result(folder, "whole.json"));
        assert_eq!(folder.read("merged.html"), folder.read("whole.html"));
        // Only how long it took is not said once more.
        let said: Vec<&str> = whole.out.lines().filter(|line| !line.contains(" games in ")).collect();
        assert_eq!(merged.out.lines().collect::<Vec<_>>(), said);
        // Nobody learns once more.
        let told: Vec<&str> = whole.err.lines().filter(|line| !line.starts_with("lesson ") && !line.starts_with("training ")).collect();
        assert_eq!(merged.err.lines().collect::<Vec<_>>(), told);
    }
}

#[test]
fn parts_of_a_playtest_are_the_whole() {
    let folder = advisor("if age() > 0 { pay(me, gold, 2) }");
    let line = "playtest nations -n 18 --players 3 --agents greedy,random,random --seed 3 --hooks --pack mine --deal wisp@p1";
    // Some games meet a fault, in each part.
    parts_are_the_whole(&folder, line, 1);
}

#[test]
fn parts_of_a_comparison_are_the_whole() {
    let folder = folder(&[]);
    parts_are_the_whole(&folder, "compare nations -n 20 --players 3 --agents random --with 'change bonus by +2' --seed 3", 0);
    assert!(folder.read("whole.json").contains("\"pairs\": 20"));
    folder.run("merge 1.run 2.run 3.run --all").ends(0).prints(&["All measures"]);
}

/// Runs a training or a search in one piece, and once more behind so many of the steps that it has kept; both come to the same.
#[track_caller]
fn steps_go_on(line: &str, kept: usize) -> Folder {
    let folder = folder(&[]);
    let whole = folder.run(&format!("{line} --json whole.json --save whole.run")).ends(0);
    let mut saved = Saved::read(&folder.read("whole.run")).unwrap();
    let SavedResults::Steps(steps) = &mut saved.sums else { panic!("steps") };
    let all = steps.len();
    assert!(all > kept, "{all} steps");
    steps.truncate(kept);
    folder.write("part.run", &saved.write().unwrap());
    let went_on = folder.run(&format!("{line} --json rest.json --save part.run")).ends(0);
    let steps = if kept == 1 { "step" } else { "steps" };
    assert!(went_on.err.contains(&format!("`part.run`: {kept} {steps} done\n")), "{}", went_on.err);
    assert_eq!(went_on.out, whole.out);
    assert_eq!(folder.read("rest.json"), folder.read("whole.json"));
    assert_eq!(folder.read("part.run"), folder.read("whole.run"));
    folder.run("merge part.run").ends(2).says(&["`part.run` is of a training or a search, which has no parts"]);
    folder
}

#[test]
fn a_search_goes_on_behind_the_settings_that_were_played() {
    let root = small_games();
    let line = &format!("--root {root} tune glutton --vary 'enough in 2..9' --target 'rounds = 2' --agents random -n 400 --players 2");
    steps_go_on(line, 3).run(&format!("{} --save part.run", line.replace("2..9", "2..8"))).ends(2).says(&[
        "`part.run` and `this command` are not of the same run:\n  --vary: enough in 2..9 in `part.run`, enough in 2..8 in `this command`",
    ]);
}

#[test]
fn a_training_goes_on_behind_its_lessons_and_generations() {
    let root = small_games();
    for kept in [1, 3] {
        steps_go_on(&format!("--root {root} train glutton -n 20 --generations 4 --players 2 --seed 3"), kept);
    }
    steps_go_on(&format!("--root {root} train glutton -n 10 --search 2 --players 2 --seed 3"), 1);
}

/// A small game whose rules are learnt before they are compared.
const ADAPT: &str = "compare glutton -n 6 --players 2 --with 'change enough to 5' --seed 3 --adapt --trainings 2";

fn glutton() -> Folder {
    // Short games: what is learnt does not matter here.
    let rules = replaced(&read("tests/games/rules/glutton.rules"), &[("constant enough = 100", "constant enough = 6  ")]);
    folder(&[("rules/glutton.rules", &rules), ("cards/glutton/none.toml", "")])
}

#[test]
fn parts_of_a_comparison_by_players_who_have_learnt_are_the_whole() {
    let folder = glutton();
    parts_are_the_whole(&folder, &format!("{ADAPT} --generations 1"), 0);
}

#[test]
fn what_players_have_learnt_is_kept_with_a_run() {
    let folder = glutton();
    let line = format!("{ADAPT} --generations 0 --save a.run");
    let first = folder.run(&format!("{line} --json first.json")).ends(0);
    assert!(first.out.contains("lesson 1: ") || first.err.contains("lesson 1: "), "{}\n{}", first.out, first.err);
    // Who has not adapted to anything plays as greedy does.
    first.prints(&[
        "these games are by players of 2 trainings of each side",
        "against greedy without the change: +0.0% of wins for each seat (+0.0 to +0.0)",
        "against greedy with the change: +0.0% of wins for each seat (+0.0 to +0.0)",
    ]);
    let again = folder.run(&format!("{line} --json again.json")).ends(0);
    assert!(again.err.contains("6 of 6 pairs are done: nothing is left to be played"), "{}", again.err);
    assert!(!again.out.contains("lesson") && !again.err.contains("lesson"), "{}\n{}", again.out, again.err);
    assert_eq!(result(&folder, "again.json"), result(&folder, "first.json"));
    let crossed =
        folder.run(&line.replace("--save a.run", "--generations 1 --cross --json cross.json").replace("--generations 0 ", "")).ends(0);
    crossed.prints(&["if who has learnt without the change plays both: points ", "if who has learnt with the change plays both: points "]);
    let crossed = folder.json("cross.json");
    assert!(crossed["cross_play"]["learnt_without"]["difference"].is_f64(), "{crossed}");
    // Who learns for longer learns something else.
    let longer = folder.run(&line.replace("generations 0", "generations 3")).ends(2);
    assert!(longer.err.contains("a.run` and `this command` are not of the same run:"), "{}", longer.err);
    folder.run(&ADAPT.replace("--adapt", "--generations 3")).ends(2);
    let oftener = folder.run(&line.replace("trainings 2", "trainings 3")).ends(2);
    assert!(oftener.err.contains("trainings of each side: 2 in `a.run`, 3 in `this command`"), "{}", oftener.err);
    folder.run(&line.replace("trainings 2", "trainings 7")).ends(2).says(&["`--trainings 7`: each has games of its own"]);
    folder.run(&line.replace("--save a.run", "--until 0.3")).ends(2);
}

#[test]
fn what_is_missing_is_told() {
    let folder = folder(&[]);
    for part in [1, 3] {
        folder.run(&format!("playtest nations -n 6 --agents random --shard {part}/3 --save {part}.run")).ends(0);
    }
    let missing = "part 2 of 3 is missing";
    folder.run("merge 3.run 1.run --json -").ends(1).says(&[missing, "--partial"]);
    let partial = folder.run("merge 3.run 1.run --partial").ends(0).says(&[missing]);
    partial.prints(&["Nations: 4 complete games", "stopped: 6 games were asked for"]);
    folder.run("merge 3.run 1.run 3.run").ends(2).says(&["`3.run` and `3.run` are both part 3 of 3"]);
    folder.run("merge 1.run 3.run --partial --all").ends(2).says(&["`--all` is for comparisons"]);
    folder.run("merge none.run").ends(2).says(&["cannot read `none.run`"]);
}

#[test]
fn runs_of_something_else_are_refused_and_it_is_named() {
    let folder = folder(&[("a.rules", "change bonus by +1\n"), ("mine/pack.toml", &manifest("mine", "nations"))]);
    let line = "playtest nations -n 4 --players 2 --agents random";
    folder.run(&format!("{line} --save a.run")).ends(0).says(&["`a.run` is new"]);
    // What changes no game may be otherwise.
    let again = folder.run(&format!("{line} --resume a.run --threads 1 --json again.json")).ends(0);
    again.says(&["`a.run`: 4 of 4 games are done: nothing is left to be played"]);
    for (more, named) in [
        ("-n 5", "games: 4 in `a.run`, 5 in `this command`"),
        ("--seed 2", "seed: 1 in `a.run`, 2 in `this command`"),
        ("--agents greedy", "agents: random,random in `a.run`, greedy,greedy in `this command`"),
        ("--players 3", "players: 2 in `a.run`, 3"),
        ("--hooks", "--hooks: false in `a.run`, true"),
        ("--with 'change bonus by +1'", "rules text (its hash): "),
        ("--with a.rules", "rules text (its hash): "),
        ("--option ages=1", "options: none in `a.run`, ages=1"),
        ("--deal augustus@p1", "cards dealt: none in `a.run`, augustus@p1"),
        ("--pack mine", "packs: none in `a.run`, mine 1.0 ("),
        ("--shard 1/2", "--shard: 1 of 1 in `a.run`, 1 of 2"),
    ] {
        let kept: Vec<&str> = line.split(' ').collect();
        // An option that is given anew stands in the place of the old one.
        let at = kept.iter().position(|word| more.starts_with(word) && word.starts_with('-'));
        let line = at.map_or(line.to_string(), |at| [&kept[..at], &kept[at + 2..]].concat().join(" "));
        let ran = folder.run(&format!("{line} {more} --save a.run")).ends(2).says(&["are not of the same run", named]);
        // What is typed otherwise makes other rules; their hash says nothing more.
        assert_eq!(ran.err.contains("rules text"), named.starts_with("rules text"), "{more}: {}", ran.err);
    }
    folder
        .run("compare nations -n 4 --players 2 --agents random --deal augustus --save a.run")
        .ends(2)
        .says(&["command: playtest in `a.run`, compare"]);
    folder.run(&format!("{line} --seed 2 --save b.run")).ends(0);
    folder.run("merge a.run b.run").ends(2).says(&["`a.run` and `b.run` are not of the same run:\n  seed: 1 in `a.run`, 2 in `b.run`"]);
    folder
        .run("playtest nations-dice -n 4 --agents random --shard 1/2 --save b.run")
        .ends(2)
        .says(&["game: nations in `b.run`, nations-dice"]);
}

#[test]
fn a_file_that_is_not_whole_is_refused() {
    let folder = folder(&[]);
    folder.run("playtest nations -n 4 --agents random --save a.run").ends(0);
    let whole = folder.read("a.run");
    let refused = |text: &str, why: &str| {
        folder.write("b.run", text);
        folder.run("merge b.run").ends(2).says(&["cannot read `b.run`: ", why]);
        folder.run("playtest nations -n 4 --agents random --save b.run").ends(2).says(&["cannot read `b.run`: ", why]);
        assert_eq!(folder.read("b.run"), text);
    };
    refused(&whole[..whole.len() / 2], "it is no saved run of houserule");
    refused("", "it is no saved run of houserule");
    #[cfg(unix)]
    {
        folder.run("playtest nations -n 4 --agents random --save /dev/zero").ends(2).says(&["`/dev/zero` is no file"]);
        folder.run("merge /dev/zero").ends(2).says(&["cannot read `/dev/zero`: it is no plain file"]);
    }
    refused(&whole.replacen("\"games\":4", "\"games\":5", 1), "it is damaged");
    refused(&whole.replacen(env!("CARGO_PKG_VERSION"), "0.0.9", 1), "it was saved by houserule 0.0.9, and this is houserule ");
    // Rules that have changed since are no longer those of the names in the report.
    folder.write("a.rules", "change bonus by +1\n");
    folder.run("playtest nations -n 4 --agents random --with a.rules --save c.run").ends(0);
    folder.write("a.rules", "change bonus by +2\n");
    folder.run("merge c.run").ends(2).says(&["rules text (its hash): ", "run it where the game and its packs are as they were"]);
}

/// Whoever makes a file by hand can work out its hash, too.
#[test]
fn a_saved_run_that_was_made_by_hand_is_refused_with_its_place() {
    let folder = folder(&[]);
    folder.run("playtest nations -n 4 --agents random --save a.run").ends(0);
    folder.run("compare nations -n 4 --agents random --with 'change bonus by +2' --save c.run").ends(0);
    let made = |from: &str, at: &str, value: Value| {
        let mut file = folder.json(from);
        *file["saved"].pointer_mut(at).unwrap() = value;
        let saved = serde_json::to_string(&file["saved"]).unwrap();
        let hash = format!("{:016x}", houserule::state::chance::hash_text(&saved));
        format!("{{\"houserule\":{},\"hash\":\"{hash}\",\"saved\":{saved}}}", file["houserule"])
    };
    let refused = |from: &str, (at, value, why): (&str, Value, &str), line: &str| {
        folder.write("b.run", &made(from, at, value));
        folder.run("merge b.run").ends(2).says(&[why]);
        folder.run(&format!("{line} --save b.run")).ends(2).says(&[why]);
    };
    let tally = "/sums/playtest/outcome/tally";
    for (at, value, why) in [
        ("/sums/playtest/done", json!([[3, 1]]), "it is of no run: `sums.done`: [3,1]"),
        (&*format!("{tally}/games"), json!(u64::MAX), "`outcome.tally.games`: 18446744073709551615 is more"),
        (&format!("{tally}/won/0"), json!(u64::MAX), "`outcome.tally.won.0`"),
        (&format!("{tally}/rounds"), json!({ "count": 4, "sum": 100, "squares": 5 }), "no 4 numbers have the sum 100"),
        (&format!("{tally}/distributions/rounds"), json!({ "width": 3, "from": 0, "counts": [4] }), "no histogram has 1 bins of width 3"),
        (&format!("{tally}/by_seat"), json!([]), "its `by_seat` tells of what these rules do not have"),
        (&format!("{tally}/actions"), json!([[[9999, null], 3]]), "its `actions` tells of what"),
    ] {
        refused("a.run", (at, value, why), "playtest nations -n 4 --agents random");
    }
    let of_pairs = ("/sums/compare/pairs", json!(u64::MAX), "`pairs`: 18446744073709551615 is more");
    refused("c.run", of_pairs, "compare nations -n 4 --agents random --with 'change bonus by +2'");
    let bits = format!("{:016x}", f64::NAN.to_bits());
    let no_sum = ("/sums/compare/measures/0/1/plain", json!([bits]), "is no part of a sum");
    refused("c.run", no_sum, "compare nations -n 4 --agents random --with 'change bonus by +2'");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let run = |line: &str| folder(&[]).run(line).ends(2);
    for more in [
        "--series --save a",
        "--cards --save a",
        "--series --shard 1/2",
        "--cards --shard 1/2",
        "--cards --parquet a",
        "--series --parquet a",
    ] {
        run(&format!("playtest nations -n 2 {more}")).says(&["cannot be used with"]);
    }
    for more in ["--ladder --save a", "--ladder --shard 1/2", "--until 0.3 --shard 1/2"] {
        run(&format!("compare nations -n 2 --deal augustus {more}")).says(&["cannot be used with"]);
    }
    run("playtest nations -n 2 --shard 3/2").says(&["`3/2` is no part of a run"]);
    run("playtest nations -n 2 --shard 1/3").says(&["2 games cannot be parted so often"]);
    run("playtest nations -n 2 --parquet -").says(&["name one instead of `-`"]);
    run("playtest nations -n 2 --save a --json a").says(&["--save and --json cannot both go to `a`"]);
    run("playtest nations -n 1000000 --save /nowhere/at/all.run").says(&["cannot write `/nowhere/at/all.run`"]);
    run("playtest nations -n 1000000 --parquet /nowhere/at/all.parquet").says(&["cannot write `/nowhere/at/all.parquet`"]);
}

#[test]
fn a_table_in_parquet_holds_what_the_csv_does() {
    let folder = folder(&[]);
    folder.run("playtest nations-dice -n 7 --players 3 --agents greedy,random,random --seed 18446744073709551615 --csv a.csv --parquet a.parquet").ends(0);
    let csv = folder.read("a.csv");
    let mut lines = csv.lines();
    let table = SerializedFileReader::new(File::open(folder.at("a.parquet")).unwrap()).unwrap();
    let columns = table.metadata().file_metadata().schema_descr().columns().iter().map(|column| column.name().to_string());
    assert_eq!(columns.collect::<Vec<_>>().join(","), lines.next().unwrap());
    let rows: Vec<String> = table
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let fields = row.unwrap().into_columns().into_iter().map(|(_, field)| match field {
                Field::Str(text) => text,
                Field::Long(number) => number.to_string(),
                Field::ULong(number) => number.to_string(),
                other => panic!("{other:?}"),
            });
            fields.collect::<Vec<_>>().join(",")
        })
        .collect();
    assert_eq!(rows.len(), 7 * 3);
    assert_eq!(rows, lines.collect::<Vec<_>>());
}

#[test]
fn tables_of_parts_are_the_table_and_those_of_half_a_run_are_refused() {
    let folder = folder(&[]);
    let line = "playtest nations -n 6 --players 2 --agents random";
    folder.run(&format!("{line} --csv whole.csv")).ends(0);
    let parts = [1, 2].map(|part| {
        folder.run(&format!("{line} --shard {part}/2 --save {part}.run --csv {part}.csv")).ends(0);
        folder.read(&format!("{part}.csv")).lines().skip(1).map(str::to_string).collect::<Vec<_>>()
    });
    assert_eq!(parts.concat(), folder.read("whole.csv").lines().skip(1).collect::<Vec<_>>());
    let before = folder.read("1.csv");
    folder.run(&format!("{line} --shard 1/2 --save 1.run --csv 1.csv")).ends(2).says(&["would be missing from --csv and --parquet"]);
    assert_eq!(folder.read("1.csv"), before);
}

#[test]
fn a_game_that_ended_because_a_player_failed_is_played_again() {
    let folder = folder(&[]);
    let ran = folder.run("playtest nations -n 4 --players 2 --threads 1 --seat 'exec:sh -c \"exit 3\"' --seat random --save a.run").ends(1);
    ran.prints(&["dropped because of a fault: 1 game\n"]);
    folder.run("merge a.run --partial").ends(0).says(&["has 0 of its 4 games"]);
}

/// A player in a shell that takes the first option, and in its fourth game waits for ever while there is a file `closed`.
#[cfg(unix)]
const WAITS: &str = r#"game=0
while read -r line; do
  case $line in
    *'"type":"begin"'*) game=$((game + 1));;
    *'"type":"ask"'*)
      if [ -e closed ] && [ $game -gt 3 ]; then
        echo $$ > waiting
        exec 0</dev/null
        while :; do sleep 0.1; done
      fi
      id=${line#*'"id":'} key=${line#*'"options":["'}
      printf '{"id":%s,"key":"%s"}\n' "${id%%[!0-9]*}" "${key%%'"'*}";;
  esac
done
"#;

/// A run that stands still in the middle of its fourth game.
#[cfg(unix)]
struct Still {
    folder: Folder,
    child: std::process::Child,
    line: String,
}

#[cfg(unix)]
impl Still {
    fn new(line: &str) -> Still {
        let folder = folder(&[("player.sh", WAITS), ("closed", "")]);
        let line = format!("--root {} {line} --players 2 --threads 1 --seat 'exec:sh player.sh' --seat random", small_games());
        let mut command = program(folder.path(), &format!("{line} --save a.run"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !std::fs::read_to_string(folder.at("waiting")).is_ok_and(|text| text.ends_with('\n')) {
            assert_eq!(child.try_wait().unwrap(), None, "`{line}` has ended instead of waiting");
            sleep(Duration::from_millis(10));
        }
        Still { folder, child, line }
    }

    fn signal(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// The folder and the line of the run, and what came of it.
    fn ended(self) -> (Folder, String, Ran) {
        let ran = Ran::new(&self.line, self.child.wait_with_output().unwrap());
        (self.folder, self.line, ran)
    }
}

#[test]
#[cfg(unix)]
fn a_run_that_was_ended_in_the_middle_of_a_game_goes_on_as_if_it_never_had_been() {
    for (signal, expected, games, line) in
        [("-TERM", 143, 9, "playtest glutton"), ("-INT", 130, 100, "compare glutton --with 'change enough by +5' --until 0.5")]
    {
        let line = &format!("{line} -n {games}");
        let still = Still::new(line);
        still.signal(signal);
        let (folder, line, ran) = still.ended();
        ran.ends(expected).prints(&[&format!("stopped: {games} ")]);
        folder.remove("closed");
        let went_on = folder.run(&format!("{line} --resume a.run --json a.json")).ends(0);
        assert!(went_on.err.contains(&format!("of {games} ")) && !went_on.err.contains(": 0 of"), "{}", went_on.err);
        folder.run(&format!("{line} --json whole.json")).ends(0);
        assert_eq!(result(&folder, "a.json"), result(&folder, "whole.json"));
        folder.run_small("merge a.run --json merged.json").ends(0);
        assert_eq!(result(&folder, "merged.json"), result(&folder, "whole.json"));
    }
}

#[test]
#[cfg(unix)]
fn a_second_signal_ends_the_program_at_once() {
    let still = Still::new("playtest glutton -n 9 --report -");
    still.signal("-TERM");
    // The player is ended first; then a page is written that nobody reads, and of which more than a pipe holds would be waited for.
    let player = still.folder.read("waiting");
    while Command::new("kill").args(["-0", player.trim()]).stderr(Stdio::null()).status().unwrap().success() {
        sleep(Duration::from_millis(10));
    }
    sleep(Duration::from_millis(300));
    still.signal("-INT");
    let (folder, _, ran) = still.ended();
    assert!(ran.status == 130 && !ran.out.contains("</html>"), "{}: {}", ran.status, ran.out.len());
    // What was written last is whole, and the games are in it.
    let merged = folder.run_small("merge a.run --partial").ends(0);
    merged.prints(&["The Glutton: 3 complete games"]);
}
