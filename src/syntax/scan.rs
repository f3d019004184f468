//! A pass ahead of the parser: quoted texts and brackets that never end, and characters without meaning, are reported and repaired, so
//! that one of them spoils one line and not the rest of the file. A sound text passes unchanged.
//!
//! Messages: `P001` text without end, `P002` bracket without end, `P003` bracket without start, `P004` sign without meaning,
//! `P005` nested too deep, `P008` text too long, `P010` too much joined in one statement, `P011` a text with what is not seen.

mod links;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::problem::Problem;
use crate::diagnostic::{Diagnostic, is_unseen};
use crate::source::{FileId, Span};

/// How deep brackets may be nested: a file must not overflow the stack. Shipped rules need less than ten.
pub const MAX_NESTING: usize = 32;
/// How many open brackets are tracked one by one; deeper ones are only counted, which keeps the pass linear.
const MAX_OPEN: usize = 256;

/// This many blanks in a row, or more, are replaced by one: the parser would go over each of them again and again.
const MIN_LONG_BLANK: usize = 1000;

/// Where a text stands in its file.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// Its file.
    pub file: FileId,
    /// Its first byte.
    pub offset: u32,
}

/// Whether the text is a file or a line inside another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Line breaks end statements; a line at the left edge closes what was left open.
    File,
    /// Line breaks are blanks, and `#` begins a comment, too, unless a number follows.
    Line,
    /// Line breaks end statements, and `#` begins a comment, too, unless a number follows.
    Lines,
}

/// A text that can be parsed.
#[derive(Debug)]
pub(super) struct Scanned<'t> {
    pub text: Cow<'t, str>,
    origin: Origin,
    /// How long the text was.
    length: usize,
    /// Where the repaired text differs: from this byte of it on, that byte of the old text is meant.
    moved: Vec<(usize, usize)>,
}

impl Scanned<'_> {
    /// The place in the file of a place in the repaired text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| {
            let next = self.moved.partition_point(|(new, _)| *new <= at);
            let (new, old) = next.checked_sub(1).and_then(|last| self.moved.get(last)).copied().unwrap_or((0, 0));
            let most = self.moved.get(next).map_or(self.length, |(_, old)| *old);
            let at = (old + (at - new)).min(most);
            u32::try_from(at).unwrap_or(u32::MAX).saturating_add(self.origin.offset)
        };
        Span { file: self.origin.file, start: place(start), end: place(end) }
    }
}

/// Repairs a text and reports what was wrong with it.
pub(super) fn scan<'t>(origin: Origin, text: &'t str, style: Style, found: &mut Vec<Diagnostic>) -> Scanned<'t> {
    let mut scanned = Scanned { text: Cow::Borrowed(text), origin, length: text.len(), moved: Vec::new() };
    if u32::try_from(text.len()).ok().and_then(|length| length.checked_add(origin.offset)).is_none() {
        let wrong = Diagnostic::error("P008", None, "the text is too long to be read");
        found.push(wrong.help("part it into several files of less than 4 gigabytes"));
        scanned.text = Cow::Borrowed("");
        return scanned;
    }
    let mut scan = Scan { origin, text, mended: text.as_bytes().to_vec(), mask: text.as_bytes().to_vec(), found: Vec::new() };
    scan.characters(style);
    scan.links(style);
    let brackets = scan.brackets(style);
    found.append(&mut scan.found);
    found.extend(brackets.found);
    for (start, end) in brackets.blanks {
        blank(&mut scan.mended, start, end);
    }
    // What goes in or away: from where to where, and what stands there instead.
    let closed = brackets.closers.into_iter().map(|(at, count)| (at, at, format!("{};", "}".repeat(count))));
    let mut changes: Vec<(usize, usize, String)> = closed.chain(long_blanks(&scan.mended)).collect();
    changes.sort();
    let mut bytes = Vec::with_capacity(scan.mended.len());
    let mut from = 0;
    for (start, end, instead) in changes {
        bytes.extend_from_slice(scan.mended.get(from..start).unwrap_or(&[]));
        scanned.moved.push((bytes.len(), start));
        bytes.extend_from_slice(instead.as_bytes());
        scanned.moved.push((bytes.len(), end));
        from = end;
    }
    bytes.extend_from_slice(scan.mended.get(from..).unwrap_or(&[]));
    if bytes != text.as_bytes() {
        // Only whole characters have been replaced, so this is still UTF-8.
        scanned.text = Cow::Owned(String::from_utf8(bytes).unwrap_or_default());
    }
    scanned
}

struct Scan<'t> {
    origin: Origin,
    text: &'t str,
    /// What will be parsed.
    mended: Vec<u8>,
    /// The text without comments and without what stands in quotes: here every bracket is one.
    mask: Vec<u8>,
    found: Vec<Diagnostic>,
}

/// Long runs of blanks, as changes to make: what has been left out becomes blanks and may have been long.
fn long_blanks(bytes: &[u8]) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    for run in bytes.chunk_by(|one, next| (*one == b' ') == (*next == b' ')) {
        if run.len() >= MIN_LONG_BLANK && run.first() == Some(&b' ') {
            found.push((at, at + run.len(), " ".to_string()));
        }
        at += run.len();
    }
    found
}

fn blank(bytes: &mut [u8], start: usize, end: usize) {
    let range = bytes.get_mut(start..end).unwrap_or(&mut []);
    range.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// What a name or number is made of.
pub(super) fn is_letter(character: char) -> bool {
    character.is_alphabetic() || character.is_ascii_digit() || character == '_'
}

impl Scan<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| u32::try_from(at.min(self.text.len())).unwrap_or(u32::MAX).saturating_add(self.origin.offset);
        Span { file: self.origin.file, start: place(start), end: place(end) }
    }

    // -------------------------------------------------------------- characters, comments, texts

    fn characters(&mut self, style: Style) {
        let mut at = 0;
        while let Some(character) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = self.text.get(at..).unwrap_or("");
            let mut next = at + character.len_utf8();
            let second = rest.chars().nth(1).unwrap_or(' ');
            let line = || rest.lines().next().unwrap_or("");
            if rest.starts_with("//") || style != Style::File && character == '#' && !second.is_ascii_digit() {
                next = at + line().len();
                blank(&mut self.mask, at, next);
                if style != Style::File {
                    blank(&mut self.mended, at, next);
                }
            } else if character == '"' {
                next = self.quote(at, line());
                self.unseen(at, next);
                blank(&mut self.mask, at, next);
            } else if character == '\n' && style == Style::Line {
                self.mended.iter_mut().skip(at).take(1).for_each(|byte| *byte = b' ');
            } else if character.is_whitespace() && !matches!(character, ' ' | '\n' | '\t') || character == '\u{feff}' {
                // A line may end in two signs; all other blanks are alike.
                blank(&mut self.mended, at, next);
            } else if !has_meaning(character, second) || rest.starts_with("||") {
                next += rest.chars().skip(1).take_while(|more| *more == character).map(char::len_utf8).sum::<usize>();
                self.found.push(stray(self.span(at, next), character));
                if matches!(character, '&' | '|' | '%') {
                    // Without what it should join two values, the second would be a fault of its own.
                    next += rest_of_value(self.text.get(next..).unwrap_or(""));
                    blank(&mut self.mask, at, next);
                }
                blank(&mut self.mended, at, next);
            }
            at = next;
        }
    }

    /// Reports a character in a quoted text that would not be visible, and removes it.
    fn unseen(&mut self, from: usize, to: usize) {
        let quoted = self.text.get(from..to).unwrap_or("");
        let unseen = quoted.char_indices().filter(|(_, letter)| is_unseen(*letter));
        let all: Vec<(usize, char)> = unseen.map(|(at, letter)| (from + at, letter)).collect();
        let Some((first, letter)) = all.first() else { return };
        let message = format!("this text contains `{}`, which cannot be seen", letter.escape_unicode());
        let wrong = Diagnostic::error("P011", self.span(*first, first + letter.len_utf8()), message);
        self.found.push(wrong.label("a control character, or one that turns the direction of text").help("take it away"));
        for (at, letter) in all {
            blank(&mut self.mended, at, at + letter.len_utf8());
        }
    }

    /// Goes over a quoted text and returns where it ends. One that does not end on its line ends with the line, but for closing
    /// braces that belong to blocks.
    fn quote(&mut self, at: usize, line: &str) -> usize {
        if let Some(end) = end_of_quote(line.as_bytes()) {
            return at + end;
        }
        self.found.push(
            Diagnostic::error("P001", self.span(at, at + line.trim_end().len()), "a quoted text does not end on its line")
                .label("starts here")
                .help("put `\"` where it ends; inside a text write `\\\"`"),
        );
        let line = line.split("//").next().unwrap_or(line);
        let inner = line.trim_end_matches(|character: char| character.is_whitespace() || matches!(character, '{' | '}' | ';'));
        // The last character gives way to a closing mark; a lone mark disappears.
        match inner.char_indices().next_back() {
            Some((last, character)) if last > 0 => {
                let end = at + last + character.len_utf8();
                blank(&mut self.mended, at + last, end);
                self.mended.iter_mut().skip(end - 1).take(1).for_each(|byte| *byte = b'"');
                // An escape before it would take the new mark into the text.
                if inner.get(..last).is_some_and(|kept| kept.ends_with('\\')) {
                    blank(&mut self.mended, at + last - 1, at + last);
                }
                end
            }
            _ => {
                blank(&mut self.mended, at, at + 1);
                at + 1
            }
        }
    }

    // -------------------------------------------------------------- brackets

    fn brackets(&self, style: Style) -> Brackets {
        let plain = self.match_brackets(Closing::Never);
        if plain.found.is_empty() || style != Style::File {
            return plain;
        }
        // Something is not closed. In most files what is inside a block is indented, so that a line which stands as far left as
        // the block begins shows that it has ended, or at least one at the left edge does. Where that makes more trouble than it
        // mends, the file is not written so.
        let edged = self.match_brackets(Closing::Edge);
        let indented = self.match_brackets(Closing::Indent);
        let fewest = if edged.found.len() <= plain.found.len() { edged } else { plain };
        if indented.found.len() <= fewest.found.len() { indented } else { fewest }
    }

    fn match_brackets(&self, closing: Closing) -> Brackets {
        let mut brackets = Brackets { open: Vec::new(), closers: BTreeMap::new(), blanks: Vec::new(), found: Vec::new() };
        let mut excess: usize = 0;
        let mut indent = self.indent(0);
        for (at, &byte) in self.mask.iter().enumerate() {
            if byte == b'\n' {
                indent = self.indent(at + 1);
            }
            match byte {
                b'(' | b'[' | b'{' if brackets.open.len() >= MAX_OPEN => excess += 1,
                b')' | b']' | b'}' if excess > 0 => excess -= 1,
                b'\n'
                    if closing == Closing::Edge
                        && !brackets.open.is_empty()
                        && self.mask.get(at + 1).is_some_and(u8::is_ascii_alphabetic) =>
                {
                    self.close_from(&mut brackets, 0, at + 1, Some(at + 1));
                    excess = 0;
                }
                b'\n' if closing == Closing::Indent && excess == 0 => self.close_indented(&mut brackets, at + 1, indent),
                b'(' | b'[' | b'{' => {
                    if brackets.open.len() == MAX_NESTING {
                        let message = format!("brackets are nested more than {MAX_NESTING} deep");
                        let wrong = Diagnostic::error("P005", self.span(at, at + 1), message).label("this is left out");
                        brackets.found.push(wrong.help("give the inner part a name with `define`, or make it an `effect` of its own"));
                    }
                    brackets.open.push(Open { at, kind: byte, indent });
                }
                b')' | b']' | b'}' => self.close_one(&mut brackets, at, byte),
                _ => {}
            }
        }
        self.close_from(&mut brackets, 0, self.mask.len(), None);
        brackets
    }

    fn close_one(&self, brackets: &mut Brackets, at: usize, byte: u8) {
        // A brace closes whatever is open in its block; a round or square bracket looks no further than its block.
        let block = brackets.open.iter().rposition(|open| open.kind == b'{');
        let mate = match byte {
            b'}' => block,
            _ => brackets.open.iter().rposition(|open| partner(open.kind) == byte).filter(|mate| block.is_none_or(|block| *mate > block)),
        };
        let Some(mate) = mate else {
            brackets.blanks.push((at, at + 1));
            let mut wrong = Problem::ClosesNothing { bracket: char::from(byte) }.at(self.span(at, at + 1));
            if let Some(&Open { at: open, kind, .. }) = brackets.open.last() {
                wrong = wrong.also(self.span(open, open + 1), format!("`{}` is open", char::from(kind)));
            }
            brackets.found.push(wrong);
            return;
        };
        if let (true, Some(&Open { at: first, .. })) = (mate <= MAX_NESTING, brackets.open.get(MAX_NESTING)) {
            brackets.blanks.push((first, if mate == MAX_NESTING { at + 1 } else { at }));
        }
        for Open { at: open, kind, .. } in brackets.open.drain(mate + 1..) {
            brackets.blanks.push((open, open + 1));
            let wrong = Diagnostic::error("P002", self.span(open, open + 1), format!("`{}` is never closed", char::from(kind)))
                .label("opened here")
                .also(self.span(at, at + 1), format!("this `{}` comes first", char::from(byte)));
            brackets.found.push(wrong.help(format!("put a `{}` where it ends", char::from(partner(kind)))));
        }
        brackets.open.pop();
    }

    /// Closes what a new line shows to have ended: what begins on a line that is indented as far, or farther before a brace that closes.
    fn close_indented(&self, brackets: &mut Brackets, line: usize, indent: usize) {
        let begins = line + indent;
        let closes = match self.mask.get(begins) {
            None | Some(b'\n' | b'\r' | b')' | b']' | b'{') => return,
            Some(byte) => *byte == b'}',
        };
        let goes_on = |open: &Open| open.indent < indent || closes && open.indent == indent;
        let kept = brackets.open.iter().rposition(goes_on).map_or(0, |last| last + 1);
        if kept < brackets.open.len() {
            self.close_from(brackets, kept, begins, Some(begins));
        }
    }

    /// How many blanks a line begins with.
    fn indent(&self, line: usize) -> usize {
        self.mask.get(line..).unwrap_or(&[]).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Closes everything that is open from a depth on: braces at `at`, the other brackets by taking them away.
    fn close_from(&self, brackets: &mut Brackets, from: usize, at: usize, line: Option<usize>) {
        if let Some(&Open { at: first, .. }) = brackets.open.get(MAX_NESTING) {
            brackets.blanks.push((first, at));
        }
        for (depth, Open { at: open, kind, .. }) in (from..).zip(brackets.open.drain(from..)) {
            if depth >= MAX_NESTING {
                continue;
            }
            let mut wrong = Diagnostic::error("P002", self.span(open, open + 1), format!("`{}` is never closed", char::from(kind)))
                .label("opened here");
            if let Some(line) = line {
                let label = match self.mask.get(line) {
                    Some(b'}') => "this `}` stands too far left to close it",
                    _ if self.text.get(..line).is_none_or(|before| before.ends_with('\n')) => {
                        "this line starts at the left edge, as if it stood outside"
                    }
                    _ => "this line starts as far left, as if it stood outside",
                };
                wrong = wrong.also(self.span(line, line + 1), label);
            }
            brackets.found.push(wrong.help(format!("put a `{}` where it ends", char::from(partner(kind)))));
            match kind {
                b'{' => *brackets.closers.entry(at).or_default() += 1,
                _ => brackets.blanks.push((open, open + 1)),
            }
        }
    }
}

/// Which lines close what was left open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// None.
    Never,
    /// Those at the left edge.
    Edge,
    /// Those that stand as far left as the line that opened it.
    Indent,
}

/// A bracket that is open.
#[derive(Clone, Copy)]
struct Open {
    at: usize,
    kind: u8,
    /// How many blanks its line begins with.
    indent: usize,
}

/// What is to be done about brackets.
struct Brackets {
    /// Those that are open.
    open: Vec<Open>,
    /// Where braces that are never closed are taken to close, with how many close there.
    closers: BTreeMap<usize, usize>,
    /// What is taken away.
    blanks: Vec<(usize, usize)>,
    found: Vec<Diagnostic>,
}

fn partner(kind: u8) -> u8 {
    match kind {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

/// Where a quoted text ends that is at the beginning of a line, if it does.
fn end_of_quote(line: &[u8]) -> Option<usize> {
    let mut place = 1;
    while let Some(&byte) = line.get(place) {
        match byte {
            b'\\' if line.get(place + 1) == Some(&b'"') => place += 2,
            b'"' => return Some(place + 1),
            _ => place += 1,
        }
    }
    None
}

/// How long what stands in the same value is, up to a sign that ends it.
fn rest_of_value(text: &str) -> usize {
    let mut depth = 0;
    for (place, character) in text.char_indices() {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' | ',' | ':' if depth == 0 => return place,
            ')' | ']' => depth -= 1,
            '\n' | ';' | '{' | '}' | '"' => return place,
            '/' if text[place..].starts_with("//") => return place,
            _ => {}
        }
    }
    text.len()
}

/// Whether a character can stand where it stands, given the next.
fn has_meaning(character: char, second: char) -> bool {
    match character {
        '+' | '-' | '*' | '/' | '=' | '<' | '>' | '|' | ',' | ':' | ';' | '.' => true,
        '(' | ')' | '[' | ']' | '{' | '}' => true,
        '!' => second == '=',
        '#' => second.is_ascii_digit(),
        _ => is_letter(character) || character.is_whitespace(),
    }
}

fn stray(span: Span, character: char) -> Diagnostic {
    let wrong = Diagnostic::error("P004", span, format!("`{}` has no meaning here", character.escape_debug())).label("this character");
    wrong.help(match character {
        '&' => "write `and`",
        '|' => "write `or`",
        '!' => "write `not`",
        '%' => "there is no remainder; write out what is meant with `*` and `/`",
        '#' => "a comment begins with `//`",
        '\'' | '`' | '“' | '”' | '„' | '«' | '»' | '’' | '‘' => "a quoted text stands between two `\"`",
        '−' | '–' | '—' => "write `-`",
        '×' | '·' => "write `*`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        _ => "leave it out, or put it into a quoted text",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> (String, Vec<&'static str>) {
        let mut found = Vec::new();
        let scanned = scan(Origin { file: FileId(0), offset: 0 }, text, Style::File, &mut found);
        (scanned.text.into_owned(), found.iter().map(|wrong| wrong.code).collect())
    }

    #[test]
    fn sound_texts_go_through() {
        for text in ["a { b (c) } // {", "needs x: \"a } b\" { c[1] }", "é = 3"] {
            assert_eq!(mended(text), (text.to_string(), vec![]));
        }
    }

    #[test]
    fn faults_are_told_and_mended() {
        assert_eq!(mended("a \"wisp"), ("a \"wis\"".into(), vec!["P001"]));
        assert_eq!(mended("a \"wi\u{1b}s\u{202e}p\""), ("a \"wi s   p\"".into(), vec!["P011"]));
        assert_eq!(mended("a { \"wisp }\nb"), ("a { \"wis\" }\nb".into(), vec!["P001"]));
        assert_eq!(mended("a {\n  b {\n  }\nc\n"), ("a {\n  b {\n  }\n};c\n".into(), vec!["P002"]));
        assert_eq!(mended("a (b\nc = 2\n"), ("a  b\nc = 2\n".into(), vec!["P002"]));
        assert_eq!(mended("a { (b }\nc"), ("a {  b }\nc".into(), vec!["P002"]));
        assert_eq!(mended("a }\nb"), ("a  \nb".into(), vec!["P003"]));
        assert_eq!(mended("a { b ) }"), ("a { b   }".into(), vec!["P003"]));
        assert_eq!(mended("a && b"), ("a     ".into(), vec!["P004"]));
        assert_eq!(mended("a(x || b(1, 2), c) // d"), ("a(x           , c) // d".into(), vec!["P004"]));
        assert_eq!(mended("needs a: b % c \"d\""), ("needs a: b     \"d\"".into(), vec!["P004"]));
        assert_eq!(mended("a {\n  b {\n    c\n  d {\n  }\n}\ne\n"), ("a {\n  b {\n    c\n  };d {\n  }\n}\ne\n".into(), vec!["P002"]));
        assert_eq!(mended("a {\n  b {\n    c\n}\ne\n"), ("a {\n  b {\n    c\n};}\ne\n".into(), vec!["P002"]));
        // Who does not indent is not told more than before.
        assert_eq!(mended("a {\nb {\nc {\nd\n}\n}\n").1, ["P002"]);
        assert_eq!(mended("a {\n x {\n"), ("a {\n x {\n}};".into(), vec!["P002", "P002"]));
        let deep = format!("{}x{}", "(".repeat(40), ")".repeat(40));
        assert_eq!(mended(&deep).1, ["P005"]);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let mut found = Vec::new();
        let scanned = scan(Origin { file: FileId(0), offset: 10 }, "a {\nb\n", Style::File, &mut found);
        assert_eq!(scanned.text, "a {\n};b\n");
        let b = scanned.text.find('b').unwrap_or(0);
        assert_eq!((scanned.span(0, 1).start, scanned.span(b, b + 1).start, scanned.span(b, b + 1).end), (10, 14, 15));
        let long = format!("a {{\n b{}c\nd", " ".repeat(3000));
        let scanned = scan(Origin { file: FileId(0), offset: 0 }, &long, Style::File, &mut found);
        assert_eq!(scanned.text, "a {\n b c\n};d");
        let places = ["b", " c", "c", "d"].map(|part| scanned.text.find(part).map(|at| scanned.span(at, at + 1)));
        assert_eq!(places.map(|place| place.map_or(0, |place| place.start)), [5, 6, 3006, 3008]);
        assert_eq!(places[0].map(|place| place.end), Some(6));
        let line = scan(Origin { file: FileId(0), offset: 0 }, "a # b\nc", Style::Line, &mut found);
        assert_eq!(line.text, "a     c");
    }
}
