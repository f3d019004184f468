//! Blocks in which all act at once.
//!
//! Each sees the others, the table and ranks as they were, and its own things as they are. Hardly ever does anybody have a choice,
//! so the bodies are applied in turn order first. If a question comes up, all is as it was, and the questions are put: from the last
//! seat to the first, each on the state as it was. When all have answered the bodies are applied with those answers. This is the
//! only place where anything is gone through twice.

use super::decision::{Opt, Stop};
use super::eval::LOCALS;
use super::frame::Frame;
use super::game::{Eyes, Game};
use super::op::Pc;
use super::ruleset::{Direction, NodeId, Ruleset, Whom};
use crate::cast;
use crate::state::layout::head;

/// What a block has to remember, behind the cells as they were; answers follow, then what waits until the block has ended.
mod block {
    /// One of the [`super::stage`]s.
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

impl Game {
    fn block(&mut self, field: usize) -> &mut i32 {
        &mut self.before[self.fixed + field]
    }

    fn stage(&self) -> Option<i32> {
        self.before.get(self.fixed + block::STAGE).copied()
    }

    /// Whether a block is under way in which all act at once.
    pub fn acts_at_once(&self) -> bool {
        !self.before.is_empty()
    }

    /// Whether what happens is only looked into to find out what must be asked.
    pub(super) fn asks_ahead(&self) -> bool {
        self.stage() == Some(stage::ASK)
    }

    /// [`super::op::Op::AtOnce`]: the body behind it is done by each of the seats, to the op [`super::op::Op::NextAtOnce`].
    pub(super) fn begin_at_once(
        &mut self,
        rules: &Ruleset,
        (whom, filter): (Whom, Option<NodeId>),
        secretly: bool,
        end: Pc,
        at: &mut Frame,
    ) -> Result<(), Stop> {
        if self.eyes != Eyes::Live {
            return Err(Stop::fault("`all players` within `all players`"));
        }
        let (mut seats, mut count) = (0, 0);
        let mut env = at.env;
        self.push_seats(rules, Direction::Forward, whom, env.me);
        while let Some(seat) = self.next_seat() {
            env.me = seat;
            if self.holds_if(rules, filter, &mut env) {
                seats |= cast::fit::<u32>(seat) << (4 * count);
                count += 1;
            }
        }
        if count == 0 {
            at.pc = end;
            return self.after_block(rules);
        }
        self.write_frame(at);
        self.before.clear();
        self.before.extend_from_slice(&self.cells[..self.fixed]);
        self.before.resize(self.fixed + block::SIZE, 0);
        *self.block(block::BODY) = cast::fit::<i32>(at.pc.0);
        *self.block(block::ME) = cast::fit::<i32>(at.env.me);
        *self.block(block::SEATS) = u32::cast_signed(seats);
        *self.block(block::COUNT) = count;
        *self.block(block::SECRET) = secretly as i32;
        let locals = self.fixed + block::LOCALS;
        self.before[locals..locals + LOCALS].copy_from_slice(&at.env.locals);
        *self.block(block::STACK) = cast::fit::<i32>(self.cells.len());
        self.told.begin_try();
        self.due.listed = false;
        self.past.clone_from(&self.live);
        self.act_as(0, at);
        Ok(())
    }

    /// The body begins for one of those who take part.
    fn act_as(&mut self, number: i32, at: &mut Frame) {
        *self.block(block::AT) = number;
        *self.block(block::USED) = 0;
        let seat = self.seat_in_block();
        at.pc = Pc(cast::fit::<u32>(*self.block(block::BODY)));
        at.env.me = seat as usize;
        let locals = self.fixed + block::LOCALS;
        at.env.locals.copy_from_slice(&self.before[locals..locals + LOCALS]);
        self.eyes = Eyes::Own(seat);
    }

    fn seat_in_block(&self) -> u8 {
        let [seats, at] = [block::SEATS, block::AT].map(|field| self.before[self.fixed + field]);
        cast::fit(cast::bits(seats) >> (4 * at) & 0xF)
    }

    /// [`super::op::Op::NextAtOnce`]: somebody has done the body.
    pub(super) fn next_at_once(&mut self, rules: &Ruleset, body: Pc, at: &mut Frame) -> Result<(), Stop> {
        let behind = at.pc;
        let (number, count) = (*self.block(block::AT), *self.block(block::COUNT));
        if self.asks_ahead() {
            self.restore();
            if number == 0 {
                *self.block(block::STAGE) = stage::APPLY;
            }
            self.act_as((number - 1).max(0), at);
            return Ok(());
        }
        if number + 1 < count {
            self.act_as(number + 1, at);
            return Ok(());
        }
        debug_assert_eq!(*self.block(block::BODY), cast::fit::<i32>(body.0));
        at.pc = behind;
        at.env.me = cast::index(*self.block(block::ME));
        self.eyes = Eyes::Live;
        // What was worked out while others were read as they were.
        let mut changed = std::mem::take(&mut self.live.changed);
        for index in changed.drain(..).map(|index| index as usize) {
            if self.cells[index] != self.before[index] {
                self.note_change(rules, index, rules.layout.class_of[index]);
            }
        }
        self.live.changed = changed;
        self.after_block(rules)?;
        let from = self.fixed + block::SIZE + cast::index(*self.block(block::GIVEN));
        let deferred = std::mem::take(&mut self.before);
        self.push_deferred(&deferred[from..]);
        self.before = deferred;
        self.before.clear();
        Ok(())
    }

    fn after_block(&mut self, rules: &Ruleset) -> Result<(), Stop> {
        self.due.checks = true;
        self.after_change(rules)
    }

    /// All is as it was when the block began, but for the answers given.
    fn restore(&mut self) {
        let decisions = self.cells[head::DECISIONS];
        let kept = self.fixed + block::SIZE + cast::index(*self.block(block::GIVEN));
        self.before.truncate(kept);
        self.cells[..self.fixed].copy_from_slice(&self.before[..self.fixed]);
        self.cells[head::DECISIONS] = decisions;
        let stack = cast::index(*self.block(block::STACK));
        self.cells.truncate(stack);
        self.live.clone_from(&self.past);
        self.due.active |= self.due.listed;
        self.due.checks = true;
        self.due.room = true;
        self.queue.clear();
        self.told.undo_draws();
    }

    /// Somebody has a choice while the bodies are tried: the questions are put first, from the last seat on.
    pub(super) fn ask_all_first(&mut self) -> Frame {
        self.told.forget_try();
        *self.block(block::STAGE) = stage::ASK;
        self.restore();
        let mut at = self.read_frame();
        let last = *self.block(block::COUNT) - 1;
        self.act_as(last, &mut at);
        at
    }

    /// Names cards otherwise in what a block remembers of names.
    pub(super) fn rename_in_block(rules: &Ruleset, before: &mut [i32], renamed: impl Fn(i32) -> i32) {
        let fixed = rules.layout.len;
        let held = before.get(fixed + block::BODY).map_or(0, |&body| rules.hidden.cards_at(Pc(cast::fit::<u32>(body))));
        for local in (0..LOCALS).filter(|local| held >> local & 1 == 1) {
            if let Some(named) = before.get_mut(fixed + block::LOCALS + local) {
                *named = renamed(*named);
            }
        }
    }

    /// Takes the others' answers out of what a block remembers, if they are secret, with how many they are, and what one of them who is asked
    /// has done so far: for views.
    pub(super) fn hide_answers(cells: &mut Vec<i32>, before: &mut Vec<i32>, fixed: usize, seat: usize) {
        if before.get(fixed + block::SECRET) != Some(&1) {
            return;
        }
        let [stage, seats, at, stack] = [block::STAGE, block::SEATS, block::AT, block::STACK].map(|field| before[fixed + field]);
        let asked = (cast::bits(seats) >> (4 * at) & 0xF) as usize;
        if stage == stage::ASK && asked != seat {
            cells.truncate(cast::index(stack));
            cells[..fixed].copy_from_slice(&before[..fixed]);
            let locals = &before[fixed + block::LOCALS..][..LOCALS];
            Game::stand_at(cells, (before[fixed + block::BODY], before[fixed + block::ME]), locals);
        }
        let (from, given) = (fixed + block::SIZE, cast::index(before[fixed + block::GIVEN]));
        let answers = before[from..from + given].chunks_exact(ANSWER).filter(|answer| answer[0] == cast::fit::<i32>(seat));
        let own: Vec<i32> = answers.flatten().copied().collect();
        cells[head::DECISIONS] = before[head::DECISIONS].saturating_add(cast::fit::<i32>(own.len() / ANSWER));
        before[fixed + block::GIVEN] = cast::fit::<i32>(own.len());
        before.splice(from..from + given, own);
    }

    /// Keeps an answer, if it was given ahead.
    pub(super) fn note_chosen(&mut self, option: Opt) {
        if self.asks_ahead() {
            let seat = self.seat_in_block() as i32;
            let [low, high] = cast::halves(option.key);
            self.before.extend([seat, low, high]);
            *self.block(block::GIVEN) += cast::fit::<i32>(ANSWER);
        }
    }

    /// The answer to a question that was given ahead. A question that comes up only now is put to the seat after all.
    ///
    /// # Errors
    /// [`Stop::Ask`] if questions must be put first.
    pub(super) fn answered_ahead(&mut self, options: &[Opt]) -> Result<Option<Opt>, Stop> {
        match self.stage() {
            None => Ok(None),
            Some(stage::TRY) => Err(Stop::Ask),
            Some(stage::APPLY) => {
                let seat = self.seat_in_block() as i32;
                let (given, used) = (cast::index(*self.block(block::GIVEN)), cast::index(*self.block(block::USED)));
                let from = self.fixed + block::SIZE;
                let answers = self.before[from..from + given].chunks_exact(ANSWER).filter(|answer| answer[0] == seat);
                let key = answers.skip(used).map(|answer| cast::joined([answer[1], answer[2]])).next();
                let found = options.iter().find(|option| Some(option.key) == key).copied();
                *self.block(block::USED) += found.is_some() as i32;
                Ok(found)
            }
            Some(_) => Ok(None),
        }
    }

    /// Lets a frame wait until all have acted.
    ///
    /// # Errors
    /// Too much that waits.
    pub(super) fn defer(&mut self, cells: &[i32]) -> Result<(), Stop> {
        if !self.asks_ahead() {
            self.count_waiting(1)?;
            self.before.extend_from_slice(cells);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, answer, fault, game, options, values};

    const TAKES: &str = "step night { all players { gain (count other players with fewer wisp) * 10 + 1 wisp } }";

    #[test]
    fn each_sees_the_others_as_they_were() {
        let (rules, game) =
            game(&Added { setup: "each player where place_in_order == 2 { gain 1 wisp }", steps: TAKES, ..Added::default() });
        // One after another the first would have more than the second by then.
        assert_eq!(values(&rules, &game, "wisp"), [4, 15]);
        assert!(!game.acts_at_once());
    }

    /// The sentence of `all players` in `docs/language.md`: of its own what there is, of others, the table and ranks what there was.
    #[test]
    fn ones_own_is_read_as_it_is_and_others_the_table_and_ranks_as_they_were() {
        let steps = "step night { all players { gain 9 fog; moon += 1; own = fog; best = highest fog of players; least_of = lowest fog of players; seen = moon;
            if most fog { ahead = 1 }; if (highest fog of players) == fog { leads = 1 } } }";
        let added = Added {
            has: "counter own, best, least_of, seen, ahead, leads",
            setup: "each player where place_in_order == 2 { gain 3 fog }",
            steps,
            ..Added::default()
        };
        let (rules, game) = game(&added);
        let of = |name: &str| values(&rules, &game, name);
        assert_eq!((of("own"), of("fog")), (vec![12, 15], vec![12, 15]));
        assert_eq!((of("best"), of("least_of")), (vec![12, 15], vec![6, 3]), "its own 9 count, those of the other do not yet");
        assert_eq!((of("leads"), of("ahead")), (vec![1, 1], vec![0, 1]), "who is most is settled when the block begins: 3 against 6");
        assert_eq!(of("seen"), [0, 0], "the moon was 0");
    }

    #[test]
    fn questions_are_put_first_from_the_last_on_and_the_state_is_as_it_was() {
        let steps = "step night { all players { gain 1 wisp; moon += 1; player chooses { \"more\" { gain moon wisp } \"less\" { lose 1 wisp } }; gain 1 fog } }";
        let (rules, mut game) = game(&Added { steps, ..Added::default() });
        assert_eq!(game.decision().map(|decision| decision.seat), Some(1));
        assert_eq!((values(&rules, &game, "wisp"), values(&rules, &game, "fog")), (vec![3, 4], vec![3, 3]));
        answer(&rules, &mut game, "choose more");
        assert_eq!(game.decision().map(|decision| decision.seat), Some(0));
        assert_eq!(values(&rules, &game, "wisp"), [4, 3], "the second seat has done nothing yet");
        answer(&rules, &mut game, "choose less");
        // The table is read as it was: the moon stood at 0 for both.
        assert_eq!((values(&rules, &game, "wisp"), values(&rules, &game, "fog")), (vec![3, 4], vec![4, 4]));
        assert_eq!(options(&rules, &game), ["pass"]);
        let told: Vec<&String> = game.log().iter().filter(|line| line.contains("choose")).collect();
        assert_eq!(told, ["p1: choose less", "p2: choose more"], "each answer is told once, when it is applied");
    }

    #[test]
    fn cards_that_left_before_a_question_speak_again_when_all_is_as_it_was() {
        let steps = "step night { all players { gain dens wisp; remove my den; gain 10 * dens wisp; player chooses { \"more\" { gain 1 fog } \"less\" { } } } }";
        let setup = "each player { draw from pile to den }";
        let (rules, mut game) = game(&Added { steps, setup, cards: "change.dens = { by = 1 }", ..Added::default() });
        assert_eq!(values(&rules, &game, "wisp"), [3, 3 + 4 + 30], "the last seat has a card that counts, until it is removed");
        answer(&rules, &mut game, "choose more");
        assert_eq!(values(&rules, &game, "wisp"), [3 + 4 + 30, 3], "the other's card counts as well");
        answer(&rules, &mut game, "choose more");
        assert_eq!(values(&rules, &game, "wisp"), [3 + 4 + 30, 3 + 4 + 30], "and both when the answers are carried out");
    }

    #[test]
    fn a_secret_answer_is_in_nobodys_view_until_it_is_carried_out() {
        let body = "player chooses { \"more\" { gain 1 wisp } \"less\" { lose 1 wisp } }";
        for (secretly, told) in [("secretly ", false), ("", true)] {
            let (rules, game) = game(&Added { steps: &format!("step night {{ all players {secretly}{{ {body} }} }}"), ..Added::default() });
            let views = ["choose more", "choose less"].map(|key| {
                let mut game = game.clone();
                answer(&rules, &mut game, key);
                assert_eq!(game.decision().map(|decision| decision.seat), Some(0));
                game.view(&rules)
            });
            assert_eq!(views[0] != views[1], told);
        }
    }

    #[test]
    fn a_block_in_a_loop_asks_each_time() {
        let steps = "step night { repeat 2 { all players where place_in_order == 1 { player chooses { \"more\" { gain 1 wisp } \"less\" { gain 2 wisp } } } } }";
        let (rules, mut game) = game(&Added { steps, ..Added::default() });
        answer(&rules, &mut game, "choose more");
        answer(&rules, &mut game, "choose less");
        assert_eq!((values(&rules, &game, "wisp"), options(&rules, &game)), (vec![6, 3], vec!["pass".to_string()]));
    }

    #[test]
    fn a_block_within_a_block_is_a_fault() {
        let found = fault(&Added {
            steps: "step night { all players { lose 100 fog } }",
            effects: "when short of r in fog, missing n { all players { gain 1 wisp } }",
            ..Added::default()
        });
        assert_eq!(found.message, "`all players` within `all players`");
    }
}
