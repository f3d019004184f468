//! Help for editors: a language server for rules, cards, packs and scenarios. All that it knows comes from the definitions of the
//! loaded game, the grammar and the tables of keys.
//!
//! [`Server`] answers messages; [`worker`] loads and checks on a thread of its own, with the texts of open documents instead of the
//! files. What is asked is answered from the text as it is now and from the last [`analysis::Analysis`].
#![warn(clippy::wildcard_enum_match_arm)]

pub mod analysis;
mod complete;
mod define;
mod documents;
mod hover;
mod names;
mod place;
mod position;
mod rename;
mod report;
mod server;
mod symbols;
mod tables;
pub mod worker;

pub use server::{Server, capabilities};
