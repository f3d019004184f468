//! Folding ranges: what can be hidden behind its first line, which are blocks, chapters and runs of comments in rules, and tables and long
//! values in TOML.

use lsp_types::{FoldingRange, FoldingRangeKind};

use super::place::FileSort;

/// Returns the ranges of lines that can be folded, in the order in which they begin.
pub(super) fn fold(sort: FileSort, text: &str) -> Vec<FoldingRange> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = match sort {
        FileSort::Rules => {
            let mut found = blocks(&lines);
            found.extend(under_headers(&lines, |line| if line.starts_with("// ====") { Some(0) } else { None }));
            found
        }
        FileSort::Cards | FileSort::Manifest | FileSort::Names | FileSort::Scenarios => {
            // `[[card.on]]` belongs to the table `[[card]]` above.
            let header = |line: &str| line.strip_prefix('[').map(|name| name.matches('.').count());
            let mut found = under_headers(&lines, header);
            found.extend(long_values(&lines));
            found
        }
    };
    let mark = if sort == FileSort::Rules { "//" } else { "#" };
    found.extend(comments(&lines, mark));
    found.sort_by_key(|(first, last, _)| (*first, std::cmp::Reverse(*last)));
    found.dedup_by_key(|(first, ..)| *first);
    let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
    let range = |(first, last, kind): (usize, usize, Option<FoldingRangeKind>)| FoldingRange {
        start_line: number(first),
        end_line: number(last),
        kind,
        ..FoldingRange::default()
    };
    found.into_iter().map(range).collect()
}

/// First line, last line, and what they are.
type Fold = (usize, usize, Option<FoldingRangeKind>);

/// Finds blocks in braces of several lines; the line of the closing brace stays visible.
fn blocks(lines: &[&str]) -> Vec<Fold> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        let mut quoted = false;
        for (byte, letter) in line.char_indices() {
            match letter {
                '"' => quoted = !quoted,
                '/' if !quoted && line.get(byte..).is_some_and(|rest| rest.starts_with("//")) => break,
                '{' if !quoted => open.push(at),
                '}' if !quoted => {
                    if let Some(first) = open.pop().filter(|first| *first + 1 < at) {
                        found.push((first, at - 1, None));
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Finds what stands under headers: each part goes up to the next header of the same or a higher level, without the blank lines and comments ahead
/// of that.
fn under_headers(lines: &[&str], level: impl Fn(&str) -> Option<usize>) -> Vec<Fold> {
    let headers: Vec<(usize, usize)> = lines.iter().enumerate().filter_map(|(at, line)| Some((at, level(line)?))).collect();
    let is_blank = |line: &usize| lines.get(*line).is_none_or(|line| line.trim().is_empty() || line.starts_with('#'));
    let part = |(index, (first, level)): (usize, &(usize, usize))| {
        let next = headers.iter().skip(index + 1).find(|(_, other)| other <= level).map_or(lines.len(), |(at, _)| *at);
        let last = (*first..next).rev().find(|line| !is_blank(line))?;
        (last > *first).then_some((*first, last, Some(FoldingRangeKind::Region)))
    };
    headers.iter().enumerate().filter_map(part).collect()
}

/// Finds texts in three quotes and lists of several lines.
fn long_values(lines: &[&str]) -> Vec<Fold> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str)> = None;
    for (at, line) in lines.iter().enumerate() {
        match open {
            Some((first, end)) if line.contains(end) && (end != "]" || line.trim_start().starts_with(']')) => {
                if at > first + 1 {
                    found.push((first, at - 1, None));
                }
                open = None;
            }
            Some(_) => {}
            None => {
                let quotes = ["\"\"\"", "'''"].into_iter().find(|quotes| line.matches(quotes).count() == 1);
                let list = line.trim_end().ends_with("= [").then_some("]");
                open = quotes.or(list).map(|end| (at, end));
            }
        }
    }
    found
}

/// Finds comments of several lines.
fn comments(lines: &[&str], mark: &str) -> Vec<Fold> {
    let is_comment = |line: &str| line.trim_start().starts_with(mark) && !line.starts_with("// ====");
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let length = lines.iter().skip(at).take_while(|line| is_comment(line)).count();
        if length > 1 {
            found.push((at, at + length - 1, Some(FoldingRangeKind::Comment)));
        }
        at += length.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(sort: FileSort, text: &str) -> Vec<(u32, u32)> {
        fold(sort, text).into_iter().map(|one| (one.start_line, one.end_line)).collect()
    }

    #[test]
    fn blocks_chapters_and_comments_of_rules_fold() {
        let text = "// ==== 1. One\n// a\n// b\neffect a {\n  if b {\n    c\n  } // }\n}\n\n// ==== 2. Two\ntable { x }\n";
        assert_eq!(folded(FileSort::Rules, text), [(0, 7), (1, 2), (3, 6), (4, 5), (9, 10)]);
    }

    #[test]
    fn tables_and_long_values_of_cards_fold() {
        let text = "[[card]]\nid = \"a\"\n\n[[card.on]]\ndo = '''\nx\n'''\n\n# of b\n[[card]]\nid = \"b\"\nlist = [\n  1,\n]\n";
        assert_eq!(folded(FileSort::Cards, text), [(0, 6), (3, 6), (4, 5), (9, 13), (11, 12)]);
    }
}
