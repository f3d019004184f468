//! A game on a page: begun or opened, answered, taken back, looked at from any seat and at any time.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::agent::{AgentKind, advise, describe_view, seat_name};
use crate::cli::faults::fault_diagnostic;
use crate::cli::load::{Workspace, title};
use crate::cli::prepared::{PreparedTable, new_session, prepare, replay_of};
use crate::cli::result::ExitReason;
use crate::diagnostic::{Diagnostic, render::render};
use crate::engine::{Game, Ruleset};
use crate::table::{
    AnswerFailure, DisplayNames, GivenAnswer, Replay, SceneOption, SceneSection, SeatPlayer, SeatedSession, Session, Start, StopReason,
    find_unused, gains_of, list_refused, option_changes, parse_seat_players, scene, scene_option, seat_players_of_file, why_not,
};

/// How a game begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableStart {
    /// Name of the game.
    pub game: String,
    /// Number of players; 0 for as many as the game has by itself.
    #[serde(default)]
    pub players: usize,
    /// The player at each seat, as on the command line.
    #[serde(default)]
    pub seats: Vec<String>,
    /// Seed of the game.
    #[serde(default)]
    pub seed: u64,
    /// Chosen options, `NAME=VALUE`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Folders of packs.
    #[serde(default)]
    pub packs: Vec<String>,
    /// Variants, files of rules, and rules.
    #[serde(default)]
    pub with: Vec<String>,
}

/// What a page draws.
#[derive(Serialize)]
struct TableView<'a> {
    game: &'a str,
    title: String,
    seed: u64,
    round: i32,
    over: bool,
    /// Number of the answer after which the game is shown.
    answered: usize,
    /// Number of all answers.
    answers: usize,
    /// Number of the answers ahead of the last one that a person has given.
    back_to: Option<usize>,
    seats: Vec<ViewedSeat>,
    asked: Option<Asked>,
    /// The seat from which the game is seen.
    viewer: usize,
    /// Whether anything in this game is hidden from other seats.
    secrets: bool,
    areas: Vec<SceneSection>,
    log: Vec<String>,
    #[serde(rename = "final")]
    end: Option<Vec<FinalSeat>>,
    /// Who has won, in words; empty while the game goes on.
    outcome: String,
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
}

#[derive(Serialize)]
struct AskedState {
    seat: usize,
    player: String,
}

#[derive(Serialize)]
struct ViewedSeat {
    name: String,
    player: String,
    /// Points as if the game ended now; `None` if the viewer cannot know them.
    points: Option<i64>,
    /// The place from 1, when the game is over.
    place: Option<usize>,
}

#[derive(Serialize)]
struct Asked {
    seat: usize,
    player: String,
    question: String,
    options: Vec<SceneOption>,
    /// The option that was chosen, while the game is looked at as it was earlier.
    chosen: Option<usize>,
    refused: Vec<ViewedRefusal>,
}

#[derive(Serialize)]
struct ViewedRefusal {
    key: String,
    words: String,
    reasons: Vec<String>,
    /// The pieces of the card that the key names.
    pieces: Vec<usize>,
}

#[derive(Serialize)]
struct FinalSeat {
    seat: String,
    place: usize,
    points: i64,
    rows: Vec<(String, i64)>,
}

/// What a machine player would answer.
#[derive(Serialize)]
struct Hint {
    option: usize,
    words: String,
    /// How much better it is than the next, in words; empty if that player does not say.
    why: String,
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
        let seats = start.seats;
        let start = Start {
            game: start.game,
            players: start.players,
            seed: start.seed,
            options: start.options,
            deal: Vec::new(),
            with: start.with,
            packs: start.packs.into_iter().map(PathBuf::from).collect(),
            from: None,
        };
        let workspace = Workspace::of_root(Some(Path::new(".")));
        workspace.expect_game(&start.game).map_err(printed)?;
        let prepared = prepare(&workspace, start, requested).map_err(printed)?;
        let seat_players = parse_seat_players(&seats, prepared.rules.players)?;
        check_players(&prepared, &seat_players)?;
        let mut session = new_session(&prepared).map_err(printed)?;
        session.start(&[]).map_err(|failed| fault(&prepared, &failed, 0))?;
        PageTable::seat(prepared, session, seat_players)
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
        PageTable::seat(prepared, session, seat_players)
    }

    fn seat(prepared: PreparedTable, session: Session, seat_players: Vec<SeatPlayer>) -> PageResult<PageTable> {
        match SeatedSession::new(session, seat_players) {
            Ok(table) => Ok(PageTable { prepared, table, past: None }),
            Err(failed) => Err(fault(&prepared, &failed, 0)),
        }
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
            let seat_players = self.table.seat_players().to_vec();
            self.table = SeatedSession::new(past, seat_players).map_err(|failed| fault(&self.prepared, &failed, 0))?;
        }
        let count = self.table.session.answers().len() + 1;
        self.table.answer(option, &[]).map_err(|failed| fault(&self.prepared, &failed, count))
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
            StopReason::Failed(failed, _) => fault(&self.prepared, &failed, count),
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
        let seat_players = self.table.seat_players().to_vec();
        self.table = SeatedSession::new(earlier, seat_players).map_err(|failed| fault(&self.prepared, &failed, 0))?;
        Ok(())
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
                past.start(self.table.session.skipped()).map_err(|failed| fault(&self.prepared, &failed, 0))?;
                past
            }
        };
        if past.answers().len() > count {
            past.rewind(count).map_err(|failed| fault(&self.prepared, &failed, count))?;
        }
        for (number, answer) in answers.iter().enumerate().take(count).skip(past.answers().len()) {
            let option = past.option(&answer.key).unwrap_or(usize::MAX);
            past.answer(option, &answer.skipped).map_err(|failed| fault(&self.prepared, &failed, number + 1))?;
        }
        self.past = Some(past);
        Ok(())
    }

    /// The session that is shown.
    fn shown(&mut self) -> &mut Session {
        self.past.as_mut().unwrap_or(&mut self.table.session)
    }

    /// What an option of the open question would change, line by line.
    pub fn changes(&mut self, option: usize) -> Vec<String> {
        let PageTable { prepared, table, past } = self;
        let (rules, game, host) = past.as_mut().unwrap_or(&mut table.session).rules_game_and_scripts();
        option_changes(rules, game, host, option, &prepared.words)
    }

    /// Why the asked seat cannot take an option with this key.
    pub fn why_not(&mut self, key: &str) -> Vec<String> {
        let rules = Arc::clone(&self.prepared.rules);
        why_not(&rules, self.shown().game(), key)
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
        let worth = |at: usize| advice.values.get(at).copied().flatten();
        let others = (0..options.len()).filter(|at| *at != advice.choice).filter_map(|at| Some((at, worth(at)?)));
        let why = match (worth(advice.choice), others.max_by(|one, other| one.1.total_cmp(&other.1))) {
            (Some(best), Some((next, value))) => {
                format!(
                    "{player} thinks {:.2} better of it than of {}",
                    best - value,
                    prepared.words.describe_option(rules, &options[next])
                )
            }
            _ => String::new(),
        };
        let hint = Hint { option: advice.choice, words: prepared.words.describe_option(rules, option), why };
        serde_json::to_string(&hint).map_err(|wrong| wrong.to_string())
    }

    /// The seat from which the game is seen if none is chosen: the person who is asked, or the first person, or whoever is asked.
    fn viewer(&self) -> usize {
        let asked = self.table.session.decision().map(|open| open.seat);
        self.table.asked_human_seat().or_else(|| self.table.human_seats().first().copied()).or(asked).unwrap_or(0)
    }

    /// How far the game is, and who is to do something, as JSON.
    pub fn state(&mut self) -> String {
        let players: Vec<String> = self.table.seat_players().iter().map(SeatPlayer::to_string).collect();
        let (secrets, answers) = (self.prepared.rules.has_secrets(), self.table.session.answers().len());
        let back_to = self.ahead_of_last_person();
        let shown = self.shown();
        let (answered, over) = (shown.answers().len(), shown.game().finished());
        let asked = shown.decision().map(|open| open.seat);
        let asked = asked.map(|seat| AskedState { seat, player: players.get(seat).cloned().unwrap_or_default() });
        let seats = players.into_iter().enumerate().map(|(seat, player)| SeatState { name: seat_name(seat), player }).collect();
        serde_json::to_string(&TableState { over, answered, answers, back_to, seats, secrets, asked }).unwrap_or_default()
    }

    /// The game as a seat sees it, as JSON; without a seat as whoever is asked sees it.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn view(&mut self, seat: Option<usize>) -> PageResult<String> {
        let viewer = seat.unwrap_or_else(|| self.viewer());
        if viewer >= self.prepared.rules.players {
            return Err(format!("there is no seat p{}", viewer + 1));
        }
        let answers = self.table.session.answers().len();
        let back_to = self.ahead_of_last_person();
        let is_past = self.past.is_some();
        let PageTable { prepared, table, past } = self;
        let persons = table.human_seats();
        let players: Vec<String> = table.seat_players().iter().map(SeatPlayer::to_string).collect();
        let given = past.as_ref().and_then(|past| table.session.answers().get(past.answers().len())).map(|answer| answer.key.clone());
        let session = past.as_mut().unwrap_or(&mut table.session);
        let answered = session.answers().len();
        let chosen = given.and_then(|key| session.option(&key));
        let unused = match prepared.start.from {
            // For a position, the initial contents of decks are unknown.
            Some(_) => BTreeSet::new(),
            None => {
                let (rules, [before, now]) = (&prepared.rules, [session.initial_game(), session.game()]);
                let [before, now] = [before, now].map(|game| game.view_of(rules, viewer));
                find_unused(rules, &describe_view(rules, &before), &describe_view(rules, &now))
            }
        };
        let (rules, game, host) = session.rules_game_and_scripts();
        let (rules, words) = (Arc::clone(rules), &prepared.words);
        let over = game.finished();
        let asked = game.decision().map(|open| open.seat);
        let asked = asked.map(|seat| {
            // The options of another seat may name its hidden cards.
            let may_see = seat == viewer && (is_past || persons.contains(&seat) || persons.is_empty());
            let gains = if may_see { gains_of(&rules, game, host, words) } else { Vec::new() };
            let open = game.decision();
            let options = open.iter().filter(|_| may_see).flat_map(|open| &open.options).enumerate();
            let note = |at: usize| gains.get(at).map_or("", String::as_str);
            let options: Vec<SceneOption> = options.map(|(at, option)| scene_option(&rules, words, option, note(at))).collect();
            let question = open.map(|open| words.describe_question(&rules, open.question)).unwrap_or_default();
            let refused = if may_see && !is_past { refusals(&rules, game, words) } else { Vec::new() };
            let chosen = chosen.filter(|_| may_see);
            Asked { seat, player: players.get(seat).cloned().unwrap_or_default(), question, options, chosen, refused }
        });
        let areas = scene((&rules, &prepared.text), game, viewer, words, &unused);
        let points = visible_points(&rules, game, viewer);
        let end = over.then(|| final_seats(&rules, game, words));
        let place_of = |seat: &str| end.as_ref().and_then(|end| end.iter().find(|one| one.seat == seat)).map(|one| one.place);
        let seats = players.iter().enumerate().map(|(seat, player)| {
            let name = seat_name(seat);
            ViewedSeat { place: place_of(&name), player: player.clone(), points: points.get(seat).copied().flatten(), name }
        });
        let view = TableView {
            game: &prepared.start.game,
            title: words.translations().title(title(&prepared.text)).to_string(),
            seed: prepared.start.seed,
            round: game.round(),
            over,
            answered,
            answers,
            back_to,
            seats: seats.collect(),
            asked,
            viewer,
            secrets: rules.has_secrets(),
            areas,
            log: game.log_for(viewer, 0).map(|line| words.log_line(&rules, line)).collect(),
            outcome: if over { words.describe_winners(&rules, &game.store(&rules).winners()) } else { String::new() },
            end,
        };
        serde_json::to_string(&view).map_err(|wrong| wrong.to_string())
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

fn fault(prepared: &PreparedTable, failed: &AnswerFailure, answer: usize) -> String {
    render(&prepared.sources, &[fault_diagnostic(&failed.fault, prepared.start.seed, answer)], false)
}

/// The points of each seat as if the game ended now; `None` where the viewer cannot know them.
fn visible_points(rules: &Ruleset, game: &Game, viewer: usize) -> Vec<Option<i64>> {
    describe_view(rules, &game.view_of(rules, viewer)).seats.iter().map(|seat| seat.points).collect()
}

fn refusals(rules: &Ruleset, game: &Game, words: &DisplayNames) -> Vec<ViewedRefusal> {
    let refused = list_refused(rules, game).into_iter();
    refused
        .map(|refused| {
            let named = refused.key.split_whitespace().last().unwrap_or("");
            let pieces = (0..rules.piece_definition.len()).filter(|&piece| rules.names.text(rules.definition(piece).id) == named).collect();
            let reasons = refused.reasons.iter().map(|reason| words.replace_card_ids(reason)).collect();
            ViewedRefusal { words: words.replace_card_ids(&refused.key), key: refused.key, reasons, pieces }
        })
        .collect()
}

fn final_seats(rules: &Ruleset, game: &mut Game, words: &DisplayNames) -> Vec<FinalSeat> {
    let mut seats = Vec::new();
    for (at, seat) in game.store(rules).standing().into_iter().enumerate() {
        let rows = game.store(rules).score_rows(seat);
        let rows = rules.score.iter().zip(rows).map(|((name, _), row)| (words.word_name(name), row)).collect();
        seats.push(FinalSeat { seat: seat_name(seat), place: at + 1, points: game.store(rules).score(seat), rows });
    }
    seats
}
