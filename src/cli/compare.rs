//! `houserule compare`: the same games with and without a change.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

mod aa;

use super::args::CompareArgs;
use super::keeper::{self, Keeper};
use super::load::{Ground, made, players};
use super::output::{color, outputs_apart, print, tell, wrong};
use super::playtest::{Outputs, card_names, part_of, same_rules, set_up, tell_faults};
use super::progress::Progress;
use super::signals::{STOP, hear_signals};
use super::train::{GAMES, LESSONS, Pupil, TERMS, learnt_rules, limit_threads};
use super::{Done, Trouble};
use crate::agent::{AgentKind, parse_seats};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::{Ruleset, Scripts};
use crate::lang::GameText;
use crate::pack::Names;
use crate::playtest::compare::{Compared, Comparison, FEWEST, Ladder, Measure, Sides, Stop, compare, comparison};
use crate::playtest::saved::{Command, RunOf, Saved, Side, SideOf, Sums, Typed};
use crate::playtest::{Called, compare_page};
use crate::script::ScriptHost;
use crate::source::Sources;

/// Plays the same games with and without a change.
pub fn compare_games(ground: &Ground, args: &CompareArgs) -> Done {
    if changes(args).is_empty() && args.aa.is_none() {
        return wrong("nothing is changed; give the change by `--with`, `--against`, `--set` or `--deal`");
    }
    if args.until.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        return wrong("`--until` wants a number above 0, such as 0.3");
    }
    if args.until.is_some() && args.games < FEWEST {
        return wrong(format!("`--until` looks for the first time after {FEWEST} pairs; let -n be {FEWEST} or more"));
    }
    let mut typed = typed(args)?;
    let seats = {
        let text = ground.text(&mut Sources::new(), &args.game, &args.pack, &args.both)?;
        players(&text, args.run.players)?
    };
    if let Some(runs) = args.aa {
        return aa::compare(ground, args, seats, runs);
    }
    let rungs = rungs(args, seats)?;
    let mut both = Both::made(ground, Sources::new(), &args.game, &typed, seats)?;
    let outputs = [("--json", &args.written.json), ("--report", &args.written.report)];
    outputs_apart(&outputs, args.save.as_deref(), both.sources.read())?;
    if both.plain.hash == both.changed.hash && args.deal.is_empty() {
        return wrong("both sides have the same rules and options: there is nothing to compare");
    }
    if args.adapt {
        let saved = args.save.as_deref().filter(|path| fs::exists(path).unwrap_or(false)).map(keeper::read).transpose()?;
        match saved.and_then(|saved| learnt_before(saved.typed, &typed)) {
            Some(sides) => typed.sides = sides,
            None => {
                limit_threads(args.run.threads);
                for side in &mut typed.sides {
                    learn(ground, &both.sources, args, side, seats)?;
                }
            }
        }
        if STOP.load(Ordering::Relaxed) {
            return wrong("stopped while players were learning; nothing has been compared");
        }
        both = Both::made(ground, both.sources.held(), &args.game, &typed, seats)?;
    }
    let suits = |agent: &AgentKind| agent.suits(&both.plain).and_then(|()| agent.suits(&both.changed));
    rungs.iter().flatten().try_for_each(suits).or_else(wrong)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let until = args.until.map(|width| Ok((measure(args.measure.as_deref(), &both.plain)?, width))).transpose()?;
    let stop = Stop { pairs: args.games, until };
    let part = part_of(args.shard, args.games)?;
    let first = rungs.first().map_or(&[][..], Vec::as_slice);
    let saved = Saved {
        run: run_of(&both.sides(first, args.run.seed, threads), &stop, &typed),
        typed: typed.clone(),
        part,
        sums: Sums::Compare(Box::default()),
    };
    let mut keeper = args.save.as_ref().map(|path| Keeper::open(path, saved, "pairs")).transpose()?;
    if let Some(keeper) = &keeper {
        typed.clone_from(&keeper.saved().typed);
    }
    let outputs = Outputs::open(args.written.json.as_ref(), args.written.report.as_ref())?;
    hear_signals();
    let mut told = Ok(());
    let mut comparisons = Vec::new();
    for agents in &rungs {
        let begun = match keeper.as_ref().map(|keeper| &keeper.saved().sums) {
            Some(Sums::Compare(begun)) => (**begun).clone(),
            Some(Sums::Playtest(_)) | None => Compared::default(),
        };
        let progress = Progress::new(part.games(args.games).count() as u64, if stop.until.is_some() { "pairs at most" } else { "pairs" });
        let sides = both.sides(agents, args.run.seed, threads);
        let scripts = (&|| host(&both.plain), &|| host(&both.changed));
        let found = compare(&sides, (scripts.0, scripts.1), &stop, (begun, part.games(args.games)), &STOP, &mut |done, found| {
            progress.at(done);
            if keeper.as_mut().is_some_and(|keeper| !keeper.keep(|| sums(found))) {
                // The rest of the pairs would be played in vain.
                STOP.store(true, Ordering::Relaxed);
            }
        });
        progress.end();
        let found = match found {
            Ok(found) => found,
            Err(faults) => return tell(&both.sources, &faults).and(Err(Trouble::Finding)),
        };
        keeper.take().map_or(Ok(()), |keeper| keeper.end(sums(&found)))?;
        let comparison = comparison(&sides, &stop, &found, typed.both.clone(), typed.changes.clone()).of_part(part);
        comparisons.push(both.in_language(comparison));
        told = told.and(tell_faults(&both.sources, &found.dropped));
    }
    if args.ladder.is_some() {
        let ladder = Ladder::new(comparisons);
        if !outputs.on_terminal() {
            print(&ladder.text(color()));
        }
        return outputs.json.map_or(Ok(()), |json| json.json(&ladder)).and(told);
    }
    comparisons.first().map_or(Ok(()), |comparison| show(comparison, args.all, outputs)).and(told)
}

/// Prints and writes a comparison.
fn show(comparison: &Comparison, all: bool, outputs: Outputs) -> Done {
    if !outputs.on_terminal() {
        print(&comparison.text(all, color()));
    }
    let called = Called { names: &Names::default(), cards: &BTreeMap::new() };
    let page = outputs.page.map_or(Ok(()), |page| page.page(compare_page(comparison, called)));
    page.and(outputs.json.map_or(Ok(()), |json| json.json(comparison)))
}

/// Reports what was kept of a comparison.
pub(super) fn show_saved(ground: &Ground, saved: &Saved, found: &Compared, all: bool, outputs: Outputs) -> Done {
    let (run, typed) = (&saved.run, &saved.typed);
    let both = Both::made(ground, Sources::new(), &run.game, typed, run.players)?;
    let agents = parse_seats(&typed.agents, run.players, None).or_else(wrong)?;
    let sides = both.sides(&agents, run.seed, 1);
    let until = match &run.until {
        Some((name, width)) => Some((measure(Some(name), &both.plain)?, width.parse().unwrap_or_default())),
        None => None,
    };
    let stop = Stop { pairs: run.games, until };
    same_rules(run, &run_of(&sides, &stop, typed))?;
    let comparison = comparison(&sides, &stop, found, typed.both.clone(), typed.changes.clone()).of_part(saved.part);
    show(&both.in_language(comparison), all, outputs).and(tell_faults(&both.sources, &found.dropped))
}

/// What is kept: a pair that ended because a player did not answer is to be played again.
fn sums(found: &Compared) -> Sums {
    Sums::Compare(Box::new(found.clone().without_unanswered()))
}

/// What the games of a comparison depend on.
fn run_of(sides: &Sides<'_>, stop: &Stop, typed: &Typed) -> RunOf {
    let rules = [sides.plain, sides.changed];
    RunOf {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: Command::Compare,
        game: sides.plain.game.clone(),
        players: sides.plain.players,
        agents: sides.agents.iter().map(ToString::to_string).collect(),
        games: stop.pairs,
        seed: sides.seed,
        hooks: false,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), width.to_string())),
        sides: rules.iter().zip(&typed.sides).map(|(rules, side)| SideOf::new(rules, side)).collect(),
    }
}

/// The rules of both sides.
struct Both {
    sources: Sources,
    plain: Arc<Ruleset>,
    changed: Arc<Ruleset>,
    /// The text of the changed side.
    text: GameText,
    /// What things are called, if a language was chosen.
    names: Option<Names>,
}

impl Both {
    /// Makes them; what is wrong with them has been said. The same sides are always read in the same order, so that places of kept faults are
    /// true.
    fn made(ground: &Ground, mut sources: Sources, game: &str, typed: &Typed, seats: usize) -> Result<Both, Trouble> {
        let mut make = |side: &Side| made(ground, &mut sources, game, side, Some(seats));
        let [plain, changed] = typed.sides.as_slice() else { return wrong("a comparison has two sides") };
        ground.expect_language(&[game.to_string()], &changed.packs)?;
        let (plain, changed) = (make(plain)?.rules, make(changed)?);
        let names = ground.language().map(|_| ground.names(&sources, &changed.text.content)).transpose()?;
        Ok(Both { sources, plain, changed: changed.rules, text: changed.text, names })
    }

    /// A comparison with what things are called in the language that was chosen.
    fn in_language(&self, comparison: Comparison) -> Comparison {
        match &self.names {
            Some(names) => comparison.in_language(Called { names, cards: &card_names(&self.text, names) }),
            None => comparison,
        }
    }

    fn sides<'a>(&'a self, agents: &'a [AgentKind], seed: u64, threads: usize) -> Sides<'a> {
        Sides { plain: &self.plain, changed: &self.changed, agents, seed, threads, apart: false }
    }
}

fn host(rules: &Arc<Ruleset>) -> Result<Box<dyn Scripts>, Vec<Diagnostic>> {
    ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>)
}

/// How the comparison was typed: both sides, before anybody has learnt anything.
fn typed(args: &CompareArgs) -> Result<Typed, Trouble> {
    let plain = Side { packs: args.pack.clone(), with: args.both.clone(), options: args.option.clone(), deal: Vec::new() };
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
    Ok(Typed { sides: vec![plain, changed], agents, both: self::both(args), changes: changes(args) })
}

/// The rungs of a ladder, if nothing else is said.
pub const LADDER: &str = "random,greedy,search:100";

/// Who plays, at every seat, once or on each rung of a ladder.
fn rungs(args: &CompareArgs, seats: usize) -> Result<Vec<Vec<AgentKind>>, Trouble> {
    let Some(ladder) = &args.ladder else {
        let agents =
            if args.adapt { Ok(vec![AgentKind::trained(); seats]) } else { parse_seats(&args.who.agents, seats, args.who.time_limit) };
        return Ok(vec![agents.or_else(wrong)?]);
    };
    let mut kinds = ladder.split(',').map(|name| AgentKind::parse(name.trim())).collect::<Result<Vec<_>, _>>().or_else(wrong)?;
    if args.adapt && !kinds.contains(&AgentKind::trained()) {
        kinds.push(AgentKind::trained());
    }
    if let Some(twice) = kinds.iter().enumerate().find_map(|(at, kind)| kinds[..at].contains(kind).then_some(kind)) {
        return wrong(format!("`{twice}` is named twice; each rung is named once"));
    }
    if kinds.iter().all(|kind| *kind == AgentKind::Random) {
        return wrong("a ladder wants a rung above chance, such as `--ladder random,greedy`");
    }
    Ok(kinds.into_iter().map(|kind| vec![kind; seats]).collect())
}

/// Players learn the rules of a side, which then has what they have learnt.
fn learn(ground: &Ground, read: &Sources, args: &CompareArgs, side: &mut Side, players: usize) -> Done {
    let setup = set_up(players, &side.options, &side.deal)?;
    let pupil = Pupil {
        read,
        game: &args.game,
        packs: &side.packs,
        with: &side.with,
        setup: &setup,
        games: GAMES,
        lessons: LESSONS,
        generations: args.generations,
        terms: TERMS,
        seed: args.run.seed,
    };
    side.with.push(learnt_rules(ground, &pupil)?);
    Ok(())
}

/// The sides of a saved run with what players have learnt there, if but for that it was typed like this one.
fn learnt_before(saved: Typed, typed: &Typed) -> Option<Vec<Side>> {
    let unlearnt = |side: &Side| {
        let with = side.with.split_last().map(|(_, with)| with.to_vec())?;
        Some(Side { with, ..side.clone() })
    };
    let sides: Option<Vec<Side>> = saved.sides.iter().map(unlearnt).collect();
    let before = Typed { sides: sides?, ..saved.clone() };
    (before == *typed).then_some(saved.sides)
}

/// A file of rules that is the change.
fn rules_file(path: &Path) -> Result<String, Trouble> {
    let is_rules = path.extension().is_some_and(|ending| ending == "rules");
    match path.to_str() {
        Some(name) if is_rules && path.is_file() => Ok(name.to_string()),
        _ => wrong(format!("`{}` is neither a pack's folder nor a file of rules; text and variants are given by `--with`", path.display())),
    }
}

/// The measure that `--measure` names; points, if it names none.
fn measure(name: Option<&str>, rules: &Ruleset) -> Result<Measure, Trouble> {
    let Some(name) = name else { return Ok(Measure::Points) };
    let mut known = Measure::settled(rules);
    if let Some(at) = known.iter().position(|measure| measure.to_string() == name) {
        return Ok(known.swap_remove(at));
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let meant = nearest(name, names.iter().map(String::as_str)).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    wrong(format!("nothing that is measured is called `{name}`{meant}\nthere are {}", names.join(", ")))
}

/// What the changed side has besides, as it was typed.
fn changes(args: &CompareArgs) -> Vec<String> {
    let against = args.against.iter().map(|path| format!("--against {}", path.display()));
    let with = args.with.iter().map(|text| format!("--with '{text}'"));
    let set = args.set.iter().map(|option| format!("--set {option}"));
    let deal = args.deal.iter().map(|card| format!("--deal {card}"));
    against.chain(with).chain(set).chain(deal).collect()
}

/// What both sides have, as it was typed.
fn both(args: &CompareArgs) -> Vec<String> {
    let packs = args.pack.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = args.both.iter().map(|text| format!("--both '{text}'"));
    let options = args.option.iter().map(|option| format!("--option {option}"));
    let learnt = args.generations.iter().map(|generations| format!("--generations {generations}"));
    packs.chain(with).chain(options).chain(learnt).collect()
}
