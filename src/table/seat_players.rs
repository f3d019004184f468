//! Assignment of people and agents to the seats of a session.

use crate::agent::{AgentKind, SeatAgents};
use crate::engine::Fault;

use super::session::{AnswerFailure, Session, SkippedScript};

/// The player at a seat: a person, an agent, or an external program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatPlayer {
    /// A person at the keyboard.
    Human,
    /// A built-in agent, or an external program named on the command line.
    Machine(AgentKind),
    /// An external program (`exec:COMMAND`) that only a file names. It is never started: files may come from anywhere, so that only the
    /// command line decides which programs run.
    NotStarted(String),
}

impl std::fmt::Display for SeatPlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SeatPlayer::Human => f.write_str("human"),
            SeatPlayer::Machine(kind) => write!(f, "{kind}"),
            SeatPlayer::NotStarted(text) => f.write_str(text),
        }
    }
}

/// Parses the players from a list such as `human,greedy,search:200`: one for each seat; the last one takes all remaining seats. By
/// default a person takes the first seat, and `greedy` all others.
///
/// # Errors
/// A one-sentence message that names what is wrong.
pub fn parse_seat_players(texts: &[impl AsRef<str>], players: usize) -> Result<Vec<SeatPlayer>, String> {
    let mut seat_players = Vec::new();
    for text in texts {
        let text = text.as_ref();
        // Commands may contain commas.
        let names: Vec<&str> = if text.starts_with("exec:") { vec![text] } else { text.split(',').map(str::trim).collect() };
        for name in names {
            seat_players.push(match name {
                "human" => SeatPlayer::Human,
                name => SeatPlayer::Machine(
                    AgentKind::parse(name).map_err(|wrong| wrong.replace("there are random", "there are human, random"))?,
                ),
            });
        }
    }
    if seat_players.is_empty() {
        seat_players = vec![SeatPlayer::Human, SeatPlayer::Machine(AgentKind::with_style(""))];
        seat_players.truncate(players);
    }
    if seat_players.len() > players {
        return Err(format!("{} are named for {players} seats", seat_players.len()));
    }
    let last = seat_players.last().cloned().unwrap_or(SeatPlayer::Human);
    seat_players.resize(players, last);
    Ok(seat_players)
}

/// Parses the players listed in a replay or save like [`parse_seat_players`]; external programs become [`SeatPlayer::NotStarted`].
///
/// # Errors
/// A one-sentence message that names what is wrong.
pub fn seat_players_of_file(texts: &[impl AsRef<str>], players: usize) -> Result<Vec<SeatPlayer>, String> {
    let kept = |chair| match chair {
        SeatPlayer::Machine(kind @ AgentKind::Exec { .. }) => SeatPlayer::NotStarted(kind.to_string()),
        chair @ (SeatPlayer::Human | SeatPlayer::Machine(_) | SeatPlayer::NotStarted(_)) => chair,
    };
    Ok(parse_seat_players(texts, players)?.into_iter().map(kept).collect())
}

/// Why a game cannot continue.
#[derive(Clone, Debug, PartialEq)]
pub enum StopReason {
    /// A fault of the rules or of a card, with the index of the agent's answer that caused it.
    Failed(AnswerFailure, Option<usize>),
    /// The agent whose turn it was did not answer, for this reason.
    Player(Box<Fault>),
}

/// A session with a player assigned to each seat.
pub struct SeatedSession {
    /// The session, which owns the game and its answers.
    pub session: Session,
    seat_players: Vec<SeatPlayer>,
    agents: SeatAgents,
}

impl SeatedSession {
    /// Assigns players to a session that may already be under way: agents see the earlier answers as if they had given them.
    ///
    /// # Errors
    /// A fault that did not occur when the answers were first given.
    pub fn new(session: Session, seat_players: Vec<SeatPlayer>) -> Result<SeatedSession, AnswerFailure> {
        let kinds: Vec<AgentKind> = seat_players
            .iter()
            .map(|chair| match chair {
                // This agent is never asked.
                SeatPlayer::Human | SeatPlayer::NotStarted(_) => AgentKind::Random,
                SeatPlayer::Machine(kind) => kind.clone(),
            })
            .collect();
        let mut table = SeatedSession { session, seat_players, agents: SeatAgents::new(&kinds) };
        table.agents.begin_game(table.session.game().seed());
        table.replay_to_agents()?;
        Ok(table)
    }

    /// Starts a session without the scripts in `skipped`, and assigns players to it.
    ///
    /// # Errors
    /// A fault before the first question.
    pub fn begin(mut session: Session, skipped: &[SkippedScript], seat_players: Vec<SeatPlayer>) -> Result<SeatedSession, AnswerFailure> {
        session.start(skipped)?;
        SeatedSession::new(session, seat_players)
    }

    /// Replays the answers given so far to the agents.
    fn replay_to_agents(&mut self) -> Result<(), AnswerFailure> {
        self.agents.forget_questions();
        let steps = self.session.answers().to_vec();
        self.session.rewind(0)?;
        for step in steps {
            let option = self.session.option(&step.key).unwrap_or(0);
            self.agents.observe_answer(self.session.game(), option);
            self.session.answer(option, &step.skipped)?;
        }
        Ok(())
    }

    /// Returns the player at each seat.
    pub fn seat_players(&self) -> &[SeatPlayer] {
        &self.seat_players
    }

    /// Returns the seats of human players.
    pub fn human_seats(&self) -> Vec<usize> {
        (0..self.seat_players.len()).filter(|&seat| self.seat_players[seat] == SeatPlayer::Human).collect()
    }

    /// Returns the seat that must answer the open question, if its player is human.
    pub fn asked_human_seat(&self) -> Option<usize> {
        let seat = self.session.decision()?.seat;
        (self.seat_players.get(seat) == Some(&SeatPlayer::Human)).then_some(seat)
    }

    /// Returns the seat from whose view the game is shown: that of the human player who is asked, or else of the first human player, or else
    /// the seat that is asked.
    pub fn viewer(&self) -> usize {
        let asked = self.session.decision().map(|open| open.seat);
        self.asked_human_seat().or_else(|| self.human_seats().first().copied()).or(asked).unwrap_or(0)
    }

    /// Whether an agent has to answer the open question.
    pub fn is_agent_asked(&self) -> bool {
        self.session.decision().is_some() && self.asked_human_seat().is_none()
    }

    /// Gives the answer of a human player.
    ///
    /// # Errors
    /// As for [`Session::answer`].
    pub fn answer(&mut self, option: usize, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        self.agents.observe_answer(self.session.game(), option);
        self.session.answer(option, skipped)
    }

    /// Repeats an answer of a human player or agent that failed, now without these scripts.
    ///
    /// # Errors
    /// As for [`Session::answer`].
    pub fn answer_skipping(&mut self, option: usize, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        match self.asked_human_seat() {
            Some(_) => self.answer(option, skipped),
            // The agent has chosen it already.
            None => self.session.answer(option, skipped),
        }
    }

    /// Lets the asked agent answer. Nothing happens if a human player is asked.
    ///
    /// # Errors
    /// Why the game cannot continue; the question stays open.
    pub fn let_agent_answer(&mut self) -> Result<(), StopReason> {
        if !self.is_agent_asked() {
            return Ok(());
        }
        let seat = self.session.decision().map_or(0, |open| open.seat);
        if let Some(SeatPlayer::NotStarted(program)) = self.seat_players.get(seat) {
            let fault =
                Fault::new(format!("p{} is `{program}`, which only a file names; a program is started by `--seat` alone", seat + 1));
            return Err(StopReason::Player(Box::new(fault)));
        }
        let (rules, game, host) = self.session.rules_game_and_scripts();
        let rules = std::sync::Arc::clone(rules);
        let option = self.agents.choose(&rules, game, host).map_err(|fault| StopReason::Player(Box::new(fault)))?;
        self.session.answer(option, &[]).map_err(|failed| StopReason::Failed(failed, Some(option)))
    }

    /// Takes back the last answer of a human player and returns its key.
    ///
    /// # Errors
    /// Why it cannot be taken back.
    pub fn undo(&mut self, seat: usize) -> Result<String, String> {
        if self.seat_players.get(seat) != Some(&SeatPlayer::Human) {
            return Err(format!("p{} is no person", seat + 1));
        }
        let last = self.session.undo(seat)?;
        self.replay_to_agents().map_err(|failed| failed.fault.to_string())?;
        Ok(last.key)
    }

    /// Notifies the agents that the game has ended.
    pub fn end_game(&mut self) {
        let (rules, game, _) = self.session.rules_game_and_scripts();
        let rules = std::sync::Arc::clone(rules);
        self.agents.end_game(&rules, game);
    }
}
