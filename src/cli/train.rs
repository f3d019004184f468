//! `houserule train`: players that learn what a state is worth.

use std::path::PathBuf;
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::args::TrainArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, outputs_apart, print, say, tell, watched, wrong};
use super::playtest::set_up;
use super::signals::{STOP, hear_signals};
use super::{Done, Trouble};
use crate::engine::Ruleset;
use crate::lang::{Setup, compile};
use crate::playtest::compare::Difference;
use crate::script::check_scripts;
use crate::source::Sources;
use crate::train::{Failed, Heard, Learnt, Lesson, Model, Training, declared, train};

/// What `--json` says.
#[derive(Serialize)]
struct Found<'a> {
    game: &'a str,
    players: usize,
    seed: u64,
    lessons: &'a [Lesson],
    /// It was ended early.
    stopped: bool,
    model: &'a Model,
    /// What greedy (`plain`) and the model (`changed`) win at tables of theirs, for each seat; none if they have not met.
    against_greedy: Option<Difference>,
    rules: &'a str,
}

/// For what, and how long, somebody is trained.
pub struct Pupil<'a> {
    /// Files as they were when the run began: who learns for long does not meet what is written meanwhile.
    pub read: &'a Sources,
    /// The game.
    pub game: &'a str,
    /// Packs.
    pub packs: &'a [PathBuf],
    /// Changed rules.
    pub with: &'a [String],
    /// Players and options.
    pub setup: &'a Setup,
    /// Games of each lesson and generation.
    pub games: u64,
    /// Lessons.
    pub lessons: usize,
    /// Generations, if somebody says how many.
    pub generations: Option<usize>,
    /// Terms at most.
    pub terms: usize,
    /// Seed.
    pub seed: u64,
}

/// Games of each lesson and generation, if nothing else is said.
pub const GAMES: u64 = 200;
/// Lessons, if nothing else is said.
pub const LESSONS: usize = 1;
/// How what was learnt begins: it may take the place of what was learnt before, and of nothing else.
const LEARNT: &str = "// What `houserule train ";
/// Terms, if nothing else is said.
pub const TERMS: usize = 60;

/// Learns what a state is worth, and writes it as rules.
pub fn train_players(ground: &Ground, args: &TrainArgs) -> Done {
    let mut sources = Sources::new();
    let text = ground.text(&mut sources, &args.game, &args.pack, &args.with)?;
    ground.expect_language(std::slice::from_ref(&text.content.game), &args.pack)?;
    let setup = set_up(players(&text, args.run.players)?, &args.option, &[])?;
    outputs_apart(&[("--write", &args.write), ("--json", &args.json)], None, sources.read())?;
    let (write, json) = (args.write.as_ref().map(|path| Out::open_anew(path, LEARNT)).transpose()?, Out::open_if(args.json.as_ref())?);
    limit_threads(args.run.threads);
    let quiet = [&write, &json].into_iter().flatten().any(Out::is_terminal);
    let pupil = Pupil {
        read: &sources,
        game: &args.game,
        packs: &args.pack,
        with: &args.with,
        setup: &setup,
        games: args.games,
        lessons: args.lessons,
        generations: args.generations,
        terms: args.terms,
        seed: args.run.seed,
    };
    let (learnt, lessons) = learn(ground, &pupil)?;
    let Some(model) = learnt.best() else { return wrong("nothing was learnt: the run was stopped before the first lesson was over") };
    let early = if learnt.stopped { " until it was stopped early" } else { "" };
    let head = format!("{LEARNT}{} --players {} --seed {}` has learnt{early}", args.game, setup.players, args.run.seed);
    let rules = format!("{head}.\n{}", declared(text.checked(), model));
    if !quiet {
        print(&format!("{}\n{rules}", learnt.text()));
    }
    if let Some(write) = write {
        write.text(&rules)?;
    }
    if let Some(json) = json {
        let against_greedy = (learnt.duel.pairs.taken > 0).then(|| learnt.against_greedy());
        json.json(&Found {
            game: &args.game,
            players: setup.players,
            seed: args.run.seed,
            lessons: &lessons,
            stopped: learnt.stopped,
            model,
            against_greedy,
            rules: &rules,
        })?;
    }
    Ok(())
}

/// Players learn on so many threads at most; 0 for one on each core.
pub fn limit_threads(threads: u16) {
    // It has been settled already only if somebody learns twice in one run, on as many threads.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
}

/// What players of these rules learn, as rules to be added to them.
pub fn learnt_rules(ground: &Ground, pupil: &Pupil<'_>) -> Result<String, Trouble> {
    let (learnt, _) = learn(ground, pupil)?;
    let Some(model) = learnt.best() else { return wrong("nothing was learnt: the run was stopped before the first lesson was over") };
    let text = ground.text(&mut pupil.read.held(), pupil.game, pupil.packs, pupil.with)?;
    Ok(declared(text.checked(), model))
}

fn learn(ground: &Ground, pupil: &Pupil<'_>) -> Result<(Learnt, Vec<Lesson>), Trouble> {
    let mut sources = pupil.read.held();
    let text = ground.text(&mut sources, pupil.game, pupil.packs, pupil.with)?;
    let plain = compiled(&sources, &text, pupil.setup)?;
    tell(&sources, &check_scripts(&plain))?;
    hear_signals();
    let mut lessons = Vec::new();
    let bar = if watched() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} generations, {eta} left") {
        bar.set_style(style);
    }
    let mut hear = |heard: &Heard| match heard {
        Heard::Lesson(lesson) => {
            say(&lesson_text(lesson));
            lessons.push(lesson.clone());
        }
        Heard::Generation(number, of) => {
            bar.set_length(*of as u64);
            bar.set_position(*number as u64);
        }
    };
    let learnt = train(&mut Training {
        checked: text.checked(),
        compile: &mut |more| with_more(ground, pupil, more),
        games: pupil.games,
        lessons: pupil.lessons,
        generations: pupil.generations,
        terms: pupil.terms,
        seed: pupil.seed,
        stop: &STOP,
        hear: &mut hear,
    });
    bar.finish_and_clear();
    match learnt {
        Ok(learnt) => Ok((learnt, lessons)),
        Err(failed) => tell(&failed.sources, &failed.diagnostics).and(Err(Trouble::Finding)),
    }
}

/// The same game with more rules text, which is never shown unless it is wrong.
fn with_more(ground: &Ground, pupil: &Pupil<'_>, more: &str) -> Result<Arc<Ruleset>, Failed> {
    let (mut sources, mut diagnostics) = (pupil.read.held(), Vec::new());
    let with: Vec<String> = pupil.with.iter().cloned().chain([more.to_string()]).collect();
    let text = compile::load(&mut sources, ground.root(), pupil.game, pupil.packs, &with, &mut diagnostics);
    let rules = text.and_then(|text| compile::compile(&text, pupil.setup, &mut diagnostics));
    rules.map(Arc::new).ok_or(Failed { diagnostics, sources })
}

fn lesson_text(lesson: &Lesson) -> String {
    let Lesson { lesson, states, columns, terms, explained } = lesson;
    let explained = explained * 100.0;
    format!("lesson {lesson}: {terms} terms of {columns} columns explain {explained:.0}% of what {states} states lead to\n")
}

#[cfg(test)]
mod tests {
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
        let ground = Ground::of(Some(folder.path()));
        let mut read = Sources::new();
        let text = ground.text(&mut read, "skerry", &[], &[]).unwrap_or_else(|_| panic!("a game"));
        let setup = set_up(players(&text, Some(2)).unwrap_or_default(), &[], &[]).unwrap_or_else(|_| panic!("a set-up"));
        fs::write(folder.path().join("rules/skerry.rules"), "game skerry {{{").unwrap();
        let (packs, with) = ([], []);
        let pupil = Pupil {
            read: &read,
            game: "skerry",
            packs: &packs,
            with: &with,
            setup: &setup,
            games: 4,
            lessons: 0,
            generations: Some(0),
            terms: 5,
            seed: 1,
        };
        let rules = with_more(&ground, &pupil, "style bold = 2 * score").unwrap_or_else(|failed| panic!("{:?}", failed.diagnostics));
        assert!(rules.style("bold").is_some());
        // Who reads it now meets what was written.
        assert!(ground.text(&mut Sources::new(), "skerry", &[], &[]).is_err());
    }
}
