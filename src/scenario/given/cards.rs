//! Lines of `given` that say where a card lies, and what lies on it.

use super::{Deal, Given, stopped, whole};
use crate::cast;
use crate::diagnostic::nearest;
use crate::editor::PositionEditor;
use crate::engine::change;
use crate::engine::ruleset::Shape;
use crate::lang::seat_prefix;
use crate::problem::Problem;
use crate::source::Span;
use crate::state::layout::{BOX, OUT, TABLE, piece};
use crate::syntax::ast::Name;
use crate::syntax::ast::scenario::PutCounters;
use crate::trial::{Wrong, faulted};

impl Given<'_, '_> {
    /// `put CARD in PLACE row R column C over CARD with N COUNTER`.
    pub(super) fn put(
        &mut self,
        card: &Name,
        at: &Name,
        (row, column): (Option<i64>, Option<i64>),
        over: Option<&Name>,
        with: Option<&PutCounters>,
    ) -> Result<(), Wrong> {
        let (instance, place) = self.place(at)?;
        let slot = match (row, column) {
            (None, None) => over.map(|over| self.slot_of(over, at, instance)).transpose()?,
            _ if over.is_some() => return Err(Box::new(Problem::RowAndOver.at(at.span))),
            _ => match self.trial.rules.grid_slot(place, row.unwrap_or(1), column.unwrap_or(1)) {
                Some(slot) => Some(slot),
                None => return Err(Box::new(Problem::NoRow { place: at.text.clone() }.at(at.span))),
            },
        };
        if let (Some(slot), Some(_)) = (slot, over) {
            // That it goes is said here, whoever has put it there.
            let there = self.trial.game.position(&self.trial.rules).piece_at(instance, slot);
            self.put.retain(|put| Some(put.0) != there);
        }
        let card = self.place_card(card, instance, place, slot)?;
        with.map_or(Ok(()), |with| self.count(card, instance, &with.counter, whole(&with.count)?))
    }

    /// `p1 has CARD`: the card lies where cards of its kind are in play.
    pub(super) fn has(&mut self, seat: usize, word: &Name) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let definition = self.trial.definition(word)?;
        let kind = rules.definitions[definition].kind;
        let Some(place) = rules.place_in_play(kind) else {
            let kind = rules.names.text(rules.kinds[kind as usize].name).to_string();
            let (card, player) = (word.text.clone(), seat + 1);
            return Err(Box::new(Problem::NoPlaceInPlay { card, kind, player }.at(word.span)));
        };
        let instance = rules.places[place].first as usize + seat;
        self.place_card(word, instance, place, None).map(|_| ())
    }

    /// A place instance and its declaration: `board`, `p1.yard`.
    pub(super) fn place(&self, word: &Name) -> Result<(usize, usize), Wrong> {
        let rules = &self.trial.rules;
        let (seat, name) = match seat_prefix(&word.text) {
            Some((seat, rest)) => {
                let end = word.span.end - cast::fit::<u32>(rest.len()) - 1;
                (Some(self.trial.seat_at(seat, Span { end, ..word.span })?), rest)
            }
            None => (None, word.text.as_str()),
        };
        let Some(place) = rules.find_place(name) else {
            let names = rules.places.iter().map(|place| place.name.as_str());
            let near = nearest(name, names).map(String::from);
            return Err(Box::new(Problem::NoPlace { name: name.to_string(), near }.at(word.span)));
        };
        let declared = &rules.places[place];
        match (declared.of_seat, seat) {
            (true, Some(seat)) => Ok((declared.first as usize + seat, place)),
            (false, None) => Ok((declared.first as usize, place)),
            (true, None) => Err(Box::new(Problem::Whose { name: name.to_string() }.at(word.span))),
            (false, Some(_)) => Err(Box::new(Problem::Nobodys { name: name.to_string() }.at(word.span))),
        }
    }

    /// Which copy of a card is meant: one that lies there already, one in the box, one in a deck, any.
    fn copy_of(&self, definition: usize, instance: usize) -> Option<usize> {
        let rules = &self.trial.rules;
        let copies = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
        let place = |card: usize| cast::index(self.trial.game.cells()[rules.layout.piece(card, piece::PLACE)]);
        copies.min_by_key(|&card| {
            let at = place(card);
            let wanted = if self.put.iter().any(|put| put.0 == card) {
                5
            } else if at == instance {
                0
            } else if at == BOX {
                1
            } else if at == OUT {
                2
            } else if rules.layout.places[at].owner == TABLE {
                3
            } else {
                4
            };
            (wanted, card)
        })
    }

    /// Puts a card into a slot, or where it best goes, and gives its piece.
    pub(super) fn place_card(&mut self, word: &Name, instance: usize, place: usize, slot: Option<usize>) -> Result<usize, Wrong> {
        let rules = self.trial.rules.clone();
        let definition = self.trial.definition(word)?;
        let kind = rules.definitions[definition].kind;
        let declared = &rules.places[place];
        if declared.kinds != 0 && declared.kinds >> kind & 1 == 0 {
            let kind = rules.names.text(rules.kinds[kind as usize].name).to_string();
            let (card, place) = (word.text.clone(), declared.name.clone());
            return Err(Box::new(Problem::WrongKind { card, kind, place }.at(word.span)));
        }
        let Some(card) = self.copy_of(definition, instance) else {
            return Err(Box::new(Problem::NoPiece { card: word.text.clone() }.at(word.span)));
        };
        if self.put.iter().any(|put| put.0 == card) {
            let copies = rules.definitions[definition].copies;
            let wrong = Problem::PutTwice { card: word.text.clone(), only: copies == 1, more: copies + 1 };
            return Err(Box::new(wrong.at(word.span)));
        }
        let game = &mut self.trial.game;
        let at = cast::index(game.cells()[rules.layout.piece(card, piece::PLACE)]);
        let moved = if declared.shape == Shape::Deck {
            let home = rules.piece_home[card] as usize;
            if home <= BOX || rules.layout.places[home].declared as usize != place {
                let (card, deck) = (word.text.clone(), declared.name.clone());
                return Err(Box::new(Problem::NotOfDeck { card, deck }.at(word.span)));
            }
            PositionEditor::new(game.on(&rules)).put_on_top(card)
        } else if at == instance && slot.is_none() {
            let seat = rules.layout.places[instance].owner;
            let (definition, from_deck) = (rules.piece_definition[card], rules.piece_home[card] as usize > BOX);
            if let Some(deals) = self.deals.as_mut().filter(|_| seat != TABLE && from_deck) {
                deals.push(Deal { definition, seat: seat as usize, given: true });
            }
            Ok(())
        } else {
            let seat = rules.layout.places[instance].owner;
            let slot = match slot {
                Some(slot) => self.expect_not_put(word, instance, slot)?,
                None => match self.free_slot(instance, place, seat) {
                    Some(slot) => slot,
                    None if self.is_dealt_instead(card, instance, seat) => {
                        self.put.push((card, word.span));
                        return Ok(card);
                    }
                    None => return Err(self.no_room(word, instance)),
                },
            };
            PositionEditor::new(self.trial.game.on(&rules)).put_piece(card, instance, slot)
        };
        moved.map_err(|fault| faulted(&fault, word.span))?;
        self.put.push((card, word.span));
        Ok(card)
    }

    /// A slot in which no card lies that a line has put there.
    fn expect_not_put(&self, word: &Name, instance: usize, slot: usize) -> Result<usize, Wrong> {
        let rules = &self.trial.rules;
        let there = self.trial.game.position(rules).piece_at(instance, slot);
        let Some(&(card, span)) = there.and_then(|card| self.put.iter().find(|put| put.0 == card)) else { return Ok(slot) };
        let card = rules.names.text(rules.definition(card).id).to_string();
        Err(Box::new(Problem::Replaced { card, put: span }.at(word.span)))
    }

    /// The slot of the card that another one replaces.
    fn slot_of(&self, over: &Name, at: &Name, instance: usize) -> Result<usize, Wrong> {
        let rules = &self.trial.rules;
        let definition = self.trial.definition(over)?;
        let room = 0..rules.layout.places[instance].room as usize;
        let there = |slot: &usize| self.trial.game.position(rules).piece_at(instance, *slot);
        let is_it = |slot: &usize| there(slot).is_some_and(|card| rules.piece_definition[card] as usize == definition);
        room.clone().find(is_it).ok_or_else(|| {
            let (card, place, cards) = (over.text.clone(), at.text.clone(), self.cards_in(instance));
            Box::new(Problem::NotThere { card, place, cards }.at(over.span))
        })
    }

    /// The cards in a place, by their ids.
    fn cards_in(&self, instance: usize) -> Vec<String> {
        let rules = &self.trial.rules;
        let here = self.trial.game.position(rules).all_in(instance);
        here.into_iter().map(|card| rules.names.text(rules.definition(card).id).to_string()).collect()
    }

    /// A place is full: which cards lie there, and how one of them is replaced.
    fn no_room(&self, word: &Name, instance: usize) -> Wrong {
        let rules = &self.trial.rules;
        let at = &rules.layout.places[instance];
        let name = &rules.places[at.declared as usize].name;
        let place = if at.owner == TABLE { name.clone() } else { format!("p{}.{name}", at.owner + 1) };
        Box::new(Problem::NoSpace { card: word.text.clone(), place, cards: self.cards_in(instance) }.at(word.span))
    }

    /// Whether set-up gives the player another card from the deck of this one: then it is done once more, and gives this one.
    fn is_dealt_instead(&mut self, card: usize, instance: usize, seat: u8) -> bool {
        let rules = self.trial.rules.clone();
        let (home, kind) = (rules.piece_home[card], rules.piece_kind[card]);
        let there = self.trial.game.position(&rules).all_in(instance);
        // Of a card that options keep out of the deck the like lie there.
        let like = |there: usize| rules.piece_home[there] == home || home as usize == BOX && rules.piece_kind[there] == kind;
        let drawn = |there: usize| rules.piece_home[there] as usize > BOX && like(there) && !self.put.iter().any(|put| put.0 == there);
        let drawn = there.into_iter().any(drawn);
        let Some(deals) = self.deals.as_mut().filter(|_| seat != TABLE && drawn) else { return false };
        deals.push(Deal { definition: rules.piece_definition[card], seat: seat as usize, given: false });
        true
    }

    /// The first free slot within the limit; else, from the last on, that of a card that no line has put there: one with which everybody begins,
    /// or one that was dealt into a grid. Any other keeps its place.
    fn free_slot(&mut self, instance: usize, place: usize, seat: u8) -> Option<usize> {
        let rules = self.trial.rules.clone();
        let game = &mut self.trial.game;
        let room = rules.layout.places[instance].room as i64;
        let me = if seat == TABLE { 0 } else { seat as usize };
        let limit = rules.places[place].limit.map_or(room, |quantity| game.on(&rules).quantity(quantity, me, [-1; 2]));
        let is_grid = matches!(rules.places[place].shape, Shape::Grid { .. });
        let gives_way = |slot: &usize| {
            let there =
                self.trial.game.position(&rules).piece_at(instance, *slot).filter(|there| !self.put.iter().any(|put| put.0 == *there));
            there.is_some_and(|there| is_grid || rules.piece_home[there] as usize == BOX)
        };
        let replaced = || (0..cast::index(limit.clamp(1, room.max(1)))).rev().find(gives_way);
        self.trial.game.position(&rules).free_slot(instance, limit).or_else(replaced)
    }

    /// Gives a card a number of something; if what leaves the place goes to a counter of the player, it is taken from there.
    fn count(&mut self, card: usize, instance: usize, word: &Name, count: i64) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let found = rules.piece.iter().find(|v| v.name == word.text || count == 1 && v.name.strip_suffix('s') == Some(word.text.as_str()));
        let Some(variable) = found else {
            let names = rules.piece.iter().map(|v| v.name.as_str());
            let (name, near) = (word.text.clone(), nearest(&word.text, names).map(String::from));
            return Err(Box::new(Problem::NoCounter { name, near }.at(word.span)));
        };
        let game = &mut self.trial.game;
        let more = count - game.cells()[rules.layout.piece(card, variable.offset as usize)] as i64;
        let at = &rules.layout.places[instance];
        let returned = rules.places[at.declared as usize].returned.iter().find(|returned| returned.0 == variable.offset);
        if let (Some(&(_, source)), true) = (returned, at.owner != TABLE) {
            let (seat, source) = (at.owner as usize, source as usize);
            let there = game.cells()[rules.layout.seat(seat, source)] as i64;
            let left = (there - more).max(0);
            change::write_seat(&mut game.on(&rules), seat, source, left).map_err(|stop| stopped(stop, word.span))?;
        }
        change::write_piece(&mut game.on(&rules), card, variable.offset as usize, count).map_err(|stop| stopped(stop, word.span))
    }
}
