//! Comparing numbers, in rules, cards and overlays alike.

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
}

impl Compare {
    const ALL: [Compare; 6] = [Compare::Equal, Compare::Unequal, Compare::Less, Compare::AtMost, Compare::More, Compare::AtLeast];

    /// How it is written.
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

    /// The comparison that these signs stand for.
    pub fn of_signs(signs: &str) -> Option<Compare> {
        Compare::ALL.into_iter().find(|compare| compare.signs() == signs)
    }

    /// The comparison that is true where this one is not.
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

    /// The comparison that says the same with its sides exchanged.
    pub fn turned(self) -> Compare {
        match self {
            Compare::Equal => Compare::Equal,
            Compare::Unequal => Compare::Unequal,
            Compare::Less => Compare::More,
            Compare::AtMost => Compare::AtLeast,
            Compare::More => Compare::Less,
            Compare::AtLeast => Compare::AtMost,
        }
    }

    /// Whether it is true of two numbers.
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
