//! Operations that move cards: drawing, filling grids, removing, moving rows, passing on, shuffling, swapping.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::op::Stacking;
use super::position::instance;
use super::ruleset::{Direction, NodeId, Ruleset, Shape};
use super::state::Frame;
use super::store::Store;
use super::{card_log, checks, dealt, forgetting, listeners, moves, sets, slots, waiting};
use crate::cast;
use houserule_state::chance::{draw, join};
use houserule_state::layout::{BOX, TABLE, piece};

/// Returns the instance of a deck, by its number from 1, which is a seat's place among the seats if each seat has one; `None` for that of nobody.
///
/// # Errors
/// There is no deck of this number.
pub fn deck_instance(store: &mut Store<'_>, deck: u16, index: NodeId, env: &mut Env) -> Result<Option<usize>, Stop> {
    let rules = store.rules;
    let number = store.eval(index, env);
    let declared = &rules.places[deck as usize];
    if declared.of_seat && number == 0 {
        return Ok(None);
    }
    if number < 1 || number > declared.instances as i64 {
        return Err(Stop::fault(format!("there is no deck `{}[{number}]`; they go from 1 to {}", declared.name, declared.instances)));
    }
    Ok(Some(declared.first_instance as usize + cast::index(number) - 1))
}

/// [`super::op::Op::Draw`]: draws a card from a deck, by its number from 1, into a place of the current seat or of another one. What replaces a named
/// draw runs in its place.
///
/// # Errors
/// There is no such deck, or no place is free.
pub(crate) fn draw_card(
    machine: &mut Machine<'_>,
    (deck, pile, from_bottom): (u16, NodeId, bool),
    (to, owner): (u16, Option<NodeId>),
    name: Option<u16>,
    frame: &mut Frame,
) -> Result<(), Stop> {
    let store = &mut machine.store;
    let Some(owner) = store.owner_of(owner, &mut frame.env) else { return Ok(()) };
    if let Some(instead) = name.and_then(|name| listeners::replaced(store, name, None)) {
        return waiting::start_frame(store, frame, instead);
    }
    let Some(deck) = deck_instance(store, deck, pile, &mut frame.env)? else { return Ok(()) };
    draw_into(machine, (deck, from_bottom), usize::from(to), owner)
}

fn draw_into(machine: &mut Machine<'_>, (deck, from_bottom): (usize, bool), to: usize, me: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let dealt = dealt::dealt_card(&machine.store, deck, to, me);
    if dealt.is_none() {
        refill_if_empty(machine, deck)?;
    }
    let Some(card) = dealt.or_else(|| card_to_draw(&mut machine.store, deck, from_bottom)) else { return Ok(()) };
    let instance = instance(rules, to, me);
    let room = rules.layout.places[instance].room as i64;
    let Some(slot) = machine.store.position().free_slot(instance, room) else {
        let name = &rules.places[to].name;
        let cards = if room == 1 { "card" } else { "cards" };
        let message = format!("a card was drawn to `{name}`, where no place is free: there is room for {room} {cards}");
        return Err(Stop::fault(format!("{message}; `place {name} of KIND: NUMBER` makes more")));
    };
    if rules.places[to].from_owner {
        let text = |[card]: [&str; 1]| format!("p{} draws {card}", me + 1);
        card_log::log_cards(&mut machine.store, [card], |seat| rules.sees_into(instance, seat), text);
    } else {
        let (name, to_deck) = (&rules.places[to].name, rules.places[to].shape == Shape::Deck);
        machine.store.log_line(|| match rules.places[to].hidden || to_deck {
            true if to_deck && rules.places[to].of_seat => format!("p{}: {} is placed in {name}", me + 1, card_log::UNSEEN),
            true if rules.places[to].of_seat => format!("p{} draws a card", me + 1),
            true => format!("a card is drawn to {name}"),
            false => format!("{} is drawn", rules.names.text(rules.definition(card).id)),
        });
    }
    moves::move_piece(machine, card, instance, slot)?;
    checks::after_change(machine)
}

/// Returns the next card to draw: the first fixed draw whose card lies in the deck, or else the top card or the bottom one.
fn card_to_draw(store: &mut Store<'_>, deck: usize, from_bottom: bool) -> Option<usize> {
    let waits = |game: &Store<'_>, index: &usize| {
        let fixed = game.live.log.fixed.draws[*index];
        fixed.deck == deck && !fixed.drawn && game.position().place_of(fixed.card).0 == deck
    };
    match (0..store.live.log.fixed.draws.len()).find(|index| waits(store, index)) {
        Some(index) => {
            store.live.log.fixed.draws[index].drawn = true;
            Some(store.live.log.fixed.draws[index].card)
        }
        None => dealt::undealt_card(store, deck, from_bottom),
    }
}

/// Fills the empty slots of a grid from a deck, until the deck is empty.
///
/// # Errors
/// There is no such deck, or a fault of what happens when a card leaves it.
pub fn fill(machine: &mut Machine<'_>, grid: u16, deck: u16, index: NodeId, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let Some(deck) = deck_instance(&mut machine.store, deck, index, env)? else { return Ok(()) };
    let instance = instance(rules, grid as usize, env.me);
    for slot in 0..rules.layout.places[instance].room as usize {
        if rules.places[grid as usize].is_space(slot) && machine.store.position().piece_at(instance, slot).is_none() {
            refill_if_empty(machine, deck)?;
            let Some(card) = card_to_draw(&mut machine.store, deck, false) else { break };
            moves::move_piece(machine, card, instance, slot)?;
        }
    }
    checks::after_change(machine)
}

/// Moves the cards of a row of a grid to another row, packed left.
pub(crate) fn move_row(machine: &mut Machine<'_>, grid: u16, from: NodeId, to: NodeId, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let (from, to) = (machine.store.eval(from, env), machine.store.eval(to, env));
    let declared = &rules.places[usize::from(grid)];
    let Shape::Grid { rows, columns, .. } = declared.shape else { return Ok(()) };
    let (instance, columns) = (instance(rules, usize::from(grid), env.me), columns as usize);
    let is_row = |row: i64| row >= 1 && row <= rows as i64;
    if !is_row(from) || !is_row(to) {
        return Err(Stop::fault(format!("`{}` has rows 1 to {rows}", declared.name)));
    }
    for column in 0..columns {
        let Some(card) = machine.store.position().piece_at(instance, (cast::index(from) - 1) * columns + column) else { continue };
        let first = (cast::index(to) - 1) * columns;
        let free = |slot: &usize| declared.is_space(*slot) && machine.store.position().piece_at(instance, *slot).is_none();
        if let Some(slot) = (first..first + columns).find(free) {
            moves::move_piece(machine, card, instance, slot)?;
        }
    }
    checks::after_change(machine)
}

/// Moves the cards in a place of each seat to the same slots of the next seat, or of the previous one.
pub(crate) fn pass_on(machine: &mut Machine<'_>, place: usize, direction: Direction) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let mut seats = machine.store.position().order();
    if direction == Direction::Reverse {
        seats.reverse();
    }
    let next = seats.iter().cycle().skip(1);
    let mut passed = Vec::new();
    for (&from, &to) in seats.iter().zip(next) {
        let [from, to] = [from, to].map(|seat| instance(rules, place, seat));
        let slots = 0..rules.layout.places[from].room as usize;
        passed.extend(slots.filter_map(|slot| Some((machine.store.position().piece_at(from, slot)?, to, slot))));
    }
    passed.iter().try_for_each(|&(card, ..)| moves::move_piece(machine, card, BOX, 0))?;
    for &(card, to, slot) in &passed {
        let slot = slots::still_free(&machine.store, to, slot);
        moves::move_piece(machine, card, to, slot)?;
    }
    checks::after_change(machine)
}

/// Puts a card onto a map, at the position where the card `anchor` lies on its map.
///
/// # Errors
/// `anchor` lies on no map of the same size, or another card lies at the position.
pub(crate) fn place_at(machine: &mut Machine<'_>, card: NodeId, map: u16, anchor: NodeId, env: &mut Env) -> Result<(), Stop> {
    let (rules, map) = (machine.store.rules, usize::from(map));
    let (card, anchor) = (machine.store.eval(card, env), machine.store.eval(anchor, env));
    let (Ok(card), Ok(anchor)) = (usize::try_from(card), usize::try_from(anchor)) else { return Ok(()) };
    let (from, slot) = machine.store.position().place_of(anchor);
    let name = &rules.places[map].name;
    let same =
        rules.layout.places[from].room > 0 && rules.places[rules.layout.places[from].declared as usize].shape == rules.places[map].shape;
    if !same {
        let anchor = rules.names.text(rules.definition(anchor).id);
        return Err(machine.store.fault(format!("`{anchor}` lies on no map of the size of `{name}`, so that nothing can be placed at it")));
    }
    place_in_slot(machine, card, (map, slot), env.me)
}

/// Puts a card onto a map, in a row and a column.
///
/// # Errors
/// The map has no such space, or another card lies there.
pub(crate) fn place_in_row(
    machine: &mut Machine<'_>,
    card: NodeId,
    map: u16,
    (row, column): (NodeId, NodeId),
    env: &mut Env,
) -> Result<(), Stop> {
    let [card, row, column] = [card, row, column].map(|part| machine.store.eval(part, env));
    let (Ok(card), map) = (usize::try_from(card), usize::from(map)) else { return Ok(()) };
    match machine.store.rules.grid_slot(map, row, column) {
        Some(slot) => place_in_slot(machine, card, (map, slot), env.me),
        None => {
            let name = &machine.store.rules.places[map].name;
            Err(machine.store.fault(format!("`{name}` has no row {row} column {column}")))
        }
    }
}

/// Puts a card into a slot of a map, which is that of the seat where each has one.
fn place_in_slot(machine: &mut Machine<'_>, card: usize, (map, slot): (usize, usize), me: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let (name, to) = (&rules.places[map].name, instance(rules, map, me));
    if let Some(there) = machine.store.position().piece_at(to, slot).filter(|&there| there != card) {
        let there = rules.names.text(rules.definition(there).id);
        return Err(machine.store.fault(format!("`{there}` lies there in `{name}` already")));
    }
    if machine.store.position().place_of(card) == (to, slot) {
        return Ok(());
    }
    let columns = if let Shape::Grid { columns, .. } = rules.places[map].shape { columns as usize } else { 1 };
    let old_place = machine.store.position().place_of(card).0;
    let sees = |seat: usize| rules.sees_into(old_place, seat) || rules.sees_into(to, seat);
    let position = format!("{name} row {} column {}", slot / columns + 1, slot % columns + 1);
    let who = if rules.places[map].of_seat { format!("p{}: ", me + 1) } else { String::new() };
    card_log::log_cards(&mut machine.store, [card], sees, |[card]| format!("{who}{card} is placed in {position}"));
    forgetting::before_move(&mut machine.store, card, to);
    moves::move_piece(machine, card, to, slot)?;
    checks::after_change(machine)
}

/// Puts cards into a deck and shuffles it, or these cards alone; nobody knows the order of what is shuffled then. Each shuffle uses another step of the
/// deck's random stream.
pub(crate) fn shuffle(
    machine: &mut Machine<'_>,
    set: Option<u32>,
    stacking: Stacking,
    (deck, index): (u16, NodeId),
    env: &mut Env,
) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let Some(deck) = deck_instance(&mut machine.store, deck, index, env)? else { return Ok(()) };
    let mut cards = Vec::new();
    if let Some(set) = set {
        sets::cards_of(&mut machine.store, set, env, &mut cards);
    }
    let mut cards: Vec<usize> = cards.into_iter().map(cast::index).collect();
    if stacking == Stacking::Into {
        // What lies there is shuffled anyway.
        cards.retain(|&card| machine.store.position().place_of(card).0 != deck);
    }
    let (name, count) = (&rules.places[rules.layout.places[deck].declared as usize].name, cards.len());
    let shuffled = if count == 1 { "1 card is shuffled".to_string() } else { format!("{count} cards are shuffled") };
    match stacking {
        Stacking::Into => {
            shuffle_into(machine, deck, cards)?;
            machine.store.log_line(|| format!("{}{name} is shuffled", whose(rules, deck)));
        }
        Stacking::Onto => {
            shuffle_onto(machine, deck, cards)?;
            machine.store.log_line(|| format!("{shuffled} onto {name}"));
        }
        Stacking::Under => {
            shuffle_onto(machine, deck, cards)?;
            let mut order = machine.store.position().all_in(deck);
            order.rotate_right(count);
            slots::reorder(&mut machine.store, deck, &order)?;
            machine.store.log_line(|| format!("{shuffled} under {name}"));
        }
    }
    checks::after_change(machine)
}

/// Shuffles the cards of its discard pile into a deck that has one, if the deck is empty.
fn refill_if_empty(machine: &mut Machine<'_>, deck: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let declared = &rules.places[rules.layout.places[deck].declared as usize];
    let Some(from) = declared.refill.filter(|_| machine.store.position().pieces_in(deck) == 0) else { return Ok(()) };
    let owner = rules.layout.places[deck].owner;
    let cards = machine.store.position().all_in(instance(rules, from.into(), owner.into()));
    if cards.is_empty() {
        return Ok(());
    }
    let whose = whose(rules, deck);
    machine
        .store
        .log_line(|| format!("{whose}{} is empty, and {} is shuffled into it", declared.name, rules.places[usize::from(from)].name));
    shuffle_into(machine, deck, cards)
}

/// Returns the words ahead of the name of a deck that say whose it is, for the log; none for one of the table.
fn whose(rules: &Ruleset, deck: usize) -> String {
    let owner = rules.layout.places[deck].owner;
    if owner == TABLE { String::new() } else { format!("p{}'s ", owner + 1) }
}

/// Moves cards into a deck and shuffles all that lies in it. The caller runs the checks.
fn shuffle_into(machine: &mut Machine<'_>, deck: usize, cards: Vec<usize>) -> Result<(), Stop> {
    let mut all = machine.store.position().all_in(deck);
    let stay = all.len();
    all.extend(cards);
    // Cards already in the deck do not leave it. They are taken from the top, so that no other card has to move up.
    for &card in &all[stay..] {
        forgetting::before_move(&mut machine.store, card, deck);
        moves::move_piece(machine, card, BOX, 0)?;
    }
    all[..stay].iter().rev().try_for_each(|&card| slots::move_silently(&mut machine.store, card, BOX, 0))?;
    stack_by_chance(machine, deck, all)
}

/// Moves cards on top of a deck, in an order by chance; those that lie there already come on top, too.
fn shuffle_onto(machine: &mut Machine<'_>, deck: usize, cards: Vec<usize>) -> Result<(), Stop> {
    for &card in cards.iter().rev() {
        if machine.store.position().place_of(card).0 == deck {
            slots::move_silently(&mut machine.store, card, BOX, 0)?;
        } else {
            forgetting::before_move(&mut machine.store, card, deck);
            moves::move_piece(machine, card, BOX, 0)?;
        }
    }
    stack_by_chance(machine, deck, cards)
}

/// Puts cards out of the box on top of a deck, in an order by chance that nobody knows.
fn stack_by_chance(machine: &mut Machine<'_>, deck: usize, mut cards: Vec<usize>) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let times = match rules.shuffle_counter {
        Some(cell) => {
            let times = machine.store.state.cells()[cell as usize] as i64 + 1;
            machine.store.put(cell as usize, times)?;
            cast::fit::<u64>(times)
        }
        None => 1,
    };
    let (seed, stream) = (machine.store.seed_of_chance(), rules.deck_stream(cast::fit::<u16>(deck)));
    cards.sort_by_cached_key(|&card| {
        let stream = join(join(stream, rules.piece_hash[card]), times);
        (draw(seed, stream, rules.piece_copy[card] as u64), card)
    });
    for card in cards {
        let top = machine.store.position().pieces_in(deck);
        moves::move_piece(machine, card, deck, top)?;
        slots::hide_from_all(&mut machine.store, card)?;
    }
    Ok(())
}

/// [`super::op::Op::RemoveSet`]: removes all cards from the game that are in a set now, one after another, with the checks after each.
///
/// # Errors
/// Faults of what happens when a card leaves its place, and of checks; the cards before it are gone then.
pub(crate) fn remove_set(machine: &mut Machine<'_>, set: u32, env: &mut Env) -> Result<(), Stop> {
    let mut cards = std::mem::take(&mut machine.store.live.lists.cards);
    sets::cards_of(&mut machine.store, set, env, &mut cards);
    let removed = cards.iter().try_for_each(|&card| moves::remove(machine, cast::index(card)));
    machine.store.live.lists.cards = cards;
    removed
}

/// Swaps two cards.
pub(crate) fn swap(machine: &mut Machine<'_>, a: NodeId, b: NodeId, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let (a, b) = (machine.store.eval(a, env), machine.store.eval(b, env));
    let (Ok(a), Ok(b)) = (usize::try_from(a), usize::try_from(b)) else { return Ok(()) };
    let [(place_of_a, slot_of_a), (place_of_b, slot_of_b)] = [a, b].map(|card| machine.store.position().place_of(card));
    if a == b {
        return Ok(());
    }
    // Within a place, rules name the two by their slots, which all see, unless somebody chose one of them.
    let is_chosen = [a, b].into_iter().any(|card| forgetting::chosen_by(&machine.store, card).is_some());
    if place_of_a != place_of_b || rules.is_pile(place_of_a) || is_chosen {
        let told = forgetting::told_which(&machine.store, a, place_of_b) & forgetting::told_which(&machine.store, b, place_of_a);
        let unaware = rules.everybody() & !told;
        [place_of_a, place_of_b].into_iter().try_for_each(|place| forgetting::forget(&mut machine.store, place, unaware))?;
    }
    let place = &rules.layout.places[place_of_a];
    if place_of_a == place_of_b && place.room > 0 {
        // Neither card leaves the place.
        for (card, slot) in [(a, slot_of_b), (b, slot_of_a)] {
            machine.store.put(place.base as usize + 1 + slot, cast::count(card) + 1)?;
            machine.store.put(rules.layout.piece(card, piece::POSITION), cast::count(slot))?;
            slots::update_active(&mut machine.store, card, place_of_a, place_of_a)?;
        }
    } else {
        [a, b].into_iter().try_for_each(|card| moves::move_piece(machine, card, BOX, 0))?;
        moves::move_piece(machine, a, place_of_b, slot_of_b)?;
        moves::move_piece(machine, b, place_of_a, slot_of_a)?;
    }
    // The card's name is logged only for seats that see into its old or new place, even if others have seen the card before.
    let sees = |seat: usize| rules.sees_into(place_of_a, seat) || rules.sees_into(place_of_b, seat);
    let text = |[a, b]: [&str; 2]| match (a, b) {
        (card_log::UNSEEN, card_log::UNSEEN) => "two cards change places".to_string(),
        _ => format!("{a} and {b} change places"),
    };
    card_log::log_cards(&mut machine.store, [a, b], sees, text);
    checks::after_change(machine)
}

/// Puts copies of the cards in a printed list from the box into a place.
pub(crate) fn put_printed(machine: &mut Machine<'_>, holder: NodeId, field: u16, to: u16, env: &mut Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let Ok(holder) = usize::try_from(machine.store.eval(holder, env)) else { return Ok(()) };
    let start = cast::index(rules.definition(holder).fields[usize::from(field)]);
    let list = if start == 0 { &[] } else { &rules.pool[start + 1..start + 1 + cast::index(rules.pool[start])] };
    put_copies(machine, list, usize::from(to), env.me)
}

/// Puts copies of cards from the box, or out of another deck, into a place of a seat.
pub(crate) fn put_copies(machine: &mut Machine<'_>, definitions: &[i32], to: usize, me: usize) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let instance = instance(rules, to, me);
    for &definition in definitions {
        let copies = || (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] == cast::fit::<u32>(definition));
        let place = |card: usize| machine.store.position().place_of(card).0;
        // Out of another deck: a card that lies where it is put already would be none more.
        let elsewhere = |card: &usize| place(*card) != instance && rules.is_deck(place(*card));
        let card = copies().find(|&card| place(card) == BOX).or_else(|| copies().find(elsewhere));
        let room = rules.layout.places[instance].room as i64;
        let name = || rules.names.text(rules.definitions[cast::index(definition)].id);
        let Some(card) = card else {
            let copies = copies().count();
            let all = if copies == 1 { "the only one is".to_string() } else { format!("all {copies} are") };
            return Err(machine.store.fault(format!(
                "no `{}` is left to be put in `{}`: {all} in the game; its `copies` make more",
                name(),
                rules.places[to].name
            )));
        };
        let Some(slot) = machine.store.position().free_slot(instance, room) else {
            return Err(super::placing::no_room(&machine.store, card, to, room));
        };
        moves::move_piece(machine, card, instance, slot)?;
    }
    checks::after_change(machine)
}

#[cfg(test)]
mod tests {
    use crate::ruleset::{PlaceDecl, Shape};

    #[test]
    fn a_map_of_hexagons_has_no_corners() {
        let shape = Shape::Grid { rows: 5, columns: 5, hexes: true, endless: false };
        let map = PlaceDecl { shape, ..crate::testing::place("map", false, Shape::Slots, 2) };
        let spaces: String = (0..25).map(|at| if map.is_space(at) { 'x' } else { '.' }).collect();
        assert_eq!(spaces, ["..xxx", ".xxxx", "xxxxx", "xxxx.", "xxx.."].concat());
    }
}
