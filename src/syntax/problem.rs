//! Those syntax errors that other code has to recognise, as an enum.

use crate::diagnostic::{Fix, FixEdit};
use houserule_source::problems;

problems! {
    /// The syntax errors that other code has to recognise.
    #[allow(missing_docs, reason = "the table says what each of them means")]
    pub enum SyntaxProblem {
        error R001 SetsAValue => "`=` does not compare"
            label "this would set a value"
            help "write `==`"
            fix (Fix::place("=="));
        error R002 Expected { what: String, found: String, helps: Vec<String> } => "expected {what}, found `{found}`"
            label "not this"
            helps (helps);
        error R002 Reserved { word: String } => "`{word}` joins other words, and cannot be a name"
            label "not a name"
            help "call it something else, such as `{word}_1`";
        error R002 Missing { what: String, helps: Vec<String> } => "{what} is missing"
            label "after this"
            helps (helps);
        error R012 BeginsNothing { noun: String, word: String, is_verb: bool, helps: Vec<String> } => "no {noun} begins with `{word}`"
            label (if *is_verb { "unknown verb" } else { "unknown" })
            helps (helps);
        error P003 ClosesNothing { bracket: char } => "`{bracket}` closes nothing"
            label "nothing is open here that it could close"
            help "remove the `{bracket}`, or open it before"
            fix (Fix::new(format!("remove the `{bracket}`"), FixEdit::Place(String::new())));
    }
}
