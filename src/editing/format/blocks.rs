//! Settles where lines begin around the braces of blocks.

use super::words::{Above, Bracket, Word, Words};
use super::{INDENT, LINE_WIDTH};

/// Settles what does not depend on the width of lines: a block that is broken between what stands in it has its braces at the ends of lines,
/// there are no empty lines at its edges, and `;` only stands where no line ends.
pub(super) fn arrange(words: &mut Words) {
    let (blocks, ends) = (words.blocks(), words.ends());
    for (first, last) in ends.iter().enumerate().filter_map(|(first, last)| Some((first, (*last)?))) {
        let is_direct = |at: usize| blocks.get(at).copied().flatten() == Some(first);
        let inner = words.all.get(first + 1..last).unwrap_or(&[]);
        let begins = |(at, word): (usize, &Word)| word.breaks && word.begins_item && is_direct(at);
        let closes = words
            .all
            .get(last)
            .is_some_and(|word| word.breaks && (!inner.is_empty() || word.above.iter().any(|above| above.comment().is_some())));
        let is_broken = closes || inner.iter().enumerate().map(|(at, word)| (first + 1 + at, word)).any(begins);
        let has_comment = words.all.get(first).is_some_and(|word| word.comment.is_some());
        for edge in [first + 1, last] {
            if let Some(word) = words.all.get_mut(edge) {
                word.breaks = is_broken || has_comment || edge != last && word.breaks;
            }
        }
    }
    tidy(words);
}

/// Breaks the blocks on each line that is too wide, the outermost ones first, until it fits or there is no block on it.
pub(super) fn break_wide_lines(words: &mut Words) {
    let (blocks, ends) = (words.blocks(), words.ends());
    let depths = depths(words);
    let mut start = 0;
    while start < words.all.len() {
        let behind = (start + 1..words.all.len()).find(|at| words.all.get(*at).is_some_and(|word| word.breaks)).unwrap_or(words.all.len());
        let line = words.all.get(start..behind).unwrap_or(&[]);
        let width = depths.get(start).copied().unwrap_or(0) * INDENT + plain_width(line);
        let mut at = start;
        let mut broken = false;
        while width > LINE_WIDTH && at < behind {
            match ends.get(at).copied().flatten().filter(|end| *end < behind && *end > at + 1) {
                Some(end) => {
                    let is_edge = |inner: usize| inner == at + 1 || inner == end;
                    let is_item = |inner: usize| blocks.get(inner).copied().flatten() == Some(at);
                    for (inner, word) in words.all.iter_mut().enumerate().take(end + 1).skip(at + 1) {
                        word.breaks |= is_edge(inner) || word.begins_item && is_item(inner);
                    }
                    (at, broken) = (end, true);
                }
                None => at += 1,
            }
        }
        // The lines that it has become are looked at in their turn.
        if !broken {
            start = behind;
        } else if let Some(next) = (start + 1..behind).find(|at| words.all.get(*at).is_some_and(|word| word.breaks)) {
            start = next;
        }
    }
    tidy(words);
}

/// Returns the width of words with as many blanks between them as they need.
fn plain_width(words: &[Word]) -> usize {
    let width = |(at, word): (usize, &Word)| {
        let blank = usize::from(at > 0 && !word.is_tight);
        blank + word.text.chars().count() + usize::from(word.has_separator)
    };
    words.iter().enumerate().map(width).sum()
}

/// Returns for each word how many blocks are open ahead of it.
fn depths(words: &Words) -> Vec<usize> {
    let mut depth: usize = 0;
    let mut found = Vec::with_capacity(words.all.len());
    for word in &words.all {
        let closes = word.bracket == Some(Bracket::Closes);
        depth = depth.saturating_sub(usize::from(closes));
        found.push(depth);
        depth += usize::from(word.bracket == Some(Bracket::Opens));
    }
    found
}

/// Takes away `;` and empty lines where they say nothing.
fn tidy(words: &mut Words) {
    for at in 0..words.all.len() {
        let next = words.all.get(at + 1).map(|next| (next.breaks && !next.is_joint, next.bracket));
        let Some(word) = words.all.get_mut(at) else { return };
        let opens = word.bracket == Some(Bracket::Opens);
        let closes_next = next.is_none_or(|(_, bracket)| bracket == Some(Bracket::Closes));
        word.has_separator &= !opens && !closes_next && !next.is_some_and(|(ends_line, _)| ends_line);
        if let Some(next) = words.all.get_mut(at + 1) {
            if opens && next.above.first() == Some(&Above::Empty) {
                next.above.remove(0);
            }
            if closes_next && next.above.last() == Some(&Above::Empty) {
                next.above.pop();
            }
        }
    }
    if let Some(first) = words.all.first_mut()
        && first.above.first() == Some(&Above::Empty)
    {
        first.above.remove(0);
    }
    if words.tail.last() == Some(&Above::Empty) {
        words.tail.pop();
    }
    if words.all.is_empty() && words.tail.first() == Some(&Above::Empty) {
        words.tail.remove(0);
    }
}
