//! Arguments of the commands for authors of rules and cards.

use std::path::PathBuf;

use super::parse::{parse_games, parse_seed};
use crate::cli::format::OutputFormat;

/// Arguments of `houserule list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// A game
    pub game: Option<String>,
    /// `cards` for the ids of its cards
    #[arg(value_parser = ["cards"])]
    pub what: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// Arguments of `houserule show`.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The card's id or name, or the name of a board, behind the game if only one is meant
    #[arg(value_name = "[GAME] CARD", required = true)]
    pub card: Vec<String>,
    /// Only in this game
    #[arg(long)]
    pub game: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Of a board: how many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Of a board: the seed of the game after whose set-up it is shown
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Of a board: as it is in a replay or a save
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "pack"])]
    pub replay: Option<PathBuf>,
    /// Of a board: after so many answers of the replay [default: all]
    #[arg(long, value_name = "N", requires = "replay")]
    pub at: Option<usize>,
    /// Of a board: what one seat sees of it [default: who is asked]
    #[arg(long, value_name = "pN")]
    pub eyes: Option<String>,
    /// Draws a board as a graphic, an SVG file, or - for the terminal
    #[arg(long, value_name = "FILE")]
    pub svg: Option<String>,
}

/// Arguments of `houserule print`.
#[derive(Debug, clap::Args)]
pub struct PrintArgs {
    /// The game
    pub game: String,
    /// Only these: ids and kinds of cards and names of boards, with commas, or a condition such as `kind is KIND and age == 2`
    #[arg(long, value_name = "LIST|WHERE")]
    pub cards: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Sets an option of the game: cards that no deck has with it are left out; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// For boards and options: how many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// On the sheets: each card once, however many of it the game has
    #[arg(long, requires = "out")]
    pub once: bool,
    /// Only what is new or printed differently since another version: the folder of its rules/ and cards/, an older folder of a pack, or a file
    /// that --json has written
    #[arg(long, value_name = "DIR|FILE")]
    pub since: Option<PathBuf>,
    /// Lays a layout over those of the game and its packs (docs/paper.md)
    #[arg(long, value_name = "FILE.toml")]
    pub layout: Option<PathBuf>,
    /// Writes the layout that all others lie over to the terminal, and nothing else
    #[arg(long, conflicts_with_all = ["out", "gallery", "json", "since", "layout", "cards", "pack", "with", "option", "players", "once", "from"])]
    pub show_layout: bool,
    /// Writes the sheets, or - for the standard output
    #[arg(long, value_name = "FILE.pdf")]
    pub out: Option<String>,
    /// Writes a page with a card each to a file, or to - for the terminal
    #[arg(long, value_name = "FILE.html")]
    pub gallery: Option<String>,
    /// For the page: what the cards did in games, as `playtest --json` has written it
    #[arg(long, value_name = "FILE.json", requires = "gallery")]
    pub from: Option<PathBuf>,
    /// Writes what is on the cards as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// Arguments of `houserule diagram`.
#[derive(Debug, clap::Args)]
pub struct DiagramArgs {
    /// The game
    pub game: String,
    /// Draws the course of a round: a file that ends with .svg or .mmd (Mermaid), or - for Mermaid's text on the terminal
    #[arg(long, value_name = "FILE.svg")]
    pub phases: Option<String>,
    /// Draws what raises each moment and which cards hear it, to such a file
    #[arg(long, value_name = "FILE.svg")]
    pub moments: Option<String>,
    /// Plays games, and draws what brings and takes how much of which resource, as means for a player and a game, to such a file
    #[arg(long, value_name = "FILE.svg")]
    pub flows: Option<String>,
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// For --flows: puts a card into play from the start, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]", requires = "flows")]
    pub deal: Vec<String>,
    /// For --flows: how many games
    #[arg(short = 'n', long = "games", default_value_t = 100, value_parser = parse_games, requires = "flows")]
    pub games: u64,
    /// For --flows: who plays, as for `playtest`
    #[arg(long, visible_alias = "seat", value_name = "AGENT", default_value = "greedy", requires = "flows")]
    pub agents: Vec<String>,
    /// For --flows: seed of the games; `random` for a fresh one
    #[arg(long, default_value = "1", value_parser = parse_seed, requires = "flows")]
    pub seed: u64,
    /// For --flows: how many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024), requires = "flows")]
    pub threads: u16,
}

/// Arguments of `houserule words`.
#[derive(Debug, clap::Args)]
pub struct WordsArgs {
    /// A word, several that stand together, or a part of an address
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    /// Only with what this game declares
    #[arg(long)]
    pub game: Option<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// Arguments of `houserule new`.
#[derive(Debug, clap::Args)]
pub struct NewArgs {
    /// `card`, `pack`, `variant`, `game`, or a kind of card
    #[arg(value_name = "card|pack|variant|game|KIND")]
    pub what: String,
    /// What it is called: lower-case words joined by `_`
    pub name: String,
    /// The kind of the card, or of the first card of a pack
    #[arg(long)]
    pub kind: Option<String>,
    /// The game, where several could be meant
    #[arg(long)]
    pub game: Option<String>,
    /// The pack or the folder of a game into which it goes, or the folder in which a pack, a game or a variant is made [default: the
    /// current one]
    #[arg(long = "in", value_name = "DIR")]
    pub within: Option<PathBuf>,
}

/// Arguments of `houserule check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// Folders: packs, or with rules/ and cards/ in them; or games by their names [default: the pack that the current folder is, or all games]
    pub dirs: Vec<PathBuf>,
    /// Adds a pack to each of them; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// What is written, and where: text, json, sarif or github, with =FILE into a file; may be given several times
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = OutputFormat::parse)]
    pub format: Vec<OutputFormat>,
    /// The same as --format json=FILE, or json for -
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Lists all names that files of names lack, as lines to be completed there
    #[arg(long)]
    pub missing_names: bool,
    /// Says which scripts are left to rhai, which takes longer: those that do more than call functions, choose, and go through lists
    #[arg(long)]
    pub verbose: bool,
    /// Goes on, and answers anew whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["format", "json", "missing_names", "verbose"])]
    pub watch: bool,
}

/// Arguments of `houserule fmt`.
#[derive(Debug, clap::Args)]
pub struct FmtArgs {
    /// Files of rules or cards, folders, or games by their names; - for the standard input [default: the pack that the current folder is, or
    /// all games in it]
    #[arg(value_name = "FILE|DIR|GAME")]
    pub what: Vec<PathBuf>,
    /// Writes nothing, and shows what would change; the exit status is then 1
    #[arg(long)]
    pub check: bool,
    /// What the standard input is [default: rules]
    #[arg(long = "as", value_name = "LANGUAGE")]
    pub language: Option<FmtLanguage>,
}

/// A language that the standard input of `houserule fmt` can be written in.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum FmtLanguage {
    /// The rules language
    Rules,
    /// TOML: cards, packs, scenarios
    Toml,
}

/// Arguments of `houserule test`.
#[derive(Debug, clap::Args)]
pub struct TestArgs {
    /// Scenario files, packs, folders with scenarios and games in them, or games by their names [default: the pack that the current folder is,
    /// or all games]
    pub files: Vec<PathBuf>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// A changed rule for all tests: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// What is written, and where: text, json, sarif or github, with =FILE into a file; may be given several times
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = OutputFormat::parse)]
    pub format: Vec<OutputFormat>,
    /// Writes a JUnit report
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Goes on, and answers anew whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["format", "junit"])]
    pub watch: bool,
}

/// Arguments of `houserule mutate`.
#[derive(Debug, clap::Args)]
pub struct MutateArgs {
    /// The game
    pub game: String,
    /// Changes a pack instead of the game; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Only the rules
    #[arg(long, conflicts_with = "cards")]
    pub rules: bool,
    /// Only the cards
    #[arg(long)]
    pub cards: bool,
    /// The figures of cards, too, and not only what they do
    #[arg(long)]
    pub figures: bool,
    /// Only this card, or lines and files in whose text or path this stands; may be given several times
    #[arg(long, value_name = "WORD")]
    pub only: Vec<String>,
    /// So many of them, drawn at random
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Another seed draws others
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// A file that lists changes that change nothing, with reasons; they are left out. Of each it says `[[equal]]`, and below that `file`,
    /// `line` (the whole line of that file), `was`, `now` and `why`, and `at` (2 for the second) if `was` stands in the line more than once.
    /// What `--json` writes of a change has all of them but `why`; `text` there is the line
    #[arg(long, value_name = "FILE")]
    pub equal: Option<PathBuf>,
    /// Shows each change with what was said of it
    #[arg(long)]
    pub all: bool,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}

/// Arguments of `houserule schema`.
#[derive(Debug, clap::Args)]
pub struct SchemaArgs {
    /// The game
    pub game: String,
    /// Which files
    #[arg(long = "for", value_name = "FILES", default_value = "card")]
    pub described: Describe,
    /// Folders of packs whose names are known, too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
}

/// The kind of files for which `houserule schema` prints a schema.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Describe {
    /// Files of cards
    Card,
    /// pack.toml
    Pack,
    /// Files of scenarios
    Scenario,
}
