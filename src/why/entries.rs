//! Which entry of a card, as it is written, an entry of the ruleset is.

use crate::engine::ruleset::How;
use crate::lang::typed::{Ask, Entries, Entry, Expr, Param, Says};

/// All that a card says, by itself and by its kind, in the order in which the ruleset has it.
fn all_of(entries: &Entries, definition: usize, kind: u16) -> impl Iterator<Item = &Entry> {
    let own = entries.of_cards.get(definition).into_iter().flatten();
    own.chain(entries.of_kinds.get(&kind).into_iter().flatten())
}

/// A change of a quantity: its entry, the names that it knows, how it changes, and by how much.
pub(super) fn change_of(entries: &Entries, definition: usize, kind: u16, nth: usize) -> Option<(&Entry, &[Param], How, &Expr)> {
    let all = all_of(entries, definition, kind).flat_map(|entry| {
        let (params, amounts) = if let Says::Change { params, amounts, .. } = &entry.says {
            (params.as_slice(), amounts.as_slice())
        } else {
            (&[][..], &[][..])
        };
        amounts.iter().map(move |(how, amount)| (entry, params, *how, amount))
    });
    all.into_iter().nth(nth)
}

/// What a card hears.
pub(super) fn hook_of(entries: &Entries, definition: usize, kind: u16, nth: usize) -> Option<&Entry> {
    all_of(entries, definition, kind).filter(|entry| matches!(entry.says, Says::On { .. })).nth(nth)
}

/// What a card forbids: of several actions with one name each has it once.
pub(super) fn forbid_of(
    entries: &Entries,
    (definition, kind): (usize, u16),
    nth: usize,
    actions_called: impl Fn(&str) -> usize,
) -> Option<&Entry> {
    let all = all_of(entries, definition, kind).flat_map(|entry| {
        let times = if let Says::Forbid { action, .. } = &entry.says { actions_called(action) } else { 0 };
        std::iter::repeat_n(entry, times)
    });
    all.into_iter().nth(nth)
}

/// The action of a card; the last of several counts.
pub(super) fn action_of(entries: &Entries, definition: usize, kind: u16) -> Option<&Entry> {
    all_of(entries, definition, kind).filter(|entry| matches!(entry.says, Says::Action { .. })).last()
}

/// The question of a card that has this id.
pub(super) fn ask_of<'e>(entries: &'e Entries, definition: usize, kind: u16, id: &str) -> Option<&'e Ask> {
    let parts = all_of(entries, definition, kind).flat_map(|entry| match &entry.says {
        Says::On { parts, .. } | Says::Instead { parts, .. } | Says::Action { parts, .. } | Says::Unheard { parts } => parts.as_slice(),
        Says::Change { .. } | Says::Forbid { .. } | Says::Leaves => &[],
    });
    parts.filter_map(|part| part.ask.as_ref()).find(|ask| ask.id == id)
}
