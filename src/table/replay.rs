//! The text form of a game: its start and the answers, one on each line. A save is the same for an unfinished game.

use houserule_scenario::meaning;
use std::path::PathBuf;

use super::seat_players::SeatPlayer;
use super::session::{AnswerFailure, Session, SkippedScript};
use crate::agent::seat_name;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::LoadedPack;
use crate::lang::seat_number;
use crate::pack::keys::Keys;
use crate::pack::{Spanned, Text, TomlValue, read_table};
use crate::scenario::report::open_question;
use crate::source::{FileId, Span};

/// Version number of the format of replays and saves.
const FORMAT_VERSION: i64 = 1;

/// Parameters from which a game is started.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// Name of the game.
    pub game: String,
    /// Number of players.
    pub players: usize,
    /// Seed of all random draws.
    pub seed: u64,
    /// Options of the set-up, as typed.
    pub options: Vec<String>,
    /// Cards in play from the start, as typed.
    pub deal: Vec<String>,
    /// Variants and additional rules, as typed.
    pub with: Vec<String>,
    /// Folders of packs.
    pub packs: Vec<PathBuf>,
    /// Position of a scenario from which the game starts; `None` for the normal beginning.
    pub from: Option<StartPosition>,
}

/// A starting position in the format of scenarios.
#[derive(Clone, Debug, PartialEq)]
pub struct StartPosition {
    /// Name of the scenario.
    pub name: String,
    /// Lines of `given`: the state of the game.
    pub given: Text,
    /// Lines of `when`: the steps that follow.
    pub when: Text,
}

/// The result of a finished game: points, final order and winners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalResult {
    /// Points by seat.
    pub points: Vec<i64>,
    /// Seats by final rank, the winner first.
    pub order: Vec<usize>,
    /// Seats of the winners.
    pub winners: Vec<usize>,
}

impl FinalResult {
    /// Returns the result of a session; `None` while its game is not finished.
    pub fn from_session(session: &Session) -> Option<FinalResult> {
        let (rules, mut game) = (session.rules(), session.game().clone());
        game.finished().then(|| FinalResult {
            points: (0..rules.players).map(|seat| game.store(rules).score(seat)).collect(),
            order: game.store(rules).standing(),
            winners: game.store(rules).winners(),
        })
    }

    /// Describes the differences from a recorded result.
    fn describe_differences(&self, noted: &FinalResult) -> Vec<String> {
        let mut found = Vec::new();
        let named = |seats: &[usize]| match seats {
            [] => "nobody".to_string(),
            seats => seats.iter().copied().map(seat_name).collect::<Vec<_>>().join(", "),
        };
        if self.winners != noted.winners {
            found.push(format!("{} won, and now it is {}", named(&noted.winners), named(&self.winners)));
        }
        for (seat, (is, was)) in self.points.iter().zip(&noted.points).enumerate().filter(|(_, (is, was))| is != was) {
            found.push(format!("{} had {was} points, and now has {is}", seat_name(seat)));
        }
        if self.points.len() != noted.points.len() {
            found.push(format!("points of {} seats are noted, and {} play", noted.points.len(), self.points.len()));
        }
        if self.order != noted.order {
            found.push(format!("the order of places was {}, and is {}", named(&noted.order), named(&self.order)));
        }
        found
    }
}

/// One recorded answer.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedAnswer {
    /// Seat that answered.
    pub seat: usize,
    /// Key of the option.
    pub key: String,
    /// Scripts that were skipped after the answer because they failed.
    pub skipped: Vec<SkippedScript>,
    /// Location of the answer in the file.
    pub span: Span,
}

/// A recorded game, as read from a replay or a save.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// Parameters from which the recorded game was started.
    pub start: Start,
    /// The player at each seat, as typed on the command line.
    pub seats: Vec<String>,
    /// Version of the program that wrote the file.
    pub program: String,
    /// Hash of the rules and cards.
    pub rules: String,
    /// Packs in load order: name, version and hash.
    pub packs: Vec<(String, String, String)>,
    /// Whether the game was finished.
    pub finished: bool,
    /// Hash of the state after the last answer.
    pub end: String,
    /// Result of a finished game; `None` if the file was written by a version that did not record it.
    pub outcome: Option<FinalResult>,
    /// Scripts that were skipped before the first answer.
    pub skipped: Vec<SkippedScript>,
    /// The recorded answers in order.
    pub answers: Vec<RecordedAnswer>,
    /// Location of the whole file.
    pub span: Span,
}

/// Formats a hash as the file contains it.
fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

impl Replay {
    /// Records the current state of a session.
    pub fn from_session(start: &Start, seat_players: &[SeatPlayer], session: &Session) -> Replay {
        let rules = session.rules();
        let span = Span { file: FileId(0), start: 0, end: 0 };
        let of_pack = |pack: &LoadedPack| (pack.name.clone(), pack.version.clone(), hash_text(pack.hash));
        Replay {
            start: start.clone(),
            seats: seat_players.iter().map(SeatPlayer::to_string).collect(),
            program: env!("CARGO_PKG_VERSION").to_string(),
            rules: hash_text(rules.hash),
            packs: rules.packs.iter().map(of_pack).collect(),
            finished: session.game().finished(),
            end: hash_text(session.game().hash()),
            outcome: FinalResult::from_session(session),
            skipped: session.skipped().to_vec(),
            answers: session
                .answers()
                .iter()
                .map(|step| RecordedAnswer { seat: step.seat, key: step.key.clone(), skipped: step.skipped.clone(), span })
                .collect(),
            span,
        }
    }

    /// Writes the session as the text of a file, with a comment where each round begins.
    pub fn text_of(start: &Start, seat_players: &[SeatPlayer], session: &Session) -> String {
        let rounds = session.answers().iter().map(|step| step.round).collect::<Vec<_>>();
        Replay::from_session(start, seat_players, session).to_text(&rounds)
    }

    fn to_text(&self, rounds: &[i32]) -> String {
        let list = |texts: &[String]| quoted_list(texts.iter().map(String::as_str));
        let mut out =
            String::from("# A game of houserule: `houserule replay FILE` shows it, `houserule play --load FILE` goes on with it.\n");
        out.push_str(&format!("replay  = {FORMAT_VERSION}\nprogram = {}\n", quote_toml(&self.program)));
        out.push_str(&format!("game    = {}\nplayers = {}\n", quote_toml(&self.start.game), self.start.players));
        match i64::try_from(self.start.seed) {
            Ok(seed) => out.push_str(&format!("seed    = {seed}\n")),
            // The seed exceeds the integers of TOML.
            Err(_) => out.push_str(&format!("seed    = \"{}\"\n", self.start.seed)),
        }
        out.push_str(&format!("seats   = {}\n", list(&self.seats)));
        for (key, texts) in [("options", &self.start.options), ("deal", &self.start.deal), ("with", &self.start.with)] {
            if !texts.is_empty() {
                out.push_str(&format!("{key:7} = {}\n", list(texts)));
            }
        }
        if !self.packs.is_empty() {
            let folders = self.start.packs.iter().map(|folder| folder.display().to_string());
            out.push_str(&format!("folders = {}\n", quoted_list(folders.collect::<Vec<_>>().iter().map(String::as_str))));
            let lines = self.packs.iter().map(|(name, version, hash)| format!("{name} {version} {hash}")).collect::<Vec<_>>();
            out.push_str(&format!("packs   = {}\n", list(&lines)));
        }
        out.push_str(&format!("rules   = {}\nover    = {}\nend     = {}\n", quote_toml(&self.rules), self.finished, quote_toml(&self.end)));
        if let Some(FinalResult { points, order, winners }) = &self.outcome {
            let seats = |seats: &[usize]| list(&seats.iter().copied().map(seat_name).collect::<Vec<_>>());
            let points: Vec<String> = points.iter().map(ToString::to_string).collect();
            let (order, winners) = (seats(order), seats(winners));
            out.push_str(&format!("points  = [{}]\norder   = {order}\nwinners = {winners}\n", points.join(", ")));
        }
        if let Some(from) = &self.start.from {
            out.push_str(&format!(
                "from    = {{ name = {}, given = {}, when = {} }}\n",
                quote_toml(&from.name),
                quote_toml(&from.given.text),
                quote_toml(&from.when.text)
            ));
        }
        out.push_str("answers = '''\n");
        self.skipped.iter().for_each(|skipped| out.push_str(&skipped_line(skipped)));
        let mut round = i32::MIN;
        for (number, answer) in self.answers.iter().enumerate() {
            if let Some(now) = rounds.get(number).filter(|now| **now != round) {
                round = *now;
                out.push_str(&if round > 0 { format!("# round {round}\n") } else { "# set-up\n".to_string() });
            }
            out.push_str(&format!("{}: {}\n", seat_name(answer.seat), answer.key));
            answer.skipped.iter().for_each(|skipped| out.push_str(&skipped_line(skipped)));
        }
        out.push_str("'''\n");
        out
    }

    /// Replays all answers in a session that has not been started. On an error the session stays at the question that could not be
    /// answered.
    ///
    /// # Errors
    /// The first answer that is no longer possible, and why.
    pub fn play(&self, session: &mut Session) -> Result<(), Box<Diagnostic>> {
        self.play_until(self.answers.len(), session)
    }

    /// Replays the first `count` answers, or all, in a session that has not been started.
    ///
    /// # Errors
    /// As for [`Replay::play`].
    pub fn play_until(&self, count: usize, session: &mut Session) -> Result<(), Box<Diagnostic>> {
        session.start(&self.skipped).map_err(|failed| self.failure_diagnostic(&failed, self.span, 0, session))?;
        for (number, answer) in self.answers.iter().enumerate().take(count) {
            self.replay_answer(number, answer, session)?;
        }
        Ok(())
    }

    /// Replays one recorded answer; its `number` counts from 0.
    ///
    /// # Errors
    /// As for [`Replay::play`].
    pub fn replay_answer(&self, number: usize, answer: &RecordedAnswer, session: &mut Session) -> Result<(), Box<Diagnostic>> {
        let rules = session.rules().clone();
        let asked = session.decision().map(|open| open.seat);
        let option = session.game().find_option(&rules, &answer.key).filter(|_| asked == Some(answer.seat));
        let Some(option) = option else {
            let (seat, key) = (seat_name(answer.seat), &answer.key);
            let message = match asked {
                None => format!("answer {} comes after the end of the game", number + 1),
                Some(other) if other != answer.seat => format!("at answer {} {} is asked, not {seat}", number + 1, seat_name(other)),
                Some(_) => format!("at answer {} {seat} cannot answer `{key}`", number + 1),
            };
            let mut wrong = Diagnostic::error("G302", answer.span, message).label("here the game goes another way");
            if asked == Some(answer.seat) {
                let mut game = session.game().clone();
                wrong.help =
                    if game.asks_in_effect() { Vec::new() } else { meaning::reasons_against_key(&mut game.on(&rules), answer.seat, key) };
            }
            wrong.help.extend(open_question(&rules, session.game()));
            wrong.help.extend(self.changes_since_recording(session));
            return Err(Box::new(wrong));
        };
        session.answer(option, &answer.skipped).map_err(|failed| self.failure_diagnostic(&failed, answer.span, number + 1, session))
    }

    fn failure_diagnostic(&self, failed: &AnswerFailure, span: Span, number: usize, session: &Session) -> Box<Diagnostic> {
        let message = if number == 0 {
            format!("before the first answer: {}", failed.fault)
        } else {
            format!("after answer {number}: {}", failed.fault)
        };
        let mut wrong = failed.fault.add_to(Diagnostic::error("G302", span, message).label("a fault that did not come up before"));
        if let Some(place) = failed.fault.span {
            wrong = wrong.also(place, "here");
        }
        wrong.help.extend(self.changes_since_recording(session));
        Box::new(wrong)
    }

    /// Describes the differences between the current rules and those of the recording. A new version of a pack is reported even if its
    /// rules and cards are unchanged.
    pub fn changes_since_recording(&self, session: &Session) -> Vec<String> {
        let rules = session.rules();
        let same = hash_text(rules.hash) == self.rules;
        let mut changes = Vec::new();
        for (name, version, hash) in &self.packs {
            match rules.packs.iter().find(|pack| pack.name == *name) {
                None => changes.push(format!("pack `{name}` was there and is not")),
                Some(pack) if pack.version != *version => {
                    changes.push(format!("pack `{name}` was of version {version} and is of version {}", pack.version));
                }
                Some(pack) if hash_text(pack.hash) != *hash && !same => changes.push(format!("pack `{name}` has changed since")),
                Some(_) => {}
            }
        }
        for pack in rules.packs.iter().filter(|pack| !self.packs.iter().any(|known| known.0 == pack.name)) {
            changes.push(format!("pack `{}` was not there", pack.name));
        }
        if changes.is_empty() && !same {
            changes.push(format!("the rules or cards have changed since this was written, by version {} of the program", self.program));
        }
        changes
    }

    /// Checks that the final state has the recorded hash.
    ///
    /// # Errors
    /// A diagnostic if it differs.
    pub fn check_end(&self, session: &Session) -> Result<(), Box<Diagnostic>> {
        let found = hash_text(session.game().hash());
        if found == self.end && session.game().finished() == self.finished {
            return Ok(());
        }
        if found == self.end {
            let (was, is) = if self.finished { ("is over", "is not") } else { ("is not over", "is") };
            let message = format!("the state is the same, but `over` says that the game {was}, and it {is}");
            return Err(Box::new(Diagnostic::error("G303", self.span, message).label("every answer was possible")));
        }
        let message = format!("after the last answer the game stands otherwise: its state is {found}, and was {}", self.end);
        let mut wrong = Diagnostic::error("G303", self.span, message).label("every answer was possible");
        wrong.help = self.changes_since_recording(session);
        Err(Box::new(wrong))
    }
}

impl Replay {
    /// Checks that points, order and winners of a finished game equal the recorded ones. Unfinished games and files of early versions
    /// record none: [`Replay::outcome`].
    ///
    /// # Errors
    /// A diagnostic that lists the differences.
    pub fn check_outcome(&self, session: &Session) -> Result<(), Box<Diagnostic>> {
        let (Some(noted), Some(found)) = (&self.outcome, FinalResult::from_session(session)) else { return Ok(()) };
        let mut differences = found.describe_differences(noted);
        if differences.is_empty() {
            return Ok(());
        }
        let message = format!("the game comes to another result: {}", differences.remove(0));
        let mut wrong = Diagnostic::error("G303", self.span, message).label("every answer was possible, and the state is the same");
        wrong.help = differences.into_iter().chain(self.changes_since_recording(session)).collect();
        Err(Box::new(wrong))
    }
}

fn skipped_line(skipped: &SkippedScript) -> String {
    format!("without {} {}\n", skipped.call, skipped.owner)
}

/// Quotes a text as a TOML string.
pub(super) fn quote_toml(text: &str) -> String {
    toml::Value::String(text.to_string()).to_string()
}

pub(super) fn quoted_list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    format!("[{}]", texts.map(quote_toml).collect::<Vec<_>>().join(", "))
}

/// All keys that a replay or save can have.
const KEYS: [&str; 19] = [
    "replay", "program", "game", "players", "seed", "seats", "options", "deal", "with", "folders", "packs", "rules", "over", "end",
    "points", "order", "winners", "from", "answers",
];

/// Parses a replay or a save. Returns `None` if it cannot be used; `diagnostics` then contains the reasons.
pub fn parse_replay(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Replay> {
    let before = diagnostics.len();
    let table = read_table(file, text, diagnostics)?;
    let whole = Span { file, start: 0, end: 0 };
    let mut keys = Keys::new("a replay", whole, table, diagnostics);
    for key in ["replay", "game", "players", "seed", "rules", "end", "answers"] {
        keys.expect(key, "a replay is written by `houserule play --save FILE` or `houserule playtest GAME --game N --replay FILE`");
    }
    let place = keys.value_span("replay");
    if let Some(format) = keys.take_integer("replay").filter(|format| *format != FORMAT_VERSION) {
        let wrong = Diagnostic::error("G304", place, format!("this replay is written in format {format}"));
        keys.diagnostics().push(wrong.label(format!("this program reads format {FORMAT_VERSION}")));
        return None;
    }
    let program = keys.take_text("program").map(|text| text.text).unwrap_or_default();
    let game = keys.take_text("game").map(|text| text.text);
    let players_at = keys.value_span("players");
    let players =
        keys.take_integer("players").and_then(|players| usize::try_from(players).ok().filter(|players| (1..=64).contains(players)));
    if players.is_none() && keys.diagnostics().len() == before {
        keys.diagnostics().push(Diagnostic::error("G304", players_at, "`players` is no number of players").label("1 or more"));
    }
    let seed = parse_seed(&mut keys);
    let mut texts = |key| -> Vec<String> { keys.take_texts(key).into_iter().map(|text| text.text).collect() };
    let (seats, options, deal, with, folders) = (texts("seats"), texts("options"), texts("deal"), texts("with"), texts("folders"));
    let packs = keys.take_texts("packs").iter().filter_map(|pack| parse_pack(pack, keys.diagnostics())).collect();
    let rules = keys.take_text("rules").map(|text| text.text).unwrap_or_default();
    let over = keys.take_as("over", "`true` or `false`", |value| match value {
        TomlValue::Boolean(over) => Some(over),
        TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    });
    let end = keys.take_text("end").map(|text| text.text).unwrap_or_default();
    let outcome = parse_result(&mut keys);
    let from = parse_start_position(&mut keys);
    let lines = keys.take_text("answers");
    keys.report_unknown_keys(&KEYS);
    let (skipped, answers) = lines.as_ref().map(|lines| parse_answers(lines, diagnostics)).unwrap_or_default();
    if diagnostics.len() > before {
        return None;
    }
    let packs_at = folders.into_iter().map(PathBuf::from).collect();
    let start = Start { game: game?, players: players?, seed: seed?, options, deal, with, packs: packs_at, from };
    let span = lines.map_or(whole, |lines| Span { start: lines.span.end, ..lines.span });
    Some(Replay { start, seats, program, rules, packs, finished: over.unwrap_or(false), end, outcome, skipped, answers, span })
}

fn parse_seed(keys: &mut Keys<'_>) -> Option<u64> {
    let (_, found) = keys.take("seed")?;
    let seed = match &found.value {
        TomlValue::Integer(number) => u64::try_from(*number).ok(),
        TomlValue::Text(text) => text.text.parse().ok(),
        TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    };
    if seed.is_none() {
        keys.diagnostics().push(Diagnostic::error("G304", found.span, "`seed` is no seed").label("a number from 0 up"));
    }
    seed
}

/// Reads the result of the game from `points`, `order` and `winners`; `None` unless all of them are present.
fn parse_result(keys: &mut Keys<'_>) -> Option<FinalResult> {
    let points = keys.take_as("points", "a list of whole numbers", |value| match value {
        TomlValue::List(items) => items
            .iter()
            .map(|item| match item.value {
                TomlValue::Integer(points) => Some(points),
                TomlValue::Boolean(_) | TomlValue::Text(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
            })
            .collect::<Option<Vec<i64>>>(),
        TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::Text(_) | TomlValue::Table(_) => None,
    })?;
    let mut seats = |key: &str| -> Vec<usize> {
        let texts = keys.take_texts(key);
        let mut seat = |text: &Text| {
            let seat = seat_number(&text.text);
            if seat.is_none() {
                let wrong = Diagnostic::error("G304", text.span, format!("`{}` is no seat", text.text));
                keys.diagnostics().push(wrong.label("p1, p2 and so on"));
            }
            seat
        };
        texts.iter().filter_map(&mut seat).collect()
    };
    Some(FinalResult { points, order: seats("order"), winners: seats("winners") })
}

fn parse_pack(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<(String, String, String)> {
    let words: Vec<&str> = text.text.split_whitespace().collect();
    if let [name, version @ .., hash] = words.as_slice() {
        return Some(((*name).to_string(), version.join(" "), (*hash).to_string()));
    }
    diagnostics.push(Diagnostic::error("G304", text.span, "this is no pack").label("its name, version and hash"));
    None
}

fn parse_start_position(keys: &mut Keys<'_>) -> Option<StartPosition> {
    let at = keys.value_span("from")?;
    let table: Vec<(Text, Spanned)> = keys.take_table("from")?;
    let mut inner = Keys::new("`from`", at, table, keys.diagnostics());
    let empty = || Text { text: String::new(), span: at };
    let name = inner.take_text("name").map(|text| text.text).unwrap_or_default();
    let (given, when) = (inner.take_text("given").unwrap_or_else(empty), inner.take_text("when").unwrap_or_else(empty));
    inner.report_unknown_keys(&["name", "given", "when"]);
    Some(StartPosition { name, given, when })
}

/// Parses the lines of `answers`.
fn parse_answers(lines: &Text, diagnostics: &mut Vec<Diagnostic>) -> (Vec<SkippedScript>, Vec<RecordedAnswer>) {
    let (mut first, mut answers): (Vec<SkippedScript>, Vec<RecordedAnswer>) = (Vec::new(), Vec::new());
    let mut at = 0;
    for line in lines.text.split_inclusive('\n') {
        let begin = at + (line.len() - line.trim_start().len());
        at += line.len();
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let span = lines.part(begin, begin + line.len());
        if let Some(rest) = line.strip_prefix("without ") {
            let parts = rest.split_once(' ').and_then(|(call, owner)| Some((call.parse().ok()?, owner)));
            match parts {
                Some((call, owner)) => {
                    let skipped = SkippedScript { call, owner: owner.trim().to_string() };
                    answers.last_mut().map_or(&mut first, |last| &mut last.skipped).push(skipped);
                }
                None => diagnostics.push(Diagnostic::error("G301", span, "this leaves no script out").label("`without 2 CARD.ENTRY`")),
            }
            continue;
        }
        let answer = line.split_once(':').and_then(|(seat, key)| Some((seat_number(seat.trim())?, key.trim())));
        match answer.filter(|(_, key)| !key.is_empty()) {
            Some((seat, key)) => {
                answers.push(RecordedAnswer { seat, key: key.split_whitespace().collect::<Vec<_>>().join(" "), skipped: Vec::new(), span });
            }
            None => {
                let wrong = Diagnostic::error("G301", span, "this line is no answer").label("here");
                let meant = nearest(line.split_whitespace().next().unwrap_or(""), ["without"]);
                diagnostics.push(wrong.help("an answer is written `p1: KEY`, a comment begins with `#`").meant(meant));
            }
        }
    }
    (first, answers)
}
