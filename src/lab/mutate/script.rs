//! Mutations of a script, found in its tokens: numbers, names, operators and statements.

use super::names::NameCategories;
use super::{Mutant, MutationOperator};

/// A token of a script with its position. A quoted text is one token.
#[derive(Clone, Copy, Debug)]
struct ScriptToken<'t> {
    text: &'t str,
    start: usize,
}

impl ScriptToken<'_> {
    fn end_offset(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
    }
}

/// Returns all mutations of a script.
pub(super) fn mutants_of_script(text: &str, siblings: &NameCategories) -> Vec<Mutant> {
    let tokens = read_tokens(text);
    let mut found = Vec::new();
    let mut change = |class, start: usize, end: usize, now: &str| {
        found.push(Mutant { class, start, end, replacement: now.to_string(), card: None, variant: None })
    };
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map_or("", |next| next.text);
        let (class, now) = match token.text {
            "==" => (MutationOperator::Comparison, "!=".to_string()),
            "!=" => (MutationOperator::Comparison, "==".to_string()),
            "<" => (MutationOperator::Comparison, "<=".to_string()),
            "<=" => (MutationOperator::Comparison, "<".to_string()),
            ">" => (MutationOperator::Comparison, ">=".to_string()),
            ">=" => (MutationOperator::Comparison, ">".to_string()),
            "&&" => (MutationOperator::Condition, "||".to_string()),
            "||" => (MutationOperator::Condition, "&&".to_string()),
            "!" => (MutationOperator::Condition, String::new()),
            "+" => (MutationOperator::Arithmetic, "-".to_string()),
            "-" => (MutationOperator::Arithmetic, "+".to_string()),
            "*" => (MutationOperator::Arithmetic, "+".to_string()),
            "gain" if next == "(" => (MutationOperator::Direction, "lose".to_string()),
            "lose" if next == "(" => (MutationOperator::Direction, "gain".to_string()),
            word if token.is_word() && next != "(" => match siblings.next_in_category(word) {
                Some(other) => (MutationOperator::Name, other),
                None => continue,
            },
            word => match word.parse::<i64>() {
                Ok(number) => (MutationOperator::Number, (number + 1).to_string()),
                Err(_) => continue,
            },
        };
        change(class, token.start, token.end_offset(), &now);
    }
    for (first, last) in removable_statements(&tokens) {
        let (start, end) = (first.start, last.end_offset());
        change(MutationOperator::Removed, start, end, "");
    }
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == "if") {
        let begins = token.end_offset();
        if let Some(opens) = tokens.get(at..).unwrap_or(&[]).iter().find(|token| token.text == "{") {
            let condition = text.get(begins..opens.start).unwrap_or("").trim();
            change(MutationOperator::Condition, begins, opens.start, &format!(" !({condition}) "));
        }
    }
    found
}

/// Returns the statements that can be removed, each by its first and last token. Statements lie between semicolons and braces. A statement
/// that is the whole script is excluded, since its entry is removed instead.
fn removable_statements<'t>(tokens: &[ScriptToken<'t>]) -> Vec<(ScriptToken<'t>, ScriptToken<'t>)> {
    let mut found = Vec::new();
    let (mut first, mut depth): (Option<usize>, usize) = (None, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = depth == 0 && matches!(token.text, ";" | "}" | "{");
        if !ends {
            first = first.or(Some(at));
        }
        let is_last = at + 1 == tokens.len();
        if ends || is_last {
            // Tokens before `{` are the head of a block.
            let begun = first.take().filter(|_| token.text != "{");
            let last = if ends { at.checked_sub(1) } else { Some(at) };
            if let (Some(begun), Some(last)) = (begun, last) {
                found.extend(tokens.get(begun).zip(tokens.get(last)).filter(|(first, _)| !matches!(first.text, "let" | "else")));
            }
        }
    }
    let found: Vec<(ScriptToken<'t>, ScriptToken<'t>)> = found.into_iter().map(|(first, last)| (*first, *last)).collect();
    if found.len() > 1 || tokens.iter().any(|token| token.text == "{") { found } else { Vec::new() }
}

fn read_tokens(text: &str) -> Vec<ScriptToken<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let two = rest.get(..2).unwrap_or("");
        let length = if two == "//" {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if let Some(quote) = rest.chars().next().filter(|letter| matches!(letter, '"' | '`' | '\'')) {
            rest.get(1..).and_then(|inner| inner.find(quote)).map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with(word) {
            rest.find(|letter| !word(letter)).unwrap_or(rest.len())
        } else if matches!(two, "==" | "!=" | "<=" | ">=" | "&&" | "||" | "+=" | "-=" | "*=") {
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        if !rest.starts_with(char::is_whitespace) {
            found.push(ScriptToken { text: rest.get(..length).unwrap_or(""), start: at });
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutations_of(text: &str) -> Vec<String> {
        let mut siblings = NameCategories::default();
        siblings.add_rules("player { resource wisp, moss }\n");
        let found = mutants_of_script(text, &siblings);
        found.iter().map(|mutant| mutant.original_and_replacement(text)).map(|(was, now)| format!("{was} -> {now}")).collect()
    }

    #[test]
    fn a_script_of_one_statement_goes_with_its_entry() {
        assert_eq!(mutations_of("gain(me, wisp, 2)"), ["gain -> lose", "wisp -> moss", "2 -> 3"]);
    }

    #[test]
    fn statements_conditions_and_signs() {
        let found = mutations_of("let n = 1; if answer == moss && n > 0 { lose(me, wisp, n + 1) } else { gain(me, moss, 1); }");
        let wanted = [
            "== -> !=",
            "&& -> ||",
            "> -> >=",
            "+ -> -",
            "answer == moss && n > 0 -> !(answer == moss && n > 0)",
            "lose(me, wisp, n + 1) -> ",
            "gain(me, moss, 1) -> ",
        ];
        for wanted in wanted {
            assert!(found.iter().any(|found| found == wanted), "{wanted} in {found:#?}");
        }
        assert!(!found.iter().any(|found| found.starts_with("let")), "{found:#?}");
    }

    #[test]
    fn texts_and_comments_are_left_alone() {
        assert_eq!(mutations_of("debug(\"2 wisp\") // 3 moss\n"), Vec::<String>::new());
    }
}
