//! Finds the typed entry of a card that corresponds to an entry of the compiled ruleset.

use crate::engine::ruleset::ChangeOp;
use crate::lang::typed::{Ask, Entries, Entry, EntryBody, Expr, Param};

/// Returns the entries of a card, followed by those of its kind: the same order as in the ruleset.
fn all_of(entries: &Entries, definition: usize, kind: u16) -> impl Iterator<Item = &Entry> {
    let own = entries.of_cards.get(definition).into_iter().flatten();
    own.chain(entries.of_kinds.get(&kind).into_iter().flatten())
}

/// Finds the `nth` change of a card: its entry, parameters, way of changing, and amount.
pub(super) fn change_of(entries: &Entries, definition: usize, kind: u16, nth: usize) -> Option<(&Entry, &[Param], ChangeOp, &Expr)> {
    let all = all_of(entries, definition, kind).flat_map(|entry| {
        let (params, amounts) = if let EntryBody::Change { params, amounts, .. } = &entry.body {
            (params.as_slice(), amounts.as_slice())
        } else {
            (&[][..], &[][..])
        };
        amounts.iter().map(move |(how, amount)| (entry, params, *how, amount))
    });
    all.into_iter().nth(nth)
}

/// Finds the `nth` entry of a card that listens to a moment.
pub(super) fn hook_of(entries: &Entries, definition: usize, kind: u16, nth: usize) -> Option<&Entry> {
    all_of(entries, definition, kind).filter(|entry| matches!(entry.body, EntryBody::On { .. })).nth(nth)
}

/// Finds the `nth` entry of a card that forbids an action. If several actions have one name, the ruleset has the entry once for each.
pub(super) fn forbid_of(
    entries: &Entries,
    (definition, kind): (usize, u16),
    nth: usize,
    actions_called: impl Fn(&str) -> usize,
) -> Option<&Entry> {
    let all = all_of(entries, definition, kind).flat_map(|entry| {
        let times = if let EntryBody::Forbid { action, .. } = &entry.body { actions_called(action) } else { 0 };
        std::iter::repeat_n(entry, times)
    });
    all.into_iter().nth(nth)
}

/// Finds the action of a card. If there are several, the last one is used.
pub(super) fn action_of(entries: &Entries, definition: usize, kind: u16) -> Option<&Entry> {
    all_of(entries, definition, kind).filter(|entry| matches!(entry.body, EntryBody::Action { .. })).last()
}

/// Finds the question with this id on a card.
pub(super) fn ask_of<'e>(entries: &'e Entries, definition: usize, kind: u16, id: &str) -> Option<&'e Ask> {
    let parts = all_of(entries, definition, kind).flat_map(|entry| match &entry.body {
        EntryBody::On { parts, .. } | EntryBody::Instead { parts, .. } | EntryBody::Action { parts, .. } | EntryBody::Unheard { parts } => {
            parts.as_slice()
        }
        EntryBody::Change { .. } | EntryBody::Forbid { .. } | EntryBody::Leaves => &[],
    });
    parts.filter_map(|part| part.ask.as_ref()).find(|ask| ask.id == id)
}
