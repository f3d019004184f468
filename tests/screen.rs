//! Whole games at the full-screen table, in a terminal of their own, by keys alone.

use crate::support::root;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A terminal with houserule in it.
struct Terminal {
    screen: vt100::Parser,
    output: Receiver<Vec<u8>>,
    input: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
}

/// Nothing takes longer than this, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

impl Terminal {
    fn new(args: &[&str], (columns, lines): (u16, u16), colour: bool) -> Terminal {
        let size = PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_houserule"));
        command.args(args);
        command.cwd(root());
        command.env("TERM", "xterm-256color");
        if !colour {
            command.env("NO_COLOR", "1");
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let input = pair.master.take_writer().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let _open = pair.master;
            let mut bytes = [0; 65536];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { screen: vt100::Parser::new(lines, columns, 0), output, input, child }
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until something is so.
    #[track_caller]
    fn wait(&mut self, what: &str, so: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !so(&self.text()) {
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(100)) {
                self.screen.process(&bytes);
            }
            assert!(begun.elapsed() < PATIENCE, "{what} does not come:\n{}", self.text());
        }
    }

    fn press(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    /// Reads until nothing has come for a moment.
    fn settle(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(25)) {
            self.screen.process(&bytes);
        }
    }
}

const ENTER: &str = "\r";
const F10: &str = "\x1b[21~";

/// Plays with the first option always, and looks at every screen on the way.
fn played(args: &[&str], size: (u16, u16), colour: bool) -> usize {
    let mut terminal = Terminal::new(args, size, colour);
    terminal.wait("the table", |text| text.contains("F10: leave"));
    let begun = Instant::now();
    let mut screens = 0;
    loop {
        terminal.settle();
        let text = terminal.text();
        if text.contains(": the game is over") {
            break;
        }
        screens += 1;
        let middle = text.lines().filter(|line| line.starts_with(['┌', '│', '└']));
        for line in middle {
            assert!(line.chars().count() == usize::from(size.0) && line.ends_with(['┐', '│', '┘']), "`{line}`\n{text}");
        }
        terminal.press(&ENTER.repeat(4));
        assert!(begun.elapsed() < PATIENCE, "the game does not end:\n{text}");
    }
    let coloured = (0..size.1).any(|row| {
        (0..size.0).any(|column| terminal.screen.screen().cell(row, column).is_some_and(|cell| cell.fgcolor() != vt100::Color::Default))
    });
    assert!(!coloured, "nothing needs a colour");
    terminal.press(F10);
    assert!(terminal.child.wait().unwrap().success());
    // The screen is gone, and what the game has come to stands where one was before.
    terminal.wait("the outcome", |text| text.contains(" points") && text.contains(", state "));
    screens
}

#[test]
fn whole_games_are_played_on_the_screen() {
    for (size, colour) in [((80, 24), false), ((160, 50), true)] {
        assert!(played(&["play", "nations", "--players", "2", "--seat", "human,random", "--seed", "17"], size, colour) > 10);
        assert!(played(&["play", "nations-dice", "--players", "1", "--seed", "17"], size, colour) > 5);
        assert!(
            played(&["--root", "tests/games", "play", "tinkers", "--players", "3", "--seat", "human,greedy", "--seed", "17"], size, colour)
                > 2
        );
    }
}

#[test]
fn a_game_is_saved_and_a_replay_is_looked_at_backwards() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("a.replay").display().to_string();
    let mut terminal = Terminal::new(&["play", "nations-dice", "--players", "1", "--seed", "17", "--save", &save], (80, 24), false);
    terminal.wait("the table", |text| text.contains("F10: leave"));
    terminal.press(ENTER);
    terminal.press("\x1b[15~");
    terminal.wait("the save", |text| text.contains("the game is saved in"));
    terminal.press(F10);
    assert!(terminal.child.wait().unwrap().success());
    assert!(std::fs::read_to_string(&save).unwrap().contains("\np1: "));
    let mut terminal = Terminal::new(&["replay", "tests/replays/nations-2.replay"], (100, 30), false);
    terminal.wait("the first answer", |text| text.contains("after 0 of 167 answers"));
    terminal.press("\x1b[C\x1b[C\x1b[C\x1b[D");
    terminal.wait("the second answer", |text| text.contains("after 2 of 167 answers"));
    terminal.press(F10);
    assert!(terminal.child.wait().unwrap().success());
}
