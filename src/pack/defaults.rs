//! `[defaults]`: values for all cards of a file that do not write these keys themselves, and `[defaults.KIND]` for those of a kind.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::cards::{parse_copies, take_age};
use super::each::Table;
use super::keys::{Keys, unknown_key};
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue};
use super::schema::{self, TableSchema};

/// One key of `[defaults]`, and whether any card has used it.
#[derive(Debug)]
struct DefaultValue {
    /// The kind of the cards that it holds for; `None` for all.
    kind: Option<String>,
    key: Text,
    value: Spanned,
    used: bool,
}

/// The `[defaults]` table of a card file.
#[derive(Default, Debug)]
pub(super) struct Defaults {
    values: Vec<DefaultValue>,
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
        let mut found = Defaults { span: Some(table.span), ..Defaults::default() };
        let has_kind = keys.iter().any(|(key, _)| key.text == "kind");
        let kinds = kinds_of_cards(file, keys.iter().find(|(key, _)| key.text == "kind").map(|(_, kind)| kind));
        for (key, value) in keys {
            let is_kind = kinds.contains(&key.text) && matches!(value.value, TomlValue::Table(_));
            match value.value {
                TomlValue::Table(of_kind) if is_kind => {
                    let (kind, span) = (key.text, value.span);
                    for (key, value) in of_kind {
                        found.add((Some(kind.clone()), true), key, value, span, file.diagnostics());
                    }
                }
                of_all => found.add((None, has_kind), key, Spanned { value: of_all, ..value }, table.span, file.diagnostics()),
            }
        }
        found
    }

    /// Adds a value for the cards of a kind, or for all; reports one that cannot be a default.
    fn add(&mut self, (kind, has_kind): (Option<String>, bool), key: Text, value: Spanned, table: Span, diagnostics: &mut Vec<Diagnostic>) {
        let name = key.text.as_str();
        let of_one_card = schema::CARD_TABLE.names().contains(&name) && !schema::DEFAULTS_TABLE.names().contains(&name);
        let is_misspelt_kind = !has_kind && nearest(name, ["kind"]).is_some();
        if of_one_card {
            diagnostics.push(PackProblem::DefaultOfOneCard { key: key.text.clone() }.at(key.span));
        } else if is_misspelt_kind || name == "each" || kind.is_some() && name == "kind" {
            self.misspelt |= is_misspelt_kind;
            diagnostics.push(unknown_key(&key, "`[defaults]`", &schema::DEFAULTS_TABLE.names()));
        } else if is_fit(&key, &value, table, diagnostics) {
            self.values.push(DefaultValue { kind, key, value, used: false });
        } else {
            self.misspelt = true;
        }
    }

    /// Whether `[defaults]` has a misspelt key, which may be the one that a card lacks; then the lack needs no report of its own.
    pub(super) fn may_hold_misspelt_key(&self) -> bool {
        self.misspelt
    }

    /// Adds to a card's table the keys that it does not write itself.
    pub(super) fn add_to(&mut self, card: &mut Table) {
        let has = |card: &Table, key: &str| card.iter().any(|(known, _)| known.text == key);
        // The kind comes first, then what its cards have: that says more than what all have.
        self.values.sort_by_key(|default| (default.key.text != "kind", default.kind.is_none()));
        for default in &mut self.values {
            let of_kind =
                |kind: &str| card.iter().any(|(key, value)| key.text == "kind" && value.text().is_some_and(|text| text.text == kind));
            if default.kind.as_deref().is_none_or(of_kind) && !has(card, &default.key.text) {
                default.used = true;
                card.push((default.key.clone(), default.value.clone()));
            }
        }
    }

    /// Reports each default that no card uses.
    pub(super) fn report_unused(&self, diagnostics: &mut Vec<Diagnostic>) {
        let Some(span) = self.span else { return };
        for DefaultValue { key, .. } in self.values.iter().filter(|default| !default.used) {
            diagnostics.push(PackProblem::DefaultUnused { key: key.text.clone(), defaults: span }.at(key.span));
        }
    }
}

/// Whether a value suits its key; reports one that does not, once for all cards. Which fields there are is checked against the rules. A
/// value in which a card's `each` may put another is looked at in the card.
fn is_fit(key: &Text, value: &Spanned, table: Span, diagnostics: &mut Vec<Diagnostic>) -> bool {
    if value.text().is_some_and(|text| text.text.contains('{')) {
        return true;
    }
    let told = diagnostics.len();
    let mut keys = Keys::new("`[defaults]`", table, vec![(key.clone(), value.clone())], diagnostics);
    match key.text.as_str() {
        "age" => drop(take_age(&mut keys)),
        "copies" => drop(parse_copies(value, keys.diagnostics())),
        "kind" | "set" | "source" => drop(keys.take_text(&key.text)),
        _ => {}
    }
    diagnostics.len() == told
}

/// Returns the kinds of the cards of a file, which may come from `[defaults]`.
fn kinds_of_cards(file: &Keys<'_>, default: Option<&Spanned>) -> Vec<String> {
    let mut kinds: Vec<String> = default.and_then(|kind| kind.text()).map(|kind| kind.text.clone()).into_iter().collect();
    if let Some(Spanned { value: TomlValue::List(cards), .. }) = file.peek_value("card") {
        for card in cards {
            let TomlValue::Table(keys) = &card.value else { continue };
            let kind = keys.iter().find(|(key, _)| key.text == "kind").and_then(|(_, kind)| kind.text());
            kinds.extend(kind.map(|kind| kind.text.clone()));
        }
    }
    kinds
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
    fn fields_and_copies_may_stand_in_the_head() {
        let (cards, said) = read(
            "[defaults]\nkind = \"wall\"\nheight = 2\ncopies = 3\nrank = \"{n}\"\n[[card]]\nid = \"w_{n}\"\neach.n = \"4 to 5\"\n[[card]]\nid = \"x\"\nheight = 1\nrank = 1\n",
        );
        assert_eq!(said, []);
        let field =
            |card: &RawCard, name: &str| card.fields.iter().find(|(key, _)| key.text == name).and_then(|(_, value)| value.integer());
        let found: Vec<_> = cards.iter().map(|card| (card.copies, field(card, "height"), field(card, "rank"))).collect();
        assert_eq!(found, [(Some(3), Some(2), Some(4)), (Some(3), Some(2), Some(5)), (Some(3), Some(1), Some(1))]);
    }

    #[test]
    fn a_kind_has_defaults_of_its_own_ahead_of_those_of_all() {
        let head =
            "[defaults]\nkind = \"wall\"\ncopies = 2\nheight = 1\n[defaults.beast]\nheight = 4\ncopies = 3\n[defaults.wall]\nage = 5\n";
        let (cards, said) = read(&format!(
            "{head}[[card]]\nid = \"low_wall\"\n[[card]]\nid = \"wolf\"\nkind = \"beast\"\n[[card]]\nid = \"owl\"\nkind = \"beast\"\nheight = 9\n"
        ));
        assert_eq!(said, []);
        let height = |card: &RawCard| card.fields.iter().find(|(key, _)| key.text == "height").and_then(|(_, value)| value.integer());
        let found: Vec<_> = cards.iter().map(|card| (card.copies, height(card), card.age)).collect();
        assert_eq!(found, [(Some(2), Some(1), 5), (Some(3), Some(4), 0), (Some(3), Some(9), 0)]);
        let unused = read("[defaults.wall]\nheight = 4\n[[card]]\nid = \"low\"\nkind = \"wall\"\nheight = 1\n").1;
        assert_eq!(unused, [("no card of this file takes `height` from `[defaults]`".to_owned(), "height".to_owned())]);
    }

    #[test]
    fn defaults_that_do_nothing_are_told() {
        let told = |text: &str| read(text).1;
        let said = |message: &str, place: &str| vec![(message.to_owned(), place.to_owned())];
        let card = "[[card]]\nid = \"wolf\"\nkind = \"beast\"\n";
        let unused = |key: &str| said(&format!("no card of this file takes `{key}` from `[defaults]`"), key);
        assert_eq!(told(&format!("[defaults]\nkind = \"wall\"\n{card}")), unused("kind"));
        assert_eq!(told("[defaults]\nage = 1\n"), unused("age"));
        assert_eq!(told(&format!("[defaults]\nkidn = \"wall\"\n{card}")), said("`[defaults]` has no key `kidn`", "kidn"));
        assert_eq!(told(&format!("[defaults]\nname = \"x\"\n{card}")), said("`name` belongs to each card itself", "name"));
        assert_eq!(told(&format!("[defaults]\ncopies = 0\n{card}")), said("a card has 1 to 99 copies, not 0", "0"));
        assert_eq!(told(&format!("[defaults]\nset = 1\n{card}")), said("`set` must be a text in quotes", "1"));
        assert_eq!(told(&format!("[defaults]\nage = 100\n{card}")), said("an age must be from 0 to 99, not 100", "100"));
        assert_eq!(told(&format!("defaults = 1\n{card}")), said("`defaults` must be a table under its own `[defaults]`", "1"));
        assert_eq!(told(&format!("{card}[defaults]\nage = 1")), said("`[defaults]` must come before all cards", "[defaults]"));
    }
}
