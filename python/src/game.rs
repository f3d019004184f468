//! A game, answer by answer.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use houserule::agent::describe_view;
use houserule::engine::Ruleset;
use houserule::script::ScriptHost;
use houserule::why::Why;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::rules::{Rules, told};
use crate::{Fault, InputError, seat_name, whole};

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

/// Rules, seed, whether there is a log, and answers, for `pickle`.
type Packed = (Py<Rules>, u64, bool, Vec<String>);

/// A game of some rules by a seed.
#[pyclass(unsendable, module = "houserule")]
pub struct Game {
    loaded: Py<Rules>,
    rules: Arc<Ruleset>,
    game: houserule::engine::Game,
    /// Shared with copies: scripts keep nothing between two calls.
    scripts: Rc<RefCell<ScriptHost>>,
    /// What explains numbers, once it has been asked for; shared with copies.
    why: Rc<RefCell<Option<Why>>>,
    log: bool,
    /// The keys of the answers given so far.
    answers: Vec<String>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (rules, seed, *, log = false))]
    fn new(rules: &Bound<'_, Rules>, seed: &Bound<'_, PyAny>, log: bool) -> PyResult<Game> {
        let seed = whole(seed, "seed", 0, u64::MAX)?;
        let loaded = rules.get();
        let mut game = houserule::engine::Game::new(&loaded.rules, seed);
        if log {
            game.keep_log();
        }
        let scripts = Rc::new(RefCell::new(loaded.host()?));
        let mut game = Game::new_at(rules.clone().unbind(), game, scripts, log, Vec::new());
        game.go_on()?;
        Ok(game)
    }

    /// The same game once more, which goes on by itself.
    fn copy(&self, python: Python<'_>) -> Game {
        Game {
            loaded: self.loaded.clone_ref(python),
            rules: self.rules.clone(),
            game: self.game.clone(),
            scripts: self.scripts.clone(),
            why: self.why.clone(),
            log: self.log,
            answers: self.answers.clone(),
        }
    }

    fn __copy__(&self, python: Python<'_>) -> Game {
        self.copy(python)
    }

    fn __deepcopy__(&self, python: Python<'_>, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy(python)
    }

    fn __reduce__(&self, python: Python<'_>) -> PyResult<(Py<PyAny>, Packed)> {
        let module = python.import("houserule._houserule")?;
        let parts = (self.loaded.clone_ref(python), self.game.seed(), self.log, self.answers.clone());
        Ok((module.getattr("restore")?.unbind(), parts))
    }

    /// The rules that it is played by.
    #[getter]
    fn rules(&self, python: Python<'_>) -> Py<Rules> {
        self.loaded.clone_ref(python)
    }

    /// The seed from which it was begun.
    #[getter]
    fn seed(&self) -> u64 {
        self.game.seed()
    }

    /// The keys of all answers given so far.
    #[getter]
    fn answers(&self) -> Vec<String> {
        self.answers.clone()
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
    fn answer(&mut self, answer: &Bound<'_, PyAny>) -> PyResult<()> {
        let Some(decision) = self.game.decision() else {
            return Err(InputError::new_err("the game is over: nothing is asked"));
        };
        let count = decision.options.len();
        let chosen = if answer.is_instance_of::<PyString>() {
            let key: String = answer.extract()?;
            self.game.find_option(&self.rules, &key).ok_or_else(|| {
                let keys: Vec<String> = decision.options.iter().map(|option| option.text(&self.rules)).collect();
                InputError::new_err(format!("`{key}` is not offered; there are {}", keys.join(", ")))
            })?
        } else {
            let most = count.saturating_sub(1);
            match whole(answer, "answer", 0, u64::MAX) {
                Ok(index) if index <= most as u64 => index as usize,
                Err(fault) if !fault.is_instance_of::<InputError>(answer.py()) => return Err(fault),
                Ok(_) | Err(_) => return Err(InputError::new_err(format!("there is no option {answer}; they go from 0 to {most}"))),
            }
        };
        let key = decision.options.get(chosen).map_or(String::new(), |option| option.text(&self.rules));
        self.game.on(&self.rules).answer(&mut *self.scripts.borrow_mut(), chosen).map_err(|fault| fallen(&fault))?;
        self.answers.push(key);
        self.go_on()
    }

    /// Where a number comes from, or why an option is refused, as JSON; without a question what can be asked.
    #[pyo3(signature = (asked, seat = None))]
    fn why_json(&self, python: Python<'_>, asked: &str, seat: Option<&str>) -> PyResult<String> {
        let seat = match seat {
            Some(name) => self.seat(name)?,
            None => self.game.decision().map_or(0, |open| open.seat),
        };
        let mut opened = self.why.borrow_mut();
        if opened.is_none() {
            let loaded = self.loaded.bind(python).get();
            let mut diagnostics = Vec::new();
            let why = Why::open(&loaded.sources, &loaded.text, &loaded.setup, &mut diagnostics);
            *opened = Some(why.ok_or_else(|| told(&loaded.sources, &diagnostics))?);
        }
        let Some(why) = opened.as_mut() else { return Err(Fault::new_err("nothing can be explained")) };
        let said = if asked.is_empty() {
            serde_json::to_string(&why.subjects(&self.game, seat))
        } else {
            match why.ask(&self.game, seat, asked) {
                Ok(answer) => serde_json::to_string(&answer),
                Err(found) => {
                    let text = houserule::diagnostic::render::render(why.sources(), std::slice::from_ref(&*found), false);
                    return Err(InputError::new_err(text.trim_end().to_string()));
                }
            }
        };
        said.map_err(|fault| Fault::new_err(fault.to_string()))
    }

    /// What the seat that must decide sees, in words, as JSON; nothing once the game is over.
    fn view_json(&self) -> PyResult<Option<String>> {
        let view = self.game.view(&self.rules);
        let words = view.map(|view| serde_json::to_string(&describe_view(&self.rules, &view)));
        words.transpose().map_err(|fault| Fault::new_err(fault.to_string()))
    }

    /// What a seat sees, as 32-bit numbers; -1 stands for what it does not know.
    fn observe<'py>(&self, python: Python<'py>, seat: &str) -> PyResult<Bound<'py, PyBytes>> {
        let bytes: Vec<u8> = self.game.observe(&self.rules, self.seat(seat)?).into_iter().flat_map(i32::to_ne_bytes).collect();
        Ok(PyBytes::new(python, &bytes))
    }

    /// Points by seat, as if the game ended now, with all that is hidden.
    fn points(&mut self) -> Vec<(String, i64)> {
        (0..self.rules.players).map(|seat| (seat_name(seat), self.game.store(&self.rules).score(seat))).collect()
    }

    /// The rows of a seat's score.
    fn score(&mut self, seat: &str) -> PyResult<Vec<(String, i64)>> {
        let index = self.seat(seat)?;
        let names = self.rules.score.iter().map(|(name, _)| name.clone());
        Ok(names.zip(self.game.store(&self.rules).score_rows(index)).collect())
    }

    /// Who wins, as if the game ended now; several if nothing tells them apart.
    fn winners(&mut self) -> Vec<String> {
        self.game.store(&self.rules).winners().into_iter().map(seat_name).collect()
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
    /// A game of loaded rules as it stands after some answers.
    pub(crate) fn new_at(
        loaded: Py<Rules>,
        game: houserule::engine::Game,
        scripts: Rc<RefCell<ScriptHost>>,
        log: bool,
        answers: Vec<String>,
    ) -> Game {
        let rules = loaded.get().rules.clone();
        Game { loaded, rules, game, scripts, why: Rc::default(), log, answers }
    }

    fn seat(&self, name: &str) -> PyResult<usize> {
        let found = (0..self.rules.players).find(|&seat| seat_name(seat) == name);
        found.ok_or_else(|| InputError::new_err(format!("there is no seat `{name}`; there are p1 to p{}", self.rules.players)))
    }

    fn go_on(&mut self) -> PyResult<()> {
        self.game.on(&self.rules).advance(&mut *self.scripts.borrow_mut()).map(|_| ()).map_err(|fault| fallen(&fault))
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

/// A game that was pickled: begun again, with all its answers.
///
/// # Errors
/// `InputError` if an answer is not offered any more, `Fault` if it met one.
#[pyfunction]
pub fn restore(python: Python<'_>, rules: &Bound<'_, Rules>, seed: u64, log: bool, answers: Vec<String>) -> PyResult<Game> {
    let mut game = Game::new(rules, seed.into_pyobject(python)?.as_any(), log)?;
    for key in answers {
        game.answer(PyString::new(python, &key).as_any())?;
    }
    Ok(game)
}
