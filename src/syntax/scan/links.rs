//! How much one statement joins: each operator, each `if … else` and each `where` is read within the one before, so that a chain
//! without end would overflow the stack of everything that walks the tree. More than any person writes is reported and left out.

use super::{Scan, Style, blank, is_letter};
use crate::diagnostic::Diagnostic;

/// How many operators and joining words one statement may hold, with those around its brackets.
pub const MAX_LINKS: usize = 100;
/// Words behind which, or around which, another value stands.
const JOINING: [&str; 11] = ["and", "or", "not", "is", "in", "if", "else", "where", "sum", "highest", "lowest"];
/// Signs that join two values.
const SIGNS: &[u8] = b"+-*/=<>!";

/// A word or sign.
#[derive(Clone, Copy)]
struct Token {
    start: usize,
    end: usize,
}

impl Scan<'_> {
    /// Leaves out what is joined to too much.
    pub(super) fn links(&mut self, style: Style) {
        // For each open bracket, how much the statement in which it stands has joined before.
        let mut open: Vec<usize> = Vec::new();
        // What the statement has joined, brackets around it counted in; and where it has become too much, in how many brackets.
        let (mut joined, mut excess): (usize, Option<(Token, usize)>) = (0, None);
        let mut lost: Vec<(Token, usize)> = Vec::new();
        let mut last = Token { start: 0, end: 0 };
        let mut at = 0;
        while let Some(&byte) = self.mask.get(at) {
            let token = self.token(at);
            let end = token.end;
            let base = open.last().copied().unwrap_or(0);
            let ends = match byte {
                b';' => true,
                b'\n' => style != Style::Line && !self.goes_on(last, end),
                b'}' | b')' | b']' => excess.is_some_and(|(_, depth)| depth == open.len()),
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
                _ if self.joins(token) => joined += 1,
                _ => {}
            }
            if joined > MAX_LINKS && excess.is_none() {
                excess = Some((token, open.len()));
            }
            if !byte.is_ascii_whitespace() {
                last = token;
            }
            at = end;
        }
        lost.extend(excess.map(|(first, _)| (first, self.mask.len())));
        for (first, end) in lost {
            let message = format!("more than {MAX_LINKS} values, conditions or answers are joined here");
            let wrong = Diagnostic::error("P010", self.span(first.start, first.end), message).label("from here on it is left out");
            self.found.push(wrong.help("give parts of it names with `define`, or make them an `effect` of their own"));
            blank(&mut self.mask, first.start, end);
            blank(&mut self.mended, first.start, end);
        }
    }

    /// How long the word is that begins at a place.
    fn word_length(&self, at: usize) -> usize {
        self.mask.iter().skip(at).take_while(|byte| !byte.is_ascii() || is_letter(char::from(**byte))).count()
    }

    /// The word or sign that begins at a place; `<=` and the like are one.
    fn token(&self, start: usize) -> Token {
        let signs = match self.mask.get(start..start + 2) {
            Some([b'<' | b'>' | b'=' | b'!' | b'+' | b'-', b'=']) => 2,
            _ => 1,
        };
        Token { start, end: start + self.word_length(start).max(signs) }
    }

    fn joins(&self, token: Token) -> bool {
        let word = self.mask.get(token.start..token.end).unwrap_or(&[]);
        match word {
            [sign] | [sign, b'='] => SIGNS.contains(sign),
            _ => JOINING.iter().any(|joining| joining.as_bytes() == word),
        }
    }

    /// Whether what stands behind a line break goes on with what stands before it.
    fn goes_on(&self, last: Token, at: usize) -> bool {
        let blanks = self.mask.iter().skip(at).take_while(|byte| byte.is_ascii_whitespace()).count();
        let at = at + blanks;
        let next = self.token(at);
        let is = |token: Token, signs: &[u8], words: &[&str]| match self.mask.get(token.start..token.end).unwrap_or(&[]) {
            [sign] | [sign, b'='] => signs.contains(sign),
            word => words.iter().any(|known| known.as_bytes() == word),
        };
        is(last, b"+-*/=<>!|,:([", &["and", "or", "is", "not", "then", "else"])
            || is(next, b"+-*/=<>!|,:)]", &["and", "or", "then", "else", "where"])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Origin, scan};
    use super::*;
    use crate::source::FileId;

    fn told(text: &str, style: Style) -> (String, Vec<&'static str>) {
        let mut found = Vec::new();
        let scanned = scan(Origin { file: FileId(0), offset: 0 }, text, style, &mut found);
        (scanned.text.trim_end().to_string(), found.into_iter().map(|found| found.code).collect())
    }

    #[test]
    fn what_is_joined_without_end_is_left_out() {
        let plus = |count: usize| format!("x = a{}", " + a".repeat(count));
        assert_eq!(told(&plus(MAX_LINKS - 1), Style::File).1, [""; 0]);
        let (text, codes) = told(&format!("{}\ny = b + c\n", plus(MAX_LINKS + 50)), Style::File);
        assert_eq!(codes, ["P010"]);
        assert!(text.starts_with(&plus(MAX_LINKS - 1)) && text.ends_with("\ny = b + c"), "the rest is read");
        for text in ["if a { b } else ", "not ", "sum a where ", "if a then b else\n", "a and\n", "a\nor ", "(a < "] {
            assert_eq!(told(&text.repeat(MAX_LINKS + 50), Style::File).1.first(), Some(&"P010"), "{text}");
        }
    }

    #[test]
    fn what_stands_around_brackets_counts_and_what_stands_beside_does_not() {
        let half = " + a".repeat(MAX_LINKS / 2);
        assert_eq!(told(&format!("max(a{half}, 1){half}"), Style::File).1, [""; 0]);
        assert_eq!(told(&format!("x = a{half} * (a{half})"), Style::File).1, ["P010"]);
        assert_eq!(told(&format!("effect x {{\n{} }}", "if a == b { c += 1 }\n".repeat(MAX_LINKS)), Style::File).1, [""; 0]);
        assert_eq!(told(&"a + b\n".repeat(MAX_LINKS), Style::Lines).1, [""; 0]);
        assert_eq!(told(&"a + b\n".repeat(MAX_LINKS + 1), Style::Line).1, ["P010"], "one line, however it is broken");
    }
}
