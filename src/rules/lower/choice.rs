//! Lowers choices: the answers of questions and the actions of turns.

use super::super::typed::{self, BindingId, Choice, Cost, Domain, Expr, ExprChild, ExprKind, Offer, PhasePart, Rules};
use super::{Bindings, Lowerer};
use crate::cast;
use crate::engine::node::Type;
use crate::engine::op::Op;
use crate::engine::program::{MAX_PARAMS, list_stages};
use crate::engine::ruleset::{self as engine, NodeId};
use crate::source::Span;

impl Lowerer<'_> {
    /// Reserves the first indices of choices for the actions of turns, whose code comes last.
    pub fn reserve_actions(&mut self) {
        let tree: &Rules = self.tree;
        let turns = tree.phases.iter().flat_map(|phase| phase.parts.iter().map(move |part| (&phase.name, part)));
        let turns = turns.filter_map(|(phase, part)| if let PhasePart::Turns(turns) = part { Some((phase, turns)) } else { None });
        for (phase, action) in turns.flat_map(|(phase, turns)| turns.actions.iter().map(move |action| (phase, action))) {
            let name = self.ruleset.names.add(&action.name);
            self.ruleset.choices.push(engine::Choice {
                name,
                chooses: false,
                text: None,
                address: format!("{phase}.{}", action.name),
                params: Vec::new(),
                when: None,
                guards: Vec::new(),
                costs: Vec::new(),
                stages: Box::default(),
                up_to: None,
                action: None,
            });
        }
        self.ruleset.action_count = self.ruleset.choices.len();
    }

    /// Lowers an answer to a question. Returns its index, and the names that are bound in its body.
    pub(super) fn lower_answer(&mut self, choice: &Choice, question: &str, env: &mut Bindings) -> (u16, Bindings) {
        let lowered = self.lower_choice(choice, question.to_string(), env);
        let index = self.checked_index(self.ruleset.choices.len(), "answers and actions", choice.span);
        self.ruleset.choices.push(lowered);
        (index, env.clone())
    }

    /// Lowers a choice; what is chosen with it is bound in `env`, each in the next local.
    pub(super) fn lower_choice(&mut self, choice: &Choice, address: String, env: &mut Bindings) -> engine::Choice {
        let first = env.next;
        let behind = first + choice.params.len().min(MAX_PARAMS);
        let mut params = Vec::new();
        for param in &choice.params {
            // Locals that its condition binds come after those of all parameters.
            let (local, domain) = self.lower_domain(&param.domain, env, behind, choice.span);
            let word = param.word.as_ref().map(|word| self.ruleset.names.add(word));
            params.push(engine::Param { local, domain, maybe: param.maybe, word });
        }
        let binds: Vec<BindingId> = choice.params.iter().map(|param| param.domain.bind()).collect();
        let when = choice.when.as_ref().map(|when| (self.lower_expr(when, env), params_needed(when, &binds)));
        let guards: Vec<engine::Guard> = choice.guards.iter().map(|guard| self.lower_guard(guard, &binds, env)).collect();
        let costs: Vec<engine::Cost> = choice.costs.iter().map(|cost| self.lower_cost(cost, &binds, env)).collect();
        let up_to = choice.up_to.as_ref().map(|up_to| self.lower_expr(up_to, env));
        let stages = list_stages(params.len(), when.map(|when| when.1), &guards, &costs);
        engine::Choice {
            name: self.ruleset.names.add(&choice.name),
            chooses: choice.chooses,
            text: choice.text.clone().map(Into::into),
            address,
            params,
            when: when.map(|when| when.0),
            guards,
            costs,
            stages,
            up_to,
            action: None,
        }
    }

    /// Lowers what can be chosen for a parameter, which takes the next local. Its condition binds locals from `filter_from` on.
    pub fn lower_domain(&mut self, domain: &Domain, env: &mut Bindings, filter_from: usize, span: Span) -> (u8, engine::Domain) {
        match domain {
            Domain::Cards(cards) => {
                let bare = typed::Cards { filter: None, ..cards.clone() };
                let set = self.add_card_set(&bare, env, span);
                let filter = cards.filter.as_ref().map(|filter| self.lower_behind(filter, env, filter_from));
                self.ruleset.sets[set as usize].filter = filter;
                (self.ruleset.sets[set as usize].local, engine::Domain::Cards(set))
            }
            Domain::Words(bind, words, ty) => {
                let name = |word: &i32| {
                    let token = self.ruleset.tokens.get(cast::index(*word)).filter(|_| *ty == Type::Token).map(|token| token.name);
                    token.or_else(|| self.ruleset.resources.get(cast::index(*word)).copied().filter(|_| *ty != Type::Token))
                };
                let named = words.iter().filter_map(|word| Some((name(word)?, *word))).collect();
                (self.bind(env, *bind, span), engine::Domain::Words(named))
            }
            Domain::Numbers(bind, from, to) => {
                let (from, to) = (self.lower_behind(from, env, filter_from), self.lower_behind(to, env, filter_from));
                (self.bind(env, *bind, span), engine::Domain::Numbers { from, to })
            }
            Domain::Players(bind, seats) => {
                let local = self.bind(env, *bind, span);
                let (next, bound) = (env.next, env.bound.len());
                env.next = next.max(filter_from);
                let players = self.lower_seats(seats, env, span);
                env.next = next;
                env.bound.truncate(bound);
                (local, engine::Domain::Players(players))
            }
        }
    }

    /// Lowers an expression that binds locals from `from` on.
    fn lower_behind(&mut self, expr: &Expr, env: &mut Bindings, from: usize) -> NodeId {
        let next = env.next;
        env.next = next.max(from);
        let node = self.lower_expr(expr, env);
        env.next = next;
        node
    }

    /// Lowers what a question on a card offers; its loop variable is bound in `env`.
    pub fn lower_offer(&mut self, offer: &Offer, env: &mut Bindings, span: Span) -> engine::Offer {
        match offer {
            Offer::Word(word) => engine::Offer::Word(self.ruleset.names.add(word)),
            Offer::Cards(cards) => engine::Offer::Cards(self.add_card_set(cards, env, span)),
        }
    }

    /// Emits the payment of a choice's costs.
    pub(super) fn emit_costs(&mut self, choice: u16) {
        let Some(costs) = self.ruleset.choices.get(usize::from(choice)).map(|choice| choice.costs.clone()) else { return };
        if costs.iter().any(|cost| cost.tokens.is_none()) {
            self.emit(Op::Costs { choice });
            // Listeners to the payment run before what it pays for.
            self.emit(Op::Waiting);
        }
        costs.iter().filter_map(|cost| cost.tokens).for_each(|cost| self.emit_spend(cost));
    }

    fn lower_guard(&mut self, guard: &typed::Guard, params: &[BindingId], env: &mut Bindings) -> engine::Guard {
        let node = self.lower_expr(&guard.holds, env);
        let stage = params_needed(&guard.holds, params);
        let (kinds, once) = self.split_kind_guard(&guard.holds, node, params, stage, env);
        engine::Guard { name: guard.name.clone(), node, reason: guard.reason.clone(), stage, kinds, once }
    }

    /// Splits a guard of the form `card is not KIND or …`: it is only evaluated for candidates of that kind, and the part after `or` only
    /// once if it does not depend on the candidate.
    fn split_kind_guard(
        &mut self,
        holds: &Expr,
        node: NodeId,
        params: &[BindingId],
        stage: u8,
        env: &mut Bindings,
    ) -> (Option<u64>, Option<NodeId>) {
        if stage == 0 {
            return (None, Some(node));
        }
        let ExprKind::Or { a: first, b: rest } = &holds.kind else { return (None, None) };
        let ExprKind::Not(inner) = &first.kind else { return (None, None) };
        let ExprKind::IsKind { card, kind } = &inner.kind else { return (None, None) };
        let ExprKind::Local(bind) = card.kind else { return (None, None) };
        if params.get(stage as usize - 1) != Some(&bind) {
            return (None, None);
        }
        let once = (params_needed(rest, params) == 0).then(|| self.lower_expr(rest, env));
        (Some(1 << kind), once)
    }

    fn lower_cost(&mut self, cost: &Cost, params: &[BindingId], env: &mut Bindings) -> engine::Cost {
        match cost {
            Cost::Resource(amount, resource) => engine::Cost {
                amount: self.lower_expr(amount, env),
                resource: cast::fit::<u8>(*resource),
                tokens: None,
                stage: params_needed(amount, params),
            },
            Cost::Tokens(price) => {
                let tokens = self.lower_token_cost(price, env);
                let stage = params_needed(&price.amount, params).max(params_needed(&price.symbol, params));
                engine::Cost { amount: tokens.amount, resource: u8::MAX, tokens: Some(tokens), stage }
            }
        }
    }
}

/// Returns how many of the parameters must be known before an expression can be evaluated.
fn params_needed(expr: &Expr, params: &[BindingId]) -> u8 {
    let mut stage = 0;
    expr.walk(&mut |below| {
        if let ExprChild::Operand(Expr { kind: ExprKind::Local(bind), .. }) = below
            && let Some(at) = params.iter().position(|param| param == bind)
        {
            stage = stage.max(cast::fit::<u8>(at) + 1);
        }
    });
    stage
}
