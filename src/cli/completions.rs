//! `houserule completions`: completion in shells. What it writes asks the program for names whenever a key is pressed, so that games,
//! cards and options of one's own are among them.

mod candidates;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory, ValueEnum};
use clap_complete::CompleteEnv;
use clap_complete::engine::complete;
use clap_complete::env::{EnvCompleter, Fish, Powershell, Shells, Zsh};

use super::args::{Args, CompletionsArgs};
use super::load::Workspace;
use super::output::{OutputFile, usage_error};
use super::result::CommandResult;

/// Environment variable by which what a shell has loaded asks for candidates; its value is the name of the shell.
const VARIABLE: &str = "HOUSERULE_COMPLETE";

/// The shells whose completions are written.
const SHELLS: Shells<'static> = Shells(&[&Bash, &Fish, &Powershell, &Zsh]);

/// Writes what a shell has to load.
///
/// # Errors
/// A usage error if nothing can be written, or a language was chosen.
pub fn completions(workspace: &Workspace, args: &CompletionsArgs) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("what is completed are ids and keys, which have no other names: `completions` has no `--lang`");
    }
    let out = OutputFile::open("-")?;
    let name = args.shell.to_possible_value().map_or_else(String::new, |name| name.get_name().to_string());
    let Some(shell) = SHELLS.completer(&name) else { return usage_error(format!("there are no completions for {name}")) };
    let mut text = Vec::new();
    match shell.write_registration(VARIABLE, "houserule", "houserule", &own_path(), &mut text) {
        Ok(()) => out.write_text(String::from_utf8_lossy(&text).trim_start()),
        Err(fault) => usage_error(format!("the completions for {name} cannot be written: {fault}")),
    }
}

/// Returns how a shell finds this program: by its name if it was called so, else by its whole path.
fn own_path() -> String {
    let called = std::env::args_os().next().unwrap_or_default();
    if Path::new(&called).components().count() <= 1 {
        return called.to_string_lossy().into_owned();
    }
    std::env::current_exe().map_or(called.to_string_lossy().into_owned(), |path| path.display().to_string())
}

/// Answers a shell that asks for candidates, and returns the exit status; `None` if no shell asks.
pub fn answer_shell(words: &[OsString]) -> Option<u8> {
    let here = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(command).var(VARIABLE).bin("houserule").shells(SHELLS);
    match env.try_complete(words.iter().cloned(), here.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(0),
        Err(fault) => {
            // An error cannot be reported if the terminal is closed.
            let _ = fault.print();
            Some(2)
        }
    }
}

/// Returns the command line, in which each value knows what it can be.
fn command() -> Command {
    let with_values = |command: Command| command.mut_args(candidates::completed);
    with_values(Args::command()).mut_subcommands(with_values)
}

/// Bash, by a script of our own: it puts words together that bash parts at `=` and `@`.
struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(&self, variable: &str, _: &str, _: &str, completer: &str, out: &mut dyn Write) -> io::Result<()> {
        let quoted = shlex::try_quote(completer).map_err(io::Error::other)?;
        let script = include_str!("completions/complete.bash").replace("VARIABLE", variable).replace("COMPLETER", &quoted);
        out.write_all(script.as_bytes())
    }

    fn write_complete(&self, command: &mut Command, words: Vec<OsString>, here: Option<&Path>, out: &mut dyn Write) -> io::Result<()> {
        let words: Vec<OsString> = words.into_iter().map(unquoted).collect();
        let last = words.len().saturating_sub(1);
        let nothing_typed = words.last().is_some_and(|word| word.is_empty());
        let found = complete(command, words, last, here)?;
        let found: Vec<_> = found.iter().map(|one| one.get_value().to_string_lossy()).collect();
        // Before a letter is typed, flags would hide the values.
        let flags_hide = nothing_typed && found.iter().any(|one| !one.starts_with('-'));
        for one in found.iter().filter(|one| !(flags_hide && one.starts_with('-'))) {
            writeln!(out, "{one}")?;
        }
        Ok(())
    }
}

/// Returns a word as the shell will hand it over: without quotation marks.
fn unquoted(word: OsString) -> OsString {
    let text = word.to_str().and_then(shlex::split).filter(|parts| parts.len() == 1).and_then(|mut parts| parts.pop());
    text.map_or(word, OsString::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_every_value_can_be_is_known() {
        let mut unknown = Vec::new();
        let mut command = Args::command();
        command.build();
        for of in command.get_subcommands().filter(|of| of.get_name() != "help").chain([&command]) {
            for arg in of.get_arguments().filter(|arg| arg.get_action().takes_values() && arg.get_possible_values().is_empty()) {
                if candidates::completion(arg).is_none() {
                    unknown.push(format!("{} {}", of.get_name(), arg));
                }
            }
        }
        assert!(unknown.is_empty(), "a line of the table in candidates.rs is missing for: {}", unknown.join(", "));
    }

    #[test]
    fn a_word_is_taken_without_its_quotation_marks() {
        for (word, meant) in
            [("near", "near"), ("'change bonus by +1'", "change bonus by +1"), ("my\\ pack", "my pack"), ("\"half", "\"half"), ("", "")]
        {
            assert_eq!(unquoted(word.into()), meant);
        }
    }
}
