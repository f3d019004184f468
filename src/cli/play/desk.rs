//! What both forms of `play` share: the table with all that can be asked of it, and the files that it writes.

use std::path::{Path, PathBuf};

use super::Laid;
use crate::agent::{AgentKind, Seen, advise, seat_name, seen};
use crate::cli::Trouble;
use crate::cli::output::wrong;
use crate::diagnostic::{Diagnostic, nearest, render::render};
use crate::engine::decision::Question;
use crate::engine::op::Op;
use crate::engine::ruleset::Shape;
use crate::engine::{Act, Fault, Opt};
use crate::table::{Failed, Replay, Section, Table, card_lines, changes_of, refused, scenario_of, sheet, why_not};
use crate::why::{Answer, Explanation, Fold, Why};

/// A table, and what it was laid with.
pub(in crate::cli) struct Desk {
    pub laid: Laid,
    pub table: Table,
    hint: AgentKind,
    save: Option<PathBuf>,
    /// Opened when something is asked for the first time.
    why: Option<Why>,
}

/// An option, for people.
pub(in crate::cli) struct Choice {
    /// Its key.
    pub key: String,
    /// The key with cards by their names, and where one lies if there are several of it.
    pub label: String,
    /// The action, or what kind of answer it is.
    pub group: String,
    /// The card that it is about.
    pub card: Option<String>,
}

impl Desk {
    pub fn new(laid: Laid, table: Table, hint: AgentKind) -> Desk {
        Desk { laid, table, hint, save: None, why: None }
    }

    /// Saves go to this file from now on. One that is there already is only written over if it is the game that was loaded.
    ///
    /// # Errors
    /// Wrong use, if it cannot be written.
    pub fn save_to(&mut self, path: &Path, loaded: Option<&Path>) -> Result<(), Trouble> {
        if path.exists() && loaded != Some(path) {
            return wrong(format!("`{}` is there already; `--load` goes on with it, or name another file", path.display()));
        }
        self.save = Some(path.to_path_buf());
        self.keep().map(|_| ()).or_else(wrong)
    }

    /// Writes the game to the file of `--save`, if there is one; says where.
    pub fn keep(&self) -> Result<Option<String>, String> {
        self.save.as_ref().map(|path| self.write_save(path)).transpose()
    }

    /// Whether `--save` keeps the game.
    pub fn is_kept(&self) -> bool {
        self.save.is_some()
    }

    /// Writes the game to a file.
    pub fn write_save(&self, path: &Path) -> Result<String, String> {
        let text = Replay::text_of(&self.laid.start, self.table.chairs(), &self.table.session);
        write(path, &text)?;
        Ok(format!("the game is saved in {}", path.display()))
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
        let (rules, game) = (&self.laid.rules, self.table.session.game());
        let view = game.view_of(rules, seat);
        let seen: Seen<'_> = seen(rules, &view);
        sheet(rules, game, &seen, seat, &self.laid.words, self.table.chairs())
    }

    /// What was logged from a line on, as a seat may read it.
    pub fn log(&self, seat: usize, from: usize) -> Vec<String> {
        self.table.session.game().log_for(seat, from).map(|line| self.laid.words.line(line)).collect()
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
            Some(open) => format!("{} is asked: {}", seat_name(open.seat), self.laid.words.line(&open.question.text(&self.laid.rules))),
            None => "the game is over".to_string(),
        }
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
        choices
    }

    fn choice(&self, option: &Opt) -> Choice {
        let (rules, words) = (&self.laid.rules, &self.laid.words);
        let group = match option.act {
            Act::Action(action, _) => words.word(rules.names.text(rules.actions[action as usize].name)),
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Card(_) | Act::Token(..) | Act::Nothing => "choose".to_string(),
            Act::Done => "done".to_string(),
        };
        let card = pieces_of(option.act)
            .first()
            .filter(|_| !option.is_unseen())
            .map(|piece| rules.names.text(rules.definition(*piece).id).to_string());
        Choice { key: option.text(rules), label: words.option(rules, option), group, card }
    }

    /// Where a card lies, with its place there.
    fn where_is(&self, piece: usize) -> String {
        let (rules, game) = (&self.laid.rules, self.table.session.game());
        let (instance, slot) = game.place_of(rules, piece);
        let name = game.where_is(rules, piece);
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

    /// All that an option needs, with what of it is not so: of a key, or of the number of an option; or where a value comes from. Of a card
    /// that is not where the option looks for it only that is told: where it lies instead may be a secret.
    pub fn why(&mut self, asked: &str) -> Vec<String> {
        let session = &self.table.session;
        let option = session.option(asked);
        let offered = session.decision().zip(option).map(|(open, option)| open.options[option].text(&self.laid.rules));
        let key = offered.clone().unwrap_or_else(|| asked.split_whitespace().collect::<Vec<_>>().join(" "));
        let of_turn = session.decision().is_some_and(|open| matches!(open.question, Question::Turn(_)));
        if let Some(told) = if offered.is_some() || of_turn { self.option_told(&key) } else { None } {
            return told.lines().map(str::to_string).collect();
        }
        if offered.is_some() {
            return vec!["it is possible".to_string()];
        }
        let known = why_not(&self.laid.rules, self.table.session.game(), &key);
        match self.value_told(&key) {
            Some(Ok(told)) => told.lines().map(str::to_string).collect(),
            // What is refused is an option, and a slip may be one of an option or of a value.
            Some(Err(slip)) if !self.names_action(&key) => known.into_iter().chain([slip]).collect(),
            Some(Err(_)) | None => known,
        }
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
    fn option_told(&mut self, key: &str) -> Option<String> {
        let game = self.table.session.game().clone();
        let seat = game.decision()?.seat;
        let why = self.explainer()?;
        why.explain_to(seat);
        let told = why.option(&game, seat, key).ok()?;
        // Without a place in a file there is nothing that is not known.
        let lies_elsewhere = told.refusals().any(|check| check.name == "card" && check.at.is_none());
        (!lies_elsewhere).then(|| Answer::Option(told).text(Fold::Folded))
    }

    /// What `houserule why` says of a value, or what is wrong with the question. It is worked out from what the seat that is asked knows,
    /// with each unknown card everywhere where it may be: if it then differs, only that is said.
    fn value_told(&mut self, asked: &str) -> Option<Result<String, String>> {
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
                Answer::Value(told).text(Fold::Folded)
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
        for seat in game.standing(&rules) {
            let rows = game.score_rows(&rules, seat);
            let rows: Vec<String> =
                rules.score.iter().zip(&rows).filter(|(_, row)| **row != 0).map(|((name, _), row)| format!("{name} {row}")).collect();
            let all = game.score(&rules, seat);
            let rows = if rows.len() > 1 { format!(" ({})", rows.join(", ")) } else { String::new() };
            lines.push(format!("{}: {all} points{rows}", seat_name(seat)));
        }
        if let ([points], true) = (&(0..rules.players).map(|seat| game.score(&rules, seat)).collect::<Vec<_>>()[..], game.finished()) {
            lines.extend(rules.honour(*points).map(|place| format!("beside {}", rules.honours[place].0)));
        }
        let winners: Vec<String> = game.winners(&rules).into_iter().map(seat_name).collect();
        if game.finished() {
            lines.push(match winners.as_slice() {
                [] => "nobody has won".to_string(),
                [one] => format!("{one} has won"),
                several => format!("{} have won together", several.join(" and ")),
            });
        }
        lines.push(format!("seed {}, state {:016x}", game.seed(), game.hash()));
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

/// Writes a file in one piece: who looks at it sees all of it or what was there before.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let beside = PathBuf::from(format!("{}.part", path.display()));
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|fault| {
        // Half a file helps nobody; where even that cannot be taken away, it stays.
        let _ = std::fs::remove_file(&beside);
        format!("cannot write `{}`: {fault}", path.display())
    })
}
