//! Mutation testing: every clause of the rules and every line of a card is changed, one at a time, and the tests are asked
//! whether they notice. A change that nobody notices is a rule that no test holds.
//!
//! Changes are made in the text (a [`Mutant`] is a place and what stands there instead), so that they can be shown as they would be
//! written. DeMillo, Lipton, Sayward: Hints on Test Data Selection, Computer 11(4), 1978.

mod cards;
mod equal;
mod names;
mod plan;
mod report;
mod rules;
mod script;
mod trial;

pub use cards::mutants_of_cards;
pub use equal::{Equal, parse_equal};
pub use names::Siblings;
pub use plan::{Planned, Tried, Wanted, plan, try_all};
pub use report::{TriedLine, table};
pub use rules::mutants_of_rules;
pub use trial::{Subject, Verdict, Written, judge};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A number is greater by one.
    Number,
    /// `<` becomes `<=`, `==` becomes `!=`.
    Comparison,
    /// `and` becomes `or`, `not` goes, a condition turns round.
    Condition,
    /// `+` becomes `-`.
    Arithmetic,
    /// A name becomes another of its sort: a resource, a kind, a stat.
    Name,
    /// Forwards or backwards, the most or the least, in or out, mine or everybody's.
    Direction,
    /// A line, an entry, or a part of one goes.
    Removed,
}

impl Class {
    /// All classes, in the order in which they are told.
    pub const ALL: [Class; 7] =
        [Class::Number, Class::Comparison, Class::Condition, Class::Arithmetic, Class::Name, Class::Direction, Class::Removed];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Class::Number => "number",
            Class::Comparison => "comparison",
            Class::Condition => "condition",
            Class::Arithmetic => "arithmetic",
            Class::Name => "name",
            Class::Direction => "direction",
            Class::Removed => "removed",
        }
    }
}

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What is changed.
    pub class: Class,
    /// The first byte of what is changed.
    pub start: usize,
    /// The first byte behind it.
    pub end: usize,
    /// What stands there instead.
    pub now: String,
    /// The card that it is about: tests that name it are asked first.
    pub card: Option<String>,
    /// The variant in which it stands: without it nobody meets it.
    pub variant: Option<String>,
}

impl Mutant {
    /// The text with the change.
    pub fn applied(&self, text: &str) -> String {
        format!("{}{}{}", text.get(..self.start).unwrap_or(""), self.now, text.get(self.end..).unwrap_or(""))
    }

    /// The line in which it begins, counted from 1, and that line as it was, without spaces around it.
    pub fn line<'t>(&self, text: &'t str) -> (usize, &'t str) {
        let before = text.get(..self.start).unwrap_or("");
        let number = before.matches('\n').count() + 1;
        let begins = before.rfind('\n').map_or(0, |at| at + 1);
        (number, text.get(begins..).and_then(|rest| rest.lines().next()).unwrap_or("").trim())
    }

    /// How often what it changes has stood in its line up to there: 1 for the first.
    pub fn number_in_line(&self, text: &str) -> usize {
        let begins = text.get(..self.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let was = text.get(self.start..self.end).unwrap_or("");
        1 + text.get(begins..self.start).map_or(0, |before| before.matches(was).count())
    }

    /// What was there and what is there now, in one line each.
    pub fn change(&self, text: &str) -> (String, String) {
        let short = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
        (short(text.get(self.start..self.end).unwrap_or("")), short(&self.now))
    }
}

/// The same change twice is one, and one that changes nothing is none; in the order of the text.
fn tidy(text: &str, mut found: Vec<Mutant>) -> Vec<Mutant> {
    found.retain(|mutant| text.get(mutant.start..mutant.end).is_some_and(|was| was != mutant.now));
    found.sort_by(|a, b| (a.start, a.end, a.class, &a.now).cmp(&(b.start, b.end, b.class, &b.now)));
    found.dedup_by(|a, b| (a.start, a.end, &a.now) == (b.start, b.end, &b.now));
    found
}
