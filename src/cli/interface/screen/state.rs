//! State of the full-screen interface, without drawing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::agent::seat_name;
use crate::diagnostic::render::render;
use crate::table::{AnswerFailure, Replay, SceneOption, Section, SkippedScript, StopReason};

use super::super::ui::GameUi;

/// A pane that can be scrolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The options of the question.
    Options,
    /// The state of the table and of the seats.
    Sheet,
    /// The preview of what the marked option would change.
    Detail,
    /// The log of what has happened in the game.
    Log,
}

/// A window over the panes, which is open until a key closes it.
pub struct Popup {
    /// Title of the window.
    pub title: String,
    /// Lines of text.
    pub lines: Vec<String>,
    /// Parts of the table, which are laid out for the width of the window, below the lines.
    pub whole_table: Vec<Section>,
    /// Index of the first visible line.
    pub first_line: usize,
}

/// What the user is typing into the message line.
pub enum Prompt {
    /// The path of a file to which the game is saved; the flag says whether to leave the game afterwards.
    Save(bool),
    /// The path of a file to which the position is written as a scenario.
    Scenario,
    /// The name of a card to be shown.
    Card,
    /// The option or value to be explained.
    Why,
    /// Yes or no: whether to save the game before leaving it.
    Leave,
    /// Yes or no: whether to repeat this option without the script that failed after it. The list contains scripts skipped before.
    Without(usize, Box<AnswerFailure>, Vec<SkippedScript>),
}

/// The replay that is being viewed.
pub struct ReplayView {
    pub replay: Replay,
    /// Number of answers up to the shown position.
    pub shown_answers: usize,
}

/// State of the full-screen interface.
pub struct ScreenState<'d> {
    pub ui: &'d mut GameUi,
    pub focus: Pane,
    /// Index of the marked option among those shown.
    pub marked: usize,
    /// Filter text for the options.
    pub filter: String,
    /// Scroll position of each pane: number of the first visible line; for the log, the number of lines hidden below the visible ones.
    pub scroll_positions: [usize; 4],
    pub popup: Option<Popup>,
    /// The current input prompt with the text typed so far.
    pub prompt: Option<(Prompt, String)>,
    pub message: String,
    /// The seat whose player must first press a key, so that no other player sees its secrets.
    pub waiting_for_seat: Option<usize>,
    /// The seat that has just answered while another one is next: until a key is pressed the answer can be taken back.
    pub just_answered: Option<usize>,
    /// The seat of the human player who was asked last.
    last: Option<usize>,
    /// Preview of the marked option, preceded by the number of answers and the index of the option for which it was computed.
    changes: Option<(usize, usize, Vec<String>)>,
    pub view: Option<ReplayView>,
    /// Whether the end of the game was reported.
    end_reported: bool,
    /// Whether the player has left.
    pub has_left: bool,
    /// Error message that is printed after the screen is closed.
    pub save_error: Option<String>,
    /// Message about the save that was written on leaving.
    pub saved: Option<String>,
    /// Number of visible lines of each pane when it was last drawn.
    pub page: [usize; 4],
    /// Whether colours are used.
    pub colours: bool,
}

impl<'d> ScreenState<'d> {
    pub fn new(ui: &'d mut GameUi) -> ScreenState<'d> {
        let mut state = ScreenState {
            ui,
            focus: Pane::Options,
            marked: 0,
            filter: String::new(),
            scroll_positions: [0; 4],
            popup: None,
            prompt: None,
            message: String::new(),
            waiting_for_seat: None,
            just_answered: None,
            last: None,
            changes: None,
            view: None,
            end_reported: false,
            has_left: false,
            save_error: None,
            saved: None,
            page: [1; 4],
            colours: false,
        };
        state.begin_question();
        state
    }

    /// Shows a replay whose session is at the position after `at` answers.
    pub fn view(&mut self, replay: &Replay, at: usize) {
        self.view = Some(ReplayView { replay: replay.clone(), shown_answers: at });
        self.popup = None;
        self.message.clear();
        self.begin_question();
    }

    /// Whether the event loop waits for a key.
    pub fn waits_for_key(&self) -> bool {
        self.view.is_some()
            || self.just_answered.is_some()
            || self.prompt.is_some()
            || self.popup.is_some()
            || self.waiting_for_seat.is_some()
            || !self.ui.table.is_agent_asked()
    }

    /// Returns the seat from whose view the game is shown.
    pub fn viewer(&self) -> usize {
        self.just_answered.unwrap_or_else(|| self.ui.table.viewer())
    }

    /// Returns the options that match the filter, each with its index among all options.
    pub fn matching_options(&self) -> Vec<(usize, SceneOption)> {
        let here = self.view.is_some() || self.ui.table.asked_human_seat().is_some() && self.just_answered.is_none();
        let all = if here { self.ui.choices() } else { Vec::new() };
        let wanted = self.filter.to_lowercase();
        let fits = |number: usize, choice: &SceneOption| {
            wanted.is_empty()
                || (number + 1).to_string() == wanted
                || choice.label().to_lowercase().contains(&wanted)
                || choice.key.contains(&wanted)
        };
        all.into_iter().enumerate().filter(|(number, choice)| fits(*number, choice)).collect()
    }

    /// Returns the marked option with its index among all options.
    pub fn marked_option(&self) -> Option<(usize, SceneOption)> {
        self.matching_options().into_iter().nth(self.marked)
    }

    /// Returns the index of the marked option.
    pub fn option(&self) -> Option<usize> {
        self.marked_option().map(|(option, _)| option)
    }

    /// Returns for each card the numbers of the options that are about it first, from 1, as far as they are shown.
    pub fn offers(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut offers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, choice) in self.matching_options() {
            if let Some(piece) = choice.first_piece {
                offers.entry(piece).or_default().push(number + 1);
            }
        }
        offers
    }

    /// Returns a preview of what the marked option would change.
    pub fn preview_of_marked(&mut self) -> Vec<String> {
        if self.waiting_for_seat.is_some() {
            return Vec::new();
        }
        let Some(option) = self.option() else { return Vec::new() };
        let count = self.ui.table.session.answers().len();
        if self.changes.as_ref().is_none_or(|(at, of, _)| (*at, *of) != (count, option)) {
            self.changes = Some((count, option, self.ui.preview(option)));
        }
        self.changes.iter().flat_map(|(.., lines)| lines.clone()).collect()
    }

    /// Resets the state for the next question. In a replay the recorded answer is marked.
    fn begin_question(&mut self) {
        self.marked = self.recorded_option().unwrap_or(0);
        self.filter.clear();
        for pane in [Pane::Options, Pane::Detail, Pane::Log] {
            self.scroll_positions[pane as usize] = 0;
        }
        self.changes = None;
        self.ui.begin_question();
        if self.view.is_some() {
            return;
        }
        if let Some(seat) = self.ui.table.asked_human_seat() {
            let another = self.last.replace(seat).is_some_and(|last| last != seat);
            self.waiting_for_seat = (another && self.ui.has_secrets()).then_some(seat);
        }
        if self.ui.table.session.decision().is_none() && !self.end_reported {
            self.end_reported = true;
            self.ui.table.end_game();
            let lines = self.ui.outcome();
            let title = self.ui.question();
            self.pop_up(&title, lines);
        }
    }

    // ------------------------------------------------------------------ actions

    /// Gives the marked option as the answer, or goes on if no question is open.
    pub fn take(&mut self) {
        if self.just_answered.take().is_some() {
            self.message.clear();
            return self.begin_question();
        }
        let Some((seat, option)) = self.ui.table.asked_human_seat().zip(self.option()) else {
            self.message = if self.ui.table.session.decision().is_none() {
                "the game is over; F10 leaves".to_string()
            } else {
                "no option is shown; Esc shows all".to_string()
            };
            return;
        };
        self.message.clear();
        match self.ui.table.answer(option, &[]) {
            Ok(()) => self.answered(seat),
            Err(failed) => self.failed(option, failed, Vec::new()),
        }
    }

    /// Updates the state after an answer of a human player.
    fn answered(&mut self, seat: usize) {
        self.save_after_answer();
        let same = self.ui.table.asked_human_seat() == Some(seat);
        if !same && self.ui.table.session.check_undo(seat).is_ok() {
            let last = self.ui.table.session.answers().last();
            let key = last.map(|step| self.ui.prepared.words.replace_card_ids(&step.key)).unwrap_or_default();
            self.just_answered = Some(seat);
            self.message = format!("{} has answered: {key}. Enter goes on, F8 takes it back", seat_name(seat));
            self.marked = 0;
            self.filter.clear();
            self.changes = None;
            return;
        }
        self.begin_question();
    }

    fn failed(&mut self, option: usize, failed: AnswerFailure, left: Vec<SkippedScript>) {
        let text = self.ui.fault(&failed);
        self.pop_up("a fault; the answer is taken back", text.lines().map(str::to_string).collect());
        match &failed.script {
            Some(_) => self.ask(Prompt::Without(option, Box::new(failed), left)),
            None => self.message = "the rules cannot go on with this answer".to_string(),
        }
    }

    /// Lets the next agent answer.
    pub fn let_agent_answer(&mut self) {
        match self.ui.table.let_agent_answer() {
            Ok(()) => {
                self.save_after_answer();
                if !self.ui.table.is_agent_asked() {
                    self.begin_question();
                }
            }
            Err(StopReason::Failed(failed, Some(option))) if failed.script.is_some() => self.failed(option, failed, Vec::new()),
            Err(StopReason::Failed(failed, _)) => self.end_with_error(self.ui.fault(&failed)),
            Err(StopReason::Player(fault)) => self.end_with_error(format!("error: {fault}\n")),
        }
    }

    /// Saves the game, if saves are enabled, and reports what goes wrong.
    fn save_after_answer(&mut self) {
        if let Some(trouble) = self.ui.save_after_answer() {
            self.message = trouble;
        }
    }

    /// Ends the game after an error that cannot be resolved.
    fn end_with_error(&mut self, why: String) {
        self.save_error = Some(why);
        self.has_left = true;
    }

    /// Repeats the answer without the failed script if `on` is set; otherwise takes the answer back.
    fn continue_without(&mut self, option: usize, mut failed: AnswerFailure, mut left: Vec<SkippedScript>, on: bool) {
        self.popup = None;
        let Some(script) = failed.script.take().filter(|_| on) else {
            if self.ui.table.is_agent_asked() {
                self.end_with_error(self.ui.fault(&failed));
            }
            self.message = "the answer is taken back".to_string();
            return;
        };
        left.push(script);
        let person = self.ui.table.asked_human_seat();
        match (self.ui.table.answer_skipping(option, &left), person) {
            (Ok(()), Some(seat)) => self.answered(seat),
            (Ok(()), None) => {
                self.save_after_answer();
                self.begin_question();
            }
            (Err(failed), _) => self.failed(option, failed, left),
        }
    }

    /// Takes back the last answer.
    pub fn undo(&mut self) {
        let Some(seat) = self.just_answered.or(self.ui.table.asked_human_seat()) else {
            self.message = "nothing of yours can be taken back now".to_string();
            return;
        };
        match self.ui.table.undo(seat) {
            Ok(key) => {
                self.save_after_answer();
                self.just_answered = None;
                self.last = Some(seat);
                self.begin_question();
                self.message = format!("taken back: {}", self.ui.prepared.words.replace_card_ids(&key));
            }
            Err(why) => self.message = format!("it cannot be taken back: {why}"),
        }
    }

    /// Opens a popup window.
    pub fn pop_up(&mut self, title: &str, lines: Vec<String>) {
        self.popup = Some(Popup { title: title.to_string(), lines, whole_table: Vec::new(), first_line: 0 });
    }

    /// Opens an input prompt.
    pub fn ask(&mut self, prompt: Prompt) {
        self.prompt = Some((prompt, String::new()));
    }

    /// Shows the whole game from the viewer's seat in a popup window.
    pub fn show_everything(&mut self) {
        let whole_table = self.ui.sheet(self.viewer());
        let title = "all that lies on the table".to_string();
        self.popup = Some(Popup { title, lines: Vec::new(), whole_table, first_line: 0 });
    }

    /// Shows the card that the marked option concerns, or asks for the name of a card.
    pub fn show_marked_card(&mut self) {
        match self.marked_option().and_then(|(_, choice)| choice.card) {
            Some(card) => self.show("card", self.ui.describe_card(&card)),
            None => self.ask(Prompt::Card),
        }
    }

    /// Shows what has been found in a popup window, or else says why it has not.
    fn show(&mut self, title: &str, found: Result<Vec<String>, String>) {
        match found {
            Ok(lines) => self.pop_up(title, lines),
            Err(wrong) => self.message = wrong,
        }
    }

    /// Shows in a popup window which actions are refused, and why.
    pub fn show_refused(&mut self) {
        self.pop_up("not possible now, and what says so", self.ui.refused());
    }

    pub fn hint(&mut self) {
        let found = if self.matching_options().is_empty() { Err("nothing is asked now".to_string()) } else { self.ui.hint() };
        self.show("what a machine player would do, and what it thinks of the rest", found);
    }

    pub fn save(&mut self) {
        match self.ui.save_to_option_path() {
            Ok(Some(line)) => self.message = line,
            Ok(None) => self.ask(Prompt::Save(false)),
            Err(wrong) => self.message = wrong,
        }
    }

    /// Leaves the game; asks before unsaved progress would be lost.
    pub fn leave(&mut self) {
        if self.view.is_none() && !self.ui.is_over() && self.ui.is_unsaved() {
            self.popup = None;
            self.ask(Prompt::Leave);
        } else {
            self.has_left = true;
        }
    }

    /// Handles the text of a prompt, of which an empty one selects the default; or the letter `y` or `n`.
    pub fn answer_prompt(&mut self, prompt: Prompt, typed: &str) {
        let typed = typed.trim();
        let file = |offered: PathBuf| if typed.is_empty() { offered } else { PathBuf::from(typed) };
        match prompt {
            Prompt::Without(option, failed, left) => self.continue_without(option, *failed, left, typed == "y"),
            Prompt::Leave if typed == "y" => self.ask(Prompt::Save(true)),
            Prompt::Leave => {
                self.ui.discard();
                self.has_left = true;
            }
            Prompt::Why => {
                let marked = || self.option().map(|option| (option + 1).to_string());
                let asked = Some(typed.to_string()).filter(|typed| !typed.is_empty()).or_else(marked);
                let asked = asked.ok_or_else(|| "no option is marked; type the key of one".to_string());
                let found = asked.map(|asked| self.ui.explain(&asked, "Ctrl-Y --deep"));
                self.show("why", found);
            }
            Prompt::Save(leave) => match self.ui.write_save(&file(self.ui.default_save_path())) {
                Ok(said) if leave => {
                    self.ui.discard();
                    self.saved = Some(said);
                    self.has_left = true;
                }
                Ok(said) | Err(said) => self.message = said,
            },
            Prompt::Scenario => {
                let path = file(self.ui.default_scenario_path());
                self.message = self.ui.write_scenario(&path).unwrap_or_else(|wrong| wrong);
            }
            Prompt::Card if typed.is_empty() => self.message = "no card was named".to_string(),
            Prompt::Card => self.show("card", self.ui.describe_card(typed)),
        }
    }

    /// Goes this number of answers forwards or backwards in a replay.
    pub fn go_by(&mut self, answers: isize) {
        let Some(mut view) = self.view.take() else { return };
        let wanted = view.shown_answers.saturating_add_signed(answers).min(view.replay.answers.len());
        if wanted < view.shown_answers {
            match self.ui.table.session.rewind(wanted) {
                Ok(()) => view.shown_answers = wanted,
                Err(failed) => self.message = failed.fault.to_string(),
            }
        }
        while view.shown_answers < wanted {
            let answer = view.replay.answers[view.shown_answers].clone();
            if let Err(found) = view.replay.replay_answer(view.shown_answers, &answer, &mut self.ui.table.session) {
                let text = render(&self.ui.prepared.sources, &[*found], false);
                self.pop_up("here the game goes another way", text.lines().map(str::to_string).collect());
                break;
            }
            view.shown_answers += 1;
        }
        self.view = Some(view);
        self.begin_question();
    }

    /// Returns the option that was chosen in the replay at the position shown; `None` in a game that is being played.
    pub fn recorded_option(&self) -> Option<usize> {
        let view = self.view.as_ref()?;
        let key = &view.replay.answers.get(view.shown_answers)?.key;
        self.ui.table.session.game().find_option(&self.ui.prepared.rules, key)
    }
}
