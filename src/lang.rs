//! The rules language: text is cut and parsed to shapes, overlays are applied to the tree, declarations are collected, verbs are
//! matched against one table, names resolved, and everything compiled into a [`crate::engine::Ruleset`].

pub mod address;
pub mod ast;
mod cards;
mod circles;
pub mod compile;
mod containers;
pub mod cut;
mod declare;
mod fold;

pub(crate) mod expr;
mod names;
pub mod overlay;
pub mod parse;
mod phrase;
mod places;
mod program;
mod quantities;
mod scope;
mod stmt;
mod tokens;
pub mod verbs;
mod words;

pub use compile::{GameText, Setup, compile, load};
pub use scope::{Scope, Type};
