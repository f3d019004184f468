//! The parser that pest makes from `grammar/rules.pest` and `grammar/scenario.pest`.

// What pest generates has no doc comments.
#![allow(missing_docs)]

/// Reads the constructs of the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/rules.pest"]
#[grammar = "grammar/scenario.pest"]
pub struct Grammar;
