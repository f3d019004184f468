//! What the screen shows and what is being typed. Nothing here draws.

use std::path::PathBuf;

use crate::agent::seat_name;
use crate::diagnostic::{Diagnostic, render::render};
use crate::table::{Failed, Left, Replay, Stopped, section_lines};

use super::super::desk::Choice;
use super::super::{Desk, path_of};

/// What can be scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The options.
    Options,
    /// The table and the players.
    Sheet,
    /// What an option would change.
    Detail,
    /// What has happened.
    Log,
}

/// Something that lies over everything until it is closed.
pub struct Popup {
    /// What it is.
    pub title: String,
    /// Its lines.
    pub lines: Vec<String>,
    /// The first line that is seen.
    pub from: usize,
}

/// What is asked in the line of messages.
pub enum Prompt {
    /// A file for the save, and whether the game is left then.
    Save(bool),
    /// A file for the position.
    Scenario,
    /// A card.
    Card,
    /// Something that is not possible.
    Why,
    /// Whether to save the game before it is left.
    Leave,
    /// Whether to go on without a script that failed after this option, and after those that were left out before it.
    Without(usize, Box<Failed>, Vec<Left>),
}

/// A game that is looked at.
pub struct View {
    replay: Replay,
    /// How many answers have been given.
    pub at: usize,
}

/// The screen.
pub struct State<'d> {
    pub desk: &'d mut Desk,
    pub focus: Pane,
    /// The option that is marked, among those that are shown.
    pub marked: usize,
    /// What was typed to look for options.
    pub filter: String,
    /// How far each pane is scrolled; of the log, from its end.
    pub from: [usize; 4],
    pub popup: Option<Popup>,
    /// What is asked, and what has been typed.
    pub prompt: Option<(Prompt, String)>,
    pub message: String,
    /// The seat that is to sit down before anything is shown.
    pub covered: Option<usize>,
    /// A person has answered, and somebody else comes next: until a key is pressed it can be taken back.
    pub between: Option<usize>,
    /// The person who was asked last.
    last: Option<usize>,
    /// What the marked option would change, for which answer and option.
    changes: Option<(usize, usize, Vec<String>)>,
    pub view: Option<View>,
    /// The end has been told.
    told_end: bool,
    /// Somebody has left.
    pub left: bool,
    /// What is to be said when the screen has gone.
    pub trouble: Option<String>,
    /// Where the game was saved when it was left.
    pub saved: Option<String>,
    /// How many lines a page of each pane has, as it was drawn last.
    pub page: [usize; 4],
}

impl<'d> State<'d> {
    pub fn new(desk: &'d mut Desk) -> State<'d> {
        let mut state = State {
            desk,
            focus: Pane::Options,
            marked: 0,
            filter: String::new(),
            from: [0; 4],
            popup: None,
            prompt: None,
            message: String::new(),
            covered: None,
            between: None,
            last: None,
            changes: None,
            view: None,
            told_end: false,
            left: false,
            trouble: None,
            saved: None,
            page: [1; 4],
        };
        state.next();
        state
    }

    /// Looks at a replay, whose session stands after so many answers.
    pub fn view(&mut self, replay: &Replay, at: usize) {
        self.view = Some(View { replay: replay.clone(), at });
        self.popup = None;
        self.message.clear();
        self.next();
    }

    /// Whether nothing happens until a key is pressed.
    pub fn waits_for_key(&self) -> bool {
        self.view.is_some()
            || self.between.is_some()
            || self.prompt.is_some()
            || self.popup.is_some()
            || self.covered.is_some()
            || !self.desk.table.waits_for_machine()
    }

    /// Whose eyes look.
    pub fn eyes(&self) -> usize {
        self.between.unwrap_or_else(|| self.desk.eyes())
    }

    /// The options that are shown, with their numbers from 0.
    pub fn shown(&self) -> Vec<(usize, Choice)> {
        let here = self.view.is_some() || self.desk.table.asked().is_some() && self.between.is_none();
        let all = if here { self.desk.choices() } else { Vec::new() };
        let wanted = self.filter.to_lowercase();
        let fits = |number: usize, choice: &Choice| {
            wanted.is_empty()
                || (number + 1).to_string() == wanted
                || choice.label.to_lowercase().contains(&wanted)
                || choice.key.contains(&wanted)
        };
        all.into_iter().enumerate().filter(|(number, choice)| fits(*number, choice)).collect()
    }

    /// The option that is marked.
    pub fn option(&self) -> Option<usize> {
        self.shown().get(self.marked).map(|(option, _)| *option)
    }

    /// What the marked option would change.
    pub fn changes(&mut self) -> Vec<String> {
        if self.covered.is_some() {
            return Vec::new();
        }
        let Some(option) = self.option() else { return Vec::new() };
        let count = self.desk.table.session.steps().len();
        match &self.changes {
            Some((at, of, lines)) if (*at, *of) == (count, option) => lines.clone(),
            _ => {
                let lines = self.desk.changes(option);
                self.changes = Some((count, option, lines.clone()));
                lines
            }
        }
    }

    /// Somebody else is asked, or the same again: what belonged to the question before is gone. Of a game that is looked at, the option that
    /// was taken is marked.
    fn next(&mut self) {
        self.marked = self.taken().unwrap_or(0);
        self.filter.clear();
        self.from[Pane::Options as usize] = 0;
        self.from[Pane::Detail as usize] = 0;
        self.from[Pane::Log as usize] = 0;
        self.changes = None;
        self.desk.begin_question();
        if self.view.is_some() {
            return;
        }
        if let Some(seat) = self.desk.table.asked() {
            let another = self.last.replace(seat).is_some_and(|last| last != seat);
            self.covered = (another && self.desk.has_secrets()).then_some(seat);
        }
        if self.desk.table.session.decision().is_none() && !self.told_end {
            self.told_end = true;
            self.desk.table.end();
            let lines = self.desk.outcome();
            self.popup = Some(Popup { title: "the game is over".to_string(), lines, from: 0 });
        }
    }

    // ------------------------------------------------------------------ what keys do

    /// Takes the marked option, or goes on where nothing is asked.
    pub fn take(&mut self) {
        if self.between.take().is_some() {
            self.message.clear();
            return self.next();
        }
        let Some((seat, option)) = self.desk.table.asked().zip(self.option()) else {
            self.message = if self.desk.table.session.decision().is_none() {
                "the game is over; F10 leaves".to_string()
            } else {
                "no option is shown; Esc shows all".to_string()
            };
            return;
        };
        self.message.clear();
        match self.desk.answer(option, &[]) {
            Ok(()) => self.answered(seat),
            Err(failed) => self.failed(option, failed, Vec::new()),
        }
    }

    /// A person has answered.
    fn answered(&mut self, seat: usize) {
        self.tell_trouble();
        let same = self.desk.table.asked() == Some(seat);
        if !same && self.desk.table.session.may_undo(seat).is_ok() {
            let key = self.desk.table.session.steps().last().map(|step| self.desk.laid.words.line(&step.key)).unwrap_or_default();
            self.between = Some(seat);
            self.message = format!("{} has answered: {key}. Enter goes on, F8 takes it back", seat_name(seat));
            self.marked = 0;
            self.filter.clear();
            self.changes = None;
            return;
        }
        self.next();
    }

    fn failed(&mut self, option: usize, failed: Failed, left: Vec<Left>) {
        let text = self.desk.fault(&failed);
        let lines: Vec<String> = text.lines().map(str::to_string).collect();
        self.popup = Some(Popup { title: "a fault; the answer is taken back".to_string(), lines, from: 0 });
        match &failed.script {
            Some(_) => self.prompt = Some((Prompt::Without(option, Box::new(failed), left), String::new())),
            None => self.message = "the rules cannot go on with this answer".to_string(),
        }
    }

    /// The next machine player answers.
    pub fn machine_answers(&mut self) {
        match self.desk.machine_answers() {
            Ok(()) => {
                self.tell_trouble();
                if !self.desk.table.waits_for_machine() {
                    self.next();
                }
            }
            Err(Stopped::Failed(failed, Some(option))) if failed.script.is_some() => self.failed(option, failed, Vec::new()),
            Err(Stopped::Failed(failed, _)) => self.broken(self.desk.fault(&failed)),
            Err(Stopped::Player(fault)) => self.broken(format!("error: {fault}\n")),
        }
    }

    /// Says that the game can no longer be written down, if it is so.
    fn tell_trouble(&mut self) {
        if let Some(trouble) = self.desk.take_trouble() {
            self.message = trouble;
        }
    }

    /// Nobody can go on.
    fn broken(&mut self, why: String) {
        self.trouble = Some(why);
        self.left = true;
    }

    /// Goes on without the script that failed, or not.
    fn without(&mut self, option: usize, mut failed: Failed, mut left: Vec<Left>, on: bool) {
        self.popup = None;
        let Some(script) = failed.script.take().filter(|_| on) else {
            if self.desk.table.waits_for_machine() {
                let text = self.desk.fault(&failed);
                self.broken(text);
            }
            self.message = "the answer is taken back".to_string();
            return;
        };
        left.push(script);
        let person = self.desk.table.asked();
        match (self.desk.answer_without(option, &left), person) {
            (Ok(()), Some(seat)) => self.answered(seat),
            (Ok(()), None) => self.next(),
            (Err(failed), _) => self.failed(option, failed, left),
        }
    }

    /// Takes back the last answer.
    pub fn undo(&mut self) {
        let Some(seat) = self.between.or(self.desk.table.asked()) else {
            self.message = "nothing of yours can be taken back now".to_string();
            return;
        };
        match self.desk.undo(seat) {
            Ok(key) => {
                self.between = None;
                self.last = Some(seat);
                self.next();
                self.message = format!("taken back: {}", self.desk.laid.words.line(&key));
            }
            Err(why) => self.message = format!("it cannot be taken back: {why}"),
        }
    }

    /// Shows lines over everything.
    pub fn pop_up(&mut self, title: &str, lines: Vec<String>) {
        self.popup = Some(Popup { title: title.to_string(), lines, from: 0 });
    }

    /// All that is seen, over the whole screen.
    pub fn everything(&mut self) {
        let sheet = self.desk.sheet(self.eyes());
        let lines = sheet.iter().flat_map(|section| section_lines(section, usize::MAX, false));
        let lines = lines.map(|line| line.text).collect();
        self.pop_up("all that lies on the table", lines);
    }

    /// The card of the marked option, in lines.
    pub fn marked_card(&self) -> Vec<String> {
        let marked = self.shown().into_iter().nth(self.marked).and_then(|(_, choice)| choice.card);
        marked.and_then(|card| self.desk.card(&card).ok()).unwrap_or_default()
    }

    /// The card of the marked option, or asks for one.
    pub fn card(&mut self) {
        let marked = self.shown().into_iter().nth(self.marked).and_then(|(_, choice)| choice.card);
        match marked {
            Some(card) => self.show_card(&card),
            None => self.prompt = Some((Prompt::Card, String::new())),
        }
    }

    fn show_card(&mut self, card: &str) {
        match self.desk.card(card) {
            Ok(lines) => self.pop_up("card", lines),
            Err(wrong) => self.message = wrong,
        }
    }

    /// What is refused, with the reasons.
    pub fn why(&mut self) {
        let mut lines = self.desk.refused();
        if lines.is_empty() {
            lines.push("nothing is refused that actions of this turn could be about".to_string());
        }
        self.pop_up("not possible now, and what says so", lines);
    }

    pub fn hint(&mut self) {
        if self.shown().is_empty() {
            self.message = "nothing is asked now".to_string();
            return;
        }
        match self.desk.hint() {
            Ok(lines) => self.pop_up("what a machine player would do, and what it thinks of the rest", lines),
            Err(wrong) => self.message = wrong,
        }
    }

    pub fn save(&mut self) {
        match self.desk.keep() {
            Ok(Some(line)) => self.message = line,
            Ok(None) => self.prompt = Some((Prompt::Save(false), String::new())),
            Err(wrong) => self.message = wrong,
        }
    }

    /// Leaves; of a game that would be lost it is asked first whether it is to be saved.
    pub fn leave(&mut self) {
        if self.view.is_none() && !self.desk.is_over() && self.desk.is_unsaved() {
            self.popup = None;
            self.prompt = Some((Prompt::Leave, String::new()));
        } else {
            self.left = true;
        }
    }

    /// A question that one letter answers.
    pub fn answer_letter(&mut self, prompt: Prompt, yes: bool) {
        self.message.clear();
        match prompt {
            Prompt::Without(option, failed, left) => self.without(option, *failed, left, yes),
            Prompt::Leave if yes => self.prompt = Some((Prompt::Save(true), String::new())),
            Prompt::Leave => {
                self.desk.give_up();
                self.left = true;
            }
            Prompt::Save(_) | Prompt::Scenario | Prompt::Card | Prompt::Why => {}
        }
    }

    /// What was typed is meant; without a word, what was offered.
    pub fn answer_prompt(&mut self, prompt: Prompt, typed: &str) {
        let typed = typed.trim();
        let file = |offered: PathBuf| if typed.is_empty() { offered } else { path_of(typed) };
        match prompt {
            prompt @ (Prompt::Without(..) | Prompt::Leave) => self.prompt = Some((prompt, String::new())),
            Prompt::Why => {
                let marked = self.option().map(|option| (option + 1).to_string());
                match Some(typed.to_string()).filter(|typed| !typed.is_empty()).or(marked) {
                    Some(asked) => {
                        let lines = self.desk.why(&asked);
                        self.pop_up("why", lines);
                    }
                    None => self.message = "no option is marked; type the key of one".to_string(),
                }
            }
            Prompt::Save(leave) => match self.desk.write_save(&file(self.desk.offered())) {
                Ok(said) if leave => {
                    self.desk.give_up();
                    self.saved = Some(said);
                    self.left = true;
                }
                Ok(said) | Err(said) => self.message = said,
            },
            Prompt::Scenario => {
                let path = file(self.desk.offered_scenario());
                self.message = self.desk.write_scenario(&path).unwrap_or_else(|wrong| wrong);
            }
            Prompt::Card if typed.is_empty() => self.message = "no card was named".to_string(),
            Prompt::Card => self.show_card(typed),
        }
    }

    /// Of a game that is looked at: goes to after so many answers.
    pub fn go_to(&mut self, wanted: usize) {
        let Some(mut view) = self.view.take() else { return };
        let wanted = wanted.min(view.replay.moves.len());
        if wanted < view.at {
            match self.desk.table.session.rewind(wanted) {
                Ok(()) => view.at = wanted,
                Err(failed) => self.message = failed.fault.to_string(),
            }
        }
        while view.at < wanted {
            let answer = view.replay.moves[view.at].clone();
            if let Err(found) = view.replay.step(view.at, &answer, &mut self.desk.table.session) {
                self.diverged(&found);
                break;
            }
            view.at += 1;
        }
        self.view = Some(view);
        self.next();
    }

    fn diverged(&mut self, found: &Diagnostic) {
        let text = render(&self.desk.laid.sources, std::slice::from_ref(found), false);
        self.pop_up("here the game goes another way", text.lines().map(str::to_string).collect());
    }

    /// Of a game that is looked at: how many answers there are.
    pub fn answers(&self) -> usize {
        self.view.as_ref().map_or(0, |view| view.replay.moves.len())
    }

    /// Of a game that is looked at: the option that was taken.
    pub fn taken(&self) -> Option<usize> {
        let view = self.view.as_ref()?;
        let key = &view.replay.moves.get(view.at)?.key;
        let (game, rules) = (self.desk.table.session.game(), &self.desk.laid.rules);
        game.find_option(rules, key)
    }
}
