//! houserule for Python: loads games, plays them answer by answer, and plays many. What Python sees of it stands in
//! `houserule/_houserule.pyi`; environments and tables are made of it in Python.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

mod game;
mod games;
mod rules;

create_exception!(_houserule, RulesError, PyException, "A game, a pack or a change that is not well written; the message says where.");
create_exception!(_houserule, Fault, PyException, "A rule or a card that met something impossible in a game, or a player that failed.");

/// A seat as rules, scenarios and tables name it.
fn seat_name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

#[pymodule]
fn _houserule(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("RulesError", module.py().get_type::<RulesError>())?;
    module.add("Fault", module.py().get_type::<Fault>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<game::Decision>()?;
    module.add_class::<game::Game>()?;
    module.add_function(wrap_pyfunction!(rules::load, module)?)?;
    module.add_function(wrap_pyfunction!(rules::game_names, module)?)?;
    module.add_function(wrap_pyfunction!(games::columns, module)?)
}
