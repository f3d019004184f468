//! Value of a state after an option was taken and all of its effects are resolved.

use super::highest_hash_option;
use crate::engine::decision::Question;
use crate::engine::{Act, Fault, Game, Ruleset, Scripts, Style};

/// Maximum depth of nested questions inside an action whose answers are all tried. Deeper questions, and questions that follow, are
/// answered at random.
const MAX_DEPTH: usize = 2;
/// Maximum number of answers tried inside the actions of one decision; its options share them.
const MAX_TRIED: usize = 200;
/// Number of answers that may be tried for each option, even if its share of `MAX_TRIED` is smaller.
const MIN_TRIED_PER_OPTION: usize = 12;
/// Maximum number of consecutive questions, of all seats, within one action.
const MAX_CONSECUTIVE_QUESTIONS: usize = 64;

/// Looks ahead in sampled states.
#[derive(Default)]
pub struct Lookahead {
    /// Scratch games, reused from decision to decision.
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

    /// Computes the worth of the state to the seat after answer `option` of `options` was taken, and whether that answer ends its turns;
    /// `None` on a fault.
    pub fn evaluate_option(
        &mut self,
        trial: &mut LookaheadContext<'_>,
        from: &Game,
        (option, options): (usize, usize),
    ) -> Option<(i64, bool)> {
        trial.answers_left = (MAX_TRIED / options.max(1)).max(MIN_TRIED_PER_OPTION);
        let question = from.decision()?.question;
        let depth = if matches!(question, Question::Turn(_)) { 0 } else { MAX_DEPTH };
        self.try_option(trial, from, question, option, depth)
    }

    fn try_option(
        &mut self,
        trial: &mut LookaheadContext<'_>,
        from: &Game,
        question: Question,
        option: usize,
        depth: usize,
    ) -> Option<(i64, bool)> {
        let mut game = self.games.pop().unwrap_or_default();
        Game::clone_from(&mut game, from);
        let worth = self.play_out(trial, &mut game, option, depth);
        let ends_turns = match question {
            Question::Turn(turns) => trial.rules.turns[turns as usize].has_passed(game.cells(), &trial.rules.layout, trial.seat),
            Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => false,
        };
        self.games.push(game);
        worth.map(|worth| (worth, ends_turns))
    }

    fn play_out(&mut self, trial: &mut LookaheadContext<'_>, game: &mut Game, option: usize, depth: usize) -> Option<i64> {
        let tried = game.decision().map(|decision| (decision.question, decision.options.get(option).map(|found| found.key)))?;
        let rolled = game.position(trial.rules).rolls();
        self.answers += 1;
        self.record_fault(game.on(trial.rules).answer(trial.scripts, option))?;
        for _ in 0..MAX_CONSECUTIVE_QUESTIONS {
            let Some(decision) = game.decision() else { return Some(game.on(trial.rules).worth(trial.seat, trial.style)) };
            let (question, options) = (decision.question, &decision.options);
            let own = decision.seat == trial.seat;
            let done = options.iter().position(|found| own && found.act == Act::Done);
            let again = options.iter().position(|found| own && (question, Some(found.key)) == tried);
            let again = done.or(again);
            // After a roll of dice the same question is a new one: the seat that rolled again may stop there.
            let dared = again.is_some() && done.is_none() && depth <= MAX_DEPTH && game.position(trial.rules).rolls() != rolled;
            if own && (dared || again.is_none() && depth < MAX_DEPTH) && trial.answers_left >= options.len() {
                trial.answers_left -= options.len();
                let (from, count) = (&*game, options.len());
                return (0..count).filter_map(|i| self.try_option(trial, from, question, i, depth + 1)).map(|v| v.0).max();
            }
            let chosen = again.unwrap_or_else(|| highest_hash_option(trial.chance, options));
            self.answers += 1;
            self.record_fault(game.on(trial.rules).answer(trial.scripts, chosen))?;
        }
        None
    }
}
