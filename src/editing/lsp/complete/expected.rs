//! What can stand at a place of a text by the grammar, for editors that complete what is typed.

use std::collections::BTreeSet;

use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

use crate::syntax::grammar::{Grammar, Rule};
use crate::syntax::reference::reference;
use crate::syntax::words::TextSort;

/// How many words of a phrase may have been typed: `ties at the edge` is completed from `ties at the`.
const MAX_TYPED_WORDS: usize = 4;

/// What can stand at a place of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Keywords and phrases of keywords that can stand here.
    pub phrases: BTreeSet<String>,
    /// The rules of the grammar that can begin here, by their names, such as `name`, `resource` or `expr`.
    pub parts: BTreeSet<String>,
}

impl Expected {
    /// Whether a rule of the grammar can begin here.
    pub fn has_part(&self, rule: &str) -> bool {
        self.parts.contains(rule)
    }
}

/// Returns what can stand behind `before`, the text ahead of the word that is being typed. `None` if that is inside of a comment or a text
/// in quotes, or if what stands ahead on the line cannot be read.
pub fn expected_behind(before: &str, sort: TextSort) -> Option<Expected> {
    let (rule, head) = head_of(before, sort)?;
    let mut found = expected_at_end(rule, &head).unwrap_or_default();
    let (open, stop) = head.strip_suffix('}').map_or((&*head, ""), |open| (open, "}"));
    let words: Vec<&str> =
        open.split_whitespace().rev().take_while(|word| word.chars().all(char::is_alphabetic)).take(MAX_TYPED_WORDS).collect();
    if open.ends_with(char::is_whitespace) {
        for count in 1..=words.len() {
            let typed: Vec<&str> = words.iter().take(count).rev().copied().collect();
            let typed = typed.join(" ");
            let Some(ahead) = without_last_words(open, count).and_then(|shorter| expected_at_end(rule, &format!("{shorter}{stop}"))) else {
                continue;
            };
            let rest = |phrase: &String| phrase.strip_prefix(&typed)?.strip_prefix(' ').map(str::to_string);
            found.phrases.extend(ahead.phrases.iter().filter_map(rest));
        }
    }
    (!found.parts.is_empty() || !found.phrases.is_empty()).then_some(found)
}

/// Returns a text without its last words.
fn without_last_words(text: &str, count: usize) -> Option<&str> {
    let mut rest = text;
    for _ in 0..count {
        let trimmed = rest.trim_end();
        let start = trimmed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        rest = trimmed.get(..start)?;
    }
    Some(rest)
}

/// Returns the part of a text that matters for its end: in rules the statement or declaration that the end belongs to, behind the heads of
/// the blocks around it, and in lines the last one. `None` in a comment or in quotes.
fn head_of(before: &str, sort: TextSort) -> Option<(Rule, String)> {
    let rule = match sort {
        TextSort::Rules => Rule::one_line,
        TextSort::Expression => Rule::card_expr,
        TextSort::Ask => Rule::card_ask,
        TextSort::Costs => Rule::card_costs,
        TextSort::Given => Rule::one_given_line,
        TextSort::When => Rule::one_when_line,
        TextSort::Then => Rule::one_then_line,
    };
    let is_file = sort == TextSort::Rules;
    let ends_at_line = is_file || matches!(sort, TextSort::Given | TextSort::When | TextSort::Then);
    let mut levels = vec![Level { opened: 0, start: 0, open: '{' }];
    let (mut quoted, mut comment, mut escaped) = (false, false, false);
    for (at, letter) in before.char_indices() {
        let rest = before.get(at + letter.len_utf8()..).unwrap_or("");
        if letter == '\n' {
            (quoted, comment) = (false, false);
            // A line at the left edge closes what was left open.
            if is_file && rest.starts_with(char::is_alphabetic) {
                levels.truncate(1);
            }
        }
        match letter {
            _ if comment => {}
            '"' if !escaped => quoted = !quoted,
            _ if quoted => {}
            '/' if rest.starts_with('/') => comment = true,
            '#' if !is_file && !rest.starts_with(|next: char| next.is_ascii_digit()) => comment = true,
            '{' | '(' | '[' => levels.push(Level { opened: at + 1, start: at + 1, open: letter }),
            '}' | ')' | ']' if levels.len() > 1 => _ = levels.pop(),
            '\n' | ';' if ends_at_line && !(letter == '\n' && goes_on(before.get(..at).unwrap_or(""), rest)) => {
                if let Some(level) = levels.last_mut().filter(|level| level.open == '{') {
                    level.start = at + 1;
                }
            }
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
    }
    if quoted || comment {
        return None;
    }
    // Within each block only the statement or the like counts that stands last in it, as the sort of text that the block is made of.
    let (mut rule, mut head, mut is_open) = (rule, String::new(), false);
    for (index, level) in levels.iter().enumerate() {
        let inner = levels.get(index + 1);
        let part = before.get(level.start..inner.map_or(before.len(), |inner| inner.opened))?;
        head.push_str(&if ends_at_line { part.to_string() } else { part.replace('\n', " ") });
        is_open |= inner.is_some_and(|inner| inner.open != '{');
        if inner.is_some_and(|inner| inner.open == '{') {
            match block_of(rule, head.trim_start()).filter(|_| is_file) {
                Some(of_block) => (rule, head, is_open) = (of_block, String::new(), false),
                None => is_open = true,
            }
        }
    }
    // A bracket that closes nothing can begin nothing: it makes the parser say what could stand instead of it.
    let stop = if is_open { "" } else { "}" };
    Some((rule, format!("{}{stop}", head.trim_start())))
}

/// What blocks are made of: each rule reads one statement, declaration or the like.
const IN_BLOCKS: [Rule; 18] = [
    Rule::one_variant_line,
    Rule::one_member,
    Rule::one_field_line,
    Rule::one_sort,
    Rule::one_phase_part,
    Rule::one_action_part,
    Rule::one_check,
    Rule::one_check_line,
    Rule::one_told_moment,
    Rule::one_agent_line,
    Rule::one_board_part,
    Rule::one_space_value,
    Rule::one_track_step,
    Rule::one_score_row,
    Rule::one_statement,
    Rule::one_choice,
    Rule::one_entry,
    Rule::one_addition,
];

/// Returns what the block is made of that begins at the end of a text: of the rules all of whose beginnings are expected there, the one with
/// most. `None` if its parts begin with no keywords.
fn block_of(rule: Rule, head: &str) -> Option<Rule> {
    let expected = expected_at_end(rule, head)?;
    let begins = |rule: &Rule| expected_at_end(*rule, "}").map_or_else(BTreeSet::new, |found| found.phrases);
    let fitting = IN_BLOCKS.into_iter().map(|rule| (begins(&rule), rule));
    let fitting = fitting.filter(|(begins, _)| !begins.is_empty() && begins.is_subset(&expected.phrases));
    fitting.max_by_key(|(begins, _)| begins.len()).map(|(_, rule)| rule)
}

/// A bracket that is open at the end of a text.
struct Level {
    /// The byte behind the bracket.
    opened: usize,
    /// Where the statement or the like begins that stands last behind the bracket.
    start: usize,
    /// The bracket; for the outermost level a brace.
    open: char,
}

/// Whether a line goes on behind a line break, since it ends or the next one begins with what only joins.
fn goes_on(before: &str, rest: &str) -> bool {
    let next = rest.trim_start();
    let word = next.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or("");
    before.trim_end_matches([' ', '\t']).ends_with(['=', ',', ':', '|', '(', '['])
        || next.starts_with(['+', '-', '*', '=', '<', '>', '!', '|', ',', ':', ')', ']'])
        || next.starts_with('/') && !next.starts_with("//")
        || ["and", "or", "then", "else", "where"].contains(&word)
}

/// Returns what the parser expected at the end of a text, `}` at its end aside; `None` if it could not read the text so far.
fn expected_at_end(rule: Rule, head: &str) -> Option<Expected> {
    let Err(error) = Grammar::parse(rule, head) else { return None };
    let (ErrorVariant::ParsingError { positives, .. }, InputLocation::Pos(at) | InputLocation::Span((at, _))) =
        (error.variant, error.location)
    else {
        return None;
    };
    if !head.get(at..)?.trim_end_matches('}').trim().is_empty() {
        return None;
    }
    let mut found = Expected::default();
    for rule in positives.iter().map(|rule| format!("{rule:?}")) {
        found.phrases.extend(reference().first_phrases(&rule));
        found.parts.extend(reference().first_rules(&rule));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(before: &str, sort: TextSort) -> Vec<String> {
        expected_behind(before, sort).map(|found| found.phrases.into_iter().collect()).unwrap_or_default()
    }

    #[test]
    fn what_can_stand_somewhere_follows_from_the_grammar() {
        for (before, offered, not) in [
            ("", "effect", "gain"),
            ("constant wisps = 2\n", "effect", "gain"),
            ("effect howl {\n  ", "gain", "effect"),
            ("effect howl {\n  gain 1 wisp\n  ", "each player", "rounds"),
            ("effect howl {\n  gain ", "count", "gain"),
            ("effect howl {\n  each ", "player", "gain"),
            ("effect howl {\n  each player in reverse ", "order", "gain"),
            ("phase night {\n  step dusk {\n    if wisp ", "and", "gain"),
            ("phase night {\n  step dusk { gain 1 wisp }\n  ", "step", "rounds"),
            ("table {\n  deck pile ", "of", "counter"),
            ("effect a {\n  gain 1 wisp\nconstant b = 1\n", "effect", "gain"),
            ("phase day {\n  action hunt {\n    needs wisp > 1 \"no\"\n    ", "cost", "step"),
        ] {
            let found = phrases(before, TextSort::Rules);
            assert!(found.iter().any(|word| word == offered), "{before:?} {offered}: {found:?}");
            assert!(!found.iter().any(|word| word == not), "{before:?} {not}: {found:?}");
        }
        assert!(phrases("p1 has wolf\nnot ", TextSort::Then).contains(&"log has".to_string()));
        assert!(phrases("wisp > 2 ", TextSort::Expression).contains(&"and".to_string()));
        assert!(phrases("may ", TextSort::Ask).contains(&"one of".to_string()));
    }

    #[test]
    fn parts_tell_which_names_can_stand() {
        let has = |before: &str, part: &str| expected_behind(before, TextSort::Rules).is_some_and(|found| found.has_part(part));
        assert!(has("effect a { gain 1 ", "resource"));
        assert!(has("effect a { gain ", "amount") && !has("effect a { gain ", "resource"));
        assert!(has("effect a { draw from ", "name") && !has("effect a { draw from ", "expr"));
        assert!(has("effect a { if ", "expr"));
        // Neither in a comment nor in quotes, nor behind what cannot be read.
        for before in ["// a ", "effect a { // b ", "effect \"a ", "effect a { gain gain gain "] {
            assert_eq!(expected_behind(before, TextSort::Rules), None, "{before}");
        }
    }
}
