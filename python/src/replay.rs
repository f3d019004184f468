//! Games that were kept.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use houserule::source::Sources;
use houserule::table::{Session, parse_replay};
use pyo3::prelude::*;

use crate::game::Game;
use crate::rules::{Asked, Rules, load_asked, told};
use crate::{InputError, whole};

/// Plays a replay or a save again, and gives back its rules and the game.
#[pyfunction]
#[pyo3(signature = (path, at = None, root = None))]
pub fn replay(python: Python<'_>, path: PathBuf, at: Option<&Bound<'_, PyAny>>, root: Option<PathBuf>) -> PyResult<(Py<Rules>, Game)> {
    let mut sources = Sources::new();
    let file = sources.read_file(&path).map_err(|fault| InputError::new_err(format!("cannot read `{}`: {fault}", path.display())))?;
    let text = sources.text(file).to_string();
    let mut wrong = Vec::new();
    let kept = parse_replay(file, &text, &mut wrong).ok_or_else(|| told(&sources, &wrong))?;
    if let Some(from) = &kept.start.from {
        let message = format!("`{}` begins with the position of the scenario `{}`: `houserule replay` shows it", path.display(), from.name);
        return Err(InputError::new_err(message));
    }
    let count = kept.answers.len();
    let at = at.map(|at| whole(at, "at", 0, count as u64)).transpose()?.map_or(count, |at| at as usize);
    let start = &kept.start;
    let asked = Asked {
        game: start.game.clone(),
        players: start.players,
        changes: start.with.clone(),
        packs: start.packs.clone(),
        options: start.options.clone(),
        deal: start.deal.clone(),
        root,
    };
    let rules = load_asked(asked, Some(start.players))?;
    let begun = houserule::engine::Game::new(&rules.rules, start.seed);
    let mut session = Session::new(&rules.rules, begun).map_err(|faults| told(&rules.sources, &faults))?;
    // Beside the files of the game the places of messages are right.
    let mut sources = rules.sources.snapshot();
    let file = sources.add(path.display().to_string(), text.as_str());
    let kept = parse_replay(file, &text, &mut Vec::new()).unwrap_or(kept);
    kept.play_until(at, &mut session).map_err(|found| told(&sources, std::slice::from_ref(&*found)))?;
    let answers = session.answers().iter().map(|answer| answer.key.clone()).collect();
    let host = Rc::new(RefCell::new(rules.host()?));
    let game = session.game().clone();
    let rules = Py::new(python, rules)?;
    let game = Game::new_at(rules.clone_ref(python), game, host, true, answers);
    Ok((rules, game))
}
