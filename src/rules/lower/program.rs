//! Lowers the program of a game: set-up, rounds, phases, steps, turns with their actions, and the end.

use super::super::defs::{DefId, DefKind};
use super::super::problem::{RuleProblem, SetUpProblem};
use super::super::typed::{self, BindingId, Block, Body, Expr, ExprKind, Key, Offer, Param, PhasePart, Rules, Stmt, StmtKind, Target};
use super::{Bindings, Lowerer, choice, sides};
use crate::cast;
use crate::engine::op::Op;
use crate::engine::ruleset::{self as engine, Effect, Lifetime, NodeId, Write};
use crate::source::Span;

impl Lowerer<'_> {
    /// Reports a choice of players and options that the rules refuse.
    pub fn check_setup_needs(&mut self) {
        let tree = self.tree;
        for need in &tree.set_up_needs {
            match self.constant_value(&need.holds) {
                None => self.report(RuleProblem::NeedsChange.at(need.span)),
                Some(0) => self.report(SetUpProblem::Refused { reason: need.reason.clone() }.at(need.span)),
                Some(_) => {}
            }
        }
    }

    /// Lowers effects, shortages, what happens to cards that leave a place, and checks.
    pub fn lower_consequences(&mut self) {
        let tree: &Rules = self.tree;
        for (id, one) in tree.defs.all() {
            if let (DefKind::Effect(_), Some(Body::Effect(params, block))) = (&one.kind, tree.bodies.get(&id)) {
                let mut env = self.with_params(1, params);
                let begin = self.emit_routine(format!("effect `{}`", one.name), block, &mut env);
                let is_card = |(at, param): (usize, &Param)| if param.ty.is_piece() { 2 << at } else { 0 };
                let cards = params.iter().enumerate().map(is_card).sum();
                self.ruleset.effects.push(Effect { name: one.name.clone(), params: cast::fit::<u8>(params.len()), cards, first_op: begin });
            }
        }
        if let Some((card, block)) = &tree.dealt {
            let mut env = self.with_names(1, [*card]);
            let begin = self.emit_routine("effect `a card is dealt`", block, &mut env);
            self.ruleset.deal_effect = Some(cast::fit::<u16>(self.ruleset.effects.len()));
            // Nothing can call it: its name has several words.
            self.ruleset.effects.push(Effect { name: "a card is dealt".to_string(), params: 1, cards: 0b10, first_op: begin });
        }
        for shortage in &tree.shortages {
            let mut env = self.with_names(1, [shortage.resource, shortage.missing]);
            let resources = shortage.resources.iter().fold(0, |mask, resource| mask | 1 << resource);
            let begin = self.emit_routine("a shortage", &shortage.block, &mut env);
            self.ruleset.shortages.push(engine::Shortage { resources, first_op: begin });
        }
        for (place, card, block) in &tree.leaving {
            let mut env = self.with_names(1, [*card]);
            let begin = self.emit_routine(format!("a card leaves `{}`", tree.defs[*place].name), block, &mut env);
            let returned = block.iter().filter_map(|stmt| self.returned_counter(stmt, *card)).collect();
            let place = usize::from(self.index(*place));
            if let Some(place) = self.ruleset.places.get_mut(place) {
                (place.on_leave, place.returned) = (Some(begin), returned);
            }
        }
        self.ruleset.checks.clone_from(&tree.checks);
    }

    /// Recognises `idle += card.moss` for the card that leaves: its counter is added to one of the seat. Returns both offsets.
    fn returned_counter(&self, stmt: &Stmt, leaving: BindingId) -> Option<(u16, u16)> {
        let StmtKind::Write { target: Target::Variable(to), operator: Write::Add, value } = &stmt.kind else { return None };
        let ExprKind::Counter { card, counter } = &value.kind else { return None };
        (card.kind == ExprKind::Local(leaving)).then(|| (self.slots.offset(*counter), self.slots.offset(*to)))
    }

    /// Lowers the number of rounds, which is at least one if it is constant.
    fn lower_rounds(&mut self, rounds: &Expr) -> NodeId {
        let node = self.lower_expr(rounds, &mut Bindings::with_free_locals_from(1));
        if let Some(count) = self.value_of(node).filter(|count| *count < 1 && !self.is_exhausted()) {
            self.report(RuleProblem::RoundsBelowOne { count }.at(rounds.span));
        }
        node
    }

    /// Lowers the parts of the program in the order in which they run: set-up, the phases of each round, the end. Actions of turns follow.
    pub fn lower_program(&mut self) {
        let tree: &Rules = self.tree;
        self.ruleset.ops.begin_routine("set-up");
        tree.setup.iter().for_each(|stmt| self.emit_part(stmt, &mut Bindings::with_free_locals_from(1)));
        self.simple_part(Op::Deal);
        self.emit(Op::Waiting);
        self.simple_part(Op::Round);
        let round = self.ruleset.ops.parts[self.next_part() as usize - 1];
        let mut turns = Vec::new();
        for phase in &tree.phases {
            self.ruleset.ops.begin_routine(format!("phase `{}`", phase.name));
            let begin = self.next_part();
            self.ruleset.ops.begin_part();
            let passes = phase.until.as_ref().map(|until| {
                self.emit(Op::BeginPasses);
                let again = self.ruleset.ops.next_pc();
                self.ruleset.ops.begin_part();
                let condition = self.lower_expr(until, &mut Bindings::with_free_locals_from(1));
                self.ruleset.ops.span = Some(until.span);
                let over = self.ruleset.ops.emit_jump(move |end| Op::NextPass { condition, end });
                self.ruleset.ops.span = None;
                (again, over)
            });
            for part in &phase.parts {
                match part {
                    PhasePart::Do(stmt) => self.emit_part(stmt, &mut Bindings::with_free_locals_from(1)),
                    PhasePart::Step(step) => self.emit_step(&phase.name, step),
                    PhasePart::Turns(found) => {
                        let part = self.next_part();
                        self.ruleset.ops.begin_part();
                        self.ruleset.ops.span = Some(found.span);
                        let index = self.checked_index(turns.len(), "`turns`, each phase as often as a round has it,", found.span);
                        self.emit(Op::Turn { turns: index });
                        self.ruleset.ops.span = None;
                        turns.push((&phase.name, found, part));
                    }
                }
            }
            if let Some((again, over)) = passes {
                self.simple_part(Op::Jump { to: again });
                self.ruleset.ops.bind_jump(over);
            }
            self.ruleset.phases.push((phase.name.clone(), begin, self.next_part()));
        }
        self.simple_part(Op::RoundEnd { back: round });
        self.simple_part(Op::Finish);
        self.ruleset.ops.end_program();
        for (phase, found, part) in turns {
            self.emit_turns(phase, found, part);
        }
    }

    fn next_part(&self) -> u32 {
        cast::fit::<u32>(self.ruleset.ops.parts.len())
    }

    fn simple_part(&mut self, op: Op) {
        self.ruleset.ops.begin_part();
        self.emit(op);
    }

    /// Emits a statement as a part of the program, or, where names of its block are known, which end with a part, as a continuation of the
    /// part before. Between the players of a loop, pending effects are completed.
    fn emit_part(&mut self, stmt: &Stmt, env: &mut Bindings) {
        if env.bound.is_empty() {
            self.ruleset.ops.begin_part();
        } else {
            self.emit(Op::Rest);
        }
        let StmtKind::EachPlayer { whom, direction, from, filter, block } = &stmt.kind else {
            return self.emit_scoped_stmt(stmt, env);
        };
        let [from, filter] = [from, filter].map(|part| part.as_ref().map(|part| self.lower_expr(part, env)));
        self.emit(Op::EachPlayer { whom: *whom, direction: *direction, from });
        let rest = self.emit(Op::Rest);
        let next = self.ruleset.ops.emit_jump(|end| Op::NextPlayer { filter, end });
        self.emit_block(block, env);
        self.emit(Op::Jump { to: rest });
        self.ruleset.ops.bind_jump(next);
    }

    fn emit_step(&mut self, phase: &str, step: &typed::Step) {
        let name = format!("{phase}.{}", step.name);
        self.ruleset.ops.begin_routine(format!("step `{name}`"));
        let begin = self.next_part();
        self.ruleset.ops.begin_part();
        let when = step.when.as_ref().map(|when| self.lower_expr(when, &mut Bindings::with_free_locals_from(1)));
        let skipped = when.map(|when| self.ruleset.ops.emit_jump(move |end| Op::Unless { condition: when, to: end }));
        let (mut env, open) = (Bindings::with_free_locals_from(1), self.open_locals.len());
        step.block.iter().for_each(|stmt| self.emit_part(stmt, &mut env));
        self.close_locals(open);
        self.ruleset.ops.begin_routine(format!("phase `{phase}`"));
        self.simple_part(Op::End { lifetime: Lifetime::Step });
        skipped.into_iter().for_each(|skipped| self.ruleset.ops.bind_jump(skipped));
        self.ruleset.steps.push((name, begin, self.next_part()));
    }

    fn emit_turns(&mut self, phase: &str, turns: &typed::Turns, part: u32) {
        let actions_each = self.lower_or(turns.actions_each.as_ref(), 1, &mut Bindings::with_free_locals_from(1));
        let until = turns.until.as_ref().map(|until| self.lower_expr(until, &mut Bindings::with_free_locals_from(1)));
        let mut routine = |name: String, block: &Block| self.emit_routine(name, block, &mut Bindings::with_free_locals_from(1));
        let first = turns.first.as_ref().map(|block| routine(format!("the first turn of `{phase}`"), block));
        let each = turns.each.as_ref().map(|block| routine(format!("the beginning of a turn of `{phase}`"), block));
        let after = turns.after.as_ref().map(|block| routine(format!("the end of a turn of `{phase}`"), block));
        let actions: Vec<u16> = turns.actions.iter().map(|action| self.lower_action(phase, action, turns.passed)).collect();
        choice::report_common_keys(self, turns.actions.iter().zip(actions.iter().copied()), |_, _| true);
        self.ruleset.turns.push(engine::Turns {
            question: phase.to_string(),
            part,
            passed: turns.passed.map(|passed| self.slots.offset(passed)),
            until,
            skips: turns.skips,
            taken: turns.counted.map(|counter| self.slots.offset(counter)),
            first,
            each,
            after,
            span: Some(turns.span),
            actions_each,
            actions,
        });
    }

    fn lower_action(&mut self, phase: &str, action: &typed::Choice, passed: Option<DefId>) -> u16 {
        let mut env = Bindings::with_free_locals_from(1);
        let address = format!("{phase}.{}", action.name);
        let mut lowered = choice::lower_choice(self, action, address.clone(), &mut env);
        let index = self.checked_index(self.actions_lowered, "actions", action.span);
        self.actions_lowered += 1;
        let begin = self.ruleset.ops.begin_routine(format!("action `{address}`"));
        let acting = action.body.iter().find_map(|stmt| {
            let StmtKind::Op { op: Op::CardActs { .. }, operands } = &stmt.kind else { return None };
            let card = self.lower_expr(operands.first()?, &mut env);
            self.as_local(card).and_then(|local| local.checked_sub(1))
        });
        let passes =
            |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Write { target: Target::Variable(written), .. } if Some(*written) == passed);
        let passes = action.body.iter().any(passes);
        lowered.action = Some(engine::InTurn { free: action.free, first_op: begin, passes, acting });
        if let Some(place) = self.ruleset.choices.get_mut(usize::from(index)) {
            *place = lowered;
        }
        choice::emit_costs(self, index);
        self.emit_block(&action.body, &mut env);
        self.emit(Op::Acted { free: action.free });
        self.ruleset.ops.end_routine();
        index
    }

    /// Returns the index of something without a declared name; reports one that exceeds 16 bits.
    pub(super) fn checked_index(&mut self, index: usize, what: &'static str, span: Span) -> u16 {
        u16::try_from(index).unwrap_or_else(|_| {
            let help = "let one of them stand for several";
            self.report(RuleProblem::TooMany { whose: "a game", most: u16::MAX.into(), what, help }.at(span));
            u16::MAX
        })
    }

    /// Lowers what a question on a card offers; its loop variable is bound in `env`.
    pub fn lower_offer(&mut self, offer: &Offer, env: &mut Bindings, span: Span) -> engine::Offer {
        match offer {
            Offer::Word(word) => engine::Offer::Word(self.ruleset.names.add(word)),
            Offer::Cards(cards) => engine::Offer::Cards(self.add_card_set(cards, env, span)),
        }
    }

    /// Lowers the score, the winning condition, and the worth of a state.
    pub fn lower_ending(&mut self) {
        let tree: &Rules = self.tree;
        for (name, value) in &tree.score {
            let node = self.lower_expr(value, &mut Bindings::with_free_locals_from(1));
            self.ruleset.score.push((name.clone(), node));
            self.ruleset.score_spans.push(value.span);
        }
        let key = |key: &Key| key.map(|value| self.lower_expr(value, &mut Bindings::with_free_locals_from(1)));
        self.ruleset.tie_breaks = tree.tie_breaks.iter().map(key).collect();
        for typed::Worth { style, states, value } in &tree.worths {
            let value = self.lower_expr(value, &mut Bindings::with_free_locals_from(1));
            self.ruleset.worths.push(engine::Worth { style: style.clone(), states: *states, value });
        }
        self.ruleset.honours.clone_from(&tree.honours);
        self.ruleset.series = tree.series.and_then(|def| {
            let one = &tree.defs[def];
            if let DefKind::Option(option) = &one.kind { Some((one.name.clone(), option.values.clone())) } else { None }
        });
        self.ruleset.moment_docs.clone_from(&tree.moment_docs);
        self.ruleset.lowest_wins = tree.lowest_wins;
        sides::lower_together(self);
        self.ruleset.until = tree.until.as_ref().map(|until| self.lower_expr(until, &mut Bindings::with_free_locals_from(1)));
        self.ruleset.cut_off = tree.cut_off;
        self.ruleset.rounds = tree.rounds.as_ref().map(|rounds| self.lower_rounds(rounds));
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::op::{Op, Pc};
    use crate::testing::lowered;

    #[test]
    fn the_program_goes_through_set_up_phases_and_the_end() {
        let rules = lowered("", "", 2).rules;
        let (ops, actions) = (&rules.ops, rules.actions());
        let first_op = |action: usize| actions[action].action.as_ref().map_or(Pc(0), |action| action.first_op);
        let parts: Vec<&[Op]> = (0..ops.part_count()).map(|part| ops.of_part(part)).collect();
        let [[Op::Fill { .. }], [Op::Deal, Op::Waiting], [Op::Round], [], [Op::Turn { turns: 0 }], [Op::RoundEnd { back }], [Op::Finish]] =
            parts[..]
        else {
            panic!("{parts:?}")
        };
        assert_eq!((*back, &rules.phases[..]), (ops.parts[2], &[("day".to_string(), 3, 5)][..]));
        assert_eq!((ops.owner(ops.parts[0]), ops.owner(first_op(0))), ("set-up", "action `day.fetch`"));
        assert!(matches!(ops.routine(first_op(0)), [Op::Costs { choice: 0 }, Op::Waiting, .., Op::Acted { free: false }]));
        assert_eq!(actions.iter().map(|action| action.passes()).collect::<Vec<_>>(), [false, true]);
        let begins = |part: usize, Pc(begin): Pc| matches!(ops.all[begin as usize], Op::Part { part: found } if found as usize == part);
        assert!(ops.parts.iter().enumerate().take(7).all(|(part, &begin)| begins(part, begin)));
        assert_eq!((rules.score.len(), rules.tie_breaks.len()), (1, 1));
        let fetch = &actions[0];
        assert_eq!((fetch.params.len(), fetch.costs[0].stage, fetch.address.as_str()), (1, 1, "day.fetch"));
    }
}
