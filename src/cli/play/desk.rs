//! What both forms of `play` share: the table with all that can be asked of it, and the files that it writes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Laid;
use super::kept::{Kept, expect_writable, last_words, write};
use crate::agent::{AgentKind, Seen, advise, seat_name, seen};
use crate::cli::Trouble;
use crate::cli::output::wrong;
use crate::diagnostic::{Diagnostic, nearest, render::render};
use crate::engine::decision::Question;
use crate::engine::op::Op;
use crate::engine::ruleset::Shape;
use crate::engine::{Act, Fault, Opt};
use crate::source::Sources;
use crate::table::{
    Failed, Left, Replay, Section, Start, Stopped, Table, card_lines, changes_of, gains_of, refused, scenario_of, sheet, unused, why_not,
};
use crate::why::{Answer, Explanation, Fold, Why};

/// A table, and what it was laid with.
pub(in crate::cli) struct Desk {
    pub laid: Laid,
    pub table: Table,
    hint: AgentKind,
    kept: Kept,
    /// The file from which the game was loaded.
    loaded: Option<PathBuf>,
    /// How many answers a person has saved last.
    saved: Option<usize>,
    /// Why the game could not be written down after an answer, as long as nobody has been told.
    trouble: Option<String>,
    /// What each answer to the open question brings, and after how many answers that was worked out.
    gains: (usize, Vec<String>),
    /// Opened when something is asked for the first time.
    why: Option<Why>,
}

/// An option, for people.
pub(in crate::cli) struct Choice {
    /// Its key.
    pub key: String,
    /// The same for people: words and cards by their names, and where one lies if there are several of it.
    pub label: String,
    /// The action, or what kind of answer it is.
    pub group: String,
    /// What the answer brings at once, such as `+2 gold`; empty where that is nothing, or not known.
    pub gain: String,
    /// The card that it is about.
    pub card: Option<String>,
}

impl Desk {
    pub fn new(laid: Laid, table: Table, hint: AgentKind) -> Desk {
        let kept = Kept::new(laid.root.clone());
        Desk { laid, table, hint, kept, loaded: None, saved: None, trouble: None, gains: (0, Vec::new()), why: None }
    }

    /// The game was loaded from this file, which is offered for saves.
    pub fn loaded_from(&mut self, path: &Path) {
        self.loaded = Some(path.to_path_buf());
        self.saved = Some(self.table.session.steps().len());
    }

    /// The game is kept in this file from now on. One that is there already is only written over if it is the game that was loaded.
    ///
    /// # Errors
    /// Wrong use, if it cannot be written.
    pub fn save_to(&mut self, path: &Path) -> Result<(), Trouble> {
        expect_writable(path).or_else(wrong)?;
        let same = self.loaded.as_deref().is_some_and(|loaded| Sources::real_path(loaded) == Sources::real_path(path));
        if path.exists() && !same {
            return wrong(format!("`{}` is there already; `--load` goes on with it, or name another file", path.display()));
        }
        self.kept.keep_in(path);
        self.write_down().or_else(wrong)
    }

    /// The game is kept by itself from now on, so that nothing is lost if the terminal is closed. What is to be said about it.
    pub fn keep_by_itself(&mut self) -> Option<String> {
        let kept = self.kept.keep_by_itself(&self.laid.start.game, self.laid.start.seed, self.loaded.as_deref());
        match kept.and_then(|said| self.write_down().map(|()| said)) {
            Ok(said) => said,
            Err(fault) => Some(format!("the game is not kept while it is played: {fault}; --save FILE keeps it")),
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.table.session.game().finished()
    }

    fn write_down(&self) -> Result<(), String> {
        self.kept.write(self.is_over(), || self.save_text())
    }

    fn save_text(&self) -> String {
        Replay::text_of(&self.laid.start, self.table.chairs(), &self.table.session)
    }

    /// After each answer: the game is written down where it is kept.
    fn after_answer(&mut self) {
        self.trouble = self.write_down().err().map(|fault| format!("the game is not kept any longer: {fault}"));
    }

    /// Why the game could not be written down, once.
    pub fn take_trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }

    /// A person answers.
    ///
    /// # Errors
    /// As for [`Table::answer`].
    pub fn answer(&mut self, option: usize, left: &[Left]) -> Result<(), Failed> {
        self.table.answer(option, left)?;
        self.after_answer();
        Ok(())
    }

    /// The machine player that is asked answers.
    ///
    /// # Errors
    /// As for [`Table::machine_answers`].
    pub fn machine_answers(&mut self) -> Result<(), Stopped> {
        self.table.machine_answers()?;
        self.after_answer();
        Ok(())
    }

    /// The option that failed is taken again, without these scripts, by whoever is asked.
    ///
    /// # Errors
    /// As for [`Table::answer`].
    pub fn answer_without(&mut self, option: usize, left: &[Left]) -> Result<(), Failed> {
        match self.table.asked() {
            Some(_) => self.table.answer(option, left)?,
            None => self.table.session.answer(option, left)?,
        }
        self.after_answer();
        Ok(())
    }

    /// Takes back the last answer of a person.
    ///
    /// # Errors
    /// As for [`Table::undo`].
    pub fn undo(&mut self, seat: usize) -> Result<String, String> {
        let key = self.table.undo(seat)?;
        self.after_answer();
        Ok(key)
    }

    /// Writes the game to the file of `--save`, if there is one; says where, and how to see it again.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn keep(&self) -> Result<Option<String>, String> {
        let Some(path) = self.kept.named() else { return Ok(None) };
        self.write_down()?;
        Ok(Some(format!("the game is saved in {}; {}", path.display(), self.kept.way_back(path, self.is_over()))))
    }

    /// Whether something would be lost if the game were given up now.
    pub fn is_unsaved(&self) -> bool {
        let count = self.table.session.steps().len();
        self.kept.named().is_none() && count > 0 && self.saved != Some(count)
    }

    /// The file that is offered for a save.
    pub fn offered(&self) -> PathBuf {
        let Start { game, seed, .. } = &self.laid.start;
        self.loaded.clone().unwrap_or_else(|| PathBuf::from(format!("{game}-{seed}.replay")))
    }

    /// The file that is offered for a position.
    pub fn offered_scenario(&self) -> PathBuf {
        let Start { game, seed, .. } = &self.laid.start;
        PathBuf::from(format!("{game}-{seed}-{}.toml", self.table.session.steps().len()))
    }

    /// Nobody wants the game any longer.
    pub fn give_up(&mut self) {
        self.kept.give_up();
    }

    /// What is said when a game without `--save` is left: where it is kept, if a person did not save it, and how to go on with it.
    pub fn farewell(&mut self) -> Option<String> {
        if self.is_over() {
            return self.kept.over(&self.laid.start.game);
        }
        if !self.is_unsaved() {
            self.kept.give_up();
        }
        Some(last_words()).filter(|words| !words.is_empty())
    }

    /// Writes the game to a file as it stands.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn write_save(&mut self, path: &Path) -> Result<String, String> {
        expect_writable(path)?;
        write(path, &self.save_text())?;
        self.saved = Some(self.table.session.steps().len());
        Ok(format!("the game is saved in {}; {}", path.display(), self.kept.way_back(path, self.is_over())))
    }

    /// Writes the position as a scenario.
    pub fn write_scenario(&mut self, path: &Path) -> Result<String, String> {
        if path.exists() {
            return Err(format!("`{}` is there already", path.display()));
        }
        let count = self.table.session.steps().len();
        let name = format!("a position after {count} answers");
        let text = scenario_of(&self.laid.start, &mut self.table.session, &name)?;
        write(path, &text)?;
        Ok(format!("the position is written to {}; `houserule test {0}` runs it", path.display()))
    }

    // ------------------------------------------------------------------ what is seen

    /// Whose eyes look: the person who is asked, or else the first person, or else whoever is asked.
    pub fn eyes(&self) -> usize {
        let asked = self.table.session.decision().map(|open| open.seat);
        self.table.asked().or_else(|| self.table.people().first().copied()).or(asked).unwrap_or(0)
    }

    /// The game as a seat sees it, in sections.
    pub fn sheet(&self, seat: usize) -> Vec<Section> {
        self.sheet_of(seat, false)
    }

    /// The same without the decks and pools that nobody has used yet, for where room is short.
    pub fn short_sheet(&self, seat: usize) -> Vec<Section> {
        // Of a position it is not known what was there before.
        self.sheet_of(seat, self.laid.start.from.is_none())
    }

    fn sheet_of(&self, seat: usize, short: bool) -> Vec<Section> {
        let (rules, game) = (&self.laid.rules, self.table.session.game());
        let view = game.view_of(rules, seat);
        let now: Seen<'_> = seen(rules, &view);
        let mut out = BTreeSet::new();
        if short {
            let view = self.table.session.begun().view_of(rules, seat);
            out = unused(rules, &seen(rules, &view), &now);
        }
        sheet(rules, (game, &now, seat), &self.laid.words, self.table.chairs(), &out)
    }

    /// What was logged from a line on, as a seat may read it.
    pub fn log(&self, seat: usize, from: usize) -> Vec<String> {
        self.table.session.game().log_for(seat, from).map(|line| self.laid.words.log_line(&self.laid.rules, line)).collect()
    }

    /// How many lines the log has.
    pub fn log_len(&self) -> usize {
        self.table.session.game().log().len()
    }

    /// Whether what one of several people may see is nothing for the others.
    pub fn has_secrets(&self) -> bool {
        let rules = &self.laid.rules;
        let secret = rules.places.iter().any(|place| place.hidden && place.of_seat)
            || rules.ops.all.iter().any(|op| matches!(op, Op::AtOnce(_, _, true, _)));
        secret && self.table.people().len() > 1
    }

    /// The open question in words: who is asked, and what.
    pub fn question(&self) -> String {
        match self.table.session.decision() {
            Some(open) => format!("{} is asked: {}", seat_name(open.seat), self.laid.words.question(&self.laid.rules, open.question)),
            None => "the game is over".to_string(),
        }
    }

    /// Works out what the answers to a new question bring.
    pub fn begin_question(&mut self) {
        let Desk { laid, table, .. } = self;
        let count = table.session.steps().len();
        let (rules, game, host) = table.session.parts();
        self.gains = (count, gains_of(rules, game, host, &laid.words));
    }

    /// The options of the open question.
    pub fn choices(&self) -> Vec<Choice> {
        let Some(open) = self.table.session.decision() else { return Vec::new() };
        let mut choices: Vec<Choice> = open.options.iter().map(|option| self.choice(option)).collect();
        // Of several that read alike it is said where each lies.
        let plain = |label: &str| label.split(" #").next().unwrap_or(label).to_string();
        let labels: Vec<String> = choices.iter().map(|choice| plain(&choice.label)).collect();
        for (at, option) in open.options.iter().enumerate() {
            if labels.iter().filter(|label| **label == labels[at]).count() > 1 {
                let places: Vec<String> = pieces_of(option.act).into_iter().map(|piece| self.where_is(piece)).collect();
                choices[at].label.push_str(&format!(" [{}]", places.join(", ")));
            }
        }
        if self.gains.0 == self.table.session.steps().len() {
            choices.iter_mut().zip(&self.gains.1).for_each(|(choice, gain)| choice.gain.clone_from(gain));
        }
        choices
    }

    fn choice(&self, option: &Opt) -> Choice {
        let (rules, words) = (&self.laid.rules, &self.laid.words);
        let group = match option.act {
            Act::Action(action, _) => words.word(rules.names.text(rules.actions[action as usize].name)),
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Card(_) | Act::Token(..) | Act::Nothing => words.word("choose"),
            Act::Done => words.word("done"),
        };
        let card = pieces_of(option.act)
            .first()
            .filter(|_| !option.is_unseen())
            .map(|piece| rules.names.text(rules.definition(*piece).id).to_string());
        Choice { key: option.text(rules), label: words.option(rules, option), group, gain: String::new(), card }
    }

    /// Where a card lies, with its place there.
    fn where_is(&self, piece: usize) -> String {
        let (rules, game) = (&self.laid.rules, self.table.session.game());
        let (instance, slot) = game.position(rules).place_of(piece);
        let name = game.position(rules).where_is(piece);
        match rules.layout.places.get(instance).filter(|place| place.room > 0).map(|place| rules.places[place.declared as usize].shape) {
            Some(Shape::Grid { columns, .. }) => {
                format!("{name} row {} column {}", slot / columns as usize + 1, slot % columns as usize + 1)
            }
            Some(Shape::Slots) => format!("{name} {}", slot + 1),
            Some(Shape::Deck) | None => name,
        }
    }

    /// A card by its id or name.
    pub fn card(&self, text: &str) -> Result<Vec<String>, String> {
        let words = &self.laid.words;
        let lines = words.find(text).and_then(|id| card_lines(&self.laid.text, words, id));
        lines.ok_or_else(|| match nearest(text, words.known()) {
            Some(meant) => format!("there is no card `{text}`; did you mean `{meant}`?"),
            None => format!("there is no card `{text}`"),
        })
    }

    // ------------------------------------------------------------------ what may be asked

    /// What an option would change.
    pub fn changes(&mut self, option: usize) -> Vec<String> {
        let Desk { laid, table, .. } = self;
        let (rules, game, host) = table.session.parts();
        changes_of(rules, game, host, option, &laid.words)
    }

    /// All that an option needs, with what of it is not so: of a key, or of the number of an option; of a card that is named alone, all
    /// that can or cannot be done with it now; or where a value comes from. With `--deep` every part is told. Of a card that is not where
    /// the option looks for it only that is told: where it lies instead may be a secret.
    pub fn why(&mut self, asked: &str) -> Vec<String> {
        let deep = asked.split_whitespace().any(|word| word == "--deep");
        let fold = if deep { Fold::Deep } else { Fold::Folded };
        let asked = asked.split_whitespace().filter(|word| *word != "--deep").collect::<Vec<_>>().join(" ");
        let session = &self.table.session;
        let option = session.option(&asked);
        let offered = session.decision().zip(option).map(|(open, option)| open.options[option].text(&self.laid.rules));
        let key = offered.clone().unwrap_or(asked);
        let of_turn = session.decision().is_some_and(|open| matches!(open.question, Question::Turn(_)));
        if offered.is_none()
            && let Some(told) = self.card_told(&key, fold)
        {
            return told;
        }
        if let Some(told) = if offered.is_some() || of_turn { self.option_told(&key, fold) } else { None } {
            return told.lines().map(str::to_string).collect();
        }
        if offered.is_some() {
            return vec!["it is possible".to_string()];
        }
        let known = why_not(&self.laid.rules, self.table.session.game(), &key);
        match self.value_told(&key, fold) {
            Some(Ok(told)) => told.lines().map(str::to_string).collect(),
            // What is refused is an option, and a slip may be one of an option or of a value.
            Some(Err(slip)) if !self.names_action(&key) => known.into_iter().chain([slip]).collect(),
            Some(Err(_)) | None => known,
        }
    }

    /// What can be done with a card now, and what cannot, and why; `None` if the text names no card, or a value as well.
    fn card_told(&mut self, asked: &str, fold: Fold) -> Option<Vec<String>> {
        let rules = std::sync::Arc::clone(&self.laid.rules);
        let id = self.laid.words.find(asked)?.to_string();
        let is_value =
            rules.quantities.iter().any(|quantity| quantity.name == asked) || rules.conditions.iter().any(|(name, _)| name == asked);
        if is_value {
            return None;
        }
        let mut lines = Vec::new();
        for (number, choice) in self.choices().iter().enumerate().filter(|(_, choice)| choice.key.split(' ').any(|word| word == id)) {
            lines.push(format!("{}: possible, option {}", choice.label, number + 1));
        }
        for found in refused(&rules, self.table.session.game()).iter().filter(|found| found.key.split(' ').any(|word| word == id)) {
            match self.option_told(&found.key, fold) {
                Some(told) => lines.extend(told.lines().map(str::to_string)),
                None => lines.push(format!("{}: {}", self.laid.words.line(&found.key), found.reasons.join("; "))),
            }
        }
        if lines.is_empty() {
            let name = self.laid.words.card(&id);
            lines.push(format!("nothing that can be done now is about {name}"));
        }
        Some(lines)
    }

    /// Whether a key begins with the name of an action.
    fn names_action(&self, key: &str) -> bool {
        let rules = &self.laid.rules;
        let first = key.split(' ').next();
        rules.actions.iter().any(|action| Some(rules.names.text(action.name)) == first)
    }

    /// Explains this game; `None` if it cannot be read again.
    fn explainer(&mut self) -> Option<&mut Why> {
        let Laid { sources, text, setup, words, .. } = &self.laid;
        if self.why.is_none() {
            let mut why = Why::open(sources, text, setup, &mut Vec::new())?;
            why.call_cards(|card| words.names().card(card).to_string());
            self.why = Some(why);
        }
        self.why.as_mut()
    }

    /// What `houserule why` says of an option.
    fn option_told(&mut self, key: &str, fold: Fold) -> Option<String> {
        let game = self.table.session.game().clone();
        let seat = game.decision()?.seat;
        let why = self.explainer()?;
        why.explain_to(seat);
        let told = why.option(&game, seat, key).ok()?;
        // Without a place in a file there is nothing that is not known.
        let lies_elsewhere = told.refusals().any(|check| check.name == "card" && check.at.is_none());
        (!lies_elsewhere).then(|| Answer::Option(told).text(fold))
    }

    /// What `houserule why` says of a value, or what is wrong with the question. It is worked out from what the seat that is asked knows,
    /// with each unknown card everywhere where it may be: if it then differs, only that is said.
    fn value_told(&mut self, asked: &str, fold: Fold) -> Option<Result<String, String>> {
        let rules = std::sync::Arc::clone(&self.laid.rules);
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
            let told = match why.value(&seen, seat, asked) {
                Ok(told) => told,
                Err(slip) => return Some(Err(std::iter::once(slip.message).chain(slip.help).collect::<Vec<_>>().join("; "))),
            };
            let first = first.get_or_insert_with(|| told.clone());
            if why.take_read_hidden() || told.value != first.value {
                return Some(Ok(format!("`{asked}` rests on {unknown}")));
            }
            same_parts &= told == *first;
        }
        first.map(|told| {
            Ok(if same_parts {
                Answer::Value(told).text(fold)
            } else {
                format!("`{asked}` is {}; what it is made of rests on {unknown}", told.says)
            })
        })
    }

    /// What the turn's actions could be about and what is refused, with the reasons.
    pub fn refused(&self) -> Vec<String> {
        let all = refused(&self.laid.rules, self.table.session.game());
        all.iter().map(|refused| format!("{}: {}", self.laid.words.line(&refused.key), refused.reasons.join("; "))).collect()
    }

    /// What a machine player would do, and by how much.
    pub fn hint(&mut self) -> Result<Vec<String>, String> {
        let choices = self.choices();
        let (rules, game, host) = self.table.session.parts();
        let advice = advise(&self.hint, rules, game, host).map_err(|fault| fault.to_string())?;
        let Some(advice) = advice else { return Err("nothing is asked".to_string()) };
        let label = |option: usize| choices.get(option).map_or("?", |choice| choice.label.as_str());
        let mut lines = vec![format!("{} would take {}: {}", self.hint, advice.choice + 1, label(advice.choice))];
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

    /// Lines about a fault, as messages about files are.
    pub fn fault(&self, failed: &Failed) -> String {
        let count = self.table.session.steps().len() + 1;
        render(&self.laid.sources, &[of_fault(&failed.fault, self.laid.start.seed, count)], false)
    }

    /// What the game has come to: points and winners.
    pub fn outcome(&mut self) -> Vec<String> {
        let (rules, game, _) = self.table.session.parts();
        let rules = std::sync::Arc::clone(rules);
        let mut lines = Vec::new();
        for seat in game.on(&rules).standing() {
            let rows = game.on(&rules).score_rows(seat);
            let rows = rules.score.iter().zip(&rows).filter(|(_, row)| **row != 0);
            let rows: Vec<String> = rows.map(|((name, _), row)| format!("{} {row}", self.laid.words.word(name))).collect();
            let all = game.on(&rules).score(seat);
            // Where there is one row, it is the points.
            let rows = if rules.score.len() > 1 && !rows.is_empty() { format!(" ({})", rows.join(", ")) } else { String::new() };
            lines.push(format!("{}: {all} points{rows}", seat_name(seat)));
        }
        if let ([points], true) = (&(0..rules.players).map(|seat| game.on(&rules).score(seat)).collect::<Vec<_>>()[..], game.finished()) {
            lines.extend(rules.honour(*points).map(|place| format!("beside {}", rules.honours[place].0)));
        }
        let winners: Vec<String> = game.on(&rules).winners().into_iter().map(seat_name).collect();
        if game.finished() {
            lines.push(match winners.as_slice() {
                [] => "nobody has won".to_string(),
                [one] => format!("{one} has won"),
                several => format!("{} have won together", several.join(" and ")),
            });
        }
        lines.push(format!("seed {}, state {:016x}", self.laid.start.seed, game.hash()));
        lines
    }
}

/// The pieces that an option is about.
fn pieces_of(act: Act) -> Vec<usize> {
    let pieces = match act {
        Act::Action(_, pieces) => pieces,
        Act::Card(piece) => [piece, -1, -1],
        Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Token(..) | Act::Nothing | Act::Done => [-1; 3],
    };
    pieces.into_iter().filter_map(|piece| usize::try_from(piece).ok()).collect()
}

/// A fault with its place, and how to meet it again.
pub(in crate::cli) fn of_fault(fault: &Fault, seed: u64, decision: usize) -> Diagnostic {
    let mut found = Diagnostic::error("G201", fault.span, fault.to_string());
    if fault.span.is_some() {
        found = found.label("here");
    }
    let when = if decision == 0 { "before the first question".to_string() } else { format!("after question {decision}") };
    fault.tell(found).trace(format!("seed {seed}, {when}"))
}
