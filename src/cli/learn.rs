//! Trains an evaluation of states for the rules of a game.

use std::path::PathBuf;
use std::sync::Arc;

use super::load::{Workspace, compile_rules};
use super::output::{print_error, show_diagnostics};
use super::progress::bar_on_terminal;
use super::result::ExitReason;
use super::signals::{STOP, install_signal_handlers};
use crate::engine::Ruleset;
use crate::lang::{GameText, Setup, compile};
use crate::script::check_scripts;
use crate::source::Sources;
use crate::train::{CompileFailure, LessonResult, Model, Training, TrainingEvent, TrainingResult, style_rules, train};

/// The parameters of a training.
pub struct TrainingTask<'a> {
    /// Files as of the beginning of the run, so that later changes on the disk do not affect it.
    pub read: &'a Sources,
    /// Name of the game.
    pub game: &'a str,
    /// Folders of packs.
    pub packs: &'a [PathBuf],
    /// Rules text, names of variants and paths of rules files that change the game, as `--with` takes them.
    pub rule_changes: &'a [String],
    /// Number of players and options.
    pub setup: &'a Setup,
    /// Number of games of each lesson and generation.
    pub games: u64,
    /// Number of lessons.
    pub lessons: usize,
    /// Number of generations; `None` for the default.
    pub generations: Option<usize>,
    /// Maximum number of terms of the model.
    pub terms: usize,
    /// Number of iterations with which players search who are to go by what is learnt; `None` for players who look one answer ahead.
    pub search: Option<u32>,
    /// Seed of the run.
    pub seed: u64,
}

/// Sets the maximum number of threads; 0 for one on each core.
pub fn limit_threads(threads: impl Into<usize>) {
    // This fails if it was set before, which only happens for a second training with the same value.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
}

/// Returns what rules say a state is worth, as it is written; `None` if they say nothing, or if it is written in several places, since an overlay has
/// changed a part of it.
pub fn own_worth(sources: &Sources, text: &GameText) -> Option<String> {
    let is_of_worth = |address: &str| address.split('.').any(|part| part == "worth");
    if text.tree.written.iter().any(|written| written.old.is_some() && is_of_worth(&written.address)) {
        return None;
    }
    let worth = text.checked().rules.worths.iter().find(|worth| worth.style.is_empty())?;
    Some(sources.slice(worth.value.span).to_string()).filter(|text| !text.is_empty())
}

/// Trains agents for the rules; returns the result of the training and that of each lesson.
pub fn train_side(workspace: &Workspace, pupil: &TrainingTask<'_>) -> Result<(TrainingResult, Vec<LessonResult>), ExitReason> {
    with_training(workspace, pupil, train)
}

/// Writes what was learnt as rules text, to be added to the rules.
pub fn learnt_rules(workspace: &Workspace, pupil: &TrainingTask<'_>, model: &Model) -> Result<String, ExitReason> {
    let mut sources = pupil.read.snapshot();
    let text = workspace.load_text(&mut sources, pupil.game, pupil.packs, pupil.rule_changes)?;
    Ok(style_rules(text.checked(), own_worth(&sources, &text).as_deref(), model))
}

/// Sets up a training, and shows its progress and its errors. Returns also the result of each lesson.
pub fn with_training<T>(
    workspace: &Workspace,
    pupil: &TrainingTask<'_>,
    run: impl FnOnce(&mut Training<'_>) -> Result<T, CompileFailure>,
) -> Result<(T, Vec<LessonResult>), ExitReason> {
    let (mut sources, mut lessons) = (pupil.read.snapshot(), Vec::new());
    let text = workspace.load_text(&mut sources, pupil.game, pupil.packs, pupil.rule_changes)?;
    let plain = compile_rules(&sources, &text, pupil.setup)?;
    show_diagnostics(&sources, &check_scripts(&plain))?;
    install_signal_handlers();
    let bar = bar_on_terminal(0, "{bar:40} {pos}/{len} generations, {eta} left");
    let mut on_event = |heard: &TrainingEvent| match heard {
        TrainingEvent::Lesson(lesson) => {
            print_error(&lesson_text(lesson));
            lessons.push(lesson.clone());
        }
        TrainingEvent::Generation(number, of) => {
            bar.set_length(*of as u64);
            bar.set_position(*number as u64);
        }
    };
    let learnt = run(&mut Training {
        checked: text.checked(),
        own_worth: own_worth(&sources, &text),
        compile: &mut |more| compile_with(workspace, pupil, more),
        last_compiled: None,
        games: pupil.games,
        lessons: pupil.lessons,
        generations: pupil.generations,
        terms: pupil.terms,
        search: pupil.search,
        seed: pupil.seed,
        stop: &STOP,
        on_event: &mut on_event,
    });
    bar.finish_and_clear();
    match learnt {
        Ok(learnt) => Ok((learnt, lessons)),
        Err(failed) => show_diagnostics(&failed.sources, &failed.diagnostics).and(Err(ExitReason::Findings)),
    }
}

/// Compiles the game with additional rules text. The text is shown only if it has errors.
fn compile_with(workspace: &Workspace, pupil: &TrainingTask<'_>, more: &str) -> Result<Arc<Ruleset>, CompileFailure> {
    let (mut sources, mut diagnostics) = (pupil.read.snapshot(), Vec::new());
    let with: Vec<String> = pupil.rule_changes.iter().cloned().chain([more.to_string()]).collect();
    let text = compile::load(&mut sources, workspace.root(), pupil.game, pupil.packs, &with, &mut diagnostics);
    let rules = text.and_then(|text| compile::compile(&text, pupil.setup, &mut diagnostics));
    rules.map(Arc::new).ok_or(CompileFailure { diagnostics, sources })
}

fn lesson_text(lesson: &LessonResult) -> String {
    let LessonResult { lesson, states, tried: _, columns, terms, explained } = lesson;
    // What rounds to nothing is written without a sign.
    let explained = (explained * 100.0).round() + 0.0;
    format!("lesson {lesson}: {terms} terms of {columns} columns explain {explained:.0}% of what {states} states lead to\n")
}

#[cfg(test)]
mod tests {
    use super::super::load::{players, set_up};
    use super::*;
    use std::fs;

    #[test]
    fn what_is_written_while_somebody_learns_is_not_met() {
        let folder = tempfile::tempdir().unwrap();
        let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
        for file in Sources::all_files(&games).into_iter().filter(|file| file.to_string_lossy().contains("skerry")) {
            let to = folder.path().join(file.strip_prefix(&games).unwrap());
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(&file, to).unwrap();
        }
        let workspace = Workspace::of_root(Some(folder.path()));
        let mut read = Sources::new();
        let text = workspace.load_text(&mut read, "skerry", &[], &[]).unwrap_or_else(|_| panic!("a game"));
        let setup = set_up(players(&text, Some(2)).unwrap_or_default(), &[], &[]).unwrap_or_else(|_| panic!("a set-up"));
        fs::write(folder.path().join("rules/skerry.rules"), "game skerry {{{").unwrap();
        let (packs, with) = ([], []);
        let pupil = TrainingTask {
            read: &read,
            game: "skerry",
            packs: &packs,
            rule_changes: &with,
            setup: &setup,
            games: 4,
            lessons: 0,
            generations: Some(0),
            terms: 5,
            search: None,
            seed: 1,
        };
        let rules = compile_with(&workspace, &pupil, "style bold = 2 * score").unwrap_or_else(|failed| panic!("{:?}", failed.diagnostics));
        assert!(rules.find_style("bold").is_some());
        // A reader now sees the new contents.
        assert!(workspace.load_text(&mut Sources::new(), "skerry", &[], &[]).is_err());
    }
}
