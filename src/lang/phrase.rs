//! A cursor over terms, and matching them against patterns of the verb table.

use super::ast::{Block, Op, Term, TermKind};
use super::compile::Compiler;
use super::scope::{Scope, Type};
use super::verbs::{Element, SlotKind, Verb, VerbId};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::NodeId;
use crate::source::Span;

/// A fault in a phrase.
pub(super) type Wrong = Box<Diagnostic>;

/// Where one is in a row of terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    pub terms: &'t [Term],
    pub at: usize,
    pub whole: Span,
}

impl<'t> Cursor<'t> {
    pub fn new(terms: &'t [Term], whole: Span) -> Cursor<'t> {
        Cursor { terms, at: 0, whole }
    }

    pub fn peek(&self) -> Option<&'t Term> {
        self.terms.get(self.at)
    }

    pub fn next(&mut self) -> Option<&'t Term> {
        let term = self.terms.get(self.at);
        self.at += 1;
        term
    }

    pub fn done(&self) -> bool {
        self.at >= self.terms.len()
    }

    /// The place of the next term, or the end.
    pub fn span(&self) -> Span {
        match self.peek() {
            Some(term) => term.span,
            None => match self.terms.last() {
                Some(term) => Span { start: term.span.end.saturating_sub(1), ..term.span },
                None => self.whole,
            },
        }
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.peek().is_some_and(|t| t.is_word(word))
    }

    pub fn is_op(&self, op: Op) -> bool {
        self.peek().is_some_and(|t| t.is_op(op))
    }

    /// Takes a word if it is next.
    pub fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.at += 1;
        }
        is
    }

    pub fn take_op(&mut self, op: Op) -> bool {
        let is = self.is_op(op);
        if is {
            self.at += 1;
        }
        is
    }

    pub fn take_comma(&mut self) -> bool {
        let is = matches!(self.peek().map(|t| &t.kind), Some(TermKind::Comma));
        if is {
            self.at += 1;
        }
        is
    }

    pub fn take_colon(&mut self) -> bool {
        let is = matches!(self.peek().map(|t| &t.kind), Some(TermKind::Colon));
        if is {
            self.at += 1;
        }
        is
    }

    /// Takes several words if they are next.
    pub fn take_words(&mut self, words: &[&str]) -> bool {
        let are = words.iter().enumerate().all(|(i, w)| self.terms.get(self.at + i).is_some_and(|t| t.is_word(w)));
        if are {
            self.at += words.len();
        }
        are
    }

    pub fn take_block(&mut self) -> Option<&'t Block> {
        let block = self.peek().and_then(Term::block);
        if block.is_some() {
            self.at += 1;
        }
        block
    }

    pub fn take_text(&mut self) -> Option<(&'t str, Span)> {
        match self.peek() {
            Some(Term { kind: TermKind::Text(text), span }) => {
                self.at += 1;
                Some((text, *span))
            }
            _ => None,
        }
    }

    pub fn expect_name(&mut self, what: &str) -> Result<(&'t str, Span), Wrong> {
        match self.peek() {
            Some(Term { kind: TermKind::Word(word), span }) => {
                self.at += 1;
                Ok((word, *span))
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn expect_word(&mut self, word: &str) -> Result<(), Wrong> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn expect_block(&mut self, what: &str) -> Result<&'t Block, Wrong> {
        match self.take_block() {
            Some(block) => Ok(block),
            None => Err(self.expected(what)),
        }
    }

    pub fn expect_end(&self) -> Result<(), Wrong> {
        match self.peek() {
            None => Ok(()),
            Some(term) => Err(Box::new(
                Diagnostic::error("R001", term.span, "this does not belong here").label("the statement is complete before this"),
            )),
        }
    }

    pub fn expected(&self, what: &str) -> Wrong {
        let message = if self.done() { format!("{what} is missing") } else { format!("expected {what}") };
        Box::new(Diagnostic::error("R002", self.span(), message).label(if self.done() { "after this" } else { "not this" }))
    }
}

/// What filled a slot.
#[derive(Clone, Debug)]
pub(super) enum Filled<'t> {
    Node(NodeId, Type),
    Resources(Vec<i32>),
    Set(u32),
    Place(usize),
    Deck(usize, NodeId),
    Name(String),
    Moment(u16, Option<NodeId>),
    Effect(u16, Vec<NodeId>),
    Block(&'t Block),
    List(NodeId, u16),
    /// Its cell, and what it holds.
    SetVariable(u16, Type),
    Keys(Vec<crate::engine::ruleset::OrderKey>),
    Tokens(u32),
    Pools(Vec<u8>),
    Taken(bool),
}

/// A pattern's slots, filled in order; `Taken` tells of a part that may be left out whether it was there.
#[derive(Debug)]
pub(super) struct Match<'t> {
    pub id: VerbId,
    pub filled: Vec<Filled<'t>>,
    /// Local and name of the card that the cards of the pattern go through.
    pub card: Option<(u8, String)>,
}

impl<'t> Match<'t> {
    pub fn node(&self, i: usize) -> NodeId {
        self.filled.iter().filter_map(|f| if let Filled::Node(n, _) = f { Some(*n) } else { None }).nth(i).unwrap_or(0)
    }

    pub fn sort(&self, i: usize) -> Type {
        self.filled.iter().filter_map(|f| if let Filled::Node(_, t) = f { Some(*t) } else { None }).nth(i).unwrap_or(Type::Any)
    }

    pub fn taken(&self, i: usize) -> bool {
        self.filled.iter().filter_map(|f| if let Filled::Taken(t) = f { Some(*t) } else { None }).nth(i).unwrap_or(false)
    }

    pub fn name(&self, i: usize) -> Option<&(impl AsRef<str> + use<>)> {
        self.filled.iter().filter_map(|f| if let Filled::Name(n) = f { Some(n) } else { None }).nth(i)
    }

    pub fn block(&self, i: usize) -> Option<&'t Block> {
        self.filled.iter().filter_map(|f| if let Filled::Block(b) = f { Some(*b) } else { None }).nth(i)
    }

    pub fn place(&self, i: usize) -> usize {
        self.filled.iter().filter_map(|f| if let Filled::Place(p) = f { Some(*p) } else { None }).nth(i).unwrap_or(0)
    }

    pub fn set(&self) -> u32 {
        self.filled.iter().find_map(|f| if let Filled::Set(s) = f { Some(*s) } else { None }).unwrap_or(0)
    }

    pub fn tokens(&self) -> u32 {
        self.filled.iter().find_map(|f| if let Filled::Tokens(t) = f { Some(*t) } else { None }).unwrap_or(0)
    }

    pub fn pools(&self, i: usize) -> &[u8] {
        self.filled.iter().filter_map(|f| if let Filled::Pools(p) = f { Some(&p[..]) } else { None }).nth(i).unwrap_or(&[0])
    }

    pub fn resources(&self) -> Vec<i32> {
        self.filled.iter().find_map(|f| if let Filled::Resources(r) = f { Some(r.clone()) } else { None }).unwrap_or_default()
    }

    pub fn deck(&self) -> (usize, NodeId) {
        self.filled.iter().find_map(|f| if let Filled::Deck(d, n) = f { Some((*d, *n)) } else { None }).unwrap_or((0, 0))
    }
}

impl Compiler<'_> {
    /// Matches the terms against the rows with this first word; the fault of the row that got furthest is told.
    pub(super) fn match_verbs<'t>(
        &mut self,
        verbs: &[&Verb],
        cursor: &mut Cursor<'t>,
        scope: &mut Scope,
        whole: bool,
    ) -> Result<Match<'t>, Wrong> {
        let mut furthest: Option<(usize, Wrong)> = None;
        for verb in verbs {
            let mut trial = *cursor;
            let mut there = scope.clone();
            let nodes = self.mark();
            let mut found = Match { id: verb.id, filled: Vec::new(), card: None };
            let result = self
                .match_elements(&verb.elements, &mut trial, &mut there, &mut found)
                .and_then(|()| if whole { trial.expect_end() } else { Ok(()) });
            match result {
                Ok(()) => {
                    *cursor = trial;
                    scope.next = scope.next.max(there.next);
                    return Ok(found);
                }
                Err(wrong) => {
                    self.back_to(nodes);
                    if furthest.as_ref().is_none_or(|(at, _)| trial.at > *at) {
                        furthest = Some((trial.at, wrong));
                    }
                }
            }
        }
        let pattern: Vec<&str> = verbs.iter().map(|v| v.pattern).collect();
        let wrong = furthest.map_or_else(|| cursor.expected("a verb"), |f| f.1);
        Err(Box::new(wrong.help(format!("it is written `{}`", pattern.join("` or `")))))
    }

    fn match_elements<'t>(
        &mut self,
        elements: &[Element],
        cursor: &mut Cursor<'t>,
        scope: &mut Scope,
        found: &mut Match<'t>,
    ) -> Result<(), Wrong> {
        for element in elements {
            match element {
                Element::Word(",") => {
                    if !cursor.take_comma() {
                        return Err(cursor.expected("a comma"));
                    }
                }
                Element::Word(word) => cursor.expect_word(word)?,
                Element::Maybe(inside) => {
                    let starts = match inside.first() {
                        Some(Element::Word(",")) => matches!(cursor.peek().map(|t| &t.kind), Some(TermKind::Comma)),
                        Some(Element::Word(word)) => cursor.is_word(word),
                        _ => false,
                    };
                    found.filled.push(Filled::Taken(starts));
                    if starts {
                        self.match_elements(inside, cursor, scope, found)?;
                    }
                }
                Element::Slot(kind) => {
                    let filled = self.fill(*kind, cursor, scope, found)?;
                    found.filled.push(filled);
                }
            }
        }
        Ok(())
    }

    fn fill<'t>(&mut self, kind: SlotKind, cursor: &mut Cursor<'t>, scope: &mut Scope, found: &mut Match<'t>) -> Result<Filled<'t>, Wrong> {
        let start = cursor.span();
        Ok(match kind {
            SlotKind::Number => {
                let (node, sort) = self.expr(cursor, scope)?;
                self.must_be(sort, &[Type::Number, Type::Milli], start)?;
                Filled::Node(node, sort)
            }
            SlotKind::Each => {
                let local = self.local(scope, start)?;
                let bound = self.node(crate::engine::ruleset::Node::Local(local));
                scope.bound.push(("card".into(), bound, Type::Card));
                let result = self.expr(cursor, scope);
                scope.bound.pop();
                let (node, sort) = result?;
                self.must_be(sort, &[Type::Number, Type::Milli, Type::Truth], start)?;
                found.card = Some((local, "card".into()));
                Filled::Node(node, sort)
            }
            SlotKind::Truth => {
                let (node, sort) = self.expr(cursor, scope)?;
                self.must_be(sort, &[Type::Truth], start)?;
                Filled::Node(node, sort)
            }
            SlotKind::Value => {
                let (node, sort) = match self.word_of_set(cursor, "to", scope)? {
                    Some(word) => word,
                    None => self.expr(cursor, scope)?,
                };
                Filled::Node(node, sort)
            }
            SlotKind::Resource => {
                let (node, sort) = self.resource(cursor, scope)?;
                Filled::Node(node, sort)
            }
            SlotKind::Resources => Filled::Resources(self.resources(cursor)?),
            SlotKind::Card => {
                let (node, sort) = self.sum(cursor, scope)?;
                self.must_be(sort, &[Type::Card], start)?;
                Filled::Node(node, sort)
            }
            SlotKind::Cards => {
                let (local, name) =
                    match (&found.card, found.filled.iter().find_map(|f| if let Filled::Name(n) = f { Some(n.clone()) } else { None })) {
                        (Some(card), _) => card.clone(),
                        (None, name) => (self.local(scope, start)?, name.unwrap_or_else(|| "card".into())),
                    };
                let set = self.cards(cursor, scope, local, &name)?;
                found.card = Some((local, name));
                Filled::Set(set)
            }
            SlotKind::Players => {
                self.players(cursor, scope)?;
                Filled::Taken(true)
            }
            SlotKind::Place => Filled::Place(self.place(cursor)?),
            SlotKind::Deck => {
                let (deck, index) = self.deck(cursor, scope)?;
                Filled::Deck(deck, index)
            }
            SlotKind::Name => {
                let (name, _) = cursor.expect_name("a name")?;
                Filled::Name(name.to_string())
            }
            SlotKind::Moment => {
                let (moment, card) = self.moment(cursor, scope)?;
                Filled::Moment(moment, card)
            }
            SlotKind::Effect => {
                let (effect, args) = self.effect_call(cursor, scope)?;
                Filled::Effect(effect, args)
            }
            SlotKind::Block => Filled::Block(cursor.expect_block("a block in braces")?),
            SlotKind::List => {
                let (card, field) = self.list(cursor, scope)?;
                Filled::List(card, field)
            }
            SlotKind::Set => {
                let (offset, held) = self.set_variable(cursor)?;
                Filled::SetVariable(offset, held)
            }
            SlotKind::Named => {
                let mut cards = Vec::new();
                loop {
                    let (name, span) = cursor.expect_name("a card")?;
                    let Some(definition) = self.rules.find_definition(name) else {
                        let known: Vec<String> = self.raw_of.iter().map(|c| c.id.text.clone()).collect();
                        return Err(self.unknown_of(name, span, "a card or a printed list", known.iter().map(String::as_str)));
                    };
                    cards.push(definition as i32);
                    if !cursor.take_comma() {
                        break;
                    }
                }
                Filled::Resources(cards)
            }
            SlotKind::Tokens => Filled::Tokens(self.token_set(cursor, scope)?),
            SlotKind::Pool => Filled::Pools(vec![self.pool_named(cursor)?]),
            SlotKind::Pools => {
                let mut pools = vec![self.pool_named(cursor)?];
                while matches!(cursor.peek().map(|t| &t.kind), Some(TermKind::Comma))
                    && cursor.terms.get(cursor.at + 1).and_then(Term::word).is_some_and(|word| word != "at")
                {
                    cursor.next();
                    pools.push(self.pool_named(cursor)?);
                }
                Filled::Pools(pools)
            }
            SlotKind::Symbol => Filled::Node(self.symbol_slot(cursor, scope)?, Type::Symbol),
            SlotKind::Keys => Filled::Keys(self.order_keys(cursor, scope)?),
        })
    }
}
