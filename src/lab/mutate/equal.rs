//! Changes that change nothing: a list with a reason for each, so that they are not told again.

use serde::Deserialize;

use super::Mutant;

/// A change after which the game is the same.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equal {
    /// The file.
    pub file: String,
    /// The line in which it begins, without spaces around it.
    pub line: String,
    /// What stands there.
    pub was: String,
    /// What would stand there.
    pub now: String,
    /// Where `was` stands more than once in the line: the first is 1.
    pub at: Option<usize>,
    /// Why nobody could notice.
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    equal: Vec<Equal>,
}

/// Reads a list: `[[equal]]` with `file`, `line`, `was`, `now` and `why`, and `at` where that is not clear.
///
/// # Errors
/// What is wrong with it, with its line.
pub fn parse_equal(text: &str) -> Result<Vec<Equal>, String> {
    let file: File = toml::from_str(text).map_err(|fault| fault.to_string())?;
    match file.equal.iter().find(|equal| equal.why.trim().is_empty()) {
        Some(equal) => Err(format!("`{}` in `{}` has no reason in `why`", equal.was, equal.line)),
        None => Ok(file.equal),
    }
}

impl Equal {
    /// Whether this is that change, of a file with this name and text.
    pub fn is(&self, name: &str, text: &str, mutant: &Mutant) -> bool {
        let name = name.strip_prefix("./").unwrap_or(name);
        let (was, now) = mutant.change(text);
        let line = mutant.line(text).1;
        let same = name == self.file && (was, now) == (self.was.clone(), self.now.clone()) && line == self.line;
        same && self.at.is_none_or(|at| mutant.number_in_line(text) == at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::Class;

    #[test]
    fn a_change_is_known_by_its_line_and_its_words() {
        let list = "[[equal]]\nfile = 'wood.rules'\nline = 'gain 2 wisp'\nwas = '2'\nnow = '3'\nwhy = 'nobody has more'\n";
        let equal = parse_equal(list).unwrap();
        let text = "effect howl {\n  gain 2 wisp\n}\n";
        let mutant = Mutant { class: Class::Number, start: 21, end: 22, now: "3".into(), card: None, variant: None };
        assert!(equal[0].is("wood.rules", text, &mutant));
        assert!(!equal[0].is("wall.rules", text, &mutant));
        assert!(!equal[0].is("wood.rules", text, &Mutant { now: "4".into(), ..mutant }));
    }

    #[test]
    fn of_two_alike_in_a_line_the_one_that_is_meant_is_known() {
        let list = "[[equal]]\nfile = 'wood.rules'\nline = 'gain 2 wisp; lose 2 moss'\nwas = '2'\nnow = '3'\nat = 2\nwhy = 'all is lost'\n";
        let equal = parse_equal(list).unwrap();
        let text = "effect howl {\n  gain 2 wisp; lose 2 moss\n}\n";
        let mutant = |start| Mutant { class: Class::Number, start, end: start + 1, now: "3".into(), card: None, variant: None };
        assert!(!equal[0].is("wood.rules", text, &mutant(21)));
        assert!(equal[0].is("wood.rules", text, &mutant(34)));
        assert_eq!((mutant(21).number_in_line(text), mutant(34).number_in_line(text)), (1, 2));
    }

    #[test]
    fn a_list_without_reasons_is_refused() {
        assert!(parse_equal("[[equal]]\nfile = 'a'\nline = 'b'\nwas = 'c'\nnow = 'd'\nwhy = ' '\n").unwrap_err().contains("no reason"));
        assert!(parse_equal("[[equal]]\nfiel = 'a'\n").unwrap_err().contains("fiel"));
    }
}
