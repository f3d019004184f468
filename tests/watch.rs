//! `--watch`: files are saved, half written, put in each other's place and deleted while it runs, as editors do it.
#![cfg(unix)]

use crate::support::root;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::Read;
use std::path::Path;
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
    fn new(folder: &Path, args: &[&str]) -> Watching {
        let games = root().join("tests/games").display().to_string();
        // Both outputs in one, so that what is said comes in the order in which it was said.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 2>&1", env!("CARGO_BIN_EXE_houserule"), "--root", &games])
            .args(args)
            .current_dir(folder)
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

fn pack(folder: &Path) -> std::path::PathBuf {
    let pack = folder.join("mypack");
    std::fs::create_dir_all(pack.join("cards")).unwrap();
    std::fs::write(pack.join("pack.toml"), "name = \"mypack\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"attic\"\n").unwrap();
    std::fs::write(pack.join("cards/a.toml"), CARD).unwrap();
    pack.join("cards/a.toml")
}

/// Saves at once, as an editor that puts a new file in the place of the old one: plain writing empties the file first, and whoever looks just then
/// rightly answers twice.
fn save(folder: &tempfile::TempDir, file: &str, text: impl AsRef<[u8]>) {
    let beside = folder.path().join("saved");
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(&beside, folder.path().join(file)).unwrap();
}

#[test]
fn check_answers_anew_whenever_a_file_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let card = pack(folder.path());
    let mut watching = Watching::new(folder.path(), &["check", "mypack", "--watch"]);
    let said = watching.says(&["attic with mypack: ", "0 errors, 0 warnings"]);
    assert!(!said.contains('\u{1b}'), "nothing is cleared where no terminal is: {said:?}");
    // A slip, half a file, and all well again.
    save(&folder, "mypack/cards/a.toml", CARD.replace("vp = 3", "vpp = 3"));
    let said = watching.says(&["mypack/cards/a.toml has changed", "error[", "`vpp`", "read in "]);
    assert!(!said.contains("random games"), "games of what cannot be read are not played: {said}");
    save(&folder, "mypack/cards/a.toml", &CARD[..20]);
    watching.says(&["mypack/cards/a.toml has changed", "error["]);
    // An editor writes beside the file, and puts it in its place.
    let beside = card.with_file_name(".a.toml.swp");
    std::fs::write(&beside, CARD).unwrap();
    std::fs::rename(&beside, &card).unwrap();
    let said = watching.says(&["mypack/cards/a.toml has changed", "0 errors, 0 warnings", "random games"]);
    assert!(!said.contains(".swp"), "{said}");
    let other = card.with_file_name("b.toml");
    std::fs::write(&other, CARD.replace("sun_dial", "hourglass")).unwrap();
    watching.says(&["mypack/cards/b.toml is new", "0 errors, 0 warnings"]);
    std::fs::remove_file(&other).unwrap();
    watching.says(&["mypack/cards/b.toml is gone", "0 errors, 0 warnings"]);
    // The whole folder goes, and comes back.
    let kept = folder.path().join("kept");
    std::fs::rename(folder.path().join("mypack"), &kept).unwrap();
    watching.says(&["mypack/cards/a.toml is gone"]);
    std::fs::rename(&kept, folder.path().join("mypack")).unwrap();
    watching.says(&["mypack/cards/a.toml is new", "0 errors, 0 warnings"]);
    std::fs::write(&card, CARD.replace("vp = 3", "vp = 4")).unwrap();
    watching.says(&["mypack/cards/a.toml has changed", "0 errors, 0 warnings"]);
    watching.stop();
}

#[test]
fn test_asks_first_what_stands_in_the_file_that_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    std::fs::create_dir_all(folder.path().join("mypack/tests")).unwrap();
    let scenario = "game = \"attic\"\n\n[[scenario]]\nname = \"the dial is there\"\nthen = \"sun_dial.vp == 3\"\n";
    std::fs::write(folder.path().join("mypack/tests/a.toml"), scenario).unwrap();
    let mut watching = Watching::new(folder.path(), &["test", "mypack", "--watch"]);
    watching.says(&["2 passed, 0 failed"]);
    save(&folder, "mypack/cards/a.toml", CARD.replace("vp = 3", "vp = 4"));
    let said = watching.says(&["mypack/cards/a.toml has changed", "in what has changed: 0 passed, 1 failed", "0 passed, 2 failed"]);
    let (first, later) = said.split_once("the others follow").unwrap();
    assert!(first.contains("FAILED cards of mypack: sun_dial") && !first.contains("the dial is there"), "{said}");
    assert!(later.contains("the dial is there") && !later.contains("FAILED cards of mypack: sun_dial"), "{said}");
    save(&folder, "mypack/tests/a.toml", scenario.replace("== 3", "== 4"));
    watching.says(&["mypack/tests/a.toml has changed", "in what has changed: 1 passed, 0 failed", "1 passed, 1 failed"]);
    watching.stop();
}

#[test]
fn what_cannot_be_watched_and_what_contradicts_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_houserule")).args(args).current_dir(folder.path()).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    let (status, said) = run(&["check", "nowhere", "--watch"]);
    assert!(status == Some(2) && said.contains("`nowhere` has neither pack.toml nor rules/ nor cards/"), "{said}");
    for args in [&["check", "--watch", "--json", "-"][..], &["check", "--watch", "--format", "sarif"], &["test", "--watch", "--junit", "x"]]
    {
        let (status, said) = run(args);
        assert!(status == Some(2) && said.contains("cannot be used with"), "{said}");
    }
}

/// An answer that was broken off by a file that came and went again was never given.
#[test]
fn an_answer_that_was_broken_off_is_given_after_all() {
    let folder = tempfile::tempdir().unwrap();
    let card = pack(folder.path());
    let mut watching = Watching::new(folder.path(), &["check", "mypack", "--watch"]);
    watching.says(&["attic with mypack: ", "0 errors, 0 warnings"]);
    let passing = card.with_file_name("b.toml");
    for _ in 0..4 {
        save(&folder, "mypack/cards/a.toml", format!("{CARD}\n"));
        std::thread::sleep(Duration::from_millis(150));
        std::fs::write(&passing, CARD.replace("sun_dial", "hourglass")).unwrap();
        std::thread::sleep(Duration::from_millis(120));
        std::fs::remove_file(&passing).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path());
    let write = |file: &str, text: &str| std::fs::write(folder.path().join(file), text).unwrap();
    std::fs::create_dir(folder.path().join("rules")).unwrap();
    let rules = "change players to 2 to 3\n";
    std::fs::create_dir_all(folder.path().join("upper/cards")).unwrap();
    write("upper/pack.toml", "name = \"upper\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"mypack\"\n");
    write("upper/cards/a.toml", &CARD.replace("sun_dial", "hourglass"));
    write("longer.rules", rules);
    write("longer.toml", "game = \"attic\"\nwith = \"longer.rules\"\nplayers = 2\n\n[[scenario]]\nname = \"a\"\nthen = \"round == 1\"\n");
    let mut watching = Watching::new(folder.path(), &["test", "longer.toml", "--watch"]);
    watching.says(&["1 passed, 0 failed"]);
    save(&folder, "longer.rules", format!("{rules}\n"));
    watching.says(&["longer.rules has changed", "1 passed, 0 failed"]);
    // Once more: a file that was put in the place of another is still watched.
    save(&folder, "longer.rules", rules);
    watching.says(&["longer.rules has changed", " passed, "]);
    watching.stop();
    let mut watching = Watching::new(folder.path(), &["check", "upper", "--watch"]);
    watching.says(&["0 errors, "]);
    save(&folder, "mypack/cards/a.toml", CARD.replace("vp = 3", "vpp = 3"));
    watching.says(&["mypack/cards/a.toml has changed", "`vpp`"]);
    watching.stop();
}
