//! `[defaults]`: values for all cards of a file that do not write these keys themselves.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::cards::take_age;
use super::keys::Keys;
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue};
use super::schema::{self, TableSchema};

/// One key of `[defaults]`, and whether any card has used it.
#[derive(Debug)]
struct DefaultValue<T> {
    value: T,
    key: Text,
    used: bool,
}

/// The `[defaults]` table of a card file.
#[derive(Default, Debug)]
pub(super) struct Defaults {
    texts: Vec<DefaultValue<Text>>,
    age: Option<DefaultValue<(i64, Span)>>,
    span: Option<Span>,
    /// Whether a key or the table itself is misspelt, so that a key that a card lacks may be meant there.
    misspelt: bool,
}

impl Defaults {
    /// Takes `[defaults]` from the keys of a file. Without such a table, the result has no values.
    pub(super) fn take(file: &mut Keys<'_>) -> Defaults {
        let Some((header, table)) = file.take("defaults") else {
            let known = || schema::CARD_FILE_TABLES.map(TableSchema::name);
            let meant = |name: &str| !known().contains(&name) && nearest(name, known()) == Some("defaults");
            return Defaults { misspelt: file.keys().any(|key| meant(&key.text)), ..Defaults::default() };
        };
        let TomlValue::Table(keys) = table.value else {
            file.diagnostics().push(PackProblem::DefaultsNoTable { found: table.type_name() }.at(table.span));
            return Defaults::default();
        };
        if let Some(card) = first_card(file).filter(|card| card.start < header.span.start) {
            file.diagnostics().push(PackProblem::DefaultsBelow { card }.at(table.span));
        }
        let places: Vec<Text> = keys.iter().map(|(key, _)| key.clone()).collect();
        let mut keys = Keys::new("`[defaults]`", table.span, keys, file.diagnostics());
        let mut found = Defaults { span: Some(table.span), ..Defaults::default() };
        for key in places {
            if key.text == "age" {
                let span = keys.value_span("age").unwrap_or(key.span);
                found.age = Some(DefaultValue { value: (take_age(&mut keys), span), key, used: false });
            } else if schema::DEFAULTS_TABLE.names().contains(&key.text.as_str())
                && let Some(value) = keys.take_text(&key.text)
            {
                found.texts.push(DefaultValue { value, key, used: false });
            } else {
                found.misspelt |= !schema::DEFAULTS_TABLE.names().contains(&key.text.as_str());
            }
        }
        keys.report_unknown_keys(&schema::DEFAULTS_TABLE.names());
        found
    }

    /// Whether `[defaults]` has a misspelt key, which may be the one that a card lacks; then the lack needs no report of its own.
    pub(super) fn may_hold_misspelt_key(&self) -> bool {
        self.misspelt
    }

    /// Takes a text from the card's own keys, or else from the defaults.
    pub(super) fn text(&mut self, card: &mut Keys<'_>, key: &str) -> Option<Text> {
        if card.has_key(key) {
            return card.take_text(key);
        }
        let default = self.texts.iter_mut().find(|default| default.key.text == key)?;
        default.used = true;
        Some(default.value.clone())
    }

    /// Takes the age, and its location, from the card's own keys or else from the defaults.
    pub(super) fn age(&mut self, card: &mut Keys<'_>) -> Option<(i64, Span)> {
        match card.value_span("age") {
            Some(span) => Some((take_age(card), span)),
            None => {
                let default = self.age.as_mut()?;
                default.used = true;
                Some(default.value)
            }
        }
    }

    /// Reports each default that no card uses.
    pub(super) fn report_unused(&self, diagnostics: &mut Vec<Diagnostic>) {
        let Some(span) = self.span else { return };
        let texts = self.texts.iter().map(|default| (&default.key, default.used));
        let all: Vec<(&Text, bool)> = texts.chain(self.age.iter().map(|default| (&default.key, default.used))).collect();
        for (key, _) in all.iter().filter(|(_, used)| !used) {
            diagnostics.push(PackProblem::DefaultUnused { key: key.text.clone(), defaults: span }.at(key.span));
        }
    }
}

/// Returns the location of the first card in a file.
fn first_card(file: &Keys<'_>) -> Option<Span> {
    match file.peek_value("card") {
        Some(Spanned { value: TomlValue::List(cards), .. }) => cards.first().map(|card| card.span),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Diagnostic;
    use crate::source::Sources;
    use crate::{RawCard, parse_cards};

    fn read(text: &str) -> (Vec<RawCard>, Vec<(String, String)>) {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text);
        let cards = parse_cards(file, text, "wisps", &mut diagnostics).cards;
        let said = |fault: Diagnostic| (fault.message, sources.slice(fault.span.unwrap()).to_owned());
        (cards, diagnostics.into_iter().map(said).collect())
    }

    const HEAD: &str = "[defaults]\nkind = \"wall\"\nage = 2\nset = \"first\"\nsource = \"facts\"\n";

    #[test]
    fn a_card_follows_the_head_of_its_file_unless_it_says_otherwise() {
        let (cards, said) = read(&format!("{HEAD}[[card]]\nid = \"low_wall\"\n[[card]]\nid = \"wolf\"\nkind = \"beast\"\nage = 0\n"));
        assert_eq!(said, []);
        let found = |card: &RawCard| {
            let text = |text: &Option<super::Text>| text.as_ref().map(|text| text.text.clone()).unwrap_or_default();
            (card.name.text.clone(), card.kind.text.clone(), card.age, text(&card.set), text(&card.source))
        };
        let words = |name: &str, kind: &str, age| (name.to_owned(), kind.to_owned(), age, "first".to_owned(), "facts".to_owned());
        assert_eq!(found(&cards[0]), words("Low Wall", "wall", 2));
        assert_eq!(found(&cards[1]), words("Wolf", "beast", 0));
    }

    #[test]
    fn defaults_that_do_nothing_are_told() {
        let told = |text: &str| read(text).1;
        let said = |message: &str, place: &str| vec![(message.to_owned(), place.to_owned())];
        let card = "[[card]]\nid = \"wolf\"\nkind = \"beast\"\n";
        let unused = |key: &str| said(&format!("no card of this file takes `{key}` from `[defaults]`"), key);
        assert_eq!(told(&format!("[defaults]\nkind = \"wall\"\n{card}")), unused("kind"));
        assert_eq!(told("[defaults]\nage = 1\n"), unused("age"));
        assert_eq!(told(&format!("[defaults]\nheight = 1\n{card}")), said("`[defaults]` has no key `height`", "height"));
        assert_eq!(told(&format!("[defaults]\nset = 1\n{card}")), said("`set` must be a text in quotes", "1"));
        assert_eq!(told(&format!("[defaults]\nage = 100\n{card}")), said("an age must be from 0 to 99, not 100", "100"));
        assert_eq!(told(&format!("defaults = 1\n{card}")), said("`defaults` must be a table under its own `[defaults]`", "1"));
        assert_eq!(told(&format!("{card}[defaults]\nage = 1")), said("`[defaults]` must come before all cards", "[defaults]"));
    }
}
