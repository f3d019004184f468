//! Every block of code on the pages of `docs/` and in the README is run or held by a test, or stands in `BY_HAND` with a reason.
//!
//! * A block with a file behind its language (`rules packs/dynasties/rules/dynasties.rules`) stands in that file; `…` is a gap.
//!   Or it is that file, which the book includes (`{{#include ../FILE}}`, with lines `:1:20` perhaps).
//! * Where a walk makes a file (`toml saltmarsh/pack.toml`), its blocks are put one after another into a folder, and at the end of the page
//!   the file there is the one in `examples/`.
//! * Commands in `sh` blocks are run in that folder, beside what the repository holds; at the keyboard, `1` is the answer to all. Games of
//!   Nations and Near take long without optimisation: three are played if chance plays, else one, however many are shown.
//! * The lines of a `text` block behind it are lines of what came of it, in that order, whatever the spaces; a line that ends with `…` begins
//!   one. Where fewer games were played, the name at the head of the line must be there, and figures are those of the day.

use crate::support::{Folder, folder, read, root, run_typed};
use rayon::prelude::*;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Blocks that this test cannot run: page, how it begins, and why; it may be that another test holds it.
const BY_HAND: [(&str, &str, &str); 42] = [
    ("README.md", "mean points of a player", ".ci/run compares it with what is printed, of all pairs"),
    ("README.md", "Nations: 1000 complete games", "tests/cli.rs compares its lines with those of a report"),
    ("README.md", "# mypack/", "tests/cli.rs writes it and runs the commands"),
    ("README.md", "houserule check mypack", "tests/cli.rs runs it beside the files of the page"),
    ("README.md", "houserule playtest nations --with shared.rules", "tests/cli.rs runs it beside the files of the page"),
    ("README.md", "houserule test ties.toml", "tests/cli.rs runs it beside the files of the page"),
    ("README.md", "// shared.rules", "tests/cli.rs writes it and looks whether it acts"),
    ("README.md", "# ties.toml", "tests/cli.rs writes it, and `test` runs it"),
    ("agents.md", "houserule playtest nations --seat", "my-player is a program of the reader's; tests/agents.rs plays with the example"),
    ("agents.md", "{\"type\"", "tests/agents.rs compares it with what is spoken"),
    ("agents.md", "import json", "tests/agents.rs reads it; it wants a model's client"),
    ("browser.md", "houserule serve", "goes on until Ctrl-C; tests/serve.rs speaks with it"),
    ("editors.md", "vim.filetype", "an editor's settings"),
    ("editors.md", "[language-server", "an editor's settings"),
    ("editors.md", "cd editors/vscode", "wants Node; .ci/editors does the same"),
    ("editors.md", "vim.treesitter", "an editor's settings"),
    ("editors.md", "[[grammar]]", "an editor's settings"),
    ("editors.md", "houserule schema", "a shell puts it into files; tests/schema.rs runs the commands without them"),
    ("editors.md", "[[rule]]", "an editor's settings"),
    ("expansions.md", "packs/dynasties/\n", "a list of files"),
    ("expansions.md", "error[C021]", "what is said of a slip that the pack does not have; tests/errors has the like"),
    ("expansions.md", "FAILED cards", "what is said of a slip that the pack does not have"),
    ("expansions.md", "Games won", "figures of the day"),
    ("expansions.md", "error[R202]", "two packs of which the repository has one"),
    ("first-card.md", "# mypack/", "tests/cli.rs writes it and runs the commands"),
    ("first-card.md", "houserule check mypack", "tests/cli.rs runs it beside the files of the page"),
    ("first-card.md", "// shared.rules", "tests/cli.rs writes it and looks whether it acts"),
    ("first-card.md", "houserule playtest nations --with shared.rules", "tests/cli.rs runs it beside the files of the page"),
    ("near.md", "mean points of a player", "figures of the day, of eighty pairs of games"),
    ("near.md", "houserule compare near --players 2 -n 80 --set side=b", "a shell reads a command of several lines"),
    ("packs.md", "saltmarsh/\n", "a list of files"),
    ("play.md", "houserule play nations ", "at the keyboard; tests/play.rs sits there"),
    ("play.md", "replay  = 1", "a saved game of the day; tests/play.rs reads and writes others"),
    ("play.md", "error[G302]", "a game whose rules have changed"),
    ("recipes.md", "[[patch]]", "a patch of a pack of the reader's; tests/packs.rs reads others"),
    ("scale.md", "houserule playtest nations -n 3000 --agents random --shard 2/3 --parquet", "duckdb is not ours"),
    ("scale.md", "#!/bin/bash", "wants Slurm"),
    ("scale.md", "pip install ray", "wants Ray"),
    ("scenarios.md", "# ties.toml", "tests/cli.rs writes it, and `test` runs it"),
    ("scenarios.md", "houserule test ties.toml", "tests/cli.rs runs it beside the files of the page"),
    ("servers.md", "houserule check mypack --watch", "goes on until Ctrl-C; tests/watch.rs saves files beside it"),
    ("servers.md", "# .github/", "wants GitHub"),
];

struct Block {
    line: usize,
    language: String,
    file: Option<String>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut blocks, mut open) = (Vec::new(), None::<Block>);
    for (at, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let mut words = info.split_whitespace().map(str::to_string);
                let (language, file) = (words.next().unwrap_or_default(), words.next());
                open = Some(Block { line: at + 1, language, file, text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text += format!("{line}\n").as_str(),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|line| !line.is_empty()).collect()
}

/// Finds what a block shows in a text, line by line; `…` is a gap.
fn stands_in(shown: &str, text: &str) -> Result<(), String> {
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    let shown: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let mut from = 0;
    for part in shown.split(|line| ["…", "# …", "// …"].contains(&line.trim())).filter(|part| !part.is_empty()) {
        let found = text[from..].windows(part.len()).position(|there| there == part);
        from += part.len() + found.ok_or_else(|| format!("it does not say there:\n{}", part.join("\n")))?;
    }
    Ok(())
}

/// Whether a block consists of its file, which the book puts in.
fn included(block: &str, file: &str) -> Result<(), String> {
    let path = block.trim_end().strip_prefix("{{#include ../").and_then(|rest| rest.strip_suffix("}}"));
    let lines = path.and_then(|path| path.strip_prefix(file));
    match lines {
        Some(lines) if lines.is_empty() || lines.starts_with(':') => Ok(()),
        _ => Err(format!("it includes something else than {file}")),
    }
}

/// What a walk over a page has come to.
struct Walk {
    folder: Folder,
    made: Vec<String>,
    /// What the last commands printed, and whether they played fewer games than they say.
    printed: String,
    cut: bool,
}

impl Walk {
    fn new() -> Walk {
        let folder = folder(&[]);
        for part in ["packs", "tests", "examples", "rules", "cards"] {
            std::os::unix::fs::symlink(root().join(part), folder.at(part)).unwrap();
        }
        Walk { folder, made: Vec::new(), printed: String::new(), cut: false }
    }

    fn block(&mut self, block: &Block) -> Result<(), String> {
        match (block.language.as_str(), &block.file) {
            ("rules" | "toml", Some(file)) if root().join(file).is_file() && block.text.starts_with("{{#include ") => {
                included(&block.text, file)
            }
            ("rules" | "toml", Some(file)) if root().join(file).is_file() => {
                stands_in(&block.text, &read(file)).map_err(|why| format!("{file}: {why}"))
            }
            ("rules" | "toml", Some(file)) if root().join("examples").join(file).is_file() => {
                let before = fs::read_to_string(self.folder.at(file)).map(|before| format!("{before}\n")).unwrap_or_default();
                self.folder.write(file, &(before + block.text.as_str()));
                if !self.made.contains(file) {
                    self.made.push(file.clone());
                }
                Ok(())
            }
            (_, Some(file)) => Err(format!("there is no {file}")),
            ("sh", None) => {
                (self.printed, self.cut) = (String::new(), false);
                block.text.lines().try_for_each(|line| self.command(line))
            }
            ("text", None) if !self.printed.is_empty() => self.compare(&block.text),
            (other, None) => Err(format!("nobody runs this block of `{other}`: name its file, or say in BY_HAND why not")),
        }
    }

    fn command(&mut self, line: &str) -> Result<(), String> {
        let mut words = shlex::split(line).ok_or("quotation marks are not closed")?;
        if words.is_empty() {
            return Ok(());
        }
        if words.remove(0) != "houserule" {
            return Err(format!("`{line}` is no command of houserule"));
        }
        if words.iter().any(|word| ["nations", "nations-dice", "near"].contains(&word.as_str()))
            && let Some(at) = words.iter().position(|word| word == "-n")
        {
            words[at + 1] = if words.iter().any(|word| word == "random") { "3" } else { "1" }.to_string();
            self.cut = true;
        }
        let begun = Instant::now();
        // At the keyboard; who asks nothing may have ended already.
        let ran = run_typed(self.folder.path(), &shlex::try_join(words.iter().map(String::as_str)).unwrap(), &"1\n".repeat(60));
        let printed = ran.all();
        println!("{:6.1} s  {line}", begun.elapsed().as_secs_f32());
        if ran.status != 0 {
            return Err(format!("`{line}` ends with {}:\n{printed}", ran.status));
        }
        self.printed += printed.as_str();
        Ok(())
    }

    fn compare(&self, shown: &str) -> Result<(), String> {
        let name = |line: &str| {
            let head: Vec<&str> = line.split(' ').take_while(|word| !word.starts_with(|first: char| first.is_ascii_digit())).collect();
            if self.cut { head.join(" ") } else { line.to_string() }
        };
        let printed = lines(&self.printed);
        let mut rest = printed.iter();
        for line in lines(shown).iter().filter(|line| *line != "…") {
            let (line, whole) = line.strip_suffix('…').map_or((line.as_str(), true), |line| (line.trim_end(), false));
            let alike = |there: &&String| if whole { name(there) == name(line) } else { name(there).starts_with(&name(line)) };
            rest.find(alike).ok_or_else(|| format!("`{line}` is not printed there, but\n{}", self.printed))?;
        }
        Ok(())
    }

    /// What was made is what the repository has.
    fn end(&self) -> Result<(), String> {
        for file in &self.made {
            let (made, there) = (self.folder.read(file), read(&format!("examples/{file}")));
            if made != there {
                let differs = made.lines().zip(there.lines()).find(|(made, there)| made != there);
                return Err(format!("examples/{file} is not what the page makes: {differs:?}"));
            }
        }
        Ok(())
    }
}

/// What is wrong with the examples of a page, and which reasons were used.
fn walk(name: &str, page: &str, used: &mut Vec<usize>) -> Vec<String> {
    let (mut walk, mut wrong) = (Walk::new(), Vec::new());
    for block in blocks(page) {
        let reason = BY_HAND.iter().position(|(page, beginning, _)| *page == name && block.text.starts_with(beginning));
        match reason {
            Some(reason) => used.push(reason),
            None => wrong.extend(walk.block(&block).err().map(|why| format!("{name}:{}: {why}", block.line))),
        }
    }
    if wrong.is_empty() {
        wrong.extend(walk.end().err().map(|why| format!("{name}: {why}")));
    }
    wrong
}

#[test]
fn every_block_of_every_page_is_run_or_says_why_not() {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|file| file.unwrap().path());
    let mut pages: Vec<_> = docs.filter(|file| file.extension().is_some_and(|kind| kind == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    // The language is made from the grammar, and `examples` runs it.
    pages.retain(|page| name(page) != "language.md");
    let walked: Vec<(Vec<String>, Vec<usize>)> = pages
        .par_iter()
        .map(|page| {
            let mut used = Vec::new();
            (walk(&name(page), &fs::read_to_string(page).unwrap(), &mut used), used)
        })
        .collect();
    let (wrong, used): (Vec<_>, Vec<_>) = walked.into_iter().unzip();
    let (mut wrong, used) = (wrong.concat(), used.concat());
    let idle = (0..BY_HAND.len()).filter(|reason| !used.contains(reason));
    wrong.extend(idle.map(|reason| format!("no block begins as `{}` on {}", BY_HAND[reason].1, BY_HAND[reason].0)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_page_that_is_not_true_is_found() {
    let found = |page: &str| walk("page.md", page, &mut Vec::new()).join("\n");
    assert!(found("```sh\nhouserule list\n```\n\n```text\nno such game\n```\n").contains("is not printed"));
    assert!(found("```sh\nhouserule chcek\n```\n").contains("ends with"));
    assert!(found("```sh\nls\n```\n").contains("no command of houserule"));
    assert!(found("```toml\nid = 1\n```\n").contains("nobody runs"));
    assert!(found("```toml packs/dynasties/pack.toml\nname = \"wisp\"\n```\n").contains("does not say there"));
    let other = "```toml packs/dynasties/pack.toml\n{{#include ../packs/promo/pack.toml}}\n```\n";
    assert!(found(other).contains("something else than packs/dynasties/pack.toml"));
    assert_eq!(found(&other.replace("promo", "dynasties")), "");
    assert!(found("```toml nowhere.toml\nname = \"wisp\"\n```\n").contains("there is no nowhere.toml"));
    assert!(found("```toml saltmarsh/pack.toml\nname = \"wisp\"\n```\n").contains("is not what the page makes"));
    assert_eq!(found("```sh\nhouserule list\n```\n\n```text\nnations: Nations, 1 to …\n…\npacks, for --pack:…\n```\n"), "");
}
