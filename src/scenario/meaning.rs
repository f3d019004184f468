//! What the words of an option's key mean, and what speaks against it.

use crate::cast;
use crate::engine::eval::Env;
use crate::engine::ids::PieceId;
use crate::engine::options::MOST_PARAMS;
use crate::engine::{Machine, sets};

/// What the words of an option's key stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// An action with its candidates, allowed or not.
    Action(u16, [i16; MOST_PARAMS]),
    /// An action that cannot be tried with these cards, and why.
    Absent(u16, String),
    /// No action is called so.
    Unknown,
}

/// What the words of an option's key mean for a seat, whether it is allowed or not.
pub fn meaning(machine: &mut Machine<'_>, seat: usize, key: &str) -> Meant {
    let rules = machine.rules;
    let mut words: Vec<&str> = key.split_whitespace().collect();
    let nth = words.last().and_then(|word| word.strip_prefix('#')?.parse::<usize>().ok());
    if nth.is_some() {
        words.pop();
    }
    let nth = nth.unwrap_or(1).max(1);
    let Some((name, mut rest)) = words.split_first() else { return Meant::Unknown };
    let found = rules.actions.iter().position(|action| rules.names.text(action.name) == *name);
    let Some(index) = found else { return Meant::Unknown };
    let mut env = Env::of(seat);
    let mut args = [-1; MOST_PARAMS];
    for (stage, param) in rules.actions[index].params.iter().enumerate() {
        let word = param.word.map(|word| rules.names.text(word));
        if let Some(word) = word {
            match rest.split_first() {
                Some((first, more)) if *first == word => rest = more,
                _ if param.maybe => continue,
                _ => return Meant::Absent(cast::fit::<u16>(index), format!("`{word}` and a card are missing from `{key}`")),
            }
        }
        let Some((card, more)) = rest.split_first() else {
            if param.maybe {
                continue;
            }
            return Meant::Absent(cast::fit::<u16>(index), format!("`{key}` names too few cards"));
        };
        rest = more;
        let Some(definition) = rules.find_definition(card) else {
            return Meant::Absent(cast::fit::<u16>(index), format!("no card is called `{card}`"));
        };
        let mut candidates = Vec::new();
        sets::cards_of(machine, param.set, &mut env, &mut candidates);
        let mut same = candidates.into_iter().filter(|&found| rules.piece_definition[cast::index(found)] as usize == definition);
        let last = rules.actions[index].params.len() - 1;
        let Some(candidate) = (if stage == last { same.nth(nth - 1) } else { same.next() }) else {
            let place = rules.sets[param.set as usize].places.first().map_or("", |&place| &rules.places[place as usize].name);
            return Meant::Absent(cast::fit::<u16>(index), format!("`{card}` is not in `{place}`"));
        };
        env.locals[1 + stage] = candidate;
        args[stage] = PieceId::in_option(candidate);
    }
    match rest.first() {
        Some(word) => Meant::Absent(cast::fit::<u16>(index), format!("`{word}` is too much in `{key}`")),
        None => Meant::Action(cast::fit::<u16>(index), args),
    }
}

/// Why a seat cannot take an option, as far as its words mean an action: each reason with the name of what says so in the rules;
/// none where nothing is known of it. The message of a refusal begins with these.
pub fn reasons(machine: &mut Machine<'_>, seat: usize, key: &str) -> Vec<String> {
    match meaning(machine, seat, key) {
        Meant::Action(action, args) => reasons_against(machine, seat, action, args),
        Meant::Absent(_, why) => vec![why],
        Meant::Unknown => Vec::new(),
    }
}

/// The same of an action with its candidates.
pub fn reasons_against(machine: &mut Machine<'_>, seat: usize, action: u16, args: [i16; MOST_PARAMS]) -> Vec<String> {
    let refusals = machine.refusals(seat, action, args).into_iter();
    let reasons = refusals.map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect();
    machine.forget_wrong_number();
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Added, game};

    #[test]
    fn the_words_of_a_key_stand_for_an_action() {
        let (rules, mut game) = game(&Added { setup: "fill row from pile", ..Added::default() });
        let card = game.position(&rules).all_in(rules.places[rules.find_place("row").unwrap_or(0)].first as usize)[0];
        let id = rules.names.text(rules.definition(card).id).to_string();
        let mut meaning = |key: &str| meaning(&mut game.on(&rules), 0, key);
        assert_eq!(meaning(&format!("fetch {id}")), Meant::Action(0, [card as i16, -1, -1]));
        assert_eq!(meaning("fly"), Meant::Unknown);
        for key in ["fetch", "fetch nobody", &format!("fetch {id} {id}")] {
            assert!(matches!(meaning(key), Meant::Absent(0, _)), "{key}");
        }
    }
}
