//! Tokens: what they show, their sorts and faces, pools, and phrases about them.

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::compile::Compiler;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::Diagnostic;
use crate::engine::payment::{MOST_SHOWN, payers_of};
use crate::engine::ruleset::{BodyId, Lifetime, Node, NodeId, Question, Variable, VariableSort};
use crate::engine::tokens::{Exchange, MOST_CLASSES, Pool, Token, TokenClass, TokenSet, classes_where, mask_of};
use crate::source::Span;

impl Compiler<'_> {
    /// The index of a symbol.
    pub(super) fn symbol_index(&self, name: &str) -> Option<usize> {
        let id = self.rules.names.find(name)?;
        self.rules.symbols.iter().position(|&symbol| symbol == id)
    }

    fn token_index(&self, name: &str) -> Option<usize> {
        let id = self.rules.names.find(name)?;
        self.rules.tokens.iter().position(|token| token.name == id)
    }

    /// The sorts of a kind of token, as a bit set.
    pub(super) fn token_kind(&self, name: &str) -> Option<u64> {
        let id = self.rules.names.find(name)?;
        self.rules.token_kinds.iter().find(|kind| kind.0 == id).map(|kind| kind.1)
    }

    /// The sort of token with this name.
    pub(super) fn token_word(&mut self, name: &str, span: Span) -> Result<usize, Wrong> {
        match self.token_index(name) {
            Some(token) => Ok(token),
            None => {
                let tokens = self.rules.tokens.iter().map(|token| token.name);
                let kinds = self.rules.token_kinds.iter().map(|kind| kind.0);
                let known: Vec<String> = tokens.chain(kinds).map(|name| self.rules.names.text(name).to_string()).collect();
                Err(self.unknown_of(name, span, "a token", known.iter().map(String::as_str)))
            }
        }
    }

    /// `symbols gold, food`, `tokens die { white 20: food | gold }`, `exchange 2 die as 1 gold, food`.
    pub(super) fn declare_tokens(&mut self, tree: &Block) {
        for head in ["symbols", "tokens", "exchange"] {
            for statement in tree.statements.iter().filter(|s| s.head() == Some(head)) {
                let result = match head {
                    "symbols" => self.symbols_decl(statement),
                    "tokens" => self.tokens_decl(statement),
                    _ => self.exchange_decl(statement),
                };
                self.note(result);
            }
        }
        if self.rules.classes.len() > MOST_CLASSES {
            let wrong = Diagnostic::error("R008", tree.span, format!("more than {MOST_CLASSES} different faces of tokens"));
            self.diagnostics.push(wrong);
        }
    }

    /// What shows and what can pay each symbol, and counters of rolls, behind everything that is declared.
    pub(super) fn finish_tokens(&mut self) {
        let symbols = 0..self.rules.symbols.len();
        self.rules.showing = symbols.map(|symbol| classes_where(&self.rules, |class| class.shows[symbol] > 0)).collect();
        self.rules.payers = payers_of(&self.rules);
        if self.rules.tokens.iter().any(|token| !token.faces.is_empty()) {
            let counter =
                |offset: u16| Variable { name: "rolled".into(), offset, len: 1, lifetime: Lifetime::Round, sort: VariableSort::Counter };
            self.rules.rolled = (self.table_size, self.seat_size);
            self.rules.table.push(counter(self.table_size));
            self.rules.seat.push(counter(self.seat_size));
            self.table_size += 1;
            self.seat_size += 1;
        }
    }

    fn symbols_decl(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        loop {
            let (name, span) = cursor.expect_name("a symbol")?;
            if self.symbol_index(name).is_some() {
                return Err(Box::new(Diagnostic::error("R013", span, format!("symbol `{name}` is declared twice"))));
            }
            let id = self.rules.names.add(name);
            self.rules.symbols.push(id);
            if !cursor.take_comma() {
                return cursor.expect_end();
            }
        }
    }

    fn tokens_decl(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (kind, _) = cursor.expect_name("a name for the kind of token")?;
        let block = cursor.expect_block("its sorts in braces")?;
        cursor.expect_end()?;
        let kind = self.rules.names.add(kind);
        let mut sorts = 0;
        for inner in &block.statements {
            match self.token_decl(inner) {
                Ok(token) => sorts |= 1 << token,
                Err(wrong) => self.diagnostics.push(*wrong),
            }
        }
        self.rules.token_kinds.push((kind, sorts));
        Ok(())
    }

    /// `white 20: food | food | gold`: how many there are, and the faces.
    fn token_decl(&mut self, statement: &Statement) -> Result<usize, Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let (name, span) = cursor.expect_name("a token")?;
        if self.token_index(name).is_some() {
            return Err(Box::new(Diagnostic::error("R013", span, format!("token `{name}` is declared twice"))));
        }
        let count_at = cursor.span();
        let start = cursor.at;
        while !cursor.done() && !matches!(cursor.peek().map(|t| &t.kind), Some(TermKind::Colon)) {
            cursor.next();
        }
        if cursor.at == start {
            return Err(cursor.expected("how many there are"));
        }
        let (count, _) = self.whole_expr(&statement.terms[start..cursor.at], count_at, &mut Scope::from(1), &[Type::Number])?;
        let Node::Const(count @ 1..=1000) = self.rules.nodes[count as usize] else {
            return Err(Box::new(Diagnostic::error("R003", count_at, "how many there are must be a plain number from 1 to 1000")));
        };
        if !cursor.take_colon() {
            return Err(cursor.expected("a colon and what it shows"));
        }
        let mut faces: Vec<(Vec<u8>, String)> = Vec::new();
        loop {
            faces.push(self.face(&mut cursor)?);
            if !cursor.take_op(Op::Or) {
                break;
            }
        }
        cursor.expect_end()?;
        let token = self.rules.tokens.len();
        let id = self.rules.names.add(name);
        let class = |compiler: &mut Self, shows: &[u8], key: &str| {
            let key = compiler.rules.names.add(key);
            compiler.rules.classes.push(TokenClass { token: token as u8, key, shows: shows.to_vec() });
            compiler.rules.classes.len() as u8 - 1
        };
        let (blank, mut rolled) = match faces.as_slice() {
            [(shows, _)] => (class(self, shows, name), Vec::new()),
            _ => (class(self, &vec![0; self.rules.symbols.len()], name), Vec::with_capacity(faces.len())),
        };
        if faces.len() > 1 {
            let mut known: Vec<(String, u8)> = Vec::new();
            for (shows, key) in &faces {
                let found = known.iter().find(|k| k.0 == *key).map(|k| k.1);
                let index = match found {
                    Some(index) => index,
                    None => {
                        let index = class(self, shows, &format!("{name}:{key}"));
                        known.push((key.clone(), index));
                        index
                    }
                };
                rolled.push(index);
            }
        }
        let classes = classes_where(&self.rules, |class| class.token as usize == token);
        self.rules.tokens.push(Token { name: id, count: count as i32, blank, faces: rolled, classes });
        Ok(token)
    }

    /// `food`, `2 book`, `book, stone`: what a face shows, and what it is called.
    fn face(&mut self, cursor: &mut Cursor<'_>) -> Result<(Vec<u8>, String), Wrong> {
        let mut shows = vec![0_u8; self.rules.symbols.len()];
        let mut key = String::new();
        loop {
            let mut count = 1;
            if let Some(Term { kind: TermKind::Number { thousandths, .. }, span }) = cursor.peek() {
                count = thousandths / 1000;
                if !(1..=MOST_SHOWN as i64).contains(&count) {
                    let what = format!("a face shows 1 to {MOST_SHOWN} of a symbol");
                    return Err(Box::new(Diagnostic::error("R003", *span, what)));
                }
                cursor.next();
            }
            let (word, span) = cursor.expect_name("a symbol")?;
            let Some(symbol) = self.symbol_index(word) else { return Err(self.not_a_symbol(word, span)) };
            shows[symbol] = count as u8;
            if !key.is_empty() {
                key.push('_');
            }
            key.push_str(word);
            if count > 1 {
                key.push_str(&count.to_string());
            }
            if !cursor.take_comma() {
                return Ok((shows, key));
            }
        }
    }

    pub(super) fn not_a_symbol(&self, word: &str, span: Span) -> Wrong {
        let known: Vec<String> = self.rules.symbols.iter().map(|&n| self.rules.names.text(n).to_string()).collect();
        self.unknown_of(word, span, "a symbol", known.iter().map(String::as_str))
    }

    fn exchange_decl(&mut self, statement: &Statement) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let count_at = cursor.span();
        let count = match cursor.next().map(|t| &t.kind) {
            Some(TermKind::Number { thousandths, .. }) if (1000..=9000).contains(thousandths) => (thousandths / 1000) as u8,
            _ => return Err(Box::new(Diagnostic::error("R002", count_at, "expected how many tokens, from 1 to 9"))),
        };
        let (kind, at) = cursor.expect_name("a kind of token")?;
        let Some(tokens) = self.token_kind(kind) else {
            let known: Vec<String> = self.rules.token_kinds.iter().map(|k| self.rules.names.text(k.0).to_string()).collect();
            return Err(self.unknown_of(kind, at, "a kind of token", known.iter().map(String::as_str)));
        };
        cursor.expect_word("as")?;
        match cursor.next().map(|t| &t.kind) {
            Some(TermKind::Number { thousandths: 1000, .. }) => {}
            _ => return Err(cursor.expected("1: tokens stand for one of a symbol")),
        }
        let mut symbols = 0;
        loop {
            let (word, span) = cursor.expect_name("a symbol")?;
            let Some(symbol) = self.symbol_index(word) else { return Err(self.not_a_symbol(word, span)) };
            symbols |= 1 << symbol;
            if !cursor.take_comma() {
                break;
            }
        }
        cursor.expect_end()?;
        self.rules.exchange = Some(Exchange { count, tokens, symbols });
        Ok(())
    }

    /// `pool unused, used, face down`, `pool supply, full`.
    pub(super) fn pool_decl(&mut self, statement: &Statement, of_seat: bool) -> Result<(), Wrong> {
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        cursor.next();
        let (name, span) = cursor.expect_name("the pool's name")?;
        let (mut face_down, mut full) = (false, false);
        while cursor.take_comma() {
            if cursor.take_words(&["face", "down"]) {
                face_down = true;
            } else if cursor.take_word("full") {
                full = true;
            } else {
                return Err(cursor.expected("`face down` or `full`"));
            }
        }
        cursor.expect_end()?;
        let len = self.rules.classes.len() as u16;
        if len == 0 {
            return Err(Box::new(Diagnostic::error("R006", span, "there are no tokens to lie in it").help("declare them with `tokens`")));
        }
        let size = if of_seat { &mut self.seat_size } else { &mut self.table_size };
        let offset = *size;
        *size += len;
        let id = self.rules.names.add(name);
        if full {
            for token in self.rules.tokens.iter().filter(|_| !of_seat) {
                self.rules.initial.push((offset as u32 + token.blank as u32, token.count));
            }
        }
        self.rules.pools.push(Pool { name: id, of_seat, offset, face_down, full });
        self.declare_name(name, Symbol::Pool(self.rules.pools.len() as u8 - 1), span);
        Ok(())
    }

    /// A pool by its name.
    pub(super) fn pool_named(&mut self, cursor: &mut Cursor<'_>) -> Result<u8, Wrong> {
        let (name, span) = cursor.expect_name("a pool")?;
        // In scenarios a player's pool may be named: `p1.hand`.
        let (seat, name) = match super::expr::seat_prefix(name) {
            Some((seat, rest)) if seat < self.rules.players && self.symbol(name).is_none() => (Some(seat), rest),
            _ => (None, name),
        };
        self.pool_of = seat;
        match self.symbol(name) {
            Some(Symbol::Pool(pool)) => Ok(*pool),
            _ => {
                let known: Vec<String> = self.rules.pools.iter().map(|p| self.rules.names.text(p.name).to_string()).collect();
                Err(self.unknown_of(name, span, "a pool", known.iter().map(String::as_str)))
            }
        }
    }

    /// A symbol: a word, a loop variable, or an expression in brackets.
    pub(super) fn symbol_slot(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<NodeId, Wrong> {
        let span = cursor.span();
        let Some(term) = cursor.peek() else { return Err(cursor.expected("a symbol")) };
        if let Some(word) = term.word()
            && scope.find(word).is_none()
        {
            let Some(symbol) = self.symbol_index(word) else { return Err(self.not_a_symbol(word, span)) };
            cursor.next();
            return Ok(self.node(Node::Const(symbol as i64)));
        }
        cursor.next();
        Ok(self.whole_expr(std::slice::from_ref(term), span, scope, &[Type::Symbol])?.0)
    }

    /// Tokens: a kind, a sort, a face or a loop variable, and what they must show.
    pub(super) fn token_set(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<u32, Wrong> {
        let (word, span) = cursor.expect_name("tokens")?;
        let mut set = TokenSet { classes: u64::MAX, of: None, showing: None, mask: Box::default() };
        if let Some((node, sort)) = scope.find(word) {
            self.must_be(sort, &[Type::Token], span)?;
            set.of = Some(node);
        } else if let Some(sorts) = self.token_kind(word) {
            set.classes = classes_where(&self.rules, |class| sorts >> class.token & 1 == 1);
        } else {
            let token = self.token_word(word, span)?;
            set.classes = self.rules.tokens[token].classes;
            if cursor.take_colon() {
                let (face, at) = cursor.expect_name("a face")?;
                let key = format!("{word}:{face}");
                let names = &self.rules.names;
                let Some(class) = self.rules.classes.iter().position(|class| names.text(class.key) == key) else {
                    let prefix = format!("{word}:");
                    let faces = self.rules.classes.iter().filter_map(|class| names.text(class.key).strip_prefix(&prefix));
                    let known: Vec<String> = faces.map(String::from).collect();
                    return Err(self.unknown_of(face, at, "a face of this token", known.iter().map(String::as_str)));
                };
                set.classes = 1 << class;
            }
        }
        if cursor.take_word("showing") {
            set.showing = Some(self.symbol_slot(cursor, scope)?);
        }
        set.mask = mask_of(&self.rules, set.classes);
        self.rules.token_sets.push(set);
        Ok(self.rules.token_sets.len() as u32 - 1)
    }

    /// The body of a pick, with the picked token as `it`.
    pub(super) fn pick_body(&mut self, block: Option<&Block>, scope: &mut Scope, span: Span) -> Result<(u32, u8, BodyId), Wrong> {
        let local = self.local(scope, span)?;
        let node = self.node(Node::Local(local));
        scope.bound.push(("it".into(), node, Type::Picked));
        let id = self.question_id();
        let question = self.rules.questions.len() as u32;
        self.rules.questions.push(Question { id, may: false, picks: true, choices: Vec::new(), otherwise: None });
        let body = match block {
            Some(block) => self.body(block, scope),
            None => self.add_body(Vec::new()),
        };
        Ok((question, local, body))
    }

    /// The local of a picked token.
    pub(super) fn picked_local(&self, word: &str, scope: &Scope) -> Option<u8> {
        match scope.find(word)? {
            (node, Type::Picked) => match self.rules.nodes[node as usize] {
                Node::Local(local) => Some(local),
                _ => None,
            },
            _ => None,
        }
    }
}
