//! `houserule compare`: plays the same games with and without a change.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

mod aa;

use super::args::CompareArgs;
use super::load::{Workspace, compile_side, players};
use super::output::{check_outputs, color, print, show_diagnostics, usage_error};
use super::playtest::{Outputs, card_names, check_same_rules, parse_part, report_faults, set_up};
use super::progress::Progress;
use super::saver::{self, RunSaver};
use super::signals::{STOP, install_signal_handlers};
use super::train::{DEFAULT_GAMES, DEFAULT_LESSONS, DEFAULT_TERMS, TrainingTask, limit_threads, train_rules};
use super::{CommandResult, ExitReason};
use crate::agent::{AgentKind, parse_seats};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::{Ruleset, Scripts};
use crate::lang::GameText;
use crate::pack::Names;
use crate::playtest::compare::{
    Comparison, ComparisonResults, Ladder, MIN_PAIRS_TO_STOP, Measure, Sides, StoppingRule, compare, comparison,
};
use crate::playtest::saved::{RunIdentity, Saved, SavedCommand, SavedResults, SideRules, SideSettings, TypedSettings};
use crate::playtest::{PageNames, compare_page};
use crate::script::ScriptHost;
use crate::source::Sources;

/// Runs `houserule compare`.
pub fn compare_games(workspace: &Workspace, args: &CompareArgs) -> CommandResult {
    if changes(args).is_empty() && args.aa.is_none() {
        return usage_error("nothing is changed; give the change by `--with`, `--against`, `--set` or `--deal`");
    }
    if args.until.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        return usage_error("`--until` wants a number above 0, such as 0.3");
    }
    if args.until.is_some() && args.games < MIN_PAIRS_TO_STOP {
        return usage_error(format!(
            "`--until` looks for the first time after {MIN_PAIRS_TO_STOP} pairs; let -n be {MIN_PAIRS_TO_STOP} or more"
        ));
    }
    let mut typed = typed_settings(args)?;
    let seats = {
        let text = workspace.text(&mut Sources::new(), &args.game, &args.pack, &args.both)?;
        players(&text, args.run.players)?
    };
    if let Some(runs) = args.aa {
        return aa::compare(workspace, args, seats, runs);
    }
    let rungs = agents_by_rung(args, seats)?;
    let mut both = BothRulesets::compile_side(workspace, Sources::new(), &args.game, &typed, seats)?;
    let outputs = [("--json", &args.written.json), ("--report", &args.written.report)];
    check_outputs(&outputs, args.save.as_deref(), both.sources.read_paths())?;
    if both.plain.hash == both.changed.hash && args.deal.is_empty() {
        return usage_error("both sides have the same rules and options: there is nothing to compare");
    }
    if args.adapt {
        let saved = args.save.as_deref().filter(|path| fs::exists(path).unwrap_or(false)).map(saver::read).transpose()?;
        match saved.and_then(|saved| trained_sides(saved.typed, &typed)) {
            Some(sides) => typed.sides = sides,
            None => {
                limit_threads(args.run.threads);
                for side in &mut typed.sides {
                    train_side(workspace, &both.sources, args, side, seats)?;
                }
            }
        }
        if STOP.load(Ordering::Relaxed) {
            return usage_error("stopped while players were learning; nothing has been compared");
        }
        both = BothRulesets::compile_side(workspace, both.sources.snapshot(), &args.game, &typed, seats)?;
    }
    let suits = |agent: &AgentKind| agent.suits(&both.plain).and_then(|()| agent.suits(&both.changed));
    rungs.iter().flatten().try_for_each(suits).or_else(usage_error)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let until = args.until.map(|width| Ok((measure(args.measure.as_deref(), &both.plain)?, width))).transpose()?;
    let stop = StoppingRule { pairs: args.games, until };
    let part = parse_part(args.shard, args.games)?;
    let first = rungs.first().map_or(&[][..], Vec::as_slice);
    let saved = Saved {
        run: run_of(&both.sides(first, args.run.seed, threads), &stop, &typed),
        typed: typed.clone(),
        part,
        sums: SavedResults::Compare(Box::default()),
    };
    let mut saver = args.save.as_ref().map(|path| RunSaver::open(path, saved, "pairs")).transpose()?;
    if let Some(saver) = &saver {
        typed.clone_from(&saver.saved().typed);
    }
    let outputs = Outputs::open(args.written.json.as_ref(), args.written.report.as_ref())?;
    install_signal_handlers();
    let mut result = Ok(());
    let mut comparisons = Vec::new();
    for agents in &rungs {
        let begun = match saver.as_ref().map(|saver| &saver.saved().sums) {
            Some(SavedResults::Compare(begun)) => (**begun).clone(),
            Some(SavedResults::Playtest(_)) | None => ComparisonResults::default(),
        };
        let progress = Progress::new(part.games(args.games).count() as u64, if stop.until.is_some() { "pairs at most" } else { "pairs" });
        let sides = both.sides(agents, args.run.seed, threads);
        let scripts = (&|| script_host(&both.plain), &|| script_host(&both.changed));
        let found = compare(&sides, (scripts.0, scripts.1), &stop, (begun, part.games(args.games)), &STOP, &mut |done, found| {
            progress.at(done);
            if saver.as_mut().is_some_and(|saver| !saver.save_if_due(|| sums(found))) {
                // The remaining pairs could not be saved.
                STOP.store(true, Ordering::Relaxed);
            }
        });
        progress.end();
        let found = match found {
            Ok(found) => found,
            Err(faults) => return show_diagnostics(&both.sources, &faults).and(Err(ExitReason::Findings)),
        };
        saver.take().map_or(Ok(()), |saver| saver.end(sums(&found)))?;
        let comparison = comparison(&sides, &stop, &found, typed.both.clone(), typed.changes.clone()).of_part(part);
        comparisons.push(both.in_language(comparison));
        result = result.and(report_faults(&both.sources, &found.dropped));
    }
    if args.ladder.is_some() {
        let ladder = Ladder::new(comparisons);
        if !outputs.on_terminal() {
            print(&ladder.text(color()));
        }
        return outputs.json.map_or(Ok(()), |json| json.json(&ladder)).and(result);
    }
    comparisons.first().map_or(Ok(()), |comparison| show(comparison, args.all, outputs)).and(result)
}

/// Prints a comparison and writes its output files.
fn show(comparison: &Comparison, all: bool, outputs: Outputs) -> CommandResult {
    if !outputs.on_terminal() {
        print(&comparison.text(all, color()));
    }
    let called = PageNames { names: &Names::default(), cards: &BTreeMap::new() };
    let page = outputs.page.map_or(Ok(()), |page| page.page(compare_page(comparison, called)));
    page.and(outputs.json.map_or(Ok(()), |json| json.json(comparison)))
}

/// Reports a saved comparison.
pub(super) fn show_saved(workspace: &Workspace, saved: &Saved, found: &ComparisonResults, all: bool, outputs: Outputs) -> CommandResult {
    let (run, typed) = (&saved.run, &saved.typed);
    let both = BothRulesets::compile_side(workspace, Sources::new(), &run.game, typed, run.players)?;
    let agents = parse_seats(&typed.agents, run.players, None).or_else(usage_error)?;
    let sides = both.sides(&agents, run.seed, 1);
    let until = match &run.until {
        Some((name, width)) => Some((measure(Some(name), &both.plain)?, width.parse().unwrap_or_default())),
        None => None,
    };
    let stop = StoppingRule { pairs: run.games, until };
    check_same_rules(run, &run_of(&sides, &stop, typed))?;
    let comparison = comparison(&sides, &stop, found, typed.both.clone(), typed.changes.clone()).of_part(saved.part);
    show(&both.in_language(comparison), all, outputs).and(report_faults(&both.sources, &found.dropped))
}

/// The results to be saved, without pairs in which an agent did not answer, since these are to be played again.
fn sums(found: &ComparisonResults) -> SavedResults {
    SavedResults::Compare(Box::new(found.clone().without_unanswered()))
}

/// The identity of a comparison: everything its games depend on.
fn run_of(sides: &Sides<'_>, stop: &StoppingRule, typed: &TypedSettings) -> RunIdentity {
    let rules = [sides.plain, sides.changed];
    RunIdentity {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: SavedCommand::Compare,
        game: sides.plain.game.clone(),
        players: sides.plain.players,
        agents: sides.agents.iter().map(ToString::to_string).collect(),
        games: stop.pairs,
        seed: sides.seed,
        hooks: false,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), width.to_string())),
        sides: rules.iter().zip(&typed.sides).map(|(rules, side)| SideRules::new(rules, side)).collect(),
    }
}

/// The rules of both sides.
struct BothRulesets {
    sources: Sources,
    plain: Arc<Ruleset>,
    changed: Arc<Ruleset>,
    /// Source of the changed side's rules.
    text: GameText,
    /// Translated names, if a language was chosen.
    names: Option<Names>,
}

impl BothRulesets {
    /// Compiles both sides; diagnostics have been shown. Sides are always loaded in the same order, so that locations of saved faults
    /// stay valid.
    fn compile_side(
        workspace: &Workspace,
        mut sources: Sources,
        game: &str,
        typed: &TypedSettings,
        seats: usize,
    ) -> Result<BothRulesets, ExitReason> {
        let mut make = |side: &SideSettings| compile_side(workspace, &mut sources, game, side, Some(seats));
        let [plain, changed] = typed.sides.as_slice() else { return usage_error("a comparison has two sides") };
        workspace.expect_language(&[game.to_string()], &changed.packs)?;
        let (plain, changed) = (make(plain)?.rules, make(changed)?);
        let names = workspace.language().map(|_| workspace.names(&sources, &changed.text.content)).transpose()?;
        Ok(BothRulesets { sources, plain, changed: changed.rules, text: changed.text, names })
    }

    /// A comparison with translated names.
    fn in_language(&self, comparison: Comparison) -> Comparison {
        match &self.names {
            Some(names) => comparison.in_language(PageNames { names, cards: &card_names(&self.text, names) }),
            None => comparison,
        }
    }

    fn sides<'a>(&'a self, agents: &'a [AgentKind], seed: u64, threads: usize) -> Sides<'a> {
        Sides { plain: &self.plain, changed: &self.changed, agents, seed, threads, independent_seeds: false }
    }
}

fn script_host(rules: &Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> {
    ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>)
}

/// The arguments as typed, before any training.
fn typed_settings(args: &CompareArgs) -> Result<TypedSettings, ExitReason> {
    let plain = SideSettings { packs: args.pack.clone(), with: args.both.clone(), options: args.option.clone(), deal: Vec::new() };
    let mut changed = plain.clone();
    for path in &args.against {
        if path.is_dir() {
            changed.packs.push(path.clone());
        } else {
            changed.with.push(rules_file(path)?);
        }
    }
    changed.with.extend(args.with.iter().cloned());
    changed.options.extend(args.set.iter().cloned());
    changed.deal.clone_from(&args.deal);
    let agents = if args.adapt { vec![AgentKind::trained().to_string()] } else { args.who.agents.clone() };
    Ok(TypedSettings { sides: vec![plain, changed], agents, both: self::both(args), changes: changes(args) })
}

/// Default agents of a ladder, by strength.
pub const DEFAULT_LADDER: &str = "random,greedy,search:100";

/// The agents of all seats, once or for each strength of a ladder.
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

/// Trains agents for the rules of a side and adds the result to the side.
fn train_side(workspace: &Workspace, read: &Sources, args: &CompareArgs, side: &mut SideSettings, players: usize) -> CommandResult {
    let setup = set_up(players, &side.options, &side.deal)?;
    let pupil = TrainingTask {
        read,
        game: &args.game,
        packs: &side.packs,
        with: &side.with,
        setup: &setup,
        games: DEFAULT_GAMES,
        lessons: DEFAULT_LESSONS,
        generations: args.generations,
        terms: DEFAULT_TERMS,
        seed: args.run.seed,
    };
    side.with.push(train_rules(workspace, &pupil)?);
    Ok(())
}

/// The sides of a saved run with their trained agents, if the run has the same arguments otherwise.
fn trained_sides(saved: TypedSettings, typed: &TypedSettings) -> Option<Vec<SideSettings>> {
    let unlearnt = |side: &SideSettings| {
        let with = side.with.split_last().map(|(_, with)| with.to_vec())?;
        Some(SideSettings { with, ..side.clone() })
    };
    let sides: Option<Vec<SideSettings>> = saved.sides.iter().map(unlearnt).collect();
    let before = TypedSettings { sides: sides?, ..saved.clone() };
    (before == *typed).then_some(saved.sides)
}

/// Reads a rules file that contains the change.
fn rules_file(path: &Path) -> Result<String, ExitReason> {
    let is_rules = path.extension().is_some_and(|ending| ending == "rules");
    match path.to_str() {
        Some(name) if is_rules && path.is_file() => Ok(name.to_string()),
        _ => usage_error(format!(
            "`{}` is neither a pack's folder nor a file of rules; text and variants are given by `--with`",
            path.display()
        )),
    }
}

/// The measure of `--measure`; points by default.
fn measure(name: Option<&str>, rules: &Ruleset) -> Result<Measure, ExitReason> {
    let Some(name) = name else { return Ok(Measure::Points) };
    let mut known = Measure::always_defined(rules);
    if let Some(at) = known.iter().position(|measure| measure.to_string() == name) {
        return Ok(known.swap_remove(at));
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let meant = nearest(name, names.iter().map(String::as_str)).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    usage_error(format!("nothing that is measured is called `{name}`{meant}\nthere are {}", names.join(", ")))
}

/// Additional settings of the changed side, as typed.
fn changes(args: &CompareArgs) -> Vec<String> {
    let against = args.against.iter().map(|path| format!("--against {}", path.display()));
    let with = args.with.iter().map(|text| format!("--with '{text}'"));
    let set = args.set.iter().map(|option| format!("--set {option}"));
    let deal = args.deal.iter().map(|card| format!("--deal {card}"));
    against.chain(with).chain(set).chain(deal).collect()
}

/// Settings of both sides, as typed.
fn both(args: &CompareArgs) -> Vec<String> {
    let packs = args.pack.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = args.both.iter().map(|text| format!("--both '{text}'"));
    let options = args.option.iter().map(|option| format!("--option {option}"));
    let learnt = args.generations.iter().map(|generations| format!("--generations {generations}"));
    packs.chain(with).chain(options).chain(learnt).collect()
}
