//! An agent that is an external program, spoken to in lines of JSON over its standard input and output (`docs/agents.md`).
//!
//! The program receives what its seat can see and the list of legal answers, in words, and names one of the answers. Any other response
//! ends the run: a program that fails once would fail in each of a thousand games.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::child::{Child, Received};
use super::seen::{OrderedMap, SeenGame, describe_view, seat_name};
use super::{Agent, DecisionView};
use crate::diagnostic::nearest;
use crate::engine::{Fault, Game, Ruleset};

mod child;

/// Default time limit for one answer of an external program.
pub const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(60);

/// Version number of the protocol.
const PROTOCOL_VERSION: u32 = 1;
/// Largest number of characters of a program's output that an error message quotes.
const MAX_QUOTED_CHARS: usize = 200;
/// Largest number of offered options that an error message quotes.
const MAX_QUOTED_OPTIONS: usize = 8;

/// A message from this process to the external program.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OutgoingMessage<'a> {
    /// Sent once, when the program has been started.
    Hello {
        protocol: u32,
        game: &'a str,
        title: &'a str,
        /// A hash of the rules, cards and options, in hexadecimal.
        rules: String,
        seats: usize,
        cards: OrderedMap<&'a str, CardInfo<'a>>,
    },
    /// Sent when a game begins.
    Begin { seat: String },
    /// Sent for each question to the program's seat that has more than one answer.
    Ask {
        id: u64,
        seat: String,
        question: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<&'a str>,
        view: SeenGame<'a>,
        options: &'a [String],
    },
    /// Sent when a game has ended.
    End { points: OrderedMap<String, i64>, winners: Vec<String> },
}

/// What the external program is told about a card: name, kind and rules text.
#[derive(Serialize)]
struct CardInfo<'a> {
    name: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
}

/// A reply of the external program to a question. Unknown keys are ignored.
#[derive(Deserialize)]
struct Reply {
    id: u64,
    key: String,
}

/// An agent that is an external program. The process is started at its first question.
pub struct ExternalAgent {
    command: String,
    limit: Duration,
    child: Option<Child>,
    /// Whether the program has been sent the beginning of the current game.
    game_announced: bool,
    question_count: u64,
}

impl ExternalAgent {
    /// Creates an agent that runs `command` and waits at most `limit` for each answer.
    pub fn new(command: &str, limit: Duration) -> ExternalAgent {
        ExternalAgent { command: command.to_string(), limit, child: None, game_announced: false, question_count: 0 }
    }

    /// Splits a command line into the program and its arguments by the quoting rules of a shell. No shell is run.
    ///
    /// # Errors
    /// A one-sentence message if the quotes do not match or the command is empty.
    pub fn split_command(command: &str) -> Result<Vec<String>, String> {
        match shlex::split(command) {
            None => Err(format!("`exec:{command}`: a quotation mark is not closed, or a backslash ends it")),
            Some(words) if words.is_empty() => Err("a command follows `exec:`, such as `exec:python3 agent.py`".to_string()),
            Some(words) => Ok(words),
        }
    }
}

impl ExternalAgent {
    /// Asks the external program and returns the index of its option; the error describes what the program did instead of answering.
    fn ask(&mut self, look: &DecisionView<'_>) -> Result<usize, String> {
        let (rules, decision) = (look.rules(), look.decision());
        let (seat, question) = (seat_name(decision.seat), decision.question.text(rules));
        let Some(view) = look.view() else { return Ok(0) };
        let child = match &mut self.child {
            Some(child) => child,
            none => {
                let child = Child::start_program(&ExternalAgent::split_command(&self.command)?)
                    .map_err(|fault| format!("cannot be started: {fault}"))?;
                child.send_line(&hello_message(rules));
                none.insert(child)
            }
        };
        if !std::mem::replace(&mut self.game_announced, true) {
            child.send_line(&OutgoingMessage::Begin { seat: seat.clone() });
        }
        self.question_count += 1;
        let id = self.question_count;
        let options: Vec<String> = decision.options.iter().map(|option| option.text(rules)).collect();
        child.send_line(&OutgoingMessage::Ask {
            id,
            seat,
            question: question.clone(),
            title: decision.question.title(rules),
            view: describe_view(rules, &view),
            options: &options,
        });
        let line = match child.receive_line(self.limit, look.stop_flag()) {
            Received::Line(line) => line,
            Received::Nothing => {
                let seconds = self.limit.as_secs_f64();
                return Err(format!("said nothing for {seconds} s to `{question}`; --time-limit gives it longer"));
            }
            Received::TooMuch(most) => return Err(format!("wrote a line of more than {most} bytes to `{question}`")),
            Received::End(how) => return Err(format!("ended ({how}) instead of answering `{question}`")),
        };
        let quoted = shorten_output(&line);
        let answer: Reply = serde_json::from_str(&line).map_err(|fault| {
            format!("said `{quoted}` to `{question}`, and not a line such as {{\"id\": {id}, \"key\": \"…\"}}: {fault}")
        })?;
        if answer.id != id {
            return Err(format!("said `{quoted}` to `{question}`, whose id is {id}; each question has one line for an answer"));
        }
        let found = options.iter().position(|option| *option == answer.key);
        found.ok_or_else(|| format!("said `{quoted}` to `{question}`, which offers no such key; {}", list_options(&options, &answer.key)))
    }
}

impl Agent for ExternalAgent {
    fn begin_game(&mut self) {
        self.game_announced = false;
    }

    fn choose(&mut self, look: &mut DecisionView<'_>) -> Result<usize, Fault> {
        let answered = self.ask(look);
        if let Some(child) = self.child.take_if(|_| answered.is_err()) {
            child.kill_now();
        }
        let seat = seat_name(look.decision().seat);
        answered.map_err(|what| Fault::new(format!("the player `{}` of {seat} {what}", self.command)))
    }

    fn end_game(&mut self, rules: &Ruleset, game: &mut Game) {
        if let (Some(child), true) = (&mut self.child, std::mem::take(&mut self.game_announced)) {
            let points = (0..rules.players).map(|seat| (seat_name(seat), game.store(rules).score(seat))).collect();
            let winners = game.store(rules).winners().into_iter().map(seat_name).collect();
            child.send_line(&OutgoingMessage::End { points, winners });
        }
    }
}

fn hello_message(rules: &Ruleset) -> OutgoingMessage<'_> {
    let cards = rules.definitions.iter().map(|definition| {
        let kind = rules.kinds.get(definition.kind as usize).map_or("", |kind| rules.names.text(kind.name));
        (rules.names.text(definition.id), CardInfo { name: &definition.name, kind, text: &definition.text })
    });
    OutgoingMessage::Hello {
        protocol: PROTOCOL_VERSION,
        game: &rules.game,
        title: &rules.title,
        rules: format!("{:016x}", rules.hash),
        seats: rules.players,
        cards: cards.collect(),
    }
}

/// Returns the beginning of the program's output, for error messages.
fn shorten_output(line: &str) -> String {
    let mut shown: String = line.chars().take(MAX_QUOTED_CHARS).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

/// Lists the options that were offered, for error messages; the list is shortened if there are many.
fn list_options(options: &[String], quoted: &str) -> String {
    if let Some(meant) = nearest(quoted, options.iter().map(String::as_str)) {
        return format!("did it mean `{meant}`?");
    }
    let some: Vec<&str> = options.iter().take(MAX_QUOTED_OPTIONS).map(String::as_str).collect();
    match options.len() - some.len() {
        0 => format!("there are {}", some.join(", ")),
        more => format!("there are {} and {more} more", some.join(", ")),
    }
}
