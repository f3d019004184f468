//! The grammar and the syntax tree of the rules language: `grammar/rules.pest` defines every construct, [`ast`] has a type for each.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_source::{diagnostic, source};

pub mod address;
pub mod ast;
mod build;
mod message;
pub mod overlay;
mod problem;
pub mod reference;
mod scan;
pub mod tokens;
pub mod words;

pub use houserule_grammar as grammar;

pub use build::{parse_ask, parse_costs, parse_expr, parse_file, parse_file_at, parse_given, parse_then, parse_when};
pub use message::misspelt_keyword_in_claim;
pub use problem::SyntaxProblem;

/// Returns the index of the seat with a name: `p2` is seat 1.
pub fn seat_number(word: &str) -> Option<usize> {
    let digits = word.strip_prefix('p')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<usize>().ok()?.checked_sub(1)
}
