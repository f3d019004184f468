//! What is chosen before a game begins, and whether it can be chosen.

use super::defs::{DefId, Definitions, OptionDef};
use crate::diagnostic::{Diagnostic, nearest};
use std::collections::BTreeMap;

/// What is chosen before a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Number of players; 0 for the most that the game allows.
    pub players: usize,
    /// Options of the table, each with its values.
    pub options: Vec<(String, Vec<String>)>,
    /// Options of single players: seat, option, value.
    pub seat_options: Vec<(usize, String, String)>,
    /// Cards put into play from the start, for a seat or for the first.
    pub deal: Vec<(String, Option<usize>)>,
    /// Pieces of all cards lie in the box, also of those that are in no deck: for scenarios.
    pub every_piece: bool,
}

/// Every option with what was chosen.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    /// How many play.
    pub players: usize,
    /// The values of each option of the table; of one for each player, what holds where a player chose nothing.
    values: BTreeMap<DefId, Vec<String>>,
    /// What each player chose: seat, option and the value's number.
    pub of_seats: Vec<(usize, DefId, i32)>,
}

impl Chosen {
    /// What was chosen of an option.
    pub fn values(&self, option: DefId) -> &[String] {
        self.values.get(&option).map_or(&[], Vec::as_slice)
    }

    /// The first, which is the only one where one is chosen.
    pub fn first(&self, option: DefId) -> &str {
        self.values(option).first().map_or("", String::as_str)
    }
}

/// The number by which a state knows a value of an option.
pub fn number_of(option: &OptionDef, value: &str) -> Option<i32> {
    let index = option.values.iter().position(|known| known.eq_ignore_ascii_case(value))?;
    if option.numeric { option.values[index].parse().ok() } else { Some(index as i32) }
}

fn no_value(name: &str, value: &str, option: &OptionDef) -> Diagnostic {
    let wrong = Diagnostic::error("G001", None, format!("option `{name}` has no value `{value}`"));
    wrong.help(format!("its values are {}", option.values.join(", ")))
}

/// Takes what a set-up wants of each option, or its default.
pub fn choose(defs: &Definitions, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Chosen {
    let mut chosen = Chosen { players, ..Chosen::default() };
    let options: Vec<(DefId, &str, &OptionDef)> = defs.options().collect();
    let wanted = setup.options.iter().map(|option| &option.0).chain(setup.seat_options.iter().map(|option| &option.1));
    for name in wanted {
        if !options.iter().any(|option| option.1 == name) {
            let wrong = Diagnostic::error("G001", None, format!("this game has no option `{name}`"));
            diagnostics.push(wrong.meant(nearest(name, options.iter().map(|option| option.1))));
        }
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
            let wrong = Diagnostic::error("G001", None, format!("option `{name}` takes one value, not {}", values.len()));
            diagnostics.push(if option.each_player {
                wrong.help(format!("give it to single players: `{name}@p1={}`, `{name}@p2={}`", values[0], values[1]))
            } else {
                wrong.help(format!("choose one of {}", option.values.join(", ")))
            });
        }
        if values.is_empty() {
            values.clone_from(&option.default);
        }
        for seat in (0..players).filter(|_| option.each_player) {
            let wanted = setup.seat_options.iter().rev().find(|(of, wanted, _)| *of == seat && wanted == name);
            let value = wanted.map(|wanted| wanted.2.as_str()).or(values.first().map(String::as_str)).unwrap_or_default();
            match number_of(option, value) {
                Some(number) => chosen.of_seats.push((seat, id, number)),
                None => diagnostics.push(no_value(name, value, option)),
            }
        }
        if let Some((.., value)) = setup.seat_options.iter().find(|(_, wanted, _)| !option.each_player && wanted == name) {
            let wrong = Diagnostic::error("G001", None, format!("option `{name}` is chosen for all players at once"));
            diagnostics.push(wrong.help(format!("write `{name}={value}`")));
        }
        chosen.values.insert(id, values);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::defs::{Space, What};

    fn defs() -> Definitions {
        let mut defs = Definitions::default();
        let option = |values: &[&str], several, each_player| {
            What::Option(OptionDef {
                values: values.iter().map(|value| value.to_string()).collect(),
                numeric: values[0] == "1",
                several,
                each_player,
                default: vec![values[0].to_string()],
                list: 0,
            })
        };
        defs.declare(Space::Value, "pack", option(&["wisp", "wolf"], true, false), None).unwrap();
        defs.declare(Space::Value, "moons", option(&["1", "2"], false, false), None).unwrap();
        defs.declare(Space::Value, "skill", option(&["calm", "wild"], false, true), None).unwrap();
        defs
    }

    fn chosen(options: &[(&str, &[&str])], seats: &[(usize, &str, &str)]) -> (Chosen, Vec<String>) {
        let setup = Setup {
            options: options.iter().map(|(name, values)| (name.to_string(), values.iter().map(|v| v.to_string()).collect())).collect(),
            seat_options: seats.iter().map(|(seat, name, value)| (*seat, name.to_string(), value.to_string())).collect(),
            ..Setup::default()
        };
        let mut diagnostics = Vec::new();
        let chosen = choose(&defs(), &setup, 2, &mut diagnostics);
        (chosen, diagnostics.into_iter().map(|wrong| wrong.message).collect())
    }

    #[test]
    fn values_and_defaults_are_taken() {
        let (chosen, wrong) = chosen(&[("pack", &["Wolf", "wisp"])], &[(1, "skill", "wild")]);
        assert!(wrong.is_empty(), "{wrong:?}");
        let id = |name: &str| defs().find(Space::Value, name).unwrap();
        assert_eq!(chosen.values(id("pack")), ["wolf", "wisp"]);
        assert_eq!(chosen.first(id("moons")), "1");
        assert_eq!(chosen.of_seats, [(0, id("skill"), 0), (1, id("skill"), 1)]);
    }

    #[test]
    fn a_list_for_an_option_of_one_value_is_told() {
        assert_eq!(chosen(&[("moons", &["1", "2"])], &[]).1, ["option `moons` takes one value, not 2"]);
        assert_eq!(chosen(&[("skill", &["calm", "wild"])], &[]).1, ["option `skill` takes one value, not 2"]);
    }

    #[test]
    fn what_is_not_there_is_told() {
        assert_eq!(chosen(&[("mons", &["1"])], &[]).1, ["this game has no option `mons`"]);
        assert_eq!(chosen(&[("moons", &["3"])], &[]).1, ["option `moons` has no value `3`"]);
        assert_eq!(chosen(&[], &[(0, "skill", "odd")]).1, ["option `skill` has no value `odd`"]);
        assert_eq!(chosen(&[], &[(0, "moons", "2")]).1, ["option `moons` is chosen for all players at once"]);
    }
}
