//! Mutation testing: every clause of the rules and every line of a card is changed, one at a time, and the tests are run against each
//! change. A change that no test detects is a rule that no test covers.
//!
//! Mutations are applied to the text (a [`Mutant`] is a range with its replacement), so that they can be shown as an author would write
//! them. DeMillo, Lipton, Sayward: Hints on Test Data Selection, Computer 11(4), 1978.

mod cards;
mod equal;
mod names;
pub mod needless;
mod plan;
mod report;
mod rules;
mod script;
mod trial;

pub use cards::mutants_of_cards;
pub use equal::{EquivalentMutant, parse_equal};
pub use names::NameCategories;
pub use plan::{MutantFilter, MutantResult, MutationPlan, plan, try_all};
pub use report::{MutantLine, table};
pub use rules::mutants_of_rules;
pub use trial::{MutationSubject, SubjectText, Verdict, run_tests};

/// A mutation operator: a kind of change that is made to rules or cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutationOperator {
    /// A number is increased by one.
    Number,
    /// `<` becomes `<=`, `==` becomes `!=`.
    Comparison,
    /// `and` becomes `or`, `not` is removed, a condition is negated.
    Condition,
    /// `+` becomes `-`.
    Arithmetic,
    /// A name becomes another one of the same category: a resource, a kind, a stat.
    Name,
    /// A direction is reversed: forwards or backwards, highest or lowest, in or out, one's own or everybody's.
    Direction,
    /// A line, an entry, or a part of one is removed.
    Removed,
}

impl MutationOperator {
    /// All operators in the order of the report.
    pub const ALL: [MutationOperator; 7] = [
        MutationOperator::Number,
        MutationOperator::Comparison,
        MutationOperator::Condition,
        MutationOperator::Arithmetic,
        MutationOperator::Name,
        MutationOperator::Direction,
        MutationOperator::Removed,
    ];

    /// Returns the name of the operator in reports.
    pub fn name(self) -> &'static str {
        match self {
            MutationOperator::Number => "number",
            MutationOperator::Comparison => "comparison",
            MutationOperator::Condition => "condition",
            MutationOperator::Arithmetic => "arithmetic",
            MutationOperator::Name => "name",
            MutationOperator::Direction => "direction",
            MutationOperator::Removed => "removed",
        }
    }
}

/// A mutation of a text: a range of the text with its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The operator that has produced the mutation.
    pub class: MutationOperator,
    /// Offset of the first byte that is replaced.
    pub start: usize,
    /// Offset after the last byte that is replaced.
    pub end: usize,
    /// The text that replaces the range.
    pub replacement: String,
    /// Id of the card that contains the mutation: tests that name the card are run first.
    pub card: Option<String>,
    /// Name of the variant that contains the mutation: only tests with the variant can detect it.
    pub variant: Option<String>,
}

impl Mutant {
    /// Returns the text with the mutation applied.
    pub fn apply_to(&self, text: &str) -> String {
        format!("{}{}{}", text.get(..self.start).unwrap_or(""), self.replacement, text.get(self.end..).unwrap_or(""))
    }

    /// Returns the line in which the mutation begins: its number from 1, and its trimmed text.
    pub fn first_line<'t>(&self, text: &'t str) -> (usize, &'t str) {
        let before = text.get(..self.start).unwrap_or("");
        let number = before.matches('\n').count() + 1;
        let begins = before.rfind('\n').map_or(0, |at| at + 1);
        (number, text.get(begins..).and_then(|rest| rest.lines().next()).unwrap_or("").trim())
    }

    /// Returns which occurrence of the replaced text in its line this is, counted from 1.
    pub fn number_in_line(&self, text: &str) -> usize {
        let begins = text.get(..self.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let was = text.get(self.start..self.end).unwrap_or("");
        1 + text.get(begins..self.start).map_or(0, |before| before.matches(was).count())
    }

    /// Returns the original text and its replacement, each without line breaks.
    pub fn original_and_replacement(&self, text: &str) -> (String, String) {
        let short = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
        (short(text.get(self.start..self.end).unwrap_or("")), short(&self.replacement))
    }
}

/// Sorts mutations by position and removes duplicates and those without effect.
fn sort_and_dedup(text: &str, mut found: Vec<Mutant>) -> Vec<Mutant> {
    found.retain(|mutant| text.get(mutant.start..mutant.end).is_some_and(|was| was != mutant.replacement));
    found.sort_by(|a, b| (a.start, a.end, a.class, &a.replacement).cmp(&(b.start, b.end, b.class, &b.replacement)));
    found.dedup_by(|a, b| (a.start, a.end, &a.replacement) == (b.start, b.end, &b.replacement));
    found
}
