//! The loop: op after op, always forward, until somebody must decide.

use super::decision::{Fault, Opt, Stop};
use super::eval::Env;
use super::fault::Trace;
use super::frame::Frame;
use super::game::{Game, Run};
use super::moment::Scripts;
use super::op::{Op, Pc};
use super::ruleset::Ruleset;
use crate::cast;
use crate::state::layout::{head, piece};

/// Ops between two decisions; more are taken for something that never ends.
const MAX_OPS: u32 = 1_000_000;
/// A script counts as so many ops.
pub(super) const OPS_OF_A_SCRIPT: u32 = 100;
/// Native consequences within native consequences.
const MAX_NESTED: u32 = 16;

impl Game {
    /// Runs until somebody must decide; `None` when the game is over.
    ///
    /// # Errors
    /// A fault of a card or of the rules, with its place.
    pub fn advance(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<Option<&super::Decision>, Fault> {
        if self.pending.is_none() && !self.finished() {
            self.run.rests = None;
            self.go_on(rules, scripts)?;
        }
        Ok(self.pending.as_ref())
    }

    /// Runs to the next point at which the state is at rest, or to the first question before it; does nothing while one is open.
    ///
    /// # Errors
    /// As for [`Game::advance`].
    pub fn advance_part(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        if self.pending.is_none() && !self.finished() {
            let op = rules.ops.all.get(self.read_frame().pc.0 as usize);
            self.run.rests = Some(matches!(op, Some(Op::Part(_) | Op::Turn(_) | Op::Rest)) as u32);
            self.go_on(rules, scripts)?;
        }
        Ok(())
    }

    /// Answers the open question and goes on until somebody must decide, or the state is at rest.
    ///
    /// # Errors
    /// A fault.
    pub fn answer(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, option: usize) -> Result<(), Fault> {
        let Some(mut decision) = self.pending.take() else { return Err(Fault::new("there is no open question")) };
        let Some(&chosen) = decision.options.get(option) else {
            let count = decision.options.len();
            self.pending = Some(decision);
            return Err(Fault::new(format!("there is no option {option}; there are {count}")));
        };
        decision.options.clear();
        self.scratch.options = decision.options;
        self.cells[head::DECISIONS] = self.cells[head::DECISIONS].saturating_add(1);
        self.run.chosen = Some(chosen);
        self.run.rests = Some(0);
        self.go_on(rules, scripts)
    }

    /// Takes up a state that was written from outside: goes on from where its frames stand, up to the question that is open there.
    ///
    /// # Errors
    /// A fault.
    pub(super) fn take_up(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        self.forget(rules);
        self.pending = None;
        self.advance(rules, scripts).map(|_| ())
    }

    fn go_on(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        self.forget_wrong_number();
        self.run.fuel = MAX_OPS;
        let mut at = self.read_frame();
        let stop = loop {
            match self.run_ops(rules, scripts, &mut at) {
                Stop::Ask if self.pending.is_none() => at = self.ask_all_first(),
                stop @ (Stop::Ask | Stop::Pause | Stop::Fault(_)) => break stop,
            }
        };
        // The op that stopped is run again: with the answer, or when there is time to go on.
        at.pc = Pc(at.pc.0 - 1);
        if let Stop::Fault(_) = stop {
            self.write_frame(&at);
            let mut fault = self.traced(rules, at.pc, stop);
            if let Some(last) = self.queue.last().filter(|_| self.too_many_wait()) {
                fault.also.extend(rules.ops.span(last.pc).map(|span| (span, format!("`{}` is one of them", rules.ops.owner(last.pc)))));
            }
            self.queue.clear();
            self.run = Run::default();
            return Err(fault);
        }
        self.write_frame(&at);
        match self.run.chosen.take() {
            Some(_) => Err(Fault::new("internal error: an answer was not used; please report it")),
            None => Ok(()),
        }
    }

    /// A fault with its place, and with the frames in which it happened.
    #[cold]
    fn traced(&self, rules: &Ruleset, pc: Pc, stop: Stop) -> Fault {
        let mut fault = stop.into_fault();
        let ops = &rules.ops;
        fault.span = fault.span.or_else(|| ops.span(pc));
        let places = std::iter::once(pc).chain(self.places_of_frames());
        let frames = places.map(|pc| (ops.owner(pc).to_string(), ops.span(pc))).collect();
        fault.trace = Some(Box::new(Trace { seed: self.seed(), decision: self.cells[head::DECISIONS], round: self.round(), frames }));
        fault
    }

    /// Runs ops until one of them stops.
    fn run_ops(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, at: &mut Frame) -> Stop {
        loop {
            let Some(op) = rules.ops.all.get(at.pc.0 as usize) else {
                return Stop::fault("internal error: what runs has no end; please report it");
            };
            let behind = at.pc.next();
            at.pc = behind;
            let done = self.burn(1).and_then(|()| self.run_op(rules, scripts, op, at));
            let stop = match (done, self.evaluation.wrong_number()) {
                (Ok(()), None) => continue,
                (Ok(()) | Err(Stop::Pause | Stop::Ask), Some(_)) => {
                    self.pending = None;
                    Stop::Fault(Box::new(self.wrong_number(rules).unwrap_or_default()))
                }
                (Err(stop), _) => stop,
            };
            if let Stop::Fault(_) = stop {
                // It happened in this op, wherever that would have gone on.
                at.pc = behind;
            }
            return stop;
        }
    }

    /// The state is at rest: stops, if this is as far as it was to go.
    #[inline]
    pub(super) fn rest(&mut self) -> Result<(), Stop> {
        match &mut self.run.rests {
            None => Ok(()),
            Some(0) => Err(Stop::Pause),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
        }
    }

    /// Uses up some of the ops that may be run before the next question.
    #[inline]
    pub(super) fn burn(&mut self, ops: u32) -> Result<(), Stop> {
        match self.run.fuel.checked_sub(ops) {
            Some(left) => {
                self.run.fuel = left;
                Ok(())
            }
            None => {
                Err(Stop::fault(format!("after {MAX_OPS} steps nobody has been asked anything; a rule or card may never come to an end")))
            }
        }
    }

    /// Runs what follows natively from something: it never asks, calls no script and is heard by nobody.
    ///
    /// # Errors
    /// Faults, and whatever it must not do.
    pub(super) fn run_native(&mut self, rules: &Ruleset, pc: Pc, env: Env) -> Result<(), Stop> {
        if self.run.nested >= MAX_NESTED {
            return Err(Stop::fault(format!("native consequences set each other off more than {MAX_NESTED} deep")));
        }
        let (eyes, frame, heard) = (self.eyes, self.cells[head::FRAME], self.queue.len());
        self.lay_frame()?;
        let mut at = Frame { pc, env };
        self.run.nested += 1;
        self.run.quiet += 1;
        let mut result = Ok(());
        while result.is_ok() && self.cells[head::FRAME] != frame {
            let op = &rules.ops.all[at.pc.0 as usize];
            at.pc = at.pc.next();
            result = self.burn(1).and_then(|()| self.run_op(rules, &mut super::moment::NoScripts, op, &mut at));
        }
        self.run.quiet -= 1;
        self.run.nested -= 1;
        self.eyes = eyes;
        if result == Err(Stop::Ask) {
            self.pending = None;
            return Err(
                Stop::fault("a question came up in a native consequence; only effects may ask").in_the_name_of("", rules.ops.span(at.pc))
            );
        }
        if result.is_ok() && self.queue.len() > heard {
            return Err(Stop::fault("a native consequence cannot be heard; let an effect do it"));
        }
        result
    }

    /// Where a piece lies: place instance and slot.
    pub fn place_of(&self, rules: &Ruleset, card: usize) -> (usize, usize) {
        let cell = |offset: usize| cast::index(self.cells[rules.layout.piece(card, offset)]);
        (cell(piece::PLACE), cell(piece::POSITION))
    }

    /// The option with this key in words, among those open now. `choose` may stand before the words of an answer, or be left out.
    pub fn find_option(&self, rules: &Ruleset, key: &str) -> Option<usize> {
        let decision = self.pending.as_ref()?;
        let exact = decision.options.iter().position(|option: &Opt| option.text(rules) == key);
        exact.or_else(|| decision.options.iter().position(|option| option.is_called(rules, key)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::NoScripts;
    use super::super::sample::{Added, answer, fault, game, options, rules, values};
    use super::*;

    #[test]
    fn what_never_ends_is_stopped_with_the_frames_in_which_it_runs() {
        for (effects, setup) in [
            ("effect spin { repeat 2000000000 { gain 0 wisp } }", "each player { do spin }"),
            ("effect spin { repeat 2000000000 { repeat 0 { } } }", "each player { do spin }"),
        ] {
            let found = fault(&Added { effects, setup, ..Added::default() });
            assert!(found.message.contains("nobody has been asked anything"), "{found}");
            let frames: Vec<String> = found.trace.map_or(Vec::new(), |trace| trace.frames.into_iter().map(|frame| frame.0).collect());
            assert_eq!(frames, ["effect `spin`", "set-up"]);
        }
    }

    #[test]
    fn an_effect_that_causes_itself_is_a_fault() {
        let found = fault(&Added { effects: "effect spin { if moon == 0 { do spin } }", setup: "do spin", ..Added::default() });
        assert!(found.message.contains("deep; a card or rule may be causing itself"), "{found}");
        assert!(found.trace.is_some_and(|trace| trace.frames.len() > 100));
        let found = fault(&Added {
            effects: "when card leaves row { remove card }",
            setup: "fill row from pile; remove cards in row",
            ..Added::default()
        });
        assert!(found.message.contains("native consequences set each other off"), "{found}");
    }

    #[test]
    fn rounds_and_turns_without_a_question_are_stopped() {
        let found = fault(&Added { setup: "moon = -1", ..Added::default() });
        assert_eq!(found.message, "after 2000 turns in one round p1 has still not passed");
    }

    #[test]
    fn a_number_divided_by_0_is_a_fault_at_once() {
        let found = fault(&Added { setup: "each player { gain 1 / moon wisp }", ..Added::default() });
        assert_eq!(found.message, "a number was divided by 0");
        assert_eq!(found.trace.map(|trace| (trace.seed, trace.decision, trace.round)), Some((1, 0, 0)));
    }

    #[test]
    fn an_answer_stops_where_the_state_is_at_rest() {
        let steps = "step growth { each player chooses { \"wisp\" { gain 1 wisp } \"fog\" { gain 1 fog } } }";
        let (rules, mut game) = game(&Added { steps, ..Added::default() });
        assert_eq!(options(&rules, &game), ["choose wisp", "choose fog"]);
        assert_eq!(game.answer(&rules, &mut NoScripts, 0), Ok(()));
        assert!(game.decision().is_none(), "the next seat is not asked yet");
        assert_eq!(values(&rules, &game, "wisp"), [4, 3]);
        assert!(matches!(game.advance(&rules, &mut NoScripts), Ok(Some(decision)) if decision.seat == 1));
        answer(&rules, &mut game, "choose fog");
        assert_eq!(options(&rules, &game), ["pass"]);
        assert_eq!(
            game.answer(&rules, &mut NoScripts, 7).map_err(|fault| fault.message),
            Err("there is no option 7; there are 1".to_string())
        );
        assert_eq!(options(&rules, &game), ["pass"], "the question is still open");
    }

    #[test]
    fn parts_are_run_one_by_one() {
        let rules = rules(2, &Added { steps: "step growth { moon += 1 }", ..Added::default() });
        let mut game = Game::new(&rules, 1);
        let mut seen = Vec::new();
        while game.decision().is_none() {
            seen.push(game.program_at());
            assert_eq!(game.advance_part(&rules, &mut NoScripts), Ok(()));
        }
        assert!(seen.windows(2).all(|pair| pair[0] <= pair[1]) && seen.len() > 4, "{seen:?}");
        let turns = game.program_at();
        game.drop_turn();
        assert_eq!(game.jump_to(&rules, turns - 3), Ok(()));
        assert_eq!(game.program_at(), turns - 3);
        assert!(game.jump_to(&rules, 99).is_err());
    }
}
