//! Entry point: parses arguments and returns the exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    houserule::cli::run(std::env::args_os())
}
