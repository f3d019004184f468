//! Grammars by regular expressions, as TextMate reads them: VS Code, Sublime Text, and pages that show code.
//!
//! Such a grammar sees one line at a time. So a word counts as the first word of a construct where a line, a block or a statement begins,
//! and what is declared has its name behind such a word.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::NOTICE;
use super::forms::{Forms, Piece};

/// What a name is made of.
const NAME: &str = r"[\p{L}_][\p{L}\p{N}_]*(?:[-.#][\p{L}\p{N}_]+)*";
/// Where a construct begins.
const BEGIN: &str = r"(?:^|(?<=[;{}])|(?<=\badd[ \t]))[ \t]*";
/// What else counts as a value than numbers.
const TRUTHS: [&str; 3] = ["yes", "no", "nothing"];
/// Words that join conditions.
const LOGIC: [&str; 5] = ["and", "or", "not", "is", "in"];

/// The keys of TOML whose texts are rules, with which grammar they are read.
const RULES_KEYS: [&str; 11] = ["if", "ask", "cost", "leaves_when", "needs", "where", "to", "by", "at_least", "at_most", "with"];
const SCENARIO_KEYS: [&str; 3] = ["given", "when", "then"];
const SCRIPT_KEYS: [&str; 1] = ["do"];

/// The grammars for TextMate, as JSON.
#[derive(Debug)]
pub struct TextMateFiles {
    /// Files of rules.
    pub rules: String,
    /// The lines of scenarios, within TOML.
    pub scenario: String,
    /// Scripts of cards, within TOML.
    pub script: String,
    /// Where in TOML the three stand.
    pub toml: String,
}

/// Makes a pattern of some words, the longest first, with any blanks between the words of one.
fn any_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.dedup();
    format!("(?:{})", words.iter().map(|word| word.replace(' ', "[ \\t]+")).collect::<Vec<_>>().join("|"))
}

/// Makes a pattern that matches whole words only, and no part of a name with dots.
fn whole(pattern: &str) -> String {
    format!(r"(?<![\p{{L}}\p{{N}}_.]){pattern}(?![\p{{L}}\p{{N}}_]|\.[\p{{L}}\p{{N}}_])")
}

fn texts_and_numbers(language: &str) -> Vec<Value> {
    vec![
        json!({ "name": format!("comment.line.double-slash.{language}"), "match": "//.*$" }),
        json!({ "name": format!("string.quoted.double.{language}"), "begin": "\"", "end": "\"|$", "patterns": [
            { "name": format!("constant.character.escape.{language}"), "match": r#"\\""# },
            { "name": format!("constant.other.placeholder.{language}"), "match": r"\{[\p{L}_][\p{L}\p{N}_]*\}" },
        ] }),
        json!({ "name": format!("constant.numeric.{language}"), "match": r"(?<![\p{L}\p{N}_.])[0-9]+(?:\.[0-9]+)?(?![\p{L}_])" }),
    ]
}

fn words_and_signs(words: &BTreeSet<String>, language: &str) -> Vec<Value> {
    let kept = words.iter().map(String::as_str).filter(|word| !TRUTHS.contains(word) && !LOGIC.contains(word));
    vec![
        json!({ "name": format!("keyword.other.{language}"), "match": whole(&any_of(kept)) }),
        json!({ "name": format!("keyword.operator.logical.{language}"), "match": whole(&any_of(LOGIC)) }),
        json!({ "name": format!("constant.language.{language}"), "match": whole(&any_of(TRUTHS)) }),
        json!({ "name": format!("variable.language.{language}"), "match": whole("(?:me|left|right|partner|nobody)") }),
        json!({ "match": format!(r"({NAME})(\()"), "captures": {
            "1": { "name": format!("entity.name.function.call.{language}") }, "2": { "name": format!("punctuation.section.group.{language}") },
        } }),
        json!({ "name": format!("variable.other.{language}"), "match": NAME }),
        json!({ "name": format!("keyword.operator.{language}"), "match": r"\+=|-=|==|!=|<=|>=|[-+*/<>=|]" }),
        json!({ "name": format!("punctuation.separator.{language}"), "match": "[,:;]" }),
    ]
}

fn page(scope: &str, name: &str, patterns: Vec<Value>) -> Value {
    json!({ "comment": NOTICE, "scopeName": scope, "name": name, "patterns": patterns })
}

fn written(grammar: &Value) -> String {
    serde_json::to_string_pretty(grammar).map_or_else(|_| String::new(), |text| text + "\n")
}

/// Makes the grammars for TextMate from those of rules and scenarios.
pub fn text_mate_files() -> TextMateFiles {
    let forms = Forms::of_rules();
    let (mut declares, mut functions, mut begins) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut words = forms.row_words.clone();
    for form in forms.blocks.values().flatten() {
        let leads: Vec<String> = form.lead.iter().map(|lead| lead.join(" ")).collect();
        match form.name {
            Some(true) => functions.extend(leads),
            Some(false) => declares.extend(leads),
            None => begins.extend(leads),
        }
        for piece in &form.pieces {
            match piece {
                Piece::Word(word) => _ = words.insert(word.clone()),
                Piece::Row { .. } | Piece::Sign { .. } | Piece::Block { .. } | Piece::Tail(_) | Piece::Line(_) => {}
            }
        }
    }
    let all: BTreeSet<&str> = declares.iter().chain(&functions).chain(&begins).map(String::as_str).collect();
    let declaration = |words: &BTreeSet<String>, scope: &str| {
        json!({ "match": format!("{BEGIN}({}){}({NAME})", any_of(words.iter().map(String::as_str)), "[ \\t]+"), "captures": {
            "1": { "name": "keyword.declaration.houserule" }, "2": { "name": scope },
        } })
    };
    let mut patterns = texts_and_numbers("houserule");
    patterns.push(declaration(&functions, "entity.name.function.houserule"));
    patterns.push(declaration(&declares, "entity.name.type.houserule"));
    let begin = format!(r"{BEGIN}({})(?![\p{{L}}\p{{N}}_.]|[ \t]*(?:[-+]?=(?!=)))", any_of(all));
    patterns.push(json!({ "match": begin, "captures": { "1": { "name": "keyword.control.houserule" } } }));
    // `worth` is what an assignment looks like.
    patterns
        .push(json!({ "match": format!("{BEGIN}(worth)(?=[ \\t]*=)"), "captures": { "1": { "name": "keyword.declaration.houserule" } } }));
    patterns.extend(words_and_signs(&words, "houserule"));

    let lines = ["given_lines", "when_lines", "then_lines"].iter().flat_map(|rule| forms.words_of(rule)).collect();
    let mut scenario = texts_and_numbers("houserule.scenario");
    scenario.push(json!({ "match": r"(?<![\p{L}\p{N}_.])(p[0-9]+)(?![\p{L}_])", "name": "variable.language.seat.houserule.scenario" }));
    scenario.extend(words_and_signs(&lines, "houserule.scenario"));

    let script_words =
        ["if", "else", "for", "in", "while", "loop", "do", "until", "let", "const", "return", "switch", "break", "continue", "fn"];
    let script = vec![
        json!({ "name": "comment.block.houserule.script", "begin": r"/\*", "end": r"\*/" }),
        json!({ "name": "comment.line.double-slash.houserule.script", "match": "//.*$" }),
        json!({ "name": "string.quoted.double.houserule.script", "begin": "\"", "end": "\"|$", "patterns": [
            { "name": "constant.character.escape.houserule.script", "match": r"\\." },
        ] }),
        json!({ "name": "constant.numeric.houserule.script", "match": r"(?<![\p{L}\p{N}_])[0-9][0-9_]*" }),
        json!({ "name": "keyword.control.houserule.script", "match": format!(r"\b{}\b", any_of(script_words)) }),
        json!({ "name": "constant.language.houserule.script", "match": r"\b(?:true|false|yes|no)\b" }),
        json!({ "name": "variable.language.houserule.script", "match": r"\b(?:me|own|card|answer)\b" }),
        json!({ "match": r"([\p{L}_][\p{L}\p{N}_]*)(?=\()", "name": "entity.name.function.call.houserule.script" }),
        json!({ "name": "variable.other.houserule.script", "match": r"[\p{L}_][\p{L}\p{N}_]*" }),
        json!({ "name": "keyword.operator.houserule.script", "match": r"[-+*/%]=?|==|!=|<=|>=|&&|\|\||[<>!=]" }),
    ];
    let mut embedded = Vec::new();
    for (keys, scope) in [
        (&SCRIPT_KEYS[..], "source.houserule.script"),
        (&RULES_KEYS[..], "source.houserule"),
        (&SCENARIO_KEYS[..], "source.houserule.scenario"),
    ] {
        embedded.extend(texts_of(keys, scope));
    }
    let mut toml = page("houserule.toml.injection", "houserule in TOML", embedded);
    if let Some(toml) = toml.as_object_mut() {
        toml.insert("injectionSelector".into(), json!("L:source.toml -comment -string"));
    }
    TextMateFiles {
        rules: written(&page("source.houserule", "houserule", patterns)),
        scenario: written(&page("source.houserule.scenario", "houserule scenario", scenario)),
        script: written(&page("source.houserule.script", "houserule script", script)),
        toml: written(&toml),
    }
}

/// The texts of some keys, which another grammar reads.
fn texts_of(keys: &[&str], scope: &str) -> Vec<Value> {
    let mut texts = Vec::new();
    let text = |begin: String, captures: Value, quote: &str| {
        let (end, escapes) = match quote {
            "\"" => ("\"|$".to_string(), vec![json!({ "name": "constant.character.escape.toml", "match": r"\\." })]),
            "'" => ("'|$".to_string(), vec![]),
            quote => (quote.to_string(), vec![]),
        };
        let sort = if quote.starts_with('"') { "double" } else { "single" };
        let punctuation = json!({ "0": { "name": format!("string.quoted.{sort}.toml punctuation.definition.string.end.toml") } });
        let patterns: Vec<Value> = escapes.into_iter().chain([json!({ "include": scope })]).collect();
        json!({
            "begin": begin, "beginCaptures": captures, "end": end, "endCaptures": punctuation,
            "contentName": format!("meta.embedded.block.{}", scope.trim_start_matches("source.")), "patterns": patterns,
        })
    };
    let key = format!(r"(?<![\p{{L}}\p{{N}}_-])({})[ \t]*(=)[ \t]*", any_of(keys.iter().copied()));
    let quotes = ["'''", "\"\"\"", "'", "\""];
    let quote_scope = |quote: &str| {
        let sort = if quote.starts_with('"') { "double" } else { "single" };
        format!("string.quoted.{sort}.toml punctuation.definition.string.begin.toml")
    };
    let named = json!({ "name": "support.type.property-name.toml" });
    for quote in quotes {
        let captures = json!({ "1": named, "2": { "name": "punctuation.eq.toml" }, "3": { "name": quote_scope(quote) } });
        texts.push(text(format!("{key}({quote})"), captures, quote));
    }
    let inside: Vec<Value> =
        quotes.iter().map(|quote| text((*quote).to_string(), json!({ "0": { "name": quote_scope(quote) } }), quote)).collect();
    let inside: Vec<Value> = std::iter::once(json!({ "name": "comment.line.number-sign.toml", "match": "#.*$" })).chain(inside).collect();
    texts.push(json!({
        "begin": format!(r"{key}(\[)"), "beginCaptures": { "1": named, "2": { "name": "punctuation.eq.toml" } }, "end": r"\]", "patterns": inside,
    }));
    texts
}
