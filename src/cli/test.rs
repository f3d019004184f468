//! `houserule test`: scenarios, and the tests beside cards.

use std::path::PathBuf;
use std::time::Duration;

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::args::TestArgs;
use super::load::Ground;
use super::output::{Out, count, print, tell, wrong};
use super::{Done, Trouble};
use crate::pack;
use crate::scenario::run::{FileReport, run_card_tests, run_file};
use crate::source::{FileId, Sources};

/// Runs tests.
pub fn test(ground: &Ground, args: &TestArgs) -> Done {
    let junit_file = args.junit.as_ref().map(|file| Out::open(&file.display().to_string())).transpose()?;
    let mut sources = Sources::new();
    let reports = if args.files.is_empty() { everything(ground, args, &mut sources)? } else { named(ground, args, &mut sources)? };
    let mut done = Ok(());
    for report in &reports {
        done = done.and(tell(&sources, &report.diagnostics));
        print(&failures(report));
    }
    let cases = || reports.iter().flat_map(|report| &report.cases);
    let passed = cases().filter(|case| case.passed).count();
    let failed = cases().count() - passed;
    let seconds: f64 = cases().fold(0.0, |sum, case| sum + case.seconds);
    print(&format!("{passed} passed, {failed} failed, in {} and {seconds:.2} s\n", count(reports.len(), "file")));
    if let Some(file) = junit_file {
        file.text(&junit(&reports)?)?;
    }
    if failed > 0 { Err(Trouble::Finding) } else { done }
}

/// The files that were named; of a folder, all in it.
fn named(ground: &Ground, args: &TestArgs, sources: &mut Sources) -> Result<Vec<FileReport>, Trouble> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in &args.files {
        if path.is_dir() {
            match Sources::read_dir(path, "toml") {
                Ok(found) => paths.extend(found),
                Err(fault) => return wrong(format!("cannot read `{}`: {fault}", path.display())),
            }
        } else {
            paths.push(path.clone());
        }
    }
    let mut reports = Vec::new();
    for path in paths {
        match sources.read_file(&path) {
            Ok(file) => reports.push(run_file(sources, ground.root(), file, &args.pack)),
            Err(fault) => return wrong(format!("cannot read `{}`: {fault}", path.display())),
        }
    }
    Ok(reports)
}

/// All scenarios and card tests of all games and of the packs that were named.
fn everything(ground: &Ground, args: &TestArgs, sources: &mut Sources) -> Result<Vec<FileReport>, Trouble> {
    let mut reports = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for game in ground.games() {
        let mut diagnostics = Vec::new();
        let packs = ground.packs_of(&game, &args.pack);
        let content = pack::load_game(sources, ground.root(), &game, &packs, &mut diagnostics);
        let Some(content) = content else {
            tell(sources, &diagnostics)?;
            continue;
        };
        // What a game says of itself holds without packs.
        let of_game = content.scenarios.iter().map(|file| (*file, &[][..]));
        let of_packs = content.packs.iter().flat_map(|pack| &pack.tests).map(|file| (*file, &packs[..]));
        let files: Vec<(FileId, &[PathBuf])> = of_game.chain(of_packs).collect();
        for (file, packs) in files {
            // A file that cannot tell its game is among those of every game.
            let name = sources.name(file).to_string();
            if !names.contains(&name) {
                names.push(name);
                reports.push(run_file(sources, ground.root(), file, packs));
            }
        }
        reports.push(run_card_tests(sources, ground.root(), &game, &packs));
    }
    Ok(reports)
}

/// What failed, with what the runner says about it.
fn failures(report: &FileReport) -> String {
    let mut text = String::new();
    for case in report.cases.iter().filter(|case| !case.passed) {
        text.push_str(&format!("FAILED {}: {}\n", report.name, case.name));
        for line in case.message.lines() {
            text.push_str(&format!("  {line}\n"));
        }
        text.push('\n');
    }
    text
}

fn junit(reports: &[FileReport]) -> Result<String, Trouble> {
    let mut junit = quick_junit::Report::new("houserule");
    for report in reports {
        let mut suite = TestSuite::new(&report.name);
        for case in &report.cases {
            let status = if case.passed {
                TestCaseStatus::success()
            } else {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(case.message.lines().next().unwrap_or("")).set_description(&case.message);
                status
            };
            let mut written = TestCase::new(&case.name, status);
            written.set_classname(&report.name).set_time(Duration::try_from_secs_f64(case.seconds).unwrap_or_default());
            suite.add_test_case(written);
        }
        junit.add_test_suite(suite);
    }
    junit.to_string().or_else(|fault| wrong(format!("internal error: {fault}; please report it")))
}
