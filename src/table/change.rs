//! Preview of an option: the option is tried in sampled states up to the next question, and the differences are listed.

use crate::agent::describe_view;
use crate::engine::{Game, Ruleset, Scripts};
use crate::state::chance::{hash_text, join};

use super::facts::describe_differences;
use super::words::DisplayNames;

/// Number of sampled states in which an option is tried. A difference that does not occur in all of them depends on chance or hidden cards
/// and is not reported; what is so in half of all states is so in all of these once in eight million times.
const SAMPLED_STATES: u64 = 24;

/// Describes what an option of the open question would change from the point of view of its seat, one line for each difference. Differences
/// that depend on something unknown to the seat are summarised without values.
pub fn option_changes(rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts, option: usize, words: &DisplayNames) -> Vec<String> {
    let Some(open) = game.decision() else { return Vec::new() };
    let (seat, key) = (open.seat, open.options.get(option).map(|option| option.key));
    let view = game.view_of(rules, seat);
    let before = describe_view(rules, &view);
    let mut found: Option<Vec<String>> = None;
    let (mut by_chance, mut question) = (false, None);
    let mut imagined = Game::default();
    for state in 0..SAMPLED_STATES {
        game.imagine(rules, join(hash_text("what would change"), state), &mut imagined);
        let same = imagined.decision().and_then(|open| open.options.iter().position(|option| Some(option.key) == key));
        let Some(same) = same else { return vec!["this cannot be imagined".to_string()] };
        imagined.watch(seat);
        if let Err(fault) = imagined.on(rules).answer(scripts, same) {
            return vec![format!("this meets a fault: {fault}")];
        }
        by_chance |= imagined.take_read_hidden();
        let after = imagined.view_of(rules, seat);
        let lines = describe_differences(rules, &before, &describe_view(rules, &after), words);
        question = imagined.decision().map(|open| words.who_is_asked(rules, open.seat, open.question));
        found = Some(match found {
            None => lines,
            Some(known) => {
                let common = common_lines(known.clone(), &lines);
                by_chance |= common.len() != known.len() || common.len() != lines.len();
                common
            }
        });
    }
    let mut lines = found.unwrap_or_default();
    if by_chance {
        lines.push(words.phrases().word("more depends on chance, or on what is hidden"));
    }
    if lines.is_empty() && question.is_none() {
        lines.push(words.phrases().word("nothing at once"));
    }
    lines.extend(question.map(|question| words.phrases().say("then {question}", &[("question", &question)])));
    lines
}

/// Returns the lines of the first list that are in the second, each at most as often as there, in the order of the first.
pub fn common_lines(known: Vec<String>, lines: &[String]) -> Vec<String> {
    let mut left: Vec<&String> = lines.iter().collect();
    let mut is_left = |line: &String| left.iter().position(|other| *other == line).map(|at| left.swap_remove(at)).is_some();
    known.into_iter().filter(|line| is_left(line)).collect()
}
