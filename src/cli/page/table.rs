//! A game on a page: begun or opened, answered, taken back, looked at from any seat and at any time.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::agent::{AgentKind, advise, describe_view, seat_name};
use crate::cli::load::{Workspace, title};
use crate::cli::prepared::{PreparedTable, new_session, prepare, replay_of};
use crate::cli::result::ExitReason;
use crate::diagnostic::{Diagnostic, render::render};
use crate::engine::{Opt, Ruleset};
use crate::table::{
    DisplayNames, GivenAnswer, RefusedAction, Replay, SceneOption, SceneSection, SeatPlayer, SeatResult, SeatedSession, Session, Start,
    StopReason, gains_of, list_refused, option_changes, parse_seat_players, scene, scene_options, seat_players_of_file, seat_results,
    unused_places, why_not,
};

/// How a game begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableStart {
    /// Name of the game.
    pub game: String,
    /// Number of players; 0 for as many as the game has by itself.
    pub players: usize,
    /// The player at each seat, as on the command line.
    pub seats: Vec<String>,
    /// Seed of the game.
    pub seed: u64,
    /// Chosen options, `NAME=VALUE`.
    pub options: Vec<String>,
    /// Folders of packs.
    pub packs: Vec<String>,
    /// Variants, files of rules, and rules.
    pub with: Vec<String>,
}

/// How far a game is, and who is to do something.
#[derive(Serialize)]
struct TableState {
    over: bool,
    /// Number of the answer after which the game is shown.
    answered: usize,
    /// Number of all answers.
    answers: usize,
    /// Number of the answers ahead of the last one that a person has given.
    back_to: Option<usize>,
    seats: Vec<SeatState>,
    /// Whether anything in this game is hidden from other seats.
    secrets: bool,
    asked: Option<AskedState>,
}

#[derive(Serialize)]
struct SeatState {
    name: String,
    player: String,
    #[serde(flatten)]
    viewed: Option<ViewedSeat>,
}

#[derive(Serialize)]
struct ViewedSeat {
    /// Points as if the game ended now; `None` if the viewer cannot know them.
    points: Option<i64>,
    /// The place from 1, when the game is over.
    place: Option<usize>,
}

#[derive(Serialize)]
struct AskedState {
    seat: usize,
    player: String,
    #[serde(flatten)]
    viewed: Option<ViewedQuestion>,
}

#[derive(Serialize)]
struct ViewedQuestion {
    question: String,
    options: Vec<SceneOption>,
    /// The option that was chosen, while the game is looked at as it was earlier.
    chosen: Option<usize>,
    /// The options that are not possible, each with the reasons and the pieces of the card that its key names.
    refused: Vec<Value>,
}

/// What a page draws.
#[derive(Serialize)]
struct TableView<'a> {
    game: &'a str,
    title: &'a str,
    seed: u64,
    round: i32,
    #[serde(flatten)]
    state: TableState,
    /// The seat from which the game is seen.
    viewer: usize,
    areas: Vec<SceneSection>,
    log: Vec<String>,
    #[serde(rename = "final")]
    end: Option<Vec<SeatResult>>,
    /// Who has won, in words; empty while the game goes on.
    outcome: String,
}

/// A game on a page.
pub struct PageTable {
    prepared: PreparedTable,
    table: SeatedSession,
    /// The game at an earlier time, while it is looked at.
    past: Option<Session>,
}

/// Why a page cannot show something. It is empty if the reason has been printed.
type PageResult<T> = Result<T, String>;

fn printed(_: ExitReason) -> String {
    String::new()
}

impl PageTable {
    /// Begins a game.
    ///
    /// # Errors
    /// Faults of the rules or of what was chosen.
    pub fn begin(start: TableStart) -> PageResult<PageTable> {
        let requested = Some(start.players).filter(|players| *players > 0);
        let TableStart { game, players, seats, seed, options, packs, with } = start;
        let packs = packs.into_iter().map(PathBuf::from).collect();
        let start = Start { game, players, seed, options, packs, with, ..Start::default() };
        let workspace = Workspace::of_root(Some(Path::new(".")));
        workspace.expect_game(&start.game).map_err(printed)?;
        let prepared = prepare(&workspace, start, requested).map_err(printed)?;
        let seat_players = parse_seat_players(&seats, prepared.rules.players)?;
        check_players(&prepared, &seat_players)?;
        let table = SeatedSession::begin(new_session(&prepared).map_err(printed)?, &[], seat_players);
        let table = table.map_err(|failed| prepared.fault_text(&failed, 0))?;
        Ok(PageTable { prepared, table, past: None })
    }

    /// Opens a replay or a save from a file.
    ///
    /// # Errors
    /// It is none, or it cannot be repeated by the rules as they are.
    pub fn open(path: &Path) -> PageResult<PageTable> {
        let workspace = Workspace::of_root(Some(Path::new(".")));
        let (prepared, replay) = replay_of(&workspace, path).map_err(printed)?;
        let seat_players = seat_players_of_file(&replay.seats, prepared.rules.players)?;
        check_players(&prepared, &seat_players)?;
        let mut session = new_session(&prepared).map_err(printed)?;
        let told = |found: Box<Diagnostic>| render(&prepared.sources, &[*found], false);
        replay.play(&mut session).and_then(|()| replay.check_end(&session)).map_err(told)?;
        let table = SeatedSession::new(session, seat_players).map_err(|failed| prepared.fault_text(&failed, 0))?;
        Ok(PageTable { prepared, table, past: None })
    }

    /// Goes on from an earlier time; what came after is gone.
    fn go_on_from(&mut self, earlier: Session) -> PageResult<()> {
        let seat_players = self.table.seat_players().to_vec();
        self.table = SeatedSession::new(earlier, seat_players).map_err(|failed| self.prepared.fault_text(&failed, 0))?;
        Ok(())
    }

    /// The text of a replay with all answers.
    pub fn save(&self) -> String {
        Replay::text_of(&self.prepared.start, self.table.seat_players(), &self.table.session)
    }

    /// Gives the answer of a person. While the game is looked at as it was earlier, it goes on from there, and what came after is gone.
    ///
    /// # Errors
    /// A fault of the rules or of a card; the question is open again.
    pub fn answer(&mut self, option: usize) -> PageResult<()> {
        if let Some(past) = self.past.take() {
            self.go_on_from(past)?;
        }
        let count = self.table.session.answers().len() + 1;
        self.table.answer(option, &[]).map_err(|failed| self.prepared.fault_text(&failed, count))
    }

    /// Lets the machine player that is asked answer; does nothing if a person is asked.
    ///
    /// # Errors
    /// As for [`PageTable::answer`].
    pub fn let_machine_answer(&mut self) -> PageResult<()> {
        if self.past.is_some() {
            return Err("the game is looked at as it was earlier".to_string());
        }
        let count = self.table.session.answers().len() + 1;
        self.table.let_agent_answer().map_err(|stopped| match stopped {
            StopReason::Failed(failed, _) => self.prepared.fault_text(&failed, count),
            StopReason::Player(wrong) => wrong.to_string(),
        })
    }

    /// Number of the answers ahead of the last one that a person has given; `None` if no person has answered yet.
    fn ahead_of_last_person(&self) -> Option<usize> {
        let persons = self.table.human_seats();
        self.table.session.answers().iter().rposition(|answer| persons.contains(&answer.seat))
    }

    /// Takes back the last answer of a person, with the answers of machine players since. A person who plays alone may do so although
    /// something has been revealed.
    ///
    /// # Errors
    /// Why it may not be taken back: no person has answered, or something was revealed since.
    pub fn undo(&mut self, although_revealed: bool) -> PageResult<()> {
        self.past = None;
        let ahead = self.ahead_of_last_person().ok_or("no person has answered yet")?;
        let answers = self.table.session.answers();
        let seat = answers[ahead].seat;
        let is_last = ahead + 1 == answers.len();
        if although_revealed && self.table.human_seats().len() > 1 {
            return Err("others have seen it, too".to_string());
        }
        if !although_revealed && is_last {
            return self.table.undo(seat).map(drop);
        }
        self.seek(if although_revealed { ahead } else { ahead + 1 })?;
        let Some(mut earlier) = self.past.take() else { return Ok(()) };
        if !although_revealed {
            earlier.check_undo(seat)?;
            if self.table.session.game().position(&self.prepared.rules).reveals_more(earlier.game().state()) {
                return Err("machine players have revealed something since: a card that was hidden, or what fell by chance".to_string());
            }
            earlier.undo(seat)?;
        }
        self.go_on_from(earlier)
    }

    /// Shows the game after so many answers; after all of them it goes on.
    ///
    /// # Errors
    /// A fault that did not occur before.
    pub fn seek(&mut self, count: usize) -> PageResult<()> {
        let answers: Vec<GivenAnswer> = self.table.session.answers().to_vec();
        if count >= answers.len() {
            self.past = None;
            return Ok(());
        }
        let mut past = match self.past.take() {
            Some(past) => past,
            None => {
                let mut past = new_session(&self.prepared).map_err(printed)?;
                past.start(self.table.session.skipped()).map_err(|failed| self.prepared.fault_text(&failed, 0))?;
                past
            }
        };
        if past.answers().len() > count {
            past.rewind(count).map_err(|failed| self.prepared.fault_text(&failed, count))?;
        }
        for (number, answer) in answers.iter().enumerate().take(count).skip(past.answers().len()) {
            let option = past.option(&answer.key).unwrap_or(usize::MAX);
            past.answer(option, &answer.skipped).map_err(|failed| self.prepared.fault_text(&failed, number + 1))?;
        }
        self.past = Some(past);
        Ok(())
    }

    /// The session that is shown.
    fn shown(&self) -> &Session {
        self.past.as_ref().unwrap_or(&self.table.session)
    }

    /// What an option of the open question would change, line by line.
    pub fn changes(&mut self, option: usize) -> Vec<String> {
        let PageTable { prepared, table, past } = self;
        let (rules, game, host) = past.as_mut().unwrap_or(&mut table.session).rules_game_and_scripts();
        option_changes(rules, game, host, option, &prepared.words)
    }

    /// Why the asked seat cannot take an option with this key.
    pub fn why_not(&self, key: &str) -> Vec<String> {
        why_not(&self.prepared.rules, self.shown().game(), key)
    }

    /// What a machine player would answer to the open question, as JSON.
    ///
    /// # Errors
    /// Nothing is asked, or that player fails.
    pub fn hint(&mut self, player: &str) -> PageResult<String> {
        let kind = AgentKind::parse(player)?;
        kind.check_rules(&self.prepared.rules)?;
        let PageTable { prepared, table, .. } = self;
        let (rules, game, host) = table.session.rules_game_and_scripts();
        let advice = advise(&kind, rules, game, host).map_err(|wrong| wrong.to_string())?.ok_or("nothing is asked")?;
        let options = game.decision().map(|open| open.options.as_slice()).unwrap_or_default();
        let option = options.get(advice.choice).ok_or("nothing is asked")?;
        let others = advice.others().unwrap_or_default();
        // Of those that are equally good, the last one is named.
        let next = others.iter().rev().min_by(|one, other| one.1.total_cmp(&other.1));
        let words = |option: &Opt| prepared.words.describe_option(rules, option);
        let why = next.map(|(next, less)| format!("{player} thinks {less:.2} better of it than of {}", words(&options[*next])));
        // `why` says how much better it is than the next; it is empty if that player does not say.
        Ok(json!({ "option": advice.choice, "words": words(option), "why": why.unwrap_or_default() }).to_string())
    }

    fn table_state(&self) -> TableState {
        let shown = self.shown();
        let players: Vec<String> = self.table.seat_players().iter().map(SeatPlayer::to_string).collect();
        let asked = shown.decision().map(|open| open.seat);
        TableState {
            over: shown.game().finished(),
            answered: shown.answers().len(),
            answers: self.table.session.answers().len(),
            back_to: self.ahead_of_last_person(),
            secrets: self.prepared.rules.has_secrets(),
            asked: asked.map(|seat| AskedState { seat, player: players.get(seat).cloned().unwrap_or_default(), viewed: None }),
            seats: (0..).zip(players).map(|(seat, player)| SeatState { name: seat_name(seat), player, viewed: None }).collect(),
        }
    }

    /// How far the game is, and who is to do something, as JSON.
    pub fn state(&self) -> String {
        serde_json::to_string(&self.table_state()).unwrap_or_default()
    }

    /// The game as a seat sees it, as JSON; without a seat as whoever is asked sees it.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn view(&mut self, seat: Option<usize>) -> PageResult<String> {
        let viewer = seat.unwrap_or_else(|| self.table.viewer());
        if viewer >= self.prepared.rules.players {
            return Err(format!("there is no seat p{}", viewer + 1));
        }
        let mut state = self.table_state();
        if let Some(asked) = &mut state.asked {
            asked.viewed = Some(self.viewed_question(asked.seat, viewer));
        }
        let PageTable { prepared: PreparedTable { text, words, start, .. }, table, past } = self;
        let session = past.as_mut().unwrap_or(&mut table.session);
        let unused = unused_places(start, session, viewer);
        let (rules, game, _) = session.rules_game_and_scripts();
        let end = state.over.then(|| seat_results(rules, game, words));
        let seen = describe_view(rules, &game.view_of(rules, viewer));
        for (seat, seen) in state.seats.iter_mut().zip(&seen.seats) {
            let result = end.iter().flatten().find(|result| result.seat == seat.name);
            seat.viewed = Some(ViewedSeat { points: seen.points, place: result.map(|result| result.place) });
        }
        let outcome = if state.over { words.describe_winners(rules, &game.store(rules).winners()) } else { String::new() };
        let view = TableView {
            game: &start.game,
            title: words.translations().title(title(text)),
            seed: start.seed,
            round: game.round(),
            state,
            viewer,
            areas: scene(rules, text, game, viewer, words, &unused),
            log: game.log_for(viewer, 0).map(|line| words.log_line(rules, line)).collect(),
            end,
            outcome,
        };
        serde_json::to_string(&view).map_err(|wrong| wrong.to_string())
    }

    /// The open question to a seat, as far as the viewer sees it.
    fn viewed_question(&mut self, seat: usize, viewer: usize) -> ViewedQuestion {
        let persons = self.table.human_seats();
        let PageTable { prepared: PreparedTable { rules, words, .. }, table, past } = self;
        let given = past.as_ref().and_then(|past| table.session.answers().get(past.answers().len())).map(|answer| answer.key.clone());
        let is_past = past.is_some();
        let session = past.as_mut().unwrap_or(&mut table.session);
        let chosen = given.and_then(|key| session.option(&key));
        let (_, game, host) = session.rules_game_and_scripts();
        let question = game.decision().map(|open| words.describe_question(rules, open.question)).unwrap_or_default();
        // The options of another seat may name its hidden cards.
        if seat != viewer || !(is_past || persons.contains(&seat) || persons.is_empty()) {
            return ViewedQuestion { question, options: Vec::new(), chosen: None, refused: Vec::new() };
        }
        let gains = gains_of(rules, game, host, words);
        let options = scene_options(rules, game, words, &gains);
        let refused = if is_past { Vec::new() } else { list_refused(rules, game) };
        let refused = refused.iter().map(|refused| as_json(refused, rules, words)).collect();
        ViewedQuestion { question, options, chosen, refused }
    }
}

fn check_players(prepared: &PreparedTable, seat_players: &[SeatPlayer]) -> PageResult<()> {
    seat_players.iter().try_for_each(|player| match player {
        SeatPlayer::Machine(AgentKind::Exec { .. }) | SeatPlayer::NotStarted(_) => {
            Err(format!("`{player}` is a program, which a page does not start"))
        }
        SeatPlayer::Machine(kind) => kind.check_rules(&prepared.rules),
        SeatPlayer::Human => Ok(()),
    })
}

fn as_json(refused: &RefusedAction, rules: &Ruleset, words: &DisplayNames) -> Value {
    let RefusedAction { key, reasons } = refused;
    let named = key.split_whitespace().last().unwrap_or("");
    let pieces = (0..rules.piece_definition.len()).filter(|&piece| rules.names.text(rules.definition(piece).id) == named);
    let reasons = reasons.iter().map(|reason| words.replace_card_ids(reason));
    json!({
        "key": key,
        "words": words.replace_card_ids(key),
        "reasons": reasons.collect::<Vec<_>>(),
        "pieces": pieces.collect::<Vec<_>>(),
    })
}
