//! Questions: putting them, and what each answer does. An op that asks changes nothing but its own operands before it has its
//! answer: it is run again with it, and a state that was taken up lists the options anew by running it.

use super::decision::{Act, Decision, Opt, Question, Stop};
use super::eval::Env;
use super::frame::Frame;
use super::game::Game;
use super::op::Pc;
use super::ruleset::{NameId, Offer, Ruleset};

/// More options than this are a fault of the rules.
pub(super) const MAX_OPTIONS: usize = 256;

impl Game {
    /// Puts a question: with no answer it is skipped, with one it is taken unasked. `list` lists the options; it is not called when
    /// the answer is there already.
    ///
    /// # Errors
    /// [`Stop::Ask`] when it is open.
    pub(super) fn ask(
        &mut self,
        rules: &Ruleset,
        seat: usize,
        question: Question,
        list: impl FnOnce(&mut Game, &mut Vec<Opt>),
    ) -> Result<Option<Opt>, Stop> {
        if let Some(chosen) = self.run.chosen.take() {
            self.note_chosen(chosen);
            self.say(|| format!("p{}: {}", seat + 1, chosen.text(rules)));
            return Ok(Some(chosen));
        }
        let mut options = std::mem::take(&mut self.scratch.options);
        options.clear();
        list(self, &mut options);
        number_alike(&mut options);
        let taken = match options[..] {
            [] => None,
            [only] => {
                self.take_unasked(seat, only);
                Some(only)
            }
            _ => match self.answered_ahead(&options) {
                Ok(Some(option)) => {
                    self.say(|| format!("p{}: {}", seat + 1, option.text(rules)));
                    Some(option)
                }
                Ok(None) => return self.open(rules, Decision { seat, question, options }),
                Err(stop) => {
                    self.scratch.options = options;
                    return Err(stop);
                }
            },
        };
        self.scratch.options = options;
        Ok(taken)
    }

    /// Opens a question.
    ///
    /// # Errors
    /// [`Stop::Ask`], or too many options.
    pub(super) fn open<T>(&mut self, rules: &Ruleset, decision: Decision) -> Result<T, Stop> {
        let count = decision.options.len();
        if count > MAX_OPTIONS {
            let question = decision.question.text(rules);
            return Err(Stop::fault(format!("question `{question}` has {count} answers; more than {MAX_OPTIONS} is a fault of the rules")));
        }
        self.pending = Some(decision);
        Err(Stop::Ask)
    }

    fn take_unasked(&mut self, seat: usize, only: Opt) {
        if self.told.taken.is_some() && !self.asks_ahead() {
            self.told.taken.get_or_insert_with(Vec::new).push((seat as u8, only));
        }
    }

    /// [`super::op::Op::Ask`]: goes on with the body of what is chosen.
    pub(super) fn ask_rules(&mut self, rules: &Ruleset, question: u32, list: u32, at: &mut Frame) -> Result<(), Stop> {
        let asked = &rules.questions[question as usize];
        let env = &mut at.env;
        let chosen = self.ask(rules, env.me, Question::Rules(question), |game, options| {
            for choice in &asked.choices {
                game.offer(rules, &choice.offer, choice.when, env, options);
            }
            if asked.may && !options.is_empty() {
                options.push(Opt::new(rules, Act::Nothing));
            }
        })?;
        let begins = &rules.ops.choices[list as usize];
        at.pc = match chosen {
            Some(option) => self.begin_of_choice(rules, question, begins, option, at),
            None => begins[begins.len() - 2],
        };
        Ok(())
    }

    /// Where the body of what was chosen begins; the chosen card lies in its local then. `choose nothing` goes where every choice
    /// goes in the end.
    fn begin_of_choice(&mut self, rules: &Ruleset, question: u32, begins: &[Pc], chosen: Opt, at: &mut Frame) -> Pc {
        let choices = &rules.questions[question as usize].choices;
        let several = choices.iter().filter(|choice| matches!(choice.offer, Offer::Cards(_))).count() > 1;
        for (choice, begin) in choices.iter().zip(begins) {
            match (&choice.offer, chosen.act) {
                (Offer::Word { name, .. }, Act::Word(word) | Act::Bare(word)) if *name == word => return *begin,
                (Offer::Cards(set), Act::Card(card)) => {
                    if several && !self.cards_of(rules, *set, &mut at.env).contains(&(card as i32)) {
                        continue;
                    }
                    at.env.locals[rules.sets[*set as usize].local as usize] = card as i32;
                    return *begin;
                }
                _ => {}
            }
        }
        begins[begins.len() - 1]
    }

    // ------------------------------------------------------------------ series of picks

    /// [`super::op::Op::Picks`]: what can be picked and how often; what nothing tells apart is one class with a count. Operands: for
    /// each class what it is and how many are left, then how many classes there are and from which on may be picked.
    pub(super) fn begin_picks(&mut self, rules: &Ruleset, question: u32, env: &mut Env) {
        let mut options = std::mem::take(&mut self.scratch.options);
        let mut count = 0;
        for choice in &rules.questions[question as usize].choices {
            options.clear();
            self.offer(rules, &choice.offer, choice.when, env, &mut options);
            for option in &options {
                let mut there = *env;
                if let (Offer::Cards(set), Act::Card(card)) = (&choice.offer, option.act) {
                    there.locals[rules.sets[*set as usize].local as usize] = card as i32;
                }
                let limit = choice.up_to.map_or(1, |node| self.eval(rules, node, &mut there));
                self.push(code_of(option.act));
                self.push(limit.clamp(0, i32::MAX as i64) as i32);
                count += 1;
            }
        }
        self.scratch.options = options;
        self.push(count);
        self.push(0);
    }

    /// [`super::op::Op::NextPick`].
    pub(super) fn next_pick(&mut self, rules: &Ruleset, question: u32, list: u32, at: &mut Frame) -> Result<(), Stop> {
        let (count, from) = (*self.operand(1) as usize, *self.operand(0) as usize);
        let base = self.cells.len() - 2 - 2 * count;
        let chosen = self.ask(rules, at.env.me, Question::Rules(question), |game, options| {
            let classes = game.cells[base..base + 2 * count].chunks_exact(2).skip(from);
            options.extend(classes.filter(|class| class[1] > 0).map(|class| Opt::new(rules, act_of(class[0]))));
            if !options.is_empty() {
                options.push(Opt::new(rules, Act::Done));
            }
        })?;
        let begins = &rules.ops.choices[list as usize];
        let picked = chosen.filter(|option| option.act != Act::Done);
        let Some(option) = picked else {
            self.drop_operands(2 * count + 2);
            at.pc = begins[begins.len() - 1];
            return Ok(());
        };
        let class = (0..count).find(|class| self.cells[base + 2 * class] == code_of(option.act)).unwrap_or(from);
        self.cells[base + 2 * class + 1] -= 1;
        *self.operand(0) = class as i32;
        at.pc = self.begin_of_choice(rules, question, begins, option, at);
        Ok(())
    }

    // ------------------------------------------------------------------ paying in any mix

    /// [`super::op::Op::Mix`]. Operands: how many units are left to pick, from which resource on, and what was picked of each.
    pub(super) fn begin_mix(&mut self, rules: &Ruleset, n: i64, mix: u32, me: usize) -> Result<(), Stop> {
        let resources = &rules.ops.mixes[mix as usize];
        let have: i64 = resources.iter().map(|&r| self.amount(rules, me, r as usize)).sum();
        if have < n {
            return Err(self.fault(rules, format!("{n} had to be paid where there was less")));
        }
        for _ in resources.iter() {
            self.push(0);
        }
        self.push(n.max(0) as i32);
        self.push(0);
        Ok(())
    }

    /// [`super::op::Op::NextUnit`]: units are picked in the declared order, so that each payment has exactly one path; a resource is
    /// left only if the rest can still be paid.
    pub(super) fn next_unit(&mut self, rules: &Ruleset, mix: u32, me: usize) -> Result<(), Stop> {
        let resources = &rules.ops.mixes[mix as usize];
        let base = self.cells.len() - 2 - resources.len();
        while *self.operand(1) > 0 {
            let (left, from) = (*self.operand(1) as i64, *self.operand(0) as usize);
            let chosen = self.ask(rules, me, Question::Payment, |game, options| {
                let rest = |at: usize| game.amount(rules, me, resources[at] as usize) - game.cells[base + at] as i64;
                for at in from..resources.len() {
                    let beyond: i64 = (at..resources.len()).map(rest).sum();
                    if rest(at) > 0 && beyond >= left {
                        options.push(Opt::new(rules, Act::Word(rules.resources[resources[at] as usize])));
                    }
                }
            })?;
            let Some(Opt { act: Act::Word(word), .. }) = chosen else { break };
            let class = resources.iter().position(|&r| rules.resources[r as usize] == word).unwrap_or(from);
            self.cells[base + class] += 1;
            *self.operand(1) -= 1;
            *self.operand(0) = class as i32;
        }
        let mut costs = std::mem::take(&mut self.scratch.costs);
        costs.clear();
        costs.extend(resources.iter().zip(&self.cells[base..]).map(|(&resource, &n)| (resource as usize, n as i64)));
        self.drop_operands(2 + resources.len());
        let paid = self.pay(rules, me, &costs);
        self.scratch.costs = costs;
        paid
    }
}

/// What an option of a series of picks is, as an operand.
fn code_of(act: Act) -> i32 {
    match act {
        Act::Card(card) => card as i32,
        Act::Word(name) => -2 - 2 * name as i32,
        Act::Bare(name) => -3 - 2 * name as i32,
        Act::Action(..) | Act::Token(..) | Act::Nothing | Act::Done => -1,
    }
}

/// The option of an operand.
fn act_of(code: i32) -> Act {
    match code {
        0.. => Act::Card(code as i16),
        -1 => Act::Nothing,
        _ if code % 2 == 0 => Act::Word((-code / 2 - 1) as NameId),
        _ => Act::Bare(((-code - 3) / 2) as NameId),
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
