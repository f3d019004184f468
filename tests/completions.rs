//! `houserule completions` in the shells themselves, each in a terminal of its own, and `houserule man`.

use crate::cli::{folder, run_in};
use crate::support::root;
use crate::support::terminal::in_terminal;
use portable_pty::CommandBuilder;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_houserule");

/// Nothing takes longer than this, however slow the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// A shell that has loaded the completions, in a terminal.
struct Shell {
    screen: vt100::Parser,
    output: Receiver<Vec<u8>>,
    input: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
}

impl Shell {
    /// Starts a shell without settings of anybody's; `load` is the line by which it loads the completions.
    fn start(shell: &str, args: &[&str], home: &Path, load: &str) -> Shell {
        let mut command = CommandBuilder::new(shell);
        command.args(args);
        command.cwd(root());
        for (name, value) in [("TERM", "xterm"), ("PS1", "ready> "), ("LC_ALL", "C.UTF-8")] {
            command.env(name, value);
        }
        command.env("HOME", home);
        let (child, input, output) = in_terminal(command, (100, 50));
        let mut shell = Shell { screen: vt100::Parser::new(50, 100, 0), output, input, child };
        shell.type_in(&format!("{load}; echo load''ed\r"));
        shell.wait("loaded");
        shell
    }

    fn type_in(&mut self, keys: &str) {
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    #[track_caller]
    fn wait(&mut self, wanted: &str) {
        let begun = Instant::now();
        while !self.screen.screen().contents().contains(wanted) {
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(100)) {
                self.screen.process(&bytes);
            }
            assert!(begun.elapsed() < PATIENCE, "`{wanted}` does not come:\n{}", self.screen.screen().contents());
        }
    }

    /// Types the beginning of a line and the key for completion, and waits for what must come; then the line is emptied.
    #[track_caller]
    fn completes(&mut self, typed: &str, wanted: &str) {
        self.type_in(&format!("{typed}\t"));
        self.wait(wanted);
        self.type_in("\x15");
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
    }
}

/// What every shell completes: commands, games, cards, variants, options, values and machine players.
const LINES: [(&str, &str); 7] = [
    ("houserule tourn", "houserule tournament "),
    ("houserule playtest nations-d", "houserule playtest nations-dice "),
    ("houserule show hatshep", "houserule show hatshepsut "),
    ("houserule compare nations --with camp", "--with campaign "),
    ("houserule tournament nations --agents random,gre", "random,greedy"),
    ("houserule schema nations --for sce", "--for scenario "),
    ("houserule playtest nations --option set=adv", "--option set=advanced"),
];

#[test]
fn bash_completes_names_of_games_cards_and_options() {
    let home = tempfile::tempdir().unwrap();
    let mut bash = Shell::start("bash", &["--norc", "--noprofile", "-i"], home.path(), &format!("source <('{PROGRAM}' completions bash)"));
    for (typed, wanted) in LINES {
        bash.completes(typed, wanted);
    }
    // Bash parts words at `=`, `@` and `:`.
    bash.completes("houserule play nations --option si", "--option side=");
    bash.completes("houserule playtest nations --option set=base,adv", "set=base,advanced");
    bash.completes("houserule playtest nations --deal hatshepsut@", "hatshepsut@p");
    bash.completes("houserule --root tests/games play orch", "play orchard ");
    bash.completes("houserule check packs/dyn", "packs/dynasties/");
    bash.completes("houserule playtest nations --with 'camp", "--with 'campaign'");
}

/// Whether a shell is there; if not, says that nobody has looked.
fn is_there(shell: &str) -> bool {
    let there = Command::new(shell).arg("--version").output().is_ok();
    if !there {
        eprintln!("SKIPPED: nobody has looked at completions of {shell}, which is not installed");
    }
    there
}

#[test]
fn zsh_completes_names_of_games_cards_and_options() {
    if is_there("zsh") {
        let home = tempfile::tempdir().unwrap();
        let load = format!("autoload -Uz compinit; compinit -u; source <('{PROGRAM}' completions zsh)");
        let mut zsh = Shell::start("zsh", &["-f", "-i"], home.path(), &load);
        LINES.into_iter().for_each(|(typed, wanted)| zsh.completes(typed, wanted.trim_end()));
    }
}

#[test]
fn fish_completes_names_of_games_cards_and_options() {
    if is_there("fish") {
        let home = tempfile::tempdir().unwrap();
        for (typed, wanted) in LINES {
            let line = format!("'{PROGRAM}' completions fish | source; complete --do-complete '{typed}'");
            let done =
                Command::new("fish").args(["--no-config", "-c", &line]).env("HOME", home.path()).current_dir(root()).output().unwrap();
            let said = String::from_utf8_lossy(&done.stdout).into_owned();
            let word = wanted.trim_end().rsplit(' ').next().unwrap();
            assert!(said.lines().any(|line| line.split('\t').next() == Some(word)), "{typed}: {said}");
        }
    }
}

#[test]
fn powershell_is_told_whom_to_ask() {
    let folder = folder(&[]);
    folder
        .run("completions powershell")
        .ends(0)
        .prints(&["Register-ArgumentCompleter -Native -CommandName houserule", "HOUSERULE_COMPLETE"]);
    folder.run("completions tcsh").ends(2).says(&["possible values: bash, zsh, fish, powershell"]);
}

#[test]
fn a_pack_that_the_line_names_is_completed_with_its_cards() {
    let done = Command::new(PROGRAM)
        .env("HOUSERULE_COMPLETE", "bash")
        .args(["--", "houserule", "playtest", "nations", "--pack", "packs/dynasties", "--deal", "vesuv"])
        .current_dir(root())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&done.stdout), "vesuvius\n");
    // A folder without games and a game with errors complete nothing, and say nothing.
    let broken = folder(&[("rules/wood.rules", "game wood \"Wood\"\nplayers\n")]);
    for root in ["nowhere", "."] {
        let done = Command::new(PROGRAM)
            .env("HOUSERULE_COMPLETE", "bash")
            .args(["--", "houserule", "--root", root, "show", "wood", "x"])
            .current_dir(broken.0.path())
            .output()
            .unwrap();
        assert_eq!((String::from_utf8_lossy(&done.stdout).as_ref(), String::from_utf8_lossy(&done.stderr).as_ref()), ("", ""), "{root}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = folder(&[]);
    let help = folder.run("--help").ends(0).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> =
        commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty()).collect();
    assert!(commands.contains(&"playtest") && commands.contains(&"man"), "{commands:?}");
    folder.run("man --out pages/man1").ends(0).prints(&[" pages in pages/man1: "]);
    for command in commands.into_iter().filter(|command| *command != "help") {
        let page = folder.read(&format!("pages/man1/houserule-{command}.1"));
        assert!(page.contains(&format!(".TH houserule-{command} 1")), "{page}");
        assert_eq!(run_in(folder.0.path(), &format!("man {command}")).ends(0).out, page);
    }
    assert!(folder.read("pages/man1/houserule.1").contains("houserule\\-playtest(1)"));
    folder.run("man --lang fr").ends(2).says(&["`man` has no `--lang`"]);
    folder.run("man playtes").ends(2).says(&["there is no command `playtes`; did you mean `playtest`?"]);
}
