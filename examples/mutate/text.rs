//! The shipped files in pieces: which bytes are a key, a number, a word of a script, a line of a test.

/// A file below the repository, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    /// Such as `rules/wisp.rules`.
    pub path: String,
    /// What is written.
    pub text: String,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Letters, digits and `_`, a letter first.
    Word,
    /// Digits.
    Number,
    /// Text in quotes.
    Quoted,
    /// Anything else, one sign; or two that belong together, such as `==`.
    Sign,
}

/// A piece of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub sort: Sort,
    /// The first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
}

/// What a part of a card's file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `card.on` in `[[card.on]]`.
    Header,
    /// A key, also in an inline table.
    Key,
    /// The inside of a text; the key says of what.
    Text,
    /// A number.
    Number,
    /// A sign: bracket, comma, quotation mark.
    Sign,
}

/// A part of a card's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub role: Role,
    /// The table in which it stands, such as `card.on`.
    pub section: String,
    /// The key whose value it is or is part of; for a key itself that key.
    pub key: String,
    /// Whether it stands inside an inline table or a list.
    pub inside: bool,
    /// The first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
}

const PAIRS: [&str; 10] = ["==", "!=", "<=", ">=", "+=", "-=", "*=", "&&", "||", ".."];

/// The tokens of rules, scripts, conditions and lines of tests; comments are left out.
pub fn tokens(text: &str, from: usize, to: usize) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), from);
    while at < to {
        let start = at;
        let sort = match bytes[at] {
            b'/' if bytes[at + 1..to].first() == Some(&b'/') => {
                at += text[at..to].find('\n').unwrap_or(to - at);
                continue;
            }
            b if b.is_ascii_alphabetic() || b == b'_' => {
                at += bytes[at..to].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
                Sort::Word
            }
            b if b.is_ascii_digit() => {
                at += bytes[at..to].iter().take_while(|b| b.is_ascii_digit()).count();
                Sort::Number
            }
            b'"' => {
                at += text[at + 1..to].find('"').map_or(to - at, |length| length + 2);
                Sort::Quoted
            }
            b if b.is_ascii_whitespace() || !b.is_ascii() => {
                at += 1;
                continue;
            }
            _ => {
                at += if PAIRS.iter().any(|pair| text[at..to].starts_with(pair)) { 2 } else { 1 };
                Sort::Sign
            }
        };
        found.push(Token { sort, start, end: at });
    }
    found
}

/// The parts of a file of cards or scenarios: as much of TOML as the shipped files use.
pub fn parts(text: &str) -> Vec<Part> {
    let mut found = Vec::new();
    let (mut section, mut at) = (String::new(), 0);
    while at < text.len() {
        let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let line = &text[at..line_end];
        let trimmed = line.trim_start();
        let start = at + line.len() - trimmed.len();
        if trimmed.starts_with('[') {
            let from = start + trimmed.bytes().take_while(|b| *b == b'[').count();
            let length = text[from..line_end].find(']').unwrap_or(line_end - from);
            let name = &text[from..from + length];
            section = name.to_string();
            let part = |role, start, end| Part { role, section: name.to_string(), key: String::new(), inside: false, start, end };
            found.push(part(Role::Sign, start, start + 1));
            found.push(part(Role::Header, from, from + length));
            found.push(part(Role::Sign, from + length, (from + length + 1).min(line_end)));
        } else if !trimmed.is_empty() && !trimmed.starts_with('#') {
            let length = trimmed.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(trimmed.len());
            let key = &trimmed[..length];
            // `on.dusk = …` is an entry in one line: what it is about is a value, and its keys stand inside.
            let entry = ENTRIES.into_iter().find(|(word, ..)| *word == key && !section.contains('.'));
            let of_entry = format!("{section}.{key}");
            let mut reader = Reader { text, section: &section, key, at: start, inside: false, entry: entry.is_some(), found: &mut found };
            reader.push(Role::Key, start, start + length);
            reader.at = start + length;
            if let Some((_, about, short)) = entry {
                reader.section = &of_entry;
                let subject = trimmed[length..].strip_prefix('.').map_or("", |rest| rest.split(' ').next().unwrap_or(""));
                reader.key = about;
                if !subject.is_empty() {
                    reader.push(Role::Text, reader.at + 1, reader.at + 1 + subject.len());
                    reader.at += 1 + subject.len();
                }
                reader.key = short;
            }
            reader.value(line_end);
            at = reader.at;
            at = text[at..].find('\n').map_or(text.len(), |length| at + length + 1);
            continue;
        }
        at = line_end + 1;
    }
    found
}

/// What begins the line of an entry, the key that its subject stands for, and the key of a value alone.
const ENTRIES: [(&str, &str, &str); 5] =
    [("on", "when", "do"), ("action", "", "do"), ("change", "what", "by"), ("forbid", "action", "because"), ("instead", "of", "do")];

struct Reader<'a> {
    text: &'a str,
    section: &'a str,
    key: &'a str,
    at: usize,
    inside: bool,
    /// The value is an entry, whose keys are keys of a table.
    entry: bool,
    found: &'a mut Vec<Part>,
}

impl Reader<'_> {
    fn push(&mut self, role: Role, start: usize, end: usize) {
        let (section, key) = (self.section.to_string(), self.key.to_string());
        self.found.push(Part { role, section, key, inside: self.inside, start, end });
    }

    /// The rest of a line, and as many lines more as a long text has.
    fn value(&mut self, line_end: usize) {
        let (mut depth, mut named) = (0, usize::MAX);
        while self.at < line_end || depth > 0 && self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let quote = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quote| rest.starts_with(quote));
            if let Some(quote) = quote {
                let from = self.at + quote.len();
                let length = length_of_quoted(&self.text[from..], quote);
                self.push(Role::Sign, self.at, self.at + 1);
                self.push(Role::Text, from, from + length);
                self.push(Role::Sign, from + length, from + length + 1);
                self.at = from + length + quote.len();
                continue;
            }
            let byte = rest.as_bytes()[0];
            let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count().max(1);
            match byte {
                b'#' if depth == 0 => return,
                b'#' => {
                    self.at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                b'[' | b'{' => {
                    depth += 1;
                    self.push(Role::Sign, self.at, self.at + 1);
                }
                b']' | b'}' => {
                    self.push(Role::Sign, self.at, self.at + 1);
                    depth -= 1;
                    if depth < named {
                        named = usize::MAX;
                    }
                }
                b',' | b'=' => self.push(Role::Sign, self.at, self.at + 1),
                b'0'..=b'9' => self.push(Role::Number, self.at, self.at + length),
                b if b.is_ascii_alphabetic() => {
                    // Behind `let` stand names of the card's own.
                    if self.entry && depth < named {
                        self.key = &self.text[self.at..self.at + length];
                        named = if self.key == "let" { depth + 1 } else { usize::MAX };
                    }
                    self.push(Role::Key, self.at, self.at + length);
                }
                _ => {}
            }
            self.inside = depth > 0;
            self.at += length;
        }
    }
}

/// How far it is to the quotation mark that ends a text; in double ones a backslash takes the meaning from the next sign.
fn length_of_quoted(text: &str, quote: &str) -> usize {
    let escapes = quote.starts_with('"');
    let mut at = 0;
    while at < text.len() && !text[at..].starts_with(quote) {
        let sign = text[at..].chars().next().map_or(1, char::len_utf8);
        at += if escapes && text[at..].starts_with('\\') { 2 } else { sign };
    }
    at.min(text.len())
}

/// The line of a byte, from 1. (Std looks for a letter many bytes at a time, which counts here: that is asked of each word of all files.)
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}
