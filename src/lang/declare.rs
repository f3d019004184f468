//! Declarations: what there is before anything happens. Here the game, its options, kinds with their fields, zones and constants.

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Declared, GameOption, Symbol};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{Kind, OptionDecl};
use crate::source::Span;

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
            let result = match statement.head() {
                Some("game") => self.game(statement),
                Some("option") => self.declare_option(statement),
                Some("kind") => self.kind_name(statement),
                Some("constant") => self.constant(statement),
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
        self.rules.options.push(OptionDecl { name: name.to_string(), values: values.clone(), several, each_player });
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

    /// Third pass: fields of kinds, zones, hearing.
    pub(super) fn declare_kinds(&mut self, tree: &Block) {
        let mut index = 0;
        for statement in &tree.statements {
            let result = match statement.head() {
                Some("kind") => {
                    let result = self.kind_body(statement, index);
                    index += 1;
                    result
                }
                Some("zone") => self.zone(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
        for statement in tree.statements.iter().filter(|s| s.head() == Some("hearing")) {
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
        let at = cursor.span();
        if cursor.take_op(Op::Assign) {
            let held = match sort {
                FieldSort::Resource => "a resource",
                FieldSort::Choice(_) => "one of several words",
                FieldSort::Cards => "cards",
                _ => "",
            };
            if !held.is_empty() {
                let wrong = Diagnostic::error("R003", at, format!("`{name}` holds {held}, so that no number can be its default"));
                // The field is there all the same: nothing else is wrong with it.
                self.diagnostics.push(wrong.label("a default is a number").help("leave it out, and write the field on each card"));
                cursor.at = statement.terms.len();
            } else {
                let minus = cursor.take_op(Op::Minus);
                match cursor.next().map(|t| &t.kind) {
                    Some(TermKind::Number { thousandths, .. }) => {
                        default = Some(if minus { -thousandths / 1000 } else { thousandths / 1000 })
                    }
                    _ => return Err(cursor.expected("a number")),
                }
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
}

/// Extra words that a printed row may have beside the resources.
pub(super) const ROW_EXTRAS: u16 = 4;
