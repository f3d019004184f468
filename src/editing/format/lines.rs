//! Makes lines of words. Where the words of a line stand is settled in [`super::columns`] and [`super::comments`].

use std::collections::BTreeMap;

use super::words::{Above, Bracket, Comment, Words};

/// A line. One without words and comment is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    /// Its words.
    pub pieces: Vec<Piece>,
    /// The comment at its end, or alone on it.
    pub comment: Option<Comment>,
    /// What its beginning goes by.
    pub start: Start,
    /// In which column it begins.
    pub column: usize,
    /// The number of the block in which it begins.
    pub block: Option<usize>,
    /// Whether it is what is left of a longer line.
    pub is_rest: bool,
}

/// A word on a line.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The word, with the `;` behind it.
    pub text: String,
    /// In which column it stood.
    pub written: usize,
    /// Whether more than one blank stood ahead of it.
    pub is_apart: bool,
    /// Whether no blank stands ahead of it.
    pub is_tight: bool,
    /// In which column it stands.
    pub column: usize,
}

/// What the beginning of a line goes by. Lines are told by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Start {
    /// The left edge.
    #[default]
    Edge,
    /// It stands in a block that opens on this line.
    Inside(usize),
    /// It begins as this line does.
    Like(usize),
    /// It goes on with what begins on this line.
    GoesOn(usize),
}

impl Line {
    /// Returns the line as it is written.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut column = 0;
        let pieces = self.pieces.iter().map(|piece| (piece.column, piece.text.as_str()));
        for (wanted, piece) in pieces.chain(self.comment.iter().map(|comment| (comment.column, comment.text.as_str()))) {
            text.extend(std::iter::repeat_n(' ', wanted.saturating_sub(column)));
            text.push_str(piece);
            column = column_behind(wanted, piece);
        }
        text
    }

    /// Returns the column behind its last word, 0 if it has none.
    pub fn end(&self) -> usize {
        self.pieces.last().map_or(0, |piece| column_behind(piece.column, &piece.text))
    }

    /// Whether nothing stands on it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.comment.is_none()
    }
}

/// Returns the column behind a word that begins in a column; a text may have several lines.
pub(super) fn column_behind(column: usize, text: &str) -> usize {
    match text.rsplit_once('\n') {
        Some((_, last)) => last.chars().count(),
        None => column + text.chars().count(),
    }
}

/// Puts words on lines.
pub(super) fn lines_of(words: Words) -> Vec<Line> {
    let blocks = words.blocks();
    let mut lines: Vec<Line> = Vec::new();
    // For each word its line, and for each block the word that began its last item.
    let mut line_of: Vec<usize> = Vec::with_capacity(words.all.len());
    let mut items: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let mut openers: Vec<usize> = Vec::new();
    for (at, word) in words.all.into_iter().enumerate() {
        let block = blocks.get(at).copied().flatten();
        let closes = word.bracket == Some(Bracket::Closes);
        let opener = if closes { openers.pop() } else { None };
        let line_with = |word: Option<usize>| word.and_then(|word| line_of.get(word).copied());
        if word.breaks || lines.is_empty() {
            let start = if closes {
                line_with(opener).map_or(Start::Edge, Start::Like)
            } else if word.begins_item {
                line_with(block).map_or(Start::Edge, Start::Inside)
            } else {
                let item = line_with(items.get(&block).copied());
                match item {
                    Some(item) if word.is_level => Start::Like(item),
                    Some(item) => Start::GoesOn(item),
                    None => Start::Edge,
                }
            };
            let code_line = lines.len() + word.above.len();
            let above = if closes { line_with(opener).map_or(Start::Edge, Start::Inside) } else { Start::Like(code_line) };
            lines.extend(word.above.into_iter().map(|one| line_without_words(one, above)));
            lines.push(Line { start, block, is_rest: !word.began_line, ..Line::default() });
        }
        line_of.push(lines.len().saturating_sub(1));
        if word.begins_item {
            items.insert(block, at);
        }
        if word.bracket == Some(Bracket::Opens) {
            openers.push(at);
        }
        if let Some(line) = lines.last_mut() {
            let text = if word.has_separator { word.text + ";" } else { word.text };
            line.pieces.push(Piece { text, written: word.column, is_apart: word.is_apart, is_tight: word.is_tight, column: 0 });
            line.comment = word.comment;
        }
    }
    lines.extend(words.tail.into_iter().map(|one| line_without_words(one, Start::Edge)));
    lines
}

fn line_without_words(above: Above, start: Start) -> Line {
    let comment = match above {
        Above::Empty => None,
        Above::Comment(comment) => Some(comment),
    };
    Line { comment, start, ..Line::default() }
}
