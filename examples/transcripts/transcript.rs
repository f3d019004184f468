//! A transcript of games: what was asked, offered and answered, in words, so that another build can be held against it.
//!
//! A transcript knows nothing of how a game is run: a game is a chain of questions, each with a seat, an id, the keys of its
//! options and the key that was taken, and the points at the end. The order in which options are offered is left out of the hash.

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use houserule::agent::{AgentKind, SeatAgents};
use houserule::engine::{Decision, Game, Ruleset};
use houserule::lang::{self, Setup};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::path::Path;
use std::sync::Arc;

/// First line of a file.
const MARK: &str = "houserule transcript 1";
/// A game with more questions than this will not end.
const MOST_QUESTIONS: u32 = 1_000_000;
/// Games that a thread plays with one script host.
const BATCH: usize = 10;

/// What is played: a game, how many play it, and the options that are not at their default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Id of the game.
    pub game: String,
    /// How many play.
    pub players: usize,
    /// `set=expert` or `level@p2=king`.
    pub options: Vec<String>,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Takes the option whose hash with the seed and the number of the question is highest: it knows nothing of agents, so that
    /// a difference is one of the game.
    Plain,
    /// The agent `random` at each seat.
    Random,
    /// The agent `greedy` at each seat.
    Greedy,
}

/// The three sorts of players, by the names that stand in files.
pub const PLAYERS: [(&str, Player); 3] = [("plain", Player::Plain), ("random", Player::Random), ("greedy", Player::Greedy)];

impl Player {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        PLAYERS.iter().find(|(_, player)| *player == self).map_or("?", |(name, _)| name)
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who answered.
    pub player: Player,
    /// Seed of the game.
    pub seed: u64,
    /// How many questions were put.
    pub questions: u32,
    /// Points of each seat, or what went wrong.
    pub end: String,
    /// Chain over seat, question, all keys offered, key taken.
    pub hash: u64,
    /// `p1 action 12: buy wall` for each question with the number of its options, if it was kept.
    pub lines: Vec<String>,
}

/// All games of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// What was played.
    pub table: Table,
    /// It cannot be played with what is shipped: no cards for this option.
    pub refused: bool,
    /// The games.
    pub games: Vec<Played>,
}

/// A game that is to be played: who answers, its seed, and whether each answer is kept.
pub type Plan = (Player, u64, bool);

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.game, self.players)?;
        self.options.iter().try_for_each(|option| write!(f, "-{option}"))
    }
}

/// FNV-1a, so that a transcript depends on no hash of the program.
fn hash_text(mut hash: u64, text: &str) -> u64 {
    for byte in text.bytes().chain([0]) {
        hash = (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01B3);
    }
    hash
}

const START: u64 = 0xCBF2_9CE4_8422_2325;

/// Spreads the bits (the finaliser of SplitMix64).
pub fn mix(x: u64) -> u64 {
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The compiled game of a table, `None` when it is refused.
pub fn rules_of(table: &Table) -> Option<Arc<Ruleset>> {
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, None, &table.game, &[], &[], &mut diagnostics)?;
    let mut setup = Setup { players: table.players, ..Setup::default() };
    for option in &table.options {
        let (name, value) = option.split_once('=')?;
        match name.split_once("@p") {
            Some((name, seat)) => setup.seat_options.push((seat.parse::<usize>().ok()? - 1, name.to_string(), value.to_string())),
            None => setup.options.push((name.to_string(), value.split(',').map(str::to_string).collect())),
        }
    }
    lang::compile(&text, &setup, &mut diagnostics).map(Arc::new)
}

/// Plays the games of several tables on all cores.
pub fn play_all(plans: &[(Table, Vec<Plan>)]) -> Vec<Transcript> {
    let rules: Vec<Option<Arc<Ruleset>>> = plans.par_iter().map(|(table, _)| rules_of(table)).collect();
    let batches: Vec<(usize, &[Plan])> = plans
        .iter()
        .enumerate()
        .filter(|(index, _)| rules[*index].is_some())
        .flat_map(|(index, (_, games))| games.chunks(BATCH).map(move |batch| (index, batch)))
        .collect();
    let played: Vec<Vec<Played>> = batches
        .par_iter()
        .with_max_len(1)
        .map(|(index, batch)| rules[*index].as_ref().map_or_else(Vec::new, |rules| play_batch(rules, batch)))
        .collect();
    let mut transcripts: Vec<Transcript> = plans
        .iter()
        .zip(&rules)
        .map(|((table, _), rules)| Transcript { table: table.clone(), refused: rules.is_none(), games: Vec::new() })
        .collect();
    for ((index, _), games) in batches.into_iter().zip(played) {
        transcripts[index].games.extend(games);
    }
    transcripts
}

fn play_batch(rules: &Arc<Ruleset>, batch: &[Plan]) -> Vec<Played> {
    let mut scripts = ScriptHost::new(rules).expect("scripts of built-in cards compile");
    let mut game = Game::new(rules, 0);
    let play = |&(player, seed, keep): &Plan| play(rules, &mut scripts, &mut game, player, seed, keep);
    batch.iter().map(play).collect()
}

/// Plays one game.
fn play(rules: &Ruleset, scripts: &mut ScriptHost, game: &mut Game, player: Player, seed: u64, keep: bool) -> Played {
    let kind = if player == Player::Greedy { AgentKind::parse("greedy").unwrap_or(AgentKind::Random) } else { AgentKind::Random };
    let mut seats = SeatAgents::new(&vec![kind; rules.players]);
    game.restart(rules, seed);
    seats.begin_game(seed);
    let mut played = Played { player, seed, questions: 0, end: String::new(), hash: START, lines: Vec::new() };
    let mut keys = Vec::new();
    loop {
        match game.on(rules).advance(scripts) {
            Ok(Some(decision)) => keys_of(rules, decision, &mut keys),
            Ok(None) => break,
            Err(fault) => {
                played.end = format!("fault: {fault}");
                return played;
            }
        }
        if played.questions == MOST_QUESTIONS {
            played.end = "no end".to_string();
            return played;
        }
        let chosen = match player {
            Player::Plain => plain(seed, played.questions, &keys),
            Player::Random | Player::Greedy => seats.choose(rules, game, scripts).expect("these players have no faults"),
        };
        if let Some(decision) = game.decision() {
            played.note(decision.seat, &decision.question.text(rules), &keys, chosen, keep);
        }
        if let Err(fault) = game.on(rules).answer(scripts, chosen) {
            played.end = format!("fault: {fault}");
            return played;
        }
    }
    let points: Vec<String> = (0..rules.players).map(|seat| game.store(rules).score(seat).to_string()).collect();
    played.end = points.join(",");
    played
}

fn keys_of(rules: &Ruleset, decision: &Decision, keys: &mut Vec<String>) {
    keys.clear();
    keys.extend(decision.options.iter().map(|option| option.text(rules)));
}

fn plain(seed: u64, number: u32, keys: &[String]) -> usize {
    let start = mix(seed ^ mix(number as u64));
    let best = keys.iter().enumerate().max_by_key(|(_, key)| mix(hash_text(start, key)));
    best.map_or(0, |(index, _)| index)
}

impl Played {
    fn note(&mut self, seat: usize, question: &str, keys: &[String], chosen: usize, keep: bool) {
        self.questions += 1;
        // A sum, so that the order in which options are offered does not matter.
        let offered = keys.iter().fold(0_u64, |sum, key| sum.wrapping_add(mix(hash_text(START, key))));
        let taken = &keys[chosen];
        self.hash = mix(hash_text(hash_text(self.hash, question), taken) ^ mix(offered ^ seat as u64));
        if keep {
            self.lines.push(format!("p{} {question} {}: {taken}", seat + 1, keys.len()));
        }
    }

    /// The line of the game without its answers.
    fn summary(&self) -> String {
        format!("game {} {:016x} {} {:016x} {}", self.player.name(), self.seed, self.questions, self.hash, self.end)
    }

    /// Where another game with the same seed differs from this one, in words.
    pub fn difference(&self, now: &Played) -> Option<String> {
        if (self.hash, self.questions, &self.end) == (now.hash, now.questions, &now.end) {
            return None;
        }
        let mut text = format!("  was: {}\n  now: {}\n", self.summary(), now.summary());
        let place = self.lines.iter().zip(&now.lines).position(|(was, is)| was != is);
        match place {
            _ if self.lines.is_empty() => text.push_str("  (its answers were not kept)\n"),
            Some(place) => {
                for line in &self.lines[place.saturating_sub(5)..place] {
                    let _ = writeln!(text, "        {line}");
                }
                let _ = writeln!(text, "  question {}\n  was:  {}\n  now:  {}", place + 1, self.lines[place], now.lines[place]);
            }
            None if self.lines.len() != now.lines.len() => {
                let _ = writeln!(text, "  alike as far as question {}, where one of them ends", self.lines.len().min(now.lines.len()));
            }
            None => text.push_str("  the answers are alike; what else was offered, or the points, are not\n"),
        }
        Some(text)
    }
}

impl Transcript {
    /// The name of its file.
    pub fn file_name(&self) -> String {
        format!("{}.gz", self.table)
    }

    /// The file.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut text = format!("{MARK}\n{} {} {}\n", self.table.game, self.table.players, self.table.options.join(" "));
        if self.refused {
            text.push_str("refused\n");
        }
        for game in &self.games {
            let _ = writeln!(text, "{}", game.summary());
            game.lines.iter().for_each(|line| {
                let _ = writeln!(text, "{line}");
            });
        }
        let mut out = GzEncoder::new(std::fs::File::create(path)?, flate2::Compression::best());
        out.write_all(text.as_bytes())?;
        out.finish().map(drop)
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Transcript, String> {
        let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(|error| wrong(&error))?;
        GzDecoder::new(file).read_to_string(&mut text).map_err(|error| wrong(&error))?;
        parse(&text).ok_or_else(|| wrong(&"this is no transcript"))
    }
}

fn parse(text: &str) -> Option<Transcript> {
    let mut lines = text.lines();
    if lines.next()? != MARK {
        return None;
    }
    let mut words = lines.next()?.split_whitespace();
    let (game, players) = (words.next()?.to_string(), words.next()?.parse().ok()?);
    let table = Table { game, players, options: words.map(str::to_string).collect() };
    let mut transcript = Transcript { table, refused: false, games: Vec::new() };
    for line in lines {
        match line.strip_prefix("game ") {
            _ if line == "refused" => transcript.refused = true,
            Some(summary) => transcript.games.push(parse_summary(summary)?),
            None => transcript.games.last_mut()?.lines.push(line.to_string()),
        }
    }
    Some(transcript)
}

fn parse_summary(summary: &str) -> Option<Played> {
    let mut words = summary.splitn(5, ' ');
    let name = words.next()?;
    let (_, player) = *PLAYERS.iter().find(|(known, _)| *known == name)?;
    let seed = u64::from_str_radix(words.next()?, 16).ok()?;
    let questions = words.next()?.parse().ok()?;
    let hash = u64::from_str_radix(words.next()?, 16).ok()?;
    Some(Played { player, seed, questions, end: words.next()?.to_string(), hash, lines: Vec::new() })
}

/// Plays the games of transcripts again, of each table one in `every`. For each table how many games were played, and what is
/// different.
pub fn check(transcripts: &[Transcript], every: usize) -> Vec<(usize, Vec<String>)> {
    let chosen = |transcript: &Transcript| transcript.games.iter().step_by(every).cloned().collect::<Vec<Played>>();
    let before: Vec<Vec<Played>> = transcripts.iter().map(chosen).collect();
    let plan = |game: &Played| (game.player, game.seed, !game.lines.is_empty());
    let plans: Vec<(Table, Vec<Plan>)> =
        transcripts.iter().zip(&before).map(|(transcript, games)| (transcript.table.clone(), games.iter().map(plan).collect())).collect();
    let after = play_all(&plans);
    let mut found = Vec::new();
    for ((was, now), old) in before.iter().zip(after).zip(transcripts) {
        let mut differences = Vec::new();
        if old.refused != now.refused {
            differences.push(format!("  this table was {}, and is not any more\n", if old.refused { "refused" } else { "played" }));
        }
        differences.extend(was.iter().zip(&now.games).filter_map(|(was, now)| was.difference(now)));
        found.push((was.len(), differences));
    }
    found
}
