//! A report as data: what is said, in which order, with which tables and charts.
//!
//! `playtest`, `compare`, `tournament` and the others make a [`Document`] from what they have measured; text for a terminal, a page of HTML
//! and Markdown each draw it in one place. A heading, a sentence and a number are therefore written once, and stand in the same order
//! wherever they are read. What only some forms have room for says so: see [`Block`].

mod chart;
mod draw_html;
mod draw_markdown;
mod draw_text;
pub mod numbers;

use crate::playtest::Conclusion;
use crate::playtest::compare::RuleChange;
use crate::playtest::table::TextTable;

pub use chart::{Axis, Chart, CoursePoint, Drawing, FIRST, Mark, PART, SECOND, Swatch};

/// A report as data.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Title of a page; a terminal shows none.
    pub title: String,
    /// What is said first: who played what, and what came of it.
    pub opening: Vec<Block>,
    /// The foremost findings.
    pub conclusion: Conclusion,
    /// What every figure depends on, such as seed, rules and version; a terminal shows none of it.
    pub facts: Vec<Fact>,
    /// The sections, in order.
    pub parts: Vec<Section>,
}

/// Something that every figure depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub value: String,
}

/// A part of a document. One that no form has anything to draw of is left out, with its heading.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The heading; `None` for lines that stand alone.
    pub heading: Option<String>,
    /// What stands below it.
    pub blocks: Vec<Block>,
}

/// A piece of a document.
#[derive(Clone, Debug)]
pub enum Block {
    /// Lines as they are, each with its end.
    Lines(String),
    /// A sentence that a terminal wraps between words, indented by so many columns and behind a mark, such as a number.
    Sentence {
        /// Columns of indentation.
        indent: usize,
        /// What stands before the sentence.
        mark: String,
        /// The sentence.
        text: String,
    },
    /// The result in a sentence, which stands out.
    Headline(String),
    /// A table.
    Figures(TextTable),
    /// Lines for a terminal alone: a page shows a chart or a table of the same figures in their place.
    Brief(String),
    /// A chart with the figures that it draws. A terminal shows these where the chart says so.
    Chart(Box<Chart>),
    /// What is changed in rules and cards, before and after.
    Changes(Vec<RuleChange>),
    /// A picture as an SVG element, for pages alone.
    Picture(String),
    /// A block for pages and Markdown alone, since a terminal has no room for it.
    PageOnly(Box<Block>),
}

impl Block {
    /// A block that a terminal does not show.
    pub fn page_only(block: Block) -> Block {
        Block::PageOnly(Box::new(block))
    }

    /// A sentence that begins at the margin.
    pub fn sentence(text: impl Into<String>) -> Block {
        Block::Sentence { indent: 0, mark: String::new(), text: text.into() }
    }
}

impl Section {
    /// A section with a heading.
    pub fn new(heading: impl Into<String>, blocks: impl IntoIterator<Item = Block>) -> Section {
        Section { heading: Some(heading.into()), blocks: blocks.into_iter().collect() }
    }

    /// Lines that stand alone.
    pub fn unheaded(blocks: impl IntoIterator<Item = Block>) -> Section {
        Section { heading: None, blocks: blocks.into_iter().collect() }
    }
}

impl Document {
    /// Adds a fact, unless there is nothing to say of it.
    pub fn fact(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.facts.push(Fact { name: name.into(), value });
        }
    }
}
