//! Indexes the entries of cards in play: hooks, changes, prohibitions, replacements and conditions to leave. A card is in play while it
//! lies in a place whose cards hear moments.

use super::ids::{EntryId, PieceId};
use super::ruleset::Ruleset;
use crate::cast;

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
#[derive(Debug)]
pub(super) struct ActiveEntries {
    /// Whether a card with entries has entered or left play since the lists were built.
    pub stale: bool,
    /// Whether the lists were built during the current simultaneous block. They must be rebuilt when that block is rolled back.
    pub listed_in_block: bool,
    /// Whether the lists of changes lie in the memory of generated code as they are; and in the view of a block.
    pub mirrored: bool,
    pub mirrored_in_block: bool,
    lists: Lists,
    /// The index of the first list of each sort: hooks by moment, changes by quantity, prohibitions by action, replacements by name,
    /// conditions to leave.
    first_lists: [u32; 5],
    /// Scratch memory for building the lists: the list that an entry belongs to, and the entry.
    unsorted: Vec<(u32, ActiveEntry)>,
    /// For each trial what the lists were when it began.
    trials: Vec<SavedLists>,
    /// Memory for lists.
    spare: Vec<Lists>,
}

/// The lists, one behind the other.
#[derive(Debug, Default)]
struct Lists {
    entries: Vec<ActiveEntry>,
    /// The start of each list in `entries`, followed by the end of the last list.
    starts: Vec<u32>,
}

/// What the lists were when a trial began.
#[derive(Debug)]
struct SavedLists {
    stale: bool,
    listed_in_block: bool,
    /// The lists, if they have been rebuilt since.
    lists: Option<Lists>,
}

impl Default for ActiveEntries {
    fn default() -> ActiveEntries {
        ActiveEntries {
            stale: true,
            listed_in_block: true,
            mirrored: false,
            mirrored_in_block: false,
            lists: Lists::default(),
            first_lists: [0; 5],
            unsorted: Vec::new(),
            trials: Vec::new(),
            spare: Vec::new(),
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
        (self.stale, self.listed_in_block) = (source.stale, source.listed_in_block);
        (self.mirrored, self.mirrored_in_block) = (source.mirrored, false);
        self.lists.entries.clone_from(&source.lists.entries);
        self.lists.starts.clone_from(&source.lists.starts);
        self.first_lists = source.first_lists;
    }
}

impl ActiveEntries {
    #[inline]
    fn list(&self, sort: usize, index: u16) -> &[ActiveEntry] {
        let list = self.first_lists[sort] as usize + usize::from(index);
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
        let [_, first, end, ..] = self.first_lists.map(|list| list as usize);
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

    /// Begins a trial, until [`ActiveEntries::take_back`].
    pub fn begin_trial(&mut self) {
        self.trials.push(SavedLists { stale: self.stale, listed_in_block: self.listed_in_block, lists: None });
    }

    /// Makes the lists again what they were when the last trial began.
    pub fn take_back(&mut self) {
        let Some(saved) = self.trials.pop() else { return };
        (self.stale, self.listed_in_block) = (saved.stale, saved.listed_in_block);
        if let Some(lists) = saved.lists {
            self.spare.push(std::mem::replace(&mut self.lists, lists));
            (self.mirrored, self.mirrored_in_block) = (false, false);
        }
    }

    /// Rebuilds the lists if they are stale.
    #[inline]
    pub fn refresh(&mut self, rules: &Ruleset, cells: &[i32]) {
        if self.stale {
            self.rebuild(rules, cells);
        }
    }

    #[cold]
    fn rebuild(&mut self, rules: &Ruleset, cells: &[i32]) {
        self.stale = false;
        self.listed_in_block = true;
        (self.mirrored, self.mirrored_in_block) = (false, false);
        let active = self;
        if let Some(saved) = active.trials.last_mut().filter(|saved| saved.lists.is_none()) {
            saved.lists = Some(std::mem::replace(&mut active.lists, active.spare.pop().unwrap_or_default()));
        }
        let mut lists = 0;
        let counts = [rules.moments.len(), rules.quantities.len(), rules.action_count, rules.loss_names.len(), 1];
        for (sort, count) in active.first_lists.iter_mut().zip(counts) {
            *sort = lists;
            lists += cast::fit::<u32>(count);
        }
        let [hears, changes, forbids, replaces, leaves] = active.first_lists;
        active.unsorted.clear();
        for declared in rules.places.iter().filter(|declared| declared.in_play) {
            for place in &rules.layout.places[declared.first_instance as usize..(declared.first_instance + declared.instances) as usize] {
                let base = place.base as usize;
                let count = cast::index(cells[base]);
                for piece in cells[base + 1..=base + place.room as usize].iter().filter_map(|&cell| PieceId::of_slot(cell)).take(count) {
                    let definition = rules.definition(piece.index());
                    let mut add = |list: u32, entry: usize| {
                        active.unsorted.push((list, ActiveEntry { piece, owner: place.owner, entry: EntryId::at(entry) }));
                    };
                    definition.hooks.iter().enumerate().for_each(|(i, hook)| add(hears + u32::from(hook.moment), i));
                    definition.effective_changes().iter().enumerate().for_each(|(i, change)| add(changes + u32::from(change.quantity), i));
                    definition.forbids.iter().enumerate().for_each(|(i, forbid)| add(forbids + u32::from(forbid.action), i));
                    definition.replacements.iter().enumerate().for_each(|(i, instead)| add(replaces + u32::from(instead.replaced), i));
                    if definition.leaves_when.is_some() {
                        add(leaves, 0);
                    }
                }
            }
        }
        // A counting sort, which keeps the order within each list: first the sizes of the lists.
        let Lists { entries, starts } = &mut active.lists;
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
        let operator = |entry: &ActiveEntry| rules.definition(entry.piece.index()).changes[entry.entry.index()].operator;
        let changes = &starts[changes as usize..forbids as usize + 1];
        for ends in changes.windows(2).filter(|ends| ends[1] > ends[0] + 1) {
            entries[ends[0] as usize..ends[1] as usize].sort_by_key(operator);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Change, ChangeOp, Hook, Who};
    use crate::graph::Expr;
    use crate::testing::{DENS, game, quantity, rules};

    #[test]
    fn cards_in_play_are_listed_by_what_they_say_in_the_order_of_places() {
        let rules = rules(|rules, node| {
            let one = node(rules, Expr::Const { value: 1 });
            rules.moments = vec!["dusk".to_string(), "dawn".to_string()];
            rules.quantities = vec![quantity("howl", one, 0), quantity("reach", one, 0)];
            let hook = |moment| Hook { id: String::new(), moment, who: Who::Me, own_only: false, when: None, first_op: Default::default() };
            let change = |quantity| Change { quantity, who: Who::Me, when: None, operator: ChangeOp::By, amount: one, span: None };
            rules.definitions[0].hooks = vec![hook(1), hook(0)];
            rules.definitions[1].changes = vec![change(1)];
            rules.definitions[2].hooks = vec![hook(1)];
            rules.definitions[2].leaves_when = Some(one);
        });
        let mut game = game(&rules);
        game.store(&rules).evaluator().refresh_active();
        assert!(game.live.values.active.listeners(1).is_empty() && game.live.values.active.changes(1).is_empty());
        game.on(&rules).hold_checks();
        game.lay(&rules, 3, DENS, 1);
        game.lay(&rules, 0, DENS + 1, 0);
        game.lay(&rules, 2, DENS, 0);
        game.store(&rules).evaluator().refresh_active();
        let pieces = |entries: &[ActiveEntry]| entries.iter().map(|s| (s.piece.index(), s.owner, s.entry.index())).collect::<Vec<_>>();
        assert_eq!(pieces(game.live.values.active.listeners(0)), [(0, 1, 1)]);
        assert_eq!(pieces(game.live.values.active.listeners(1)), [(3, 0, 0), (0, 1, 0)]);
        assert_eq!(pieces(game.live.values.active.changes(0)), []);
        assert_eq!(pieces(game.live.values.active.changes(1)), [(2, 0, 0)]);
        assert_eq!(pieces(game.live.values.active.leavers()), [(3, 0, 0)]);
        let copy = game.clone();
        assert_eq!(copy.live.values.active.listeners(1), game.live.values.active.listeners(1));
    }
}
