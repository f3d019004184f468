//! The rules language as a grammar and a tree: `grammar/rules.pest` names every construct, [`ast`] has a type for each.

pub mod ast;
