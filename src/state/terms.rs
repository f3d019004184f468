//! Terms that cards, rules and the engine share.

/// How long a counter, a difference of a quantity or an entry of a card lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// Until the action ends.
    Action,
    /// Until the turn ends.
    Turn,
    /// Until the step ends.
    Step,
    /// Until the round ends.
    Round,
    /// Until the game ends.
    Game,
}

impl Lifetime {
    /// All lifetimes, shortest first.
    pub const ALL: [Lifetime; 5] = [Lifetime::Action, Lifetime::Turn, Lifetime::Step, Lifetime::Round, Lifetime::Game];

    /// Returns the word for this lifetime in rules and card files.
    pub fn word(self) -> &'static str {
        match self {
            Lifetime::Action => "action",
            Lifetime::Turn => "turn",
            Lifetime::Step => "step",
            Lifetime::Round => "round",
            Lifetime::Game => "game",
        }
    }

    /// Returns the lifetime with this word; `None` if there is none.
    pub fn from_word(word: &str) -> Option<Lifetime> {
        Lifetime::ALL.into_iter().find(|lifetime| lifetime.word() == word)
    }
}

/// The players that an entry of a card applies to, relative to the owner of the card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Who {
    /// The owner; for a card on the table, the player whose moment is raised.
    #[default]
    Me,
    /// All players except the owner of the card.
    Others,
    /// All players, including the owner.
    All,
}
