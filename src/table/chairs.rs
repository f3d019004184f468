//! Who sits where: people and machine players around one session.

use crate::agent::{AgentKind, Seats};
use crate::engine::Fault;

use super::session::{Failed, Left, Session};

/// Who sits on a chair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chair {
    /// Somebody at the keyboard.
    Human,
    /// A machine player.
    Machine(AgentKind),
    /// Another program that only a file names (`exec:COMMAND`). Nobody starts it: files come from anywhere, and what is run on this machine
    /// is said on the command line alone.
    NotStarted(String),
}

impl std::fmt::Display for Chair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Chair::Human => f.write_str("human"),
            Chair::Machine(kind) => write!(f, "{kind}"),
            Chair::NotStarted(text) => f.write_str(text),
        }
    }
}

/// Reads `human,greedy,search:200`: one for each seat; the last one sits on all chairs that are left. Without a word, a person sits down
/// first, and `greedy` everywhere else.
///
/// # Errors
/// What is wrong with them, in one sentence.
pub fn parse_chairs(texts: &[impl AsRef<str>], players: usize) -> Result<Vec<Chair>, String> {
    let mut chairs = Vec::new();
    for text in texts {
        let text = text.as_ref();
        // A command has commas of its own.
        let names: Vec<&str> = if text.starts_with("exec:") { vec![text] } else { text.split(',').map(str::trim).collect() };
        for name in names {
            chairs.push(match name {
                "human" => Chair::Human,
                name => {
                    Chair::Machine(AgentKind::parse(name).map_err(|wrong| wrong.replace("there are random", "there are human, random"))?)
                }
            });
        }
    }
    if chairs.is_empty() {
        chairs = vec![Chair::Human, Chair::Machine(AgentKind::of_style(""))];
        chairs.truncate(players);
    }
    if chairs.len() > players {
        return Err(format!("{} are named for {players} seats", chairs.len()));
    }
    let last = chairs.last().cloned().unwrap_or(Chair::Human);
    chairs.resize(players, last);
    Ok(chairs)
}

/// Reads the seats that a file names, as [`parse_chairs`] does; what a file calls a program stays [`Chair::NotStarted`].
///
/// # Errors
/// What is wrong with them, in one sentence.
pub fn chairs_of_file(texts: &[impl AsRef<str>], players: usize) -> Result<Vec<Chair>, String> {
    let kept = |chair| match chair {
        Chair::Machine(kind @ AgentKind::Exec { .. }) => Chair::NotStarted(kind.to_string()),
        chair @ (Chair::Human | Chair::Machine(_) | Chair::NotStarted(_)) => chair,
    };
    Ok(parse_chairs(texts, players)?.into_iter().map(kept).collect())
}

/// Why a game does not go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopped {
    /// A fault of the rules or of a card, after an answer that a machine player wanted to give: its option.
    Failed(Failed, Option<usize>),
    /// A machine player did not answer.
    Player(Box<Fault>),
}

/// A session with somebody on each chair.
pub struct Table {
    /// The game.
    pub session: Session,
    chairs: Vec<Chair>,
    machines: Seats,
}

impl Table {
    /// People and machine players sit down at a session that may be under way: they are as if they had answered all questions so far.
    ///
    /// # Errors
    /// A fault that came up where none came up before.
    pub fn new(session: Session, chairs: Vec<Chair>) -> Result<Table, Failed> {
        let kinds: Vec<AgentKind> = chairs
            .iter()
            .map(|chair| match chair {
                // Nobody asks it.
                Chair::Human | Chair::NotStarted(_) => AgentKind::Random,
                Chair::Machine(kind) => kind.clone(),
            })
            .collect();
        let mut table = Table { session, chairs, machines: Seats::new(&kinds) };
        table.machines.begin(table.session.game().seed());
        table.go_through_again()?;
        Ok(table)
    }

    /// Machine players see again what was answered so far.
    fn go_through_again(&mut self) -> Result<(), Failed> {
        self.machines.forget();
        let steps = self.session.steps().to_vec();
        self.session.rewind(0)?;
        for step in steps {
            let option = self.session.option(&step.key).unwrap_or(0);
            self.machines.took(self.session.game(), option);
            self.session.answer(option, &step.left)?;
        }
        Ok(())
    }

    /// Who sits where.
    pub fn chairs(&self) -> &[Chair] {
        &self.chairs
    }

    /// The seats of people.
    pub fn people(&self) -> Vec<usize> {
        (0..self.chairs.len()).filter(|&seat| self.chairs[seat] == Chair::Human).collect()
    }

    /// The seat that is asked, if a person sits there.
    pub fn asked(&self) -> Option<usize> {
        let seat = self.session.decision()?.seat;
        (self.chairs.get(seat) == Some(&Chair::Human)).then_some(seat)
    }

    /// Whether a machine player is to answer.
    pub fn waits_for_machine(&self) -> bool {
        self.session.decision().is_some() && self.asked().is_none()
    }

    /// A person answers.
    ///
    /// # Errors
    /// As for [`Session::answer`].
    pub fn answer(&mut self, option: usize, left: &[Left]) -> Result<(), Failed> {
        self.machines.took(self.session.game(), option);
        self.session.answer(option, left)
    }

    /// The machine player that is asked answers; nothing happens while a person is asked.
    ///
    /// # Errors
    /// Why the game does not go on; the question is open still.
    pub fn machine_answers(&mut self) -> Result<(), Stopped> {
        if !self.waits_for_machine() {
            return Ok(());
        }
        let seat = self.session.decision().map_or(0, |open| open.seat);
        if let Some(Chair::NotStarted(program)) = self.chairs.get(seat) {
            let fault =
                Fault::new(format!("p{} is `{program}`, which only a file names; a program is started by `--seat` alone", seat + 1));
            return Err(Stopped::Player(Box::new(fault)));
        }
        let (rules, game, host) = self.session.parts();
        let rules = std::sync::Arc::clone(rules);
        let option = self.machines.choose(&rules, game, host).map_err(|fault| Stopped::Player(Box::new(fault)))?;
        self.session.answer(option, &[]).map_err(|failed| Stopped::Failed(failed, Some(option)))
    }

    /// Takes back the last answer of a person.
    ///
    /// # Errors
    /// Why it cannot be taken back.
    pub fn undo(&mut self, seat: usize) -> Result<String, String> {
        if self.chairs.get(seat) != Some(&Chair::Human) {
            return Err(format!("p{} is no person", seat + 1));
        }
        let last = self.session.undo(seat)?;
        self.go_through_again().map_err(|failed| failed.fault.to_string())?;
        Ok(last.key)
    }

    /// Tells the machine players that the game is over.
    pub fn end(&mut self) {
        let (rules, game, _) = self.session.parts();
        let rules = std::sync::Arc::clone(rules);
        self.machines.end(&rules, game);
    }
}
