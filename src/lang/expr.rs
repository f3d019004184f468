//! Expressions: terms to nodes, with names resolved and sorts checked.

use super::ast::{Op, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use super::verbs::{VerbId, table};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Compare, Node, NodeId, VariableSort};
use crate::source::Span;
use crate::state::layout::head;

/// Definitions within definitions, deeper than this, go round in a circle.
const DEEPEST: u32 = 24;

type Typed = (NodeId, Type);

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
        let left = self.sum(cursor, scope)?;
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

    fn same_scale(&mut self, left: Typed, right: Typed) -> (Typed, Typed) {
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

    fn unary(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
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

    fn word(&mut self, word: &str, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let span = cursor.span();
        if scope.find(word).is_none() {
            // A named condition of one or several words.
            if let Some((node, len)) = self.condition_words(cursor) {
                cursor.at += len;
                return Ok((node, Type::Truth));
            }
            // Locals of a phrase are free again behind it.
            let (kept, at) = (scope.next, cursor.at);
            let found = self.phrase(word, cursor, scope);
            scope.next = kept;
            // `most wise` may be a slip of a condition rather than of a rank's value.
            if let Err(wrong) = &found
                && wrong.code == "R010"
                && !wrong.help.iter().any(|help| help.starts_with("did you mean"))
                && let Some(nearly) = self.nearly_condition(&cursor.terms[at..])
            {
                return Err(nearly);
            }
            if let Some(found) = found? {
                return Ok(found);
            }
        }
        let at = cursor.at;
        cursor.next();
        self.name(word, span, scope).map_err(|wrong| match wrong.code {
            "R010" => self.nearly_condition(&cursor.terms[at..]).unwrap_or(wrong),
            _ => wrong,
        })
    }

    /// Phrases that begin with a word of their own.
    fn phrase(&mut self, word: &str, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Option<Typed>, Wrong> {
        if word == "if" {
            cursor.next();
            let span = cursor.span();
            let (condition, sort) = self.expr(cursor, scope)?;
            self.must_be(sort, &[Type::Truth], span)?;
            cursor.expect_word("then")?;
            let yes = self.expr(cursor, scope)?;
            cursor.expect_word("else")?;
            let no = self.expr(cursor, scope)?;
            let (yes, no) = self.same_scale(yes, no);
            if yes.1 != no.1 && yes.1 != Type::Any && no.1 != Type::Any {
                return Err(Box::new(
                    Diagnostic::error("R003", span, format!("one side is {}, the other {}", yes.1.words(), no.1.words()))
                        .label("both sides must be alike"),
                ));
            }
            return Ok(Some((self.node(Node::If(condition, yes.0, no.0)), yes.1)));
        }
        if word == "by" {
            return self.by(cursor, scope).map(Some);
        }
        if word == "no"
            && let Some(Term { kind: TermKind::Word(place), .. }) = cursor.terms.get(cursor.at + 1)
            && let Some(place) = self.rules.find_place(place)
        {
            cursor.at += 2;
            return Ok(Some((self.node(Node::NoneIn(place as u16)), Type::Truth)));
        }
        if let Some(Symbol::Rank(rank)) = self.symbol(word) {
            let rank = *rank;
            cursor.next();
            let span = cursor.span();
            let (by, sort) = self.unary(cursor, scope)?;
            self.must_be(sort, &[Type::Number], span)?;
            let by = self.ranked_by(by);
            return Ok(Some((self.node(Node::Rank(rank, by)), Type::Truth)));
        }
        if (word == "count" || word == "any") && self.players_follow(cursor) {
            cursor.next();
            let players = self.players(cursor, scope)?;
            let node = if word == "count" { Node::CountPlayers(players) } else { Node::AnyPlayer(players) };
            return Ok(Some((self.node(node), if word == "count" { Type::Number } else { Type::Truth })));
        }
        if word == "count"
            && let Some(found) = self.length(cursor, scope)
        {
            return Ok(Some(found));
        }
        let rows: Vec<_> = table().iter().filter(|v| v.sort == "expression" && v.pattern.split(' ').next() == Some(word)).collect();
        if rows.is_empty() || word == "round" && !cursor.terms.get(cursor.at + 1).is_some_and(|t| t.is_word("is")) {
            return Ok(None);
        }
        if word == "round" && !cursor.terms.get(cursor.at + 2).is_some_and(|t| t.is_word("last")) {
            return Ok(None);
        }
        if word == "first" && cursor.terms.get(cursor.at + 1).is_some_and(|t| t.is_word("round")) {
            cursor.at += 2;
            let (round, one) = (self.node(Node::Global(head::ROUND as u32)), self.node(Node::Const(1)));
            return Ok(Some((self.node(Node::Cmp(Compare::Equal, round, one)), Type::Truth)));
        }
        let rows: Vec<_> =
            rows.into_iter().filter(|v| !matches!(v.id, VerbId::FirstRound | VerbId::CountPlayers | VerbId::AnyPlayers)).collect();
        let span = cursor.span();
        let found = self.match_verbs(&rows, cursor, scope, false)?;
        let each = |found: &super::phrase::Match<'_>| {
            found
                .filled
                .iter()
                .find_map(|f| if let super::phrase::Filled::Node(n, t) = f { Some((*n, *t)) } else { None })
                .unwrap_or((0, Type::Number))
        };
        Ok(Some(match found.id {
            VerbId::Sum => (self.node(Node::Sum(found.set(), found.node(0))), scale(each(&found).1)),
            VerbId::Highest => (self.node(Node::Highest(found.set(), found.node(0))), scale(each(&found).1)),
            VerbId::Lowest => (self.node(Node::Lowest(found.set(), found.node(0))), scale(each(&found).1)),
            VerbId::CountCards => (self.node(Node::Count(found.set())), Type::Number),
            VerbId::AnyCards => (self.node(Node::Any(found.set())), Type::Truth),
            VerbId::First => {
                let (card, field) = found
                    .filled
                    .iter()
                    .find_map(|f| if let super::phrase::Filled::List(c, l) = f { Some((*c, *l)) } else { None })
                    .unwrap_or((0, 0));
                (self.node(Node::ListFirst(card, field, found.node(0))), Type::Number)
            }
            VerbId::Row | VerbId::Column => {
                let Some(grid) = self.rules.places.iter().position(|p| matches!(p.shape, crate::engine::ruleset::Shape::Grid { .. }))
                else {
                    return Err(Box::new(
                        Diagnostic::error("R004", span, "this game has no grid").label("rows and columns are those of a grid"),
                    ));
                };
                let node =
                    if found.id == VerbId::Row { Node::Row(found.node(0), grid as u16) } else { Node::Column(found.node(0), grid as u16) };
                (self.node(node), Type::Number)
            }
            VerbId::ShownIn | VerbId::Payable | VerbId::NumberOf => {
                let pool = found.pools(0)[0];
                let node = match found.id {
                    VerbId::ShownIn => Node::ShownIn(found.node(0), pool),
                    VerbId::Payable => Node::Payable(found.node(0), pool),
                    _ => Node::CountTokens(found.tokens(), pool),
                };
                let node = self.node(node);
                match self.pool_of {
                    Some(seat) => {
                        let seat = self.node(Node::Const(seat as i64));
                        (self.node(Node::Of(seat, node)), Type::Number)
                    }
                    None => (node, Type::Number),
                }
            }
            VerbId::Amount => (self.amount(found.node(0)), Type::Number),
            VerbId::LastOf => {
                let name = found.name(0).map(|n| n.as_ref().to_string()).unwrap_or_default();
                (self.last_of(&name, span)?, Type::Truth)
            }
            _ => return Ok(None),
        }))
    }

    fn amount(&mut self, resource: NodeId) -> NodeId {
        let len = self.rules.resources.len() as u16;
        self.node(Node::OwnAt(0, len, resource))
    }

    /// `round is last of age`: the definition is another one in the next round, or there is none.
    fn last_of(&mut self, name: &str, span: Span) -> Result<NodeId, Wrong> {
        let Some(Symbol::Define { params, body }) = self.symbol(name).cloned() else {
            return Err(self.unknown(name, span, "a definition"));
        };
        if !params.is_empty() {
            return Err(Box::new(Diagnostic::error("R003", span, format!("`{name}` has parameters"))));
        }
        let round = self.node(Node::Global(head::ROUND as u32));
        let one = self.node(Node::Const(1));
        let next = self.node(Node::Add(round, one));
        let mut scope = Scope::from(1);
        let (now, _) = self.whole_expr(&body, span, &mut scope, &[Type::Number])?;
        scope.bound.push(("round".into(), next, Type::Number));
        let (then, _) = self.whole_expr(&body, span, &mut scope, &[Type::Number])?;
        Ok(self.node(Node::Cmp(Compare::Unequal, now, then)))
    }

    /// A stat that is ranked by something else than itself.
    fn ranked_by(&mut self, by: NodeId) -> NodeId {
        if let Node::Quantity(quantity, _) = self.rules.nodes[by as usize]
            && let Some(ranked) = self.rules.quantities[quantity as usize].ranked
        {
            return self.node(Node::Quantity(ranked, [None, None]));
        }
        by
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
                cursor.next();
                return Ok(self.node(Node::OwnBit(offset, left.0)));
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

    /// What a name alone stands for.
    pub(super) fn name(&mut self, word: &str, span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
        if let Some(found) = scope.find(word) {
            return Ok(found);
        }
        if scope.open
            && let Some((seat, rest)) = seat_prefix(word)
        {
            if seat >= self.rules.players {
                return Err(Box::new(
                    Diagnostic::error("G101", span, format!("there is no player {}; there are {}", seat + 1, self.rules.players))
                        .label("not in this game"),
                ));
            }
            let (body, sort) = self.name(rest, span, scope)?;
            let seat = self.node(Node::Const(seat as i64));
            return Ok((self.node(Node::Of(seat, body)), sort));
        }
        if scope.open
            && let Some(seat) = seat_number(word)
        {
            return Ok((self.node(Node::Const(seat as i64)), Type::Seat));
        }
        if let Some((head, member)) = word.rsplit_once('.') {
            return self.member(word, head, member, span, scope);
        }
        match word {
            "me" => return Ok((self.node(Node::Me), Type::Seat)),
            "yes" => return Ok((self.node(Node::Const(1)), Type::Truth)),
            "no" => return Ok((self.node(Node::Const(0)), Type::Truth)),
            "round" => return Ok((self.node(Node::Global(head::ROUND as u32)), Type::Number)),
            "turn" => return Ok((self.node(Node::Global(head::TURN as u32)), Type::Number)),
            "players" => return Ok((self.node(Node::Const(self.rules.players as i64)), Type::Number)),
            "place_in_order" => return Ok((self.node(Node::PlaceInOrder), Type::Number)),
            "rounds_left" => {
                let Some(rounds) = self.rules.rounds else { return Err(self.unknown(word, span, "a number of rounds")) };
                let round = self.node(Node::Global(head::ROUND as u32));
                return Ok((self.node(Node::Sub(rounds, round)), Type::Number));
            }
            "score" if !self.rules.score.is_empty() => {
                let rows: Vec<NodeId> = self.rules.score.iter().map(|r| r.1).collect();
                let mut sum = rows[0];
                for row in &rows[1..] {
                    sum = self.node(Node::Add(sum, *row));
                }
                return Ok((sum, Type::Number));
            }
            _ => {}
        }
        match self.symbol(word).cloned() {
            Some(Symbol::SeatVariable(index)) => {
                let variable = &self.rules.seat[index];
                let (offset, sort) = (variable.offset, variable.sort);
                let kind = match sort {
                    VariableSort::Flag => Type::Truth,
                    VariableSort::Counter | VariableSort::Resource => self.choice_of_variable(index).unwrap_or(Type::Number),
                    VariableSort::Set | VariableSort::Tally => {
                        return Err(Box::new(
                            Diagnostic::error("R003", span, format!("`{word}` holds several values"))
                                .label("say which")
                                .help(format!("write `{word}[…]`, or `… in {word}`")),
                        ));
                    }
                };
                Ok((self.node(Node::Own(offset)), kind))
            }
            Some(Symbol::TableVariable(index)) => {
                let variable = &self.rules.table[index];
                let (cell, sort) = (variable.offset as u32, variable.sort);
                Ok((self.node(Node::Global(cell)), if sort == VariableSort::Flag { Type::Truth } else { Type::Number }))
            }
            Some(Symbol::Place(place)) => Ok((self.node(Node::FirstIn(place as u16)), Type::Card)),
            Some(Symbol::Condition(node)) => Ok((node, Type::Truth)),
            Some(Symbol::Quantity(quantity)) => {
                if self.rules.quantities[quantity as usize].args > 0 {
                    return Err(Box::new(
                        Diagnostic::error("R003", span, format!("`{word}` needs its arguments")).help(format!("write `{word}(…)`")),
                    ));
                }
                Ok((self.node(Node::Quantity(quantity, [None, None])), Type::Number))
            }
            Some(Symbol::Constant(terms)) => self.inside(word, &terms, span, scope),
            Some(Symbol::Define { params, body }) if params.is_empty() => self.inside(word, &body, span, scope),
            Some(Symbol::Option(option)) => self.option(option, span),
            Some(other) => Err(Box::new(
                Diagnostic::error("R003", span, format!("`{word}` is {}, no value", other.words())).label("a value is needed here"),
            )),
            None => match (self.resource_index(word), self.rules.find_definition(word)) {
                (Some(resource), _) => Ok((self.node(Node::Const(resource as i64)), Type::Resource)),
                (None, _) if self.symbol_index(word).is_some() => {
                    let symbol = self.symbol_index(word).unwrap_or(0);
                    Ok((self.node(Node::Const(symbol as i64)), Type::Symbol))
                }
                (None, Some(definition)) if scope.open => Ok((self.piece_of(definition as u32, scope), Type::Card)),
                _ => Err(self.unknown(word, span, "a name of this game")),
            },
        }
    }

    /// The body of a constant or definition, read where it is named.
    fn inside(&mut self, name: &str, terms: &[Term], span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
        if scope.depth >= DEEPEST {
            return Err(Box::new(
                Diagnostic::error("R005", span, format!("`{name}` goes round in a circle")).label("it is defined by itself"),
            ));
        }
        let mut there = scope.clone();
        there.depth += 1;
        there.open = false;
        // Only `round` may be rebound from outside; everything else is what the definition names.
        there.bound.retain(|b| b.0 == "round");
        let whole = terms.first().map_or(span, |t| t.span);
        let mut cursor = Cursor::new(terms, whole);
        let found = self.expr(&mut cursor, &mut there)?;
        cursor.expect_end()?;
        Ok(found)
    }

    fn option(&mut self, index: usize, span: Span) -> Result<Typed, Wrong> {
        let option = self.options[index].clone();
        if let Some(variable) = option.variable {
            let offset = self.rules.seat[variable].offset;
            return Ok((self.node(Node::Own(offset)), Type::Choice(option.choice)));
        }
        let chosen = option.chosen.first().cloned().unwrap_or_default();
        if option.numeric {
            return Ok((self.node(Node::Const(chosen.parse().unwrap_or(0))), Type::Number));
        }
        if option.several {
            return Err(Box::new(Diagnostic::error("R003", span, format!("`{}` holds several values", option.name))));
        }
        let value = option.values.iter().position(|v| *v == chosen).unwrap_or(0);
        Ok((self.node(Node::Const(value as i64)), Type::Choice(option.choice)))
    }

    /// `by players { 2: 4, else: 5 }`, `by OPTION { … }`.
    fn by(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        cursor.next();
        let span = cursor.span();
        let (over, _) = cursor.expect_name("`players` or an option")?;
        let block = cursor.expect_block("its values in braces")?;
        let terms: Vec<Term> = block.statements.iter().flat_map(|s| s.terms.iter().cloned()).collect();
        let mut entries: Vec<(Vec<String>, NodeId, Type)> = Vec::new();
        let mut inside = Cursor::new(&terms, block.span);
        while !inside.done() {
            let mut keys = Vec::new();
            loop {
                match inside.next().map(|t| &t.kind) {
                    Some(TermKind::Word(word)) => keys.push(word.clone()),
                    Some(TermKind::Number { thousandths, .. }) => keys.push((thousandths / 1000).to_string()),
                    _ => return Err(inside.expected("a key")),
                }
                if !inside.take_comma() {
                    break;
                }
            }
            if !inside.take_colon() {
                return Err(inside.expected("a colon"));
            }
            let (value, sort) = self.expr(&mut inside, scope)?;
            entries.push((keys, value, sort));
            inside.take_comma();
        }
        let sort = entries.first().map_or(Type::Number, |e| e.2);
        let pick = |entries: &[(Vec<String>, NodeId, Type)], key: &str| {
            entries
                .iter()
                .find(|e| e.0.iter().any(|k| k == key))
                .or_else(|| entries.iter().find(|e| e.0.iter().any(|k| k == "else")))
                .map(|e| e.1)
        };
        let missing = |key: &str| {
            Box::new(Diagnostic::error("R006", block.span, format!("there is no value for `{key}`")).help("add it, or `else: …`"))
        };
        if over == "players" {
            let key = self.rules.players.to_string();
            return pick(&entries, &key).map(|node| (node, sort)).ok_or_else(|| missing(&key) as Wrong);
        }
        let Some(Symbol::Option(option)) = self.symbol(over).cloned() else {
            return Err(self.unknown(over, span, "an option, or `players`"));
        };
        let option = self.options[option].clone();
        for key in entries.iter().flat_map(|e| &e.0) {
            if key != "else" && !option.values.contains(key) {
                return Err(self.unknown_of(key, block.span, &format!("a value of `{over}`"), option.values.iter().map(String::as_str)));
            }
        }
        match option.variable {
            None => {
                let key = option.chosen.first().cloned().unwrap_or_default();
                pick(&entries, &key).map(|node| (node, sort)).ok_or_else(|| missing(&key) as Wrong)
            }
            Some(variable) => {
                let offset = self.rules.seat[variable].offset;
                let mut values = Vec::new();
                for key in &option.values {
                    let node = pick(&entries, key).ok_or_else(|| missing(key) as Wrong)?;
                    let Node::Const(value) = self.rules.nodes[node as usize] else {
                        return Err(Box::new(Diagnostic::error(
                            "R003",
                            block.span,
                            "values by an option of each player must be plain numbers",
                        )));
                    };
                    values.push(value);
                }
                let own = self.node(Node::Own(offset));
                Ok((self.node(Node::Table(own, values.into())), sort))
            }
        }
    }

    fn call(&mut self, name: &str, args: &[Vec<Term>], span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
        let mut values = Vec::new();
        for arg in args {
            let at = arg.first().map_or(span, |t| t.span);
            let mut cursor = Cursor::new(arg, at);
            let value = match self.argument_word(arg) {
                // Of `max` and `min` every argument is a value.
                Some(found) if arg.len() == 1 && !matches!(name, "max" | "min") && scope.find(arg[0].word().unwrap_or("")).is_none() => {
                    cursor.next();
                    found
                }
                _ => self.expr(&mut cursor, scope)?,
            };
            cursor.expect_end()?;
            values.push(value);
        }
        let count = |n: usize| -> Result<(), Wrong> {
            if args.len() == n {
                return Ok(());
            }
            Err(Box::new(Diagnostic::error(
                "R007",
                span,
                format!("`{name}` takes {n} value{}, not {}", if n == 1 { "" } else { "s" }, args.len()),
            )))
        };
        match name {
            "max" | "min" => {
                count(2)?;
                let (a, b) = self.same_scale(values[0], values[1]);
                let node = if name == "max" { Node::Max(a.0, b.0) } else { Node::Min(a.0, b.0) };
                return Ok((self.node(node), a.1));
            }
            _ => {}
        }
        if let Some((seat, rest)) = seat_prefix(name)
            && scope.open
        {
            let (body, sort) = self.call(rest, args, span, scope)?;
            let seat = self.node(Node::Const(seat as i64));
            return Ok((self.node(Node::Of(seat, body)), sort));
        }
        match self.symbol(name).cloned() {
            Some(Symbol::Quantity(quantity)) => {
                count(self.rules.quantities[quantity as usize].args as usize)?;
                let arg = |i: usize| values.get(i).map(|v| v.0);
                let node = Node::Quantity(quantity, [arg(0), arg(1)]);
                Ok((self.node(node), Type::Number))
            }
            Some(Symbol::Define { params, body }) => {
                count(params.len())?;
                if scope.depth >= DEEPEST {
                    return Err(Box::new(
                        Diagnostic::error("R005", span, format!("`{name}` goes round in a circle")).label("it is defined by itself"),
                    ));
                }
                let mut there = scope.clone();
                there.depth += 1;
                there.open = false;
                there.bound = params.iter().zip(&values).map(|(p, v)| (p.clone(), v.0, v.1)).collect();
                let mut cursor = Cursor::new(&body, span);
                let found = self.expr(&mut cursor, &mut there)?;
                cursor.expect_end()?;
                Ok(found)
            }
            Some(other) => Err(Box::new(Diagnostic::error("R003", span, format!("`{name}` is {} and takes no values", other.words())))),
            None => Err(self.unknown(name, span, "a definition or quantity")),
        }
    }

    /// A word that is an argument by itself: a resource, or an extra word of a printed row.
    fn argument_word(&mut self, arg: &[Term]) -> Option<Typed> {
        let word = arg.first()?.word()?;
        if let Some(resource) = self.resource_index(word) {
            return Some((self.node(Node::Const(resource as i64)), Type::Resource));
        }
        let extra = self.extra_words.iter().position(|w| w == word)?;
        let index = (self.rules.resources.len() + extra) as i64;
        Some((self.node(Node::Const(index)), Type::Resource))
    }

    fn item(&mut self, name: &str, index: &[Term], span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
        if scope.open
            && let Some((seat, rest)) = seat_prefix(name)
        {
            let (body, sort) = self.item(rest, index, span, scope)?;
            let seat = self.node(Node::Const(seat as i64));
            return Ok((self.node(Node::Of(seat, body)), sort));
        }
        if let Some(Symbol::SeatVariable(variable)) = self.symbol(name).cloned() {
            let variable = self.rules.seat[variable].clone();
            if variable.sort != VariableSort::Tally {
                return Err(Box::new(
                    Diagnostic::error("R003", span, format!("`{name}` is a single value")).label("no index belongs here"),
                ));
            }
            let index = self.tally_index(&variable.name, index, span, scope)?;
            return Ok((self.node(Node::OwnAt(variable.offset, variable.len, index)), Type::Number));
        }
        let Some((head, member)) = name.rsplit_once('.') else { return Err(self.unknown(name, span, "a tally or a printed row")) };
        let card = self.card_named(head, span, scope)?;
        if let Some((offset, len)) = self.row_field(member) {
            let of_tokens = self.fields.iter().any(|f| f.offset == offset && f.sort == super::declare::FieldSort::Tokens);
            let sole = index.first().and_then(Term::word).filter(|word| index.len() == 1 && scope.find(word).is_none());
            let index = match self.argument_word(index) {
                _ if of_tokens => match sole {
                    Some(word) => {
                        let token = self.token_word(word, span)?;
                        self.node(Node::Const(token as i64))
                    }
                    None => self.whole_expr(index, span, scope, &[Type::Token])?.0,
                },
                Some((node, _)) if index.len() == 1 && scope.find(index[0].word().unwrap_or("")).is_none() => node,
                _ => self.whole_expr(index, span, scope, &[Type::Resource, Type::Number])?.0,
            };
            return Ok((self.node(Node::FieldAt(card, offset, len, index)), Type::Number));
        }
        if let Some(field) = self.list_field(member) {
            let (index, _) = self.whole_expr(index, span, scope, &[Type::Number])?;
            return Ok((self.node(Node::ListAt(card, field, index)), Type::Number));
        }
        Err(self.unknown_field(member, span))
    }

    /// The index into a tally: a kind or a resource.
    pub(super) fn tally_index(&mut self, tally: &str, index: &[Term], span: Span, scope: &mut Scope) -> Result<NodeId, Wrong> {
        let by_kind = self.tallies_by_kind.contains(tally);
        if index.len() == 1
            && let Some(word) = index[0].word()
            && scope.find(word).is_none()
        {
            let found = if by_kind { self.kind_of(word).map(i64::from) } else { self.resource_index(word).map(|r| r as i64) };
            if let Some(found) = found {
                return Ok(self.node(Node::Const(found)));
            }
        }
        Ok(self.whole_expr(index, span, scope, &[if by_kind { Type::Kind } else { Type::Resource }])?.0)
    }

    /// `card.height`, `board.hours`, `score.row`.
    fn member(&mut self, word: &str, head: &str, member: &str, span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
        if head == "score" {
            let rows: Vec<String> = self.rules.score.iter().map(|r| slug(&r.0)).collect();
            let Some(row) = rows.iter().position(|r| r == member) else {
                return Err(self.unknown_of(member, span, "a row of the score", rows.iter().map(String::as_str)));
            };
            return Ok((self.rules.score[row].1, Type::Number));
        }
        if let Some(Symbol::Quantity(quantity)) = self.symbol(word).cloned() {
            return Ok((self.node(Node::Quantity(quantity, [None, None])), Type::Number));
        }
        if let Some(local) = self.picked_local(head, scope) {
            let mut cursor = Cursor::new(&[], span);
            let Some(symbol) = self.symbol_index(member) else {
                _ = cursor.next();
                return Err(self.unknown_of(member, span, "a symbol", []));
            };
            let symbol = self.node(Node::Const(symbol as i64));
            return Ok((self.node(Node::ShownBy(local, symbol)), Type::Number));
        }
        let card = self.card_named(head, span, scope)?;
        if let Some(Symbol::PieceVariable(index)) = self.symbol(&format!("card.{member}")).cloned() {
            let offset = self.rules.piece[index].offset as u8;
            return Ok((self.node(Node::Counter(card, offset)), Type::Number));
        }
        if member == "kind" {
            return Ok((self.node(Node::KindOf(card)), Type::Kind));
        }
        if let Some((field, sort)) = self.number_field(member) {
            return Ok((self.node(Node::Field(card, field)), sort));
        }
        if self.list_field(member).is_some() {
            return Err(Box::new(
                Diagnostic::error("R003", span, format!("`{member}` is a list"))
                    .help(format!("write `{word}[0]`, `count {word}` or `first n of {word}`")),
            ));
        }
        Err(self.unknown_field(member, span))
    }

    /// A card by the name of a variable, a place that holds one, or (in scenarios) its id.
    pub(super) fn card_named(&mut self, name: &str, span: Span, scope: &mut Scope) -> Result<NodeId, Wrong> {
        if let Some((node, sort)) = scope.find(name) {
            self.must_be(sort, &[Type::Card], span)?;
            return Ok(node);
        }
        if let Some(Symbol::Place(place)) = self.symbol(name) {
            let place = *place as u16;
            return Ok(self.node(Node::FirstIn(place)));
        }
        if scope.open
            && let Some(definition) = self.rules.find_definition(name)
        {
            return Ok(self.piece_of(definition as u32, scope));
        }
        Err(self.unknown(name, span, "a card, or a place that holds one"))
    }

    fn piece_of(&mut self, definition: u32, scope: &mut Scope) -> NodeId {
        // The highest piece index of the card over all places; -1 is added back so that "none" stays none.
        let Some(local) = scope.local() else { return self.node(Node::Const(-1)) };
        let card = self.node(Node::Local(local));
        let filter = self.node(Node::IsCard(card, definition));
        let places: Vec<u16> = (0..self.rules.places.len() as u16).collect();
        let set = self.add_set(&places, crate::engine::ruleset::Whose::All, 0, 0, local, Some(filter));
        let one = self.node(Node::Const(1));
        let shifted = self.node(Node::Add(card, one));
        let highest = self.node(Node::Highest(set, shifted));
        self.node(Node::Sub(highest, one))
    }

    /// A card and a printed list of it.
    pub(super) fn list(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<(NodeId, u16), Wrong> {
        let (name, span) = cursor.expect_name("a printed list such as `card.points`")?;
        let Some((head, member)) = name.rsplit_once('.') else { return Err(cursor.expected("a printed list such as `card.points`")) };
        let card = self.card_named(head, span, scope)?;
        match self.list_field(member).or_else(|| self.cards_field(member)) {
            Some(field) => Ok((card, field)),
            None => Err(self.unknown_field(member, span)),
        }
    }

    /// `count card.sections`: how long a printed list is.
    fn length(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Option<Typed> {
        let word = cursor.terms.get(cursor.at + 1)?.word()?;
        let (head, member) = word.rsplit_once('.')?;
        let field = self.list_field(member)?;
        let span = cursor.span();
        let card = self.card_named(head, span, scope).ok()?;
        cursor.at += 2;
        Some((self.node(Node::ListLen(card, field)), Type::Number))
    }

    pub(super) fn condition(&mut self, text: &str) -> Option<NodeId> {
        self.rules.conditions.iter().find(|c| c.0 == text).map(|c| c.1)
    }

    /// A condition whose words are next; the longest counts.
    fn condition_words(&self, cursor: &Cursor<'_>) -> Option<(NodeId, usize)> {
        let mut best: Option<(NodeId, usize)> = None;
        for (name, node) in &self.rules.conditions {
            let words: Vec<&str> = name.split(' ').collect();
            let are = words.iter().enumerate().all(|(i, w)| cursor.terms.get(cursor.at + i).is_some_and(|t| t.is_word(w)));
            if are && best.is_none_or(|b| words.len() > b.1) {
                best = Some((*node, words.len()));
            }
        }
        best
    }

    /// Words that are one slip away from those of a condition.
    fn nearly_condition(&self, terms: &[Term]) -> Option<Wrong> {
        let words: Vec<(&str, Span)> = terms.iter().map_while(|term| term.word().map(|word| (word, term.span))).collect();
        (2..=words.len().min(4)).rev().find_map(|count| {
            let text = words[..count].iter().map(|word| word.0).collect::<Vec<_>>().join(" ");
            let names = self.rules.conditions.iter().map(|c| c.0.as_str()).filter(|name| name.split(' ').count() == count);
            nearest(&text, names)?;
            Some(self.unknown_condition(&text, words[0].1.to(words[count - 1].1)))
        })
    }

    fn unknown_condition(&self, text: &str, span: Span) -> Wrong {
        let names: Vec<&str> = self.rules.conditions.iter().map(|c| c.0.as_str()).collect();
        Box::new(Diagnostic::error("R010", span, format!("no condition is called \"{text}\"")).label("unknown").meant(nearest(text, names)))
    }

    fn unknown_field(&self, member: &str, span: Span) -> Wrong {
        let mut names: Vec<&str> = self.fields.iter().map(|f| f.name.as_str()).collect();
        names.extend(self.rules.piece.iter().map(|v| v.name.as_str()));
        Box::new(
            Diagnostic::error("R010", span, format!("no kind of card has a field or counter `{member}`"))
                .label("unknown")
                .meant(nearest(member, names)),
        )
    }
}

/// What a sum over such values is.
fn scale(each: Type) -> Type {
    if each == Type::Milli { Type::Milli } else { Type::Number }
}

/// `p2.wisp` is seat 1 and `wisp`.
pub(super) fn seat_prefix(word: &str) -> Option<(usize, &str)> {
    let (head, rest) = word.split_once('.')?;
    Some((seat_number(head)?, rest))
}

/// `p2` is seat 1.
pub(super) fn seat_number(word: &str) -> Option<usize> {
    let number: usize = word.strip_prefix('p')?.parse().ok()?;
    number.checked_sub(1)
}

/// A text as one word.
pub(super) fn slug(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}
