//! Imagined states: cards that a seat does not know are shuffled among the slots where they may lie, and the counters that it does not see
//! are set anew.

use super::hidden::seat_bit;
use super::imagined_values::{hide_knowledge, imagine_values, number_within};
use super::locals::hide_private;
use super::ruleset::Ruleset;
use super::state::{named_cards, replace_in_block, replace_in_frames};
use crate::cast;
use houserule_state::chance::{draw, hash_text, join};
use houserule_state::layout::{BOX, head, piece};

/// A slot: its place, its position there, and the piece that lies in it.
type Slot = (i32, i32, u16);

/// How often each slot tries to exchange its card with that of another.
const EXCHANGES: usize = 6;
/// The name, as a hash, of the random stream of these exchanges.
const EXCHANGED: u64 = hash_text("exchanged");

/// In place of whether a seat sees into a place: there is nothing to see.
const ALL_KNOWN: i32 = 2;

/// The memory of a shuffle, reused by the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shuffle {
    /// The pieces to permute, with their sort keys.
    cards: Vec<(u64, u16)>,
    /// The slots in which these pieces lie.
    slots: Vec<Slot>,
    /// The changed cells, with their new values.
    pub writes: Vec<(u32, i32)>,
    /// The moved pieces: the old and the new piece of a slot.
    pub moved: Vec<(u16, u16)>,
    /// For each piece the one that lies now where it lay.
    now_there: Vec<u16>,
    /// Memory for sorting.
    sorting: Sorting,
    /// The cards that frames name, each with the seat for which its frame runs.
    named: Vec<(usize, usize)>,
    /// The cards in place of which frames name others, each with the other one.
    exchanged: Vec<(i32, i32)>,
    /// For each place what is worked out once for all of its cards.
    of_places: Vec<i32>,
    /// The places in which these pieces lie.
    places: Vec<usize>,
    /// For each place whether it is one of these, and for each piece whether it is one of those.
    has_listed: Vec<bool>,
    is_listed: Vec<bool>,
}

/// Memory for sorting pieces by keys.
#[derive(Clone, Debug, Default)]
struct Sorting {
    /// For each value of the first bits of keys where the pieces with it begin.
    starts: Vec<usize>,
    by_first_bits: Vec<(u64, u16)>,
}

impl Sorting {
    /// Sorts pieces by their keys. Keys that are drawn by chance are put nearly in order by their first bits.
    fn sort(&mut self, cards: &mut Vec<(u64, u16)>) {
        let Sorting { starts, by_first_bits } = self;
        let bits = cards.len().checked_ilog2().unwrap_or(0);
        if bits < 5 {
            return cards.sort_unstable();
        }
        let first_bits = |key: u64| cast::low::<usize>((key >> (u64::BITS - bits)).cast_signed());
        starts.clear();
        starts.resize((1 << bits) + 1, 0);
        cards.iter().for_each(|&(key, _)| starts[first_bits(key) + 1] += 1);
        (0..1 << bits).for_each(|bits| starts[bits + 1] += starts[bits]);
        by_first_bits.resize(cards.len(), (0, 0));
        for &card in cards.iter() {
            let at = &mut starts[first_bits(card.0)];
            by_first_bits[*at] = card;
            *at += 1;
        }
        // Each number is now where the pieces with these bits end.
        let mut start = 0;
        for &end in &starts[..1 << bits] {
            if end > start + 1 {
                by_first_bits[start..end].sort_unstable();
            }
            start = end;
        }
        std::mem::swap(cards, by_first_bits);
    }
}

/// How a shuffle changes what other seats know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherKnowledge {
    /// A seat knows only the cards in its own places: so far as it is asked, what lies open goes without saying.
    Forgotten,
    /// A seat knows the cards in its own places, and those that lie open.
    Visible,
    /// The knowledge of a slot's card is transferred to the slot's new card.
    Transferred,
}

impl Shuffle {
    /// Computes the writes that permute the cards which the seat cannot distinguish, sorted by `order`, over their slots.
    fn list(&mut self, rules: &Ruleset, cells: &[i32], seat: usize, order: impl Fn(usize) -> u64) {
        self.writes.clear();
        self.moved.clear();
        self.now_there.clear();
        self.now_there.extend(0..cast::fit::<u16>(rules.layout.pieces));
        self.is_listed.resize(rules.layout.pieces, false);
        self.has_listed.resize(rules.layout.places.len(), false);
        for pieces in &rules.hidden.groups {
            self.cards.clear();
            self.places.clear();
            for &card in pieces {
                let first = rules.layout.piece(card as usize, 0);
                let place = cast::index(cells[first + piece::PLACE]);
                if cells[first + piece::KNOWN] >> seat & 1 == 0 && place > BOX {
                    self.cards.push((order(card as usize), card));
                    self.is_listed[usize::from(card)] = true;
                    if !std::mem::replace(&mut self.has_listed[place], true) {
                        self.places.push(place);
                    }
                }
            }
            self.sorting.sort(&mut self.cards);
            self.list_slots(rules, cells);
            self.fit_slots(rules, (cells, seat));
            for (&(_, card), &(place, position, before)) in self.cards.iter().zip(&self.slots) {
                if card == before {
                    continue;
                }
                self.moved.push((before, card));
                self.now_there[usize::from(before)] = card;
                let base = rules.layout.places[cast::index(place)].base + 1 + cast::fit::<u32>(position);
                let first = cast::fit::<u32>(rules.layout.piece(card as usize, 0));
                let all = [
                    (first + cast::fit::<u32>(piece::PLACE), place),
                    (first + cast::fit::<u32>(piece::POSITION), position),
                    (base, card as i32 + 1),
                ];
                self.writes.extend(all.into_iter().filter(|&(cell, value)| cells[cell as usize] != value));
            }
        }
    }

    /// Lists the slots in which the listed pieces lie, by place and position.
    fn list_slots(&mut self, rules: &Ruleset, cells: &[i32]) {
        self.slots.clear();
        self.places.sort_unstable();
        for &place in &self.places {
            self.has_listed[place] = false;
            let instance = &rules.layout.places[place];
            let slots = &cells[instance.base as usize + 1..=instance.base as usize + usize::from(instance.room)];
            let mut left = cells[instance.base as usize];
            for (position, &slot) in (0..).zip(slots) {
                if left == 0 {
                    break;
                }
                let Some(piece) = usize::try_from(slot).ok().and_then(|slot| slot.checked_sub(1)) else { continue };
                left -= 1;
                if self.is_listed.get(piece) == Some(&true) {
                    self.slots.push((cast::fit::<i32>(place), position, cast::fit::<u16>(piece)));
                }
            }
        }
        self.cards.iter().for_each(|&(_, card)| self.is_listed[usize::from(card)] = false);
    }

    /// Reorders the cards if some slots do not take all of their kinds, or the seat has been told of a part of what lies there, so that as many
    /// cards as possible lie in allowed slots: a bipartite matching by augmenting paths, and then exchanges by the keys of the cards, so that no card
    /// is the likelier in a slot for the order in which slots were filled. The result depends on the sets of cards and slots, and not on
    /// which card lies where.
    fn fit_slots(&mut self, rules: &Ruleset, (cells, seat): (&[i32], usize)) {
        let kinds_of = |slot: &Slot| match rules.places[rules.layout.places[cast::index(slot.0)].declared as usize].kinds {
            0 => u64::MAX,
            kinds => kinds,
        };
        let kinds = self.cards.iter().fold(0_u64, |kinds, &(_, card)| kinds | 1 << rules.piece_kind[card as usize]);
        let has_clues = self.slots.iter().any(|slot| rules.has_clue(cells, seat, slot.2.into()));
        if !has_clues && self.slots.iter().all(|slot| kinds_of(slot) & kinds == kinds) {
            return;
        }
        let fits = |slot: &Slot, card: u16| {
            kinds_of(slot) >> rules.piece_kind[usize::from(card)] & 1 == 1 && rules.may_be(cells, seat, slot.2.into(), card.into())
        };
        let takes = |slot: usize, card: usize| fits(&self.slots[slot], self.cards[card].1);
        let count = self.cards.len();
        let mut holders: Vec<Option<usize>> = vec![None; count];
        let mut lies = vec![false; count];
        for (first, lies) in lies.iter_mut().enumerate() {
            // Breadth-first search for a free slot, through slots whose cards can move on.
            let (mut came_from, mut reached) = (vec![None; count], vec![first]);
            let mut index = 0;
            let free = loop {
                let Some(&card) = reached.get(index) else { break None };
                index += 1;
                let fresh: Vec<usize> = (0..count).filter(|&slot| came_from[slot].is_none() && takes(slot, card)).collect();
                fresh.iter().for_each(|&slot| came_from[slot] = Some(card));
                if let Some(&slot) = fresh.iter().find(|&&slot| holders[slot].is_none()) {
                    break Some(slot);
                }
                reached.extend(fresh.iter().filter_map(|&slot| holders[slot]));
            };
            let mut next = free;
            *lies = free.is_some();
            while let Some(slot) = next {
                let Some(card) = came_from[slot] else { break };
                // Moves the cards along the path: each takes the slot that the next one leaves.
                next = holders.iter().position(|&holder| holder == Some(card));
                holders[slot] = Some(card);
                if let Some(left) = next {
                    holders[left] = None;
                }
            }
        }
        let mut rest = (0..count).filter(|&card| !lies[card]);
        let ordered: Vec<(u64, u16)> =
            holders.iter().filter_map(|holder| holder.or_else(|| rest.next())).map(|card| self.cards[card]).collect();
        self.cards.clone_from(&ordered);
        if has_clues {
            self.exchange_at_random(&fits);
        }
    }

    /// Exchanges cards between slots that take them, some times for each slot. Which two slots are tried follows from the keys of all cards.
    fn exchange_at_random(&mut self, fits: &impl Fn(&Slot, u16) -> bool) {
        let count = self.cards.len();
        let keys = self.cards.iter().fold(0_u64, |keys, card| keys.wrapping_add(join(card.0, card.1.into())));
        for step in 0..count * EXCHANGES {
            let other = draw(keys, EXCHANGED, step as u64) % cast::fit::<u64>(count);
            let (a, b) = (step % count, cast::index(cast::fit::<i64>(other)));
            if fits(&self.slots[a], self.cards[b].1) && fits(&self.slots[b], self.cards[a].1) {
                self.cards.swap(a, b);
            }
        }
    }

    /// Applies the permutation to the cells, including what other seats know.
    fn apply(&mut self, rules: &Ruleset, cells: &mut [i32], seat: usize, knowledge: OtherKnowledge) {
        self.move_clues(rules, cells);
        if !rules.clues.is_empty() && knowledge != OtherKnowledge::Transferred {
            (0..rules.layout.pieces).for_each(|card| keep_common_clues(rules, cells, seat, card));
        }
        self.writes.iter().for_each(|&(cell, value)| cells[cell as usize] = value);
        let known = |card: u16| rules.layout.piece(card as usize, piece::KNOWN);
        match knowledge {
            OtherKnowledge::Transferred => {
                let knew: Vec<i32> = self.moved.iter().map(|&(before, _)| cells[known(before)]).collect();
                self.moved.iter().zip(knew).for_each(|(&(_, now), knew)| cells[known(now)] = knew);
            }
            OtherKnowledge::Forgotten | OtherKnowledge::Visible => {
                self.of_places.clear();
                self.of_places.extend(rules.layout.places.iter().enumerate().map(|(place, instance)| {
                    let seen = rules.seats_that_see_into(place);
                    let is_said = knowledge == OtherKnowledge::Visible || rules.hides(place);
                    if is_said { seen } else { seen & seat_bit(instance.owner) }
                }));
                let pieces = cells[rules.layout.piece_base..].chunks_exact_mut(rules.layout.piece_size).take(rules.layout.pieces);
                for cells in pieces {
                    cells[piece::KNOWN] = cells[piece::KNOWN] & 1 << seat | self.of_places[cast::index(cells[piece::PLACE])];
                }
            }
        }
    }

    /// Moves what seats have been told of parts of cards with the slots of these.
    fn move_clues(&mut self, rules: &Ruleset, cells: &mut [i32]) {
        let offsets = rules.clue_offsets();
        if offsets.is_empty() {
            return;
        }
        let cells_of = |card: u16| rules.layout.piece(card.into(), offsets.start)..rules.layout.piece(card.into(), offsets.end);
        let told: Vec<i32> = self.moved.iter().flat_map(|&(before, _)| cells[cells_of(before)].to_vec()).collect();
        let written: Vec<usize> = self.moved.iter().flat_map(|&(_, now)| cells_of(now)).collect();
        written.into_iter().zip(told).for_each(|(cell, value)| self.write(cells, cell, value));
    }

    /// Returns the piece that now lies where this piece lay.
    pub fn replacement(&self, card: i32) -> i32 {
        let found = usize::try_from(card).ok().and_then(|card| self.now_there.get(card));
        found.map_or(card, |&now| now.into())
    }

    /// Resets the counters that a seat does not see to their initial values. If `random` is given, counters that rules may have written in
    /// secret get a random value of their range.
    fn reset_counters(&mut self, rules: &Ruleset, cells: &mut [i32], seat: usize, random: Option<u64>) {
        if rules.piece.is_empty() {
            return;
        }
        // Whether the seat sees into each place: the counters of a card that is out of the game are known to all.
        self.of_places.clear();
        self.of_places.extend((0..rules.layout.places.len()).map(|place| match rules.layout.places[place].room {
            0 => ALL_KNOWN,
            _ => i32::from(rules.sees_into(place, seat)),
        }));
        for card in 0..rules.layout.pieces {
            let first = rules.layout.piece(card, 0);
            let own = &cells[first..first + rules.layout.piece_size];
            let (place, knows) = (cast::index(own[piece::PLACE]), own[piece::KNOWN] >> seat & 1 == 1);
            if self.of_places[place] == ALL_KNOWN || self.of_places[place] == 1 && knows {
                continue;
            }
            let initial = rules.hidden.initial_counters(card);
            if own[piece::COUNTERS..].iter().zip(initial).any(|(cell, initial)| cell != initial) {
                for (cell, &value) in (first + piece::COUNTERS..).zip(initial) {
                    self.write(cells, cell, value);
                }
            }
            let Some(random) = random else { continue };
            let place = rules.layout.places[place].declared;
            for written in rules.hidden.written_in(place) {
                if may_be_written(rules, cells, seat, written.offset as usize, place) {
                    let chance = draw(join(random, hash_text("counters")), u64::from(written.offset), card as u64);
                    self.write(cells, rules.layout.piece(card, written.offset as usize), number_within(written.range, chance));
                }
            }
        }
    }

    /// Replaces the hidden values that a seat does not know: by what depends on nothing hidden, or, if `random` is given, by what they may
    /// be. What other seats know of hidden values is replaced, too.
    fn reset_values(&mut self, rules: &Ruleset, cells: &mut [i32], seat: usize, random: Option<u64>) {
        if rules.secrets.is_empty() && rules.hidden.secret.is_empty() {
            return;
        }
        let mut found = Vec::new();
        imagine_values(rules, cells, seat, random, &mut |cell, value| found.push((cell, value)));
        hide_knowledge(rules, cells, seat, &mut |cell, value| found.push((cell, value)));
        found.into_iter().for_each(|(cell, value)| self.write(cells, cell, value));
    }

    fn write(&mut self, cells: &mut [i32], cell: usize, value: i32) {
        if cells[cell] != value {
            cells[cell] = value;
            self.writes.push((cast::fit::<u32>(cell), value));
        }
    }

    /// Permutes the cards that a seat does not know, both in the current cells and in the snapshot of a simultaneous block.
    /// [`Shuffle::writes`] then holds the writes to the current cells.
    fn permute(
        &mut self,
        rules: &Ruleset,
        cells_and_snapshot: (&mut [i32], &mut [i32]),
        seat: usize,
        order: &impl Fn(usize) -> u64,
        knowledge: OtherKnowledge,
        named: &impl Fn(usize) -> u64,
    ) {
        let (cells, before) = cells_and_snapshot;
        if !before.is_empty() {
            self.list(rules, before, seat, order);
            self.apply(rules, before, seat, knowledge);
            replace_in_block(rules, before, |card| self.replacement(card));
        }
        self.list(rules, cells, seat, order);
        self.apply(rules, cells, seat, knowledge);
        if !self.moved.is_empty() {
            replace_in_frames(rules, cells, |card| self.replacement(card));
        }
        self.exchange_named(rules, cells, before, seat, named);
        if knowledge != OtherKnowledge::Transferred {
            hide_private(rules, cells, before, seat);
        }
    }

    /// What others have chosen, but not yet moved: a seat does not know which of the cards in another's hidden place was named, nor in which
    /// slot it lies, though it may know the cards. Where frames name such cards, others take their place: the first that a frame names becomes
    /// the one at the position `named` (of the place) modulo their count, and those behind it follow.
    fn exchange_named(&mut self, rules: &Ruleset, cells: &mut [i32], before: &mut [i32], seat: usize, named: &impl Fn(usize) -> u64) {
        if !rules.places.iter().any(|place| place.hidden) {
            return;
        }
        named_cards(rules, cells, &mut self.named);
        self.exchanged.clear();
        for index in 0..self.named.len() {
            let (card, me) = self.named[index];
            let place_of = |card: usize| cast::index(cells[rules.layout.piece(card, piece::PLACE)]);
            let place = place_of(card);
            let is_first = self.named[..index].iter().all(|&(earlier, _)| place_of(earlier) != place);
            if !is_first || me == seat || !rules.hides(place) || rules.sees_into(place, seat) {
                continue;
            }
            let instance = &rules.layout.places[place];
            let slots = &cells[instance.base as usize + 1..=instance.base as usize + instance.room as usize];
            let from = self.exchanged.len();
            self.exchanged.extend(slots.iter().filter(|&&card| card > 0).map(|&card| (card - 1, card - 1)));
            let lying = &mut self.exchanged[from..];
            if let Some(first) = lying.iter().position(|&(lies, _)| cast::index(lies) == card) {
                let count = lying.len();
                let becomes = cast::index(cast::fit::<i64>(named(place) % cast::fit::<u64>(count)));
                for at in 0..count {
                    lying[at].1 = lying[(at + becomes + count - first) % count].0;
                }
            }
        }
        if !self.exchanged.is_empty() {
            let other = |card: i32| self.exchanged.iter().find(|pair| pair.0 == card).map_or(card, |pair| pair.1);
            replace_in_frames(rules, cells, other);
            replace_in_block(rules, before, other);
        }
    }

    /// Turns a state into what a seat sees: unknown cards lie in the order of their indices, and the seed is 0.
    pub fn canonicalize(&mut self, rules: &Ruleset, (cells, before): (&mut [i32], &mut [i32]), seat: usize) {
        self.permute(rules, (&mut *cells, &mut *before), seat, &|card| card as u64, OtherKnowledge::Forgotten, &|_| 0);
        self.reset([before, cells], rules, seat, None, [0; 2]);
    }

    /// Permutes the cards that a seat does not know by a given order. What other seats know stays with the slots.
    pub fn permute_by(
        &mut self,
        rules: &Ruleset,
        cells_and_snapshot: (&mut [i32], &mut [i32]),
        seat: usize,
        order: &impl Fn(usize) -> u64,
    ) {
        self.permute(rules, cells_and_snapshot, seat, order, OtherKnowledge::Transferred, order);
    }

    /// Turns a state into one that a seat can imagine: unknown cards are shuffled, and the seed is another one.
    pub fn imagine(&mut self, rules: &Ruleset, (cells, before): (&mut [i32], &mut [i32]), seat: usize, random: u64) {
        let named = |place: usize| draw(random, hash_text("named"), place as u64);
        self.permute(rules, (&mut *cells, &mut *before), seat, &|card| draw(random, 0, card as u64), OtherKnowledge::Visible, &named);
        let seed = cast::halves(draw(random, hash_text("imagined"), 0));
        self.reset([before, cells], rules, seat, Some(random), seed);
    }

    /// Resets what a seat does not see of counters and hidden values, in the snapshot (if there is one) and in the current cells, and sets the seed.
    /// These cells come last, because `writes` is used afterwards.
    fn reset(&mut self, parts: [&mut [i32]; 2], rules: &Ruleset, seat: usize, random: Option<u64>, seed: [i32; 2]) {
        for cells in parts.into_iter().filter(|cells| !cells.is_empty()) {
            self.reset_counters(rules, cells, seat, random);
            self.reset_values(rules, cells, seat, random);
            [cells[head::SEED_LOW], cells[head::SEED_HIGH]] = seed;
        }
    }
}

/// Leaves of what other seats have been told of parts of a card what all have been told together.
pub(crate) fn keep_common_clues(rules: &Ruleset, cells: &mut [i32], seat: usize, card: usize) {
    for clue in &rules.clues {
        let common = cells[rules.common_clue_cell(clue, card)];
        (0..rules.players).filter(|&other| other != seat).for_each(|other| cells[rules.clue_cell(clue, card, other)] = common);
    }
}

/// Whether a seat must assume that a counter was written on cards in another seat's hidden place. It judges by its own place: the answer
/// is no if the seat has cards there, and the counter was written on none of them.
fn may_be_written(rules: &Ruleset, cells: &[i32], seat: usize, offset: usize, place: u16) -> bool {
    let declared = &rules.places[place as usize];
    if !declared.of_seat {
        return true;
    }
    let own = &rules.layout.places[declared.first_instance as usize + seat];
    let slots = &cells[own.base as usize + 1..=own.base as usize + own.room as usize];
    let mut lying = slots.iter().filter(|&&card| card > 0).map(|&card| cast::index(card) - 1).peekable();
    let is_new = |card: usize| cells[rules.layout.piece(card, offset)] == rules.hidden.initial_counters(card)[offset - piece::COUNTERS];
    lying.peek().is_none() || lying.any(|card| !is_new(card))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::testing::{DENS, PILE, game, laid, rules};
    use std::collections::BTreeSet;

    /// Returns the cells of a state that a seat can imagine.
    fn imagined(rules: &Ruleset, game: &Game, seat: usize, random: u64) -> Vec<i32> {
        let mut cells = game.cells().to_vec();
        Shuffle::default().imagine(rules, (&mut cells, &mut []), seat, random);
        cells
    }

    #[test]
    fn what_others_know_and_what_is_counted_on_hidden_cards_is_in_no_imagined_state() {
        let mut rules = rules(|rules, _| {
            rules.places[0].hidden = true;
            let (name, offset, len) = ("spots".to_string(), piece::COUNTERS as u16, 1);
            let (lifetime, sort) = (crate::ruleset::Lifetime::Game, crate::ruleset::VariableSort::Counter);
            rules.piece.push(crate::ruleset::Variable {
                name,
                offset,
                len,
                lifetime,
                sort,
                words: Vec::new(),
                kinds: u64::MAX,
                unshown: false,
            });
        });
        rules.hidden = crate::hidden::Hidden::compute(&rules);
        let mut game = laid(&rules, [(3, 0, 0)]);
        game.put(&rules, rules.layout.piece(3, piece::COUNTERS), 4);
        let looked_at = |seat: usize, random: u64| {
            let cells = imagined(&rules, &game, seat, random);
            let there = cells[rules.layout.places[DENS].base as usize + 1] as usize - 1;
            let all = |offset: usize| (0..4).map(|card| cells[rules.layout.piece(card, offset)]).collect::<Vec<_>>();
            (there, all(piece::KNOWN), all(piece::COUNTERS))
        };
        let mut lay = BTreeSet::new();
        for random in 0..30 {
            assert_eq!(looked_at(0, random), (3, vec![0, 0, 0, 1], vec![0, 0, 0, 4]), "its own card is as it is");
            let (there, known, counted) = looked_at(1, random);
            lay.insert(there);
            assert!((0..4).all(|card| known[card] == i32::from(card == there)), "{known:?}: only where it lies is known");
            assert_eq!(counted, [0; 4]);
        }
        assert_eq!(lay.len(), 4);
    }

    #[test]
    fn cards_lie_only_where_their_kinds_may_lie() {
        let mut rules = rules(|rules, _| rules.places[0].hidden = true);
        // The dens take the second card and its twin alone.
        rules.places[0].kinds = 0b10;
        let game = laid(&rules, [(1, 0, 0)]);
        let mut lay = BTreeSet::new();
        for random in 0..30 {
            let cells = imagined(&rules, &game, 1, random);
            lay.insert(cells[rules.layout.places[DENS].base as usize + 1] - 1);
            let all: BTreeSet<i32> = (0..4)
                .map(|card| cells[rules.layout.piece(card, piece::PLACE)] * 10 + cells[rules.layout.piece(card, piece::POSITION)])
                .collect();
            assert_eq!(all.len(), 4);
        }
        assert_eq!(lay.into_iter().collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn pieces_are_sorted_by_any_keys() {
        let mut sorting = Sorting::default();
        for count in [0, 1, 31, 32, 100, 1000] {
            for shift in [0, 40, 60] {
                let cards: Vec<(u64, u16)> = (0..count).map(|card| (draw(5, 0, card) >> shift, card as u16)).collect();
                let (mut sorted, mut wanted) = (cards.clone(), cards);
                sorting.sort(&mut sorted);
                wanted.sort_unstable();
                assert_eq!(sorted, wanted, "{count} {shift}");
            }
        }
    }

    #[test]
    fn what_is_unknown_changes_places_and_what_is_known_stays() {
        let rules = rules(|_, _| {});
        let top = game(&rules).position(&rules).piece_at(PILE, 3).expect("a piece");
        let game = laid(&rules, [(top, 0, 0)]);
        let (mut shuffle, mut orders) = (Shuffle::default(), BTreeSet::new());
        for random in 0..40 {
            let mut cells = game.cells().to_vec();
            shuffle.imagine(&rules, (&mut cells, &mut []), 1, random);
            let base = rules.layout.places[PILE].base as usize;
            let mut pile = cells[base + 1..base + 4].to_vec();
            orders.insert(pile.clone());
            for (slot, &piece) in pile.iter().enumerate() {
                let first = rules.layout.piece(piece as usize - 1, 0);
                assert_eq!(cells[first..first + 2], [PILE as i32, slot as i32]);
            }
            pile.push(top as i32 + 1);
            pile.sort_unstable();
            assert_eq!(pile, [1, 2, 3, 4]);
            assert_eq!(cells[rules.layout.piece(top, piece::PLACE)], DENS as i32);
        }
        assert_eq!(orders.len(), 6);
    }
}
