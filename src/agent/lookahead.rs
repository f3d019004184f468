//! What a state is worth once an option was taken and all that it sets off is at rest.

use super::highest;
use crate::engine::decision::Question;
use crate::engine::{Act, Fault, Game, Ruleset, Scripts, Style};

/// Questions inside an action are looked into this deep; deeper ones, and those that follow a question inside an action,
/// are answered by chance.
const DEEPEST: usize = 2;
/// Answers tried inside the actions of one decision, shared by its options …
const MOST_TRIED: usize = 200;
/// … of which each has at least these.
const LEAST_TRIED: usize = 12;
/// Questions that follow one another within one action, of all seats.
const MOST_FOLLOWING: usize = 64;

/// Looks ahead in imagined states.
#[derive(Default)]
pub struct Lookahead {
    /// Games to try things in, kept from decision to decision.
    #[expect(clippy::vec_box, reason = "a game is taken out and put back at every try, and is large")]
    games: Vec<Box<Game>>,
    /// How many answers have been given in them: what looking ahead costs.
    answers: u64,
    /// The first fault that an answer met since it was asked last.
    fault: Option<Box<Fault>>,
}

/// Who tries, and by what it goes; it stays the same during a decision.
pub struct Trial<'a> {
    pub rules: &'a Ruleset,
    pub scripts: &'a mut dyn Scripts,
    pub seat: usize,
    pub style: Style,
    pub chance: u64,
    /// How many more answers may be tried.
    left: usize,
}

impl<'a> Trial<'a> {
    pub fn new(rules: &'a Ruleset, scripts: &'a mut dyn Scripts, seat: usize, style: Style, chance: u64) -> Trial<'a> {
        Trial { rules, scripts, seat, style, chance, left: 0 }
    }
}

impl Lookahead {
    /// How many answers have been given in imagined states so far.
    pub fn answers(&self) -> u64 {
        self.answers
    }

    /// The first fault that an answer met in imagined states since this was asked last.
    pub fn fault(&mut self) -> Option<Box<Fault>> {
        self.fault.take()
    }

    /// What came of an answer in an imagined state, if it was no fault: that is kept.
    pub fn unless_it_faults<T>(&mut self, result: Result<T, Fault>) -> Option<T> {
        result.map_err(|fault| _ = self.fault.get_or_insert_with(|| Box::new(fault))).ok()
    }

    /// What the state is worth to the seat after one of `options` answers was taken, and whether its turns end by it; nothing if it
    /// meets a fault.
    pub fn value(&mut self, trial: &mut Trial<'_>, from: &Game, (option, options): (usize, usize)) -> Option<(i64, bool)> {
        trial.left = (MOST_TRIED / options.max(1)).max(LEAST_TRIED);
        let question = from.decision()?.question;
        let depth = if matches!(question, Question::Turn(_)) { 0 } else { DEEPEST };
        self.try_option(trial, from, question, option, depth)
    }

    fn try_option(&mut self, trial: &mut Trial<'_>, from: &Game, question: Question, option: usize, depth: usize) -> Option<(i64, bool)> {
        let mut game = self.games.pop().unwrap_or_default();
        Game::clone_from(&mut game, from);
        let worth = self.play_out(trial, &mut game, option, depth);
        let ends_turns = match question {
            Question::Turn(turns) => {
                let passed = trial.rules.turns[turns as usize].passed as usize;
                game.cells()[trial.rules.layout.seat(trial.seat, passed)] != 0
            }
            Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => false,
        };
        self.games.push(game);
        worth.map(|worth| (worth, ends_turns))
    }

    fn play_out(&mut self, trial: &mut Trial<'_>, game: &mut Game, option: usize, depth: usize) -> Option<i64> {
        let tried = game.decision().map(|decision| (decision.question, decision.options.get(option).map(|found| found.key)))?;
        let rolled = game.position(trial.rules).rolls();
        self.answers += 1;
        self.unless_it_faults(game.on(trial.rules).answer(trial.scripts, option))?;
        for _ in 0..MOST_FOLLOWING {
            let Some(decision) = game.decision() else { return Some(game.on(trial.rules).worth(trial.seat, trial.style)) };
            let (question, options) = (decision.question, &decision.options);
            let own = decision.seat == trial.seat;
            let done = options.iter().position(|found| own && found.act == Act::Done);
            let again = options.iter().position(|found| own && (question, Some(found.key)) == tried);
            let again = done.or(again);
            // After a roll the same question is another one: who dares again may stop there.
            let dared = again.is_some() && done.is_none() && depth <= DEEPEST && game.position(trial.rules).rolls() != rolled;
            if own && (dared || again.is_none() && depth < DEEPEST) && trial.left >= options.len() {
                trial.left -= options.len();
                let (from, count) = (&*game, options.len());
                return (0..count).filter_map(|i| self.try_option(trial, from, question, i, depth + 1)).map(|v| v.0).max();
            }
            let chosen = again.unwrap_or_else(|| highest(trial.chance, options));
            self.answers += 1;
            self.unless_it_faults(game.on(trial.rules).answer(trial.scripts, chosen))?;
        }
        None
    }
}
