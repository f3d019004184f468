//! Explanations of values, as trees: each node says how its parts make up its value.

use crate::cast;
use crate::engine::graph::NumberOp;
use serde::ser::{Serialize, Serializer};

use crate::compare::Compare;

/// The explanation of a value.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Explanation {
    /// The subject of the explanation: an expression as written in the rules or on a card, or the name of a card or seat.
    #[serde(rename = "what")]
    pub subject: String,
    /// Location of the subject in the source, as file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "at")]
    pub location: Option<String>,
    /// The value of the subject. A truth value is 1 or 0, a missing card is -1, and a word is its index.
    pub value: i64,
    /// The value in words, as shown to users.
    #[serde(rename = "says")]
    pub value_text: String,
    /// How the value results from the parts.
    #[serde(rename = "how")]
    pub derivation: Derivation,
    /// The role of this node in the value of its parent.
    #[serde(skip_serializing_if = "PartRole::is_plain")]
    pub role: PartRole,
    /// The parts that the value results from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Explanation>,
}

/// How the value of a node results from its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// A constant, written in the rules or printed on a card.
    Written,
    /// A value that is read from the state of the game and has no parts.
    Stands,
    /// The value of the node's only part, unchanged.
    Same,
    /// The sum of the parts. Parts in [`PartRole::Minus`] are subtracted.
    Sum,
    /// The product of the parts.
    Product,
    /// An operation on two parts that has no word of its own here, such as a quotient.
    Arithmetic(NumberOp),
    /// The minimum of the parts; 0 if there are none.
    Lowest,
    /// The maximum of the parts; 0 if there are none.
    Highest,
    /// The lower median of the parts; 0 if there are none.
    Median,
    /// The number of parts that are not 0.
    Count,
    /// The length of the longest line, or the size of the largest group, of the parts, which are spaces of a board: at most their number.
    Among,
    /// Whether all parts are true.
    All,
    /// Whether at least one part is true.
    Any,
    /// Whether the part is false.
    Not,
    /// A comparison of two parts.
    Compare(Compare),
    /// The part in [`PartRole::Then`], which a condition selects.
    If,
    /// A start value to which the parts are applied in order, each as its [`PartRole`] says.
    Steps,
    /// Whether [`PartRole::Mine`] is among the [`PartRole::Leaders`] highest or lowest values.
    Rank {
        /// Whether the highest values are counted, rather than the lowest.
        top: bool,
        /// Whether values that tie with the last counted one are included.
        ties_in: bool,
    },
}

impl Derivation {
    /// Returns the name of the variant in the JSON output.
    pub fn json_name(self) -> &'static str {
        match self {
            Derivation::Written => "written",
            Derivation::Stands => "stands",
            Derivation::Same => "same",
            Derivation::Sum => "sum",
            Derivation::Product => "product",
            Derivation::Arithmetic(how) => how.name_and_sign().0,
            Derivation::Lowest => "lowest",
            Derivation::Highest => "highest",
            Derivation::Median => "median",
            Derivation::Count => "count",
            Derivation::Among => "among",
            Derivation::All => "all",
            Derivation::Any => "any",
            Derivation::Not => "not",
            Derivation::Compare(how) => how.signs(),
            Derivation::If => "if",
            Derivation::Steps => "steps",
            Derivation::Rank { top: true, ties_in: false } => "top, ties out",
            Derivation::Rank { top: true, ties_in: true } => "top, ties in",
            Derivation::Rank { top: false, ties_in: false } => "bottom, ties out",
            Derivation::Rank { top: false, ties_in: true } => "bottom, ties in",
        }
    }

    /// Whether a node with this derivation has no parts to explain.
    pub fn is_plain(self) -> bool {
        matches!(self, Derivation::Written | Derivation::Stands)
    }
}

impl Serialize for Derivation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.json_name())
    }
}

/// The role of a part in the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartRole {
    /// One of several parts that all count alike, such as a term of a sum.
    #[default]
    Part,
    /// A part that is subtracted from the others.
    Minus,
    /// A condition on which the value depends. Its own value is not part of the result.
    When,
    /// The value that a condition selects.
    Then,
    /// The start value, to which the following parts are applied.
    Start,
    /// The value that a card sets the quantity to.
    To,
    /// An amount that a card adds.
    By,
    /// A lower bound of the value.
    AtLeast,
    /// An upper bound of the value.
    AtMost,
    /// The number of leading values that count.
    Leaders,
    /// The value of the seat whose rank is explained.
    Mine,
    /// The value of another seat, with which the value is compared.
    Theirs,
}

impl PartRole {
    fn is_plain(&self) -> bool {
        *self == PartRole::Part
    }
}

impl Explanation {
    /// Returns the explanation with another role in its parent.
    pub fn with_role(self, role: PartRole) -> Explanation {
        Explanation { role, ..self }
    }

    /// Whether this is a condition that does not hold.
    pub fn is_false(&self) -> bool {
        self.value == 0
    }

    /// Returns the parts that contribute to the value: all but conditions.
    pub fn contributing_parts(&self) -> impl Iterator<Item = &Explanation> {
        self.parts.iter().filter(|part| part.role != PartRole::When)
    }

    /// Computes the value from the values of the parts. Returns `None` if the parts do not determine a value.
    pub fn recount(&self) -> Option<i64> {
        let values: Vec<i64> = self.contributing_parts().map(|part| part.value).collect();
        let truth = |holds: bool| Some(holds as i64);
        match self.derivation {
            Derivation::Written | Derivation::Stands => self.parts.is_empty().then_some(self.value),
            Derivation::Same | Derivation::Not => match values[..] {
                [value] => Some(if self.derivation == Derivation::Not { (value == 0) as i64 } else { value }),
                _ => None,
            },
            Derivation::Sum => self.contributing_parts().try_fold(0_i64, |sum, part| {
                if part.role == PartRole::Minus { sum.checked_sub(part.value) } else { sum.checked_add(part.value) }
            }),
            Derivation::Product => values.into_iter().try_fold(1, i64::checked_mul),
            Derivation::Arithmetic(how) => match values[..] {
                [a, b] => how.apply(a, b),
                _ => None,
            },
            Derivation::Lowest => Some(values.into_iter().min().unwrap_or(0)),
            Derivation::Highest => Some(values.into_iter().max().unwrap_or(0)),
            Derivation::Median => {
                let enough = |value: &&i64| 2 * values.iter().filter(|other| other <= value).count() >= values.len();
                Some(values.iter().filter(enough).min().copied().unwrap_or(0))
            }
            Derivation::Count => Some(cast::count(values.into_iter().filter(|value| *value != 0).count())),
            Derivation::Among => {
                let most = cast::count(values.len());
                (self.value.min(1) == most.min(1) && self.value <= most).then_some(self.value)
            }
            Derivation::All => truth(values.into_iter().all(|value| value != 0)),
            Derivation::Any => truth(values.into_iter().any(|value| value != 0)),
            Derivation::Compare(how) => match values[..] {
                [a, b] => truth(how.holds(a, b)),
                _ => None,
            },
            Derivation::If => self.parts.iter().find(|part| part.role == PartRole::Then).map(|part| part.value),
            Derivation::Steps => self.contributing_parts().try_fold(0_i64, |value, part| match part.role {
                PartRole::Start | PartRole::To => Some(part.value),
                PartRole::By => value.checked_add(part.value),
                PartRole::AtLeast => Some(value.max(part.value)),
                PartRole::AtMost => Some(value.min(part.value)),
                PartRole::Part
                | PartRole::Minus
                | PartRole::When
                | PartRole::Then
                | PartRole::Leaders
                | PartRole::Mine
                | PartRole::Theirs => None,
            }),
            Derivation::Rank { top, ties_in } => {
                let of = |role: PartRole| self.parts.iter().filter(move |part| part.role == role).map(|part| part.value);
                let (leaders, mine) = (of(PartRole::Leaders).next()?, of(PartRole::Mine).next()?);
                let beyond = cast::count(of(PartRole::Theirs).filter(|&theirs| if top { theirs > mine } else { theirs < mine }).count());
                let level = 1 + cast::count(of(PartRole::Theirs).filter(|&theirs| theirs == mine).count());
                truth(if ties_in { beyond < leaders } else { beyond + level <= leaders })
            }
        }
    }

    /// Finds the first node in the tree whose value does not equal the value computed from its parts.
    pub fn first_mismatch(&self) -> Option<&Explanation> {
        if self.recount() != Some(self.value) {
            return Some(self);
        }
        self.parts.iter().find_map(Explanation::first_mismatch)
    }
}
