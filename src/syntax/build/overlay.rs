//! Builds operations of overlays.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::read::FromRule;
use super::{BuildResult, Builder, Parts, RulePair};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn build_operation(&self, node: RulePair<'_>) -> BuildResult<Operation> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::change => {
                let address = parts.name()?;
                let next = parts.node()?;
                match next.as_rule() {
                    Rule::new_value => OperationKind::ChangeTo { address, value: self.build_new_value(next)? },
                    Rule::minus => OperationKind::ChangeBy { address, minus: true, amount: parts.expr()? },
                    Rule::plus => OperationKind::ChangeBy { address, minus: false, amount: parts.expr()? },
                    _ => OperationKind::ChangeBy { address, minus: false, amount: self.expr(next)? },
                }
            }
            Rule::insert => {
                let added = parts.node()?;
                // The placement comes after the addition, or before its block.
                let inside = added.clone().into_inner().flat_map(|line| line.into_inner());
                let at = whole.into_inner().chain(inside).find(|part| part.as_rule() == Rule::at);
                let at = at.map(|at| self.build_node(at)).transpose()?;
                OperationKind::Add { what: Box::new(self.build_addition(added)?), at }
            }
            _ => parts.kind()?,
        };
        Ok(Operation { kind, span })
    }

    fn build_new_value(&self, node: RulePair<'_>) -> BuildResult<NewValue> {
        let value = Parts::of(self, node).node()?;
        if value.as_rule() == Rule::expr { Ok(NewValue::Expr(self.expr(value)?)) } else { self.kind(value) }
    }

    pub fn build_replacement(&self, node: RulePair<'_>) -> BuildResult<Replacement> {
        let new = Parts::of(self, node).node()?;
        if new.as_rule() == Rule::new_zone { Ok(Replacement::Names(self.names(new))) } else { self.kind(new) }
    }

    /// Builds the items that a line adds: a single one, or a field for each of its names.
    pub fn build_additions_of_line(&self, node: RulePair<'_>) -> BuildResult<Vec<Addition>> {
        let line = Parts::of(self, node.clone()).node()?;
        if line.as_rule() == Rule::field {
            return Ok(self.build_fields(line)?.into_iter().map(Addition::Field).collect());
        }
        Ok(vec![self.build_addition(node)?])
    }

    pub fn build_addition(&self, node: RulePair<'_>) -> BuildResult<Addition> {
        let line = Parts::of(self, node).node()?;
        if let Some(addition) = Addition::from_rule(&mut Parts::of(self, line.clone()))? {
            return Ok(addition);
        }
        Ok(match line.as_rule() {
            Rule::slot | Rule::field => {
                let span = self.span(&line);
                match <[Field; 1]>::try_from(self.build_fields(line)?) {
                    Ok([field]) => Addition::Field(field),
                    Err(_) => {
                        let diagnostic = Diagnostic::error("R203", span, "`add` adds one field").label("these are several");
                        return Err(diagnostic.help("write `extend KIND { … }`, or an `add` for each").into());
                    }
                }
            }
            Rule::choice => Addition::Choice(self.build_choice(line)?),
            Rule::name => Addition::Name(self.name(&line)),
            Rule::new_declaration => Addition::Declaration(self.build_declaration(Parts::of(self, line).node()?)?),
            _ => match self.build_phase_part(line)? {
                PhasePart::Statement(statement) => Addition::Statement(statement),
                part => Addition::Part(part),
            },
        })
    }
}
