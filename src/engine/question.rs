//! Asks questions and continues with the answers. An op that asks changes nothing but its own operands before it has the answer: it is
//! executed again with the answer, or to list the options when a state is resumed.

use super::card_log;
use super::dealing;
use super::decision::{Act, Decision, Opt, Question, Stop};
use super::machine::Machine;
use super::offers;
use super::op::Pc;
use super::ruleset::Offer;
use super::sets;
use super::state::{AnsweredAhead, Frame};
use crate::cast;

/// The most options of a question: the spaces of the largest grid, and some more.
pub const MAX_OPTIONS: usize = 1024;

/// Asks a question. Without options it is skipped (`None`); a single option is chosen automatically. `list` adds the options; it is not
/// called if the answer is known already.
///
/// # Errors
/// [`Stop::Ask`] if the question is open now.
pub(crate) fn ask(
    machine: &mut Machine<'_>,
    seat: usize,
    question: Question,
    list: impl FnOnce(&mut Machine<'_>, &mut Vec<Opt>),
) -> Result<Option<Opt>, Stop> {
    let rules = machine.rules;
    if let Some(chosen) = machine.memory.run.chosen.take() {
        machine.state.record_answer(machine.rules.layout.len, chosen);
        card_log::log_answer(machine, seat, question, chosen);
        return Ok(Some(chosen));
    }
    let mut options = std::mem::take(&mut machine.memory.scratch.options);
    options.clear();
    list(machine, &mut options);
    if !rules.dealt_cards.is_empty() {
        dealing::choose_dealt_card(machine, seat, &mut options)?;
    }
    number_duplicates(&mut options);
    hide_unseen(machine, seat, &mut options);
    let taken = match options[..] {
        [] => None,
        [only] => {
            record_automatic(machine, seat, only);
            Some(only)
        }
        _ => match machine.state.answered_ahead(machine.rules.layout.len, &options) {
            AnsweredAhead::Chosen(option) => {
                card_log::log_answer(machine, seat, question, option);
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

/// Removes the names of unknown cards from the options; these are then numbered in order.
pub(crate) fn hide_unseen(machine: &Machine<'_>, seat: usize, options: &mut [Opt]) {
    let rules = machine.rules;
    if !rules.hidden.offers_unseen {
        return;
    }
    let is_unknown = |card: i16| usize::try_from(card).is_ok_and(|card| rules.is_unknown(machine.state.cells(), seat, card));
    let unseen = options.iter_mut().filter(|option| match option.act {
        Act::Card(card) => is_unknown(card),
        Act::Action(_, cards) => cards.into_iter().any(is_unknown),
        Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Token(..) | Act::Nothing | Act::Done => false,
    });
    unseen.enumerate().for_each(|(before, option)| option.hide_card(rules, before));
}

/// Opens a question.
///
/// # Errors
/// [`Stop::Ask`], or a fault if there are too many options.
pub(crate) fn open<T>(machine: &mut Machine<'_>, decision: Decision) -> Result<T, Stop> {
    let rules = machine.rules;
    if decision.options.len() > MAX_OPTIONS {
        let question = decision.question.text(rules);
        return Err(Stop::fault(format!(
            "question `{question}` has more answers than can be listed, which are {MAX_OPTIONS}: ask in two steps, the first of which leaves fewer for the second"
        )));
    }
    machine.memory.pending = Some(decision);
    Err(Stop::Ask)
}

fn record_automatic(machine: &mut Machine<'_>, seat: usize, only: Opt) {
    if machine.memory.log.automatic_answers.is_some() && !machine.is_collecting_answers() {
        machine.memory.log.automatic_answers.get_or_insert_with(Vec::new).push((cast::seat(seat), only));
    }
}

/// [`super::op::Op::Ask`]: asks a question of the rules, and jumps to the body of the chosen option.
pub(crate) fn ask_rules(machine: &mut Machine<'_>, question: u32, list: u32, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.rules;
    let asked = &rules.questions[question as usize];
    let env = &mut frame.env;
    let chosen = ask(machine, env.me, Question::Rules(question), |game, options| {
        for choice in &asked.choices {
            offers::list(game, &choice.offer, choice.when, env, options);
        }
        if asked.may && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
    })?;
    let targets = &rules.ops.choices[list as usize];
    frame.pc = match chosen {
        Some(option) => begin_of_choice(machine, question, targets, option, frame),
        None => targets[targets.len() - 2],
    };
    Ok(())
}

/// The start of the body of the chosen option; stores the chosen value in its local. `choose nothing` leads behind all bodies.
pub(crate) fn begin_of_choice(machine: &mut Machine<'_>, question: u32, targets: &[Pc], chosen: Opt, frame: &mut Frame) -> Pc {
    let rules = machine.rules;
    let choices = &rules.questions[question as usize].choices;
    let several = choices.iter().filter(|choice| matches!(choice.offer, Offer::Cards(_))).count() > 1;
    for (choice, begin) in choices.iter().zip(targets) {
        // The local that holds the chosen value, and the value.
        let bound = match &choice.offer {
            Offer::Word { name, .. } => match chosen.act.word() {
                Some(word) if *name == word => return *begin,
                _ => None,
            },
            Offer::Words { local, words } => {
                let value = words.iter().find(|(name, _)| chosen.act == Act::Word(*name));
                value.map(|&(_, value)| (*local, value))
            }
            Offer::Numbers { local, .. } => {
                if let Act::Number(number) = chosen.act {
                    Some((*local, number))
                } else {
                    None
                }
            }
            Offer::Cards(set) => match chosen.act.card() {
                Some(card) if !several || sets::is_in(machine, *set, card, &mut frame.env) => Some((rules.sets[*set as usize].local, card)),
                _ => None,
            },
        };
        if let Some((local, value)) = bound {
            frame.env.locals[local as usize] = value;
            return *begin;
        }
    }
    targets[targets.len() - 1]
}

/// Makes the keys of options unique: a number is added to the later ones of equal keys.
pub(super) fn number_duplicates(options: &mut [Opt]) {
    for i in 1..options.len() {
        let numbered = |option: &Opt| matches!(option.act, Act::Card(_) | Act::Action(..));
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
        (Act::Card(_), _) | (_, Act::Card(_)) | (Act::Action(..), Act::Action(..)) => {
            a.key == b.key || (1..=a.nth as u64).any(|n| houserule_state::chance::join(b.key, n) == a.key)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, answer, game, options, values};
    use super::*;
    use crate::Game;
    use crate::Ruleset;

    fn stepped(statements: &str) -> (Ruleset, Game) {
        game(&Added {
            setup: "fill row from pile",
            steps: &format!("step night {{ each player where place_in_order == 1 {{ {statements} }} }}"),
            ..Added::default()
        })
    }

    #[test]
    fn one_answer_is_taken_and_none_is_skipped() {
        let (rules, game) = stepped(
            "player chooses { \"a\" { gain 1 wisp } \"b\" if moon > 0 { gain 5 wisp } }; player chooses { \"c\" if moon > 0 { } else { gain 1 fog } }; player chooses { \"d\" if moon > 0 { gain 9 fog } }",
        );
        assert_eq!((values(&rules, &game, "wisp")[0], values(&rules, &game, "fog")[0], game.asks_in_effect()), (4, 4, false));
    }

    #[test]
    fn nothing_can_be_chosen_where_it_may() {
        let (rules, mut game) = stepped("player may choose { \"a\" { gain 1 wisp } }; gain 1 fog");
        assert_eq!(options(&rules, &game), ["choose a", "choose nothing"]);
        answer(&rules, &mut game, "choose nothing");
        assert_eq!((values(&rules, &game, "wisp")[0], values(&rules, &game, "fog")[0]), (3, 4));
    }

    #[test]
    fn the_chosen_card_lies_in_its_local() {
        let (rules, mut game) = stepped("player chooses { each card in row { gain 1 + card.height fog; remove card } }");
        let keys = options(&rules, &game);
        assert_eq!(keys.len(), 4);
        let height = rules.definition(rules.find_definition(keys[0].trim_start_matches("choose ")).unwrap_or(0)).fields[1];
        answer(&rules, &mut game, &keys[0]);
        assert_eq!(values(&rules, &game, "fog")[0], 4 + height as i64);
        assert_eq!(game.position(&rules).pieces_in(rules.places[rules.find_place("row").unwrap_or(0)].first as usize), 3);
    }

    #[test]
    fn words_and_numbers_are_offered_one_by_one() {
        let (rules, mut game) = stepped(
            "player chooses { each r in wisp, fog if amount of r > 2 { gain 1 r } each n in 1 to 3 if n != 2 { gain 10 * n fog } }",
        );
        assert_eq!(options(&rules, &game), ["choose wisp", "choose fog", "choose 1", "choose 3"]);
        let (_, mut other) = (&rules, game.clone());
        answer(&rules, &mut game, "choose fog");
        answer(&rules, &mut other, "choose 3");
        assert_eq!((values(&rules, &game, "fog")[0], values(&rules, &other, "fog")[0]), (4, 33));
        let (rules, mut game) = stepped("player picks any { each r in wisp, fog, up to 2 { lose 1 r } }");
        assert_eq!(options(&rules, &game), ["choose wisp", "choose fog", "done"]);
        ["choose wisp", "choose fog"].iter().for_each(|key| answer(&rules, &mut game, key));
        assert_eq!(options(&rules, &game), ["choose fog", "done"]);
    }

    #[test]
    fn a_question_can_have_an_answer_for_each_space_of_the_largest_grid() {
        let (rules, mut game) = stepped("player chooses { each n in 1 to 900 { gain n wisp } }");
        assert_eq!(options(&rules, &game).len(), 900);
        answer(&rules, &mut game, "choose 900");
        assert_eq!(values(&rules, &game, "wisp")[0], 903);
    }

    #[test]
    fn too_many_numbers_are_a_fault() {
        let steps = "step night { each player { player chooses { each n in 1 to 1000000 { gain n wisp } } } }";
        let fault = super::super::sample::fault(&Added { steps, ..Added::default() });
        assert!(fault.message.contains("more answers than can be listed, which are 1024: ask in two steps"), "{fault}");
    }

    #[test]
    fn picks_have_one_path_to_each_selection() {
        let (rules, mut game) = stepped("player picks any { each card in row, up to 1 + card.height { gain 1 wisp } }");
        let keys = options(&rules, &game);
        assert_eq!((keys.len(), keys[4].as_str()), (5, "done"));
        answer(&rules, &mut game, &keys[2]);
        let more: Vec<String> = options(&rules, &game);
        let tall = rules.find_definition(keys[2].trim_start_matches("choose ")).map_or(0, |card| rules.definitions[card].fields[1]);
        assert_eq!(more, keys[if tall > 0 { 2 } else { 3 }..], "cards ahead of the one picked are not offered again");
        answer(&rules, &mut game, "done");
        assert_eq!((game.asks_in_effect(), values(&rules, &game, "wisp")[0]), (false, 4));
    }

    #[test]
    fn a_mix_is_paid_unit_by_unit_in_declared_order() {
        let (rules, mut game) = stepped("pay 5 of wisp, fog in any mix");
        // Two go unasked: without them fog would not last.
        assert_eq!(options(&rules, &game), ["choose wisp", "choose fog"]);
        assert_eq!(values(&rules, &game, "wisp")[0], 3, "nothing is paid before all is picked");
        answer(&rules, &mut game, "choose fog");
        assert_eq!((values(&rules, &game, "wisp")[0], values(&rules, &game, "fog")[0]), (1, 0));
    }

    #[test]
    fn options_that_read_alike_are_numbered() {
        let option = |card: i16| Opt { key: 5, act: Act::Card(card), free: false, nth: 0 };
        let mut options = [option(1), option(2), Opt { key: 6, ..option(3) }, option(4)];
        number_duplicates(&mut options);
        assert_eq!(options.map(|option| option.nth), [0, 1, 0, 2]);
        let keys: std::collections::BTreeSet<u64> = options.iter().map(|option| option.key).collect();
        assert_eq!(keys.len(), 4);
    }

    #[test]
    fn a_board_of_17_by_17_can_be_asked_about() {
        let rules = r#"
game plain "Plain"
players 2
table { deck pile of stone; grid field 17 by 17 }
player { resource wisp; place den of stone: 1, room 1; each round { flag passed } }
kind stone { slot den; weight: number }
setup { fill field from pile }
rounds 1 of roam
phase roam {
  step look { each player { player chooses { each card in field { gain (10 * row of card + column of card) wisp } } } }
  turns in order until all have passed
  action take card in field { does { gain card.weight wisp } }
  action pass { does { passed = yes } }
}
score { "wisps" = wisp }
wins highest score, then order
"#;
        let cards: String = (0..6).map(|at| format!("[[card]]\nid = \"s{at}\"\nkind = \"stone\"\nweight = {at}\ncopies = 50\n")).collect();
        let setup = crate::lang::Setup { players: 2, ..Default::default() };
        let rules = crate::lang::sample::compiled(rules, &cards, &setup);
        let mut game = Game::new(&rules, 1);
        let mut scripts = crate::NoScripts;
        assert!(game.on(&rules).advance(&mut scripts).is_ok());
        let offered = options(&rules, &game);
        assert_eq!(offered.len(), 17 * 17);
        assert_eq!(offered.iter().collect::<std::collections::BTreeSet<_>>().len(), 17 * 17, "each has words of its own");
        // The last card of the last row.
        assert!(game.on(&rules).answer(&mut scripts, 17 * 17 - 1).is_ok());
        assert!(game.on(&rules).advance(&mut scripts).is_ok());
        assert_eq!(values(&rules, &game, "wisp")[0], 10 * 17 + 17);
        assert!(game.on(&rules).answer(&mut scripts, 0).and_then(|()| game.on(&rules).advance(&mut scripts).map(drop)).is_ok());
        assert_eq!(options(&rules, &game).len(), 17 * 17 + 1, "an action for each space, and passing");
    }

    #[test]
    fn a_card_that_is_called_like_another_answer_has_a_key_of_its_own() {
        let option = |act: Act| Opt { key: 5, act, free: false, nth: 0 };
        for other in [Act::Word(1), Act::Nothing, Act::Token(0, 255)] {
            let mut options = [option(other), option(Act::Card(1)), option(Act::Card(2))];
            number_duplicates(&mut options);
            assert_eq!(options.map(|option| option.nth), [0, 1, 2]);
            assert_ne!(options[1].key, options[2].key);
        }
        // In whichever order they are offered.
        let mut options = [option(Act::Card(1)), option(Act::Word(1)), option(Act::Card(2))];
        number_duplicates(&mut options);
        let keys: std::collections::BTreeSet<u64> = options.iter().map(|option| option.key).collect();
        assert_eq!(keys.len(), 3);
    }
}
