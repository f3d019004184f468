//! What may be chosen and why not, for those who ask from outside: tables, explanations, scenarios.

use super::alike;
use super::decision::{Act, Args, Decision, Opt, Question};
use super::eval::Env;
use super::machine::Machine;
use super::options::{self, Continue, MAX_PARAMS, Objection};
use super::ruleset::Turns;
use std::collections::HashMap;

/// A reason why a choice is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The guard's name, `if` for the condition of an answer, `cost` for a price that cannot be paid, `card` for a condition of the acting
    /// card, or `forbidden` for a card in play that forbids the action.
    pub name: String,
    /// The reason in words, for the player.
    pub reason: String,
}

impl<'a> Machine<'a> {
    /// Lists what a seat can do in these turns as the state is, whether it is its turn or not.
    pub fn list_turn(&mut self, turns: u16, seat: usize, options: &mut Vec<Opt>) {
        options.clear();
        options::list_turn(&mut self.store, turns, seat, options);
    }

    /// Returns the answers that the open question has for a seat, by index; none if the seat is asked nothing, or for an action.
    pub fn open_answers(&self, seat: usize) -> Vec<u16> {
        match &self.memory.pending {
            Some(Decision { seat: asked, question: Question::Rules(question), .. }) if *asked == seat => {
                self.store.rules.questions[*question as usize].choices.clone()
            }
            Some(_) | None => Vec::new(),
        }
    }

    /// Returns the turns from whose actions one is chosen now, whoever's turn it is; `None` at any other question.
    pub fn open_turns(&self) -> Option<&'a Turns> {
        match self.memory.pending.as_ref()?.question {
            Question::Turn(turns) => self.store.rules.turns.get(turns as usize),
            Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => None,
        }
    }

    /// The environment in which an action of a seat is looked at, or an answer to the open question.
    fn env_of(&mut self, seat: usize, index: u16) -> Env {
        match self.store.rules.choices[usize::from(index)].action {
            Some(_) => Env::for_seat(seat),
            None => self.question_op().1,
        }
    }

    /// Lists all options of an action for a seat, or of an answer to the open question, whether they are allowed or not.
    pub fn possible_options(&mut self, seat: usize, index: u16) -> Vec<Opt> {
        let mut env = self.env_of(seat, index);
        let mut options = Vec::new();
        options::candidates(&mut self.store, (index, false), 0, &mut env, &mut [-1; MAX_PARAMS], &mut options, &mut 0);
        alike::merge_alike(&self.store, env.me, 0, &mut options);
        self.refused_copies_last(index, env, &mut options);
        options::number_copies(&mut options);
        options
    }

    /// Hides from the words of options which cards they name that a seat does not know.
    pub fn hide_unseen(&self, seat: usize, options: &mut [Opt]) {
        options::hide_unseen(&self.store, seat, options);
    }

    /// Puts those of several options with equal words to which there are objections behind the others, so that the others have the numbers
    /// by which they are offered. Cards that the seat does not know have no words, and stay where they are.
    fn refused_copies_last(&mut self, index: u16, env: Env, options: &mut [Opt]) {
        let mut times: HashMap<u64, u32> = HashMap::new();
        let known = options.iter().filter(|option| !options::names_unknown(&self.store, env.me, option.act));
        known.for_each(|option| *times.entry(option.key).or_default() += 1);
        if times.values().all(|&times| times == 1) {
            return;
        }
        self.store.evaluator().refresh_active();
        let params = &self.store.rules.choices[usize::from(index)].params;
        let mut stop = |_: Objection<'_>| Continue::Break(());
        options.sort_by_cached_key(|option| {
            let Act::Choice(_, args) = option.act else { return false };
            let mut env = env;
            env.set_args(params, args);
            let is_named = !options::names_unknown(&self.store, env.me, option.act);
            is_named && times[&option.key] > 1 && options::objections(&mut self.store, index, &mut env, &mut stop).is_break()
        });
        self.store.discard_arithmetic_error();
    }

    /// Returns all reasons against an action of a turn or an answer to the open question, with these parameters; empty if it is allowed. If the
    /// game is watched for a seat, the reasons contain nothing that this seat does not know.
    pub fn refusals(&mut self, seat: usize, index: u16, args: Args) -> Vec<Refusal> {
        let mut env = self.env_of(seat, index);
        let rules = self.store.rules;
        self.store.evaluator().refresh_active();
        env.set_args(&rules.choices[index as usize].params, args);
        self.store.take_read_hidden();
        let mut refusals = Vec::new();
        let named = |name: &str, reason: String| Refusal { name: name.to_string(), reason };
        let all = options::objections(&mut self.store, index, &mut env, &mut |objection| {
            refusals.push(match objection {
                Objection::When => named("if", "the condition under which it is offered does not hold".to_string()),
                Objection::Cost(name, due, have) => {
                    named("cost", format!("it costs {due} {}, and there are {have}", rules.names.text(name)))
                }
                Objection::Costs => named("cost", "its costs together are more than there is".to_string()),
                Objection::Guard(guard) => named(&guard.name, guard.reason.clone()),
                Objection::Card(reason) => named("card", reason.to_string()),
                Objection::CardCosts(name, due) => named("card", format!("it costs {due} {}", rules.names.text(name))),
                Objection::Used(done, times) => named("card", format!("it has been used {done} of {times} times")),
                Objection::Forbidden(forbid, card) => named("forbidden", format!("{} ({card})", forbid.because)),
                Objection::ForbiddenUnseen => named("forbidden", "a card that you do not see forbids it".to_string()),
            });
            Continue::Continue(())
        });
        debug_assert!(all.is_continue());
        if self.store.take_read_hidden() {
            let costs = refusals.iter_mut().filter(|refusal| refusal.name == "cost");
            costs.for_each(|refusal| refusal.reason = "it costs more than there is".to_string());
        }
        refusals
    }
}
