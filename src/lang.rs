//! The rules language: text is cut and parsed to shapes, overlays are applied to the tree, declarations are collected, verbs are
//! matched against one table, names resolved, and everything compiled into a [`crate::engine::Ruleset`].

pub mod address;
pub mod ast;
pub mod compile;
pub mod cut;
pub mod overlay;
pub mod parse;
pub mod syntax;
pub mod verbs;

pub mod defs;
pub mod reader;
pub mod setup;
pub mod typed;
pub mod types;

mod cards;
mod check;
mod checked;
mod collect;
mod content;
mod cycles;
mod containers;
mod declare;
mod entries;
pub(crate) mod expr;
mod layout;
mod lower;
mod memo;
mod names;
mod phrase;
mod places;
mod program;
mod quantities;
mod scope;
mod settle;
mod slots;
mod spoil;
mod stmt;
mod tokens;
mod words;

pub use compile::{GameText, Setup, compile, load};
pub use scope::{Scope, Type};
