//! `options` of a scenario or of a card's test: choices for the whole game or for single players.

use super::keys::Keys;
use super::problem::{BoxedDiagnostic, PackProblem};
use super::read::{Spanned, Text, TomlValue};

/// Chosen options, each with its location.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChosenOptions {
    /// Options of the whole game: the option's name and its chosen values.
    pub of_table: Vec<(Text, Vec<String>)>,
    /// Options of single players: the player, counted from 0, the option, and its value.
    pub of_seats: Vec<(usize, Text, String)>,
}

impl ChosenOptions {
    /// Takes `options` from a table. A value is a word, a number, `true` or `false`, or a list of these. Values for single players are
    /// given by a table such as `{ p1 = "a", p2 = "b" }`, or under a name such as `"NAME@p1"`.
    pub fn take(keys: &mut Keys<'_>) -> ChosenOptions {
        let mut choice = ChosenOptions::default();
        for (name, value) in keys.take_table("options").unwrap_or_default() {
            let read = choice.add(name, value);
            keys.diagnostics().extend(read.err().map(|wrong| *wrong));
        }
        choice
    }

    fn add(&mut self, name: Text, value: Spanned) -> Result<(), BoxedDiagnostic> {
        if let Some((option, seat)) = name.text.split_once('@') {
            let number = parse_seat(seat).ok_or_else(|| no_such_player(seat, &name))?;
            let value = scalar_text(&value).ok_or_else(|| invalid_value(&name, &value))?;
            let option = Text { text: option.trim().to_string(), span: name.span };
            return self.add_seat(number, option, value);
        }
        if let TomlValue::Table(seats) = &value.value {
            if seats.is_empty() {
                return Err(invalid_value(&name, &value));
            }
            for (seat, value) in seats {
                let number = parse_seat(&seat.text).ok_or_else(|| no_such_player(&seat.text, seat))?;
                let value = scalar_text(value).ok_or_else(|| invalid_value(&name, value))?;
                self.add_seat(number, name.clone(), value)?;
            }
            return Ok(());
        }
        let values: Option<Vec<String>> = match &value.value {
            TomlValue::List(items) => items.iter().map(scalar_text).collect(),
            TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::Table(_) => {
                scalar_text(&value).map(|value| vec![value])
            }
        };
        let values = values.filter(|values| !values.is_empty()).ok_or_else(|| invalid_value(&name, &value))?;
        self.of_table.push((name, values));
        Ok(())
    }

    fn add_seat(&mut self, seat: usize, name: Text, value: String) -> Result<(), BoxedDiagnostic> {
        if self.of_seats.iter().any(|(known, option, _)| (*known, &option.text) == (seat, &name.text)) {
            return Err(Box::new(PackProblem::OptionTwice { option: name.text, player: seat + 1 }.at(name.span)));
        }
        self.of_seats.push((seat, name, value));
        Ok(())
    }

    /// Merges two choices. Where both choose an option, `nearer` takes precedence.
    #[must_use]
    pub fn merged_with(&self, nearer: &ChosenOptions) -> ChosenOptions {
        let chosen = |name: &Text| nearer.of_table.iter().any(|(known, _)| known.text == name.text);
        let by_seat = |name: &Text| nearer.of_seats.iter().any(|(_, known, _)| known.text == name.text);
        let of_table = self.of_table.iter().filter(|(name, _)| !chosen(name));
        let of_seats = self.of_seats.iter().filter(|(_, name, _)| !chosen(name) && !by_seat(name));
        ChosenOptions {
            of_table: of_table.chain(&nearer.of_table).cloned().collect(),
            of_seats: of_seats.chain(&nearer.of_seats).cloned().collect(),
        }
    }

    /// Returns the options of the whole game, sorted by name, without locations.
    pub fn game_options(&self) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<_> = self.of_table.iter().map(|(name, values)| (name.text.clone(), values.clone())).collect();
        found.sort();
        found
    }

    /// Returns the options of single players, sorted by player and name, without locations.
    pub fn seat_options(&self) -> Vec<(usize, String, String)> {
        let mut found: Vec<_> = self.of_seats.iter().map(|(seat, name, value)| (*seat, name.text.clone(), value.clone())).collect();
        found.sort();
        found
    }

    /// Returns all options in command-line syntax: `NAME=VALUE,VALUE` and `NAME@p2=VALUE`.
    pub fn to_arguments(&self) -> Vec<String> {
        let of_table = self.game_options().into_iter().map(|(name, values)| format!("{name}={}", values.join(",")));
        let of_seats = self.seat_options().into_iter().map(|(seat, name, value)| format!("{name}@p{}={value}", seat + 1));
        of_table.chain(of_seats).collect()
    }
}

/// Returns the index, from 0, of a player written as `p2`.
fn parse_seat(text: &str) -> Option<usize> {
    text.trim().strip_prefix('p')?.parse::<usize>().ok()?.checked_sub(1)
}

/// Returns the text of a value that is a single word, number or truth value.
fn scalar_text(value: &Spanned) -> Option<String> {
    match &value.value {
        TomlValue::Text(text) => Some(text.text.clone()),
        TomlValue::Integer(number) => Some(number.to_string()),
        TomlValue::Boolean(value) => Some(if *value { "yes" } else { "no" }.to_string()),
        TomlValue::List(_) | TomlValue::Table(_) => None,
    }
}

fn no_such_player(word: &str, at: &Text) -> BoxedDiagnostic {
    Box::new(PackProblem::NoPlayer { word: word.to_string() }.at(at.span))
}

fn invalid_value(name: &Text, value: &Spanned) -> BoxedDiagnostic {
    Box::new(PackProblem::NothingChosen { option: name.text.clone() }.at(value.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_table;
    use crate::source::{Sources, Span};

    fn read(options: &str) -> (ChosenOptions, Vec<String>) {
        let mut sources = Sources::new();
        let file = sources.add("wisp.toml", format!("options = {options}"));
        let mut diagnostics = Vec::new();
        let table = read_table(file, sources.text(file), &mut diagnostics).unwrap_or_default();
        let choice = ChosenOptions::take(&mut Keys::new("a test", Span { file, start: 0, end: 0 }, table, &mut diagnostics));
        (choice, diagnostics.into_iter().map(|wrong| wrong.message).collect())
    }

    #[test]
    fn options_of_the_table_and_of_single_players_are_read() {
        let (choice, wrong) = read("{ set = [\"a\", 2], hue = true, moon = { p2 = \"full\" }, \"howl@p1\" = 3 }");
        assert_eq!(wrong, [""; 0]);
        assert_eq!(choice.to_arguments(), ["hue=yes", "set=a,2", "howl@p1=3", "moon@p2=full"]);
    }

    #[test]
    fn an_option_of_which_nothing_is_chosen_is_told() {
        for (options, told) in [
            ("{ moon = { nonsense = 77 } }", "`nonsense` is not a player"),
            ("{ moon = { p0 = 77 } }", "`p0` is not a player"),
            ("{ moon = { } }", "nothing is chosen for option `moon` here"),
            ("{ moon = [] }", "nothing is chosen for option `moon` here"),
            ("{ moon = [[\"full\"]] }", "nothing is chosen for option `moon` here"),
            ("{ moon = { p1 = [\"full\"] } }", "nothing is chosen for option `moon` here"),
            ("{ moon = { p1 = \"new\" }, \"moon@p1\" = \"full\" }", "option `moon` of p1 is chosen twice"),
        ] {
            assert_eq!(read(options).1, [told], "{options}");
        }
    }

    #[test]
    fn what_a_scenario_says_of_an_option_goes_before_what_its_file_says() {
        let [file, scenario] =
            ["{ hue = \"a\", set = \"x\", moon = { p1 = \"full\", p2 = \"full\" } }", "{ set = \"y\", moon = { p3 = \"new\" } }"]
                .map(|options| read(options).0);
        assert_eq!(file.merged_with(&scenario).to_arguments(), ["hue=a", "set=y", "moon@p3=new"]);
    }
}
