//! Games by name, with packs, changes and options, as the command line takes them.

use std::path::PathBuf;
use std::sync::Arc;

use houserule::diagnostic::render::render;
use houserule::diagnostic::{Diagnostic, Severity};
use houserule::engine::Ruleset;
use houserule::lang::{self, Setup};
use houserule::pack;
use houserule::script::{ScriptHost, check_scripts};
use houserule::source::Sources;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::{RulesError, seat_name};

/// Rules for a number of players and a choice of options.
#[pyclass(frozen, module = "houserule")]
pub struct Rules {
    pub(crate) rules: Arc<Ruleset>,
}

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
    players: Option<usize>,
    changes: Vec<String>,
    packs: Vec<PathBuf>,
    options: Vec<String>,
    deal: Vec<String>,
    root: Option<PathBuf>,
) -> PyResult<Rules> {
    let known = pack::list_games(root.as_deref());
    if !known.iter().any(|name| name == game) {
        return Err(PyValueError::new_err(format!("there is no game `{game}`; there are {}", known.join(", "))));
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, root.as_deref(), game, &packs, &changes, &mut diagnostics);
    let text = match text {
        Some(text) if sound(&diagnostics) => text,
        _ => return Err(told(&sources, &diagnostics)),
    };
    let players = text.resolve_player_count(players).map_err(PyValueError::new_err)?;
    let setup = Setup::read(players, &options, &deal).map_err(PyValueError::new_err)?;
    match lang::compile(&text, &setup, &mut diagnostics) {
        Some(rules) if sound(&diagnostics) => {
            let rules = Arc::new(rules);
            let wrong = check_scripts(&rules);
            if sound(&wrong) { Ok(Rules { rules }) } else { Err(told(&sources, &wrong)) }
        }
        _ => Err(told(&sources, &diagnostics)),
    }
}

/// Whether there is no error among them.
fn sound(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|found| found.severity != Severity::Error)
}
