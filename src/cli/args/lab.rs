//! Arguments of the commands that play many games.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::ArgPredicate;

use super::parse::{parse_even, parse_games, parse_seconds};
use super::shared::{AgentArgs, KeptArgs, OutputArgs, RunArgs, SetupArgs};

/// Default agents of a ladder, by strength.
const DEFAULT_LADDER: &str = "random,greedy,search:20,search:80,search:320";
/// Default participants of a tournament.
const DEFAULT_FIELD: &str = "random,greedy,search:100";
/// Default number of games of each lesson and of each generation of `houserule train`.
pub const DEFAULT_GAMES: u64 = 200;
/// Default number of lessons of `houserule train`.
pub const DEFAULT_LESSONS: usize = 1;
/// Default maximum number of terms of a model of `houserule train`.
pub const DEFAULT_TERMS: usize = 60;

/// Default number of trainings of each side with `houserule compare --adapt`.
const DEFAULT_TRAININGS: u32 = 5;

/// Arguments of `houserule playtest`.
#[derive(Debug, clap::Args)]
pub struct PlaytestArgs {
    /// The game
    pub game: String,
    /// How many games
    #[arg(short = 'n', long = "games", default_value_t = 1000, value_parser = parse_games)]
    pub games: u64,
    #[command(flatten)]
    pub changed: SetupArgs,
    #[command(flatten)]
    pub who: AgentArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Plays series of games instead, as the rules declare one: who wins begins the next game a step further on; -n is how many series
    #[arg(long, conflicts_with_all = ["csv", "parquet", "hooks", "report", "save", "shard"])]
    pub series: bool,
    /// Plays only one game of the run, of the number that `--csv` gives it (from 0), and writes its replay to --replay
    #[arg(long = "game", value_name = "N", requires = "replay", conflicts_with_all = ["series", "csv", "parquet", "save", "shard", "json", "hooks", "cards", "report"])]
    pub game_number: Option<u64>,
    /// Where the replay of --game goes: a file, or - for the terminal
    #[arg(long, value_name = "FILE", requires = "game_number")]
    pub replay: Option<String>,
    /// Also says which scripts of cards ran in these games, and lists those that never did
    #[arg(long)]
    pub hooks: bool,
    /// Also says what cards do: plays the games in which one came up once more with that card blanked; all cards, or those that are named, or
    /// are of a kind that is (docs/statistics.md)
    #[arg(long, value_name = "CARD|KIND,…", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with_all = ["series", "csv", "parquet", "hooks", "save", "shard"])]
    pub cards: Option<String>,
    /// With --cards: each card lies on top of its deck, as it is and blanked, so that it comes up as early as its deck is drawn
    #[arg(long, requires = "cards")]
    pub early: bool,
    #[command(flatten)]
    pub kept: KeptArgs,
    /// Writes a line for each seat of each game to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
    /// Writes the same lines to a file as Parquet, for DuckDB, pandas and their like
    #[arg(long, value_name = "FILE")]
    pub parquet: Option<String>,
    #[command(flatten)]
    pub written: OutputArgs,
}

/// Arguments of `houserule compare`.
#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// The game
    pub game: String,
    /// The change: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// The change: a pack, or a .rules file; may be given several times
    #[arg(long, value_name = "PACK")]
    pub against: Vec<PathBuf>,
    /// The change: the files as they are, against another version of them: the folder of its rules/ and cards/, or `inside` for the game inside
    /// the program
    #[arg(long, value_name = "DIR|inside")]
    pub since: Option<String>,
    /// The change: an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub set: Vec<String>,
    /// The change: a card in play from the start, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Rules of both sides, as `--with`; may be given several times
    #[arg(long, value_name = "RULES")]
    pub both: Vec<String>,
    /// A pack on both sides; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// An option on both sides; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// How many pairs of games at most; with --ladder 100 unless told otherwise
    #[arg(short = 'n', long = "games", default_value_t = 1000, default_value_if("ladder", ArgPredicate::IsPresent, "100"), value_parser = parse_games)]
    pub games: u64,
    /// Ends as soon as the interval reaches no further than so much to either side
    #[arg(long, value_name = "WIDTH", conflicts_with = "shard")]
    pub until: Option<f64>,
    /// The measure that --until looks at, and which is tested alone [default: points]
    #[arg(long, requires = "until")]
    pub measure: Option<String>,
    #[command(flatten)]
    pub who: AgentArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Players learn the rules of each side first, as `houserule train` does, and then play as `trained`; where learning does not pay, players who
    /// search play in their place
    #[arg(long, conflicts_with_all = ["agents", "until"])]
    pub adapt: bool,
    /// How many times players learn with --adapt, each time the rules of both sides from the same chances: what differs no more than from
    /// one training to another is not shown. One training shows nothing
    #[arg(long, requires = "adapt", value_name = "TIMES", default_value_t = DEFAULT_TRAININGS, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub trainings: u32,
    /// Also lets the players of each side, with --adapt, play the rules of both: what a change does to who has not learnt it, and what comes of
    /// adapting to it
    #[arg(long, requires = "adapt", conflicts_with_all = ["ladder", "save", "shard", "aa"])]
    pub cross: bool,
    /// How long players learn with --adapt: in how many generations, as `houserule train` knows them
    #[arg(long, requires = "adapt")]
    pub generations: Option<usize>,
    /// Compares by players of several strengths, and says what holds for all of them above chance; the agents may be named
    #[arg(long, value_name = "AGENTS", num_args = 0..=1, default_missing_value = DEFAULT_LADDER, conflicts_with_all = ["agents", "until", "save", "shard"])]
    pub ladder: Option<String>,
    /// Compares the game with itself, in several runs [default: 40] of -n pairs (100 are enough) in which both sides have draws of their own,
    /// and says how often a difference is found where there is none (docs/statistics.md)
    #[arg(long, value_name = "RUNS", num_args = 0..=1, default_missing_value = "40", value_parser = parse_games, conflicts_with_all = ["with", "against", "since", "set", "deal", "until", "ladder", "all", "shard", "save", "report"])]
    pub aa: Option<u64>,
    /// Shows all measures, not only those that differ
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub kept: KeptArgs,
    #[command(flatten)]
    pub written: OutputArgs,
}

/// Arguments of `houserule tournament`.
#[derive(Debug, clap::Args)]
pub struct TournamentArgs {
    /// The game
    pub game: String,
    /// How many games for each two kinds of players; an even number, since each deal is played twice
    #[arg(short = 'n', long = "games", default_value_t = 100, value_parser = parse_even)]
    pub games: u64,
    /// The kinds of players, as `playtest` knows them, with commas or by giving it several times; the rating of the first is 0
    #[arg(long, value_name = "AGENTS", default_value = DEFAULT_FIELD)]
    pub agents: Vec<String>,
    /// How many seconds a program of yours may think about a question [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
    #[command(flatten)]
    pub changed: SetupArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Writes a page with charts, which a browser shows without a network, to a file, or to - for the terminal; the same as Markdown into a
    /// file that ends with .md
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
}

/// Arguments of `houserule merge`.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Files that --save has written
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Also sums up if parts are missing or have not been played to their end
    #[arg(long)]
    pub partial: bool,
    /// Of a comparison: shows all measures, not only those that differ
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub written: OutputArgs,
}

/// Arguments of `houserule train`.
#[derive(Debug, clap::Args)]
pub struct TrainArgs {
    /// The game
    pub game: String,
    /// Games of each lesson and of each generation
    #[arg(short = 'n', long = "games", default_value_t = DEFAULT_GAMES, value_parser = parse_games)]
    pub games: u64,
    /// How often players go by what they have learnt, and learn again
    #[arg(long, default_value_t = DEFAULT_LESSONS)]
    pub lessons: usize,
    /// How often, after the lessons, weights are moved a little and players with moved weights meet [default: from 120 to 2,000,
    /// the fewer the longer a game is]
    #[arg(long)]
    pub generations: Option<usize>,
    /// Terms of what is learnt at most
    #[arg(long, default_value_t = DEFAULT_TERMS)]
    pub terms: usize,
    /// Learns for players who search with so many iterations, such as 64, in place of players who look one answer ahead; who has learnt plays
    /// as `search:trained:N`, with any N or time
    #[arg(long, value_name = "ITERATIONS", value_parser = clap::value_parser!(u32).range(2..=10_000), conflicts_with = "generations")]
    pub search: Option<u32>,
    #[command(flatten)]
    pub run: RunArgs,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// Keeps each step in a file; if the file is there already, the training goes on behind the last of them
    #[arg(long, visible_alias = "resume", value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Writes what was learnt to a file of rules; what was learnt before and stands there is replaced when all is done, and stays if what was
    /// learnt now loses to greedy
    #[arg(long, value_name = "FILE")]
    pub write: Option<String>,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}
