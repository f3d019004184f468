//! Defines the members of the table, the players and the cards: resources, counters, flags, sets, tallies, places and pools.

use super::super::defs::{DefId, DefKind, FieldType, Owner, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, DeclarationKind, MemberKind, Name};
use super::super::typed::{Expr, Place, Pool, Room};
use super::{BodySource, Collected};
use crate::cast;
use crate::engine::ids::PoolId;
use crate::engine::node::Type;
use crate::engine::ruleset::{Lifetime, VariableSort};
use crate::source::Span;

/// Maximum number of places: a set of places is a 62-bit mask.
const MAX_PLACES: usize = 62;
/// Maximum number of cards in a place.
const MAX_ROOM: i64 = 1000;

/// Returns the namespace of the counters of an owner.
fn counter_space(owner: Owner) -> Space {
    if owner == Owner::Card { Space::Counter } else { Space::Value }
}

impl<'t> Collected<'t> {
    /// Makes the pass over `table`, `player` and `card` blocks.
    #[allow(clippy::wildcard_enum_match_arm, reason = "each pass handles some of the declarations")]
    pub(super) fn define_members(&mut self, declaration: &'t ast::Declaration) {
        let (owner, block) = match &declaration.kind {
            DeclarationKind::Table(block) => (Owner::Table, block),
            DeclarationKind::Player(block) => (Owner::Player, block),
            DeclarationKind::Card(block) => (Owner::Card, block),
            DeclarationKind::Board { name, parts, .. } => return self.define_board_members(name, parts),
            _ => return,
        };
        self.define_block(block, owner, Lifetime::Game);
    }

    fn define_block(&mut self, block: &'t ast::Block<ast::Member>, owner: Owner, lifetime: Lifetime) {
        self.rules.defs.add_suspects(&block.broken);
        for member in &block.items {
            self.define_member(member, owner, lifetime);
        }
    }

    pub(super) fn define_member(&mut self, member: &'t ast::Member, owner: Owner, lifetime: Lifetime) {
        let elsewhere = |what, block| RuleProblem::BelongsElsewhere { what, block }.at(member.span);
        match &member.kind {
            MemberKind::Resource { .. } if owner != Owner::Player => self.diagnostics.push(elsewhere("resources", "`player { … }`")),
            MemberKind::Grid { .. } | MemberKind::Hexes { .. } | MemberKind::Deck { .. } if owner == Owner::Card => {
                let what = if let MemberKind::Deck { .. } = &member.kind { "decks" } else { "grids" };
                self.diagnostics.push(elsewhere(what, "`table { … }` or `player { … }`"));
            }
            MemberKind::Place { .. } | MemberKind::Pool { .. } if owner == Owner::Card => {
                self.diagnostics.push(elsewhere("places and pools", "`table { … }` or `player { … }`"));
            }
            MemberKind::Deck { .. }
            | MemberKind::Grid { .. }
            | MemberKind::Hexes { .. }
            | MemberKind::Place { .. }
            | MemberKind::Pool { .. }
                if lifetime != Lifetime::Game =>
            {
                let outside = "`table { … }` or `player { … }` outside of `each …`, since what lies there stays when a round is over";
                self.diagnostics.push(elsewhere("decks, grids, places and pools", outside));
            }
            MemberKind::Resource { names, range, hidden } => {
                names.iter().for_each(|name| self.define_variable(name, owner, VariableSort::Resource, lifetime, None));
                self.note_values(names, owner, range.as_ref(), (*hidden, false));
            }
            MemberKind::Counter { names, of, range, hidden, unshown } => {
                let over = of.as_ref().map(|of| self.resolve_words(of));
                for name in names {
                    match over {
                        Some(None) => self.rules.defs.poison(counter_space(owner), &name.text, name.span),
                        over => self.define_variable(name, owner, VariableSort::Counter, lifetime, over.flatten()),
                    }
                }
                self.note_values(names, owner, range.as_ref(), (*hidden, *unshown));
            }
            MemberKind::Flag { names, hidden, unshown } => {
                names.iter().for_each(|name| self.define_variable(name, owner, VariableSort::Flag, lifetime, None));
                self.note_values(names, owner, None, (*hidden, *unshown));
            }
            MemberKind::Set { name, of, hidden, unshown } => {
                self.define_words_variable(name, of, (owner, VariableSort::Set), lifetime);
                self.note_values(std::slice::from_ref(name), owner, None, (*hidden, *unshown));
            }
            MemberKind::Tally { name, by, range, hidden, unshown } => {
                match by {
                    ast::TallyIndex::Words(by) => self.define_words_variable(name, by, (owner, VariableSort::Tally), lifetime),
                    ast::TallyIndex::Range { from, to } => {
                        self.define_variable(name, owner, VariableSort::Tally, lifetime, Some(Type::Number));
                        if let Some(tally) = self.rules.defs.find_declared(counter_space(owner), &name.text) {
                            self.tallies.push((tally, from, to));
                        }
                    }
                }
                self.note_values(std::slice::from_ref(name), owner, range.as_ref(), (*hidden, *unshown));
            }
            MemberKind::Each { lifetime, members } => match Lifetime::ALL.into_iter().find(|known| known.word() == lifetime.text) {
                Some(lasts) => self.define_block(members, owner, lasts),
                None => {
                    let (what, known) = ("an action, turn, step or round", Lifetime::ALL.iter().map(|lifetime| lifetime.word()));
                    self.diagnostics.extend(self.rules.defs.missing(&lifetime.text, lifetime.span, what, known));
                }
            },
            MemberKind::Deck { name, by, kinds, filter, .. } => {
                let begins_empty = owner == Owner::Player || kinds.is_empty();
                let is_refused = begins_empty && (by.is_some() || filter.is_some());
                if is_refused {
                    self.diagnostics
                        .push(RuleProblem::BeginsEmpty { deck: name.text.clone(), of_player: owner == Owner::Player }.at(member.span));
                }
                let kinds = self.resolve_kinds(kinds);
                let room = Room::Deck { by: None, filter: None, refill: None };
                let place = self.define_place(name, owner, PlaceShape::Deck, kinds, room);
                self.decks.extend(place.filter(|_| !is_refused).map(|place| (place, &member.kind)));
            }
            MemberKind::Grid { name, rows, columns, endless } => {
                let side = |side: &ast::Expr| Expr::constant(1, Type::Number, side.span);
                let room = Room::Grid(side(rows), side(columns), *endless);
                if let Some(place) = self.define_place(name, owner, PlaceShape::Grid, 0, room) {
                    self.grids.push((place, rows, columns));
                }
            }
            MemberKind::Hexes { name, rings } => {
                let room = Room::Hexes(Expr::constant(1, Type::Number, rings.span));
                if let Some(place) = self.define_place(name, owner, PlaceShape::Grid, 0, room) {
                    self.grids.push((place, rings, rings));
                }
            }
            MemberKind::Place(places) => self.define_slots(member, owner, places),
            MemberKind::Pool { name, face_down, full, hidden } => self.define_pool(name, owner, (*face_down, *full, *hidden)),
        }
    }

    /// Notes the range of values with these names, and that they are hidden or not shown.
    fn note_values(&mut self, names: &[Name], owner: Owner, range: Option<&'t ast::ValueRange>, (hidden, unshown): (Option<Span>, bool)) {
        for name in names {
            let Some(id) = self.rules.defs.find_declared(counter_space(owner), &name.text) else { continue };
            let DefKind::Variable { over, sort, .. } = self.rules.defs[id].kind else { continue };
            match range {
                // The words of a tally count, and those of a counter are what it holds.
                Some(range) if over.is_some() && sort == VariableSort::Counter => {
                    let span = range.from.span.to(range.to.span);
                    self.diagnostics.push(RuleProblem::RangeOfWord { name: name.text.clone() }.at(span));
                }
                range => self.ranges.extend(range.map(|range| (id, range))),
            }
            self.rules.unshown.extend(unshown.then_some(id));
            match hidden {
                Some(hidden) if owner == Owner::Card => {
                    self.diagnostics.push(RuleProblem::HiddenOnCard { name: name.text.clone() }.at(hidden));
                }
                hidden => self.rules.hidden_values.extend(hidden.map(|_| id)),
            }
        }
    }

    fn define_variable(&mut self, name: &Name, owner: Owner, sort: VariableSort, lifetime: Lifetime, over: Option<Type>) {
        let resource = if sort == VariableSort::Resource { cast::fit::<u16>(self.rules.defs.resources().len()) } else { 0 };
        let what = DefKind::Variable { owner, sort, lifetime, over, resource };
        match owner {
            Owner::Card => self.declare_on_cards(name, what),
            Owner::Table | Owner::Player => _ = self.declare(Space::Value, name, what),
        }
    }

    /// Defines `set short of resource` or `tally bought by kind`.
    fn define_words_variable(&mut self, name: &Name, over: &Name, (owner, sort): (Owner, VariableSort), lifetime: Lifetime) {
        let over = match over.text.as_str() {
            "resource" => Type::Resource,
            "kind" => Type::Kind,
            "player" => Type::Seat,
            word => match self.rules.defs.word_list(word) {
                Some(list) => Type::Choice(list),
                None => {
                    let known = ["resource", "kind", "player"].into_iter().chain(self.rules.defs.names(Space::Words));
                    let what = "`resource`, `kind`, `player`, or what `words …` declares";
                    self.diagnostics.extend(self.rules.defs.missing(&over.text, over.span, what, known));
                    self.rules.defs.poison(counter_space(owner), &name.text, name.span);
                    return;
                }
            },
        };
        self.define_variable(name, owner, sort, lifetime, Some(over));
    }

    /// Returns the type of the spaces of a board; `None` if the name is that of no board.
    pub(super) fn spaces_of_board(&self, of: &Name) -> Option<Type> {
        let board = self.rules.boards.iter().find(|board| board.name == of.text)?;
        // Whoever stands on it uses the board.
        let (kind, _) = (board.kind, self.rules.defs.find(Space::Value, &board.name));
        Some(Type::Space(kind))
    }

    /// Resolves the words of which a counter is one.
    fn resolve_words(&mut self, of: &Name) -> Option<Type> {
        if of.text == "player" {
            return Some(Type::Seat);
        }
        let space = self.spaces_of_board(of);
        if space.is_some() {
            return space;
        }
        let list = self.rules.defs.word_list(&of.text);
        if list.is_none() {
            let boards = self.rules.boards.iter().map(|board| board.name.as_str());
            let (what, known) = ("a list of words, a board, or `player`", self.rules.defs.names(Space::Words).chain(boards));
            self.diagnostics.extend(self.rules.defs.missing(&of.text, of.span, what, known));
        }
        list.map(Type::Choice)
    }

    fn resolve_kinds(&mut self, kinds: &[Name]) -> u64 {
        let mut mask = 0;
        for name in kinds {
            match self.rules.defs.kind(&name.text) {
                Some(kind) if self.rules.board_of_kind(kind).is_some() => {
                    self.diagnostics.push(RuleProblem::SpacesAreNoCards { board: name.text.clone() }.at(name.span));
                }
                Some(kind) => mask |= 1 << kind,
                None => self.report_unknown(name, "a kind", &[Space::Kind]),
            }
        }
        mask
    }

    pub(super) fn define_place(&mut self, name: &Name, owner: Owner, shape: PlaceShape, kinds: u64, room: Room) -> Option<usize> {
        let index = self.rules.places.len();
        if index >= MAX_PLACES {
            self.report_excess(name, Space::Value, "places", MAX_PLACES);
            return None;
        }
        let what = DefKind::Place { index: cast::fit::<u16>(index), shape, of_seat: owner == Owner::Player };
        let def = self.declare(Space::Value, name, what)?;
        self.rules.places.push(Place { def, kinds, room, limit: None, hearing: false, hidden: false, from_owner: false, span: name.span });
        Some(index)
    }

    /// Defines `place war, event` or `place yard of hut, tower: board.yards, room 7`.
    fn define_slots(&mut self, member: &'t ast::Member, owner: Owner, places: &'t ast::PlaceMember) {
        let kinds = self.resolve_kinds(&places.kinds);
        let room = places.room.as_ref().or(places.limit.as_ref());
        let fits = room.and_then(ast::Expr::literal).filter(|slots| (1..=MAX_ROOM).contains(slots));
        if let Some(room) = room.filter(|_| fits.is_none()) {
            self.diagnostics.push(if places.room.is_none() && room.literal().is_none() {
                RuleProblem::RoomUnknown.at(member.span)
            } else {
                let what = format!("how many cards there can ever be, from 1 to {MAX_ROOM}");
                RuleProblem::Expected { what, help: None }.at(room.span)
            });
        }
        if places.from_owner && owner != Owner::Player {
            let of = places.names.first().map_or_else(String::new, |name| name.text.clone());
            self.diagnostics.push(RuleProblem::HiddenFromNobody { place: of }.at(member.span));
        }
        for name in &places.names {
            let Some(place) = self.define_place(name, owner, PlaceShape::Slots, kinds, Room::Slots(fits.map_or(1, cast::fit::<u16>)))
            else {
                continue;
            };
            (self.rules.places[place].hidden, self.rules.places[place].from_owner) = (places.hidden, places.from_owner);
            if let Some(limit) = &places.limit {
                let name = Name { text: format!("{}.limit", name.text), span: name.span };
                self.rules.places[place].limit = self.define_quantity(&name, false, BodySource::Quantity(&[], limit, &[]));
            }
        }
    }

    fn define_pool(&mut self, name: &Name, owner: Owner, (face_down, full, hidden): (bool, bool, bool)) {
        if self.rules.classes.is_empty() {
            self.diagnostics.push(RuleProblem::NoTokens.at(name.span));
            self.rules.defs.poison(Space::Value, &name.text, name.span);
            return;
        }
        let Some(pool) = PoolId::new(self.rules.pools.len()) else {
            return self.report_excess(name, Space::Value, "pools", PoolId::MAX);
        };
        if let Some(def) = self.declare(Space::Value, name, DefKind::Pool(pool.number())) {
            self.rules.pools.push(Pool { def, of_seat: owner == Owner::Player, face_down, full, hidden });
        }
    }

    /// Resolves the dividing field of a deck and the place from which it is refilled, once all fields and places are defined. Returns the
    /// condition on its cards, which is checked later.
    pub(crate) fn resolve_deck(&mut self, place: usize, deck: &'t MemberKind) -> Option<(usize, &'t ast::Expr)> {
        let MemberKind::Deck { by: divided, filter, refill, .. } = deck else { return None };
        let by = divided.as_ref().and_then(|by| self.number_field(by));
        let refill = refill.as_ref().and_then(|from| self.resolve_refill(place, divided.is_some(), from));
        self.rules.shuffles |= refill.is_some();
        self.rules.places[place].room = Room::Deck { by, filter: None, refill };
        filter.as_ref().map(|filter| (place, filter))
    }

    /// Resolves the place from which a deck is refilled: it has the owner of the deck, and takes no cards that the deck does not take.
    fn resolve_refill(&mut self, deck: usize, in_piles: bool, from: &Name) -> Option<DefId> {
        let found = self.rules.defs.find(Space::Value, &from.text);
        let place = found.and_then(|found| self.rules.places.iter().find(|place| place.def == found));
        let Some(place) = place else {
            self.report_unknown(from, "a place", &[Space::Value]);
            return None;
        };
        let of_player = |place: &Place| matches!(self.rules.defs[place.def].kind, DefKind::Place { of_seat: true, .. });
        let (of_player, deck_of_player) = (of_player(place), of_player(&self.rules.places[deck]));
        let kinds = self.rules.places[deck].kinds;
        let name = || from.text.clone();
        let is_deck = matches!(place.room, Room::Deck { .. });
        let problem = if is_deck || of_player != deck_of_player {
            Some(RuleProblem::RefilledFromElsewhere { place: name(), is_deck, deck_of_player })
        } else if in_piles {
            Some(RuleProblem::RefilledInPiles)
        } else if kinds != 0 && place.kinds != 0 && place.kinds & !kinds != 0 {
            let deck = self.rules.defs[self.rules.places[deck].def].name.clone();
            Some(RuleProblem::RefilledWithOthers { place: name(), deck })
        } else {
            None
        };
        let found = found.filter(|_| problem.is_none());
        self.diagnostics.extend(problem.map(|problem| problem.at(from.span)));
        found
    }

    fn number_field(&mut self, name: &Name) -> Option<DefId> {
        let defs = &self.rules.defs;
        let is_number = |field: &str| matches!(defs.kind_of(Space::Field, field), Some(DefKind::Field(FieldType::One(Type::Number))));
        if is_number(&name.text) {
            return defs.find(Space::Field, &name.text);
        }
        let known = defs.names(Space::Field).filter(|field| is_number(field));
        self.diagnostics.extend(defs.missing(&name.text, name.span, "a field of cards that is a number", known));
        None
    }
}
