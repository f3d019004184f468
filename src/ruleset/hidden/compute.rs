//! Computes what a ruleset can hide, and what a seat sees of a state.

use super::values::bodies_of_answers;
use super::{ChanceSecrecy, Exposures, Hidden, NONE, PrivateLocal, ValueSecrecy, Written};
use crate::cast;
use crate::clues::Clue;
use crate::graph::Expr;
use crate::node::{NodeId, Whose};
use crate::op::{ANSWER, Cells, LOCALS, Op, Pc, Target, Write};
use crate::ruleset::{Domain, Offer, Owner, Param, Ruleset, Shape};
use crate::secrets::{Bound, Secret, is_known_to, is_shown_to};
use crate::state::layout::{BOX, PIECE, TABLE, head, piece};
use std::ops::Range;

/// What a local holds while the ops of a range run.
pub(super) struct LocalRange {
    ops: Range<u32>,
    local: u8,
    content: Content,
}

#[derive(Clone, Copy)]
pub(super) enum Content {
    /// A card, of this set if it is known.
    Card(Option<u32>),
    /// A number between these bounds.
    Number(NodeId, NodeId),
}

impl Content {
    /// Returns what a local holds that gets one of these; `None` if that is neither a card nor a number.
    fn of(domain: &Domain) -> Option<Content> {
        match *domain {
            Domain::Cards(set) => Some(Content::Card(Some(set))),
            Domain::Numbers { from, to } => Some(Content::Number(from, to)),
            Domain::Words(_) | Domain::Players(_) => None,
        }
    }
}

impl Hidden {
    /// Computes what a complete ruleset can hide.
    pub fn compute(rules: &Ruleset) -> Hidden {
        let counters = rules.clue_offsets().start.saturating_sub(piece::COUNTERS);
        let mut initial_counters = vec![0; rules.layout.pieces * counters];
        for card in 0..rules.layout.pieces {
            for &(offset, first) in &rules.definition(card).counters {
                initial_counters[card * counters + offset as usize - piece::COUNTERS] = first;
            }
        }
        let groups = find_groups(rules);
        let mut group_of = vec![NONE; rules.layout.pieces];
        for (group, pieces) in groups.iter().enumerate() {
            pieces.iter().for_each(|&card| group_of[card as usize] = cast::fit::<u16>(group));
        }
        let held = find_local_contents(rules);
        let mut card_locals = vec![1; rules.ops.all.len()];
        for LocalRange { ops, local, .. } in held.iter().filter(|held| matches!(held.content, Content::Card(_))) {
            card_locals[ops.start as usize..ops.end as usize].iter_mut().for_each(|bits| *bits |= 1 << local);
        }
        let written = find_written_counters(rules, &held);
        let values = ValueSecrecy::compute(rules);
        let mut secret = find_secret_choices(rules, &held);
        secret.extend(&values.choices);
        let chances = ChanceSecrecy::compute(rules, &held, &values, &secret);
        let mut hidden = Hidden {
            groups,
            group_of,
            counters,
            initial_counters,
            written,
            secret,
            values,
            chances,
            offers_unseen: offers_unseen(rules),
            card_locals,
            private: find_private_locals(rules),
            exposures: Exposures::compute(rules),
            only_moves_tell: false,
        };
        hidden.only_moves_tell = hidden.nothing_else_tells(rules);
        hidden
    }
}

/// Finds the locals that hold values which may rest on hidden cards.
fn find_private_locals(rules: &Ruleset) -> Vec<PrivateLocal> {
    let private = |(index, op): (u32, &Op)| {
        let Op::Let { local, value, private: true, end, .. } = op else { return None };
        Some(PrivateLocal { from: index + 1, to: end.0, local: *local, value: *value })
    };
    rules.ops.numbered().filter_map(private).collect()
}

/// Whether a question offers cards that may be hidden.
fn offers_unseen(rules: &Ruleset) -> bool {
    let chosen = rules.choices.iter().flat_map(|choice| &choice.params).filter_map(Param::cards);
    let asked = rules.ops.card_questions.iter().flat_map(|ask| &ask.offers).filter_map(|(offer, _)| match offer {
        Offer::Cards(set) => Some(*set),
        Offer::Word(_) => None,
    });
    chosen.chain(asked).any(|set| {
        let set = &rules.sets[set as usize];
        let mut places = set.cards.places.iter().map(|&place| &rules.places[place as usize]);
        places.any(|place| {
            place.shape == Shape::Deck || place.hidden && (!place.of_seat || place.from_owner || set.cards.whose == Whose::All)
        })
    })
}

/// Returns the groups of indistinguishable pieces: first those of decks, then those of the box.
fn find_groups(rules: &Ruleset) -> Vec<Box<[u16]>> {
    let all_kinds = |kinds: u64| if kinds == 0 { u64::MAX } else { kinds };
    let mut groups: Vec<Vec<u16>> = rules.decks.iter().map(|(_, pieces)| pieces.clone()).collect();
    // Kinds that may lie in the same hidden place.
    let mut together: Vec<u64> = Vec::new();
    for place in rules.places.iter().filter(|place| place.hidden || place.shape == Shape::Deck) {
        let own = all_kinds(place.kinds);
        let mut joined = own;
        together.retain(|kinds| {
            let apart = kinds & own == 0;
            joined |= if apart { 0 } else { *kinds };
            apart
        });
        together.push(joined);
    }
    let is_of = |card: u16, kinds: u64| kinds >> rules.piece_kind[card as usize] & 1 == 1;
    for kinds in together {
        let of_the_box = cast::fit::<u16>(BOX);
        let of_box =
            (0..cast::fit::<u16>(rules.layout.pieces)).filter(|&card| rules.piece_home[card as usize] == of_the_box && is_of(card, kinds));
        groups.push(of_box.collect());
    }
    // Decks into which other cards are shuffled. A pile of several, such as `progress[2]`, has backs of its own.
    let shuffled = rules.ops.all.iter().filter_map(|op| op.goes_to_deck(|place| rules.places[place as usize].shape == Shape::Deck));
    let refilled = (0_u16..).zip(&rules.places).filter(|(_, place)| place.refill.is_some()).map(|(index, _)| index);
    for deck in shuffled.chain(refilled) {
        let declared = &rules.places[deck as usize];
        if declared.of_seat || declared.instances == 1 {
            let kinds = all_kinds(declared.kinds);
            let (mixed, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.iter().any(|&card| is_of(card, kinds)));
            groups = apart;
            groups.push(mixed.concat());
        }
    }
    groups.retain(|group| !group.is_empty());
    groups.into_iter().map(Vec::into_boxed_slice).collect()
}

/// Finds out what each local holds, by ranges of ops.
pub(super) fn find_local_contents(rules: &Ruleset) -> Vec<LocalRange> {
    let ops = &rules.ops;
    let mut held = Vec::new();
    let mut hold = |ops: Range<u32>, local: u8, content: Content| held.push(LocalRange { ops, local, content });
    let mut chosen = Vec::new();
    for (pc, op) in ops.numbered() {
        let before = pc.checked_sub(1).map(|before| &ops.all[before as usize]);
        match (before, op) {
            (Some(Op::EachCard { set }), Op::NextCard { local, end }) => hold(pc..end.0, *local, Content::Card(Some(*set))),
            (_, Op::NextCard { local, end }) => hold(pc..end.0, *local, Content::Card(None)),
            (Some(Op::EachNumber { from, to }), Op::NextNumber { local, end }) => hold(pc..end.0, *local, Content::Number(*from, *to)),
            (_, Op::Let { local, is_card: true, end, .. }) => hold(pc + 1..end.0, *local, Content::Card(None)),
            (_, Op::LetRandom { local, set, end }) => hold(pc + 1..end.0, *local, Content::Card(Some(*set))),
            (_, Op::LetChance { local, chance, end }) => {
                let content = Content::of(&ops.chances[*chance as usize].domain);
                content.into_iter().for_each(|content| hold(pc + 1..end.0, *local, content));
            }
            _ => chosen.extend(bodies_of_answers(rules, op).map(|(choice, body)| (&rules.choices[usize::from(choice)], body))),
        }
    }
    let routine = |begin: Pc| {
        let next = ops.owners.get(ops.owners.partition_point(|(pc, _)| pc.0 <= begin.0));
        begin.0..next.map_or(ops.next_pc().0, |(pc, _)| pc.0)
    };
    chosen.extend(rules.choices.iter().filter_map(|choice| Some((choice, routine(choice.action.as_ref()?.first_op)))));
    for (choice, body) in chosen {
        for param in &choice.params {
            Content::of(&param.domain).into_iter().for_each(|content| hold(body.clone(), param.local, content));
        }
    }
    let mut cards = |begin: Pc, locals: &[u8]| locals.iter().for_each(|&local| hold(routine(begin), local, Content::Card(None)));
    for effect in &rules.effects {
        (1..=effect.params).filter(|param| effect.cards >> param & 1 == 1).for_each(|param| cards(effect.first_op, &[param]));
    }
    rules.places.iter().filter_map(|place| place.on_leave).for_each(|begin| cards(begin, &[1]));
    for definition in &rules.definitions {
        let hooks = definition.hooks.iter().map(|hook| hook.first_op);
        let acts = definition.replacements.iter().map(|instead| instead.first_op);
        let all = hooks.chain(acts).chain(definition.action.as_ref().map(|action| action.first_op));
        // The card of the moment, and an answer that is a card.
        all.for_each(|begin| cards(begin, &[1, cast::fit::<u8>(ANSWER)]));
    }
    // Where a local can be either, it is a number.
    held.sort_by_key(|held| matches!(held.content, Content::Number(..)));
    // Removes empty ranges, and those beyond the last op.
    held.retain(|held| !held.ops.is_empty() && held.ops.end as usize <= ops.all.len() && (held.local as usize) < LOCALS);
    held
}

/// Returns what a local holds at an op; `None` if that is not known.
pub(super) fn content_at(held: &[LocalRange], pc: u32, local: u8) -> Option<Content> {
    held.iter().rfind(|held| held.local == local && held.ops.contains(&pc)).map(|held| held.content)
}

/// Returns the hidden places in which the card may lie on which an op writes a counter, as far as the op tells.
pub(super) fn hidden_places_written_on<'r>(rules: &'r Ruleset, held: &[LocalRange], pc: u32) -> impl Iterator<Item = u16> + use<'r> {
    let places = if let Op::Write { written } = &rules.ops.all[pc as usize]
        && let Target { of: Cells::Piece(card), element: None, .. } = written.0
    {
        if let Expr::FirstIn { place, .. } = &rules.graph[card] {
            std::slice::from_ref(place)
        } else if let Expr::Local { local } = rules.graph[card]
            && let Some(Content::Card(Some(set))) = content_at(held, pc, local)
        {
            &rules.sets[set as usize].cards.places[..]
        } else {
            &[]
        }
    } else {
        &[]
    };
    places.iter().copied().filter(|place| rules.places[usize::from(*place)].hidden)
}

/// Returns the choices whose bodies write counters on cards in hidden places.
fn find_secret_choices(rules: &Ruleset, held: &[LocalRange]) -> Vec<u16> {
    let mut found = Vec::new();
    for op in &rules.ops.all {
        if !matches!(op, Op::Ask { .. }) {
            continue;
        }
        for (choice, mut body) in bodies_of_answers(rules, op) {
            let is_hidden = |pc: u32| hidden_places_written_on(rules, held, pc).next().is_some();
            // Which card was chosen is told only to who may know it anyway.
            let params = &rules.choices[choice as usize].params;
            let only_cards = !params.is_empty() && params.iter().all(|param| param.cards().is_some());
            if !only_cards && body.any(is_hidden) {
                found.push(choice);
            }
        }
    }
    found
}

/// Returns the counters that the rules write on cards in hidden places, with their ranges.
fn find_written_counters(rules: &Ruleset, held: &[LocalRange]) -> Vec<Written> {
    let content_at = |pc: u32, local: u8| content_at(held, pc, local);
    let mut found: Vec<Written> = Vec::new();
    for (pc, op) in rules.ops.numbered() {
        let Op::Write { written } = op else { continue };
        let (Target { of: Cells::Piece(_), offset, element: None }, operator, value) = **written else { continue };
        let Some((low, high)) = range_of(rules, value, &|local| content_at(pc, local)) else { continue };
        let range = match operator {
            Write::Set => (low, high),
            Write::Add => (0, high),
            Write::Sub => continue,
        };
        let Some(range) = i32::try_from(range.0.max(0)).ok().zip(i32::try_from(range.1).ok()).filter(|range| range.0 <= range.1) else {
            continue;
        };
        for place in hidden_places_written_on(rules, held, pc) {
            match found.iter_mut().find(|written| (written.place, written.offset) == (place, offset)) {
                Some(known) => known.range = (known.range.0.min(range.0), known.range.1.max(range.1)),
                None => found.push(Written { place, offset, range }),
            }
        }
    }
    found
}

/// Returns bounds of the value of an expression, as far as they follow from its form; `held` says what a local holds.
pub(super) fn range_of(rules: &Ruleset, node: NodeId, held: &impl Fn(u8) -> Option<Content>) -> Option<(i64, i64)> {
    rules.graph.range(node, &|local| match held(local)? {
        Content::Number(from, to) => Some((range_of(rules, from, held)?.0, range_of(rules, to, held)?.1)),
        Content::Card(_) => None,
    })
}

impl Ruleset {
    /// Returns all seats, as a bit set.
    pub fn everybody(&self) -> i32 {
        (1 << self.players) - 1
    }

    /// Returns whose a cell is (if a seat's, which one's) and its offset there; `None` for cells of places and frames.
    fn owner_and_offset(&self, cell: usize) -> Option<(Owner, u8, usize)> {
        let layout = &self.layout;
        if cell < layout.seat_base {
            Some((Owner::Table, TABLE, cell))
        } else if cell < layout.piece_base {
            let inside = cell - layout.seat_base;
            Some((Owner::Player, u8::try_from(inside / layout.seat_size).ok()?, inside % layout.seat_size))
        } else if cell < layout.piece(layout.pieces, 0) {
            Some((Owner::Card, PIECE, (cell - layout.piece_base) % layout.piece_size))
        } else {
            None
        }
    }

    /// Returns the hidden value to which a cell belongs, and its owner.
    pub fn secret_at(&self, cell: usize) -> Option<(usize, u8)> {
        let (owner, seat, offset) = self.owner_and_offset(cell)?;
        Some((self.secrets.iter().position(|secret| secret.slot.has(owner, offset))?, seat))
    }

    fn cell_of_owner(&self, owner: u8, offset: u16) -> usize {
        if owner == TABLE { usize::from(offset) } else { self.layout.seat(usize::from(owner), usize::from(offset)) }
    }

    /// Returns the cells of a hidden value of an owner.
    pub fn cells_of_secret(&self, secret: usize, owner: u8) -> Range<usize> {
        let secret = &self.secrets[secret];
        let first = self.cell_of_owner(owner, secret.slot.offset);
        first..first + usize::from(secret.slot.len)
    }

    /// Returns the cell with what seats know of a hidden value of an owner.
    pub fn knowledge_of_secret(&self, secret: usize, owner: u8) -> usize {
        self.cell_of_owner(owner, self.secrets[secret].knowledge)
    }

    /// Returns all hidden values, each with one of its owners.
    pub fn secrets_and_owners(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        let owners = |(index, secret): (usize, &Secret)| secret.owners(self.players).map(move |owner| (index, owner));
        self.secrets.iter().enumerate().flat_map(owners)
    }

    /// Whether a seat knows a hidden value of an owner. When the game is over, everybody does.
    pub fn knows_secret(&self, cells: &[i32], seat: usize, (secret, owner): (usize, u8)) -> bool {
        usize::from(owner) == seat || cells[head::FINISHED] == 1 || is_known_to(cells[self.knowledge_of_secret(secret, owner)], seat)
    }

    /// Whether a seat knows the sorts of the tokens in a hidden pool of an owner.
    pub fn knows_sorts(&self, cells: &[i32], seat: usize, (secret, owner): (usize, u8)) -> bool {
        usize::from(owner) == seat || is_known_to(cells[self.knowledge_of_secret(secret, owner) + 1], seat)
    }

    /// Whether a hidden value of an owner is shown to a seat. When the game is over, it is shown to everybody.
    pub fn sees_secret(&self, cells: &[i32], seat: usize, (secret, owner): (usize, u8)) -> bool {
        usize::from(owner) == seat || cells[head::FINISHED] == 1 || is_shown_to(cells[self.knowledge_of_secret(secret, owner)], seat)
    }

    /// Returns the bounds of a cell; `None` if it has none.
    pub fn bound_at(&self, cell: usize) -> Option<&Bound> {
        let (owner, _, offset) = self.owner_and_offset(cell)?;
        self.bounds.iter().find(|bound| bound.slot.has(owner, offset))
    }

    /// Whether a seat sees the counters of a card: it knows the card, which lies in an open place or in one of its own. On a card in
    /// another seat's hidden place something may be written in secret, even if the seat has seen the card before.
    pub fn sees_counters(&self, cells: &[i32], seat: usize, card: usize) -> bool {
        let first = self.layout.piece(card, 0);
        self.sees_into(cast::index(cells[first + piece::PLACE]), seat)
            && (self.is_off_table(cells, card) || cells[first + piece::KNOWN] >> seat & 1 == 1)
    }

    /// Whether a card is out of the game or in the box.
    fn is_off_table(&self, cells: &[i32], card: usize) -> bool {
        self.layout.places[cast::index(cells[self.layout.piece(card, piece::PLACE)])].room == 0
    }

    /// Whether a seat sees the cards in a place, or there is nothing to see, since it is no place on the table.
    pub fn sees_into(&self, instance: usize, seat: usize) -> bool {
        self.layout.places[instance].room == 0 || self.seats_that_see_into(instance) >> seat & 1 == 1
    }

    /// Returns the seats that see the cards in a place on the table, as a bit set; none for any other.
    pub fn seats_that_see_into(&self, instance: usize) -> i32 {
        let place = &self.layout.places[instance];
        let owner = if place.owner == TABLE { 0 } else { 1 << place.owner };
        match self.places.get(usize::from(place.declared)).filter(|_| place.room > 0) {
            None => 0,
            Some(declared) if declared.shape == Shape::Deck => 0,
            Some(declared) if !declared.hidden => self.everybody(),
            Some(declared) if declared.from_owner => self.everybody() & !owner,
            Some(_) => owner,
        }
    }

    /// Whether a place is a deck.
    pub fn is_deck(&self, instance: usize) -> bool {
        let place = &self.layout.places[instance];
        place.room > 0 && self.places[place.declared as usize].shape == Shape::Deck
    }

    /// Whether cards lie one on another in a place: it is a deck or a heap.
    pub fn is_pile(&self, instance: usize) -> bool {
        let place = &self.layout.places[instance];
        self.is_deck(instance) || place.room > 0 && self.places[place.declared as usize].heap
    }

    /// Whether a place is a deck or a hidden place: somebody does not see which cards lie there.
    pub fn hides(&self, instance: usize) -> bool {
        let place = &self.layout.places[instance];
        self.is_deck(instance) || place.room > 0 && self.places[place.declared as usize].hidden
    }

    /// Returns the offsets of the masks in the cells of a piece; none if rules show no part of a card.
    pub fn clue_offsets(&self) -> Range<usize> {
        let first = self.clues.first().map_or(self.layout.piece_size, |clue| usize::from(clue.first));
        first..self.layout.piece_size
    }

    /// Returns the cell of a piece with the values that a field cannot have, as far as a seat knows.
    pub fn clue_cell(&self, clue: &Clue, piece: usize, seat: usize) -> usize {
        self.layout.piece(piece, usize::from(clue.first) + seat)
    }

    /// Returns the cell of a piece with the values that a field cannot have, as far as all seats have been told together.
    pub fn common_clue_cell(&self, clue: &Clue, piece: usize) -> usize {
        self.clue_cell(clue, piece, self.players)
    }

    /// Whether a piece may be another one, as far as a seat has been told of its parts.
    #[inline]
    pub fn may_be(&self, cells: &[i32], seat: usize, piece: usize, other: usize) -> bool {
        let definition = self.piece_definition[other] as usize;
        self.clues.iter().all(|clue| cells[self.clue_cell(clue, piece, seat)] & clue.bits[definition] == 0)
    }

    /// Whether a seat knows the value of a field of a piece, be it from what it has been told of it.
    pub fn knows_field(&self, cells: &[i32], seat: usize, piece: usize, clue: &Clue) -> bool {
        !self.is_unknown(cells, seat, piece) || clue.is_settled(cells[self.clue_cell(clue, piece, seat)])
    }

    /// Whether a seat has been told anything of a part of a piece.
    #[inline]
    pub fn has_clue(&self, cells: &[i32], seat: usize, piece: usize) -> bool {
        self.clues.iter().any(|clue| cells[self.clue_cell(clue, piece, seat)] != 0)
    }

    /// Whether a seat does not know which card a piece is.
    pub fn is_unknown(&self, cells: &[i32], seat: usize, card: usize) -> bool {
        cells[self.layout.piece(card, piece::KNOWN)] >> seat & 1 == 0 && !self.is_off_table(cells, card)
    }
}

#[cfg(test)]
mod tests {
    use crate::clues::{COMMON_CELLS, Clue};
    use crate::state::layout::piece;
    use crate::testing::{PILE, rules};

    #[test]
    fn a_piece_may_be_what_no_clue_excludes() {
        let mut rules = rules(|_, _| {});
        let first = rules.layout.piece_size as u16;
        rules.clues =
            vec![Clue { name: 0, field: 0, values: vec![(1, 0), (3, 0), (4, 0)], unused: Vec::new(), first, bits: vec![2, 1, 4] }];
        rules.layout.piece_size += rules.players + COMMON_CELLS;
        let mut cells = vec![0; rules.layout.piece(4, 0)];
        cells[rules.layout.piece(0, piece::PLACE)] = PILE as i32;
        let clue = &rules.clues[0];
        let all = |cells: &[i32], seat: usize| (0..4).filter(|&other| rules.may_be(cells, seat, 0, other)).collect::<Vec<_>>();
        assert_eq!((all(&cells, 1), rules.has_clue(&cells, 1, 0)), (vec![0, 1, 2, 3], false));
        cells[rules.clue_cell(clue, 0, 1)] = clue.bits_where(|value| value > 3);
        assert_eq!([all(&cells, 0), all(&cells, 1)], [vec![0, 1, 2, 3], vec![0, 1, 2]]);
        assert_eq!((rules.has_clue(&cells, 1, 0), rules.knows_field(&cells, 1, 0, clue)), (true, false));
        cells[rules.clue_cell(clue, 0, 1)] |= clue.bits_where(|value| value == 1);
        assert!(all(&cells, 1) == [0] && rules.knows_field(&cells, 1, 0, clue), "its value is known");
    }
}
