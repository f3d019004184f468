//! Where pieces go: drawn, dealt, moved by rows, put and placed.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::game::Game;
use super::ruleset::{NodeId, Ruleset, Shape};
use crate::state::layout::{BOX, OUT, TABLE, piece};

impl Game {
    /// The instance of a deck by its number, from 1.
    pub fn deck(&mut self, rules: &Ruleset, deck: u16, index: NodeId, env: &mut Env) -> Result<usize, Stop> {
        let number = self.eval(rules, index, env);
        let declared = &rules.places[deck as usize];
        if number < 1 || number > declared.instances as i64 {
            return Err(Stop::fault(format!("there is no deck `{}[{number}]`; they go from 1 to {}", declared.name, declared.instances)));
        }
        Ok(declared.first as usize + number as usize - 1)
    }

    pub(super) fn draw_into(&mut self, rules: &Ruleset, deck: usize, to: usize, me: usize) -> Result<(), Stop> {
        // A card dealt to this seat from the start is drawn before any other.
        let dealt = rules.dealt.iter().find_map(|&(definition, seat)| {
            (seat == me)
                .then(|| {
                    (0..rules.layout.pieces).find(|&p| {
                        rules.piece_definition[p] == definition && self.cells[rules.layout.piece(p, piece::PLACE)] as usize == deck
                    })
                })
                .flatten()
        });
        let card = match dealt {
            Some(card) if rules.places[to].of_seat => card,
            _ => match self.top_card(rules, deck) {
                Some(card) => card,
                None => return Ok(()),
            },
        };
        let instance = Self::instance(rules, to, me);
        let room = rules.layout.places[instance].room as i64;
        let Some(slot) = self.free_slot(rules, instance, room) else {
            return Err(Stop::fault(format!("a card was drawn to `{}`, where no place is free", rules.places[to].name)));
        };
        self.say(|| format!("{} is drawn", rules.names.text(rules.definition(card).id)));
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// Puts a card that was dealt from the start into play: into the place of its kind, over the first card there if none is
    /// free; a card that nobody owns goes on top of its deck.
    pub(super) fn deal_now(&mut self, rules: &Ruleset, definition: u32, seat: usize) -> Result<(), Stop> {
        let Some(card) = (0..rules.layout.pieces).find(|&p| rules.piece_definition[p] == definition) else { return Ok(()) };
        let at = self.cells[rules.layout.piece(card, piece::PLACE)] as usize;
        let Some(place) = rules.place_in_play(rules.definition(card).kind) else {
            let count = self.pieces_in(rules, at);
            if count > 0 && rules.places[rules.layout.places[at].declared as usize].shape == Shape::Deck {
                self.move_piece(rules, card, OUT, 0)?;
                self.move_piece(rules, card, at, count - 1)?;
                self.put(rules, rules.layout.piece(card, piece::KNOWN), 0)?;
            }
            return Ok(());
        };
        if rules.layout.places[at].owner != TABLE {
            return Ok(());
        }
        let instance = Self::instance(rules, place, seat);
        let room = rules.layout.places[instance].room as i64;
        let limit = rules.places[place].limit.map_or(room, |q| self.quantity(rules, q, seat, [-1; 2]));
        let slot = match self.free_slot(rules, instance, limit) {
            Some(slot) => slot,
            None => {
                if let Some(covered) = self.piece_at(rules, instance, 0) {
                    self.remove(rules, covered)?;
                }
                0
            }
        };
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// Fills the gaps of a grid from a deck, for as long as there are cards.
    pub(super) fn fill(&mut self, rules: &Ruleset, grid: u16, deck: u16, index: NodeId, env: &mut Env) -> Result<(), Stop> {
        let deck = self.deck(rules, deck, index, env)?;
        let instance = Self::instance(rules, grid as usize, env.me);
        for slot in 0..rules.layout.places[instance].room as usize {
            if self.piece_at(rules, instance, slot).is_none() {
                let Some(card) = self.top_card(rules, deck) else { break };
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    pub(super) fn move_row(&mut self, rules: &Ruleset, grid: usize, from: i64, to: i64) -> Result<(), Stop> {
        let declared = &rules.places[grid];
        let Shape::Grid { rows, columns } = declared.shape else { return Ok(()) };
        let (instance, columns) = (declared.first as usize, columns as usize);
        let good = |row: i64| row >= 1 && row <= rows as i64;
        if !good(from) || !good(to) {
            return Err(Stop::fault(format!("`{}` has rows 1 to {rows}", declared.name)));
        }
        for column in 0..columns {
            let Some(card) = self.piece_at(rules, instance, (from as usize - 1) * columns + column) else { continue };
            let first = (to as usize - 1) * columns;
            if let Some(slot) = (first..first + columns).find(|&slot| self.piece_at(rules, instance, slot).is_none()) {
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    pub(super) fn put_printed(&mut self, rules: &Ruleset, holder: i64, field: usize, to: usize, me: usize) -> Result<(), Stop> {
        if holder < 0 {
            return Ok(());
        }
        let at = rules.definition(holder as usize).fields[field] as usize;
        let list = if at == 0 { &[] } else { &rules.pool[at + 1..at + 1 + rules.pool[at] as usize] };
        self.put_copies(rules, list, to, me)
    }

    pub(super) fn put_copies(&mut self, rules: &Ruleset, definitions: &[i32], to: usize, me: usize) -> Result<(), Stop> {
        let instance = Self::instance(rules, to, me);
        for &definition in definitions {
            let card = (0..rules.layout.pieces).find(|&p| {
                rules.piece_definition[p] == definition as u32 && self.cells[rules.layout.piece(p, piece::PLACE)] as usize == BOX
            });
            let room = rules.layout.places[instance].room as i64;
            if let (Some(card), Some(slot)) = (card, self.free_slot(rules, instance, room)) {
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    /// Puts a card into a place of a seat, over another of its choice when none is free (or always, if it may).
    ///
    /// # Errors
    /// [`Stop::Ask`] when there is a choice.
    pub fn place(&mut self, rules: &Ruleset, card: usize, place: usize, me: usize, over: bool) -> Result<(), Stop> {
        let instance = Self::instance(rules, place, me);
        let room = rules.layout.places[instance].room as i64;
        let limit = rules.places[place].limit.map_or(room, |q| self.quantity(rules, q, me, [-1; 2]));
        let free = self.free_slot(rules, instance, limit);
        let chosen = self.ask(rules, me, Question::Cover, |game, options| {
            if free.is_some() && !over {
                return;
            }
            for slot in 0..limit.clamp(0, room) as usize {
                options.extend(game.piece_at(rules, instance, slot).map(|there| Opt::new(rules, Act::Card(there as i16))));
            }
            if free.is_some() && !options.is_empty() {
                options.push(Opt::new(rules, Act::Nothing));
            }
        })?;
        let slot = match chosen {
            Some(Opt { act: Act::Card(covered), .. }) => {
                let slot = self.cells[rules.layout.piece(covered as usize, piece::POSITION)] as usize;
                self.run.quiet += 1;
                let removed = self.remove(rules, covered as usize);
                self.run.quiet -= 1;
                removed?;
                Some(slot)
            }
            _ => free,
        };
        let Some(slot) = slot else {
            // No place at all: the card is out of the game.
            return self.remove(rules, card);
        };
        self.say(|| format!("p{}: {} is placed in {}", me + 1, rules.names.text(rules.definition(card).id), rules.places[place].name));
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// The place of a card for people: `out`, or the place's name with its owner.
    pub fn where_is(&self, rules: &Ruleset, card: usize) -> String {
        let instance = self.shown()[rules.layout.piece(card, piece::PLACE)] as usize;
        match instance {
            OUT => "out of the game".to_string(),
            BOX => "the box".to_string(),
            _ => {
                let at = &rules.layout.places[instance];
                let name = &rules.places[at.declared as usize].name;
                if at.owner == TABLE { name.clone() } else { format!("p{}.{name}", at.owner + 1) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, answer, fault, game, options};
    use super::*;

    fn place(rules: &Ruleset, name: &str) -> usize {
        rules.places[rules.find_place(name).unwrap_or(0)].first as usize
    }

    #[test]
    fn gaps_are_filled_from_the_top_while_cards_last() {
        let (rules, game) = game(&Added { setup: "fill row from pile; remove cards in row; fill row from pile", ..Added::default() });
        assert_eq!((game.pieces_in(&rules, place(&rules, "row")), game.pieces_in(&rules, place(&rules, "pile"))), (2, 0));
    }

    #[test]
    fn rows_are_packed_left() {
        let (rules, game) = game(&Added {
            setup: "fill row from pile; remove cards in row row 1; move cards in row row 2 to row 1, packed left",
            ..Added::default()
        });
        let row = place(&rules, "row");
        let there: Vec<bool> = (0..4).map(|slot| game.piece_at(&rules, row, slot).is_some()).collect();
        assert_eq!(there, [true, true, false, false]);
    }

    #[test]
    fn a_card_is_put_over_another_where_no_place_is_free() {
        let steps = "step night { each player where place_in_order == 1 { each card in row { place card in its slot } } }";
        let (rules, mut game) = game(&Added { setup: "fill row from pile", steps, ..Added::default() });
        assert_eq!(game.decision().map(|decision| decision.question), Some(Question::Cover));
        let (den, keys) = (place(&rules, "den"), options(&rules, &game));
        assert_eq!((game.pieces_in(&rules, den), keys.len()), (3, 3));
        let covered = game.piece_at(&rules, den, 1);
        answer(&rules, &mut game, &keys[1]);
        assert_eq!(game.pieces_in(&rules, den), 3);
        assert!(game.piece_at(&rules, den, 1) != covered && game.place_of(&rules, covered.unwrap_or(0)).0 == OUT);
        assert_eq!(game.where_is(&rules, covered.unwrap_or(0)), "out of the game");
        assert_eq!(game.where_is(&rules, game.piece_at(&rules, den, 0).unwrap_or(0)), "p1.den");
    }

    #[test]
    fn there_is_no_room_for_a_card_too_many() {
        let found =
            fault(&Added { setup: "repeat 2 { each player where place_in_order == 1 { draw from pile to lair } }", ..Added::default() });
        assert!(found.message.contains("where no place is free"), "{found}");
    }
}
