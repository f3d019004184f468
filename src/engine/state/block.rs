//! What a block in which all act at once remembers: the cells as they were, where it stands, the answers given ahead, and what waits until
//! all have acted. [`crate::simultaneous`] says what is done with it.

use super::State;
use super::frame::{Frame, stand_at};
use crate::cast;
use crate::decision::Opt;
use crate::env::LOCALS;
use crate::op::Pc;
use crate::ruleset::Ruleset;
use houserule_state::layout::head;

/// The cells of a block, behind the cells as they were; answers follow, then what waits until the block has ended.
mod offset {
    /// The stage: a constant of the module `stage`.
    pub const STAGE: usize = 0;
    /// Where the body begins.
    pub const BODY: usize = 1;
    /// The seat spoken of outside of the block.
    pub const ME: usize = 2;
    /// The seats that take part, four bits each, the first lowest.
    pub const SEATS: usize = 3;
    /// How many they are.
    pub const COUNT: usize = 4;
    /// Which of them acts.
    pub const AT: usize = 5;
    /// Cells of the answers given.
    pub const GIVEN: usize = 6;
    /// Answers that the seat that acts has come past.
    pub const USED: usize = 7;
    /// How many cells there were, with the stack, when it began.
    pub const STACK: usize = 8;
    /// 1 if nobody learns the others' answers before all have answered.
    pub const SECRET: usize = 9;
    /// What names stood for when it began: with that each body begins.
    pub const LOCALS: usize = 10;
    /// How many cells.
    pub const SIZE: usize = LOCALS + super::LOCALS;
}

/// How far a block has come.
mod stage {
    /// The bodies are applied; nobody has been asked.
    pub const TRY: i32 = 0;
    /// The questions are put.
    pub const ASK: i32 = 1;
    /// The bodies are applied, with the answers.
    pub const APPLY: i32 = 2;
}

/// Cells of an answer: the seat in whose turn it was given, and its key.
const ANSWER: usize = 3;

/// What a block knows of a question that comes up in it.
pub(crate) enum AnsweredAhead {
    /// There is no block, or its questions are being put: it is asked as any other.
    Open,
    /// The bodies are tried: the questions of all must be put first.
    AskAllFirst,
    /// The option that was chosen when the question was put.
    Chosen(Opt),
}

/// A block begins: for whom and where.
pub(crate) struct BlockSeats {
    /// The seats that take part, four bits each, the first lowest.
    pub seats: u32,
    /// How many they are.
    pub count: i32,
    /// Whether nobody learns the others' answers before all have answered.
    pub secretly: bool,
}

/// Takes the snapshot with which a block begins; the frame around it, which stands at the body, is written already.
pub(crate) fn begin_block(state: &mut State, fixed: usize, of: &BlockSeats, at: &Frame) {
    let State { cells, snapshot } = state;
    snapshot.clear();
    snapshot.extend_from_slice(&cells[..fixed]);
    snapshot.resize(fixed + offset::SIZE, 0);
    let memory = &mut snapshot[fixed..];
    memory[offset::BODY] = cast::fit::<i32>(at.pc.0);
    memory[offset::ME] = cast::fit::<i32>(at.env.me);
    memory[offset::SEATS] = u32::cast_signed(of.seats);
    memory[offset::COUNT] = of.count;
    memory[offset::SECRET] = of.secretly as i32;
    memory[offset::STACK] = cast::fit::<i32>(cells.len());
    memory[offset::LOCALS..].copy_from_slice(&at.env.locals);
}

/// Names cards otherwise in what a block remembers of names.
pub(crate) fn rename_in_block(rules: &Ruleset, snapshot: &mut [i32], renamed: impl Fn(i32) -> i32) {
    let fixed = rules.layout.len;
    let held = snapshot.get(fixed + offset::BODY).map_or(0, |&body| rules.hidden.cards_at(Pc(cast::fit::<u32>(body))));
    for local in (0..LOCALS).filter(|local| held >> local & 1 == 1) {
        if let Some(named) = snapshot.get_mut(fixed + offset::LOCALS + local) {
            *named = renamed(*named);
        }
    }
}

/// Takes the others' answers out of what a block remembers, if they are secret, with how many they are, and what one of them who is asked
/// has done so far: for views.
pub(crate) fn hide_answers(state: &mut State, fixed: usize, seat: usize) {
    let State { cells, snapshot } = state;
    if snapshot.get(fixed + offset::SECRET) != Some(&1) {
        return;
    }
    let [stage, seats, at, stack] = [offset::STAGE, offset::SEATS, offset::AT, offset::STACK].map(|field| snapshot[fixed + field]);
    let asked = (cast::bits(seats) >> (4 * at) & 0xF) as usize;
    if stage == stage::ASK && asked != seat {
        cells.truncate(cast::index(stack));
        cells[..fixed].copy_from_slice(&snapshot[..fixed]);
        let locals = &snapshot[fixed + offset::LOCALS..][..LOCALS];
        stand_at(cells, (snapshot[fixed + offset::BODY], snapshot[fixed + offset::ME]), locals);
    }
    let (from, given) = (fixed + offset::SIZE, cast::index(snapshot[fixed + offset::GIVEN]));
    let answers = snapshot[from..from + given].chunks_exact(ANSWER).filter(|answer| answer[0] == cast::fit::<i32>(seat));
    let own: Vec<i32> = answers.flatten().copied().collect();
    cells[head::DECISIONS] = snapshot[head::DECISIONS].saturating_add(cast::fit::<i32>(own.len() / ANSWER));
    snapshot[fixed + offset::GIVEN] = cast::fit::<i32>(own.len());
    snapshot.splice(from..from + given, own);
}

/// Each of these is told how many cells lie before the stack: as many as the snapshot has of the cells.
impl State {
    fn block(&self, fixed: usize, field: usize) -> i32 {
        self.snapshot[fixed + field]
    }

    fn block_mut(&mut self, fixed: usize, field: usize) -> &mut i32 {
        &mut self.snapshot[fixed + field]
    }

    /// Whether what happens is only looked into to find out what must be asked.
    #[inline]
    pub(crate) fn is_collecting_answers(&self, fixed: usize) -> bool {
        self.snapshot.get(fixed + offset::STAGE) == Some(&stage::ASK)
    }

    /// The body begins for one of those who take part, by number: the running frame stands at it. Gives back the seat.
    pub(crate) fn act_as(&mut self, fixed: usize, number: i32, at: &mut Frame) -> u8 {
        *self.block_mut(fixed, offset::AT) = number;
        *self.block_mut(fixed, offset::USED) = 0;
        let seat = self.seat_in_block(fixed);
        at.pc = self.body_of_block(fixed);
        at.env.me = seat as usize;
        let locals = fixed + offset::LOCALS;
        at.env.locals.copy_from_slice(&self.snapshot[locals..locals + LOCALS]);
        seat
    }

    /// The seat that acts.
    fn seat_in_block(&self, fixed: usize) -> u8 {
        let [seats, at] = [offset::SEATS, offset::AT].map(|field| self.block(fixed, field));
        cast::fit(cast::bits(seats) >> (4 * at) & 0xF)
    }

    /// Which of those who take part acts, from 0, and how many they are.
    pub(crate) fn place_in_block(&self, fixed: usize) -> (i32, i32) {
        (self.block(fixed, offset::AT), self.block(fixed, offset::COUNT))
    }

    /// The seat spoken of outside of the block.
    pub(crate) fn me_outside_of_block(&self, fixed: usize) -> usize {
        cast::index(self.block(fixed, offset::ME))
    }

    /// Where the body begins.
    pub(crate) fn body_of_block(&self, fixed: usize) -> Pc {
        Pc(cast::fit::<u32>(self.block(fixed, offset::BODY)))
    }

    /// From now on the questions are put.
    pub(crate) fn collect_answers(&mut self, fixed: usize) {
        *self.block_mut(fixed, offset::STAGE) = stage::ASK;
    }

    /// From now on the bodies are applied with the answers.
    pub(crate) fn apply_answers(&mut self, fixed: usize) {
        *self.block_mut(fixed, offset::STAGE) = stage::APPLY;
    }

    /// All is as it was when the block began, but for the answers given.
    pub(crate) fn restore_snapshot(&mut self, fixed: usize) {
        let decisions = self.cells[head::DECISIONS];
        let kept = fixed + offset::SIZE + cast::index(self.block(fixed, offset::GIVEN));
        self.snapshot.truncate(kept);
        self.cells[..fixed].copy_from_slice(&self.snapshot[..fixed]);
        self.cells[head::DECISIONS] = decisions;
        self.cells.truncate(cast::index(self.block(fixed, offset::STACK)));
    }

    /// The block has ended; `last` is given what waits.
    pub(crate) fn end_block(&mut self, fixed: usize, last: impl FnOnce(&mut State, &[i32])) {
        let from = fixed + offset::SIZE + cast::index(self.block(fixed, offset::GIVEN));
        let mut snapshot = std::mem::take(&mut self.snapshot);
        last(self, &snapshot[from..]);
        snapshot.clear();
        self.snapshot = snapshot;
    }

    /// Forgets the block, whatever is under way.
    pub(crate) fn drop_block(&mut self) {
        self.snapshot.clear();
    }

    /// Keeps an answer, if it was given ahead.
    pub(crate) fn note_answer(&mut self, fixed: usize, option: Opt) {
        if self.is_collecting_answers(fixed) {
            let seat = self.seat_in_block(fixed) as i32;
            let [low, high] = cast::halves(option.key);
            self.snapshot.extend([seat, low, high]);
            *self.block_mut(fixed, offset::GIVEN) += cast::fit::<i32>(ANSWER);
        }
    }

    /// The answer to a question that was given ahead. A question that comes up only now is put to the seat after all.
    pub(crate) fn answered_ahead(&mut self, fixed: usize, options: &[Opt]) -> AnsweredAhead {
        match self.snapshot.get(fixed + offset::STAGE) {
            Some(&stage::TRY) => AnsweredAhead::AskAllFirst,
            Some(&stage::APPLY) => {
                let seat = self.seat_in_block(fixed) as i32;
                let [given, used] = [offset::GIVEN, offset::USED].map(|field| cast::index(self.block(fixed, field)));
                let from = fixed + offset::SIZE;
                let answers = self.snapshot[from..from + given].chunks_exact(ANSWER).filter(|answer| answer[0] == seat);
                let key = answers.skip(used).map(|answer| cast::joined([answer[1], answer[2]])).next();
                let found = options.iter().find(|option| Some(option.key) == key).copied();
                *self.block_mut(fixed, offset::USED) += found.is_some() as i32;
                found.map_or(AnsweredAhead::Open, AnsweredAhead::Chosen)
            }
            Some(_) | None => AnsweredAhead::Open,
        }
    }

    /// Lets a frame, written as cells, wait until all have acted.
    pub(crate) fn defer(&mut self, cells: &[i32]) {
        self.snapshot.extend_from_slice(cells);
    }
}
