//! What the game goes through: set-up, rounds, phases, steps, turns with their actions, and the score.

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::Diagnostic;
use crate::engine::options::MOST_PARAMS;
use crate::engine::ruleset::{Action, Cost, Guard, Node, NodeId, OrderKey, Param, Part, Stmt, Turns, VariableSort};
use crate::engine::tokens::TokenCost;
use crate::source::Span;

impl Compiler<'_> {
    /// The number of rounds, before anything that asks for it.
    pub(super) fn read_rounds(&mut self, tree: &Block) -> Option<Vec<(String, Span)>> {
        let statement = tree.statements.iter().find(|s| s.head() == Some("rounds"))?;
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        match self.rounds(&mut cursor) {
            Ok(phases) => Some(phases),
            Err(wrong) => {
                self.diagnostics.push(*wrong);
                None
            }
        }
    }

    fn rounds(&mut self, cursor: &mut Cursor<'_>) -> Result<Vec<(String, Span)>, Wrong> {
        let span = cursor.span();
        let (rounds, sort) = self.expr(cursor, &mut Scope::from(1))?;
        self.must_be(sort, &[Type::Number], span)?;
        self.rules.rounds = Some(rounds);
        cursor.expect_word("of")?;
        let mut phases = Vec::new();
        loop {
            let (name, span) = cursor.expect_name("a phase")?;
            phases.push((name.to_string(), span));
            if !cursor.take_comma() {
                cursor.expect_end()?;
                return Ok(phases);
            }
        }
    }

    /// Set-up, then the phases of each round, then the end.
    pub(super) fn program(&mut self, tree: &Block, phases: &[(String, Span)]) {
        for statement in tree.statements.iter().filter(|s| s.head() == Some("setup")) {
            if let Some(block) = statement.terms.get(1).and_then(Term::block) {
                self.context = "setup".into();
                for inner in &block.statements {
                    let parts = match inner.terms.get(2).and_then(Term::block) {
                        Some(step) if inner.head() == Some("step") => &step.statements,
                        _ => std::slice::from_ref(inner),
                    };
                    for part in parts {
                        self.part(part);
                    }
                }
            }
        }
        self.rules.program.push(Part::Deal);
        let back = self.rules.program.len() as u32;
        self.rules.program.push(Part::Round);
        for (name, span) in phases {
            let found = tree.statements.iter().find(|s| s.head() == Some("phase") && s.terms.get(1).is_some_and(|t| t.is_word(name)));
            let Some(statement) = found else {
                let known: Vec<String> = tree
                    .statements
                    .iter()
                    .filter(|s| s.head() == Some("phase"))
                    .filter_map(|s| s.terms.get(1)?.word().map(String::from))
                    .collect();
                let wrong = self.unknown_of(name, *span, "a phase", known.iter().map(String::as_str));
                self.diagnostics.push(*wrong);
                continue;
            };
            self.rules.phases.push(name.clone());
            self.rules.program.push(Part::Phase(self.rules.phases.len() as u16 - 1));
            match statement.terms.get(2).and_then(Term::block) {
                Some(block) => self.phase(name, block),
                None => self.diagnostics.push(Diagnostic::error("R002", statement.span, "a phase has its steps in braces")),
            }
        }
        self.rules.program.push(Part::RoundEnd(back));
        self.rules.program.push(Part::Finish);
        for statement in tree.statements.iter().filter(|s| s.head() == Some("phase")) {
            if let Some(word) = statement.terms.get(1).and_then(Term::word)
                && !phases.iter().any(|p| p.0 == word)
            {
                self.diagnostics.push(
                    Diagnostic::warning("R014", statement.span, format!("phase `{word}` is in no round"))
                        .help("name it in `rounds … of …`"),
                );
            }
        }
    }

    /// A statement as a part of the program: a loop over players is a part for each of them.
    fn part(&mut self, statement: &Statement) {
        match self.statement(statement, &mut Scope::from(1)) {
            Ok(Stmt::EachPlayer(direction, filter, body)) => self.rules.program.push(Part::Each(direction, filter, body)),
            Ok(stmt) => {
                let body = self.add_body(vec![stmt]);
                self.rules.program.push(Part::Do(body));
            }
            Err(wrong) => self.diagnostics.push(*wrong),
        }
    }

    fn phase(&mut self, phase: &str, block: &Block) {
        for statement in &block.statements {
            let result = match statement.head() {
                Some("step") => self.step(phase, statement),
                Some("turns") => self.turns(phase, statement, block),
                Some("action" | "free" | "before") => Ok(()),
                _ => {
                    self.context = phase.to_string();
                    self.part(statement);
                    Ok(())
                }
            };
            self.note(result);
        }
    }

    fn step(&mut self, phase: &str, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, _) = cursor.expect_name("the step's name")?;
        let when = cursor.is_word("when");
        let mut condition = None;
        if when || cursor.is_word("unless") {
            cursor.next();
            let span = cursor.span();
            let (node, sort) = self.expr(&mut cursor, &mut Scope::from(1))?;
            self.must_be(sort, &[Type::Truth], span)?;
            condition = Some(if when { node } else { self.node(Node::Not(node)) });
        }
        let block = cursor.expect_block("its statements in braces")?;
        cursor.expect_end()?;
        let index = self.rules.steps.len() as u16;
        let begin = self.rules.program.len() as u32;
        self.rules.steps.push((format!("{phase}.{name}"), begin, begin));
        self.rules.program.push(Part::Step(index, condition, 0));
        self.context = name.to_string();
        for inner in &block.statements {
            self.part(inner);
        }
        self.rules.program.push(Part::StepEnd(index));
        let end = self.rules.program.len() as u32;
        self.rules.program[begin as usize] = Part::Step(index, condition, end);
        self.rules.steps[index as usize].2 = end;
        Ok(())
    }

    /// `turns in order until all have passed, 1 each`.
    fn turns(&mut self, phase: &str, statement: &Statement, block: &Block) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        if !cursor.take_words(&["turns", "in", "order", "until", "all", "have"]) {
            return Err(cursor.expected("`turns in order until all have FLAG`"));
        }
        let (flag, span) = cursor.expect_name("a flag of the player")?;
        let passed = match self.symbol(flag) {
            Some(Symbol::SeatVariable(index)) if self.rules.seat[*index].sort == VariableSort::Flag => self.rules.seat[*index].offset,
            _ => return Err(self.unknown(flag, span, "a flag of the player")),
        };
        let actions_each = if cursor.take_comma() {
            let span = cursor.span();
            let (node, sort) = self.expr(&mut cursor, &mut Scope::from(1))?;
            self.must_be(sort, &[Type::Number], span)?;
            cursor.expect_word("each")?;
            node
        } else {
            self.node(Node::Const(1))
        };
        cursor.expect_end()?;
        let taken = self.rules.seat.iter().find(|v| v.name == "turns").map(|v| v.offset);
        let first = match block.statements.iter().find(|s| s.head() == Some("before")) {
            Some(before) => {
                let mut cursor = Cursor::new(&before.terms, before.span);
                if !cursor.take_words(&["before", "first", "action"]) {
                    return Err(cursor.expected("`before first action` and a block"));
                }
                let body = cursor.expect_block("its statements in braces")?;
                cursor.expect_end()?;
                if taken.is_none() {
                    let wrong = Diagnostic::error("R006", before.span, "nothing counts the turns of a player");
                    return Err(Box::new(wrong.help("declare `player { each round { counter turns } }`")));
                }
                self.context = format!("{phase}.first");
                Some(self.body(body, &mut Scope::from(1)))
            }
            None => None,
        };
        let index = self.rules.turns.len() as u16;
        self.rules.turns.push(Turns { question: phase.to_string(), passed, taken, first, actions_each, actions: Vec::new() });
        for inner in block.statements.iter().filter(|s| matches!(s.head(), Some("action" | "free"))) {
            match self.action(phase, inner) {
                Ok(action) => {
                    self.rules.actions.push(action);
                    let action = self.rules.actions.len() as u16 - 1;
                    self.rules.turns[index as usize].actions.push(action);
                }
                Err(wrong) => self.diagnostics.push(*wrong),
            }
        }
        let always = self.rules.turns[index as usize].actions.iter().any(|&a| {
            let action = &self.rules.actions[a as usize];
            action.params.is_empty() && action.guards.is_empty() && action.costs.is_empty() && !action.free
        });
        if !always {
            self.diagnostics.push(
                Diagnostic::error("R015", statement.span, "these turns might never end")
                    .label("no action is always allowed")
                    .help("add one without parameters, guards and costs: `action pass { does { passed = yes } }`"),
            );
        }
        self.rules.program.push(Part::Turns(index));
        Ok(())
    }

    fn action(&mut self, phase: &str, statement: &Statement) -> Result<Action, Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let free = cursor.take_word("free");
        cursor.expect_word("action")?;
        let (word, _) = cursor.expect_name("the action's name")?;
        let name = self.rules.names.add(word);
        self.context = word.to_string();
        let mut scope = Scope::from(1 + MOST_PARAMS);
        let mut params: Vec<Param> = Vec::new();
        while cursor.peek().is_some_and(|t| t.block().is_none()) {
            if params.len() == MOST_PARAMS {
                return Err(Box::new(Diagnostic::error("R008", cursor.span(), "an action has three parameters at most")));
            }
            let maybe = cursor.take_word("maybe");
            let (mut name, _) = cursor.expect_name("a name for what is chosen")?;
            let mut word = None;
            if !cursor.is_word("in") {
                word = Some(self.rules.names.add(name));
                name = cursor.expect_name("a name for what is chosen")?.0;
            }
            cursor.expect_word("in")?;
            let local = 1 + params.len() as u8;
            let set = self.cards(&mut cursor, &mut scope, local, name)?;
            params.push(Param { set, maybe, word });
            let node = self.node(Node::Local(local));
            scope.bound.push((name.to_string(), node, Type::Card));
            if !cursor.take_comma() {
                break;
            }
        }
        let block = cursor.expect_block("its guards, costs and what it does, in braces")?;
        cursor.expect_end()?;
        let mut action =
            Action { name, address: format!("{phase}.{word}"), free, params, guards: Vec::new(), costs: Vec::new(), body: 0, acting: None };
        let mut does = None;
        for inner in &block.statements {
            let result = match inner.head().unwrap_or("") {
                "needs" => self.guard(inner, &mut scope).map(|guard| action.guards.push(guard)),
                "cost" => self.cost(inner, &mut scope).map(|cost| action.costs.push(cost)),
                "does" => match inner.terms.get(1).and_then(Term::block) {
                    Some(block) => {
                        let body = self.body(block, &mut scope.clone());
                        does = Some(body);
                        Ok(())
                    }
                    None => Err(Box::new(Diagnostic::error("R002", inner.span, "`does` has its statements in braces"))),
                },
                other => Err(self.unknown_of(other, inner.span, "part of an action", ["needs", "cost", "does"])),
            };
            self.note(result);
        }
        let Some(body) = does else {
            return Err(Box::new(
                Diagnostic::error("R006", statement.span, format!("action `{word}` does nothing")).help("add `does { … }`"),
            ));
        };
        action.body = body;
        action.acting = self.rules.bodies[body as usize].iter().find_map(|stmt| match stmt {
            Stmt::CardActs(node) => match self.rules.nodes[*node as usize] {
                Node::Local(local) => Some(local - 1),
                _ => None,
            },
            _ => None,
        });
        if action.guards.len() > crate::engine::options::MOST_GUARDS {
            return Err(Box::new(Diagnostic::error("R008", statement.span, "an action has 16 guards at most")));
        }
        if action.costs.iter().filter(|cost| cost.tokens.is_some()).count() > 1 {
            return Err(Box::new(
                Diagnostic::error("R008", statement.span, "an action has one price in tokens at most")
                    .help("let `does` spend the rest, and a guard see to it that it can be paid"),
            ));
        }
        if action.costs.len() > 4 {
            return Err(Box::new(Diagnostic::error("R008", statement.span, "an action has four costs at most")));
        }
        Ok(action)
    }

    /// `needs NAME: TRUTH "reason"`.
    fn guard(&mut self, statement: &Statement, scope: &mut Scope) -> Result<Guard, Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the guard's name")?;
        if !cursor.take_colon() {
            return Err(cursor.expected("a colon and the condition"));
        }
        let kept = scope.next;
        let (node, sort) = self.expr(&mut cursor, scope)?;
        scope.next = kept;
        self.must_be(sort, &[Type::Truth], span)?;
        let reason = cursor.take_text().map_or_else(|| format!("needs {name}"), |t| t.0.to_string());
        cursor.expect_end()?;
        let stage = self.stage_of(node);
        let (kinds, once) = self.split_guard(node, stage);
        Ok(Guard { name: name.to_string(), node, reason, stage, kinds, once })
    }

    /// A guard `card is not KIND or …` concerns that kind alone; what stands behind the `or` may be the same for all candidates.
    fn split_guard(&self, node: NodeId, stage: u8) -> (Option<u64>, Option<NodeId>) {
        if stage == 0 {
            return (None, Some(node));
        }
        let Node::Or(first, rest) = self.rules.nodes[node as usize] else { return (None, None) };
        let Node::Not(inner) = self.rules.nodes[first as usize] else { return (None, None) };
        let Node::IsKind(card, kinds) = self.rules.nodes[inner as usize] else { return (None, None) };
        match self.rules.nodes[card as usize] {
            Node::Local(local) if local == stage => (Some(kinds), (self.stage_of(rest) == 0).then_some(rest)),
            _ => (None, None),
        }
    }

    fn cost(&mut self, statement: &Statement, scope: &mut Scope) -> Result<Cost, Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let span = cursor.span();
        let kept = scope.next;
        let (amount, sort) = self.expr(&mut cursor, scope)?;
        scope.next = kept;
        self.must_be(sort, &[Type::Number], span)?;
        let of_resource = cursor.peek().and_then(Term::word).is_some_and(|word| self.resource_index(word).is_some())
            && !cursor.terms.get(cursor.at + 1).is_some_and(|term| term.is_word("from"));
        if !self.rules.symbols.is_empty() && !of_resource {
            let symbol = self.symbol_slot(&mut cursor, scope)?;
            cursor.expect_word("from")?;
            let from = self.pool_named(&mut cursor)?;
            cursor.expect_word("to")?;
            let to = self.pool_named(&mut cursor)?;
            cursor.expect_end()?;
            let stage = self.stage_of(amount).max(self.stage_of(symbol));
            return Ok(Cost { amount, resource: u8::MAX, tokens: Some(TokenCost { amount, symbol, from, to }), stage });
        }
        let (word, at) = cursor.expect_name("a resource")?;
        let Some(resource) = self.resource_index(word) else {
            let names: Vec<String> = self.rules.resources.iter().map(|&n| self.rules.names.text(n).to_string()).collect();
            return Err(self.unknown_of(word, at, "a resource", names.iter().map(String::as_str)));
        };
        cursor.expect_end()?;
        let stage = self.stage_of(amount);
        Ok(Cost { amount, resource: resource as u8, tokens: None, stage })
    }

    /// How many parameters an expression of an action must know.
    fn stage_of(&self, node: NodeId) -> u8 {
        let mut stage = 0;
        self.visit(node, &mut |node| {
            if let Node::Local(local) = node
                && (1..=MOST_PARAMS as u8).contains(local)
            {
                stage = stage.max(*local);
            }
        });
        stage
    }

    /// The score, who wins, and what a state is worth.
    pub(super) fn ending(&mut self, tree: &Block) {
        for statement in &tree.statements {
            let result = match statement.head() {
                Some("score") => self.score(statement),
                Some("wins") => self.wins(statement),
                _ => Ok(()),
            };
            self.note(result);
        }
        for statement in tree.statements.iter().filter(|s| s.head() == Some("worth")) {
            let result = self.worth(statement);
            self.note(result);
        }
    }

    fn score(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let Some(block) = statement.terms.get(1).and_then(Term::block) else {
            return Err(Box::new(Diagnostic::error("R002", statement.span, "`score` has its rows in braces")));
        };
        for row in &block.statements {
            let mut cursor = Cursor::new(&row.terms, row.span);
            let Some((name, _)) = cursor.take_text() else { return Err(cursor.expected("the row's name in quotes")) };
            if !cursor.take_op(Op::Assign) {
                return Err(cursor.expected("`=`"));
            }
            let (node, sort) = self.expr(&mut cursor, &mut Scope::from(1))?;
            cursor.expect_end()?;
            self.must_be(sort, &[Type::Number], row.span)?;
            self.rules.score.push((name.to_string(), node));
        }
        Ok(())
    }

    fn wins(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        if !cursor.take_words(&["wins", "highest", "score"]) {
            return Err(cursor.expected("`wins highest score`"));
        }
        self.rules.tie_breaks =
            if cursor.take_comma() { self.order_keys(&mut cursor, &mut Scope::from(1))? } else { vec![OrderKey::Present] };
        cursor.expect_end()
    }

    fn worth(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        if !matches!(cursor.next().map(|t| &t.kind), Some(TermKind::Op(Op::Assign))) {
            return Err(cursor.expected("`=`"));
        }
        let found = self.whole_expr(&statement.terms[cursor.at..], statement.span, &mut Scope::from(1), &[Type::Number, Type::Milli])?;
        let (node, _) = self.thousandfold(found);
        self.rules.worth = Some(node);
        Ok(())
    }
}
