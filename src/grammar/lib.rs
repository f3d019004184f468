//! The parser that pest makes from `grammar/rules.pest` and `grammar/scenario.pest`, and nothing else.

#![forbid(unsafe_code)]

/// Reads the constructs of the grammar. `Rule` has a variant for each of its rules.
#[derive(pest_derive::Parser)]
#[grammar = "../../grammar/rules.pest"]
#[grammar = "../../grammar/scenario.pest"]
pub struct Grammar;
