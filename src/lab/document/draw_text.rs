//! Documents as text for a terminal.

use super::{Block, Document, Section};
use crate::playtest::table::{heading, paragraph};

/// Number of changes in the text; the page and the data have all.
const MAX_CHANGES: usize = 8;
/// Number of lines of a change in the text.
const MAX_CHANGED_LINES: usize = 14;

impl Document {
    /// Draws the document for a terminal, with bold headings if `color` is set.
    pub fn text(&self, color: bool) -> String {
        let mut text: String = self.opening.iter().map(Block::text).collect();
        text.push_str(&self.conclusion.text(color));
        self.parts.iter().for_each(|section| text.push_str(&section.text(color)));
        text
    }
}

impl Section {
    /// A blank line, the heading and what stands below it; nothing if a terminal shows nothing of it.
    fn text(&self, color: bool) -> String {
        let below: String = self.blocks.iter().map(Block::text).collect();
        if below.is_empty() {
            return below;
        }
        let heading = self.heading.as_ref().map_or(String::new(), |text| heading(text, color));
        format!("\n{heading}{below}")
    }
}

impl Block {
    fn text(&self) -> String {
        match self {
            Block::Lines(text) | Block::Headline(text) | Block::Brief(text) => text.clone(),
            Block::Sentence { indent, mark, text } => paragraph(*indent, mark, text),
            Block::Figures(table) => table.text(2),
            Block::Chart(chart) if chart.in_text => chart.figures.text(2),
            Block::Chart(_) | Block::Picture(_) | Block::PageOnly(_) => String::new(),
            Block::Changes(changes) => {
                let mut text = String::new();
                for change in changes.iter().take(MAX_CHANGES) {
                    let lines = change.text();
                    lines.lines().take(MAX_CHANGED_LINES).for_each(|line| text.push_str(&format!("{line}\n")));
                    if let left @ 1.. = lines.lines().count().saturating_sub(MAX_CHANGED_LINES) {
                        text.push_str(&format!("    … {left} more lines: --report and --json have them\n"));
                    }
                }
                if let left @ 1.. = changes.len().saturating_sub(MAX_CHANGES) {
                    text.push_str(&format!("  … {left} more changes: --report and --json have them\n"));
                }
                text
            }
        }
    }
}
