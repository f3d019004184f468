//! Builds lines of scenarios.

use super::super::ast::scenario::*;
use super::super::ast::{Block, ConditionName, Expr, ExprKind, Name};
use super::super::grammar::Rule;
use super::super::scan::{Origin, TextMode};
use super::{BuildResult, Builder, Parts, RulePair, parse};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;

/// Parses the lines of `given`, which begin at byte `offset` of their file.
pub fn parse_given(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<Given>> {
    lines(Origin { file, offset }, text, Rule::given_lines, Rule::one_given_line, diagnostics, |builder, node| builder.build_given(node))
}

/// Parses the lines of `when`, which begin at byte `offset` of their file.
pub fn parse_when(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<When>> {
    lines(Origin { file, offset }, text, Rule::when_lines, Rule::one_when_line, diagnostics, |builder, node| builder.build_when(node))
}

/// Parses the lines of `then`, which begin at byte `offset` of their file.
pub fn parse_then(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScenarioLine<Then>> {
    lines(Origin { file, offset }, text, Rule::then_lines, Rule::one_then_line, diagnostics, |builder, node| builder.build_then(node))
}

fn lines<T>(
    origin: Origin,
    text: &str,
    rule: Rule,
    alone: Rule,
    diagnostics: &mut Vec<Diagnostic>,
    build: impl Fn(&Builder<'_>, RulePair<'_>) -> BuildResult<T>,
) -> Vec<ScenarioLine<T>> {
    let read = |builder: &Builder<'_>, node: RulePair<'_>| {
        let line = |builder: &Builder<'_>, node: RulePair<'_>| Ok(ScenarioLine { span: builder.span(&node), kind: build(builder, node)? });
        let block: Block<ScenarioLine<T>> = builder.build_block(node, alone, line);
        Ok(block.items)
    };
    parse(origin, text, TextMode::Lines, rule, diagnostics, read).unwrap_or_default()
}

impl Builder<'_> {
    fn build_given(&self, node: RulePair<'_>) -> BuildResult<Given> {
        let mut parts = Parts::of(self, node);
        Ok(match parts.rule() {
            Rule::given_order => Given::Order(parts.rest().map(|seat| self.name(&seat)).collect()),
            Rule::given_legend => Given::Legend(parts.rest().map(|sign| self.build_node(sign)).collect::<BuildResult<_>>()?),
            Rule::given_picture => {
                let place = parts.name()?;
                let row = |row: RulePair<'_>| Parts::of(self, row).rest().map(|cell| self.name(&cell)).collect();
                Given::Picture { place, rows: parts.rest().map(row).collect() }
            }
            Rule::given_put => {
                let (card, place) = (parts.name()?, parts.name()?);
                let mut number = |rule| parts.maybe(rule).map(|node| Parts::of(self, node).expr()).transpose();
                let (row, column) = (number(Rule::given_row)?, number(Rule::given_column)?);
                let over = parts.maybe(Rule::given_over).map(|over| Parts::of(self, over).name()).transpose()?;
                let with = parts.maybe(Rule::given_with).map(|with| self.build_node(with)).transpose()?;
                Given::Put { card, place, row, column, over, with }
            }
            Rule::next_roll | Rule::next_draw | Rule::next_take | Rule::next_random => Given::Next(self.build_next(parts)?),
            Rule::given_set => {
                Given::Set { target: self.build_given_target(parts.node()?)?, value: self.build_given_value(parts.node()?)? }
            }
            _ => parts.kind()?,
        })
    }

    fn build_next(&self, mut parts: Parts<'_, '_, '_>) -> BuildResult<Next> {
        let face = |node: RulePair<'_>| {
            let mut names = Parts::of(self, node);
            let first = names.name()?;
            Ok(match names.maybe_name() {
                Some(face) => NextFace { sort: Some(first), face },
                None => NextFace { sort: None, face: first },
            })
        };
        Ok(match parts.rule() {
            Rule::next_take => Next::Take(parts.rest().map(|token| self.build_node(token)).collect::<BuildResult<_>>()?),
            Rule::next_random => Next::Random(parts.rest().map(|one| self.name(&one)).collect()),
            Rule::next_roll => Next::Roll(parts.rest().map(face).collect::<BuildResult<_>>()?),
            _ => parts.kind()?,
        })
    }

    fn build_given_target(&self, node: RulePair<'_>) -> BuildResult<Expr> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let kind = match parts.maybe(Rule::index) {
            Some(index) => ExprKind::Item { name, index: self.expr(index)? },
            None => ExprKind::Name(name),
        };
        Ok(Expr { kind: Box::new(kind), span })
    }

    fn build_given_value(&self, node: RulePair<'_>) -> BuildResult<GivenValue> {
        Ok(match node.as_rule() {
            Rule::given_nothing => GivenValue::Tokens(Vec::new()),
            Rule::given_tokens => {
                GivenValue::Tokens(Parts::of(self, node).rest().map(|token| self.build_node(token)).collect::<BuildResult<_>>()?)
            }
            _ => GivenValue::Expr(self.expr(node)?),
        })
    }

    fn build_when(&self, node: RulePair<'_>) -> BuildResult<When> {
        let mut parts = Parts::of(self, node);
        Ok(match parts.rule() {
            Rule::next_roll | Rule::next_draw | Rule::next_take | Rule::next_random => When::Next(self.build_next(parts)?),
            _ => parts.kind()?,
        })
    }

    fn build_then(&self, node: RulePair<'_>) -> BuildResult<Then> {
        let mut parts = Parts::of(self, node);
        Ok(match parts.rule() {
            Rule::then_winner => Then::Winner(self.build_seats(parts)),
            Rule::then_standing => Then::Standing(self.build_seats(parts)),
            Rule::then_order => Then::Order(self.build_seats(parts)),
            Rule::then_able => {
                let (seat, key) = (parts.name()?, parts.name()?);
                if parts.has_keyword(Rule::CAN) {
                    return Ok(Then::Can { seat, key });
                }
                let because = match parts.maybe_quoted() {
                    Some(text) => Some(Because::Text(text)),
                    None => parts.maybe_expr(Rule::expr)?.map(Because::Condition),
                };
                Then::Cannot { seat, key, because }
            }
            Rule::then_moved => {
                let (what, by) = (parts.expr()?, parts.expr()?);
                if parts.has_keyword(Rule::GAINED) { Then::Gained { what, by } } else { Then::Lost { what, by } }
            }
            Rule::then_exactly => Then::Exactly { condition: self.build_condition_name(&mut parts)?, seats: self.build_seats(parts) },
            _ => parts.kind()?,
        })
    }

    /// Builds the name of a condition, of one word or several.
    fn build_condition_name(&self, parts: &mut Parts<'_, '_, '_>) -> BuildResult<ConditionName> {
        if let Some(text) = parts.maybe_quoted() {
            return Ok(ConditionName::Quoted(text));
        }
        let mut name = parts.name()?;
        while let Some(more) = parts.maybe_name() {
            name = Name { text: format!("{} {}", name.text, more.text), span: name.span.to(more.span) };
        }
        Ok(ConditionName::Word(name))
    }

    fn build_seats(&self, parts: Parts<'_, '_, '_>) -> Vec<Name> {
        parts.rest().map(|seat| self.name(&seat)).collect()
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

    #[test]
    fn what_stands_beside_a_wrong_line_is_read() {
        assert_eq!(parse_given(FileId(0), "round two\np1.a = 3\nptu x in y z\n", 0, &mut Vec::new()).len(), 1);
        assert_eq!(parse_when(FileId(0), "p1 buy x\nrun to\np1: pass", 0, &mut Vec::new()).len(), 1);
    }
}
