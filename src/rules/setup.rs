//! The choices made before a game begins: number of players, options, and cards to deal.

use super::defs::{DefId, Definitions, OptionDef};
use super::problem::SetUpProblem;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use std::collections::BTreeMap;

/// The choices made before a game begins, not yet checked against its rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The number of players; 0 for the maximum of the game.
    pub players: usize,
    /// Options of the table, each with the chosen values.
    pub options: Vec<(String, Vec<String>)>,
    /// Options of single players: seat, option, value.
    pub seat_options: Vec<(usize, String, String)>,
    /// Cards to put into play at the start, each for a seat, or for the first if none is given.
    pub deal: Vec<(String, Option<usize>)>,
    /// Whether pieces of all cards are created in the box, even of cards that are in no deck: scenarios can put any card.
    pub every_piece: bool,
}

impl Setup {
    /// Parses a set-up from the command line: options as `NAME=VALUE`, `NAME=VALUE,VALUE` or `NAME@p2=VALUE`, cards as `CARD` or `CARD@p2`.
    ///
    /// # Errors
    /// A message about the first one that is malformed.
    pub fn read(
        players: usize,
        options: impl IntoIterator<Item = impl AsRef<str>>,
        deal: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<Setup, String> {
        let mut setup = Setup { players, ..Setup::default() };
        for option in options {
            setup.option(option.as_ref())?;
        }
        if let Some((seat, name, _)) = setup.seat_options.iter().find(|(seat, ..)| *seat >= players) {
            return Err(format!("`{name}@p{}` names a player that is not there; there are {players}", seat + 1));
        }
        for card in deal {
            let card = card.as_ref();
            let (id, seat) = card.split_once('@').map_or(Ok((card, None)), |(id, at)| parse_seat(at).map(|seat| (id, Some(seat))))?;
            if setup.deal.iter().any(|(dealt, _)| *dealt == id) {
                return Err(format!("`{id}` is dealt twice; there is one of it"));
            }
            setup.deal.push((id.to_string(), seat));
        }
        Ok(setup)
    }

    fn option(&mut self, text: &str) -> Result<(), String> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("`{text}` is no option; write NAME=VALUE or NAME@p2=VALUE"));
        };
        let (name, value) = (name.trim(), value.trim());
        match name.split_once('@') {
            Some((name, at)) => {
                let seat = parse_seat(at)?;
                if self.seat_options.iter().any(|(known, option, _)| (*known, option.as_str()) == (seat, name)) {
                    return Err(format!("`{name}@{at}` is given twice"));
                }
                self.seat_options.push((seat, name.to_string(), value.to_string()));
            }
            None => {
                if self.options.iter().any(|(known, _)| known == name) {
                    return Err(format!("option `{name}` is given twice; write several values after one `=`, with commas"));
                }
                let values = value.split(',').map(|value| value.trim().to_string()).collect();
                self.options.push((name.to_string(), values));
            }
        }
        Ok(())
    }
}

/// Parses `p2` as seat 1.
fn parse_seat(text: &str) -> Result<usize, String> {
    let number = text.strip_prefix('p').and_then(|number| number.parse::<usize>().ok());
    number.and_then(|number| number.checked_sub(1)).ok_or_else(|| format!("`{text}` is no seat; the first is p1"))
}

/// The choices made before a game, checked: each option with the values that hold, chosen or default.
#[derive(Clone, Debug, Default)]
pub struct ChosenOptions {
    /// The number of players.
    pub players: usize,
    /// The values of each option; for an option of each player, the default for those who chose nothing.
    values: BTreeMap<DefId, Vec<String>>,
    /// The values that single players chose: seat, option, and number of the value.
    pub seat_values: Vec<(usize, DefId, i32)>,
}

impl ChosenOptions {
    /// Returns the values that hold for an option.
    pub fn values(&self, option: DefId) -> &[String] {
        self.values.get(&option).map_or(&[], Vec::as_slice)
    }

    /// Returns the first value that holds for an option, for options with a single one.
    pub fn first_value(&self, option: DefId) -> &str {
        self.values(option).first().map_or("", String::as_str)
    }
}

/// Returns the number that represents a value of an option in the state.
pub fn value_number(option: &OptionDef, value: &str) -> Option<i32> {
    let index = option.values.iter().position(|known| known.eq_ignore_ascii_case(value))?;
    if option.numeric { option.values[index].parse().ok() } else { Some(cast::fit::<i32>(index)) }
}

fn no_value(name: &str, value: &str, option: &OptionDef) -> Diagnostic {
    SetUpProblem::NoValue { option: name.to_string(), value: value.to_string(), values: option.values.join(", ") }.at(None)
}

/// Determines the values of all options from a set-up and the defaults, and reports invalid choices.
pub fn resolve_options(defs: &Definitions, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> ChosenOptions {
    let mut chosen = ChosenOptions { players, ..ChosenOptions::default() };
    let options: Vec<(DefId, &str, &OptionDef)> = defs.options().collect();
    let wanted = setup.options.iter().map(|option| &option.0).chain(setup.seat_options.iter().map(|option| &option.1));
    for name in wanted {
        if !options.iter().any(|option| option.1 == name) {
            let near = nearest(name, options.iter().map(|option| option.1)).map(String::from);
            let listed = options.iter().map(|(_, name, option)| format!("{name} ({})", option.values.join(", "))).collect();
            diagnostics.push(SetUpProblem::NoOption { name: name.clone(), near, options: listed }.at(None));
        }
    }
    if let Some((seat, name, _)) = setup.seat_options.iter().find(|(seat, ..)| *seat >= players) {
        diagnostics.push(SetUpProblem::OptionOfNobody { option: name.clone(), player: seat + 1, players }.at(None));
    }
    for (id, name, option) in options {
        let mut values = Vec::new();
        for value in setup.options.iter().filter(|(wanted, _)| wanted == name).flat_map(|(_, values)| values) {
            match option.values.iter().find(|known| known.eq_ignore_ascii_case(value)) {
                Some(value) => values.push(value.clone()),
                None => diagnostics.push(no_value(name, value, option)),
            }
        }
        if values.len() > 1 && !option.several {
            let help = if option.each_player {
                let [first, second] = [&values[0], &values[1]];
                let typed = format!("give it to single players: `--option {name}@p1={first} --option {name}@p2={second}`");
                format!("{typed}, in a scenario `options = {{ {name} = {{ p1 = \"{first}\", p2 = \"{second}\" }} }}`")
            } else {
                format!("choose one of {}", option.values.join(", "))
            };
            diagnostics.push(SetUpProblem::OneValue { option: name.to_string(), given: values.len(), help }.at(None));
        }
        if values.is_empty() {
            values.clone_from(&option.default);
        }
        for seat in (0..players).filter(|_| option.each_player) {
            let wanted = setup.seat_options.iter().rev().find(|(of, wanted, _)| *of == seat && wanted == name);
            let value = wanted.map(|wanted| wanted.2.as_str()).or(values.first().map(String::as_str)).unwrap_or_default();
            match value_number(option, value) {
                Some(number) => chosen.seat_values.push((seat, id, number)),
                None => diagnostics.push(no_value(name, value, option)),
            }
        }
        if let Some((.., value)) = setup.seat_options.iter().find(|(_, wanted, _)| !option.each_player && wanted == name) {
            diagnostics.push(SetUpProblem::OptionOfAll { option: name.to_string(), value: value.clone() }.at(None));
        }
        chosen.values.insert(id, values);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defs::Space;
    use crate::testing::checked;

    #[test]
    fn values_and_defaults_are_taken() {
        let rules = "option pack = any of wisps, huts, default wisps\noption moons = 1 to 2\n";
        let defs = checked(rules, "").1.rules.defs;
        let resolve = |seat: usize| {
            let options = vec![("pack".to_string(), vec!["Huts".to_string(), "wisps".to_string()])];
            let setup = Setup { options, seat_options: vec![(seat, "level".to_string(), "high".to_string())], ..Setup::default() };
            let mut diagnostics = Vec::new();
            let chosen = resolve_options(&defs, &setup, 2, &mut diagnostics);
            (chosen, diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect::<Vec<_>>())
        };
        let (chosen, diagnostics) = resolve(1);
        let id = |name: &str| defs.find(Space::Value, name).unwrap();
        assert_eq!((chosen.values(id("pack")), diagnostics.len()), (&["huts", "wisps"].map(String::from)[..], 0));
        assert_eq!(chosen.first_value(id("moons")), "1");
        assert_eq!(chosen.seat_values, [(0, id("level"), 0), (1, id("level"), 1)]);
        assert_eq!(resolve(2).1, ["option `level` is chosen for p3, who is not there; there are 2 players"]);
    }

    #[test]
    fn options_of_the_table_and_of_players_are_read() {
        let setup = Setup::read(2, ["hue=b", "set = one, two", "howl@p2=high"], ["wolf@p1", "owl"]).unwrap();
        let options = vec![("hue".into(), vec!["b".into()]), ("set".into(), vec!["one".into(), "two".into()])];
        assert_eq!((setup.options, setup.deal), (options, vec![("wolf".to_string(), Some(0)), ("owl".to_string(), None)]));
        assert_eq!(setup.seat_options, [(1, "howl".to_string(), "high".to_string())]);
    }
}
