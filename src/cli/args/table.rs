//! Arguments of the commands about a single game: playing, replaying, explaining.

use std::path::PathBuf;

use super::parse::parse_seed;
use super::shared::SetupArgs;

/// Arguments of `houserule play`.
#[derive(Debug, clap::Args)]
pub struct PlayArgs {
    /// The game; without it, that of the pack
    #[arg(required_unless_present_any = ["load", "from", "pack"])]
    pub game: Option<String>,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Who sits where: human, random, greedy, trained, search:500, `exec:COMMAND` and so on, as for playtest; one for each seat, with commas or by
    /// giving it several times; the last one sits on all chairs that are left [default: human,greedy]
    #[arg(long, value_name = "WHO")]
    pub seat: Vec<String>,
    /// The game's seed [default: a fresh one, which is shown]
    #[arg(long, default_value = "random", hide_default_value = true, value_parser = parse_seed)]
    pub seed: u64,
    #[command(flatten)]
    pub changed: SetupArgs,
    /// Begins with the position of a scenario
    #[arg(long, value_name = "FILE[#NAME]", conflicts_with_all = ["game", "players", "seed", "deal", "option"])]
    pub from: Option<String>,
    /// Keeps the game in a file, after each answer
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Goes on with a game that was saved; a program that the file names as a player is only started if --seat names it, too
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "players", "seed", "with", "pack", "deal", "option", "from"])]
    pub load: Option<PathBuf>,
    /// Whom `hint` asks: greedy, search:200 and so on
    #[arg(long, value_name = "AGENT", default_value = "greedy")]
    pub hint: String,
    /// Line by line, also in a terminal: for screen readers and scripts
    #[arg(long)]
    pub plain: bool,
}

/// Arguments of `houserule replay`.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The replay, or a save
    pub file: PathBuf,
    /// Only plays it again, and says whether it comes to the same end, with the same points and winners
    #[arg(long, conflicts_with_all = ["at", "eyes", "scenario"])]
    pub verify: bool,
    /// How the game stands after so many answers
    #[arg(long, value_name = "N")]
    pub at: Option<usize>,
    /// Shows what one seat knows [default: all that was said, and the table as whoever is asked sees it]
    #[arg(long, value_name = "pN")]
    pub eyes: Option<String>,
    /// Writes the position as a scenario to a file: after the last answer, or where --at says
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Line by line, also in a terminal
    #[arg(long)]
    pub plain: bool,
}

/// Arguments of `houserule why`.
#[derive(Debug, clap::Args)]
pub struct WhyArgs {
    /// The game, and what is asked; with --from and --replay the game may be left out
    #[arg(value_name = "GAME WHAT")]
    pub words: Vec<String>,
    /// The player spoken of [default: who is asked now]
    #[arg(long, value_name = "pN")]
    pub seat: Option<String>,
    /// After so many answers; the questions of the game are counted from set-up on [default: 0, of a replay all]
    #[arg(long, value_name = "N", conflicts_with = "from")]
    pub at: Option<usize>,
    /// The game of a replay or a save
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "players", "seed", "agents", "option", "deal", "with", "pack"])]
    pub replay: Option<PathBuf>,
    /// The position of a scenario of this file, behind its `given` and `when`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "seed", "agents", "option", "deal"])]
    pub from: Option<PathBuf>,
    /// Which scenario of the file, if it has several
    #[arg(long, value_name = "NAME", requires = "from")]
    pub scenario: Option<String>,
    /// Shows parts however deep, also those that add nothing
    #[arg(long)]
    pub deep: bool,
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run, as of `playtest`
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Who plays up to there, as for `playtest`; one for all, or one for each seat
    #[arg(long, value_name = "AGENT", default_value = "greedy")]
    pub agents: Vec<String>,
    #[command(flatten)]
    pub changed: SetupArgs,
    /// Writes it as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
}
