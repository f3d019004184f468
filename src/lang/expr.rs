//! Expressions: operators, comparisons and single values become nodes, with sorts checked.

use super::ast::{Op, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{Compare, Node, NodeId, VariableSort};
use crate::source::Span;

pub(super) type Typed = (NodeId, Type);

impl Compiler<'_> {
    pub(super) fn must_be(&self, is: Type, wanted: &[Type], span: Span) -> Result<(), Wrong> {
        if is == Type::Any || wanted.contains(&is) {
            return Ok(());
        }
        let wanted: Vec<&str> = wanted.iter().filter(|t| **t != Type::Milli).map(|t| t.words()).collect();
        let message = format!("expected {}, found {}", wanted.join(" or "), is.words());
        Err(Box::new(Diagnostic::error("R003", span, message).label(format!("this is {}", is.words()))))
    }

    /// A whole expression, with nothing after it.
    pub(super) fn whole_expr(&mut self, terms: &[Term], span: Span, scope: &mut Scope, wanted: &[Type]) -> Result<Typed, Wrong> {
        let mut cursor = Cursor::new(terms, span);
        let found = self.expr(&mut cursor, scope)?;
        cursor.expect_end()?;
        self.must_be(found.1, wanted, span)?;
        Ok(found)
    }

    /// An expression; stops before the first term that cannot go on with it.
    pub(super) fn expr(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let mut left = self.expr_and(cursor, scope)?;
        while cursor.is_word("or") {
            let at = cursor.span();
            cursor.next();
            let right = self.expr_and(cursor, scope)?;
            left = self.logic(left, right, at, Node::Or)?;
        }
        Ok(left)
    }

    fn expr_and(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let mut left = self.expr_not(cursor, scope)?;
        while cursor.is_word("and") {
            let at = cursor.span();
            cursor.next();
            let right = self.expr_not(cursor, scope)?;
            left = self.logic(left, right, at, Node::And)?;
        }
        Ok(left)
    }

    fn logic(&mut self, left: Typed, right: Typed, at: Span, make: fn(NodeId, NodeId) -> Node) -> Result<Typed, Wrong> {
        for side in [left.1, right.1] {
            self.must_be(side, &[Type::Truth], at)?;
        }
        Ok((self.node(make(left.0, right.0)), Type::Truth))
    }

    fn expr_not(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let span = cursor.span();
        if cursor.take_word("not") {
            let (node, sort) = self.expr_not(cursor, scope)?;
            self.must_be(sort, &[Type::Truth], span)?;
            return Ok((self.node(Node::Not(node)), Type::Truth));
        }
        self.comparison(cursor, scope)
    }

    fn comparison(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        if let Some(found) = self.membership_of_card(cursor, scope)? {
            return Ok(found);
        }
        let span = cursor.span();
        let left = match self.word_of_set(cursor, "in", scope)? {
            Some(word) => word,
            None => self.sum(cursor, scope)?,
        };
        let how = match cursor.peek().map(|t| &t.kind) {
            Some(TermKind::Op(Op::Equal)) => Compare::Equal,
            Some(TermKind::Op(Op::NotEqual)) => Compare::Unequal,
            Some(TermKind::Op(Op::Less)) => Compare::Less,
            Some(TermKind::Op(Op::LessEqual)) => Compare::AtMost,
            Some(TermKind::Op(Op::Greater)) => Compare::More,
            Some(TermKind::Op(Op::GreaterEqual)) => Compare::AtLeast,
            Some(TermKind::Word(word)) if word == "is" => {
                cursor.next();
                let not = cursor.take_word("not");
                let found = self.is(left, cursor, scope)?;
                return Ok(if not { (self.node(Node::Not(found)), Type::Truth) } else { (found, Type::Truth) });
            }
            Some(TermKind::Word(word)) if word == "in" => {
                cursor.next();
                return Ok((self.membership(left, span, cursor, scope)?, Type::Truth));
            }
            _ => return Ok(left),
        };
        let at = cursor.span();
        cursor.next();
        let right = self.sum(cursor, scope)?;
        let (left, right) = self.same_scale(left, right);
        let alike = left.1 == right.1 || left.1 == Type::Any || right.1 == Type::Any;
        if !alike {
            return Err(Box::new(
                Diagnostic::error("R003", at, format!("{} cannot be compared with {}", left.1.words(), right.1.words())).label("here"),
            ));
        }
        Ok((self.node(Node::Cmp(how, left.0, right.0)), Type::Truth))
    }

    /// `CARD in p1.yard`, where cards and seats can be named: any copy of the card will do.
    fn membership_of_card(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Option<Typed>, Wrong> {
        if !scope.open {
            return Ok(None);
        }
        let Some(TermKind::Word(word)) = cursor.peek().map(|t| &t.kind) else { return Ok(None) };
        let Some(definition) = self.rules.find_definition(word) else { return Ok(None) };
        if !cursor.terms.get(cursor.at + 1).is_some_and(|t| t.is_word("in")) || scope.find(word).is_some() {
            return Ok(None);
        }
        cursor.at += 2;
        let span = cursor.span();
        let (name, _) = cursor.expect_name("a place")?;
        let (seat, name) = seat_prefix(name).map_or((None, name), |(seat, rest)| (Some(seat), rest));
        let Some(place) = self.rules.find_place(name) else { return Err(self.unknown(name, span, "a place")) };
        let local = self.local(scope, span)?;
        let card = self.node(Node::Local(local));
        let filter = self.node(Node::IsCard(card, definition as u32));
        let set = self.add_set(
            &[place as u16],
            if seat.is_none() { crate::engine::ruleset::Whose::All } else { crate::engine::ruleset::Whose::Mine },
            0,
            0,
            local,
            Some(filter),
        );
        let any = self.node(Node::Any(set));
        Ok(Some(match seat {
            Some(seat) => {
                let seat = self.node(Node::Const(seat as i64));
                (self.node(Node::Of(seat, any)), Type::Truth)
            }
            None => (any, Type::Truth),
        }))
    }

    pub(super) fn same_scale(&mut self, left: Typed, right: Typed) -> (Typed, Typed) {
        match (left.1, right.1) {
            (Type::Milli, Type::Number) => (left, self.thousandfold(right)),
            (Type::Number, Type::Milli) => (self.thousandfold(left), right),
            _ => (left, right),
        }
    }

    pub(super) fn thousandfold(&mut self, value: Typed) -> Typed {
        if value.1 == Type::Milli {
            return value;
        }
        let thousand = self.node(Node::Const(1000));
        (self.binary(value.0, thousand, Node::Mul), Type::Milli)
    }

    pub(super) fn sum(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let mut left = self.product(cursor, scope)?;
        loop {
            let at = cursor.span();
            let make: fn(NodeId, NodeId) -> Node = if cursor.take_op(Op::Plus) {
                Node::Add
            } else if cursor.take_op(Op::Minus) {
                Node::Sub
            } else {
                return Ok(left);
            };
            let right = self.product(cursor, scope)?;
            for side in [left.1, right.1] {
                self.must_be(side, &[Type::Number, Type::Milli], at)?;
            }
            let (a, b) = self.same_scale(left, right);
            left = (self.binary(a.0, b.0, make), a.1);
        }
    }

    fn product(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let mut left = self.unary(cursor, scope)?;
        loop {
            let at = cursor.span();
            let times = cursor.take_op(Op::Times);
            if !times && !cursor.take_op(Op::Divide) {
                return Ok(left);
            }
            let right = self.unary(cursor, scope)?;
            for side in [left.1, right.1] {
                self.must_be(side, &[Type::Number, Type::Milli], at)?;
            }
            left = match (left.1, right.1, times) {
                (Type::Milli, Type::Milli, true) => {
                    let product = self.binary(left.0, right.0, Node::Mul);
                    let thousand = self.node(Node::Const(1000));
                    (self.node(Node::Div(product, thousand)), Type::Milli)
                }
                (_, Type::Milli, false) => {
                    let left = self.thousandfold(left);
                    let left = self.thousandfold((left.0, Type::Number));
                    (self.node(Node::Div(left.0, right.0)), Type::Milli)
                }
                (a, b, true) => {
                    (self.binary(left.0, right.0, Node::Mul), if a == Type::Milli || b == Type::Milli { Type::Milli } else { Type::Number })
                }
                (a, _, false) => (self.node(Node::Div(left.0, right.0)), a),
            };
        }
    }

    pub(super) fn unary(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let at = cursor.span();
        if cursor.take_op(Op::Minus) {
            let (node, sort) = self.unary(cursor, scope)?;
            self.must_be(sort, &[Type::Number, Type::Milli], at)?;
            let zero = self.node(Node::Const(0));
            return Ok((self.binary(zero, node, Node::Sub), sort));
        }
        if cursor.take_op(Op::Plus) {
            return self.unary(cursor, scope);
        }
        self.primary(cursor, scope)
    }

    /// Adds a node with two children, worked out at once where both are numbers.
    pub(super) fn binary(&mut self, a: NodeId, b: NodeId, make: fn(NodeId, NodeId) -> Node) -> NodeId {
        let value = match (&self.rules.nodes[a as usize], &self.rules.nodes[b as usize], make(a, b)) {
            (Node::Const(x), Node::Const(y), Node::Add(..)) => x.checked_add(*y),
            (Node::Const(x), Node::Const(y), Node::Sub(..)) => x.checked_sub(*y),
            (Node::Const(x), Node::Const(y), Node::Mul(..)) => x.checked_mul(*y),
            _ => None,
        };
        match value {
            Some(value) => self.node(Node::Const(value)),
            None => self.node(make(a, b)),
        }
    }

    fn primary(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let span = cursor.span();
        let Some(term) = cursor.peek() else { return Err(cursor.expected("a value")) };
        match &term.kind {
            TermKind::Number { thousandths, decimal } => {
                cursor.next();
                if *decimal {
                    return Ok((self.node(Node::Const(*thousandths)), Type::Milli));
                }
                Ok((self.node(Node::Const(thousandths / 1000)), Type::Number))
            }
            TermKind::Group(terms) => {
                cursor.next();
                let mut inside = Cursor::new(terms, span);
                let found = self.expr(&mut inside, scope)?;
                inside.expect_end()?;
                Ok(found)
            }
            TermKind::Text(text) => {
                cursor.next();
                match self.condition(text) {
                    Some(node) => Ok((node, Type::Truth)),
                    None => Err(self.unknown_condition(text, span)),
                }
            }
            TermKind::Call { name, args } => {
                cursor.next();
                self.call(name, args, span, scope)
            }
            TermKind::Item { name, index } => {
                cursor.next();
                self.item(name, index, span, scope)
            }
            TermKind::Word(word) => self.word(word, cursor, scope),
            _ => Err(cursor.expected("a value")),
        }
    }

    /// `is …` after a value.
    fn is(&mut self, left: Typed, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<NodeId, Wrong> {
        let span = cursor.span();
        let word = match cursor.peek().map(|t| &t.kind) {
            Some(TermKind::Word(word)) => Some(word.clone()),
            _ => None,
        };
        if word.as_deref() == Some("there") {
            cursor.next();
            self.must_be(left.1, &[Type::Card], span)?;
            let zero = self.node(Node::Const(0));
            return Ok(self.node(Node::Cmp(Compare::AtLeast, left.0, zero)));
        }
        if let Some(word) = &word
            && scope.find(word).is_none()
        {
            let kind = match self.symbol(word) {
                Some(Symbol::Kind(kind)) => Some(*kind),
                _ => self.kind_of(word),
            };
            if matches!(left.1, Type::Card | Type::Any | Type::Kind)
                && let Some(kind) = kind
            {
                cursor.next();
                if left.1 == Type::Kind {
                    let kind = self.node(Node::Const(kind as i64));
                    return Ok(self.node(Node::Cmp(Compare::Equal, left.0, kind)));
                }
                return Ok(self.node(Node::IsKind(left.0, 1 << kind)));
            }
            if matches!(left.1, Type::Resource | Type::Any)
                && let Some((resource, _)) = self.argument_word(std::slice::from_ref(&cursor.terms[cursor.at]))
            {
                cursor.next();
                return Ok(self.node(Node::Cmp(Compare::Equal, left.0, resource)));
            }
            if let Type::Choice(choice) = left.1 {
                let Some(index) = self.choices[choice as usize].iter().position(|c| c.eq_ignore_ascii_case(word)) else {
                    let known = self.choices[choice as usize].clone();
                    return Err(self.unknown_of(word, span, "one of its values", known.iter().map(String::as_str)));
                };
                cursor.next();
                let index = self.node(Node::Const(index as i64));
                return Ok(self.node(Node::Cmp(Compare::Equal, left.0, index)));
            }
            if scope.open
                && left.1 == Type::Card
                && let Some(definition) = self.rules.find_definition(word)
            {
                cursor.next();
                return Ok(self.node(Node::IsCard(left.0, definition as u32)));
            }
        }
        let right = self.sum(cursor, scope)?;
        if left.1 != right.1 && left.1 != Type::Any && right.1 != Type::Any {
            return Err(Box::new(
                Diagnostic::error("R003", span, format!("{} is never {}", left.1.words(), right.1.words())).label("here"),
            ));
        }
        Ok(self.node(Node::Cmp(Compare::Equal, left.0, right.0)))
    }

    /// What stands alone before a joint and a set, as in `add wisp to short`: there a word stands for itself and not for how
    /// much there is of it.
    pub(super) fn word_of_set(&mut self, cursor: &mut Cursor<'_>, joint: &str, scope: &mut Scope) -> Result<Option<Typed>, Wrong> {
        let [word, between, behind @ ..] = &cursor.terms[cursor.at.min(cursor.terms.len())..] else { return Ok(None) };
        if !between.is_word(joint) {
            return Ok(None);
        }
        let set = behind.iter().find(|term| !term.is_word("my")).and_then(Term::word).unwrap_or("");
        let set = seat_prefix(set).filter(|_| scope.open).map_or(set, |(_, rest)| rest);
        let Some(Symbol::SeatVariable(variable)) = self.symbol(set) else { return Ok(None) };
        if self.rules.seat[*variable].sort != VariableSort::Set {
            return Ok(None);
        }
        cursor.next();
        let found = self.tally_index(set, std::slice::from_ref(word), word.span, scope)?;
        Ok(Some((found, self.sort_in_set(set))))
    }

    /// What a set of a player holds.
    pub(super) fn sort_in_set(&self, set: &str) -> Type {
        if self.tallies_by_kind.contains(set) { Type::Kind } else { Type::Resource }
    }

    /// `in …` after a value.
    fn membership(&mut self, left: Typed, span: Span, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<NodeId, Wrong> {
        let mine = cursor.take_word("my");
        if let Some(TermKind::Word(word)) = cursor.peek().map(|t| &t.kind) {
            let (seat, name) = match seat_prefix(word) {
                Some((seat, rest)) if scope.open => (Some(seat), rest.to_string()),
                _ => (None, word.clone()),
            };
            if let Some(places) = self.places_named(&name) {
                cursor.next();
                self.must_be(left.1, &[Type::Card], span)?;
                let mask = places.iter().fold(0_u64, |m, p| m | 1 << p);
                let inside = self.node(Node::InPlaces(left.0, mask));
                if !mine && seat.is_none() {
                    return Ok(inside);
                }
                let owner = self.node(Node::OwnerOf(left.0));
                let who = match seat {
                    Some(seat) => self.node(Node::Const(seat as i64)),
                    None => self.node(Node::Me),
                };
                let same = self.node(Node::Cmp(Compare::Equal, owner, who));
                return Ok(self.node(Node::And(inside, same)));
            }
            if let Some(Symbol::SeatVariable(variable)) = self.symbol(&name)
                && self.rules.seat[*variable].sort == VariableSort::Set
            {
                let offset = self.rules.seat[*variable].offset;
                let held = self.sort_in_set(&name);
                cursor.next();
                self.must_be(left.1, &[held], span)?;
                let Some(seat) = seat else { return Ok(self.node(Node::OwnBit(offset, left.0))) };
                // The value is read here and the set there: for each word, whether the value is that word and the set has it.
                let count = if held == Type::Kind { self.rules.kinds.len() } else { self.rules.resources.len() };
                let seat = self.node(Node::Const(seat as i64));
                let mut any = self.node(Node::Const(0));
                for word in 0..count {
                    let word = self.node(Node::Const(word as i64));
                    let is = self.node(Node::Cmp(Compare::Equal, left.0, word));
                    let bit = self.node(Node::OwnBit(offset, word));
                    let has = self.node(Node::Of(seat, bit));
                    let both = self.node(Node::And(is, has));
                    any = self.node(Node::Or(any, both));
                }
                return Ok(any);
            }
        }
        let from = self.sum(cursor, scope)?;
        cursor.expect_word("to")?;
        let to = self.sum(cursor, scope)?;
        for side in [left.1, from.1, to.1] {
            self.must_be(side, &[Type::Number], span)?;
        }
        let low = self.node(Node::Cmp(Compare::AtLeast, left.0, from.0));
        let high = self.node(Node::Cmp(Compare::AtMost, left.0, to.0));
        Ok(self.node(Node::And(low, high)))
    }
}

/// `p2.wisp` is seat 1 and `wisp`.
pub(crate) fn seat_prefix(word: &str) -> Option<(usize, &str)> {
    let (head, rest) = word.split_once('.')?;
    Some((seat_number(head)?, rest))
}

/// `p2` is seat 1.
pub(crate) fn seat_number(word: &str) -> Option<usize> {
    let digits = word.strip_prefix('p')?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<usize>().ok()?.checked_sub(1)
}
