//! The two ways in which an entry is written: as a table under a header of its own (`[[card.on]]` with `when = "dusk"`), and as
//! one line whose key says what it is about (`on.dusk = { … }`). Both give the same keys.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::entries::EntryKind;
use super::keys::Keys;
use super::problem::Problem;
use super::read::{Spanned, Text, Value};

/// An entry as it is written, before its keys are looked at.
pub(super) struct Form {
    /// What messages call it: `[[card.on]]`, `on.dusk`.
    pub(super) title: String,
    /// What a part of it is called: `[[card.on.part]]`.
    pub(super) part: String,
    /// What it is about, where its key says so.
    pub(super) subject: Option<Text>,
    /// Its keys.
    pub(super) keys: Vec<(Text, Spanned)>,
    /// Its header, or its key.
    pub(super) span: Span,
}

impl EntryKind {
    /// The key that says what an entry is about; an action is about itself.
    pub fn subject_key(self) -> Option<&'static str> {
        match self {
            EntryKind::On => Some("when"),
            EntryKind::Action => None,
            EntryKind::Change => Some("what"),
            EntryKind::Forbid => Some("action"),
            EntryKind::Instead => Some("of"),
        }
    }

    /// The key that is meant by a text or number alone.
    pub fn short_key(self) -> &'static str {
        match self {
            EntryKind::On | EntryKind::Action | EntryKind::Instead => "do",
            EntryKind::Change => "by",
            EntryKind::Forbid => "because",
        }
    }

    /// Whether a table is an entry, and not a table of entries: it has a key that only entries have.
    pub fn is_entry(self, keys: &[(Text, Spanned)]) -> bool {
        keys.iter().any(|(key, _)| self.marks().contains(&key.text.as_str()))
    }

    /// Keys that show that a table is an entry, and not a table of entries.
    fn marks(self) -> &'static [&'static str] {
        match self {
            EntryKind::On => &["when", "do", "part"],
            EntryKind::Action => &[],
            EntryKind::Change => &["what", "by", "to", "at_least", "at_most"],
            EntryKind::Forbid => &["action", "because"],
            EntryKind::Instead => &["of", "do", "part"],
        }
    }
}

/// Takes the entries of one sort out of a card, kind or patch.
pub(super) fn take_forms(keys: &mut Keys<'_>, kind: EntryKind, owner: &str) -> Vec<Form> {
    let word = kind.word();
    let header = format!("{owner}.{word}");
    let in_lines = match keys.value(word).map(|found| &found.value) {
        Some(Value::Table(inside)) => !kind.is_entry(inside),
        Some(Value::Text(_)) => kind == EntryKind::Action,
        Some(Value::Integer(_) | Value::Boolean(_) | Value::List(_)) | None => false,
    };
    if !in_lines {
        let tables = keys.tables(word, &header);
        let form = |(keys, span)| {
            let (title, part) = (format!("[[{header}]]"), format!("[[{header}.part]]"));
            Form { title, part, subject: None, keys, span }
        };
        return tables.into_iter().map(form).collect();
    }
    let Some((key, found)) = keys.take(word) else { return Vec::new() };
    let mut lines = Lines { kind, forms: Vec::new(), diagnostics: keys.diagnostics() };
    match found.value {
        Value::Table(inside) if kind != EntryKind::Action => {
            if inside.is_empty() {
                let example = lines.example();
                lines.diagnostics.push(Problem::SaysNothing { entries: word, example }.at(found.span));
            }
            for (name, value) in inside {
                lines.line(name.clone(), &name, value);
            }
        }
        value => lines.entry(None, key.span, Spanned { value, span: found.span }),
    }
    lines.forms
}

struct Lines<'a> {
    kind: EntryKind,
    forms: Vec<Form>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Lines<'_> {
    /// What stands behind `on.SUBJECT`: one entry, or several in a list, or what is about something whose name goes on.
    fn line(&mut self, subject: Text, key: &Text, value: Spanned) {
        match value.value {
            Value::Table(inside) if subject.text == "this" || goes_on(key, value.span) && !self.kind.is_entry(&inside) => {
                for (name, value) in inside {
                    let span = Span { end: name.span.end, ..subject.span };
                    let text = format!("{}.{}", subject.text, name.text);
                    self.line(Text { text, span }, &name, value);
                }
            }
            Value::List(items) if !items.is_empty() => {
                if self.is_new(&subject) {
                    items.into_iter().for_each(|item| self.entry(Some(subject.clone()), item.span, item));
                }
            }
            value_only => {
                if self.is_new(&subject) {
                    self.entry(Some(subject.clone()), subject.span, Spanned { value: value_only, span: value.span });
                }
            }
        }
    }

    fn entry(&mut self, subject: Option<Text>, at: Span, value: Spanned) {
        let word = self.kind.word();
        let title = subject.as_ref().map_or_else(|| word.to_owned(), |subject| format!("{word}.{}", subject.text));
        let keys = match value.value {
            Value::Table(keys) => keys,
            Value::Text(_) | Value::Integer(_) => vec![(Text { text: self.kind.short_key().to_owned(), span: at }, value)],
            Value::Boolean(_) | Value::List(_) => {
                let wrong = Problem::EntryUnread { title, found: value.sort(), example: self.example() };
                return self.diagnostics.push(wrong.at(value.span));
            }
        };
        if let (Some(key), Some(subject)) = (self.kind.subject_key(), &subject)
            && let Some((again, _)) = keys.iter().find(|(found, _)| found.text == key)
        {
            return self.diagnostics.push(Problem::SubjectTwice { title, key, first: subject.span }.at(again.span));
        }
        self.forms.push(Form { part: format!("a part of `{title}`"), title, subject, keys, span: at });
    }

    /// Whether nothing has been said yet about it; TOML sees no more than names that are written alike.
    fn is_new(&mut self, subject: &Text) -> bool {
        let Some(first) = self.forms.iter().find_map(|form| form.subject.as_ref().filter(|first| first.text == subject.text)) else {
            return true;
        };
        let title = format!("{}.{}", self.kind.word(), subject.text);
        self.diagnostics.push(Problem::EntryTwice { title, first: first.span }.at(subject.span));
        false
    }

    fn example(&self) -> &'static str {
        match self.kind {
            EntryKind::On => "on.MOMENT = { if = \"…\", do = \"…\" }",
            EntryKind::Action => "action = { cost = \"…\", do = \"…\" }",
            EntryKind::Change => "change.QUANTITY = { by = 1 }",
            EntryKind::Forbid => "forbid.ACTION = { because = \"…\" }",
            EntryKind::Instead => "instead.LOSS = { do = \"…\" }",
        }
    }
}

/// Whether the name of a key goes on behind a dot: a table that is not written as one stands where its name stands.
fn goes_on(key: &Text, table: Span) -> bool {
    table.start <= key.span.start && key.span.end <= table.end && key.span.start - table.start <= 3
}

#[cfg(test)]
mod tests {
    use crate::read::read_table;
    use crate::source::Sources;
    use crate::{CardFile, Entry, parse_cards};

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

    /// Entries without their places.
    fn shown(entries: &[Entry]) -> Vec<String> {
        let without = |text: String| {
            let mut out = String::new();
            let mut rest = text.as_str();
            while let Some(at) = rest.find("Span {") {
                out.push_str(&rest[..at]);
                rest = &rest[at..][rest[at..].find('}').unwrap() + 1..];
            }
            out + rest
        };
        entries.iter().map(|entry| format!("{} {}", entry.id.text, without(format!("{:?} {:?}", entry.says, entry.until)))).collect()
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
            assert_eq!(shown(&lines.cards[0].entries), shown(&headers.cards[0].entries), "{line}");
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
