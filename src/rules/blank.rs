//! Compiles a game in which one card has no effects: everything else is laid out, and has the code, as if it had them, so that much of the
//! work is done once for all cards.

use super::checked::lower_cards;
use super::compile::{compile, finish, players, report_checked};
use super::{GameText, Setup};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::ruleset::Ruleset;
use crate::pack::RawCard;

/// Compiles a game with one card in place of that with its id; this card has neither entries nor a condition under which it leaves the game,
/// nor other figures than it needs. Games go as by the rules that [`compile`] makes of the same game with this card, and `None` and
/// `diagnostics` are as there.
///
/// The rules are not checked anew, so that this is faster.
pub fn compile_without_effects(text: &GameText, setup: &Setup, card: &RawCard, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let checked = text.checked();
    let number = checked.cards().iter().position(|one| one.id.text == card.id.text);
    let kind = checked.definitions().kind(&card.kind.text);
    let is_silent = |kind: &u16| checked.entries().of_kinds.get(kind).is_none_or(Vec::is_empty);
    let Some(number) = number.filter(|_| kind.as_ref().is_some_and(is_silent)) else {
        // What the kind says, the card says still.
        let mut content = text.content.clone();
        content.cards.iter_mut().filter(|one| one.id.text == card.id.text).for_each(|one| one.clone_from(card));
        return compile(&text.with_content(content), setup, diagnostics);
    };
    let mut cards = checked.cards().to_vec();
    cards[number].clone_from(card);
    report_checked(text, diagnostics);
    let mut rules = lower_cards(checked, (&cards, Some(number)), setup, players(text, setup, diagnostics)?, diagnostics).rules;
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return None;
    }
    finish(text, setup, &mut rules);
    rules.prepare();
    Some(rules)
}
