//! `houserule compare`: plays the same games with and without a change.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

mod aa;
mod adaptation;
mod crossed;
mod searching;

use super::args::CompareArgs;
use super::faults::report_faults;
use super::learn::limit_threads;
use super::load::{Workspace, players};
use super::output::{check_outputs, print_error, show_diagnostics, usage_error};
use super::progress::Progress;
use super::report::Outputs;
use super::report::comparison::{BothRulesets, measure, run_of, script_host, show, show_ladder};
use super::result::{CommandResult, ExitReason};
use super::saver::{self, RunSaver, parse_part};
use super::signals::{STOP, install_signal_handlers};
use crate::agent::{AgentKind, parse_seats};
use crate::disk::OnDisk;
use crate::playtest::RunPart;
use crate::playtest::compare::{ComparisonResults, Ladder, MIN_PAIRS_TO_STOP, Sides, StoppingRule, compare, comparison};
use crate::playtest::saved::{GameVersion, Saved, SavedResults, SideSettings, TypedSettings};
use crate::source::Sources;
use adaptation::{Adaptation, TrainedSides};

/// What `--since` calls the version of a game inside the program.
const INSIDE: &str = "inside";

/// Runs `houserule compare`.
pub fn compare_games(workspace: &Workspace, args: &CompareArgs) -> CommandResult {
    if changes(args).is_empty() && args.aa.is_none() {
        return usage_error("nothing is changed; give the change by `--with`, `--against`, `--set`, `--deal` or `--since`");
    }
    if args.until.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        return usage_error("`--until` wants a number above 0, such as 0.3");
    }
    if args.until.is_some() && args.games < MIN_PAIRS_TO_STOP {
        return usage_error(format!(
            "`--until` looks for the first time after {MIN_PAIRS_TO_STOP} pairs; let -n be {MIN_PAIRS_TO_STOP} or more"
        ));
    }
    let trainings = if args.adapt { args.trainings } else { 1 };
    if u64::from(trainings) > args.games {
        return usage_error(format!(
            "`--trainings {trainings}`: each has games of its own; let -n be {trainings} or more, or train less often"
        ));
    }
    if args.aa.is_some() && args.adapt && trainings < 2 {
        return usage_error("a single training shows nothing, so that it raises no false alarm: let --trainings be 2 or more");
    }
    let mut typed = typed_settings(args)?;
    let seats = {
        let text = workspace.load_text(&mut Sources::new(), &args.game, &args.pack, &args.both)?;
        players(&text, args.run.players)?
    };
    if let Some(runs) = args.aa {
        return aa::compare(workspace, args, seats, runs);
    }
    expect_version(workspace, args)?;
    let rungs = agents_by_rung(args, seats)?;
    let both = BothRulesets::compile_side(workspace, Sources::new(), &args.game, &typed, seats)?;
    let outputs = [("--json", &args.written.json), ("--report", &args.written.report)];
    check_outputs(&outputs, args.save.as_deref(), both.sources.read_paths())?;
    if both.plain.hash == both.changed.hash && args.deal.is_empty() {
        return usage_error("both sides have the same rules and options: there is nothing to compare");
    }
    let changed_rules = both.rule_changes(&typed);
    if args.adapt {
        let saved = args.save.as_deref().filter(|path| path.is_there()).map(saver::read).transpose()?;
        let learnt = match saved.and_then(|saved| trained_sides(saved.typed, &typed, trainings)) {
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
    }
    let trained = match args.adapt {
        true => BothRulesets::compile_trainings(workspace, both.sources.snapshot(), &args.game, &typed, seats)?,
        false => vec![both],
    };
    let ([both, ..], Some(last)) = (trained.as_slice(), trained.last()) else { return usage_error("a comparison has two sides") };
    let suits = |agent: &AgentKind| agent.check_rules(&both.plain).and_then(|()| agent.check_rules(&both.changed));
    rungs.iter().flatten().try_for_each(suits).or_else(usage_error)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let until = args.until.map(|width| Ok((measure(args.measure.as_deref(), &both.plain)?, width))).transpose()?;
    let stop = StoppingRule { pairs: args.games, until };
    let part = parse_part(args.shard, args.games)?;
    let first = rungs.first().map_or(&[][..], Vec::as_slice);
    let saved = Saved {
        run: run_of(&trained, &both.sides(first, args.run.seed, threads), &stop, &typed),
        typed: typed.clone(),
        part,
        sums: SavedResults::Compare(Box::default()),
    };
    let mut saver = args.save.as_ref().map(|path| RunSaver::open(path, saved, "pairs")).transpose()?;
    if let Some(saver) = &saver {
        typed.clone_from(&saver.saved().typed);
    }
    let outputs = Outputs::open(&args.written)?;
    install_signal_handlers();
    let mut result = Ok(());
    let mut comparisons = Vec::new();
    for agents in &rungs {
        let mut found = match saver.as_ref().map(|saver| &saver.saved().sums) {
            Some(SavedResults::Compare(begun)) => (**begun).clone(),
            Some(SavedResults::Playtest(_)) | None => ComparisonResults::default(),
        };
        let progress = Progress::new(part.games(args.games).count() as u64, if stop.until.is_some() { "pairs at most" } else { "pairs" });
        let sides = both.sides(agents, args.run.seed, threads);
        // Only who has learnt plays differently after another training.
        let has_learnt = args.adapt && agents.contains(&AgentKind::trained());
        let of_trainings = if has_learnt { trained.as_slice() } else { std::slice::from_ref(both) };
        let (mut done_before, mut stopped) = (0, false);
        for (training, rules) in of_trainings.iter().enumerate() {
            let sides = Sides { training: has_learnt.then_some(training), ..rules.sides(agents, args.run.seed, threads) };
            let scripts = (&|| script_host(&rules.plain), &|| script_host(&rules.changed));
            let block = RunPart { number: training as u64 + 1, parts: of_trainings.len() as u64 };
            let pairs = overlap(part.games(args.games), block.games(args.games));
            let mut done_here = 0;
            let played = compare(&sides, (scripts.0, scripts.1), &stop, (found, pairs), &STOP, &mut |done, found| {
                done_here = done;
                progress.set_done(done_before + done);
                if saver.as_mut().is_some_and(|saver| !saver.save_if_due(|| results_to_save(found))) {
                    // The remaining pairs could not be saved.
                    STOP.store(true, Ordering::Relaxed);
                }
            });
            found = match played {
                Ok(found) => found,
                Err(faults) => return show_diagnostics(&last.sources, &faults).and(Err(ExitReason::Findings)),
            };
            done_before += done_here;
            stopped |= found.stopped;
        }
        found.stopped = stopped;
        progress.finish();
        saver.take().map_or(Ok(()), |saver| saver.finish(results_to_save(&found)))?;
        let mut comparison = comparison(&sides, &stop, &found, typed.both.clone(), typed.changes.clone()).of_part(part);
        if let Some(skill) = typed.skill().filter(|_| has_learnt) {
            comparison = comparison.by_players_of_skill(skill).beside_search(typed.skill_beside_search());
        }
        // A part of a run, or one that is to go on, is by those it was begun with.
        let may_search = args.ladder.is_none() && args.save.is_none() && args.shard.is_none();
        if may_search && (comparison.is_below_even() || comparison.is_below_search()) && !STOP.load(Ordering::Relaxed) {
            comparison = searching::in_place_of(comparison, both, args, threads)?;
        }
        if args.cross && !STOP.load(Ordering::Relaxed) {
            match crossed::cross_play(workspace, args, &typed, (&both.sources, seats, threads)) {
                Ok(Some([without, with])) => comparison = comparison.beside([&without, &with]),
                Ok(None) => print_error("stopped before the players of each side had played both\n"),
                // What has been compared is reported all the same.
                Err(why) => {
                    print_error("the players of one side cannot play the rules of the other, so that nothing is told of that\n");
                    result = result.and(Err(why));
                }
            }
        }
        comparisons.push(both.in_language(comparison.at_pace(args.written.pace).between(changed_rules.clone())));
        result = result.and(report_faults(&last.sources, &found.dropped));
    }
    if args.ladder.is_some() {
        return show_ladder(&Ladder::new(comparisons), outputs).and(result);
    }
    comparisons.first().map_or(Ok(()), |comparison| show(comparison, args.all, outputs)).and(result)
}

/// Returns the results to be saved. Pairs of games in which an agent did not answer are left out, since they are to be played again.
fn results_to_save(found: &ComparisonResults) -> SavedResults {
    SavedResults::Compare(Box::new(found.clone().without_unanswered()))
}

/// Returns the command-line arguments as typed, before any training of agents.
fn typed_settings(args: &CompareArgs) -> Result<TypedSettings, ExitReason> {
    let side = SideSettings { packs: args.pack.clone(), with: args.both.clone(), options: args.option.clone(), ..SideSettings::default() };
    let plain = SideSettings { version: args.since.as_deref().map_or(GameVersion::Current, version), ..side.clone() };
    let mut changed = side;
    for path in &args.against {
        if path.is_folder() {
            changed.packs.push(path.clone());
        } else {
            changed.with.push(read_rules_file(path)?);
        }
    }
    changed.with.extend(args.with.iter().cloned());
    changed.options.extend(args.set.iter().cloned());
    changed.deal.clone_from(&args.deal);
    let agents = if args.adapt { vec![AgentKind::trained().to_string()] } else { args.who.agents.clone() };
    Ok(TypedSettings {
        sides: vec![plain, changed],
        above_greedy: Vec::new(),
        above_search: Vec::new(),
        agents,
        both: settings_of_both(args),
        changes: changes(args),
    })
}

/// Returns the version that `--since` names.
fn version(since: &str) -> GameVersion {
    if since == INSIDE { GameVersion::BuiltIn } else { GameVersion::Folder(since.into()) }
}

/// Checks that the game is in the version that `--since` names.
fn expect_version(workspace: &Workspace, args: &CompareArgs) -> CommandResult {
    let Some(since) = &args.since else { return Ok(()) };
    let games = workspace.at_version(&version(since))?.games();
    if games.contains(&args.game) {
        return Ok(());
    }
    let place = if since == INSIDE { "inside the program".to_string() } else { format!("in `{since}`") };
    usage_error(format!("`--since {since}`: there is no game `{}` {place}, but {}", args.game, games.join(", ")))
}

/// Returns the agents of all seats: one list, or one for each strength of a ladder.
fn agents_by_rung(args: &CompareArgs, seats: usize) -> Result<Vec<Vec<AgentKind>>, ExitReason> {
    let Some(ladder) = &args.ladder else {
        let agents =
            if args.adapt { Ok(vec![AgentKind::trained(); seats]) } else { parse_seats(&args.who.agents, seats, args.who.time_limit) };
        return Ok(vec![agents.or_else(usage_error)?]);
    };
    let mut kinds = ladder.split(',').map(|name| AgentKind::parse(name.trim())).collect::<Result<Vec<_>, _>>().or_else(usage_error)?;
    if args.adapt && !kinds.contains(&AgentKind::trained()) {
        kinds.push(AgentKind::trained());
    }
    if let Some(twice) = kinds.iter().enumerate().find_map(|(at, kind)| kinds[..at].contains(kind).then_some(kind)) {
        return usage_error(format!("`{twice}` is named twice; each rung is named once"));
    }
    if kinds.iter().all(|kind| *kind == AgentKind::Random) {
        return usage_error("a ladder wants a rung above chance, such as `--ladder random,greedy`");
    }
    Ok(kinds.into_iter().map(|kind| vec![kind; seats]).collect())
}

/// Returns the numbers that are in both ranges.
fn overlap(one: Range<u64>, other: Range<u64>) -> Range<u64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
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

/// Reads the rules file that contains the change to be compared.
fn read_rules_file(path: &Path) -> Result<String, ExitReason> {
    let is_rules = path.extension().is_some_and(|ending| ending == "rules");
    match path.to_str() {
        Some(name) if is_rules && path.is_plain_file() => Ok(name.to_string()),
        _ => usage_error(format!(
            "`{}` is neither a pack's folder nor a file of rules; text and variants are given by `--with`",
            path.display()
        )),
    }
}

/// Returns the settings that only the changed side has, as typed on the command line.
fn changes(args: &CompareArgs) -> Vec<String> {
    let since = args.since.iter().map(|version| format!("--since {version}"));
    let against = args.against.iter().map(|path| format!("--against {}", path.display()));
    let with = args.with.iter().map(|text| format!("--with '{text}'"));
    let set = args.set.iter().map(|option| format!("--set {option}"));
    let deal = args.deal.iter().map(|card| format!("--deal {card}"));
    since.chain(against).chain(with).chain(set).chain(deal).collect()
}

/// Returns the settings that both sides have, as typed on the command line.
fn settings_of_both(args: &CompareArgs) -> Vec<String> {
    let packs = args.pack.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = args.both.iter().map(|text| format!("--both '{text}'"));
    let options = args.option.iter().map(|option| format!("--option {option}"));
    let learnt = args.generations.iter().map(|generations| format!("--generations {generations}"));
    packs.chain(with).chain(options).chain(learnt).collect()
}
