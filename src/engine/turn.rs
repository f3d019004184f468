//! Turns: whose it is, the question what to do, and the action that is chosen.

use super::decision::{Act, Decision, Fault, Question, Stop};
use super::eval::Env;
use super::frame::Frame;
use super::game::Game;
use super::op::Pc;
use super::ruleset::{Lifetime, Ruleset};
use crate::cast;
use crate::state::layout::head;

/// A turn with more answers than this is a fault.
const MAX_ANSWERS: i64 = 1000;
/// A round with more turns than this is a fault.
const MAX_TURNS: i32 = 2000;

impl Game {
    /// [`super::op::Op::Turn`]: one step of a turn, after which it is run again; goes on behind it when all have passed.
    pub(super) fn turn_op(&mut self, rules: &Ruleset, index: u16, at: &mut Frame) -> Result<(), Stop> {
        let again = Pc(at.pc.0 - 1);
        let seat = cast::index(self.cells[head::ORDER + cast::index(self.cells[head::TURN_PLACE]) % rules.players]);
        if let Some(chosen) = self.run.chosen.take() {
            let Act::Action(action, args) = chosen.act else { return Err(Stop::fault("the answer of a turn is no action")) };
            self.say_chosen(rules, seat, Question::Turn(index), chosen);
            let answers = self.cells[head::ANSWERS] as i64 + 1;
            if answers > MAX_ANSWERS {
                let address = &rules.actions[action as usize].address;
                return Err(Stop::fault(format!(
                    "more than {MAX_ANSWERS} answers in one turn: something in it can be done without end; the last was to `{address}`"
                )));
            }
            self.put(rules, head::ANSWERS, answers)?;
            let mut env = Env::of(seat);
            env.set_args(args);
            at.pc = again;
            return self.enter(at, rules.actions[action as usize].begin, env);
        }
        self.rest()?;
        let turns = &rules.turns[index as usize];
        let passed = |game: &Game, seat: usize| game.cells[rules.layout.seat(seat, turns.passed as usize)] != 0;
        let place = cast::index(self.cells[head::TURN_PLACE]) % rules.players;
        if self.cells[head::ACTIONS_LEFT] > 0 && !passed(self, seat) {
            let mut options = std::mem::take(&mut self.scratch.options);
            options.clear();
            self.unwatched_for(seat, |game| game.enumerate(rules, index, seat, &mut options));
            self.hide_unseen(rules, seat, &mut options);
            if options.is_empty() {
                return Err(Stop::fault(format!("p{} can do nothing in its turn, not even pass", seat + 1)));
            }
            return self.open(rules, Decision { seat, question: Question::Turn(index), options });
        }
        if self.cells[head::ACTIONS_LEFT] >= 0 {
            self.clear_lifetime(rules, Lifetime::Turn)?;
            self.put(rules, head::ACTIONS_LEFT, -1)?;
            self.put(rules, head::TURN_PLACE, (cast::count(place) + 1) % cast::count(rules.players))?;
            at.pc = again;
            return Ok(());
        }
        let waiting = (0..rules.players).find(|i| !passed(self, cast::index(self.cells[head::ORDER + (place + i) % rules.players])));
        let Some(skip) = waiting else { return self.put(rules, head::TURN_PLACE, 0) };
        at.pc = again;
        let place = (place + skip) % rules.players;
        let seat = cast::index(self.cells[head::ORDER + place]);
        if self.cells[head::TURN] >= MAX_TURNS {
            return Err(self.no_end(rules, seat));
        }
        self.put(rules, head::TURN_PLACE, cast::count(place))?;
        self.put(rules, head::TURN, self.cells[head::TURN] as i64 + 1)?;
        self.put(rules, head::ANSWERS, 0)?;
        let actions = self.eval(rules, turns.actions_each, &mut Env::of(seat)).max(0);
        self.put(rules, head::ACTIONS_LEFT, actions)?;
        if let Some(taken) = turns.taken {
            let cell = rules.layout.seat(seat, taken as usize);
            let before = self.cells[cell];
            self.put(rules, cell, before as i64 + 1)?;
            if let (0, Some(first)) = (before, turns.first) {
                return self.enter(at, first, Env::of(seat));
            }
        }
        Ok(())
    }

    /// The fault of turns that go on and on; who has made somebody take them last is named.
    #[cold]
    fn no_end(&self, rules: &Ruleset, seat: usize) -> Stop {
        let mut fault = Fault::new(format!("after {MAX_TURNS} turns in one round p{} has still not passed", seat + 1));
        if let Some(script) = self.run.spoke.and_then(|script| rules.scripts.get(script as usize)) {
            fault.also.extend(script.span.map(|span| (span, format!("`{}` has spoken last", script.owner))));
        }
        Stop::Fault(Box::new(fault))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, answer, game, values};

    #[test]
    fn turns_go_round_until_all_have_passed() {
        let (rules, mut game) = game(&Added { actions: "action wait { does { gain 1 fog } }", ..Added::default() });
        let mut asked = Vec::new();
        for key in ["wait", "wait", "pass", "wait", "wait", "pass"] {
            asked.push((game.round(), game.decision().map_or(9, |decision| decision.seat)));
            answer(&rules, &mut game, key);
        }
        assert_eq!(asked, [(1, 0), (1, 1), (1, 0), (1, 1), (1, 1), (1, 1)]);
        assert_eq!((game.round(), game.turn(), values(&rules, &game, "passed")), (2, 1, vec![0, 0]));
    }

    #[test]
    fn several_actions_and_free_ones_are_of_one_turn() {
        let (rules, mut game) = game(&Added {
            setup: "moon = 1",
            actions: "free action hum { cost 1 fog; does { gain 1 wisp } }\n action wait { does { once += 1 } }",
            ..Added::default()
        });
        for (key, seat) in [("wait", 0), ("hum", 0), ("wait", 0), ("hum", 1)] {
            assert_eq!(game.decision().map(|decision| decision.seat), Some(seat), "{key}");
            answer(&rules, &mut game, key);
            assert_eq!(values(&rules, &game, "once"), [0, 0], "what lasts for an action has ended with it");
        }
        assert_eq!(values(&rules, &game, "wisp"), [4, 4]);
    }

    #[test]
    fn a_round_without_end_is_a_fault_at_its_turns() {
        let (rules, mut game) = game(&Added { actions: "action wait { does { gain 1 fog } }", ..Added::default() });
        for _ in 1..super::MAX_TURNS {
            answer(&rules, &mut game, "wait");
        }
        let wait = game.find_option(&rules, "wait").unwrap_or(9);
        let answered = game.answer(&rules, &mut super::super::NoScripts, wait);
        let fault = answered.and_then(|()| game.advance(&rules, &mut super::super::NoScripts).map(|_| ())).err().unwrap_or_default();
        assert_eq!(fault.message, "after 2000 turns in one round p1 has still not passed");
        assert!(fault.also.is_empty(), "nobody has spoken");
    }

    #[test]
    fn a_turn_without_end_is_a_fault() {
        let (rules, mut game) = game(&Added { actions: "free action hum { does { gain 1 wisp } }", ..Added::default() });
        for _ in 0..1000 {
            answer(&rules, &mut game, "hum");
        }
        let hum = game.find_option(&rules, "hum").unwrap_or(9);
        let fault = game.answer(&rules, &mut super::super::NoScripts, hum).err();
        assert_eq!(
            fault.map(|fault| fault.message),
            Some("more than 1000 answers in one turn: something in it can be done without end; the last was to `roam.hum`".to_string())
        );
    }
}
