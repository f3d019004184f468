//! Equivalent mutants: a list of mutations that change nothing, each with a reason, so that they are not reported again.

use std::path::Path;

use serde::Deserialize;

use super::Mutant;

/// An equivalent mutant: a mutation that does not change the game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalentMutant {
    /// Name of the file, or the end of its path: `rules/wood.rules`.
    pub file: String,
    /// The line that contains the mutation, trimmed.
    pub line: String,
    /// The text of the file that is replaced.
    #[serde(rename = "was")]
    pub original: String,
    /// The text that replaces the original text.
    #[serde(rename = "now")]
    pub replacement: String,
    /// Which occurrence of `was` in the line is meant, counted from 1; only given if there are several.
    #[serde(rename = "at")]
    pub number_in_line: Option<usize>,
    /// Why no test can detect the mutation.
    #[serde(rename = "why")]
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EquivalentList {
    #[serde(default)]
    equal: Vec<EquivalentMutant>,
}

/// Parses a list of `[[equal]]` tables with `file`, `line`, `was`, `now` and `why`, and `at` if `was` is ambiguous.
///
/// # Errors
/// A message with the line of the error.
pub fn parse_equal(text: &str) -> Result<Vec<EquivalentMutant>, String> {
    let file: EquivalentList = toml::from_str(text).map_err(|fault| fault.to_string())?;
    match file.equal.iter().find(|equal| equal.reason.trim().is_empty()) {
        Some(equal) => Err(format!("`{}` in `{}` has no reason in `why`", equal.original, equal.line)),
        None => Ok(file.equal),
    }
}

impl EquivalentMutant {
    /// Whether the entry is about the file with this path.
    pub fn is_of(&self, path: &str) -> bool {
        Path::new(path).ends_with(&self.file)
    }

    /// Whether the entry describes this mutant of the file with this name and text.
    pub fn matches(&self, name: &str, text: &str, mutant: &Mutant) -> bool {
        let (was, now) = mutant.original_and_replacement(text);
        let line = mutant.first_line(text).1;
        let same = self.is_of(name) && (was, now) == (self.original.clone(), self.replacement.clone()) && line == self.line;
        same && self.number_in_line.is_none_or(|at| mutant.number_in_line(text) == at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::MutationOperator;

    #[test]
    fn a_change_is_known_by_its_line_and_its_words() {
        let list = "[[equal]]\nfile = 'wood.rules'\nline = 'gain 2 wisp'\nwas = '2'\nnow = '3'\nwhy = 'nobody has more'\n";
        let equal = parse_equal(list).unwrap();
        let text = "effect howl {\n  gain 2 wisp\n}\n";
        let mutant = Mutant { class: MutationOperator::Number, start: 21, end: 22, replacement: "3".into(), card: None, variant: None };
        assert!(equal[0].matches("wood.rules", text, &mutant));
        assert!(equal[0].matches("games/wood.rules", text, &mutant));
        assert!(!equal[0].matches("wall.rules", text, &mutant));
        assert!(!equal[0].matches("dogwood.rules", text, &mutant));
        assert!(!equal[0].matches("wood.rules", text, &Mutant { replacement: "4".into(), ..mutant }));
    }

    #[test]
    fn of_two_alike_in_a_line_the_one_that_is_meant_is_known() {
        let list = "[[equal]]\nfile = 'wood.rules'\nline = 'gain 2 wisp; lose 2 moss'\nwas = '2'\nnow = '3'\nat = 2\nwhy = 'all is lost'\n";
        let equal = parse_equal(list).unwrap();
        let text = "effect howl {\n  gain 2 wisp; lose 2 moss\n}\n";
        let mutant =
            |start| Mutant { class: MutationOperator::Number, start, end: start + 1, replacement: "3".into(), card: None, variant: None };
        assert!(!equal[0].matches("wood.rules", text, &mutant(21)));
        assert!(equal[0].matches("wood.rules", text, &mutant(34)));
        assert_eq!((mutant(21).number_in_line(text), mutant(34).number_in_line(text)), (1, 2));
    }

    #[test]
    fn a_list_without_reasons_is_refused() {
        assert!(parse_equal("[[equal]]\nfile = 'a'\nline = 'b'\nwas = 'c'\nnow = 'd'\nwhy = ' '\n").unwrap_err().contains("no reason"));
        assert!(parse_equal("[[equal]]\nfiel = 'a'\n").unwrap_err().contains("fiel"));
    }
}
