//! A game with the answers given so far: it goes forward by answers, and back by going through them again.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::engine::{Call, Decision, Fault, Game, Machine, Ruleset, Scripts, Stop};
use crate::script::ScriptHost;

/// A script that was left out because it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// Which of the scripts that run after an answer, from 1.
    pub call: u32,
    /// The card and the entry that it belongs to.
    pub owner: String,
}

/// An answer that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Who answered.
    pub seat: usize,
    /// The option's key.
    pub key: String,
    /// The round in which it was given.
    pub round: i32,
    /// Scripts that were left out after it.
    pub left: Vec<Left>,
    /// How many lines the log had before it.
    pub log: usize,
}

/// A fault after an answer. The game stands again as it stood before the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The fault.
    pub fault: Box<Fault>,
    /// The script that failed; without it the game can go on. Nothing if it was no script.
    pub script: Option<Left>,
}

/// A game with the answers given so far.
pub struct Session {
    rules: Arc<Ruleset>,
    host: ScriptHost,
    /// As it was before anything was run.
    begun: Game,
    game: Game,
    /// Scripts that were left out before the first answer.
    left: Vec<Left>,
    steps: Vec<Step>,
}

impl Session {
    /// A session of a game that has not gone on yet: [`Session::start`] lets it.
    ///
    /// # Errors
    /// What is wrong with the scripts.
    pub fn new(rules: &Arc<Ruleset>, mut begun: Game) -> Result<Session, Vec<Diagnostic>> {
        begun.keep_log();
        let host = ScriptHost::new(rules)?;
        Ok(Session { rules: Arc::clone(rules), host, game: begun.clone(), begun, left: Vec::new(), steps: Vec::new() })
    }

    /// Runs to the first question, without these scripts.
    ///
    /// # Errors
    /// A fault; nothing has been run then.
    pub fn start(&mut self, left: &[Left]) -> Result<(), Failed> {
        self.run(None, left)?;
        self.left = left.to_vec();
        Ok(())
    }

    /// Answers the open question, and runs to the next without these scripts.
    ///
    /// # Errors
    /// A fault; the question is open again then.
    pub fn answer(&mut self, option: usize, left: &[Left]) -> Result<(), Failed> {
        let found = self.game.decision().and_then(|open| Some((open.seat, open.options.get(option)?)));
        let Some((seat, chosen)) = found else {
            return Err(Failed { fault: Box::new(Fault::new("there is no such option")), script: None });
        };
        let step = Step { seat, key: chosen.text(&self.rules), round: self.game.round(), left: left.to_vec(), log: self.game.log().len() };
        self.run(Some(option), left)?;
        self.steps.push(step);
        Ok(())
    }

    fn run(&mut self, option: Option<usize>, left: &[Left]) -> Result<(), Failed> {
        let Session { rules, host, game, .. } = self;
        let before = game.clone();
        let mut scripts = Watched { host, left, calls: 0, failed: None };
        let answered = option.map_or(Ok(()), |option| game.on(rules).answer(&mut scripts, option));
        let done = answered.and_then(|()| game.on(rules).advance(&mut scripts).map(|_| ()));
        let script = scripts.failed;
        done.map_err(|fault| {
            self.game = before;
            Failed { fault: Box::new(fault), script }
        })
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game before anything was done.
    pub fn begun(&self) -> &Game {
        &self.begun
    }

    /// The game, and what runs its scripts, for those who look at it from a seat.
    pub fn parts(&mut self) -> (&Arc<Ruleset>, &mut Game, &mut ScriptHost) {
        (&self.rules, &mut self.game, &mut self.host)
    }

    /// The open question; none once the game is over.
    pub fn decision(&self) -> Option<&Decision> {
        self.game.decision()
    }

    /// Answers given so far.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Scripts left out before the first answer.
    pub fn left(&self) -> &[Left] {
        &self.left
    }

    /// Which option a text names: a number from 1, or a key.
    pub fn option(&self, text: &str) -> Option<usize> {
        let count = self.decision()?.options.len();
        let key = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.game
            .find_option(&self.rules, &key)
            .or_else(|| key.parse().ok().filter(|number| (1..=count).contains(number)).map(|n: usize| n - 1))
    }

    /// Whether a seat may take its last answer back: nobody has answered since, and nothing has been revealed.
    ///
    /// # Errors
    /// Why it may not.
    pub fn may_undo(&mut self, seat: usize) -> Result<(), String> {
        let Some(last) = self.steps.last() else { return Err("nothing has been answered yet".to_string()) };
        if last.seat != seat {
            return Err(format!("p{} has answered since; only one's own answers can be taken back", last.seat + 1));
        }
        let key = last.key.clone();
        let count = self.steps.len() - 1;
        let earlier = self.game_at(count).map_err(|failed| failed.fault.to_string())?;
        if self.game.position(&self.rules).reveals_more(earlier.state()) {
            return Err(format!("`{key}` has revealed something: a card that was hidden, or what fell by chance"));
        }
        if self.reads_hidden(earlier, seat) {
            return Err(format!("`{key}` has shown something: what followed rests on what p{} does not know", seat + 1));
        }
        Ok(())
    }

    /// Whether what followed from the last answer, up to the question that is open now, rests on anything that a seat does not know.
    fn reads_hidden(&mut self, earlier: Game, seat: usize) -> bool {
        let Some(last) = self.steps.last().cloned() else { return false };
        let now = std::mem::replace(&mut self.game, earlier);
        self.game.watch(seat);
        let option = self.game.find_option(&self.rules, &last.key);
        let gone = self.run(Some(option.unwrap_or(usize::MAX)), &last.left);
        let again = std::mem::replace(&mut self.game, now);
        // It went well when it was answered first.
        gone.is_err() || again.take_read_hidden()
    }

    /// Takes the last answer of a seat back, by going through all before it again.
    ///
    /// # Errors
    /// Why it cannot be taken back.
    pub fn undo(&mut self, seat: usize) -> Result<Step, String> {
        self.may_undo(seat)?;
        let Some(last) = self.steps.last().cloned() else { return Err("nothing has been answered yet".to_string()) };
        self.rewind(self.steps.len() - 1).map_err(|failed| failed.fault.to_string())?;
        Ok(last)
    }

    /// Goes back to where so many answers had been given.
    ///
    /// # Errors
    /// A fault that did not come up before: none, as long as games are the same when they are gone through again.
    pub fn rewind(&mut self, count: usize) -> Result<(), Failed> {
        self.game = self.game_at(count)?;
        self.steps.truncate(count);
        Ok(())
    }

    /// The game as it stood when so many answers had been given.
    fn game_at(&mut self, count: usize) -> Result<Game, Failed> {
        let now = std::mem::replace(&mut self.game, self.begun.clone());
        let (left, steps) = (self.left.clone(), self.steps.get(..count).unwrap_or(&self.steps).to_vec());
        let mut gone = self.run(None, &left);
        for step in &steps {
            gone = gone.and_then(|()| {
                let option = self.game.find_option(&self.rules, &step.key);
                self.run(Some(option.unwrap_or(usize::MAX)), &step.left)
            });
        }
        let found = std::mem::replace(&mut self.game, now);
        gone.map(|()| found)
    }
}

/// Runs scripts, counts them, and leaves some out.
struct Watched<'a> {
    host: &'a mut ScriptHost,
    left: &'a [Left],
    calls: u32,
    failed: Option<Left>,
}

impl Scripts for Watched<'_> {
    fn run(&mut self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop> {
        self.calls += 1;
        if self.left.iter().any(|left| left.call == self.calls) {
            return Ok(());
        }
        let ran = self.host.run(machine, call);
        if let Err(Stop::Fault(_)) = ran {
            let owner = machine.rules.scripts.get(call.script as usize).map_or("", |script| script.owner.as_str());
            self.failed = Some(Left { call: self.calls, owner: owner.to_string() });
        }
        ran
    }
}
