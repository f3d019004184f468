//! Declarations: what there is before anything happens. Options, places, counters, kinds with their fields, and every name.

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Declared, GameOption, Scope, Symbol, Type};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{Check, Effect, Kind, Lifetime, Node, PlaceDecl, Quantity, Rank, Shape, Shortage, Variable, VariableSort};
use crate::source::Span;
use crate::state::layout::head;

/// What a field of a kind holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldSort {
    Number,
    /// A list of numbers.
    Numbers,
    /// A number for each resource, and for some words more.
    Row(Vec<String>),
    /// A number for each sort of token.
    Tokens,
    /// One resource.
    Resource,
    /// One of an option's values.
    Choice(u16),
    /// A list of cards.
    Cards,
}

/// A field, shared by all kinds that declare it alike.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub sort: FieldSort,
    pub offset: u16,
    pub len: u16,
}

/// A field as a kind declares it.
#[derive(Clone, Debug)]
pub(super) struct KindField {
    pub field: usize,
    pub default: Option<i64>,
}

/// A deck as declared: which cards lie in it.
#[derive(Clone, Debug)]
pub(super) struct DeckDecl {
    pub place: usize,
    pub by_age: bool,
    pub filter: Vec<Term>,
    pub span: Span,
}

fn head_of(statement: &Statement) -> &str {
    statement.terms.first().and_then(Term::word).unwrap_or("")
}

impl Compiler<'_> {
    pub(super) fn declare_name(&mut self, name: &str, symbol: Symbol, span: Span) {
        if let Some(other) = self.symbols.get(name) {
            let diagnostic = Diagnostic::error("R013", span, format!("`{name}` is declared twice"))
                .label("again here")
                .also(other.span, format!("{} of this name", other.symbol.words()));
            self.diagnostics.push(diagnostic);
            return;
        }
        self.rules.names.add(name);
        self.symbols.insert(name.to_string(), Declared { symbol, span });
    }

    /// First pass: the game, players, options, and the names of kinds.
    pub(super) fn declare_first(&mut self, tree: &Block) {
        for statement in &tree.statements {
            let result = match head_of(statement) {
                "game" => self.game(statement),
                "players" => Ok(()),
                "option" => self.declare_option(statement),
                "kind" => self.kind_name(statement),
                "constant" => self.constant(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
    }

    pub(super) fn note(&mut self, result: Result<(), Wrong>) {
        if let Err(wrong) = result {
            self.diagnostics.push(*wrong);
        }
    }

    fn game(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, _) = cursor.expect_name("the game's name")?;
        self.rules.game = name.to_string();
        self.rules.title = cursor.take_text().map_or(name, |t| t.0).to_string();
        cursor.expect_end()
    }

    fn declare_option(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the option's name")?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=` and its values"));
        }
        let several = cursor.take_words(&["any", "of"]);
        let mut values = Vec::new();
        let mut numeric = false;
        if let Some(Term { kind: TermKind::Number { thousandths, .. }, .. }) = cursor.peek() {
            let from = thousandths / 1000;
            cursor.next();
            cursor.expect_word("to")?;
            let Some(Term { kind: TermKind::Number { thousandths, .. }, .. }) = cursor.next() else {
                return Err(cursor.expected("a number"));
            };
            values.extend((from..=thousandths / 1000).map(|n| n.to_string()));
            numeric = true;
        } else {
            loop {
                values.push(cursor.expect_name("a value")?.0.to_string());
                let next_is_value = !cursor.terms.get(cursor.at + 1).is_some_and(|t| t.is_word("default"));
                if cursor.take_op(Op::Or) || several && next_is_value && cursor.take_comma() {
                    continue;
                }
                break;
            }
        }
        let (mut default, mut each_player) = (Vec::new(), false);
        while cursor.take_comma() {
            if cursor.take_word("default") {
                match cursor.next().map(|t| &t.kind) {
                    Some(TermKind::Word(word)) => default.push(word.clone()),
                    Some(TermKind::Number { thousandths, .. }) => default.push((thousandths / 1000).to_string()),
                    _ => return Err(cursor.expected("the default")),
                }
            } else if cursor.take_words(&["for", "each", "player"]) {
                each_player = true;
            } else {
                return Err(cursor.expected("`default …` or `for each player`"));
            }
        }
        cursor.expect_end()?;
        if default.is_empty() {
            default.extend(values.first().cloned());
        }
        if let Some(bad) = default.iter().find(|d| !values.contains(d)) {
            return Err(self.unknown_of(bad, statement.span, &format!("a value of `{name}`"), values.iter().map(String::as_str)));
        }
        let mut chosen = default.clone();
        if let Some((_, wanted)) = self.setup.options.iter().find(|(n, _)| n == name) {
            chosen.clear();
            for value in wanted {
                match values.iter().find(|v| v.eq_ignore_ascii_case(value)) {
                    Some(value) => chosen.push(value.clone()),
                    // The option is declared all the same: nothing else is wrong with it.
                    None => self.diagnostics.push(
                        Diagnostic::error("G001", None, format!("option `{name}` has no value `{value}`"))
                            .help(format!("its values are {}", values.join(", "))),
                    ),
                }
            }
            if chosen.is_empty() {
                chosen.clone_from(&default);
            }
        }
        self.choices.push(values.clone());
        let choice = self.choices.len() as u16 - 1;
        self.options.push(GameOption { name: name.to_string(), values, numeric, several, each_player, chosen, variable: None, choice });
        let index = self.options.len() - 1;
        self.declare_name(name, Symbol::Option(index), span);
        Ok(())
    }

    fn kind_name(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the kind's name")?;
        let id = self.rules.names.add(name);
        self.rules.kinds.push(Kind { name: id, slot: None });
        self.kind_fields.push(Vec::new());
        let index = self.rules.kinds.len() - 1;
        if index >= 64 {
            return Err(Box::new(Diagnostic::error("R008", span, "more than 64 kinds")));
        }
        // A place may have a kind's name: `kind_of` finds the kind there.
        if !self.symbols.contains_key(name) {
            self.symbols.insert(name.to_string(), Declared { symbol: Symbol::Kind(index as u16), span });
        }
        Ok(())
    }

    fn constant(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the constant's name")?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=` and its value"));
        }
        if cursor.done() {
            return Err(cursor.expected("its value"));
        }
        self.declare_name(name, Symbol::Constant(statement.terms[cursor.at..].to_vec()), span);
        Ok(())
    }

    /// Second pass: counters, resources and places.
    pub(super) fn declare_places(&mut self, tree: &Block) {
        for statement in &tree.statements {
            let Some(block) = statement.terms.get(1).and_then(Term::block) else { continue };
            match head_of(statement) {
                "table" => self.container(block, Container::Table, Lifetime::Game),
                "player" => {
                    // Resources come first, so that a resource's index is its offset.
                    for inner in &block.statements {
                        if head_of(inner) == "resource" {
                            let result = self.variables(inner, Container::Player, VariableSort::Resource, Lifetime::Game);
                            self.note(result);
                        }
                    }
                    self.container(block, Container::Player, Lifetime::Game);
                }
                "card" => self.container(block, Container::Card, Lifetime::Game),
                _ => {}
            }
        }
        for index in 0..self.options.len() {
            if self.options[index].each_player {
                let name = self.options[index].name.clone();
                let offset = self.seat_size;
                self.seat_size += 1;
                self.rules.seat.push(Variable {
                    name: format!("option {name}"),
                    offset,
                    len: 1,
                    lifetime: Lifetime::Game,
                    sort: VariableSort::Counter,
                });
                self.options[index].variable = Some(self.rules.seat.len() - 1);
            }
        }
    }

    fn container(&mut self, block: &Block, container: Container, lifetime: Lifetime) {
        for statement in &block.statements {
            let result = self.member_of(statement, container, lifetime);
            self.note(result);
        }
    }

    fn member_of(&mut self, statement: &Statement, container: Container, lifetime: Lifetime) -> Result<(), Wrong> {
        match head_of(statement) {
            "resource" if container == Container::Player => Ok(()),
            "counter" => self.variables(statement, container, VariableSort::Counter, lifetime),
            "flag" => self.variables(statement, container, VariableSort::Flag, lifetime),
            "set" => self.words_variable(statement, container, VariableSort::Set, lifetime),
            "tally" => self.words_variable(statement, container, VariableSort::Tally, lifetime),
            "each" => {
                let lasts = statement.terms.get(1).and_then(Term::word).unwrap_or("");
                let lifetime = Lifetime::ALL.into_iter().find(|l| l.word() == lasts);
                match (lifetime, statement.terms.get(2).and_then(Term::block)) {
                    (Some(lifetime), Some(block)) => {
                        self.container(block, container, lifetime);
                        Ok(())
                    }
                    _ => Err(Box::new(Diagnostic::error(
                        "R002",
                        statement.span,
                        "expected `each action`, `each turn`, `each step` or `each round`, and a block",
                    ))),
                }
            }
            "deck" if container == Container::Table => self.deck_decl(statement),
            "grid" if container == Container::Table => self.grid_decl(statement),
            "place" if container != Container::Card => self.place_decl(statement, container),
            "pool" if container != Container::Card => self.pool_decl(statement, container == Container::Player),
            other => {
                let known = ["resource", "counter", "flag", "set", "tally", "each", "deck", "grid", "place", "pool"];
                Err(self.unknown_of(other, statement.span, "something that can be declared here", known))
            }
        }
    }

    fn variables(&mut self, statement: &Statement, container: Container, sort: VariableSort, lifetime: Lifetime) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        loop {
            let (name, span) = cursor.expect_name("a name")?;
            self.add_variable(name, span, container, sort, lifetime, 1);
            if !cursor.take_comma() {
                return cursor.expect_end();
            }
        }
    }

    fn add_variable(&mut self, name: &str, span: Span, container: Container, sort: VariableSort, lifetime: Lifetime, len: u16) {
        let size = match container {
            Container::Table => &mut self.table_size,
            Container::Player => &mut self.seat_size,
            Container::Card => &mut self.piece_size,
        };
        let offset = *size;
        *size += len;
        let variable = Variable { name: name.to_string(), offset, len, lifetime, sort };
        let symbol = match container {
            Container::Table => {
                self.rules.table.push(variable);
                Symbol::TableVariable(self.rules.table.len() - 1)
            }
            Container::Player => {
                self.rules.seat.push(variable);
                if sort == VariableSort::Resource {
                    let id = self.rules.names.add(name);
                    self.rules.resources.push(id);
                }
                Symbol::SeatVariable(self.rules.seat.len() - 1)
            }
            Container::Card => {
                self.rules.piece.push(variable);
                Symbol::PieceVariable(self.rules.piece.len() - 1)
            }
        };
        // Counters on cards live behind the card: `card.hours`.
        let name = if container == Container::Card { format!("card.{name}") } else { name.to_string() };
        if container == Container::Card {
            self.rules.names.add(name.trim_start_matches("card."));
        }
        self.declare_name(&name, symbol, span);
    }

    /// `set short of resource`, `tally bought by kind`.
    fn words_variable(&mut self, statement: &Statement, container: Container, sort: VariableSort, lifetime: Lifetime) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("a name")?;
        cursor.expect_word(if sort == VariableSort::Set { "of" } else { "by" })?;
        let (over, at) = cursor.expect_name("`resource` or `kind`")?;
        cursor.expect_end()?;
        if container != Container::Player {
            return Err(Box::new(Diagnostic::error("R003", span, "sets and tallies are a player's")));
        }
        let count = match over {
            "resource" => self.rules.resources.len(),
            "kind" => {
                self.tallies_by_kind.insert(name.to_string());
                self.rules.kinds.len()
            }
            other => return Err(self.unknown_of(other, at, "`resource` or `kind`", ["resource", "kind"])),
        };
        let len = if sort == VariableSort::Set { 1 } else { count as u16 };
        self.add_variable(name, span, container, sort, lifetime, len);
        Ok(())
    }

    fn new_place(&mut self, name: &str, span: Span, of_seat: bool, shape: Shape, room: usize) -> usize {
        self.rules.places.push(PlaceDecl {
            name: name.to_string(),
            of_seat,
            shape,
            first: 0,
            instances: 0,
            kinds: 0,
            limit: None,
            hearing: false,
            on_leave: None,
        });
        self.room.push(room);
        let index = self.rules.places.len() - 1;
        if matches!(self.symbol(name), Some(Symbol::Kind(_))) {
            // The place takes over the name; the kind is still found where a kind is meant.
            self.symbols.remove(name);
        }
        self.declare_name(name, Symbol::Place(index), span);
        if self.rules.places.len() > 62 {
            self.diagnostics.push(Diagnostic::error("R008", span, "more than 62 places"));
        }
        index
    }

    fn kinds_list(&mut self, cursor: &mut Cursor<'_>) -> Result<u64, Wrong> {
        let mut mask = 0;
        loop {
            let (name, span) = cursor.expect_name("a kind")?;
            let Some(kind) = self.kind_of(name) else {
                let kinds: Vec<String> = self.rules.kinds.iter().map(|k| self.rules.names.text(k.name).to_string()).collect();
                return Err(self.unknown_of(name, span, "a kind", kinds.iter().map(String::as_str)));
            };
            mask |= 1 << kind;
            if !cursor.take_comma() {
                return Ok(mask);
            }
        }
    }

    /// `deck pile by age of hut, tower where card.set in set`.
    fn deck_decl(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the deck's name")?;
        let by_age = cursor.take_words(&["by", "age"]);
        cursor.expect_word("of")?;
        let kinds = self.kinds_list(&mut cursor)?;
        let filter = if cursor.take_word("where") { statement.terms[cursor.at..].to_vec() } else { Vec::new() };
        let place = self.new_place(name, span, false, Shape::Deck, 0);
        self.rules.places[place].kinds = kinds;
        self.decks.push(DeckDecl { place, by_age, filter, span });
        Ok(())
    }

    /// `grid market 3 by columns`.
    fn grid_decl(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the grid's name")?;
        let mut size = [0_u16; 2];
        let by = statement.terms.iter().position(|t| t.is_word("by")).unwrap_or(statement.terms.len());
        for (slot, terms) in size.iter_mut().zip([&statement.terms[cursor.at..by], statement.terms.get(by + 1..).unwrap_or(&[])]) {
            let (node, _) = self.whole_expr(terms, span, &mut Scope::from(1), &[Type::Number])?;
            match self.rules.nodes[node as usize] {
                Node::Const(n) if (1..=30).contains(&n) => *slot = n as u16,
                _ => return Err(Box::new(Diagnostic::error("R003", span, "rows and columns must be plain numbers from 1 to 30"))),
            }
        }
        let [rows, columns] = size;
        self.new_place(name, span, false, Shape::Grid { rows, columns }, rows as usize * columns as usize);
        Ok(())
    }

    /// `place war, event`, `place yard of hut, tower: board.yards, room 7`.
    fn place_decl(&mut self, statement: &Statement, container: Container) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let mut places = Vec::new();
        loop {
            let (name, span) = cursor.expect_name("the place's name")?;
            places.push(self.new_place(name, span, container == Container::Player, Shape::Slots, 1));
            if !cursor.take_comma() {
                break;
            }
        }
        if cursor.take_word("of") {
            let kinds = self.kinds_list(&mut cursor)?;
            for &place in &places {
                self.rules.places[place].kinds = kinds;
            }
        }
        if cursor.take_colon() {
            let start = cursor.at;
            while !cursor.done() && !matches!(cursor.peek().map(|t| &t.kind), Some(TermKind::Comma)) {
                cursor.next();
            }
            let limit = statement.terms[start..cursor.at].to_vec();
            let mut room = None;
            if cursor.take_comma() {
                cursor.expect_word("room")?;
                match cursor.next().map(|t| &t.kind) {
                    Some(TermKind::Number { thousandths, .. }) if (1000..=200_000).contains(thousandths) => {
                        room = Some((thousandths / 1000) as usize)
                    }
                    _ => return Err(cursor.expected("how many cards there can ever be, from 1 to 200")),
                }
            }
            let fixed = match limit.as_slice() {
                [Term { kind: TermKind::Number { thousandths, .. }, .. }] => Some((thousandths / 1000) as usize),
                _ => None,
            };
            let Some(room) = room.or(fixed) else {
                return Err(Box::new(
                    Diagnostic::error("R006", statement.span, "how many cards can there ever be in this place?")
                        .help("write `, room 7` behind it"),
                ));
            };
            for &place in &places {
                self.room[place] = room;
                self.limits.push((place, limit.clone(), statement.span));
            }
        }
        cursor.expect_end()
    }

    /// Third pass: fields of kinds, zones, hearing.
    pub(super) fn declare_kinds(&mut self, tree: &Block) {
        let mut index = 0;
        for statement in &tree.statements {
            let result = match head_of(statement) {
                "kind" => {
                    let result = self.kind_body(statement, index);
                    index += 1;
                    result
                }
                "zone" => self.zone(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
        for statement in tree.statements.iter().filter(|s| head_of(s) == "hearing") {
            let result = self.hearing(statement);
            self.note(result);
        }
    }

    fn kind_body(&mut self, statement: &Statement, index: usize) -> Result<(), Wrong> {
        let Some(block) = statement.terms.get(2).and_then(Term::block) else {
            return Err(Box::new(Diagnostic::error("R002", statement.span, "a kind has its fields in braces")));
        };
        for inner in &block.statements {
            let result = self.kind_member(inner, index);
            self.note(result);
        }
        Ok(())
    }

    fn kind_member(&mut self, statement: &Statement, kind: usize) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let (name, span) = cursor.expect_name("a field, or `slot`")?;
        if name == "slot" {
            let place = self.place(&mut cursor)?;
            self.rules.kinds[kind].slot = Some(place as u16);
            self.rules.places[place].kinds |= 1 << kind;
            return cursor.expect_end();
        }
        if !cursor.take_colon() {
            return Err(cursor.expected("a colon and what the field holds"));
        }
        let sort = if cursor.take_word("number") {
            FieldSort::Number
        } else if cursor.take_word("numbers") {
            FieldSort::Numbers
        } else if cursor.take_word("cards") {
            FieldSort::Cards
        } else if cursor.is_word("of")
            && cursor.terms.get(cursor.at + 1).and_then(Term::word).is_some_and(|word| self.token_kind(word).is_some())
        {
            cursor.at += 2;
            FieldSort::Tokens
        } else if cursor.take_word("of") {
            cursor.expect_word("resource")?;
            let mut extra = Vec::new();
            while cursor.take_comma() {
                let (word, _) = cursor.expect_name("a word")?;
                extra.push(word.to_string());
                if !self.extra_words.iter().any(|w| w == word) {
                    self.extra_words.push(word.to_string());
                    self.rules.names.add(word);
                }
            }
            FieldSort::Row(extra)
        } else if cursor.take_words(&["one", "of"]) {
            let (word, at) = cursor.expect_name("`resource` or an option")?;
            match self.symbol(word) {
                _ if word == "resource" => FieldSort::Resource,
                Some(Symbol::Option(option)) => FieldSort::Choice(self.options[*option].choice),
                _ => return Err(self.unknown(word, at, "`resource` or an option")),
            }
        } else {
            return Err(cursor.expected("`number`, `numbers`, `of resource`, `one of …` or `cards`"));
        };
        let mut default = None;
        if cursor.take_op(Op::Assign) {
            let minus = cursor.take_op(Op::Minus);
            match cursor.next().map(|t| &t.kind) {
                Some(TermKind::Number { thousandths, .. }) => default = Some(if minus { -thousandths / 1000 } else { thousandths / 1000 }),
                _ => return Err(cursor.expected("a number")),
            }
        }
        cursor.expect_end()?;
        if self.rules.piece.iter().any(|v| v.name == name) || name == "kind" {
            return Err(Box::new(
                Diagnostic::error("R013", span, format!("`{name}` is already a counter on cards")).label("a field needs another name"),
            ));
        }
        let alike = |a: &FieldSort, b: &FieldSort| matches!((a, b), (FieldSort::Row(_), FieldSort::Row(_))) || a == b;
        let field = match self.fields.iter().position(|f| f.name == name && alike(&f.sort, &sort)) {
            Some(field) => field,
            None => {
                let len = match sort {
                    FieldSort::Row(_) => self.rules.resources.len() as u16 + ROW_EXTRAS,
                    FieldSort::Tokens => self.rules.tokens.len() as u16,
                    _ => 1,
                };
                let offset = self.field_size;
                self.field_size += len;
                self.rules.names.add(name);
                self.rules.fields.push((name.to_string(), len));
                self.fields.push(Field { name: name.to_string(), sort, offset, len });
                self.fields.len() - 1
            }
        };
        if self.kind_fields[kind].iter().any(|f| self.fields[f.field].name == name) {
            return Err(Box::new(Diagnostic::error("R013", span, format!("field `{name}` is declared twice"))));
        }
        self.kind_fields[kind].push(KindField { field, default });
        Ok(())
    }

    fn place_list(&mut self, cursor: &mut Cursor<'_>) -> Result<Vec<u16>, Wrong> {
        let mut places = Vec::new();
        loop {
            let (name, span) = cursor.expect_name("a place")?;
            match self.places_named(name) {
                Some(named) => places.extend(named),
                None => return Err(self.unknown(name, span, "a place or zone")),
            }
            if !cursor.take_comma() {
                cursor.expect_end()?;
                return Ok(places);
            }
        }
    }

    fn zone(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the zone's name")?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=` and its places"));
        }
        let places = self.place_list(&mut cursor)?;
        self.declare_name(name, Symbol::Zone(places), span);
        Ok(())
    }

    fn hearing(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        for place in self.place_list(&mut cursor)? {
            self.rules.places[place as usize].hearing = true;
            self.rules.hearing |= 1 << place;
        }
        Ok(())
    }

    /// Fourth pass: the names of definitions, quantities, ranks, conditions and effects, so that each can name the others.
    pub(super) fn declare_names(&mut self, tree: &Block) {
        for statement in &tree.statements {
            let result = match head_of(statement) {
                "define" => self.define(statement),
                "changeable" => self.quantity_name(statement, false),
                "stat" => self.quantity_name(statement, true),
                "rank" => self.rank_name(statement),
                "condition" => self.condition_name(statement),
                "effect" => self.effect_name(statement),
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
            cached: None,
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
        cursor.expect_name("what is ranked, such as `x`")?;
        if !cursor.take_op(Op::Assign) {
            return Err(cursor.expected("`=`"));
        }
        let top = cursor.take_word("top");
        if !top && !cursor.take_word("bottom") {
            return Err(cursor.expected("`top` or `bottom`"));
        }
        let (leaders, sort) = self.expr(&mut cursor, &mut Scope::from(1))?;
        self.must_be(sort, &[Type::Number], span)?;
        cursor.expect_word("by")?;
        cursor.expect_name("`x`")?;
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
        // A placeholder that the body replaces, so that conditions can name each other in any order.
        let node = self.node(Node::Const(0));
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
        self.effect_params.push(params);
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
        for (node, terms, span) in std::mem::take(&mut self.condition_bodies) {
            match self.whole_expr(&terms, span, &mut Scope::from(3), &[Type::Truth]) {
                Ok((body, _)) => self.rules.nodes[node as usize] = self.rules.nodes[body as usize].clone(),
                Err(wrong) => self.diagnostics.push(*wrong),
            }
        }
        for statement in &tree.statements {
            let result = match head_of(statement) {
                "effect" => self.effect_body(statement),
                "when" => self.when(statement),
                "always" => self.always(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
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
                let (node, _) = self.expr(&mut cursor, &mut scope)?;
                self.rules.quantities[quantity as usize].most = Some(node);
            } else if cursor.take_words(&["at", "least"]) {
                let (node, _) = self.expr(&mut cursor, &mut scope)?;
                self.rules.quantities[quantity as usize].least = Some(node);
            } else if cursor.take_words(&["ranked", "as"]) {
                let (node, _) = self.expr(&mut cursor, &mut scope)?;
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

    /// Where the cells of the table begin.
    pub(super) const fn table_start() -> u16 {
        head::SIZE as u16
    }
}

/// Extra words that a printed row may have beside the resources.
pub(super) const ROW_EXTRAS: u16 = 4;

/// Whose counters and places are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Table,
    Player,
    Card,
}
