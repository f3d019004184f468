//! Games on paper: sheets of cards and boards as PDF, and a page with all cards of a game.
//!
//! What is on a card is [`CardContent`], read from the TOML of a game. A [`Layout`] says where on the card it stands; it is text, too: a
//! default for every kind of every game, over which a game, its packs and a file on the command line may lay their own. [`Sheets`]
//! draws cards and boards as [`Mark`]s on pages, and [`write_pdf`] writes those. The same input gives the same bytes.
#![warn(clippy::wildcard_enum_match_arm)]

pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_scenario as scenario;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_table as table;

mod board;
mod card;
mod content;
mod fonts;
mod gallery;
mod layout;
mod marks;
mod pdf;
mod problem;
mod sheets;
mod since;
mod template;
mod text;

pub use content::{CardContent, PrintedFigure, ValuePart, contents_of};
pub use gallery::{Gallery, Played, gallery_page, played_of_json};
pub use layout::{KnownWords, Layout, RawLayout, default_layout, default_layout_text, parse_layout, resolve_layout, stray_layout};
pub use marks::{Color, Mark, Page};
pub use pdf::write_pdf;
pub use sheets::Sheets;
pub use since::{Change, SavedContents, changes_since, contents_of_json};
