//! Arguments of the commands that help to set the program up.

use std::path::PathBuf;

/// Arguments of `houserule completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// A shell for which there are completions.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Shell {
    /// GNU bash
    Bash,
    /// Z shell
    Zsh,
    /// fish
    Fish,
    /// PowerShell
    Powershell,
}

/// Arguments of `houserule man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// The command [default: the page of the program itself]
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub command: Option<String>,
    /// Writes the pages of all commands into a folder, which is made if it is not there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
