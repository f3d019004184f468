//! Documents as one page of HTML that needs no network. Everything is in the page itself; a script draws the charts above their figures.

use std::fmt::Write;

use super::{Block, Chart, Document, Drawing};
use crate::playtest::compare::RuleChange;
use crate::playtest::table::TextTable;

/// A page under construction.
#[derive(Default)]
struct Page<'a> {
    html: String,
    /// What the script draws, in order of the places for it.
    drawings: Vec<&'a Drawing>,
}

impl Document {
    /// Draws the document as a page.
    ///
    /// # Errors
    /// As for [`serde_json::to_string`]; it does not fail for charts.
    pub fn html(&self) -> serde_json::Result<String> {
        let mut page = Page::default();
        page.element("h1", "", &self.title);
        self.opening.iter().for_each(|block| page.block(block, "opening"));
        page.conclusion(self);
        page.html.push_str("<dl>\n");
        for fact in &self.facts {
            page.element("dt", "", &fact.name);
            page.element("dd", "", &fact.value);
        }
        page.html.push_str("</dl>\n");
        for section in self.parts.iter().filter(|section| section.blocks.iter().any(is_on_page)) {
            section.heading.iter().for_each(|heading| page.element("h2", "", heading));
            page.html.push_str("<section>\n");
            section.blocks.iter().for_each(|block| page.block(block, "note"));
            page.html.push_str("</section>\n");
        }
        // In JSON `<` occurs only in strings, where it may be escaped, so that no text can end the script element.
        let charts = serde_json::to_string(&page.drawings)?.replace('<', "\\u003c");
        Ok(format!(
            include_str!("page/page.html"),
            title = escaped(&self.title),
            style = include_str!("page/page.css"),
            body = page.html,
            charts = charts,
            licences = include_str!("page/lib/LICENSES.txt"),
            d3 = include_str!("page/lib/d3.min.js"),
            plot = include_str!("page/lib/plot.umd.min.js"),
            draw = include_str!("page/draw.js"),
        ))
    }
}

impl<'a> Page<'a> {
    /// Adds an element with a text; `class` may be empty.
    fn element(&mut self, name: &str, class: &str, text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        _ = writeln!(self.html, "<{name}{class}>{}</{name}>", escaped(text));
    }

    fn conclusion(&mut self, document: &Document) {
        let sentences = document.conclusion.sentences();
        if sentences.is_empty() {
            return;
        }
        let are_findings = !document.conclusion.findings.is_empty();
        let list = if are_findings { "ol" } else { "ul" };
        self.element("h2", "", document.conclusion.title());
        _ = writeln!(self.html, "<{list} class=\"findings\">");
        sentences.iter().for_each(|sentence| self.element("li", "", &format!("{sentence}.")));
        _ = writeln!(self.html, "</{list}>");
        if are_findings {
            self.element("p", "note", "Intervals of findings are wider than those below, since findings are chosen from many.");
        }
    }

    /// Adds a block, whose lines are of this class.
    fn block(&mut self, block: &'a Block, class: &str) {
        match block {
            Block::Lines(text) if text.is_empty() => {}
            Block::Lines(text) => self.element("p", &format!("{class} lines"), unindented(text).trim()),
            Block::Sentence { mark, text, .. } => self.element("p", class, &format!("{mark}{text}")),
            Block::Headline(text) => self.element("p", "headline", text.trim()),
            Block::Brief(_) => {}
            Block::PageOnly(block) => self.block(block, class),
            Block::Figures(table) => self.chart(&Chart { figures: table.clone(), wide: true, ..Chart::default() }, None),
            Block::Chart(chart) => self.chart(chart, chart.drawing.as_ref()),
            Block::Changes(changes) => self.changes(changes),
            Block::Picture(svg) => _ = writeln!(self.html, "<figure class=\"wide\">{svg}</figure>"),
        }
    }

    fn chart(&mut self, chart: &Chart, drawing: Option<&'a Drawing>) {
        self.html.push_str(if chart.wide { "<figure class=\"wide\">\n" } else { "<figure>\n" });
        if !chart.title.is_empty() {
            self.element("h3", "", &chart.title);
        }
        if !chart.legend.is_empty() {
            self.html.push_str("<p class=\"legend\">");
            for swatch in &chart.legend {
                let (color, fill) = (swatch.color, if swatch.hollow { "none" } else { swatch.color });
                let mark = format!("<i style=\"border-color: {color}; background: {fill}\"></i>");
                _ = write!(self.html, "<span>{mark}{}</span>", escaped(&swatch.name));
            }
            self.html.push_str("</p>\n");
        }
        if drawing.is_some() {
            self.html.push_str("<div class=\"chart\"></div>\n");
        }
        if !chart.note.is_empty() {
            self.element("figcaption", "", &chart.note);
        }
        match drawing {
            Some(drawing) => {
                self.drawings.push(drawing);
                self.html.push_str("<details><summary>the figures</summary>");
                self.table(&chart.figures);
                self.html.push_str("</details>\n");
            }
            None => self.table(&chart.figures),
        }
        self.html.push_str("</figure>\n");
    }

    fn table(&mut self, table: &TextTable) {
        self.html.push_str("<div class=\"table\" tabindex=\"0\"><table>\n");
        for (row, cells) in table.rows().iter().enumerate() {
            self.html.push_str("<tr>");
            for (at, cell) in cells.iter().enumerate() {
                let name = if row == 0 && table.has_head() { "th" } else { "td" };
                let attribute = if name == "th" { " scope=\"col\"" } else { "" };
                let class = if at < table.left() { " class=\"left\"" } else { "" };
                // A terminal has broken long names.
                let text = cell.split_whitespace().collect::<Vec<_>>().join(" ");
                _ = write!(self.html, "<{name}{attribute}{class}>{}</{name}>", escaped(&text));
            }
            self.html.push_str("</tr>\n");
        }
        self.html.push_str("</table></div>\n");
    }

    fn changes(&mut self, changes: &[RuleChange]) {
        self.html.push_str("<figure class=\"wide\">\n<div class=\"table code\" tabindex=\"0\"><table>\n");
        self.html.push_str("<tr><th scope=\"col\"></th><th scope=\"col\">without the change</th><th scope=\"col\">with it</th></tr>\n");
        for change in changes {
            let cell = |text: &Option<String>| text.as_ref().map_or(String::new(), |text| format!("<pre>{}</pre>", escaped(text)));
            let (before, after) = (cell(&change.before), cell(&change.after));
            _ = writeln!(self.html, "<tr><td>{}</td><td>{before}</td><td>{after}</td></tr>", escaped(&change.address));
        }
        self.html.push_str("</table></div>\n</figure>\n");
    }
}

/// Whether a page shows anything of a block.
fn is_on_page(block: &Block) -> bool {
    match block {
        Block::Brief(_) => false,
        Block::Lines(text) => !text.is_empty(),
        Block::Sentence { .. } | Block::Headline(_) | Block::Figures(_) | Block::Chart(_) | Block::Changes(_) | Block::Picture(_) => true,
        Block::PageOnly(block) => is_on_page(block),
    }
}

/// Lines without their indentation.
fn unindented(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.trim())).collect()
}

/// A text in which nothing is an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
