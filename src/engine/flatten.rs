//! From trees of statements to flat ops: the only place that knows both.

use super::op::{Entries, Op, Ops, Pc};
use super::ruleset::{BodyId, Effect, EntryPart, Lifetime, Part, Ruleset, Stmt, VariableSort};
use super::tokens::{TokenPick, TokenStmt};
use crate::source::Span;

impl Ruleset {
    /// Makes the ops from everything else that the ruleset holds; to be called when that is complete.
    pub fn flatten(&mut self) {
        let mut flat = Flat { rules: self, ops: Ops::default(), span: None };
        flat.program();
        flat.bodies();
        flat.cards();
        self.ops = flat.ops;
    }
}

struct Flat<'r> {
    rules: &'r Ruleset,
    ops: Ops,
    /// Where the statement stands that is being made ops of.
    span: Option<Span>,
}

impl Flat<'_> {
    fn here(&self) -> Pc {
        Pc(self.ops.all.len() as u32)
    }

    fn emit(&mut self, op: Op) -> Pc {
        let at = self.here();
        self.ops.all.push(op);
        self.ops.spans.push(self.span);
        at
    }

    /// Makes an op that goes on elsewhere go on here.
    fn land(&mut self, at: Pc) {
        let here = self.here();
        if let Some(to) = elsewhere(&mut self.ops.all[at.0 as usize]) {
            *to = here;
        }
    }

    fn owner(&mut self, name: impl Into<String>) -> Pc {
        self.span = None;
        let at = self.here();
        self.ops.owners.push((at, name.into()));
        at
    }

    // ------------------------------------------------------------------ what a game goes through

    fn program(&mut self) {
        let rules = self.rules;
        let mut jumps = Vec::new();
        let mut phase = "set-up";
        for (number, part) in rules.program.iter().enumerate() {
            let name = match part {
                Part::Step(step, ..) => format!("step `{}`", rules.steps[*step as usize].0),
                Part::Phase(index) => {
                    phase = &rules.phases[*index as usize];
                    format!("phase `{phase}`")
                }
                Part::StepEnd(_) => format!("phase `{phase}`"),
                _ => String::new(),
            };
            if !name.is_empty() || number == 0 {
                self.owner(if name.is_empty() { phase.to_string() } else { name });
            }
            let begin = self.emit(Op::Part(number as u32));
            self.ops.parts.push(begin);
            match part {
                Part::Do(body) => self.body(*body),
                Part::Each(direction, filter, body) => {
                    self.emit(Op::EachPlayer(*direction));
                    let rest = self.emit(Op::Rest);
                    let next = self.emit(Op::NextPlayer(*filter, Pc(0)));
                    self.body(*body);
                    self.emit(Op::Jump(rest));
                    self.land(next);
                }
                Part::Deal => {
                    self.emit(Op::Deal);
                    self.emit(Op::Waiting);
                }
                Part::Round => {
                    self.emit(Op::Round);
                }
                Part::Phase(_) => {}
                Part::Step(_, when, end) => {
                    if let Some(when) = when {
                        jumps.push((self.emit(Op::Unless(*when, Pc(0))), *end));
                    }
                }
                Part::StepEnd(_) => {
                    self.emit(Op::End(Lifetime::Step));
                }
                Part::Turns(turns) => {
                    self.span = rules.turns[*turns as usize].span;
                    self.emit(Op::Turn(*turns));
                    self.span = None;
                }
                Part::RoundEnd(to) => jumps.push((self.emit(Op::RoundEnd(Pc(0))), *to)),
                Part::Finish => {
                    self.emit(Op::Finish);
                }
            }
        }
        let end = self.emit(Op::Finish);
        self.ops.parts.push(end);
        for (at, part) in jumps {
            let begin = self.ops.parts.get(part as usize).copied().unwrap_or(end);
            if let Some(to) = elsewhere(&mut self.ops.all[at.0 as usize]) {
                *to = begin;
            }
        }
        for turns in &rules.turns {
            let first = turns.first.map(|body| self.routine(format!("the first turn of `{}`", turns.question), body));
            self.ops.first_turns.push(first);
        }
        for (index, action) in rules.actions.iter().enumerate() {
            let begin = self.owner(format!("action `{}`", action.address));
            self.ops.actions.push(begin);
            let costs: Box<[_]> = action.costs.iter().filter(|cost| cost.tokens.is_none()).cloned().collect();
            let pays = !costs.is_empty();
            self.ops.costs.push(costs);
            self.ops.stages.push(super::options::stages_of(action));
            if pays {
                self.emit(Op::Costs(index as u16));
            }
            for cost in action.costs.iter().filter_map(|cost| cost.tokens) {
                self.emit(Op::Spend(cost));
                self.emit(Op::NextPayer(cost.from, cost.to));
            }
            self.body(action.body);
            if pays {
                // Who has heard of the payment acts when the action has ended.
                self.emit(Op::Waiting);
            }
            self.emit(Op::Acted(action.free));
            self.emit(Op::Return);
        }
    }

    /// A body with a beginning of its own.
    fn routine(&mut self, name: impl Into<String>, body: BodyId) -> Pc {
        let begin = self.owner(name);
        self.body(body);
        self.span = None;
        self.emit(Op::Return);
        begin
    }

    fn bodies(&mut self) {
        let rules = self.rules;
        for Effect { name, body, .. } in &rules.effects {
            let begin = self.routine(format!("effect `{name}`"), *body);
            self.ops.effects.push(begin);
        }
        for shortage in &rules.shortages {
            let begin = self.routine("a shortage", shortage.body);
            self.ops.shortages.push(begin);
        }
        for place in &rules.places {
            let begin = place.on_leave.map(|body| self.routine(format!("a card leaves `{}`", place.name), body));
            self.ops.leaving.push(begin);
        }
        let paid = rules.seat.iter().find(|v| v.name == "paid" && v.sort == VariableSort::Tally);
        self.ops.paid = paid.map(|v| v.offset);
    }

    // ------------------------------------------------------------------ what cards say

    fn cards(&mut self) {
        let rules = self.rules;
        for (definition, card) in rules.definitions.iter().enumerate() {
            let definition = definition as u32;
            let hooks = card.hooks.iter().map(|hook| self.entry(definition, false, &hook.parts)).collect();
            let insteads = card.insteads.iter().map(|instead| self.entry(definition, false, &instead.parts)).collect();
            let action = card.action.as_ref().map(|action| self.entry(definition, true, &action.parts));
            self.ops.entries.push(Entries { hooks, insteads, action });
        }
    }

    /// An entry of a card: part by part, each when all that the one before set off is at rest. A question that gets no answer ends it.
    fn entry(&mut self, definition: u32, pays: bool, parts: &[EntryPart]) -> Pc {
        let text = |part: &EntryPart| self.rules.scripts.get(part.script as usize);
        let id = || self.rules.names.text(self.rules.definitions[definition as usize].id).to_string();
        let begin = self.owner(parts.first().and_then(text).map_or_else(id, |text| text.owner.clone()));
        if pays {
            self.emit(Op::PayCard);
        }
        let mut unanswered = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            self.span = self.rules.scripts.get(part.script as usize).and_then(|text| text.span);
            let skipped = part.when.map(|when| self.emit(Op::Unless(when, Pc(0))));
            if let Some(ask) = &part.ask {
                self.ops.asks.push((definition, ask.clone()));
                unanswered.push(self.emit(Op::AskFirst(self.ops.asks.len() as u32 - 1, Pc(0))));
            }
            let last_of_action = pays && index + 1 == parts.len();
            self.emit(Op::Script(part.script, last_of_action));
            if !last_of_action {
                self.emit(Op::Waiting);
            }
            skipped.into_iter().for_each(|skipped| self.land(skipped));
        }
        unanswered.into_iter().for_each(|question| self.land(question));
        if pays {
            self.emit(Op::Waiting);
        }
        self.emit(Op::Return);
        begin
    }

    // ------------------------------------------------------------------ statements

    fn body(&mut self, body: BodyId) {
        let rules = self.rules;
        let spans = rules.body_spans.get(body as usize);
        let outside = self.span;
        for (index, stmt) in rules.bodies.get(body as usize).map_or(&[][..], |body| body).iter().enumerate() {
            self.span = spans.and_then(|spans| spans.get(index)).copied().or(outside);
            self.stmt(stmt);
        }
        self.span = outside;
    }

    /// A loop: what begins it, what gives the next round of it, and its body.
    fn repeated(&mut self, begin: Op, next: Op, body: BodyId) {
        self.emit(begin);
        let next = self.emit(next);
        self.body(body);
        self.emit(Op::Jump(next));
        self.land(next);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let op = match stmt {
            Stmt::Gain(n, resource) => Op::Gain(*n, *resource),
            Stmt::Lose(n, resource, name) => Op::Lose(*n, *resource, *name),
            Stmt::Pay(n, resource) => {
                self.emit(Op::Pay(*n, *resource));
                Op::Waiting
            }
            Stmt::PayMix(n, resources) => {
                self.ops.mixes.push(resources.clone());
                let mix = self.ops.mixes.len() as u32 - 1;
                self.emit(Op::Mix(*n, mix));
                self.emit(Op::NextUnit(mix));
                Op::Waiting
            }
            Stmt::Write(target, write, value) => Op::Write(Box::new((target.clone(), *write, *value))),
            Stmt::AddBit(offset, index) => Op::AddBit(*offset, *index),
            Stmt::Draw(deck, index, to, name) => Op::Draw(*deck, *index, *to, *name),
            Stmt::Fill(grid, deck, index) => Op::Fill(*grid, *deck, *index),
            Stmt::RemoveSet(set) => Op::RemoveSet(*set),
            Stmt::Remove(card) => Op::Remove(*card),
            Stmt::MoveRow(grid, from, to) => Op::MoveRow(*grid, *from, *to),
            Stmt::Put(holder, field, to) => Op::Put(*holder, *field, *to),
            Stmt::PutNamed(definitions, to) => Op::PutNamed(definitions.clone(), *to),
            Stmt::PlaceInSlot(card) => Op::PlaceInSlot(*card),
            Stmt::PlaceIn(card, place, over) => Op::PlaceIn(*card, *place, *over),
            Stmt::Moment(moment, card) => {
                self.emit(Op::Moment(*moment, *card));
                Op::Waiting
            }
            Stmt::If(condition, yes, no) => {
                let unless = self.emit(Op::Unless(*condition, Pc(0)));
                self.body(*yes);
                if let Some(no) = no {
                    let over = self.emit(Op::Jump(Pc(0)));
                    self.land(unless);
                    self.body(*no);
                    self.land(over);
                } else {
                    self.land(unless);
                }
                return;
            }
            Stmt::ForWords(local, words, body) => {
                self.ops.words.push(words.clone());
                let words = self.ops.words.len() as u32 - 1;
                return self.repeated(Op::EachWord, Op::NextWord(*local, words, Pc(0)), *body);
            }
            Stmt::ForCards(set, body) => {
                let local = self.rules.sets[*set as usize].local;
                return self.repeated(Op::EachCard(*set), Op::NextCard(local, Pc(0)), *body);
            }
            Stmt::Repeat(n, body) => return self.repeated(Op::Repeat(*n), Op::NextTime(Pc(0)), *body),
            Stmt::EachPlayer(direction, filter, body) => {
                return self.repeated(Op::EachPlayer(*direction), Op::NextPlayer(*filter, Pc(0)), *body);
            }
            Stmt::AllPlayers(filter, body) => {
                let begin = self.emit(Op::AtOnce(*filter, Pc(0)));
                let first = self.here();
                self.body(*body);
                self.emit(Op::NextAtOnce(first));
                // Who has heard of what happened acts when all have acted.
                self.emit(Op::Waiting);
                return self.land(begin);
            }
            Stmt::Ask(question) => return self.question(*question),
            Stmt::Effect(effect, args) => Op::Call(*effect, args.clone().into()),
            Stmt::OrderBy(keys) => Op::OrderBy(keys.clone()),
            Stmt::OrderRandom => Op::OrderRandom,
            Stmt::CardActs(card) => Op::CardActs(*card),
            Stmt::Tokens(stmt) => match &**stmt {
                TokenStmt::Take(n, set, from, to) => Op::Take(*n, *set, *from, *to),
                TokenStmt::MoveAll(set, from, to) => Op::MoveAll(*set, *from, *to),
                TokenStmt::MoveOne(local, to) => Op::MoveOne(*local, *to),
                TokenStmt::Lift(set, pool) => Op::Lift(*set, *pool),
                TokenStmt::LiftOne(local) => Op::LiftOne(*local),
                TokenStmt::Roll(pool) => Op::Roll(*pool),
                TokenStmt::Spend(cost) => {
                    self.emit(Op::Spend(*cost));
                    Op::NextPayer(cost.from, cost.to)
                }
                TokenStmt::Pick(pick) => return self.pick_tokens(pick),
            },
        };
        self.emit(op);
    }

    fn pick_tokens(&mut self, pick: &TokenPick) {
        self.ops.picks.push(pick.clone());
        let index = self.ops.picks.len() as u32 - 1;
        self.repeated(Op::PickTokens(index), Op::NextToken(index, Pc(0)), pick.body);
    }

    fn question(&mut self, question: u32) {
        let asked = &self.rules.questions[question as usize];
        let list = self.ops.choices.len() as u32;
        self.ops.choices.push(Box::default());
        if asked.picks {
            self.emit(Op::Picks(question));
        }
        let ask = self.emit(if asked.picks { Op::NextPick(question, list) } else { Op::Ask(question, list) });
        let mut begins = Vec::with_capacity(asked.choices.len() + 1);
        let mut over = Vec::new();
        for choice in &asked.choices {
            begins.push(self.here());
            self.body(choice.body);
            let jump = self.emit(Op::Jump(ask));
            if !asked.picks {
                over.push(jump);
            }
        }
        begins.push(self.here());
        if let Some(body) = asked.otherwise {
            self.body(body);
        }
        over.into_iter().for_each(|jump| self.land(jump));
        begins.push(self.here());
        self.ops.choices[list as usize] = begins.into();
    }
}

/// Where else an op may go on.
fn elsewhere(op: &mut Op) -> Option<&mut Pc> {
    match op {
        Op::Jump(to)
        | Op::Unless(_, to)
        | Op::NextWord(_, _, to)
        | Op::NextCard(_, to)
        | Op::NextTime(to)
        | Op::NextPlayer(_, to)
        | Op::AtOnce(_, to)
        | Op::AskFirst(_, to)
        | Op::NextToken(_, to)
        | Op::NextAtOnce(to)
        | Op::RoundEnd(to) => Some(to),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, rules};
    use super::*;

    /// The ops of an effect, by their names.
    fn ops(effect: &str) -> (Ruleset, Vec<Op>) {
        let rules = rules(2, &Added { effects: &format!("effect spin {{ {effect} }}"), ..Added::default() });
        let begin = rules.ops.effects[0].0 as usize;
        let len = rules.ops.all[begin..].iter().position(|op| matches!(op, Op::Return)).unwrap_or(0);
        let found = rules.ops.all[begin..=begin + len].to_vec();
        (rules, found)
    }

    #[test]
    fn a_branch_goes_on_behind_itself() {
        let (rules, found) = ops("if moon > 0 { gain 1 wisp } else { gain 1 fog }; moon = 5");
        let begin = rules.ops.effects[0].0;
        let to = |offset: u32| Pc(begin + offset);
        assert!(matches!(found[0], Op::Unless(_, no) if no == to(3)), "{found:?}");
        assert!(matches!(found[2], Op::Jump(over) if over == to(4)), "{found:?}");
        assert!(matches!(found[1..], [Op::Gain(..), Op::Jump(_), Op::Gain(..), Op::Write(_), Op::Return]), "{found:?}");
    }

    #[test]
    fn a_loop_comes_back_until_it_has_ended() {
        let (rules, found) = ops("repeat 3 { each card in row { remove card } }");
        let begin = rules.ops.effects[0].0;
        let to = |offset: u32| Pc(begin + offset);
        assert!(matches!(found[..2], [Op::Repeat(_), Op::NextTime(end)] if end == to(7)), "{found:?}");
        assert!(matches!(found[2..4], [Op::EachCard(_), Op::NextCard(_, end)] if end == to(6)), "{found:?}");
        assert!(matches!(found[5..7], [Op::Jump(inner), Op::Jump(outer)] if inner == to(3) && outer == to(1)), "{found:?}");
    }

    #[test]
    fn choices_go_on_behind_the_question() {
        let (rules, found) = ops("player chooses { \"a\" { gain 1 wisp } \"b\" { } else { gain 1 fog } }");
        let begin = rules.ops.effects[0].0;
        let Op::Ask(_, list) = found[0] else { unreachable!("{found:?}") };
        let begins: Vec<u32> = rules.ops.choices[list as usize].iter().map(|pc| pc.0 - begin).collect();
        assert_eq!(begins, [1, 3, 4, 5]);
        assert!(matches!(found[2], Op::Jump(end) if end.0 == begin + 5), "{found:?}");
    }

    #[test]
    fn each_op_has_an_owner_and_a_beginning_is_found_again() {
        let (rules, _) = ops("gain 1 wisp");
        let ops = &rules.ops;
        assert_eq!(ops.spans.len(), ops.all.len());
        assert_eq!(ops.parts.len(), rules.program.len() + 1);
        assert_eq!((ops.owner(ops.effects[0]), ops.owner(Pc(0))), ("effect `spin`", "set-up"));
        assert_eq!(ops.owner(ops.actions[0]), "action `roam.fetch`");
        for (part, begin) in ops.parts[..rules.program.len()].iter().enumerate() {
            assert!(matches!(ops.all[begin.0 as usize], Op::Part(found) if found as usize == part));
        }
    }
}
