//! Indexes the entries of cards in play: hooks, changes, prohibitions, replacements and conditions to leave. A card is in play while it
//! lies in a place whose cards hear moments.

use super::definition::{ChangeOp, Definition};
use super::ids::{EntryId, PieceId};
use super::ruleset::Ruleset;
use crate::cast;
use houserule_state::layout::{PlaceInstance, piece};
use std::ops::Range;

/// The number of cards that are taken out of the lists and put in again; after more of them the lists are built anew.
const MAX_MOVED: usize = 12;

/// One entry of a card in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveEntry {
    /// The piece with the entry.
    pub piece: PieceId,
    /// The seat that owns the place of the piece, or [`houserule_state::layout::TABLE`].
    pub owner: u8,
    /// The index of the entry, among the entries of its sort on the card.
    pub entry: EntryId,
}

/// The lists of entries, concatenated into one vector: one list for each moment, quantity, action and replaced statement.
///
/// They are brought up to date when they are read: the cards in `moved` from `done` on are taken out, and put in where they lie now. Cards that
/// have moved since a trial or a simultaneous block began stay in `moved`, since they move again when that is taken back.
#[derive(Debug)]
pub(super) struct ActiveEntries {
    /// Whether the lists have to be built anew.
    pub stale: bool,
    /// Whether the lists of changes lie in the memory of generated code as they are; and in the view of a block.
    pub mirrored: bool,
    pub mirrored_in_block: bool,
    lists: Lists,
    /// The cards with entries that have entered or left play, or changed their places there, in order.
    moved: Vec<PieceId>,
    /// How many of them stand in the lists where they lie.
    done: usize,
    /// What was so when the running block began, and when each trial began.
    block: Option<Since>,
    trials: Vec<(Since, Option<Since>)>,
    /// Scratch memory for building the lists: the list that an entry belongs to, and the entry.
    unsorted: Vec<(u32, ActiveEntry)>,
}

/// When something began that may be taken back.
#[derive(Clone, Copy, Debug)]
struct Since {
    /// How many cards had moved.
    moved: usize,
    /// Whether the lists have been built anew since, or had to be when it began.
    is_stale: bool,
}

/// The lists, one behind the other.
#[derive(Clone, Debug, Default)]
struct Lists {
    entries: Vec<ActiveEntry>,
    /// The start of each list in `entries`, followed by the end of the last list.
    starts: Vec<u32>,
    /// The index of the first list of each sort: hooks by moment, changes by quantity, prohibitions by action, replacements by name,
    /// conditions to leave.
    first: [u32; 5],
}

impl Default for ActiveEntries {
    fn default() -> ActiveEntries {
        ActiveEntries {
            stale: true,
            mirrored: false,
            mirrored_in_block: false,
            lists: Lists::default(),
            moved: Vec::new(),
            done: 0,
            block: None,
            trials: Vec::new(),
            unsorted: Vec::new(),
        }
    }
}

impl Clone for ActiveEntries {
    fn clone(&self) -> ActiveEntries {
        let mut active = ActiveEntries::default();
        active.clone_from(self);
        active
    }

    fn clone_from(&mut self, source: &ActiveEntries) {
        let ActiveEntries { stale, mirrored, mirrored_in_block: _, lists, moved, done, block, trials: _, unsorted: _ } = source;
        (self.stale, self.mirrored, self.mirrored_in_block) = (*stale, *mirrored, false);
        self.lists.entries.clone_from(&lists.entries);
        self.lists.starts.clone_from(&lists.starts);
        self.lists.first = lists.first;
        let from = block.map_or(*done, |block| block.moved.min(*done));
        self.moved.clear();
        self.moved.extend_from_slice(&moved[from..]);
        self.done = done - from;
        self.block = block.map(|block| Since { moved: block.moved - from, ..block });
        self.trials.clear();
    }
}

impl ActiveEntries {
    #[inline]
    fn list(&self, sort: usize, index: u16) -> &[ActiveEntry] {
        let list = self.lists.first[sort] as usize + usize::from(index);
        match self.lists.starts.get(list..list + 2) {
            Some(&[from, to]) => &self.lists.entries[from as usize..to as usize],
            _ => &[],
        }
    }

    /// Returns the hooks that listen to a moment.
    pub fn listeners(&self, moment: u16) -> &[ActiveEntry] {
        self.list(0, moment)
    }

    /// Returns the changes of a quantity: first those that set it, then those that add to it, then those that bound it.
    pub fn changes(&self, quantity: u16) -> &[ActiveEntry] {
        self.list(1, quantity)
    }

    /// Returns the quantities that are changed, each with its changes.
    pub fn changed_quantities(&self) -> impl Iterator<Item = (u32, &[ActiveEntry])> {
        let [_, first, end, ..] = self.lists.first.map(|list| list as usize);
        let ends = self.lists.starts.get(first..=end).unwrap_or_default().windows(2);
        let lists = ends.map(|ends| &self.lists.entries[ends[0] as usize..ends[1] as usize]);
        (0..).zip(lists).filter(|(_, changes)| !changes.is_empty())
    }

    /// Returns the prohibitions of an action.
    pub fn forbids(&self, action: u16) -> &[ActiveEntry] {
        self.list(2, action)
    }

    /// Returns the replacements of a named loss or draw.
    pub fn replacements(&self, named: u16) -> &[ActiveEntry] {
        self.list(3, named)
    }

    /// Returns the entries with a condition under which their card leaves the game.
    pub fn leavers(&self) -> &[ActiveEntry] {
        self.list(4, 0)
    }

    /// Notes that a card with entries has entered or left play, or changed its place there.
    pub fn note_moved(&mut self, card: usize) {
        self.moved.push(PieceId::at(card));
    }

    // ------------------------------------------------------------------ what is taken back

    fn since(&self) -> Since {
        Since { moved: self.moved.len(), is_stale: self.stale }
    }

    /// Makes the lists fit cells that are as they were at that time.
    fn go_back(&mut self, since: Since) {
        self.stale |= since.is_stale;
        self.done = self.done.min(since.moved);
    }

    /// Begins a trial, until [`ActiveEntries::take_back`].
    pub fn begin_trial(&mut self) {
        self.trials.push((self.since(), self.block));
    }

    /// Notes that the cells are as they were when the last trial began.
    pub fn take_back(&mut self) {
        let Some((since, block)) = self.trials.pop() else { return };
        self.block = block;
        self.go_back(since);
    }

    /// Begins a simultaneous block, until [`ActiveEntries::end_block`].
    pub fn begin_block(&mut self) {
        self.block = Some(self.since());
    }

    /// Notes that the cells are as they were when the block began.
    pub fn restore_block(&mut self) {
        match self.block {
            Some(since) => {
                // What has moved since the block began moves again when a trial within it is taken back.
                self.trials.iter_mut().for_each(|(trial, _)| trial.moved = trial.moved.min(since.moved));
                self.go_back(since);
            }
            // The cells were written from outside since.
            None => self.stale = true,
        }
    }

    /// Notes that no block is running any more.
    pub fn end_block(&mut self) {
        self.block = None;
    }

    /// Notes that any cell may have been written.
    pub fn forget(&mut self) {
        (self.stale, self.block) = (true, None);
    }

    // ------------------------------------------------------------------ bringing the lists up to date

    /// Brings the lists up to date.
    #[inline]
    pub fn refresh(&mut self, rules: &Ruleset, cells: &[i32]) {
        if self.stale || self.done < self.moved.len() {
            self.bring_up_to_date(rules, cells);
        }
    }

    #[inline(never)]
    fn bring_up_to_date(&mut self, rules: &Ruleset, cells: &[i32]) {
        if self.stale || self.moved.len() - self.done > MAX_MOVED {
            self.rebuild(rules, cells);
        } else {
            self.move_entries(rules, cells);
        }
        if self.trials.is_empty() && self.block.is_none() {
            self.moved.clear();
        }
        self.done = self.moved.len();
    }

    /// Takes the cards that have moved out of the lists, and puts in those that are in play.
    fn move_entries(&mut self, rules: &Ruleset, cells: &[i32]) {
        let ActiveEntries { lists, moved, done, .. } = self;
        let (moved, first) = (&moved[*done..], lists.first);
        for &piece in moved {
            let definition = rules.definition(piece.index());
            each_entry(definition, first, |list, entry| lists.remove(list as usize, piece, entry));
            if !definition.effective_changes().is_empty() {
                (self.mirrored, self.mirrored_in_block) = (false, false);
            }
        }
        let last = moved.iter().enumerate().filter(|&(at, piece)| !moved[at + 1..].contains(piece));
        for (_, &piece) in last {
            let place = place_of(rules, cells, piece);
            if is_in_play(rules, place) {
                let add = |list, entry| lists.insert((rules, cells), list, ActiveEntry { piece, owner: place.owner, entry });
                each_entry(rules.definition(piece.index()), first, add);
            }
        }
    }

    #[cold]
    fn rebuild(&mut self, rules: &Ruleset, cells: &[i32]) {
        self.stale = false;
        (self.mirrored, self.mirrored_in_block) = (false, false);
        self.block.iter_mut().for_each(|since| since.is_stale = true);
        for (since, block) in &mut self.trials {
            since.is_stale = true;
            block.iter_mut().for_each(|since| since.is_stale = true);
        }
        let active = self;
        let mut lists = 0;
        let counts = [rules.moments.len(), rules.quantities.len(), rules.action_count, rules.loss_names.len(), 1];
        for (sort, count) in active.lists.first.iter_mut().zip(counts) {
            *sort = lists;
            lists += cast::fit::<u32>(count);
        }
        active.unsorted.clear();
        for declared in rules.places.iter().filter(|declared| declared.in_play) {
            for place in &rules.layout.places[declared.first_instance as usize..(declared.first_instance + declared.instances) as usize] {
                let base = place.base as usize;
                let count = cast::index(cells[base]);
                for piece in cells[base + 1..=base + place.room as usize].iter().filter_map(|&cell| PieceId::of_slot(cell)).take(count) {
                    let add = |list, entry| active.unsorted.push((list, ActiveEntry { piece, owner: place.owner, entry }));
                    each_entry(rules.definition(piece.index()), active.lists.first, add);
                }
            }
        }
        // A counting sort, which keeps the order within each list: first the sizes of the lists.
        let Lists { entries, starts, first: [_, changes, forbids, ..] } = &mut active.lists;
        starts.clear();
        starts.resize(lists as usize + 1, 0);
        active.unsorted.iter().for_each(|&(list, _)| starts[list as usize + 1] += 1);
        for list in 0..lists as usize {
            starts[list + 1] += starts[list];
        }
        entries.clear();
        entries.resize(active.unsorted.len(), ActiveEntry { piece: PieceId::at(0), owner: 0, entry: EntryId::at(0) });
        for &(list, entry) in active.unsorted.iter().rev() {
            // The entries are written from last to first, so each list fills from its end.
            let start = &mut starts[list as usize + 1];
            *start -= 1;
            entries[*start as usize] = entry;
        }
        // Each value is now the start of its list, stored one index too high.
        starts.rotate_left(1);
        starts[lists as usize] = cast::fit::<u32>(active.unsorted.len());
        let operator = |entry: &ActiveEntry| operator(rules, entry);
        let changes = &starts[*changes as usize..*forbids as usize + 1];
        for ends in changes.windows(2).filter(|ends| ends[1] > ends[0] + 1) {
            entries[ends[0] as usize..ends[1] as usize].sort_by_key(operator);
        }
    }
}

impl Lists {
    fn range(&self, list: usize) -> Range<usize> {
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    /// Takes an entry of a piece out of a list, if it stands there.
    fn remove(&mut self, list: usize, piece: PieceId, entry: EntryId) {
        let range = self.range(list);
        let is_it = |known: &ActiveEntry| known.piece == piece && known.entry == entry;
        if let Some(at) = self.entries[range.clone()].iter().position(is_it) {
            self.entries.remove(range.start + at);
            self.starts[list + 1..].iter_mut().for_each(|start| *start -= 1);
        }
    }

    /// Puts an entry into a list where it would stand if the list were built anew.
    fn insert(&mut self, (rules, cells): (&Ruleset, &[i32]), list: u32, entry: ActiveEntry) {
        let is_change = (self.first[1]..self.first[2]).contains(&list);
        let key = |entry: &ActiveEntry| {
            let cell = |offset| cells[rules.layout.piece(entry.piece.index(), offset)];
            (is_change.then(|| operator(rules, entry)), cell(piece::PLACE), cell(piece::POSITION), entry.entry)
        };
        let (range, own) = (self.range(list as usize), key(&entry));
        let at = self.entries[range.clone()].iter().position(|known| key(known) > own).map_or(range.end, |at| range.start + at);
        self.entries.insert(at, entry);
        self.starts[list as usize + 1..].iter_mut().for_each(|start| *start += 1);
    }
}

/// Calls `f` with each entry of a card, and the list to which it belongs.
fn each_entry(definition: &Definition, [hears, changes, forbids, replaces, leaves]: [u32; 5], mut f: impl FnMut(u32, EntryId)) {
    let mut each = |list: u32, entry: usize| f(list, EntryId::at(entry));
    definition.hooks.iter().enumerate().for_each(|(i, hook)| each(hears + u32::from(hook.moment), i));
    definition.effective_changes().iter().enumerate().for_each(|(i, change)| each(changes + u32::from(change.quantity), i));
    definition.forbids.iter().enumerate().for_each(|(i, forbid)| each(forbids + u32::from(forbid.action), i));
    definition.replacements.iter().enumerate().for_each(|(i, instead)| each(replaces + u32::from(instead.replaced), i));
    if definition.leaves_when.is_some() {
        each(leaves, 0);
    }
}

fn place_of<'r>(rules: &'r Ruleset, cells: &[i32], piece: PieceId) -> &'r PlaceInstance {
    &rules.layout.places[cast::index(cells[rules.layout.piece(piece.index(), piece::PLACE)])]
}

/// Whether the cards in a place hear moments.
pub(super) fn is_in_play(rules: &Ruleset, place: &PlaceInstance) -> bool {
    place.room > 0 && rules.places_in_play >> place.declared & 1 == 1
}

/// The operator of a change of a quantity.
fn operator(rules: &Ruleset, entry: &ActiveEntry) -> ChangeOp {
    rules.definition(entry.piece.index()).changes[entry.entry.index()].operator
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::definition::{Change, Hook, Who};
    use crate::graph::Expr;
    use crate::testing::{DENS, PILE, game, quantity, rules};
    use houserule_state::chance::{below, draw};

    /// Rules whose cards speak, and change quantities.
    fn speaking() -> Ruleset {
        rules(|rules, node| {
            let one = node(rules, Expr::Const { value: 1 });
            rules.moments = vec!["dusk".to_string(), "dawn".to_string()];
            rules.quantities = vec![quantity("howl", one, 0), quantity("reach", one, 0)];
            let hook = |moment| Hook { id: String::new(), moment, who: Who::Me, own_only: false, when: None, first_op: Default::default() };
            let change = |quantity, operator| Change { quantity, who: Who::Me, when: None, operator, amount: one, span: None };
            rules.definitions[0].hooks = vec![hook(1), hook(0)];
            rules.definitions[0].changes = vec![change(1, ChangeOp::To)];
            rules.definitions[1].changes = vec![change(1, ChangeOp::AtMost)];
            rules.definitions[2].hooks = vec![hook(1), hook(1)];
            rules.definitions[2].leaves_when = Some(one);
        })
    }

    /// All lists: those of moments, of quantities, and the conditions to leave.
    fn lists(game: &mut Game, rules: &Ruleset) -> Vec<Vec<(usize, u8, usize)>> {
        game.store(rules).evaluator().refresh_active();
        let active = &game.live.values.active;
        let all = [active.listeners(0), active.listeners(1), active.changes(0), active.changes(1), active.leavers()];
        all.map(|entries| entries.iter().map(|s| (s.piece.index(), s.owner, s.entry.index())).collect()).to_vec()
    }

    #[test]
    fn cards_in_play_are_listed_by_what_they_say_in_the_order_of_places() {
        let rules = speaking();
        let mut game = game(&rules);
        assert_eq!(lists(&mut game, &rules), vec![vec![]; 5]);
        game.on(&rules).hold_checks();
        game.lay(&rules, 3, DENS, 1);
        game.lay(&rules, 0, DENS + 1, 0);
        game.lay(&rules, 2, DENS, 0);
        let laid = lists(&mut game, &rules);
        let expected = [vec![(0, 1, 1)], vec![(3, 0, 0), (3, 0, 1), (0, 1, 0)], vec![], vec![(0, 1, 0), (2, 0, 0)], vec![(3, 0, 0)]];
        assert_eq!(laid, expected);
        assert_eq!(lists(&mut game.clone(), &rules), laid);
    }

    #[test]
    fn a_card_that_left_in_a_block_is_gone_again_when_a_trial_in_which_that_was_rolled_back_is_taken_back() {
        let rules = speaking();
        let mut game = game(&rules);
        game.on(&rules).hold_checks();
        game.lay(&rules, 2, DENS, 0);
        let with = game.cells().to_vec();
        game.lay(&rules, 2, PILE, 3);
        let without = game.cells().to_vec();
        let mut active = ActiveEntries::default();
        let changes = |active: &mut ActiveEntries, cells: &[i32]| {
            active.refresh(&rules, cells);
            active.changes(1).len()
        };
        assert_eq!(changes(&mut active, &with), 1);
        active.begin_block();
        active.note_moved(2);
        assert_eq!(changes(&mut active, &without), 0);
        active.begin_trial();
        active.restore_block();
        assert_eq!(changes(&mut active, &with), 1);
        active.take_back();
        assert_eq!(changes(&mut active, &without), 0);
        active.restore_block();
        assert_eq!(changes(&mut active, &with), 1);
    }

    #[test]
    fn cards_that_move_stand_in_the_lists_where_they_would_if_these_were_built_anew() {
        let rules = speaking();
        let mut game = game(&rules);
        game.on(&rules).hold_checks();
        let (mut before, mut tried) = (Vec::new(), 0);
        for step in 0..4000 {
            let number = |stream, n| below(draw(9, stream, step), n) as usize;
            match number(0, 8) {
                0 if before.len() < 3 && game.begin_trial(&rules) => {
                    before.push(game.cells().to_vec());
                    tried += 1;
                }
                1 => {
                    game.take_back(&rules);
                    before.pop().into_iter().for_each(|cells| assert_eq!(game.cells(), cells));
                }
                _ => {
                    let (card, place) = (number(1, 4), DENS + number(2, 3));
                    let store = game.store(&rules);
                    let position = store.position();
                    let lies_there = position.place_of(card).0 == place;
                    let slot = if place == PILE { position.pieces_in(place) } else { number(3, 3) };
                    let is_free = position.piece_at(place, slot).is_none();
                    if is_free && !(lies_there && place == PILE) {
                        game.lay(&rules, card, place, slot);
                    }
                }
            }
            if number(4, 3) == 0 {
                let found = lists(&mut game, &rules);
                let mut anew = game.clone();
                anew.live.values.active = ActiveEntries::default();
                assert_eq!(found, lists(&mut anew, &rules), "step {step}");
            }
        }
        assert!(tried > 200, "only {tried} trials");
    }
}
