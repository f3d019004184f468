//! Builds declarations.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::read::FromRule;
use super::{BuildResult, Builder, Parts, RulePair, has_keyword};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn build_file(&self, node: RulePair<'_>) -> File {
        let lines = self.build_block(node, Rule::one_line, Builder::build_line);
        File { lines: lines.items, broken: lines.broken }
    }

    pub fn build_line(&self, node: RulePair<'_>) -> BuildResult<Line> {
        Ok(match node.as_rule() {
            Rule::variant => Line::Variant(self.build_variant_of_rules(node)?),
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
            Rule::worth => DeclarationKind::Worth { style: None, states: parts.maybe_states()?, value: parts.expr()? },
            Rule::style => DeclarationKind::Worth { style: Some(parts.name()?), states: parts.maybe_states()?, value: parts.expr()? },
            _ => parts.kind()?,
        };
        Ok(Declaration { kind, span })
    }

    // -------------------------------------------------------------- values

    pub fn build_option_values(&self, node: RulePair<'_>) -> BuildResult<OptionValues> {
        let each_player = has_keyword(&node, Rule::FOR_EACH_PLAYER);
        let mut parts = Parts::of(self, node);
        let values = parts.node()?;
        let choices = match values.as_rule() {
            Rule::several => OptionChoices::Several(self.names(values)),
            Rule::range => {
                let mut range = Parts::of(self, values);
                OptionChoices::Range { from: range.expr()?, to: range.expr()? }
            }
            _ => OptionChoices::One(self.names(values)),
        };
        let default = parts.rest().map(|value| self.name(&value)).collect();
        Ok(OptionValues { choices, default, each_player })
    }

    pub fn build_bounds(&self, parts: &mut Parts<'_, '_, '_>) -> BuildResult<Vec<Bound>> {
        let bound = |node: RulePair<'_>| {
            let (most, least) = (has_keyword(&node, Rule::AT_MOST), has_keyword(&node, Rule::AT_LEAST));
            let value = Parts::of(self, node).expr()?;
            Ok(match (most, least) {
                (true, _) => Bound::AtMost(value),
                (_, true) => Bound::AtLeast(value),
                _ => Bound::RankedAs(value),
            })
        };
        std::iter::from_fn(|| parts.maybe(Rule::bound)).map(bound).collect()
    }

    pub fn build_rounds_rule(&self, node: RulePair<'_>) -> BuildResult<Rounds> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let count = parts.maybe_expr(Rule::amount)?;
        let (phases, until) = (parts.names()?, parts.maybe_expr(Rule::expr)?);
        if let (None, None) = (&count, &until) {
            let diagnostic = Diagnostic::error("R002", span, "nothing says how many rounds there are").label("a number is missing");
            return Err(diagnostic.help("write `rounds 8 of …`, or `rounds of … until CONDITION`").into());
        }
        Ok(Rounds { count, phases, until })
    }

    pub fn build_wins_rule(&self, node: RulePair<'_>) -> BuildResult<WinsRule> {
        let lowest = has_keyword(&node, Rule::LOWEST_SCORE);
        let mut parts = Parts::of(self, node);
        let together = parts.maybe_expr(Rule::expr)?;
        let keys = parts.maybe(Rule::order_keys).map(|keys| self.build_order_keys(keys)).transpose()?;
        Ok(WinsRule { together, lowest, keys: keys.unwrap_or_default() })
    }

    pub fn build_rank_rule(&self, node: RulePair<'_>) -> BuildResult<RankRule> {
        let (top, ties_in) = (has_keyword(&node, Rule::TOP), has_keyword(&node, Rule::IN));
        let mut parts = Parts::of(self, node);
        let param = parts.maybe_name();
        let (count, by) = (parts.expr()?, parts.name()?);
        Ok(RankRule { param: param.unwrap_or_else(|| by.clone()), top, count, by, ties_in })
    }

    // -------------------------------------------------------------- what lies where

    pub fn build_member(&self, node: RulePair<'_>) -> BuildResult<Member> {
        Ok(Member { span: self.span(&node), kind: self.kind(node)? })
    }

    pub fn build_board_shape(&self, node: RulePair<'_>) -> BuildResult<BoardShape> {
        let (span, whole) = (self.span(&node), node.clone());
        let mut parts = Parts::of(self, node);
        let rows = parts.expr()?;
        let columns = if has_keyword(&whole, Rule::HEXES) { None } else { Some(parts.expr()?) };
        Ok(BoardShape { rows, columns, diagonals: has_keyword(&whole, Rule::WITH_DIAGONALS), span })
    }

    /// Builds what a line of a board says: a space, a member, or a field for each of its names.
    pub fn build_board_parts(&self, node: RulePair<'_>) -> BuildResult<Vec<BoardPart>> {
        Ok(match node.as_rule() {
            Rule::space => vec![BoardPart::Space(self.build_space(node)?)],
            Rule::field => self.build_fields(node)?.into_iter().map(BoardPart::Field).collect(),
            Rule::drawn => vec![BoardPart::Drawn(self.build_node(node)?)],
            _ => vec![BoardPart::Member(self.build_member(node)?)],
        })
    }

    pub fn build_space(&self, node: RulePair<'_>) -> BuildResult<Space> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        Ok(Space { name: parts.name()?, near: parts.read()?, values: parts.read()?, span })
    }

    /// Builds the fields that a line declares, one for each name.
    pub fn build_fields(&self, node: RulePair<'_>) -> BuildResult<Vec<Field>> {
        let (span, whole) = (self.span(&node), node.clone());
        let mut parts = Parts::of(self, node);
        if whole.as_rule() == Rule::slot {
            return Ok(vec![Field { kind: FieldKind::Slot { place: parts.name()? }, span }]);
        }
        let names = parts.names()?;
        let holds = if has_keyword(&whole, Rule::NUMBERS) {
            FieldType::Numbers
        } else if has_keyword(&whole, Rule::NUMBER_) {
            FieldType::Number
        } else if has_keyword(&whole, Rule::CARDS) {
            FieldType::Cards
        } else if has_keyword(&whole, Rule::ROW_OF) {
            FieldType::RowOf(parts.name()?)
        } else if has_keyword(&whole, Rule::ONE_OF) {
            FieldType::OneOf(parts.name()?)
        } else {
            FieldType::Of(parts.names()?)
        };
        let (maybe, default) = (has_keyword(&whole, Rule::MAYBE), parts.maybe_expr(Rule::amount)?);
        let field = |name| FieldKind::Field { name, holds: holds.clone(), maybe, default: default.clone() };
        Ok(names.into_iter().map(|name| Field { kind: field(name), span }).collect())
    }

    pub fn build_token_sort(&self, node: RulePair<'_>) -> BuildResult<TokenSort> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let (count, faces) = self.build_sort_rule(parts.node()?)?;
        Ok(TokenSort { name, count, faces, span })
    }

    pub fn build_sort_rule(&self, node: RulePair<'_>) -> BuildResult<(Expr, Vec<Face>)> {
        let mut parts = Parts::of(self, node);
        let count = parts.expr()?;
        let face = |node: RulePair<'_>| {
            let span = self.span(&node);
            Ok(Face { shows: Parts::of(self, node).rest().map(|shown| self.build_node(shown)).collect::<BuildResult<_>>()?, span })
        };
        Ok((count, parts.rest().map(face).collect::<BuildResult<_>>()?))
    }

    // -------------------------------------------------------------- what happens

    pub fn build_phase_part(&self, node: RulePair<'_>) -> BuildResult<PhasePart> {
        match PhasePart::from_rule(&mut Parts::of(self, node.clone()))? {
            Some(part) => Ok(part),
            None => Ok(PhasePart::Statement(self.build_statement(node)?)),
        }
    }

    pub fn build_action_params(&self, node: RulePair<'_>) -> BuildResult<Vec<ActionParam>> {
        let param = |node: RulePair<'_>| {
            let maybe = has_keyword(&node, Rule::MAYBE);
            let mut parts = Parts::of(self, node);
            let word = parts.maybe(Rule::word).map(|word| self.name(&word));
            let name = parts.name()?;
            let offered = parts.node()?;
            let domain = match offered.as_rule() {
                Rule::several_names => Domain::Words(self.names(offered)),
                Rule::range => {
                    let mut range = Parts::of(self, offered);
                    Domain::Numbers { from: range.expr()?, to: range.expr()? }
                }
                Rule::which_players => Domain::Players(self.build_players(offered)?),
                _ => Domain::Cards(self.build_cards(offered)?),
            };
            Ok(ActionParam { maybe, word, name, domain })
        };
        Parts::of(self, node).rest().map(param).collect()
    }

    pub fn build_action_part(&self, node: RulePair<'_>) -> BuildResult<ActionPart> {
        let (span, rule) = (self.span(&node), node.as_rule());
        let mut parts = Parts::of(self, node);
        Ok(match rule {
            Rule::needs => ActionPart::Needs {
                name: parts.maybe_name(),
                only_if: parts.maybe(Rule::only_if).map(|only_if| Parts::of(self, only_if).expr()).transpose()?,
                condition: parts.expr()?,
                reason: parts.maybe_quoted(),
                span,
            },
            Rule::cost => ActionPart::Cost(Cost { span, ..self.build_price(parts.node()?)? }),
            _ => parts.kind()?,
        })
    }

    pub fn build_price(&self, node: RulePair<'_>) -> BuildResult<Cost> {
        let (span, pools) = (self.span(&node), has_keyword(&node, Rule::FROM));
        let mut parts = Parts::of(self, node);
        let (amount, what) = (parts.expr()?, parts.expr()?);
        let pools = if pools { Some(Pools { from: parts.name()?, to: parts.name()? }) } else { None };
        Ok(Cost { amount, what, pools, span })
    }

    pub fn build_check_line(&self, node: RulePair<'_>) -> BuildResult<CheckLine> {
        Ok(CheckLine { span: self.span(&node), kind: self.kind(node)? })
    }

    pub fn build_track_step(&self, node: RulePair<'_>) -> BuildResult<TrackStep> {
        let (span, whole) = (self.span(&node), node.clone());
        let mut parts = Parts::of(self, node);
        let mut steps = Vec::new();
        while let Some(step) = parts.maybe_expr(Rule::amount)? {
            steps.push(step);
        }
        let when = match (has_keyword(&whole, Rule::REACHING), has_keyword(&whole, Rule::LEAVING)) {
            (true, _) => TrackWhen::Reaching(steps),
            (_, true) => TrackWhen::Leaving(steps),
            _ => TrackWhen::Beyond,
        };
        Ok(TrackStep { when, body: self.build_body(parts.node()?), span })
    }
}
