//! A game together with the answers given so far. It goes forward by answers, and back by replaying the earlier ones.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::engine::{Call, Decision, Fault, Game, Machine, Ruleset, Scripts, Stop};
use crate::script::ScriptHost;

/// A script that was skipped because it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedScript {
    /// Number of the script among those that run after an answer, from 1.
    pub call: u32,
    /// Card and entry that contain the script.
    pub owner: String,
}

/// An answer that was given to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    /// Seat that answered.
    pub seat: usize,
    /// Key of the option.
    pub key: String,
    /// Round in which the answer was given.
    pub round: i32,
    /// Scripts that were skipped after the answer.
    pub skipped: Vec<SkippedScript>,
    /// Number of log lines before the answer.
    pub log_length_before: usize,
}

/// A fault that occurred after an answer. The game is restored to the state before the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerFailure {
    /// The fault that occurred.
    pub fault: Box<Fault>,
    /// The script that failed, without which the game can continue; `None` if the fault lies elsewhere.
    pub script: Option<SkippedScript>,
}

/// A game with the answers given so far.
pub struct Session {
    rules: Arc<Ruleset>,
    host: ScriptHost,
    /// The game before anything was run.
    initial_game: Game,
    game: Game,
    /// Scripts that were skipped before the first answer.
    skipped: Vec<SkippedScript>,
    answers: Vec<GivenAnswer>,
}

impl Session {
    /// Creates a session of a game that has not been run yet; call [`Session::start`] next.
    ///
    /// # Errors
    /// Diagnostics of scripts that do not compile.
    pub fn new(rules: &Arc<Ruleset>, mut initial_game: Game) -> Result<Session, Vec<Diagnostic>> {
        initial_game.keep_log();
        let host = ScriptHost::new(rules)?;
        Ok(Session { rules: Arc::clone(rules), host, game: initial_game.clone(), initial_game, skipped: Vec::new(), answers: Vec::new() })
    }

    /// Runs to the first question without the scripts in `skipped`.
    ///
    /// # Errors
    /// A fault; the game is then restored to its beginning.
    pub fn start(&mut self, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        self.run(None, skipped)?;
        self.skipped = skipped.to_vec();
        Ok(())
    }

    /// Answers the open question and runs to the next one without the scripts in `skipped`.
    ///
    /// # Errors
    /// A fault; the question is then open again.
    pub fn answer(&mut self, option: usize, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        let found = self.game.decision().and_then(|open| Some((open.seat, open.options.get(option)?)));
        let Some((seat, chosen)) = found else {
            return Err(AnswerFailure { fault: Box::new(Fault::new("there is no such option")), script: None });
        };
        let step = GivenAnswer {
            seat,
            key: chosen.text(&self.rules),
            round: self.game.round(),
            skipped: skipped.to_vec(),
            log_length_before: self.game.log().len(),
        };
        self.run(Some(option), skipped)?;
        self.answers.push(step);
        Ok(())
    }

    fn run(&mut self, option: Option<usize>, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        let Session { rules, host, game, .. } = self;
        let before = game.clone();
        let mut scripts = SkippingScripts { host, skipped, calls: 0, failed: None };
        let answered = option.map_or(Ok(()), |option| game.on(rules).answer(&mut scripts, option));
        let done = answered.and_then(|()| game.on(rules).advance(&mut scripts).map(|_| ()));
        let script = scripts.failed;
        done.map_err(|fault| {
            self.game = before;
            AnswerFailure { fault: Box::new(fault), script }
        })
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// Returns the game in its current state.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the game before anything was run.
    pub fn initial_game(&self) -> &Game {
        &self.initial_game
    }

    /// Returns the rules, the game and the host of its scripts, for callers that compute views.
    pub fn rules_game_and_scripts(&mut self) -> (&Arc<Ruleset>, &mut Game, &mut ScriptHost) {
        (&self.rules, &mut self.game, &mut self.host)
    }

    /// Returns the open question; `None` when the game has ended.
    pub fn decision(&self) -> Option<&Decision> {
        self.game.decision()
    }

    /// Returns the answers given so far.
    pub fn answers(&self) -> &[GivenAnswer] {
        &self.answers
    }

    /// Returns the scripts that were skipped before the first answer.
    pub fn skipped(&self) -> &[SkippedScript] {
        &self.skipped
    }

    /// Finds the option that a text names: a number from 1, or a key. Returns its index.
    pub fn option(&self, text: &str) -> Option<usize> {
        let count = self.decision()?.options.len();
        let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.game
            .find_option(&self.rules, &key)
            .or_else(|| key.parse().ok().filter(|number| (1..=count).contains(number)).map(|n: usize| n - 1))
    }

    /// Checks whether a seat may take its last answer back: nobody has answered since, and nothing was revealed by it.
    ///
    /// # Errors
    /// Why it may not.
    pub fn check_undo(&mut self, seat: usize) -> Result<(), String> {
        let Some(last) = self.answers.last() else { return Err("nothing has been answered yet".to_string()) };
        if last.seat != seat {
            return Err(format!("p{} has answered since; only one's own answers can be taken back", last.seat + 1));
        }
        let key = last.key.clone();
        let count = self.answers.len() - 1;
        let earlier = self.game_at(count).map_err(|failed| failed.fault.to_string())?;
        if self.game.position(&self.rules).reveals_more(earlier.state()) {
            return Err(format!("`{key}` has revealed something: a card that was hidden, or what fell by chance"));
        }
        if self.reads_hidden(earlier, seat) {
            return Err(format!("`{key}` has shown something: what followed rests on what p{} does not know", seat + 1));
        }
        Ok(())
    }

    /// Whether the consequences of the last answer, up to the open question, depend on anything unknown to the seat.
    fn reads_hidden(&mut self, earlier: Game, seat: usize) -> bool {
        let Some(last) = self.answers.last().cloned() else { return false };
        let now = std::mem::replace(&mut self.game, earlier);
        self.game.watch(seat);
        let option = self.game.find_option(&self.rules, &last.key);
        let gone = self.run(Some(option.unwrap_or(usize::MAX)), &last.skipped);
        let again = std::mem::replace(&mut self.game, now);
        // The answer succeeded when it was first given.
        gone.is_err() || again.take_read_hidden()
    }

    /// Takes the last answer of a seat back by replaying all earlier ones.
    ///
    /// # Errors
    /// Why it cannot be taken back.
    pub fn undo(&mut self, seat: usize) -> Result<GivenAnswer, String> {
        self.check_undo(seat)?;
        let Some(last) = self.answers.last().cloned() else { return Err("nothing has been answered yet".to_string()) };
        self.rewind(self.answers.len() - 1).map_err(|failed| failed.fault.to_string())?;
        Ok(last)
    }

    /// Returns to the state after the first `count` answers.
    ///
    /// # Errors
    /// A fault that did not occur before. This cannot happen as long as replays are deterministic.
    pub fn rewind(&mut self, count: usize) -> Result<(), AnswerFailure> {
        self.game = self.game_at(count)?;
        self.answers.truncate(count);
        Ok(())
    }

    /// Replays the first `count` answers and returns the resulting game.
    fn game_at(&mut self, count: usize) -> Result<Game, AnswerFailure> {
        let now = std::mem::replace(&mut self.game, self.initial_game.clone());
        let (skipped, answers) = (self.skipped.clone(), self.answers.get(..count).unwrap_or(&self.answers).to_vec());
        let mut gone = self.run(None, &skipped);
        for step in &answers {
            gone = gone.and_then(|()| {
                let option = self.game.find_option(&self.rules, &step.key);
                self.run(Some(option.unwrap_or(usize::MAX)), &step.skipped)
            });
        }
        let found = std::mem::replace(&mut self.game, now);
        gone.map(|()| found)
    }
}

/// Runs scripts and counts them, and skips those in `skipped`.
struct SkippingScripts<'a> {
    host: &'a mut ScriptHost,
    skipped: &'a [SkippedScript],
    calls: u32,
    failed: Option<SkippedScript>,
}

impl Scripts for SkippingScripts<'_> {
    fn run(&mut self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop> {
        self.calls += 1;
        if self.skipped.iter().any(|skipped| skipped.call == self.calls) {
            return Ok(());
        }
        let ran = self.host.run(machine, call);
        if let Err(Stop::Fault(_)) = ran {
            let owner = machine.store.rules.scripts.get(call.script as usize).map_or("", |script| script.owner.as_str());
            self.failed = Some(SkippedScript { call: self.calls, owner: owner.to_string() });
        }
        ran
    }
}
