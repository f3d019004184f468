//! A loaded game at its beginning, as `play`, `replay` and `why` need it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::faults::fault_diagnostic;
use super::load::{Workspace, compile_rules, players, set_up};
use super::output::{fail_with, show_diagnostics, usage_error};
use super::result::ExitReason;
use crate::cast;
use crate::diagnostic::{Diagnostic, render::render};
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, Setup};
use crate::scenario::position::{default_players, position};
use crate::script::check_scripts;
use crate::source::{FileId, Sources};
use crate::table::{AnswerFailure, DisplayNames, Replay, Session, Start, parse_replay};

/// A loaded game, ready to be played.
pub struct PreparedTable {
    pub sources: Sources,
    pub text: GameText,
    pub words: DisplayNames,
    pub start: Start,
    pub setup: Setup,
    pub rules: Arc<Ruleset>,
    /// The game before its first question.
    pub game: Game,
    /// The value of `--root` with which another run finds the same rules; `None` if it needs no `--root`.
    pub root: Option<PathBuf>,
}

impl PreparedTable {
    /// Describes a failure after this number of answers.
    pub fn fault(&self, failed: &AnswerFailure, answers: usize) -> Diagnostic {
        fault_diagnostic(&failed.fault, self.start.seed, answers)
    }

    /// Formats the diagnostic of a failure as text.
    pub fn fault_text(&self, failed: &AnswerFailure, answers: usize) -> String {
        render(&self.sources, &[self.fault(failed, answers)], false)
    }
}

/// Reads a file.
///
/// # Errors
/// A usage error if it cannot be read.
pub fn read(sources: &mut Sources, path: &Path) -> Result<FileId, ExitReason> {
    sources.read_file(path).or_else(|fault| usage_error(format!("cannot read `{}`: {fault}", path.display())))
}

/// Loads a game and starts it; shows the diagnostics.
pub fn prepare(workspace: &Workspace, mut start: Start, requested: Option<usize>) -> Result<PreparedTable, ExitReason> {
    let mut sources = Sources::new();
    let text = workspace.load_text(&mut sources, &start.game, &start.packs, &start.with)?;
    workspace.expect_language(std::slice::from_ref(&start.game), &start.packs)?;
    let names = workspace.load_names(&sources, &text.content)?;
    start.players = match (&start.from, requested) {
        (Some(_), None) => default_players(&text),
        _ => players(&text, requested)?,
    };
    let setup = set_up(start.players, &start.options, &start.deal)?;
    let (rules, game) = match &start.from {
        None => {
            let rules = compile_rules(&sources, &text, &setup)?;
            let game = Game::new(&rules, start.seed);
            (rules, game)
        }
        Some(from) => {
            // The spans of the lines refer to a text of their own.
            let file = sources.add(format!("scenario `{}`", from.name), format!("{}\n{}", from.given.text, from.when.text));
            let part = |text: &str, start: usize| {
                let span = crate::source::Span { file, start: cast::fit::<u32>(start), end: cast::fit::<u32>(start + text.len()) };
                crate::pack::Text { text: text.to_string(), span }
            };
            let (given, when) = (part(&from.given.text, 0), part(&from.when.text, from.given.text.len() + 1));
            position(&text, &setup, start.seed, &given, &when).or_else(|faults| fail_with(&sources, &faults))?
        }
    };
    // A misspelt call would otherwise fail in the middle of the game.
    show_diagnostics(&sources, &check_scripts(&rules))?;
    let words = DisplayNames::new(&text, names);
    let root = workspace.root_to_type();
    Ok(PreparedTable { sources, text, words, start, setup, rules, game, root })
}

/// Creates a session of a loaded game; shows the diagnostics of its scripts.
pub fn new_session(prepared: &PreparedTable) -> Result<Session, ExitReason> {
    Session::new(&prepared.rules, prepared.game.clone()).or_else(|faults| fail_with(&prepared.sources, &faults))
}

/// Reads a replay and loads its game. Its spans refer to the sources of the game.
pub fn replay_of(workspace: &Workspace, path: &Path) -> Result<(PreparedTable, Replay), ExitReason> {
    // The game's texts come first, as when it was played: the hash of the rules depends on their order.
    let mut alone = Sources::new();
    let file = read(&mut alone, path)?;
    let text = alone.text(file).to_string();
    let mut faults = Vec::new();
    let Some(found) = parse_replay(file, &text, &mut faults) else { return fail_with(&alone, &faults) };
    let (start, requested) = (found.start.clone(), found.start.players);
    workspace.expect_game(&start.game)?;
    let mut prepared = prepare(workspace, start, Some(requested))?;
    let file = prepared.sources.add(path.display().to_string(), text.clone());
    let again = parse_replay(file, &text, &mut Vec::new());
    Ok((prepared, again.unwrap_or(found)))
}
