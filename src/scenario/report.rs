//! What is told of a test that failed: each line that does not hold, and what happened before.

use crate::diagnostic::{Diagnostic, render::render};
use crate::engine::ruleset::Ruleset;
use crate::engine::{Decision, Game};
use crate::source::Sources;

/// Of a longer log only the end is shown.
const MOST_LINES: usize = 60;
/// Of longer lists only the beginning is shown.
const MOST_OPTIONS: usize = 60;

/// What is wrong, with the log of what happened; empty if nothing is wrong.
pub(super) fn message(sources: &Sources, wrong: &[Diagnostic], log: &[String]) -> String {
    if wrong.is_empty() {
        return String::new();
    }
    let mut text = render(sources, wrong, false);
    if !log.is_empty() {
        text.push_str("what happened:\n");
        let left_out = log.len().saturating_sub(MOST_LINES);
        if left_out > 0 {
            text.push_str(&format!("  ... {left_out} lines before\n"));
        }
        for line in &log[left_out..] {
            text.push_str(&format!("  {line}\n"));
        }
    }
    text
}

/// Who is asked what, with the answers that can be given.
pub(crate) fn question(rules: &Ruleset, decision: &Decision) -> Vec<String> {
    let count = decision.options.len();
    let mut keys: Vec<String> = decision.options.iter().take(MOST_OPTIONS).map(|option| option.text(rules)).collect();
    if count > MOST_OPTIONS {
        keys.push(format!("and {} more", count - MOST_OPTIONS));
    }
    vec![format!("p{} is asked `{}`", decision.seat + 1, decision.question.text(rules)), format!("the answers are: {}", keys.join(", "))]
}

/// The open question for people, if there is one.
pub fn open_question(rules: &Ruleset, game: &Game) -> Vec<String> {
    game.decision().map_or_else(|| vec!["no question is open".to_string()], |decision| question(rules, decision))
}
