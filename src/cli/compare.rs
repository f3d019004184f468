//! `houserule compare`: the same games with and without a change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::CompareArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, color, one_for_the_terminal, print, tell, watched, wrong};
use super::playtest::{STOP, hear_ctrl_c, set_up, tell_faults};
use super::train::{GAMES, LESSONS, Pupil, TERMS, learnt_rules, limit_threads};
use super::{Done, Trouble};
use crate::agent::{AgentKind, parse_seats};
use crate::diagnostic::nearest;
use crate::engine::{Ruleset, Scripts};
use crate::pack::Names;
use crate::playtest::compare::{Ladder, Measure, Sides, Stop, compare, comparison};
use crate::playtest::{Called, compare_page};
use crate::script::{ScriptHost, check_scripts};
use crate::source::Sources;

/// One side of a comparison: what it is made from.
struct Side<'a> {
    packs: Vec<PathBuf>,
    with: Vec<String>,
    options: Vec<&'a String>,
    deal: Vec<&'a String>,
}

/// Plays the same games with and without a change.
pub fn compare_games(ground: &Ground, args: &CompareArgs) -> Done {
    let changes = changes(args);
    if changes.is_empty() {
        return wrong("nothing is changed; give the change by `--with`, `--against`, `--set` or `--deal`");
    }
    if args.until.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        return wrong("`--until` wants a number above 0, such as 0.3");
    }
    one_for_the_terminal(&[("--json", &args.json), ("--report", &args.report)])?;
    let mut sources = Sources::new();
    let mut plain = Side { packs: args.pack.clone(), with: args.both.clone(), options: args.option.iter().collect(), deal: Vec::new() };
    let mut changed = Side {
        packs: plain.packs.iter().chain(args.against.iter().filter(|path| path.is_dir())).cloned().collect(),
        with: plain.with.clone(),
        options: plain.options.iter().copied().chain(&args.set).collect(),
        deal: args.deal.iter().collect(),
    };
    for path in args.against.iter().filter(|path| !path.is_dir()) {
        changed.with.push(rules_file(path)?);
    }
    changed.with.extend(args.with.iter().cloned());
    let seats = {
        let text = ground.text(&mut sources, &args.game, &plain.packs, &plain.with)?;
        players(&text, args.players)?
    };
    let rungs = rungs(args, seats)?;
    let mut make = |side: &Side<'_>| made(ground, &mut sources, args, side, seats);
    let (mut without, mut with) = (make(&plain)?, make(&changed)?);
    if without.hash == with.hash && args.deal.is_empty() {
        return wrong("both sides have the same rules and options: there is nothing to compare");
    }
    if args.adapt {
        limit_threads(args.threads);
        plain.learn(ground, args, seats)?;
        changed.learn(ground, args, seats)?;
        (without, with) = (make(&plain)?, make(&changed)?);
    }
    let (plain, changed) = (without, with);
    let suits = |agent: &AgentKind| agent.suits(&plain).and_then(|()| agent.suits(&changed));
    rungs.iter().flatten().try_for_each(suits).or_else(wrong)?;
    let threads = if args.threads > 0 { args.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let until = args.until.map(|width| Ok((measure(args.measure.as_deref(), &plain)?, width))).transpose()?;
    let stop = Stop { pairs: args.games, until };
    let json = Out::open_if(args.json.as_ref())?;
    let page = Out::open_if(args.report.as_ref())?;
    let quiet = [&json, &page].into_iter().flatten().any(Out::is_terminal);
    hear_ctrl_c();
    let host = |rules: &Arc<Ruleset>| ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let mut told = Ok(());
    let mut comparisons = Vec::new();
    for agents in &rungs {
        let bar = if watched() { ProgressBar::new(args.games) } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} pairs, {eta} left at most") {
            bar.set_style(style);
        }
        let sides = Sides { plain: &plain, changed: &changed, agents, seed: args.seed, threads };
        let scripts = (&|| host(&plain), &|| host(&changed));
        let found = compare(&sides, (scripts.0, scripts.1), &stop, &STOP, &mut |done| bar.set_position(done));
        bar.finish_and_clear();
        let found = match found {
            Ok(found) => found,
            Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
        };
        comparisons.push(comparison(&sides, &stop, &found, both(args), changes.clone()));
        told = told.and(tell_faults(&sources, &found.dropped));
    }
    if args.ladder.is_some() {
        let ladder = Ladder::new(comparisons);
        if !quiet {
            print(&ladder.text(color()));
        }
        return json.map_or(Ok(()), |json| json.json(&ladder)).and(told);
    }
    for comparison in &comparisons {
        if !quiet {
            print(&comparison.text(args.all, color()));
        }
    }
    if let (Some(page), Some(comparison)) = (page, comparisons.first()) {
        page.page(compare_page(comparison, Called { names: &Names::default(), cards: &BTreeMap::new() }))?;
    }
    if let (Some(json), Some(comparison)) = (json, comparisons.first()) {
        json.json(comparison)?;
    }
    told
}

/// The rungs of a ladder, if nothing else is said.
pub const LADDER: &str = "random,greedy,search:100";

/// Who plays, at every seat, once or on each rung of a ladder.
fn rungs(args: &CompareArgs, seats: usize) -> Result<Vec<Vec<AgentKind>>, Trouble> {
    let Some(ladder) = &args.ladder else {
        let agents = if args.adapt { Ok(vec![AgentKind::trained(); seats]) } else { parse_seats(&args.agents, seats, args.time_limit) };
        return Ok(vec![agents.or_else(wrong)?]);
    };
    let mut kinds = ladder.split(',').map(|name| AgentKind::parse(name.trim())).collect::<Result<Vec<_>, _>>().or_else(wrong)?;
    if args.adapt && !kinds.contains(&AgentKind::trained()) {
        kinds.push(AgentKind::trained());
    }
    Ok(kinds.into_iter().map(|kind| vec![kind; seats]).collect())
}

impl Side<'_> {
    /// Players learn the rules of this side, which then has what they have learnt.
    fn learn(&mut self, ground: &Ground, args: &CompareArgs, players: usize) -> Done {
        let setup = set_up(players, self.options.iter().copied(), self.deal.iter().copied())?;
        let pupil = Pupil {
            game: &args.game,
            packs: &self.packs,
            with: &self.with,
            setup: &setup,
            games: GAMES,
            lessons: LESSONS,
            generations: None,
            terms: TERMS,
            seed: args.seed,
        };
        let learnt = learnt_rules(ground, &pupil)?;
        self.with.push(learnt);
        Ok(())
    }
}

/// The rules of a side; what is wrong with them has been said.
fn made(ground: &Ground, sources: &mut Sources, args: &CompareArgs, side: &Side<'_>, players: usize) -> Result<Arc<Ruleset>, Trouble> {
    let text = ground.text(sources, &args.game, &side.packs, &side.with)?;
    let setup = set_up(players, side.options.iter().copied(), side.deal.iter().copied())?;
    let rules = compiled(sources, &text, &setup)?;
    tell(sources, &check_scripts(&rules))?;
    Ok(rules)
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
    packs.chain(with).chain(options).collect()
}
