//! Where turns stand: how many actions the running one has left, and which place in the order comes next, in cells of the header.

use super::decision::Stop;
use super::store::Store;
use crate::cast;
use houserule_state::layout::head;

/// Where a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TurnStage {
    /// No turn is running: whose comes next is to be found.
    Between,
    /// A turn is running, with so many actions left and answers given.
    Running { left: i32, answers: i32 },
    /// What is done after the turn has begun. Actions are left only if it has given some.
    Ending { left: i32, answers: i32 },
}

impl TurnStage {
    /// Decodes the stage from the header: no actions below 0 are left, and the answers are their complement once the turn is ending.
    #[inline]
    pub fn of(cells: &[i32]) -> TurnStage {
        match (cells[head::ACTIONS_LEFT], cells[head::ANSWERS]) {
            (..0, _) => TurnStage::Between,
            (left, answers @ 0..) => TurnStage::Running { left, answers },
            (left, answers) => TurnStage::Ending { left, answers: !answers },
        }
    }

    /// Returns the number of actions left, and of answers given; `None` between turns.
    #[inline]
    pub fn counts(self) -> Option<(i32, i32)> {
        match self {
            TurnStage::Between => None,
            TurnStage::Running { left, answers } | TurnStage::Ending { left, answers } => Some((left, answers)),
        }
    }

    /// Writes the stage to the header.
    pub fn write(self, store: &mut Store<'_>) -> Result<(), Stop> {
        let (left, answers) = match self {
            TurnStage::Between => return store.put(head::ACTIONS_LEFT, -1),
            TurnStage::Running { left, answers } => (left, answers),
            TurnStage::Ending { left, answers } => (left, !answers),
        };
        store.put(head::ACTIONS_LEFT, left.into())?;
        store.put(head::ANSWERS, answers.into())
    }
}

/// Adds to the actions that are left in the running turn; nothing happens between turns, where actions are free.
pub(crate) fn add_actions(store: &mut Store<'_>, more: i64) -> Result<(), Stop> {
    match TurnStage::of(store.state.cells()) {
        TurnStage::Between => Ok(()),
        TurnStage::Running { .. } | TurnStage::Ending { .. } => store.add(head::ACTIONS_LEFT, more),
    }
}

/// Returns the place in the order of the seat whose turn it is, or at which the next one is looked for; and the seat.
#[inline]
pub(crate) fn place_and_seat(store: &Store<'_>) -> (usize, usize) {
    let cells = store.state.cells();
    let place = cast::index(cells[head::TURN_PLACE]) % store.rules.players;
    (place, cast::index(cells[head::ORDER + place]))
}

/// Goes on to the place in the order behind the one whose turn has ended, or to the first if the order has begun anew.
pub(crate) fn pass_on(store: &mut Store<'_>) -> Result<(), Stop> {
    let behind = (place_and_seat(store).0 + 1) % store.rules.players;
    let next = if store.state.cells()[head::FROM_FIRST] == 1 { 0 } else { behind };
    store.put(head::FROM_FIRST, 0)?;
    store.put(head::TURN_PLACE, cast::count(next))
}

/// Keeps a running turn with its seat, before the order becomes another one: the next turn is that of the seat behind it there.
pub(crate) fn keep_in(store: &mut Store<'_>, order: &[usize]) -> Result<(), Stop> {
    let (_, turn_of) = place_and_seat(store);
    let is_running = TurnStage::of(store.state.cells()) != TurnStage::Between;
    let Some(place) = order.iter().position(|&seat| seat == turn_of).filter(|_| is_running) else { return Ok(()) };
    store.put(head::TURN_PLACE, cast::count(place))?;
    store.put(head::FROM_FIRST, 0)
}

/// Notes that the order begins anew: in the middle of a turn, the next one is that of the player with whom it begins.
pub(crate) fn begin_anew(store: &mut Store<'_>) -> Result<(), Stop> {
    let is_running = TurnStage::of(store.state.cells()) != TurnStage::Between;
    store.put(head::FROM_FIRST, is_running.into())
}
