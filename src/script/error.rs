//! What rhai says, in plain words and at the place in the card's file.

use super::api::rules::added;
use super::api::words::Words;
use super::host::{DEEPEST_CALLS, GIVEN, LARGEST_MAP, LONGEST_LIST, LONGEST_TEXT, MOST_OPERATIONS};
use super::problem::Problem;
use super::tokens::tokens;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::Fault;
use crate::engine::ruleset::ScriptText;
use crate::source::Span;
use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};

/// Where in the file a place of a script is; all of the script if the file writes it with escapes.
pub(super) fn place_of(script: &ScriptText, at: Position) -> Option<Span> {
    if at.is_none() { script.span } else { bytes_of(script, offset_of(&script.text, at)) }
}

/// The byte at a place of a script.
pub(super) fn offset_of(text: &str, at: Position) -> usize {
    let (Some(line), Some(column)) = (at.line(), at.position()) else { return 0 };
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.trim_end().len(), |(at, _)| at)
}

/// Where in the file these bytes of a script are, up to the end of the token that begins there.
pub(super) fn bytes_of(script: &ScriptText, offset: usize) -> Option<Span> {
    let whole = script.span?;
    if (whole.end - whole.start) as usize != script.text.len() {
        return Some(whole);
    }
    let len = tokens(&script.text).iter().find(|t| t.start == offset).map_or(0, |t| t.text.len());
    let start = whole.start + cast::fit::<u32>(offset.min(script.text.len()));
    Some(Span { file: whole.file, start, end: (start + cast::fit::<u32>(len)).min(whole.end) })
}

/// Words of rhai that are often meant.
const BEGINNINGS: [&str; 8] = ["if", "else", "for", "let", "while", "loop", "return", "switch"];

/// A name that is neither a word of the rules nor a variable.
pub(super) fn unknown_name(script: &ScriptText, words: &Words, name: &str, at: Position) -> Diagnostic {
    let span = place_of(script, at);
    if let Some(asked) = added(words.rules()).into_iter().find(|added| added.name == name && !added.params.is_empty()) {
        let signature = asked.signature();
        let written = signature.split(" -> ").next().unwrap_or(&signature).replacen("(p", "(me", 1);
        return Problem::OfSomebody { name: name.to_string(), write: written }.at(span).trace(script.owner.clone());
    }
    let near = nearest(name, words.all().chain(GIVEN).chain(BEGINNINGS).chain(script.lets.iter().map(|named| named.name.as_str())));
    Problem::UnknownName { name: name.to_string(), near: near.map(String::from) }.at(span).trace(script.owner.clone())
}

/// A script that cannot be read.
pub(super) fn parse_diagnostic(script: &ScriptText, error: &ParseError) -> Diagnostic {
    let span = place_of(script, error.position());
    let cut = tokens(&script.text);
    if let Some(foreign) = super::dialect::foreign(&cut) {
        let (message, label) = (foreign.message, foreign.label);
        let helps = foreign.help.into_iter().collect();
        return Problem::Unreadable { message, label, helps }.at(bytes_of(script, foreign.start)).trace(script.owner.clone());
    }
    let (message, label) = match error.err_type() {
        ParseErrorType::UnexpectedEOF => ("the script ends too early".to_string(), "a bracket or brace is still open"),
        ParseErrorType::MissingToken(token, why) => (format!("`{token}` is missing {}", lower(why)), "expected before this"),
        ParseErrorType::Reserved(word) | ParseErrorType::ForbiddenVariable(word) => {
            (format!("`{}` cannot be used in a script", word), "not available")
        }
        ParseErrorType::ExprExpected(what) if what == "a literal" => {
            ("a case of `switch` is a plain number or text".to_string(), "for words write `if … else if …`")
        }
        ParseErrorType::ExprTooDeep => ("an expression is nested too deep".to_string(), "too deep"),
        ParseErrorType::LiteralTooLarge(what, most) => (format!("{} has more than {most} entries", lower(what)), "too large"),
        ParseErrorType::AssignmentToConstant(name) => {
            (format!("`{}` is a word of the rules and cannot be changed", name), "give the variable another name")
        }
        other => (lower(&other.to_string()).replace('\'', "`"), "cannot be read"),
    };
    let count = |bracket: &str| cut.iter().filter(|token| token.is(bracket)).count();
    let open = [("{", "}"), ("(", ")"), ("[", "]")].into_iter().find(|(open, close)| count(open) > count(close));
    let helps = open.map(|(open, close)| format!("a `{open}` is never closed: is a `{close}` missing?")).into_iter().collect();
    Problem::Unreadable { message, label: label.to_string(), helps }.at(span).trace(script.owner.clone())
}

/// The innermost place that an error names.
pub(super) fn position_of(error: &EvalAltResult) -> Position {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, at) => {
            let inside = position_of(inner);
            if inside.is_none() { *at } else { inside }
        }
        other => other.position(),
    }
}

/// A script that failed while it ran.
pub(super) fn fault_of(script: &ScriptText, words: &Words, error: &EvalAltResult) -> Fault {
    Fault { owner: script.owner.clone(), span: place_of(script, position_of(error)), ..Fault::new(message_of(words, error)) }
}

fn message_of(words: &Words, error: &EvalAltResult) -> String {
    use EvalAltResult::{
        ErrorArithmetic, ErrorArrayBounds, ErrorDataTooLarge, ErrorFor, ErrorFunctionNotFound, ErrorInFunctionCall, ErrorMismatchDataType,
        ErrorRuntime, ErrorStackOverflow, ErrorTooManyOperations, ErrorTooManyVariables, ErrorVariableNotFound,
    };
    match error {
        ErrorTooManyOperations(_) => format!("this script never ends: it was stopped after {MOST_OPERATIONS} operations"),
        ErrorStackOverflow(_) => format!("more than {DEEPEST_CALLS} calls within each other"),
        ErrorTooManyVariables(_) => "too many variables at a time".to_string(),
        ErrorDataTooLarge(what, _) => format!(
            "{} grew too large: a text has at most {LONGEST_TEXT} characters, a list {LONGEST_LIST} entries, a map {LARGEST_MAP}",
            lower(what)
        ),
        ErrorFunctionNotFound(signature, _) => unfitting(signature),
        ErrorVariableNotFound(name, _) => format!("unknown name `{}`", name),
        ErrorMismatchDataType(wanted, found, _) => format!("expected {}, found {}", type_words(wanted), type_words(found)),
        ErrorArrayBounds(len, index, _) => format!("a list of {len} has no entry {index}; the first is 0"),
        ErrorFor(_) => "`for` goes through a list, and this is not one".to_string(),
        ErrorArithmetic(what, _) => lower(what),
        ErrorRuntime(thrown, _) if thrown.is_unit() => "the script gave up".to_string(),
        ErrorRuntime(thrown, _) => format!("the script gave up: {}", super::api::show(words, thrown)),
        ErrorInFunctionCall(_, _, inner, _) => message_of(words, inner),
        other => {
            let text = other.to_string();
            lower(text.split(" (line ").next().unwrap_or(&text))
        }
    }
}

/// A call that fits no function: `gain (i64, &str | ImmutableString | String)`.
fn unfitting(signature: &str) -> String {
    let (name, args) = signature.split_once(" (").unwrap_or((signature, ")"));
    let args: Vec<&str> = args.trim_end_matches(')').split(", ").filter(|a| !a.is_empty()).map(type_words).collect();
    let given = if args.is_empty() { "nothing".to_string() } else { args.join(", ") };
    let way_out = if args.contains(&LETTER) { "; text in `'` is a letter: numbers and words are written without quotes" } else { "" };
    format!("`{}` cannot take {given}{way_out}", name)
}

const LETTER: &str = "a letter";

fn type_words(name: &str) -> &str {
    match name {
        "i64" | "INT" => "a number or word",
        "bool" => "yes or no",
        "()" => "nothing",
        "array" => "a list",
        "map" => "a map",
        "char" => LETTER,
        _ if name.contains("str") || name.contains("String") => "a text",
        other => other,
    }
}

/// With a small letter at the start and no full stop at the end.
fn lower(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
