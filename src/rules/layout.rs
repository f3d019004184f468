//! Lays out the state of a game: places with their instances and slots, the pieces of each card, and the offset of each in the state.

use super::defs::{DefKind, FieldType, Space};
use super::lower::decks::cards_of_deck;
use super::lower::{Lowerer, find_clues, lay_parts, lay_spaces, lower_boards};
use super::problem::{CardProblem, RuleProblem, SetUpProblem, is_forbidden};
use super::setup::Setup;
use super::slots::Slots;
use super::spaces::{LEAST_ENDLESS, MAX_SIDE};
use super::typed::{BoardShape, Expr, Room, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::engine::clues::COMMON_CELLS;
use crate::engine::ids::PieceId;
use crate::engine::node::Type;
use crate::engine::ruleset::{PlaceDecl, Ruleset, Shape};
use crate::engine::tokens::{Token, classes_where};
use crate::pack::RawCard;
use crate::state::layout::{BOX, Layout, PlaceInstance, TABLE};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of piles of a deck.
const MAX_PILES: i32 = 99;
/// Maximum number of tokens of a sort.
const MAX_TOKENS: i64 = 1000;

impl Lowerer<'_> {
    /// Lowers places and tokens: their sizes may depend on the choice of players and options.
    pub fn places_and_tokens(&mut self) {
        let tree: &Rules = self.tree;
        for place in &tree.places {
            let one = &tree.defs[place.def];
            let DefKind::Place { of_seat, .. } = one.kind else { continue };
            let shape = match &place.room {
                Room::Board(board) => match tree.boards[*board].shape {
                    BoardShape::Rows { rows, columns, hexes, endless, .. } => Shape::Grid { rows, columns, hexes, endless },
                    BoardShape::Named(_) | BoardShape::Links { .. } | BoardShape::Parts(_) => Shape::Slots,
                },
                Room::Deck { .. } => Shape::Deck,
                Room::Slots(_) => Shape::Slots,
                Room::Hexes(rings) => {
                    let rings = self.size(rings, "the number of rings of a map", MAX_SIDE / 2);
                    let side = rings.map_or(1, |rings| 2 * cast::fit::<u16>(rings) + 1);
                    Shape::Grid { rows: side, columns: side, hexes: true, endless: false }
                }
                &Room::Grid(ref rows, ref columns, endless) => {
                    let span = rows.span;
                    let sides = [rows, columns].map(|side| self.size(side, "each side of a grid", MAX_SIDE));
                    let is_narrow = |side: &Option<i64>| side.is_some_and(|side| side < LEAST_ENDLESS.into());
                    if endless && sides.iter().any(is_narrow) {
                        self.report(RuleProblem::TooNarrow { least: LEAST_ENDLESS }.at(span));
                    }
                    let [rows, columns] = sides.map(|side| side.map_or(1, cast::fit::<u16>));
                    Shape::Grid { rows, columns, hexes: false, endless }
                }
            };
            self.ruleset.places.push(PlaceDecl {
                name: one.name.clone(),
                of_seat,
                shape,
                kinds: place.kinds,
                limit: place.limit.map(|limit| self.index(limit)),
                in_play: place.hearing,
                hidden: place.hidden,
                from_owner: place.from_owner,
                heap: matches!(shape, Shape::Slots) && tree.heaps.contains(&place.def),
                refill: if let Room::Deck { refill: Some(from), .. } = place.room { Some(self.index(from)) } else { None },
                ..PlaceDecl::default()
            });
            if place.hearing {
                self.ruleset.places_in_play |= 1 << (self.ruleset.places.len() - 1);
            }
        }
        lower_boards(self);
        for (index, token) in tree.tokens.iter().enumerate() {
            let count = self.size(&token.count, "the number of tokens", MAX_TOKENS).map_or(1, cast::fit::<i32>);
            let name = self.ruleset.names.add(&tree.defs[token.def].name);
            let classes = classes_where(&self.ruleset.classes, |class| class.token as usize == index);
            self.ruleset.tokens.push(Token { name, count, blank: token.blank, faces: token.faces.clone(), classes });
        }
        for pool in self.ruleset.pools.iter().filter(|pool| pool.full && !pool.of_seat) {
            let full = self.ruleset.tokens.iter().map(|token| (pool.offset as u32 + token.blank as u32, token.count));
            self.ruleset.initial.extend(full);
        }
    }

    /// Evaluates a number that must be from 1 to `most`; any other is reported.
    fn size(&mut self, expr: &Expr, what: &'static str, most: i64) -> Option<i64> {
        let found = self.constant_value(expr).filter(|number| (1..=most).contains(number));
        if found.is_none() {
            self.diagnostics.push(RuleProblem::NotFrom1To { what, most }.at(expr.span));
        }
        found
    }

    /// Creates the instances of places and the pieces, and assigns offsets to all cells of a state.
    pub fn lay_out(&mut self, setup: &Setup, cards: &[RawCard]) {
        let (tree, players): (&Rules, usize) = (self.tree, self.chosen.players);
        let nowhere = || PlaceInstance { declared: 0, owner: TABLE, base: 0, room: 0 };
        let mut instances = vec![nowhere(), nowhere()];
        let mut home: BTreeMap<u32, u16> = BTreeMap::new();
        for (index, place) in tree.places.iter().enumerate() {
            let first = cast::fit::<u16>(instances.len());
            let declared = |owner, room| PlaceInstance { declared: cast::fit::<u16>(index), owner, base: 0, room };
            if let (Room::Deck { .. }, true) = (&place.room, self.ruleset.places[index].of_seat) {
                instances.extend((0..cast::fit::<u8>(players)).map(|owner| declared(owner, 1)));
            } else if let Room::Deck { .. } = place.room {
                for pile in self.piles(index, cards) {
                    home.extend(pile.iter().map(|&card| (card, cast::fit::<u16>(instances.len()))));
                    let room: usize = pile.iter().map(|&card| usize::from(cards[card as usize].copies.unwrap_or(1))).sum();
                    // When the limit is exceeded, only some of the pieces are made.
                    let room = u16::try_from(room.clamp(1, PieceId::MAX)).unwrap_or(u16::MAX);
                    instances.push(declared(TABLE, room));
                }
            } else {
                let room = match (&place.room, self.ruleset.places[index].shape) {
                    (Room::Slots(room), _) => *room,
                    (Room::Board(board), Shape::Slots) => cast::fit::<u16>(tree.boards[*board].count),
                    (_, Shape::Grid { rows, columns, .. }) => rows * columns,
                    (_, Shape::Deck | Shape::Slots) => 1,
                };
                if let Room::Board(board) = place.room {
                    let board = &tree.boards[board];
                    home.extend(board.cards().map(|space| (space, first)));
                }
                if self.ruleset.places[index].of_seat {
                    instances.extend((0..cast::fit::<u8>(players)).map(|owner| declared(owner, room)));
                } else {
                    instances.push(declared(TABLE, room));
                }
            }
            let count = cast::fit::<u16>(instances.len()) - first;
            let declared = &mut self.ruleset.places[index];
            (declared.first_instance, declared.instances) = (first, count);
        }
        for (number, span) in &tree.put_by_name {
            if let Some(place) = home.get(number).map(|&place| &self.ruleset.places[instances[place as usize].declared as usize]) {
                let (card, deck) = (cards[*number as usize].id.text.clone(), place.name.clone());
                self.diagnostics.push(RuleProblem::LiesInDeck { card, deck }.at(*span));
            }
        }
        let too_many = self.make_pieces(setup, &home, cards);
        self.diagnostics.extend(too_many);
        // A deck into which rules put cards may have to hold all cards of its kinds, and any other no more than at the beginning.
        for (declared, place) in self.ruleset.places.iter().zip(&tree.places) {
            let takes_others = place.kinds == 0 || declared.of_seat || tree.filled_decks.contains(&place.def);
            if takes_others || matches!(place.room, Room::Deck { refill: Some(_), .. }) {
                let takes = |kind: u16| if place.kinds == 0 { tree.board_of_kind(kind).is_none() } else { place.kinds >> kind & 1 == 1 };
                let of_kind = self.ruleset.definitions.iter().filter(|card| takes(card.kind));
                let all = of_kind.map(|card| card.copies as usize).sum::<usize>().clamp(1, PieceId::MAX);
                let first = declared.first_instance as usize;
                let decks = if declared.shape == Shape::Deck { declared.instances as usize } else { 0 };
                for deck in &mut instances[first..first + decks] {
                    deck.room = u16::try_from(all).unwrap_or(u16::MAX);
                }
            }
        }
        let pieces = self.ruleset.piece_definition.len();
        self.ruleset.clues = find_clues(self);
        let clue_cells = self.ruleset.clues.len() * (players + COMMON_CELLS);
        self.ruleset.layout = cells(self.slots, players, (pieces, clue_cells), instances);
        self.ruleset.finish_pieces();
        lay_spaces(self);
        lay_parts(self);
        self.set_initial_counters(cards);
        self.dealt(setup, cards);
    }

    /// Sets the initial values of the counters on each card.
    fn set_initial_counters(&mut self, cards: &[RawCard]) {
        let tree: &Rules = self.tree;
        for (definition, card) in self.ruleset.definitions.iter_mut().zip(cards) {
            let counters = card.counters.iter().filter_map(|(name, value)| {
                let counter = tree.defs.find(Space::Counter, &name.text)?;
                Some((self.slots.offset(counter), cast::fit::<i32>(*value)))
            });
            definition.counters = counters.collect();
        }
        for (piece, &definition) in self.ruleset.piece_definition.iter().enumerate() {
            for &(offset, value) in &self.ruleset.definitions[definition as usize].counters {
                self.ruleset.initial.push((cast::fit::<u32>(self.ruleset.layout.piece(piece, offset as usize)), value));
            }
        }
    }

    /// Returns the cards of a deck, by pile: one pile, or one for each value of the dividing field.
    fn piles(&mut self, index: usize, cards: &[RawCard]) -> Vec<Vec<u32>> {
        let tree: &Rules = self.tree;
        let place = &tree.places[index];
        let Room::Deck { by, filter, .. } = &place.room else { return Vec::new() };
        let fits = filter.as_ref().map(|filter| cards_of_deck(self, filter, cards));
        let mut inside: Vec<(i32, u32)> = Vec::new();
        for (number, definition) in self.ruleset.definitions.iter().enumerate() {
            let pile = by.map_or(1, |by| definition.fields[self.slots.offset(by) as usize]);
            if place.kinds >> definition.kind & 1 == 0 || pile < 1 {
                continue;
            }
            if fits.as_ref().is_none_or(|fits| fits[number]) {
                if pile > MAX_PILES {
                    let deck = tree.defs[place.def].name.clone();
                    self.diagnostics.push(CardProblem::TooManyPiles { deck, most: MAX_PILES, pile }.at(cards[number].span));
                    continue;
                }
                inside.push((pile, cast::fit::<u32>(number)));
            }
        }
        // A deck can be empty because cards have errors, or because the rules refuse these options.
        let is_of_cards = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error && diagnostic.code.starts_with('C');
        let lost = self.diagnostics.iter().any(|diagnostic| is_of_cards(diagnostic) || is_forbidden(diagnostic));
        if inside.is_empty() && place.kinds != 0 && !lost && !tree.filled_decks.contains(&place.def) {
            self.diagnostics.push(SetUpProblem::EmptyDeck { deck: tree.defs[place.def].name.clone() }.at(place.span));
        }
        let most = inside.iter().map(|card| card.0).max().unwrap_or(1).max(1);
        (1..=most).map(|pile| inside.iter().filter(|card| card.0 == pile).map(|card| card.1).collect()).collect()
    }

    /// Reports a card that is dealt without room for it: its seat's places are full with the cards dealt before it, or its deck is.
    fn no_room_for(&self, definition: usize, id: &str, seat: Option<usize>) -> Option<Diagnostic> {
        let kind = self.ruleset.definitions[definition].kind;
        let Some(place) = self.ruleset.place_in_play(kind) else {
            let mut pieces = self.ruleset.piece_definition.iter().zip(&self.ruleset.piece_home);
            let in_deck = pieces.any(|(&card, &home)| card as usize == definition && usize::from(home) != BOX);
            let (card, kind) = (id.to_string(), self.ruleset.names.text(self.ruleset.kinds[kind as usize].name).to_string());
            return match (seat, in_deck) {
                (None, true) => None,
                (Some(seat), true) => Some(SetUpProblem::OnlyInDeck { card, player: seat + 1, kind }.at(None)),
                (_, false) => Some(SetUpProblem::NoPlaceToDeal { card, kind }.at(None)),
            };
        };
        let seat = seat.unwrap_or(0);
        let dealt = self.ruleset.dealt_cards.iter().filter(|(_, of)| *of == seat);
        let before = dealt.map(|(card, _)| &self.ruleset.definitions[*card as usize]);
        let before = before.filter(|card| self.ruleset.place_in_play(card.kind) == Some(place));
        let before: Vec<&str> = before.map(|card| self.ruleset.names.text(card.id)).collect();
        let declared = &self.ruleset.places[place];
        let room = self.ruleset.layout.places[declared.first_instance as usize].room as usize;
        if self.ruleset.deal_effect.is_some() || before.len() < room {
            return None;
        }
        let (card, others, place) = (id.to_string(), before.join("`, `"), declared.name.clone());
        Some(SetUpProblem::NoRoomToDeal { card, player: seat + 1, others, place, room }.at(None))
    }

    /// Lists the cards that are in play from the start.
    fn dealt(&mut self, setup: &Setup, cards: &[RawCard]) {
        let tree: &Rules = self.tree;
        for (id, seat) in &setup.deal {
            let is_card = |definition: &usize| tree.board_of_card(cast::fit::<u32>(*definition)).is_none();
            let Some(definition) = self.ruleset.find_definition(id).filter(is_card) else {
                let near = nearest(id, cards.iter().map(|card| card.id.text.as_str())).map(String::from);
                self.diagnostics.push(SetUpProblem::NoCardToDeal { card: id.clone(), near }.at(None));
                continue;
            };
            let (chosen, seat, players) = (*seat, seat.unwrap_or(0), self.chosen.players);
            let problem = match seat < players {
                true => self.no_room_for(definition, id, chosen),
                false => Some(SetUpProblem::DealtToNobody { card: id.clone(), player: seat + 1, players }.at(None)),
            };
            self.diagnostics.extend(problem);
            self.ruleset.dealt_cards.push((cast::fit::<u32>(definition), seat));
        }
        let settings = self.chosen.seat_values.iter().map(|(seat, option, number)| (*seat, self.slots.offset(*option), *number));
        self.ruleset.seat_settings.extend(settings);
    }

    /// Creates the pieces of all cards: for a card in a deck, one and as many more as lists on other cards, scenarios and the deal need;
    /// otherwise as many as the card has copies. Returns a diagnostic if the limit is exceeded.
    fn make_pieces(&mut self, setup: &Setup, home: &BTreeMap<u32, u16>, cards: &[RawCard]) -> Option<Diagnostic> {
        let (out, tree) = (&mut *self.ruleset, self.tree);
        let lists = tree.defs.all().filter(|(_, one)| one.kind == DefKind::Field(FieldType::List(Type::Card)));
        let lists: Vec<usize> = lists.filter_map(|(id, _)| self.slots.get(id)).map(|slot| slot.offset as usize).collect();
        let mut copies: BTreeMap<u32, usize> = BTreeMap::new();
        let named_by = |out: &Ruleset, definition: u32| -> Vec<u32> {
            let list = |&field: &usize| out.list_at(out.definitions[definition as usize].fields[field]).1;
            lists.iter().flat_map(list).map(|&named| cast::fit::<u32>(named)).collect()
        };
        for &definition in home.keys() {
            named_by(out, definition).into_iter().for_each(|named| *copies.entry(named).or_default() += 1);
        }
        // One at least of what is named by cards that come out of the box or are dealt, and by what these name.
        let is_dealt = |number: &u32| setup.deal.iter().any(|(id, _)| *id == cards[*number as usize].id.text);
        let dealt = (0..cast::fit::<u32>(cards.len())).filter(is_dealt);
        let mut open: Vec<u32> = copies.keys().copied().chain(tree.put_by_name.iter().map(|put| put.0)).chain(dealt).collect();
        let mut seen = BTreeSet::new();
        while let Some(definition) = open.pop() {
            if seen.insert(definition) {
                for named in named_by(out, definition) {
                    copies.entry(named).or_insert(1);
                    open.push(named);
                }
            }
        }
        for &(named, _) in &tree.put_by_name {
            *copies.entry(named).or_default() += out.players;
        }
        for (number, card) in cards.iter().enumerate() {
            let number = cast::fit::<u32>(number);
            let dealt = setup.deal.iter().any(|(id, _)| *id == card.id.text);
            // There is a part for each copy.
            let has_parts = tree.board_of_parts(out.definitions[number as usize].kind).is_some();
            let printed = card.copies.or(has_parts.then_some(1)).map(usize::from);
            let count = match (home.get(&number), copies.get(&number)) {
                (Some(_), _) => printed.unwrap_or(1),
                (None, Some(&wanted)) => printed.unwrap_or(wanted),
                (None, None) => usize::from(setup.every_piece || dealt),
            };
            let place = home.get(&number).copied().unwrap_or(cast::fit::<u16>(BOX));
            let before = out.piece_definition.len();
            if before + count > PieceId::MAX {
                return Some(RuleProblem::TooManyPieces { most: PieceId::MAX, so_far: before + count }.at(card.span));
            }
            let count = u16::try_from(count).unwrap_or(u16::MAX);
            out.definitions[number as usize].copies = count;
            for copy in 0..count {
                out.piece_definition.push(number);
                out.piece_home.push(place);
                out.piece_copy.push(copy);
            }
        }
        None
    }
}

/// Assigns the offsets of all cells of a state in this order: header, table, seats, pieces, places. Frames follow at the end. Behind the counters of
/// a piece are the cells of what seats know of its parts.
fn cells(slots: &Slots, seats: usize, (pieces, clue_cells): (usize, usize), mut places: Vec<PlaceInstance>) -> Layout {
    let mut layout = Layout {
        seats,
        seat_base: slots.table as usize,
        seat_size: slots.seat as usize,
        piece_size: usize::from(slots.piece) + clue_cells,
        pieces,
        ..Layout::default()
    };
    layout.piece_base = layout.seat_base + seats * layout.seat_size;
    let mut at = layout.piece_base + pieces * layout.piece_size;
    for place in places.iter_mut().skip(2) {
        place.base = cast::fit::<u32>(at);
        at += 1 + place.room as usize;
    }
    layout.len = at;
    layout.places = places;
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_each_other_without_gaps() {
        let mut slots = Slots::default();
        (slots.table, slots.seat, slots.piece) = (20, 3, 5);
        let place = |room| PlaceInstance { declared: 0, owner: TABLE, base: 0, room };
        let layout = cells(&slots, 2, (4, 0), vec![place(0), place(0), place(3), place(1)]);
        assert_eq!((layout.seat_base, layout.piece_base), (20, 26));
        assert_eq!(layout.places.iter().map(|at| at.base).collect::<Vec<_>>(), [0, 0, 46, 50]);
        assert_eq!(layout.len, 52);
    }

    #[test]
    fn cells_of_many_cards_are_of_different_classes() {
        let card = |at: usize| format!("[[card]]\nid = \"shed{at}\"\nkind = \"tower\"\nheight = 1\n");
        let counters = (0..12).map(|at| format!("counter k{at}; ")).collect::<String>();
        let rules = format!("{}card {{ {counters} }}\neffect turn_all(card) {{ card.k0 = 1; card.k11 = 1 }}\n", crate::testing::GAME);
        let cards = format!("{}{}", crate::testing::CARDS, (0..5000).map(card).collect::<String>());
        let setup = Setup { players: 2, ..Setup::default() };
        let rules = crate::testing::compiled("wall", &rules, &cards, &setup);
        let classes: std::collections::BTreeSet<u32> = rules.layout.class_of.iter().copied().collect();
        assert!(classes.len() > 5000 * 12, "{}", classes.len());
        let place = &rules.layout.places[rules.places[rules.find_place("yard").unwrap()].first_instance as usize];
        let of_place = rules.layout.class_of[place.base as usize];
        assert!(of_place > 65_535 && rules.layout.class_of.iter().filter(|class| **class == of_place).count() == 10, "two yards for four");
    }
}
