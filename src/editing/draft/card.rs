//! Drafts a card by copying an existing card of the same kind under another name: printed values, effects and tests.

use super::DraftFile;
use super::figures::compute_key_stats;
use super::name::name_of;
use super::print::{format_entry, format_line, format_value, quote, rename_ids};
use crate::engine::Ruleset;
use crate::engine::ruleset::Shape;
use crate::pack::{GameContent, RawCard, Spanned, Text, TomlValue, read_table, schema, tables_of_cards};
use crate::source::Sources;

/// Maximum number of tests copied from the model.
const MAX_TESTS: usize = 3;
/// Keys that every card may have, as opposed to the fields of its kind.
const COMMON_KEYS: [&str; 11] = ["id", "name", "alt_names", "like", "kind", "age", "set", "copies", "source", "text", "test"];

/// The draft of a card, together with the cards that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardDraft {
    /// Ids of the drafted cards.
    pub ids: Vec<String>,
    /// Text of the card file with the drafted cards.
    pub text: String,
}

/// A card, with its keys and values parsed from its source text.
struct ParsedCard<'a> {
    card: &'a RawCard,
    keys: Vec<(Text, Spanned)>,
}

impl ParsedCard<'_> {
    fn tests(&self) -> Vec<&Spanned> {
        let lists = self.keys.iter().filter(|(key, _)| key.text == "test").filter_map(|(_, one)| match &one.value {
            TomlValue::List(tests) => Some(tests),
            TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::Table(_) => None,
        });
        lists.flatten().collect()
    }
}

/// Returns the cards of this kind that can serve as a model for a draft, the simplest first. A model declares all of its own effects and
/// tests them. Cards of the pack that is being written are excluded.
pub fn find_models<'a>(content: &'a GameContent, kind: &str, pack: Option<&str>) -> Vec<&'a RawCard> {
    let mut all: Vec<&RawCard> = content.cards.iter().filter(|card| card.kind.text == kind && pack != Some(card.pack.as_str())).collect();
    let others = |card: &RawCard| all.iter().any(|other| is_named_by(other, card));
    // A card that refers to another one of its kind is drafted together with it.
    let bases: Vec<&str> = all.iter().filter(|card| others(card)).map(|card| card.id.text.as_str()).collect();
    let bases: Vec<String> = bases.into_iter().map(str::to_string).collect();
    all.retain(|card| card.like.is_none() && !bases.contains(&card.id.text));
    // If other cards have an age, a card without one is atypical.
    let aged = all.iter().any(|card| card.age > 0);
    all.sort_by_key(|card| {
        let tested = !card.tests.is_empty() && card.tests.iter().all(|test| test.then.is_some());
        (
            aged && card.age == 0,
            !tested,
            card.entries.len() != 1,
            card.counters.len(),
            card.entries.len(),
            card.age,
            card.tests.len() > MAX_TESTS,
        )
    });
    all
}

/// Whether a field of `card` contains the id of `named`.
fn is_named_by(card: &RawCard, named: &RawCard) -> bool {
    card.id.text != named.id.text && ids_in_lists(card).any(|id| *id == named.id.text)
}

/// Returns the ids of other cards in the list fields of a card.
fn ids_in_lists(card: &RawCard) -> impl Iterator<Item = &String> {
    let lists = card.fields.iter().filter_map(|(_, one)| match &one.value {
        TomlValue::List(all) => Some(all),
        TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::Table(_) => None,
    });
    lists.flatten().filter_map(|one| match &one.value {
        TomlValue::Text(text) => Some(&text.text),
        TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    })
}

/// Drafts a card after a model; `None` if the model's source text cannot be parsed. A card of the same kind that the model refers to (as
/// the back of a two-sided card refers to its front) is drafted too and takes the id itself.
pub fn draft_card(sources: &Sources, content: &GameContent, rules: &Ruleset, model: &RawCard, id: &str) -> Option<CardDraft> {
    let kind = &model.kind.text;
    let own = |card: &&RawCard| card.kind.text == *kind;
    let base = content.cards.iter().filter(own).find(|other| is_named_by(model, other));
    let mut names = Vec::new();
    let mut cards = Vec::new();
    if let Some(base) = base {
        names.push((base.id.text.clone(), id.to_string()));
        cards.push(ParsedCard { card: base, keys: Vec::new() });
    }
    let end = base.and_then(|base| model.id.text.strip_prefix(&base.id.text)).filter(|end| end.starts_with('_'));
    let own_id = match (base, end) {
        (None, _) => id.to_string(),
        (Some(_), Some(end)) => format!("{id}{end}"),
        (Some(_), None) => format!("{id}_2"),
    };
    names.push((model.id.text.clone(), own_id));
    cards.push(parse_card(sources, model)?);
    let alike: Vec<&RawCard> = content.cards.iter().filter(own).collect();
    let mut text = format!(
        "# A start: it does what `{0}` does, for you to change. `houserule show {0}` shows where that stands, `houserule words --game {1}`\n\
         # lists all that can be said here. What a line says of others is about the {2} cards of this kind in the game.\n",
        model.id.text,
        content.game,
        alike.len(),
    );
    for card in &cards {
        text.push_str(&write_card(card, &alike, &names, rules));
    }
    Some(CardDraft { ids: names.into_iter().map(|(_, id)| id).collect(), text })
}

/// Placement of the draft: cards that belong together share a file.
impl CardDraft {
    /// Makes the card file to write, with its path relative to `folder`, the folder of cards.
    pub fn file(&self, folder: &str) -> DraftFile {
        let name = self.ids.first().map_or("card", String::as_str);
        DraftFile::new(format!("{folder}{name}.toml"), self.text.clone())
    }
}

/// Parses the source text of one card.
fn parse_card<'a>(sources: &Sources, card: &'a RawCard) -> Option<ParsedCard<'a>> {
    let text = sources.text(card.span.file);
    let rest = text.get(card.span.start as usize..)?;
    let mut length = rest.lines().next()?.len();
    for line in rest.split_inclusive('\n').skip(1) {
        if schema::CARD_FILE_TABLES.iter().any(|table| line.trim_start().starts_with(table.header)) {
            break;
        }
        length += line.len();
    }
    let block = rest.get(..(length + 1).min(rest.len()))?;
    let (_, list) = read_table(card.span.file, block, &mut Vec::new())?.into_iter().next()?;
    let TomlValue::List(cards) = list.value else { return None };
    let TomlValue::Table(keys) = cards.into_iter().next()?.value else { return None };
    let is_card = |table: &Vec<(Text, Spanned)>| {
        table.iter().any(|(key, value)| key.text == "id" && value.text().is_some_and(|text| text.text == card.id.text))
    };
    let mut keys = tables_of_cards(keys, card.span).into_iter().find(is_card)?;
    // The rest stands in `[defaults]`.
    let of_file = card.fields.iter().filter(|(field, _)| !keys.iter().any(|(key, _)| key.text == field.text));
    let of_file: Vec<(Text, Spanned)> = of_file.cloned().collect();
    keys.extend(of_file);
    Some(ParsedCard { card, keys })
}

fn write_card(parsed: &ParsedCard<'_>, alike: &[&RawCard], names: &[(String, String)], rules: &Ruleset) -> String {
    let card = parsed.card;
    let id = names.iter().find(|(from, _)| *from == card.id.text).map_or(card.id.text.as_str(), |(_, to)| to);
    let called = names.first().map_or(id, |(_, first)| first);
    let mut out = format!("\n[[card]]\n{}{}", format_line("id", &quote(id), ""), format_line("name", &quote(&name_of(called)), ""));
    out.push_str(&format_line("kind", &quote(&card.kind.text), ""));
    if card.age_span.is_some() {
        let (least, most) = (alike.iter().map(|card| card.age).min().unwrap_or(0), alike.iter().map(|card| card.age).max().unwrap_or(0));
        out.push_str(&format_line("age", &card.age.to_string(), &format!("others: {least} to {most}")));
    }
    if let Some(set) = &card.set {
        out.push_str(&format_line("set", &quote(&set.text), ""));
    }
    if let Some(copies) = card.copies {
        out.push_str(&format_line("copies", &copies.to_string(), ""));
    }
    if card.source.is_some() {
        out.push_str(&format_line("source", "\"original\"", ""));
    }
    let figures = compute_key_stats(alike);
    let comment = |key: &str| figures.get(key).map(|figure| figure.comment(alike.len())).unwrap_or_default();
    if !figures.is_empty() {
        out.push_str("\n# What is printed on it.\n");
    }
    for (key, one) in &card.fields {
        out.push_str(&format_line(&key.text, &format_value(&rename_ids(&one.value, names)), &comment(&key.text)));
    }
    for (key, figure) in figures.iter().filter(|(key, _)| !card.fields.iter().any(|(own, _)| own.text == **key)) {
        out.push_str(&format_line(&format!("# {key}"), &figure.example, &comment(key)));
    }
    let is_own = |key: &str| !COMMON_KEYS.contains(&key) && !card.fields.iter().any(|(own, _)| own.text == key);
    let (mut plain, mut headed) = (String::new(), String::new());
    for (key, one) in parsed.keys.iter().filter(|(key, _)| is_own(&key.text)) {
        let (short, long) = format_entry("card", key, &rename_ids(&one.value, names));
        plain.push_str(&short);
        headed.push_str(&long);
    }
    if let Some(text) = &card.text {
        out.push_str(&format!(
            "\n# What it does, in the words of people, and then for the program.\n{}",
            format_line("text", &quote(&text.text), "")
        ));
    }
    out.push_str(&plain);
    out.push_str(&headed);
    out.push_str(&write_tests(parsed, id, names, rules));
    out
}

/// Writes the tests of the draft: those of the model, or one about printed values.
fn write_tests(parsed: &ParsedCard<'_>, id: &str, names: &[(String, String)], rules: &Ruleset) -> String {
    let card = parsed.card;
    let mut out = String::from("\n# Its tests: `houserule test` runs them, and says with both values what does not hold.\n");
    let tests = parsed.tests();
    for test in tests.iter().take(MAX_TESTS) {
        let TomlValue::Table(keys) = rename_ids(&test.value, names) else { continue };
        let lines: String = keys.iter().map(|(key, one)| format_line(&key.text, &format_value(&one.value), "")).collect();
        out.push_str(&format!("[[card.test]]\n{lines}\n"));
    }
    let numbers = card.fields.iter().filter_map(|(key, one)| Some((key.text.as_str(), one.integer()?)));
    let mut lines: Vec<String> = numbers.map(|(key, number)| format!("{id}.{key} == {number}")).collect();
    if !tests.is_empty() {
        return format!("{}\n", out.trim_end());
    }
    if let Some(place) = find_place_for_kind(rules, &card.kind.text).filter(|_| lines.is_empty()) {
        lines.push(format!("{id} in {}", place.0));
        out.push_str(&format!("[[card.test]]\n{}", format_line("given", &quote(&format!("put {id} in {}{}", place.0, place.1)), "")));
        out.push_str(&format_line("then", &quote(&lines.join("; ")), ""));
    } else if !lines.is_empty() {
        out.push_str(&format!("[[card.test]]\n{}", format_line("name", "\"what is printed\"", "")));
        out.push_str(&format_line("then", &quote(&lines.join("; ")), ""));
    }
    format!("{}\n", out.trim_end())
}

/// Finds a public place that can contain cards of a kind. Returns its name in scenarios and the position within it.
fn find_place_for_kind(rules: &Ruleset, kind: &str) -> Option<(String, &'static str)> {
    let kind = rules.kinds.iter().position(|known| rules.names.text(known.name) == kind)?;
    let fits = |place: &crate::engine::ruleset::PlaceDecl| {
        (place.kinds == 0 || place.kinds >> kind & 1 == 1) && !matches!(place.shape, Shape::Deck)
    };
    let place = rules.places.iter().find(|place| fits(place))?;
    let owner = if place.of_seat { "p1." } else { "" };
    let inside = match place.shape {
        Shape::Grid { hexes: false, .. } => " row 1 column 1",
        Shape::Grid { hexes: true, .. } => " row 2 column 2",
        Shape::Slots | Shape::Deck => "",
    };
    Some((format!("{owner}{}", place.name), inside))
}
