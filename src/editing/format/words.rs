//! A text as words: with what stands above and behind each of them.

/// All words of a text, in order.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// The words.
    pub all: Vec<Word>,
    /// What stands behind the last word, on lines of its own.
    pub tail: Vec<Above>,
}

/// A word, number, text or sign, and what belongs to it.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// The word as it is written.
    pub text: String,
    /// In which column it stood, in characters from 0.
    pub column: usize,
    /// Whether more than one blank stood ahead of it.
    pub is_apart: bool,
    /// Whether no blank stands between it and the word ahead of it.
    pub is_tight: bool,
    /// Whether it begins what stands in a block, and not only goes on with it.
    pub begins_item: bool,
    /// Whether it goes on with what stands ahead even on a line of its own.
    pub is_joint: bool,
    /// Whether it stands as far to the left as what it goes on with: the `else` of a statement.
    pub is_level: bool,
    /// Whether a block opens or closes with it.
    pub bracket: Option<Bracket>,
    /// Whether a line begins with it.
    pub breaks: bool,
    /// Whether a line began with it as it was written.
    pub began_line: bool,
    /// What stands ahead of its line.
    pub above: Vec<Above>,
    /// Whether a `;` stands behind it.
    pub has_separator: bool,
    /// The comment behind it, at the end of the line.
    pub comment: Option<Comment>,
}

/// Which end of a block a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bracket {
    /// Its beginning.
    Opens,
    /// Its end.
    Closes,
}

/// What stands on a line without words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Above {
    /// Nothing: one empty line or several.
    Empty,
    /// A comment.
    Comment(Comment),
}

/// A comment with its sign, and the column in which it stood, in characters from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From its sign to its last visible character.
    pub text: String,
    /// In which column it stood.
    pub column: usize,
}

impl Words {
    /// Returns what formatting leaves as it is: all words, and all comments.
    pub fn contents(&self) -> (Vec<String>, Vec<String>) {
        let above = |above: &[Above]| above.iter().filter_map(|above| above.comment().map(|comment| comment.text.clone())).collect();
        let of_word = |word: &Word| -> Vec<String> {
            let mut found: Vec<String> = above(&word.above);
            found.extend(word.comment.iter().map(|comment| comment.text.clone()));
            found
        };
        let mut comments: Vec<String> = self.all.iter().flat_map(of_word).collect();
        comments.extend(above(&self.tail));
        (self.all.iter().map(|word| word.text.clone()).collect(), comments)
    }

    /// Returns for each word the index of the innermost block's opening word that is not closed ahead of it.
    pub fn blocks(&self) -> Vec<Option<usize>> {
        let mut open = Vec::new();
        let mut found = Vec::with_capacity(self.all.len());
        for (at, word) in self.all.iter().enumerate() {
            if word.bracket == Some(Bracket::Closes) {
                open.pop();
            }
            found.push(open.last().copied());
            if word.bracket == Some(Bracket::Opens) {
                open.push(at);
            }
        }
        found
    }

    /// Returns for each word that opens a block the index of the one that closes it.
    pub fn ends(&self) -> Vec<Option<usize>> {
        let mut open = Vec::new();
        let mut found = vec![None; self.all.len()];
        for (at, word) in self.all.iter().enumerate() {
            match word.bracket {
                Some(Bracket::Opens) => open.push(at),
                Some(Bracket::Closes) => {
                    if let Some(first) = open.pop().and_then(|first| found.get_mut(first)) {
                        *first = Some(at);
                    }
                }
                None => {}
            }
        }
        found
    }
}

impl Above {
    /// Returns the comment, if it is one.
    pub fn comment(&self) -> Option<&Comment> {
        match self {
            Above::Comment(comment) => Some(comment),
            Above::Empty => None,
        }
    }
}

/// Reads what lies between words: blanks, line breaks, comments. The parts are added in the order of the text.
#[derive(Debug, Default)]
pub struct Gap {
    /// How many line breaks have been read.
    breaks: usize,
    /// How many line breaks lie behind the last comment.
    breaks_in_row: usize,
    behind: Option<Comment>,
    above: Vec<Above>,
}

impl Gap {
    /// Adds a line break.
    pub fn line_break(&mut self) {
        self.breaks += 1;
        self.breaks_in_row += 1;
        if self.breaks_in_row == 2 && self.above.last() != Some(&Above::Empty) {
            self.above.push(Above::Empty);
        }
    }

    /// Adds a comment. `has_word` is whether there is a word ahead of the gap.
    pub fn comment(&mut self, comment: Comment, has_word: bool) {
        match has_word && self.breaks == 0 {
            true => self.behind = Some(comment),
            false => self.above.push(Above::Comment(comment)),
        }
        self.breaks_in_row = 0;
    }

    /// Whether a line break lies in it.
    pub fn is_broken(&self) -> bool {
        self.breaks > 0
    }

    /// Gives its parts to the word ahead of it, and returns what stands above the one behind it.
    pub fn close(self, ahead: Option<&mut Word>) -> Vec<Above> {
        if let Some(word) = ahead {
            word.comment = self.behind;
        }
        self.above
    }
}

/// Tells the columns of places in a text, which are asked for in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct ColumnCounter<'t> {
    text: &'t str,
    at: usize,
    column: usize,
}

impl<'t> ColumnCounter<'t> {
    /// Begins at the first place of a text.
    pub fn new(text: &'t str) -> ColumnCounter<'t> {
        ColumnCounter { text, at: 0, column: 0 }
    }

    /// Returns the column of a byte, in characters from 0.
    pub fn column_of(&mut self, at: usize) -> usize {
        for letter in self.text.get(self.at..at).unwrap_or("").chars() {
            self.column = if letter == '\n' { 0 } else { self.column + 1 };
        }
        self.at = self.at.max(at);
        self.column
    }
}
