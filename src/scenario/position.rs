//! The position of a scenario, to be played on from.

use crate::cast;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::chance::never_came;
use super::file::parse_scenarios;
use super::group::USUAL_PLAYERS;
use super::problem::Problem;
use super::run::{USUAL_SEED, further, near};
use super::trial::{Trial, faulted};
use super::{given, when};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, Setup, open};
use crate::pack::Text;
use crate::script::ScriptHost;
use crate::source::{FileId, Sources, Span};

/// A scenario, as what a game begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct Beginning {
    /// What it is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// How many play, if it says so.
    pub players: Option<usize>,
    /// The seed.
    pub seed: u64,
    /// Options, as they are typed.
    pub options: Vec<String>,
    /// Folders of packs.
    pub packs: Vec<PathBuf>,
    /// Variants and further rules.
    pub with: Vec<String>,
    /// How the game stands.
    pub given: Text,
    /// What is done then.
    pub when: Text,
}

impl Beginning {
    /// The scenario of this name in a file, or the only one.
    ///
    /// # Errors
    /// What is wrong with the file, or that there is no such scenario in it.
    pub fn find(sources: &Sources, file: FileId, name: Option<&str>) -> Result<Beginning, Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let found = parse_scenarios(file, sources.text(file), &mut diagnostics);
        let Some(found) = found.filter(|_| diagnostics.is_empty()) else { return Err(diagnostics) };
        let whole = Span { file, start: 0, end: 0 };
        let names = || found.scenarios.iter().map(|scenario| scenario.name.text.as_str());
        let scenario = match (name, found.scenarios.as_slice()) {
            (None, [only]) => only,
            (None, _) => {
                let names = names().collect::<Vec<_>>().join(", ");
                return Err(vec![Problem::Several { names }.at(whole)]);
            }
            (Some(name), all) => match all.iter().find(|scenario| scenario.name.text == name) {
                Some(found) => found,
                None => {
                    let (near, names) = (nearest(name, names()).map(String::from), names().collect::<Vec<_>>().join(", "));
                    return Err(vec![Problem::NoScenario { name: name.to_string(), near, names }.at(whole)]);
                }
            },
        };
        let beside = Path::new(sources.name(file)).parent().map(Path::to_path_buf).unwrap_or_default();
        let empty = || Text { text: String::new(), span: scenario.span };
        Ok(Beginning {
            name: scenario.name.text.clone(),
            game: found.game.text.clone(),
            players: scenario.players.or(found.players).and_then(|players| usize::try_from(players).ok()),
            seed: scenario.seed.or(found.seed).unwrap_or(USUAL_SEED).cast_unsigned(),
            options: found.options.overridden_by(&scenario.options).typed(),
            packs: found.packs.iter().chain(&scenario.packs).map(|pack| near(&beside, &pack.text)).collect(),
            with: found.with.iter().chain(&scenario.with).map(|with| further(sources, &beside, with).text).collect(),
            given: scenario.given.clone().unwrap_or_else(empty),
            when: scenario.when.clone().unwrap_or_else(empty),
        })
    }
}

/// How many play where a scenario of a game says nothing of it.
pub fn usual_players(text: &GameText) -> usize {
    let (fewest, most) = text.players();
    cast::index(USUAL_PLAYERS).clamp(fewest, most)
}

/// A game as lines of a scenario leave it, at the question that comes next, and the rules by which it goes on.
///
/// # Errors
/// What is wrong with the lines, or with the game.
pub fn position(text: &GameText, setup: &Setup, seed: u64, given: &Text, when: &Text) -> Result<(Arc<Ruleset>, Game), Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let setup = Setup { every_piece: true, ..setup.clone() };
    let Some(mut reader) = open(text, &setup, &mut diagnostics) else { return Err(diagnostics) };
    let rules = Arc::new(reader.rules().clone());
    let mut host = ScriptHost::new(&rules)?;
    let mut wrong = Vec::new();
    let mut trial = Trial::new(&mut reader, Arc::clone(&rules), &mut host, Game::new(&rules, seed));
    given::write(&mut trial, Some(given), given.span, &mut wrong);
    if wrong.is_empty() {
        trial.game.keep_taken();
        when::act(&mut trial, Some(when), true, &mut wrong);
    }
    if wrong.is_empty() {
        never_came(&trial, &mut wrong);
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    // What lines have fixed and what is told of them is no part of the state.
    let saved = trial.game.save();
    let mut game = Game::default();
    game.on(&rules).load(&mut host, &saved).map_err(|fault| vec![*faulted(&fault, given.span)])?;
    Ok((rules, game))
}
