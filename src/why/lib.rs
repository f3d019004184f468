//! Answers questions about a game, in the words of the rules and cards, with locations: how a value comes about, why an option is refused,
//! and which cards react to a moment.
//!
//! The compiled ruleset no longer contains the text of the rules, and constants for the chosen options have been folded. Explanations are
//! therefore made from the typed tree: each part is compiled again and evaluated by the engine ([`crate::engine::inspect`]), and the rules
//! say how the parts make up the whole. Invariant: for each [`Explanation`], [`Explanation::recount`] returns its value, which is also the
//! engine's value.
#![warn(clippy::wildcard_enum_match_arm)]

pub(crate) use houserule_engine as engine;
pub(crate) use houserule_numbers::{cast, compare};
pub(crate) use houserule_pack as pack;
pub(crate) use houserule_rules as lang;
pub(crate) use houserule_source::{diagnostic, source};
pub(crate) use houserule_state as state;
pub(crate) use houserule_syntax as syntax;

mod entries;
#[allow(clippy::wildcard_enum_match_arm, reason = "sums are taken apart by their signs, and all else is a part")]
mod explainer;
mod explanation;
mod in_play;
mod moment;
mod named;
mod option;
mod question;
mod subjects;
mod text;
#[allow(clippy::wildcard_enum_match_arm, reason = "of most expressions their words say it all")]
mod words;

use std::cell::Cell;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::eval::Env;
use crate::engine::{Game, Ruleset};
use crate::lang::checked::Checked;
use crate::lang::defs::DefKind;
use crate::lang::reader::LineReader;
use crate::lang::{GameText, Setup};
use crate::pack::RawCard;
use crate::source::{FileId, Sources};
use crate::syntax::parse_expr;
use explainer::{Explainer, NameScope};
pub use explanation::{Derivation, Explanation, PartRole};
pub use moment::{ListenerStep, MomentExplanation, MomentListener};
pub use option::{OptionCheck, OptionExplanation};
pub use subjects::Subjects;
pub use text::{DetailLevel, FOLDED_NOTE};
use words::SourceTexts;

/// The file name for texts that a user has typed.
const TYPED_FILE_NAME: &str = "what was asked";

/// Explains positions of a game with a given number of players and choice of options.
pub struct Why {
    reader: LineReader,
    checked: Arc<Checked>,
    rules: Arc<Ruleset>,
    sources: Sources,
    card_names: Vec<String>,
    excerpts: words::ExcerptCache,
    /// The seat that receives the explanation. Without one, hidden cards are explained too.
    viewer: Option<usize>,
    /// Whether the explanation has used anything that this seat does not know.
    read_hidden: Cell<bool>,
}

/// The answer to a question of a user.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyAnswer {
    /// The explanation of a value.
    Value(Explanation),
    /// Why an option is allowed or refused.
    Option(OptionExplanation),
    /// Which cards react to a moment.
    Moment(MomentExplanation),
}

impl Why {
    /// Prepares a game for questions. `setup` must be that of the games to explain. Returns `None` if there are errors, which are added to
    /// `diagnostics`.
    pub fn open(sources: &Sources, text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Why> {
        let reader = crate::lang::open_reader(text, setup, diagnostics)?;
        let checked = Arc::clone(text.checked());
        let card_names = checked.cards().iter().map(|card| card.name.text.clone()).collect();
        let rules = Arc::new(reader.rules().clone());
        Some(Why {
            reader,
            checked,
            rules,
            sources: sources.clone(),
            card_names,
            excerpts: words::ExcerptCache::default(),
            viewer: None,
            read_hidden: Cell::new(false),
        })
    }

    /// Replaces the names of cards, for example by translations.
    pub fn rename_cards(&mut self, card_names: impl Fn(&RawCard) -> String) {
        self.card_names = self.checked.cards().iter().map(card_names).collect();
    }

    /// Makes explanations for a seat from now on. Cards that it does not know are not named.
    pub fn explain_to(&mut self, seat: usize) {
        self.viewer = Some(seat);
    }

    /// Whether anything that the seat does not know was used since the last call.
    pub fn take_read_hidden(&self) -> bool {
        self.read_hidden.take()
    }

    /// Returns the ruleset of the games to explain.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// Returns the sources for messages, including the texts of questions.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    fn make_explainer<'a>(&'a mut self, game: &Game, wrong: &'a mut Vec<Diagnostic>) -> Explainer<'a> {
        let Why { reader, checked, sources, card_names, excerpts, viewer, read_hidden, .. } = self;
        let low = reader.lowerer(wrong);
        let words = SourceTexts { sources, cards: checked.cards(), card_names, excerpts };
        let mut game = game.clone();
        viewer.iter().for_each(|&seat| game.watch(seat));
        let entries = checked.entries();
        Explainer {
            tree: low.tree,
            entries,
            source_texts: words,
            lowerer: low,
            game,
            part_count: 0,
            lowered: explainer::LoweredCache::default(),
            viewer: *viewer,
            read_hidden,
        }
    }

    /// Answers a question: the key of an option, `moment NAME`, `moment NAME CARD`, or an expression in which players and cards can be
    /// named. An ambiguous question is taken as a value first, then as an option, then as a moment.
    ///
    /// # Errors
    /// A diagnostic if the question is none of these.
    pub fn ask(&mut self, game: &Game, seat: usize, asked: &str) -> Result<WhyAnswer, Box<Diagnostic>> {
        let asked = asked.trim();
        let words: Vec<&str> = asked.split_whitespace().collect();
        match words[..] {
            ["moment", name] => return self.explain_moment(game, seat, name, None).map(WhyAnswer::Moment),
            ["moment", name, card] => return self.explain_moment(game, seat, name, Some(card)).map(WhyAnswer::Moment),
            _ => {}
        }
        let is_moment = |word: &str| self.rules.moments.iter().any(|moment| moment == word);
        let is_key = asked.starts_with("choose ")
            || game.decision().is_some_and(|decision| decision.options.iter().any(|option| option.text(&self.rules) == asked));
        if is_key || !self.is_value(asked) && self.is_action(asked) {
            return self.explain_option(game, seat, asked).map(WhyAnswer::Option);
        }
        if !self.is_value(asked) {
            match words[..] {
                [name] if is_moment(name) => return self.explain_moment(game, seat, name, None).map(WhyAnswer::Moment),
                [name, card] if is_moment(name) => return self.explain_moment(game, seat, name, Some(card)).map(WhyAnswer::Moment),
                _ => {}
            }
        }
        let told = self.explain_value(game, seat, asked);
        if told.is_err() && words.len() > 1 && self.answers_to(game, asked) {
            return self.explain_option(game, seat, asked).map(WhyAnswer::Option);
        }
        told.map(WhyAnswer::Value)
    }

    /// Whether a key names an answer to the open question, offered or not.
    fn answers_to(&mut self, game: &Game, key: &str) -> bool {
        game.decision().cloned().is_some_and(|decision| self.known_answers(game, &decision).iter().any(|known| known == key))
    }

    /// Explains the value of an expression in which players and cards can be named. `score` means all points, and the name of a score row
    /// means that row. `seat` is the player meant where none is named.
    ///
    /// # Errors
    /// A diagnostic if the expression is invalid or has no value.
    pub fn explain_value(&mut self, game: &Game, seat: usize, asked: &str) -> Result<Explanation, Box<Diagnostic>> {
        if seat >= self.rules.players {
            let message = format!("there is no player {}; there are {}", seat + 1, self.rules.players);
            return Err(Box::new(Diagnostic::error("G101", None, message)));
        }
        let score = &self.reader.tree().score;
        let whole = asked == subjects::SCORE && !score.is_empty();
        // A quoted name means a score row first; a name without quotes means a value of the rules first.
        let of_row = !whole && (asked.starts_with('"') || !self.is_value(asked));
        let row = score.iter().position(|(name, _)| of_row && name == asked.trim_matches('"'));
        if row.is_some() || whole {
            return self.with_explainer(game, |explainer| explainer.explain_points(row, seat)).ok_or_else(|| no_value_error(asked));
        }
        if asked == subjects::WORTH || asked.starts_with("worth ") {
            return self.explain_worth(game, seat, asked.strip_prefix("worth").unwrap_or("").trim());
        }
        let quoted = match self.reader.is_condition(asked) {
            true if asked.contains(' ') => format!("\"{asked}\""),
            _ => asked.to_string(),
        };
        let file = FileId(u32::try_from(self.sources.len()).unwrap_or(u32::MAX));
        let mut wrong = Vec::new();
        let parsed = parse_expr(file, &quoted, 0, &mut wrong);
        // The text is needed for messages and for the wording of the parts.
        self.sources.add(TYPED_FILE_NAME, quoted.as_str());
        let Some(parsed) = parsed.filter(|_| wrong.is_empty()) else {
            return Err(wrong.into_iter().next().map_or_else(|| no_value_error(asked), Box::new));
        };
        let (expr, _) = self.reader.typed(&parsed).map_err(|found| self.with_suggestion(asked, found))?;
        let mut wrong = Vec::new();
        let mark = self.reader.checkpoint();
        let mut explainer = self.make_explainer(game, &mut wrong);
        let told = explainer.explain(&expr, &NameScope::with_bound(LineReader::of_line()), &Env::for_seat(seat));
        drop(explainer);
        self.reader.roll_back(mark);
        let told = told.ok_or_else(|| no_value_error(asked))?;
        let named = quoted_or_one_word(asked) || quoted != asked;
        Ok(if named { Explanation { subject: format!("{asked} of p{}", seat + 1), ..told } } else { told })
    }

    /// Explains how AI players of a style value the state.
    fn explain_worth(&mut self, game: &Game, seat: usize, style: &str) -> Result<Explanation, Box<Diagnostic>> {
        let told = self.with_explainer(game, |explainer| {
            let tree = explainer.tree;
            let worth = tree.worths.iter().find(|worth| worth.style == style)?;
            explainer.explain(
                &worth.value,
                &NameScope::with_bound(crate::lang::lower::Bindings::with_free_locals_from(1)),
                &Env::for_seat(seat),
            )
        });
        let told = told.ok_or_else(|| Box::new(Diagnostic::error("G160", None, format!("the rules say no `worth {style}`"))))?;
        Ok(Explanation { subject: format!("worth {style} to p{}", seat + 1).replace("  ", " "), ..told })
    }

    fn with_explainer<T>(&mut self, game: &Game, f: impl for<'a> FnOnce(&mut Explainer<'a>) -> T) -> T {
        let mut wrong = Vec::new();
        let mark = self.reader.checkpoint();
        let mut explainer = self.make_explainer(game, &mut wrong);
        let done = f(&mut explainer);
        drop(explainer);
        self.reader.roll_back(mark);
        done
    }

    /// Whether the rules define a value with this name.
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
        self.reader.definitions().kind_of(space, name).is_some_and(value)
    }

    /// Adds a suggestion for an unknown name that may be meant as an option or moment.
    fn with_suggestion(&self, asked: &str, found: Box<Diagnostic>) -> Box<Diagnostic> {
        let rules = &self.rules;
        let word = asked.split_whitespace().next().unwrap_or("");
        let actions = rules.actions().iter().map(|action| rules.names.text(action.name));
        let values = self.reader.definitions().all().filter(|(_, one)| self.is_value(&one.name)).map(|(_, one)| one.name.as_str());
        let known = actions.chain(rules.moments.iter().map(String::as_str)).chain(values);
        match nearest(word, known) {
            Some(meant) if meant != word && found.help.is_empty() => Box::new(found.meant(Some(meant))),
            _ => found,
        }
    }
}

impl Explainer<'_> {
    /// Explains the points of a seat, or one row of its score.
    fn explain_points(&mut self, row: Option<usize>, seat: usize) -> Option<Explanation> {
        let scope = NameScope::with_bound(crate::lang::lower::Bindings::with_free_locals_from(1));
        let mut rows = self.explain_score(row, &scope, &Env::for_seat(seat))?;
        if row.is_some() {
            let row = rows.pop()?;
            return Some(Explanation { subject: format!("{} of p{}", row.subject, seat + 1), ..row });
        }
        let value = rows.iter().try_fold(0_i64, |sum, row| sum.checked_add(row.value))?;
        let what = format!("score of p{}", seat + 1);
        Some(Explanation {
            subject: what,
            location: None,
            value,
            value_text: value.to_string(),
            derivation: Derivation::Sum,
            role: PartRole::Part,
            parts: rows,
        })
    }
}

/// Whether the question is a quoted text or a single name without a player.
fn quoted_or_one_word(asked: &str) -> bool {
    let of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ' ' | '"');
    asked.chars().all(of_name) && (asked.split_whitespace().count() == 1 || asked.starts_with('"'))
}

fn no_value_error(asked: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("G161", None, format!("`{asked}` cannot be worked out here: a number is too large, or divided by 0")))
}
