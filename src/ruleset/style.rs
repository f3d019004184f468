//! By what machine players go.

use crate::ruleset::{Ruleset, Worth};

/// More imagined states than these help no machine player.
pub const MOST_STATES: u32 = 100;

/// By what machine players go: one of the declarations of [`Ruleset::worths`], or the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(Option<usize>);

impl Ruleset {
    /// The style of this name; the one that has none if the name is empty.
    pub fn style(&self, name: &str) -> Option<Style> {
        self.worths.iter().position(|worth| worth.style == name).map(|at| Style(Some(at)))
    }

    /// What a state is worth by a style; `None` if it goes by the points.
    pub fn worth(&self, style: Style) -> Option<&Worth> {
        self.worths.get(style.0?)
    }

    /// How many states who goes by a style imagines unless told otherwise.
    pub fn states(&self, style: Style) -> u32 {
        self.worth(style).map_or(1, |worth| worth.states)
    }

    /// The style of who names none: as declared, or else by points.
    pub fn usual_style(&self) -> Style {
        self.style("").unwrap_or_default()
    }
}
