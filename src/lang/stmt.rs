//! Statements: terms matched against the verb table, compiled to [`Stmt`]s.

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Filled, Wrong};
use super::scope::{Scope, Symbol, Type};
use super::verbs::{Verb, VerbId, table};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{BodyId, Choice, Direction, Node, Offer, Question, Stmt, Target, VariableSort, Write};
use crate::engine::tokens::{TokenCost, TokenPick, TokenStmt};
use crate::source::Span;

impl Compiler<'_> {
    /// A body; faults of single statements are noted and the rest still read.
    pub(super) fn body(&mut self, block: &Block, scope: &mut Scope) -> BodyId {
        let mut stmts = Vec::new();
        for statement in &block.statements {
            match self.statement(statement, scope) {
                Ok(stmt) => stmts.push(stmt),
                Err(wrong) => self.diagnostics.push(*wrong),
            }
        }
        self.add_body(stmts)
    }

    pub(super) fn add_body(&mut self, stmts: Vec<Stmt>) -> BodyId {
        self.rules.bodies.push(stmts.into());
        self.rules.bodies.len() as BodyId - 1
    }

    pub(super) fn statement(&mut self, statement: &Statement, scope: &mut Scope) -> Result<Stmt, Wrong> {
        let kept = scope.clone();
        let result = self.statement_in(statement, scope);
        *scope = kept;
        result
    }

    fn statement_in(&mut self, statement: &Statement, scope: &mut Scope) -> Result<Stmt, Wrong> {
        let span = statement.span;
        let mut cursor = Cursor::new(&statement.terms, span);
        if let Some(at) = statement.terms.iter().position(|t| matches!(t.kind, TermKind::Op(Op::Assign | Op::PlusAssign | Op::MinusAssign)))
        {
            return self.assignment(&statement.terms, at, span, scope);
        }
        let Some(head) = statement.terms.first().and_then(Term::word) else {
            return Err(cursor.expected("a statement, which begins with a verb"));
        };
        if statement.terms.get(1).is_some_and(|t| t.is_word("acts")) && statement.terms.len() == 2 {
            let card = self.card_named(head, span, scope)?;
            return Ok(Stmt::CardActs(card));
        }
        if head == "if" || head == "unless" {
            return self.condition_stmt(&mut cursor, scope);
        }
        if head == "remove"
            && statement.terms.len() == 2
            && let Some(word) = statement.terms[1].word()
            && let Some((node, Type::Card)) = scope.find(word)
        {
            return Ok(Stmt::Remove(node));
        }
        let rows: Vec<&Verb> = table().iter().filter(|v| v.sort == "statement" && v.pattern.split(' ').next() == Some(head)).collect();
        if rows.is_empty() {
            let mut known: Vec<&str> =
                table().iter().filter(|v| v.sort == "statement").filter_map(|v| v.pattern.split(' ').next()).collect();
            known.extend(self.rules.effects.iter().map(|e| e.name.as_str()));
            let mut wrong = Diagnostic::error("R012", statement.terms[0].span, format!("no statement begins with `{head}`"))
                .label("unknown verb")
                .meant(nearest(head, known));
            if self.rules.effects.iter().any(|e| e.name == head) {
                wrong = wrong.help(format!("write `do {head}`"));
            }
            return Err(Box::new(wrong));
        }
        let found = self.match_verbs(&rows, &mut cursor, scope, true)?;
        let direction = if found.taken(0) { Direction::Reverse } else { Direction::Forward };
        Ok(match found.id {
            VerbId::Gain => Stmt::Gain(found.node(0), found.node(1)),
            VerbId::Lose => {
                let name = found.name(0).map(|n| n.as_ref().to_string());
                Stmt::Lose(found.node(0), found.node(1), name.map(|n| self.named(&n)))
            }
            VerbId::Pay => Stmt::Pay(found.node(0), found.node(1)),
            VerbId::PayMix => Stmt::PayMix(found.node(0), found.resources().into_iter().map(|r| r as u8).collect()),
            VerbId::AddBit => {
                let set = found.filled.iter().find_map(|f| if let Filled::SetVariable(o, t) = f { Some((*o, *t)) } else { None });
                let (offset, held) = set.unwrap_or((0, Type::Any));
                self.must_be(found.sort(0), &[held], statement.terms[1].span)?;
                Stmt::AddBit(offset, found.node(0))
            }
            VerbId::Draw => {
                let (deck, index) = found.deck();
                let name = found.name(0).map(|n| n.as_ref().to_string());
                let place = found.place(0);
                Stmt::Draw(deck as u16, index, place as u16, name.map(|n| self.named(&n)))
            }
            VerbId::Fill => {
                let (deck, index) = found.deck();
                Stmt::Fill(found.place(0) as u16, deck as u16, index)
            }
            VerbId::MoveRow => Stmt::MoveRow(found.place(0) as u16, found.node(0), found.node(1)),
            VerbId::Remove => Stmt::RemoveSet(found.set()),
            VerbId::Put => {
                let (card, field) =
                    found.filled.iter().find_map(|f| if let Filled::List(c, l) = f { Some((*c, *l)) } else { None }).unwrap_or((0, 0));
                Stmt::Put(card, field, found.place(0) as u16)
            }
            VerbId::PutNamed => {
                let cards = found.resources();
                self.put_by_name.extend(&cards);
                Stmt::PutNamed(cards.into(), found.place(0) as u16)
            }
            VerbId::PlaceInSlot => Stmt::PlaceInSlot(found.node(0)),
            VerbId::PlaceIn => Stmt::PlaceIn(found.node(0), found.place(0) as u16, found.taken(0)),
            VerbId::Moment => {
                let (moment, card) =
                    found.filled.iter().find_map(|f| if let Filled::Moment(m, c) = f { Some((*m, *c)) } else { None }).unwrap_or((0, None));
                Stmt::Moment(moment, card)
            }
            VerbId::Do => {
                let (effect, args) = found
                    .filled
                    .iter()
                    .find_map(|f| if let Filled::Effect(e, a) = f { Some((*e, a.clone())) } else { None })
                    .unwrap_or((0, Vec::new()));
                Stmt::Effect(effect, args)
            }
            VerbId::For => {
                let local = self.local(scope, span)?;
                let name = found.name(0).map(|n| n.as_ref().to_string()).unwrap_or_default();
                let node = self.node(Node::Local(local));
                let sort = if statement.terms.get(3).and_then(Term::word).is_some_and(|word| self.token_kind(word).is_some()) {
                    Type::Token
                } else {
                    Type::Resource
                };
                scope.bound.push((name, node, sort));
                let body = self.block_of(&found, scope);
                Stmt::ForWords(local, found.resources().into(), body)
            }
            VerbId::Repeat => {
                let body = self.block_of(&found, scope);
                Stmt::Repeat(found.node(0), body)
            }
            VerbId::EachPlayer => {
                let filter = found.taken(1).then(|| found.node(0));
                let body = self.block_of(&found, scope);
                Stmt::EachPlayer(direction, filter, body)
            }
            VerbId::EachPlayerChooses => {
                let question = self.question(found.block(0), scope, false, false, span)?;
                let body = self.add_body(vec![Stmt::Ask(question)]);
                Stmt::EachPlayer(direction, None, body)
            }
            VerbId::EachCard => {
                let set = found.set();
                if let Some((local, name)) = &found.card {
                    let node = self.node(Node::Local(*local));
                    scope.bound.push((name.clone(), node, Type::Card));
                }
                let body = self.block_of(&found, scope);
                Stmt::ForCards(set, body)
            }
            VerbId::AllPlayers => {
                let filter = found.taken(0).then(|| found.node(0));
                let body = self.block_of(&found, scope);
                Stmt::AllPlayers(filter, body)
            }
            VerbId::Choose => Stmt::Ask(self.question(found.block(0), scope, false, false, span)?),
            VerbId::MayChoose => Stmt::Ask(self.question(found.block(0), scope, true, false, span)?),
            VerbId::PickAny => Stmt::Ask(self.question(found.block(0), scope, false, true, span)?),
            VerbId::OrderRandom => Stmt::OrderRandom,
            VerbId::OrderBy => {
                let keys =
                    found.filled.iter().find_map(|f| if let Filled::Keys(k) = f { Some(k.clone()) } else { None }).unwrap_or_default();
                Stmt::OrderBy(keys.into())
            }
            VerbId::TakeTokens => {
                Stmt::Tokens(Box::new(TokenStmt::Take(found.node(0), found.tokens(), found.pools(0)[0], found.pools(1)[0])))
            }
            VerbId::MoveTokens => Stmt::Tokens(Box::new(TokenStmt::MoveAll(found.tokens(), found.pools(0)[0], found.pools(1)[0]))),
            VerbId::MoveToken | VerbId::LiftToken => {
                let name = found.name(0).map(|n| n.as_ref().to_string()).unwrap_or_default();
                let Some(local) = self.picked_local(&name, scope) else {
                    let wrong = Diagnostic::error("R010", span, format!("`{name}` is no picked token")).label("in this statement");
                    return Err(Box::new(wrong.help("within `player picks …`, `it` is the picked one")));
                };
                Stmt::Tokens(Box::new(match found.id {
                    VerbId::MoveToken => TokenStmt::MoveOne(local, found.pools(0)[0]),
                    _ => TokenStmt::LiftOne(local),
                }))
            }
            VerbId::LiftTokens => Stmt::Tokens(Box::new(TokenStmt::Lift(found.tokens(), found.pools(0)[0]))),
            VerbId::Roll => Stmt::Tokens(Box::new(TokenStmt::Roll(found.pools(0)[0]))),
            VerbId::Spend => {
                let (amount, symbol) = (found.node(0), found.node(1));
                Stmt::Tokens(Box::new(TokenStmt::Spend(TokenCost { amount, symbol, from: found.pools(0)[0], to: found.pools(1)[0] })))
            }
            VerbId::PickTokens | VerbId::PickSome => {
                let least = match found.id {
                    VerbId::PickTokens if !found.taken(0) => self.node(Node::Const(0)),
                    _ => found.node(0),
                };
                let most = (found.id == VerbId::PickSome).then_some(least);
                let (set, pools) = (found.tokens(), found.pools(0).into());
                let (question, local, body) = self.pick_body(found.block(0), scope, span)?;
                Stmt::Tokens(Box::new(TokenStmt::Pick(TokenPick { question, set, pools, least, most, local, body })))
            }
            _ => return Err(cursor.expected("a statement")),
        })
    }

    fn block_of(&mut self, found: &super::phrase::Match<'_>, scope: &mut Scope) -> BodyId {
        match found.block(0) {
            Some(block) => self.body(block, scope),
            None => self.add_body(Vec::new()),
        }
    }

    /// The index of a named loss or draw.
    pub(super) fn named(&mut self, name: &str) -> u16 {
        if let Some(index) = self.rules.named.iter().position(|n| n == name) {
            return index as u16;
        }
        self.rules.named.push(name.to_string());
        self.rules.names.add(name);
        self.rules.named.len() as u16 - 1
    }

    fn condition_stmt(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Stmt, Wrong> {
        let unless = cursor.is_word("unless");
        cursor.next();
        let span = cursor.span();
        let (mut condition, sort) = self.expr(cursor, scope)?;
        self.must_be(sort, &[Type::Truth], span)?;
        if unless {
            condition = self.node(Node::Not(condition));
        }
        let block = cursor.expect_block("a block in braces")?;
        let yes = self.body(block, scope);
        let no = if cursor.take_word("else") {
            if cursor.is_word("if") {
                let nested = self.condition_stmt(cursor, scope)?;
                return Ok(Stmt::If(condition, yes, Some(self.add_body(vec![nested]))));
            }
            let block = cursor.expect_block("a block in braces")?;
            Some(self.body(block, scope))
        } else {
            None
        };
        cursor.expect_end()?;
        Ok(Stmt::If(condition, yes, no))
    }

    fn assignment(&mut self, terms: &[Term], at: usize, span: Span, scope: &mut Scope) -> Result<Stmt, Wrong> {
        let write = match terms[at].kind {
            TermKind::Op(Op::PlusAssign) => Write::Add,
            TermKind::Op(Op::MinusAssign) => Write::Sub,
            _ => Write::Set,
        };
        let place = terms.first().map_or(span, |t| t.span);
        let target = match (&terms[..at], terms.first().map(|t| &t.kind)) {
            ([_], Some(TermKind::Word(word))) => self.target(word, place, scope)?,
            ([_], Some(TermKind::Item { name, index })) => match self.symbol(name).cloned() {
                Some(Symbol::SeatVariable(variable)) if self.rules.seat[variable].sort == VariableSort::Tally => {
                    let variable = self.rules.seat[variable].clone();
                    let index = self.tally_index(&variable.name, index, place, scope)?;
                    Target::OwnAt(variable.offset, variable.len, index)
                }
                _ => return Err(self.unknown(name, place, "a tally")),
            },
            _ => return Err(Box::new(Diagnostic::error("R002", place, "expected one counter before the sign"))),
        };
        let mut cursor = Cursor::new(&terms[at + 1..], span);
        let value_at = cursor.span();
        let (value, sort) = self.expr(&mut cursor, scope)?;
        cursor.expect_end()?;
        self.must_be(sort, &[Type::Number, Type::Truth], value_at)?;
        Ok(Stmt::Write(target, write, value))
    }

    fn target(&mut self, word: &str, span: Span, scope: &mut Scope) -> Result<Target, Wrong> {
        if let Some((head, member)) = word.rsplit_once('.')
            && let Some(Symbol::PieceVariable(index)) = self.symbol(&format!("card.{member}")).cloned()
        {
            let offset = self.rules.piece[index].offset as u8;
            let card = self.card_named(head, span, scope)?;
            return Ok(Target::Counter(card, offset));
        }
        match self.symbol(word) {
            Some(Symbol::SeatVariable(index)) => {
                let variable = &self.rules.seat[*index];
                match variable.sort {
                    VariableSort::Counter | VariableSort::Flag => Ok(Target::Own(variable.offset)),
                    VariableSort::Resource => Err(Box::new(
                        Diagnostic::error("R003", span, format!("`{word}` is a resource"))
                            .label("resources are not written to")
                            .help("write `gain …`, `lose …` or `pay …`"),
                    )),
                    _ => Err(Box::new(
                        Diagnostic::error("R003", span, format!("`{word}` holds several values"))
                            .help(format!("write `{word}[…]`, or `add … to {word}`")),
                    )),
                }
            }
            Some(Symbol::TableVariable(index)) => Ok(Target::Global(self.rules.table[*index].offset as u32)),
            Some(other) => {
                Err(Box::new(Diagnostic::error("R003", span, format!("`{word}` is {}, which cannot be written to", other.words()))))
            }
            None => Err(self.unknown(word, span, "a counter")),
        }
    }

    /// A question: choices in a block.
    fn question(&mut self, block: Option<&Block>, scope: &mut Scope, may: bool, picks: bool, span: Span) -> Result<u32, Wrong> {
        let Some(block) = block else { return Err(Box::new(Diagnostic::error("R002", span, "the choices are missing"))) };
        let id = self.question_id();
        let index = self.rules.questions.len();
        self.rules.questions.push(Question { id, may, picks, choices: Vec::new(), otherwise: None });
        let mut choices = Vec::new();
        let mut otherwise = None;
        for statement in &block.statements {
            let kept = scope.clone();
            match self.choice(statement, scope) {
                Ok((choice, body)) => {
                    choices.extend(choice);
                    otherwise = body.or(otherwise);
                }
                Err(wrong) => self.diagnostics.push(*wrong),
            }
            *scope = kept;
        }
        let question = &mut self.rules.questions[index];
        question.choices = choices;
        question.otherwise = otherwise;
        Ok(index as u32)
    }

    pub(super) fn question_id(&mut self) -> String {
        let base = self.context.clone();
        let alike =
            self.rules.questions.iter().filter(|q| q.id == base || q.id.strip_prefix(&base).is_some_and(|r| r.starts_with('.'))).count();
        if alike == 0 { base } else { format!("{base}.{}", alike + 1) }
    }

    fn choice(&mut self, statement: &Statement, scope: &mut Scope) -> Result<(Option<Choice>, Option<BodyId>), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        if cursor.take_word("else") {
            let block = cursor.expect_block("a block in braces")?;
            cursor.expect_end()?;
            return Ok((None, Some(self.body(block, scope))));
        }
        let offer = if let Some((text, _)) = cursor.take_text() {
            let name = self.rules.names.add(text);
            Offer::Word { name, bare: text.contains(' ') }
        } else if cursor.take_word("each") {
            let (name, span) = cursor.expect_name("a name for the card")?;
            cursor.expect_word("in")?;
            let local = self.local(scope, span)?;
            let set = self.cards(&mut cursor, scope, local, name)?;
            let node = self.node(Node::Local(local));
            scope.bound.push((name.to_string(), node, Type::Card));
            Offer::Cards(set)
        } else {
            return Err(cursor.expected("a quoted word, `each … in …` or `else`"));
        };
        let mut when = None;
        if cursor.take_word("if") {
            let span = cursor.span();
            let (node, sort) = self.expr(&mut cursor, scope)?;
            self.must_be(sort, &[Type::Truth], span)?;
            when = Some(node);
        }
        let mut up_to = None;
        if cursor.take_comma() {
            cursor.expect_word("up")?;
            cursor.expect_word("to")?;
            let span = cursor.span();
            let (node, sort) = self.expr(&mut cursor, scope)?;
            self.must_be(sort, &[Type::Number], span)?;
            up_to = Some(node);
        }
        let block = cursor.expect_block("what it does, in braces")?;
        let body = self.body(block, scope);
        let mut otherwise = None;
        if cursor.take_word("else") {
            let block = cursor.expect_block("a block in braces")?;
            otherwise = Some(self.body(block, scope));
        }
        cursor.expect_end()?;
        Ok((Some(Choice { offer, when, body, up_to }), otherwise))
    }
}
