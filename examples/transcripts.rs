//! Golden transcripts: plays the built-in games and writes down what happened, or plays them again and says what is different.
//!
//! Somebody who rebuilds the engine records before and checks after; a small part lies in `tests/transcripts`.
// A tool for developers: it reads and writes files, and what goes wrong may end it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a tool of our own: numbers are small"
)]

#[path = "transcripts/transcript.rs"]
mod transcript;

use clap::{Parser, Subcommand};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use transcript::{PLAYERS, Plan, Player, Table, Transcript, check, mix, play_all, rules_of};

/// Plays the built-in games and writes down what happened, or plays them again and says what is different.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays each game with each number of players and each value of each option (the others at their default; an option of
    /// each player is changed for one seat) and writes a file for each of these tables.
    ///
    /// Each file says in its second line what is played. A line `game PLAYER SEED QUESTIONS HASH POINTS` stands for each game; the
    /// hash is a chain over seat, question, all keys offered and key taken. Read them with zcat.
    Record {
        /// Where the files go.
        dir: PathBuf,
        /// Games of each table with answers by chance: as many with the agent `random` as with a chooser that knows nothing of
        /// agents (`plain`).
        #[arg(long, default_value_t = 500)]
        games: usize,
        /// Games with the agent `greedy` of each table whose options are all at their default. Other tables get a tenth, because
        /// greedy looks ahead and plays some 10 games a second where the others play 1000.
        #[arg(long, default_value_t = 500)]
        greedy: usize,
        /// Games of each table and sort of player of which each answer is kept.
        #[arg(long, default_value_t = 2)]
        lists: usize,
        /// Only tables whose name begins so, such as `nations-3`.
        #[arg(long, default_value = "")]
        only: String,
    },
    /// Plays the same games again; ends with status 1 if one is different.
    Check {
        /// Files, or folders of files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// One game in ten.
        #[arg(long)]
        quick: bool,
        /// Only tables whose name begins so, such as `nations-3`.
        #[arg(long, default_value = "")]
        only: String,
        /// Only games of these players: plain, random, greedy.
        #[arg(long, value_delimiter = ',')]
        players: Vec<String>,
        /// So many differences of each table are shown.
        #[arg(long, default_value_t = 1)]
        show: usize,
    },
}

fn main() -> ExitCode {
    let done = match Args::parse().command {
        Command::Record { dir, games, greedy, lists, only } => record(&dir, games, greedy, lists, &only).map(|()| true),
        Command::Check { files, quick, only, players, show } => compare(&files, if quick { 10 } else { 1 }, &only, &players, show),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn record(dir: &Path, games: usize, greedy: usize, lists: usize, only: &str) -> Result<(), String> {
    std::fs::create_dir_all(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let plans: Vec<(Table, Vec<Plan>)> = tables()?
        .into_iter()
        .filter(|table| table.to_string().starts_with(only))
        .map(|table| {
            let greedy = if table.options.is_empty() { greedy } else { greedy / 10 };
            let counts = PLAYERS.map(|(_, player)| (player, if player == Player::Greedy { greedy } else { games }));
            let seed = |number: usize| mix(mix(number as u64));
            let plan = counts.into_iter().flat_map(|(player, count)| (0..count).map(move |n| (player, seed(n), n < lists)));
            let plan = plan.collect();
            (table, plan)
        })
        .collect();
    let written: Vec<std::io::Result<()>> = plans
        .chunks(4)
        .flat_map(|some| {
            let played = play_all(some);
            for transcript in &played {
                println!("{} games of {}", transcript.games.len(), transcript.table);
            }
            played.par_iter().map(|transcript| transcript.write(&dir.join(transcript.file_name()))).collect::<Vec<_>>()
        })
        .collect();
    written.into_iter().collect::<std::io::Result<()>>().map_err(|error| format!("{}: {error}", dir.display()))
}

fn compare(files: &[PathBuf], every: usize, only: &str, players: &[String], show: usize) -> Result<bool, String> {
    let mut paths = Vec::new();
    for file in files {
        if file.is_dir() {
            let entries = std::fs::read_dir(file).map_err(|error| format!("{}: {error}", file.display()))?;
            paths.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "gz")));
        } else {
            paths.push(file.clone());
        }
    }
    paths.sort();
    if let Some(unknown) = players.iter().find(|name| !PLAYERS.iter().any(|(known, _)| known == name)) {
        return Err(format!("there are no players `{unknown}`; there are plain, random, greedy"));
    }
    let mut transcripts = paths.iter().map(|path| Transcript::read(path)).collect::<Result<Vec<_>, _>>()?;
    transcripts.retain(|transcript| transcript.table.to_string().starts_with(only));
    for transcript in &mut transcripts {
        let wanted = |player: Player| players.is_empty() || players.iter().any(|name| name == player.name());
        transcript.games.retain(|game| wanted(game.player));
    }
    if transcripts.is_empty() {
        return Err("there are no such transcripts".to_string());
    }
    let (mut games, mut wrong) = (0, 0);
    for some in transcripts.chunks(4) {
        for (transcript, (count, differences)) in some.iter().zip(check(some, every)) {
            let verdict = if differences.is_empty() { "alike".to_string() } else { format!("{} DIFFERENT", differences.len()) };
            println!("{}: {count} games, {verdict}", transcript.table);
            differences.iter().take(show).for_each(|difference| print!("{difference}"));
            games += count;
            wrong += differences.len();
        }
    }
    println!("{games} games of {} tables, {wrong} different", transcripts.len());
    Ok(wrong == 0)
}

/// Each number of players with each value of each option.
fn tables() -> Result<Vec<Table>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tables = Vec::new();
    for game in houserule::pack::list_games(Some(root)) {
        let path = root.join("rules").join(format!("{game}.rules"));
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let all = Table { game: game.clone(), players: 0, options: Vec::new() };
        let counts = (1..=8).filter(|&players| rules_of(&Table { players, ..all.clone() }).is_some());
        for players in counts {
            tables.push(Table { players, ..all.clone() });
            for (option, of_seat) in text.lines().filter_map(option_of).flatten() {
                let options = match (of_seat, option.split_once('=')) {
                    (true, Some((name, value))) => vec![format!("{name}@p{}={value}", players.min(2))],
                    _ => vec![option],
                };
                tables.push(Table { players, options, ..all.clone() });
            }
        }
    }
    Ok(tables)
}

/// `option side = a | b, default a` as `side=b`, and whether each player has one of their own.
fn option_of(line: &str) -> Option<Vec<(String, bool)>> {
    let line = line.split("//").next()?.strip_prefix("option ")?;
    let (name, rest) = line.split_once('=')?;
    let (values, rest) = rest.split_once(", default ")?;
    let (name, default) = (name.trim(), rest.split([',', ' ']).next()?);
    let (values, several) = match values.trim().strip_prefix("any of ") {
        Some(values) => (values, true),
        None => (values.trim(), false),
    };
    let values: Vec<String> = match values.split_once(" to ") {
        Some((from, to)) => (from.trim().parse::<u32>().ok()?..=to.trim().parse().ok()?).map(|value| value.to_string()).collect(),
        None => values.split(['|', ',']).map(|value| value.trim().to_string()).collect(),
    };
    let all = several.then(|| values.join(","));
    // Where several can be chosen, the default is one of them: alone the others may be no game.
    let beside = |value: String| if several { format!("{default},{value}") } else { value };
    let values = values.into_iter().filter(|value| value != default).map(beside).chain(all);
    Some(values.map(|value| (format!("{name}={value}"), rest.contains("for each player"))).collect())
}
