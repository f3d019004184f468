//! Which parameters of what the rules declare are read as cards. The rules know by their types; a script may hand over any number,
//! and one that is no card must be refused before an expression looks it up.

use crate::engine::node::Role;
use crate::engine::ruleset::{BodyId, Node, NodeId, Offer, OrderKey, Ruleset, Stmt, Target};
use crate::engine::tokens::TokenStmt;

/// Definitions that use each other are followed this deep.
const DEEPEST: usize = 64;

/// Parameters that are cards, as a bit set of locals.
#[derive(Debug)]
pub(super) struct Params<'r> {
    rules: &'r Ruleset,
    cards: u16,
    depth: usize,
}

/// The parameters of an expression that are cards.
pub(super) fn of_expression(rules: &Ruleset, node: NodeId) -> u16 {
    let mut params = Params { rules, cards: 0, depth: 0 };
    params.node(node);
    params.cards
}

/// The parameters of a quantity that are cards, to itself or to the cards that change it.
pub(super) fn of_quantity(rules: &Ruleset, quantity: u16) -> u16 {
    let mut params = Params { rules, cards: 0, depth: 0 };
    params.quantity(quantity);
    params.cards
}

/// The parameters of an effect that are cards.
pub(super) fn of_effect(rules: &Ruleset, effect: u16) -> u16 {
    let mut params = Params { rules, cards: 0, depth: 0 };
    params.body(rules.effects[effect as usize].body);
    params.cards
}

impl Params<'_> {
    fn within(&mut self, step: impl FnOnce(&mut Self)) {
        if self.depth < DEEPEST {
            self.depth += 1;
            step(self);
            self.depth -= 1;
        }
    }

    /// What another declaration reads as a card, of the arguments that it is given.
    fn handed(&mut self, args: &[Option<NodeId>], inner: impl FnOnce(&mut Self)) {
        let mut there = Params { rules: self.rules, cards: 0, depth: self.depth };
        there.within(inner);
        for (i, arg) in args.iter().enumerate() {
            let Some(arg) = *arg else { continue };
            if there.cards >> (i + 1) & 1 == 1 { self.card(arg) } else { self.node(arg) }
        }
    }

    fn quantity(&mut self, quantity: u16) {
        let rules = self.rules;
        let declared = &rules.quantities[quantity as usize];
        self.node(declared.base);
        for node in declared.most.into_iter().chain(declared.least) {
            self.node(node);
        }
        if declared.args > 0 {
            for change in rules.definitions.iter().flat_map(|d| &d.changes).filter(|c| c.quantity == quantity) {
                self.node(change.amount);
                self.maybe(change.when);
            }
        }
    }

    fn maybe(&mut self, node: Option<NodeId>) {
        if let Some(node) = node {
            self.node(node);
        }
    }

    fn local(&mut self, local: u8) {
        self.cards |= 1 << local.min(15);
    }

    fn card(&mut self, node: NodeId) {
        match self.rules.nodes[node as usize] {
            Node::Local(local) => self.local(local),
            Node::If(condition, yes, no) => self.within(|s| {
                s.node(condition);
                s.card(yes);
                s.card(no);
            }),
            _ => self.node(node),
        }
    }

    fn set(&mut self, set: u32) {
        self.maybe(self.rules.sets[set as usize].filter);
    }

    fn node(&mut self, node: NodeId) {
        let rules = self.rules;
        let node = &rules.nodes[node as usize];
        self.within(|s| {
            if let Some(set) = node.card_set() {
                s.set(set);
            }
            if let Some(set) = node.player_set() {
                s.maybe(rules.player_sets[set as usize].filter);
            }
            match node {
                Node::Quantity(quantity, args) => s.handed(args, |there| there.quantity(*quantity)),
                _ => node.parts().into_iter().for_each(|(part, role)| match role {
                    Role::Card => s.card(part),
                    Role::Value => s.node(part),
                }),
            }
        });
    }

    fn body(&mut self, body: BodyId) {
        let rules = self.rules;
        self.within(|s| rules.bodies[body as usize].iter().for_each(|stmt| s.stmt(stmt)));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Gain(a, b) | Stmt::Lose(a, b, _) | Stmt::Pay(a, b) | Stmt::MoveRow(_, a, b) => {
                self.node(*a);
                self.node(*b);
            }
            Stmt::PayMix(a, _) | Stmt::AddBit(_, a) | Stmt::Draw(_, a, _, _) | Stmt::Fill(_, _, a) => self.node(*a),
            Stmt::Write(target, _, value) => {
                self.node(*value);
                match target {
                    Target::Global(_) | Target::Own(_) => {}
                    Target::OwnAt(_, _, index) => self.node(*index),
                    Target::Counter(card, _) => self.card(*card),
                }
            }
            Stmt::RemoveSet(set) => self.set(*set),
            Stmt::PutNamed(..) => {}
            Stmt::Tokens(stmt) => match &**stmt {
                TokenStmt::Take(n, ..) => self.node(*n),
                TokenStmt::Spend(cost) => {
                    self.node(cost.amount);
                    self.node(cost.symbol);
                }
                TokenStmt::Pick(pick) => {
                    self.node(pick.least);
                    self.maybe(pick.most);
                    self.body(pick.body);
                }
                _ => {}
            },
            Stmt::Remove(c) | Stmt::Put(c, _, _) | Stmt::PlaceInSlot(c) | Stmt::PlaceIn(c, _, _) | Stmt::CardActs(c) => self.card(*c),
            Stmt::Moment(_, c) => c.iter().for_each(|c| self.card(*c)),
            Stmt::If(condition, yes, no) => {
                self.node(*condition);
                self.body(*yes);
                no.iter().for_each(|no| self.body(*no));
            }
            Stmt::ForWords(_, _, body) => self.body(*body),
            Stmt::ForCards(set, body) => {
                self.set(*set);
                self.body(*body);
            }
            Stmt::Repeat(n, body) => {
                self.node(*n);
                self.body(*body);
            }
            Stmt::EachPlayer(_, filter, body) | Stmt::AllPlayers(filter, body) => {
                self.maybe(*filter);
                self.body(*body);
            }
            Stmt::Ask(question) => {
                let rules = self.rules;
                let question = &rules.questions[*question as usize];
                for choice in &question.choices {
                    self.maybe(choice.when);
                    self.maybe(choice.up_to);
                    if let Offer::Cards(set) = choice.offer {
                        self.set(set);
                    }
                    self.body(choice.body);
                }
                question.otherwise.iter().for_each(|body| self.body(*body));
            }
            Stmt::Effect(effect, args) => {
                let args: Vec<Option<NodeId>> = args.iter().copied().map(Some).collect();
                let body = self.rules.effects[*effect as usize].body;
                self.handed(&args, |there| there.body(body));
            }
            Stmt::OrderBy(keys) => {
                for key in keys.iter() {
                    if let OrderKey::By(node) = key {
                        self.node(*node);
                    }
                }
            }
            Stmt::OrderRandom => {}
        }
    }
}
