//! `--watch`: files are saved, half written, put in each other's place and deleted while it runs, as editors do it.
#![cfg(unix)]

use crate::support::{Folder, folder, manifest, small_games};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Nothing takes longer than this, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// houserule, and what it says on both its outputs.
struct Watching {
    child: Child,
    output: Receiver<String>,
    said: String,
}

fn listen(mut from: impl Read + Send + 'static, to: Sender<String>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut bytes) {
            if to.send(String::from_utf8_lossy(&bytes[..count]).into_owned()).is_err() {
                return;
            }
        }
    });
}

impl Watching {
    fn new(folder: &Folder, args: &[&str]) -> Watching {
        // Both outputs in one, so that what is said comes in the order in which it was said.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 2>&1", env!("CARGO_BIN_EXE_houserule"), "--root", &small_games()])
            .args(args)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, output) = channel();
        listen(child.stdout.take().unwrap(), sender);
        Watching { child, output, said: String::new() }
    }

    /// Waits until all of this has been said since the last time, and it waits again; what was said.
    #[track_caller]
    fn says(&mut self, parts: &[&str]) -> String {
        let begun = Instant::now();
        let ready = |said: &str| parts.iter().all(|part| said.contains(part)) && said.ends_with("watching; Ctrl-C ends\n");
        while !ready(&self.said) {
            if let Ok(more) = self.output.recv_timeout(Duration::from_millis(100)) {
                self.said.push_str(&more);
            }
            assert!(begun.elapsed() < PATIENCE, "{parts:?} is not said:\n{}", self.said);
        }
        std::mem::take(&mut self.said)
    }

    /// Ends it as Ctrl-C does.
    #[track_caller]
    fn stop(mut self) {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(130));
    }
}

const CARD: &str = "[[card]]\nid = \"sun_dial\"\nkind = \"clock\"\nvp = 3\n\n[[card.test]]\nthen = \"sun_dial.vp == 3\"\n";

/// A folder with a pack.
fn packed() -> Folder {
    folder(&[("mypack/pack.toml", &manifest("mypack", "attic")), ("mypack/cards/a.toml", CARD)])
}

/// Saves at once, as an editor that puts a new file in the place of the old one: plain writing empties the file first, and whoever looks just then
/// rightly answers twice.
fn save(folder: &Folder, file: &str, text: &str) {
    folder.write("saved", text);
    std::fs::rename(folder.at("saved"), folder.at(file)).unwrap();
}

#[test]
fn check_answers_anew_whenever_a_file_is_saved() {
    let folder = packed();
    let mut watching = Watching::new(&folder, &["check", "mypack", "--watch"]);
    let said = watching.says(&["attic with mypack: ", "0 errors, 0 warnings"]);
    assert!(!said.contains('\u{1b}'), "nothing is cleared where no terminal is: {said:?}");
    // A slip, half a file, and all well again.
    save(&folder, "mypack/cards/a.toml", &CARD.replace("vp = 3", "vpp = 3"));
    let said = watching.says(&["mypack/cards/a.toml has changed", "error[", "`vpp`", "read in "]);
    assert!(!said.contains("random games"), "games of what cannot be read are not played: {said}");
    save(&folder, "mypack/cards/a.toml", &CARD[..20]);
    watching.says(&["mypack/cards/a.toml has changed", "error["]);
    // An editor writes beside the file, and puts it in its place.
    folder.write("mypack/cards/.a.toml.swp", CARD);
    std::fs::rename(folder.at("mypack/cards/.a.toml.swp"), folder.at("mypack/cards/a.toml")).unwrap();
    let said = watching.says(&["mypack/cards/a.toml has changed", "0 errors, 0 warnings", "random games"]);
    assert!(!said.contains(".swp"), "{said}");
    folder.write("mypack/cards/b.toml", &CARD.replace("sun_dial", "hourglass"));
    watching.says(&["mypack/cards/b.toml is new", "0 errors, 0 warnings"]);
    folder.remove("mypack/cards/b.toml");
    watching.says(&["mypack/cards/b.toml is gone", "0 errors, 0 warnings"]);
    // The whole folder goes, and comes back.
    std::fs::rename(folder.at("mypack"), folder.at("kept")).unwrap();
    watching.says(&["mypack/cards/a.toml is gone"]);
    std::fs::rename(folder.at("kept"), folder.at("mypack")).unwrap();
    watching.says(&["mypack/cards/a.toml is new", "0 errors, 0 warnings"]);
    folder.write("mypack/cards/a.toml", &CARD.replace("vp = 3", "vp = 4"));
    watching.says(&["mypack/cards/a.toml has changed", "0 errors, 0 warnings"]);
    watching.stop();
}

#[test]
fn test_asks_first_what_stands_in_the_file_that_was_saved() {
    let folder = packed();
    let scenario = "game = \"attic\"\n\n[[scenario]]\nname = \"the dial is there\"\nthen = \"sun_dial.vp == 3\"\n";
    folder.write("mypack/tests/a.toml", scenario);
    let mut watching = Watching::new(&folder, &["test", "mypack", "--watch"]);
    watching.says(&["2 passed, 0 failed"]);
    save(&folder, "mypack/cards/a.toml", &CARD.replace("vp = 3", "vp = 4"));
    let said = watching.says(&["mypack/cards/a.toml has changed", "in what has changed: 0 passed, 1 failed", "0 passed, 2 failed"]);
    let (first, later) = said.split_once("the others follow").unwrap();
    assert!(first.contains("FAILED cards of mypack: sun_dial") && !first.contains("the dial is there"), "{said}");
    assert!(later.contains("the dial is there") && !later.contains("FAILED cards of mypack: sun_dial"), "{said}");
    save(&folder, "mypack/tests/a.toml", &scenario.replace("== 3", "== 4"));
    watching.says(&["mypack/tests/a.toml has changed", "in what has changed: 1 passed, 0 failed", "1 passed, 1 failed"]);
    watching.stop();
}

#[test]
fn what_cannot_be_watched_and_what_contradicts_it_is_told() {
    let run = |line: &str| folder(&[]).run(line).ends(2);
    run("check nowhere --watch").says(&["`nowhere` has neither pack.toml nor rules/ nor cards/"]);
    for line in ["check --watch --json -", "check --watch --format sarif", "test --watch --junit x"] {
        run(line).says(&["cannot be used with"]);
    }
}

/// An answer that was broken off by a file that came and went again was never given.
#[test]
fn an_answer_that_was_broken_off_is_given_after_all() {
    let folder = packed();
    let mut watching = Watching::new(&folder, &["check", "mypack", "--watch"]);
    watching.says(&["attic with mypack: ", "0 errors, 0 warnings"]);
    for _ in 0..4 {
        save(&folder, "mypack/cards/a.toml", &format!("{CARD}\n"));
        std::thread::sleep(Duration::from_millis(150));
        folder.write("mypack/cards/b.toml", &CARD.replace("sun_dial", "hourglass"));
        std::thread::sleep(Duration::from_millis(120));
        folder.remove("mypack/cards/b.toml");
        // Whatever was broken off, in the end there is an answer, and it waits.
        watching.says(&["attic with mypack: ", "0 errors, 0 warnings"]);
        save(&folder, "mypack/cards/a.toml", CARD);
        watching.says(&["mypack/cards/a.toml has changed", "0 errors, 0 warnings"]);
    }
    watching.stop();
}

/// Rules that a scenario names, and packs on which a pack builds, lie elsewhere.
#[test]
fn files_on_which_an_answer_rests_are_watched_wherever_they_lie() {
    let folder = packed();
    std::fs::create_dir(folder.at("rules")).unwrap();
    let rules = "change players to 2 to 3\n";
    folder.write("upper/pack.toml", &manifest("upper", "mypack"));
    folder.write("upper/cards/a.toml", &CARD.replace("sun_dial", "hourglass"));
    folder.write("longer.rules", rules);
    folder.write(
        "longer.toml",
        "game = \"attic\"\nwith = \"longer.rules\"\nplayers = 2\n\n[[scenario]]\nname = \"a\"\nthen = \"round == 1\"\n",
    );
    let mut watching = Watching::new(&folder, &["test", "longer.toml", "--watch"]);
    watching.says(&["1 passed, 0 failed"]);
    save(&folder, "longer.rules", &format!("{rules}\n"));
    watching.says(&["longer.rules has changed", "1 passed, 0 failed"]);
    // Once more: a file that was put in the place of another is still watched.
    save(&folder, "longer.rules", rules);
    watching.says(&["longer.rules has changed", " passed, "]);
    watching.stop();
    let mut watching = Watching::new(&folder, &["check", "upper", "--watch"]);
    watching.says(&["0 errors, "]);
    save(&folder, "mypack/cards/a.toml", &CARD.replace("vp = 3", "vpp = 3"));
    watching.says(&["mypack/cards/a.toml has changed", "`vpp`"]);
    watching.stop();
}
