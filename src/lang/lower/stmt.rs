//! Lowering statements: blocks become bodies, each statement with its place beside it. What the choice of players and options
//! never lets run is left out.

use super::super::defs::What;
use super::super::typed::{Block, Choice, Deck, Key, Offer, Pick, Question, Stmt, StmtKind, Target, TokenPrice};
use super::{Env, Lowerer};
use crate::engine::ruleset::{self as engine, BodyId, Node, NodeId, OrderKey};
use crate::engine::tokens::{TokenCost, TokenPick, TokenStmt};
use crate::source::Span;

type Made = Vec<(engine::Stmt, Span)>;

impl Lowerer<'_> {
    /// A block as a body.
    pub(super) fn body(&mut self, block: &Block, env: &mut Env) -> BodyId {
        let mut made = Made::new();
        self.block(block, env, &mut made);
        self.add_body(made)
    }

    pub(super) fn add_body(&mut self, made: Made) -> BodyId {
        let (stmts, spans): (Vec<_>, Vec<_>) = made.into_iter().unzip();
        self.out.bodies.push(stmts.into());
        self.out.body_spans.push(spans.into());
        self.out.bodies.len() as BodyId - 1
    }

    fn block(&mut self, block: &Block, env: &mut Env, made: &mut Made) {
        for stmt in block {
            self.stmt(stmt, env, made);
        }
    }

    /// A statement; what it binds is bound in it alone.
    pub(super) fn stmt(&mut self, stmt: &Stmt, env: &mut Env, made: &mut Made) {
        let (bound, next) = (env.bound.len(), env.next);
        if let StmtKind::If(condition, yes, no) = &stmt.kind {
            let condition = self.expr(condition, env);
            match self.value_of(condition) {
                Some(0) => no.iter().for_each(|no| self.block(no, env, made)),
                Some(_) => self.block(yes, env, made),
                None => {
                    let yes = self.body(yes, env);
                    let no = no.as_ref().map(|no| self.body(no, env));
                    made.push((engine::Stmt::If(condition, yes, no), stmt.span));
                }
            }
        } else {
            let lowered = self.one(stmt, env);
            made.push((lowered, stmt.span));
        }
        env.bound.truncate(bound);
        env.next = next;
    }

    fn one(&mut self, stmt: &Stmt, env: &mut Env) -> engine::Stmt {
        use engine::Stmt as S;
        match &stmt.kind {
            StmtKind::Gain(amount, resource) => S::Gain(self.expr(amount, env), self.expr(resource, env)),
            StmtKind::Lose(amount, resource, name) => {
                let name = name.map(|name| self.loss(name));
                S::Lose(self.expr(amount, env), self.expr(resource, env), name)
            }
            StmtKind::Pay(amount, resource) => S::Pay(self.expr(amount, env), self.expr(resource, env)),
            StmtKind::PayMix(amount, resources) => {
                S::PayMix(self.expr(amount, env), resources.iter().map(|&resource| resource as u8).collect())
            }
            StmtKind::Write(target, how, value) => {
                let target = match target {
                    Target::Variable(def) => match self.slots.get(*def) {
                        Some(slot) if slot.owner == super::super::defs::Owner::Table => engine::Target::Global(slot.offset as u32),
                        slot => engine::Target::Own(slot.map_or(0, |slot| slot.offset)),
                    },
                    Target::TallyItem(def, index) => {
                        let index = self.expr(index, env);
                        let (offset, len) = self.slots.get(*def).map_or((0, 0), |slot| (slot.offset, slot.len));
                        engine::Target::OwnAt(offset, len, index)
                    }
                    Target::Counter(card, def) => engine::Target::Counter(self.expr(card, env), self.slots.offset(*def) as u8),
                };
                S::Write(target, *how, self.expr(value, env))
            }
            StmtKind::AddToSet(set, word) => S::AddBit(self.slots.offset(*set), self.expr(word, env)),
            StmtKind::Draw(deck, place, name) => {
                let (deck, pile) = self.deck(deck, env);
                S::Draw(deck, pile, self.place(*place), name.map(|name| self.loss(name)))
            }
            StmtKind::Fill(grid, deck) => {
                let (deck, pile) = self.deck(deck, env);
                S::Fill(self.place(*grid), deck, pile)
            }
            StmtKind::RemoveAll(cards) => S::RemoveSet(self.cards(cards, env, stmt.span)),
            StmtKind::Remove(card) => S::Remove(self.expr(card, env)),
            StmtKind::MoveRow(grid, from, to) => S::MoveRow(self.place(*grid), self.expr(from, env), self.expr(to, env)),
            StmtKind::PutList(card, field, place) => {
                let card = self.expr(card, env);
                S::Put(card, self.slots.offset(*field), self.place(*place))
            }
            StmtKind::PutNamed(cards, place) => S::PutNamed(cards.iter().map(|&card| self.card(card) as i32).collect(), self.place(*place)),
            StmtKind::PlaceInSlot(card) => S::PlaceInSlot(self.expr(card, env)),
            StmtKind::PlaceIn(card, place, over) => S::PlaceIn(self.expr(card, env), self.place(*place), *over),
            StmtKind::Moment(moment, card) => {
                let card = card.as_ref().map(|card| self.expr(card, env));
                let What::Moment(moment) = self.tree.defs[*moment].what else { return S::Moment(0, card) };
                S::Moment(moment, card)
            }
            StmtKind::If(..) => S::Repeat(self.constant(0), 0),
            StmtKind::ForWords(bind, words, block) => {
                let local = self.bind(env, *bind, stmt.span);
                S::ForWords(local, words.as_slice().into(), self.body(block, env))
            }
            StmtKind::ForCards(cards, block) => {
                let set = self.cards(cards, env, stmt.span);
                S::ForCards(set, self.body(block, env))
            }
            StmtKind::Repeat(times, block) => S::Repeat(self.expr(times, env), self.body(block, env)),
            StmtKind::EachPlayer(direction, filter, block) => {
                let filter = filter.as_ref().map(|filter| self.expr(filter, env));
                S::EachPlayer(*direction, filter, self.body(block, env))
            }
            StmtKind::AllPlayers(filter, block) => {
                let filter = filter.as_ref().map(|filter| self.expr(filter, env));
                S::AllPlayers(filter, self.body(block, env))
            }
            StmtKind::Ask(question) => S::Ask(self.question(question, env, stmt.span)),
            StmtKind::Do(effect, args) => {
                let args = args.iter().map(|arg| self.expr(arg, env)).collect();
                let What::Effect(effect) = self.tree.defs[*effect].what else { return S::Effect(0, args) };
                S::Effect(effect, args)
            }
            StmtKind::OrderBy(keys) => S::OrderBy(self.keys(keys, env).into()),
            StmtKind::OrderRandom => S::OrderRandom,
            StmtKind::CardActs(card) => S::CardActs(self.expr(card, env)),
            StmtKind::Take(amount, tokens, from, to) => {
                let amount = self.expr(amount, env);
                with_tokens(TokenStmt::Take(amount, self.tokens(tokens, env), self.pool(*from), self.pool(*to)))
            }
            StmtKind::MoveAll(tokens, from, to) => {
                let tokens = self.tokens(tokens, env);
                with_tokens(TokenStmt::MoveAll(tokens, self.pool(*from), self.pool(*to)))
            }
            StmtKind::MoveOne(bind, to) => with_tokens(TokenStmt::MoveOne(self.local_of(*bind, env), self.pool(*to))),
            StmtKind::LiftAll(tokens, pool) => {
                let tokens = self.tokens(tokens, env);
                with_tokens(TokenStmt::Lift(tokens, self.pool(*pool)))
            }
            StmtKind::LiftOne(bind) => with_tokens(TokenStmt::LiftOne(self.local_of(*bind, env))),
            StmtKind::Roll(pool) => with_tokens(TokenStmt::Roll(self.pool(*pool))),
            StmtKind::Spend(price) => {
                let cost = self.token_cost(price, env);
                with_tokens(TokenStmt::Spend(cost))
            }
            StmtKind::Pick(pick) => {
                let pick = self.pick_of(pick, env, stmt.span);
                with_tokens(TokenStmt::Pick(pick))
            }
        }
    }

    fn loss(&self, def: super::super::defs::DefId) -> u16 {
        match self.tree.defs[def].what {
            What::Loss(loss) => loss,
            _ => 0,
        }
    }

    fn deck(&mut self, deck: &Deck, env: &mut Env) -> (u16, NodeId) {
        let pile = deck.pile.as_ref().map(|pile| self.expr(pile, env));
        let first = self.constant(1);
        (self.place(deck.place), pile.unwrap_or(first))
    }

    pub(super) fn keys(&mut self, keys: &[Key], env: &mut Env) -> Vec<OrderKey> {
        let key = |key: &Key| match key {
            Key::By(value) => OrderKey::By(self.expr(value, env)),
            Key::Order => OrderKey::Present,
        };
        keys.iter().map(key).collect()
    }

    pub(super) fn token_cost(&mut self, price: &TokenPrice, env: &mut Env) -> TokenCost {
        let (amount, symbol) = (self.expr(&price.amount, env), self.expr(&price.symbol, env));
        TokenCost { amount, symbol, from: self.pool(price.from), to: self.pool(price.to) }
    }

    fn question(&mut self, question: &Question, env: &mut Env, span: Span) -> u32 {
        let made = engine::Question {
            id: question.id.clone(),
            may: question.may,
            picks: question.picks,
            choices: question.choices.iter().map(|choice| self.choice(choice, env, span)).collect(),
            otherwise: question.otherwise.as_ref().map(|block| self.body(block, env)),
        };
        self.out.questions.push(made);
        self.out.questions.len() as u32 - 1
    }

    fn choice(&mut self, choice: &Choice, env: &mut Env, span: Span) -> engine::Choice {
        let (bound, next) = (env.bound.len(), env.next);
        let offer = match &choice.offer {
            Offer::Word(word) => engine::Offer::Word { name: self.out.names.add(word), bare: word.contains(' ') },
            Offer::Cards(cards) => engine::Offer::Cards(self.cards(cards, env, span)),
        };
        let when = choice.when.as_ref().map(|when| self.expr(when, env));
        let up_to = choice.up_to.as_ref().map(|up_to| self.expr(up_to, env));
        let body = self.body(&choice.block, env);
        env.bound.truncate(bound);
        env.next = next;
        engine::Choice { offer, when, body, up_to }
    }

    fn pick_of(&mut self, pick: &Pick, env: &mut Env, span: Span) -> TokenPick {
        let set = self.tokens(&pick.tokens, env);
        let none = self.constant(0);
        let least = pick.least.as_ref().map_or(none, |least| self.expr(least, env));
        let local = self.bind(env, pick.bind, span);
        self.out.questions.push(engine::Question { id: pick.id.clone(), may: false, picks: true, choices: Vec::new(), otherwise: None });
        let question = self.out.questions.len() as u32 - 1;
        let body = self.body(&pick.block, env);
        let pools = pick.pools.iter().map(|&pool| self.pool(pool)).collect();
        TokenPick { question, set, pools, least, most: pick.exactly.then_some(least), local, body }
    }

    /// Calls of effects of which nothing is left are left out.
    pub fn drop_idle_calls(&mut self) {
        let empty: Vec<bool> = self.out.effects.iter().map(|effect| self.out.bodies[effect.body as usize].is_empty()).collect();
        let idle = |stmt: &engine::Stmt| matches!(stmt, engine::Stmt::Effect(effect, _) if empty[*effect as usize]);
        for (body, spans) in self.out.bodies.iter_mut().zip(&mut self.out.body_spans) {
            if body.iter().any(idle) {
                let kept = || body.iter().zip(spans.iter()).filter(|(stmt, _)| !idle(stmt));
                let kept: (Vec<_>, Vec<_>) = kept().map(|(stmt, span)| (stmt.clone(), *span)).unzip();
                (*body, *spans) = (kept.0.into(), kept.1.into());
            }
        }
    }

    /// The local of a parameter that an expression is, if it is one.
    pub(super) fn as_local(&self, node: NodeId) -> Option<u8> {
        match self.out.nodes[node as usize] {
            Node::Local(local) => Some(local),
            _ => None,
        }
    }
}

fn with_tokens(stmt: TokenStmt) -> engine::Stmt {
    engine::Stmt::Tokens(Box::new(stmt))
}

#[cfg(test)]
mod tests {
    use crate::engine::ruleset::Stmt;
    use crate::lang::sample::lowered;

    #[test]
    fn what_never_runs_is_left_out_and_each_statement_knows_its_place() {
        let rules = "effect rare { if players == 3 { moon = 1 } }\neffect main { do rare; if players == 2 { moon = 2; night = yes } else { moon = 3 } }\n";
        for (players, count) in [(2, 2), (3, 2)] {
            let (lowered, wrong) = lowered(rules, "", players);
            assert!(wrong.is_empty(), "{wrong:?}");
            let main = lowered.rules.effects.iter().find(|effect| effect.name == "main").unwrap().body as usize;
            assert_eq!(lowered.rules.bodies[main].len(), count, "{:?}", lowered.rules.bodies[main]);
        }
        let (lowered, _) = lowered(rules, "", 2);
        for (body, spans) in lowered.rules.bodies.iter().zip(&lowered.rules.body_spans) {
            assert_eq!(body.len(), spans.len());
        }
        assert_eq!(lowered.rules.bodies.len(), lowered.rules.body_spans.len());
    }

    #[test]
    fn a_question_comes_with_its_choices() {
        let (lowered, _) =
            lowered("effect ask { player may choose { \"grow\" if moon > 1 { moon = 1 } each card in my yard { remove card } } }\n", "", 2);
        let question = lowered.rules.questions.iter().find(|question| question.id == "ask").unwrap();
        assert_eq!((question.may, question.choices.len()), (true, 2));
        let body = &lowered.rules.bodies[question.choices[1].body as usize];
        assert!(matches!(body[0], Stmt::Remove(_)));
    }
}
