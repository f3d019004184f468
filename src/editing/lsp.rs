//! Help for editors: a language server for rules, cards, packs and scenarios. All that it knows comes from the definitions of the
//! loaded game, the grammar and the tables of keys.
//!
//! [`Server`] answers messages; [`worker`] loads and checks on a thread of its own, with the texts of open documents instead of the
//! files, first what an edit is in and later the rest; [`kept`] is what it remembers of texts that have not changed. What is asked is
//! answered from the text as it is now and from the last [`analysis::Analysis`].
//!
//! What is shown never flickers: what only the second, slower pass of an analysis finds stays shown, in the line in which it stands,
//! until the next second pass says otherwise. What an edit mends goes with the first answer, also if other packs had found it, too;
//! what another pack still finds there comes back when that has been looked at.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod analysis;
mod complete;
mod define;
mod documents;
mod hover;
pub mod kept;
mod names;
mod place;
mod position;
mod rename;
mod report;
mod server;
mod standing;
mod symbols;
mod tables;
pub mod worker;

pub use server::{Server, capabilities};
