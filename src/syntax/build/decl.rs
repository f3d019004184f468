//! Declarations.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{Builder, Node, Outcome, Parts, says};
use crate::diagnostic::Diagnostic;

impl Builder<'_> {
    pub fn file(&self, node: Node<'_>) -> File {
        let lines = self.block(node, Rule::one_line, Builder::line);
        File { lines: lines.items, broken: lines.broken }
    }

    pub fn line(&self, node: Node<'_>) -> Outcome<Line> {
        Ok(match node.as_rule() {
            Rule::variant => Line::Variant(self.variant(node)?),
            Rule::change | Rule::replace | Rule::delete | Rule::insert | Rule::extend => Line::Operation(self.operation(node)?),
            _ => Line::Declaration(self.declaration(node)?),
        })
    }

    pub fn declaration(&self, node: Node<'_>) -> Outcome<Declaration> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::game => DeclarationKind::Game { name: parts.name()?, title: parts.maybe_quoted() },
            Rule::players => DeclarationKind::Players(PlayerCount { from: parts.expr()?, to: parts.maybe_expr(Rule::amount)? }),
            Rule::option => DeclarationKind::Option(OptionDecl { name: parts.name()?, values: self.option_values(parts.node()?)? }),
            Rule::constant => DeclarationKind::Constant { name: parts.name()?, value: parts.expr()? },
            Rule::table => DeclarationKind::Table(self.members(parts.node()?)),
            Rule::player => DeclarationKind::Player(self.members(parts.node()?)),
            Rule::card => DeclarationKind::Card(self.members(parts.node()?)),
            Rule::kind => DeclarationKind::Kind { name: parts.name()?, fields: self.fields(parts.node()?) },
            Rule::fields_of => DeclarationKind::FieldsOf { kinds: parts.names()?, fields: self.fields(parts.node()?) },
            Rule::zone => DeclarationKind::Zone { name: parts.name()?, places: parts.names()? },
            Rule::hearing => DeclarationKind::Hearing { places: parts.names()? },
            Rule::symbols => DeclarationKind::Symbols { names: parts.names()? },
            Rule::tokens_of => {
                DeclarationKind::Tokens { name: parts.name()?, sorts: self.block(parts.node()?, Rule::one_sort, Builder::sort) }
            }
            Rule::exchange => {
                DeclarationKind::Exchange { count: parts.expr()?, tokens: parts.name()?, one: parts.expr()?, symbols: parts.names()? }
            }
            Rule::define => {
                let (name, params) = self.signature(parts.node()?)?;
                DeclarationKind::Define { name, params, value: parts.expr()? }
            }
            Rule::changeable => {
                let (name, params) = self.signature(parts.node()?)?;
                DeclarationKind::Changeable { name, params, value: parts.expr()?, bounds: self.bounds(parts)? }
            }
            Rule::stat => {
                let (name, params) = self.signature(parts.node()?)?;
                DeclarationKind::Stat { name, params, value: parts.expr()?, bounds: self.bounds(parts)? }
            }
            Rule::rank => DeclarationKind::Rank { name: parts.name()?, rule: self.rank_rule(parts.node()?)? },
            Rule::condition => {
                let name = match parts.maybe_quoted() {
                    Some(text) => ConditionName::Quoted(text),
                    None => ConditionName::Word(parts.name()?),
                };
                DeclarationKind::Condition { name, value: parts.expr()? }
            }
            Rule::effect => {
                let (name, params) = self.signature(parts.node()?)?;
                DeclarationKind::Effect { name, params, body: self.body(parts.node()?) }
            }
            Rule::when_short => DeclarationKind::Shortage {
                resource: parts.name()?,
                within: parts.names()?,
                missing: parts.name()?,
                body: self.body(parts.node()?),
            },
            Rule::when_leaves => DeclarationKind::Leaving { card: parts.name()?, place: parts.name()?, body: self.body(parts.node()?) },
            Rule::when_dealt => DeclarationKind::Dealt { card: parts.name()?, body: self.body(parts.node()?) },
            Rule::payments => {
                let noted = if says(&whole, Rule::NOTED_IN) { Some(parts.name()?) } else { None };
                DeclarationKind::Payments { noted, heard: parts.maybe_name(), span }
            }
            Rule::moments => DeclarationKind::Moments(self.block(parts.node()?, Rule::one_told_moment, Builder::told_moment)),
            Rule::setup => DeclarationKind::Setup(self.phase_parts(parts.node()?)),
            Rule::rounds => DeclarationKind::Rounds(self.rounds_rule(parts.node()?)?),
            Rule::phase => DeclarationKind::Phase { name: parts.name()?, parts: self.phase_parts(parts.node()?) },
            Rule::always => DeclarationKind::Always(self.block(parts.node()?, Rule::one_check, Builder::check)),
            Rule::score => DeclarationKind::Score(self.block(parts.node()?, Rule::one_score_row, Builder::score_row)),
            Rule::wins => DeclarationKind::Wins(self.wins_rule(parts.node()?)?),
            Rule::track => {
                let (name, end) = (parts.name()?, parts.expr()?);
                let steps = parts.maybe(Rule::track_steps);
                let empty = Block { items: Vec::new(), broken: Vec::new(), span };
                let steps = steps.map_or(empty, |steps| self.block(steps, Rule::one_track_step, Builder::track_step));
                DeclarationKind::Track { name, end, steps }
            }
            Rule::set_up_needs => {
                let (name, condition) = (parts.name()?, parts.expr()?);
                DeclarationKind::Needs { name, condition, reason: self.quoted(&parts.node()?) }
            }
            Rule::rival => {
                DeclarationKind::Rival { name: parts.name()?, when: parts.maybe_expr(Rule::expr)?, rows: self.entries(parts.node()?) }
            }
            Rule::honours => DeclarationKind::Honours(self.block(parts.node()?, Rule::one_score_row, Builder::score_row)),
            Rule::series => DeclarationKind::Series(parts.name()?),
            Rule::worth => DeclarationKind::Worth { style: None, states: parts.imagined()?, value: parts.expr()? },
            Rule::style => DeclarationKind::Worth { style: Some(parts.name()?), states: parts.imagined()?, value: parts.expr()? },
            Rule::agents => DeclarationKind::Agents(self.block(parts.node()?, Rule::one_agent_line, Builder::declaration)),
            _ => return Err(self.lost(&whole)),
        };
        Ok(Declaration { kind, span })
    }

    // -------------------------------------------------------------- values

    pub fn option_values(&self, node: Node<'_>) -> Outcome<OptionValues> {
        let each_player = says(&node, Rule::FOR_EACH_PLAYER);
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

    fn signature(&self, node: Node<'_>) -> Outcome<(Name, Vec<Name>)> {
        let mut parts = Parts::of(self, node);
        Ok((parts.name()?, parts.maybe(Rule::parameters).map(|params| self.names(params)).unwrap_or_default()))
    }

    pub fn bounds(&self, parts: Parts<'_, '_, '_>) -> Outcome<Vec<Bound>> {
        let bound = |node: Node<'_>| {
            let (most, least) = (says(&node, Rule::AT_MOST), says(&node, Rule::AT_LEAST));
            let value = Parts::of(self, node).expr()?;
            Ok(match (most, least) {
                (true, _) => Bound::AtMost(value),
                (_, true) => Bound::AtLeast(value),
                _ => Bound::RankedAs(value),
            })
        };
        parts.rest().map(bound).collect()
    }

    pub fn told_moment(&self, node: Node<'_>) -> Outcome<ToldMoment> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let text = self.quoted(&parts.node()?);
        Ok(ToldMoment { name, text, span })
    }

    pub fn rounds_rule(&self, node: Node<'_>) -> Outcome<Rounds> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let count = parts.maybe_expr(Rule::amount)?;
        let (phases, until) = (parts.names()?, parts.maybe_expr(Rule::expr)?);
        if let (None, None) = (&count, &until) {
            let wrong = Diagnostic::error("R002", span, "nothing says how many rounds there are").label("a number is missing");
            return Err(wrong.help("write `rounds 8 of …`, or `rounds of … until CONDITION`").into());
        }
        Ok(Rounds { count, phases, until })
    }

    pub fn wins_rule(&self, node: Node<'_>) -> Outcome<WinsRule> {
        let lowest = says(&node, Rule::LOWEST_SCORE);
        let keys = Parts::of(self, node).maybe(Rule::order_keys).map(|keys| self.order_keys(keys)).transpose()?;
        Ok(WinsRule { lowest, keys: keys.unwrap_or_default() })
    }

    pub fn rank_rule(&self, node: Node<'_>) -> Outcome<RankRule> {
        let (top, ties_in) = (says(&node, Rule::TOP), says(&node, Rule::IN));
        let mut parts = Parts::of(self, node);
        let param = parts.maybe_name();
        let (count, by) = (parts.expr()?, parts.name()?);
        Ok(RankRule { param: param.unwrap_or_else(|| by.clone()), top, count, by, ties_in })
    }

    // -------------------------------------------------------------- what lies where

    fn members(&self, node: Node<'_>) -> Block<Member> {
        self.block(node, Rule::one_member, Builder::member)
    }

    pub fn member(&self, node: Node<'_>) -> Outcome<Member> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::resource_of => MemberKind::Resource { names: parts.names()? },
            Rule::counter => MemberKind::Counter { names: parts.names()? },
            Rule::flag => MemberKind::Flag { names: parts.names()? },
            Rule::set => MemberKind::Set { name: parts.name()?, of: parts.name()? },
            Rule::tally => MemberKind::Tally { name: parts.name()?, by: parts.name()? },
            Rule::each_lifetime => MemberKind::Each { lifetime: parts.name()?, members: self.members(parts.node()?) },
            Rule::deck_of => MemberKind::Deck {
                name: parts.name()?,
                by: parts.maybe_name(),
                kinds: parts.names()?,
                filter: parts.maybe(Rule::filter).map(|filter| self.filter(filter)).transpose()?,
            },
            Rule::grid => MemberKind::Grid { name: parts.name()?, rows: parts.expr()?, columns: parts.expr()? },
            Rule::hexes => MemberKind::Hexes { name: parts.name()?, rings: parts.expr()? },
            Rule::place => MemberKind::Place(PlaceMember {
                names: parts.names()?,
                kinds: parts.maybe(Rule::place_names).map(|kinds| self.names(kinds)).unwrap_or_default(),
                limit: parts.maybe_expr(Rule::amount)?,
                room: parts.maybe_expr(Rule::amount)?,
                hidden: says(&whole, Rule::HIDDEN),
            }),
            Rule::pool => {
                MemberKind::Pool { name: parts.name()?, face_down: says(&whole, Rule::FACE_DOWN), full: says(&whole, Rule::FULL) }
            }
            _ => return Err(self.lost(&whole)),
        };
        Ok(Member { kind, span })
    }

    fn fields(&self, node: Node<'_>) -> Block<Field> {
        self.block(node, Rule::one_field_line, Builder::field).flat()
    }

    /// One field for each name.
    pub fn field(&self, node: Node<'_>) -> Outcome<Vec<Field>> {
        let (span, whole) = (self.span(&node), node.clone());
        let mut parts = Parts::of(self, node);
        if whole.as_rule() == Rule::slot {
            return Ok(vec![Field { kind: FieldKind::Slot { place: parts.name()? }, span }]);
        }
        let names = parts.names()?;
        let holds = if says(&whole, Rule::NUMBERS) {
            FieldType::Numbers
        } else if says(&whole, Rule::NUMBER_) {
            FieldType::Number
        } else if says(&whole, Rule::CARDS) {
            FieldType::Cards
        } else if says(&whole, Rule::ONE_OF) {
            FieldType::OneOf(parts.name()?)
        } else {
            FieldType::Of(parts.names()?)
        };
        let (maybe, default) = (says(&whole, Rule::MAYBE), parts.maybe_expr(Rule::amount)?);
        let field = |name| FieldKind::Field { name, holds: holds.clone(), maybe, default: default.clone() };
        Ok(names.into_iter().map(|name| Field { kind: field(name), span }).collect())
    }

    pub fn sort(&self, node: Node<'_>) -> Outcome<TokenSort> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let (count, faces) = self.sort_rule(parts.node()?)?;
        Ok(TokenSort { name, count, faces, span })
    }

    pub fn sort_rule(&self, node: Node<'_>) -> Outcome<(Expr, Vec<Face>)> {
        let mut parts = Parts::of(self, node);
        let count = parts.expr()?;
        let shows = |node: Node<'_>| {
            let mut parts = Parts::of(self, node);
            Ok(Shown { count: parts.maybe_expr(Rule::number)?, symbol: parts.name()? })
        };
        let face = |node: Node<'_>| {
            let span = self.span(&node);
            Ok(Face { shows: Parts::of(self, node).rest().map(shows).collect::<Outcome<_>>()?, span })
        };
        Ok((count, parts.rest().map(face).collect::<Outcome<_>>()?))
    }

    // -------------------------------------------------------------- what happens

    fn phase_parts(&self, node: Node<'_>) -> Block<PhasePart> {
        self.block(node, Rule::one_phase_part, Builder::phase_part)
    }

    pub fn phase_part(&self, node: Node<'_>) -> Outcome<PhasePart> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        Ok(match rule {
            Rule::step => {
                let name = parts.name()?;
                let when = parts.maybe(Rule::step_when).map(|when| self.step_when(when)).transpose()?;
                PhasePart::Step(Step { name, when, body: self.body(parts.node()?), span })
            }
            Rule::turns => {
                PhasePart::Turns(Turns { until: parts.name()?, each: parts.maybe_expr(Rule::amount)?, counted: parts.maybe_name(), span })
            }
            Rule::first_action => PhasePart::BeforeFirstAction(FirstAction { body: self.body(parts.node()?), span }),
            Rule::action => {
                let (free, name) = (says(&whole, Rule::FREE), parts.name()?);
                let params = parts.maybe(Rule::action_params).map(|params| self.action_params(params)).transpose()?;
                let parts = self.action_parts(parts.node()?);
                PhasePart::Action(Action { free, name, params: params.unwrap_or_default(), parts, span })
            }
            _ => PhasePart::Statement(self.statement(whole)?),
        })
    }

    pub fn step_when(&self, node: Node<'_>) -> Outcome<StepWhen> {
        Ok(StepWhen { unless: says(&node, Rule::UNLESS), condition: Parts::of(self, node).expr()? })
    }

    pub fn action_params(&self, node: Node<'_>) -> Outcome<Vec<ActionParam>> {
        let param = |node: Node<'_>| {
            let maybe = says(&node, Rule::MAYBE);
            let mut parts = Parts::of(self, node);
            let word = parts.maybe(Rule::word).map(|word| self.name(&word));
            Ok(ActionParam { maybe, word, name: parts.name()?, cards: self.cards(parts.node()?)? })
        };
        Parts::of(self, node).rest().map(param).collect()
    }

    pub fn action_parts(&self, node: Node<'_>) -> Block<ActionPart> {
        self.block(node, Rule::one_action_part, Builder::action_part)
    }

    pub fn action_part(&self, node: Node<'_>) -> Outcome<ActionPart> {
        let (span, rule) = (self.span(&node), node.as_rule());
        let mut parts = Parts::of(self, node);
        Ok(match rule {
            Rule::needs => ActionPart::Needs {
                name: parts.name()?,
                only_if: parts.maybe(Rule::only_if).map(|only_if| Parts::of(self, only_if).expr()).transpose()?,
                condition: parts.expr()?,
                reason: parts.maybe_quoted(),
                span,
            },
            Rule::cost => ActionPart::Cost(Cost { span, ..self.price(parts.node()?)? }),
            _ => ActionPart::Does { body: self.body(parts.node()?), span },
        })
    }

    pub fn price(&self, node: Node<'_>) -> Outcome<Cost> {
        let (span, pools) = (self.span(&node), says(&node, Rule::FROM));
        let mut parts = Parts::of(self, node);
        let (amount, what) = (parts.expr()?, parts.expr()?);
        let pools = if pools { Some(Pools { from: parts.name()?, to: parts.name()? }) } else { None };
        Ok(Cost { amount, what, pools, span })
    }

    pub fn check(&self, node: Node<'_>) -> Outcome<Check> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        Ok(Check { name: parts.name()?, body: self.block(parts.node()?, Rule::one_check_line, Builder::check_line), span })
    }

    pub fn check_line(&self, node: Node<'_>) -> Outcome<CheckLine> {
        let (span, rule) = (self.span(&node), node.as_rule());
        let zone = Parts::of(self, node).name()?;
        Ok(CheckLine { kind: if rule == Rule::check_leaving { CheckKind::Leaving { zone } } else { CheckKind::Room { zone } }, span })
    }

    pub fn track_step(&self, node: Node<'_>) -> Outcome<TrackStep> {
        let (span, whole) = (self.span(&node), node.clone());
        let mut parts = Parts::of(self, node);
        let mut steps = Vec::new();
        while let Some(step) = parts.maybe_expr(Rule::amount)? {
            steps.push(step);
        }
        let when = match (says(&whole, Rule::REACHING), says(&whole, Rule::LEAVING)) {
            (true, _) => TrackWhen::Reaching(steps),
            (_, true) => TrackWhen::Leaving(steps),
            _ => TrackWhen::Beyond,
        };
        Ok(TrackStep { when, body: self.body(parts.node()?), span })
    }

    pub fn score_row(&self, node: Node<'_>) -> Outcome<ScoreRow> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let name = self.quoted(&parts.node()?);
        Ok(ScoreRow { name, value: parts.expr()?, span })
    }
}
