//! The command line: one module for each command. The logic is in the other crates.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

mod args;
mod check;
mod compare;
mod completions;
#[cfg(target_family = "wasm")]
#[path = "cli/browser/console.rs"]
pub mod console;
mod diagram;
mod faults;
mod fmt;
mod format;
#[cfg(not(target_family = "wasm"))]
mod interface;
mod junit;
mod language;
mod learn;
mod list;
mod load;
#[cfg(not(target_family = "wasm"))]
mod lsp;
mod man;
mod merge;
mod mutate;
mod new;
mod output;
mod owner;
pub mod page;
#[cfg(not(target_family = "wasm"))]
mod play;
mod playtest;
mod prepared;
mod print;
mod progress;
#[cfg(not(target_family = "wasm"))]
mod replay;
mod report;
mod result;
mod run;
mod saver;
mod schema;
#[cfg(not(target_family = "wasm"))]
mod serve;
mod show;
#[cfg_attr(target_family = "wasm", path = "cli/browser/signals.rs")]
mod signals;
mod spec;
mod stage;
mod subject;
mod test;
mod tournament;
mod train;
mod tune;
mod watch;
mod why;
mod words;

use crate::engine::native::{self, BackEnd};
use args::{Args, CheckArgs, Command, TestArgs};
use result::ExitReason;

/// Chooses how expressions are evaluated, as the environment says.
fn choose_back_end() -> Result<(), ExitReason> {
    let Some(chosen) = std::env::var_os("HOUSERULE_BACKEND").filter(|chosen| !chosen.is_empty()) else { return Ok(()) };
    match chosen.to_str() {
        Some("walker") => native::set_back_end(BackEnd::Walker),
        Some("native") => native::set_back_end(BackEnd::Native),
        Some(_) | None => {
            let chosen = chosen.to_string_lossy();
            return output::usage_error(format!("HOUSERULE_BACKEND is `{chosen}`; it can be walker or native, or be left out"));
        }
    }
    Ok(())
}

/// Parses and runs a command line, whose first word is the name of the program.
pub fn run<T: Into<OsString>>(words: impl IntoIterator<Item = T>) -> ExitCode {
    ExitCode::from(run_to_status(words))
}

/// Does the same, and returns the exit status as a number: 0 for success, 1 for findings, 2 for a wrong command line, more for signals.
pub fn run_to_status<T: Into<OsString>>(words: impl IntoIterator<Item = T>) -> u8 {
    let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    if let Some(status) = completions::answer_shell(&words) {
        return status;
    }
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(fault) => {
            // An error cannot be reported if the terminal is closed.
            if cfg!(target_family = "wasm") {
                output::print_parsed(&fault);
            } else {
                let _ = fault.print();
            }
            return u8::try_from(fault.exit_code()).unwrap_or(2);
        }
    };
    let done = choose_back_end().and_then(|()| load::Workspace::new(args.root, args.lang)).and_then(|workspace| match args.command {
        Command::List(args) => list::list(&workspace, &args),
        Command::Show(args) => show::show(&workspace, &args),
        Command::Print(args) => print::print_game(&workspace, &args),
        Command::Diagram(args) => diagram::diagram(&workspace, &args),
        Command::Words(args) => words::words(&workspace, &args),
        Command::Check(args) => check::check(&workspace, &CheckArgs { dirs: workspace.or_current_pack(args.dirs), ..args }),
        Command::Test(args) => test::test(&workspace, &TestArgs { files: workspace.or_current_pack(args.files), ..args }),
        Command::Fmt(args) => fmt::fmt(&workspace, &args),
        Command::Mutate(args) => mutate::mutate(&workspace, &args),
        Command::New(args) => new::new(&workspace, &args),
        #[cfg(not(target_family = "wasm"))]
        Command::Play(args) => play::play(&workspace, &args),
        #[cfg(not(target_family = "wasm"))]
        Command::Replay(args) => replay::replay(&workspace, &args),
        Command::Playtest(args) => playtest::playtest(&workspace, &args),
        Command::Tournament(args) => tournament::tournament_of_agents(&workspace, &args),
        Command::Train(args) => train::train_players(&workspace, &args),
        Command::Tune(args) => tune::tune(&workspace, &args),
        Command::Why(args) => why::why(&workspace, &args),
        Command::Compare(args) => compare::compare_games(&workspace, &args),
        Command::Merge(args) => merge::merge_runs(&workspace, &args),
        #[cfg(not(target_family = "wasm"))]
        Command::Lsp => lsp::serve(&workspace),
        #[cfg(not(target_family = "wasm"))]
        Command::Serve(args) => serve::serve(&workspace, &args),
        Command::Schema(args) => schema::schema(&workspace, &args),
        Command::Completions(args) => completions::completions(&workspace, &args),
        Command::Man(args) => man::man(&workspace, &args),
        #[cfg(target_family = "wasm")]
        Command::Play(_) => output::usage_error("`play` needs a terminal; in a browser the page has a table"),
        #[cfg(target_family = "wasm")]
        Command::Replay(_) => output::usage_error("`replay` needs a terminal; in a browser the table opens replays"),
        #[cfg(target_family = "wasm")]
        Command::Lsp => output::usage_error("`lsp` speaks by the standard input; in a browser the page has an editor"),
        #[cfg(target_family = "wasm")]
        Command::Serve(_) => output::usage_error("this is the page that `serve` hands out"),
    });
    match done.and(output::printed()) {
        // Findings of an interrupted run are incomplete, so that the signal determines the exit status.
        Ok(()) | Err(ExitReason::Findings) if signals::status().is_some() => signals::status().unwrap_or(1),
        Ok(()) => 0,
        Err(ExitReason::Findings) => 1,
        Err(ExitReason::Usage) => 2,
    }
}
