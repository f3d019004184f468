//! Mutations of card files: effects of cards, patches and kinds, and optionally printed values.

use super::names::NameCategories;
use super::rules::{ParseAs, mutants_of_text};
use super::script::mutants_of_script;
use super::{Mutant, MutationOperator, sort_and_dedup};
use crate::pack::EntryKind;
use crate::pack::{Spanned, Text, TomlValue, read_table};
use crate::source::{FileId, Span};

/// Keys that do not affect what a card does.
const KEYS_WITHOUT_EFFECT: [&str; 13] =
    ["id", "name", "like", "alt_names", "kind", "age", "copies", "set", "source", "text", "test", "card", "where"];

/// Returns all mutations of the effects in a card file; with `figures` also of the numbers in the fields of kinds.
pub fn mutants_of_cards(file: FileId, text: &str, figures: bool, siblings: &NameCategories) -> Vec<Mutant> {
    let table = read_table(file, text, &mut Vec::new()).unwrap_or_default();
    let mut walk = CardMutator { text, siblings, found: Vec::new(), card: None };
    for (key, value) in &table {
        if let (true, TomlValue::List(cards)) = (matches!(key.text.as_str(), "card" | "patch" | "kind"), &value.value) {
            cards.iter().for_each(|card| walk.mutate_card(&key.text, card, figures));
        }
    }
    sort_and_dedup(text, walk.found)
}

struct CardMutator<'a> {
    text: &'a str,
    siblings: &'a NameCategories,
    found: Vec<Mutant>,
    card: Option<String>,
}

impl CardMutator<'_> {
    fn mutate_card(&mut self, header: &str, card: &Spanned, figures: bool) {
        let TomlValue::Table(keys) = &card.value else { return };
        let named = if header == "patch" { "card" } else { "id" };
        let id = keys.iter().find(|(key, _)| key.text == named).and_then(|(_, value)| value.text());
        // Entries of a kind concern all cards of the kind.
        self.card = id.filter(|_| header != "kind").map(|id| id.text.clone());
        for (key, value) in keys {
            let of_entries = EntryKind::ALL.iter().any(|kind| kind.header_word() == key.text);
            if of_entries {
                self.mutate_entries(key, value);
            } else if key.text == "leaves_when" {
                self.mutate_rules(value, ParseAs::Expr);
                self.add_negation(value);
                self.add_line_removal(key, value);
            } else if key.text == "counters" || figures && !KEYS_WITHOUT_EFFECT.contains(&key.text.as_str()) {
                self.add_value_mutations(value);
            }
        }
    }

    /// Adds the mutations of entries under a key, which are written as `on.dusk = { … }`, `[[card.on]]`, or a list.
    fn mutate_entries(&mut self, key: &Text, value: &Spanned) {
        match &value.value {
            TomlValue::List(entries) => {
                for entry in entries {
                    self.mutate_entry(entry);
                    self.add_removal(entry.span.start, end_of(entry));
                }
            }
            TomlValue::Table(subjects) if key.text != EntryKind::Action.header_word() => {
                for (subject, entry) in subjects {
                    self.mutate_subject(subject);
                    self.mutate_body(entry);
                    self.add_line_removal(subject, entry);
                }
            }
            TomlValue::Table(_) | TomlValue::Text(_) => {
                self.mutate_body(value);
                self.add_line_removal(key, value);
            }
            TomlValue::Integer(_) | TomlValue::Boolean(_) => self.add_value_mutations(value),
        }
    }

    /// Adds the mutations of what an entry is about: the event at which it runs, or the quantity that it changes.
    fn mutate_subject(&mut self, subject: &Text) {
        let word = subject.text.as_str();
        if let Some(other) = self.siblings.next_in_category(word) {
            self.add_change(MutationOperator::Name, subject.span, other);
        }
    }

    /// Adds the mutations of an entry's contents, which are a script, a table, or a list of these.
    fn mutate_body(&mut self, entry: &Spanned) {
        match &entry.value {
            TomlValue::Text(script) => self.mutate_script(script),
            TomlValue::List(entries) => {
                for (at, entry) in entries.iter().enumerate() {
                    self.mutate_body(entry);
                    // An element of a list is removed together with its comma.
                    let next = entries.get(at + 1).map(|next| next.span.start);
                    let before = at.checked_sub(1).and_then(|at| entries.get(at)).map(|before| before.span.end);
                    match (next, before) {
                        (Some(next), _) => self.add_removal(entry.span.start, next),
                        (None, Some(before)) => self.add_removal(before, entry.span.end),
                        (None, None) => {}
                    }
                }
            }
            TomlValue::Table(_) => self.mutate_entry(entry),
            TomlValue::Integer(_) | TomlValue::Boolean(_) => self.add_value_mutations(entry),
        }
    }

    fn mutate_entry(&mut self, entry: &Spanned) {
        let TomlValue::Table(keys) = &entry.value else { return self.mutate_body(entry) };
        for (key, value) in keys {
            match (key.text.as_str(), &value.value) {
                ("if" | "needs", TomlValue::Text(_)) => {
                    self.mutate_rules(value, ParseAs::Expr);
                    self.add_negation(value);
                    self.add_key_removal(key, value, keys);
                }
                ("to" | "by" | "at_least" | "at_most", _) => {
                    self.add_value_mutations(value);
                    self.mutate_rules(value, ParseAs::Expr);
                    self.add_key_removal(key, value, keys);
                }
                ("let", TomlValue::Table(names)) => names.iter().for_each(|(_, value)| self.mutate_rules(value, ParseAs::Expr)),
                ("cost", TomlValue::Text(_)) => {
                    self.mutate_rules(value, ParseAs::Costs);
                    self.add_key_removal(key, value, keys);
                }
                ("ask", TomlValue::Text(_)) => self.mutate_rules(value, ParseAs::Ask),
                ("do" | "part", _) => self.mutate_body(value),
                ("when" | "what", TomlValue::Text(word)) => {
                    if let Some(other) = self.siblings.next_in_category(&word.text) {
                        self.add_change(MutationOperator::Name, word.span, other);
                    }
                }
                ("who", TomlValue::Text(word)) => {
                    let other = if word.text == "others" { "all" } else { "others" };
                    self.add_change(MutationOperator::Direction, word.span, other.to_string());
                    self.add_key_removal(key, value, keys);
                }
                ("limit", _) => {
                    self.add_value_mutations(value);
                    if let Some(limit) = value.text() {
                        let digits = limit.text.bytes().take_while(u8::is_ascii_digit).count();
                        if let Ok(number) = limit.text.get(..digits).unwrap_or("").parse::<i64>() {
                            self.add_change(MutationOperator::Number, limit.part(0, digits), (number + 1).to_string());
                        }
                    }
                    self.add_key_removal(key, value, keys);
                }
                ("until", TomlValue::Text(_)) => self.add_key_removal(key, value, keys),
                _ => {}
            }
        }
    }

    /// Adds a mutation for each number and each truth value in a value of TOML, and for names of resources that are its keys.
    fn add_value_mutations(&mut self, value: &Spanned) {
        match &value.value {
            TomlValue::Integer(number) => self.add_change(MutationOperator::Number, value.span, (number + 1).to_string()),
            TomlValue::Boolean(yes) => self.add_change(MutationOperator::Condition, value.span, (!yes).to_string()),
            TomlValue::List(items) => items.iter().for_each(|item| self.add_value_mutations(item)),
            TomlValue::Table(keys) => {
                for (key, value) in keys {
                    self.add_value_mutations(value);
                    if let Some(other) =
                        self.siblings.next_in_category(&key.text).filter(|other| !keys.iter().any(|(key, _)| key.text == *other))
                    {
                        self.add_change(MutationOperator::Name, key.span, other);
                    }
                }
            }
            TomlValue::Text(_) => {}
        }
    }

    fn mutate_script(&mut self, script: &Text) {
        let found = mutants_of_script(&script.text, self.siblings);
        self.add_from_text(script, found);
    }

    fn mutate_rules(&mut self, value: &Spanned, form: ParseAs) {
        let Some(text) = value.text() else { return };
        let found = mutants_of_text(&text.text, form, self.siblings);
        self.add_from_text(text, found);
    }

    fn add_negation(&mut self, value: &Spanned) {
        let Some(text) = value.text() else { return };
        self.add_change(MutationOperator::Condition, text.span, format!("not ({})", text.text));
    }

    /// Adds mutations of a quoted text, with their positions converted to positions in the file; none if the text contains escapes.
    fn add_from_text(&mut self, text: &Text, found: Vec<Mutant>) {
        for mutant in found {
            let span = text.part(mutant.start, mutant.end);
            if self.slice(span) == text.text.get(mutant.start..mutant.end).unwrap_or("") {
                self.add_change(mutant.class, span, mutant.replacement);
            }
        }
    }

    /// Adds the mutation that removes a key from a table; in an inline table its comma is removed as well.
    fn add_key_removal(&mut self, key: &Text, value: &Spanned, keys: &[(Text, Spanned)]) {
        let (start, end) = (key.span.start, end_of(value));
        let next = keys.iter().map(|(key, _)| key.span.start).filter(|next| *next > start).min();
        let last = keys.iter().filter(|(other, _)| other.span.start < start).map(|(_, value)| end_of(value)).max();
        let comma = |from: u32, to: u32| self.text.get(from as usize..to as usize).is_some_and(|between| between.contains(','));
        match (next, last) {
            (Some(next), _) if comma(end, next) => self.add_removal(start, next),
            (_, Some(last)) if comma(last, start) => self.add_removal(last, end),
            _ => self.add_removal(start, end),
        }
    }

    /// Adds the mutation that removes the whole line of a key such as `on.dusk = …`.
    fn add_line_removal(&mut self, key: &Text, value: &Spanned) {
        let before = self.text.get(..key.span.start as usize).unwrap_or("");
        let begins = before.rfind('\n').map_or(0, |at| at + 1);
        if self.text.get(begins..).is_some_and(|line| !line.starts_with('[')) {
            self.add_removal(u32::try_from(begins).unwrap_or(0), end_of(value));
        }
    }

    fn add_removal(&mut self, start: u32, end: u32) {
        self.found.push(Mutant {
            class: MutationOperator::Removed,
            start: start as usize,
            end: end as usize,
            replacement: String::new(),
            card: self.card.clone(),
            variant: None,
        });
    }

    fn add_change(&mut self, class: MutationOperator, span: Span, replacement: String) {
        self.found.push(Mutant {
            class,
            start: span.start as usize,
            end: span.end as usize,
            replacement,
            card: self.card.clone(),
            variant: None,
        });
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Returns the offset of the end of a value; a table under a header ends with its last key.
fn end_of(value: &Spanned) -> u32 {
    let inner = match &value.value {
        TomlValue::Table(keys) => keys.iter().map(|(_, value)| end_of(value)).max(),
        TomlValue::List(items) => items.iter().map(end_of).max(),
        TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::Text(_) => None,
    };
    inner.unwrap_or(0).max(value.span.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn mutations_of(text: &str, figures: bool) -> Vec<String> {
        let mut siblings = NameCategories::default();
        siblings.add_rules("player { resource wisp, moss }\nmoments { dusk \"evening\"; dawn \"morning\" }\n");
        let file = Sources::new().add("wisp.toml", text);
        let found = mutants_of_cards(file, text, figures, &siblings);
        found
            .iter()
            .map(|mutant| (mutant.original_and_replacement(text), mutant.card.clone().unwrap_or_default(), mutant.apply_to(text)))
            .map(|((was, now), card, all)| {
                assert!(toml::from_str::<toml::Table>(&all).is_ok(), "{was} -> {now} leaves no TOML:\n{all}");
                format!("{card}: {was} -> {now}")
            })
            .collect()
    }

    #[test]
    fn entries_in_a_line() {
        let text = concat!(
            "[[card]]\nid = \"wolf\"\nheight = 3\nproduction = { wisp = 1 }\nleaves_when = \"wisp == 0\"\n",
            "on.dusk = { if = \"wisp > 2\", let = { n = \"moss + 1\" }, do = \"gain(me, moss, n)\" }\n",
            "change.fame = { by = 2, who = \"others\" }\n",
            "action = { limit = 1, cost = \"1 wisp\", do = [\"gain(me, wisp, 1)\", \"lose(me, moss, 1)\"] }\n",
        );
        let found = mutations_of(text, false);
        let wanted = [
            "wolf: dusk -> dawn",
            "wolf: wisp > 2 -> not (wisp > 2)",
            "wolf: if = \"wisp > 2\", -> ",
            "wolf: 2 -> 3",
            "wolf: others -> all",
            "wolf: , who = \"others\" -> ",
            "wolf: \"gain(me, wisp, 1)\", -> ",
            "wolf: , \"lose(me, moss, 1)\" -> ",
            "wolf: limit = 1, -> ",
            "wolf: leaves_when = \"wisp == 0\" -> ",
            "wolf: on.dusk = { if = \"wisp > 2\", let = { n = \"moss + 1\" }, do = \"gain(me, moss, n)\" } -> ",
        ];
        for wanted in wanted {
            assert!(found.iter().any(|found| found == wanted), "{wanted} in {found:#?}");
        }
        // Printed values are changed on request only.
        let three = "wolf: 3 -> 4".to_string();
        assert!(!found.contains(&three) && mutations_of(text, true).contains(&three));
        assert!(mutations_of(text, true).contains(&"wolf: wisp -> moss".to_string()));
    }

    #[test]
    fn entries_under_headers_and_parts() {
        let text = concat!(
            "[[card]]\nid = \"wolf\"\n\n[[card.on]]\nwhen = \"dusk\"\nif = \"wisp > 2\"\n\n",
            "[[card.on.part]]\ndo = \"gain(me, wisp, 1)\"\n\n[[card.on.part]]\nask = \"one of wisp, moss\"\ndo = \"gain(me, answer, 1)\"\n\n",
            "[[card.test]]\nthen = \"p1.wisp == 4\"\n",
        );
        let found = mutations_of(text, false);
        for wanted in ["wolf: if = \"wisp > 2\" -> ", "wolf: gain -> lose", "wolf: wisp, -> ", "wolf: dusk -> dawn"] {
            assert!(found.iter().any(|found| found == wanted), "{wanted} in {found:#?}");
        }
        assert!(found.iter().any(|found| found.starts_with("wolf: [[card.on]] when")), "{found:#?}");
        assert!(!found.iter().any(|found| found.contains('4')), "{found:#?}");
    }
}
