//! Asks questions and continues with the answers. An op that asks changes nothing but its own operands before it has the answer: it is
//! executed again with the answer, or to list the options when a state is resumed.

use super::decision::{Act, Decision, Opt, Question, Stop};
use super::machine::Machine;
use super::op::Pc;
use super::options::{self, MAX_OPTIONS};
use super::state::{AnsweredAhead, Frame};
use super::store::Store;
use super::{alike, card_log, dealt, forgetting};
use crate::cast;

/// Asks a question. Without options it is skipped (`None`); a single option is chosen automatically. `list` adds the options; it is not
/// called if the answer is known already.
///
/// # Errors
/// [`Stop::Ask`] if the question is open now.
pub(crate) fn ask(
    machine: &mut Machine<'_>,
    seat: usize,
    question: Question,
    list: impl FnOnce(&mut Store<'_>, &mut Vec<Opt>),
) -> Result<Option<Opt>, Stop> {
    let rules = machine.store.rules;
    if let Some(chosen) = machine.memory.run.chosen.take() {
        machine.store.state.record_answer(machine.store.rules.layout.len, chosen);
        card_log::log_answer(&mut machine.store, seat, question, chosen);
        return Ok(Some(chosen));
    }
    let mut options = std::mem::take(&mut machine.memory.scratch.options);
    options.clear();
    list(&mut machine.store, &mut options);
    if !options.is_empty() {
        forgetting::forget_moved(&mut machine.store)?;
    }
    if !rules.dealt_cards.is_empty() {
        dealt::choose_dealt_card(&mut machine.store, seat, &mut options)?;
    }
    if options.iter().any(|option| option.act.may_name_card()) {
        alike::merge_alike(&machine.store, seat, 0, &mut options);
        number_duplicates(&mut options);
        options::hide_unseen(&machine.store, seat, &mut options);
    }
    let taken = match options[..] {
        [] => None,
        [only] => {
            record_automatic(&mut machine.store, seat, only);
            Some(only)
        }
        _ => match machine.store.state.answered_ahead(machine.store.rules.layout.len, &options) {
            AnsweredAhead::Chosen(option) => {
                card_log::log_answer(&mut machine.store, seat, question, option);
                Some(option)
            }
            AnsweredAhead::Open => return open(machine, Decision { seat, question, options }),
            AnsweredAhead::AskAllFirst => {
                machine.memory.scratch.options = options;
                return Err(Stop::Ask);
            }
        },
    };
    machine.memory.scratch.options = options;
    Ok(taken)
}

/// Opens a question.
///
/// # Errors
/// [`Stop::Ask`], or a fault if there are too many options.
pub(crate) fn open<T>(machine: &mut Machine<'_>, decision: Decision) -> Result<T, Stop> {
    let rules = machine.store.rules;
    if decision.options.len() > MAX_OPTIONS {
        let question = decision.question.text(rules);
        return Err(Stop::fault(format!(
            "question `{question}` has more answers than can be listed, which are {MAX_OPTIONS}: ask in two steps, the first of which leaves fewer for the second"
        )));
    }
    machine.memory.pending = Some(decision);
    Err(Stop::Ask)
}

fn record_automatic(store: &mut Store<'_>, seat: usize, only: Opt) {
    store.live.running.answered = Some((cast::seat(seat), only));
    if store.live.log.automatic_answers.is_some() && !store.is_collecting_answers() {
        store.live.log.automatic_answers.get_or_insert_with(Vec::new).push((cast::seat(seat), only));
    }
}

/// [`super::op::Op::Ask`]: asks a question of the rules, and jumps to the body of the chosen option.
pub(crate) fn ask_rules(machine: &mut Machine<'_>, question: u32, list: u32, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let asked = &rules.questions[question as usize];
    let env = &mut frame.env;
    let chosen = ask(machine, env.me, Question::Rules(question), |game, options| {
        options::list_question(game, question, env, options);
        if asked.may && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
    })?;
    let targets = &rules.ops.choices[list as usize];
    frame.pc = match chosen {
        Some(option) => begin_of_choice(&machine.store, question, targets, option, frame),
        None => targets[targets.len() - 2],
    };
    Ok(())
}

/// Returns the start of the body of the chosen option; stores the chosen values in their locals. `choose nothing` leads behind all bodies.
pub(crate) fn begin_of_choice(store: &Store<'_>, question: u32, targets: &[Pc], chosen: Opt, frame: &mut Frame) -> Pc {
    let rules = store.rules;
    let behind = targets[targets.len() - 1];
    let Act::Choice(choice, args) = chosen.act else { return behind };
    frame.env.set_args(&rules.choices[choice as usize].params, args);
    let mut begins = rules.questions[question as usize].choices.iter().zip(targets);
    begins.find(|(offered, _)| **offered == choice).map_or(behind, |(_, begin)| *begin)
}

/// Makes the keys of options unique: a number is added to the later ones of equal keys.
pub(super) fn number_duplicates(options: &mut [Opt]) {
    for i in 1..options.len() {
        let numbered = |option: &Opt| option.act.may_name_card();
        // A card may have the same name as a word.
        let is_alike = |o: &Opt| o.key == options[i].key && o.nth == 0 && (numbered(&options[i]) || numbered(o));
        if options[..i].iter().any(is_alike) {
            let nth = options[..i].iter().filter(|o| same_words(o, &options[i])).count();
            options[i].nth = u16::try_from(nth).unwrap_or(u16::MAX);
            options[i].key = houserule_state::chance::join(options[i].key, nth as u64);
        }
    }
}

fn same_words(a: &Opt, b: &Opt) -> bool {
    match (a.act, b.act) {
        (Act::Card(_) | Act::Choice(..), _) | (_, Act::Card(_) | Act::Choice(..)) => {
            a.key == b.key || (1..=a.nth as u64).any(|n| houserule_state::chance::join(b.key, n) == a.key)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Numbers the options of a list, and returns the numbers except for those of a range, with the number of different keys.
    fn numbered(acts: &[Act], other: std::ops::Range<usize>) -> (Vec<u16>, usize) {
        let mut options: Vec<Opt> = acts.iter().map(|&act| Opt { key: 5, act, free: false, nth: 0 }).collect();
        options[other].iter_mut().for_each(|option| option.key = 6);
        number_duplicates(&mut options);
        (options.iter().map(|option| option.nth).collect(), options.iter().map(|option| option.key).collect::<BTreeSet<_>>().len())
    }

    #[test]
    fn options_that_read_alike_are_numbered_and_have_keys_of_their_own() {
        let card = Act::Card;
        assert_eq!(numbered(&[card(1), card(2), card(3), card(4)], 2..3), (vec![0, 1, 0, 2], 4));
        for other in [Act::Word(1), Act::Nothing, Act::Token(0, 255)] {
            assert_eq!(numbered(&[other, card(1), card(2)], 0..0), (vec![0, 1, 2], 3), "{other:?}");
        }
        assert_eq!(numbered(&[card(1), Act::Word(1), card(2)], 0..0).1, 3, "in whichever order they are offered");
    }
}
