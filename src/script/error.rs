//! Converts errors of rhai to messages with locations in card files.

use super::api::rules::rule_functions;
use super::api::words::WordTable;
use super::host::SCRIPT_VARIABLES;
use super::problem::ScriptProblem;
use super::sandbox::{MAX_CALL_DEPTH, MAX_LIST_LEN, MAX_MAP_LEN, MAX_OPERATIONS, MAX_STRING_LEN};
use super::tokens::{byte_offset, tokenize_script};
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::Fault;
use crate::engine::ruleset::ScriptText;
use crate::source::Span;
use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};

/// Converts a position in a script to the location in its file. If the file's text has escapes, the location of the whole script.
pub(super) fn position_span(script: &ScriptText, at: Position) -> Option<Span> {
    if at.is_none() { script.span } else { token_span(script, byte_offset(&script.text, at)) }
}

/// Returns the location in the file of the token that starts at an offset of the script.
pub(super) fn token_span(script: &ScriptText, offset: usize) -> Option<Span> {
    let whole = script.span?;
    if (whole.end - whole.start) as usize != script.text.len() {
        return Some(whole);
    }
    let len = tokenize_script(&script.text).iter().find(|t| t.start == offset).map_or(0, |t| t.text.len());
    let start = whole.start + cast::fit::<u32>(offset.min(script.text.len()));
    Some(Span { file: whole.file, start, end: (start + cast::fit::<u32>(len)).min(whole.end) })
}

/// Keywords of rhai that are often misspelt.
const KEYWORDS: [&str; 8] = ["if", "else", "for", "let", "while", "loop", "return", "switch"];

/// Builds the diagnostic for a name that is neither a word of the rules nor a variable.
pub(super) fn unknown_name(script: &ScriptText, words: &WordTable, name: &str, at: Position) -> Diagnostic {
    let span = position_span(script, at);
    if let Some(asked) = rule_functions(words.rules()).into_iter().find(|added| added.name == name && !added.params.is_empty()) {
        let signature = asked.signature();
        let written = signature.split(" -> ").next().unwrap_or(&signature).replacen("(p", "(me", 1);
        return ScriptProblem::OfSomebody { name: name.to_string(), write: written }.at(span).trace(script.owner.clone());
    }
    let near =
        nearest(name, words.all_words().chain(SCRIPT_VARIABLES).chain(KEYWORDS).chain(script.lets.iter().map(|named| named.name.as_str())));
    ScriptProblem::UnknownName { name: name.to_string(), near: near.map(String::from) }.at(span).trace(script.owner.clone())
}

/// Builds the diagnostic for a script that cannot be parsed.
pub(super) fn parse_diagnostic(script: &ScriptText, error: &ParseError) -> Diagnostic {
    let span = position_span(script, error.position());
    let cut = tokenize_script(&script.text);
    if let Some((start, foreign)) = super::dialect::find_foreign_syntax(&cut) {
        return foreign.at(token_span(script, start)).trace(script.owner.clone());
    }
    let (message, label) = match error.err_type() {
        ParseErrorType::UnexpectedEOF => ("the script ends too early".to_string(), "a bracket or brace is still open"),
        ParseErrorType::MissingToken(token, why) => (format!("`{token}` is missing {}", lower_first(why)), "expected before this"),
        ParseErrorType::Reserved(word) | ParseErrorType::ForbiddenVariable(word) => {
            (format!("`{}` cannot be used in a script", word), "not available")
        }
        ParseErrorType::ExprExpected(what) if what == "a literal" => {
            ("a case of `switch` is a plain number or text".to_string(), "for words write `if … else if …`")
        }
        ParseErrorType::ExprTooDeep => ("an expression is nested too deep".to_string(), "too deep"),
        ParseErrorType::LiteralTooLarge(what, most) => (format!("{} has more than {most} entries", lower_first(what)), "too large"),
        ParseErrorType::AssignmentToConstant(name) => {
            (format!("`{}` is a word of the rules and cannot be changed", name), "give the variable another name")
        }
        other => (lower_first(&other.to_string()).replace('\'', "`"), "cannot be read"),
    };
    let count = |bracket: &str| cut.iter().filter(|token| token.is_symbol(bracket)).count();
    let open = [("{", "}"), ("(", ")"), ("[", "]")].into_iter().find(|(open, close)| count(open) > count(close));
    let helps = open.map(|(open, close)| format!("a `{open}` is never closed: is a `{close}` missing?")).into_iter().collect();
    ScriptProblem::Unreadable { message, label: label.to_string(), helps }.at(span).trace(script.owner.clone())
}

/// Returns the innermost position in a chain of errors.
pub(super) fn position_of(error: &EvalAltResult) -> Position {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, at) => {
            let inside = position_of(inner);
            if inside.is_none() { *at } else { inside }
        }
        other => other.position(),
    }
}

/// Converts the error of a script that failed at run time to a fault.
pub(super) fn runtime_fault(script: &ScriptText, words: &WordTable, error: &EvalAltResult) -> Fault {
    Fault { owner: script.owner.clone(), span: position_span(script, position_of(error)), ..Fault::new(message_of(words, error)) }
}

fn message_of(words: &WordTable, error: &EvalAltResult) -> String {
    use EvalAltResult::{
        ErrorArithmetic, ErrorArrayBounds, ErrorDataTooLarge, ErrorFor, ErrorFunctionNotFound, ErrorInFunctionCall, ErrorMismatchDataType,
        ErrorRuntime, ErrorStackOverflow, ErrorTooManyOperations, ErrorTooManyVariables, ErrorVariableNotFound,
    };
    match error {
        ErrorTooManyOperations(_) => format!("this script never ends: it was stopped after {MAX_OPERATIONS} operations"),
        ErrorStackOverflow(_) => format!("more than {MAX_CALL_DEPTH} calls within each other"),
        ErrorTooManyVariables(_) => "too many variables at a time".to_string(),
        ErrorDataTooLarge(what, _) => format!(
            "{} grew too large: a text has at most {MAX_STRING_LEN} characters, a list {MAX_LIST_LEN} entries, a map {MAX_MAP_LEN}",
            lower_first(what)
        ),
        ErrorFunctionNotFound(signature, _) => describe_mismatch(signature),
        ErrorVariableNotFound(name, _) => format!("unknown name `{}`", name),
        ErrorMismatchDataType(wanted, found, _) => format!("expected {}, found {}", describe_type(wanted), describe_type(found)),
        ErrorArrayBounds(len, index, _) => format!("a list of {len} has no entry {index}; the first is 0"),
        ErrorFor(_) => "`for` goes through a list, and this is not one".to_string(),
        ErrorArithmetic(what, _) => lower_first(what),
        ErrorRuntime(thrown, _) if thrown.is_unit() => "the script gave up".to_string(),
        ErrorRuntime(thrown, _) => format!("the script gave up: {}", super::api::format_value(words, thrown)),
        ErrorInFunctionCall(_, _, inner, _) => message_of(words, inner),
        other => {
            let text = other.to_string();
            lower_first(text.split(" (line ").next().unwrap_or(&text))
        }
    }
}

/// Describes a call for which no overload exists. rhai's text is like `gain (i64, &str | ImmutableString | String)`.
fn describe_mismatch(signature: &str) -> String {
    let (name, args) = signature.split_once(" (").unwrap_or((signature, ")"));
    let args: Vec<&str> = args.trim_end_matches(')').split(", ").filter(|a| !a.is_empty()).map(describe_type).collect();
    let given = if args.is_empty() { "nothing".to_string() } else { args.join(", ") };
    let way_out = if args.contains(&CHAR_TYPE) { "; text in `'` is a letter: numbers and words are written without quotes" } else { "" };
    format!("`{}` cannot take {given}{way_out}", name)
}

const CHAR_TYPE: &str = "a letter";

fn describe_type(name: &str) -> &str {
    match name {
        "i64" | "INT" => "a number or word",
        "bool" => "yes or no",
        "()" => "nothing",
        "array" => "a list",
        "map" => "a map",
        "char" => CHAR_TYPE,
        _ if name.contains("str") || name.contains("String") => "a text",
        other => other,
    }
}

/// Makes the first letter of a text lower-case and removes the full stop at its end.
fn lower_first(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
