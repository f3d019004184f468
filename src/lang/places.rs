//! Phrases about cards, players, places, moments and effects.

use super::ast::{Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{CardSet, Compare, Node, NodeId, OrderKey, PlayerSet, Shape, VariableSort, Whose};
use crate::source::Span;

impl Compiler<'_> {
    pub(super) fn add_set(&mut self, places: &[u16], whose: Whose, kinds: u64, rows: u32, local: u8, filter: Option<NodeId>) -> u32 {
        self.rules.sets.push(CardSet { places: places.into(), whose, kinds, rows, local, with: None, filter });
        self.rules.sets.len() as u32 - 1
    }

    /// A free local; too many within each other is a fault.
    pub(super) fn local(&mut self, scope: &mut Scope, span: Span) -> Result<u8, Wrong> {
        scope.local().ok_or_else(|| {
            Box::new(
                Diagnostic::error("R008", span, "too many loops and questions within each other")
                    .help("give the inner part a name with `define` or `effect`"),
            )
        })
    }

    /// The places that a name stands for: one, or those of a zone.
    pub(super) fn places_named(&self, name: &str) -> Option<Vec<u16>> {
        match self.symbol(name)? {
            Symbol::Place(place) => Some(vec![*place as u16]),
            Symbol::Zone(places) => Some(places.clone()),
            _ => None,
        }
    }

    /// `my cards in play with action`, `my yard where card.height > 2`, `cards in market rows 1, 2`.
    pub(super) fn cards(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope, local: u8, name: &str) -> Result<u32, Wrong> {
        let start = cursor.span();
        let all = cursor.take_word("all");
        let mine = !all && cursor.take_word("my");
        let mut kinds = 0;
        if cursor.take_word("cards") {
            cursor.expect_word("in")?;
        }
        let (word, span) = cursor.expect_name("a place, a zone or a kind of card")?;
        let kind = self.kind_of(word);
        let places = match self.places_named(word) {
            Some(places) => places,
            None if mine && kind.is_some() => {
                let kind = kind.unwrap_or(0);
                kinds = 1 << kind;
                (0..self.rules.places.len() as u16)
                    .filter(|&p| {
                        let place = &self.rules.places[p as usize];
                        place.of_seat && place.hearing && place.kinds >> kind & 1 == 1
                    })
                    .collect()
            }
            None => return Err(self.unknown(word, span, "a place or zone (`my KIND` works, too)")),
        };
        if !mine && !all && places.iter().any(|&p| self.rules.places[p as usize].of_seat) {
            return Err(Box::new(
                Diagnostic::error("R011", start.to(span), format!("whose `{word}`?"))
                    .label("every player has one")
                    .help(format!("write `my {word}` or `all {word}`")),
            ));
        }
        let mut rows = 0;
        if cursor.take_word("row") || cursor.take_word("rows") {
            loop {
                let at = cursor.span();
                match cursor.next().map(|t| &t.kind) {
                    Some(TermKind::Number { thousandths, .. }) if (1000..=30_000).contains(thousandths) => {
                        rows |= 1 << (thousandths / 1000)
                    }
                    _ => return Err(Box::new(Diagnostic::error("R002", at, "expected the number of a row"))),
                }
                if !cursor.take_comma() {
                    break;
                }
            }
        }
        let card = self.node(Node::Local(local));
        let mut filter: Option<NodeId> = None;
        let mut counter = None;
        if cursor.take_word("with") {
            let (word, span) = cursor.expect_name("a counter, or `action`")?;
            if word == "action" {
                filter = Some(self.node(Node::HasAction(card)));
            } else {
                let Some(Symbol::PieceVariable(index)) = self.symbol(&format!("card.{word}")).cloned() else {
                    let names: Vec<&str> = self.rules.piece.iter().map(|v| v.name.as_str()).collect();
                    return Err(self.unknown_of(word, span, "a counter on cards", names));
                };
                counter = Some(self.rules.piece[index].offset as u8);
            }
        }
        let more = cursor.take_word("where") || (filter.is_some() || counter.is_some()) && cursor.take_word("and");
        if more {
            let at = cursor.span();
            let bound = self.node(Node::Local(local));
            scope.bound.push((name.to_string(), bound, Type::Card));
            let result = self.expr(cursor, scope);
            scope.bound.pop();
            let (node, sort) = result?;
            self.must_be(sort, &[Type::Truth], at)?;
            filter = Some(match filter {
                Some(first) => self.node(Node::And(first, node)),
                None => node,
            });
        }
        let set = self.add_set(&places, if all { Whose::All } else { Whose::Mine }, kinds, rows, local, filter);
        self.rules.sets[set as usize].with = counter;
        Ok(set)
    }

    pub(super) fn players_follow(&self, cursor: &Cursor<'_>) -> bool {
        let word = |i: usize| cursor.terms.get(cursor.at + i).and_then(Term::word);
        word(1) == Some("players") || word(1) == Some("other") && word(2) == Some("players")
    }

    /// `players where passed`, `other players with fewer wisp`.
    pub(super) fn players(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<u32, Wrong> {
        let others = cursor.take_word("other");
        cursor.expect_word("players")?;
        let local = self.local(scope, cursor.span())?;
        let mut filter = None;
        if cursor.take_word("with") {
            let how = if cursor.take_word("fewer") || cursor.take_word("less") {
                Compare::Less
            } else if cursor.take_word("more") {
                Compare::More
            } else {
                return Err(cursor.expected("`fewer` or `more`"));
            };
            let span = cursor.span();
            let (value, sort) = self.name_or_group(cursor, scope)?;
            self.must_be(sort, &[Type::Number], span)?;
            let asker = self.node(Node::Local(local));
            let mine = self.node(Node::Of(asker, value));
            filter = Some(self.node(Node::Cmp(how, value, mine)));
        } else if cursor.take_word("where") {
            let span = cursor.span();
            let (node, sort) = self.expr(cursor, scope)?;
            self.must_be(sort, &[Type::Truth], span)?;
            filter = Some(node);
        }
        self.rules.player_sets.push(PlayerSet { others, filter, local });
        Ok(self.rules.player_sets.len() as u32 - 1)
    }

    fn name_or_group(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<(NodeId, Type), Wrong> {
        let Some(term) = cursor.next() else { return Err(cursor.expected("what is compared")) };
        let terms = std::slice::from_ref(term);
        let mut inside = Cursor::new(terms, term.span);
        self.expr(&mut inside, scope)
    }

    pub(super) fn place(&mut self, cursor: &mut Cursor<'_>) -> Result<usize, Wrong> {
        let (name, span) = cursor.expect_name("a place")?;
        match self.symbol(name) {
            Some(Symbol::Place(place)) => Ok(*place),
            _ => Err(self.unknown(name, span, "a place")),
        }
    }

    /// `pile`, `pile[2]`.
    pub(super) fn deck(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<(usize, NodeId), Wrong> {
        let span = cursor.span();
        let (name, index) = match cursor.next().map(|t| &t.kind) {
            Some(TermKind::Word(name)) => (name, None),
            Some(TermKind::Item { name, index }) => (name, Some(index)),
            _ => return Err(Box::new(Diagnostic::error("R002", span, "expected a deck"))),
        };
        let place = match self.symbol(name) {
            Some(Symbol::Place(place)) if self.rules.places[*place].shape == Shape::Deck => *place,
            _ => return Err(self.unknown(name, span, "a deck")),
        };
        let node = match index {
            Some(index) => self.whole_expr(index, span, scope, &[Type::Number])?.0,
            None => self.node(Node::Const(1)),
        };
        Ok((place, node))
    }

    /// `moment bought(card)`.
    pub(super) fn moment(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<(u16, Option<NodeId>), Wrong> {
        let span = cursor.span();
        match cursor.next().map(|t| &t.kind) {
            Some(TermKind::Word(name)) => Ok((self.moment_named(name), None)),
            Some(TermKind::Call { name, args }) => {
                let [arg] = args.as_slice() else {
                    return Err(Box::new(Diagnostic::error("R007", span, "a moment has one card or none")));
                };
                let (card, _) = self.whole_expr(arg, span, scope, &[Type::Card])?;
                Ok((self.moment_named(name), Some(card)))
            }
            _ => Err(Box::new(Diagnostic::error("R002", span, "expected the name of a moment"))),
        }
    }

    /// The index of a moment that the rules name.
    pub(super) fn moment_named(&mut self, name: &str) -> u16 {
        if let Some(index) = self.rules.moments.iter().position(|m| m == name) {
            return index as u16;
        }
        self.rules.moments.push(name.to_string());
        self.rules.names.add(name);
        self.rules.moments.len() as u16 - 1
    }

    /// `storm`, `storm(2)`.
    pub(super) fn effect_call(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<(u16, Vec<NodeId>), Wrong> {
        let span = cursor.span();
        let (name, args): (&str, &[Vec<Term>]) = match cursor.next().map(|t| &t.kind) {
            Some(TermKind::Word(name)) => (name, &[]),
            Some(TermKind::Call { name, args }) => (name, args),
            _ => return Err(Box::new(Diagnostic::error("R002", span, "expected an effect"))),
        };
        let Some(Symbol::Effect(effect)) = self.symbol(name).cloned() else { return Err(self.unknown(name, span, "an effect")) };
        let params = self.rules.effects[effect as usize].params as usize;
        if params != args.len() {
            return Err(Box::new(Diagnostic::error(
                "R007",
                span,
                format!("`{name}` takes {params} value{}, not {}", if params == 1 { "" } else { "s" }, args.len()),
            )));
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(
                self.whole_expr(arg, span, scope, &[Type::Any, Type::Number, Type::Truth, Type::Card, Type::Resource, Type::Seat])?.0,
            );
        }
        Ok((effect, values))
    }

    pub(super) fn set_variable(&mut self, cursor: &mut Cursor<'_>) -> Result<(u16, Type), Wrong> {
        let (name, span) = cursor.expect_name("a set of the player")?;
        match self.symbol(name) {
            Some(Symbol::SeatVariable(index)) if self.rules.seat[*index].sort == VariableSort::Set => {
                Ok((self.rules.seat[*index].offset, self.sort_in_set(name)))
            }
            _ => Err(self.unknown(name, span, "a set of the player")),
        }
    }

    /// `height, then moss, then order`.
    pub(super) fn order_keys(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Vec<OrderKey>, Wrong> {
        let mut keys = Vec::new();
        loop {
            cursor.take_word("then");
            if cursor.take_word("order") {
                keys.push(OrderKey::Present);
            } else {
                let span = cursor.span();
                let (node, sort) = self.expr(cursor, scope)?;
                self.must_be(sort, &[Type::Number], span)?;
                keys.push(OrderKey::By(node));
            }
            if !cursor.take_comma() {
                return Ok(keys);
            }
        }
    }

    /// One resource: a word, a loop variable, or a printed one.
    pub(super) fn resource(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<(NodeId, Type), Wrong> {
        let span = cursor.span();
        let Some(term) = cursor.peek() else { return Err(cursor.expected("a resource")) };
        if let Some(word) = term.word()
            && scope.find(word).is_none()
            && let Some(resource) = self.resource_index(word)
        {
            cursor.next();
            return Ok((self.node(Node::Const(resource as i64)), Type::Resource));
        }
        if let Some(word) = term.word()
            && scope.find(word).is_none()
            && !word.contains('.')
        {
            let names: Vec<String> = self.rules.resources.iter().map(|&n| self.rules.names.text(n).to_string()).collect();
            return Err(self.unknown_of(word, span, "a resource", names.iter().map(String::as_str)));
        }
        cursor.next();
        let terms = std::slice::from_ref(term);
        let (node, sort) = self.whole_expr(terms, span, scope, &[Type::Resource])?;
        Ok((node, sort))
    }

    /// A list of resources.
    pub(super) fn resources(&mut self, cursor: &mut Cursor<'_>) -> Result<Vec<i32>, Wrong> {
        if let Some(sorts) = cursor.peek().and_then(Term::word).and_then(|word| self.token_kind(word)) {
            cursor.next();
            return Ok((0..self.rules.tokens.len() as i32).filter(|token| sorts >> token & 1 == 1).collect());
        }
        let mut list = Vec::new();
        loop {
            let (word, span) = cursor.expect_name("a resource")?;
            let Some(resource) = self.resource_index(word) else {
                let names: Vec<String> = self.rules.resources.iter().map(|&n| self.rules.names.text(n).to_string()).collect();
                return Err(self.unknown_of(word, span, "a resource", names.iter().map(String::as_str)));
            };
            list.push(resource as i32);
            let comma_and_resource = matches!(cursor.peek().map(|t| &t.kind), Some(TermKind::Comma))
                && cursor.terms.get(cursor.at + 1).and_then(Term::word).is_some_and(|w| self.resource_index(w).is_some());
            if !comma_and_resource {
                return Ok(list);
            }
            cursor.take_comma();
        }
    }

    /// The fault of a name that nobody knows, with the nearest known one.
    pub(super) fn unknown(&self, name: &str, span: Span, what: &str) -> Wrong {
        let mut known: Vec<&str> = self.symbols.keys().map(String::as_str).collect();
        known.extend(["round", "players", "place_in_order", "rounds_left", "me", "score"]);
        self.unknown_of(name, span, what, known)
    }

    /// What is read to work itself out.
    pub(super) fn circle(name: &str, span: Option<Span>) -> Diagnostic {
        Diagnostic::error("R005", span, format!("`{name}` goes round in a circle"))
            .label("it depends on itself")
            .help("take it out of what it reads, directly or by way of others")
    }

    pub(super) fn unknown_of<'n>(&self, name: &str, span: Span, what: &str, known: impl IntoIterator<Item = &'n str>) -> Wrong {
        Box::new(Diagnostic::error("R010", span, format!("`{name}` is not {what}")).label("unknown here").meant(nearest(name, known)))
    }
}
