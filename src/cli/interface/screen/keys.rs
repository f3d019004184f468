//! Handles the keys of the full-screen interface.

use crate::cast;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::state::{Pane, Prompt, ScreenState};

/// The keys with their descriptions, as the help window shows them.
pub const KEY_HELP: [(&str, &str); 15] = [
    ("letters, digits", "show only options with these letters in them, or of this number; Backspace and Esc take letters away"),
    ("Up, Down", "mark an option; below it stands what it would change"),
    ("Enter", "takes the marked option; goes on where nothing is asked"),
    ("Tab", "goes to the next part: options, table, changes, log"),
    ("Page up, down", "scrolls the part in which one is; Home and End go to its ends"),
    ("F1", "this list; Ctrl-G"),
    ("F2", "the card of the marked option, or a card that is named; Ctrl-K always asks for a name"),
    (
        "F3",
        "what is not possible now, and which rule says so; Ctrl-Y: all that the marked option needs, or one that is named; what can be done with a card; or where a value comes from",
    ),
    ("F4", "what a machine player would do; Ctrl-T"),
    ("F5", "saves the game, in a file that you may name; Ctrl-S"),
    ("F6", "writes the position as a scenario for `houserule test`; Ctrl-O"),
    ("F7", "all that has happened; Ctrl-L"),
    ("F8", "takes your last answer back, until somebody else answers or something is revealed; Ctrl-Z"),
    ("F9", "all that lies on the table, over the whole screen; Ctrl-B"),
    ("F10", "leaves; Ctrl-Q, Ctrl-C"),
];

impl ScreenState<'_> {
    /// Handles a key press.
    pub fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let code = if control { by_control(key.code) } else { Some(key.code) };
        let Some(code) = code else {
            self.message = "this key does nothing; F1 lists those that do".to_string();
            return;
        };
        if let Some((prompt, typed)) = self.prompt.take() {
            return self.type_into_prompt(prompt, typed, code);
        }
        if self.waiting_for_seat.is_some() {
            match code {
                KeyCode::Enter => self.waiting_for_seat = None,
                KeyCode::F(10) => self.leave(),
                _ => {}
            }
            return;
        }
        if self.popup.is_some() {
            return self.handle_popup_key(code);
        }
        if let Some(by) = scrolled_by(code, self.page[self.focus as usize]) {
            return self.scroll(by);
        }
        match code {
            KeyCode::F(1) => self.pop_up("keys", KEY_HELP.iter().map(|(key, what)| format!("{key}: {what}")).collect()),
            KeyCode::F(2) => self.show_marked_card(),
            KeyCode::F(3) => self.show_refused(),
            KeyCode::F(4) => self.hint(),
            KeyCode::F(5) if self.view.is_none() => self.save(),
            KeyCode::F(6) => self.ask(Prompt::Scenario),
            KeyCode::F(7) => {
                let lines = self.ui.log(self.viewer(), 0);
                self.pop_up("what has happened", lines);
                self.scroll_popup(isize::MAX);
            }
            KeyCode::F(8) if self.view.is_none() => self.undo(),
            KeyCode::F(9) => self.show_everything(),
            KeyCode::F(10) => self.leave(),
            KeyCode::F(12) => self.ask(Prompt::Card),
            KeyCode::F(13) => self.ask(Prompt::Why),
            KeyCode::Tab => self.turn(1),
            KeyCode::BackTab => self.turn(3),
            KeyCode::Right | KeyCode::Enter if self.view.is_some() => self.go_by(1),
            KeyCode::Left if self.view.is_some() => self.go_by(-1),
            KeyCode::Enter => self.take(),
            KeyCode::Esc => {
                self.filter.clear();
                self.marked = 0;
                self.message.clear();
            }
            KeyCode::Backspace => {
                self.filter.pop();
                self.marked = 0;
            }
            KeyCode::Char(letter) if self.just_answered.is_none() => {
                self.focus = Pane::Options;
                self.filter.push(letter);
                self.marked = 0;
            }
            _ => self.message = "this key does nothing here; F1 lists those that do".to_string(),
        }
    }

    fn type_into_prompt(&mut self, prompt: Prompt, mut typed: String, code: KeyCode) {
        let one_letter = matches!(prompt, Prompt::Leave | Prompt::Without(..));
        match code {
            // Only the letters `y` and `n` answer; other keys are ignored, so that hasty typing does no harm.
            KeyCode::Char(letter @ ('y' | 'Y' | 'n' | 'N')) if one_letter => {
                self.message.clear();
                return self.answer_prompt(prompt, &letter.to_lowercase().to_string());
            }
            KeyCode::Esc if matches!(prompt, Prompt::Without(..)) => {}
            KeyCode::Esc => {
                self.message = match prompt {
                    Prompt::Save(_) => "not saved".to_string(),
                    Prompt::Leave => "the game goes on".to_string(),
                    Prompt::Scenario | Prompt::Card | Prompt::Why | Prompt::Without(..) => String::new(),
                };
                return;
            }
            _ if one_letter => self.message = "y or n, without Enter".to_string(),
            KeyCode::Enter => return self.answer_prompt(prompt, &typed),
            KeyCode::Backspace => drop(typed.pop()),
            KeyCode::Char(letter) => typed.push(letter),
            _ => {}
        }
        self.prompt = Some((prompt, typed));
    }

    fn handle_popup_key(&mut self, code: KeyCode) {
        match (scrolled_by(code, self.page[Pane::Sheet as usize]), code) {
            (Some(by), _) => self.scroll_popup(by),
            (None, KeyCode::F(10)) => self.leave(),
            (None, _) => self.popup = None,
        }
    }

    fn scroll_popup(&mut self, by: isize) {
        if let Some(popup) = &mut self.popup {
            popup.first_line = popup.first_line.saturating_add_signed(by);
        }
    }

    fn turn(&mut self, by: usize) {
        let all = [Pane::Options, Pane::Sheet, Pane::Detail, Pane::Log];
        self.focus = all[(self.focus as usize + by) % all.len()];
    }

    /// Moves the marker, or scrolls the active pane. Out-of-range positions are corrected when the screen is drawn.
    fn scroll(&mut self, by: isize) {
        let at = self.focus as usize;
        match self.focus {
            Pane::Options => {
                let most = self.matching_options().len().saturating_sub(1);
                self.marked = self.marked.saturating_add_signed(by).min(most);
                self.scroll_positions[Pane::Detail as usize] = 0;
            }
            Pane::Sheet | Pane::Detail => self.scroll_positions[at] = self.scroll_positions[at].saturating_add_signed(by),
            // The log is scrolled from its end.
            Pane::Log => self.scroll_positions[at] = self.scroll_positions[at].saturating_add_signed(by.saturating_neg()),
        }
    }
}

/// Returns by how many lines a key scrolls a pane that shows so many.
fn scrolled_by(code: KeyCode, page: usize) -> Option<isize> {
    let page = cast::fit::<isize>(page.max(1));
    match code {
        KeyCode::Up => Some(-1),
        KeyCode::Down => Some(1),
        KeyCode::PageUp => Some(-page),
        KeyCode::PageDown => Some(page),
        KeyCode::Home => Some(isize::MIN / 2),
        KeyCode::End => Some(isize::MAX / 2),
        _ => None,
    }
}

/// Converts a letter pressed with Ctrl to the function key it stands for, since some terminals intercept function keys.
fn by_control(code: KeyCode) -> Option<KeyCode> {
    let KeyCode::Char(letter) = code else { return Some(code) };
    Some(match letter.to_ascii_lowercase() {
        'g' => KeyCode::F(1),
        // Some terminals send this for backspace.
        'h' => KeyCode::Backspace,
        'k' => KeyCode::F(12),
        'y' => KeyCode::F(13),
        't' => KeyCode::F(4),
        's' => KeyCode::F(5),
        'o' => KeyCode::F(6),
        'l' => KeyCode::F(7),
        'z' => KeyCode::F(8),
        'b' => KeyCode::F(9),
        'q' | 'c' => KeyCode::F(10),
        _ => return None,
    })
}
