//! Games and packs on disk: TOML cards as they are written, manifests, load order, and overlays of cards. Knows files
//! and text, not the rules: what a field means and whether a name exists is checked by those who know the ruleset.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::compare;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;
pub(crate) use houserule_syntax as syntax;

mod builtin;
mod cards;
mod defaults;
mod entries;
mod files;
mod forms;
pub mod keys;
mod like;
mod load;
mod manifest;
mod name;
mod names;
pub mod options;
mod order;
mod overlay;
mod parts;
mod patch;
mod problem;
pub mod read;
mod reading;
pub mod schema;
mod selection;

pub use cards::{CardFile, RawCard, RawKind, parse_cards};
pub use entries::{Amount, CardTest, Entry, EntryKind, EntryWho, Limit, Period, Says, take_test};
pub use files::unreadable;
pub use keys::is_snake_case;
pub use load::{
    GameContent, Pack, games, games_below, has_manifest, hash_of_text, languages, load_game, load_game_with, misnamed_manifest,
};
pub use manifest::{LANGUAGE, Manifest, parse_manifest};
pub use names::{Named, Names, NamesFile, ON_CARDS};
pub use options::Choice;
pub use overlay::{CardOverlay, Matches, apply_card_overlays};
pub use parts::EntryPart;
pub use patch::{Patch, Remove, Target};
pub use read::{Spanned, Text, Value, read_sound, read_table};
pub use reading::{Anew, Head, Reading};
pub use selection::Selection;
