//! Arguments of the commands that help to set the program up.

use std::path::PathBuf;

/// Arguments of `houserule serve`.
#[derive(Debug, clap::Args)]
pub struct ServeArgs {
    /// The folder with your games, cards or packs [default: that of --root, or the current one]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The port [default: 4747, or one that is free]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// The folder of the page [default: `page` beside the program, or `web/dist` of the source]
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,
}

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
