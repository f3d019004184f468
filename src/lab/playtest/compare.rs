//! Paired comparison of games with and without a change: which measures differ, and with what certainty.

mod cross_play;
mod document;
mod false_alarms;
mod findings;
mod inference;
mod ladder;
mod ladder_findings;
mod measures;
mod pairs;
mod report;
mod rule_changes;
mod skill;
mod trainings;

pub use cross_play::CrossPlay;
pub use false_alarms::{Alarm, AlarmCounts, FalseAlarms, seed_of_run};
pub use inference::{ALPHA, Basis, Difference, InterimLooks, MIN_PAIRS, Pairs, ValueRange, false_discoveries, selection_alpha, two_sided};
pub use ladder::{Ladder, LadderVerdict, SignificantMeasure};
pub use measures::{Measure, measures};
pub use pairs::{ComparisonResults, Divergence, MIN_PAIRS_TO_STOP, Sides, StoppingRule, compare};
pub use report::{Comparison, DurationOfSides, FirstDivergence, MeasureRow, comparison};
pub use rule_changes::{RuleChange, rule_changes};
pub use skill::{Replaced, Skill};
