//! The reasons against an option, by its key.

use crate::engine::Machine;
use crate::engine::decision::Args;
pub use crate::engine::meaning::{Absence, KeyMeaning};
use crate::engine::ruleset::Ruleset;

/// Says why a key is that of none of the options of its choice.
pub fn describe_absence(rules: &Ruleset, choice: u16, absence: &Absence, key: &str) -> String {
    let params = &rules.choices[usize::from(choice)].params;
    let card = |definition: usize| rules.names.text(rules.definitions[definition].id);
    match absence {
        Absence::NotAmong => format!("`{key}` is not among what can be chosen"),
        Absence::NoWord { stage } => {
            format!("`{}` and a card are missing from `{key}`", params[*stage].word.map_or("", |word| rules.names.text(word)))
        }
        Absence::NoCard { .. } => format!("`{key}` names too few cards"),
        Absence::UnknownCard { word } => format!("no card is called `{word}`"),
        Absence::NotThere { stage, definition, args } => {
            let places = params[*stage].cards().map_or(&[][..], |set| &rules.sets[set as usize].cards.places);
            let (card, names) = (card(*definition), places.iter().map(|&place| format!("`{}`", rules.places[usize::from(place)].name)));
            let names: Vec<String> = names.collect();
            match (args[*stage] < 0, &names[..]) {
                (true, [others @ .., last]) if !others.is_empty() => {
                    format!("`{card}` is neither in {} nor in {last}", others.join(", nor in "))
                }
                (true, _) => format!("`{card}` is not in {}", names.concat()),
                (false, [place]) => format!("`{card}` in {place} cannot be chosen: what is said behind {place} does not hold for it"),
                (false, _) => format!("`{card}` cannot be chosen from {}: what is said behind them does not hold for it", names.join(", ")),
            }
        }
        Absence::Unseen { definition } => {
            format!("where every `{}` lies the player does not know, and so it cannot be named", card(*definition))
        }
        Absence::TooMuch { word } => format!("`{word}` is too much in `{key}`"),
    }
}

/// Returns the reasons why a seat cannot take an option. Each starts with the name of the guard in the rules. Empty if the key names
/// nothing that can be chosen. The message of a refusal starts with these.
pub fn reasons_against_key(machine: &mut Machine<'_>, seat: usize, key: &str) -> Vec<String> {
    match machine.meaning_of_key(seat, key) {
        KeyMeaning::Choice(choice, args) => reasons_against(machine, seat, choice, args),
        KeyMeaning::Absent(choice, absence) => vec![describe_absence(machine.store.rules, choice, &absence, key)],
        KeyMeaning::Unknown => Vec::new(),
    }
}

/// Returns the reasons against an action or an answer to the open question with what is chosen.
pub fn reasons_against(machine: &mut Machine<'_>, seat: usize, choice: u16, args: Args) -> Vec<String> {
    let refusals = machine.refusals(seat, choice, args).into_iter();
    let reasons = refusals.map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect();
    machine.store.discard_arithmetic_error();
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::game_with_filled_row;

    #[test]
    fn the_words_of_a_key_stand_for_an_action() {
        let (rules, mut game) = game_with_filled_row();
        let card = game.position(&rules).all_in(rules.places[rules.find_place("row").unwrap_or(0)].first_instance as usize)[0];
        let id = rules.names.text(rules.definition(card).id).to_string();
        let mut meaning = |key: &str| game.on(&rules).meaning_of_key(0, key);
        assert_eq!(meaning(&format!("fetch {id}")), KeyMeaning::Choice(0, [card as i32, -1, -1]));
        assert_eq!(meaning("fly"), KeyMeaning::Unknown);
        for key in ["fetch", "fetch nobody", &format!("fetch {id} {id}")] {
            assert!(matches!(meaning(key), KeyMeaning::Absent(0, _)), "{key}");
        }
    }
}
