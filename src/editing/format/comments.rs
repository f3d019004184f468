//! Settles in which column comments stand. One behind words stays in its column if there is room; those of lines that follow each other
//! move together if there is none.

use super::lines::Line;

/// How far a line may reach beyond the column of its neighbours' comments so that they move with its own.
const REACH: usize = 20;
/// How many columns apart comments can be that are meant to stand in one column.
const NEAR: usize = 4;
/// How many blanks stand between a line that is too long for the column and its comment.
const BLANKS: usize = 2;

/// Settles the columns of all comments.
pub(super) fn arrange(lines: &mut [Line]) {
    let behind = comments_behind(lines);
    // The column in which a comment was written was that of a line that is no more.
    for line in lines.iter_mut().filter(|line| line.is_rest && !line.pieces.is_empty()) {
        let end = line.end();
        if let Some(comment) = &mut line.comment {
            comment.column = end + BLANKS;
        }
    }
    for (line, _) in lines.iter_mut().zip(&behind).filter(|(_, behind)| !**behind) {
        let start = line.column;
        if let Some(comment) = &mut line.comment {
            comment.column = start;
        }
    }
    // The column of the comment on the line above.
    let mut last: Option<usize> = None;
    let mut at = 0;
    while at < lines.len() {
        if !behind.get(at).is_some_and(|behind| *behind) {
            last = None;
            at += 1;
            continue;
        }
        let Some(written) = column_of(lines, at) else { return };
        let length = (at..lines.len()).take_while(|at| behind.get(*at) == Some(&true) && column_of(lines, *at) == Some(written)).count();
        let Some(group) = lines.get_mut(at..at + length) else { return };
        let ends: Vec<usize> = group.iter().map(Line::end).collect();
        let is_near = |end: &&usize| **end < written + REACH;
        let mut column = ends.iter().filter(is_near).max().filter(|end| **end >= written).map_or(written, |end| end + BLANKS);
        if let Some(last) = last.filter(|last| last.abs_diff(column) <= NEAR && ends.iter().filter(is_near).all(|end| end < last)) {
            column = last;
        }
        for (line, end) in group.iter_mut().zip(&ends) {
            if let Some(comment) = &mut line.comment {
                comment.column = if *end < column { column } else { end + BLANKS };
                last = Some(column);
            }
        }
        at += length;
    }
}

fn column_of(lines: &[Line], at: usize) -> Option<usize> {
    lines.get(at)?.comment.as_ref().map(|comment| comment.column)
}

/// Returns for each line whether its comment stands behind words, or goes on with one that does, in the same column.
fn comments_behind(lines: &[Line]) -> Vec<bool> {
    let mut found: Vec<bool> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let goes_on =
            at.checked_sub(1).is_some_and(|above| found.get(above) == Some(&true) && column_of(lines, above) == column_of(lines, at));
        found.push(line.comment.is_some() && (!line.pieces.is_empty() || goes_on));
    }
    found
}
