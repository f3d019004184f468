//! What is run, from the arguments of each command.

use std::collections::BTreeMap;
use std::path::Path;

use super::args::{CompareArgs, PlaytestArgs, RunArgs, SetupArgs, TournamentArgs, TrainArgs, TuneArgs};
use super::output::usage_error;
use super::result::ExitReason;
use crate::agent::AgentKind;
use crate::disk::OnDisk;
use crate::playtest::compare::Measure;
use crate::playtest::saved::{RunIdentity, SavedCommand};
use crate::spec::{GameVersion, Learning, RunKind, RunSpec, SideSettings, TypedSettings};

/// How the settings of both sides of a comparison are typed, and those of the changed side alone.
const BOTH_OPTIONS: [&str; 4] = ["--pack", "--both", "--option", "--deal"];
const CHANGE_OPTIONS: [&str; 4] = ["--against", "--with", "--set", "--deal"];

/// Returns a run of so many games, with what all commands name alike.
fn run_of(kind: RunKind, game: &str, games: u64, args: &RunArgs, typed: TypedSettings) -> RunSpec {
    let run = RunIdentity { game: game.to_string(), games, seed: args.seed, ..RunIdentity::default() };
    RunSpec { run, typed, kind, players: args.players, ..RunSpec::default() }
}

/// Checks what can be judged without the game.
fn checked(spec: RunSpec) -> Result<RunSpec, ExitReason> {
    spec.check().or_else(usage_error).map(|()| spec)
}

/// Returns the settings by which a game is changed.
fn side_of(changed: &SetupArgs) -> SideSettings {
    let SetupArgs { with, pack, deal, option } = changed.clone();
    SideSettings { packs: pack, with, options: option, deal, version: GameVersion::Current }
}

/// Returns what `houserule playtest` runs.
pub fn of_playtest(args: &PlaytestArgs) -> Result<RunSpec, ExitReason> {
    let kind = if args.series { RunKind::Series } else { RunKind::Games };
    let typed = TypedSettings::of_side(side_of(&args.changed), &args.who.agents);
    let mut spec = run_of(kind, &args.game, args.games, &args.run, typed);
    spec.run.hooks = args.hooks;
    checked(RunSpec { part: args.kept.shard.unwrap_or_default(), time_limit: args.who.time_limit, pace: args.written.pace, ..spec })
}

/// Returns what `houserule tournament` runs.
pub fn of_tournament(args: &TournamentArgs) -> Result<RunSpec, ExitReason> {
    let typed = TypedSettings::of_side(side_of(&args.changed), &args.agents);
    let spec = run_of(RunKind::Tournament, &args.game, args.games, &args.run, typed);
    checked(RunSpec { time_limit: args.time_limit, ..spec })
}

/// Returns what `houserule train` runs.
pub fn of_train(args: &TrainArgs) -> Result<RunSpec, ExitReason> {
    let side = SideSettings { packs: args.pack.clone(), with: args.with.clone(), options: args.option.clone(), ..SideSettings::default() };
    let typed = TypedSettings::of_side(side, &[AgentKind::with_style("").to_string()]);
    let mut spec = run_of(RunKind::Training, &args.game, args.games, &args.run, typed);
    let all = [
        ("--lessons", Some(args.lessons.to_string())),
        ("--generations", args.generations.map(|count| count.to_string())),
        ("--terms", Some(args.terms.to_string())),
        ("--search", args.search.map(|iterations| iterations.to_string())),
    ];
    (spec.run.command, spec.run.further) = (SavedCommand::Train, named(all));
    checked(spec)
}

/// Returns what `houserule tune` runs.
pub fn of_tune(args: &TuneArgs) -> Result<RunSpec, ExitReason> {
    let mut spec =
        run_of(RunKind::Tuning, &args.game, args.games, &args.run, TypedSettings::of_side(side_of(&args.changed), &args.who.agents));
    let all = [("--vary", Some(args.vary.join("; "))), ("--target", Some(args.target.join("; "))), ("--best", Some(args.best.to_string()))];
    (spec.run.command, spec.run.further) = (SavedCommand::Tune, named(all));
    checked(RunSpec { time_limit: args.who.time_limit, ..spec })
}

/// Returns the settings that are there, by the names of their options.
fn named<const N: usize>(settings: [(&str, Option<String>); N]) -> BTreeMap<String, String> {
    settings.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
}

/// Returns what `houserule compare` runs.
///
/// # Errors
/// A usage error if what is compared is neither a pack nor a file of rules, or if anything else can be told to be wrong without the game.
pub fn of_compare(args: &CompareArgs) -> Result<RunSpec, ExitReason> {
    let kind = match (args.aa, &args.ladder) {
        (Some(runs), _) => RunKind::FalseAlarms(runs),
        (None, Some(names)) => RunKind::Ladder(names.clone()),
        (None, None) => RunKind::Pairs,
    };
    let both = SideSettings { packs: args.pack.clone(), with: args.both.clone(), options: args.option.clone(), ..SideSettings::default() };
    let change = SideSettings { with: args.with.clone(), options: args.set.clone(), deal: args.deal.clone(), ..SideSettings::default() };
    let since = args.since.iter().map(|version| format!("--since {version}"));
    let against = args.against.iter().map(|path| format!("--against {}", path.display()));
    let learnt = args.generations.iter().map(|generations| format!("--generations {generations}"));
    let typed = TypedSettings {
        // Who has learnt the rules has no time limit of its own.
        agents: if args.adapt { vec![AgentKind::trained().to_string()] } else { args.who.agents.clone() },
        both: both.words(BOTH_OPTIONS).into_iter().chain(learnt).collect(),
        changes: since.chain(against).chain(change.words(CHANGE_OPTIONS)).collect(),
        ..TypedSettings::default()
    };
    let mut changed = both.clone();
    for path in &args.against {
        if path.is_folder() {
            changed.packs.push(path.clone());
        } else {
            changed.with.push(rules_file(path)?);
        }
    }
    changed.with.extend(change.with);
    changed.options.extend(change.options);
    changed.deal = change.deal;
    let plain = SideSettings { version: args.since.as_deref().map_or(GameVersion::Current, GameVersion::named), ..both };
    let mut spec = run_of(kind, &args.game, args.games, &args.run, TypedSettings { sides: vec![plain, changed], ..typed });
    spec.run.command = SavedCommand::Compare;
    let measure = || args.measure.clone().unwrap_or_else(|| Measure::Points.to_string());
    spec.run.until = args.until.map(|width| (measure(), width.to_string()));
    checked(RunSpec {
        part: args.kept.shard.unwrap_or_default(),
        time_limit: args.who.time_limit.filter(|_| !args.adapt),
        learning: args.adapt.then_some(Learning { trainings: args.trainings, generations: args.generations, cross: args.cross }),
        pace: args.written.pace,
        ..spec
    })
}

/// Returns the name of a file of rules with which a game is compared.
fn rules_file(path: &Path) -> Result<String, ExitReason> {
    let is_rules = path.extension().is_some_and(|ending| ending == "rules");
    match path.to_str() {
        Some(name) if is_rules && path.is_plain_file() => Ok(name.to_string()),
        _ => usage_error(format!(
            "`{}` is neither a pack's folder nor a file of rules; text and variants are given by `--with`",
            path.display()
        )),
    }
}
