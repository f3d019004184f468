//! Runs scenarios and the tests that stand beside cards: a position is written, something is done, and what must hold is looked at.
//!
//! Tests with the same players and options share one compiled ruleset; lines are read into a copy of it that only grows, so
//! that compiled scripts stay valid.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::file::{RawScenario, ScenarioFile, parse_scenarios};
use super::report;
use super::trial::{Test, Trial};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::Game;
use crate::lang::{Further, GameText, Setup, load, load_with, open};
use crate::pack::{CardTest, Spanned, Text, Value};
use crate::script::ScriptHost;
use crate::source::{FileId, Sources, Span};

/// How many play where nothing is said.
const USUAL_PLAYERS: i64 = 3;
/// The seed where nothing is said.
const USUAL_SEED: i64 = 1;

/// One test that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// Whether everything holds.
    pub passed: bool,
    /// What does not, with the places and what happened; empty if it passed.
    pub message: String,
    /// How long it took.
    pub seconds: f64,
    /// Where in its file it begins.
    at: u32,
}

/// All tests of a file, or of the cards of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// The file.
    pub name: String,
    /// Its tests in the order of writing.
    pub cases: Vec<Case>,
    /// What is wrong with the files themselves.
    pub diagnostics: Vec<Diagnostic>,
}

/// What is added to a game for all tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Besides<'a> {
    /// Folders of packs.
    pub packs: &'a [PathBuf],
    /// Variants and further rules.
    pub with: &'a [String],
}

/// Runs the scenarios of a file. `besides` is added to what they name themselves.
pub fn run_file(sources: &mut Sources, root: Option<&Path>, file: FileId, besides: Besides<'_>) -> FileReport {
    let mut report = FileReport { name: sources.name(file).to_string(), cases: Vec::new(), diagnostics: Vec::new() };
    let text = sources.text(file).to_string();
    let Some(found) = parse_scenarios(file, &text, &mut report.diagnostics) else { return report };
    let beside = Path::new(&report.name).parent().map(Path::to_path_buf).unwrap_or_default();
    let mut packs: Vec<PathBuf> = found.packs.iter().map(|pack| near(&beside, &pack.text)).collect();
    packs.extend(besides.packs.iter().cloned());
    // One without `then` tests nothing, and has been told.
    let scenarios: Vec<&RawScenario> = found.scenarios.iter().filter(|scenario| scenario.then.is_some()).collect();
    let mut games: Vec<(Vec<Further>, Vec<Test<'_>>)> = Vec::new();
    for scenario in scenarios {
        let written = found.with.iter().chain(&scenario.with).map(|with| further(sources, &beside, with));
        let typed = besides.with.iter().map(|text| Further { text: text.clone(), at: None });
        let with: Vec<Further> = written.chain(typed).collect();
        let at = games.iter().position(|game| game.0 == with).unwrap_or_else(|| {
            games.push((with, Vec::new()));
            games.len() - 1
        });
        games[at].1.push(of_scenario(&found, scenario));
    }
    for (with, tests) in games {
        let before = report.diagnostics.len();
        let Some(game) = load_with(sources, root, &found.game.text, &packs, &with, &mut report.diagnostics) else { return report };
        if can_be_tried(with.is_empty(), &report.diagnostics[before..]) {
            run_tests(sources, &game, &tests, &mut report);
        }
    }
    // In the order of writing, however many games they were played in.
    let place = |case: &Case| found.scenarios.iter().position(|scenario| scenario.span.start == case.at).unwrap_or(usize::MAX);
    report.cases.sort_by_key(place);
    report
}

/// Without the further rules that it wants a test says nothing; what is wrong with them has been told.
fn can_be_tried(plain: bool, found: &[Diagnostic]) -> bool {
    plain || found.iter().all(|found| found.severity != Severity::Error)
}

fn of_scenario<'t>(file: &ScenarioFile, scenario: &'t RawScenario) -> Test<'t> {
    let mut options = plain_options(&file.options);
    for (name, values) in plain_options(&scenario.options) {
        options.retain(|option| option.0 != name);
        options.push((name, values));
    }
    Test {
        name: scenario.name.text.clone(),
        given: scenario.given.as_ref(),
        when: scenario.when.as_ref(),
        then: scenario.then.as_ref(),
        players: scenario.players.or(file.players),
        seed: scenario.seed.or(file.seed).unwrap_or(USUAL_SEED),
        options,
        span: scenario.span,
    }
}

/// What a scenario names in `with`: a file lies beside it, or from where one is.
fn further(sources: &Sources, beside: &Path, with: &Text) -> Further {
    let path = beside.join(&with.text);
    let text = if with.text.ends_with(".rules") && path.is_file() { path.display().to_string() } else { with.text.clone() };
    // Where something in the text is escaped its places are not those of the file.
    let at = (sources.slice(with.span) == with.text).then_some(with.span);
    Further { text, at }
}

/// Runs every test that stands beside a card or a kind of a game and of the packs.
pub fn run_card_tests(sources: &mut Sources, root: Option<&Path>, game: &str, besides: Besides<'_>) -> FileReport {
    // A pack may change what a card of the game itself meets, so that its test says nothing about it: those run by themselves.
    let mut report = FileReport { name: format!("cards of {game}"), cases: Vec::new(), diagnostics: Vec::new() };
    let text = load(sources, root, game, &[], besides.with, &mut report.diagnostics);
    if let Some(text) = text.filter(|_| can_be_tried(besides.with.is_empty(), &report.diagnostics)) {
        let tests = tests_of_cards(&text, |_| true);
        run_tests(sources, &text, &tests, &mut report);
    }
    if !besides.packs.is_empty() {
        let of_packs = run_pack_tests(sources, root, game, besides);
        report.cases.extend(of_packs.cases);
        report.diagnostics.extend(of_packs.diagnostics);
    }
    report
}

/// Runs every test that stands beside what packs say of cards and kinds, also in patches of the game's.
pub fn run_pack_tests(sources: &mut Sources, root: Option<&Path>, game: &str, besides: Besides<'_>) -> FileReport {
    let Besides { packs, with } = besides;
    let names = packs.iter().map(|pack| pack.display().to_string()).collect::<Vec<_>>().join(" and ");
    let mut report = FileReport { name: format!("cards of {names}"), cases: Vec::new(), diagnostics: Vec::new() };
    let Some(text) = load(sources, root, game, packs, with, &mut report.diagnostics) else { return report };
    if !can_be_tried(with.is_empty(), &report.diagnostics) {
        return report;
    }
    let Some(by_itself) = load(sources, root, game, &[], with, &mut Vec::new()) else { return report };
    let files: BTreeSet<String> = places_of_tests(&by_itself).map(|span| sources.name(span.file).to_string()).collect();
    let tests = tests_of_cards(&text, |span| !files.contains(sources.name(span.file)));
    run_tests(sources, &text, &tests, &mut report);
    report
}

fn places_of_tests(text: &GameText) -> impl Iterator<Item = Span> {
    let kinds = text.content.kinds.iter().flat_map(|kind| &kind.tests);
    kinds.chain(text.content.cards.iter().flat_map(|card| &card.tests)).map(|test| test.span)
}

/// The tests beside cards and kinds that stand at places that are wanted.
fn tests_of_cards<'t>(text: &'t GameText, wanted: impl Fn(Span) -> bool) -> Vec<Test<'t>> {
    let kinds = text.content.kinds.iter().map(|kind| (&kind.id.text, &kind.tests));
    let cards = text.content.cards.iter().map(|card| (&card.id.text, &card.tests));
    let all = kinds.chain(cards).flat_map(|(owner, beside)| beside.iter().enumerate().map(move |(i, test)| (owner, i, beside.len(), test)));
    all.filter(|(.., test)| wanted(test.span) && test.then.is_some())
        .map(|(owner, i, count, test)| of_card(owner, i, count, test))
        .collect()
}

fn of_card<'t>(owner: &str, index: usize, count: usize, test: &'t CardTest) -> Test<'t> {
    let name = match &test.name {
        Some(name) => format!("{owner}: {}", name.text),
        None if count > 1 => format!("{owner} #{}", index + 1),
        None => owner.to_string(),
    };
    Test {
        name,
        given: test.given.as_ref(),
        when: test.when.as_ref(),
        then: test.then.as_ref(),
        players: test.players,
        seed: test.seed.unwrap_or(USUAL_SEED),
        options: plain_options(&test.options),
        span: test.span,
    }
}

/// A pack's folder: beside the file that names it, or from where one is.
fn near(beside: &Path, pack: &str) -> PathBuf {
    let path = beside.join(pack);
    if path.is_dir() { path } else { PathBuf::from(pack) }
}

fn plain_options(options: &[(Text, Spanned)]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = options.iter().map(|(name, value)| (name.text.clone(), words_of(&value.value))).collect();
    found.sort();
    found
}

fn words_of(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.text.clone()],
        Value::Integer(number) => vec![number.to_string()],
        Value::Boolean(value) => vec![if *value { "yes" } else { "no" }.to_string()],
        Value::List(list) => list.iter().flat_map(|value| words_of(&value.value)).collect(),
        Value::Table(_) => Vec::new(),
    }
}

// ------------------------------------------------------------------ tests

/// Runs tests, those with the same setup one after another; the cases stand in the order of the tests.
#[allow(clippy::disallowed_methods, reason = "how long a test took is told, and nothing depends on it")]
fn run_tests(sources: &Sources, text: &GameText, tests: &[Test<'_>], report: &mut FileReport) {
    let (fewest, most) = text.players();
    let setups: Vec<Setup> = tests
        .iter()
        .map(|test| Setup {
            players: test.players.unwrap_or(USUAL_PLAYERS.clamp(fewest as i64, most.max(fewest) as i64)).clamp(0, 1000) as usize,
            options: test.options.clone(),
            every_piece: true,
            ..Setup::default()
        })
        .collect();
    let mut cases: Vec<Option<Case>> = vec![None; tests.len()];
    for first in 0..tests.len() {
        if cases[first].is_some() {
            continue;
        }
        let same: Vec<usize> = (first..tests.len()).filter(|&i| setups[i] == setups[first]).collect();
        let players = setups[first].players;
        if players < fewest || players > most {
            for i in same {
                let wrong = Diagnostic::error("G004", tests[i].span, format!("this game is for {fewest} to {most} players, not {players}"));
                cases[i] = Some(case(&tests[i], report::message(sources, &[wrong], &[]), 0.0));
            }
            continue;
        }
        let mut diagnostics = Vec::new();
        let mut broken = None;
        if let Some(mut reader) = open(text, &setups[first], &mut diagnostics) {
            let rules = Arc::new(reader.rules().clone());
            match ScriptHost::new(&rules) {
                Ok(mut host) => {
                    for &i in &same {
                        let begun = Instant::now();
                        let game = Game::new(&rules, tests[i].seed as u64);
                        let mut trial = Trial::new(&mut reader, Arc::clone(&rules), &mut host, game);
                        let (wrong, log) = trial.run(&tests[i]);
                        let message = report::message(sources, &wrong, &log);
                        cases[i] = Some(case(&tests[i], message, begun.elapsed().as_secs_f64()));
                    }
                }
                Err(wrong) => broken = Some(wrong),
            }
        }
        diagnostics.extend(broken.into_iter().flatten());
        let errors: Vec<Diagnostic> = diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
        for i in same {
            cases[i].get_or_insert_with(|| case(&tests[i], report::message(sources, &errors, &[]), 0.0));
        }
        // What is wrong with a file is told of once, however many setups there are.
        for diagnostic in diagnostics {
            if diagnostic.span.is_some() && !report.diagnostics.contains(&diagnostic) {
                report.diagnostics.push(diagnostic);
            }
        }
    }
    report.cases.extend(cases.into_iter().flatten());
}

fn case(test: &Test<'_>, message: String, seconds: f64) -> Case {
    Case { name: test.name.clone(), passed: message.is_empty(), message, seconds, at: test.span.start }
}

#[cfg(test)]
mod tests;
