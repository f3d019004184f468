//! What is named and has a body: definitions, quantities, ranks, conditions, effects; also shortages, cards that leave, and checks.

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{Check, Effect, Lifetime, Node, NodeId, Quantity, Rank, Shortage};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

impl Compiler<'_> {
    /// Fourth pass: the names of definitions, quantities, ranks, conditions and effects, so that each can name the others.
    pub(super) fn declare_names(&mut self, tree: &Block) {
        for statement in &tree.statements {
            let result = match statement.head() {
                Some("define") => self.define(statement),
                Some("changeable") => self.quantity_name(statement, false),
                Some("stat") => self.quantity_name(statement, true),
                Some("rank") => self.rank_name(statement),
                Some("condition") => self.condition_name(statement),
                Some("effect") => self.effect_name(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
        for (place, terms, span) in std::mem::take(&mut self.limits) {
            let name = format!("{}.limit", self.rules.places[place].name);
            let quantity = self.add_quantity(&name, span, 0, false);
            self.rules.places[place].limit = Some(quantity);
            self.quantity_bodies.push((quantity, Vec::new(), terms, span));
        }
    }

    /// A name with parameters perhaps, then `=`.
    fn signature<'t>(&mut self, cursor: &mut Cursor<'t>) -> Result<(String, Vec<String>, Span), Wrong> {
        cursor.next();
        let span = cursor.span();
        match cursor.next().map(|t| &t.kind) {
            Some(TermKind::Word(name)) => Ok((name.clone(), Vec::new(), span)),
            Some(TermKind::Call { name, args }) => {
                let mut params = Vec::new();
                for arg in args {
                    match arg.as_slice() {
                        [Term { kind: TermKind::Word(word), .. }] => params.push(word.clone()),
                        _ => return Err(Box::new(Diagnostic::error("R002", span, "parameters are single names"))),
                    }
                }
                Ok((name.clone(), params, span))
            }
            _ => Err(Box::new(Diagnostic::error("R002", span, "expected a name"))),
        }
    }

    fn define(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let (name, params, span) = self.signature(&mut cursor)?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=`"));
        }
        let body = statement.terms[cursor.at..].to_vec();
        self.define_names.push(name.clone());
        self.declare_name(&name, Symbol::Define { params, body }, span);
        Ok(())
    }

    fn quantity_name(&mut self, statement: &Statement, stat: bool) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let (name, params, span) = self.signature(&mut cursor)?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=`"));
        }
        if params.len() > 2 {
            return Err(Box::new(Diagnostic::error("R008", span, "a quantity has two parameters at most")));
        }
        let quantity = self.add_quantity(&name, span, params.len() as u8, stat);
        self.quantity_bodies.push((quantity, params, statement.terms[cursor.at..].to_vec(), statement.span));
        Ok(())
    }

    pub(super) fn add_quantity(&mut self, name: &str, span: Span, args: u8, stat: bool) -> u16 {
        let index = self.rules.quantities.len() as u16;
        let differences = (args == 0).then(|| {
            let offset = self.seat_size;
            self.seat_size += Lifetime::ALL.len() as u16;
            offset
        });
        self.rules.quantities.push(Quantity {
            name: name.to_string(),
            base: 0,
            args,
            most: None,
            least: None,
            ranked: None,
            differences,
            stat,
            changed: false,
        });
        self.declare_name(name, Symbol::Quantity(index), span);
        index
    }

    fn rank_name(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the rank's name")?;
        let (what, _) = cursor.expect_name("what is ranked, such as `x`")?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=`"));
        }
        let top = cursor.take_word("top");
        if !top && !cursor.take_word("bottom") {
            return Err(cursor.expected("`top` or `bottom`"));
        }
        let leaders = self.number(&mut cursor, &mut Scope::from(1))?;
        cursor.expect_word("by")?;
        let (by, at) = cursor.expect_name(&format!("`{what}`"))?;
        if by != what {
            let wrong = Diagnostic::error("R010", at, format!("`{by}` is not what `{name}` ranks: that is called `{what}`"));
            return Err(Box::new(wrong.label("another name").help(format!(
                "write `by {what}`, which stands for whatever is behind `{name}`; a stat that ranks by something else says `ranked as …`"
            ))));
        }
        if !cursor.take_comma() {
            return Err(cursor.expected("a comma and `ties at the edge in` or `out`"));
        }
        if !cursor.take_words(&["ties", "at", "the", "edge"]) {
            return Err(cursor.expected("`ties at the edge in` or `out`"));
        }
        let ties_in = cursor.take_word("in");
        if !ties_in && !cursor.take_word("out") {
            return Err(cursor.expected("`in` or `out`"));
        }
        cursor.expect_end()?;
        self.rules.ranks.push(Rank { name: name.to_string(), top, leaders, ties_in });
        let index = self.rules.ranks.len() as u16 - 1;
        self.declare_name(name, Symbol::Rank(index), span);
        Ok(())
    }

    fn condition_name(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = match cursor.take_text() {
            Some((text, span)) => (text.to_string(), span),
            None => {
                let (name, span) = cursor.expect_name("the condition's name")?;
                (name.to_string(), span)
            }
        };
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=`"));
        }
        // A placeholder that the body replaces, so that conditions can name each other in any order; no number, which could be
        // read before.
        let yes = self.node(Node::Const(1));
        let node = self.node(Node::Not(yes));
        self.rules.conditions.push((name.clone(), node));
        self.condition_bodies.push((node, statement.terms[cursor.at..].to_vec(), statement.span));
        self.declare_name(&name, Symbol::Condition(node), span);
        Ok(())
    }

    fn effect_name(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let (name, params, span) = self.signature(&mut cursor)?;
        if params.len() > 4 {
            return Err(Box::new(Diagnostic::error("R008", span, "an effect has four parameters at most")));
        }
        self.rules.effects.push(Effect { name: name.clone(), params: params.len() as u8, body: 0 });
        let index = self.rules.effects.len() as u16 - 1;
        self.declare_name(&name, Symbol::Effect(index), span);
        Ok(())
    }

    /// Fifth pass: the bodies of what was named.
    pub(super) fn declare_bodies(&mut self, tree: &Block) {
        for (quantity, params, terms, span) in std::mem::take(&mut self.quantity_bodies) {
            let result = self.quantity_body(quantity, &params, &terms, span);
            self.note(result);
            self.quantity_params.insert(quantity, params);
        }
        self.bodies_of_conditions();
        for statement in &tree.statements {
            let result = match statement.head() {
                Some("effect") => self.effect_body(statement),
                Some("when") => self.when(statement),
                Some("always") => self.always(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
    }

    /// Each placeholder of a condition becomes its body, when all bodies are known: one may be just the name of another condition.
    fn bodies_of_conditions(&mut self) {
        let mut bodies = BTreeMap::new();
        for (node, terms, span) in std::mem::take(&mut self.condition_bodies) {
            match self.whole_expr(&terms, span, &mut Scope::from(3), &[Type::Truth]) {
                Ok((body, _)) => _ = bodies.insert(node, body),
                Err(wrong) => self.diagnostics.push(*wrong),
            }
        }
        let circles: BTreeSet<NodeId> = bodies.keys().copied().filter(|&node| self.reads_itself(node, &bodies)).collect();
        for (name, node) in &self.rules.conditions {
            if circles.contains(node) {
                let span = self.symbols.get(name).map(|declared| declared.span);
                self.diagnostics.push(Self::circle(name, span));
            }
        }
        bodies.retain(|node, _| !circles.contains(node));
        for (node, mut body) in bodies.clone() {
            while let Some(&of_other) = bodies.get(&body) {
                body = of_other;
            }
            self.rules.nodes[node as usize] = self.rules.nodes[body as usize].clone();
        }
    }

    /// Whether a condition is among what it reads. What goes by way of quantities is found where those are looked through.
    fn reads_itself(&self, condition: NodeId, bodies: &BTreeMap<NodeId, NodeId>) -> bool {
        let (mut seen, mut left) = (BTreeSet::new(), vec![condition]);
        while let Some(node) = left.pop() {
            let mut parts = match bodies.get(&node) {
                Some(body) => vec![*body],
                None => self.rules.below(node),
            };
            if let Node::Rank(rank, _) = self.rules.nodes[node as usize] {
                parts.push(self.rules.ranks[rank as usize].leaders);
            }
            left.extend(parts.into_iter().filter(|&part| seen.insert(part)));
        }
        seen.contains(&condition)
    }

    fn quantity_body(&mut self, quantity: u16, params: &[String], terms: &[Term], span: Span) -> Result<(), Wrong> {
        let mut scope = Scope::from(1 + params.len());
        for (i, param) in params.iter().enumerate() {
            let node = self.node(Node::Local(1 + i as u8));
            let sort = if param == "card" { Type::Card } else { Type::Any };
            scope.bound.push((param.clone(), node, sort));
        }
        let mut cursor = Cursor::new(terms, span);
        let (base, sort) = self.expr(&mut cursor, &mut scope)?;
        self.must_be(sort, &[Type::Number], span)?;
        self.rules.quantities[quantity as usize].base = base;
        while cursor.take_comma() {
            if cursor.take_words(&["at", "most"]) {
                let node = self.number(&mut cursor, &mut scope)?;
                self.rules.quantities[quantity as usize].most = Some(node);
            } else if cursor.take_words(&["at", "least"]) {
                let node = self.number(&mut cursor, &mut scope)?;
                self.rules.quantities[quantity as usize].least = Some(node);
            } else if cursor.take_words(&["ranked", "as"]) {
                let node = self.number(&mut cursor, &mut scope)?;
                let name = format!("{}.rank", self.rules.quantities[quantity as usize].name);
                let ranked = self.add_quantity(&name, span, 0, false);
                self.rules.quantities[ranked as usize].base = node;
                self.rules.quantities[quantity as usize].ranked = Some(ranked);
            } else {
                return Err(cursor.expected("`at most`, `at least` or `ranked as`"));
            }
        }
        cursor.expect_end()
    }

    /// An expression that is a whole number.
    fn number(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<NodeId, Wrong> {
        let span = cursor.span();
        let (node, sort) = self.expr(cursor, scope)?;
        self.must_be(sort, &[Type::Number], span)?;
        Ok(node)
    }

    fn effect_body(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let (name, params, _) = self.signature(&mut cursor)?;
        let block = cursor.expect_block("what it does, in braces")?;
        cursor.expect_end()?;
        let Some(Symbol::Effect(index)) = self.symbol(&name).cloned() else { return Ok(()) };
        let mut scope = Scope::from(1 + params.len());
        for (i, param) in params.iter().enumerate() {
            let node = self.node(Node::Local(1 + i as u8));
            let sort = if param == "card" { Type::Card } else { Type::Any };
            scope.bound.push((param.clone(), node, sort));
        }
        self.context = name;
        let body = self.body(block, &mut scope);
        self.rules.effects[index as usize].body = body;
        Ok(())
    }

    /// `when short of …` and `when card leaves …`.
    fn when(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        if cursor.take_words(&["short", "of"]) {
            let (resource, span) = cursor.expect_name("a name for the resource")?;
            cursor.expect_word("in")?;
            let resources = self.resources(&mut cursor)?;
            if !cursor.take_comma() {
                return Err(cursor.expected("a comma and `missing NAME`"));
            }
            cursor.expect_word("missing")?;
            let (missing, _) = cursor.expect_name("a name for what is missing")?;
            let block = cursor.expect_block("what happens, in braces")?;
            cursor.expect_end()?;
            let mut scope = Scope::from(3);
            let (first, second) = (self.node(Node::Local(1)), self.node(Node::Local(2)));
            scope.bound.push((resource.to_string(), first, Type::Resource));
            scope.bound.push((missing.to_string(), second, Type::Number));
            self.context = "shortage".into();
            let index = self.rules.shortages.len();
            let mask = resources.iter().fold(0, |m, r| m | 1 << r);
            if self.rules.shortages.iter().any(|s| s.resources & mask != 0) {
                return Err(Box::new(Diagnostic::error("R013", span, "what happens when this resource is short is declared twice")));
            }
            self.rules.shortages.push(Shortage { resources: mask, body: 0 });
            let body = self.body(block, &mut scope);
            self.rules.shortages[index].body = body;
            return Ok(());
        }
        let (card, _) = cursor.expect_name("`short of …`, or a name for a card that leaves")?;
        cursor.expect_word("leaves")?;
        let place = self.place(&mut cursor)?;
        let block = cursor.expect_block("what happens, in braces")?;
        cursor.expect_end()?;
        let mut scope = Scope::from(2);
        let node = self.node(Node::Local(1));
        scope.bound.push((card.to_string(), node, Type::Card));
        self.context = "leaves".into();
        let body = self.body(block, &mut scope);
        self.rules.places[place].on_leave = Some(body);
        Ok(())
    }

    fn always(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let Some(block) = statement.terms.get(1).and_then(Term::block) else {
            return Err(Box::new(Diagnostic::error("R002", statement.span, "`always` has its checks in braces")));
        };
        for inner in &block.statements {
            let mut cursor = Cursor::new(&inner.terms, inner.span);
            cursor.expect_word("check")?;
            cursor.expect_name("the check's name")?;
            let body = cursor.expect_block("what it does, in braces")?;
            cursor.expect_end()?;
            for what in &body.statements {
                let mut cursor = Cursor::new(&what.terms, what.span);
                let check = if cursor.take_words(&["remove", "cards", "in", "play", "that", "say", "they", "leave"]) {
                    Check::Leaving
                } else if cursor.take_words(&["remove", "cards", "in", "play", "beyond", "the", "room", "of", "their", "place"]) {
                    Check::Room
                } else {
                    return Err(Box::new(Diagnostic::error("R012", what.span, "no state-based check is written like this").help(
                        "`remove cards in play that say they leave` and `remove cards in play beyond the room of their place` are known",
                    )));
                };
                cursor.expect_end()?;
                self.rules.checks.push(check);
            }
        }
        Ok(())
    }
}
