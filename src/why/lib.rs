//! Why: where a value comes from, what speaks against an option, and which cards speak at a moment, in the words of the rules and of
//! the cards, with file and line.
//!
//! A ruleset has forgotten the words that it was made of, and what players and options settle is folded in it. So an explanation is
//! made from the typed tree, part by part: each part is lowered once more and worked out by the engine ([`crate::engine::inspect`]);
//! how parts make the whole is what the rules say. Law: for each [`Explanation`], [`Explanation::recount`] is its value, and the value
//! is the engine's.
#![warn(clippy::wildcard_enum_match_arm)]
// Tests may panic, and write the files that they read.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]
// Numbers in tests are small, and a wrong one fails the test.
#![cfg_attr(test, allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::{cast, compare};
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;
pub(crate) use houserule_syntax as syntax;

mod entries;
mod explanation;
mod moment;
mod option;
mod question;
mod speech;
mod subjects;
mod text;
#[allow(clippy::wildcard_enum_match_arm, reason = "sums are taken apart by their signs, and all else is a part")]
mod walk;
#[allow(clippy::wildcard_enum_match_arm, reason = "of most expressions their words say it all")]
mod words;

use std::cell::Cell;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::eval::Env;
use crate::engine::{Game, Ruleset};
use crate::lang::checked::Checked;
use crate::lang::defs::DefKind;
use crate::lang::reader::Reader;
use crate::lang::{GameText, Setup};
use crate::pack::RawCard;
use crate::source::{FileId, Sources};
use crate::syntax::parse_expr;
pub use explanation::{Explanation, How, Role};
pub use moment::{Doing, Hearer, MomentWhy};
pub use option::{Check, OptionWhy};
pub use subjects::Subjects;
pub use text::Fold;
use walk::{Scope, Walk};
use words::Words;

/// The name of what a user types, which stands in no file.
const TYPED: &str = "what was asked";

/// Explains a game for a number of players and a choice of options.
pub struct Why {
    reader: Reader,
    checked: Arc<Checked>,
    rules: Arc<Ruleset>,
    sources: Sources,
    called: Vec<String>,
    taken: words::Taken,
    /// For whom it is explained; without a seat everything is told.
    eyes: Option<usize>,
    /// Whether what was explained last rests on anything that this seat does not know.
    read_hidden: Cell<bool>,
}

/// An answer to what was asked.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Where a value comes from.
    Value(Explanation),
    /// Why an option is possible or not.
    Option(OptionWhy),
    /// Who speaks at a moment.
    Moment(MomentWhy),
}

impl Why {
    /// Opens a game for questions; the setup is that of the games that are asked about. `None` when there is an error among the
    /// diagnostics.
    pub fn open(sources: &Sources, text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Why> {
        let reader = crate::lang::open(text, setup, diagnostics)?;
        let checked = Arc::clone(text.checked());
        let called = checked.cards().iter().map(|card| card.name.text.clone()).collect();
        let rules = Arc::new(reader.rules().clone());
        Some(Why {
            reader,
            checked,
            rules,
            sources: sources.clone(),
            called,
            taken: words::Taken::default(),
            eyes: None,
            read_hidden: Cell::new(false),
        })
    }

    /// Calls cards by other names, such as those of another language.
    pub fn call_cards(&mut self, called: impl Fn(&RawCard) -> String) {
        self.called = self.checked.cards().iter().map(called).collect();
    }

    /// Explains from now on to somebody who sits at a seat: cards that the seat does not know are not named.
    pub fn explain_to(&mut self, seat: usize) {
        self.eyes = Some(seat);
    }

    /// Whether what was explained since this was asked last rests on anything that the seat does not know to which it is explained.
    pub fn take_read_hidden(&self) -> bool {
        self.read_hidden.take()
    }

    /// The ruleset, which is that of the games that are asked about.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The texts, with what was asked among them: for messages.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    fn walk<'a>(&'a mut self, game: &Game, wrong: &'a mut Vec<Diagnostic>) -> Walk<'a> {
        let Why { reader, checked, sources, called, taken, eyes, read_hidden, .. } = self;
        let low = reader.lowerer(wrong);
        let words = Words { sources, cards: checked.cards(), called, taken };
        let mut game = game.clone();
        eyes.iter().for_each(|&seat| game.watch(seat));
        let entries = checked.entries();
        Walk { tree: low.tree, entries, words, low, game, parts: 0, known: walk::Known::default(), eyes: *eyes, read_hidden }
    }

    /// Answers what is asked in the words of a user: the key of an option, `moment NAME`, `moment NAME CARD`, or an expression of the
    /// rules, in which players and cards can be named. What could be several of these is a value first, then an option, then a moment.
    ///
    /// # Errors
    /// What is wrong with the question.
    pub fn ask(&mut self, game: &Game, seat: usize, asked: &str) -> Result<Answer, Box<Diagnostic>> {
        let asked = asked.trim();
        let words: Vec<&str> = asked.split_whitespace().collect();
        match words[..] {
            ["moment", name] => return self.moment(game, seat, name, None).map(Answer::Moment),
            ["moment", name, card] => return self.moment(game, seat, name, Some(card)).map(Answer::Moment),
            _ => {}
        }
        let is_moment = |word: &str| self.rules.moments.iter().any(|moment| moment == word);
        let is_key = asked.starts_with("choose ")
            || game.decision().is_some_and(|decision| decision.options.iter().any(|option| option.text(&self.rules) == asked));
        if is_key || !self.is_value(asked) && self.is_action(asked) {
            return self.option(game, seat, asked).map(Answer::Option);
        }
        if !self.is_value(asked) {
            match words[..] {
                [name] if is_moment(name) => return self.moment(game, seat, name, None).map(Answer::Moment),
                [name, card] if is_moment(name) => return self.moment(game, seat, name, Some(card)).map(Answer::Moment),
                _ => {}
            }
        }
        let told = self.value(game, seat, asked);
        if told.is_err() && words.len() > 1 && self.answers_to(game, asked) {
            return self.option(game, seat, asked).map(Answer::Option);
        }
        told.map(Answer::Value)
    }

    /// Whether it is an answer that the open question knows.
    fn answers_to(&mut self, game: &Game, key: &str) -> bool {
        game.decision().cloned().is_some_and(|decision| self.answers_known(game, &decision).iter().any(|known| known == key))
    }

    /// Where a value comes from: an expression of the rules, in which players and cards can be named; `score` for all points, or the
    /// name of a row of the score. `seat` is the player spoken of where none is named.
    ///
    /// # Errors
    /// What is wrong with the expression, or that it has no value.
    pub fn value(&mut self, game: &Game, seat: usize, asked: &str) -> Result<Explanation, Box<Diagnostic>> {
        if seat >= self.rules.players {
            let message = format!("there is no player {}; there are {}", seat + 1, self.rules.players);
            return Err(Box::new(Diagnostic::error("G101", None, message)));
        }
        let score = &self.reader.tree().score;
        let whole = asked == subjects::SCORE && !score.is_empty();
        // In quotes it is a row first, without them a value of the rules.
        let of_row = !whole && (asked.starts_with('"') || !self.is_value(asked));
        let row = score.iter().position(|(name, _)| of_row && name == asked.trim_matches('"'));
        if row.is_some() || whole {
            return self.with_walk(game, |walk| walk.points(row, seat)).ok_or_else(|| no_value(asked));
        }
        if asked == subjects::WORTH || asked.starts_with("worth ") {
            return self.worth(game, seat, asked.strip_prefix("worth").unwrap_or("").trim());
        }
        let quoted = match self.reader.is_condition(asked) {
            true if asked.contains(' ') => format!("\"{asked}\""),
            _ => asked.to_string(),
        };
        let file = FileId(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let mut wrong = Vec::new();
        let parsed = parse_expr(file, &quoted, 0, &mut wrong);
        // The text is needed for messages, and for the words of the parts.
        self.sources.add(TYPED, quoted.as_str());
        let Some(parsed) = parsed.filter(|_| wrong.is_empty()) else {
            return Err(wrong.into_iter().next().map_or_else(|| no_value(asked), Box::new));
        };
        let (expr, _) = self.reader.typed(&parsed).map_err(|found| self.did_you_mean(asked, found))?;
        let mut wrong = Vec::new();
        let mark = self.reader.mark();
        let mut walk = self.walk(game, &mut wrong);
        let told = walk.explain(&expr, &Scope::of(Reader::of_line()), &Env::of(seat));
        drop(walk);
        self.reader.take_back(mark);
        let told = told.ok_or_else(|| no_value(asked))?;
        let named = quoted_or_one_word(asked) || quoted != asked;
        Ok(if named { Explanation { what: format!("{asked} of p{}", seat + 1), ..told } } else { told })
    }

    /// What a state is worth to machine players of a style.
    fn worth(&mut self, game: &Game, seat: usize, style: &str) -> Result<Explanation, Box<Diagnostic>> {
        let told = self.with_walk(game, |walk| {
            let tree = walk.tree;
            let worth = tree.worths.iter().find(|worth| worth.style == style)?;
            walk.explain(&worth.value, &Scope::of(crate::lang::lower::Env::from(1)), &Env::of(seat))
        });
        let told = told.ok_or_else(|| Box::new(Diagnostic::error("G160", None, format!("the rules say no `worth {style}`"))))?;
        Ok(Explanation { what: format!("worth {style} to p{}", seat + 1).replace("  ", " "), ..told })
    }

    fn with_walk<T>(&mut self, game: &Game, f: impl for<'a> FnOnce(&mut Walk<'a>) -> T) -> T {
        let mut wrong = Vec::new();
        let mark = self.reader.mark();
        let mut walk = self.walk(game, &mut wrong);
        let done = f(&mut walk);
        drop(walk);
        self.reader.take_back(mark);
        done
    }

    /// Whether a name is that of a value of the rules.
    fn is_value(&self, name: &str) -> bool {
        let space = crate::lang::defs::Space::Value;
        let value = |what: &DefKind| {
            matches!(
                what,
                DefKind::Quantity { .. }
                    | DefKind::Define
                    | DefKind::Constant
                    | DefKind::Condition
                    | DefKind::Variable { .. }
                    | DefKind::Option(_)
            )
        };
        self.reader.definitions().what(space, name).is_some_and(value)
    }

    /// A name that is nothing, where an option or a moment may be meant.
    fn did_you_mean(&self, asked: &str, found: Box<Diagnostic>) -> Box<Diagnostic> {
        let rules = &self.rules;
        let word = asked.split_whitespace().next().unwrap_or("");
        let actions = rules.actions.iter().map(|action| rules.names.text(action.name));
        let values = self.reader.definitions().all().filter(|(_, one)| self.is_value(&one.name)).map(|(_, one)| one.name.as_str());
        let known = actions.chain(rules.moments.iter().map(String::as_str)).chain(values);
        match nearest(word, known) {
            Some(meant) if meant != word && found.help.is_empty() => Box::new(found.meant(Some(meant))),
            _ => found,
        }
    }
}

impl Walk<'_> {
    /// The points of a seat, or one row of them.
    fn points(&mut self, row: Option<usize>, seat: usize) -> Option<Explanation> {
        let scope = Scope::of(crate::lang::lower::Env::from(1));
        let mut rows = self.score(row, &scope, &Env::of(seat))?;
        if row.is_some() {
            let row = rows.pop()?;
            return Some(Explanation { what: format!("{} of p{}", row.what, seat + 1), ..row });
        }
        let value = rows.iter().try_fold(0_i64, |sum, row| sum.checked_add(row.value))?;
        let what = format!("score of p{}", seat + 1);
        Some(Explanation { what, at: None, value, says: value.to_string(), how: How::Sum, role: Role::Part, parts: rows })
    }
}

/// Whether what is asked is but a name, of which it is not said whose it is.
fn quoted_or_one_word(asked: &str) -> bool {
    let of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ' ' | '"');
    asked.chars().all(of_name) && (asked.split_whitespace().count() == 1 || asked.starts_with('"'))
}

fn no_value(asked: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("G161", None, format!("`{asked}` cannot be worked out here: a number is too large, or divided by 0")))
}
