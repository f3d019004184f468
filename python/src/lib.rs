//! houserule for Python: loads games, plays them answer by answer, and plays many. What Python sees of it stands in
//! `houserule/_houserule.pyi`; environments and tables are made of it in Python.
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

mod comparison;
mod game;
mod games;
mod replay;
mod rules;

// The exceptions are Python's, since one of them is a `ValueError`, too.
pyo3::import_exception!(houserule.errors, InputError);
pyo3::import_exception!(houserule.errors, RulesError);
pyo3::import_exception!(houserule.errors, Fault);

/// A seat as rules, scenarios and tables name it.
fn seat_name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

/// Reads a whole number within bounds; whatever else it is, the message says what was meant.
fn whole(value: &Bound<'_, PyAny>, name: &str, least: u64, most: u64) -> PyResult<u64> {
    let python = value.py();
    let index = value.call_method0("__index__").ok().filter(|_| !value.is_instance_of::<PyBool>());
    let Some(index) = index else { return Err(PyTypeError::new_err(format!("`{name}` is a whole number, not {}", value.repr()?))) };
    match index.extract::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Err(fault) if !fault.is_instance_of::<PyOverflowError>(python) => Err(fault),
        Ok(_) | Err(_) => Err(InputError::new_err(format!("`{name}` is {index}; it goes from {least} to {most}"))),
    }
}

#[pymodule]
fn _houserule(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<game::Decision>()?;
    module.add_class::<game::Game>()?;
    module.add_function(wrap_pyfunction!(rules::load, module)?)?;
    module.add_function(wrap_pyfunction!(rules::reload, module)?)?;
    module.add_function(wrap_pyfunction!(rules::game_names, module)?)?;
    module.add_function(wrap_pyfunction!(game::restore, module)?)?;
    module.add_function(wrap_pyfunction!(replay::replay, module)?)?;
    module.add_function(wrap_pyfunction!(comparison::compare_json, module)?)?;
    module.add_function(wrap_pyfunction!(games::columns, module)?)
}
