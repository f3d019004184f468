//! Styles of play: how computer players value a state.

use crate::ruleset::{Ruleset, Worth};

/// The most states that a computer player imagines for each choice; more do not improve play.
pub const MAX_STATES: u32 = 100;

/// The number of states that are imagined where the rules declare no formula: one tells little where chance falls or others answer.
const STATES_BY_POINTS: u32 = 8;

/// Name of the style that plays by points alone, whatever the rules say a state is worth.
pub const POINTS: &str = "points";

/// A style of play: one of [`Ruleset::worths`], or by points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(Option<usize>);

impl Ruleset {
    /// Finds the style with this name, or the default one if it is empty. All rules have [`POINTS`], unless they declare it otherwise.
    pub fn find_style(&self, name: &str) -> Option<Style> {
        let declared = self.worths.iter().position(|worth| worth.style == name).map(|index| Style(Some(index)));
        declared.or_else(|| (name == POINTS).then(Style::default))
    }

    /// Returns the formula of a style; `None` if the style plays by points.
    pub fn worth_formula(&self, style: Style) -> Option<&Worth> {
        self.worths.get(style.0?)
    }

    /// Returns the number of imagined states that the rules declare for a style; `None` if they leave it to the player.
    pub fn default_states(&self, style: Style) -> Option<u32> {
        self.worth_formula(style).map_or(Some(STATES_BY_POINTS), |worth| worth.states)
    }

    /// Returns the default style: the declared one, or else by points.
    pub fn default_style(&self) -> Style {
        self.find_style("").unwrap_or_default()
    }
}
