//! Operations that move cards: drawing, filling grids, moving rows, passing on, shuffling, swapping.

use super::card_log;
use super::checks;
use super::dealing;
use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::moves;
use super::position::instance;
use super::ruleset::{Direction, NodeId, Shape};
use super::sets;
use crate::cast;
use houserule_state::chance::{draw, join};
use houserule_state::layout::{BOX, piece};

/// The instance of a deck, by its number from 1.
///
/// # Errors
/// There is no deck of this number.
pub fn deck_instance(machine: &mut Machine<'_>, deck: u16, index: NodeId, env: &mut Env) -> Result<usize, Stop> {
    let rules = machine.rules;
    let number = machine.eval(index, env);
    let declared = &rules.places[deck as usize];
    if number < 1 || number > declared.instances as i64 {
        return Err(Stop::fault(format!("there is no deck `{}[{number}]`; they go from 1 to {}", declared.name, declared.instances)));
    }
    Ok(declared.first as usize + cast::index(number) - 1)
}

pub(crate) fn draw_into(machine: &mut Machine<'_>, deck: usize, to: usize, me: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let card = match dealing::dealt_card(machine, deck, to, me) {
        Some(card) => card,
        None => match card_to_draw(machine, deck) {
            Some(card) => card,
            None => return Ok(()),
        },
    };
    let instance = instance(rules, to, me);
    let room = rules.layout.places[instance].room as i64;
    let Some(slot) = machine.position().free_slot(instance, room) else {
        let name = &rules.places[to].name;
        let cards = if room == 1 { "card" } else { "cards" };
        let message = format!("a card was drawn to `{name}`, where no place is free: there is room for {room} {cards}");
        return Err(Stop::fault(format!("{message}; `place {name} of KIND: NUMBER` makes more")));
    };
    machine.log_line(|| match rules.places[to].hidden {
        true => format!("p{} draws a card", me + 1),
        false => format!("{} is drawn", rules.names.text(rules.definition(card).id)),
    });
    moves::move_piece(machine, card, instance, slot)?;
    checks::after_change(machine)
}

/// The next card to draw: the first fixed draw whose card lies in the deck, or else the top card.
fn card_to_draw(machine: &mut Machine<'_>, deck: usize) -> Option<usize> {
    let waits = |game: &Machine<'_>, index: &usize| {
        let fixed = game.memory.log.fixed_draws[*index];
        fixed.deck == deck && !fixed.drawn && game.position().place_of(fixed.card).0 == deck
    };
    match (0..machine.memory.log.fixed_draws.len()).find(|index| waits(machine, index)) {
        Some(index) => {
            machine.memory.log.fixed_draws[index].drawn = true;
            Some(machine.memory.log.fixed_draws[index].card)
        }
        None => dealing::top_undealt_card(machine, deck),
    }
}

/// Fills the empty slots of a grid from a deck, until the deck is empty.
///
/// # Errors
/// There is no such deck, or a fault of what happens when a card leaves it.
pub fn fill(machine: &mut Machine<'_>, grid: u16, deck: u16, index: NodeId, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.rules;
    let deck = deck_instance(machine, deck, index, env)?;
    let instance = instance(rules, grid as usize, env.me);
    for slot in 0..rules.layout.places[instance].room as usize {
        if rules.places[grid as usize].is_space(slot) && machine.position().piece_at(instance, slot).is_none() {
            let Some(card) = card_to_draw(machine, deck) else { break };
            moves::move_piece(machine, card, instance, slot)?;
        }
    }
    checks::after_change(machine)
}

pub(crate) fn move_row(machine: &mut Machine<'_>, grid: usize, from: i64, to: i64) -> Result<(), Stop> {
    let rules = machine.rules;
    let declared = &rules.places[grid];
    let Shape::Grid { rows, columns, .. } = declared.shape else { return Ok(()) };
    let (instance, columns) = (declared.first as usize, columns as usize);
    let is_row = |row: i64| row >= 1 && row <= rows as i64;
    if !is_row(from) || !is_row(to) {
        return Err(Stop::fault(format!("`{}` has rows 1 to {rows}", declared.name)));
    }
    for column in 0..columns {
        let Some(card) = machine.position().piece_at(instance, (cast::index(from) - 1) * columns + column) else { continue };
        let first = (cast::index(to) - 1) * columns;
        let free = |slot: &usize| declared.is_space(*slot) && machine.position().piece_at(instance, *slot).is_none();
        if let Some(slot) = (first..first + columns).find(free) {
            moves::move_piece(machine, card, instance, slot)?;
        }
    }
    checks::after_change(machine)
}

/// Moves the cards in a place of each seat to the same slots of the next seat, or of the previous one.
pub(crate) fn pass_on(machine: &mut Machine<'_>, place: usize, direction: Direction) -> Result<(), Stop> {
    let rules = machine.rules;
    let mut seats = machine.position().order();
    if direction == Direction::Reverse {
        seats.reverse();
    }
    let next = seats.iter().cycle().skip(1);
    let mut passed = Vec::new();
    for (&from, &to) in seats.iter().zip(next) {
        let [from, to] = [from, to].map(|seat| instance(rules, place, seat));
        let slots = 0..rules.layout.places[from].room as usize;
        passed.extend(slots.filter_map(|slot| Some((machine.position().piece_at(from, slot)?, to, slot))));
    }
    passed.iter().try_for_each(|&(card, ..)| moves::move_piece(machine, card, BOX, 0))?;
    passed.iter().try_for_each(|&(card, to, slot)| moves::move_piece(machine, card, to, slot))?;
    checks::after_change(machine)
}

/// Puts a card onto a map, at the position where the card `anchor` lies on its map.
///
/// # Errors
/// `anchor` lies on no map of the same size, or another card lies at the position.
pub(crate) fn place_at(machine: &mut Machine<'_>, card: usize, map: usize, anchor: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let (from, slot) = machine.position().place_of(anchor);
    let (name, to) = (&rules.places[map].name, rules.places[map].first as usize);
    let same =
        rules.layout.places[from].room > 0 && rules.places[rules.layout.places[from].declared as usize].shape == rules.places[map].shape;
    if !same {
        let anchor = rules.names.text(rules.definition(anchor).id);
        return Err(machine.fault(format!("`{anchor}` lies on no map of the size of `{name}`, so that nothing can be placed at it")));
    }
    if let Some(there) = machine.position().piece_at(to, slot).filter(|&there| there != card) {
        let there = rules.names.text(rules.definition(there).id);
        return Err(machine.fault(format!("`{there}` lies there in `{name}` already")));
    }
    if machine.position().place_of(card) == (to, slot) {
        return Ok(());
    }
    let columns = if let Shape::Grid { columns, .. } = rules.places[map].shape { columns as usize } else { 1 };
    let old_place = machine.position().place_of(card).0;
    let sees = |seat: usize| rules.sees_into(old_place, seat) || rules.sees_into(to, seat);
    let position = format!("{name} row {} column {}", slot / columns + 1, slot % columns + 1);
    card_log::log_cards(machine, [card], |_, _, seat| sees(seat), |[card]| format!("{card} is placed in {position}"));
    moves::move_piece(machine, card, to, slot)?;
    checks::after_change(machine)
}

/// Puts cards into a deck and shuffles it; nobody knows its order then. Each shuffle uses another step of the deck's random stream.
pub(crate) fn shuffle(machine: &mut Machine<'_>, set: Option<u32>, deck: u16, index: NodeId, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.rules;
    let deck = deck_instance(machine, deck, index, env)?;
    let mut cards = Vec::new();
    if let Some(set) = set {
        sets::cards_of(machine, set, env, &mut cards);
    }
    let lying = (0..machine.position().pieces_in(deck)).filter_map(|slot| machine.position().piece_at(deck, slot));
    let mut all: Vec<usize> = lying.collect();
    let stay = all.len();
    all.extend(cards.into_iter().map(cast::index));
    let times = match rules.shuffle_counter {
        Some(cell) => {
            let times = machine.state.cells()[cell as usize] as i64 + 1;
            machine.put(cell as usize, times)?;
            cast::fit::<u64>(times)
        }
        None => 1,
    };
    // Cards already in the deck do not leave it. They are taken from the top, so that no other card has to move up.
    all[stay..].iter().try_for_each(|&card| moves::move_piece(machine, card, BOX, 0))?;
    all[..stay].iter().rev().try_for_each(|&card| moves::move_silently(machine, card, BOX, 0))?;
    let (seed, stream) = (machine.state.seed(), rules.deck_stream(cast::fit::<u16>(deck)));
    all.sort_by_cached_key(|&card| {
        let stream = join(join(stream, rules.piece_hash[card]), times);
        (draw(seed, stream, rules.piece_copy[card] as u64), card)
    });
    for (position, &card) in all.iter().enumerate() {
        moves::move_piece(machine, card, deck, position)?;
        machine.put(rules.layout.piece(card, piece::KNOWN), 0)?;
    }
    machine.log_line(|| format!("{} is shuffled", rules.places[rules.layout.places[deck].declared as usize].name));
    checks::after_change(machine)
}

/// Swaps two cards.
pub(crate) fn swap(machine: &mut Machine<'_>, a: usize, b: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let [(place_of_a, slot_of_a), (place_of_b, slot_of_b)] = [a, b].map(|card| machine.position().place_of(card));
    if a == b {
        return Ok(());
    }
    let place = &rules.layout.places[place_of_a];
    if place_of_a == place_of_b && place.room > 0 {
        // Neither card leaves the place.
        for (card, slot) in [(a, slot_of_b), (b, slot_of_a)] {
            machine.put(place.base as usize + 1 + slot, cast::count(card) + 1)?;
            machine.put(rules.layout.piece(card, piece::POSITION), cast::count(slot))?;
        }
    } else {
        [a, b].into_iter().try_for_each(|card| moves::move_piece(machine, card, BOX, 0))?;
        moves::move_piece(machine, a, place_of_b, slot_of_b)?;
        moves::move_piece(machine, b, place_of_a, slot_of_a)?;
    }
    // The card's name is logged only for seats that see into its old or new place, even if others have seen the card before.
    let sees = |seat: usize| rules.sees_into(place_of_a, seat) || rules.sees_into(place_of_b, seat);
    card_log::log_cards(machine, [a, b], |_, _, seat| sees(seat), |[a, b]| format!("{a} and {b} change places"));
    checks::after_change(machine)
}

pub(crate) fn put_printed(machine: &mut Machine<'_>, holder: i64, field: usize, to: usize, me: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    if holder < 0 {
        return Ok(());
    }
    let start = cast::index(rules.definition(cast::index(holder)).fields[field]);
    let list = if start == 0 { &[] } else { &rules.pool[start + 1..start + 1 + cast::index(rules.pool[start])] };
    put_copies(machine, list, to, me)
}

pub(crate) fn put_copies(machine: &mut Machine<'_>, definitions: &[i32], to: usize, me: usize) -> Result<(), Stop> {
    let rules = machine.rules;
    let instance = instance(rules, to, me);
    for &definition in definitions {
        let card = (0..rules.layout.pieces).find(|&p| {
            rules.piece_definition[p] == cast::fit::<u32>(definition)
                && cast::index(machine.state.cells()[rules.layout.piece(p, piece::PLACE)]) == BOX
        });
        let room = rules.layout.places[instance].room as i64;
        if let (Some(card), Some(slot)) = (card, machine.position().free_slot(instance, room)) {
            moves::move_piece(machine, card, instance, slot)?;
        }
    }
    checks::after_change(machine)
}

#[cfg(test)]
mod tests {
    use crate::Game;
    use crate::Ruleset;
    use crate::decision::Question;
    use houserule_state::layout::OUT;
    #[test]
    fn what_is_shuffled_lies_in_the_deck_in_an_order_that_nobody_knows() {
        let added = Added { setup: "fill row from pile; shuffle cards in row into pile", ..Added::default() };
        let (rules, game) = game(&added);
        let place = |name: &str| rules.places[rules.find_place(name).unwrap_or(0)].first as usize;
        assert_eq!(
            (game.position(&rules).pieces_in(place("row")), game.position(&rules).pieces_in(place("pile"))),
            (0, rules.layout.pieces)
        );
        let orders: std::collections::BTreeSet<Vec<usize>> = (0..20)
            .map(|seed| {
                let mut game = Game::new(&rules, seed);
                assert!(game.on(&rules).advance(&mut crate::NoScripts).is_ok());
                game.position(&rules).all_in(place("pile"))
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
        assert_eq!((game.position(&rules).pieces_in(place("row")), game.position(&rules).pieces_in(place("den"))), (4, 1));
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
        assert!(game.on(&rules).advance(&mut NoScripts).is_ok());
        let told = |seat: usize| game.log_for(seat, 0).filter(|line| line.ends_with("change places")).collect::<Vec<_>>();
        let order = game.position(&rules).order();
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
            game.position(&rules).all_in(place).iter().map(|&card| game.cells()[rules.layout.piece(card, piece::KNOWN)]).collect::<Vec<_>>()
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
        assert_eq!((game.position(&rules).pieces_in(place(&rules, "row")), game.position(&rules).pieces_in(place(&rules, "pile"))), (2, 0));
    }

    #[test]
    fn rows_are_packed_left() {
        let (rules, game) = game(&Added {
            setup: "fill row from pile; remove cards in row row 1; move cards in row row 2 to row 1, packed left",
            ..Added::default()
        });
        let row = place(&rules, "row");
        let there: Vec<bool> = (0..4).map(|slot| game.position(&rules).piece_at(row, slot).is_some()).collect();
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
                assert!(game.on(&rules).advance(&mut NoScripts).is_ok());
                let dens: Vec<_> = (0..3).map(|seat| game.position(&rules).piece_at(place(&rules, seat), 0)).collect();
                (dens, game.position(&rules).order())
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
            assert!(game.on(&rules).advance(&mut NoScripts).is_ok());
            let height = rules.fields.iter().take_while(|field| field.0 != "height").map(|field| field.1 as usize).sum();
            let cards = (0..4).filter_map(|slot| game.position(&rules).piece_at(place(&rules, "row"), slot));
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
        assert_eq!((game.position(&rules).pieces_in(den), keys.len()), (3, 3));
        let covered = game.position(&rules).piece_at(den, 1);
        answer(&rules, &mut game, &keys[1]);
        assert_eq!(game.position(&rules).pieces_in(den), 3);
        assert!(game.position(&rules).piece_at(den, 1) != covered && game.position(&rules).place_of(covered.unwrap_or(0)).0 == OUT);
        assert_eq!(game.position(&rules).place_name(covered.unwrap_or(0)), "out of the game");
        assert_eq!(game.position(&rules).place_name(game.position(&rules).piece_at(den, 0).unwrap_or(0)), "p1.den");
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
        rules.dealt_cards = vec![(definition as u32, 0)];
        let mut game = Game::new(&rules, 1);
        while game.round() == 0 {
            let asked = game.on(&rules).advance(&mut NoScripts).map(|asked| asked.is_some()).map_err(|fault| fault.to_string())?;
            if asked && game.round() == 0 {
                game.on(&rules).answer(&mut NoScripts, 0).map_err(|fault| fault.to_string())?;
            }
        }
        let ids =
            |at| game.position(&rules).all_in(at).iter().map(|&card| rules.names.text(rules.definition(card).id).to_string()).collect();
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
