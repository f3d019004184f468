//! Charts as data. What draws them, axes, bars and bands, is `page/draw.js`, which knows nothing of games.

use serde::Serialize;

use crate::playtest::Histogram;
use crate::playtest::table::TextTable;

/// A chart with the figures that it draws.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What is to be seen, as a sentence without its end.
    pub title: String,
    /// How it is meant.
    pub note: String,
    /// What colours mean.
    pub legend: Vec<Swatch>,
    /// Whether it takes the whole width of a page.
    pub wide: bool,
    /// What is drawn; `None` if only the figures are shown.
    pub drawing: Option<Drawing>,
    /// The figures.
    pub figures: TextTable,
    /// Whether a terminal shows the figures, too.
    pub in_text: bool,
}

/// What a colour means.
#[derive(Clone, Debug)]
pub struct Swatch {
    /// What it stands for.
    pub name: String,
    /// The colour, as the page's style names it.
    pub color: &'static str,
    /// Whether only an outline is drawn.
    pub hollow: bool,
}

/// The colour of what a chart is about.
pub const FIRST: &str = "var(--first)";
/// The colour of what it is compared with.
pub const SECOND: &str = "var(--second)";
/// The colour of parts of something that is drawn, too.
pub const PART: &str = "var(--part)";

impl Swatch {
    /// A filled colour.
    pub fn new(name: impl Into<String>, color: &'static str) -> Swatch {
        Swatch { name: name.into(), color, hollow: false }
    }

    /// An outline in the first colour.
    pub fn hollow(name: impl Into<String>) -> Swatch {
        Swatch { name: name.into(), color: FIRST, hollow: true }
    }

    /// What dots of differences mean: filled ones are shown to differ.
    pub fn of_differences(shown: &str, none: &str) -> Vec<Swatch> {
        vec![Swatch::new(shown, FIRST), Swatch::hollow("not shown"), Swatch::new(none, SECOND)]
    }
}

/// The axis along which values lie.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How its numbers are written, as d3-format knows it; plain if empty.
    pub format: &'static str,
    /// From where to where it reaches; as far as the values if `None`.
    pub domain: Option<[f64; 2]>,
}

impl Axis {
    /// An axis of numbers.
    pub fn new(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), ..Axis::default() }
    }

    /// An axis of shares.
    pub fn share(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), format: "%", domain: None }
    }
}

/// A row of a chart: a bar or a dot with its interval.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Mark {
    /// What stands beside it; lines are parted by `\n`.
    pub label: String,
    /// Where it lies.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Where it would lie if nothing mattered.
    pub even: Option<f64>,
    /// Whether only an outline is drawn, since nothing is shown.
    pub hollow: bool,
    /// Whether it is a part of another row.
    pub part: bool,
}

impl Mark {
    /// Whether it is off where it would lie if nothing mattered, by its whole interval.
    pub fn is_off(&self) -> bool {
        self.interval.zip(self.even).is_some_and(|([low, high], even)| low > even || high < even)
    }
}

/// A point of a line from round to round.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CoursePoint {
    /// Where it lies: the number of a round; the end comes one after the last.
    pub at: u64,
    /// Whether it is the end.
    pub end: bool,
    /// Its value.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
}

/// What a chart draws.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "draw", rename_all = "snake_case")]
pub enum Drawing {
    /// Rows of bars from 0.
    Bars {
        /// The axis of values.
        axis: Axis,
        /// The bars, from above.
        rows: Vec<Mark>,
    },
    /// Rows of points with intervals.
    Dots {
        /// The axis of values.
        axis: Axis,
        /// The points, from above.
        rows: Vec<Mark>,
    },
    /// Histograms on top of each other, the first filled and the second as an outline.
    Distribution {
        /// What the numbers are.
        label: String,
        /// Of what the heights are shares.
        of: String,
        /// What a step of the numbers is worth.
        scale: f64,
        /// One or two histograms.
        histograms: Vec<Histogram>,
        /// A mean difference with its interval, to be marked beside no difference.
        mean: Option<Mark>,
    },
    /// A line from round to round, with a band.
    Course {
        /// The axis of values.
        axis: Axis,
        /// The points.
        points: Vec<CoursePoint>,
    },
    /// Several lines, each with a scale of its own.
    Courses {
        /// Name and points of each.
        each: Vec<(String, Vec<CoursePoint>)>,
    },
}
