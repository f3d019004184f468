//! Names in expressions, alone, with values in brackets or behind a dot: each becomes what it stands for.

use super::ast::Term;
use super::compile::Compiler;
use super::expr::{Typed, seat_number, seat_prefix};
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Node, NodeId, VariableSort};
use crate::source::Span;
use crate::state::layout::head;

/// Definitions within definitions, deeper than this, go round in a circle.
const DEEPEST: u32 = 24;

impl Compiler<'_> {
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
            None => {
                if let Some(resource) = self.resource_index(word) {
                    return Ok((self.node(Node::Const(resource as i64)), Type::Resource));
                }
                if let Some(symbol) = self.symbol_index(word) {
                    return Ok((self.node(Node::Const(symbol as i64)), Type::Symbol));
                }
                match self.rules.find_definition(word) {
                    Some(definition) if scope.open => Ok((self.piece_of(definition as u32, scope), Type::Card)),
                    _ => Err(self.unknown(word, span, "a name of this game")),
                }
            }
        }
    }

    /// The scope of a body that is read where it is named.
    fn within(name: &str, span: Span, scope: &Scope) -> Result<Scope, Wrong> {
        if scope.depth >= DEEPEST {
            return Err(Box::new(Self::circle(name, Some(span))));
        }
        Ok(Scope { depth: scope.depth + 1, open: false, ..scope.clone() })
    }

    /// The body of a constant or definition, read where it is named.
    pub(super) fn inside(&mut self, name: &str, terms: &[Term], span: Span, scope: &Scope) -> Result<Typed, Wrong> {
        let mut there = Self::within(name, span, scope)?;
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

    pub(super) fn call(&mut self, name: &str, args: &[Vec<Term>], span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
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
                let mut there = Self::within(name, span, scope)?;
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
    pub(super) fn argument_word(&mut self, arg: &[Term]) -> Option<Typed> {
        let word = arg.first()?.word()?;
        if let Some(resource) = self.resource_index(word) {
            return Some((self.node(Node::Const(resource as i64)), Type::Resource));
        }
        let extra = self.extra_words.iter().position(|w| w == word)?;
        let index = (self.rules.resources.len() + extra) as i64;
        Some((self.node(Node::Const(index)), Type::Resource))
    }

    pub(super) fn item(&mut self, name: &str, index: &[Term], span: Span, scope: &mut Scope) -> Result<Typed, Wrong> {
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
            let Some(symbol) = self.symbol_index(member) else { return Err(self.not_a_symbol(member, span)) };
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

/// A text as one word.
fn slug(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}
