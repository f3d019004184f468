//! Lines of `given` that place cards and set the counters on them.

use super::{GivenWriter, RequestedDeal, expect_integer, stop_diagnostic};
use crate::cast;
use crate::diagnostic::nearest;
use crate::editor::PositionEditor;
use crate::engine::Fault;
use crate::engine::change;
use crate::engine::ruleset::{Shape, Variable, VariableSort};
use crate::lang::split_seat_prefix;
use crate::problem::ScenarioProblem;
use crate::source::Span;
use crate::state::layout::{BOX, OUT, TABLE, piece};
use crate::syntax::ast::Name;
use crate::syntax::ast::scenario::PutCounters;
use crate::trial::{BoxedDiagnostic, fault_diagnostic};

impl GivenWriter<'_, '_> {
    /// Executes `put CARD in PLACE row R column C over CARD with N COUNTER`.
    pub(super) fn put_card(
        &mut self,
        card: &Name,
        at: &Name,
        (row, column): (Option<i64>, Option<i64>),
        over: Option<&Name>,
        with: Option<&PutCounters>,
    ) -> Result<(), BoxedDiagnostic> {
        let (instance, place) = self.find_place(at)?;
        let slot = match (row, column) {
            (None, None) => over.map(|over| self.find_slot_of_replaced(over, at, instance)).transpose()?,
            _ if over.is_some() => return Err(Box::new(ScenarioProblem::RowAndOver.at(at.span))),
            _ => match self.trial.rules.grid_slot(place, row.unwrap_or(1), column.unwrap_or(1)) {
                Some(slot) => Some(slot),
                None => return Err(Box::new(ScenarioProblem::NoRow { place: at.text.clone() }.at(at.span))),
            },
        };
        if let (Some(slot), Some(_)) = (slot, over) {
            // The card that makes room has been named here, whichever line placed it.
            let there = self.trial.game.position(&self.trial.rules).piece_at(instance, slot);
            self.placed_cards.retain(|put| Some(put.0) != there);
        }
        let card = self.place_card(card, instance, place, slot)?;
        with.map_or(Ok(()), |with| self.set_counters(card, instance, &with.counter, expect_integer(&with.count)?))
    }

    /// Executes `p1 has CARD`: places the card where cards of its kind are in play.
    pub(super) fn put_in_play(&mut self, seat: usize, word: &Name) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let definition = self.trial.find_definition(word)?;
        let kind = rules.definitions[definition].kind;
        if rules.is_kind_of_spaces(kind) {
            return Err(Box::new(ScenarioProblem::SpaceIsNoCard { space: word.text.clone() }.at(word.span)));
        }
        let Some(place) = rules.place_in_play(kind) else {
            let kind = rules.names.text(rules.kinds[kind as usize].name).to_string();
            let (card, player) = (word.text.clone(), seat + 1);
            return Err(Box::new(ScenarioProblem::NoPlaceInPlay { card, kind, player }.at(word.span)));
        };
        let instance = rules.places[place].first_instance as usize + seat;
        self.place_card(word, instance, place, None).map(|_| ())
    }

    /// Finds a place by a name such as `board` or `p1.yard`. Returns the index of the place and that of its declaration.
    pub(super) fn find_place(&self, word: &Name) -> Result<(usize, usize), BoxedDiagnostic> {
        let rules = &self.trial.rules;
        let (seat, name) = match split_seat_prefix(&word.text) {
            Some((seat, rest)) => {
                let end = word.span.end - cast::fit::<u32>(rest.len()) - 1;
                (Some(self.trial.expect_seat(seat, Span { end, ..word.span })?), rest)
            }
            None => (None, word.text.as_str()),
        };
        let Some(place) = rules.find_place(name) else {
            let names = rules.places.iter().map(|place| place.name.as_str());
            let near = nearest(name, names).map(String::from);
            return Err(Box::new(ScenarioProblem::NoPlace { name: name.to_string(), near }.at(word.span)));
        };
        let declared = &rules.places[place];
        if rules.board_of_place(place).is_some() {
            return Err(Box::new(ScenarioProblem::BoardMovesNothing { board: name.to_string() }.at(word.span)));
        }
        match (declared.of_seat, seat) {
            (true, Some(seat)) => Ok((declared.first_instance as usize + seat, place)),
            (false, None) => Ok((declared.first_instance as usize, place)),
            (true, None) => Err(Box::new(ScenarioProblem::Whose { name: name.to_string() }.at(word.span))),
            (false, Some(_)) => Err(Box::new(ScenarioProblem::Nobodys { name: name.to_string() }.at(word.span))),
        }
    }

    /// Takes all cards out of a place: they go back to where they came from, and those of a deck out of the game. `span` is where the place
    /// is named.
    ///
    /// # Errors
    /// Another line has put a card there.
    pub(super) fn take_all_out(&mut self, instance: usize, is_deck: bool, span: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        for card in self.trial.game.position(&rules).all_in(instance) {
            if let Some((_, put)) = self.placed_cards.iter().find(|put| put.0 == card) {
                let card = rules.names.text(rules.definition(card).id).to_string();
                return Err(Box::new(ScenarioProblem::Taken { card, put: *put }.at(span)));
            }
            self.take_away(card, is_deck).map_err(|fault| fault_diagnostic(&fault, span))?;
        }
        Ok(())
    }

    /// Sends a card back to where it came from, or, out of a deck or if a line has emptied its own, out of the game.
    fn take_away(&mut self, card: usize, of_deck: bool) -> Result<(), Fault> {
        let rules = self.trial.rules.clone();
        let is_emptied = self.emptied_decks.contains(&usize::from(rules.piece_home[card]));
        let mut editor = PositionEditor::new(self.trial.game.on(&rules));
        if of_deck || is_emptied { editor.take_out(card) } else { editor.send_home(card) }
    }

    /// Chooses a copy of a card: one that is already in the place, else one from the box, else one from a deck, else any.
    fn choose_copy(&self, definition: usize, instance: usize) -> Option<usize> {
        let rules = &self.trial.rules;
        let copies = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
        let place = |card: usize| cast::index(self.trial.game.cells()[rules.layout.piece(card, piece::PLACE)]);
        copies.min_by_key(|&card| {
            let at = place(card);
            let wanted = if self.placed_cards.iter().any(|put| put.0 == card) {
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

    /// Moves a card to a slot, or to the best free one, and returns its index.
    pub(super) fn place_card(&mut self, word: &Name, instance: usize, place: usize, slot: Option<usize>) -> Result<usize, BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let definition = self.trial.find_definition(word)?;
        let kind = rules.definitions[definition].kind;
        let declared = &rules.places[place];
        if declared.kinds != 0 && declared.kinds >> kind & 1 == 0 {
            let kind = rules.names.text(rules.kinds[kind as usize].name).to_string();
            let (card, place) = (word.text.clone(), declared.name.clone());
            return Err(Box::new(ScenarioProblem::WrongKind { card, kind, place }.at(word.span)));
        }
        let Some(card) = self.choose_copy(definition, instance) else {
            return Err(Box::new(ScenarioProblem::NoPiece { card: word.text.clone() }.at(word.span)));
        };
        if self.placed_cards.iter().any(|put| put.0 == card) {
            let copies = rules.definitions[definition].copies;
            let wrong = ScenarioProblem::PutTwice { card: word.text.clone(), only: copies == 1, more: copies + 1 };
            return Err(Box::new(wrong.at(word.span)));
        }
        let game = &mut self.trial.game;
        let at = cast::index(game.cells()[rules.layout.piece(card, piece::PLACE)]);
        let moved = if declared.shape == Shape::Deck {
            let home = rules.piece_home[card] as usize;
            if home > BOX && rules.layout.places[home].declared as usize == place {
                PositionEditor::new(game.on(&rules)).put_on_top(card)
            } else if (declared.instances == 1 || declared.of_seat) && game.position(&rules).free_slot(instance, i64::MAX).is_some() {
                // A deck into which rules put cards has room for those that begin elsewhere.
                PositionEditor::new(game.on(&rules)).put_onto(card, instance)
            } else {
                let (card, deck) = (word.text.clone(), declared.name.clone());
                return Err(Box::new(ScenarioProblem::NotOfDeck { card, deck }.at(word.span)));
            }
        } else if at == instance && slot.is_none() {
            let seat = rules.layout.places[instance].owner;
            let (definition, from_deck) = (rules.piece_definition[card], rules.piece_home[card] as usize > BOX);
            if let Some(deals) = self.requested_deals.as_mut().filter(|_| seat != TABLE && from_deck) {
                deals.push(RequestedDeal { definition, seat: seat as usize, dealt_anyway: true });
            }
            Ok(())
        } else {
            let seat = rules.layout.places[instance].owner;
            let slot = match slot {
                Some(slot) => self.expect_slot_not_set(word, instance, slot)?,
                None => match self.free_slot(instance, place, seat) {
                    Some(slot) => slot,
                    None if self.is_dealt_instead(card, instance, seat) => {
                        self.placed_cards.push((card, word.span));
                        return Ok(card);
                    }
                    None => return Err(self.place_is_full(word, instance)),
                },
            };
            let there = self.trial.game.position(&rules).piece_at(instance, slot).filter(|there| *there != card);
            let freed = there.map_or(Ok(()), |there| self.take_away(there, false));
            freed.and_then(|()| PositionEditor::new(self.trial.game.on(&rules)).put_piece(card, instance, slot))
        };
        moved.map_err(|fault| fault_diagnostic(&fault, word.span))?;
        self.placed_cards.push((card, word.span));
        Ok(card)
    }

    /// Returns the slot, unless it contains a card that a line has placed.
    fn expect_slot_not_set(&self, word: &Name, instance: usize, slot: usize) -> Result<usize, BoxedDiagnostic> {
        let rules = &self.trial.rules;
        let there = self.trial.game.position(rules).piece_at(instance, slot);
        let Some(&(card, span)) = there.and_then(|card| self.placed_cards.iter().find(|put| put.0 == card)) else { return Ok(slot) };
        let card = rules.names.text(rules.definition(card).id).to_string();
        Err(Box::new(ScenarioProblem::Replaced { card, put: span }.at(word.span)))
    }

    /// Finds the slot of the card that is to be replaced.
    fn find_slot_of_replaced(&self, over: &Name, at: &Name, instance: usize) -> Result<usize, BoxedDiagnostic> {
        let rules = &self.trial.rules;
        let definition = self.trial.find_definition(over)?;
        let room = 0..rules.layout.places[instance].room as usize;
        let there = |slot: &usize| self.trial.game.position(rules).piece_at(instance, *slot);
        let is_it = |slot: &usize| there(slot).is_some_and(|card| rules.piece_definition[card] as usize == definition);
        room.clone().find(is_it).ok_or_else(|| {
            let (card, place, cards) = (over.text.clone(), at.text.clone(), self.cards_in(instance));
            Box::new(ScenarioProblem::NotThere { card, place, cards }.at(over.span))
        })
    }

    /// Returns the ids of the cards in a place.
    fn cards_in(&self, instance: usize) -> Vec<String> {
        let rules = &self.trial.rules;
        let here = self.trial.game.position(rules).all_in(instance);
        here.into_iter().map(|card| rules.names.text(rules.definition(card).id).to_string()).collect()
    }

    /// Builds the diagnostic for a full place. It lists the cards in it and shows how to replace one.
    fn place_is_full(&self, word: &Name, instance: usize) -> BoxedDiagnostic {
        let rules = &self.trial.rules;
        let at = &rules.layout.places[instance];
        let name = &rules.places[at.declared as usize].name;
        let place = if at.owner == TABLE { name.clone() } else { format!("p{}.{name}", at.owner + 1) };
        Box::new(ScenarioProblem::NoSpace { card: word.text.clone(), place, cards: self.cards_in(instance) }.at(word.span))
    }

    /// Whether the set-up deals another card of the same deck to the player. In that case, it is run again and deals this card.
    fn is_dealt_instead(&mut self, card: usize, instance: usize, seat: u8) -> bool {
        let rules = self.trial.rules.clone();
        let (home, kind) = (rules.piece_home[card], rules.piece_kind[card]);
        let there = self.trial.game.position(&rules).all_in(instance);
        // If options exclude a card from the deck, its other copies are looked for.
        let like = |there: usize| rules.piece_home[there] == home || home as usize == BOX && rules.piece_kind[there] == kind;
        let drawn =
            |there: usize| rules.piece_home[there] as usize > BOX && like(there) && !self.placed_cards.iter().any(|put| put.0 == there);
        let drawn = there.into_iter().any(drawn);
        let Some(deals) = self.requested_deals.as_mut().filter(|_| seat != TABLE && drawn) else { return false };
        deals.push(RequestedDeal { definition: rules.piece_definition[card], seat: seat as usize, dealt_anyway: false });
        true
    }

    /// Finds the first free slot within the limit of the place. If there is none, finds the last slot whose card no line has placed and
    /// that is either a card with which everybody starts, or dealt into a grid. All other cards stay.
    fn free_slot(&mut self, instance: usize, place: usize, seat: u8) -> Option<usize> {
        let rules = self.trial.rules.clone();
        let game = &mut self.trial.game;
        let room = rules.layout.places[instance].room as i64;
        let me = if seat == TABLE { 0 } else { seat as usize };
        let limit = rules.places[place].limit.map_or(room, |quantity| game.store(&rules).quantity(quantity, me, [-1; 2]));
        let is_grid = matches!(rules.places[place].shape, Shape::Grid { .. });
        let gives_way = |slot: &usize| {
            let there = self
                .trial
                .game
                .position(&rules)
                .piece_at(instance, *slot)
                .filter(|there| !self.placed_cards.iter().any(|put| put.0 == *there));
            there.is_some_and(|there| is_grid || rules.piece_home[there] as usize == BOX)
        };
        let replaced = || (0..cast::index(limit.clamp(1, room.max(1)))).rev().find(gives_way);
        self.trial.game.position(&rules).free_slot(instance, limit).or_else(replaced)
    }

    /// Puts counters on a card. If the place takes them from a counter of the player, that is reduced.
    fn set_counters(&mut self, card: usize, instance: usize, word: &Name, count: i64) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let kind = rules.definition(card).kind;
        let of_kind = || rules.piece.iter().filter(|variable| variable.kinds >> kind & 1 == 1);
        let found = of_kind().find(|v| v.name == word.text || count == 1 && v.name.strip_suffix('s') == Some(word.text.as_str()));
        let Some(variable) = found else {
            let names = of_kind().map(|v| v.name.as_str());
            let (name, near) = (word.text.clone(), nearest(&word.text, names).map(String::from));
            return Err(Box::new(ScenarioProblem::NoCounter { name, near }.at(word.span)));
        };
        if let Some(what) = not_counted(variable, count) {
            let of = variable.words.first().filter(|_| variable.sort == VariableSort::Tally);
            let of = of.map(|word| rules.names.text(*word).to_string());
            return Err(Box::new(ScenarioProblem::NotCounted { name: variable.name.clone(), what, word: of }.at(word.span)));
        }
        let game = &mut self.trial.game;
        let more = count - game.cells()[rules.layout.piece(card, variable.offset as usize)] as i64;
        let at = &rules.layout.places[instance];
        let returned = rules.places[at.declared as usize].returned.iter().find(|returned| returned.0 == variable.offset);
        if let (Some(&(_, source)), true) = (returned, at.owner != TABLE) {
            let (seat, source) = (at.owner as usize, source as usize);
            let there = game.cells()[rules.layout.seat(seat, source)] as i64;
            let left = (there - more).max(0);
            game.on(&rules)
                .change(|store| change::write_seat(store, seat, source, left))
                .map_err(|stop| stop_diagnostic(stop, word.span))?;
        }
        game.on(&rules)
            .change(|store| change::write_piece(store, card, variable.offset as usize, count))
            .map_err(|stop| stop_diagnostic(stop, word.span))
    }
}

/// Says why a number cannot be put on a card as this variable; `None` if it can.
fn not_counted(variable: &Variable, count: i64) -> Option<&'static str> {
    match variable.sort {
        VariableSort::Set => Some("a set of words"),
        VariableSort::Tally => Some("a number for each of several words"),
        VariableSort::Counter if !variable.words.is_empty() => Some("one of several words"),
        VariableSort::Flag if count > 1 => Some("yes or no"),
        VariableSort::Counter | VariableSort::Resource | VariableSort::Flag => None,
    }
}
