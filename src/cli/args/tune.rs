//! Arguments of `houserule tune`.

use std::path::PathBuf;

use super::parse::parse_games;
use super::shared::{AgentArgs, RunArgs, SetupArgs};

/// Arguments of `houserule tune`.
#[derive(Debug, clap::Args)]
pub struct TuneArgs {
    /// The game
    pub game: String,
    /// What is varied, and among which values: `ADDRESS in 0..6`, `ADDRESS in 10..50 step 5`, `ADDRESS by -2..2` for what is there and so
    /// much more, `OPTION in WORD, WORD`, `CARD.KEY in 1..5`, `KEY where kind is KIND by -1..1`; may be given several times
    #[arg(long, value_name = "WHAT in VALUES", required = true, allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// What is aimed at: `MEASURE = VALUE`, `MEASURE = FROM..TO`, `seat shares = even`, `card shares = even`, `agent shares = even`; with
    /// `+- DISTANCE` for what is near enough; may be given several times
    #[arg(long, value_name = "MEASURE = VALUE", required = true)]
    pub target: Vec<String>,
    /// How many games in all: three fifths of them search, the others confirm
    #[arg(short = 'n', long = "games", default_value_t = 10000, value_parser = parse_games)]
    pub games: u64,
    /// How many of the settings that came nearest are played again, in fresh games
    #[arg(long, value_name = "SETTINGS", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=20))]
    pub best: u16,
    #[command(flatten)]
    pub changed: SetupArgs,
    #[command(flatten)]
    pub who: AgentArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Keeps the games of each setting in a file; if the file is there already, the search goes on behind the last of them
    #[arg(long, visible_alias = "resume", value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Writes the best setting: to a file that ends in .rules, as a variant for --with, or, where figures of cards are varied, to a folder, as a
    /// pack for --pack. What `tune` has written there before is replaced
    #[arg(long, value_name = "FILE|FOLDER")]
    pub write: Option<PathBuf>,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}
