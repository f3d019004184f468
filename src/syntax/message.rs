//! Messages for text that cannot be parsed: the place where the construct could not continue, what was expected there, and the forms of the
//! construct. All of it is derived from the grammar.
//!
//! Messages: `R001` superfluous text, `R002` something else was expected, `R012` unknown beginning.

mod slips;

use std::collections::BTreeSet;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use super::grammar::{Grammar, Rule};
use super::problem::SyntaxProblem;
use super::reference::reference;
use super::scan::{Scanned, is_letter};
use crate::diagnostic::{Diagnostic, Fix, FixEdit, nearest};
use crate::source::Span;

/// For each rule that is parsed alone: a noun for it, and a phrase for its context.
const CONTEXTS: [(Rule, &str, &str); 20] = [
    (Rule::one_line, "declaration", "outside of all blocks"),
    (Rule::one_variant_line, "declaration or change", "in a variant"),
    (Rule::one_member, "part of `table`, `player` or `card`", "in `table`, `player` or `card`"),
    (Rule::one_field_line, "field", "in a kind"),
    (Rule::one_sort, "sort of token", "in `tokens`"),
    (Rule::one_action_part, "part of an action", "in an action"),
    (Rule::one_check, "check", "in `always`"),
    (Rule::one_check_line, "check of the state", "in a check"),
    (Rule::one_board_part, "space, counter or field", "in a board"),
    (Rule::one_space_value, "value of a field", "behind a space"),
    (Rule::one_track_step, "step of a track", "in `track`"),
    (Rule::one_score_row, "row of the score", "in `score`"),
    (Rule::one_statement, "statement", "in `step`, `does`, `effect` and other blocks where something is done"),
    (Rule::one_phase_part, "part of a phase", "in a phase or `setup`"),
    (Rule::one_choice, "answer", "in a question"),
    (Rule::one_entry, "entry", "in a table of values"),
    (Rule::one_given_line, "line about a position", "in `given`"),
    (Rule::one_when_line, "line that does something", "in `when`"),
    (Rule::one_then_line, "line that must hold", "in `then`"),
    (Rule::one_addition, "part of the rules", "in `extend`"),
];
/// Statements of other programming languages, with what this language has instead.
const FOREIGN_STATEMENTS: [(&str, &str); 8] = [
    ("elif", "write `else if … { … }`"),
    ("elseif", "write `else if … { … }`"),
    ("elsif", "write `else if … { … }`"),
    ("while", "write `repeat until VALUE { … }`, where the value says when it ends"),
    ("unless", "write `if not (…) { … }`"),
    ("switch", "write `if … { … } else if … { … }`"),
    ("foreach", "write `each NAME in CARDS { … }` for cards, `each player { … }` for players"),
    ("return", "a block goes to its end: put what is left out then into `if … { … }`"),
];

fn foreign_statement(word: &str) -> Option<&'static str> {
    FOREIGN_STATEMENTS.iter().find(|(known, _)| *known == word).map(|(_, way_out)| *way_out)
}

/// Contexts in which statements are written.
const STATEMENT_CONTEXTS: [Rule; 3] = [Rule::one_statement, Rule::one_addition, Rule::one_phase_part];
/// Lines of scenarios, in which nothing gets a name.
const SCENARIO_CONTEXTS: [Rule; 3] = [Rule::one_given_line, Rule::one_when_line, Rule::one_then_line];
/// Keywords that join the text on both sides.
const JOINING_KEYWORDS: [&str; 13] = ["and", "or", "is", "in", "where", "then", "else", "if", "for", "to", "from", "by", "of"];
/// For each sort of scenario line, the keywords that are not at its beginning.
const INNER_KEYWORDS: [(Rule, &[&str]); 2] = [
    (Rule::one_given_line, &["has", "in", "row", "column", "with", "roll", "draw", "from"]),
    (Rule::one_then_line, &["gained", "lost", "can", "cannot", "because", "is", "has", "offered", "removed", "over"]),
];
/// How many forms of a construct a message shows.
const MAX_FORMS: usize = 3;
/// How many expected things a message names.
const MAX_EXPECTED: usize = 5;

/// Explains why the text from `start` to `end` cannot be parsed as `alone`.
pub(super) fn explain_parse_error(scanned: &Scanned<'_>, alone: Rule, start: usize, end: usize) -> Diagnostic {
    let text = scanned.text.get(start..end).unwrap_or("");
    let head = without_blocks(text);
    let nothing = || Diagnostic::error("R002", scanned.span(start, end), "this cannot be read").label("here");
    let Err(error) = Grammar::parse(alone, &head) else { return nothing() };
    let (ErrorVariant::ParsingError { positives, .. }, InputLocation::Pos(at) | InputLocation::Span((at, _))) =
        (error.variant, error.location)
    else {
        return nothing();
    };
    let first = word_at(&head, head.len() - head.trim_start().len());
    if let Some(diagnostic) = set_by_name(scanned, alone, &head, first, start) {
        return diagnostic;
    }
    if let Some(diagnostic) = unknown_beginning(scanned, alone, &head, first, start, at) {
        return diagnostic;
    }
    if let Some((from, to, meant)) = misspelt_keyword(alone, &head) {
        let place = scanned.span(start + from, start + to);
        let found = head.get(from..to).unwrap_or("");
        return Diagnostic::error("R001", place, format!("`{found}` does not belong here")).label("unknown").meant(Some(meant));
    }
    let whole = || match matching_forms(alone, &head, first) {
        forms if forms.is_empty() => Vec::new(),
        forms => vec![format!("it is written `{}`", forms.join("` or `"))],
    };
    let (from, to) = token_at(&head, at);
    // The form of the whole construct does not explain an error in the middle of a value.
    let helps = |expected: &str| match joiner_before(&head, from) {
        Some(joiner) if expected.starts_with("a value") => {
            vec![format!("a value must follow `{joiner}`: a number, a name, or more in brackets")]
        }
        _ => whole(),
    };
    if positives.contains(&Rule::EOI) && from < to {
        let place = scanned.span(start + from, start + to);
        if head.get(from..to) == Some("=") {
            return SyntaxProblem::SetsAValue.at(place);
        }
        let slip = || slips::common_slip(alone, &head, (from, to), "");
        return superfluous(alone, &head, (from, to), place, || slip().map_or_else(|| helps(""), |slip| vec![slip]));
    }
    let compared = head.get(from..).is_some_and(|rest| rest.starts_with("==")).then(|| scanned.span(start + from, start + from + 2));
    if let Some(place) = compared.filter(|_| STATEMENT_CONTEXTS.contains(&alone)) {
        let counter = head.get(..from).unwrap_or("").trim();
        let value = head.get(from + 2..).unwrap_or("").trim();
        let diagnostic = Diagnostic::error("R002", place, "`==` compares, and a statement does something").label("not this");
        return diagnostic.help(format!("write `{counter} = {value}` to set it, or `if {counter} == {value} {{ … }}`"));
    }
    if let Some(place) = compared.filter(|_| alone == Rule::one_given_line) {
        let diagnostic = Diagnostic::error("R002", place, "`==` compares, and `given` sets what is so at the beginning").label("not this");
        return diagnostic.help("write `=`").fix(Fix::place("="));
    }
    if let Some((number, length)) = number_with_comma(&head, from) {
        let place = scanned.span(start + number, start + number + length);
        let found = head.get(number..number + length).unwrap_or("");
        let diagnostic = Diagnostic::error("R002", place, format!("`{found}` is no whole number")).label("numbers have no decimals");
        return diagnostic.help("numbers are whole; only `worth` knows decimals, with a point");
    }
    // In a phrase of several keywords the first can be right.
    let begun = phrase_starting_with(alone, first).filter(|_| head.get(..from).unwrap_or("").trim().is_empty());
    let expected = begun.unwrap_or_else(|| expected(&without_what_follows_a_name(alone, positives, &head, first, from)));
    let to = words_like(&head, from, to, &expected);
    let place = scanned.span(start + from, start + to);
    if from < to {
        let found = head.get(from..to).unwrap_or("");
        let declares = expected.contains("a name") && !SCENARIO_CONTEXTS.contains(&alone) || alone == Rule::one_field_line;
        if declares && Grammar::parse(Rule::reserved, found).is_ok() {
            return SyntaxProblem::Reserved { word: found.to_string() }.at(place);
        }
        let slip = slips::common_slip(alone, &head, (from, to), &expected);
        let helps = slip.map_or_else(|| helps(&expected), |slip| vec![slip]);
        return SyntaxProblem::Expected { helps, what: expected, found: found.to_string() }.at(place);
    }
    let last = text.trim_end().len();
    let last_start = text.get(..last).and_then(|text| text.char_indices().next_back()).map_or(0, |(place, _)| place);
    SyntaxProblem::Missing { helps: helps(&expected), what: expected }.at(scanned.span(start + last_start, start + last))
}

/// Removes from the expected rules those that only follow a name at the beginning: after a verb such as `draw`, the sign of `draw = 1` is
/// not expected.
fn without_what_follows_a_name(alone: Rule, mut expected: Vec<Rule>, head: &str, first: &str, at: usize) -> Vec<Rule> {
    let is_next = head.trim_start().get(first.len()..).is_some_and(|rest| head.len() - rest.trim_start().len() == at);
    if is_next
        && reference().first_words(&format!("{alone:?}")).contains(first)
        && let Err(error) = Grammar::parse(alone, "x")
        && let ErrorVariant::ParsingError { positives, .. } = error.variant
        && expected.iter().any(|rule| !positives.contains(rule))
    {
        expected.retain(|rule| !positives.contains(rule));
    }
    expected
}

/// Finds a number with a decimal comma, such as `1,5`, around a comma: its start and its length.
fn number_with_comma(head: &str, comma: usize) -> Option<(usize, usize)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = digits(head.get(comma..)?.strip_prefix(',')?);
    let before = head.get(..comma)?.bytes().rev().take_while(u8::is_ascii_digit).count();
    (before > 0 && behind > 0).then_some((comma - before, before + 1 + behind))
}

/// Returns the operator, comma or keyword directly before a place, if there is one.
fn joiner_before(head: &str, at: usize) -> Option<&str> {
    let before = head.get(..at)?.trim_end();
    let word = before.rfind(|character| !is_letter(character)).map_or(0, |sign| sign + 1);
    let token = match before.get(word..)? {
        "" => before.get(before.rfind(|character: char| character == ' ' || is_letter(character)).map_or(0, |blank| blank + 1)..)?,
        word => word,
    };
    let signs = ["+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=", ",", "("];
    (signs.contains(&token) || ["and", "or", "not", "is", "if", "then", "else", "where"].contains(&token)).then_some(token)
}

/// Finds a misspelt keyword in a line of `then`: returns its start, its end, and the keyword that was meant.
pub fn misspelt_keyword_in_claim(line: &str) -> Option<(usize, usize, &'static str)> {
    misspelt_keyword(Rule::one_then_line, line)
}

/// Finds a misspelt keyword in a scenario line: returns its start, its end, and the keyword that was meant.
fn misspelt_keyword(alone: Rule, head: &str) -> Option<(usize, usize, &'static str)> {
    let (_, known) = INNER_KEYWORDS.into_iter().find(|line| line.0 == alone)?;
    let mut from = token_at(head, 0).1;
    loop {
        let (start, end) = token_at(head, from);
        let word = head.get(start..end).filter(|word| !word.is_empty())?;
        let near = nearest(word, known.iter().copied()).filter(|near| is_alike(word, near) && !known.contains(&word));
        if let Some(near) = near {
            return Some((start, end, known.iter().copied().find(|one| *one == near)?));
        }
        from = end;
    }
}

/// Whether a word may be meant where another is written. Short words are similar to many others: such must consist of the same letters.
fn is_alike(word: &str, near: &str) -> bool {
    let letters = |word: &str| word.chars().collect::<BTreeSet<char>>();
    word.len() > 3 || letters(word) == letters(near)
}

/// Explains superfluous text after a complete statement or value, with a suggestion, or else other helps.
fn superfluous(alone: Rule, head: &str, (from, to): (usize, usize), place: Span, helps: impl FnOnce() -> Vec<String>) -> Diagnostic {
    let found = head.get(from..to).unwrap_or("");
    let behind = head.get(to..).unwrap_or("").trim_start();
    let first = word_at(head, from);
    let told = |message: String, label: &str| Diagnostic::error("R001", place, message).label(label);
    let not_here = |label: &str| told(format!("`{found}` does not belong here"), label);
    let known = |rule: Rule| reference().first_words(&format!("{rule:?}")).contains(first);
    let writes = ["=", "+=", "-="].iter().any(|sign| behind.starts_with(sign) && !behind.starts_with("=="));
    let changed = head.trim_start().strip_prefix("change ").and_then(|rest| rest.split_once(" to "));
    if let Some((name, value)) = changed
        && matches!(found, "of" | "|")
    {
        let help = format!("what an option can be is written as a whole: `replace {name} = {}, default …`", value.trim());
        return not_here("it is complete before this").help(help);
    }
    let of_card = matches!(alone, Rule::card_expr | Rule::card_ask | Rule::card_costs);
    if found == ";" && of_card {
        let message = "a condition or price is a single one".to_string();
        return told(message, "only one thing stands here").help("join conditions by `and`, and prices by commas");
    }
    if !of_card
        && !first.is_empty()
        && CONTEXTS.iter().any(|context| context.0 == alone)
        && (known(alone) || STATEMENT_CONTEXTS.contains(&alone) && writes)
    {
        let diagnostic = told("the line before this has no end".to_string(), "something new begins here");
        let fix = Fix::new(format!("write `;` before `{first}`"), FixEdit::Ahead("; ".to_string()));
        return diagnostic.help(format!("write `;` before `{first}`, or put it on a line of its own")).fix(fix);
    }
    let near = nearest(first, JOINING_KEYWORDS).filter(|_| !JOINING_KEYWORDS.contains(&first)).filter(|near| is_alike(first, near));
    if let Some(near) = near {
        return not_here("it could end before this").help(format!("did you mean `{near}`?")).fix(Fix::word(first, near));
    }
    if let Some(way_out) = foreign_statement(found).filter(|_| STATEMENT_CONTEXTS.contains(&alone)) {
        return not_here("unknown verb").help(way_out);
    }
    let diagnostic = not_here("it is complete before this");
    if of_card { diagnostic.help("take it away, or join it by `and`, `or` or an operator") } else { diagnostic.helps(helps()) }
}

/// Returns the text without the content of its blocks, in which errors have been reported already.
fn without_blocks(text: &str) -> String {
    let (mut bytes, mut depth, mut quoted) = (text.as_bytes().to_vec(), 0_usize, false);
    for byte in &mut bytes {
        match *byte {
            b'"' => quoted = !quoted,
            b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        let inside = depth > 0;
        if *byte == b'{' && !quoted {
            depth += 1;
        }
        if inside {
            *byte = b' ';
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns the word that begins at an offset.
fn word_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    rest.split(|character| !is_letter(character)).next().unwrap_or("")
}

/// Returns the range of the word or sign at an offset, skipping blanks.
fn token_at(text: &str, at: usize) -> (usize, usize) {
    let rest = text.get(at..).unwrap_or("");
    let from = at + rest.len() - rest.trim_start().len();
    let rest = text.get(from..).unwrap_or("");
    let word = rest.find(|character| !is_letter(character) && character != '.').unwrap_or(rest.len());
    match rest.chars().next() {
        None => (from, from),
        Some('"') => (from, from + rest.get(1..).and_then(|more| more.find('"')).map_or(rest.len(), |end| end + 2)),
        Some(sign) if word == 0 => (from, from + sign.len_utf8()),
        Some(_) => (from, from + word),
    }
}

/// Returns the phrase of keywords that begins with `first`, such as `wins highest score`.
fn phrase_starting_with(alone: Rule, first: &str) -> Option<String> {
    let alternatives = reference().alternatives(&format!("{alone:?}"));
    let begins = alternatives.iter().flat_map(|rule| reference().first_rules(rule)).map(|rule| reference().noun_of(&rule));
    begins.into_iter().find(|words| words.starts_with(&format!("`{first} ")))
}

/// Returns the end of a misspelt phrase that is similar to the expected one: `ties at the egde` for `ties at the edge`.
fn words_like(text: &str, from: usize, to: usize, expected: &str) -> usize {
    let found = text.get(from..to).unwrap_or("");
    let wanted = expected.split('`').find(|wanted| !found.is_empty() && wanted.split(' ').next() == Some(found)).unwrap_or("");
    (1..wanted.split(' ').count()).fold(to, |to, _| token_at(text, to).1)
}

/// Explains an assignment where declarations are expected, such as `bonus = 5`: suggests `change` for an existing value, and a declaration
/// otherwise.
fn set_by_name(scanned: &Scanned<'_>, alone: Rule, head: &str, first: &str, start: usize) -> Option<Diagnostic> {
    let begin = head.len() - head.trim_start().len();
    let (name, value) = head.get(begin..)?.split_once('=').map(|(name, value)| (name.trim(), value.trim()))?;
    let is_name = !first.is_empty() && name.chars().all(|letter| is_letter(letter) || letter == '.');
    let declares = [Rule::one_line, Rule::one_variant_line].contains(&alone) && !value.starts_with('=');
    if !is_name || !declares || reference().first_words(&format!("{alone:?}")).contains(first) {
        return None;
    }
    let place = scanned.span(start + begin, start + begin + name.len());
    let value = if value.is_empty() { "…" } else { value };
    let helps = vec![format!("write `change {name} to {value}`, or `constant {name} = {value}` if it is new")];
    Some(
        SyntaxProblem::BeginsNothing { noun: "declaration".to_string(), word: name.to_string(), is_verb: false, helps }
            .at(place)
            .label("a name"),
    )
}

/// Explains a first word with which nothing can begin in this context.
fn unknown_beginning(scanned: &Scanned<'_>, alone: Rule, head: &str, first: &str, start: usize, at: usize) -> Option<Diagnostic> {
    let (_, noun, _) = CONTEXTS.iter().find(|context| context.0 == alone)?;
    let known = reference().first_words(&format!("{alone:?}"));
    let begin = head.len() - head.trim_start().len();
    let behind = head.get(begin + first.len()..).unwrap_or("").trim_start();
    // If the line can begin with a name, the error is after it.
    let writes = ["=", "+=", "-="].iter().any(|sign| behind.starts_with(sign)) || behind.starts_with([':', '[', '.']);
    let firsts = reference().first_rules(&format!("{alone:?}"));
    let does = known.contains("gain");
    let named = firsts.contains("name") && !does || firsts.contains("entry_key");
    let later = head.get(begin + first.len()..at).is_some_and(|between| !between.trim().is_empty());
    let player = firsts.contains("seat") && crate::seat_number(first).is_some();
    let near = nearest(first, known.iter().map(String::as_str));
    // A misspelt verb may be followed by text that continues another construct.
    let later = later && !(does && near.is_some());
    if first.is_empty() || known.contains(first) || writes || later || player {
        return None;
    }
    let span = scanned.span(start + begin, start + begin + first.len());
    let (noun, word, is_verb) = (noun.to_string(), first.to_string(), alone == Rule::one_statement);
    let mut diagnostic = SyntaxProblem::BeginsNothing { noun, word, is_verb, helps: Vec::new() }.at(span);
    let mut elsewhere = CONTEXTS.iter().filter(|context| context.0 != Rule::one_addition && context.0 != alone);
    if let Some((_, _, place)) = elsewhere.find(|context| reference().first_words(&format!("{:?}", context.0)).contains(first)) {
        return Some(diagnostic.help(format!("`{first}` stands {place}")));
    }
    if near.is_some() {
        return Some(diagnostic.meant(near));
    }
    if let Some(way_out) = foreign_statement(first).filter(|_| does) {
        return Some(diagnostic.help(way_out));
    }
    if named {
        return None;
    }
    if firsts.contains("quoted") {
        diagnostic = diagnostic.help(format!("put it into quotes: `\"{first}\"`"));
    }
    if does && (behind.is_empty() || behind.starts_with('(')) {
        diagnostic = diagnostic.help(format!("write `do {first}` if it is an effect of the rules"));
    }
    if known.len() > 1 && known.len() <= 14 {
        let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        diagnostic = diagnostic.help(format!("what can stand here begins with {}", known.join(", ")));
    }
    Some(diagnostic)
}

/// Returns the forms of those constructs with this beginning that match the text furthest.
fn matching_forms(alone: Rule, head: &str, first: &str) -> Vec<String> {
    let mut alternatives = reference().alternatives(&format!("{alone:?}"));
    if alternatives.is_empty() && alone != Rule::card_expr {
        alternatives.push(format!("{alone:?}"));
    }
    let begins = |rule: &String| reference().first_words(rule).contains(first);
    let begun = alternatives.iter().any(begins);
    let any_name = ["name", "seat"];
    let named = |rule: &String| any_name.iter().any(|name| reference().first_rules(rule).contains(*name)) || alternatives.len() == 1;
    let fits = |rule: &&String| if begun { begins(rule) } else { named(rule) };
    let mut best: (usize, Vec<String>) = (0, Vec::new());
    for name in alternatives.iter().filter(fits) {
        let Some(rule) = reference().rule(name) else { continue };
        let reached = match Grammar::parse(rule, head.trim_start()) {
            Ok(mut nodes) => nodes.next().map_or(0, |node| node.as_span().end()),
            Err(error) => match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            },
        };
        if reached > best.0 {
            best = (reached, Vec::new());
        }
        if reached == best.0 {
            best.1.push(reference().form_of(name));
        }
    }
    best.1.truncate(MAX_FORMS);
    best.1
}

/// Lists what the grammar expected, in words for a message.
fn expected(positives: &[Rule]) -> String {
    let name = |rule: &Rule| format!("{rule:?}");
    let mut rules: BTreeSet<String> = positives.iter().map(name).collect();
    // A value can begin and continue in many ways, which are not listed.
    let values = reference().first_rules("expr");
    let value = rules.contains("LEFT") && rules.contains("name") || rules.contains("expr");
    // Placements belong to the addition of `add`.
    rules.remove("at");
    if value {
        rules.retain(|rule| !values.contains(rule));
    }
    let goes_on: BTreeSet<String> =
        ["infix", "postfix", "plain", "arithmetic"].iter().flat_map(|rule| reference().first_rules(rule)).collect();
    if rules.iter().any(|rule| !goes_on.contains(rule)) || value {
        rules.retain(|rule| !goes_on.contains(rule));
    }
    let mut said: Vec<String> = if value { vec!["a value".into()] } else { Vec::new() };
    // In the order in which the grammar tried them.
    for rule in positives.iter().map(name).filter(|rule| rules.contains(rule)) {
        let words = reference().noun_of(&rule);
        if !said.contains(&words) {
            said.push(words);
        }
    }
    if said.len() > MAX_EXPECTED {
        said.truncate(MAX_EXPECTED);
        return format!("{} or the like", said.join(", "));
    }
    match said.split_last() {
        None => "something else".into(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
    }
}
