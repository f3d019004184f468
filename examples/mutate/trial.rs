//! Puts a wrong file among the right ones and listens to what `check` and `test` say.

use super::child::{self, run};
use super::mutants::Mutant;
use super::text::Source;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Nobody waits longer for a check.
const MOST_TIME: Duration = Duration::from_secs(60);
const MEGABYTES: u64 = 2000;

/// The program that is tried: what comes before the words of a command line.
#[derive(Clone, Debug)]
pub struct Program {
    /// The file.
    pub path: PathBuf,
    /// Words before those of houserule.
    pub first: Vec<String>,
}

/// What is said about a mutant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Messages of `check`.
    pub messages: usize,
    /// `check` said nothing and `test` failed.
    pub by_test: bool,
    /// It crashed, hung, or ended as it should not.
    pub broken: bool,
    /// Some message points to the right line, or the one before or after.
    pub right_line: bool,
    /// The right name is in a message.
    pub name_shown: bool,
    /// What was said.
    pub said: String,
}

impl Verdict {
    /// Whether anybody said anything.
    pub fn caught(&self) -> bool {
        !self.broken && (self.messages > 0 || self.by_test)
    }
}

/// A folder with all files, for one thread.
struct Ground<'a> {
    program: &'a Program,
    sources: &'a [Source],
    dir: tempfile::TempDir,
}

/// The files that are mutated: rules, cards and scenarios. Names in other languages are free texts.
pub fn shipped(root: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    for (folder, extension) in [("rules", "rules"), ("cards", "toml"), ("tests/scenarios", "toml")] {
        for path in houserule::source::Sources::read_dir(&root.join(folder), extension).expect("the folder is there") {
            let text = std::fs::read_to_string(&path).expect("the file is there");
            let path = path.strip_prefix(root).expect("it is below the root").display().to_string();
            if path.contains("/names/") {
                continue;
            }
            found.push(Source { path, text });
        }
    }
    found
}

/// Tries every mutant.
pub fn judge(program: &Program, sources: &[Source], mutants: &[Mutant]) -> Vec<Verdict> {
    // Each thread has a folder of its own for all its mutants.
    let ground = || Ground::new(program, sources);
    mutants.par_iter().with_min_len(8).map_init(ground, |ground, mutant| ground.judge(mutant)).collect()
}

/// What is said of the files as they are; empty if all is well.
pub fn said_of_shipped(program: &Program, sources: &[Source]) -> String {
    Ground::new(program, sources).said(None, None).said
}

/// What a slip in a file can break: the game of the file, which alone is checked and tested then. `None`: any game.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scope {
    game: String,
    /// The file, if its scenarios alone can fail.
    file: Option<PathBuf>,
}

/// Where a slip can be noticed. A file of scenarios says itself of which game it is, and may say it wrongly after the slip.
fn scope(root: &Path, source: &Source, now: &str) -> Option<Scope> {
    if let Some(name) = source.path.strip_prefix("rules/").or_else(|| source.path.strip_prefix("cards/")) {
        return Some(Scope { game: name.split(['/', '.']).next()?.to_string(), file: None });
    }
    let game = |text: &str| Some(text.parse::<toml::Table>().ok()?.get("game")?.as_str()?.to_string());
    let was = game(&source.text)?;
    (game(now)? == was).then(|| Scope { game: was, file: Some(root.join(&source.path)) })
}

impl<'a> Ground<'a> {
    fn new(program: &'a Program, sources: &'a [Source]) -> Ground<'a> {
        let ground = Ground { program, sources, dir: tempfile::tempdir().expect("a folder") };
        for source in sources {
            let path = ground.dir.path().join(&source.path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, &source.text).expect("it is written");
        }
        ground.copy_packs();
        ground
    }

    /// Packs on which scenarios stand lie beside them; they are not mutated.
    fn copy_packs(&self) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for extension in ["toml", "rules"] {
            for from in houserule::source::Sources::read_dir(&root.join("tests/packs"), extension).expect("the folder is there") {
                let to = self.dir.path().join(from.strip_prefix(root).expect("it is below the root"));
                std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
                std::fs::copy(from, to).expect("it is written");
            }
        }
    }

    fn houserule(&self, words: &[&str]) -> child::Ended {
        let mut args: Vec<&OsStr> = self.program.first.iter().map(OsStr::new).collect();
        args.extend([OsStr::new("--root"), self.dir.path().as_os_str()]);
        args.extend(words.iter().map(OsStr::new));
        let ended = run(&self.program.path, &args, MOST_TIME, MEGABYTES);
        // Once more, and with more patience: a busy machine is no finding.
        if ended.late { run(&self.program.path, &args, MOST_TIME * 3, MEGABYTES) } else { ended }
    }

    fn judge(&self, mutant: &Mutant) -> Verdict {
        let source = &self.sources[mutant.file];
        let path = self.dir.path().join(&source.path);
        std::fs::write(&path, &mutant.text).expect("it is written");
        let verdict = self.said(Some(mutant), scope(self.dir.path(), source, &mutant.text).as_ref());
        std::fs::write(&path, &source.text).expect("it is written");
        verdict
    }

    /// What is said of one game, or of all.
    fn said(&self, mutant: Option<&Mutant>, scope: Option<&Scope>) -> Verdict {
        let game = scope.map(|scope| scope.game.as_str());
        let checked = self.houserule(&["check", "--json", "-"].into_iter().chain(game).collect::<Vec<_>>());
        let mut verdict = Verdict { broken: !matches!(checked.status, Some(0 | 1)), ..Verdict::default() };
        let found: Vec<serde_json::Value> = serde_json::from_str(&checked.out).unwrap_or_default();
        verdict.messages = found.len();
        let mut places = Vec::new();
        for message in &found {
            let text = |key: &str| message[key].as_str().unwrap_or("").to_string();
            places.push(format!("{}:{}:", text("file"), message["line"]));
            places.extend(message["also"].as_array().into_iter().flatten().filter_map(|also| also.as_str().map(str::to_string)));
            let help = message["help"].as_array().into_iter().flatten().filter_map(|help| help.as_str());
            let help: Vec<&str> = help.collect();
            verdict.said.push_str(&format!(
                "{} {} {} ({}) {}\n",
                places[places.len() - 1],
                text("code"),
                text("message"),
                text("label"),
                help.join("; ")
            ));
        }
        if verdict.broken {
            verdict.said.push_str(&checked.err);
        }
        if found.is_empty() && !verdict.broken {
            let file = scope.and_then(|scope| scope.file.as_deref()?.to_str());
            let tested = self.houserule(&["test"].into_iter().chain(file.or(game)).collect::<Vec<_>>());
            verdict.broken = !matches!(tested.status, Some(0 | 1));
            verdict.by_test = tested.status == Some(1);
            if tested.status != Some(0) {
                let said = format!("{}{}", tested.out, tested.err);
                places.extend(said.lines().filter_map(|line| line.split_once("┌─ ")).map(|(_, place)| place.to_string()));
                verdict.said.push_str(&said);
            }
        }
        let here = format!("{}/", self.dir.path().display());
        verdict.said = verdict.said.replace(&here, "");
        if let Some(mutant) = mutant {
            let wanted: Vec<String> = mutant
                .places
                .iter()
                .flat_map(|(file, line)| (line.saturating_sub(1)..=line + 1).map(move |line| (file, line)))
                .map(|(file, line)| format!("{here}{}:{line}:", self.sources[*file].path))
                .collect();
            verdict.right_line = places.iter().any(|place| wanted.iter().any(|wanted| place.starts_with(wanted)));
            verdict.name_shown = verdict.said.contains(&format!("`{}`", mutant.was)) || verdict.said.contains(&mutant.was);
        }
        verdict
    }
}

/// Counts of a class, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How many there are.
    pub mutants: usize,
    /// Caught by `check`.
    pub check: usize,
    /// Caught by `test` only.
    pub test: usize,
    /// Crashes and hangs.
    pub broken: usize,
    /// Of those caught: at the right line.
    pub right_line: usize,
    /// Of those caught by `check`: with one message.
    pub one_message: usize,
    /// Misspelt words.
    pub misspelt: usize,
    /// Of them: caught.
    pub misspelt_caught: usize,
    /// Of those caught: the right name is shown.
    pub name_shown: usize,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, mutant: &Mutant, verdict: &Verdict) {
        let by_check = verdict.caught() && !verdict.by_test;
        self.mutants += 1;
        self.check += usize::from(by_check);
        self.test += usize::from(verdict.caught() && verdict.by_test);
        self.broken += usize::from(verdict.broken);
        self.right_line += usize::from(verdict.caught() && verdict.right_line);
        self.one_message += usize::from(by_check && verdict.messages == 1);
        self.misspelt += usize::from(mutant.misspelt);
        self.misspelt_caught += usize::from(mutant.misspelt && verdict.caught());
        self.name_shown += usize::from(mutant.misspelt && verdict.caught() && verdict.name_shown);
    }

    /// How many were caught.
    pub fn caught(&self) -> usize {
        self.check + self.test
    }
}

/// Counts by class, and of all.
pub fn count(mutants: &[Mutant], verdicts: &[Verdict]) -> (BTreeMap<&'static str, Counts>, Counts) {
    let mut classes: BTreeMap<&'static str, Counts> = BTreeMap::new();
    let mut all = Counts::default();
    for (mutant, verdict) in mutants.iter().zip(verdicts) {
        classes.entry(mutant.class).or_default().add(mutant, verdict);
        all.add(mutant, verdict);
    }
    (classes, all)
}

/// A share in hundredths of a percent, so that it can be compared exactly.
pub fn share(part: usize, whole: usize) -> usize {
    (part * 10_000).checked_div(whole).unwrap_or(10_000)
}
