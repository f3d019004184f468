//! A person's slips in the shipped rules, cards and scenarios, and what `check` and `test` say about each.
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
#[path = "mutate/mutants.rs"]
mod mutants;
#[path = "mutate/text.rs"]
mod text;
#[path = "mutate/trial.rs"]
mod trial;

use clap::Parser;
use mutants::mutants;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use trial::{Counts, Program, count, judge, said_of_shipped, share, shipped};

/// Makes slips in the shipped rules, cards and scenarios, one at a time, and counts what `check` and `test` say about them.
///
/// A mutant is caught if `check` says anything, or else if `test` fails; the line is right if a message points to the slip, give or
/// take a line. Each mutant is tried in a process of its own.
#[derive(Parser)]
struct Args {
    /// So many mutants of each class.
    #[arg(long, default_value_t = 63)]
    sample: usize,
    /// Another seed makes other mutants.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only classes whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Shows the mutants that nobody saw, and what broke.
    #[arg(long)]
    show: bool,
    /// Shows the mutants that are caught at a wrong line.
    #[arg(long)]
    show_lines: bool,
    /// Shows the mutants with more than one message.
    #[arg(long)]
    show_many: bool,
    /// Another houserule than the one built with this.
    #[arg(long)]
    program: Option<PathBuf>,
}

fn main() -> ExitCode {
    // As a child: the program itself.
    let mut words = std::env::args_os();
    if std::env::args().nth(1).is_some_and(|word| word == "houserule") {
        words.next();
        return houserule::cli::run(words);
    }
    let args = Args::parse();
    let program = match &args.program {
        Some(path) => Program { path: path.clone(), first: Vec::new() },
        None => Program { path: std::env::current_exe().expect("this program"), first: vec!["houserule".to_string()] },
    };
    let sources = shipped(Path::new(env!("CARGO_MANIFEST_DIR")));
    let said = said_of_shipped(&program, &sources);
    let mut all = mutants(&sources, args.sample, args.seed);
    all.retain(|mutant| mutant.class.contains(&args.only));
    let verdicts = judge(&program, &sources, &all);
    for (mutant, verdict) in all.iter().zip(&verdicts) {
        let many = args.show_many && verdict.messages > 1;
        let lines = args.show_lines && verdict.caught() && !verdict.right_line;
        if args.show && !verdict.caught() || many || lines {
            let (file, line) = mutant.places[0];
            println!("{}: {}:{line}: `{}` -> `{}`", mutant.class, sources[file].path, mutant.was.trim_end(), mutant.now.trim_end());
            verdict.said.lines().take(12).for_each(|line| println!("    {line}"));
        }
    }
    let (classes, total) = count(&all, &verdicts);
    println!(
        "{:28} {:>6} {:>8} {:>6} {:>6} {:>10} {:>7} {:>10} {:>6}",
        "class", "all", "caught %", "check", "test", "right line", "one", "name shown", "broken"
    );
    for (class, counts) in &classes {
        print_row(class, counts);
    }
    print_row("all", &total);
    let misspelt = share(total.misspelt_caught, total.misspelt);
    println!("misspelt words caught: {}.{:02} % of {}", misspelt / 100, misspelt % 100, total.misspelt);
    if said.is_empty() {
        println!("0 messages on what is shipped");
    } else {
        println!("said of what is shipped:\n{said}");
    }
    if total.broken > 0 {
        println!("{} slips make it crash or hang: --show tells which", total.broken);
    }
    ExitCode::from(u8::from(!said.is_empty() || total.broken > 0))
}

fn print_row(class: &str, counts: &Counts) {
    let percent = |part, whole| format!("{:.1}", share(part, whole) as f64 / 100.0);
    println!(
        "{class:28} {:>6} {:>8} {:>6} {:>6} {:>10} {:>7} {:>10} {:>6}",
        counts.mutants,
        percent(counts.caught(), counts.mutants),
        counts.check,
        counts.test,
        percent(counts.right_line, counts.caught()),
        percent(counts.one_message, counts.check),
        percent(counts.name_shown, counts.misspelt_caught),
        counts.broken
    );
}
