//! Questions: what is offered, putting it, and what the answer does.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::game::{Eyes, Game, too_much};
use super::moment::Scripts;
use super::ruleset::{Offer, Ruleset};
use crate::state::layout::JOURNAL;

/// What a question of a part came to, kept beside the state: a part that runs again with one answer more meets the same
/// questions up to there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// What was answered, or what was taken unasked; `None` if there was nothing to choose from.
    pub option: Option<Opt>,
    /// The answer stands in the journal.
    pub asked: bool,
}

impl Game {
    pub(super) fn choose_mix(&mut self, rules: &Ruleset, me: usize, n: i64, resources: &[u8]) -> Result<Vec<(usize, i64)>, Stop> {
        let mut costs: Vec<(usize, i64)> = resources.iter().map(|&r| (r as usize, 0)).collect();
        let have: Vec<i64> = resources.iter().map(|&r| self.amount(rules, me, r as usize)).collect();
        if have.iter().sum::<i64>() < n {
            return Err(self.fault(rules, format!("{n} had to be paid where there was less")));
        }
        // Units are picked in the declared order, so that each payment has exactly one path; a class is left only if the rest
        // can still be paid.
        let mut class = 0;
        for paid in 0..n {
            let mut options = self.no_options();
            for at in class..costs.len() {
                let beyond: i64 = (at..costs.len()).map(|i| have[i] - costs[i].1).sum();
                if have[at] > costs[at].1 && beyond >= n - paid {
                    options.push(Opt::new(rules, Act::Word(rules.resources[costs[at].0])));
                }
            }
            let chosen = self.ask(rules, me, Question::Payment, options)?;
            let Some(Opt { act: Act::Word(word), .. }) = chosen else { break };
            class = costs.iter().position(|c| rules.resources[c.0] == word).unwrap_or(class);
            costs[class].1 += 1;
        }
        Ok(costs)
    }

    pub(super) fn run_question(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, question: u32, env: &mut Env) -> Result<(), Stop> {
        let asked = &rules.questions[question as usize];
        if asked.picks {
            return self.run_picks(rules, scripts, question, env);
        }
        let chosen = match self.answered_before(rules, env.me) {
            Some(known) => known,
            None => {
                let mut options = self.no_options();
                for choice in &asked.choices {
                    self.offer(rules, &choice.offer, choice.when, env, &mut options);
                }
                if asked.may && !options.is_empty() {
                    options.push(Opt::new(rules, Act::Nothing));
                }
                self.ask(rules, env.me, Question::Rules(question), options)?
            }
        };
        let Some(chosen) = chosen else {
            return match asked.otherwise {
                Some(body) => self.run_body(rules, scripts, body, env),
                None => Ok(()),
            };
        };
        self.run_choice(rules, scripts, question, chosen, env)
    }

    fn run_choice(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, question: u32, chosen: Opt, env: &mut Env) -> Result<(), Stop> {
        let choices = &rules.questions[question as usize].choices;
        let several = choices.iter().filter(|choice| matches!(choice.offer, Offer::Cards(_))).count() > 1;
        for choice in choices {
            match (&choice.offer, chosen.act) {
                (Offer::Word { name, .. }, Act::Word(word) | Act::Bare(word)) if *name == word => {
                    return self.run_body(rules, scripts, choice.body, env);
                }
                (Offer::Cards(set), Act::Card(card)) => {
                    if several && !self.cards_of(rules, *set, env).contains(&(card as i32)) {
                        continue;
                    }
                    let local = rules.sets[*set as usize].local as usize;
                    let kept = env.locals[local];
                    env.locals[local] = card as i32;
                    let result = self.run_body(rules, scripts, choice.body, env);
                    env.locals[local] = kept;
                    return result;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A series of picks, in the declared order of classes; what nothing tells apart is one class with a count.
    fn run_picks(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, question: u32, env: &mut Env) -> Result<(), Stop> {
        let asked = &rules.questions[question as usize];
        let mut classes: Vec<(Opt, i64)> = Vec::new();
        for choice in &asked.choices {
            let mut options = Vec::new();
            self.offer(rules, &choice.offer, choice.when, env, &mut options);
            for option in options {
                let mut there = *env;
                if let (Offer::Cards(set), Act::Card(card)) = (&choice.offer, option.act) {
                    there.locals[rules.sets[*set as usize].local as usize] = card as i32;
                }
                let limit = choice.up_to.map_or(1, |node| self.eval(rules, node, &mut there));
                classes.push((option, limit));
            }
        }
        let mut from = 0;
        loop {
            let mut options = self.no_options();
            options.extend(classes[from..].iter().filter(|c| c.1 > 0).map(|c| c.0));
            if options.is_empty() {
                self.spare = options;
                return Ok(());
            }
            options.push(Opt::new(rules, Act::Done));
            let Some(chosen) = self.ask(rules, env.me, Question::Rules(question), options)? else { return Ok(()) };
            if chosen.act == Act::Done {
                return Ok(());
            }
            from = classes.iter().position(|c| c.0.act == chosen.act).unwrap_or(from);
            classes[from].1 -= 1;
            self.run_choice(rules, scripts, question, chosen, env)?;
        }
    }

    /// Puts a question: with no answer it is skipped, with one it is taken unasked.
    ///
    /// # Errors
    /// [`Stop::Ask`] when it is open.
    pub fn ask(&mut self, rules: &Ruleset, seat: usize, question: Question, mut options: Vec<Opt>) -> Result<Option<Opt>, Stop> {
        if let Some(known) = self.answered_before(rules, seat) {
            self.spare = options;
            return Ok(known);
        }
        number_alike(&mut options);
        if options.len() < 2 {
            let only = options.first().copied();
            self.spare = options;
            self.remember(only, false);
            self.tell_taken(seat, only);
            return Ok(only);
        }
        if options.len() > 256 {
            return Err(Stop::fault(format!(
                "question `{}` has {} answers; more than 256 is a fault of the rules",
                question.text(rules),
                options.len()
            )));
        }
        // While all act at once and have answered, each takes its own answers, by key.
        if let Some(answers) = &self.answers {
            if let Some(&(_, key)) = answers.get(self.answers_at)
                && let Some(option) = options.iter().find(|o| o.key == key)
            {
                let option = *option;
                self.answers_at += 1;
                self.spare = options;
                return Ok(Some(option));
            }
        } else if self.no_questions {
            self.spare = options;
            return Err(Stop::AskFirst);
        }
        if let Some(index) = self.replayed() {
            let Some(option) = options.get(index.max(0) as usize).copied() else {
                return Err(Stop::fault(format!(
                    "answer {index} to `{}` is not among its {} options",
                    question.text(rules),
                    options.len()
                )));
            };
            if let Some(record) = &mut self.record {
                record.push((index, option.key));
            }
            self.say(|| format!("p{}: {}", seat + 1, option.text(rules)));
            self.spare = options;
            self.remember(Some(option), true);
            return Ok(Some(option));
        }
        if self.journal.len() >= JOURNAL {
            return Err(too_much());
        }
        self.pending = Some(super::decision::Decision { seat, question, options });
        self.open_known = self.eyes == Eyes::Live;
        Err(Stop::Ask)
    }

    /// An empty list of options, in the memory of an earlier one.
    pub(super) fn no_options(&mut self) -> Vec<Opt> {
        let mut options = std::mem::take(&mut self.spare);
        options.clear();
        options
    }

    /// What the question that is to be put now came to when this part ran before: so that no options need be listed. `None`
    /// when it is new.
    #[inline]
    pub(super) fn answered_before(&mut self, rules: &Ruleset, seat: usize) -> Option<Option<Opt>> {
        if self.eyes != Eyes::Live {
            return None;
        }
        let known = self.met_before()?;
        if self.log.is_some() || self.taken.is_some() {
            self.tell_again(rules, seat, known);
        }
        Some(known.option)
    }

    #[cold]
    fn tell_again(&mut self, rules: &Ruleset, seat: usize, known: Known) {
        match known.option {
            Some(option) if known.asked => self.say(|| format!("p{}: {}", seat + 1, option.text(rules))),
            only => self.tell_taken(seat, only),
        }
    }

    /// The next question that the running part met when it ran before.
    #[inline]
    pub(super) fn met_before(&mut self) -> Option<Known> {
        let known = *self.known.get(self.known_at)?;
        self.known_at += 1;
        self.cursor += known.asked as usize;
        Some(known)
    }

    /// Remembers what a question came to, unless all act at once: what is read and asked there changes from run to run.
    pub(super) fn remember(&mut self, option: Option<Opt>, asked: bool) {
        if self.eyes == Eyes::Live {
            self.known.push(Known { option, asked });
            self.known_at = self.known.len();
        }
    }

    fn tell_taken(&mut self, seat: usize, only: Option<Opt>) {
        if let (Some(taken), Some(only)) = (&mut self.taken, only) {
            taken.push((seat as u8, only));
        }
    }
}

/// Two options never share a key: the later ones get a number.
pub(super) fn number_alike(options: &mut [Opt]) {
    for i in 1..options.len() {
        if !matches!(options[i].act, Act::Card(_) | Act::Action(..)) {
            continue;
        }
        let alike = options[..i].iter().filter(|o| o.key == options[i].key && o.nth == 0).count();
        if alike > 0 {
            let nth = options[..i].iter().filter(|o| same_words(o, &options[i])).count() as u8;
            options[i].nth = nth;
            options[i].key = crate::state::chance::join(options[i].key, nth as u64);
        }
    }
}

fn same_words(a: &Opt, b: &Opt) -> bool {
    match (a.act, b.act) {
        (Act::Card(_), Act::Card(_)) | (Act::Action(..), Act::Action(..)) => {
            a.key == b.key || (1..=a.nth as u64).any(|n| crate::state::chance::join(b.key, n) == a.key)
        }
        _ => false,
    }
}
