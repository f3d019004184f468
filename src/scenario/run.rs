//! Runs scenarios and tests of cards: sets up a position, makes moves, and checks the result. Tests with the same players and options share
//! one compiled ruleset. Their lines are compiled into a copy of it, which is only ever extended, so that compiled scripts stay valid.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::course::ScenarioTest;
use super::file::{RawScenario, ScenarioFile, parse_scenarios};
pub use super::group::TestResult;
use super::group::{self, StopAfter, TestGame, group_by_setup, position_of, run_group, setup_of};
use super::problem::ScenarioProblem;
use super::report::failure_message;
use crate::diagnostic::{Diagnostic, has_errors, nearest};
use crate::disk::OnDisk;
use crate::engine::Game;
use crate::lang::{ExtraRules, GameText, ParsedGame, Setup, load, report_checked};
use crate::pack::{CardTest, Text};
use crate::script::check_scripts;
use crate::source::{FileId, Sources, Span};

/// Seed of the game's random numbers if the scenario writes none.
pub(super) const DEFAULT_SEED: i64 = 1;

/// The results of all tests in a file, or of all tests of a game's cards.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// Name of the file.
    pub name: String,
    /// Results in order of writing.
    pub cases: Vec<TestResult>,
    /// Names of tests that could not run because of errors in the files.
    pub unrun: Vec<String>,
    /// Names of tests that were skipped: their `without` names a pack that is loaded, and they do not hold with it.
    pub left_out: Vec<String>,
    /// Folder of the pack with which the tests of the game were run again.
    pub with_pack: Option<String>,
    /// Diagnostics about the files.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileReport {
    /// Creates a report without results.
    pub fn new(name: impl Into<String>) -> FileReport {
        let (cases, unrun, left_out, diagnostics) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        FileReport { name: name.into(), cases, unrun, left_out, with_pack: None, diagnostics }
    }

    /// Adds diagnostics to the report, each only once, since several setups and tests may find the same.
    fn report(&mut self, found: Vec<Diagnostic>) {
        for found in found {
            if !self.diagnostics.contains(&found) {
                self.diagnostics.push(found);
            }
        }
    }
}

/// Packs and rules that are added to the game for all tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExtraContent<'a> {
    /// Folders of packs.
    pub packs: &'a [PathBuf],
    /// Variants and additional rules.
    pub with: &'a [String],
}

/// A game that has been loaded with packs, and the diagnostics about it.
#[derive(Debug)]
struct LoadedGame {
    root: Option<PathBuf>,
    game: String,
    packs: Vec<PathBuf>,
    read: Option<ParsedGame>,
    faults: Vec<Diagnostic>,
}

/// A cache of loaded games, so that several scenario files load each game only once.
#[derive(Debug, Default)]
pub struct LoadedGames {
    games: Vec<LoadedGame>,
}

impl LoadedGames {
    fn read(&mut self, sources: &mut Sources, root: Option<&Path>, game: &str, packs: &[PathBuf]) -> Option<&LoadedGame> {
        let is_it = |known: &LoadedGame| known.root.as_deref() == root && known.game == game && known.packs == packs;
        let at = self.games.iter().position(is_it).unwrap_or_else(|| {
            let mut faults = Vec::new();
            let read = ParsedGame::read(sources, root, game, packs, &mut faults);
            let (root, game) = (root.map(Path::to_path_buf), game.to_string());
            self.games.push(LoadedGame { root, game, packs: packs.to_vec(), read, faults });
            self.games.len() - 1
        });
        self.games.get(at)
    }
}

/// Runs the scenarios of a file. `besides` is added to the content that they name.
pub fn run_file(sources: &mut Sources, root: Option<&Path>, file: FileId, besides: ExtraContent<'_>) -> FileReport {
    run_file_of(sources, root, file, besides, &mut LoadedGames::default())
}

/// Like [`run_file`], with a cache of loaded games.
pub fn run_file_of(
    sources: &mut Sources,
    root: Option<&Path>,
    file: FileId,
    besides: ExtraContent<'_>,
    known: &mut LoadedGames,
) -> FileReport {
    let mut report = FileReport::new(sources.name(file));
    let text = sources.text(file).to_string();
    let Some(found) = parse_scenarios(file, &text, &mut report.diagnostics) else { return report };
    report.unrun.extend(found.scenarios.iter().filter(|scenario| scenario.faulty).map(|scenario| scenario.name.text.clone()));
    for TestPlan { packs, with, tests } in plan_runs(sources, &found, besides) {
        let Some(LoadedGame { read, faults, .. }) = known.read(sources, root, &found.game.text, &packs) else { return report };
        let loaded: Vec<String> = read.iter().flat_map(ParsedGame::packs).map(str::to_string).collect();
        let is_without = |test: &ScenarioTest| test.without.iter().any(|pack| loaded.contains(&pack.text));
        let mut faults = faults.clone();
        let game = read.as_ref().map(|read| read.with(sources, &with, &mut faults));
        let (left_out, tests): (Vec<ScenarioTest>, Vec<ScenarioTest>) = tests.into_iter().partition(is_without);
        if !tests.is_empty() {
            run_tests(sources, game.as_ref(), tests, faults.clone(), &mut report);
        }
        skip_incompatible(sources, game.as_ref(), left_out, (faults, &loaded), &mut report);
    }
    // Restore the order of writing over all games.
    let place = |case: &TestResult| found.scenarios.iter().position(|scenario| scenario.span == case.span).unwrap_or(usize::MAX);
    report.cases.sort_by_key(place);
    report
}

/// Skips scenarios whose `without` names a loaded pack. They still run: one that does hold has a needless `without`, which is reported.
fn skip_incompatible(
    sources: &Sources,
    text: Option<&GameText>,
    tests: Vec<ScenarioTest>,
    (faults, loaded): (Vec<Diagnostic>, &[String]),
    report: &mut FileReport,
) {
    if tests.is_empty() {
        return;
    }
    let mut ran = FileReport::new("");
    run_tests(sources, text, tests.clone(), faults, &mut ran);
    for test in tests {
        let Some(case) = ran.cases.iter().find(|case| case.span == test.span && case.passed) else {
            report.left_out.push(test.name);
            continue;
        };
        let in_vain = test.without.iter().filter(|pack| loaded.contains(&pack.text));
        let wrong = in_vain.map(|pack| ScenarioProblem::HoldsWith { pack: pack.text.clone() }.at(pack.span));
        let message = failure_message(sources, &wrong.collect::<Vec<_>>(), &[]);
        report.cases.push(TestResult { passed: false, message, ..case.clone() });
    }
}

/// Largest number of scenario names that a message lists.
const MAX_LISTED_NAMES: usize = 8;

/// A game after the `given` and `when` lines of a scenario.
#[derive(Debug)]
pub struct ScenarioPosition {
    /// The parsed text of rules and cards.
    pub text: GameText,
    /// Number of players, and chosen options.
    pub setup: Setup,
    /// The game in the state after the lines.
    pub game: Game,
}

/// Executes the `given` and `when` lines of a scenario; `then` is ignored. Without a name, the file must contain exactly one scenario.
///
/// # Errors
/// Errors in the file or the scenario, or a diagnostic that there is no such scenario.
pub fn position(
    sources: &mut Sources,
    root: Option<&Path>,
    (file, name): (FileId, Option<&str>),
    besides: ExtraContent<'_>,
) -> Result<ScenarioPosition, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let text = sources.text(file).to_string();
    let Some(found) = parse_scenarios(file, &text, &mut diagnostics) else { return Err(diagnostics) };
    let names = || found.scenarios.iter().map(|scenario| scenario.name.text.as_str());
    let scenario = match (name, found.scenarios.as_slice()) {
        (Some(name), all) => all.iter().find(|scenario| scenario.name.text == name),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some(scenario) = scenario else {
        let file = sources.name(file).to_string();
        let mut quoted: Vec<String> = names().take(MAX_LISTED_NAMES).map(|name| format!("\"{name}\"")).collect();
        let more = names().count().saturating_sub(MAX_LISTED_NAMES);
        quoted.extend((more > 0).then(|| format!("and {more} more")));
        let quoted = quoted.join(", ");
        let wrong = match name {
            Some(name) => {
                let near = nearest(name, names()).map(String::from);
                ScenarioProblem::NoScenarioOf { file, name: name.to_string(), near, names: quoted }
            }
            None => ScenarioProblem::SeveralOf { file, names: quoted },
        };
        return Err(vec![wrong.at(None)]);
    };
    // What is only refused, or tests nothing, has a position all the same.
    let wanted = RawScenario { then: Some(scenario.name.clone()), faulty: false, ..scenario.clone() };
    let one = ScenarioFile { scenarios: vec![wanted], ..found.clone() };
    let Some(TestPlan { packs, with, mut tests }) = plan_runs(sources, &one, besides).pop() else { return Err(diagnostics) };
    let read = ParsedGame::read(sources, root, &found.game.text, &packs, &mut diagnostics);
    let Some(text) = read.map(|read| read.with(sources, &with, &mut diagnostics)) else { return Err(diagnostics) };
    let Some(test) = tests.pop().filter(|_| !has_errors(&diagnostics)) else { return Err(diagnostics) };
    let setup = setup_of(&text, &test);
    match position_of(&text, &setup, &test) {
        Ok(game) => Ok(ScenarioPosition { text, setup, game }),
        Err(wrong) => Err(wrong),
    }
}

/// Tests that run with the same packs and additional rules.
pub(super) struct TestPlan {
    /// Folders of packs.
    pub packs: Vec<PathBuf>,
    /// Variants and additional rules that the tests use.
    pub with: Vec<ExtraRules>,
    /// The tests, in order of writing.
    pub tests: Vec<ScenarioTest>,
}

/// Groups the tests of a file by their packs and additional rules.
pub(super) fn plan_runs(sources: &Sources, found: &ScenarioFile, besides: ExtraContent<'_>) -> Vec<TestPlan> {
    let beside = Path::new(sources.name(found.game.span.file)).parent().map(Path::to_path_buf).unwrap_or_default();
    let mut plans: Vec<TestPlan> = Vec::new();
    for scenario in found.scenarios.iter().filter(|scenario| !scenario.faulty) {
        let mut packs: Vec<PathBuf> = found.packs.iter().chain(&scenario.packs).map(|pack| pack_folder(&beside, &pack.text)).collect();
        let new = |pack: &&PathBuf| !packs.iter().any(|known| Sources::real_path(known) == Sources::real_path(pack));
        let more: Vec<PathBuf> = besides.packs.iter().filter(new).cloned().collect();
        packs.extend(more);
        let written = found.with.iter().chain(&scenario.with).map(|with| parse_extra_rules(sources, &beside, with));
        let typed = besides.with.iter().map(|text| ExtraRules { text: text.clone(), at: None });
        let with: Vec<ExtraRules> = written.chain(typed).collect();
        let at = plans.iter().position(|plan| plan.packs == packs && plan.with == with).unwrap_or_else(|| {
            plans.push(TestPlan { packs, with, tests: Vec::new() });
            plans.len() - 1
        });
        plans[at].tests.push(test_of_scenario(found, scenario));
    }
    plans
}

/// Converts a scenario to a test. Keys that it does not write are taken from the top of the file.
fn test_of_scenario(file: &ScenarioFile, scenario: &RawScenario) -> ScenarioTest {
    ScenarioTest {
        name: scenario.name.text.clone(),
        given: scenario.given.clone(),
        when: scenario.when.clone(),
        then: scenario.then.clone(),
        refused: scenario.refused.clone(),
        players: scenario.players.or(file.players),
        seed: scenario.seed.or(file.seed).unwrap_or(DEFAULT_SEED),
        options: file.options.merged_with(&scenario.options),
        without: scenario.without.clone(),
        span: scenario.span,
    }
}

/// Parses an item of `with`. A path is relative to the scenario file, or else to the working directory.
pub(super) fn parse_extra_rules(sources: &Sources, beside: &Path, with: &Text) -> ExtraRules {
    let path = beside.join(&with.text);
    let text = if with.text.ends_with(".rules") && path.is_plain_file() { path.display().to_string() } else { with.text.clone() };
    // If the text has escapes, positions in it do not correspond to positions in the file.
    let at = (sources.slice(with.span) == with.text).then_some(with.span);
    ExtraRules { text, at }
}

/// Runs all tests of cards and kinds of a game, and of the packs in `besides`.
pub fn run_card_tests(sources: &mut Sources, root: Option<&Path>, game: &str, besides: ExtraContent<'_>) -> FileReport {
    let (mut report, mut faults) = (FileReport::new(format!("cards of {game}")), Vec::new());
    match tests_of_game(sources, root, game, besides.with, &mut faults) {
        Some((text, tests)) => run_tests(sources, Some(&text), tests, faults, &mut report),
        None => report.report(faults),
    }
    if !besides.packs.is_empty() {
        let of_packs = run_pack_tests(sources, root, game, besides);
        report.cases.extend(of_packs.cases);
        report.unrun.extend(of_packs.unrun);
        report.report(of_packs.diagnostics);
    }
    report
}

/// Runs all tests of cards and kinds in packs, including those in patches.
pub fn run_pack_tests(sources: &mut Sources, root: Option<&Path>, game: &str, besides: ExtraContent<'_>) -> FileReport {
    let names = besides.packs.iter().map(|pack| pack.display().to_string()).collect::<Vec<_>>().join(" and ");
    let (mut report, mut faults) = (FileReport::new(format!("cards of {names}")), Vec::new());
    match tests_of_packs(sources, root, game, besides, &mut faults) {
        Some((text, tests)) => run_tests(sources, Some(&text), tests, faults, &mut report),
        None => report.report(faults),
    }
    report
}

/// Returns the tests of cards and kinds of the game itself, run without packs: a pack may change the cards involved, so that a test with
/// packs would say nothing about the game.
pub(super) fn tests_of_game(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    with: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(GameText, Vec<ScenarioTest>)> {
    let text = load(sources, root, game, &[], with, diagnostics)?;
    let tests = tests_of_cards(&text, |_| true);
    Some((text, tests))
}

/// Returns the tests of cards and kinds in packs.
pub(super) fn tests_of_packs(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    besides: ExtraContent<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(GameText, Vec<ScenarioTest>)> {
    let ExtraContent { packs, with } = besides;
    let text = load(sources, root, game, packs, with, diagnostics)?;
    let by_itself = load(sources, root, game, &[], with, &mut Vec::new())?;
    let files: BTreeSet<String> = test_spans(&by_itself).map(|span| sources.name(span.file).to_string()).collect();
    let tests = tests_of_cards(&text, |span| !files.contains(sources.name(span.file)));
    Some((text, tests))
}

/// Returns diagnostics about unparsable lines in the tests of cards and kinds at the wanted locations. The tests are not run.
pub fn find_unreadable_tests(text: &GameText, wanted: impl Fn(Span) -> bool) -> Vec<Diagnostic> {
    group_by_setup(text, tests_of_cards(text, wanted)).iter().flat_map(|group| group::find_unreadable_lines(text, group)).collect()
}

fn test_spans(text: &GameText) -> impl Iterator<Item = Span> {
    let kinds = text.content.kinds.iter().flat_map(|kind| &kind.tests);
    kinds.chain(text.content.cards.iter().flat_map(|card| &card.tests)).map(|test| test.span)
}

/// Returns the tests of cards and kinds at the wanted locations.
fn tests_of_cards(text: &GameText, wanted: impl Fn(Span) -> bool) -> Vec<ScenarioTest> {
    let kinds = text.content.kinds.iter().map(|kind| (&kind.id.text, &kind.tests));
    let cards = text.content.cards.iter().map(|card| (&card.id.text, &card.tests));
    let all = kinds.chain(cards).flat_map(|(owner, beside)| beside.iter().enumerate().map(move |(i, test)| (owner, i, beside.len(), test)));
    all.filter(|(.., test)| wanted(test.span) && (test.then.is_some() || test.refused.is_some()))
        .map(|(owner, i, count, test)| test_of_card(owner, i, count, test))
        .collect()
}

fn test_of_card(owner: &str, index: usize, count: usize, test: &CardTest) -> ScenarioTest {
    let name = match &test.name {
        Some(name) => format!("{owner}: {}", name.text),
        None if count > 1 => format!("{owner} #{}", index + 1),
        None => owner.to_string(),
    };
    ScenarioTest {
        name,
        given: test.given.clone(),
        when: test.when.clone(),
        then: test.then.clone(),
        refused: test.refused.clone(),
        players: test.players,
        seed: test.seed.unwrap_or(DEFAULT_SEED),
        options: test.options.clone(),
        without: Vec::new(),
        span: test.span,
    }
}

/// Returns the folder of a pack: relative to the file that names it, or else to the working directory.
pub(super) fn pack_folder(beside: &Path, pack: &str) -> PathBuf {
    let path = beside.join(pack);
    if !path.is_folder() {
        return PathBuf::from(pack);
    }
    // `tests/..` is shortened, unless `tests` is a symbolic link.
    let mut plain = PathBuf::new();
    for part in path.components() {
        let below = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        if part == Component::ParentDir && below {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    if Sources::real_path(&plain) == Sources::real_path(&path) { plain } else { path }
}

// ------------------------------------------------------------------ tests

/// Runs tests; results are in the order of the tests. If the game has errors, no test runs: failures would only be consequences of the
/// errors.
fn run_tests(sources: &Sources, text: Option<&GameText>, tests: Vec<ScenarioTest>, mut faults: Vec<Diagnostic>, report: &mut FileReport) {
    if let Some(text) = text {
        let mut checked = faults.clone();
        report_checked(text, &mut checked);
        if has_errors(&checked) {
            faults = checked;
        }
    }
    let Some(text) = text.filter(|_| !has_errors(&faults)) else {
        report.report(faults);
        return report.unrun.extend(tests.into_iter().map(|test| test.name));
    };
    report.report(faults);
    let (mut found, mut read_scripts) = (Vec::new(), false);
    for group in group_by_setup(text, tests) {
        let mut compiled = TestGame::new(text, &group);
        if let (Ok(of_group), false) = (&compiled, read_scripts) {
            // Problems of scripts are the same for all setups.
            read_scripts = true;
            let wrong = check_scripts(of_group.rules());
            if has_errors(&wrong) {
                compiled = Err(wrong);
                read_scripts = false;
            }
        }
        let ran = run_group(sources, &group, compiled, StopAfter::End);
        found.extend(ran.cases);
        report.unrun.extend(ran.unrun);
        report.report(ran.diagnostics);
    }
    found.sort_by_key(|(at, _)| *at);
    report.cases.extend(found.into_iter().map(|(_, case)| case));
}

#[cfg(test)]
mod tests;
