//! Everything that can be wrong with purses, and with what is paid from them.

use houserule_source::problems;

problems! {
    /// The problems that a purse can have, or a price that is paid from it.
    pub(crate) enum PurseProblem {
        error R011 PaysForWhat { text: String } => "nothing says for which words this pays"
            label "a number pays for the words that it names"
            help "write `{text} for any`, or `{text} for WORD, WORD`; a tally by these words, or a printed row, pays for each of its own";
        error R011 PaysAnother { name: String } => "`{name}` is another player's, and a purse is one's own"
            label "not one's own"
            help "write a line for each word for which it pays: `NAME for WORD`, with `define NAME = left.TALLY[WORD]`; nothing of it is used up";
        error R011 PaysTwice { name: String } => "`{name}` would pay twice"
            label "it pays here as well"
            help "leave it out of one of them";
        error R011 UsedUpToo { name: String } => "`{name}` is used up as it pays, and `up to` a number only what stays can pay"
            label "used `up to` a number"
            help "leave `up to` out; or let `min(NUMBER, …)` pay in the purse, which stays, and take away what it has paid by a statement of its own";
        error R011 PursesDiffer { first: String, other: String } => "`{first}` and `{other}` pay for other words"
            label "a purse of other words"
            help "a price is paid from purses of the same words";
    }
}
