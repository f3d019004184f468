//! Fuzzing on stable Rust: the targets of `fuzz/`, with inputs made from the shipped files and those in `tests`.
// A tool for developers: it reads and writes files, and what goes wrong may end it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "a tool of our own: numbers are small"
)]

#[path = "../tests/support/child.rs"]
mod child;
#[path = "fuzz/mix.rs"]
mod mix;
#[path = "fuzz/targets.rs"]
mod targets;

use clap::Parser;
use mix::Corpus;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use targets::TARGETS;

/// Feeds slips of the shipped files to houserule and looks for panics, hangs and memory that grows.
///
/// Each finding is written to a file; `--replay FILE` tries it again. Put it into tests/corpus/fuzz when it is mended.
#[derive(Parser)]
struct Args {
    /// rules, cards, scenarios, play, values; all of them by default.
    targets: Vec<String>,
    /// So long for each target.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// So many inputs for each target, however long they take: the same seed tries the same on every machine.
    #[arg(long, conflicts_with = "seconds")]
    inputs: Option<u64>,
    /// Another seed makes other inputs.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An input that takes longer is a finding.
    #[arg(long, default_value_t = 10)]
    patience: u64,
    /// Where findings go.
    #[arg(long, default_value = "target/fuzz")]
    findings: PathBuf,
    /// Tries one file and nothing else.
    #[arg(long)]
    replay: Option<PathBuf>,
    /// For the child that does the work: where it writes down what it tries.
    #[arg(long, hide = true)]
    at: Option<PathBuf>,
    /// For the child: the number of the first input.
    #[arg(long, hide = true, default_value_t = 0)]
    first: u64,
}

/// Memory of the child.
const MEGABYTES: u64 = 1500;
/// Addresses that generated code reserves in a thread, nearly all of which are never used.
const RESERVED_MEGABYTES: u64 = 6000;
/// After so many findings a target has been looked at enough.
const MOST_FINDINGS: usize = 10;

fn main() -> ExitCode {
    let args = Args::parse();
    let known = TARGETS.map(|(name, _)| name.to_string());
    let wanted = if args.targets.is_empty() { known.to_vec() } else { args.targets.clone() };
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
        eprintln!("there is no target `{unknown}`; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    if let Some(file) = &args.replay {
        let data = fs::read(file).expect("the file can be read");
        wanted.iter().for_each(|name| run(name, &data));
        return ExitCode::SUCCESS;
    }
    if let Some(at) = &args.at {
        work(&args, &wanted[0], at);
        return ExitCode::SUCCESS;
    }
    let found: usize = wanted.iter().map(|name| watch(&args, name)).sum();
    ExitCode::from(u8::from(found > 0))
}

fn run(name: &str, data: &[u8]) {
    if let Some((_, target)) = TARGETS.iter().find(|(other, _)| *other == name) {
        target(data);
    }
}

/// The child: tries one input after another, each written down before.
fn work(args: &Args, name: &str, at: &Path) {
    let corpus = Corpus::new(Path::new(env!("CARGO_MANIFEST_DIR")), name);
    // What is made once is made before the watch begins.
    run(name, &[0; 9]);
    let begun = Instant::now();
    for number in args.first..args.inputs.unwrap_or(u64::MAX) {
        if args.inputs.is_none() && begun.elapsed().as_secs() >= args.seconds {
            return;
        }
        let mut random = SmallRng::seed_from_u64(args.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let data = corpus.next(name, &mut random);
        fs::write(at.join("input"), &data).expect("it is written");
        fs::write(at.join("number"), number.to_string()).expect("it is written");
        run(name, &data);
    }
}

/// Starts a child and looks after it; starts another when it falls. How much was found.
fn watch(args: &Args, name: &str) -> usize {
    let dir = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("this program");
    let (begun, mut first, mut found) = (Instant::now(), 0, Vec::new());
    loop {
        let (limit, left) = match args.inputs {
            Some(inputs) => ("--inputs", inputs),
            None => ("--seconds", args.seconds.saturating_sub(begun.elapsed().as_secs())),
        };
        if left == 0 || args.inputs.is_some_and(|inputs| first >= inputs) || found.len() >= MOST_FINDINGS {
            break;
        }
        let mut words: Vec<OsString> = [name, limit, &left.to_string(), "--seed", &args.seed.to_string()].map(OsString::from).to_vec();
        words.extend(["--first".into(), first.to_string().into(), "--at".into(), dir.path().into()]);
        let words: Vec<_> = words.iter().map(OsString::as_os_str).collect();
        let input = dir.path().join("input");
        let patience = Duration::from_secs(args.patience);
        let stalled =
            || fs::metadata(&input).and_then(|found| found.modified()).is_ok_and(|then| then.elapsed().is_ok_and(|age| age > patience));
        // Only a child that has begun can stall.
        let _ = fs::remove_file(&input);
        let megabytes = if name == "values" { MEGABYTES + RESERVED_MEGABYTES } else { MEGABYTES };
        let ended = child::run_while(&program, &words, megabytes, || !stalled());
        let number = fs::read_to_string(dir.path().join("number")).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(first);
        first = number + 1;
        if ended.status == Some(0) {
            break;
        }
        fs::create_dir_all(&args.findings).expect("a folder");
        let file = args.findings.join(format!("{name}-{}-{number}", args.seed));
        fs::copy(&input, &file).expect("it is copied");
        // Once more, and with more patience: a busy machine is no finding.
        let again = [name.as_ref(), "--replay".as_ref(), file.as_os_str()];
        let ended = child::run(&program, &again, patience * 3, megabytes);
        if ended.status == Some(0) {
            fs::remove_file(&file).expect("it was copied");
            continue;
        }
        let why = if ended.late { "it does not come back".to_string() } else { ended.err.lines().take(4).collect::<Vec<_>>().join("\n  ") };
        println!("{}: {why}", file.display());
        found.push(file);
    }
    println!("{name}: {first} inputs in {} s, {} findings", begun.elapsed().as_secs(), found.len());
    found.len()
}
