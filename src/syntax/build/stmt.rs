//! Statements, questions, and what cards ask.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{Builder, Node, Outcome, Parts, says};

impl Builder<'_> {
    pub fn body(&self, node: Node<'_>) -> Body {
        self.block(node, Rule::one_statement, Builder::statement)
    }

    pub fn statement(&self, node: Node<'_>) -> Outcome<Statement> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::if_else => {
                let (condition, yes) = (parts.expr()?, self.body(parts.node()?));
                let no = match parts.rest().next() {
                    None => None,
                    Some(node) if node.as_rule() == Rule::if_else => Some(Else::If(Box::new(self.statement(node)?))),
                    Some(node) => Some(Else::Body(self.body(node))),
                };
                StatementKind::If { condition, yes, no }
            }
            Rule::unless => StatementKind::Unless { condition: parts.expr()?, body: self.body(parts.node()?) },
            Rule::for_words => StatementKind::For { name: parts.name()?, within: parts.names()?, body: self.body(parts.node()?) },
            Rule::repeat_until => StatementKind::RepeatUntil { condition: parts.expr()?, body: self.body(parts.node()?) },
            Rule::advance => StatementKind::Advance { track: parts.name()?, by: parts.expr()? },
            Rule::repeat => StatementKind::Repeat { times: parts.expr()?, body: self.body(parts.node()?) },
            Rule::each_player => StatementKind::EachPlayer {
                others: says(&whole, Rule::EACH_OTHER_PLAYER),
                reverse: says(&whole, Rule::IN_REVERSE_ORDER),
                filter: self.maybe_filter(&mut parts)?,
                body: self.body(parts.node()?),
            },
            Rule::each_player_chooses => StatementKind::EachPlayerChooses {
                others: says(&whole, Rule::EACH_OTHER_PLAYER),
                reverse: says(&whole, Rule::IN_REVERSE_ORDER),
                choices: self.choices(parts.node()?),
            },
            Rule::each_card => {
                StatementKind::EachCard { name: parts.name()?, cards: self.cards(parts.node()?)?, body: self.body(parts.node()?) }
            }
            Rule::all_players => StatementKind::AllPlayers {
                others: says(&whole, Rule::OTHER),
                secretly: says(&whole, Rule::SECRETLY),
                filter: self.maybe_filter(&mut parts)?,
                body: self.body(parts.node()?),
            },
            Rule::shuffle => {
                let cards = parts.maybe(Rule::cards).map(|cards| self.cards(cards)).transpose()?;
                StatementKind::Shuffle { cards, deck: self.deck(parts.node()?)? }
            }
            Rule::swap => StatementKind::Swap { card: parts.expr()?, with: parts.expr()? },
            Rule::order_from => StatementKind::OrderFrom { filter: self.filter(parts.node()?)? },
            Rule::effect_call => {
                let (effect, args) = self.called(parts.node()?)?;
                StatementKind::Do { effect, args }
            }
            Rule::moment => {
                let (name, args) = self.called(parts.node()?)?;
                StatementKind::Moment { name, args }
            }
            Rule::choose => StatementKind::Choose { choices: self.choices(parts.node()?) },
            Rule::may_choose => StatementKind::MayChoose { choices: self.choices(parts.node()?) },
            Rule::pick_any => StatementKind::PickAny { choices: self.choices(parts.node()?) },
            Rule::pick_tokens => StatementKind::PickTokens {
                tokens: self.tokens(parts.node()?)?,
                pools: parts.names()?,
                at_least: parts.maybe_expr(Rule::amount)?,
                body: self.body(parts.node()?),
            },
            Rule::pick_some => StatementKind::PickSome {
                count: parts.expr()?,
                tokens: self.tokens(parts.node()?)?,
                pools: parts.names()?,
                body: self.body(parts.node()?),
            },
            Rule::gain => StatementKind::Gain { amount: parts.expr()?, resource: parts.expr()? },
            Rule::lose => StatementKind::Lose { amount: parts.expr()?, resource: parts.expr()?, named: parts.maybe_name() },
            Rule::noting => StatementKind::Noting { tally: parts.name()?, body: self.body(parts.node()?) },
            Rule::pay => StatementKind::Pay { amount: parts.expr()?, resource: parts.expr()? },
            Rule::pay_mix => StatementKind::PayMix { amount: parts.expr()?, resources: parts.names()? },
            Rule::add_to => StatementKind::AddTo { value: parts.expr()?, set: parts.name()? },
            Rule::assign => self.assign(&mut parts)?,
            Rule::draw => StatementKind::Draw { from: self.deck(parts.node()?)?, to: parts.name()?, named: parts.maybe_name() },
            Rule::fill => StatementKind::Fill { place: parts.name()?, from: self.deck(parts.node()?)? },
            Rule::move_row => StatementKind::MoveRow { place: parts.name()?, from: parts.expr()?, to: parts.expr()? },
            Rule::pass_on => StatementKind::PassOn { place: parts.name()?, reverse: says(&whole, Rule::IN_REVERSE_ORDER) },
            Rule::remove => StatementKind::Remove { cards: self.cards(parts.node()?)? },
            Rule::put => StatementKind::Put { cards: parts.names()?, place: parts.name()? },
            Rule::place_in_slot => StatementKind::PlaceInSlot { card: parts.expr()? },
            Rule::place_in => {
                StatementKind::PlaceIn { card: parts.expr()?, place: parts.name()?, or_over_one: says(&whole, Rule::OR_OVER_ONE) }
            }
            Rule::place_at => StatementKind::PlaceAt { card: parts.expr()?, place: parts.name()?, at: parts.expr()? },
            Rule::acts => StatementKind::Acts { card: parts.name()? },
            Rule::order_at_random => StatementKind::OrderAtRandom,
            Rule::order_by => StatementKind::OrderBy { keys: self.order_keys(parts.node()?)? },
            Rule::take => StatementKind::TakeTokens {
                amount: parts.expr()?,
                tokens: self.tokens(parts.node()?)?,
                at_random: says(&whole, Rule::AT_RANDOM),
                from: parts.name()?,
                to: parts.name()?,
            },
            Rule::move_tokens => StatementKind::MoveTokens { tokens: self.tokens(parts.node()?)?, from: parts.name()?, to: parts.name()? },
            Rule::move_token => StatementKind::MoveToken { token: parts.name()?, to: parts.name()? },
            Rule::lift_tokens => StatementKind::LiftTokens { tokens: self.tokens(parts.node()?)?, pool: parts.name()? },
            Rule::lift_token => StatementKind::LiftToken { token: parts.name()? },
            Rule::roll => StatementKind::Roll { pool: parts.name()? },
            Rule::spend => StatementKind::Spend { amount: parts.expr()?, symbol: parts.expr()?, from: parts.name()?, to: parts.name()? },
            _ => return Err(self.lost(&whole)),
        };
        Ok(Statement { kind, span })
    }

    fn maybe_filter(&self, parts: &mut Parts<'_, '_, '_>) -> Outcome<Option<Expr>> {
        parts.maybe(Rule::filter).map(|filter| self.filter(filter)).transpose()
    }

    fn called(&self, node: Node<'_>) -> Outcome<(Name, Vec<Expr>)> {
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let args = parts.maybe(Rule::arguments).map(|args| self.arguments(args)).transpose()?;
        Ok((name, args.unwrap_or_default()))
    }

    fn deck(&self, node: Node<'_>) -> Outcome<Deck> {
        let mut parts = Parts::of(self, node);
        Ok(Deck { name: parts.name()?, index: parts.maybe(Rule::index).map(|index| self.index(index)).transpose()? })
    }

    fn assign(&self, parts: &mut Parts<'_, '_, '_>) -> Outcome<StatementKind> {
        let mut left = Parts::of(self, parts.node()?);
        let target = left.name()?;
        let index = left.maybe(Rule::index).map(|index| self.index(index)).transpose()?;
        let op = match parts.node()?.as_str() {
            "+=" => AssignOp::Add,
            "-=" => AssignOp::Sub,
            _ => AssignOp::Set,
        };
        Ok(StatementKind::Assign { target, index, op, value: parts.expr()? })
    }

    pub fn order_keys(&self, node: Node<'_>) -> Outcome<Vec<OrderKey>> {
        let key = |key: Node<'_>| match says(&key, Rule::ORDER) {
            true => Ok(OrderKey::Present(self.span(&key))),
            false => Ok(OrderKey::By(Parts::of(self, key).expr()?)),
        };
        Parts::of(self, node).rest().map(key).collect()
    }

    fn choices(&self, node: Node<'_>) -> Block<Choice> {
        self.block(node, Rule::one_choice, Builder::choice)
    }

    pub fn choice(&self, node: Node<'_>) -> Outcome<Choice> {
        let span = self.span(&node);
        let mut parts = Parts::of(self, node);
        let offer = match (parts.maybe_quoted(), parts.maybe_name()) {
            (Some(text), _) => Offer::Word(text),
            (None, Some(name)) => self.offered(name, parts.node()?)?,
            (None, None) => Offer::Otherwise,
        };
        let condition = parts.maybe_expr(Rule::expr)?;
        let up_to = parts.maybe_expr(Rule::amount)?;
        let body = self.body(parts.node()?);
        let otherwise = parts.maybe(Rule::body).map(|body| self.body(body));
        Ok(Choice { offer, condition, up_to, body, otherwise, span })
    }

    /// What stands behind `each NAME in`.
    fn offered(&self, name: Name, node: Node<'_>) -> Outcome<Offer> {
        Ok(match node.as_rule() {
            Rule::several_names => Offer::Words { name, within: self.names(node) },
            Rule::range => {
                let mut range = Parts::of(self, node);
                Offer::Numbers { name, from: range.expr()?, to: range.expr()? }
            }
            _ => Offer::Cards { name, cards: self.cards(node)? },
        })
    }

    pub fn ask(&self, node: Node<'_>) -> Outcome<Ask> {
        let (span, may) = (self.span(&node), says(&node, Rule::MAY));
        let offers = node.into_inner().filter(|node| node.as_rule() == Rule::ask_offer).map(|node| self.ask_offer(node));
        Ok(Ask { may, offers: offers.collect::<Outcome<_>>()?, span })
    }

    fn ask_offer(&self, node: Node<'_>) -> Outcome<AskOffer> {
        let (span, cards) = (self.span(&node), says(&node, Rule::EACH));
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let what = if cards { AskWhat::Cards { name, cards: self.cards(parts.node()?)? } } else { AskWhat::Word(name) };
        Ok(AskOffer { what, condition: parts.maybe_expr(Rule::expr)?, span })
    }
}
