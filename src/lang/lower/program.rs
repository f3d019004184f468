//! Lowering what the game goes through: set-up, rounds, phases, steps, turns with their actions, and the end.

use super::super::defs::What;
use super::super::typed::{self, Bind, Body, Cost, Expr, ExprKind, Part, Rules, Stmt, StmtKind};
use super::{Env, Lowerer};
use crate::diagnostic::Diagnostic;
use crate::engine::options::MOST_PARAMS;
use crate::engine::ruleset::{self as engine, Effect, NodeId};

impl Lowerer<'_> {
    /// Effects, shortages, what happens to cards that leave, and checks.
    pub fn consequences(&mut self) {
        let tree: &Rules = self.tree;
        for (id, one) in tree.defs.all() {
            if let (What::Effect(_), Some(Body::Effect(params, block))) = (&one.what, tree.bodies.get(&id)) {
                let mut env = self.with_params(1, params);
                let body = self.body(block, &mut env);
                self.out.effects.push(Effect { name: one.name.clone(), params: params.len() as u8, body });
            }
        }
        if let Some((card, block)) = &tree.dealt {
            let mut env = Env::from(1);
            self.bind_first(&mut env, *card);
            let body = self.body(block, &mut env);
            self.out.dealing = Some(self.out.effects.len() as u16);
            // Nobody can call it: its name has several words.
            self.out.effects.push(Effect { name: "a card is dealt".to_string(), params: 1, body });
        }
        for shortage in &tree.shortages {
            let mut env = Env::from(1);
            self.bind_first(&mut env, shortage.resource);
            self.bind_first(&mut env, shortage.missing);
            let resources = shortage.resources.iter().fold(0, |mask, resource| mask | 1 << resource);
            let body = self.body(&shortage.block, &mut env);
            self.out.shortages.push(engine::Shortage { resources, body });
        }
        for (place, card, block) in &tree.leaving {
            let mut env = Env::from(1);
            self.bind_first(&mut env, *card);
            let body = self.body(block, &mut env);
            let place = self.place(*place) as usize;
            if let Some(place) = self.out.places.get_mut(place) {
                place.on_leave = Some(body);
            }
        }
        self.out.checks.clone_from(&tree.checks);
    }

    /// How many rounds there are: at least one, as far as the choice settles it.
    fn rounds(&mut self, rounds: &Expr) -> NodeId {
        let node = self.expr(rounds, &mut Env::from(1));
        if let Some(count) = self.value_of(node).filter(|count| *count < 1 && !self.is_exhausted()) {
            let wrong = Diagnostic::error("R003", rounds.span, format!("a game has at least one round, not {count}"));
            self.tell(wrong.label(format!("this comes to {count}")).help("write how many rounds are played: `rounds 8 of PHASE, PHASE`"));
        }
        node
    }

    fn bind_first(&mut self, env: &mut Env, bind: Bind) {
        let node = self.node(engine::Node::Local(env.next as u8));
        env.bound.push((bind, node));
        env.next += 1;
    }

    /// Set-up, then the phases of each round, then the end.
    pub fn program(&mut self) {
        let tree: &Rules = self.tree;
        for stmt in &tree.setup {
            self.part(stmt);
        }
        self.out.program.push(engine::Part::Deal);
        let back = self.out.program.len() as u32;
        self.out.program.push(engine::Part::Round);
        for phase in &tree.phases {
            self.out.phases.push(phase.name.clone());
            self.out.program.push(engine::Part::Phase(self.out.phases.len() as u16 - 1));
            for part in &phase.parts {
                match part {
                    Part::Do(stmt) => self.part(stmt),
                    Part::Step(step) => self.step(&phase.name, step),
                    Part::Turns(turns) => self.turns(&phase.name, turns),
                }
            }
        }
        self.out.program.push(engine::Part::RoundEnd(back));
        self.out.program.push(engine::Part::Finish);
    }

    /// A statement as a part of the program: a loop over players is a part for each of them.
    fn part(&mut self, stmt: &Stmt) {
        if let StmtKind::EachPlayer(direction, filter, block) = &stmt.kind {
            let mut env = Env::from(1);
            let filter = filter.as_ref().map(|filter| self.expr(filter, &mut env));
            let body = self.body(block, &mut env);
            self.out.program.push(engine::Part::Each(*direction, filter, body));
            return;
        }
        let mut made = Vec::new();
        self.stmt(stmt, &mut Env::from(1), &mut made);
        let body = self.add_body(made);
        self.out.program.push(engine::Part::Do(body));
    }

    fn step(&mut self, phase: &str, step: &typed::Step) {
        let when = step.when.as_ref().map(|when| self.expr(when, &mut Env::from(1)));
        let index = self.out.steps.len() as u16;
        let begin = self.out.program.len() as u32;
        self.out.program.push(engine::Part::Step(index, when, 0));
        self.out.steps.push((format!("{phase}.{}", step.name), begin, begin));
        step.block.iter().for_each(|stmt| self.part(stmt));
        self.out.program.push(engine::Part::StepEnd(index));
        let end = self.out.program.len() as u32;
        self.out.program[begin as usize] = engine::Part::Step(index, when, end);
        self.out.steps[index as usize].2 = end;
    }

    fn turns(&mut self, phase: &str, turns: &typed::Turns) {
        let one = self.constant(1);
        let actions_each = turns.actions_each.as_ref().map_or(one, |each| self.expr(each, &mut Env::from(1)));
        let first = turns.first.as_ref().map(|block| self.body(block, &mut Env::from(1)));
        let actions = turns.actions.iter().map(|action| self.action(phase, action)).collect();
        self.out.turns.push(engine::Turns {
            question: phase.to_string(),
            passed: self.slots.offset(turns.passed),
            taken: turns.counted.map(|counter| self.slots.offset(counter)),
            first,
            span: Some(turns.span),
            actions_each,
            actions,
        });
        self.out.program.push(engine::Part::Turns(self.out.turns.len() as u16 - 1));
    }

    fn action(&mut self, phase: &str, action: &typed::Action) -> u16 {
        let mut env = Env::from(1);
        let mut params = Vec::new();
        for param in &action.params {
            // The parameter takes the next local; what its condition binds lies behind all parameters.
            let filter_from = env.next.max(1 + MOST_PARAMS);
            let set = self.param(&param.cards, &mut env, filter_from, action.span);
            let word = param.word.as_ref().map(|word| self.out.names.add(word));
            params.push(engine::Param { set, maybe: param.maybe, word });
        }
        env.next = 1 + MOST_PARAMS;
        let binds: Vec<Bind> = action.params.iter().map(|param| param.cards.bind).collect();
        let guards = action.guards.iter().map(|guard| self.guard(guard, &binds, &mut env)).collect();
        let costs = action.costs.iter().map(|cost| self.cost(cost, &binds, &mut env)).collect();
        let body = self.body(&action.does, &mut env);
        let acting = action.does.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::CardActs(card) => {
                let card = self.expr(card, &mut env);
                self.as_local(card).and_then(|local| local.checked_sub(1))
            }
            _ => None,
        });
        let name = self.out.names.add(&action.name);
        let address = format!("{phase}.{}", action.name);
        self.out.actions.push(engine::Action { name, address, free: action.free, params, guards, costs, body, acting });
        self.out.actions.len() as u16 - 1
    }

    fn param(&mut self, cards: &typed::Cards, env: &mut Env, filter_from: usize, span: crate::source::Span) -> u32 {
        let filter = cards.filter.as_ref();
        let bare = typed::Cards { filter: None, ..cards.clone() };
        let set = self.cards(&bare, env, span);
        let next = env.next;
        env.next = filter_from;
        let filter = filter.map(|filter| self.expr(filter, env));
        env.next = next;
        self.out.sets[set as usize].filter = filter;
        set
    }

    fn guard(&mut self, guard: &typed::Guard, params: &[Bind], env: &mut Env) -> engine::Guard {
        let node = self.expr(&guard.holds, env);
        let stage = stage_of(&guard.holds, params);
        let (kinds, once) = self.split(&guard.holds, node, params, stage, env);
        engine::Guard { name: guard.name.clone(), node, reason: guard.reason.clone(), stage, kinds, once }
    }

    /// A guard `card is not KIND or …` concerns that kind alone; what stands behind the `or` may be the same for all candidates.
    fn split(&mut self, holds: &Expr, node: NodeId, params: &[Bind], stage: u8, env: &mut Env) -> (Option<u64>, Option<NodeId>) {
        if stage == 0 {
            return (None, Some(node));
        }
        let ExprKind::Binary(typed::Binary::Or, first, rest) = &holds.kind else { return (None, None) };
        let ExprKind::Not(inner) = &first.kind else { return (None, None) };
        let ExprKind::IsKind(card, kind) = &inner.kind else { return (None, None) };
        match card.kind {
            ExprKind::Local(bind) if params.get(stage as usize - 1) == Some(&bind) => {
                let once = (stage_of(rest, params) == 0).then(|| self.expr(rest, env));
                (Some(1 << kind), once)
            }
            _ => (None, None),
        }
    }

    fn cost(&mut self, cost: &Cost, params: &[Bind], env: &mut Env) -> engine::Cost {
        match cost {
            Cost::Resource(amount, resource) => {
                engine::Cost { amount: self.expr(amount, env), resource: *resource as u8, tokens: None, stage: stage_of(amount, params) }
            }
            Cost::Tokens(price) => {
                let tokens = self.token_cost(price, env);
                let stage = stage_of(&price.amount, params).max(stage_of(&price.symbol, params));
                engine::Cost { amount: tokens.amount, resource: u8::MAX, tokens: Some(tokens), stage }
            }
        }
    }

    /// The score, who wins, and what a state is worth.
    pub fn ending(&mut self) {
        let tree: &Rules = self.tree;
        for (name, value) in &tree.score {
            let node = self.expr(value, &mut Env::from(1));
            self.out.score.push((name.clone(), node));
            self.out.score_spans.push(value.span);
        }
        self.out.tie_breaks = self.keys(&tree.tie_breaks, &mut Env::from(1));
        self.out.worth = tree.worth.as_ref().map(|worth| self.expr(worth, &mut Env::from(1)));
        self.out.rounds = tree.rounds.as_ref().map(|rounds| self.rounds(rounds));
    }
}

/// How many parameters must be known before an expression can be read.
fn stage_of(expr: &Expr, params: &[Bind]) -> u8 {
    let mut stage = 0;
    expr.walk(&mut |part| {
        if let ExprKind::Local(bind) = part.kind
            && let Some(at) = params.iter().position(|param| *param == bind)
        {
            stage = stage.max(at as u8 + 1);
        }
    });
    stage
}

#[cfg(test)]
mod tests {
    use crate::engine::ruleset::Part;
    use crate::lang::sample::lowered;

    #[test]
    fn the_program_goes_through_set_up_phases_and_the_end() {
        let (lowered, _) = lowered("", "", 2);
        let parts: Vec<&Part> = lowered.rules.program.iter().collect();
        assert!(
            matches!(parts[..], [Part::Do(_), Part::Deal, Part::Round, Part::Phase(0), Part::Turns(0), Part::RoundEnd(2), Part::Finish]),
            "{parts:?}"
        );
        assert_eq!((lowered.rules.score.len(), lowered.rules.tie_breaks.len()), (1, 1));
    }

    #[test]
    fn a_guard_says_what_it_needs_to_know() {
        let rules = concat!(
            "phase night { turns in order until all have passed\n",
            "action nap thing in row, other in row where other is not thing {\n",
            "needs dark: night\nneeds small: thing is not tower or moon > 2\nneeds near: other.height > thing.height\n",
            "cost other.height wisp\ndoes { remove thing }\n} }\n",
        );
        let (_, checked) = crate::lang::sample::checked(rules, "");
        let all: Vec<_> = checked.diagnostics.iter().map(|wrong| wrong.message.as_str()).collect();
        assert_eq!(all, ["phase `night` is in no round", "these turns might never end"], "only what is meant");
        let (lowered, _) = lowered("", "", 2);
        let fetch = &lowered.rules.actions[0];
        assert_eq!((fetch.params.len(), fetch.costs[0].stage, fetch.address.as_str()), (1, 1, "day.fetch"));
    }
}
