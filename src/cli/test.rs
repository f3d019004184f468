//! `houserule test`: scenarios, and the tests beside cards.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use super::args::TestArgs;
use super::check;
use super::format::{self, At, Forms};
use super::load::Ground;
use super::output::{Out, count, print, tell, wrong};
use super::subject::{Home, Subject, of_pack, of_scenarios};
use super::watch::{Answering, Changed, folders_of, watch};
use super::{Done, Trouble};
use crate::diagnostic::{Diagnostic, Severity, render::render};
use crate::pack::{self, Names};
use crate::playtest::table::wrapped;
use crate::scenario::run::{Besides, Case, FileReport, KnownGames, run_card_tests, run_file, run_file_of, run_pack_tests};
use crate::source::{FileId, Sources, Span};

/// What `--format json` writes.
#[derive(Serialize)]
struct Written<'a> {
    passed: usize,
    failed: usize,
    /// Those that could not be run, because something is wrong with the files.
    not_run: usize,
    /// Those that are not asked, because they say that they do not hold with a pack.
    left_out: usize,
    /// What is wrong with the files themselves.
    faults: Vec<check::Written<'a>>,
    tests: Vec<WrittenCase<'a>>,
}

/// One test for a machine.
#[derive(Serialize)]
struct WrittenCase<'a> {
    of: &'a str,
    name: &'a str,
    passed: bool,
    message: &'a str,
    seconds: f64,
    file: &'a str,
    line: usize,
}

/// Runs tests.
pub fn test(ground: &Ground, args: &TestArgs) -> Done {
    if args.watch {
        let folders = folders_of(ground.root(), &args.files, &args.pack);
        return watch(&folders, |changed, answering| again(ground, args, changed, answering));
    }
    let junit_file = args.junit.as_ref().map(|file| Out::open(&file.display().to_string())).transpose()?;
    let forms = Forms::open(&args.format, None)?;
    let mut sources = Sources::new();
    let names = names_of_all(ground, args)?;
    let reports = all(ground, args, &mut sources, &Answering::default())?;
    let told = Told::of(&sources, &reports, &names);
    if forms.text {
        let _ = tell(&sources, &told.faults);
        print(&told.failures);
        print(&told.sum);
    }
    if let Some(file) = junit_file {
        file.text(&junit(&sources, &reports)?)?;
    }
    let tests = reports.iter().flat_map(|report| report.cases.iter().map(|case| written(&sources, report, case))).collect();
    let faults = told.faults.iter().map(|found| check::written(&sources, found)).collect();
    let Told { passed, failed, unrun: not_run, left_out, .. } = told;
    let written = Written { passed, failed, not_run, left_out, faults, tests };
    let drawn = if forms.text_in_file() { render(&sources, &told.faults, false) } else { String::new() };
    let text = format!("{drawn}{}{}", told.failures, told.sum);
    let mut found: Vec<format::Found> = told.faults.iter().map(|found| format::Found::of(&sources, found)).collect();
    let failed = reports.iter().flat_map(|report| &report.cases).filter(|case| !case.passed);
    found.extend(failed.map(|case| format::Found::of_test(&case.name, &case.message, At::of(&sources, header(&sources, case)))));
    forms.write(&found, &written, &text)?;
    told.done()
}

fn written<'a>(sources: &'a Sources, report: &'a FileReport, case: &'a Case) -> WrittenCase<'a> {
    let Case { name, passed, message, seconds, span } = case;
    let (file, line) = (sources.name(span.file), sources.line_column(*span).0);
    WrittenCase { of: &report.name, name, passed: *passed, message, seconds: *seconds, file, line }
}

/// The first line of a test.
fn header(sources: &Sources, case: &Case) -> Span {
    let first = sources.slice(case.span).lines().next().unwrap_or("").len();
    Span { end: case.span.start + u32::try_from(first).unwrap_or(0), ..case.span }
}

/// What is told of all reports.
struct Told {
    /// What is wrong with the files, each once.
    faults: Vec<Diagnostic>,
    failures: String,
    sum: String,
    passed: usize,
    failed: usize,
    unrun: usize,
    left_out: usize,
}

/// How many tests came to what.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    files: usize,
    passed: usize,
    failed: usize,
    unrun: usize,
    left_out: usize,
    seconds: f64,
}

impl Counts {
    fn of<'a>(reports: impl Iterator<Item = &'a FileReport>) -> Counts {
        reports.fold(Counts::default(), |sum, report| {
            let passed = report.cases.iter().filter(|case| case.passed).count();
            Counts {
                files: sum.files + 1,
                passed: sum.passed + passed,
                failed: sum.failed + report.cases.len() - passed,
                unrun: sum.unrun + report.unrun.len(),
                left_out: sum.left_out + report.left_out.len(),
                seconds: report.cases.iter().fold(sum.seconds, |seconds, case| seconds + case.seconds),
            }
        })
    }

    /// `3 passed, 1 failed, 2 not run`
    fn words(&self) -> String {
        let not_run = if self.unrun > 0 { format!(", {} not run", self.unrun) } else { String::new() };
        let left_out = if self.left_out > 0 { format!(", {} left out by `without`", self.left_out) } else { String::new() };
        format!("{} passed, {} failed{not_run}{left_out}", self.passed, self.failed)
    }
}

impl Told {
    fn of(sources: &Sources, reports: &[FileReport], names: &[Names]) -> Told {
        let (mut known, mut faults) = (BTreeSet::new(), Vec::new());
        for found in reports.iter().flat_map(|report| &report.diagnostics) {
            // The same text is read for several reports.
            if known.insert(render(sources, std::slice::from_ref(found), false)) {
                faults.push(found.clone());
            }
        }
        let failures = reports.iter().map(|report| failures(report, names)).collect();
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let errors = faults.iter().filter(is_error).count();
        // Where something could not be read, its tests are missing from these numbers.
        let incomplete = |report: &&FileReport| report.cases.is_empty() || !report.unrun.is_empty();
        let without_tests = reports.iter().filter(incomplete).flat_map(|report| &report.diagnostics);
        let kept = if without_tests.filter(is_error).count() > 0 { " that kept tests from being run" } else { "" };
        let unread = if errors > 0 { format!(", {}{kept}", count(errors, "error")) } else { String::new() };
        let plain = Counts::of(reports.iter().filter(|report| report.with_pack.is_none()));
        let mut sum = format!("{}{unread}, in {} and {:.2} s\n", plain.words(), count(plain.files, "file"), plain.seconds);
        let packs: Vec<&String> = reports.iter().filter_map(|report| report.with_pack.as_ref()).collect();
        for pack in packs.iter().enumerate().filter(|(at, pack)| !packs[..*at].contains(pack)).map(|(_, pack)| *pack) {
            let again = Counts::of(reports.iter().filter(|report| report.with_pack.as_ref() == Some(pack)));
            sum.push_str(&format!("scenarios of the game with {pack}: {}, in {:.2} s\n", again.words(), again.seconds));
        }
        let Counts { passed, failed, unrun, left_out, .. } = Counts::of(reports.iter());
        Told { faults, failures, sum, passed, failed, unrun, left_out }
    }

    fn done(&self) -> Done {
        let errors = self.faults.iter().any(|found| found.severity == Severity::Error);
        if self.failed > 0 || errors { Err(Trouble::Finding) } else { Ok(()) }
    }
}

/// Answers once more: first by what stands in the files that have changed, then by all the rest.
fn again(ground: &Ground, args: &TestArgs, changed: &Changed, answering: &Answering) -> Done {
    let begun = Instant::now();
    let names = names_of_all(ground, args)?;
    let (mut failed_first, mut told_first) = (Vec::new(), BTreeSet::new());
    if !changed.files.is_empty() {
        let mut sources = Sources::new();
        let reports = those_in(ground, args, &changed.files, &mut sources)?;
        let told = Told::of(&sources, &reports, &names);
        let _ = tell(&sources, &told.faults);
        print(&told.failures);
        let (passed, failed) = (told.passed, told.failed);
        print(&format!(
            "in what has changed: {passed} passed, {failed} failed, after {:.2} s; the others follow …\n",
            begun.elapsed().as_secs_f64()
        ));
        told_first.extend(told.faults.iter().map(|found| render(&sources, std::slice::from_ref(found), false)));
        failed_first.extend(reports.into_iter().flat_map(|report| report.cases).filter(|case| !case.passed).map(|case| case.message));
    }
    let mut sources = Sources::new();
    let mut reports = all(ground, args, &mut sources, answering)?;
    answering.rests_on(&sources);
    if answering.is_broken_off() {
        return Ok(());
    }
    let told = Told::of(&sources, &reports, &names);
    // What has been told stands above.
    let is_new = |found: &&Diagnostic| !told_first.contains(&render(&sources, std::slice::from_ref(*found), false));
    let _ = tell(&sources, &told.faults.iter().filter(is_new).cloned().collect::<Vec<_>>());
    reports.iter_mut().for_each(|report| report.cases.retain(|case| !failed_first.contains(&case.message)));
    print(&Told::of(&sources, &reports, &names).failures);
    print(&told.sum);
    told.done()
}

/// All tests that are to be run, unless it is broken off.
fn all(ground: &Ground, args: &TestArgs, sources: &mut Sources, answering: &Answering) -> Result<Vec<FileReport>, Trouble> {
    if args.files.is_empty() { everything(ground, args, None, sources, answering) } else { named(ground, args, sources, answering) }
}

/// What is wrong around tests, so that they cannot be found.
fn faulty(of: &Path, diagnostics: Vec<Diagnostic>) -> Option<FileReport> {
    (!diagnostics.is_empty()).then(|| FileReport { diagnostics, ..FileReport::new(of.display().to_string()) })
}

/// The tests that stand in these files: scenarios, and tests beside cards.
fn those_in(ground: &Ground, args: &TestArgs, files: &[PathBuf], sources: &mut Sources) -> Result<Vec<FileReport>, Trouble> {
    let mut reports = Vec::new();
    for path in files.iter().filter(|path| path.is_file() && path.extension().is_some_and(|end| end == "toml")) {
        let home = path.parent().and_then(Home::around);
        if home.as_ref().is_none_or(|home| home.tests(path)) {
            if home.as_ref().is_none_or(|home| home.folder().join("pack.toml") != *path) {
                reports.push(of_file(ground, args, path, sources)?);
            }
            continue;
        }
        let mut diagnostics = Vec::new();
        let subjects = home.iter().flat_map(|home| home.subjects(ground, &args.pack, sources, &mut diagnostics)).collect::<Vec<_>>();
        reports.extend(faulty(path, diagnostics));
        let is_pack = matches!(home, Some(Home::Pack(_)));
        for subject in subjects {
            let packs = [&subject.packs[..], &args.pack].concat();
            let besides = Besides { packs: &packs, with: &args.with };
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

/// The files that were named; of a folder, all in it.
fn named(ground: &Ground, args: &TestArgs, sources: &mut Sources, answering: &Answering) -> Result<Vec<FileReport>, Trouble> {
    let mut reports = Vec::new();
    for path in args.files.iter().take_while(|_| !answering.is_broken_off()) {
        let game = path.to_str().filter(|name| !path.exists() && ground.games().iter().any(|game| game == name));
        if let Some(game) = game {
            reports.extend(everything(ground, args, Some(game), sources, answering)?);
        } else if path.is_dir() {
            of_folder(ground, args, path, (sources, answering), &mut reports)?;
        } else {
            reports.push(of_file(ground, args, path, sources)?);
        }
    }
    Ok(reports)
}

/// The scenarios of a file, with the game and the pack around it.
fn of_file(ground: &Ground, args: &TestArgs, path: &Path, sources: &mut Sources) -> Result<FileReport, Trouble> {
    let file = sources.read_file(path).or_else(|fault| unreadable(path, &fault))?;
    let mut diagnostics = Vec::new();
    let subject = of_scenarios(ground, &args.pack, sources, (file, path), &mut diagnostics);
    if diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return Ok(FileReport { diagnostics, ..FileReport::new(path.display().to_string()) });
    }
    let mut report = scenarios(args, &subject, file, sources);
    report.diagnostics.extend(diagnostics);
    Ok(report)
}

fn scenarios(args: &TestArgs, subject: &Subject, file: FileId, sources: &mut Sources) -> FileReport {
    let packs = [&subject.packs[..], &args.pack].concat();
    run_file(sources, subject.root.as_deref(), file, Besides { packs: &packs, with: &args.with })
}

/// All scenarios in a folder, and the tests beside the cards of the games and packs in it.
fn of_folder(
    ground: &Ground,
    args: &TestArgs,
    dir: &Path,
    (sources, answering): (&mut Sources, &Answering),
    reports: &mut Vec<FileReport>,
) -> Done {
    let mut homes: Vec<(Home, Vec<Subject>)> = Vec::new();
    if let Some(home) = Home::around(dir).filter(|home| home.folder() == dir) {
        reports.extend(faulty(dir, misnamed(home.folder(), sources)));
    }
    let mut broken: Vec<Home> = Vec::new();
    let paths = Sources::read_dir(dir, "toml").or_else(|fault| unreadable(dir, &fault))?;
    let like_toml = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("toml") && ending != "toml";
    let missed = Sources::all_files(dir).into_iter().filter(|path| path.extension().is_some_and(like_toml));
    let told = missed.map(|path| {
        let wrong = Diagnostic::warning("C040", None, format!("nobody reads `{}`", path.display()));
        wrong.help("scenarios and cards stand in files whose names end in `.toml`, in small letters")
    });
    reports.extend(faulty(dir, told.collect()));
    for path in paths.into_iter().take_while(|_| !answering.is_broken_off()) {
        let home = path.parent().and_then(Home::around).filter(|home| home.folder().starts_with(dir));
        let Some(home) = home else {
            reports.push(of_file(ground, args, &path, sources)?);
            continue;
        };
        if !homes.iter().any(|known| known.0 == home) {
            let mut diagnostics = Vec::new();
            let subjects = home.subjects(ground, &args.pack, sources, &mut diagnostics);
            if subjects.is_empty() && !diagnostics.is_empty() {
                broken.push(home.clone());
            }
            reports.extend(faulty(home.folder(), diagnostics));
            homes.push((home.clone(), subjects));
        }
        let tested = |known: &&(Home, Vec<Subject>)| known.0.tests(&path) && !in_misnamed(&known.0, &path) && !broken.contains(&known.0);
        let Some((home, subjects)) = homes.iter().find(|known| known.0 == home).filter(tested) else { continue };
        let file = sources.read_file(&path).or_else(|fault| unreadable(&path, &fault))?;
        let first = subjects.first().cloned();
        let root = Some(home.folder().to_path_buf());
        let subject = first.unwrap_or_else(|| Subject { root, game: String::new(), packs: Vec::new() });
        reports.push(scenarios(args, &subject, file, sources));
    }
    for (home, subjects) in &homes {
        for subject in subjects {
            let packs = [&subject.packs[..], &args.pack].concat();
            let besides = Besides { packs: &packs, with: &args.with };
            reports.push(match home {
                Home::Games(_) => run_card_tests(sources, subject.root.as_deref(), &subject.game, besides),
                Home::Pack(_) => run_pack_tests(sources, subject.root.as_deref(), &subject.game, besides),
            });
        }
    }
    Ok(())
}

fn unreadable<T>(path: &Path, fault: &std::io::Error) -> Result<T, Trouble> {
    wrong(format!("cannot read `{}`: {fault}", path.display()))
}

/// All scenarios and card tests of all games, or of the one that is named, and of the packs that were named.
fn everything(
    ground: &Ground,
    args: &TestArgs,
    only: Option<&str>,
    sources: &mut Sources,
    answering: &Answering,
) -> Result<Vec<FileReport>, Trouble> {
    let mut reports = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let (mut scenarios, mut known): (Vec<(String, FileId)>, KnownGames) = Default::default();
    if let Some(root) = ground.root().filter(|_| only.is_none()) {
        reports.extend(faulty(root, misnamed(root, sources)));
    }
    for game in ground.games().into_iter().filter(|game| only.is_none_or(|only| only == game)) {
        let mut diagnostics = Vec::new();
        let packs = ground.packs_of(&game, &args.pack);
        let content = pack::load_game(sources, ground.root(), &game, &packs, &mut diagnostics);
        let Some(content) = content else {
            reports.extend(faulty(Path::new(&game), diagnostics));
            continue;
        };
        // What a game says of itself holds without packs, and with each of them that does not change it.
        let of_game = content.scenarios.iter().map(|file| (*file, &[][..]));
        let of_packs = content.packs.iter().flat_map(|pack| &pack.tests).map(|file| (*file, &packs[..]));
        let files: Vec<(FileId, &[PathBuf])> = of_game.chain(of_packs).collect();
        for (file, packs) in files.into_iter().take_while(|_| !answering.is_broken_off()) {
            // A file that cannot tell its game is among those of every game.
            let name = sources.name(file).to_string();
            if !names.contains(&name) {
                names.push(name);
                if packs.is_empty() {
                    scenarios.push((game.clone(), file));
                }
                reports.push(run_file_of(sources, ground.root(), file, Besides { packs, with: &args.with }, &mut known));
            }
        }
        reports.push(run_card_tests(sources, ground.root(), &game, Besides { packs: &packs, with: &args.with }));
    }
    for pack in ground.packs().into_iter().filter(|_| only.is_none()) {
        if answering.is_broken_off() {
            return Ok(reports);
        }
        if !args.pack.iter().any(|named| Sources::real_path(named) == Sources::real_path(&pack)) {
            of_folder(ground, args, &pack, (sources, answering), &mut reports)?;
        }
    }
    let mut packs: Vec<PathBuf> = args.pack.clone();
    packs.extend(
        ground.packs().into_iter().filter(|pack| !args.pack.iter().any(|named| Sources::real_path(named) == Sources::real_path(pack))),
    );
    for pack in &packs {
        // What is wrong with the pack itself is told with its own tests.
        let Some(subject) = of_pack(ground, pack, &args.pack, sources, &mut Vec::new()) else { continue };
        let of_game = scenarios.iter().filter(|(game, _)| *game == subject.game).map(|(_, file)| *file);
        for file in of_game.take_while(|_| !answering.is_broken_off()) {
            let besides = Besides { packs: &subject.packs, with: &args.with };
            let mut report = run_file_of(sources, ground.root(), file, besides, &mut known);
            report.name = format!("{} with {}", report.name, pack.display());
            report.with_pack = Some(pack.display().to_string());
            reports.push(report);
        }
    }
    Ok(reports)
}

/// What lies in a folder of games or of a pack as tests would, but for capitals in its name, so that it is not run.
fn misnamed(folder: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    let name_of = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let is_nearly = |found: &str, wanted: &str| found != wanted && found.eq_ignore_ascii_case(wanted);
    // `.` is where one is; messages look better without it.
    let shown = |path: &Path| path.strip_prefix(".").unwrap_or(path).display().to_string();
    let mut found = Vec::new();
    for path in Sources::folders(folder).into_iter().filter(|path| is_nearly(&name_of(path), "tests")) {
        // Where capitals make no difference it is the folder itself.
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

/// Whether a file lies in a folder that is named as that of tests is, but for capitals: of that is told, and nothing in it is run.
fn in_misnamed(home: &Home, file: &Path) -> bool {
    let inside = file.strip_prefix(home.folder()).ok();
    let first = inside.and_then(|inside| inside.components().next()).map(|first| first.as_os_str().to_string_lossy().into_owned());
    first.is_some_and(|first| first != "tests" && first.eq_ignore_ascii_case("tests"))
}

/// Whether a file of scenarios lies in a folder, whatever its name ends in.
fn holds_scenarios(folder: &Path, sources: &mut Sources) -> bool {
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let texts: Vec<FileId> =
        Sources::all_files(folder).iter().filter(|path| is_toml(path)).filter_map(|path| sources.read_file(path).ok()).collect();
    texts.into_iter().any(|file| sources.text(file).contains("[[scenario]]"))
}

/// What the cards of all games, and of all packs that may be tested, are called in the language that was chosen.
fn names_of_all(ground: &Ground, args: &TestArgs) -> Result<Vec<Names>, Trouble> {
    if ground.language().is_none() {
        return Ok(Vec::new());
    }
    let named = args.files.iter().filter(|path| path.join("pack.toml").is_file()).cloned();
    let packs: Vec<PathBuf> = args.pack.iter().cloned().chain(named).chain(ground.packs()).collect();
    ground.expect_language(&ground.games(), &packs)?;
    let mut names = Vec::new();
    for game in ground.games() {
        // What is wrong with the texts is told by the tests that need them.
        let mut sources = Sources::new();
        let content = pack::load_game(&mut sources, ground.root(), &game, &ground.packs_of(&game, &packs), &mut Vec::new());
        names.extend(content.map(|content| ground.names(&sources, &content)).transpose()?);
    }
    Ok(names)
}

/// What failed, with what the runner says about it, and what the cards in it are called in the language that was chosen.
fn failures(report: &FileReport, names: &[Names]) -> String {
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

fn junit(sources: &Sources, reports: &[FileReport]) -> Result<String, Trouble> {
    let mut junit = quick_junit::Report::new("houserule");
    for report in reports {
        let mut suite = TestSuite::new(&report.name);
        let mut add = |name: &str, status, seconds| {
            let mut written = TestCase::new(name, status);
            written.set_classname(&report.name).set_time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
            suite.add_test_case(written);
        };
        for case in &report.cases {
            let status = if case.passed {
                TestCaseStatus::success()
            } else {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(case.message.lines().next().unwrap_or("")).set_description(&case.message);
                status
            };
            add(&case.name, status, case.seconds);
        }
        for name in &report.unrun {
            add(name, TestCaseStatus::skipped(), 0.0);
        }
        let errors: Vec<Diagnostic> = report.diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
        if let Some(first) = errors.first() {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(&first.message).set_description(render(sources, &errors, false));
            add("the files can be read", status, 0.0);
        }
        junit.add_test_suite(suite);
    }
    junit.to_string().or_else(|fault| wrong(format!("internal error: {fault}; please report it")))
}
