//! Arguments shared by several commands.

use std::path::PathBuf;
use std::time::Duration;

use super::parse::{parse_pace, parse_seconds, parse_seed};
use crate::playtest::{RunPart, SECONDS_PER_DECISION};

/// Arguments that change the rules of a game or its set-up.
#[derive(Clone, Debug, clap::Args)]
pub struct SetupArgs {
    /// A changed rule: rules text, the name of a variant, or the path of a .rules file; may be given several times
    #[arg(long, value_name = "RULES")]
    pub with: Vec<String>,
    /// Adds a pack; may be given several times
    #[arg(long, value_name = "DIR")]
    pub pack: Vec<PathBuf>,
    /// Puts a card into play from the start, for a seat or for the first; may be given several times
    #[arg(long, value_name = "CARD[@pN]")]
    pub deal: Vec<String>,
    /// Sets an option of the game or of one player; may be given several times
    #[arg(long, value_name = "NAME[@pN]=VALUE")]
    pub option: Vec<String>,
}

/// Arguments of every command that plays many games: number of players, seed and number of threads.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// How many players [default: 4, or as near as the game allows]
    #[arg(long)]
    pub players: Option<usize>,
    /// Seed of the run; `random` for a fresh one, which the report names
    #[arg(long, default_value = "1", value_parser = parse_seed)]
    pub seed: u64,
    /// How many threads [default: one for each core]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub threads: u16,
}

impl RunArgs {
    /// Returns how many threads play: as many as were asked for, or one for each core.
    pub fn thread_count(&self) -> usize {
        if self.threads > 0 { self.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) }
    }
}

/// Arguments that choose the agents of a run.
#[derive(Debug, clap::Args)]
pub struct AgentArgs {
    /// Who plays: random, greedy, greedy:K with K imagined states, greedy:STYLE by a style of the rules or by `points` alone, trained, search,
    /// search:N with N iterations, search:25ms, search:STYLE:N, or `exec:COMMAND` for a program of yours (docs/agents.md); one for all, or one for
    /// each seat, with commas or by giving it several times
    #[arg(long, visible_alias = "seat", value_name = "AGENT", default_value = "greedy")]
    pub agents: Vec<String>,
    /// How many seconds a program of yours may think about a question [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<Duration>,
}

/// Arguments of a run that may be played in parts, and kept in a file.
#[derive(Debug, clap::Args)]
pub struct KeptArgs {
    /// Plays one of several parts of the run: 2/5 is the second of five. Games keep their numbers and seeds; with --save, `houserule merge` puts
    /// the parts together (docs/scale.md)
    #[arg(long, value_name = "I/N")]
    pub shard: Option<RunPart>,
    /// Keeps what is done in a file, every ten seconds and when the run ends or is stopped; if the file is there already, the run goes on with
    /// it
    #[arg(long, visible_alias = "resume", value_name = "FILE")]
    pub save: Option<PathBuf>,
}

/// Arguments that name the output files of a report.
#[derive(Debug, clap::Args)]
pub struct OutputArgs {
    /// Writes everything as JSON to a file, or to - for the terminal
    #[arg(long, value_name = "FILE")]
    pub json: Option<String>,
    /// Writes a page with charts, which a browser shows without a network, to a file, or to - for the terminal; the same as Markdown into a
    /// file that ends with .md
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
    /// How many seconds a person is assumed to take for a decision, for the minutes of a game
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS_PER_DECISION, value_parser = parse_pace)]
    pub pace: f64,
}

impl OutputArgs {
    /// Returns the output files with the options that name them.
    pub fn named(&self) -> [(&'static str, &Option<String>); 2] {
        [("--json", &self.json), ("--report", &self.report)]
    }
}
