//! Cards: raw TOML to definitions, with the figures of their kind and what they hear, change, forbid and replace.

use super::ast::{Term, TermKind};
use super::compile::Compiler;
use super::containers::Container;
use super::declare::FieldSort;
use super::parse::parse_line;
use super::phrase::{Cursor, Wrong};
use super::scope::{Scope, Symbol, Type};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{
    AskBefore, CardAction, Change, Compare, Definition, EntryPart, Forbid, Hook, How, Instead, Lifetime, NameId, Node, NodeId, Offer,
    ScriptText, Variable, VariableSort, Who,
};
use crate::pack::{Amount, Entry, EntryWho, Period, RawCard, Says, Spanned, Text, Value};
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
            for (name, _) in &card.counters {
                if !self.rules.piece.iter().any(|variable| variable.name == name.text) {
                    self.add_variable(&name.text, name.span, Container::Card, VariableSort::Counter, Lifetime::Game, 1);
                }
            }
            self.raw_of.push(card.clone());
            self.rules.definitions.push(definition);
        }
        for index in 0..self.rules.definitions.len() {
            let raw = self.raw_of[index].clone();
            let fields = self.read_fields(&raw, self.rules.definitions[index].kind as usize);
            self.rules.definitions[index].fields = fields;
        }
    }

    /// What the counters of each card begin with.
    pub(super) fn first_values(&mut self) {
        for (definition, raw) in self.rules.definitions.iter_mut().zip(&self.raw_of) {
            let counters = raw.counters.iter().filter_map(|(name, value)| {
                let variable = self.rules.piece.iter().find(|variable| variable.name == name.text)?;
                Some((variable.offset, *value as i32))
            });
            definition.counters = counters.collect();
        }
        for (piece, &definition) in self.rules.piece_definition.iter().enumerate() {
            for &(offset, value) in &self.rules.definitions[definition as usize].counters {
                self.rules.initial.push((self.rules.layout.piece(piece, offset as usize) as u32, value));
            }
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

    fn change_amount(&mut self, amount: &Amount, scope: &mut Scope) -> Result<NodeId, Wrong> {
        match amount {
            Amount::Number(number) => Ok(self.node(Node::Const(*number))),
            Amount::Text(text) => self.line_of(text, scope, &[Type::Number]),
        }
    }

    /// The cell of a piece that is not 0 before the end of the stretch in which it came into play.
    fn arrival(&mut self, period: Period) -> u16 {
        let name = format!("came in this {}", period.word());
        if let Some(known) = self.rules.piece.iter().find(|variable| variable.name == name) {
            return known.offset;
        }
        let offset = self.hidden_counter(&name, period);
        self.rules.arrivals.push(offset);
        offset
    }

    /// A counter of each piece that nobody can name; its name is for people who look into the state.
    fn hidden_counter(&mut self, name: &str, period: Period) -> u16 {
        let offset = self.piece_size;
        self.piece_size += 1;
        let lifetime = match period {
            Period::Action => Lifetime::Action,
            Period::Turn => Lifetime::Turn,
            Period::Step => Lifetime::Step,
            Period::Round => Lifetime::Round,
            Period::Game => Lifetime::Game,
        };
        self.rules.piece.push(Variable { name: name.to_string(), offset, len: 1, lifetime, sort: VariableSort::Counter });
        offset
    }

    /// A condition, and that the stretch of an `until` is not over.
    fn until(&mut self, when: Option<NodeId>, entry: &Entry) -> Option<NodeId> {
        let Some(period) = entry.until else { return when };
        let Ok(offset) = u8::try_from(self.arrival(period)) else {
            self.diagnostics.push(Diagnostic::error("C023", entry.span, "cards have too many counters for this `until`").label("here"));
            return when;
        };
        let own = self.node(Node::Local(0));
        let counter = self.node(Node::Counter(own, offset));
        let zero = self.node(Node::Const(0));
        let fresh = self.node(Node::Cmp(Compare::More, counter, zero));
        Some(match when {
            Some(when) => self.node(Node::And(fresh, when)),
            None => fresh,
        })
    }

    fn entry(&mut self, definition: usize, entry: &Entry, owner: &str) -> Result<(), Wrong> {
        let id = format!("{owner}.{}", entry.id.text);
        let mut scope = card_scope(self);
        match &entry.says {
            Says::On { moment: moment_text, who, when, parts } => {
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
                    let wrong = match listed.is_empty() {
                        true => wrong.label("unknown moment").help("these rules have no moments, so no card of this game can hear one"),
                        false => {
                            meant_or_listed(wrong.label("unknown moment"), &moment_text.text, known, "the moments of the rules", &listed)
                        }
                    };
                    self.diagnostics.push(wrong);
                }
                // The rest of the entry is read all the same, so that all its faults are told at once.
                let when = when.as_ref().map(|text| self.line(text, &mut scope)).transpose();
                let parts = self.parts(parts, &id, owner, definition, &mut scope);
                let when = match when {
                    Ok(when) => when,
                    Err(wrong) => {
                        self.diagnostics.push(*wrong);
                        None
                    }
                };
                let (parts, when) = (parts?, self.until(when, entry));
                let Some(moment) = moment else { return Ok(()) };
                let hook = Hook { id, moment: moment as u16, who: who_of(*who), own_only, when, parts };
                self.rules.definitions[definition].hooks.push(hook);
            }
            Says::Change { what, who, when, to, by, at_least, at_most } => {
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
                let when = when.as_ref().map(|text| self.line(text, &mut scope)).transpose()?;
                let (when, who) = (self.until(when, entry), who_of(*who));
                for (value, how) in [(to, How::To), (by, How::By), (at_least, How::AtLeast), (at_most, How::AtMost)] {
                    if let Some(value) = value {
                        let amount = self.change_amount(value, &mut scope)?;
                        self.rules.definitions[definition].changes.push(Change { quantity: quantity as u16, who, when, how, amount });
                    }
                }
            }
            Says::Forbid { action, who, when, because } => {
                let name = self.rules.names.add(&action.text);
                let actions: Vec<usize> = (0..self.rules.actions.len()).filter(|&a| self.rules.actions[a].name == name).collect();
                if actions.is_empty() {
                    let known: Vec<String> = self.rules.actions.iter().map(|a| self.rules.names.text(a.name).to_string()).collect();
                    return Err(self.unknown_of(&action.text, action.span, "an action", known.iter().map(String::as_str)));
                }
                let when = when.as_ref().map(|text| self.line(text, &mut scope)).transpose()?;
                let (when, who) = (self.until(when, entry), who_of(*who));
                let because = because.as_ref().map_or_else(|| "a card forbids it".to_string(), |t| t.text.clone());
                for action in actions {
                    self.rules.definitions[definition].forbids.push(Forbid { action: action as u16, who, when, because: because.clone() });
                }
            }
            Says::Instead { of, who, when, parts } => {
                let Some(named) = self.rules.named.iter().position(|n| *n == of.text) else {
                    let known: Vec<&str> = self.rules.named.iter().map(String::as_str).collect();
                    let wrong =
                        Diagnostic::error("C027", of.span, format!("the rules name no loss or draw `{}`", of.text)).label("unknown");
                    let wrong = meant_or_listed(wrong, &of.text, known.clone(), "what they name", &known);
                    return Err(Box::new(wrong.help("a loss or draw gets a name by `… for NAME` in the rules file")));
                };
                let when = when.as_ref().map(|text| self.line(text, &mut scope)).transpose()?;
                let (when, who) = (self.until(when, entry), who_of(*who));
                let parts = self.parts(parts, &id, owner, definition, &mut scope)?;
                self.rules.definitions[definition].insteads.push(Instead { id, of: named as u16, who, when, parts });
            }
            Says::Action { needs, because, cost, limit, parts } => {
                let needs = needs.as_ref().map(|text| self.line(text, &mut scope)).transpose()?;
                let needs = self.until(needs, entry);
                let because = because.as_ref().map_or_else(|| "the card does not allow it now".to_string(), |t| t.text.clone());
                let costs = match cost {
                    Some(text) => self.card_costs(text, &mut scope)?,
                    None => Vec::new(),
                };
                let parts = self.parts(parts, &id, owner, definition, &mut scope)?;
                if self.rules.definitions[definition].action.is_some() {
                    return Err(Box::new(
                        Diagnostic::error("C028", entry.span, "a card has one action at most")
                            .label("a second one")
                            .help("let one action ask what is done: `ask = \"one of …\"`"),
                    ));
                }
                let limit = limit.map(|limit| (limit.times, self.uses(limit.each)));
                self.rules.definitions[definition].action = Some(CardAction { id, needs, because, costs, limit, parts });
            }
        }
        Ok(())
    }

    /// The cell of a piece in which its actions are counted.
    fn uses(&mut self, each: Period) -> u16 {
        let name = format!("uses each {}", each.word());
        let known = self.rules.piece.iter().find(|variable| variable.name == name).map(|variable| variable.offset);
        known.unwrap_or_else(|| self.hidden_counter(&name, each))
    }

    /// What an entry does; what is wrong with one part does not hide what is wrong with another.
    fn parts(
        &mut self,
        parts: &[crate::pack::EntryPart],
        id: &str,
        owner: &str,
        definition: usize,
        scope: &mut Scope,
    ) -> Result<Vec<EntryPart>, Wrong> {
        let (mut found, mut first_wrong) = (Vec::new(), None);
        // An answer is known to the parts that follow.
        let mut words: Vec<NameId> = Vec::new();
        for part in parts {
            let result = self.entry_part(part, id, owner, definition, scope, &mut words);
            match (result, &first_wrong) {
                (Ok(part), _) => found.push(part),
                (Err(wrong), None) => first_wrong = Some(wrong),
                (Err(wrong), Some(_)) => self.diagnostics.push(*wrong),
            }
        }
        first_wrong.map_or(Ok(found), Err)
    }

    fn entry_part(
        &mut self,
        part: &crate::pack::EntryPart,
        id: &str,
        owner: &str,
        definition: usize,
        scope: &mut Scope,
        words: &mut Vec<NameId>,
    ) -> Result<EntryPart, Wrong> {
        let when = part.when.as_ref().map(|text| self.line(text, scope)).transpose()?;
        let mut ask = None;
        if let Some(text) = &part.ask {
            (ask, *words) = self.ask_before(text, owner, scope)?;
        }
        Ok(EntryPart { when, ask, script: self.script(&part.script, id, definition, words) })
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
    fn ask_before(&mut self, text: &Text, owner: &str, scope: &mut Scope) -> Result<(Option<AskBefore>, Vec<NameId>), Wrong> {
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

    fn script(&mut self, text: &Text, id: &str, definition: usize, words: &[NameId]) -> u32 {
        let span = Some(text.span);
        // Cards of a kind share the kind's script.
        if let Some(known) = self.rules.scripts.iter().position(|s| s.span == span) {
            return known as u32;
        }
        let (text, owner) = (text.text.clone(), id.to_string());
        self.rules.scripts.push(ScriptText { owner, definition: definition as i32, text, span, words: words.to_vec() });
        self.rules.scripts.len() as u32 - 1
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

fn who_of(who: EntryWho) -> Who {
    match who {
        EntryWho::Me => Who::Me,
        EntryWho::Others => Who::Others,
        EntryWho::All => Who::All,
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
