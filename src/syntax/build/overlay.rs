//! Builds operations of overlays, and variants.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts, RulePair, by_keyword};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn build_variant_of_rules(&self, node: RulePair<'_>) -> BuildResult<Variant> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let (name, title) = (parts.name()?, parts.maybe_quoted());
        let over = parts.maybe(Rule::names).map(|names| self.names(names)).unwrap_or_default();
        let body = self.build_block(parts.node()?, Rule::one_variant_line, Builder::build_line);
        Ok(Variant { name, title, over, body, span })
    }

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
            Rule::replace => OperationKind::Replace { address: parts.name()?, with: self.build_replacement(parts.node()?)? },
            Rule::delete => OperationKind::Remove { address: parts.name()? },
            Rule::insert => {
                let added = parts.node()?;
                // The placement comes after the addition, or before its block.
                let inside = added.clone().into_inner().flat_map(|line| line.into_inner());
                let at = whole.into_inner().chain(inside).find(|part| part.as_rule() == Rule::at);
                let at = at.map(|at| self.build_placement(at)).transpose()?;
                OperationKind::Add { what: Box::new(self.build_addition(added)?), at }
            }
            _ => OperationKind::Extend { address: parts.name()?, with: self.build_additions(parts.node()?) },
        };
        Ok(Operation { kind, span })
    }

    fn build_placement(&self, node: RulePair<'_>) -> BuildResult<Placement> {
        let side = by_keyword(&node, [(Rule::BEFORE, Side::Before), (Rule::AFTER, Side::After)], Side::To);
        Ok(Placement { side, address: Parts::of(self, node).name()? })
    }

    fn build_new_value(&self, node: RulePair<'_>) -> BuildResult<NewValue> {
        let value = Parts::of(self, node).node()?;
        Ok(match value.as_rule() {
            Rule::range => {
                let mut range = Parts::of(self, value);
                NewValue::Range { from: range.expr()?, to: range.expr()? }
            }
            Rule::price => NewValue::Cost(self.build_node(value)?),
            _ => NewValue::Expr(self.expr(value)?),
        })
    }

    fn build_replacement(&self, node: RulePair<'_>) -> BuildResult<Replacement> {
        let new = Parts::of(self, node).node()?;
        let rule = new.as_rule();
        let mut parts = Parts::of(self, new.clone());
        Ok(match rule {
            Rule::rank_rule => Replacement::Rank(self.build_rank_rule(new)?),
            Rule::wins_rule => Replacement::Wins(self.build_node(new)?),
            Rule::sort_rule => Replacement::Sort { count: parts.expr()?, faces: parts.read()? },
            Rule::new_option => Replacement::Option(self.build_option_values(parts.node()?)?),
            Rule::new_zone => Replacement::Names(self.names(new)),
            Rule::new_value_of => {
                let params = parts.maybe(Rule::parameters).map(|params| self.names(params));
                Replacement::Value { params, value: parts.read()?, bounds: parts.read()? }
            }
            Rule::new_guard => Replacement::Guard { condition: parts.expr()?, reason: parts.maybe_quoted() },
            Rule::rounds_rule => Replacement::Rounds(self.build_rounds_rule(new)?),
            Rule::new_action => Replacement::Action { params: parts.read()?, parts: parts.read()? },
            Rule::new_block => Replacement::Block { when: parts.read()?, body: self.build_additions(parts.node()?) },
            _ => Replacement::Cost(self.build_node(new)?),
        })
    }

    fn build_additions(&self, node: RulePair<'_>) -> Block<Addition> {
        self.build_block(node, Rule::one_addition, Builder::build_additions_of_line).flat()
    }

    /// Builds the items that a line adds: a single one, or a field for each of its names.
    fn build_additions_of_line(&self, node: RulePair<'_>) -> BuildResult<Vec<Addition>> {
        let line = Parts::of(self, node.clone()).node()?;
        if line.as_rule() == Rule::field {
            return Ok(self.build_fields(line)?.into_iter().map(Addition::Field).collect());
        }
        Ok(vec![self.build_addition(node)?])
    }

    pub fn build_addition(&self, node: RulePair<'_>) -> BuildResult<Addition> {
        let line = Parts::of(self, node).node()?;
        Ok(match line.as_rule() {
            Rule::resource_of | Rule::counter | Rule::flag | Rule::set | Rule::tally => Addition::Member(self.build_node(line)?),
            Rule::each_lifetime | Rule::deck_of | Rule::grid | Rule::hexes | Rule::place | Rule::pool => {
                Addition::Member(self.build_node(line)?)
            }
            Rule::space => Addition::Space(self.build_node(line)?),
            Rule::drawn => Addition::Drawn(self.build_node(line)?),
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
            Rule::sort => Addition::Sort(self.build_node(line)?),
            Rule::needs | Rule::cost | Rule::does => Addition::ActionPart(self.build_action_part(line)?),
            Rule::choice => Addition::Choice(self.build_choice(line)?),
            Rule::check => Addition::Check(self.build_node(line)?),
            Rule::check_leaving | Rule::check_room => Addition::CheckLine(self.build_node(line)?),
            Rule::track_step => Addition::TrackStep(self.build_node(line)?),
            Rule::score_row => Addition::Row(self.build_node(line)?),
            Rule::entry => Addition::Entry(self.build_node(line)?),
            Rule::name => Addition::Name(self.name(&line)),
            Rule::new_declaration => Addition::Declaration(self.build_declaration(Parts::of(self, line).node()?)?),
            _ => match self.build_phase_part(line)? {
                PhasePart::Statement(statement) => Addition::Statement(statement),
                part => Addition::Part(part),
            },
        })
    }
}
