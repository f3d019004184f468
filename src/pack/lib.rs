//! Games and packs on disk: cards in TOML, manifests, load order, and card overlays. This crate works on files and text; the meaning of
//! fields and the existence of names are checked later, against the rules.
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_numbers::compare;
pub(crate) use houserule_source::{diagnostic, disk, source};
pub(crate) use houserule_state as state;
pub(crate) use houserule_syntax as syntax;

mod builtin;
mod cards;
mod defaults;
mod each;
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
mod parser;
mod parts;
mod patch;
mod printed;
mod problem;
pub mod read;
pub mod schema;
mod selection;

pub use builtin::files as built_in_files;
pub use cards::{CardFile, PARTS, RawCard, RawKind, parse_cards};
pub use each::tables_of_cards;
pub use entries::{Amount, CardTest, EntryContent, EntryKind, Lifetime, Limit, RawEntry, Who, take_test};
pub use files::unreadable_path_error;
pub use keys::is_snake_case;
pub use load::{
    GameContent, Pack, games_below, has_manifest, hash_of_text, list_games, list_languages, load_game, load_game_with, misnamed_manifest,
};
pub use manifest::{LANGUAGE, Manifest, parse_manifest};
pub use names::{CARD_LANGUAGE, Translation, TranslationFile, Translations};
pub use options::ChosenOptions;
pub use overlay::{CardOverlay, Matches, apply_card_overlays};
pub use parser::{Announced, FileParser, ScenarioFileHead, SideBySide, Uncached, lists_equal_changes};
pub use parts::RawPart;
pub use patch::{CardTarget, Patch, Remove};
pub use printed::{open_layouts, open_stray_layouts};
pub use read::{Spanned, Text, TomlValue, read_table, read_valid_parts, tells_of_fraction};
pub use selection::Selection;
