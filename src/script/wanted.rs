//! What functions want as their arguments, so that a wrong word is told before a script runs.

use super::api::natives;
use super::api::read::{card, seat};
use super::api::rules::{RuleFunction, rule_functions};
use super::api::words::WordTable;
use crate::engine::Stop;
use crate::engine::node::Type;
use crate::engine::ruleset::Ruleset;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a parameter wants.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// What cannot be told before the script runs.
    Anything,
    Player,
    Card,
    Number,
    /// A word with a meaning of some kind, such as a resource, which this checks.
    Word(fn(&WordTable, i64) -> Result<(), Stop>),
    /// What a definition of the rules takes.
    OfRules(Type),
}

impl Wanted {
    /// Checks a word or number that stands in a script.
    ///
    /// # Errors
    /// The fault that the script would have.
    pub fn check(self, words: &WordTable, value: i64) -> Result<(), Stop> {
        let is_word = words.id_of(value).is_some();
        match self {
            Wanted::Anything => Ok(()),
            // How many players and cards there are is not known yet: a number can be one of them.
            Wanted::Player | Wanted::Card | Wanted::OfRules(_) if !is_word => Ok(()),
            Wanted::Player | Wanted::OfRules(Type::Seat) => seat(words.rules(), value).map(drop),
            Wanted::OfRules(ty) if ty.is_piece() => card(words.rules(), value).map(drop),
            Wanted::Card => card(words.rules(), value).map(drop),
            Wanted::OfRules(ty) => words.convert_argument(value, ty).map(drop),
            Wanted::Number => words.expect_number(value).map(drop),
            Wanted::Word(check) => check(words, value),
        }
    }

    /// Returns the words that it takes; `None` where it is no word that is wanted, or any.
    pub fn words(self, words: &WordTable) -> Option<BTreeSet<String>> {
        let takes_words = matches!(self, Wanted::Word(_) | Wanted::OfRules(Type::Resource | Type::RowWord | Type::Kind | Type::Choice(_)));
        let fits = |word: &&str| words.value_of(word).is_some_and(|value| self.check(words, value).is_ok());
        takes_words.then(|| words.all_words().filter(fits).map(str::to_string).collect())
    }
}

/// Returns the words that can be an argument of a function, counted from 0; `None` where it is no word that is wanted, or any.
pub fn words_for(rules: &Arc<Ruleset>, function: &str, argument: usize) -> Option<BTreeSet<String>> {
    let of_natives = natives().iter().filter(|native| native.name == function).map(|native| native.wanted.to_vec());
    let of_rules = rule_functions(rules).into_iter().filter(|known| known.name == function).map(|known| wanted_by_rules(&known));
    let words = WordTable::new(rules);
    let wanted = of_natives.chain(of_rules).filter_map(|wanted| wanted.get(argument).copied());
    let all: Vec<BTreeSet<String>> = wanted.map(|wanted| wanted.words(&words)).collect::<Option<_>>()?;
    (!all.is_empty()).then(|| all.into_iter().flatten().collect())
}

/// What a function of the rules wants: a player first, if anything.
pub(crate) fn wanted_by_rules(function: &RuleFunction) -> Vec<Wanted> {
    let of_rules = function.of.params.iter().map(|param| Wanted::OfRules(param.1));
    [Wanted::Player].into_iter().chain(of_rules).take(function.params.len()).collect()
}
