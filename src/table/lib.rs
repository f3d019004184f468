//! Games played by people: what they see, what they may answer, the answers given, and how games are saved.
//!
//! Nothing here depends on a terminal. A [`Session`] is a game with the answers given so far; a [`SeatedSession`] adds a player at each
//! seat; a [`Replay`] is the text form of either. Everything shown is computed from the view of a seat
//! ([`houserule_agent::describe_view`]), so that nothing hidden can leak.
#![warn(clippy::wildcard_enum_match_arm)]

pub(crate) use houserule_agent as agent;
pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::cast;
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_scenario as scenario;
pub(crate) use houserule_script as script;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;

mod card;
mod change;
mod export;
mod facts;
mod gains;
mod lines;
mod options;
mod phrases;
mod picture;
mod price_notes;
mod prices;
mod refused;
mod replay;
mod scene;
mod seat_players;
mod session;
mod sheet;
mod standing;
mod values;
mod words;

pub use card::card_lines;
pub use card::value_text;
pub use change::{common_lines, option_changes};
pub use seat_players::{SeatPlayer, SeatedSession, StopReason, parse_seat_players, seat_players_of_file};

pub use export::scenario_of;
pub use facts::describe_differences;
pub use gains::gains_of;
pub use lines::{TextLine, block_lines, hidden_cards, section_lines, wrap};
pub use phrases::{LOG_PHRASES, Phrases, log_phrase};
pub use picture::{
    BoardDrawing, BoardLayout, BoardPicture, BoardShape, LegendLine, PicturePart, PictureSpace, ShapeColor, SignStyle, Signs, SvgUse,
    TextStyle, board_drawing, board_lines, board_picture, board_svg, escape_markup,
};
pub use refused::{RefusedAction, list_refused, why_not};

pub use options::{SceneOption, describe_spaces, scene_options};
pub use replay::{FinalResult, RecordedAnswer, Replay, Start, StartPosition, parse_replay};
pub use scene::{SceneCard, ScenePlace, SceneSection, SceneShape, scene};
pub use session::{AnswerFailure, GivenAnswer, Session, SkippedScript};
pub use sheet::{Cell, Section, SheetBlock, sheet, unused_places};
pub use standing::{SeatResult, seat_results};
pub use words::{CardFace, DisplayNames, Figure};
