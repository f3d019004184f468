//! Detects syntax of other languages, above all of the rules language, in scripts. The messages say what to write instead, which rhai's own
//! errors do not.

use super::api::natives;
use super::problem::ScriptProblem;
use super::tokens::{RhaiToken, TokenKind};
use crate::diagnostic::nearest;

/// Finds the first known construct of another language in a script, with the byte where it starts.
pub(super) fn find_foreign_syntax(tokens: &[RhaiToken<'_>]) -> Option<(usize, ScriptProblem)> {
    (0..tokens.len()).find_map(|at| foreign_syntax_at(tokens, at))
}

fn foreign_syntax_at(tokens: &[RhaiToken<'_>], at: usize) -> Option<(usize, ScriptProblem)> {
    let token = tokens[at];
    let before = at.checked_sub(1).map(|at| tokens[at]);
    let (next, after) = (tokens.get(at + 1), tokens.get(at + 2));
    let found = |message: &str, label: &str, help: Option<String>| {
        let (message, label) = (message.to_string(), label.to_string());
        Some((token.start, ScriptProblem::Unreadable { message, label, helps: help.into_iter().collect() }))
    };
    let ends_value = |token: RhaiToken<'_>| token.kind != TokenKind::Symbol || matches!(token.text, ")" | "]");
    let begins_value = |token: &RhaiToken<'_>| token.kind != TokenKind::Symbol || matches!(token.text, "(" | "[" | "!" | "-");
    match token.kind {
        TokenKind::Name => {
            let sign = match token.text {
                "and" => Some("&&"),
                "or" => Some("||"),
                _ => None,
            };
            if let Some(sign) = sign
                && before.is_some_and(ends_value)
                && next.is_some_and(begins_value)
            {
                let message = format!("`{}` is a word of the rules language, not of scripts", token.text);
                return found(&message, &format!("write `{sign}`"), None);
            }
            if token.text == "not" && next.is_some_and(begins_value) && !next.is_some_and(|next| next.is_symbol("(")) {
                return found("`not` is a word of the rules language, not of scripts", "write `!`", None);
            }
            if matches!(token.text, "elif" | "elsif" | "elseif") {
                return found(&format!("`{}` is no word of scripts", token.text), "write `else if`", None);
            }
            if token.text == "print" {
                return found("`print` cannot be used in a script", "write `debug(…)`", None);
            }
            // `gain 2 wisp`, as in the rules language.
            let native = natives().iter().find(|native| native.name == token.text)?;
            let begins = before.is_none_or(|before| matches!(before.text, ";" | "{" | "}"));
            if begins && next.is_some_and(|next| matches!(next.kind, TokenKind::Name | TokenKind::Number)) {
                let message = format!("`{}` is called with its values in brackets", token.text);
                let help = format!("for example `{}`", native.example);
                return found(&message, &format!("write `{}`", native.signature()), Some(help));
            }
            None
        }
        TokenKind::Number => {
            let point = next.is_some_and(|next| next.is_symbol(".")) && after.is_some_and(|after| after.kind == TokenKind::Number);
            let near =
                next.zip(after).is_some_and(|(next, after)| next.start + 1 == after.start && token.start + token.text.len() == next.start);
            if point && near { found("numbers are whole", "has a decimal point", None) } else { None }
        }
        TokenKind::Text => {
            let word = token.text.strip_prefix('\'')?.strip_suffix('\'')?;
            let is_word = word.chars().count() > 1 && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            if is_word { found("words of the rules stand without quotes", &format!("write `{word}`"), None) } else { None }
        }
        TokenKind::Symbol => {
            // A closure: `|x| x + 1`.
            if matches!(token.text, "|" | "||") && !before.is_some_and(ends_value) {
                let help = "write what it would do where it is wanted, in a loop: `for x in … { … }`".to_string();
                return found("scripts have no functions of their own", "begins one", Some(help));
            }
            // An assignment as a condition: `if a = b {`.
            if !token.is_symbol("=") {
                return None;
            }
            let begin = tokens[..at].iter().rposition(|token| matches!(token.text, ";" | "{" | "}")).map_or(0, |found| found + 1);
            let opens = tokens.get(begin).filter(|first| matches!(first.text, "if" | "while"))?;
            found("`=` sets a value", "write `==` to compare", Some(format!("this follows `{}`", opens.text)))
        }
    }
}

/// For a property access on a player or card, such as `me.wisp`, returns the message and what to write instead.
pub(super) fn replace_property(owner: &str, field: &str, known: &[String]) -> Option<(String, String)> {
    let what = match owner {
        "me" | "player" => "a player",
        "own" | "card" => "a card",
        _ => return None,
    };
    let name = nearest(field, known.iter().map(String::as_str)).unwrap_or(field);
    let name = if known.iter().any(|known| known == field) { field } else { name };
    let help = match what {
        "a player" => format!("write `{name}({owner})`, and to change it `gain({owner}, {name}, 1)` or the like"),
        _ => format!("write `counter({owner}, {name})` or `field({owner}, {name})`"),
    };
    Some((format!("{what} has no fields in scripts"), help))
}
