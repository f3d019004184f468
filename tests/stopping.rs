//! Every command ends: by itself, or soon after a signal, wherever it is.

use crate::support::folder;

/// Two players whose points lie thousands apart: the inverse of the beta function that was used for intervals never ended for as many games
/// as it takes to know their mean.
const COIN: &str = "game coin \"Coin\"
players 2
player { resource gold; each round { flag passed } }
rounds 1 of luck
phase luck {
  turns in order until all have passed, 1 each
  action big { does { gain 5000 gold; passed = yes } }
  action small { does { passed = yes } }
}
score { \"gold\" = gold }
wins highest score
worth = score
";

#[test]
fn points_that_lie_far_apart_are_summed_up() {
    let folder = folder(&[("rules/coin.rules", COIN)]);
    // About half of the games differ by 5000 points per turn; to know them to the nearest point takes games by the million, not for ever.
    folder.run("playtest coin -n 10 --agents random --json run.json").ends(0);
    let run = folder.json("run.json");
    let of_points = run["result"]["needed"].as_array().unwrap().iter().find(|need| need["measure"] == "points").unwrap();
    let games = of_points["interval"].as_f64().unwrap();
    assert!((1e6..1e9).contains(&games), "{of_points}");
    folder.run("compare coin -n 10 --agents random --with 'extend score { \"more\" = 900000 * gold }'").ends(0);
}

/// Commands that take longer than anybody waits, each in another place most of the time.
#[cfg(unix)]
const LONG: &[&str] = &[
    "playtest nations -n 100000000",
    "playtest nations -n 100 --agents search:100000",
    "compare nations -n 100000000 --with 'change bonus by +2'",
    "compare nations -n 1000 --with 'change bonus by +2' --adapt",
    "tournament nations -n 1000000",
    "train nations -n 100000",
    "tune nations --vary 'bonus by -1..1' --target 'seat shares = even' -n 1000000",
    "mutate nations",
];

#[test]
#[cfg(unix)]
fn a_command_that_is_told_to_end_is_gone_in_two_seconds() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    // Beside other tests everything takes longer.
    let most = Duration::from_secs(2) * 2;
    for (nth, line) in LONG.iter().enumerate() {
        let folder = folder(&[]);
        let mut command = crate::support::program(folder.path(), line);
        command.args(["--threads", "1"].iter().filter(|_| !line.starts_with("mutate")));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // Another moment each, and the same in each run.
        std::thread::sleep(Duration::from_millis(300 + 487 * nth as u64 % 1500));
        let early = child.try_wait().unwrap();
        // A shell that runs the tests in its background has them ignore Ctrl-C, and with them whatever does not ask for it.
        let signal = if nth % 2 == 0 || line.starts_with("mutate") { "-TERM" } else { "-INT" };
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let told = Instant::now();
        while child.try_wait().unwrap().is_none() && told.elapsed() < most {
            std::thread::sleep(Duration::from_millis(20));
        }
        let gone = child.try_wait().unwrap();
        let _ = child.kill();
        let said = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&said.stderr);
        assert!(early.is_none(), "`{line}` has ended before it was told to: {early:?} {said}");
        assert!(gone.is_some(), "`{line}` goes on after {signal}: {said}");
    }
}
