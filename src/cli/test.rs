//! `houserule test`: runs scenarios and tests on cards.

mod run;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::Serialize;
use web_time::Instant;

use super::args::TestArgs;
use super::format::{DiagnosticOutput, Finding, FormattedOutputs};
use super::junit::junit_report;
use super::load::Workspace;
use super::output::{OutputFile, ShownDiagnostics, count, print, show_diagnostics};
use super::result::{CommandResult, ExitReason};
use super::watch::{ChangedFiles, WatchRun, folders_of, watch};
use crate::diagnostic::{Diagnostic, Severity, has_errors, render::render};
use crate::disk::OnDisk;
use crate::pack::{self, Translations};
use crate::playtest::table::wrapped;
use crate::scenario::run::{FileReport, TestResult};
use crate::source::{Sources, Span};
use run::TestRun;

/// JSON output of `--format json`.
#[derive(Serialize)]
struct TestOutput<'a> {
    passed: usize,
    failed: usize,
    /// Number of tests that could not be run because of errors in the files.
    not_run: usize,
    /// Number of tests that were skipped because they declare not to hold with a pack.
    left_out: usize,
    /// Diagnostics of the files.
    faults: Vec<DiagnosticOutput<'a>>,
    tests: Vec<CaseOutput<'a>>,
}

/// A test as serialised to JSON.
#[derive(Serialize)]
struct CaseOutput<'a> {
    of: &'a str,
    name: &'a str,
    passed: bool,
    message: &'a str,
    seconds: f64,
    file: &'a str,
    line: usize,
}

/// Runs `houserule test`.
pub fn test(workspace: &Workspace, args: &TestArgs) -> CommandResult {
    if args.watch {
        let folders = folders_of(workspace.root(), &args.files, &args.pack);
        return watch(&folders, |changed, answering| rerun(workspace, args, changed, answering));
    }
    let junit_file = args.junit.as_ref().map(|file| OutputFile::open(&file.display().to_string())).transpose()?;
    let forms = FormattedOutputs::open(&args.format, None)?;
    let names = names_of_all(workspace, args)?;
    let answering = WatchRun::default();
    let mut run = TestRun::new(workspace, args, &answering);
    run.all()?;
    let (sources, reports) = (&run.sources, &run.reports);
    let summary = TestSummary::of_reports(sources, reports, &names);
    let text = format!("{}{}", summary.failures, summary.sum);
    if forms.text_on_terminal {
        let _ = show_diagnostics(sources, &summary.faults);
        print(&text);
    }
    if let Some(file) = junit_file {
        file.write_text(&junit_report(sources, reports))?;
    }
    let tests = reports.iter().flat_map(|report| report.cases.iter().map(|case| case_output(sources, report, case))).collect();
    let faults = summary.faults.iter().map(|found| DiagnosticOutput::of_diagnostic(sources, found)).collect();
    let TestCounts { passed, failed, unrun: not_run, left_out, .. } = summary.counts;
    let written = TestOutput { passed, failed, not_run, left_out, faults, tests };
    let failures = reports.iter().flat_map(|report| &report.cases).filter(|case| !case.passed);
    let failures = failures.map(|case| Finding::of_test(&case.name, &case.message, header(sources, case)));
    let found: Vec<Finding<'_>> = summary.faults.iter().map(Finding::from).chain(failures).collect();
    forms.write(sources, &found, &written, &summary.faults, &text)?;
    summary.result()
}

fn case_output<'a>(sources: &'a Sources, report: &'a FileReport, case: &'a TestResult) -> CaseOutput<'a> {
    let TestResult { name, passed, message, seconds, span } = case;
    let (file, line) = (sources.name(span.file), sources.line_column(*span).0);
    CaseOutput { of: &report.name, name, passed: *passed, message, seconds: *seconds, file, line }
}

/// Returns the span of the first line of a test.
fn header(sources: &Sources, case: &TestResult) -> Span {
    let first = sources.slice(case.span).lines().next().unwrap_or("").len();
    Span { end: case.span.start + u32::try_from(first).unwrap_or(0), ..case.span }
}

/// A summary of the reports of all test files.
struct TestSummary {
    /// Diagnostics of the test files, without duplicates.
    faults: Vec<Diagnostic>,
    failures: String,
    sum: String,
    counts: TestCounts,
}

/// Number of tests by result.
#[derive(Clone, Copy, Debug, Default)]
struct TestCounts {
    files: usize,
    passed: usize,
    failed: usize,
    unrun: usize,
    left_out: usize,
    seconds: f64,
}

impl TestCounts {
    fn of_reports<'a>(reports: impl Iterator<Item = &'a FileReport>) -> TestCounts {
        reports.fold(TestCounts::default(), |sum, report| {
            let passed = report.cases.iter().filter(|case| case.passed).count();
            TestCounts {
                // A game's report on the tests of its cards is there also where no card has any.
                files: sum.files + usize::from(!(report.cases.is_empty() && report.unrun.is_empty() && report.left_out.is_empty())),
                passed: sum.passed + passed,
                failed: sum.failed + report.cases.len() - passed,
                unrun: sum.unrun + report.unrun.len(),
                left_out: sum.left_out + report.left_out.len(),
                seconds: report.cases.iter().fold(sum.seconds, |seconds, case| seconds + case.seconds),
            }
        })
    }

    /// Returns the counts as text: `3 passed, 1 failed, 2 not run`.
    fn text(&self) -> String {
        let not_run = if self.unrun > 0 { format!(", {} not run", self.unrun) } else { String::new() };
        let left_out = if self.left_out > 0 { format!(", {} left out by `without`", self.left_out) } else { String::new() };
        format!("{} passed, {} failed{not_run}{left_out}", self.passed, self.failed)
    }
}

impl TestSummary {
    fn of_reports(sources: &Sources, reports: &[FileReport], names: &[Translations]) -> TestSummary {
        let mut faults: Vec<Diagnostic> = reports.iter().flat_map(|report| report.diagnostics.clone()).collect();
        // The same text may be loaded for several reports.
        let mut known = BTreeSet::new();
        faults.retain(|found| known.insert(render(sources, std::slice::from_ref(found), false)));
        let failures = reports.iter().map(|report| failures(report, names)).collect();
        let errors = faults.iter().filter(|found| found.severity == Severity::Error).count();
        // If a file could not be read, its tests are missing from these numbers.
        let incomplete = |report: &FileReport| (report.cases.is_empty() || !report.unrun.is_empty()) && has_errors(&report.diagnostics);
        let kept = if reports.iter().any(incomplete) { " that kept tests from being run" } else { "" };
        let unread = if errors > 0 { format!(", {}{kept}", count(errors, "error")) } else { String::new() };
        let plain = TestCounts::of_reports(reports.iter().filter(|report| report.with_pack.is_none()));
        let mut sum = format!("{}{unread}, in {} and {:.2} s\n", plain.text(), count(plain.files, "file"), plain.seconds);
        let mut known = BTreeSet::new();
        for pack in reports.iter().filter_map(|report| report.with_pack.as_ref()).filter(|pack| known.insert(*pack)) {
            let again = TestCounts::of_reports(reports.iter().filter(|report| report.with_pack.as_ref() == Some(pack)));
            sum.push_str(&format!("scenarios of the game with {pack}: {}, in {:.2} s\n", again.text(), again.seconds));
        }
        TestSummary { faults, failures, sum, counts: TestCounts::of_reports(reports.iter()) }
    }

    fn result(&self) -> CommandResult {
        if self.counts.failed > 0 || has_errors(&self.faults) { Err(ExitReason::Findings) } else { Ok(()) }
    }
}

/// Repeats the tests in watch mode: first those in changed files, then all others.
fn rerun(workspace: &Workspace, args: &TestArgs, changed: &ChangedFiles, answering: &WatchRun) -> CommandResult {
    let started = Instant::now();
    let names = names_of_all(workspace, args)?;
    let (mut failed_first, mut told) = (Vec::new(), ShownDiagnostics::default());
    if !changed.files.is_empty() {
        let mut run = TestRun::new(workspace, args, answering);
        run.changed(&changed.files)?;
        let summary = TestSummary::of_reports(&run.sources, &run.reports, &names);
        told.show_new(&run.sources, &summary.faults);
        let TestCounts { passed, failed, .. } = summary.counts;
        print(&format!(
            "{}in what has changed: {passed} passed, {failed} failed, after {:.2} s; the others follow …\n",
            summary.failures,
            started.elapsed().as_secs_f64()
        ));
        failed_first.extend(run.reports.into_iter().flat_map(|report| report.cases).filter(|case| !case.passed).map(|case| case.message));
    }
    let mut run = TestRun::new(workspace, args, answering);
    run.all()?;
    answering.add_dependencies(&run.sources);
    if answering.is_cancelled() {
        return Ok(());
    }
    let summary = TestSummary::of_reports(&run.sources, &run.reports, &names);
    told.show_new(&run.sources, &summary.faults);
    run.reports.iter_mut().for_each(|report| report.cases.retain(|case| !failed_first.contains(&case.message)));
    run.reports.iter().for_each(|report| print(&failures(report, &names)));
    print(&summary.sum);
    summary.result()
}

/// Loads the translated names of the cards of all games, and of all packs that may be tested.
fn names_of_all(workspace: &Workspace, args: &TestArgs) -> Result<Vec<Translations>, ExitReason> {
    if workspace.language().is_none() {
        return Ok(Vec::new());
    }
    let named = args.files.iter().filter(|path| path.join("pack.toml").is_plain_file()).cloned();
    let packs: Vec<PathBuf> = args.pack.iter().cloned().chain(named).chain(workspace.packs()).collect();
    workspace.expect_language(&workspace.games(), &packs)?;
    let mut names = Vec::new();
    for game in workspace.games() {
        // Errors in the texts are reported by the tests that need them.
        let mut sources = Sources::new();
        let content = pack::load_game(&mut sources, workspace.root(), &game, &workspace.packs_of(&game, &packs), &mut Vec::new());
        names.extend(content.map(|content| workspace.load_names(&sources, &content)).transpose()?);
    }
    Ok(names)
}

/// Formats the failed tests with the messages of the test runner and translated names of cards.
fn failures(report: &FileReport, names: &[Translations]) -> String {
    let mut text = String::new();
    for case in report.cases.iter().filter(|case| !case.passed) {
        text.push_str(&format!("FAILED {}: {}\n", report.name, case.name));
        for line in case.message.lines() {
            text.push_str(&format!("  {line}\n"));
        }
        let about = format!("{} {}", case.name, case.message);
        let called = names.iter().flat_map(|names| names.cards_in(&about));
        let called: Vec<String> = called.map(|named| format!("{} = {}", named.key.text, named.name.text)).collect();
        if !called.is_empty() {
            text.push_str(&wrapped(2, "names: ", called));
        }
        text.push('\n');
    }
    text
}
