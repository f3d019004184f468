//! Three columns with lines between them, which are as thick as what they stand for.

use super::svg::{self, Anchor};
use crate::table::escape_markup;

/// Width of a column of names, and of the space for lines between two columns.
const NAMES: u32 = 300;
const BETWEEN: u32 = 190;
/// Width of the bars.
const BAR: u32 = 12;
/// Height of all bars of the longest column together, about.
const HEIGHT: f64 = 480.0;
/// Smallest height of a bar with its name, and the space between two.
const SMALLEST: f64 = 16.0;
const GAP: f64 = 6.0;
/// Puts white around the letters of a text.
const HALO: &str = "<text paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"4\" stroke-linejoin=\"round\" ";
/// How thick a line must be for its amount to stand on it.
const READABLE: f64 = 11.0;
/// Most letters of a name.
const LETTERS: usize = 42;
/// Colours of what is in the middle, which most people can tell apart; the names say the same.
const COLORS: [&str; 8] = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bb5500", "#777777"];

/// A line between something at a side and something in the middle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    /// Index in the column at the side.
    pub side: usize,
    /// Index in the middle column.
    pub middle: usize,
    /// How thick it is; above 0.
    pub weight: f64,
}

/// Three columns with lines between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    pub(crate) title: String,
    /// What stands above the columns.
    pub(crate) heads: [String; 3],
    /// The names of each column.
    pub(crate) columns: [Vec<String>; 3],
    /// Lines from the left column to the middle.
    pub(crate) left: Vec<Link>,
    /// Lines from the middle to the right column.
    pub(crate) right: Vec<Link>,
    /// How many decimals of weights are told; `None` if they are not told.
    pub(crate) decimals: Option<usize>,
}

/// Where something lies, and how much of it lines have taken on each side.
#[derive(Clone, Copy, Debug)]
struct Bar {
    top: f64,
    height: f64,
    taken: [f64; 2],
}

impl Links {
    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }

    /// Sums the weights of lines at something in a column.
    fn weights(&self, column: usize, index: usize) -> (f64, f64) {
        let of =
            |links: &[Link], at: fn(&Link) -> usize| links.iter().filter(|link| at(link) == index).fold(0.0, |sum, link| sum + link.weight);
        match column {
            0 => (0.0, of(&self.left, |link| link.side)),
            1 => (of(&self.left, |link| link.middle), of(&self.right, |link| link.middle)),
            _ => (of(&self.right, |link| link.side), 0.0),
        }
    }

    /// Says a weight, behind a name.
    fn told(&self, weight: f64) -> String {
        self.decimals.map_or_else(String::new, |decimals| format!(" {}", amount(weight, decimals)))
    }

    /// What stands beside a bar: in the middle the name with what comes and goes, at a side the name alone, since what meets there may be
    /// unlike.
    fn label(&self, column: usize, index: usize, name: &str) -> String {
        let (before, behind) = self.weights(column, index);
        match (column, self.decimals) {
            (1, Some(decimals)) => format!("{name} +{} −{}", amount(before, decimals), amount(behind, decimals)),
            _ => name.to_string(),
        }
    }

    /// How much there is of something in a column: the more of what comes and what goes.
    fn weight(&self, column: usize, index: usize) -> f64 {
        let (before, behind) = self.weights(column, index);
        before.max(behind)
    }

    /// How thick a line of weight 1 is: as the bars of the fullest column fill the height.
    fn scale(&self) -> f64 {
        let sums = [0, 1, 2].map(|column| (0..self.columns[column].len()).map(|index| self.weight(column, index)).sum::<f64>());
        HEIGHT / sums.into_iter().fold(0.0, f64::max).max(f64::MIN_POSITIVE)
    }

    /// Lays the bars of each column one below the other.
    fn bars(&self, scale: f64) -> [Vec<Bar>; 3] {
        [0, 1, 2].map(|column| {
            let mut top = f64::from(svg::HEAD) + 28.0;
            let bars = (0..self.columns[column].len()).map(|index| {
                let height = self.weight(column, index) * scale;
                let bar = Bar { top, height, taken: [0.0; 2] };
                top += height.max(SMALLEST) + GAP;
                bar
            });
            bars.collect()
        })
    }

    /// Draws it as a graphic.
    pub fn svg(&self) -> String {
        let scale = self.scale();
        let mut bars = self.bars(scale);
        let lefts = [NAMES, NAMES + BAR + BETWEEN, NAMES + 2 * (BAR + BETWEEN)];
        let width = lefts[2] + BAR + NAMES;
        let (mut body, mut amounts) = (String::new(), String::new());
        for (links, from, to) in [(&self.left, 0, 1), (&self.right, 1, 2)] {
            for link in links {
                let (at_from, at_to) = if from == 0 { (link.side, link.middle) } else { (link.middle, link.side) };
                let thick = link.weight * scale;
                let mut place = |column: usize, index: usize, side: usize| {
                    let bar = &mut bars[column][index];
                    let y = bar.top + bar.taken[side];
                    bar.taken[side] += thick;
                    y
                };
                let (y1, y2) = (place(from, at_from, 1), place(to, at_to, 0));
                let (x1, x2) = (lefts[from] + BAR, lefts[to]);
                let half = (x1 + x2) / 2;
                let drawn = thick.max(1.0);
                let title = format!("{} – {}{}", self.columns[from][at_from], self.columns[to][at_to], self.told(link.weight));
                body.push_str(&format!(
                    "<path d=\"M{x1} {y1:.1}C{half} {y1:.1} {half} {y2:.1} {x2} {y2:.1}V{:.1}C{half} {:.1} {half} {:.1} {x1} {:.1}Z\" fill=\"{}\" \
                     fill-opacity=\"0.45\"><title>{}</title></path>\n",
                    y2 + drawn,
                    y2 + drawn,
                    y1 + drawn,
                    y1 + drawn,
                    color(link.middle),
                    escape_markup(&title)
                ));
                if self.decimals.is_some() && thick >= READABLE {
                    // How much it is stands where it leaves or reaches the side.
                    let (x, y, anchor) = if from == 0 { (x1 + 4, y1, Anchor::Start) } else { (x2 - 4, y2, Anchor::End) };
                    amounts.push_str(&svg::text(x, whole(y + thick / 2.0 + 4.0), anchor, false, self.told(link.weight).trim(), LETTERS));
                }
            }
        }
        body.push_str(&amounts);
        let mut end = 0.0_f64;
        for (column, names) in self.columns.iter().enumerate() {
            let (x, anchor) = match column {
                0 => (lefts[0] - 6, Anchor::End),
                1 => (lefts[1] + BAR / 2, Anchor::Middle),
                _ => (lefts[2] + BAR + 6, Anchor::Start),
            };
            body.push_str(&svg::text(x, svg::HEAD + 14, anchor, true, &self.heads[column], LETTERS));
            for (index, (name, bar)) in names.iter().zip(&bars[column]).enumerate() {
                let fill = if column == 1 { color(index) } else { svg::EDGE };
                body.push_str(&format!(
                    "<rect x=\"{}\" y=\"{:.1}\" width=\"{BAR}\" height=\"{:.1}\" fill=\"{fill}\"/>\n",
                    lefts[column],
                    bar.top,
                    bar.height.max(2.0)
                ));
                let middle = bar.top + bar.height.max(8.0) / 2.0 + 4.0;
                let label = svg::text(x, whole(middle), anchor, column == 1, &self.label(column, index, name), LETTERS);
                // Names in the middle stand on bars and lines.
                body.push_str(&if column == 1 { label.replace("<text ", HALO) } else { label });
                end = end.max(bar.top + bar.height.max(SMALLEST) + GAP);
            }
        }
        svg::graphic(&self.title, width, whole(end) + 12, &body)
    }

    /// Writes it as text of Mermaid: lines with their weights as a Sankey diagram, others as a flowchart.
    pub fn mermaid(&self) -> String {
        let Some(decimals) = self.decimals else {
            let mut out = svg::mermaid_head(&self.title) + "flowchart LR\n";
            for (column, names) in self.columns.iter().enumerate() {
                for (index, name) in names.iter().enumerate() {
                    out.push_str(&format!("  c{column}n{index}[{}]\n", svg::quoted(name)));
                }
            }
            self.left.iter().for_each(|link| out.push_str(&format!("  c0n{} --> c1n{}\n", link.side, link.middle)));
            self.right.iter().for_each(|link| out.push_str(&format!("  c1n{} --> c2n{}\n", link.middle, link.side)));
            return out;
        };
        // A name at both sides is two things there, and would be one here.
        let cell = |name: String| format!("\"{}\"", name.replace('"', "\"\""));
        let mut out = svg::mermaid_head(&self.title) + "sankey-beta\n";
        for link in &self.left {
            let (side, middle) = (self.columns[0][link.side].clone(), self.columns[1][link.middle].clone());
            out.push_str(&format!("{},{},{:.decimals$}\n", cell(format!("{side} +")), cell(middle), link.weight));
        }
        for link in &self.right {
            let (middle, side) = (self.columns[1][link.middle].clone(), self.columns[2][link.side].clone());
            out.push_str(&format!("{},{},{:.decimals$}\n", cell(middle), cell(format!("{side} −")), link.weight));
        }
        out
    }
}

/// Writes an amount: one that would be rounded to nothing is told as less than the least that is written.
fn amount(weight: f64, decimals: usize) -> String {
    let least = 0.1_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX));
    if weight > 0.0 && weight < least / 2.0 { format!("<{least:.decimals$}") } else { format!("{weight:.decimals$}") }
}

fn color(index: usize) -> &'static str {
    COLORS[index % COLORS.len()]
}

/// Rounds a place in a graphic, which is never below 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places in a graphic are small and not negative")]
fn whole(place: f64) -> u32 {
    place.max(0.0).round() as u32
}
