//! Checks what a player is offered: `p1 is offered KEY`, `p1 is not offered KEY`.

use super::ability::{expect_action_key, joined};
use super::problem::ScenarioProblem;
use super::report::describe_question;
use super::trial::{BoxedDiagnostic, Trial};
use crate::cast;
use crate::diagnostic::nearest;
use crate::engine::keys::can_be_key;
use crate::engine::ruleset::{Domain, Offer, Ruleset};
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
    let text = joined(&key);
    let rules = trial.rules.clone();
    let first = text.split(' ').next().unwrap_or("");
    if rules.actions().iter().any(|action| rules.names.text(action.name) == first) {
        expect_action_key(trial, seat, &key)?;
    } else if !(0..cast::fit::<u16>(rules.choices.len())).any(|choice| can_be_key(&rules, choice, &text)) {
        let keys = all_answer_keys(&rules);
        let plain = text.rsplit_once(" #").map_or(text.as_str(), |(plain, _)| plain);
        let words = |key: &str| key.strip_prefix("choose ").unwrap_or(key).to_string();
        if !keys.iter().any(|known| words(known) == words(plain)) {
            let heads = rules.actions().iter().map(|action| rules.names.text(action.name)).chain(["choose", "done"]);
            let near = nearest(&text, keys.iter().map(String::as_str)).or(nearest(first, heads)).map(String::from);
            return Err(Box::new(ScenarioProblem::NoAnswer { key: text, near }.at(key.span)));
        }
    }
    Ok(OfferClaim { seat, key: text, not })
}

/// Returns the keys of answers that the rules tell by themselves: words, cards, tokens. Actions are not included.
fn all_answer_keys(rules: &Ruleset) -> Vec<String> {
    let mut keys = Vec::new();
    for choice in &rules.choices[rules.action_count..] {
        let name = rules.names.text(choice.name);
        match choice.params.first().map(|param| &param.domain) {
            None if choice.chooses => keys.push(format!("choose {name}")),
            None => keys.push(name.to_string()),
            Some(Domain::Words(words)) if choice.text.is_none() && choice.params.len() == 1 => {
                keys.extend(words.iter().map(|(word, _)| format!("{name} {}", rules.names.text(*word))));
            }
            Some(Domain::Words(_) | Domain::Cards(_) | Domain::Numbers { .. } | Domain::Players(_)) => {}
        }
    }
    let of_cards = rules.ops.card_questions.iter().flat_map(|ask| &ask.offers);
    keys.extend(of_cards.filter_map(|(offer, _)| match offer {
        Offer::Word(name) => Some(format!("choose {}", rules.names.text(*name))),
        Offer::Cards(_) => None,
    }));
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
