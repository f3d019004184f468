//! What a change does to players who have learnt the rules of one side only, beside what it does to those who have adapted to it. It separates
//! the rule from the learning: who has learnt the rules without the change meets it unprepared.

use serde::Serialize;

use super::inference::Difference;

/// The difference that a change makes to its primary measure, by what players have learnt. Both sides are played by the same players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrossPlay {
    /// Name of the measure.
    pub measure: String,
    /// Played by those who have learnt the rules without the change.
    pub learnt_without: Difference,
    /// Played by those who have learnt the rules with the change.
    pub learnt_with: Difference,
}
