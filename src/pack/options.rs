//! What a scenario, or a test beside a card, chooses of the options of the game: for all, or for single players.

use super::keys::Keys;
use super::problem::{Problem, Wrong};
use super::read::{Spanned, Text, Value};

/// What is chosen of options, each with the place where it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Options of the table, each with its values.
    pub of_table: Vec<(Text, Vec<String>)>,
    /// Options of single players: the player, counted from 0, the option and the value.
    pub of_seats: Vec<(usize, Text, String)>,
}

impl Choice {
    /// Takes `options` from a table. A value is a word, a number, `true` or `false`, or a list of them; one for single players is a table such as
    /// `{ p1 = "a", p2 = "b" }`, or stands under a name such as `"NAME@p1"`.
    pub fn take(keys: &mut Keys<'_>) -> Choice {
        let mut choice = Choice::default();
        for (name, value) in keys.table("options").unwrap_or_default() {
            let read = choice.add(name, value);
            keys.diagnostics().extend(read.err().map(|wrong| *wrong));
        }
        choice
    }

    fn add(&mut self, name: Text, value: Spanned) -> Result<(), Wrong> {
        if let Some((option, seat)) = name.text.split_once('@') {
            let number = seat_of(seat).ok_or_else(|| no_player(seat, &name))?;
            let value = scalar(&value).ok_or_else(|| wrong_value(&name, &value))?;
            let option = Text { text: option.trim().to_string(), span: name.span };
            return self.add_seat(number, option, value);
        }
        if let Value::Table(seats) = &value.value {
            if seats.is_empty() {
                return Err(wrong_value(&name, &value));
            }
            for (seat, value) in seats {
                let number = seat_of(&seat.text).ok_or_else(|| no_player(&seat.text, seat))?;
                let value = scalar(value).ok_or_else(|| wrong_value(&name, value))?;
                self.add_seat(number, name.clone(), value)?;
            }
            return Ok(());
        }
        let values: Option<Vec<String>> = match &value.value {
            Value::List(items) => items.iter().map(scalar).collect(),
            Value::Text(_) | Value::Integer(_) | Value::Boolean(_) | Value::Table(_) => scalar(&value).map(|value| vec![value]),
        };
        let values = values.filter(|values| !values.is_empty()).ok_or_else(|| wrong_value(&name, &value))?;
        self.of_table.push((name, values));
        Ok(())
    }

    fn add_seat(&mut self, seat: usize, name: Text, value: String) -> Result<(), Wrong> {
        if self.of_seats.iter().any(|(known, option, _)| (*known, &option.text) == (seat, &name.text)) {
            return Err(Box::new(Problem::OptionTwice { option: name.text, player: seat + 1 }.at(name.span)));
        }
        self.of_seats.push((seat, name, value));
        Ok(())
    }

    /// What is chosen in the end where another choice stands nearer: what that one says of an option goes before what this one says of it.
    #[must_use]
    pub fn overridden_by(&self, nearer: &Choice) -> Choice {
        let chosen = |name: &Text| nearer.of_table.iter().any(|(known, _)| known.text == name.text);
        let by_seat = |name: &Text| nearer.of_seats.iter().any(|(_, known, _)| known.text == name.text);
        let of_table = self.of_table.iter().filter(|(name, _)| !chosen(name));
        let of_seats = self.of_seats.iter().filter(|(_, name, _)| !chosen(name) && !by_seat(name));
        Choice {
            of_table: of_table.chain(&nearer.of_table).cloned().collect(),
            of_seats: of_seats.chain(&nearer.of_seats).cloned().collect(),
        }
    }

    /// The options of the table, without places, by name.
    pub fn plain(&self) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<_> = self.of_table.iter().map(|(name, values)| (name.text.clone(), values.clone())).collect();
        found.sort();
        found
    }

    /// The options of single players, without places, by player and name.
    pub fn plain_of_seats(&self) -> Vec<(usize, String, String)> {
        let mut found: Vec<_> = self.of_seats.iter().map(|(seat, name, value)| (*seat, name.text.clone(), value.clone())).collect();
        found.sort();
        found
    }

    /// All of it as people type it: `NAME=VALUE,VALUE`, `NAME@p2=VALUE`.
    pub fn typed(&self) -> Vec<String> {
        let of_table = self.plain().into_iter().map(|(name, values)| format!("{name}={}", values.join(",")));
        let of_seats = self.plain_of_seats().into_iter().map(|(seat, name, value)| format!("{name}@p{}={value}", seat + 1));
        of_table.chain(of_seats).collect()
    }
}

/// `p2` as a number from 0.
fn seat_of(text: &str) -> Option<usize> {
    text.trim().strip_prefix('p')?.parse::<usize>().ok()?.checked_sub(1)
}

/// A value that is one word or number.
fn scalar(value: &Spanned) -> Option<String> {
    match &value.value {
        Value::Text(text) => Some(text.text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Boolean(value) => Some(if *value { "yes" } else { "no" }.to_string()),
        Value::List(_) | Value::Table(_) => None,
    }
}

fn no_player(word: &str, at: &Text) -> Wrong {
    Box::new(Problem::NoPlayer { word: word.to_string() }.at(at.span))
}

fn wrong_value(name: &Text, value: &Spanned) -> Wrong {
    Box::new(Problem::NothingChosen { option: name.text.clone() }.at(value.span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_table;
    use crate::source::{Sources, Span};

    fn read(options: &str) -> (Choice, Vec<String>) {
        let mut sources = Sources::new();
        let file = sources.add("wisp.toml", format!("options = {options}"));
        let mut diagnostics = Vec::new();
        let table = read_table(file, sources.text(file), &mut diagnostics).unwrap_or_default();
        let choice = Choice::take(&mut Keys::new("a test", Span { file, start: 0, end: 0 }, table, &mut diagnostics));
        (choice, diagnostics.into_iter().map(|wrong| wrong.message).collect())
    }

    #[test]
    fn options_of_the_table_and_of_single_players_are_read() {
        let (choice, wrong) = read("{ set = [\"a\", 2], hue = true, moon = { p2 = \"full\" }, \"howl@p1\" = 3 }");
        assert_eq!(wrong, [""; 0]);
        assert_eq!(choice.typed(), ["hue=yes", "set=a,2", "howl@p1=3", "moon@p2=full"]);
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
        assert_eq!(file.overridden_by(&scenario).typed(), ["hue=a", "set=y", "moon@p3=new"]);
    }
}
