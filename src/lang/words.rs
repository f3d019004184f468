//! Expressions in words: `if … then … else`, `by players { … }`, phrases of the verb table, and conditions by their names.

use super::ast::{Term, TermKind};
use super::compile::Compiler;
use super::expr::Typed;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use super::verbs::{VerbId, table};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Compare, Node, NodeId};
use crate::source::Span;
use crate::state::layout::head;

impl Compiler<'_> {
    pub(super) fn word(&mut self, word: &str, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        let span = cursor.span();
        // `round is last of …` is about the round that is meant here, also where another than the present one is.
        if scope.find(word).is_none() || is_last_of(cursor) {
            // A named condition of one or several words.
            if let Some((node, len)) = self.condition_words(cursor) {
                cursor.at += len;
                return Ok((node, Type::Truth));
            }
            // Locals of a phrase are free again behind it.
            let (kept, at) = (scope.next, cursor.at);
            let found = self.phrase(word, cursor, scope);
            scope.next = kept;
            // `most wise` may be a slip of a condition rather than of a rank's value.
            if let Err(wrong) = &found
                && wrong.code == "R010"
                && !wrong.help.iter().any(|help| help.starts_with("did you mean"))
                && let Some(nearly) = self.nearly_condition(&cursor.terms[at..])
            {
                return Err(nearly);
            }
            if let Some(found) = found? {
                return Ok(found);
            }
        }
        let at = cursor.at;
        cursor.next();
        self.name(word, span, scope).map_err(|wrong| match wrong.code {
            "R010" => self.nearly_condition(&cursor.terms[at..]).unwrap_or(wrong),
            _ => wrong,
        })
    }

    /// Phrases that begin with a word of their own.
    fn phrase(&mut self, word: &str, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Option<Typed>, Wrong> {
        if word == "if" {
            cursor.next();
            let span = cursor.span();
            let (condition, sort) = self.expr(cursor, scope)?;
            self.must_be(sort, &[Type::Truth], span)?;
            cursor.expect_word("then")?;
            let yes = self.expr(cursor, scope)?;
            cursor.expect_word("else")?;
            let no = self.expr(cursor, scope)?;
            let (yes, no) = self.same_scale(yes, no);
            if yes.1 != no.1 && yes.1 != Type::Any && no.1 != Type::Any {
                return Err(Box::new(
                    Diagnostic::error("R003", span, format!("one side is {}, the other {}", yes.1.words(), no.1.words()))
                        .label("both sides must be alike"),
                ));
            }
            return Ok(Some((self.node(Node::If(condition, yes.0, no.0)), yes.1)));
        }
        if word == "by" {
            return self.by(cursor, scope).map(Some);
        }
        if word == "no"
            && let Some(Term { kind: TermKind::Word(place), .. }) = cursor.terms.get(cursor.at + 1)
            && let Some(place) = self.rules.find_place(place)
        {
            cursor.at += 2;
            return Ok(Some((self.node(Node::NoneIn(place as u16)), Type::Truth)));
        }
        if let Some(Symbol::Rank(rank)) = self.symbol(word) {
            let rank = *rank;
            cursor.next();
            let span = cursor.span();
            let (by, sort) = self.unary(cursor, scope)?;
            self.must_be(sort, &[Type::Number], span)?;
            let by = self.ranked_by(by);
            return Ok(Some((self.node(Node::Rank(rank, by)), Type::Truth)));
        }
        if (word == "count" || word == "any") && self.players_follow(cursor) {
            cursor.next();
            let players = self.players(cursor, scope)?;
            let node = if word == "count" { Node::CountPlayers(players) } else { Node::AnyPlayer(players) };
            return Ok(Some((self.node(node), if word == "count" { Type::Number } else { Type::Truth })));
        }
        if word == "count"
            && let Some(found) = self.length(cursor, scope)
        {
            return Ok(Some(found));
        }
        let rows: Vec<_> = table().iter().filter(|v| v.sort == "expression" && v.pattern.split(' ').next() == Some(word)).collect();
        if rows.is_empty() || word == "round" && !is_last_of(cursor) {
            return Ok(None);
        }
        if word == "first" && cursor.terms.get(cursor.at + 1).is_some_and(|t| t.is_word("round")) {
            cursor.at += 2;
            let (round, one) = (self.node(Node::Global(head::ROUND as u32)), self.node(Node::Const(1)));
            return Ok(Some((self.node(Node::Cmp(Compare::Equal, round, one)), Type::Truth)));
        }
        let rows: Vec<_> =
            rows.into_iter().filter(|v| !matches!(v.id, VerbId::FirstRound | VerbId::CountPlayers | VerbId::AnyPlayers)).collect();
        let span = cursor.span();
        let found = self.match_verbs(&rows, cursor, scope, false)?;
        let each = |found: &super::phrase::Match<'_>| {
            found
                .filled
                .iter()
                .find_map(|f| if let super::phrase::Filled::Node(n, t) = f { Some((*n, *t)) } else { None })
                .unwrap_or((0, Type::Number))
        };
        Ok(Some(match found.id {
            VerbId::Sum => (self.node(Node::Sum(found.set(), found.node(0))), scale(each(&found).1)),
            VerbId::Highest => (self.node(Node::Highest(found.set(), found.node(0))), scale(each(&found).1)),
            VerbId::Lowest => (self.node(Node::Lowest(found.set(), found.node(0))), scale(each(&found).1)),
            VerbId::CountCards => (self.node(Node::Count(found.set())), Type::Number),
            VerbId::AnyCards => (self.node(Node::Any(found.set())), Type::Truth),
            VerbId::First => {
                let (card, field) = found
                    .filled
                    .iter()
                    .find_map(|f| if let super::phrase::Filled::List(c, l) = f { Some((*c, *l)) } else { None })
                    .unwrap_or((0, 0));
                (self.node(Node::ListFirst(card, field, found.node(0))), Type::Number)
            }
            VerbId::Row | VerbId::Column => {
                let Some(grid) = self.rules.places.iter().position(|p| matches!(p.shape, crate::engine::ruleset::Shape::Grid { .. }))
                else {
                    return Err(Box::new(
                        Diagnostic::error("R004", span, "this game has no grid").label("rows and columns are those of a grid"),
                    ));
                };
                let node =
                    if found.id == VerbId::Row { Node::Row(found.node(0), grid as u16) } else { Node::Column(found.node(0), grid as u16) };
                (self.node(node), Type::Number)
            }
            VerbId::ShownIn | VerbId::Payable | VerbId::NumberOf => {
                let pool = found.pools(0)[0];
                let node = match found.id {
                    VerbId::ShownIn => Node::ShownIn(found.node(0), pool),
                    VerbId::Payable => Node::Payable(found.node(0), pool),
                    _ => Node::CountTokens(found.tokens(), pool),
                };
                let node = self.node(node);
                match self.pool_of {
                    Some(seat) => {
                        let seat = self.node(Node::Const(seat as i64));
                        (self.node(Node::Of(seat, node)), Type::Number)
                    }
                    None => (node, Type::Number),
                }
            }
            VerbId::Amount => (self.amount(found.node(0)), Type::Number),
            VerbId::LastOf => {
                let name = found.name(0).map(|n| n.as_ref().to_string()).unwrap_or_default();
                (self.last_of(&name, span, scope)?, Type::Truth)
            }
            _ => return Ok(None),
        }))
    }

    fn amount(&mut self, resource: NodeId) -> NodeId {
        let len = self.rules.resources.len() as u16;
        self.node(Node::OwnAt(0, len, resource))
    }

    /// `round is last of age`: the definition is another one in the next round, or there is none.
    fn last_of(&mut self, name: &str, span: Span, scope: &Scope) -> Result<NodeId, Wrong> {
        let Some(Symbol::Define { params, body }) = self.symbol(name).cloned() else {
            return Err(self.unknown(name, span, "a definition"));
        };
        if !params.is_empty() {
            return Err(Box::new(Diagnostic::error("R003", span, format!("`{name}` has parameters"))));
        }
        let (round, _) = self.name("round", span, &mut scope.clone())?;
        let one = self.node(Node::Const(1));
        let next = self.node(Node::Add(round, one));
        let (now, sort) = self.inside(name, &body, span, scope)?;
        self.must_be(sort, &[Type::Number], span)?;
        let mut later = scope.clone();
        later.bound.push(("round".into(), next, Type::Number));
        let (then, _) = self.inside(name, &body, span, &later)?;
        Ok(self.node(Node::Cmp(Compare::Unequal, now, then)))
    }

    /// A stat that is ranked by something else than itself.
    fn ranked_by(&mut self, by: NodeId) -> NodeId {
        if let Node::Quantity(quantity, _) = self.rules.nodes[by as usize]
            && let Some(ranked) = self.rules.quantities[quantity as usize].ranked
        {
            return self.node(Node::Quantity(ranked, [None, None]));
        }
        by
    }

    /// `by players { 2: 4, else: 5 }`, `by OPTION { … }`.
    fn by(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Result<Typed, Wrong> {
        cursor.next();
        let span = cursor.span();
        let (over, _) = cursor.expect_name("`players` or an option")?;
        let block = cursor.expect_block("its values in braces")?;
        let terms: Vec<Term> = block.statements.iter().flat_map(|s| s.terms.iter().cloned()).collect();
        let mut entries: Vec<(Vec<String>, NodeId, Type)> = Vec::new();
        let mut inside = Cursor::new(&terms, block.span);
        while !inside.done() {
            let mut keys = Vec::new();
            loop {
                match inside.next().map(|t| &t.kind) {
                    Some(TermKind::Word(word)) => keys.push(word.clone()),
                    Some(TermKind::Number { thousandths, .. }) => keys.push((thousandths / 1000).to_string()),
                    _ => return Err(inside.expected("a key")),
                }
                if !inside.take_comma() {
                    break;
                }
            }
            if !inside.take_colon() {
                return Err(inside.expected("a colon"));
            }
            let (value, sort) = self.expr(&mut inside, scope)?;
            entries.push((keys, value, sort));
            inside.take_comma();
        }
        let sort = entries.first().map_or(Type::Number, |e| e.2);
        let pick = |entries: &[(Vec<String>, NodeId, Type)], key: &str| {
            entries
                .iter()
                .find(|e| e.0.iter().any(|k| k == key))
                .or_else(|| entries.iter().find(|e| e.0.iter().any(|k| k == "else")))
                .map(|e| e.1)
        };
        let missing = |key: &str| {
            Box::new(Diagnostic::error("R006", block.span, format!("there is no value for `{key}`")).help("add it, or `else: …`"))
        };
        if over == "players" {
            let key = self.rules.players.to_string();
            return pick(&entries, &key).map(|node| (node, sort)).ok_or_else(|| missing(&key) as Wrong);
        }
        let Some(Symbol::Option(option)) = self.symbol(over).cloned() else {
            return Err(self.unknown(over, span, "an option, or `players`"));
        };
        let option = self.options[option].clone();
        for key in entries.iter().flat_map(|e| &e.0) {
            if key != "else" && !option.values.contains(key) {
                return Err(self.unknown_of(key, block.span, &format!("a value of `{over}`"), option.values.iter().map(String::as_str)));
            }
        }
        match option.variable {
            None => {
                let key = option.chosen.first().cloned().unwrap_or_default();
                pick(&entries, &key).map(|node| (node, sort)).ok_or_else(|| missing(&key) as Wrong)
            }
            Some(variable) => {
                let offset = self.rules.seat[variable].offset;
                let mut values = Vec::new();
                for key in &option.values {
                    let node = pick(&entries, key).ok_or_else(|| missing(key) as Wrong)?;
                    let Node::Const(value) = self.rules.nodes[node as usize] else {
                        return Err(Box::new(Diagnostic::error(
                            "R003",
                            block.span,
                            "values by an option of each player must be plain numbers",
                        )));
                    };
                    values.push(value);
                }
                let own = self.node(Node::Own(offset));
                Ok((self.node(Node::Table(own, values.into())), sort))
            }
        }
    }

    /// `count card.sections`: how long a printed list is.
    fn length(&mut self, cursor: &mut Cursor<'_>, scope: &mut Scope) -> Option<Typed> {
        let word = cursor.terms.get(cursor.at + 1)?.word()?;
        let (head, member) = word.rsplit_once('.')?;
        let field = self.list_field(member)?;
        let span = cursor.span();
        let card = self.card_named(head, span, scope).ok()?;
        cursor.at += 2;
        Some((self.node(Node::ListLen(card, field)), Type::Number))
    }

    pub(super) fn condition(&mut self, text: &str) -> Option<NodeId> {
        self.rules.conditions.iter().find(|c| c.0 == text).map(|c| c.1)
    }

    /// A condition whose words are next; the longest counts.
    fn condition_words(&self, cursor: &Cursor<'_>) -> Option<(NodeId, usize)> {
        let mut best: Option<(NodeId, usize)> = None;
        for (name, node) in &self.rules.conditions {
            let words: Vec<&str> = name.split(' ').collect();
            let are = words.iter().enumerate().all(|(i, w)| cursor.terms.get(cursor.at + i).is_some_and(|t| t.is_word(w)));
            if are && best.is_none_or(|b| words.len() > b.1) {
                best = Some((*node, words.len()));
            }
        }
        best
    }

    /// Words that are one slip away from those of a condition.
    fn nearly_condition(&self, terms: &[Term]) -> Option<Wrong> {
        let words: Vec<(&str, Span)> = terms.iter().map_while(|term| term.word().map(|word| (word, term.span))).collect();
        (2..=words.len().min(4)).rev().find_map(|count| {
            let text = words[..count].iter().map(|word| word.0).collect::<Vec<_>>().join(" ");
            let names = self.rules.conditions.iter().map(|c| c.0.as_str()).filter(|name| name.split(' ').count() == count);
            nearest(&text, names)?;
            Some(self.unknown_condition(&text, words[0].1.to(words[count - 1].1)))
        })
    }

    pub(super) fn unknown_condition(&self, text: &str, span: Span) -> Wrong {
        let names: Vec<&str> = self.rules.conditions.iter().map(|c| c.0.as_str()).collect();
        Box::new(Diagnostic::error("R010", span, format!("no condition is called \"{text}\"")).label("unknown").meant(nearest(text, names)))
    }
}

/// Whether `round is last` is next.
fn is_last_of(cursor: &Cursor<'_>) -> bool {
    ["round", "is", "last"].iter().zip(cursor.at..).all(|(word, at)| cursor.terms.get(at).is_some_and(|term| term.is_word(word)))
}

/// What a sum over such values is.
fn scale(each: Type) -> Type {
    if each == Type::Milli { Type::Milli } else { Type::Number }
}
