//! The data of a simultaneous block: the snapshot of the cells, the progress, the answers, and the frames that wait for the end of the
//! block. See [`crate::simultaneous`].

use super::State;
use super::frame::{Frame, set_frame};
use crate::cast;
use crate::decision::Opt;
use crate::env::LOCALS;
use crate::op::Pc;
use crate::ruleset::Ruleset;
use houserule_state::layout::head;

/// The offsets of a block's cells behind the snapshot. The answers follow, then the waiting frames.
mod offset {
    /// The stage, one of the constants in `stage`.
    pub const STAGE: usize = 0;
    /// The program counter at the start of the body.
    pub const BODY: usize = 1;
    /// The current seat outside of the block.
    pub const ME: usize = 2;
    /// The participating seats, four bits each, the first lowest: the lower half, then the upper half.
    pub const SEATS: usize = 3;
    /// The number of participating seats.
    pub const COUNT: usize = 5;
    /// The number of the acting participant.
    pub const ACTING: usize = 6;
    /// The number of cells of the answers.
    pub const ANSWER_CELLS: usize = 7;
    /// How many of its answers the acting seat has used.
    pub const USED: usize = 8;
    /// The number of cells, including the stack, at the start of the block.
    pub const STACK: usize = 9;
    /// 1 if answers stay secret until all seats have answered.
    pub const SECRET: usize = 10;
    /// The locals at the start of the block, with which each body starts.
    pub const LOCALS: usize = 11;
    /// The number of cells of a block before the answers.
    pub const SIZE: usize = LOCALS + super::LOCALS;
}

/// The stages of a simultaneous block.
mod stage {
    /// The bodies are executed, and none has asked yet.
    pub const TRY: i32 = 0;
    /// The answers are collected.
    pub const ASK: i32 = 1;
    /// The bodies are executed with the answers.
    pub const APPLY: i32 = 2;
}

/// The number of cells of an answer: the seat, and its key in two halves.
const ANSWER: usize = 3;

/// What a question inside a block must do.
pub(crate) enum AnsweredAhead {
    /// Ask it as usual: there is no block, or it is collecting answers.
    Open,
    /// The bodies must be rolled back, and all questions asked first.
    AskAllFirst,
    /// The answer is known: this option.
    Chosen(Opt),
}

/// The seats that take part in a block.
pub(crate) struct BlockSeats {
    /// The participating seats, four bits each, the first lowest.
    pub seats: u64,
    /// The number of participating seats.
    pub count: i32,
    /// Whether answers stay secret until all seats have answered.
    pub secretly: bool,
}

/// Starts a block: takes the snapshot. The running frame must be stored already, and `frame` points to the body.
pub(crate) fn begin_block(state: &mut State, stack_start: usize, block: &BlockSeats, frame: &Frame) {
    let State { cells, snapshot, log } = state;
    log.begin_block(&cells[..stack_start], snapshot);
    snapshot.resize(stack_start + offset::SIZE, 0);
    let memory = &mut snapshot[stack_start..];
    memory[offset::BODY] = cast::fit::<i32>(frame.pc.0);
    memory[offset::ME] = cast::fit::<i32>(frame.env.me);
    memory[offset::SEATS..offset::SEATS + 2].copy_from_slice(&cast::halves(block.seats));
    memory[offset::COUNT] = block.count;
    memory[offset::SECRET] = block.secretly as i32;
    memory[offset::STACK] = cast::fit::<i32>(cells.len());
    memory[offset::LOCALS..].copy_from_slice(&frame.env.locals);
}

/// Replaces cards in the locals of a block by `replacement`, after a shuffle.
pub(crate) fn replace_in_block(rules: &Ruleset, snapshot: &mut [i32], replacement: impl Fn(i32) -> i32) {
    let stack_start = rules.layout.len;
    let held = snapshot.get(stack_start + offset::BODY).map_or(0, |&body| rules.hidden.card_locals(Pc(cast::fit::<u32>(body))));
    for local in (0..LOCALS).filter(|local| held >> local & 1 == 1) {
        if let Some(named) = snapshot.get_mut(stack_start + offset::LOCALS + local) {
            *named = replacement(*named);
        }
    }
}

/// Returns where the locals are kept with which each body of a block starts, and its program counter; `None` outside of a block.
pub(crate) fn frame_of_block(rules: &Ruleset, snapshot: &[i32]) -> Option<(usize, Pc)> {
    let stack_start = rules.layout.len;
    let body = snapshot.get(stack_start + offset::BODY)?;
    Some((stack_start + offset::LOCALS, Pc(cast::fit::<u32>(*body))))
}

/// For the view of a seat, removes the answers of the other seats if they are secret, and what the seat that is being asked has done in the
/// body so far.
pub(crate) fn hide_answers(state: &mut State, stack_start: usize, seat: usize) {
    let State { cells, snapshot, .. } = state;
    if snapshot.get(stack_start + offset::SECRET) != Some(&1) {
        return;
    }
    let [stage, acting, stack] = [offset::STAGE, offset::ACTING, offset::STACK].map(|field| snapshot[stack_start + field]);
    let asked = seat_at(&snapshot[stack_start..], acting);
    if stage == stage::ASK && asked != seat {
        cells.truncate(cast::index(stack));
        cells[..stack_start].copy_from_slice(&snapshot[..stack_start]);
        let locals = &snapshot[stack_start + offset::LOCALS..][..LOCALS];
        set_frame(cells, (snapshot[stack_start + offset::BODY], snapshot[stack_start + offset::ME]), locals);
    }
    let (from, given) = (stack_start + offset::SIZE, cast::index(snapshot[stack_start + offset::ANSWER_CELLS]));
    let answers = snapshot[from..from + given].chunks_exact(ANSWER).filter(|answer| answer[0] == cast::fit::<i32>(seat));
    let own: Vec<i32> = answers.flatten().copied().collect();
    cells[head::DECISIONS] = snapshot[head::DECISIONS].saturating_add(cast::fit::<i32>(own.len() / ANSWER));
    snapshot[stack_start + offset::ANSWER_CELLS] = cast::fit::<i32>(own.len());
    snapshot.splice(from..from + given, own);
}

/// Returns the seat of a participant, by its number; `memory` holds the data of the block.
fn seat_at(memory: &[i32], number: i32) -> usize {
    let seats = cast::joined([memory[offset::SEATS], memory[offset::SEATS + 1]]);
    (seats >> (4 * number) & 0xF) as usize
}

/// In these methods, `stack_start` is the number of cells before the stack, which is also the length of the snapshot without the block's
/// data.
impl State {
    fn block(&self, stack_start: usize, field: usize) -> i32 {
        self.snapshot[stack_start + field]
    }

    fn block_mut(&mut self, stack_start: usize, field: usize) -> &mut i32 {
        &mut self.snapshot[stack_start + field]
    }

    /// Whether a block is running in which answers stay secret.
    pub(crate) fn in_secret_block(&self, stack_start: usize) -> bool {
        self.snapshot.get(stack_start + offset::SECRET) == Some(&1)
    }

    /// Whether the block is collecting answers: what the bodies do is then rolled back.
    #[inline]
    pub(crate) fn is_collecting_answers(&self, stack_start: usize) -> bool {
        self.snapshot.get(stack_start + offset::STAGE) == Some(&stage::ASK)
    }

    /// Starts the body for a participant, by its number: sets the program counter and the environment of the running frame. Returns the
    /// seat.
    pub(crate) fn act_as(&mut self, stack_start: usize, number: i32, frame: &mut Frame) -> u8 {
        *self.block_mut(stack_start, offset::ACTING) = number;
        *self.block_mut(stack_start, offset::USED) = 0;
        let seat = self.seat_in_block(stack_start);
        frame.pc = self.body_of_block(stack_start);
        frame.env.me = seat as usize;
        let locals = stack_start + offset::LOCALS;
        frame.env.locals.copy_from_slice(&self.snapshot[locals..locals + LOCALS]);
        seat
    }

    /// Returns the seat that acts in the block.
    fn seat_in_block(&self, stack_start: usize) -> u8 {
        cast::seat(seat_at(&self.snapshot[stack_start..], self.block(stack_start, offset::ACTING)))
    }

    /// Returns the number of the acting participant, from 0, and the number of participants.
    pub(crate) fn participant(&self, stack_start: usize) -> (i32, i32) {
        (self.block(stack_start, offset::ACTING), self.block(stack_start, offset::COUNT))
    }

    /// Returns the current seat outside of the block.
    pub(crate) fn outer_seat(&self, stack_start: usize) -> usize {
        cast::index(self.block(stack_start, offset::ME))
    }

    /// Returns the program counter of the body.
    pub(crate) fn body_of_block(&self, stack_start: usize) -> Pc {
        Pc(cast::fit::<u32>(self.block(stack_start, offset::BODY)))
    }

    /// Switches to the stage that collects answers.
    pub(crate) fn collect_answers(&mut self, stack_start: usize) {
        *self.block_mut(stack_start, offset::STAGE) = stage::ASK;
    }

    /// Switches to the stage that executes the bodies with the answers.
    pub(crate) fn apply_answers(&mut self, stack_start: usize) {
        *self.block_mut(stack_start, offset::STAGE) = stage::APPLY;
    }

    /// Rolls everything back to the start of the block, except for the answers.
    pub(crate) fn restore_snapshot(&mut self, stack_start: usize) {
        let decisions = self.cells[head::DECISIONS];
        let kept = stack_start + offset::SIZE + cast::index(self.block(stack_start, offset::ANSWER_CELLS));
        self.snapshot.truncate(kept);
        let is_undone = self.log.undo_block(&mut self.cells);
        let restored = if is_undone { head::SIZE } else { stack_start };
        self.cells[..restored].copy_from_slice(&self.snapshot[..restored]);
        self.cells[head::DECISIONS] = decisions;
        self.cells.truncate(cast::index(self.block(stack_start, offset::STACK)));
    }

    /// Ends the block; `push_waiting` gets the cells of the waiting frames.
    pub(crate) fn end_block(&mut self, stack_start: usize, push_waiting: impl FnOnce(&mut State, &[i32])) {
        let from = stack_start + offset::SIZE + cast::index(self.block(stack_start, offset::ANSWER_CELLS));
        let mut snapshot = std::mem::take(&mut self.snapshot);
        push_waiting(self, &snapshot[from..]);
        self.log.end_block(&mut snapshot, stack_start);
        self.snapshot = snapshot;
    }

    /// Drops the block in any stage.
    pub(crate) fn drop_block(&mut self) {
        self.snapshot.clear();
        self.log.drop_block();
    }

    /// Records an answer, if answers are being collected.
    pub(crate) fn record_answer(&mut self, stack_start: usize, option: Opt) {
        if self.is_collecting_answers(stack_start) {
            let seat = self.seat_in_block(stack_start) as i32;
            let [low, high] = cast::halves(option.key);
            self.snapshot.extend([seat, low, high]);
            *self.block_mut(stack_start, offset::ANSWER_CELLS) += cast::fit::<i32>(ANSWER);
        }
    }

    /// Returns how to handle a question: with the recorded answer, if there is one. A question without one is asked as usual.
    pub(crate) fn answered_ahead(&mut self, stack_start: usize, options: &[Opt]) -> AnsweredAhead {
        match self.snapshot.get(stack_start + offset::STAGE) {
            Some(&stage::TRY) => AnsweredAhead::AskAllFirst,
            Some(&stage::APPLY) => {
                let seat = self.seat_in_block(stack_start) as i32;
                let [given, used] = [offset::ANSWER_CELLS, offset::USED].map(|field| cast::index(self.block(stack_start, field)));
                let from = stack_start + offset::SIZE;
                let answers = self.snapshot[from..from + given].chunks_exact(ANSWER).filter(|answer| answer[0] == seat);
                let key = answers.skip(used).map(|answer| cast::joined([answer[1], answer[2]])).next();
                let found = options.iter().find(|option| Some(option.key) == key).copied();
                *self.block_mut(stack_start, offset::USED) += found.is_some() as i32;
                found.map_or(AnsweredAhead::Open, AnsweredAhead::Chosen)
            }
            Some(_) | None => AnsweredAhead::Open,
        }
    }

    /// Makes a frame, given as cells, wait for the end of the block.
    pub(crate) fn defer(&mut self, cells: &[i32]) {
        self.snapshot.extend_from_slice(cells);
    }
}
