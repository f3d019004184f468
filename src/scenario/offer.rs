//! Checks what a player is offered: `p1 is offered KEY`, `p1 is not offered KEY`.

use super::ability::expect_action_key;
use super::problem::ScenarioProblem;
use super::report::describe_question;
use super::trial::{BoxedDiagnostic, Trial, split_words};
use crate::diagnostic::nearest;
use crate::engine::ruleset::{Offer, Ruleset};
use crate::source::Span;
use crate::syntax::ast::Name;

/// A claim that the next question offers an option to a seat, or does not.
pub(super) struct OfferClaim {
    seat: usize,
    key: String,
    not: bool,
}

/// Reads a claim from the parts of its line. Reports a key that no question of the game can have.
pub(super) fn read_offer_claim(trial: &mut Trial<'_>, seat: &Name, key: Name, not: bool) -> Result<OfferClaim, BoxedDiagnostic> {
    let seat = trial.find_seat(seat)?;
    let text = split_words(&key).map(|word| word.text).collect::<Vec<_>>().join(" ");
    let rules = trial.rules.clone();
    let first = text.split(' ').next().unwrap_or("");
    if rules.actions.iter().any(|action| rules.names.text(action.name) == first) {
        expect_action_key(trial, seat, &key)?;
    } else {
        let keys = all_answer_keys(&rules);
        let plain = text.rsplit_once(" #").map_or(text.as_str(), |(plain, _)| plain);
        let words = |key: &str| key.strip_prefix("choose ").unwrap_or(key).to_string();
        if !keys.iter().any(|known| words(known) == words(plain)) && !is_number_offered(&rules, plain) {
            let heads = rules.actions.iter().map(|action| rules.names.text(action.name)).chain(["choose", "done"]);
            let near = nearest(&text, keys.iter().map(String::as_str)).or(nearest(first, heads)).map(String::from);
            return Err(Box::new(ScenarioProblem::NoAnswer { key: text, near }.at(key.span)));
        }
    }
    Ok(OfferClaim { seat, key: text, not })
}

/// Whether the key chooses a number and some question of the rules offers numbers.
fn is_number_offered(rules: &Ruleset, key: &str) -> bool {
    let number = key.strip_prefix("choose ").is_some_and(|number| number.parse::<i32>().is_ok());
    number && rules.questions.iter().flat_map(|question| &question.choices).any(|choice| matches!(choice.offer, Offer::Numbers { .. }))
}

/// Returns the keys of all answers to questions of effects and cards. Actions are not included.
fn all_answer_keys(rules: &Ruleset) -> Vec<String> {
    let of_rules = rules.questions.iter().flat_map(|question| &question.choices).map(|choice| &choice.offer);
    let of_cards = rules.ops.card_questions.iter().flat_map(|ask| &ask.offers).map(|offer| &offer.0);
    let mut keys: Vec<String> = of_rules
        .chain(of_cards)
        .flat_map(|offer| match offer {
            Offer::Word { name, bare: true } => vec![rules.names.text(*name).to_string()],
            Offer::Word { name, bare: false } => vec![format!("choose {}", rules.names.text(*name))],
            Offer::Words { words, .. } => words.iter().map(|(name, _)| format!("choose {}", rules.names.text(*name))).collect(),
            Offer::Cards(_) | Offer::Numbers { .. } => Vec::new(),
        })
        .collect();
    // Cards, units of a payment, and tokens, possibly with their pool.
    let things = rules.definitions.iter().map(|definition| definition.id).chain(rules.resources.iter().copied());
    keys.extend(things.map(|name| format!("choose {}", rules.names.text(name))));
    for key in rules.classes.iter().map(|class| rules.names.text(class.key)) {
        keys.push(format!("choose {key}"));
        keys.extend(rules.pools.iter().map(|pool| format!("choose {} {key}", rules.names.text(pool.name))));
    }
    keys.extend(["choose nothing".to_string(), "done".to_string()]);
    keys
}

/// Checks that the claim holds. If it does not, the error lists the open question and its options.
pub(super) fn check_offer_claim(trial: &mut Trial<'_>, offered: &OfferClaim, span: Span) -> Result<(), Vec<String>> {
    let rules = trial.rules.clone();
    let OfferClaim { seat, key, not } = offered;
    let Some(decision) = trial.game_at_next_question(span)?.decision() else {
        return Err(vec!["nobody is asked: the game is over".to_string()]);
    };
    let mut told = describe_question(&rules, decision);
    if decision.seat != *seat {
        told.insert(0, format!("p{} is asked, not p{}", decision.seat + 1, seat + 1));
        return Err(told);
    }
    if decision.options.iter().any(|option| option.matches_key(&rules, key)) != *not {
        return Ok(());
    }
    told.insert(0, if *not { "it is offered" } else { "it is not offered" }.to_string());
    Err(told)
}
