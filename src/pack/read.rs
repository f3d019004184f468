//! TOML as values with their locations in the source: the input format of cards, manifests and scenarios.

use toml::Spanned as TomlSpanned;
use toml::de::{DeTable, DeValue};

use super::keys::single_bracket_error;
use super::problem::PackProblem;
use crate::diagnostic::{Diagnostic, is_unseen};
use crate::source::{FileId, Span};

/// Largest number of syntax errors reported for one file. Further ones mostly follow from the first.
const MAX_SYNTAX_ERRORS: usize = 10;

/// A text with the location of its content, quotes excluded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The content of the text, with escapes resolved.
    pub text: String,
    /// Location of the content. Byte i of `text` is byte `span.start + i` of the file, unless the text has escapes.
    pub span: Span,
}

impl Text {
    /// Returns the location of the bytes `start..end` of `text`. If the text has escapes, offsets do not correspond, and the location of
    /// the whole content is returned.
    pub fn part(&self, start: usize, end: usize) -> Span {
        let length = self.text.len();
        if (self.span.end.saturating_sub(self.span.start)) as usize != length || start > end || end > length {
            return self.span;
        }
        span_of(self.span.file, self.span.start as usize + start..self.span.start as usize + end)
    }
}

/// A TOML value. Only integers are supported as numbers; dates are not supported.
#[derive(Clone, PartialEq, Debug)]
pub enum TomlValue {
    /// `3`
    Integer(i64),
    /// `"wolf"`
    Text(Text),
    /// `true`
    Boolean(bool),
    /// `[1, 2]`
    List(Vec<Spanned>),
    /// `{ wolf = 1 }` or `[wolf]`, in order of writing.
    Table(Vec<(Text, Spanned)>),
}

/// A value with its location, including quotes and brackets. For a table with a header, it is the header's location.
#[derive(Clone, PartialEq, Debug)]
pub struct Spanned {
    /// The value without its location.
    pub value: TomlValue,
    /// Location of the value in the source.
    pub span: Span,
}

impl Spanned {
    /// Returns the integer, if the value is one.
    pub fn integer(&self) -> Option<i64> {
        match self.value {
            TomlValue::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the text, if the value is one.
    pub fn text(&self) -> Option<&Text> {
        match &self.value {
            TomlValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the type of the value in words, for messages.
    pub fn type_name(&self) -> &'static str {
        match self.value {
            TomlValue::Integer(_) => "a number",
            TomlValue::Text(_) => "a text",
            TomlValue::Boolean(_) => "`true` or `false`",
            TomlValue::List(_) => "a list",
            TomlValue::Table(_) => "a table",
        }
    }
}

/// Parses a TOML file into its top-level keys, in order of writing. Returns `None`, after reports, if there are syntax errors.
pub fn read_table(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<(Text, Spanned)>> {
    let (table, faults) = DeTable::parse_recoverable(text);
    if faults.is_empty() {
        return Some(TomlReader { file, source: text, diagnostics }.table(table.get_ref()));
    }
    report_syntax(file, text, &faults, diagnostics);
    None
}

/// Parses the valid parts of a TOML file and reports nothing: for texts that are being edited.
pub fn read_valid_parts(file: FileId, text: &str) -> Vec<(Text, Spanned)> {
    let (table, _) = DeTable::parse_recoverable(text);
    TomlReader { file, source: text, diagnostics: &mut Vec::new() }.table(table.get_ref())
}

struct TomlReader<'a> {
    file: FileId,
    source: &'a str,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl TomlReader<'_> {
    fn table(&mut self, table: &DeTable<'_>) -> Vec<(Text, Spanned)> {
        let mut keys: Vec<(Text, Spanned)> = table
            .iter()
            .filter_map(|(key, value)| {
                let key = self.check_characters(key.get_ref().to_string(), self.content_span(key.span()));
                Some((key, self.value(value)?))
            })
            .collect();
        keys.sort_by_key(|(key, _)| key.span.start);
        keys
    }

    fn value(&mut self, value: &TomlSpanned<DeValue<'_>>) -> Option<Spanned> {
        let span = span_of(self.file, value.span());
        let value = match value.get_ref() {
            DeValue::String(text) => TomlValue::Text(self.check_characters(text.to_string(), self.content_span(value.span()))),
            DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => TomlValue::Integer(number),
                Err(_) => {
                    self.report(span, "this number is too big", "at most 9223372036854775807");
                    return None;
                }
            },
            DeValue::Boolean(value) => TomlValue::Boolean(*value),
            DeValue::Array(items) => TomlValue::List(items.iter().filter_map(|item| self.value(item)).collect()),
            DeValue::Table(table) => TomlValue::Table(self.table(table)),
            DeValue::Float(_) => {
                self.diagnostics.push(PackProblem::NotWhole.at(span));
                return None;
            }
            DeValue::Datetime(_) => {
                self.report(span, "dates and times are not used", "put it in quotes if it is meant as text");
                return None;
            }
        };
        Some(Spanned { value, span })
    }

    /// Checks a text for invisible or reserved characters, which are reported and removed.
    fn check_characters(&mut self, text: String, span: Span) -> Text {
        // Most texts have nothing but letters and blanks.
        let is_plain = text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~'));
        let wrong = |text: &str| text.replace("\r\n", "\n").chars().find(|letter| is_unseen(*letter));
        let Some(letter) = (!is_plain).then(|| wrong(&text)).flatten() else { return Text { text, span } };
        self.diagnostics.push(PackProblem::Unseen { letter }.at(span));
        Text { text: text.replace(is_unseen, "\u{fffd}"), span }
    }

    /// Returns the location of the content between quotes. A bare key has no quotes.
    fn content_span(&self, range: std::ops::Range<usize>) -> Span {
        let raw = self.source.get(range.clone()).unwrap_or("");
        let quotes = ["\"\"\"", "'''", "\"", "'"];
        let quote = quotes.into_iter().find(|quote| raw.len() >= 2 * quote.len() && raw.starts_with(quote) && raw.ends_with(quote));
        let Some(quote) = quote else { return span_of(self.file, range) };
        let mut start = range.start + quote.len();
        if quote.len() == 3 {
            // A line break directly after opening triple quotes is not part of the text.
            let rest = self.source.get(start..).unwrap_or("");
            start += if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        }
        span_of(self.file, start..range.end - quote.len())
    }

    fn report(&mut self, span: Span, message: &'static str, label: &'static str) {
        self.diagnostics.push(PackProblem::NotAValue { message, label }.at(span));
    }
}

/// Whether a diagnostic says that a number is not whole, for files in which it may be written in another way.
pub fn tells_of_fraction(diagnostic: &Diagnostic) -> bool {
    matches!(diagnostic.problem(), Some(PackProblem::NotWhole))
}

/// Makes a location from a range of bytes. Files over 4 GB are never read, so offsets fit.
fn span_of(file: FileId, range: std::ops::Range<usize>) -> Span {
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { file, start: byte(range.start), end: byte(range.end) }
}

/// Reports syntax errors, one per line, up to the first after which the parser can only guess.
fn report_syntax(file: FileId, text: &str, faults: &[toml::de::Error], diagnostics: &mut Vec<Diagnostic>) {
    let mut faults: Vec<_> = faults.iter().map(|fault| (fault.span().unwrap_or(0..0), fault.message())).collect();
    faults.sort_by_key(|(range, _)| range.start);
    let mut last_line = None;
    let mut told = false;
    for (range, message) in faults.into_iter().take(MAX_SYNTAX_ERRORS) {
        let line = text.as_bytes().iter().take(range.start).filter(|byte| **byte == b'\n').count();
        if last_line.replace(line) == Some(line) {
            continue;
        }
        let of_header = message.starts_with("duplicate key") && is_header_line(text, range.start);
        if of_header && told {
            // An error above, even in a header, makes the headers below it invalid.
            continue;
        }
        if let Some((header, at)) = Some(()).filter(|()| of_header).and_then(|()| single_header(text, range.start)) {
            // What follows is parsed as keys of the first table.
            diagnostics.push(single_bracket_error(header, span_of(file, at)));
            break;
        }
        told = true;
        let (words, label, goes_on) = reword_syntax_error(message);
        let at = range.start;
        let is_entry = message.starts_with("duplicate key") && is_entry_line(text, range.start);
        let quotes = || ["\"\"\"", "'''"].into_iter().filter_map(|quotes| text.get(..at)?.rfind(quotes)).max();
        let opened = Some(()).filter(|()| message.starts_with("invalid multi-line")).and_then(|()| quotes());
        let opened = opened.map(|opened| span_of(file, opened..opened + 3));
        diagnostics.push(PackProblem::Syntax { words, label, is_entry, opened }.at(span_of(file, range)));
        if !goes_on {
            break;
        }
    }
}

/// Whether the line at a byte is the header of a table.
fn is_header_line(text: &str, byte: usize) -> bool {
    text_from_line_start(text, byte).trim_start().starts_with('[')
}

/// For a duplicate header at a byte, returns the first header with single brackets for the same table, which is the probable cause.
fn single_header(text: &str, byte: usize) -> Option<(&str, std::ops::Range<usize>)> {
    let name = text_from_line_start(text, byte).lines().next()?.trim().trim_start_matches('[').split(']').next()?;
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let mut at = 0;
    for line in text.split_inclusive('\n').take_while(|_| is_word) {
        let header = line.trim();
        if header.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) == Some(name) {
            let start = at + line.len() - line.trim_start().len();
            return Some((name, start..start + header.len()));
        }
        at += line.len();
    }
    None
}

/// Returns the text from the start of the line that contains a byte.
fn text_from_line_start(text: &str, byte: usize) -> &str {
    let line = text.get(..byte).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    text.get(line..).unwrap_or("")
}

/// Whether the line at a byte is an entry of a card: `on.dusk = …` or `[[card.on]]`.
fn is_entry_line(text: &str, byte: usize) -> bool {
    let line = text_from_line_start(text, byte).trim_start_matches(['[', ' ']);
    let words = line.split(['.', ' ', ']', '=']).take(2);
    words.into_iter().any(|word| super::entries::EntryKind::ALL.iter().any(|kind| kind.header_word() == word))
}

/// Rewords a parser message: the message, the label, and whether the lines after it can still be parsed reliably.
fn reword_syntax_error(message: &str) -> (String, &'static str, bool) {
    let known: [(&str, &str, &str, bool); 13] = [
        ("string values must be quoted", "a text must be in quotes, and a value must follow `=`", "not a value", true),
        ("duplicate key", "this key is in one table twice", "a second time", true),
        ("invalid basic string", "a text in quotes does not end on its line", "a closing `\"` is missing", true),
        ("invalid literal string", "a text in quotes does not end on its line", "a closing `'` is missing", true),
        ("invalid multi-line", "a text in three quotes does not end", "closing quotes are missing", false),
        ("missing escaped value", "a text holds a `\\` that means nothing", "write `\\\\`, or put the text in `'`", true),
        ("key with no value", "a key has no value", "`=` is missing", true),
        ("unexpected key or value", "something follows the end of a value", "a quote too many, or a line break missing", true),
        ("invalid unquoted key", "a key is letters, digits, `_` and `-`", "does not belong in a key", true),
        ("unquoted keys cannot be empty", "a key is missing before `=`", "nothing is here", true),
        ("unclosed table", "the header of a table does not end", "`]` is missing", true),
        ("unclosed array table", "the header of a table does not end", "`]]` is missing", true),
        ("missing comma", "a list or table in brackets does not go on", "a comma or a closing bracket is missing", false),
    ];
    match known.iter().find(|(start, ..)| message.starts_with(start)) {
        Some((_, words, label, goes_on)) => ((*words).to_owned(), label, *goes_on),
        None => (format!("this is not TOML: {message}"), "cannot be read", false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Sources, Vec<(Text, Spanned)>, Vec<Diagnostic>) {
        let mut sources = Sources::new();
        let file = sources.add("wisp.toml", text);
        let mut diagnostics = Vec::new();
        let keys = read_table(file, text, &mut diagnostics).unwrap_or_default();
        (sources, keys, diagnostics)
    }

    #[test]
    fn a_text_and_its_place_say_the_same() {
        let texts = [
            "a = \"wolf\"",
            "a = 'wolf'",
            "a = \"\"\"\nwolf\nwall\"\"\"",
            "a = \"\"\"wolf\n\"\"\"",
            "a = \"\"\"\r\nwolf\r\nwall\r\n\"\"\"",
            "a = '''\nwolf'''",
            "\u{feff}a = \"wölf\"",
            "'a' = \"\"",
            "a = \"\"\"\"\"\"",
            "a = \"\"\"a \"wolf\"\"\"\"",
        ];
        for text in texts {
            let (sources, keys, diagnostics) = read(text);
            assert!(diagnostics.is_empty(), "{text}");
            let (key, value) = &keys[0];
            assert_eq!(sources.slice(key.span), "a", "{text}");
            let found = value.text().unwrap();
            assert_eq!(sources.slice(found.span), found.text, "{text}");
            assert_eq!(sources.slice(found.part(0, found.text.len())), found.text, "{text}");
        }
    }

    #[test]
    fn a_part_of_an_escaped_text_is_the_whole() {
        let (sources, keys, _) = read(r#"a = "wolf \"x\" wall""#);
        let text = keys[0].1.text().unwrap();
        assert_eq!(text.text, "wolf \"x\" wall");
        assert_eq!(sources.slice(text.part(0, 4)), r#"wolf \"x\" wall"#);
        let (sources, keys, _) = read("a = 'wolf wall'");
        assert_eq!(sources.slice(keys[0].1.text().unwrap().part(5, 9)), "wall");
    }

    #[test]
    fn what_is_not_seen_is_told_wherever_it_stands() {
        for text in
            ["a = \"wo\\u001b[8mlf\"", "a = \"wo\u{202e}lf\"", "a = [{ b = 'wo\u{2066}lf' }]", "\"a\\u0007\" = 1", "a = \"wolf\\r\""]
        {
            let (_, keys, diagnostics) = read(text);
            assert_eq!(diagnostics.iter().map(|one| one.code).collect::<Vec<_>>(), ["C043"], "{text}: {diagnostics:?}");
            assert!(!format!("{keys:?}").contains("1b"), "{keys:?}");
        }
        assert_eq!(read("a = \"\"\"wolf\r\n\twall\"\"\"").2, []);
    }

    #[test]
    fn keys_keep_the_order_of_writing() {
        let (_, keys, _) = read("wolf = 1\nwall = 0x10\n[wisp]\nz = [true]\na = -1_000");
        assert_eq!(keys.iter().map(|(key, _)| key.text.as_str()).collect::<Vec<_>>(), ["wolf", "wall", "wisp"]);
        assert_eq!(keys[1].1.integer(), Some(16));
        let TomlValue::Table(inner) = &keys[2].1.value else { panic!("a table") };
        assert_eq!((inner[0].0.text.as_str(), inner[1].1.integer()), ("z", Some(-1000)));
    }

    #[test]
    fn broken_toml_is_told_in_plain_words() {
        let table = [
            ("a = wolf", "a text must be in quotes", "wolf"),
            ("a = \"wolf\nb = 1", "a text in quotes does not end on its line", ""),
            ("a = 1\na = 2", "this key is in one table twice", "a"),
            ("a = \"x(\"b\")\"", "something follows", ""),
            ("[[wolf]\na = 1", "the header of a table does not end", ""),
            ("wölf = 1", "a key is letters", "ö"),
            ("a = [1, 2\nb = 3\nc = 4", "a list or table in brackets", ""),
            ("a = \"\\q\"", "a text holds a `\\`", ""),
            ("a = 1.5", "numbers are whole", "1.5"),
            ("a = 1979-05-27", "dates and times are not used", "1979-05-27"),
            ("a = 99999999999999999999", "this number is too big", "99999999999999999999"),
            ("a = 01", "this is not TOML: unexpected leading zero", "0"),
        ];
        for (text, message, place) in table {
            let (sources, _, diagnostics) = read(text);
            assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
            assert!(diagnostics[0].message.starts_with(message), "{text}: {diagnostics:?}");
            assert_eq!(sources.slice(diagnostics[0].span.unwrap()), place, "{text}");
        }
    }

    #[test]
    fn an_entry_that_stands_twice_is_told_with_the_way_out() {
        for text in ["on.a = 'x'\non.a = 'y'", "[[card]]\non.a = 'x'\n[[card.on]]\nwhen = 'a'", "[[card]]\naction = 'x'\naction = 'y'"] {
            let (_, _, diagnostics) = read(text);
            assert_eq!((diagnostics.len(), diagnostics[0].help.len()), (1, 1), "{text}: {diagnostics:?}");
        }
        assert!(read("a = 1\na = 2").2[0].help.is_empty());
    }

    #[test]
    fn several_broken_lines_are_told_at_once() {
        let (sources, _, diagnostics) = read("a = wolf\nb = 1\nc = \nd = \"\"\"x");
        let lines: Vec<_> = diagnostics.iter().map(|d| sources.line_column(d.span.unwrap()).0).collect();
        assert_eq!(lines, [1, 3, 4]);
        assert_eq!(sources.slice(diagnostics[2].secondary[0].0), "\"\"\"");
    }
}
