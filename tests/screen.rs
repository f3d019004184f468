//! Whole games at the full-screen table, in a terminal of their own, by keys alone.

use crate::support::root;
use crate::support::terminal::in_terminal;
use portable_pty::CommandBuilder;
use std::io::Write;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// A terminal with houserule in it.
struct Terminal {
    screen: vt100::Parser,
    output: Receiver<Vec<u8>>,
    input: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    /// Where the program keeps by itself what it keeps.
    state: tempfile::TempDir,
}

/// Nothing takes longer than this, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

impl Terminal {
    fn new(args: &[&str], (columns, lines): (u16, u16), colour: bool) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_houserule"));
        command.args(args);
        command.cwd(root());
        command.env("TERM", "xterm-256color");
        let state = tempfile::tempdir().unwrap();
        command.env("XDG_STATE_HOME", state.path());
        if !colour {
            command.env("NO_COLOR", "1");
        }
        let (child, input, output) = in_terminal(command, (columns, lines));
        Terminal { screen: vt100::Parser::new(lines, columns, 0), output, input, child, state }
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

    /// A file that the program keeps by itself: its text, or nothing.
    fn kept(&self, name: &str) -> String {
        std::fs::read_to_string(self.state.path().join("houserule").join(name)).unwrap_or_default()
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

/// The boxes of a screen, each with its title and the lines in it. They must be whole, fill all lines between head and foot from edge to
/// edge, and not reach into each other.
fn boxes(text: &str, (columns, lines): (u16, u16)) -> Result<Vec<(String, Vec<String>)>, String> {
    let wrong = |what: &str| Err(format!("{what}:\n{text}"));
    let grid: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let at = |row: usize, column: usize| grid.get(row).and_then(|line| line.get(column)).copied().unwrap_or(' ');
    let (columns, lines) = (usize::from(columns), usize::from(lines));
    if grid.len() > lines || grid.iter().any(|line| line.len() > columns) {
        return wrong("larger than the terminal");
    }
    let mut covered = vec![vec![false; columns]; lines];
    let mut found = Vec::new();
    for (top, left) in (0..lines).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if at(top, left) != '┌' {
            continue;
        }
        let Some(right) = (left + 1..columns).find(|&column| at(top, column) == '┐') else { return wrong("an open top") };
        let bottom = (top + 1..lines).find(|&row| at(row, left) != '│').unwrap_or(lines);
        if at(bottom, left) != '└' || at(bottom, right) != '┘' {
            return wrong("an open box");
        }
        if (left + 1..right).any(|column| at(bottom, column) != '─') || (top + 1..bottom).any(|row| at(row, right) != '│') {
            return wrong("something lies on a border");
        }
        let title: String = (left + 1..right).map(|column| at(top, column)).collect();
        let name = title.trim_end_matches('─');
        if name.len() == title.len() || !name.ends_with([']', ' ']) {
            return wrong(&format!("a title is cut: `{title}`"));
        }
        for (row, column) in (top..=bottom).flat_map(|row| (left..=right).map(move |column| (row, column))) {
            if std::mem::replace(&mut covered[row][column], true) {
                return wrong("boxes lie on each other");
            }
        }
        let within = |row: usize| (left + 1..right).map(|column| at(row, column)).collect::<String>();
        found.push((name.trim_matches(|sign| " []".contains(sign)).to_string(), (top + 1..bottom).map(within).collect()));
    }
    let rows: Vec<bool> = covered.iter().map(|row| row.iter().any(|cell| *cell)).collect();
    let ends = rows.iter().position(|row| *row).zip(rows.iter().rposition(|row| *row));
    let Some((first, last)) = ends else { return wrong("no box at all") };
    if !covered[first..=last].iter().all(|row| row.iter().all(|cell| *cell)) {
        return wrong("between head and foot something is not covered");
    }
    Ok(found)
}

impl Terminal {
    /// The boxes of the screen, when it has been drawn to its end.
    #[track_caller]
    fn boxes(&mut self, size: (u16, u16)) -> Vec<(String, Vec<String>)> {
        let begun = Instant::now();
        loop {
            self.settle();
            match boxes(&self.text(), size) {
                Ok(found) => return found,
                Err(wrong) => assert!(begun.elapsed() < Duration::from_secs(10), "{wrong}"),
            }
        }
    }
}

/// Plays with the first option always, and looks at every screen on the way.
fn played(args: &[&str], size: (u16, u16), colour: bool) -> usize {
    let mut terminal = Terminal::new(args, size, colour);
    terminal.wait("the table", |text| text.contains("F10: leave"));
    let begun = Instant::now();
    let mut screens = 0;
    let mut coloured = false;
    loop {
        terminal.settle();
        let text = terminal.text();
        // What the game has come to lies over the cards, which have the colours.
        coloured |= (0..size.1).any(|row| {
            (0..size.0).any(|column| terminal.screen.screen().cell(row, column).is_some_and(|cell| cell.fgcolor() != vt100::Color::Default))
        });
        if text.contains(": the game is over") {
            break;
        }
        screens += 1;
        // Of a screen that is half drawn something more is to come; the end of the game lies over everything.
        let found = terminal.boxes(size);
        assert!(found.len() == 4 || terminal.text().contains(": the game is over"), "{text}");
        terminal.press(&ENTER.repeat(4));
        assert!(begun.elapsed() < PATIENCE, "the game does not end:\n{text}");
    }
    assert_eq!(coloured, colour, "colours are there unless NO_COLOR forbids them");
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

/// A small game of one person and two machine players, at its first question.
fn tinkers_with_machines() -> Terminal {
    let args = ["--root", "tests/games", "play", "tinkers", "--players", "3", "--seat", "human,greedy", "--seed", "17"];
    let mut terminal = Terminal::new(&args, (80, 24), false);
    terminal.wait("the table", |text| text.contains("F10: leave"));
    terminal
}

#[test]
fn machine_players_answer_however_fast_keys_are_typed() {
    let mut terminal = tinkers_with_machines();
    let begun = Instant::now();
    while !terminal.text().contains(": the game is over") {
        // Nobody waits for what a key does.
        terminal.press(ENTER);
        if let Ok(bytes) = terminal.output.recv_timeout(Duration::from_millis(1)) {
            terminal.screen.process(&bytes);
        }
        assert!(begun.elapsed() < PATIENCE, "the game does not end:\n{}", terminal.text());
    }
    terminal.press(F10);
    assert!(terminal.child.wait().unwrap().success());
}

/// A text with one blank between words.
fn words_in_order(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_terminal_that_is_too_small_says_so_and_can_be_left() {
    for size in [(49, 24), (80, 15), (30, 8)] {
        let mut terminal = Terminal::new(&["play", "nations", "--players", "2", "--seed", "17"], size, false);
        let whole = "the terminal is too small: 50 columns and 16 lines are the least; --plain needs no more than lines";
        terminal.wait("what is wrong", |text| words_in_order(text) == whole);
        terminal.press(F10);
        assert!(terminal.child.wait().unwrap().success());
    }
    // The least that is needed is enough.
    let mut terminal = Terminal::new(&["play", "nations", "--players", "2", "--seed", "17"], (50, 16), false);
    terminal.wait("the question", |text| text.contains("p1 is asked: ") && text.contains("F10: leave"));
    assert_eq!(terminal.boxes((50, 16)).len(), 4, "{}", terminal.text());
    terminal.press(F10);
    assert!(terminal.child.wait().unwrap().success());
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

/// A board is no text that could be wrapped: each row stays a line, with what stands below the same column.
#[test]
fn a_map_keeps_its_shape_over_the_whole_screen() {
    let size = (80, 24);
    let mut terminal = Terminal::new(&["replay", "tests/replays/near-2.replay"], size, false);
    terminal.wait("the table", |text| text.contains("after 0 of "));
    // By then all tiles of the world are laid.
    terminal.press(&"\x1b[C".repeat(12));
    terminal.wait("the twelfth answer", |text| text.contains("after 12 of "));
    terminal.press("\x1b[20~");
    let picture = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
        .args(["show", "near", "world", "--replay", "tests/replays/near-2.replay", "--at", "12"])
        .current_dir(root())
        .output()
        .unwrap();
    let picture = String::from_utf8(picture.stdout).unwrap();
    let rows: Vec<&str> = picture.lines().filter(|line| line.starts_with('r') && line.contains("  ")).collect();
    assert!(rows.len() > 6, "{picture}");
    terminal.wait("the map", |text| text.contains("all that lies on the table"));
    let drawn = |text: &str, row: &str| text.lines().any(|line| line.contains(row.trim_end()));
    for row in rows {
        for _ in 0..40 {
            terminal.settle();
            if drawn(&terminal.text(), row) {
                break;
            }
            terminal.press("\x1b[B");
        }
        assert!(drawn(&terminal.text(), row), "`{row}` is not shown in one line:\n{}", terminal.text());
    }
}

#[cfg(unix)]
#[test]
fn a_game_whose_terminal_is_closed_is_kept_and_the_screen_is_restored() {
    for (signal, status) in [("TERM", 143), ("HUP", 129), ("INT", 130)] {
        let mut terminal = Terminal::new(&["play", "nations-dice", "--players", "1", "--seed", "17"], (80, 24), false);
        terminal.wait("the table", |text| text.contains("F10: leave"));
        assert!(terminal.screen.screen().alternate_screen());
        terminal.press(ENTER);
        let begun = Instant::now();
        while !terminal.kept("nations-dice-17.replay").contains("\np1: ") {
            terminal.settle();
            assert!(begun.elapsed() < PATIENCE, "the answer is not written down:\n{}", terminal.text());
        }
        let id = terminal.child.process_id().unwrap().to_string();
        assert!(std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success());
        assert_eq!(terminal.child.wait().unwrap().exit_code(), status, "{signal}");
        terminal.wait("how to go on", |text| words_in_order(text).replace(' ', "").contains("goesonwithit"));
        assert!(!terminal.screen.screen().alternate_screen(), "{signal} leaves the screen as it was before");
        // Whoever plays the same game again is told of it, and the line that was said goes on with it.
        let file = terminal.state.path().join("houserule/nations-dice-17.replay").display().to_string();
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"))
            .args(["replay", &file, "--verify"])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(String::from_utf8(done.stdout).unwrap().contains("1 answers, the same state; the game is not over"));
    }
}

#[test]
fn a_game_that_nobody_wants_is_not_kept_and_one_that_is_over_is() {
    let own = "nations-dice-17.replay";
    let mut terminal = Terminal::new(&["play", "nations-dice", "--players", "1", "--seed", "17"], (80, 24), false);
    terminal.wait("the table", |text| text.contains("F10: leave"));
    assert!(terminal.kept(own).contains("over    = false"));
    terminal.press(ENTER);
    terminal.press(F10);
    terminal.wait("the question", |text| text.contains("save the game before leaving? y or n"));
    terminal.press("n");
    assert!(terminal.child.wait().unwrap().success());
    assert_eq!(terminal.kept(own), "");
    let mut terminal = tinkers_with_machines();
    let begun = Instant::now();
    while !terminal.text().contains(": the game is over") {
        terminal.press(ENTER);
        terminal.settle();
        assert!(begun.elapsed() < PATIENCE, "the game does not end:\n{}", terminal.text());
    }
    terminal.press(F10);
    assert!(terminal.child.wait().unwrap().success());
    assert!(terminal.kept("tinkers-last.replay").contains("over    = true") && terminal.kept("tinkers-17.replay").is_empty());
    terminal.wait("where it is", |text| text.contains("it is kept until another is over: `houserule --root tests/games replay"));
}
