//! The report on a failed test: each line that does not hold, and the log of the game.

use crate::diagnostic::{Diagnostic, render::render};
use crate::engine::ruleset::Ruleset;
use crate::engine::{Decision, Game};
use crate::source::Sources;

/// Largest number of log lines shown; earlier ones are omitted.
const MAX_LOG_LINES: usize = 60;
/// Largest number of options shown; further ones are omitted.
const MAX_LISTED_OPTIONS: usize = 60;

/// Formats diagnostics with the log of the game. Empty if there are no diagnostics.
pub(super) fn failure_message(sources: &Sources, wrong: &[Diagnostic], log: &[String]) -> String {
    if wrong.is_empty() {
        return String::new();
    }
    let mut text = render(sources, wrong, false);
    if !log.is_empty() {
        text.push_str("what happened:\n");
        let left_out = log.len().saturating_sub(MAX_LOG_LINES);
        if left_out > 0 {
            text.push_str(&format!("  ... {left_out} lines before\n"));
        }
        for line in &log[left_out..] {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

/// Describes a question: the seat, the question and its options.
pub(crate) fn describe_question(rules: &Ruleset, decision: &Decision) -> Vec<String> {
    let count = decision.options.len();
    let mut keys: Vec<String> = decision.options.iter().take(MAX_LISTED_OPTIONS).map(|option| option.text(rules)).collect();
    if count > MAX_LISTED_OPTIONS {
        keys.push(format!("and {} more", count - MAX_LISTED_OPTIONS));
    }
    vec![format!("p{} is asked `{}`", decision.seat + 1, decision.question.text(rules)), format!("the answers are: {}", keys.join(", "))]
}

/// Describes the open question. Empty if there is none.
pub fn open_question(rules: &Ruleset, game: &Game) -> Vec<String> {
    game.decision().map_or_else(|| vec!["no question is open".to_string()], |decision| describe_question(rules, decision))
}
