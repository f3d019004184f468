//! `houserule man`: manual pages, from the same texts as `--help`.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::args::{Args, ManArgs};
use super::load::Workspace;
use super::output::{OutputFile, count, print, unknown_name, usage_error};
use super::result::CommandResult;
use crate::diagnostic::nearest;
use crate::disk;

/// Prints a page, or writes all pages into a folder.
///
/// # Errors
/// A usage error if there is no such command, a page cannot be written, or a language was chosen.
pub fn man(workspace: &Workspace, args: &ManArgs) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("manual pages are in English only: `man` has no `--lang`");
    }
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &args.out {
        return write_all(&program, folder);
    }
    let named = args.command.as_ref().map(|name| (name, program.find_subcommand(name).cloned()));
    let command = match named {
        None => program,
        Some((_, Some(command))) => command,
        Some((name, None)) => {
            let meant = nearest(name, program.get_subcommands().map(Command::get_name));
            return unknown_name(&format!("there is no command `{name}`"), meant, "`houserule --help` lists them");
        }
    };
    OutputFile::open("-")?.write_text(&page(command).1)
}

fn write_all(program: &Command, folder: &Path) -> CommandResult {
    if let Err(fault) = disk::create_folders(folder) {
        return usage_error(format!("cannot make the folder `{}`: {fault}", folder.display()));
    }
    let pages: Vec<(String, String)> = program.get_subcommands().chain([program]).map(|command| page(command.clone())).collect();
    for (name, text) in &pages {
        OutputFile::open(&folder.join(name).display().to_string())?.write_text(text)?;
    }
    print(&format!("{} in {}: `man -l {}`\n", count(pages.len(), "page"), folder.display(), folder.join("houserule.1").display()));
    Ok(())
}

/// Returns the page of a command: the name of its file, and its text for `man`.
fn page(command: Command) -> (String, String) {
    let page = Man::new(command).manual("houserule");
    let mut text = Vec::new();
    // Writing into memory cannot fail.
    let _ = page.render(&mut text);
    (page.get_filename(), String::from_utf8_lossy(&text).into_owned())
}
