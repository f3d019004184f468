//! Value of a state after an option was taken and has had its effect.

use super::highest_hash_option;
use crate::engine::decision::Question;
use crate::engine::{Act, Ended, Fault, Game, Ruleset, Scripts, Style};

/// Maximum number of consecutive questions to the seat whose answers are all tried: an action with the question that it asks, an answer
/// that is given in two questions, or the same question asked once more. In a sampled state chance is settled, so whoever tried more would
/// see too much of what is still to come.
const MAX_DEPTH: usize = 2;
/// Maximum number of answers tried inside the actions of one decision; its options share them.
const MAX_TRIED: usize = 200;
/// Number of answers that may be tried for each option, even if its share of `MAX_TRIED` is smaller.
const MIN_TRIED_PER_OPTION: usize = 12;
/// What a game that all have won is worth more than any that goes on, and a lost one less, where rules say what a state is worth.
const PRIZE_OF_ALL: i64 = 1_000_000_000_000;
/// Maximum number of consecutive questions, of all seats, within one action.
const MAX_CONSECUTIVE_QUESTIONS: usize = 64;

/// The point up to which an answer is followed in a sampled state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Horizon {
    /// The seat is asked again.
    AskedAgain,
    /// The turn's action, the round or the game is over.
    Over(Ended),
    /// Neither has happened after as many questions as are followed.
    TooFar,
}

/// The result of an answer in a sampled state.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The worth of the state at the horizon, in thousandths of a point.
    pub worth: i64,
    /// Whether the answer, to a question of a turn, ends the turns of the seat.
    pub ends_turns: bool,
    /// The point up to which the answer was followed.
    pub horizon: Horizon,
    /// Whether other seats answered on the way.
    pub guessed: bool,
}

/// Looks ahead in sampled states.
#[derive(Default)]
pub struct Lookahead {
    /// Copies of games in which no trial can be taken back, reused from decision to decision.
    #[expect(clippy::vec_box, reason = "a game is taken out and put back at every try, and is large")]
    games: Vec<Box<Game>>,
    /// Number of answers given in sampled states so far, as a measure of computing time.
    answers: u64,
    /// The first fault since the last call of [`Lookahead::take_fault`].
    fault: Option<Box<Fault>>,
}

/// The parameters of a lookahead, which stay the same during one decision.
pub struct LookaheadContext<'a> {
    pub rules: &'a Ruleset,
    pub scripts: &'a mut dyn Scripts,
    pub seat: usize,
    pub style: Style,
    pub chance: u64,
    /// Number of answers that may still be tried.
    answers_left: usize,
}

impl<'a> LookaheadContext<'a> {
    pub fn new(rules: &'a Ruleset, scripts: &'a mut dyn Scripts, seat: usize, style: Style, chance: u64) -> LookaheadContext<'a> {
        LookaheadContext { rules, scripts, seat, style, chance, answers_left: 0 }
    }
}

impl Lookahead {
    /// Returns the total number of answers given in sampled states.
    pub fn answer_count(&self) -> u64 {
        self.answers
    }

    /// Takes the first fault that occurred in a sampled state since the last call.
    pub fn take_fault(&mut self) -> Option<Box<Fault>> {
        self.fault.take()
    }

    /// Returns the value of a result; a fault is recorded instead.
    pub fn record_fault<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| _ = self.fault.get_or_insert_with(|| Box::new(fault))).ok()
    }

    /// Does the same as [`Lookahead::evaluate_option`] on a game on the lookout; `None` if anything came to light. Then it is as if it had not been
    /// tried.
    pub fn evaluate_openly(
        &mut self,
        trial: &mut LookaheadContext<'_>,
        from: &mut Game,
        option: (usize, usize),
    ) -> Option<Option<Outcome>> {
        let (answers, had_failed) = (self.answers, self.fault.is_some());
        let outcome = self.evaluate_option(trial, from, option);
        if !from.take_told() {
            return Some(outcome);
        }
        self.answers = answers;
        if !had_failed {
            self.fault = None;
        }
        None
    }

    /// Follows answer `option` of `options` to where it has had its effect, and returns the worth of that state to the seat; `None` on a
    /// fault. An answer in a turn is followed to the end of the action, any other until the seat is asked again, turns begin, or the round
    /// is over. Other seats answer at random on the way.
    pub fn evaluate_option(
        &mut self,
        trial: &mut LookaheadContext<'_>,
        from: &mut Game,
        (option, options): (usize, usize),
    ) -> Option<Outcome> {
        trial.answers_left = (MAX_TRIED / options.max(1)).max(MIN_TRIED_PER_OPTION);
        let question = from.decision()?.question;
        let depth = if matches!(question, Question::Turn(_)) { 0 } else { MAX_DEPTH - 1 };
        self.try_option(trial, from, option, depth)
    }

    /// Tries an answer, and leaves the game as it was.
    fn try_option(&mut self, trial: &mut LookaheadContext<'_>, game: &mut Game, option: usize, depth: usize) -> Option<Outcome> {
        if game.begin_trial(trial.rules) {
            let outcome = self.follow_to_end(trial, game, option, depth);
            game.take_back(trial.rules);
            return outcome;
        }
        if game.is_on_lookout() {
            game.set_told(trial.rules);
            return None;
        }
        let mut copy = self.games.pop().unwrap_or_default();
        Game::clone_from(&mut copy, game);
        let outcome = self.follow_to_end(trial, &mut copy, option, depth);
        self.games.push(copy);
        outcome
    }

    fn follow_to_end(&mut self, trial: &mut LookaheadContext<'_>, game: &mut Game, option: usize, depth: usize) -> Option<Outcome> {
        let question = game.decision()?.question;
        let outcome = self.follow(trial, game, option, depth);
        let ends_turns = match question {
            Question::Turn(turns) => trial.rules.turns[turns as usize].has_passed(game.cells(), &trial.rules.layout, trial.seat),
            Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => false,
        };
        outcome.map(|outcome| Outcome { ends_turns, ..outcome })
    }

    /// Gives an answer and plays on to its horizon.
    fn follow(&mut self, trial: &mut LookaheadContext<'_>, game: &mut Game, option: usize, depth: usize) -> Option<Outcome> {
        let decision = game.decision()?;
        let tried = (decision.question, decision.options.get(option)?.key);
        let (mut rested, mut guessed) = (false, false);
        self.give_answer(trial, game, option)?;
        for _ in 0..MAX_CONSECUTIVE_QUESTIONS {
            let Some(decision) = game.decision() else {
                if let Some(ended) = game.on(trial.rules).ended() {
                    return Some(Outcome { guessed, ..value(trial, game, Horizon::Over(ended)) });
                }
                rested = true;
                let advanced = game.on(trial.rules).advance_part(trial.scripts);
                self.record_fault(advanced)?;
                continue;
            };
            let (question, options) = (decision.question, &decision.options);
            if decision.seat != trial.seat {
                guessed = true;
                let chosen = highest_hash_option(trial.chance, options);
                self.give_answer(trial, game, chosen)?;
                continue;
            }
            let (same, count) = (question == tried.0, options.len());
            let ends_series = options.iter().position(|found| found.act == Act::Done);
            let again = options.iter().position(|found| same && found.key == tried.1 && is_in_series(trial.rules, question, found.act));
            let chosen = if let Some(next) = ends_series.or(again) {
                next
            } else if depth < MAX_DEPTH && trial.answers_left >= count {
                trial.answers_left -= count;
                // Values that no answer changes are computed once here, and kept from try to try.
                game.store(trial.rules).keep_worth(trial.seat, trial.style);
                let best = (0..count).filter_map(|index| self.try_option(trial, game, index, depth + 1)).max_by_key(|found| found.worth);
                return best.map(|best| Outcome { guessed: guessed || best.guessed, ..best });
            } else if same || rested {
                return Some(Outcome { guessed, ..value(trial, game, Horizon::AskedAgain) });
            } else {
                highest_hash_option(trial.chance, options)
            };
            self.give_answer(trial, game, chosen)?;
        }
        Some(Outcome { guessed, ..value(trial, game, Horizon::TooFar) })
    }

    fn give_answer(&mut self, trial: &mut LookaheadContext<'_>, game: &mut Game, option: usize) -> Option<()> {
        self.answers += 1;
        let answered = game.on(trial.rules).answer(trial.scripts, option);
        self.record_fault(answered)
    }
}

/// Returns the worth of a state at which an answer is no longer followed. Whatever rules say a state is worth, nothing is better than to have won
/// together, and nothing worse than to have lost.
fn value(trial: &LookaheadContext<'_>, game: &mut Game, horizon: Horizon) -> Outcome {
    let mut worth = game.store(trial.rules).worth(trial.seat, trial.style);
    if game.finished() && trial.rules.together.is_some() && trial.rules.worth_formula(trial.style).is_some() {
        worth += if game.store(trial.rules).winners().is_empty() { -PRIZE_OF_ALL } else { PRIZE_OF_ALL };
    }
    Outcome { worth, ends_turns: false, horizon, guessed: false }
}

/// Whether an answer is one of several that make up one choice: the units of a payment, tokens, or a series of picks.
pub fn is_in_series(rules: &Ruleset, question: Question, act: Act) -> bool {
    let picks = match question {
        Question::Rules(question) => rules.questions[question as usize].picks,
        Question::Payment | Question::Cover | Question::Card(_) => true,
        Question::Turn(_) => false,
    };
    picks || matches!(act, Act::Token(..))
}
