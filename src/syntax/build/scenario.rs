//! Builds lines of scenarios.

use super::super::ast::scenario::*;
use super::super::grammar::Rule;
use super::super::scan::{Origin, TextMode};
use super::read::FromRule;
use super::{BuildResult, Builder, Parts, RulePair, parse};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;

/// Parses the lines of `given`, which begin at byte `offset` of their file.
pub fn parse_given(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<Given>> {
    lines(Origin { file, offset }, text, Rule::given_lines, Rule::one_given_line, diagnostics)
}

/// Parses the lines of `when`, which begin at byte `offset` of their file.
pub fn parse_when(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<When>> {
    lines(Origin { file, offset }, text, Rule::when_lines, Rule::one_when_line, diagnostics)
}

/// Parses the lines of `then`, which begin at byte `offset` of their file.
pub fn parse_then(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<Then>> {
    lines(Origin { file, offset }, text, Rule::then_lines, Rule::one_then_line, diagnostics)
}

fn lines<T: FromRule>(origin: Origin, text: &str, rule: Rule, alone: Rule, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<T>> {
    let read = |builder: &Builder<'_>, node: RulePair<'_>| Ok(builder.build_block(node, alone, Builder::build_node).items);
    parse(origin, text, TextMode::Lines, rule, diagnostics, read).unwrap_or_default()
}

impl Builder<'_> {
    pub fn build_next_face(&self, node: RulePair<'_>) -> BuildResult<NextFace> {
        let mut names = Parts::of(self, node);
        let first = names.name()?;
        Ok(match names.maybe_name() {
            Some(face) => NextFace { sort: Some(first), face },
            None => NextFace { sort: None, face: first },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_what_they_say() {
        let mut found = Vec::new();
        let lines = parse_given(
            FileId(0),
            "round 2 # the second\np1.hand = 2 grey:sun, seed; p1.hand = nothing\nput a#2 in m row 1 with 2 b",
            0,
            &mut found,
        );
        assert_eq!(found, []);
        assert!(
            matches!(&lines[1].kind, Given::Set { value: GivenValue::Tokens(tokens), .. } if tokens.len() == 2 && tokens[0].face.is_some())
        );
        assert!(matches!(&lines[2].kind, Given::Set { value: GivenValue::Tokens(tokens), .. } if tokens.is_empty()));
        assert!(matches!(&lines[3].kind, Given::Put { card, column: None, with: Some(_), .. } if card.text == "a#2"));
        let lines = parse_then(
            FileId(0),
            "p1.a + p1.b gained 2; most famous is p1, p2\np1 cannot buy x because b > 2; p1.a is p1.b",
            0,
            &mut found,
        );
        assert_eq!(found, []);
        assert!(matches!(&lines[1].kind, Then::Exactly { seats, condition } if seats.len() == 2 && condition.text() == "most famous"));
        assert!(matches!(&lines[2].kind, Then::Cannot { key, because: Some(Because::Condition(_)), .. } if key.text == "buy x"));
        assert!(matches!(&lines[3].kind, Then::Holds(_)));
    }
}
