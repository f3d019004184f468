//! A game: its cells, what is cached beside them, and the one door through which a cell changes.

use super::cache::Cache;
use super::decision::{Decision, Fault, Opt, Stop};
use super::eval::Evaluation;
use super::moment::{Active, Waiting};
use super::question::Known;
use super::ruleset::{Lifetime, Ruleset, VariableSort};
use crate::state::chance::{draw, hash_text, join, mix};
use crate::state::layout::{BOX, JOURNAL, PIECE, head, piece};
use std::collections::BTreeMap;
use std::sync::OnceLock;

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

/// A game in progress.
#[derive(Debug, Default)]
pub struct Game {
    /// The state at rest while a question is open; the state that runs otherwise.
    pub(super) cells: Box<[i32]>,
    /// What the cells hold at the open question, where that is not what they hold at rest.
    pub(super) apart: Vec<(u32, i32)>,
    /// The state as it stands at the open question, made when somebody looks.
    pub(super) at_question: OnceLock<Box<[i32]>>,
    /// The state when all began to act at once.
    pub(super) before: Box<[i32]>,
    pub(super) eyes: Eyes,
    pub(super) live: Cache,
    pub(super) past: Cache,
    pub(super) active: Active,
    pub(super) active_stale: bool,
    /// Counts how often a card that speaks came or went.
    pub(super) comings: u32,
    pub(super) evaluation: Evaluation,
    pub(super) checks_due: bool,
    pub(super) room_due: bool,
    /// What the cells held that the running part has changed, in the order of the changes.
    pub(super) undo: Vec<(u32, i32)>,
    /// For each lifetime the cells written since it last ended.
    pub(super) written: [Vec<u32>; 5],
    /// Lifetimes of which it is not known what was written: the state was taken up.
    pub(super) touched: u8,
    pub(super) known_guards: [Option<bool>; super::options::MOST_GUARDS],
    /// What a seat can pay of each symbol, worked out once in an enumeration.
    pub(super) known_payable: [Option<i64>; 8],
    /// Memory of the payment in the making, and of tokens that are picked from.
    pub(super) payment: super::payment::Payment,
    pub(super) lying: Vec<super::tokens::Lying>,
    /// Memory for ordering decks.
    keyed: Vec<(u64, u16)>,
    pub(super) nested: u32,
    pub(super) quiet: u32,
    pub(super) journal: Vec<i32>,
    pub(super) cursor: usize,
    pub(super) answers: Option<Vec<(i32, u64)>>,
    pub(super) answers_at: usize,
    pub(super) record: Option<Vec<(i32, u64)>>,
    /// Answers that seats gave in a block in which all act at once: the block, and for each seat how far the journal had come.
    #[allow(clippy::type_complexity)]
    pub(super) answered: Option<((usize, u32), Vec<Option<(usize, Vec<(i32, u64)>)>>)>,
    pub(super) no_questions: bool,
    pub(super) queue: Vec<Waiting>,
    pub(super) deferred: Vec<Waiting>,
    pub(super) pending: Option<Decision>,
    pub(super) inner: bool,
    /// What the questions of the running part came to so far, and how many of them it has met again.
    pub(super) known: Vec<Known>,
    pub(super) known_at: usize,
    /// The open question is among those that are remembered when they are answered.
    pub(super) open_known: bool,
    pub(super) spare: Vec<Opt>,
    pub(super) speaking: Option<u32>,
    pub(super) log: Option<Vec<String>>,
    /// What was taken unasked because nothing else could be answered, with its seat; kept for scenarios.
    pub(super) taken: Option<Vec<(u8, Opt)>>,
    /// How long both were when the present part began: a part that runs again tells everything anew.
    pub(super) told: (usize, usize),
}

impl Clone for Game {
    fn clone(&self) -> Game {
        let mut game = Game::default();
        game.clone_from(self);
        game
    }

    /// Search copies games all the time: the memory of the target is used again.
    fn clone_from(&mut self, source: &Game) {
        copy_cells(&mut self.cells, &source.cells);
        self.apart.clone_from(&source.apart);
        self.at_question.clone_from(&source.at_question);
        if self.before.len() != source.before.len() {
            self.before = source.before.clone();
        }
        self.eyes.clone_from(&source.eyes);
        self.live.clone_from(&source.live);
        self.past.clone_from(&source.past);
        self.active.clone_from(&source.active);
        self.active_stale.clone_from(&source.active_stale);
        self.comings.clone_from(&source.comings);
        self.evaluation.clone_from(&source.evaluation);
        self.checks_due.clone_from(&source.checks_due);
        self.room_due.clone_from(&source.room_due);
        self.undo.clone_from(&source.undo);
        for (to, from) in self.written.iter_mut().zip(&source.written) {
            to.clone_from(from);
        }
        self.touched.clone_from(&source.touched);
        self.known_guards.clone_from(&source.known_guards);
        self.nested.clone_from(&source.nested);
        self.quiet.clone_from(&source.quiet);
        self.journal.clone_from(&source.journal);
        self.cursor.clone_from(&source.cursor);
        self.answers.clone_from(&source.answers);
        self.answers_at.clone_from(&source.answers_at);
        self.record.clone_from(&source.record);
        self.answered.clone_from(&source.answered);
        self.no_questions.clone_from(&source.no_questions);
        self.queue.clone_from(&source.queue);
        self.deferred.clone_from(&source.deferred);
        self.pending.clone_from(&source.pending);
        self.inner.clone_from(&source.inner);
        self.known.clone_from(&source.known);
        self.known_at.clone_from(&source.known_at);
        self.open_known.clone_from(&source.open_known);
        self.spare.clone_from(&source.spare);
        self.speaking.clone_from(&source.speaking);
        self.log.clone_from(&source.log);
        self.taken.clone_from(&source.taken);
        self.told.clone_from(&source.told);
    }
}

fn copy_cells(to: &mut Box<[i32]>, from: &[i32]) {
    if to.len() == from.len() { to.copy_from_slice(from) } else { *to = from.into() }
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
        let len = rules.layout.len;
        if self.cells.len() != len {
            self.cells = vec![0; len].into();
            self.before = vec![0; len].into();
        }
        self.cells.fill(0);
        self.cells[head::SEED_LOW] = seed as u32 as i32;
        self.cells[head::SEED_HIGH] = (seed >> 32) as u32 as i32;
        self.cells[head::ACTIONS_LEFT] = -1;
        for seat in 0..rules.players {
            self.cells[head::ORDER + seat] = seat as i32;
        }
        for &(cell, value) in &rules.initial {
            self.cells[cell as usize] = value;
        }
        for &(seat, offset, value) in &rules.seat_settings {
            self.cells[rules.layout.seat(seat, offset as usize)] = value;
        }
        self.forget(rules);
        self.eyes = Eyes::Live;
        self.pending = None;
        self.inner = false;
        self.known.clear();
        self.queue.clear();
        self.deferred.clear();
        self.journal.clear();
        self.cursor = 0;
        self.quiet = 0;
        self.answered = None;
        self.deal_decks(rules, seed);
    }

    /// A deck's order is its pieces sorted by hash(seed, deck, card, copy): a card added leaves the others' relative order.
    fn deal_decks(&mut self, rules: &Ruleset, seed: u64) {
        for (index, &home) in rules.piece_home.iter().enumerate() {
            self.cells[rules.layout.piece(index, piece::PLACE)] = home as i32;
        }
        let mut keyed = std::mem::take(&mut self.keyed);
        for (home, pieces) in &rules.decks {
            let key = |index: usize| draw(seed, rules.piece_stream[index], rules.piece_copy[index] as u64);
            keyed.clear();
            keyed.extend(pieces.iter().map(|&index| (key(index as usize), index)));
            keyed.sort_unstable();
            let base = rules.layout.places[*home as usize].base as usize;
            self.cells[base] = keyed.len() as i32;
            for (position, &(_, index)) in keyed.iter().enumerate() {
                self.cells[base + 1 + position] = index as i32 + 1;
                self.cells[rules.layout.piece(index as usize, piece::POSITION)] = position as i32;
            }
        }
        self.keyed = keyed;
    }

    /// Forgets everything cached: the cells were written from outside.
    pub(super) fn forget(&mut self, rules: &Ruleset) {
        self.live.clear(rules);
        self.active_stale = true;
        self.checks_due = true;
        self.room_due = true;
        self.touched = u8::MAX;
    }

    /// The game's seed.
    pub fn seed(&self) -> u64 {
        self.cells[head::SEED_LOW] as u32 as u64 | (self.cells[head::SEED_HIGH] as u32 as u64) << 32
    }

    /// A hash of the whole state at rest: every cell, and nothing else.
    pub fn hash(&self) -> u64 {
        let mut h = 0x5EED_u64;
        for pair in self.cells.chunks(2) {
            let low = pair[0] as u32 as u64;
            let high = pair.get(1).map_or(0, |&v| v as u32 as u64);
            h = (h.rotate_left(5) ^ (low | high << 32)).wrapping_mul(0x2545_F491_4F6C_DD1D);
        }
        mix(h)
    }

    /// The cells of the state at rest, for saving.
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// The cells as they stand at the open question.
    pub fn shown(&self) -> &[i32] {
        if !self.inner {
            return &self.cells;
        }
        self.at_question.get_or_init(|| {
            let mut cells = self.cells.clone();
            self.apart.iter().for_each(|&(index, value)| cells[index as usize] = value);
            cells
        })
    }

    /// The open question.
    pub fn decision(&self) -> Option<&Decision> {
        self.pending.as_ref()
    }

    /// The round, from 1; 0 during set-up.
    pub fn round(&self) -> i32 {
        self.shown()[head::ROUND]
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.shown()[head::TURN]
    }

    /// Whether the game has ended.
    pub fn finished(&self) -> bool {
        self.cells[head::FINISHED] != 0
    }

    /// The seats in turn order.
    pub fn order(&self, rules: &Ruleset) -> Vec<usize> {
        self.shown()[head::ORDER..head::ORDER + rules.players].iter().map(|&s| s as usize).collect()
    }

    /// Keeps a log from now on.
    pub fn keep_log(&mut self) {
        self.log.get_or_insert_with(Vec::new);
    }

    /// What was logged.
    pub fn log(&self) -> &[String] {
        self.log.as_deref().unwrap_or(&[])
    }

    /// Adds a line to the log, if one is kept.
    pub fn note(&mut self, line: impl FnOnce() -> String) {
        self.say(line);
    }

    /// How much is told of what happens.
    pub(super) fn told_so_far(&self) -> (usize, usize) {
        (self.log.as_ref().map_or(0, Vec::len), self.taken.as_ref().map_or(0, Vec::len))
    }

    /// Takes back what was told since.
    pub(super) fn untell(&mut self, told: (usize, usize)) {
        if let Some(log) = &mut self.log {
            log.truncate(told.0);
        }
        if let Some(taken) = &mut self.taken {
            taken.truncate(told.1);
        }
    }

    /// A part begins, for the first time or again.
    #[inline]
    pub(super) fn begin_told(&mut self, again: bool) {
        if self.log.is_none() && self.taken.is_none() {
            return;
        }
        if again {
            self.untell(self.told);
        } else {
            self.told = self.told_so_far();
        }
    }

    pub(super) fn say(&mut self, line: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(line());
        }
    }

    /// Reads a cell through the present eyes.
    #[inline(always)]
    pub(crate) fn cell(&self, rules: &Ruleset, index: usize) -> i32 {
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
            _ => self.before[index],
        }
    }

    /// Seat that owns the place where a piece lies now, or [`TABLE`].
    #[inline]
    pub(super) fn owner_of_piece(&self, rules: &Ruleset, index: usize) -> u8 {
        let place = self.cells[rules.layout.piece(index, piece::PLACE)] as usize;
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
        self.undo.push((index as u32, old));
        self.cells[index] = value;
        let class = rules.layout.class_of[index];
        if class != 0 {
            self.note_change(rules, index, class);
        }
        Ok(())
    }

    /// A cell on which something may depend has changed: what lasts only for a while is listed, and what was worked out from it
    /// no longer holds.
    #[inline(never)]
    fn note_change(&mut self, rules: &Ruleset, index: usize, class: u16) {
        let lasts = rules.lasts[class as usize];
        if lasts != 0 {
            self.written[lasts.trailing_zeros() as usize].push(index as u32);
        }
        self.unmark(rules, index);
    }

    /// Sets everything that lasts as long as this back to 0.
    pub(super) fn clear_lifetime(&mut self, rules: &Ruleset, lifetime: Lifetime) -> Result<(), Stop> {
        let known = self.touched >> lifetime as u8 & 1 == 0;
        if known && self.written[lifetime as usize].is_empty() {
            return Ok(());
        }
        let mut written = std::mem::take(&mut self.written[lifetime as usize]);
        if known {
            for cell in written.drain(..) {
                self.put(rules, cell as usize, 0)?;
            }
            // Writing 0 has listed the cells again.
            self.written[lifetime as usize].clear();
            return Ok(());
        }
        written.clear();
        let [table, of_seat, of_piece] = &rules.clears[lifetime as usize];
        for &(offset, len) in table {
            for i in offset..offset + len {
                self.put(rules, i as usize, 0)?;
            }
        }
        for seat in 0..rules.players {
            for &(offset, len) in of_seat {
                for i in offset..offset + len {
                    self.put(rules, rules.layout.seat(seat, i as usize), 0)?;
                }
            }
        }
        for &(offset, len) in of_piece {
            for index in 0..rules.layout.pieces {
                for i in offset..offset + len {
                    self.put(rules, rules.layout.piece(index, i as usize), 0)?;
                }
            }
        }
        self.written[lifetime as usize].clear();
        self.touched &= !(1 << lifetime as u8);
        Ok(())
    }

    /// Takes back all changes but the first `from`.
    pub(super) fn take_back(&mut self, rules: &Ruleset, from: usize) {
        let mut undo = std::mem::take(&mut self.undo);
        for (index, value) in undo.drain(from..).rev() {
            self.cells[index as usize] = value;
            let class = rules.layout.class_of[index as usize];
            if class == 0 {
                continue;
            }
            let lasts = rules.lasts[class as usize];
            if lasts != 0 && value != 0 {
                self.written[lasts.trailing_zeros() as usize].push(index);
            }
            self.unmark(rules, index as usize);
        }
        self.undo = undo;
    }

    /// A value of the journal, in order; `None` when it must be made anew.
    pub(super) fn replayed(&mut self) -> Option<i32> {
        let value = self.journal.get(self.cursor).copied();
        if value.is_some() {
            self.cursor += 1;
        }
        value
    }

    /// Notes an outcome of chance, or takes the noted one.
    pub(super) fn noted(&mut self, fresh: impl FnOnce(&mut Self) -> i32) -> Result<i32, Stop> {
        if let Some(value) = self.replayed() {
            return Ok(value);
        }
        let value = fresh(self);
        self.journal.push(value);
        self.cursor += 1;
        if self.journal.len() > JOURNAL { Err(too_much()) } else { Ok(value) }
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
        Some(self.shown()[rules.layout.seat(seat, variable.offset as usize)] as i64)
    }
}

#[cold]
fn too_large(value: i64) -> Stop {
    Stop::fault(format!("a number grew to {value}, which is more than a state can hold"))
}

/// The fault of a part with more answers and chance than a journal holds.
pub(super) fn too_much() -> Stop {
    Stop::fault("more questions and chance in one go than a journal holds; a card or rule may be asking for ever")
}

impl Ruleset {
    /// Lists the pieces that start in each deck, and the streams by which they are ordered there.
    pub fn make_up_decks(&mut self) {
        let stream = |(&home, &hash): (&u16, &u64)| if home as usize > BOX { join(self.deck_stream(home), hash) } else { 0 };
        self.piece_stream = self.piece_home.iter().zip(&self.piece_hash).map(stream).collect();
        let mut decks: BTreeMap<u16, Vec<u16>> = BTreeMap::new();
        for (index, &home) in self.piece_home.iter().enumerate().filter(|(_, home)| **home as usize > BOX) {
            decks.entry(home).or_default().push(index as u16);
        }
        self.decks = decks.into_iter().collect();
    }

    /// The stream by which a deck is ordered: its name and index, never a number of its own.
    fn deck_stream(&self, instance: u16) -> u64 {
        let declared = &self.places[self.layout.places[instance as usize].declared as usize];
        let number = instance - declared.first + 1;
        join(hash_text(&declared.name), number as u64)
    }
}

/// A fault with the card's name put in, if it has none yet.
pub(super) fn owned(stop: Stop, owner: impl FnOnce() -> (String, Option<crate::source::Span>)) -> Stop {
    match stop {
        Stop::Fault(mut fault) if fault.owner.is_empty() => {
            let (name, span) = owner();
            *fault = Fault { owner: name, span: fault.span.or(span), ..*fault };
            Stop::Fault(fault)
        }
        other => other,
    }
}
