//! The parser that pest makes from `grammar/rules.pest`.

// What pest generates has no doc comments.
#![allow(missing_docs)]

/// Reads the constructs of the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/rules.pest"]
pub struct Grammar;
