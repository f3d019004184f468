//! A list within lists, as nested boxes.

use super::svg::{self, Anchor};

/// Width of a graphic.
const WIDTH: u32 = 640;
/// Height of a line.
const LINE: u32 = 26;
/// How far a box lies inside the one around it, and space below its last line.
const INSET: u32 = 12;
/// Width of a letter, about: what does not fit is cut, and stands in the title.
const LETTER: u32 = 7;
/// Fills of boxes by depth.
const FILLS: [&str; 4] = ["#ffffff", "#eef3f8", "#dde8f2", "#ffffff"];

/// An entry with the entries inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What it is called.
    pub name: String,
    /// What it is, in a few words.
    pub note: String,
    /// What is inside.
    pub inside: Vec<Entry>,
    /// Whether that comes one after the other; otherwise it is a choice.
    pub in_order: bool,
}

/// A list within lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    pub(crate) title: String,
    pub(crate) entries: Vec<Entry>,
}

impl Outline {
    /// Draws it as a graphic.
    pub fn svg(&self) -> String {
        let mut body = String::new();
        let mut y = svg::HEAD;
        for entry in &self.entries {
            y = draw(entry, 0, y, &mut body) + INSET;
        }
        svg::graphic(&self.title, WIDTH, y, &body)
    }

    /// Writes it as a flowchart of Mermaid, in the order of the course.
    pub fn mermaid(&self) -> String {
        let mut out = svg::mermaid_head(&self.title) + "flowchart TB\n";
        let mut count = 0;
        chart(&self.entries, true, 1, &mut count, &mut out);
        out
    }
}

/// Draws an entry with what is inside, and returns where it ends.
fn draw(entry: &Entry, depth: u32, y: u32, out: &mut String) -> u32 {
    let (x, width) = (INSET * (depth + 1), WIDTH - 2 * INSET * (depth + 1));
    let mut inside = String::new();
    let mut end = y + LINE;
    for one in &entry.inside {
        end = draw(one, depth + 1, end, &mut inside) + INSET / 2;
    }
    if !entry.inside.is_empty() {
        end += INSET / 2;
    }
    let fill = FILLS.get(depth as usize).copied().unwrap_or("#ffffff");
    let text = if entry.note.is_empty() { entry.name.clone() } else { format!("{}: {}", entry.name, entry.note) };
    out.push_str(&format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" rx=\"4\" fill=\"{fill}\" stroke=\"{}\"/>\n",
        end - y,
        svg::EDGE
    ));
    let letters = ((width - 2 * INSET) / LETTER) as usize;
    out.push_str(&svg::text(x + INSET, y + LINE - 8, Anchor::Start, !entry.inside.is_empty(), &text, letters));
    out.push_str(&inside);
    end
}

/// Writes entries, with arrows between those that come one after the other.
fn chart(entries: &[Entry], in_order: bool, depth: usize, count: &mut usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let mut before: Option<String> = None;
    for entry in entries {
        *count += 1;
        let id = format!("n{count}");
        let text = if entry.note.is_empty() { entry.name.clone() } else { format!("{}: {}", entry.name, entry.note) };
        if entry.inside.is_empty() {
            out.push_str(&format!("{indent}{id}[{}]\n", svg::quoted(&text)));
        } else {
            out.push_str(&format!("{indent}subgraph {id}[{}]\n", svg::quoted(&text)));
            chart(&entry.inside, entry.in_order, depth + 1, count, out);
            out.push_str(&format!("{indent}end\n"));
        }
        if let Some(before) = before.replace(id.clone()).filter(|_| in_order) {
            out.push_str(&format!("{indent}{before} --> {id}\n"));
        }
    }
}
