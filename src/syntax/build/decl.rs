//! Builds declarations.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::read::{FromParts, FromRule};
use super::{BuildResult, Builder, Parts, RulePair, has_keyword};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn build_file(&self, node: RulePair<'_>) -> File {
        let lines = self.build_block(node, Rule::one_line, Builder::build_line);
        File { lines: lines.items, broken: lines.broken }
    }

    pub fn build_line(&self, node: RulePair<'_>) -> BuildResult<Line> {
        Ok(match node.as_rule() {
            Rule::variant => Line::Variant(self.build_node(node)?),
            Rule::change | Rule::replace | Rule::delete | Rule::insert | Rule::extend => Line::Operation(self.build_operation(node)?),
            _ => Line::Declaration(self.build_declaration(node)?),
        })
    }

    pub fn build_declaration(&self, node: RulePair<'_>) -> BuildResult<Declaration> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::fields_of => DeclarationKind::FieldsOf { kinds: parts.read()?, fields: parts.read()? },
            Rule::payments => {
                let noted = if has_keyword(&whole, Rule::NOTED_IN) { Some(parts.name()?) } else { None };
                DeclarationKind::Payments { noted, heard: parts.maybe_name(), span }
            }
            _ => parts.kind()?,
        };
        Ok(Declaration { kind, span })
    }

    // -------------------------------------------------------------- what lies where

    /// Builds what a line of a board says: a space, a member, or a field for each of its names.
    pub fn build_board_parts(&self, node: RulePair<'_>) -> BuildResult<Vec<BoardPart>> {
        Ok(match node.as_rule() {
            Rule::space | Rule::link => vec![BoardPart::Space(self.build_node(node)?)],
            Rule::field => self.build_fields(node)?.into_iter().map(BoardPart::Field).collect(),
            Rule::drawn => vec![BoardPart::Drawn(self.build_node(node)?)],
            _ => vec![BoardPart::Member(self.build_node(node)?)],
        })
    }

    /// Builds the fields that a line declares, one for each name.
    pub fn build_fields(&self, node: RulePair<'_>) -> BuildResult<Vec<Field>> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        if parts.rule() == Rule::slot {
            return Ok(vec![Field { kind: FieldKind::Slot { place: parts.name()? }, span }]);
        }
        let (names, holds, maybe) = (parts.names()?, parts.read::<FieldType>()?, parts.has_keyword(Rule::MAYBE));
        let default = parts.maybe_expr(Rule::amount)?;
        let field = |name| FieldKind::Field { name, holds: holds.clone(), maybe, default: default.clone() };
        Ok(names.into_iter().map(|name| Field { kind: field(name), span }).collect())
    }

    // -------------------------------------------------------------- what happens

    pub fn build_phase_part(&self, node: RulePair<'_>) -> BuildResult<PhasePart> {
        match PhasePart::from_rule(&mut Parts::of(self, node.clone()))? {
            Some(part) => Ok(part),
            None => Ok(PhasePart::Statement(self.build_statement(node)?)),
        }
    }

    pub fn build_action_param(&self, node: RulePair<'_>) -> BuildResult<ActionParam> {
        let mut parts = Parts::of(self, node);
        let (maybe, word) = (parts.has_keyword(Rule::MAYBE), parts.maybe(Rule::word).map(|word| self.name(&word)));
        Ok(ActionParam { maybe, word, name: parts.name()?, domain: parts.read()?, filter: parts.read()? })
    }
}

impl FromParts for Rounds {
    fn from_parts(parts: &mut Parts<'_, '_, '_>) -> BuildResult<Rounds> {
        let count = parts.maybe_expr(Rule::amount)?;
        let (phases, until) = (parts.names()?, parts.maybe_expr(Rule::expr)?);
        if let (None, None) = (&count, &until) {
            let diagnostic = Diagnostic::error("R002", parts.place, "nothing says how many rounds there are").label("a number is missing");
            return Err(diagnostic.help("write `rounds 8 of …`, or `rounds of … until CONDITION`").into());
        }
        Ok(Rounds { count, phases, until })
    }
}

impl FromParts for PartsOf {
    fn from_parts(parts: &mut Parts<'_, '_, '_>) -> BuildResult<PartsOf> {
        let (kind, grid) = (parts.name()?, parts.name()?);
        let turned = if parts.has_keyword(Rule::TURNED_BY) { parts.maybe_name() } else { None };
        Ok(PartsOf { kind, grid, turned, matched: parts.maybe_name() })
    }
}

impl FromParts for RankRule {
    fn from_parts(parts: &mut Parts<'_, '_, '_>) -> BuildResult<RankRule> {
        let (top, ties_in) = (parts.has_keyword(Rule::TOP), parts.has_keyword(Rule::IN));
        let (param, count, by) = (parts.maybe_name(), parts.expr()?, parts.name()?);
        Ok(RankRule { param: param.unwrap_or_else(|| by.clone()), top, count, by, ties_in })
    }
}
