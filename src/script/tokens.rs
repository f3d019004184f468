//! A script cut into tokens by rhai itself, each with the text that it covers: for messages about what cannot be read.

use super::error::offset_of;
use super::host::raw_engine;
use rhai::{Engine, Token as Lexed};

thread_local! {
    /// What cuts: it takes longer to make than to cut a hundred scripts.
    static CUTTER: Engine = raw_engine();
}

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

/// The tokens of a script, without spaces and comments.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    CUTTER.with(|engine| cut(engine, text))
}

/// The names in a script, each with its first byte.
pub fn names_of(text: &str) -> Vec<(usize, &str)> {
    tokens(text).into_iter().filter(|token| token.sort == Sort::Name).map(|token| (token.start, token.text)).collect()
}

fn cut<'t>(engine: &Engine, text: &'t str) -> Vec<Token<'t>> {
    let (lexer, control) = engine.lex(std::iter::once(&text));
    // How many braces are open in each expression within a text: after the last one the text goes on.
    let mut open: Vec<usize> = Vec::new();
    let mut starts = Vec::new();
    for (token, at) in lexer.take_while(|(token, _)| *token != Lexed::EOF) {
        match (&token, open.last_mut()) {
            (Lexed::InterpolatedString(_), _) => open.push(0),
            (Lexed::LeftBrace | Lexed::MapStart, Some(braces)) => *braces += 1,
            (Lexed::RightBrace, Some(1)) => {
                open.pop();
                control.borrow_mut().is_within_text = true;
            }
            (Lexed::RightBrace, Some(braces)) => *braces -= 1,
            _ => {}
        }
        let start = offset_of(text, at);
        let sort = match (token, text[start..].chars().next()) {
            (Lexed::StringConstant(_) | Lexed::InterpolatedString(_) | Lexed::CharConstant(_), _) => Sort::Text,
            (Lexed::LexError(_), Some('"' | '\'' | '`')) => Sort::Text,
            (Lexed::IntegerConstant(_), _) => Sort::Number,
            (_, Some(first)) if is_word(first) => Sort::Name,
            _ => Sort::Symbol,
        };
        starts.push((sort, start));
    }
    let ends = starts.iter().skip(1).map(|(_, start)| *start).chain([text.len()]);
    let covered = starts.iter().zip(ends).map(|(&(sort, start), end)| {
        let all = text[start..end.max(start)].trim_end();
        let text = match sort {
            Sort::Name => all.split(|c| !is_word(c)).next(),
            Sort::Symbol => all.split_whitespace().next(),
            Sort::Number | Sort::Text => None,
        };
        Token { sort, text: text.unwrap_or(all), start }
    });
    covered.collect()
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a script can use a word as a name: also those that rhai keeps for itself without using them.
pub(super) fn is_name(word: &str) -> bool {
    rhai::is_valid_identifier(word) && Lexed::lookup_symbol_from_syntax(word).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str) -> Vec<&str> {
        tokens(script).iter().map(|t| t.text).collect()
    }

    #[test]
    fn names_and_symbols() {
        assert_eq!(texts("gain(me, wisp, -2); // wolf(1)"), ["gain", "(", "me", ",", "wisp", ",", "-2", ")", ";"]);
        assert_eq!(texts("a<=b /* x /* y */ z */ ..=c"), ["a", "<=", "b", "..=", "c"]);
        assert_eq!(texts(r#"f("wolf(\"", 'x')"#), ["f", "(", r#""wolf(\"""#, ",", "'x'", ")"]);
    }

    #[test]
    fn expressions_within_texts() {
        assert_eq!(texts("debug(`a ${f(x, #{})} b`)"), ["debug", "(", "`a $", "{", "f", "(", "x", ",", "#{", "}", ")", "}", " b`", ")"]);
    }

    #[test]
    fn broken_scripts_are_cut_as_well() {
        for script in ["`${", "\"", "'", "/*", "é}", "`${`${`${", "}}}", "#"] {
            tokens(script);
        }
        tokens(&"`${".repeat(1_000));
    }

    #[test]
    fn what_rhai_keeps_without_using_it_is_a_name() {
        for word in ["is", "use", "match", "wisp"] {
            assert!(is_name(word), "{word}");
        }
        for word in ["if", "let", "2", "a b", ""] {
            assert!(!is_name(word), "{word}");
        }
    }
}
