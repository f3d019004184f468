//! A comparison in its stages: what is compared and by whom, the pairs of games, and what is told of them.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::super::args::CompareArgs;
use super::super::faults::report_faults;
use super::super::learn::limit_threads;
use super::super::load::Workspace;
use super::super::output::{check_outputs, print_error, show_diagnostics, usage_error};
use super::super::progress::Progress;
use super::super::report::comparison::{BothRulesets, measure, run_of, script_host};
use super::super::result::{CommandResult, ExitReason};
use super::super::saver::{self, RunSaver, parse_part};
use super::super::signals::STOP;
use super::adaptation::{Adaptation, TrainedSides};
use super::{agents_by_rung, crossed, searching};
use crate::agent::AgentKind;
use crate::disk::OnDisk;
use crate::playtest::RunPart;
use crate::playtest::compare::{Comparison, ComparisonResults, RuleChange, Sides, StoppingRule, compare, comparison};
use crate::playtest::saved::{Saved, SavedResults, SideSettings, TypedSettings};
use crate::source::Sources;

/// What is compared, and by whom: players have learnt, and all rules are compiled.
pub(super) struct Plan<'a> {
    workspace: &'a Workspace,
    args: &'a CompareArgs,
    seats: usize,
    threads: usize,
    typed: TypedSettings,
    /// The agents of all seats, for each strength of a ladder.
    pub rungs: Vec<Vec<AgentKind>>,
    /// The rules of both sides as they are for all players.
    both: BothRulesets,
    /// The same for each training of the players who learn, with what they have learnt.
    learnt: Vec<BothRulesets>,
    /// What the rules and options of the sides differ in, without what was learnt.
    changes: Vec<RuleChange>,
    stop: StoppingRule,
    part: RunPart,
}

/// Who plays the pairs of games, and how.
pub(super) struct PairPlayers<'a> {
    pub agents: &'a [AgentKind],
    /// Whether they play by what was learnt, by another training's in each block of pairs.
    pub have_learnt: bool,
    pub seed: u64,
    pub threads: usize,
}

impl<'a> Plan<'a> {
    /// Compiles both sides, and lets players learn their rules if that is wanted. `typed` are the arguments as typed.
    pub fn make(workspace: &'a Workspace, args: &'a CompareArgs, mut typed: TypedSettings, seats: usize) -> Result<Plan<'a>, ExitReason> {
        let rungs = agents_by_rung(args, seats)?;
        let both = BothRulesets::compile_side(workspace, Sources::new(), &args.game, &typed, seats)?;
        let outputs = [("--json", &args.written.json), ("--report", &args.written.report)];
        check_outputs(&outputs, args.save.as_deref(), both.sources.read_paths())?;
        if both.plain.hash == both.changed.hash && args.deal.is_empty() {
            return usage_error("both sides have the same rules and options: there is nothing to compare");
        }
        let changes = both.rule_changes(&typed);
        let learnt = if args.adapt { learn(workspace, args, &both, &mut typed, seats)? } else { Vec::new() };
        let suited = learnt.first().unwrap_or(&both);
        let suits = |agent: &AgentKind| agent.check_rules(&suited.plain).and_then(|()| agent.check_rules(&suited.changed));
        rungs.iter().flatten().try_for_each(suits).or_else(usage_error)?;
        let until = args.until.map(|width| Ok((measure(args.measure.as_deref(), &suited.plain)?, width))).transpose()?;
        let (stop, part) = (StoppingRule { pairs: args.games, until }, parse_part(args.shard, args.games)?);
        let threads = args.run.thread_count();
        Ok(Plan { workspace, args, seats, threads, typed, rungs, both, learnt, changes, stop, part })
    }

    /// The rules of all trainings; those of both sides alone if nobody has learnt.
    fn trainings(&self) -> &[BothRulesets] {
        if self.learnt.is_empty() { std::slice::from_ref(&self.both) } else { &self.learnt }
    }

    /// The rules of the first training.
    fn first(&self) -> &BothRulesets {
        self.learnt.first().unwrap_or(&self.both)
    }

    /// The files of all of them.
    fn sources(&self) -> &Sources {
        &self.learnt.last().unwrap_or(&self.both).sources
    }

    /// Whether these agents are those who have learnt: only they play differently after another training.
    fn have_learnt(&self, agents: &[AgentKind]) -> bool {
        self.args.adapt && agents.contains(&AgentKind::trained())
    }

    fn sides<'s>(&'s self, agents: &'s [AgentKind]) -> Sides<'s> {
        self.first().sides(agents, self.args.run.seed, self.threads)
    }

    /// Opens the file in which the run is kept, if there is to be one. A run that goes on is as it was typed first.
    pub fn open_saver(&mut self) -> Result<Option<RunSaver>, ExitReason> {
        let Some(path) = &self.args.save else { return Ok(None) };
        let agents = self.rungs.first().map_or(&[][..], Vec::as_slice);
        let run = run_of(self.trainings(), &self.sides(agents), &self.stop, &self.typed);
        let sums = SavedResults::Compare(Box::default());
        let saver = RunSaver::open(path, Saved { run, typed: self.typed.clone(), part: self.part, sums }, "pairs")?;
        self.typed.clone_from(&saver.saved().typed);
        Ok(Some(saver))
    }

    /// Plays the pairs that are missing, and keeps them.
    pub fn play(&self, agents: &[AgentKind], mut saver: Option<RunSaver>) -> Result<ComparisonResults, ExitReason> {
        let begun = match saver.as_ref().map(|saver| &saver.saved().sums) {
            Some(SavedResults::Compare(begun)) => (**begun).clone(),
            Some(SavedResults::Playtest(_)) | None => ComparisonResults::default(),
        };
        let word = if self.stop.until.is_some() { "pairs at most" } else { "pairs" };
        let progress = Progress::new(self.part.games(self.stop.pairs).count() as u64, word);
        let have_learnt = self.have_learnt(agents);
        let rules = if have_learnt { self.trainings() } else { std::slice::from_ref(self.first()) };
        let players = PairPlayers { agents, have_learnt, seed: self.args.run.seed, threads: self.threads };
        let found = play_pairs(rules, &players, (&self.stop, self.part), begun, &mut |done, found| {
            progress.set_done(done);
            if saver.as_mut().is_some_and(|saver| !saver.save_if_due(|| results_to_save(found))) {
                // The remaining pairs could not be saved.
                STOP.store(true, Ordering::Relaxed);
            }
        })?;
        progress.finish();
        saver.map_or(Ok(()), |saver| saver.finish(results_to_save(&found)))?;
        Ok(found)
    }

    /// Returns what is told of the pairs that were played, and whether anything went wrong in them.
    pub fn report(&self, agents: &[AgentKind], found: &ComparisonResults) -> Result<(Comparison, CommandResult), ExitReason> {
        let (args, mut result) = (self.args, Ok(()));
        let mut told = comparison(&self.sides(agents), &self.stop, found, self.typed.both.clone(), self.typed.changes.clone());
        told = told.of_part(self.part);
        if let Some(skill) = self.typed.skill().filter(|_| self.have_learnt(agents)) {
            told = told.by_players_of_skill(skill).beside_search(self.typed.skill_beside_search());
        }
        // A part of a run, or one that is to go on, is by those it was begun with.
        let may_search = args.ladder.is_none() && args.save.is_none() && args.shard.is_none();
        if may_search && (told.is_below_even() || told.is_below_search()) && !STOP.load(Ordering::Relaxed) {
            told = searching::in_place_of(told, self.first(), args, self.threads)?;
        }
        if args.cross && !STOP.load(Ordering::Relaxed) {
            match crossed::cross_play(self.workspace, args, &self.typed, (&self.first().sources, self.seats, self.threads)) {
                Ok(Some([without, with])) => told = told.beside([&without, &with]),
                Ok(None) => print_error("stopped before the players of each side had played both\n"),
                // What has been compared is reported all the same.
                Err(why) => {
                    print_error("the players of one side cannot play the rules of the other, so that nothing is told of that\n");
                    result = Err(why);
                }
            }
        }
        let told = self.first().in_language(told.at_pace(args.written.pace).between(self.changes.clone()));
        Ok((told, result.and(report_faults(self.sources(), &found.dropped))))
    }
}

/// Lets players learn the rules of both sides, or takes over what they had learnt when a saved run began, and notes it in `typed`. Returns the rules of
/// each training.
fn learn(
    workspace: &Workspace,
    args: &CompareArgs,
    both: &BothRulesets,
    typed: &mut TypedSettings,
    seats: usize,
) -> Result<Vec<BothRulesets>, ExitReason> {
    let saved = args.save.as_deref().filter(|path| path.is_there()).map(saver::read).transpose()?;
    let learnt = match saved.and_then(|saved| trained_sides(saved.typed, typed, args.trainings)) {
        Some(learnt) => learnt,
        None => {
            limit_threads(args.run.threads);
            Adaptation::begin(workspace, &both.sources, args, &typed.sides, (seats, args.run.seed))?.train_all()?
        }
    };
    (typed.sides, typed.above_greedy, typed.above_search) = (learnt.sides, learnt.above_greedy, learnt.above_search);
    if STOP.load(Ordering::Relaxed) {
        return usage_error("stopped while players were learning; nothing has been compared");
    }
    BothRulesets::compile_trainings(workspace, both.sources.snapshot(), &args.game, typed, seats)
}

/// Returns the sides of a saved run with their trained agents; `None` if the run was started with other arguments.
fn trained_sides(saved: TypedSettings, typed: &TypedSettings, trainings: u32) -> Option<TrainedSides> {
    let unlearnt = |side: &SideSettings| {
        let with = side.with.split_last().map(|(_, with)| with.to_vec())?;
        Some(SideSettings { with, ..side.clone() })
    };
    let as_typed = |sides: &[SideSettings]| {
        let sides: Option<Vec<SideSettings>> = sides.iter().map(unlearnt).collect();
        sides.is_some_and(|sides| TypedSettings { sides, above_greedy: Vec::new(), above_search: Vec::new(), ..saved.clone() } == *typed)
    };
    let is_same = saved.sides.len() == 2 * trainings as usize && saved.sides.chunks(2).all(as_typed);
    let TypedSettings { sides, above_greedy, above_search, .. } = saved;
    is_same.then_some(TrainedSides { sides, above_greedy, above_search })
}

/// Plays pairs of games: those of each training by its rules. `on_pair` gets how many are done, and what was found so far.
///
/// # Errors
/// Faults of the scripts of a side, which are shown.
pub(super) fn play_pairs(
    rules: &[BothRulesets],
    players: &PairPlayers<'_>,
    (stop, part): (&StoppingRule, RunPart),
    begun: ComparisonResults,
    on_pair: &mut dyn FnMut(u64, &ComparisonResults),
) -> Result<ComparisonResults, ExitReason> {
    let &PairPlayers { agents, have_learnt, seed, threads } = players;
    let (mut found, mut done_before, mut stopped) = (begun, 0, false);
    for (training, both) in rules.iter().enumerate() {
        if STOP.load(Ordering::Relaxed) {
            stopped = true;
            break;
        }
        let sides = Sides { training: have_learnt.then_some(training), ..both.sides(agents, seed, threads) };
        let scripts = (|| script_host(&both.plain), || script_host(&both.changed));
        let block = RunPart { number: training as u64 + 1, parts: rules.len() as u64 };
        let pairs = overlap(part.games(stop.pairs), block.games(stop.pairs));
        let mut done_here = 0;
        let played = compare(&sides, (&scripts.0, &scripts.1), stop, found, pairs, &STOP, &mut |done, found| {
            done_here = done;
            on_pair(done_before + done, found);
        });
        found = played.or_else(|faults| {
            let sources = rules.last().map_or(&both.sources, |last| &last.sources);
            show_diagnostics(sources, &faults).and(Err(ExitReason::Findings))
        })?;
        done_before += done_here;
        stopped |= found.stopped;
    }
    found.stopped = stopped;
    Ok(found)
}

/// Returns the results to be saved. Pairs of games in which an agent did not answer are left out, since they are to be played again.
fn results_to_save(found: &ComparisonResults) -> SavedResults {
    SavedResults::Compare(Box::new(found.clone().without_unanswered()))
}

/// Returns the numbers that are in both ranges.
fn overlap(one: Range<u64>, other: Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}
