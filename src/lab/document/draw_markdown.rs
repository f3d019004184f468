//! Documents as Markdown, for wikis, forums and notes of a design: what a page shows, without its pictures.

use std::fmt::Write;

use super::{Block, Chart, Document, Section};
use crate::playtest::table::TextTable;

impl Document {
    /// Draws the document as Markdown with tables as GitHub reads them.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        self.opening.iter().for_each(|block| text.push_str(&block.markdown()));
        let sentences = self.conclusion.sentences();
        if !sentences.is_empty() {
            _ = write!(text, "\n## {}\n\n", self.conclusion.title());
            for (sentence, number) in sentences.iter().zip(1..) {
                let mark = if self.conclusion.findings.is_empty() { "-".to_string() } else { format!("{number}.") };
                _ = writeln!(text, "{mark} {}.", escaped(sentence));
            }
        }
        self.parts.iter().for_each(|section| text.push_str(&section.markdown()));
        if !self.facts.is_empty() {
            text.push_str("\n## What this rests on\n\n");
            self.facts.iter().for_each(|fact| _ = writeln!(text, "- {}: {}", fact.name, escaped(&fact.value)));
        }
        text
    }
}

impl Section {
    fn markdown(&self) -> String {
        let below: String = self.blocks.iter().map(Block::markdown).collect();
        match &self.heading {
            Some(heading) if !below.is_empty() => format!("\n## {}\n{below}", escaped(heading)),
            _ => below,
        }
    }
}

impl Block {
    /// What it says behind a blank line; nothing if that is for other forms alone.
    fn markdown(&self) -> String {
        match self {
            Block::Lines(text) if text.is_empty() => String::new(),
            // Two spaces at the end of a line keep it.
            Block::Lines(text) => format!("\n{}", text.lines().map(|line| format!("{}  \n", escaped(line.trim()))).collect::<String>()),
            Block::Sentence { mark, text, .. } => format!("\n{mark}{}\n", escaped(text)),
            Block::Headline(text) => format!("\n**{}**\n", escaped(text.trim()).split_whitespace().collect::<Vec<_>>().join(" ")),
            Block::Brief(_) | Block::Picture(_) => String::new(),
            Block::PageOnly(block) => block.markdown(),
            Block::Figures(table) => format!("\n{}", table_of(table)),
            Block::Chart(chart) => {
                let Chart { title, note, figures, .. } = &**chart;
                let note = if note.is_empty() { String::new() } else { format!("\n{}\n", escaped(note)) };
                format!("\n**{}**\n{note}\n{}", escaped(title), table_of(figures))
            }
            Block::Changes(changes) => changes.iter().map(|change| format!("\n```diff\n{}```\n", change.text())).collect(),
        }
    }
}

/// A table whose first row is its head.
fn table_of(table: &TextTable) -> String {
    let line = |cells: &[String]| {
        let cells = cells.iter().map(|cell| escaped(cell).replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" "));
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let width = table.rows().iter().map(Vec::len).max().unwrap_or(0);
    let rule: Vec<&str> = (0..width).map(|at| if at < table.left() { "---" } else { "---:" }).collect();
    let (head, rows) = if table.has_head() { table.rows().split_at(1.min(table.rows().len())) } else { (&[][..], table.rows()) };
    let head = head.first().map_or_else(|| line(&vec![String::new(); width]), |head| line(head));
    format!("{head}| {} |\n{}", rule.join(" | "), rows.iter().map(|row| line(row)).collect::<String>())
}

/// A text in which nothing is read as Markdown or as an element.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}
