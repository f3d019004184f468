//! Limits the length of operator chains: each operator, `if … else` and `where` is nested in the previous one, so a long chain would
//! overflow the stack of everything that walks the tree. The excess is reported and removed.

use super::{Scan, TextMode, blank_out, is_letter};
use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// How many operators and joining words one statement may hold, with those around its brackets.
pub const MAX_LINKS: usize = 100;
/// Keywords that are followed by a value, or that join two values.
const JOINING_WORDS: [&str; 11] = ["and", "or", "not", "is", "in", "if", "else", "where", "sum", "highest", "lowest"];
/// Signs that join two values.
const SIGNS: &[u8] = b"+-*/=<>!";

impl Scan<'_> {
    /// Replaces line breaks by blanks where they end nothing: all but those between the entries of a table.
    pub(super) fn join_lines(&mut self) {
        let (mut open, mut last, mut at) = (Vec::new(), 0..0, 0);
        while let Some(&byte) = self.mask.get(at) {
            let token = self.token(at);
            match byte {
                b'(' | b'[' | b'{' => open.push(byte),
                b')' | b']' | b'}' => drop(open.pop()),
                b'\n' if open.last() != Some(&b'{') || self.continues_statement(&last, token.end) => {
                    self.repaired.iter_mut().skip(at).take(1).for_each(|byte| *byte = b' ');
                }
                _ => {}
            }
            at = token.end;
            if !byte.is_ascii_whitespace() {
                last = token;
            }
        }
    }

    /// Reports and removes what exceeds the limit of a statement.
    pub(super) fn links(&mut self, style: TextMode) {
        // For each open bracket, the number of links of the statement around it.
        let mut open: Vec<usize> = Vec::new();
        // The number of links of the current statement, including those around its brackets; and where it exceeded the limit, with the
        // depth of brackets.
        let (mut joined, mut excess): (usize, Option<(Range<usize>, usize)>) = (0, None);
        let mut lost: Vec<(Range<usize>, usize)> = Vec::new();
        let (mut last, mut at) = (0..0, 0);
        while let Some(&byte) = self.mask.get(at) {
            let token = self.token(at);
            let end = token.end;
            let base = open.last().copied().unwrap_or(0);
            let ends = match byte {
                b';' => true,
                b'\n' => style != TextMode::Line && !self.continues_statement(&last, end),
                b'}' | b')' | b']' => excess.as_ref().is_some_and(|(_, depth)| *depth == open.len()),
                _ => false,
            };
            if ends {
                if let Some((first, _)) = excess.take_if(|(_, depth)| *depth >= open.len()) {
                    lost.push((first, at));
                }
                joined = if excess.is_some() { joined } else { base };
            }
            match byte {
                b'(' | b'[' | b'{' => open.push(joined),
                b')' | b']' | b'}' => joined = open.pop().unwrap_or(0),
                _ if self.is(&token, SIGNS, &JOINING_WORDS) => joined += 1,
                _ => {}
            }
            if joined > MAX_LINKS && excess.is_none() {
                excess = Some((token.clone(), open.len()));
            }
            if !byte.is_ascii_whitespace() {
                last = token;
            }
            at = end;
        }
        lost.extend(excess.map(|(first, _)| (first, self.mask.len())));
        for (first, end) in lost {
            let message = format!("more than {MAX_LINKS} values, conditions or answers are joined here");
            let diagnostic = Diagnostic::error("P010", self.span(first.start, first.end), message).label("from here on it is left out");
            self.found.push(diagnostic.help("give parts of it names with `define`, or make them an `effect` of their own"));
            blank_out(&mut self.mask, first.start, end);
            blank_out(&mut self.repaired, first.start, end);
        }
    }

    /// Returns the length of the word at an offset.
    fn word_length(&self, at: usize) -> usize {
        self.mask.iter().skip(at).take_while(|byte| !byte.is_ascii() || is_letter(char::from(**byte))).count()
    }

    /// Returns the range of the word or sign at an offset; `<=` and similar signs count as one.
    fn token(&self, start: usize) -> Range<usize> {
        let signs = match self.mask.get(start..start + 2) {
            Some([b'<' | b'>' | b'=' | b'!' | b'+' | b'-', b'=']) => 2,
            _ => 1,
        };
        start..start + self.word_length(start).max(signs)
    }

    /// Whether a word or sign is one of these; `<=` counts as `<`.
    fn is(&self, token: &Range<usize>, signs: &[u8], words: &[&str]) -> bool {
        match self.mask.get(token.clone()).unwrap_or(&[]) {
            [sign] | [sign, b'='] => signs.contains(sign),
            word => words.iter().any(|known| known.as_bytes() == word),
        }
    }

    /// Whether the text after a line break continues the statement before it.
    fn continues_statement(&self, last: &Range<usize>, at: usize) -> bool {
        let blanks = self.mask.iter().skip(at).take_while(|byte| byte.is_ascii_whitespace()).count();
        let next = self.token(at + blanks);
        self.is(last, b"+-*/=<>!|,:([", &["and", "or", "is", "not", "then", "else"])
            || self.is(&next, b"+-*/=<>!|,:)]", &["and", "or", "then", "else", "where"])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Origin, scan};
    use super::*;
    use crate::source::FileId;

    fn told(text: &str, style: TextMode) -> (String, Vec<&'static str>) {
        let mut found = Vec::new();
        let scanned = scan(Origin { file: FileId(0), offset: 0 }, text, style, &mut found);
        (scanned.text.trim_end().to_string(), found.into_iter().map(|found| found.code).collect())
    }

    #[test]
    fn what_is_joined_without_end_is_left_out() {
        let plus = |count: usize| format!("x = a{}", " + a".repeat(count));
        assert_eq!(told(&plus(MAX_LINKS - 1), TextMode::File).1, [""; 0]);
        let (text, codes) = told(&format!("{}\ny = b + c\n", plus(MAX_LINKS + 50)), TextMode::File);
        assert_eq!(codes, ["P010"]);
        assert!(text.starts_with(&plus(MAX_LINKS - 1)) && text.ends_with("\ny = b + c"), "the rest is read");
        for text in ["if a { b } else ", "not ", "sum a where ", "if a then b else\n", "a and\n", "a\nor ", "(a < "] {
            assert_eq!(told(&text.repeat(MAX_LINKS + 50), TextMode::File).1.first(), Some(&"P010"), "{text}");
        }
    }

    #[test]
    fn what_stands_around_brackets_counts_and_what_stands_beside_does_not() {
        let half = " + a".repeat(MAX_LINKS / 2);
        assert_eq!(told(&format!("max(a{half}, 1){half}"), TextMode::File).1, [""; 0]);
        assert_eq!(told(&format!("x = a{half} * (a{half})"), TextMode::File).1, ["P010"]);
        assert_eq!(told(&format!("effect x {{\n{} }}", "if a == b { c += 1 }\n".repeat(MAX_LINKS)), TextMode::File).1, [""; 0]);
        assert_eq!(told(&"a + b\n".repeat(MAX_LINKS), TextMode::Lines).1, [""; 0]);
        assert_eq!(told(&"a + b\n".repeat(MAX_LINKS + 1), TextMode::Line).1, ["P010"], "one line, however it is broken");
    }
}
