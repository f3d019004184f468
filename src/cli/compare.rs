//! `houserule compare`: plays the same games with and without a change.

use std::path::Path;

mod aa;
mod adaptation;
mod crossed;
mod plan;
mod searching;

use super::args::CompareArgs;
use super::load::{Workspace, players};
use super::output::usage_error;
use super::report::Outputs;
use super::report::comparison::{show, show_ladder};
use super::result::{CommandResult, ExitReason};
use super::signals::install_signal_handlers;
use crate::agent::{AgentKind, parse_seats};
use crate::disk::OnDisk;
use crate::playtest::compare::{Ladder, MIN_PAIRS_TO_STOP};
use crate::playtest::saved::{GameVersion, SideSettings, TypedSettings};
use crate::source::Sources;
use plan::Plan;

/// What `--since` calls the version of a game inside the program.
const INSIDE: &str = "inside";

/// Runs `houserule compare`.
pub fn compare_games(workspace: &Workspace, args: &CompareArgs) -> CommandResult {
    expect_arguments(args)?;
    let typed = typed_settings(args)?;
    let seats = {
        let text = workspace.load_text(&mut Sources::new(), &args.game, &args.pack, &args.both)?;
        players(&text, args.run.players)?
    };
    if let Some(runs) = args.aa {
        return aa::compare(workspace, args, seats, runs);
    }
    expect_version(workspace, args)?;
    let mut plan = Plan::make(workspace, args, typed, seats)?;
    let mut saver = plan.open_saver()?;
    let outputs = Outputs::open(&args.written)?;
    install_signal_handlers();
    let (mut comparisons, mut result) = (Vec::new(), Ok(()));
    for agents in &plan.rungs {
        let found = plan.play(agents, saver.take())?;
        let (comparison, ended) = plan.report(agents, &found)?;
        comparisons.push(comparison);
        result = result.and(ended);
    }
    if args.ladder.is_some() {
        return show_ladder(&Ladder::new(comparisons), outputs).and(result);
    }
    comparisons.first().map_or(Ok(()), |comparison| show(comparison, args.all, outputs)).and(result)
}

/// Checks the arguments that can be judged without the game.
fn expect_arguments(args: &CompareArgs) -> CommandResult {
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
    Ok(())
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
