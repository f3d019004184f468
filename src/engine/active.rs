//! Cards in play by what they hear, change, forbid and replace.

use super::game::Game;
use super::ids::{EntryId, PieceId};
use super::ruleset::Ruleset;
use crate::cast;

/// A card in play that says something: which entry of which piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Speaker {
    pub piece: PieceId,
    pub owner: u8,
    pub entry: EntryId,
}

/// Lists of those who speak, one behind the other, so that a copy of a game copies two runs of memory.
#[derive(Debug, Default)]
pub(super) struct Active {
    speakers: Vec<Speaker>,
    /// Where each list begins, and behind them where the last one ends.
    starts: Vec<u32>,
    /// The first list of each sort: who hears moments, changes quantities, forbids actions, replaces losses and draws, leaves.
    sorts: [u32; 5],
    /// Memory for making the lists.
    found: Vec<(u32, Speaker)>,
}

impl Clone for Active {
    fn clone(&self) -> Active {
        let mut active = Active::default();
        active.clone_from(self);
        active
    }

    fn clone_from(&mut self, source: &Active) {
        self.speakers.clone_from(&source.speakers);
        self.starts.clone_from(&source.starts);
        self.sorts = source.sorts;
    }
}

impl Active {
    #[inline]
    fn list(&self, sort: usize, index: u16) -> &[Speaker] {
        let list = self.sorts[sort] as usize + usize::from(index);
        match self.starts.get(list..list + 2) {
            Some(&[from, to]) => &self.speakers[from as usize..to as usize],
            _ => &[],
        }
    }

    /// Who hears a moment.
    pub fn hearers(&self, moment: u16) -> &[Speaker] {
        self.list(0, moment)
    }

    /// Who changes a quantity: first who sets it, then who adds, then who bounds it.
    pub fn changes(&self, quantity: u16) -> &[Speaker] {
        self.list(1, quantity)
    }

    /// Who forbids an action.
    pub fn forbids(&self, action: u16) -> &[Speaker] {
        self.list(2, action)
    }

    /// Who replaces a named loss or draw.
    pub fn insteads(&self, named: u16) -> &[Speaker] {
        self.list(3, named)
    }

    /// Who may have to leave.
    pub fn leavers(&self) -> &[Speaker] {
        self.list(4, 0)
    }
}

impl Game {
    /// Lists again who speaks, if a card that speaks came or went.
    #[inline]
    pub(super) fn refresh_active(&mut self, rules: &Ruleset) {
        if self.due.active {
            self.list_active(rules);
        }
    }

    #[cold]
    fn list_active(&mut self, rules: &Ruleset) {
        self.due.active = false;
        self.due.listed = true;
        let active = &mut self.active;
        let mut lists = 0;
        let counts = [rules.moments.len(), rules.quantities.len(), rules.actions.len(), rules.named.len(), 1];
        for (sort, count) in active.sorts.iter_mut().zip(counts) {
            *sort = lists;
            lists += cast::fit::<u32>(count);
        }
        let [hears, changes, forbids, replaces, leaves] = active.sorts;
        active.found.clear();
        for declared in rules.places.iter().filter(|place| place.hearing) {
            for at in &rules.layout.places[declared.first as usize..(declared.first + declared.instances) as usize] {
                let base = at.base as usize;
                let count = cast::index(self.cells[base]);
                for piece in self.cells[base + 1..=base + at.room as usize].iter().filter_map(|&cell| PieceId::of_slot(cell)).take(count) {
                    let definition = rules.definition(piece.index());
                    let mut say = |list: u32, entry: usize| {
                        active.found.push((list, Speaker { piece, owner: at.owner, entry: EntryId::at(entry) }));
                    };
                    definition.hooks.iter().enumerate().for_each(|(i, hook)| say(hears + u32::from(hook.moment), i));
                    definition.changes.iter().enumerate().for_each(|(i, change)| say(changes + u32::from(change.quantity), i));
                    definition.forbids.iter().enumerate().for_each(|(i, forbid)| say(forbids + u32::from(forbid.action), i));
                    definition.insteads.iter().enumerate().for_each(|(i, instead)| say(replaces + u32::from(instead.of), i));
                    if definition.leaves_when.is_some() {
                        say(leaves, 0);
                    }
                }
            }
        }
        // Those of a list stay in the order in which they were found.
        active.starts.clear();
        active.starts.resize(lists as usize + 1, 0);
        active.found.iter().for_each(|&(list, _)| active.starts[list as usize + 1] += 1);
        for list in 0..lists as usize {
            active.starts[list + 1] += active.starts[list];
        }
        active.speakers.clear();
        active.speakers.resize(active.found.len(), Speaker { piece: PieceId::at(0), owner: 0, entry: EntryId::at(0) });
        for &(list, speaker) in active.found.iter().rev() {
            // Each start is moved back from the end of its list.
            let at = &mut active.starts[list as usize + 1];
            *at -= 1;
            active.speakers[*at as usize] = speaker;
        }
        // Now each holds the start of its own list: one place too far.
        active.starts.rotate_left(1);
        active.starts[lists as usize] = cast::fit::<u32>(active.found.len());
        let how = |speaker: &Speaker| rules.definition(speaker.piece.index()).changes[speaker.entry.index()].how;
        let changes = &active.starts[changes as usize..forbids as usize + 1];
        for ends in changes.windows(2).filter(|ends| ends[1] > ends[0] + 1) {
            active.speakers[ends[0] as usize..ends[1] as usize].sort_by_key(how);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{Change, Hook, How, Who};
    use crate::node::Node;
    use crate::testing::{DENS, game, quantity, rules};

    #[test]
    fn cards_in_play_are_listed_by_what_they_say_in_the_order_of_places() {
        let rules = rules(|rules, node| {
            let one = node(Node::Const(1));
            rules.moments = vec!["dusk".to_string(), "dawn".to_string()];
            rules.quantities = vec![quantity("howl", one, 0), quantity("reach", one, 0)];
            let hook = |moment| Hook { id: String::new(), moment, who: Who::Me, own_only: false, when: None, begin: Default::default() };
            let change = |quantity| Change { quantity, who: Who::Me, when: None, how: How::By, amount: one, span: None };
            rules.definitions[0].hooks = vec![hook(1), hook(0)];
            rules.definitions[1].changes = vec![change(1)];
            rules.definitions[2].hooks = vec![hook(1)];
            rules.definitions[2].leaves_when = Some(one);
        });
        let mut game = game(&rules);
        game.refresh_active(&rules);
        assert!(game.active.hearers(1).is_empty() && game.active.changes(1).is_empty());
        game.run.quiet = 1;
        game.lay(&rules, 3, DENS, 1);
        game.lay(&rules, 0, DENS + 1, 0);
        game.lay(&rules, 2, DENS, 0);
        game.refresh_active(&rules);
        let pieces = |speakers: &[Speaker]| speakers.iter().map(|s| (s.piece.index(), s.owner, s.entry.index())).collect::<Vec<_>>();
        assert_eq!(pieces(game.active.hearers(0)), [(0, 1, 1)]);
        assert_eq!(pieces(game.active.hearers(1)), [(3, 0, 0), (0, 1, 0)]);
        assert_eq!(pieces(game.active.changes(0)), []);
        assert_eq!(pieces(game.active.changes(1)), [(2, 0, 0)]);
        assert_eq!(pieces(game.active.leavers()), [(3, 0, 0)]);
        let copy = game.clone();
        assert_eq!(copy.active.hearers(1), game.active.hearers(1));
    }
}
