//! A game: its cells, what is cached beside them, and the one door through which a cell changes.

use super::active::Active;
use super::cache::Cache;
use super::decision::{Act, Decision, Opt, Question, Stop};
use super::eval::Evaluation;
use super::moment::Waiting;
use super::ruleset::{Lifetime, Ruleset, VariableSort};
use crate::cast;
use crate::state::chance::{draw, mix};
use crate::state::layout::{PIECE, TABLE, head, piece};

/// Through whose eyes cells are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Eyes {
    /// As they are.
    #[default]
    Live,
    /// While all act at once: this seat's own things as they are, everything else as it was.
    Own(u8),
    /// As everything was when all began to act at once.
    Before,
}

impl Eyes {
    /// As a frame keeps it; [`Eyes::Before`] lasts for one expression only.
    pub fn code(self) -> i32 {
        match self {
            Eyes::Live | Eyes::Before => 0,
            Eyes::Own(seat) => seat as i32 + 1,
        }
    }

    /// From what a frame keeps.
    pub fn from_code(code: i32) -> Eyes {
        if code <= 0 { Eyes::Live } else { Eyes::Own(cast::fit::<u8>(code) - 1) }
    }
}

/// Room that is kept for frames from the start.
const STACK: usize = 1024;

/// Memory that is used again and again, and means nothing between two ops.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// For ordering decks.
    keyed: Vec<(u64, u16)>,
    /// The payment in the making.
    pub payment: super::payment::Payment,
    /// For shuffling what is unknown.
    pub shuffle: super::imagine::Shuffle,
    /// A list of options.
    pub options: Vec<Opt>,
    /// Another list of options, of what is only looked at.
    pub offers: Vec<Opt>,
    /// Cards that something is done with.
    pub cards: Vec<i32>,
    /// By what seats are ordered.
    pub ranked: Vec<i64>,
    /// A list of costs.
    pub costs: Vec<(usize, i64)>,
    /// What cards know already in an enumeration of options.
    pub known_guards: [Option<bool>; super::options::MOST_GUARDS],
    /// What a seat can pay of each symbol, worked out once in an enumeration.
    pub known_payable: [Option<i64>; 8],
}

/// A game in progress. Its state is its cells, and while all act at once the block; everything else is worked out from them, or
/// lasts for one op only.
#[derive(Debug, Default)]
pub struct Game {
    /// Header, table, seats, pieces, places; behind them the stack of frames.
    pub(super) cells: Vec<i32>,
    /// How many cells lie before the stack.
    pub(super) fixed: usize,
    /// While all act at once: the cells as they were when they began, and what the block has to remember. Empty otherwise.
    pub(super) before: Vec<i32>,
    /// The open question; listed again when the state was taken up.
    pub(super) pending: Option<Decision>,
    /// Through whose eyes the running frame reads.
    pub(super) eyes: Eyes,
    pub(super) live: Cache,
    /// The values as they were when all began to act at once.
    pub(super) past: Cache,
    pub(super) active: Active,
    /// What is no longer known of the cells.
    pub(super) due: Due,
    /// What has been set off and goes to the stack when the running op ends.
    pub(super) queue: Vec<Waiting>,
    /// What the running op goes by.
    pub(super) run: Run,
    pub(super) evaluation: Evaluation,
    pub(super) scratch: Scratch,
    /// What is told to people, if they listen.
    pub(super) told: Told,
    /// Whether it is noted what is read that a seat does not know.
    pub(super) watch: super::watch::Watch,
}

/// What must be looked at again since cells have changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    /// Cards that speak came or went.
    pub active: bool,
    /// Whether they were listed since the block began in which all act at once: that list is of no use when all is as it was.
    pub listed: bool,
    /// State-based checks.
    pub checks: bool,
    /// Whether all cards have room.
    pub room: bool,
    /// What was written that lasts only for a while: a bit for each lifetime and owner.
    pub lasting: u64,
}

impl Default for Due {
    fn default() -> Due {
        Due { active: true, listed: true, checks: true, room: true, lasting: u64::MAX }
    }
}

/// What the running op goes by; between two decisions none of it means anything.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The answer to the question at which the running frame stands.
    pub chosen: Option<Opt>,
    /// Ops that may still be run before the next question.
    pub fuel: u32,
    /// How often the state may still be at rest before the loop stops; `None` if it is to run on.
    pub rests: Option<u32>,
    /// Checks and listeners are off: one thing is done in several steps, or a position is written.
    pub quiet: u32,
    /// Native consequences within each other.
    pub nested: u32,
    /// The definition whose script runs.
    pub speaking: Option<u32>,
    /// The script that ran last; kept for who asks why a game does not go on.
    pub spoke: Option<u32>,
}

/// What is told to people, and what a scenario fixes: no part of the state.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// What falls next, written from outside, last first: of each face the classes that it may be.
    pub falls: Vec<u64>,
    /// What is taken next at random, written from outside, last first: of each token the classes that it may be.
    pub takes: Vec<u64>,
    /// Which cards are drawn next from their decks, written from outside, first to last.
    pub draws: Vec<FixedDraw>,
    pub log: Option<Vec<String>>,
    /// Lines of the log that not everybody may read.
    pub veiled: Vec<Veil>,
    /// What was taken unasked because nothing else could be answered, with its seat; kept for scenarios.
    pub taken: Option<Vec<(u8, Opt)>>,
    /// How long both were when something began that is tried first.
    tried: (usize, usize),
    /// Which fixed draws had come then.
    tried_draws: Vec<FixedDraw>,
}

/// A card that is drawn from its deck before any other, however it was shuffled in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedDraw {
    /// The piece.
    pub card: usize,
    /// The deck, as an instance of a place.
    pub deck: usize,
    /// Whether it has been drawn.
    pub came: bool,
}

/// A line of the log that names a card which not everybody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Veil {
    /// Which line.
    line: usize,
    /// Bit set of the seats that may read it.
    seats: i32,
    /// What the others read instead.
    instead: String,
}

impl Told {
    /// Something begins that may have to be begun again.
    pub fn begin_try(&mut self) {
        self.tried = (self.log.as_ref().map_or(0, Vec::len), self.taken.as_ref().map_or(0, Vec::len));
        self.tried_draws.clone_from(&self.draws);
    }

    /// What has been drawn since then is undone.
    pub fn undo_draws(&mut self) {
        self.draws.clone_from(&self.tried_draws);
    }

    /// It has to be: nothing of it is told.
    pub fn forget_try(&mut self) {
        if let Some(log) = &mut self.log {
            log.truncate(self.tried.0);
            self.veiled.retain(|veil| veil.line < self.tried.0);
        }
        if let Some(taken) = &mut self.taken {
            taken.truncate(self.tried.1);
        }
    }
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let mut game = Game::default();
        game.clone_from(self);
        game
    }

    /// Search copies games all the time: the memory of the target is used again.
    fn clone_from(&mut self, source: &Game) {
        let Game { cells, fixed, before, pending, eyes, live, past, active, due, queue, run, evaluation, scratch: _, told, watch: _ } =
            source;
        self.cells.clone_from(cells);
        self.fixed = *fixed;
        self.before.clone_from(before);
        // The memory for options is this game's own, whether a question is open or not.
        let mut options = self.pending.take().map_or_else(|| std::mem::take(&mut self.scratch.options), |open| open.options);
        match pending {
            Some(open) => {
                options.clone_from(&open.options);
                self.pending = Some(Decision { options, ..*open });
            }
            None => self.scratch.options = options,
        }
        self.eyes = *eyes;
        self.live.clone_from(live);
        if !before.is_empty() {
            self.past.clone_from(past);
        }
        self.active.clone_from(active);
        self.due = *due;
        self.queue.clone_from(queue);
        self.run = *run;
        self.evaluation.clone_from(evaluation);
        self.told.clone_from(told);
        self.watch = Default::default();
    }
}

impl Game {
    /// A new game with this seed, before set-up.
    pub fn new(rules: &Ruleset, seed: u64) -> Game {
        let mut game = Game::default();
        game.restart(rules, seed);
        game
    }

    /// Begins a new game in the memory of this one.
    pub fn restart(&mut self, rules: &Ruleset, seed: u64) {
        self.cells.clear();
        self.cells.reserve(rules.layout.len + STACK);
        self.fixed = rules.layout.len;
        self.cells.resize(self.fixed, 0);
        [self.cells[head::SEED_LOW], self.cells[head::SEED_HIGH]] = cast::halves(seed);
        self.cells[head::ACTIONS_LEFT] = -1;
        for seat in 0..rules.players {
            self.cells[head::ORDER + seat] = cast::fit::<i32>(seat);
        }
        for &(cell, value) in &rules.initial {
            self.cells[cell as usize] = value;
        }
        for &(seat, offset, value) in &rules.seat_settings {
            self.cells[rules.layout.seat(seat, offset as usize)] = value;
        }
        self.lay_first_frame(rules.ops.parts.first().copied().unwrap_or_default());
        self.before.clear();
        self.pending = None;
        self.forget(rules);
        self.deal_decks(rules, seed);
    }

    /// A deck's order is its pieces sorted by hash(seed, deck, card, copy): a card added leaves the others' relative order.
    fn deal_decks(&mut self, rules: &Ruleset, seed: u64) {
        for (index, &home) in rules.piece_home.iter().enumerate() {
            self.cells[rules.layout.piece(index, piece::PLACE)] = home as i32;
        }
        let mut keyed = std::mem::take(&mut self.scratch.keyed);
        for (home, pieces) in &rules.decks {
            let on_top = |index: usize| rules.on_top == Some(rules.piece_definition[index]);
            let by_chance = |index: usize| draw(seed, rules.piece_stream[index], rules.piece_copy[index] as u64);
            let key = |index: usize| if on_top(index) { u64::MAX } else { by_chance(index) };
            keyed.clear();
            keyed.extend(pieces.iter().map(|&index| (key(index as usize), index)));
            keyed.sort_unstable();
            let base = rules.layout.places[*home as usize].base as usize;
            self.cells[base] = cast::fit::<i32>(keyed.len());
            for (position, &(_, index)) in keyed.iter().enumerate() {
                self.cells[base + 1 + position] = index as i32 + 1;
                self.cells[rules.layout.piece(index as usize, piece::POSITION)] = cast::fit::<i32>(position);
            }
        }
        self.scratch.keyed = keyed;
    }

    /// Forgets everything that was worked out: the cells were written from outside.
    pub(super) fn forget(&mut self, rules: &Ruleset) {
        self.forget_values(rules);
        self.due = Due::default();
        self.queue.clear();
        self.run = Run::default();
        self.forget_wrong_number();
    }

    /// The game's seed.
    pub fn seed(&self) -> u64 {
        cast::joined([self.cells[head::SEED_LOW], self.cells[head::SEED_HIGH]])
    }

    /// A hash of the whole state: every cell, and nothing else.
    pub fn hash(&self) -> u64 {
        let mut h = 0x5EED_u64;
        for pair in self.cells.chunks(2).chain(self.before.chunks(2)) {
            let word = cast::joined([pair[0], pair.get(1).copied().unwrap_or(0)]);
            h = (h.rotate_left(5) ^ word).wrapping_mul(0x2545_F491_4F6C_DD1D);
        }
        mix(h)
    }

    /// The cells as they stand now, at the open question too.
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// The open question.
    pub fn decision(&self) -> Option<&Decision> {
        self.pending.as_ref()
    }

    /// The round, from 1; 0 during set-up.
    pub fn round(&self) -> i32 {
        self.cells()[head::ROUND]
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.cells()[head::TURN]
    }

    /// Whether the game has ended.
    pub fn finished(&self) -> bool {
        self.cells[head::FINISHED] != 0
    }

    /// The seats in turn order.
    pub fn order(&self, rules: &Ruleset) -> Vec<usize> {
        self.cells()[head::ORDER..head::ORDER + rules.players].iter().map(|&s| cast::index(s)).collect()
    }

    /// Keeps a log from now on.
    pub fn keep_log(&mut self) {
        self.told.log.get_or_insert_with(Vec::new);
    }

    /// What was logged.
    pub fn log(&self) -> &[String] {
        self.told.log.as_deref().unwrap_or(&[])
    }

    /// What was logged from a line on, as a seat may read it: cards that it does not know are not named.
    pub fn log_for(&self, seat: usize, from: usize) -> impl Iterator<Item = &str> {
        let veil = move |at: usize| self.told.veiled.iter().find(|veil| veil.line == at && veil.seats >> seat & 1 == 0);
        let lines = self.log().iter().enumerate().skip(from);
        lines.map(move |(at, line)| veil(at).map_or(line.as_str(), |veil| veil.instead.as_str()))
    }

    /// Adds to the log what a seat has chosen; cards that not everybody knows are named to those alone who do, and what is then written on
    /// hidden cards is told to that seat alone.
    pub(super) fn say_chosen(&mut self, rules: &Ruleset, seat: usize, question: Question, chosen: Opt) {
        if self.told.log.is_none() || self.asks_ahead() {
            return;
        }
        let (verb, cards) = match chosen.act {
            Act::Card(card) => ("choose", [card, -1, -1]),
            Act::Action(action, cards) => (rules.names.text(rules.actions[action as usize].name), cards),
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Token(..) | Act::Nothing | Act::Done => ("", [-1; 3]),
        };
        // Who has once seen a card of a hidden hand does not see that it is chosen.
        let hidden = |card: usize| {
            let at = &rules.layout.places[cast::index(self.cells[rules.layout.piece(card, piece::PLACE)])];
            at.room > 0 && rules.places[at.declared as usize].hidden
        };
        let known = |card: usize| match hidden(card) {
            true => 1 << seat,
            false => self.cells[rules.layout.piece(card, piece::KNOWN)] | 1 << seat,
        };
        let everybody = (1 << rules.players) - 1;
        let seats = cards.iter().filter_map(|card| usize::try_from(*card).ok()).fold(everybody, |seats, card| seats & known(card));
        if seats != everybody {
            let line = self.log().len();
            self.told.veiled.push(Veil { line, seats, instead: format!("p{}: {verb} a card", seat + 1) });
        }
        if super::hidden::is_kept_secret(rules, question, chosen.act) {
            let line = self.log().len();
            self.told.veiled.push(Veil { line, seats: 1 << seat, instead: format!("p{}: answers in secret", seat + 1) });
        }
        self.say(|| format!("p{}: {}", seat + 1, chosen.text(rules)));
    }

    /// Adds a line about cards to the log, each with whether a seat is told which card it is; `text` makes the line of what they are called.
    pub(super) fn say_of_cards<const N: usize>(
        &mut self,
        rules: &Ruleset,
        cards: [usize; N],
        is_told: impl Fn(&Game, usize, usize) -> bool,
        text: impl Fn([&str; N]) -> String,
    ) {
        if self.told.log.is_none() || self.asks_ahead() {
            return;
        }
        let names = cards.map(|card| rules.names.text(rules.definition(card).id));
        let line = self.log().len();
        for seat in 0..rules.players {
            let told = std::array::from_fn(|at| if is_told(self, at, seat) { names[at] } else { "a card" });
            if told != names {
                self.told.veiled.push(Veil { line, seats: !(1 << seat), instead: text(told) });
            }
        }
        self.say(|| text(names));
    }

    /// Adds a line to the log, if one is kept.
    pub fn note(&mut self, line: impl FnOnce() -> String) {
        self.say(line);
    }

    /// Adds a line to the log, if one is kept, and if what happens is not only looked into to find out what must be asked.
    #[inline]
    pub(super) fn say(&mut self, line: impl FnOnce() -> String) {
        if self.told.log.is_some() && !self.asks_ahead() {
            self.told.log.get_or_insert_with(Vec::new).push(line());
        }
    }

    /// Reads a cell through the present eyes.
    #[inline(always)]
    pub fn cell(&self, rules: &Ruleset, index: usize) -> i32 {
        if self.eyes == Eyes::Live { self.cells[index] } else { self.cell_seen(rules, index) }
    }

    #[cold]
    fn cell_seen(&self, rules: &Ruleset, index: usize) -> i32 {
        match self.eyes {
            Eyes::Live => self.cells[index],
            Eyes::Before => self.before[index],
            Eyes::Own(seat) => {
                let mut owner = rules.layout.owner_of[index];
                if owner == PIECE {
                    let number = (index - rules.layout.piece_base) / rules.layout.piece_size;
                    owner = self.owner_of_piece(rules, number);
                }
                if owner == seat { self.cells[index] } else { self.before[index] }
            }
        }
    }

    /// Reads a cell of a piece through the present eyes.
    #[inline(always)]
    pub(super) fn piece_cell(&self, rules: &Ruleset, card: usize, offset: usize) -> i32 {
        let index = rules.layout.piece(card, offset);
        match self.eyes {
            Eyes::Live => self.cells[index],
            Eyes::Own(seat) if self.owner_of_piece(rules, card) == seat => self.cells[index],
            Eyes::Own(_) | Eyes::Before => self.before[index],
        }
    }

    /// Seat that owns the place where a piece lies now, or [`TABLE`].
    #[inline]
    pub(super) fn owner_of_piece(&self, rules: &Ruleset, index: usize) -> u8 {
        let place = cast::index(self.cells[rules.layout.piece(index, piece::PLACE)]);
        rules.layout.places[place].owner
    }

    /// Changes a cell: the only way in which the state changes.
    ///
    /// # Errors
    /// A value beyond 32 bits is a fault.
    #[inline]
    pub(super) fn put(&mut self, rules: &Ruleset, index: usize, value: i64) -> Result<(), Stop> {
        let old = self.cells[index];
        if old as i64 == value {
            return Ok(());
        }
        let Ok(value) = i32::try_from(value) else { return Err(too_large(value)) };
        self.cells[index] = value;
        let class = rules.layout.class_of[index];
        if class != 0 {
            self.note_change(rules, index, class);
        }
        Ok(())
    }

    /// A cell on which something depends has changed: what was worked out from it is invalid.
    #[inline(never)]
    pub(super) fn note_change(&mut self, rules: &Ruleset, index: usize, class: u32) {
        if self.eyes != Eyes::Live {
            self.live.changed.push(cast::fit::<u32>(index));
        }
        let lasts = rules.lasts[class as usize];
        if lasts != 0 {
            self.due.lasting |= lasting_bit(lasts.trailing_zeros(), rules.layout.owner_of[index]);
        }
        self.unmark(rules, index, class);
    }

    /// Sets everything that lasts as long as this back to 0.
    pub(super) fn clear_lifetime(&mut self, rules: &Ruleset, lifetime: Lifetime) -> Result<(), Stop> {
        let written = |due: &Due, owner: u8| due.lasting & lasting_bit(lifetime as u32, owner) != 0;
        let due = self.due;
        let [table, of_seat, of_piece] = &rules.clears[lifetime as usize];
        for &(offset, len) in table.iter().filter(|_| written(&due, TABLE)) {
            self.clear_run(rules, offset as usize, len)?;
        }
        for seat in (0..rules.players).filter(|&seat| written(&due, cast::seat(seat))) {
            for &(offset, len) in of_seat {
                self.clear_run(rules, rules.layout.seat(seat, offset as usize), len)?;
            }
            for &offset in &rules.differences {
                let [ends, sum] = [lifetime as usize, Lifetime::ALL.len()].map(|at| rules.layout.seat(seat, offset as usize + at));
                if self.cells[ends] != 0 {
                    self.put(rules, sum, self.cells[sum] as i64 - self.cells[ends] as i64)?;
                    self.put(rules, ends, 0)?;
                }
            }
        }
        for &(offset, len) in of_piece.iter().filter(|_| written(&due, PIECE)) {
            for index in 0..rules.layout.pieces {
                self.clear_run(rules, rules.layout.piece(index, offset as usize), len)?;
            }
        }
        self.due.lasting &= !(LASTING << (lifetime as u32 * OWNERS));
        Ok(())
    }

    fn clear_run(&mut self, rules: &Ruleset, first: usize, len: u16) -> Result<(), Stop> {
        (first..first + len as usize).try_for_each(|cell| self.put(rules, cell, 0))
    }

    /// The index of a seat's variable with this name and its offset.
    pub fn seat_variable<'r>(rules: &'r Ruleset, name: &str) -> Option<&'r super::ruleset::Variable> {
        rules.seat.iter().find(|v| v.name == name)
    }

    /// The value of a resource, counter or flag of a seat, as it stands at the open question.
    pub fn value_of(&self, rules: &Ruleset, seat: usize, name: &str) -> Option<i64> {
        let variable = Self::seat_variable(rules, name)?;
        if matches!(variable.sort, VariableSort::Tally | VariableSort::Set) {
            return None;
        }
        Some(self.cells()[rules.layout.seat(seat, variable.offset as usize)] as i64)
    }
}

#[cold]
fn too_large(value: i64) -> Stop {
    Stop::fault(format!("a number grew to {value}, which is more than a state can hold"))
}

/// Owners of cells that last only for a while: the table, the seats, the pieces.
const OWNERS: u32 = 10;
const _: () = assert!(OWNERS as usize == 2 + head::MOST_SEATS);
/// A bit for each of them.
const LASTING: u64 = (1 << OWNERS) - 1;

/// The bit in [`Due::lasting`] for what lasts so long and belongs to this owner.
#[inline]
fn lasting_bit(lifetime: u32, owner: u8) -> u64 {
    let owner = match owner {
        TABLE => 0,
        PIECE => 1,
        seat => 2 + seat as u32,
    };
    1 << (lifetime * OWNERS + owner)
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, game, rules, values};
    use super::*;

    #[test]
    fn a_clone_is_the_game_whatever_the_memory_held_before() {
        let (rules, first) = game(&Added { setup: "fill row from pile", ..Added::default() });
        let (_, mut second) = game(&Added { setup: "moon = 3", ..Added::default() });
        second.clone_from(&first);
        assert_eq!(
            (second.hash(), second.decision(), second.log(), second.save()),
            (first.hash(), first.decision(), first.log(), first.save())
        );
        assert_eq!(second.gain(&rules, 0, 0, 1), Ok(()));
        assert_ne!(second.hash(), first.hash());
    }

    #[test]
    fn a_game_begun_anew_is_as_a_new_one() {
        let (rules, mut used) = game(&Added { setup: "fill row from pile", ..Added::default() });
        used.restart(&rules, 9);
        assert_eq!(used.save(), Game::new(&rules, 9).save());
        assert_ne!(used.save(), Game::new(&rules, 10).save());
        assert_eq!(used.seed(), 9);
    }

    #[test]
    fn decks_are_ordered_by_the_seed_and_a_card_alone() {
        let rules = rules(2, &Added::default());
        let pile = rules.places[rules.find_place("pile").unwrap_or(0)].first as usize;
        let orders: std::collections::BTreeSet<Vec<usize>> = (0..20).map(|seed| Game::new(&rules, seed).all_in(&rules, pile)).collect();
        assert!(orders.len() > 15 && orders.iter().all(|order| order.len() == 6));
    }

    #[test]
    fn what_lasts_for_a_while_ends_with_it_and_nothing_else_does() {
        let (rules, mut game) = game(&Added::default());
        let cell = |name: &str, seat: usize| rules.layout.seat(seat, Game::seat_variable(&rules, name).map_or(0, |v| v.offset as usize));
        for (name, value) in [("once", 5), ("passed", 1), ("idle", 7)] {
            assert_eq!(game.put(&rules, cell(name, 1), value), Ok(()));
        }
        assert_eq!(game.clear_lifetime(&rules, Lifetime::Action), Ok(()));
        assert_eq!([cell("once", 1), cell("passed", 1), cell("idle", 1)].map(|cell| game.cells[cell]), [0, 1, 7]);
        assert_eq!(game.clear_lifetime(&rules, Lifetime::Round), Ok(()));
        assert_eq!((values(&rules, &game, "passed"), values(&rules, &game, "idle")), (vec![0, 0], vec![0, 7]));
        // A state that was taken up does not know what was written.
        game.cells[cell("once", 0)] = 3;
        game.forget(&rules);
        assert_eq!(game.clear_lifetime(&rules, Lifetime::Action), Ok(()));
        assert_eq!(values(&rules, &game, "once"), [0, 0]);
    }

    #[test]
    fn lifetimes_and_owners_have_bits_of_their_own() {
        let mut seen = 0_u64;
        for lifetime in 0..Lifetime::ALL.len() as u32 {
            for owner in [TABLE, PIECE].into_iter().chain(0..head::MOST_SEATS as u8) {
                let bit = lasting_bit(lifetime, owner);
                assert_eq!(seen & bit, 0);
                seen |= bit;
            }
        }
    }

    #[test]
    fn eyes_are_kept_in_a_cell() {
        for eyes in [Eyes::Live, Eyes::Own(0), Eyes::Own(7)] {
            assert_eq!(Eyes::from_code(eyes.code()), eyes);
        }
    }
}
