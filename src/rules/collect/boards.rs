//! Defines boards: for each a kind, whose spaces are like cards, a place in which they lie from the start to the end, and what of them is
//! drawn in pictures, where rules say so.

use super::super::defs::{DefId, DefKind, FieldType as Holds, Owner, PlaceShape, Space};
use super::super::problem::{RuleProblem, Suggestion};
use super::super::syntax::ast::{self, BoardPart, DeclarationKind, FieldKind, FieldType, Member, MemberKind, Name};
use super::super::typed::{self, BoardShape, Room};
use super::Collected;
use crate::engine::ruleset::{Lifetime, VariableSort};
use crate::pack::PARTS;

/// The keys that a part of a card has beside its fields.
const PART_KEYS: [&str; 3] = ["name", "at", "next_to"];

impl<'t> Collected<'t> {
    /// Defines the kind of a board's spaces.
    pub(super) fn define_board(&mut self, name: &Name, parts: &ast::Block<BoardPart>, (first, count, shape): (u32, u32, BoardShape)) {
        self.rules.defs.add_suspects(&parts.broken);
        if let Some(kind) = self.define_kind(name) {
            let (name, span) = (name.text.clone(), name.span);
            self.rules.boards.push(typed::Board { name, kind, place: None, first, count, shape, drawn: None, span });
        }
    }

    /// Returns the index of the board that a declaration has defined; `None` if its name was taken.
    pub(super) fn board_declared_by(&self, name: &Name) -> Option<usize> {
        self.rules.boards.iter().position(|board| board.span == name.span)
    }

    /// Defines the place of a board, and what each of its spaces has.
    pub(super) fn define_board_members(&mut self, name: &'t Name, parts: &'t ast::Block<BoardPart>) {
        let Some(board) = self.board_declared_by(name) else { return };
        let kind = self.rules.boards[board].kind;
        if let Some(place) = self.define_place(name, Owner::Table, PlaceShape::Board, 1 << kind, Room::Board(board)) {
            let def = self.rules.places[place].def;
            self.rules.boards[board].place = Some(def);
            self.rules.kinds[usize::from(kind)].slot = Some(def);
        }
        self.block_on_cards = board + 1;
        for part in &parts.items {
            let BoardPart::Member(member) = part else { continue };
            if let MemberKind::Pool { .. } = member.kind {
                self.diagnostics.push(RuleProblem::PoolOnSpaces.at(member.span));
                continue;
            }
            self.define_member(member, Owner::Card, Lifetime::Game);
        }
        self.block_on_cards = 0;
    }

    /// Defines the fields of a board's spaces.
    pub(super) fn define_board_fields(&mut self, name: &'t Name, parts: &'t ast::Block<BoardPart>) {
        let Some(board) = self.board_declared_by(name) else { return };
        let kind = usize::from(self.rules.boards[board].kind);
        for part in &parts.items {
            let BoardPart::Field(field) = part else { continue };
            if let FieldKind::Field {
                name, holds: FieldType::Numbers | FieldType::Cards | FieldType::Of(_) | FieldType::RowOf(_), ..
            } = &field.kind
            {
                self.diagnostics.push(RuleProblem::ListOnSpaces { name: name.text.clone() }.at(field.span));
                self.rules.defs.poison(Space::Field, &name.text, name.span);
                continue;
            }
            self.define_field(field, kind);
        }
    }

    /// Declares what spaces or cards have under a name. Boards and cards that have the same share one definition.
    pub(super) fn declare_on_cards(&mut self, name: &Name, what: DefKind) {
        let block = self.block_on_cards;
        let known = self.rules.defs.find_declared(Space::Counter, &name.text);
        let shared = known.is_some_and(|known| self.rules.defs[known].kind == what && !self.rules.on_cards.contains(&(known, block)));
        let declared = if shared { known } else { self.declare(Space::Counter, name, what) };
        self.rules.on_cards.extend(declared.map(|declared| (declared, block)));
    }
}

/// Resolves of which cards the spaces of boards are parts, and where these lie.
pub(super) fn resolve_parts(collected: &mut Collected<'_>, tree: &ast::Rules) {
    for declaration in &tree.declarations {
        let DeclarationKind::Board { name, parts_of: Some(of), parts, .. } = &declaration.kind else { continue };
        let Some(board) = collected.board_declared_by(name) else { continue };
        let kind = collected.rules.defs.kind(&of.kind.text);
        if kind.is_none() {
            collected.report_unknown(&of.kind, "a kind of card", &[Space::Kind]);
        }
        if let Some(other) = kind.and_then(|kind| collected.rules.board_of_parts(kind)) {
            let (kind, other) = (of.kind.text.clone(), other.name.clone());
            collected.diagnostics.push(RuleProblem::PartsTwice { kind, other }.at(of.kind.span));
        }
        // What cards list under this key are their parts, and no field.
        if let Some(known) = collected.rules.defs.find_declared(Space::Field, PARTS) {
            let by = collected.rules.defs[known].span.map(|place| (place, collected.rules.defs[known].kind.describe()));
            collected.diagnostics.push(RuleProblem::NameTaken { name: PARTS.to_string(), by }.at(of.kind.span));
        }
        for part in &parts.items {
            if let BoardPart::Field(ast::Field { kind: FieldKind::Field { name, .. }, .. }) = part
                && PART_KEYS.contains(&name.text.as_str())
            {
                collected.diagnostics.push(RuleProblem::PartKey { name: name.text.clone() }.at(name.span));
            }
        }
        let is_grid = |kind: &DefKind| matches!(kind, DefKind::Place { shape: PlaceShape::Grid, .. });
        let grid = resolve(collected, (Space::Value, &of.grid), is_grid, |place| RuleProblem::NotInGrid { place });
        let is_counter =
            |kind: &DefKind| matches!(kind, DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: None, .. });
        let turn = of
            .turned
            .as_ref()
            .and_then(|turned| resolve(collected, (Space::Counter, turned), is_counter, |name| RuleProblem::NotATurn { name }));
        let is_field = |kind: &DefKind| matches!(kind, DefKind::Field(Holds::One(_)));
        let matched = of.matched.as_ref().and_then(|matched| {
            let board = name.text.clone();
            resolve(collected, (Space::Field, matched), is_field, |name| RuleProblem::NotMatched { name, board })
        });
        if let BoardShape::Parts(parts) = &mut collected.rules.boards[board].shape {
            (parts.kind, parts.grid, parts.turn, parts.matched) = (kind, grid, turn, matched);
        }
    }
}

/// Finds what a name stands for, which must be of some sort; anything else is reported as `wrong` says.
fn resolve(
    collected: &mut Collected<'_>,
    (space, name): (Space, &Name),
    is_wanted: impl Fn(&DefKind) -> bool,
    wrong: impl FnOnce(String) -> RuleProblem,
) -> Option<DefId> {
    let found = collected.rules.defs.find(space, &name.text);
    let kind = found.map(|found| &collected.rules.defs[found].kind);
    if kind.is_some_and(&is_wanted) {
        return found;
    }
    if kind != Some(&DefKind::Broken) && !collected.rules.defs.is_suspect(&name.text) {
        collected.diagnostics.push(wrong(name.text.clone()).at(name.span));
    }
    None
}

/// Notes for each board what is drawn of it.
pub(super) fn note_what_is_drawn(collected: &mut Collected<'_>, tree: &ast::Rules) {
    // Links between its spaces use a board.
    for board in &collected.rules.boards {
        if let BoardShape::Links { board: of, .. } = board.shape {
            collected.rules.defs.find(Space::Value, &collected.rules.boards[of].name);
        }
    }
    for declaration in &tree.declarations {
        if let DeclarationKind::Board { name, parts, .. } = &declaration.kind
            && let Some(board) = collected.board_declared_by(name)
        {
            collected.rules.boards[board].drawn = check_drawn(collected, tree, name, parts);
        }
    }
}

/// Returns the names in the line that says what is drawn of a board; `None` if there is no such line.
fn check_drawn(collected: &mut Collected<'_>, tree: &ast::Rules, board: &Name, parts: &ast::Block<BoardPart>) -> Option<Vec<String>> {
    let mut lines = parts.items.iter().filter_map(|part| if let BoardPart::Drawn(drawn) = part { Some(drawn) } else { None });
    let drawn = lines.next()?;
    if let Some(again) = lines.next() {
        collected.diagnostics.push(RuleProblem::DeclaredTwice { what: format!("what is drawn of `{}`", board.text) }.at(again.span));
    }
    let known: Vec<&str> = parts.items.iter().flat_map(names_of_part).chain(counters_holding(tree, board)).collect();
    for (at, name) in drawn.members.iter().enumerate() {
        if drawn.members[..at].iter().any(|earlier| earlier.text == name.text) {
            collected.diagnostics.push(RuleProblem::NamedTwice { name: name.text.clone() }.at(name.span));
        } else if !known.contains(&name.text.as_str()) {
            let suggestion = Suggestion::for_unknown(&name.text, known.iter().copied(), "what can be drawn", &known);
            let expected = format!("a member or field of `{}`, nor a counter that holds one of its spaces", board.text);
            collected.diagnostics.push(RuleProblem::UnknownName { name: name.text.clone(), expected, suggestion }.at(name.span));
        }
    }
    Some(drawn.members.iter().map(|name| name.text.clone()).collect())
}

/// Returns the names of what a line of a board gives to its spaces.
fn names_of_part(part: &BoardPart) -> Vec<&str> {
    match part {
        BoardPart::Member(member) => names_of_member(member, &|_| true),
        BoardPart::Field(ast::Field { kind: FieldKind::Field { name, .. }, .. }) => vec![name.text.as_str()],
        BoardPart::Field(_) | BoardPart::Space(_) | BoardPart::Drawn(_) => Vec::new(),
    }
}

/// Returns the counters of the table, of players and of cards that hold a space of a board.
fn counters_holding<'t>(tree: &'t ast::Rules, board: &Name) -> Vec<&'t str> {
    let blocks = tree.declarations.iter().filter_map(|declaration| {
        let (DeclarationKind::Table(members) | DeclarationKind::Player(members) | DeclarationKind::Card(members)) = &declaration.kind
        else {
            return None;
        };
        Some(members)
    });
    let holds = |of: Option<&Name>| of.is_some_and(|of| of.text == board.text);
    blocks.flat_map(|members| &members.items).flat_map(|member| names_of_member(member, &holds)).collect()
}

/// Returns the names of a member that holds values, if `is_wanted` accepts what it is of: counters may be of something, all else is not.
fn names_of_member<'t>(member: &'t Member, is_wanted: &impl Fn(Option<&Name>) -> bool) -> Vec<&'t str> {
    let texts = |names: &'t [Name], of: Option<&Name>| names.iter().filter(|_| is_wanted(of)).map(|name| name.text.as_str()).collect();
    match &member.kind {
        MemberKind::Counter { names, of, .. } => texts(names, of.as_ref()),
        MemberKind::Flag { names, .. } | MemberKind::Resource { names, .. } => texts(names, None),
        MemberKind::Set { name, .. } | MemberKind::Tally { name, .. } => texts(std::slice::from_ref(name), None),
        MemberKind::Each { members, .. } => members.items.iter().flat_map(|member| names_of_member(member, is_wanted)).collect(),
        MemberKind::Deck { .. } | MemberKind::Grid { .. } | MemberKind::Hexes { .. } => Vec::new(),
        MemberKind::Place(_) | MemberKind::Pool { .. } => Vec::new(),
    }
}
