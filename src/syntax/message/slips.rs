//! Ways out of common slips: what is written almost as it should be, and cannot be read.

use super::super::grammar::Rule;

/// Returns how to write a text that cannot be read from `from` on, where `to` ends the next word or sign; `None` if it is no common slip.
/// `expected` is what could stand there, and empty where the text is complete.
pub(super) fn common_slip(alone: Rule, head: &str, (from, to): (usize, usize), expected: &str) -> Option<String> {
    let before = head.get(..from)?.trim_end();
    let found = head.get(from..to)?;
    if found == "does" && alone == Rule::one_choice && expected.contains("braces") {
        return Some("in an answer the block stands without `does`: `\"text\" needs … \"why not\" { … }`".to_string());
    }
    if expected == "a text" && before.ends_with('"') && last_word_before_text(before) == "needs" {
        return Some("say what is needed ahead of why it is refused: `needs VALUE > 3 \"why not\"`".to_string());
    }
    if expected == "`by`" && ["+", "-", "*", "/"].contains(&found) && before.contains("remainder of ") {
        let divided = before.rsplit("remainder of ").next().unwrap_or("");
        return Some(format!("put what is divided into brackets: `remainder of ({divided} {found} …) by …`"));
    }
    if found == "," && expected == "`to`" {
        return one_of_numbers(before, head.get(from..)?);
    }
    let is_of_for = || before.rsplit_once("for ").is_some_and(|(_, behind)| behind.contains(" in ") && !behind.contains('{'));
    if found == "where" && is_of_for() {
        return Some("`for` takes all of them: `if CONDITION { … }` in its block says for which of them something is done".to_string());
    }
    if found == "," && alone == Rule::one_space_value {
        return Some("fields of a space stand on lines of their own, or with `;` between them".to_string());
    }
    None
}

/// Returns the word ahead of the text in quotes with which `before` ends.
fn last_word_before_text(before: &str) -> &str {
    let ahead = before.strip_suffix('"').and_then(|text| text.rsplit_once('"')).map_or("", |(ahead, _)| ahead);
    ahead.split_whitespace().next_back().unwrap_or("")
}

/// Returns how to ask whether a value is one of several numbers, for `round in 3, 5`.
fn one_of_numbers(before: &str, rest: &str) -> Option<String> {
    let (value, first) = before.rsplit_once(" in ")?;
    let value = value.split_whitespace().next_back()?;
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = |text: &str| text.trim_start().split(|sign: char| !sign.is_ascii_digit()).next().unwrap_or("").to_string();
    let more = rest.split(',').skip(1).map(digits).take_while(|number| is_number(&number.as_str()));
    let numbers: Vec<String> = Some(first.trim()).filter(is_number).map(String::from).into_iter().chain(more).collect();
    let asked: Vec<String> = numbers.iter().map(|number| format!("{value} == {number}")).collect();
    (numbers.len() > 1).then(|| format!("write `({})`", asked.join(" or ")))
}
