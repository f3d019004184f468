//! What both shapes of graphics have in common.

use crate::table::escape_markup;

/// Colour of edges.
pub(crate) const EDGE: &str = "#555555";
/// Height of the head with the title.
pub(crate) const HEAD: u32 = 44;

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// Puts a body into a graphic with a title, on white, so that it can be read on any ground.
pub(crate) fn graphic(title: &str, width: u32, height: u32, body: &str) -> String {
    let head = text(12, 26, Anchor::Start, true, title, usize::MAX);
    let title = escape_markup(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" \
         fill=\"#ffffff\"/>\n{head}{body}</svg>\n"
    )
}

/// Writes a text of at most so many letters; one that is cut has the whole of it as its title.
pub(crate) fn text(x: u32, y: u32, anchor: Anchor, bold: bool, text: &str, letters: usize) -> String {
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let (shown, title) = if text.chars().count() > letters {
        let shown: String = text.chars().take(letters.saturating_sub(1)).collect();
        (format!("{}…", shown.trim_end()), format!("<title>{}</title>", escape_markup(text)))
    } else {
        (text.to_string(), String::new())
    };
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"{}\"{weight}>{title}{}</text>\n", anchor.word(), escape_markup(&shown))
}

/// Quotes a text for Mermaid, where it may hold no quotes and no markup.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('#', "#35;").replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;"))
}

/// Writes the head of a text of Mermaid, with a title.
pub(crate) fn mermaid_head(title: &str) -> String {
    format!("---\ntitle: \"{}\"\n---\n", title.replace('\\', "\\\\").replace('"', "\\\""))
}
