//! What differs between a text and the formatted one, line by line.

use std::fmt::Write;
use std::ops::Range;

use similar::{ChangeTag, TextDiff};

/// How many lines are shown around what differs.
const AROUND: usize = 1;

/// Lines that become other lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The lines of the old text, from 0; empty if lines are added ahead of the first of them.
    pub lines: Range<usize>,
    /// The new lines, each with its line break.
    pub text: String,
}

/// Returns the changes that make the new text of the old one, from the first line on.
pub fn changes(old: &str, new: &str) -> Vec<Change> {
    let difference = TextDiff::from_lines(old, new);
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let differ = difference.ops().iter().filter(|part| part.tag() != similar::DiffTag::Equal);
    differ.map(|part| Change { lines: part.old_range(), text: lines.get(part.new_range()).unwrap_or(&[]).concat() }).collect()
}

/// Draws what differs, with the numbers of the old lines.
pub fn draw_changes(old: &str, new: &str) -> String {
    let difference = TextDiff::from_lines(old, new);
    let mut drawn = String::new();
    for (number, group) in difference.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            drawn.push_str("       …\n");
        }
        for change in group.iter().flat_map(|part| difference.iter_changes(part)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let line = change.old_index().map_or_else(String::new, |line| (line + 1).to_string());
            // Writing to a text does not fail.
            let _ = writeln!(drawn, "{line:>5} {sign} {}", change.value().trim_end_matches(['\r', '\n']));
        }
    }
    drawn
}
