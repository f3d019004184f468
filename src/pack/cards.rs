//! Card files: parses `[defaults]`, `[[card]]`, `[[kind]]`, `[[patch]]` and `[[remove]]`. Whether names exist and which fields a kind has
//! is checked later, against the rules.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{FileId, Span};

use super::defaults::Defaults;
use super::each::{Expanded, FilledText, expand};
use super::entries::{CardTest, RawEntry, take_entries, take_tests};
use super::keys::{Keys, check_id, wrong_type};
use super::name::name_of;
use super::patch::{Patch, Remove, parse_patch, parse_remove};
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue, read_table};
use super::schema::{self, TableSchema};

/// The key under which a card lists its parts, a table for each: all other lists of tables on cards are entries.
pub const PARTS: &str = "parts";

/// A card as written in TOML, possibly after overlays were applied.
#[derive(Clone, PartialEq, Debug)]
pub struct RawCard {
    /// Identifier in snake case, unique over the game and all packs.
    pub id: Text,
    /// Display name; derived from the id if none is written.
    pub name: Text,
    /// Alternative names under which users can refer to the card.
    pub alt_names: Vec<Text>,
    /// Id of the card from which this one inherits everything it does not write itself.
    pub like: Option<Text>,
    /// The card's kind; empty until it has been inherited from the card in `like`.
    pub kind: Text,
    /// Age from 0 to `MAX_AGE`; 0 if none is written.
    pub age: i64,
    /// Location of the age in the source, also if it comes from `[defaults]`.
    pub age_span: Option<Span>,
    /// Number of copies, if written. The default is 1 in a deck, and otherwise the number that the rules take from the box.
    pub copies: Option<u16>,
    /// Name of the set that the card belongs to.
    pub set: Option<Text>,
    /// Source of the card's data, such as a publication.
    pub source: Option<Text>,
    /// The rules text printed on the card.
    pub text: Option<Text>,
    /// What its kind says of all its cards.
    pub kind_text: Option<Text>,
    /// All keys that are not common to all cards; the card's kind must declare them.
    pub fields: Vec<(Text, Spanned)>,
    /// Condition under which the card leaves play.
    pub leaves_when: Option<Text>,
    /// Counters on this card, with their initial values.
    pub counters: Vec<(Text, i64)>,
    /// Abilities of the card, in order of writing.
    pub entries: Vec<RawEntry>,
    /// Tests written next to the card.
    pub tests: Vec<CardTest>,
    /// Location of the card's `[[card]]` header.
    pub span: Span,
    /// Location of `each` in the table, if the table stands for several cards of which this is one.
    pub each: Option<Span>,
    /// The texts whose length the values of `each` have changed.
    pub(super) filled: Vec<FilledText>,
    /// Name of the pack that defines the card; the game's name for the game's own cards.
    pub pack: String,
}

impl RawCard {
    /// Creates what stands for a space of a board, which rules declare as the cards of a pack are declared in TOML.
    pub fn of_space(id: Text, name: Text, kind: Text, fields: Vec<(Text, Spanned)>, span: Span) -> RawCard {
        RawCard {
            id,
            name,
            alt_names: Vec::new(),
            like: None,
            kind,
            age: 0,
            age_span: None,
            copies: None,
            set: None,
            source: None,
            text: None,
            kind_text: None,
            fields,
            leaves_when: None,
            counters: Vec::new(),
            entries: Vec::new(),
            tests: Vec::new(),
            span,
            each: None,
            filled: Vec::new(),
            pack: String::new(),
        }
    }

    /// What people read on the card: its own text, or else what its kind says of all its cards.
    pub fn said(&self) -> Option<&Text> {
        self.text.as_ref().or(self.kind_text.as_ref())
    }
}

/// A `[[kind]]` table: entries and tests that apply to all cards of a kind.
#[derive(Clone, PartialEq, Debug)]
pub struct RawKind {
    /// Name of the kind in the rules.
    pub id: Text,
    /// What all cards of the kind do, in words, for those that say nothing themselves.
    pub text: Option<Text>,
    /// Entries that every card of this kind has.
    pub entries: Vec<RawEntry>,
    /// Tests written next to the kind.
    pub tests: Vec<CardTest>,
    /// Location of the `[[kind]]` header.
    pub span: Span,
}

/// The parsed content of one card file, or of all card files of a pack.
#[derive(Clone, Default, Debug)]
pub struct CardFile {
    /// `[[card]]` tables.
    pub cards: Vec<RawCard>,
    /// `[[kind]]` tables.
    pub kinds: Vec<RawKind>,
    /// `[[patch]]` tables.
    pub patches: Vec<Patch>,
    /// `[[remove]]` tables.
    pub removes: Vec<Remove>,
    /// Whether anything was dropped because it could not be parsed. A diagnostic has been reported for it.
    pub broken: bool,
}

impl CardFile {
    /// Appends the content of another file.
    pub fn extend(&mut self, other: CardFile) {
        self.cards.extend(other.cards);
        self.kinds.extend(other.kinds);
        self.patches.extend(other.patches);
        self.removes.extend(other.removes);
        self.broken |= other.broken;
    }
}

/// Parses a card file. Errors go to `diagnostics`; everything that could be parsed is returned. `pack` is the name of the pack or game that
/// the file belongs to.
pub fn parse_cards(file: FileId, text: &str, pack: &str, diagnostics: &mut Vec<Diagnostic>) -> CardFile {
    let mut found = CardFile::default();
    let Some(keys) = read_table(file, text, diagnostics) else {
        found.broken = true;
        return found;
    };
    let whole = Span { file, start: 0, end: 0 };
    let mut keys = Keys::new("a card file", whole, keys, diagnostics);
    let mut defaults = Defaults::take(&mut keys);
    let before = keys.diagnostics().len();
    let cards = keys.take_tables("card", "card");
    found.broken |= keys.diagnostics().len() > before;
    for (mut table, span) in cards {
        defaults.add_to(&mut table);
        let Some(Expanded { each, tables }) = expand(table, span, keys.diagnostics()) else {
            found.broken = true;
            continue;
        };
        for (table, filled) in tables {
            let told = keys.diagnostics().len();
            match parse_card(table, span, pack, &defaults, keys.diagnostics()) {
                Some(card) => {
                    let card = RawCard { each, filled, ..card };
                    card.name_in_problems(keys.diagnostics(), told);
                    found.cards.push(card);
                }
                None => {
                    // The other cards of the table lack the same.
                    found.broken = true;
                    break;
                }
            }
        }
    }
    if !found.broken {
        defaults.report_unused(keys.diagnostics());
    }
    for (table, span) in keys.take_tables("kind", "kind") {
        found.kinds.extend(parse_kind(table, span, keys.diagnostics()));
    }
    for (table, span) in keys.take_tables("patch", "patch") {
        found.patches.extend(parse_patch(table, span, pack, keys.diagnostics()));
    }
    for (table, span) in keys.take_tables("remove", "remove") {
        found.removes.extend(parse_remove(table, span, pack, keys.diagnostics()));
    }
    for (key, _) in keys.into_rest() {
        found.broken = true;
        let near = nearest(&key.text, schema::CARD_FILE_TABLES.map(TableSchema::name));
        let near = near.and_then(|word| schema::CARD_FILE_TABLES.into_iter().find(|table| table.name() == word));
        let near = near.map(|table| table.header.to_string());
        diagnostics.push(PackProblem::UnknownTable { name: key.text, near }.at(key.span));
    }
    found
}

fn parse_card(
    table: Vec<(Text, Spanned)>,
    span: Span,
    pack: &str,
    defaults: &Defaults,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RawCard> {
    let mut keys = Keys::new("`[[card]]`", span, table, diagnostics);
    let id = keys.expect_text("id", "add `id = \"…\"`: its name in lower case, words joined by `_`");
    if let Some(id) = &id {
        check_id(id, keys.diagnostics());
    }
    let name = keys.take_text("name").or_else(|| id.as_ref().map(|id| Text { text: name_of(&id.text), span: id.span }));
    name.iter().for_each(|name| check_single_line(name, keys.diagnostics()));
    let like = keys.take_text("like");
    let has_kind = keys.has_key("kind");
    let kind = keys.take_text("kind").or_else(|| {
        let taken = like.as_ref().filter(|_| !has_kind);
        taken.map(|like| Text { text: String::new(), span: like.span })
    });
    if kind.is_none() && !has_kind && !defaults.may_hold_misspelt_key() {
        keys.expect("kind", "add `kind = \"…\"` with a kind of the rules, here or under `[defaults]` at the head of the file");
    }
    let age = keys.value_span("age").map(|span| (take_age(&mut keys), span));
    let mut card = RawCard {
        name: name?,
        like,
        alt_names: keys.take_texts("alt_names"),
        kind: kind.clone().or(id.clone())?,
        age: age.map_or(0, |(age, _)| age),
        age_span: age.map(|(_, span)| span),
        copies: keys.take("copies").and_then(|(_, value)| parse_copies(&value, keys.diagnostics())),
        set: keys.take_text("set"),
        source: keys.take_text("source"),
        text: keys.take_text("text"),
        kind_text: None,
        leaves_when: keys.take_text("leaves_when"),
        counters: keys.take("counters").map(|(_, value)| parse_counters(&value, keys.diagnostics())).unwrap_or_default(),
        entries: take_entries(&mut keys, "card"),
        tests: take_tests(&mut keys, "card"),
        span,
        each: None,
        filled: Vec::new(),
        pack: pack.to_owned(),
        id: id?,
        fields: keys.into_rest(),
    };
    let is_header = |(key, value): &(Text, Spanned)| is_tables(&value.value) && key.text != PARTS;
    let headers: Vec<Text> = card.fields.iter().filter(|field| is_header(field)).map(|(key, _)| key.clone()).collect();
    card.fields.retain(|field| !is_header(field));
    for header in headers {
        let near = nearest(&header.text, ["on", "action", "change", "forbid", "instead", "test"]).map(String::from);
        diagnostics.push(PackProblem::UnknownHeader { name: header.text, near }.at(header.span));
    }
    // A card without a kind is dropped here: it could only cause follow-up errors.
    kind.map(|_| card)
}

/// Reports a name that contains a line break or a tab.
pub(super) fn check_single_line(name: &Text, diagnostics: &mut Vec<Diagnostic>) {
    if name.text.contains(['\n', '\t']) {
        diagnostics.push(PackProblem::NameOnLines.at(name.span));
    }
    if name.text.trim().is_empty() {
        diagnostics.push(PackProblem::NameOfNothing.at(name.span));
    }
}

/// Whether a value is a list of tables under `[[…]]` headers, which no field of a card can be.
fn is_tables(value: &TomlValue) -> bool {
    matches!(value, TomlValue::List(items) if !items.is_empty() && items.iter().all(|item| matches!(item.value, TomlValue::Table(_))))
}

/// Largest age of a card. A deck has a pile for each age.
pub(super) const MAX_AGE: i64 = 99;

/// Takes `age`, which decides the pile of a deck. Returns 0 if it is missing or, after a report, invalid.
pub(super) fn take_age(keys: &mut Keys<'_>) -> i64 {
    let Some((_, value)) = keys.take("age") else { return 0 };
    match value.integer() {
        Some(age) if (0..=MAX_AGE).contains(&age) => return age,
        Some(age) => keys.diagnostics().push(PackProblem::AgeBeyond { age, most: MAX_AGE }.at(value.span)),
        None => keys.diagnostics().push(wrong_type("age", "a whole number", &value)),
    }
    0
}

/// Largest number of copies of a card.
pub(super) const MAX_COPIES: i64 = 99;

/// Reads `copies`, from 1 to `MAX_COPIES`. Reports anything else and returns `None`.
pub(super) fn parse_copies(value: &Spanned, diagnostics: &mut Vec<Diagnostic>) -> Option<u16> {
    match value.integer() {
        Some(copies) if (1..=MAX_COPIES).contains(&copies) => return u16::try_from(copies).ok(),
        Some(copies) => diagnostics.push(PackProblem::CopiesBeyond { copies, most: MAX_COPIES }.at(value.span)),
        None => diagnostics.push(wrong_type("copies", "a whole number", value)),
    }
    None
}

fn parse_kind(table: Vec<(Text, Spanned)>, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<RawKind> {
    let mut keys = Keys::new("`[[kind]]`", span, table, diagnostics);
    let id = keys.expect_text("id", "add `id = \"…\"` with a kind of the rules");
    let text = keys.take_text("text");
    let entries = take_entries(&mut keys, "kind");
    let tests = take_tests(&mut keys, "kind");
    keys.report_unknown_keys(&schema::KIND_TABLE.names());
    Some(RawKind { id: id?, text, entries, tests, span })
}

/// Reads the names and initial values in `counters = { wisps = 0 }`. Invalid values are reported and left out.
pub(super) fn parse_counters(value: &Spanned, diagnostics: &mut Vec<Diagnostic>) -> Vec<(Text, i64)> {
    let TomlValue::Table(keys) = &value.value else {
        diagnostics.push(wrong_type("counters", "a table, such as `{ name = 0 }`", value));
        return Vec::new();
    };
    let mut counters = Vec::new();
    for (name, value) in keys {
        check_id(name, diagnostics);
        match value.integer() {
            Some(number) if (0..=i64::from(i32::MAX)).contains(&number) => counters.push((name.clone(), number)),
            Some(_) => diagnostics.push(PackProblem::CounterBegins { counter: name.text.clone() }.at(value.span)),
            None => diagnostics.push(wrong_type(&name.text, "a whole number", value)),
        }
    }
    counters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::{Amount, CardTarget, EntryContent, EntryKind};

    fn read(text: &str) -> (Sources, CardFile, Vec<Diagnostic>) {
        let mut sources = Sources::new();
        let file = sources.add("wisp.toml", text);
        let mut diagnostics = Vec::new();
        let found = parse_cards(file, text, "wisps", &mut diagnostics);
        (sources, found, diagnostics)
    }

    const WISP: &str = r#"
[[card]]
id = "wisp"
name = "Wisp"
alt_names = ["Will"]
kind = "wall"
age = 2
set = "first"
source = "original"
height = 3
bite = { wolf = 1 }
text = "It howls."
leaves_when = "most quiet"
counters = { howls = 0 }

[[card.change]]
what = "howl.limit"
by = 1

[[card.on]]
when = "dusk"
do = """
let a = 1;
gain(me, bone, a)
"""

[[card.on]]
when = "dusk"
who = "others"
do = ["gain(me, bone, 1)", "remove(own)"]

[[card.action]]
cost = "1 bone"
do = "howl(me)"

[[card.test]]
given = "p1 has wisp"
then = "p1.bone gained 1"

[[kind]]
id = "wall"
[[kind.on]]
when = "dusk"
do = "howl(me)"
"#;

    #[test]
    fn a_card_keeps_everything_with_its_place() {
        let (sources, found, diagnostics) = read(WISP);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let card = &found.cards[0];
        assert_eq!((card.id.text.as_str(), card.age, card.pack.as_str()), ("wisp", 2, "wisps"));
        assert_eq!(sources.slice(card.span), "[[card]]");
        assert_eq!(card.alt_names[0].text, "Will");
        assert_eq!(card.fields.iter().map(|(key, _)| key.text.as_str()).collect::<Vec<_>>(), ["height", "bite"]);
        assert_eq!((card.counters[0].0.text.as_str(), card.counters[0].1), ("howls", 0));
        assert_eq!(sources.slice(card.leaves_when.as_ref().unwrap().span), "most quiet");
        let ids: Vec<_> = card.entries.iter().map(|entry| (entry.kind(), entry.id.text.as_str())).collect();
        let expected =
            [(EntryKind::Change, "howl.limit"), (EntryKind::On, "dusk"), (EntryKind::On, "dusk#2"), (EntryKind::Action, "action")];
        assert_eq!(ids, expected);
        let script = &card.entries[1].parts()[0].script;
        assert_eq!(script.text, "let a = 1;\ngain(me, bone, a)\n");
        assert_eq!(sources.slice(script.span), script.text);
        assert_eq!(sources.slice(card.entries[1].span), "[[card.on]]");
        let EntryContent::Change { amounts: [_, by, ..], .. } = &card.entries[0].content else { panic!("a change") };
        assert_eq!(*by, Some(Amount::Number(1)));
        assert_eq!(card.tests[0].then.as_ref().unwrap().text, "p1.bone gained 1");
        assert_eq!(found.kinds[0].entries[0].id.text, "dusk");
    }

    #[test]
    fn patches_and_removes_are_read() {
        let (_, found, diagnostics) = read(concat!(
            "[[patch]]\ncard = \"wisp\"\nheight = 4\ndrop = [\"text\", \"on.dusk\"]\n[[patch.on]]\nid = \"dusk#2\"\nwhen = \"dusk\"\ndo = \"x\"\n",
            "[[remove]]\nwhere = \"kind is wall\"\n",
        ));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(found.patches[0].drops.len(), 2);
        assert_eq!(found.patches[0].entries[0].id.text, "dusk#2");
        assert!(matches!(&found.removes[0].target, CardTarget::Where(text) if text.text == "kind is wall"));
    }

    #[test]
    fn faults_of_card_files() {
        let card = "[[card]]\nid = \"wisp\"\nname = \"Wisp\"\nkind = \"wall\"\n";
        let with = |more: &str| format!("{card}{more}");
        let table = [
            ("[[card]]\nname = \"Wisp\"\nkind = \"wall\"".to_owned(), "`[[card]]` has no `id`", "[[card]]"),
            ("[[card]]\nid = \"wisp\"\nname = \"Wisp\"".to_owned(), "`[[card]]` has no `kind`", "[[card]]"),
            ("[[card]]\nid = \"Wisp\"\nname = \"Wisp\"\nkind = \"wall\"".to_owned(), "`Wisp` is not an id", "Wisp"),
            ("[[card]]\nid = 3\nname = \"Wisp\"\nkind = \"wall\"".to_owned(), "`id` must be a text in quotes", "3"),
            (with("age = \"2\""), "`age` must be a whole number", "\"2\""),
            (with("height = 1.5"), "numbers are whole", "1.5"),
            (with("counters = { howls = \"x\" }"), "`howls` must be a whole number", "\"x\""),
            (with("counters = 1"), "`counters` must be a table, such as `{ name = 0 }`", "1"),
            (with("on = 1"), "`on` must be tables, each under its own `[[card.on]]`", "1"),
            (with("[[card.on]]\nwhen = \"dusk\""), "`[[card.on]]` has no `do`", "[[card.on]]"),
            (with("[[card.on]]\ndo = \"x\""), "`[[card.on]]` has no `when`", "[[card.on]]"),
            (with("[[card.on]]\nwhen = \"dusk\"\ndo = 1"), "`do` must be a script in quotes, or a list of scripts", "1"),
            (with("[[card.on]]\nwehn = \"dusk\"\nwhen = \"dusk\"\ndo = \"x\""), "`[[card.on]]` has no key `wehn`", "wehn"),
            (with("[[card.on]]\nwhen = \"dusk\"\nwho = \"mine\"\ndo = \"x\""), "`who` cannot be `mine`", "mine"),
            (with("[[card.on]]\nid = \"On Dusk\"\nwhen = \"dusk\"\ndo = \"x\""), "`On Dusk` is not an id", "On Dusk"),
            (with("[[card.action]]\ncost = \"1 bone\""), "`[[card.action]]` has no `do`", "[[card.action]]"),
            (with("[[card.change]]\nby = 1"), "`[[card.change]]` has no `what`", "[[card.change]]"),
            (with("[[card.change]]\nwhat = \"howl\""), "`[[card.change]]` has no `by`", "[[card.change]]"),
            (with("[[card.change]]\nwhat = \"howl\"\nby = true"), "`by` must be a number, or an expression in quotes", "true"),
            (with("[[card.forbid]]\nif = \"x\""), "`[[card.forbid]]` has no `action`", "[[card.forbid]]"),
            (with("[[card.instead]]\nif = \"x\""), "`[[card.instead]]` has no `of`", "[[card.instead]]"),
            (with("[[card.test]]\nwhen = \"x\""), "`[[card.test]]` has no `then`", "[[card.test]]"),
            (with("[[card.test]]\nthen = \" \""), "`then` is empty, so nothing is tested", " "),
            (with("[[card.test]]\nthen = \"x\"\ngive = \"x\""), "`[[card.test]]` has no key `give`", "give"),
            (with("age = 2147483647"), "an age must be from 0 to 99, not 2147483647", "2147483647"),
            (with("age = -1"), "an age must be from 0 to 99, not -1", "-1"),
            (with("copies = 0"), "a card has 1 to 99 copies, not 0", "0"),
            (with("copies = \"two\""), "`copies` must be a whole number", "\"two\""),
            ("[[patch]]\ncard = \"a\"\ncopies = 100".to_owned(), "`copies` must be a whole number from 1 to 99", "100"),
            (with("counters = { howls = -1 }"), "counter `howls` cannot begin with this number", "-1"),
            (with("[[card.tset]]\nthen = \"x\""), "a card has no `[[card.tset]]`", "tset"),
            ("[[crad]]\nid = \"wisp\"".to_owned(), "a card file has no `crad`", "crad"),
            ("[[kind]]\nid = \"wall\"\nheight = 1".to_owned(), "`[[kind]]` has no key `height`", "height"),
            ("[[patch]]\nheight = 1".to_owned(), "`[[patch]]` has no `card`", "[[patch]]"),
            ("[[patch]]\ncard = \"a\"\nwhere = \"b\"".to_owned(), "`[[patch]]` has both `card` and `where`", "[[patch]]"),
            ("[[patch]]\ncard = \"a\"\nid = \"b\"".to_owned(), "a patch cannot change an id", "id"),
            ("[[patch]]\ncard = \"a\"\nlike = \"b\"".to_owned(), "a patch cannot make a card like another", "like"),
            (with("[[card.test]]\nthen = \"x\"\non.dusk = \"a()\""), "`[[card.test]]` has no key `on`", "on"),
            ("[[patch]]\ncard = \"a\"\nname = 1".to_owned(), "`name` must be a text in quotes", "1"),
            ("[[remove]]\ncard = \"a\"\nname = \"b\"".to_owned(), "`[[remove]]` has no key `name`", "name"),
        ];
        for (text, message, place) in table {
            let (sources, _, diagnostics) = read(&text);
            assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
            assert_eq!(diagnostics[0].message, message);
            assert_eq!(sources.slice(diagnostics[0].span.unwrap()), place, "{text}");
        }
        let (_, _, diagnostics) = read("[[crad]]\nid = \"wisp\"");
        assert_eq!(diagnostics[0].help, ["did you mean `[[card]]`?"]);
        let (_, _, diagnostics) = read("[default]\nage = 1");
        assert_eq!(diagnostics[0].help, ["did you mean `[defaults]`?"]);
    }

    #[test]
    fn two_entries_of_one_id_are_shown_both() {
        let entry = "[[card.on]]\nid = \"howl\"\nwhen = \"dusk\"\ndo = \"x\"\n";
        let (sources, _, diagnostics) = read(&format!("[[card]]\nid = \"a\"\nname = \"A\"\nkind = \"wall\"\n{entry}{entry}"));
        assert_eq!(diagnostics[0].message, "two entries have the id `howl`");
        assert_eq!(sources.slice(diagnostics[0].secondary[0].0), "howl");
    }

    #[test]
    fn a_bad_card_does_not_hide_a_good_one() {
        let (_, found, diagnostics) = read("[[card]]\nname = \"Wolf\"\n[[card]]\nid = \"wall\"\nname = \"Wall\"\nkind = \"wall\"");
        assert_eq!(diagnostics.len(), 2);
        assert_eq!(found.cards.len(), 1);
        assert!(found.broken);
    }
}
