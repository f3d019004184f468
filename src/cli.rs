//! The command line: one file for each command, none with logic of its own.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

mod args;
mod check;
mod compare;
mod format;
mod keeper;
mod language;
mod list;
mod load;
mod lsp;
mod merge;
mod mutate;
mod new;
mod output;
mod play;
mod playtest;
mod progress;
mod replay;
mod schema;
mod show;
mod signals;
mod subject;
mod test;
mod tournament;
mod train;
mod watch;
mod why;
mod words;

use args::{Args, CheckArgs, Command, TestArgs};

/// Why a command did not end well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Something is wrong with what was looked at; it has been said.
    Finding,
    /// The command was used wrongly; it has been said how.
    Wrong,
}

/// How a command ends.
type Done = Result<(), Trouble>;

/// Runs a command line, whose first word is the program's name.
pub fn run<T: Into<OsString> + Clone>(words: impl IntoIterator<Item = T>) -> ExitCode {
    let args = match Args::try_parse_from(words) {
        Ok(args) => args,
        Err(fault) => {
            // Nothing can be said when the terminal is gone.
            let _ = fault.print();
            return ExitCode::from(u8::try_from(fault.exit_code()).unwrap_or(2));
        }
    };
    let done = load::Ground::new(args.root, args.lang).and_then(|ground| match args.command {
        Command::List(args) => list::list(&ground, &args),
        Command::Show(args) => show::show(&ground, &args),
        Command::Words(args) => words::words(&ground, &args),
        Command::Check(args) => check::check(&ground, &CheckArgs { dirs: ground.or_this_pack(args.dirs), ..args }),
        Command::Test(args) => test::test(&ground, &TestArgs { files: ground.or_this_pack(args.files), ..args }),
        Command::Mutate(args) => mutate::mutate(&ground, &args),
        Command::New(args) => new::new(&ground, &args),
        Command::Play(args) => play::play(&ground, &args),
        Command::Replay(args) => replay::replay(&ground, &args),
        Command::Playtest(args) => playtest::playtest(&ground, &args),
        Command::Tournament(args) => tournament::tournament_of_agents(&ground, &args),
        Command::Train(args) => train::train_players(&ground, &args),
        Command::Why(args) => why::why(&ground, &args),
        Command::Compare(args) => compare::compare_games(&ground, &args),
        Command::Merge(args) => merge::merge_runs(&ground, &args),
        Command::Lsp => lsp::serve(&ground),
        Command::Schema(args) => schema::schema(&ground, &args),
    });
    match done.and(output::printed()) {
        // What was found in a run that was stopped is not the last word.
        Ok(()) | Err(Trouble::Finding) if signals::status().is_some() => ExitCode::from(signals::status().unwrap_or(1)),
        Ok(()) => ExitCode::SUCCESS,
        Err(Trouble::Finding) => ExitCode::from(1),
        Err(Trouble::Wrong) => ExitCode::from(2),
    }
}
