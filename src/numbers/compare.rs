//! Comparison operators, shared by rules, cards and overlays.

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// The operator `==`.
    Equal,
    /// The operator `!=`.
    Unequal,
    /// The operator `<`.
    Less,
    /// The operator `<=`.
    AtMost,
    /// The operator `>`.
    More,
    /// The operator `>=`.
    AtLeast,
}

impl Compare {
    const ALL: [Compare; 6] = [Compare::Equal, Compare::Unequal, Compare::Less, Compare::AtMost, Compare::More, Compare::AtLeast];

    /// Returns the operator as written in rules, such as `<=`.
    pub fn signs(self) -> &'static str {
        match self {
            Compare::Equal => "==",
            Compare::Unequal => "!=",
            Compare::Less => "<",
            Compare::AtMost => "<=",
            Compare::More => ">",
            Compare::AtLeast => ">=",
        }
    }

    /// Parses an operator such as `<=`.
    pub fn of_signs(signs: &str) -> Option<Compare> {
        Compare::ALL.into_iter().find(|compare| compare.signs() == signs)
    }

    /// Returns the opposite operator, which holds whenever this one does not: `<` for `>=`.
    pub fn inverse(self) -> Compare {
        match self {
            Compare::Equal => Compare::Unequal,
            Compare::Unequal => Compare::Equal,
            Compare::Less => Compare::AtLeast,
            Compare::AtMost => Compare::More,
            Compare::More => Compare::AtMost,
            Compare::AtLeast => Compare::Less,
        }
    }

    /// Returns the operator for exchanged operands: `>` for `<`.
    pub fn with_operands_swapped(self) -> Compare {
        match self {
            Compare::Equal => Compare::Equal,
            Compare::Unequal => Compare::Unequal,
            Compare::Less => Compare::More,
            Compare::AtMost => Compare::AtLeast,
            Compare::More => Compare::Less,
            Compare::AtLeast => Compare::AtMost,
        }
    }

    /// Whether `a` compares to `b` as the operator says.
    #[inline]
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Compare::Equal => a == b,
            Compare::Unequal => a != b,
            Compare::Less => a < b,
            Compare::AtMost => a <= b,
            Compare::More => a > b,
            Compare::AtLeast => a >= b,
        }
    }
}
