//! Those faults of texts that somebody looks for again once they are found, as values.

use houserule_source::problems;

problems! {
    /// What can be wrong with a text in the language of rules.
    #[allow(missing_docs, reason = "the table says what each of them means")]
    pub enum Problem {
        error R001 SetsAValue => "`=` does not compare"
            label "this would set a value"
            help "write `==`";
        error R002 Expected { what: String, found: String, helps: Vec<String> } => "expected {what}, found `{found}`"
            label "not this"
            helps (helps);
        error R002 Missing { what: String, helps: Vec<String> } => "{what} is missing"
            label "after this"
            helps (helps);
        error R012 BeginsNothing { noun: String, word: String, is_verb: bool, helps: Vec<String> } => "no {noun} begins with `{word}`"
            label (if *is_verb { "unknown verb" } else { "unknown" })
            helps (helps);
        error P003 ClosesNothing { bracket: char } => "`{bracket}` closes nothing"
            label "nothing is open here that it could close"
            help "remove the `{bracket}`, or open it before";
    }
}
