//! All problems that are found in scripts before they run, as values, with the table of their messages.

use crate::diagnostic::Fix;
use houserule_source::problems;

/// More words than these are not listed in a message.
const MAX_WORDS_TOLD: usize = 12;

problems! {
    /// A problem with a script.
    pub(crate) enum ScriptProblem {
        error S001 Unreadable { message: String, label: String, helps: Vec<String> } => "{message}"
            label "{label}"
            helps (helps);
        error S002 UnknownName { name: String, near: Option<String> } => "unknown name `{name}`"
            label "neither a word of the rules nor a variable"
            meant (near.as_deref());
        error S002 OfSomebody { name: String, write: String } => "`{name}` belongs to somebody or something"
            label "to whom or what?"
            help "write `{write}`"
            fix_if (Fix::advised(name, &format!("write `{write}`")));
        error S003 UnknownFunction { name: String, near: Option<String> } => "unknown function `{name}`"
            label "neither a word of scripts nor declared by the rules"
            with (|wrong| match near {
                None => wrong.help("`houserule words` lists what scripts can do, and what the rules declare"),
                near => wrong.meant(near.as_deref()),
            });
        error S004 WrongNumberOfValues { name: String, takes: Vec<String>, given: usize, written: Vec<String> } =>
            (format!("`{name}` takes {} value{}, not {given}", takes.join(" or "), if *takes == ["1"] { "" } else { "s" }))
            label "wrong number of values"
            helps ((!written.is_empty()).then(|| format!("it is written {}", written.join(" or "))));
        error S005 WrongArgument { message: String, can_stand: Vec<String> } => "{message}"
            label "whenever this runs it is a fault"
            helps ((1..=MAX_WORDS_TOLD).contains(&can_stand.len()).then(|| format!("here can stand `{}`", can_stand.join("`, `"))));
        error S005 WordAsValue { name: String, what: &'static str, label: &'static str, write: Option<String> } =>
            "`{name}` is a word here, not {what}"
            label "{label}"
            helps (write.as_ref().map(|write| format!("write `{write}`")))
            fix_if (write.as_ref().map(|write| Fix::word(name, write)));
        error S006 TruthCompared { name: String } => "`{name}` is yes or no already"
            label "a script never finds it equal to a word or number"
            help "write `{name}(…)` or `!{name}(…)` by itself";
        error S006 AnswerAsText { text: String } => "`answer` is never the text \"{text}\""
            label "words of the rules are not texts"
            help "write `{text}` without quotation marks"
            fix (Fix::word(format!("\"{text}\""), text));
        error S007 NoField { message: String, help: String } => "{message}"
            label "asked for here"
            help "{help}";
        error S008 ValueUnused { name: String } => "no script uses `{name}`"
            label "computed for nothing"
            help "remove it, or use it in `do`"
            fix (Fix::remove(name));
        error S009 NameTaken { name: String, what: &'static str } => "`{name}` is {what} already"
            label "the script could not name that any more"
            help "give the value another name";
        error S010 AnswerUnused => "no script uses `answer`"
            label "whatever is answered, the same is done"
            help "use `answer`, or leave `ask` out; `ask = \"may\"` asks for yes or no";
        warning S011 DoesNothing { name: &'static str, number: i64, at_least_1: bool } => "`{name}` with {number} does nothing"
            label "nothing is done"
            help (match at_least_1 {
                true => "write a number from 1 on; for the opposite there are `gain` and `lose`",
                false => "write a number other than 0",
            });
    }
}
