//! What the table, the players and the cards hold: counters, flags, sets, tallies, decks, grids and places.

use super::ast::{Block, Statement, Term, TermKind};
use super::compile::Compiler;
use super::declare::DeckDecl;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{Lifetime, Node, PlaceDecl, Shape, Variable, VariableSort};
use crate::source::Span;
use crate::state::layout::head;

impl Compiler<'_> {
    /// Second pass: counters, resources and places.
    pub(super) fn declare_places(&mut self, tree: &Block) {
        for statement in &tree.statements {
            let Some(block) = statement.terms.get(1).and_then(Term::block) else { continue };
            match statement.head() {
                Some("table") => self.container(block, Container::Table, Lifetime::Game),
                Some("player") => {
                    // Resources come first, so that a resource's index is its offset.
                    for inner in &block.statements {
                        if inner.head() == Some("resource") {
                            let result = self.variables(inner, Container::Player, VariableSort::Resource, Lifetime::Game);
                            self.note(result);
                        }
                    }
                    self.container(block, Container::Player, Lifetime::Game);
                }
                Some("card") => self.container(block, Container::Card, Lifetime::Game),
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
        match statement.head().unwrap_or("") {
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

    pub(super) fn add_variable(&mut self, name: &str, span: Span, container: Container, sort: VariableSort, lifetime: Lifetime, len: u16) {
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

    /// Where the cells of the table begin.
    pub(super) const fn table_start() -> u16 {
        head::SIZE as u16
    }
}

/// Whose counters and places are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    Table,
    Player,
    Card,
}
