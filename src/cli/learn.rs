//! Trains an evaluation of states for the rules of a game.

use std::cell::RefCell;
use std::sync::Arc;

use serde_json::Value;

use super::load::{CompiledGame, Workspace};
use super::output::{print_error, show_diagnostics};
use super::result::ExitReason;
use super::run::Run;
use super::saver::RunSaver;
use super::signals::STOP;
use super::stage::{Played, Stage};
use crate::engine::Ruleset;
use crate::lang::{GameText, compile};
use crate::source::Sources;
use crate::spec::SideSettings;
use crate::steps::Steps;
use crate::train::{CompileFailure, LessonResult, Model, Training, TrainingEvent, style_rules};

/// A training by the rules of one side of a run. Its files are as they were when the run began, so that later changes on the disk do not affect it.
pub struct TrainingTask<'a> {
    /// The run whose players learn.
    pub run: &'a Run<'a>,
    /// The side by whose rules they learn.
    pub side: usize,
    /// Where the game of this side is found.
    pub workspace: &'a Workspace,
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
    /// Seed of the training.
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

impl TrainingTask<'_> {
    fn settings(&self) -> &SideSettings {
        &self.run.spec.typed.sides[self.side]
    }

    fn compiled(&self) -> &CompiledGame {
        if self.side == 0 { &self.run.sides.plain } else { self.run.sides.changed() }
    }

    /// Trains, and shows the progress. Goes on behind the steps that a run before has kept, and keeps further ones if there is a file for them.
    /// Returns also the result of each lesson.
    pub fn play<T>(
        &self,
        begun: Vec<Value>,
        saver: Option<RunSaver>,
        train: impl FnOnce(&mut Training<'_>) -> Result<T, CompileFailure>,
    ) -> Result<Played<(T, Vec<LessonResult>)>, ExitReason> {
        let (text, is_kept, mut lessons) = (&self.compiled().text, saver.is_some(), Vec::new());
        let stage = RefCell::new(Stage::begin(0, "generations", saver));
        let mut keep = |steps: &[Value]| stage.borrow_mut().keep(steps);
        let mut on_event = |heard: &TrainingEvent| match heard {
            TrainingEvent::Lesson(lesson) => {
                print_error(&lesson_text(lesson));
                lessons.push(lesson.clone());
            }
            TrainingEvent::Generation(number, of) => stage.borrow().done_of(*number as u64, *of as u64),
        };
        let mut training = Training {
            checked: text.checked(),
            own_worth: own_worth(&self.run.sides.sources, text),
            compile: &mut |more| self.compile_with(more),
            last_compiled: None,
            games: self.games,
            lessons: self.lessons,
            generations: self.generations,
            terms: self.terms,
            search: self.search,
            seed: self.seed,
            steps: if is_kept { Steps::behind(begun, &mut keep) } else { Steps::default() },
            stop: &STOP,
            on_event: &mut on_event,
        };
        let learnt = train(&mut training);
        let steps = training.steps.results().to_vec();
        let mut stage = stage.into_inner();
        stage.keep_all(steps.as_slice());
        match learnt {
            Ok(learnt) => Ok(stage.end((learnt, lessons))),
            Err(failed) => show_diagnostics(&failed.sources, &failed.diagnostics).and(Err(ExitReason::Findings)),
        }
    }

    /// Writes what was learnt as rules text, to be added to the rules.
    pub fn learnt_rules(&self, model: &Model) -> String {
        let text = &self.compiled().text;
        style_rules(text.checked(), own_worth(&self.run.sides.sources, text).as_deref(), model)
    }

    /// Compiles the game with additional rules text. The text is shown only if it has errors.
    fn compile_with(&self, more: &str) -> Result<Arc<Ruleset>, CompileFailure> {
        let (mut sources, mut diagnostics, side) = (self.run.sides.sources.snapshot(), Vec::new(), self.settings());
        let with: Vec<String> = side.with.iter().cloned().chain([more.to_string()]).collect();
        let text = compile::load(&mut sources, self.workspace.root(), &self.run.spec.run.game, &side.packs, &with, &mut diagnostics);
        let rules = text.and_then(|text| compile::compile(&text, &self.compiled().setup, &mut diagnostics));
        rules.map(Arc::new).ok_or(CompileFailure { diagnostics, sources })
    }
}

fn lesson_text(lesson: &LessonResult) -> String {
    let LessonResult { lesson, states, tried: _, columns, terms, explained } = lesson;
    // What rounds to nothing is written without a sign.
    let explained = (explained * 100.0).round() + 0.0;
    format!("lesson {lesson}: {terms} terms of {columns} columns explain {explained:.0}% of what {states} states lead to\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playtest::saved::RunIdentity;
    use crate::spec::{RunSpec, TypedSettings};
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
        let identity = RunIdentity { game: "skerry".to_string(), ..RunIdentity::default() };
        let typed = TypedSettings::of_side(SideSettings::default(), &["greedy".to_string()]);
        let spec = RunSpec { run: identity, typed, players: Some(2), ..RunSpec::default() };
        let run = Run::compile(&workspace, spec, 1).unwrap_or_else(|_| panic!("a game"));
        fs::write(folder.path().join("rules/skerry.rules"), "game skerry {{{").unwrap();
        let (run, workspace) = (&run, &workspace);
        let pupil = TrainingTask { run, side: 0, workspace, games: 4, lessons: 0, generations: Some(0), terms: 5, search: None, seed: 1 };
        let rules = pupil.compile_with("style bold = 2 * score").unwrap_or_else(|failed| panic!("{:?}", failed.diagnostics));
        assert!(rules.find_style("bold").is_some());
        // A reader now sees the new contents.
        assert!(workspace.load_text(&mut Sources::new(), "skerry", &[], &[]).is_err());
    }
}
