//! Interprets the key of an option, and finds the reasons against it.

use crate::cast;
use crate::engine::eval::Env;
use crate::engine::ids::PieceId;
use crate::engine::options::MAX_PARAMS;
use crate::engine::{Machine, sets};

/// What an option's key means in the current state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyMeaning {
    /// An action with its candidates, whether it is allowed or not.
    Action(u16, [i16; MAX_PARAMS]),
    /// An action for which the named cards are not available, and the reason.
    Absent(u16, String),
    /// The key does not name an action.
    Unknown,
}

/// Interprets a key for a seat, whether the option is allowed or not.
pub fn interpret_key(machine: &mut Machine<'_>, seat: usize, key: &str) -> KeyMeaning {
    let rules = machine.rules;
    let mut words: Vec<&str> = key.split_whitespace().collect();
    let nth = words.last().and_then(|word| word.strip_prefix('#')?.parse::<usize>().ok());
    if nth.is_some() {
        words.pop();
    }
    let nth = nth.unwrap_or(1).max(1);
    let Some((name, mut rest)) = words.split_first() else { return KeyMeaning::Unknown };
    let found = rules.actions.iter().position(|action| rules.names.text(action.name) == *name);
    let Some(index) = found else { return KeyMeaning::Unknown };
    let mut env = Env::for_seat(seat);
    let mut args = [-1; MAX_PARAMS];
    for (stage, param) in rules.actions[index].params.iter().enumerate() {
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
        sets::cards_of(machine, param.set, &mut env, &mut candidates);
        let mut same = candidates.into_iter().filter(|&found| rules.piece_definition[cast::index(found)] as usize == definition);
        let last = rules.actions[index].params.len() - 1;
        let Some(candidate) = (if stage == last { same.nth(nth - 1) } else { same.next() }) else {
            let place = rules.sets[param.set as usize].places.first().map_or("", |&place| &rules.places[place as usize].name);
            return KeyMeaning::Absent(cast::fit::<u16>(index), format!("`{card}` is not in `{place}`"));
        };
        env.locals[1 + stage] = candidate;
        args[stage] = PieceId::in_option(candidate);
    }
    match rest.first() {
        Some(word) => KeyMeaning::Absent(cast::fit::<u16>(index), format!("`{word}` is too much in `{key}`")),
        None => KeyMeaning::Action(cast::fit::<u16>(index), args),
    }
}

/// Returns the reasons why a seat cannot take an option. Each starts with the name of the guard in the rules. Empty if the key names no
/// action. The message of a refusal starts with these.
pub fn reasons_against_key(machine: &mut Machine<'_>, seat: usize, key: &str) -> Vec<String> {
    match interpret_key(machine, seat, key) {
        KeyMeaning::Action(action, args) => reasons_against(machine, seat, action, args),
        KeyMeaning::Absent(_, why) => vec![why],
        KeyMeaning::Unknown => Vec::new(),
    }
}

/// Returns the reasons against an action with the given candidates.
pub fn reasons_against(machine: &mut Machine<'_>, seat: usize, action: u16, args: [i16; MAX_PARAMS]) -> Vec<String> {
    let refusals = machine.refusals(seat, action, args).into_iter();
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
        assert_eq!(meaning(&format!("fetch {id}")), KeyMeaning::Action(0, [card as i16, -1, -1]));
        assert_eq!(meaning("fly"), KeyMeaning::Unknown);
        for key in ["fetch", "fetch nobody", &format!("fetch {id} {id}")] {
            assert!(matches!(meaning(key), KeyMeaning::Absent(0, _)), "{key}");
        }
    }
}
