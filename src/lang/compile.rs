//! From the content of a game to a ruleset: text to tree, overlays, names, checks, and one compiled whole.

use super::ast::{Block, Term};
use super::declare::{DeckDecl, Field, FieldSort, KindField, ROW_EXTRAS};
use super::overlay::{Overlay, apply_overlays, take_variants};
use super::parse::parse_rules;
use super::phrase::Cursor;
use super::scope::{Declared, GameOption, Scope, Symbol, Type};
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::engine::ruleset::{Node, NodeId, Ruleset, Shape};
use crate::pack::{GameContent, RawCard, load_game};
use crate::source::{Sources, Span};
use crate::state::chance::{hash_text, join};
use crate::state::layout::{BOX, Layout, PlaceAt, TABLE, piece};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is chosen before a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Number of players; 0 for the most that the game allows.
    pub players: usize,
    /// Options of the table, each with its values.
    pub options: Vec<(String, Vec<String>)>,
    /// Options of single players: seat, option, value.
    pub seat_options: Vec<(usize, String, String)>,
    /// Cards put into play from the start, for a seat or for the first.
    pub deal: Vec<(String, Option<usize>)>,
    /// Pieces of all cards lie in the box, also of those that are in no deck: for scenarios.
    pub every_piece: bool,
}

/// The text of a game with all overlays applied.
#[derive(Clone, Debug)]
pub struct GameText {
    /// The syntax tree.
    pub tree: Block,
    /// Cards and kinds.
    pub content: GameContent,
    /// Variants that can be chosen: name and title.
    pub variants: Vec<(String, String)>,
    /// Hash of all text.
    pub hash: u64,
}

impl GameText {
    /// Fewest and most players.
    pub fn players(&self) -> (usize, usize) {
        let number = |term: Option<&Term>| match term.map(|t| &t.kind) {
            Some(super::ast::TermKind::Number { thousandths, .. }) => Some((thousandths / 1000) as usize),
            _ => None,
        };
        let statement = self.tree.statements.iter().find(|s| s.head() == Some("players"));
        let (from, to) = match statement {
            Some(s) => (number(s.terms.get(1)).unwrap_or(1), number(s.terms.get(3))),
            None => (1, None),
        };
        (from, to.unwrap_or(from))
    }
}

/// Reads a game: its rules with chosen variants and further rules, its cards with those of packs.
///
/// Each text of `with` is the name of a variant, the path of a `.rules` file, or rules text.
pub fn load(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    packs: &[PathBuf],
    with: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameText> {
    let content = load_game(sources, root, game, packs, diagnostics)?;
    let mut hash = hash_text(game);
    let mut tree: Option<Block> = None;
    for &file in &content.rules {
        let text = sources.text(file).to_string();
        hash = join(hash, hash_text(&text));
        let block = parse_rules(file, &text, diagnostics);
        match &mut tree {
            Some(tree) => tree.statements.extend(block.statements),
            None => tree = Some(block),
        }
    }
    let mut tree = tree?;
    let mut variants = take_variants(&mut tree);
    let mut overlays = Vec::new();
    for pack in &content.packs {
        for &file in &pack.rules {
            let text = sources.text(file).to_string();
            hash = join(hash, hash_text(&text));
            let mut block = parse_rules(file, &text, diagnostics);
            variants.extend(take_variants(&mut block));
            overlays.push(Overlay { name: pack.manifest.name.clone(), statements: block.statements, over: pack.manifest.over.clone() });
        }
    }
    let mut chosen = Vec::new();
    for (i, text) in with.iter().enumerate() {
        hash = join(hash, hash_text(text));
        if let Some(variant) = variants.iter().find(|v| v.name == *text) {
            chosen.push(variant.clone());
            continue;
        }
        let path = Path::new(text);
        let (file, name) = if text.ends_with(".rules") {
            match sources.read_file(path) {
                Ok(file) => (file, text.clone()),
                Err(error) => {
                    let why = match error.kind() {
                        std::io::ErrorKind::NotFound => "it is not there".to_string(),
                        _ => error.to_string(),
                    };
                    diagnostics.push(Diagnostic::error("G002", None, format!("cannot read `{text}`: {why}")));
                    continue;
                }
            }
        } else {
            let name = format!("--with #{}", i + 1);
            (sources.add(name.clone(), text.clone()), name)
        };
        let text = sources.text(file).to_string();
        let before = diagnostics.len();
        let mut block = parse_rules(file, &text, diagnostics);
        let from_file = name.ends_with(".rules");
        let inner = take_variants(&mut block);
        // A file of variants that was named is meant as a whole.
        if from_file || !inner.is_empty() {
            for variant in inner {
                chosen.push(variant);
            }
        }
        if diagnostics.len() == before && block.statements.len() == 1 && block.statements[0].terms.len() == 1 {
            let word = block.statements[0].terms[0].word().unwrap_or("");
            let names: Vec<&str> = variants.iter().map(|v| v.name.as_str()).collect();
            let wrong = Diagnostic::error("G003", block.span, format!("there is no variant `{word}`")).label("unknown");
            diagnostics.push(match nearest(word, names) {
                None => wrong.help("give the name of a variant, the path of a `.rules` file, or rules such as `change ADDRESS to VALUE`"),
                meant => wrong.meant(meant),
            });
            continue;
        }
        if !block.statements.is_empty() {
            chosen.push(Overlay {
                name,
                statements: block.statements,
                over: content.packs.iter().map(|p| p.manifest.name.clone()).collect(),
            });
        }
    }
    let variants = variants.iter().map(|v| (v.name.clone(), title_of(v))).collect();
    overlays.extend(chosen);
    let tree = apply_overlays(tree, &overlays, diagnostics);
    for card in &content.cards {
        hash = join(hash, hash_text(&format!("{card:?}")));
    }
    Some(GameText { tree, content, variants, hash })
}

fn title_of(variant: &Overlay) -> String {
    variant.name.replace('_', " ")
}

/// Compiles a ruleset for a choice of players and options; `None` when there is an error among the diagnostics.
pub fn compile(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let before = diagnostics.len();
    let (fewest, most) = text.players();
    let players = if setup.players == 0 { most } else { setup.players };
    if players < fewest || players > most || players > crate::state::layout::head::MOST_SEATS {
        diagnostics.push(Diagnostic::error("G004", None, format!("this game is for {fewest} to {most} players, not {players}")));
        return None;
    }
    let mut compiler = Compiler::new(setup, diagnostics);
    compiler.rules.players = players;
    compiler.rules.game = text.content.game.clone();
    compiler.rules.hash = join(text.hash, hash_text(&format!("{players} {:?} {:?}", setup.options, setup.seat_options)));
    compiler.run(text);
    let rules = std::mem::take(&mut compiler.rules);
    let failed = diagnostics[before..].iter().any(|d| d.severity == Severity::Error);
    (!failed).then_some(rules)
}

/// What can be compiled in spite of faults in cards, so that their scripts can be looked at in the same run; `None` when
/// the rules themselves are at fault.
pub fn compile_in_part(text: &GameText, setup: &Setup) -> Option<Ruleset> {
    let mut diagnostics = Vec::new();
    let mut compiler = Compiler::new(setup, &mut diagnostics);
    compiler.rules.players = if setup.players == 0 { text.players().1 } else { setup.players };
    compiler.rules.game = text.content.game.clone();
    compiler.run(text);
    let rules = std::mem::take(&mut compiler.rules);
    let in_cards = |span: Span| text.content.cards.iter().any(|card| card.span.file == span.file);
    diagnostics.iter().all(|d| d.severity == Severity::Warning || d.span.is_some_and(in_cards)).then_some(rules)
}

/// An expression in the words of a compiled ruleset, with cards and seats: for scenarios. See [`Compiler::reopen`].
pub struct Compiler<'a> {
    pub(super) rules: Ruleset,
    pub(super) setup: &'a Setup,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    pub(super) symbols: BTreeMap<String, Declared>,
    pub(super) options: Vec<GameOption>,
    pub(super) choices: Vec<Vec<String>>,
    pub(super) fields: Vec<Field>,
    pub(super) kind_fields: Vec<Vec<KindField>>,
    pub(super) extra_words: Vec<String>,
    /// Cards that the rules put into places by their ids: a copy for each seat.
    pub(super) put_by_name: Vec<i32>,
    /// The seat that the last pool was named with.
    pub(super) pool_of: Option<usize>,
    pub(super) tallies_by_kind: BTreeSet<String>,
    pub(super) decks: Vec<DeckDecl>,
    pub(super) room: Vec<usize>,
    pub(super) limits: Vec<(usize, Vec<Term>, Span)>,
    pub(super) quantity_bodies: Vec<(u16, Vec<String>, Vec<Term>, Span)>,
    pub(super) quantity_params: BTreeMap<u16, Vec<String>>,
    pub(super) condition_bodies: Vec<(NodeId, Vec<Term>, Span)>,
    pub(super) define_names: Vec<String>,
    pub(super) raw_of: Vec<RawCard>,
    pub(super) context: String,
    pub(super) table_size: u16,
    pub(super) seat_size: u16,
    pub(super) piece_size: u16,
    pub(super) field_size: u16,
}

impl<'a> Compiler<'a> {
    fn new(setup: &'a Setup, diagnostics: &'a mut Vec<Diagnostic>) -> Compiler<'a> {
        Compiler {
            rules: Ruleset::default(),
            setup,
            diagnostics,
            symbols: BTreeMap::new(),
            options: Vec::new(),
            choices: Vec::new(),
            fields: Vec::new(),
            kind_fields: Vec::new(),
            extra_words: Vec::new(),
            put_by_name: Vec::new(),
            pool_of: None,
            tallies_by_kind: BTreeSet::new(),
            decks: Vec::new(),
            room: Vec::new(),
            limits: Vec::new(),
            quantity_bodies: Vec::new(),
            quantity_params: BTreeMap::new(),
            condition_bodies: Vec::new(),
            define_names: Vec::new(),
            raw_of: Vec::new(),
            context: String::new(),
            table_size: Self::table_start(),
            seat_size: 0,
            piece_size: piece::COUNTERS as u16,
            field_size: 0,
        }
    }

    /// A compiler with the names of a game, to read further expressions (a scenario's lines) into a copy of its ruleset;
    /// `None` when there is an error among the diagnostics.
    pub fn reopen(text: &GameText, setup: &'a Setup, diagnostics: &'a mut Vec<Diagnostic>) -> Option<Compiler<'a>> {
        let (_, most) = text.players();
        let mut compiler = Compiler::new(setup, diagnostics);
        compiler.rules.players = if setup.players == 0 { most } else { setup.players };
        compiler.rules.game = text.content.game.clone();
        let before = compiler.diagnostics.len();
        compiler.run(text);
        let failed = compiler.diagnostics[before..].iter().any(|d| d.severity == Severity::Error);
        (!failed).then_some(compiler)
    }

    /// The ruleset as it now is, with what was read since.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Reads an expression in which cards and seats can be named.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&mut self, terms: &[Term], span: Span) -> Result<(NodeId, Type), Box<Diagnostic>> {
        let mut scope = Scope { open: true, ..Scope::from(3) };
        let mut cursor = Cursor::new(terms, span);
        let found = self.expr(&mut cursor, &mut scope)?;
        cursor.expect_end()?;
        Ok(found)
    }

    fn run(&mut self, text: &GameText) {
        self.rules.names.add("yes");
        self.rules.names.add("no");
        // A pool's first cell is never a list, so that 0 means none.
        self.rules.pool.push(0);
        self.rules.most_answers = 1000;
        let age = Field { name: "age".into(), sort: FieldSort::Number, offset: 0, len: 1 };
        self.fields.push(age);
        self.rules.fields.push(("age".into(), 1));
        self.rules.names.add("age");
        self.field_size = 1;
        let tree = &text.tree;
        self.refuse_unknown(tree);
        self.declare_first(tree);
        self.declare_tokens(tree);
        self.declare_places(tree);
        self.finish_tokens();
        self.declare_kinds(tree);
        self.declare_names(tree);
        let phases = self.read_rounds(tree);
        self.read_cards(&text.content.cards);
        self.declare_bodies(tree);
        self.ending(tree);
        match phases {
            Some(phases) => self.program(tree, &phases),
            None => {
                let first = tree.statements.first().map_or(tree.span, |statement| statement.span);
                let wrong = Diagnostic::error("R006", first, "the game has no rounds").label("of this game");
                self.diagnostics.push(wrong.help("write `rounds 8 of PHASE, PHASE`"));
            }
        }
        self.known_moments(&text.content);
        self.read_entries(&text.content.kinds);
        self.script_names();
        self.lay_out();
        self.first_values();
        self.deal();
        self.seat_settings();
        self.fold_bodies();
        self.tell_circles();
        self.rules.prepare();
        self.rules.flatten();
    }

    /// A statement outermost in a rules file must be a declaration.
    fn refuse_unknown(&mut self, tree: &Block) {
        let mut known: Vec<&str> =
            super::verbs::table().iter().filter(|v| v.sort == "declaration").filter_map(|v| v.pattern.split(' ').next()).collect();
        known.extend(["change", "replace", "remove", "add", "extend", "variant"]);
        for statement in &tree.statements {
            let head = statement.head().unwrap_or("");
            if !known.contains(&head) {
                let span = statement.terms.first().map_or(statement.span, |t| t.span);
                let diagnostic = Diagnostic::error("R012", span, format!("no declaration begins with `{head}`"))
                    .label("unknown")
                    .meant(nearest(head, known.iter().copied()));
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The moment after a payment exists if any card hears it.
    fn known_moments(&mut self, content: &GameContent) {
        let heard = |name: &str| {
            let of = |entries: &[crate::pack::Entry]| entries.iter().any(|e| e.moment().is_some_and(|t| t.text == name));
            content.cards.iter().any(|c| of(&c.entries)) || content.kinds.iter().any(|k| of(&k.entries))
        };
        if heard("spent") {
            self.rules.spent = Some(self.moment_named("spent"));
        }
    }

    /// What scripts can call by name: definitions with their parameters.
    fn script_names(&mut self) {
        for name in self.define_names.clone() {
            let Some(Symbol::Define { params, body }) = self.symbol(&name).cloned() else { continue };
            let mut scope = Scope::from(1 + params.len());
            for (i, param) in params.iter().enumerate() {
                let node = self.node(Node::Local(1 + i as u8));
                scope.bound.push((param.clone(), node, if param == "card" { Type::Card } else { Type::Any }));
            }
            let span = body.first().map_or(Span { file: crate::source::FileId(0), start: 0, end: 0 }, |t| t.span);
            match self.whole_expr(
                &body,
                span,
                &mut scope,
                &[Type::Any, Type::Number, Type::Truth, Type::Card, Type::Resource, Type::Seat, Type::Milli],
            ) {
                Ok((node, _)) => self.rules.defines.push((name, params.len() as u8, node)),
                Err(wrong) => {
                    if !self.diagnostics.contains(&wrong) {
                        self.diagnostics.push(*wrong);
                    }
                }
            }
        }
    }

    /// Where everything lies.
    fn lay_out(&mut self) {
        let players = self.rules.players;
        let mut decks: Vec<Vec<u32>> = Vec::new();
        let mut instances: Vec<PlaceAt> =
            vec![PlaceAt { declared: 0, owner: TABLE, base: 0, room: 0 }, PlaceAt { declared: 0, owner: TABLE, base: 0, room: 0 }];
        let mut home: BTreeMap<u32, u16> = BTreeMap::new();
        for index in 0..self.rules.places.len() {
            let declared = &self.rules.places[index];
            let (shape, of_seat) = (declared.shape, declared.of_seat);
            let first = instances.len() as u16;
            if shape == Shape::Deck {
                let Some(deck) = self.decks.iter().find(|d| d.place == index).cloned() else { continue };
                let mut cards: Vec<(i32, u32)> = Vec::new();
                for definition in 0..self.rules.definitions.len() {
                    let (kind, age) = (self.rules.definitions[definition].kind, self.rules.definitions[definition].age);
                    if self.rules.places[index].kinds >> kind & 1 == 0 || deck.by_age && age < 1 {
                        continue;
                    }
                    match self.in_deck(&self.raw_of[definition], &deck.filter, deck.span) {
                        Ok(true) => cards.push((if deck.by_age { age } else { 1 }, definition as u32)),
                        Ok(false) => {}
                        Err(wrong) => {
                            self.diagnostics.push(*wrong);
                            break;
                        }
                    }
                }
                if cards.is_empty() {
                    let name = self.rules.places[index].name.clone();
                    self.diagnostics.push(
                        Diagnostic::error("G005", deck.span, format!("no card lies in deck `{name}` with these options"))
                            .label("this deck")
                            .help("choose other options, or load a pack that has such cards"),
                    );
                }
                let piles = cards.iter().map(|c| c.0).max().unwrap_or(1).max(1);
                for pile in 1..=piles {
                    let inside: Vec<u32> = cards.iter().filter(|c| c.0 == pile).map(|c| c.1).collect();
                    for &definition in &inside {
                        home.insert(definition, instances.len() as u16);
                    }
                    instances.push(PlaceAt { declared: index as u16, owner: TABLE, base: 0, room: inside.len().max(1) as u16 });
                    decks.push(inside);
                }
            } else {
                let owners: Vec<u8> = if of_seat { (0..players as u8).collect() } else { vec![TABLE] };
                for owner in owners {
                    instances.push(PlaceAt { declared: index as u16, owner, base: 0, room: self.room[index] as u16 });
                }
            }
            self.rules.places[index].first = first;
            self.rules.places[index].instances = instances.len() as u16 - first;
        }
        self.make_pieces(&home);
        let mut layout = Layout {
            seats: players,
            seat_base: self.table_size as usize,
            seat_size: self.seat_size as usize,
            piece_size: self.piece_size as usize,
            pieces: self.rules.piece_definition.len(),
            ..Layout::default()
        };
        layout.piece_base = layout.seat_base + players * layout.seat_size;
        let mut at = layout.piece_base + layout.pieces * layout.piece_size;
        for place in instances.iter_mut().skip(2) {
            place.base = at as u32;
            at += 1 + place.room as usize;
        }
        layout.len = at;
        layout.places = instances;
        self.rules.layout = layout;
        let lists = self.fields.iter().filter(|f| matches!(f.sort, FieldSort::Numbers | FieldSort::Cards));
        self.rules.list_fields = lists.map(|f| f.offset).collect();
        self.rules.row_words = self.extra_words.iter().filter_map(|w| self.rules.names.find(w)).collect();
        self.rules.width = self.field_size as usize;
        self.rules.printed = self.rules.definitions.iter().flat_map(|d| d.fields.iter().copied()).collect();
        let definition = |&d: &u32| &self.rules.definitions[d as usize];
        self.rules.piece_hash = self.rules.piece_definition.iter().map(|d| self.rules.names.hash(definition(d).id)).collect();
        self.rules.piece_twins = self.rules.piece_definition.iter().map(|d| definition(d).copies > 1).collect();
        self.rules.piece_kind = self.rules.piece_definition.iter().map(|&d| self.rules.definitions[d as usize].kind as u8).collect();
        self.rules.make_up_decks();
    }

    /// Pieces: one of each card in a deck, as many copies as printed lists of those name, and those that scenarios or the deal want.
    fn make_pieces(&mut self, home: &BTreeMap<u32, u16>) {
        let list_fields: Vec<u16> = self.fields.iter().filter(|f| f.sort == FieldSort::Cards).map(|f| f.offset).collect();
        let mut copies: BTreeMap<u32, u16> = BTreeMap::new();
        for &definition in home.keys() {
            for &field in &list_fields {
                let at = self.rules.definitions[definition as usize].fields[field as usize] as usize;
                if at > 0 {
                    let len = self.rules.pool[at] as usize;
                    for named in self.rules.pool[at + 1..at + 1 + len].iter().copied() {
                        *copies.entry(named as u32).or_default() += 1;
                    }
                }
            }
        }
        for &named in &self.put_by_name {
            *copies.entry(named as u32).or_default() += self.rules.players as u16;
        }
        for definition in 0..self.rules.definitions.len() as u32 {
            let dealt = {
                let id = self.rules.names.text(self.rules.definitions[definition as usize].id);
                self.setup.deal.iter().any(|d| d.0 == id)
            };
            let (place, count) = match home.get(&definition) {
                Some(&place) => (place, 1),
                None => (BOX as u16, copies.get(&definition).copied().unwrap_or(u16::from(self.setup.every_piece || dealt))),
            };
            self.rules.definitions[definition as usize].copies = count;
            for copy in 0..count {
                self.rules.piece_definition.push(definition);
                self.rules.piece_home.push(place);
                self.rules.piece_copy.push(copy);
            }
        }
    }

    fn deal(&mut self) {
        for (id, seat) in self.setup.deal.clone() {
            match self.rules.find_definition(&id) {
                Some(definition) => {
                    let seat = seat.unwrap_or(0);
                    if seat >= self.rules.players {
                        self.diagnostics.push(Diagnostic::error(
                            "G006",
                            None,
                            format!("`{id}` was dealt to player {}, but only {} play", seat + 1, self.rules.players),
                        ));
                    }
                    self.rules.dealt.push((definition as u32, seat));
                }
                None => {
                    let known: Vec<&str> = self.raw_of.iter().map(|c| c.id.text.as_str()).collect();
                    let diagnostic = Diagnostic::error("G006", None, format!("no card is called `{id}`, so it cannot be dealt"))
                        .meant(nearest(&id, known));
                    self.diagnostics.push(diagnostic);
                }
            }
        }
    }

    fn seat_settings(&mut self) {
        for (name, _) in &self.setup.options {
            if !self.options.iter().any(|o| o.name == *name) {
                let known: Vec<&str> = self.options.iter().map(|o| o.name.as_str()).collect();
                let diagnostic = Diagnostic::error("G001", None, format!("this game has no option `{name}`")).meant(nearest(name, known));
                self.diagnostics.push(diagnostic);
            }
        }
        for option in &self.options {
            let Some(variable) = option.variable else { continue };
            let offset = self.rules.seat[variable].offset;
            for seat in 0..self.rules.players {
                let wanted = self.setup.seat_options.iter().rev().find(|(s, name, _)| *s == seat && *name == option.name);
                let value = wanted.map(|w| w.2.clone()).or_else(|| option.chosen.first().cloned()).unwrap_or_default();
                match option.values.iter().position(|v| v.eq_ignore_ascii_case(&value)) {
                    Some(index) => self.rules.seat_settings.push((
                        seat,
                        offset,
                        if option.numeric { value.parse().unwrap_or(0) } else { index as i32 },
                    )),
                    None => {
                        let help = format!("its values are {}", option.values.join(", "));
                        self.diagnostics
                            .push(Diagnostic::error("G001", None, format!("option `{}` has no value `{value}`", option.name)).help(help));
                    }
                }
            }
        }
    }

    pub(super) fn node(&mut self, node: Node) -> NodeId {
        self.rules.nodes.push(node);
        self.rules.nodes.len() as NodeId - 1
    }

    /// How much has been compiled, so that a trial can be taken back.
    pub(super) fn mark(&self) -> [usize; 5] {
        [self.rules.nodes.len(), self.rules.sets.len(), self.rules.player_sets.len(), self.rules.bodies.len(), self.rules.questions.len()]
    }

    pub(super) fn back_to(&mut self, mark: [usize; 5]) {
        self.rules.nodes.truncate(mark[0]);
        self.rules.sets.truncate(mark[1]);
        self.rules.player_sets.truncate(mark[2]);
        self.rules.bodies.truncate(mark[3]);
        self.rules.questions.truncate(mark[4]);
    }

    pub(super) fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name).map(|d| &d.symbol)
    }

    pub(super) fn kind_of(&self, name: &str) -> Option<u16> {
        let id = self.rules.names.find(name)?;
        self.rules.kinds.iter().position(|k| k.name == id).map(|k| k as u16)
    }

    pub(super) fn resource_index(&self, name: &str) -> Option<usize> {
        let id = self.rules.names.find(name)?;
        self.rules.resources.iter().position(|&r| r == id)
    }

    pub(super) fn choice_of_variable(&self, variable: usize) -> Option<Type> {
        self.options.iter().find(|o| o.variable == Some(variable)).map(|o| Type::Choice(o.choice))
    }

    pub(super) fn number_field(&self, name: &str) -> Option<(u16, Type)> {
        self.fields.iter().find_map(|f| match f.sort {
            _ if f.name != name => None,
            FieldSort::Number => Some((f.offset, Type::Number)),
            FieldSort::Resource => Some((f.offset, Type::Resource)),
            FieldSort::Choice(choice) => Some((f.offset, Type::Choice(choice))),
            _ => None,
        })
    }

    pub(super) fn list_field(&self, name: &str) -> Option<u16> {
        self.fields.iter().find(|f| f.name == name && f.sort == FieldSort::Numbers).map(|f| f.offset)
    }

    pub(super) fn cards_field(&self, name: &str) -> Option<u16> {
        self.fields.iter().find(|f| f.name == name && f.sort == FieldSort::Cards).map(|f| f.offset)
    }

    pub(super) fn row_field(&self, name: &str) -> Option<(u16, u16)> {
        let row = self.fields.iter().find(|f| f.name == name && matches!(f.sort, FieldSort::Row(_) | FieldSort::Tokens))?;
        if row.sort == FieldSort::Tokens {
            return Some((row.offset, row.len));
        }
        Some((row.offset, row.len.min(self.rules.resources.len() as u16 + ROW_EXTRAS)))
    }
}
