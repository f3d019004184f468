//! `houserule test`: runs scenarios and tests on cards.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use web_time::Instant;

use super::args::TestArgs;
use super::format::{self, FormattedOutputs, Location};
use super::junit::{self, Case, Outcome, Suite};
use super::load::Workspace;
use super::output::{OutputFile, count, print, show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use super::root_folder::RootFolder;
use super::subject::{GameWithPacks, of_pack, of_scenarios};
use super::watch::{ChangedFiles, WatchRun, folders_of, watch};
use crate::diagnostic::{Diagnostic, Severity, render::render};
use crate::disk::OnDisk;
use crate::pack::{self, Translations, lists_equal_changes};
use crate::playtest::table::wrapped;
use crate::scenario::run::{ExtraContent, FileReport, LoadedGames, TestResult, run_card_tests, run_file, run_file_of, run_pack_tests};
use crate::source::{FileId, Sources, Span};

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
    faults: Vec<format::DiagnosticOutput<'a>>,
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
    let mut sources = Sources::new();
    let names = names_of_all(workspace, args)?;
    let reports = all_reports(workspace, args, &mut sources, &WatchRun::default())?;
    let summary = TestSummary::of_reports(&sources, &reports, &names);
    if forms.text_on_terminal {
        let _ = show_diagnostics(&sources, &summary.faults);
        print(&summary.failures);
        print(&summary.sum);
    }
    if let Some(file) = junit_file {
        file.write_text(&junit_report(&sources, &reports))?;
    }
    let tests = reports.iter().flat_map(|report| report.cases.iter().map(|case| case_output(&sources, report, case))).collect();
    let faults = summary.faults.iter().map(|found| format::DiagnosticOutput::of_diagnostic(&sources, found)).collect();
    let TestSummary { passed, failed, unrun: not_run, left_out, .. } = summary;
    let written = TestOutput { passed, failed, not_run, left_out, faults, tests };
    let drawn = if forms.text_in_file() { render(&sources, &summary.faults, false) } else { String::new() };
    let text = format!("{drawn}{}{}", summary.failures, summary.sum);
    let mut found: Vec<format::Finding> = summary.faults.iter().map(|found| format::Finding::of_diagnostic(&sources, found)).collect();
    let failed = reports.iter().flat_map(|report| &report.cases).filter(|case| !case.passed);
    found.extend(
        failed.map(|case| format::Finding::of_test(&case.name, &case.message, Location::of_span(&sources, header(&sources, case)))),
    );
    forms.write(&found, &written, &text)?;
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
    passed: usize,
    failed: usize,
    unrun: usize,
    left_out: usize,
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
        let (mut known, mut faults) = (BTreeSet::new(), Vec::new());
        for found in reports.iter().flat_map(|report| &report.diagnostics) {
            // The same text may be loaded for several reports.
            if known.insert(render(sources, std::slice::from_ref(found), false)) {
                faults.push(found.clone());
            }
        }
        let failures = reports.iter().map(|report| failures(report, names)).collect();
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let errors = faults.iter().filter(is_error).count();
        // If a file could not be read, its tests are missing from these numbers.
        let incomplete = |report: &&FileReport| report.cases.is_empty() || !report.unrun.is_empty();
        let without_tests = reports.iter().filter(incomplete).flat_map(|report| &report.diagnostics);
        let kept = if without_tests.filter(is_error).count() > 0 { " that kept tests from being run" } else { "" };
        let unread = if errors > 0 { format!(", {}{kept}", count(errors, "error")) } else { String::new() };
        let plain = TestCounts::of_reports(reports.iter().filter(|report| report.with_pack.is_none()));
        let mut sum = format!("{}{unread}, in {} and {:.2} s\n", plain.text(), count(plain.files, "file"), plain.seconds);
        let packs: Vec<&String> = reports.iter().filter_map(|report| report.with_pack.as_ref()).collect();
        for pack in packs.iter().enumerate().filter(|(at, pack)| !packs[..*at].contains(pack)).map(|(_, pack)| *pack) {
            let again = TestCounts::of_reports(reports.iter().filter(|report| report.with_pack.as_ref() == Some(pack)));
            sum.push_str(&format!("scenarios of the game with {pack}: {}, in {:.2} s\n", again.text(), again.seconds));
        }
        let TestCounts { passed, failed, unrun, left_out, .. } = TestCounts::of_reports(reports.iter());
        TestSummary { faults, failures, sum, passed, failed, unrun, left_out }
    }

    fn result(&self) -> CommandResult {
        let errors = self.faults.iter().any(|found| found.severity == Severity::Error);
        if self.failed > 0 || errors { Err(ExitReason::Findings) } else { Ok(()) }
    }
}

/// Repeats the tests in watch mode: first those in changed files, then all others.
fn rerun(workspace: &Workspace, args: &TestArgs, changed: &ChangedFiles, answering: &WatchRun) -> CommandResult {
    let started = Instant::now();
    let names = names_of_all(workspace, args)?;
    let (mut failed_first, mut told_first) = (Vec::new(), BTreeSet::new());
    if !changed.files.is_empty() {
        let mut sources = Sources::new();
        let reports = run_files(workspace, args, &changed.files, &mut sources)?;
        let summary = TestSummary::of_reports(&sources, &reports, &names);
        let _ = show_diagnostics(&sources, &summary.faults);
        print(&summary.failures);
        let (passed, failed) = (summary.passed, summary.failed);
        print(&format!(
            "in what has changed: {passed} passed, {failed} failed, after {:.2} s; the others follow …\n",
            started.elapsed().as_secs_f64()
        ));
        told_first.extend(summary.faults.iter().map(|found| render(&sources, std::slice::from_ref(found), false)));
        failed_first.extend(reports.into_iter().flat_map(|report| report.cases).filter(|case| !case.passed).map(|case| case.message));
    }
    let mut sources = Sources::new();
    let mut reports = all_reports(workspace, args, &mut sources, answering)?;
    answering.add_dependencies(&sources);
    if answering.is_cancelled() {
        return Ok(());
    }
    let summary = TestSummary::of_reports(&sources, &reports, &names);
    // These diagnostics were already shown.
    let is_new = |found: &&Diagnostic| !told_first.contains(&render(&sources, std::slice::from_ref(*found), false));
    let _ = show_diagnostics(&sources, &summary.faults.iter().filter(is_new).cloned().collect::<Vec<_>>());
    reports.iter_mut().for_each(|report| report.cases.retain(|case| !failed_first.contains(&case.message)));
    print(&TestSummary::of_reports(&sources, &reports, &names).failures);
    print(&summary.sum);
    summary.result()
}

/// Runs all requested tests, unless the run is cancelled.
fn all_reports(workspace: &Workspace, args: &TestArgs, sources: &mut Sources, answering: &WatchRun) -> Result<Vec<FileReport>, ExitReason> {
    if args.files.is_empty() {
        run_all_games(workspace, args, None, sources, answering)
    } else {
        run_named(workspace, args, sources, answering)
    }
}

/// Creates a report from errors in files whose tests could therefore not be found; `None` if there are no errors.
fn error_report(of: &Path, diagnostics: Vec<Diagnostic>) -> Option<FileReport> {
    (!diagnostics.is_empty()).then(|| FileReport { diagnostics, ..FileReport::new(of.display().to_string()) })
}

/// Runs the tests in these files: scenarios, and tests on cards.
fn run_files(workspace: &Workspace, args: &TestArgs, files: &[PathBuf], sources: &mut Sources) -> Result<Vec<FileReport>, ExitReason> {
    let mut reports = Vec::new();
    for path in files.iter().filter(|path| path.is_plain_file() && path.extension().is_some_and(|end| end == "toml")) {
        if is_list_of_equal_changes(path, sources) {
            continue;
        }
        let root_folder = path.parent().and_then(RootFolder::enclosing);
        if root_folder.as_ref().is_none_or(|root_folder| root_folder.may_contain_scenarios(path)) {
            if root_folder.as_ref().is_none_or(|root_folder| root_folder.folder().join("pack.toml") != *path) {
                reports.push(run_scenario_file(workspace, args, path, sources)?);
            }
            continue;
        }
        let mut diagnostics = Vec::new();
        let subjects = root_folder
            .iter()
            .flat_map(|root_folder| root_folder.subjects(workspace, &args.pack, sources, &mut diagnostics))
            .collect::<Vec<_>>();
        reports.extend(error_report(path, diagnostics));
        let is_pack = matches!(root_folder, Some(RootFolder::Pack(_)));
        for subject in subjects {
            let packs = [&subject.packs[..], &args.pack].concat();
            let besides = ExtraContent { packs: &packs, with: &args.with };
            let mut report = if is_pack {
                run_pack_tests(sources, subject.root.as_deref(), &subject.game, besides)
            } else if path.components().any(|part| part.as_os_str() == subject.game.as_str()) {
                run_card_tests(sources, subject.root.as_deref(), &subject.game, besides)
            } else {
                continue;
            };
            let real = Sources::real_path(path);
            report.cases.retain(|case| Sources::real_path(Path::new(sources.name(case.span.file))) == real);
            reports.push(report);
        }
    }
    Ok(reports)
}

/// Runs the tests of the files and folders that the user has named.
fn run_named(workspace: &Workspace, args: &TestArgs, sources: &mut Sources, answering: &WatchRun) -> Result<Vec<FileReport>, ExitReason> {
    let mut reports = Vec::new();
    for path in args.files.iter().take_while(|_| !answering.is_cancelled()) {
        let game = path.to_str().filter(|name| !path.is_there() && workspace.games().iter().any(|game| game == name));
        if let Some(game) = game {
            reports.extend(run_all_games(workspace, args, Some(game), sources, answering)?);
        } else if path.is_folder() {
            run_folder(workspace, args, path, (sources, answering), &mut reports)?;
        } else {
            reports.push(run_scenario_file(workspace, args, path, sources)?);
        }
    }
    Ok(reports)
}

/// Whether a file is one for `houserule mutate --equal`, which may lie beside scenarios.
fn is_list_of_equal_changes(path: &Path, sources: &mut Sources) -> bool {
    sources.read_file(path).is_ok_and(|file| lists_equal_changes(sources.text(file)))
}

/// Runs the scenarios of a file with the game and pack around it.
fn run_scenario_file(workspace: &Workspace, args: &TestArgs, path: &Path, sources: &mut Sources) -> Result<FileReport, ExitReason> {
    let file = sources.read_file(path).or_else(|fault| unreadable(path, &fault))?;
    if lists_equal_changes(sources.text(file)) {
        let wrong = Diagnostic::error("C003", None, format!("`{}` has no scenarios: it lists changes that change nothing", path.display()));
        let wrong = wrong.help(format!("`houserule mutate GAME --equal {}` reads it", path.display()));
        return Ok(FileReport { diagnostics: vec![wrong], ..FileReport::new(path.display().to_string()) });
    }
    let mut diagnostics = Vec::new();
    let subject = of_scenarios(workspace, &args.pack, sources, (file, path), &mut diagnostics);
    if diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return Ok(FileReport { diagnostics, ..FileReport::new(path.display().to_string()) });
    }
    let mut report = scenarios(args, &subject, file, sources);
    report.diagnostics.extend(diagnostics);
    Ok(report)
}

fn scenarios(args: &TestArgs, subject: &GameWithPacks, file: FileId, sources: &mut Sources) -> FileReport {
    let packs = [&subject.packs[..], &args.pack].concat();
    run_file(sources, subject.root.as_deref(), file, ExtraContent { packs: &packs, with: &args.with })
}

/// Runs all scenarios in a folder, and the tests on cards of the games and packs there.
fn run_folder(
    workspace: &Workspace,
    args: &TestArgs,
    dir: &Path,
    (sources, answering): (&mut Sources, &WatchRun),
    reports: &mut Vec<FileReport>,
) -> CommandResult {
    let mut homes: Vec<(RootFolder, Vec<GameWithPacks>)> = Vec::new();
    if let Some(root_folder) = RootFolder::enclosing(dir).filter(|root_folder| root_folder.folder() == dir) {
        reports.extend(error_report(dir, misnamed_files(root_folder.folder(), sources)));
    }
    let mut broken: Vec<RootFolder> = Vec::new();
    let paths = Sources::read_dir(dir, "toml").or_else(|fault| unreadable(dir, &fault))?;
    let like_toml = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("toml") && ending != "toml";
    let missed = Sources::all_files(dir).into_iter().filter(|path| path.extension().is_some_and(like_toml));
    let summary = missed.map(|path| {
        let wrong = Diagnostic::warning("C040", None, format!("nobody reads `{}`", path.display()));
        wrong.help("scenarios and cards stand in files whose names end in `.toml`, in small letters")
    });
    reports.extend(error_report(dir, summary.collect()));
    for path in paths.into_iter().take_while(|_| !answering.is_cancelled()) {
        if is_list_of_equal_changes(&path, sources) {
            continue;
        }
        let root_folder = path.parent().and_then(RootFolder::enclosing).filter(|root_folder| root_folder.folder().starts_with(dir));
        let Some(root_folder) = root_folder else {
            reports.push(run_scenario_file(workspace, args, &path, sources)?);
            continue;
        };
        if !homes.iter().any(|known| known.0 == root_folder) {
            let mut diagnostics = Vec::new();
            let subjects = root_folder.subjects(workspace, &args.pack, sources, &mut diagnostics);
            if subjects.is_empty() && !diagnostics.is_empty() {
                broken.push(root_folder.clone());
            }
            reports.extend(error_report(root_folder.folder(), diagnostics));
            homes.push((root_folder.clone(), subjects));
        }
        let tested = |known: &&(RootFolder, Vec<GameWithPacks>)| {
            known.0.may_contain_scenarios(&path) && !is_misnamed(&known.0, &path) && !broken.contains(&known.0)
        };
        let Some((root_folder, subjects)) = homes.iter().find(|known| known.0 == root_folder).filter(tested) else { continue };
        let file = sources.read_file(&path).or_else(|fault| unreadable(&path, &fault))?;
        let first = subjects.first().cloned();
        let root = Some(root_folder.folder().to_path_buf());
        let subject = first.unwrap_or_else(|| GameWithPacks { root, game: String::new(), packs: Vec::new() });
        reports.push(scenarios(args, &subject, file, sources));
    }
    for (root_folder, subjects) in &homes {
        for subject in subjects {
            let packs = [&subject.packs[..], &args.pack].concat();
            let besides = ExtraContent { packs: &packs, with: &args.with };
            reports.push(match root_folder {
                RootFolder::Games(_) => run_card_tests(sources, subject.root.as_deref(), &subject.game, besides),
                RootFolder::Pack(_) => run_pack_tests(sources, subject.root.as_deref(), &subject.game, besides),
            });
        }
    }
    Ok(())
}

fn unreadable<T>(path: &Path, fault: &std::io::Error) -> Result<T, ExitReason> {
    usage_error(format!("cannot read `{}`: {fault}", path.display()))
}

/// Runs all scenarios and tests on cards of all games, or of the game named, and of the packs named.
fn run_all_games(
    workspace: &Workspace,
    args: &TestArgs,
    only: Option<&str>,
    sources: &mut Sources,
    answering: &WatchRun,
) -> Result<Vec<FileReport>, ExitReason> {
    let mut reports = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let (mut scenarios, mut known): (Vec<(String, FileId)>, LoadedGames) = Default::default();
    if let Some(root) = workspace.root().filter(|_| only.is_none()) {
        reports.extend(error_report(root, misnamed_files(root, sources)));
    }
    for game in workspace.games().into_iter().filter(|game| only.is_none_or(|only| only == game)) {
        let mut diagnostics = Vec::new();
        let packs = workspace.packs_of(&game, &args.pack);
        let content = pack::load_game(sources, workspace.root(), &game, &packs, &mut diagnostics);
        let Some(content) = content else {
            reports.extend(error_report(Path::new(&game), diagnostics));
            continue;
        };
        // A game's own tests must pass without packs, and with each pack that does not change the game.
        let of_game = content.scenarios.iter().map(|file| (*file, &[][..]));
        let of_packs = content.packs.iter().flat_map(|pack| &pack.tests).map(|file| (*file, &packs[..]));
        let files: Vec<(FileId, &[PathBuf])> = of_game.chain(of_packs).collect();
        for (file, packs) in files.into_iter().take_while(|_| !answering.is_cancelled()) {
            // A scenario file that does not name its game is listed under every game.
            let name = sources.name(file).to_string();
            if !names.contains(&name) {
                names.push(name);
                if packs.is_empty() {
                    scenarios.push((game.clone(), file));
                }
                reports.push(run_file_of(sources, workspace.root(), file, ExtraContent { packs, with: &args.with }, &mut known));
            }
        }
        reports.push(run_card_tests(sources, workspace.root(), &game, ExtraContent { packs: &packs, with: &args.with }));
    }
    for pack in workspace.packs().into_iter().filter(|_| only.is_none()) {
        if answering.is_cancelled() {
            return Ok(reports);
        }
        if !args.pack.iter().any(|named| Sources::real_path(named) == Sources::real_path(&pack)) {
            run_folder(workspace, args, &pack, (sources, answering), &mut reports)?;
        }
    }
    let mut packs: Vec<PathBuf> = args.pack.clone();
    packs.extend(
        workspace.packs().into_iter().filter(|pack| !args.pack.iter().any(|named| Sources::real_path(named) == Sources::real_path(pack))),
    );
    for pack in &packs {
        // Errors in the pack itself are reported with its own tests.
        let Some(subject) = of_pack(workspace, pack, &args.pack, sources, &mut Vec::new()) else { continue };
        let of_game = scenarios.iter().filter(|(game, _)| *game == subject.game).map(|(_, file)| *file);
        for file in of_game.take_while(|_| !answering.is_cancelled()) {
            let besides = ExtraContent { packs: &subject.packs, with: &args.with };
            let mut report = run_file_of(sources, workspace.root(), file, besides, &mut known);
            report.name = format!("{} with {}", report.name, pack.display());
            report.with_pack = Some(pack.display().to_string());
            reports.push(report);
        }
    }
    Ok(reports)
}

/// Returns a warning for each file that looks like a test but is not run, because the name of its folder is written with capitals.
fn misnamed_files(folder: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    let name_of = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let is_nearly = |found: &str, wanted: &str| found != wanted && found.eq_ignore_ascii_case(wanted);
    // The path is shown without the current folder `.`.
    let shown = |path: &Path| path.strip_prefix(".").unwrap_or(path).display().to_string();
    let mut found = Vec::new();
    for path in Sources::folders(folder).into_iter().filter(|path| is_nearly(&name_of(path), "tests")) {
        // On a case-insensitive file system it is the correct folder.
        if Sources::real_path(&path) == Sources::real_path(&folder.join("tests")) || !holds_scenarios(&path, sources) {
            continue;
        }
        let wrong = Diagnostic::error("C040", None, format!("the scenarios in `{}` are not run", shown(&path)));
        found.push(wrong.help(format!("name the folder `tests`, in small letters: `{}`", shown(&path.with_file_name("tests")))));
    }
    for path in Sources::all_files(&folder.join("tests")) {
        let extension = path.extension().map_or_else(String::new, |extension| extension.to_string_lossy().into_owned());
        if is_nearly(&extension, "toml") {
            let wrong = Diagnostic::error("C040", None, format!("the scenarios in `{}` are not run", shown(&path)));
            found.push(wrong.help(format!("write `.toml` in small letters: `{}`", shown(&path.with_extension("toml")))));
        }
    }
    found
}

/// Whether a file is in a folder whose name differs from that of tests in case only; this is reported, and its tests are not run.
fn is_misnamed(root_folder: &RootFolder, file: &Path) -> bool {
    let inside = file.strip_prefix(root_folder.folder()).ok();
    let first = inside.and_then(|inside| inside.components().next()).map(|first| first.as_os_str().to_string_lossy().into_owned());
    first.is_some_and(|first| first != "tests" && first.eq_ignore_ascii_case("tests"))
}

/// Whether a folder contains a file of scenarios with any extension.
fn holds_scenarios(folder: &Path, sources: &mut Sources) -> bool {
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let texts: Vec<FileId> =
        Sources::all_files(folder).iter().filter(|path| is_toml(path)).filter_map(|path| sources.read_file(path).ok()).collect();
    texts.into_iter().any(|file| sources.text(file).contains("[[scenario]]"))
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

/// Returns the reports in the JUnit form; what kept the files of a report from being read is a test of its own there.
fn junit_report(sources: &Sources, reports: &[FileReport]) -> String {
    let suites = reports.iter().map(|report| {
        let ran = report.cases.iter().map(|case| {
            let first_line = case.message.lines().next().unwrap_or("");
            let outcome = if case.passed { Outcome::Passed } else { Outcome::Failed(first_line, Cow::Borrowed(&case.message)) };
            Case { name: &case.name, seconds: case.seconds, outcome }
        });
        let unrun = report.unrun.iter().map(|name| Case { name, seconds: 0.0, outcome: Outcome::Skipped });
        let errors = report.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let unread = errors.clone().next().map(|first| {
            let all: Vec<Diagnostic> = errors.cloned().collect();
            let outcome = Outcome::Error(&first.message, Cow::Owned(render(sources, &all, false)));
            Case { name: "the files can be read", seconds: 0.0, outcome }
        });
        Suite { name: &report.name, cases: ran.chain(unrun).chain(unread).collect() }
    });
    junit::report(&suites.collect::<Vec<_>>())
}
