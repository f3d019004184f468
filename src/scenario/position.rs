//! The position of a scenario as the start of a game.

use crate::cast;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::chance::report_unused;
use super::file::parse_scenarios;
use super::group::DEFAULT_PLAYERS;
use super::problem::ScenarioProblem;
use super::run::{DEFAULT_SEED, pack_folder, parse_extra_rules};
use super::trial::{Trial, fault_diagnostic};
use super::{given, when};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, Setup, open_reader};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::{FileId, Sources, Span};

/// A scenario from which a game can start.
#[derive(Clone, Debug, PartialEq)]
pub struct StartingScenario {
    /// Name of the scenario.
    pub name: String,
    /// Name of the game.
    pub game: String,
    /// Number of players, if the scenario sets it.
    pub players: Option<usize>,
    /// Seed of the random number generator.
    pub seed: u64,
    /// Options in command-line syntax.
    pub options: Vec<String>,
    /// Folders of packs.
    pub packs: Vec<PathBuf>,
    /// Variants and additional rules.
    pub with: Vec<String>,
    /// Lines that set up the position.
    pub given: Text,
    /// Lines with the moves to make.
    pub when: Text,
}

impl StartingScenario {
    /// Finds the scenario with a name. Without a name, the file must contain exactly one.
    ///
    /// # Errors
    /// Errors in the file, or a diagnostic that there is no such scenario.
    pub fn find(sources: &Sources, file: FileId, name: Option<&str>) -> Result<StartingScenario, Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let found = parse_scenarios(file, sources.text(file), &mut diagnostics);
        let Some(found) = found.filter(|_| diagnostics.is_empty()) else { return Err(diagnostics) };
        let whole = Span { file, start: 0, end: 0 };
        let names = || found.scenarios.iter().map(|scenario| scenario.name.text.as_str());
        let scenario = match (name, found.scenarios.as_slice()) {
            (None, [only]) => only,
            (None, _) => {
                let names = names().collect::<Vec<_>>().join(", ");
                return Err(vec![ScenarioProblem::Several { names }.at(whole)]);
            }
            (Some(name), all) => match all.iter().find(|scenario| scenario.name.text == name) {
                Some(found) => found,
                None => {
                    let (near, names) = (nearest(name, names()).map(String::from), names().collect::<Vec<_>>().join(", "));
                    return Err(vec![ScenarioProblem::NoScenario { name: name.to_string(), near, names }.at(whole)]);
                }
            },
        };
        let beside = Path::new(sources.name(file)).parent().map(Path::to_path_buf).unwrap_or_default();
        let empty = || Text { text: String::new(), span: scenario.span };
        Ok(StartingScenario {
            name: scenario.name.text.clone(),
            game: found.game.text.clone(),
            players: scenario.players.or(found.players).and_then(|players| usize::try_from(players).ok()),
            seed: scenario.seed.or(found.seed).unwrap_or(DEFAULT_SEED).cast_unsigned(),
            options: found.options.merged_with(&scenario.options).to_arguments(),
            packs: found.packs.iter().chain(&scenario.packs).map(|pack| pack_folder(&beside, &pack.text)).collect(),
            with: found.with.iter().chain(&scenario.with).map(|with| parse_extra_rules(sources, &beside, with).text).collect(),
            given: scenario.given.clone().unwrap_or_else(empty),
            when: scenario.when.clone().unwrap_or_else(empty),
        })
    }
}

/// Default number of players for scenarios of a game.
pub fn default_players(text: &GameText) -> usize {
    let (fewest, most) = text.players();
    cast::index(DEFAULT_PLAYERS).clamp(fewest, most)
}

/// Executes the lines of a scenario. Returns the rules, and the game at its next question.
///
/// # Errors
/// Errors in the lines or in the game.
pub fn position(text: &GameText, setup: &Setup, seed: u64, given: &Text, when: &Text) -> Result<(Arc<Ruleset>, Game), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let setup = Setup { every_piece: true, ..setup.clone() };
    let Some(mut reader) = open_reader(text, &setup, &mut diagnostics) else { return Err(diagnostics) };
    let rules = Arc::new(reader.rules().clone());
    let mut host = ScriptHost::new(&rules)?;
    let mut wrong = Vec::new();
    let mut trial = Trial::new(&mut reader, Arc::clone(&rules), &mut host, Game::new(&rules, seed));
    given::set_up_position(&mut trial, Some(given), given.span, &mut wrong);
    if wrong.is_empty() {
        trial.game.record_automatic_answers();
        when::execute_lines(&mut trial, Some(when), true, &mut wrong);
    }
    if wrong.is_empty() {
        report_unused(&trial, &mut wrong);
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    // Fixed random events and their locations are not part of the state.
    let saved = trial.game.save();
    let mut game = Game::default();
    game.on(&rules).load(&mut host, &saved).map_err(|fault| vec![*fault_diagnostic(&fault, given.span)])?;
    Ok((rules, game))
}
