//! Defines boards: for each a kind, whose spaces are like cards, and a place in which they lie from the start to the end.

use super::super::defs::{DefKind, Owner, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, BoardPart, FieldKind, FieldType, MemberKind, Name};
use super::super::typed::{self, BoardShape, Room};
use super::{Collected, MAX_KINDS};
use crate::cast;
use crate::engine::ruleset::Lifetime;

impl<'t> Collected<'t> {
    /// Defines the kind of a board's spaces.
    pub(super) fn define_board(&mut self, name: &Name, parts: &ast::Block<BoardPart>, (first, count, shape): (u32, u32, BoardShape)) {
        self.rules.defs.add_all_suspects(&parts.broken);
        let index = self.rules.kinds.len();
        if index >= MAX_KINDS {
            self.report_excess(name, Space::Kind, "kinds", MAX_KINDS);
            return;
        }
        let kind = cast::fit::<u16>(index);
        if let Some(def) = self.declare(Space::Kind, name, DefKind::Kind(kind)) {
            self.rules.kinds.push(typed::Kind { def, slot: None, fields: Vec::new() });
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
