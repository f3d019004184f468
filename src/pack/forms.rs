//! The two notations for an entry: a table under its own header (`[[card.on]]` with `when = "dusk"`), or one line whose key names the
//! subject (`on.dusk = { … }`). Both are converted to the same keys.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::entries::EntryKind;
use super::keys::Keys;
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue};

/// An entry whose keys have not been interpreted yet.
pub(super) struct UnparsedEntry {
    /// Name of the entry in messages: `[[card.on]]` or `on.dusk`.
    pub(super) title: String,
    /// Name of a part of the entry in messages: `[[card.on.part]]`.
    pub(super) part_title: String,
    /// Subject of the entry, if the key of its line names it.
    pub(super) subject: Option<Text>,
    /// The keys of the entry without that of the subject.
    pub(super) keys: Vec<(Text, Spanned)>,
    /// Location of the entry's header or key.
    pub(super) span: Span,
}

impl EntryKind {
    /// Returns the key that names the subject of an entry, such as `when` of `on`. Actions have none.
    pub fn subject_key(self) -> Option<&'static str> {
        match self {
            EntryKind::On => Some("when"),
            EntryKind::Action => None,
            EntryKind::Change => Some("what"),
            EntryKind::Forbid => Some("action"),
            EntryKind::Instead => Some("of"),
        }
    }

    /// Returns the key to which a value that is not a table belongs: in `on.dusk = "…"` the text is the value of `do`.
    pub fn short_key(self) -> &'static str {
        match self {
            EntryKind::On | EntryKind::Action | EntryKind::Instead => "do",
            EntryKind::Change => "by",
            EntryKind::Forbid => "because",
        }
    }

    /// Whether a table is itself an entry rather than a table of entries: it has a key that only entries have.
    pub fn is_entry(self, keys: &[(Text, Spanned)]) -> bool {
        keys.iter().any(|(key, _)| self.distinctive_keys().contains(&key.text.as_str()))
    }

    /// Returns the keys that only occur in an entry, and so distinguish it from a table of entries.
    pub fn distinctive_keys(self) -> &'static [&'static str] {
        match self {
            EntryKind::On => &["when", "do", "part"],
            EntryKind::Action => &[],
            EntryKind::Change => &["what", "by", "to", "at_least", "at_most"],
            EntryKind::Forbid => &["action", "because"],
            EntryKind::Instead => &["of", "do", "part"],
        }
    }
}

/// Takes all entries of one kind from the table of a card, kind or patch.
pub(super) fn take_unparsed_entries(keys: &mut Keys<'_>, kind: EntryKind, owner: &str) -> Vec<UnparsedEntry> {
    let word = kind.header_word();
    let header = format!("{owner}.{word}");
    let in_lines = match keys.peek_value(word).map(|found| &found.value) {
        Some(TomlValue::Table(inside)) => !kind.is_entry(inside),
        Some(TomlValue::Text(_)) => kind == EntryKind::Action,
        Some(TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::List(_)) | None => false,
    };
    if !in_lines {
        let tables = keys.take_tables(word, &header);
        let form = |(keys, span)| {
            let (title, part) = (format!("[[{header}]]"), format!("[[{header}.part]]"));
            UnparsedEntry { title, part_title: part, subject: None, keys, span }
        };
        return tables.into_iter().map(form).collect();
    }
    let Some((key, found)) = keys.take(word) else { return Vec::new() };
    let mut lines = ShorthandReader { kind, forms: Vec::new(), diagnostics: keys.diagnostics() };
    match found.value {
        TomlValue::Table(inside) if kind != EntryKind::Action => {
            if inside.is_empty() {
                let example = lines.example_line();
                lines.diagnostics.push(PackProblem::SaysNothing { entries: word, example }.at(found.span));
            }
            for (name, value) in inside {
                lines.read_line(name.clone(), &name, value);
            }
        }
        value => lines.read_entry(None, key.span, Spanned { value, span: found.span }),
    }
    lines.forms
}

struct ShorthandReader<'a> {
    kind: EntryKind,
    forms: Vec<UnparsedEntry>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl ShorthandReader<'_> {
    /// Reads the value of `on.SUBJECT`: an entry, a list of entries, or a table in which the dotted subject continues.
    fn read_line(&mut self, subject: Text, key: &Text, value: Spanned) {
        match value.value {
            TomlValue::Table(inside) if subject.text == "this" || continues_in(key, value.span) && !self.kind.is_entry(&inside) => {
                for (name, value) in inside {
                    let span = Span { end: name.span.end, ..subject.span };
                    let text = format!("{}.{}", subject.text, name.text);
                    self.read_line(Text { text, span }, &name, value);
                }
            }
            TomlValue::List(items) if !items.is_empty() => {
                if self.expect_new_subject(&subject) {
                    items.into_iter().for_each(|item| self.read_entry(Some(subject.clone()), item.span, item));
                }
            }
            value_only => {
                if self.expect_new_subject(&subject) {
                    self.read_entry(Some(subject.clone()), subject.span, Spanned { value: value_only, span: value.span });
                }
            }
        }
    }

    fn read_entry(&mut self, subject: Option<Text>, at: Span, value: Spanned) {
        let word = self.kind.header_word();
        let title = subject.as_ref().map_or_else(|| word.to_owned(), |subject| format!("{word}.{}", subject.text));
        let keys = match value.value {
            TomlValue::Table(keys) => keys,
            TomlValue::Text(_) | TomlValue::Integer(_) => vec![(Text { text: self.kind.short_key().to_owned(), span: at }, value)],
            TomlValue::Boolean(_) | TomlValue::List(_) => {
                let wrong = PackProblem::EntryUnread { title, found: value.type_name(), example: self.example_line() };
                return self.diagnostics.push(wrong.at(value.span));
            }
        };
        if let (Some(key), Some(subject)) = (self.kind.subject_key(), &subject)
            && let Some((again, _)) = keys.iter().find(|(found, _)| found.text == key)
        {
            return self.diagnostics.push(PackProblem::SubjectTwice { title, key, first: subject.span }.at(again.span));
        }
        self.forms.push(UnparsedEntry { part_title: format!("a part of `{title}`"), title, subject, keys, span: at });
    }

    /// Whether this is the first entry with the subject; reports a second one. TOML only rejects keys that are spelt identically.
    fn expect_new_subject(&mut self, subject: &Text) -> bool {
        let Some(first) = self.forms.iter().find_map(|form| form.subject.as_ref().filter(|first| first.text == subject.text)) else {
            return true;
        };
        let title = format!("{}.{}", self.kind.header_word(), subject.text);
        self.diagnostics.push(PackProblem::EntryTwice { title, first: first.span }.at(subject.span));
        false
    }

    fn example_line(&self) -> &'static str {
        match self.kind {
            EntryKind::On => "on.MOMENT = { if = \"…\", do = \"…\" }",
            EntryKind::Action => "action = { cost = \"…\", do = \"…\" }",
            EntryKind::Change => "change.QUANTITY = { by = 1 }",
            EntryKind::Forbid => "forbid.ACTION = { because = \"…\" }",
            EntryKind::Instead => "instead.LOSS = { do = \"…\" }",
        }
    }
}

/// Whether a dotted key continues in this table: the table then has no brackets of its own, and its span is that of the key.
fn continues_in(key: &Text, table: Span) -> bool {
    table.start <= key.span.start && key.span.end <= table.end && key.span.start - table.start <= 3
}

#[cfg(test)]
mod tests {
    use crate::read::read_table;
    use crate::source::Sources;
    use crate::{CardFile, RawEntry, parse_cards};

    fn read(text: &str) -> (CardFile, Vec<(String, String)>) {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text);
        let found = parse_cards(file, text, "wisps", &mut diagnostics);
        let said = diagnostics.into_iter().map(|fault| (fault.message, sources.slice(fault.span.unwrap()).to_owned())).collect();
        (found, said)
    }

    fn card(lines: &str) -> String {
        format!("[[card]]\nid = \"wolf\"\nkind = \"beast\"\n{lines}\n")
    }

    /// Formats entries without their locations.
    fn format_entries(entries: &[RawEntry]) -> Vec<String> {
        let without = |text: String| {
            let mut out = String::new();
            let mut rest = text.as_str();
            while let Some(at) = rest.find("Span {") {
                out.push_str(&rest[..at]);
                rest = &rest[at..][rest[at..].find('}').unwrap() + 1..];
            }
            out + rest
        };
        entries.iter().map(|entry| format!("{} {}", entry.id.text, without(format!("{:?} {:?}", entry.content, entry.until)))).collect()
    }

    #[test]
    fn both_forms_mean_the_same() {
        let table = [
            ("on.dusk = \"a()\"", "[[card.on]]\nwhen = \"dusk\"\ndo = \"a()\""),
            (
                "on.dusk = { if = \"x\", do = \"a()\", until = \"round\" }",
                "[[card.on]]\nwhen = \"dusk\"\nif = \"x\"\nuntil = \"round\"\ndo = \"a()\"",
            ),
            ("on.this.howl = \"a()\"", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"a()\""),
            (
                "on = { this = { howl = \"a()\" }, dusk.do = \"b()\" }",
                "[[card.on]]\nwhen = \"this.howl\"\ndo = \"a()\"\n[[card.on]]\nwhen = \"dusk\"\ndo = \"b()\"",
            ),
            ("on.\"this.howl\" = \"a()\"", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"a()\""),
            ("[card.on.dusk]\ndo = \"a()\"", "[[card.on]]\nwhen = \"dusk\"\ndo = \"a()\""),
            ("[card.on.this.howl]\ndo = \"a()\"", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"a()\""),
            (
                "on.dusk = [\n  { do = \"a()\" },\n  \"b()\",\n]\non.dawn = { id = \"x\", do = \"c()\" }",
                "[[card.on]]\nwhen = \"dusk\"\ndo = \"a()\"\n[[card.on]]\nwhen = \"dusk\"\ndo = \"b()\"\n[[card.on]]\nid = \"x\"\nwhen = \"dawn\"\ndo = \"c()\"",
            ),
            (
                "on.dusk = { part = [ { do = \"a()\" }, { if = \"x\", ask = \"may\", do = \"b()\" } ] }",
                "[[card.on]]\nwhen = \"dusk\"\n[[card.on.part]]\ndo = \"a()\"\n[[card.on.part]]\nif = \"x\"\nask = \"may\"\ndo = \"b()\"",
            ),
            ("change.howl = 1", "[[card.change]]\nwhat = \"howl\"\nby = 1"),
            ("change.howl = \"count my den\"", "[[card.change]]\nwhat = \"howl\"\nby = \"count my den\""),
            ("change.howl.limit = { to = 0, who = \"all\" }", "[[card.change]]\nwhat = \"howl.limit\"\nto = 0\nwho = \"all\""),
            (
                "change.howl.limit = 1\nchange.howl.rank = -1",
                "[[card.change]]\nwhat = \"howl.limit\"\nby = 1\n[[card.change]]\nwhat = \"howl.rank\"\nby = -1",
            ),
            ("forbid.take = { if = \"x\", because = \"y\" }", "[[card.forbid]]\naction = \"take\"\nif = \"x\"\nbecause = \"y\""),
            ("forbid.take = \"y\"", "[[card.forbid]]\naction = \"take\"\nbecause = \"y\""),
            ("forbid.take = {}", "[[card.forbid]]\naction = \"take\""),
            ("instead.hunger = \"a()\"", "[[card.instead]]\nof = \"hunger\"\ndo = \"a()\""),
            ("instead.hunger = {}", "[[card.instead]]\nof = \"hunger\""),
            ("action = { cost = \"1 wisp\", do = \"a()\" }", "[[card.action]]\ncost = \"1 wisp\"\ndo = \"a()\""),
            ("action = \"a()\"", "[[card.action]]\ndo = \"a()\""),
        ];
        for (line, header) in table {
            let ((lines, said), (headers, _)) = (read(&card(line)), read(&card(header)));
            assert_eq!(said, [], "{line}");
            assert!(!headers.cards[0].entries.is_empty());
            assert_eq!(format_entries(&lines.cards[0].entries), format_entries(&headers.cards[0].entries), "{line}");
        }
    }

    #[test]
    fn kinds_and_patches_are_written_in_lines_too() {
        let (found, said) = read("[[kind]]\nid = \"beast\"\non.this.howl = \"a()\"\n[[patch]]\ncard = \"wolf\"\nchange.howl = 2\n");
        assert_eq!(said, []);
        assert_eq!((found.kinds[0].entries[0].id.text.as_str(), found.patches[0].entries[0].id.text.as_str()), ("this.howl", "howl"));
    }

    #[test]
    fn a_line_is_placed_where_its_name_stands() {
        let text = card("on.this.howl = \"a()\"\non.dusk = [\"b()\", \"c()\"]");
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text.as_str());
        assert!(read_table(file, &text, &mut diagnostics).is_some());
        let found = parse_cards(file, &text, "", &mut diagnostics);
        let spans: Vec<&str> = found.cards[0].entries.iter().map(|entry| sources.slice(entry.span)).collect();
        assert_eq!(spans, ["this.howl", "\"b()\"", "\"c()\""]);
        assert_eq!(sources.slice(found.cards[0].entries[0].moment().unwrap().span), "this.howl");
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        let table = [
            ("on.dusk = {}", "`on.dusk` has no `do`", "dusk"),
            ("on.dusk = { iff = \"x\", do = \"a()\" }", "`on.dusk` has no key `iff`", "iff"),
            ("on.dusk = { when = \"dusk\", do = \"a()\" }", "`on.dusk` says twice what it is about", "when"),
            ("change.howl = { what = \"howl\", by = 1 }", "`change.howl` says twice what it is about", "what"),
            ("on.dusk = true", "`on.dusk` cannot be read", "true"),
            ("on.dusk = []", "`on.dusk` cannot be read", "[]"),
            ("on.dusk = 3", "`do` must be a script in quotes, or a list of scripts", "3"),
            ("on = {}", "`on` says nothing", "{}"),
            ("on.this.howl = \"a()\"\non.\"this.howl\" = \"b()\"", "`on.this.howl` is written twice", "this.howl"),
            (
                "on = { when = \"dusk\", do = \"a()\" }",
                "`on` must be tables, each under its own `[[card.on]]`",
                "{ when = \"dusk\", do = \"a()\" }",
            ),
            ("on = \"a()\"", "`on` must be tables, each under its own `[[card.on]]`", "\"a()\""),
            ("forbid.take = 1", "`because` must be a text in quotes", "1"),
            ("on.dusk = { part = [ { if = \"x\" } ] }", "a part of `on.dusk` has no `do`", "{ if = \"x\" }"),
        ];
        for (line, message, place) in table {
            assert_eq!(read(&card(line)).1, [(message.to_owned(), place.to_owned())], "{line}");
        }
    }
}
