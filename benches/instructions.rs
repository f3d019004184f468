//! Instructions that a decision, a machine player's try, a report and a start take, and bytes that they copy: counted by valgrind's callgrind,
//! so that the figures are the same on a busy machine, within a hundredth.
//!
//! `cargo bench --bench instructions` compares them with benches/instructions.toml and ends with 1 where one has grown by more than 3 %;
//! `-- --write` writes that file, `-- NAME` counts only what has this in its name, `-- --quick` what takes a few seconds. Code of games is
//! compiled ahead and is in no figure.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a bench may panic, and its numbers are small"
)]

mod compiled;

use compiled::{compile, give_up};
use houserule::agent::{SeatAgents, highest_hash_option, parse_agents};
use houserule::engine::native::{BackEnd, set_back_end};
use houserule::engine::{Game, Ruleset, Scripts};
use houserule::playtest::{RecordOptions, RunPlan, report, run};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use houserule::state::chance::{join, seed_of_game};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// What is counted: its name, what one figure is about, and the work, of which [`measured_region`] is counted.
struct Case {
    name: &'static str,
    unit: &'static str,
    /// Whether it takes but a few seconds.
    quick: bool,
    work: fn() -> u64,
}

const CASES: [Case; 10] = [
    Case {
        unit: "a start",
        quick: false,
        ..decision("start of Nations", || measured_region(&mut || compile(None, "nations", 4).0.players.min(1) as u64))
    },
    decision("random, Nations", || playouts(None, "nations", 4, (2, 6))),
    decision("random, Dice", || playouts(None, "nations-dice", 2, (5, 30))),
    Case { quick: false, ..decision("random, Near", || playouts(None, "near", 4, (1, 1))) },
    decision("random, four in a line", || playouts(Some("examples/recipes"), "columns", 2, (5, 30))),
    decision("random, sowing", || playouts(Some("examples/recipes"), "pods", 2, (5, 20))),
    Case { unit: "a try", quick: false, ..decision("greedy, Nations", || played("greedy", 60).1) },
    Case { unit: "an iteration", quick: false, ..decision("search, Nations", || played("search:100", 6).0 * 100) },
    Case { unit: "a report", quick: false, ..decision("report on Nations", || report_on_nations("random", 100)) },
    // Players who do not do alike are told apart in groups.
    Case { unit: "a report", quick: false, ..decision("report on groups", || report_on_nations("greedy,random,random,random", 60)) },
];

const fn decision(name: &'static str, work: fn() -> u64) -> Case {
    Case { name, unit: "a decision", quick: true, work }
}

/// By how much a figure may grow.
const MOST_GROWTH: f64 = 1.03;

/// The figures of one case.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    /// Instructions, without those that copy memory.
    instructions: u64,
    /// Bytes that are copied: callgrind counts an instruction for each, where many are copied at once.
    copied: u64,
}

/// For each profile of cargo, since what it optimises differs, the figures by name.
type Held = BTreeMap<String, BTreeMap<String, Figures>>;

/// The work whose instructions are counted: says when it is about to begin and when it has ended, and waits for a word each time, so that
/// valgrind can be told to count from the one on to the other.
fn measured_region(work: &mut dyn FnMut() -> u64) -> u64 {
    let (words, heard) = mpsc::channel();
    std::thread::spawn(move || std::io::stdin().lines().map_while(Result::ok).try_for_each(|word| words.send(word)));
    // Valgrind hears what it is told only from a process that does something.
    let wait = || while heard.recv_timeout(Duration::from_millis(1)) == Err(RecvTimeoutError::Timeout) {};
    println!("ready");
    wait();
    let units = std::hint::black_box(work());
    println!("done");
    wait();
    units
}

/// Plays random games, of which the first only warm up; returns how many decisions the others have.
fn playouts(root: Option<&str>, name: &str, players: usize, (warm, games): (u64, u64)) -> u64 {
    let (rules, mut host) = compile(root.map(Path::new), name, players);
    let mut game = Game::new(&rules, 0);
    play(&rules, &mut host, &mut game, None, 0..warm, u64::MAX);
    measured_region(&mut || play(&rules, &mut host, &mut game, None, warm..warm + games, u64::MAX))
}

/// Plays so many decisions of Nations by a machine player; returns the decisions with several answers, and the tries.
fn played(agent: &str, decisions: u64) -> (u64, u64) {
    let (rules, mut host) = compile(None, "nations", 4);
    let mut game = Game::new(&rules, 0);
    let Ok(kinds) = parse_agents(agent, rules.players) else { give_up(agent) };
    let mut agents = SeatAgents::new(&kinds);
    play(&rules, &mut host, &mut game, Some(&mut agents), 0..1, decisions / 2);
    let before = agents.count_tried();
    let chosen = measured_region(&mut || play(&rules, &mut host, &mut game, Some(&mut agents), 1..2, decisions));
    (chosen, agents.count_tried() - before)
}

/// Returns how many decisions were made; of machine players, only those with several answers.
fn play(
    rules: &Arc<Ruleset>,
    host: &mut ScriptHost,
    game: &mut Game,
    mut agents: Option<&mut SeatAgents>,
    games: std::ops::Range<u64>,
    most: u64,
) -> u64 {
    let (mut decisions, mut counted) = (0, 0);
    for index in games {
        let seed = seed_of_game(1, index);
        game.restart(rules, seed);
        if let Some(agents) = agents.as_deref_mut() {
            agents.begin_game(seed);
        }
        for number in 0.. {
            let Ok(Some(open)) = game.on(rules).advance(host) else { break };
            let several = open.options.len() > 1;
            let option = match agents.as_deref_mut() {
                None => highest_hash_option(join(seed, number), &open.options),
                Some(agents) => agents.choose(rules, game, host).expect("an answer"),
            };
            game.on(rules).answer(host, option).expect("it can be answered");
            decisions += 1;
            counted += u64::from(several || agents.is_none());
            if decisions == most {
                return counted;
            }
        }
    }
    counted
}

fn report_on_nations(players: &str, games: u64) -> u64 {
    let (rules, _) = compile(None, "nations", 4);
    let Ok(agents) = parse_agents(players, rules.players) else { give_up(players) };
    let plan = RunPlan { rules: &rules, agents: &agents, games, seed: 1, threads: 1, notes: RecordOptions::default() };
    let scripts = || ScriptHost::new(&rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let Ok(outcome) = run(&plan, &scripts, &AtomicBool::new(false), &mut ()) else { give_up("no games") };
    measured_region(&mut || report(&plan, &outcome, &Sources::new(), Vec::new()).games)
}

/// The profile with which this was built.
fn profile() -> String {
    if cfg!(debug_assertions) { "dev".to_string() } else { "release".to_string() }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [counted, name] = &args[..]
        && counted == "--counted"
    {
        set_back_end(BackEnd::Native);
        let case = CASES.iter().find(|case| case.name == name).expect("a case");
        return println!("{}", (case.work)());
    }
    let [write, quick] = ["--write", "--quick"].map(|wanted| args.iter().any(|arg| arg == wanted));
    let wanted = args.iter().find(|arg| !arg.starts_with('-'));
    if Command::new("valgrind").arg("--version").output().is_err() {
        return println!("valgrind is not there, so that no instructions are counted (apt-get install valgrind)");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.toml");
    let text = fs::read_to_string(&file).unwrap_or_default();
    let mut held: Held = toml::from_str(&text).unwrap_or_else(|wrong| give_up(&format!("{}: {wrong}", file.display())));
    let held_here = held.entry(profile()).or_default();
    let mut grown = Vec::new();
    println!("{:28} {:>13} {:>13}  held", "", "instructions", "bytes copied");
    for case in
        CASES.iter().filter(|case| case.quick || !quick).filter(|case| wanted.is_none_or(|wanted| case.name.contains(wanted.as_str())))
    {
        let found = count(case);
        let before = held_here.get(case.name).copied();
        let growth = |old: u64, new: u64| if old < 100 { 1.0 } else { new as f64 / old as f64 };
        let told = before.map_or("new".to_string(), |before| {
            let [instructions, copied] = [growth(before.instructions, found.instructions), growth(before.copied, found.copied)];
            // Where little is copied, chance decides how much: maps are walked in an order of their own each time.
            let much = before.copied * 10 > before.instructions;
            if instructions > MOST_GROWTH || much && copied > MOST_GROWTH {
                grown.push(case.name);
            }
            format!("{:+.1} %, {:+.1} %", 100.0 * (instructions - 1.0), 100.0 * (copied - 1.0))
        });
        println!("{:28} {:>13} {:>13}  {told}", format!("{}, {}", case.name, case.unit), found.instructions, found.copied);
        if write {
            held_here.insert(case.name.to_string(), found);
        }
    }
    if write {
        let head =
            "# Instructions that benches/instructions.rs counts, by profile of cargo. Whoever makes one larger says why in the commit.\n";
        fs::write(&file, format!("{head}{}", toml::to_string(&held).expect("it can be written"))).expect("it is written");
    } else if !grown.is_empty() {
        give_up(&format!(
            "more than {:.0} % dearer than benches/instructions.toml says: {}",
            100.0 * (MOST_GROWTH - 1.0),
            grown.join(", ")
        ));
    }
}

/// Runs a case under callgrind, which counts within the region alone: elsewhere the program runs ten times as fast.
fn count(case: &Case) -> Figures {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("callgrind.out");
    let mut counted = Command::new("valgrind")
        .args(["--tool=callgrind", "--instr-atstart=no"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().expect("this program"))
        .args(["--counted", case.name])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("valgrind starts");
    let process = counted.id().to_string();
    let (mut input, output) = (counted.stdin.take().expect("its input"), counted.stdout.take().expect("its output"));
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    for (said, order) in [("ready", "on"), ("done", "off")] {
        if lines.next().as_deref() != Some(said) {
            give_up(&format!("{} cannot be counted", case.name));
        }
        let told = Command::new("callgrind_control").args(["-i", order, &process]).output();
        if !told.is_ok_and(|told| told.status.success()) {
            give_up("callgrind_control, which comes with valgrind, does not reach it");
        }
        writeln!(input, "on").expect("it listens");
    }
    let units: u64 = lines.next().and_then(|units| units.parse().ok()).filter(|units| *units > 0).expect("how many there were");
    counted.wait().expect("it ends");
    let (all, copied) = sums(&fs::read_to_string(&out).expect("what callgrind wrote"));
    Figures { instructions: (all - copied) / units, copied: copied / units }
}

fn copies_memory(function: &str) -> bool {
    ["memcpy", "memmove", "memset"].iter().any(|word| function.contains(word))
}

/// Returns what all functions cost themselves, and what those cost that copy memory, of a file that callgrind wrote.
fn sums(text: &str) -> (u64, u64) {
    let (mut all, mut copied) = (0, 0);
    let mut names: BTreeMap<&str, bool> = BTreeMap::new();
    let (mut copies, mut of_call) = (false, false);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            // A name stands behind its number where that comes first.
            let (number, name) = name.split_once(' ').unwrap_or((name, ""));
            if !name.is_empty() {
                names.insert(number, copies_memory(name));
            }
            copies = names.get(number).copied().unwrap_or(false);
        } else if let Some(called) = line.strip_prefix("cfn=") {
            if let Some((number, name)) = called.split_once(' ') {
                names.insert(number, copies_memory(name));
            }
        } else if line.starts_with("calls=") {
            of_call = true;
        } else if line.starts_with(|sign: char| sign.is_ascii_digit() || "+-*".contains(sign)) {
            let cost: u64 = line.rsplit(' ').next().and_then(|cost| cost.parse().ok()).unwrap_or(0);
            if !of_call {
                all += cost;
                copied += if copies { cost } else { 0 };
            }
            of_call = false;
        }
    }
    (all, copied)
}
