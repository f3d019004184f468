//! A pass ahead of the parser: quoted texts and brackets that never end, and characters without meaning, are reported and repaired, so
//! that one of them spoils one line and not the rest of the file. A sound text passes unchanged.
//!
//! Messages: `P001` text without end, `P002` bracket without end, `P003` bracket without start, `P004` sign without meaning,
//! `P005` nested too deep, `P008` text too long, `P010` too much joined in one statement, `P011` a text with what is not seen.

mod links;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::problem::SyntaxProblem;
use crate::diagnostic::{Diagnostic, is_unseen};
use crate::source::{FileId, Span};

/// How deep brackets may be nested: a file must not overflow the stack. Shipped rules need less than ten.
pub const MAX_NESTING: usize = 32;
/// How many open brackets are tracked one by one; deeper ones are only counted, which keeps the pass linear.
const MAX_OPEN: usize = 256;

/// The length from which a run of blanks is replaced by one blank: the parser would go over each of them again and again.
const MIN_LONG_BLANK: usize = 1000;

/// The location of a text in its file.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The file that contains the text.
    pub file: FileId,
    /// The offset of the text's first byte in the file.
    pub offset: u32,
}

/// How line breaks and comments are treated, which depends on where the text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextMode {
    /// Line breaks end statements; a line at the left edge closes what was left open.
    File,
    /// Line breaks are blanks, but for those that end entries within braces; `#` begins a comment, too, unless a number follows.
    Line,
    /// Line breaks end statements, and `#` begins a comment, too, unless a number follows.
    Lines,
}

/// A text that has been repaired and can be parsed.
#[derive(Debug)]
pub(super) struct Scanned<'t> {
    pub text: Cow<'t, str>,
    origin: Origin,
    /// The length of the original text.
    length: usize,
    /// Offsets where the repaired text differs: from each offset in the repaired text on, the corresponding one in the original.
    moved: Vec<(usize, usize)>,
}

impl Scanned<'_> {
    /// Maps a range of the repaired text to a span in the file.
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

/// Repairs a text for the parser and reports what is wrong with it.
pub(super) fn scan<'t>(origin: Origin, text: &'t str, style: TextMode, found: &mut Vec<Diagnostic>) -> Scanned<'t> {
    let mut scanned = Scanned { text: Cow::Borrowed(text), origin, length: text.len(), moved: Vec::new() };
    if u32::try_from(text.len()).ok().and_then(|length| length.checked_add(origin.offset)).is_none() {
        let diagnostic = Diagnostic::error("P008", None, "the text is too long to be read");
        found.push(diagnostic.help("part it into several files of less than 4 gigabytes"));
        scanned.text = Cow::Borrowed("");
        return scanned;
    }
    let mut scan = Scan { origin, text, repaired: text.as_bytes().to_vec(), mask: text.as_bytes().to_vec(), found: Vec::new() };
    scan.characters(style);
    if style == TextMode::Line {
        scan.join_lines();
    }
    scan.links(style);
    let brackets = scan.brackets(style);
    found.append(&mut scan.found);
    found.extend(brackets.found);
    for (start, end) in brackets.blanks {
        blank_out(&mut scan.repaired, start, end);
    }
    // The changes: range and replacement.
    let closed = brackets.closers.into_iter().map(|(at, count)| (at, at, format!("{};", "}".repeat(count))));
    let mut changes: Vec<(usize, usize, String)> = closed.chain(long_blanks(&scan.repaired)).collect();
    changes.sort();
    let mut bytes = Vec::with_capacity(scan.repaired.len());
    let mut from = 0;
    for (start, end, instead) in changes {
        bytes.extend_from_slice(scan.repaired.get(from..start).unwrap_or(&[]));
        scanned.moved.push((bytes.len(), start));
        bytes.extend_from_slice(instead.as_bytes());
        scanned.moved.push((bytes.len(), end));
        from = end;
    }
    bytes.extend_from_slice(scan.repaired.get(from..).unwrap_or(&[]));
    if bytes != text.as_bytes() {
        // Only whole characters have been replaced, so this is still UTF-8.
        scanned.text = Cow::Owned(String::from_utf8(bytes).unwrap_or_default());
    }
    scanned
}

struct Scan<'t> {
    origin: Origin,
    text: &'t str,
    /// The text with the repairs made so far.
    repaired: Vec<u8>,
    /// The text with comments and quoted texts blanked, so that every bracket in it counts.
    mask: Vec<u8>,
    found: Vec<Diagnostic>,
}

/// Finds long runs of blanks, and returns what replaces each of them. Removed text is blanked first, so runs can be long.
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

fn blank_out(bytes: &mut [u8], start: usize, end: usize) {
    let range = bytes.get_mut(start..end).unwrap_or(&mut []);
    range.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
}

/// Whether a character can be part of a name or number.
pub(super) fn is_letter(character: char) -> bool {
    character.is_alphabetic() || character.is_ascii_digit() || character == '_'
}

impl Scan<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| u32::try_from(at.min(self.text.len())).unwrap_or(u32::MAX).saturating_add(self.origin.offset);
        Span { file: self.origin.file, start: place(start), end: place(end) }
    }

    // -------------------------------------------------------------- characters, comments, texts

    fn characters(&mut self, style: TextMode) {
        let mut at = 0;
        while let Some(character) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
            let rest = self.text.get(at..).unwrap_or("");
            let mut next = at + character.len_utf8();
            let second = rest.chars().nth(1).unwrap_or(' ');
            let line = || rest.lines().next().unwrap_or("");
            if rest.starts_with("//") || style != TextMode::File && character == '#' && !second.is_ascii_digit() {
                next = at + line().len();
                blank_out(&mut self.mask, at, next);
                if style != TextMode::File {
                    blank_out(&mut self.repaired, at, next);
                }
            } else if rest.starts_with("/*") {
                next = at + rest.find("*/").map_or(line().len(), |end| end + 2);
                let message = "`/* … */` is no comment here";
                let diagnostic = Diagnostic::error("P004", self.span(at, next), message).label("from here on");
                self.found.push(diagnostic.help("a comment begins with `//`, and goes to the end of its line"));
                blank_out(&mut self.mask, at, next);
                blank_out(&mut self.repaired, at, next);
            } else if character == '"' {
                next = self.quote(at, line());
                self.unseen(at, next);
                blank_out(&mut self.mask, at, next);
            } else if character.is_whitespace() && !matches!(character, ' ' | '\n' | '\t') || character == '\u{feff}' {
                // `\r\n` ends a line; all other white space is equivalent.
                blank_out(&mut self.repaired, at, next);
            } else if !has_meaning(character, second) || rest.starts_with("||") {
                next += rest.chars().skip(1).take_while(|more| *more == character).map(char::len_utf8).sum::<usize>();
                self.found.push(stray(self.span(at, next), character));
                if matches!(character, '&' | '|' | '%') {
                    // Replaced by an operator, since two values in sequence would be a second error.
                    next += rest_of_value(self.text.get(next..).unwrap_or(""));
                    blank_out(&mut self.mask, at, next);
                }
                blank_out(&mut self.repaired, at, next);
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
        let diagnostic = Diagnostic::error("P011", self.span(*first, first + letter.len_utf8()), message);
        self.found.push(diagnostic.label("a control character, or one that turns the direction of text").help("take it away"));
        for (at, letter) in all {
            blank_out(&mut self.repaired, at, at + letter.len_utf8());
        }
    }

    /// Scans a quoted text and returns its end. A text without an end on its line ends there, before closing braces that belong to blocks.
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
        // The last character is replaced by a closing mark; a lone mark is removed.
        match inner.char_indices().next_back() {
            Some((last, character)) if last > 0 => {
                let end = at + last + character.len_utf8();
                blank_out(&mut self.repaired, at + last, end);
                self.repaired.iter_mut().skip(end - 1).take(1).for_each(|byte| *byte = b'"');
                // A backslash before it would escape the new mark.
                if inner.get(..last).is_some_and(|kept| kept.ends_with('\\')) {
                    blank_out(&mut self.repaired, at + last - 1, at + last);
                }
                end
            }
            _ => {
                blank_out(&mut self.repaired, at, at + 1);
                at + 1
            }
        }
    }

    // -------------------------------------------------------------- brackets

    fn brackets(&self, style: TextMode) -> BracketRepairs {
        let plain = self.match_brackets(ClosingLines::Never);
        if plain.found.is_empty() || style != TextMode::File {
            return plain;
        }
        // A bracket is not closed. Contents of blocks are usually indented, so a line that is indented like the start of a block shows that
        // it has ended; so does any line at the left edge. If that gives more errors, the file is not indented that way.
        let edged = self.match_brackets(ClosingLines::Edge);
        let indented = self.match_brackets(ClosingLines::Indent);
        let fewest = if edged.found.len() <= plain.found.len() { edged } else { plain };
        if indented.found.len() <= fewest.found.len() { indented } else { fewest }
    }

    fn match_brackets(&self, closing: ClosingLines) -> BracketRepairs {
        let mut brackets = BracketRepairs { open: Vec::new(), closers: BTreeMap::new(), blanks: Vec::new(), found: Vec::new() };
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
                    if closing == ClosingLines::Edge
                        && !brackets.open.is_empty()
                        && self.mask.get(at + 1).is_some_and(u8::is_ascii_alphabetic) =>
                {
                    self.close_from(&mut brackets, 0, at + 1, Some(at + 1));
                    excess = 0;
                }
                b'\n' if closing == ClosingLines::Indent && excess == 0 => self.close_indented(&mut brackets, at + 1, indent),
                b'(' | b'[' | b'{' => {
                    if brackets.open.len() == MAX_NESTING {
                        let message = format!("brackets are nested more than {MAX_NESTING} deep");
                        let diagnostic = Diagnostic::error("P005", self.span(at, at + 1), message).label("this is left out");
                        brackets.found.push(diagnostic.help("give the inner part a name with `define`, or make it an `effect` of its own"));
                    }
                    brackets.open.push(OpenBracket { at, kind: byte, indent });
                }
                b')' | b']' | b'}' => self.close_one(&mut brackets, at, byte),
                _ => {}
            }
        }
        self.close_from(&mut brackets, 0, self.mask.len(), None);
        brackets
    }

    fn close_one(&self, brackets: &mut BracketRepairs, at: usize, byte: u8) {
        // A brace closes everything that is open in its block; other brackets match only within their block.
        let block = brackets.open.iter().rposition(|open| open.kind == b'{');
        let mate = match byte {
            b'}' => block,
            _ => brackets.open.iter().rposition(|open| partner(open.kind) == byte).filter(|mate| block.is_none_or(|block| *mate > block)),
        };
        let Some(mate) = mate else {
            brackets.blanks.push((at, at + 1));
            let mut diagnostic = SyntaxProblem::ClosesNothing { bracket: char::from(byte) }.at(self.span(at, at + 1));
            if let Some(&OpenBracket { at: open, kind, .. }) = brackets.open.last() {
                diagnostic = diagnostic.also(self.span(open, open + 1), format!("`{}` is open", char::from(kind)));
            }
            brackets.found.push(diagnostic);
            return;
        };
        if let (true, Some(&OpenBracket { at: first, .. })) = (mate <= MAX_NESTING, brackets.open.get(MAX_NESTING)) {
            brackets.blanks.push((first, if mate == MAX_NESTING { at + 1 } else { at }));
        }
        for OpenBracket { at: open, kind, .. } in brackets.open.drain(mate + 1..) {
            brackets.blanks.push((open, open + 1));
            let label = format!("this `{}` comes first", char::from(byte));
            brackets.found.push(self.never_closed(open, kind).also(self.span(at, at + 1), label));
        }
        brackets.open.pop();
    }

    fn never_closed(&self, open: usize, kind: u8) -> Diagnostic {
        let message = format!("`{}` is never closed", char::from(kind));
        let diagnostic = Diagnostic::error("P002", self.span(open, open + 1), message).label("opened here");
        diagnostic.help(format!("put a `{}` where it ends", char::from(partner(kind))))
    }

    /// Closes the blocks that a new line shows to have ended: those whose first line is indented as far, or further if the line begins with
    /// a closing brace.
    fn close_indented(&self, brackets: &mut BracketRepairs, line: usize, indent: usize) {
        let begins = line + indent;
        let closes = match self.mask.get(begins) {
            None | Some(b'\n' | b'\r' | b')' | b']' | b'{') => return,
            Some(byte) => *byte == b'}',
        };
        let goes_on = |open: &OpenBracket| open.indent < indent || closes && open.indent == indent;
        let kept = brackets.open.iter().rposition(goes_on).map_or(0, |last| last + 1);
        if kept < brackets.open.len() {
            self.close_from(brackets, kept, begins, Some(begins));
        }
    }

    /// Returns the number of blanks at the beginning of a line.
    fn indent(&self, line: usize) -> usize {
        self.mask.get(line..).unwrap_or(&[]).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Closes everything that is open from a depth on: braces are inserted at `at`, other brackets are removed.
    fn close_from(&self, brackets: &mut BracketRepairs, from: usize, at: usize, line: Option<usize>) {
        if let Some(&OpenBracket { at: first, .. }) = brackets.open.get(MAX_NESTING) {
            brackets.blanks.push((first, at));
        }
        for (depth, OpenBracket { at: open, kind, .. }) in (from..).zip(brackets.open.drain(from..)) {
            if depth >= MAX_NESTING {
                continue;
            }
            let mut diagnostic = self.never_closed(open, kind);
            if let Some(line) = line {
                let label = match self.mask.get(line) {
                    Some(b'}') => "this `}` stands too far left to close it",
                    _ if self.text.get(..line).is_none_or(|before| before.ends_with('\n')) => {
                        "this line starts at the left edge, as if it stood outside"
                    }
                    _ => "this line starts as far left, as if it stood outside",
                };
                diagnostic = diagnostic.also(self.span(line, line + 1), label);
            }
            brackets.found.push(diagnostic);
            match kind {
                b'{' => *brackets.closers.entry(at).or_default() += 1,
                _ => brackets.blanks.push((open, open + 1)),
            }
        }
    }
}

/// Which lines close blocks that lack a closing brace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClosingLines {
    /// No line closes a block.
    Never,
    /// Lines at the left edge close blocks.
    Edge,
    /// Lines that are indented no further than the line with the opening brace.
    Indent,
}

/// A bracket that has not been closed yet.
#[derive(Clone, Copy)]
struct OpenBracket {
    at: usize,
    kind: u8,
    /// The indentation of the line with the bracket.
    indent: usize,
}

/// The repairs that matching the brackets has found necessary.
struct BracketRepairs {
    /// The brackets that are still open.
    open: Vec<OpenBracket>,
    /// Offsets where missing braces are inserted, with their number.
    closers: BTreeMap<usize, usize>,
    /// The ranges of text that are blanked.
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

/// Returns the end of a quoted text at the beginning of a line, if it has one.
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

/// Returns the length of the rest of a value, up to a sign that ends it.
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

/// Whether a character has a meaning, given the one after it.
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
    let diagnostic = Diagnostic::error("P004", span, format!("`{}` has no meaning here", character.escape_debug())).label("this character");
    diagnostic.help(match character {
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

    fn repaired(text: &str) -> (String, Vec<&'static str>) {
        let mut found = Vec::new();
        let scanned = scan(Origin { file: FileId(0), offset: 0 }, text, TextMode::File, &mut found);
        (scanned.text.into_owned(), found.iter().map(|diagnostic| diagnostic.code).collect())
    }

    #[test]
    fn faults_are_told_and_mended() {
        assert_eq!(repaired("a \"wisp"), ("a \"wis\"".into(), vec!["P001"]));
        assert_eq!(repaired("a \"wi\u{1b}s\u{202e}p\""), ("a \"wi s   p\"".into(), vec!["P011"]));
        assert_eq!(repaired("a { \"wisp }\nb"), ("a { \"wis\" }\nb".into(), vec!["P001"]));
        assert_eq!(repaired("a {\n  b {\n  }\nc\n"), ("a {\n  b {\n  }\n};c\n".into(), vec!["P002"]));
        assert_eq!(repaired("a (b\nc = 2\n"), ("a  b\nc = 2\n".into(), vec!["P002"]));
        assert_eq!(repaired("a { (b }\nc"), ("a {  b }\nc".into(), vec!["P002"]));
        assert_eq!(repaired("a }\nb"), ("a  \nb".into(), vec!["P003"]));
        assert_eq!(repaired("a { b ) }"), ("a { b   }".into(), vec!["P003"]));
        assert_eq!(repaired("a && b"), ("a     ".into(), vec!["P004"]));
        assert_eq!(repaired("a(x || b(1, 2), c) // d"), ("a(x           , c) // d".into(), vec!["P004"]));
        assert_eq!(repaired("needs a: b % c \"d\""), ("needs a: b     \"d\"".into(), vec!["P004"]));
        assert_eq!(repaired("a {\n  b {\n    c\n  d {\n  }\n}\ne\n"), ("a {\n  b {\n    c\n  };d {\n  }\n}\ne\n".into(), vec!["P002"]));
        assert_eq!(repaired("a {\n  b {\n    c\n}\ne\n"), ("a {\n  b {\n    c\n};}\ne\n".into(), vec!["P002"]));
        // Without indentation there are no additional errors.
        assert_eq!(repaired("a {\nb {\nc {\nd\n}\n}\n").1, ["P002"]);
        assert_eq!(repaired("a {\n x {\n"), ("a {\n x {\n}};".into(), vec!["P002", "P002"]));
        let deep = format!("{}x{}", "(".repeat(40), ")".repeat(40));
        assert_eq!(repaired(&deep).1, ["P005"]);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let mut found = Vec::new();
        let scanned = scan(Origin { file: FileId(0), offset: 10 }, "a {\nb\n", TextMode::File, &mut found);
        assert_eq!(scanned.text, "a {\n};b\n");
        let b = scanned.text.find('b').unwrap_or(0);
        assert_eq!((scanned.span(0, 1).start, scanned.span(b, b + 1).start, scanned.span(b, b + 1).end), (10, 14, 15));
        let long = format!("a {{\n b{}c\nd", " ".repeat(3000));
        let scanned = scan(Origin { file: FileId(0), offset: 0 }, &long, TextMode::File, &mut found);
        assert_eq!(scanned.text, "a {\n b c\n};d");
        let places = ["b", " c", "c", "d"].map(|part| scanned.text.find(part).map(|at| scanned.span(at, at + 1)));
        assert_eq!(places.map(|place| place.map_or(0, |place| place.start)), [5, 6, 3006, 3008]);
        assert_eq!(places[0].map(|place| place.end), Some(6));
        let line = scan(Origin { file: FileId(0), offset: 0 }, "a # b\nc", TextMode::Line, &mut found);
        assert_eq!(line.text, "a     c");
    }
}
