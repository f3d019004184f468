//! Moments (events): finds the hooks that listen to them, and the entries that replace a loss or draw.

use super::active::ActiveEntry;
use super::decision::Stop;
use super::definition::concerns;
use super::eval::Env;
use super::ids::{EntryId, PieceId};
use super::queued_frame::QueuedFrame;
use super::ruleset::Who;
use super::store::Store;
use super::waiting;
use crate::cast;
use houserule_state::layout::{TABLE, head, piece};

/// Raises a moment for a seat: the hooks that hear it now are queued.
pub(crate) fn raise(store: &mut Store<'_>, moment: u16, me: usize, card: i32) {
    each_listener(store, moment, me, card, |game, active| queue_listener(game, active, me, card));
}

/// Calls `f` for each hook on a moment, for whichever seats.
///
/// The order: owners in turn order, starting with the seat of the moment, then the table; for one owner, by place and slot. If the card of
/// the moment is not in play, its own hooks come first.
pub fn each_listener(store: &mut Store<'_>, moment: u16, me: usize, card: i32, mut f: impl FnMut(&mut Store<'_>, ActiveEntry)) {
    let rules = store.rules;
    store.evaluator().refresh_active();
    store.evaluator().watch_entries(|definition| definition.hooks.iter().any(|hook| hook.moment == moment));
    if card >= 0 {
        store.watch_fact(cast::index(card), |card| rules.definition(card).hooks.iter().any(|hook| hook.moment == moment));
        let place = cast::index(store.state.cells()[rules.layout.piece(cast::index(card), piece::PLACE)]);
        let place = &rules.layout.places[place];
        if place.room == 0 || !rules.places[place.declared as usize].in_play {
            for (i, hook) in rules.definition(cast::index(card)).hooks.iter().enumerate() {
                if hook.moment == moment && hook.who != Who::Others {
                    f(store, ActiveEntry { piece: PieceId::at(cast::index(card)), owner: cast::seat(me), entry: EntryId::at(i) });
                }
            }
        }
    }
    if store.live.values.active.listeners(moment).is_empty() {
        return;
    }
    let first = (0..rules.players).find(|&i| store.state.cells()[head::ORDER + i] == cast::fit::<i32>(me)).unwrap_or(0);
    for step in 0..=rules.players {
        let owner =
            if step == rules.players { TABLE } else { cast::fit::<u8>(store.state.cells()[head::ORDER + (first + step) % rules.players]) };
        for i in 0..store.live.values.active.listeners(moment).len() {
            let active = store.live.values.active.listeners(moment)[i];
            if active.owner == owner {
                f(store, active);
            }
        }
    }
}

fn queue_listener(store: &mut Store<'_>, active: ActiveEntry, player: usize, card: i32) {
    let rules = store.rules;
    let hook = &rules.definition(active.piece.index()).hooks[active.entry.index()];
    if hook.own_only && card != active.piece.local() || !concerns(hook.who, active.owner, player) {
        return;
    }
    let me = if active.owner == TABLE { player } else { active.owner as usize };
    let locals = [active.piece.local(), card, cast::fit::<i32>(player), -1, -1];
    if store.holds_if(hook.when, &mut Env::with_locals(me, &locals)) {
        store.live.queue.push(QueuedFrame { pc: hook.first_op, me: cast::seat(me), locals });
    }
}

/// Raises a moment while an effect or script runs: the listeners run when it has ended; during a simultaneous block, when all seats have
/// acted.
///
/// # Errors
/// A fault if too many frames wait.
pub fn raise_later(store: &mut Store<'_>, moment: u16, me: usize, card: i32) -> Result<(), Stop> {
    let mark = store.live.queue.len();
    raise(store, moment, me, card);
    if !store.reads_current() {
        for index in mark..store.live.queue.len() {
            let item = store.live.queue[index];
            waiting::defer(store, item)?;
        }
        store.live.queue.truncate(mark);
    }
    Ok(())
}

/// Queues an effect of the rules, to run when the script has ended.
pub fn effect_later(store: &mut Store<'_>, effect: u16, me: usize, args: [i32; 4]) {
    let rules = store.rules;
    let [a, b, c, d] = args;
    store.live.queue.push(QueuedFrame { pc: rules.effects[effect as usize].first_op, me: cast::seat(me), locals: [-1, a, b, c, d] });
}

/// Builds the frame that replaces a named loss or draw of this seat (`None`: of any seat); `None` if no card in play replaces it.
pub(crate) fn replaced(store: &mut Store<'_>, name: u16, seat: Option<usize>) -> Option<QueuedFrame> {
    let rules = store.rules;
    store.evaluator().refresh_active();
    store.evaluator().watch_entries(|definition| definition.replacements.iter().any(|instead| instead.replaced == name));
    for i in 0..store.live.values.active.replacements(name).len() {
        let active = store.live.values.active.replacements(name)[i];
        let instead = &rules.definition(active.piece.index()).replacements[active.entry.index()];
        if seat.is_some_and(|seat| !concerns(instead.who, active.owner, seat)) {
            continue;
        }
        let me = if active.owner == TABLE { seat.unwrap_or(0) } else { active.owner as usize };
        if store.holds_if(instead.when, &mut Env::with_locals(me, &[active.piece.local(), -1])) {
            let pc = instead.first_op;
            return Some(QueuedFrame { pc, me: cast::seat(me), locals: [active.piece.local(), -1, cast::fit::<i32>(me), -1, -1] });
        }
    }
    None
}
