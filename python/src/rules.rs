//! Games by name, with packs, changes and options, as the command line takes them.

use std::path::PathBuf;
use std::sync::Arc;

use houserule::diagnostic::render::render;
use houserule::diagnostic::{Diagnostic, Severity};
use houserule::engine::Ruleset;
use houserule::lang::{self, GameText, Setup};
use houserule::pack;
use houserule::script::{ScriptHost, check_scripts};
use houserule::source::Sources;
use pyo3::prelude::*;

use crate::{InputError, RulesError, seat_name, whole};

/// Rules for a number of players and a choice of options.
#[pyclass(frozen, module = "houserule")]
pub struct Rules {
    pub(crate) rules: Arc<Ruleset>,
    /// What they were loaded from, to say where a number comes from.
    pub(crate) text: Arc<GameText>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) setup: Setup,
    /// How they were asked for, to load them again elsewhere.
    pub(crate) asked: Asked,
}

/// What `load` was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    pub(crate) game: String,
    pub(crate) players: usize,
    pub(crate) changes: Vec<String>,
    pub(crate) packs: Vec<PathBuf>,
    pub(crate) options: Vec<String>,
    pub(crate) deal: Vec<String>,
    pub(crate) root: Option<PathBuf>,
}

/// The same as a tuple, with the hash that the rules had, for `pickle`.
type Packed = (String, usize, Vec<String>, Vec<PathBuf>, Vec<String>, Vec<String>, Option<PathBuf>, String);

#[pymethods]
impl Rules {
    /// Id of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.rules.game
    }

    /// Its title.
    #[getter]
    fn title(&self) -> &str {
        &self.rules.title
    }

    /// The seats: `p1` and so on.
    #[getter]
    fn seats(&self) -> Vec<String> {
        (0..self.rules.players).map(seat_name).collect()
    }

    /// A hash of rules, cards and options.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.rules.hash)
    }

    /// The rows of the score.
    #[getter]
    fn score(&self) -> Vec<&str> {
        self.rules.score.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// How many numbers an observation has.
    #[getter]
    fn observation_size(&self) -> usize {
        self.rules.layout.len
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Packed)> {
        let module = slf.py().import("houserule._houserule")?;
        let this = slf.get();
        let Asked { game, players, changes, packs, options, deal, root } = this.asked.clone();
        Ok((module.getattr("reload")?.unbind(), (game, players, changes, packs, options, deal, root, this.hash())))
    }

    fn __repr__(&self) -> String {
        format!("<houserule.Rules {} for {} players, {}>", self.rules.game, self.rules.players, self.hash())
    }
}

impl Rules {
    /// What runs its scripts.
    pub(crate) fn host(&self) -> PyResult<ScriptHost> {
        ScriptHost::new(&self.rules).map_err(|faults| told(&Sources::new(), &faults))
    }
}

/// Diagnostics as an exception, as the command line shows them.
pub(crate) fn told(sources: &Sources, diagnostics: &[Diagnostic]) -> PyErr {
    RulesError::new_err(render(sources, diagnostics, false).trim_end().to_string())
}

/// The ids of the games inside the package, and of those below a folder.
#[pyfunction]
#[pyo3(signature = (root = None))]
pub fn game_names(root: Option<PathBuf>) -> Vec<String> {
    pack::list_games(root.as_deref())
}

/// Loads a game.
#[pyfunction]
#[pyo3(signature = (game, *, players = None, changes = Vec::new(), packs = Vec::new(), options = Vec::new(), deal = Vec::new(), root = None))]
pub fn load(
    game: &str,
    players: Option<&Bound<'_, PyAny>>,
    changes: Vec<String>,
    packs: Vec<PathBuf>,
    options: Vec<String>,
    deal: Vec<String>,
    root: Option<PathBuf>,
) -> PyResult<Rules> {
    let players = players.map(|players| whole(players, "players", 1, 64)).transpose()?.map(|players| players as usize);
    load_asked(Asked { game: game.to_string(), players: 0, changes, packs, options, deal, root }, players)
}

/// Loads rules that were pickled.
///
/// # Errors
/// `RulesError` if they are not the same any more.
#[pyfunction]
#[pyo3(signature = (game, players, changes, packs, options, deal, root, hash))]
#[allow(clippy::too_many_arguments, reason = "`pickle` hands over what `load` was asked for")]
pub fn reload(
    game: String,
    players: usize,
    changes: Vec<String>,
    packs: Vec<PathBuf>,
    options: Vec<String>,
    deal: Vec<String>,
    root: Option<PathBuf>,
    hash: &str,
) -> PyResult<Rules> {
    let rules = load_asked(Asked { game, players, changes, packs, options, deal, root }, Some(players))?;
    if rules.hash() == hash {
        return Ok(rules);
    }
    let message =
        format!("the rules of `{}` have changed since they were pickled: their hash was {hash} and is {}", rules.game(), rules.hash());
    Err(RulesError::new_err(message))
}

/// Loads a game as it was asked for.
pub(crate) fn load_asked(asked: Asked, players: Option<usize>) -> PyResult<Rules> {
    let root = asked.root.as_deref();
    let known = pack::list_games(root);
    if !known.contains(&asked.game) {
        return Err(InputError::new_err(format!("there is no game `{}`; there are {}", asked.game, known.join(", "))));
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, root, &asked.game, &asked.packs, &asked.changes, &mut diagnostics);
    let text = match text {
        Some(text) if sound(&diagnostics) => text,
        _ => return Err(told(&sources, &diagnostics)),
    };
    let players = text.resolve_player_count(players).map_err(InputError::new_err)?;
    let setup = Setup::read(players, &asked.options, &asked.deal).map_err(InputError::new_err)?;
    match lang::compile(&text, &setup, &mut diagnostics) {
        Some(rules) if sound(&diagnostics) => {
            let rules = Arc::new(rules);
            let wrong = check_scripts(&rules);
            if !sound(&wrong) {
                return Err(told(&sources, &wrong));
            }
            let asked = Asked { players, ..asked };
            Ok(Rules { rules, text: Arc::new(text), sources: Arc::new(sources), setup, asked })
        }
        _ => Err(told(&sources, &diagnostics)),
    }
}

/// Whether there is no error among them.
fn sound(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|found| found.severity != Severity::Error)
}
