//! `houserule check`: loads everything and reports every error and warning.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use web_time::Instant;

use super::args::CheckArgs;
use super::format::{DiagnosticOutput, Finding, FormattedOutputs};
use super::load::Workspace;
use super::output::{ShownDiagnostics, count, print, show_diagnostics};
use super::print::check_layouts;
use super::result::{CommandResult, ExitReason};
use super::subject::GameWithPacks;
use super::watch::{WatchRun, folders_of, watch};
use crate::diagnostic::{Diagnostic, DuplicateIndex, Severity, has_errors, without_duplicates};
use crate::lang::{GameText, TranslatableNames, compile, missing_names};
use crate::pack::Translations;
use crate::scenario::file::parse_scenarios;
use crate::scenario::run::find_unreadable_tests;
use crate::source::{Sources, Span};
use needless::{check_variants, ineffective_declarations, unread};
use subjects::subjects;
use tried::{TriedScripts, play_some, read_scripts, try_scripts};

mod needless;
mod subjects;
mod tried;

/// How thoroughly a game is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckDepth {
    /// Parse, resolve names and check types for each number of players.
    Read,
    /// Also run scripts and play games.
    Tried,
}

/// The result of a check.
#[derive(Default)]
struct CheckOutcome {
    sources: Sources,
    /// All diagnostics with card names as in the files, for output formats that programs read.
    all: Vec<Diagnostic>,
    /// The diagnostics of `all` with translated card names, for output that people read.
    shown: Vec<Diagnostic>,
    /// A text with one line for each game about what was checked.
    summary: String,
}

impl CheckOutcome {
    /// Returns the number of errors and warnings as text.
    fn counts(&self) -> String {
        let errors = self.all.iter().filter(|found| found.severity == Severity::Error).count();
        format!("{}, {}", count(errors, "error"), count(self.all.len() - errors, "warning"))
    }

    /// Returns the summary followed by the number of errors and warnings.
    fn text(&self) -> String {
        format!("{}{}\n", self.summary, self.counts())
    }

    fn result(&self) -> CommandResult {
        if has_errors(&self.all) { Err(ExitReason::Findings) } else { Ok(()) }
    }
}

/// Runs `houserule check` on games and packs.
pub fn check(workspace: &Workspace, args: &CheckArgs) -> CommandResult {
    if args.watch {
        let folders = folders_of(workspace.root(), &args.dirs, &args.pack);
        return watch(&folders, |_, answering| rerun(workspace, args, answering));
    }
    let forms = FormattedOutputs::open(&args.format, args.json.as_ref())?;
    let found = Check { workspace, args, depth: CheckDepth::Tried, halt: &AtomicBool::new(false) }.run()?;
    if forms.text_on_terminal {
        // Errors are part of the result below, including the exit status.
        let _ = show_diagnostics(&found.sources, &found.shown);
        if args.missing_names {
            print(&missing_names_text(&found.sources, &found.all));
        }
        print(&found.text());
    }
    let json: Vec<DiagnosticOutput<'_>> = found.all.iter().map(|one| DiagnosticOutput::of_diagnostic(&found.sources, one)).collect();
    let findings: Vec<Finding<'_>> = found.all.iter().map(Finding::from).collect();
    forms.write(&found.sources, &findings, &json, &found.shown, &found.text())?;
    found.result()
}

/// Repeats the check in watch mode: first shows the diagnostics of reading the files, then also those of running scripts and games.
fn rerun(workspace: &Workspace, args: &CheckArgs, answering: &WatchRun) -> CommandResult {
    let started = Instant::now();
    let mut told = ShownDiagnostics::default();
    let check = Check { workspace, args, depth: CheckDepth::Read, halt: answering.flag() };
    let read = check.run()?;
    answering.add_dependencies(&read.sources);
    told.show_new(&read.sources, &read.shown);
    let done = read.result();
    let next = if done.is_ok() { "; scripts and games are tried …" } else { "" };
    print(&format!("read in {:.2} s: {}{next}\n", started.elapsed().as_secs_f64(), read.counts()));
    // Games are not played with rules that do not compile.
    done?;
    let tried = Check { depth: CheckDepth::Tried, ..check }.run()?;
    if answering.is_cancelled() {
        return Ok(());
    }
    told.show_new(&tried.sources, &tried.shown);
    print(&tried.text());
    tried.result()
}

/// A check of games and packs.
struct Check<'a> {
    workspace: &'a Workspace,
    args: &'a CheckArgs,
    depth: CheckDepth,
    /// Set when the result is no longer wanted.
    halt: &'a AtomicBool,
}

impl Check<'_> {
    /// Checks all requested games and packs.
    fn run(&self) -> Result<CheckOutcome, ExitReason> {
        let mut checked = CheckOutcome::default();
        let subjects = subjects(self.workspace, self.args, &mut checked.sources, &mut checked.all)?;
        let packs: Vec<PathBuf> = subjects.iter().flat_map(|subject| subject.packs.clone()).collect();
        self.workspace.expect_language(&subjects.iter().map(|subject| subject.game.clone()).collect::<Vec<_>>(), &packs)?;
        checked.shown.clone_from(&checked.all);
        let mut seen = DuplicateIndex::default();
        for subject in subjects {
            let mut diagnostics = Vec::new();
            let (done, names) = self.check_subject(&subject, &mut checked.sources, &mut diagnostics);
            let mut diagnostics = without_duplicates(diagnostics, &[]);
            diagnostics.retain(|found| !seen.holds(&checked.all, found));
            checked.summary.push_str(&format!("{}: {done}\n", subject_name(&subject)));
            checked.shown.extend(diagnostics.iter().cloned().map(|found| with_names(found, &names)));
            checked.all.extend(diagnostics);
        }
        if !has_errors(&checked.all) {
            let unread: Vec<Diagnostic> = self.args.dirs.iter().flat_map(|dir| unread(dir, &mut checked.sources)).collect();
            checked.shown.extend(unread.iter().cloned());
            checked.all.extend(unread);
        }
        Ok(checked)
    }

    /// Checks one game; returns a line about what was done, and the names of its cards.
    fn check_subject(&self, subject: &GameWithPacks, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> (String, Translations) {
        let root = subject.root.as_deref();
        let Some(text) = compile::load(sources, root, &subject.game, &subject.packs, &[], diagnostics) else {
            return ("could not be read".to_string(), Translations::default());
        };
        let (fewest, most) = text.players();
        diagnostics.extend(text.content.packs.iter().flat_map(|pack| ineffective_declarations(pack, &text, sources)));
        // Scripts come first: their errors would drop games and be reported a second time as faults.
        let tried = match self.depth {
            CheckDepth::Read => read_scripts(&text, most, diagnostics),
            CheckDepth::Tried => try_scripts(&text, most, diagnostics),
        };
        let tests = text.content.packs.iter().flat_map(|pack| &pack.tests);
        for file in text.content.scenarios.iter().chain(tests) {
            parse_scenarios(*file, sources.text(*file), diagnostics);
        }
        check_layouts(root, &text, sources, diagnostics);
        let mut nameable = TranslatableNames::collect(&text);
        let mut games = 0;
        for players in fewest..=most {
            let setup = compile::allowed_setup(&text, players);
            let Some(rules) = compile::compile(&text, &setup, diagnostics).map(Arc::new) else { continue };
            nameable.add(&rules);
            if self.depth == CheckDepth::Tried && !has_errors(diagnostics) {
                games += play_some(&rules, self.halt, diagnostics);
            }
        }
        let read_names = |language| Translations::read(&text.content, sources, language, &mut Vec::new());
        let names = self.workspace.language().map_or_else(Translations::default, read_names);
        if self.depth == CheckDepth::Read {
            return (String::new(), names);
        }
        if !has_errors(diagnostics) {
            diagnostics.extend(check_variants(subject, &text, sources));
        }
        // If rules or cards could not be parsed, many names would seem to be unknown.
        if !has_errors(diagnostics) {
            diagnostics.extend(nameable.check_all(&text, sources));
        }
        // For a pack only the diagnostics in its own files.
        let ours = |span: Span| {
            let name = Path::new(sources.name(span.file));
            subject.packs.is_empty() || text.content.packs.iter().any(|pack| name.starts_with(&pack.folder))
        };
        if !has_errors(diagnostics) {
            diagnostics.extend(find_unreadable_tests(&text, ours));
        }
        let by_rhai = if self.args.verbose { tried.by_rhai_text(sources) } else { String::new() };
        (format!("{}{by_rhai}", summary(&text, &tried, games, ours)), names)
    }
}

/// Replaces ids of cards in a diagnostic by translated names.
fn with_names(found: Diagnostic, names: &Translations) -> Diagnostic {
    let called = names.cards_in(&found.message).into_iter().map(|named| format!("`{}` is {}", named.key.text, named.name.text));
    let called: Vec<String> = called.collect();
    found.helps(called)
}

fn subject_name(subject: &GameWithPacks) -> String {
    let mut named = BTreeSet::new();
    let packs = subject.packs.iter().filter(|pack| named.insert(Sources::real_path(pack)));
    format!("{}{}", subject.game, packs.map(|pack| format!(" with {}", pack.display())).collect::<String>())
}

/// Returns a line about what was checked of a game; `ours` says whether a card's place belongs to what is checked.
fn summary(text: &GameText, tried: &TriedScripts, games: u64, ours: impl Fn(Span) -> bool) -> String {
    let (fewest, most) = text.players();
    let cards = count(text.content.cards.len(), "card");
    let TriedScripts { count: scripts, unrun, .. } = tried;
    let ran = scripts - unrun.len();
    let is_ours = |owner: &&String| {
        let card = text.content.cards.iter().find(|card| owner.split('.').next() == Some(card.id.text.as_str()));
        card.is_none_or(|card| ours(card.span))
    };
    let not_run: Vec<&str> = unrun.iter().filter(is_ours).map(String::as_str).collect();
    let unrun = match not_run.as_slice() {
        _ if unrun.is_empty() || ran == 0 => String::new(),
        [] => ", all of the pack's".to_string(),
        not_run => format!(" (not those of {})", not_run.join(", ")),
    };
    format!("{cards}, {fewest} to {most} players, {ran} of {scripts} scripts run{unrun}, {games} random games")
}

/// Writes the names that files of names lack as they are to stand there, file by file, with an empty name each; a line says so if nothing
/// lacks.
fn missing_names_text(sources: &Sources, found: &[Diagnostic]) -> String {
    let mut out = String::new();
    let mut file = None;
    for (diagnostic, missing) in found.iter().filter_map(|found| Some((found, missing_names(found)?))) {
        let name = diagnostic.span.map(|span| sources.name(span.file));
        if name != file {
            out.push_str(&format!("# {}\n", name.unwrap_or("?")));
            file = name;
        }
        out.push_str(&format!("[{}]\n", missing.table));
        missing.ids.iter().for_each(|id| out.push_str(&format!("{} = \"\"\n", toml_key(id))));
        out.push('\n');
    }
    if out.is_empty() { "no file of names lacks any name\n".to_string() } else { out }
}

/// Writes a key of TOML, in quotes if it needs them.
fn toml_key(id: &str) -> String {
    let is_bare = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if is_bare && !id.is_empty() { id.to_string() } else { format!("\"{}\"", id.replace('\\', "\\\\").replace('"', "\\\"")) }
}
