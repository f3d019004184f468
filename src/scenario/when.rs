//! `when`: executes moves line by line. The game advances only as far as a line needs.

use super::chance;
use super::problem::ScenarioProblem;
use super::report::open_question;
use super::trial::{BoxedDiagnostic, Trial, fault_diagnostic, parse_lines};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::decision::{Act, Question};
use crate::engine::op::Op;
use crate::engine::ruleset::Ruleset;
use crate::meaning::{self, KeyMeaning};
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::Name;
use crate::syntax::ast::scenario::{ScenarioLine, When};
use crate::syntax::parse_when;

/// Largest number of answers by other players before a line is considered to be unreachable.
const MAX_ANSWERS: usize = 2000;

/// Executes the lines.
///
/// A forced answer, which the game gives by itself, may be written or left out. If a line could mean either it or the next question, the
/// next question is tried first; if that fails, everything is run again with the other meaning.
///
/// `keeps_open` says that the last question is needed later and stays open. Returns whether questions can be answered with any option.
pub(super) fn execute_lines(trial: &mut Trial<'_>, text: Option<&Text>, keeps_open: bool, wrong: &mut Vec<Diagnostic>) -> bool {
    let lines = parse_lines(text, parse_when, wrong);
    let any_answer = lines.iter().any(|line| line.kind == When::AnyAnswer);
    let Some(text) = text.filter(|_| wrong.is_empty()) else { return any_answer };
    let before = (trial.game.clone(), trial.fixed_events.clone());
    let mut ambiguous = false;
    let Err(first) = act_once(trial, &lines, text.span, keeps_open, false, &mut ambiguous) else { return any_answer };
    if ambiguous {
        let stuck = (std::mem::replace(&mut trial.game, before.0), std::mem::replace(&mut trial.fixed_events, before.1));
        if act_once(trial, &lines, text.span, keeps_open, true, &mut ambiguous).is_ok() {
            return any_answer;
        }
        (trial.game, trial.fixed_events) = stuck;
    }
    wrong.push(*first);
    any_answer
}

fn act_once(
    trial: &mut Trial<'_>,
    lines: &[ScenarioLine<When>],
    all: Span,
    keeps_open: bool,
    prefers_forced: bool,
    ambiguous: &mut bool,
) -> Result<(), BoxedDiagnostic> {
    let says = |what| lines.iter().any(|line| line.kind == what);
    let (others_pass, any_answer) = (says(When::OthersPass), says(When::AnyAnswer));
    let mut run = WhenRun {
        trial,
        others_pass,
        any_answer,
        lone_part: None,
        named_answers: Vec::new(),
        postponed: Vec::new(),
        prefers_forced,
        ambiguous: false,
    };
    let result = lines.iter().try_for_each(|line| run.execute_line(line));
    let last = lines.iter().rfind(|line| !matches!(line.kind, When::OthersPass | When::AnyAnswer));
    // `run` up to a question means to stop there.
    let stops_there = !any_answer && last.is_some_and(|line| line.kind == When::RunToNextDecision);
    let result = result.and_then(|()| run.finish(last.map_or(all, |line| line.span), keeps_open || stops_there));
    *ambiguous |= run.ambiguous;
    result
}

struct WhenRun<'r, 't> {
    trial: &'r mut Trial<'t>,
    others_pass: bool,
    any_answer: bool,
    /// A part of the program that runs alone: its end, and the point to return to.
    lone_part: Option<(usize, usize)>,
    /// Forced answers that lines have named since the last answer, as seat and key.
    named_answers: Vec<(usize, String)>,
    /// Answers of players who are asked later, while others who act at the same time are asked.
    postponed: Vec<(Span, usize, String)>,
    /// Whether a line that could mean a forced answer does mean it.
    prefers_forced: bool,
    /// Whether any line could mean a forced answer or the next question.
    ambiguous: bool,
}

impl WhenRun<'_, '_> {
    fn execute_line(&mut self, line: &ScenarioLine<When>) -> Result<(), BoxedDiagnostic> {
        if !matches!(line.kind, When::Answer { .. } | When::OthersPass | When::AnyAnswer) {
            self.expect_none_postponed()?;
        }
        match &line.kind {
            When::Answer { seat, key } => self.execute_answers(line.span, self.trial.find_seat(seat)?, key),
            When::RunToNextDecision => {
                self.run_part(line.span)?;
                self.advance_game(line.span)
            }
            When::Run(name) => self.execute_run(line.span, name),
            When::Next(next) => {
                self.run_part(line.span)?;
                chance::fix_event(self.trial, next, line.span)
            }
            When::OthersPass | When::AnyAnswer => Ok(()),
        }
    }

    // ------------------------------------------------------------------ driving

    /// Runs the part of the program that runs alone, then returns to where the game was.
    fn run_part(&mut self, span: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        while let Some((end, back)) = self.lone_part {
            if self.trial.game.decision().is_some() {
                return Ok(());
            }
            if self.trial.game.program_part() == end || self.trial.game.finished() {
                self.lone_part = None;
                return self.trial.game.on(&rules).jump_to(back).map_err(|fault| fault_diagnostic(&fault, span));
            }
            self.trial.game.on(&rules).advance_part(self.trial.host).map_err(|fault| fault_diagnostic(&fault, span))?;
        }
        Ok(())
    }

    /// Completes the current step, up to a question: effects of answers must be complete before anything else runs.
    fn finish_step(&mut self, span: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        while self.trial.game.decision().is_none() && !self.trial.game.finished() {
            let at = self.trial.game.program_part();
            let step = rules.steps.iter().find(|step| (step.1 as usize..step.2 as usize).contains(&at));
            let begun = step.is_some_and(|step| at > step.1 as usize) || self.trial.game.on(&rules).is_within_part();
            if !begun {
                break;
            }
            self.trial.game.on(&rules).advance_part(self.trial.host).map_err(|fault| fault_diagnostic(&fault, span))?;
        }
        Ok(())
    }

    fn advance_game(&mut self, span: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        self.trial.game.on(&rules).advance(self.trial.host).map(|_| ()).map_err(|fault| fault_diagnostic(&fault, span))
    }

    fn answer_option(&mut self, option: usize, span: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        if !self.trial.game.asks_in_effect() {
            self.forget_forced();
        }
        self.trial.game.on(&rules).answer(self.trial.host, option).map_err(|fault| fault_diagnostic(&fault, span))?;
        self.run_part(span)?;
        self.answer_postponed()
    }

    /// Gives the answer that an earlier line has for the player who is asked now, if there is one.
    fn answer_postponed(&mut self) -> Result<(), BoxedDiagnostic> {
        self.drop_postponed_forced();
        let Some(asked) = self.trial.game.decision().map(|decision| decision.seat) else { return Ok(()) };
        let Some(at) = self.postponed.iter().position(|(_, seat, _)| *seat == asked) else { return Ok(()) };
        let (span, seat, key) = self.postponed.remove(at);
        match self.option_index(seat, &key) {
            Some(option) => self.answer_option(option, span),
            None => Err(self.refusal_error(span, seat, &key)),
        }
    }

    /// Takes answers that have been taken unasked, since there was no other, from those that wait: they may be written or left out.
    fn drop_postponed_forced(&mut self) {
        for (span, seat, key) in std::mem::take(&mut self.postponed) {
            if self.was_forced(seat, &key) {
                self.named_answers.push((seat, key));
            } else {
                self.postponed.push((span, seat, key));
            }
        }
    }

    /// Reports an answer of a player who has not been asked with the others.
    fn expect_none_postponed(&mut self) -> Result<(), BoxedDiagnostic> {
        self.drop_postponed_forced();
        match self.postponed.first().cloned() {
            Some((span, seat, key)) => Err(self.refusal_error(span, seat, &key)),
            None => Ok(()),
        }
    }

    /// Executes `run STEP` or `run PHASE`.
    fn execute_run(&mut self, line: Span, word: &Name) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let name = word.text.as_str();
        let (begin, end) = part_range(&rules, name).map_err(|found| {
            let names = rules
                .steps
                .iter()
                .flat_map(|step| [step.0.as_str(), last_part(&step.0)])
                .chain(rules.phases.iter().map(|phase| phase.0.as_str()));
            Box::new(ScenarioProblem::NoStep { message: found, near: nearest(name, names).map(String::from) }.at(word.span))
        })?;
        self.run_part(line)?;
        self.finish_step(line)?;
        while self.any_answer && self.trial.game.asks_in_effect() {
            self.answer_option(0, line)?;
            self.finish_step(line)?;
        }
        if !self.trial.game.drop_turn() {
            return Err(self.open_question_error(line, "a question is still open before this"));
        }
        if let Some((_, back)) = self.lone_part.take() {
            self.trial.game.on(&rules).jump_to(back).map_err(|fault| fault_diagnostic(&fault, line))?;
        }
        self.forget_forced();
        // If the game is within the part, it continues after it. Otherwise the part would run twice.
        let back = match self.trial.game.program_part() {
            at if (begin..end).contains(&at) => end,
            // Nothing between the two points has an effect.
            at if at < begin && rules.ops.of_parts(at..begin).iter().all(is_between_steps) => end,
            at => at,
        };
        self.trial.game.on(&rules).jump_to(begin).map_err(|fault| fault_diagnostic(&fault, line))?;
        self.trial.game.store(&rules).log_line(|| format!("{name} is run"));
        self.lone_part = Some((end, back));
        self.run_part(line)
    }

    // ------------------------------------------------------------------ answers

    /// Executes `p1: KEY`, which may have several keys for a series of picks.
    fn execute_answers(&mut self, line: Span, seat: usize, key: &Name) -> Result<(), BoxedDiagnostic> {
        let key_text = key.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut picks = expand_picks(&key_text);
        if picks.is_empty() {
            return Err(Box::new(ScenarioProblem::NothingPicked.at(line)));
        }
        if picks.len() > 1 {
            // A text of an answer may have commas of its own.
            self.run_part(line)?;
        }
        if picks.len() == 1 || self.option_index(seat, &key_text).is_some() {
            return self.answer_one(line, seat, &key_text).map(|_| ());
        }
        let mut question = None;
        while !picks.is_empty() {
            // Picks are offered in a fixed order, and one may exclude another, so the first among the options is chosen first.
            self.run_part(line)?;
            let offered = picks.iter().enumerate().filter_map(|(at, pick)| Some((self.option_index(seat, pick)?, at)));
            let pick = picks.remove(offered.min().map_or(0, |(_, at)| at));
            question = self.answer_one(line, seat, &pick)?.or(question);
        }
        // The end of the series need not be written.
        if let Some(decision) = self.trial.game.decision()
            && decision.seat == seat
            && Some(decision.question) == question
            && let Some(done) = decision.options.iter().position(|option| option.act == Act::Done)
        {
            self.answer_option(done, line)?;
        }
        Ok(())
    }

    fn is_offered(&self, seat: usize, key: &str) -> bool {
        self.option_index(seat, key).is_some()
    }

    /// Returns the index of the option with this key in the open question, if the seat is asked.
    fn option_index(&self, seat: usize, key: &str) -> Option<usize> {
        let game = &self.trial.game;
        game.decision().filter(|decision| decision.seat == seat)?;
        game.find_option(&self.trial.rules, key)
    }

    /// Answers a question and returns it. `None` if the key named a forced answer.
    fn answer_one(&mut self, line: Span, seat: usize, key: &str) -> Result<Option<Question>, BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        for _ in 0..MAX_ANSWERS {
            self.run_part(line)?;
            if self.trial.every_answer && self.trial.game.decision().is_none() && !self.trial.game.finished() {
                self.advance_game(line)?;
            }
            let (offered, taken) = (self.is_offered(seat, key), !self.trial.every_answer && self.was_forced(seat, key));
            self.ambiguous |= offered && taken;
            if taken && (self.prefers_forced || !offered) {
                self.named_answers.push((seat, key.to_string()));
                return Ok(None);
            }
            if offered {
                let question = self.trial.game.decision().map(|decision| decision.question);
                if let Some(option) = self.trial.game.find_option(&rules, key) {
                    self.answer_option(option, line)?;
                }
                return Ok(question);
            }
            let Some(decision) = self.trial.game.decision() else {
                if self.trial.game.finished() {
                    return Err(Box::new(ScenarioProblem::OverBefore.at(line)));
                }
                self.advance_game(line)?;
                continue;
            };
            let turn = matches!(decision.question, Question::Turn(_));
            let asked = decision.seat;
            if asked != seat && self.trial.game.store(&rules).is_collecting_answers() {
                // Players who act at once answer in any order.
                self.postponed.push((line, seat, key.to_string()));
                return Ok(None);
            }
            let Some(decision) = self.trial.game.decision() else { continue };
            if turn && decision.seat != seat {
                let passing = if self.others_pass { pass_option(&rules, decision) } else { None };
                if let Some(option) = passing.or(self.any_answer.then_some(0)) {
                    self.answer_option(option, line)?;
                    continue;
                }
            } else if turn && self.others_pass && self.trial.game.on(&rules).meaning_of_key(seat, key) == KeyMeaning::Unknown {
                // Answers outside turns: the current turn is over.
                let passing = self.trial.game.decision().and_then(|decision| pass_option(&rules, decision));
                if let Some(option) = passing {
                    self.answer_option(option, line)?;
                    continue;
                }
            } else if !turn && self.any_answer {
                self.answer_option(0, line)?;
                continue;
            }
            return Err(self.refusal_error(line, seat, key));
        }
        Err(Box::new(ScenarioProblem::NeverOffered { key: key.to_string(), player: seat + 1 }.at(line)))
    }

    /// Whether a key names a forced answer since the start of the last action that no line has named yet.
    fn was_forced(&self, seat: usize, key: &str) -> bool {
        let rules = &self.trial.rules;
        let taken =
            self.trial.game.automatic_answers().iter().filter(|(who, option)| *who as usize == seat && option.matches_key(rules, key));
        taken.count() > self.named_answers.iter().filter(|named| named.0 == seat && named.1 == key).count()
    }

    fn forget_forced(&mut self) {
        self.trial.game.clear_automatic_answers();
        self.named_answers.clear();
    }

    fn refusal_error(&mut self, line: Span, seat: usize, key: &str) -> BoxedDiagnostic {
        let rules = self.trial.rules.clone();
        let asked = self.trial.game.decision().map_or(seat, |decision| decision.seat);
        if asked != seat {
            let mut wrong = self.open_question_error(line, &format!("p{} is asked, not p{}", asked + 1, seat + 1));
            wrong.help.extend(self.forced_answers());
            return wrong;
        }
        let mut wrong = self.open_question_error(line, &format!("`{key}` cannot be answered now"));
        wrong.help.extend(self.forced_answers());
        if self.trial.game.asks_in_effect() {
            return wrong;
        }
        for reason in meaning::reasons_against_key(&mut self.trial.game.on(&rules), seat, key) {
            wrong.help.insert(0, reason);
        }
        wrong
    }

    /// Lists the forced answers since the last answer that no line has named, if any.
    fn forced_answers(&self) -> Option<String> {
        let rules = &self.trial.rules;
        let taken = self.trial.game.automatic_answers().iter().map(|(seat, option)| (*seat as usize, option.text(rules)));
        let named = |(seat, key): &(usize, String)| self.named_answers.iter().any(|(who, named)| (who, named) == (seat, key));
        let taken: Vec<String> = taken.filter(|taken| !named(taken)).map(|(seat, key)| format!("`p{}: {key}`", seat + 1)).collect();
        (!taken.is_empty()).then(|| format!("taken unasked before, since there was no other answer: {}", taken.join(", ")))
    }

    fn open_question_error(&self, span: Span, message: &str) -> BoxedDiagnostic {
        let question = open_question(&self.trial.rules, &self.trial.game);
        Box::new(ScenarioProblem::Open { message: message.to_string(), question }.at(span))
    }

    /// Reports a question in the middle of an effect that is still open after the last line.
    fn finish(&mut self, span: Span, keeps_open: bool) -> Result<(), BoxedDiagnostic> {
        self.run_part(span)?;
        if keeps_open {
            self.expect_none_postponed()?;
            return Ok(());
        }
        for _ in 0..MAX_ANSWERS {
            if !self.any_answer || !self.trial.game.asks_in_effect() {
                break;
            }
            self.answer_option(0, span)?;
        }
        self.expect_none_postponed()?;
        if self.trial.game.asks_in_effect() {
            let mut wrong = self.open_question_error(span, "a question is left that no line answers");
            wrong
                .help
                .push("answer it, write `any answer`, or let `run to next decision` be the last line if it is to stay open".to_string());
            return Err(wrong);
        }
        Ok(())
    }
}

/// Returns the index of the option that ends the turns of the asked seat.
fn pass_option(rules: &Ruleset, decision: &crate::engine::Decision) -> Option<usize> {
    let Question::Turn(_) = decision.question else { return None };
    decision.options.iter().position(|option| {
        let Act::Choice(choice, _) = option.act else { return false };
        let choice = &rules.choices[choice as usize];
        choice.params.is_empty() && choice.passes()
    })
}

/// Expands `reroll white x2, blue` to three keys that start with the same word.
fn expand_picks(key: &str) -> Vec<String> {
    // A key of a single word has no common first word.
    let first = key.split(',').next().map_or("", str::trim);
    let head = without_times(first).0.split_once(' ').map(|(head, _)| head);
    let mut picks = Vec::new();
    for (i, part) in key.split(',').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
        let (name, count) = without_times(part);
        let name = match head.filter(|head| i > 0 && name.split(' ').next() != Some(head)) {
            Some(head) => format!("{head} {name}"),
            None => name.to_string(),
        };
        picks.extend(std::iter::repeat_n(name, count));
    }
    picks
}

/// Splits `white x2` into what is picked, and how often.
fn without_times(pick: &str) -> (&str, usize) {
    let split = pick.rsplit_once(" x").and_then(|(name, count)| Some((name, count.parse().ok()?)));
    split.filter(|(_, count)| *count <= 256).unwrap_or((pick, 1))
}

/// Whether an operation has no effect of its own: it stands between steps, or begins a pass through a phase.
fn is_between_steps(op: &Op) -> bool {
    matches!(op, Op::Part { .. } | Op::End { .. } | Op::BeginPasses | Op::NextPass { .. })
}

fn last_part(step: &str) -> &str {
    step.rsplit('.').next().unwrap_or(step)
}

/// Finds the range of program parts that form a phase or step.
fn part_range(rules: &Ruleset, name: &str) -> Result<(usize, usize), String> {
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
