//! `houserule compare`: the same games with and without a change.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::CompareArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, color, print, tell, watched, wrong};
use super::playtest::{STOP, hear_ctrl_c, set_up, tell_faults};
use super::{Done, Trouble};
use crate::agent::parse_agents;
use crate::diagnostic::nearest;
use crate::engine::{Ruleset, Scripts};
use crate::playtest::compare::{Measure, Sides, Stop, compare, comparison};
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
    let mut sources = Sources::new();
    let plain = Side { packs: args.pack.clone(), with: args.both.clone(), options: args.option.iter().collect(), deal: Vec::new() };
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
    let (plain, changed) = (made(ground, &mut sources, args, &plain, seats)?, made(ground, &mut sources, args, &changed, seats)?);
    if plain.hash == changed.hash && args.deal.is_empty() {
        return wrong("both sides have the same rules and options: there is nothing to compare");
    }
    let agents = parse_agents(&args.agents, seats).or_else(wrong)?;
    let threads = if args.threads > 0 { args.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let sides = Sides { plain: &plain, changed: &changed, agents: &agents, seed: args.seed, threads };
    let until = args.until.map(|width| Ok((measure(args.measure.as_deref(), &plain)?, width))).transpose()?;
    let stop = Stop { pairs: args.games, until };
    let json = Out::open_if(args.json.as_ref())?;
    let quiet = json.as_ref().is_some_and(Out::is_terminal);
    hear_ctrl_c();
    let bar = if watched() { ProgressBar::new(args.games) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} pairs, {eta} left at most") {
        bar.set_style(style);
    }
    let host = |rules: &Arc<Ruleset>| ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let scripts = (&|| host(&plain), &|| host(&changed));
    let found = compare(&sides, (scripts.0, scripts.1), &stop, &STOP, &mut |done| bar.set_position(done));
    bar.finish_and_clear();
    let found = match found {
        Ok(found) => found,
        Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
    };
    let comparison = comparison(&sides, &stop, &found, both(args), changes);
    if !quiet {
        print(&comparison.text(args.all, color()));
    }
    if let Some(json) = json {
        json.json(&comparison)?;
    }
    tell_faults(&sources, &found.dropped)
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
