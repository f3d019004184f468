//! What is told to people, and what a scenario fixes: no part of the state.

use super::decision::Opt;

/// What is told to people, if they listen, and which chance a scenario has fixed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    /// What falls next, written from outside, last first: of each face the classes that it may be.
    pub falls: Vec<u64>,
    /// What is taken next at random, written from outside, last first: of each token the classes that it may be.
    pub takes: Vec<u64>,
    /// Which cards are drawn next from their decks, written from outside, first to last.
    pub draws: Vec<FixedDraw>,
    lines: Option<Vec<String>>,
    /// Lines of the log that not everybody may read.
    redacted: Vec<RedactedLine>,
    /// What was taken unasked because nothing else could be answered, with its seat; kept for scenarios.
    pub taken: Option<Vec<(u8, Opt)>>,
    /// How long the lines and what was taken were when something began that is tried first.
    tried: (usize, usize),
    /// Which fixed draws had come then.
    tried_draws: Vec<FixedDraw>,
}

/// A card that is drawn from its deck before any other, however it was shuffled in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedDraw {
    /// The piece.
    pub card: usize,
    /// The deck, as an instance of a place.
    pub deck: usize,
    /// Whether it has been drawn.
    pub came: bool,
}

/// A line of the log that names a card which not everybody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RedactedLine {
    /// Which line.
    line: usize,
    /// Bit set of the seats that may read it.
    seats: i32,
    /// What the others read instead.
    instead: String,
}

impl Log {
    /// Whether lines are kept.
    #[inline]
    pub fn is_kept(&self) -> bool {
        self.lines.is_some()
    }

    /// Keeps lines from now on.
    pub fn keep(&mut self) {
        self.lines.get_or_insert_with(Vec::new);
    }

    /// Adds a line.
    pub fn push(&mut self, line: String) {
        self.lines.get_or_insert_with(Vec::new).push(line);
    }

    /// Of the next line only these seats read more than `instead`.
    pub fn redact_next(&mut self, seats: i32, instead: String) {
        self.redacted.push(RedactedLine { line: self.lines().len(), seats, instead });
    }

    /// All lines.
    pub fn lines(&self) -> &[String] {
        self.lines.as_deref().unwrap_or(&[])
    }

    /// The lines from one on, as a seat may read them: cards that it does not know are not named.
    pub fn lines_for(&self, seat: usize, from: usize) -> impl Iterator<Item = &str> {
        let redacted = move |at: usize| self.redacted.iter().find(|redacted| redacted.line == at && redacted.seats >> seat & 1 == 0);
        let lines = self.lines().iter().enumerate().skip(from);
        lines.map(move |(at, line)| redacted(at).map_or(line.as_str(), |redacted| redacted.instead.as_str()))
    }

    /// Something begins that may have to be begun again.
    pub fn begin_try(&mut self) {
        self.tried = (self.lines.as_ref().map_or(0, Vec::len), self.taken.as_ref().map_or(0, Vec::len));
        self.tried_draws.clone_from(&self.draws);
    }

    /// What has been drawn since then is undone.
    pub fn undo_draws(&mut self) {
        self.draws.clone_from(&self.tried_draws);
    }

    /// It has to be: nothing of it is told.
    pub fn forget_try(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.truncate(self.tried.0);
            self.redacted.retain(|redacted| redacted.line < self.tried.0);
        }
        if let Some(taken) = &mut self.taken {
            taken.truncate(self.tried.1);
        }
    }
}
