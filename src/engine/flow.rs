//! The program: parts one after another, each run to its end in one go or not at all.

use super::decision::{Act, Decision, Fault, Opt, Question, Stop};
use super::eval::Env;
use super::game::{Eyes, Game};
use super::moment::Scripts;
use super::question::Known;
use super::ruleset::{Direction, Lifetime, Part, Ruleset};
use crate::state::layout::{JOURNAL, head, piece};

/// A turn with more answers than this is a fault.
const MOST_ANSWERS: i32 = 1000;

impl Game {
    /// Runs until somebody must decide; `None` when the game is over.
    ///
    /// # Errors
    /// A fault of a card or of the rules; the part that met it is undone.
    pub fn advance(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<Option<&Decision>, Fault> {
        while self.pending.is_none() && !self.finished() {
            self.advance_part(rules, scripts)?;
        }
        Ok(self.pending.as_ref())
    }

    /// Runs the part of the program that comes next, or to the first question within it; does nothing while one is open.
    ///
    /// # Errors
    /// As for [`Game::advance`].
    #[inline]
    pub fn advance_part(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        if self.pending.is_some() || self.finished() {
            return Ok(());
        }
        match rules.program.get(self.cells[head::PROGRAM] as usize) {
            Some(Part::Turns(turns)) if self.cells[head::LOOP] == 0 => self.next_turn(rules, *turns).map_err(faulty),
            // Nothing happens there.
            Some(Part::Phase(_) | Part::Step(_, None, _)) if self.cells[rules.layout.journal] == 0 => {
                self.put(rules, head::PROGRAM, self.cells[head::PROGRAM] as i64 + 1).map_err(faulty)
            }
            _ => self.run_part(rules, scripts),
        }
    }

    /// Answers the open question and runs what it asked for to its end, or to the next question within it.
    ///
    /// # Errors
    /// A fault; the state is then as before the part.
    pub fn answer(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, option: usize) -> Result<(), Fault> {
        let Some(mut decision) = self.pending.take() else {
            return Err(faulty(Stop::fault("there is no open question")));
        };
        let Some(&chosen) = decision.options.get(option) else {
            let count = decision.options.len();
            self.pending = Some(decision);
            return Err(faulty(Stop::fault(format!("there is no option {option}; there are {count}"))));
        };
        let of_price = matches!(decision.question, Question::Turn(_) | Question::Payment);
        decision.options.clear();
        self.spare = decision.options;
        if !self.inner {
            self.known.clear();
        }
        if self.open_known {
            self.known.push(Known { option: Some(chosen), asked: true });
        }
        let count = self.cells[rules.layout.journal] as usize;
        if count >= JOURNAL {
            return Err(faulty(super::game::too_much()));
        }
        self.cells[rules.layout.journal] = count as i32 + 1;
        self.cells[rules.layout.journal + 1 + count] = option as i32;
        if of_price && self.asks_for_price(rules) {
            self.stand_at_question(rules);
            return Ok(());
        }
        self.run_part(rules, scripts)
    }

    /// A price is being picked: the action has begun, and nothing has happened yet.
    fn stand_at_question(&mut self, rules: &Ruleset) {
        self.inner = true;
        self.at_question.take();
        self.apart.clear();
        let journal = rules.layout.journal as u32;
        self.apart.extend((journal..=journal + self.journal.len() as u32).map(|cell| (cell, 0)));
        self.apart.push((head::ANSWERS as u32, self.cells[head::ANSWERS] + 1));
    }

    /// The answers and chance of the present part so far, from the state.
    pub(super) fn read_journal(&mut self, rules: &Ruleset) {
        let journal = rules.layout.journal;
        let count = self.cells[journal] as usize;
        self.cursor = 0;
        self.journal.clear();
        if count > 0 {
            self.journal.extend_from_slice(&self.cells[journal + 1..journal + 1 + count]);
        }
    }

    /// Takes up a state that was saved or imagined: rebuilds the open question, if it was in the middle of one.
    ///
    /// # Errors
    /// A fault while the part is run again.
    pub fn resume(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        self.forget(rules);
        self.eyes = Eyes::Live;
        self.pending = None;
        self.inner = false;
        self.known.clear();
        self.answered = None;
        if self.cells[rules.layout.journal] > 0 {
            self.run_part(rules, scripts)?;
        }
        self.advance(rules, scripts).map(|_| ())
    }

    /// Runs the present part on the state, with the journal's answers; undoes it at an open question.
    fn run_part(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        let journal = rules.layout.journal;
        self.read_journal(rules);
        let count = self.journal.len();
        if count == 0 {
            self.known.clear();
        } else {
            self.cells[journal..=journal + count].fill(0);
        }
        self.known_at = 0;
        self.begin_told(self.inner);
        self.undo.clear();
        let comings = self.comings;
        let result = self.run_now(rules, scripts);
        let wrong = self.evaluation.wrong_number.take().filter(|_| result.is_ok());
        let result = wrong.map_or(result, |wrong| Err(Stop::fault(wrong)));
        match result {
            Ok(()) => {
                self.inner = false;
                self.answered = None;
                Ok(())
            }
            Err(stop) => {
                let faulted = stop != Stop::Ask;
                self.eyes = Eyes::Live;
                self.quiet = 0;
                self.nested = 0;
                self.no_questions = false;
                self.answers = None;
                self.record = None;
                self.queue.clear();
                self.deferred.clear();
                if !faulted {
                    self.at_question.take();
                    self.apart.clear();
                    self.apart.extend(self.undo.iter().map(|&(cell, _)| (cell, self.cells[cell as usize])));
                    self.apart.extend((journal..=journal + self.journal.len()).map(|cell| (cell as u32, 0)));
                }
                self.take_back(rules, 0);
                self.evaluation.seen_apart.clear();
                if self.comings != comings {
                    self.active_stale = true;
                    self.live.clear(rules);
                }
                self.checks_due = true;
                self.room_due = true;
                self.cells[journal] = self.journal.len() as i32;
                self.cells[journal + 1..journal + 1 + self.journal.len()].copy_from_slice(&self.journal);
                self.inner = true;
                if faulted {
                    self.pending = None;
                    return Err(faulty(stop));
                }
                Ok(())
            }
        }
    }

    fn run_now(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Stop> {
        let at = self.cells[head::PROGRAM] as usize;
        let next = at as i64 + 1;
        let Some(part) = rules.program.get(at) else {
            return self.put(rules, head::FINISHED, 1);
        };
        match part {
            Part::Do(body) => {
                self.run_body(rules, scripts, *body, &mut Env::of(self.cells[head::ORDER] as usize))?;
                self.settle(rules, scripts, 0)?;
                self.put(rules, head::PROGRAM, next)
            }
            Part::Each(direction, filter, body) => {
                let place = self.cells[head::LOOP] as usize;
                if place >= rules.players {
                    self.put(rules, head::LOOP, 0)?;
                    return self.put(rules, head::PROGRAM, next);
                }
                let place_of = if *direction == Direction::Reverse { rules.players - 1 - place } else { place };
                let seat = self.cell(rules, head::ORDER + place_of) as usize;
                let mut env = Env::of(seat);
                if self.holds_if(rules, *filter, &mut env) {
                    self.run_body(rules, scripts, *body, &mut env)?;
                    self.settle(rules, scripts, 0)?;
                }
                self.put(rules, head::LOOP, place as i64 + 1)
            }
            Part::Deal => {
                for &(definition, seat) in &rules.dealt {
                    self.deal_now(rules, definition, seat)?;
                }
                self.put(rules, head::PROGRAM, next)
            }
            Part::Round => {
                self.put(rules, head::ROUND, self.cells[head::ROUND] as i64 + 1)?;
                self.put(rules, head::TURN, 0)?;
                self.put(rules, head::TURN_PLACE, 0)?;
                self.clear_lifetime(rules, Lifetime::Round)?;
                let round = self.cells[head::ROUND];
                self.say(|| format!("round {round}"));
                self.after_change(rules)?;
                self.put(rules, head::PROGRAM, next)
            }
            Part::Phase(_) => self.put(rules, head::PROGRAM, next),
            Part::Step(_, when, end) => {
                let runs = self.holds_if(rules, *when, &mut Env::of(self.cells[head::ORDER] as usize));
                self.put(rules, head::PROGRAM, if runs { next } else { *end as i64 })
            }
            Part::StepEnd(_) => {
                self.clear_lifetime(rules, Lifetime::Step)?;
                self.after_change(rules)?;
                self.put(rules, head::PROGRAM, next)
            }
            Part::Turns(turns) if self.cells[head::LOOP] != 0 => {
                // A seat's first turn of the round has begun.
                if let Some(body) = rules.turns[*turns as usize].first {
                    let seat = self.cells[head::ORDER + self.cells[head::TURN_PLACE] as usize] as usize;
                    self.run_body(rules, scripts, body, &mut Env::of(seat))?;
                    self.settle(rules, scripts, 0)?;
                }
                self.put(rules, head::LOOP, 0)
            }
            Part::Turns(turns) => self.act(rules, scripts, *turns),
            Part::RoundEnd(back) => {
                let rounds = rules.rounds.map_or(1, |node| self.eval(rules, node, &mut Env::of(0)));
                let more = (self.cells[head::ROUND] as i64) < rounds;
                self.put(rules, head::PROGRAM, if more { *back as i64 } else { next })
            }
            Part::Finish => self.put(rules, head::FINISHED, 1),
        }
    }

    /// Finds whose turn it is and asks for an action; ends the phase when all have passed.
    fn next_turn(&mut self, rules: &Ruleset, index: u16) -> Result<(), Stop> {
        let turns = &rules.turns[index as usize];
        loop {
            let place = self.cells[head::TURN_PLACE] as usize % rules.players;
            let seat = self.cells[head::ORDER + place] as usize;
            let passed = |game: &Game, seat: usize| game.cells[rules.layout.seat(seat, turns.passed as usize)] != 0;
            if self.cells[head::ACTIONS_LEFT] >= 0 {
                if self.cells[head::ACTIONS_LEFT] > 0 && !passed(self, seat) {
                    let mut options = self.no_options();
                    self.enumerate(rules, index, seat, &mut options);
                    if options.is_empty() {
                        return Err(Stop::fault(format!("p{} can do nothing in its turn, not even pass", seat + 1)));
                    }
                    if options.len() > 256 {
                        return Err(Stop::fault(format!("a turn offers {} options; more than 256 is a fault of the rules", options.len())));
                    }
                    self.pending = Some(Decision { seat, question: Question::Turn(index), options });
                    self.open_known = true;
                    return Ok(());
                }
                self.clear_lifetime(rules, Lifetime::Turn)?;
                self.put(rules, head::ACTIONS_LEFT, -1)?;
                self.put(rules, head::TURN_PLACE, (place as i64 + 1) % rules.players as i64)?;
                continue;
            }
            let waiting = (0..rules.players).find(|i| !passed(self, self.cells[head::ORDER + (place + i) % rules.players] as usize));
            let Some(skip) = waiting else {
                self.put(rules, head::TURN_PLACE, 0)?;
                self.put(rules, head::PROGRAM, self.cells[head::PROGRAM] as i64 + 1)?;
                return Ok(());
            };
            let place = (place + skip) % rules.players;
            let seat = self.cells[head::ORDER + place] as usize;
            self.put(rules, head::TURN_PLACE, place as i64)?;
            self.put(rules, head::TURN, self.cells[head::TURN] as i64 + 1)?;
            self.put(rules, head::ANSWERS, 0)?;
            let actions = self.eval(rules, turns.actions_each, &mut Env::of(seat)).max(0);
            self.put(rules, head::ACTIONS_LEFT, actions)?;
            if let Some(taken) = turns.taken {
                let cell = rules.layout.seat(seat, taken as usize);
                let before = self.cells[cell];
                self.put(rules, cell, before as i64 + 1)?;
                if before == 0 && turns.first.is_some() {
                    self.put(rules, head::LOOP, 1)?;
                    return Ok(());
                }
            }
        }
    }

    /// Carries out the action that the journal's first answer names.
    fn act(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, index: u16) -> Result<(), Stop> {
        let seat = self.cells[head::ORDER + self.cells[head::TURN_PLACE] as usize] as usize;
        let chosen = match self.met_before().and_then(|known| known.option) {
            Some(option) => option,
            None => {
                let Some(answer) = self.replayed() else {
                    return Err(Stop::fault("an action was to be carried out that nobody chose"));
                };
                let mut options = Vec::new();
                self.enumerate(rules, index, seat, &mut options);
                let Some(&option) = options.get(answer.max(0) as usize) else {
                    return Err(Stop::fault(format!("the saved answer {answer} is not among the {} options", options.len())));
                };
                self.remember(Some(option), true);
                option
            }
        };
        let Act::Action(action, args) = chosen.act else {
            return Err(Stop::fault("the answer of a turn is no action"));
        };
        let action = &rules.actions[action as usize];
        self.say(|| format!("p{}: {}", seat + 1, chosen.text(rules)));
        let answers = self.cells[head::ANSWERS] as i64 + 1;
        if answers > MOST_ANSWERS as i64 {
            return Err(Stop::fault(format!("more than {MOST_ANSWERS} answers in one turn, the last to `{}`", action.address)));
        }
        self.put(rules, head::ANSWERS, answers)?;
        let mut env = Env::of(seat);
        env.set_args(args);
        if !action.costs.is_empty() {
            let mut costs = [(0, 0); 4];
            let mut count = 0;
            for cost in action.costs.iter().filter(|cost| cost.tokens.is_none()).take(costs.len()) {
                costs[count] = (cost.resource as usize, self.eval(rules, cost.amount, &mut env));
                count += 1;
            }
            if count > 0 {
                self.pay(rules, seat, &costs[..count])?;
            }
            for tokens in action.costs.iter().filter_map(|cost| cost.tokens) {
                let (amount, symbol) = (self.eval(rules, tokens.amount, &mut env), self.eval(rules, tokens.symbol, &mut env));
                self.spend(rules, seat, amount, symbol, tokens.from, tokens.to)?;
            }
        }
        // Hearers of the payment are settled already; they run when the action has ended.
        let waiting = std::mem::take(&mut self.queue);
        self.run_body(rules, scripts, action.body, &mut env)?;
        for item in waiting {
            self.carry_out(rules, scripts, item)?;
        }
        self.settle(rules, scripts, 0)?;
        self.clear_lifetime(rules, Lifetime::Action)?;
        if !action.free {
            let left = self.cells[head::ACTIONS_LEFT] as i64 - 1;
            self.put(rules, head::ACTIONS_LEFT, left)?;
        }
        Ok(())
    }

    /// Where a piece lies: place instance and slot, as it stands at the open question.
    pub fn place_of(&self, rules: &Ruleset, card: usize) -> (usize, usize) {
        let cells = self.shown();
        (cells[rules.layout.piece(card, piece::PLACE)] as usize, cells[rules.layout.piece(card, piece::POSITION)] as usize)
    }

    /// The option with this key in words, among those open now.
    pub fn find_option(&self, rules: &Ruleset, key: &str) -> Option<usize> {
        let decision = self.pending.as_ref()?;
        decision.options.iter().position(|option: &Opt| option.text(rules) == key)
    }
}

pub(super) fn faulty(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => *fault,
        other => {
            Fault { message: format!("internal error: {other:?} outside a question; please report it"), owner: String::new(), span: None }
        }
    }
}
