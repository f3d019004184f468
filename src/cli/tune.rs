//! `houserule tune`: brings numbers of the rules towards targets.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde_json::Value;

mod settings;
mod vary;
mod write;

use self::settings::Settings;
use self::write::{Destination, shown_text_of, text_of};
use super::args::TuneArgs;
use super::faults::{or_show, report_faults};
use super::load::{Workspace, title};
use super::output::{OutputFile, check_outputs, color, print, usage_error};
use super::result::{CommandResult, ExitReason};
use super::saver::RunSaver;
use super::signals::STOP;
use super::spec::of_tune;
use super::stage::Stage;
use crate::agent::AgentKind;
use crate::engine::Ruleset;
use crate::playtest::compare::Measure;
use crate::playtest::saved::{Saved, SavedResults};
use crate::playtest::{
    Listener, MeasuredMeans, Merge, PlayedGame, RecordOptions, RunOutcome, RunPart, RunPlan, measured_means, run, script_host,
};
use crate::state::chance::{hash_text, join};
use crate::steps::Steps;
use crate::threads::Threads;
use crate::tune::{Candidate, Measurable, Objective, Point, Search, SearchSummary, Target, TunedSetting, TuningReport, VariedNumber};

/// Fewest games of a search.
const MIN_GAMES: u64 = 100;
/// Fewest games of an evaluation.
const MIN_GAMES_TO_EVALUATE: u64 = 10;
/// Number of games, played by chance, in which the cards are seen with which seats begin.
const GAMES_TO_BEGIN: u64 = 200;
/// Number of games of the search in which each of those cards must have been begun with; a rare one may be missing in fewer.
const GAMES_TO_MISS: u64 = 1000;
/// What of all games the search may have; the others confirm.
const SEARCH_PART: (u64, u64) = (3, 5);

/// JSON output of `tune`.
#[derive(Serialize)]
struct TuningOutput<'a> {
    #[serde(flatten)]
    report: &'a TuningReport,
    /// The best setting as rules and patches; `None` if these are the rules as they are.
    rules: Option<&'a str>,
}

/// Runs `houserule tune`.
pub fn tune(workspace: &Workspace, args: &TuneArgs) -> CommandResult {
    if args.games < MIN_GAMES {
        return usage_error(format!("-n {}: {MIN_GAMES} games are the least that tell settings apart", args.games));
    }
    let spec = of_tune(args)?;
    let mut settings = Settings::open(workspace, args)?;
    let (write, save) = (args.write.as_ref().map(|path| path.display().to_string()), args.save.as_deref());
    check_outputs(&[("--json", &args.json), ("--write", &write)], save, settings.sources.read_paths())?;
    let players = settings.now.players;
    let agents = spec.line_ups(players).or_else(usage_error)?.swap_remove(0);
    spec.check_players(slice::from_ref(&agents), &[&settings.now]).or_else(usage_error)?;
    let targets = targets(args, &settings, &agents)?;
    let run = spec.run.with_rules(&agents, &spec.typed.sides, [&*settings.now]);
    let saved = Saved { run, typed: spec.typed, part: RunPart::WHOLE, sums: SavedResults::Steps(Vec::new()) };
    let (saver, begun) = RunSaver::open(save, saved, "steps")?;
    let destination = args.write.as_ref().map(|path| Destination::open(path, &settings)).transpose()?;
    let json = OutputFile::open_if(args.json.as_ref())?;
    let threads = Threads::start(args.run.threads.into()).or_else(usage_error)?;
    let is_kept = saver.is_some();
    let stage = RefCell::new(Stage::begin(args.games, "games", saver));
    let mut keep = |steps: &[Value]| stage.borrow_mut().keep(steps);
    let mut table = TuningTable {
        settings: &mut settings,
        agents: &agents,
        measures: targets.iter().flat_map(|target| target.measures.clone()).collect(),
        threads,
        stage: &stage,
        steps: if is_kept { Steps::behind(begun.sums.steps(), &mut keep) } else { Steps::default() },
        done: 0,
        dropped: RunOutcome::default(),
    };
    let objective = Objective { criteria: targets.iter().map(|target| target.criterion.clone()).collect() };
    let mut search = Search::new(table.settings.lattice(), objective, table.settings.now(), args.run.seed);
    let searched = table.search(&mut search, args)?;
    let finalists = table.finalists(&mut search, args.best);
    let fresh_seed = join(args.run.seed, hash_text("fresh games")) >> 32;
    let fresh_games = (args.games.saturating_sub(table.done) / finalists.len() as u64).max(MIN_GAMES_TO_EVALUATE);
    let fresh = table.confirm(&finalists, fresh_seed, fresh_games)?;
    let (steps, dropped) = (table.steps.results().to_vec(), table.dropped);
    let mut stage = stage.into_inner();
    stage.keep_all(steps.as_slice());
    let kept = stage.end(()).kept;
    let confirmed = fresh.len() == finalists.len();
    let means = |(at, finalist): (usize, &Option<Point>)| match confirmed {
        true => fresh.get(at).cloned(),
        false => finalist.as_ref().and_then(|point| searched.means.get(point).cloned()),
    };
    let now = settings.now();
    let candidate = |(at, finalist): (usize, &Option<Point>)| {
        let levels = finalist.as_ref().map(|point| settings.levels(point));
        Some(Candidate { levels, is_now: *finalist == now, players, means: means((at, finalist))? })
    };
    let candidates: Vec<Candidate> = finalists.iter().enumerate().filter_map(candidate).collect();
    let summary = SearchSummary {
        game: args.game.clone(),
        title: title(&settings.text).to_string(),
        agents: agents.iter().map(ToString::to_string).collect(),
        seed: args.run.seed,
        fresh_seed,
        settings: settings.lattice().size(),
        settings_played: searched.means.len() as u64,
        games: searched.games,
        fresh_games,
        confirmed,
    };
    let report = TuningReport::new(summary, varied(&settings), targets, &candidates);
    show(&settings, args, &report, destination, json)?;
    report_faults(&settings.sources, &dropped)?;
    kept?;
    if report.is_out_of_reach() { Err(ExitReason::Findings) } else { Ok(()) }
}

/// Reads the targets.
fn targets(args: &TuneArgs, settings: &Settings, agents: &[AgentKind]) -> Result<Vec<Target>, ExitReason> {
    let beginnings = if args.target.iter().any(|target| target.contains("card shares") || target.contains("who begins with")) {
        shares_of_beginnings(settings)?
    } else {
        Vec::new()
    };
    let measurable = Measurable { rules: &settings.now, agents, beginnings: &beginnings };
    let mut targets: Vec<Target> = Vec::new();
    for written in &args.target {
        let target = Target::parse(written, &measurable).or_else(usage_error)?;
        if targets.iter().any(|known| known.name == target.name) {
            return usage_error(format!(
                "`{}` is aimed at twice; one of the two is enough, or a range: `{} = FROM..TO`",
                target.name, target.name
            ));
        }
        targets.push(target);
    }
    Ok(targets)
}

/// Returns the cards with which some seats begin, each with the share that is even: that of the sides of which a seat has it.
fn shares_of_beginnings(settings: &Settings) -> Result<Vec<(String, f64)>, ExitReason> {
    struct Beginnings<'a>(&'a Ruleset, BTreeMap<u32, (u64, u64)>);
    impl Listener for Beginnings<'_> {
        fn on_game(&mut self, _: u64, game: &PlayedGame) {
            for (card, seats) in game.initial_cards_of_some(self.0) {
                let known = self.1.entry(card).or_default();
                *known = (known.0 + 1, known.1 + game.sides_of(&seats).len() as u64);
            }
        }
    }
    let rules = &settings.now;
    let agents = vec![AgentKind::Random; rules.players];
    let plan = RunPlan { rules, agents: &agents, games: GAMES_TO_BEGIN, seed: 0, threads: 0, notes: RecordOptions::default() };
    let mut found = Beginnings(rules, BTreeMap::new());
    or_show(&settings.sources, run(&plan, &|| script_host(rules), &STOP, &mut found))?;
    let even = |(card, (games, sides)): (&u32, &(u64, u64))| {
        let id = rules.names.text(rules.definitions[*card as usize].id).to_string();
        (id, *sides as f64 / *games as f64 / rules.side_count().max(1) as f64)
    };
    Ok(found.1.iter().map(even).collect())
}

/// What was measured in a search.
struct Searched {
    /// By setting, in all games that were played by it.
    means: BTreeMap<Point, MeasuredMeans>,
    /// Number of complete games.
    games: u64,
}

/// What all evaluations share.
struct TuningTable<'a> {
    settings: &'a mut Settings,
    agents: &'a [AgentKind],
    measures: Vec<Measure>,
    threads: Threads,
    stage: &'a RefCell<Stage>,
    /// What was measured by one setting after the other.
    steps: Steps<'a>,
    /// Number of games played, with those of a run before.
    done: u64,
    /// Games that were left out because of a fault, of all settings.
    dropped: RunOutcome,
}

impl TuningTable<'_> {
    /// Plays by one setting after the other, as long as there are games for the search.
    fn search(&mut self, search: &mut Search, args: &TuneArgs) -> Result<Searched, ExitReason> {
        let games = args.games * SEARCH_PART.0 / SEARCH_PART.1;
        let each = (games / Search::usual_evaluations(&self.settings.lattice())).max(MIN_GAMES_TO_EVALUATE);
        let mut searched = Searched { means: BTreeMap::new(), games: 0 };
        while !Stage::is_stopped() && self.done + each <= games {
            let (point, before) = search.ask();
            let found = self.play(Some(&point), args.run.seed, before * each..(before + 1) * each)?;
            if found.stopped {
                break;
            }
            search.tell(&point, &found.sums_of(&self.measures));
            let before = searched.games;
            searched.games += found.games;
            searched.means.entry(point).or_default().merge(&found);
            if before < GAMES_TO_MISS && searched.games >= GAMES_TO_MISS {
                let never = |measure: &&Measure| searched.means.values().all(|means| !means.sums.contains_key(measure));
                if let Some(never) = self.measures.iter().find(never) {
                    return usage_error(format!("`{never}`: nobody began so in {} games", searched.games));
                }
            }
        }
        if searched.games == 0 {
            report_faults(&self.settings.sources, &self.dropped)?;
            return usage_error("stopped before the first games were over; nothing is known yet");
        }
        Ok(searched)
    }

    /// Returns so many of the settings that came nearest, and the rules as they are, which need not be one of the settings.
    fn finalists(&self, search: &mut Search, best: u16) -> Vec<Option<Point>> {
        let mut finalists: Vec<Option<Point>> = search.finalists(best.into()).into_iter().map(Some).collect();
        let now = self.settings.now();
        if now.is_none() || !finalists.contains(&now) {
            finalists.push(now);
        }
        finalists
    }

    /// Plays games of their own by each of the finalists; fewer than all if the run is stopped.
    fn confirm(&mut self, finalists: &[Option<Point>], seed: u64, games: u64) -> Result<Vec<MeasuredMeans>, ExitReason> {
        let mut fresh = Vec::new();
        for finalist in finalists {
            let found = self.play(finalist.as_ref(), seed, 0..games)?;
            if found.stopped {
                break;
            }
            fresh.push(found);
        }
        Ok(fresh)
    }

    /// Plays games by a setting, or by the rules as they are, as a step of the run.
    fn play(&mut self, setting: Option<&Point>, seed: u64, games: Range<u64>) -> Result<MeasuredMeans, ExitReason> {
        let before = self.done;
        let found = match self.steps.take_over() {
            Some(found) => found,
            None => {
                let rules = match setting {
                    Some(point) => self.settings.rules(point)?,
                    None => Arc::clone(&self.settings.now),
                };
                let notes = RecordOptions::default();
                let plan = RunPlan { rules: &rules, agents: self.agents, games: games.end, seed, threads: 1, notes };
                let (stage, played) = (self.stage.borrow(), AtomicU64::new(before));
                let shown: &Stage = &stage;
                let on_game = || shown.done(played.fetch_add(1, Ordering::Relaxed) + 1);
                let found = measured_means(&plan, games, &self.measures, &self.threads, &|| script_host(&rules), &STOP, &on_game);
                drop(stage);
                let found = or_show(&self.settings.sources, found)?;
                if !found.stopped {
                    self.steps.keep(&found);
                }
                found
            }
        };
        self.done += found.games + found.dropped.dropped;
        self.dropped.merge(&found.dropped);
        Ok(found)
    }
}

/// Returns what is varied, for the report.
fn varied(settings: &Settings) -> Vec<VariedNumber> {
    let of_vary = |vary: &vary::Vary| VariedNumber {
        name: vary.name.clone(),
        levels: vary.levels.clone(),
        now: vary.now.map(|now| vary.levels[now].clone()),
        ordered: vary.ordered,
    };
    settings.varied.iter().map(of_vary).collect()
}

/// Prints the report, and writes its files.
fn show(
    settings: &Settings,
    args: &TuneArgs,
    report: &TuningReport,
    destination: Option<Destination>,
    json: Option<OutputFile>,
) -> CommandResult {
    // The best of the settings: the rules as they are may be best, and need no text.
    let best = report.nearest.iter().find(|setting| setting.levels.is_some() && setting.loss.is_finite());
    let point = best.and_then(|setting| point_of(settings, setting));
    let text = point.as_ref().map(|point| text_of(settings, point)).filter(|text| !text.is_empty());
    let on_terminal = json.as_ref().is_some_and(OutputFile::is_terminal);
    if !on_terminal {
        print(&report.text(color()));
        if let (Some(best), Some(point), true) = (best, &point, text.is_some()) {
            print(&format!("\n{}, as text:\n{}", report.name_of(best), shown_text_of(settings, point)));
        }
    }
    if let (Some(destination), Some(point), Some(best)) = (destination, &point, best) {
        let typed = destination.write(settings, point, &found_in_words(args, report, best))?;
        if !on_terminal {
            print(&format!("written: houserule playtest {} {typed}\n", args.game));
        }
    }
    json.map_or(Ok(()), |json| json.write_json(&TuningOutput { report, rules: text.as_deref() }))
}

/// Returns a setting of the report as a point of the lattice.
fn point_of(settings: &Settings, setting: &TunedSetting) -> Option<Point> {
    let levels = setting.levels.as_ref()?;
    settings.varied.iter().zip(levels).map(|(vary, level)| vary.levels.iter().position(|known| known == level)).collect()
}

/// Says in one line how a setting was found, behind the name of the command.
fn found_in_words(args: &TuneArgs, report: &TuningReport, best: &TunedSetting) -> String {
    let targets: Vec<String> = report.targets.iter().map(|target| format!("{} {}", target.name, target.wanted)).collect();
    let games = if report.search.confirmed { format!("{} fresh games", best.games) } else { "the games of the search alone".to_string() };
    let distances: Vec<String> = best.distances.iter().filter_map(|one| one.distance).map(|distance| format!("{distance:.3}")).collect();
    format!("{} --seed {}` has found: {}; in {games} off by {}", args.game, args.run.seed, targets.join("; "), distances.join(", "))
}
