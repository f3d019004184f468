//! The log for players, and random results fixed by a scenario. Neither is part of the state.

use super::decision::Opt;
use std::collections::VecDeque;

/// The log for players, and random results fixed by a scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub fixed: FixedChance,
    lines: Option<Vec<String>>,
    /// Lines that only some seats may read in full.
    redacted: Vec<RedactedLine>,
    /// The automatic answers, each with its seat; `None` if they are not recorded.
    pub automatic_answers: Option<Vec<(u8, Opt)>>,
    /// The numbers of lines and of automatic answers at the start of the running simultaneous block.
    mark: (usize, usize),
    /// The fixed draws at the start of the running simultaneous block.
    marked_draws: Vec<FixedDraw>,
}

/// Random results that a scenario has fixed and that have not come yet.
#[derive(Clone, Debug, Default)]
pub struct FixedChance {
    /// The next rolls: for each die a bit set of classes of tokens, of which one must fit.
    pub rolls: VecDeque<u64>,
    /// The next tokens taken at random: for each a bit set of classes of tokens, of which one must fit.
    pub takes: VecDeque<u64>,
    /// What chance chooses next where rules say `random`: each by its key, such as a card's id.
    pub chosen: VecDeque<String>,
    /// The next cards to draw from decks, in order, drawn or not.
    pub draws: Vec<FixedDraw>,
}

/// A card to draw from its deck before any other, even after a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedDraw {
    /// The piece to draw.
    pub card: usize,
    /// The deck to draw it from: the index of an instance of a place.
    pub deck: usize,
    /// Whether the card was drawn already.
    pub drawn: bool,
}

/// A line of the log with text that not all seats may read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RedactedLine {
    /// The index of the line in the log.
    line: usize,
    /// The seats that may read the line, as a bit set.
    seats: i32,
    /// The text that the other seats read; `None` if they are not told that there is a line.
    instead: Option<String>,
}

impl Log {
    /// Whether anything is written down, or is fixed to come next.
    pub fn is_in_use(&self) -> bool {
        let FixedChance { rolls, takes, chosen, draws } = &self.fixed;
        let is_fixed = !(rolls.is_empty() && takes.is_empty() && chosen.is_empty() && draws.is_empty());
        is_fixed || self.lines.is_some() || self.automatic_answers.is_some()
    }

    /// Whether lines are kept.
    #[inline]
    pub fn is_on(&self) -> bool {
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

    /// Makes the next line readable for these seats only (a bit set); the others read `instead`, or are not told that there is a line.
    pub fn redact_next(&mut self, seats: i32, instead: Option<String>) {
        self.redacted.push(RedactedLine { line: self.lines().len(), seats, instead });
    }

    /// Returns all lines of the log.
    pub fn lines(&self) -> &[String] {
        self.lines.as_deref().unwrap_or(&[])
    }

    /// Returns the lines from an index on, as a seat may read them.
    pub fn lines_for(&self, seat: usize, from: usize) -> impl Iterator<Item = &str> {
        let redacted = move |index: usize| self.redacted.iter().find(|redacted| redacted.line == index && redacted.seats >> seat & 1 == 0);
        let lines = self.lines().iter().enumerate().skip(from);
        lines.filter_map(move |(index, line)| redacted(index).map_or(Some(line.as_str()), |redacted| redacted.instead.as_deref()))
    }

    /// Marks the start of a simultaneous block, which may be rolled back.
    pub fn set_mark(&mut self) {
        self.mark = (self.lines.as_ref().map_or(0, Vec::len), self.automatic_answers.as_ref().map_or(0, Vec::len));
        self.marked_draws.clone_from(&self.fixed.draws);
    }

    /// Restores the fixed draws of the mark.
    pub fn restore_draws(&mut self) {
        self.fixed.draws.clone_from(&self.marked_draws);
    }

    /// Removes the lines and automatic answers since the mark.
    pub fn truncate_to_mark(&mut self) {
        if let Some(lines) = &mut self.lines {
            lines.truncate(self.mark.0);
            self.redacted.retain(|redacted| redacted.line < self.mark.0);
        }
        if let Some(automatic_answers) = &mut self.automatic_answers {
            automatic_answers.truncate(self.mark.1);
        }
    }
}
