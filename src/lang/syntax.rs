//! The rules language as a grammar and a tree: `grammar/rules.pest` names every construct, [`ast`] has a type for each.

pub mod address;
pub mod ast;
mod build;
mod message;
pub mod overlay;
#[cfg(test)]
mod print;
pub mod reference;
mod scan;
pub mod words;

pub(crate) use houserule_grammar as grammar;

pub use build::{parse_ask, parse_costs, parse_expr, parse_file, parse_file_at, parse_given, parse_then, parse_when};
pub use message::slip_in_claim;
