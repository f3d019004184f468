//! `each`: one `[[card]]` table that stands for many cards. `each.n = "1 to 8"` makes a card for every number, and `{n}` in the table's
//! texts and keys becomes that number. The table is expanded before anything else reads it.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::cards::RawCard;
use super::entries::EntryKind;
use super::keys::is_snake_case;
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue};
use super::schema::{self, TableSchema, ValueType};

/// Largest number of cards that one table can stand for.
pub(super) const MAX_MADE: usize = 1000;

/// The keys of a table, in order of writing.
pub(super) type Table = Vec<(Text, Spanned)>;

/// The tables that one `[[card]]` table stands for.
pub(super) struct Expanded {
    /// Location of `each`, if the table has it.
    pub each: Option<Span>,
    /// A table for every card, each with the texts whose length the values have changed.
    pub tables: Vec<(Table, Vec<FilledText>)>,
}

/// A text whose length is another one than in the file, because a value stands in it. Offsets in it are not offsets in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FilledText {
    /// Location of the text as it is written.
    span: Span,
    /// Number of bytes with the values in it.
    length: u32,
}

/// One name of `each`, with its values.
struct EachName {
    name: Text,
    values: Vec<String>,
    used: bool,
}

/// Expands a `[[card]]` table. A table without `each` stands for itself. Returns `None`, after reports, if `each` cannot be used.
pub(super) fn expand(mut table: Table, header: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<Expanded> {
    let Some(at) = table.iter().position(|(key, _)| key.text == "each") else {
        return Some(Expanded { each: None, tables: vec![(table, Vec::new())] });
    };
    let (key, value) = table.remove(at);
    let each = key.span;
    let told = diagnostics.len();
    let mut names = read_names(value, diagnostics);
    if diagnostics.len() > told {
        return None;
    }
    let count = names.iter().try_fold(1_usize, |count, name| count.checked_mul(name.values.len())).unwrap_or(usize::MAX);
    if count > MAX_MADE {
        diagnostics.push(PackProblem::EachTooMany { count, most: MAX_MADE }.at(each));
        return None;
    }
    let mut wrong = BTreeSet::new();
    let mut tables = Vec::with_capacity(count);
    for number in 0..count {
        let values = choose_values(&names, number);
        let mut filler = Filler { names: &mut names, values, filled: Vec::new(), wrong: &mut wrong, diagnostics };
        let filled = filler.fill_table(&table, Place::Card);
        tables.push((filled, filler.filled));
    }
    // A misspelt name leaves another unused.
    let is_misspelt = diagnostics.len() > told;
    for name in names.iter().filter(|name| !name.used && !is_misspelt) {
        let (name, span, count) = (name.name.text.clone(), name.name.span, name.values.len());
        diagnostics.push(PackProblem::EachUnused { name, count }.at(span));
    }
    if diagnostics.len() > told {
        return None;
    }
    report_equal_ids(&tables, header, diagnostics);
    (diagnostics.len() == told).then_some(Expanded { each: Some(each), tables })
}

/// Returns the values of card `number`: the last name changes fastest.
fn choose_values(names: &[EachName], mut number: usize) -> Vec<String> {
    let mut values: Vec<String> = Vec::with_capacity(names.len());
    for name in names.iter().rev() {
        let count = name.values.len().max(1);
        values.extend(name.values.get(number % count).cloned());
        number /= count;
    }
    values.reverse();
    values
}

/// Reports an id that several of the cards have, once.
fn report_equal_ids(tables: &[(Table, Vec<FilledText>)], header: Span, diagnostics: &mut Vec<Diagnostic>) {
    let mut known = BTreeSet::new();
    for (table, _) in tables {
        let Some(id) = table.iter().find(|(key, _)| key.text == "id").and_then(|(_, value)| value.text()) else { continue };
        if !known.insert(id.text.as_str()) {
            return diagnostics.push(PackProblem::EachIdTwice { id: id.text.clone(), header }.at(id.span));
        }
    }
}

/// Returns the tables of all cards that a `[[card]]` table stands for, without `each`; none if it cannot be used. Reports nothing.
pub fn tables_of_cards(table: Vec<(Text, Spanned)>, header: Span) -> Vec<Vec<(Text, Spanned)>> {
    let expanded = expand(table, header, &mut Vec::new());
    expanded.into_iter().flat_map(|expanded| expanded.tables).map(|(table, _)| table).collect()
}

// ---------------------------------------------------------------------- names and values

/// Reads the value of `each`: a table from names to values.
fn read_names(value: Spanned, diagnostics: &mut Vec<Diagnostic>) -> Vec<EachName> {
    let TomlValue::Table(keys) = value.value else {
        diagnostics.push(PackProblem::EachUnread { what: "each".to_string(), found: value.type_name() }.at(value.span));
        return Vec::new();
    };
    if keys.is_empty() {
        diagnostics.push(PackProblem::EachUnread { what: "each".to_string(), found: "an empty table" }.at(value.span));
    }
    let mut names = Vec::with_capacity(keys.len());
    for (name, value) in keys {
        if !is_snake_case(&name.text) {
            diagnostics.push(PackProblem::NotANameOfAValue { name: name.text.clone() }.at(name.span));
        }
        let values = read_values(&name, &value, diagnostics);
        names.push(EachName { name, values, used: false });
    }
    names
}

/// Reads the values of one name: `"1 to 8"`, `"red, blue"` or a list of these and of numbers.
fn read_values(name: &Text, value: &Spanned, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
    let items = match &value.value {
        TomlValue::List(items) => items.as_slice(),
        TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::Table(_) => std::slice::from_ref(value),
    };
    let what = format!("each.{}", name.text);
    let mut values: Vec<String> = Vec::new();
    for item in items {
        let told = diagnostics.len();
        let found = match &item.value {
            TomlValue::Text(text) => parse_values(text, diagnostics),
            TomlValue::Integer(number) if !std::ptr::eq(item, value) => Some(vec![number.to_string()]),
            TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
        };
        match found {
            None if diagnostics.len() > told => return values,
            None => {
                diagnostics.push(PackProblem::EachUnread { what, found: item.type_name() }.at(item.span));
                return values;
            }
            Some(found) => {
                if let Some(again) = found.iter().enumerate().find(|(at, one)| values.contains(one) || found[..*at].contains(one)) {
                    let value = again.1.clone();
                    diagnostics.push(PackProblem::EachValueTwice { name: name.text.clone(), value }.at(item.span));
                    return values;
                }
                values.extend(found);
            }
        }
    }
    if values.is_empty() {
        diagnostics.push(PackProblem::EachUnread { what, found: "an empty list" }.at(value.span));
    }
    values
}

/// Parses `1 to 8`, `red, blue` or both. Returns `None` if a value is missing, and after a report if a range is wrong.
fn parse_values(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<String>> {
    let mut values = Vec::new();
    for part in text.text.split(',') {
        let part = part.trim();
        let range = part.split_once(" to ").and_then(|(from, to)| from.trim().parse::<i64>().ok().zip(to.trim().parse::<i64>().ok()));
        match range {
            Some((from, to)) => {
                let count = to.checked_sub(from).and_then(|count| usize::try_from(count).ok());
                let Some(count) = count else {
                    diagnostics.push(PackProblem::EachBackwards { from, to }.at(text.span));
                    return None;
                };
                if count >= MAX_MADE {
                    diagnostics.push(PackProblem::EachTooMany { count: count.saturating_add(1), most: MAX_MADE }.at(text.span));
                    return None;
                }
                values.extend((from..=to).map(|number| number.to_string()));
            }
            None if part.is_empty() || part.contains(['{', '}', '\n', '\t']) => return None,
            None => values.push(part.to_string()),
        }
    }
    Some(values)
}

// ---------------------------------------------------------------------- filling in

/// Where in a card a value stands, which says whether a number may stand there and whether it is a script.
#[derive(Clone, Copy)]
enum Place {
    /// A key of the card itself.
    Card,
    /// A value whose sort is settled: whether it can be a number, and whether it is a script.
    Value { number: bool, script: bool },
    /// In an entry or test with these keys. A key that is none of these is the subject of an entry in one line, whose value is `short`.
    Entry { table: &'static TableSchema, short: &'static str },
}

impl Place {
    /// Returns the place of the value of a key in a table that stands here.
    fn of_key(self, key: &str) -> Place {
        let keys = match self {
            Place::Card => schema::CARD_TABLE.keys,
            Place::Value { .. } => return self,
            Place::Entry { table, .. } => table.keys,
        };
        match (keys.iter().find(|known| known.name == key).map(|known| known.holds), self) {
            (Some(ValueType::Entries(table) | ValueType::Tables(table)), _) => {
                let short = EntryKind::ALL.into_iter().find(|kind| std::ptr::eq(kind.table(), table)).map_or("", EntryKind::short_key);
                Place::Entry { table, short }
            }
            (Some(holds), _) => Place::of_value(holds),
            // A field of its kind, whose type is not known here.
            (None, Place::Card | Place::Value { .. }) => Place::Value { number: true, script: false },
            (None, Place::Entry { .. }) => self,
        }
    }

    /// Returns the place of a value that is no table.
    fn of_plain(self) -> Place {
        match self {
            Place::Card | Place::Value { .. } => self,
            Place::Entry { table, short } => {
                let holds = table.keys.iter().find(|known| known.name == short).map(|known| known.holds);
                holds.map_or(Place::Value { number: false, script: false }, Place::of_value)
            }
        }
    }

    fn of_value(holds: ValueType) -> Place {
        let number =
            matches!(holds, ValueType::Number(..) | ValueType::Amount | ValueType::Numbers | ValueType::Limit | ValueType::Options);
        Place::Value { number, script: matches!(holds, ValueType::Script | ValueType::Scripts) }
    }
}

/// Writes the values of one card into its table.
struct Filler<'a> {
    names: &'a mut Vec<EachName>,
    values: Vec<String>,
    filled: Vec<FilledText>,
    /// The names without a value that have been reported, by place.
    wrong: &'a mut BTreeSet<(u32, String)>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Filler<'_> {
    fn fill_table(&mut self, table: &Table, place: Place) -> Table {
        let mut filled: Table = Vec::with_capacity(table.len());
        for (key, value) in table {
            let inner = place.of_key(&key.text);
            let key = self.fill_text(key, false);
            if filled.iter().any(|(known, _)| known.text == key.text) && self.wrong.insert((key.span.start, String::new())) {
                self.diagnostics.push(PackProblem::EachKeyTwice { key: key.text.clone() }.at(key.span));
            }
            let value = self.fill_value(value, inner);
            filled.push((key, value));
        }
        filled
    }

    fn fill_value(&mut self, value: &Spanned, place: Place) -> Spanned {
        let filled = match &value.value {
            TomlValue::Text(text) => {
                let (number, script) = match place.of_plain() {
                    Place::Value { number, script } => (number, script),
                    Place::Card | Place::Entry { .. } => (false, false),
                };
                let filled = self.fill_text(text, script);
                let is_name = text.text.starts_with('{') && text.text.ends_with('}') && filled.text != text.text;
                match filled.text.parse::<i64>() {
                    Ok(whole) if number && is_name => TomlValue::Integer(whole),
                    Ok(_) | Err(_) => TomlValue::Text(filled),
                }
            }
            TomlValue::List(items) => TomlValue::List(items.iter().map(|item| self.fill_value(item, place)).collect()),
            TomlValue::Table(table) => TomlValue::Table(self.fill_table(table, place)),
            TomlValue::Integer(_) | TomlValue::Boolean(_) => value.value.clone(),
        };
        Spanned { value: filled, span: value.span }
    }

    /// Replaces `{name}` by the name's value. In a script `{ }` also is a block, so that only what is nearly a name is reported there.
    fn fill_text(&mut self, text: &Text, script: bool) -> Text {
        let mut filled = String::with_capacity(text.text.len());
        let mut rest = text.text.as_str();
        while let Some(open) = rest.find('{') {
            let (before, from) = rest.split_at(open);
            filled.push_str(before);
            let inside = from.get(1..).unwrap_or("");
            let name = inside.split_once('}').map(|(name, _)| name).filter(|name| is_snake_case(name));
            let at = name.and_then(|name| self.names.iter().position(|known| known.name.text == name));
            match (name, at) {
                (Some(name), Some(at)) if !filled.ends_with('$') => {
                    self.names[at].used = true;
                    filled.push_str(self.values.get(at).map_or("", String::as_str));
                    rest = inside.get(name.len() + 1..).unwrap_or("");
                    continue;
                }
                (Some(name), None) => self.report_unknown(name, text, text.text.len() - inside.len(), script),
                (Some(_), Some(_)) | (None, _) => {}
            }
            filled.push('{');
            rest = inside;
        }
        filled.push_str(rest);
        if filled.len() != text.text.len() {
            self.filled.push(FilledText { span: text.span, length: u32::try_from(filled.len()).unwrap_or(u32::MAX) });
        }
        Text { text: filled, span: text.span }
    }

    fn report_unknown(&mut self, name: &str, text: &Text, start: usize, script: bool) {
        let near = nearest(name, self.names.iter().map(|known| known.name.text.as_str())).map(String::from);
        let span = text.part(start, start + name.len());
        if script && near.is_none() || !self.wrong.insert((span.start, name.to_string())) {
            return;
        }
        let known: Vec<String> = self.names.iter().map(|known| format!("`{{{}}}`", known.name.text)).collect();
        let known = known.join(", ");
        self.diagnostics.push(PackProblem::EachUnknown { name: name.to_string(), near, known }.at(span));
    }
}

// ---------------------------------------------------------------------- messages about cards that were made

impl RawCard {
    /// Makes the problems from `from` on, which were found in this card, name it if `each` has made it. A problem that another card of the
    /// same table has, too, is told of the first alone.
    pub fn name_in_problems(&self, diagnostics: &mut Vec<Diagnostic>, from: usize) {
        let Some(each) = self.each else { return };
        let new = diagnostics.split_off(from.min(diagnostics.len()));
        for mut found in new {
            found.span = found.span.map(|span| self.span_in_file(span));
            let is_known = |known: &Diagnostic| {
                known.code == found.code && known.span == found.span && known.secondary.iter().any(|(span, _)| *span == each)
            };
            if !diagnostics.iter().any(is_known) {
                diagnostics.push(found.also(each, format!("makes card `{}`, in which it is found", self.id.text)));
            }
        }
    }

    /// Returns the location of the whole text for a location in a text whose length `each` has changed.
    fn span_in_file(&self, span: Span) -> Span {
        let holds = |text: &&FilledText| {
            let start = text.span.start;
            text.span.file == span.file && start <= span.start && span.start < start.saturating_add(text.length.max(1))
        };
        // Of texts of which one seems to reach into the next, the last that begins before the place.
        self.filled.iter().filter(holds).max_by_key(|text| text.span.start).map_or(span, |text| text.span)
    }
}

#[cfg(test)]
mod tests {
    use crate::source::Sources;
    use crate::{RawCard, TomlValue, parse_cards};

    fn read(text: &str) -> (Vec<RawCard>, Vec<(String, String)>) {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text);
        let cards = parse_cards(file, text, "wisps", &mut diagnostics).cards;
        let said = diagnostics.into_iter().map(|fault| (fault.message, sources.slice(fault.span.unwrap()).to_owned())).collect();
        (cards, said)
    }

    #[test]
    fn a_table_makes_a_card_for_every_combination() {
        let (cards, said) = read(concat!(
            "[[card]]\neach.colour = \"red, blue\"\neach.n = [\"1 to 2\", 5]\nid = \"{colour}_{n}\"\nkind = \"beast\"\n",
            "name = \"{n}\"\nhue = \"{colour}\"\nrank = \"{n}\"\nworth = { \"{colour}\" = 2 }\ncopies = \"{n}\"\n",
            "on.dusk = { if = \"wisp > {n}\", do = \"if true {gain(me, {colour}, {n})}\" }\nchange.fame = \"{n}\"\n",
        ));
        assert_eq!(said, []);
        let ids: Vec<_> = cards.iter().map(|card| card.id.text.as_str()).collect();
        assert_eq!(ids, ["red_1", "red_2", "red_5", "blue_1", "blue_2", "blue_5"]);
        let card = &cards[5];
        assert_eq!((card.name.text.as_str(), card.copies), ("5", Some(5)));
        let field = |at: usize| &card.fields[at].1;
        assert_eq!((field(0).text().unwrap().text.as_str(), field(1).integer()), ("blue", Some(5)));
        let TomlValue::Table(worth) = &field(2).value else { panic!("a table") };
        assert_eq!(worth[0].0.text, "blue");
        assert_eq!(card.entries[0].parts()[0].script.text, "if true {gain(me, blue, 5)}");
        let shown = format!("{:?}", card.entries);
        assert!(shown.contains("wisp > 5") && shown.contains("Number(5)"), "{shown}");
    }

    #[test]
    fn what_cannot_be_made_is_told() {
        let card = |lines: &str| format!("[[card]]\n{lines}\nkind = \"beast\"\n");
        let table = [
            ("each.n = \"1 to 3\"\nid = \"wolf\"", "`each.n` changes nothing", "n"),
            ("each.n = \"1 to 3\"\nid = \"wolf\"\nheight = \"{n}\"", "`each` makes several cards with the id `wolf`", "wolf"),
            ("each.n = \"1 to 3\"\nid = \"wolf_{m}\"", "there is no `each.m`", "m"),
            ("each.n = \"3 to 1\"\nid = \"wolf_{n}\"", "nothing lies from 3 to 1", "3 to 1"),
            ("each.n = \"1 to 1001\"\nid = \"wolf_{n}\"", "one table makes at most 1000 cards, not 1001", "1 to 1001"),
            ("each.n = \"1 to 40\"\neach.m = \"1 to 40\"\nid = \"wolf_{n}_{m}\"", "one table makes at most 1000 cards, not 1600", "each"),
            ("each.n = 3\nid = \"wolf_{n}\"", "`each.n` cannot be read", "3"),
            ("each.n = \"a, , b\"\nid = \"wolf_{n}\"", "`each.n` cannot be read", "\"a, , b\""),
            ("each.n = []\nid = \"wolf_{n}\"", "`each.n` cannot be read", "[]"),
            ("each = 3\nid = \"wolf\"", "`each` cannot be read", "3"),
            ("each.N = \"1 to 3\"\nid = \"wolf\"", "`N` cannot be the name of a value", "N"),
            ("each.n = \"1, 2, 1\"\nid = \"wolf_{n}\"", "`each.n` has the value `1` twice", "\"1, 2, 1\""),
            (
                "each.a = \"x, y\"\neach.b = \"x, y\"\nid = \"{a}_{b}\"\nbite = { \"{a}\" = 1, \"{b}\" = 2 }",
                "`x` is in one table twice",
                "{b}",
            ),
            ("each.n = \"1 to 3\"\nid = \"wolf_{n}\"\ncopies = 100", "a card has 1 to 99 copies, not 100", "100"),
        ];
        for (lines, message, place) in table {
            assert_eq!(read(&card(lines)).1, [(message.to_owned(), place.to_owned())], "{lines}");
        }
    }
}
