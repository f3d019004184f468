//! `houserule playtest`: many games on all cores, summed up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use serde::Serialize;

mod cards;
mod series;
mod tables;

use self::tables::Tables;
use super::args::PlaytestArgs;
use super::keeper::Keeper;
use super::load::{Ground, Made, made};
use super::output::{Out, color, outputs_apart, print, say, tell, wrong};
use super::play::of_fault;
use super::progress::Progress;
use super::signals::{STOP, hear_signals};
use super::{Done, Trouble};
use crate::agent::parse_seats;
use crate::diagnostic::Diagnostic;
use crate::engine::{Fault, Game, Scripts};
use crate::lang::{GameText, Setup};
use crate::pack::Names;
use crate::playtest::saved::{Command, RunOf, Saved, Side, SideOf, Sums, Typed, differ};
use crate::playtest::{Begun, Called, Listener, Notes, Outcome, Part, Plan, Played, Report, go_on_with, playtest_page, report, text};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::state::chance::seed_of_game;
use crate::table::{Chair, Failed, Replay, Session, Start, Stopped, Table};

/// Faults shown in full; more are only counted.
const MAX_SHOWN: usize = 5;

/// What `--json` writes: the result is the same for the same seed, the timing is not.
#[derive(Serialize)]
struct Written<'a> {
    result: &'a Report,
    /// What ids are called in the language that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Names>,
    /// How fast this run was; none where saved runs were put together.
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<Timing>,
}

/// How fast it was.
#[derive(Serialize)]
struct Timing {
    /// How many games it has played.
    #[serde(skip)]
    games: u64,
    seconds: f64,
    threads: usize,
    games_per_second: f64,
    decisions_per_second: f64,
}

/// Plays many games.
pub fn playtest(ground: &Ground, args: &PlaytestArgs) -> Done {
    let mut sources = Sources::new();
    let typed = typed(args);
    let Made { text: text_of_game, setup, rules } = made(ground, &mut sources, &args.game, &typed.sides[0], args.run.players)?;
    let [json, csv, parquet, report] = [&args.written.json, &args.csv, &args.parquet, &args.written.report];
    let outputs = [("--json", json), ("--csv", csv), ("--parquet", parquet), ("--report", report), ("--replay", &args.replay)];
    outputs_apart(&outputs, args.save.as_deref(), sources.read())?;
    ground.expect_language(std::slice::from_ref(&args.game), &args.changed.pack)?;
    let names = ground.names(&sources, &text_of_game.content)?;
    let agents = parse_seats(&args.who.agents, setup.players, args.who.time_limit).or_else(wrong)?;
    agents.iter().try_for_each(|agent| agent.suits(&rules)).or_else(wrong)?;
    let threads = if args.run.threads > 0 { args.run.threads.into() } else { std::thread::available_parallelism().map_or(1, usize::from) };
    let plan = Plan {
        rules: &rules,
        agents: &agents,
        games: args.games,
        seed: args.run.seed,
        threads,
        notes: Notes { scripts: args.hooks, ..Notes::default() },
    };
    if let (Some(number), Some(path)) = (args.game_number, &args.replay) {
        if number >= args.games {
            return wrong(format!(
                "`--game {number}`: the games of {} are numbered from 0 to {}",
                args.games,
                args.games.saturating_sub(1)
            ));
        }
        return one_game(&plan, number, path, &sources, args);
    }
    if args.series {
        return series::playtest(&plan, &setup, (&sources, &text_of_game), args);
    }
    if let Some(wanted) = &args.cards {
        return cards::playtest(&plan, &rules, (&setup, wanted), (&sources, &text_of_game), (ground.language().map(|_| &names), args));
    }
    let part = part_of(args.shard, args.games)?;
    let begun = Begun::new(&rules);
    let saved = |begun| Saved { run: run_of(&plan, &typed), typed: typed.clone(), part, sums: Sums::Playtest(Box::new(begun)) };
    let (keeper, begun) = kept(args.save.as_deref(), saved(begun.clone()), begun)?;
    let changes = keeper.as_ref().map_or(&typed.changes, |keeper| &keeper.saved().typed.changes).clone();
    if !begun.done.is_empty() && (args.csv.is_some() || args.parquet.is_some()) {
        return wrong(
            "games that are done already would be missing from --csv and --parquet, since --save keeps their sums alone; leave these out, or begin anew with another file",
        );
    }
    // Before anything is played: a path that cannot be written would otherwise cost the games.
    let outputs = Outputs::open(args.written.json.as_ref(), args.written.report.as_ref())?;
    let tables = Tables::open(&plan, args.csv.as_ref(), args.parquet.as_ref())?;
    let quiet = outputs.on_terminal() || args.csv.as_deref() == Some("-");
    hear_signals();
    let scripts = || ScriptHost::new(&Arc::clone(&rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let (started, games) = (Instant::now(), part.games(args.games));
    let before = (begun.outcome.tally.games, begun.outcome.tally.decisions.sum);
    let left = games.end - games.start - begun.done.iter().map(|range| range.end - range.start).sum::<u64>();
    let mut watch = Watch::new(left, tables, keeper);
    let begun = go_on_with(&plan, begun, games, &scripts, &STOP, &mut watch);
    let seconds = started.elapsed().as_secs_f64();
    let begun = match begun {
        Ok(begun) => begun,
        Err(faults) => return tell(&sources, &faults).and(Err(Trouble::Finding)),
    };
    // What could not be written does not take the report away.
    let written = watch.end(&begun);
    let outcome = begun.outcome;
    let timing = Timing::new((outcome.tally.games - before.0, outcome.tally.decisions.sum - before.1), seconds, threads);
    let report = self::report(&plan, &outcome, &sources, changes).of_part(part);
    let shown = show(ground, (&report, &names), &text_of_game, outputs, quiet, Some(timing));
    written.and(shown).and(tell_faults(&sources, &outcome))
}

/// Prints and writes a report.
fn show(
    ground: &Ground,
    (report, names): (&Report, &Names),
    game: &GameText,
    outputs: Outputs,
    quiet: bool,
    timing: Option<Timing>,
) -> Done {
    if !quiet {
        print(&text(report, names, color()));
        timing.iter().for_each(|timing| print(&timing.text()));
    }
    let called = Called { names, cards: &card_names(game, names) };
    let page = outputs.page.map_or(Ok(()), |page| page.page(playtest_page(report, None, called)));
    let written = Written { result: report, names: ground.language().map(|_| names), timing };
    let json = outputs.json.map_or(Ok(()), |json| json.json(&written));
    page.and(json)
}

/// Reports what was kept of a run.
pub(super) fn show_saved(ground: &Ground, saved: &Saved, begun: &Begun, outputs: Outputs) -> Done {
    let (run, typed) = (&saved.run, &saved.typed);
    let mut sources = Sources::new();
    let side = typed.sides.first().cloned().unwrap_or_default();
    let Made { text: game, rules, .. } = made(ground, &mut sources, &run.game, &side, Some(run.players))?;
    ground.expect_language(std::slice::from_ref(&run.game), &side.packs)?;
    let names = ground.names(&sources, &game.content)?;
    let agents = parse_seats(&typed.agents, run.players, None).or_else(wrong)?;
    let notes = Notes { scripts: run.hooks, ..Notes::default() };
    let plan = Plan { rules: &rules, agents: &agents, games: run.games, seed: run.seed, threads: 1, notes };
    same_rules(run, &run_of(&plan, typed))?;
    let report = report(&plan, &begun.outcome, &sources, typed.changes.clone()).of_part(saved.part);
    let quiet = outputs.on_terminal();
    show(ground, (&report, &names), &game, outputs, quiet, None).and(tell_faults(&sources, &begun.outcome))
}

/// What the games of a run depend on.
fn run_of(plan: &Plan<'_>, typed: &Typed) -> RunOf {
    RunOf {
        version: env!("CARGO_PKG_VERSION").to_string(),
        command: Command::Playtest,
        game: plan.rules.game.clone(),
        players: plan.rules.players,
        agents: plan.agents.iter().map(ToString::to_string).collect(),
        games: plan.games,
        seed: plan.seed,
        hooks: plan.notes.scripts,
        until: None,
        sides: typed.sides.iter().map(|side| SideOf::new(plan.rules, side)).collect(),
    }
}

/// Refuses rules that are no longer those of a saved run.
pub(super) fn same_rules(saved: &RunOf, now: &RunOf) -> Done {
    let differences = saved.differences(now);
    if differences.is_empty() {
        return Ok(());
    }
    wrong(format!("{}\nrun it where the game and its packs are as they were", differ(("the saved run", "this folder"), &differences)))
}

/// The part that is asked for.
pub(super) fn part_of(shard: Option<Part>, games: u64) -> Result<Part, Trouble> {
    match shard {
        Some(part) if part.of > games => wrong(format!("`--shard {}/{}`: {games} games cannot be parted so often", part.number, part.of)),
        shard => Ok(shard.unwrap_or(Part::WHOLE)),
    }
}

/// Opens the file in which a run is kept, if one was named, and gives back what is done of it.
fn kept(path: Option<&Path>, saved: Saved, fresh: Begun) -> Result<(Option<Keeper>, Begun), Trouble> {
    let Some(path) = path else { return Ok((None, fresh)) };
    let keeper = Keeper::open(path, saved, "games")?;
    let begun = match &keeper.saved().sums {
        Sums::Playtest(begun) => (**begun).clone(),
        Sums::Compare(_) => fresh,
    };
    Ok((Some(keeper), begun))
}

/// How the run was typed.
fn typed(args: &PlaytestArgs) -> Typed {
    let side = Side {
        packs: args.changed.pack.clone(),
        with: args.changed.with.clone(),
        options: args.changed.option.clone(),
        deal: args.changed.deal.clone(),
    };
    Typed {
        sides: vec![side],
        agents: args.who.agents.clone(),
        both: Vec::new(),
        changes: changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal),
    }
}

/// Where a report goes besides the terminal.
pub(super) struct Outputs {
    pub json: Option<Out>,
    pub page: Option<Out>,
}

impl Outputs {
    /// Opens what was named.
    pub fn open(json: Option<&String>, page: Option<&String>) -> Result<Outputs, Trouble> {
        Ok(Outputs { json: Out::open_if(json)?, page: Out::open_if(page)? })
    }

    /// Whether one of them is the standard output, so that nothing else goes there.
    pub fn on_terminal(&self) -> bool {
        [&self.json, &self.page].into_iter().flatten().any(Out::is_terminal)
    }
}

/// Plays one game of a run, and writes its replay.
fn one_game(plan: &Plan<'_>, number: u64, path: &str, sources: &Sources, args: &PlaytestArgs) -> Done {
    let out = Out::open(path)?;
    let quiet = out.is_terminal();
    let seed = seed_of_game(plan.seed, number);
    let start = Start {
        game: args.game.clone(),
        players: plan.rules.players,
        seed,
        options: args.changed.option.clone(),
        deal: args.changed.deal.clone(),
        with: args.changed.with.clone(),
        packs: args.changed.pack.clone(),
        from: None,
    };
    let chairs: Vec<Chair> = plan.agents.iter().cloned().map(Chair::Machine).collect();
    let rules = Arc::new(plan.rules.clone());
    let mut session = match Session::new(&rules, Game::new(&rules, seed)) {
        Ok(session) => session,
        Err(faults) => return tell(sources, &faults).and(Err(Trouble::Finding)),
    };
    let told = |fault: &Fault, count: usize| tell(sources, &[of_fault(fault, seed, count)]);
    if let Err(failed) = session.start(&[]) {
        return told(&failed.fault, 0);
    }
    let mut table = match Table::new(session, chairs.clone()) {
        Ok(table) => table,
        Err(failed) => return told(&failed.fault, 0),
    };
    let mut stopped = Ok(());
    while table.waits_for_machine() {
        if let Err(found) = table.machine_answers() {
            // What was played until then can be looked at all the same.
            let (Stopped::Failed(Failed { fault, .. }, _) | Stopped::Player(fault)) = found;
            stopped = told(&fault, table.session.steps().len() + 1);
            break;
        }
    }
    table.end();
    out.text(&Replay::text_of(&start, &chairs, &table.session))?;
    if !quiet {
        let count = table.session.steps().len();
        let end = if table.session.game().finished() { "to its end" } else { "up to the fault" };
        print(&format!("game {number}, its seed {seed}: {count} answers, {end}; `houserule replay {path}` shows it\n"));
    }
    stopped
}

/// What cards are called, by their ids.
pub(super) fn card_names<'a>(text: &'a GameText, names: &'a Names) -> BTreeMap<&'a str, &'a str> {
    text.content.cards.iter().map(|card| (card.id.text.as_str(), names.card(card))).collect()
}

/// What was typed of options and of cards that are dealt.
pub(super) fn set_up<'a>(
    seats: usize,
    options: impl IntoIterator<Item = &'a String>,
    deal: impl IntoIterator<Item = &'a String>,
) -> Result<Setup, Trouble> {
    Setup::read(seats, options, deal).or_else(wrong)
}

/// What was changed on the command line, for the report.
pub(super) fn changes(packs: &[PathBuf], with: &[String], options: &[String], dealt: &[String]) -> Vec<String> {
    let packs = packs.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = with.iter().map(|text| format!("--with '{text}'"));
    let options = options.iter().map(|option| format!("--option {option}"));
    let dealt = dealt.iter().map(|card| format!("--deal {card}"));
    packs.chain(with).chain(options).chain(dealt).collect()
}

impl Timing {
    fn new((games, decisions): (u64, i64), seconds: f64, threads: usize) -> Timing {
        let per_second = |number: f64| if seconds > 0.0 { number / seconds } else { 0.0 };
        let (games_per_second, decisions_per_second) = (per_second(games as f64), per_second(decisions as f64));
        Timing { games, seconds, threads, games_per_second, decisions_per_second }
    }

    fn text(&self) -> String {
        let Timing { games, seconds, threads, games_per_second, decisions_per_second } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        let speed = format!("{games_per_second:.0} games and {decisions_per_second:.0} decisions a second");
        format!("{games} games in {seconds:.2} s with {threads} thread{plural}: {speed}\n")
    }
}

/// Faults that dropped games, and those that players met only in thought, each with how to meet it again.
pub(super) fn tell_faults(sources: &Sources, outcome: &Outcome) -> Done {
    let shown = outcome.faults.iter().take(MAX_SHOWN).map(|alike| {
        let dropped = &alike.first;
        let mut found = Diagnostic::error("G201", dropped.fault.span, dropped.fault.to_string());
        if dropped.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (dropped.game, dropped.seed, dropped.decision, dropped.round);
        found =
            dropped.fault.tell(found).trace(format!("game {game} of the run, its seed {seed}, round {round}, after question {decision}"));
        if alike.games > 1 { found.help(format!("{} games were dropped for it", alike.games)) } else { found }
    });
    let avoided = outcome.avoided.iter().take(MAX_SHOWN).map(|alike| {
        let met = &alike.first;
        let mut found = Diagnostic::warning("G205", met.fault.span, format!("met only in thought: {}", met.fault));
        if met.fault.span.is_some() {
            found = found.label("here");
        }
        let (game, seed, decision, round) = (met.game, met.seed, met.decision, met.round);
        found = met.fault.tell(found).trace(format!("game {game} of the run, its seed {seed}, round {round}, at question {decision}"));
        let games = if alike.games == 1 { "one game".to_string() } else { format!("{} games", alike.games) };
        found.help(format!(
            "in {games} a player thought of answers after which the rules cannot go on, and kept away from them; others may not"
        ))
    });
    let shown: Vec<_> = shown.chain(avoided).collect();
    let done = tell(sources, &shown);
    if outcome.faults.len() > MAX_SHOWN {
        say(&format!("and {} more faults\n", outcome.faults.len() - MAX_SHOWN));
    }
    done
}

/// Listens to a run: writes the single games, keeps what is done, and says how far it is.
struct Watch {
    progress: Progress,
    tables: Tables,
    keeper: Option<Keeper>,
}

impl Watch {
    fn new(games: u64, tables: Tables, keeper: Option<Keeper>) -> Watch {
        Watch { progress: Progress::new(games, "games"), tables, keeper }
    }

    fn end(self, begun: &Begun) -> Done {
        self.progress.end();
        let kept = self.keeper.map_or(Ok(()), |keeper| keeper.end(sums(begun)));
        self.tables.end().and(kept)
    }
}

/// What is kept: a game that ended because a player did not answer is to be played again.
fn sums(begun: &Begun) -> Sums {
    Sums::Playtest(Box::new(begun.clone().without_unanswered()))
}

impl Listener for Watch {
    fn game(&mut self, number: u64, game: &Played) {
        if !self.tables.game(number, game) {
            // The rest of the games would be played in vain.
            STOP.store(true, Ordering::Relaxed);
        }
    }

    fn done(&mut self, count: u64) {
        self.progress.at(count);
    }

    fn begun(&mut self, begun: &Begun) {
        if self.keeper.as_mut().is_some_and(|keeper| !keeper.keep(|| sums(begun))) {
            STOP.store(true, Ordering::Relaxed);
        }
    }
}
