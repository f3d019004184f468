//! The tokens of a file of rules as they stand in it, so that the file can be written anew: each with its grammar rule and its place.
//! What lies between two tokens is blanks, line breaks, `;` and comments.

use std::ops::Range;

use pest::Parser;

use super::build::RulePair;
use super::grammar::{Grammar, Rule};
use super::parse_file;
use super::scan::{Origin, TextMode, scan};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::FileId;

/// A text of rules without errors, and its tokens in order.
#[derive(Clone, Debug)]
pub struct TokenizedRules {
    /// The text with every blank a plain one, and line breaks as `\n`. Ranges of tokens refer to it.
    pub text: String,
    /// All tokens, in the order of the text.
    pub tokens: Vec<RuleToken>,
}

/// A word, number, quoted text or sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleToken {
    /// Where it stands, in bytes of [`TokenizedRules::text`].
    pub place: Range<usize>,
    /// The grammar rule of the token itself.
    pub rule: Rule,
    /// The grammar rule of which it is a part.
    pub within: Rule,
    /// Whether it is the first of a declaration, or of what stands in a block: a statement, an entry, an answer.
    pub begins_item: bool,
}

/// Takes a file of rules apart.
///
/// # Errors
/// What the parser has to say, if there is an error among it.
pub fn tokenize(file: FileId, text: &str) -> Result<TokenizedRules, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    parse_file(file, text, &mut diagnostics);
    if diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return Err(diagnostics);
    }
    let scanned = scan(Origin { file, offset: 0 }, text, TextMode::File, &mut Vec::new());
    let mut tokens = Vec::new();
    for node in Grammar::parse(Rule::file, &scanned.text).into_iter().flatten() {
        collect(node, Rule::file, false, &mut tokens);
    }
    Ok(TokenizedRules { text: scanned.text.into_owned(), tokens })
}

/// Adds the tokens of a node. `begins` is whether its first one begins an item of a block.
fn collect(node: RulePair<'_>, within: Rule, begins: bool, tokens: &mut Vec<RuleToken>) {
    let (rule, start) = (node.as_rule(), node.as_span().start());
    let length = token_length(node.as_str());
    let mut begins_item = begins;
    let mut inner = node.into_inner().peekable();
    if inner.peek().is_none() {
        if rule != Rule::EOI && length > 0 {
            tokens.push(RuleToken { place: start..start + length, rule, within, begins_item });
        }
        return;
    }
    let mut in_block = rule == Rule::file;
    for part in inner {
        let of_block = in_block && !matches!(part.as_rule(), Rule::CLOSE | Rule::COMMA);
        in_block |= part.as_rule() == Rule::OPEN;
        let known = tokens.len();
        collect(part, rule, begins_item || of_block, tokens);
        begins_item &= tokens.len() == known;
    }
}

/// Returns the length of the token at the beginning of a text, which may contain what is skipped behind a sign.
fn token_length(text: &str) -> usize {
    if text.starts_with('"') || text.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
        return text.trim_end().len();
    }
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(text.len());
    text.find("//").map_or(end, |comment| end.min(comment))
}

/// Whether two texts of rules are read alike: the same constructs with the same words, however they are spaced.
pub fn read_alike(one: &str, other: &str) -> bool {
    let origin = Origin { file: FileId(0), offset: 0 };
    let [one, other] = [one, other].map(|text| scan(origin, text, TextMode::File, &mut Vec::new()));
    match (Grammar::parse(Rule::file, &one.text), Grammar::parse(Rule::file, &other.text)) {
        (Ok(one), Ok(other)) => one.len() == other.len() && one.zip(other).all(|(one, other)| nodes_alike(one, other)),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => false,
    }
}

fn nodes_alike(one: RulePair<'_>, other: RulePair<'_>) -> bool {
    if one.as_rule() != other.as_rule() {
        return false;
    }
    let (texts, [one, other]) = ([one.as_str(), other.as_str()], [one, other].map(RulePair::into_inner));
    if one.len() != other.len() {
        return false;
    }
    if one.is_empty() {
        let [one, other] = texts.map(|text| text.get(..token_length(text)).unwrap_or(""));
        return one == other || !one.starts_with('"') && one.split_whitespace().eq(other.split_whitespace());
    }
    one.zip(other).all(|(one, other)| nodes_alike(one, other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(String, bool)> {
        let found = tokenize(FileId(0), text).unwrap();
        found.tokens.iter().map(|token| (found.text[token.place.clone()].to_string(), token.begins_item)).collect()
    }

    #[test]
    fn tokens_are_words_signs_and_texts_and_know_what_they_begin() {
        let found = tokens("constant a = max(1, 2)  // a\n\neffect b { gain 1 wisp; do c(-1) // }\n}\nscore { \"a // b\" = 1 }\n");
        let words: Vec<&str> = found.iter().map(|(word, _)| word.as_str()).collect();
        assert_eq!(words.join(" "), "constant a = max ( 1 , 2 ) effect b { gain 1 wisp do c ( - 1 ) } score { \"a // b\" = 1 }");
        let begin: Vec<&str> = found.iter().filter(|(_, begins)| *begins).map(|(word, _)| word.as_str()).collect();
        assert_eq!(begin, ["constant", "effect", "gain", "do", "score", "\"a // b\""]);
    }

    #[test]
    fn texts_are_read_alike_however_they_are_spaced_and_never_with_another_word() {
        let text = "effect b { gain 1 wisp; if not a and b { lose 2 moss } }\n";
        assert!(read_alike(text, "effect  b {\n  gain 1 wisp // c\n  if not a\n    and b { lose 2 moss }\n}"));
        for other in ["effect b { gain 1 wisp; if not a and b { lose 3 moss } }", "effect b { gain 1 wisp }", "effect b { gain", ""] {
            assert!(!read_alike(text, other), "{other}");
        }
    }

    #[test]
    fn a_text_with_errors_has_no_tokens() {
        assert!(!tokenize(FileId(0), "effect b { gain\n").unwrap_err().is_empty());
    }
}
