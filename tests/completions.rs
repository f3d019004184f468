//! `houserule completions` without a shell, and `houserule man`. Bash, zsh and fish complete in tests/outside/test_completions.py.

use crate::support::{Ran, folder, program, root};
use std::path::Path;

#[test]
fn powershell_is_told_whom_to_ask() {
    let folder = folder(&[]);
    folder
        .run("completions powershell")
        .ends(0)
        .prints(&["Register-ArgumentCompleter -Native -CommandName houserule", "HOUSERULE_COMPLETE"]);
    folder.run("completions tcsh").ends(2).says(&["possible values: bash, zsh, fish, powershell"]);
}

/// What a shell is told about the last word of a line.
fn completed(folder: &Path, line: &str) -> Ran {
    let line = format!("-- houserule {line}");
    Ran::new(&line, program(folder, &line).env("HOUSERULE_COMPLETE", "bash").output().unwrap()).quietly()
}

#[test]
fn a_pack_that_the_line_names_is_completed_with_its_cards() {
    assert_eq!(completed(root(), "playtest nations --pack packs/dynasties --deal vesuv").out, "vesuvius\n");
    // A folder without games and a game with errors complete nothing, and say nothing.
    let broken = folder(&[("rules/wood.rules", "game wood \"Wood\"\nplayers\n")]);
    for root in ["nowhere", "."] {
        assert_eq!(completed(broken.path(), &format!("--root {root} show wood x")).out, "", "{root}");
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
        assert_eq!(folder.run(&format!("man {command}")).ends(0).out, page);
    }
    assert!(folder.read("pages/man1/houserule.1").contains("houserule\\-playtest(1)"));
    folder.run("man --lang fr").ends(2).says(&["`man` has no `--lang`"]);
    folder.run("man playtes").ends(2).says(&["there is no command `playtes`; did you mean `playtest`?"]);
}
