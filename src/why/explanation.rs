//! What a value comes from: a tree of parts, each of which says how its own parts make it.

use crate::cast;
use serde::ser::{Serialize, Serializer};

use crate::compare::Compare;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Explanation {
    /// What it is: the words of the rules or of the card, the name of a card or of a seat.
    pub what: String,
    /// File, line and column of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The value; truth is 1 or 0, no card is -1, words are their indices.
    pub value: i64,
    /// The value in words.
    pub says: String,
    /// How the parts make the value.
    pub how: How,
    /// What it is to that of which it is a part.
    #[serde(skip_serializing_if = "Role::is_plain")]
    pub role: Role,
    /// What it is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Explanation>,
}

/// How parts make a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It is written or printed so.
    Written,
    /// It stands so in the game now.
    Stands,
    /// It is what its part is.
    Same,
    /// The parts are added; those that are [`Role::Minus`] are taken off.
    Sum,
    /// The parts are multiplied.
    Product,
    /// The first by the second, rounded down.
    Quotient,
    /// The smallest part; 0 without any.
    Lowest,
    /// The largest part; 0 without any.
    Highest,
    /// The lowest part that at least half of them do not exceed; 0 without any.
    Median,
    /// How many parts are not 0.
    Count,
    /// Whether all parts hold.
    All,
    /// Whether a part holds.
    Any,
    /// Whether the part does not hold.
    Not,
    /// A comparison of the two parts.
    Compare(Compare),
    /// The part that is [`Role::Then`], since its condition turns out as it does.
    If,
    /// The parts one after another: what it begins with, and what each makes of it, by its [`Role`].
    Steps,
    /// Whether [`Role::Mine`] is among the highest or lowest, of so many as [`Role::Leaders`].
    Rank {
        /// The highest count, not the lowest.
        top: bool,
        /// Those tied at the edge count.
        ties_in: bool,
    },
}

impl How {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            How::Written => "written",
            How::Stands => "stands",
            How::Same => "same",
            How::Sum => "sum",
            How::Product => "product",
            How::Quotient => "quotient",
            How::Lowest => "lowest",
            How::Highest => "highest",
            How::Median => "median",
            How::Count => "count",
            How::All => "all",
            How::Any => "any",
            How::Not => "not",
            How::Compare(how) => how.signs(),
            How::If => "if",
            How::Steps => "steps",
            How::Rank { top: true, ties_in: false } => "top, ties out",
            How::Rank { top: true, ties_in: true } => "top, ties in",
            How::Rank { top: false, ties_in: false } => "bottom, ties out",
            How::Rank { top: false, ties_in: true } => "bottom, ties in",
        }
    }

    /// Whether there is nothing to ask further.
    pub fn is_plain(self) -> bool {
        matches!(self, How::Written | How::Stands)
    }
}

impl Serialize for How {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// What a part is to the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// One of several alike.
    #[default]
    Part,
    /// It is taken off.
    Minus,
    /// Whether it counts at all; the value is made of the other parts.
    When,
    /// What is taken, since the condition turned out so.
    Then,
    /// What it begins with.
    Start,
    /// A card sets it to this.
    To,
    /// This is added.
    By,
    /// It is no less than this.
    AtLeast,
    /// It is no more than this.
    AtMost,
    /// How many count.
    Leaders,
    /// What the seat spoken of has.
    Mine,
    /// What another has.
    Theirs,
}

impl Role {
    fn is_plain(&self) -> bool {
        *self == Role::Part
    }
}

impl Explanation {
    /// The same in another role.
    pub fn as_a(self, role: Role) -> Explanation {
        Explanation { role, ..self }
    }

    /// Whether it does not hold, as a condition.
    pub fn is_false(&self) -> bool {
        self.value == 0
    }

    /// The parts that make the value.
    pub fn made_of(&self) -> impl Iterator<Item = &Explanation> {
        self.parts.iter().filter(|part| part.role != Role::When)
    }

    /// The value, worked out from the parts; `None` if they do not make one.
    pub fn recount(&self) -> Option<i64> {
        let values: Vec<i64> = self.made_of().map(|part| part.value).collect();
        let truth = |holds: bool| Some(holds as i64);
        match self.how {
            How::Written | How::Stands => self.parts.is_empty().then_some(self.value),
            How::Same | How::Not => match values[..] {
                [value] => Some(if self.how == How::Not { (value == 0) as i64 } else { value }),
                _ => None,
            },
            How::Sum => self.made_of().try_fold(0_i64, |sum, part| {
                if part.role == Role::Minus { sum.checked_sub(part.value) } else { sum.checked_add(part.value) }
            }),
            How::Product => values.into_iter().try_fold(1, i64::checked_mul),
            How::Quotient => match values[..] {
                [a, b] => a.checked_div(b).map(|quotient| quotient - (a % b != 0 && (a < 0) != (b < 0)) as i64),
                _ => None,
            },
            How::Lowest => Some(values.into_iter().min().unwrap_or(0)),
            How::Highest => Some(values.into_iter().max().unwrap_or(0)),
            How::Median => {
                let enough = |value: &&i64| 2 * values.iter().filter(|other| other <= value).count() >= values.len();
                Some(values.iter().filter(enough).min().copied().unwrap_or(0))
            }
            How::Count => Some(cast::count(values.into_iter().filter(|value| *value != 0).count())),
            How::All => truth(values.into_iter().all(|value| value != 0)),
            How::Any => truth(values.into_iter().any(|value| value != 0)),
            How::Compare(how) => match values[..] {
                [a, b] => truth(how.holds(a, b)),
                _ => None,
            },
            How::If => self.parts.iter().find(|part| part.role == Role::Then).map(|part| part.value),
            How::Steps => self.made_of().try_fold(0_i64, |value, part| match part.role {
                Role::Start | Role::To => Some(part.value),
                Role::By => value.checked_add(part.value),
                Role::AtLeast => Some(value.max(part.value)),
                Role::AtMost => Some(value.min(part.value)),
                Role::Part | Role::Minus | Role::When | Role::Then | Role::Leaders | Role::Mine | Role::Theirs => None,
            }),
            How::Rank { top, ties_in } => {
                let of = |role: Role| self.parts.iter().filter(move |part| part.role == role).map(|part| part.value);
                let (leaders, mine) = (of(Role::Leaders).next()?, of(Role::Mine).next()?);
                let beyond = cast::count(of(Role::Theirs).filter(|&theirs| if top { theirs > mine } else { theirs < mine }).count());
                let level = 1 + cast::count(of(Role::Theirs).filter(|&theirs| theirs == mine).count());
                truth(if ties_in { beyond < leaders } else { beyond + level <= leaders })
            }
        }
    }

    /// The first part, however deep, that its own parts do not make.
    pub fn gap(&self) -> Option<&Explanation> {
        if self.recount() != Some(self.value) {
            return Some(self);
        }
        self.parts.iter().find_map(Explanation::gap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(value: i64, role: Role) -> Explanation {
        Explanation { what: "wisp".into(), at: None, value, says: value.to_string(), how: How::Stands, role, parts: Vec::new() }
    }

    fn of(how: How, parts: &[(i64, Role)]) -> Option<i64> {
        let parts = parts.iter().map(|&(value, role)| part(value, role)).collect();
        Explanation { how, parts, ..part(0, Role::Part) }.recount()
    }

    #[test]
    fn parts_make_the_value_by_how_they_are_put_together() {
        use Role::*;
        assert_eq!(of(How::Sum, &[(5, Part), (2, Minus), (1, When)]), Some(3));
        assert_eq!(of(How::Product, &[(3, Part), (2, Part)]), Some(6));
        assert_eq!(of(How::Quotient, &[(-3, Part), (2, Part)]), Some(-2), "rounded down");
        assert_eq!(of(How::Quotient, &[(3, Part), (0, Part)]), None);
        assert_eq!(of(How::Highest, &[]), Some(0));
        assert_eq!(of(How::Median, &[(9, Part), (1, Part), (4, Part)]), Some(4));
        assert_eq!(of(How::Count, &[(1, Part), (0, Part), (1, Part)]), Some(2));
        assert_eq!(of(How::Steps, &[(5, Start), (2, To), (3, By), (4, AtMost), (7, AtLeast)]), Some(7));
        assert_eq!(of(How::If, &[(0, When), (8, Then)]), Some(8));
        assert_eq!(of(How::Same, &[(1, Part), (2, Part)]), None);
    }

    #[test]
    fn a_rank_is_recounted_with_its_ties() {
        use Role::*;
        let rank = |top, ties_in, theirs| of(How::Rank { top, ties_in }, &[(1, Leaders), (5, Mine), (theirs, Theirs)]);
        assert_eq!([rank(true, false, 4), rank(true, false, 5), rank(true, true, 5)], [Some(1), Some(0), Some(1)]);
        assert_eq!([rank(false, true, 4), rank(false, true, 5)], [Some(0), Some(1)]);
    }

    #[test]
    fn a_part_that_its_parts_do_not_make_is_found() {
        let wrong = Explanation { how: How::Not, parts: vec![part(1, Role::Part)], ..part(1, Role::Part) };
        let whole = Explanation { how: How::Same, parts: vec![wrong.clone()], ..part(1, Role::Part) };
        assert_eq!(whole.gap(), Some(&wrong));
        assert_eq!(part(4, Role::Part).gap(), None);
    }
}
