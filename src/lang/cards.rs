//! Cards: raw TOML to definitions, with the figures of their kind and what they hear, change, forbid and replace.

use super::ast::{Term, TermKind};
use super::compile::Compiler;
use super::declare::FieldSort;
use super::parse::parse_line;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{
    AskBefore, CardAction, Change, Definition, Forbid, Hook, How, Instead, NameId, Node, NodeId, Offer, ScriptText, Who,
};
use crate::pack::{Entry, EntryKind, RawCard, Spanned, Text, Value};
use crate::source::Span;

impl Compiler<'_> {
    /// Figures first: definitions must be known before anything names them.
    pub(super) fn read_cards(&mut self, cards: &[RawCard]) {
        for card in cards {
            let Some(kind) = self.kind_of(&card.kind.text) else {
                let kinds: Vec<String> = self.rules.kinds.iter().map(|k| self.rules.names.text(k.name).to_string()).collect();
                let wrong = self.unknown_of(&card.kind.text, card.kind.span, "a kind of this game", kinds.iter().map(String::as_str));
                self.diagnostics.push(Diagnostic { code: "C020", ..*wrong });
                continue;
            };
            let id = self.rules.names.add(&card.id.text);
            let definition = Definition {
                id,
                name: card.name.text.clone(),
                text: card.text.as_ref().map_or(String::new(), |t| t.text.clone()),
                kind,
                age: card.age as i32,
                fields: Vec::new(),
                source: card.source.as_ref().map_or(String::new(), |s| s.text.clone()),
                ..Definition::default()
            };
            self.raw_of.push(card.clone());
            self.rules.definitions.push(definition);
        }
        for index in 0..self.rules.definitions.len() {
            let raw = self.raw_of[index].clone();
            let fields = self.read_fields(&raw, self.rules.definitions[index].kind as usize);
            self.rules.definitions[index].fields = fields;
        }
    }

    fn read_fields(&mut self, card: &RawCard, kind: usize) -> Vec<i32> {
        let mut cells = vec![0; self.field_size as usize];
        if let Some(age) = self.fields.iter().find(|f| f.name == "age") {
            cells[age.offset as usize] = card.age as i32;
        }
        let declared: Vec<(usize, Option<i64>)> = self.kind_fields[kind].iter().map(|f| (f.field, f.default)).collect();
        for (key, _) in &card.fields {
            if !declared.iter().any(|d| self.fields[d.0].name == key.text) {
                let mut known: Vec<&str> = declared.iter().map(|d| self.fields[d.0].name.as_str()).collect();
                known.extend(["id", "name", "kind", "age", "set", "source", "text", "leaves_when", "counters", "alt_names"]);
                let own: Vec<&str> = declared.iter().map(|d| self.fields[d.0].name.as_str()).collect();
                let diagnostic =
                    Diagnostic::error("C021", key.span, format!("cards of kind `{}` have no field `{}`", card.kind.text, key.text))
                        .label("unknown field");
                self.diagnostics.push(meant_or_listed(diagnostic, &key.text, known, "the fields of this kind", &own));
            }
        }
        for (field, default) in declared {
            let field = self.fields[field].clone();
            let at = field.offset as usize;
            match card.fields.iter().find(|(key, _)| key.text == field.name) {
                Some((_, value)) => {
                    let result = self.field_value(&field.sort, value, &mut cells[at..at + field.len as usize]);
                    self.note(result.map_err(|wrong| match wrong.label.is_empty() {
                        true => Box::new(wrong.label(format!("the value of `{}`", field.name))),
                        false => wrong,
                    }));
                }
                None => match (default, &field.sort) {
                    (Some(default), sort) => {
                        let default = default as i32;
                        match sort {
                            FieldSort::Row(extra) => {
                                cells[at..at + self.rules.resources.len()].fill(default);
                                for word in extra.iter().filter_map(|word| self.extra_words.iter().position(|w| w == word)) {
                                    cells[at + self.rules.resources.len() + word] = default;
                                }
                            }
                            FieldSort::Tokens => cells[at..at + field.len as usize].fill(default),
                            FieldSort::Numbers => cells[at] = self.pool(&[default]),
                            _ => cells[at] = default,
                        }
                    }
                    (None, FieldSort::Row(_) | FieldSort::Tokens | FieldSort::Numbers | FieldSort::Cards) => {}
                    (None, _) => {
                        let diagnostic = Diagnostic::error("C022", card.span, format!("`{}` has no `{}`", card.id.text, field.name))
                            .label("this card")
                            .help(format!("every card of kind `{}` needs one", card.kind.text));
                        self.diagnostics.push(diagnostic);
                    }
                },
            }
        }
        cells
    }

    fn whole(value: &Spanned) -> Result<i32, Wrong> {
        match value.integer().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => Err(Box::new(Diagnostic::error("C023", value.span, format!("expected a whole number, found {}", value.sort())))),
        }
    }

    fn field_value(&mut self, sort: &FieldSort, value: &Spanned, cells: &mut [i32]) -> Result<(), Wrong> {
        match sort {
            FieldSort::Number => cells[0] = Self::whole(value)?,
            FieldSort::Numbers => {
                let mut numbers = Vec::new();
                match &value.value {
                    Value::List(list) => {
                        for item in list {
                            numbers.push(Self::whole(item)?);
                        }
                    }
                    _ => numbers.push(Self::whole(value)?),
                }
                cells[0] = self.pool(&numbers);
            }
            FieldSort::Tokens => {
                let Value::Table(entries) = &value.value else {
                    let message = format!("expected a table such as {{ … = 2 }}, found {}", value.sort());
                    return Err(Box::new(Diagnostic::error("C023", value.span, message)));
                };
                for (key, number) in entries {
                    let token = self.token_word(&key.text, key.span)?;
                    cells[token] = Self::whole(number)?;
                }
            }
            FieldSort::Row(extra) => {
                let Value::Table(entries) = &value.value else {
                    return Err(Box::new(Diagnostic::error(
                        "C023",
                        value.span,
                        format!("expected a table such as {{ … = 2 }}, found {}", value.sort()),
                    )));
                };
                for (key, number) in entries {
                    let index = match self.resource_index(&key.text) {
                        Some(resource) => resource,
                        None => match extra.contains(&key.text).then(|| self.extra_words.iter().position(|w| *w == key.text)).flatten() {
                            Some(extra) => self.rules.resources.len() + extra,
                            None => {
                                let mut known: Vec<String> =
                                    self.rules.resources.iter().map(|&n| self.rules.names.text(n).to_string()).collect();
                                known.extend(extra.iter().cloned());
                                return Err(self.unknown_of(&key.text, key.span, "a resource", known.iter().map(String::as_str)));
                            }
                        },
                    };
                    cells[index] = Self::whole(number)?;
                }
            }
            FieldSort::Resource => {
                let text = Self::text(value)?;
                match self.resource_index(&text.text) {
                    Some(resource) => cells[0] = resource as i32,
                    None => {
                        let known: Vec<String> = self.rules.resources.iter().map(|&n| self.rules.names.text(n).to_string()).collect();
                        return Err(self.unknown_of(&text.text, text.span, "a resource", known.iter().map(String::as_str)));
                    }
                }
            }
            FieldSort::Choice(choice) => {
                let text = Self::text(value)?;
                let values = self.choices[*choice as usize].clone();
                match values.iter().position(|v| v.eq_ignore_ascii_case(&text.text)) {
                    Some(index) => cells[0] = index as i32,
                    None => {
                        let wrong = self.unknown_of(&text.text, text.span, "a value of this field", []);
                        let values: Vec<&str> = values.iter().map(String::as_str).collect();
                        return Err(Box::new(meant_or_listed(*wrong, &text.text, values.clone(), "its values", &values)));
                    }
                }
            }
            FieldSort::Cards => {
                let Value::List(list) = &value.value else {
                    return Err(Box::new(Diagnostic::error(
                        "C023",
                        value.span,
                        format!("expected a list of card ids, found {}", value.sort()),
                    )));
                };
                let mut cards = Vec::new();
                for item in list {
                    let text = Self::text(item)?;
                    match self.rules.find_definition(&text.text) {
                        Some(definition) => cards.push(definition as i32),
                        None => {
                            let known: Vec<String> = self.raw_of.iter().map(|c| c.id.text.clone()).collect();
                            return Err(self.unknown_of(&text.text, text.span, "a card", known.iter().map(String::as_str)));
                        }
                    }
                }
                cells[0] = self.pool(&cards);
            }
        }
        Ok(())
    }

    fn text(value: &Spanned) -> Result<&Text, Wrong> {
        value
            .text()
            .ok_or_else(|| Box::new(Diagnostic::error("C023", value.span, format!("expected a text, found {}", value.sort()))) as Wrong)
    }

    /// Puts a list into the pool: its length, its elements, their sums so far.
    fn pool(&mut self, list: &[i32]) -> i32 {
        if list.is_empty() {
            return 0;
        }
        let at = self.rules.pool.len();
        self.rules.pool.push(list.len() as i32);
        self.rules.pool.extend_from_slice(list);
        let mut sum = 0;
        for n in list {
            sum += n;
            self.rules.pool.push(sum);
        }
        at as i32
    }

    /// What cards and their kinds say.
    pub(super) fn read_entries(&mut self, kinds: &[crate::pack::RawKind]) {
        for kind in kinds {
            if self.kind_of(&kind.id.text).is_none() {
                let known: Vec<String> = self.rules.kinds.iter().map(|k| self.rules.names.text(k.name).to_string()).collect();
                let wrong = self.unknown_of(&kind.id.text, kind.id.span, "a kind of this game", known.iter().map(String::as_str));
                self.diagnostics.push(*wrong);
            }
        }
        for index in 0..self.rules.definitions.len() {
            let raw = self.raw_of[index].clone();
            if let Some(when) = &raw.leaves_when {
                let mut scope = card_scope(self);
                match self.line(when, &mut scope) {
                    Ok(node) => self.rules.definitions[index].leaves_when = Some(node),
                    Err(wrong) => self.diagnostics.push(*wrong),
                }
            }
            for entry in &raw.entries {
                let result = self.entry(index, entry, &raw.id.text);
                self.note(result);
            }
            let own = self.rules.definitions[index].kind;
            let own_kinds: Vec<_> = kinds.iter().filter(|k| self.kind_of(&k.id.text) == Some(own)).collect();
            for kind in own_kinds {
                for entry in &kind.entries {
                    // A fault in a kind is told once, not for each of its cards.
                    let known = self.diagnostics.len();
                    let result = self.entry(index, entry, &kind.id.text);
                    self.note(result);
                    let fresh = self.diagnostics.split_off(known);
                    for diagnostic in fresh {
                        if !self.diagnostics.contains(&diagnostic) {
                            self.diagnostics.push(diagnostic);
                        }
                    }
                }
            }
        }
    }

    /// A condition or number in the rules language inside a card file.
    fn line(&mut self, text: &Text, scope: &mut Scope) -> Result<NodeId, Wrong> {
        self.line_of(text, scope, &[Type::Truth])
    }

    fn line_of(&mut self, text: &Text, scope: &mut Scope, wanted: &[Type]) -> Result<NodeId, Wrong> {
        let before = self.diagnostics.len();
        let Some(statement) = parse_line(text.span.file, &text.text, text.span.start, self.diagnostics) else {
            let told = self.diagnostics.len() > before;
            let first = if told { self.diagnostics.pop() } else { None };
            return Err(Box::new(first.unwrap_or_else(|| Diagnostic::error("C024", text.span, "this is empty"))));
        };
        let kept = scope.clone();
        let result = self.whole_expr(&statement.terms, statement.span, scope, wanted);
        *scope = kept;
        result.map(|r| r.0)
    }

    fn number_line(&mut self, value: &Spanned, scope: &mut Scope) -> Result<NodeId, Wrong> {
        match &value.value {
            Value::Integer(n) => Ok(self.node(Node::Const(*n))),
            Value::Text(text) => self.line_of(text, scope, &[Type::Number]),
            _ => {
                Err(Box::new(Diagnostic::error("C023", value.span, format!("expected a number or an expression, found {}", value.sort()))))
            }
        }
    }

    fn entry(&mut self, definition: usize, entry: &Entry, owner: &str) -> Result<(), Wrong> {
        let who = match entry.text("who").map(|t| t.text.as_str()) {
            Some("others") => Who::Others,
            Some("all") => Who::All,
            _ => Who::Me,
        };
        let id = format!("{owner}.{}", entry.id.text);
        let mut scope = card_scope(self);
        match entry.kind {
            EntryKind::On => {
                let Some(moment_text) = entry.text("when") else { return Ok(()) };
                let (own_only, name) = match moment_text.text.strip_prefix("this.") {
                    Some(name) => (true, name),
                    None => (false, moment_text.text.as_str()),
                };
                let moment = self.rules.moments.iter().position(|m| m == name);
                if moment.is_none() {
                    let known: Vec<String> = self.rules.moments.iter().flat_map(|m| [m.clone(), format!("this.{m}")]).collect();
                    let listed: Vec<&str> = self.rules.moments.iter().map(String::as_str).collect();
                    let wrong = Diagnostic::error("C025", moment_text.span, format!("the rules never say `moment {name}`"));
                    let known = known.iter().map(String::as_str);
                    let wrong =
                        meant_or_listed(wrong.label("unknown moment"), &moment_text.text, known, "the moments of the rules", &listed);
                    self.diagnostics.push(wrong);
                }
                // The rest of the entry is read all the same, so that all its faults are told at once.
                let when = entry.text("if").map(|t| self.line(t, &mut scope)).transpose();
                let asked = self.ask_before(entry, owner, &mut scope);
                let words = asked.as_ref().map_or(Vec::new(), |asked| asked.1.clone());
                let script = self.script(entry, &id, definition, &words);
                let when = match when {
                    Ok(when) => when,
                    Err(wrong) => {
                        self.diagnostics.push(*wrong);
                        None
                    }
                };
                let (ask, _) = asked?;
                let script = script?;
                let Some(moment) = moment else { return Ok(()) };
                let hook = Hook { id, moment: moment as u16, who, own_only, when, ask, script };
                self.rules.definitions[definition].hooks.push(hook);
            }
            EntryKind::Change => {
                let Some(what) = entry.text("what") else { return Ok(()) };
                let name = what.text.replace("_rank", ".rank");
                let found = self
                    .rules
                    .quantities
                    .iter()
                    .position(|q| q.name == what.text)
                    .or_else(|| self.rules.quantities.iter().position(|q| q.name == name));
                let Some(quantity) = found else {
                    let known: Vec<String> = self.rules.quantities.iter().map(|q| q.name.clone()).collect();
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    let wrong = Diagnostic::error("C026", what.span, format!("the rules declare no changeable quantity `{}`", what.text))
                        .label("unknown quantity");
                    return Err(Box::new(meant_or_listed(wrong, &what.text, known.clone(), "what cards may change", &known)));
                };
                let params = self.quantity_params.get(&(quantity as u16)).cloned().unwrap_or_default();
                let mut scope = Scope::from(1 + params.len());
                let own = self.node(Node::Local(0));
                scope.bound.push(("own".into(), own, Type::Card));
                for (i, param) in params.iter().enumerate() {
                    let node = self.node(Node::Local(1 + i as u8));
                    scope.bound.push((param.clone(), node, if param == "card" { Type::Card } else { Type::Any }));
                }
                let when = entry.text("if").map(|t| self.line(t, &mut scope)).transpose()?;
                for (key, how) in [("to", How::To), ("by", How::By), ("at_least", How::AtLeast), ("at_most", How::AtMost)] {
                    if let Some(value) = entry.get(key) {
                        let amount = self.number_line(value, &mut scope)?;
                        self.rules.definitions[definition].changes.push(Change { quantity: quantity as u16, who, when, how, amount });
                    }
                }
            }
            EntryKind::Forbid => {
                let Some(what) = entry.text("action") else { return Ok(()) };
                let name = self.rules.names.add(&what.text);
                let actions: Vec<usize> = (0..self.rules.actions.len()).filter(|&a| self.rules.actions[a].name == name).collect();
                if actions.is_empty() {
                    let known: Vec<String> = self.rules.actions.iter().map(|a| self.rules.names.text(a.name).to_string()).collect();
                    return Err(self.unknown_of(&what.text, what.span, "an action", known.iter().map(String::as_str)));
                }
                let when = entry.text("if").map(|t| self.line(t, &mut scope)).transpose()?;
                let because = entry.text("because").map_or_else(|| "a card forbids it".to_string(), |t| t.text.clone());
                for action in actions {
                    self.rules.definitions[definition].forbids.push(Forbid { action: action as u16, who, when, because: because.clone() });
                }
            }
            EntryKind::Instead => {
                let Some(of) = entry.text("of") else { return Ok(()) };
                let Some(named) = self.rules.named.iter().position(|n| *n == of.text) else {
                    let known: Vec<&str> = self.rules.named.iter().map(String::as_str).collect();
                    let wrong =
                        Diagnostic::error("C027", of.span, format!("the rules name no loss or draw `{}`", of.text)).label("unknown");
                    let wrong = meant_or_listed(wrong, &of.text, known.clone(), "what they name", &known);
                    return Err(Box::new(wrong.help("a loss or draw gets a name by `… for NAME` in the rules file")));
                };
                let when = entry.text("if").map(|t| self.line(t, &mut scope)).transpose()?;
                let (ask, words) = self.ask_before(entry, owner, &mut scope)?;
                let script = if entry.get("do").is_some() { Some(self.script(entry, &id, definition, &words)?) } else { None };
                self.rules.definitions[definition].insteads.push(Instead { id, of: named as u16, who, when, ask, script });
            }
            EntryKind::Action => {
                let needs = entry.text("needs").map(|t| self.line(t, &mut scope)).transpose()?;
                let because = entry.text("because").map_or_else(|| "the card does not allow it now".to_string(), |t| t.text.clone());
                let costs = match entry.text("cost") {
                    Some(text) => self.card_costs(text, &mut scope)?,
                    None => Vec::new(),
                };
                let (ask, words) = self.ask_before(entry, owner, &mut scope)?;
                let script = self.script(entry, &id, definition, &words)?;
                if self.rules.definitions[definition].action.is_some() {
                    return Err(Box::new(
                        Diagnostic::error("C028", entry.span, "a card has one action at most")
                            .label("a second one")
                            .help("let one action ask what is done: `ask = \"one of …\"`"),
                    ));
                }
                self.rules.definitions[definition].action = Some(CardAction { id, needs, because, costs, ask, script });
            }
        }
        Ok(())
    }

    /// `1 food, 2 gold`.
    fn card_costs(&mut self, text: &Text, scope: &mut Scope) -> Result<Vec<(NodeId, u8)>, Wrong> {
        let Some(statement) = parse_line(text.span.file, &text.text, text.span.start, self.diagnostics) else { return Ok(Vec::new()) };
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let mut costs = Vec::new();
        loop {
            let span = cursor.span();
            let (amount, sort) = self.expr(&mut cursor, scope)?;
            self.must_be(sort, &[Type::Number], span)?;
            let (word, at) = cursor.expect_name("a resource")?;
            let Some(resource) = self.resource_index(word) else { return Err(self.unknown(word, at, "a resource")) };
            costs.push((amount, resource as u8));
            if !cursor.take_comma() {
                cursor.expect_end()?;
                return Ok(costs);
            }
        }
    }

    /// `ask = "one of wisp, moss if wisp > 2, each card in my yard"`, `"may"`, `"may one of …"`.
    fn ask_before(&mut self, entry: &Entry, owner: &str, scope: &mut Scope) -> Result<(Option<AskBefore>, Vec<NameId>), Wrong> {
        let Some(text) = entry.text("ask") else { return Ok((None, Vec::new())) };
        let Some(statement) = parse_line(text.span.file, &text.text, text.span.start, self.diagnostics) else {
            return Ok((None, Vec::new()));
        };
        let mut cursor = Cursor::new(&statement.terms, statement.span);
        let may = cursor.take_word("may");
        let id = format!("{owner}.answer");
        if may && cursor.done() {
            let (yes, no) = (self.rules.names.add("yes"), self.rules.names.add("no"));
            let offer = |name| (Offer::Word { name, bare: false }, None);
            return Ok((Some(AskBefore { id, may: false, no: Some(no), offers: vec![offer(yes), offer(no)] }), vec![yes, no]));
        }
        if !cursor.take_words(&["one", "of"]) {
            let wrong = cursor.expected("`one of …`, `may`, or `may one of …`");
            return Err(Box::new(wrong.help("write `ask = \"one of wisp, moss\"`, with the words or cards on offer")));
        }
        let mut offers = Vec::new();
        let mut words = Vec::new();
        loop {
            let kept = scope.clone();
            let offer = if cursor.take_word("each") {
                let (name, span) = cursor.expect_name("a name for the card")?;
                cursor.expect_word("in")?;
                let local = self.local(scope, span)?;
                Offer::Cards(self.cards(&mut cursor, scope, local, name)?)
            } else {
                let (word, _) = cursor.expect_name("a word on offer, or `each card in …`")?;
                let name = self.rules.names.add(word);
                words.push(name);
                Offer::Word { name, bare: false }
            };
            let when = if cursor.take_word("if") {
                let span = cursor.span();
                let (node, sort) = self.expr(&mut cursor, scope)?;
                self.must_be(sort, &[Type::Truth], span)?;
                Some(node)
            } else {
                None
            };
            *scope = kept;
            offers.push((offer, when));
            if !cursor.take_comma() {
                break;
            }
        }
        cursor.expect_end()?;
        Ok((Some(AskBefore { id, may, no: None, offers }), words))
    }

    fn script(&mut self, entry: &Entry, id: &str, definition: usize, words: &[NameId]) -> Result<u32, Wrong> {
        let (text, span) = match entry.get("do").map(|d| &d.value) {
            Some(Value::Text(text)) => (text.text.clone(), Some(text.span)),
            Some(Value::List(list)) => {
                let parts: Vec<&Text> = list.iter().filter_map(Spanned::text).collect();
                (parts.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(";\n"), parts.first().map(|t| t.span))
            }
            _ => {
                return Err(Box::new(
                    Diagnostic::error("C029", entry.span, "what should it do?")
                        .label("`do` is missing")
                        .help("write `do = \"…\"` with what the card does"),
                ));
            }
        };
        // Cards of a kind share the kind's script.
        if let Some(known) = self.rules.scripts.iter().position(|s| s.span.is_some() && s.span == span) {
            return Ok(known as u32);
        }
        self.rules.scripts.push(ScriptText { owner: id.to_string(), definition: definition as i32, text, span, words: words.to_vec() });
        Ok(self.rules.scripts.len() as u32 - 1)
    }

    /// Whether a card lies in a deck: `card.set in set`, `card.side is side`.
    pub(super) fn in_deck(&self, raw: &RawCard, filter: &[Term], span: Span) -> Result<bool, Wrong> {
        if filter.is_empty() {
            return Ok(true);
        }
        let wrong = || {
            Box::new(Diagnostic::error("R003", span, "a deck's condition is written `card.FIELD in OPTION` or `card.FIELD is OPTION`"))
                as Wrong
        };
        let [
            Term { kind: TermKind::Word(path), .. },
            Term { kind: TermKind::Word(how), .. },
            Term { kind: TermKind::Word(option), span: at },
        ] = filter
        else {
            return Err(wrong());
        };
        let (Some(member), true) = (path.strip_prefix("card."), how == "in" || how == "is") else { return Err(wrong()) };
        let Some(Symbol::Option(option)) = self.symbol(option) else { return Err(self.unknown(option, *at, "an option")) };
        let value = match member {
            "set" => raw.set.as_ref().map(|t| t.text.clone()),
            _ => raw.fields.iter().find(|(key, _)| key.text == member).and_then(|(_, v)| v.text().map(|t| t.text.clone())),
        };
        Ok(value.is_some_and(|value| self.options[*option].chosen.iter().any(|c| c.eq_ignore_ascii_case(&value))))
    }
}

/// With the nearest known word, or, where none is near, with all there are.
fn meant_or_listed<'n>(wrong: Diagnostic, word: &str, known: impl IntoIterator<Item = &'n str>, what: &str, listed: &[&str]) -> Diagnostic {
    match nearest(word, known) {
        None if !listed.is_empty() => wrong.help(format!("{what}: {}", listed.join(", "))),
        meant => wrong.meant(meant),
    }
}

/// In a card's conditions `own` is the card, `card` the moment's card, `player` whose moment it is.
fn card_scope(compiler: &mut Compiler<'_>) -> Scope {
    let mut scope = Scope::from(3);
    for (local, (name, sort)) in [("own", Type::Card), ("card", Type::Card), ("player", Type::Seat)].into_iter().enumerate() {
        let node = compiler.node(Node::Local(local as u8));
        scope.bound.push((name.into(), node, sort));
    }
    scope
}
