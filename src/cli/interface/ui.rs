//! The state shared by both interfaces of `play`: the game, what can be asked about it, and the files that are written.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::autosave::{Autosave, check_overwritable, last_words, write};
use crate::agent::{AgentKind, Horizon, SeenGame, advise, describe_view, seat_name};
use crate::cli::faults::fault_diagnostic;
use crate::cli::output::usage_error;
use crate::cli::prepared::PreparedTable;
use crate::cli::result::ExitReason;
use crate::diagnostic::{nearest, render::render};
use crate::engine::boards::Board;
use crate::engine::decision::Question;
use crate::engine::keys::can_be_key;
use crate::engine::ruleset::Shape;
use crate::engine::{Act, Ended, Opt};
use crate::source::Sources;
use crate::table::{
    AnswerFailure, Replay, SeatedSession, Section, SheetBlock, SkippedScript, Start, StopReason, board_picture, card_lines, find_unused,
    gains_of, list_refused, option_changes, pieces_of, scenario_of, sheet, why_not,
};
use crate::why::{DetailLevel, Explanation, FOLDED_NOTE, Why, WhyAnswer};

/// A game in progress with its interface state.
pub struct GameUi {
    pub prepared: PreparedTable,
    pub table: SeatedSession,
    hint: AgentKind,
    autosave: Autosave,
    /// The file from which the game was loaded.
    loaded_from: Option<PathBuf>,
    /// Number of answers that the last saved file contains; `None` if the game was not saved.
    saved: Option<usize>,
    /// Error of an automatic save that has not been shown yet.
    save_error: Option<String>,
    /// The gain of each option in words, preceded by the number of answers for which the gains were computed.
    gains: (usize, Vec<String>),
    /// What lies on the space that each option concerns, valid for as many answers as the gains.
    on_spaces: Vec<Option<String>>,
    /// Explains options and values; created when it is first needed.
    why: Option<Why>,
}

/// An option with its display texts.
pub struct DisplayedOption {
    /// Key of the option.
    pub key: String,
    /// Display text with translated names, and the place of a card if it is ambiguous.
    pub label: String,
    /// The action or kind of answer, under which options are grouped.
    pub group: String,
    /// Immediate gain such as `+2 gold`; empty if there is none or it is unknown.
    pub gain: String,
    /// Id of the card that the option concerns.
    pub card: Option<String>,
    /// Index of this card among all pieces of the game.
    pub piece: Option<usize>,
    /// What lies on the space of a board that the option concerns, in words.
    pub on_space: Option<String>,
}

impl GameUi {
    pub fn new(prepared: PreparedTable, table: SeatedSession, hint: AgentKind) -> GameUi {
        let autosave = Autosave::new(prepared.root.clone());
        GameUi {
            prepared,
            table,
            hint,
            autosave,
            loaded_from: None,
            saved: None,
            save_error: None,
            gains: (0, Vec::new()),
            on_spaces: Vec::new(),
            why: None,
        }
    }

    /// Notes the file from which the game was loaded, as the default for saves.
    pub fn set_loaded_from(&mut self, path: &Path) {
        self.loaded_from = Some(path.to_path_buf());
        self.saved = Some(self.table.session.answers().len());
    }

    /// Chooses this file for all later saves. An existing file is only overwritten if the game was loaded from it.
    ///
    /// # Errors
    /// A usage error if it cannot be written.
    pub fn save_to(&mut self, path: &Path) -> Result<(), ExitReason> {
        check_overwritable(path).or_else(usage_error)?;
        let same = self.loaded_from.as_deref().is_some_and(|loaded| Sources::real_path(loaded) == Sources::real_path(path));
        if path.exists() && !same {
            return usage_error(format!("`{}` is there already; `--load` goes on with it, or name another file", path.display()));
        }
        self.autosave.save_to(path);
        self.autosave().or_else(usage_error)
    }

    /// Enables automatic saves to a default file, so that nothing is lost if the terminal is closed. Returns a message to be shown.
    pub fn enable_autosave(&mut self) -> Option<String> {
        let autosave = self.autosave.enable_autosave(&self.prepared.start.game, self.prepared.start.seed, self.loaded_from.as_deref());
        match autosave.and_then(|message| self.autosave().map(|()| message)) {
            Ok(message) => message,
            Err(fault) => Some(format!("the game is not kept while it is played: {fault}; --save FILE keeps it")),
        }
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.table.session.game().finished()
    }

    fn autosave(&self) -> Result<(), String> {
        self.autosave.write(self.is_over(), || self.save_text())
    }

    fn save_text(&self) -> String {
        Replay::text_of(&self.prepared.start, self.table.seat_players(), &self.table.session)
    }

    /// Saves the game after an answer, if saves are enabled.
    fn autosave_after_answer(&mut self) {
        self.save_error = self.autosave().err().map(|fault| format!("the game is not kept any longer: {fault}"));
    }

    /// Returns the error of an automatic save and forgets it, so that it is shown only once.
    pub fn take_save_error(&mut self) -> Option<String> {
        self.save_error.take()
    }

    /// Gives the answer of a human player.
    ///
    /// # Errors
    /// As for [`SeatedSession::answer`].
    pub fn answer(&mut self, option: usize, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        self.table.answer(option, skipped)?;
        self.autosave_after_answer();
        Ok(())
    }

    /// Lets the agent that is asked answer.
    ///
    /// # Errors
    /// As for [`SeatedSession::let_agent_answer`].
    pub fn let_agent_answer(&mut self) -> Result<(), StopReason> {
        self.table.let_agent_answer()?;
        self.autosave_after_answer();
        Ok(())
    }

    /// Repeats an answer of a human player or agent that failed, now without these scripts.
    ///
    /// # Errors
    /// As for [`SeatedSession::answer`].
    pub fn answer_skipping(&mut self, option: usize, skipped: &[SkippedScript]) -> Result<(), AnswerFailure> {
        match self.table.asked_human_seat() {
            Some(_) => self.table.answer(option, skipped)?,
            None => self.table.session.answer(option, skipped)?,
        }
        self.autosave_after_answer();
        Ok(())
    }

    /// Takes back the last answer of a human player.
    ///
    /// # Errors
    /// As for [`SeatedSession::undo`].
    pub fn undo(&mut self, seat: usize) -> Result<String, String> {
        let key = self.table.undo(seat)?;
        self.autosave_after_answer();
        Ok(key)
    }

    /// Saves the game to the file of `--save`, if it was given; returns a message with its path.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn save_to_option_path(&self) -> Result<Option<String>, String> {
        let Some(path) = self.autosave.save_path() else { return Ok(None) };
        self.autosave()?;
        Ok(Some(format!("the game is saved in {}; {}", path.display(), self.autosave.resume_command(path, self.is_over()))))
    }

    /// Whether unsaved progress would be lost.
    pub fn is_unsaved(&self) -> bool {
        let count = self.table.session.answers().len();
        self.autosave.save_path().is_none() && count > 0 && self.saved != Some(count)
    }

    /// Returns the default path for a save.
    pub fn default_save_path(&self) -> PathBuf {
        let Start { game, seed, .. } = &self.prepared.start;
        self.loaded_from.clone().unwrap_or_else(|| PathBuf::from(format!("{game}-{seed}.replay")))
    }

    /// Returns the default path for a scenario.
    pub fn default_scenario_path(&self) -> PathBuf {
        let Start { game, seed, .. } = &self.prepared.start;
        PathBuf::from(format!("{game}-{seed}-{}.toml", self.table.session.answers().len()))
    }

    /// Discards the automatic save.
    pub fn discard(&mut self) {
        self.autosave.discard();
    }

    /// Returns the message for leaving a game without `--save`: where it was saved automatically, and how to resume it.
    pub fn farewell(&mut self) -> Option<String> {
        if self.is_over() {
            return self.autosave.finish(&self.prepared.start.game);
        }
        if !self.is_unsaved() {
            self.autosave.discard();
        }
        Some(last_words()).filter(|words| !words.is_empty())
    }

    /// Saves the game to a file.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write_save(&mut self, path: &Path) -> Result<String, String> {
        check_overwritable(path)?;
        write(path, &self.save_text())?;
        self.saved = Some(self.table.session.answers().len());
        Ok(format!("the game is saved in {}; {}", path.display(), self.autosave.resume_command(path, self.is_over())))
    }

    /// Writes the position as a scenario.
    pub fn write_scenario(&mut self, path: &Path) -> Result<String, String> {
        if path.exists() {
            return Err(format!("`{}` is there already", path.display()));
        }
        let count = self.table.session.answers().len();
        let name = format!("a position after {count} answers");
        let text = scenario_of(&self.prepared.start, &mut self.table.session, &name)?;
        write(path, &text)?;
        Ok(format!("the position is written to {}; `houserule test {0}` runs it", path.display()))
    }

    // ------------------------------------------------------------------ views

    /// Returns the seat from whose view the game is shown: that of the human player who is asked, or else of the first human player, or
    /// else the seat that is asked.
    pub fn viewer(&self) -> usize {
        let asked = self.table.session.decision().map(|open| open.seat);
        self.table.asked_human_seat().or_else(|| self.table.human_seats().first().copied()).or(asked).unwrap_or(0)
    }

    /// Returns the game as a seat sees it, in sections.
    pub fn sheet(&self, seat: usize) -> Vec<Section> {
        self.sheet_of(seat, false)
    }

    /// Returns the game as a seat sees it, without decks and pools that have not been used yet, and without the names of
    /// empty places.
    pub fn short_sheet(&self, seat: usize) -> Vec<Section> {
        // For a position, the initial contents of decks are unknown.
        self.sheet_of(seat, self.prepared.start.from.is_none())
    }

    fn sheet_of(&self, seat: usize, short: bool) -> Vec<Section> {
        let (rules, game) = (&self.prepared.rules, self.table.session.game());
        let view = game.view_of(rules, seat);
        let now: SeenGame<'_> = describe_view(rules, &view);
        let mut out = BTreeSet::new();
        if short {
            let view = self.table.session.initial_game().view_of(rules, seat);
            out = find_unused(rules, &describe_view(rules, &view), &now);
        }
        let mut parts = sheet(rules, (game, &now, seat), &self.prepared.words, self.table.seat_players(), &out);
        if short {
            parts.iter_mut().for_each(|section| section.blocks.retain(|block| !matches!(block, SheetBlock::Empty(_))));
        }
        parts
    }

    /// Returns the log lines from index `from` on, as far as a seat may see them.
    pub fn log(&self, seat: usize, from: usize) -> Vec<String> {
        self.table.session.game().log_for(seat, from).map(|line| self.prepared.words.log_line(&self.prepared.rules, line)).collect()
    }

    /// Returns the number of log lines.
    pub fn log_len(&self) -> usize {
        self.table.session.game().log().len()
    }

    /// Whether several human players have information that the others must not see.
    pub fn has_secrets(&self) -> bool {
        self.prepared.rules.has_secrets() && self.table.human_seats().len() > 1
    }

    /// Returns the open question in words, with the asked seat.
    pub fn question(&self) -> String {
        match self.table.session.decision() {
            Some(open) => self.prepared.words.who_is_asked(&self.prepared.rules, open.seat, open.question),
            None => self.prepared.words.phrases().word("the game is over"),
        }
    }

    /// Computes what is told of the options of a new question: gains, and what lies on spaces.
    pub fn begin_question(&mut self) {
        let GameUi { prepared, table, .. } = self;
        let count = table.session.answers().len();
        let (rules, game, host) = table.session.rules_game_and_scripts();
        self.gains = (count, gains_of(rules, game, host, &prepared.words));
        self.on_spaces = self.describe_spaces();
    }

    /// Returns the options of the open question.
    pub fn choices(&self) -> Vec<DisplayedOption> {
        let Some(open) = self.table.session.decision() else { return Vec::new() };
        let mut choices: Vec<DisplayedOption> = open.options.iter().map(|option| self.choice(option)).collect();
        // For options with equal texts, the place of the card is added.
        let plain = |label: &str| label.split(" #").next().unwrap_or(label).to_string();
        let labels: Vec<String> = choices.iter().map(|choice| plain(&choice.label)).collect();
        for (at, option) in open.options.iter().enumerate() {
            if labels.iter().filter(|label| **label == labels[at]).count() > 1 {
                let places: Vec<String> =
                    pieces_of(&self.prepared.rules, option.act).into_iter().map(|piece| self.place_text(piece)).collect();
                choices[at].label.push_str(&format!(" [{}]", places.join(", ")));
            }
        }
        if self.gains.0 == self.table.session.answers().len() {
            choices.iter_mut().zip(&self.gains.1).for_each(|(choice, gain)| choice.gain.clone_from(gain));
            choices.iter_mut().zip(&self.on_spaces).for_each(|(choice, said)| choice.on_space.clone_from(said));
        }
        choices
    }

    /// Says of each option what the asked seat sees on the space that it concerns.
    fn describe_spaces(&self) -> Vec<Option<String>> {
        let (rules, words) = (&self.prepared.rules, &self.prepared.words);
        let Some(open) = self.table.session.decision() else { return Vec::new() };
        let space = |option: &Opt| {
            let piece = pieces_of(rules, option.act).first().copied().filter(|_| !option.is_unseen())?;
            Some((piece, rules.board_of_piece(piece)?))
        };
        let spaces: Vec<_> = open.options.iter().map(space).collect();
        if spaces.iter().all(Option::is_none) {
            return Vec::new();
        }
        let view = self.table.session.game().view_of(rules, open.seat);
        let seen = describe_view(rules, &view);
        let pictures: Vec<_> = rules.boards.iter().map(|board| (board.place, board_picture(rules, words, &seen, board))).collect();
        let said = |(piece, board): (usize, &Board)| {
            let (_, picture) = pictures.iter().find(|(place, _)| *place == board.place)?;
            picture.words_of_space(rules.names.text(rules.definition(piece).id))
        };
        spaces.into_iter().map(|space| space.and_then(said)).collect()
    }

    fn choice(&self, option: &Opt) -> DisplayedOption {
        let (rules, words) = (&self.prepared.rules, &self.prepared.words);
        let group = match option.act {
            Act::Choice(choice, _) if option.act.action(rules).is_some() => {
                words.word_name(rules.names.text(rules.choices[choice as usize].name))
            }
            Act::Choice(..) | Act::Word(_) | Act::Card(_) | Act::Token(..) | Act::Nothing => words.word_name("choose"),
            Act::Done => words.word_name("done"),
        };
        let piece = pieces_of(rules, option.act).first().copied().filter(|_| !option.is_unseen());
        let card = piece.map(|piece| rules.names.text(rules.definition(piece).id).to_string());
        DisplayedOption {
            key: option.text(rules),
            label: words.describe_option(rules, option),
            group,
            gain: String::new(),
            card,
            piece,
            on_space: None,
        }
    }

    /// Returns the place of a card, with its position.
    fn place_text(&self, piece: usize) -> String {
        let (rules, game) = (&self.prepared.rules, self.table.session.game());
        let (instance, slot) = game.position(rules).place_of(piece);
        let name = self.prepared.words.word_name(&game.position(rules).place_name(piece));
        match rules.layout.places.get(instance).filter(|place| place.room > 0).map(|place| rules.places[place.declared as usize].shape) {
            Some(Shape::Grid { columns, .. }) => {
                self.prepared.words.place_at(&name, slot / columns as usize + 1, slot % columns as usize + 1)
            }
            Some(Shape::Slots) => format!("{name} {}", slot + 1),
            Some(Shape::Deck) | None => name,
        }
    }

    /// Describes the card with this id or name; otherwise says why there is none.
    pub fn describe_card(&self, text: &str) -> Result<Vec<String>, String> {
        let words = &self.prepared.words;
        let lines = words.find_card(text).and_then(|id| card_lines(&self.prepared.text, words, id));
        lines.ok_or_else(|| match nearest(text, words.ids_and_names()) {
            Some(meant) => format!("there is no card `{text}`; did you mean `{meant}`?"),
            None => format!("there is no card `{text}`"),
        })
    }

    // ------------------------------------------------------------------ explanations

    /// Returns lines of text about what an option would change in the game.
    pub fn preview(&mut self, option: usize) -> Vec<String> {
        let GameUi { prepared, table, .. } = self;
        let (rules, game, host) = table.session.rules_game_and_scripts();
        option_changes(rules, game, host, option, &prepared.words)
    }

    /// Explains an option (named by key or number), all options of a card, or a value: its conditions, and those that fail. With `--deep`
    /// every part is shown; `deep` is what the user types for that. For a card that is not where the option requires it, nothing else is explained, since its actual place may be
    /// secret.
    pub fn explain(&mut self, asked: &str, deep: &str) -> Vec<String> {
        let note = format!("(… is told by `{deep} {asked}`)");
        let lines = self.explanation(asked);
        lines.into_iter().map(|line| if line == FOLDED_NOTE { note.clone() } else { line }).collect()
    }

    fn explanation(&mut self, asked: &str) -> Vec<String> {
        let deep = asked.split_whitespace().any(|word| word == "--deep");
        let fold = if deep { DetailLevel::Deep } else { DetailLevel::Folded };
        let asked = asked.split_whitespace().filter(|word| *word != "--deep").collect::<Vec<_>>().join(" ");
        let session = &self.table.session;
        let option = session.option(&asked);
        let offered = session.decision().zip(option).map(|(open, option)| open.options[option].text(&self.prepared.rules));
        let key = offered.clone().unwrap_or(asked);
        let rules = &self.prepared.rules;
        let may_be_refused = session.decision().is_some_and(|open| match open.question {
            Question::Turn(_) => true,
            Question::Rules(question) => rules.questions[question as usize].choices.iter().any(|&choice| can_be_key(rules, choice, &key)),
            Question::Card(_) | Question::Cover | Question::Payment => false,
        });
        if offered.is_none()
            && let Some(explanation) = self.explain_card(&key, fold)
        {
            return explanation;
        }
        if let Some(explanation) = if offered.is_some() || may_be_refused { self.explain_option(&key, fold) } else { None } {
            return explanation.lines().map(str::to_string).collect();
        }
        if offered.is_some() {
            return vec!["it is possible".to_string()];
        }
        let known = why_not(&self.prepared.rules, self.table.session.game(), &key);
        match self.explain_value(&key, fold) {
            Some(Ok(explanation)) => explanation.lines().map(str::to_string).collect(),
            // The text may be a misspelt option or a misspelt value.
            Some(Err(slip)) if !self.names_action(&key) => known.into_iter().chain([slip]).collect(),
            Some(Err(_)) | None => known,
        }
    }

    /// Lists the possible and impossible actions with a card, with reasons. `None` if the text names no card, or names also a value.
    fn explain_card(&mut self, asked: &str, fold: DetailLevel) -> Option<Vec<String>> {
        let rules = std::sync::Arc::clone(&self.prepared.rules);
        let id = self.prepared.words.find_card(asked)?.to_string();
        let is_value =
            rules.quantities.iter().any(|quantity| quantity.name == asked) || rules.conditions.iter().any(|(name, _)| name == asked);
        if is_value {
            return None;
        }
        let mut lines = Vec::new();
        for (number, choice) in self.choices().iter().enumerate().filter(|(_, choice)| choice.key.split(' ').any(|word| word == id)) {
            lines.push(format!("{}: possible, option {}", choice.label, number + 1));
        }
        for found in list_refused(&rules, self.table.session.game()).iter().filter(|found| found.key.split(' ').any(|word| word == id)) {
            match self.explain_option(&found.key, fold) {
                Some(explanation) => lines.extend(explanation.lines().map(str::to_string)),
                None => lines.push(format!("{}: {}", self.prepared.words.replace_card_ids(&found.key), found.reasons.join("; "))),
            }
        }
        if lines.is_empty() {
            let name = self.prepared.words.card_name(&id);
            lines.push(format!("nothing that can be done now is about {name}"));
            lines.extend(self.describe_card(&id).unwrap_or_default());
        }
        Some(lines)
    }

    /// Whether a key begins with the name of an action.
    fn names_action(&self, key: &str) -> bool {
        let rules = &self.prepared.rules;
        let first = key.split(' ').next();
        rules.actions().iter().any(|action| Some(rules.names.text(action.name)) == first)
    }

    /// Returns the explainer of this game; `None` if the game's files can no longer be loaded.
    fn explainer(&mut self) -> Option<&mut Why> {
        let PreparedTable { sources, text, setup, words, .. } = &self.prepared;
        if self.why.is_none() {
            let mut why = Why::open(sources, text, setup, &mut Vec::new())?;
            why.rename_cards(|card| words.translations().card(card).to_string());
            self.why = Some(why);
        }
        self.why.as_mut()
    }

    /// Explains an option as `houserule why` does.
    fn explain_option(&mut self, key: &str, fold: DetailLevel) -> Option<String> {
        let game = self.table.session.game().clone();
        let seat = game.decision()?.seat;
        let why = self.explainer()?;
        why.explain_to(seat);
        let explanation = why.explain_option(&game, seat, key).ok()?;
        // Without a location in a file, no hidden information is involved.
        let lies_elsewhere = explanation.refusals().any(|check| check.name == "card" && check.location.is_none());
        (!lies_elsewhere).then(|| WhyAnswer::Option(explanation).text(fold))
    }

    /// Explains a value as `houserule why` does; an error says what is wrong with the question. The explanation is computed from the view
    /// of the seat that is asked, with unknown cards in every place where they may be; if the results differ, only this is reported.
    fn explain_value(&mut self, asked: &str, fold: DetailLevel) -> Option<Result<String, String>> {
        let rules = std::sync::Arc::clone(&self.prepared.rules);
        let game = self.table.session.game().clone();
        let seat = game.decision().map_or(0, |open| open.seat);
        let view = game.view_of(&rules, seat);
        let unknown = format!("what p{} does not know", seat + 1);
        let why = self.explainer()?;
        why.explain_to(seat);
        let mut first: Option<Explanation> = None;
        let mut same_parts = true;
        for steps in 0..rules.layout.pieces.max(1) {
            let mut seen = game.clone();
            view.position_moved_on(&rules, steps, &mut seen);
            let explanation = match why.explain_value(&seen, seat, asked) {
                Ok(explanation) => explanation,
                Err(slip) => return Some(Err(std::iter::once(slip.message).chain(slip.help).collect::<Vec<_>>().join("; "))),
            };
            let first = first.get_or_insert_with(|| explanation.clone());
            if why.take_read_hidden() || explanation.value != first.value {
                return Some(Ok(format!("`{asked}` rests on {unknown}")));
            }
            same_parts &= explanation == *first;
        }
        first.map(|explanation| {
            Ok(if same_parts {
                WhyAnswer::Value(explanation).text(fold)
            } else {
                format!("`{asked}` is {}; what it is made of rests on {unknown}", explanation.value_text)
            })
        })
    }

    /// Lists the actions that are refused in this turn, with their reasons.
    pub fn refused(&self) -> Vec<String> {
        let all = list_refused(&self.prepared.rules, self.table.session.game());
        all.iter()
            .map(|refused| format!("{}: {}", self.prepared.words.replace_card_ids(&refused.key), refused.reasons.join("; ")))
            .collect()
    }

    /// Returns the answer that an agent recommends, and its evaluation of the options.
    pub fn hint(&mut self) -> Result<Vec<String>, String> {
        let choices = self.choices();
        let (rules, game, host) = self.table.session.rules_game_and_scripts();
        let advice = advise(&self.hint, rules, game, host).map_err(|fault| fault.to_string())?;
        let Some(advice) = advice else { return Err("nothing is asked".to_string()) };
        let label = |option: usize| choices.get(option).map_or("?", |choice| choice.label.as_str());
        let mut lines = vec![format!("{} would take {}: {}", self.hint, advice.choice + 1, label(advice.choice))];
        lines.extend(advice.horizon.map(|horizon| format!("it has looked ahead {}", words_of_horizon(horizon))));
        let best = advice.values.get(advice.choice).copied().flatten();
        let mut others: Vec<(usize, f64)> = advice.values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?))).collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        match best {
            None => lines.push("it does not say what the options are worth".to_string()),
            Some(best) => lines.extend(
                others
                    .iter()
                    .filter(|(at, _)| *at != advice.choice)
                    .map(|(at, value)| format!("{:+.2} with {}: {}", value - best, at + 1, label(*at))),
            ),
        }
        Ok(lines)
    }

    /// Formats a fault as text, like a diagnostic.
    pub fn fault(&self, failed: &AnswerFailure) -> String {
        let count = self.table.session.answers().len() + 1;
        render(&self.prepared.sources, &[fault_diagnostic(&failed.fault, self.prepared.start.seed, count)], false)
    }

    /// Returns the result of the game: points and winners.
    pub fn outcome(&mut self) -> Vec<String> {
        let (rules, game, _) = self.table.session.rules_game_and_scripts();
        let rules = std::sync::Arc::clone(rules);
        let mut lines = Vec::new();
        let mut standing = game.store(&rules).standing();
        // The points of all together are told once.
        standing.truncate(if rules.together.is_some() { usize::from(!rules.score.is_empty()) } else { rules.players });
        for seat in standing {
            let rows = game.store(&rules).score_rows(seat);
            let rows = rules.score.iter().zip(&rows).filter(|(_, row)| **row != 0);
            let rows: Vec<String> = rows.map(|((name, _), row)| format!("{} {row}", self.prepared.words.word_name(name))).collect();
            let all = game.store(&rules).score(seat);
            // A single row of the score equals the points.
            let rows = if rules.score.len() > 1 && !rows.is_empty() { format!(" ({})", rows.join(", ")) } else { String::new() };
            let phrases = self.prepared.words.phrases();
            let whose = if rules.together.is_some() { phrases.word("all together") } else { seat_name(seat) };
            lines.push(format!("{whose}: {}{rows}", phrases.say("{number} points", &[("number", &all.to_string())])));
        }
        let phrases = self.prepared.words.phrases();
        if let ([points], true) = (&(0..rules.players).map(|seat| game.store(&rules).score(seat)).collect::<Vec<_>>()[..], game.finished())
        {
            let beside = |name: &str| phrases.say("beside {name}", &[("name", &self.prepared.words.word_name(name))]);
            lines.extend(rules.honour(*points).map(|place| beside(&rules.honours[place].0)));
        }
        if game.finished() {
            lines.push(self.prepared.words.describe_winners(&rules, &game.store(&rules).winners()));
        }
        lines.push(format!("seed {}, state {:016x}", self.prepared.start.seed, game.hash()));
        lines
    }
}

/// Converts a path that was typed.
pub fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text.trim())
}

/// Says up to which point an answer was followed.
fn words_of_horizon(horizon: Horizon) -> &'static str {
    match horizon {
        Horizon::AskedAgain => "to where the same player is asked again",
        Horizon::Over(Ended::Turn) => "to the end of the action, or to where turns begin",
        Horizon::Over(Ended::Round) => "to the end of the round",
        Horizon::Over(Ended::Game) => "to the end of the game",
        Horizon::TooFar => "over as many answers as it follows",
    }
}
