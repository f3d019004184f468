//! A language server for rules, cards, packs and scenarios. Everything it knows comes from the definitions of the loaded game, the
//! grammar and the key tables.
//!
//! [`Server`] answers messages. The thread [`worker`] loads and checks games with the texts of open documents in place of the files:
//! first the game or pack that an edit belongs to, then the others. [`cache`] caches what was parsed from unchanged texts. Requests are
//! answered from the current text and the last [`analysis::Analysis`].
//!
//! Diagnostics do not flicker: those that only the second, slower pass of an analysis finds stay visible, attached to their line, until
//! the next second pass. A diagnostic that an edit resolves disappears with the first answer, even if it was also reported by other
//! packs; if one of them still finds it, it returns when that pack has been checked again.
#![warn(clippy::wildcard_enum_match_arm)]

mod actions;
pub mod analysis;
mod builtin_files;
pub mod cache;
mod capabilities;
mod complete;
mod define;
mod documents;
mod folding;
mod formatting;
mod highlight;
mod hover;
mod names;
mod place;
mod position;
mod rename;
mod report;
mod requests;
mod server;
mod signature;
mod symbols;
mod tables;
mod unsaved;
mod visible;
pub mod worker;

pub use builtin_files::MakeCopy;
pub use capabilities::capabilities;
pub use server::Server;
