//! Builds operations of overlays, and variants.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts, RulePair, has_keyword};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn variant(&self, node: RulePair<'_>) -> BuildResult<Variant> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let (name, title) = (parts.name()?, parts.maybe_quoted());
        let over = parts.maybe(Rule::names).map(|names| self.names(names)).unwrap_or_default();
        let body = self.block(parts.node()?, Rule::one_variant_line, Builder::line);
        Ok(Variant { name, title, over, body, span })
    }

    pub fn operation(&self, node: RulePair<'_>) -> BuildResult<Operation> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::change => {
                let address = parts.name()?;
                let next = parts.node()?;
                match next.as_rule() {
                    Rule::new_value => OperationKind::ChangeTo { address, value: self.new_value(next)? },
                    Rule::minus => OperationKind::ChangeBy { address, minus: true, amount: parts.expr()? },
                    Rule::plus => OperationKind::ChangeBy { address, minus: false, amount: parts.expr()? },
                    _ => OperationKind::ChangeBy { address, minus: false, amount: self.expr(next)? },
                }
            }
            Rule::replace => OperationKind::Replace { address: parts.name()?, with: self.replacement(parts.node()?)? },
            Rule::delete => OperationKind::Remove { address: parts.name()? },
            Rule::insert => {
                let added = parts.node()?;
                // The placement comes after the addition, or before its block.
                let inside = added.clone().into_inner().flat_map(|line| line.into_inner());
                let at = whole.into_inner().chain(inside).find(|part| part.as_rule() == Rule::at);
                let at = at.map(|at| self.placement(at)).transpose()?;
                OperationKind::Add { what: Box::new(self.addition(added)?), at }
            }
            _ => OperationKind::Extend { address: parts.name()?, with: self.additions(parts.node()?) },
        };
        Ok(Operation { kind, span })
    }

    fn placement(&self, node: RulePair<'_>) -> BuildResult<Placement> {
        let side = match (has_keyword(&node, Rule::BEFORE), has_keyword(&node, Rule::AFTER)) {
            (true, _) => Side::Before,
            (_, true) => Side::After,
            _ => Side::To,
        };
        Ok(Placement { side, address: Parts::of(self, node).name()? })
    }

    fn new_value(&self, node: RulePair<'_>) -> BuildResult<NewValue> {
        let value = Parts::of(self, node).node()?;
        Ok(match value.as_rule() {
            Rule::range => {
                let mut range = Parts::of(self, value);
                NewValue::Range { from: range.expr()?, to: range.expr()? }
            }
            Rule::price => NewValue::Cost(self.price(value)?),
            _ => NewValue::Expr(self.expr(value)?),
        })
    }

    fn replacement(&self, node: RulePair<'_>) -> BuildResult<Replacement> {
        let new = Parts::of(self, node).node()?;
        let rule = new.as_rule();
        let mut parts = Parts::of(self, new.clone());
        Ok(match rule {
            Rule::rank_rule => Replacement::Rank(self.rank_rule(new)?),
            Rule::wins_rule => Replacement::Wins(self.wins_rule(new)?),
            Rule::sort_rule => {
                let (count, faces) = self.sort_rule(new)?;
                Replacement::Sort { count, faces }
            }
            Rule::new_option => Replacement::Option(self.option_values(parts.node()?)?),
            Rule::new_zone => Replacement::Names(self.names(new)),
            Rule::new_value_of => {
                let params = parts.maybe(Rule::parameters).map(|params| self.names(params));
                Replacement::Value { params, value: parts.read()?, bounds: parts.read()? }
            }
            Rule::new_guard => Replacement::Guard { condition: parts.expr()?, reason: parts.maybe_quoted() },
            Rule::rounds_rule => Replacement::Rounds(self.rounds_rule(new)?),
            Rule::new_action => Replacement::Action { params: parts.read()?, parts: parts.read()? },
            Rule::new_block => Replacement::Block { when: parts.read()?, body: self.additions(parts.node()?) },
            _ => Replacement::Cost(self.price(new)?),
        })
    }

    fn additions(&self, node: RulePair<'_>) -> Block<Addition> {
        self.block(node, Rule::one_addition, Builder::additions_of).flat()
    }

    /// Builds the items that a line adds: a single one, or a field for each of its names.
    fn additions_of(&self, node: RulePair<'_>) -> BuildResult<Vec<Addition>> {
        let line = Parts::of(self, node.clone()).node()?;
        if line.as_rule() == Rule::field {
            return Ok(self.field(line)?.into_iter().map(Addition::Field).collect());
        }
        Ok(vec![self.addition(node)?])
    }

    pub fn addition(&self, node: RulePair<'_>) -> BuildResult<Addition> {
        let line = Parts::of(self, node).node()?;
        Ok(match line.as_rule() {
            Rule::resource_of | Rule::counter | Rule::flag | Rule::set | Rule::tally => Addition::Member(self.member(line)?),
            Rule::each_lifetime | Rule::deck_of | Rule::grid | Rule::hexes | Rule::place | Rule::pool => {
                Addition::Member(self.member(line)?)
            }
            Rule::slot | Rule::field => {
                let span = self.span(&line);
                match <[Field; 1]>::try_from(self.field(line)?) {
                    Ok([field]) => Addition::Field(field),
                    Err(_) => {
                        let diagnostic = Diagnostic::error("R203", span, "`add` adds one field").label("these are several");
                        return Err(diagnostic.help("write `extend KIND { … }`, or an `add` for each").into());
                    }
                }
            }
            Rule::sort => Addition::Sort(self.sort(line)?),
            Rule::needs | Rule::cost | Rule::does => Addition::ActionPart(self.action_part(line)?),
            Rule::choice => Addition::Choice(self.choice(line)?),
            Rule::check => Addition::Check(self.made(line)?),
            Rule::check_leaving | Rule::check_room => Addition::CheckLine(self.check_line(line)?),
            Rule::track_step => Addition::TrackStep(self.track_step(line)?),
            Rule::score_row => Addition::Row(self.made(line)?),
            Rule::entry => Addition::Entry(self.entry(line)?),
            Rule::name => Addition::Name(self.name(&line)),
            Rule::new_declaration => Addition::Declaration(self.declaration(Parts::of(self, line).node()?)?),
            _ => match self.phase_part(line)? {
                PhasePart::Statement(statement) => Addition::Statement(statement),
                part => Addition::Part(part),
            },
        })
    }
}
