//! Blocks in which all act at once.

use super::decision::Stop;
use super::eval::Env;
use super::game::{Eyes, Game};
use super::moment::Scripts;
use super::ruleset::{BodyId, Direction, NodeId, Ruleset};

impl Game {
    /// Everybody at once: questions are put first, in reverse order; when all have answered the bodies are applied in turn
    /// order, each seeing the others as they were.
    pub(super) fn all_at_once(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        filter: Option<NodeId>,
        body: BodyId,
        env: &mut Env,
    ) -> Result<(), Stop> {
        if self.eyes != Eyes::Live {
            return Err(Stop::fault("`all players` within `all players`"));
        }
        self.before.copy_from_slice(&self.cells);
        std::mem::swap(&mut self.past, &mut self.live);
        self.live.clone_from(&self.past);
        let mark = self.cursor;
        let first_deferred = self.deferred.len();
        let mark_of_block = (first_deferred, self.comings, self.undo.len());
        let seats = self.seats(rules, Direction::Forward);
        let mut taking_part = Vec::with_capacity(rules.players);
        for seat in seats {
            let mut there = *env;
            there.me = seat;
            if self.holds_if(rules, filter, &mut there) {
                taking_part.push(seat);
            }
        }
        self.quiet += 1;
        let mut result = Err(Stop::AskFirst);
        if self.journal.len() == mark {
            // Hardly ever does anybody have a choice: try without.
            let told = self.told_so_far();
            self.no_questions = true;
            result = self.apply_all(rules, scripts, &taking_part, body, env, None);
            self.no_questions = false;
            if result == Err(Stop::AskFirst) {
                self.journal.truncate(mark);
                self.cursor = mark;
                self.undo_all(rules, mark_of_block);
                self.untell(told);
            }
        }
        if result == Err(Stop::AskFirst) {
            result = self.ask_all(rules, scripts, &taking_part, body, env, mark_of_block);
        }
        self.quiet -= 1;
        self.eyes = Eyes::Live;
        self.unmark_seen_apart(rules);
        self.checks_due = true;
        result?;
        let deferred: Vec<_> = self.deferred.drain(first_deferred..).collect();
        self.after_change(rules)?;
        for item in deferred {
            self.carry_out(rules, scripts, item)?;
        }
        Ok(())
    }

    fn undo_all(&mut self, rules: &Ruleset, (first_deferred, comings, first_change): (usize, u32, usize)) {
        self.take_back(rules, first_change);
        if self.comings != comings {
            self.active_stale = true;
            self.live.clear(rules);
        }
        self.checks_due = true;
        self.room_due = true;
        self.deferred.truncate(first_deferred);
        self.queue.clear();
    }

    fn ask_all(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        seats: &[usize],
        body: BodyId,
        env: &Env,
        mark_of_block: (usize, u32, usize),
    ) -> Result<(), Stop> {
        let mut given = vec![Vec::new(); rules.players];
        let told = self.told_so_far();
        let log = self.log.take();
        // What seats have answered in this block before is kept beside the state, so that it need not be run again.
        let block = (self.cursor, body);
        if self.answered.as_ref().is_none_or(|a| a.0 != block) {
            self.answered = Some((block, vec![None; rules.players]));
        }
        for &seat in seats.iter().rev() {
            if let Some((_, known)) = &self.answered
                && let Some((upto, answers)) = &known[seat]
                && *upto <= self.journal.len()
            {
                given[seat] = answers.clone();
                self.cursor = *upto;
                continue;
            }
            self.record = Some(Vec::new());
            self.eyes = Eyes::Own(seat as u8);
            let mut there = *env;
            there.me = seat;
            let result = self.run_body(rules, scripts, body, &mut there);
            given[seat] = self.record.take().unwrap_or_default();
            if result.is_err() {
                self.log = log;
                return result;
            }
            if let Some((_, known)) = &mut self.answered {
                known[seat] = Some((self.cursor, given[seat].clone()));
            }
            self.eyes = Eyes::Live;
            self.undo_all(rules, mark_of_block);
        }
        self.log = log;
        self.untell(told);
        self.apply_all(rules, scripts, seats, body, env, Some(given))
    }

    fn apply_all(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        seats: &[usize],
        body: BodyId,
        env: &Env,
        mut given: Option<Vec<Vec<(i32, u64)>>>,
    ) -> Result<(), Stop> {
        for &seat in seats {
            self.eyes = Eyes::Own(seat as u8);
            self.answers = given.as_mut().map(|g| std::mem::take(&mut g[seat]));
            self.answers_at = 0;
            let mut there = *env;
            there.me = seat;
            let result = self.run_body(rules, scripts, body, &mut there);
            self.answers = None;
            result?;
        }
        Ok(())
    }
}
