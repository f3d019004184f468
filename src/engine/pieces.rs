//! Where pieces go: drawn, dealt, moved by rows, put and placed.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::game::Game;
use super::ids::PieceId;
use super::ruleset::{Direction, NodeId, Ruleset, Shape};
use crate::cast;
use crate::state::chance::{draw, join};
use crate::state::layout::{BOX, OUT, TABLE, head, piece};

impl Game {
    /// The instance of a deck by its number, from 1.
    pub fn deck(&mut self, rules: &Ruleset, deck: u16, index: NodeId, env: &mut Env) -> Result<usize, Stop> {
        let number = self.eval(rules, index, env);
        let declared = &rules.places[deck as usize];
        if number < 1 || number > declared.instances as i64 {
            return Err(Stop::fault(format!("there is no deck `{}[{number}]`; they go from 1 to {}", declared.name, declared.instances)));
        }
        Ok(declared.first as usize + cast::index(number) - 1)
    }

    pub(super) fn draw_into(&mut self, rules: &Ruleset, deck: usize, to: usize, me: usize) -> Result<(), Stop> {
        let card = match self.dealt_card(rules, deck, to, me) {
            Some(card) => card,
            None => match self.card_to_draw(rules, deck) {
                Some(card) => card,
                None => return Ok(()),
            },
        };
        let instance = Self::instance(rules, to, me);
        let room = rules.layout.places[instance].room as i64;
        let Some(slot) = self.free_slot(rules, instance, room) else {
            let name = &rules.places[to].name;
            let cards = if room == 1 { "card" } else { "cards" };
            let message = format!("a card was drawn to `{name}`, where no place is free: there is room for {room} {cards}");
            return Err(Stop::fault(format!("{message}; `place {name} of KIND: NUMBER` makes more")));
        };
        self.say(|| match rules.places[to].hidden {
            true => format!("p{} draws a card", me + 1),
            false => format!("{} is drawn", rules.names.text(rules.definition(card).id)),
        });
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// In set-up, the card that was dealt to this seat from the start and that it draws into its place before any other: one of the deck, or one
    /// of the box of which the like lie in the deck.
    fn dealt_card(&self, rules: &Ruleset, deck: usize, to: usize, me: usize) -> Option<usize> {
        let kind = |card: usize| rules.definition(card).kind;
        let drawn = if rules.dealt.is_empty() { None } else { self.top_card(rules, deck).map(kind) };
        self.waiting(rules, me).filter(|&card| rules.place_in_play(kind(card)) == Some(to)).find(|&card| {
            match self.place_of(rules, card).0 {
                BOX => rules.dealing.is_none() && drawn == Some(kind(card)),
                place => place == deck,
            }
        })
    }

    /// In set-up, the cards that were dealt to this seat from the start and that it does not have yet.
    fn waiting<'a>(&'a self, rules: &'a Ruleset, me: usize) -> impl Iterator<Item = usize> + 'a {
        let pieces = move |definition: u32| (0..rules.layout.pieces).filter(move |&card| rules.piece_definition[card] == definition);
        let owner = |card: usize| rules.layout.places[self.place_of(rules, card).0].owner as usize;
        let in_set_up = self.cells[head::ROUND] == 0;
        let mine = rules.dealt.iter().filter(move |&&(_, seat)| in_set_up && seat == me).map(|&(definition, _)| definition);
        mine.filter(move |&definition| !pieces(definition).any(|card| owner(card) == me)).flat_map(pieces)
    }

    /// Who chooses in set-up from cards on the table, and was dealt one of such a kind, has chosen that: it takes the place of one that is
    /// offered, which goes back to where the dealt one was.
    ///
    /// # Errors
    /// Faults of what happens when a card leaves its place.
    pub(super) fn choose_dealt(&mut self, rules: &Ruleset, seat: usize, options: &mut Vec<Opt>) -> Result<(), Stop> {
        let kind = |card: usize| rules.definition(card).kind;
        let on_the_table = |card: usize| {
            let place = &rules.layout.places[self.place_of(rules, card).0];
            place.owner == TABLE && place.room > 0
        };
        let offered = |option: &Opt| match option.act {
            Act::Card(card) => usize::try_from(card).ok().filter(|&card| on_the_table(card)),
            Act::Action(..) | Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Token(..) | Act::Nothing | Act::Done => None,
        };
        let apart = |card: &usize| {
            let place = &rules.layout.places[self.place_of(rules, *card).0];
            place.room == 0 || rules.places[place.declared as usize].shape == Shape::Deck
        };
        let like = |dealt: usize| options.iter().rev().filter_map(offered).find(|&card| kind(card) == kind(dealt));
        let mut chosen = self.waiting(rules, seat).filter(apart).filter_map(|dealt| like(dealt).map(|offered| (dealt, offered)));
        let Some((dealt, offered)) = chosen.next().filter(|_| rules.dealing.is_none()) else { return Ok(()) };
        drop(chosen);
        let [(home, _), (place, slot)] = [dealt, offered].map(|card| self.place_of(rules, card));
        [dealt, offered].into_iter().try_for_each(|card| self.move_piece(rules, card, BOX, 0))?;
        self.move_piece(rules, dealt, place, slot)?;
        let top = if home == BOX { 0 } else { self.pieces_in(rules, home) };
        self.move_piece(rules, offered, home, top)?;
        *options = vec![Opt::new(rules, Act::Card(PieceId::at(dealt).option()))];
        Ok(())
    }

    /// The card that is drawn now: the first that was fixed from outside and lies in the deck, wherever a shuffle has put it; else the top card.
    fn card_to_draw(&mut self, rules: &Ruleset, deck: usize) -> Option<usize> {
        let waits = |game: &Game, at: &usize| {
            let fixed = game.told.draws[*at];
            fixed.deck == deck && !fixed.came && game.place_of(rules, fixed.card).0 == deck
        };
        match (0..self.told.draws.len()).find(|at| waits(self, at)) {
            Some(at) => {
                self.told.draws[at].came = true;
                Some(self.told.draws[at].card)
            }
            None => self.top_card_for_all(rules, deck),
        }
    }

    /// The top card of a deck; in set-up, the first from the top that no seat is dealt: those wait for their seats.
    fn top_card_for_all(&self, rules: &Ruleset, deck: usize) -> Option<usize> {
        if rules.dealt.is_empty() || self.cells[head::ROUND] > 0 {
            return self.top_card(rules, deck);
        }
        let waits = |card: &usize| {
            let definition = rules.piece_definition[*card];
            rules.dealt.iter().any(|&(dealt, _)| dealt == definition) && rules.place_in_play(rules.definition(*card).kind).is_some()
        };
        (0..self.pieces_in(rules, deck)).rev().filter_map(|slot| self.piece_at(rules, deck, slot)).find(|card| !waits(card))
    }

    /// Puts a card that was dealt from the start into play: into the place of its kind, over the first card there if none is
    /// free; a card that nobody owns goes on top of its deck.
    pub(super) fn deal_now(&mut self, rules: &Ruleset, definition: u32, seat: usize) -> Result<(), Stop> {
        let Some(card) = (0..rules.layout.pieces).find(|&p| rules.piece_definition[p] == definition) else { return Ok(()) };
        let at = cast::index(self.cells[rules.layout.piece(card, piece::PLACE)]);
        let Some(place) = rules.place_in_play(rules.definition(card).kind) else {
            let count = self.pieces_in(rules, at);
            if count > 0 && rules.places[rules.layout.places[at].declared as usize].shape == Shape::Deck {
                self.move_unheard(rules, card, OUT, 0)?;
                self.move_unheard(rules, card, at, count - 1)?;
                self.put(rules, rules.layout.piece(card, piece::KNOWN), 0)?;
            }
            return Ok(());
        };
        match rules.layout.places[at].owner {
            TABLE => {}
            owner if owner as usize == seat => return Ok(()),
            owner => {
                let id = rules.names.text(rules.definition(card).id);
                return Err(Stop::fault(format!("`{id}` was dealt to p{}, but set-up has given it to p{}", seat + 1, owner + 1)));
            }
        }
        if let Some(effect) = rules.dealing {
            self.effect_later(rules, effect, seat, [cast::fit::<i32>(card), -1, -1, -1]);
            return Ok(());
        }
        let instance = Self::instance(rules, place, seat);
        let room = rules.layout.places[instance].room as i64;
        let limit = rules.places[place].limit.map_or(room, |q| self.quantity(rules, q, seat, [-1; 2]));
        let slot = match self.free_slot(rules, instance, limit) {
            Some(slot) => slot,
            None => {
                if let Some(covered) = self.piece_at(rules, instance, 0) {
                    self.may_cover(rules, (card, seat), covered)?;
                    self.remove(rules, covered)?;
                }
                0
            }
        };
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// A card that is dealt takes the place of another one if that is one of those with which everybody begins: not if that was dealt as well, nor if
    /// it came from a deck, since set-up may have counted on what it gives.
    fn may_cover(&self, rules: &Ruleset, (card, seat): (usize, usize), covered: usize) -> Result<(), Stop> {
        let name = |card: usize| rules.names.text(rules.definition(card).id);
        let message = format!("`{}` was dealt to p{} over `{}`", name(card), seat + 1, name(covered));
        if rules.dealt.contains(&(rules.piece_definition[covered], seat)) {
            return Err(Stop::fault(format!("{message}, dealt as well: there is no more room")));
        }
        if rules.piece_home[covered] != cast::fit::<u16>(BOX) {
            let way = "choose options with which it is drawn for each player, or deal another one";
            return Err(Stop::fault(format!("{message}, which set-up has given from a deck; {way}")));
        }
        Ok(())
    }

    /// Fills the gaps of a grid from a deck, for as long as there are cards.
    pub(super) fn fill(&mut self, rules: &Ruleset, grid: u16, deck: u16, index: NodeId, env: &mut Env) -> Result<(), Stop> {
        let deck = self.deck(rules, deck, index, env)?;
        let instance = Self::instance(rules, grid as usize, env.me);
        for slot in 0..rules.layout.places[instance].room as usize {
            if rules.places[grid as usize].is_space(slot) && self.piece_at(rules, instance, slot).is_none() {
                let Some(card) = self.card_to_draw(rules, deck) else { break };
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    pub(super) fn move_row(&mut self, rules: &Ruleset, grid: usize, from: i64, to: i64) -> Result<(), Stop> {
        let declared = &rules.places[grid];
        let Shape::Grid { rows, columns, .. } = declared.shape else { return Ok(()) };
        let (instance, columns) = (declared.first as usize, columns as usize);
        let good = |row: i64| row >= 1 && row <= rows as i64;
        if !good(from) || !good(to) {
            return Err(Stop::fault(format!("`{}` has rows 1 to {rows}", declared.name)));
        }
        for column in 0..columns {
            let Some(card) = self.piece_at(rules, instance, (cast::index(from) - 1) * columns + column) else { continue };
            let first = (cast::index(to) - 1) * columns;
            let free = |slot: &usize| declared.is_space(*slot) && self.piece_at(rules, instance, *slot).is_none();
            if let Some(slot) = (first..first + columns).find(free) {
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    /// What lies in a place of each seat goes to the same slots of the next seat in the order, or of the one before.
    pub(super) fn pass_on(&mut self, rules: &Ruleset, place: usize, direction: Direction) -> Result<(), Stop> {
        let mut seats = self.order(rules);
        if direction == Direction::Reverse {
            seats.reverse();
        }
        let next = seats.iter().cycle().skip(1);
        let mut passed = Vec::new();
        for (&from, &to) in seats.iter().zip(next) {
            let [from, to] = [from, to].map(|seat| Self::instance(rules, place, seat));
            let slots = 0..rules.layout.places[from].room as usize;
            passed.extend(slots.filter_map(|slot| Some((self.piece_at(rules, from, slot)?, to, slot))));
        }
        passed.iter().try_for_each(|&(card, ..)| self.move_piece(rules, card, BOX, 0))?;
        passed.iter().try_for_each(|&(card, to, slot)| self.move_piece(rules, card, to, slot))?;
        self.after_change(rules)
    }

    /// Puts a card onto a map, where another card lies.
    ///
    /// # Errors
    /// That one lies on no map of this size, or something lies there.
    pub(super) fn place_at(&mut self, rules: &Ruleset, card: usize, map: usize, at: usize) -> Result<(), Stop> {
        let (from, slot) = self.place_of(rules, at);
        let (name, to) = (&rules.places[map].name, rules.places[map].first as usize);
        let same = rules.layout.places[from].room > 0
            && rules.places[rules.layout.places[from].declared as usize].shape == rules.places[map].shape;
        if !same {
            let at = rules.names.text(rules.definition(at).id);
            return Err(self.fault(rules, format!("`{at}` lies on no map of the size of `{name}`, so that nothing can be placed at it")));
        }
        if let Some(there) = self.piece_at(rules, to, slot).filter(|&there| there != card) {
            let there = rules.names.text(rules.definition(there).id);
            return Err(self.fault(rules, format!("`{there}` lies there in `{name}` already")));
        }
        if self.place_of(rules, card) == (to, slot) {
            return Ok(());
        }
        let columns = if let Shape::Grid { columns, .. } = rules.places[map].shape { columns as usize } else { 1 };
        let lay = self.place_of(rules, card).0;
        let sees = |seat: usize| rules.sees_into(lay, seat) || rules.sees_into(to, seat);
        let at = format!("{name} row {} column {}", slot / columns + 1, slot % columns + 1);
        self.say_of_cards(rules, [card], |_, _, seat| sees(seat), |[card]| format!("{card} is placed in {at}"));
        self.move_piece(rules, card, to, slot)?;
        self.after_change(rules)
    }

    /// Puts cards into a deck and shuffles all that lies in it: nobody knows its order then. How often that was done is one step of
    /// the deck's stream, as the copy of a card is.
    pub(super) fn shuffle(&mut self, rules: &Ruleset, set: Option<u32>, deck: u16, index: NodeId, env: &mut Env) -> Result<(), Stop> {
        let deck = self.deck(rules, deck, index, env)?;
        let mut cards = Vec::new();
        if let Some(set) = set {
            self.cards_of(rules, set, env, &mut cards);
        }
        let lying = (0..self.pieces_in(rules, deck)).filter_map(|slot| self.piece_at(rules, deck, slot));
        let mut all: Vec<usize> = lying.collect();
        let stay = all.len();
        all.extend(cards.into_iter().map(cast::index));
        let times = match rules.shuffled {
            Some(cell) => {
                let times = self.cells[cell as usize] as i64 + 1;
                self.put(rules, cell as usize, times)?;
                cast::fit::<u64>(times)
            }
            None => 1,
        };
        // What lies in the deck does not leave it. It is taken from the top, so that nothing moves up.
        all[stay..].iter().try_for_each(|&card| self.move_piece(rules, card, BOX, 0))?;
        all[..stay].iter().rev().try_for_each(|&card| self.move_unheard(rules, card, BOX, 0))?;
        let (seed, stream) = (self.seed(), rules.deck_stream(cast::fit::<u16>(deck)));
        all.sort_by_cached_key(|&card| {
            let stream = join(join(stream, rules.piece_hash[card]), times);
            (draw(seed, stream, rules.piece_copy[card] as u64), card)
        });
        for (position, &card) in all.iter().enumerate() {
            self.move_piece(rules, card, deck, position)?;
            self.put(rules, rules.layout.piece(card, piece::KNOWN), 0)?;
        }
        self.say(|| format!("{} is shuffled", rules.places[rules.layout.places[deck].declared as usize].name));
        self.after_change(rules)
    }

    /// Lets two cards change places.
    pub(super) fn swap(&mut self, rules: &Ruleset, a: usize, b: usize) -> Result<(), Stop> {
        let [(place_of_a, slot_of_a), (place_of_b, slot_of_b)] = [a, b].map(|card| self.place_of(rules, card));
        if a == b {
            return Ok(());
        }
        let place = &rules.layout.places[place_of_a];
        if place_of_a == place_of_b && place.room > 0 {
            // Neither leaves the place.
            for (card, slot) in [(a, slot_of_b), (b, slot_of_a)] {
                self.put(rules, place.base as usize + 1 + slot, cast::count(card) + 1)?;
                self.put(rules, rules.layout.piece(card, piece::POSITION), cast::count(slot))?;
            }
        } else {
            [a, b].into_iter().try_for_each(|card| self.move_piece(rules, card, BOX, 0))?;
            self.move_piece(rules, a, place_of_b, slot_of_b)?;
            self.move_piece(rules, b, place_of_a, slot_of_a)?;
        }
        // Who sees neither where a card lay nor where it lies now does not hear which it is, though the seat may have seen it before.
        let sees = |seat: usize| rules.sees_into(place_of_a, seat) || rules.sees_into(place_of_b, seat);
        self.say_of_cards(rules, [a, b], |_, _, seat| sees(seat), |[a, b]| format!("{a} and {b} change places"));
        self.after_change(rules)
    }

    pub(super) fn put_printed(&mut self, rules: &Ruleset, holder: i64, field: usize, to: usize, me: usize) -> Result<(), Stop> {
        if holder < 0 {
            return Ok(());
        }
        let at = cast::index(rules.definition(cast::index(holder)).fields[field]);
        let list = if at == 0 { &[] } else { &rules.pool[at + 1..at + 1 + cast::index(rules.pool[at])] };
        self.put_copies(rules, list, to, me)
    }

    pub(super) fn put_copies(&mut self, rules: &Ruleset, definitions: &[i32], to: usize, me: usize) -> Result<(), Stop> {
        let instance = Self::instance(rules, to, me);
        for &definition in definitions {
            let card = (0..rules.layout.pieces).find(|&p| {
                rules.piece_definition[p] == cast::fit::<u32>(definition)
                    && cast::index(self.cells[rules.layout.piece(p, piece::PLACE)]) == BOX
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
            for slot in 0..cast::index(limit.clamp(0, room)) {
                options.extend(game.piece_at(rules, instance, slot).map(|there| Opt::new(rules, Act::Card(PieceId::at(there).option()))));
            }
            if free.is_some() && !options.is_empty() {
                options.push(Opt::new(rules, Act::Nothing));
            }
        })?;
        let slot = match chosen {
            Some(Opt { act: Act::Card(covered), .. }) => {
                let slot = cast::index(self.cells[rules.layout.piece(cast::index(covered), piece::POSITION)]);
                self.run.quiet += 1;
                let removed = self.remove(rules, cast::index(covered));
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
        self.say(|| {
            let card = if rules.places[place].hidden { "a card" } else { rules.names.text(rules.definition(card).id) };
            format!("p{}: {card} is placed in {}", me + 1, rules.places[place].name)
        });
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// The place of a card for people: `out`, or the place's name with its owner.
    pub fn where_is(&self, rules: &Ruleset, card: usize) -> String {
        let instance = cast::index(self.cells()[rules.layout.piece(card, piece::PLACE)]);
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
    #[test]
    fn what_is_shuffled_lies_in_the_deck_in_an_order_that_nobody_knows() {
        let added = Added { setup: "fill row from pile; shuffle cards in row into pile", ..Added::default() };
        let (rules, game) = game(&added);
        let place = |name: &str| rules.places[rules.find_place(name).unwrap_or(0)].first as usize;
        assert_eq!((game.pieces_in(&rules, place("row")), game.pieces_in(&rules, place("pile"))), (0, rules.layout.pieces));
        let orders: std::collections::BTreeSet<Vec<usize>> = (0..20)
            .map(|seed| {
                let mut game = Game::new(&rules, seed);
                assert!(game.advance(&rules, &mut crate::NoScripts).is_ok());
                game.all_in(&rules, place("pile"))
            })
            .collect();
        assert!(orders.len() > 15);
        let known = |piece: usize| game.cells()[rules.layout.piece(piece, piece::KNOWN)];
        assert!((0..rules.layout.pieces).all(|piece| known(piece) == 0));
    }

    #[test]
    fn two_cards_change_places() {
        let (rules, game) = game(&Added {
            setup: "fill row from pile; each player where place_in_order == 1 { draw from pile to den; swap den with row }",
            ..Added::default()
        });
        let place = |name: &str| rules.places[rules.find_place(name).unwrap_or(0)].first as usize;
        assert_eq!((game.pieces_in(&rules, place("row")), game.pieces_in(&rules, place("den"))), (4, 1));
        assert!(game.log().iter().any(|line| line.ends_with("change places")), "{:?}", game.log());
    }

    #[test]
    fn who_sees_neither_of_two_hidden_cards_does_not_hear_which_change_places() {
        let rules = rules(
            3,
            &Added {
                setup: "each player { draw from pile to paw }; each player where place_in_order == 2 { swap paw with first.paw }",
                has: "place paw of wolf, wall: 2, hidden",
                ..Added::default()
            },
        );
        let mut game = Game::new(&rules, 1);
        game.keep_log();
        assert!(game.advance(&rules, &mut NoScripts).is_ok());
        let told = |seat: usize| game.log_for(seat, 0).filter(|line| line.ends_with("change places")).collect::<Vec<_>>();
        let order = game.order(&rules);
        assert_eq!(told(order[2]), ["a card and a card change places"]);
        assert!(
            [order[0], order[1]].iter().all(|&seat| told(seat).len() == 1 && !told(seat)[0].contains("a card")),
            "{:?}",
            told(order[0])
        );
    }

    #[test]
    fn a_hidden_place_is_known_to_its_owner() {
        let (rules, game) = game(&Added {
            setup: "each player { draw from pile to paw; draw from pile to lair }",
            has: "place paw of wolf, wall: 2, hidden",
            ..Added::default()
        });
        let place = |name: &str| rules.places[rules.find_place(name).unwrap_or(0)].first as usize;
        let known = |place: usize| {
            game.all_in(&rules, place).iter().map(|&card| game.cells()[rules.layout.piece(card, piece::KNOWN)]).collect::<Vec<_>>()
        };
        assert_eq!([known(place("paw")), known(place("paw") + 1), known(place("lair"))], [[1], [2], [3]]);
        assert!(game.log().iter().any(|line| line == "p1 draws a card"));
    }

    #[test]
    fn a_map_of_hexagons_has_no_corners() {
        let shape = Shape::Grid { rows: 5, columns: 5, hexes: true };
        let map = crate::ruleset::PlaceDecl { shape, ..crate::testing::place("map", false, Shape::Slots, 2) };
        let rows: Vec<Vec<usize>> = (0..5).map(|row| (0..5).filter(|column| map.is_space(row * 5 + column)).collect()).collect();
        assert_eq!(rows, [vec![2, 3, 4], vec![1, 2, 3, 4], vec![0, 1, 2, 3, 4], vec![0, 1, 2, 3], vec![0, 1, 2]]);
    }

    use super::super::NoScripts;
    use super::super::sample::{Added, answer, fault, game, options, rules, values};
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
    fn a_card_that_stays_in_its_place_does_not_leave_it() {
        let effects = "when card leaves row { moon += 1 }\nwhen card leaves pile { moon += 100 }";
        let left = |setup: &str| {
            let setup = format!("fill row from pile; moon = 0; {setup}; each player {{ idle = moon }}; moon = 0");
            let (rules, game) = game(&Added { effects, setup: &setup, ..Added::default() });
            values(&rules, &game, "idle")[0]
        };
        assert_eq!(left("remove cards in row row 1; moon = 0; move cards in row row 2 to row 1, packed left"), 0);
        assert_eq!(left("each one in row { each other in row { swap one with other } }"), 0);
        assert_eq!(left("shuffle cards in row into pile"), 4, "the two that lay in the pile have not left it");
        assert_eq!(left("remove cards in row row 1"), 2);
    }

    #[test]
    fn each_passes_on_what_lies_there_to_the_next_or_the_one_before() {
        let place = |rules: &Ruleset, seat: usize| place(rules, "den") + seat;
        for (words, moved) in [("", 1), (" in reverse order", 2)] {
            let setup = format!("fill row from pile; each player {{ draw from pile to den }}; pass on den{words}");
            let with = |setup: &str| {
                let rules = rules(3, &Added { setup, ..Added::default() });
                let mut game = Game::new(&rules, 4);
                assert!(game.advance(&rules, &mut NoScripts).is_ok());
                let dens: Vec<_> = (0..3).map(|seat| game.piece_at(&rules, place(&rules, seat), 0)).collect();
                (dens, game.order(&rules))
            };
            let (before, order) = with(setup.rsplit_once(';').map_or("", |all| all.0));
            let (after, _) = with(&setup);
            assert_eq!(before.iter().flatten().count(), 2, "two cards are left in the pile");
            let there = |dens: &[Option<usize>]| -> Vec<Option<usize>> { order.iter().map(|&seat| dens[seat]).collect() };
            let mut wanted = there(&before);
            wanted.rotate_right(moved);
            assert_eq!(there(&after), wanted, "{words}");
        }
    }

    #[test]
    fn the_median_is_in_the_middle_and_of_two_the_lower() {
        let steps =
            "step tide { each player { idle = 10 * (median card.height of row) + (median card.height of row where card.height > 0) } }";
        for seed in 0..20 {
            let rules = rules(2, &Added { setup: "fill row from pile", steps, ..Added::default() });
            let mut game = Game::new(&rules, seed);
            assert!(game.advance(&rules, &mut NoScripts).is_ok());
            let height = rules.fields.iter().take_while(|field| field.0 != "height").map(|field| field.1 as usize).sum();
            let cards = (0..4).filter_map(|slot| game.piece_at(&rules, place(&rules, "row"), slot));
            let mut heights: Vec<i64> = cards.map(|card| rules.printed(card, height) as i64).collect();
            heights.sort_unstable();
            let high: Vec<i64> = heights.iter().copied().filter(|&height| height > 0).collect();
            let middle = |all: &[i64]| all[(all.len() - 1) / 2];
            assert_eq!(values(&rules, &game, "idle")[0], 10 * middle(&heights) + middle(&high), "{heights:?}");
        }
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

    /// The ids in each seat's den when set-up is over, or what went wrong, where a card is dealt to the first seat.
    fn dens(dealt: &str, added: &Added) -> Result<[Vec<String>; 2], String> {
        let mut rules = rules(2, added);
        let definition = (0..rules.definitions.len()).find(|&at| rules.names.text(rules.definitions[at].id) == dealt).unwrap();
        rules.dealt = vec![(definition as u32, 0)];
        let mut game = Game::new(&rules, 1);
        while game.round() == 0 {
            let asked = game.advance(&rules, &mut NoScripts).map(|asked| asked.is_some()).map_err(|fault| fault.to_string())?;
            if asked && game.round() == 0 {
                game.answer(&rules, &mut NoScripts, 0).map_err(|fault| fault.to_string())?;
            }
        }
        let ids = |at| game.all_in(&rules, at).iter().map(|&card| rules.names.text(rules.definition(card).id).to_string()).collect();
        Ok([0, 1].map(|seat| ids(place(&rules, "den") + seat)))
    }

    #[test]
    fn what_one_is_dealt_is_drawn_or_chosen_by_that_seat_and_nobody_else() {
        let drawn = "each player in reverse order { draw from pile to den }";
        let chosen = "fill row from pile; each player { player chooses { each card in row where card is wall { place card in den } } }";
        let walls = ["low_wall", "high_wall", "old_wall", "new_wall"];
        for (setup, dealt) in [(drawn, "grey_wolf")].into_iter().chain(walls.into_iter().flat_map(|wall| [(drawn, wall), (chosen, wall)])) {
            let [first, second] = dens(dealt, &Added { setup, ..Added::default() }).unwrap();
            assert_eq!((first, second.len(), second.contains(&dealt.to_string())), (vec![dealt.to_string()], 1, false), "{dealt}: {setup}");
        }
    }

    #[test]
    fn what_one_is_dealt_goes_over_no_card_that_set_up_has_given_from_a_deck() {
        let walls = "each card in row where card is wall { place card in den }";
        let setup = &format!("fill row from pile; each player where place_in_order == 1 {{ repeat 3 {{ player chooses {{ {walls} }} }} }}");
        let wrong = dens("grey_wolf", &Added { setup, ..Added::default() }).unwrap_err();
        assert!(wrong.contains("`grey_wolf` was dealt to p1 over") && wrong.contains("which set-up has given from a deck"), "{wrong}");
    }
}
