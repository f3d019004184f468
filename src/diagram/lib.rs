//! Pictures of rules, as graphics (SVG) or as text that many pages draw by themselves (Mermaid).
//!
//! There are two shapes. An [`Outline`] is a list within lists: the phases of a round with their steps and actions ([`phases`]). [`Links`] are
//! three columns with lines between them: what raises which moment and which cards hear it ([`moments`]), and what brings and takes how
//! much of which resource ([`flows`]). What is drawn is read from the compiled rules, so that packs, variants and options are in it.
#![warn(clippy::wildcard_enum_match_arm)]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_lab::playtest;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_source::source;
pub(crate) use houserule_table as table;

mod flows;
mod links;
mod moments;
mod outline;
mod phases;
mod svg;

pub use flows::flows;
pub use links::Links;
pub use moments::moments;
pub use outline::Outline;
pub use phases::phases;
