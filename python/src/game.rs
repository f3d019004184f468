//! A game, answer by answer.

use std::sync::Arc;

use houserule::agent::describe_view;
use houserule::engine::Ruleset;
use houserule::script::ScriptHost;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::rules::Rules;
use crate::{Fault, seat_name};

/// A question to a seat.
#[pyclass(frozen, get_all, module = "houserule")]
pub struct Decision {
    /// Who decides: `p1` and so on.
    seat: String,
    /// What is asked, a stable id.
    question: String,
    /// The keys of the answers; at least one.
    options: Vec<String>,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        format!("<houserule.Decision {} {}: {}>", self.seat, self.question, self.options.join(", "))
    }
}

/// An answer: the key of an option, or its index.
#[derive(FromPyObject)]
pub enum Answer {
    /// By its index.
    Index(usize),
    /// By its key.
    Key(String),
}

/// A game of some rules by a seed.
#[pyclass(unsendable, module = "houserule")]
pub struct Game {
    rules: Arc<Ruleset>,
    game: houserule::engine::Game,
    scripts: ScriptHost,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, seed, *, log = false))]
    fn new(rules: &Rules, seed: u64, log: bool) -> PyResult<Game> {
        let mut game = Game { rules: rules.rules.clone(), game: houserule::engine::Game::new(&rules.rules, seed), scripts: rules.host()? };
        if log {
            game.game.keep_log();
        }
        game.go_on()?;
        Ok(game)
    }

    /// The open question; nothing once the game is over.
    fn decision(&self) -> Option<Decision> {
        self.game.decision().map(|decision| Decision {
            seat: seat_name(decision.seat),
            question: decision.question.text(&self.rules),
            options: decision.options.iter().map(|option| option.text(&self.rules)).collect(),
        })
    }

    /// Answers it and goes on to the next question.
    fn answer(&mut self, answer: Answer) -> PyResult<()> {
        let Some(decision) = self.game.decision() else {
            return Err(PyValueError::new_err("the game is over: nothing is asked"));
        };
        let count = decision.options.len();
        let chosen = match answer {
            Answer::Index(index) if index < count => index,
            Answer::Index(index) => {
                return Err(PyValueError::new_err(format!("there is no option {index}; they go from 0 to {}", count - 1)));
            }
            Answer::Key(key) => self.game.find_option(&self.rules, &key).ok_or_else(|| {
                let keys: Vec<String> = decision.options.iter().map(|option| option.text(&self.rules)).collect();
                PyValueError::new_err(format!("`{key}` is not offered; there are {}", keys.join(", ")))
            })?,
        };
        self.game.on(&self.rules).answer(&mut self.scripts, chosen).map_err(|fault| fallen(&fault))?;
        self.go_on()
    }

    /// What the seat that must decide sees, in words, as JSON; nothing once the game is over.
    fn view_json(&self) -> PyResult<Option<String>> {
        let view = self.game.view(&self.rules);
        let words = view.map(|view| serde_json::to_string(&describe_view(&self.rules, &view)));
        words.transpose().map_err(|fault| PyValueError::new_err(fault.to_string()))
    }

    /// What a seat sees, as 32-bit numbers; -1 stands for what it does not know.
    fn observe<'py>(&self, python: Python<'py>, seat: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes: Vec<u8> = self.game.observe(&self.rules, self.seat(seat)?).into_iter().flat_map(i32::to_ne_bytes).collect();
        Ok(PyBytes::new(python, &bytes))
    }

    /// Points by seat, as if the game ended now, with all that is hidden.
    fn points(&mut self) -> Vec<(String, i64)> {
        (0..self.rules.players).map(|seat| (seat_name(seat), self.game.on(&self.rules).score(seat))).collect()
    }

    /// The rows of a seat's score.
    fn score(&mut self, seat: &str) -> PyResult<Vec<(String, i64)>> {
        let index = self.seat(seat)?;
        let names = self.rules.score.iter().map(|(name, _)| name.clone());
        Ok(names.zip(self.game.on(&self.rules).score_rows(index)).collect())
    }

    /// Who wins, as if the game ended now; several if nothing tells them apart.
    fn winners(&mut self) -> Vec<String> {
        self.game.on(&self.rules).winners().into_iter().map(seat_name).collect()
    }

    /// Whether the game is over.
    #[getter]
    fn finished(&self) -> bool {
        self.game.finished()
    }

    /// The round, from 1; 0 during set-up.
    #[getter]
    fn round(&self) -> i32 {
        self.game.round()
    }

    /// What has happened, line by line, if it is kept.
    #[getter]
    fn log(&self) -> Vec<String> {
        self.game.log().to_vec()
    }

    fn __repr__(&self) -> String {
        format!("<houserule.Game {} in round {}>", self.rules.game, self.game.round())
    }
}

impl Game {
    fn seat(&self, name: &str) -> PyResult<usize> {
        let found = (0..self.rules.players).find(|&seat| seat_name(seat) == name);
        found.ok_or_else(|| PyValueError::new_err(format!("there is no seat `{name}`; there are p1 to p{}", self.rules.players)))
    }

    fn go_on(&mut self) -> PyResult<()> {
        self.game.on(&self.rules).advance(&mut self.scripts).map(|_| ()).map_err(|fault| fallen(&fault))
    }
}

/// A fault as an exception, with the frames in which it happened.
fn fallen(fault: &houserule::engine::Fault) -> PyErr {
    let mut message = fault.to_string();
    for (frame, _) in fault.trace.iter().flat_map(|trace| &trace.frames).filter(|(frame, _)| !frame.is_empty()) {
        message.push_str("\n  in ");
        message.push_str(frame);
    }
    Fault::new_err(message)
}
