//! `when`: what is done, line by line. The game stands where the line before left it; it is driven on only as far as a line needs.

use super::chance;
use super::problem::Problem;
use super::report::open_question;
use super::trial::{Trial, Wrong, faulted, lines_of};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::decision::{Act, Question};
use crate::engine::op::Op;
use crate::engine::ruleset::Ruleset;
use crate::meaning::{self, Meant};
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::syntax::ast::scenario::{ScenarioLine, When};
use crate::syntax::parse_when;

/// A line that needs more answers than this by others is taken for one that can never be reached.
const MOST_ANSWERS: usize = 2000;

/// Does what the lines say.
///
/// An answer that was taken unasked may be written or left out. Where a line could mean it or the next question, the question
/// is meant; if that leads nowhere, all is tried again the other way.
///
/// `keeps_open` says that the question which is left in the end is looked at. Gives whether any answer is as good as another.
pub(super) fn act(trial: &mut Trial<'_>, text: Option<&Text>, keeps_open: bool, wrong: &mut Vec<Diagnostic>) -> bool {
    let lines = lines_of(text, parse_when, wrong);
    let any_answer = lines.iter().any(|line| line.kind == When::AnyAnswer);
    let Some(text) = text.filter(|_| wrong.is_empty()) else { return any_answer };
    let before = (trial.game.clone(), trial.fixed.clone());
    let mut either = false;
    let Err(first) = act_once(trial, &lines, text.span, keeps_open, false, &mut either) else { return any_answer };
    if either {
        let stuck = (std::mem::replace(&mut trial.game, before.0), std::mem::replace(&mut trial.fixed, before.1));
        if act_once(trial, &lines, text.span, keeps_open, true, &mut either).is_ok() {
            return any_answer;
        }
        (trial.game, trial.fixed) = stuck;
    }
    wrong.push(*first);
    any_answer
}

fn act_once(
    trial: &mut Trial<'_>,
    lines: &[ScenarioLine<When>],
    all: Span,
    keeps_open: bool,
    taken_first: bool,
    either: &mut bool,
) -> Result<(), Wrong> {
    let says = |what| lines.iter().any(|line| line.kind == what);
    let (others_pass, any_answer) = (says(When::OthersPass), says(When::AnyAnswer));
    let mut run = Run { trial, others_pass, any_answer, within: None, named: Vec::new(), taken_first, either: false };
    let result = lines.iter().try_for_each(|line| run.line(line));
    let last = lines.iter().rfind(|line| !matches!(line.kind, When::OthersPass | When::AnyAnswer));
    // Who runs to a question means to stop there.
    let stops_there = !any_answer && last.is_some_and(|line| line.kind == When::RunToNextDecision);
    let result = result.and_then(|()| run.finish(last.map_or(all, |line| line.span), keeps_open || stops_there));
    *either |= run.either;
    result
}

struct Run<'r, 't> {
    trial: &'r mut Trial<'t>,
    others_pass: bool,
    any_answer: bool,
    /// A part of the program that is run for itself: where it ends, and where the game stood.
    within: Option<(usize, usize)>,
    /// What was taken unasked and has been named by a line since.
    named: Vec<(usize, String)>,
    /// A line that could mean what was taken unasked does mean it.
    taken_first: bool,
    /// There was such a line.
    either: bool,
}

impl Run<'_, '_> {
    fn line(&mut self, line: &ScenarioLine<When>) -> Result<(), Wrong> {
        match &line.kind {
            When::Answer { seat, key } => self.answers(line.span, self.trial.seat(seat)?, key),
            When::RunToNextDecision => {
                self.drive(line.span)?;
                self.go_on(line.span)
            }
            When::Run(name) => self.run(line.span, name),
            When::Next(next) => {
                self.drive(line.span)?;
                chance::fix(self.trial, next, line.span)
            }
            When::OthersPass | When::AnyAnswer => Ok(()),
        }
    }

    // ------------------------------------------------------------------ driving

    /// Runs on within the part that is run for itself; then the game stands again where it stood.
    fn drive(&mut self, span: Span) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        while let Some((end, back)) = self.within {
            if self.trial.game.decision().is_some() {
                return Ok(());
            }
            if self.trial.game.program_at() == end || self.trial.game.finished() {
                self.within = None;
                return self.trial.game.on(&rules).jump_to(back).map_err(|fault| faulted(&fault, span));
            }
            self.trial.game.on(&rules).advance_part(self.trial.host).map_err(|fault| faulted(&fault, span))?;
        }
        Ok(())
    }

    /// Finishes the step that is under way, up to a question in it: what was answered is carried out before anything else is run.
    fn finish_step(&mut self, span: Span) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        while self.trial.game.decision().is_none() && !self.trial.game.finished() {
            let at = self.trial.game.program_at();
            let step = rules.steps.iter().find(|step| (step.1 as usize..step.2 as usize).contains(&at));
            let begun = step.is_some_and(|step| at > step.1 as usize) || self.trial.game.on(&rules).is_under_way();
            if !begun {
                break;
            }
            self.trial.game.on(&rules).advance_part(self.trial.host).map_err(|fault| faulted(&fault, span))?;
        }
        Ok(())
    }

    fn go_on(&mut self, span: Span) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        self.trial.game.on(&rules).advance(self.trial.host).map(|_| ()).map_err(|fault| faulted(&fault, span))
    }

    fn give(&mut self, option: usize, span: Span) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        if !self.trial.game.asks_inside() {
            self.forget_taken();
        }
        self.trial.game.on(&rules).answer(self.trial.host, option).map_err(|fault| faulted(&fault, span))?;
        self.drive(span)
    }

    /// `run STEP`, `run PHASE`.
    fn run(&mut self, line: Span, word: &Name) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let name = word.text.as_str();
        let (begin, end) = range_of(&rules, name).map_err(|found| {
            let names = rules
                .steps
                .iter()
                .flat_map(|step| [step.0.as_str(), last_part(&step.0)])
                .chain(rules.phases.iter().map(|phase| phase.0.as_str()));
            Box::new(Problem::NoStep { message: found, near: nearest(name, names).map(String::from) }.at(word.span))
        })?;
        self.drive(line)?;
        self.finish_step(line)?;
        while self.any_answer && self.trial.game.asks_inside() {
            self.give(0, line)?;
            self.finish_step(line)?;
        }
        if !self.trial.game.drop_turn() {
            return Err(self.open(line, "a question is still open before this"));
        }
        if let Some((_, back)) = self.within.take() {
            self.trial.game.on(&rules).jump_to(back).map_err(|fault| faulted(&fault, line))?;
        }
        self.forget_taken();
        // Where the game stands in the part itself, it goes on behind it, or that would be run again.
        let back = match self.trial.game.program_at() {
            at if (begin..end).contains(&at) => end,
            // Nothing that does anything lies between.
            at if at < begin && rules.ops.of_parts(at..begin).iter().all(|op| matches!(op, Op::Part(_) | Op::End(_))) => end,
            at => at,
        };
        self.trial.game.on(&rules).jump_to(begin).map_err(|fault| faulted(&fault, line))?;
        self.trial.game.on(&rules).say(|| format!("{name} is run"));
        self.within = Some((end, back));
        self.drive(line)
    }

    // ------------------------------------------------------------------ answers

    /// `p1: KEY`, or several keys of a series of picks.
    fn answers(&mut self, line: Span, seat: usize, key: &Name) -> Result<(), Wrong> {
        let key_text = key.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut picks = picks_of(&key_text);
        if picks.is_empty() {
            return Err(Box::new(Problem::NothingPicked.at(line)));
        }
        if picks.len() == 1 {
            return self.answer_one(line, seat, &key_text).map(|_| ());
        }
        let mut question = None;
        while !picks.is_empty() {
            // Picks are offered in a fixed order, and one may shut another out: whatever stands first among the options comes first.
            self.drive(line)?;
            let offered = picks.iter().enumerate().filter_map(|(at, pick)| Some((self.offered_at(seat, pick)?, at)));
            let pick = picks.remove(offered.min().map_or(0, |(_, at)| at));
            question = self.answer_one(line, seat, &pick)?.or(question);
        }
        // The end of the series goes without saying.
        if let Some(decision) = self.trial.game.decision()
            && decision.seat == seat
            && Some(decision.question) == question
            && let Some(done) = decision.options.iter().position(|option| option.act == Act::Done)
        {
            self.give(done, line)?;
        }
        Ok(())
    }

    fn offers(&self, seat: usize, key: &str) -> bool {
        self.offered_at(seat, key).is_some()
    }

    /// Which option of the open question a key is, if the seat is asked and can choose it.
    fn offered_at(&self, seat: usize, key: &str) -> Option<usize> {
        let game = &self.trial.game;
        game.decision().filter(|decision| decision.seat == seat)?;
        game.find_option(&self.trial.rules, key)
    }

    /// Answers one question, and gives it; nothing if it had been taken unasked.
    fn answer_one(&mut self, line: Span, seat: usize, key: &str) -> Result<Option<Question>, Wrong> {
        let rules = self.trial.rules.clone();
        for _ in 0..MOST_ANSWERS {
            self.drive(line)?;
            if self.trial.every_answer && self.trial.game.decision().is_none() && !self.trial.game.finished() {
                self.go_on(line)?;
            }
            let (offered, taken) = (self.offers(seat, key), !self.trial.every_answer && self.was_taken(seat, key));
            self.either |= offered && taken;
            if taken && (self.taken_first || !offered) {
                self.named.push((seat, key.to_string()));
                return Ok(None);
            }
            if offered {
                let question = self.trial.game.decision().map(|decision| decision.question);
                if let Some(option) = self.trial.game.find_option(&rules, key) {
                    self.give(option, line)?;
                }
                return Ok(question);
            }
            let Some(decision) = self.trial.game.decision() else {
                if self.trial.game.finished() {
                    return Err(Box::new(Problem::OverBefore.at(line)));
                }
                self.go_on(line)?;
                continue;
            };
            let turn = matches!(decision.question, Question::Turn(_));
            if turn && decision.seat != seat {
                let passing = if self.others_pass { pass_option(&rules, decision) } else { None };
                if let Some(option) = passing.or(self.any_answer.then_some(0)) {
                    self.give(option, line)?;
                    continue;
                }
            } else if turn && self.others_pass && meaning::meaning(&mut self.trial.game.on(&rules), seat, key) == Meant::Unknown {
                // What is answered later than in a turn: until then nothing more is done in one.
                let passing = self.trial.game.decision().and_then(|decision| pass_option(&rules, decision));
                if let Some(option) = passing {
                    self.give(option, line)?;
                    continue;
                }
            } else if !turn && self.any_answer {
                self.give(0, line)?;
                continue;
            }
            return Err(self.refused(line, seat, key));
        }
        Err(Box::new(Problem::NeverOffered { key: key.to_string(), player: seat + 1 }.at(line)))
    }

    /// Whether a key names something that was taken unasked since the last action began, and that no line has named yet.
    fn was_taken(&self, seat: usize, key: &str) -> bool {
        let rules = &self.trial.rules;
        let taken = self.trial.game.taken().iter().filter(|(who, option)| *who as usize == seat && option.is_called(rules, key));
        taken.count() > self.named.iter().filter(|named| named.0 == seat && named.1 == key).count()
    }

    fn forget_taken(&mut self) {
        self.trial.game.forget_taken();
        self.named.clear();
    }

    fn refused(&mut self, line: Span, seat: usize, key: &str) -> Wrong {
        let rules = self.trial.rules.clone();
        let asked = self.trial.game.decision().map_or(seat, |decision| decision.seat);
        if asked != seat {
            let mut wrong = self.open(line, &format!("p{} is asked, not p{}", asked + 1, seat + 1));
            wrong.help.extend(self.taken_unasked());
            return wrong;
        }
        let mut wrong = self.open(line, &format!("`{key}` cannot be answered now"));
        wrong.help.extend(self.taken_unasked());
        if self.trial.game.asks_inside() {
            return wrong;
        }
        for reason in meaning::reasons(&mut self.trial.game.on(&rules), seat, key) {
            wrong.help.insert(0, reason);
        }
        wrong
    }

    /// What was taken unasked since the last answer, and that no line has named, if anything was.
    fn taken_unasked(&self) -> Option<String> {
        let rules = &self.trial.rules;
        let taken = self.trial.game.taken().iter().map(|(seat, option)| (*seat as usize, option.text(rules)));
        let named = |(seat, key): &(usize, String)| self.named.iter().any(|(who, named)| (who, named) == (seat, key));
        let taken: Vec<String> = taken.filter(|taken| !named(taken)).map(|(seat, key)| format!("`p{}: {key}`", seat + 1)).collect();
        (!taken.is_empty()).then(|| format!("taken unasked before, since there was no other answer: {}", taken.join(", ")))
    }

    fn open(&self, span: Span, message: &str) -> Wrong {
        let question = open_question(&self.trial.rules, &self.trial.game);
        Box::new(Problem::Open { message: message.to_string(), question }.at(span))
    }

    /// After the last line nothing may be left open in the middle of an effect.
    fn finish(&mut self, span: Span, keeps_open: bool) -> Result<(), Wrong> {
        self.drive(span)?;
        if keeps_open {
            return Ok(());
        }
        for _ in 0..MOST_ANSWERS {
            if !self.any_answer || !self.trial.game.asks_inside() {
                break;
            }
            self.give(0, span)?;
        }
        if self.trial.game.asks_inside() {
            let mut wrong = self.open(span, "a question is left that no line answers");
            wrong
                .help
                .push("answer it, write `any answer`, or let `run to next decision` be the last line if it is to stay open".to_string());
            return Err(wrong);
        }
        Ok(())
    }
}

/// The option that ends the turns of the seat that is asked.
fn pass_option(rules: &Ruleset, decision: &crate::engine::Decision) -> Option<usize> {
    let Question::Turn(_) = decision.question else { return None };
    decision.options.iter().position(|option| {
        let Act::Action(action, _) = option.act else { return false };
        let action = &rules.actions[action as usize];
        action.params.is_empty() && action.passes
    })
}

/// `reroll white x2, blue` is three keys, all with the first word.
fn picks_of(key: &str) -> Vec<String> {
    // An answer of one word has no word ahead that could be meant for all.
    let head = key.split(',').next().and_then(|first| first.trim().split_once(' ')).map(|(head, _)| head);
    let mut picks = Vec::new();
    for (i, part) in key.split(',').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
        let (name, count) = match part.rsplit_once(" x") {
            Some((name, count)) if count.parse::<usize>().is_ok_and(|count| count <= 256) => (name, count.parse().unwrap_or(1)),
            _ => (part, 1),
        };
        let name = match head.filter(|head| i > 0 && name.split(' ').next() != Some(head)) {
            Some(head) => format!("{head} {name}"),
            None => name.to_string(),
        };
        picks.extend(std::iter::repeat_n(name, count));
    }
    picks
}

fn last_part(step: &str) -> &str {
    step.rsplit('.').next().unwrap_or(step)
}

/// The parts of the program that a phase or step is.
fn range_of(rules: &Ruleset, name: &str) -> Result<(usize, usize), String> {
    if let Some((_, begin, end)) = rules.phases.iter().find(|phase| phase.0 == name) {
        return Ok((*begin as usize, *end as usize));
    }
    let whole: Vec<_> = rules.steps.iter().filter(|step| step.0 == name).collect();
    let found = if whole.is_empty() { rules.steps.iter().filter(|step| last_part(&step.0) == name).collect() } else { whole };
    match found[..] {
        [] => Err(format!("no phase or step is called `{name}`")),
        [step] => Ok((step.1 as usize, step.2 as usize)),
        _ => {
            let names: Vec<&str> = found.iter().map(|step| step.0.as_str()).collect();
            Err(format!("several steps are called `{name}`: {}", names.join(", ")))
        }
    }
}
