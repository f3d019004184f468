//! Cuts a text into statements before pest sees it. Comments become blanks, so that every byte keeps its place; quoted
//! texts and brackets are made whole, with a message for each that is not; a line break that ends a statement becomes
//! `;` and every other one a blank.
//!
//! Messages: `P001` quoted text without end, `P002` bracket without end, `P003` bracket without start, `P004` character
//! without meaning, `P005` nested too deep, `P008` text too long.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// Deeper nesting is refused, so that nobody's file can use up the stack. Rules are at home in less than ten.
pub const DEEPEST_NESTING: usize = 32;

/// So many open brackets are told apart.
const MOST_KEPT: usize = 256;

/// A cut text.
pub(crate) struct Cut {
    /// As long as the text, and one blank more.
    pub text: String,
    /// The statements of the outermost level.
    pub pieces: Vec<Piece>,
}

/// One statement, or several on one line where a quoted text follows a block.
#[derive(Debug)]
pub(crate) struct Piece {
    /// Its first byte.
    pub start: usize,
    /// The first byte after it.
    pub end: usize,
    /// Its blocks, also those inside round brackets, but not those inside other blocks.
    pub blocks: Vec<Braced>,
    /// Whether all blocks in it are closed, so that pest may read it as it stands.
    pub whole: bool,
}

/// A block of a piece.
#[derive(Debug)]
pub(crate) struct Braced {
    /// The opening brace.
    pub open: usize,
    /// The closing brace, or where it should stand.
    pub close: usize,
    /// What is inside.
    pub pieces: Vec<Piece>,
}

/// How a text is cut.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    /// Whether line breaks end statements on the outermost level.
    pub lines_end: bool,
    /// Whether `#` begins a comment, as it does in scenarios. `#2` does not.
    pub hash_comments: bool,
    /// Whether an unclosed bracket ends where a line begins at the left edge.
    pub edge_closes: bool,
}

/// Where a text stands in its file, for spans.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub file: FileId,
    pub offset: u32,
    /// How long the text is; no place lies behind its end.
    pub length: usize,
}

impl Origin {
    pub fn span(self, start: usize, end: usize) -> Span {
        let place = |at: usize| u32::try_from(at.min(self.length)).unwrap_or(u32::MAX).saturating_add(self.offset);
        Span { file: self.file, start: place(start), end: place(end) }
    }
}

/// Cuts a text; always succeeds with what can be made of it.
pub(crate) fn cut(origin: Origin, text: &str, style: Style, diagnostics: &mut Vec<Diagnostic>) -> Cut {
    if u32::try_from(text.len()).ok().and_then(|length| length.checked_add(origin.offset)).is_none() {
        diagnostics.push(
            Diagnostic::error("P008", None, "the text is too long to be read").help("part it into several files of less than 4 gigabytes"),
        );
        return Cut { text: String::new(), pieces: Vec::new() };
    }
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(b' ');
    blank_comments(origin, text, &mut bytes, style, diagnostics);
    let closers = balance(origin, &mut bytes, style, diagnostics);
    let pieces = cut_pieces(&mut bytes, &closers, style);
    // Only whole characters have been replaced, so this is still UTF-8.
    let text = String::from_utf8(bytes).unwrap_or_default();
    Cut { text, pieces }
}

// ------------------------------------------------------------------ comments, quoted texts, characters

fn blank(bytes: &mut [u8], start: usize, end: usize) {
    if let Some(range) = bytes.get_mut(start..end) {
        for byte in range {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// Blanks comments and characters without meaning, and closes quoted texts.
fn blank_comments(origin: Origin, text: &str, bytes: &mut [u8], style: Style, diagnostics: &mut Vec<Diagnostic>) {
    let mut at = 0;
    let mut before = ' ';
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or("");
        let mut next = at + character.len_utf8();
        let mut peek = rest.chars().skip(1);
        let second = peek.next().unwrap_or(' ');
        let third = peek.next().unwrap_or(' ');
        if rest.starts_with("//") || (character == '#' && style.hash_comments && !second.is_ascii_digit()) {
            next = at + line_length(rest);
            blank(bytes, at, next);
        } else if character == '"' {
            next = quote(origin, at, rest, bytes, diagnostics);
        } else if !has_meaning(before, character, second, third) {
            blank(bytes, at, next);
            // Only the first of a row is reported.
            while let Some(more) = text.get(next..).and_then(|rest| rest.chars().next()) {
                if more != character {
                    break;
                }
                blank(bytes, next, next + more.len_utf8());
                next += more.len_utf8();
            }
            diagnostics.push(stray(origin.span(at, next), character));
        } else if character.is_whitespace() && !matches!(character, ' ' | '\n' | '\t') || character == '\u{feff}' {
            blank(bytes, at, next);
        }
        before = character;
        at = next;
    }
}

fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Reads a quoted text from its first quotation mark and returns where it ends. One that does not end on its line ends
/// with the line, but for closing braces that belong to blocks.
fn quote(origin: Origin, at: usize, rest: &str, bytes: &mut [u8], diagnostics: &mut Vec<Diagnostic>) -> usize {
    let line = rest.get(..line_length(rest)).unwrap_or(rest);
    let end = end_of_quote(line.as_bytes(), 0);
    if let Some(end) = end {
        return at + end;
    }
    diagnostics.push(
        Diagnostic::error("P001", origin.span(at, at + line.trim_end().len()), "a quoted text does not end on its line")
            .label("starts here")
            .help("put `\"` where it ends; inside a text write `\\\"`"),
    );
    let line = line.split("//").next().unwrap_or(line);
    let inner = line.trim_end_matches(|character: char| character.is_whitespace() || matches!(character, '{' | '}' | ';'));
    // The last character gives way to a closing mark; a lone mark disappears.
    match inner.char_indices().next_back() {
        Some((last, character)) if last > 0 => {
            let end = at + last + character.len_utf8();
            blank(bytes, at + last, end);
            if let Some(byte) = bytes.get_mut(end - 1) {
                *byte = b'"';
            }
            // An escape before it would take the new mark into the text.
            if inner.get(..last).is_some_and(|kept| kept.ends_with('\\')) {
                blank(bytes, at + last - 1, at + last);
            }
            end
        }
        _ => {
            blank(bytes, at, at + 1);
            at + 1
        }
    }
}

/// Whether a character can stand where it stands, given its neighbours.
fn has_meaning(before: char, character: char, second: char, third: char) -> bool {
    match character {
        '+' | '-' | '*' | '/' | '=' | '<' | '>' | '|' | ',' | ':' | ';' | '.' | '…' => true,
        '(' | ')' | '[' | ']' | '{' | '}' | '\u{feff}' => true,
        '!' => second == '=',
        '#' => second.is_ascii_digit(),
        '\'' => is_letter(before) && second == 's' && !is_letter(third),
        _ => is_letter(character) || character.is_whitespace(),
    }
}

/// What a name or number is made of.
pub(crate) fn is_letter(character: char) -> bool {
    character.is_alphabetic() || character.is_ascii_digit() || character == '_'
}

fn stray(span: Span, character: char) -> Diagnostic {
    let diagnostic = Diagnostic::error("P004", span, format!("`{}` has no meaning here", character.escape_debug())).label("this character");
    match character {
        '&' => diagnostic.help("write `and`"),
        '!' => diagnostic.help("write `not`"),
        '%' => diagnostic.help("there is no remainder; write out what is meant with `*` and `/`"),
        '#' => diagnostic.help("a comment begins with `//`"),
        '\'' | '`' | '“' | '”' | '„' | '«' | '»' | '’' | '‘' => diagnostic.help("a quoted text stands between two `\"`"),
        '−' | '–' | '—' => diagnostic.help("write `-`"),
        '×' | '·' => diagnostic.help("write `*`"),
        '≤' => diagnostic.help("write `<=`"),
        '≥' => diagnostic.help("write `>=`"),
        '≠' => diagnostic.help("write `!=`"),
        _ => diagnostic.help("leave it out, or put it into a quoted text"),
    }
}

// ------------------------------------------------------------------ brackets

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    at: usize,
    kind: u8,
}

/// Where braces that are never closed are taken to close, with how many close there.
type Closers = BTreeMap<usize, usize>;

/// Blanks brackets that have no partner, and finds a place for missing closing braces.
fn balance(origin: Origin, bytes: &mut Vec<u8>, style: Style, diagnostics: &mut Vec<Diagnostic>) -> Closers {
    let mut plain = bytes.clone();
    let (closers, found) = match_brackets(origin, &mut plain, false);
    if !found.is_empty() && style.edge_closes {
        // Something is not closed. In most files everything inside a block is indented, so that a line at the left edge
        // shows which block it was; where that makes more trouble than it mends, the file is not written so.
        let mut edged = bytes.clone();
        let (edge_closers, edge_found) = match_brackets(origin, &mut edged, true);
        if edge_found.len() <= found.len() {
            *bytes = edged;
            diagnostics.extend(edge_found);
            return edge_closers;
        }
    }
    *bytes = plain;
    diagnostics.extend(found);
    closers
}

fn match_brackets(origin: Origin, bytes: &mut [u8], edge_closes: bool) -> (Closers, Vec<Diagnostic>) {
    let mut closers = Closers::new();
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    // Far too deep only the number of open brackets is kept, so that no text takes long.
    let mut excess: usize = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' if open.len() >= MOST_KEPT => excess += 1,
            b')' | b']' | b'}' if excess > 0 => excess -= 1,
            b'"' => at = end_of_quote(bytes, at).map_or(at, |end| end - 1),
            b'\n' if edge_closes && !open.is_empty() && begins_item(bytes, at + 1) => {
                close_all(origin, bytes, &mut open, at, Some(at + 1), &mut closers, &mut found);
                excess = 0;
            }
            b'(' | b'[' | b'{' => {
                if open.len() == DEEPEST_NESTING {
                    found.push(
                        Diagnostic::error("P005", origin.span(at, at + 1), format!("brackets are nested more than {DEEPEST_NESTING} deep"))
                            .label("this is left out")
                            .help("give the inner part a name with `define`, or make it an `effect` of its own"),
                    );
                }
                open.push(Open { at, kind: byte });
            }
            b')' | b']' | b'}' => close_one(origin, bytes, &mut open, at, byte, &mut found),
            _ => {}
        }
        at += 1;
    }
    let last = bytes.len().saturating_sub(1);
    close_all(origin, bytes, &mut open, last, None, &mut closers, &mut found);
    (closers, found)
}

/// Whether a line begins with a letter at the left edge.
fn begins_item(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_alphabetic)
}

fn partner(kind: u8) -> u8 {
    match kind {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

fn close_one(origin: Origin, bytes: &mut [u8], open: &mut Vec<Open>, at: usize, byte: u8, found: &mut Vec<Diagnostic>) {
    // A brace closes whatever is open in its block; a round or square bracket looks no further than its block.
    let block = open.iter().rposition(|bracket| bracket.kind == b'{');
    let mate = match byte {
        b'}' => block,
        _ => open.iter().rposition(|bracket| partner(bracket.kind) == byte).filter(|mate| block.is_none_or(|block| *mate > block)),
    };
    let Some(mate) = mate else {
        blank(bytes, at, at + 1);
        let name = char::from(byte);
        let mut diagnostic = Diagnostic::error("P003", origin.span(at, at + 1), format!("`{name}` closes nothing"))
            .label("nothing is open here that it could close");
        if let Some(bracket) = open.last() {
            let kind = char::from(bracket.kind);
            diagnostic = diagnostic.also(origin.span(bracket.at, bracket.at + 1), format!("`{kind}` is open"));
        }
        found.push(diagnostic.help(format!("take the `{name}` away, or open it before")));
        return;
    };
    if mate <= DEEPEST_NESTING
        && let Some(bracket) = open.get(DEEPEST_NESTING)
    {
        let end = if mate == DEEPEST_NESTING { at + 1 } else { at };
        blank_all(bytes, bracket.at, end);
    }
    for bracket in open.drain(mate + 1..) {
        blank(bytes, bracket.at, bracket.at + 1);
        let (kind, end) = (char::from(bracket.kind), char::from(partner(bracket.kind)));
        found.push(
            Diagnostic::error("P002", origin.span(bracket.at, bracket.at + 1), format!("`{kind}` is never closed"))
                .label("opened here")
                .also(origin.span(at, at + 1), format!("this `{}` comes first", char::from(byte)))
                .help(format!("put a `{end}` where it ends")),
        );
    }
    open.pop();
}

/// Closes everything that is open: braces at `at`, the other brackets by blanking them.
fn close_all(
    origin: Origin,
    bytes: &mut [u8],
    open: &mut Vec<Open>,
    at: usize,
    line: Option<usize>,
    closers: &mut Closers,
    found: &mut Vec<Diagnostic>,
) {
    if open.len() > DEEPEST_NESTING
        && let Some(bracket) = open.get(DEEPEST_NESTING)
    {
        blank_all(bytes, bracket.at, at);
    }
    for (depth, bracket) in open.drain(..).enumerate() {
        if depth >= DEEPEST_NESTING {
            continue;
        }
        let (kind, end) = (char::from(bracket.kind), char::from(partner(bracket.kind)));
        let mut diagnostic =
            Diagnostic::error("P002", origin.span(bracket.at, bracket.at + 1), format!("`{kind}` is never closed")).label("opened here");
        if let Some(line) = line {
            diagnostic = diagnostic.also(origin.span(line, line + 1), "this line starts at the left edge, as if it stood outside");
        }
        found.push(diagnostic.help(format!("put a `{end}` where it ends")));
        if bracket.kind == b'{' {
            *closers.entry(at).or_default() += 1;
        } else {
            blank(bytes, bracket.at, bracket.at + 1);
        }
    }
}

fn blank_all(bytes: &mut [u8], start: usize, end: usize) {
    if let Some(range) = bytes.get_mut(start..end) {
        range.fill(b' ');
    }
}

/// Where a quoted text ends that starts at `at`, if it does.
fn end_of_quote(bytes: &[u8], at: usize) -> Option<usize> {
    let mut place = at + 1;
    while let Some(&byte) = bytes.get(place) {
        match byte {
            b'\\' if bytes.get(place + 1) == Some(&b'"') => place += 2,
            b'"' => return Some(place + 1),
            _ => place += 1,
        }
    }
    None
}

// ------------------------------------------------------------------ statements

/// A block that is being read; the outermost one has no brace.
struct Frame {
    open: usize,
    pieces: Vec<Piece>,
    piece: Option<Piece>,
}

struct Cutter<'a> {
    bytes: &'a mut [u8],
    closers: &'a Closers,
    style: Style,
    frames: Vec<Frame>,
    /// All open brackets, also braces.
    inside: Vec<u8>,
    /// The first byte after the last that was no blank.
    end: usize,
}

fn cut_pieces(bytes: &mut [u8], closers: &Closers, style: Style) -> Vec<Piece> {
    let outermost = Frame { open: 0, pieces: Vec::new(), piece: None };
    let mut cutter = Cutter { bytes, closers, style, frames: vec![outermost], inside: Vec::new(), end: 0 };
    cutter.run();
    cutter.end_piece();
    cutter.frames.pop().map(|frame| frame.pieces).unwrap_or_default()
}

impl Cutter<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(&byte) = self.bytes.get(at) {
            if let Some(&count) = self.closers.get(&at) {
                for _ in 0..count {
                    self.close(at, false);
                }
            }
            let mut next = at + 1;
            match byte {
                b' ' | b'\t' | b'\r' => {}
                b'\n' => next = self.cut_gap(at),
                b';' => {
                    if matches!(self.inside.last(), None | Some(b'{')) {
                        self.end_piece();
                    } else {
                        self.end = next;
                    }
                }
                b'"' => {
                    self.begin_piece(at);
                    next = end_of_quote(self.bytes, at).unwrap_or(next);
                    self.end = next;
                }
                b'{' => {
                    self.begin_piece(at);
                    self.inside.push(byte);
                    self.frames.push(Frame { open: at, pieces: Vec::new(), piece: None });
                    self.end = next;
                }
                b'}' => self.close(at, true),
                _ => {
                    self.begin_piece(at);
                    match byte {
                        b'(' | b'[' => self.inside.push(byte),
                        b')' | b']' => {
                            self.inside.pop();
                        }
                        _ => {}
                    }
                    self.end = next;
                }
            }
            at = next;
        }
    }

    fn begin_piece(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut()
            && frame.piece.is_none()
        {
            frame.piece = Some(Piece { start: at, end: at, blocks: Vec::new(), whole: true });
        }
    }

    fn end_piece(&mut self) {
        let end = self.end;
        if let Some(frame) = self.frames.last_mut()
            && let Some(mut piece) = frame.piece.take()
        {
            piece.end = end;
            frame.pieces.push(piece);
        }
    }

    fn close(&mut self, at: usize, real: bool) {
        if self.frames.len() < 2 {
            return;
        }
        self.end_piece();
        self.inside.pop();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let whole = real && frame.pieces.iter().all(|piece| piece.whole);
        if let Some(piece) = self.frames.last_mut().and_then(|outer| outer.piece.as_mut()) {
            piece.whole &= whole;
            piece.blocks.push(Braced { open: frame.open, close: at, pieces: frame.pieces });
        }
        self.end = at + 1;
    }

    /// Goes over line breaks and blanks from the line break at `at` on, decides whether a statement ends there, and
    /// returns where the next thing stands.
    fn cut_gap(&mut self, at: usize) -> usize {
        let mut next = at;
        while matches!(self.bytes.get(next), Some(b' ' | b'\t' | b'\r' | b'\n')) && (next == at || !self.closers.contains_key(&next)) {
            next += 1;
        }
        let counts = match self.inside.last() {
            None => self.style.lines_end,
            Some(kind) => *kind == b'{',
        };
        let open = self.frames.last().is_some_and(|frame| frame.piece.is_some());
        let ends = counts && open && !self.goes_on() && !self.takes_up(next);
        blank_all(self.bytes, at, next);
        if ends {
            if let Some(byte) = self.bytes.get_mut(at) {
                *byte = b';';
            }
            self.end_piece();
        }
        next
    }

    /// Whether what was read last wants more.
    fn goes_on(&self) -> bool {
        let read = self.bytes.get(..self.end).unwrap_or(&[]);
        match read.last() {
            Some(b'+' | b'-' | b'*' | b'/' | b'=' | b'<' | b'>' | b'|' | b',' | b':') => true,
            Some(byte) if byte.is_ascii_alphabetic() => {
                let start = read.iter().rposition(|byte| !in_word(*byte)).map_or(0, |place| place + 1);
                matches!(read.get(start..), Some(b"and" | b"or"))
            }
            _ => false,
        }
    }

    /// Whether what comes next belongs to what was read.
    fn takes_up(&self, next: usize) -> bool {
        let rest = self.bytes.get(next..).unwrap_or(&[]);
        match rest.first() {
            Some(b'+' | b'-' | b'*' | b'/' | b'=' | b'<' | b'>' | b'|' | b',' | b':' | b'!') => true,
            Some(byte) if byte.is_ascii_alphabetic() => {
                let end = rest.iter().position(|byte| !in_word(*byte)).unwrap_or(rest.len());
                matches!(rest.get(..end), Some(b"and" | b"or" | b"else" | b"where"))
            }
            _ => false,
        }
    }
}

/// A byte of a dotted name, also of one in another script.
fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'#' | b'\'') || !byte.is_ascii()
}
