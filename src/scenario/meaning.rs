//! Interprets the key of an option, and finds the reasons against it.

use crate::cast;
use crate::engine::decision::Args;
use crate::engine::eval::Env;
use crate::engine::keys::{self, can_be_key};
use crate::engine::options::MAX_PARAMS;
use crate::engine::ruleset::Ruleset;
use crate::engine::{Act, Machine, Opt, sets};
use crate::state::layout::TABLE;

/// What an option's key means in the current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMeaning {
    /// An action, or an answer to the open question, with what is chosen, whether it is allowed or not.
    Choice(u16, Args),
    /// An action or answer for which what is named cannot be chosen, and the reason.
    Absent(u16, String),
    /// The key names neither an action nor an answer to the open question.
    Unknown,
}

/// Interprets a key for a seat, whether the option is allowed or not. Answers to the open question come first.
pub fn interpret_key(machine: &mut Machine<'_>, seat: usize, key: &str) -> KeyMeaning {
    let rules = machine.rules;
    let mut absent = None;
    for answer in machine.open_answers(seat) {
        let mut possible = machine.possible_answers(answer);
        machine.hide_unseen(seat, &mut possible);
        if let Some(found) = find_option(rules, &possible, key) {
            return found;
        }
        if absent.is_none() && can_be_key(rules, answer, key) {
            absent = Some(KeyMeaning::Absent(answer, format!("`{key}` is not among what can be chosen")));
        }
    }
    absent.unwrap_or_else(|| interpret_action(machine, seat, key))
}

fn find_option(rules: &Ruleset, options: &[Opt], key: &str) -> Option<KeyMeaning> {
    let act = options.iter().find(|option| option.matches_key(rules, key))?.act;
    if let Act::Choice(choice, args) = act { Some(KeyMeaning::Choice(choice, args)) } else { None }
}

/// Interprets a key that can only be that of an action.
fn interpret_action(machine: &mut Machine<'_>, seat: usize, key: &str) -> KeyMeaning {
    let rules = machine.rules;
    let Some(&action) = keys::actions_of_key(rules, key, machine.open_turns()).first() else { return KeyMeaning::Unknown };
    let index = action as usize;
    let choice = &rules.choices[index];
    if choice.text.is_some() || choice.params.iter().any(|param| param.cards().is_none()) {
        let mut possible = machine.possible_options(seat, action);
        machine.hide_unseen(seat, &mut possible);
        let found = find_option(rules, &possible, key);
        return found.unwrap_or_else(|| KeyMeaning::Absent(action, format!("`{key}` is not among what can be chosen")));
    }
    let mut words: Vec<&str> = key.split_whitespace().collect();
    let nth = words.last().and_then(|word| keys::number_of_copy(word));
    if nth.is_some() {
        words.pop();
    }
    let (nth, mut rest) = (nth.unwrap_or(1).max(1), words.get(1..).unwrap_or_default());
    let mut env = Env::for_seat(seat);
    let mut args = [-1; MAX_PARAMS];
    let params = &rules.choices[index].params;
    for (stage, param) in params.iter().enumerate() {
        let Some(set) = param.cards() else { continue };
        let word = param.word.map(|word| rules.names.text(word));
        if let Some(word) = word {
            match rest.split_first() {
                Some((first, more)) if *first == word => rest = more,
                _ if param.maybe => continue,
                _ => return KeyMeaning::Absent(cast::fit::<u16>(index), format!("`{word}` and a card are missing from `{key}`")),
            }
        }
        let Some((card, more)) = rest.split_first() else {
            if param.maybe {
                continue;
            }
            return KeyMeaning::Absent(cast::fit::<u16>(index), format!("`{key}` names too few cards"));
        };
        rest = more;
        let Some(definition) = rules.find_definition(card) else {
            return KeyMeaning::Absent(cast::fit::<u16>(index), format!("no card is called `{card}`"));
        };
        let mut candidates = Vec::new();
        sets::cards_of(machine, set, &mut env, &mut candidates);
        let mut same = candidates.into_iter().filter(|&found| rules.piece_definition[cast::index(found)] as usize == definition);
        let Some(candidate) = (if stage + 1 == params.len() { same.nth(nth - 1) } else { same.next() }) else {
            let places = &rules.sets[set as usize].places;
            let lies_in = |piece: usize| {
                let at = &rules.layout.places[machine.position().place_of(piece).0];
                places.contains(&at.declared) && (at.owner == TABLE || usize::from(at.owner) == seat)
            };
            let mut copies = (0..rules.layout.pieces).filter(|&piece| rules.piece_definition[piece] as usize == definition);
            let place = places.first().map_or("", |&place| &rules.places[place as usize].name);
            let why = match copies.any(lies_in) {
                true => format!("`{card}` in `{place}` cannot be chosen: what is said behind `{place}` does not hold for it"),
                false => format!("`{card}` is not in `{place}`"),
            };
            return KeyMeaning::Absent(cast::fit::<u16>(index), why);
        };
        env.locals[param.local as usize] = candidate;
        args[stage] = candidate;
    }
    match rest.first() {
        Some(word) => KeyMeaning::Absent(cast::fit::<u16>(index), format!("`{word}` is too much in `{key}`")),
        None => KeyMeaning::Choice(cast::fit::<u16>(index), args),
    }
}

/// Returns the reasons why a seat cannot take an option. Each starts with the name of the guard in the rules. Empty if the key names
/// nothing that can be chosen. The message of a refusal starts with these.
pub fn reasons_against_key(machine: &mut Machine<'_>, seat: usize, key: &str) -> Vec<String> {
    match interpret_key(machine, seat, key) {
        KeyMeaning::Choice(choice, args) => reasons_against(machine, seat, choice, args),
        KeyMeaning::Absent(_, why) => vec![why],
        KeyMeaning::Unknown => Vec::new(),
    }
}

/// Returns the reasons against an action or an answer to the open question with what is chosen.
pub fn reasons_against(machine: &mut Machine<'_>, seat: usize, choice: u16, args: Args) -> Vec<String> {
    let refusals = machine.refusals_of_choice(seat, choice, args).into_iter();
    let reasons = refusals.map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect();
    machine.discard_arithmetic_error();
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::game_with_filled_row;

    #[test]
    fn the_words_of_a_key_stand_for_an_action() {
        let (rules, mut game) = game_with_filled_row();
        let card = game.position(&rules).all_in(rules.places[rules.find_place("row").unwrap_or(0)].first_instance as usize)[0];
        let id = rules.names.text(rules.definition(card).id).to_string();
        let mut meaning = |key: &str| interpret_key(&mut game.on(&rules), 0, key);
        assert_eq!(meaning(&format!("fetch {id}")), KeyMeaning::Choice(0, [card as i32, -1, -1]));
        assert_eq!(meaning("fly"), KeyMeaning::Unknown);
        for key in ["fetch", "fetch nobody", &format!("fetch {id} {id}")] {
            assert!(matches!(meaning(key), KeyMeaning::Absent(0, _)), "{key}");
        }
    }
}
