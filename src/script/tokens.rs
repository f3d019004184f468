//! A script cut into tokens: as much as is needed to find names and calls, no more.

/// Texts with expressions within each other are followed this deep.
const DEEPEST: usize = 16;

/// Symbols of more than one character, the longest first.
const SYMBOLS: [&str; 33] = [
    "<<=", ">>=", "**=", "..=", "===", "!==", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "?[", "+=", "-=", "*=", "/=", "%=",
    "^=", "|=", "&=", "..", "::", "**", "<<", ">>", "->", "#{", "++", "--",
];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Name,
    Number,
    Text,
    Symbol,
}

/// A token and the bytes that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub sort: Sort,
    pub text: &'t str,
    pub start: usize,
}

impl Token<'_> {
    /// Whether it is this symbol.
    pub fn is(&self, symbol: &str) -> bool {
        self.sort == Sort::Symbol && self.text == symbol
    }
}

/// The tokens of a script, without spaces and comments. What is broken is left to the compiler to report.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    cut(text, &mut at, 0, &mut found);
    found
}

/// Cuts up to the end of the text, or to the brace that closes an expression within a text.
fn cut<'t>(text: &'t str, at: &mut usize, depth: usize, found: &mut Vec<Token<'t>>) {
    let mut braces = 0;
    while let Some(next) = text[*at..].chars().next() {
        let (start, rest) = (*at, &text[*at..]);
        let sort = if next.is_whitespace() {
            *at += next.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            *at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if rest.starts_with("/*") {
            *at += comment(rest);
            continue;
        } else if next.is_alphabetic() || next == '_' {
            *at += rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            Sort::Name
        } else if next.is_ascii_digit() {
            *at += rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            Sort::Number
        } else if next == '"' || next == '\'' {
            *at += quoted(rest, next);
            Sort::Text
        } else if next == '`' {
            found.push(Token { sort: Sort::Text, text: &rest[..1], start });
            *at += 1;
            template(text, at, depth, found);
            continue;
        } else {
            *at += SYMBOLS.iter().find(|s| rest.starts_with(**s)).map_or(next.len_utf8(), |s| s.len());
            Sort::Symbol
        };
        let token = Token { sort, text: &text[start..*at], start };
        if token.is("{") || token.is("#{") {
            braces += 1;
        } else if token.is("}") {
            if braces == 0 && depth > 0 {
                return;
            }
            braces -= 1;
        }
        found.push(token);
    }
}

/// The rest of a text between backticks, with the expressions in it.
fn template<'t>(text: &'t str, at: &mut usize, depth: usize, found: &mut Vec<Token<'t>>) {
    while let Some(next) = text[*at..].chars().next() {
        if next == '`' {
            *at += 1;
            return;
        }
        if text[*at..].starts_with("${") && depth < DEEPEST {
            *at += 2;
            // The brackets keep what is inside apart from what stands around it.
            found.push(Token { sort: Sort::Symbol, text: "(", start: *at });
            cut(text, at, depth + 1, found);
            found.push(Token { sort: Sort::Symbol, text: ")", start: *at });
        } else {
            *at += next.len_utf8();
        }
    }
}

/// How many bytes a comment has, comments within it included.
fn comment(rest: &str) -> usize {
    let (mut open, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            open += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            open -= 1;
            at += 2;
            if open == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// How many bytes a text in quotes has.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Whether rhai reads a word as a name.
pub(super) fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&word)
}

/// Words of rhai's own grammar.
pub(super) const KEYWORDS: [&str; 24] = [
    "true", "false", "let", "const", "if", "else", "switch", "do", "while", "until", "loop", "for", "in", "continue", "break", "return",
    "throw", "try", "catch", "fn", "private", "this", "global", "import",
];

/// Words that rhai keeps for itself without using them. Scripts may use them all the same: [`alias`].
const KEPT: [&str; 29] = [
    "is",
    "as",
    "var",
    "static",
    "shared",
    "goto",
    "exit",
    "match",
    "case",
    "public",
    "protected",
    "new",
    "use",
    "with",
    "module",
    "package",
    "super",
    "thread",
    "spawn",
    "go",
    "await",
    "async",
    "sync",
    "yield",
    "default",
    "void",
    "null",
    "nil",
    "export",
];

/// What a word is called within rhai: one that rhai keeps for itself gets a capital at its end, so that every place stays where it is.
pub(super) fn alias(word: &str) -> String {
    match word.char_indices().last() {
        Some((at, last)) if KEPT.contains(&word) => format!("{}{}", &word[..at], last.to_ascii_uppercase()),
        _ => word.to_string(),
    }
}

/// The word that a person wrote for a name within rhai.
pub(super) fn unalias(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    if alias(&lower) == word { lower } else { word.to_string() }
}

/// A script as rhai reads it: of the same length, every token in its place.
pub(super) fn aliased(text: &str, tokens: &[Token]) -> String {
    let mut written = String::with_capacity(text.len());
    let mut from = 0;
    for token in tokens.iter().filter(|t| t.sort == Sort::Name && KEPT.contains(&t.text)) {
        written.push_str(&text[from..token.start]);
        written.push_str(&alias(token.text));
        from = token.start + token.text.len();
    }
    written.push_str(&text[from..]);
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str) -> Vec<&str> {
        tokens(script).iter().map(|t| t.text).collect()
    }

    #[test]
    fn names_and_symbols() {
        assert_eq!(texts("gain(me, wisp, -2); // wolf(1)"), ["gain", "(", "me", ",", "wisp", ",", "-", "2", ")", ";"]);
        assert_eq!(texts("a<=b /* x /* y */ z */ ..=c"), ["a", "<=", "b", "..=", "c"]);
        assert_eq!(texts(r#"f("wolf(\"", 'x')"#), ["f", "(", r#""wolf(\"""#, ",", "'x'", ")"]);
    }

    #[test]
    fn expressions_within_texts() {
        assert_eq!(texts("debug(`a ${f(x, #{})} b`)"), ["debug", "(", "`", "(", "f", "(", "x", ",", "#{", "}", ")", ")", ")"]);
    }

    #[test]
    fn broken_scripts_are_cut_as_well() {
        for script in ["`${", "\"", "'", "/*", "é}", "`${`${`${", "}}}", "#"] {
            tokens(script);
        }
        tokens(&"`${".repeat(10_000));
    }

    #[test]
    fn kept_words_have_an_alias_of_the_same_length() {
        let script = "is(c, wall) && use(me) // is";
        assert_eq!(aliased(script, &tokens(script)), "iS(c, wall) && usE(me) // is");
        assert_eq!(unalias("iS"), "is");
        assert_eq!(unalias("wisp"), "wisp");
    }
}
