//! A player that is another program: JSON lines through its standard input and output (`docs/agents.md`).
//!
//! It is told what its seat sees and what it may answer, in words, and names one of the answers. Whatever it does instead of that ends the
//! run: a player who fails once would fail in each of a thousand games.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::child::{Child, Heard};
use super::seen::{InOrder, Seen, seat_name, seen};
use super::{Agent, Look};
use crate::diagnostic::nearest;
use crate::engine::{Fault, Game, Ruleset};

mod child;

/// How long another program may think about a question, if nobody says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The version of what is spoken.
const PROTOCOL: u32 = 1;
/// So many letters of what it said are shown to people, and so many of the options that it was offered.
const SHOWN: usize = 200;
const SHOWN_OPTIONS: usize = 8;

/// What is written to it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Told<'a> {
    /// Once, when it was started.
    Hello {
        protocol: u32,
        game: &'a str,
        title: &'a str,
        /// A hash of the rules, cards and options.
        rules: String,
        seats: usize,
        cards: InOrder<&'a str, Card<'a>>,
    },
    /// When a game begins.
    Begin { seat: String },
    /// At each question to its seat that has more than one answer.
    Ask { id: u64, seat: String, question: String, view: Seen<'a>, options: &'a [String] },
    /// When a game has come to its end.
    End { points: InOrder<String, i64>, winners: Vec<String> },
}

/// A card, for who does not know the game.
#[derive(Serialize)]
struct Card<'a> {
    name: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
}

/// What it answers; what else it says there is its own affair.
#[derive(Deserialize)]
struct Answer {
    id: u64,
    key: String,
}

/// A player that is another program, started at its first question.
pub struct Exec {
    command: String,
    limit: Duration,
    child: Option<Child>,
    /// Whether it knows that a game is under way.
    begun: bool,
    asked: u64,
}

impl Exec {
    /// One of this command, which may think so long about a question.
    pub fn new(command: &str, limit: Duration) -> Exec {
        Exec { command: command.to_string(), limit, child: None, begun: false, asked: 0 }
    }

    /// The program and its arguments: taken apart as a shell would do it, but there is no shell.
    ///
    /// # Errors
    /// What is wrong with the command, in one sentence.
    pub fn words(command: &str) -> Result<Vec<String>, String> {
        match shlex::split(command) {
            None => Err(format!("`exec:{command}`: a quotation mark is not closed, or a backslash ends it")),
            Some(words) if words.is_empty() => Err("a command follows `exec:`, such as `exec:python3 agent.py`".to_string()),
            Some(words) => Ok(words),
        }
    }
}

impl Exec {
    /// The answer, or what it did instead.
    fn ask(&mut self, look: &Look<'_>) -> Result<usize, String> {
        let (rules, decision) = (look.rules(), look.decision());
        let (seat, question) = (seat_name(decision.seat), decision.question.text(rules));
        let Some(view) = look.view() else { return Ok(0) };
        let child = match &mut self.child {
            Some(child) => child,
            none => {
                let child = Child::start(&Exec::words(&self.command)?).map_err(|fault| format!("cannot be started: {fault}"))?;
                child.tell(&hello(rules));
                none.insert(child)
            }
        };
        if !std::mem::replace(&mut self.begun, true) {
            child.tell(&Told::Begin { seat: seat.clone() });
        }
        self.asked += 1;
        let id = self.asked;
        let options: Vec<String> = decision.options.iter().map(|option| option.text(rules)).collect();
        child.tell(&Told::Ask { id, seat, question: question.clone(), view: seen(rules, &view), options: &options });
        let line = match child.hear(self.limit, look.stop()) {
            Heard::Line(line) => line,
            Heard::Nothing => {
                let seconds = self.limit.as_secs_f64();
                return Err(format!("said nothing for {seconds} s to `{question}`; --time-limit gives it longer"));
            }
            Heard::TooMuch(most) => return Err(format!("wrote a line of more than {most} bytes to `{question}`")),
            Heard::End(how) => return Err(format!("ended ({how}) instead of answering `{question}`")),
        };
        let said = shown(&line);
        let answer: Answer = serde_json::from_str(&line)
            .map_err(|fault| format!("said `{said}` to `{question}`, and not a line such as {{\"id\": {id}, \"key\": \"…\"}}: {fault}"))?;
        if answer.id != id {
            return Err(format!("said `{said}` to `{question}`, whose id is {id}; each question has one line for an answer"));
        }
        let found = options.iter().position(|option| *option == answer.key);
        found.ok_or_else(|| format!("said `{said}` to `{question}`, which offers no such key; {}", offered(&options, &answer.key)))
    }
}

impl Agent for Exec {
    fn begin(&mut self) {
        self.begun = false;
    }

    fn choose(&mut self, look: &mut Look<'_>) -> Result<usize, Fault> {
        let answered = self.ask(look);
        if let Some(child) = self.child.take_if(|_| answered.is_err()) {
            child.end_at_once();
        }
        let seat = seat_name(look.decision().seat);
        answered.map_err(|what| Fault::new(format!("the player `{}` of {seat} {what}", self.command)))
    }

    fn end(&mut self, rules: &Ruleset, game: &mut Game) {
        if let (Some(child), true) = (&mut self.child, std::mem::take(&mut self.begun)) {
            let points = (0..rules.players).map(|seat| (seat_name(seat), game.on(rules).score(seat))).collect();
            let winners = game.on(rules).winners().into_iter().map(seat_name).collect();
            child.tell(&Told::End { points, winners });
        }
    }
}

fn hello(rules: &Ruleset) -> Told<'_> {
    let cards = rules.definitions.iter().map(|definition| {
        let kind = rules.kinds.get(definition.kind as usize).map_or("", |kind| rules.names.text(kind.name));
        (rules.names.text(definition.id), Card { name: &definition.name, kind, text: &definition.text })
    });
    Told::Hello {
        protocol: PROTOCOL,
        game: &rules.game,
        title: &rules.title,
        rules: format!("{:016x}", rules.hash),
        seats: rules.players,
        cards: cards.collect(),
    }
}

/// The beginning of what was said.
fn shown(line: &str) -> String {
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

/// What could have been answered.
fn offered(options: &[String], said: &str) -> String {
    if let Some(meant) = nearest(said, options.iter().map(String::as_str)) {
        return format!("did it mean `{meant}`?");
    }
    let some: Vec<&str> = options.iter().take(SHOWN_OPTIONS).map(String::as_str).collect();
    match options.len() - some.len() {
        0 => format!("there are {}", some.join(", ")),
        more => format!("there are {} and {more} more", some.join(", ")),
    }
}
