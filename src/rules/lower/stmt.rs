//! Lowers statements: each emits its ops in place. Statements that never run with this choice of players and options are left out.

use super::super::defs::DefId;
use super::super::typed::{BindingId, Block, Choice, Expr, Pick, Picks, Question, Stmt, StmtKind, Target, TokenPrice};
use super::{Bindings, GraphExpr, Lowerer, chance, choice, push, ranges, tallies};
use crate::cast;
use crate::engine::hidden::rests_on_hidden;
use crate::engine::op::{Cells, Op, Pc};
use crate::engine::ruleset::{self as engine, NodeId};
use crate::engine::tokens::{TokenCost, TokenPick};
use crate::source::Span;

/// Maximum number of passes of a `repeat until` loop.
const MAX_PASSES: i64 = 1000;

impl Lowerer<'_> {
    pub(super) fn emit(&mut self, op: Op) -> Pc {
        self.ruleset.ops.emit(op)
    }

    /// Emits a block as a named routine and returns its first op.
    pub(super) fn emit_routine(&mut self, name: impl Into<String>, block: &Block, env: &mut Bindings) -> Pc {
        let begin = self.ruleset.ops.begin_routine(name);
        self.emit_block(block, env);
        self.ruleset.ops.end_routine();
        begin
    }

    /// Emits a block of statements.
    pub(super) fn emit_block(&mut self, block: &Block, env: &mut Bindings) {
        let (bound, next, open) = (env.bound.len(), env.next, self.open_locals.len());
        block.iter().for_each(|stmt| self.emit_scoped_stmt(stmt, env));
        self.close_locals(open);
        env.bound.truncate(bound);
        env.next = next;
    }

    /// Emits `let NAME = VALUE`. A constant needs no local. A value that may rest on hidden cards has a second local, which holds the seats
    /// that do not know it.
    fn emit_local(&mut self, bind: BindingId, value: &Expr, env: &mut Bindings, span: Span) {
        let value = self.lower_expr(value, env);
        if self.value_of(value).is_some() {
            return env.bind_to(bind, value);
        }
        let is_card = self.tree.local_types.get(&bind).is_some_and(|ty| ty.is_piece());
        let private = !is_card && rests_on_hidden(self.ruleset, value);
        let local = self.bind(env, bind, span);
        if private {
            let unknown_to = self.bind(env, BindingId(u32::MAX), span);
            let [value, unknown_to] = [local, unknown_to].map(|local| self.make(GraphExpr::Local { local }));
            let guarded = self.make(GraphExpr::Private { value, unknown_to });
            env.bind_to(bind, guarded);
        }
        let set = self.emit(Op::Let { local, value, is_card, private, end: Default::default() });
        self.open_locals.push(set);
    }

    /// Ends the local names that were declared after the first `open` of them: the next operation is behind their block.
    pub(super) fn close_locals(&mut self, open: usize) {
        let here = self.ruleset.ops.next_pc();
        for at in self.open_locals.split_off(open) {
            let op = self.ruleset.ops.all.get_mut(at.0 as usize);
            if let Some(Op::Let { end, .. } | Op::LetRandom { end, .. } | Op::LetChance { end, .. }) = op {
                *end = here;
            }
        }
    }

    /// Emits the code of a statement; the names that it binds are unbound at its end.
    pub(super) fn emit_scoped_stmt(&mut self, stmt: &Stmt, env: &mut Bindings) {
        let (bound, next, outside) = (env.bound.len(), env.next, self.ruleset.ops.span);
        self.ruleset.ops.span = Some(stmt.span);
        self.emit_stmt(stmt, env);
        self.ruleset.ops.span = outside;
        // A local name stays to the end of the block.
        if matches!(stmt.kind, StmtKind::Let { .. } | StmtKind::LetRandom { .. } | StmtKind::LetChance { .. }) {
            return;
        }
        env.bound.truncate(bound);
        env.next = next;
    }

    fn emit_stmt(&mut self, stmt: &Stmt, env: &mut Bindings) {
        let op = match &stmt.kind {
            StmtKind::Op { op, operands } => {
                let made: Vec<NodeId> = operands.iter().map(|operand| self.lower_expr(operand, env)).collect();
                let op = op.clone().map_exprs(&mut |part| made[part.index()]);
                let raises_moments = op.raises_moments();
                self.emit(op);
                if !raises_moments {
                    return;
                }
                Op::Waiting
            }
            StmtKind::Noting { tally, block } => {
                self.emit_tally_amounts(*tally, engine::Write::Set);
                self.emit_block(block, env);
                return self.emit_tally_amounts(*tally, engine::Write::Sub);
            }
            StmtKind::PayMix { amount, resources } => {
                let amount = self.lower_expr(amount, env);
                let resources = resources.iter().map(|&resource| cast::fit::<u8>(resource)).collect();
                let mix = push(&mut self.ruleset.ops.mixes, resources);
                self.emit(Op::Mix { amount, mix });
                self.emit(Op::NextUnit { mix });
                Op::Waiting
            }
            StmtKind::Write { target: written, operator, value } => {
                let (target, value) = (self.lower_target(written, env), self.lower_expr(value, env));
                let value = if let Target::Variable(def) | Target::Counter(_, def) | Target::OfPlayer { variable: def, index: None, .. } =
                    written
                    && self.holds_player(*def)
                {
                    self.add_number(value, 1)
                } else {
                    value
                };
                Op::Write { written: Box::new((target, *operator, value)) }
            }
            StmtKind::ChangeSet { adds, card, set, word } => {
                let of = match card {
                    Some(card) => Cells::Piece(self.lower_expr(card, env)),
                    None if self.is_of_table(*set) => Cells::Table,
                    None => Cells::Seat(None),
                };
                Op::WriteWord { of, offset: self.slots.offset(*set), word: self.lower_expr(word, env), is_in: *adds }
            }
            StmtKind::Clear { card, variable } => return tallies::emit_clear(self, card.as_ref(), *variable, env),
            StmtKind::RemoveAll(cards) => Op::RemoveSet { set: self.add_card_set(cards, env, stmt.span) },
            StmtKind::PutList { card, list: field, place } => {
                Op::Put { card: self.lower_expr(card, env), field: self.slots.offset(*field), to: self.index(*place) }
            }
            StmtKind::Let { bind, value } => return self.emit_local(*bind, value, env, stmt.span),
            StmtKind::LetRandom { bind, cards } => return chance::emit_random_card(self, *bind, cards, env, stmt.span),
            StmtKind::LetChance { bind, domain, filter } => {
                return chance::emit_chance(self, *bind, (domain, filter.as_ref()), env, stmt.span);
            }
            StmtKind::Block(block) => return self.emit_block(block, env),
            StmtKind::If { condition: written, yes, no } => {
                let condition = self.lower_expr(written, env);
                // What only the cards of this game decide stays: its words are words of the rules all the same.
                let known = self.value_of(condition).and_then(|_| self.constant_value_in(written, env));
                match known {
                    Some(0) => no.iter().for_each(|no| self.emit_block(no, env)),
                    Some(_) => self.emit_block(yes, env),
                    None => {
                        let unless = self.ruleset.ops.emit_jump(|to| Op::Unless { condition, to });
                        self.emit_block(yes, env);
                        let over = no.as_ref().map(|_| self.ruleset.ops.emit_jump(|to| Op::Jump { to }));
                        self.ruleset.ops.bind_jump(unless);
                        no.iter().for_each(|no| self.emit_block(no, env));
                        over.into_iter().for_each(|over| self.ruleset.ops.bind_jump(over));
                    }
                }
                return;
            }
            StmtKind::ForWords { bind, words, block } if block.iter().all(|stmt| stmt.blocks().is_empty()) => {
                // The loop is unrolled: its word is constant in each copy.
                for &word in words {
                    let word = self.constant_node(word as i64);
                    env.bound.push((*bind, word));
                    self.emit_block(block, env);
                    env.bound.pop();
                }
                return;
            }
            StmtKind::ForWords { bind, words, block } => {
                let local = self.bind(env, *bind, stmt.span);
                let words = push(&mut self.ruleset.ops.words, words.as_slice().into());
                return self.emit_loop(Op::EachWord, |end| Op::NextWord { local, words, end }, block, env);
            }
            StmtKind::ForNumbers { bind, from, to, block } => {
                let [from, to] = [from, to].map(|bound| self.lower_expr(bound, env));
                let local = self.bind(env, *bind, stmt.span);
                return self.emit_loop(Op::EachNumber { from, to }, |end| Op::NextNumber { local, end }, block, env);
            }
            StmtKind::ForCards { cards, block } => {
                let set = self.add_card_set(cards, env, stmt.span);
                let local = self.ruleset.sets[set as usize].local;
                return self.emit_loop(Op::EachCard { set }, |end| Op::NextCard { local, end }, block, env);
            }
            StmtKind::RepeatUntil { condition, block } => {
                let (most, condition) = (self.constant_node(MAX_PASSES), self.lower_expr(condition, env));
                return self.emit_loop(Op::Repeat { times: most }, |end| Op::Until { condition, end }, block, env);
            }
            StmtKind::Repeat { times, block } => {
                let times = self.lower_expr(times, env);
                return self.emit_loop(Op::Repeat { times }, |end| Op::NextTime { end }, block, env);
            }
            StmtKind::EachPlayer { whom, direction, from, filter, block } => {
                let [from, filter] = [from, filter].map(|part| part.as_ref().map(|part| self.lower_expr(part, env)));
                let begin = Op::EachPlayer { whom: *whom, direction: *direction, from };
                return self.emit_loop(begin, |end| Op::NextPlayer { filter, end }, block, env);
            }
            StmtKind::AllPlayers { whom, secretly, filter, block } => {
                let (whom, secretly) = (*whom, *secretly);
                let filter = filter.as_ref().map(|filter| self.lower_expr(filter, env));
                let nobody = self.ruleset.ops.emit_jump(|to| Op::Simultaneous { whom, filter, secretly, end: to });
                let first = self.ruleset.ops.next_pc();
                self.emit_block(block, env);
                self.emit(Op::NextSimultaneous { body: first });
                // Listeners run when all players have acted.
                self.emit(Op::Waiting);
                return self.ruleset.ops.bind_jump(nobody);
            }
            StmtKind::As { player, block } => {
                let seat = self.lower_expr(player, env);
                let nobody = self.ruleset.ops.emit_jump(|end| Op::As { seat, end });
                self.emit_block(block, env);
                self.emit(Op::EndAs);
                return self.ruleset.ops.bind_jump(nobody);
            }
            StmtKind::Show { cards, to } => {
                let to = to.map(|player| self.lower_expr(player, env));
                Op::Show { set: self.add_card_set(cards, env, stmt.span), to }
            }
            StmtKind::ShowValue { value, owner, to } => {
                let to = to.map(|player| self.lower_expr(player, env));
                let owner = owner.as_ref().map(|owner| self.lower_expr(owner, env));
                Op::ShowValue { secret: ranges::index_of_secret(self, *value), owner, to }
            }
            StmtKind::Ask(question) => return self.emit_question(question, env),
            StmtKind::Do { effect, args } => {
                let args = args.iter().map(|arg| self.lower_expr(arg, env)).collect();
                Op::Call { effect: self.index(*effect), args }
            }
            StmtKind::Shuffle { cards, stacking, deck, pile } => {
                let set = cards.as_ref().map(|cards| self.add_card_set(cards, env, stmt.span));
                Op::Shuffle { set, stacking: *stacking, deck: self.index(*deck), pile: self.lower_expr(pile, env) }
            }
            StmtKind::MoveTokens { amount, at_random, tokens, from, to } => {
                let amount = amount.as_ref().map(|amount| self.lower_expr(amount, env));
                let (set, from, to) = (self.add_token_set(tokens, env), self.pool_index(*from), self.pool_index(*to));
                Op::Take { amount, at_random: *at_random, set, from, to }
            }
            StmtKind::MoveOne { bind, to } => Op::MoveOne { local: self.local_of(*bind, env), to: self.pool_index(*to) },
            StmtKind::LiftAll { tokens, pool } => Op::Lift { set: self.add_token_set(tokens, env), pool: self.pool_index(*pool) },
            StmtKind::LiftOne(bind) => Op::LiftOne { local: self.local_of(*bind, env) },
            StmtKind::Spend(price) => {
                let cost = self.lower_token_cost(price, env);
                return self.emit_spend(cost);
            }
            StmtKind::Pick(pick) => return self.pick_tokens(pick, env, stmt.span),
        };
        self.emit(op);
    }

    /// Emits ops that add the amounts of all resources to a tally, or subtract them.
    fn emit_tally_amounts(&mut self, tally: DefId, operator: engine::Write) {
        let (offset, len) = self.slots.get(tally).map_or((0, 0), |slot| (slot.offset, slot.len));
        for resource in 0..self.ruleset.resources.len() {
            let index = self.constant_node(cast::count(resource));
            let amount = self.make(GraphExpr::Own { offset: cast::fit::<u16>(resource) });
            let target = engine::Target { of: Cells::Seat(None), offset, element: Some((len, index)) };
            self.emit(Op::Write { written: Box::new((target, operator, amount)) });
        }
    }

    /// Emits a loop: the op that starts it, the op that advances it, and its body.
    fn emit_loop(&mut self, begin: Op, next: impl Fn(Pc) -> Op, block: &Block, env: &mut Bindings) {
        self.emit(begin);
        let again = self.ruleset.ops.next_pc();
        let next = self.ruleset.ops.emit_jump(next);
        self.emit_block(block, env);
        self.emit(Op::Jump { to: again });
        self.ruleset.ops.bind_jump(next);
    }

    fn lower_target(&mut self, target: &Target, env: &mut Bindings) -> engine::Target {
        let cells_of = |def: DefId| if self.is_of_table(def) { Cells::Table } else { Cells::Seat(None) };
        let (of, def, index) = match target {
            Target::Variable(def) => (cells_of(*def), *def, None),
            Target::TallyItem(def, index) => (cells_of(*def), *def, Some(tallies::lower_index(self, *def, index, env))),
            Target::OfPlayer { player, variable, index } => {
                let seat = self.lower_expr(player, env);
                let index = index.as_ref().map(|index| tallies::lower_index(self, *variable, index, env));
                (Cells::Seat(Some(seat)), *variable, index)
            }
            Target::Counter(card, def) => (Cells::Piece(self.lower_expr(card, env)), *def, None),
            Target::CounterItem(card, def, index) => {
                let card = self.lower_expr(card, env);
                (Cells::Piece(card), *def, Some(tallies::lower_index(self, *def, index, env)))
            }
        };
        let (offset, len) = self.slots.get(def).map_or((0, 0), |slot| (slot.offset, slot.len));
        engine::Target { of, offset, element: index.map(|index| (len, index)) }
    }

    /// Emits the payment of a price in symbols.
    pub(super) fn emit_spend(&mut self, cost: TokenCost) {
        self.emit(Op::Spend { cost });
        self.emit(Op::NextPayer { from: cost.from, to: cost.to });
    }

    pub(super) fn lower_token_cost(&mut self, price: &TokenPrice, env: &mut Bindings) -> TokenCost {
        let (amount, symbol) = (self.lower_expr(&price.amount, env), self.lower_expr(&price.symbol, env));
        TokenCost { amount, symbol, from: self.pool_index(price.from), to: self.pool_index(price.to) }
    }

    /// Emits a question: the question, the code of each choice, the code for no choice, and the end at which they meet.
    fn emit_question(&mut self, question: &Question, env: &mut Bindings) {
        // The index of each answer, and the names that are bound in its body.
        let mut lowered: Vec<(u16, Bindings)> = Vec::new();
        for answer in &question.choices {
            let mut there = env.clone();
            let made = choice::lower_choice(self, answer, question.id.clone(), &mut there);
            lowered.push((self.checked_index(self.ruleset.choices.len(), "answers and actions", answer.span), there));
            self.ruleset.choices.push(made);
        }
        let answers = question.choices.iter().zip(lowered.iter().map(|(index, _)| *index));
        // Answers of one key are numbered, but for one of several fixed words, beside a text that can read alike.
        let fixed = |choice: &Choice| choice.text.is_none() && choice.name.contains(' ');
        choice::report_common_keys(self, answers, |one, other| fixed(one) && other.text.is_some() || fixed(other) && one.text.is_some());
        let (id, title, may, picks) = (question.id.clone(), question.title.clone(), question.may, question.picks.is_some());
        let choices = lowered.iter().map(|(index, _)| *index).collect();
        let asked = self.add_question(engine::Question { id, title, may, picks, choices }, env);
        let list = push(&mut self.ruleset.ops.choices, Box::default());
        if let Some(Picks { least, most }) = &question.picks {
            let [least, most] = [least, most].map(|number| number.as_ref().map(|number| self.lower_expr(number, env)));
            self.emit(Op::Picks { question: asked, least, most });
        }
        let ask = self.emit(if picks { Op::NextPick { question: asked, list } } else { Op::Ask { question: asked, list } });
        let mut begins = Vec::with_capacity(lowered.len() + 2);
        let mut over = Vec::new();
        for (choice, (index, mut there)) in question.choices.iter().zip(lowered) {
            begins.push(self.ruleset.ops.next_pc());
            choice::emit_costs(self, index);
            self.emit_block(&choice.body, &mut there);
            if picks {
                self.emit(Op::Jump { to: ask });
            } else {
                over.push(self.ruleset.ops.emit_jump(|to| Op::Jump { to }));
            }
        }
        begins.push(self.ruleset.ops.next_pc());
        question.otherwise.iter().for_each(|otherwise| self.emit_block(otherwise, env));
        over.into_iter().for_each(|over| self.ruleset.ops.bind_jump(over));
        begins.push(self.ruleset.ops.next_pc());
        self.ruleset.ops.choices[list as usize] = begins.into();
    }

    fn add_question(&mut self, question: engine::Question, env: &Bindings) -> u32 {
        self.question_bindings.push(env.clone());
        push(&mut self.ruleset.questions, question)
    }

    fn pick_tokens(&mut self, pick: &Pick, env: &mut Bindings, span: Span) {
        let set = self.add_token_set(&pick.tokens, env);
        let least = self.lower_or(pick.least.as_ref(), 0, env);
        let local = self.bind(env, pick.bind, span);
        let question =
            self.add_question(engine::Question { id: pick.id.clone(), title: None, may: false, picks: true, choices: Vec::new() }, env);
        let pools = pick.pools.iter().map(|&pool| self.pool_index(pool)).collect();
        let most = pick.exactly.then_some(least);
        let index = push(&mut self.ruleset.ops.picks, TokenPick { question, set, pools, least, most, local });
        self.emit_loop(Op::PickTokens { pick: index }, |end| Op::NextToken { pick: index, end }, &pick.block, env);
    }

    /// Redirects calls of effects with no remaining code to the op after the call.
    pub fn skip_idle_calls(&mut self) {
        let ops = &mut self.ruleset.ops;
        let idle: Vec<bool> = self.ruleset.effects.iter().map(|effect| ops.routine(effect.first_op).is_empty()).collect();
        for (at, op) in ops.all.iter_mut().enumerate() {
            if matches!(op, Op::Call { effect, .. } if idle[*effect as usize]) {
                *op = Op::Jump { to: Pc(cast::fit::<u32>(at) + 1) };
            }
        }
    }

    /// Returns the local of a parameter, if the node reads one.
    pub(super) fn as_local(&self, node: NodeId) -> Option<u8> {
        if let GraphExpr::Local { local } = self.ruleset.graph[node] { Some(local) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Ruleset;
    use crate::engine::op::{Op, Pc};
    use crate::testing::lowered;

    /// Returns the operations of the effect `main` in additional rules, each with its jump target, counted from the first: `Unless>3`.
    fn ops(rules: &str, players: usize) -> (Ruleset, Pc, String) {
        let rules = lowered(rules, "", players).rules;
        let begin = rules.effects.iter().find(|found| found.name == "main").unwrap().first_op;
        let shown = |op: &Op| {
            let text = format!("{op:?}");
            let to = text.split_once("Pc(").and_then(|(_, rest)| rest.split(')').next()?.parse::<u32>().ok());
            let name = text.split([' ', '(']).next().unwrap_or("");
            to.map_or(name.to_string(), |to| format!("{name}>{}", i64::from(to) - i64::from(begin.0)))
        };
        let shown = rules.ops.routine(begin).iter().map(shown).collect::<Vec<_>>().join(" ");
        (rules, begin, shown)
    }

    #[test]
    fn statements_become_operations() {
        for (body, players, wanted) in [
            // What never runs is left out.
            ("do rare; if players == 2 { moon = 2; night = yes } else { moon = 3 }", 2, "Jump>1 Write Write"),
            ("do rare; if players == 2 { moon = 2; night = yes } else { moon = 3 }", 3, "Call Write"),
            // What cards alone decide is left in: no card has a bite above 2, and every one that has any has the same.
            (
                "each card in row { if card.bite > 2 { player chooses { \"flee\" { moon = 1 } } } }",
                2,
                "EachCard NextCard>7 Unless>6 Ask Write Jump>6 Jump>1",
            ),
            ("each card in row { if players == 3 and card.bite > 2 { moon = 1 } }", 2, "EachCard NextCard>3 Jump>1"),
            // A branch goes on behind itself.
            ("if moon > 0 { gain 1 wisp } else { gain 1 moss }; moon = 5", 2, "Unless>3 Gain Jump>4 Gain Write"),
            // A loop comes back until it has ended.
            ("repeat 3 { each card in row { remove card } }", 2, "Repeat NextTime>7 EachCard NextCard>6 Remove Jump>3 Jump>1"),
            // What is done for each word is laid for each, unless it asks.
            ("for r in wisp, moss { gain 2 r; lose 1 r }", 2, "Gain Lose Gain Lose"),
            ("for r in wisp, moss { player chooses { \"a\" { gain 1 r } } }", 2, "EachWord NextWord>6 Ask Gain Jump>5 Jump>1"),
            // Choices go on behind the question.
            (CHOICES, 2, "Ask Gain Jump>6 Remove Jump>6 Gain"),
        ] {
            let rules = format!("effect rare {{ if players == 3 {{ moon = 1 }} }}\neffect main {{ {body} }}\n");
            assert_eq!(ops(&rules, players).2, wanted, "{body}");
        }
    }

    const CHOICES: &str = "player chooses { \"a\" { gain 1 wisp } each card in my yard { remove card } else { gain 1 moss } }";

    #[test]
    fn a_question_knows_its_choices_and_where_they_go_on() {
        let (rules, begin, _) = ops(&format!("effect main {{ {CHOICES} }}\n"), 2);
        let Op::Ask { question: asked, list } = rules.ops.routine(begin)[0] else { panic!("a question") };
        assert_eq!(rules.ops.choices[list as usize][..], [1, 3, 5, 6].map(|offset| Pc(begin.0 + offset)));
        let question = &rules.questions[asked as usize];
        assert_eq!((question.id.as_str(), question.may, question.choices.len()), ("main", false, 2));
    }

    #[test]
    fn what_is_laid_for_each_word_has_the_number_of_each() {
        let (rules, begin, _) = ops("effect main { for r in wisp, moss { gain 2 r; lose 1 r } }\n", 2);
        let [Op::Gain { resource: first, .. }, Op::Lose { .. }, Op::Gain { resource: second, .. }, Op::Lose { .. }] =
            *rules.ops.routine(begin)
        else {
            panic!("four")
        };
        assert!(matches!([first, second].map(|word| rules.graph.constant(word)), [Some(a), Some(b)] if a != b));
    }

    #[test]
    fn each_operation_knows_its_place() {
        let (rules, begin, _) = ops("effect main { if players == 2 { moon = 2; night = yes } else { moon = 3 } }\n", 2);
        assert_eq!(rules.ops.spans.len(), rules.ops.all.len());
        assert!(rules.ops.span(begin).is_some() && rules.ops.span(Pc(begin.0 + 2)).is_none(), "nobody wrote the return");
    }
}
