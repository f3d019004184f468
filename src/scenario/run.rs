//! Runs scenarios and the tests that stand beside cards: a position is written, something is done, and what must hold is looked at.
//!
//! Tests with the same players and options share one compiled ruleset; lines are read into a copy of it that only grows, so
//! that compiled scripts stay valid.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use super::course::Test;
use super::file::{RawScenario, ScenarioFile, parse_scenarios};
pub use super::group::Case;
use super::group::{self, Begun, Until, by_setup, position_of, run_group, setup_of};
use super::problem::Problem;
use super::report::message;
use crate::diagnostic::{Diagnostic, has_errors, nearest};
use crate::engine::Game;
use crate::lang::{Further, GameText, ReadGame, Setup, load, tell_checked};
use crate::pack::{CardTest, Text};
use crate::script::check_scripts;
use crate::source::{FileId, Sources, Span};

/// The seed where nothing is said.
pub(super) const USUAL_SEED: i64 = 1;

/// All tests of a file, or of the cards of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// The file.
    pub name: String,
    /// Its tests in the order of writing.
    pub cases: Vec<Case>,
    /// The names of those that could not be run, because something is wrong with the files.
    pub unrun: Vec<String>,
    /// The names of those that are not asked, because they say themselves that they do not hold with a pack that is there, and do not.
    pub left_out: Vec<String>,
    /// The pack with which tests of its game are run once more: its folder.
    pub with_pack: Option<String>,
    /// What is wrong with the files themselves.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileReport {
    /// A report on nothing yet.
    pub fn new(name: impl Into<String>) -> FileReport {
        let (cases, unrun, left_out, diagnostics) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        FileReport { name: name.into(), cases, unrun, left_out, with_pack: None, diagnostics }
    }

    /// Adds what is wrong with a file once, however many setups and tests it has.
    fn report(&mut self, found: Vec<Diagnostic>) {
        for found in found {
            if !self.diagnostics.contains(&found) {
                self.diagnostics.push(found);
            }
        }
    }
}

/// What is added to a game for all tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Besides<'a> {
    /// Folders of packs.
    pub packs: &'a [PathBuf],
    /// Variants and further rules.
    pub with: &'a [String],
}

/// A game with packs as it has been read, with what is wrong with it.
#[derive(Debug)]
struct Known {
    root: Option<PathBuf>,
    game: String,
    packs: Vec<PathBuf>,
    read: Option<ReadGame>,
    faults: Vec<Diagnostic>,
}

/// Games that have been read, so that several files of scenarios read each but once.
#[derive(Debug, Default)]
pub struct KnownGames {
    games: Vec<Known>,
}

impl KnownGames {
    fn read(&mut self, sources: &mut Sources, root: Option<&Path>, game: &str, packs: &[PathBuf]) -> Option<&Known> {
        let is_it = |known: &Known| known.root.as_deref() == root && known.game == game && known.packs == packs;
        let at = self.games.iter().position(is_it).unwrap_or_else(|| {
            let mut faults = Vec::new();
            let read = ReadGame::read(sources, root, game, packs, &mut faults);
            let (root, game) = (root.map(Path::to_path_buf), game.to_string());
            self.games.push(Known { root, game, packs: packs.to_vec(), read, faults });
            self.games.len() - 1
        });
        self.games.get(at)
    }
}

/// Runs the scenarios of a file. `besides` is added to what they name themselves.
pub fn run_file(sources: &mut Sources, root: Option<&Path>, file: FileId, besides: Besides<'_>) -> FileReport {
    run_file_of(sources, root, file, besides, &mut KnownGames::default())
}

/// Runs the scenarios of a file as [`run_file`] does; a game that is known is not read again.
pub fn run_file_of(sources: &mut Sources, root: Option<&Path>, file: FileId, besides: Besides<'_>, known: &mut KnownGames) -> FileReport {
    let mut report = FileReport::new(sources.name(file));
    let text = sources.text(file).to_string();
    let Some(found) = parse_scenarios(file, &text, &mut report.diagnostics) else { return report };
    report.unrun.extend(found.scenarios.iter().filter(|scenario| scenario.faulty).map(|scenario| scenario.name.text.clone()));
    for Plan { packs, with, tests } in planned(sources, &found, besides) {
        let Some(Known { read, faults, .. }) = known.read(sources, root, &found.game.text, &packs) else { return report };
        let loaded: Vec<String> = read.iter().flat_map(ReadGame::packs).map(str::to_string).collect();
        let is_without = |test: &Test| test.without.iter().any(|pack| loaded.contains(&pack.text));
        let mut faults = faults.clone();
        let game = read.as_ref().map(|read| read.with(sources, &with, &mut faults));
        let (left_out, tests): (Vec<Test>, Vec<Test>) = tests.into_iter().partition(is_without);
        if !tests.is_empty() {
            run_tests(sources, game.as_ref(), tests, faults.clone(), &mut report);
        }
        leave_out(sources, game.as_ref(), left_out, (faults, &loaded), &mut report);
    }
    // In the order of writing, however many games they were played in.
    let place = |case: &Case| found.scenarios.iter().position(|scenario| scenario.span == case.span).unwrap_or(usize::MAX);
    report.cases.sort_by_key(place);
    report
}

/// Scenarios that say that they do not hold with a pack which is there are left out. They are run all the same: one that holds says so in vain.
fn leave_out(
    sources: &Sources,
    text: Option<&GameText>,
    tests: Vec<Test>,
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
        let wrong = in_vain.map(|pack| Problem::HoldsWith { pack: pack.text.clone() }.at(pack.span));
        let message = message(sources, &wrong.collect::<Vec<_>>(), &[]);
        report.cases.push(Case { passed: false, message, ..case.clone() });
    }
}

/// So many scenarios are named where one is missing.
const MOST_NAMED: usize = 8;

/// Where a game stands behind `given` and `when` of a scenario.
#[derive(Debug)]
pub struct Position {
    /// The rules and cards.
    pub text: GameText,
    /// Players and options.
    pub setup: Setup,
    /// The game.
    pub game: Game,
}

/// Writes the position of a scenario and does what its `when` says; what its `then` says is not asked. Without a name it is that of the only
/// scenario of the file.
///
/// # Errors
/// What is wrong with the file, with the scenario, or with its name.
pub fn position(
    sources: &mut Sources,
    root: Option<&Path>,
    (file, name): (FileId, Option<&str>),
    besides: Besides<'_>,
) -> Result<Position, Vec<Diagnostic>> {
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
        let mut quoted: Vec<String> = names().take(MOST_NAMED).map(|name| format!("\"{name}\"")).collect();
        let more = names().count().saturating_sub(MOST_NAMED);
        quoted.extend((more > 0).then(|| format!("and {more} more")));
        let quoted = quoted.join(", ");
        let wrong = match name {
            Some(name) => {
                let near = nearest(name, names()).map(String::from);
                Problem::NoScenarioOf { file, name: name.to_string(), near, names: quoted }
            }
            None => Problem::SeveralOf { file, names: quoted },
        };
        return Err(vec![wrong.at(None)]);
    };
    // What is only refused, or tests nothing, has a position all the same.
    let wanted = RawScenario { then: Some(scenario.name.clone()), faulty: false, ..scenario.clone() };
    let one = ScenarioFile { scenarios: vec![wanted], ..found.clone() };
    let Some(Plan { packs, with, mut tests }) = planned(sources, &one, besides).pop() else { return Err(diagnostics) };
    let read = ReadGame::read(sources, root, &found.game.text, &packs, &mut diagnostics);
    let Some(text) = read.map(|read| read.with(sources, &with, &mut diagnostics)) else { return Err(diagnostics) };
    let Some(test) = tests.pop().filter(|_| !has_errors(&diagnostics)) else { return Err(diagnostics) };
    let setup = setup_of(&text, &test);
    match position_of(&text, &setup, &test) {
        Ok(game) => Ok(Position { text, setup, game }),
        Err(wrong) => Err(wrong),
    }
}

/// Tests that are played with the same packs and further rules.
pub(super) struct Plan {
    /// Folders of packs.
    pub packs: Vec<PathBuf>,
    /// Further rules.
    pub with: Vec<Further>,
    /// The tests.
    pub tests: Vec<Test>,
}

/// The tests of a file by the packs and further rules that they want.
pub(super) fn planned(sources: &Sources, found: &ScenarioFile, besides: Besides<'_>) -> Vec<Plan> {
    let beside = Path::new(sources.name(found.game.span.file)).parent().map(Path::to_path_buf).unwrap_or_default();
    let mut plans: Vec<Plan> = Vec::new();
    for scenario in found.scenarios.iter().filter(|scenario| !scenario.faulty) {
        let mut packs: Vec<PathBuf> = found.packs.iter().chain(&scenario.packs).map(|pack| near(&beside, &pack.text)).collect();
        let new = |pack: &&PathBuf| !packs.iter().any(|known| Sources::real_path(known) == Sources::real_path(pack));
        let more: Vec<PathBuf> = besides.packs.iter().filter(new).cloned().collect();
        packs.extend(more);
        let written = found.with.iter().chain(&scenario.with).map(|with| further(sources, &beside, with));
        let typed = besides.with.iter().map(|text| Further { text: text.clone(), at: None });
        let with: Vec<Further> = written.chain(typed).collect();
        let at = plans.iter().position(|plan| plan.packs == packs && plan.with == with).unwrap_or_else(|| {
            plans.push(Plan { packs, with, tests: Vec::new() });
            plans.len() - 1
        });
        plans[at].tests.push(of_scenario(found, scenario));
    }
    plans
}

fn of_scenario(file: &ScenarioFile, scenario: &RawScenario) -> Test {
    Test {
        name: scenario.name.text.clone(),
        given: scenario.given.clone(),
        when: scenario.when.clone(),
        then: scenario.then.clone(),
        refused: scenario.refused.clone(),
        players: scenario.players.or(file.players),
        seed: scenario.seed.or(file.seed).unwrap_or(USUAL_SEED),
        options: file.options.overridden_by(&scenario.options),
        without: scenario.without.clone(),
        span: scenario.span,
    }
}

/// What a scenario names in `with`: a file lies beside it, or from where one is.
pub(super) fn further(sources: &Sources, beside: &Path, with: &Text) -> Further {
    let path = beside.join(&with.text);
    let text = if with.text.ends_with(".rules") && path.is_file() { path.display().to_string() } else { with.text.clone() };
    // Where something in the text is escaped its places are not those of the file.
    let at = (sources.slice(with.span) == with.text).then_some(with.span);
    Further { text, at }
}

/// Runs every test that stands beside a card or a kind of a game and of the packs.
pub fn run_card_tests(sources: &mut Sources, root: Option<&Path>, game: &str, besides: Besides<'_>) -> FileReport {
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

/// Runs every test that stands beside what packs say of cards and kinds, also in patches of the game's.
pub fn run_pack_tests(sources: &mut Sources, root: Option<&Path>, game: &str, besides: Besides<'_>) -> FileReport {
    let names = besides.packs.iter().map(|pack| pack.display().to_string()).collect::<Vec<_>>().join(" and ");
    let (mut report, mut faults) = (FileReport::new(format!("cards of {names}")), Vec::new());
    match tests_of_packs(sources, root, game, besides, &mut faults) {
        Some((text, tests)) => run_tests(sources, Some(&text), tests, faults, &mut report),
        None => report.report(faults),
    }
    report
}

/// The tests beside the cards and kinds of a game without packs: a pack may change what a card of the game itself meets, so that its
/// test says nothing about it.
pub(super) fn tests_of_game(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    with: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(GameText, Vec<Test>)> {
    let text = load(sources, root, game, &[], with, diagnostics)?;
    let tests = tests_of_cards(&text, |_| true);
    Some((text, tests))
}

/// The tests beside what packs say of cards and kinds.
pub(super) fn tests_of_packs(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    besides: Besides<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(GameText, Vec<Test>)> {
    let Besides { packs, with } = besides;
    let text = load(sources, root, game, packs, with, diagnostics)?;
    let by_itself = load(sources, root, game, &[], with, &mut Vec::new())?;
    let files: BTreeSet<String> = places_of_tests(&by_itself).map(|span| sources.name(span.file).to_string()).collect();
    let tests = tests_of_cards(&text, |span| !files.contains(sources.name(span.file)));
    Some((text, tests))
}

/// Which lines cannot be read in the tests beside cards and kinds that stand at places that are wanted. What they say is not done: whether it
/// holds is another question.
pub fn unreadable_tests(text: &GameText, wanted: impl Fn(Span) -> bool) -> Vec<Diagnostic> {
    by_setup(text, tests_of_cards(text, wanted)).iter().flat_map(|group| group::unreadable(text, group)).collect()
}

fn places_of_tests(text: &GameText) -> impl Iterator<Item = Span> {
    let kinds = text.content.kinds.iter().flat_map(|kind| &kind.tests);
    kinds.chain(text.content.cards.iter().flat_map(|card| &card.tests)).map(|test| test.span)
}

/// The tests beside cards and kinds that stand at places that are wanted.
fn tests_of_cards(text: &GameText, wanted: impl Fn(Span) -> bool) -> Vec<Test> {
    let kinds = text.content.kinds.iter().map(|kind| (&kind.id.text, &kind.tests));
    let cards = text.content.cards.iter().map(|card| (&card.id.text, &card.tests));
    let all = kinds.chain(cards).flat_map(|(owner, beside)| beside.iter().enumerate().map(move |(i, test)| (owner, i, beside.len(), test)));
    all.filter(|(.., test)| wanted(test.span) && (test.then.is_some() || test.refused.is_some()))
        .map(|(owner, i, count, test)| of_card(owner, i, count, test))
        .collect()
}

fn of_card(owner: &str, index: usize, count: usize, test: &CardTest) -> Test {
    let name = match &test.name {
        Some(name) => format!("{owner}: {}", name.text),
        None if count > 1 => format!("{owner} #{}", index + 1),
        None => owner.to_string(),
    };
    Test {
        name,
        given: test.given.clone(),
        when: test.when.clone(),
        then: test.then.clone(),
        refused: test.refused.clone(),
        players: test.players,
        seed: test.seed.unwrap_or(USUAL_SEED),
        options: test.options.clone(),
        without: Vec::new(),
        span: test.span,
    }
}

/// A pack's folder: beside the file that names it, or from where one is.
pub(super) fn near(beside: &Path, pack: &str) -> PathBuf {
    let path = beside.join(pack);
    if !path.is_dir() {
        return PathBuf::from(pack);
    }
    // `tests/..` is told as what it is, unless a link leads elsewhere.
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

/// Runs tests; the cases stand in the order of the tests. A game with a fault is not tried: what its tests would say follows from the
/// fault, which is told once.
fn run_tests(sources: &Sources, text: Option<&GameText>, tests: Vec<Test>, mut faults: Vec<Diagnostic>, report: &mut FileReport) {
    if let Some(text) = text {
        let mut checked = faults.clone();
        tell_checked(text, &mut checked);
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
    for group in by_setup(text, tests) {
        let mut begun = Begun::new(text, &group);
        if let (Ok(of_group), false) = (&begun, read_scripts) {
            // Scripts are the same for all setups, and so is what is wrong with them.
            read_scripts = true;
            let wrong = check_scripts(of_group.rules());
            if has_errors(&wrong) {
                begun = Err(wrong);
                read_scripts = false;
            }
        }
        let ran = run_group(sources, &group, begun, Until::End);
        found.extend(ran.cases);
        report.unrun.extend(ran.unrun);
        report.report(ran.diagnostics);
    }
    found.sort_by_key(|(at, _)| *at);
    report.cases.extend(found.into_iter().map(|(_, case)| case));
}

#[cfg(test)]
mod tests;
