//! Checks whether a player can take an option: `p1 can KEY`, `p1 cannot KEY because …`.

use std::collections::BTreeSet;

use super::problem::ScenarioProblem;
use super::report::describe_question;
use super::trial::{BoxedDiagnostic, Trial, split_words};
use crate::cast;
use crate::diagnostic::nearest;
use crate::engine::decision::{Decision, Question};
use crate::engine::keys;
use crate::engine::refusals::Refusal;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::lang::seat_number;
use crate::meaning::{self, KeyMeaning};
use crate::source::Span;
use crate::syntax::ast::Name;

/// A claim that a seat can or cannot take an option.
pub(super) struct OptionClaim {
    seat: usize,
    key: Name,
    can: bool,
    because: Option<RefusalReason>,
}

/// The expected reason for a refusal.
pub(super) enum RefusalReason {
    /// A part of the refusal's message.
    Text(String),
    /// A condition that must be false, and the names that it contains.
    Condition { node: NodeId, names: BTreeSet<String> },
}

/// Reads a claim from the line `p1 cannot KEY because …` or `p1 can KEY`.
pub(super) fn read_option_claim(
    trial: &mut Trial<'_>,
    seat: &Name,
    key: Name,
    can: bool,
    because: Option<RefusalReason>,
) -> Result<OptionClaim, BoxedDiagnostic> {
    let seat = trial.find_seat(seat)?;
    expect_action_key(trial, seat, &key)?;
    Ok(OptionClaim { seat, key, can, because })
}

/// Returns the words of a key with single blanks between them.
pub(super) fn joined(key: &Name) -> String {
    split_words(key).map(|word| word.text).collect::<Vec<_>>().join(" ")
}

/// Reports a key that no action and no answer of the game can ever have.
pub(super) fn expect_action_key(trial: &mut Trial<'_>, seat: usize, key: &Name) -> Result<(), BoxedDiagnostic> {
    let rules = trial.rules.clone();
    let text = joined(key);
    if (0..cast::fit::<u16>(rules.choices.len())).any(|choice| keys::can_be_key(&rules, choice, &text)) {
        return Ok(());
    }
    let name = split_words(key).next().map_or(String::new(), |word| word.text);
    if !rules.actions().iter().any(|action| rules.names.text(action.name) == name) {
        let names = rules.actions().iter().map(|action| rules.names.text(action.name));
        let near = nearest(&name, names).map(String::from);
        return Err(Box::new(ScenarioProblem::NoAction { name, near }.at(key.span)));
    }
    // A claim about an option that can never exist would always hold, and so test nothing.
    if let KeyMeaning::Absent(choice, absence) = trial.game.on(&rules).meaning_of_key(seat, &text)
        && let Some(unexpected_word) = unexpected_word(&rules, key)
    {
        let why = meaning::describe_absence(&rules, choice, &absence, &text);
        let names = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        let near = nearest(&unexpected_word.text, names).map(String::from);
        return Err(Box::new(ScenarioProblem::NoOption { why, near }.at(unexpected_word.span)));
    }
    Ok(())
}

/// Returns the first word after the action's name that is neither a card nor a word of the action, or that is one too many.
fn unexpected_word(rules: &Ruleset, key: &Name) -> Option<Name> {
    let mut words = split_words(key);
    let name = words.next()?;
    let action = rules.actions().iter().find(|action| rules.names.text(action.name) == name.text)?;
    let joins = |word: &str| action.params.iter().any(|param| param.word.is_some_and(|join| rules.names.text(join) == word));
    let number = |word: &str| keys::number_of_copy(word).is_some();
    let mut cards = 0;
    words.find(|word| {
        let card = rules.find_definition(&word.text).is_some();
        cards += usize::from(card);
        !(joins(&word.text) || number(&word.text) || card && cards <= action.params.len())
    })
}

/// Returns the names in an expression: whole names and their parts, without the words in `JOINING_WORDS`.
pub(super) fn names_in(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.chars().next().is_some_and(char::is_alphabetic))
        .filter(|word| seat_number(word).is_none() && !JOINING_WORDS.contains(word))
        .map(str::to_string)
        .collect()
}

/// Words of the rules language that do not identify what a condition is about.
const JOINING_WORDS: [&str; 16] =
    ["and", "or", "not", "is", "in", "of", "a", "the", "it", "no", "if", "then", "else", "my", "costs", "there"];

/// Checks that the claim holds. The error describes why it does not.
pub(super) fn check_option_claim(trial: &mut Trial<'_>, ability: &OptionClaim, span: Span) -> Result<(), Vec<String>> {
    let OptionClaim { seat, key, can, because } = ability;
    let (seat, key, can) = (*seat, joined(key), *can);
    let key = key.as_str();
    let rules = trial.rules.clone();
    let answers = |question: u32| rules.questions[question as usize].choices.iter().any(|&choice| keys::can_be_key(&rules, choice, key));
    // Between two turns, the turn that comes next is meant, and before a question that has the answer, this question.
    let begins = |decision: &Decision| {
        decision.seat == seat
            && match decision.question {
                Question::Turn(_) => true,
                Question::Rules(question) => answers(question),
                Question::Card(_) | Question::Cover | Question::Payment => false,
            }
    };
    let on_turn = trial.game_at_next_question(span)?.decision().is_some_and(begins);
    let game = if on_turn { trial.game_at_next_question(span)? } else { &mut trial.game };
    let (choice, mut refusals) = match game.on(&rules).meaning_of_key(seat, key) {
        KeyMeaning::Choice(choice, args) => (choice, game.on(&rules).refusals(seat, choice, args)),
        KeyMeaning::Absent(choice, absence) => {
            let reason = meaning::describe_absence(&rules, choice, &absence, key);
            (choice, vec![Refusal { name: "absent".to_string(), reason }])
        }
        KeyMeaning::Unknown => {
            let asked = trial.game_at_next_question(span)?.decision().map(|decision| describe_question(&rules, decision));
            let mut told = vec![format!("p{} is asked nothing that has this answer", seat + 1)];
            told.extend(asked.into_iter().flatten());
            return Err(told);
        }
    };
    if rules.choices[choice as usize].action.is_some()
        && let Some(reason) = not_on_turn(trial, seat, choice, span)?
    {
        refusals.push(Refusal { name: "turn".to_string(), reason });
    }
    let reasons = |refusals: &[Refusal]| {
        let lines: Vec<String> = refusals.iter().map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect();
        lines
    };
    if can {
        if refusals.is_empty() {
            return Ok(());
        }
        let mut why = vec!["it is refused".to_string()];
        why.extend(reasons(&refusals));
        return Err(why);
    }
    if refusals.is_empty() {
        return Err(vec!["nothing is against it".to_string(), "write `can` if that is right, else look at the position".to_string()]);
    }
    match because.as_ref() {
        None => Ok(()),
        Some(RefusalReason::Text(text)) if refusals.iter().any(|refusal| refusal.reason.contains(text.as_str())) => Ok(()),
        Some(RefusalReason::Text(_)) => {
            let mut why = vec!["it is refused for another reason".to_string()];
            why.extend(reasons(&refusals));
            Err(why)
        }
        Some(RefusalReason::Condition { node, names }) => {
            if trial.evaluate(*node, seat) == 0 {
                let mut why = vec!["the condition does not hold".to_string()];
                why.extend(reasons(&refusals));
                return Err(why);
            }
            let shared = refusals.iter().any(|refusal| !names.is_disjoint(&names_of_refusal(trial, choice, refusal)));
            if shared {
                return Ok(());
            }
            let mut why = vec!["what refuses it is about something else".to_string()];
            why.extend(reasons(&refusals));
            Err(why)
        }
    }
}

/// Says why a seat is not on turn, or cannot take an action in this one. Returns `None` if it can.
fn not_on_turn(trial: &mut Trial<'_>, seat: usize, action: u16, span: Span) -> Result<Option<String>, Vec<String>> {
    let (rules, passed) = (trial.rules.clone(), has_passed(trial, seat));
    Ok(match trial.game_at_next_question(span)?.decision() {
        None => Some("the game is over".to_string()),
        Some(decision) => match decision.question {
            Question::Turn(turns) if decision.seat == seat => {
                let turns = &rules.turns[usize::from(turns)];
                let phase = rules.choices[usize::from(action)].address.split('.').next().unwrap_or("");
                let here = turns.actions.contains(&action);
                (!here).then(|| format!("this can be done in phase `{phase}`, not in `{}`", turns.question))
            }
            Question::Turn(_) if passed => Some(format!("p{} has ended its turns", seat + 1)),
            Question::Turn(_) => Some(format!("p{} is on turn, not p{}", decision.seat + 1, seat + 1)),
            Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => {
                Some(format!("nobody is on turn: p{} is asked `{}`", decision.seat + 1, decision.question.text(&rules)))
            }
        },
    })
}

/// Whether a seat has ended its turns in the current part of the round.
fn has_passed(trial: &Trial<'_>, seat: usize) -> bool {
    let at = trial.game.program_part();
    let Some(turns) = trial.rules.turns.iter().find(|turns| turns.part as usize == at) else { return false };
    turns.has_passed(trial.game.cells(), &trial.rules.layout, seat)
}

/// Returns the names that identify a refusal: its own name, the words of its message, and the names in the guard's expression.
fn names_of_refusal(trial: &Trial<'_>, choice: u16, refusal: &Refusal) -> BTreeSet<String> {
    let rules = trial.reader.rules();
    let mut names = names_in(&refusal.reason);
    names.insert(refusal.name.clone());
    names.extend(trial.reader.names_in_guard(&rules.choices[choice as usize], &refusal.name));
    names
}
